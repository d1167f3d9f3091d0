"""One connection of a server: reads calls, sends replies."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import logging
import select
import ssl
import sys
from dataclasses import InitVar, dataclass
from typing import Any, Callable, Coroutine, Mapping, Optional

from .. import _core
from .._errors import ApplicationError, DecodeError, Error
from .._text import quoted_name
from .budget import Account, Budget
from .execution import Call, Executor
from .handlers import Answer, Context, error_answer, internal_error, protocol_of, unknown_method
from .log import logger
from .options import HEADER_TRANSPORTS, Limits
from .router import Router
from .sockets import PIECE
from .users import Users

LOG = logger("thriftlens.server")
_HTTP_METHODS = tuple(
    f"{method} ".encode()
    for method in "GET POST PUT HEAD DELETE OPTIONS PATCH CONNECT TRACE PRI".split()
)
_LARGE_REPLY = 4096  # bytes of a reply that is not joined with others into one write
_MAX_JOINED = 64  # replies in one write
_CALL_COST = 2048  # bytes that a call holds besides its message
_HEADER_COST = 64
_LINGER = 2.0  # seconds for a client to read the last answer of a connection


@dataclass
class ServerState:
    """State that the connections of a server share."""

    loop: asyncio.AbstractEventLoop
    router: Router
    transport: Any
    protocol: Any
    limits: Limits
    tls: Optional[ssl.SSLContext]
    users: Optional[Users]
    threads: InitVar[int]

    def __post_init__(self, threads: int) -> None:
        self.connections: set[Connection] = set()
        self.lost: set[Connection] = set()  # closed connections with oneway calls in flight
        self.budget = Budget(self.limits.in_flight, lambda: len(self.connections) + len(self.lost))
        self.executor = Executor(self.loop, self.budget, threads)
        # Shared receive buffer; the event loop of Windows fills buffers in the background.
        self.buffer = None if sys.platform == "win32" else memoryview(bytearray(PIECE))

    def all_connections(self) -> list[Connection]:
        return [*self.connections, *self.lost]

    def admit(self, connection: Connection, peer: Any) -> bool:
        """Adds a connection. False: it must be closed, there are too many."""
        if len(self.connections) >= self.limits.connections:
            LOG.warning("a connection of %s was refused: there are %d", peer, len(self.connections))
            return False
        self.connections.add(connection)
        return True


class Connection(asyncio.BufferedProtocol):
    """Calls run concurrently, replies are sent in the order of the calls."""

    def __init__(self, server: ServerState):
        self._server = server
        self._loop = server.loop
        self._account = Account()
        self._session: Any = None  # created by the first bytes
        self._is_http = False
        self._user: Optional[str] = None
        self._sasl_accepted = b""  # SASL message for an accepted user
        self._is_authenticating = False
        self._stream: Any = None
        self._peer: Any = None
        self._replies: collections.deque[Call] = (
            collections.deque()
        )  # calls whose replies are not sent
        self._running: dict[asyncio.Task[None], Optional[Call]] = {}  # None: a check of a user
        self._is_reading_paused = False
        self._is_writing_paused = False
        self._is_ending = False  # no more calls are taken
        self._is_lingering = False  # the last answer is sent
        self._is_taking = False
        self._is_lost = False
        self._has_calls = False
        self._buffer = server.buffer if server.buffer is not None else memoryview(bytearray(PIECE))
        self._outgoing: list[bytes] = []  # replies for the next write
        self._last_activity = self._loop.time()

    # ---- the stream

    def connection_made(self, transport: Any) -> None:
        self._stream = transport
        self._peer = transport.get_extra_info("peername")
        if self not in self._server.connections and not self._server.admit(self, self._peer):
            self._is_ending = True
            transport.abort()

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
            self._fail(error)
            return
        self._take()

    def _session_for(self, front: bytes) -> Any:
        server = self._server
        is_http = any(front.startswith(method[: len(front)]) for method in _HTTP_METHODS)
        if server.transport == "http" or (server.transport == "auto" and is_http):
            from .server_http import HttpSession

            self._is_http = True
            return HttpSession(server.limits, server.protocol, server.users is not None)
        return _core.Session(
            "server",
            transport=server.transport,
            protocol=server.protocol,
            frame_size=server.limits.frame_size,
            header_size=server.limits.header_size,
            depth=server.limits.depth,
            calls=server.limits.calls + 1,
        )

    def eof_received(self) -> bool:
        """The client sends no more; the calls that it has sent are answered."""
        self._is_ending = True
        return bool(self._running)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        """Drops calls that expect a reply. Oneway calls that were received are executed."""
        self._is_lost = True
        self._is_writing_paused = False
        self._is_ending = self._is_ending or self._is_http or self._is_authenticating
        self._server.connections.discard(self)
        self._server.lost.add(self)
        self._cancel(lambda call: call is None or call.expects_reply)
        for call in self._replies:
            if call.reply is not None:
                self._server.budget.release(self._account, len(call.reply))
            elif not self._is_ending:
                self._session.skip_reply(call.event)
        self._replies.clear()
        self._outgoing.clear()
        self._server.budget.forget(self._account)
        self._resume()

    def pause_writing(self) -> None:
        self._is_writing_paused = True
        self._update_reading()

    def resume_writing(self) -> None:
        self._is_writing_paused = False
        self._last_activity = self._loop.time()
        self._count_unsent()
        self._resume()

    def finish(self) -> None:
        """Takes no more calls, and closes when those in flight are answered."""
        self._is_ending = True
        if self._is_lost:
            self._resume()
        elif not self._running and self._stream is not None:
            self._stream.close()

    def cancel(self) -> None:
        """Cancels the calls in flight and closes the connection."""
        self._cancel(lambda call: call is not None)
        self.abort()

    def abort(self) -> None:
        if self._stream is not None:
            self._stream.abort()

    def close_if_idle(self, current_time: float) -> None:
        if current_time - self._last_activity > self._server.limits.idle and (
            self._is_writing_paused or not self._running
        ):
            LOG.info("an idle connection of %s was closed", self._peer)
            self.abort()

    def close_if_reset(self) -> None:
        """The event loop does not report a reset while reading is paused."""
        if self._is_reading_paused and not self._is_lost:
            stream = self._stream.get_extra_info("socket")
        else:
            stream = None
        if stream is None or not hasattr(select, "poll"):
            return
        poll = select.poll()
        with contextlib.suppress(OSError, ValueError):
            poll.register(stream.fileno(), 0)  # errors are always reported
            if poll.poll(0):
                self.abort()

    # ---- reading

    def _take(self) -> None:
        """Takes complete messages, up to the limits."""
        self._is_taking = True
        try:
            while not self._is_ending and not self._must_wait():
                event = self._session.next()
                if event is None:
                    self._is_ending = self._is_ending or self._is_lost
                    break
                if event.what == "message":
                    self._start_call(event)
                elif event.what == "ready":
                    self._is_authenticating = True
                    self._start(self._authenticate(event.headers, event.transport), None)
                elif event.transport == "sasl":
                    self._sasl_accepted = event.data
                else:
                    self._stream.write(event.data)
        except Error as error:
            self._flush()
            self._fail(error)
            return
        finally:
            self._is_taking = False
        self._flush()
        self._update_reading()
        if self._session is not None and not self._server.budget.set_arriving(
            self._account, self._session.held
        ):
            self._overflow("partial messages")

    def _resume(self) -> None:
        if not self._is_ending and self._session is not None:
            self._take()
        if self._is_lost and (self._is_ending or self._session is None):
            self._session = None
            self._server.budget.forget(self._account)
            if not self._running:
                self._server.lost.discard(self)

    def _must_wait(self) -> bool:
        """Whether nothing is taken for now. The budget itself resumes the connection."""
        if (
            self._is_writing_paused
            or self._is_authenticating
            or len(self._running) >= self._server.limits.calls
            or (self._is_http and self._replies)
        ):
            return True
        if self._server.budget.fits(self._account, 1):
            return False
        self._server.budget.pause(self._account, self._resume)
        return True

    def _update_reading(self) -> None:
        must_wait = self._must_wait()
        if must_wait != self._is_reading_paused and not self._stream.is_closing():
            self._is_reading_paused = must_wait
            self._stream.pause_reading() if must_wait else self._stream.resume_reading()

    def _overflow(self, kind: str) -> None:
        LOG.warning(
            "the connection of %s was closed: all connections hold too many bytes of %s "
            "(limits['in_flight'])",
            self._peer,
            kind,
        )
        self._is_ending = True
        self._stream.abort()

    def _fail(self, error: Exception) -> None:
        LOG.log(
            logging.INFO if self._has_calls else logging.WARNING,
            "the connection of %s was closed: %s",
            self._peer,
            error,
        )
        answer: bytes = getattr(error, "data", b"") or self._sasl_accepted
        if answer:
            self._close_after(answer)
            return
        self._is_ending = True
        self._stream.abort()

    def _close_after(self, answer: bytes) -> None:
        """Closes after a last answer.

        Drops further data first: a reset could overtake the answer."""
        self._is_ending = self._is_lingering = True
        self._stream.write(answer)
        if self._stream.can_write_eof():
            self._stream.write_eof()
            self._loop.call_later(_LINGER, self._stream.abort)
        else:
            self._stream.close()

    # ---- users

    async def _authenticate(self, credentials: Mapping[str, str], transport: str) -> None:
        user, users, accepted = credentials["user"], self._server.users, self._sasl_accepted
        self._sasl_accepted = b""
        try:
            is_known = users is not None and await users.knows(
                user, credentials["password"], self._server.executor.pool
            )
        except asyncio.CancelledError:
            if self._is_lost:
                raise
            is_known = False  # raised by the check itself
        self._is_authenticating = False
        if self._stream.is_closing():
            return
        if not is_known:
            reason = "wrong user or password" if users else "the server has no users"
            LOG.warning("user %s of %s was rejected: %s", quoted_name(user), self._peer, reason)
            sasl_error = b"\x03" + len(reason).to_bytes(4, "big") + reason.encode()
            self._close_after(
                sasl_error if transport == "sasl" else self._session.unauthorized().data
            )
            return
        self._user = user
        if transport == "sasl":
            self._stream.write(accepted)
        else:
            self._session.admit()

    # ---- calls

    def _start_call(self, event: Any) -> None:
        self._last_activity = self._loop.time()
        self._has_calls = True
        self._check_call(event)
        call = self._call_of(event)
        if self._is_lost and call.expects_reply:
            self._session.skip_reply(event)
            return
        self._server.budget.hold(self._account, call.cost)
        if call.expects_reply:
            self._replies.append(call)
        elif self._is_http:
            self._write_http(self._session.accepted())
        else:
            self._session.skip_reply(event)
        if call.handler is None:
            self._answer(call, unknown_method(call.context.name, call.context.protocol))
        elif self._server.executor.is_immediate(call.handler):
            self._answer(call, call.handler.run(event, call.context))
        else:
            self._start(self._execute(call), call)

    def _check_call(self, event: Any) -> None:
        """Raises DecodeError for another message than a call, and without a required user."""
        if event.kind not in ("call", "oneway"):
            raise DecodeError(
                f"expected a call, found a message of kind {event.kind}",
                code="invalid_message_type",
                offset=event.offset,
            )
        if self._user is None and self._server.users is not None:
            raise DecodeError(
                f"a call over {event.transport} without a user: use SASL or HTTP",
                code="refused",
                offset=event.offset,
            )

    def _call_of(self, event: Any) -> Call:
        router = self._server.router
        name = router.qualified_name(event)
        handler = router.find(name)
        context = Context(
            None if handler is None else handler.function,
            name,
            self._peer,
            event.headers,
            protocol_of(event),
            event.transport,
            event.sequence_id,
            user=self._user,
        )
        size = len(event.data) + _CALL_COST
        if event.headers:
            size += sum(map(len, event.headers.values())) + _HEADER_COST * len(event.headers)
        expects_reply = not router.is_oneway(name, event.kind)
        return Call(event, handler, context, self._account, size, expects_reply)

    def _start(self, work: Coroutine[Any, Any, None], call: Optional[Call]) -> None:
        task = self._loop.create_task(work)
        self._running[task] = call
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        if not task.cancelled() and task.exception() is not None:
            LOG.error(
                "the connection of %s was closed: the server failed",
                self._peer,
                exc_info=task.exception(),
            )
            self.abort()
        self._continue()

    def _continue(self) -> None:
        """Takes further calls after one has ended, or closes."""
        self._last_activity = self._loop.time()
        if self._is_lost or not (self._is_ending or self._stream.is_closing()):
            self._resume()
        elif not self._running and not self._is_lingering:
            self._stream.close()

    async def _execute(self, call: Call) -> None:
        timer = self._loop.call_later(
            self._server.limits.request_time, self._time_out, asyncio.current_task(), call
        )
        try:
            answer = await self._server.executor.run(call)
        finally:
            timer.cancel()
        if not call.is_cancelled:
            self._answer(call, answer)

    def _time_out(self, task: Any, call: Call) -> None:
        name = call.context.name
        LOG.error("%s took longer than %s s", name, self._server.limits.request_time)
        self._abandon(task)
        self._answer(
            call, error_answer(ApplicationError(f"{name} took too long"), call.context.protocol)
        )
        self._continue()

    def _cancel(self, is_selected: Callable[[Optional[Call]], bool]) -> None:
        for task, call in list(self._running.items()):
            if is_selected(call):
                self._abandon(task)
                if call is not None:
                    self._release(call)

    def _release(self, call: Call) -> None:
        self._server.budget.release(self._account, call.cost)
        call.cost = 0

    def _abandon(self, task: asyncio.Task[None]) -> None:
        """Cancels a task. Nothing waits for it: a handler may ignore its cancellation."""
        call = self._running.pop(task)
        if call is not None:
            call.is_cancelled = True
        task.cancel()

    # ---- replies

    def _answer(self, call: Call, answer: Answer) -> None:
        budget = self._server.budget
        self._release(call)
        if not call.expects_reply and answer.kind == "exception":
            LOG.warning("the oneway call %s failed", quoted_name(call.context.name))
        if not call.expects_reply or self._is_lost or self._stream.is_closing():
            return
        call.reply = self._encode(call, answer)
        budget.hold(self._account, len(call.reply))
        while self._replies and (ready := self._replies[0].reply) is not None:
            budget.release(self._account, len(ready))
            self._outgoing.append(ready)
            self._replies.popleft()
        if self._is_http:
            self._write_http(b"")
        elif (
            not self._is_taking
            or len(answer.data) > _LARGE_REPLY
            or len(self._outgoing) > _MAX_JOINED
        ):
            self._flush()

    def _encode(self, call: Call, answer: Answer) -> bytes:
        """The reply message; an internal error if the headers of the handler are invalid."""
        headers = call.context.reply_headers if call.event.transport in HEADER_TRANSPORTS else None
        try:
            return self._session.reply(  # type: ignore[no-any-return]
                call.event, answer.kind, answer.data, headers=headers or None
            )
        except Exception:
            LOG.exception("the reply to %s cannot be sent", quoted_name(call.context.name))
            error = internal_error(call.context.name, call.context.protocol)
            return self._session.reply(call.event, error.kind, error.data)  # type: ignore[no-any-return]

    def _flush(self) -> None:
        """Writes the replies that are ready."""
        if self._outgoing and not self._stream.is_closing():
            self._stream.write(b"".join(self._outgoing))
            self._count_unsent()
        self._outgoing.clear()

    def _count_unsent(self) -> None:
        if not self._is_lost and not self._server.budget.set_unsent(
            self._account, self._stream.get_write_buffer_size()
        ):
            self._overflow("unread replies")

    def _write_http(self, data: bytes) -> None:
        """HTTP itself defines when a connection ends."""
        self._outgoing.append(data)
        self._flush()
        if self._session is not None and self._session.is_over:
            self._is_ending = True
            if not self._running:
                self._stream.close()
