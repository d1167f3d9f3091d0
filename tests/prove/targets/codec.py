"""decode, encode, views and conversions between protocols."""

from __future__ import annotations

import importlib
from typing import Any

import thriftlens as tl
from proving import wire
from proving.case import READING_OPTIONS, Case, error_of, expect, expect_payload, expect_true
from proving.plain import Reading, by_id, decoded, known_only, listed
from proving.registry import target
from proving.schemas import Kind
from proving.values import ValueMaker

CONTAINERS = ("list", "set", "map")


def reading_options(case: Case) -> tuple[Reading, dict[str, Any]]:
    """Random options of decode."""
    options = case.some(0.4, **READING_OPTIONS)
    return Reading(**options), options


@target("Type.decode", "Type.decoder", "Decoder.decode", "Decoder")
def decode(seed: int) -> None:
    case = Case(seed, strange_reals=True)
    reading, options = reading_options(case)
    expected = decoded(case.root, case.payload, reading)
    original = bytes(case.data)
    expect(case.type.decode(case.data, protocol=case.protocol, **options), expected, options)
    decoder = tl.Decoder(case.type, protocol=case.protocol, **options)
    expect(decoder.decode(bytearray(case.data)), expected, options)
    expect(decoder.decode(memoryview(case.data)), expected, options)
    expect(
        case.type.decoder(protocol=case.protocol, **options).decode(case.data), expected, options
    )
    expect(case.data, original)
    has_unknown = known_only(case.root, case.payload) != case.payload
    code = error_of(lambda: case.type.decode(case.data, protocol=case.protocol, unknown="error"))
    expect(code, "unknown_field" if has_unknown else None)


@target("Type.encode", "Type.encoder", "Encoder.encode", "Encoder")
def encode(seed: int) -> None:
    case = Case(seed, strange_reals=True)
    expected = case.canonical(by_id(case.root, case.payload))
    value = listed(case.root, case.payload)
    expect(case.type.encode(value, protocol=case.protocol), expected)
    encoder = tl.Encoder(case.type, protocol=case.protocol)
    expect(encoder.encode(value), expected)
    expect(case.type.encoder(protocol=case.protocol).encode(value), expected)
    repeated = case.type.decode(case.data, protocol=case.protocol, unknown="keep")
    data = case.type.encode(repeated, protocol=case.protocol, unknown="keep")
    expect_payload(case.root, data, case.payload, case.protocol)
    names = case.type.decode(case.data, protocol=case.protocol, enums="name", names="alias")
    data = case.type.encode(names, protocol=case.protocol, names="alias")
    expect_payload(case.root, data, known_only(case.root, case.payload), case.protocol)


def without_types_of_empty(payload: Any) -> Any:
    """Compact does not write the types of an empty map."""
    if isinstance(payload, wire.Struct):
        return wire.Struct(
            [
                [number, kind, without_types_of_empty(inner)]
                for number, kind, inner in payload.fields
            ]
        )
    if isinstance(payload, wire.Sequence):
        return wire.Sequence(payload.wire, [without_types_of_empty(item) for item in payload.items])
    if isinstance(payload, wire.Mapping):
        if not payload.entries:
            return wire.Mapping("stop", "stop")
        pairs = [
            [without_types_of_empty(key), without_types_of_empty(inner)]
            for key, inner in payload.entries
        ]
        return wire.Mapping(payload.key_wire, payload.value_wire, pairs)
    return payload


@target("convert")
def convert(seed: int) -> None:
    case = Case(seed, strange_reals=True)
    other = "binary" if case.protocol == "compact" else "compact"
    out = tl.convert(case.data, source=case.protocol, target=other)
    actual = without_types_of_empty(wire.read(other, out))
    expect(repr(actual), repr(without_types_of_empty(case.payload)))
    expect(wire.write(other, "struct", wire.read(other, out)), out)
    expect(tl.convert(case.data, source=case.protocol, target=other, type=case.type), out)
    same_protocol = tl.convert(case.data, source=case.protocol, target=case.protocol)
    expect(same_protocol, case.canonical(wire.read(case.protocol, case.data)))


@target(
    "View",
    "StructView",
    "MapView",
    "ListView",
    "SetView",
    "Type.view", "View.to_dict", "View.__bytes__", "View.__eq__", "View.__ne__", "View.__len__",
    "View.__contains__", "View.__iter__", "View.__reversed__", "View.__getitem__",
    "View.__getattr__", "View.__copy__", "View.__deepcopy__",
    "StructView.get", "StructView.keys", "StructView.values", "StructView.items",
    "MapView.get", "MapView.keys", "MapView.values", "MapView.items",
    "ListView.index", "ListView.count",
)  # fmt: skip
def view(seed: int) -> None:
    case = Case(seed)
    reading, options = reading_options(case)
    root = case.type.view(case.data, protocol=case.protocol, **options)
    expect(root.to_dict(), decoded(case.root, case.payload, reading), options)
    expect(bytes(root), case.data)
    options.pop("unknown", None)
    reading = Reading(**options)
    compare_view(
        case, case.root, case.type.view(case.data, protocol=case.protocol, **options),
        case.payload, reading,
    )  # fmt: skip


