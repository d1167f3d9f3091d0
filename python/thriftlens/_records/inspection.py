"""The values in bytes according to a guess of their format, and inspect, which shows them as trees."""

from __future__ import annotations

import itertools
from typing import Any, Iterator, Literal, NamedTuple, Optional

from .. import _core
from .._errors import DecodeError, Error
from .._schema.types import Type
from .compression import Unpacked
from .detect import Guess, detect, guess_line, is_thrift, json_values
from .layers import FRONT, MemoryStream
from .scan import scan

_MAX_VALUE = 1 << 30  # maximum decompressed size of one value
_NO_THRIFT = "no Thrift data: neither Binary nor Compact nor Apache's JSON protocol"


class Value(NamedTuple):
    """A value in bytes: number, offset, struct bytes in `protocol`, and the header of a message."""

    number: int
    offset: int
    data: bytes
    protocol: Literal["binary", "compact", "tjson"]
    message: Optional[tuple[str, str, int]] = None


_Source = Any  # bytes, or an Unpacked stream


def values(data: Any, guess: Guess, *, depth: int = 64) -> Iterator[Value]:
    """The values of data according to a guess. DecodeError for the first invalid one."""
    if guess.protocol == "none":
        raise DecodeError(f"no Thrift data: it looks like {guess}", code="bad_magic")
    is_many = guess.shape in ("structs", "messages", "list") or guess.framing != "none"
    content: _Source = memoryview(data).cast("B") if not guess.layers else _content_of(data, guess)
    if guess.lead and not is_many:
        if guess.layers:
            content.skip(guess.lead)
        else:
            content = content[guess.lead :]
    if guess.protocol == "tjson" and is_many:
        yield from _text_values(content, guess, depth)
    elif guess.shape in ("message", "messages") and guess.protocol != "tjson":
        yield from _message_values(content, depth)
    elif is_many:
        yield from _struct_values(content, guess, guess.protocol, depth)
    else:
        yield _single_value(bytes(content if not guess.layers else _bounded(content)), guess)


def _text_values(content: _Source, guess: Guess, depth: int) -> Iterator[Value]:
    joined = 0 if guess.framing == "lines" else 1  # added line ends per value
    if joined:
        content = b"\n".join(json_values(_bounded(content) if guess.layers else content))
    records = scan(
        content,
        framing="lines",
        protocol="tjson",
        compression="none",
        to="message" if guess.shape == "messages" else "bytes",
        depth=depth,
    )
    for record in records:
        message = (
            (record.name, record.kind, record.sequence_id) if guess.shape == "messages" else None
        )
        text = record if message is None else record.data
        yield Value(
            records.record,
            records.record_offset - joined * records.record,
            text.rstrip() if joined else text,
            "tjson",
            message,
        )


def _message_values(content: _Source, depth: int) -> Iterator[Value]:
    records = scan(content, framing="message", compression="none", depth=depth)
    for message in records:
        header = (message.name, message.kind, message.sequence_id)
        yield Value(
            records.record, records.record_offset, bytes(message.data), message.protocol, header
        )


def _struct_values(
    content: _Source, guess: Guess, protocol: Literal["binary", "compact", "tjson"], depth: int
) -> Iterator[Value]:
    is_list = guess.shape == "list"
    framing, lead = ("list", 0) if is_list else (guess.framing, guess.lead)
    records = scan(
        content,
        framing=framing,
        protocol=protocol,
        to="bytes",
        lead=lead,
        compression="none",
        depth=depth,
    )
    for record in records:
        if record is not None:
            yield Value(records.record, records.record_offset, record, protocol)


def _bounded(stream: Unpacked) -> bytes:
    content = bytearray()
    while piece := stream.read(FRONT):
        content += piece
        if len(content) > _MAX_VALUE:
            raise DecodeError(f"a value exceeds {_MAX_VALUE} bytes", code="size_limit")
    return bytes(content)


def _single_value(data: bytes, guess: Guess) -> Value:
    """A struct, or a message of Apache's JSON protocol."""
    if guess.shape != "message" and guess.protocol != "none":
        return Value(0, guess.lead, data, guess.protocol)
    message = _core.text_message(data)
    content = data[message.begin : message.end]
    head = (message.name, message.kind, message.sequence_id)
    return Value(0, guess.lead + message.begin, content, "tjson", head)


def _content_of(data: Any, guess: Guess) -> Unpacked:
    """The bytes inside the layers, as a stream that returns all bytes before an error."""
    stream = Unpacked(MemoryStream(data), guess.layers[0])
    for layer in guess.layers[1:]:
        stream = Unpacked(stream, layer)
    return stream


def first_value(data: Any, depth: int) -> Value:
    """The first value in the bytes."""
    guesses = detect(data, depth=depth)
    if is_thrift(guesses):
        for value in values(data, guesses[0], depth=depth):
            return value
    raise DecodeError(no_thrift(guesses), code="bad_ttype")


def no_thrift(guesses: list[Guess]) -> str:
    return _NO_THRIFT + (f"; it looks like {guesses[0]}" if guesses else "")


def wire_data(value: Value) -> tuple[bytes, Literal["binary", "compact"]]:
    if value.protocol == "tjson":
        return _core.convert(value.data, source="tjson", target="binary"), "binary"
    return value.data, value.protocol


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
