"""Types that the signatures of several modules share."""

from collections.abc import Awaitable, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Literal, Optional, Protocol, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import Buffer as Buffer

    from ._core import Type
else:
    Buffer = bytes

# A decoded value. Its type follows from the IDL, which is known at run time only.
Value = Any
# Arguments of a call or members of a struct by name.
Values = Mapping[str, Value]

# A selection: its text, a type, or the names of fields.
Selection = Union[None, str, "Type", Sequence[str]]

# Bytes that are sliced without a copy.
Data = Union[bytes, memoryview]

WireProtocol = Literal["binary", "compact"]
AnyProtocol = Literal["binary", "compact", "tjson"]

ErrorCode = Literal[
    "truncated", "negative_size", "size_limit", "output_limit", "depth_limit", "bad_ttype",
    "bad_varint", "bad_field_id", "bad_message", "bad_frame", "bad_sequence_id",
    "wrong_method_name", "refused", "type_mismatch", "duplicate_field", "duplicate_key",
    "hash_flood", "missing_required", "union_members", "unknown_field", "foreign_struct",
    "unknown_enum_value", "broken_rule", "trailing_bytes", "unfit_value", "invalid_utf8",
    "nonfinite", "json_syntax", "json_type", "integer_range", "double_range", "unknown_key",
    "bad_base64", "bad_uuid", "bad_map_key", "unknown_enum_name", "schema_invalid", "bad_rule",
    "missing_key", "unknown_name", "path_syntax", "no_such_field", "wrong_type", "absent",
    "bad_index", "already_there", "edit_conflict", "not_same_size", "value_type", "value_range",
    "empty_value", "buffer_too_small", "bad_option", "calls_limit", "streaming", "io", "no_memory",
    "internal", "error", "timeout", "closed", "connection_refused", "connection_failed",
    "not_found", "certificate", "tls", "unauthorized", "http_status", "no_transport", "unknown",
    "unknown_method", "invalid_message_type", "missing_result", "internal_error", "protocol_error",
    "invalid_transform", "invalid_protocol", "unsupported_client_type", "business_error",
    "hive_error", "bad_address", "bad_magic", "bad_value", "unsupported", "no_routes", "no_service",
    "not_redacted",
]  # fmt: skip
"""Codes of errors: those of the C++ library, then those of connections, servers and files."""

# Options of the operations of _core, without protocol, depth and the arguments of one caller. The
# tables in C++ have their defaults; a test compares both.


class ReadOptions(TypedDict, total=False):
    """Options of decode, decoder, get, get_many and view."""

    unknown: Literal["drop", "error", "keep"]
    defaults: Literal["omit", "write"]
    names: Literal["field", "alias"]
    invalid_utf8: Literal["error", "replace", "surrogateescape"]
    mismatch: Literal["error", "drop"]
    duplicates: Literal["error", "last"]
    missing_required: Literal["error", "omit"]
    output_size: int


class JsonOptions(ReadOptions, total=False):
    """Options of to_json that decode does not have otherwise."""

    int64: Literal["number", "string"]
    nonfinite: Literal["error", "string"]
    pretty: Union[bool, int]


class ToJsonOptions(JsonOptions, total=False):
    """Options of to_json."""

    enums: Literal["number", "name"]
    select: Selection


class MessageJsonOptions(ToJsonOptions, total=False):
    """Options of Message.to_json."""

    depth: int


class FromJsonOptions(TypedDict, total=False):
    """Options of from_json."""

    unknown: Literal["error", "drop", "keep"]
    quoted_numbers: Literal["error", "accept"]
    base64: Literal["strict", "lenient"]
    duplicates: Literal["error", "last"]
    nonfinite: Literal["error", "string"]
    defaults: Literal["omit", "write"]
    names: Literal["field", "alias", "both"]
    missing: Literal["error", "zero"]
    invalid_utf8: Literal["error", "replace", "surrogateescape"]
    output_size: int


class EncodeOptions(TypedDict, total=False):
    """Options of encode and encoder."""

    unknown: Literal["error", "drop", "keep"]
    defaults: Literal["omit", "write"]
    names: Literal["field", "alias"]
    missing: Literal["error", "zero"]
    invalid_utf8: Literal["error", "replace", "surrogateescape"]


class _WireOptions(TypedDict, total=False):
    protocol: AnyProtocol
    depth: int


class ObjectReadOptions(ReadOptions, _WireOptions, total=False):
    """Options of Struct.decode."""


class ObjectEncodeOptions(EncodeOptions, _WireOptions, total=False):
    """Options of Struct.encode."""


class RedactRules(TypedDict, total=False):
    """Options of redact and redactions."""

    annotation: str
    values: Optional[Mapping[str, str]]
    default_action: str
    paths: Optional[Mapping[str, str]]
    types: Optional[Mapping[str, str]]
    key: "Buffer"
    unmatched: Literal["error", "ignore"]
    missing_required: Literal["error", "omit"]


class CheckOptions(TypedDict, total=False):
    """Options of findings and validate."""

    unknown: Literal["keep", "error"]
    invalid_utf8: Literal["error", "keep"]
    enum_numbers: Literal["known", "any"]
    keys: Literal["any", "unique"]
    rules: Literal["error", "ignore"]
    missing_required: Literal["error", "omit"]
    foreign: Literal["any", "error"]


class SchemaOptions(TypedDict, total=False):
    """Options of arrow_schema: those of columns that names and types of the columns depend on."""

    enums: Literal["number", "name", "string"]
    unions: Literal["struct", "dense"]
    nesting: Literal["structs", "flat"]
    field_ids: Literal["none", "unique"]
    invalid_utf8: Literal["error", "replace", "keep"]
    record: Optional[str]
    reason: Optional[str]
    file: Optional[str]
    unknown_fields: Optional[str]


class ColumnOptions(SchemaOptions, total=False):
    """Options of columns."""

    protocol: WireProtocol
    on_error: Literal["raise", "null", "skip"]
    defaults: Literal["omit", "write"]
    mismatch: Literal["error", "drop"]
    missing_required: Literal["error", "omit"]
    unknown: Literal["drop", "error"]
    where: Optional[str]
    threads: int
    depth: int
    output_size: int


class RecordOptions(TypedDict, total=False):
    """Options of from_columns."""

    protocol: WireProtocol
    missing_required: Literal["error", "omit"]
    unknown: Literal["error", "drop"]
    invalid_utf8: Literal["error", "keep"]
    depth: int
    output_size: int


# What json.loads returns.
JsonValue = Union[None, bool, int, float, str, list["JsonValue"], dict[str, "JsonValue"]]
JsonObject = dict[str, JsonValue]

# Reports a message, such as a progress or a warning.
Say = Callable[[str], None]

# ASGI.
Scope = MutableMapping[str, Any]
AsgiMessage = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[AsgiMessage]]
Send = Callable[[AsgiMessage], Awaitable[None]]


class BinaryReader(Protocol):
    """The part of a binary file that readers use."""

    def read(self, size: int = -1, /) -> bytes: ...


class BinaryWriter(Protocol):
    """The part of a binary file that writers use."""

    def write(self, data: bytes, /) -> object: ...


# Capsules of an ArrowSchema and an ArrowArray.
ArrayCapsules = tuple[object, object]


class ArrowStream(Protocol):
    """An object that exports a table, see Arrow's PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class ArrowArray(Protocol):
    """An object that exports an array, see Arrow's PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object = None) -> ArrayCapsules: ...


class ArrowSchema(Protocol):
    """An object that exports a schema, see Arrow's PyCapsule interface."""

    def __arrow_c_schema__(self) -> object: ...
