"""Functions of Arrow tables for engines that hand over batches, such as Ray Data: a column of Thrift records becomes columns, and the reverse.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
>>> read = tl.arrow.from_thrift("value", Point, "{ x }", keep=["key"])
>>> read
<thriftlens.arrow.FromThrift of Point in column 'value'>

`dataset.map_batches(read, batch_format="pyarrow")` gives the columns `key` and `x`. pyarrow must be installed.
"""

from __future__ import annotations

import contextlib
import difflib
from typing import TYPE_CHECKING, Any, Iterator, Literal, Sequence, TypedDict, Union

from ._errors import Error
from ._optional import package

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from typing_extensions import Unpack

    from ._records.columns import Columns
    from ._schema.schema import Type


class ColumnOptions(TypedDict, total=False):
    """Options of Type.columns that a function of batches takes."""

    protocol: Literal["binary", "compact"]
    on_error: Literal["raise", "null", "skip"]
    enums: Literal["number", "name", "string"]
    unions: Literal["struct", "dense"]
    nesting: Literal["structs", "flat"]
    defaults: Literal["omit", "write"]
    field_ids: Literal["none", "unique"]
    mismatch: Literal["error", "drop"]
    invalid_utf8: Literal["error", "replace", "keep"]
    missing_required: Literal["error", "omit"]
    unknown: Literal["drop", "error"]
    reason: str
    unknown_fields: str
    threads: int
    depth: int
    output_size: int


class RecordOptions(TypedDict, total=False):
    """Options of Type.from_columns."""

    protocol: Literal["binary", "compact"]
    missing_required: Literal["error", "omit"]
    unknown: Literal["error", "drop"]
    depth: int
    output_size: int


Keep = Union[Sequence[str], Literal["all"]]

_RECORD = "thriftlens record"  # the name of a column that does not leave this module


def _pyarrow() -> Any:
    return package("pyarrow", "thriftlens.arrow needs", "pyarrow")


class _Batch:
    """A capsule of an ArrowArray, and of its schema, as an object that libraries take."""

    def __init__(self, schema: Any, array: Any):
        self._capsules = schema, array

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self._capsules


def _table_of(columns: Columns) -> pyarrow.Table:
    """All rows. Errors are those of thriftlens, which a stream would pass on as text."""
    pa = _pyarrow()
    with _numbered("record"):
        batches = [pa.record_batch(_Batch(columns.__arrow_c_schema__(), each)) for each in columns.batches()]
    return pa.Table.from_batches(batches, pa.schema(columns))


@contextlib.contextmanager
def _numbered(what: str) -> Iterator[None]:
    """Adds the number of the record or row to an error: engines pass on nothing but its text."""
    try:
        yield
    except Error as error:
        if error.record is not None:
            error.context = (f"{what} {error.record} of this batch", *error.context)
        raise


def _nearest(name: str, names: Sequence[str]) -> Error:
    near = difflib.get_close_matches(name, names, n=1)
    help = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(map(repr, names)) or 'none'}"
    return Error(f"no column {name!r}{help}", code="bad_option")


class FromThrift:
    """Made by from_thrift: a table or record batch with a column of records goes in, a table with their columns comes out. Can be pickled."""

    def __init__(self, column: str, of: Type, select: Any, keep: Keep, options: dict[str, Any]):
        if "record" in options:
            raise TypeError("records are counted anew in each batch: carry a key of your own with keep")
        if isinstance(keep, str) and keep != "all":
            raise TypeError(f"keep is a list of names of columns, or 'all', not {keep!r}")
        self.column = column
        self.of = of
        self.select = select
        self.keep: Keep = "all" if keep == "all" else tuple(keep)
        self._options = options
        of.columns([], select, **options)  # a name or option that is wrong is an error here, not on a worker

    def __repr__(self) -> str:
        return f"<thriftlens.arrow.FromThrift of {self.of.name} in column {self.column!r}>"

    @property
    def schema(self) -> pyarrow.Schema:
        """The columns that are made of a record; those that are kept stand before them."""
        return _pyarrow().schema(self.of.columns([], self.select, **self._options))

    def __call__(self, rows: Union[pyarrow.Table, pyarrow.RecordBatch]) -> pyarrow.Table:
        """The columns of the records in `rows`. Errors: DecodeError of a record, whose number in these rows is `record` of the error."""
        rows = _as_table(rows)
        _check_there([self.column], rows)
        kept = self._kept(rows)
        blobs = rows.column(self.column)
        if not kept:
            return _table_of(self.of.columns(blobs, self.select, **self._options))
        made = _table_of(self.of.columns(blobs, self.select, record=_RECORD, **self._options))
        beside = rows.select(kept)
        if self._options.get("on_error") == "skip" or self.of.kind == "list":  # a record may have no row, or many
            beside = beside.take(made.column(_RECORD))
        return _side_by_side(beside, made.drop_columns(_RECORD))

    def _kept(self, rows: pyarrow.Table) -> list[str]:
        if self.keep == "all":
            return [name for name in rows.column_names if name != self.column]
        _check_there(self.keep, rows)
        return list(self.keep)


