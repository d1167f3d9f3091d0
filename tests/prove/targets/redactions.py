"""redact and redactions, alone and in rewrites."""

from __future__ import annotations

import copy
import random
import re
from typing import Any

import thriftlens as tl
from proving import wire
from proving.case import Case, expect, expect_payload, expect_true
from proving.paths import ABSENT, Location, PathMaker, Step, find, text_of
from proving.plain import known_only
from proving.registry import target
from proving.schemas import Kind
from proving.values import equal_key, normal

EMPTY = {"string": b"", "uuid": bytes(16), "bool": False, "double": 0.0}


def blank(kind: Kind, depth: int = 8) -> Any:
    """The blank value of a type; structs keep their required fields."""
    if kind.kind == "enum":
        return 0 if 0 in kind.members.values() or not kind.members else first_member(kind)
    if kind.wire in wire.INTEGER_BITS:
        return 0
    if kind.is_record:
        out = wire.Struct()
        for field in kind.fields:
            if field.requiredness == "required":
                out.fields.append([field.id, field.type.wire, blank(field.type, depth - 1)])
        return out
    if kind.kind in ("list", "set"):
        return wire.Sequence(kind.inner.wire)
    if kind.kind == "map":
        return wire.Mapping(kind.keys.wire, kind.inner.wire)
    return EMPTY[kind.wire]


def first_member(kind: Kind) -> int:
    return next(iter(kind.members.values()))


def last(kind: Kind, payload: Any, count: int) -> Any:
    """keep_last of the scalars in a value; equal keys and elements are merged."""
    if kind.is_record:
        fields = [
            [number, name, last(kind.by_id(number).type, item, count)]  # type: ignore[union-attr]
            for number, name, item in payload.fields
        ]
        return wire.Struct(fields)
    if kind.kind == "list":
        return wire.Sequence(
            payload.wire, [last(kind.inner, item, count) for item in payload.items]
        )
    if kind.kind == "set":
        items = [last(kind.inner, item, count) for item in payload.items]
        return wire.Sequence(payload.wire, unique(kind.inner, [[item] for item in items], True))
    if kind.kind == "map":
        entries = [
            [last(kind.keys, key, count), last(kind.inner, item, count)]
            for key, item in payload.entries
        ]
        return wire.Mapping(payload.key_wire, payload.value_wire, unique(kind.keys, entries, False))
    if kind.kind in ("string", "binary"):
        return shortened(payload, count)
    if kind.kind in ("i8", "i16", "i32", "i64"):
        digits = str(abs(payload))
        return int(digits[-count:]) if len(digits) > count else 0
    return blank(kind)


def shortened(payload: bytes, count: int) -> bytes:
    """Bytes that are not UTF-8 are a character each."""
    text = payload.decode("utf-8", "surrogateescape")
    hidden = len(text) if len(text) <= count else len(text) - count
    return ("*" * hidden + text[hidden:]).encode("utf-8", "surrogateescape")


def unique(kind: Kind, rows: list[list[Any]], single: bool) -> list[Any]:
    known, out = set(), []
    for row in rows:
        key = equal_key(kind, kind.wire, row[0])
        if key not in known:
            known.add(key)
            out.append(row[0] if single else row)
    return out


def is_allowed(action: str, steps: list[Step]) -> bool:
    field = steps[-1].field
    return action != "drop" or field is None or field.requiredness != "required"


def redact_location(location: Location, action: str) -> None:
    kind = location.step.kind
    row = location.rows[location.index]
    new = blank(kind) if action == "blank" else last(kind, location.payload, 3)
    if isinstance(location.parent, wire.Sequence):
        location.rows[location.index] = new
    else:
        row[-1] = new


def merge_sets(kind: Kind, payload: Any) -> Any:
    """Equal elements of sets are merged, wherever a rule may have made them equal."""
    if kind.is_record:
        for field in payload.fields:
            known = kind.by_id(field[0])
            if known is not None:
                field[2] = merge_sets(known.type, field[2])
    elif kind.kind in ("list", "set"):
        items = [merge_sets(kind.inner, item) for item in payload.items]
        if kind.kind == "set":
            items = unique(kind.inner, [[item] for item in items], True)
        return wire.Sequence(payload.wire, items)
    elif kind.kind == "map":
        for entry in payload.entries:
            entry[1] = merge_sets(kind.inner, entry[1])
    return payload


