"""tl.serve: a server for a Thrift service, on asyncio."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import inspect
import signal
import ssl
import threading
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Iterator,
    Literal,
    Mapping,
    NoReturn,
    Optional,
    TypedDict,
    Union,
)

from .._errors import Error
from .address import host_port
from .calls import check_idl, find_service, named_service
from .connection import LOG, Connection, ServerState
from .handlers import Router
from .link import errors_naming
from .options import (
    DRAIN,
    PROTOCOLS,
    THREADS,
    TRANSPORTS,
    Limits,
    Protocol,
    Transport,
    check_server_context,
    check_word,
    limits_of,
)
from .tls import TLSListener
from .unix import UnixListener
from .users import Users, UsersLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._schema.schemas import Schema

_USER_TRANSPORTS = ("auto", "sasl", "http")
_CHECK_INTERVAL = 1.0  # seconds between checks of connections that are not read
_BACKLOG = 1024
_CANCEL_TIME = 1.0  # seconds for cancelled coroutines to end


class ServeOptions(TypedDict, total=False):
    """Options of both serve and aio.serve, for type checkers."""

    host: str
    port: int
    unix: Optional[str]
    transport: Transport
    protocol: Protocol
    tls: Optional[ssl.SSLContext]
    users: Optional[UsersLike]
    arguments: Literal["dict", "view"]
    threads: int
    limits: Optional[Mapping[str, Any]]


class Server:
    """A running server, created by aio.serve and by serve(…, background=True)."""

    def __init__(
        self,
        state: ServerState,
        listener: Any,
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
        alive.
        """
        if self._is_closing:
            await asyncio.shield(self._closed)
            return
        self._is_closing = True
        self._idle_timer.cancel()
        self._check_timer.cancel()
        self._listener.close()
        for connection in self._state.all_connections():
            connection.finish()
        deadline = self._loop.time() + drain
        while self._state.all_connections() and self._loop.time() < deadline:
            await asyncio.sleep(0.01)
        for connection in self._state.all_connections():
            connection.cancel()
        await asyncio.sleep(0)
        self._state.executor.shutdown()
        if self._unix_listener is not None:
            self._unix_listener.remove()
        self._closed.set_result(None)

    async def wait_closed(self) -> None:
        """Waits until the server is closed."""
        await asyncio.shield(self._closed)

    async def __aenter__(self) -> Server:
        return self

    async def __aexit__(self, *exception: Any) -> None:
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
        self._state.budget.trim()
        self._check_timer = self._loop.call_later(_CHECK_INTERVAL, self._check)

    def _interrupt(self) -> None:
        """From now on KeyboardInterrupt ends the loop, even in a handler."""
        self._state.executor.is_interrupted = True


class BackgroundServer:
    """A server in its own thread, created by serve(…, background=True)."""

    def __init__(self, start: Callable[[], Any], drain: float):
        self._start = start
        self._drain = drain
        self._started: concurrent.futures.Future[Server] = concurrent.futures.Future()
        self._loop: Any = None
        self._thread = threading.Thread(target=self._run, name="thriftlens server", daemon=True)
        self._thread.start()
        self._server = self._started.result()

    @property
    def address(self) -> str:
        """The address to pass to connect."""
        return self._server.address

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return self._server.connections

    __reduce__ = Server.__reduce__

    def close(self, drain: Optional[float] = None) -> None:
        """Stops the server as Server.close does. drain: seconds; default: that of serve."""
        if self._thread.is_alive():
            seconds = self._drain if drain is None else drain
            asyncio.run_coroutine_threadsafe(self._server.close(seconds), self._loop).result()
            self._thread.join()

    def __enter__(self) -> BackgroundServer:
        return self

    def __repr__(self) -> str:
        return f"<thriftlens.BackgroundServer at {self.address}, {self.connections} connections>"

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def _run(self) -> None:
        run_loop(self._main())

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            server = await self._start()
        except BaseException as error:
            self._started.set_exception(error)
            return
        self._started.set_result(server)
        await server.wait_closed()


def run_loop(main: Any) -> None:
    """Runs a coroutine in a new event loop, of uvloop if it is installed."""
    try:
        import uvloop  # type: ignore[import-not-found, unused-ignore]

        loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    except ImportError:
        loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(main)
    finally:
        loop.run_until_complete(_cancel_others())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:  # some may ignore their cancellation
        await asyncio.wait(others, timeout=_CANCEL_TIME)


