"""Streams that decompress, or decode text: gzip, bzip2, xz, zstd, zlib, base64, hex."""

from __future__ import annotations

import binascii
import bz2
import gzip
import io
import lzma
import zlib
from types import ModuleType
from typing import IO, Callable, Optional, Protocol, Union, cast

from .._errors import DecodeError
from .._optional import package
from .._typing import ErrorCode

HEX = frozenset(b"0123456789abcdefABCDEF")
BASE64 = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
FAULTS = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, binascii.Error)
"""Exceptions of invalid data; bzip2 raises OSError without errno."""
_PIECE = 1 << 16


class ByteStream(Protocol):
    """The part of a binary file that the streams use."""

    def read(self, size: int, /) -> Optional[bytes]: ...


def decompressor(compression: str, stream: Union[io.RawIOBase, io.BytesIO]) -> ByteStream:
    """The content of a compressed or encoded stream. Invalid data raises one of FAULTS."""
    return _DECOMPRESSORS[compression](cast(IO[bytes], stream))


class Checked:
    """The content of a layer; invalid data raises a DecodeError that names the layer."""

    def __init__(self, stream: ByteStream, layer: str):
        # read() loses data before an error
        self._read: Callable[[int], Optional[bytes]] = getattr(stream, "read1", stream.read)
        self._layer = layer

    def read(self, size: int) -> bytes:
        try:
            return bytes(self._read(size) or b"")
        except FAULTS as error:
            code: ErrorCode = "truncated" if isinstance(error, EOFError) else "bad_frame"
            raise DecodeError(f"invalid {self._layer} data: {error}", code=code) from error
        except OSError as error:  # bz2 raises no specific class
            if error.errno is not None:
                raise
            raise DecodeError(f"invalid {self._layer} data: {error}", code="bad_frame") from error


def standard_zstd() -> Optional[ModuleType]:
    """The module of Python 3.14."""
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    return cast(ModuleType, zstd)


def _zstd(stream: IO[bytes]) -> ByteStream:
    standard = standard_zstd()
    if standard is not None:
        return cast(ByteStream, standard.ZstdFile(stream))
    try:
        zstandard = package("zstandard", "data compressed by zstd needs", "'thriftlens[zstd]'")
    except ImportError as error:
        raise DecodeError(str(error), code="bad_frame") from None
    return _Zstandard(stream, zstandard)


class _ZstdFrame(Protocol):
    eof: bool
    unused_data: bytes

    def decompress(self, data: bytes, /) -> bytes: ...


class _Zstandard:
    """Reads zstd frames with the package zstandard, whose own reader does not detect truncated
    files."""

    _PIECE = 512  # bytes; four may decompress to 128 KiB, so a piece to at most 16 MiB

    def __init__(self, stream: IO[bytes], package: ModuleType):
        self._stream = stream
        self._package = package
        self._packed = b""
        self._ready = b""
        self._frame: Optional[_ZstdFrame] = None

    def read(self, size: int) -> bytes:
        while not self._ready:
            self._packed = self._packed or self._stream.read(self._PIECE)
            if not self._packed and self._frame is None:
                return b""
            if not self._packed:
                raise EOFError("truncated")
            self._step()
        piece, self._ready = self._ready[:size], self._ready[size:]
        return piece

    def _step(self) -> None:
        frame = self._frame = self._frame or self._package.ZstdDecompressor().decompressobj()
        try:
            self._ready = frame.decompress(self._packed)
        except self._package.ZstdError as error:
            raise zlib.error(str(error)) from error
        self._packed = b""
        if frame.eof:
            self._packed, self._frame = frame.unused_data, None


class _Zlib:
    """A single zlib stream without trailing bytes."""

    def __init__(self, stream: IO[bytes]):
        self._stream = stream
        self._unpack = zlib.decompressobj()

    def read(self, size: int) -> bytes:
        while not self._unpack.eof:
            packed = self._unpack.unconsumed_tail or self._stream.read(_PIECE)
            if not packed:
                raise EOFError("truncated")
            if piece := self._unpack.decompress(packed, size):
                return piece
        if self._unpack.unused_data or self._stream.read(1):
            raise zlib.error("bytes follow the end")
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
            self._decode_piece()
        piece, self._ready = self._ready[:size], self._ready[size:]
        return piece

    def _decode_piece(self) -> None:
        piece = self._stream.read(_PIECE)
        self._is_last = not piece
        text = self._rest + b"".join(piece.split())
        end = len(text) if self._is_last else len(text) - len(text) % self._digits
        end = _good_letters(text[:end], self._digits) or end
        self._ready, self._rest = self._decode(text[:end]), text[end:]


def _good_letters(text: bytes, digits: int) -> int:
    """The number of characters before the first invalid one that encode complete bytes; 0 if all
    are valid."""
    letters = HEX if digits == 2 else BASE64
    if letters.issuperset(text.rstrip(b"=")):
        return 0
    invalid = next(index for index, letter in enumerate(text) if letter not in letters)
    return invalid - invalid % digits


def _from_base64(text: bytes) -> bytes:
    """Padding is optional; either alphabet."""
    text = text.rstrip(b"=")
    if not BASE64.issuperset(text):
        raise binascii.Error("invalid base64 character")
    return binascii.a2b_base64(text.translate(_URL) + b"=" * (-len(text) % 4))


_URL = bytes.maketrans(b"-_", b"+/")

_DECOMPRESSORS: dict[str, Callable[[IO[bytes]], ByteStream]] = {
    "gzip": lambda stream: gzip.GzipFile(fileobj=stream, mode="rb"),
    "bzip2": lambda stream: bz2.BZ2File(io.BufferedReader(cast(io.RawIOBase, stream))),
    "xz": lambda stream: lzma.LZMAFile(io.BufferedReader(cast(io.RawIOBase, stream))),
    "zstd": _zstd,
    "zlib": lambda stream: _Zlib(stream),
    "base64": lambda stream: _Text(stream, 4, _from_base64),
    "hex": lambda stream: _Text(stream, 2, binascii.a2b_hex),
}
