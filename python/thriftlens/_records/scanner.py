"""Scan: an iterator over the records of inputs, with its position."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Callable, NoReturn, Optional

from .. import _core
from .._errors import Error, in_file
from .._typing import Data, Value
from .cuts import Converter, Cut, Options, TypeReader, bytes_of, compressed_content, framed_blocks
from .cutters import cuts_in, has_own_cutter
from .pieces import Piece
from .scan_pieces import piece_of_array, piece_of_list, reason_of
from .scan_state import NOTHING, OnError, ScanState
from .sources import Inputs, Window

if TYPE_CHECKING:
    from typing_extensions import Self, TypeVar

    _V = TypeVar("_V", default=Value)
else:
    from typing import TypeVar

    _V = TypeVar("_V")

_MAX_PIECE_RECORDS = 1 << 20  # records of a piece
_MAX_LIST_BYTES = 1 << 26  # bytes of a piece that is a list
_STRIDE = 1 << 22  # bytes read from a stream at a time, for pieces


class Scan(ScanState, Iterator[_V]):
    """The result of scan(): an iterator over records with its position.

    record, record_offset: number and offset of the last record.
    number, offset: those of the next record; a later scan continues there with `start=` and
        `number=`.
    count, rejected: the number of records returned, and of invalid ones.
    file: the path of the current file; None if the source is not a file.
    truncations: with truncated="drop", the errors of inputs that end inside a record or a
        compressed block.

    After an error of a record with a known end, number and offset are those of the next record.
    Offsets count in the current file, or in all chunks, decompressed."""

    def __init__(
        self,
        inputs: Inputs,
        convert: Converter,
        options: Options,
        on_error: OnError,
        start: int,
        number: int,
        limit: Optional[int],
        truncated: str = "error",
    ):
        super().__init__(convert, options, on_error, start, number, truncated == "drop")
        self._inputs, self._limit = inputs, -1 if limit is None else limit
        self._is_started = False
        self._steps = self._run()

    if TYPE_CHECKING:

        def __next__(self) -> _V: ...

    def close(self) -> None:
        """Closes the files of the scan, which has no more records; `with` does so too."""
        self._steps.close()
        self._begin(bytes, memoryview(b""), [], 0, False)
        close = getattr(self._inputs, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a scan cannot be pickled: open the file in each process")

    def __repr__(self) -> str:
        name = "" if self.file is None else f" of {self.file}"
        return (
            f"<thriftlens.Scan{name}: {self.count} records, {self.rejected} rejected, "
            f"at byte {self.offset}>"
        )

    def pieces(self, size: int) -> Optional[Iterator[Piece]]:
        """The records in pieces of at most `size`. None if iteration has started, or the records
        are not bytes."""
        gives_bytes = self._convert is bytes_of or getattr(self._convert, "gives_bytes", False)
        return self._pieces(size) if gives_bytes and not self._is_started else None

    def _windows(self) -> Iterator[Window]:
        for index, (self.file, self._window) in enumerate(self._inputs):
            if index > 0:
                self.offset = self.number = 0
            yield self._window
            if self.count == self._limit:
                return

    def _run(self) -> Generator[Value, None, None]:
        self._is_started = True
        if self._limit == 0:
            return
        for window in self._windows():
            try:
                read = self._reader()
                if read is not None:
                    yield from self._read_blocks(window, read)
                else:
                    for _, value in self._values(window):
                        yield value
            except Error as error:
                self._end(window, error)

    def _end(self, window: Window, error: Error) -> None:
        """Raises the error that ended an input, unless the input is truncated and `truncated` is
        "drop"."""
        is_cut = error is self._truncation or (error is window.fault and error.code == "truncated")
        if not is_cut or not self._drops_truncated:
            if error is window.fault:
                error.resume = self.offset
            raise in_file(error, self.file)
        self.truncations.append(error)

    def _values(self, window: Window) -> Iterator[tuple[Cut, Value]]:
        """The records of an input and their values, up to the limit."""
        position = window.at(self.offset)
        for cut in cuts_in(window, self._options, self.offset, self.number, position):
            value = self._taken(cut)
            if value is NOTHING:
                continue
            yield cut, value
            if self.count == self._limit:
                return

    def _reader(self) -> Optional[Callable[[Data], Value]]:
        """Reads the bytes of a record. None: the value needs its Cut."""
        if not self._is_typed or has_own_cutter(self._options["framing"]):
            return None
        convert = self._convert
        if isinstance(convert, TypeReader):
            return convert.reader(self._protocol)
        return bytes if convert is bytes_of else None

    def _read_blocks(self, window: Window, read: Callable[[Data], Value]) -> Iterator[Value]:
        """Like _values, faster: the base class reads the records, and returns None for those that
        are not bytes of the window, or not valid."""
        position, places = window.at(self.offset), getattr(self._convert, "gives_views", False)
        for block in framed_blocks(window, self._options, self.offset, self.number, position):
            if isinstance(block, Cut):
                instead = self._taken(block)
                if instead is not NOTHING:
                    yield instead
                    if self.count == self._limit:
                        return
                continue
            number, data, base, rows = block
            self._begin(read, memoryview(data), rows, base, places)
            while self._row < len(rows):
                yield self
                if self.count != self._limit and self._row < len(rows):
                    begin, size, where, message = rows[self._row]
                    cut = Cut(self.number, begin, begin + size, data, begin - base, where, message)
                    value = self._taken(cut)
                    self._row += 1
                    if value is not NOTHING:
                        yield value
                if self.count == self._limit:
                    return

    def _pieces(self, size: int) -> Iterator[Piece]:
        self._is_started = True
        self._steps.close()
        if self._limit == 0:
            return
        framing = self._options["framing"]
        plain = self._convert is bytes_of and framing != "message" and not has_own_cutter(framing)
        for window in self._windows():
            try:
                pieces = (
                    self._arrays(window, min(size, _MAX_PIECE_RECORDS))
                    if plain
                    else self._lists(window, size)
                )
                for piece in pieces:
                    yield piece._replace(explain=self._add_format_hint)
            except Error as error:
                self._end(window, error)

    def _lists(self, window: Window, size: int) -> Iterator[Piece]:
        """The records of an input as lists. An error is raised after the records before it."""
        cuts: list[Cut] = []
        values: list[object] = []
        held = 0
        try:
            for cut, value in self._values(window):
                is_full = len(cuts) == size or held > _MAX_LIST_BYTES
                if cuts and (is_full or cut.number != cuts[-1].number + 1):
                    yield piece_of_list(cuts, values, self.file)
                    cuts, values, held = [], [], 0
                cuts.append(cut)
                reason = None if self._error is None else reason_of(self._error)
                values.append(reason if value is None else value)
                held += 0 if value is None else len(value)
        except Error:
            if cuts:
                yield piece_of_list(cuts, values, self.file)
            raise
        if cuts:
            yield piece_of_list(cuts, values, self.file)

    def _arrays(self, window: Window, size: int) -> Iterator[Piece]:
        """The records of an input as arrays."""
        position = window.at(self.offset)
        while self.count != self._limit:
            data, base = window.data, self.offset - position
            options = self._array_options(window, position)
            located = self._located_array(window, size, options)
            locations = memoryview(located.locations).cast("q")
            if locations:
                piece = piece_of_array(located[:2], locations, data, self.number, base, options)
                self._advance(locations)
                yield piece._replace(file=self.file)
            if located.error is not None:
                at, end = self.offset - base, base + located.next
                cut = Cut(self.number, self.offset, end, data, at, error=located.error)
                cut = cut._replace(is_lost=not located.can_continue)
                yield from self._replacement(cut, located.error)
            elif not locations:
                if window.is_last:
                    return
                window.grow(located.next, max(located.needed, _STRIDE))
                self.offset, position = base + located.next, 0
                continue
            self.offset, position = base + located.next, located.next

    def _array_options(self, window: Window, position: int) -> Options:
        return {
            **self._options,
            "start": position,
            "offset": self.offset,
            "number": self.number,
            "last": int(window.is_last),
        }

    def _located_array(self, window: Window, size: int, options: Options) -> _core.RecordBlobs:
        """The next records, at most `size` and up to the limit."""
        count = size if self._limit < 0 else min(size, self._limit - self.count)
        return _core.record_blobs(window.data, count=count, **options)

    def _advance(self, locations: Sequence[int]) -> None:
        """Counts the records of an array."""
        count = len(locations) // 3
        self.record, self.record_offset = self.number + count - 1, locations[-3]
        self.offset = locations[-3] + locations[-2]
        self.number, self.count = self.number + count, self.count + count

    def _replacement(self, cut: Cut, error: Error) -> Iterator[Piece]:
        """The record in place of bytes that are not a record of an array: the content of a
        compressed one, or what on_error returns."""
        value: Value = None
        if not cut.is_lost:
            end = cut.at + cut.end - cut.begin
            value = compressed_content(cut.data, cut.at, end, self._options)
        if value is None:
            value = self._refuse(cut, error)
        self.number += 1
        if value is not NOTHING:
            self.count += 1
            yield piece_of_list([cut], [reason_of(error) if value is None else value], self.file)
