"""DuckDB: tables over files of Thrift records, read by every query. Needs DuckDB (`pip install
duckdb`)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Optional, Union

from ._records.columns import Columns
from ._records.scan_columns import ScanColumnOptions, scan_columns, type_of
from ._records.sources import Source
from ._schema.schemas import Schema
from ._schema.types import Type
from ._typing import Selection

if TYPE_CHECKING:
    import duckdb
    from typing_extensions import Unpack

__all__ = ["register_thrift", "scan_thrift"]


def scan_thrift(
    source: Source,
    idl: Union[Schema, Type, str, os.PathLike[str]],
    type: Optional[str] = None,
    select: Selection = None,
    **options: Unpack[ScanColumnOptions],
) -> Columns:
    """The records of files as a table for SQL: assign it to a variable and use the variable's name
    in a query.

    source: a path, a pattern, or a list of them; bytes. idl, type: a schema or IDL file, and the
        name of a type in it; or only a type.
    select: the columns, by default all; DuckDB reads all selected columns, so select only what the
        query needs.
    options: those of tl.scan_columns. Every query reads the records again, batch by batch.

    >>> import duckdb, thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }")["Point"]
    >>> points = tl.duckdb.scan_thrift(b"".join(Point.encode({"x": x}) for x in range(5)), Point)
    >>> duckdb.sql("select sum(x) from points").fetchall()
    [(10,)]
    """
    return scan_columns(source, type_of(idl, type), select, **options)


def register_thrift(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    source: Source,
    idl: Union[Schema, Type, str, os.PathLike[str]],
    type: Optional[str] = None,
    select: Selection = None,
    **options: Unpack[ScanColumnOptions],
) -> Columns:
    """Like scan_thrift, registered as a view in a connection until `connection.unregister(name)`.

    >>> import duckdb, thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }")["Point"]
    >>> connection = duckdb.connect()
    >>> points = tl.duckdb.register_thrift(connection, "points", Point.encode({"x": 7}), Point)
    >>> connection.sql("select x, count(*) from points group by x").fetchall()
    [(7, 1)]
    """
    columns = scan_thrift(source, idl, type, select, **options)
    connection.register(name, columns)
    return columns
