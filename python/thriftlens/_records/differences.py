"""Differences of two values as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Optional, Sequence, TypedDict

from .._errors import Error
from .._schema.types import Type

if TYPE_CHECKING:
    from typing_extensions import Buffer

Protocol = Literal["binary", "compact"]
_MARKS = {"added": "+", "removed": "-", "changed": "~"}


class DiffOptions(TypedDict):
    """Options of Type.diff."""

    protocol: Protocol
    right_protocol: Protocol
    order: Literal["ignore", "keep"]
    depth: int
    output_size: int


def difference_lines(
    type_: Type, old: Buffer, new: Buffer, max_lines: int, options: DiffOptions
) -> list[bytes]:
    """Lines such as `~ $.id: 1 -> 2`, at most `max_lines`."""
    protocols = options["protocol"], options["right_protocol"]
    rows = type_._difference_rows(old, new, max_differences=max_lines, **options)
    return [
        difference_line(type_, kind, path, (before, after), protocols, options["depth"])
        for kind, path, before, after in rows
    ]


def difference_line(
    type_: Type,
    kind: str,
    path: str,
    sides: Sequence[Optional[bytes]],
    protocols: tuple[Protocol, Protocol],
    depth: int = 64,
) -> bytes:
    """A row of Type._difference_rows as text. sides: wire bytes before and after."""
    values = [
        _side_json(type_, path, side, protocol, depth)
        for side, protocol in zip(sides, protocols)
        if side is not None
    ]
    return f"{_MARKS[kind]} {path}: ".encode() + b" -> ".join(values)


def _side_json(type_: Type, path: str, data: bytes, protocol: Protocol, depth: int) -> bytes:
    """Wire bytes as JSON; those of a field that is not in the IDL as x"hex"."""
    try:
        return type_.at(path).to_json(
            data, protocol=protocol, depth=depth, nonfinite="string", invalid_utf8="replace"
        )
    except Error:
        return b'x"' + data.hex().encode() + b'"'
