"""Names in messages to handlers."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Callable, Mapping, Optional

from .._schema.classes import ServiceBase
from .._typing import Value
from .events import CallEvent
from .handler_checks import HandlerLike, check_handler, function_in, wants_context
from .handlers import (
    FunctionHandler,
    Handler,
    HandlerOptions,
    Implementation,
    ReplayHandler,
    ReplySource,
)
from .options import TTHEADER_TRANSPORTS
from .services import functions_of

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

    from .._schema.services import Function, Service
    from .call_models import Models


class Router:
    """Maps names in messages to handlers. classes: those of the arguments of handlers that derive
    from the class of their service."""

    def __init__(
        self,
        services: Mapping[str, tuple[Service, HandlerLike]],
        options: HandlerOptions,
        classes: Optional[Models] = None,
    ):
        self._table: dict[str, Handler] = {}
        self._oneway: dict[str, bool] = {}
        self._services: set[str] = set()
        self._recording: Optional[ReplySource] = None
        for service, handler in services.values():
            if is_recording(handler):
                self._recording = handler
            else:
                check_handler(service, handler)
            handling = options
            if options.models is None and isinstance(handler, ServiceBase):
                handling = options._replace(models=classes)
            self._services.add(_short(service))
            for function in functions_of(service).values():
                self._add(service, function, _handler_of(function, handler, handling))

    def qualified_name(self, event: CallEvent) -> str:
        """The name in the message, with the service in the TTHeader header `isn`."""
        name = event.name
        if not event.headers or event.transport not in TTHEADER_TRANSPORTS or ":" in name:
            return name
        service = event.headers.get(_SERVICE_HEADER)
        return f"{service}:{name}" if service in self._services else name

    def find(self, name: str) -> Optional[Handler]:
        """The handler of a message, or None."""
        handler = self._table.get(name)
        if handler is None and self._recording is not None:
            return ReplayHandler(self._recording, None)
        return handler

    def is_oneway(self, name: str, kind: str) -> bool:
        """Whether a call gets no reply: by the IDL, or by the kind of the message for unknown
        functions."""
        return self._oneway.get(name, kind == "oneway")

    def _add(self, service: Service, function: Function, handler: Optional[Handler]) -> None:
        for name in (function.name, f"{_short(service)}:{function.name}"):
            if name not in self._table:
                self._oneway[name] = function.oneway
            if handler is not None:
                self._table.setdefault(name, handler)


_SERVICE_HEADER = "isn"  # "idl-service-name" of Kitex


def _short(service: Service) -> str:
    return service.name.rpartition(".")[2]


def is_recording(handler: object) -> TypeGuard[ReplySource]:
    return (
        hasattr(handler, "answer")
        and hasattr(handler, "messages")
        and type(handler).__name__ == "Recording"
    )


def _handler_of(
    function: Function, handler: HandlerLike, options: HandlerOptions
) -> Optional[Handler]:
    """The handler of a function, in a recording, a dict of functions, an object with methods, or
    one function for all."""
    if is_recording(handler):
        return ReplayHandler(handler, function)
    implementation = function_in(handler, function.name)
    if implementation is not None:
        call = _by_position(function, implementation)
    elif callable(handler):
        implementation = handler
        call = _for_all(function, handler)
    else:
        return None
    result = FunctionHandler(function, call, options)
    result.is_async = inspect.iscoroutinefunction(implementation) or inspect.iscoroutinefunction(
        getattr(implementation, "__call__", None)
    )
    return result


def _by_position(function: Function, call: Callable[..., Value]) -> Implementation:
    names = tuple(function.arguments.fields)
    if wants_context(call, names):
        return lambda arguments, context: call(
            *[arguments.get(name) for name in names], context=context
        )
    if len(names) == 1:
        only = names[0]
        return lambda arguments, context: call(arguments.get(only))
    return lambda arguments, context: call(*[arguments.get(name) for name in names])


def _for_all(function: Function, call: Callable[..., Value]) -> Implementation:
    name = function.name
    return lambda arguments, context: call(name, arguments, context)
