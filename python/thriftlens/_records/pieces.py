"""Consecutive records of a scan, as read by columns."""

from __future__ import annotations

from typing import Callable, NamedTuple, Optional, Sequence, Union

from .._errors import Error, in_file, in_record
from .._typing import ArrayCapsules, Data


class Rejected(NamedTuple):
    """An invalid record: its number, offset in the input, bytes with framing, error, and file in a
    scan over files."""

    number: int
    offset: int
    data: bytes
    error: Error
    file: Optional[str] = None


Records = Union[ArrayCapsules, Sequence[object]]


class Piece(NamedTuple):
    """Consecutive records for columns: an array of them, or a list with errors in place of invalid
    records.

    first: the number of the first record."""

    records: Records
    size: int
    first: int
    is_array: bool = False
    location: Optional[Callable[[int], tuple[int, int, Data]]] = None
    """The offset of a record, that of its value or -1, and its bytes with framing; by its index
    in the piece. None: not known."""
    cut: Optional[Callable[[int], ArrayCapsules]] = None
    """An array of the first records."""
    reported: Sequence[int] = ()
    """Numbers of the invalid records."""
    file: Optional[str] = None
    explain: Optional[Callable[[Error], object]] = None
    """Adds what the format of the input implies to an error."""

    def up_to(self, count: int) -> Records:
        """The first `count` records."""
        return self.records[:count] if self.cut is None else self.cut(count)

    def rejected(self, number: int, error: Error) -> Rejected:
        """The description of an invalid record."""
        if self.location is None:
            return Rejected(number, -1, b"", error)
        offset, value, data = self.location(number - self.first)
        error.record = None
        in_file(in_record(error, (number, offset, value)), self.file)
        error.resume = offset + len(data)
        return Rejected(number, offset, bytes(data), error, self.file)


class Batch:
    """An Arrow array, exported as capsules of the schema and the data."""

    def __init__(self, schema: object, array: object):
        self._held = schema, array

    def __arrow_c_array__(self, requested_schema: object = None) -> ArrayCapsules:
        return self._held
