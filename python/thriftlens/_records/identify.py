"""identify, the types that match bytes, and infer, a draft of the IDL of samples."""

from __future__ import annotations

import math
import re
from typing import Iterable, Iterator, NamedTuple, Optional, TypeVar, Union, cast

from .. import _core
from .._errors import DecodeError, Error
from .._rpc.message import application_exception
from .._schema.loading import loads
from .._schema.schemas import Schema
from .._schema.services import Service
from .._schema.types import Type
from .._typing import Buffer, WireProtocol
from .detect import detect, is_thrift
from .inspection import Value, first_value, no_thrift, values, wire_data

_NAME_BITS = 64.0  # a message has the name of the function
_NO_TYPE_BITS = 0.0  # the data is of another type, as in identify.ipp


class Candidate(NamedTuple):
    """A type that matches bytes.

    probability: 0 to 1. known, unknown, contradictions, missing: number of fields that
        match, fields not in the type, values of another wire type, and missing required fields.
    path, reason: the first mismatch; "" without one."""

    type: Type
    probability: float
    known: int
    unknown: int
    contradictions: int
    missing: int
    path: str
    reason: str


Schemas = Union[Schema, Type, Iterable["Schemas"]]


def _types(source: Schemas) -> Iterator[Type]:
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
    data: Buffer,
    schemas: Schemas,
    *,
    protocol: Optional[WireProtocol] = None,
    depth: int = 64,
    max_types: int = 16,
) -> list[Candidate]:
    """Ranks types by how well they match the bytes of a struct, best first, with the first
    mismatch. A message is compared with the arguments or results of the functions of the services;
    functions of its name come first.

    schemas: a schema or type, or many. protocol: detected by default; of many values, the first one
    is used. max_types: maximum number of types to return. Raises DecodeError if the bytes are not a
        struct.

    >>> import thriftlens as tl
    >>> user = "struct User { 1: i32 id, 2: string name }"
    >>> idl = tl.loads("struct Point { 1: i32 x, 2: i32 y }" + user)
    >>> best, other = tl.identify(idl.User.encode({"id": 7, "name": "Zoe"}), idl)
    >>> best.type.name, best.known, other.type.name, other.path, other.reason
    ('User', 2, 'Point', '$.y', 'the wire type contradicts the IDL')
    """
    types = list(dict.fromkeys(_types(schemas)))
    payloads = [] if protocol is not None else list(dict.fromkeys(_payloads(schemas)))
    return rank(data, types, payloads, protocol=protocol, depth=depth, max_types=max_types)


class Payload(NamedTuple):
    """The arguments or the result of a function."""

    function: str
    is_result: bool
    type: Type


def _payloads(source: Schemas) -> Iterator[Payload]:
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
    data: Buffer,
    types: list[Type],
    payloads: list[Payload],
    *,
    protocol: Optional[WireProtocol],
    depth: int,
    max_types: int,
) -> list[Candidate]:
    """Like identify. types: used for structs. payloads: used for messages."""
    preferred: set[Type] = set()
    if protocol is None:
        value = first_value(data, depth)
        data, protocol = wire_data(value)
        if value.message is not None:
            types, preferred = _types_of_message(value.message, types, payloads)
    explained = len(types) if preferred else max_types
    rows = _core.identify(data, types, protocol=protocol, explained=explained, depth=depth)
    fits = [
        (row.score + (_NAME_BITS if types[row.number] in preferred else 0.0), row) for row in rows
    ]
    if preferred:
        fits.sort(key=lambda fit: -fit[0])
    return _candidates(types, fits, max_types)


