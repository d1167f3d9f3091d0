"""diff, validate, findings."""

from __future__ import annotations

import copy
from typing import Any

import thriftlens as tl
from proving import wire
from proving.case import Case, expect, expect_true
from proving.paths import PathMaker, find, put, text_of
from proving.plain import decoded, difference, known_only
from proving.registry import target
from proving.schemas import Kind
from proving.values import ValueMaker, normal


def shuffled(case: Case, kind: Kind, payload: Any) -> Any:
    """The same value with fields, elements of sets and entries in another order."""
    if kind.is_record:
        fields = [
            [
                number,
                name,
                shuffled(case, field.type, item) if (field := kind.by_id(number)) else item,
            ]
            for number, name, item in payload.fields
        ]
        case.choices.shuffle(fields)
        return wire.Struct(fields)
    if kind.kind in ("list", "set"):
        items = [shuffled(case, kind.inner, item) for item in payload.items]
        if kind.kind == "set":
            case.choices.shuffle(items)
        return wire.Sequence(payload.wire, items)
    if kind.kind == "map":
        entries = [
            [shuffled(case, kind.keys, key), shuffled(case, kind.inner, item)]
            for key, item in payload.entries
        ]
        case.choices.shuffle(entries)
        return wire.Mapping(payload.key_wire, payload.value_wire, entries)
    return payload


@target("Type.diff", "Differences", "Difference")
def diff(seed: int) -> None:
    case = Case(seed, strange_reals=True)
    other = case.choices.choice(wire.PROTOCOLS)
    options: Any = {"protocol": case.protocol, "right_protocol": other}
    same = shuffled(case, case.root, case.payload)
    expect([*case.type.diff(case.data, case.canonical(same, other), **options)], [])
    changed = copy.deepcopy(case.payload)
    steps = PathMaker(case.choices, case.protocol, many_rate=0).make(case.root, changed, 6)
    locations = find(steps, case.root, changed)
    if not locations or any(step.kind.kind == "set" for step in steps) or locations[0].index < 0:
        return
    value = ValueMaker(case.choices).value(steps[-1].kind, 2)
    original = locations[0].payload
    put(locations[0], value)
    kind = steps[-1].kind
    is_equal = normal(kind, kind.wire, original) == normal(kind, kind.wire, value)
    right = case.canonical(changed, other)
    rows = case.type.diff(case.data, right, **options)
    about = (text_of(steps), original, value)
    expect(not rows, is_equal, about)
    back = case.type.diff(right, case.data, protocol=other, right_protocol=case.protocol)
    if not any('{x"' in row.path for row in (*rows, *back)):  # keys in the bytes of one side
        expect(sorted(row.path for row in back), sorted(row.path for row in rows), about)
    expect(len(back), len(rows))
    for row in rows:
        check_row(case, row, right, other, about)


def check_row(case: Case, row: Any, right: bytes, other: str, about: Any) -> None:
    """The sides of a difference are what get returns for its path."""
    if any(part in row.path for part in (".#", "{key", '{x"', "…")):
        return  # unknown fields; keys in the bytes of one protocol; long keys
    missing = object()
    try:
        left_value = case.type.get(case.data, row.path, missing, protocol=case.protocol)
        right_value = case.type.get(right, row.path, missing, protocol=other)
    except tl.Error as error:
        raise AssertionError(f"{row} {about}: {error}") from error
    if row.kind == "changed":
        expect_true(not difference(row.left, left_value), (row, left_value, about))
        expect_true(not difference(row.right, right_value), (row, right_value, about))
    elif "[" not in row.path.rpartition("]")[0].rpartition("[")[2] and row.kind == "added":
        expect(row.left, None)
    else:
        expect(row.right if row.kind == "removed" else row.left, None)


def unnamed_numbers(kind: Kind, payload: Any) -> int:
    """How many enum numbers have no name."""
    if kind.kind == "enum":
        return payload not in kind.members.values()
    if kind.is_record:
        return sum(
            unnamed_numbers(field.type, item)
            for number, _, item in payload.fields
            if (field := kind.by_id(number)) is not None
        )
    if kind.kind in ("list", "set"):
        return sum(unnamed_numbers(kind.inner, item) for item in payload.items)
    if kind.kind == "map":
        return sum(
            unnamed_numbers(kind.keys, key) + unnamed_numbers(kind.inner, item)
            for key, item in payload.entries
        )
    return 0


@target("Type.validate", "Type.findings", "Error")
def findings(seed: int) -> None:
    case = Case(seed)
    count = unnamed_numbers(case.root, case.payload)
    actual = case.type.findings(case.data, protocol=case.protocol, max_findings=10**6)
    expect([item.code for item in actual], ["unknown_enum_value"] * count)
    for item in actual[:5]:
        if "{key" not in str(item.path) and "…" not in str(item.path):  # long keys are truncated
            value = case.type.get(case.data, item.path, protocol=case.protocol)
            expect_true(isinstance(value, int), (item.path, value))
    expect([*case.type.findings(case.data, protocol=case.protocol, enum_numbers="any")], [])
    is_known = known_only(case.root, case.payload) == case.payload
    keys: Any = "unique" if is_known else "any"
    case.type.validate(case.data, protocol=case.protocol, enum_numbers="any", keys=keys)
    if count:
        try:
            case.type.validate(case.data, protocol=case.protocol)
            raise AssertionError("validate accepts what findings lists")
        except tl.DecodeError as error:
            expect(error.path, actual[0].path)


@target("Type.validate", "Type.decode")
def broken_values(seed: int) -> None:
    """A missing required field, a second union member, a wrong wire type, a repeated field."""
    case = Case(seed, unknown_rate=0)
    kind, payload = case.root, copy.deepcopy(case.payload)
    fault = case.choices.choice(("missing", "member", "mismatch", "repeated"))
    code = None
    if fault == "missing":
        required = [field for field in kind.fields if field.requiredness == "required"]
        if required:
            payload.fields = [row for row in payload.fields if row[0] != required[0].id]
            code = "missing_required"
    elif fault == "repeated" and payload.fields:
        payload.fields.append(
            copy.deepcopy(payload.fields[case.choices.randrange(len(payload.fields))])
        )
        code = "duplicate_field"
    elif fault == "mismatch" and payload.fields:
        row = case.choices.choice(payload.fields)
        wire_type = case.choices.choice(("i16", "double"))
        if row[1] != wire_type:
            row[1:] = [wire_type, ValueMaker(case.choices).scalar(Kind(wire_type))]
            code = "type_mismatch"
    data = case.canonical(payload)
    for call in (case.type.decode, case.type.to_json, case.type.validate, view_all(case)):
        try:
            options: Any = {"enum_numbers": "any"} if call == case.type.validate else {}
            call(data, protocol=case.protocol, **options)
            actual = None
        except tl.DecodeError as error:
            actual = error.code
        expect(actual, code, (fault, call))
    if code == "type_mismatch":
        names = {field.id for field in kind.fields if field.requiredness == "required"}
        preserved = [item for item in payload.fields if item is not row]
        if row[0] not in names:
            value = case.type.decode(data, protocol=case.protocol, mismatch="drop")
            expect(value, decoded(kind, wire.Struct(preserved)))


def view_all(case: Case) -> Any:
    return lambda data, protocol: case.type.view(data, protocol=protocol).to_dict()
