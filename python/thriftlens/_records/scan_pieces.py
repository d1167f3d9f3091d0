"""Pieces of a scan for columns: lists of records, and arrays."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from .. import _core
from .._errors import Error
from .cuts import Cut
from .pieces import Piece


def piece_of_list(cuts: list[Cut], values: list[Any], file: Optional[str]) -> Piece:
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


def piece_of_array(
    array: tuple[Any, Any],
    locations: Any,
    data: Any,
    first: int,
    base: int,
    options: Mapping[str, Any],
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