@target(
    "Type.redact",
    "Type.rewrite",
    "Rewrite.redact",
    "Rewrite.apply",
    "RedactReport",
    "RewriteReport",
)
def redact(seed: int) -> None:
    """A rule for one path; unknown fields are dropped."""
    case = Case(seed)
    steps = PathMaker(case.choices, case.protocol, many_rate=0.5).make(case.root, case.payload, 4)
    action = case.choices.choice(("blank", "drop", "keep", "keep_last(3)"))
    if any(step.form in ("index", "slice") or step.text.startswith("{x") for step in steps):
        return  # paths of redactions cannot have them
    if not is_allowed(action, steps):
        return
    expected = known_only(case.root, copy.deepcopy(case.payload))
    locations = [
        location for location in find(steps, case.root, expected) if location.payload is not ABSENT
    ]
    if action == "drop":
        for location in sorted(locations, key=lambda location: -location.index):
            del location.rows[location.index]
    elif action != "keep":
        for location in locations:
            redact_location(location, action)
    expected = merge_sets(case.root, expected)
    rules = {"paths": {text_of(steps): action}}
    reports: list[Any] = []
    out = case.type.redact(
        case.data, protocol=case.protocol, report=reports.append, unmatched="ignore", **rules
    )
    about = (action, text_of(steps))
    expect_payload(case.root, out, expected, case.protocol, about)
    expect(len(reports), 1)
    counts: list[Any] = []
    rewrite = case.type.rewrite(case.data, protocol=case.protocol).redact(
        unmatched="ignore", **rules
    )
    expect(rewrite.apply(report=counts.append), out, about)
    expect([*counts[0][1:]], [*reports[0]], about)
    expect(counts[0].trimmed, 0)


@target("Type.redact", "Type.redactions", "Redaction")
def annotated(seed: int) -> None:
    """Values below an annotation do not get through, whatever leads to them."""
    case = Case(seed, unknown_rate=0.3)
    listed = [item.path for item in redactions(case) if item.action not in ("keep",)]
    expect(bool(redactions(case)), bool(listed))
    if not redactions(case):
        return
    options: Any = {"annotation": "pii", "protocol": case.protocol}
    out = case.type.redact(case.data, **options)
    payload = wire.read(case.protocol, out)
    expect_true(is_clean(case.root, payload), (case.schema.text, payload))
    case.type.validate(out, protocol=case.protocol, keys="unique", enum_numbers="any")
    repeated = case.type.redact(out, **options)
    expect(repeated, out)
    dropped = (
        case.type.redact(case.data, values=DROP, unmatched="ignore", **options)
        if can_drop(case)
        else out
    )
    expect_true(is_clean(case.root, wire.read(case.protocol, dropped)))


DROP = {"name": "drop", "mail": "drop", "card": "drop"}


def redactions(case: Case) -> list[Any]:
    try:
        return case.type.redactions(annotation="pii")
    except tl.SchemaError:
        return []


def can_drop(case: Case) -> bool:
    return not any(
        field.annotations.get("pii") and field.requiredness == "required"
        for record in case.schema.records
        for field in record.fields
    )


def is_clean(kind: Kind, payload: Any) -> bool:
    """Whether annotated fields are blank and there are no unknown ones."""
    if kind.is_record:
        for number, _, item in payload.fields:
            field = kind.by_id(number)
            if field is None:
                return False
            if "pii" in field.annotations:
                if normal(field.type, field.type.wire, item) != normal(
                    field.type, field.type.wire, blank(field.type)
                ):
                    return False
            elif not is_clean(field.type, item):
                return False
        return True
    if kind.kind in ("list", "set"):
        return all(is_clean(kind.inner, item) for item in payload.items)
    if kind.kind == "map":
        return all(
            is_clean(kind.keys, key) and is_clean(kind.inner, item) for key, item in payload.entries
        )
    return True


