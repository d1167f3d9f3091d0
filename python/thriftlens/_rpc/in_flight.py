"""The calls in flight of a server connection: their tasks, and their replies in order."""

from __future__ import annotations

import asyncio
import collections
import functools
import threading
from os import write
from typing import Awaitable, Callable, Coroutine, Optional, Protocol, Union

from .._errors import ApplicationError, DecodeError
from .._text import quoted_name
from .._typing import Value
from .budget import Account
from .events import CallEvent, ServerSession
from .execution import Call, Job
from .handlers import Answer, Context, error_answer, internal_error, protocol_of, unknown_method
from .log import logger
from .options import HEADER_TRANSPORTS
from .replies import read_application_error
from .server_state import ServerState

LOG = logger("thriftlens.server")
_LARGE_REPLY = 4096  # bytes of a reply that is not joined with others into one write
_MAX_JOINED = 64  # replies in one write
_CALL_COST = 2048  # bytes that a call holds besides its message
_HEADER_COST = 64


class CallConnection(Protocol):
    """The part of a connection that its calls use."""

    session: ServerSession
    peer: object
    user: Optional[str]
    is_http: bool
    is_lost: bool
    is_taking: bool
    outgoing: list[bytes]
    descriptor: int
    """That threads may write to, or -1."""
    is_ending: bool
    is_reading_paused: bool

    @property
    def stream(self) -> asyncio.Transport: ...

    def accept_oneway(self) -> None: ...

    def flush(self) -> None: ...

    def flush_http(self) -> None: ...

    def call_ended(self) -> None: ...

    def abort(self) -> None: ...


