"""A case: a schema, a value of its first struct, and its bytes, drawn from a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Callable, ClassVar, Optional

import thriftlens as tl

from . import wire
from .plain import difference
from .schemas import Kind, SchemaKind, make_schema
from .values import ValueMaker, normal

# Options of decode with their values.
READING_OPTIONS = {
    "enums": ("number", "name"),
    "unknown": ("drop", "keep"),
    "defaults": ("omit", "write"),
    "names": ("field", "alias"),
}


@dataclass(frozen=True)
class Removed:
    """Numbers of parts of the value, fields of the IDL, and steps of the target's program."""

    parts: frozenset[int] = frozenset()
    fields: frozenset[int] = frozenset()
    steps: frozenset[int] = frozenset()


class Case:
    """The draws of `choices` after construction belong to the target."""

    # Parts to leave out, by their number, while a failure is minimized; and the last case.
    removed: ClassVar[Removed] = Removed()
    latest: ClassVar[Optional[Case]] = None

    def __init__(self, seed: int, **options: Any):
        self.seed = seed
        self.choices = random.Random(seed)
        self.options = options
        self.schema: SchemaKind = make_schema(self.choices)
        self.root: Kind = self.schema.root
        self.payload: wire.Struct = self.draw(self.root)
        fields = self.remove_fields()
        parts = remove_parts(self.payload, self.removed.parts, 0)
        self.sizes = {"parts": parts, "fields": fields, "steps": 0}
        self.protocol: Any = self.choices.choice(wire.PROTOCOLS)
        spelling = self.choices.random() < 0.4
        self.spelling = wire.Spelling(self.choices if spelling else None, 0.2)
        self.data = wire.write(self.protocol, "struct", self.payload, self.spelling)
        Case.latest = self
        self.payload = wire.read(self.protocol, self.data)  # Compact: without types of empty maps

    def draw(self, kind: Kind) -> Any:
        return ValueMaker(self.choices, **self.options).value(kind)

    def remove_fields(self) -> int:
        """Leaves fields out of the IDL and of the value; returns the number that there were."""
        original_fields = [(record, list(record.fields)) for record in self.schema.records]
        number = self.schema.without(self.removed.fields)
        gone = {
            (id(record.fields), field.id)
            for record, fields in original_fields
            for field in fields
            if field not in record.fields
        }
        if gone:
            remove_known(self.root, self.payload, gone)
        return number

    def program(self, steps: list[Any]) -> list[Any]:
        """The steps of a program that are not left out."""
        first = self.sizes["steps"]
        self.sizes["steps"] += len(steps)
        return [step for at, step in enumerate(steps, first) if at not in self.removed.steps]

    def some(self, share: float, **values: tuple[Any, ...]) -> dict[str, Any]:
        """Random values of a share of the options."""
        return {
            name: self.choices.choice(of)
            for name, of in values.items()
            if self.choices.random() < share
        }

    @cached_property
    def idl(self) -> tl.Schema:
        return tl.loads(self.schema.text)

    @cached_property
    def type(self) -> tl.Type:
        return self.idl[self.root.text]

    @property
    def is_canonical(self) -> bool:
        return wire.write(self.protocol, "struct", self.payload) == self.data

    def canonical(self, payload: Any, protocol: Optional[str] = None) -> bytes:
        return wire.write(protocol or self.protocol, "struct", payload)


def remove_known(kind: Kind, payload: Any, gone: set[tuple[int, int]]) -> None:
    """Removes the fields of these lists and ids from a payload."""
    if isinstance(payload, wire.Struct):
        payload.fields = [row for row in payload.fields if (id(kind.fields), row[0]) not in gone]
        for number, _, inner in payload.fields:
            field = kind.by_id(number)
            if field is not None:
                remove_known(field.type, inner, gone)
    elif isinstance(payload, wire.Sequence):
        for inner in payload.items:
            remove_known(kind.inner, inner, gone)
    elif isinstance(payload, wire.Mapping):
        for key, inner in payload.entries:
            remove_known(kind.keys, key, gone)
            remove_known(kind.inner, inner, gone)


def remove_parts(payload: Any, removed: frozenset[int], number: int) -> int:
    """Removes fields, elements and entries, numbered from `number` on in the order of the bytes;
    returns the next number."""
    if isinstance(payload, wire.Struct):
        rows = payload.fields
    elif isinstance(payload, wire.Sequence):
        rows = payload.items
    elif isinstance(payload, wire.Mapping):
        rows = payload.entries
    else:
        return number
    remaining = []
    for row in rows:
        own = number
        number = remove_parts(
            row if isinstance(payload, wire.Sequence) else row[-1], removed, number + 1
        )
        if own not in removed:
            remaining.append(row)
    rows[:] = remaining
    return number


def expect(actual: Any, expected: Any, about: Any = "") -> None:
    """Equal with types, order of dicts and bits of doubles."""
    if isinstance(expected, bytes) and actual != expected:
        at = next((at for at, pair in enumerate(zip(actual, expected)) if pair[0] != pair[1]), -1)
        raise AssertionError(f"{about} byte {at}: {actual.hex()} is not {expected.hex()}")
    if text := difference(actual, expected):
        raise AssertionError(f"{about} {text}")


def expect_true(condition: object, about: Any = "") -> None:
    if not condition:
        raise AssertionError(str(about))


def expect_payload(
    kind: Kind, actual: bytes, expected: Any, protocol: str, about: Any = ""
) -> None:
    """The bytes are a value that equals the payload, whatever the order of fields and entries."""
    payload = wire.read(protocol, bytes(actual))
    if normal(kind, "struct", payload) != normal(kind, "struct", expected):
        raise AssertionError(f"{about}\nactual   {payload!r}\nexpected {expected!r}")


def error_of(call: Callable[[], Any]) -> Optional[str]:
    """The code of the tl.Error that a call raises; None if it returns."""
    try:
        call()
    except tl.Error as error:
        return str(error.code)
    return None