class ToThrift:
    """Made by to_thrift: a table or record batch goes in, a table with a column of records comes out. Can be pickled."""

    def __init__(self, of: Type, column: str, keep: Sequence[str], options: dict[str, Any]):
        if isinstance(keep, str):
            raise TypeError(f"keep is a list of names of columns, not {keep!r}")
        check_names(keep, [column])
        self.of = of
        self.column = column
        self.keep = tuple(keep)
        self._options = options

    def __repr__(self) -> str:
        return f"<thriftlens.arrow.ToThrift of {self.of.name} in column {self.column!r}>"

    def __call__(self, rows: Union[pyarrow.Table, pyarrow.RecordBatch]) -> pyarrow.Table:
        """A record for each row. Errors: EncodeError, whose `record` is the number of the row."""
        pa = _pyarrow()
        rows = _as_table(rows)
        _check_there(self.keep, rows)
        with _numbered("row"):
            made = pa.chunked_array(self.of.from_columns(rows.drop_columns(list(self.keep)), **self._options))
        return _side_by_side(rows.select(self.keep), pa.table({self.column: made}))


def _as_table(rows: Union[pyarrow.Table, pyarrow.RecordBatch]) -> pyarrow.Table:
    pa = _pyarrow()
    return pa.Table.from_batches([rows]) if isinstance(rows, pa.RecordBatch) else rows


def _check_there(names: Sequence[str], rows: pyarrow.Table) -> None:
    for name in names:
        if name not in rows.column_names:
            raise _nearest(name, rows.column_names)


def _side_by_side(left: pyarrow.Table, right: pyarrow.Table) -> pyarrow.Table:
    pa = _pyarrow()
    check_names(left.column_names, right.column_names)
    return pa.table([*left.columns, *right.columns], schema=pa.schema([*left.schema, *right.schema]))


def check_names(kept: Sequence[str], made: Sequence[str]) -> None:
    """Raises Error where a column that is kept has the name of one that is made."""
    twice = sorted({*kept} & {*made})
    if twice:
        raise Error(f"a column {twice[0]!r} is kept and one is made: rename the one that is kept", code="bad_option")


def from_thrift(column: str, of: Type, select: Any = None, *, keep: Keep = (), **options: Unpack[ColumnOptions]) -> FromThrift:
    """A function that makes columns of the Thrift records in a column of binary; `keep` names columns that stand beside them ("all": the others).

    Types, selection and options are those of Type.columns, without `record`. The function can be pickled: the IDL goes with it as text, so that a
    worker needs no file. Errors: those of names and options at once; of records when it is called, as `on_error` says.

    >>> import thriftlens as tl, pyarrow as pa
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
    >>> rows = pa.table({"key": [7, 8], "value": [Point.encode({"x": 1}), None]})
    >>> tl.arrow.from_thrift("value", Point, "{ x }", keep=["key"])(rows).to_pylist()
    [{'key': 7, 'x': 1}, {'key': 8, 'x': None}]
    """
    return FromThrift(column, of, select, keep, dict(options))


def to_thrift(of: Type, column: str = "value", *, keep: Sequence[str] = (), **options: Unpack[RecordOptions]) -> ToThrift:
    """A function that makes a column of Thrift records of a table's columns, as Type.from_columns does. Those named by `keep` are no fields, and
    stand beside it.

    Options are those of Type.from_columns. The function can be pickled, as that of from_thrift.

    >>> import thriftlens as tl, pyarrow as pa
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
    >>> made = tl.arrow.to_thrift(Point, keep=["key"])(pa.table({"key": [7], "x": pa.array([1], pa.int32())}))
    >>> made.column_names, Point.decode(made.column("value")[0].as_py())
    (['key', 'value'], {'x': 1})
    """
    return ToThrift(of, column, keep, dict(options))
