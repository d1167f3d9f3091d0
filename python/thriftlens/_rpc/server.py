"""A server for a Thrift service on asyncio."""

from __future__ import annotations

import asyncio
import ssl
from typing import (
    TYPE_CHECKING,
    Annotated,
    Literal,
    Mapping,
    NoReturn,
    Optional,
    Protocol,
    TypedDict,
    Union,
)

from .._errors import Error
from .._schema.store import Store
from .._text import shown
from . import options as opt
from .address import host_port
from .call_models import Models, check_models
from .connection import LOG, Connection
from .faults import errors_naming
from .handlers import HandlerOptions
from .interceptors import InterceptorLike, interceptors_of
from .options import Limits, Transport
from .router import Router
from .server_state import ServerState
from .services import check_idl, find_service, named_service
from .tls import TLSListener
from .unix import UnixListener
from .users import Users, UsersLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._schema.schemas import Schema
    from .._schema.services import Service

_USER_TRANSPORTS = ("auto", "sasl", "http")


class ServeOptions(TypedDict, total=False):
    """Options of both serve and aio.serve, and their defaults."""

    host: Annotated[str, "127.0.0.1"]
    port: Annotated[int, 0]
    unix: Annotated[Optional[str], None]
    transport: Annotated[Transport, "auto"]
    protocol: Annotated[opt.Protocol, "auto"]
    tls: Annotated[Optional[ssl.SSLContext], None]
    users: Annotated[Optional[UsersLike], None]
    arguments: Annotated[Literal["dict", "view"], "dict"]
    threads: Annotated[int, 8]
    limits: Annotated[Optional[Mapping[str, int]], None]
    models: Annotated[Optional[Models], None]
    decode: Annotated[Optional[opt.DecodeOptions], None]
    intercept: Annotated[InterceptorLike, None]


def check_serve_options(options: ServeOptions) -> None:
    """Raises for an invalid option."""
    opt.check_word("transport", options["transport"], opt.TRANSPORTS)
    opt.check_word("protocol", options["protocol"], opt.PROTOCOLS)
    opt.check_word("arguments", options["arguments"], ("dict", "view"))
    _check_users(options["transport"], options["users"])
    _check_address(options["host"], options["port"], options["unix"])
    opt.check_server_context(options["tls"])
    opt.THREADS.check("threads", options["threads"])
    opt.check_decode(options["decode"])


def _check_address(host: str, port: int, unix: Optional[str]) -> None:
    if not isinstance(host, str):
        raise TypeError(f"host must be a str such as '127.0.0.1', not {shown(host)}")
    if not isinstance(port, int) or isinstance(port, bool):
        raise TypeError(f"port must be an int, not {shown(port)}")
    if not 0 <= port < 1 << 16:
        raise Error(f"port must be from 0 to 65535, not {port}", code="bad_address")
    if unix is not None and port:
        raise Error(f"unix={unix!r} and port={port} are mutually exclusive", code="bad_option")


def _check_users(transport: str, users: Optional[UsersLike]) -> None:
    if transport == "sasl" and users is None:
        raise Error(
            "transport='sasl' needs users=: a dict of passwords by user, or a function of "
            "(user, password); `lambda user, password: True` accepts everybody",
            code="bad_option",
        )
    if users is not None and transport not in _USER_TRANSPORTS:
        text = f"transport={transport!r} does not authenticate users; use SASL or HTTP"
        raise Error(text, code="bad_option")


def handlers_of(
    idl: Schema, service: Union[str, Mapping[str, object], None], handler: object
) -> dict[str, tuple[Service, object]]:
    """Services and their handlers by name. Calls to one of several services have its name."""
    check_idl(idl)
    if isinstance(service, Mapping):
        if handler is not None:
            raise TypeError("handler= cannot be used with a dict of handlers as service=")
        if not service:
            raise Error("no services: the dict of handlers is empty", code="no_service")
        return {name: (named_service(idl, name), service[name]) for name in service}
    resolved = find_service(idl, service)
    if handler is None:
        raise TypeError(
            "missing handler; expected an object with methods, a dict of functions, or one "
            "function for all"
        )
    return {resolved.name: (resolved, handler)}


_CHECK_INTERVAL = 1.0  # seconds between checks of connections that are not read
_BACKLOG = 1024


class Listener(Protocol):
    """The part of asyncio.Server that a server uses."""

    def close(self) -> None: ...


