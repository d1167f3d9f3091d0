"""Checks that a handler fits its service, before the server listens."""

from __future__ import annotations

import inspect
import keyword
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence

from .._errors import UnknownNameError
from .._text import did_you_mean, find_near, shown
from .._typing import Value
from .log import logger
from .services import functions_of

if TYPE_CHECKING:
    from .._schema.services import Function, Service

LOG = logger("thriftlens.server")
HandlerLike = Any  # an object with methods, a dict of functions, a function, or a Recording
_FOR_ALL = ("name", "arguments", "context")
_KINDS = "an object with methods, a dict of functions, one function for all, or a Recording"
_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_MAX_LISTED = 10  # functions


def function_in(handler: HandlerLike, name: str) -> Optional[Callable[..., Value]]:
    """The function of that name in a dict or an object; None if missing."""
    if isinstance(handler, Mapping):
        return handler.get(name)
    return next(
        (
            method
            for spelling in _spellings(name)
            if callable(method := getattr(handler, spelling, None))
        ),
        None,
    )


def _spellings(name: str) -> tuple[str, ...]:
    """Possible names of a method: Python keywords may have an underscore, as in clients."""
    return (name + "_", name) if keyword.iskeyword(name) else (name,)


def wants_context(call: Callable[..., object], names: Sequence[str]) -> bool:
    """Whether it has a parameter `context` that is not an argument in the IDL."""
    signature = _signature_of(call)
    return "context" not in names and signature is not None and "context" in signature.parameters


def check_handler(service: Service, handler: HandlerLike) -> None:
    """Raises if the handler has no functions, unknown ones, or ones whose parameters do not fit the
    arguments.

    Logs missing functions, and parameters in another order than the arguments."""
    functions = functions_of(service)
    if isinstance(handler, Mapping):
        _check_entries(service, handler)
    calls = {name: call for name in functions if (call := function_in(handler, name)) is not None}
    if not calls and functions and not callable(handler):
        known = _listed(list(functions))
        raise TypeError(
            f"the handler ({type(handler).__name__}) has none of the functions of {service.name} "
            f"({known}); expected {_KINDS}"
        )
    if inspect.isclass(handler):
        _check_class(handler, calls)
    for name, call in calls.items():
        _check_parameters(
            f"the handler of {service.name}.{name}", call, tuple(functions[name].arguments.fields)
        )
    _check_missing(service, handler, [name for name in functions if name not in calls])


def _check_missing(service: Service, handler: HandlerLike, missing: Sequence[str]) -> None:
    if missing and callable(handler):
        _check_parameters(f"the handler of all functions of {service.name}", handler, _FOR_ALL)
    elif missing:
        functions = functions_of(service)
        LOG.warning(
            "%s: the handler has no %s: calls are answered with unknown_method",
            service.name,
            _listed([_with_near(name, handler, functions) for name in missing]),
        )


def _check_entries(service: Service, handler: Mapping[str, HandlerLike]) -> None:
    known = functions_of(service)
    for name, call in handler.items():
        if name not in known:
            raise UnknownNameError(
                f"no function {name!r} in {service.name}{did_you_mean(str(name), known)}",
                code="unknown_name",
            )
        if not callable(call):
            raise TypeError(
                f"the handler of {service.name}.{name} must be a function, not {shown(call)}"
            )


def _check_class(handler: type, calls: Mapping[str, object]) -> None:
    """Raises for a class instead of an object, unless its functions need no object."""
    for name in calls:
        if any(
            inspect.isfunction(inspect.getattr_static(handler, spelling, None))
            for spelling in _spellings(name)
        ):
            raise TypeError(
                f"the handler is the class {handler.__name__}; pass an instance, "
                f"{handler.__name__}()"
            )


def _check_parameters(label: str, call: Callable[..., object], names: Sequence[str]) -> None:
    """Raises unless the function takes the arguments by position."""
    signature = _signature_of(call)
    if signature is None:
        return
    named = {"context": None} if wants_context(call, names) else {}
    try:
        signature.bind(*names, **named)
    except TypeError:
        arguments = ", ".join([*names, *(f"{name}=…" for name in named)])
        raise TypeError(f"{label} takes {signature}, but is called with ({arguments})") from None
    if _has_other_order(signature, names):
        LOG.warning(
            "%s takes %s, but is called with (%s) by position", label, signature, ", ".join(names)
        )


def _has_other_order(signature: inspect.Signature, names: Sequence[str]) -> bool:
    """Whether parameters named like the arguments are in another order."""
    order = [
        parameter.name
        for parameter in signature.parameters.values()
        if parameter.kind in _BY_POSITION
    ]
    return any(name in order and order.index(name) != index for index, name in enumerate(names))


def _signature_of(call: Callable[..., object]) -> Optional[inspect.Signature]:
    try:
        return inspect.signature(call)
    except (TypeError, ValueError):  # built-in functions
        return None


def _with_near(name: str, handler: HandlerLike, functions: Mapping[str, Function]) -> str:
    """The name, and a similar name in the handler that no function has."""
    if isinstance(handler, Mapping):
        return repr(name)
    others = (name for name in dir(handler) if not name.startswith("_") and name not in functions)
    near = find_near(
        name, [name for name in others if callable(inspect.getattr_static(handler, name, None))]
    )
    return f"{name!r} (it has {near!r})" if near else repr(name)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MAX_LISTED} more" if len(names) > _MAX_LISTED else ""
    return ", ".join(names[:_MAX_LISTED]) + more
