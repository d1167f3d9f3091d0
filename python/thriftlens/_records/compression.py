"""What lies around Thrift bytes: gzip, bzip2, xz, zstd and zlib, base64 and hex, noticed by what stands in front, read as a stream."""

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
_FRONT = 1 << 12  # bytes that are looked at where the first ones do not say enough
_LONG = 256  # bytes that are no zlib do not go on so long as if they were
_LAYERS = 3
_PIECE = 1 << 16
_FAULTS = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, binascii.Error)


def compression_of(front: bytes) -> str:
    """What the first bytes of a stream say: "gzip", "bzip2", "xz", "zstd" or "none"."""
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
    """Whether more than the first bytes must be seen to know what they are."""
    return is_zlib(front) or (len(front) > 0 and _BASE64.issuperset(front.strip()))


def is_zlib(front: bytes) -> bool:
    """Whether a stream of zlib may begin so: two bytes say little."""
    return len(front) > 2 and front[0] == 0x78 and int.from_bytes(front[:2], "big") % 31 == 0


def layer_of(front: bytes, is_all: bool, texts: bool = True) -> str:
    """The same as compression_of, or "zlib", "base64" or "hex": these where what is below is Thrift or compressed, or such a text again. No bytes of
    Thrift begin as any of them do and go on so: text has no stop byte. texts: whether base64 and hex count."""
    if (packed := compression_of(front)) != "none":
        return packed
    if is_zlib(front):
        below = _try_zlib(front, is_all)
        return "none" if below is None else "zlib"
    text = text_layer_of(front, is_all) if texts else "none"
    if text == "none":
        return "none"
    below = decoded_text(front, text, is_all)
    return text if below and is_plausible(below, is_all) else "none"


def layer_of_all(data: Any, texts: bool = True) -> str:
    """The same of bytes that are all there."""
    return layer_of(bytes(data[:_FRONT]), len(data) <= _FRONT, texts)


def is_plausible(front: bytes, is_all: bool) -> bool:
    """Whether these may be the first bytes below a text."""
    return compression_of(front) != "none" or (is_zlib(front) and _try_zlib(front, is_all) is not None) or bool(_core.detect(front, all=int(is_all)))


def _try_zlib(front: bytes, is_all: bool) -> Optional[bytes]:
    unpack = zlib.decompressobj()
    try:
        below = unpack.decompress(front, _FRONT)
    except zlib.error:
        return None
    # A few bytes of Compact may go on as zlib does; what ends with its sum, or goes on for long, is zlib.
    is_sure = unpack.eof or len(below) == _FRONT or len(front) >= _LONG or not is_all
    return (below or None) if is_sure else None


def text_layer_of(front: bytes, is_all: bool) -> str:
    """"hex" for digits and blanks alone, "base64" for its letters in one line or in lines of one length, "none" for others."""
    lines = front.split()
    text = b"".join(lines)
    if len(text) < 4:
        return "none"
    if _HEX.issuperset(text):
        return "hex" if len(text) % 2 == 0 or not is_all else "none"
    if not _BASE64.issuperset(text.rstrip(b"=")) or len({len(line) for line in lines[:-1]}) > 1:
        return "none"
    is_wrapped = all(len(line) % 4 == 0 and not line.endswith(b"=") for line in lines[:-1]) and len(lines[-1]) <= len(lines[0])
    return "base64" if is_wrapped and (len(text) % 4 != 1 or not is_all) else "none"


def decoded_text(front: bytes, layer: str, is_all: bool) -> Optional[bytes]:
    """What the text stands for, or as much of it as its front says; None where it is none."""
    reader = _READERS[layer](io.BytesIO(front))
    try:
        below: bytes = reader.read(len(front))
        while is_all and (piece := reader.read(len(front))):
            below += piece
    except _FAULTS:
        return None
    return below


def below_record(data: bytes, bound: int) -> Optional[bytes]:
    """What a record holds that is compressed by itself; None where it is not, or holds more than `bound` bytes."""
    below = front_below_record(data, bound + 1)
    return None if below is None or len(below) > bound else below


def front_below_record(data: bytes, size: int) -> Optional[bytes]:
    """The first bytes of what a record holds that is compressed by itself; None where it is not, or a fault comes before that many."""
    packed = compression_of(data[:_LONGEST])
    if packed == "none" and is_zlib(data):
        packed = "zlib"
    if packed == "none":
        return None
    stream, below = Unpacked(io.BytesIO(data), packed), bytearray()
    try:
        while len(below) < size and (piece := stream.read(size - len(below))):
            below += piece
    except (Error, OSError):
        return None
    return bytes(below)


