"""Parquet footers: read fields by name and path, change them and write the footer back, without
touching the data.

>>> import thriftlens as tl
>>> tl.parquet.schema.FileMetaData.fields["num_rows"].id
3
"""

from __future__ import annotations

import datetime
import decimal
import itertools
import os
import struct
import uuid
from types import MappingProxyType
from typing import (
    IO,
    Any,
    Callable,
    Iterator,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    TypeVar,
    Union,
)

from . import _core
from ._core import View
from ._errors import DecodeError, Error, UnknownNameError, reworded
from ._parquet.metadata import Changes, Row, is_copy, removed_entries, stale_copies
from ._parquet.schema_copies import changed_copies, logical_fields
from ._records.files import replacing
from ._rpc.message import reason_of
from ._schema.loading import load
from ._schema.schemas import Schema
from ._text import did_you_mean

_MAGIC = b"PAR1"
_ENCRYPTED = b"PARE"
_TAIL = 8  # the footer's size, and the magic
_SIGNATURE = 28  # bytes after a plaintext footer that is signed: nonce and tag
_PIECE = 4096  # bytes of the first read of a page header

_Value = TypeVar("_Value")
Name = Union[str, int]
Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, IO[bytes]]

_loaded: list[Schema] = []


def _schema() -> Schema:
    if not _loaded:
        _loaded.append(load(os.path.join(os.path.dirname(__file__), "parquet.thrift")))
    return _loaded[0]


def __getattr__(name: str) -> Any:
    """`schema`: the Schema of the Thrift structs in Parquet files; loaded on first use."""
    if name == "schema":
        return _schema()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Statistics(NamedTuple):
    """Statistics of a column chunk or a page:

    Python values, None if not written. raw: the Statistics struct."""

    min: Any
    max: Any
    null_count: Optional[int]
    distinct_count: Optional[int]
    raw: Union[View, Mapping[str, Any], None] = None


_NO_VALUES = Statistics(None, None, None, None)


class _Node:
    """A node of the schema tree: its index in the list (`at`), its own name, its group, and its
    range of leaves."""

    __slots__ = (
        "at",
        "own",
        "group",
        "level",
        "is_leaf",
        "first_leaf",
        "last_leaf",
        "_begin",
        "_end",
        "_footer",
        "_base",
        "_element",
    )

    def __init__(
        self,
        footer: bytes,
        base: int,
        row: tuple[int, str, int, int, bool, int, int, int, int],
        ancestors: Sequence[_Node],
    ):
        (
            self.at,
            self.own,
            group,
            self.level,
            self.is_leaf,
            self.first_leaf,
            self.last_leaf,
            self._begin,
            self._end,
        ) = row
        self.group = ancestors[group] if group >= 0 else None
        self._footer, self._base = footer, base
        self._element: Optional[dict[str, Any]] = None

    @property
    def path(self) -> tuple[str, ...]:
        return (self.own,) if self.group is None else (*self.group.path, self.own)

    @property
    def name(self) -> str:
        return self.own if self.group is None else ".".join(self.path)

    @property
    def element(self) -> dict[str, Any]:
        """The SchemaElement, decoded on first use."""
        if self._element is None:
            data = self._footer[self._begin : self._end]
            try:
                self._element = _schema().SchemaElement.decode(
                    data,
                    protocol="compact",
                    enums="name",
                    invalid_utf8="replace",
                    missing_required="omit",
                )
            except DecodeError as error:
                raise _located(error, self._base + self._begin)
        return self._element

    def findings(self) -> Iterator[Error]:
        """Errors of the SchemaElement, including invalid UTF-8 in its name."""
        for finding in _schema().SchemaElement.findings(
            self._footer[self._begin : self._end], protocol="compact"
        ):
            path = f"$.schema[{self.at}]{(finding.path or '$')[1:]}"
            text = str(finding).split(" at $")[0]
            offset = None if finding.offset is None else self._base + self._begin + finding.offset
            yield DecodeError(
                f"{text} at {path} (byte {offset})", code=finding.code, path=path, offset=offset
            )

    @property
    def is_map(self) -> bool:
        return "MAP" in self.element.get("logicalType", ()) or self.element.get(
            "converted_type"
        ) in ("MAP", "MAP_KEY_VALUE")

    @property
    def is_pair(self) -> bool:
        """Whether it is the group of a map's key and value."""
        return self.element.get("repetition_type") == "REPEATED" and (
            self.is_map or (self.group is not None and self.group.is_map)
        )


class ByName(Mapping[str, _Value]):
    """Values by the dotted names of their columns, in the order of the file. If several columns
    have the same name, keys(), values() and items() contain all of them; a look-up by that name is
    an Error, by column number (from 0) it is not."""

    def __init__(self, rows: Sequence[tuple[str, _Value]]):
        self._rows = rows

    def __getitem__(self, name: Union[str, int]) -> _Value:
        if isinstance(name, int):
            return self._rows[name][1]
        numbers = [
            number for number, (column_name, _) in enumerate(self._rows) if column_name == name
        ]
        if not numbers:
            raise KeyError(name)
        if len(numbers) > 1:
            raise _ambiguous(name, [f"number {number}" for number in numbers])
        return self._rows[numbers[0]][1]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return any(column_name == name for column_name, _ in self._rows)

    def items(self) -> Any:
        """Pairs of name and value, one per column, including equal names."""
        return [*self._rows]

    def values(self) -> Any:
        """The values, one per column."""
        return [value for _, value in self._rows]

    def __repr__(self) -> str:
        return (
            repr(dict(self._rows)) if len(dict(self._rows)) == len(self._rows) else repr(self._rows)
        )


def _ambiguous(name: str, descriptions: Sequence[str]) -> Error:
    return Error(
        f"ambiguous name {name!r} of {len(descriptions)} columns: {', '.join(descriptions)}; use the column number",
        code="duplicate_field",
    )


