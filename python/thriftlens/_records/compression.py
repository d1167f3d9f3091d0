"""Compression and text encodings of Thrift bytes (gzip, bzip2, xz, zstd, zlib, base64, hex),
detected by their first bytes and decoded as streams."""

from __future__ import annotations

import binascii
import bz2
import gzip
import io
import lzma
import zlib
from typing import IO, Any, Callable, Optional

from .. import _core
from .._errors import DecodeError, Error
from .._optional import package

COMPRESSIONS = ("auto", "none", "gzip", "bzip2", "xz", "zstd", "zlib", "base64", "hex")
_LONGEST = 10
_FRONT = 1 << 12  # bytes to examine if the first _LONGEST are ambiguous
_LONG = 256  # other data is not valid zlib for so many bytes
_LAYERS = 3
_PIECE = 1 << 16
_FAULTS = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, binascii.Error)


def compression_of(front: bytes) -> str:
    """The compression of a stream by its first bytes: "gzip", "bzip2", "xz", "zstd" or "none"."""
    if front[:3] == b"\x1f\x8b\x08":
        return "gzip"
    if front[:3] == b"BZh" and front[4:10] == b"1AY&SY":
        return "bzip2"
    if front[:6] == b"\xfd7zXZ\x00":
        return "xz"
    return "zstd" if front[:4] == b"\x28\xb5\x2f\xfd" else "none"


_HEX = frozenset(b"0123456789abcdefABCDEF")
_BASE64 = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
_BLANKS = frozenset(b" \t\r\n")


def _may_be_more(front: bytes) -> bool:
    """Whether the first bytes are ambiguous."""
    return is_zlib(front) or (len(front) > 0 and _BASE64.issuperset(front.strip()))


def is_zlib(front: bytes) -> bool:
    """Whether the data may be zlib; its header has only two bytes."""
    return len(front) > 2 and front[0] == 0x78 and int.from_bytes(front[:2], "big") % 31 == 0


def layer_of(front: bytes, is_all: bool, texts: bool = True) -> str:
    """Like compression_of, or "zlib", "base64" or "hex" if they contain Thrift, compressed data, or
    text of this kind. Thrift data cannot be mistaken
    for text, which has no stop byte. texts: whether to detect base64 and hex."""
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


def layer_of_all(data: Any, texts: bool = True) -> str:
    """Like layer_of, for complete data."""
    return layer_of(bytes(data[:_FRONT]), len(data) <= _FRONT, texts)


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
    if _HEX.issuperset(text):
        return "hex" if len(text) % 2 == 0 or not is_all else "none"
    if not _BASE64.issuperset(text.rstrip(b"=")) or len({len(line) for line in lines[:-1]}) > 1:
        return "none"
    is_wrapped = all(len(line) % 4 == 0 and not line.endswith(b"=") for line in lines[:-1]) and len(
        lines[-1]
    ) <= len(lines[0])
    return "base64" if is_wrapped and (len(text) % 4 != 1 or not is_all) else "none"


def decoded_text(front: bytes, layer: str, is_all: bool) -> Optional[bytes]:
    """The decoded text, or its prefix; None if it is invalid."""
    reader = _READERS[layer](io.BytesIO(front))
    try:
        content: bytes = reader.read(len(front))
        while is_all and (piece := reader.read(len(front))):
            content += piece
    except _FAULTS:
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
        self, stream: Any, compression: str = "auto", texts: bool = True, layers: int = _LAYERS
    ):
        self._front = b""
        self._raw = stream
        self._compression = compression
        self._texts = texts
        self._layers = layers
        self._stream: Any = None  # opened by the first read
        self._fault: Optional[Error] = None  # raised after the front

    def _open(self) -> None:
        front = b""
        is_auto = self._compression == "auto"
        if is_auto and self._layers > 0:
            front = self._more(front, _LONGEST)
            is_all = len(front) < _LONGEST
            if _may_be_more(front):
                front = self._more(front, _FRONT)
                is_all = len(front) < _FRONT
            self._compression = layer_of(front, is_all, self._texts)
        if self._compression in ("none", "auto"):
            self._compression = "none"
            self._stream, self._front = self._raw, front
            return
        self._stream = _READERS[self._compression](_Front(front, self._raw, self._fault))
        if is_auto:  # layers may be nested
            self._stream = Unpacked(
                _Checked(self._stream, self._compression), "auto", self._texts, self._layers - 1
            )
            self._compression = "none"

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
        if self._stream is None:
            self._open()
        if self._front:
            front, self._front = self._front[:size], self._front[size:]
            return front
        if self._fault is not None and self._compression == "none":
            raise self._fault
        if self._compression == "none":
            return bytes(self._stream.read(size) or b"")
        return _Checked(self._stream, self._compression).read(size)

    def skip(self, size: int) -> int:
        """Skips up to `size` bytes, by seeking if possible. Returns their number."""
        if self._stream is None:
            self._open()
        front = min(size, len(self._front))
        self._front = self._front[front:]
        remaining = size - front
        if (
            remaining
            and self._compression == "none"
            and self._stream is self._raw
            and self._fault is None
        ):
            remaining -= skip_ahead(self._raw, remaining)
        while remaining > 0 and (piece := self.read(min(remaining, 1 << 20))):
            remaining -= len(piece)
        return size - remaining


def skip_ahead(stream: Any, size: int) -> int:
    """Seeks up to `size` bytes ahead, but not past the end. Returns their number; 0 if the stream
    cannot seek."""
    if hasattr(stream, "skip_ahead"):
        return int(stream.skip_ahead(size))
    try:
        if not stream.seekable():
            return 0
        position: int = stream.tell()
        target: int = min(position + size, stream.seek(0, io.SEEK_END))
        stream.seek(max(position, target))
        return max(target - position, 0)
    except (AttributeError, OSError, ValueError):
        return 0


