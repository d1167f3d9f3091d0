"""Columns: records of Thrift as Arrow data, which every engine that knows Arrow's interface takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, List, NamedTuple, Optional

from .. import _core
from .._errors import Error
from .pieces import Piece, Rejected

if TYPE_CHECKING:
    from .scan import Scan
    from .._schema.schema import Type


class RejectedRow(NamedTuple):
    """A record that has no row of its own: its number, why, and its file if the records are of files."""

    record: int
    error: Error
    file: Optional[str] = None


class RejectedRows(List[RejectedRow]):
    """The first records that have no row of their own, and the number of all of them."""

    MAX_ROWS = 1000
    total = 0

    def add(self, row: RejectedRow) -> None:
        """Counts a record, and retains it if it is one of the first."""
        self.total += 1
        if len(self) < self.MAX_ROWS:
            self.append(row)


class Columns:
    """Records as columns: a table for whoever knows Arrow, by `__arrow_c_stream__`.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: required i32 x, 2: optional string label }")["Point"]
    >>> columns = Point.columns([Point.encode({"x": 1}), Point.encode({"x": 2, "label": "b"})])
    >>> columns.num_rows
    2

    `pyarrow.table(columns)`, `polars.DataFrame(columns)`, `duckdb.sql("select … from columns")` and
    `pandas.DataFrame.from_arrow(columns)` read it. Batches are made when they are asked for; of records that can be read only once, each batch
    is given once.
    """

    def __init__(self, reader: _core.ColumnReader, records: Any, batch_size: int, threads: int):
        self._reader = reader
        self._records = records
        self._batch_size = batch_size * threads
        self._rows: Optional[int] = None
        self._started = False
        self._on_reject: Callable[[Rejected], None] = self._keep
        self.rejected = RejectedRows()
        """The first 1000 records without a row of their own; `rejected.total` is the number of all."""

    def __repr__(self) -> str:
        rows = "" if self._rows is None else f", {self._rows} rows"
        return f"<thriftlens.Columns of {self.schema_text()}{rows}>"

    def schema_text(self) -> str:
        """The names and formats of the columns, as Arrow spells formats."""
        return schema_text(self._reader)

    @property
    def num_rows(self) -> int:
        """How many rows there are. Reads all records where that was not done before; they must be such as can be read twice."""
        if self._rows is None:
            for _ in self.batches():
                pass
        assert self._rows is not None
        return self._rows

    def __arrow_c_schema__(self) -> Any:
        """A capsule of the ArrowSchema: a struct whose children are the columns."""
        return self._reader.schema()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A capsule of an ArrowArrayStream of record batches. Another schema than its own cannot be had: it is passed over, as Arrow allows."""
        return _core.arrow_stream(self._reader.schema, self.batches())

    def batches(self) -> Iterator[Any]:
        """Capsules of ArrowArray, one after another. Errors: those of reading a record; `record` of the error says which."""
        records = self._begin()
        rows = 0
        for piece in _pieces(records, self._batch_size):
            for each in self._arrays(piece):
                rows += _core.arrow_length(each)
                yield each
        self._rows = rows

    def to_numpy(self, path: str, *, fill: Any = None) -> Any:
        """The values at a path in all rows as an array of NumPy: `columns.to_numpy("user.id")`, `columns.to_numpy("items[*].price")`.

        Numbers have their own dtype, with `[*]` the elements of all rows one after another; strings, binaries, uuids, names of enums and lists are objects.
        Null is None among objects; of numbers it makes a masked array, unless `fill` is what shall stand there. One batch is not copied, several are joined.

        Raises Error for a path of another kind, and what batches() raises; ImportError without NumPy.

        >>> import thriftlens as tl
        >>> Point = tl.loads("struct Point { 1: i32 x, 2: optional i32 y }")["Point"]
        >>> columns = Point.columns([Point.encode({"x": 1}), Point.encode({"x": 2, "y": 5})])
        >>> columns.to_numpy("x").tolist(), columns.to_numpy("y", fill=-1).tolist()
        ([1, 2], [-1, 5])
        """
        from .._schema.numpy import column_of

        return column_of(self._reader.schema(), self.batches(), path, fill)

    def _arrays(self, piece: Piece) -> Iterator[Any]:
        """The rows of a piece; where one record stops all, those before it, and then its error."""
        try:
            made, rejected = self._read(piece, piece.records)
        except Error as error:
            if error.record is None or piece.place is None:
                raise
            stop, number = error, error.record
        else:
            for record, _, why in rejected:
                if record not in piece.told:
                    self._on_reject(piece.rejected(record, why))
            yield from made
            return
        if number > piece.first:
            yield from self._read(piece, piece.up_to(number - piece.first))[0]
        raise piece.rejected(number, stop).error from None

    def _read(self, piece: Piece, records: Any) -> tuple[list[Any], list[tuple[int, int, Error]]]:
        if not piece.is_array:
            return self._reader.read(records, piece.first, piece.file)
        schema, array = records
        return self._reader.read_array(schema, array, piece.first, piece.file)

    def _keep(self, rejected: Rejected) -> None:
        self.rejected.add(RejectedRow(rejected.number, rejected.error, rejected.file))

    def _begin(self) -> Any:
        if self._started and isinstance(self._records, Iterator):
            raise Error("these records could be read once only: make columns of a list of them to read them again", code="bad_option")
        self._started = True
        self.rejected = RejectedRows()
        return self._records() if isinstance(self._records, Again) else self._records


