"""Parquet footers in place: what a file says of itself is read by name and path, changed, and written back; the data is not touched.

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
from typing import IO, Any, Callable, Iterator, Mapping, NamedTuple, Optional, Sequence, TypeVar, Union

from . import _core
from ._core import View
from ._errors import DecodeError, Error, UnknownNameError, reworded
from ._rpc.message import reason_of
from ._parquet.metadata import Changes, Row, is_copy, removed_entries, stale_copies
from ._parquet.schema_copies import changed_copies, logical_fields
from ._schema.schema import Schema, load

_MAGIC = b"PAR1"
_ENCRYPTED = b"PARE"
_TAIL = 8  # the footer's size, and the magic
_SIGNATURE = 28  # bytes behind a footer that is plain but signed: nonce and tag
_PIECE = 4096  # bytes of a page header at the first try

_Value = TypeVar("_Value")
Name = Union[str, int]
Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, IO[bytes]]

_loaded: list[Schema] = []


def _schema() -> Schema:
    if not _loaded:
        _loaded.append(load(os.path.join(os.path.dirname(__file__), "parquet.thrift")))
    return _loaded[0]


def __getattr__(name: str) -> Any:
    """`schema`: the Schema of what Thrift there is in a Parquet file; loaded when it is first asked for."""
    if name == "schema":
        return _schema()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Statistics(NamedTuple):
    """Of a column chunk or a page: Python values, None where the writer says nothing. `raw` is all that it says."""

    min: Any
    max: Any
    null_count: Optional[int]
    distinct_count: Optional[int]
    raw: Union[View, Mapping[str, Any], None] = None


_NO_VALUES = Statistics(None, None, None, None)


class _Node:
    """A node of the schema tree: where it stands in the list (`at`), its own name, its group, and which leaves it has."""

    __slots__ = ("at", "own", "group", "level", "is_leaf", "first_leaf", "last_leaf", "_begin", "_end", "_footer", "_base", "_element")

    def __init__(self, footer: bytes, base: int, row: tuple[int, str, int, int, bool, int, int, int, int], above: Sequence[_Node]):
        self.at, self.own, group, self.level, self.is_leaf, self.first_leaf, self.last_leaf, self._begin, self._end = row
        self.group = above[group] if group >= 0 else None
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
        """What is said of it, decoded when it is first asked for."""
        if self._element is None:
            part = self._footer[self._begin : self._end]
            try:
                self._element = _schema().SchemaElement.decode(part, protocol="compact", enums="name", invalid_utf8="replace", missing_required="omit")
            except DecodeError as error:
                raise _placed(error, self._base + self._begin)
        return self._element

    def findings(self) -> Iterator[Error]:
        """What is wrong with what is said of it; a name that is no text, too."""
        for each in _schema().SchemaElement.findings(self._footer[self._begin : self._end], protocol="compact"):
            path = f"$.schema[{self.at}]{(each.path or '$')[1:]}"
            text = str(each).split(" at $")[0]
            offset = None if each.offset is None else self._base + self._begin + each.offset
            yield DecodeError(f"{text} at {path} (byte {offset})", code=each.code, path=path, offset=offset)

    @property
    def is_map(self) -> bool:
        return "MAP" in self.element.get("logicalType", ()) or self.element.get("converted_type") in ("MAP", "MAP_KEY_VALUE")

    @property
    def is_pair(self) -> bool:
        """Whether it is the group of a map's key and value."""
        return self.element.get("repetition_type") == "REPEATED" and (self.is_map or (self.group is not None and self.group.is_map))


class ByName(Mapping[str, _Value]):
    """Values by their columns' dotted names, in the file's order. A file may give several columns one name: all are among keys(), values() and
    items(); a look-up by such a name is an Error, one by the column's number (0 is the first) is not."""

    def __init__(self, rows: Sequence[tuple[str, _Value]]):
        self._rows = rows

    def __getitem__(self, name: Union[str, int]) -> _Value:
        if isinstance(name, int):
            return self._rows[name][1]
        found = [number for number, (each, _) in enumerate(self._rows) if each == name]
        if not found:
            raise KeyError(name)
        if len(found) > 1:
            raise _ambiguous(name, [f"number {number}" for number in found])
        return self._rows[found[0]][1]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return any(each == name for each, _ in self._rows)

    def items(self) -> Any:
        """Pairs of name and value, one each column, of equal names too."""
        return [*self._rows]

    def values(self) -> Any:
        """The values, one each column."""
        return [value for _, value in self._rows]

    def __repr__(self) -> str:
        return repr(dict(self._rows)) if len(dict(self._rows)) == len(self._rows) else repr(self._rows)


def _ambiguous(name: str, which: Sequence[str]) -> Error:
    return Error(f"{name!r} is the name of {len(which)} columns of the file: {', '.join(which)}; say which by its number", code="duplicate_field")


