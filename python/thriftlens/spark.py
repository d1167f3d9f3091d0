"""PySpark: a column of Thrift records becomes columns, in `DataFrame.mapInArrow`, and the reverse.

    read = tl.spark.from_thrift("value", Order, "{ id user { name } }")
    orders = topic.mapInArrow(read, read.schema)

The IDL goes to the executors as text, within the function: they need thriftlens and pyarrow, and no file.
"""

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

    from ._schema.schema import Type
    from .arrow import ColumnOptions, RecordOptions

    _Rows = Union[DataFrame, StructType]

_SIMPLE = {
    "bool": "boolean", "int8": "byte", "int16": "short", "int32": "integer", "int64": "long", "double": "double", "string": "string",
    "binary": "binary",
}  # fmt: skip
_WORDS = {"byte": "TINYINT", "short": "SMALLINT", "integer": "INT", "long": "BIGINT"}


# ---- types: Arrow's, those of them that Spark takes, Spark's as JSON, Spark's as DDL


def _taken(kind: pyarrow.DataType) -> pyarrow.DataType:
    """The type as which Spark takes values of an Arrow type."""
    pa = arrow._pyarrow()
    if pa.types.is_dictionary(kind):
        return _taken(kind.value_type)
    if pa.types.is_fixed_size_binary(kind):
        return pa.binary()
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_taken(kind.value_type)))
    if pa.types.is_map(kind):
        return pa.map_(kind.key_field.with_type(_taken(kind.key_type)), kind.item_field.with_type(_taken(kind.item_type)))
    if pa.types.is_struct(kind):
        return pa.struct([each.with_type(_taken(each.type)) for each in kind])
    if pa.types.is_union(kind):
        raise Error('Spark has no unions: take unions="struct"', code="bad_option")
    return kind


def _given(kind: pyarrow.DataType, of: Type) -> pyarrow.DataType:
    """The reverse: the type that values of Spark have for from_columns. Spark has no binary of a fixed size, which a uuid is."""
    pa = arrow._pyarrow()
    if of.kind == "uuid" and pa.types.is_binary(kind):
        return pa.binary(16)
    if of.kind in ("list", "set") and pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_given(kind.value_type, of.parameters[0])))
    if of.kind == "map" and pa.types.is_map(kind):
        key, item = (_given(each, to) for each, to in zip((kind.key_type, kind.item_type), of.parameters))
        return pa.map_(kind.key_field.with_type(key), kind.item_field.with_type(item))
    if pa.types.is_struct(kind):
        return pa.struct([each.with_type(_given(each.type, of.fields[each.name].type)) if each.name in of.fields else each for each in kind])
    return kind


def _field_json(field: pyarrow.Field) -> dict[str, Any]:
    given = field.metadata or {}
    metadata: dict[str, Any] = {}
    if b"doc" in given:
        metadata["comment"] = given[b"doc"].decode()
    if b"PARQUET:field_id" in given:
        metadata["parquet.field.id"] = int(given[b"PARQUET:field_id"])
    return {"name": field.name, "type": _json(field.type), "nullable": True, "metadata": metadata}


def _json(kind: pyarrow.DataType) -> Any:
    """An Arrow type of _taken as StructType.fromJson reads it."""
    pa = arrow._pyarrow()
    if pa.types.is_list(kind):
        return {"type": "array", "elementType": _json(kind.value_type), "containsNull": True}
    if pa.types.is_map(kind):
        return {"type": "map", "keyType": _json(kind.key_type), "valueType": _json(kind.item_type), "valueContainsNull": True}
    if pa.types.is_struct(kind):
        return {"type": "struct", "fields": [_field_json(each) for each in kind]}
    return _SIMPLE[str(kind)]


def _ddl(kind: Any) -> str:
    if isinstance(kind, str):
        return _WORDS.get(kind, kind.upper())
    if kind["type"] == "array":
        return f"ARRAY<{_ddl(kind['elementType'])}>"
    if kind["type"] == "map":
        return f"MAP<{_ddl(kind['keyType'])}, {_ddl(kind['valueType'])}>"
    return f"STRUCT<{_ddl_fields(kind, ': ')}>"


def _ddl_fields(kind: Any, between: str) -> str:
    return ", ".join(_ddl_name(each["name"]) + between + _ddl(each["type"]) + _ddl_comment(each["metadata"]) for each in kind["fields"])


