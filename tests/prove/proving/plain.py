"""Payloads as the Python values and the JSON that thriftlens documents."""

from __future__ import annotations

import base64
import json
import struct
from dataclasses import dataclass
from typing import Any

from .schemas import Kind
from .values import uuid_of
from .wire import Mapping, Sequence, Struct


@dataclass(frozen=True)
class Reading:
    """Options of decode and to_json."""

    enums: str = "number"
    unknown: str = "drop"
    defaults: str = "omit"
    names: str = "field"
    int64: str = "number"
    ordered: bool = False  # sets as lists, or tuples in keys

    def name(self, field: Any) -> str:
        return field.alias if self.names == "alias" else field.name


PLAIN = Reading()


def fields_of(kind: Kind, payload: Struct, reading: Reading) -> list[tuple[str, Any, Any]]:
    """(key, field, payload) of the members that a reader sees. The field of unknown ones is their
    wire type."""
    members: list[tuple[str, Any, Any]] = []
    present = set()
    for number, wire, inner in payload.fields:
        field = kind.by_id(number)
        present.add(number)
        if field is not None:
            members.append((reading.name(field), field, inner))
        elif reading.unknown == "keep":
            members.append((f"#{number}", wire, inner))
    if reading.defaults == "write" and kind.kind != "union":
        for field in sorted(kind.fields, key=lambda field: field.id):
            if field.id not in present and field.default is not None:
                members.append((reading.name(field), field, field.default))
    return members


def decoded(kind: Kind, payload: Any, reading: Reading = PLAIN, is_key: bool = False) -> Any:
    """What decode returns."""
    if kind.is_record:
        pairs = [
            (
                key,
                preserved_value(field, inner)
                if isinstance(field, str)
                else decoded(field.type, inner, reading, is_key),
            )
            for key, field, inner in fields_of(kind, payload, reading)
        ]
        return tuple(pairs) if is_key else dict(pairs)
    if kind.kind == "list" or (kind.kind == "set" and reading.ordered):
        items = [decoded(kind.inner, item, reading, is_key) for item in payload.items]
        return tuple(items) if is_key else items
    if kind.kind == "set":
        elements = {decoded(kind.inner, item, reading, True) for item in payload.items}
        return frozenset(elements) if is_key else elements
    if kind.kind == "map":
        entries = [
            (decoded(kind.keys, key, reading, True), decoded(kind.inner, inner, reading, is_key))
            for key, inner in payload.entries
        ]
        return tuple(entries) if is_key else dict(entries)
    if kind.kind == "string":
        return payload.decode()
    if kind.kind == "uuid":
        return uuid_of(payload)
    if kind.kind == "enum" and reading.enums == "name":
        return next((name for name, number in kind.members.items() if number == payload), payload)
    return payload


def preserved_value(wire: str, payload: Any) -> Any:
    """An unknown field with unknown="keep"."""
    return {wire: preserved(wire, payload)}


def preserved(wire: str, payload: Any) -> Any:
    if wire == "struct":
        return {
            f"#{number}": preserved_value(inner, item) for number, inner, item in payload.fields
        }
    if wire in ("list", "set"):
        return [payload.wire, [preserved(payload.wire, item) for item in payload.items]]
    if wire == "map":
        pairs = [
            [preserved(payload.key_wire, key), preserved(payload.value_wire, item)]
            for key, item in payload.entries
        ]
        return [payload.key_wire, payload.value_wire, pairs]
    return uuid_of(payload) if wire == "uuid" else payload


def difference(lhs: Any, rhs: Any, path: str = "") -> str:
    """The first location where two values differ, by type, order of keys or bits of doubles; "" if
    they are equal."""
    if type(lhs) is not type(rhs):
        return f"{path}: {lhs!r} is not {rhs!r}"
    if isinstance(lhs, dict):
        if list(lhs) != list(rhs):
            return f"{path}: keys {list(lhs)!r} are not {list(rhs)!r}"
        return difference([*lhs.items()], [*rhs.items()], path)
    if isinstance(lhs, (list, tuple)):
        if len(lhs) != len(rhs):
            return f"{path}: {lhs!r} is not {rhs!r}"
        locations = (difference(*pair, f"{path}[{at}]") for at, pair in enumerate(zip(lhs, rhs)))
        return next(filter(None, locations), "")
    if isinstance(lhs, float):
        lhs, rhs = struct.pack(">d", lhs), struct.pack(">d", rhs)
    return "" if lhs == rhs else f"{path}: {lhs!r} is not {rhs!r}"


# JSON


class Number(str):
    """The text of a number."""


def json_tree(kind: Kind, payload: Any, reading: Reading = PLAIN) -> Any:
    """The JSON of a value: pairs for objects, Number for numbers."""
    if kind.is_record:
        return Object(
            (
                key,
                preserved_json(field, inner, reading)
                if isinstance(field, str)
                else json_tree(field.type, inner, reading),
            )
            for key, field, inner in fields_of(kind, payload, reading)
        )
    if kind.kind in ("list", "set"):
        return [json_tree(kind.inner, item, reading) for item in payload.items]
    if kind.kind == "map":
        if kind.keys.kind in ("list", "set", "map") or kind.keys.is_record:
            return [
                [json_tree(kind.keys, key, reading), json_tree(kind.inner, item, reading)]
                for key, item in payload.entries
            ]
        return Object(
            (key_text(json_tree(kind.keys, key, reading)), json_tree(kind.inner, item, reading))
            for key, item in payload.entries
        )
    if kind.kind == "bool":
        return payload
    if kind.kind == "string":
        return payload.decode()
    if kind.kind == "binary":
        return base64.b64encode(payload).decode()
    if kind.kind == "uuid":
        return str(uuid_of(payload))
    if kind.kind == "double":
        return real(payload)
    if kind.kind == "enum" and reading.enums == "name":
        for name, number in kind.members.items():
            if number == payload:
                return name
    text = str(payload)
    return text if kind.kind == "i64" and reading.int64 == "string" else Number(text)