class _Bytes:
    """The file: a path, opened by every use or once for a `with` block (of one thread), a file
    object, or bytes."""

    def __init__(self, source: Any):
        self.path: Optional[str] = (
            os.fspath(source) if isinstance(source, (str, os.PathLike)) else None
        )
        self._stream: Any = source if hasattr(source, "read") else None
        if hasattr(source, "encoding"):
            raise TypeError("expected a binary file; open it with mode 'rb'")
        self._data = (
            None
            if self.path is not None or self._stream is not None
            else memoryview(source).cast("B")
        )
        self._open_stream: Any = None
        self.size = 0
        self.identity: Optional[tuple[int, int]] = None
        """Device and number of the file at the path, when it was last opened."""

    def __enter__(self) -> _Bytes:
        if self.path is not None:
            self._open_stream = open_file(self.path, "rb", buffering=0)
            self.identity = identity_of(self._open_stream)
        self.size = self._size()
        return self

    def __exit__(self, *_: Any) -> None:
        if self._open_stream is not None:
            self._open_stream.close()
            self._open_stream = None

    def _size(self) -> int:
        if self._open_stream is not None:
            return os.fstat(self._open_stream.fileno()).st_size
        return len(self._data) if self._data is not None else int(self._stream.seek(0, os.SEEK_END))

    def at(self, offset: int, size: int) -> bytes:
        """`size` bytes at `offset`; fewer at the end of the file."""
        if self._data is not None:
            return bytes(self._data[offset : offset + size])
        if self._stream is not None:
            self._stream.seek(offset)
            return bytes(self._stream.read(size))
        if self._open_stream is not None:
            return _read(self._open_stream, offset, size)
        assert self.path is not None
        with open_file(self.path, "rb", buffering=0) as stream:
            return _read(stream, offset, size)


open_file = open


def identity_of(stream: Any) -> tuple[int, int]:
    """Device and number of an open file."""
    status = os.fstat(stream.fileno())
    return status.st_dev, status.st_ino


def _read(stream: Any, offset: int, size: int) -> bytes:
    """`size` bytes of an unbuffered file; fewer at its end."""
    stream.seek(offset)
    data: bytes = stream.read(size)
    while len(data) < size:
        chunk = stream.read(size - len(data))
        if not chunk:
            break
        data += chunk
    return data