def compare_view(case: Case, kind: Kind, seen: Any, payload: Any, reading: Reading) -> None:
    """A view, and the views in it, beside the decoded value."""
    expected = decoded(kind, payload, reading)
    if not (kind.is_record or kind.kind in CONTAINERS):
        expect(seen, expected)
        return
    expect_true(seen == expected and not seen != expected, f"{seen!r} == {expected!r}")
    expect(len(seen), len(expected))
    if kind.is_record:
        in_wire_order = len(
            known_only(kind, payload).fields
        )  # then defaults, in the order of the IDL
        expect([*seen][:in_wire_order], [*expected][:in_wire_order])
        expect([*seen.keys()], [*seen])
        expect({*seen}, {*expected})
        for name, value in seen.items():
            expect_true(name in seen and seen.get(name) == expected[name])
            expect_true(value == expected[name] and seen[name] == expected[name])
        by_name = {reading.name(field): field for field in kind.fields}
        inner = {number: item for number, _, item in payload.fields}
        for name in expected:
            field = by_name[name]
            item = inner.get(field.id, field.default)
            compare_view(case, field.type, seen[name], item, reading)
        expect_true("no such field" not in seen)
        return
    if kind.kind == "map":
        expect(list(seen), list(expected))
        expect_true(list(seen.values()) == list(expected.values()))
        expect_true(dict(seen.items()) == expected)
        for key, (_, item) in zip(expected, payload.entries):
            expect_true(
                key in seen and seen.get(key) == expected[key],
                (key, reading, kind.text, seen, expected),
            )
            compare_view(case, kind.inner, seen[key], item, reading)
        return
    if kind.kind == "set":
        expect_true(set(seen) == expected)
        for element in expected:
            expect_true(element in seen, (element, seen))
        return
    expect_true(list(seen) == expected)
    expect_true(list(reversed(seen)) == expected[::-1])
    for at, item in enumerate(payload.items):
        compare_view(case, kind.inner, seen[at], item, reading)
    if expected:
        middle = expected[len(expected) // 2]
        expect(seen.index(middle), expected.index(middle))
        expect(seen.count(middle), expected.count(middle))
        expect_true(middle in seen)
        begin, end = sorted(case.choices.choices(range(-3, len(expected) + 3), k=2))
        expect_true(list(seen[begin:end]) == expected[begin:end])
        expect_true(list(seen[begin:end:2]) == expected[begin:end:2])
        expect(error_of_index(seen, len(expected)), True)
        expect_true(seen[-1] == expected[-1])


def error_of_index(seen: Any, at: int) -> bool:
    try:
        seen[at]
    except IndexError:
        return True
    return False


@target(
    "SetView.isdisjoint", "SetView.__and__", "SetView.__or__", "SetView.__sub__",
    "SetView.__xor__", "SetView.__rand__", "SetView.__ror__", "SetView.__rsub__",
    "SetView.__rxor__",
)  # fmt: skip
def set_algebra(seed: int) -> None:
    """Sets of views and of Python in every operation."""
    case = Case(seed)
    kind = case.choices.choice(("i32", "string", "bool", "list<i32>"))
    type_ = tl.loads(f"struct S {{ 1: set<{kind}> s }}").S
    draw: Any = {
        "i32": lambda: case.choices.randint(-9, 9),
        "string": lambda: case.choices.choice("abcdefgh"),
        "bool": lambda: case.choices.random() < 0.5,
        "list<i32>": lambda: tuple(case.choices.choices(range(3), k=2)),
    }[kind]
    first, second = ({draw() for _ in range(case.choices.randint(0, 6))} for _ in "ab")
    view = type_.view(type_.encode({"s": first}, protocol=case.protocol), protocol=case.protocol).s
    expect_true(view == first)
    for actual, expected in (
        (view & second, first & second), (view | second, first | second),
        (view - second, first - second), (view ^ second, first ^ second),
        (second & view, second & first), (second | view, second | first),
        (second - view, second - first), (second ^ view, second ^ first),
    ):  # fmt: skip
        expect(set(actual), expected)
    expect(view.isdisjoint(second), first.isdisjoint(second))
    expect((view <= second, view >= second), (first <= second, first >= second))


@target("ListView.to_numpy", "ListView.__array__")
def number_array(seed: int) -> None:
    numpy = importlib.import_module("numpy")
    case = Case(seed)
    kind = case.choices.choice(("i8", "i16", "i32", "i64", "double", "bool"))
    values = [
        ValueMaker(case.choices).scalar(Kind(kind)) for _ in range(case.choices.randint(0, 50))
    ]
    type_ = tl.loads(f"struct L {{ 1: list<{kind}> l }}").L
    payload = wire.Struct([[1, "list", wire.Sequence(kind, values)]])
    data = wire.write(case.protocol, "struct", payload, wire.Spelling(case.choices, 0.1))
    view = type_.view(data, protocol=case.protocol).l
    expect(view.to_numpy().tolist(), values)
    expect(numpy.asarray(view).tolist(), values)


@target("Type.encode", "EncodeError")
def wrong_values(seed: int) -> None:
    """A value of a wrong type or range is an EncodeError with its path; others encode."""
    case = Case(seed, unknown_rate=0)
    value = case.type.decode(case.data, protocol=case.protocol)
    if not value:
        return
    name = case.choices.choice([*value])
    kind = case.root.by_name(name).type
    wrong, code = WRONG.get(kind.kind, (object(), "value_type"))
    value[name] = wrong
    try:
        case.type.encode(value, protocol=case.protocol)
    except tl.EncodeError as error:
        expect((error.code, error.path), (code, f"$.{name}"))
        return
    raise AssertionError(f"encoded {wrong!r} as {kind.kind}")


WRONG: dict[str, tuple[Any, str]] = {
    "i8": (128, "value_range"), "i16": (-(2**15) - 1, "value_range"), "i32": (2**31, "value_range"),
    "i64": (2**63, "value_range"), "string": (b"text", "value_type"),
    "binary": ("text", "value_type"), "double": ("1.0", "value_type"), "bool": (1, "value_type"),
    "enum": ("NO_SUCH_MEMBER", "unknown_enum_name"), "list": (5, "value_type"),
}  # fmt: skip
