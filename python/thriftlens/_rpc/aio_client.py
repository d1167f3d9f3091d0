"""tl.aio.connect: the client for asyncio."""

from __future__ import annotations

import asyncio
import contextvars
import copy
import inspect
import time
from operator import attrgetter
from time import monotonic
from typing import (
    TYPE_CHECKING,
    Any,
    Awaitable,
    Callable,
    Generator,
    Literal,
    Mapping,
    Optional,
    Union,
)

from .._errors import CallState, Error
from . import fork as _fork
from .calls import BaseClient, CallOptions, ClientOptions, Prepared, Selection
from .client import ConnectOptions, call_options, checked_arguments, deadline_of
from .http_transport import HttpLink
from .link import (
    PIECE,
    Request,
    Target,
    Timeouts,
    Unsent,
    abandoned_of,
    closed_of,
    fault_of,
    interrupted_of,
    negotiation_fault,
    next_buffer,
    not_sent,
    remaining,
    set_call_state,
    timeout_of,
    unanswered,
)  # fmt: skip
from .options import Result
from .probe import detect_wire_format

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._schema.schemas import Schema
    from .._schema.services import Service


class Reply:
    """A future whose waiting task is resumed inside set_event, not in the next iteration of the
    loop.

    The iteration would be a large part of the time of a call. Exceptions and cancellation use it.
    """

    __slots__ = ("_asyncio_future_blocking", "_loop", "_event", "_error", "_is_over", "_callback")

    def __init__(self, loop: asyncio.AbstractEventLoop):
        self._asyncio_future_blocking = False  # required by asyncio.Task
        self._loop = loop
        self._event: Any = None
        self._error: Optional[BaseException] = None
        self._is_over = False
        self._callback: Optional[tuple[Callable[[Any], Any], Any]] = None  # of the waiting task

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def done(self) -> bool:
        return self._is_over

    def result(self) -> Any:
        """The event. Raises the error of the call."""
        if self._error is not None:
            raise self._error
        return self._event

    def set_event(self, event: Any) -> None:
        """Resumes the task immediately unless another one is running: a loop runs one task at a
        time.
        """
        self._event = event
        self._is_over = True
        if self._callback is not None and asyncio.current_task(self._loop) is None:
            (call, context), self._callback = self._callback, None
            context.run(call, self)
        else:
            self._call_soon()

    def set_exception(self, error: BaseException) -> None:
        self._error = error
        self._is_over = True
        self._call_soon()

    def cancel(self, msg: Any = None) -> bool:
        if self._is_over:
            return False
        self.set_exception(asyncio.CancelledError() if msg is None else asyncio.CancelledError(msg))
        return True

    def add_done_callback(self, call: Callable[[Any], Any], *, context: Any = None) -> None:
        self._callback = (call, context or contextvars.copy_context())
        if self._is_over:
            self._call_soon()

    def remove_done_callback(self, call: Callable[[Any], Any]) -> int:
        if self._callback is None or self._callback[0] != call:
            return 0
        self._callback = None
        return 1

    def __await__(self) -> Generator[Any, None, Any]:
        if not self._is_over:
            self._asyncio_future_blocking = True
            yield self
        return self.result()

    def _call_soon(self) -> None:
        if self._callback is not None:
            (call, context), self._callback = self._callback, None
            self._loop.call_soon(call, self, context=context)


