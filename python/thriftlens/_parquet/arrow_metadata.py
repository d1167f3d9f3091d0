"""Changes to the metadata in a serialized Arrow schema, the entry `ARROW:schema` of Parquet files: a message of Arrow's IPC format, in base64.

The FlatBuffers tables are changed in place. Removed strings are overwritten with zeros, so that their bytes are gone."""

from __future__ import annotations

import base64
import binascii
import struct
from typing import Callable, Iterator, Optional, Union

_CONTINUATION = b"\xff\xff\xff\xff"  # begins a message since Arrow 0.15
_SCHEMA = 1  # type of a message's header
_MAX_FIELDS = 1 << 20
_MAX_DEPTH = 1024

Keep = Callable[[str, str, bool], Union[bool, str]]
"""Of a key, its value, and whether they belong to a field: True keeps the entry, False removes it, a string replaces the value."""


class BrokenSchema(ValueError):
    """The text is not the base64 of a message with a schema."""


def changed_metadata(text: str, keep: Keep) -> str:
    """The schema after `keep` has judged every entry of its metadata and that of its fields; the same text if nothing changed. Raises BrokenSchema."""
    try:
        schema = _Schema(base64.b64decode(text, validate=True))
        schema.change(keep)
    except (binascii.Error, struct.error, IndexError, UnicodeEncodeError) as error:
        raise BrokenSchema(f"broken Arrow schema: {error}") from None
    return base64.b64encode(schema.message()).decode() if schema.is_changed else text


class _Schema:
    def __init__(self, message: bytes):
        start = 8 if message[:4] == _CONTINUATION else 4
        (size,) = struct.unpack_from("<i", message, start - 4)
        if not 0 < size <= len(message) - start:
            raise BrokenSchema("broken Arrow schema: the size of the message")
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

    def change(self, keep: Keep) -> None:
        """Applies `keep` to all entries."""
        message = self._uint(0)
        kind = self._slot(message, 1)
        if kind is None or self._data[kind] != _SCHEMA:
            raise BrokenSchema("broken Arrow schema: the message has no schema")
        schema = self._target(message, 2)
        if schema is None:
            raise BrokenSchema("broken Arrow schema: the message has no schema")
        self._change_entries(message, 4, keep, False)
        self._change_entries(schema, 2, keep, False)
        self._change_fields(schema, 1, keep, _MAX_DEPTH)

    def _change_fields(self, table: int, slot: int, keep: Keep, depth: int) -> None:
        for _, field in self._tables(table, slot):
            self._fields_left -= 1
            if depth == 0 or self._fields_left < 0:
                raise BrokenSchema("broken Arrow schema: too many fields")
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
                self._erase(entry, 0)
                self._erase(entry, 1)
                removed.append(index)
        vector = self._target(table, slot)
        if vector is not None and removed:
            self._remove(vector, set(removed))

    # FlatBuffers: a table begins with the distance back to its list of slots, an offset is a distance forward.

    def _uint(self, at: int) -> int:
        if at < 0:
            raise IndexError("an offset before the message")
        return int(struct.unpack_from("<I", self._data, at)[0])

    def _slot(self, table: int, slot: int) -> Optional[int]:
        """Where a value of a table lies; None if it is absent."""
        slots = table - int(struct.unpack_from("<i", self._data, table)[0])
        if not 0 <= slots <= len(self._data) - 4:
            raise IndexError("a table without slots")
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
            raise IndexError("a vector past the end of the message")
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
            raise IndexError("a string past the end of the message")
        return at + 4, end

    def _text(self, table: int, slot: int) -> str:
        begin, end = self._bytes(table, slot)
        return self._data[begin:end].decode("utf-8", "replace")

    def _erase(self, table: int, slot: int) -> None:
        begin, end = self._bytes(table, slot)
        self._data[begin:end] = bytes(end - begin)

    def _replace(self, table: int, slot: int, text: str) -> None:
        """Adds the string at the end, and makes the slot lead there."""
        at = self._slot(table, slot)
        if at is None:
            raise IndexError("an entry without a value")
        self._erase(table, slot)
        self._data += bytes(-len(self._data) % 4)
        struct.pack_into("<I", self._data, at, len(self._data) - at)
        data = text.encode()
        self._data += struct.pack("<I", len(data)) + data + b"\0"
        self._data += bytes(-len(self._data) % 4)
        self.is_changed = True

    def _remove(self, vector: int, indices: set[int]) -> None:
        """Takes elements out of a vector of tables."""
        count = self._uint(vector)
        targets = [at + self._uint(at) for at in range(vector + 4, vector + 4 + 4 * count, 4)]
        kept = [target for index, target in enumerate(targets) if index not in indices]
        struct.pack_into("<I", self._data, vector, len(kept))
        for index, target in enumerate(kept):
            at = vector + 4 + 4 * index
            struct.pack_into("<I", self._data, at, target - at)
        self._data[vector + 4 + 4 * len(kept) : vector + 4 + 4 * count] = bytes(4 * (count - len(kept)))
        self.is_changed = True