class Unpacked:
    """The bytes of a stream, decompressed, and of base64 and hex decoded. Errors of the packed data are DecodeErrors of code "bad_frame", those of a cut file of
    "truncated". texts: whether base64 and hex are looked for, which lines of text are not."""

    def __init__(self, stream: Any, compression: str = "auto", texts: bool = True, layers: int = _LAYERS):
        self._front = b""
        self._raw = stream
        self._compression = compression
        self._texts = texts
        self._layers = layers
        self._stream: Any = None  # opened by the first read
        self._fault: Optional[Error] = None  # behind the front

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
        if is_auto:  # more may lie below
            self._stream = Unpacked(_Checked(self._stream, self._compression), "auto", self._texts, self._layers - 1)
            self._compression = "none"

    def _more(self, front: bytes, size: int) -> bytes:
        try:
            while self._fault is None and len(front) < size and (piece := self._raw.read(size - len(front))):
                front += piece
        except Error as error:
            self._fault = error
        return front

    def read(self, size: int) -> bytes:
        """Up to `size` bytes, at least one where there is one: a fault is raised when all bytes before it were read."""
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
        """Passes over up to `size` bytes, by a seek if they are those of a file; how many there were."""
        if self._stream is None:
            self._open()
        front = min(size, len(self._front))
        self._front = self._front[front:]
        left = size - front
        if left and self._compression == "none" and self._stream is self._raw and self._fault is None:
            left -= seek_on(self._raw, left)
        while left > 0 and (piece := self.read(min(left, 1 << 20))):
            left -= len(piece)
        return size - left


def seek_on(stream: Any, size: int) -> int:
    """Seeks up to `size` bytes ahead, but not past the end; how many they are. 0 if the stream cannot seek."""
    if hasattr(stream, "seek_on"):
        return int(stream.seek_on(size))
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
    """What a layer holds; its faults are DecodeErrors that name it."""

    def __init__(self, stream: Any, layer: str):
        self._read = getattr(stream, "read1", stream.read)  # read() would drop what it has when a fault comes
        self._layer = layer

    def read(self, size: int) -> bytes:
        try:
            return bytes(self._read(size))
        except _FAULTS as error:
            code = "truncated" if isinstance(error, EOFError) else "bad_frame"
            raise DecodeError(f"the {self._layer} data is broken: {error}", code=code) from error
        except OSError as error:  # bz2 has no class of its own
            if error.errno is not None:
                raise
            raise DecodeError(f"the {self._layer} data is broken: {error}", code="bad_frame") from error


class _Front(io.RawIOBase):
    """A stream with the bytes in front of it that were read already; fault: what came behind them."""

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
    """zstd by the package zstandard, whose own reader takes a cut file for a whole one. Frames may follow each other."""

    _PIECE = 512  # a block of 128 KiB takes four bytes: so few make 16 MiB at most

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
                raise EOFError("it ends in the middle of a frame")
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
    """One zlib stream, with nothing behind it."""

    def __init__(self, stream: IO[bytes]):
        self._stream = stream
        self._unpack = zlib.decompressobj()

    def read(self, size: int) -> bytes:
        while not self._unpack.eof:
            packed = self._unpack.unconsumed_tail or self._stream.read(_PIECE)
            if not packed:
                raise EOFError("it ends in the middle")
            if piece := self._unpack.decompress(packed, size):
                return piece
        if self._unpack.unused_data or self._stream.read(1):
            raise zlib.error("bytes follow its end")
        return b""


class _Text:
    """What a text of base64 or hex stands for, wherever its lines break."""

    def __init__(self, stream: IO[bytes], digits: int, decode: Callable[[bytes], bytes]):
        self._stream = stream
        self._digits = digits  # that stand for whole bytes
        self._decode = decode
        self._left = b""
        self._ready = b""
        self._is_last = False

    def read(self, size: int) -> bytes:
        while not self._ready and not self._is_last:
            piece = self._stream.read(_PIECE)
            self._is_last = not piece
            text = self._left + b"".join(piece.split())
            end = len(text) if self._is_last else len(text) - len(text) % self._digits
            good = _good_letters(text[:end], self._digits)
            self._ready, self._left = self._decode(text[: good or end]), text[good or end :]
        piece, self._ready = self._ready[:size], self._ready[size:]
        return piece


def _good_letters(text: bytes, digits: int) -> int:
    """How many letters stand for whole bytes before the first that is wrong; 0 where none is, or it comes at once."""
    letters = _HEX if digits == 2 else _BASE64
    if letters.issuperset(text.rstrip(b"=")):
        return 0
    wrong = next(at for at, letter in enumerate(text) if letter not in letters)
    return wrong - wrong % digits


def _from_base64(text: bytes) -> bytes:
    """Padded or not, of either alphabet."""
    text = text.rstrip(b"=")
    if not _BASE64.issuperset(text):
        raise binascii.Error("a letter that is none of base64")
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
