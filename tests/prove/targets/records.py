"""scan, messages, columns."""

from __future__ import annotations

import base64
import gzip
import importlib
import io
import struct
import zlib
from typing import Any, Callable

import thriftlens as tl
from proving import wire
from proving.case import Case, error_of, expect, expect_true
from proving.plain import decoded, difference, listed
from proving.registry import target
from proving.schemas import Kind

KINDS = ("call", "reply", "exception", "oneway")


def varint(size: int) -> bytes:
    writer = wire.CompactWriter(wire.CANONICAL)
    writer.varint(size, 5)
    return bytes(writer.out)


FRAMES: dict[str, Callable[[bytes], bytes]] = {
    "none": lambda record: record,
    "u32": lambda record: struct.pack(">I", len(record)) + record,
    "u32le": lambda record: struct.pack("<I", len(record)) + record,
    "varint": lambda record: varint(len(record)) + record,
    "kafka": lambda record: struct.pack(">i", len(record)) + record,
    # A word of one byte after other text is taken for text.
    "base64": lambda record: (
        b"12:00 name "[: 11 * (len(record) > 1)] + base64.b64encode(record) + b"\n"
    ),
    "hex": lambda record: record.hex().encode() + b"\n",
}


def pieces(case: Case, data: bytes) -> list[bytes]:
    cuts = sorted(case.choices.choices(range(len(data) + 1), k=case.choices.randint(1, 6)))
    return [data[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(data)])]


@target("scan", "Scan", "Writer", "Writer.write", "Writer.write_all", "Writer.close")
def scan(seed: int) -> None:
    case = Case(seed)
    payloads = [case.payload, *(case.draw(case.root) for _ in range(case.choices.randint(0, 3)))]
    records = [wire.write(case.protocol, "struct", item, case.spelling) for item in payloads]
    payloads = [wire.read(case.protocol, record) for record in records]
    framing = case.choices.choice(list(FRAMES))
    framed = [FRAMES[framing](record) for record in records]
    data = b"".join(framed)
    options: Any = {"framing": framing, "protocol": case.protocol, "compression": "none"}
    expected = [decoded(case.root, item) for item in payloads]
    expect([*tl.scan(data, case.type, to="dict", **options)], expected)
    expect([*tl.scan(pieces(case, data), case.type, to="bytes", **options)], records)
    views = [*tl.scan(pieces(case, data), case.type, **options)]
    expect([view.to_dict() for view in views], expected)
    offsets = [len(b"".join(framed[:at])) for at in range(len(framed))]
    if not any(field.name in ("record", "record_offset") for field in case.root.fields):
        expect([view.record for view in views], [*range(len(views))])
    file = io.BytesIO()
    with tl.Writer(file, framing=framing) as writer:
        writer.write_all(records)
    expect([*tl.scan(file.getvalue(), case.type, to="bytes", **options)], records)
    texts = [case.type.to_json(record, protocol=case.protocol) for record in records]
    expect([*tl.scan(iter([data]), case.type, to="json", **options)], texts)
    middle = case.choices.randrange(len(records))
    first = tl.scan(data, case.type, to="bytes", limit=middle, **options)
    expect([*first], records[:middle])
    expect((first.offset, first.number), (offsets[middle] if middle else 0, middle))
    rest = tl.scan(data, case.type, to="bytes", start=first.offset, number=first.number, **options)
    expect([*rest], records[middle:])
    packed = layered(case, data)
    if framing not in ("base64", "hex"):
        options["compression"] = "auto"
        expect([*tl.scan(packed, case.type, to="bytes", **options)], records)
    options["compression"] = "none"
    cut = data[: case.choices.randrange(len(data) + 1)]
    complete = 0
    for at, record in enumerate(framed):
        complete += len(b"".join(framed[: at + 1])) <= len(cut)
    out: list[Any] = []
    code = error_of(lambda: out.extend([*tl.scan(cut, case.type, to="bytes", **options)]))
    expect_true(code is None or len(out) <= complete)
    if framing not in ("base64", "hex"):
        dropped = tl.scan(cut, case.type, to="bytes", truncated="drop", **options)
        expect([*dropped], records[:complete])


