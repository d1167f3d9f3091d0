"""Sync connections: a socket and a session shared by threads."""

from __future__ import annotations

import copy
import socket
import threading
from typing import Optional, Union

from .. import _core
from .._errors import Error, TransportError
from . import faults
from . import fork as _fork
from .faults import DeadlineExceeded, Timeouts, Unsent
from .sockets import PIECE, next_buffer, open_socket, pending, poll_for
from .target import Request, Target
from .turns import PendingCall, Turn


class Link:
    """A stream connection shared by threads: every thread sends its call, and one of the waiting
    threads reads for all.

    An error closes the connection: all calls in flight raise it, and the next call raises Unsent.
    So does an exception, such as
    KeyboardInterrupt, while a call is sent or read: the stream may then be inside a message.

    State that an exception at any line could leave set is recorded with its call (`_sender`,
    `_reader`), released on the normal path, and released again by the exception handler. Use `with`
    on the lock itself: `with` on a Condition runs Python code in which an exception would leave it
    locked."""

    def __init__(self, target: Target, deadline: Optional[float]):
        self.target = target
        self.fault: Optional[Error] = None
        self.is_free = True
        """Whether a call can be sent immediately."""
        self._session = target.session()
        self._init_locks()
        self._waiting: dict[int, PendingCall] = {}
        self._sender: Optional[PendingCall] = None
        self._reader: Optional[PendingCall] = None
        self._buffer = memoryview(bytearray(PIECE))
        self._is_ready = target.transport != "sasl"
        self._socket = open_socket(target.address, target.tls, deadline)
        self._timeout: Optional[float] = -1.0  # last timeout of the socket
        self._poll = poll_for(self._socket) if target.tls is None else None
        _fork.register(self)
        try:
            self._negotiate(deadline)
        except BaseException:
            self.close()
            raise
        if self._poll is not None:
            self._timeout = 0
            self._socket.settimeout(0)

    def _init_locks(self) -> None:
        self._lock = threading.Lock()
        self._arrived = threading.Condition(self._lock)
        self._sending = threading.Lock()
        self._tls_turn = Turn() if self.target.tls else None  # OpenSSL objects are not thread-safe

    @property
    def in_flight(self) -> int:
        return len(self._waiting)

    @property
    def was_answered(self) -> bool:
        return bool(self._session.fed)

    def close(self) -> None:
        """Closes the connection. Calls in flight raise TransportError."""
        with self._lock:
            self._end(faults.closed_of(self.target.address, "the client was closed"))

    def abandon(self) -> None:
        """In a child process: closes the socket without a shutdown, which would close the
        connection of the parent too."""
        self._init_locks()
        self._waiting.clear()
        self._sender = self._reader = None
        self.is_free = False
        self.fault = self.fault or faults.abandoned_of(self.target.address)
        self._socket.close()

    def is_stale(self) -> bool:
        """Whether the connection is closed. A call notices that the server has closed it."""
        return self.fault is not None

    def _read_pending(self) -> None:
        """Reads what the server has sent unasked. Called under the lock."""
        try:
            self._timeout = 0
            data = pending(self._socket)
            if data == b"":
                self._finish()
            elif data is not None:
                self._take(data)
        except BaseException as error:
            self._end(faults.interrupted_of(self.target.address, error))
            raise

    def call(self, request: Request) -> Optional[_core.SessionEvent]:
        """The event of the reply; None for a oneway call.

        Raises Unsent, TransportError, DecodeError."""
        call = PendingCall()
        try:
            if self._tls_turn is not None:
                self._tls_turn.take(call, request.deadline)
            self._send(request, call)
            event = None if request.oneway else self._wait(call, request.deadline)
            if self._tls_turn is not None:
                self._tls_turn.release(call)
            return event
        except DeadlineExceeded:
            has_turn = call.sequence_id is not None
            text = f"no reply to {request.name}" if has_turn else "no connection was free"
            error = faults.timeout_of(self.target.address, f"{text} in time")
            self._abandon(call, error)
            raise faults.set_call_state(error, call.state) from None
        except BaseException as fault:
            self._abandon(call, fault)
            if isinstance(fault, Error):
                faults.set_call_state(fault, call.state)
            raise

    def _send(self, request: Request, call: PendingCall) -> None:
        with self._sending:
            data = rest = self._start_call(request, call)
            while rest:
                if self._poll is None or self._timeout != 0:
                    self._set_timeout(request.deadline)
                call.state = "sent"
                try:
                    sent = self._socket.send(rest)
                except OSError as error:
                    if not faults.is_of_socket(error):
                        raise
                    if isinstance(error, (BlockingIOError, *Timeouts)):
                        # The deadline decides: another thread may have set the timeout.
                        self._set_timeout(request.deadline)
                        continue
                    fault = self._fail(error, call)
                    raise (Unsent(fault) if rest is data else fault) from error
                rest = memoryview(rest)[sent:] if sent < len(rest) else b""
            if self._poll is not None and self._timeout != 0:
                self._timeout = 0
                self._socket.settimeout(0)
            self._sender = None

    def _start_call(self, request: Request, call: PendingCall) -> Union[bytes, memoryview]:
        """Registers a call and returns its bytes. The only call reads its reply itself."""
        with self._lock:
            is_only = self._reader is None and not self._waiting
            self._check(is_only)
            self._sender = call
            try:
                call.sequence_id, data = self._session.call(
                    request.name,
                    request.data,
                    oneway=request.oneway,
                    headers=request.headers,
                    deadline=request.deadline,
                    select=request.select,
                )
            except (Error, TypeError):  # the call is invalid
                self._sender = None
                raise
            if not request.oneway:
                self._waiting[call.sequence_id] = call
                if is_only:
                    self._reader = call
            return data

    def _check(self, is_idle: bool) -> None:
        """Raises Unsent if the connection is closed, possibly by the server while it was idle.
        Called under the lock."""
        if self.fault is None:
            if self._sender is not None:  # an exception came before its handler was entered
                text = "the sending of a call was interrupted"
                self._reader = None if self._reader is self._sender else self._reader
                self._end(faults.closed_of(self.target.address, text))
            elif is_idle and (self._poll is None or self._poll.poll(0)):
                self._read_pending()
        if self.fault is not None:
            raise Unsent(self.fault)

    def _wait(self, call: PendingCall, deadline: Optional[float]) -> _core.SessionEvent:
        while self._reader is call or self._becomes_reader(call, deadline):
            self._read(call, deadline)
        if call.event is None:
            assert self.fault is not None
            raise copy.copy(self.fault)
        return call.event

    def _becomes_reader(self, call: PendingCall, deadline: Optional[float]) -> bool:
        """Waits for the reply, or until nobody reads. False: the call is over."""
        with self._lock:
            while call.event is None and self.fault is None and self._reader is not None:
                self._arrived.wait(faults.remaining(deadline))
            if call.event is None and self.fault is None:
                self._reader = call
                return True
            self._waiting.pop(call.sequence_id, None)  # type: ignore[arg-type]
            return False

    def _read(self, call: PendingCall, deadline: Optional[float]) -> None:
        """Reads once, for all calls in flight."""
        rest = faults.remaining(deadline)
        if self._poll is None:
            self._set_timeout(deadline)
        try:
            if self._poll is not None and not self._poll.poll(rest and rest * 1000):
                return
            size = self._socket.recv_into(self._buffer)
        except OSError as error:
            if not faults.is_of_socket(error):
                raise
            if not isinstance(error, (BlockingIOError, *Timeouts)):
                self._fail(error, call)
            return
        with self._lock:
            self._reader = None
            if size:
                self._take(self._buffer[:size])
                self._buffer = next_buffer(self._buffer, size)
            else:
                self._finish()
            if call.event is not None:
                del self._waiting[call.sequence_id]  # type: ignore[arg-type]
            elif self.fault is None:
                self._reader = call
            if self.fault is not None:
                self._socket.close()
            if self._waiting:
                self._arrived.notify_all()

    def _set_timeout(self, deadline: Optional[float]) -> None:
        """Sets the timeout of the socket, a system call, unless the current one is at most one
        percent longer."""
        timeout, current = faults.remaining(deadline), self._timeout
        if timeout == current or (
            timeout is not None and current is not None and timeout <= current <= timeout * 1.01
        ):
            return
        self._timeout = timeout
        self._socket.settimeout(timeout)

    def _take(self, data: Union[bytes, memoryview]) -> None:
        """Called under the lock."""
        try:
            self._session.lend(data)
            while (event := self._session.next()) is not None:
                if event.type == "message":
                    if event.sequence_id in self._waiting:
                        self._waiting[event.sequence_id].event = event
                elif event.type == "send":
                    self._socket.sendall(event.data)
                else:
                    self._is_ready = True
        except Error as error:
            self._end(error)
        except OSError as error:
            self._end(faults.fault_of(error, self.target.address))

    def _finish(self) -> None:
        """The server has closed the connection. Called under the lock."""
        try:
            self._session.finish()
        except Error as error:
            self._end(faults.cut_off_of(self.target.address, error))
        else:
            self._end(faults.unanswered(self.target, self._session))

    def _fail(self, error: OSError, call: PendingCall) -> Error:
        fault = faults.fault_of(error, self.target.address)
        with self._lock:
            if self._reader is call:
                self._reader = None
            self._end(fault)
        return fault

    def _end(self, error: Error) -> None:
        """Called under the lock. A thread that reads closes the socket: while it polls, another
        file must not get the descriptor."""
        self.is_free = False
        if self.fault is None:
            self.fault = error
        self._sender = None
        self._arrived.notify_all()
        try:
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes a thread that reads
        except OSError:
            pass
        if self._reader is None:
            self._socket.close()

    def _abandon(self, call: PendingCall, error: BaseException) -> None:
        """Removes a failed call.

        If others are in flight and no read was interrupted, its reply is ignored; else the
        connection is closed."""
        with self._lock:
            was_read = self._reader is call and not isinstance(error, TransportError)
            is_inside = self._sender is call or was_read
            if self._reader is call:
                self._reader = None
            is_waiting = self._forget(call)
            if self.fault is None and (is_inside or (is_waiting and not self._waiting)):
                if not isinstance(error, TransportError):
                    error = faults.interrupted_of(self.target.address, error)
                self._end(error)
            elif self.fault is not None and self._reader is None:
                self._socket.close()
            self._arrived.notify_all()
        if self._tls_turn is not None:
            self._tls_turn.release(call)

    def _forget(self, call: PendingCall) -> bool:
        """Ignores the reply to a call. Returns whether the call was waiting for it."""
        sequence_id = call.sequence_id
        if sequence_id is None or self._waiting.pop(sequence_id, None) is None:
            return False
        if self.fault is None:
            self._session.cancel(sequence_id)
        return True

    def _negotiate(self, deadline: Optional[float]) -> None:
        address = self.target.address
        try:
            self._socket.settimeout(faults.remaining(deadline))
            self._socket.sendall(self._session.start())
            while not self._is_ready and self.fault is None:
                self._socket.settimeout(faults.remaining(deadline))
                data = self._socket.recv(PIECE)
                with self._lock:
                    self._take(data) if data else self._finish()
        except OSError as error:
            raise faults.fault_of(error, address) from error
        if self.fault is not None:
            raise faults.negotiation_fault(self.fault, address)
