"""tl.serve: a server of any Thrift service, under its IDL, on asyncio."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import inspect
import signal
import ssl
import sys
import threading
from typing import TYPE_CHECKING, Any, Callable, Iterator, Literal, Mapping, Optional, TypedDict, Union

from .address import host_port
from .budget import Budget
from .calls import check_idl, find_service, named_service
from .options import DRAIN, PROTOCOLS, SESSION, THREADS, TRANSPORTS, Bounds, IntegerRange, Protocol, Seconds, Transport, check_limits, check_server_context, check_word
from .connection import Connection, Limits, Shared
from .._errors import Error
from .handlers import Router
from .link import PIECE, naming
from .threads import Threads
from .tls import TLSListener
from .unix import UnixListener
from .users import Users, UsersLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._schema.schema import Schema

WITH_USERS = ("auto", "sasl", "http")
_IN_FLIGHT = 4  # frames of the largest size that the budget has place for, where nothing is said
_WATCH = 1.0  # seconds between looks at connections that are not read from
_DECODERS = 2  # threads
_BACKLOG = 1024
_CANCEL = 1.0  # seconds for coroutines that are cancelled at the end

BOUNDS: Bounds = {
    "connections": IntegerRange(1, 1 << 30),
    **SESSION,
    "idle": Seconds(),
    "request_time": Seconds(),
    "in_flight": IntegerRange(1 << 16, 1 << 50),
    "arguments": IntegerRange(1 << 10, 1 << 50),
}


class Listening(TypedDict, total=False):
    """The options of serve that are aio.serve's too; for type checkers."""

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
    """A server that runs; made by aio.serve, and by serve(…, background=True)."""

    def __init__(self, shared: Shared, listening: Any, address: str, socket: Optional[UnixListener] = None):
        self._shared = shared
        self._listening = listening
        self._address = address
        self._socket = socket
        self._loop = asyncio.get_running_loop()
        self._sweeper = self._loop.call_later(self._period(), self._sweep)
        self._watcher = self._loop.call_later(_WATCH, self._watch)
        self._closed = self._loop.create_future()
        self._is_closing = False

    @property
    def address(self) -> str:
        """Where it listens, as connect takes it."""
        return self._address

    @property
    def connections(self) -> int:
        """How many clients there are."""
        return len(self._shared.connections)

    async def close(self, drain: float = 10.0) -> None:
        """Stops: takes no more connections and calls, waits `drain` seconds for the calls in flight, then ends what is left.

        A plain function that still runs then is left to itself: it does not keep the process from ending, and ends with it."""
        if self._is_closing:
            await asyncio.shield(self._closed)
            return
        self._is_closing = True
        self._sweeper.cancel()
        self._watcher.cancel()
        self._listening.close()
        for each in list(self._shared.connections):
            each.finish()
        until = self._loop.time() + drain
        while self._shared.connections and self._loop.time() < until:
            await asyncio.sleep(0.01)
        for each in list(self._shared.connections):
            each.abort()
        await asyncio.sleep(0)
        if self._shared.pool is not None:
            self._shared.pool.shutdown()
        self._shared.decoders.shutdown()
        if self._socket is not None:
            self._socket.remove()
        self._closed.set_result(None)

    async def wait_closed(self) -> None:
        """Until somebody has closed it."""
        await asyncio.shield(self._closed)

    async def __aenter__(self) -> Server:
        return self

    async def __aexit__(self, *what: Any) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<thriftlens.aio.Server at {self._address}, {self.connections} connections>"

    def _period(self) -> float:
        return max(0.05, self._shared.limits.idle / 8)

    def _sweep(self) -> None:
        now = self._loop.time()
        for each in list(self._shared.connections):
            each.sweep(now)
        self._sweeper = self._loop.call_later(self._period(), self._sweep)

    def _watch(self) -> None:
        for each in list(self._shared.connections):
            each.drop_if_reset()
        self._shared.budget.give_back()
        self._watcher = self._loop.call_later(_WATCH, self._watch)

    def _interrupt(self) -> None:
        """From now on KeyboardInterrupt ends the loop, also where a handler runs."""
        self._shared.is_interrupted = True


