"""Cutters of records by framing; those of lines of text and of the elements of a list."""

from __future__ import annotations

from typing import Callable, Iterator, Optional, Union

from .._errors import DecodeError, Error, in_record, of_record
from .._typing import ErrorCode
from .cuts import Cut, Options, framed_cuts
from .sources import Window


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
        offset, remaining = head
        position += offset
    for cut in framed_cuts(window, {**options, "framing": "none"}, offset, number, position):
        if remaining == 0:
            text = f"bytes follow the list (byte {cut.begin})"
            yield _list_fault(window, cut.number, offset, text, "trailing_bytes")
            return
        yield cut
        number, offset = cut.number + 1, cut.end
        remaining = None if remaining is None else remaining - 1
    if remaining:
        text = f"the input ends in the middle of the list: {remaining} elements are missing"
        yield _list_fault(window, number, offset, text, "truncated")


def _list_fault(window: Window, number: int, offset: int, text: str, code: ErrorCode) -> Cut:
    error = of_record(DecodeError(text, code=code, offset=offset), number)
    return Cut(number, offset, offset, window.data, len(window.data), error=error, is_lost=True)


def _list_head(window: Window, protocol: str, position: int) -> Union[tuple[int, int], Error]:
    """The size of the list header, and the number of elements."""
    while len(window.data) - position < 6 and not window.is_last:
        window.grow(position, 6)
        position = 0
    data = bytes(window.data[position : position + 6])
    head = _binary_list_head(data) if protocol == "binary" else _compact_list_head(data)
    if head is not None:
        return head
    code: ErrorCode = "truncated" if not data else "bad_ttype"
    text = "expected a list of structs at byte 0"
    return of_record(DecodeError(text, code=code, offset=0), 0)


def _binary_list_head(data: bytes) -> Optional[tuple[int, int]]:
    if len(data) < 5 or data[0] != 12:
        return None
    return 5, int.from_bytes(data[1:5], "big")


def _compact_list_head(data: bytes) -> Optional[tuple[int, int]]:
    if not data or data[0] & 15 != 12:
        return None
    if data[0] >> 4 < 15:
        return 1, data[0] >> 4
    end = next((index for index, byte in enumerate(data) if index > 0 and byte < 0x80), None)
    if end is None:
        return None
    return end + 1, sum((byte & 0x7F) << 7 * index for index, byte in enumerate(data[1 : end + 1]))


def _line_cuts(
    window: Window, options: Options, offset: int, number: int, position: int
) -> Iterator[Cut]:
    """The lines of text as records. Skips blank lines."""
    max_size = options["record_size"]
    data = bytes(window.data)
    while True:
        end = data.find(b"\n", position, position + max_size + 1)
        if end < 0 and len(data) - position > max_size:
            error = _long_line(number, offset, max_size)
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


def _long_line(number: int, offset: int, max_size: int) -> Error:
    text = f"a line exceeds the limit of {max_size} bytes"
    return in_record(DecodeError(text, code="size_limit"), (number, offset, -1))


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
    return _CUTTERS.get(options["framing"], framed_cuts)(window, options, offset, number, position)
