"""The C++ API beside the same oracles as the Python package."""

from __future__ import annotations

import copy
import random
from typing import Any

from proving import wire
from proving.case import Case, expect, expect_payload, expect_true
from proving.driver import DRIVER
from proving.paths import ABSENT, PathMaker, Refused, find, matches, text_of
from proving.plain import json_text, json_tree, known_only, parsed_json, same_json
from proving.registry import target
from proving.values import ValueMaker, has_equal_elements, normal

from targets.edits import apply_all, codes_of, draw_change, roots
from targets.redactions import is_allowed, merge_sets, redact_location
from targets.selections import draw_selection, trimmed


def ask(case: Case, operation: str, *arguments: Any, data: Any = None) -> list[bytes]:
    encoded = [item if isinstance(item, bytes) else str(item).encode() for item in arguments]
    subject = (case.protocol, case.schema.text, case.root.text, case.data if data is None else data)
    return DRIVER.ask(operation, subject, *encoded)


def result(answer: list[bytes], about: Any = "") -> bytes:
    expect(answer[0], b"ok", about)
    return answer[1]


@target()
def cpp_convert(seed: int) -> None:
    case = Case(seed)
    other = wire.PROTOCOLS[case.protocol == "binary"]
    out = result(ask(case, "convert"))
    expect_payload(case.root, out, case.payload, other)


@target()
def cpp_to_json(seed: int) -> None:
    case = Case(seed)
    text = result(ask(case, "to_json"))
    expected = json_tree(case.root, case.payload)
    expect_true(same_json(parsed_json(text), expected), (text, json_text(expected)))


@target()
def cpp_from_json(seed: int) -> None:
    case = Case(seed, unknown_rate=0)
    text = json_text(json_tree(case.root, case.payload), case.choices.random() < 0.3)
    out = result(ask(case, "from_json", data=text.encode()), text)
    expect(out, case.canonical(known_only(case.root, case.payload)), text)


@target()
def cpp_get(seed: int) -> None:
    case = Case(seed)
    maker = PathMaker(case.choices, case.protocol, many_rate=0)
    paths = [maker.make(case.root, case.payload) for _ in range(case.choices.randint(1, 6))]
    paths += [maker.respelled(case.root, steps) for steps in paths if case.choices.random() < 0.5]
    case.choices.shuffle(paths)
    paths = case.program(paths)
    texts = [text_of(steps) for steps in paths]
    answer = ask(case, "get", *texts)
    expect(answer[0], b"ok", texts)
    for steps, text in zip(paths, answer[1:]):
        values = matches(steps, case.root, case.payload)
        if not values:
            expect_true(text in (b"absent", b"bad_index"), (text_of(steps), text))
            continue
        expected = json_tree(steps[-1].kind, values[0])
        expect_true(same_json(parsed_json(text), expected), (text_of(steps), text))


@target()
def cpp_edit(seed: int) -> None:
    """One change, or several of different fields, also through rewrite and in pieces."""
    case = Case(seed)
    changes = [draw_change(case)]
    for _ in range(case.choices.choice((0, 0, 1, 3))):
        change = draw_change(case)
        if case.root.kind != "union" and roots(change) not in map(roots, changes):
            changes.append(change)
    changes = case.program(changes)
    codes: set[Any] = set()
    payload = copy.deepcopy(case.payload)
    for change in changes:
        try:
            apply_all([change], case.root, copy.deepcopy(case.payload))
        except Refused as refused:
            codes |= codes_of(change, str(refused))
    if not codes:
        apply_all(changes, case.root, payload)
    arguments: list[Any] = []
    for change in changes:
        value = wire.write(case.protocol, change.kind.wire, change.payload)
        arguments += [change.verb, text_of(change.steps), value]
    about = [(change.verb, text_of(change.steps)) for change in changes]
    answer = ask(case, "edit", *arguments)
    if codes:
        expect_true(answer[0].decode() in codes, (about, answer, codes))
    else:
        expect_payload(case.root, result(answer, about), payload, case.protocol, about)