async def serve_here(
    idl: Schema,
    service: Union[str, Mapping[str, Any], None] = None,
    handler: Any = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    unix: Optional[str] = None,
    transport: Transport = "auto",
    protocol: Protocol = "auto",
    tls: Optional[ssl.SSLContext] = None,
    users: Optional[UsersLike] = None,
    arguments: Literal["dict", "view"] = "dict",
    threads: int = 8,
    limits: Optional[Mapping[str, Any]] = None,
) -> Server:
    """Like tl.serve, in the running event loop: returns the server when it listens.

    >>> import asyncio
    >>> import thriftlens as tl
    >>> idl = tl.loads("service Sums { i64 total(1: list<i32> numbers) }")
    >>> async def total(numbers):
    ...     return sum(numbers)
    >>> async def main():
    ...     async with await tl.aio.serve(idl, "Sums", {"total": total}) as server:
    ...         async with tl.aio.connect(server.address, idl) as client:
    ...             return await client.total([1, 2])
    >>> asyncio.run(main())
    3
    """
    loop = asyncio.get_running_loop()
    check_word("transport", transport, TRANSPORTS)
    check_word("protocol", protocol, PROTOCOLS)
    check_word("arguments", arguments, ("dict", "view"))
    _check_users(transport, users)
    _check_address(host, port, unix)
    check_server_context(tls)
    THREADS.check("threads", threads)
    checked_limits = limits_of({} if limits is None else limits)
    router = Router(_services(idl, service, handler), arguments == "view", checked_limits.arguments)
    if transport == "http":
        from . import server_http as _server_http  # noqa: F401 - raises if h11 is missing
    state = ServerState(
        loop,
        router,
        transport,
        protocol,
        checked_limits,
        tls,
        None if users is None else Users(users),
        threads,
    )
    if unix is not None:
        with errors_naming(unix):
            return await _listen_on_unix(state, unix)
    with errors_naming(host):
        return await _listen_on_port(state, host, port)


async def _listen_on_unix(state: ServerState, path: str) -> Server:
    listener: Any
    unix_listener = UnixListener(path)
    if state.tls is not None:
        listener = TLSListener(state, [unix_listener.socket], _BACKLOG)
    else:
        listener = await state.loop.create_unix_server(
            lambda: Connection(state), sock=unix_listener.socket, backlog=_BACKLOG
        )
    return Server(state, listener, f"unix:{path}", unix_listener)


async def _listen_on_port(state: ServerState, host: str, port: int) -> Server:
    listener: Any = await state.loop.create_server(
        lambda: Connection(state), host, port, backlog=_BACKLOG, start_serving=state.tls is None
    )
    if state.tls is not None:
        plain_listener, listener = (
            listener,
            TLSListener(state, [socket.dup() for socket in listener.sockets], _BACKLOG),
        )
        plain_listener.close()
    location = host_port(*listener.sockets[0].getsockname()[:2])
    return Server(state, listener, f"http://{location}/" if state.transport == "http" else location)


def _check_address(host: str, port: int, unix: Optional[str]) -> None:
    if not isinstance(host, str):
        raise TypeError(f"host is a str such as '127.0.0.1', not {host!r}")
    if not isinstance(port, int) or isinstance(port, bool):
        raise TypeError(f"port is an int, not {port!r}")
    if not 0 <= port < 1 << 16:
        raise Error(f"there is no port {port}: ports are below 65536", code="bad_address")
    if unix is not None and port:
        raise Error(f"unix={unix!r} and port={port} are mutually exclusive", code="bad_option")


def _check_users(transport: str, users: Optional[UsersLike]) -> None:
    if transport == "sasl" and users is None:
        text = "transport='sasl' needs users=: a dict of passwords by user, or a function of (user, password); `lambda user, password: True` accepts everybody"
        raise Error(text, code="bad_option")
    if users is not None and transport not in _USER_TRANSPORTS:
        raise Error(f"transport={transport!r} has no users: use SASL or HTTP", code="bad_option")


def _services(
    idl: Schema, service: Union[str, Mapping[str, Any], None], handler: Any
) -> dict[str, Any]:
    """Services and their handlers by name. Calls to one of several services have its name."""
    check_idl(idl)
    if isinstance(service, Mapping):
        if handler is not None:
            raise TypeError("handler is not allowed if service is a dict of handlers")
        if not service:
            raise Error("no services: the dict of handlers is empty", code="no_service")
        return {
            name: (named_service(idl, name), service_handler)
            for name, service_handler in service.items()
        }
    resolved = find_service(idl, service)
    if handler is None:
        raise TypeError(
            "a handler is needed: an object with methods, a dict of functions, or one function for all"
        )
    return {resolved.name: (resolved, handler)}


