"""New names of columns in the copies of the schema that Arrow, Spark and pandas add to Parquet
footers."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Callable, Iterator, Mapping, Optional, Sequence

from .._typing import Value, Values
from .arrow_metadata import BrokenSchema, Field, renamed_fields
from .metadata import ARROW, Changes
from .tree import Node

Json = Value
_OPAQUE = ("parquet.avro.schema", "avro.schema", "iceberg.schema", "thrift.descriptor")
"""Copies that are removed if a name changes."""


def logical_fields(nodes: Sequence[Node], names: Mapping[int, Optional[str]]) -> list[Field]:
    """The fields of a schema; `names` has new names of nodes by their number in the schema."""
    children: defaultdict[int, list[Field]] = defaultdict(list)
    for node in reversed(nodes):
        kind, parts = _layout(node, children.pop(node.at, [])[::-1])
        is_repeated = node.element.get("repetition_type") == "REPEATED"
        field = Field(node.own, names.get(node.at, node.own), kind, parts, is_repeated)
        children[0 if node.group is None else node.group.at].append(field)
    return [*map(_as_list, children[0][::-1])]


def _layout(node: Node, children: list[Field]) -> tuple[str, list[Field]]:
    """Kind and children of a node, without the groups that encode lists and maps."""
    if node.is_leaf:
        return "value", []
    repeated = children[0] if len(children) == 1 and children[0].is_repeated else None
    if repeated is not None and node.is_map:
        return "map", [*repeated.children]
    if repeated is not None and node.is_list:
        is_element = len(repeated.children) != 1 or repeated.name in ("array", f"{node.own}_tuple")
        return "list", [repeated if is_element else repeated.children[0]]
    return "struct", [*map(_as_list, children)]


def _as_list(field: Field) -> Field:
    """A repeated field that no group annotates is a list of itself."""
    return Field(field.name, field.new_name, "list", [field]) if field.is_repeated else field


def changed_copies(rows: Sequence[Values], fields: Sequence[Field]) -> Changes:
    """New values of the entries with a schema; None for those that cannot be rewritten."""
    values = {row["key"]: row.get("value") for row in rows if row["key"] != ARROW}
    changes: Changes = {}
    for index, row in enumerate(rows):
        key, value = row["key"], row.get("value")
        if value and (key in _WRITERS or key in _OPAQUE):
            text = _rewritten(key, value, fields)
            if text != value:
                changes[index] = values[key] = text
    metadata = {key: value for key, value in values.items() if value is not None}
    for index, row in enumerate(rows):
        if row["key"] == ARROW:
            changes[index] = _renamed_arrow(row.get("value") or "", fields, metadata)
    return changes


def _renamed_arrow(
    text: str, fields: Sequence[Field], metadata: Mapping[str, str]
) -> Optional[str]:
    """The Arrow schema under the new names; None if it cannot be rewritten."""
    try:
        return renamed_fields(text, fields, metadata)
    except BrokenSchema:
        return None


def _rewritten(key: str, text: str, fields: Sequence[Field]) -> Optional[str]:
    """The copy under the new names; None if it cannot be rewritten."""
    if not any(field.is_changed for field in fields):
        return text
    try:
        tree = json.loads(text)
        _WRITERS[key](tree, fields)
        is_same = tree == json.loads(text)
        return text if is_same else json.dumps(tree, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _rename_in_spark(type: dict[str, Json], fields: Sequence[Field]) -> None:
    """Of a struct. Raises LookupError or ValueError for a copy that has other fields."""
    members = {member["name"]: member for member in type["fields"]}
    if len(members) != len(type["fields"]):
        raise ValueError("duplicate field name")
    for field in fields:
        if field.new_name is None:
            type["fields"].remove(members[field.name])
        elif field.is_changed:
            members[field.name]["name"] = field.new_name
            _rename_in_type(members[field.name]["type"], field)


def _rename_in_type(type: Json, field: Field) -> None:
    if not field.has_changes:
        return
    if type["type"] == field.kind == "struct":
        _rename_in_spark(type, field.children)
    elif type["type"] == "array" and field.kind == "list":
        _rename_in_type(type["elementType"], field.children[0])
    elif type["type"] == field.kind == "map":
        for member, child in zip(("keyType", "valueType"), field.children):
            _rename_in_type(type[member], child)
    else:
        raise ValueError(f"expected {field.kind}, found {type['type']}")


def _rename_in_pandas(tree: Json, fields: Sequence[Field]) -> None:
    names = {field.name: field.new_name for field in fields if field.new_name != field.name}
    indexes = [index for index in tree["index_columns"] if isinstance(index, str)]
    for column in [*tree["columns"]]:
        stored = column.get("field_name", column["name"])
        new_name = names.get(stored, stored)
        if new_name is None:
            tree["columns"].remove(column)
        elif new_name != stored:
            if stored not in indexes and not _are_text(tree.get("column_indexes", [])):
                raise ValueError("column labels are not strings")
            _rename_members(column, stored, new_name)
    tree["index_columns"] = list(_renamed_indexes(tree["index_columns"], names))


def _rename_members(column: Json, name: str, new_name: str) -> None:
    for key in ("name", "field_name"):
        if column.get(key) == name:
            column[key] = new_name


def _renamed_indexes(indexes: list[Json], names: dict[str, Optional[str]]) -> Iterator[Json]:
    """Indexes that are columns by their new names, without those that are removed."""
    for index in indexes:
        new_name = names.get(index, index) if isinstance(index, str) else index
        if new_name is not None:
            yield new_name


def _are_text(indexes: list[Json]) -> bool:
    texts = ("unicode", "string", "empty", "mixed")
    return len(indexes) < 2 and all(index.get("pandas_type") in texts for index in indexes)


_WRITERS: dict[str, Callable[[Json, Sequence[Field]], None]] = {
    "org.apache.spark.sql.parquet.row.metadata": _rename_in_spark,
    "pandas": _rename_in_pandas,
}
