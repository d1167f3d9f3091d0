"""Output files: atomic, and standard output."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import IO, Iterator, Optional, Protocol

from .._records.files import replacing
from .._text import escaped_json
from .source import Source, binary_stream, named

_BUFFER = 1 << 18  # buffer of standard output


def _line_pieces(data: bytes, max_size: int) -> Iterator[bytes]:
    position = 0
    while position < len(data):
        if len(data) - position <= max_size:
            end = len(data)
        else:
            end = data.rfind(b"\n", position, position + max_size) + 1 or position + max_size
        yield data[position:end]
        position = end


class Advance(Protocol):
    """Shows progress: the number of processed records, and the position in the source if the
    source does not know it."""

    def __call__(self, records: int, position: Optional[int] = None) -> object: ...


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
        with named(self._name):
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
        with named(self._name):
            self._stream.flush()
            self._remaining = self._capacity

    def close(self) -> None:
        with named(self._name):
            self._stream.close()

    def abandon(self) -> None:
        """Drops the buffer of the stream: since CPython 3.13 its destructor reports on stderr if
        writing fails."""
        if isinstance(self._stream, io.BufferedWriter):
            self._stream.raw.close()

    def is_terminal(self) -> bool:
        return self._stream.isatty()


def stdout_is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _standard_output(is_text: bool) -> Sink:
    stream = binary_stream(sys.stdout, "<stdout>")
    with named("<stdout>"):
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
    with named(file), replacing(file) as stream:
        yield Sink(stream, file)


@contextlib.contextmanager
def progress_bar(source: Source, sink: Optional[Sink]) -> Iterator[Advance]:
    """A progress bar on stderr, if that is a terminal, the source is a file and the output is not a
    terminal. Yields the function that advances it."""
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