class File:
    """The footer of a Parquet file. Reads only the end of the file, and more only for pages,
    indexes and Bloom filters.

    footer: its bytes, in Compact. footer_offset: their offset. view: their FileMetaData. num_rows,
    version, created_by: its fields. Changes (set_key_value, rename, …) apply to the footer in
        memory; save() writes it."""

    def __init__(self, source: Source):
        self._bytes = _Bytes(source)
        with self._bytes:
            self.footer, self._signature, self.footer_offset = _footer_of(self._bytes)
        self._save_identity()
        self._reset_caches()

    def _save_identity(self) -> None:
        """Saves the identity of the file as it was read or written."""
        self._saved = self._bytes.identity, self._bytes.size, self._tail()

    def _check_identity(self, size: int, identity: Optional[tuple[int, int]], tail: bytes) -> None:
        """Raises an Error if the file changed since it was opened: this footer does not match its
        data."""
        if (identity, size, tail) != self._saved:
            raise Error("the file changed since it was opened; open it again", code="edit_conflict")

    def _check_unchanged(self) -> None:
        with self._bytes as data:
            self._check_identity(
                data.size, data.identity, data.at(self.footer_offset, len(self._saved[2]))
            )

    def _reset_caches(self) -> None:
        self._nodes: Optional[list[_Node]] = None
        self._key_value: Optional[dict[str, Optional[str]]] = None
        self.view = _schema().FileMetaData.view(self.footer, protocol="compact")

    def __repr__(self) -> str:
        source = self._bytes.path or "bytes"
        return f"<thriftlens.parquet.File {source}: {self.num_rows} rows, {len(self.columns)} columns, {len(self.row_groups)} row groups>"

    @property
    def num_rows(self) -> int:
        """The number of rows of all row groups. DecodeError if the footer lacks it."""
        return int(self._required("num_rows"))

    @property
    def version(self) -> int:
        """The version of the format. DecodeError if the footer lacks it."""
        return int(self._required("version"))

    def _required(self, field: str) -> Any:
        try:
            return self.view[field]
        except Error as error:
            raise _located(error, self.footer_offset)

    @property
    def created_by(self) -> Optional[str]:
        """The name and version of the writer; None if the footer lacks it."""
        value: Optional[str] = self.view.get("created_by")
        return value

    @property
    def key_value(self) -> Mapping[str, Optional[str]]:
        """The key/value metadata of the file. The last entry of a duplicate key counts."""
        if self._key_value is None:
            self._key_value = {
                entry["key"]: entry.get("value") for entry in self._decoded("key_value_metadata")
            }
        return MappingProxyType(self._key_value)

    @property
    def columns(self) -> Mapping[str, Column]:
        """The leaves of the schema by dotted path or number, in the order of the file."""
        return ByName([(node.name, Column(self, node)) for node in self._tree() if node.is_leaf])

    @property
    def row_groups(self) -> Sequence[RowGroup]:
        """The row groups, in the order of the footer."""
        return [RowGroup(self, index) for index in range(len(self._required("row_groups")))]

    def tree(self) -> str:
        """The schema as text, one line per node."""
        lines = []
        for node in self._tree():
            kind = str(node.element.get("type", "?")).lower() if node.is_leaf else "group"
            logical = next(iter(node.element.get("logicalType", ())), None) or node.element.get(
                "converted_type"
            )
            mode = str(node.element.get("repetition_type", "REQUIRED")).lower()
            lines.append(
                "  " * node.level
                + f"{mode} {kind} {node.own}"
                + (f" ({logical})" if logical else "")
            )
        return "\n".join(lines) + "\n"

    def validate(self) -> None:
        """Raises the first error in the footer, a DecodeError; offsets count in the file."""
        for finding in self.findings(most=1):
            raise finding

    def findings(self, most: int = 64) -> list[Error]:
        """The errors in the footer, including offsets outside the file: at most `most` errors with
        code, path and offset, not raised; [] without errors."""
        errors = [
            _located(finding, self.footer_offset)
            for finding in _schema().FileMetaData.findings(
                self.footer, protocol="compact", invalid_utf8="keep", most=most
            )
        ]
        return errors or list(itertools.islice(self._inconsistencies(), most))

    def statistics(self, *columns: Name) -> Mapping[str, list[Statistics]]:
        """The statistics of these columns, or all, per row group, in one pass over the footer.

        Columns are named by dotted path or number."""
        selected_columns = [
            Column(self, node)
            for node in (self._named(columns, leaf=True) if columns else self._tree())
            if node.is_leaf
        ]
        groups = range(len(self._required("row_groups")))
        paths = [
            f"$.row_groups[{group}].columns[{column.index}].meta_data.statistics"
            for column in selected_columns
            for group in groups
        ]
        try:
            values = iter(_schema().FileMetaData.get_many(self.footer, paths, protocol="compact"))
        except DecodeError as error:
            raise _located(error, self.footer_offset)
        return ByName(
            [
                (
                    column.name,
                    [
                        column._statistics_of(next(values) or self._check_chunk(column, group))
                        for group in groups
                    ],
                )
                for column in selected_columns
            ]
        )

    def _check_chunk(self, column: Column, group: int) -> Any:
        """Returns None. DecodeError if the row group lacks the column."""
        if column.index >= len(self.view["row_groups"][group]["columns"]):
            path = f"$.row_groups[{group}].columns[{column.index}]"
            raise DecodeError(
                f"row group {group} has no column {column.name!r}",
                code="broken_rule",
                path=path,
                offset=self.footer_offset,
            )
        return None

    def column(self, name: Name) -> Column:
        """A column by dotted path or number.

        UnknownNameError if it does not exist, Error if the name is ambiguous."""
        return Column(self, self._node(name, leaf=True))

    # Changes.

    def set_key_value(self, key: str, value: Optional[str]) -> None:
        """Sets an entry of the key/value metadata; other entries are copied unchanged. Duplicate
        entries of the key are removed, and copies of the old value in the schemas of Arrow, Spark,
        pandas and Avro are replaced or removed."""
        row = {"key": key} if value is None else {"key": key, "value": value}
        matches = [
            index
            for index, entry in enumerate(self._decoded("key_value_metadata"))
            if entry["key"] == key
        ]
        edit = self._edit()
        if matches:
            edit.set(f"$.key_value_metadata[{matches[-1]}]", row)
            for index in matches[:-1]:
                edit.erase(f"$.key_value_metadata[{index}]")
        elif self.view.get("key_value_metadata") is not None:
            edit.append("$.key_value_metadata", row)
        else:
            edit.set("$.key_value_metadata", [row])
        self._apply(edit.apply())

    def delete_key_value(self, key: str) -> None:
        """Removes all entries of the key, and copies of their values in the schemas of Arrow,
        Spark, pandas and Avro. UnknownNameError if there is no such key."""
        entry_keys = [entry["key"] for entry in self._decoded("key_value_metadata")]
        if key not in entry_keys:
            raise UnknownNameError(f"no key {key!r} in the file's metadata", code="absent")
        edit = self._edit()
        for index, entry in enumerate(entry_keys):
            if entry == key:
                edit.erase(f"$.key_value_metadata[{index}]")
        self._apply(edit.apply())

    def rename(self, column: Name, name: str) -> None:
        """Changes the last name of a column or group, also in the copies of the schema that Arrow,
        Spark and pandas add to the metadata; a copy that cannot be changed is removed.
        UnknownNameError if there is no such column; Error if the name is taken or empty."""
        if not name:
            raise Error("a column's name cannot be empty", code="empty_value")
        node = self._node(column)
        if any(existing.path == (*node.path[:-1], name) for existing in self._tree()):
            raise Error(
                f"a column {'.'.join((*node.path[:-1], name))!r} exists already",
                code="already_there",
            )
        edit = self._edit().set(f"$.schema[{node.at}].name", name)
        for leaf in range(node.first_leaf, node.last_leaf):
            edit.set(
                f"$.row_groups[*].columns[{leaf}].meta_data.path_in_schema[{len(node.path) - 1}]",
                name,
            )
        self._change_copies(edit, {node.at: name})
        self._apply(edit.apply())

    def drop_statistics(self, *columns: Name) -> None:
        """Removes the statistics of these columns, or of all, from the footer, and the offsets of
        their page indexes and Bloom filters, which also contain values. The indexes and filters
        themselves stay in the file, unreferenced."""
        if not columns:
            self._apply(
                _schema().FileMetaData.trim(self._unsigned(), _NO_STATISTICS, protocol="compact")
            )
            return
        edit = self._edit()
        for node in self._named(columns, leaf=True):
            for chunk in Column(self, node).chunks:
                for path in chunk._value_paths():
                    edit.erase(path)
        self._apply(edit.apply())

    def redact(self, **rules: Any) -> None:
        """Applies rules of Type.redact to the footer: paths={"$.created_by": "drop"}."""
        self._apply(
            _schema().FileMetaData.redact(
                self._unsigned(), unknown="keep", protocol="compact", **rules
            )
        )

    def keep_columns(self, *columns: Name) -> None:
        """Removes all other columns from the footer and, like rename(), from copies of the schema.
        The name of a group keeps all its columns. The data of removed columns stays in the file.
        Error if only the keys or only the values of a map would remain, which engines do not read
        as a map."""
        nodes = [self._node(column) for column in columns]
        leaves = {leaf for node in nodes for leaf in range(node.first_leaf, node.last_leaf)}
        if not leaves:
            raise Error("cannot remove all columns", code="empty_value")
        self._refuse_half_maps(leaves)
        edit = self._edit()
        changed_names: dict[int, Optional[str]] = {}
        children: dict[int, int] = {}  # by the index of the group in the schema
        for node in self._tree():
            if leaves.isdisjoint(range(node.first_leaf, node.last_leaf)):
                edit.erase(f"$.schema[{node.at}]")
                changed_names[node.at] = None
            else:
                parent = 0 if node.group is None else node.group.at
                children[parent] = children.get(parent, 0) + 1
        edit.set("$.schema[0].num_children", children[0])
        for node in self._tree():
            if node.at in children and children[node.at] != node.element["num_children"]:
                edit.set(f"$.schema[{node.at}].num_children", children[node.at])
        removed_leaves = [leaf for leaf in range(len(self.columns)) if leaf not in leaves]
        has_orders = self.view.get("column_orders") is not None
        for leaf in removed_leaves if self.row_groups else ():
            edit.erase(f"$.row_groups[*].columns[{leaf}]")
        for leaf in removed_leaves if has_orders else ():
            edit.erase(f"$.column_orders[{leaf}]")
        for group in self.row_groups:
            self._keep_sorting(edit, group, sorted(leaves))
        self._change_copies(edit, changed_names)
        self._apply(edit.apply())

    def _refuse_half_maps(self, leaves: set[int]) -> None:
        """Raises an Error if the leaves contain only the keys or only the values of a map."""
        for node in self._tree():
            pair = node.group
            if (
                pair is None
                or not pair.is_pair
                or not leaves.isdisjoint(range(node.first_leaf, node.last_leaf))
            ):
                continue
            if not leaves.isdisjoint(range(pair.first_leaf, pair.last_leaf)):
                raise Error(
                    f"cannot remove {node.name!r}: keys and values of a map must stay together",
                    code="broken_rule",
                )

    def keep_row_groups(self, *indices: int) -> None:
        """Removes all other row groups from the footer and updates num_rows."""
        groups = self.row_groups
        for index in indices:
            if not -len(groups) <= index < len(groups):
                raise IndexError(f"no row group {index}: the file has {len(groups)}")
        retained = {range(len(groups))[index] for index in indices}
        if not retained:
            raise Error("cannot remove all row groups", code="empty_value")
        edit = self._edit().set("$.num_rows", sum(groups[index].num_rows for index in retained))
        for number in range(len(groups)):
            if number not in retained:
                edit.erase(f"$.row_groups[{number}]")
        self._apply(edit.apply())

    def save(
        self, path: Union[str, os.PathLike[str], None] = None, *, atomic: bool = False
    ) -> None:
        """Writes the footer over the old one and truncates the file after it; with `path` or
        atomic=True, writes a complete new file and renames it. Without atomic=True, a power failure
        during the write can leave a file without footer. Error (edit_conflict), with nothing
        written, if the file changed since it was opened."""
        tail = self._tail()
        if path is None and self._bytes.path is None:
            raise ValueError("save() needs a path: the footer was not opened from a path")
        if path is None and not atomic:
            assert self._bytes.path is not None
            with open_file(self._bytes.path, "r+b") as stream:
                size = os.fstat(stream.fileno()).st_size
                self._check_identity(
                    size,
                    identity_of(stream),
                    _read(stream, self.footer_offset, len(self._saved[2])),
                )
                stream.seek(self.footer_offset)
                stream.write(tail)
                stream.truncate()
        else:
            with replacing(os.fspath(path if path is not None else self._bytes.path or "")) as new:
                self._write_to(new.write)
        if path is None or os.fspath(path) == self._bytes.path:
            with self._bytes:
                pass
            self._save_identity()

    def to_bytes(self) -> bytes:
        """The complete file with the changed footer.

        Error (edit_conflict) if the file changed since it was opened."""
        self._check_unchanged()
        return self._bytes.at(0, self.footer_offset) + self._tail()

    def _write_to(self, write: Callable[[bytes], object]) -> None:
        """Writes the complete file with the changed footer, in pieces."""
        self._check_unchanged()
        for offset in range(0, self.footer_offset, 1 << 20):
            write(self._bytes.at(offset, min(1 << 20, self.footer_offset - offset)))
        write(self._tail())

    def _edit(self) -> _core.Edit:
        edit: _core.Edit = _schema().FileMetaData.edit(self._unsigned(), protocol="compact")
        return edit

    def _unsigned(self) -> bytes:
        """The footer, for changes. Error if it is signed."""
        if self._signature:
            raise Error(
                "the footer is signed, and a change would break its signature", code="edit_conflict"
            )
        return self.footer

    def _tail(self) -> bytes:
        """The bytes after the data: footer, size and magic."""
        footer = self.footer + self._signature
        return footer + struct.pack("<I", len(footer)) + _MAGIC

    def _apply(self, footer: bytes) -> None:
        old_entries = self._decoded("key_value_metadata")
        self.footer = footer
        self._reset_caches()
        self._remove_stale_copies(old_entries)

    def _change_copies(self, edit: _core.Edit, names: Mapping[int, Optional[str]]) -> None:
        """Applies new names of nodes, None to remove the node, to the copies of the schema."""
        rows = self._decoded("key_value_metadata")
        _change_entries(edit, rows, changed_copies(rows, logical_fields(self._tree(), names)))

    def _remove_stale_copies(self, old_entries: list[dict[str, Any]]) -> None:
        """Removes the copies of metadata entries that were removed."""
        entries = self._decoded("key_value_metadata")
        keys, values = removed_entries(old_entries, entries)
        if not keys:
            return
        edit = self._edit()
        _change_entries(edit, entries, stale_copies(entries, keys, values))
        for path in self._chunk_entries(keys, values):
            edit.erase(path)
        self.footer = edit.apply()
        self._reset_caches()

    def _chunk_entries(self, keys: set[str], values: set[str]) -> Iterator[str]:
        """Paths of the entries of column chunks that are copies."""
        metadata_type = _schema().FileMetaData
        trimmed = metadata_type.trim(
            self.footer,
            "{ row_groups { columns { meta_data { key_value_metadata } } } }",
            protocol="compact",
        )
        groups = metadata_type.decode(
            trimmed, protocol="compact", missing_required="omit", invalid_utf8="replace"
        ).get("row_groups", ())
        for group_index, row_group in enumerate(groups):
            for column, chunk in enumerate(row_group.get("columns", ())):
                for index, row in enumerate(
                    chunk.get("meta_data", {}).get("key_value_metadata", ())
                ):
                    if is_copy(row["key"], row.get("value") or "", keys, values):
                        yield f"$.row_groups[{group_index}].columns[{column}].meta_data.key_value_metadata[{index}]"

    def _keep_sorting(self, edit: _core.Edit, group: RowGroup, leaves: list[int]) -> None:
        """Updates the sort order: its first columns, as far as they remain, by their new
        numbers."""
        order = group.view.get("sorting_columns")
        if order is None:
            return
        retained = list(_remaining_order(order, leaves))
        path = f"$.row_groups[{group.index}].sorting_columns"
        if retained:
            edit.set(path, retained)
        else:
            edit.erase(path)

    def _decoded(self, field: str) -> list[dict[str, Any]]:
        """A list field of the footer, decoded; empty if it is absent."""
        value = self.view.get(field)
        if value is None:
            return []
        type_ = _schema().FileMetaData.fields[field].type
        entries: list[dict[str, Any]] = type_.decode(
            bytes(value), protocol="compact", enums="name", invalid_utf8="replace"
        )
        return entries

    def _tree(self) -> list[_Node]:
        if self._nodes is None:
            self._nodes = self._read_nodes(None)
        return self._nodes

    def _read_nodes(self, names: Optional[tuple[str, ...]]) -> list[_Node]:
        """All nodes of the schema, or those with these names and their groups."""
        try:
            rows = _core.parquet_nodes(self.footer, names)
        except DecodeError as error:
            raise _located(error, self.footer_offset)
        nodes: list[_Node] = []
        for row in rows:
            nodes.append(_Node(self.footer, self.footer_offset, row, nodes))
        return nodes

    def _named(self, names: Sequence[Name], leaf: bool = False) -> list[_Node]:
        """The nodes by name or leaf number.

        UnknownNameError if there is none, Error if a name is ambiguous."""
        texts = tuple(name for name in names if isinstance(name, str))
        nodes = (
            self._nodes
            if self._nodes is not None
            else self._read_nodes(texts if len(texts) == len(names) else None)
        )
        matches: dict[Name, list[_Node]] = {}
        for node in nodes:
            if node.is_leaf:
                matches[node.first_leaf] = [node]
            if node.is_leaf or not leaf:
                matches.setdefault(node.name, []).append(node)
        for name in names:
            if name not in matches:
                raise self._unknown(name)
            if len(matches[name]) > 1:
                raise _ambiguous(str(name), [_describe_node(node) for node in matches[name]])
        return [matches[name][0] for name in names]

    def _node(self, name: Name, leaf: bool = False) -> _Node:
        return self._named([name], leaf)[0]

    def _unknown(self, name: Name) -> UnknownNameError:
        if isinstance(name, int):
            return UnknownNameError(
                f"no column number {name}: the file has {len(self.columns)}", code="no_such_field"
            )
        group = next((node for node in self._tree() if node.name == name), None)
        if group is not None:
            columns = [
                node.name
                for node in self._tree()
                if node.is_leaf and group.first_leaf <= node.first_leaf < group.last_leaf
            ]
            return UnknownNameError(
                f"{name!r} is a group; its columns are {', '.join(columns[:8])}{', …' if columns[8:] else ''}",
                code="no_such_field",
            )
        suggestion = did_you_mean(name, [node.name for node in self._tree()])
        return UnknownNameError(f"no column {name!r} in the file{suggestion}", code="no_such_field")

    def _inconsistencies(self) -> Iterator[Error]:
        """Inconsistencies in the footer: names that are not UTF-8 or not in the schema, counts that
        are negative or do not add up, row groups with another number of columns than the schema,
        and data outside the file."""
        for node in self._tree():
            yield from node.findings()
        leaves = [node for node in self._tree() if node.is_leaf]
        rows = 0
        for group_index, row_group in enumerate(self._chunk_locations()):
            path, chunks = f"$.row_groups[{group_index}]", row_group["columns"]
            rows += row_group["num_rows"]
            if row_group["num_rows"] < 0:
                yield self._rule_error(
                    f"row group {group_index} has {row_group['num_rows']} rows", f"{path}.num_rows"
                )
            if len(chunks) != len(leaves):
                yield self._rule_error(
                    f"row group {group_index} has {len(chunks)} columns, the schema {len(leaves)}",
                    f"{path}.columns",
                )
            for index, (leaf, chunk) in enumerate(zip(leaves, chunks)):
                for text in self._chunk_errors(chunk, leaf):
                    yield self._rule_error(text, f"{path}.columns[{index}]")
        if rows != self.num_rows:
            yield self._rule_error(
                f"the row groups have {rows} rows, the file {self.num_rows}", "$.num_rows"
            )

    def _chunk_errors(self, chunk: Mapping[str, Any], leaf: _Node) -> Iterator[str]:
        """Error texts of a column chunk."""
        meta = chunk.get("meta_data")
        if "file_path" in chunk or (meta is None and "crypto_metadata" in chunk):
            return  # in another file, or encrypted
        if meta is None:
            yield f"column {leaf.name!r} has no metadata"
            return
        if meta["num_values"] < 0:
            yield f"column {leaf.name!r} has {meta['num_values']} values"
        if tuple(meta["path_in_schema"]) != leaf.path:
            yield f"column {leaf.name!r} has the path {'.'.join(meta['path_in_schema'])!r}"
        begin, size = _extent_of(meta)
        if begin == size == 0:
            return  # a chunk without pages, as Arrow writes for empty row groups
        if not 4 <= begin <= begin + size <= self.footer_offset:
            yield f"column {leaf.name!r} is outside the data: bytes {begin} to {begin + size}, expected 4 to {self.footer_offset}"

    def _rule_error(self, text: str, path: str) -> DecodeError:
        return DecodeError(text, code="broken_rule", path=path, offset=self.footer_offset)

    def _chunk_locations(self) -> list[dict[str, Any]]:
        """Row groups with their number of rows, and column, location and compression of their
        column chunks."""
        metadata_type = _schema().FileMetaData
        trimmed = metadata_type.trim(self.footer, _CHUNK_FIELDS, protocol="compact")
        groups: list[dict[str, Any]] = metadata_type.decode(
            trimmed, protocol="compact", missing_required="omit", invalid_utf8="replace"
        )["row_groups"]
        return groups


