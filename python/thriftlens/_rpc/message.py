"""RPC messages: a header, and the arguments or the result of a call."""

from __future__ import annotations

import codecs
import functools
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional, Union

from .. import _core
from .._core import View
from .._errors import DecodeError, Error, UnknownNameError, reworded, without_record
from .._schema.html import short
from .._schema.loading import loads
from .._schema.schemas import Schema
from .._schema.services import Function, Service
from .._schema.types import Type
from .._text import quoted_name, shown
from .._typing import MessageJsonOptions, Value

if TYPE_CHECKING:
    from typing_extensions import Buffer, Unpack

BytesLike = Union[bytes, bytearray, memoryview]
Services = Union[Service, Schema, Iterable[Service], None]  # services of the functions in messages

_APPLICATION = """
enum ApplicationErrorType {
  UNKNOWN = 0, UNKNOWN_METHOD = 1, INVALID_MESSAGE_TYPE = 2, WRONG_METHOD_NAME = 3,
  BAD_SEQUENCE_ID = 4, MISSING_RESULT = 5, INTERNAL_ERROR = 6, PROTOCOL_ERROR = 7,
  INVALID_TRANSFORM = 8, INVALID_PROTOCOL = 9, UNSUPPORTED_CLIENT_TYPE = 10,
}
exception TApplicationException { 1: string message, 2: ApplicationErrorType type }
"""


# Finagle clients call this name to learn whether the server supports headers; then calls and
# replies begin with one.
_UPGRADE = "__can__finagle__trace__v3__"
_FINAGLE = """
struct ClientId { 1: string name }
struct RequestContext { 1: binary key, 2: binary value }
struct Delegation { 1: string src, 2: string dst }
struct RequestHeader {
  1: i64 trace_id, 2: i64 span_id, 3: optional i64 parent_span_id, 5: optional bool sampled,
  6: optional ClientId client_id, 7: optional i64 flags, 8: list<RequestContext> contexts,
  9: optional string dest, 10: optional list<Delegation> delegations,
}
struct Endpoint { 1: i32 ipv4, 2: i16 port, 3: string service_name }
struct Annotation {
  1: i64 timestamp, 2: string value, 3: optional Endpoint host, 4: optional i32 duration
}
enum AnnotationType { BOOL, BYTES, I16, I32, I64, DOUBLE, STRING }
struct BinaryAnnotation {
  1: string key, 2: binary value, 3: AnnotationType annotation_type, 4: optional Endpoint host
}
struct Span {
  1: i64 trace_id, 3: string name, 4: i64 id, 5: optional i64 parent_id,
  6: list<Annotation> annotations, 8: list<BinaryAnnotation> binary_annotations, 9: bool debug,
}
struct ResponseHeader { 1: list<Span> spans, 2: list<RequestContext> contexts }
struct ConnectionOptions {}
struct UpgradeReply {}
"""


@functools.lru_cache(maxsize=None)
def application_exception() -> Type:
    """The type of the payload of messages of kind "exception": a text and an error number.

    >>> import thriftlens as tl
    >>> tl.application_exception().encode({"message": "no such function", "type": 1}).hex()
    '0b0001000000106e6f20737563682066756e6374696f6e0800020000000100'
    """
    return loads(_APPLICATION, name="TApplicationException")["TApplicationException"]


@functools.lru_cache(maxsize=None)
def _finagle(name: str) -> Type:
    return loads(_FINAGLE, name="finagle")[name]


