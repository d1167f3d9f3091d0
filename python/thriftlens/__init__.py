"""Apache Thrift data in place, under IDL that is parsed at run time.

>>> import thriftlens as tl
>>> idl = tl.loads("struct Point { 1: i32 x, 2: i32 y }")
>>> data = idl.Point.encode({"x": 3, "y": -4})
>>> idl.Point.decode(data)
{'x': 3, 'y': -4}
>>> idl.Point.to_json(data)
b'{"x":3,"y":-4}'
"""

from ._core import View, __version__
from ._errors import AbsentError, DecodeError, Diagnostic, EncodeError, Error, JSONError, SchemaError, UnknownNameError
from ._edit import Edit
from ._lens import Difference, Redaction, RedactReport, convert, inspect
from ._schema import Field, Function, Schema, Service, Type, load, loads

__all__ = [
    "AbsentError",
    "DecodeError",
    "Diagnostic",
    "Difference",
    "Edit",
    "EncodeError",
    "Error",
    "Field",
    "Function",
    "JSONError",
    "RedactReport",
    "Redaction",
    "Schema",
    "SchemaError",
    "Service",
    "Type",
    "UnknownNameError",
    "View",
    "__version__",
    "convert",
    "inspect",
    "load",
    "loads",
]