_NO_STATISTICS = """{ * row_groups { * columns { * -column_index_offset -column_index_length
  meta_data { * -statistics -geospatial_statistics -bloom_filter_offset -bloom_filter_length } } } }"""
_CHUNK_FIELDS = """{ row_groups { num_rows columns { file_path crypto_metadata
  meta_data { path_in_schema codec num_values total_compressed_size data_page_offset dictionary_page_offset } } } }"""


def _change_entries(edit: _core.Edit, rows: Sequence[Row], changes: Changes) -> None:
    for index, value in changes.items():
        if value is None:
            edit.erase(f"$.key_value_metadata[{index}]")
        else:
            edit.set(f"$.key_value_metadata[{index}]", {"key": rows[index]["key"], "value": value})


def _has_field(view: View, name: str) -> bool:
    """Whether a field is present, with any type: writers differ in the types of newer fields."""
    try:
        return view.get(name) is not None
    except DecodeError:
        return True


def _describe_node(node: _Node) -> str:
    """The numbers of a node, to distinguish nodes of the same name."""
    return (
        f"number {node.first_leaf}"
        if node.is_leaf
        else f"the group of numbers {node.first_leaf} to {node.last_leaf - 1}"
    )


def _extent_of(meta: Any) -> tuple[int, int]:
    """Offset and size of a column chunk."""
    offsets = [int(meta["data_page_offset"]), meta.get("dictionary_page_offset") or 0]
    return min(offset for offset in offsets if offset) if any(offsets) else 0, int(
        meta["total_compressed_size"]
    )


