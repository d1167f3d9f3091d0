"""Functions on Arrow tables for engines that process batches, such as Ray Data: convert a column of
Thrift records to columns and back.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
>>> read = tl.arrow.from_thrift("value", Point, "{ x }", keep=["key"])
>>> read
<thriftlens.arrow.FromThrift of Point in column 'value'>

`dataset.map_batches(read, batch_format="pyarrow")` returns the columns `key` and `x`. Needs
pyarrow.
"""

from __future__ import annotations

import contextlib
from types import ModuleType
from typing import TYPE_CHECKING, Iterator, Literal, Sequence, Union

from ._errors import Error
from ._optional import package
from ._records.pieces import Batch
from ._text import did_you_mean, shown
from ._typing import ColumnOptions, RecordOptions, Selection

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from typing_extensions import Unpack

    from ._records.columns import Columns
    from ._schema.types import Type

__all__ = ["FromThrift", "ToThrift", "from_thrift", "to_thrift"]

Keep = Union[Sequence[str], Literal["all"]]

_RECORD = "thriftlens record"  # name of an internal column


def pyarrow_module() -> ModuleType:
    """Imports pyarrow. Raises ImportError if it is missing."""
    return package("pyarrow", "thriftlens.arrow needs", "pyarrow")


def _table_of(columns: Columns) -> pyarrow.Table:
    """All rows. Raises the errors of thriftlens; a stream would pass only their text."""
    pa = pyarrow_module()
    with _numbered("record"):
        batches = [
            pa.record_batch(Batch(columns.__arrow_c_schema__(), array))
            for array in columns.batches()
        ]
    return pa.Table.from_batches(batches, pa.schema(columns))


@contextlib.contextmanager
def _numbered(noun: str) -> Iterator[None]:
    """Adds the number of the record or row to the text of an error: engines pass only the text."""
    try:
        yield
    except Error as error:
        if error.record is not None:
            error.context = (f"{noun} {error.record} of this batch", *error.context)
        raise


def _unknown_column(name: str, names: Sequence[str]) -> Error:
    hint = did_you_mean(name, names) or f"; there are {', '.join(map(repr, names)) or 'none'}"
    return Error(f"no column {name!r}{hint}", code="bad_option")


class FromThrift:
    """The function returned by from_thrift: converts a table or record batch with a column of
    records to a table with their columns. Can be pickled."""

    def __init__(
        self, column: str, of: Type, select: Selection, keep: Keep, options: ColumnOptions
    ):
        if "record" in options:
            raise TypeError(
                "unsupported option 'record': record numbers restart in every batch; "
                "use keep to copy a key column"
            )
        if isinstance(keep, str) and keep != "all":
            raise TypeError(f"keep must be a list of column names or 'all', not {shown(keep)}")
        self.column = column
        self.of = of
        self.select = select
        self.keep: Keep = "all" if keep == "all" else tuple(keep)
        self._options = options
        of.columns([], select, **options)  # raises for wrong names and options now, not on a worker

    def __repr__(self) -> str:
        return f"<thriftlens.arrow.FromThrift of {self.of.name} in column {self.column!r}>"

    @property
    def schema(self) -> pyarrow.Schema:
        """The columns of a record, without the columns of keep, which precede them."""
        return pyarrow_module().schema(self.of.columns([], self.select, **self._options))

    def __call__(self, rows: Union[pyarrow.Table, pyarrow.RecordBatch]) -> pyarrow.Table:
        """The columns of the records in `rows`.

        Errors: DecodeError with the number of the record in `rows` in `record`."""
        rows = _as_table(rows)
        _check_columns([self.column], rows)
        names = self._carried_names(rows)
        options: ColumnOptions = {**self._options, "record": _RECORD} if names else self._options
        columns = _table_of(self.of.columns(rows.column(self.column), self.select, **options))
        if not names:
            return columns
        carried = rows.select(names)
        may_differ = self._options.get("on_error") == "skip" or self.of.kind == "list"
        if may_differ:  # a record may have no row, or many
            carried = carried.take(columns.column(_RECORD))
        return _side_by_side(carried, columns.drop_columns(_RECORD))

    def _carried_names(self, rows: pyarrow.Table) -> list[str]:
        if self.keep == "all":
            return [name for name in rows.column_names if name != self.column]
        _check_columns(self.keep, rows)
        return list(self.keep)


