"""Files of the command line: bounded input, atomic output, progress on a terminal."""

from __future__ import annotations

import binascii
import codecs
import contextlib
import errno
import io
import mmap
import os
import stat
import struct
import sys
from typing import IO, Any, Callable, Iterator, Optional, TextIO, Union

from .._core import cut_records
from .._errors import Error
from .._records.compression import Unpacked, layer_of_all, skip_ahead
from .._records.cuts import Cut
from .._records.files import replacing
from .._records.scanner import OnError, Scan
from .._records.sources import Window
from .._text import escaped_json

_LENGTH = struct.Struct(">I")
_PIECE = 1 << 20
_MAPPED = 1 << 20  # minimum size of a file to map
_BUFFER = 1 << 18  # buffer of standard output
ENDLESS = 1 << 30  # default limit of an input of unknown size, and of one record

Data = Union[bytes, bytearray, mmap.mmap]


class Closed(Exception):
    """The reader closed standard output."""


class Source:
    """An input file, read as a whole, as records or as lines.

    Errors name the file; the size is always limited.
    """

    def __init__(self, stream: IO[bytes], name: str, max_size: Optional[int] = None):
        self._stream = stream
        self._name = name
        self._bound = ENDLESS if max_size is None else max_size
        self._is_bounded = max_size is not None
        self._cached: Optional[Data] = None
        self.before_read: Callable[[], None] = lambda: None
        self.line = 0
        self.texts = True  # whether to detect base64 and hex

    def read(self, size: int) -> bytes:
        """Up to `size` bytes."""
        with _named(self._name):
            return self._stream.read(size)

    def peek(self, size: int) -> bytes:
        """The first bytes, without consuming them; fewer if the file or the first read of a pipe is
        shorter.
        """
        with _named(self._name):
            return self._stream.peek(size)[:size] if hasattr(self._stream, "peek") else b""

    def read_some(self, size: int) -> bytes:
        """Up to `size` bytes that a pipe has available, without waiting for more.

        Calls `before_read` first.
        """
        self.before_read()
        with _named(self._name):
            return getattr(self._stream, "read1", self._stream.read)(size)

    def skip_ahead(self, size: int) -> int:
        """Skips up to `size` bytes of a file. Returns their number; 0 for a pipe."""
        with _named(self._name):
            return skip_ahead(self._stream, size)

    def read_all(self) -> Data:
        """The whole content, decompressed.

        A large file is mapped and must not shrink while it is read.
        """
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

        None for small or compressed files and pipes, and without fork.
        """
        from .._records import jobs as _jobs

        size = self.size()
        if (
            size is None
            or size < _MAPPED
            or (self._cached is None and self._stream.tell() != 0)
            or not _jobs.can_fork()
        ):
            return None
        with _named(self._name):
            data = (
                self._cached
                if self._cached is not None
                else mmap.mmap(self._stream.fileno(), 0, access=mmap.ACCESS_READ)
            )
        return memoryview(data) if layer_of_all(data, self.texts) == "none" else None

    def count_structs(self, protocol: Any, depth: int) -> int:
        """The number of structs back to back, none of them empty, the last one possibly truncated;
        1 for any other content.
        """
        data = self.read_all()
        count = position = 0
        while position < len(data):
            rows, position, _, error, _ = cut_records(
                data,
                protocol=protocol,
                depth=depth,
                start=position,
                count=1024,
                record_size=1 << 62,
            )
            if any(size < 2 for _, size, _, _ in rows):
                return 1
            count += len(rows)
            if error is not None:
                return count + 1 if error.code == "truncated" and count > 1 else 1
        return max(count, 1)

    def has_bare_struct(self, protocol: Any, depth: int) -> bool:
        """Whether the input begins with a struct and not with a u32 frame.

        Does not consume bytes.
        """
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
            self._refuse(f"{size} bytes, more than --max-size allows ({self._bound})")
        if size < _MAPPED or self._stream.tell() != 0:
            return self._rest(max(self._bound, size))
        with _named(self._name):
            return mmap.mmap(self._stream.fileno(), 0, access=mmap.ACCESS_READ)

    def records(
        self,
        convert: Callable[[Cut], Any],
        options: dict[str, Any],
        on_error: OnError = "raise",
        start: int = 0,
        limit: Optional[int] = None,
        cut_end: str = "error",
    ) -> Scan:
        """convert(cut) for each record, decompressed. options: those of cut_records.

        Keeps one record and one piece in memory.
        """
        window = self.window(options["framing"])
        return Scan(
            iter([(None, window)]),
            lambda cut, _: convert(cut),
            {**options, "record_size": self._bound},
            on_error,
            start,
            0,
            limit,
            cut_end,
        )

    def window(self, framing: str) -> Window:
        """The content as the input of a scan, decompressed."""
        texts = self.texts and framing not in ("base64", "hex", "lines")
        return (
            Window(b"", Unpacked(_Live(self), texts=texts))
            if self._cached is None
            else Window(memoryview(self._cached))
        )

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
        protocols do not begin with '['.
        """
        return self.peek(64).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")

    def position(self) -> int:
        return self._stream.tell()

    def _line(self) -> bytes:
        with _named(self._name):
            line = self._stream.readline(self._bound + 1)
        if len(line) > self._bound:
            self._endless(f"a line of more than {self._bound} bytes")
        return line

    def _rest(self, bound: Optional[int] = None) -> Union[bytes, bytearray]:
        return self._joined(self.read, self._bound if bound is None else bound)

    def _joined(self, read: Callable[[int], bytes], bound: int) -> Union[bytes, bytearray]:
        data = _read_pieces(read, bound + 1)
        if len(data) > bound:
            self._endless(f"more than {bound} bytes")
        return data

    def _endless(self, reason: str) -> None:
        self._refuse(f"{reason}; --max-size allows more")

    def _refuse(self, reason: str) -> None:
        raise OSError(errno.EFBIG, reason, self._name)


