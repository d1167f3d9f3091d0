"""Reads records from files, pipes, topics and chunks of bytes."""

from __future__ import annotations

import collections.abc
import glob
import inspect
import io
import json
import os
from typing import (
    IO,
    Any,
    Callable,
    Iterable,
    Iterator,
    Literal,
    NamedTuple,
    NoReturn,
    Optional,
    Sequence,
    Union,
)

from .. import _core
from .._errors import DecodeError, Error, UnknownNameError, in_file, in_record, reworded
from .._rpc.message import explained, message_of, read_message, services_of, without_record
from .._schema.schemas import Schema
from .._schema.services import Service
from .._schema.types import Type
from . import compression as _packed
from .pieces import Piece, Rejected

_PIECE = 1 << 20  # bytes read from a stream at a time
_STEP = 1 << 10  # records located at a time
NOTHING = object()
NULL = object()  # returned by on_error= for a null record
_MAX_PIECE_RECORDS = 1 << 20  # records of a piece
_MAX_LIST_BYTES = 1 << 26  # bytes of a piece that is a list
_STRIDE = 1 << 22  # bytes read from a stream at a time, for pieces

Path = Union[str, "os.PathLike[str]"]
Source = Union[Path, bytes, bytearray, memoryview, IO[bytes], Iterable[bytes], Iterable[Path]]


OnError = Union[str, Callable[[Rejected], Any]]


def past_end(start: int, size: int) -> Error:
    return Error(
        f"start {start} is past the end of the input (byte {size})", code="bad_option", offset=size
    )


class Window:
    """The part of an input in memory: the complete input, or a piece of a stream."""

    def __init__(self, data: Any, stream: Optional[_packed.Unpacked] = None):
        self.data = data
        self.is_last = stream is None
        self.fault: Optional[Error] = None
        """A read error, raised after the data before it."""
        self._stream = stream

    def at(self, offset: int) -> int:
        """The position of byte `offset` of the input in the data.

        Skips the bytes before it in a stream, by seeking in a file."""
        if self._stream is None:
            missing, position = offset - len(self.data), offset
        else:
            missing, position = offset - self._stream.skip(offset), 0
        if missing > 0:
            raise past_end(offset, offset - missing)
        return position

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
        self.data = b"".join(pieces)

    def grow_to(self, end: bytes, start: int, max_size: int) -> None:
        """Like grow, until the data contains `end` or exceeds `max_size` bytes.

        Linear in the bytes."""
        pieces = [bytes(memoryview(self.data)[start:])]
        size = len(pieces[0])
        while size <= max_size and (piece := self._piece(0, len(pieces) == 1)):
            pieces.append(piece)
            size += len(piece)
            if end in piece:
                break
        self.data = b"".join(pieces)

    def _piece(self, size: int, is_first: bool) -> bytes:
        """The next bytes of the stream; empty at the end, and after other bytes if a read error
        follows."""
        assert self._stream is not None
        if self.fault is not None:
            if is_first:
                raise self.fault
            return b""
        try:
            piece = self._stream.read(max(_PIECE, size))
        except Error as error:
            self.fault = error
            return b""
        self.is_last = not piece
        return piece


class Cut(NamedTuple):
    """A record, or the error in its place.

    `begin` and `end` are offsets in the input, `at` and `value` offsets in `data`."""

    number: int
    begin: int
    end: int
    data: Any
    at: int
    value: Union[None, bytes, tuple[int, int]] = None
    message: Optional[tuple[str, str, int, int, str, Optional[tuple[int, int]]]] = None
    error: Optional[Error] = None
    is_lost: bool = False

    def bytes(self) -> Any:
        """The value, as a view into the data if possible."""
        if isinstance(self.value, tuple):
            return memoryview(self.data)[self.value[0] : self.value[1]]
        return self.value

    def location(self) -> tuple[int, int, int]:
        """The number of the record, and the offsets of record and value in the input; -1 for a
        value decoded from text."""
        return (
            self.number,
            self.begin,
            self.begin + self.value[0] - self.at if isinstance(self.value, tuple) else -1,
        )


