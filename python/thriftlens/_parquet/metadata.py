"""Copies of key/value metadata in a Parquet footer: the schemas that Arrow, Spark, pandas and Avro
store beside the file's own."""

from __future__ import annotations

import json
from typing import Iterable, Mapping, Optional, Sequence, Union

from .._typing import JsonObject, JsonValue, Values
from .arrow_metadata import BrokenSchema, changed_metadata

ARROW = "ARROW:schema"
JSON_SCHEMAS = (
    "org.apache.spark.sql.parquet.row.metadata",
    "pandas",
    "parquet.avro.schema",
    "avro.schema",
    "iceberg.schema",
)
_METADATA_OBJECTS = ("metadata", "attributes", "properties")  # members whose values are free
_STRUCTURE = frozenset(
    """type name fields items values symbols namespace size logicalType precision scale nullable
    elementType keyType valueType containsNull valueContainsNull class pyClass sqlType index_columns
    column_indexes partition_columns columns field_name pandas_type numpy_type schema-id
    identifier-field-ids id required element-id element element-required key-id key value-id value
    value-required""".split()
)
"""Members by which schemas say names and types of columns. They are not changed outside of
metadata objects."""
_SHORTEST = 4  # characters of a value that is looked for under other keys

Changes = dict[int, Optional[str]]
"""New values by the number of the entry; None removes the entry."""


def removed_entries(
    old_rows: Iterable[Values], new_rows: Iterable[Values]
) -> tuple[set[str], set[str]]:
    """The keys of entries that a change removed or gave another value, and their old values."""
    remaining = {(row["key"], row.get("value")) for row in new_rows}
    removed = [
        (row["key"], row.get("value"))
        for row in old_rows
        if (row["key"], row.get("value")) not in remaining
    ]
    return {key for key, _ in removed}, {value for _, value in removed if value}


def stale_copies(rows: Sequence[Values], keys: set[str], values: set[str]) -> Changes:
    """What must change in the entries of the file, so that none holds a copy of these removed
    values, as text or in JSON."""
    keys = set(keys)
    values = values | {
        json.dumps(value, ensure_ascii=is_ascii)[1:-1]
        for value in values
        for is_ascii in (False, True)
    }
    changes: Changes = {}
    for index, row in enumerate(rows):
        value = row.get("value")
        cleaned = value and _cleaned_text(row["key"], value, keys, values)
        if cleaned != value:
            changes[index] = cleaned
    current = {row["key"]: changes.get(index, row.get("value")) for index, row in enumerate(rows)}
    keys |= {rows[index]["key"] for index in changes}
    for index, row in enumerate(rows):
        if row["key"] == ARROW:
            value = row.get("value")
            cleaned = _cleaned_arrow(value, keys, values, current) if value else None
            if cleaned is None or cleaned != value:
                changes[index] = cleaned
    return changes


def _cleaned_text(key: str, text: str, keys: set[str], values: set[str]) -> Optional[str]:
    """A schema or other JSON without copies; other texts unchanged."""
    is_schema = key in JSON_SCHEMAS
    is_json = is_schema or text.lstrip()[:1] in ("{", "[")
    return _cleaned_json(text, keys, values, is_schema) if is_json else text


def is_copy(key: str, value: str, keys: set[str], values: set[str]) -> bool:
    """Whether an entry is a copy of a removed one, or its value holds a removed value."""
    return holds(value, values) or (key in keys and value in values)


def holds(text: str, values: set[str]) -> bool:
    """Whether one of the values is in a text. Very short values are in texts that have nothing to
    do with them, and do not count."""
    return any(len(value) >= _SHORTEST and value in text for value in values)


def _cleaned_arrow(
    text: str, keys: set[str], values: set[str], current: Mapping[str, Optional[str]]
) -> Optional[str]:
    """The schema with the metadata of the file as it is now, and without the values in its fields;
    None for one that cannot be read."""

    def keep(key: str, value: str, is_field: bool) -> Union[bool, str]:
        if is_field:
            return not is_copy(key, value, keys, values)
        if key not in keys:
            return True
        replacement = current.get(key)
        return False if replacement is None else replacement

    try:
        return changed_metadata(text, keep)
    except BrokenSchema:
        return None


def _cleaned_json(text: str, keys: set[str], values: set[str], is_schema: bool) -> Optional[str]:
    """The JSON without members of these names and without strings that hold a value; None for one
    that cannot be read."""
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return None if is_schema and holds(text, values) else text
    cleaner = _JsonCleaner(keys, values, is_schema)
    cleaner.clean(tree)
    return (
        json.dumps(tree, ensure_ascii=False, separators=(",", ":")) if cleaner.is_changed else text
    )


class _JsonCleaner:
    def __init__(self, keys: set[str], values: set[str], is_schema: bool):
        self._keys, self._values, self._is_schema = keys, values, is_schema
        self._pending: list[tuple[JsonValue, bool]] = []  # values, and whether they are in metadata
        self.is_changed = False

    def clean(self, tree: JsonValue) -> None:
        self._pending.append((tree, not self._is_schema))
        while self._pending:
            node, is_metadata = self._pending.pop()
            if isinstance(node, list):
                self._clean_list(node, is_metadata)
            elif isinstance(node, dict):
                self._clean_object(node, is_metadata)

    def _clean_list(self, items: list[JsonValue], is_metadata: bool) -> None:
        kept = [item for item in items if not self._is_stale(item)]
        self.is_changed = self.is_changed or len(kept) < len(items)
        items[:] = kept
        self._pending += [(item, is_metadata) for item in kept]

    def _clean_object(self, members: JsonObject, is_metadata: bool) -> None:
        for name, value in list(members.items()):
            if not is_metadata and name in _STRUCTURE:  # names and types stay
                parts = value if isinstance(value, list) else [value]
                self._pending += [(part, False) for part in parts if not isinstance(part, str)]
            elif self._is_same(name, value) or self._is_stale(name) or self._is_stale(value):
                del members[name]
                self.is_changed = True
            else:
                self._pending.append((value, is_metadata or name in _METADATA_OBJECTS))

    def _is_stale(self, value: JsonValue) -> bool:
        return isinstance(value, str) and holds(value, self._values)

    def _is_same(self, name: str, value: JsonValue) -> bool:
        return name in self._keys and (self._is_schema or str(value) in self._values)
