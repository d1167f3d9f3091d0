"""Bytes without known type: detect, inspect, identify and infer."""

from __future__ import annotations

import codecs
import io
import itertools
import json
import math
import re
from typing import Any, Iterable, Iterator, Literal, NamedTuple, Optional, Union

from .. import _core
from .._errors import DecodeError, Error
from .._schema.schemas import Schema
from .._schema.services import Service
from .._schema.types import Type
from .compression import (
    Unpacked,
    compression_of,
    decoded_text,
    decompressed_front,
    is_zlib,
    text_layer_of,
)
from .formats import formats

_FRONT = 1 << 20  # bytes examined
_UNKNOWN_BITS = 7.0  # minimum of a guess, as in detect.ipp
_NAME_BITS = 64.0  # a message has the name of the function
_CERTAIN_BITS = 40.0  # minimum of a foreign format that rules out truncated data
_NO_TYPE_BITS = 0.0  # the data is of another type, as in identify.ipp
_CUT_FRONT = 1 << 14
_MAX_LINES = 64  # lines of text to examine
_CUT_BITS = 12.0  # subtracted from guesses of truncated data
_LAYERS = 3
_MAX_VALUE = 1 << 30  # maximum decompressed size of one value
_NO_THRIFT = "no Thrift data: neither Binary nor Compact nor Apache's JSON protocol"
_PACKED_BITS = 24.0  # a compressed stream that decompresses
_TEXT_BITS = 8.0
_SINGLE_LINE_BITS = 1.0  # prefers the framing to the layer for one line with a struct
_PACKED_FRAMINGS = (
    "base64",
    "hex",
    "u32",
    "kafka",
    "varint",
    "u32le",
)  # of individually compressed records, the likeliest first


class Guess(NamedTuple):
    """One interpretation of bytes; as text "gzip: Binary, structs in frames (u32)".

    layers: compression and encodings, outermost first: "gzip", "bzip2", "xz", "zstd", "zlib",
        "base64", "hex".
    shape: "struct", "message", "structs", "messages" or "list" (of structs, alone); "foreign" if it
        is not Thrift.
    protocol: "binary", "compact" or "tjson" (Apache's JSON protocol); "none" for a foreign format.
    framing: the framing of the values, as in scan.
    lead: other bytes before the value, or before every value of many.
    looked_at: the number of values examined.
    sure: the probability, 0 to 1; 0 for a foreign format."""

    layers: tuple[str, ...]
    shape: str
    protocol: Literal["binary", "compact", "tjson", "none"]
    framing: str
    lead: int
    looked_at: int
    bits: float
    sure: float
    words: str

    def __str__(self) -> str:
        return ": ".join((*self.layers, self.words))

    @property
    def options(self) -> dict[str, Any]:
        """The options to read the bytes with scan: framing, protocol and lead. scan detects the
        layers itself."""
        if self.shape in ("message", "messages") and self.protocol != "tjson":
            return {"framing": "message"}
        if self.protocol == "tjson":
            return {
                "framing": "lines",
                "protocol": "tjson",
                **({"to": "message"} if self.shape.startswith("message") else {}),
            }
        is_list = self.shape == "list"
        return {
            "framing": "list" if is_list else self.framing,
            "protocol": self.protocol,
            "lead": 0 if is_list else self.lead,
        }


def detect(data: Any, *, depth: int = 64) -> list[Guess]:
    """Guesses of protocol, framing and compression, the likeliest first; empty for unknown data.

    data: bytes-like; only the first MiB is examined. A few bytes are ambiguous; see `sure`. Does
        not raise for any content.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string name }").Point
    >>> import gzip
    >>> [str(guess) for guess in tl.detect(gzip.compress(Point.encode({"x": 3, "name": "home"})))]
    ['gzip: Binary, one struct']
    """
    if isinstance(data, str):
        raise TypeError("detect() expects bytes, not str; to read a file: open(path, 'rb').read()")
    view = memoryview(data).cast("B")
    guesses = list(_guesses((), view[:_FRONT], 0.0, len(view) <= _FRONT, depth))
    if all(guess.shape == "foreign" and guess.bits < _CERTAIN_BITS for guess in guesses):
        for guess in _guesses((), view[:_FRONT], -_CUT_BITS, False, depth):
            bits = guess.bits - (_CUT_BITS if guess.protocol == "compact" else 0)
            if bits > 0 and guess.shape != "foreign":
                guesses.append(guess._replace(bits=bits, words=f"{guess.words}, cut or broken"))
        if not any(guess.shape != "foreign" for guess in guesses):
            guesses.extend(_frames_with_faults(view[:_FRONT], len(view) <= _FRONT, depth))
    best_bits = max((guess.bits for guess in guesses), default=0.0)
    weights = [math.pow(2.0, guess.bits - best_bits) for guess in guesses]
    total = sum(weights) + math.pow(2.0, _UNKNOWN_BITS - best_bits)
    ordered = sorted(zip(weights, guesses), key=lambda pair: -pair[0])
    return [
        guess if guess.shape == "foreign" else guess._replace(sure=weight / total)
        for weight, guess in ordered
    ]


