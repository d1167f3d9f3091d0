"""Bytes as a tree for people, from one protocol to the other, and what differs between two values."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Optional

from . import _core
from ._options import DEEPEST, MOST, number, protocol_and_depth, size, word


class Difference(NamedTuple):
    """One place where two values differ; made by Type.diff. A side where nothing stands is None.

    left and right are values as decode gives them, or wire bytes where the IDL does not know what stands there."""

    kind: Literal["added", "removed", "changed"]
    path: str
    left: Any
    right: Any


class Redaction(NamedTuple):
    """What Type.redact does at one place; made by Type.redactions."""

    path: str
    """`$.user.name`; `{key *}` are the keys of a map, `#*` the fields that the IDL does not know."""
    action: str
    """"drop", "hash" …, or "as $.user" where the same is listed there already."""
    why: str
    """The rule: `path $.user`, `field User.name (pii = "name")`, `its type (…)`, `struct User (…)`."""


class RedactReport(NamedTuple):
    """What one Type.redact did; given to its `report`."""

    replaced: int
    """Values made blank, constant, hashed or cut."""
    dropped: int
    """Fields, elements and entries, unknown fields too."""
    unknown: int
    """Of these the fields that the IDL does not know."""


def inspect(
    data: Any,
    *,
    type: Optional[_core.Type] = None,
    protocol: Literal["binary", "compact"] = "binary",
    text_size: int = 60,
    elements: int = 2**32 - 1,
    depth: int = 64,
    output_size: int = 0,
) -> str:
    """The bytes of a struct as an indented tree: offset, field id, wire type, content. With a type also names.

    Never raises for broken bytes: the tree ends in a line that begins with ! and says what is wrong.
    text_size: bytes of a string that are shown; elements: elements of a container that are shown.
    output_size: bytes of text; 0 is 16 MiB and 8 for each byte of data. There the tree ends in the same way.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string name }").Point
    >>> print(tl.inspect(Point.encode({"x": 3, "name": "home"})))
    00000000  struct
    00000000    #1 i32 3
    00000007    #2 string "home"
    <BLANKLINE>
    """
    most = number("text_size", text_size, 0, MOST), number("elements", elements, 0, MOST)
    spoken, deepest = protocol_and_depth(protocol, depth)
    return _core.inspect(data, spoken, type, *most, deepest, size(output_size))


def convert(
    data: Any,
    *,
    source: Literal["binary", "compact"],
    target: Literal["binary", "compact"],
    depth: int = 64,
    output_size: int = 0,
) -> bytes:
    """The bytes of a struct in the other protocol; no IDL is needed. Raises DecodeError with path and offset.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x }").Point
    >>> tl.convert(Point.encode({"x": 3}), source="binary", target="compact").hex()
    '150600'
    """
    word("source", source, "binary", "compact")
    word("target", target, "binary", "compact")
    return _core.convert(data, source, target, number("depth", depth, 0, DEEPEST), size(output_size))
