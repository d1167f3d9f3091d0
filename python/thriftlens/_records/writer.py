"""Writer: framed records to files and streams, compressed if requested."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Callable, ContextManager, Literal, NoReturn, Optional, Union, cast

from .._core import Encoder
from .._errors import UsageError
from .._optional import package
from .._rpc.message import Message
from .._schema.types import Type
from .._text import not_one_of
from .._typing import AnyProtocol, BinaryWriter, Value
from .decompressors import standard_zstd
from .files import replacing
from .framing import BY_NAME, framed

if TYPE_CHECKING:
    from typing_extensions import Self

Compression = Literal["auto", "none", "gzip", "bzip2", "xz", "zstd"]
_Stream = ContextManager[BinaryWriter]
_PENDING = 1 << 16  # bytes of records that are written at once


def _zstd(stream: BinaryWriter) -> _Stream:
    standard = standard_zstd()
    if standard is not None:
        return cast(_Stream, standard.ZstdFile(stream, "wb"))
    zstandard = package("zstandard", "data compressed by zstd needs", "'thriftlens[zstd]'")
    return cast(_Stream, zstandard.ZstdCompressor().stream_writer(stream, closefd=False))


_COMPRESSORS: dict[str, Callable[[BinaryWriter], _Stream]] = {
    "none": contextlib.nullcontext,
    "gzip": lambda to: cast(_Stream, gzip.GzipFile("", "wb", 6, cast(io.BytesIO, to), mtime=0)),
    "bzip2": lambda to: cast(_Stream, bz2.BZ2File(cast(io.BytesIO, to), "wb")),
    "xz": lambda to: cast(_Stream, lzma.LZMAFile(cast(io.BytesIO, to), "wb")),
    "zstd": _zstd,
}
_SUFFIXES = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"}


class Writer:
    """Writes records that scan() reads. Use it in a `with` statement.

    target: a path, or a file object opened for writing. A file is complete or unchanged: it
        replaces the target when the writer is closed, not after an exception in the `with`
        statement. A file object stays open, and receives all records written before an exception.
    type: the type that encodes values, or an Encoder with options. Without it, records are bytes or
        Messages.
    framing: as in scan(), without "list". None is a null record, if the framing has them.
    compression: "auto" follows the path: .gz, .bz2, .xz, .zst.

    count, offset: the number of records written, and of their bytes before compression.

    After an error of write() the output has no part of the record, and writing may continue.

    >>> import io
    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x }").Point
    >>> file = io.BytesIO()
    >>> with tl.Writer(file, Point, framing="u32", compression="gzip") as writer:
    ...     writer.write_all({"x": x} for x in range(3))
    >>> [point.x for point in tl.scan(file.getvalue(), Point, framing="u32")]
    [0, 1, 2]
    """

    def __init__(
        self,
        target: Union[str, os.PathLike[str], BinaryWriter],
        type: Union[Type, Encoder, None] = None,
        *,
        framing: str,
        protocol: AnyProtocol = "binary",
        compression: Compression = "auto",
    ):
        known = [*BY_NAME, "framed", "lines"]
        if framing not in known:
            raise ValueError(f"Writer(): framing {not_one_of(framing, known)}")
        if isinstance(type, Type) and (framing == "lines") != (protocol == "tjson"):
            raise ValueError('Writer(): framing="lines" and protocol="tjson" must be used together')
        self.count = self.offset = 0
        self._framing = framing
        self._encode = _encoding(type, protocol)
        self._pending = bytearray()
        path = os.fspath(target) if isinstance(target, (str, os.PathLike)) else ""
        compressed = _compressor(path, compression)
        with contextlib.ExitStack() as opened:
            stream: BinaryWriter = (
                opened.enter_context(replacing(path)) if path else cast(BinaryWriter, target)
            )
            self._stream = opened.enter_context(compressed(stream))
            opened.callback(self._write_pending)  # its errors discard a file too
            self._opened = opened.pop_all()
        self._is_closed = False

    def write(self, value: Value) -> None:
        """Writes one record."""
        if self._is_closed:
            raise ValueError("the Writer is closed")
        record = None if value is None else self._encode(value)
        data = framed(record, "u32" if self._framing == "framed" else self._framing)
        if len(self._pending) >= _PENDING:  # before the record is added: an error adds nothing
            self._write_pending()
        self._pending += data
        self.count += 1
        self.offset += len(data)

    def write_all(self, values: Iterable[Value]) -> None:
        """Writes the records of an iterable, in constant memory."""
        for value in values:
            self.write(value)

    def flush(self) -> None:
        """Passes all records on to the file object or the compression. After an OSError, the
        records that were not accepted are kept, and flush() tries again."""
        self._write_pending()
        flush = getattr(self._stream, "flush", None)
        if flush is not None:
            flush()

    def close(self) -> None:
        """Writes the rest; a file replaces the target."""
        self.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._opened.__exit__(kind, error, trace)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Writer cannot be pickled: open a file in each process")

    def __repr__(self) -> str:
        return f"<thriftlens.Writer: {self.count} records, {self.offset} bytes>"

    def _write_pending(self) -> None:
        while self._pending:
            size = self._stream.write(bytes(self._pending))
            if size is None and isinstance(self._stream, io.RawIOBase):
                raise BlockingIOError("the file object would block")
            del self._pending[: size if isinstance(size, int) else None]


def _compressor(path: str, compression: str) -> Callable[[BinaryWriter], _Stream]:
    if compression == "auto":
        compression = _SUFFIXES.get(os.path.splitext(path)[1], "none")
    if compression not in _COMPRESSORS:
        raise ValueError(f"Writer(): compression {not_one_of(compression, _COMPRESSORS)}")
    return _COMPRESSORS[compression]


def _encoding(type_: Union[Type, Encoder, None], protocol: AnyProtocol) -> Callable[[Value], bytes]:
    if type_ is None:
        return _bytes_of
    if isinstance(type_, Encoder):
        return type_.encode
    if protocol == "tjson":
        return lambda value: type_.encode(value, protocol=protocol)
    return type_.encoder(protocol=protocol).encode


def _bytes_of(record: Value) -> bytes:
    if isinstance(record, Message):
        return record.to_bytes()
    if isinstance(record, (bytes, bytearray, memoryview)):
        return bytes(record)
    name = type(record).__name__
    raise UsageError(f"Writer(): without a type, records must be bytes, not {name}")
