"""The values in bytes according to a guess of their format."""

from __future__ import annotations

from typing import Any, Iterator, Literal, NamedTuple, Optional

from .. import _core
from .._errors import DecodeError
from .compression import Unpacked
from .detect import Guess, detect, is_thrift, json_values
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
    name, kind, sequence_id, begin, end = _core.text_message(data)
    return Value(0, guess.lead + begin, data[begin:end], "tjson", (name, kind, sequence_id))


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
