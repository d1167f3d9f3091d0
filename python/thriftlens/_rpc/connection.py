"""One connection of a server: reads calls, writes replies."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import select
from typing import TYPE_CHECKING, Mapping, Optional

from .. import _core
from .._errors import Error
from .._text import quoted_name
from .budget import Account
from .events import CallEvent, ServerSession
from .in_flight import CallsInFlight
from .log import logger
from .server_state import ServerState
from .sockets import PIECE, descriptor_of

if TYPE_CHECKING:
    from .server_http import HttpSession

LOG = logger("thriftlens.server")
_HTTP_METHODS = tuple(
    f"{method} ".encode()
    for method in "GET POST PUT HEAD DELETE OPTIONS PATCH CONNECT TRACE PRI".split()
)
_LINGER = 2.0  # seconds for a client to read the last answer of a connection


class Connection(asyncio.BufferedProtocol):
    """The stream of a client: reads it within the limits of the server, closes it."""

    peer: object = None
    user: Optional[str] = None
    descriptor = -1  # that threads may write to
    is_http = False
    is_lost = False
    is_taking = is_reading_paused = False
    is_ending = False  # no more calls are taken
    _http: Optional[HttpSession] = None  # the session, if it is one of HTTP
    _sasl_accepted = b""  # SASL message for an accepted user
    _is_authenticating = False
    _is_writing_paused = False
    _is_lingering = False  # the last answer is sent
    _has_calls = False

    def __init__(self, server: ServerState):
        self._server = server
        self._loop = server.loop
        self._account = Account()
        self._calls = CallsInFlight(server, self._account, self)
        self._buffer = server.buffer if server.buffer is not None else memoryview(bytearray(PIECE))
        self.stream: asyncio.Transport = None  # type: ignore[assignment]
        # Created by the first bytes.
        self.session: ServerSession = None  # type: ignore[assignment]
        self.outgoing: list[bytes] = []
        """Replies for the next write."""
        self._last_activity = self._loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.stream = transport
        self.peer = transport.get_extra_info("peername")
        self.descriptor = descriptor_of(transport)
        if self not in self._server.connections and not self._server.admit(self, self.peer):
            self.is_ending = True
            transport.abort()

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        if self.is_ending:
            return
        data = self._buffer[:nbytes]
        try:
            if self.session is None:
                self._open_session(bytes(data[:8]))
            self.session.feed(data)
        except (Error, ImportError) as error:
            self._fail(error)
            return
        self._server.executor.end_jobs()
        self._take()

    def _open_session(self, front: bytes) -> None:
        """Opens a session by the first bytes of the connection."""
        server, limits = self._server, self._server.limits
        is_http = any(front.startswith(method[: len(front)]) for method in _HTTP_METHODS)
        if server.transport == "http" or (server.transport == "auto" and is_http):
            from .server_http import HttpSession

            self.is_http = True
            self._http = HttpSession(limits, server.protocol, server.users is not None)
            self.session = self._http
        else:
            self.session = _core.Session(
                "server",
                transport=server.transport,
                protocol=server.protocol,
                frame_size=limits.frame_size,
                header_size=limits.header_size,
                depth=limits.depth,
                calls=limits.calls + 1,
            )

    def eof_received(self) -> bool:
        """The client sends no more; the calls that it has sent are answered."""
        self.is_ending = True
        self._server.executor.end_jobs()
        return bool(self._calls.running)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        """Drops calls that expect a reply. Oneway calls that were received are executed."""
        with self._calls.lock:
            self.is_lost = True
        self._is_writing_paused = False
        self.is_ending = self.is_ending or self.is_http or self._is_authenticating
        self._server.connections.discard(self)
        self._server.lost.add(self)
        self._calls.cancel(lambda call: call is None or call.expects_reply)
        self._calls.drop_unsent(skip_replies=not self.is_ending)
        self.outgoing.clear()
        self._server.budget.forget(self._account)
        self._calls.stop_timer()
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
        self.is_ending = True
        if self.is_lost:
            self._resume()
        elif not self._calls.running and self.stream is not None:
            self.stream.close()

    def cancel(self) -> None:
        """Cancels the calls in flight and closes the connection."""
        self._calls.cancel(lambda call: call is not None)
        self.abort()

    def abort(self) -> None:
        if self.stream is not None:
            self.stream.abort()

    def close_if_idle(self, current_time: float) -> None:
        if current_time - self._last_activity > self._server.limits.idle and (
            self._is_writing_paused or not self._calls.running
        ):
            LOG.info("an idle connection of %s was closed", self.peer)
            self.abort()

    def close_if_reset(self) -> None:
        """The event loop does not report a reset while reading is paused."""
        if not self.is_reading_paused or self.is_lost or not hasattr(select, "poll"):
            return
        stream = self.stream.get_extra_info("socket")
        if stream is None:
            return
        poll = select.poll()
        with contextlib.suppress(OSError, ValueError):
            poll.register(stream.fileno(), 0)  # errors are always reported
            if poll.poll(0):
                self.abort()

    def _take(self) -> None:
        """Takes complete messages, up to the limits."""
        self.is_taking = must_wait = True
        try:
            while not self.is_ending and not (must_wait := self._must_wait()):
                event = self.session.next()
                if event is None:
                    self.is_ending = self.is_ending or self.is_lost
                    break
                if event.type == "message":
                    self._last_activity = self._loop.time()
                    self._has_calls = True
                    self._calls.start(event)
                else:
                    self._negotiate(event)
        except Error as error:
            self.flush()
            self._fail(error)
            return
        finally:
            self.is_taking = False
        self.flush()
        if must_wait or self.is_reading_paused:
            self._update_reading()
        held = 0 if self.session is None else self.session.held
        if held != self._account.arriving and not self._server.budget.set_arriving(
            self._account, held
        ):
            self._overflow("partial messages")

    def _resume(self) -> None:
        if not self.is_ending and self.session is not None:
            self._take()
        if self.is_lost and (self.is_ending or self.session is None):
            self.session = None  # type: ignore[assignment]
            self._server.budget.forget(self._account)
            if not self._calls.running:
                self._server.lost.discard(self)

    def _must_wait(self) -> bool:
        """Whether nothing is taken for now. The budget itself resumes the connection."""
        if (
            self._is_writing_paused
            or self._is_authenticating
            or len(self._calls.running) >= self._server.limits.calls
            or (self.is_http and self._calls.unsent)
        ):
            return True
        if self._server.budget.fits(self._account, 1):
            return False
        self._server.budget.pause(self._account, self._resume)
        return True

    def _update_reading(self) -> None:
        must_wait = self._must_wait()
        if must_wait != self.is_reading_paused and not self.stream.is_closing():
            self.is_reading_paused = must_wait
            self.stream.pause_reading() if must_wait else self.stream.resume_reading()
            if must_wait:
                self._server.executor.end_jobs_soon()

    def call_ended(self) -> None:
        """Takes further calls after one has ended, or closes."""
        self._last_activity = self._loop.time()
        if self.is_lost or not (self.is_ending or self.stream.is_closing()):
            if self.is_lost or self.is_reading_paused:
                self._resume()
        elif not self._calls.running and not self._is_lingering:
            self.stream.close()

    def _overflow(self, kind: str) -> None:
        LOG.warning(
            "the connection of %s was closed: the %s of all connections exceed limits['in_flight']",
            self.peer,
            kind,
        )
        self.is_ending = True
        self.stream.abort()

    def _fail(self, error: Exception) -> None:
        level = logging.INFO if self._has_calls else logging.WARNING
        LOG.log(level, "the connection of %s was closed: %s", self.peer, error)
        answer: bytes = getattr(error, "data", b"") or self._sasl_accepted
        if answer:
            self._close_after(answer)
            return
        self.is_ending = True
        self.stream.abort()

    def _close_after(self, answer: bytes) -> None:
        """Closes after a last answer.

        Drops further data first: a reset could overtake the answer."""
        with self._calls.lock:
            self.is_ending = self._is_lingering = True
        self.stream.write(answer)
        if self.stream.can_write_eof():
            self.stream.write_eof()
            self._loop.call_later(_LINGER, self.stream.abort)
        else:
            self.stream.close()

    def _negotiate(self, event: CallEvent) -> None:
        """Handles an event before the first call of a user."""
        if event.type == "ready":
            self._is_authenticating = True
            self._calls.start_task(self._authenticate(event.headers))  # type: ignore[arg-type]
        elif event.transport == "sasl":
            self._sasl_accepted = event.data
        else:
            self.stream.write(event.data)

    async def _authenticate(self, credentials: Mapping[str, str]) -> None:
        user, accepted = credentials["user"], self._sasl_accepted
        self._sasl_accepted = b""
        try:
            is_known = await self._knows(user, credentials["password"])
        except asyncio.CancelledError:
            if self.is_lost:
                raise
            is_known = False  # raised by the check itself
        self._is_authenticating = False
        if self.stream.is_closing():
            return
        if not is_known:
            self._reject(user)
            return
        self.user = user
        if self._http is None:
            self.stream.write(accepted)
        else:
            self._http.admit()

    async def _knows(self, user: str, password: str) -> bool:
        users = self._server.users
        return users is not None and await users.knows(user, password, self._server.executor.pool)

    def _reject(self, user: str) -> None:
        has_users = self._server.users is not None
        reason = "wrong user or password" if has_users else "the server has no users"
        LOG.warning("user %s of %s was rejected: %s", quoted_name(user), self.peer, reason)
        if self._http is None:
            self._close_after(b"\x03" + len(reason).to_bytes(4, "big") + reason.encode())
        else:
            self._close_after(self._http.unauthorized().data)

    def flush(self) -> None:
        """Writes the replies that are ready."""
        if not self.outgoing:
            return
        with self._calls.lock:
            if not self.stream.is_closing():
                self.stream.write(b"".join(self.outgoing))
                self._count_unsent()
            self.outgoing.clear()

    def _count_unsent(self) -> None:
        size = 0 if self.is_lost else self.stream.get_write_buffer_size()
        if size != self._account.unsent and not self._server.budget.set_unsent(self._account, size):
            self._overflow("unread replies")

    def accept_oneway(self) -> None:
        """Answers a oneway call over HTTP."""
        assert self._http is not None
        self.outgoing.append(self._http.accepted())
        self.flush_http()

    def flush_http(self) -> None:
        """Writes the responses that are ready. HTTP itself defines when a connection ends."""
        self.flush()
        if self._http is not None and self._http.is_over:
            self.is_ending = True
            if not self._calls.running:
                self.stream.close()