class ArrowSchema:
    """Names and types of columns, for whoever knows Arrow; made by Type.arrow_schema."""

    def __init__(self, reader: _core.ColumnReader):
        self._reader = reader

    def __repr__(self) -> str:
        return f"<thriftlens.ArrowSchema of {schema_text(self._reader)}>"

    def __arrow_c_schema__(self) -> Any:
        """A capsule of the ArrowSchema: a struct whose children are the columns."""
        return self._reader.schema()


def schema_text(reader: _core.ColumnReader) -> str:
    """The names and formats of the columns, as Arrow spells formats."""
    return ", ".join(f"{name}: {form}" for name, form in _core.arrow_fields(reader.schema()))


class Again:
    """Records that are begun anew each time."""

    def __init__(self, begin: Callable[[], Scan]):
        self._begin = begin

    def __call__(self) -> Scan:
        return self._begin()


def _pieces(records: Any, size: int) -> Iterator[Piece]:
    """What the reader's calls take."""
    found = records.pieces(size) if hasattr(records, "pieces") else None
    if found is not None:
        yield Piece((), 0, 0)
        yield from found
        return
    number = 0
    for how, piece, count in _numbered(records, size):
        yield Piece(piece if how == "array" else piece[0], count, number, how == "array")
        number += count


def _numbered(records: Any, size: int) -> Iterator[tuple[str, tuple[Any, ...], int]]:
    """Lists of records, or Arrow arrays, and how many they are."""
    if hasattr(records, "__arrow_c_stream__"):
        for schema, array in _core.arrow_arrays(records.__arrow_c_stream__()):
            yield "array", (schema, array), _core.arrow_length(array)
        return
    if hasattr(records, "__arrow_c_array__"):
        schema, array = records.__arrow_c_array__()
        yield "array", (schema, array), _core.arrow_length(array)
        return
    if isinstance(records, (list, tuple)):
        for at in range(0, len(records), size):
            part = records[at : at + size]
            yield "list", (part,), len(part)
        if not records:
            yield "list", ((),), 0
        return
    yield from _iterated(records, size)


def _iterated(records: Iterable[Any], size: int) -> Iterator[tuple[str, tuple[Any, ...], int]]:
    part: list[Any] = []
    for record in records:
        part.append(record)
        if len(part) == size:
            yield "list", (part,), len(part)
            part = []
    yield "list", (part,), len(part)


class Records:
    """Records that were made of columns: a column of binary for whoever knows Arrow, and a sequence of bytes (None for a null row).

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: required i32 x, 2: optional string label }")["Point"]
    >>> columns = Point.columns([Point.encode({"x": 1}), Point.encode({"x": 2, "label": "b"})])
    >>> records = Point.from_columns(columns)
    >>> [Point.decode(each) for each in records]
    [{'x': 1}, {'x': 2, 'label': 'b'}]

    `pyarrow.chunked_array(records)` and `polars.Series(records)` read it, and `pyarrow.array(records)` where the columns were one batch.
    """

    def __init__(self, chunks: list[_core.RecordColumn]):
        self._chunks = chunks

    def __repr__(self) -> str:
        return f"<thriftlens.Records, {len(self)} of them>"

    def __len__(self) -> int:
        return sum(len(each) for each in self._chunks)

    def __getitem__(self, index: int) -> Optional[bytes]:
        at = index if index >= 0 else index + len(self)
        for chunk in self._chunks:
            if 0 <= at < len(chunk):
                return chunk[at]
            at -= len(chunk)
        raise IndexError(f"no record {index} among {len(self)}")

    def __iter__(self) -> Iterator[Optional[bytes]]:
        for chunk in self._chunks:
            for at in range(len(chunk)):
                yield chunk[at]

    def __arrow_c_schema__(self) -> Any:
        """A capsule of the ArrowSchema of binary."""
        return _core.RecordColumn.schema()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A capsule of an ArrowArrayStream of arrays of binary, one for each batch of the columns."""
        return _core.arrow_stream(_core.RecordColumn.schema, (each.export()[1] for each in self._chunks))


class OneBatchOfRecords(Records):
    """Records of one batch, which are one array too. Those of more offer the stream alone, so that nobody asks them for an array."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        """Capsules of the schema and of all records as one array."""
        return self._chunks[0].export()


def from_columns(of: Type, table: Any, options: dict[str, Any]) -> Records:
    """What Type.from_columns gives."""
    arrays: Iterable[tuple[Any, Any]]
    if hasattr(table, "__arrow_c_stream__"):
        arrays = _core.arrow_arrays(table.__arrow_c_stream__())
    elif hasattr(table, "__arrow_c_array__"):
        arrays = [table.__arrow_c_array__()]
    else:
        raise TypeError(f"columns are a table of a library that knows Arrow's interface, not {type(table).__name__}")
    chunks: list[_core.RecordColumn] = []
    rows = 0
    for schema, array in arrays:
        chunks.append(of._from_columns(schema, array, rows, **options))
        rows += len(chunks[-1])
    return OneBatchOfRecords(chunks) if len(chunks) == 1 else Records(chunks)


def columns(of: Type, records: Any, select: Any, batch_size: int, threads: int, options: dict[str, Any]) -> Columns:
    """What Type.columns gives."""
    if hasattr(records, "__arrow_c_stream__") and hasattr(records, "columns"):
        raise TypeError("records are one column of binary: take it out of the table, as in table['value']")
    if isinstance(records, (bytes, bytearray, memoryview, str)) or not (hasattr(records, "__iter__") or hasattr(records, "__arrow_c_array__")):
        raise TypeError(f"records are a list of bytes, an Arrow column of binary or an iterable, not {type(records).__name__}")
    return Columns(of._column_reader(select, threads=threads, **options), records, batch_size, threads)
