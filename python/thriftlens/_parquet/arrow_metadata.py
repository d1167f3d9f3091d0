"""Changes to a serialized Arrow schema, the entry `ARROW:schema` of Parquet files: an IPC message
in base64.

The FlatBuffers tables are changed in place. Removed strings are overwritten with zeros, so that
their bytes are gone."""

from __future__ import annotations

import base64
import binascii
import itertools
import struct
from typing import Callable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

_CONTINUATION = b"\xff\xff\xff\xff"  # begins a message since Arrow 0.15
_SCHEMA = 1  # type of a message's header
_MAX_FIELDS = 1 << 20
_MAX_DEPTH = 1024
_KINDS = {13: "struct", 17: "map", **dict.fromkeys((12, 16, 21, 25, 26), "list")}
"""Kinds of fields by the number of their type."""

Keep = Callable[[str, str, bool], Union[bool, str]]
"""Of a key, its value, and whether they belong to a field: True keeps the entry, False removes it,
a string replaces the value."""


class BrokenSchema(ValueError):
    """The text is not the base64 of a message with a schema."""


def changed_metadata(text: str, keep: Keep) -> str:
    """The schema after `keep` has judged every entry of its metadata and that of its fields; the
    same text if nothing changed. Raises BrokenSchema."""
    return _changed(text, lambda schema: schema.change(keep))


class Field(NamedTuple):
    """A field with its new name, None if it is removed."""

    name: str
    new_name: Optional[str]
    kind: str
    """"value", "struct", "list" with its element as child, or "map" with key and value."""
    children: Sequence[Field] = ()
    is_repeated: bool = False

    @property
    def is_changed(self) -> bool:
        return self.new_name != self.name or self.has_changes

    @property
    def has_changes(self) -> bool:
        """Whether a field below it is changed."""
        return any(child.is_changed for child in self.children)


def renamed_fields(text: str, fields: Sequence[Field], metadata: Mapping[str, str]) -> str:
    """The schema with new names, and the entries of `metadata` that it lacks: readers prefer its
    metadata to the file's. Raises BrokenSchema, also if it has other fields."""

    def change(schema: _Schema) -> None:
        schema.rename(fields)
        schema.add_metadata(metadata)

    return _changed(text, change)


def _changed(text: str, change: Callable[[_Schema], None]) -> str:
    try:
        schema = _Schema(base64.b64decode(text, validate=True))
        change(schema)
    except (binascii.Error, struct.error, LookupError, UnicodeEncodeError) as error:
        raise BrokenSchema(f"invalid Arrow schema: {error}") from None
    return base64.b64encode(schema.message()).decode() if schema.is_changed else text


def _entries(rows: Mapping[bytes, bytes]) -> bytes:
    """A vector of tables with a key and a value each; its size is a multiple of eight."""
    table = 12 + 4 * len(rows)  # where the first begins, after their list of slots
    vector, tables, texts = struct.pack("<I", len(rows)), struct.pack("<4H", 8, 12, 4, 8), b""
    first_text = table + 12 * len(rows)
    for row in rows.items():
        vector += struct.pack("<I", table - len(vector))
        tables += struct.pack("<i", len(tables))
        for value in row:
            at = 4 + 4 * len(rows) + len(tables)
            tables += struct.pack("<I", first_text + len(texts) - at)
            texts += struct.pack("<I", len(value)) + value + bytes(4 - len(value) % 4)
        table += 12
    data = vector + tables + texts
    return data + bytes(-len(data) % 8)