class ToThrift:
    """The function returned by to_thrift: converts a table or record batch to a table with a column
    of records. Can be pickled."""

    def __init__(self, of: Type, column: str, keep: Sequence[str], options: RecordOptions):
        if isinstance(keep, str):
            raise TypeError(f"keep must be a list of column names, not {shown(keep)}")
        check_names(keep, [column])
        self.of = of
        self.column = column
        self.keep = tuple(keep)
        self._options = options

    def __repr__(self) -> str:
        return f"<thriftlens.arrow.ToThrift of {self.of.name} in column {self.column!r}>"

    def __call__(self, rows: Union[pyarrow.Table, pyarrow.RecordBatch]) -> pyarrow.Table:
        """The rows as records. Errors: EncodeError with the number of the row in `record`."""
        pa = pyarrow_module()
        rows = _as_table(rows)
        _check_columns(self.keep, rows)
        with _numbered("row"):
            records = pa.chunked_array(
                self.of.from_columns(rows.drop_columns(list(self.keep)), **self._options)
            )
        return _side_by_side(rows.select(self.keep), pa.table({self.column: records}))


def _as_table(rows: Union[pyarrow.Table, pyarrow.RecordBatch]) -> pyarrow.Table:
    pa = pyarrow_module()
    return pa.Table.from_batches([rows]) if isinstance(rows, pa.RecordBatch) else rows


def _check_columns(names: Sequence[str], rows: pyarrow.Table) -> None:
    for name in names:
        if name not in rows.column_names:
            raise _unknown_column(name, rows.column_names)


def _side_by_side(carried: pyarrow.Table, added: pyarrow.Table) -> pyarrow.Table:
    pa = pyarrow_module()
    check_names(carried.column_names, added.column_names)
    return pa.table(
        [*carried.columns, *added.columns], schema=pa.schema([*carried.schema, *added.schema])
    )


def check_names(existing: Sequence[str], added: Sequence[str]) -> None:
    """Raises Error if a copied column has the name of a new one."""
    duplicates = sorted({*existing} & {*added})
    if duplicates:
        raise Error(
            f"duplicate column {duplicates[0]!r}: in keep and in the new columns; "
            "rename the one in keep",
            code="bad_option",
        )


def from_thrift(
    column: str,
    of: Type,
    select: Selection = None,
    *,
    keep: Keep = (),
    **options: Unpack[ColumnOptions],
) -> FromThrift:
    """A function that converts the Thrift records in a column of binary to columns. keep: names of
    columns to copy, or "all".

    Types, selection and options are those of Type.columns, without `record`. The function can be
    pickled: it contains the IDL as text, so workers need no file. Errors: wrong names and options
        raise immediately; invalid records when it is called, according to `on_error`.

    >>> import thriftlens as tl, pyarrow as pa
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
    >>> rows = pa.table({"key": [7, 8], "value": [Point.encode({"x": 1}), None]})
    >>> tl.arrow.from_thrift("value", Point, "{ x }", keep=["key"])(rows).to_pylist()
    [{'key': 7, 'x': 1}, {'key': 8, 'x': None}]
    """
    return FromThrift(column, of, select, keep, options)


def to_thrift(
    of: Type, column: str = "value", *, keep: Sequence[str] = (), **options: Unpack[RecordOptions]
) -> ToThrift:
    """A function that converts the columns of a table to a column of Thrift records, like
    Type.from_columns. keep: names of columns to copy that are not fields.

    Options are those of Type.from_columns. The function can be pickled, like that of from_thrift.

    >>> import thriftlens as tl, pyarrow as pa
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
    >>> rows = pa.table({"key": [7], "x": pa.array([1], pa.int32())})
    >>> table = tl.arrow.to_thrift(Point, keep=["key"])(rows)
    >>> table.column_names, Point.decode(table.column("value")[0].as_py())
    (['key', 'value'], {'x': 1})
    """
    return ToThrift(of, column, keep, options)
