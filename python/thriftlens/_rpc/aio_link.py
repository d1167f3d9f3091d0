"""Connections in an event loop."""

from __future__ import annotations

import asyncio
import copy
import time
from typing import TYPE_CHECKING, Literal, Mapping, Optional

from .. import _core
from .._errors import Error
from . import faults
from . import fork as _fork
from .faults import Timeouts, Unsent
from .sockets import PIECE, next_buffer
from .target import Request, ResultSelection, Target
from .turns import Reply

if TYPE_CHECKING:
    # The members of a Request: the fast path creates no NamedTuple.
    _RequestFields = tuple[
        str, bytes, bool, Optional[Mapping[str, str]], Optional[ResultSelection], Optional[float]
    ]


class StreamLink(asyncio.BufferedProtocol):
    """A stream connection with any number of calls in flight.

    An error closes it and is raised by all of them."""

    def __init__(self, target: Target, loop: asyncio.AbstractEventLoop):
        self.target = target
        self.fault: Optional[Error] = None
        self._loop = loop
        self._session = target.session()
        self._stream: asyncio.Transport = None  # type: ignore[assignment]
        self._waiting: dict[int, tuple[Reply, Optional[float], str]] = {}
        self._timer: Optional[asyncio.TimerHandle] = None
        self._timer_at = 0.0
        self._ready: asyncio.Future[None] = loop.create_future()
        self._writable: Optional[asyncio.Future[None]] = None
        # Calls for the next write, at the end of this iteration of the loop.
        self._unsent: list[bytes] = []
        self._unsent_size = 0
        # Reused: asyncio would allocate a large one per read.
        self._buffer = memoryview(bytearray(PIECE))
        _fork.register(self)

    @classmethod
    async def open(cls, target: Target, deadline: Optional[float]) -> StreamLink:
        """A connection that is ready for calls.

        Raises TransportError, or the error of the negotiation."""
        loop = asyncio.get_running_loop()
        address = target.address
        link = cls(target, loop)
        try:
            seconds = faults.remaining(deadline)
            # Once: before Python 3.12, wait_for loses a cancellation when its work is just done.
            await asyncio.wait_for(link._connect(), seconds)
            return link
        except (asyncio.TimeoutError, *Timeouts):
            error: Error = faults.timeout_of(address, "no connection in time")
        except OSError as os_error:
            error = faults.fault_of(os_error, address)
        except BaseException as interruption:
            link._end(faults.interrupted_of(address, interruption))
            raise
        link._end(error)
        raise error

    async def _connect(self) -> None:
        address, tls, loop = self.target.address, self.target.tls, self._loop
        name = address.host if tls is not None else None
        create = lambda: self  # noqa: E731
        if address.kind == "unix":
            path = address.path
            await loop.create_unix_connection(create, path, ssl=tls, server_hostname=name)
        else:
            host, port = address.host, address.port
            await loop.create_connection(create, host, port, ssl=tls, server_hostname=name)
        await asyncio.shield(self._ready)

    @property
    def in_flight(self) -> int:
        return len(self._waiting)

    @property
    def was_answered(self) -> bool:
        return bool(self._session.fed)

    def name_of(self, end: Literal["sockname", "peername"]) -> object:
        """The address of one end of the connection."""
        return self._stream.get_extra_info(end)

    def is_stale(self) -> bool:
        return self.fault is not None

    def close(self) -> None:
        """Closes the connection. Calls in flight raise TransportError."""
        self._flush()
        self._end(faults.closed_of(self.target.address, "the client was closed"))

    def abandon(self) -> None:
        """In a child process: the event loop is left alone, it may share its selector with the
        parent."""
        if self.fault is None:
            self.fault = faults.abandoned_of(self.target.address)
            if self._stream is not None:
                _fork.sever(self._stream.get_extra_info("socket").fileno())
            self._fail_waiting(self.fault)

    @property
    def is_free(self) -> bool:
        """Whether a call can be sent immediately."""
        return self.fault is None and self._writable is None

    def send(self, request: _RequestFields) -> Optional[Reply]:
        """Returns an awaitable of the reply's event; None for a oneway call. Raises Unsent.

        An exception such as KeyboardInterrupt may leave a partial call on the stream: it closes the
        connection."""
        if self.fault is not None:
            raise Unsent(self.fault)
        try:
            return self._send(*request)
        except (Error, TypeError):  # the call is invalid
            raise
        except BaseException as error:
            self._end(faults.interrupted_of(self.target.address, error))
            raise

    def _send(
        self,
        name: str,
        data: bytes,
        oneway: bool,
        headers: Optional[Mapping[str, str]],
        select: Optional[ResultSelection],
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

    async def call(self, request: Request) -> Optional[_core.SessionEvent]:
        """The event of the reply; None for a oneway call.

        Raises Unsent, TransportError, DecodeError."""
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
            raise faults.set_call_state(error, "sent")

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
            self._end(faults.interrupted_of(self.target.address, error))
            raise

    async def _until_writable(self, request: Request) -> None:
        assert self._writable is not None
        try:
            await asyncio.wait_for(
                asyncio.shield(self._writable), faults.remaining(request.deadline)
            )
        except (asyncio.TimeoutError, *Timeouts):
            raise faults.timeout_of(
                self.target.address, f"{request.name} could not be sent in time"
            ) from None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._stream = transport
        if self.fault is not None:  # open() was cancelled
            transport.abort()
            return
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
                if event.type == "message":
                    entry = self._waiting.pop(event.sequence_id, None)
                    if entry is not None and not entry[0].done():
                        entry[0].set_event(event)
                        if self.fault is not None:  # closed by the resumed task
                            return
                elif event.type == "send":
                    self._stream.write(event.data)
                elif not self._ready.done():
                    self._ready.set_result(None)
        except Error as error:
            self._end(error)
        except BaseException as error:  # raised by the resumed task: the rest of the data is lost
            self._end(faults.interrupted_of(self.target.address, error))
            raise

    def eof_received(self) -> None:
        try:
            self._session.finish()
        except Error as error:
            self._end(faults.cut_off_of(self.target.address, error))

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self._end(
            faults.unanswered(self.target, self._session)
            if exc is None
            else faults.fault_of(exc, self.target.address)
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
            self._ready.set_exception(faults.negotiation_fault(error, self.target.address))
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

    def abandon_call(self, reply: Optional[Reply]) -> None:
        """Removes a cancelled call.

        If others are in flight, its reply is ignored; else the connection is closed."""
        for sequence_id, (waiting, _, name) in self._waiting.items():
            if waiting is reply:
                self._forget(
                    sequence_id, faults.closed_of(self.target.address, f"{name} was cancelled")
                )
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
        for sequence_id, (reply, deadline, name) in list(self._waiting.items()):
            if deadline is not None and deadline <= current_time and sequence_id in self._waiting:
                self._time_out(sequence_id, reply, name)
        later = [deadline for _, deadline, _ in self._waiting.values() if deadline is not None]
        if later and self.fault is None:
            self._start_timer(min(later))

    def _time_out(self, sequence_id: int, reply: Reply, name: str) -> None:
        error = faults.timeout_of(self.target.address, f"no reply to {name} in time")
        if not reply.done():
            reply.set_exception(error)
        self._forget(sequence_id, error)
