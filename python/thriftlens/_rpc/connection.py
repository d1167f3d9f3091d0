"""One client of a server: its calls in, their replies out."""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import contextlib
import logging
import select
import ssl
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Mapping, NamedTuple, Optional

from .. import _core
from .budget import Account, Budget
from .._errors import ApplicationError, DecodeError, Error
from .handlers import LARGE_CALL, Answer, Context, Router, protocol_of, refusal, refusal_of_arguments, shown, unknown_method
from .link import PIECE
from .options import HEADER_TRANSPORTS
from .log import logger
from .threads import Threads
from .users import Users

LOG = logger("thriftlens.server")
HTTP_VERBS = (b"GET ", b"POST ", b"PUT ", b"HEAD ", b"DELETE ", b"OPTIONS ", b"PATCH ", b"CONNECT ", b"TRACE ", b"PRI ")
_LARGE = 4096  # bytes of a reply from which on it goes out by itself
_CALL_COST = 2048  # bytes that a call takes besides its message
_HEADER_COST = 64
_LINGER = 2.0  # seconds for a client to take the answer that its connection ends with


class Limits(NamedTuple):
    """What a server bears: serve's `limits`, any of these by name."""

    connections: int = 10_000
    """More are closed as they come; a connection counts from before its TLS handshake."""
    calls: int = 64
    """In flight on one connection; while there are so many nothing more is read from it."""
    frame_size: int = 16 << 20
    """Bytes of one message."""
    header_size: int = 64 << 10
    """Bytes of the headers of one message, and of those of THeader that persist."""
    depth: int = 64
    idle: float = 600.0
    """Seconds after which a connection is closed that has neither sent a whole call nor taken its reply."""
    request_time: float = 300.0
    """Seconds for one call; then the client gets an internal error, and a coroutine is cancelled."""
    in_flight: int = 256 << 20
    """Bytes that all connections together may hold: messages that arrive, calls in flight, decoded arguments, and replies that are
    not sent. Above it a connection gets an equal share: it waits, or is closed where only its client could end the waiting."""
    arguments: int = 256 << 20
    """Bytes of memory that the decoded arguments of one call may take."""


@dataclass
class Shared:
    """What the connections of a server have in common."""

    router: Router
    transport: Any
    protocol: Any
    limits: Limits
    tls: Optional[ssl.SSLContext]
    users: Optional[Users]
    pool: Optional[Threads]
    decoders: Threads
    """Decode large arguments for coroutines."""
    buffer: Optional[memoryview]
    """What arrives, for all connections: it is read at once. Not with Windows' loop, which fills buffers by itself."""
    connections: set[Connection]
    budget: Budget
    is_interrupted: bool = False
    """A second signal came: KeyboardInterrupt is none of a handler's."""


@dataclass
class _Call:
    event: Any
    handling: Any
    context: Context
    is_answered: bool
    """Whether the client gets a reply: no oneway call."""
    cost: int
    reply: Optional[bytes] = None
    is_dropped: bool = False


class _Room:
    """Bytes that are reserved for decoded arguments: as many as there may be, then as many as there are."""

    def __init__(self, budget: Budget, account: Account, size: int):
        self._budget = budget
        self._account = account
        self._size = size

    def shrink(self, size: int) -> None:
        if size < self._size:
            self._budget.release_reserved(self._account, self._size - size)
            self._size = size


