"""Files of the command line: bounded input, output that appears whole or not at all, progress on a terminal."""

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
from .._records.compression import Unpacked, layer_of_all, seek_on
from .._text import escaped_json
from .._records.scan import Cut, OnError, Scan, Window

_LENGTH = struct.Struct(">I")
_PIECE = 1 << 20
_MAPPED = 1 << 20  # a file of that size is mapped, not copied
_ROOM = 1 << 18  # bytes held for standard output
ENDLESS = 1 << 30  # bytes read from what does not say its size, and of one record, where nothing is said

Data = Union[bytes, bytearray, mmap.mmap]


class Closed(Exception):
    """The reader of standard output went away."""


class Source:
    """A file that is read: whole, as records, or as lines. Errors name the file; nothing is read without a bound."""

    def __init__(self, stream: IO[bytes], name: str, max_size: Optional[int] = None):
        self._stream = stream
        self._name = name
        self._bound = ENDLESS if max_size is None else max_size
        self._given = max_size is not None
        self._held: Optional[Data] = None
        self.before_read: Callable[[], None] = lambda: None
        self.line = 0
        self.texts = True  # whether base64 and hex are looked for below

    def read(self, size: int) -> bytes:
        """Up to `size` bytes."""
        with _named(self._name):
            return self._stream.read(size)

    def peek(self, size: int) -> bytes:
        """The first bytes, which are read again; fewer where there are fewer, or a pipe gave fewer."""
        with _named(self._name):
            return self._stream.peek(size)[:size] if hasattr(self._stream, "peek") else b""

    def read_some(self, size: int) -> bytes:
        """What is there of the next `size` bytes, without waiting for the rest: of a pipe that lives. Calls `before_read` first."""
        self.before_read()
        with _named(self._name):
            return getattr(self._stream, "read1", self._stream.read)(size)

    def seek_on(self, size: int) -> int:
        """Passes over up to `size` bytes of a file; how many they are. 0 of a pipe."""
        with _named(self._name):
            return seek_on(self._stream, size)

    def whole(self) -> Data:
        """All there is, decompressed where it is packed. A large file is mapped and must not shrink meanwhile."""
        if self._held is None:
            self._held = self._unpacked(self._whole())
        return self._held

    def raw(self) -> Data:
        """All there is, as it stands."""
        return self._whole()

    @property
    def name(self) -> str:
        """The file, for messages."""
        return self._name

    @property
    def held(self) -> Optional[Data]:
        """What whole() gave, if it was asked for."""
        return self._held

    @property
    def bound(self) -> int:
        """Most bytes of one value."""
        return self._bound

    def in_parts(self) -> Optional[memoryview]:
        """The bytes of a large file for several processes; None of what is small, packed, no file, or where processes cannot be forked."""
        from .._records import jobs as _jobs

        size = self.size()
        if size is None or size < _MAPPED or (self._held is None and self._stream.tell() != 0) or not _jobs.can_fork():
            return None
        with _named(self._name):
            data = self._held if self._held is not None else mmap.mmap(self._stream.fileno(), 0, access=mmap.ACCESS_READ)
        return memoryview(data) if layer_of_all(data, self.texts) == "none" else None

    def structs(self, protocol: Any, depth: int) -> int:
        """How many structs stand back to back, none of them empty, the last one cut perhaps; 1 where there is anything else."""
        data = self.whole()
        found = position = 0
        while position < len(data):
            rows, position, _, error, _ = cut_records(data, protocol=protocol, depth=depth, start=position, count=1024, record_size=1 << 62)
            if any(size < 2 for _, size, _, _ in rows):
                return 1
            found += len(rows)
            if error is not None:
                return found + 1 if error.code == "truncated" and found > 1 else 1
        return max(found, 1)

    def lacks_sizes(self, protocol: Any, depth: int) -> bool:
        """Whether a struct stands at the very beginning and no frame of four bytes does, by the first bytes, which are read again."""
        start = _front(Unpacked(io.BytesIO(self.peek(_PIECE)), texts=self.texts))
        bare, framed = (_first_size(start[at:], protocol, depth) for at in (0, 4))
        return bare > 1 and framed != int.from_bytes(start[:4], "big")

    def _unpacked(self, data: Data) -> Data:
        if layer_of_all(data, self.texts) == "none":
            return data
        unpacked = Unpacked(io.BytesIO(data), texts=self.texts)
        return self._joined(unpacked.read, self._bound)

    def _whole(self) -> Data:
        size = self.size()
        if size is None:
            return self._rest()
        if self._given and size > self._bound:
            self._refuse(f"{size} bytes, more than --max-size allows ({self._bound})")
        if size < _MAPPED or self._stream.tell() != 0:
            return self._rest(max(self._bound, size))
        with _named(self._name):
            return mmap.mmap(self._stream.fileno(), 0, access=mmap.ACCESS_READ)

    def records(self, make: Callable[[Cut], Any], how: dict[str, Any], on_error: OnError = "raise", start: int = 0, limit: Optional[int] = None, cut_end: str = "error") -> Scan:
        """What `make` gives for the cut of each record, decompressed where it is packed; `how` as cut_records takes it. Holds one record and one piece."""
        window = self.window(how["framing"])
        return Scan(iter([(None, window)]), lambda cut, _: make(cut), {**how, "record_size": self._bound}, on_error, start, 0, limit, cut_end)

    def window(self, framing: str) -> Window:
        """All there is as the input of a scan, decompressed where it is packed."""
        texts = self.texts and framing not in ("base64", "hex", "lines")
        return Window(b"", Unpacked(_Live(self), texts=texts)) if self._held is None else Window(memoryview(self._held))

    def lines(self) -> Iterator[bytes]:
        """Lines with their ends; those of blanks alone are left out. `line` counts them all."""
        while line := self._line():
            self.line += 1
            if not line.isspace():
                yield line

    def size(self) -> Optional[int]:
        """Of a regular file that says it."""
        try:
            status = os.fstat(self._stream.fileno())
        except (OSError, AttributeError, ValueError):
            return None
        return status.st_size if stat.S_ISREG(status.st_mode) and status.st_size > 0 else None

    def begins_with_text(self) -> bool:
        """Whether a text of Apache's JSON protocol stands in front: messages of other protocols begin in other ways."""
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
        found = _pieces(read, bound + 1)
        if len(found) > bound:
            self._endless(f"more than {bound} bytes")
        return found

    def _endless(self, what: str) -> None:
        self._refuse(f"{what}; --max-size allows more")

    def _refuse(self, what: str) -> None:
        raise OSError(errno.EFBIG, what, self._name)


