"""Sources of a scan: paths, patterns, bytes, file objects, iterables of these."""

from __future__ import annotations

import collections.abc
import glob
import io
import os
from typing import IO, Any, Iterable, Iterator, NamedTuple, Optional, Sequence, Union

from .compression import Unpacked, layer_of_all
from .window import Window

Path = Union[str, "os.PathLike[str]"]
Source = Union[Path, bytes, bytearray, memoryview, IO[bytes], Iterable[bytes], Iterable[Path]]
Inputs = Iterator[tuple[Optional[str], Window]]
"""The inputs of a source with their paths; None for inputs that are not files."""


def _is_path(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike))


def _files_of(source: Any) -> list[str]:
    """The path itself, or, if it is a pattern and not a file, the matching files, sorted."""
    path = os.fspath(source)
    if not glob.has_magic(path) or os.path.exists(path):
        return [path]
    matches = sorted(glob.glob(path, recursive=True))
    if not matches:
        raise FileNotFoundError(2, "no file matches the pattern", path)
    return matches


class Layers(NamedTuple):
    """The compression of a source. texts: whether to detect base64 and hex."""

    compression: str
    texts: bool

    def open(self, stream: Any) -> Unpacked:
        return Unpacked(stream, self.compression, self.texts)

    def is_none(self, data: memoryview) -> bool:
        return self.compression == "none" or (
            self.compression == "auto" and layer_of_all(data, self.texts) == "none"
        )


def _open_files(paths: Sequence[str], packed: Layers) -> Inputs:
    for path in paths:
        with open(path, "rb") as stream:
            yield path, Window(b"", packed.open(stream))


class _Chunks:
    """An iterable of bytes as a stream. An empty chunk is not the end."""

    def __init__(self, chunks: Iterator[Any]):
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


def inputs_of(source: Any, packed: Layers) -> Inputs:
    if _is_path(source):
        return _open_files(_files_of(source), packed)
    if hasattr(source, "read"):
        return iter([(None, Window(b"", packed.open(source)))])
    try:
        data = memoryview(source)
    except TypeError:
        return _inputs_of_items(source, packed)
    if packed.is_none(data):
        return iter(
            [(None, Window(data.cast("B") if data.ndim != 1 or data.format != "B" else data))]
        )
    return iter([(None, Window(b"", packed.open(io.BytesIO(data))))])


def _inputs_of_items(source: Any, packed: Layers) -> Inputs:
    """The inputs of an iterable of paths, or of chunks of one stream."""
    if not isinstance(source, collections.abc.Iterable):
        raise TypeError(
            "scan() expects a path, bytes, a file object or an iterable of these, "
            f"not {type(source).__name__}"
        )
    items = iter(source)
    first = next(items, b"")
    if _is_path(first):
        paths = [path for item in (first, *items) for path in _files_of(item)]
        return _open_files(paths, packed)

    def chunks() -> Iterator[Any]:
        yield first
        yield from items

    return iter([(None, Window(b"", packed.open(_Chunks(chunks()))))])