def _cuts(
    window: Window, options: dict[str, Any], offset: int, number: int, position: int
) -> Iterator[Cut]:
    """The records of an input. `position` in the window is byte `offset` of the input."""
    all_framed = options.get("framed", False)
    front = memoryview(b"")
    options = {name: value for name, value in options.items() if name != "framed"}
    while True:
        data = window.data
        front = front or memoryview(data)[position : position + _PIECE]
        rows, next_position, needed, error, continues = _core.cut_records(
            data,
            start=position,
            offset=offset,
            number=number,
            count=_STEP,
            last=int(window.is_last),
            **options,
        )
        base, end = offset - position, offset
        for begin, size, value, message in rows:
            end = begin + size
            yield Cut(number, begin, end, window.data, begin - base, value, message)
            number += 1
        offset = base + next_position
        if options["framing"] == "message" and rows and not all_framed:
            all_framed = is_framed(window.data, rows[-1][0] - base)
        if (
            error is not None
            and not continues
            and all_framed
            and (size := _frame_size(window, end - base, options["record_size"]))
        ):
            position = end - base if window.data is data else 0
            error = reworded(error, f"record {number}: {without_record(error, number)}")
            yield Cut(number, end, end + size, window.data, position, error=error)
            number, offset, next_position = number + 1, end + size, position + size
        elif error is not None:
            content = _below(window.data, end - base, next_position, options) if continues else None
            if content is not None:
                yield Cut(number, end, offset, window.data, end - base, content)
            else:
                error_at = end - base
                error = _described(
                    error, number, bytes(window.data[error_at : error_at + 8]), options["framing"]
                )
                if options["framing"] == "none":
                    error = _with_looks(error, front, options["protocol"])
                yield Cut(
                    number, end, offset, window.data, error_at, error=error, is_lost=not continues
                )
            number += 1
        elif not rows:
            if window.is_last:
                return
            window.grow(next_position, needed)
            next_position = 0
        position = next_position


def is_framed(data: Any, at: int = 0) -> bool:
    """Whether the message at a position has a frame.

    Without frame it begins with a version, or with the size of a name and its letters."""
    front = bytes(data[at : at + 5])
    return (
        len(front) == 5
        and front[0] < 0x80
        and front[4] in (0x80, 0x82, 0, 10, 15, 0x16, 0x19, 0x29)
    )


def _frame_size(window: Window, at: int, max_size: int) -> int:
    """The size of the frame at a position, including its size field; 0 if it is incomplete.

    May read more of a stream, which moves the frame to 0."""
    size = 4 + int.from_bytes(window.data[at : at + 4], "big")
    if size > max_size or len(window.data) - at < 4:
        return 0
    if len(window.data) - at < size and not window.is_last:
        window.grow(at, size)
        at = 0
    return size if len(window.data) - at >= size else 0


def _described(error: Error, number: int, head: bytes, framing: str) -> Error:
    """Adds to an error the size that the first bytes of the record claim.

    HTTP gets its own error text."""
    if framing == "message":
        error = explained(error, head, f"record {number}: ")
    if framing in ("u32", "kafka", "message"):
        error.claimed = int.from_bytes(head[:4], "big")
    elif framing == "u32le":
        error.claimed = int.from_bytes(head[:4], "little")
    return error


def _with_looks(error: Error, front: memoryview, protocol: str) -> Error:
    """Adds a hint to an error of unframed structs if the input begins with a frame."""
    for framing in ("u32", "u32le", "varint"):
        protocols: list[Literal["binary", "compact"]] = ["binary", "compact"]
        for name in sorted(protocols, key=lambda candidate: candidate != protocol):
            rows, *_ = _core.cut_records(front, framing=framing, protocol=name, count=1, last=0)
            content = front[rows[0][2][0] : rows[0][2][1]] if rows and rows[0][2] else b""
            size = len(content)
            if size > 1 and _core.cut_records(content, protocol=name, count=1)[1] == size:
                description = f"the data looks like framed {name.capitalize()}"
                error = reworded(error, f"{error.args[0]} ({description})")
                error.option = ("framing", framing)
                return error
    return error


def cuts_of(data: Any, framing: str, is_last: bool) -> Iterator[Cut]:
    """The records of bytes, as Binary. is_last: false if the bytes are the beginning of a longer
    input."""
    window = Window(data, None if is_last else _packed.Unpacked(io.BytesIO(), "none"))
    return _cuts(
        window,
        {"framing": framing, "protocol": "binary", "depth": 64, "record_size": len(data) + 1},
        0,
        0,
        0,
    )


