"""What bytes of unknown origin are: detect, inspect, identify and infer."""

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
from .compression import Unpacked, compression_of, decoded_text, front_below_record, is_zlib, text_layer_of
from .formats import formats
from .._schema.schema import Schema, Service, Type

_FRONT = 1 << 20  # bytes that are looked at to guess
_UNKNOWN = 7.0  # bits: what a guess must be better than, as in detect.ipp
_NAMED = 64.0  # bits: that a message has the name of the function
_CERTAIN = 40.0  # bits of a foreign format beside which no cut data is considered
_NONE = 0.0  # bits, as identify.ipp counts them: that it is none of the types
_CUT_FRONT = 1 << 14
_LINES = 64  # lines of text that are tried
_CUT = 12.0  # bits: what a guess that takes the end for cut is less likely
_LAYERS = 3
_WHOLE = 1 << 30  # bytes of one value below compression
_NO_THRIFT = "no Thrift data: neither Binary nor Compact nor Apache's JSON protocol"
_PACKED_BITS = 24.0  # a compressed stream that unpacks says something of its own
_TEXT_BITS = 8.0
_ONE_LINE = 1.0  # the framing is said rather: a line that a struct stands in
_PACKED_FRAMINGS = ("base64", "hex", "u32", "kafka", "varint", "u32le")  # of records that are compressed by themselves, the likelier first


class Guess(NamedTuple):
    """One reading of bytes; as text "gzip: Binary, structs in frames (u32)".

    layers: what is around, outermost first: "gzip", "bzip2", "xz", "zstd", "zlib", "base64", "hex".
    shape: "struct", "message", "structs", "messages" or "list" (of structs, alone); "foreign" if it is
        not Thrift.
    protocol: "binary", "compact" or "tjson" (Apache's JSON protocol); "none" for a foreign format.
    framing: what stands around each value, as scan has it.
    lead: bytes in front that belong to none of it; of many values in front of each.
    looked_at: values that were read to guess.
    sure: 0 to 1, beside the other guesses and that it is none of them; 0 for a foreign format."""

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
        """What scan takes to read the bytes so: framing, protocol and lead. The layers it finds by itself."""
        if self.shape in ("message", "messages") and self.protocol != "tjson":
            return {"framing": "message"}
        if self.protocol == "tjson":
            return {"framing": "lines", "protocol": "tjson", **({"to": "message"} if self.shape.startswith("message") else {})}
        is_list = self.shape == "list"
        return {"framing": "list" if is_list else self.framing, "protocol": self.protocol, "lead": 0 if is_list else self.lead}


def detect(data: Any, *, depth: int = 64) -> list[Guess]:
    """What the bytes may be, the likeliest first; nothing where they are nothing known.

    data: bytes-like; beyond 1 MiB its beginning. A few bytes may be anything: `sure` says so. Never raises for what the bytes are.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string name }").Point
    >>> import gzip
    >>> [str(each) for each in tl.detect(gzip.compress(Point.encode({"x": 3, "name": "home"})))]
    ['gzip: Binary, one struct']
    """
    if isinstance(data, str):
        raise TypeError("detect() takes the bytes themselves, not str; of a file: open(path, 'rb').read()")
    whole = memoryview(data).cast("B")
    found = list(_guesses((), whole[:_FRONT], 0.0, len(whole) <= _FRONT, depth))
    if all(guess.shape == "foreign" and guess.bits < _CERTAIN for guess in found):
        for guess in _guesses((), whole[:_FRONT], -_CUT, False, depth):
            left = guess.bits - (_CUT if guess.protocol == "compact" else 0)
            if left > 0 and guess.shape != "foreign":
                found.append(guess._replace(bits=left, words=f"{guess.words}, cut or broken"))
        if not any(guess.shape != "foreign" for guess in found):
            found.extend(_frames_with_faults(whole[:_FRONT], len(whole) <= _FRONT, depth))
    best = max((each.bits for each in found), default=0.0)
    weights = [math.pow(2.0, each.bits - best) for each in found]
    total = sum(weights) + math.pow(2.0, _UNKNOWN - best)
    ranked = sorted(zip(weights, found), key=lambda pair: -pair[0])
    return [guess if guess.shape == "foreign" else guess._replace(sure=weight / total) for weight, guess in ranked]


