"""Kafka: what the consumers and producers of confluent-kafka call for the records of a topic.

    consumer = DeserializingConsumer({..., "value.deserializer": tl.kafka.ThriftDeserializer(Order, "{ id user { name } }")})
    producer = SerializingProducer({..., "value.serializer": tl.kafka.ThriftSerializer(Order)})

Both are functions of (value, context), as confluent-kafka asks for them; it need not be installed.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Callable, Literal, Mapping, Optional, Protocol, Union

from ._errors import DecodeError, EncodeError, Error
from ._schema.schema import Schema, Type

if TYPE_CHECKING:
    from typing_extensions import Buffer, TypeAlias

    _OnError: TypeAlias = Union[Literal["raise", "null"], Callable[[Error, Buffer, Any], Any]]

_PREFIX = struct.Struct(">BI")  # Confluent's: the byte 0, the number of a schema


class Context(Protocol):
    """What thriftlens reads of confluent_kafka.serialization.SerializationContext."""

    headers: Any


class ThriftDeserializer:
    """Reads the records of a topic: a `value.deserializer` or `key.deserializer`. None, a tombstone, is None. Shared by threads.

    of: the type of all records. Where they differ in type, what `prefix` or `header` says of each record is looked up in it:
        a schema, whose types a header names, or a mapping from a number (of a prefix) or a text (of a header) to a type.
    select: only these fields are in the value; the bytes of others are passed over. A required field that is missing is then left out (an error with
        to="json").
    to: "dict"; "view", which reads a field when it is asked for; "bytes", which are what `select` leaves, for Type.columns; "json".
    prefix: "confluent" for records behind the five bytes of a schema registry: a byte 0 and the number of a schema.
    header: name of the message's header that says the type; a mapping or a schema as `of` needs it or a prefix.
    on_error: of a record that cannot be read: "raise"; "null", whose value is None; or a function of (error, bytes, context) that gives the value.
    options: of Type.decode, view or to_json, as `to` says.

    Errors: DecodeError, which confluent-kafka carries in its ValueDeserializationError; code "bad_frame" for a prefix, header or
    type that is not known.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
    >>> read = tl.kafka.ThriftDeserializer(Point, "{ x }")
    >>> read(Point.encode({"x": 3, "label": "a"}), None), read(None, None)
    ({'x': 3}, None)
    >>> read(b"broken", None)
    Traceback (most recent call last):
        ...
    thriftlens.DecodeError: a wire type that Thrift does not define at $ (byte 0)
    """

    def __init__(
        self,
        of: Union[Type, Schema, Mapping[Any, Type]],
        select: Any = None,
        *,
        to: Literal["dict", "view", "bytes", "json"] = "dict",
        protocol: Literal["binary", "compact"] = "binary",
        prefix: Literal["none", "confluent"] = "none",
        header: Optional[str] = None,
        on_error: _OnError = "raise",
        **options: Any,
    ):
        _check("to", to, ("dict", "view", "bytes", "json"))
        _check("prefix", prefix, ("none", "confluent"))
        if not callable(on_error):
            _check("on_error", on_error, ("raise", "null"))
        if not isinstance(of, Type) and header is None and (prefix == "none" or isinstance(of, Schema)):
            raise Error("what says the type of a record? name a header; numbers of a prefix need a mapping to types", code="bad_option")
        self._of = of
        self._select = select
        self._to = to
        self._protocol = protocol
        self._prefix = prefix
        self._header = header
        self._on_error = on_error
        self._options = options
        for each in [of] if isinstance(of, Type) else [] if isinstance(of, Schema) else of.values():
            self._try(each)

    def _try(self, of: Type) -> None:
        """A selection or an option that is wrong is an error when the deserializer is made, not of each record."""
        try:
            self._value(of, b"\0")
        except DecodeError:
            pass

    def __call__(self, value: Optional[Buffer], ctx: Optional[Context] = None) -> Any:
        """The value of a record."""
        if value is None:
            return None
        try:
            return self._read(value, ctx)
        except Error as error:  # of a header that names a type without the selected fields, too
            if callable(self._on_error):
                return self._on_error(error, value, ctx)
            if self._on_error == "raise":
                raise
            return None

    def _read(self, value: Buffer, ctx: Optional[Context]) -> Any:
        data: Any = value
        number = None
        if self._prefix == "confluent":
            number, data = _behind_prefix(value)
        return self._value(self._type(number, ctx), data)

    def _value(self, of: Type, data: Any) -> Any:
        protocol: Any = self._protocol
        options = self._options
        if self._to == "json":
            return of.to_json(data, protocol=protocol, select=self._select, **options)
        if self._select is not None:
            data = of.trim(data, self._select, protocol=protocol)
            options = {"missing_required": "omit", **options}  # those that are not selected
        if self._to == "bytes":
            return bytes(data)
        if self._to == "view":
            return of.view(bytes(data), protocol=protocol, **options)
        return of.decode(data, protocol=protocol, **options)

    def _type(self, number: Optional[int], ctx: Optional[Context]) -> Type:
        if isinstance(self._of, Type):
            return self._of
        key: Any = number
        if self._header is not None:
            key = _header(ctx, self._header)
        if key is None or key not in self._of or self._of[key].kind not in ("struct", "union", "exception"):
            raise DecodeError(f"no type is known for {'a record without header' if key is None else repr(key)}", code="bad_frame")
        return self._of[key]


class ThriftSerializer:
    """Writes values for a topic: a `value.serializer` or `key.serializer`. None, a tombstone, is None. Shared by threads.

    prefix, schema_id: "confluent" writes the five bytes of a schema registry, with this number, before each record.
    header: name of a header of the message, which gets the type's name; the call of produce must then give headers, a list or a dict
        (`headers=[]`).
    options: of Type.encode. Values are what it takes: dicts, dataclasses, views.

    Errors: EncodeError, which confluent-kafka carries in its ValueSerializationError.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x }")["Point"]
    >>> tl.kafka.ThriftSerializer(Point, prefix="confluent", schema_id=7)({"x": 1}, None)
    b'\\x00\\x00\\x00\\x00\\x07\\x08\\x00\\x01\\x00\\x00\\x00\\x01\\x00'
    """

    def __init__(
        self,
        of: Type,
        *,
        protocol: Literal["binary", "compact"] = "binary",
        prefix: Literal["none", "confluent"] = "none",
        schema_id: Optional[int] = None,
        header: Optional[str] = None,
        **options: Any,
    ):
        _check("prefix", prefix, ("none", "confluent"))
        if (prefix == "confluent") != (schema_id is not None):
            raise Error('prefix="confluent" and schema_id go together', code="bad_option")
        if schema_id is not None and not 0 <= schema_id < 1 << 32:
            raise Error(f"schema_id has 32 bits, and {schema_id} does not fit", code="bad_option")
        self._of = of
        self._before = b"" if schema_id is None else _PREFIX.pack(0, schema_id)
        self._header = header
        self._encode = of.encoder(protocol=protocol, **options).encode

    def __call__(self, value: Any, ctx: Optional[Context] = None) -> Optional[bytes]:
        """The bytes of a value."""
        if value is None:
            return None
        made = self._before + self._encode(value)
        if self._header is not None:
            _set_header(ctx, self._header, self._of.name)
        return made


def _check(name: str, given: Any, words: tuple[str, ...]) -> None:
    if given not in words:
        raise ValueError(f"{name} must be {', '.join(map(repr, words[:-1]))} or {words[-1]!r}, not {given!r}")


def _behind_prefix(value: Buffer) -> tuple[int, memoryview]:
    data = memoryview(value).cast("B")
    if len(data) < _PREFIX.size:
        raise DecodeError(f"{len(data)} bytes hold no prefix of a schema registry", code="bad_frame", offset=0)
    zero, number = _PREFIX.unpack_from(data)
    if zero != 0:
        raise DecodeError(f"a prefix of a schema registry begins with the byte 0, not {zero}", code="bad_frame", offset=0)
    return number, data[_PREFIX.size :]


def _header(ctx: Optional[Context], name: str) -> Optional[str]:
    """The last header of that name, as text."""
    headers = getattr(ctx, "headers", None) or ()
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    found = None
    for key, value in pairs:
        if key == name:
            found = value
    return found.decode("utf-8", "replace") if isinstance(found, bytes) else found


def _set_header(ctx: Optional[Context], name: str, text: str) -> None:
    headers = getattr(ctx, "headers", None)
    if isinstance(headers, list):
        headers.append((name, text.encode()))
    elif isinstance(headers, dict):
        headers[name] = text.encode()
    else:
        raise EncodeError(f"the header {name!r} cannot be set: produce was called without headers, a list or a dict", code="bad_option")
