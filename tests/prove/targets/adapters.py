"""Records of other libraries: Kafka, Arrow, Polars, DuckDB, modules of IDL, annotated classes."""

from __future__ import annotations

import copy
import dataclasses
import datetime
import importlib
import json
import struct
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Annotated, Any

import thriftlens as tl
from proving import wire
from proving.case import Case, error_of, expect, expect_payload, expect_true
from proving.plain import decoded, difference, json_tree, known_only, parsed_json, same_json
from proving.registry import target

from targets.records import FRAMES, is_recursive, listed_rows
from targets.selections import draw_selection, trimmed


@target("kafka", "kafka.ThriftDeserializer", "kafka.ThriftSerializer")
def kafka(seed: int) -> None:
    """Records with the number of their type in a prefix, or its name in a header."""
    case = Case(seed, unknown_rate=0)
    types = {7 + at: case.idl[kind.text] for at, kind in enumerate(case.schema.records)}
    number = case.choices.choice([*types])
    kind = case.schema.records[number - 7]
    payload = case.draw(kind)
    data = case.canonical(payload)
    options: Any = {"protocol": case.protocol}
    read = tl.kafka.ThriftDeserializer(types, prefix="confluent", **options)
    prefixed = struct.pack(">BI", 0, number) + data
    expect(read(prefixed), decoded(kind, wire.read(case.protocol, data)))
    expect(read(None), None)
    for broken in (b"\1" + prefixed[1:], prefixed[:4], struct.pack(">BI", 0, 999) + data):
        expect(error_of(lambda: read(broken)), "bad_frame")
    headers: list[Any] = [("other", b"S0")]
    named: Any = SimpleNamespace(headers=headers)
    value = read(prefixed)
    write = tl.kafka.ThriftSerializer(types[number], header="type", **options)
    expect_payload(kind, write(value, named) or b"", payload, case.protocol)
    expect(headers[1:], [("type", kind.text.encode())])
    by_header = tl.kafka.ThriftDeserializer(case.idl, header="type", to="view", **options)
    expect(by_header(data, named).to_dict(), value)
    write = tl.kafka.ThriftSerializer(
        types[number], prefix="confluent", schema_id=number, **options
    )
    written = write(value) or b""
    expect(written[:5], prefixed[:5])
    expect_payload(kind, written[5:], payload, case.protocol)
    if kind is case.root:
        chosen, text = draw_selection(case.choices, kind)
        selected = tl.kafka.ThriftDeserializer(types[number], text, to="bytes", **options)
        expected = trimmed(kind, wire.read(case.protocol, data), chosen, "selected", "omit")
        expect_payload(kind, selected(data), expected, case.protocol, text)


@target("importer", "importer.install", "importer.uninstall", cost=5)
def imported_modules(seed: int) -> None:
    """The classes of a module read and write like the type."""
    case = Case(seed, unknown_rate=0)
    name = f"case{seed}_thrift"
    with TemporaryDirectory() as folder:
        Path(folder, f"case{seed}.thrift").write_text(case.schema.text, encoding="utf-8")
        sys.path.insert(0, folder)
        tl.importer.install()
        try:
            module: Any = importlib.import_module(name)
        finally:
            tl.importer.uninstall()
            sys.path.remove(folder)
            sys.modules.pop(name, None)
    expect_true({*module.__all__} >= {record.text for record in case.schema.records})
    for record in case.schema.records:
        data = case.canonical(case.draw(record))
        class_ = getattr(module, record.text)
        type_ = module.__schema__[record.text]
        if record.kind != "exception":
            value = class_.decode(data, protocol=case.protocol)
            expect(value.encode(protocol=case.protocol),
                   type_.encode(value, protocol=case.protocol))  # fmt: skip
        expect(type_.decode(data, protocol=case.protocol),
               decoded(record, wire.read(case.protocol, data)))  # fmt: skip
    for enum in case.schema.enums:
        expect({item.name: int(item) for item in getattr(module, enum.text)}, enum.members)


@target("arrow", "arrow.from_thrift", "arrow.FromThrift", "arrow.to_thrift", "arrow.ToThrift",
        "polars", "polars.scan_thrift", "duckdb", "duckdb.scan_thrift", "duckdb.register_thrift",
        "scan_columns", "Scan.pieces", cost=8)  # fmt: skip
