"""tl.serve: a server of any Thrift service, under its IDL, on asyncio."""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import contextlib
import inspect
import logging
import os
import signal
import ssl
import sys
import threading
from typing import TYPE_CHECKING, Any, Callable, Iterator, Literal, Mapping, NamedTuple, Optional, TypedDict, Union

from . import _core
from ._calls import check_idl, find_service, named_service
from ._checks import DRAIN, SESSION, THREADS, Bounds, Seconds, Whole, check_limits, check_server_context, check_word
from ._client import PROTOCOLS, TRANSPORTS, Protocol, Transport
from ._errors import ApplicationError, DecodeError, Error
from ._handlers import Answer, Context, Router, protocol_of, refusal, refusal_of_arguments
from ._link import PIECE, naming
from ._threads import Threads
from ._users import Users, UsersLike

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._schema import Schema

LOG = logging.getLogger("thriftlens.server")
HEADED = ("header", "ttheader", "ttheader_framed", "http")  # transports that have a place for headers
WITH_USERS = ("auto", "sasl", "http")
_LARGE = 4096  # bytes of a reply from which on it goes out by itself
_LINGER = 2.0  # seconds for a client to take the answer that its connection ends with


BOUNDS: Bounds = {"connections": Whole(1, 1 << 30), **SESSION, "idle": Seconds(), "request_time": Seconds()}


class Limits(NamedTuple):
    """What a server bears: serve's `limits`, any of these by name."""

    connections: int = 10_000
    """More are closed as they come."""
    calls: int = 64
    """In flight on one connection; while there are so many nothing more is read from it."""
    frame_size: int = 16 << 20
    """Bytes of one message."""
    header_size: int = 64 << 10
    """Bytes of the headers of one message."""
    depth: int = 64
    idle: float = 600.0
    """Seconds after which a connection is closed that has neither sent a whole call nor taken its reply."""
    request_time: float = 300.0
    """Seconds for one call; then the client gets an internal error, and a coroutine is cancelled."""


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


class _Shared(NamedTuple):
    """What the connections of a server have in common."""

    router: Router
    transport: Any
    protocol: Any
    limits: Limits
    pool: Optional[Threads]
    users: Optional[Users]
    connections: set[Connection]
    buffer: Optional[memoryview]
    """What arrives, for all connections: it is read at once. Not with Windows' loop, which fills buffers by itself."""


