"""Binary and Compact, read and written slowly in plain Python.

A payload is bool, int, float, bytes (string, and uuid of 16 bytes), Struct, Sequence (list and set)
or Mapping. It has the wire types that it is written with, so no schema is needed.
"""

from __future__ import annotations

import random
import struct
from dataclasses import dataclass, field
from typing import Any, Optional

WIRES = {
    "stop": 0, "bool": 2, "i8": 3, "double": 4, "i16": 6, "i32": 8, "i64": 10, "string": 11,
    "struct": 12,
    "map": 13, "set": 14, "list": 15, "uuid": 16,
}  # fmt: skip
COMPACT = {
    "stop": 0, "bool": 1, "i8": 3, "i16": 4, "i32": 5, "i64": 6, "double": 7, "string": 8,
    "list": 9,
    "set": 10, "map": 11, "struct": 12, "uuid": 13,
}  # fmt: skip
NAMES = {number: name for name, number in WIRES.items() if number}
COMPACT_NAMES = {**{number: name for name, number in COMPACT.items() if number}, 2: "bool"}
INTEGER_BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
PROTOCOLS = ("binary", "compact")


class Malformed(ValueError):
    """Bytes that are not a value."""


@dataclass
class Struct:
    """Fields in wire order: [id, wire type, payload]."""

    fields: list[list[Any]] = field(default_factory=list)


@dataclass
class Sequence:
    """A list or set."""

    wire: str
    items: list[Any] = field(default_factory=list)


@dataclass
class Mapping:
    key_wire: str
    value_wire: str
    entries: list[list[Any]] = field(default_factory=list)


class Spelling:
    """Non-canonical spellings, chosen by a generator; without one the writer is canonical."""

    def __init__(self, choices: Optional[random.Random] = None, rate: float = 0.3):
        self._choices = choices
        self._rate = rate

    def deviates(self) -> bool:
        return self._choices is not None and self._choices.random() < self._rate

    def pick(self, canonical: int, *others: int) -> int:
        if self._choices is None or not self.deviates():
            return canonical
        return self._choices.choice(others)


CANONICAL = Spelling()


def write(protocol: str, wire: str, payload: Any, spelling: Spelling = CANONICAL) -> bytes:
    """The bytes of a payload."""
    writer = (BinaryWriter if protocol == "binary" else CompactWriter)(spelling)
    writer.value(wire, payload)
    return bytes(writer.out)


def read(protocol: str, data: bytes, wire: str = "struct") -> Any:
    """The payload of all bytes. Malformed if they are not exactly one value."""
    reader = (BinaryReader if protocol == "binary" else CompactReader)(data)
    payload = reader.value(wire)
    if reader.at != len(data):
        raise Malformed(f"bytes follow the value at {reader.at}")
    return payload


class BinaryWriter:
    def __init__(self, spelling: Spelling):
        self.out = bytearray()
        self.spelling = spelling

    def number(self, bits: int, value: int) -> None:
        self.out += value.to_bytes(bits // 8, "big", signed=True)

    def value(self, wire: str, payload: Any) -> None:
        if wire == "bool":
            self.out.append(self.spelling.pick(1, 2, 0x80, 0xFF) if payload else 0)
        elif wire in INTEGER_BITS:
            self.number(INTEGER_BITS[wire], payload)
        elif wire == "double":
            self.out += struct.pack(">d", payload)
        elif wire == "string":
            self.number(32, len(payload))
            self.out += payload
        elif wire == "uuid":
            self.out += payload
        elif wire == "struct":
            for number, field_wire, inner in payload.fields:
                self.out.append(WIRES[field_wire])
                self.number(16, number)
                self.value(field_wire, inner)
            self.out.append(0)
        elif wire == "map":
            self.out += bytes([WIRES[payload.key_wire], WIRES[payload.value_wire]])
            self.number(32, len(payload.entries))
            for key, inner in payload.entries:
                self.value(payload.key_wire, key)
                self.value(payload.value_wire, inner)
        else:
            self.out.append(WIRES[payload.wire])
            self.number(32, len(payload.items))
            for inner in payload.items:
                self.value(payload.wire, inner)


class CompactWriter:
    def __init__(self, spelling: Spelling):
        self.out = bytearray()
        self.spelling = spelling

    def varint(self, value: int, longest: int) -> None:
        groups = [value & 0x7F]
        while value := value >> 7:
            groups.append(value & 0x7F)
        while len(groups) < longest and self.spelling.deviates():
            groups.append(0)
        self.out += bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])

    def zigzag(self, bits: int, value: int) -> None:
        self.varint((value << 1 ^ value >> 63) & (1 << 64) - 1, 10 if bits == 64 else 5)

    def value(self, wire: str, payload: Any) -> None:
        if wire == "bool":
            self.out.append(1 if payload else self.spelling.pick(2, 0))
        elif wire == "i8":
            self.out += payload.to_bytes(1, "big", signed=True)
        elif wire in INTEGER_BITS:
            self.zigzag(INTEGER_BITS[wire], payload)
        elif wire == "double":
            self.out += struct.pack("<d", payload)
        elif wire == "string":
            self.varint(len(payload), 5)
            self.out += payload
        elif wire == "uuid":
            self.out += payload
        elif wire == "struct":
            self.fields(payload)
        elif wire == "map":
            self.varint(len(payload.entries), 5)
            if payload.entries:
                self.out.append(
                    self.element_type(payload.key_wire) << 4 | self.element_type(payload.value_wire)
                )
            for key, inner in payload.entries:
                self.value(payload.key_wire, key)
                self.value(payload.value_wire, inner)
        else:
            size = len(payload.items)
            nibble = self.element_type(payload.wire)
            if size < 15 and not self.spelling.deviates():
                self.out.append(size << 4 | nibble)
            else:
                self.out.append(0xF0 | nibble)
                self.varint(size, 5)
            for inner in payload.items:
                self.value(payload.wire, inner)

    def element_type(self, wire: str) -> int:
        """Writers differ in the type of bools in containers."""
        return self.spelling.pick(1, 2) if wire == "bool" else COMPACT[wire]

    def fields(self, payload: Struct) -> None:
        last = 0
        for number, wire, inner in payload.fields:
            kind = COMPACT[wire] if wire != "bool" or inner else 2
            delta = number - last
            if 0 < delta < 16 and not self.spelling.deviates():
                self.out.append(delta << 4 | kind)
            else:
                self.out.append(kind)
                self.zigzag(16, number)
            if wire != "bool":
                self.value(wire, inner)
            last = number
        self.out.append(0)


