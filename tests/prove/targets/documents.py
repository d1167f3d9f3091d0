"""tl.Document beside changes of a plain payload; tl.Store beside a list of the texts it had."""

from __future__ import annotations

import copy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Callable, Optional

import thriftlens as tl
from proving import wire
from proving.case import Case, expect, expect_payload, expect_true
from proving.paths import (
    ABSENT,
    Location,
    PathMaker,
    Refused,
    Step,
    find,
    locations_in,
    put,
    remove,
    text_of,
)
from proving.plain import by_id, decoded, listed
from proving.registry import target
from proving.schemas import Kind
from proving.values import ValueMaker, equal_key, has_equal_elements

SEQUENCES = ("list", "set")
# A value may be absent, or invalid, for two reasons.
EQUAL_CODES = {"bad_index": "absent", "duplicate_key": "missing_required"}


class Model:
    """A document as a payload. Its methods raise Refused with the code of the expected error."""

    def __init__(self, case: Case):
        self.root = case.root
        self.payload: Any = copy.deepcopy(case.payload)

    def at(self, steps: list[Step]) -> Location:
        """The location of a path. Refused if a parent is absent."""
        for at, step in enumerate(steps[:-1]):
            if find(steps[: at + 1], self.root, self.payload)[0].payload is ABSENT:
                raise Refused("bad_index" if step.form == "index" else "absent")
        return find(steps, self.root, self.payload)[0]

    def present(self, steps: list[Step]) -> Location:
        location = self.at(steps)
        if location.payload is ABSENT:
            raise Refused("bad_index" if location.step.form == "index" else "absent")
        return location

    def get(self, steps: list[Step]) -> Any:
        """The decoded value; "default" if it is absent."""
        try:
            location = self.present(steps)
        except Refused:
            return "default"
        return value_of(steps[-1].kind, location.payload)

    def set(self, steps: list[Step], payload: Any) -> None:
        put(self.at(steps), payload)

    def append(self, steps: list[Step], payload: Any) -> None:
        kind = steps[-1].kind
        location = self.at(steps)
        if location.payload is ABSENT:
            put(location, wire.Sequence(kind.inner.wire))
            location = self.at(steps)
        location.payload.wire = kind.inner.wire
        location.payload.items.append(payload)

    def erase(self, steps: list[Step]) -> bool:
        try:
            location = self.at(steps)
        except Refused:
            return False
        keep_required(steps[-1])
        if location.payload is ABSENT:
            return False
        remove([location])
        return True

    def move(self, source: list[Step], target_steps: list[Step]) -> None:
        keep_required(source[-1])
        origin, goal = self.present(source), self.at(target_steps)
        value = origin.payload
        if source[-1].kind.text != target_steps[-1].kind.text:
            raise Refused("value_type")
        if contains(value, goal.parent):
            raise Refused("edit_conflict")
        if goal.step.form != "index":
            if origin.parent is not goal.parent or origin.index != goal.index:
                remove([origin])
                put(next(locations_in(goal.parent_kind, goal.parent, goal.step)), value)
            return
        items = goal.parent.items
        index = goal.step.index + len(items) * (goal.step.index < 0)
        if not 0 <= index <= len(items):
            raise Refused("bad_index")
        remove([origin])
        if origin.parent is goal.parent and origin.index < index:
            index -= 1
        goal.parent.wire = goal.parent_kind.inner.wire
        items.insert(index, value)

    def sort(self, steps: list[Step], key: Optional[Callable[[Any], Any]]) -> None:
        value, kind = self.present(steps).payload, steps[-1].kind
        rows, item_kind = (
            (value.entries, kind.keys) if kind.kind == "map" else (value.items, kind.inner)
        )

        def of_row(row: Any) -> Any:
            payload = row[0] if kind.kind == "map" else row
            return payload if key is None else key(value_of(item_kind, payload))

        if len(rows) > 1:
            rows.sort(key=of_row)

    def filter(self, steps: list[Step], keep: Callable[[Any], bool]) -> int:
        value, kind = self.present(steps).payload, steps[-1].kind
        rows = value.entries if kind.kind == "map" else value.items
        remaining = [
            row for row in rows if keep(value_of(kind.inner, row[1] if kind.kind == "map" else row))
        ]
        removed = len(rows) - len(remaining)
        rows[:] = remaining
        return removed

    def merge(self, other: Any, append_lists: bool, replace_maps: bool) -> None:
        self.payload = merged(self.root, self.payload, other, append_lists, replace_maps)


def keep_required(step: Step) -> None:
    if step.field is not None and step.field.requiredness == "required":
        raise Refused("missing_required")


def value_of(kind: Kind, payload: Any) -> Any:
    """The decoded value; Refused if changes have made it invalid."""
    if has_equal_elements(kind, payload) or lacks_required(kind, payload):
        raise Refused("missing_required")
    return decoded(kind, payload)