def is_thrift(guesses: list[Guess]) -> bool:
    """Whether the likeliest guess is Thrift."""
    return bool(guesses) and guesses[0].shape != "foreign"


def _guesses(
    layers: tuple[str, ...], data: memoryview, bits: float, is_all: bool, depth: int
) -> Iterator[Guess]:
    has_bom = (
        bytes(data[: len(codecs.BOM_UTF8)]) == codecs.BOM_UTF8
    )  # texts may have it, Thrift values do not
    is_json = False
    for shape, protocol, framing, lead, count, own_bits, text in _core.detect(
        data[len(codecs.BOM_UTF8) :] if has_bom else data, all=int(is_all), depth=depth
    ):
        if protocol != "tjson":
            if not has_bom:
                yield Guess(
                    layers, shape, protocol, framing, lead, count, bits + own_bits, 0.0, text
                )
        elif (lines := _tjson_lines(data, shape, is_all, depth)) > 1:
            yield Guess(
                layers,
                f"{shape}s",
                protocol,
                "lines",
                0,
                lines,
                bits + own_bits,
                0.0,
                f"Apache's JSON protocol, {shape}s in lines",
            )
        elif lines == 1 or _is_tjson(data, shape, depth) or not is_all:
            yield Guess(layers, shape, protocol, framing, lead, count, bits + own_bits, 0.0, text)
        elif (values := len(json_values(data))) > 1:
            description = f"Apache's JSON protocol, {shape}s back to back"
            yield Guess(
                layers, f"{shape}s", protocol, "none", 0, values, bits + own_bits, 0.0, description
            )
        else:
            continue
        is_json = is_json or protocol == "tjson"
    for name, own_bits in formats(data, is_all):
        if own_bits > _UNKNOWN_BITS and not (name == "JSON" and is_json):
            yield Guess(layers, "foreign", "none", "none", 0, 0, bits + own_bits, 0.0, name)
    if len(layers) < _LAYERS:
        for name, inner, weight, is_complete in _inner(data, is_all):
            yield from _guesses(
                (*layers, name), memoryview(inner), bits + weight, is_complete, depth
            )
    yield from _packed_records(layers, data, bits, is_all, depth)


def _frames_with_faults(data: memoryview, is_all: bool, depth: int) -> Iterator[Guess]:
    """Guesses of framed structs of which some are invalid."""
    from .cuts import content_of, cuts_of

    for framing in ("u32", "u32le", "varint"):
        count, sound = 0, []
        for cut in itertools.islice(cuts_of(data, framing, is_all), _MAX_LINES):
            if cut.is_lost:
                break
            count += 1
            frame = bytes(memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin])
            readings = _core.detect(content_of(frame, framing), all=1, depth=depth)
            if any(
                (reading[0], reading[2], reading[3]) == ("struct", "none", 0)
                for reading in readings
            ):
                sound.append(frame)
        if len(sound) < 2 or 2 * len(sound) <= count:
            continue
        for shape, protocol, outer, lead, looked_at, bits, text in _core.detect(
            b"".join(sound), all=1, depth=depth
        ):
            if (shape, outer) == ("structs", framing) and bits > _CUT_BITS:
                yield Guess(
                    (),
                    shape,
                    protocol,
                    framing,
                    lead,
                    looked_at,
                    bits - _CUT_BITS,
                    0.0,
                    f"{text}, some broken",
                )