def is_thrift(guesses: list[Guess]) -> bool:
    """Whether the likeliest is a reading as Thrift."""
    return bool(guesses) and guesses[0].shape != "foreign"


def _guesses(layers: tuple[str, ...], data: memoryview, bits: float, is_all: bool, depth: int) -> Iterator[Guess]:
    marked = bytes(data[: len(codecs.BOM_UTF8)]) == codecs.BOM_UTF8  # which no value begins with, and texts may
    is_json = False
    for shape, protocol, framing, lead, count, own, words in _core.detect(data[len(codecs.BOM_UTF8) :] if marked else data, all=int(is_all), depth=depth):
        if protocol != "tjson":
            if not marked:
                yield Guess(layers, shape, protocol, framing, lead, count, bits + own, 0.0, words)
        elif (lines := _tjson_lines(data, shape, is_all, depth)) > 1:
            yield Guess(layers, f"{shape}s", protocol, "lines", 0, lines, bits + own, 0.0, f"Apache's JSON protocol, {shape}s in lines")
        elif lines == 1 or _is_tjson(data, shape, depth) or not is_all:
            yield Guess(layers, shape, protocol, framing, lead, count, bits + own, 0.0, words)
        elif (values := len(json_values(data))) > 1:
            what = f"Apache's JSON protocol, {shape}s back to back"
            yield Guess(layers, f"{shape}s", protocol, "none", 0, values, bits + own, 0.0, what)
        else:
            continue
        is_json = is_json or protocol == "tjson"
    for name, own in formats(data, is_all):
        if own > _UNKNOWN and not (name == "JSON" and is_json):
            yield Guess(layers, "foreign", "none", "none", 0, 0, bits + own, 0.0, name)
    if len(layers) < _LAYERS:
        for name, inner, weight, is_whole in _inner(data, is_all):
            yield from _guesses((*layers, name), memoryview(inner), bits + weight, is_whole, depth)
    yield from _packed_records(layers, data, bits, is_all, depth)


def _frames_with_faults(data: memoryview, is_all: bool, depth: int) -> Iterator[Guess]:
    """Readings as structs in frames of which some are broken."""
    from .scan import content_of, cuts_of

    for framing in ("u32", "u32le", "varint"):
        count, sound = 0, []
        for cut in itertools.islice(cuts_of(data, framing, is_all), _LINES):
            if cut.is_lost:
                break
            count += 1
            frame = bytes(memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin])
            readings = _core.detect(content_of(frame, framing), all=1, depth=depth)
            if any((reading[0], reading[2], reading[3]) == ("struct", "none", 0) for reading in readings):
                sound.append(frame)
        if len(sound) < 2 or 2 * len(sound) <= count:
            continue
        for shape, protocol, outer, lead, looked_at, bits, words in _core.detect(b"".join(sound), all=1, depth=depth):
            if (shape, outer) == ("structs", framing) and bits > _CUT:
                yield Guess((), shape, protocol, framing, lead, looked_at, bits - _CUT, 0.0, f"{words}, some broken")


def _packed_records(layers: tuple[str, ...], data: memoryview, bits: float, is_all: bool, depth: int) -> Iterator[Guess]:
    """Many values, each compressed by itself, as logs and topics have them."""
    from .scan import content_of, cuts_of

    for framing in _PACKED_FRAMINGS:
        cut = next(cuts_of(data, framing, is_all), None)
        content = b"" if cut is None or cut.is_lost else content_of(memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin], framing)
        below = front_below_record(content, _FRONT)
        if not below:
            continue
        for shape, protocol, inner_framing, lead, _, own, words in _core.detect(below, all=int(len(below) < _FRONT), depth=depth):
            if (shape, inner_framing, lead) == ("struct", "none", 0) and protocol != "tjson":
                name = words.partition(",")[0]
                where = f"lines of {framing}" if framing in ("base64", "hex") else f"frames ({framing})"
                yield Guess(layers, "structs", protocol, framing, 0, 1, bits + own + _PACKED_BITS, 0.0, f"{name}, compressed structs in {where}")
                return


