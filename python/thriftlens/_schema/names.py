"""Names of types, services and functions as bytes, and hints for names of another kind."""

from __future__ import annotations

from typing import Mapping, NoReturn, Optional, TypeVar, Union

from .. import _core
from .._errors import UnknownNameError
from .._text import did_you_mean, quoted_name, shown

_Item = TypeVar("_Item")


class Named(dict[str, _Item]):
    """Items by name; UnknownNameError suggests a similar name."""

    def __init__(self, kind: str, items: Mapping[str, _Item]):
        super().__init__(items)
        self._kind = kind

    def __missing__(self, name: str) -> NoReturn:
        suggestion = did_you_mean(str(name), self)
        raise UnknownNameError(f"no {self._kind} {quoted_name(str(name))}{suggestion}")


def encoded_name(kind: str, name: str) -> bytes:
    """The name of a type or service for the compiled module."""
    if isinstance(name, str):
        return encoded(name)
    raise TypeError(f"the name of a {kind} must be a str, not {shown(name)}")


def encoded(text: Union[str, bytes]) -> bytes:
    """Bytes for the compiled module; IDL texts and names may be arbitrary bytes."""
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    if isinstance(text, (bytes, bytearray)):
        return bytes(text)
    raise TypeError(f"IDL texts and names must be str or bytes, not {type(text).__name__}")


def with_service_hint(error: UnknownNameError, core: _core.Schema, name: str) -> UnknownNameError:
    """The error for a name that is not of a type, with a hint if it is of a service or a
    function."""
    included = next((own for own in core.type_names() if own.startswith(f"{name}.")), None)
    if included is not None:
        return _hinted(f"{name!r} is an included file, not a type", f"idl[{included!r}]")
    service, function = service_and_function(core, name)
    if service is None:
        return error
    kind = f"function of {service}" if function else "service"
    hint = f"idl.service({service!r})" + (f".function({function!r})" if function else "")
    return _hinted(f"{name!r} is a {kind}, not a type", hint)


def _hinted(text: str, hint: str) -> UnknownNameError:
    error = UnknownNameError(text)
    error.hint = hint
    return error


def service_and_function(core: _core.Schema, name: str) -> tuple[Optional[str], Optional[str]]:
    """The service of that name, or service and function for a function name with or without its
    service."""
    qualifier, _, function = name.rpartition(".")
    for service in core.service_names():
        if service == name:
            return service, None
        if qualifier in ("", service) and function in {
            row.name for row in core.service(encoded_name("service", service)).functions
        }:
            return service, function
    return None, None


def refuse_options(options: Mapping[str, object], other: str, *names: str) -> None:
    """Raises for options that only another function takes."""
    for name in names:
        if name in options:
            raise TypeError(f"the class selects the result, without {name}=: use {other}")