@target()
def cpp_trim(seed: int) -> None:
    """At once, in pieces of the input, and as a rewrite."""
    case = Case(seed, unknown_rate=0.3)
    chosen, text = draw_selection(case.choices, case.root)
    defaults = case.choices.choice(("omit", "write"))
    size = case.choices.choice((1, 2, 3, 7, 16, 100, 10**6))
    answer = ask(case, "trim", text, size, defaults)
    expected = trimmed(case.root, case.payload, chosen, "selected", defaults)
    expect_payload(case.root, result(answer, text), expected, case.protocol, text)


@target()
def cpp_redact(seed: int) -> None:
    case = Case(seed)
    steps = PathMaker(case.choices, case.protocol, many_rate=0.5).make(case.root, case.payload, 4)
    action = case.choices.choice(("blank", "drop", "keep", "keep_last(3)"))
    if any(step.form in ("index", "slice") or step.text.startswith("{x") for step in steps):
        return  # paths of redactions cannot have them
    if not is_allowed(action, steps):
        return
    expected = known_only(case.root, copy.deepcopy(case.payload))
    locations = [item for item in find(steps, case.root, expected) if item.payload is not ABSENT]
    for location in sorted(locations, key=lambda location: -location.index):
        if action == "drop":
            del location.rows[location.index]
        elif action != "keep":
            redact_location(location, action)
    expected = merge_sets(case.root, expected)
    about = (action, text_of(steps))
    out = result(ask(case, "redact", text_of(steps), action), about)
    expect_payload(case.root, out, expected, case.protocol, about)


@target()
def cpp_validate(seed: int) -> None:
    """Generated values are valid; a set with an element twice is not."""
    case = Case(seed, unknown_rate=0)
    expect(ask(case, "validate"), [b"ok"])
    steps = PathMaker(case.choices, case.protocol, many_rate=0).make(case.root, case.payload)
    sets = [item for item in matches(steps, case.root, case.payload)
            if steps[-1].kind.kind == "set" and item.items]  # fmt: skip
    if sets:
        sets[0].items.append(copy.deepcopy(case.choices.choice(sets[0].items)))
        expect_true(has_equal_elements(case.root, case.payload))
        data = wire.write(case.protocol, "struct", case.payload)
        expect(ask(case, "validate", data=data), [b"duplicate_key"])


@target()
def cpp_compare(seed: int) -> None:
    case = Case(seed)
    other = copy.deepcopy(case.payload)
    if case.choices.random() < 0.5:
        other = ValueMaker(case.choices).value(case.root)
    spelling = wire.Spelling(case.choices, 0.3)
    data = wire.write(case.protocol, "struct", other, spelling)
    same = normal(case.root, "struct", wire.read(case.protocol, data)) == normal(
        case.root, "struct", case.payload
    )
    expect(result(ask(case, "compare", data)), b"equal" if same else b"different")


@target(cost=3)
def cpp_broken(seed: int) -> None:
    """Prefixes and changed bytes do not crash; no prefix is a value."""
    case = Case(seed)
    maker = PathMaker(case.choices, case.protocol, many_rate=0)
    paths = [text_of(maker.make(case.root, case.payload)) for _ in range(3)]
    expect(result(ask(case, "broken", *paths)), b"0")


@target(cost=20)
def cpp_failing_allocations(seed: int) -> None:
    """The other targets, whose operations also run with allocations that fail."""
    checks = (cpp_convert, cpp_to_json, cpp_from_json, cpp_get, cpp_edit, cpp_trim, cpp_redact,
              cpp_validate, cpp_compare)  # fmt: skip
    DRIVER.prefix = "failing "
    try:
        checks[seed % len(checks)](seed)
    finally:
        DRIVER.prefix = ""


ROWS = """struct Row { 1: optional i32 a, 2: optional string s, 3: optional list<Row> rows,
  4: optional list<string> texts, 5: optional i64 b }
struct Root { 1: map<i32, Row> entries, 2: list<Row> rows }
"""


