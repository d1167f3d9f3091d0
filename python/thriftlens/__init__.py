"""Read, change, trim and convert Apache Thrift data in place, with IDL parsed at run time.

>>> import thriftlens as tl
>>> idl = tl.loads("struct Point { 1: i32 x, 2: i32 y }")
>>> data = idl.Point.encode({"x": 3, "y": -4})
>>> idl.Point.decode(data)
{'x': 3, 'y': -4}
>>> idl.Point.to_json(data)
b'{"x":3,"y":-4}'

Paths and selections of get, get_many, edit and trim; also printed by `thriftlens help paths`:

"""

from typing import TYPE_CHECKING

from . import grammar
from ._core import (
    Decoder,
    Document,
    Edit,
    Encoder,
    ListView,
    MapView,
    Rewrite,
    SetView,
    StructView,
    View,
    __version__,
    convert,
    rewrite,
)
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
from ._rpc.message import Message, application_exception, read_message
from ._schema import views as _views  # noqa: F401  (_core imports it by name)
from ._schema.adapters import Adapter, Name, Unix
from ._schema.classes import Struct, UnionStruct
from ._schema.exceptions import ThriftException
from ._schema.loading import load, loads
from ._schema.results import Difference, Differences, Redaction, RedactReport, RewriteReport
from ._schema.schemas import Schema
from ._schema.services import Function, Service
from ._schema.types import Field, Type

if TYPE_CHECKING:
    from . import aio, arrow, duckdb, hive, http, importer, kafka, parquet, polars, spark
    from ._capture.recording import Recording
    from ._capture.recording_format import LostBytes, Recorded, RecordedCall
    from ._http.gateway import Gateway, gateway
    from ._records.detect import Guess, detect
    from ._records.identify import Candidate, identify, infer
    from ._records.inspection import inspect
    from ._records.pieces import Rejected
    from ._records.scan import scan
    from ._records.scan_columns import scan_columns
    from ._records.scanner import Scan
    from ._records.writer import Writer
    from ._rpc.client import Client, connect
    from ._rpc.serve import serve
    from ._schema.store import Store

if __doc__ is not None:  # python -OO
    __doc__ += grammar.PATHS + "\n" + grammar.SELECTIONS

_LAZY_MODULES = {
    "_capture.recording": ("Recording",),
    "_capture.recording_format": ("LostBytes", "Recorded", "RecordedCall"),
    "_http.gateway": ("Gateway", "gateway"),
    "_records.detect": ("Guess", "detect"),
    "_records.identify": ("Candidate", "identify", "importer", "infer"),
    "_records.inspection": ("inspect",),
    "_records.pieces": ("Rejected",),
    "_records.scan": ("scan",),
    "_records.scan_columns": ("scan_columns",),
    "_records.scanner": ("Scan",),
    "_records.writer": ("Writer",),
    "_rpc.client": ("Client", "connect"),
    "_rpc.serve": ("serve",),
    "_schema.store": ("Store",),
}
_LAZY_PUBLIC = frozenset("aio arrow duckdb hive http importer kafka parquet polars spark".split())
_LAZY = {name: module for module, names in _LAZY_MODULES.items() for name in names}


if not TYPE_CHECKING:  # a misspelt name is an error for type checkers

    def __getattr__(name: str) -> object:
        """Imports modules on first use that load sockets, event loops, codecs or engines, or that
        few programs need."""
        import importlib

        if name in _LAZY_PUBLIC:
            return importlib.import_module(f".{name}", __name__)
        if name in _LAZY:
            attribute = globals()[name] = getattr(
                importlib.import_module(f".{_LAZY[name]}", __name__), name
            )
            return attribute
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "AbsentError", "Adapter", "ApplicationError", "BusinessError", "Candidate", "Client",
    "DecodeError", "Decoder", "Diagnostic", "Difference", "Differences", "Document", "Edit",
    "EncodeError", "Encoder", "Error", "Field", "FileError", "Function", "Gateway", "Guess",
    "JSONError", "ListView", "LostBytes", "MapView", "Message", "MissingFileError", "Name",
    "Recorded", "RecordedCall", "Recording", "RedactReport", "Redaction", "Rejected", "Rewrite",
    "RewriteReport", "Scan", "Schema", "SchemaError", "Service", "SetView", "Store", "Struct",
    "StructView", "ThriftException", "TransportConnectionError", "TransportError",
    "TransportTimeoutError", "Type", "UnionStruct", "Unix", "UnknownNameError", "UsageError",
    "View", "Writer", "__version__", "aio", "application_exception", "arrow", "connect", "convert",
    "detect", "duckdb", "gateway", "grammar", "hive", "http", "identify", "importer", "infer",
    "inspect", "kafka", "load", "loads", "parquet", "polars", "read_message", "rewrite", "scan",
    "scan_columns", "serve", "spark",
]  # fmt: skip