def _front(packed: Unpacked) -> bytes:
    """The first bytes of a stream that may be truncated."""
    front = bytearray()
    with contextlib.suppress(Error, OSError):
        while len(front) < _PIECE and (piece := packed.read(_PIECE)):
            front += piece
    return bytes(front)


def _first_size(data: bytes, protocol: Any, depth: int) -> int:
    """The size of the struct at the start of the data; 0 if there is none or it is truncated."""
    rows = cut_records(data, protocol=protocol, depth=depth, start=0, count=1, record_size=1 << 62)[
        0
    ]
    return rows[0][1] if rows else 0


class _Live:
    """A source as a stream whose reads return what is available."""

    def __init__(self, source: Source):
        self.read = source.read_some
        self.skip_ahead = source.skip_ahead


def _read_pieces(read: Callable[[int], bytes], remaining: int) -> Union[bytes, bytearray]:
    """Up to `remaining` bytes. Memory use depends on the bytes read, not on the limit."""
    if remaining <= _PIECE:
        return read(remaining)
    data = bytearray()
    while remaining > 0 and (piece := read(min(remaining, _PIECE))):
        data += piece
        remaining -= len(piece)
    return bytes(data) if len(data) <= _PIECE else data


def _line_pieces(data: bytes, max_size: int) -> Iterator[bytes]:
    position = 0
    while position < len(data):
        end = (
            len(data)
            if len(data) - position <= max_size
            else data.rfind(b"\n", position, position + max_size) + 1 or position + max_size
        )
        yield data[position:end]
        position = end


class Sink:
    """An output file. Errors name it. capacity: buffer size of the stream. The data of one call is
    written at once, so an interrupt never leaves a
    part of it; longer data is written in pieces of whole lines."""

    def __init__(
        self, stream: IO[bytes], name: str, capacity: Optional[int] = None, escapes: bool = False
    ):
        self._stream = stream
        self._escapes = escapes
        self._name = name
        self._capacity = self._remaining = capacity

    def write(self, data: bytes) -> None:
        if self._escapes:
            data = escaped_json(data)
        with _named(self._name):
            if self._capacity is None or self._remaining is None:
                self._stream.write(data)
                return
            for piece in (
                [data] if len(data) <= self._capacity else _line_pieces(data, self._capacity)
            ):
                if len(piece) > self._remaining:
                    self._stream.flush()
                    self._remaining = self._capacity
                self._remaining -= len(piece)
                self._stream.write(piece)

    @property
    def name(self) -> str:
        return self._name

    def flush(self) -> None:
        with _named(self._name):
            self._stream.flush()
            self._remaining = self._capacity

    def close(self) -> None:
        with _named(self._name):
            self._stream.close()

    def abandon(self) -> None:
        """Drops the buffer of the stream: since CPython 3.13 its destructor reports on stderr if
        writing fails.
        """
        if isinstance(self._stream, io.BufferedWriter):
            self._stream.raw.close()

    def is_terminal(self) -> bool:
        return self._stream.isatty()


@contextlib.contextmanager
def _named(name: str) -> Iterator[None]:
    """Adds the file name to errors of reading and writing."""
    try:
        yield
    except BrokenPipeError:
        raise Closed() from None
    except OSError as error:
        if error.filename is None:
            error.filename = name
        raise


def may_hold(file: str, offset: int, claimed: int) -> bool:
    """Whether the file may hold `claimed` bytes at an offset: not if it is too short, or if the
    size field is text.
    """
    if claimed.to_bytes(4, "big").isascii() and all(
        0x20 <= byte < 0x7F or byte in b"\r\n\t" for byte in claimed.to_bytes(4, "big")
    ):
        return False
    if not os.path.isfile(file):
        return True
    with open(file, "rb") as stream:
        return (
            layer_of_all(stream.read(_BUFFER)) != "none"
            or claimed <= os.path.getsize(file) - offset
        )


def _open(stream: Optional[TextIO], name: str) -> IO[bytes]:
    """The binary stream of a standard stream; it is None if the caller closed it."""
    if stream is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), name)
    return stream.buffer