def _packed_records(
    layers: tuple[str, ...], data: memoryview, bits: float, is_all: bool, depth: int
) -> Iterator[Guess]:
    """Guesses of individually compressed values, as in logs and topics."""
    from .cuts import content_of, cuts_of

    for framing in _PACKED_FRAMINGS:
        cut = next(cuts_of(data, framing, is_all), None)
        packed = (
            b""
            if cut is None or cut.is_lost
            else content_of(memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin], framing)
        )
        content = decompressed_front(packed, _FRONT)
        if not content:
            continue
        for shape, protocol, inner_framing, lead, _, own_bits, text in _core.detect(
            content, all=int(len(content) < _FRONT), depth=depth
        ):
            if (shape, inner_framing, lead) == ("struct", "none", 0) and protocol != "tjson":
                name = text.partition(",")[0]
                location = (
                    f"lines of {framing}" if framing in ("base64", "hex") else f"frames ({framing})"
                )
                yield Guess(
                    layers,
                    "structs",
                    protocol,
                    framing,
                    0,
                    1,
                    bits + own_bits + _PACKED_BITS,
                    0.0,
                    f"{name}, compressed structs in {location}",
                )
                return


def json_values(data: Union[bytes, memoryview]) -> list[bytes]:
    """The texts of concatenated JSON values; [] if one is invalid."""
    text, position, values = bytes(data).decode("latin-1").strip(), 0, []
    decoder = json.JSONDecoder(strict=False)
    try:
        while position < len(text):
            _, end = decoder.raw_decode(text, position)
            values.append(text[position:end].encode("latin-1"))
            position = end
    except (ValueError, RecursionError):
        return []
    return values


def _tjson_lines(data: memoryview, shape: str, is_all: bool, depth: int) -> int:
    """The number of lines if they are values: all of the first lines, or most of them in truncated
    data; else 0."""
    lines = [line for line in bytes(data).split(b"\n") if not line.isspace() and line]
    if not is_all and len(lines) > 1:
        del lines[-1]
    sample = lines[:_MAX_LINES]
    valid_count = sum(_is_tjson(memoryview(line), shape, depth) for line in sample)
    return (
        len(lines)
        if valid_count == len(sample) or (not is_all and 2 * valid_count > len(sample))
        else 0
    )


def _is_tjson(data: memoryview, shape: str, depth: int) -> bool:
    try:
        if shape == "message":
            _, _, _, begin, end = _core.text_message(data)
            data = data[begin:end]
        _core.convert(data, source="tjson", target="binary", depth=depth)
    except Error:
        return False
    return True


def _inner(data: memoryview, is_all: bool) -> Iterator[tuple[str, bytes, float, bool]]:
    """(layer, decoded bytes, bits of the layer itself, whether the bytes are complete)."""
    front = bytes(data[:10])
    compression = compression_of(front)
    if compression == "none" and is_zlib(front):
        compression = "zlib"
    if compression != "none":
        inner, is_complete = _unpacked(data, compression, is_all)
        if inner is not None:
            yield compression, inner, _PACKED_BITS, is_complete
    elif (layer := text_layer_of(bytes(data), is_all)) != "none" and (
        text := decoded_text(bytes(data), layer, is_all)
    ):
        yield (
            layer,
            text,
            _TEXT_BITS - (_SINGLE_LINE_BITS if len(bytes(data).split()) == 1 else 0.0),
            is_all,
        )


def _unpacked(data: memoryview, compression: str, is_all: bool) -> tuple[Optional[bytes], bool]:
    """The first decompressed bytes, and whether they are complete; None without any."""
    stream, front = Unpacked(_MemoryStream(data), compression), bytearray()
    try:
        while len(front) < _FRONT and (piece := stream.read(_FRONT - len(front))):
            front += piece
        return bytes(front), is_all and len(front) < _FRONT
    except (Error, OSError):
        return bytes(front) or _cut_front(data, compression), False


