"""Random payloads of a type, with the shapes that learned layouts depend on."""

from __future__ import annotations

import random
import struct
import uuid
from collections import Counter
from typing import Any, Optional

from .schemas import FieldKind, Kind
from .wire import INTEGER_BITS, Mapping, Sequence, Struct

TEXTS = ("", "a", "key", "abc", "0", "7", "true", "x y", 'quo"te', "back\\slash", "line\nbreak",
         "ümläut", "\u20ac", "\U0001f600", "long " * 12, "\x00", "\x7f", "$.x[1]",
         "</script>")  # fmt: skip
REALS = (0.0, 1.0, -1.5, 0.1, 1e300, -1e-300, 2.0**53, 123456.789, 5e-324, 1e16, 1e21, 1e-7)
STRANGE_REALS = (float("nan"), float("inf"), float("-inf"), -0.0)
# Sizes of texts beside those that Compact writes with one byte more.
LONG = (127, 128, 300, 16383, 16384)
UNKNOWN_WIRES = ("bool", "i8", "i16", "i32", "i64", "double", "string", "uuid", "struct", "list",
                 "set", "map")  # fmt: skip


def equal_key(kind: Optional[Kind], wire: str, payload: Any) -> Any:
    """Hashable; equal exactly for payloads that are equal as keys and elements. Without a kind,
    containers are compared by their order."""
    if wire == "double":
        return struct.pack(">d", payload + 0.0 if payload == payload else payload)
    if isinstance(payload, Struct):
        members = []
        for number, inner_wire, inner in payload.fields:
            field = kind.by_id(number) if kind is not None else None
            members.append(
                (number, inner_wire, equal_key(field.type if field else None, inner_wire, inner))
            )
        return ("struct", frozenset(members))
    if isinstance(payload, Sequence):
        inner_kind = kind.element if kind is not None else None
        items = [equal_key(inner_kind, payload.wire, item) for item in payload.items]
        return (wire, frozenset(items) if wire == "set" else tuple(items))
    if isinstance(payload, Mapping):
        pairs = [
            (
                equal_key(kind.key if kind else None, payload.key_wire, key),
                equal_key(kind.element if kind else None, payload.value_wire, inner),
            )
            for key, inner in payload.entries
        ]
        return ("map", frozenset(pairs))
    return (wire, payload)


def normal(kind: Optional[Kind], wire: str, payload: Any) -> Any:
    """Hashable; equal exactly for payloads with equal bits, whatever the order of fields, of
    elements of sets and of entries."""
    if wire == "double":
        return struct.pack(">d", payload)
    if isinstance(payload, Struct):
        members = []
        for number, inner_wire, inner in payload.fields:
            field = kind.by_id(number) if kind is not None else None
            members.append(
                (number, inner_wire, normal(field.type if field else None, inner_wire, inner))
            )
        return ("struct", tuple(sorted(members, key=lambda member: member[0])))
    if isinstance(payload, Sequence):
        items = [
            normal(kind.element if kind else None, payload.wire, item) for item in payload.items
        ]
        return (wire, bag(items) if wire == "set" and kind else tuple(items))
    if isinstance(payload, Mapping):
        if not payload.entries:
            return ("map", ())  # Compact does not write its types
        pairs = [
            (
                normal(kind.key if kind else None, payload.key_wire, key),
                normal(kind.element if kind else None, payload.value_wire, inner),
            )
            for key, inner in payload.entries
        ]
        return ("map", bag(pairs) if kind else tuple(pairs))
    return (wire, payload)


def has_equal_elements(kind: Kind, payload: Any) -> bool:
    """Whether a set in the payload, outside of keys, has two equal elements."""
    if isinstance(payload, Struct):
        known = [(kind.by_id(number), value) for number, _, value in payload.fields]
        return any(has_equal_elements(field.type, value) for field, value in known if field)
    if isinstance(payload, Mapping):
        return any(has_equal_elements(kind.inner, value) for _, value in payload.entries)
    if not isinstance(payload, Sequence):
        return False
    keys = {equal_key(kind.inner, payload.wire, item) for item in payload.items}
    if kind.kind == "set" and len(keys) != len(payload.items):
        return True
    return any(has_equal_elements(kind.inner, item) for item in payload.items)