def engines(seed: int) -> None:
    """Every engine has the rows of the reference implementation."""
    pyarrow: Any = importlib.import_module("pyarrow")
    case = Case(seed, unknown_rate=0, shuffle_rate=0)
    if is_recursive(case.root) or case.root.kind == "union":
        return
    payloads = [case.payload, *(case.draw(case.root) for _ in range(case.choices.randint(0, 6)))]
    records = [wire.write(case.protocol, "struct", item, case.spelling) for item in payloads]
    expected = [listed_rows(case, record) for record in records]
    column = {"key": [*range(len(records))], "value": pyarrow.array(records, pyarrow.binary())}
    read = tl.arrow.from_thrift("value", case.type, protocol=case.protocol)
    table = read(pyarrow.table(column))
    expect_rows(table.to_pylist(), expected)
    expect_true(read.schema.equals(table.schema))
    restored = tl.arrow.to_thrift(case.type, "record", protocol=case.protocol)(table)
    for data, record in zip(restored.column("record").to_pylist(), records):
        expect([*case.type.diff(data, record, protocol=case.protocol)], [])
    framing = case.choices.choice(("u32", "u32le", "varint"))
    stream = b"".join(map(FRAMES[framing], records))
    options: Any = {"framing": framing, "protocol": case.protocol, "compression": "none",
                    "batch_size": case.choices.choice((1, 3, 1000))}  # fmt: skip
    scanned = tl.scan_columns(stream, case.type, **options)
    expect_rows(pyarrow.table(scanned).to_pylist(), expected)
    lazy = tl.polars.scan_thrift(stream, case.type, **options)
    names = [field.name for field in case.root.fields]
    fields = case.choices.sample(names, k=case.choices.randint(1, len(names)))
    frame = lazy.select(fields).collect()
    expect((frame.columns, frame.height), (fields, len(records)))
    for name in fields:
        nulls = sum(row[name] is None for row in expected)
        expect(frame[name].null_count(), nulls, name)
    duckdb: Any = importlib.import_module("duckdb")
    with duckdb.connect() as connection:
        tl.duckdb.register_thrift(connection, "records", stream, case.type, **options)
        count = ", ".join(f'count("{name}")' for name in names)
        row = connection.sql(f"select count(*), {count} from records").fetchall()
    expect(row, [(len(records), *(sum(r[name] is not None for r in expected) for name in names))])


def expect_rows(rows: list[Any], expected: list[Any]) -> None:
    expect(len(rows), len(expected))
    for row, record in zip(rows, expected):
        text = difference(row, record)
        expect_true(not text, text)


@target("Adapter", "Name", "Unix", "Unix.adapter", "Type.using", "Type.to_jsonable", "Type.index")
def annotated_classes(seed: int) -> None:
    """Attributes of other names and classes hold the values of the fields."""
    case = Case(seed, unknown_rate=0)
    type_ = case.type.using(protocol=case.protocol)
    expect(case.idl[case.root.text].index, type_.index)
    expect(type_.decode(case.data), decoded(case.root, case.payload))
    jsonable = json.dumps(type_.to_jsonable(case.data)).encode()
    if b"NaN" not in jsonable:
        tree = json_tree(case.root, known_only(case.root, case.payload))
        expect_true(same_json(parsed_json(jsonable), tree), jsonable)
    if case.root.kind == "union":
        return
    boxed = tl.Adapter(lambda value: [value], lambda box: box[0])
    attributes: list[Any] = []
    for at, field in enumerate(case.root.fields):
        note = Annotated[Any, tl.Name(field.name), boxed]
        attributes.append((f"attribute{at}", note, dataclasses.field(default=None)))
    class_ = dataclasses.make_dataclass("Boxed", attributes)
    value = type_.decode(case.data, into=class_)
    plain = decoded(case.root, case.payload)
    for at, field in enumerate(case.root.fields):
        if field.name in plain:
            expect(getattr(value, f"attribute{at}"), [plain[field.name]], field.name)
    unit, scale = case.choices.choice([("s", 1), ("ms", 10**3), ("us", 10**6)])
    moment = tl.loads("struct Moment { 1: i64 at }").Moment
    count = case.choices.randrange(-(10**9) * scale, 4 * 10**9 * scale)
    note = Annotated[datetime.datetime, tl.Unix(unit)]
    dated = dataclasses.make_dataclass("Dated", [("at", note)])
    read: Any = moment.decode(moment.encode({"at": count}), into=dated)
    seconds, rest = divmod(count, scale)
    start = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    expect(read.at, start + datetime.timedelta(seconds=seconds, microseconds=rest * 10**6 // scale))
    expect(moment.decode(moment.encode(copy.copy(read))), {"at": count})