def _candidates(
    types: list[Type], fits: list[tuple[float, _core.CandidateRow]], max_types: int
) -> list[Candidate]:
    """The best types, with their probabilities."""
    best = fits[0][0] if fits else 0.0
    no_type_fits = math.pow(2.0, min(_NO_TYPE_BITS - best, 1000.0))
    total = sum(math.pow(2.0, bits - best) for bits, _ in fits) + no_type_fits
    return [
        Candidate(types[row.number], math.pow(2.0, bits - best) / total, *row[2:])
        for bits, row in fits[:max_types]
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


def infer(
    samples: Union[Buffer, Iterable[Buffer]],
    *,
    name: str = "Record",
    protocol: Optional[WireProtocol] = None,
    depth: int = 64,
) -> str:
    """Drafts the IDL of samples: field ids, types, element types, optional fields (those missing in
    some samples), numbers that may be enums, string or binary. The draft reads its samples without
    loss, except fields with two types: the more frequent one is used, with a comment. The wire
    format has no names.

    Messages result in a struct for the arguments of a function, add_arguments, and one for its
    results, add_result.

    samples: bytes, or many. protocol: that of structs; by default, samples are detected, and all
    their values are used. name: the name of the root struct. Raises DecodeError for bytes that are
        not a struct.

    >>> import thriftlens as tl
    >>> idl = tl.loads("struct Point { 1: i32 x, 2: optional string name }")
    >>> samples = [idl.Point.encode({"x": 70000}), idl.Point.encode({"x": -1, "name": "home"})]
    >>> print(tl.infer(samples, name="Point"), end="")
    // A draft from 2 samples: names are not on the wire.
    <BLANKLINE>
    struct Point {
      1: i32 f1
      2: optional string f2  // in 1 of 2
    }
    <BLANKLINE>
    """
    check_name(name)
    if isinstance(samples, (bytes, bytearray, memoryview)):
        samples = [samples]
    many = cast(Iterable[Buffer], samples)
    if protocol is not None:
        return _core.infer(_non_empty(many), protocol=protocol, name=name, depth=depth)
    return draft_of(named_structs_of(many, depth), name, depth)


def draft_of(structs: Iterable[tuple[Optional[str], bytes]], name: str, depth: int) -> str:
    """The drafts of structs in Binary, grouped by name; `name` is used for structs without one."""
    groups: dict[str, list[bytes]] = {}
    for group_name, data in _non_empty(structs):
        groups.setdefault(group_name or name, []).append(data)
    return "\n".join(
        _core.infer(group, protocol="binary", name=group_name, depth=depth)
        for group_name, group in groups.items()
    )


def check_name(name: str) -> None:
    """Raises ValueError if the name is not valid for a struct in IDL."""
    try:
        is_name = (
            re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None
            and "struct" in loads(f"struct {name} {{}}", strict=True).describe()
        )
    except Error:
        is_name = False
    if not is_name:
        raise ValueError(f"invalid struct name {name!r}")


_Sample = TypeVar("_Sample")


def _non_empty(samples: Iterable[_Sample]) -> Iterator[_Sample]:
    """The samples; DecodeError without any."""
    is_any = False
    for sample in samples:
        is_any = True
        yield sample
    if not is_any:
        raise DecodeError("no samples", code="truncated")


def named_structs_of(
    samples: Iterable[Buffer], depth: int
) -> Iterator[tuple[Optional[str], bytes]]:
    """All structs in the samples, in Binary, with a name for structs in messages."""
    for number, sample in enumerate(samples):
        guesses = detect(sample, depth=depth)
        if not is_thrift(guesses):
            raise DecodeError(f"sample {number}: {no_thrift(guesses, sample)}", code="bad_ttype")
        for value in values(sample, guesses[0], depth=depth):
            data, protocol = wire_data(value)
            if protocol != "binary":
                data = _core.convert(data, source=protocol, target="binary", depth=depth)
            yield _name_of(value), data


def _name_of(value: Value) -> Optional[str]:
    """The name of the struct in a message; None for other structs."""
    if value.message is None:
        return None
    name, kind, _ = value.message
    if kind == "exception":
        return "TApplicationException"
    identifier = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if not re.match("[A-Za-z_]", identifier):
        identifier = f"f{identifier}"
    return f"{identifier}_{'result' if kind == 'reply' else 'arguments'}"