def layered(case: Case, data: bytes) -> bytes:
    for _ in range(case.choices.randint(1, 2)):
        data = case.choices.choice((gzip.compress, zlib.compress))(data)
    return data


@target("scan", "Rejected")
def scan_with_faults(seed: int) -> None:
    """Records that cannot be read, in frames, are skipped, replaced or rejected one by one."""
    case = Case(seed, unknown_rate=0)
    payloads = [case.draw(case.root) for _ in range(case.choices.randint(1, 5))]
    records = [case.canonical(item) for item in payloads]
    faulty = [len(record) > 1 and case.choices.random() < 0.4 for record in records]
    stored = [record[:-1] if bad else record for record, bad in zip(records, faulty)]
    framing = case.choices.choice(("u32", "u32le", "varint", "hex"))
    framed = [FRAMES[framing](record) for record in stored]
    options: Any = {
        "framing": framing, "protocol": case.protocol, "to": "dict", "compression": "none",
    }  # fmt: skip
    data = b"".join(framed)
    values = [
        None if bad else decoded(case.root, wire.read(case.protocol, record))
        for record, bad in zip(records, faulty)
    ]
    sound = [value for value, bad in zip(values, faulty) if not bad]
    expect([*tl.scan(data, case.type, on_error="skip", **options)], sound)
    expect([*tl.scan(data, case.type, on_error="null", **options)], values)
    rejected: list[Any] = []
    expect([*tl.scan(data, case.type, on_error=rejected.append, **options)], sound)
    expect([item.number for item in rejected], [at for at, bad in enumerate(faulty) if bad])
    expect([item.data for item in rejected], [item for item, bad in zip(framed, faulty) if bad])
    if any(faulty):
        try:
            [*tl.scan(data, case.type, **options)]
            raise AssertionError("no error")
        except tl.DecodeError as error:
            first = faulty.index(True)
            expect((error.record, error.record_offset), (first, len(b"".join(framed[:first]))))


def message_bytes(protocol: str, name: str, kind: str, number: int, body: bytes) -> bytes:
    code = {"call": 1, "reply": 2, "exception": 3, "oneway": 4}[kind]
    text = name.encode()
    if protocol == "binary":
        return (
            struct.pack(">HBBi", 0x8001, 0, code, len(text))
            + text
            + struct.pack(">i", number)
            + body
        )
    return (
        bytes([0x82, code << 5 | 1]) + varint(number & 0xFFFFFFFF) + varint(len(text)) + text + body
    )


@target("read_message", "Message", "Message.to_bytes", "Message.decode",
        "Message.to_json", "Message.view", "Message.type", "Message.is_known",
        "application_exception", "scan", "Schema.service", "Service.function")  # fmt: skip
def messages(seed: int) -> None:
    case = Case(seed)
    if not case.schema.services:
        return
    service = case.schema.services[-1]
    stored = []
    for function in service.all_functions():
        kind = case.choices.choice(("oneway",) if function.oneway else ("call", "reply"))
        struct_kind = function.result if kind == "reply" else function.arguments
        payload = draw_arguments(case, struct_kind, kind == "reply")
        number = case.choices.choice((0, 1, 77, 2**31 - 1))
        body = wire.write(case.protocol, "struct", payload)
        data = message_bytes(case.protocol, function.name, kind, number, body)
        message = tl.read_message(data, case.idl.service(service.name))
        expect(message[:3], (function.name, kind, number))
        expect(bytes(message.data), body)
        expect(message.decode(), decoded(struct_kind, wire.read(case.protocol, body)))
        expect_true(message.is_known)
        expect(message.view().to_dict(), message.decode())
        expect(message.to_json(), message.type.to_json(body, protocol=case.protocol))
        expect(message.to_bytes(), data)
        expect(message.to_bytes(framed=True), struct.pack(">I", len(data)) + data)
        built = tl.Message(function.name, kind, number, body, case.protocol)
        expect(built.to_bytes(), data)
        stored.append((data, function.name, body))
    stream = b"".join(data for data, _, _ in stored)
    framed = b"".join(struct.pack(">I", len(data)) + data for data, _, _ in stored)
    for text in (stream, framed):
        scanned = [*tl.scan(pieces(case, text), case.idl, framing="message")]
        expect([(item.name, bytes(item.data)) for item in scanned], [item[1:] for item in stored])
    fault = wire.Struct([[1, "string", b"text"], [2, "i32", 6]])
    data = message_bytes(case.protocol, "f", "exception", 3, case.canonical(fault))
    message = tl.read_message(data)
    expect(message.decode(), {"message": "text", "type": 6})
    expect(
        tl.application_exception().encode({"message": "text", "type": 6}, protocol=case.protocol),
        case.canonical(fault),
    )


