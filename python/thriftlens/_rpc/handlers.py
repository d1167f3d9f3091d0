"""How a server finds and calls what the user wrote, and what its answers become."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field as dataclass_field
from typing import TYPE_CHECKING, Any, Callable, Mapping, NamedTuple, Optional

from .calls import functions_of
from .._errors import APPLICATION_CODES, ApplicationError, DecodeError, Error
from .._schema.exceptions import ThriftException, exception_of
from .handler_checks import check_handler, function_in, wants_context
from .message import application_exception
from .options import TTHEADER_TRANSPORTS
from .._text import escaped
from .log import logger

if TYPE_CHECKING:
    from .._schema.schema import Function, Service

LOG = logger("thriftlens.server")
_VIEWED = ("list", "set", "map", "struct", "union")


@dataclass
class Context:
    """What a handler may know of a call; given as `context` to functions that have a parameter of that name."""

    function: Optional[Function]
    """None where the IDL does not have it, as a recording may."""
    name: str
    """As it stands in the message: "Shop:add" of a multiplexed service."""
    peer: Any
    """The address of the client, as its socket has it."""
    headers: Mapping[str, str]
    protocol: str
    transport: str
    sequence_id: int
    reply_headers: dict[str, str] = dataclass_field(default_factory=dict)
    """What goes out with the reply, where the transport has headers."""
    user: Optional[str] = None
    """Who was let in, where the server asks for users."""


class Answer(NamedTuple):
    """What goes into the reply."""

    kind: str
    data: bytes


LARGE_CALL = 64 << 10  # bytes of arguments whose decoding others do not wait for
_OBJECTS = 64  # bytes of objects that a byte of arguments may become; see limits in core/limits.hpp


class Handling:
    """A function of a service, and what carries it out."""

    is_async = False
    is_short = False

    def __init__(self, function: Function, call: Callable[[Any, Context], Any], views: bool, size: int):
        """views: arguments are not decoded. size: bytes that the decoded arguments of one call may take."""
        self.function = function
        self.call = call
        self._views = views
        self._size = size
        self._decoders = {each: function.arguments.decoder(protocol=each, defaults="write") for each in PROTOCOLS}
        self._bounded = {each: function.arguments.decoder(protocol=each, defaults="write", output_size=size) for each in PROTOCOLS}
        self._encoders = {each: function.result.encoder(protocol=each).encode for each in PROTOCOLS}
        self._throws: dict[Any, str] = {exception_of(field.type): name for name, field in function.result.fields.items() if field.type.kind == "exception" and field.id != 0}

    def cost(self, event: Any) -> int:
        """Bytes that the decoded arguments may take at most."""
        return 0 if self._views else min(_OBJECTS * len(event.data), self._size)

    def arguments(self, event: Any) -> tuple[Any, int]:
        """What the handler gets, and the bytes that it takes. Other threads run while much is decoded."""
        protocol, data = protocol_of(event), event.data
        if self._views:
            return self.function.arguments.view(data, protocol=protocol, defaults="write"), 0
        decoder = (self._decoders if _OBJECTS * len(data) <= self._size else self._bounded)[protocol]
        if len(data) < LARGE_CALL:
            return decoder.decode(data), self.cost(event)
        value, size = decoder._decode_counted(data)
        return value, size + len(data)

    def carry_out(self, event: Any, context: Context, decoded: Callable[[int], None] = lambda size: None) -> Any:
        """Decodes the arguments, calls a plain function and encodes its result: the answer, or an awaitable that the function returned.

        decoded: is told how many bytes the arguments take. Raises nothing: whatever a handler raises becomes an answer."""
        protocol = protocol_of(event)
        try:
            arguments, size = self.arguments(event)
        except DecodeError as error:
            return refusal_of_arguments(error, event.name, protocol)
        decoded(size)
        try:
            result = self.call(arguments, context)
            return result if hasattr(result, "__await__") else self.answer(result, protocol)
        except BaseException as error:
            return self.failed(error, protocol)

    def answer(self, result: Any, protocol: Any) -> Answer:
        """The reply with what the handler returned."""
        if self.function.returns is None:
            return Answer("reply", self._encoders[protocol]({}))
        if result is None:
            raise ApplicationError(f"{self.function.name} returned nothing", code="missing_result")
        if isinstance(result, (bytes, bytearray, memoryview)) and self.function.returns.kind in _VIEWED:
            result = self.function.returns.view(result, protocol=protocol)  # encode looks at all of it
        return Answer("reply", self._encoders[protocol]({"success": result}))

    def failed(self, error: BaseException, protocol: str) -> Answer:
        """The reply where it raised: a declared exception, or an application exception that says no more than it may."""
        declared = next((each for each in type(error).__mro__ if each in self._throws), None)
        try:
            if declared is not None and isinstance(error, ThriftException):
                return Answer("reply", self._encoders[protocol]({self._throws[declared]: error.to_dict()}))
            if isinstance(error, ApplicationError):
                return refusal(error, protocol)
        except Exception as wrong:  # of values that do not fit the IDL
            error = wrong
        LOG.error("%s failed", self.function.name, exc_info=(type(error), error, error.__traceback__))
        return refusal(ApplicationError(f"internal error in {self.function.name}"), protocol)


PROTOCOLS: Any = ("binary", "compact")


def protocol_of(event: Any) -> Any:
    """Of the struct in a message; headers of Binary without a version are a matter of the session."""
    return "binary" if event.protocol == "binary_old" else event.protocol


_NO_REPLY = Answer("reply", b"")


class Replay:
    """A recording in the place of a handler."""

    is_async = False
    is_short = True

    def __init__(self, recording: Any, function: Optional[Function]):
        self.function = function
        self._recording = recording

    def cost(self, event: Any) -> int:
        return 0

    def carry_out(self, event: Any, context: Context, decoded: Callable[[int], None] = lambda size: None) -> Answer:
        """As Handling.carry_out."""
        try:
            return self.answer(self.call(event, context), event.protocol)
        except BaseException as error:
            return self.failed(error, protocol_of(event))

    def call(self, event: Any, context: Context) -> Any:
        """The recorded reply, which goes out as it is."""
        words = event.name, event.data, protocol_of(event), self.function
        found = self._recording.answer(*words)
        is_oneway = event.kind == "oneway" if self.function is None else self.function.oneway
        if found is None and is_oneway and self._recording.has(*words):
            return _NO_REPLY
        if found is None:
            is_known = bool(self._recording.calls_of(event.name))
            text = f"no recorded call of {event.name} has these arguments" if is_known else f"no call of {event.name} was recorded"
            raise ApplicationError(text, code="internal_error" if is_known else "unknown_method")
        return found

    def answer(self, result: Any, protocol: str) -> Answer:
        return Answer(result.kind, result.data)

    def failed(self, error: BaseException, protocol: str) -> Answer:
        if not isinstance(error, ApplicationError):
            LOG.error("the recording failed", exc_info=(type(error), error, error.__traceback__))
            error = ApplicationError("internal error")
        return refusal(error, protocol)


_SHOWN = 100  # characters of a name that a client sent
_TEXT = 1000  # characters of an error about what a client sent


def shown(name: str) -> str:
    """A name that a client sent, for messages and the log: its beginning, escaped."""
    return f"'{escaped(name if len(name) <= _SHOWN else name[:_SHOWN] + '…')}'"


def unknown_method(name: str, protocol: str) -> Answer:
    return refusal(ApplicationError(f"no function {shown(name)}", code="unknown_method"), protocol)


def refusal(error: ApplicationError, protocol: Any) -> Answer:
    """An application exception as it goes out."""
    number = error.number if error.number is not None else APPLICATION_CODES.index("internal_error")
    return Answer("exception", application_exception().encode({"message": str(error), "type": number}, protocol=protocol))


def refusal_of_arguments(error: DecodeError, name: str, protocol: str) -> Answer:
    text = str(error) + (" (limits['arguments'] of the server)" if error.code == "output_limit" else "")
    text = text if len(text) <= _TEXT else f"{text[:_TEXT]}…"
    return refusal(ApplicationError(f"the arguments of {name} cannot be read: {text}", code="protocol_error"), protocol)


class Router:
    """Names of messages to what handles them."""

    def __init__(self, services: Mapping[str, tuple[Service, Any]], views: bool, size: int):
        """views, size: as for Handling."""
        self._table: dict[str, Any] = {}
        self._oneway: dict[str, bool] = {}
        self._services: set[str] = set()
        self._recording: Any = None
        for service, handler in services.values():
            if is_recording(handler):
                self._recording = handler
            else:
                check_handler(service, handler)
            self._services.add(_short(service))
            for function in functions_of(service).values():
                self._add(service, function, _handling(function, handler, views, size))

    def named(self, event: Any) -> str:
        """The name of the message, with the service that a header of TTHeader names."""
        service = event.headers.get(_SERVICE_HEADER) if event.headers and event.transport in TTHEADER_TRANSPORTS else None
        return f"{service}:{event.name}" if service in self._services and ":" not in event.name else event.name

    def find(self, name: str) -> Any:
        """What handles a message of that name; None where nothing does."""
        found = self._table.get(name)
        if found is None and self._recording is not None:
            return Replay(self._recording, None)
        return found

    def is_oneway(self, name: str, kind: str) -> bool:
        """Whether a call gets no reply: as the IDL has the function, with a handler or without, else by the kind of the message."""
        return self._oneway.get(name, kind == "oneway")

    def _add(self, service: Service, function: Function, handling: Any) -> None:
        for name in (function.name, f"{_short(service)}:{function.name}"):
            if name not in self._table:
                self._oneway[name] = function.oneway
            if handling is not None:
                self._table.setdefault(name, handling)


_SERVICE_HEADER = "isn"  # "idl-service-name" of Kitex


def _short(service: Service) -> str:
    return service.name.rpartition(".")[2]


def is_recording(handler: Any) -> bool:
    return hasattr(handler, "answer") and hasattr(handler, "messages") and type(handler).__name__ == "Recording"


def _handling(function: Function, handler: Any, views: bool, size: int) -> Any:
    """A recording, a dict of functions, an object with methods, or one function for all."""
    if is_recording(handler):
        return Replay(handler, function)
    found = function_in(handler, function.name)
    if found is not None:
        call = _by_position(function, found)
    elif callable(handler):
        found = handler
        call = _for_all(function, handler)
    else:
        return None
    made = Handling(function, call, views, size)
    made.is_async = inspect.iscoroutinefunction(found) or inspect.iscoroutinefunction(getattr(found, "__call__", None))
    return made


def _by_position(function: Function, call: Callable[..., Any]) -> Callable[[Any, Context], Any]:
    names = tuple(function.arguments.fields)
    if wants_context(call, names):
        return lambda arguments, context: call(*[arguments.get(name) for name in names], context=context)
    if len(names) == 1:
        only = names[0]
        return lambda arguments, context: call(arguments.get(only))
    return lambda arguments, context: call(*[arguments.get(name) for name in names])


def _for_all(function: Function, call: Callable[..., Any]) -> Callable[[Any, Context], Any]:
    name = function.name
    return lambda arguments, context: call(name, arguments, context)


Context.__module__ = "thriftlens"