class Object(list[Any]):
    """Pairs."""


class RealKey(str):
    """The key of a map of doubles: any text of the same number."""


def real(payload: float) -> Any:
    if payload != payload:
        return "NaN"
    if payload in (float("inf"), float("-inf")):
        return "Infinity" if payload > 0 else "-Infinity"
    return float(payload)


def key_text(tree: Any) -> str:
    if isinstance(tree, bool):
        return "true" if tree else "false"
    return RealKey(repr(tree)) if isinstance(tree, float) else str(tree)


def preserved_json(wire: str, payload: Any, reading: Reading) -> Any:
    return Object([(wire, preserved_json_value(wire, payload, reading))])


def preserved_json_value(wire: str, payload: Any, reading: Reading) -> Any:
    if wire == "struct":
        return Object(
            (f"#{number}", preserved_json(inner, item, reading))
            for number, inner, item in payload.fields
        )
    if wire in ("list", "set"):
        return [
            payload.wire,
            [preserved_json_value(payload.wire, item, reading) for item in payload.items],
        ]
    if wire == "map":
        pairs = [
            [
                preserved_json_value(payload.key_wire, key, reading),
                preserved_json_value(payload.value_wire, item, reading),
            ]
            for key, item in payload.entries
        ]
        return [payload.key_wire, payload.value_wire, pairs]
    if wire == "string":
        return base64.b64encode(payload).decode()
    if wire == "uuid":
        return str(uuid_of(payload))
    if wire == "double":
        if payload != payload:
            bits = struct.pack(">d", payload).hex()
            return "NaN" if bits == "7ff8000000000000" else f"NaN:{bits}"
        return real(payload)
    if wire == "bool":
        return payload
    text = str(payload)
    return text if wire == "i64" and reading.int64 == "string" else Number(text)


def parsed_json(text: bytes) -> Any:
    """JSON text in the form of json_tree; numbers with a point or exponent become floats."""
    return json.loads(
        text.decode(),
        parse_int=Number,
        parse_float=float,
        parse_constant=lambda name: (_ for _ in ()).throw(ValueError(name)),
        object_pairs_hook=Object,
    )


def same_json(lhs: Any, rhs: Any) -> bool:
    """Like `same`, for JSON trees: the parsed text, then the expected tree."""
    if isinstance(rhs, RealKey):
        return isinstance(lhs, str) and float(lhs) == float(rhs)
    if isinstance(lhs, float) and isinstance(rhs, float):
        return struct.pack(">d", lhs) == struct.pack(">d", rhs)
    if isinstance(lhs, (list, tuple)) and isinstance(rhs, (list, tuple)):
        return (
            isinstance(lhs, Object) is isinstance(rhs, Object)
            and len(lhs) == len(rhs)
            and all(map(same_json, lhs, rhs))
        )
    return type(lhs) is type(rhs) and lhs == rhs


def json_text(tree: Any, escape: bool = False, blank: str = "") -> str:
    """JSON text of a tree; `blank` follows every token."""
    if isinstance(tree, Object):
        members = (
            f"{json.dumps(key, ensure_ascii=escape)}{blank}:{blank}{json_text(item, escape, blank)}"
            for key, item in tree
        )
        return "{" + blank + f",{blank}".join(members) + blank + "}"
    if isinstance(tree, list):
        items = f",{blank}".join(json_text(item, escape, blank) for item in tree)
        return "[" + blank + items + blank + "]"
    if isinstance(tree, Number):
        return str(tree)
    if tree is None or isinstance(tree, (bool, float)):
        return json.dumps(tree)
    return json.dumps(tree, ensure_ascii=escape)


def by_id(kind: Kind, payload: Any) -> Any:
    """The payload with known fields only, in the order of their ids, as encode writes it."""
    if kind.is_record:
        known = [
            [number, wire, by_id(field.type, inner)]
            for number, wire, inner in payload.fields
            if (field := kind.by_id(number)) is not None
        ]
        return Struct(sorted(known, key=lambda member: member[0]))
    if kind.kind in ("list", "set"):
        return Sequence(payload.wire, [by_id(kind.inner, item) for item in payload.items])
    if kind.kind == "map":
        return Mapping(
            payload.key_wire,
            payload.value_wire,
            [[by_id(kind.keys, key), by_id(kind.inner, item)] for key, item in payload.entries],
        )
    return payload


def known_only(kind: Kind, payload: Any) -> Any:
    """The payload without unknown fields, in wire order."""
    if kind.is_record:
        return Struct(
            [
                [number, wire, known_only(field.type, inner)]
                for number, wire, inner in payload.fields
                if (field := kind.by_id(number)) is not None
            ]
        )
    if kind.kind in ("list", "set"):
        return Sequence(payload.wire, [known_only(kind.inner, item) for item in payload.items])
    if kind.kind == "map":
        return Mapping(
            payload.key_wire,
            payload.value_wire,
            [
                [known_only(kind.keys, key), known_only(kind.inner, item)]
                for key, item in payload.entries
            ],
        )
    return payload


def listed(kind: Kind, payload: Any) -> Any:
    """Like decoded, with lists for sets, so that the order is preserved."""
    return decoded(kind, payload, Reading(ordered=True))
