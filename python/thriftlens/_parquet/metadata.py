"""Copies of key/value metadata in a Parquet footer: the schemas that Arrow, Spark, pandas and Avro store beside the file's own."""

from __future__ import annotations

import json
from typing import Any, Iterable, Mapping, Optional, Sequence

from .arrow_metadata import BrokenSchema, changed_metadata

ARROW = "ARROW:schema"
JSON_SCHEMAS = ("org.apache.spark.sql.parquet.row.metadata", "pandas", "parquet.avro.schema", "avro.schema", "iceberg.schema")
_METADATA_OBJECTS = ("metadata", "attributes", "properties")  # members whose values are free
_TEXTS = ("comment", "doc")
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
    """What must change in the entries of the file, so that none holds a copy of these removed values."""
    keys = set(keys)
    current = {row["key"]: row.get("value") for row in rows}
    changes: Changes = {}
    for index, row in enumerate(rows):
        key, value = row["key"], row.get("value")
        if key in JSON_SCHEMAS and value:
            cleaned = _cleaned_json(value, keys, values)
            if cleaned != value:
                changes[index] = current[key] = cleaned
                keys.add(key)
    for index, row in enumerate(rows):
        if row["key"] == ARROW:
            value = row.get("value")
            cleaned = _cleaned_arrow(value, keys, values, current) if value else None
            if cleaned is None or cleaned != value:
                changes[index] = cleaned
    return changes


def holds(text: str, values: set[str]) -> bool:
    """Whether one of the values is in a text. Very short values are in texts that have nothing to do with them, and do not count."""
    return any(len(value) >= _SHORTEST and value in text for value in values)


def _cleaned_arrow(text: str, keys: set[str], values: set[str], current: Mapping[str, Optional[str]]) -> Optional[str]:
    """The schema with the metadata of the file as it is now, and without the values in its fields; None for one that cannot be read."""

    def keep(key: str, value: str, is_field: bool) -> Any:
        if is_field:
            return not holds(value, values) and not (key in keys and value in values)
        if key not in keys:
            return True
        replacement = current.get(key)
        return False if replacement is None else replacement

    try:
        return changed_metadata(text, keep)
    except BrokenSchema:
        return None


def _cleaned_json(text: str, keys: set[str], values: set[str]) -> Optional[str]:
    """The JSON without the values, and without members of these names, in the metadata of its parts; None for one that cannot be read."""
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return None if holds(text, values) else text
    is_changed = False
    pending = [(tree, False)]
    while pending:
        node, is_metadata = pending.pop()
        if isinstance(node, list):
            pending += [(item, is_metadata) for item in node]
        elif isinstance(node, dict):
            for name, value in list(node.items()):
                is_value = isinstance(value, str) and (is_metadata or name in _TEXTS) and holds(value, values)
                if is_value or (is_metadata and name in keys):
                    del node[name]
                    is_changed = True
                else:
                    pending.append((value, is_metadata or name in _METADATA_OBJECTS))
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")) if is_changed else text
