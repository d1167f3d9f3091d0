"""Changes of Parquet footers, described by the methods of parquet.File. The functions return the
new bytes of the FileMetaData."""

from __future__ import annotations

from collections import Counter
from typing import Iterable, Iterator, Mapping, Optional, Sequence

from .. import _core
from .._errors import Error, UnknownNameError
from .._typing import Values
from .footer import Footer
from .metadata import Changes, is_copy, removed_entries, stale_copies
from .pages import Column, RowGroup
from .schema_copies import changed_copies, logical_fields
from .source import parquet_idl
from .tree import Name, Node

_ENTRIES = "key_value_metadata"
_NO_VALUES = """{ * -column_index_offset -column_index_length
  meta_data { * -statistics -geospatial_statistics -bloom_filter_offset -bloom_filter_length } }"""
"""A chunk without values of its column and without offsets of structures with values, whatever the
wire types of these fields: some writers have bloom_filter_length as i64."""
_NO_STATISTICS = f"{{ * row_groups {{ * columns {_NO_VALUES} }} }}"
_CHUNK_ENTRIES = "{ row_groups { columns { meta_data { key_value_metadata } } } }"


def set_key_value(footer: Footer, key: str, value: Optional[str]) -> bytes:
    row = {"key": key} if value is None else {"key": key, "value": value}
    matches = _entries_of(footer, key)
    edit = footer.edit()
    if matches:
        edit.set(f"$.{_ENTRIES}[{matches[-1]}]", row)
        for index in matches[:-1]:
            edit.erase(f"$.{_ENTRIES}[{index}]")
    elif footer.view.get(_ENTRIES) is not None:
        edit.append(f"$.{_ENTRIES}", row)
    else:
        edit.set(f"$.{_ENTRIES}", [row])
    return edit.apply()


def delete_key_value(footer: Footer, key: str) -> bytes:
    matches = _entries_of(footer, key)
    if not matches:
        raise UnknownNameError(f"no key {key!r} in the file's metadata", code="absent")
    edit = footer.edit()
    for index in matches:
        edit.erase(f"$.{_ENTRIES}[{index}]")
    return edit.apply()


def _entries_of(footer: Footer, key: str) -> list[int]:
    entries = footer.decoded(_ENTRIES)
    return [index for index, entry in enumerate(entries) if entry["key"] == key]


def rename(footer: Footer, column: Name, name: str) -> bytes:
    if not name:
        raise Error("a column's name cannot be empty", code="empty_value")
    node = footer.tree.node(column)
    path = (*node.path[:-1], name)
    if any(existing.path == path for existing in footer.tree.nodes()):
        raise Error(f"a column {'.'.join(path)!r} already exists", code="already_there")
    edit = footer.edit().set(f"$.schema[{node.at}].name", name)
    for leaf in range(node.first_leaf, node.last_leaf):
        edit.set(
            f"$.row_groups[*].columns[{leaf}].meta_data.path_in_schema[{len(node.path) - 1}]", name
        )
    _change_schema_copies(footer, edit, {node.at: name})
    return edit.apply()


def drop_statistics(footer: Footer, columns: Sequence[Name]) -> bytes:
    idl = parquet_idl()
    if not columns:
        return idl["FileMetaData"].trim(footer.unsigned(), _NO_STATISTICS, protocol="compact")
    edit = footer.edit()
    chunk_type = idl["ColumnChunk"]
    for node in footer.tree.named(columns, leaf=True):
        for chunk in Column(footer, node).chunks:
            data = chunk_type.trim(bytes(chunk.view), _NO_VALUES, protocol="compact")
            edit.set(chunk._path, chunk_type.view(data, protocol="compact"))
    return edit.apply()


def keep_columns(footer: Footer, columns: Sequence[Name]) -> bytes:
    nodes = footer.tree.named(columns)
    leaves = {leaf for node in nodes for leaf in range(node.first_leaf, node.last_leaf)}
    if not leaves:
        raise Error("cannot remove all columns", code="empty_value")
    _refuse_half_maps(footer, leaves)
    edit = footer.edit()
    removed_nodes = _keep_nodes(footer, edit, leaves)
    _keep_leaves(footer, edit, leaves)
    _change_schema_copies(footer, edit, dict.fromkeys(removed_nodes))
    return edit.apply()


def _keep_leaves(footer: Footer, edit: _core.Edit, leaves: set[int]) -> None:
    """Removes the chunks and the orders of other leaves."""
    groups = footer.num_row_groups()
    has_orders = footer.view.get("column_orders") is not None
    for leaf in range(len(footer.tree.leaves())):
        if leaf not in leaves and groups:
            edit.erase(f"$.row_groups[*].columns[{leaf}]")
        if leaf not in leaves and has_orders:
            edit.erase(f"$.column_orders[{leaf}]")
    for index in range(groups):
        _keep_sorting(edit, RowGroup(footer, index), sorted(leaves))