def _remaining_order(order: Any, leaves: list[int]) -> Iterator[dict[str, Any]]:
    for entry in order:
        if entry["column_idx"] not in leaves:
            return
        yield {
            "column_idx": leaves.index(entry["column_idx"]),
            "descending": entry["descending"],
            "nulls_first": entry["nulls_first"],
        }


class Column:
    """A leaf of the schema: name, index among the leaves, and SchemaElement (`element`)."""

    def __init__(self, file: File, node: _Node):
        self.file = file
        self.name = node.name
        self.index = node.first_leaf
        self._node = node
        self._converter: Optional[Callable[[bytes], Any]] = None

    @property
    def element(self) -> Mapping[str, Any]:
        """Its SchemaElement, with enums by name."""
        return self._node.element

    def __repr__(self) -> str:
        return f"<thriftlens.parquet.Column {self.name}: {self.element.get('type', '?')}>"

    @property
    def chunks(self) -> list[Chunk]:
        """The column chunks, one per row group."""
        return [Chunk(self, group) for group in range(len(self.file.view["row_groups"]))]

    def statistics(self) -> list[Statistics]:
        """The statistics per row group."""
        return self.file.statistics(self.index)[0]  # type: ignore[index]

    def _statistics_of(self, raw: Any) -> Statistics:
        if raw is None:
            return _NO_VALUES
        minimum, maximum = raw.get("min_value"), raw.get("max_value")
        if minimum is None and maximum is None and _is_signed_order(self.element):
            minimum, maximum = raw.get("min"), raw.get("max")
        convert = self._converter
        if convert is None:
            convert = self._converter = _converter_of(self.element)
        minimum = None if minimum is None else convert(bytes(minimum))
        maximum = None if maximum is None else convert(bytes(maximum))
        return Statistics(minimum, maximum, raw.get("null_count"), raw.get("distinct_count"), raw)


