"""Interceptors: context managers around the calls of clients and servers."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, ContextManager, TypeVar, Union

from .._text import shown
from .._typing import Value

if TYPE_CHECKING:
    from .._schema.services import Function
_Context = TypeVar("_Context")

Interceptor = Callable[[Value], ContextManager[object]]
InterceptorLike = Union[Interceptor, Sequence[Interceptor], None]


@dataclass
class ClientCall:
    """The call of a client, passed to its interceptors."""

    function: Function
    name: str
    """The name in the message: "Shop:add" for a multiplexed service."""
    address: str
    transport: str
    arguments: Value
    """By name; may be replaced before the call."""
    headers: dict[str, str]
    """May be changed before the call. Transports without headers refuse them."""
    result: Value = None
    """After the call; may be replaced."""


def interceptors_of(option: InterceptorLike) -> tuple[Interceptor, ...]:
    """Raises TypeError for objects that cannot be called."""
    functions = tuple(option or ()) if isinstance(option, (list, tuple, type(None))) else (option,)
    for function in functions:
        if not callable(function):
            raise TypeError(
                "intercept must be a function that takes the call and returns a context manager, "
                f"or a list of such functions, not {shown(function)}"
            )
    return functions


@contextlib.contextmanager
def surrounding(interceptors: Sequence[Interceptor], call: Value) -> Iterator[contextlib.ExitStack]:
    """Enters the interceptors, the first one outermost. call: a ClientCall, or the Context of a
    server."""
    with contextlib.ExitStack() as stack:
        for interceptor in interceptors:
            stack.enter_context(_checked(interceptor, interceptor(call)))
        yield stack


def _checked(interceptor: Interceptor, manager: Value) -> ContextManager[object]:
    if hasattr(manager, "__enter__"):
        return manager  # type: ignore[no-any-return]
    name = getattr(interceptor, "__qualname__", shown(interceptor))
    kind = "an asynchronous one" if hasattr(manager, "__aenter__") else shown(manager)
    raise TypeError(
        f"intercept: {name} must return a context manager, as functions with "
        f"@contextlib.contextmanager do, not {kind}"
    )


def intercepted(
    interceptors: Sequence[Interceptor], call: Callable[[Value, Value], Value]
) -> Callable[[Value, Value], Value]:
    """The function of a handler inside of interceptors, which surround a coroutine too."""

    def run(arguments: Value, context: Value) -> Value:
        context.arguments = arguments
        with surrounding(interceptors, context) as stack:
            result = call(context.arguments, context)
            if hasattr(result, "__await__"):
                return _awaited(stack.pop_all(), result, context)
            context.result = result
        return context.result

    return run


async def _awaited(stack: contextlib.ExitStack, result: Awaitable[Value], context: Value) -> Value:
    with stack:
        context.result = await result
    return context.result