def json_values(data: Union[bytes, memoryview]) -> list[bytes]:
    """The texts of JSON values that follow each other without line ends; [] where one is none."""
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
    """How many lines there are if they are values: of the first all, or most where a line may be broken or cut; else 0."""
    lines = [each for each in bytes(data).split(b"\n") if not each.isspace() and each]
    if not is_all and len(lines) > 1:
        del lines[-1]
    tried = lines[:_LINES]
    good = sum(_is_tjson(memoryview(each), shape, depth) for each in tried)
    return len(lines) if good == len(tried) or (not is_all and 2 * good > len(tried)) else 0


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
    """(layer, the bytes below it, what it says by itself, whether that is all of them)."""
    front = bytes(data[:10])
    packed = compression_of(front)
    if packed == "none" and is_zlib(front):
        packed = "zlib"
    if packed != "none":
        inner, is_whole = _unpacked(data, packed, is_all)
        if inner is not None:
            yield packed, inner, _PACKED_BITS, is_whole
    elif (layer := text_layer_of(bytes(data), is_all)) != "none" and (text := decoded_text(bytes(data), layer, is_all)):
        yield layer, text, _TEXT_BITS - (_ONE_LINE if len(bytes(data).split()) == 1 else 0.0), is_all


def _unpacked(data: memoryview, packed: str, is_all: bool) -> tuple[Optional[bytes], bool]:
    """The first of the bytes below; None where there are none."""
    stream, front = Unpacked(_Held(data), packed), bytearray()
    try:
        while len(front) < _FRONT and (piece := stream.read(_FRONT - len(front))):
            front += piece
        return bytes(front), is_all and len(front) < _FRONT
    except (Error, OSError):
        return bytes(front) or _cut_front(data, packed), False


def _cut_front(data: memoryview, packed: str) -> Optional[bytes]:
    """What there is before the fault of a stream that is cut or broken."""
    stream, front = Unpacked(_Held(data), packed), bytearray()
    try:
        while len(front) < _CUT_FRONT and (piece := stream.read(1)):
            front += piece
    except (Error, OSError):
        pass
    return bytes(front) or None


class Value(NamedTuple):
    """A value that stands in bytes: its number and place, a message's header, and the bytes of the struct in `protocol`."""

    number: int
    offset: int
    data: bytes
    protocol: Literal["binary", "compact", "tjson"]
    message: Optional[tuple[str, str, int]] = None


_Source = Any  # bytes, or Unpacked, which is a stream


def values(data: Any, guess: Guess, *, depth: int = 64) -> Iterator[Value]:
    """The values of data if the guess is right. DecodeError for the first one that is not valid."""
    if guess.protocol == "none":
        raise DecodeError(f"no Thrift data: it looks like {guess}", code="bad_magic")
    is_many = guess.shape in ("structs", "messages", "list") or guess.framing != "none"
    below: _Source = memoryview(data).cast("B") if not guess.layers else _below(data, guess)
    if guess.lead and not is_many:
        if guess.layers:
            below.skip(guess.lead)
        else:
            below = below[guess.lead :]
    if guess.protocol == "tjson" and is_many:
        yield from _text_values(below, guess, depth)
    elif guess.shape in ("message", "messages") and guess.protocol != "tjson":
        yield from _message_values(below, depth)
    elif is_many:
        yield from _struct_values(below, guess, guess.protocol, depth)
    else:
        yield _one(bytes(below if not guess.layers else _bounded(below)), guess)


def _text_values(below: _Source, guess: Guess, depth: int) -> Iterator[Value]:
    from .scan import scan

    joined = 0 if guess.framing == "lines" else 1  # line ends that are added
    if joined:
        below = b"\n".join(json_values(_bounded(below) if guess.layers else below))
    records = scan(below, framing="lines", protocol="tjson", compression="none", to="message" if guess.shape == "messages" else "bytes", depth=depth)
    for record in records:
        message = (record.name, record.kind, record.sequence_id) if guess.shape == "messages" else None
        text = record if message is None else record.data
        yield Value(records.record, records.record_offset - joined * records.record, text.rstrip() if joined else text, "tjson", message)


def _message_values(below: _Source, depth: int) -> Iterator[Value]:
    from .scan import scan

    records = scan(below, framing="message", compression="none", depth=depth)
    for message in records:
        header = (message.name, message.kind, message.sequence_id)
        yield Value(records.record, records.record_offset, bytes(message.data), message.protocol, header)


