"""Copies of key/value metadata in a Parquet footer: the schemas that Arrow, Spark, pandas and Avro store beside the file's own."""

from __future__ import annotations

import json
from typing import Any, Iterable, Mapping, Optional, Sequence

from .arrow_metadata import BrokenSchema, changed_metadata

ARROW = "ARROW:schema"
JSON_SCHEMAS = ("org.apache.spark.sql.parquet.row.metadata", "pandas", "parquet.avro.schema", "avro.schema", "iceberg.schema")
_METADATA_OBJECTS = ("metadata", "attributes", "properties")  # members whose values are free
_STRUCTURE = frozenset(
    """type name fields items values symbols namespace size logicalType precision scale nullable elementType keyType valueType containsNull
    valueContainsNull class pyClass sqlType index_columns column_indexes partition_columns columns field_name pandas_type numpy_type schema-id
    identifier-field-ids id required element-id element element-required key-id key value-id value value-required""".split()
)
"""Members by which schemas say names and types of columns. Outside of metadata objects they stay."""
_SHORTEST = 4  # characters of a value that is looked for under other keys

Row = Mapping[str, Any]
Changes = dict[int, Optional[str]]
"""New values by the number of the entry; None removes the entry."""


def removed_entries(before: Iterable[Row], after: Iterable[Row]) -> tuple[set[str], set[str]]:
    """The keys of entries that a change removed or gave another value, and their old values."""
    left = {(row["key"], row.get("value")) for row in after}
    removed = [(row["key"], row.get("value")) for row in before if (row["key"], row.get("value")) not in left]
    return {key for key, _ in removed}, {value for _, value in removed if value}


def stale_copies(rows: Sequence[Row], keys: set[str], values: set[str]) -> Changes:
    """What must change in the entries of the file, so that none holds a copy of these removed values, as text or in JSON."""
    keys = set(keys)
    values = values | {json.dumps(value, ensure_ascii=is_ascii)[1:-1] for value in values for is_ascii in (False, True)}
    current = {row["key"]: row.get("value") for row in rows}
    changes: Changes = {}
    changed_keys: set[str] = set()
    for index, row in enumerate(rows):
        key, value = row["key"], row.get("value")
        if value and (key in JSON_SCHEMAS or value.lstrip()[:1] in ("{", "[")):
            cleaned = _cleaned_json(value, keys, values, key in JSON_SCHEMAS)
            if cleaned != value:
                changes[index] = current[key] = cleaned
                changed_keys.add(key)
    keys |= changed_keys
    for index, row in enumerate(rows):
        if row["key"] == ARROW:
            value = row.get("value")
            cleaned = _cleaned_arrow(value, keys, values, current) if value else None
            if cleaned is None or cleaned != value:
                changes[index] = cleaned
    return changes


def is_copy(key: str, value: str, keys: set[str], values: set[str]) -> bool:
    """Whether an entry is a copy of a removed one, or its value holds a removed value."""
    return holds(value, values) or (key in keys and value in values)


def holds(text: str, values: set[str]) -> bool:
    """Whether one of the values is in a text. Very short values are in texts that have nothing to do with them, and do not count."""
    return any(len(value) >= _SHORTEST and value in text for value in values)


def _cleaned_arrow(text: str, keys: set[str], values: set[str], current: Mapping[str, Optional[str]]) -> Optional[str]:
    """The schema with the metadata of the file as it is now, and without the values in its fields; None for one that cannot be read."""

    def keep(key: str, value: str, is_field: bool) -> Any:
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
    """The JSON without members of these names and without strings that hold a value; None for one that cannot be read."""
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return None if is_schema and holds(text, values) else text
    is_changed = False

    def is_stale(value: Any) -> bool:
        return isinstance(value, str) and holds(value, values)

    def is_same(name: str, value: Any) -> bool:
        return name in keys and (is_schema or str(value) in values)

    pending = [(tree, not is_schema)]
    while pending:
        node, is_metadata = pending.pop()
        if isinstance(node, list):
            stale = [index for index, item in enumerate(node) if is_stale(item)]
            for index in reversed(stale):
                del node[index]
            is_changed = is_changed or bool(stale)
            pending += [(item, is_metadata) for item in node]
        elif isinstance(node, dict):
            for name, value in list(node.items()):
                if not is_metadata and name in _STRUCTURE:  # names and types stay
                    parts = value if isinstance(value, list) else [value]
                    pending += [(part, False) for part in parts if not isinstance(part, str)]
                elif is_same(name, value) or holds(name, values) or is_stale(value):
                    del node[name]
                    is_changed = True
                else:
                    pending.append((value, is_metadata or name in _METADATA_OBJECTS))
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")) if is_changed else text