class BackgroundServer:
    """A server in a thread of its own; made by serve(…, background=True)."""

    def __init__(self, start: Callable[[], Any], drain: float):
        self._start = start
        self._drain = drain
        self._is_up: concurrent.futures.Future[Server] = concurrent.futures.Future()
        self._loop: Any = None
        self._thread = threading.Thread(target=self._work, name="thriftlens server", daemon=True)
        self._thread.start()
        self._server = self._is_up.result()

    @property
    def address(self) -> str:
        """Where it listens, as connect takes it."""
        return self._server.address

    @property
    def connections(self) -> int:
        """How many clients there are."""
        return self._server.connections

    def close(self, drain: Optional[float] = None) -> None:
        """Stops as Server.close does, and waits for it; drain: in seconds, as serve was told where nothing is said."""
        if self._thread.is_alive():
            seconds = self._drain if drain is None else drain
            asyncio.run_coroutine_threadsafe(self._server.close(seconds), self._loop).result()
            self._thread.join()

    def __enter__(self) -> BackgroundServer:
        return self

    def __repr__(self) -> str:
        return f"<thriftlens.BackgroundServer at {self.address}, {self.connections} connections>"

    def __exit__(self, *what: Any) -> None:
        self.close()

    def _work(self) -> None:
        run_loop(self._main())

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            server = await self._start()
        except BaseException as error:
            self._is_up.set_exception(error)
            return
        self._is_up.set_result(server)
        await server.wait_closed()


def run_loop(main: Any) -> None:
    """A coroutine in a loop of its own, of uvloop where it is installed."""
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
    for each in others:
        each.cancel()
    if others:  # one that does not let itself be cancelled is left behind
        await asyncio.wait(others, timeout=_CANCEL)


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
    """As tl.serve, in a running event loop: gives the server when it listens.

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
    _check_place(host, port, unix)
    check_server_context(tls)
    THREADS.check("threads", threads)
    held = _limits({} if limits is None else limits)
    router = Router(_services(idl, service, handler), arguments == "view", held.arguments)
    if transport == "http":
        from . import server_http as _server_http  # noqa: F401 - says at once what is missing
    connections: set[Connection] = set()
    shared = Shared(
        router=router,
        transport=transport,
        protocol=protocol,
        limits=held,
        tls=tls,
        users=None if users is None else Users(users),
        pool=Threads(threads, "thriftlens handler") if threads else None,
        decoders=Threads(_DECODERS, "thriftlens decoder"),
        buffer=None if sys.platform == "win32" else memoryview(bytearray(PIECE)),
        connections=connections,
        budget=Budget(held.in_flight, lambda: len(connections)),
    )
    make = lambda: Connection(shared, loop)  # noqa: E731
    if unix is not None:
        with naming(unix):
            socket = UnixListener(unix)
            if tls is not None:
                listening: Any = TLSListener(shared, [socket.socket], _BACKLOG)
            else:
                listening = await loop.create_unix_server(make, sock=socket.socket, backlog=_BACKLOG)
        return Server(shared, listening, f"unix:{unix}", socket)
    with naming(host):
        listening = await loop.create_server(make, host, port, backlog=_BACKLOG, start_serving=tls is None)
    if tls is not None:
        bound, listening = listening, TLSListener(shared, [each.dup() for each in listening.sockets], _BACKLOG)
        bound.close()
    name, number = listening.sockets[0].getsockname()[:2]
    location = host_port(name, number)
    return Server(shared, listening, f"http://{location}/" if transport == "http" else location)


def _limits(given: Mapping[str, Any]) -> Limits:
    check_limits(given, BOUNDS)
    made = Limits(**given)
    least = _IN_FLIGHT * made.frame_size
    if "in_flight" not in given and made.in_flight < least:
        return made._replace(in_flight=least)
    if made.in_flight < made.frame_size:
        raise Error(f"limits['in_flight'] is {made.in_flight}, and one message may have {made.frame_size} bytes (limits['frame_size'])", code="bad_option")
    return made


def _check_place(host: str, port: int, unix: Optional[str]) -> None:
    """Where to listen: a unix socket or a port."""
    if not isinstance(host, str):
        raise TypeError(f"host is a str such as '127.0.0.1', not {host!r}")
    if not isinstance(port, int) or isinstance(port, bool):
        raise TypeError(f"port is an int, not {port!r}")
    if not 0 <= port < 1 << 16:
        raise Error(f"there is no port {port}: ports are below 65536", code="bad_address")
    if unix is not None and port:
        raise Error(f"either unix={unix!r} or port={port}: a server listens at one place", code="bad_option")


def _check_users(transport: str, users: Optional[UsersLike]) -> None:
    """Whom to let in is said where it is asked, and nowhere else."""
    if transport == "sasl" and users is None:
        text = "transport='sasl' asks for users: users= is a dict of passwords by user, or a function of (user, password); `lambda user, password: True` takes everybody"
        raise Error(text, code="bad_option")
    if users is not None and transport not in WITH_USERS:
        raise Error(f"transport={transport!r} has no place for users: SASL and HTTP have", code="bad_option")


def _services(idl: Schema, service: Union[str, Mapping[str, Any], None], handler: Any) -> dict[str, Any]:
    """Services and their handlers; several are told apart by the names of the messages."""
    check_idl(idl)
    if isinstance(service, Mapping):
        if handler is not None:
            raise TypeError("where service is a dict of handlers, handler is not given")
        return {name: (named_service(idl, name), each) for name, each in service.items()}
    found = find_service(idl, service)
    if handler is None:
        raise TypeError("a handler is needed: an object with methods, a dict of functions, or one function for all")
    return {found.name: (found, handler)}


def serve(
    idl: Schema,
    service: Union[str, Mapping[str, Any], None] = None,
    handler: Any = None,
    *,
    background: bool = False,
    ready: Optional[Callable[[Any], Any]] = None,
    drain: float = 10.0,
    **how: Unpack[Listening],
) -> Any:
    """Serves until a signal (SIGINT, SIGTERM) ends it; calls in flight are answered first, for up to `drain` seconds, and what still runs then is
    left behind. A second signal ends the process at once, as it would without a server.

    service: its name, which may be left out where the IDL has one; or a dict of handlers by the names of their services (multiplexed).
    handler: an object with methods (`import_` for `import`), a dict of functions, one function for all that gets (name, arguments, context),
    or a Recording, whose replies are given (a mock server). Functions get the arguments by position, and `context` where they have a parameter
    of that name; they may be coroutines. They return the success value (dict, dataclass, view; bytes for a struct are that struct in the
    protocol of the call), or
    raise: exceptions that the IDL declares (`idl.exceptions`), ApplicationError; of anything else, SystemExit and KeyboardInterrupt included,
    the client sees "internal error" and the log the traceback.
    host, port, unix: where to listen; port 0 is one of the system's choice. tls: an ssl.SSLContext.
    transport, protocol: "auto" tells by the first bytes of each connection. HTTP needs `pip install "thriftlens[http]"`.
    users: who is let in, over SASL PLAIN and HTTP Basic: a dict of passwords by user, or a function of (user, password), which may be a
    coroutine. With it, connections that have no user are closed; without it SASL is refused.
    arguments: "dict", or "view": nothing is decoded before it is asked for.
    threads: plain functions run in so many; 0: in the event loop, where they must not wait.
    limits: of connections, calls, frame_size, header_size, depth, idle, request_time, in_flight, arguments; see Limits.
    background: serves in a thread, and returns an object with `address` and `close()`. ready: called with the server when it listens.

    >>> import thriftlens as tl
    >>> idl = tl.loads("service Sums { i64 total(1: list<i32> numbers) }")
    >>> with tl.serve(idl, "Sums", {"total": sum}, background=True) as server:
    ...     with tl.connect(server.address, idl) as client:
    ...         client.total([1, 2])
    3
    """

    DRAIN.check("drain", drain)
    if ready is not None and not callable(ready):
        raise TypeError(f"ready is a function that gets the server, not {ready!r}")

    async def start() -> Server:
        return await serve_here(idl, service, handler, **how)

    if background:
        made = BackgroundServer(start, drain)
        if ready is not None:
            ready(made)
        return made
    _check_no_loop()
    run_loop(_until_signal(start, ready, drain))
    return None


def _check_no_loop() -> None:
    """What blocks would stop a loop that runs in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("tl.serve blocks, and an event loop is running here: `await tl.aio.serve(…)`, or background=True")


