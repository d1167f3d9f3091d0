"""Schemas: types, fields, services, constants, descriptions, pickles; detect, identify, infer."""

from __future__ import annotations

import pickle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import thriftlens as tl
from proving.case import Case, error_of, expect, expect_true
from proving.plain import decoded, known_only
from proving.registry import target
from proving.schemas import Kind

from .comparisons import unnamed_numbers


def compare_type(actual: Any, kind: Kind) -> None:
    expect(actual.kind, kind.kind)
    if kind.kind == "enum":
        expect(dict(actual.members), kind.members)
        expect({item.name: int(item) for item in actual.enum_class}, kind.members)
    parameters = [item for item in (kind.key, kind.element) if item is not None]
    expect(len(actual.parameters), len(parameters))
    for inner, parameter in zip(actual.parameters, parameters):
        compare_type(inner, parameter)


@target(
    "load", "loads", "Schema", "Schema.types", "Schema.services", "Schema.service", "Schema.enum",
    "Schema.exceptions", "Schema.constants", "Schema.warnings", "Schema.describe", "Type",
    "Type.fields", "Type.members", "Type.member_annotations", "Type.parameters", "Type.enum_class",
    "Type.describe", "Field", "Service", "Service.function", "Function",
    "ThriftException",
    "ThriftException.to_dict",
)  # fmt: skip
def schema(seed: int) -> None:
    case = Case(seed)
    for source in (case.idl, tl.loads(case.idl.describe())):
        compare_schema(case, source)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "case.thrift"
        path.write_text(case.schema.text, encoding="utf-8")
        compare_schema(case, tl.load(path))
    expect_true(pickle.loads(pickle.dumps(case.idl)) is case.idl)
    expect_true(pickle.loads(pickle.dumps(case.type)) is case.type)
    alone = tl.loads(case.schema.text + "const i32 ADDED = 7\nconst list<string> TEXTS = ['a']\n")
    expect(dict(alone.constants), {"ADDED": 7, "TEXTS": ["a"]})


def compare_schema(case: Case, idl: tl.Schema) -> None:
    for record in case.schema.records:
        type_ = idl[record.text]
        expect((type_.name, type_.kind), (record.text, record.kind))
        expect([*type_.fields], [field.name for field in record.fields])
        for field in record.fields:
            row = type_.fields[field.name]
            expect((row.id, row.alias), (field.id, field.alias))
            implied = "optional" if record.kind == "union" else "default"
            expect(row.requiredness, field.requiredness or implied)
            expect(row.annotations, field.annotations)
            expect(row.has_default, field.default is not None)
            if field.default is not None:
                expect(row.default, decoded(field.type, field.default))
            compare_type(row.type, field.type)
        if record.kind == "exception":
            raised = idl.exceptions[record.text]
            expect_true(issubclass(raised, tl.ThriftException))
            payload = known_only(record, case.draw(record))
            value = decoded(record, payload)
            restored = raised(**value).to_dict()
            expect({name: restored[name] for name in value}, value)
        expect_true(record.text in idl.types and record.text in idl.describe(record.text))
    for enum in case.schema.enums:
        expect(dict(idl[enum.text].members), enum.members)
        expect_true(idl.enum(enum.text) is idl[enum.text].enum_class)
        expect({*idl[enum.text].member_annotations}, {*enum.members})
    for service in case.schema.services:
        actual = idl.service(service.name)
        expect([*idl.services], [item.name for item in case.schema.services])
        expect(actual.extends, service.base.name if service.base else None)
        expect([*actual.functions], [function.name for function in service.functions])
        for function in service.all_functions():
            row = actual.function(function.name)
            expect(row.oneway, function.oneway)
            expect([*row.arguments.fields], [field.name for field in function.arguments.fields])
            expect([*row.result.fields], [field.name for field in function.result.fields])
            expect(row.returns is None, function.returns is None)
            if function.returns is not None:
                compare_type(row.returns, function.returns)