class StreamLink(asyncio.BufferedProtocol):
    """A stream connection with any number of calls in flight.

    An error closes it and is raised by all of them.
    """

    def __init__(self, target: Target, loop: asyncio.AbstractEventLoop):
        self.target = target
        self.fault: Optional[Error] = None
        self._loop = loop
        self._session = target.session()
        self._stream: Any = None
        self._waiting: dict[int, tuple[Reply, Optional[float], str]] = {}
        self._timer: Optional[asyncio.TimerHandle] = None
        self._timer_at = 0.0
        self._ready: asyncio.Future[None] = loop.create_future()
        self._writable: Optional[asyncio.Future[None]] = None
        self._unsent: list[
            bytes
        ] = []  # calls for the next write, at the end of this iteration of the loop
        self._unsent_size = 0
        self._buffer = memoryview(
            bytearray(PIECE)
        )  # reused: asyncio would allocate a large one per read
        _fork.register(self)

    @classmethod
    async def open(cls, target: Target, deadline: Optional[float]) -> StreamLink:
        """A connection that is ready for calls.

        Raises TransportError, or the error of the negotiation.
        """
        loop = asyncio.get_running_loop()
        address = target.address
        create = lambda: cls(target, loop)  # noqa: E731
        name = address.host if target.tls is not None else None
        link: Optional[StreamLink] = None
        try:
            if address.kind == "unix":
                opening: Any = loop.create_unix_connection(
                    create, address.path, ssl=target.tls, server_hostname=name
                )
            else:
                opening = loop.create_connection(
                    create, address.host, address.port, ssl=target.tls, server_hostname=name
                )
            _, link = await asyncio.wait_for(opening, remaining(deadline))
            assert link is not None
            await asyncio.wait_for(asyncio.shield(link._ready), remaining(deadline))
            return link
        except (asyncio.TimeoutError, *Timeouts):
            error: Error = timeout_of(address, "no connection in time")
        except OSError as os_error:
            error = fault_of(os_error, address)
        if link is not None:
            link._end(error)
        raise error

    @property
    def in_flight(self) -> int:
        return len(self._waiting)

    @property
    def was_answered(self) -> bool:
        return bool(self._session.fed)

    def is_stale(self) -> bool:
        return self.fault is not None

    def close(self) -> None:
        """Closes the connection. Calls in flight raise TransportError."""
        self._flush()
        self._end(closed_of(self.target.address, "the client was closed"))

    def abandon(self) -> None:
        """In a child process: the event loop is left alone, it may share its selector with the
        parent.
        """
        if self.fault is None:
            self.fault = abandoned_of(self.target.address)
            if self._stream is not None:
                _fork.sever(self._stream.get_extra_info("socket").fileno())
            self._fail_waiting(self.fault)

    @property
    def is_free(self) -> bool:
        """Whether a call can be sent immediately."""
        return self.fault is None and self._writable is None

    def send(self, request: tuple[str, bytes, bool, Any, Any, Optional[float]]) -> Optional[Reply]:
        """Returns an awaitable of the reply's event; None for a oneway call. Raises Unsent.

        An exception such as KeyboardInterrupt may leave a partial call on the stream: it closes the
        connection.
        """
        if self.fault is not None:
            raise Unsent(self.fault)
        try:
            return self._send(*request)
        except (Error, TypeError):  # the call is invalid
            raise
        except BaseException as error:
            self._end(interrupted_of(self.target.address, error))
            raise

    def _send(
        self,
        name: str,
        data: bytes,
        oneway: bool,
        headers: Any,
        select: Any,
        deadline: Optional[float],
    ) -> Optional[Reply]:
        if oneway or headers or select:
            sequence_id, data = self._session.call(
                name, data, oneway=oneway, headers=headers, select=select
            )
        else:
            sequence_id, data = self._session.call(name, data)
        if self._waiting and len(data) < PIECE:
            self._send_joined(data)
        else:
            self._flush()
            self._stream.write(data)
        if oneway:
            return None
        reply = Reply(self._loop)
        self._waiting[sequence_id] = (reply, deadline, name)
        if deadline is not None and (self._timer is None or deadline < self._timer_at):
            self._start_timer(deadline)
        return reply

    async def call(self, request: Request) -> Any:
        """The event of the reply; None for a oneway call.

        Raises Unsent, TransportError, DecodeError.
        """
        while self._writable is not None and self.fault is None:
            await self._until_writable(request)
        reply = self.send(request)
        if reply is None:
            return None
        try:
            return await reply
        except asyncio.CancelledError:
            self.abandon_call(reply)
            raise
        except Error as error:
            raise set_call_state(error, "sent")

    def _send_joined(self, data: bytes) -> None:
        """Joins the calls of this iteration of the loop into one write."""
        if not self._unsent:
            self._loop.call_soon(self._flush)
        self._unsent.append(data)
        self._unsent_size += len(data)
        if self._unsent_size > PIECE:
            self._flush()

    def _flush(self) -> None:
        if not self._unsent or self.fault is not None:
            return
        data = b"".join(self._unsent)
        self._unsent.clear()
        self._unsent_size = 0
        try:
            self._stream.write(data)
        except BaseException as error:
            self._end(interrupted_of(self.target.address, error))
            raise

    async def _until_writable(self, request: Request) -> None:
        assert self._writable is not None
        try:
            await asyncio.wait_for(asyncio.shield(self._writable), remaining(request.deadline))
        except (asyncio.TimeoutError, *Timeouts):
            raise timeout_of(
                self.target.address, f"{request.name} could not be sent in time"
            ) from None

    def connection_made(self, transport: Any) -> None:
        self._stream = transport
        greeting = self._session.start()
        if greeting:
            transport.write(greeting)
        if self.target.transport != "sasl":
            self._ready.set_result(None)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        session = self._session
        try:
            session.lend(self._buffer[:nbytes])
            self._buffer = next_buffer(self._buffer, nbytes)
            while (event := session.next()) is not None:
                if event.what == "message":
                    entry = self._waiting.pop(event.sequence_id, None)
                    if entry is not None and not entry[0].done():
                        entry[0].set_event(event)
                        if self.fault is not None:  # closed by the resumed task
                            return
                elif event.what == "send":
                    self._stream.write(event.data)
                elif not self._ready.done():
                    self._ready.set_result(None)
        except Error as error:
            self._end(error)
        except BaseException as error:  # raised by the resumed task: the rest of the data is lost
            self._end(interrupted_of(self.target.address, error))
            raise

    def eof_received(self) -> None:
        try:
            self._session.finish()
        except Error as error:
            self._end(
                closed_of(
                    self.target.address,
                    f"the server closed the connection inside a message ({error})",
                )
            )

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self._end(
            unanswered(self.target, self._session)
            if exc is None
            else fault_of(exc, self.target.address)
        )

    def pause_writing(self) -> None:
        self._writable = self._loop.create_future()

    def resume_writing(self) -> None:
        if self._writable is not None and not self._writable.done():
            self._writable.set_result(None)
        self._writable = None

    def _end(self, error: Error) -> None:
        if self.fault is not None:
            return
        self.fault = error
        self._fail_waiting(error)
        if not self._ready.done():
            self._ready.set_exception(negotiation_fault(error, self.target.address))
            self._ready.exception()  # marks it as retrieved: open() may have been cancelled
        self.resume_writing()
        if self._timer is not None:
            self._timer.cancel()
        if self._stream is not None:
            self._stream.abort()

    def _fail_waiting(self, error: Error) -> None:
        waiting, self._waiting = self._waiting, {}
        for future, _, _ in waiting.values():
            if not future.done():
                future.set_exception(copy.copy(error))

    def abandon_call(self, reply: Reply) -> None:
        """Removes a cancelled call.

        If others are in flight, its reply is ignored; else the connection is closed.
        """
        for sequence_id, (waiting, _, name) in self._waiting.items():
            if waiting is reply:
                self._forget(sequence_id, closed_of(self.target.address, f"{name} was cancelled"))
                return

    def _forget(self, sequence_id: int, error: Error) -> None:
        del self._waiting[sequence_id]
        if self._waiting:
            self._session.cancel(sequence_id)
        else:
            self._end(error)

    def _start_timer(self, deadline: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = deadline
        self._timer = self._loop.call_later(max(0.0, deadline - time.monotonic()), self._expire)

    def _expire(self) -> None:
        """Fails the calls whose deadline has passed."""
        self._timer = None
        current_time = time.monotonic()
        for sequence_id, (future, deadline, name) in list(self._waiting.items()):
            if deadline is not None and deadline <= current_time and sequence_id in self._waiting:
                error = timeout_of(self.target.address, f"no reply to {name} in time")
                if not future.done():
                    future.set_exception(error)
                self._forget(sequence_id, error)
        later = [deadline for _, deadline, _ in self._waiting.values() if deadline is not None]
        if later and self.fault is None:
            self._start_timer(min(later))


class ThreadLink:
    """A connection to an HTTP server: http.client in a thread."""

    def __init__(self, link: HttpLink):
        self._link = link
        self._waits = 0

    @classmethod
    async def open(cls, target: Target, deadline: Optional[float]) -> ThreadLink:
        return cls(
            await asyncio.get_running_loop().run_in_executor(None, HttpLink, target, deadline)
        )

    @property
    def in_flight(self) -> int:
        return self._waits

    @property
    def fault(self) -> Optional[Error]:
        return self._link.fault

    def is_stale(self) -> bool:
        return self._link.is_stale()

    is_free = was_answered = False

    def close(self) -> None:
        self._link.close()

    async def call(self, request: Request) -> Any:
        """The event of the reply. Raises Unsent, TransportError, DecodeError."""
        self._waits += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(None, self._link.call, request)
        except asyncio.CancelledError:
            self._link.close(f"{request.name} was cancelled")
            raise
        finally:
            self._waits -= 1


class AsyncClient(BaseClient):
    """A client of one service in an event loop, created by aio.connect.

    Its methods return awaitables; any number of calls may be in flight.
    """

    def __init__(
        self, service: Service, target: Target, defaults: CallOptions, options: ClientOptions
    ):
        super().__init__(service, target, defaults, options)
        self._opening = asyncio.Lock()
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        _fork.register(self)

    async def _start(self) -> None:
        self._loop = asyncio.get_running_loop()
        deadline = deadline_of(self._options.timeout)
        self._set_wire_format(
            await self._loop.run_in_executor(
                None,
                detect_wire_format,
                self._target,
                self._prefix,
                deadline,
                self._options.headers,
            )
        )
        self._links.append(await self._open(deadline))

    def abandon(self) -> None:
        """In a child process: forgets the connections and the loop of the parent."""
        self._links = []
        self._loop = None
        self._opening = asyncio.Lock()

    def call(
        self,
        name: str,
        arguments: Any = (),
        *,
        select: Optional[Selection] = None,
        result: Optional[Result] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Union[float, None, Literal["client"]] = "client",
    ) -> Awaitable[Any]:
        """Like Client.call; returns an awaitable."""
        with not_sent():
            prepared, options = (
                self._called(name),
                self._options.updated(call_options(select, result, headers, timeout)),
            )
        return self._invoke(prepared, arguments, options)

    async def close(self) -> None:
        """Closes all connections. Pending and later calls raise TransportError."""
        self._is_closed = True
        links, self._links = self._links, []
        for link in links:
            link.close()
        await asyncio.sleep(0)  # the loop closes the sockets

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self.close()

    def __repr__(self) -> str:
        return self._description("aio.AsyncClient")

    async def _invoke(self, prepared: Prepared, arguments: Any, options: CallOptions) -> Any:
        state: CallState = "not_sent"
        try:
            data = prepared.data_of(arguments)
            self._check_loop()
            deadline = None if options.timeout is None else monotonic() + options.timeout
            selection = None if options.select is None else prepared.selection(options.select)
            request = (prepared.name, data, prepared.oneway, options.headers, selection, deadline)
            links = self._links
            if (
                len(links) == 1 and links[0].is_free and (self._pool == 1 or not links[0].in_flight)
            ):  # fast path
                link = links[0]
                reply = link.send(request)
                state = "sent"
                if reply is None:
                    return None
                try:
                    event = await reply
                except asyncio.CancelledError:
                    link.abandon_call(reply)
                    raise
            else:
                event = await self._exchange(Request(*request))
                if event is None:
                    return None
            state = "answered"
            return prepared.outcome(event, options)
        except Error as error:
            raise self._described(error, state)

    def _check_loop(self) -> None:
        """Raises if the client was connected in another event loop."""
        _fork.check_process()
        loop = asyncio.get_running_loop()
        if self._loop is None:  # after a fork
            self._loop = loop
        elif loop is not self._loop:
            raise Error(
                f"the client of {self.address} was connected in another event loop (asyncio.run() creates a new one): connect inside this one",
                code="bad_option",
            )

    async def _exchange(self, request: Request) -> Any:
        """The event of the reply; chooses or opens a connection."""
        while True:
            link, is_new = self._least_busy(), False
            if link is None:
                link, is_new = await self._new_link(request.deadline)
            try:
                return await link.call(request)
            except Unsent as unsent:
                if is_new:
                    raise unsent.error from None

    def _least_busy(self) -> Any:
        """An open connection to use; None: open another one."""
        self._drop_closed()
        link: Any = min(self._links, key=attrgetter("in_flight"), default=None)
        return (
            link
            if link is not None and (not link.in_flight or len(self._links) >= self._pool)
            else None
        )

    async def _new_link(self, deadline: Optional[float]) -> tuple[Any, bool]:
        async with self._opening:
            link = self._least_busy()  # another call may have opened one
            if link is not None:
                return link, False
            link = await self._open(deadline)
            if self._is_closed:
                link.close()
                raise closed_of(self._target.address, "the client was closed")
            self._links.append(link)
            return link, True

    async def _open(self, deadline: Optional[float]) -> Any:
        kind: Any = ThreadLink if self._target.transport == "http" else StreamLink
        return await kind.open(self._target, deadline)


class Connecting:
    """Result of aio.connect:

    `client = await aio.connect(…)`, or `async with aio.connect(…) as client:`.
    """

    def __init__(self, create: Callable[[], AsyncClient]):
        self._create = create
        self._client: Optional[AsyncClient] = None

    def __await__(self) -> Generator[Any, None, AsyncClient]:
        return self._connect().__await__()

    async def __aenter__(self) -> AsyncClient:
        self._client = await self._connect()
        return self._client

    async def __aexit__(self, *error: Any) -> None:
        if self._client is not None:
            await self._client.close()

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"no attribute {name!r} before the connection is awaited: `client = await tl.aio.connect(…)`, or `async with tl.aio.connect(…) as client:`"
        )

    async def _connect(self) -> AsyncClient:
        client = self._create()
        with not_sent():
            await client._start()
        return client


def connect(
    address: str, idl: Schema, service: Optional[str] = None, **options: Unpack[ConnectOptions]
) -> Connecting:
    """Like tl.connect, in a running event loop: await it, or use it in `async with`.

    >>> import asyncio
    >>> import thriftlens as tl
    >>> idl = tl.loads("service Sums { i64 total(1: list<i32> numbers) }")
    >>> async def main():
    ...     async with await tl.aio.serve(idl, "Sums", {"total": sum}) as server:
    ...         async with tl.aio.connect(server.address, idl) as client:
    ...             return await asyncio.gather(client.total([1]), client.total([1, 2]))
    >>> asyncio.run(main())
    [1, 3]
    """
    arguments = checked_arguments(address, idl, service, **options)
    return Connecting(lambda: AsyncClient(*arguments))


connect.__signature__ = inspect.signature(checked_arguments).replace(return_annotation="Connecting")  # type: ignore[attr-defined]
for _public in (AsyncClient, Connecting, connect):
    _public.__module__ = "thriftlens.aio"
