"""Servers in a thread of their own, and until a signal."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import signal
import threading
from collections.abc import Awaitable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable, Literal, Optional, Union, overload

from .._text import shown
from .options import DRAIN, show_options
from .server import ServeOptions, Server, serve_here

if TYPE_CHECKING:
    from types import FrameType

    from typing_extensions import Unpack

    from .._schema.schemas import Schema
    from .._schema.store import Store

    _SignalAction = Union[int, signal.Handlers, None, Callable[[int, Optional[FrameType]], object]]

_CANCEL_TIME = 1.0  # seconds for cancelled coroutines to end


class BackgroundServer:
    """A server in its own thread, created by serve(…, background=True)."""

    def __init__(self, start: Callable[[], Awaitable[Server]], drain: float):
        self._start = start
        self._drain = drain
        self._started: concurrent.futures.Future[Server] = concurrent.futures.Future()
        self._loop: Optional[asyncio.AbstractEventLoop] = None
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
        if self._loop is not None and self._thread.is_alive():
            seconds = self._drain if drain is None else drain
            asyncio.run_coroutine_threadsafe(self._server.close(seconds), self._loop).result()
            self._thread.join()

    def __enter__(self) -> BackgroundServer:
        return self

    def __repr__(self) -> str:
        return f"<thriftlens.BackgroundServer at {self.address}, {self.connections} connections>"

    def __exit__(self, *exception: object) -> None:
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


def run_loop(main: Awaitable[None]) -> None:
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


Ready = Callable[[Any], object]  # called with a Server or a BackgroundServer


@overload
def serve(
    idl: Union[Schema, Store],
    service: Union[str, Mapping[str, object], None] = None,
    handler: object = None,
    *,
    background: Literal[True],
    ready: Optional[Ready] = None,
    drain: float = 10.0,
    **options: Unpack[ServeOptions],
) -> BackgroundServer: ...
@overload
def serve(
    idl: Union[Schema, Store],
    service: Union[str, Mapping[str, object], None] = None,
    handler: object = None,
    *,
    background: Literal[False] = False,
    ready: Optional[Ready] = None,
    drain: float = 10.0,
    **options: Unpack[ServeOptions],
) -> None: ...
def serve(
    idl: Union[Schema, Store],
    service: Union[str, Mapping[str, object], None] = None,
    handler: object = None,
    *,
    background: bool = False,
    ready: Optional[Ready] = None,
    drain: float = 10.0,
    **options: Unpack[ServeOptions],
) -> Optional[BackgroundServer]:
    """Serves until a signal (SIGINT, SIGTERM); then waits up to `drain` seconds for calls in flight
    and abandons the others. A second signal has its
    usual effect at once.

    idl: a Schema, or a Store: further calls use its current schema.
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
    models: classes of arguments by the names of their types, {"Order": OrderModel} or idl.classes;
    see Type.decode.
    decode: options of Type.decode for arguments, such as {"enums": "name"}.
    intercept: a function of the call (`context`) that returns a context manager around the handler,
    or a list of them; see docs/services.md.
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
        raise TypeError(f"ready must be a function that takes the server, not {shown(ready)}")

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
        "tl.serve would block the running event loop: use `await tl.aio.serve(…)`, "
        "or background=True"
    )


async def _until_signal(
    start: Callable[[], Awaitable[Server]], ready: Optional[Ready], drain: float
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
    effect, even if the loop is blocked."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous: dict[int, _SignalAction] = {}

    def restore() -> None:
        while previous:
            number, action = previous.popitem()
            signal.signal(number, signal.SIG_DFL if action is None else action)

    def handle(number: int, frame: Optional[FrameType]) -> None:
        on_signal()
        restore()
        loop.call_soon_threadsafe(stop.set)

    for number in (signal.SIGINT, signal.SIGTERM):
        previous[number] = signal.signal(number, handle)
    try:
        yield
    finally:
        restore()


show_options(serve, ServeOptions)
for _public in (BackgroundServer, serve):
    _public.__module__ = "thriftlens"