@contextlib.contextmanager
def reading(file: str, max_size: Optional[int] = None) -> Iterator[Source]:
    """The file for reading; - is standard input."""
    if file == "-":
        yield Source(_open(sys.stdin, "<stdin>"), "<stdin>", max_size)
    else:
        with open(file, "rb") as stream:
            yield Source(stream, file, max_size)


def stdout_is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _standard_output(is_text: bool) -> Sink:
    stream = _open(sys.stdout, "<stdout>")
    with _named("<stdout>"):
        stream.flush()
    try:
        raw = io.FileIO(stream.fileno(), "wb", closefd=False)
    except (OSError, AttributeError):  # replaced by an object without a file descriptor
        return Sink(stream, "<stdout>")
    return Sink(
        io.BufferedWriter(raw, _BUFFER), "<stdout>", _BUFFER, escapes=is_text and raw.isatty()
    )


@contextlib.contextmanager
def writing(file: str, is_text: bool = True) -> Iterator[Sink]:
    """Opens the file for atomic writing: on success it replaces the target, on errors it is
    removed. Control characters in text are escaped on a
    terminal."""
    if file == "-":
        sink = _standard_output(is_text)
        try:
            yield sink
        finally:
            try:
                sink.flush()
            except BaseException:
                sink.abandon()
                raise
        return
    with _named(file), replacing(file) as stream:
        yield Sink(stream, file)


def _varint(size: int) -> bytes:
    out = bytearray()
    while size > 0x7F:
        out.append(size & 0x7F | 0x80)
        size >>= 7
    out.append(size)
    return bytes(out)


_NULL = struct.pack(">i", -1)
_FRAMES: dict[str, Callable[[bytes], bytes]] = {
    "none": lambda record: record,
    "u32": lambda record: _LENGTH.pack(len(record)) + record,
    "u32le": lambda record: struct.pack("<I", len(record)) + record,
    "varint": lambda record: _varint(len(record)) + record,
    "kafka": lambda record: _LENGTH.pack(len(record)) + record,
    "base64": lambda record: binascii.b2a_base64(record),
    "hex": lambda record: record.hex().encode() + b"\n",
    "lines": lambda record: record.rstrip(b"\n") + b"\n",
}
FRAMINGS = tuple(_FRAMES)


def framed(record: Optional[bytes], framing: str) -> bytes:
    """The record with its framing; None is Kafka's null record."""
    return _NULL if record is None else _FRAMES[framing](record)


def prefix_of(cut: Cut, framing: str, lead: int) -> bytes:
    """The bytes before a value other than framing and message header: text on the line, `lead`
    bytes, Finagle's header.
    """
    if not isinstance(cut.value, tuple):  # base64, hex or compressed
        return _line_prefix(cut) if framing in ("base64", "hex") else b""
    data = memoryview(cut.data)
    if framing == "message":
        header = cut.message[5] if cut.message is not None else None
        return b"" if header is None else bytes(data[header[0] : header[1]])
    return bytes(data[cut.value[0] - lead : cut.value[0]])


def reframed(cut: Cut, value: bytes, framing: str, prefix: bytes) -> bytes:
    """The record with another value and prefix."""
    if not isinstance(cut.value, tuple):
        return prefix + framed(value, framing)
    if framing != "message":
        return framed(prefix + value, framing)
    front = bytes(memoryview(cut.data)[cut.at : cut.value[0]])
    size = cut.end - cut.begin
    is_framed = size > 4 and front[0] < 0x80 and _LENGTH.unpack(front[:4])[0] == size - 4
    head = front[4 * is_framed + len(prefix_of(cut, framing, 0)) :]
    record = prefix + head + value
    return framed(record, "u32") if is_framed else record


def _line_prefix(cut: Cut) -> bytes:
    """The part of a line before its last word, with the blanks."""
    line = bytes(memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin]).rstrip()
    return line[: max(line.rfind(b" "), line.rfind(b"\t")) + 1]


@contextlib.contextmanager
def progress(source: Source, sink: Optional[Sink]) -> Iterator[Callable[..., None]]:
    """A progress bar on stderr, if that is a terminal, the source is a file and the output is not a
    terminal. Yields a function to call with the number of
    processed records, and the position in the source if the source does not know it."""
    total = source.size()
    if total is None or not sys.stderr.isatty() or (sink is not None and sink.is_terminal()):
        yield lambda records, position=None: None
        return
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # no thread: workers are forked
    # A pseudo-terminal may report a size of 0 x 0; tqdm would show nothing.
    columns, rows = os.get_terminal_size(sys.stderr.fileno())
    with tqdm(
        total=total, unit="B", unit_scale=True, leave=False, ncols=columns or 80, nrows=rows or 24
    ) as bar:

        def update(records: int, position: Optional[int] = None) -> None:
            elapsed = bar.format_dict["elapsed"]
            bar.set_postfix_str(
                f"{tqdm.format_sizeof(records / elapsed if elapsed else 0)} records/s",
                refresh=False,
            )
            bar.update((source.position() if position is None else position) - bar.n)

        yield update
