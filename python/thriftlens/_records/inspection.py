"""The values in bytes according to a guess of their format, and inspect, which shows them as
trees."""

from __future__ import annotations

import itertools
from typing import Any, Iterator, Mapping, NamedTuple, Optional, Union

from .. import _core
from .._errors import DecodeError, Error
from .._schema.types import Type
from .._typing import AnyProtocol, Buffer, WireProtocol
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
    protocol: AnyProtocol
    message: Optional[tuple[str, str, int]] = None


_Source = Union[memoryview, Unpacked]
TreeOptions = Mapping[str, Any]
"""Options of inspect except protocol."""


def values(data: Buffer, guess: Guess, *, depth: int = 64) -> Iterator[Value]:
    """The values of data according to a guess. DecodeError for the first invalid one."""
    if guess.protocol == "none":
        raise DecodeError(f"no Thrift data: it looks like {guess}", code="bad_magic")
    content = _content_of(data, guess) if guess.layers else memoryview(data).cast("B")
    is_many = guess.shape in ("structs", "messages", "list") or guess.framing != "none"
    if not is_many:
        content = _skipped(content, guess.prefix_size)
    if guess.shape in ("message", "messages") and guess.protocol != "tjson":
        yield from _message_values(content, depth)
    elif not is_many:
        yield _single_value(bytes(_bounded(content)), guess)
    elif guess.protocol == "tjson":
        yield from _text_values(content, guess, depth)
    else:
        yield from _struct_values(content, guess, guess.protocol, depth)


def _skipped(content: _Source, size: int) -> _Source:
    """The content after its first bytes."""
    if isinstance(content, memoryview):
        return content[size:]
    content.skip(size)
    return content


def _text_values(content: _Source, guess: Guess, depth: int) -> Iterator[Value]:
    added = 0 if guess.framing == "lines" else 1  # line ends per value
    is_message = guess.shape == "messages"
    records = scan(
        b"\n".join(json_values(_bounded(content))) if added else content,
        framing="lines",
        protocol="tjson",
        compression="none",
        to="message" if is_message else "bytes",
        depth=depth,
    )
    for record in records:
        offset = records.record_offset - added * records.record
        text = record.data if is_message else record.rstrip() if added else record
        head = (record.name, record.kind, record.sequence_id) if is_message else None
        yield Value(records.record, offset, text, "tjson", head)


def _message_values(content: _Source, depth: int) -> Iterator[Value]:
    records = scan(content, framing="message", compression="none", depth=depth)
    for message in records:
        header = (message.name, message.kind, message.sequence_id)
        yield Value(
            records.record, records.record_offset, bytes(message.data), message.protocol, header
        )


def _struct_values(
    content: _Source, guess: Guess, protocol: AnyProtocol, depth: int
) -> Iterator[Value]:
    is_list = guess.shape == "list"
    framing, prefix_size = ("list", 0) if is_list else (guess.framing, guess.prefix_size)
    records = scan(
        content,
        framing=framing,
        protocol=protocol,
        to="bytes",
        prefix_size=prefix_size,
        compression="none",
        depth=depth,
    )
    for record in records:
        if record is not None:
            yield Value(records.record, records.record_offset, record, protocol)


def _bounded(source: _Source) -> Union[bytes, memoryview]:
    """The complete content."""
    if isinstance(source, memoryview):
        return source
    content = bytearray()
    while piece := source.read(FRONT):
        content += piece
        if len(content) > _MAX_VALUE:
            raise DecodeError(f"a value exceeds {_MAX_VALUE} bytes", code="size_limit")
    return bytes(content)


def _single_value(data: bytes, guess: Guess) -> Value:
    """A struct, or a message of Apache's JSON protocol."""
    if guess.shape != "message" and guess.protocol != "none":
        return Value(0, guess.prefix_size, data, guess.protocol)
    message = _core.text_message(data)
    content = data[message.begin : message.end]
    return Value(0, guess.prefix_size + message.begin, content, "tjson", message[:3])


def _content_of(data: Buffer, guess: Guess) -> Unpacked:
    """The bytes inside the layers, as a stream that returns all bytes before an error."""
    stream = Unpacked(MemoryStream(data), guess.layers[0])
    for layer in guess.layers[1:]:
        stream = Unpacked(stream, layer)
    return stream


def first_value(data: Buffer, depth: int) -> Value:
    """The first value in the bytes."""
    guesses = detect(data, depth=depth)
    if is_thrift(guesses):
        for value in values(data, guesses[0], depth=depth):
            return value
    raise DecodeError(no_thrift(guesses, data), code="bad_ttype")


def no_thrift(guesses: list[Guess], data: Buffer) -> str:
    if not memoryview(data).nbytes:
        return "the input is empty"
    return _NO_THRIFT + (f"; it looks like {guesses[0]}" if guesses else "")


def wire_data(value: Value) -> tuple[bytes, WireProtocol]:
    if value.protocol == "tjson":
        return _core.convert(value.data, source="tjson", target="binary"), "binary"
    return value.data, value.protocol


def inspect(
    data: Buffer,
    *,
    type: Optional[Type] = None,
    protocol: Optional[AnyProtocol] = None,
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
    options: TreeOptions = {
        "type": type,
        "text_size": text_size,
        "elements": elements,
        "depth": depth,
        "output_size": output_size,
    }
    is_struct = type is None or (
        isinstance(type, Type) and type.kind in ("struct", "union", "exception")
    )
    if protocol is not None or not is_struct:
        return _core.inspect(data, protocol=protocol or "binary", **options)
    guesses = detect(data, depth=depth)
    line = guess_line(guesses)
    if not is_thrift(guesses):
        return f"{line}; as Binary:\n{_core.inspect(data, protocol='binary', **options)}"
    return line + "\n" + "".join(trees(data, guesses[0], options))


def trees(
    data: Buffer, guess: Guess, options: TreeOptions, max_values: Optional[int] = None
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


def tree(value: Value, options: TreeOptions) -> str:
    try:
        return _core.inspect(value.data, protocol=value.protocol, **options)
    except Error as error:  # invalid text of Apache's JSON protocol
        return f"! {error}\n"


def heading(value: Value) -> str:
    size = f"{len(value.data)} byte{'' if len(value.data) == 1 else 's'}"
    line = f"record {value.number}, byte {value.offset}, {size}"
    if value.message is not None:
        name, kind, sequence_id = value.message
        line += f": {value.protocol} {kind} {name!r}, sequence id {sequence_id}"
    return line + "\n"
