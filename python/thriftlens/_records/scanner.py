"""Scan: an iterator over the records of inputs, with its position."""

from __future__ import annotations

import collections.abc
import json
from typing import TYPE_CHECKING, Callable, Generator, Iterator, NoReturn, Optional, Sequence, Union

from .. import _core
from .._errors import Error, RelaxingOption, UnknownNameError, in_file, in_record
from .._typing import Value
from .cuts import Converter, Cut, Options, bytes_of, compressed_content
from .cutters import cuts_in, has_own_cutter
from .format_hints import add_format_hint
from .framing import TEXT_FRAMINGS
from .pieces import Piece, Rejected
from .scan_pieces import piece_of_array, piece_of_list
from .sources import Inputs, Window

if TYPE_CHECKING:
    from typing_extensions import Self

NOTHING = object()
NULL = object()  # returned by on_error= for a null record
_MAX_PIECE_RECORDS = 1 << 20  # records of a piece
_MAX_LIST_BYTES = 1 << 26  # bytes of a piece that is a list
_STRIDE = 1 << 22  # bytes read from a stream at a time, for pieces

OnError = Union[str, Callable[[Rejected], Value]]


class Scan(collections.abc.Iterator[Value]):
    """The result of scan(): an iterator over records with its position.

    record, record_offset: number and offset of the last record.
    number, offset: those of the next record; a later scan continues there with `start=` and
        `number=`.
    count, rejected: the number of records returned, and of invalid ones.
    file: the path of the current file; None if the source is not a file.
    cut_ends: with cut_end="drop", the errors of inputs that end inside a record or a compressed
        block.

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
        cut_end: str = "error",
    ):
        self.record = self.record_offset = -1
        self.number = number
        self.offset = start
        self.count = 0
        self.rejected = 0
        self.file: Optional[str] = None
        self.cut_ends: list[Error] = []
        self._drops_cut_end = cut_end == "drop"
        self._cut_end: Optional[Error] = None
        self._convert = convert
        self._protocol = options["protocol"]
        self._is_typed = options["framing"] != "message" and options["framing"] != "lines"
        self._on_error = on_error
        self._inputs, self._options, self._limit = inputs, options, limit
        self._error: Optional[Error] = None
        self._window = Window(b"")
        self._is_started = False
        self._steps = self._run()

    def __iter__(self) -> Scan:
        return self

    def __next__(self) -> Value:
        return next(self._steps)

    def close(self) -> None:
        """Closes the files of the scan, which has no more records; `with` does so too."""
        self._steps.close()
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

    def add_format_hint(self, error: Error) -> bool:
        """Names the format of the current input in an error, unless it is the expected one."""
        return add_format_hint(error, self._window.front, self._options)

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
                for _, value in self._values(window):
                    yield value
            except Error as error:
                self._end(window, error)

    def _end(self, window: Window, error: Error) -> None:
        """Raises the error that ended an input, unless the input is truncated and cut_end is
        "drop"."""
        is_cut = error is self._cut_end or (error is window.fault and error.code == "truncated")
        if not is_cut or not self._drops_cut_end:
            if error is window.fault:
                error.resume = self.offset
            raise in_file(error, self.file)
        self.cut_ends.append(error)

    def _values(self, window: Window) -> Iterator[tuple[Cut, Value]]:
        """The records of an input and their values, up to the limit."""
        position = window.at(self.offset)
        for cut in cuts_in(window, self._options, self.offset, self.number, position):
            value = self._value_of(cut)
            self.number, self.offset = cut.number + 1, cut.end
            if value is NOTHING:
                continue
            self.record, self.record_offset = cut.number, cut.begin
            self.count += 1
            yield cut, value
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
                    yield piece._replace(explain=self.add_format_hint)
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
                values.append(value if value is not None else self._error)
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
        count = size if self._limit is None else min(size, self._limit - self.count)
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
            yield piece_of_list([cut], [error if value is None else value], self.file)

    def _value_of(self, cut: Cut) -> Value:
        self._error = None
        if cut.error is not None:
            return self._refuse(cut, cut.error)
        if cut.value is None:
            return None
        try:
            value = self._convert(cut, cut.message.protocol if cut.message else self._protocol)
        except Error as error:
            if self._is_of_selection(cut, error):
                raise
            return self._refuse(cut, in_record(error, cut.location()))
        return _core.set_place(value, *cut.location()) if isinstance(value, _core.View) else value

    def _is_of_selection(self, cut: Cut, error: Error) -> bool:
        """Whether an error is one of the selection, not of the record."""
        is_unknown_name = isinstance(error, UnknownNameError)
        is_typed = cut.message is None and self._is_typed
        return error.code == "path_syntax" or (is_unknown_name and is_typed)

    def _refuse(self, cut: Cut, error: Error) -> Value:
        """The value in place of an invalid record."""
        error.record, error.record_offset = cut.number, cut.begin
        self._error = in_file(error, self.file)
        is_open = _is_open_line(cut, self._options["framing"], error)
        if cut.is_lost or (is_open and self._drops_cut_end):
            self._refuse_end(cut, error)
        if self._on_error != "raise":
            return self._reject(cut, error)
        self.number, self.offset = cut.number + 1, cut.end
        is_end = self._window.is_last and cut.at + cut.end - cut.begin == len(cut.data)
        error.resume = cut.begin if is_open else None if is_end else cut.end
        option: RelaxingOption = ("cut_end", "drop") if is_open else ("on_error", "skip")
        error.option = error.option or option
        self.add_format_hint(error)
        raise error

    def _refuse_end(self, cut: Cut, error: Error) -> None:
        """Raises the error of a record after which no record can be located."""
        if self.add_format_hint(error):
            raise error
        error.resume = cut.begin if error.code == "truncated" else None
        if error.code == "size_limit":
            error.option = ("record_size", None)
        elif error.code == "truncated":
            error.option = ("cut_end", "drop")
        if self._drops_cut_end and (error.code == "truncated" or not cut.is_lost):
            self._cut_end = error
            self._reject(cut._replace(end=cut.begin + len(cut.data) - cut.at), error)
        raise error

    def _reject(self, cut: Cut, error: Error) -> Value:
        self.rejected += 1
        if callable(self._on_error):
            rejected = Rejected(cut.number, cut.begin, bytes(cut.framed()), error, self.file)
            replacement = self._on_error(rejected)
            return NOTHING if replacement is None else None if replacement is NULL else replacement
        return None if self._on_error == "null" else NOTHING


def _is_open_line(cut: Cut, framing: str, error: Error) -> bool:
    """Whether an invalid line is the truncated last line of its input."""
    if framing not in (*TEXT_FRAMINGS, "lines") or cut.at + cut.end - cut.begin != len(cut.data):
        return False
    line = bytes(cut.data[cut.at :])
    if line.endswith(b"\n"):
        return False
    if framing in TEXT_FRAMINGS:
        return error.code in ("truncated", "bad_frame")
    try:
        json.loads(line)
    except ValueError:
        return True
    return False