class _Bytes:
    """The file: a path that is opened for each use (once for all of a `with`, which one thread may enter), a file object, or bytes."""

    def __init__(self, source: Any):
        self.path: Optional[str] = os.fspath(source) if isinstance(source, (str, os.PathLike)) else None
        self._stream: Any = source if hasattr(source, "read") else None
        if hasattr(source, "encoding"):
            raise TypeError("a Parquet file is bytes: open it with mode 'rb'")
        self._data = None if self.path is not None or self._stream is not None else memoryview(source).cast("B")
        self._held: Any = None
        self.size = 0
        self.identity: Optional[tuple[int, int]] = None
        """Device and number of the file at the path, when it was last opened."""

    def __enter__(self) -> _Bytes:
        if self.path is not None:
            self._held = open_file(self.path, "rb", buffering=0)
            self.identity = identity_of(self._held)
        self.size = self._size()
        return self

    def __exit__(self, *_: Any) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None

    def _size(self) -> int:
        if self._held is not None:
            return os.fstat(self._held.fileno()).st_size
        return len(self._data) if self._data is not None else int(self._stream.seek(0, os.SEEK_END))

    def at(self, offset: int, size: int) -> bytes:
        """`size` bytes from `offset` on, fewer where the file ends."""
        if self._data is not None:
            return bytes(self._data[offset : offset + size])
        if self._stream is not None:
            self._stream.seek(offset)
            return bytes(self._stream.read(size))
        if self._held is not None:
            return _read(self._held, offset, size)
        assert self.path is not None
        with open_file(self.path, "rb", buffering=0) as stream:
            return _read(stream, offset, size)


open_file = open


def identity_of(stream: Any) -> tuple[int, int]:
    """Device and number of an open file."""
    status = os.fstat(stream.fileno())
    return status.st_dev, status.st_ino


def _read(stream: Any, offset: int, size: int) -> bytes:
    """`size` bytes of a file without a buffer, fewer where it ends; mostly in one call."""
    stream.seek(offset)
    found: bytes = stream.read(size)
    while len(found) < size:
        more = stream.read(size - len(found))
        if not more:
            break
        found += more
    return found