def _list_cuts(
    window: Window, options: dict[str, Any], offset: int, number: int, position: int
) -> Iterator[Cut]:
    """The elements of a list or set of structs that is the complete input; `offset` is 0, or that
    of an element."""
    remaining = None
    if offset == 0:
        head = _list_head(window, options["protocol"], position)
        if isinstance(head, Error):
            yield Cut(number, 0, 0, window.data, position, error=head, is_lost=True)
            return
        size, remaining = head
        offset, position = size, position + size
    fault = ""
    for cut in _cuts(window, {**options, "framing": "none"}, offset, number, position):
        if remaining == 0:
            fault = f"bytes follow the list (byte {cut.begin})"
            break
        yield cut
        number, offset = cut.number + 1, cut.end
        remaining = None if remaining is None else remaining - 1
    if remaining and not fault:
        fault = f"the input ends before the last {remaining} elements of the list"
    if fault:
        code = "trailing_bytes" if remaining == 0 else "truncated"
        yield Cut(
            number,
            offset,
            offset,
            window.data,
            len(window.data),
            error=DecodeError(f"record {number}: {fault}", code=code, offset=offset),
            is_lost=True,
        )


def _list_head(window: Window, protocol: str, position: int) -> Union[tuple[int, int], Error]:
    """The size of the list header, and the number of elements."""
    while len(window.data) - position < 6 and not window.is_last:
        window.grow(position, 6)
        position = 0
    head = bytes(window.data[position : position + 6])
    if protocol == "binary" and len(head) >= 5 and head[0] == 12:
        return 5, int.from_bytes(head[1:5], "big")
    if protocol == "compact" and head and head[0] & 15 == 12:
        if head[0] >> 4 < 15:
            return 1, head[0] >> 4
        ends = [index for index, byte in enumerate(head) if index > 0 and byte < 0x80]
        if ends:
            return ends[0] + 1, sum(
                (byte & 0x7F) << 7 * index for index, byte in enumerate(head[1 : ends[0] + 1])
            )
    code = "truncated" if not head else "bad_ttype"
    return DecodeError("record 0: expected a list of structs at byte 0", code=code, offset=0)


_LINES = ("base64", "hex")


def content_of(data: Any, framing: str) -> bytes:
    """The content of a frame or a line, without its framing; empty for an invalid line."""
    raw = bytes(data)
    if framing in _LINES:
        tokens = raw.split()
        return (_packed.decoded_text(tokens[-1], framing, True) if tokens else None) or b""
    if framing == "varint":
        return raw[next((index for index, byte in enumerate(raw) if byte < 0x80), 0) + 1 :]
    return raw[4:]


def _below(data: Any, at: int, end: int, options: dict[str, Any]) -> Optional[bytes]:
    """The struct of a compressed record; None if it is something else."""
    if options["framing"] == "message":
        return None
    content = content_of(memoryview(data)[at:end], options["framing"])[options.get("lead", 0) :]
    inner = _packed.decompressed_record(content, options["record_size"])
    if inner is None:
        return None
    rows, next_position, _, error, _ = _core.cut_records(
        inner, protocol=options["protocol"], depth=options["depth"], record_size=1 << 62
    )
    return inner if error is None and rows and next_position == len(inner) else None


def _line_cuts(
    window: Window, options: dict[str, Any], offset: int, number: int, position: int
) -> Iterator[Cut]:
    """Like _cuts, for records that are lines of text. Skips blank lines."""
    max_size = options["record_size"]
    data = bytes(window.data)
    while True:
        end = data.find(b"\n", position, position + max_size + 1)
        if end < 0 and len(data) - position > max_size:
            error = DecodeError(
                f"record {number} (from byte {offset}): a line of more than {max_size} bytes",
                code="size_limit",
                offset=offset,
            )
            yield Cut(number, offset, offset, data, position, error=error, is_lost=True)
            return
        if end < 0 and not window.is_last:
            window.grow_to(b"\n", position, max_size)
            data, position = bytes(window.data), 0
            continue
        end = len(data) if end < 0 else end + 1
        if end == position:
            return
        if not data[position:end].isspace():
            yield Cut(number, offset, offset + end - position, data, position, (position, end))
            number += 1
        offset += end - position
        position = end


