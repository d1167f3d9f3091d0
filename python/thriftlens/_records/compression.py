"""Compression and text encodings of Thrift bytes (gzip, bzip2, xz, zstd, zlib, base64, hex),
detected by their first bytes and decoded as streams."""

from __future__ import annotations

import io
import zlib
from typing import IO, Optional, Union, cast

from .. import _core
from .._errors import Error
from .._typing import Buffer
from .decompressors import BASE64, FAULTS, HEX, ByteStream, Checked, decompressor

COMPRESSIONS = ("auto", "none", "gzip", "bzip2", "xz", "zstd", "zlib", "base64", "hex")
_LONGEST = 10
_FRONT = 1 << 12  # bytes to examine if the first _LONGEST are ambiguous
_LONG = 256  # other data is not valid zlib for so many bytes
_LAYERS = 3


def compression_of(front: bytes) -> str:
    """The compression of a stream by its first bytes: "gzip", "bzip2", "xz", "zstd" or "none"."""
    if front[:3] == b"\x1f\x8b\x08":
        return "gzip"
    if front[:3] == b"BZh" and front[4:10] == b"1AY&SY":
        return "bzip2"
    if front[:6] == b"\xfd7zXZ\x00":
        return "xz"
    return "zstd" if front[:4] == b"\x28\xb5\x2f\xfd" else "none"


def _may_be_more(front: bytes) -> bool:
    """Whether the first bytes are ambiguous."""
    return is_zlib(front) or (len(front) > 0 and BASE64.issuperset(front.strip()))


def is_zlib(front: bytes) -> bool:
    """Whether the data may be zlib; its header has only two bytes."""
    return len(front) > 2 and front[0] == 0x78 and int.from_bytes(front[:2], "big") % 31 == 0


def layer_of(front: bytes, is_all: bool, texts: bool = True) -> str:
    """Like compression_of, or "zlib", "base64" or "hex" if they contain Thrift, compressed data, or
    text of this kind. Thrift data is never taken for text, which has no stop byte.

    texts: whether to detect base64 and hex."""
    if (packed := compression_of(front)) != "none":
        return packed
    if is_zlib(front):
        content = _try_zlib(front, is_all)
        return "none" if content is None else "zlib"
    text = text_layer_of(front, is_all) if texts else "none"
    if text == "none":
        return "none"
    content = decoded_text(front, text, is_all)
    return text if content and is_plausible(content, is_all) else "none"


def layer_of_all(data: Buffer, texts: bool = True) -> str:
    """Like layer_of, for complete data."""
    with memoryview(data) as view:
        return layer_of(bytes(view[:_FRONT]), len(view) <= _FRONT, texts)


def is_plausible(front: bytes, is_all: bool) -> bool:
    """Whether these may be the first bytes encoded in a text."""
    return (
        compression_of(front) != "none"
        or (is_zlib(front) and _try_zlib(front, is_all) is not None)
        or bool(_core.detect(front, all=int(is_all)))
    )


def _try_zlib(front: bytes, is_all: bool) -> Optional[bytes]:
    unpack = zlib.decompressobj()
    try:
        content = unpack.decompress(front, _FRONT)
    except zlib.error:
        return None
    # A few bytes of Compact may look like zlib; data with a valid checksum, or a long valid prefix,
    # is zlib.
    is_sure = unpack.eof or len(content) == _FRONT or len(front) >= _LONG or not is_all
    return (content or None) if is_sure else None


def text_layer_of(front: bytes, is_all: bool) -> str:
    """ "hex": only hex digits and white space; "base64": its alphabet, in one line or in lines of
    equal length; else "none"."""
    lines = front.split()
    text = b"".join(lines)
    if len(text) < 4:
        return "none"
    if HEX.issuperset(text):
        return "hex" if len(text) % 2 == 0 or not is_all else "none"
    if not BASE64.issuperset(text.rstrip(b"=")) or len({len(line) for line in lines[:-1]}) > 1:
        return "none"
    has_complete_groups = len(text) % 4 != 1 or not is_all
    return "base64" if has_complete_groups and _is_wrapped(lines) else "none"


def _is_wrapped(lines: list[bytes]) -> bool:
    """Whether only the last line of base64 is shorter or padded."""
    return len(lines[-1]) <= len(lines[0]) and all(
        len(line) % 4 == 0 and not line.endswith(b"=") for line in lines[:-1]
    )


def decoded_text(front: bytes, layer: str, is_all: bool) -> Optional[bytes]:
    """The decoded text, or its prefix; None if it is invalid."""
    stream = decompressor(layer, io.BytesIO(front))
    try:
        content = stream.read(len(front)) or b""
        while is_all and (piece := stream.read(len(front))):
            content += piece
    except FAULTS:
        return None
    return content