@target("loads", "SchemaError", "Diagnostic", "UnknownNameError")
def wrong_idl(seed: int) -> None:
    """IDL with wrong characters is a SchemaError with places, or another schema that works."""
    case = Case(seed)
    text = case.schema.text
    for _ in range(case.choices.randint(1, 3)):
        at = case.choices.randrange(len(text))
        insert = case.choices.choice((*"{}<>(),:;=\"'#/\n0-.@é\0", "required ", "list<", "const "))
        text = text[:at] + insert + text[at + case.choices.randint(0, 4) :]
    strict = case.choices.random() < 0.3
    try:
        idl = tl.loads(text, strict=strict)
    except tl.SchemaError as error:
        expect_true(error.diagnostics, text)
        lines = text.count("\n") + 1
        for item in error.diagnostics:
            expect_true(0 < item.line <= lines + 1 and item.column > 0, (item, text))
        return
    repeated = tl.loads(idl.describe())
    expect([*repeated.types], [*idl.types])
    for name in idl.types:
        if idl[name].kind == "struct" and not needs_values(idl[name]):
            expect(idl[name].decode(b"\0"), {})


def needs_values(type_: Any) -> bool:
    return any(field.requiredness == "required" for field in type_.fields.values())


def empty_unions(kind: Kind, payload: Any) -> int:
    """How many unions have no member."""
    if kind.is_record:
        fields = [(kind.by_id(number), item) for number, _, item in payload.fields]
        inner = sum(empty_unions(field.type, item) for field, item in fields if field)
        return inner + (kind.kind == "union" and not fields)
    if kind.kind in ("list", "set"):
        return sum(empty_unions(kind.inner, item) for item in payload.items)
    if kind.kind == "map":
        return sum(
            empty_unions(kind.keys, key) + empty_unions(kind.inner, item)
            for key, item in payload.entries
        )
    return 0


@target("detect", "Guess", "Guess.options", "identify", "Candidate", "infer", "inspect")
def detection(seed: int) -> None:
    """The right type of sound bytes is among the best; a draft of the IDL reads them."""
    case = Case(seed, unknown_rate=0, shuffle_rate=0)
    data = case.canonical(case.payload)
    text = tl.inspect(data, protocol=case.protocol, type=case.type)
    expect_true(isinstance(text, str) and text)
    if len(case.payload.fields) > 0:
        best = tl.identify(data, case.idl, protocol=case.protocol)
        own = next(item for item in best if item.type is case.type)
        faults = unnamed_numbers(case.root, case.payload) + empty_unions(case.root, case.payload)
        expect_true(own.contradictions <= faults)  # of the first elements
        expect((own.unknown, own.missing), (0, 0))
        expect_true(faults or own.known >= len(case.payload.fields), own)
    for guess in tl.detect(data):
        expect_true(0 <= guess.probability <= 1 and isinstance(guess.options, dict), guess)
    if case.payload.fields:
        draft = tl.infer([data], protocol=case.protocol, name="Record")
        value = tl.loads(draft).Record.decode(
            data, protocol=case.protocol, duplicates="last", invalid_utf8="replace", unknown="keep"
        )
        expect(len(value), len(case.payload.fields))


@target("Type.decode", "convert", "inspect", "detect", "infer", "identify")
def untyped_faults(seed: int) -> None:
    """Operations on bytes without a type end in a value or a tl.Error."""
    case = Case(seed)
    data = bytearray(case.data)
    for _ in range(case.choices.randint(1, 4)):
        data[case.choices.randrange(len(data))] = case.choices.randrange(256)
    original = bytes(data)
    calls: list[Any] = [
        lambda: tl.convert(data, source=case.protocol, target="binary"),
        lambda: tl.convert(data, source=case.protocol, target="compact"),
        lambda: tl.inspect(data, protocol=case.protocol),
        lambda: tl.detect(data),
        lambda: tl.infer([data], protocol=case.protocol),
        lambda: tl.identify(data, case.idl, protocol=case.protocol),
        lambda: tl.identify(data, case.idl),
        lambda: tl.read_message(data),
    ]
    for call in calls:
        error_of(call)
    expect(bytes(data), original)
