"""Records cut from bytes, by their framing."""

from __future__ import annotations

import functools
import io
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Optional, Union

from .. import _core
from .._errors import Error
from .._rpc.message import explained
from .._typing import Data, Value, WireProtocol
from .compression import Unpacked, decompressed_record
from .framing import SIZED_FRAMINGS, content_of
from .sources import Window

_STEP = 1 << 10  # records located at a time

Options = Mapping[str, Any]
"""Options of _core.cut_records, and `framed`: all messages have a frame."""


_Row = tuple[int, int, Union[None, bytes, tuple[int, int]], Optional[_core.RecordMessage]]


class Cut(NamedTuple):
    """A record, or the error in its place. `begin` and `end` are offsets in the input, `at` and
    `value` offsets in `data`."""

    number: int
    begin: int
    end: int
    data: Data
    at: int
    value: Union[None, bytes, tuple[int, int]] = None
    message: Optional[_core.RecordMessage] = None
    error: Optional[Error] = None
    is_lost: bool = False

    def bytes(self) -> Data:
        """The value, as a view into the data if possible."""
        if isinstance(self.value, tuple):
            return memoryview(self.data)[self.value[0] : self.value[1]]
        return self.value or b""

    def framed(self) -> memoryview:
        """The record with its framing."""
        return memoryview(self.data)[self.at : self.at + self.end - self.begin]

    def location(self) -> tuple[int, int, int]:
        """The number of the record, and the offsets of record and value in the input; -1 for a
        value decoded from text."""
        return (
            self.number,
            self.begin,
            self.begin + self.value[0] - self.at if isinstance(self.value, tuple) else -1,
        )


Converter = Callable[[Cut, WireProtocol], Value]
"""Makes the value of a record in a protocol."""


class TypeReader:
    """A Converter that only needs the bytes of a record, by a method of a type."""

    def __init__(self, method: Callable[..., Value], options: Options, gives_views: bool = False):
        self._method, self._options = method, options
        self.gives_views = gives_views

    def reader(self, protocol: WireProtocol) -> Callable[[Data], Value]:
        """The method with its options."""
        options = self._options if protocol == "binary" else {"protocol": protocol, **self._options}
        return functools.partial(self._method, **options) if options else self._method

    def __call__(self, cut: Cut, protocol: WireProtocol) -> Value:
        return self._method(cut.bytes(), protocol=protocol, **self._options)


def bytes_of(cut: Cut, protocol: WireProtocol) -> bytes:
    """The bytes of a record."""
    return bytes(cut.bytes())


class Block(NamedTuple):
    """Consecutive records in `data`, which begins at offset `base` of the input."""

    number: int
    data: Data
    base: int
    rows: list[_Row]

    def cuts(self) -> Iterator[Cut]:
        number, data, base, rows = self
        for number, (begin, size, value, message) in enumerate(rows, number):
            yield Cut(number, begin, begin + size, data, begin - base, value, message)


class _Cutter:
    """The records of an input. `position` in the window is byte `offset` of the input."""

    def __init__(self, window: Window, options: Options, offset: int, number: int, position: int):
        self._window = window
        self._options = {name: value for name, value in options.items() if name != "framed"}
        self._all_framed = options.get("framed", False)
        self._offset, self._number, self._position = offset, number, position

    def blocks(self) -> Iterator[Union[Block, Cut]]:
        """Records of the window, and the errors between them."""
        window = self._window
        while True:
            data, end, base = window.data, self._offset, self._offset - self._position
            located = self._locate()
            if located.rows:
                yield Block(self._number, data, base, located.rows)
                self._number += len(located.rows)
                end = located.rows[-1][0] + located.rows[-1][1]
            if located.rows and self._options["framing"] == "message" and not self._all_framed:
                self._all_framed = is_framed(data, located.rows[-1][0] - base)
            self._offset, self._position = base + located.next, located.next
            if located.error is not None:
                yield self._faulty(located.error, located.can_continue, end, base)
                self._number += 1
            elif not located.rows:
                if window.is_last:
                    return
                window.grow(located.next, located.needed)
                self._position = 0

    def _locate(self) -> _core.CutRecords:
        """The next records in the window."""
        data, position = self._window.data, self._position
        return _core.cut_records(
            data,
            start=position,
            offset=self._offset,
            number=self._number,
            count=_STEP,
            last=int(self._window.is_last),
            **self._options,
        )

    def _faulty(self, error: Error, continues: bool, end: int, base: int) -> Cut:
        """The bytes from `end` in place of a record."""
        cut = self._framed_fault(error, end, base) if self._all_framed and not continues else None
        return cut or self._fault(error, continues, end, base)

    def _framed_fault(self, error: Error, end: int, base: int) -> Optional[Cut]:
        """The invalid message at `end` in a frame, after which reading continues; None if there is
        no complete frame."""
        data, at = self._window.data, end - base
        size = _frame_size(self._window, at, self._options["record_size"])
        if size == 0:
            return None
        if self._window.data is not data:
            at = 0
        self._offset, self._position = end + size, at + size
        error.hint = None
        return Cut(self._number, end, end + size, self._window.data, at, error=error)

    def _fault(self, error: Error, continues: bool, end: int, base: int) -> Cut:
        """The bytes from `end` to the current offset: a compressed record, or the error."""
        data, at, options = self._window.data, end - base, self._options
        if continues:
            content = compressed_content(data, at, self._position, options)
            if content is not None:
                return Cut(self._number, end, self._offset, data, at, content)
        error = _described(error, bytes(data[at : at + 16]), options["framing"])
        return Cut(self._number, end, self._offset, data, at, error=error, is_lost=not continues)


