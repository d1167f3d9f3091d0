"""Hive: tables and partitions of a metastore; SQL through HiveServer2 and compatible servers
(Spark's Thrift server, Impala, Kyuubi)."""

from ._hive.columns import ArrowRows, Column
from ._hive.errors import HiveError
from ._hive.idl import metastore_idl, server_idl
from ._hive.result import Result
from ._hive.session import Session, connect, metastore

__all__ = [
    "ArrowRows", "Column", "HiveError", "Result", "Session", "connect", "metastore",
    "metastore_idl", "server_idl",
]  # fmt: skip