def draw_arguments(case: Case, kind: Kind, is_result: bool) -> wire.Struct:
    """A result has one field."""
    payload = wire.Struct()
    fields = kind.fields
    if is_result and fields:
        fields = [case.choices.choice(fields)]
    for field in fields:
        payload.fields.append([field.id, field.type.wire, case.draw(field.type)])
    return payload


# Columns


def column_value(kind: Kind, value: Any) -> Any:
    """A decoded value as Arrow's libraries return it."""
    if value is None:
        return None
    if kind.is_record:
        return {
            field.name: column_value(field.type, value.get(field.name)) for field in kind.fields
        }
    if kind.kind in ("list", "set"):
        return [column_value(kind.inner, item) for item in value]
    if kind.kind == "map":
        return [
            (column_value(kind.keys, as_struct(kind.keys, key)), column_value(kind.inner, item))
            for key, item in value.items()
        ]
    return value.bytes if kind.kind == "uuid" else value


def as_struct(kind: Kind, key: Any) -> Any:
    """The dict of a key, which decode returns as a tuple of pairs."""
    if kind.is_record:
        return {
            name: as_struct(next(field.type for field in kind.fields if field.name == name), item)
            for name, item in key
        }
    if kind.kind == "map":
        return {name: as_struct(kind.inner, item) for name, item in key}
    if kind.kind in ("list", "set"):
        return [as_struct(kind.inner, item) for item in key]
    return key


def is_recursive(kind: Kind, outer: tuple[Kind, ...] = ()) -> bool:
    if kind in outer or any(kind.fields is item.fields for item in outer if kind.fields):
        return True
    inner = [*(field.type for field in kind.fields)] if kind.is_record else []
    inner += [item for item in (kind.key, kind.element) if item is not None]
    return any(is_recursive(item, (*outer, kind)) for item in inner)


@target("Type.columns", "Type.arrow_schema", "Type.from_columns", cost=3)
def columns(seed: int) -> None:
    """Rows of all records, and the records of the rows."""
    pyarrow = importlib.import_module("pyarrow")
    case = Case(seed, unknown_rate=0, shuffle_rate=0)
    if is_recursive(case.root) or case.root.kind == "union":
        return
    payloads = [case.payload, *(case.draw(case.root) for _ in range(case.choices.randint(0, 20)))]
    records: list[Any] = [
        wire.write(case.protocol, "struct", item, case.spelling) for item in payloads
    ]
    table = pyarrow.table(
        case.type.columns(
            records, protocol=case.protocol, batch_size=case.choices.choice((1, 3, 1 << 16))
        )
    )
    ordered = [listed_rows(case, record) for record in records]
    rows = table.to_pylist()
    expect(len(rows), len(ordered))
    for row, expected in zip(rows, ordered):
        text = difference(row, expected)
        expect_true(not text, text)
    expect_true(pyarrow.schema(case.type.arrow_schema()).equals(table.schema), (table.schema,))
    restored = [*case.type.from_columns(table, protocol=case.protocol)]
    for data, record in zip(restored, records):
        expect([*case.type.diff(data, record, protocol=case.protocol)], [])


def listed_rows(case: Case, record: bytes) -> Any:
    return column_value(case.root, listed(case.root, wire.read(case.protocol, record)))
