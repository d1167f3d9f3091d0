"""Columns: Thrift records as Arrow data, by Arrow's PyCapsule interface."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Union

from .. import _core
from .._errors import Error
from .._errors.bounds import IntegerRange
from .._text import did_you_mean
from .._typing import ArrayCapsules, ArrowArray, ArrowStream, Selection
from .pieces import Piece, Records, Rejected

if TYPE_CHECKING:
    import numpy

Source = Union[Iterable[object], ArrowStream, ArrowArray, "Restartable"]
"""Records: bytes or views, or an Arrow column."""


def reader_of(
    function: str, type_: _core.Type, select: Selection, options: Mapping[str, Any]
) -> _core.ColumnReader:
    """The reader with the options of a function, which errors name."""
    try:
        return type_._column_reader(select, **options)
    except TypeError:
        known = _core.signatures()["_column_reader"]
        for name in options.keys() - known.keys():
            text = f"{function}() got an unexpected keyword argument {name!r}"
            raise TypeError(f"{text}{did_you_mean(name, known)}") from None
        raise


class RejectedRow(NamedTuple):
    """A record without a row of its own: its number, the error, and its file if the records come
    from files."""

    record: int
    error: Error
    file: Optional[str] = None


class RejectedRows(List[RejectedRow]):
    """The first records without a row of their own, and their total number."""

    MAX_ROWS = 1000
    total = 0

    def add(self, row: RejectedRow) -> None:
        """Counts a record, and stores it if it is one of the first MAX_ROWS."""
        self.total += 1
        if len(self) < self.MAX_ROWS:
            self.append(row)


class Columns:
    """Records as columns, readable by Arrow libraries through `__arrow_c_stream__`.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: required i32 x, 2: optional string label }")["Point"]
    >>> columns = Point.columns([Point.encode({"x": 1}), Point.encode({"x": 2, "label": "b"})])
    >>> columns.num_rows
    2

    `pyarrow.table(columns)`, `polars.DataFrame(columns)`, `duckdb.sql("select … from columns")` and
    `pandas.DataFrame.from_arrow(columns)` accept it. Batches are read on demand; if the records can
    be read only once, so can the batches.
    """

    def __init__(self, reader: _core.ColumnReader, records: Source, batch_size: int, threads: int):
        self._reader = reader
        self._records = records
        IntegerRange(1, 1 << 30).check("batch_size", batch_size)
        self._batch_size = batch_size * threads
        self._rows: Optional[int] = None
        self._started = False
        self._on_reject: Callable[[Rejected], None] = self._add_rejected
        self.rejected = RejectedRows()
        """The first 1000 records without a row of their own; `rejected.total` is their total
        number."""

    def __repr__(self) -> str:
        rows = "" if self._rows is None else f", {self._rows} rows"
        return f"<thriftlens.Columns of {self.schema_text()}{rows}>"

    def schema_text(self) -> str:
        """The names and Arrow types of the columns."""
        return schema_text(self._reader)

    @property
    def num_rows(self) -> int:
        """The number of rows. Reads all records unless they were read before; the records must be
        readable repeatedly."""
        if self._rows is None:
            for _ in self.batches():
                pass
        assert self._rows is not None
        return self._rows

    def __arrow_c_schema__(self) -> object:
        """A capsule of the ArrowSchema: a struct whose children are the columns."""
        return self._reader.schema()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A capsule of an ArrowArrayStream of record batches. `requested_schema` is ignored, as
        Arrow allows."""
        return _core.arrow_stream(self._reader.schema, self.batches())

    def batches(self) -> Iterator[object]:
        """Iterates over capsules of ArrowArray.

        Errors: those of reading a record, with its number in `record`."""
        records = self._begin()
        rows = 0
        for piece in _pieces(records, self._batch_size):
            for array in self._arrays(piece):
                rows += _core.arrow_length(array)
                yield array
        self._rows = rows

    def to_numpy(self, path: str, *, fill: object = None) -> numpy.ndarray[Any, Any]:
        """The values at a path in all rows as a NumPy array: `columns.to_numpy("user.id")`,
        `columns.to_numpy("items[*].price")`.

        Numbers have their own dtype; `[*]` concatenates the elements of all rows. Strings,
        binaries, uuids, enum names and lists are objects. Null objects are None; null numbers
        result in a masked array, or are replaced by `fill`. A single batch is not copied.

        Raises Error for paths of other kinds, and the errors of batches(); ImportError without
        NumPy.

        >>> import thriftlens as tl
        >>> Point = tl.loads("struct Point { 1: i32 x, 2: optional i32 y }")["Point"]
        >>> columns = Point.columns([Point.encode({"x": 1}), Point.encode({"x": 2, "y": 5})])
        >>> columns.to_numpy("x").tolist(), columns.to_numpy("y", fill=-1).tolist()
        ([1, 2], [-1, 5])
        """
        from .._schema.numpy import column_of

        return column_of(self._reader.schema(), self.batches(), path, fill)

    def _arrays(self, piece: Piece) -> Iterator[object]:
        """The rows of a piece. If a record stops the columns, the rows before it and then its
        error."""
        try:
            arrays, rejected = self._read(piece, piece.records)
        except Error as error:
            if error.record is None or piece.location is None:
                raise
            stop = error
        else:
            for record, _, reason in rejected:
                if record not in piece.reported:
                    self._on_reject(piece.rejected(record, reason))
            yield from arrays
            return
        yield from self._arrays_before(piece, stop)

    def _arrays_before(self, piece: Piece, error: Error) -> Iterator[object]:
        """The rows before the record of an error, which is then raised."""
        number = error.record or 0
        if number > piece.first:
            yield from self._read(piece, piece.up_to(number - piece.first))[0]
        error = piece.rejected(number, error).error
        if piece.explain is not None:
            piece.explain(error)
        raise error from None

    def _read(
        self, piece: Piece, records: Records
    ) -> tuple[list[object], list[tuple[int, int, Error]]]:
        if not piece.is_array:
            return self._reader.read(records, piece.first, piece.file)
        schema, array = records
        return self._reader.read_array(schema, array, piece.first, piece.file)

    def _add_rejected(self, rejected: Rejected) -> None:
        self.rejected.add(RejectedRow(rejected.number, rejected.error, rejected.file))

    def _begin(self) -> Union[Iterable[object], ArrowStream, ArrowArray]:
        if self._started and isinstance(self._records, Iterator):
            raise Error(
                "the iterator of records is exhausted; pass a list to read the records again",
                code="bad_option",
            )
        self._started = True
        self.rejected = RejectedRows()
        return self._records() if isinstance(self._records, Restartable) else self._records


