"""Guesses of protocol, framing and compression of bytes without known type."""

from __future__ import annotations

import codecs
import itertools
import json
import math
from typing import Iterator, Literal, NamedTuple, Optional

from .. import _core
from .._errors import Error
from .._typing import Buffer, Data, Value
from .compression import decompressed_front
from .cuts import cuts_of
from .formats import formats
from .framing import SIZED_FRAMINGS, TEXT_FRAMINGS, content_of
from .layers import FRONT as _FRONT
from .layers import PACKED_BITS, inner_layers
from .sources import FRONT as _HINT_FRONT

_UNKNOWN_BITS = 7.0  # minimum of a guess, as in detect.ipp
_CERTAIN_BITS = 40.0  # of a guess that rules out others
_MAX_LINES = 64  # lines of text to examine
_CUT_BITS = 12.0  # subtracted from guesses of truncated data
_LAYERS = 3


class Guess(NamedTuple):
    """One interpretation of bytes; as text "gzip: Binary, structs in frames (u32)".

    layers: compression and encodings, outermost first: "gzip", "bzip2", "xz", "zstd", "zlib",
        "base64", "hex".
    shape: "struct", "message", "structs", "messages" or "list" (of structs, alone); "foreign" if it
        is not Thrift.
    protocol: "binary", "compact" or "tjson" (Apache's JSON protocol); "none" for a foreign format.
    framing: the framing of the values, as in scan.
    prefix_size: other bytes before the value, or before every value of many.
    value_count: the number of values examined.
    probability: 0 to 1; 0 for a foreign format."""

    layers: tuple[str, ...]
    shape: str
    protocol: Literal["binary", "compact", "tjson", "none"]
    framing: str
    prefix_size: int
    value_count: int
    bits: float
    probability: float
    words: str

    def __str__(self) -> str:
        return ": ".join((*self.layers, self.words))

    @property
    def options(self) -> dict[str, Value]:
        """The options to read the bytes with scan: framing, protocol and prefix_size. scan detects
        the layers itself."""
        if self.protocol == "tjson":
            options: dict[str, Value] = {"framing": "lines", "protocol": "tjson"}
            return {**options, "to": "message"} if self.shape.startswith("message") else options
        if self.shape in ("message", "messages"):
            return {"framing": "message"}
        is_list = self.shape == "list"
        return {
            "framing": "list" if is_list else self.framing,
            "protocol": self.protocol,
            "prefix_size": 0 if is_list else self.prefix_size,
        }


def detect(data: Buffer, *, depth: int = 64) -> list[Guess]:
    """Guesses of protocol, framing and compression, the likeliest first; empty for unknown data.

    data: bytes-like; only the first MiB is examined. A few bytes are ambiguous; see `probability`.
        Does not raise for any content.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string name }").Point
    >>> import gzip
    >>> [str(guess) for guess in tl.detect(gzip.compress(Point.encode({"x": 3, "name": "home"})))]
    ['gzip: Binary, one struct']
    """
    if isinstance(data, str):
        raise TypeError("data must be bytes, not str; to read a file: open(path, 'rb').read()")
    view = memoryview(data).cast("B")
    front, is_all = view[:_FRONT], len(view) <= _FRONT
    guesses = list(_guesses((), front, 0.0, is_all, depth))
    if all(guess.shape == "foreign" and guess.bits < _CERTAIN_BITS for guess in guesses):
        guesses += _damaged(front, is_all, depth)
    return _with_probabilities(guesses)


def likely_guess(front: memoryview, depth: int) -> Optional[Guess]:
    """The interpretation of the first bytes of an input as uncompressed Thrift; None if it is not
    nearly certain."""
    is_all = len(front) < _HINT_FRONT
    guesses = _with_probabilities(list(_guesses((), front, 0.0, is_all, depth)))
    if not is_thrift(guesses) or guesses[0].layers:
        return None
    best = guesses[0]
    return best if best.bits >= _CERTAIN_BITS and best.probability >= 0.99 else None


def _with_probabilities(guesses: list[Guess]) -> list[Guess]:
    """The guesses, the likeliest first."""
    best_bits = max((guess.bits for guess in guesses), default=0.0)
    weights = [math.pow(2.0, guess.bits - best_bits) for guess in guesses]
    total = sum(weights) + math.pow(2.0, _UNKNOWN_BITS - best_bits)
    ordered = sorted(zip(weights, guesses), key=lambda pair: -pair[0])
    return [
        guess if guess.shape == "foreign" else guess._replace(probability=weight / total)
        for weight, guess in ordered
    ]


def _damaged(front: memoryview, is_all: bool, depth: int) -> list[Guess]:
    """Guesses of truncated data, or else of frames of which some are invalid."""
    guesses = []
    for guess in _guesses((), front, -_CUT_BITS, False, depth):
        bits = guess.bits - (_CUT_BITS if guess.protocol == "compact" else 0)
        if bits > 0 and guess.shape != "foreign":
            guesses.append(guess._replace(bits=bits, words=f"{guess.words}, truncated or invalid"))
    return guesses or list(_frames_with_faults(front, is_all, depth))


def is_thrift(guesses: list[Guess]) -> bool:
    """Whether the likeliest guess is Thrift."""
    return bool(guesses) and guesses[0].shape != "foreign"


def guess_line(guesses: list[Guess]) -> str:
    """The best guess with its probability, and the runner-up."""
    if not is_thrift(guesses):
        return f"guess: {guesses[0]}, which is not Thrift" if guesses else "guess: unknown format"
    line = f"guess: {guesses[0]} ({percent(guesses[0].probability)})"
    return (
        f"{line}, else {guesses[1]} ({percent(guesses[1].probability)})"
        if len(guesses) > 1 and guesses[1].probability >= 0.005
        else line
    )