def framed_blocks(
    window: Window, options: Options, offset: int, number: int, position: int
) -> Iterator[Union[Block, Cut]]:
    """The records of an input. `position` in the window is byte `offset` of the input."""
    return _Cutter(window, options, offset, number, position).blocks()


def framed_cuts(
    window: Window, options: Options, offset: int, number: int, position: int
) -> Iterator[Cut]:
    """Like framed_blocks, one record at a time."""
    for block in framed_blocks(window, options, offset, number, position):
        yield from (block,) if isinstance(block, Cut) else block.cuts()


def is_framed(data: Data, at: int = 0) -> bool:
    """Whether the message at a position has a frame. Without frame it begins with a version, or
    with the size of a name and its letters."""
    front = bytes(data[at : at + 5])
    return (
        len(front) == 5
        and front[0] < 0x80
        and front[4] in (0x80, 0x82, 0, 10, 15, 0x16, 0x19, 0x29)
    )


def _frame_size(window: Window, at: int, max_size: int) -> int:
    """The size of the frame at a position, including its size field; 0 if it is incomplete. May
    read more of a stream, which moves the frame to 0."""
    size = 4 + int.from_bytes(window.data[at : at + 4], "big")
    if size > max_size or len(window.data) - at < 4:
        return 0
    if len(window.data) - at < size and not window.is_last:
        window.grow(at, size)
        at = 0
    return size if len(window.data) - at >= size else 0


def _described(error: Error, head: bytes, framing: str) -> Error:
    """Adds to an error the size that the first bytes of the record claim. HTTP gets its own error
    text."""
    if framing == "message":
        error, framing = explained(error, head), "u32"
    if framing in SIZED_FRAMINGS and (frame := _core.read_frame(head, framing=framing)):
        error.claimed = frame.end - frame.begin
    return error


def _is_struct(data: Data, options: Options) -> bool:
    """Whether the bytes are exactly one struct."""
    located = _core.cut_records(data, count=1, **options)
    return located.error is None and bool(located.rows) and located.next == len(data)


def cuts_of(data: Data, framing: str, is_last: bool) -> Iterator[Cut]:
    """The records of bytes, as Binary. is_last: false if the bytes are the beginning of a longer
    input."""
    window = Window(data, None if is_last else Unpacked(io.BytesIO(), "none"))
    return framed_cuts(
        window,
        {"framing": framing, "protocol": "binary", "depth": 64, "record_size": len(data) + 1},
        0,
        0,
        0,
    )


def compressed_content(data: Data, at: int, end: int, options: Options) -> Optional[bytes]:
    """The struct of a compressed record; None if it is something else."""
    if options["framing"] == "message":
        return None
    content = content_of(bytes(memoryview(data)[at:end]), options["framing"])[
        options.get("prefix_size", 0) :
    ]
    inner = decompressed_record(content, options["record_size"])
    if inner is None:
        return None
    struct_options = {"protocol": options["protocol"], "depth": options["depth"]}
    return inner if _is_struct(inner, {**struct_options, "record_size": 1 << 62}) else None
