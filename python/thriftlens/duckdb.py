"""DuckDB reads Thrift: tables over files of records, read each time a query wants them. Needs DuckDB (`pip install duckdb`)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional, Union

from ._records.columns import Columns
from ._records.scan_columns import scan_columns, type_of
from ._schema.schema import Schema, Type

if TYPE_CHECKING:
    import duckdb

__all__ = ["register_thrift", "scan_thrift"]


def scan_thrift(
    source: Any,
    idl: Union[Schema, Type, str, os.PathLike[str]],
    type: Optional[str] = None,
    select: Any = None,
    **options: Any,
) -> Columns:
    """The records of files as something that SQL can name: DuckDB looks for a table of that name among Python's variables.

    source: a path, a pattern, or a list of them; bytes. idl, type: a schema or the file of one, and the name of a type in it; or a type alone.
    select: the columns, all where nothing is said; DuckDB reads all that are selected, so select what the query needs.
    options: those of tl.scan_columns. Records are read anew for each query, a batch at a time.

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
    source: Any,
    idl: Union[Schema, Type, str, os.PathLike[str]],
    type: Optional[str] = None,
    select: Any = None,
    **options: Any,
) -> Columns:
    """The same as a view of that name in a connection, which holds it until `connection.unregister(name)`.

    >>> import duckdb, thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }")["Point"]
    >>> connection = duckdb.connect()
    >>> points = tl.duckdb.register_thrift(connection, "points", Point.encode({"x": 7}), Point)
    >>> connection.sql("select x from points").fetchall(), connection.sql("select count(*) from points").fetchall()
    ([(7,)], [(1,)])
    """
    made = scan_thrift(source, idl, type, select, **options)
    connection.register(name, made)
    return made
