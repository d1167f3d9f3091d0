"""Type.columns, Type.arrow_schema and Type.from_columns: records to Arrow columns and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Iterator, Optional, Union, cast

from .. import _core
from .._typing import (
    ArrayCapsules,
    ArrowArray,
    ArrowStream,
    Buffer,
    ColumnOptions,
    JsonValue,
    RecordOptions,
    SchemaOptions,
    Selection,
    Value,
)
from .columns import ArrowSchema, Columns, Source, reader_of


class Records:
    """Records converted from columns: an Arrow column of binary, and a sequence of bytes (None for
    a null row).

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: required i32 x, 2: optional string label }")["Point"]
    >>> columns = Point.columns([Point.encode({"x": 1}), Point.encode({"x": 2, "label": "b"})])
    >>> records = Point.from_columns(columns)
    >>> [Point.decode(record) for record in records]
    [{'x': 1}, {'x': 2, 'label': 'b'}]

    `pyarrow.chunked_array(records)` and `polars.Series(records)` accept it; so does
    `pyarrow.array(records)` if the columns are a single batch.
    """

    def __init__(self, chunks: list[_core.RecordColumn]):
        self._chunks = chunks

    def __repr__(self) -> str:
        return f"<thriftlens.Records, {len(self)} of them>"

    def __len__(self) -> int:
        return sum(len(chunk) for chunk in self._chunks)

    def __getitem__(self, index: int) -> Optional[bytes]:
        position = index if index >= 0 else index + len(self)
        for chunk in self._chunks:
            if 0 <= position < len(chunk):
                return chunk[position]
            position -= len(chunk)
        raise IndexError(f"record {index} is out of range: there are {len(self)} records")

    def __iter__(self) -> Iterator[Optional[bytes]]:
        for chunk in self._chunks:
            for at in range(len(chunk)):
                yield chunk[at]

    def __arrow_c_schema__(self) -> object:
        """A capsule of the ArrowSchema of binary."""
        return _core.RecordColumn.schema()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A capsule of an ArrowArrayStream of arrays of binary, one per batch of the columns."""
        return _core.arrow_stream(
            _core.RecordColumn.schema, (chunk.export()[1] for chunk in self._chunks)
        )


class SingleBatchRecords(Records):
    """Records of a single batch, which also export an array. Records of several batches export only
    a stream."""

    def __arrow_c_array__(self, requested_schema: object = None) -> ArrayCapsules:
        """Capsules of the schema and of all records as one array."""
        return self._chunks[0].export()


if TYPE_CHECKING:
    from typing_extensions import Unpack


def columns(
    type_: _core.Type,
    records: Source,
    select: Selection = None,
    *,
    batch_size: int = 1 << 16,
    **options: Unpack[ColumnOptions],
) -> Columns:
    """Converts records of this type to Arrow columns, in one pass over their bytes. Values that are
    not selected are not decoded.

    records: a list of bytes or views (None for a null row), an iterable of them such as tl.scan(…),
        or a column of binary of any library with Arrow's PyCapsule interface, which is read in
        place. This type is a struct, or a list of structs, with one row per element.
    select: a selection; the columns are in the order of the IDL. Required for recursive types.
    batch_size: rows per batch and thread.
    protocol: "binary" or "compact".
    on_error: for invalid records: "raise", "null" (a row of nulls) or "skip"; Columns.rejected has
        the first of them.
    enums: "number"; "name" creates dictionaries of the names, which differ between batches if
        numbers have no name, and an Arrow IPC file can have only one per column; "string" creates
        strings of the names.
    unions: "struct", or "dense" for dense unions of Arrow.
    nesting: "structs", or "flat" for columns "outer.inner" of nested structs, at any depth; lists
        and maps are not flattened.
    defaults: "omit", or "write" to use the default of the IDL for absent fields.
    field_ids: "none", or "unique" to number all fields, elements, keys and values in their
        metadata, as PARQUET:field_id. Other selections have other numbers.
    mismatch: "error", or "drop" to read fields whose wire type contradicts the IDL as null.
    invalid_utf8: "error", "replace" (U+FFFD in strings that are not UTF-8) or "keep" (binary
        columns).
    missing_required: "error", or "omit" to read absent required fields as null.
    unknown: "drop", or "error" to reject fields that are not in the IDL.
    record: name of an additional column with the record number.
    reason: name of an additional column with the error of a null row; its offsets count from the
        value of the record.
    file: name of an additional column with the file of the record, for records of tl.scan over
        files.
    unknown_fields: name of an additional column with the fields that are not in the IDL, as the
        bytes of a struct; null without any.
    where: a condition on rows, such as "user.id > 5 and status = PAID" (docs/columns.md); other
        rows are not decoded.
    threads: number of threads that read the records of a list or a column (1).
    depth: maximum nesting depth (64).
    output_size: maximum bytes that one record adds to the columns; 0: 16 MiB + 8 per byte of the
        record.

    Errors: DecodeError with the number of the record in `record`; Error for a type without columns,
        and for an invalid condition.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
    >>> Point.columns([Point.encode({"x": 1, "label": "a"}), None]).num_rows
    2
    """
    if hasattr(records, "__arrow_c_stream__") and hasattr(records, "columns"):
        raise TypeError(
            "expected a column of binary, not a table; "
            "select the column, for example table['value']"
        )
    if isinstance(records, (bytes, bytearray, memoryview, str)) or not (
        hasattr(records, "__iter__") or hasattr(records, "__arrow_c_array__")
    ):
        raise TypeError(
            "expected a list of bytes, an Arrow column of binary or an iterable, "
            f"not {type(records).__name__}"
        )
    reader = reader_of("columns", type_, select, options)
    return Columns(reader, records, batch_size, options.get("threads", 1))


