"""Apache Thrift data in place, under IDL that is parsed at run time.

>>> import thriftlens as tl
>>> idl = tl.loads("struct Point { 1: i32 x, 2: i32 y }")
>>> data = idl.Point.encode({"x": 3, "y": -4})
>>> idl.Point.decode(data)
{'x': 3, 'y': -4}
>>> idl.Point.to_json(data)
b'{"x":3,"y":-4}'

What get, get_many, edit and trim take for a path or a selection, and `thriftlens help paths` prints:

"""

from typing import TYPE_CHECKING, Any

from ._core import Decoder, Edit, Encoder, ListView, MapView, Rewrite, SetView, StructView, View, __version__, convert, rewrite
from ._detect import Candidate, Guess, detect, identify, infer, inspect
from ._errors import (
    AbsentError,
    ApplicationError,
    BusinessError,
    DecodeError,
    Diagnostic,
    EncodeError,
    Error,
    FileError,
    JSONError,
    MissingFileError,
    SchemaError,
    TransportConnectionError,
    TransportError,
    TransportTimeoutError,
    UnknownNameError,
    UsageError,
)
from ._results import Difference, Differences, Redaction, RedactReport, RewriteReport
from ._message import Message, application_exception, read_message
from ._pieces import Rejected
from ._schema import Field, Function, Schema, Service, Type, load, loads
from . import _views, grammar

if TYPE_CHECKING:
    from . import aio, arrow, duckdb, hive, http, kafka, parquet, polars, spark
    from ._client import Client, connect
    from ._exceptions import ThriftException
    from ._gateway import Gateway, gateway
    from ._recording import LostBytes, Recorded, RecordedCall, Recording
    from ._scan import Scan, scan
    from ._scan_columns import scan_columns
    from ._server import serve

if __doc__ is not None:  # python -OO
    __doc__ += grammar.PATHS + "\n" + grammar.SELECTIONS

_LAZY = {
    "Client": "_client", "Gateway": "_gateway", "LostBytes": "_recording", "Recorded": "_recording", "RecordedCall": "_recording", "Recording": "_recording",
    "Scan": "_scan", "ThriftException": "_exceptions", "connect": "_client", "gateway": "_gateway", "scan": "_scan", "scan_columns": "_scan_columns", "serve": "_server",
}


def __getattr__(name: str) -> Any:
    """What brings sockets, event loops and engines, or more modules than most programs need, is imported when it is asked for."""
    import importlib

    if name in ("aio", "arrow", "duckdb", "hive", "http", "kafka", "parquet", "polars", "spark"):
        return importlib.import_module(f".{name}", __name__)
    if name in _LAZY:
        found = globals()[name] = getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "AbsentError",
    "ApplicationError",
    "BusinessError",
    "Candidate",
    "Client",
    "DecodeError",
    "Decoder",
    "Diagnostic",
    "Difference",
    "Differences",
    "Edit",
    "EncodeError",
    "Encoder",
    "Error",
    "FileError",
    "Field",
    "Function",
    "Gateway",
    "Guess",
    "JSONError",
    "MissingFileError",
    "ListView",
    "LostBytes",
    "MapView",
    "Message",
    "Recorded",
    "RecordedCall",
    "Recording",
    "RedactReport",
    "Redaction",
    "Rejected",
    "Rewrite",
    "RewriteReport",
    "Scan",
    "Schema",
    "SchemaError",
    "Service",
    "SetView",
    "StructView",
    "ThriftException",
    "TransportConnectionError",
    "TransportError",
    "TransportTimeoutError",
    "Type",
    "UnknownNameError",
    "UsageError",
    "View",
    "__version__",
    "aio",
    "application_exception",
    "arrow",
    "connect",
    "convert",
    "detect",
    "duckdb",
    "gateway",
    "grammar",
    "hive",
    "http",
    "identify",
    "infer",
    "inspect",
    "kafka",
    "load",
    "loads",
    "parquet",
    "polars",
    "read_message",
    "rewrite",
    "scan",
    "scan_columns",
    "serve",
    "spark",
]