class Message(NamedTuple):
    """A message. `data` is the struct after the header; `function` is None without a service.

    kind: "call", "oneway" (data: the arguments), "reply" (the result: success or a declared
    exception) or "exception" (an application exception: the call itself failed).
    header: the struct that Finagle adds before the message, or b""; see `trace`.
    headers: of a client's reply, on transports with headers (THeader, TTHeader, HTTP in lower
    case).

    >>> import thriftlens as tl
    >>> idl = tl.loads("service Sums { i64 total(1: list<i32> numbers) }")
    >>> total = idl.service("Sums").function("total")
    >>> call = tl.Message("total", "call", 7, total.arguments.encode({"numbers": [1, 2]}))
    >>> again = tl.read_message(call.to_bytes(), idl.service("Sums"))
    >>> again.kind, again.sequence_id, again.decode()
    ('call', 7, {'numbers': [1, 2]})
    """

    name: str
    kind: str
    sequence_id: int
    data: BytesLike
    protocol: Literal["binary", "compact", "tjson"] = "binary"
    strict: bool = True
    function: Optional[Function] = None
    header: bytes = b""
    headers: Mapping[Union[str, int], str] = MappingProxyType({})

    def __reduce__(self) -> tuple[object, ...]:
        return Message, (*self[:-1], dict(self.headers))

    def __repr__(self) -> str:
        summary = f"{self.kind} {short(self.name)} #{self.sequence_id}, {self.protocol}"
        return f"<thriftlens.Message {summary}: {short(bytes(self.data))}>"

    @property
    def is_known(self) -> bool:
        """Whether the type of its data is known."""
        return self.kind == "exception" or self.function is not None or self.name == _UPGRADE

    @property
    def trace(self) -> Optional[View]:
        """Finagle's header as a view, or None. Fields of calls: trace_id, span_id, parent_span_id,
        sampled, client_id, flags, contexts, dest and delegations; of replies: spans and
        contexts."""
        if not self.header:
            return None
        type = _finagle("RequestHeader" if self.kind in ("call", "oneway") else "ResponseHeader")
        return type.view(self.header, protocol="binary" if self.header[0] < 0x10 else "compact")

    @property
    def type(self) -> Type:
        """The type of `data`. Raises UnknownNameError if the function is not known."""
        if self.kind == "exception":
            return application_exception()
        if self.function is None and self.name == _UPGRADE:
            return _finagle("UpgradeReply" if self.kind == "reply" else "ConnectionOptions")
        if self.function is None:
            raise UnknownNameError(
                f"unknown function {quoted_name(self.name)}; pass its service", code="unknown_name"
            )
        return self.function.result if self.kind == "reply" else self.function.arguments

    def view(self, **options: Any) -> View:
        """A view of the data; options as in Type.view.

        Data in Apache's JSON protocol is converted to Binary."""
        if self.protocol == "tjson":
            return self.type.view(
                _core.convert(self.data, source="tjson", target="binary", type=self.type), **options
            )
        return self.type.view(self.data, protocol=self.protocol, **options)

    def decode(self, **options: Any) -> Value:
        """The arguments by name; for a reply {"success": …}, {} (void) or the declared exception
        under its name; for an exception its message and type. Options as in Type.decode."""
        return self.type.decode(self.data, protocol=self.protocol, **options)

    def to_json(self, **options: Unpack[MessageJsonOptions]) -> bytes:
        """The result of decode as JSON; options as in Type.to_json."""
        return self.type.to_json(self.data, protocol=self.protocol, **options)

    def to_bytes(self, *, framed: bool = False) -> bytes:
        """The encoded message. framed: preceded by its size."""
        head = _core.message_head(
            self.name,
            kind=self.kind,
            sequence_id=self.sequence_id,
            protocol=self.protocol,
            strict=int(self.strict),
        )
        encoded = (
            self.header + head + bytes(self.data) + (b"]" if self.protocol == "tjson" else b"")
        )
        return len(encoded).to_bytes(4, "big") + encoded if framed else encoded


def services_of(source: Services) -> Optional[Sequence[Service]]:
    """Services as a sequence: one, several, or all of a schema."""
    if source is None:
        return None
    if isinstance(source, Service):
        return (source,)
    if isinstance(source, Schema):
        if not source.services:
            raise UnknownNameError("the IDL has no service", code="unknown_name")
        return tuple(source.services.values())
    return _several_services(source)


def _several_services(source: Iterable[Service]) -> Sequence[Service]:
    is_collection = isinstance(source, Iterable) and not isinstance(source, (str, bytes, dict))
    services = tuple(source) if is_collection else ()
    if services and all(isinstance(service, Service) for service in services):
        return services
    raise TypeError(
        f"expected a service such as idl.service('Shop'), a list or a schema, not {shown(source)}"
    )


def function_of(services: Optional[Sequence[Service]], name: str, kind: str) -> Optional[Function]:
    """The function of a message; its name may be "Service:function". Raises UnknownNameError if no
    service has it, unless the message is an application exception, which may report just that."""
    if services is None:
        return None
    function = function_in(services, name)
    if function is not None or kind == "exception":
        return function
    if len(services) == 1:
        return services[0].function(name.rpartition(":")[2])
    raise UnknownNameError(
        f"no function {quoted_name(name)} in {', '.join(service.name for service in services)}",
        code="unknown_name",
    )