class File:
    """A Parquet file's footer. Reads the last bytes of the file, and more only when pages, indexes or filters are asked for.

    footer: its bytes, Compact. footer_offset: where they begin. view: the FileMetaData in them. num_rows, version, created_by: of it.
    Changes (set_key_value, rename, …) apply to the footer in memory; save() writes it."""

    def __init__(self, source: Source):
        self._bytes = _Bytes(source)
        with self._bytes:
            self.footer, self._signature, self.footer_offset = _footer_of(self._bytes)
        self._remember()
        self._changed()

    def _remember(self) -> None:
        """Retains what the file was when it was read or saved."""
        self._saved = self._bytes.identity, self._bytes.size, self._tail()

    def _refuse_changed(self, size: int, identity: Optional[tuple[int, int]], tail: bytes) -> None:
        """Raises Error where the file is another than when it was opened: its data is not that of this footer."""
        if (identity, size, tail) != self._saved:
            raise Error("the file changed since it was opened, and its data may be elsewhere: open it again", code="edit_conflict")

    def _check_unchanged(self) -> None:
        with self._bytes as data:
            self._refuse_changed(data.size, data.identity, data.at(self.footer_offset, len(self._saved[2])))

    def _changed(self) -> None:
        self._nodes: Optional[list[_Node]] = None
        self._key_value: Optional[dict[str, Optional[str]]] = None
        self.view = _schema().FileMetaData.view(self.footer, protocol="compact")

    def __repr__(self) -> str:
        of = self._bytes.path or "bytes"
        return f"<thriftlens.parquet.File {of}: {self.num_rows} rows, {len(self.columns)} columns, {len(self.row_groups)} row groups>"

    @property
    def num_rows(self) -> int:
        """Rows of all row groups, as the footer says. DecodeError where it does not."""
        return int(self._required("num_rows"))

    @property
    def version(self) -> int:
        """The format's version that the writer says. DecodeError where it does not."""
        return int(self._required("version"))

    def _required(self, field: str) -> Any:
        try:
            return self.view[field]
        except Error as error:
            raise _placed(error, self.footer_offset)

    @property
    def created_by(self) -> Optional[str]:
        """What the writer says of itself; None where it says nothing."""
        found: Optional[str] = self.view.get("created_by")
        return found

    @property
    def key_value(self) -> Mapping[str, Optional[str]]:
        """The file's key/value metadata. Of a key that stands twice the last value."""
        if self._key_value is None:
            self._key_value = {each["key"]: each.get("value") for each in self._decoded("key_value_metadata")}
        return MappingProxyType(self._key_value)

    @property
    def columns(self) -> Mapping[str, Column]:
        """The leaves of the schema by their dotted path, or their number, in the file's order."""
        return ByName([(node.name, Column(self, node)) for node in self._tree() if node.is_leaf])

    @property
    def row_groups(self) -> Sequence[RowGroup]:
        """The row groups, in the order of the footer."""
        return [RowGroup(self, index) for index in range(len(self._required("row_groups")))]

    def tree(self) -> str:
        """The schema as text, a line a node."""
        lines = []
        for node in self._tree():
            what = str(node.element.get("type", "?")).lower() if node.is_leaf else "group"
            logical = next(iter(node.element.get("logicalType", ())), None) or node.element.get("converted_type")
            mode = str(node.element.get("repetition_type", "REQUIRED")).lower()
            lines.append("  " * node.level + f"{mode} {what} {node.own}" + (f" ({logical})" if logical else ""))
        return "\n".join(lines) + "\n"

    def validate(self) -> None:
        """Raises DecodeError for the first thing that is wrong with the footer; offsets count in the file."""
        for each in self.findings(most=1):
            raise each

    def findings(self, most: int = 64) -> list[Error]:
        """What is wrong with the footer, and with where it says that things lie: at most `most` errors with code, path and offset, not raised; [] where
        nothing is."""
        found = [_placed(each, self.footer_offset) for each in _schema().FileMetaData.findings(self.footer, protocol="compact", invalid_utf8="keep", most=most)]
        return found or list(itertools.islice(self._misplaced(), most))

    def statistics(self, *columns: Name) -> Mapping[str, list[Statistics]]:
        """Of each row group, for these columns or all: one plan over the footer. Columns are named by their dotted path, or their number."""
        of = [Column(self, node) for node in (self._named(columns, leaf=True) if columns else self._tree()) if node.is_leaf]
        groups = range(len(self._required("row_groups")))
        paths = [f"$.row_groups[{group}].columns[{each.index}].meta_data.statistics" for each in of for group in groups]
        try:
            found = iter(_schema().FileMetaData.get_many(self.footer, paths, protocol="compact"))
        except DecodeError as error:
            raise _placed(error, self.footer_offset)
        return ByName([(each.name, [each._statistics_of(next(found) or self._nothing_of(each, group)) for group in groups]) for each in of])

    def _nothing_of(self, column: Column, group: int) -> Any:
        """None. DecodeError where the row group has no such column at all."""
        if column.index >= len(self.view["row_groups"][group]["columns"]):
            path = f"$.row_groups[{group}].columns[{column.index}]"
            raise DecodeError(f"row group {group} has no column {column.name!r}", code="broken_rule", path=path, offset=self.footer_offset)
        return None

    def column(self, name: Name) -> Column:
        """By its dotted path, or its number. UnknownNameError where there is none, Error where several have that name."""
        return Column(self, self._node(name, leaf=True))

    # Changes.

    def set_key_value(self, key: str, value: Optional[str]) -> None:
        """Sets one entry of the key/value metadata; others keep their bytes. Further entries of that key are removed, and copies of the old value in the
        schemas of Arrow, Spark, pandas and Avro are replaced or removed."""
        row = {"key": key} if value is None else {"key": key, "value": value}
        same = [index for index, each in enumerate(self._decoded("key_value_metadata")) if each["key"] == key]
        edit = self._edit()
        if same:
            edit.set(f"$.key_value_metadata[{same[-1]}]", row)
            for index in same[:-1]:
                edit.erase(f"$.key_value_metadata[{index}]")
        elif self.view.get("key_value_metadata") is not None:
            edit.append("$.key_value_metadata", row)
        else:
            edit.set("$.key_value_metadata", [row])
        self._take(edit.apply())

    def delete_key_value(self, key: str) -> None:
        """Removes all entries of that key, and copies of their values in the schemas of Arrow, Spark, pandas and Avro. UnknownNameError where there is
        none."""
        keys = [each["key"] for each in self._decoded("key_value_metadata")]
        if key not in keys:
            raise UnknownNameError(f"no key {key!r} in the file's metadata", code="absent")
        edit = self._edit()
        for index, each in enumerate(keys):
            if each == key:
                edit.erase(f"$.key_value_metadata[{index}]")
        self._take(edit.apply())

    def rename(self, column: Name, name: str) -> None:
        """Changes the last name of a column or group, also in the copies of the schema that Arrow, Spark
        and pandas add to the metadata; a copy that cannot be changed is removed. UnknownNameError if
        there is no such column; Error if the name is taken or empty."""
        if not name:
            raise Error("a column's name cannot be empty", code="empty_value")
        node = self._node(column)
        if any(each.path == (*node.path[:-1], name) for each in self._tree()):
            raise Error(f"there is a {'.'.join((*node.path[:-1], name))!r} already", code="already_there")
        edit = self._edit().set(f"$.schema[{node.at}].name", name)
        for leaf in range(node.first_leaf, node.last_leaf):
            edit.set(f"$.row_groups[*].columns[{leaf}].meta_data.path_in_schema[{len(node.path) - 1}]", name)
        self._change_copies(edit, {node.at: name})
        self._take(edit.apply())

    def drop_statistics(self, *columns: Name) -> None:
        """Takes the statistics of these columns, or of all, out of the footer, and the places of their page indexes and bloom filters, which hold
        values too. What lies there stays in the file, where nothing leads to it."""
        if not columns:
            self._take(_schema().FileMetaData.trim(self._unsigned(), _NO_STATISTICS, protocol="compact"))
            return
        edit = self._edit()
        for node in self._named(columns, leaf=True):
            for chunk in Column(self, node).chunks:
                for path in chunk._value_paths():
                    edit.erase(path)
        self._take(edit.apply())

    def redact(self, **rules: Any) -> None:
        """Redaction rules on the footer, as Type.redact takes them: paths={"$.created_by": "drop"}."""
        self._take(_schema().FileMetaData.redact(self._unsigned(), unknown="keep", protocol="compact", **rules))

    def keep_columns(self, *columns: Name) -> None:
        """Removes all other columns from the footer and, as rename() does, from copies of the schema; a
        group's name keeps all below it. Their data stays in the file. Error if only the keys or only the
        values of a map would be left, which engines do not read as a map."""
        kept = [self._node(each) for each in columns]
        leaves = {leaf for node in kept for leaf in range(node.first_leaf, node.last_leaf)}
        if not leaves:
            raise Error("no column would be left", code="empty_value")
        self._refuse_half_maps(leaves)
        edit = self._edit()
        removed: dict[int, Optional[str]] = {}
        children: dict[int, int] = {}  # by where the group stands in the schema
        for node in self._tree():
            if leaves.isdisjoint(range(node.first_leaf, node.last_leaf)):
                edit.erase(f"$.schema[{node.at}]")
                removed[node.at] = None
            else:
                above = 0 if node.group is None else node.group.at
                children[above] = children.get(above, 0) + 1
        edit.set("$.schema[0].num_children", children[0])
        for node in self._tree():
            if node.at in children and children[node.at] != node.element["num_children"]:
                edit.set(f"$.schema[{node.at}].num_children", children[node.at])
        gone = [leaf for leaf in range(len(self.columns)) if leaf not in leaves]
        has_orders = self.view.get("column_orders") is not None
        for leaf in gone if self.row_groups else ():
            edit.erase(f"$.row_groups[*].columns[{leaf}]")
        for leaf in gone if has_orders else ():
            edit.erase(f"$.column_orders[{leaf}]")
        for group in self.row_groups:
            self._keep_sorting(edit, group, sorted(leaves))
        self._change_copies(edit, removed)
        self._take(edit.apply())

    def _refuse_half_maps(self, leaves: set[int]) -> None:
        """Error where a map has one of its two parts among the leaves and the other not."""
        for node in self._tree():
            pair = node.group
            if pair is None or not pair.is_pair or not leaves.isdisjoint(range(node.first_leaf, node.last_leaf)):
                continue
            if not leaves.isdisjoint(range(pair.first_leaf, pair.last_leaf)):
                raise Error(f"a map's keys and values stay together: {node.name!r} would be lost", code="broken_rule")

    def keep_row_groups(self, *indices: int) -> None:
        """Takes all other row groups out of the footer; num_rows follows."""
        groups = self.row_groups
        for each in indices:
            if not -len(groups) <= each < len(groups):
                raise IndexError(f"no row group {each}: the file has {len(groups)}")
        kept = {range(len(groups))[each] for each in indices}
        if not kept:
            raise Error("no row group would be left", code="empty_value")
        edit = self._edit().set("$.num_rows", sum(groups[each].num_rows for each in kept))
        for index in range(len(groups)):
            if index not in kept:
                edit.erase(f"$.row_groups[{index}]")
        self._take(edit.apply())

    def save(self, path: Union[str, os.PathLike[str], None] = None, *, atomic: bool = False) -> None:
        """Writes the footer: at the old one's place, and cuts the file behind it; or with `path`, or atomic=True, the whole file anew, which takes its
        place when all is written. Without atomic=True a file that loses power between is without a footer. Error (edit_conflict) if the file is not what
        it was when it was opened: nothing is written."""
        tail = self._tail()
        if path is None and self._bytes.path is None:
            raise ValueError("save() needs a path: this footer is not of a file")
        if path is None and not atomic:
            assert self._bytes.path is not None
            with open_file(self._bytes.path, "r+b") as stream:
                size = os.fstat(stream.fileno()).st_size
                self._refuse_changed(size, identity_of(stream), _read(stream, self.footer_offset, len(self._saved[2])))
                stream.seek(self.footer_offset)
                stream.write(tail)
                stream.truncate()
        else:
            self._check_unchanged()
            self._write(os.fspath(path if path is not None else self._bytes.path or ""), tail)
        if path is None or os.fspath(path) == self._bytes.path:
            with self._bytes:
                pass
            self._remember()

    def to_bytes(self) -> bytes:
        """The whole file with the footer as it is now. Error (edit_conflict) if the file is not what it was when it was opened."""
        self._check_unchanged()
        return self._bytes.at(0, self.footer_offset) + self._tail()

    def _write(self, path: str, tail: bytes) -> None:
        from ._cli.io import writing

        with writing(path) as sink:
            for offset in range(0, self.footer_offset, 1 << 20):
                sink.write(self._bytes.at(offset, min(1 << 20, self.footer_offset - offset)))
            sink.write(tail)

    def _edit(self) -> _core.Edit:
        edit: _core.Edit = _schema().FileMetaData.edit(self._unsigned(), protocol="compact")
        return edit

    def _unsigned(self) -> bytes:
        """The footer, for changes: one that is signed would not be what was signed."""
        if self._signature:
            raise Error("the footer is signed, and a change would break its signature", code="edit_conflict")
        return self.footer

    def _tail(self) -> bytes:
        """What follows the data."""
        footer = self.footer + self._signature
        return footer + struct.pack("<I", len(footer)) + _MAGIC

    def _take(self, footer: bytes) -> None:
        before = self._decoded("key_value_metadata")
        self.footer = footer
        self._changed()
        self._remove_stale_copies(before)

    def _change_copies(self, edit: _core.Edit, names: Mapping[int, Optional[str]]) -> None:
        """Applies new names of nodes to the copies of the schema, None to remove the node."""
        rows = self._decoded("key_value_metadata")
        _change_entries(edit, rows, changed_copies(rows, logical_fields(self._tree(), names)))

    def _remove_stale_copies(self, before: list[dict[str, Any]]) -> None:
        """Removes the copies of metadata that the file had `before`, and has no more."""
        after = self._decoded("key_value_metadata")
        keys, values = removed_entries(before, after)
        if not keys:
            return
        edit = self._edit()
        _change_entries(edit, after, stale_copies(after, keys, values))
        for place in self._chunk_entries(keys, values):
            edit.erase(place)
        self.footer = edit.apply()
        self._changed()

    def _chunk_entries(self, keys: set[str], values: set[str]) -> Iterator[str]:
        """Paths of the entries of column chunks that are copies."""
        of = _schema().FileMetaData
        cut = of.trim(self.footer, "{ row_groups { columns { meta_data { key_value_metadata } } } }", protocol="compact")
        groups = of.decode(cut, protocol="compact", missing_required="omit", invalid_utf8="replace").get("row_groups", ())
        for group, said in enumerate(groups):
            for column, chunk in enumerate(said.get("columns", ())):
                for index, row in enumerate(chunk.get("meta_data", {}).get("key_value_metadata", ())):
                    if is_copy(row["key"], row.get("value") or "", keys, values):
                        yield f"$.row_groups[{group}].columns[{column}].meta_data.key_value_metadata[{index}]"

    def _keep_sorting(self, edit: _core.Edit, group: RowGroup, leaves: list[int]) -> None:
        """The sort order as far as its first columns are kept, by their new numbers."""
        order = group.view.get("sorting_columns")
        if order is None:
            return
        kept = list(_kept_order(order, leaves))
        at = f"$.row_groups[{group.index}].sorting_columns"
        if kept:
            edit.set(at, kept)
        else:
            edit.erase(at)

    def _decoded(self, field: str) -> list[dict[str, Any]]:
        """A list of the footer; empty where there is none."""
        part = self.view.get(field)
        if part is None:
            return []
        of = _schema().FileMetaData.fields[field].type
        made: list[dict[str, Any]] = of.decode(bytes(part), protocol="compact", enums="name", invalid_utf8="replace")
        return made

    def _tree(self) -> list[_Node]:
        if self._nodes is None:
            self._nodes = self._read_nodes(None)
        return self._nodes

    def _read_nodes(self, names: Optional[tuple[str, ...]]) -> list[_Node]:
        """All nodes of the schema, or those of these names and the groups they are in."""
        try:
            rows = _core.parquet_nodes(self.footer, names)
        except DecodeError as error:
            raise _placed(error, self.footer_offset)
        nodes: list[_Node] = []
        for row in rows:
            nodes.append(_Node(self.footer, self.footer_offset, row, nodes))
        return nodes

    def _named(self, names: Sequence[Name], leaf: bool = False) -> list[_Node]:
        """The node of each name, or of each number of a leaf. UnknownNameError where there is none, Error where there are several."""
        texts = tuple(each for each in names if isinstance(each, str))
        nodes = self._nodes if self._nodes is not None else self._read_nodes(texts if len(texts) == len(names) else None)
        found: dict[Name, list[_Node]] = {}
        for node in nodes:
            if node.is_leaf:
                found[node.first_leaf] = [node]
            if node.is_leaf or not leaf:
                found.setdefault(node.name, []).append(node)
        for name in names:
            if name not in found:
                raise self._unknown(name)
            if len(found[name]) > 1:
                raise _ambiguous(str(name), [_which(node) for node in found[name]])
        return [found[name][0] for name in names]

    def _node(self, name: Name, leaf: bool = False) -> _Node:
        return self._named([name], leaf)[0]

    def _unknown(self, name: Name) -> UnknownNameError:
        if isinstance(name, int):
            return UnknownNameError(f"no column number {name}: the file has {len(self.columns)}", code="no_such_field")
        group = next((node for node in self._tree() if node.name == name), None)
        if group is not None:
            below = [node.name for node in self._tree() if node.is_leaf and group.first_leaf <= node.first_leaf < group.last_leaf]
            return UnknownNameError(f"{name!r} is a group; its columns are {', '.join(below[:8])}{', …' if below[8:] else ''}", code="no_such_field")
        import difflib

        near = difflib.get_close_matches(name, [node.name for node in self._tree()], n=1)
        return UnknownNameError(f"no column {name!r} in the file" + (f"; did you mean {near[0]!r}?" if near else ""), code="no_such_field")

    def _misplaced(self) -> Iterator[Error]:
        """What the footer says of itself and cannot be: names that are no text or not those of the schema, counts that are negative or do not add
        up, as many columns in each row group as the schema has leaves, each with its data before the footer."""
        for node in self._tree():
            yield from node.findings()
        leaves = [node for node in self._tree() if node.is_leaf]
        rows = 0
        for group, said in enumerate(self._places()):
            path, chunks = f"$.row_groups[{group}]", said["columns"]
            rows += said["num_rows"]
            if said["num_rows"] < 0:
                yield self._broken(f"row group {group} has {said['num_rows']} rows", f"{path}.num_rows")
            if len(chunks) != len(leaves):
                yield self._broken(f"row group {group} has {len(chunks)} columns, the schema {len(leaves)}", f"{path}.columns")
            for index, (leaf, chunk) in enumerate(zip(leaves, chunks)):
                for text in self._wrong_in(chunk, leaf):
                    yield self._broken(text, f"{path}.columns[{index}]")
        if rows != self.num_rows:
            yield self._broken(f"the row groups have {rows} rows, the file {self.num_rows}", "$.num_rows")

    def _wrong_in(self, chunk: Mapping[str, Any], leaf: _Node) -> Iterator[str]:
        """What is wrong with a column chunk, in words."""
        meta = chunk.get("meta_data")
        if "file_path" in chunk or (meta is None and "crypto_metadata" in chunk):
            return  # in another file, or encrypted
        if meta is None:
            yield f"column {leaf.name!r} has no metadata"
            return
        if meta["num_values"] < 0:
            yield f"column {leaf.name!r} has {meta['num_values']} values"
        if tuple(meta["path_in_schema"]) != leaf.path:
            yield f"column {leaf.name!r} is called {'.'.join(meta['path_in_schema'])!r}"
        begin, size = _extent_of(meta)
        if begin == size == 0:
            return  # a chunk without a page, as Arrow writes some of no rows
        if not 4 <= begin <= begin + size <= self.footer_offset:
            yield f"column {leaf.name!r} lies from byte {begin} to {begin + size}, the data from 4 to {self.footer_offset}"

    def _broken(self, text: str, path: str) -> DecodeError:
        return DecodeError(text, code="broken_rule", path=path, offset=self.footer_offset)

    def _places(self) -> list[dict[str, Any]]:
        """Each row group: its rows, and of its column chunks what says whose they are, where they lie and how they are compressed."""
        of = _schema().FileMetaData
        cut = of.trim(self.footer, _PLACES, protocol="compact")
        groups: list[dict[str, Any]] = of.decode(cut, protocol="compact", missing_required="omit", invalid_utf8="replace")["row_groups"]
        return groups


