"""Pieces of a scan for columns: lists of records, and arrays."""

from __future__ import annotations

from typing import Optional, Sequence

from .. import _core
from .._errors import Error
from .._typing import ArrayCapsules, Data
from .cuts import Cut, Options
from .pieces import Piece


def reason_of(error: Error) -> Error:
    """An error without its position in the input, in place of a record that cannot be read."""
    text = error.detail if error.path is None else f"{error.detail} at {error.path}"
    return Error(text, code=error.code)


def piece_of_list(cuts: list[Cut], values: list[object], file: Optional[str]) -> Piece:
    def location(index: int) -> tuple[int, int, Data]:
        cut = cuts[index]
        return cut.begin, cut.location()[2], cut.framed()

    reported = [cut.number for cut, value in zip(cuts, values) if isinstance(value, Error)]
    return Piece(
        values, len(values), cuts[0].number, location=location, reported=reported, file=file
    )


def piece_of_array(
    array: ArrayCapsules,
    locations: Sequence[int],
    data: Data,
    first: int,
    base: int,
    options: Options,
) -> Piece:
    def location(index: int) -> tuple[int, int, Data]:
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