class ArrowSchema:
    """Names and types of columns, readable by Arrow libraries; returned by Type.arrow_schema."""

    def __init__(self, reader: _core.ColumnReader):
        self._reader = reader

    def __repr__(self) -> str:
        return f"<thriftlens.ArrowSchema of {schema_text(self._reader)}>"

    def __arrow_c_schema__(self) -> object:
        """A capsule of the ArrowSchema: a struct whose children are the columns."""
        return self._reader.schema()


_TYPES = {
    "b": "bool", "c": "int8", "s": "int16", "i": "int32", "l": "int64", "g": "double",
    "u": "string", "z": "binary", "+l": "list", "+s": "struct", "+m": "map",
}  # fmt: skip
"""Arrow's names for the formats of its C interface."""


def schema_text(reader: _core.ColumnReader) -> str:
    """The names and Arrow types of the columns."""
    fields = _core.arrow_fields(reader.schema())
    return ", ".join(f"{name}: {_TYPES.get(form, form)}" for name, form in fields)


class Restartable:
    """Records of a scan that can be started repeatedly."""

    def __init__(self, begin: Callable[[], Iterator[object]]):
        self._begin = begin

    def __call__(self) -> Iterator[object]:
        return self._begin()


def _pieces(
    records: Union[Iterable[object], ArrowStream, ArrowArray], size: int
) -> Iterator[Piece]:
    """The records in pieces for the column reader."""
    pieces: Optional[Iterator[Piece]] = records.pieces(size) if hasattr(records, "pieces") else None
    if pieces is not None:
        yield Piece((), 0, 0)
        yield from pieces
        return
    number = 0
    for batch, count, is_array in _batches(records, size):
        yield Piece(batch, count, number, is_array)
        number += count


Batches = Iterator[tuple[Records, int, bool]]
"""Records, their number, and whether they are an Arrow array."""


def _batches(records: Union[Iterable[object], ArrowStream, ArrowArray], size: int) -> Batches:
    if hasattr(records, "__arrow_c_stream__"):
        return _arrays(_core.arrow_arrays(records.__arrow_c_stream__()))
    if hasattr(records, "__arrow_c_array__"):
        return _arrays([records.__arrow_c_array__()])
    if isinstance(records, (list, tuple)):
        return _lists(records, size)
    return _iterated(records, size)


def _arrays(arrays: Iterable[ArrayCapsules]) -> Batches:
    for schema, array in arrays:
        yield (schema, array), _core.arrow_length(array), True


def _lists(records: Sequence[object], size: int) -> Batches:
    for index in range(0, len(records) or 1, size):
        batch = records[index : index + size]
        yield batch, len(batch), False


def _iterated(records: Iterable[object], size: int) -> Batches:
    iterator = iter(records)
    batch = list(itertools.islice(iterator, size))
    while len(batch) == size:
        yield batch, size, False
        batch = list(itertools.islice(iterator, size))
    yield batch, len(batch), False