def _front(packed: Unpacked) -> bytes:
    """As many of the first bytes as can be had of a stream that may be cut."""
    front = bytearray()
    with contextlib.suppress(Error, OSError):
        while len(front) < _PIECE and (piece := packed.read(_PIECE)):
            front += piece
    return bytes(front)


def _first_size(data: bytes, protocol: Any, depth: int) -> int:
    """Bytes of the struct that the data begin with; 0 where they begin with none, or not with all of it."""
    rows = cut_records(data, protocol=protocol, depth=depth, start=0, count=1, record_size=1 << 62)[0]
    return rows[0][1] if rows else 0


class _Live:
    """A source that gives what is there."""

    def __init__(self, source: Source):
        self.read = source.read_some
        self.seek_on = source.seek_on


def _pieces(read: Callable[[int], bytes], most: int) -> Union[bytes, bytearray]:
    """Up to `most` bytes, many as a bytearray; memory grows with what is there, not with what is announced."""
    if most <= _PIECE:
        return read(most)
    held = bytearray()
    while most > 0 and (piece := read(min(most, _PIECE))):
        held += piece
        most -= len(piece)
    return bytes(held) if len(held) <= _PIECE else held


def _pieces_of_lines(data: bytes, most: int) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        end = len(data) if len(data) - at <= most else data.rfind(b"\n", at, at + most) + 1 or at + most
        yield data[at:end]
        at = end


class Sink:
    """A file that is written. Errors name it. room: bytes that the stream holds before it writes: what is given in one call goes there whole, so that an
    interrupt never leaves a part of it. Longer data goes there in pieces of whole lines."""

    def __init__(self, stream: IO[bytes], name: str, room: Optional[int] = None, escapes: bool = False):
        self._stream = stream
        self._escapes = escapes
        self._name = name
        self._room = self._left = room

    def write(self, data: bytes) -> None:
        if self._escapes:
            data = escaped_json(data)
        with _named(self._name):
            if self._room is None or self._left is None:
                self._stream.write(data)
                return
            for piece in [data] if len(data) <= self._room else _pieces_of_lines(data, self._room):
                if len(piece) > self._left:
                    self._stream.flush()
                    self._left = self._room
                self._left -= len(piece)
                self._stream.write(piece)

    @property
    def name(self) -> str:
        return self._name

    def flush(self) -> None:
        with _named(self._name):
            self._stream.flush()
            self._left = self._room

    def close(self) -> None:
        with _named(self._name):
            self._stream.close()

    def abandon(self) -> None:
        """Drops what the stream holds: from CPython 3.13 on its destructor says on stderr that it could not be written."""
        if isinstance(self._stream, io.BufferedWriter):
            self._stream.raw.close()

    def is_terminal(self) -> bool:
        return self._stream.isatty()


@contextlib.contextmanager
def _named(name: str) -> Iterator[None]:
    """Puts the file's name into errors of reading and writing, which have none."""
    try:
        yield
    except BrokenPipeError:
        raise Closed() from None
    except OSError as error:
        if error.filename is None:
            error.filename = name
        raise


