"""PySpark: converts a column of Thrift records to columns and back, with `DataFrame.mapInArrow`.

    read = tl.spark.from_thrift("value", Order, "{ id user { name } }") orders =
    topic.mapInArrow(read, read.schema)

The function contains the IDL as text: executors need thriftlens and pyarrow, but no IDL file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Iterator, Optional, Union

from . import arrow
from ._errors import Error
from ._optional import package

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from pyspark.sql import DataFrame  # type: ignore[import-not-found, unused-ignore]
    from pyspark.sql.types import StructType  # type: ignore[import-not-found, unused-ignore]
    from typing_extensions import Unpack

    from ._records.conversions import ColumnOptions, RecordOptions
    from ._schema.types import Type

    _Rows = Union[DataFrame, StructType]

_SIMPLE = {
    "bool": "boolean", "int8": "byte", "int16": "short", "int32": "integer", "int64": "long", "double": "double", "string": "string",
    "binary": "binary",
}  # fmt: skip
_DDL_NAMES = {"byte": "TINYINT", "short": "SMALLINT", "integer": "INT", "long": "BIGINT"}


# ---- types: Arrow types, Spark's JSON and DDL


def _spark_arrow_type(type_: pyarrow.DataType) -> pyarrow.DataType:
    """The Arrow type that Spark accepts for values of an Arrow type."""
    pa = arrow._pyarrow()
    if pa.types.is_dictionary(type_):
        return _spark_arrow_type(type_.value_type)
    if pa.types.is_fixed_size_binary(type_):
        return pa.binary()
    if pa.types.is_list(type_):
        return pa.list_(type_.value_field.with_type(_spark_arrow_type(type_.value_type)))
    if pa.types.is_map(type_):
        return pa.map_(
            type_.key_field.with_type(_spark_arrow_type(type_.key_type)),
            type_.item_field.with_type(_spark_arrow_type(type_.item_type)),
        )
    if pa.types.is_struct(type_):
        return pa.struct([field.with_type(_spark_arrow_type(field.type)) for field in type_])
    if pa.types.is_union(type_):
        raise Error('Spark has no unions; use unions="struct"', code="bad_option")
    return type_


def _thrift_arrow_type(type_: pyarrow.DataType, thrift_type: Type) -> pyarrow.DataType:
    """The reverse: the type of Spark's values for from_columns. Spark has no fixed-size binary,
    which a uuid needs."""
    pa = arrow._pyarrow()
    if thrift_type.kind == "uuid" and pa.types.is_binary(type_):
        return pa.binary(16)
    if thrift_type.kind in ("list", "set") and pa.types.is_list(type_):
        return pa.list_(
            type_.value_field.with_type(
                _thrift_arrow_type(type_.value_type, thrift_type.parameters[0])
            )
        )
    if thrift_type.kind == "map" and pa.types.is_map(type_):
        key, item = (
            _thrift_arrow_type(arrow_type, parameter)
            for arrow_type, parameter in zip(
                (type_.key_type, type_.item_type), thrift_type.parameters
            )
        )
        return pa.map_(type_.key_field.with_type(key), type_.item_field.with_type(item))
    if pa.types.is_struct(type_):
        fields = thrift_type.fields
        return pa.struct(
            [
                field.with_type(_thrift_arrow_type(field.type, fields[field.name].type))
                if field.name in fields
                else field
                for field in type_
            ]
        )
    return type_


def _field_json(field: pyarrow.Field) -> dict[str, Any]:
    arrow_metadata = field.metadata or {}
    metadata: dict[str, Any] = {}
    if b"doc" in arrow_metadata:
        metadata["comment"] = arrow_metadata[b"doc"].decode()
    if b"PARQUET:field_id" in arrow_metadata:
        metadata["parquet.field.id"] = int(arrow_metadata[b"PARQUET:field_id"])
    return {"name": field.name, "type": _json(field.type), "nullable": True, "metadata": metadata}


def _json(type_: pyarrow.DataType) -> Any:
    """The JSON of a Spark type, for StructType.fromJson."""
    pa = arrow._pyarrow()
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


def _ddl(spark_type: Any) -> str:
    if isinstance(spark_type, str):
        return _DDL_NAMES.get(spark_type, spark_type.upper())
    if spark_type["type"] == "array":
        return f"ARRAY<{_ddl(spark_type['elementType'])}>"
    if spark_type["type"] == "map":
        return f"MAP<{_ddl(spark_type['keyType'])}, {_ddl(spark_type['valueType'])}>"
    return f"STRUCT<{_ddl_fields(spark_type, ': ')}>"


def _ddl_fields(struct: Any, separator: str) -> str:
    return ", ".join(
        _ddl_name(field["name"]) + separator + _ddl(field["type"]) + _ddl_comment(field["metadata"])
        for field in struct["fields"]
    )


def _ddl_name(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _ddl_comment(metadata: dict[str, Any]) -> str:
    if "comment" not in metadata:
        return ""
    text = metadata["comment"].replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f" COMMENT '{text}'"


def _struct_type(schema: pyarrow.Schema) -> StructType:
    types = package("pyspark.sql.types", "thriftlens.spark needs", "pyspark")
    return types.StructType.fromJson(_json(arrow._pyarrow().struct(list(schema))))


def _schema_of(of: Type, select: Any, options: dict[str, Any]) -> pyarrow.Schema:
    """The columns with types that Spark accepts."""
    pa = arrow._pyarrow()
    return pa.schema(
        [
            field.with_type(_spark_arrow_type(field.type))
            for field in pa.schema(of.columns([], select, **options))
        ]
    )


def ddl(of: Type, select: Any = None, **options: Unpack[ColumnOptions]) -> str:
    """The columns of a type or a selection as Spark DDL, for CREATE TABLE or as the schema of a
    DataFrame.

    Doc comments of the IDL become comments. Options are those of Type.columns. Needs pyarrow, but
    not pyspark.

    >>> import thriftlens as tl
    >>> idl = tl.loads("struct Item { 1: string sku } struct Order { 1: i64 id, 2: list<Item> items, 3: map<string, bool> marks }")
    >>> print(tl.spark.ddl(idl.Order))
    `id` BIGINT, `items` ARRAY<STRUCT<`sku`: STRING>>, `marks` MAP<STRING, BOOLEAN>
    """
    return _ddl_fields(
        _json(arrow._pyarrow().struct(list(_schema_of(of, select, dict(options))))), " "
    )


def struct_type(of: Type, select: Any = None, **options: Unpack[ColumnOptions]) -> StructType:
    """Like ddl, as a StructType of pyspark, with field ids in the metadata, which Spark writes to
    Parquet files."""
    return _struct_type(_schema_of(of, select, dict(options)))


# ---- functions for mapInArrow


def _fields(keep: Optional[_Rows]) -> list[Any]:
    """The fields of a DataFrame or of its schema."""
    if keep is None:
        return []
    schema: Any = getattr(keep, "schema", keep)
    return list(schema.fields)


class FromThrift:
    """The function returned by from_thrift, for `DataFrame.mapInArrow`. Can be pickled.

    schema: the StructType of the result, the second argument of mapInArrow."""

    def __init__(
        self, column: str, of: Type, select: Any, keep: Optional[_Rows], options: dict[str, Any]
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

    def __getstate__(self) -> Any:
        return {
            **self.__dict__,
            "_carried_fields": [],
        }  # executors need only the names, which are in `_rows`

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        """The columns of the batches.

        Errors: DecodeError with the number of the record in its batch in `record`."""
        pa = arrow._pyarrow()
        for batch in batches:
            table = self._rows(batch)
            names = table.schema.names[: table.num_columns - len(self._schema)]
            target = pa.schema([*(table.schema.field(name) for name in names), *self._schema])
            yield from table.cast(target).to_batches()


def from_thrift(
    column: str,
    of: Type,
    select: Any = None,
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
    return FromThrift(column, of, select, keep, dict(options))


class ToThrift:
    """The function returned by to_thrift, for `DataFrame.mapInArrow`. Can be pickled.

    schema: the StructType of the result, the second argument of mapInArrow."""

    def __init__(self, of: Type, column: str, keep: Optional[_Rows], options: dict[str, Any]):
        self._carried_fields = _fields(keep)
        self._records = arrow.ToThrift(
            of, column, [field.name for field in self._carried_fields], options
        )

    def __repr__(self) -> str:
        return f"<thriftlens.spark.ToThrift of {self._records.of.name} in column {self._records.column!r}>"

    @property
    def schema(self) -> StructType:
        """The StructType of the result. ImportError without PySpark."""
        pa = arrow._pyarrow()
        struct = _struct_type(pa.schema([(self._records.column, pa.binary())]))
        return type(struct)([*self._carried_fields, *struct.fields])

    def __getstate__(self) -> Any:
        return {**self.__dict__, "_carried_fields": []}

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        """The rows of the batches as records.

        Errors: EncodeError with the number of the row in its batch in `record`."""
        pa = arrow._pyarrow()
        of, keep = self._records.of, self._records.keep
        for batch in batches:
            rows = pa.Table.from_batches([batch])
            struct = _thrift_arrow_type(
                pa.struct([field for field in rows.schema if field.name not in keep]), of
            )
            rows = rows.cast(
                pa.schema(
                    [
                        field if field.name in keep else struct.field(field.name)
                        for field in rows.schema
                    ]
                )
            )
            yield from self._records(rows).to_batches()


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
    return ToThrift(of, column, keep, dict(options))
