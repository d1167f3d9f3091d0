"""Files of the command line: streams of records, output that appears whole or not at all, progress on a terminal."""

from __future__ import annotations

import contextlib
import errno
import os
import struct
import sys
from typing import IO, Callable, Iterator, Optional, TextIO

from ._errors import DecodeError

_LENGTH = struct.Struct(">I")
_PIECE = 1 << 20


def _open(stream: Optional[TextIO], name: str) -> IO[bytes]:
    """The bytes of a standard stream, which Python does not have where the caller closed it."""
    if stream is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), name)
    return stream.buffer


@contextlib.contextmanager
def reading(file: str) -> Iterator[IO[bytes]]:
    """The file for reading; - is standard input."""
    if file == "-":
        yield _open(sys.stdin, "<stdin>")
    else:
        with open(file, "rb") as stream:
            yield stream


@contextlib.contextmanager
def writing(file: str) -> Iterator[IO[bytes]]:
    """The file for writing: takes its place when all is written, and leaves nothing behind when it is not."""
    if file == "-":
        stream = _open(sys.stdout, "<stdout>")
        yield stream
        stream.flush()
        return
    target = os.path.realpath(file)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as stream:
            yield stream
        return
    part = f"{target}.{os.getpid()}.part"
    try:
        stream = open(part, "xb")
    except OSError as error:
        error.filename = file
        raise
    try:
        with stream:
            yield stream
        if os.path.exists(target):
            os.chmod(part, os.stat(target).st_mode & 0o7777)
        os.replace(part, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def framed(record: bytes) -> bytes:
    """The record behind its length."""
    return _LENGTH.pack(len(record)) + record


def frames(stream: IO[bytes]) -> Iterator[bytes]:
    """The records of a stream, each behind its length as a big-endian u32. Holds one at a time."""
    offset = 0
    while head := stream.read(_LENGTH.size):
        if len(head) < _LENGTH.size:
            raise DecodeError(f"the file ends in the middle of a record's length (byte {offset})", code="truncated", offset=offset)
        (length,) = _LENGTH.unpack(head)
        record = _read(stream, length)
        if len(record) < length:
            message = f"the file ends in the middle of a record: {length} bytes announced, {len(record)} there (byte {offset})"
            raise DecodeError(message, code="truncated", offset=offset)
        yield record
        offset += _LENGTH.size + length


def _read(stream: IO[bytes], length: int) -> bytes:
    """Up to `length` bytes; memory grows with what is there, not with what is announced."""
    if length <= _PIECE:
        return stream.read(length)
    pieces = []
    while length > 0 and (piece := stream.read(min(length, _PIECE))):
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)


@contextlib.contextmanager
def progress(stream: IO[bytes]) -> Iterator[Callable[[], None]]:
    """A bar on stderr where that is a terminal and the stream is a file; call what it gives now and then."""
    if not (sys.stderr.isatty() and stream.seekable()):
        yield lambda: None
        return
    from tqdm import tqdm

    # A terminal that does not know its size, as scripts make them, says 0 x 0: tqdm would show nothing there.
    columns, rows = os.get_terminal_size(sys.stderr.fileno())
    total = os.fstat(stream.fileno()).st_size
    with tqdm(total=total, unit="B", unit_scale=True, leave=False, ncols=columns or 80, nrows=rows or 24) as bar:
        yield lambda: (bar.update(stream.tell() - bar.n), None)[1]
