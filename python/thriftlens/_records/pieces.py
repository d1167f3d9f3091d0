"""Records side by side, as a scan finds them and columns read them."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Sequence

from .._errors import Error, in_file, in_record


class Rejected(NamedTuple):
    """A record that could not be read: its number, where it begins in the input, its bytes with what frames them, why, and the file of a scan over files."""

    number: int
    offset: int
    data: bytes
    error: Error
    file: Optional[str] = None


class Piece(NamedTuple):
    """Records side by side, for columns: capsules of an Arrow array of them and its schema, or a list, in which errors stand for what could not be found.
    `first` is the number of the first, and `place` says where one lies; without it nobody knows."""

    records: Any
    size: int
    first: int
    is_array: bool = False
    place: Optional[Callable[[int], tuple[int, int, Any]]] = None
    """Of a record, counted from the first: its first byte in the input, that of its value or -1, its bytes with what frames them."""
    cut: Optional[Callable[[int], Any]] = None
    """An array of the first so many records."""
    told: Sequence[int] = ()
    """Numbers of those that stand as errors."""
    file: Optional[str] = None

    def up_to(self, count: int) -> Any:
        """The first so many records."""
        return self.records[:count] if self.cut is None else self.cut(count)

    def rejected(self, number: int, error: Error) -> Rejected:
        """What is known of a record that cannot be read."""
        if self.place is None:
            return Rejected(number, -1, b"", error)
        begin, value, data = self.place(number - self.first)
        error.record = None
        in_file(in_record(error, (number, begin, value)), self.file)
        error.resume = begin + len(data)
        return Rejected(number, begin, bytes(data), error, self.file)


class Batch:
    """A schema and an array of it, as capsules, for whoever takes Arrow's arrays."""

    def __init__(self, schema: Any, array: Any):
        self._held = schema, array

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        return self._held