def function_in(services: Iterable[Service], name: str) -> Optional[Function]:
    """The function of that name; None if no service has it. "Shop:get" is one of the service Shop
    if that is among the services."""
    prefix, _, short = name.rpartition(":")
    services = list(services)
    for service in [
        service for service in services if service.name.rpartition(".")[2] == prefix
    ] or services:
        for spelling in (name, short):
            if function := service.functions.get(spelling) or service.inherited.get(spelling):
                return function
    return None


def message_of(
    head: Optional[_core.RecordMessage],
    data: BytesLike,
    services: Optional[Sequence[Service]],
    buffer: Buffer,
) -> Message:
    """A message. head: of a record with framing="message"; its offsets are those in `buffer`."""
    assert head is not None
    name, kind, sequence_id, strict, protocol, header = head
    prefix = b"" if header is None else bytes(memoryview(buffer)[header[0] : header[1]])
    function = None if name == _UPGRADE else function_of(services, name, kind)
    return Message(name, kind, sequence_id, data, protocol, strict, function, prefix)


def _text_message(data: memoryview, services: Optional[Sequence[Service]]) -> Optional[Message]:
    """A message in Apache's JSON protocol, with a frame or without; None for other protocols."""
    if len(data) >= 5 and int.from_bytes(data[:4], "big") == len(data) - 4 and data[4] == ord("["):
        data = data[4:]
    if not bytes(data[:64]).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"["):
        return None
    name, kind, sequence_id, begin, end = _core.text_message(data)
    function = function_of(services, name, kind)
    return Message(name, kind, sequence_id, bytes(data[begin:end]), "tjson", True, function)


_HTTP = (b"POST ", b"GET ", b"PUT ", b"HTTP/1.")


def looks_like_http(data: Buffer) -> bool:
    """Whether the data begins with an HTTP request or response."""
    return bytes(memoryview(data)[:7]).startswith(_HTTP)


def explained(error: Error, data: Buffer) -> Error:
    """The error of data that do not begin with a message; with another text for HTTP."""
    if not looks_like_http(data):
        return error
    error = reworded(error, "expected a message, found HTTP")
    error.hint = "pass the message in its body"
    return error


def read_message(data: Buffer, service: Services = None, *, depth: int = 64) -> Message:
    """Parses one message, framed or not, in Binary (strict or old), Compact or Apache's JSON
    protocol, detected by its first bytes.

    service: one service, several, or a schema with all its services; they define the types of the
    function. Raises DecodeError; UnknownNameError for an unknown function, unless the message is an
    application exception.

    >>> import thriftlens as tl
    >>> shop = tl.loads("service Shop { i32 add(1: i32 a, 2: i32 b) }").service("Shop")
    >>> add = shop.functions["add"]
    >>> call = tl.Message("add", "call", 7, add.arguments.encode({"a": 1, "b": 2}))
    >>> got = tl.read_message(call.to_bytes(framed=True), shop)
    >>> got.name, got.sequence_id, got.decode()
    ('add', 7, {'a': 1, 'b': 2})
    """
    services = services_of(service)
    if message := _text_message(memoryview(data).cast("B"), services):
        return message
    return _binary_message(data, services, depth)


def _binary_message(data: Buffer, services: Optional[Sequence[Service]], depth: int) -> Message:
    """A message in Binary or Compact."""
    cut = _core.cut_records(data, framing="message", count=1, depth=depth, record_size=1 << 62)
    if cut.error is not None:
        raise explained(without_record(cut.error), data)
    if not cut.rows:
        raise DecodeError("expected a message, found no bytes", code="truncated", offset=0)
    if cut.next != len(memoryview(data).cast("B")):
        text = f'bytes follow the message (byte {cut.next}); use scan(…, framing="message")'
        raise DecodeError(f"{text} for several messages", code="trailing_bytes", offset=cut.next)
    _, _, value, head = cut.rows[0]
    assert isinstance(value, tuple)
    return message_of(head, bytes(memoryview(data)[value[0] : value[1]]), services, data)