def _struct_values(below: _Source, guess: Guess, protocol: Literal["binary", "compact", "tjson"], depth: int) -> Iterator[Value]:
    from .scan import scan

    is_list = guess.shape == "list"
    framing, lead = ("list", 0) if is_list else (guess.framing, guess.lead)
    records = scan(below, framing=framing, protocol=protocol, to="bytes", lead=lead, compression="none", depth=depth)
    for record in records:
        if record is not None:
            yield Value(records.record, records.record_offset, record, protocol)


def _bounded(stream: Unpacked) -> bytes:
    whole = bytearray()
    while piece := stream.read(_FRONT):
        whole += piece
        if len(whole) > _WHOLE:
            raise DecodeError(f"one value of more than {_WHOLE} bytes", code="size_limit")
    return bytes(whole)


def _one(data: bytes, guess: Guess) -> Value:
    """A struct, or a message of Apache's JSON protocol."""
    if guess.shape != "message" and guess.protocol != "none":
        return Value(0, guess.lead, data, guess.protocol)
    name, kind, sequence_id, begin, end = _core.text_message(data)
    return Value(0, guess.lead + begin, data[begin:end], "tjson", (name, kind, sequence_id))


def _below(data: Any, guess: Guess) -> Unpacked:
    """The bytes below the layers, as a stream that gives all before a fault."""
    stream = Unpacked(_Held(data), guess.layers[0])
    for layer in guess.layers[1:]:
        stream = Unpacked(stream, layer)
    return stream


class _Held(io.RawIOBase):
    """Bytes as a stream, without a copy of them all."""

    def __init__(self, data: Any):
        self._left = memoryview(data).cast("B")

    def readable(self) -> bool:
        return True

    def readinto(self, to: Any) -> int:
        piece, self._left = self._left[: len(to)], self._left[len(to) :]
        to[: len(piece)] = piece
        return len(piece)


def guess_line(found: list[Guess]) -> str:
    """What the bytes are, how sure that is, and what else they may be."""
    if not is_thrift(found):
        return f"guess: {found[0]}, which is not Thrift" if found else "guess: nothing known"
    line = f"guess: {found[0]} ({percent(found[0].sure)})"
    return f"{line}, else {found[1]} ({percent(found[1].sure)})" if len(found) > 1 and found[1].sure >= 0.005 else line


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
    """The bytes as an indented tree: offset, field id, wire type and content of each value.

    protocol: of one struct (or value of `type`). Left out, it is found out what the bytes are, below compression and frames, and the first line says
    the guess, how sure it is, and the runner-up; each value of many follows under a line of its own, and offsets count in it.
    type: names fields and enum members. text_size, elements: bytes of a string, parts of a container that are shown.
    output_size: most bytes of text a value; 0: 16 MiB and 8 for each byte. Broken bytes end in a line that begins with `!`: it never raises for them.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string name }").Point
    >>> print(tl.inspect(Point.encode({"x": 3, "name": "home"}), type=Point), end="")
    guess: Binary, one struct (100 %)
    00000000  struct Point
    00000000    #1 x i32 3
    00000007    #2 name string "home"
    """
    how: dict[str, Any] = {"type": type, "text_size": text_size, "elements": elements, "depth": depth, "output_size": output_size}
    if protocol is not None or not (type is None or (isinstance(type, Type) and type.kind in ("struct", "union", "exception"))):
        return _core.inspect(data, protocol=protocol or "binary", **how)
    found = detect(data, depth=depth)
    if not is_thrift(found):
        return f"{guess_line(found)}; as Binary:\n{_core.inspect(data, protocol='binary', **how)}"
    return guess_line(found) + "\n" + "".join(trees(data, found[0], how))


def trees(data: Any, guess: Guess, how: dict[str, Any], most: Optional[int] = None) -> Iterator[str]:
    """The tree of each value, under its own line where there are many, or a header. most: values that are shown."""
    is_one = guess.shape == "struct"
    try:
        for each in itertools.islice(values(data, guess, depth=how["depth"]), most):
            if not is_one or guess.framing != "none":
                yield heading(each)
            yield tree(each, how)
    except Error as error:
        yield f"! {error}\n"


def tree(value: Value, how: dict[str, Any]) -> str:
    try:
        return _core.inspect(value.data, protocol=value.protocol, **how)
    except Error as error:  # text that is none of its protocol
        return f"! {error}\n"