def bag(items: list[Any]) -> Any:
    """Hashable; equal exactly for the same items in any order."""
    return frozenset(Counter(items).items())


class ValueMaker:
    """Draws payloads. `shape` decides about presence, sizes and widths, `content` about the rest,
    so
    that values of one shape and many contents have equal layouts."""

    def __init__(
        self,
        choices: random.Random,
        unknown_rate: float = 0.1,
        shuffle_rate: float = 0.1,
        strange_reals: bool = False,
    ):
        self.shape = choices
        self.content = random.Random(choices.random())
        self.unknown_rate = unknown_rate
        self.shuffle_rate = shuffle_rate
        self.strange_reals = strange_reals
        self.budget = 400

    def value(self, kind: Kind, depth: int = 5, is_key: bool = False) -> Any:
        self.budget -= 1
        if kind.is_record:
            return self.record(kind, depth, is_key)
        if kind.kind in ("list", "set"):
            return self.sequence(kind, depth, is_key)
        if kind.kind == "map":
            return self.mapping(kind, depth, is_key)
        return self.scalar(kind, is_key)

    def scalar(self, kind: Kind, is_key: bool = False) -> Any:
        shape, content = self.shape, self.content
        if kind.kind == "bool":
            return content.random() < 0.5
        if kind.wire in INTEGER_BITS and kind.kind != "enum":
            widest = INTEGER_BITS[kind.wire] - 1
            bits = shape.choice((0, 3, 6, 7, widest, shape.randint(0, widest)))
            bits = min(bits, widest)
            return content.randrange(-(1 << bits), 1 << bits)
        if kind.kind == "enum":
            numbers = [*kind.members.values()]
            return content.choice(numbers if content.random() < 0.9 else [3, -7, 2**30])
        if kind.kind == "double":
            if self.strange_reals and not is_key and content.random() < 0.2:
                return content.choice(STRANGE_REALS)
            return content.choice(REALS) if content.random() < 0.5 else content.uniform(-1e6, 1e6)
        if kind.kind == "uuid":
            return content.getrandbits(128).to_bytes(16, "big")
        if shape.random() < 0.4:
            text = content.choice(TEXTS)
        else:
            letters = "abcdefghijklmnopqrstuvwxyz0123456789"
            short = (1, 2, 3, 5, 8, 16, 33, shape.randrange(200))
            size = shape.choice(LONG if shape.random() < 0.01 and not is_key else short)
            text = "".join(content.choices(letters, k=size))
        if kind.kind == "binary" and content.random() < 0.5:
            return content.randbytes(shape.randrange(20))
        return text.encode()

    def record(self, kind: Kind, depth: int, is_key: bool) -> Struct:
        shape = self.shape
        out = Struct()
        if kind.kind == "union":
            members = [field for field in kind.fields if depth > 1 or self.is_flat(field)]
            if members and shape.random() < 0.95:
                out.fields.append(self.field(shape.choice(members), depth, is_key))
            return out
        presence = shape.choice((0.2, 0.6, 0.9, 1.0))
        for field in kind.fields:
            if field.requiredness != "required":
                if shape.random() > presence or self.budget < 0:
                    continue
                if depth <= 1 and not self.is_flat(field):
                    continue
            out.fields.append(self.field(field, depth, is_key))
        if not is_key and shape.random() < self.unknown_rate:
            self.add_unknown(kind, out)
        if shape.random() < 0.5:
            out.fields.sort(key=lambda member: member[0])
        elif shape.random() < self.shuffle_rate:
            shape.shuffle(out.fields)
        return out

    @staticmethod
    def is_flat(field: FieldKind) -> bool:
        return field.type.kind not in ("struct", "union", "exception", "list", "set", "map")

    def field(self, field: FieldKind, depth: int, is_key: bool) -> list[Any]:
        return [field.id, field.type.wire, self.value(field.type, depth - 1, is_key)]

    def add_unknown(self, kind: Kind, out: Struct) -> None:
        for _ in range(self.shape.randint(1, 2)):
            number = self.shape.choice((7, 16, 99, 200, -9, 1000, 31000))
            known = kind.by_id(number) or any(field[0] == number for field in out.fields)
            if not known:
                wire = self.shape.choice(UNKNOWN_WIRES)
                position = self.shape.randint(0, len(out.fields))
                out.fields.insert(position, [number, wire, self.untyped(wire, 2)])

    def untyped(self, wire: str, depth: int) -> Any:
        """A payload of a field that no IDL declares."""
        shape = self.shape
        if wire == "struct":
            numbers = shape.sample(range(1, 40), k=shape.randint(0, 3))
            return Struct([[number, *self.untyped_pair(depth - 1)] for number in numbers])
        wires = UNKNOWN_WIRES if depth > 0 else UNKNOWN_WIRES[:8]
        if wire in ("list", "set"):
            inner = shape.choice(wires)
            size = shape.choice((0, 1, 3, 20)) if depth > 1 else shape.randint(0, 2)
            return Sequence(inner, [self.untyped(inner, depth - 1) for _ in range(size)])
        if wire == "map":
            key, inner = shape.choice(wires), shape.choice(wires)
            size = shape.randint(0, 3)
            pairs = [[self.untyped(key, 0), self.untyped(inner, depth - 1)] for _ in range(size)]
            return Mapping(key, inner, pairs)
        return self.scalar(Kind(wire))

    def untyped_pair(self, depth: int) -> tuple[str, Any]:
        wire = self.shape.choice(UNKNOWN_WIRES if depth > 0 else UNKNOWN_WIRES[:8])
        return wire, self.untyped(wire, depth - 1)

    def run_of_seeds(self, depth: int) -> list[float]:
        """Seeds of the shapes of elements: runs of one shape, with others between them."""
        shape = self.shape
        size = shape.choice((0, 1, 2, 3, 5, 8, 16, 40)) if depth > 2 else shape.choice((0, 1, 2, 5))
        if self.budget < 0:
            size = min(size, 1)
        first = shape.random()
        seeds = [first] * size
        if shape.random() < 0.5:  # one differs, often the last
            for _ in range(shape.randint(1, 2)):
                if seeds:
                    at = shape.choice((size - 1, shape.randrange(size)))
                    seeds[at] = shape.random()
        elif shape.random() < 0.5:
            seeds = [shape.random() for _ in seeds]
        return seeds

    def shaped(self, seed: float, kind: Kind, depth: int, is_key: bool) -> Any:
        outer, self.shape = self.shape, random.Random(seed)
        try:
            return self.value(kind, depth, is_key)
        finally:
            self.shape = outer

    def sequence(self, kind: Kind, depth: int, is_key: bool) -> Sequence:
        out = Sequence(kind.inner.wire)
        keyed = is_key or kind.kind == "set"
        known = set()
        for seed in self.run_of_seeds(depth) if depth > 0 else []:
            item = self.shaped(seed, kind.inner, depth - 1, keyed)
            if kind.kind == "set":
                key = equal_key(kind.inner, kind.inner.wire, item)
                if key in known:
                    continue
                known.add(key)
            out.items.append(item)
        return out

    def mapping(self, kind: Kind, depth: int, is_key: bool) -> Mapping:
        out = Mapping(kind.keys.wire, kind.inner.wire)
        known = set()
        key_seed = self.shape.random()
        for seed in self.run_of_seeds(depth) if depth > 0 else []:
            key = self.shaped(
                key_seed if self.shape.random() < 0.8 else seed, kind.keys, depth - 1, True
            )
            name = equal_key(kind.keys, kind.keys.wire, key)
            if name in known:
                continue
            known.add(name)
            out.entries.append([key, self.shaped(seed, kind.inner, depth - 1, is_key)])
        return out


def uuid_of(payload: bytes) -> uuid.UUID:
    return uuid.UUID(bytes=payload)