_NO_STATISTICS = """{ * row_groups { * columns { * -column_index_offset -column_index_length
  meta_data { * -statistics -geospatial_statistics -bloom_filter_offset -bloom_filter_length } } } }"""
_PLACES = """{ row_groups { num_rows columns { file_path crypto_metadata
  meta_data { path_in_schema codec num_values total_compressed_size data_page_offset dictionary_page_offset } } } }"""


def _change_entries(edit: _core.Edit, rows: Sequence[Row], changes: Changes) -> None:
    for index, value in changes.items():
        if value is None:
            edit.erase(f"$.key_value_metadata[{index}]")
        else:
            edit.set(f"$.key_value_metadata[{index}]", {"key": rows[index]["key"], "value": value})


def _has_field(view: View, name: str) -> bool:
    """Whether a field is there, of whatever type: writers differ in those of newer fields."""
    try:
        return view.get(name) is not None
    except DecodeError:
        return True


def _which(node: _Node) -> str:
    """Of several nodes of one name, this one."""
    return f"number {node.first_leaf}" if node.is_leaf else f"the group of numbers {node.first_leaf} to {node.last_leaf - 1}"


def _extent_of(meta: Any) -> tuple[int, int]:
    """Where a column chunk begins, and its bytes."""
    begins = [int(meta["data_page_offset"]), meta.get("dictionary_page_offset") or 0]
    return min(each for each in begins if each) if any(begins) else 0, int(meta["total_compressed_size"])


