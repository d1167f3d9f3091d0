"""to_json, from_json and Apache's JSON protocol."""

from __future__ import annotations

import json
from typing import Any

import thriftlens as tl
from proving import wire
from proving.case import READING_OPTIONS, Case, error_of, expect, expect_payload, expect_true
from proving.plain import (
    Number,
    Object,
    Reading,
    decoded,
    json_text,
    json_tree,
    known_only,
    parsed_json,
    same_json,
)
from proving.registry import target

BLANKS = ("", " ", "\n", "\t ", "  ")


@target("Type.to_json")
def to_json(seed: int) -> None:
    case = Case(seed)
    options = case.some(0.35, **READING_OPTIONS, int64=("number", "string"))
    reading = Reading(**options)
    expected = json_tree(case.root, case.payload, reading)
    text = case.type.to_json(case.data, protocol=case.protocol, **options)
    if not same_json(parsed_json(text), expected):
        raise AssertionError(f"{options} {text!r} is not {json_text(expected)}")
    expect_true(is_compact(text), text)
    pretty = case.choices.randint(1, 4)
    indented = case.type.to_json(case.data, protocol=case.protocol, pretty=pretty, **options)
    expect_true(same_json(parsed_json(indented), expected), indented)


def is_compact(text: bytes) -> bool:
    """Whether the text has no blanks between its tokens."""
    in_string = escaped = False
    for character in text.decode():
        if in_string:
            in_string = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character in " \n\t\r":
            return False
        else:
            in_string = character == '"'
    return True


@target("Type.to_json", "Type.from_json")
def nonfinite_json(seed: int) -> None:
    case = Case(seed, strange_reals=True, unknown_rate=0)
    expected = json_tree(case.root, case.payload)
    text = case.type.to_json(case.data, protocol=case.protocol, nonfinite="string")
    expect_true(same_json(parsed_json(text), expected), (text, expected))
    code = error_of(lambda: case.type.to_json(case.data, protocol=case.protocol))
    strange = any(name in text for name in (b'"NaN"', b'"Infinity"', b'"-Infinity"'))
    expect_true(code is None or (code == "nonfinite" and strange), (code, text))
    repeated = case.type.from_json(text, protocol=case.protocol, nonfinite="string")
    expect(case.type.to_json(repeated, protocol=case.protocol, nonfinite="string"), text)


@target("Type.from_json")
def from_json(seed: int) -> None:
    """Text in any spelling becomes the canonical bytes, fields in the order of the text."""
    case = Case(seed, unknown_rate=0)
    reading = Reading(
        enums=case.choices.choice(("number", "name")),
        names=case.choices.choice(("field", "alias")),
    )
    tree = respelled(case, json_tree(case.root, case.payload, reading))
    text = json_text(tree, case.choices.random() < 0.3, case.choices.choice(BLANKS))
    expected = case.canonical(known_only(case.root, case.payload))
    for source in (text, text.encode(), bytearray(text.encode())):
        actual = case.type.from_json(source, protocol=case.protocol, names=reading.names)
        expect(actual, expected, text)


def respelled(case: Case, tree: Any) -> Any:
    """Other texts of the same numbers."""
    if isinstance(tree, Object):
        return Object((key, respelled(case, item)) for key, item in tree)
    if isinstance(tree, list):
        return [respelled(case, item) for item in tree]
    if isinstance(tree, Number) and case.choices.random() < 0.1 and abs(int(tree)) < 2**31:
        return Number(case.choices.choice((f"{tree}.0", f"{tree}e0", f"{tree}.00E+0")))
    return tree


@target("Type.to_json", "Type.from_json")
def json_keeps_unknown(seed: int) -> None:
    """With unknown="keep", canonical bytes survive."""
    case = Case(seed, unknown_rate=0.5)
    text = case.type.to_json(case.data, protocol=case.protocol, unknown="keep")
    out = case.type.from_json(text, protocol=case.protocol, unknown="keep")
    expect(out, case.canonical(case.payload), text)


@target("Type.from_json", "JSONError")
def wrong_json(seed: int) -> None:
    """A text with wrong characters is a JSONError or a value, and what json refuses is refused."""
    case = Case(seed, unknown_rate=0)
    text = bytearray(json_text(json_tree(case.root, case.payload)).encode())
    for _ in range(case.choices.randint(1, 3)):
        at = case.choices.randrange(len(text) + 1)
        text[at : at + case.choices.randint(0, 2)] = case.choices.choice(
            (b'"', b"{", b"}", b"[", b",", b":", b"\\", b"\0", b"\xff", b"1", b"-", b"e", b".", b"")
        )
    try:
        out = case.type.from_json(bytes(text), protocol=case.protocol)
    except tl.JSONError as error:
        expect_true(error.offset is None or 0 <= error.offset <= len(text), (text, error))
        return
    try:
        json.loads(text.decode(), parse_constant=lambda name: 1 / 0)
    except (ValueError, ZeroDivisionError) as error:
        raise AssertionError(f"accepted {bytes(text)!r}: {error}") from error
    case.type.validate(out, protocol=case.protocol, enum_numbers="any", missing_required="omit")


@target("Type.decode", "Type.encode", "convert", "Type.to_json", "Type.from_json")
def tjson(seed: int) -> None:
    case = Case(seed, unknown_rate=0)
    expected = decoded(case.root, case.payload)
    text = tl.convert(case.data, source=case.protocol, target="tjson", type=case.type)
    expect(case.type.decode(text, protocol="tjson"), expected, text)
    other = case.choices.choice(wire.PROTOCOLS)
    back = tl.convert(text, source="tjson", target=other, type=case.type)
    expect_payload(case.root, back, case.payload, other, text)
    json_of_text = case.type.to_json(text, protocol="tjson")
    expect(json_of_text, case.type.to_json(case.data, protocol=case.protocol))
    expect(case.type.from_json(json_of_text, protocol="tjson"), text)
    value = case.type.decode(case.data, protocol=case.protocol)
    encoded = case.type.encode(value, protocol="tjson")
    expect(case.type.decode(encoded, protocol="tjson"), decoded_by_id(case), encoded)


def decoded_by_id(case: Case) -> Any:
    data = case.type.encode(case.type.decode(case.data, protocol=case.protocol))
    return case.type.decode(data)
