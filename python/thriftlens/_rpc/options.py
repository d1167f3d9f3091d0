"""Options of clients and servers: their types and checks.

Errors name the option and are raised before anything is opened."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import os
import ssl
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Literal, NamedTuple, Optional, TypeVar, Union, get_args

from .._errors import DecodeError, Error
from .._errors.bounds import IntegerRange, Seconds
from .._text import did_you_mean, not_one_of, shown
from .._typing import WireProtocol as WireProtocol
from .message import application_exception

DecodeOptions = Mapping[str, Any]  # keywords of Type.decode
_Options = TypeVar("_Options", bound=Mapping[str, object])
# Unions of single literals: stubtest does not take a Literal of several words for an alias.
Transport = Union[
    Literal["auto"],
    Literal["buffered"],
    Literal["framed"],
    Literal["header"],
    Literal["ttheader"],
    Literal["ttheader_framed"],
    Literal["sasl"],
    Literal["http"],
]
Protocol = Union[Literal["auto"], Literal["binary"], Literal["compact"]]
Result = Union[
    Literal["dict"], Literal["view"], Literal["json"], Literal["bytes"], Literal["message"]
]


def _choices(union: object) -> tuple[str, ...]:
    return tuple(choice for literal in get_args(union) for choice in get_args(literal))


TRANSPORTS, RESULTS, PROTOCOLS = _choices(Transport), _choices(Result), _choices(Protocol)
HEADER_TRANSPORTS = ("header", "ttheader", "ttheader_framed", "http")
"""Transports that carry headers."""
TTHEADER_TRANSPORTS = ("ttheader", "ttheader_framed")
TLSLike = Union[bool, str, "os.PathLike[str]", ssl.SSLContext, None]
_CONTEXT = (
    "context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH); "
    'context.load_cert_chain("cert.pem", "key.pem")'
)

Bounds = Mapping[str, Union[IntegerRange, Seconds]]
SESSION: Bounds = {
    "frame_size": IntegerRange(1, 1 << 40),
    "header_size": IntegerRange(1, 1 << 30),
    "calls": IntegerRange(1, (1 << 31) - 2),
    "depth": IntegerRange(1, 1024),
}
TIMEOUT = Seconds(none="no limit")
_DEFAULT_FRAMES_IN_FLIGHT = 4  # frames of the maximum size that fit into the default of in_flight
_SERVER_BOUNDS: Bounds = {
    "connections": IntegerRange(1, 1 << 30),
    **SESSION,
    "idle": Seconds(),
    "request_time": Seconds(),
    "in_flight": IntegerRange(1 << 16, 1 << 50),
    "arguments": IntegerRange(1 << 10, 1 << 50),
}
RETRIES = IntegerRange(0, 1000)
DRAIN = Seconds(can_be_zero=True)
POOL = IntegerRange(1, 10_000)
THREADS = IntegerRange(0, 10_000)


class Limits(NamedTuple):
    """Limits of a server: the members that `limits` of serve can set."""

    connections: int = 10_000
    """Further connections are closed; a connection counts from before its TLS handshake."""
    calls: int = 64
    """Calls in flight on one connection; the connection is not read while there are so many."""
    frame_size: int = 16 << 20
    """Bytes of a message."""
    header_size: int = 64 << 10
    """Bytes of the headers of a message, and of the persistent headers of THeader."""
    depth: int = 64
    idle: float = 600.0
    """Seconds without a complete call, or without reading a reply, after which a connection is
    closed."""
    request_time: float = 300.0
    """Seconds for a call; then its reply is an internal error, and a coroutine is cancelled."""
    in_flight: int = 256 << 20
    """Bytes that all connections together may hold: arriving messages, calls in flight, decoded
    arguments and unsent replies. Above it a connection gets an equal share: it waits, or is closed
    if only its client could end the wait."""
    arguments: int = 256 << 20
    """Bytes of memory for the decoded arguments of a call."""


def limits_of(options: Mapping[str, int]) -> Limits:
    """The limits of a server. Raises for unknown or invalid ones."""
    check_limits(options, _SERVER_BOUNDS)
    limits = Limits(**options)
    minimum = _DEFAULT_FRAMES_IN_FLIGHT * limits.frame_size
    if "in_flight" not in options and limits.in_flight < minimum:
        return limits._replace(in_flight=minimum)
    if limits.in_flight < limits.frame_size:
        raise Error(
            f"limits['in_flight'] must be at least limits['frame_size'] ({limits.frame_size}), "
            f"not {limits.in_flight}",
            code="bad_option",
        )
    return limits


@functools.lru_cache(maxsize=None)
def _rows_of(options: type) -> dict[str, tuple[str, object]]:
    """Type and default of the members of a TypedDict: `name: Annotated[type, default]`."""
    rows = {}
    for name, annotation in options.__annotations__.items():
        pair = ast.parse(annotation.__forward_arg__, mode="eval").body.slice.elts
        rows[name] = (ast.unparse(pair[0]), ast.literal_eval(pair[1]))
    return rows


def default_of(options: type, name: str) -> Any:
    """The default of an option."""
    return _rows_of(options)[name][1]


def with_defaults(function: str, options: _Options, kind: type[_Options]) -> _Options:
    """The options of a call of `function`, with defaults for absent ones.

    Raises TypeError for an unknown option."""
    rows = _rows_of(kind)
    for name in options:
        if name not in rows:
            hint = did_you_mean(name, rows)
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")
    defaults = {name: default for name, (_, default) in rows.items()}
    return {**defaults, **options}  # type: ignore[return-value]


def show_options(function: Callable[..., object], options: type) -> None:
    """Sets the signature of a function: with the members of a TypedDict in place of **options."""
    signature = inspect.signature(function)
    own = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    more = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
        )
        for name, (annotation, default) in _rows_of(options).items()
    ]
    function.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*own, *more]
    )


def check_word(option: str, value: object, known: Sequence[str]) -> None:
    """Raises ValueError with the nearest known word."""
    if value not in known:
        raise ValueError(f"{option} {not_one_of(value, known)}")


def check_limits(limits: object, bounds: Bounds) -> None:
    """Raises for a limit that is unknown or out of its bounds."""
    if not isinstance(limits, Mapping):
        raise TypeError(f"limits must be a dict of {', '.join(bounds)}, not {shown(limits)}")
    for name, value in limits.items():
        check_word("a key of limits", name, tuple(bounds))
        bounds[name].check(f"limits[{name!r}]", value)


def check_mapping(option: str, value: object) -> None:
    """Raises TypeError unless the value is a mapping or None."""
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"{option} must be a dict, not {shown(value)}")


def check_decode(options: Optional[DecodeOptions]) -> None:
    """Raises for options that Type.decode does not take."""
    check_mapping("decode", options)
    with contextlib.suppress(DecodeError):
        application_exception().decode(b"\0", protocol="binary", **(options or {}))


def client_context(tls: TLSLike) -> Optional[ssl.SSLContext]:
    """The context of a client. tls: True for the system's authorities, or a file of trusted
    authorities."""
    if tls is None or tls is False:
        return None
    if tls is True:
        return ssl.create_default_context()
    if not isinstance(tls, ssl.SSLContext):
        return _context_of_authorities(tls)
    if tls.protocol == ssl.PROTOCOL_TLS_SERVER:
        raise Error(
            "tls is a server context; create a client context with ssl.create_default_context()",
            code="bad_option",
        )
    return tls


def _context_of_authorities(file: Union[str, os.PathLike[str]]) -> ssl.SSLContext:
    if not isinstance(file, (str, os.PathLike)):
        raise TypeError(
            f"tls must be True, a file of authorities (PEM) or an ssl.SSLContext, not {file!r}"
        )
    try:
        return ssl.create_default_context(cafile=file)
    except ssl.SSLError:
        raise Error(
            f"tls={os.fspath(file)!r}: the file contains no PEM certificates", code="bad_option"
        ) from None
    except OSError as error:
        raise Error(
            f"tls={os.fspath(file)!r}: cannot read the file: {error.strerror}", code="bad_option"
        ) from None


def check_server_context(tls: object) -> None:
    """Raises unless a server can use `tls`, a context or None."""
    if tls is None:
        return
    if not isinstance(tls, ssl.SSLContext):
        raise TypeError(
            f"tls of a server must be an ssl.SSLContext with a certificate, not {tls!r}: {_CONTEXT}"
        )
    if tls.protocol == ssl.PROTOCOL_TLS_CLIENT:
        raise Error(
            f"tls is a client context; create a server context: {_CONTEXT}", code="bad_option"
        )