def _kept_order(order: Any, leaves: list[int]) -> Iterator[dict[str, Any]]:
    for each in order:
        if each["column_idx"] not in leaves:
            return
        yield {"column_idx": leaves.index(each["column_idx"]), "descending": each["descending"], "nulls_first": each["nulls_first"]}


class Column:
    """A leaf of the schema: name, index among the leaves, and what is said of it (`element`)."""

    def __init__(self, file: File, node: _Node):
        self.file = file
        self.name = node.name
        self.index = node.first_leaf
        self._node = node
        self._converter: Optional[Callable[[bytes], Any]] = None

    @property
    def element(self) -> Mapping[str, Any]:
        """Its SchemaElement, enums by name."""
        return self._node.element

    def __repr__(self) -> str:
        return f"<thriftlens.parquet.Column {self.name}: {self.element.get('type', '?')}>"

    @property
    def chunks(self) -> list[Chunk]:
        """One for each row group."""
        return [Chunk(self, group) for group in range(len(self.file.view["row_groups"]))]

    def statistics(self) -> list[Statistics]:
        """Of each row group."""
        return self.file.statistics(self.index)[0]  # type: ignore[index]

    def _statistics_of(self, said: Any) -> Statistics:
        if said is None:
            return _NO_VALUES
        least, most = said.get("min_value"), said.get("max_value")
        if least is None and most is None and _is_signed_order(self.element):
            least, most = said.get("min"), said.get("max")
        convert = self._converter
        if convert is None:
            convert = self._converter = _converter_of(self.element)
        least = None if least is None else convert(bytes(least))
        most = None if most is None else convert(bytes(most))
        return Statistics(least, most, said.get("null_count"), said.get("distinct_count"), said)


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
        """Rows of this group, as the footer says."""
        return int(self.view["num_rows"])

    @property
    def columns(self) -> Mapping[str, Chunk]:
        """The group's part of each column, by the column's dotted path, or its number."""
        return ByName([(name, Chunk(column, self.index)) for name, column in self.file.columns.items()])


