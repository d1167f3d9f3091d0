"""Records cut from bytes, by their framing."""

from __future__ import annotations

import io
from typing import Any, Callable, Iterator, Literal, Mapping, NamedTuple, Optional, Union

from .. import _core
from .._errors import DecodeError, Error, reworded
from .._rpc.message import explained, without_record
from .compression import Unpacked, decoded_text, decompressed_record
from .sources import PIECE, Window

_STEP = 1 << 10  # records located at a time
TEXT_FRAMINGS = ("base64", "hex")
Options = Mapping[str, Any]


class Cut(NamedTuple):
    """A record, or the error in its place. `begin` and `end` are offsets in the input, `at` and
    `value` offsets in `data`."""

    number: int
    begin: int
    end: int
    data: Any
    at: int
    value: Union[None, bytes, tuple[int, int]] = None
    message: Optional[_core.RecordMessage] = None
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


Converter = Callable[[Cut, Any], Any]
"""Makes the value of a record in a protocol."""


def bytes_of(cut: Cut, protocol: Any) -> bytes:
    """The bytes of a record."""
    return bytes(cut.bytes())


class _Cutter:
    """The records of an input. `position` in the window is byte `offset` of the input."""

    def __init__(self, window: Window, options: Options, offset: int, number: int, position: int):
        self._window = window
        self._options = {name: value for name, value in options.items() if name != "framed"}
        self._all_framed = options.get("framed", False)
        self._offset, self._number, self._position = offset, number, position
        self._front = memoryview(b"")

    def __iter__(self) -> Iterator[Cut]:
        window, options = self._window, self._options
        while True:
            data, position = window.data, self._position
            self._front = self._front or memoryview(data)[position : position + PIECE]
            cut = _core.cut_records(
                data,
                start=position,
                offset=self._offset,
                number=self._number,
                count=_STEP,
                last=int(window.is_last),
                **options,
            )
            base, end = self._offset - position, self._offset
            for begin, size, value, message in cut.rows:
                end = begin + size
                yield Cut(self._number, begin, end, data, begin - base, value, message)
                self._number += 1
            if options["framing"] == "message" and cut.rows and not self._all_framed:
                self._all_framed = is_framed(data, cut.rows[-1][0] - base)
            self._offset, self._position = base + cut.next, cut.next
            if cut.error is not None:
                yield self._framed_fault(cut.error, cut.can_continue, end, base) or self._fault(
                    cut.error, cut.can_continue, end, base
                )
                self._number += 1
            elif not cut.rows:
                if window.is_last:
                    return
                window.grow(cut.next, cut.needed)
                self._position = 0

    def _framed_fault(self, error: Error, continues: bool, end: int, base: int) -> Optional[Cut]:
        """The invalid message at `end` in a frame, after which reading continues; None if reading
        continues anyway or there is no complete frame."""
        if continues or not self._all_framed:
            return None
        data, at = self._window.data, end - base
        size = _frame_size(self._window, at, self._options["record_size"])
        if size == 0:
            return None
        if self._window.data is not data:
            at = 0
        self._offset, self._position = end + size, at + size
        error = reworded(error, f"record {self._number}: {without_record(error, self._number)}")
        return Cut(self._number, end, end + size, self._window.data, at, error=error)

    def _fault(self, error: Error, continues: bool, end: int, base: int) -> Cut:
        """The bytes from `end` to the current offset: a compressed record, or the error."""
        data, at, options = self._window.data, end - base, self._options
        if continues:
            content = compressed_content(data, at, self._position, options)
            if content is not None:
                return Cut(self._number, end, self._offset, data, at, content)
        error = _described(error, self._number, bytes(data[at : at + 8]), options["framing"])
        if options["framing"] == "none":
            error = with_framing_hint(error, self._front, options["protocol"])
        return Cut(self._number, end, self._offset, data, at, error=error, is_lost=not continues)


