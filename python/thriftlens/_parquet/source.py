"""The source of a Parquet file: its bytes, and the location of its footer."""

from __future__ import annotations

import functools
import io
import os
from pathlib import Path
from typing import IO, Optional, Union, cast

from .. import _core
from .._errors import DecodeError, Error
from .._schema.loading import load
from .._schema.schemas import Schema
from .._typing import ErrorCode

MAGIC = b"PAR1"
_ENCRYPTED = b"PARE"
_TAIL = 8  # the footer's size, and the magic
_SIGNATURE = 28  # bytes after a plaintext footer that is signed: nonce and tag

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, IO[bytes]]


@functools.lru_cache(maxsize=None)
def parquet_idl() -> Schema:
    """The Thrift structs in Parquet files."""
    return load(Path(__file__).parent.parent / "parquet.thrift")


class SourceFile:
    """The file: a path, opened by every use or once for a `with` block (of one thread), a file
    object, or bytes."""

    def __init__(self, source: Source):
        self.path: Optional[str] = (
            os.fspath(source) if isinstance(source, (str, os.PathLike)) else None
        )
        self._stream = cast(IO[bytes], source) if hasattr(source, "read") else None
        if hasattr(source, "encoding"):
            raise TypeError("expected a binary file; open it with mode 'rb'")
        self._data = None
        if self.path is None and self._stream is None:
            self._data = memoryview(cast(bytes, source)).cast("B")
        self._open_stream: Optional[io.FileIO] = None
        self.size = 0
        self.identity: Optional[tuple[int, int]] = None
        """Device and number of the file at the path, when it was last opened."""

    def __enter__(self) -> SourceFile:
        if self.path is not None:
            self._open_stream = open(self.path, "rb", buffering=0)
            self.identity = identity_of(self._open_stream)
        self.size = self._size()
        return self

    def __exit__(self, *_: object) -> None:
        if self._open_stream is not None:
            self._open_stream.close()
            self._open_stream = None

    def _size(self) -> int:
        if self._open_stream is not None:
            return os.fstat(self._open_stream.fileno()).st_size
        if self._data is not None:
            return len(self._data)
        return self._stream.seek(0, os.SEEK_END) if self._stream is not None else 0

    def at(self, offset: int, size: int) -> bytes:
        """`size` bytes at `offset`; fewer at the end of the file."""
        if self._data is not None:
            return bytes(self._data[offset : offset + size])
        if self._stream is not None:
            self._stream.seek(offset)
            return bytes(self._stream.read(size))
        if self._open_stream is not None:
            return read_at(self._open_stream, offset, size)
        assert self.path is not None
        with open(self.path, "rb", buffering=0) as stream:
            return read_at(stream, offset, size)


def identity_of(stream: Union[io.FileIO, IO[bytes]]) -> tuple[int, int]:
    """Device and number of an open file."""
    status = os.fstat(stream.fileno())
    return status.st_dev, status.st_ino


def read_at(stream: Union[io.FileIO, IO[bytes]], offset: int, size: int) -> bytes:
    """`size` bytes of an unbuffered file; fewer at its end."""
    stream.seek(offset)
    data = stream.read(size) or b""
    while len(data) < size:
        chunk = stream.read(size - len(data))
        if not chunk:
            break
        data += chunk
    return data


def footer_of(data: SourceFile) -> tuple[bytes, bytes, int]:
    """The bytes of the footer, the signature after them, and the offset of the footer."""
    length = _footer_length(data)
    offset = data.size - _TAIL - length
    footer = data.at(offset, length)
    cut = _core.cut_records(footer, protocol="compact", count=1, offset=offset)
    if cut.error is not None:
        text = f"invalid footer: {cut.error.detail}"
        raise _footer_error(text, cut.error.code, cut.error.offset or offset)
    metadata, signature = footer[: cut.next], footer[cut.next :]
    if signature and not (len(signature) == _SIGNATURE and _is_signed(metadata)):
        text = "bytes follow the metadata in the footer"
        raise _footer_error(text, "trailing_bytes", offset + cut.next)
    return metadata, signature, offset


def _footer_length(data: SourceFile) -> int:
    """The length of the footer, from the last bytes of the file."""
    size = data.size
    if size < len(MAGIC) + _TAIL:
        raise DecodeError(f"not a Parquet file: {size} bytes", code="truncated", offset=size)
    tail = data.at(size - _TAIL, _TAIL)
    if len(tail) < _TAIL:
        raise DecodeError("the file was truncated while it was read", code="truncated", offset=size)
    length, magic = int.from_bytes(tail[:4], "little"), tail[4:]
    if magic == _ENCRYPTED:
        raise _footer_error("the footer is encrypted: the file ends in PARE", "bad_frame", size - 4)
    if magic != MAGIC:
        text = f"not a Parquet file, or truncated: expected {MAGIC!r} at the end, found {magic!r}"
        raise _footer_error(text, "bad_frame", size - 4)
    if length == 0 or size - _TAIL - length < len(MAGIC):
        text = f"the footer has {length} bytes, but the file has {size}"
        raise _footer_error(text, "truncated", size - _TAIL)
    return length


def _is_signed(metadata: bytes) -> bool:
    path = "$.encryption_algorithm"
    return parquet_idl().FileMetaData.get(metadata, path, protocol="compact") is not None


def _footer_error(text: str, code: ErrorCode, offset: int) -> DecodeError:
    return DecodeError(f"{text} (byte {offset})", code=code, offset=offset)


def located(error: Error, base: int) -> Error:
    """An error in the footer at byte `base` of the file: its offset counts in the file, the text
    names the footer."""
    error.option = None
    if error.offset is not None:
        error.context = (f"footer from byte {base}", *error.context)
        error.offset += base
    return error
