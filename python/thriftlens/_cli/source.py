"""Files of the command line: bounded input, atomic output, progress on a terminal."""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import mmap
import os
import stat
import sys
from typing import IO, Callable, Iterator, Literal, Optional, TextIO, TypedDict, Union

from .._core import cut_records
from .._errors import Error
from .._records.compression import Unpacked, layer_of_all, skip_ahead
from .._records.cuts import Cut
from .._records.framing import TEXT_FRAMINGS
from .._records.scan_state import OnError
from .._records.scanner import Scan
from .._records.sources import Window


class Closed(Exception):
    """The reader closed standard output."""


@contextlib.contextmanager
def named(name: str) -> Iterator[None]:
    """Adds the file name to errors of reading and writing."""
    try:
        yield
    except BrokenPipeError:
        raise Closed() from None
    except OSError as error:
        if error.filename is None:
            error.filename = name
        raise


def binary_stream(stream: Optional[TextIO], name: str) -> IO[bytes]:
    """The binary stream of a standard stream; it is None if the caller closed it."""
    if stream is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), name)
    return stream.buffer


StructProtocol = Literal["binary", "compact"]
_PIECE = 1 << 20
_MAPPED = 1 << 20  # minimum size of a file to map
_BUFFER = 1 << 18  # buffer of standard output
ENDLESS = 1 << 30  # default limit of an input of unknown size, and of one record
Data = Union[bytes, bytearray, memoryview, mmap.mmap]
"""A value, or the content of a file."""


class ScanOptions(TypedDict, total=False):
    """Options of cut_records, and `framed` if all messages are."""

    framing: Optional[str]
    protocol: str
    depth: int
    prefix_size: int
    framed: bool
    record_size: int


