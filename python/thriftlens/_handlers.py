"""How a server finds and calls what the user wrote, and what its answers become."""

from __future__ import annotations

import inspect
import logging
from dataclasses import dataclass, field as dataclass_field
from typing import TYPE_CHECKING, Any, Callable, Mapping, NamedTuple, Optional

from ._calls import functions_of
from ._errors import APPLICATION_CODES, ApplicationError, DecodeError, Error
from ._exceptions import ThriftException, exception_of
from ._handler_checks import check_handler, function_in, wants_context
from ._message import application_exception

if TYPE_CHECKING:
    from ._schema import Function, Service

LOG = logging.getLogger("thriftlens.server")
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


class Handling:
    """A function of a service, and what carries it out."""

    is_async = False
    is_short = False

    def __init__(self, function: Function, call: Callable[[Any, Context], Any], views: bool):
        self.function = function
        self.call = call
        self._views = views
        self._decoders = {each: function.arguments.decoder(protocol=each, defaults="write").decode for each in PROTOCOLS}
        self._encoders = {each: function.result.encoder(protocol=each).encode for each in PROTOCOLS}
        self._throws: dict[Any, str] = {exception_of(field.type): name for name, field in function.result.fields.items() if field.type.kind == "exception" and field.id != 0}

    def arguments(self, event: Any) -> Any:
        """What the handler gets."""
        if self._views:
            return self.function.arguments.view(event.data, protocol=protocol_of(event), defaults="write")
        return self._decoders[protocol_of(event)](event.data)

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
        name = self._throws.get(type(error))
        if name is not None and isinstance(error, ThriftException):
            try:
                return Answer("reply", self._encoders[protocol]({name: error.to_dict()}))
            except Error as wrong:
                error = wrong
        if isinstance(error, ApplicationError):
            return refusal(error, protocol)
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

    def arguments(self, event: Any) -> Any:
        return event

    def call(self, event: Any, context: Context) -> Any:
        """The recorded reply, which goes out as it is."""
        words = event.name, event.data, protocol_of(event), self.function
        found = self._recording.answer(*words)
        if found is None and event.kind == "oneway" and self._recording.has(*words):
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


def refusal(error: ApplicationError, protocol: Any) -> Answer:
    """An application exception as it goes out."""
    number = error.number if error.number is not None else APPLICATION_CODES.index("internal_error")
    return Answer("exception", application_exception().encode({"message": str(error), "type": number}, protocol=protocol))


def refusal_of_arguments(error: DecodeError, name: str, protocol: str) -> Answer:
    return refusal(ApplicationError(f"the arguments of {name} cannot be read: {error}", code="protocol_error"), protocol)


class Router:
    """Names of messages to what handles them."""

    def __init__(self, services: Mapping[str, tuple[Service, Any]], views: bool):
        self._table: dict[str, Any] = {}
        self._recording: Any = None
        for service, handler in services.values():
            if is_recording(handler):
                self._recording = handler
            else:
                check_handler(service, handler)
            for function in functions_of(service).values():
                self._add(service, function, handler, views)

    def find(self, name: str) -> Any:
        """What handles a message of that name; None where nothing does."""
        found = self._table.get(name)
        if found is None and self._recording is not None:
            return Replay(self._recording, None)
        return found

    def _add(self, service: Service, function: Function, handler: Any, views: bool) -> None:
        handling = _handling(function, handler, views)
        if handling is not None:
            self._table.setdefault(function.name, handling)
            self._table[f"{service.name.rpartition('.')[2]}:{function.name}"] = handling


def is_recording(handler: Any) -> bool:
    return hasattr(handler, "answer") and hasattr(handler, "messages") and type(handler).__name__ == "Recording"


def _handling(function: Function, handler: Any, views: bool) -> Any:
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
    made = Handling(function, call, views)
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
