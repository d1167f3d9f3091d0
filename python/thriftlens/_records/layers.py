"""Layers of compression and encodings, seen through for detection."""

from __future__ import annotations

import io
from typing import Iterator, Optional

from .._errors import Error
from .._typing import Buffer
from .compression import Unpacked, compression_of, decoded_text, is_zlib, text_layer_of

FRONT = 1 << 20  # bytes examined
PACKED_BITS = 24.0  # a compressed stream that decompresses
_CUT_FRONT = 1 << 14
_TEXT_BITS = 8.0
_SINGLE_LINE_BITS = 1.0  # prefers the framing to the layer for one line with a struct


def inner_layers(data: memoryview, is_all: bool) -> Iterator[tuple[str, bytes, float, bool]]:
    """(layer, decoded bytes, bits of the layer itself, whether the bytes are complete)."""
    front = bytes(data[:10])
    compression = compression_of(front)
    if compression == "none" and is_zlib(front):
        compression = "zlib"
    if compression != "none":
        inner, is_complete = _unpacked(data, compression, is_all)
        if inner is not None:
            yield compression, inner, PACKED_BITS, is_complete
    else:
        yield from _inner_text(bytes(data), is_all)


def _inner_text(text: bytes, is_all: bool) -> Iterator[tuple[str, bytes, float, bool]]:
    layer = text_layer_of(text, is_all)
    content = None if layer == "none" else decoded_text(text, layer, is_all)
    if content:
        single_line = _SINGLE_LINE_BITS if len(text.split()) == 1 else 0.0
        yield layer, content, _TEXT_BITS - single_line, is_all


def _unpacked(data: memoryview, compression: str, is_all: bool) -> tuple[Optional[bytes], bool]:
    """The first decompressed bytes, and whether they are complete; None without any."""
    stream, front = Unpacked(MemoryStream(data), compression), bytearray()
    try:
        while len(front) < FRONT and (piece := stream.read(FRONT - len(front))):
            front += piece
        return bytes(front), is_all and len(front) < FRONT
    except (Error, OSError):
        return bytes(front) or _cut_front(data, compression), False


def _cut_front(data: memoryview, compression: str) -> Optional[bytes]:
    """The decompressed bytes before the error in a truncated or invalid stream."""
    stream, front = Unpacked(MemoryStream(data), compression), bytearray()
    try:
        while len(front) < _CUT_FRONT and (piece := stream.read(1)):
            front += piece
    except (Error, OSError):
        pass
    return bytes(front) or None


class MemoryStream(io.RawIOBase):
    """Bytes as a stream, without a copy."""

    def __init__(self, data: Buffer):
        self._rest = memoryview(data).cast("B")

    def readable(self) -> bool:
        return True

    def readinto(self, to: memoryview) -> int:  # type: ignore[override]
        piece, self._rest = self._rest[: len(to)], self._rest[len(to) :]
        to[: len(piece)] = piece
        return len(piece)
