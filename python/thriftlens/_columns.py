"""Columns: records of Thrift as Arrow data, which every engine that knows Arrow's interface takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Iterator, NamedTuple, Optional

from . import _core
from ._errors import Error

if TYPE_CHECKING:
    from ._schema import Type


class RejectedRow(NamedTuple):
    """A record that has no row of its own: its number, and why."""

    record: int
    error: Error


class Columns:
    """Records as columns: a table for whoever knows Arrow, by `__arrow_c_stream__`.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: required i32 x, 2: optional string label }")["Point"]
    >>> columns = Point.columns([Point.encode({"x": 1}), Point.encode({"x": 2, "label": "b"})])
    >>> columns.num_rows
    2

    `pyarrow.table(columns)`, `polars.from_arrow(columns)`, `duckdb.sql("select … from columns")` and
    `pandas.DataFrame.from_arrow(columns)` read it. Batches are made when they are asked for; of records that can be read only once, each batch
    is given once.
    """

    def __init__(self, reader: _core.ColumnReader, records: Any, batch_size: int, threads: int):
        self._reader = reader
        self._records = records
        self._batch_size = batch_size * threads
        self._rows: Optional[int] = None
        self._started = False
        self.rejected: list[RejectedRow] = []

    def __repr__(self) -> str:
        rows = "" if self._rows is None else f", {self._rows} rows"
        return f"<thriftlens.Columns of {self.schema_text()}{rows}>"

    def schema_text(self) -> str:
        """The names and formats of the columns, as Arrow spells formats."""
        return ", ".join(f"{name}: {form}" for name, form in _core.arrow_fields(self._reader.schema()))

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

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        """Capsules of the schema and of all rows as one struct array. Raises Error where they are more than one batch."""
        found = list(self.batches())
        if len(found) != 1:
            raise Error(f"{len(found)} batches are no single array; take the stream", code="bad_option")
        return self._reader.schema(), found[0]

    def batches(self) -> Iterator[Any]:
        """Capsules of ArrowArray, one after another. Errors: those of reading a record; `record` of the error says which."""
        self._begin()
        rows = 0
        number = 0
        for how, piece, count in _pieces(self._records, self._batch_size):
            if how == "list":
                made, rejected = self._reader.read(piece[0], number)
            else:
                made, rejected = self._reader.read_array(piece[0], piece[1], number)
            self.rejected += [RejectedRow(record, error) for record, _, error in rejected]
            number += count
            for each in made:
                rows += _core.arrow_length(each)
                yield each
        self._rows = rows

    def _begin(self) -> None:
        if self._started and isinstance(self._records, Iterator):
            raise Error("these records could be read once only: make columns of a list of them to read them again", code="bad_option")
        self._started = True
        self.rejected = []


def _pieces(records: Any, size: int) -> Iterator[tuple[str, tuple[Any, ...], int]]:
    """What the reader's calls take: lists of records, or Arrow arrays."""
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


def columns(of: Type, records: Any, select: Any, batch_size: int, threads: int, options: dict[str, Any]) -> Columns:
    """What Type.columns gives."""
    if isinstance(records, (bytes, bytearray, memoryview, str)) or not (hasattr(records, "__iter__") or hasattr(records, "__arrow_c_array__")):
        raise TypeError(f"records are a list of bytes, an Arrow column of binary or an iterable, not {type(records).__name__}")
    return Columns(of._column_reader(select, threads=threads, **options), records, batch_size, threads)
