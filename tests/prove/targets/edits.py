"""Edits of every verb, alone and several in one pass."""

from __future__ import annotations

import copy
from typing import Any, Callable, NamedTuple, Optional

import thriftlens as tl
from proving import wire
from proving.case import Case, expect, expect_payload, expect_true
from proving.paths import ABSENT, Location, PathMaker, Refused, Step, find, put, remove, text_of
from proving.plain import by_id, json_text, json_tree, listed
from proving.registry import target
from proving.schemas import Kind
from proving.values import ValueMaker, has_equal_elements

VERBS = ("set", "create", "insert", "append", "erase", "replace")


class Change(NamedTuple):
    verb: str
    steps: list[Step]
    kind: Kind  # of the new value
    payload: Any


def draw_change(case: Case) -> Change:
    verb = case.choices.choice(VERBS)
    steps = PathMaker(case.choices, case.protocol, many_rate=0.15).make(case.root, case.payload, 4)
    kind = steps[-1].kind
    if verb == "append":
        if kind.kind not in ("list", "set"):
            verb = "set"
        else:
            kind = kind.inner
    maker = ValueMaker(case.choices, unknown_rate=0, shuffle_rate=0)
    in_set = any(step.form in ("index", "slice", "every") for step in steps) or verb == "append"
    return Change(verb, steps, kind, by_id(kind, maker.value(kind, 3, in_set)))


def apply_to(
    change: Change, root: Kind, payload: Any, created: list[tuple[Kind, wire.Struct]]
) -> None:
    """The change of the payload in location. Refused: the error that it is. created: structs of
    which more changes may set fields."""
    verb, steps, kind, value = change
    if verb == "append":
        append(change, root, payload)
        return
    if verb == "create":
        create_parents(steps, root, payload, created)
    else:
        check_parents(change, root, payload)
    check_erased(change)
    locations = find(steps, root, payload)
    if verb == "erase":
        remove(locations)
        return
    if verb == "replace":
        for location in locations:
            if location.payload is not ABSENT:
                put(location, copy.deepcopy(value))
        return
    if verb == "insert":
        insert(steps[-1], locations, value)
        return
    for location in locations:
        put(location, copy.deepcopy(value))


def apply_all(changes: list[Change], root: Kind, payload: Any) -> None:
    created: list[tuple[Kind, wire.Struct]] = []
    for change in changes:
        apply_to(change, root, payload, created)
    for kind, struct in created:
        has = {row[0] for row in struct.fields}
        if any(field.requiredness == "required" and field.id not in has for field in kind.fields):
            raise Refused("missing_required")
    if has_equal_elements(root, payload):
        raise Refused("duplicate_key")


def check_erased(change: Change) -> None:
    field = change.steps[-1].field
    if change.verb == "erase" and field is not None and field.requiredness == "required":
        raise Refused("missing_required")


def check_parents(change: Change, root: Kind, payload: Any) -> None:
    """Refused if a parent of a new value is absent."""
    if change.verb in ("erase", "replace"):
        return
    for at, step in enumerate(change.steps[:-1]):
        for location in find(change.steps[: at + 1], root, payload):
            if location.payload is ABSENT:
                raise Refused("bad_index" if step.form == "index" else "absent")


def insert(step: Step, locations: list[Location], value: Any) -> None:
    if step.is_many and locations:
        raise Refused("already_there")
    for location in locations:
        if step.form == "index":
            size = len(location.parent.items)
            index = step.index + size if step.index < 0 else step.index
            if not 0 <= index <= size:
                raise Refused("bad_index")
            if not size:
                location.parent.wire = location.parent_kind.inner.wire
            location.parent.items.insert(index, copy.deepcopy(value))
        elif location.index >= 0:
            raise Refused("already_there")
        else:
            put(location, copy.deepcopy(value))


def append(change: Change, root: Kind, payload: Any) -> None:
    check_parents(change, root, payload)
    locations = find(change.steps, root, payload)
    for location in locations:
        if location.payload is ABSENT:
            if location.step.form == "index":
                raise Refused("bad_index")
            put(location, wire.Sequence(change.kind.wire, [copy.deepcopy(change.payload)]))
        else:
            location.payload.items.append(copy.deepcopy(change.payload))
            location.payload.wire = change.kind.wire


def create_parents(
    steps: list[Step], root: Kind, payload: Any, created: list[tuple[Kind, wire.Struct]]
) -> None:
    """Adds absent structs and maps, and containers without elements where a wildcard follows."""
    for at, (step, following) in enumerate(zip(steps, steps[1:])):
        for location in find(steps[: at + 1], root, payload):
            if location.payload is not ABSENT:
                continue
            if step.form == "index":
                raise Refused("bad_index")
            if step.kind.is_record:
                struct = wire.Struct()
                created.append((step.kind, struct))
                put(location, struct)
            elif step.kind.kind == "map":
                put(location, wire.Mapping("stop", "stop"))
            elif following.is_many:
                put(location, wire.Sequence(step.kind.inner.wire))
            else:
                raise Refused("absent")


