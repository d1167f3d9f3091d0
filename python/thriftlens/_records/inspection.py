"""inspect: bytes as a tree of offsets, field ids, wire types and values."""

from __future__ import annotations

import itertools
from typing import Any, Iterator, Literal, Optional

from .. import _core
from .._errors import Error
from .._schema.types import Type
from .detect import Guess, detect, guess_line, is_thrift
from .guess_values import Value, values


def inspect(
    data: Any,
    *,
    type: Optional[Type] = None,
    protocol: Optional[Literal["binary", "compact", "tjson"]] = None,
    text_size: int = 60,
    elements: int = 4294967295,
    depth: int = 64,
    output_size: int = 0,
) -> str:
    """The bytes as an indented tree of offsets, field ids, wire types and values.

    protocol: that of one struct (or value of `type`). By default, protocol, framing and compression
        are detected; the first line shows the guess, its probability and the runner-up. Many values
        have a heading line per value, and offsets count in the value.
    type: provides the names of fields and enum members. text_size, elements: maximum bytes of a
        string and elements of a container to show.
    output_size: maximum bytes of text per value; 0: 16 MiB + 8 per byte. Does not raise for invalid
    bytes: the last line begins with `!`.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string name }").Point
    >>> print(tl.inspect(Point.encode({"x": 3, "name": "home"}), type=Point), end="")
    guess: Binary, one struct (100 %)
    00000000  struct Point
    00000000    #1 x i32 3
    00000007    #2 name string "home"
    """
    options: dict[str, Any] = {
        "type": type,
        "text_size": text_size,
        "elements": elements,
        "depth": depth,
        "output_size": output_size,
    }
    if protocol is not None or not (
        type is None or (isinstance(type, Type) and type.kind in ("struct", "union", "exception"))
    ):
        return _core.inspect(data, protocol=protocol or "binary", **options)
    guesses = detect(data, depth=depth)
    if not is_thrift(guesses):
        return f"{guess_line(guesses)}; as Binary:\n{_core.inspect(data, protocol='binary', **options)}"
    return guess_line(guesses) + "\n" + "".join(trees(data, guesses[0], options))


def trees(
    data: Any, guess: Guess, options: dict[str, Any], max_values: Optional[int] = None
) -> Iterator[str]:
    """The trees of the values, with a heading for many values and messages. max_values: maximum
    number of trees."""
    is_single = guess.shape == "struct"
    try:
        for value in itertools.islice(values(data, guess, depth=options["depth"]), max_values):
            if not is_single or guess.framing != "none":
                yield heading(value)
            yield tree(value, options)
    except Error as error:
        yield f"! {error}\n"


def tree(value: Value, options: dict[str, Any]) -> str:
    try:
        return _core.inspect(value.data, protocol=value.protocol, **options)
    except Error as error:  # invalid text of Apache's JSON protocol
        return f"! {error}\n"


def heading(value: Value) -> str:
    line = f"record {value.number}, byte {value.offset}, {len(value.data)} byte{'' if len(value.data) == 1 else 's'}"
    if value.message is not None:
        name, kind, sequence_id = value.message
        line += f": {value.protocol} {kind} {name!r}, sequence id {sequence_id}"
    return line + "\n"
