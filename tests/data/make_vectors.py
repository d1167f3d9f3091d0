#!/usr/bin/env python3
"""Writes apache_python.tsv: values as Apache Thrift's own Python library encodes them.

Run by developers (pip install thrift); the output is committed. A line is: name, value as text,
hex in the Binary protocol, hex in the Compact protocol. tests/protocol/interop_python_test.cpp
reads the bytes, prints the value in the same text form, and writes it again.

A value is (type, content): integers and bools as they are, doubles as floats, strings as bytes,
uuids as uuid.UUID, struct = [(id, value)...], list and set = (element type, [value...]), map = (key
type, value type, [(key, value)...])."""

import math
import struct
import uuid
from pathlib import Path

from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer

TYPES = {
    "bool": TType.BOOL, "i8": TType.BYTE, "i16": TType.I16, "i32": TType.I32, "i64": TType.I64,
    "double": TType.DOUBLE, "string": TType.STRING, "struct": TType.STRUCT, "map": TType.MAP,
    "set": TType.SET, "list": TType.LIST, "uuid": TType.UUID,
}  # fmt: skip
WRITERS = {
    "bool": "writeBool", "i8": "writeByte", "i16": "writeI16", "i32": "writeI32", "i64": "writeI64",
    "double": "writeDouble", "string": "writeBinary", "uuid": "writeUuid",
}  # fmt: skip


def write(out, value):
    kind, content = value
    if kind in WRITERS:
        getattr(out, WRITERS[kind])(content)
    elif kind == "struct":
        out.writeStructBegin("")
        for field_id, item in content:
            out.writeFieldBegin("", TYPES[item[0]], field_id)
            write(out, item)
            out.writeFieldEnd()
        out.writeFieldStop()
        out.writeStructEnd()
    elif kind == "map":
        key, item, entries = content
        out.writeMapBegin(TYPES[key], TYPES[item], len(entries))
        for entry in entries:
            write(out, (key, entry[0]))
            write(out, (item, entry[1]))
        out.writeMapEnd()
    else:
        element, items = content
        name = kind.title()
        getattr(out, f"write{name}Begin")(TYPES[element], len(items))
        for item in items:
            write(out, (element, item))
        getattr(out, f"write{name}End")()


def text(value):
    kind, content = value
    if kind == "bool":
        return str(int(content))
    if kind in ("i8", "i16", "i32", "i64"):
        return str(content)
    if kind == "double":
        return struct.pack(">d", content).hex()
    if kind == "string":
        return "'" + content.hex() + "'"
    if kind == "uuid":
        return content.hex
    if kind == "struct":
        return "{" + ",".join(f"{i}:{item[0]}={text(item)}" for i, item in content) + "}"
    if kind == "map":
        key, item, entries = content
        if not entries:
            return "map<>[]"
        return (
            f"map<{key},{item}>["
            + ",".join(text((key, k)) + "=" + text((item, v)) for k, v in entries)
            + "]"
        )
    element, items = content
    return f"{kind}<{element}>[" + ",".join(text((element, item)) for item in items) + "]"


def hexed(protocol, value):
    memory = TMemoryBuffer()
    write(protocol(memory), value)
    return memory.getvalue().hex()


def record(*fields):
    return ("struct", [(field_id, (kind, content)) for field_id, kind, content in fields])


def samples():
    yield "empty", record()
    for kind, bits in (("i8", 8), ("i16", 16), ("i32", 32), ("i64", 64)):
        edges = {0, 1, -1, 63, 64, -64, -65, 127, -128, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1}
        yield f"{kind}_edges", record(*((i + 1, kind, n) for i, n in enumerate(sorted(edges))))
        yield f"{kind}_list", record((1, "list", (kind, sorted(edges) * 5)))
    widths = [s << b for b in range(0, 63, 3) for s in (1, -1)]
    yield "varint_widths", record((1, "list", ("i64", widths)))
    bools = ((1, True), (2, False), (30, True), (-4, False))
    yield "bools", record(*((field_id, "bool", value) for field_id, value in bools))
    entries = ("bool", "bool", [(True, False), (False, True)])
    yield "bool_elements", record((1, "list", ("bool", [True, False] * 9)), (2, "map", entries))
    doubles = [0.0, -0.0, 1.5, -1e300, 5e-324, math.inf, -math.inf, math.nan, math.pi]
    numbered = ((i + 1, "double", d) for i, d in enumerate(doubles))
    yield "doubles", record(*numbered, (40, "list", ("double", doubles)))
    texts = [b"", b"a", "h\u00e9llo \u20ac \U0001f600".encode(), bytes(range(256)), b"x" * 300]
    yield "strings", record((1, "list", ("string", texts)))
    one_uuid = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
    elements = (2, "list", ("uuid", [one_uuid] * 3))
    entries = (3, "map", ("uuid", "i8", [(one_uuid, -1)]))
    yield "uuids", record((1, "uuid", one_uuid), elements, entries)
    field_ids = (-32768, -2, 0, 1, 2, 16, 17, 33, 49, 32767)
    yield "field_ids", record(*((field_id, "i8", 1) for field_id in field_ids))
    for size in (0, 1, 14, 15, 16, 127, 128):
        yield f"list_of_{size}", record((1, "list", ("i8", [7] * size)))
        yield f"set_of_{size}", record((1, "set", ("i16", list(range(size)))))
        entries = [(i, b"v") for i in range(size)]
        yield f"map_of_{size}", record((1, "map", ("i32", "string", entries)))
    point = record((1, "i32", 3), (2, "bool", True), (20, "string", b"p"))[1]
    yield (
        "nested",
        record(
            (1, "struct", point),
            (2, "list", ("struct", [point, [], point])),
            (18, "map", ("string", "struct", [(b"k", point)])),
            (19, "list", ("list", [("i64", [1, 2]), ("i64", [])])),
            (20, "set", ("map", [("i8", "list", [(1, ("double", [0.5]))])])),
            (21, "bool", False),
            (22, "struct", [(5, ("struct", [(9, ("struct", point))]))]),
        ),
    )


def main():
    target = Path(__file__).with_name("apache_python.tsv")
    protocols = (TBinaryProtocol, TCompactProtocol)
    lines = [
        "\t".join((name, text(value), *(hexed(protocol, value) for protocol in protocols)))
        for name, value in samples()
    ]
    target.write_text("\n".join(lines) + "\n", encoding="ascii")
    print(f"{len(lines)} values, {target.stat().st_size} bytes: {target}")


if __name__ == "__main__":
    main()