def _ddl_name(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _ddl_comment(metadata: dict[str, Any]) -> str:
    if "comment" not in metadata:
        return ""
    escaped = metadata["comment"].replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f" COMMENT '{escaped}'"


def _struct_type(schema: pyarrow.Schema) -> StructType:
    types = package("pyspark.sql.types", "thriftlens.spark needs", "pyspark")
    return types.StructType.fromJson(_json(arrow._pyarrow().struct(list(schema))))


def _schema_of(of: Type, select: Any, options: dict[str, Any]) -> pyarrow.Schema:
    """The columns as Spark takes them."""
    pa = arrow._pyarrow()
    return pa.schema([each.with_type(_taken(each.type)) for each in pa.schema(of.columns([], select, **options))])


def ddl(of: Type, select: Any = None, **options: Unpack[ColumnOptions]) -> str:
    """The columns of a type, or of a selection of it, as Spark's DDL: for CREATE TABLE, and as the schema of a DataFrame.

    Doc comments of the IDL are comments. Options are those of Type.columns; pyarrow must be installed, pyspark need not.

    >>> import thriftlens as tl
    >>> idl = tl.loads("struct Item { 1: string sku } struct Order { 1: i64 id, 2: list<Item> items, 3: map<string, bool> marks }")
    >>> print(tl.spark.ddl(idl.Order))
    `id` BIGINT, `items` ARRAY<STRUCT<`sku`: STRING>>, `marks` MAP<STRING, BOOLEAN>
    """
    return _ddl_fields(_json(arrow._pyarrow().struct(list(_schema_of(of, select, dict(options))))), " ")


def struct_type(of: Type, select: Any = None, **options: Unpack[ColumnOptions]) -> StructType:
    """The same as pyspark's StructType, with field ids in the metadata, which Spark writes to Parquet files."""
    return _struct_type(_schema_of(of, select, dict(options)))


# ---- functions for mapInArrow


def _fields(keep: Optional[_Rows]) -> list[Any]:
    """The fields of a DataFrame or of its schema."""
    if keep is None:
        return []
    schema: Any = getattr(keep, "schema", keep)
    return list(schema.fields)


class FromThrift:
    """Made by from_thrift: what `DataFrame.mapInArrow` calls. Can be pickled.

    schema: the StructType of what it gives, the second argument of mapInArrow.
    """

    def __init__(self, column: str, of: Type, select: Any, keep: Optional[_Rows], options: dict[str, Any]):
        made = _schema_of(of, select, options)
        kept = [each for each in _fields(keep) if each.name != column]
        arrow.check_names([each.name for each in kept], made.names)
        self._rows = arrow.FromThrift(column, of, select, [each.name for each in kept], options)
        self._kept = kept
        self._made = made

    def __repr__(self) -> str:
        return f"<thriftlens.spark.FromThrift of {self._rows.of.name} in column {self._rows.column!r}>"

    @property
    def schema(self) -> StructType:
        """The StructType of what it gives. ImportError without PySpark."""
        made = _struct_type(self._made)
        return type(made)([*self._kept, *made.fields])

    def __getstate__(self) -> Any:
        return {**self.__dict__, "_kept": []}  # executors need the names only, which `_rows` has

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        """The columns of each batch. Errors: DecodeError of a record, whose number in its batch is `record` of the error."""
        pa = arrow._pyarrow()
        for batch in batches:
            made = self._rows(batch)
            kept = made.schema.names[: made.num_columns - len(self._made)]
            wanted = pa.schema([*(made.schema.field(name) for name in kept), *self._made])
            yield from made.cast(wanted).to_batches()


def from_thrift(column: str, of: Type, select: Any = None, *, keep: Optional[_Rows] = None, **options: Unpack[ColumnOptions]) -> FromThrift:
    """A function for `DataFrame.mapInArrow` that makes columns of the Thrift records in a column of binary.

    keep: a DataFrame, or its schema, whose columns stand before those that are made; `column` itself is not kept.
        keep=df carries all other columns along, keep=df.select("topic", "offset") two of them.

    Selection and options are those of Type.columns, without `record`. An enum with enums="name" is a string, a uuid is binary.
    Errors: those of names and options at once; of records in the job, as `on_error` says.
    """
    return FromThrift(column, of, select, keep, dict(options))


class ToThrift:
    """Made by to_thrift: what `DataFrame.mapInArrow` calls. Can be pickled.

    schema: the StructType of what it gives, the second argument of mapInArrow.
    """

    def __init__(self, of: Type, column: str, keep: Optional[_Rows], options: dict[str, Any]):
        self._kept = _fields(keep)
        self._records = arrow.ToThrift(of, column, [each.name for each in self._kept], options)

    def __repr__(self) -> str:
        return f"<thriftlens.spark.ToThrift of {self._records.of.name} in column {self._records.column!r}>"

    @property
    def schema(self) -> StructType:
        """The StructType of what it gives. ImportError without PySpark."""
        pa = arrow._pyarrow()
        made = _struct_type(pa.schema([(self._records.column, pa.binary())]))
        return type(made)([*self._kept, *made.fields])

    def __getstate__(self) -> Any:
        return {**self.__dict__, "_kept": []}

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        """A record for each row of each batch. Errors: EncodeError, whose `record` is the number of the row in its batch."""
        pa = arrow._pyarrow()
        of, kept = self._records.of, self._records.keep
        for batch in batches:
            rows = pa.Table.from_batches([batch])
            fields = _given(pa.struct([each for each in rows.schema if each.name not in kept]), of)
            rows = rows.cast(pa.schema([each if each.name in kept else fields.field(each.name) for each in rows.schema]))
            yield from self._records(rows).to_batches()


def to_thrift(of: Type, column: str = "value", *, keep: Optional[_Rows] = None, **options: Unpack[RecordOptions]) -> ToThrift:
    """A function for `DataFrame.mapInArrow` that makes a column of Thrift records of a DataFrame's columns.

    keep: a DataFrame, or its schema, of columns that are no fields of the type: `to_thrift(Order, keep=df.select("key"))` gives `key` and `value`.

    Options are those of Type.from_columns. Errors: of a row that is no record of the type, in the job.
    """
    return ToThrift(of, column, keep, dict(options))
