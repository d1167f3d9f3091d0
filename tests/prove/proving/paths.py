"""Random paths, and what they lead to in a payload."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass, replace
from typing import Any, Iterator, Optional

from . import wire
from .schemas import FieldKind, Kind
from .values import ValueMaker, equal_key, uuid_of

ABSENT = object()
KEY_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n"}


@dataclass
class Step:
    """form: field, index, slice, key or every (elements of a list or set, values of a map)."""

    form: str
    text: str
    kind: Kind  # of the value that it leads to
    field: Optional[FieldKind] = None
    index: int = 0
    bounds: Any = (None, None)
    key: Any = None

    @property
    def is_many(self) -> bool:
        return self.form in ("slice", "every")


@dataclass
class Location:
    """What the last step of a path addresses in one parent; present or not."""

    parent: Any
    parent_kind: Kind
    step: Step
    index: int = -1  # of an element, an entry or a field; -1: absent

    @property
    def rows(self) -> list[Any]:
        if isinstance(self.parent, wire.Struct):
            return self.parent.fields
        return self.parent.items if isinstance(self.parent, wire.Sequence) else self.parent.entries

    @property
    def payload(self) -> Any:
        if self.index < 0:
            return ABSENT
        row = self.rows[self.index]
        return row if isinstance(self.parent, wire.Sequence) else row[-1]


class PathMaker:
    """Draws paths of a type that mostly lead to values of a payload."""

    def __init__(self, choices: random.Random, protocol: str, many_rate: float = 0.3):
        self.choices = choices
        self.protocol = protocol
        self.many_rate = many_rate

    def make(self, kind: Kind, payload: Any, longest: int = 5) -> list[Step]:
        steps: list[Step] = []
        for _ in range(self.choices.randint(1, longest)):
            step = self.step(kind, payload)
            if step is None:
                break
            steps.append(step)
            locations = [] if payload is ABSENT else find([step], kind, payload)
            kind = step.kind
            present = [location.payload for location in locations if location.payload is not ABSENT]
            payload = self.choices.choice(present) if present else ABSENT
        return steps

    def step(self, kind: Kind, payload: Any) -> Optional[Step]:
        choices = self.choices
        if kind.is_record:
            if not kind.fields:
                return None
            field = choices.choice(kind.fields)
            if payload is not ABSENT and payload.fields and choices.random() < 0.85:
                present = [kind.by_id(number) for number, _, _ in payload.fields]
                field = choices.choice([item for item in present if item] or [field])
            text = f".#{field.id}" if choices.random() < 0.2 else f".{field.name}"
            return Step("field", text, field.type, field=field)
        if kind.kind in ("list", "set"):
            return self.element_step(kind, 0 if payload is ABSENT else len(payload.items))
        if kind.kind == "map":
            return self.entry_step(kind, payload)
        return None

    def element_step(self, kind: Kind, size: int) -> Step:
        choices = self.choices
        if choices.random() < self.many_rate:
            if choices.random() < 0.5:
                return Step("every", "[*]", kind.inner)
            bounds = [choices.choice((None, choices.randint(-size - 2, size + 2))) for _ in "ab"]
            text = ":".join("" if bound is None else str(bound) for bound in bounds)
            return Step("slice", f"[{text}]", kind.inner, bounds=tuple(bounds))
        index = choices.randint(-size, size - 1) if size and choices.random() < 0.9 else size + 3
        return Step("index", f"[{index}]", kind.inner, index=index)

    def entry_step(self, kind: Kind, payload: Any) -> Step:
        choices = self.choices
        if choices.random() < self.many_rate:
            return Step("every", "{*}", kind.inner)
        if payload is not ABSENT and payload.entries and choices.random() < 0.85:
            key = choices.choice(payload.entries)[0]
        else:
            key = ValueMaker(choices, unknown_rate=0).value(kind.keys, 2, True)
        return Step("key", "{" + self.key_text(kind.keys, key) + "}", kind.inner, key=key)

    def respelled(self, kind: Kind, steps: list[Step]) -> list[Step]:
        """The same path with other spellings of names and keys."""
        out = []
        for step in steps:
            text = step.text
            if step.form == "key":
                bytes_ = wire.write(
                    self.protocol, kind.keys.wire, step.key, wire.Spelling(self.choices, 0.5)
                )
                text = (
                    "{"
                    + self.choices.choice(
                        (f'x"{bytes_.hex()}"', self.key_text(kind.keys, step.key))
                    )
                    + "}"
                )
            elif step.field is not None:
                text = self.choices.choice((f".#{step.field.id}", f".{step.field.name}"))
            out.append(replace(step, text=text))
            kind = step.kind
        return out

    def key_text(self, kind: Kind, key: Any) -> str:
        choices = self.choices
        if kind.kind == "bool":
            return "true" if key else "false"
        if kind.kind == "enum":
            names = [name for name, number in kind.members.items() if number == key]
            return names[0] if names and choices.random() < 0.5 else str(key)
        if kind.kind in wire.INTEGER_BITS or kind.kind == "double":
            return repr(key)
        if kind.kind in ("string", "binary"):
            try:
                text = key.decode()
            except UnicodeDecodeError:
                return '"' + "".join(f"\\x{byte:02x}" for byte in key) + '"'
            return (
                '"'
                + "".join(KEY_ESCAPES.get(c, c if c >= " " else f"\\x{ord(c):02x}") for c in text)
                + '"'
            )
        if kind.kind == "uuid" and choices.random() < 0.5:
            return f'"{uuid_of(key)}"'
        spelled = wire.write(self.protocol, kind.wire, key)
        return f'x"{spelled.hex()}"'


def text_of(steps: list[Step]) -> str:
    return "$" + "".join(step.text for step in steps)


def find(steps: list[Step], kind: Kind, payload: Any) -> list[Location]:
    """The locations of the last step in every parent that the others lead to."""
    parents = [(kind, payload)]
    for step in steps[:-1]:
        parents = [
            (step.kind, location.payload)
            for parent_kind, parent in parents
            for location in locations_in(parent_kind, parent, step)
            if location.payload is not ABSENT
        ]
    return [
        location
        for parent_kind, parent in parents
        for location in locations_in(parent_kind, parent, steps[-1])
    ]


def locations_in(kind: Kind, payload: Any, step: Step) -> Iterator[Location]:
    if step.form == "field":
        assert step.field is not None
        numbers = [number for number, _, _ in payload.fields]
        index = numbers.index(step.field.id) if step.field.id in numbers else -1
        yield Location(payload, kind, step, index)
    elif step.form == "key":
        requested = equal_key(kind.keys, kind.keys.wire, step.key)
        actual = [
            at
            for at, (key, _) in enumerate(payload.entries)
            if equal_key(kind.keys, kind.keys.wire, key) == requested
        ]
        yield Location(payload, kind, step, actual[0] if actual else -1)
    elif step.form == "index":
        size = len(payload.items)
        index = step.index + size if step.index < 0 else step.index
        yield Location(payload, kind, step, index if 0 <= index < size else -1)
    else:
        size = len(payload.entries if kind.kind == "map" else payload.items)
        for index in range(*slice(*step.bounds).indices(size)):
            yield Location(payload, kind, step, index)


def matches(steps: list[Step], kind: Kind, payload: Any) -> list[Any]:
    return [
        location.payload
        for location in find(steps, kind, payload)
        if location.payload is not ABSENT
    ]


# Edits of a payload in location


class Refused(Exception):
    """The edit is an error with that code."""


def put(location: Location, payload: Any) -> None:
    """Replaces or adds the value of a location."""
    step, rows = location.step, location.rows
    if location.index >= 0:
        if isinstance(location.parent, wire.Sequence):
            rows[location.index] = payload
        else:
            rows[location.index][-1] = payload
        return
    if step.form == "field":
        assert step.field is not None
        if location.parent_kind.kind == "union":
            rows.clear()
        rows.append([step.field.id, step.field.type.wire, payload])
    elif step.form == "key":
        if not rows:
            location.parent.key_wire, location.parent.value_wire = (
                location.parent_kind.keys.wire,
                location.parent_kind.inner.wire,
            )
        rows.append([copy.deepcopy(step.key), payload])
    else:
        raise Refused("bad_index")


def remove(locations: list[Location]) -> None:
    """Erases present values; elements from the end, so that indices stay valid."""
    for location in sorted(locations, key=lambda location: -location.index):
        if location.index >= 0:
            del location.rows[location.index]