def _cut_front(data: memoryview, compression: str) -> Optional[bytes]:
    """The decompressed bytes before the error in a truncated or invalid stream."""
    stream, front = Unpacked(_MemoryStream(data), compression), bytearray()
    try:
        while len(front) < _CUT_FRONT and (piece := stream.read(1)):
            front += piece
    except (Error, OSError):
        pass
    return bytes(front) or None


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
    from .scan import scan

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
    from .scan import scan

    records = scan(content, framing="message", compression="none", depth=depth)
    for message in records:
        header = (message.name, message.kind, message.sequence_id)
        yield Value(
            records.record, records.record_offset, bytes(message.data), message.protocol, header
        )


def _struct_values(
    content: _Source, guess: Guess, protocol: Literal["binary", "compact", "tjson"], depth: int
) -> Iterator[Value]:
    from .scan import scan

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
    while piece := stream.read(_FRONT):
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
    stream = Unpacked(_MemoryStream(data), guess.layers[0])
    for layer in guess.layers[1:]:
        stream = Unpacked(stream, layer)
    return stream


class _MemoryStream(io.RawIOBase):
    """Bytes as a stream, without a copy."""

    def __init__(self, data: Any):
        self._rest = memoryview(data).cast("B")

    def readable(self) -> bool:
        return True

    def readinto(self, to: Any) -> int:
        piece, self._rest = self._rest[: len(to)], self._rest[len(to) :]
        to[: len(piece)] = piece
        return len(piece)


def guess_line(guesses: list[Guess]) -> str:
    """The best guess with its probability, and the runner-up."""
    if not is_thrift(guesses):
        return f"guess: {guesses[0]}, which is not Thrift" if guesses else "guess: nothing known"
    line = f"guess: {guesses[0]} ({percent(guesses[0].sure)})"
    return (
        f"{line}, else {guesses[1]} ({percent(guesses[1].sure)})"
        if len(guesses) > 1 and guesses[1].sure >= 0.005
        else line
    )


def percent(share: float) -> str:
    return f"{min(math.floor(share * 100 + 0.5), 99 if share < 0.9995 else 100)} %"


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
        value = _first_value(data, depth)
        data, protocol = _wire_data(value)
        if value.message is not None:
            types, preferred = _types_of_message(value.message, types, payloads)
    rows = _core.identify(
        data, types, protocol=protocol, explained=len(types) if preferred else most, depth=depth
    )
    if preferred:
        rows = sorted(
            (
                (row[0], row[1] + (_NAME_BITS if types[row[0]] in preferred else 0.0), *row[2:])
                for row in rows
            ),
            key=lambda row: -row[1],
        )
    best = rows[0][1] if rows else 0.0
    total = sum(math.pow(2.0, row[1] - best) for row in rows) + math.pow(
        2.0, min(_NO_TYPE_BITS - best, 1000.0)
    )
    return [
        Candidate(types[row[0]], math.pow(2.0, row[1] - best) / total, *row[2:])
        for row in rows[:most]
    ]


def _types_of_message(
    message: tuple[str, str, int], types: list[Type], payloads: list[Payload]
) -> tuple[list[Type], set[Type]]:
    """The types that a message of its kind may have, and those of functions of its name; `types`
    without functions."""
    from .._rpc.message import application_exception

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


def _first_value(data: Any, depth: int) -> Value:
    """The first value in the bytes."""
    guesses = detect(data, depth=depth)
    if is_thrift(guesses):
        for value in values(data, guesses[0], depth=depth):
            return value
    raise DecodeError(_no_thrift(guesses), code="bad_ttype")


def _no_thrift(guesses: list[Guess]) -> str:
    return _NO_THRIFT + (f"; it looks like {guesses[0]}" if guesses else "")


def _wire_data(value: Value) -> tuple[bytes, Literal["binary", "compact"]]:
    if value.protocol == "tjson":
        return _core.convert(value.data, source="tjson", target="binary"), "binary"
    return value.data, value.protocol


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
    >>> print(tl.infer([idl.Point.encode({"x": 70000}), idl.Point.encode({"x": -1, "name": "home"})], name="Point"), end="")
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
    from .._schema.loading import loads

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
            raise DecodeError(f"sample {number}: {_no_thrift(guesses)}", code="bad_ttype")
        for value in values(sample, guesses[0], depth=depth):
            data, protocol = _wire_data(value)
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
    return f"{identifier if re.match('[A-Za-z_]', identifier) else 'f' + identifier}_{'result' if kind == 'reply' else 'arguments'}"
