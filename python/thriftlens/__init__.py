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

from ._core import Decoder, Edit, Encoder, ListView, MapView, Rewrite, SetView, StructView, View, __version__, convert, rewrite
from ._detect import Candidate, Guess, detect, identify, infer, inspect
from ._errors import AbsentError, DecodeError, Diagnostic, EncodeError, Error, JSONError, SchemaError, UnknownNameError
from ._results import Difference, Differences, Redaction, RedactReport, RewriteReport
from ._message import Message, application_exception, read_message
from ._recording import LostBytes, Recorded, RecordedCall, Recording
from ._scan import Rejected, Scan, scan
from ._schema import Field, Function, Schema, Service, Type, load, loads
from . import _views, grammar, parquet

if __doc__ is not None:  # python -OO
    __doc__ += grammar.PATHS + "\n" + grammar.SELECTIONS

__all__ = [
    "AbsentError",
    "Candidate",
    "DecodeError",
    "Decoder",
    "Diagnostic",
    "Difference",
    "Differences",
    "Edit",
    "EncodeError",
    "Encoder",
    "Error",
    "Field",
    "Function",
    "Guess",
    "JSONError",
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
    "Type",
    "UnknownNameError",
    "View",
    "__version__",
    "application_exception",
    "convert",
    "detect",
    "grammar",
    "identify",
    "infer",
    "inspect",
    "load",
    "loads",
    "parquet",
    "read_message",
    "rewrite",
    "scan",
]