def may_hold(file: str, offset: int, claimed: int) -> bool:
    """Whether so many bytes may stand at that byte of the file: not where they are more than are left, nor where the size is text."""
    if claimed.to_bytes(4, "big").isascii() and all(0x20 <= byte < 0x7F or byte in b"\r\n\t" for byte in claimed.to_bytes(4, "big")):
        return False
    if not os.path.isfile(file):
        return True
    with open(file, "rb") as stream:
        return layer_of_all(stream.read(_ROOM)) != "none" or claimed <= os.path.getsize(file) - offset


def _open(stream: Optional[TextIO], name: str) -> IO[bytes]:
    """The bytes of a standard stream, which Python does not have where the caller closed it."""
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
    except (OSError, AttributeError):  # no file, as tests have it
        return Sink(stream, "<stdout>")
    return Sink(io.BufferedWriter(raw, _ROOM), "<stdout>", _ROOM, escapes=is_text and raw.isatty())


@contextlib.contextmanager
def writing(file: str, is_text: bool = True) -> Iterator[Sink]:
    """The file for writing: takes its place when all is written, and leaves nothing behind when it is not. Control characters in text are escaped for a
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
    if os.path.exists(file) and not os.path.isfile(file):  # /dev/stdout may be a pipe, which has no path
        with _named(file), open(file, "wb") as stream:
            yield Sink(stream, file)
        return
    with _replacing(os.path.realpath(file), file) as sink:
        yield sink


def create(file: str, mode: str = "wb") -> IO[bytes]:
    """Opens a file for writing. A new one can be read and written by its owner only; an existing one keeps its mode."""
    return open(file, mode, opener=lambda path, flags: os.open(path, flags, 0o600))


def _copy_permissions(target: str, stream: IO[bytes]) -> None:
    """Owner, group and mode of the target, if it exists. Where another group cannot be set, the group gets no permissions."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return
    if not hasattr(os, "fchown"):
        return
    mode = stat.S_IMODE(status.st_mode)
    with contextlib.suppress(OSError):
        os.fchown(stream.fileno(), status.st_uid, -1)
    try:
        os.fchown(stream.fileno(), -1, status.st_gid)
    except OSError:
        mode &= ~0o070
    os.fchmod(stream.fileno(), mode)


@contextlib.contextmanager
def _replacing(target: str, file: str) -> Iterator[Sink]:
    part = f"{target}.{os.getpid()}.part"
    try:
        with _renamed(file, part), create(part, "xb") as stream:
            _copy_permissions(target, stream)
            yield Sink(stream, file)
        with _renamed(file, part):
            os.replace(part, target)
    except FileExistsError:
        raise
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


@contextlib.contextmanager
def _renamed(file: str, part: str) -> Iterator[None]:
    """Errors speak of the file that the user named."""
    try:
        yield
    except OSError as error:
        if error.filename is None or error.filename == part:
            error.filename = file
            error.filename2 = None
        raise


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
    """The record as it stands among others; None is Kafka's null record."""
    return _NULL if record is None else _FRAMES[framing](record)


def prefix_of(cut: Cut, framing: str, lead: int) -> bytes:
    """What a record has in front of its value beside framing and message head: text of a line, `lead` bytes, Finagle's header."""
    if not isinstance(cut.value, tuple):  # of a line, or packed
        return _front_of_line(cut) if framing in ("base64", "hex") else b""
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


def _front_of_line(cut: Cut) -> bytes:
    """What stands before the last word of a line, with the blanks."""
    line = bytes(memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin]).rstrip()
    return line[: max(line.rfind(b" "), line.rfind(b"\t")) + 1]


@contextlib.contextmanager
def progress(source: Source, sink: Optional[Sink]) -> Iterator[Callable[..., None]]:
    """A bar on stderr where that is a terminal, the source is a file and the output goes elsewhere; call what it gives now and then, with the records that are
    done, and the bytes that are read where the source does not know."""
    total = source.size()
    if total is None or not sys.stderr.isatty() or (sink is not None and sink.is_terminal()):
        yield lambda records, position=None: None
        return
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # no thread, for processes may be forked
    # A terminal that does not know its size, as scripts make them, says 0 x 0: tqdm would show nothing there.
    columns, rows = os.get_terminal_size(sys.stderr.fileno())
    with tqdm(total=total, unit="B", unit_scale=True, leave=False, ncols=columns or 80, nrows=rows or 24) as bar:

        def moved(records: int, position: Optional[int] = None) -> None:
            elapsed = bar.format_dict["elapsed"]
            bar.set_postfix_str(f"{tqdm.format_sizeof(records / elapsed if elapsed else 0)} records/s", refresh=False)
            bar.update((source.position() if position is None else position) - bar.n)

        yield moved