class Page(NamedTuple):
    """A page's header, where it begins in the file, and where its data begins."""

    offset: int
    data_offset: int
    header: View


class Chunk:
    """A column's part of a row group; `view` is its ColumnChunk."""

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
        """What the footer says of the values here: bounds, counts; fields that it does not have are None."""
        meta = self.view.get("meta_data")
        return self.column._statistics_of(None if meta is None else meta.get("statistics"))

    def offset_index(self) -> Optional[View]:
        """Where the pages lie; None where the file does not say."""
        return self._part("OffsetIndex", self.view.get("offset_index_offset"), self.view.get("offset_index_length"))

    def column_index(self) -> Optional[View]:
        """Least and greatest value of each page; None where the file does not say."""
        return self._part("ColumnIndex", self.view.get("column_index_offset"), self.view.get("column_index_length"))

    def bloom_filter(self) -> Optional[View]:
        """The header of its bloom filter; None where there is none."""
        offset = self._meta().get("bloom_filter_offset")
        if offset is None:
            return None
        self._require_plain()
        return self._struct("BloomFilterHeader", offset)[0]

    def pages(self) -> Iterator[Page]:
        """The headers of its pages, one after another; the pages are passed over."""
        self._require_plain()
        position, size = _extent_of(self._meta())
        end = position + size
        while position < end:
            header, after = self._struct("PageHeader", position)
            yield Page(position, after, header)
            position = after + max(int(header["compressed_page_size"]), 0)

    def _value_paths(self) -> Iterator[str]:
        """Paths of what holds values of the column or leads to such."""
        view = self.view
        for name in ("column_index_offset", "column_index_length"):
            if _has_field(view, name):
                yield f"{self._path}.{name}"
        meta = view.get("meta_data")
        for name in ("statistics", "geospatial_statistics", "bloom_filter_offset", "bloom_filter_length") if meta is not None else ():
            if _has_field(meta, name):
                yield f"{self._path}.meta_data.{name}"

    @property
    def is_encrypted(self) -> bool:
        """Whether the pages and indexes of the column, and most of what is said of it, are encrypted."""
        return self.view.get("crypto_metadata") is not None

    def _meta(self) -> View:
        found: Optional[View] = self.view.get("meta_data")
        if found is None:
            why = "it is encrypted" if self.is_encrypted else "the footer has none"
            raise DecodeError(f"no metadata of {self.column.name!r} in row group {self.group}: {why}", code="absent", path=f"{self._path}.meta_data")
        return found

    def _require_plain(self) -> None:
        """Raises where what lies in the file cannot be read."""
        if self.is_encrypted:
            raise DecodeError(f"the column {self.column.name!r} is encrypted", code="bad_frame", path=self._path)
        elsewhere = self.view.get("file_path")
        if elsewhere is not None:
            raise DecodeError(f"the data of {self.column.name!r} is in another file: {elsewhere}", code="absent", path=f"{self._path}.file_path")

    def _part(self, of: str, offset: Optional[int], size: Optional[int]) -> Optional[View]:
        if offset is None or size is None:
            return None
        self._require_plain()
        file = self.column.file
        if not 0 <= offset <= offset + size <= file.footer_offset:
            raise DecodeError(f"the {of} of {self.column.name!r} lies outside the file", code="truncated", offset=offset, path=self._path)
        view: View = _schema()[of].view(file._bytes.at(offset, size), protocol="compact")
        return view

    def _struct(self, of: str, offset: int) -> tuple[View, int]:
        """The struct at that byte of the file, and the byte after it."""
        file, size = self.column.file, _PIECE
        if not 0 <= offset < file.footer_offset:
            raise DecodeError(f"the {of} of {self.column.name!r} lies outside the file", code="truncated", offset=offset, path=self._path)
        while True:
            data = file._bytes.at(offset, min(size, file.footer_offset - offset))
            rows, _, _, error, _ = _core.cut_records(data, protocol="compact", count=1, offset=offset)
            if rows:
                end = rows[0][1]
                return _schema()[of].view(data[:end], protocol="compact"), offset + end
            if error is not None and (error.code != "truncated" or len(data) < size):
                text = f"{of} of {self.column.name!r}: {reason_of(error)} (byte {error.offset})"
                raise DecodeError(text, code=error.code, offset=error.offset, path=self._path)
            size *= 4


