"""identify: the types that match bytes."""

from __future__ import annotations

import math
from typing import Any, Iterable, Iterator, Literal, NamedTuple, Optional, Union

from .. import _core
from .._rpc.message import application_exception
from .._schema.schemas import Schema
from .._schema.services import Service
from .._schema.types import Type
from .inspection import first_value, wire_data

_NAME_BITS = 64.0  # a message has the name of the function
_NO_TYPE_BITS = 0.0  # the data is of another type, as in identify.ipp


class Candidate(NamedTuple):
    """A type that matches bytes.

    sure: the probability, 0 to 1. known, unknown, contradictions, missing: number of fields that
        match, fields not in the type, values of another wire type, and missing required fields.
        path,
    why: the first mismatch; "" without one."""

    type: Type
    sure: float
    known: int
    unknown: int
    contradictions: int
    missing: int
    path: str
    why: str


def _types(source: Any) -> Iterator[Type]:
    if isinstance(source, Type):
        yield source
    elif isinstance(source, Schema):
        for name in source.types:
            if (type_ := source[name]).kind in ("struct", "union", "exception"):
                yield type_
    elif isinstance(source, (str, bytes)) or not isinstance(source, Iterable):
        raise TypeError(f"identify() expects schemas and types, not {type(source).__name__}")
    else:
        for item in source:
            yield from _types(item)


def identify(
    data: Any,
    schemas: Union[Schema, Type, Iterable[Union[Schema, Type]]],
    *,
    protocol: Optional[Literal["binary", "compact"]] = None,
    depth: int = 64,
    most: int = 16,
) -> list[Candidate]:
    """Ranks types by how well they match the bytes of a struct, best first, with the first
    mismatch. A message is compared with the arguments or results of the functions of the services;
    functions of its name come first.

    schemas: a schema or type, or many. protocol: detected by default; of many values, the first one
    is used. most: maximum number of types to return. Raises DecodeError if the bytes are not a
        struct.

    >>> import thriftlens as tl
    >>> idl = tl.loads("struct Point { 1: i32 x, 2: i32 y }  struct User { 1: i32 id, 2: string name }")
    >>> best, other = tl.identify(idl.User.encode({"id": 7, "name": "Zoe"}), idl)
    >>> best.type.name, best.known, other.type.name, other.path, other.why
    ('User', 2, 'Point', '$.y', 'the wire type contradicts the IDL')
    """
    types = list(dict.fromkeys(_types(schemas)))
    payloads = [] if protocol is not None else list(dict.fromkeys(_payloads(schemas)))
    return rank(data, types, payloads, protocol=protocol, depth=depth, most=most)


class Payload(NamedTuple):
    """The arguments or the result of a function."""

    function: str
    is_result: bool
    type: Type


def _payloads(source: Any) -> Iterator[Payload]:
    if isinstance(source, Schema):
        yield from payloads_of(source)
    elif not isinstance(source, Type):
        for item in source:
            yield from _payloads(item)


def payloads_of(schema: Schema) -> Iterator[Payload]:
    """Arguments and results of the functions of a schema, without inherited ones."""
    for service in schema.services.values():
        yield from service_payloads(service)


def service_payloads(service: Service) -> Iterator[Payload]:
    """Arguments and results of the functions of a service, without inherited ones."""
    for function in service.functions.values():
        yield Payload(function.name, False, function.arguments)
        if not function.oneway:
            yield Payload(function.name, True, function.result)


def rank(
    data: Any,
    types: list[Type],
    payloads: list[Payload],
    *,
    protocol: Optional[Literal["binary", "compact"]],
    depth: int,
    most: int,
) -> list[Candidate]:
    """Like identify. types: used for structs. payloads: used for messages."""
    preferred: set[Type] = set()
    if protocol is None:
        value = first_value(data, depth)
        data, protocol = wire_data(value)
        if value.message is not None:
            types, preferred = _types_of_message(value.message, types, payloads)
    rows = _core.identify(
        data, types, protocol=protocol, explained=len(types) if preferred else most, depth=depth
    )
    weighed = [
        (row[1] + (_NAME_BITS if types[row[0]] in preferred else 0.0), types[row[0]], row[2:])
        for row in rows
    ]
    if preferred:
        weighed.sort(key=lambda row: -row[0])
    best = weighed[0][0] if weighed else 0.0
    none_fits = math.pow(2.0, min(_NO_TYPE_BITS - best, 1000.0))
    total = sum(math.pow(2.0, bits - best) for bits, _, _ in weighed) + none_fits
    return [
        Candidate(type_, math.pow(2.0, bits - best) / total, *counts)
        for bits, type_, counts in weighed[:most]
    ]


def _types_of_message(
    message: tuple[str, str, int], types: list[Type], payloads: list[Payload]
) -> tuple[list[Type], set[Type]]:
    """The types that a message of its kind may have, and those of functions of its name; `types`
    without functions."""
    name, kind, _ = message
    if kind == "exception":
        return [application_exception()], set()
    candidates = [payload for payload in payloads if payload.is_result == (kind == "reply")]
    preferred = {
        payload.type
        for payload in candidates
        if payload.function in (name, name.rpartition(":")[2])
    }
    return [payload.type for payload in candidates] or types, preferred