def heading(value: Value) -> str:
    line = f"record {value.number}, byte {value.offset}, {len(value.data)} byte{'' if len(value.data) == 1 else 's'}"
    if value.message is not None:
        name, kind, sequence_id = value.message
        line += f": {value.protocol} {kind} {name!r}, sequence id {sequence_id}"
    return line + "\n"


class Candidate(NamedTuple):
    """A type that bytes may be of.

    sure: 0 to 1, beside the other types and that it is none of them. known, unknown, contradictions, missing: fields that fit, that the type does not have, values of another
    type than it says, required fields that are not there. path, why: the first disagreement; "" where there is none."""

    type: Type
    sure: float
    known: int
    unknown: int
    contradictions: int
    missing: int
    path: str
    why: str


def _types(of: Any) -> Iterator[Type]:
    if isinstance(of, Type):
        yield of
    elif isinstance(of, Schema):
        for name in of.types:
            if (made := of[name]).kind in ("struct", "union", "exception"):
                yield made
    elif isinstance(of, (str, bytes)) or not isinstance(of, Iterable):
        raise TypeError(f"identify() takes schemas and types, not {type(of).__name__}")
    else:
        for each in of:
            yield from _types(each)


def identify(
    data: Any, schemas: Union[Schema, Type, Iterable[Union[Schema, Type]]], *, protocol: Optional[Literal["binary", "compact"]] = None, depth: int = 64, most: int = 16
) -> list[Candidate]:
    """The types that the bytes of a struct are most likely of, the best first, each with where it first disagrees. A message is compared with what the functions of
    the services carry, those of its name first.

    schemas: one, or types, or many of either. protocol: found out where it is left out; of many values the first one is looked at. most: types that
    are given. Raises DecodeError where the bytes are no struct.

    >>> import thriftlens as tl
    >>> idl = tl.loads("struct Point { 1: i32 x, 2: i32 y }  struct User { 1: i32 id, 2: string name }")
    >>> best, other = tl.identify(idl.User.encode({"id": 7, "name": "Zoe"}), idl)
    >>> best.type.name, best.known, other.type.name, other.path, other.why
    ('User', 2, 'Point', '$.y', 'the wire type contradicts the IDL')
    """
    types = list(dict.fromkeys(_types(schemas)))
    carried = [] if protocol is not None else list(dict.fromkeys(_carried(schemas)))
    return ranked(data, types, carried, protocol=protocol, depth=depth, most=most)


class Carried(NamedTuple):
    """What messages of a function carry: the arguments, or the result."""

    function: str
    is_result: bool
    type: Type


def _carried(of: Any) -> Iterator[Carried]:
    if isinstance(of, Schema):
        yield from carried_by(of)
    elif not isinstance(of, Type):
        for each in of:
            yield from _carried(each)


def carried_by(schema: Schema) -> Iterator[Carried]:
    """By the functions that the services of a schema have themselves."""
    for service in schema.services.values():
        yield from carried_by_service(service)


def carried_by_service(service: Service) -> Iterator[Carried]:
    """By the functions that a service has itself."""
    for function in service.functions.values():
        yield Carried(function.name, False, function.arguments)
        if not function.oneway:
            yield Carried(function.name, True, function.result)


def ranked(
    data: Any, types: list[Type], carried: list[Carried], *, protocol: Optional[Literal["binary", "compact"]], depth: int, most: int
) -> list[Candidate]:
    """The same: types of structs, and what messages may carry, which counts for these alone."""
    named: set[Type] = set()
    if protocol is None:
        value = _first_value(data, depth)
        data, protocol = _in_place(value)
        if value.message is not None:
            types, named = _types_of_message(value.message, types, carried)
    rows = _core.identify(data, types, protocol=protocol, explained=len(types) if named else most, depth=depth)
    if named:
        rows = sorted(((row[0], row[1] + (_NAMED if types[row[0]] in named else 0.0), *row[2:]) for row in rows), key=lambda row: -row[1])
    best = rows[0][1] if rows else 0.0
    total = sum(math.pow(2.0, row[1] - best) for row in rows) + math.pow(2.0, min(_NONE - best, 1000.0))
    return [Candidate(types[row[0]], math.pow(2.0, row[1] - best) / total, *row[2:]) for row in rows[:most]]