_CUTTERS = {"lines": _line_cuts, "list": _list_cuts}


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
        inputs: Iterator[tuple[Optional[str], Window]],
        convert: Callable[[Cut, Any], Any],
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
        return f"<thriftlens.Scan{name}: {self.count} records, {self.rejected} rejected, at byte {self.offset}>"

    def pieces(self, size: int) -> Optional[Iterator[Piece]]:
        """The records in pieces of at most `size`.

        None if iteration has started, or the records are not bytes."""
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
        cuts = _CUTTERS.get(self._options["framing"], _cuts)
        for cut in cuts(window, self._options, self.offset, self.number, window.at(self.offset)):
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
        plain = self._convert is bytes_of and self._options["framing"] not in ("message", *_CUTTERS)
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
                yield _piece_of_list(cuts, values, self.file)
                cuts, values, size_held = [], [], 0
            cuts.append(cut)
            values.append(value if value is not None else self._error)
            size_held += 0 if value is None else len(value)
        if cuts:
            yield _piece_of_list(cuts, values, self.file)
        if fault is not None:
            raise fault

    def _arrays(self, window: Window, size: int) -> Iterator[Piece]:
        """Like _cuts, as arrays of records."""
        position = window.at(self.offset)
        front = memoryview(b"")
        while self.count != self._limit:
            front = front or memoryview(window.data)[position : position + _PIECE]
            max_count = size if self._limit is None else min(size, self._limit - self.count)
            base = self.offset - position
            options = {
                **self._options,
                "start": position,
                "offset": self.offset,
                "number": self.number,
                "last": int(window.is_last),
            }
            *array, location_bytes, next_position, needed, error, continues = _core.record_blobs(
                window.data, count=max_count, **options
            )
            locations = memoryview(location_bytes).cast("q")
            count = len(locations) // 3
            end = locations[-3] + locations[-2] if count else self.offset
            if count:
                piece = _piece_of_array(
                    array, locations, window.data, self.number, base, options
                )._replace(file=self.file)
                self.record, self.record_offset = self.number + count - 1, locations[-3]
                self.number, self.offset, self.count = self.number + count, end, self.count + count
                yield piece
            if error is not None:
                if options["framing"] == "none":
                    error = _with_looks(error, front, options["protocol"])
                cut = Cut(
                    self.number,
                    end,
                    base + next_position,
                    window.data,
                    end - base,
                    error=error,
                    is_lost=not continues,
                )
                content = (
                    _below(window.data, end - base, next_position, self._options)
                    if continues
                    else None
                )
                value = self._refuse(cut, error) if content is None else content
                self.number += 1
                if value is not NOTHING:
                    self.count += 1
                    yield _piece_of_list([cut], [error if value is None else value], self.file)
            elif not count:
                if window.is_last:
                    return
                window.grow(next_position, max(needed, _STRIDE))
                self.offset, position = base + next_position, 0
                continue
            self.offset, position = base + next_position, next_position

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
    if framing not in (*_LINES, "lines") or cut.at + cut.end - cut.begin != len(cut.data):
        return False
    line = bytes(cut.data[cut.at :])
    if line.endswith(b"\n"):
        return False
    if framing in _LINES:
        return error.code in ("truncated", "bad_frame")
    try:
        json.loads(line)
    except ValueError:
        return True
    return False


def _piece_of_list(cuts: list[Cut], values: list[Any], file: Optional[str]) -> Piece:
    def location(index: int) -> tuple[int, int, Any]:
        cut = cuts[index]
        return (
            cut.begin,
            cut.location()[2],
            memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin],
        )

    reported = [cut.number for cut, value in zip(cuts, values) if isinstance(value, Error)]
    return Piece(
        values, len(values), cuts[0].number, location=location, reported=reported, file=file
    )


def _piece_of_array(
    array: list[Any], locations: Any, data: Any, first: int, base: int, options: dict[str, Any]
) -> Piece:
    def location(index: int) -> tuple[int, int, Any]:
        begin, size, value = locations[3 * index : 3 * index + 3]
        return begin, value, memoryview(data)[begin - base : begin - base + size]

    return Piece(
        array,
        len(locations) // 3,
        first,
        True,
        location,
        lambda count: _core.record_blobs(data, count=count, **options)[:2],
    )


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