class BinaryReader:
    def __init__(self, data: bytes):
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        if size < 0 or size > len(self.data) - self.at:
            raise Malformed(f"{size} bytes at {self.at}")
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, bits: int) -> int:
        return int.from_bytes(self.take(bits // 8), "big", signed=True)

    def value(self, wire: str) -> Any:
        if wire == "bool":
            return self.take(1) != b"\0"
        if wire in INTEGER_BITS:
            return self.number(INTEGER_BITS[wire])
        if wire == "double":
            return struct.unpack(">d", self.take(8))[0]
        if wire == "string":
            return self.take(self.number(32))
        if wire == "uuid":
            return self.take(16)
        if wire == "struct":
            fields = []
            while code := self.take(1)[0]:
                if code not in NAMES:
                    raise Malformed(f"wire type {code} at {self.at}")
                fields.append([self.number(16), NAMES[code]])
                fields[-1].append(self.value(NAMES[code]))
            return Struct(fields)
        if wire == "map":
            codes = self.take(2)
            size = self.number(32)
            key, inner = (self.checked(code, size) for code in codes)
            return Mapping(key, inner, [[self.value(key), self.value(inner)] for _ in range(size)])
        code = self.take(1)[0]
        size = self.number(32)
        element = self.checked(code, size)
        return Sequence(element, [self.value(element) for _ in range(size)])

    def checked(self, code: int, size: int) -> str:
        if size < 0 or size > len(self.data) - self.at:
            raise Malformed(f"size {size} at {self.at}")
        if code not in NAMES and (size or code > 1):
            raise Malformed(f"wire type {code} at {self.at}")
        return NAMES.get(code, "stop")


class CompactReader(BinaryReader):
    def varint(self, longest: int) -> int:
        value = 0
        for group in range(longest):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << 7 * group
            if byte < 0x80:
                if value >> (64 if longest == 10 else 32):
                    raise Malformed(f"varint at {self.at}")
                return value
        raise Malformed(f"varint at {self.at}")

    def zigzag(self, bits: int) -> int:
        value = self.varint(10 if bits == 64 else 5)
        value = value >> 1 ^ -(value & 1)
        if not -(1 << bits - 1) <= value < 1 << bits - 1:
            raise Malformed(f"integer at {self.at}")
        return value

    def value(self, wire: str) -> Any:
        if wire == "bool":
            return self.take(1)[0] not in (0, 2)
        if wire == "i8":
            return self.number(8)
        if wire in INTEGER_BITS:
            return self.zigzag(INTEGER_BITS[wire])
        if wire == "double":
            return struct.unpack("<d", self.take(8))[0]
        if wire == "string":
            return self.take(self.varint(5))
        if wire == "uuid":
            return self.take(16)
        if wire == "struct":
            return self.fields()
        if wire == "map":
            size = self.varint(5)
            if size == 0:
                return Mapping("stop", "stop")
            code = self.take(1)[0]
            key, inner = self.element(code >> 4, size), self.element(code & 15, size)
            return Mapping(key, inner, [[self.value(key), self.value(inner)] for _ in range(size)])
        code = self.take(1)[0]
        size = self.varint(5) if code >> 4 == 15 else code >> 4
        element = self.element(code & 15, size)
        return Sequence(element, [self.value(element) for _ in range(size)])

    def element(self, code: int, size: int) -> str:
        if size > len(self.data) - self.at:
            raise Malformed(f"size {size} at {self.at}")
        if code not in COMPACT_NAMES and (size or code):
            raise Malformed(f"wire type {code} at {self.at}")
        return COMPACT_NAMES.get(code, "stop")

    def fields(self) -> Struct:
        fields: list[list[Any]] = []
        last = 0
        while header := self.take(1)[0]:
            kind = header & 15
            if kind not in COMPACT_NAMES:
                raise Malformed(f"wire type {kind} at {self.at}")
            last = last + (header >> 4) if header >> 4 else self.zigzag(16)
            wire = COMPACT_NAMES[kind]
            fields.append([last, wire, kind == 1 if wire == "bool" else self.value(wire)])
        return Struct(fields)