class RowGroup:
    """Row group `index`: view, num_rows, and its chunks by column."""

    def __init__(self, file: File, index: int):
        self.file = file
        self.index = index
        self.view = file.view["row_groups"][index]

    def __repr__(self) -> str:
        return f"<thriftlens.parquet.RowGroup {self.index}: {self.num_rows} rows>"

    @property
    def num_rows(self) -> int:
        """The number of rows in this group."""
        return int(self.view["num_rows"])

    @property
    def columns(self) -> Mapping[str, Chunk]:
        """The column chunks by the dotted path or number of their column."""
        return ByName(
            [(name, Chunk(column, self.index)) for name, column in self.file.columns.items()]
        )


class Page(NamedTuple):
    """The header of a page, and the offsets of header and data in the file."""

    offset: int
    data_offset: int
    header: View


class Chunk:
    """A column chunk: the part of a column in a row group. view: its ColumnChunk."""

    def __init__(self, column: Column, group: int):
        self.column = column
        self.group = group
        self._path = f"$.row_groups[{group}].columns[{column.index}]"

    def __repr__(self) -> str:
        return f"<thriftlens.parquet.Chunk {self.column.name} of row group {self.group}>"

    @property
    def view(self) -> View:
        """The ColumnChunk in the footer."""
        return self.column.file.view["row_groups"][self.group]["columns"][self.column.index]  # type: ignore[no-any-return]

    @property
    def statistics(self) -> Statistics:
        """Bounds and counts of the values; None for missing fields."""
        meta = self.view.get("meta_data")
        return self.column._statistics_of(None if meta is None else meta.get("statistics"))

    def offset_index(self) -> Optional[View]:
        """The locations of the pages; None if the file has no offset index."""
        return self._part(
            "OffsetIndex",
            self.view.get("offset_index_offset"),
            self.view.get("offset_index_length"),
        )

    def column_index(self) -> Optional[View]:
        """Minimum and maximum value per page; None if the file has no column index."""
        return self._part(
            "ColumnIndex",
            self.view.get("column_index_offset"),
            self.view.get("column_index_length"),
        )

    def bloom_filter(self) -> Optional[View]:
        """The header of its Bloom filter; None without one."""
        offset = self._meta().get("bloom_filter_offset")
        if offset is None:
            return None
        self._require_plain()
        return self._struct("BloomFilterHeader", offset)[0]

    def pages(self) -> Iterator[Page]:
        """Iterates over the headers of its pages, without reading their data."""
        self._require_plain()
        position, size = _extent_of(self._meta())
        end = position + size
        while position < end:
            header, data_offset = self._struct("PageHeader", position)
            yield Page(position, data_offset, header)
            position = data_offset + max(int(header["compressed_page_size"]), 0)

    def _value_paths(self) -> Iterator[str]:
        """Paths of fields that contain values of the column or offsets of structures with
        values."""
        view = self.view
        for name in ("column_index_offset", "column_index_length"):
            if _has_field(view, name):
                yield f"{self._path}.{name}"
        meta = view.get("meta_data")
        for name in (
            ("statistics", "geospatial_statistics", "bloom_filter_offset", "bloom_filter_length")
            if meta is not None
            else ()
        ):
            if _has_field(meta, name):
                yield f"{self._path}.meta_data.{name}"

    @property
    def is_encrypted(self) -> bool:
        """Whether the pages and indexes of the column, and most of its metadata, are encrypted."""
        return self.view.get("crypto_metadata") is not None

    def _meta(self) -> View:
        meta: Optional[View] = self.view.get("meta_data")
        if meta is None:
            reason = "it is encrypted" if self.is_encrypted else "the footer has none"
            raise DecodeError(
                f"no metadata of {self.column.name!r} in row group {self.group}: {reason}",
                code="absent",
                path=f"{self._path}.meta_data",
            )
        return meta

    def _require_plain(self) -> None:
        """Raises an Error if the data is encrypted or in another file."""
        if self.is_encrypted:
            raise DecodeError(
                f"the column {self.column.name!r} is encrypted", code="bad_frame", path=self._path
            )
        elsewhere = self.view.get("file_path")
        if elsewhere is not None:
            raise DecodeError(
                f"the data of {self.column.name!r} is in another file: {elsewhere}",
                code="absent",
                path=f"{self._path}.file_path",
            )

    def _part(self, type_name: str, offset: Optional[int], size: Optional[int]) -> Optional[View]:
        if offset is None or size is None:
            return None
        self._require_plain()
        file = self.column.file
        if not 0 <= offset <= offset + size <= file.footer_offset:
            raise DecodeError(
                f"the {type_name} of {self.column.name!r} is outside the file",
                code="truncated",
                offset=offset,
                path=self._path,
            )
        view: View = _schema()[type_name].view(file._bytes.at(offset, size), protocol="compact")
        return view

    def _struct(self, type_name: str, offset: int) -> tuple[View, int]:
        """The struct at an offset in the file, and the offset after it."""
        file, size = self.column.file, _PIECE
        if not 0 <= offset < file.footer_offset:
            raise DecodeError(
                f"the {type_name} of {self.column.name!r} is outside the file",
                code="truncated",
                offset=offset,
                path=self._path,
            )
        while True:
            data = file._bytes.at(offset, min(size, file.footer_offset - offset))
            rows, _, _, error, _ = _core.cut_records(
                data, protocol="compact", count=1, offset=offset
            )
            if rows:
                end = rows[0][1]
                return _schema()[type_name].view(data[:end], protocol="compact"), offset + end
            if error is not None and (error.code != "truncated" or len(data) < size):
                text = (
                    f"{type_name} of {self.column.name!r}: {reason_of(error)} (byte {error.offset})"
                )
                raise DecodeError(text, code=error.code, offset=error.offset, path=self._path)
            size *= 4