def _types_of_message(message: tuple[str, str, int], types: list[Type], carried: list[Carried]) -> tuple[list[Type], set[Type]]:
    """What a message of that kind may carry, and which of it the function of its name; types of structs where there are no functions."""
    from .._rpc.message import application_exception

    name, kind, _ = message
    if kind == "exception":
        return [application_exception()], set()
    fit = [each for each in carried if each.is_result == (kind == "reply")]
    named = {each.type for each in fit if each.function in (name, name.rpartition(":")[2])}
    return [each.type for each in fit] or types, named


def _first_value(data: Any, depth: int) -> Value:
    """The first value in the bytes."""
    found = detect(data, depth=depth)
    if is_thrift(found):
        for value in values(data, found[0], depth=depth):
            return value
    raise DecodeError(_no_thrift(found), code="bad_ttype")


def _no_thrift(found: list[Guess]) -> str:
    return _NO_THRIFT + (f"; it looks like {found[0]}" if found else "")


def _in_place(value: Value) -> tuple[bytes, Literal["binary", "compact"]]:
    if value.protocol == "tjson":
        return _core.convert(value.data, source="tjson", target="binary"), "binary"
    return value.data, value.protocol


def infer(samples: Any, *, name: str = "Record", protocol: Optional[Literal["binary", "compact"]] = None, depth: int = 64) -> str:
    """A draft of the IDL that samples were written by: ids, types, what containers hold, which fields were always there (others are optional), numbers
    that look like an enum's, text or binary. It reads its samples back without loss, but for fields that had two types (the
    one seen more often, and a comment). Names are not on the wire.

    Messages make a struct for the arguments of each function, add_arguments, and one for its results, add_result.

    samples: bytes, or many. protocol: of structs; left out, it is found out what each sample is, and all values in it count. name: of the root struct.
    Raises DecodeError for bytes that are no struct.

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
    given = [samples] if isinstance(samples, (bytes, bytearray, memoryview)) else samples
    if protocol is not None:
        return _core.infer(_some(given), protocol=protocol, name=name, depth=depth)
    return draft_of(named_structs_of(given, depth), name, depth)


def draft_of(structs: Iterable[tuple[Optional[str], bytes]], name: str, depth: int) -> str:
    """The drafts of structs in Binary, by what they are called; `name` where they are not."""
    groups: dict[str, list[bytes]] = {}
    for called, data in _some(structs):
        groups.setdefault(called or name, []).append(data)
    return "\n".join(_core.infer(group, protocol="binary", name=called, depth=depth) for called, group in groups.items())


def check_name(name: str) -> None:
    """ValueError where IDL cannot have a struct of that name."""
    from .._schema.schema import loads

    try:
        is_name = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None and "struct" in loads(f"struct {name} {{}}", strict=True).describe()
    except Error:
        is_name = False
    if not is_name:
        raise ValueError(f"{name!r} is no name of a struct")


def _some(samples: Iterable[Any]) -> Iterator[Any]:
    """The same; DecodeError where there is none."""
    is_any = False
    for each in samples:
        is_any = True
        yield each
    if not is_any:
        raise DecodeError("no samples: nothing can be learned of nothing", code="truncated")


def named_structs_of(samples: Iterable[Any], depth: int) -> Iterator[tuple[Optional[str], bytes]]:
    """All structs in the samples, in Binary, those of messages with a name of what they are."""
    for number, sample in enumerate(samples):
        found = detect(sample, depth=depth)
        if not is_thrift(found):
            raise DecodeError(f"sample {number}: {_no_thrift(found)}", code="bad_ttype")
        for value in values(sample, found[0], depth=depth):
            data, spoken = _in_place(value)
            yield _name_of(value), data if spoken == "binary" else _core.convert(data, source=spoken, target="binary", depth=depth)


def _name_of(value: Value) -> Optional[str]:
    """Of the struct that a message carries; None of other structs."""
    if value.message is None:
        return None
    name, kind, _ = value.message
    if kind == "exception":
        return "TApplicationException"
    word = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return f"{word if re.match('[A-Za-z_]', word) else 'f' + word}_{'result' if kind == 'reply' else 'arguments'}"