class Connection(asyncio.BufferedProtocol):
    """One client. Calls are carried out at the same time, replies go out in the order of the calls."""

    def __init__(self, shared: Shared, loop: asyncio.AbstractEventLoop):
        self._shared = shared
        self._loop = loop
        self._account = Account()
        self._session: Any = None  # from the first bytes on
        self._is_http = False
        self._user: Optional[str] = None
        self._welcome = b""  # what SASL says to a user that is let in
        self._is_asking = False
        self._stream: Any = None
        self._peer: Any = None
        self._replies: collections.deque[_Call] = collections.deque()
        self._running: set[Any] = set()
        self._is_paused = False
        self._is_full = False
        self._is_ending = False
        self._is_parting = False
        self._is_taking = False
        self._is_lost = False
        self._was_understood = False
        self._buffer = shared.buffer if shared.buffer is not None else memoryview(bytearray(PIECE))
        self._outgoing: list[bytes] = []  # replies that go out together
        self.last = loop.time()

    @property
    def in_flight(self) -> int:
        return len(self._running)

    # ---- the stream

    def connection_made(self, transport: Any) -> None:
        self._stream = transport
        self._peer = transport.get_extra_info("peername")
        shared = self._shared
        if self not in shared.connections and len(shared.connections) >= shared.limits.connections:
            LOG.warning("a connection of %s was refused: there are %d", self._peer, len(shared.connections))
            self._is_ending = True
            transport.abort()
            return
        shared.connections.add(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        if self._is_ending:
            return
        data = self._buffer[:nbytes]
        try:
            if self._session is None:
                self._session = self._session_for(bytes(data[:8]))
            self._session.feed(data)
        except (Error, ImportError) as error:
            self._broken(error)
            return
        self._take()

    def _session_for(self, first: bytes) -> Any:
        shared = self._shared
        is_http = any(first.startswith(verb[: len(first)]) for verb in HTTP_VERBS)
        if shared.transport == "http" or (shared.transport == "auto" and is_http):
            from .server_http import HttpSession

            self._is_http = True
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
        """Calls that have not begun are dropped, with their bytes."""
        self._is_ending = self._is_lost = True
        self._shared.connections.discard(self)
        for each in self._running:
            each.cancel()
        for call in self._replies:
            if call.reply is not None:
                self._shared.budget.release(self._account, len(call.reply))
        self._replies.clear()
        self._outgoing.clear()
        self._session = None
        self._shared.budget.forget(self._account)

    def pause_writing(self) -> None:
        self._is_full = True
        self._set_reading()

    def resume_writing(self) -> None:
        self._is_full = False
        self.last = self._loop.time()
        self._count_unsent()
        self._resume()

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

    def drop_if_reset(self) -> None:
        """A stream that is not read from does not say that its client has reset it."""
        stream = self._stream.get_extra_info("socket") if self._is_paused and not self._is_lost else None
        if stream is None or not hasattr(select, "poll"):
            return
        poll = select.poll()
        with contextlib.suppress(OSError, ValueError):
            poll.register(stream.fileno(), 0)  # errors are always told
            if poll.poll(0):
                self.abort()

    # ---- what arrives

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
        if self._session is not None and not self._shared.budget.set_arriving(self._account, self._session.held):
            self._overflow("half a message")

    def _resume(self) -> None:
        if not self._is_ending and self._session is not None:
            self._take()

    def _is_held(self) -> bool:
        """Whether nothing more is read for now."""
        is_waiting = self._is_full or self._is_asking or len(self._running) >= self._shared.limits.calls
        if is_waiting or (self._is_http and self._replies):
            return True
        budget = self._shared.budget
        if budget.fits(self._account, 1):
            return False
        budget.pause(self._account, self._resume)
        return True

    def _set_reading(self) -> None:
        wanted = self._is_held()
        if wanted != self._is_paused and not self._stream.is_closing():
            self._is_paused = wanted
            self._stream.pause_reading() if wanted else self._stream.resume_reading()

    def _overflow(self, what: str) -> None:
        LOG.warning("the connection of %s was closed: too many bytes of %s in all connections (limits['in_flight'])", self._peer, what)
        self._is_ending = True
        self._stream.abort()

    def _broken(self, error: Exception) -> None:
        LOG.log(logging.INFO if self._was_understood else logging.WARNING, "the connection of %s was closed: %s", self._peer, error)
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

    # ---- users

    def _ask(self, told: Mapping[str, str], transport: str) -> None:
        """A user that SASL or HTTP has told is let in, or the connection ends."""
        self._is_asking = True
        self._start(self._let_in(told["user"], told["password"], transport))

    async def _let_in(self, user: str, password: str, transport: str) -> None:
        users, welcome = self._shared.users, self._welcome
        self._welcome = b""
        try:
            is_known = users is not None and await users.knows(user, password, self._shared.pool)
        except asyncio.CancelledError:
            if self._is_lost:
                raise
            is_known = False  # the check has raised it itself
        self._is_asking = False
        if self._stream.is_closing():
            return
        if not is_known:
            LOG.warning("user %s of %s was not let in: %s", shown(user), self._peer, "wrong user or password" if users else "the server has no users")
            self._part(_sasl_refusal(users) if transport == "sasl" else self._session.unauthorized().data)
            return
        self._user = user
        if transport == "sasl":
            self._stream.write(welcome)
        else:
            self._session.admit()

    # ---- calls

    def _message(self, event: Any) -> None:
        self.last = self._loop.time()
        self._was_understood = True
        if event.kind not in ("call", "oneway"):
            raise DecodeError(f"a {event.kind} came where calls come", code="invalid_message_type", offset=event.offset)
        if self._user is None and self._shared.users is not None:
            raise DecodeError(f"a call over {event.transport} came where users are asked for: SASL or HTTP", code="refused", offset=event.offset)
        router = self._shared.router
        name = router.named(event)
        handling = router.find(name)
        is_oneway = router.is_oneway(name, event.kind)
        function = None if handling is None else handling.function
        context = Context(function, name, self._peer, event.headers, protocol_of(event), event.transport, event.sequence_id, user=self._user)
        headers = sum(map(len, event.headers.values())) + _HEADER_COST * len(event.headers) if event.headers else 0
        call = _Call(event, handling, context, not is_oneway, len(event.data) + headers + _CALL_COST)
        self._shared.budget.hold(self._account, call.cost)
        if not is_oneway:
            self._replies.append(call)
        elif self._is_http:
            self._write_last(self._session.accepted())
        else:
            self._session.skip_reply(event)
        if handling is None:
            self._answer(call, unknown_method(name, context.protocol))
        elif handling.is_async or (self._shared.pool is not None and not handling.is_short):
            self._start(self._run(call))
        else:
            self._answer(call, handling.carry_out(event, context))

    def _start(self, work: Any) -> None:
        task = self._loop.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: Any) -> None:
        self._running.discard(task)
        self.last = self._loop.time()
        if not task.cancelled() and task.exception() is not None:
            LOG.error("the connection of %s was closed: the server failed", self._peer, exc_info=task.exception())
            self.abort()
        if self._stream.is_closing() or self._is_lost:
            return
        if not self._is_ending:
            self._resume()
        elif not self._running and not self._is_parting:
            self._stream.close()

    async def _run(self, call: _Call) -> None:
        """In a thread, or as a coroutine."""
        limits, budget = self._shared.limits, self._shared.budget
        work = self._loop.create_task(self._carry_out(call))
        try:
            await asyncio.wait({work}, timeout=limits.request_time)
            if work.done():
                answer = work.result()
            else:
                LOG.error("%s took longer than %s s", call.context.name, limits.request_time)
                answer = refusal(ApplicationError(f"{call.context.name} took too long"), call.context.protocol)
        except asyncio.CancelledError:
            budget.release(self._account, call.cost)
            raise
        finally:
            if not work.done():
                call.is_dropped = True
                work.cancel()
        self._answer(call, answer)

    async def _carry_out(self, call: _Call) -> Answer:
        """Decodes the arguments where they stop nobody, calls the handler, encodes its result."""
        event, handling, budget = call.event, call.handling, self._shared.budget
        room = _Room(budget, self._account, await budget.reserve(self._account, handling.cost(event)))
        is_large = len(event.data) >= LARGE_CALL
        job: Optional[concurrent.futures.Future[Any]] = None
        try:
            if not handling.is_async:
                assert self._shared.pool is not None
                told = (lambda size: self._soon(room.shrink, size),) if is_large else ()
                job = self._shared.pool.submit(handling.carry_out, event, call.context, *told)
                outcome = await asyncio.wrap_future(job)
                return outcome if isinstance(outcome, Answer) else await self._awaited(call, lambda: outcome)
            if is_large:
                job = self._shared.decoders.submit(handling.arguments, event)
                arguments, size = await asyncio.wrap_future(job)
                room.shrink(size)
            else:
                arguments, _ = handling.arguments(event)
            return await self._awaited(call, lambda: handling.call(arguments, call.context))
        except DecodeError as error:
            return refusal_of_arguments(error, event.name, call.context.protocol)
        finally:
            if job is None or job.done() or job.cancel():
                room.shrink(0)
            else:  # a thread still has the arguments
                job.add_done_callback(lambda _: self._soon(room.shrink, 0))

    def _soon(self, call: Callable[..., None], *values: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(call, *values)

    async def _awaited(self, call: _Call, begin: Callable[[], Awaitable[Any]]) -> Answer:
        """What becomes of a coroutine. Whatever it raises is an answer, unless the server itself has cancelled it."""
        try:
            return call.handling.answer(await begin(), call.context.protocol)  # type: ignore[no-any-return]
        except asyncio.CancelledError as error:
            if call.is_dropped or self._is_lost:
                raise
            return call.handling.failed(error, call.context.protocol)  # type: ignore[no-any-return]
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and self._shared.is_interrupted:
                raise
            return call.handling.failed(error, call.context.protocol)  # type: ignore[no-any-return]

    # ---- replies

    def _answer(self, call: _Call, answer: Answer) -> None:
        budget = self._shared.budget
        budget.release(self._account, call.cost)
        if not call.is_answered and answer.kind == "exception":
            LOG.warning("the oneway call %s was not carried out", shown(call.context.name))
        if not call.is_answered or self._is_lost or self._stream.is_closing():
            return
        call.reply = self._encoded(call, answer)
        budget.hold(self._account, len(call.reply))
        replies = self._replies
        while replies and (ready := replies[0].reply) is not None:
            budget.release(self._account, len(ready))
            self._outgoing.append(ready)
            replies.popleft()
        if self._is_http:
            self._write_last(b"")
        elif not self._is_taking or len(answer.data) > _LARGE or len(self._outgoing) > 64:
            self._flush()

    def _encoded(self, call: _Call, answer: Answer) -> bytes:
        """The reply; an internal error where the handler's headers are none."""
        headers = call.context.reply_headers if call.event.transport in HEADER_TRANSPORTS else None
        try:
            return self._session.reply(call.event, answer.kind, answer.data, headers=headers or None)  # type: ignore[no-any-return]
        except Exception:
            LOG.exception("the reply to %s cannot be sent", shown(call.context.name))
            internal = refusal(ApplicationError(f"internal error in {call.context.name}"), call.context.protocol)
            return self._session.reply(call.event, internal.kind, internal.data)  # type: ignore[no-any-return]

    def _flush(self) -> None:
        """One write for the replies to the calls that came together."""
        if self._outgoing and not self._stream.is_closing():
            self._stream.write(b"".join(self._outgoing))
            self._count_unsent()
        self._outgoing.clear()

    def _count_unsent(self) -> None:
        if not self._is_lost and not self._shared.budget.set_unsent(self._account, self._stream.get_write_buffer_size()):
            self._overflow("replies that are not taken")

    def _write_last(self, data: bytes) -> None:
        """HTTP says itself when a connection ends."""
        self._outgoing.append(data)
        self._flush()
        if self._session is not None and self._session.is_over:
            self._is_ending = True
            if not self._running:
                self._stream.close()


def _sasl_refusal(users: Optional[Users]) -> bytes:
    """Status "bad", and why."""
    words = b"wrong user or password" if users else b"this server has no users"
    return b"\x03" + len(words).to_bytes(4, "big") + words
