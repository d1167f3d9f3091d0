"""Scan: an iterator over the records of inputs, with its position."""

from __future__ import annotations

import collections.abc
import json
from typing import Any, Callable, Iterator, NoReturn, Optional, Union

from .. import _core
from .._errors import Error, UnknownNameError, in_file, in_record
from .cuts import (
    TEXT_FRAMINGS,
    Converter,
    Cut,
    bytes_of,
    compressed_content,
    cuts_in,
    has_own_cutter,
    with_framing_hint,
)
from .pieces import Piece, Rejected
from .scan_pieces import piece_of_array, piece_of_list
from .sources import PIECE, Inputs, Window

NOTHING = object()
NULL = object()  # returned by on_error= for a null record
_MAX_PIECE_RECORDS = 1 << 20  # records of a piece
_MAX_LIST_BYTES = 1 << 26  # bytes of a piece that is a list
_STRIDE = 1 << 22  # bytes read from a stream at a time, for pieces

OnError = Union[str, Callable[[Rejected], Any]]


class Scan(collections.abc.Iterator[Any]):
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
        options: dict[str, Any],
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
        self._steps = self._run()

    def __iter__(self) -> Scan:
        return self

    def __next__(self) -> Any:
        return next(self._steps)

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
        import inspect  # slow, and only columns need it

        is_new = inspect.getgeneratorstate(self._steps) == inspect.GEN_CREATED  # type: ignore[arg-type]
        return (
            self._pieces(size)
            if is_new
            and (self._convert is bytes_of or getattr(self._convert, "gives_bytes", False))
            else None
        )

    def _windows(self) -> Iterator[Window]:
        for index, (self.file, window) in enumerate(self._inputs):
            if index > 0:
                self.offset = self.number = 0
            yield window
            if self.count == self._limit:
                return

    def _run(self) -> Iterator[Any]:
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

    def _values(self, window: Window) -> Iterator[tuple[Cut, Any]]:
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
        self._steps = iter(())
        if self._limit == 0:
            return
        framing = self._options["framing"]
        plain = self._convert is bytes_of and framing != "message" and not has_own_cutter(framing)
        for window in self._windows():
            try:
                yield from (
                    self._arrays(window, min(size, _MAX_PIECE_RECORDS))
                    if plain
                    else self._lists(window, size)
                )
            except Error as error:
                self._end(window, error)

    def _lists(self, window: Window, size: int) -> Iterator[Piece]:
        cuts: list[Cut] = []
        values: list[Any] = []
        size_held = 0
        fault = None
        results = self._values(window)
        while True:
            try:
                cut, value = next(results)
            except StopIteration:
                break
            except Error as error:  # raised after the records before it
                fault = error
                break
            if cuts and (
                cut.number != cuts[-1].number + 1
                or len(cuts) == size
                or size_held > _MAX_LIST_BYTES
            ):
                yield piece_of_list(cuts, values, self.file)
                cuts, values, size_held = [], [], 0
            cuts.append(cut)
            values.append(value if value is not None else self._error)
            size_held += 0 if value is None else len(value)
        if cuts:
            yield piece_of_list(cuts, values, self.file)
        if fault is not None:
            raise fault

    def _arrays(self, window: Window, size: int) -> Iterator[Piece]:
        """The records of an input as arrays."""
        position = window.at(self.offset)
        front = memoryview(b"")
        while self.count != self._limit:
            front = front or memoryview(window.data)[position : position + PIECE]
            max_count = size if self._limit is None else min(size, self._limit - self.count)
            base = self.offset - position
            options = {
                **self._options,
                "start": position,
                "offset": self.offset,
                "number": self.number,
                "last": int(window.is_last),
            }
            blobs = _core.record_blobs(window.data, count=max_count, **options)
            locations = memoryview(blobs.locations).cast("q")
            if locations:
                piece = piece_of_array(
                    blobs[:2], locations, window.data, self.number, base, options
                )
                self._advance(locations)
                yield piece._replace(file=self.file)
            if blobs.error is not None:
                cut = Cut(
                    self.number,
                    self.offset,
                    base + blobs.next,
                    window.data,
                    self.offset - base,
                    error=blobs.error,
                    is_lost=not blobs.can_continue,
                )
                yield from self._replacement(cut, blobs.error, front)
            elif not locations:
                if window.is_last:
                    return
                window.grow(blobs.next, max(blobs.needed, _STRIDE))
                self.offset, position = base + blobs.next, 0
                continue
            self.offset, position = base + blobs.next, blobs.next

    def _advance(self, locations: Any) -> None:
        """Counts the records of an array."""
        count = len(locations) // 3
        self.record, self.record_offset = self.number + count - 1, locations[-3]
        self.offset = locations[-3] + locations[-2]
        self.number, self.count = self.number + count, self.count + count

    def _replacement(self, cut: Cut, error: Error, front: memoryview) -> Iterator[Piece]:
        """The record in place of bytes that are not a record of an array: the content of a
        compressed one, or what on_error returns."""
        if self._options["framing"] == "none":
            error = with_framing_hint(error, front, self._protocol)
            cut = cut._replace(error=error)
        value: Any = None
        if not cut.is_lost:
            end = cut.at + cut.end - cut.begin
            value = compressed_content(cut.data, cut.at, end, self._options)
        if value is None:
            value = self._refuse(cut, error)
        self.number += 1
        if value is not NOTHING:
            self.count += 1
            yield piece_of_list([cut], [error if value is None else value], self.file)

    def _value_of(self, cut: Cut) -> Any:
        self._error = None
        if cut.error is not None:
            return self._refuse(cut, cut.error)
        if cut.value is None:
            return None
        try:
            value = self._convert(cut, self._protocol if cut.message is None else cut.message[4])
        except Error as error:
            if error.code == "path_syntax" or (
                isinstance(error, UnknownNameError) and cut.message is None and self._is_typed
            ):
                raise  # an error of the selection, not of the record
            return self._refuse(cut, in_record(error, cut.location()))
        return _core.set_place(value, *cut.location()) if isinstance(value, _core.View) else value

    def _refuse(self, cut: Cut, error: Error) -> Any:
        """The value in place of an invalid record."""
        error.record, error.record_offset = cut.number, cut.begin
        self._error = in_file(error, self.file)
        is_open = _is_open_line(cut, self._options["framing"], error)
        if cut.is_lost or (is_open and self._drops_cut_end):
            self._refuse_end(cut, error)
        if self._on_error == "raise":
            self.number, self.offset = cut.number + 1, cut.end
            error.resume = cut.begin if is_open else cut.end
            error.option = error.option or (
                ("cut_end", "drop") if is_open else ("on_error", "skip")
            )
            raise error
        return self._reject(cut, error)

    def _refuse_end(self, cut: Cut, error: Error) -> None:
        """Raises the error of a record after which no record can be located."""
        error.resume = cut.begin if error.code == "truncated" else None
        if error.code == "size_limit":
            error.option = ("record_size", None)
        elif error.code == "truncated":
            error.option = ("cut_end", "drop")
        if self._drops_cut_end and (error.code == "truncated" or not cut.is_lost):
            self._cut_end = error
            self._reject(cut._replace(end=cut.begin + len(cut.data) - cut.at), error)
        raise error

    def _reject(self, cut: Cut, error: Error) -> Any:
        self.rejected += 1
        if callable(self._on_error):
            data = bytes(memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin])
            replacement = self._on_error(Rejected(cut.number, cut.begin, data, error, self.file))
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