class CallsInFlight:
    """Calls run concurrently, replies are sent in the order of the calls."""

    def __init__(self, server: ServerState, account: Account, connection: CallConnection):
        self._server = server
        self._account = account
        self._connection = connection
        self.running: dict[Union[asyncio.Task[None], Job], Optional[Call]] = {}
        """Tasks, jobs and their calls; None: the check of a user."""
        self.unsent: collections.deque[Call] = collections.deque()
        """Calls whose replies are not sent."""
        self.lock = threading.RLock()
        """Held to reply: threads send replies, too."""
        self._timer: Optional[asyncio.TimerHandle] = None

    def start(self, event: CallEvent) -> None:
        """Executes a call. Raises DecodeError for an invalid one."""
        connection = self._connection
        if event.kind not in ("call", "oneway") or (
            connection.user is None and self._server.users is not None
        ):
            raise self._rejected(event)
        call = self._call_of(event)
        if connection.is_lost and call.expects_reply:
            connection.session.skip_reply(event)
            return
        self._server.budget.hold(self._account, call.cost)
        if call.expects_reply:
            self.unsent.append(call)
        elif connection.is_http:
            connection.accept_oneway()
        else:
            connection.session.skip_reply(event)
        handler = call.handler
        if handler is None:
            self._answer(call, unknown_method(call.context.name, protocol_of(event)))
        elif self._server.executor.is_immediate(handler):
            self._answer(call, handler.run(event, call.context))  # type: ignore[arg-type]
        else:
            self._run(call)

    def _run(self, call: Call) -> None:
        if self._timer is None:
            self._timer = self._server.loop.call_at(call.deadline, self._expire)
        executor = self._server.executor
        if call.handler.is_async:  # type: ignore[union-attr]
            self.start_task(self._execute(call, functools.partial(executor.run, call)), call)
        elif (job := executor.start(call, self)) is not None:
            self.running[job] = call
        else:
            self.start_task(self._start_later(call), call)

    async def _start_later(self, call: Call) -> None:
        executor = self._server.executor
        job = executor.start(call, self, await executor.reserve(call))
        self.running[job] = call  # type: ignore[index]

    def start_task(self, work: Coroutine[object, None, None], call: Optional[Call] = None) -> None:
        """call: None: the check of a user."""
        task = self._server.loop.create_task(work)
        self.running[task] = call
        task.add_done_callback(self._end_task)

    def _rejected(self, event: CallEvent) -> DecodeError:
        """The error of another message than a call, and of one without a required user."""
        if event.kind not in ("call", "oneway"):
            text = f"expected a call, found a message of kind {event.kind}"
            return DecodeError(text, code="invalid_message_type", offset=event.offset)
        text = f"a call over {event.transport} has no user; use SASL or HTTP"
        return DecodeError(text, code="refused", offset=event.offset)

    def _call_of(self, event: CallEvent) -> Call:
        router = self._server.router
        name = router.qualified_name(event)
        handler = router.find(name)
        context = Context(
            None if handler is None else handler.function,
            name,
            self._connection.peer,
            event.headers,  # type: ignore[arg-type]
            protocol_of(event),
            event.transport,
            event.sequence_id,
            user=self._connection.user,
        )
        size = len(event.data) + _CALL_COST
        if event.headers:
            size += sum(map(len, event.headers.values())) + _HEADER_COST * len(event.headers)
        expects_reply = not router.is_oneway(name, event.kind)
        deadline = self._server.loop.time() + self._server.limits.request_time
        return Call(event, handler, context, self._account, size, expects_reply, deadline)

    async def _execute(self, call: Call, run: Callable[[], Awaitable[Answer]]) -> None:
        answer = await run()
        if not call.is_cancelled:
            self._answer(call, answer)

    def end_job(self, job: Job, outcome: Union[Answer, Awaitable[Value]]) -> None:
        call, error = job.call, None
        if not isinstance(outcome, Answer):
            del self.running[job]
            run = functools.partial(self._server.executor.answer_of, call, lambda: outcome)
            self.start_task(self._execute(call, run), call)
            return
        try:
            if call.is_answered:
                self._release(call)
                if self.unsent or self._connection.outgoing:
                    self._send_ready()
            else:
                self._answer(call, outcome)
        except Exception as caught:
            error = caught
        self._end(job, error)

    def reply(self, call: Call, answer: Answer) -> bool:
        """Called by a thread: sends the reply, if no other must be sent first. What the system does
        not take is left to the event loop."""
        connection = self._connection
        with self.lock:
            try:
                is_first = bool(self.unsent) and self.unsent[0] is call
                if call.is_cancelled or not is_first or not self._can_write():
                    return False
                data = self._encode(call, answer)
            except Exception:  # an error of the reply is raised again in the event loop
                return False
            try:
                sent = write(connection.descriptor, data)
            except OSError:
                sent = 0
            if sent < len(data):
                connection.outgoing.append(data[sent:])
            self.unsent.popleft()
            call.is_answered = True
            return True

    def _can_write(self) -> bool:
        """Whether the thread may write to the descriptor. Called under the lock."""
        connection, stream = self._connection, self._connection.stream
        return (
            connection.descriptor >= 0
            and not (connection.is_http or connection.is_lost or connection.is_ending)
            and not (connection.outgoing or stream.is_closing())
            and stream.get_write_buffer_size() == 0
        )

    def needs_loop(self) -> bool:
        connection = self._connection
        with self.lock:
            has_ready = bool(self.unsent) and self.unsent[0].reply is not None
        return (
            has_ready
            or bool(connection.outgoing)
            or connection.is_reading_paused
            or connection.is_ending
            or self._server.budget.is_busy
        )

    def _end_task(self, task: asyncio.Task[None]) -> None:
        self._end(task, None if task.cancelled() else task.exception())

    def _end(self, key: Union[asyncio.Task[None], Job], error: Optional[BaseException]) -> None:
        self.running.pop(key, None)
        if error is not None:
            LOG.error(
                "the connection of %s was closed: the server failed",
                self._connection.peer,
                exc_info=error,
            )
            self._connection.abort()
        if self._connection.is_lost:
            self.stop_timer()
        self._connection.call_ended()

    def _expire(self) -> None:
        """Ends the calls that take too long. The timer is not changed when a call ends."""
        self._timer = None
        self._server.executor.end_jobs()
        current_time = self._server.loop.time()
        for key, call in list(self.running.items()):
            if call is not None and call.deadline <= current_time:
                self._time_out(key, call)
        deadlines = [call.deadline for call in self.running.values() if call is not None]
        if deadlines:
            self._timer = self._server.loop.call_at(min(deadlines), self._expire)

    def _time_out(self, key: Union[asyncio.Task[None], Job], call: Call) -> None:
        name = call.context.name
        with self.lock:
            if call.is_answered:
                return
            self._abandon(key)
        LOG.error("%s took longer than %s s", name, self._server.limits.request_time)
        error = ApplicationError(f"{name} timed out")
        self._answer(call, error_answer(error, protocol_of(call.event)))
        self._connection.call_ended()

    def stop_timer(self) -> None:
        """Called when the connection is lost and when its last call ends: the timer holds it."""
        if self._timer is not None and not self.running:
            self._timer.cancel()
            self._timer = None

    def cancel(self, is_selected: Callable[[Optional[Call]], bool]) -> None:
        for task, call in list(self.running.items()):
            if is_selected(call):
                self._abandon(task)
                if call is not None:
                    self._release(call)

    def _abandon(self, task: Union[asyncio.Task[None], Job]) -> None:
        """Cancels a task or job. Nothing waits for it: a handler may ignore its cancellation."""
        call = self.running.pop(task)
        if call is not None:
            with self.lock:
                call.is_cancelled = True
        task.cancel()

    def _release(self, call: Call) -> None:
        self._server.budget.release(self._account, call.cost)
        call.cost = 0

    def drop_unsent(self, skip_replies: bool) -> None:
        """Drops the replies to a lost client. skip_replies: the session still takes calls."""
        for call in self.unsent:
            if call.reply is not None:
                self._server.budget.release(self._account, len(call.reply))
            elif skip_replies:
                self._connection.session.skip_reply(call.event)
        self.unsent.clear()

    def _answer(self, call: Call, answer: Answer) -> None:
        connection, budget = self._connection, self._server.budget
        self._release(call)
        if not call.expects_reply and answer.kind == "exception":
            _log_oneway(call, answer)
        if not call.expects_reply or connection.is_lost or connection.stream.is_closing():
            return
        with self.lock:
            call.reply = self._encode(call, answer)
            budget.hold(self._account, len(call.reply))
            self._send_ready(len(answer.data))

    def _send_ready(self, size: int = 0) -> None:
        """Sends the replies that no other must precede. size: of the last one."""
        connection, outgoing = self._connection, self._connection.outgoing
        with self.lock:
            while self.unsent and (ready := self.unsent[0].reply) is not None:
                self._server.budget.release(self._account, len(ready))
                outgoing.append(ready)
                self.unsent.popleft()
        is_large = size > _LARGE_REPLY or len(outgoing) > _MAX_JOINED
        if connection.is_http:
            connection.flush_http()
        elif is_large or not connection.is_taking:
            connection.flush()

    def _encode(self, call: Call, answer: Answer) -> bytes:
        """The reply message; an internal error if the headers of the handler are invalid."""
        session, event, context = self._connection.session, call.event, call.context
        headers = context.reply_headers if event.transport in HEADER_TRANSPORTS else None
        try:
            return session.reply(event, answer.kind, answer.data, headers=headers or None)
        except Exception:
            LOG.exception("the reply to %s cannot be sent", quoted_name(context.name))
            error = internal_error(context.name, protocol_of(event))
            return session.reply(event, error.kind, error.data)


def _log_oneway(call: Call, answer: Answer) -> None:
    reason = read_application_error(answer.data, protocol_of(call.event))
    LOG.warning("the oneway call %s failed: %s", quoted_name(call.context.name), reason)
