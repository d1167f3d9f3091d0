"""The exceptions of thriftlens."""

from .calls import (
    APPLICATION_CODES,
    ApplicationError,
    BusinessError,
    ServerError,
    TransportConnectionError,
    TransportError,
    TransportTimeoutError,
)
from .diagnostics import Diagnostic, heading_of
from .errors import (
    AbsentError,
    CallState,
    DecodeError,
    EncodeError,
    Error,
    FileError,
    JSONError,
    MissingFileError,
    RelaxingOption,
    SchemaError,
    UnknownNameError,
    UsageError,
    _make,  # noqa: F401  (_core imports it by name)
    file_error,
    in_file,
    in_record,
    of_record,
    reworded,
    spelling_options,
    without_option,
    without_record,
)

for _class in [value for value in globals().values() if isinstance(value, type)]:
    if issubclass(_class, (Diagnostic, Error)) and _class is not ServerError:
        _class.__module__ = "thriftlens"

__all__ = [
    "APPLICATION_CODES", "AbsentError", "ApplicationError", "BusinessError", "CallState",
    "DecodeError", "Diagnostic", "EncodeError", "Error", "FileError", "JSONError",
    "MissingFileError", "RelaxingOption", "SchemaError", "ServerError", "TransportConnectionError",
    "TransportError", "TransportTimeoutError", "UnknownNameError", "UsageError", "file_error",
    "heading_of", "in_file", "in_record", "of_record", "reworded", "spelling_options",
    "without_option", "without_record",
]  # fmt: skip