@target("Type.redact")
def hashed(seed: int) -> None:
    """Equal texts have equal hashes, other texts others, and nothing of the text is left."""
    case = Case(seed)
    idl = tl.loads("struct H { 1: list<string> texts, 2: map<string, i64> numbers }").H
    texts = [case.choices.choice(("a", "b", "c", "a long text of a person")) for _ in range(9)]
    numbers = {text: case.choices.randint(-5, 5) for text in texts}
    data = idl.encode({"texts": texts, "numbers": numbers}, protocol=case.protocol)
    key = case.choices.randbytes(16)
    out = idl.decode(
        idl.redact(
            data, paths={"$.texts": "hash", "$.numbers": "hash"}, key=key, protocol=case.protocol
        ),
        protocol=case.protocol,
    )
    names = dict(zip(texts, out["texts"]))
    expect([names[text] for text in texts], out["texts"])
    expect(len(set(names.values())), len(set(texts)))
    expect_true(all(re.fullmatch("[0-9a-f]{16}", text) for text in out["texts"]))
    expect([*out["numbers"]], [names[text] for text in numbers])
    by_number = dict(zip(numbers.values(), out["numbers"].values()))
    expect([by_number[number] for number in numbers.values()], [*out["numbers"].values()])
    expect_true(all(number >= 0 for number in out["numbers"].values()))


ROWS = """struct Row { 1: i32 a, 2: string s, 3: list<Row> rows, 4: i64 b }
struct Root { 1: list<Row> rows, 2: string secret, 3: map<i32, Row> named, 4: list<list<Row>> more }
"""


def draw_row(choices: random.Random, shape: int, depth: int) -> wire.Struct:
    """A row of one of 16 layouts, half of them with a field that the IDL does not have."""
    row = wire.Struct([[1, "i32", choices.randrange(99)]])
    if shape & 1:
        row.fields.append([2, "string", b"x" * choices.randrange(3)])
    if shape & 2 and depth > 0:
        rows = draw_rows(choices, choices.randrange(16), depth - 1, (1, 4, 6))
        row.fields.append([3, "list", wire.Sequence("struct", rows)])
    row.fields.append([4, "i64", choices.randrange(99)])
    if shape & 4:
        row.fields.append([9, "i32", 5])
    if shape & 8:
        row.fields.insert(choices.randrange(len(row.fields)), [77, "string", b"unknown"])
    return row


def draw_rows(
    choices: random.Random, usual: int, depth: int, sizes: tuple[int, ...]
) -> list[wire.Struct]:
    shapes = [
        usual if choices.random() < 0.7 else choices.randrange(16)
        for _ in range(choices.choice(sizes))
    ]
    return [draw_row(choices, shape, depth) for shape in shapes]


@target("Type.redact")
def dropped_unknown(seed: int) -> None:
    """Rows from which rules only remove unknown fields, whose layouts are learned."""
    choices = random.Random(seed)
    usual, sizes = choices.randrange(16), (0, 1, 4, 5, 9, 16)
    groups = [draw_rows(choices, usual, 2, sizes) for _ in range(5)]
    entries = [[number, row] for number, row in enumerate(groups[1])]
    lists = [wire.Sequence("struct", rows) for rows in groups[2:]]
    root = wire.Struct([
        [1, "list", wire.Sequence("struct", groups[0])],
        [2, "string", b"secret"],
        [3, "map", wire.Mapping("i32", "struct", entries)],
        [4, "list", wire.Sequence("list", lists)],
    ])  # fmt: skip
    protocol: Any = choices.choice(wire.PROTOCOLS)
    data = wire.write(protocol, "struct", root)
    for row in [row for rows in groups for row in rows]:
        drop_unknown(row)
    root.fields[1][2] = b""
    expected = wire.write(protocol, "struct", root)
    type_ = tl.loads(ROWS).Root
    rules: Any = {"paths": {"$.secret": "blank"}, "unknown": "drop", "protocol": protocol}
    expect(type_.redact(data, **rules), expected)


def drop_unknown(row: wire.Struct) -> None:
    row.fields[:] = [field for field in row.fields if field[0] < 5]
    for number, _, value in row.fields:
        for inner in value.items if number == 3 else ():
            drop_unknown(inner)