def lacks_required(kind: Kind, payload: Any) -> bool:
    if isinstance(payload, wire.Struct):
        present = {number for number, _, _ in payload.fields}
        if any(field.requiredness == "required" and field.id not in present
               for field in kind.fields):  # fmt: skip
            return True
        known = [(kind.by_id(number), value) for number, _, value in payload.fields]
        return any(lacks_required(field.type, value) for field, value in known if field)
    if isinstance(payload, wire.Sequence):
        return any(lacks_required(kind.inner, item) for item in payload.items)
    if isinstance(payload, wire.Mapping):
        return any(lacks_required(kind.inner, item) for _, item in payload.entries)
    return False


def contains(payload: Any, part: Any) -> bool:
    if payload is part:
        return True
    if isinstance(payload, wire.Struct):
        return any(contains(value, part) for _, _, value in payload.fields)
    if isinstance(payload, wire.Sequence):
        return any(contains(item, part) for item in payload.items)
    return isinstance(payload, wire.Mapping) and any(
        contains(item, part) for _, item in payload.entries
    )


def merged(kind: Optional[Kind], own: Any, other: Any, appends: bool, replaces: bool) -> Any:
    """Values of `other` have priority; structs and maps are merged."""
    other = copy.deepcopy(other)
    if isinstance(own, wire.Struct) and isinstance(other, wire.Struct):
        if kind is not None and kind.kind == "union" and other.fields:
            if [row[0] for row in own.fields] != [row[0] for row in other.fields]:
                return other
        rows = {row[0]: row for row in own.fields}
        for number, type_, value in other.fields:
            field = kind.by_id(number) if kind else None
            if number in rows and rows[number][1] == type_:
                inner = field.type if field else None
                rows[number][2] = merged(inner, rows[number][2], value, appends, replaces)
            elif number in rows:
                rows[number][1:] = [type_, value]
            else:
                own.fields.append([number, type_, value])
        return own
    if not same_contents(own, other):
        return other
    if isinstance(own, wire.Sequence) and isinstance(other, wire.Sequence) and appends:
        own.items += other.items
        own.wire = other.wire if other.items else own.wire
        return own
    if isinstance(own, wire.Mapping) and isinstance(other, wire.Mapping) and not replaces:
        if not own.entries:
            return other if other.entries else own
        keys, inner = (kind.keys, kind.inner) if kind else (None, None)
        entries = {equal_key(keys, own.key_wire, row[0]): row for row in own.entries}
        for key, value in other.entries:
            row = entries.get(equal_key(keys, own.key_wire, key))
            if row is None:
                own.entries.append([key, value])
                entries[equal_key(keys, own.key_wire, key)] = own.entries[-1]
            else:
                row[1] = merged(inner, row[1], value, appends, replaces)
        return own
    return other


def same_contents(own: Any, other: Any) -> bool:
    """Whether two containers, if not empty, have equal wire types of elements and entries."""
    if isinstance(own, wire.Sequence) and isinstance(other, wire.Sequence):
        return not own.items or not other.items or own.wire == other.wire
    if isinstance(own, wire.Mapping) and isinstance(other, wire.Mapping):
        types = [(it.key_wire, it.value_wire) for it in (own, other)]
        return not own.entries or not other.entries or types[0] == types[1]
    return True


def size_of(value: Any) -> int:
    """A key that does not depend on the order of a set."""
    return len(repr(value))


Action = tuple[str, Callable[[tl.Document], Any], Callable[[Model], Any]]