class _Layers(NamedTuple):
    """The compression of a source. texts: whether to detect base64 and hex."""

    compression: str
    texts: bool

    def open(self, stream: Any) -> _packed.Unpacked:
        return _packed.Unpacked(stream, self.compression, self.texts)

    def is_none(self, data: memoryview) -> bool:
        return self.compression == "none" or (
            self.compression == "auto" and _packed.layer_of_all(data, self.texts) == "none"
        )


def _open_files(paths: Sequence[str], packed: _Layers) -> Iterator[tuple[Optional[str], Window]]:
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


def _inputs_of(source: Any, packed: _Layers) -> Iterator[tuple[Optional[str], Window]]:
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


def _inputs_of_items(source: Any, packed: _Layers) -> Iterator[tuple[Optional[str], Window]]:
    """The inputs of an iterable of paths, or of chunks of one stream."""
    if not isinstance(source, collections.abc.Iterable):
        raise TypeError(
            f"scan() expects a path, bytes, a file object or an iterable of these, not {type(source).__name__}"
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


def _converter(
    type_: Union[Type, Service, Schema, None],
    to: str,
    select: Any,
    options: dict[str, Any],
    lines: bool = False,
) -> Callable[[Cut, Any], Any]:
    """A function that makes the value of a record in a protocol. lines: the records are texts of
    Apache's JSON protocol."""
    if to == "message":
        _refuse_options(
            options if select is None else {"select": select, **options},
            'not supported with to="message"',
        )
        services = services_of(None if isinstance(type_, Type) else type_)
        if lines:
            return lambda cut, protocol: read_message(bytes(cut.bytes()), services)
        return lambda cut, protocol: message_of(cut.message, bytes(cut.bytes()), services, cut.data)
    if to == "bytes" and select is None:
        _refuse_options(options, 'not supported with to="bytes"')
        return bytes_of
    if not isinstance(type_, Type):
        raise TypeError(f"scan(): to={to!r} needs a type")
    if lines:
        value_type, depth = type_, options.get("depth", 64)
        convert_binary = _converter(type_, to, select, options)

        def convert(cut: Cut, protocol: Any) -> Any:
            data = _core.convert(
                cut.bytes(), source="tjson", target="binary", type=value_type, depth=depth
            )
            return convert_binary(cut._replace(data=data, value=(0, len(data))), "binary")

        return convert
    if to == "json":
        return lambda cut, protocol: type_.to_json(
            cut.bytes(), protocol=protocol, select=select, **options
        )
    if to == "bytes":
        return lambda cut, protocol: type_.trim(cut.bytes(), select, protocol=protocol, **options)
    decode: Callable[..., Any] = {"view": type_.view, "dict": type_.decode}[to]
    if select is None:
        return lambda cut, protocol: decode(cut.bytes(), protocol=protocol, **options)
    options.setdefault("missing_required", "omit")
    return lambda cut, protocol: decode(
        type_.trim(cut.bytes(), select, protocol=protocol), protocol=protocol, **options
    )


def bytes_of(cut: Cut, protocol: Any) -> bytes:
    """The bytes of a record."""
    return bytes(cut.bytes())


_FRAMINGS = (
    "none",
    "u32",
    "u32le",
    "varint",
    "kafka",
    "base64",
    "hex",
    "message",
    "framed",
    "list",
    "lines",
)


def _refuse_options(options: dict[str, Any], reason: str) -> None:
    if options:
        raise TypeError(f"scan(): {', '.join(options)}: {reason}")


def _check_choice(name: str, value: Any, values: Iterable[str]) -> None:
    if value not in values:
        raise ValueError(
            f"scan(): unknown {name} {value!r}; expected {', '.join(map(repr, values))}"
        )


def scan(
    source: Source,
    type: Union[Type, Service, Schema, None] = None,
    *,
    framing: str = "none",
    protocol: str = "binary",
    to: Optional[str] = None,
    select: Any = None,
    compression: str = "auto",
    on_error: OnError = "raise",
    cut_end: str = "error",
    start: int = 0,
    number: int = 0,
    limit: Optional[int] = None,
    record_size: int = 1 << 28,
    lead: int = 0,
    depth: int = 64,
    **options: Any,
) -> Scan:
    """Iterates over the records of a source. Keeps one piece of the source and one record in
    memory.

    source: a path or a pattern such as "logs/*.bin"; bytes; a file object; or an iterable of paths,
        or of bytes, which are chunks of one stream.
    type: the type of the records; for messages their service, or the schema of their services.
        Optional for to="bytes" and to="message".
    framing: "none" (structs back to back), "u32", "u32le" or "varint" (size prefix), "kafka" (u32;
        size -1 is a null record, returned as None), "base64" or "hex" (one record per line: its
        last word, after text such as a log's time and names), "message" (RPC messages, framed or
        not; the record is the struct after the header), "framed" (messages that all have a frame,
        so reading continues after an invalid one; "message" does so after the first framed
        message), "list" (one list of structs that is the complete input), "lines" (lines of text:
        only with protocol="tjson", Apache's JSON protocol; to="message" for messages).
    to: "view"; "dict", as from decode; "json", as from to_json; "bytes"; or "message", the default
        for messages.
    select: a selection to apply to every record.
    lead: bytes to skip before every value: 5 for Confluent's serializers, which write a zero byte
        and a schema id.
    compression: "auto" detects it, also in several layers; or "none", "gzip", "bzip2", "xz",
        "zstd", "zlib", or for a complete text "base64" (wrapped or not) or "hex". Records that are
        compressed individually are always decompressed.
    on_error: "raise"; "skip" drops invalid records; "null" returns None for them; a function is
        called with a Rejected, and its result, unless None, replaces the record. If the end of a
        record is unknown (framing "none", or a truncated frame), the error is always raised.
    cut_end: "error" raises if the source ends inside a record or a compressed block; "drop" stops
        there (see Scan.cut_ends).
    start, number: the offset to start at, and the number of the record there (Scan.offset and
        Scan.number of an earlier scan).
    limit: maximum number of records. record_size: maximum size of a record. options: those of view,
        decode, to_json or trim.

    Errors: DecodeError and the errors of view, decode, to_json and trim, with `record`,
        `record_offset` and the `offset` in the source.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }").Point
    >>> data = b"".join(Point.encode({"x": x}) for x in range(3))
    >>> [point.x for point in tl.scan(data, Point)]
    [0, 1, 2]
    >>> list(tl.scan(data, Point, to="json", start=8, number=1))
    [b'{"x":1}', b'{"x":2}']
    """
    all_framed, framing = framing == "framed", "message" if framing == "framed" else framing
    is_message = framing == "message" and (to is None or to == "message")
    to = "message" if is_message else to or "view"
    is_lines = framing == "lines" or protocol == "tjson"
    _check_choice("framing", framing, _FRAMINGS)
    if is_lines and (framing, protocol) != ("lines", "tjson"):
        raise ValueError('scan(): framing="lines" and protocol="tjson" need each other')
    _check_choice(
        "to",
        to,
        ("message",)
        if is_message
        else ("view", "dict", "json", "bytes", *(["message"] if is_lines else [])),
    )
    _check_choice("compression", compression, _packed.COMPRESSIONS)
    if not callable(on_error):
        _check_choice("on_error", on_error, ("raise", "skip", "null"))
    _check_choice("cut_end", cut_end, ("error", "drop"))
    if min(start, number, 0 if limit is None else limit) < 0:
        raise ValueError("scan(): start, number and limit must not be negative")
    cut_options: dict[str, Any] = {
        "framing": framing,
        "protocol": protocol,
        "depth": depth,
        "record_size": record_size,
        "lead": lead,
    }
    probe_options = (
        {"framing": "hex", "protocol": "binary"}
        if is_lines
        else {"framing": "none"}
        if framing == "list"
        else {}
    )
    _core.cut_records(
        b"", **{**cut_options, **probe_options}
    )  # raises for invalid options now, not at the first record
    if all_framed:
        cut_options["framed"] = True
    if depth != 64 and to not in ("bytes", "message"):
        options["depth"] = depth
    layers = _Layers(compression, texts=framing not in (*_LINES, "lines"))
    return Scan(
        _inputs_of(source, layers),
        _converter(type, to, select, options, is_lines),
        cut_options,
        on_error,
        start,
        number,
        limit,
        cut_end,
    )