def _cuts(
    window: Window, options: Options, offset: int, number: int, position: int
) -> Iterator[Cut]:
    """The records of an input. `position` in the window is byte `offset` of the input."""
    return iter(_Cutter(window, options, offset, number, position))


def is_framed(data: Any, at: int = 0) -> bool:
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


def _described(error: Error, number: int, head: bytes, framing: str) -> Error:
    """Adds to an error the size that the first bytes of the record claim. HTTP gets its own error
    text."""
    if framing == "message":
        error = explained(error, head, f"record {number}: ")
    if framing in ("u32", "kafka", "message"):
        error.claimed = int.from_bytes(head[:4], "big")
    elif framing == "u32le":
        error.claimed = int.from_bytes(head[:4], "little")
    return error


def with_framing_hint(error: Error, front: memoryview, protocol: str) -> Error:
    """Adds a hint to an error of unframed structs if the input begins with a frame."""
    for framing in ("u32", "u32le", "varint"):
        protocols: list[Literal["binary", "compact"]] = ["binary", "compact"]
        for name in sorted(protocols, key=lambda candidate: candidate != protocol):
            rows = _core.cut_records(front, framing=framing, protocol=name, count=1, last=0).rows
            content = front[rows[0][2][0] : rows[0][2][1]] if rows and rows[0][2] else b""
            size = len(content)
            if size > 1 and _core.cut_records(content, protocol=name, count=1).next == size:
                description = f"the data looks like framed {name.capitalize()}"
                error = reworded(error, f"{error.args[0]} ({description})")
                error.option = ("framing", framing)
                return error
    return error


def cuts_of(data: Any, framing: str, is_last: bool) -> Iterator[Cut]:
    """The records of bytes, as Binary. is_last: false if the bytes are the beginning of a longer
    input."""
    window = Window(data, None if is_last else Unpacked(io.BytesIO(), "none"))
    return _cuts(
        window,
        {"framing": framing, "protocol": "binary", "depth": 64, "record_size": len(data) + 1},
        0,
        0,
        0,
    )


def _list_cuts(
    window: Window, options: Options, offset: int, number: int, position: int
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


def content_of(data: Any, framing: str) -> bytes:
    """The content of a frame or a line, without its framing; empty for an invalid line."""
    raw = bytes(data)
    if framing in TEXT_FRAMINGS:
        tokens = raw.split()
        return (decoded_text(tokens[-1], framing, True) if tokens else None) or b""
    if framing == "varint":
        return raw[next((index for index, byte in enumerate(raw) if byte < 0x80), 0) + 1 :]
    return raw[4:]


def compressed_content(data: Any, at: int, end: int, options: Options) -> Optional[bytes]:
    """The struct of a compressed record; None if it is something else."""
    if options["framing"] == "message":
        return None
    content = content_of(memoryview(data)[at:end], options["framing"])[options.get("lead", 0) :]
    inner = decompressed_record(content, options["record_size"])
    if inner is None:
        return None
    cut = _core.cut_records(
        inner, protocol=options["protocol"], depth=options["depth"], record_size=1 << 62
    )
    return inner if cut.error is None and cut.rows and cut.next == len(inner) else None


def _line_cuts(
    window: Window, options: Options, offset: int, number: int, position: int
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


_CUTTERS: dict[str, Callable[[Window, Options, int, int, int], Iterator[Cut]]] = {
    "lines": _line_cuts,
    "list": _list_cuts,
}


def has_own_cutter(framing: str) -> bool:
    """Whether the records are cut by Python: lines of text and elements of a list."""
    return framing in _CUTTERS


def cuts_in(
    window: Window, options: Options, offset: int, number: int, position: int
) -> Iterator[Cut]:
    """The records of an input in the framing of the options. `position` in the window is byte
    `offset` of the input, where record `number` begins."""
    return _CUTTERS.get(options["framing"], _cuts)(window, options, offset, number, position)