def _keep_nodes(footer: Footer, edit: _core.Edit, leaves: set[int]) -> list[int]:
    """Removes the nodes without these leaves from the schema. Returns their numbers."""
    removed: list[int] = []
    remaining: list[Node] = []
    for node in footer.tree.nodes():
        if leaves.isdisjoint(range(node.first_leaf, node.last_leaf)):
            removed.append(node.at)
        else:
            remaining.append(node)
    children = Counter(0 if node.group is None else node.group.at for node in remaining)
    for at in removed:
        edit.erase(f"$.schema[{at}]")
    edit.set("$.schema[0].num_children", children[0])
    for node in remaining:
        if node.at in children and children[node.at] != node.element["num_children"]:
            edit.set(f"$.schema[{node.at}].num_children", children[node.at])
    return removed


def _refuse_half_maps(footer: Footer, leaves: set[int]) -> None:
    """Raises an Error if the leaves contain only the keys or only the values of a map."""
    for node in footer.tree.nodes():
        pair = node.group
        if pair is None or not pair.is_pair:
            continue
        is_removed = leaves.isdisjoint(range(node.first_leaf, node.last_leaf))
        if is_removed and not leaves.isdisjoint(range(pair.first_leaf, pair.last_leaf)):
            raise Error(
                f"cannot remove {node.name!r}: keys and values of a map must stay together",
                code="broken_rule",
            )


def _keep_sorting(edit: _core.Edit, group: RowGroup, leaves: list[int]) -> None:
    """Updates the sort order: its first columns, as far as they remain, by their new numbers."""
    order = group.view.get("sorting_columns")
    if order is None:
        return
    retained = list(_remaining_order(order, leaves))
    path = f"$.row_groups[{group.index}].sorting_columns"
    if retained:
        edit.set(path, retained)
    else:
        edit.erase(path)


def _remaining_order(order: Iterable[Values], leaves: list[int]) -> Iterator[Values]:
    for entry in order:
        if entry["column_idx"] not in leaves:
            return
        yield {
            "column_idx": leaves.index(entry["column_idx"]),
            "descending": entry["descending"],
            "nulls_first": entry["nulls_first"],
        }


def keep_row_groups(footer: Footer, indices: Iterable[int]) -> bytes:
    count = footer.num_row_groups()
    retained = {_row_group_number(index, count) for index in indices}
    if not retained:
        raise Error("cannot remove all row groups", code="empty_value")
    rows = sum(RowGroup(footer, index).num_rows for index in retained)
    edit = footer.edit().set("$.num_rows", rows)
    for number in range(count):
        if number not in retained:
            edit.erase(f"$.row_groups[{number}]")
    return edit.apply()


def _row_group_number(index: int, count: int) -> int:
    if not -count <= index < count:
        raise IndexError(f"no row group {index}: the file has {count}")
    return range(count)[index]


def without_stale_copies(footer: Footer, old_entries: Iterable[Values]) -> Optional[bytes]:
    """The footer without copies of metadata entries that were removed; None if none was."""
    entries = footer.decoded(_ENTRIES)
    keys, values = removed_entries(old_entries, entries)
    if not keys:
        return None
    edit = footer.edit()
    _change_entries(edit, entries, stale_copies(entries, keys, values))
    for path in _chunk_entries(footer, keys, values):
        edit.erase(path)
    return edit.apply()


def _chunk_entries(footer: Footer, keys: set[str], values: set[str]) -> Iterator[str]:
    """Paths of the entries of column chunks that are copies."""
    for group_index, row_group in enumerate(footer.decoded_row_groups(_CHUNK_ENTRIES)):
        for column, chunk in enumerate(row_group.get("columns", ())):
            path = f"$.row_groups[{group_index}].columns[{column}].meta_data.{_ENTRIES}"
            for index, row in enumerate(chunk.get("meta_data", {}).get(_ENTRIES, ())):
                if is_copy(row["key"], row.get("value") or "", keys, values):
                    yield f"{path}[{index}]"


def _change_schema_copies(
    footer: Footer, edit: _core.Edit, names: Mapping[int, Optional[str]]
) -> None:
    """Applies new names of nodes, None to remove the node, to the copies of the schema."""
    rows = footer.decoded(_ENTRIES)
    fields = logical_fields(footer.tree.nodes(), names)
    _change_entries(edit, rows, changed_copies(rows, fields))


def _change_entries(edit: _core.Edit, rows: Sequence[Values], changes: Changes) -> None:
    for index, value in changes.items():
        if value is None:
            edit.erase(f"$.key_value_metadata[{index}]")
        else:
            edit.set(f"$.key_value_metadata[{index}]", {"key": rows[index]["key"], "value": value})