def draw_action(case: Case, model: Model) -> Optional[Action]:
    """A name, and the same action of a document and of its model; None if none was found."""
    choices = case.choices
    maker = PathMaker(choices, case.protocol, many_rate=0)
    steps = maker.make(case.root, model.payload, 4)
    text, kind = text_of(steps), steps[-1].kind
    verb = choices.choice(("get", "set", "append", "erase", "move", "merge", "sort", "filter"))
    values = ValueMaker(choices, unknown_rate=0, shuffle_rate=0)
    is_sequence = kind.kind in SEQUENCES
    if verb == "get":
        return f"get {text}", lambda it: it.get(text, "default"), lambda it: it.get(steps)
    if verb == "erase":
        return f"erase {text}", lambda it: it.erase(text), lambda it: it.erase(steps)
    if verb == "set":
        value = by_id(kind, values.value(kind, 3, steps[-1].form == "index"))
        return (f"set {text}", lambda it: it.set(text, listed(kind, value)),
                lambda it: it.set(steps, copy.deepcopy(value)))  # fmt: skip
    if verb == "append" and is_sequence:
        value = by_id(kind.inner, values.value(kind.inner, 3, True))
        return (f"append {text}", lambda it: it.append(text, listed(kind.inner, value)),
                lambda it: it.append(steps, copy.deepcopy(value)))  # fmt: skip
    if verb == "move":
        goals = [maker.make(case.root, model.payload, 4) for _ in range(20)]
        equal = [goal for goal in goals if goal[-1].kind.text == kind.text]
        other = [goal for goal in goals if goal[-1].kind.wire != kind.wire]
        if not (equal or other):
            return None
        goal = choices.choice(equal or other)
        return (f"move {text} {text_of(goal)}", lambda it: it.move(text, text_of(goal)),
                lambda it: it.move(steps, goal))  # fmt: skip
    if verb == "merge":
        return draw_merge(case)
    if verb == "sort" and (is_sequence or kind.kind == "map"):
        sorted_kind = kind.keys if kind.kind == "map" else kind.inner
        is_natural = sorted_kind.wire in (*wire.INTEGER_BITS, "bool", "double", "string")
        key = None if is_natural and choices.random() < 0.7 else size_of
        return f"sort {text}", lambda it: it.sort(text, key), lambda it: it.sort(steps, key)
    if verb == "filter" and (is_sequence or kind.kind == "map"):
        keep = lambda value: size_of(value) % 2 == 0  # noqa: E731
        return f"filter {text}", lambda it: it.filter(text, keep), lambda it: it.filter(steps, keep)
    return None


def draw_merge(case: Case) -> Action:
    options = {"append_lists": case.choices.random() < 0.5,
               "replace_maps": case.choices.random() < 0.5}  # fmt: skip
    protocol: Any = case.choices.choice(wire.PROTOCOLS)
    data = case.canonical(case.draw(case.root), protocol)
    return (
        f"merge {options}",
        lambda it: it.merge(tl.Document(case.type, data, protocol=protocol), **options),
        lambda it: it.merge(wire.read(protocol, data), **options),
    )


def attempt(call: Callable[[], Any]) -> tuple[Any, Optional[str]]:
    """The result of a call, and the code of its error."""
    try:
        return call(), None
    except Refused as refused:
        code = str(refused)
    except tl.Error as error:
        code = str(error.code)
    return None, EQUAL_CODES.get(code, code)


@target(
    "Document", "Document.get", "Document.set", "Document.append", "Document.erase",
    "Document.move", "Document.merge", "Document.sort", "Document.filter", "Document.to_bytes",
    "Document.changed",
)  # fmt: skip
def document(seed: int) -> None:
    """Every change, in every order: the result and the error are those of the plain payload; an
    error changes nothing."""
    case = Case(seed)
    if lacks_required(case.root, case.payload):
        return  # a minimized case
    tree, model = tl.Document(case.type, case.data, protocol=case.protocol), Model(case)
    names: list[str] = []
    for _ in case.program([*range(8)]):
        action = draw_action(case, model)
        if action is None:
            continue
        name, change, expected_change = action
        names.append(name)
        original = copy.deepcopy(model.payload)
        expected, code = attempt(lambda: expected_change(model))
        if code is not None:
            model.payload = original
        actual, actual_code = attempt(lambda: change(tree))
        # A move may be refused for several reasons.
        is_moved = name.startswith("move") and code is not None and actual_code is not None
        expect(code if is_moved else actual_code, code, (seed, names))
        expect_true(actual == expected, (seed, names, actual, expected))  # fields in any order
    if has_equal_elements(case.root, model.payload) or lacks_required(case.root, model.payload):
        expect(attempt(tree.to_bytes), (None, "missing_required"), (seed, names))
        return
    if not tree.changed:
        expect(tree.to_bytes(), bytes(case.data), (seed, names))
    for protocol in wire.PROTOCOLS:
        out = tree.to_bytes(protocol=protocol)
        expect_payload(case.root, out, model.payload, protocol, (seed, names))


@target("Store", "Store.current", "Store.version", "Store.reload", cost=2)
def store(seed: int) -> None:
    """A sequence of texts: the schema is that of the last valid one, the version their number."""
    case = Case(seed)
    texts = [case.schema.text, case.schema.text + "struct Added {}", "struct Broken {", "", None]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "case.thrift"
        path.write_text(case.schema.text, encoding="utf-8")
        tested = tl.Store(path)
        current, version = case.schema.text, 1
        for text in case.program(case.choices.choices(texts, k=6)):
            path.unlink(missing_ok=True)
            if text is not None:
                path.write_text(text, encoding="utf-8")
            pinned = tested.current
            changed, code = attempt(tested.reload)
            if not text or "Broken" in text:  # absent, without definitions, or invalid
                expect_true(code is not None, text)
            else:
                expect((changed, code), (text != current, None), text)
                version += text != current
                current = text
            expect(tested.version, version)
            expect([*tested.current.types], [*tl.loads(current).types])
            expect_true((tested.current is pinned) == (not changed))