def open(source: Source) -> File:  # noqa: A001
    """Opens the footer of a Parquet file. Reads only the end of the file.

    source: a path, bytes, or a seekable file object.

    Errors: DecodeError if it is not a Parquet file, is truncated, or has an encrypted footer.

    >>> import io, pyarrow, pyarrow.parquet
    >>> import thriftlens as tl
    >>> written = io.BytesIO()
    >>> pyarrow.parquet.write_table(pyarrow.table({"id": [1, 2], "name": ["a", "b"]}), written)
    >>> file = tl.parquet.open(written.getvalue())
    >>> file.num_rows, list(file.columns)
    (2, ['id', 'name'])
    >>> [group.max for group in file.statistics("id")["id"]]
    [2]
    >>> file.drop_statistics()
    >>> pyarrow.parquet.read_metadata(io.BytesIO(file.to_bytes())).row_group(0).column(0).statistics is None
    True
    """
    return File(source)


def _footer_of(data: _Bytes) -> tuple[bytes, bytes, int]:
    """The bytes of the footer, the signature after them, and the offset of the footer."""
    size = data.size
    if size < len(_MAGIC) + _TAIL:
        raise DecodeError(f"not a Parquet file: {size} bytes", code="truncated", offset=size)
    tail = data.at(size - _TAIL, _TAIL)
    if len(tail) < _TAIL:
        raise DecodeError("the file was truncated while it was read", code="truncated", offset=size)
    length, magic = struct.unpack("<I", tail[:4])[0], tail[4:]
    if magic == _ENCRYPTED:
        raise _footer_error("the footer is encrypted: the file ends in PARE", "bad_frame", size - 4)
    if magic != _MAGIC:
        text = f"not a Parquet file, or a truncated one: it ends in {magic!r}, not in {_MAGIC!r}"
        raise _footer_error(text, "bad_frame", size - 4)
    offset = size - _TAIL - length
    if length == 0 or offset < len(_MAGIC):
        text = f"the footer has {length} bytes, the file {size}"
        raise _footer_error(text, "truncated", size - _TAIL)
    footer = data.at(offset, length)
    _, end, _, error, _ = _core.cut_records(footer, protocol="compact", count=1, offset=offset)
    if error is not None:
        raise _footer_error(
            f"invalid footer: {reason_of(error)}", error.code, error.offset or offset
        )
    if end == length:
        return footer, b"", offset
    if (
        length - end == _SIGNATURE
        and _schema().FileMetaData.get(footer[:end], "$.encryption_algorithm", protocol="compact")
        is not None
    ):
        return footer[:end], footer[end:], offset
    raise _footer_error("bytes follow the metadata in the footer", "trailing_bytes", offset + end)


