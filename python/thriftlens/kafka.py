"""Kafka: deserializers and serializers for consumers and producers of confluent-kafka.

    order = tl.kafka.ThriftDeserializer(Order, "{ id user { name } }")
    consumer = DeserializingConsumer({..., "value.deserializer": order})
    producer = SerializingProducer({..., "value.serializer": tl.kafka.ThriftSerializer(Order)})

Both are called with (value, context), as confluent-kafka requires; it need not be installed."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Literal, Optional, Protocol, Union

from ._errors import DecodeError, EncodeError, Error
from ._rpc.options import WireProtocol, check_word
from ._schema.schemas import Schema
from ._schema.types import Type
from ._typing import Value

if TYPE_CHECKING:
    from typing_extensions import Buffer, TypeAlias

    _OnError: TypeAlias = Union[
        Literal["raise", "null"], Callable[[Error, Buffer, Optional["Context"]], Value]
    ]

_PREFIX = struct.Struct(">BI")  # Confluent's: the byte 0, the number of a schema


class Context(Protocol):
    """The attributes of confluent_kafka.serialization.SerializationContext that thriftlens
    reads."""

    @property
    def headers(self) -> object:
        """The headers of the message: pairs or a mapping, or None."""


class ThriftDeserializer:
    """Decodes the records of a topic: a `value.deserializer` or `key.deserializer`. A tombstone
    (None) becomes None. Thread-safe.

    of: the type of the records. For records of several types, a schema (`header` contains the type
        name) or a mapping to types from schema numbers (`prefix`) or header texts (`header`).
    select: fields of the value; other fields are skipped. Missing required fields are then omitted
        from the value (an error with to="json").
    to: "dict"; "view", which decodes fields on access; "bytes", the selected fields encoded, for
        Type.columns; "json".
    prefix: "confluent" for records after the five bytes of a schema registry: a byte 0 and the
        number of a schema.
    header: the message header with the type of the record. Required if `of` is a schema, or a
        mapping without `prefix`.
    on_error: handling of invalid records: "raise"; "null" for the value None; or a function of
        (error, bytes, context) that returns the value.
    options: as for Type.decode, view or to_json, according to `to`.

    Raises DecodeError, which confluent-kafka wraps in ValueDeserializationError; code "bad_frame"
    for an unknown prefix, header or type.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
    >>> read = tl.kafka.ThriftDeserializer(Point, "{ x }")
    >>> read(Point.encode({"x": 3, "label": "a"}), None), read(None, None)
    ({'x': 3}, None)
    >>> read(b"broken", None)
    Traceback (most recent call last):
        ...
    thriftlens.DecodeError: invalid wire type at $ (byte 0)
    """

    def __init__(
        self,
        of: Union[Type, Schema, Mapping[int, Type], Mapping[str, Type]],
        select: Union[str, Type, Sequence[str], None] = None,
        *,
        to: Literal["dict", "view", "bytes", "json"] = "dict",
        protocol: WireProtocol = "binary",
        prefix: Literal["none", "confluent"] = "none",
        header: Optional[str] = None,
        on_error: _OnError = "raise",
        **options: Any,
    ):
        check_word("to", to, ("dict", "view", "bytes", "json"))
        check_word("prefix", prefix, ("none", "confluent"))
        if not callable(on_error):
            check_word("on_error", on_error, ("raise", "null"))
        has_number = prefix == "confluent" and not isinstance(of, Schema)
        if not isinstance(of, Type) and header is None and not has_number:
            raise _no_key()
        self._of = of
        self._select = select
        self._to = to
        self._protocol = protocol
        self._prefix = prefix
        self._header = header
        self._on_error = on_error
        self._options = options
        self._check_options()

    def _check_options(self) -> None:
        """Raises for an invalid selection or option in the constructor, not per record."""
        if isinstance(self._of, Schema):
            return
        for type in [self._of] if isinstance(self._of, Type) else self._of.values():
            with contextlib.suppress(DecodeError):
                self._value(type, b"\0")

    def __call__(self, value: Optional[Buffer], ctx: Optional[Context] = None) -> Value:
        """The value of a record."""
        if value is None:
            return None
        try:
            return self._read(value, ctx)
        except Error as error:  # also for a header whose type lacks the selected fields
            if callable(self._on_error):
                return self._on_error(error, value, ctx)
            if self._on_error == "raise":
                raise
            return None

    def _read(self, value: Buffer, ctx: Optional[Context]) -> Value:
        data, number = value, None
        if self._prefix == "confluent":
            number, data = _split_prefix(value)
        return self._value(self._type(number, ctx), data)

    def _value(self, type: Type, data: Buffer) -> Value:
        protocol, options = self._protocol, self._options
        if self._to == "json":
            return type.to_json(data, protocol=protocol, select=self._select, **options)
        if self._select is not None:
            data = type.trim(data, self._select, protocol=protocol)
            options = {"missing_required": "omit", **options}  # fields that are not selected
        if self._to == "bytes":
            return bytes(data)
        if self._to == "view":
            return type.view(bytes(data), protocol=protocol, **options)
        return type.decode(data, protocol=protocol, **options)

    def _type(self, number: Optional[int], ctx: Optional[Context]) -> Type:
        if isinstance(self._of, Type):
            return self._of
        key: Value = number if self._header is None else _header(ctx, self._header)
        type = None if key is None or key not in self._of else self._of[key]
        if type is None or type.kind not in ("struct", "union", "exception"):
            text = "no header" if key is None else repr(key)
            raise DecodeError(f"unknown record type: {text}", code="bad_frame")
        return type


class ThriftSerializer:
    """Encodes values for a topic: a `value.serializer` or `key.serializer`. A tombstone (None)
    becomes None. Thread-safe.

    prefix, schema_id: "confluent" writes the five bytes of a schema registry, with this number,
        before every record.
    header: a message header that is set to the type name; produce must then be called with headers,
        a list or a dict (`headers=[]`).
    options: as for Type.encode. Values are dicts, dataclasses or views.

    Raises EncodeError, which confluent-kafka wraps in ValueSerializationError.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x }")["Point"]
    >>> tl.kafka.ThriftSerializer(Point, prefix="confluent", schema_id=7)({"x": 1}, None)
    b'\\x00\\x00\\x00\\x00\\x07\\x08\\x00\\x01\\x00\\x00\\x00\\x01\\x00'
    """

    def __init__(
        self,
        of: Type,
        *,
        protocol: WireProtocol = "binary",
        prefix: Literal["none", "confluent"] = "none",
        schema_id: Optional[int] = None,
        header: Optional[str] = None,
        **options: Any,
    ):
        check_word("prefix", prefix, ("none", "confluent"))
        _check_schema_id(prefix, schema_id)
        self._of = of
        self._prefix = b"" if schema_id is None else _PREFIX.pack(0, schema_id)
        self._header = header
        self._encode = of.encoder(protocol=protocol, **options).encode

    def __call__(self, value: Value, ctx: Optional[Context] = None) -> Optional[bytes]:
        """The bytes of a value."""
        if value is None:
            return None
        encoded = self._prefix + self._encode(value)
        if self._header is not None:
            _set_header(ctx, self._header, self._of.name)
        return encoded


def _no_key() -> Error:
    return Error(
        "several record types: specify a header, or a prefix with a mapping to types",
        code="bad_option",
    )


def _check_schema_id(prefix: str, schema_id: Optional[int]) -> None:
    if (prefix == "confluent") != (schema_id is not None):
        raise Error('prefix="confluent" and schema_id must be used together', code="bad_option")
    if schema_id is not None and not 0 <= schema_id < 1 << 32:
        raise Error(
            f"schema_id must be an unsigned 32-bit number, not {schema_id}", code="bad_option"
        )


def _split_prefix(value: Buffer) -> tuple[int, memoryview]:
    data, size = memoryview(value).cast("B"), _PREFIX.size
    if len(data) < size:
        text = f"expected a schema registry prefix of {size} bytes, found {len(data)} bytes"
    elif data[0] != 0:
        text = f"invalid schema registry prefix: expected byte 0, found {data[0]}"
    else:
        return _PREFIX.unpack_from(data)[1], data[size:]
    raise DecodeError(text, code="bad_frame", offset=0)


def _header(ctx: Optional[Context], name: str) -> Optional[str]:
    """The last header of that name, as text."""
    headers = getattr(ctx, "headers", None) or ()
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    last = None
    for key, value in pairs:
        if key == name:
            last = value
    return last.decode("utf-8", "replace") if isinstance(last, bytes) else last


def _set_header(ctx: Optional[Context], name: str, text: str) -> None:
    headers = getattr(ctx, "headers", None)
    if isinstance(headers, list):
        headers.append((name, text.encode()))
    elif isinstance(headers, dict):
        headers[name] = text.encode()
    else:
        raise EncodeError(
            f"cannot set header {name!r}: pass headers= to produce, as a list or dict",
            code="bad_option",
        )
