"""PySpark: converts a column of Thrift records to columns and back, with `DataFrame.mapInArrow`.

    read = tl.spark.from_thrift("value", Order, "{ id user { name } }")
    orders = topic.mapInArrow(read, read.schema)

The function contains the IDL as text: executors need thriftlens and pyarrow, but no IDL file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Iterable, Iterator, Optional, Union

from . import arrow
from ._errors import Error
from ._optional import package
from ._typing import ColumnOptions, JsonObject, JsonValue, RecordOptions, Selection

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from pyspark.sql import DataFrame  # type: ignore[import-not-found, unused-ignore]
    from pyspark.sql.types import (  # type: ignore[import-not-found, unused-ignore]
        StructField,
        StructType,
    )
    from typing_extensions import Unpack

    from ._schema.types import Type

    _Rows = Union[DataFrame, StructType]

_SIMPLE = {
    "bool": "boolean", "int8": "byte", "int16": "short", "int32": "integer", "int64": "long",
    "double": "double", "string": "string", "binary": "binary",
}  # fmt: skip
_DDL_NAMES = {"byte": "TINYINT", "short": "SMALLINT", "integer": "INT", "long": "BIGINT"}


def _spark_arrow_type(type_: pyarrow.DataType) -> pyarrow.DataType:
    """The Arrow type that Spark accepts for values of an Arrow type."""
    pa = arrow.pyarrow_module()
    if pa.types.is_dictionary(type_):
        return _spark_arrow_type(type_.value_type)
    if pa.types.is_fixed_size_binary(type_):
        return pa.binary()
    if pa.types.is_union(type_):
        raise Error('Spark has no unions; use unions="struct"', code="bad_option")
    return _with_fields(type_, lambda field: _spark_arrow_type(field.type))


def _with_fields(
    type_: pyarrow.DataType, convert: Callable[[pyarrow.Field], pyarrow.DataType]
) -> pyarrow.DataType:
    """A list, map or struct with converted types of its fields; other types unchanged."""
    pa = arrow.pyarrow_module()

    def converted(field: pyarrow.Field) -> pyarrow.Field:
        return field.with_type(convert(field))

    if pa.types.is_list(type_):
        return pa.list_(converted(type_.value_field))
    if pa.types.is_map(type_):
        return pa.map_(converted(type_.key_field), converted(type_.item_field))
    if pa.types.is_struct(type_):
        return pa.struct([converted(field) for field in type_])
    return type_


def _thrift_arrow_type(type_: pyarrow.DataType, thrift_type: Type) -> pyarrow.DataType:
    """The reverse: the type of Spark's values for from_columns. Spark has no fixed-size binary,
    which a uuid needs."""
    pa = arrow.pyarrow_module()
    if thrift_type.kind == "uuid" and pa.types.is_binary(type_):
        return pa.binary(16)
    if pa.types.is_struct(type_):
        parts = {name: field.type for name, field in thrift_type.fields.items()}
    elif pa.types.is_map(type_) and thrift_type.kind == "map":
        names = type_.key_field.name, type_.item_field.name
        parts = dict(zip(names, thrift_type.parameters))
    elif pa.types.is_list(type_) and thrift_type.kind in ("list", "set"):
        parts = {type_.value_field.name: thrift_type.parameters[0]}
    else:
        return type_
    return _with_fields(
        type_,
        lambda field: (
            _thrift_arrow_type(field.type, parts[field.name]) if field.name in parts else field.type
        ),
    )


def _field_json(field: pyarrow.Field) -> JsonObject:
    arrow_metadata = field.metadata or {}
    metadata: JsonObject = {}
    if b"doc" in arrow_metadata:
        metadata["comment"] = arrow_metadata[b"doc"].decode()
    if b"PARQUET:field_id" in arrow_metadata:
        metadata["parquet.field.id"] = int(arrow_metadata[b"PARQUET:field_id"])
    return {"name": field.name, "type": _json(field.type), "nullable": True, "metadata": metadata}


def _json(type_: pyarrow.DataType) -> JsonValue:
    """The JSON of a Spark type, for StructType.fromJson."""
    pa = arrow.pyarrow_module()
    if pa.types.is_list(type_):
        return {"type": "array", "elementType": _json(type_.value_type), "containsNull": True}
    if pa.types.is_map(type_):
        return {
            "type": "map",
            "keyType": _json(type_.key_type),
            "valueType": _json(type_.item_type),
            "valueContainsNull": True,
        }
    if pa.types.is_struct(type_):
        return {"type": "struct", "fields": [_field_json(field) for field in type_]}
    return _SIMPLE[str(type_)]


def _ddl(type_: pyarrow.DataType) -> str:
    """The DDL of a Spark type."""
    pa = arrow.pyarrow_module()
    if pa.types.is_list(type_):
        return f"ARRAY<{_ddl(type_.value_type)}>"
    if pa.types.is_map(type_):
        return f"MAP<{_ddl(type_.key_type)}, {_ddl(type_.item_type)}>"
    if pa.types.is_struct(type_):
        return f"STRUCT<{_ddl_fields(type_, ': ')}>"
    name = _SIMPLE[str(type_)]
    return _DDL_NAMES.get(name, name.upper())


def _ddl_fields(fields: Iterable[pyarrow.Field], separator: str) -> str:
    return ", ".join(
        _ddl_name(field.name) + separator + _ddl(field.type) + _ddl_comment(field)
        for field in fields
    )


def _ddl_name(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _ddl_comment(field: pyarrow.Field) -> str:
    doc = (field.metadata or {}).get(b"doc")
    if doc is None:
        return ""
    text = doc.decode().replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f" COMMENT '{text}'"


def _struct_type(schema: pyarrow.Schema) -> StructType:
    types = package("pyspark.sql.types", "thriftlens.spark needs", "pyspark")
    return types.StructType.fromJson(_json(arrow.pyarrow_module().struct(list(schema))))


def _schema_of(of: Type, select: Selection, options: ColumnOptions) -> pyarrow.Schema:
    """The columns with types that Spark accepts."""
    pa = arrow.pyarrow_module()
    fields = pa.schema(of.columns([], select, **options))
    return pa.schema([field.with_type(_spark_arrow_type(field.type)) for field in fields])


def ddl(of: Type, select: Selection = None, **options: Unpack[ColumnOptions]) -> str:
    """The columns of a type or a selection as Spark DDL, for CREATE TABLE or as the schema of a
    DataFrame.

    Doc comments of the IDL become comments. Options are those of Type.columns. Needs pyarrow, but
    not pyspark.

    >>> import thriftlens as tl
    >>> item = "struct Item { 1: string sku }"
    >>> idl = tl.loads(item + "struct Order { 1: list<Item> items, 2: map<string, bool> marks }")
    >>> print(tl.spark.ddl(idl.Order))
    `items` ARRAY<STRUCT<`sku`: STRING>>, `marks` MAP<STRING, BOOLEAN>
    """
    return _ddl_fields(_schema_of(of, select, options), " ")


def struct_type(of: Type, select: Selection = None, **options: Unpack[ColumnOptions]) -> StructType:
    """Like ddl, as a StructType of pyspark, with field ids in the metadata, which Spark writes to
    Parquet files."""
    return _struct_type(_schema_of(of, select, options))


def _fields(keep: Optional[_Rows]) -> list[StructField]:
    """The fields of a DataFrame or of its schema."""
    if keep is None:
        return []
    return list(getattr(keep, "schema", keep).fields)


class FromThrift:
    """The function returned by from_thrift, for `DataFrame.mapInArrow`. Can be pickled.

    schema: the StructType of the result, the second argument of mapInArrow."""

    def __init__(
        self,
        column: str,
        of: Type,
        select: Selection,
        keep: Optional[_Rows],
        options: ColumnOptions,
    ):
        columns = _schema_of(of, select, options)
        carried_fields = [field for field in _fields(keep) if field.name != column]
        arrow.check_names([field.name for field in carried_fields], columns.names)
        self._rows = arrow.FromThrift(
            column, of, select, [field.name for field in carried_fields], options
        )
        self._carried_fields = carried_fields
        self._schema = columns

    def __repr__(self) -> str:
        return (
            f"<thriftlens.spark.FromThrift of {self._rows.of.name} in column {self._rows.column!r}>"
        )

    @property
    def schema(self) -> StructType:
        """The StructType of the result. ImportError without PySpark."""
        struct = _struct_type(self._schema)
        return type(struct)([*self._carried_fields, *struct.fields])

    def __getstate__(self) -> dict[str, object]:
        return {
            **self.__dict__,
            "_carried_fields": [],
        }  # executors need only the names, which are in `_rows`

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        """The columns of the batches.

        Errors: DecodeError with the number of the record in its batch in `record`."""
        pa = arrow.pyarrow_module()
        for batch in batches:
            table = self._rows(batch)
            names = table.schema.names[: table.num_columns - len(self._schema)]
            target = pa.schema([*(table.schema.field(name) for name in names), *self._schema])
            yield from table.cast(target).to_batches()


def from_thrift(
    column: str,
    of: Type,
    select: Selection = None,
    *,
    keep: Optional[_Rows] = None,
    **options: Unpack[ColumnOptions],
) -> FromThrift:
    """A function for `DataFrame.mapInArrow` that converts the Thrift records in a column of binary
    to columns.

    keep: a DataFrame, or its schema, with columns to copy before the new columns; `column` itself
        is not copied. keep=df copies all other columns, keep=df.select("topic", "offset") two of
        them.

    Selection and options are those of Type.columns, without `record`. An enum with enums="name" is
    a string, a uuid is binary.
    Errors: wrong names and options raise immediately; invalid records in the job, according to
        `on_error`."""
    return FromThrift(column, of, select, keep, options)


class ToThrift:
    """The function returned by to_thrift, for `DataFrame.mapInArrow`. Can be pickled.

    schema: the StructType of the result, the second argument of mapInArrow."""

    def __init__(self, of: Type, column: str, keep: Optional[_Rows], options: RecordOptions):
        self._carried_fields = _fields(keep)
        self._records = arrow.ToThrift(
            of, column, [field.name for field in self._carried_fields], options
        )

    def __repr__(self) -> str:
        records = self._records
        return f"<thriftlens.spark.ToThrift of {records.of.name} in column {records.column!r}>"

    @property
    def schema(self) -> StructType:
        """The StructType of the result. ImportError without PySpark."""
        pa = arrow.pyarrow_module()
        struct = _struct_type(pa.schema([(self._records.column, pa.binary())]))
        return type(struct)([*self._carried_fields, *struct.fields])

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_carried_fields": []}

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        """The rows of the batches as records.

        Errors: EncodeError with the number of the row in its batch in `record`."""
        pa = arrow.pyarrow_module()
        for batch in batches:
            rows = pa.Table.from_batches([batch])
            yield from self._records(rows.cast(self._input_schema(rows.schema))).to_batches()

    def _input_schema(self, schema: pyarrow.Schema) -> pyarrow.Schema:
        """The types of the columns for from_columns."""
        pa = arrow.pyarrow_module()
        keep = self._records.keep
        struct = _thrift_arrow_type(
            pa.struct([field for field in schema if field.name not in keep]), self._records.of
        )
        return pa.schema(
            [field if field.name in keep else struct.field(field.name) for field in schema]
        )


def to_thrift(
    of: Type,
    column: str = "value",
    *,
    keep: Optional[_Rows] = None,
    **options: Unpack[RecordOptions],
) -> ToThrift:
    """A function for `DataFrame.mapInArrow` that converts the columns of a DataFrame to a column of
    Thrift records.

    keep: a DataFrame, or its schema, of columns to copy that are not fields of the type:
        `to_thrift(Order, keep=df.select("key"))` returns `key` and `value`.

    Options are those of Type.from_columns. Errors: rows that are not a record of the type raise in
        the job."""
    return ToThrift(of, column, keep, options)