def _signature_of_serve() -> inspect.Signature:
    """With the options of serve_here, which are told once."""
    own = inspect.signature(serve)
    fixed = [each for each in own.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    names = {each.name for each in fixed}
    rest = [each for each in inspect.signature(serve_here).parameters.values() if each.name not in names]
    split = next(index for index, each in enumerate(fixed) if each.kind is inspect.Parameter.KEYWORD_ONLY)
    return own.replace(parameters=[*fixed[:split], *rest, *fixed[split:]])


async def _until_signal(start: Callable[[], Any], ready: Optional[Callable[[Server], Any]], drain: float) -> None:
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
def _until_first_signal(loop: asyncio.AbstractEventLoop, stop: asyncio.Event, heard: Callable[[], None]) -> Iterator[None]:
    """The first signal sets `stop`, and gives all signals back: the next one waits neither for calls nor for a loop that is stuck in a handler."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: dict[int, Any] = {}

    def give_back() -> None:
        while before:
            number, action = before.popitem()
            signal.signal(number, signal.SIG_DFL if action is None else action)

    def hear(number: int, frame: Any) -> None:
        heard()
        give_back()
        loop.call_soon_threadsafe(stop.set)

    for each in (signal.SIGINT, signal.SIGTERM):
        before[each] = signal.signal(each, hear)
    try:
        yield
    finally:
        give_back()


serve.__signature__ = _signature_of_serve()  # type: ignore[attr-defined]
serve_here.__name__ = serve_here.__qualname__ = "serve"
for _each in (Limits, Server, BackgroundServer, serve):
    _each.__module__ = "thriftlens"
serve_here.__module__ = "thriftlens.aio"