def serve(
    idl: Schema,
    service: Union[str, Mapping[str, Any], None] = None,
    handler: Any = None,
    *,
    background: bool = False,
    ready: Optional[Callable[[Any], Any]] = None,
    drain: float = 10.0,
    **options: Unpack[ServeOptions],
) -> Any:
    """Serves until a signal (SIGINT, SIGTERM); then waits up to `drain` seconds for calls in flight
    and abandons the others. A second signal has its
    usual effect at once.

    service: its name, optional if the IDL has only one; or a dict of handlers by service name
    (multiplexed).
    handler: an object with methods (`import_` for `import`), a dict of functions, one function for
    all, called with (name, arguments, context), or a Recording, whose replies are sent (a mock
    server). Functions get the arguments by position, and `context` if they have a parameter of that
    name; they may be coroutines. They return the success value (dict, dataclass, view; bytes: a
    struct in the protocol of the call) or raise exceptions declared in the IDL (`idl.exceptions`)
    or ApplicationError. All other exceptions, including SystemExit and
    KeyboardInterrupt, are logged with their traceback and sent as "internal error".
    host, port, unix: the address to listen on; port 0: any free port. tls: an ssl.SSLContext.
    transport, protocol: "auto" detects them by the first bytes of a connection. HTTP needs `pip
    install "thriftlens[http]"`.
    users: accepted over SASL PLAIN and HTTP Basic: a dict of passwords by user, or a function of
    (user, password), which may be a coroutine.
    With it, connections without a user are closed; without it, SASL is refused.
    arguments: "dict", or "view": decoded on access.
    threads: number of threads for plain functions; 0: they run in the event loop and must not
    block.
    limits: connections, calls, frame_size, header_size, depth, idle, request_time, in_flight,
    arguments; see Limits.
    background: serves in a thread and returns an object with `address` and `close()`. ready: called
    with the server when it listens.

    >>> import thriftlens as tl
    >>> idl = tl.loads("service Sums { i64 total(1: list<i32> numbers) }")
    >>> with tl.serve(idl, "Sums", {"total": sum}, background=True) as server:
    ...     with tl.connect(server.address, idl) as client:
    ...         client.total([1, 2])
    3
    """
    DRAIN.check("drain", drain)
    if ready is not None and not callable(ready):
        raise TypeError(f"ready is a function of the server, not {ready!r}")

    async def start() -> Server:
        return await serve_here(idl, service, handler, **options)

    if background:
        server = BackgroundServer(start, drain)
        if ready is not None:
            ready(server)
        return server
    _check_no_loop()
    run_loop(_until_signal(start, ready, drain))
    return None


def _check_no_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError(
        "tl.serve would block the running event loop: use `await tl.aio.serve(…)`, or background=True"
    )


def _signature_of_serve() -> inspect.Signature:
    """With the options of serve_here in place of **options."""
    signature = inspect.signature(serve)
    own = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    common = [
        parameter
        for name, parameter in inspect.signature(serve_here).parameters.items()
        if name not in signature.parameters
    ]
    split = next(
        index
        for index, parameter in enumerate(own)
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    )
    return signature.replace(parameters=[*own[:split], *common, *own[split:]])


async def _until_signal(
    start: Callable[[], Any], ready: Optional[Callable[[Server], Any]], drain: float
) -> None:
    server = await start()
    stop = asyncio.Event()
    with _until_first_signal(asyncio.get_running_loop(), stop, server._interrupt):
        if ready is not None:
            ready(server)
        closing = asyncio.ensure_future(server.wait_closed())
        stopping = asyncio.ensure_future(stop.wait())
        await asyncio.wait([closing, stopping], return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
    await server.close(drain)


@contextlib.contextmanager
def _until_first_signal(
    loop: asyncio.AbstractEventLoop, stop: asyncio.Event, on_signal: Callable[[], None]
) -> Iterator[None]:
    """The first signal sets `stop` and restores the signal handlers: a second one has its usual
    effect, even if the loop is blocked.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous: dict[int, Any] = {}

    def restore() -> None:
        while previous:
            number, action = previous.popitem()
            signal.signal(number, signal.SIG_DFL if action is None else action)

    def handle(number: int, frame: Any) -> None:
        on_signal()
        restore()
        loop.call_soon_threadsafe(stop.set)

    for number in (signal.SIGINT, signal.SIGTERM):
        previous[number] = signal.signal(number, handle)
    try:
        yield
    finally:
        restore()


serve.__signature__ = _signature_of_serve()  # type: ignore[attr-defined]
serve_here.__name__ = serve_here.__qualname__ = "serve"
for _public in (Limits, Server, BackgroundServer, serve):
    _public.__module__ = "thriftlens"
serve_here.__module__ = "thriftlens.aio"