def decompressed_record(data: bytes, bound: int) -> Optional[bytes]:
    """The content of a compressed record; None if it is not compressed or exceeds `bound` bytes."""
    content = decompressed_front(data, bound + 1)
    return None if content is None or len(content) > bound else content


def decompressed_front(data: bytes, size: int) -> Optional[bytes]:
    """The first bytes of the content of a compressed record; None if it is not compressed or is
    invalid before that."""
    compression = compression_of(data[:_LONGEST])
    if compression == "none" and is_zlib(data):
        compression = "zlib"
    if compression == "none":
        return None
    stream, content = Unpacked(io.BytesIO(data), compression), bytearray()
    try:
        while len(content) < size and (piece := stream.read(size - len(content))):
            content += piece
    except (Error, OSError):
        return None
    return bytes(content)


class Unpacked:
    """A stream of decompressed and decoded bytes. Invalid data raises DecodeErrors: "truncated" if
    it ends early, else "bad_frame".
    texts: whether to detect base64 and hex."""

    def __init__(
        self,
        stream: ByteStream,
        compression: str = "auto",
        texts: bool = True,
        layers: int = _LAYERS,
    ):
        self._front = b""
        self._raw = stream
        self._compression = compression
        self._texts = texts
        self._layers = layers
        self._stream: Optional[ByteStream] = None  # opened by the first read
        self._fault: Optional[Error] = None  # raised after the front

    def _opened(self) -> ByteStream:
        """The stream, opened by the first call."""
        if self._stream is None:
            self._stream = self._open()
        return self._stream

    def _open(self) -> ByteStream:
        front = b""
        is_auto = self._compression == "auto"
        if is_auto:
            front = self._detect()
        if self._compression == "none":
            self._front = front
            return self._raw
        stream = decompressor(self._compression, _Front(front, self._raw, self._fault))
        if is_auto:  # layers may be nested
            checked = Checked(stream, self._compression)
            self._compression = "none"
            return Unpacked(checked, "auto", self._texts, self._layers - 1)
        return stream

    def _detect(self) -> bytes:
        """Sets the compression. Returns the bytes that were read for it."""
        if self._layers == 0:
            self._compression = "none"
            return b""
        front, size = self._more(b"", _LONGEST), _LONGEST
        if _may_be_more(front):
            front, size = self._more(front, _FRONT), _FRONT
        self._compression = layer_of(front, len(front) < size, self._texts)
        return front

    def _more(self, front: bytes, size: int) -> bytes:
        try:
            while (
                self._fault is None
                and len(front) < size
                and (piece := self._raw.read(size - len(front)))
            ):
                front += piece
        except Error as error:
            self._fault = error
        return front

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; b"" at the end. An error is raised after all bytes before it were
        read."""
        stream = self._opened()
        if self._front:
            front, self._front = self._front[:size], self._front[size:]
            return front
        if self._compression != "none":
            return Checked(stream, self._compression).read(size)
        if self._fault is not None:
            raise self._fault
        return bytes(stream.read(size) or b"")

    def skip(self, size: int) -> int:
        """Skips up to `size` bytes, by seeking if possible. Returns their number."""
        is_raw = self._opened() is self._raw
        front = min(size, len(self._front))
        self._front = self._front[front:]
        remaining = size - front
        if remaining and is_raw and self._fault is None:
            remaining -= skip_ahead(self._raw, remaining)
        while remaining > 0 and (piece := self.read(min(remaining, 1 << 20))):
            remaining -= len(piece)
        return size - remaining


def skip_ahead(stream: Union[ByteStream, IO[bytes]], size: int) -> int:
    """Seeks up to `size` bytes ahead, but not past the end. Returns their number; 0 if the stream
    cannot seek."""
    if hasattr(stream, "skip_ahead"):
        return int(stream.skip_ahead(size))
    file = cast(IO[bytes], stream)
    try:
        if not file.seekable():
            return 0
        position = file.tell()
        target = min(position + size, file.seek(0, io.SEEK_END))
        file.seek(max(position, target))
        return max(target - position, 0)
    except (AttributeError, OSError, ValueError):
        return 0


class _Front(io.RawIOBase):
    """A stream preceded by bytes that were already read. fault: raised after them."""

    def __init__(self, front: bytes, stream: ByteStream, fault: Optional[Error]):
        self._front = front
        self._stream = stream
        self._fault = fault

    def readable(self) -> bool:
        return True

    def readinto(self, to: memoryview) -> int:  # type: ignore[override]
        piece, self._front = self._front[: len(to)], self._front[len(to) :]
        if not piece and self._fault is not None:
            raise self._fault
        piece = piece or self._stream.read(len(to)) or b""
        to[: len(piece)] = piece
        return len(piece)