def arrow_schema(
    type_: _core.Type, select: Selection = None, **options: Unpack[SchemaOptions]
) -> ArrowSchema:
    """The schema of the columns of Type.columns with these options:
    `pyarrow.schema(Order.arrow_schema("{ id }"))`. Errors: those of columns.

    >>> import thriftlens as tl
    >>> tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"].arrow_schema("{ x }")
    <thriftlens.ArrowSchema of x: int32>
    """
    return ArrowSchema(reader_of("arrow_schema", type_, select, options))


def from_columns(
    type_: _core.Type, table: Union[ArrowStream, ArrowArray], **options: Unpack[RecordOptions]
) -> Records:
    """Converts Arrow columns to records of this struct, one per row: a column of binary, and a
    sequence of bytes.

    table: any object with Arrow's PyCapsule interface: a pyarrow Table or RecordBatch, a Polars or
        pandas DataFrame, a DuckDB relation, tl.Columns. Columns are matched with fields by name
        ("outer.inner" for nested structs); nulls are absent fields. Accepts the columns of
        Type.columns, integers of any width (range-checked), and lists of structs of two fields as
        maps, but not dates and times: cast them.
    protocol: "binary" or "compact".
    missing_required: "error", or "omit" to accept nulls in required fields.
    unknown: "error" or "drop" for columns that are not in the type.
    invalid_utf8: "error", or "keep" to accept any bytes in strings.
    depth, output_size: as in columns.

    Errors: EncodeError with the path, and the number of the row in `record`; no records are
        returned.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
    >>> data = [Point.encode({"x": 1, "label": "a"}), Point.encode({"x": 2})]
    >>> list(Point.from_columns(Point.columns(data))) == data
    True
    """
    chunks: list[_core.RecordColumn] = []
    rows = 0
    for schema, array in _arrays_of(table):
        chunks.append(type_._from_columns(schema, array, rows, **options))
        rows += len(chunks[-1])
    return SingleBatchRecords(chunks) if len(chunks) == 1 else Records(chunks)


def to_jsonable(type_: _core.Type, data: Buffer, **options: Value) -> JsonValue:
    """The value as json.loads(type.to_json(data)) returns it: only dict, list, str, int, float,
    bool and None. Options are those of to_json.

    >>> import thriftlens as tl
    >>> Row = tl.loads("enum E { A = 1 } struct Row { 1: set<E> flags, 2: map<i32, binary> m }").Row
    >>> Row.to_jsonable(Row.encode({"flags": {1}, "m": {5: b"\\xff"}}), enums="name")
    {'flags': ['A'], 'm': {'5': '/w=='}}
    """
    import json  # slow

    return cast(JsonValue, json.loads(type_.to_json(data, **options)))


def _arrays_of(table: Union[ArrowStream, ArrowArray]) -> Iterable[ArrayCapsules]:
    if hasattr(table, "__arrow_c_stream__"):
        return _core.arrow_arrays(table.__arrow_c_stream__())
    if hasattr(table, "__arrow_c_array__"):
        return [table.__arrow_c_array__()]
    raise TypeError(
        f"expected a table of a library with Arrow's PyCapsule interface, not "
        f"{type(table).__name__}"
    )
