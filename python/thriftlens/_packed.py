"""Compressed input: gzip, bzip2, xz and zstd, noticed by their first bytes, read as a stream."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from typing import IO, Any, Callable

from ._errors import DecodeError

COMPRESSIONS = ("auto", "none", "gzip", "bzip2", "xz", "zstd")
_LONGEST = 10
_PIECE = 1 << 16
_FAULTS = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile)


def compression_of(front: bytes) -> str:
    """What the first bytes of a stream say: "gzip", "bzip2", "xz", "zstd" or "none"."""
    if front[:3] == b"\x1f\x8b\x08":
        return "gzip"
    if front[:3] == b"BZh" and front[4:10] == b"1AY&SY":
        return "bzip2"
    if front[:6] == b"\xfd7zXZ\x00":
        return "xz"
    return "zstd" if front[:4] == b"\x28\xb5\x2f\xfd" else "none"


class Unpacked:
    """The bytes of a stream, decompressed. Errors of the compressed data are DecodeErrors of code "bad_frame", those of a cut file of "truncated"."""

    def __init__(self, stream: Any, compression: str = "auto"):
        self._front = b""
        self._raw = stream
        self._compression = compression
        self._stream: Any = None  # opened by the first read

    def _open(self) -> None:
        front = b""
        if self._compression == "auto":
            while len(front) < _LONGEST and (piece := self._raw.read(_LONGEST - len(front))):
                front += piece
            self._compression = compression_of(front)
        if self._compression == "none":
            self._stream, self._front = self._raw, front
        else:
            self._stream = _READERS[self._compression](_Front(front, self._raw))

    def read(self, size: int) -> bytes:
        """Up to `size` bytes, at least one where there is one."""
        if self._stream is None:
            self._open()
        if self._front:
            front, self._front = self._front[:size], self._front[size:]
            return front
        if self._compression == "none":
            return bytes(self._stream.read(size) or b"")
        try:
            return bytes(self._stream.read(size))
        except _FAULTS as error:
            code = "truncated" if isinstance(error, EOFError) else "bad_frame"
            raise DecodeError(f"the {self._compression} data is broken: {error}", code=code) from error
        except OSError as error:  # bz2 has no class of its own
            if error.errno is not None:
                raise
            raise DecodeError(f"the {self._compression} data is broken: {error}", code="bad_frame") from error


class _Front(io.RawIOBase):
    """A stream with the bytes in front of it that were read already."""

    def __init__(self, front: bytes, stream: IO[bytes]):
        self._front = front
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, to: Any) -> int:
        piece, self._front = self._front[: len(to)], self._front[len(to) :]
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
        import zstandard
    except ImportError:
        raise DecodeError("the data is compressed by zstd: pip install 'thriftlens[zstd]'", code="bad_frame") from None
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


_READERS: dict[str, Callable[[Any], Any]] = {
    "gzip": lambda stream: gzip.GzipFile(fileobj=stream, mode="rb"),
    "bzip2": lambda stream: bz2.BZ2File(io.BufferedReader(stream)),
    "xz": lambda stream: lzma.LZMAFile(io.BufferedReader(stream)),
    "zstd": _zstd,
    "zlib": lambda stream: _Zlib(stream),  # never by its first bytes: they say too little
}
