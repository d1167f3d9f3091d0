"""Handlers of a server: calling the functions of the user, encoding their results."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Protocol, Union

from .._errors import ApplicationError, DecodeError, EncodeError, without_option
from .._schema.exceptions import ThriftException, exception_of
from .._text import MESSAGE_LENGTH, quoted_name, shortened
from .._typing import Value
from .call_models import Models, exception_class, values_model
from .events import AnswerKind, CallEvent
from .interceptors import Interceptor, intercepted
from .log import logger
from .message import application_exception
from .options import DecodeOptions, WireProtocol

if TYPE_CHECKING:
    from .. import _core
    from .._schema.services import Function


class Answer(NamedTuple):
    """Kind and payload of a reply."""

    kind: AnswerKind
    data: bytes


_PROTOCOLS: tuple[WireProtocol, ...] = ("binary", "compact")


def protocol_of(event: CallEvent) -> WireProtocol:
    """The protocol of the struct in a message."""
    return "binary" if event.protocol == "binary_old" else event.protocol


def error_answer(error: ApplicationError, protocol: WireProtocol) -> Answer:
    """The answer with an application exception."""
    fields = {"message": error.message, "type": error.number}
    return Answer("exception", application_exception().encode(fields, protocol=protocol))


def unknown_method(name: str, protocol: WireProtocol) -> Answer:
    return error_answer(
        ApplicationError(f"no function {quoted_name(name)}", code="unknown_method"), protocol
    )


def internal_error(name: str, protocol: WireProtocol) -> Answer:
    return error_answer(ApplicationError(f"internal error in {name}"), protocol)


def invalid_arguments(error: DecodeError, name: str, protocol: WireProtocol) -> Answer:
    text = str(without_option(error)) + (
        " (limits['arguments'] of the server)" if error.code == "output_limit" else ""
    )
    return error_answer(
        ApplicationError(
            f"the arguments of {quoted_name(name)} cannot be decoded: "
            f"{shortened(text, MESSAGE_LENGTH)}",
            code="protocol_error",
        ),
        protocol,
    )


LOG = logger("thriftlens.server")
_VIEWED = ("list", "set", "map", "struct", "union")


@dataclass
class Context:
    """The call that a handler executes; passed as `context` to functions with a parameter of that
    name."""

    function: Optional[Function]
    """None if the IDL does not have it; a recording may."""
    name: str
    """The name in the message: "Shop:add" for a multiplexed service."""
    peer: Any
    """The address of the client, as returned by its socket."""
    headers: Mapping[str, str]
    protocol: str
    transport: str
    sequence_id: int
    reply_headers: dict[str, str] = dataclass_field(default_factory=dict)
    """Headers of the reply, on transports with headers."""
    user: Optional[str] = None
    """The authenticated user."""
    arguments: Value = dataclass_field(init=False, default=None, repr=False)
    """For interceptors: by name; may be replaced before the call."""
    result: Value = dataclass_field(init=False, default=None, repr=False)
    """For interceptors after the call; may be replaced."""


Implementation = Callable[[Value, Context], Value]
"""Calls the function of the user: (arguments, context)."""
LARGE_CALL = 64 << 10  # bytes of arguments that are decoded in a thread
_EXPANSION = 64  # maximum bytes of Python objects per byte of arguments; see core/limits.hpp


class HandlerOptions(NamedTuple):
    """How handlers are called."""

    views: bool
    """Arguments are not decoded."""
    size: int
    """Maximum bytes of the decoded arguments of one call."""
    models: Optional[Models] = None
    decode: DecodeOptions = {}
    """Options of Type.decode and Type.view."""
    interceptors: Sequence[Interceptor] = ()


class FunctionHandler:
    """A function of a service and the callable that implements it."""

    is_async = False
    is_short = False

    def __init__(self, function: Function, call: Implementation, options: HandlerOptions):
        self.function = function
        interceptors = options.interceptors
        self.call = intercepted(interceptors, call) if interceptors else call
        self._views = options.views
        self._size = options.size
        self._view_options = {"defaults": "write", **options.decode}
        self._decoders = _decoders(function, options)
        self._bounded = _decoders(function, options, options.size)
        self._encoders = {
            protocol: function.result.encoder(protocol=protocol).encode for protocol in _PROTOCOLS
        }
        self._throws = _throws(function, options.models)

    def max_decoded_size(self, event: CallEvent) -> int:
        """Maximum bytes of the decoded arguments."""
        return 0 if self._views else min(_EXPANSION * len(event.data), self._size)

    def decode_arguments(self, event: CallEvent) -> tuple[Value, int]:
        """The arguments and their size in memory.

        Other threads run while large ones are decoded."""
        protocol, data = protocol_of(event), event.data
        if self._views:
            return self.function.arguments.view(data, protocol=protocol, **self._view_options), 0
        is_bounded = _EXPANSION * len(data) > self._size
        decoder = (self._bounded if is_bounded else self._decoders)[protocol]
        if len(data) < LARGE_CALL:
            return decoder.decode(data), self.max_decoded_size(event)
        value, size = decoder._decode_counted(data)
        return value, size + len(data)

    def run(
        self,
        event: CallEvent,
        context: Context,
        on_decoded: Callable[[int], None] = lambda size: None,
    ) -> Union[Answer, Awaitable[Value]]:
        """Decodes the arguments, calls a plain function and encodes its result: the answer, or an
        awaitable that the function returned.

        on_decoded: called with the size of the decoded arguments. Raises nothing: an exception of
        the handler becomes an answer."""
        protocol = protocol_of(event)
        try:
            arguments, size = self.decode_arguments(event)
        except DecodeError as error:
            return invalid_arguments(error, event.name, protocol)
        on_decoded(size)
        try:
            result = self.call(arguments, context)
            if hasattr(result, "__await__"):
                return result  # type: ignore[no-any-return]
            return self.encode_result(result, protocol)
        except BaseException as error:
            return self.encode_error(error, protocol)

    def encode_result(self, result: Value, protocol: WireProtocol) -> Answer:
        """The answer with the return value of the handler."""
        if self.function.returns is None:
            return Answer("reply", self._encoders[protocol]({}))
        if result is None:
            raise ApplicationError(f"{self.function.name} returned None", code="missing_result")
        is_bytes = isinstance(result, (bytes, bytearray, memoryview))
        if is_bytes and self.function.returns.kind in _VIEWED:
            result = self.function.returns.view(result, protocol=protocol)  # encode validates it
        return Answer("reply", self._encoded("success", result, protocol))

    def _encoded(self, field: str, value: Value, protocol: WireProtocol) -> bytes:
        try:
            return self._encoders[protocol]({field: value})
        except EncodeError as error:
            without_option(error)  # serve has none for results
            raise

    def encode_error(self, error: BaseException, protocol: WireProtocol) -> Answer:
        """The answer with an exception of the handler: a declared one, or an application exception
        without the text of other exceptions."""
        declared = next((base for base in type(error).__mro__ if base in self._throws), None)
        try:
            if declared is not None:
                value = _fields_of(error)
                return Answer("reply", self._encoded(self._throws[declared], value, protocol))
            if isinstance(error, ApplicationError):
                return error_answer(error, protocol)
        except Exception as encode_error:  # values that do not fit the IDL
            error = encode_error
        self._log_failure(error, declared is not None)
        return internal_error(self.function.name, protocol)

    def _log_failure(self, error: BaseException, is_declared: bool) -> None:
        name, reason = self.function.name, ""
        if isinstance(error, ThriftException) and not is_declared:
            reason = f": {type(error).__name__} is not declared in the throws of {name}"
        failure = (type(error), error, error.__traceback__)
        LOG.error("%s failed%s", name, reason, exc_info=failure)


def _fields_of(error: BaseException) -> object:
    return error.to_dict() if isinstance(error, ThriftException) else error


def _throws(function: Function, models: Optional[Models]) -> dict[type, str]:
    """Names of the declared exceptions by their classes."""
    return {
        class_: name
        for name, field in function.result.fields.items()
        if field.type.kind == "exception" and field.id != 0
        for class_ in (exception_of(field.type), exception_class(field.type, models))
    }


def _decoders(
    function: Function, options: HandlerOptions, size: int = 0
) -> dict[WireProtocol, _core.Decoder[Value]]:
    """size: maximum bytes of the decoded arguments; 0: not limited."""
    decode: Value = {
        "into": values_model(function.arguments, options.models),
        "defaults": "write",
        **options.decode,
        "output_size": size,
    }
    return {
        protocol: function.arguments.decoder(protocol=protocol, **decode) for protocol in _PROTOCOLS
    }


class RecordedReply(Protocol):
    """A reply of a recording."""

    @property
    def kind(self) -> str: ...

    @property
    def data(self) -> bytes: ...


class ReplySource(Protocol):
    """The part of a Recording that a server uses."""

    def answer(
        self, name: str, data: bytes, protocol: WireProtocol, function: Optional[Function]
    ) -> Optional[RecordedReply]: ...

    def has(
        self, name: str, data: bytes, protocol: WireProtocol, function: Optional[Function]
    ) -> bool: ...

    def calls_of(self, name: str) -> object: ...


_NO_REPLY = Answer("reply", b"")


class ReplayHandler:
    """Replies from a recording."""

    is_async = False
    is_short = True

    def __init__(self, recording: ReplySource, function: Optional[Function]):
        self.function = function
        self._recording = recording

    def run(
        self,
        event: CallEvent,
        context: Context,
        on_decoded: Callable[[int], None] = lambda size: None,
    ) -> Answer:
        """The recorded reply, unchanged; an application exception without one. Raises nothing."""
        protocol = protocol_of(event)
        try:
            call = event.name, event.data, protocol, self.function
            recorded = self._recording.answer(*call)
            if recorded is not None:
                return Answer(recorded.kind, recorded.data)  # type: ignore[arg-type]
            is_oneway = event.kind == "oneway" if self.function is None else self.function.oneway
            if is_oneway and self._recording.has(*call):
                return _NO_REPLY
            is_known = bool(self._recording.calls_of(event.name))
        except ApplicationError as error:
            return error_answer(error, protocol)
        except BaseException as error:
            LOG.error("the recording failed", exc_info=(type(error), error, error.__traceback__))
            return error_answer(ApplicationError("internal error"), protocol)
        if is_known:
            text = f"no recorded call of {event.name} has these arguments"
        else:
            text = f"no call of {quoted_name(event.name)} was recorded"
        return error_answer(
            ApplicationError(text, code="internal_error" if is_known else "unknown_method"),
            protocol,
        )


Context.__module__ = "thriftlens"


Handler = Union[FunctionHandler, ReplayHandler]