class Server:
    """A running server, created by aio.serve and by serve(…, background=True)."""

    def __init__(
        self,
        state: ServerState,
        listener: Listener,
        address: str,
        unix_listener: Optional[UnixListener] = None,
    ):
        self._state = state
        self._listener = listener
        self._address = address
        self._unix_listener = unix_listener
        self._loop = asyncio.get_running_loop()
        self._idle_timer = self._loop.call_later(self._idle_interval(), self._close_idle)
        self._check_timer = self._loop.call_later(_CHECK_INTERVAL, self._check)
        self._closed = self._loop.create_future()
        self._is_closing = False
        LOG.info("listening at %s", address)

    @property
    def address(self) -> str:
        """The address to pass to connect."""
        return self._address

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return len(self._state.connections)

    def __reduce__(self) -> NoReturn:
        raise TypeError("cannot pickle a server; pass its address")

    async def close(self, drain: float = 10.0) -> None:
        """Takes no more connections and calls, and cancels calls in flight after `drain` seconds.

        Plain functions that still run then are abandoned; their threads do not keep the process
        alive."""
        opt.DRAIN.check("drain", drain)
        if self._is_closing:
            await asyncio.shield(self._closed)
            return
        self._is_closing = True
        self._idle_timer.cancel()
        self._check_timer.cancel()
        self._listener.close()
        await self._drain(drain)
        self._state.close()
        if self._unix_listener is not None:
            self._unix_listener.remove()
        self._closed.set_result(None)

    async def _drain(self, seconds: float) -> None:
        """Ends all connections: when their calls are answered, or after that time."""
        for connection in self._state.all_connections():
            connection.finish()
        deadline = self._loop.time() + seconds
        while self._state.all_connections() and self._loop.time() < deadline:
            self._state.executor.end_jobs()
            await asyncio.sleep(0.01)
        for connection in self._state.all_connections():
            connection.cancel()
        await asyncio.sleep(0)

    async def wait_closed(self) -> None:
        """Waits until the server is closed."""
        await asyncio.shield(self._closed)

    async def __aenter__(self) -> Server:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<thriftlens.aio.Server at {self._address}, {self.connections} connections>"

    def _idle_interval(self) -> float:
        return max(0.05, self._state.limits.idle / 8)

    def _close_idle(self) -> None:
        current_time = self._loop.time()
        for connection in list(self._state.connections):
            connection.close_if_idle(current_time)
        self._idle_timer = self._loop.call_later(self._idle_interval(), self._close_idle)

    def _check(self) -> None:
        for connection in list(self._state.connections):
            connection.close_if_reset()
        self._state.executor.end_jobs()
        self._state.budget.trim()
        self._check_timer = self._loop.call_later(_CHECK_INTERVAL, self._check)

    def _interrupt(self) -> None:
        """From now on KeyboardInterrupt ends the loop, even in a handler."""
        self._state.executor.is_interrupted = True


async def serve_here(
    idl: Union[Schema, Store],
    service: Union[str, Mapping[str, object], None] = None,
    handler: object = None,
    **options: Unpack[ServeOptions],
) -> Server:
    """Like tl.serve, in the running event loop: await it, or use it in `async with`.

    >>> import asyncio
    >>> import thriftlens as tl
    >>> idl = tl.loads("service Sums { i64 total(1: list<i32> numbers) }")
    >>> async def total(numbers):
    ...     return sum(numbers)
    >>> async def main():
    ...     async with tl.aio.serve(idl, "Sums", {"total": total}) as server:
    ...         async with tl.aio.connect(server.address, idl) as client:
    ...             return await client.total([1, 2])
    >>> asyncio.run(main())
    3
    """
    options = opt.with_defaults("serve", options, ServeOptions)
    check_serve_options(options)
    schema = idl.current if isinstance(idl, Store) else idl
    check_models(schema, options["models"])
    limits = opt.limits_of({} if options["limits"] is None else options["limits"])
    handling = HandlerOptions(
        options["arguments"] == "view",
        limits.arguments,
        options["models"],
        options["decode"] or {},
        interceptors_of(options["intercept"]),
    )

    def route(schema: Schema) -> Router:
        return Router(handlers_of(schema, service, handler), handling, schema.classes)

    state = _state_of(route(schema), limits, options)
    name = options["unix"] or options["host"]
    with errors_naming(name):
        if options["unix"] is not None:
            server = await _listen_on_unix(state, name)
        else:
            server = await _listen_on_port(state, name, options["port"])
    if isinstance(idl, Store):
        state.follow(idl, route)
    return server


def _state_of(router: Router, limits: Limits, options: ServeOptions) -> ServerState:
    if options["transport"] == "http":
        from . import server_http as _server_http  # noqa: F401 - raises if h11 is missing
    return ServerState(
        asyncio.get_running_loop(),
        router,
        options["transport"],
        options["protocol"],
        limits,
        options["tls"],
        None if options["users"] is None else Users(options["users"]),
        options["threads"],
    )


async def _listen_on_unix(state: ServerState, path: str) -> Server:
    listener: Listener
    unix_listener = UnixListener(path)
    if state.tls is not None:
        listener = TLSListener(state, [unix_listener.socket], _BACKLOG)
    else:
        listener = await state.loop.create_unix_server(
            lambda: Connection(state), sock=unix_listener.socket, backlog=_BACKLOG
        )
    return Server(state, listener, f"unix:{path}", unix_listener)


async def _listen_on_port(state: ServerState, host: str, port: int) -> Server:
    plain = await state.loop.create_server(
        lambda: Connection(state), host, port, backlog=_BACKLOG, start_serving=state.tls is None
    )
    location = host_port(*plain.sockets[0].getsockname()[:2])
    listener: Listener = plain
    if state.tls is not None:
        listener = TLSListener(state, [socket.dup() for socket in plain.sockets], _BACKLOG)
        plain.close()
    return Server(state, listener, f"http://{location}/" if state.transport == "http" else location)


opt.show_options(serve_here, ServeOptions)
serve_here.__name__ = serve_here.__qualname__ = "serve"
Limits.__module__ = Server.__module__ = "thriftlens"
serve_here.__module__ = "thriftlens.aio"