def add_to(edit: Any, change: Change, protocol: str, form: str) -> None:
    """Adds the change to an Edit or Rewrite, its value as object, JSON or wire bytes."""
    text = text_of(change.steps)
    if change.verb == "erase":
        edit.erase(text)
    elif change.verb == "replace":
        value = listed(change.kind, change.payload)
        edit.replace(text, lambda old: value)
    else:
        function: Callable[..., Any] = getattr(edit, change.verb)
        if form == "json":
            function(text, json=json_text(json_tree(change.kind, change.payload)))
        elif form == "wire":
            function(text, wire=wire.write(protocol, change.kind.wire, change.payload))
        else:
            function(text, listed(change.kind, change.payload))


@target(
    "Type.edit", "Edit", "Edit.set", "Edit.create", "Edit.insert", "Edit.append", "Edit.erase",
    "Edit.replace", "Edit.apply", "AbsentError",
)  # fmt: skip
def edit(seed: int) -> None:
    case = Case(seed)
    change = draw_change(case)
    form = case.choices.choice(("value", "json", "wire"))
    payload = copy.deepcopy(case.payload)
    expected_error = None
    try:
        apply_all([change], case.root, payload)
    except Refused as refused:
        expected_error = str(refused)
    original = bytes(case.data)
    edit_ = case.type.edit(case.data, protocol=case.protocol)
    about = (change.verb, text_of(change.steps), form)
    try:
        add_to(edit_, change, case.protocol, form)
        out = edit_.apply()
    except tl.Error as error:
        expect_true(error.code in codes_of(change, expected_error), (about, error))
        return
    finally:
        expect(case.data, original)
    expect(None, expected_error, about)
    expect_payload(case.root, out, payload, case.protocol, about)


def codes_of(change: Change, expected: Optional[str]) -> set[Optional[str]]:
    """The error, and those that other parents of the change may have."""
    if expected is not None and any(step.is_many for step in change.steps):
        return {expected, "absent", "bad_index", "duplicate_key"}
    return {expected}


def roots(change: Change) -> Any:
    field = change.steps[0].field
    assert field is not None
    return field.id


@target("Type.edit", "Rewrite", "Type.rewrite", "rewrite", "Rewrite.apply", "Rewrite.set",
        "Rewrite.create", "Rewrite.insert", "Rewrite.append", "Rewrite.erase",
        "Rewrite.replace")  # fmt: skip
def edits(seed: int) -> None:
    """Several changes of different fields equal the same changes one after another; a rewrite makes
    the same."""
    case = Case(seed)
    changes: list[Change] = []
    for _ in range(4):
        change = draw_change(case)
        if case.root.kind != "union" and roots(change) not in map(roots, changes):
            changes.append(change)
    changes = case.program(changes)
    payload = copy.deepcopy(case.payload)
    try:
        apply_all(changes, case.root, payload)
        refused = False
    except Refused:
        refused = True
    about = [(change.verb, text_of(change.steps)) for change in changes]
    for edit_ in (
        case.type.edit(case.data, protocol=case.protocol),
        case.type.rewrite(case.data, protocol=case.protocol),
        tl.rewrite(case.type.view(case.data, protocol=case.protocol)),
    ):
        try:
            for change in changes:
                add_to(edit_, change, case.protocol, "value")
            out = edit_.apply()
        except tl.Error as error:
            expect_true(refused, (about, error))
            continue
        expect_true(not refused, about)
        expect_payload(case.root, out, payload, case.protocol, about)
        if not changes:
            expect(out, case.data)


@target("Edit.set", "Edit.create", "Edit.erase", "Edit.replace", "Type.edit")
def key_spellings(seed: int) -> None:
    """Two edits of one path in two spellings of its keys are edits of the same value."""
    case = Case(seed)
    maker = PathMaker(case.choices, case.protocol, many_rate=0)
    steps = maker.make(case.root, case.payload)
    kind = steps[-1].kind
    values = ValueMaker(case.choices, unknown_rate=0, shuffle_rate=0)
    verb = case.choices.choice(("set", "create", "erase", "replace"))
    changes = [
        Change(verb, path, kind, payload)
        for path in (steps, maker.respelled(case.root, steps))
        for payload in [by_id(kind, values.value(kind, 3, True))]
    ]
    payload, expected_error = copy.deepcopy(case.payload), None
    try:
        apply_all(changes[1:], case.root, payload)
    except Refused as refused:
        expected_error = str(refused)
    about = [(change.verb, text_of(change.steps)) for change in changes]
    edit_ = case.type.edit(case.data, protocol=case.protocol)
    try:
        for change in changes:
            add_to(edit_, change, case.protocol, "value")
        out = edit_.apply()
    except tl.Error as error:
        expect(error.code, expected_error, about)
        return
    expect(None, expected_error, about)
    expect_payload(case.root, out, payload, case.protocol, about)
