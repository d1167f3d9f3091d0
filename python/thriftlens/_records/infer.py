"""infer: a draft of the IDL of samples."""

from __future__ import annotations

import re
from typing import Any, Iterable, Iterator, Literal, Optional

from .. import _core
from .._errors import DecodeError, Error
from .._schema.loading import loads
from .detect import detect, is_thrift
from .inspection import Value, no_thrift, values, wire_data


def infer(
    samples: Any,
    *,
    name: str = "Record",
    protocol: Optional[Literal["binary", "compact"]] = None,
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
    samples = [samples] if isinstance(samples, (bytes, bytearray, memoryview)) else samples
    if protocol is not None:
        return _core.infer(_non_empty(samples), protocol=protocol, name=name, depth=depth)
    return draft_of(named_structs_of(samples, depth), name, depth)


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


def _non_empty(samples: Iterable[Any]) -> Iterator[Any]:
    """The samples; DecodeError without any."""
    is_any = False
    for sample in samples:
        is_any = True
        yield sample
    if not is_any:
        raise DecodeError("no samples", code="truncated")


def named_structs_of(samples: Iterable[Any], depth: int) -> Iterator[tuple[Optional[str], bytes]]:
    """All structs in the samples, in Binary, with a name for structs in messages."""
    for number, sample in enumerate(samples):
        guesses = detect(sample, depth=depth)
        if not is_thrift(guesses):
            raise DecodeError(f"sample {number}: {no_thrift(guesses)}", code="bad_ttype")
        for value in values(sample, guesses[0], depth=depth):
            data, protocol = wire_data(value)
            yield (
                _name_of(value),
                data
                if protocol == "binary"
                else _core.convert(data, source=protocol, target="binary", depth=depth),
            )


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
