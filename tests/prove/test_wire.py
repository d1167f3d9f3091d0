"""The reference codec beside Apache's Python library, and its own truncations."""

from __future__ import annotations

import random
import struct
import uuid
from typing import Any

import pytest
from proving import wire
from proving.schemas import make_schema
from proving.values import ValueMaker, normal

pytest.importorskip("thrift")
from thrift.protocol import TBinaryProtocol, TCompactProtocol  # noqa: E402
from thrift.Thrift import TType  # noqa: E402
from thrift.transport import TTransport  # noqa: E402

TYPES = {
    "bool": TType.BOOL, "i8": TType.BYTE, "i16": TType.I16, "i32": TType.I32, "i64": TType.I64,
    "double": TType.DOUBLE, "string": TType.STRING, "uuid": getattr(TType, "UUID", 16),
    "struct": TType.STRUCT, "list": TType.LIST, "set": TType.SET, "map": TType.MAP,
    "stop": TType.STOP,
}  # fmt: skip
NAMES = {number: name for name, number in TYPES.items()}
SCALARS = {
    "bool": "Bool", "i8": "Byte", "i16": "I16", "i32": "I32", "i64": "I64", "double": "Double",
    "string": "Binary", "uuid": "Uuid",
}  # fmt: skip


def protocol_of(name: str, data: bytes = b"") -> Any:
    buffer = TTransport.TMemoryBuffer(data)
    if name == "binary":
        return TBinaryProtocol.TBinaryProtocol(buffer)
    return TCompactProtocol.TCompactProtocol(buffer)


def apache_write(out: Any, kind: str, payload: Any) -> None:
    """Generic calls of a protocol of Apache's library."""
    if kind == "struct":
        out.writeStructBegin("")
        for number, inner, value in payload.fields:
            out.writeFieldBegin("", TYPES[inner], number)
            apache_write(out, inner, value)
            out.writeFieldEnd()
        out.writeFieldStop()
        out.writeStructEnd()
    elif kind == "map":
        out.writeMapBegin(TYPES[payload.key_wire], TYPES[payload.value_wire], len(payload.entries))
        for key, value in payload.entries:
            apache_write(out, payload.key_wire, key)
            apache_write(out, payload.value_wire, value)
        out.writeMapEnd()
    elif kind in ("list", "set"):
        name = kind.capitalize()
        getattr(out, f"write{name}Begin")(TYPES[payload.wire], len(payload.items))
        for item in payload.items:
            apache_write(out, payload.wire, item)
        getattr(out, f"write{name}End")()
    elif kind == "uuid":
        out.writeUuid(uuid.UUID(bytes=payload))
    else:
        getattr(out, f"write{SCALARS[kind]}")(payload)


def apache_read(source: Any, kind: str) -> Any:
    if kind == "struct":
        fields = []
        source.readStructBegin()
        while True:
            _, code, number = source.readFieldBegin()
            if code == TType.STOP:
                break
            fields.append([number, NAMES[code], apache_read(source, NAMES[code])])
            source.readFieldEnd()
        source.readStructEnd()
        return wire.Struct(fields)
    if kind == "map":
        key, inner, size = source.readMapBegin()
        entries = [
            [apache_read(source, NAMES[key]), apache_read(source, NAMES[inner])]
            for _ in range(size)
        ]
        source.readMapEnd()
        names = (NAMES[key], NAMES[inner]) if size else ("stop", "stop")
        return wire.Mapping(*names, entries)
    if kind in ("list", "set"):
        name = kind.capitalize()
        element, size = getattr(source, f"read{name}Begin")()
        items = [apache_read(source, NAMES[element]) for _ in range(size)]
        getattr(source, f"read{name}End")()
        return wire.Sequence(NAMES[element], items)
    if kind == "uuid":
        return source.readUuid().bytes
    return getattr(source, f"read{SCALARS[kind]}")()


def cases(count: int) -> list[Any]:
    payloads = []
    for seed in range(count):
        choices = random.Random(seed)
        maker = ValueMaker(choices, unknown_rate=0.3, strange_reals=True)
        payloads.append(maker.value(make_schema(choices).root))
    return payloads


def has_uuid(payload: Any) -> bool:
    return "uuid" in repr(payload)


@pytest.mark.parametrize("protocol", wire.PROTOCOLS)
def test_bytes_equal_those_of_apaches_library(protocol):
    compared = 0
    for payload in cases(300):
        if has_uuid(payload) and not hasattr(TType, "UUID"):
            continue
        out = protocol_of(protocol)
        apache_write(out, "struct", payload)
        data = out.trans.getvalue()
        assert wire.write(protocol, "struct", payload) == data
        actual = apache_read(protocol_of(protocol, data), "struct")
        assert normal(None, "struct", wire.read(protocol, data)) == normal(None, "struct", actual)
        compared += 1
    assert compared > 100


@pytest.mark.parametrize("protocol", wire.PROTOCOLS)
def test_spellings_are_the_same_value_to_apaches_library(protocol):
    compared = 0
    for seed, payload in enumerate(cases(300)):
        if has_uuid(payload) and not hasattr(TType, "UUID"):
            continue
        data = wire.write(protocol, "struct", payload, wire.Spelling(random.Random(seed)))
        actual = apache_read(protocol_of(protocol, data), "struct")
        assert normal(None, "struct", wire.read(protocol, data)) == normal(None, "struct", actual)
        assert normal(None, "struct", actual) == normal(None, "struct", payload)
        compared += data != wire.write(protocol, "struct", payload)
    assert compared > 30


@pytest.mark.parametrize("protocol", wire.PROTOCOLS)
def test_truncated_bytes_are_malformed(protocol):
    for payload in cases(20):
        data = wire.write(protocol, "struct", payload)
        for size in range(min(len(data), 200)):
            with pytest.raises((wire.Malformed, struct.error)):
                wire.read(protocol, data[:size])