def draw_row(choices: random.Random, shape: int, depth: int) -> wire.Struct:
    """A row of one of a few layouts: numbers and texts, or with rows or texts inside, whose layout
    cannot be learned."""
    row = wire.Struct([[1, "i32", choices.randrange(1000)]])
    if shape & 1:
        row.fields.append([2, "string", b"x" * choices.randrange(4)])
    if shape & 2 and depth > 0:
        inner = choices.randrange(8)
        rows = [draw_row(choices, inner, depth - 1) for _ in range(choices.choice((1, 4, 5, 8)))]
        row.fields.append([3, "list", wire.Sequence("struct", rows)])
    if shape & 4:
        row.fields.append([4, "list", wire.Sequence("string", [b"t"] * choices.randrange(3))])
    row.fields.append([5, "i64", choices.randrange(1000)])
    return row


@target()
def cpp_rows(seed: int) -> None:
    """Rows of one layout with others between them, read and changed behind them."""
    choices = random.Random(seed)
    usual = choices.randrange(8)
    rows = [
        draw_row(choices, usual if choices.random() < 0.7 else choices.randrange(8), 3)
        for _ in range(choices.randint(5, 16))
    ]
    entries = [[number, row] for number, row in enumerate(rows)]
    root = wire.Struct([[1, "map", wire.Mapping("i32", "struct", entries)],
                        [2, "list", wire.Sequence("struct", rows)]])  # fmt: skip
    protocol = choices.choice(wire.PROTOCOLS)
    case = (protocol, ROWS, "Root", wire.write(protocol, "struct", root))
    numbers = sorted(choices.sample(range(len(rows)), k=choices.randint(1, 3)))
    texts = [f"$.entries{{{number}}}.b".encode() for number in numbers]
    texts += [f"$.rows[{number}].b".encode() for number in numbers]
    answer = DRIVER.ask("get", case, *texts)
    values = [str(rows[number].fields[-1][2]).encode() for number in numbers]
    expect(answer, [b"ok", *values, *values], texts)
    value = wire.write(protocol, "i64", 7)
    arguments = [part for text in texts for part in (b"set", text, value)]
    for number in numbers:
        rows[number].fields[-1][2] = 7
    expect(DRIVER.ask("edit", case, *arguments), [b"ok", wire.write(protocol, "struct", root)])


DEEP = """struct N { 1: N n, 2: list<N> items, 3: map<string, N> named, 4: set<N> both,
  5: map<N, i32> keys, 6: list<list<N>> rows }
"""


def wrapped(choices: random.Random, inner: wire.Struct) -> tuple[wire.Struct, int]:
    """A struct that contains the other one, and how many levels that adds."""
    number = choices.choice((1, 1, 2, 3, 4, 5, 6))
    items = wire.Sequence("struct", [inner])
    if number == 1:
        return wire.Struct([[1, "struct", inner]]), 1
    if number in (2, 4):
        return wire.Struct([[number, "list" if number == 2 else "set", items]]), 2
    if number == 6:
        return wire.Struct([[6, "list", wire.Sequence("list", [items])]]), 3
    kinds = ("string", "struct") if number == 3 else ("struct", "i32")
    entry = [b"k", inner] if number == 3 else [inner, 1]
    return wire.Struct([[number, "map", wire.Mapping(*kinds, [entry])]]), 2


@target()
def cpp_deep(seed: int) -> None:
    """Nesting beyond 64 levels is depth_limit, in whatever it is nested."""
    choices = random.Random(seed)
    payload, depth, aim = wire.Struct(), 1, choices.randint(55, 75)
    while depth < aim:
        payload, added = wrapped(choices, payload)
        depth += added
    protocol = choices.choice(wire.PROTOCOLS)
    case = (protocol, DEEP, "N", wire.write(protocol, "struct", payload))
    expected = b"depth_limit" if depth > 64 else b"ok"
    for operation, arguments in (
        ("convert", []),
        ("to_json", []),
        ("validate", []),
        ("trim", [b"{ n items named both keys rows }", b"7", b"omit"]),
        ("redact", [b"$", b"keep"]),
    ):
        answer = DRIVER.ask(operation, case, *arguments)
        expect(answer[0], expected, (operation, depth))