def open(source: Source) -> File:  # noqa: A001
    """The footer of a Parquet file. Reads the end of the file alone.

    source: a path, bytes, or a file object that seeks.

    Errors: DecodeError for what is no Parquet file, is cut, or has an encrypted footer.

    >>> import io, pyarrow, pyarrow.parquet
    >>> import thriftlens as tl
    >>> written = io.BytesIO()
    >>> pyarrow.parquet.write_table(pyarrow.table({"id": [1, 2], "name": ["a", "b"]}), written)
    >>> file = tl.parquet.open(written.getvalue())
    >>> file.num_rows, list(file.columns)
    (2, ['id', 'name'])
    >>> [each.max for each in file.statistics("id")["id"]]
    [2]
    >>> file.drop_statistics()
    >>> pyarrow.parquet.read_metadata(io.BytesIO(file.to_bytes())).row_group(0).column(0).statistics is None
    True
    """
    return File(source)


def _footer_of(data: _Bytes) -> tuple[bytes, bytes, int]:
    """The footer's bytes, the signature behind them, and where they begin."""
    size = data.size
    if size < len(_MAGIC) + _TAIL:
        raise DecodeError(f"no Parquet file: {size} bytes", code="truncated", offset=size)
    tail = data.at(size - _TAIL, _TAIL)
    if len(tail) < _TAIL:
        raise DecodeError("the file became shorter while it was read", code="truncated", offset=size)
    length, magic = struct.unpack("<I", tail[:4])[0], tail[4:]
    if magic == _ENCRYPTED:
        raise _footer_error("the footer is encrypted: the file ends in PARE", "bad_frame", size - 4)
    if magic != _MAGIC:
        text = f"no Parquet file, or one that is cut: it ends in {magic!r}, not in {_MAGIC!r}"
        raise _footer_error(text, "bad_frame", size - 4)
    offset = size - _TAIL - length
    if length == 0 or offset < len(_MAGIC):
        text = f"the footer has {length} bytes, the file {size}"
        raise _footer_error(text, "truncated", size - _TAIL)
    footer = data.at(offset, length)
    _, after, _, error, _ = _core.cut_records(footer, protocol="compact", count=1, offset=offset)
    if error is not None:
        raise _footer_error(f"the footer is broken: {reason_of(error)}", error.code, error.offset or offset)
    if after == length:
        return footer, b"", offset
    if length - after == _SIGNATURE and _schema().FileMetaData.get(footer[:after], "$.encryption_algorithm", protocol="compact") is not None:
        return footer[:after], footer[after:], offset
    raise _footer_error("bytes follow the metadata in the footer", "trailing_bytes", offset + after)