class Source:
    """An input file, read as a whole, as records or as lines.

    Errors name the file; the size is always limited."""

    def __init__(self, stream: IO[bytes], name: str, max_size: Optional[int] = None):
        self._stream = stream
        self._name = name
        self._bound = ENDLESS if max_size is None else max_size
        self._is_bounded = max_size is not None
        self._cached: Optional[Data] = None
        self.before_read: Callable[[], None] = lambda: None
        self.line = 0
        self.texts = True  # whether to detect base64 and hex

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes, or all."""
        with named(self._name):
            return self._stream.read(size)

    def peek(self, size: int) -> bytes:
        """The first bytes, without consuming them; fewer if the file or the first read of a pipe is
        shorter."""
        with named(self._name):
            return self._stream.peek(size)[:size] if hasattr(self._stream, "peek") else b""

    def read_some(self, size: int) -> bytes:
        """Up to `size` bytes that a pipe has available, without waiting for more.

        Calls `before_read` first."""
        self.before_read()
        with named(self._name):
            return getattr(self._stream, "read1", self._stream.read)(size)

    def skip_ahead(self, size: int) -> int:
        """Skips up to `size` bytes of a file. Returns their number; 0 for a pipe."""
        with named(self._name):
            return skip_ahead(self._stream, size)

    def read_all(self) -> Data:
        """The whole content, decompressed.

        A large file is mapped and must not shrink while it is read."""
        if self._cached is None:
            self._cached = self._unpacked(self._read_raw())
        return self._cached

    def read_raw(self) -> Data:
        """The whole content, not decompressed."""
        return self._read_raw()

    @property
    def name(self) -> str:
        """The file, for messages."""
        return self._name

    @property
    def cached(self) -> Optional[Data]:
        """The result of read_all(), if it was called."""
        return self._cached

    @property
    def bound(self) -> int:
        """Maximum size of one value."""
        return self._bound

    def job_view(self) -> Optional[memoryview]:
        """The bytes of a large file, for worker processes.

        None for small or compressed files and pipes, and without fork."""
        from .._records import jobs as _jobs

        size = self.size()
        if (
            size is None
            or size < _MAPPED
            or (self._cached is None and self._stream.tell() != 0)
            or not _jobs.can_fork()
        ):
            return None
        with named(self._name):
            if self._cached is not None:
                data = self._cached
            else:
                data = mmap.mmap(self._stream.fileno(), 0, access=mmap.ACCESS_READ)
        return memoryview(data) if layer_of_all(data, self.texts) == "none" else None

    def count_structs(self, protocol: StructProtocol, depth: int) -> int:
        """The number of structs back to back, none of them empty, the last one possibly truncated;
        1 for any other content."""
        data = self.read_all()
        count = position = 0
        while position < len(data):
            cut = cut_records(
                data,
                protocol=protocol,
                depth=depth,
                start=position,
                count=1024,
                record_size=1 << 62,
            )
            position = cut.next
            if any(size < 2 for _, size, _, _ in cut.rows):
                return 1
            count += len(cut.rows)
            if cut.error is not None:
                return count + 1 if cut.error.code == "truncated" and count > 1 else 1
        return max(count, 1)

    def has_bare_struct(self, protocol: StructProtocol, depth: int) -> bool:
        """Whether the input begins with a struct and not with a u32 frame.

        Does not consume bytes."""
        front = _front(Unpacked(io.BytesIO(self.peek(_PIECE)), texts=self.texts))
        bare_size, frame_size = (_first_size(front[offset:], protocol, depth) for offset in (0, 4))
        return bare_size > 1 and frame_size != int.from_bytes(front[:4], "big")

    def _unpacked(self, data: Data) -> Data:
        if layer_of_all(data, self.texts) == "none":
            return data
        unpacked = Unpacked(io.BytesIO(data), texts=self.texts)
        return self._joined(unpacked.read, self._bound)

    def _read_raw(self) -> Data:
        size = self.size()
        if size is None:
            return self._rest()
        if self._is_bounded and size > self._bound:
            self._endless(f"the input of {size} bytes exceeds the limit of {self._bound} bytes")
        if size < _MAPPED or self._stream.tell() != 0:
            return self._rest(max(self._bound, size))
        with named(self._name):
            return mmap.mmap(self._stream.fileno(), 0, access=mmap.ACCESS_READ)

    def records(
        self,
        convert: Callable[[Cut], object],
        options: ScanOptions,
        on_error: OnError = "raise",
        start: int = 0,
        limit: Optional[int] = None,
        truncated: str = "error",
    ) -> Scan:
        """convert(cut) for each record, decompressed. options: those of cut_records.

        Keeps one record and one piece in memory."""
        window = self.window(options["framing"] or "none")
        return Scan(
            iter([(None, window)]),
            lambda cut, _: convert(cut),
            {**options, "record_size": self._bound},
            on_error,
            start,
            0,
            limit,
            truncated,
        )

    def window(self, framing: str) -> Window:
        """The content as the input of a scan, decompressed."""
        texts = self.texts and framing not in (*TEXT_FRAMINGS, "lines")
        if self._cached is None:
            return Window(b"", Unpacked(_Live(self), texts=texts), waits=self.size() is None)
        return Window(memoryview(self._cached))

    def lines(self) -> Iterator[bytes]:
        """Lines with their line ends, without blank lines. `line` counts all lines."""
        while line := self._line():
            self.line += 1
            if not line.isspace():
                yield line

    def size(self) -> Optional[int]:
        """The size of a regular file; None if it is 0 or unknown."""
        try:
            status = os.fstat(self._stream.fileno())
        except (OSError, AttributeError, ValueError):
            return None
        return status.st_size if stat.S_ISREG(status.st_mode) and status.st_size > 0 else None

    def begins_with_text(self) -> bool:
        """Whether the input begins like a message of Apache's JSON protocol; messages of other
        protocols do not begin with '['."""
        return self.peek(64).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")

    def position(self) -> int:
        return self._stream.tell()

    def _line(self) -> bytes:
        with named(self._name):
            line = self._stream.readline(self._bound + 1)
        if len(line) > self._bound:
            self._endless(f"a line exceeds the limit of {self._bound} bytes")
        return line

    def _rest(self, bound: Optional[int] = None) -> Union[bytes, bytearray]:
        return self._joined(self.read, self._bound if bound is None else bound)

    def _joined(self, read: Callable[[int], bytes], bound: int) -> Union[bytes, bytearray]:
        data = _read_pieces(read, bound + 1)
        if len(data) > bound:
            self._endless(f"the input exceeds the limit of {bound} bytes")
        return data

    def _endless(self, reason: str) -> None:
        self._refuse(f"{reason}; accepted with a larger --max-size")

    def _refuse(self, reason: str) -> None:
        raise OSError(errno.EFBIG, reason, self._name)


def _front(packed: Unpacked) -> bytes:
    """The first bytes of a stream that may be truncated."""
    front = bytearray()
    with contextlib.suppress(Error, OSError):
        while len(front) < _PIECE and (piece := packed.read(_PIECE)):
            front += piece
    return bytes(front)


def _first_size(data: bytes, protocol: StructProtocol, depth: int) -> int:
    """The size of the struct at the start of the data; 0 if there is none or it is truncated."""
    rows = cut_records(data, protocol=protocol, depth=depth, record_size=1 << 62).rows
    return rows[0][1] if rows else 0


class _Live:
    """A source as a stream whose reads return what is available."""

    def __init__(self, source: Source):
        self.read = source.read_some
        self.skip_ahead = source.skip_ahead


def _read_pieces(read: Callable[[int], bytes], remaining: int) -> Union[bytes, bytearray]:
    """Up to `remaining` bytes. Memory use depends on the bytes read, not on the limit."""
    data = bytearray()
    while remaining > 0 and (piece := read(min(remaining, _PIECE))):
        data += piece
        remaining -= len(piece)
    return bytes(data) if len(data) <= _PIECE else data


def may_hold(file: str, offset: int, claimed: int) -> bool:
    """Whether the file may hold `claimed` bytes at an offset: not if it is too short, or if the
    size field is text."""
    if all(0x20 <= byte < 0x7F or byte in b"\r\n\t" for byte in claimed.to_bytes(4, "big")):
        return False
    if not os.path.isfile(file):
        return True
    with open(file, "rb") as stream:
        return (
            layer_of_all(stream.read(_BUFFER)) != "none"
            or claimed <= os.path.getsize(file) - offset
        )


@contextlib.contextmanager
def open_source(file: str, max_size: Optional[int] = None) -> Iterator[Source]:
    """The file for reading; - is standard input."""
    if file == "-":
        yield Source(binary_stream(sys.stdin, "<stdin>"), "<stdin>", max_size)
    else:
        with open(file, "rb") as stream:
            yield Source(stream, file, max_size)