def _footer_error(text: str, code: str, offset: int) -> DecodeError:
    return DecodeError(f"{text} (byte {offset})", code=code, offset=offset)


def _located(error: Error, base: int) -> Error:
    """The error with its offset in the file."""
    error.option = None
    if error.offset is None:
        return error
    text, location = str(error), f"(byte {error.offset})"
    error.offset += base
    if not text.endswith(location):
        return error
    return reworded(error, f"{text.removesuffix(location)}(byte {error.offset})")


def _logical(element: Mapping[str, Any]) -> str:
    return str(next(iter(element.get("logicalType", ())), element.get("converted_type", "")))


def _is_signed_order(element: Mapping[str, Any]) -> bool:
    """Whether the old fields min and max are usable: they compare as signed numbers."""
    return element.get("type") in ("BOOLEAN", "INT32", "INT64", "FLOAT", "DOUBLE") and not str(
        element.get("converted_type", "")
    ).startswith("UINT")


_NUMBERS = {"BOOLEAN": "<?", "INT32": "<i", "INT64": "<q", "FLOAT": "<f", "DOUBLE": "<d"}
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def value_of(element: Mapping[str, Any], raw: bytes) -> Any:
    """A plain-encoded value as a Python value: bool, int, float, str, date, time, datetime,
    Decimal, UUID; else its bytes. element: its SchemaElement, decoded with enums="name"."""
    return _converter_of(element)(raw)


def _converter_of(element: Mapping[str, Any]) -> Callable[[bytes], Any]:
    """A function like value_of for the values of one column."""
    kind, logical = element.get("type"), _logical(element)
    if kind in _NUMBERS:
        return _number_converter(struct.Struct(_NUMBERS[kind]), _number_meaning(element, logical))
    if logical in ("STRING", "UTF8", "ENUM", "JSON"):
        return lambda raw: raw.decode("utf-8", "replace")
    if logical == "DECIMAL":
        return lambda raw: _decimal(element, int.from_bytes(raw, "big", signed=True))
    if logical == "UUID":
        return lambda raw: uuid.UUID(bytes=raw) if len(raw) == 16 else raw
    return _number_converter(struct.Struct("<e"), None) if logical == "FLOAT16" else lambda raw: raw


def _number_converter(
    layout: struct.Struct, meaning: Optional[Callable[[Any], Any]]
) -> Callable[[bytes], Any]:
    size, unpack = layout.size, layout.unpack
    if meaning is None:
        return lambda raw: unpack(raw)[0] if len(raw) == size else raw
    return lambda raw: meaning(unpack(raw)[0]) if len(raw) == size else raw


def _number_meaning(element: Mapping[str, Any], logical: str) -> Optional[Callable[[Any], Any]]:
    """A function that converts the numbers of a column to its logical type; None for plain
    numbers."""
    if logical == "DECIMAL":
        return lambda number: _decimal(element, number)
    if logical == "DATE":
        return lambda number: _in_range(
            lambda: datetime.date(1970, 1, 1) + datetime.timedelta(days=number), number
        )
    if logical.startswith("TIMESTAMP"):
        return lambda number: _in_range(lambda: _timestamp(element, logical, number), number)
    if logical.startswith("TIME"):
        return lambda number: _time(element, logical, number)
    if logical.startswith("UINT") or (
        logical == "INTEGER" and not element["logicalType"]["INTEGER"].get("isSigned", True)
    ):
        modulus = 1 << (32 if element.get("type") == "INT32" else 64)
        return lambda number: number % modulus
    return None


def _in_range(convert: Callable[[], Any], number: Any) -> Any:
    """The converted value, or the number if it is out of range for Python."""
    try:
        return convert()
    except OverflowError:
        return number


def _decimal(element: Mapping[str, Any], unscaled: int) -> decimal.Decimal:
    decimal_type = element.get("logicalType", {}).get("DECIMAL", {})
    return decimal.Decimal(unscaled).scaleb(
        -decimal_type.get("scale", element.get("scale", 0)), decimal.Context(prec=100)
    )


def _micros(time_type: Mapping[str, Any], logical: str, number: int) -> Optional[int]:
    """Microseconds of a time; None for nanoseconds that are not a multiple of a microsecond."""
    unit = next(
        iter(time_type.get("unit", ())), "MILLIS" if logical.endswith("_MILLIS") else "MICROS"
    )
    if unit == "NANOS" and number % 1000:
        return None
    return {"MILLIS": number * 1000, "MICROS": number, "NANOS": number // 1000}[unit]


def _time(element: Mapping[str, Any], logical: str, number: int) -> Any:
    """A time of day; a number out of range stays a number."""
    micros = _micros(element.get("logicalType", {}).get("TIME", {}), logical, number)
    if micros is None or not 0 <= micros < 86_400_000_000:
        return number
    return (_EPOCH + datetime.timedelta(microseconds=micros)).time()


def _timestamp(element: Mapping[str, Any], logical: str, number: int) -> Any:
    """A datetime, aware if the column is in UTC; nanoseconds that datetime cannot represent stay a
    number."""
    timestamp_type = element.get("logicalType", {}).get("TIMESTAMP", {})
    micros = _micros(timestamp_type, logical, number)
    if micros is None:
        return number
    value = _EPOCH + datetime.timedelta(microseconds=micros)
    return value if timestamp_type.get("isAdjustedToUTC", True) else value.replace(tzinfo=None)