class _Schema:
    def __init__(self, message: bytes):
        start = 8 if message[:4] == _CONTINUATION else 4
        (size,) = struct.unpack_from("<i", message, start - 4)
        if not 0 < size <= len(message) - start:
            raise BrokenSchema("invalid Arrow schema: the size of the message")
        self._front = message[: start - 4]
        self._data = bytearray(message[start : start + size])
        self._rest = message[start + size :]
        self._fields_left = _MAX_FIELDS
        self.is_changed = False

    def message(self) -> bytes:
        """All of it, with the size that it now has."""
        padding = -(len(self._data) + len(self._front) + 4) % 8
        data = bytes(self._data) + bytes(padding)
        return self._front + struct.pack("<i", len(data)) + data + self._rest

    def _tables_of_message(self) -> tuple[int, int]:
        """The message and the schema in it."""
        message = self._uint(0)
        kind, schema = self._slot(message, 1), self._target(message, 2)
        if kind is None or self._data[kind] != _SCHEMA or schema is None:
            raise BrokenSchema("invalid Arrow schema: the message has no schema")
        return message, schema

    def change(self, keep: Keep) -> None:
        """Applies `keep` to all entries."""
        message, schema = self._tables_of_message()
        self._change_entries(message, 4, keep, False)
        self._change_entries(schema, 2, keep, False)
        self._change_fields(schema, 1, keep, _MAX_DEPTH)

    def add_metadata(self, entries: Mapping[str, str]) -> None:
        """Adds the entries that the schema lacks.

        Offsets lead forward only: new tables are put first."""
        message, schema = self._tables_of_message()
        old_entries = [entry for _, entry in self._tables(schema, 2)]
        rows = {self._raw(entry, 0): self._raw(entry, 1) for entry in old_entries}
        new_rows = {key.encode(): value.encode() for key, value in entries.items()}
        if new_rows.keys() <= rows.keys():
            return
        for entry, slot in itertools.product(old_entries, (0, 1)):
            self._erase(entry, slot)
        vector = _entries({**new_rows, **rows})
        head = self._head(message, schema, 64 + len(vector))
        self._data = bytearray(head + vector) + self._data[4:]
        self.is_changed = True

    def _head(self, message: int, schema: int, moved: int) -> bytes:
        """New tables of the message and the schema, 64 bytes, followed by the entries. moved: how
        far the old tables move."""

        def offset(table: int, slot: int, at: int) -> int:
            target = self._target(table, slot)
            return 0 if target is None else target + moved - at

        def number(table: int) -> bytes:
            at = self._slot(table, 0)
            return bytes(2) if at is None else bytes(self._data[at : at + 2])

        extra, features = offset(message, 4, 28), offset(schema, 3, 60)
        head = struct.pack("<I7H2x", 20, 14, 16, 12, 14, 4, 0, 8 if extra else 0)
        head += struct.pack("<iII2sB1x", 16, 24, extra, number(message), _SCHEMA)
        head += struct.pack("<6H", 12, 20, 16, 4, 8, 12 if features else 0)
        fields = offset(schema, 1, 52)
        return head + struct.pack("<iIII2s2x", 12, fields, 12, features, number(schema))

    def rename(self, fields: Sequence[Field]) -> None:
        """Applies the new names of fields."""
        self._rename_fields(self._tables_of_message()[1], 1, fields)

    def _rename_fields(self, table: int, slot: int, fields: Sequence[Field]) -> None:
        """Of a schema or a struct, by their names."""
        tables = [*self._tables(table, slot)]
        children = {self._text(child, 0): (index, child) for index, child in tables}
        removed = set()
        for field in fields:
            if field.is_changed:
                index, child = children[field.name]
                if field.new_name is None:
                    self._erase(child, 0)
                    removed.add(index)
                else:
                    self._rename_field(child, field)
        if len(children) != len(tables):
            raise BrokenSchema("duplicate field name")
        vector = self._target(table, slot)
        if vector is not None and removed:
            self._remove(vector, removed)

    def _rename_field(self, table: int, field: Field) -> None:
        if field.new_name is not None and field.new_name != field.name:
            self._replace(table, 0, field.new_name)
        if field.has_changes:
            self._rename_children(table, field)

    def _rename_children(self, table: int, field: Field) -> None:
        """Applies the new names of the fields in a struct, a list or a map."""
        metadata = [self._text(entry, 0) for _, entry in self._tables(table, 6)]
        if "ARROW:extension:name" in metadata or self._slot(table, 4) is not None:
            raise BrokenSchema("an extension type or dictionary has different fields")
        children = [child for _, child in self._tables(table, 5)]
        kind = self._kind(table)
        if kind == field.kind == "struct":
            self._rename_fields(table, 5, field.children)
        elif kind == field.kind == "list" and len(children) == 1:
            self._rename_field(children[0], field.children[0])
        elif kind == field.kind == "map" and len(children) == 1:
            for (_, part), part_field in zip(self._tables(children[0], 5), field.children):
                self._rename_field(part, part_field)
        else:
            raise BrokenSchema(f"field {field.name!r} has a different type")

    def _kind(self, table: int) -> str:
        """The kind of a field's type, as in Field."""
        at = self._slot(table, 2)
        return "value" if at is None else _KINDS.get(self._data[at], "value")

    def _change_fields(self, table: int, slot: int, keep: Keep, depth: int) -> None:
        for _, field in self._tables(table, slot):
            self._fields_left -= 1
            if depth == 0 or self._fields_left < 0:
                raise BrokenSchema("invalid Arrow schema: too many fields")
            self._change_entries(field, 6, keep, True)
            self._change_fields(field, 5, keep, depth - 1)

    def _change_entries(self, table: int, slot: int, keep: Keep, is_field: bool) -> None:
        removed = []
        for index, entry in self._tables(table, slot):
            value = self._text(entry, 1)
            verdict = keep(self._text(entry, 0), value, is_field)
            if isinstance(verdict, str):
                if verdict != value:
                    self._replace(entry, 1, verdict)
            elif not verdict:
                removed.append(index)
                for part in (0, 1):
                    self._erase(entry, part)
        vector = self._target(table, slot)
        if vector is not None and removed:
            self._remove(vector, set(removed))

    # FlatBuffers: a table begins with the distance back to its list of slots, an offset is a
    # distance forward.

    def _uint(self, at: int) -> int:
        if at < 0:
            raise IndexError("an offset points before the message")
        return int(struct.unpack_from("<I", self._data, at)[0])

    def _slot(self, table: int, slot: int) -> Optional[int]:
        """Where a value of a table lies; None if it is absent."""
        slots = table - int(struct.unpack_from("<i", self._data, table)[0])
        if not 0 <= slots <= len(self._data) - 4:
            raise IndexError("the vtable of a table is missing")
        (size,) = struct.unpack_from("<H", self._data, slots)
        if 4 + 2 * slot >= size:
            return None
        (offset,) = struct.unpack_from("<H", self._data, slots + 4 + 2 * slot)
        return table + offset if offset else None

    def _target(self, table: int, slot: int) -> Optional[int]:
        at = self._slot(table, slot)
        return None if at is None else at + self._uint(at)

    def _tables(self, table: int, slot: int) -> Iterator[tuple[int, int]]:
        """The tables of a vector, with their numbers."""
        vector = self._target(table, slot)
        count = 0 if vector is None else self._uint(vector)
        if count > len(self._data) // 4:
            raise IndexError("a vector extends past the end of the message")
        for index in range(count):
            assert vector is not None
            at = vector + 4 + 4 * index
            yield index, at + self._uint(at)

    def _bytes(self, table: int, slot: int) -> tuple[int, int]:
        """Begin and end of the bytes of a string."""
        at = self._target(table, slot)
        if at is None:
            return 0, 0
        end = at + 4 + self._uint(at)
        if end > len(self._data):
            raise IndexError("a string extends past the end of the message")
        return at + 4, end

    def _raw(self, table: int, slot: int) -> bytes:
        begin, end = self._bytes(table, slot)
        return bytes(self._data[begin:end])

    def _text(self, table: int, slot: int) -> str:
        return self._raw(table, slot).decode("utf-8", "replace")

    def _erase(self, table: int, slot: int) -> None:
        begin, end = self._bytes(table, slot)
        self._data[begin:end] = bytes(end - begin)

    def _replace(self, table: int, slot: int, text: str) -> None:
        """Adds the string at the end, and makes the slot lead there."""
        at = self._slot(table, slot)
        if at is None:
            raise IndexError("an entry has no value")
        self._erase(table, slot)
        target = self._append_string(text)
        struct.pack_into("<I", self._data, at, target - at)
        self.is_changed = True

    def _append_string(self, text: str) -> int:
        """Adds a string at the end. Returns its position."""
        self._data += bytes(-len(self._data) % 4)
        position, data = len(self._data), text.encode()
        self._data += struct.pack("<I", len(data)) + data + b"\0"
        self._data += bytes(-len(self._data) % 4)
        return position

    def _remove(self, vector: int, indices: set[int]) -> None:
        """Takes elements out of a vector of tables."""
        count = self._uint(vector)
        targets = [at + self._uint(at) for at in range(vector + 4, vector + 4 + 4 * count, 4)]
        remaining = [target for index, target in enumerate(targets) if index not in indices]
        struct.pack_into("<I", self._data, vector, len(remaining))
        for index, target in enumerate(remaining):
            at = vector + 4 + 4 * index
            struct.pack_into("<I", self._data, at, target - at)
        self._data[vector + 4 + 4 * len(remaining) : vector + 4 + 4 * count] = bytes(
            4 * (count - len(remaining))
        )
        self.is_changed = True