def percent(share: float) -> str:
    return f"{min(math.floor(share * 100 + 0.5), 99 if share < 0.9995 else 100)} %"


def _guesses(
    layers: tuple[str, ...], data: memoryview, bits: float, is_all: bool, depth: int
) -> Iterator[Guess]:
    is_json = False
    for guess in _thrift_guesses(layers, data, is_all, depth):
        is_json = is_json or guess.protocol == "tjson"
        yield guess._replace(bits=bits + guess.bits)
    for name, own_bits in formats(data, is_all):
        if own_bits > _UNKNOWN_BITS and not (name == "JSON" and is_json):
            yield Guess(layers, "foreign", "none", "none", 0, 0, bits + own_bits, 0.0, name)
    if len(layers) < _LAYERS:
        for name, inner, weight, is_complete in inner_layers(data, is_all):
            yield from _guesses(
                (*layers, name), memoryview(inner), bits + weight, is_complete, depth
            )
    yield from _packed_records(layers, data, bits, is_all, depth)


def _thrift_guesses(
    layers: tuple[str, ...], data: memoryview, is_all: bool, depth: int
) -> Iterator[Guess]:
    """Guesses of the bytes themselves. Texts may begin with a byte order mark, Thrift values do
    not."""
    content = _without_bom(data)
    for row in _core.detect(content, all=int(is_all), depth=depth):
        guess = Guess(layers, *row[:6], 0.0, row.text)
        if guess.protocol == "tjson":
            yield from _json_guess(guess, data, is_all, depth)
        elif len(content) == len(data):
            yield guess


def _without_bom(data: memoryview) -> memoryview:
    size = len(codecs.BOM_UTF8)
    return data[size:] if bytes(data[:size]) == codecs.BOM_UTF8 else data


def _json_guess(guess: Guess, data: memoryview, is_all: bool, depth: int) -> Iterator[Guess]:
    """The guess of Apache's JSON protocol for one value, lines or concatenated values; none if it
    is wrong."""
    shape = guess.shape
    many = guess._replace(shape=f"{shape}s", prefix_size=0)
    lines = _tjson_lines(data, shape, is_all, depth)
    if lines > 1:
        text = f"Apache's JSON protocol, {shape}s in lines"
        yield many._replace(framing="lines", value_count=lines, words=text)
    elif lines == 1 or _is_tjson(data, shape, depth) or not is_all:
        yield guess
    elif (count := len(json_values(data))) > 1:
        text = f"Apache's JSON protocol, {shape}s back to back"
        yield many._replace(framing="none", value_count=count, words=text)


def _frames_with_faults(data: memoryview, is_all: bool, depth: int) -> Iterator[Guess]:
    """Guesses of framed structs of which some are invalid."""
    for framing in SIZED_FRAMINGS:
        sound = _sound_frames(data, framing, is_all, depth)
        for row in _core.detect(sound, all=1, depth=depth):
            guess = Guess((), *row[:6], 0.0, f"{row.text}, some invalid")
            if (guess.shape, guess.framing) == ("structs", framing) and guess.bits > _CUT_BITS:
                yield guess._replace(bits=guess.bits - _CUT_BITS)


def _sound_frames(data: memoryview, framing: str, is_all: bool, depth: int) -> bytes:
    """The frames that contain a struct; b"" unless they are several and most of the first ones."""
    count, sound = 0, []
    for cut in itertools.islice(cuts_of(data, framing, is_all), _MAX_LINES):
        if cut.is_lost:
            break
        count += 1
        content = content_of(bytes(cut.framed()), framing)
        if any(map(_is_one_struct, _core.detect(content, all=1, depth=depth))):
            sound.append(bytes(cut.framed()))
    return b"".join(sound) if len(sound) >= 2 and 2 * len(sound) > count else b""


def _is_one_struct(row: _core.GuessRow) -> bool:
    return (row.shape, row.framing, row.prefix_size) == ("struct", "none", 0)


def _packed_records(
    layers: tuple[str, ...], data: memoryview, bits: float, is_all: bool, depth: int
) -> Iterator[Guess]:
    """Guesses of individually compressed values, as in logs and topics."""
    for framing in (*TEXT_FRAMINGS, *SIZED_FRAMINGS):
        content = _packed_content(data, framing, is_all)
        if not content:
            continue
        for row in _core.detect(content, all=int(len(content) < _FRONT), depth=depth):
            if not _is_one_struct(row) or row.protocol == "tjson":
                continue
            is_text = framing in TEXT_FRAMINGS
            location = f"lines of {framing}" if is_text else f"frames ({framing})"
            words = f"{row.text.partition(',')[0]}, compressed structs in {location}"
            bits += row.bits + PACKED_BITS
            yield Guess(layers, "structs", row.protocol, framing, 0, 1, bits, 0.0, words)
            return


def _packed_content(data: memoryview, framing: str, is_all: bool) -> bytes:
    """The decompressed front of the first record; b"" if it is not compressed."""
    cut = next(cuts_of(data, framing, is_all), None)
    if cut is None or cut.is_lost:
        return b""
    return decompressed_front(content_of(bytes(cut.framed()), framing), _FRONT) or b""


def json_values(data: Data) -> list[bytes]:
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
            message = _core.text_message(data)
            data = data[message.begin : message.end]
        _core.convert(data, source="tjson", target="binary", depth=depth)
    except Error:
        return False
    return True