def _footer_error(text: str, code: str, offset: int) -> DecodeError:
    return DecodeError(f"{text} (byte {offset})", code=code, offset=offset)


def _placed(error: Error, base: int) -> Error:
    """The error with its offset counted in the file."""
    error.option = None
    if error.offset is None:
        return error
    text, place = str(error), f"(byte {error.offset})"
    error.offset += base
    if not text.endswith(place):
        return error
    return reworded(error, f"{text.removesuffix(place)}(byte {error.offset})")


def _logical(element: Mapping[str, Any]) -> str:
    return str(next(iter(element.get("logicalType", ())), element.get("converted_type", "")))


def _is_signed_order(element: Mapping[str, Any]) -> bool:
    """Whether the old fields min and max, which compare as signed, mean what they seem to."""
    return element.get("type") in ("BOOLEAN", "INT32", "INT64", "FLOAT", "DOUBLE") and not str(element.get("converted_type", "")).startswith("UINT")


_NUMBERS = {"BOOLEAN": "<?", "INT32": "<i", "INT64": "<q", "FLOAT": "<f", "DOUBLE": "<d"}
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def value_of(element: Mapping[str, Any], raw: bytes) -> Any:
    """A plain-encoded value as Python has it: bool, int, float, str, date, time, datetime, Decimal, UUID; else its bytes. `element`: its SchemaElement
    as decode gives it with enums="name"."""
    return _converter_of(element)(raw)


def _converter_of(element: Mapping[str, Any]) -> Callable[[bytes], Any]:
    """value_of for many values of one column."""
    kind, logical = element.get("type"), _logical(element)
    if kind in _NUMBERS:
        return _number_converter(struct.Struct(_NUMBERS[kind]), _meaning_of(element, logical))
    if logical in ("STRING", "UTF8", "ENUM", "JSON"):
        return lambda raw: raw.decode("utf-8", "replace")
    if logical == "DECIMAL":
        return lambda raw: _decimal(element, int.from_bytes(raw, "big", signed=True))
    if logical == "UUID":
        return lambda raw: uuid.UUID(bytes=raw) if len(raw) == 16 else raw
    return _number_converter(struct.Struct("<e"), None) if logical == "FLOAT16" else lambda raw: raw


def _number_converter(layout: struct.Struct, meaning: Optional[Callable[[Any], Any]]) -> Callable[[bytes], Any]:
    size, unpack = layout.size, layout.unpack
    if meaning is None:
        return lambda raw: unpack(raw)[0] if len(raw) == size else raw
    return lambda raw: meaning(unpack(raw)[0]) if len(raw) == size else raw


def _meaning_of(element: Mapping[str, Any], logical: str) -> Optional[Callable[[Any], Any]]:
    """What numbers of the column mean; None where they are what they are."""
    if logical == "DECIMAL":
        return lambda number: _decimal(element, number)
    if logical == "DATE":
        return lambda number: _in_range(lambda: datetime.date(1970, 1, 1) + datetime.timedelta(days=number), number)
    if logical.startswith("TIMESTAMP"):
        return lambda number: _in_range(lambda: _timestamp(element, logical, number), number)
    if logical.startswith("TIME"):
        return lambda number: _time(element, logical, number)
    if logical.startswith("UINT") or (logical == "INTEGER" and not element["logicalType"]["INTEGER"].get("isSigned", True)):
        modulus = 1 << (32 if element.get("type") == "INT32" else 64)
        return lambda number: number % modulus
    return None


def _in_range(make: Callable[[], Any], number: Any) -> Any:
    """What is made, or the number where Python has no such date."""
    try:
        return make()
    except OverflowError:
        return number


def _decimal(element: Mapping[str, Any], unscaled: int) -> decimal.Decimal:
    inner = element.get("logicalType", {}).get("DECIMAL", {})
    return decimal.Decimal(unscaled).scaleb(-inner.get("scale", element.get("scale", 0)), decimal.Context(prec=100))


def _micros(inner: Mapping[str, Any], logical: str, number: int) -> Optional[int]:
    """Microseconds of a time; None for nanoseconds that are no whole number of them."""
    unit = next(iter(inner.get("unit", ())), "MILLIS" if logical.endswith("_MILLIS") else "MICROS")
    if unit == "NANOS" and number % 1000:
        return None
    return {"MILLIS": number * 1000, "MICROS": number, "NANOS": number // 1000}[unit]


def _time(element: Mapping[str, Any], logical: str, number: int) -> Any:
    """A time of day; a number that is none stays a number."""
    micros = _micros(element.get("logicalType", {}).get("TIME", {}), logical, number)
    if micros is None or not 0 <= micros < 86_400_000_000:
        return number
    return (_EPOCH + datetime.timedelta(microseconds=micros)).time()


def _timestamp(element: Mapping[str, Any], logical: str, number: int) -> Any:
    """A datetime, aware where the column is in UTC; nanoseconds that no datetime has stay a number."""
    inner = element.get("logicalType", {}).get("TIMESTAMP", {})
    micros = _micros(inner, logical, number)
    if micros is None:
        return number
    made = _EPOCH + datetime.timedelta(microseconds=micros)
    return made if inner.get("isAdjustedToUTC", True) else made.replace(tzinfo=None)
