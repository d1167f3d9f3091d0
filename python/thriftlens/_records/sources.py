"""Sources of a scan (paths, patterns, bytes, file objects, iterables of these), and the windows of
bytes that a scan reads."""

from __future__ import annotations

import collections.abc
import glob
import io
import itertools
import os
from typing import IO, Iterable, Iterator, NamedTuple, Optional, Sequence, Union, cast

from .._errors import Error, file_error
from .._typing import Data
from .compression import Unpacked, layer_of_all
from .decompressors import ByteStream

PIECE = 1 << 20  # bytes read from a stream at a time
FRONT = 1 << 16  # first bytes that are kept for error texts


def past_end(start: int, size: int) -> Error:
    return Error(
        f"start {start} is past the end of the input (byte {size})", code="bad_option", offset=size
    )


class Window:
    """The part of an input in memory: the complete input, or a piece of a stream.

    waits: whether reading the stream may wait for its writer."""

    def __init__(self, data: Data, stream: Optional[Unpacked] = None, waits: bool = True):
        self.data = data
        self.is_last = stream is None
        self.fault: Optional[Error] = None
        """A read error, raised after the data before it."""
        self._stream = stream
        self._waits = waits
        self._start = 0
        self._front = b""  # of a stream

    def at(self, offset: int) -> int:
        """The position of byte `offset` of the input in the data. Skips the bytes before it in a
        stream, by seeking in a file."""
        if self._stream is None:
            missing, position = offset - len(self.data), offset
        else:
            missing, position = offset - self._stream.skip(offset), 0
        if missing > 0:
            raise past_end(offset, offset - missing)
        self._start = position
        return position

    @property
    def front(self) -> memoryview:
        """The first bytes of the scan, up to FRONT; of a stream whose reads may wait, those that
        were read. Only for a scan that ends: it may skip bytes."""
        if self._stream is None:
            return memoryview(self.data)[self._start : self._start + FRONT]
        while not (self._waits or self.is_last or self.fault or len(self._front) >= FRONT):
            self._set([b"", self._piece(0, False)])
        return memoryview(self._front)

    def grow(self, start: int, needed: int) -> None:
        """Drops the data before `start` and reads at least one more piece, until `needed` bytes are
        in memory. Raises a read error after all bytes before it were returned."""
        pieces = [bytes(memoryview(self.data)[start:])]
        size = len(pieces[0])
        while (len(pieces) == 1 or size < needed) and (
            piece := self._piece(needed - size, len(pieces) == 1)
        ):
            pieces.append(piece)
            size += len(piece)
        self._set(pieces)

    def grow_to(self, end: bytes, start: int, max_size: int) -> None:
        """Like grow, until the data contains `end` or exceeds `max_size` bytes. Linear in the
        bytes."""
        pieces = [bytes(memoryview(self.data)[start:])]
        size = len(pieces[0])
        while size <= max_size and (piece := self._piece(0, len(pieces) == 1)):
            pieces.append(piece)
            size += len(piece)
            if end in piece:
                break
        self._set(pieces)

    def _set(self, pieces: list[bytes]) -> None:
        """Sets the data; the first piece is the rest of those before."""
        self.data = b"".join(pieces)
        for piece in pieces[1:]:
            self._front += piece[: FRONT - len(self._front)]

    def _piece(self, size: int, is_first: bool) -> bytes:
        """The next bytes of the stream; empty at the end, and after other bytes if a read error
        follows."""
        assert self._stream is not None
        if self.fault is not None:
            if is_first:
                raise self.fault
            return b""
        try:
            piece = self._stream.read(max(PIECE, size))
        except Error as error:
            self.fault = error
            return b""
        self.is_last = not piece
        return piece


Path = Union[str, "os.PathLike[str]"]
Source = Union[
    Path, bytes, bytearray, memoryview, IO[bytes], ByteStream, Iterable[bytes], Iterable[Path]
]
Inputs = Iterator[tuple[Optional[str], Window]]
"""The inputs of a source with their paths; None for inputs that are not files."""


def _files_of(source: Path) -> list[str]:
    """The path itself, or, if it is a pattern and not a file, the matching files, sorted."""
    path = os.fspath(source)
    if not glob.has_magic(path) or os.path.exists(path):
        return [path]
    matches = sorted(glob.glob(path, recursive=True))
    if not matches:
        raise file_error(path, f"no file matches the pattern {path!r}")
    return matches


class Layers(NamedTuple):
    """The compression of a source. texts: whether to detect base64 and hex."""

    compression: str
    texts: bool

    def open(self, stream: Union[ByteStream, IO[bytes]]) -> Unpacked:
        return Unpacked(stream, self.compression, self.texts)

    def is_none(self, data: memoryview) -> bool:
        return self.compression == "none" or (
            self.compression == "auto" and layer_of_all(data, self.texts) == "none"
        )


def _opened(path: str) -> IO[bytes]:
    """FileError if it cannot be read."""
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise file_error(path, f"cannot read {path!r}: there is no such file") from None
    except IsADirectoryError:
        raise file_error(path, f"cannot read {path!r}: it is a folder") from None


def _open_files(paths: Sequence[str], packed: Layers) -> Inputs:
    for path in paths:
        with _opened(path) as stream:
            yield path, Window(b"", packed.open(stream), not stream.seekable())


class _Chunks:
    """An iterable of bytes as a stream. An empty chunk is not the end."""

    def __init__(self, chunks: Iterator[object]):
        self._chunks = chunks
        self._rest = memoryview(b"")

    def read(self, size: int) -> bytes:
        """The next chunk, or its first `size` bytes."""
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return b""
            if not isinstance(chunk, (bytes, bytearray, memoryview)):
                raise TypeError(f"expected chunks of bytes, found {type(chunk).__name__}")
            self._rest = memoryview(bytes(chunk))
        piece, self._rest = self._rest[:size], self._rest[size:]
        return bytes(piece)


def inputs_of(source: Source, packed: Layers) -> Inputs:
    if isinstance(source, (str, os.PathLike)):
        return _open_files(_files_of(source), packed)
    if hasattr(source, "read"):
        stream = cast(IO[bytes], source)
        waits = not (hasattr(stream, "seekable") and stream.seekable())
        return iter([(None, Window(b"", packed.open(stream), waits))])
    try:
        data = memoryview(source)  # type: ignore[arg-type]
    except TypeError:
        return _inputs_of_items(source, packed)
    if packed.is_none(data):
        is_plain = data.ndim == 1 and data.format == "B"
        return iter([(None, Window(data if is_plain else data.cast("B")))])
    return iter([(None, Window(b"", packed.open(io.BytesIO(data)), waits=False))])


def _inputs_of_items(source: object, packed: Layers) -> Inputs:
    """The inputs of an iterable of paths, or of chunks of one stream."""
    if not isinstance(source, collections.abc.Iterable):
        raise TypeError(
            "scan() expects a path, bytes, a file object or an iterable of these, "
            f"not {type(source).__name__}"
        )
    items = iter(source)
    first = next(items, b"")
    items = itertools.chain([first], items)
    if isinstance(first, (str, os.PathLike)):
        return _open_files([path for item in items for path in _files_of(item)], packed)
    return iter([(None, Window(b"", packed.open(_Chunks(items))))])