class _Checked:
    """The content of a layer; invalid data raises a DecodeError that names the layer."""

    def __init__(self, stream: Any, layer: str):
        self._read = getattr(stream, "read1", stream.read)  # read() loses data before an error
        self._layer = layer

    def read(self, size: int) -> bytes:
        try:
            return bytes(self._read(size))
        except _FAULTS as error:
            code = "truncated" if isinstance(error, EOFError) else "bad_frame"
            raise DecodeError(f"invalid {self._layer} data: {error}", code=code) from error
        except OSError as error:  # bz2 raises no specific class
            if error.errno is not None:
                raise
            raise DecodeError(f"invalid {self._layer} data: {error}", code="bad_frame") from error


class _Front(io.RawIOBase):
    """A stream preceded by bytes that were already read. fault: raised after them."""

    def __init__(self, front: bytes, stream: IO[bytes], fault: Optional[Error]):
        self._front = front
        self._stream = stream
        self._fault = fault

    def readable(self) -> bool:
        return True

    def readinto(self, to: Any) -> int:
        piece, self._front = self._front[: len(to)], self._front[len(to) :]
        if not piece and self._fault is not None:
            raise self._fault
        piece = piece or self._stream.read(len(to)) or b""
        to[: len(piece)] = piece
        return len(piece)


def _zstd(stream: IO[bytes]) -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]  # Python 3.14

        return zstd.ZstdFile(stream)
    except ImportError:
        pass
    try:
        zstandard = package("zstandard", "data compressed by zstd needs", "'thriftlens[zstd]'")
    except ImportError as error:
        raise DecodeError(str(error), code="bad_frame") from None
    return _Zstandard(stream, zstandard)


class _Zstandard:
    """Reads zstd frames with the package zstandard, whose own reader does not detect truncated
    files."""

    _PIECE = 512  # bytes; four may decompress to 128 KiB, so a piece to at most 16 MiB

    def __init__(self, stream: IO[bytes], package: Any):
        self._stream = stream
        self._package = package
        self._packed = b""
        self._ready = b""
        self._frame: Any = None

    def read(self, size: int) -> bytes:
        while not self._ready:
            self._packed = self._packed or self._stream.read(self._PIECE)
            if not self._packed and self._frame is None:
                return b""
            if not self._packed:
                raise EOFError("it ends inside a frame")
            self._step()
        piece, self._ready = self._ready[:size], self._ready[size:]
        return piece

    def _step(self) -> None:
        if self._frame is None:
            self._frame = self._package.ZstdDecompressor().decompressobj()
        try:
            self._ready = self._frame.decompress(self._packed)
        except self._package.ZstdError as error:
            raise zlib.error(str(error)) from error
        self._packed = b""
        if self._frame.eof:
            self._packed, self._frame = self._frame.unused_data, None


class _Zlib:
    """A single zlib stream without trailing bytes."""

    def __init__(self, stream: IO[bytes]):
        self._stream = stream
        self._unpack = zlib.decompressobj()

    def read(self, size: int) -> bytes:
        while not self._unpack.eof:
            packed = self._unpack.unconsumed_tail or self._stream.read(_PIECE)
            if not packed:
                raise EOFError("it is truncated")
            if piece := self._unpack.decompress(packed, size):
                return piece
        if self._unpack.unused_data or self._stream.read(1):
            raise zlib.error("bytes follow its end")
        return b""


class _Text:
    """Decodes base64 or hex with any line breaks."""

    def __init__(self, stream: IO[bytes], digits: int, decode: Callable[[bytes], bytes]):
        self._stream = stream
        self._digits = digits  # per group that encodes complete bytes
        self._decode = decode
        self._rest = b""
        self._ready = b""
        self._is_last = False

    def read(self, size: int) -> bytes:
        while not self._ready and not self._is_last:
            piece = self._stream.read(_PIECE)
            self._is_last = not piece
            text = self._rest + b"".join(piece.split())
            end = len(text) if self._is_last else len(text) - len(text) % self._digits
            good = _good_letters(text[:end], self._digits)
            self._ready, self._rest = self._decode(text[: good or end]), text[good or end :]
        piece, self._ready = self._ready[:size], self._ready[size:]
        return piece


def _good_letters(text: bytes, digits: int) -> int:
    """The number of characters before the first invalid one that encode complete bytes; 0 if all
    are valid."""
    letters = _HEX if digits == 2 else _BASE64
    if letters.issuperset(text.rstrip(b"=")):
        return 0
    invalid = next(index for index, letter in enumerate(text) if letter not in letters)
    return invalid - invalid % digits


def _from_base64(text: bytes) -> bytes:
    """Padding is optional; either alphabet."""
    text = text.rstrip(b"=")
    if not _BASE64.issuperset(text):
        raise binascii.Error("invalid base64 character")
    return binascii.a2b_base64(text.translate(_URL) + b"=" * (-len(text) % 4))


_URL = bytes.maketrans(b"-_", b"+/")

_READERS: dict[str, Callable[[Any], Any]] = {
    "gzip": lambda stream: gzip.GzipFile(fileobj=stream, mode="rb"),
    "bzip2": lambda stream: bz2.BZ2File(io.BufferedReader(stream)),
    "xz": lambda stream: lzma.LZMAFile(io.BufferedReader(stream)),
    "zstd": _zstd,
    "zlib": lambda stream: _Zlib(stream),
    "base64": lambda stream: _Text(stream, 4, _from_base64),
    "hex": lambda stream: _Text(stream, 2, binascii.a2b_hex),
}