class Connection(asyncio.BufferedProtocol):
    """One client. Calls are carried out at the same time, replies go out in the order of the calls."""

    def __init__(self, shared: _Shared, loop: asyncio.AbstractEventLoop):
        self._shared = shared
        self._loop = loop
        self._session: Any = None  # from the first bytes on
        self._calls = shared.limits.calls
        self._user: Optional[str] = None
        self._welcome = b""  # what SASL says to a user that is let in
        self._is_asking = False
        self._stream: Any = None
        self._peer: Any = None
        self._replies: collections.deque[list[Optional[bytes]]] = collections.deque()
        self._running: set[Any] = set()
        self._is_paused = False
        self._is_full = False
        self._is_ending = False
        self._is_parting = False
        self._is_taking = False
        self._buffer = shared.buffer if shared.buffer is not None else memoryview(bytearray(PIECE))
        self._outgoing: list[bytes] = []  # replies that go out together
        self.last = loop.time()

    @property
    def in_flight(self) -> int:
        return len(self._running)

    def connection_made(self, transport: Any) -> None:
        self._stream = transport
        self._peer = transport.get_extra_info("peername")
        if len(self._shared.connections) >= self._shared.limits.connections:
            LOG.warning("a connection of %s was refused: there are %d", self._peer, len(self._shared.connections))
            self._is_ending = True
            transport.abort()
            return
        self._shared.connections.add(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        if self._is_ending:
            return
        try:
            if self._session is None:
                self._session = self._session_for(self._buffer[0])
            self._session.feed(self._buffer[:nbytes])
        except (Error, ImportError) as error:
            self._broken(error)
            return
        self._take()

    def _session_for(self, first: int) -> Any:
        shared = self._shared
        if shared.transport == "http" or (shared.transport == "auto" and ord("A") <= first <= ord("Z")):  # nothing else begins with a capital
            from ._server_http import HttpSession

            self._calls = 1
            return HttpSession(shared.limits, shared.protocol, shared.users is not None)
        return _core.Session(
            "server",
            transport=shared.transport,
            protocol=shared.protocol,
            frame_size=shared.limits.frame_size,
            header_size=shared.limits.header_size,
            depth=shared.limits.depth,
            calls=shared.limits.calls + 1,
        )

    def eof_received(self) -> bool:
        """The client sends no more; it gets the replies to what it has sent."""
        self._is_ending = True
        return bool(self._running)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self._is_ending = True
        self._shared.connections.discard(self)
        for each in self._running:
            each.cancel()

    def pause_writing(self) -> None:
        self._is_full = True
        self._set_reading()

    def resume_writing(self) -> None:
        self._is_full = False
        self.last = self._loop.time()
        self._set_reading()
        self._take()

    def finish(self) -> None:
        """Takes no more calls, and closes when those in flight are answered."""
        self._is_ending = True
        if not self._running and self._stream is not None:
            self._stream.close()

    def abort(self) -> None:
        if self._stream is not None:
            self._stream.abort()

    def sweep(self, now: float) -> None:
        """Closes it where nothing has happened for too long."""
        if now - self.last > self._shared.limits.idle and (self._is_full or not self._running):
            LOG.info("an idle connection of %s was closed", self._peer)
            self.abort()

    def _take(self) -> None:
        """The messages that are there, up to the limit of calls in flight."""
        self._is_taking = True
        try:
            while not self._is_ending and not self._is_held():
                event = self._session.next()
                if event is None:
                    break
                if event.what == "message":
                    self._message(event)
                elif event.what == "ready":
                    self._ask(event.headers, event.transport)
                elif event.transport == "sasl":
                    self._welcome = event.data
                else:
                    self._stream.write(event.data)
        except Error as error:
            self._flush()
            self._broken(error)
            return
        finally:
            self._is_taking = False
        self._flush()
        self._set_reading()

    def _is_held(self) -> bool:
        """Whether nothing more is read for now."""
        return self._is_full or self._is_asking or len(self._running) >= self._calls

    def _set_reading(self) -> None:
        wanted = self._is_held()
        if wanted != self._is_paused and not self._stream.is_closing():
            self._is_paused = wanted
            self._stream.pause_reading() if wanted else self._stream.resume_reading()

    def _broken(self, error: Exception) -> None:
        LOG.info("the connection of %s was closed: %s", self._peer, error)
        last: bytes = getattr(error, "data", b"") or self._welcome
        if last:
            self._part(last)
            return
        self._is_ending = True
        self._stream.abort()

    def _part(self, last: bytes) -> None:
        """Ends it with an answer, which a reset could overtake: what the client still sends is taken and dropped."""
        self._is_ending = self._is_parting = True
        self._stream.write(last)
        if self._stream.can_write_eof():
            self._stream.write_eof()
            self._loop.call_later(_LINGER, self._stream.abort)
        else:
            self._stream.close()

    def _ask(self, told: Mapping[str, str], transport: str) -> None:
        """A user that SASL or HTTP has told is let in, or the connection ends."""
        self._is_asking = True
        task = self._loop.create_task(self._let_in(told["user"], told["password"], transport))
        self._running.add(task)
        task.add_done_callback(self._done)

    async def _let_in(self, user: str, password: str, transport: str) -> None:
        users, welcome = self._shared.users, self._welcome
        self._welcome = b""
        is_known = users is not None and await users.knows(user, password, self._shared.pool)
        self._is_asking = False
        if self._stream.is_closing():
            return
        if not is_known:
            LOG.warning("user %r of %s was not let in: %s", user, self._peer, "wrong user or password" if users else "the server has no users")
            self._part(_sasl_refusal(users) if transport == "sasl" else self._session.unauthorized().data)
            return
        self._user = user
        if transport == "sasl":
            self._stream.write(welcome)
        else:
            self._session.admit()

    def _message(self, event: Any) -> None:
        self.last = self._loop.time()
        if event.kind not in ("call", "oneway"):
            raise DecodeError(f"a {event.kind} came where calls come", code="invalid_message_type", offset=event.offset)
        slot: Optional[list[Optional[bytes]]] = None
        if event.kind == "call":
            slot = [None]
            self._replies.append(slot)
        if self._user is None and self._shared.users is not None:
            raise DecodeError(f"a call over {event.transport} came where users are asked for: SASL or HTTP", code="refused", offset=event.offset)
        handling = self._shared.router.find(event.name)
        if handling is None:
            text = f"no function {event.name!r}"
            self._reply(event, slot, refusal(ApplicationError(text, code="unknown_method"), protocol_of(event)), None)
            return
        context = Context(handling.function, event.name, self._peer, event.headers, protocol_of(event), event.transport, event.sequence_id, user=self._user)
        try:
            arguments = handling.arguments(event)
        except DecodeError as error:
            self._reply(event, slot, refusal_of_arguments(error, event.name, protocol_of(event)), None)
            return
        if handling.is_async or (self._shared.pool is not None and not handling.is_short):
            task = self._loop.create_task(self._run(handling, arguments, context, event, slot))
            self._running.add(task)
            task.add_done_callback(self._done)
            return
        self._call_now(handling, arguments, context, event, slot)

    def _call_now(self, handling: Any, arguments: Any, context: Context, event: Any, slot: Any) -> None:
        """A plain function in the loop."""
        try:
            answer = handling.answer(handling.call(arguments, context), protocol_of(event))
        except Exception as error:
            answer = handling.failed(error, protocol_of(event))
        self._reply(event, slot, answer, context.reply_headers)

    async def _run(self, handling: Any, arguments: Any, context: Context, event: Any, slot: Any) -> None:
        try:
            result = await asyncio.wait_for(self._result(handling, arguments, context), self._shared.limits.request_time)
            answer = handling.answer(result, protocol_of(event))
        except asyncio.TimeoutError:
            LOG.error("%s took longer than %s s", event.name, self._shared.limits.request_time)
            answer = refusal(ApplicationError(f"{event.name} took too long"), protocol_of(event))
        except Exception as error:
            answer = handling.failed(error, protocol_of(event))
        self._reply(event, slot, answer, context.reply_headers)

    async def _result(self, handling: Any, arguments: Any, context: Context) -> Any:
        if handling.is_async:
            return await handling.call(arguments, context)
        result = await self._loop.run_in_executor(self._shared.pool, handling.call, arguments, context)
        return await result if hasattr(result, "__await__") else result

    def _done(self, task: Any) -> None:
        self._running.discard(task)
        self.last = self._loop.time()
        if self._stream.is_closing():
            return
        if not self._is_ending:
            self._take()
        elif not self._running and not self._is_parting:
            self._stream.close()

    def _reply(self, event: Any, slot: Optional[list[Optional[bytes]]], answer: Answer, headers: Optional[Mapping[str, str]]) -> None:
        if slot is None and answer.kind == "exception":
            LOG.warning("the oneway call %s was not carried out", event.name)
        if self._stream.is_closing():
            return
        if slot is None:
            if event.transport == "http":
                self._write_last(self._session.accepted())
            return
        try:
            slot[0] = self._session.reply(event, answer.kind, answer.data, headers=headers if headers and event.transport in HEADED else None)
        except Error as error:
            self._broken(error)
            return
        replies = self._replies
        while replies and (ready := replies[0][0]) is not None:
            self._outgoing.append(ready)
            replies.popleft()
        if event.transport == "http":
            self._write_last(b"")
        elif not self._is_taking or len(answer.data) > _LARGE or len(self._outgoing) > 64:
            self._flush()

    def _flush(self) -> None:
        """One write for the replies to the calls that came together."""
        if self._outgoing and not self._stream.is_closing():
            self._stream.write(b"".join(self._outgoing))
        self._outgoing.clear()

    def _write_last(self, data: bytes) -> None:
        """HTTP says itself when a connection ends."""
        self._outgoing.append(data)
        self._flush()
        if self._session.is_over:
            self._is_ending = True
            if not self._running:
                self._stream.close()


def _sasl_refusal(users: Optional[Users]) -> bytes:
    """Status "bad", and why."""
    words = b"wrong user or password" if users else b"this server has no users"
    return b"\x03" + len(words).to_bytes(4, "big") + words


class Server:
    """A server that runs; made by aio.serve, and by serve(…, background=True)."""

    def __init__(self, shared: _Shared, listening: Any, address: str):
        self._shared = shared
        self._listening = listening
        self._address = address
        self._loop = asyncio.get_running_loop()
        self._sweeper = self._loop.call_later(self._period(), self._sweep)
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
        if self._address.startswith("unix:"):
            with contextlib.suppress(OSError):
                os.unlink(self._address[len("unix:") :])
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
    await asyncio.gather(*others, return_exceptions=True)


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
    router = Router(_services(idl, service, handler), arguments == "view")
    held = _limits({} if limits is None else limits)
    if transport == "http":
        from . import _server_http  # noqa: F401 - says at once what is missing
    pool = Threads(threads, "thriftlens handler") if threads else None
    shared = _Shared(router, transport, protocol, held, pool, None if users is None else Users(users), set(), None if sys.platform == "win32" else memoryview(bytearray(PIECE)))
    make = lambda: Connection(shared, loop)  # noqa: E731
    if unix is not None:
        with naming(unix):
            listening: Any = await loop.create_unix_server(make, unix, ssl=tls, backlog=1024)
        return Server(shared, listening, f"unix:{unix}")
    with naming(host):
        listening = await loop.create_server(make, host, port, ssl=tls, backlog=1024)
    name, number = listening.sockets[0].getsockname()[:2]
    place = f"[{name}]:{number}" if ":" in name else f"{name}:{number}"
    return Server(shared, listening, f"http://{place}/" if transport == "http" else place)


def _limits(given: Mapping[str, Any]) -> Limits:
    check_limits(given, BOUNDS)
    return Limits(**given)


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
    raise: exceptions that the IDL declares (`idl.exceptions`), ApplicationError; of anything else the client sees "internal error".
    host, port, unix: where to listen; port 0 is one of the system's choice. tls: an ssl.SSLContext.
    transport, protocol: "auto" tells by the first bytes of each connection. HTTP needs `pip install "thriftlens[http]"`.
    users: who is let in, over SASL PLAIN and HTTP Basic: a dict of passwords by user, or a function of (user, password), which may be a
    coroutine. With it, connections that have no user are closed; without it SASL is refused.
    arguments: "dict", or "view": nothing is decoded before it is asked for.
    threads: plain functions run in so many; 0: in the event loop, where they must not wait.
    limits: of connections, calls, frame_size, header_size, depth, idle, request_time; see Limits.
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
    with _until_first_signal(asyncio.get_running_loop(), stop):
        if ready is not None:
            ready(server)
        closing = asyncio.ensure_future(server.wait_closed())
        stopping = asyncio.ensure_future(stop.wait())
        await asyncio.wait([closing, stopping], return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
    await server.close(drain)


@contextlib.contextmanager
def _until_first_signal(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> Iterator[None]:
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
