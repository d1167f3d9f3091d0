"""Sync connections: a socket and a session shared by threads."""

from __future__ import annotations

import contextlib
import copy
import select
import socket
import ssl
import threading
import time
from typing import Any, Iterator, NamedTuple, Optional, Union

from .. import _core
from .._errors import CallState, DecodeError, Error, TransportError
from .._text import MESSAGE_LENGTH, shortened
from . import fork as _fork
from .address import Address
from .cookies import Cookies

Timeouts = (TimeoutError, socket.timeout)  # the same type since Python 3.10
PIECE = 65536  # bytes of a receive buffer; malloc maps larger blocks at every allocation
LARGE_PIECE = 262144  # for a connection that has filled its buffer


class Target(NamedTuple):
    """Address, transport and protocol of a server, and options of its connections."""

    address: Address
    transport: str = "buffered"
    protocol: str = "binary"
    tls: Optional[ssl.SSLContext] = None
    limits: tuple[tuple[str, int], ...] = ()
    """Limits of the session: frame_size, header_size, calls, depth."""
    cookies: Optional[Cookies] = None
    """None: cookies are ignored."""
    is_confirmed: bool = False
    """Whether the server has answered in this transport and protocol."""

    def session(self) -> Any:
        """A new client session."""
        options: dict[str, Any] = {
            "transport": self.transport,
            "protocol": self.protocol,
            **dict(self.limits),
        }
        if self.transport == "sasl":
            options.update(
                user=self.address.user or "anonymous", password=self.address.password or ""
            )
        return _core.Session("client", **options)


class Request(NamedTuple):
    """A call with encoded arguments."""

    name: str
    data: bytes
    oneway: bool
    headers: Any
    select: Any
    deadline: Optional[float]


class Unsent(Exception):
    """No byte of the call was sent: it may be retried."""

    def __init__(self, error: Error):
        super().__init__(str(error))
        self.error = copy.copy(error)
        self.error.call_state = "not_sent"


def next_buffer(buffer: memoryview, size: int) -> memoryview:
    """The buffer for the next read, after a read of `size` bytes: a larger one if the buffer was
    full.
    """
    return (
        buffer if size < len(buffer) or size >= LARGE_PIECE else memoryview(bytearray(LARGE_PIECE))
    )


def fault_of(error: BaseException, address: Address) -> TransportError:
    """Converts an exception of the operating system or of TLS."""
    if isinstance(error, TransportError):
        return error
    if isinstance(error, ssl.SSLCertVerificationError):
        return transport_error(
            address,
            f"the certificate is not trusted: {error.verify_message or error}",
            "certificate",
        )
    if isinstance(error, ssl.SSLError):
        known = {
            "WRONG_VERSION_NUMBER",
            "UNEXPECTED_EOF_WHILE_READING",
            "RECORD_LAYER_FAILURE",
            "PACKET_LENGTH_TOO_LONG",
        }
        doubt = ": does the server speak TLS?" if error.reason in known else ""
        return transport_error(address, f"TLS failed: {error.reason or error}{doubt}", "tls")
    if isinstance(error, Timeouts):
        return timeout_of(address, "no answer in time")
    if isinstance(error, ConnectionRefusedError):
        return transport_error(
            address, "connection refused: nothing listens there", "connection_refused"
        )
    if isinstance(error, (ConnectionError, EOFError)):
        return closed_of(address)
    if isinstance(error, (socket.gaierror, FileNotFoundError)):
        return transport_error(address, f"not found: {_reason(error)}", "not_found")
    return transport_error(address, _reason(error), "connection_failed")


def _reason(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


@contextlib.contextmanager
def errors_naming(address: str) -> Iterator[None]:
    """Adds the address to errors of the operating system."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise type(error)(f"{address}: {error}") from None
        if error.filename is None and address not in str(error):
            error.filename = address
        raise


def transport_error(address: Address, message: str, code: str) -> TransportError:
    error = TransportError(message, code=code)
    error.context = (str(address),)
    return error


def timeout_of(address: Address, message: str) -> TransportError:
    return transport_error(address, message, "timeout")


def closed_of(address: Address, text: str = "the server closed the connection") -> TransportError:
    return transport_error(address, text, "closed")


def not_reconnected_of(address: Address, fault: Error) -> TransportError:
    """Of a client with reconnect=False whose connection has ended."""
    return closed_of(address, f"the connection is closed, and reconnect=False: {fault.args[0]}")


def abandoned_of(address: Address) -> TransportError:
    """The error of a connection inherited by a child process."""
    return closed_of(address, "the connection belongs to the process that was forked")


def interrupted_of(address: Address, error: BaseException) -> TransportError:
    """The error of a connection whose call was interrupted by an exception."""
    return closed_of(address, f"the call was interrupted by {type(error).__name__}")


def set_call_state(error: Error, state: CallState) -> Error:
    """Sets the state of the call in its error, unless it is set.

    A reply that cannot be decoded and an HTTP status are answers.
    """
    if error.call_state is None:
        is_answer = state == "sent" and (
            isinstance(error, DecodeError) or error.code in _STATUS_CODES
        )
        error.call_state = "answered" if is_answer else state
    return error


@contextlib.contextmanager
def not_sent() -> Iterator[None]:
    """Errors that come before anything of a call is sent have this call_state."""
    try:
        yield
    except Error as error:
        set_call_state(error, "not_sent")
        raise


_STATUS_CODES = ("http_status", "unauthorized")  # an HTTP server has answered


def unanswered(target: Target, session: Any) -> TransportError:
    """The server closed the connection; if it never sent anything, it may use another transport."""
    doubt = (
        ""
        if session.fed or target.is_confirmed
        else f" without an answer: does it speak {target.transport} {target.protocol}?"
    )
    return closed_of(target.address, f"the server closed the connection{doubt}")


def negotiation_fault(error: Error, address: Address) -> Error:
    """The error of a rejected user, or the error itself."""
    return (
        transport_error(address, shortened(str(error), MESSAGE_LENGTH), "unauthorized")
        if error.code == "refused"
        else error
    )


def remaining(deadline: Optional[float]) -> Optional[float]:
    """Seconds until the deadline. Raises DeadlineExceeded."""
    if deadline is None:
        return None
    rest = deadline - time.monotonic()
    if rest <= 0:
        raise DeadlineExceeded
    return rest


class DeadlineExceeded(TimeoutError):
    """The deadline of a call has passed. Other TimeoutErrors may come from signal handlers."""


def is_of_socket(error: BaseException) -> bool:
    """Whether an OSError was raised by the socket, not by a signal handler."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    module = "" if trace is None else str(trace.tb_frame.f_globals.get("__name__"))
    return module in (__name__, "ssl", "socket", "http.client") or module.startswith(
        ("gevent.", "eventlet.")
    )


def open_socket(
    address: Address, tls: Optional[ssl.SSLContext], deadline: Optional[float]
) -> socket.socket:
    """A connected socket. tls: None: without TLS. Raises TransportError."""
    stream = None
    try:
        if address.kind == "unix":
            stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            stream.settimeout(remaining(deadline))
            stream.connect(address.path)
        else:
            stream = socket.create_connection(
                (address.host, address.port), timeout=remaining(deadline)
            )
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls is not None:
            stream.settimeout(remaining(deadline))
            stream = tls.wrap_socket(stream, server_hostname=address.host or None)
        return stream
    except OSError as error:
        if stream is not None:
            stream.close()
        raise fault_of(error, address) from error


def pending(stream: socket.socket) -> Optional[bytes]:
    """Bytes that can be read without waiting; b"": the peer has closed the connection; None: no
    bytes yet.
    """
    stream.settimeout(0)
    try:
        return stream.recv(PIECE)
    except (BlockingIOError, ssl.SSLWantReadError):
        return None
    except OSError:
        return b""


def _poll_for(stream: socket.socket) -> Any:
    """A poll object for reading from the stream; None if the system has no poll."""
    if not hasattr(select, "poll"):
        return None
    poll = select.poll()
    poll.register(stream, select.POLLIN)
    return poll


class PendingCall:
    """A call in flight."""

    __slots__ = ("sequence_id", "event", "state")

    def __init__(self) -> None:
        self.sequence_id: Optional[int] = None
        self.event: Any = None
        self.state: CallState = "not_sent"
        """"sent" as soon as a byte may have been sent."""


class Turn:
    """A lock with a deadline that knows its holder: a repeated release has no effect."""

    def __init__(self) -> None:
        self.holder: Any = None
        self._lock = threading.Lock()
        self._released = threading.Condition(self._lock)

    def take(self, holder: Any, deadline: Optional[float]) -> None:
        """Raises DeadlineExceeded."""
        with self._lock:
            while self.holder is not None:
                self._released.wait(remaining(deadline))
            self.holder = holder

    def release(self, holder: Any) -> None:
        """Does nothing if `holder` does not hold the lock."""
        with self._lock:
            if self.holder is holder:
                self.holder = None
                self._released.notify()


class Link:
    """A stream connection shared by threads: every thread sends its call, and one of the waiting
    threads reads for all.

    An error closes the connection: all calls in flight raise it, and the next call raises Unsent.
    So does an exception, such as
    KeyboardInterrupt, while a call is sent or read: the stream may then be inside a message.

    State that an exception at any line could leave set is recorded with its call (`_sender`,
    `_reader`), released on the normal path, and released again by the exception handler. Use `with`
    on the lock itself: `with` on a Condition runs Python code in which an exception would leave it
    locked.
    """

    def __init__(self, target: Target, deadline: Optional[float]):
        self.target = target
        self.fault: Optional[Error] = None
        self._session = target.session()
        self._init_locks()
        self._waiting: dict[int, PendingCall] = {}
        self._sender: Optional[PendingCall] = None
        self._reader: Optional[PendingCall] = None
        self._buffer = memoryview(bytearray(PIECE))
        self._is_ready = target.transport != "sasl"
        self._socket = open_socket(target.address, target.tls, deadline)
        self._timeout: Optional[float] = -1.0  # last timeout of the socket
        self._poll = _poll_for(self._socket) if target.tls is None else None
        _fork.register(self)
        try:
            self._negotiate(deadline)
        except BaseException:
            self.close()
            raise

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
            self._end(closed_of(self.target.address, "the client was closed"))

    def abandon(self) -> None:
        """In a child process: closes the socket without a shutdown, which would close the
        connection of the parent too.
        """
        self._init_locks()
        self._waiting.clear()
        self._sender = self._reader = None
        self.fault = self.fault or abandoned_of(self.target.address)
        self._socket.close()

    def is_stale(self) -> bool:
        """Whether the connection is closed, possibly by the server while it was idle."""
        if self.fault is not None:
            return True
        if self._waiting or self._lock.locked():
            return False
        with self._lock:
            if (
                self._reader is not None
                or self._waiting
                or (self._poll is not None and not self._poll.poll(0))
            ):
                return False
            try:
                self._timeout = 0
                data = pending(self._socket)
                if data == b"":
                    self._end(closed_of(self.target.address))
                elif data is not None:
                    self._take(data)
            except BaseException as error:
                self._end(interrupted_of(self.target.address, error))
                raise
        return self.fault is not None

    def call(self, request: Request) -> Any:
        """The event of the reply; None for a oneway call.

        Raises Unsent, TransportError, DecodeError.
        """
        call = PendingCall()
        try:
            if self._tls_turn is None:
                return self._call(request, call)
            self._tls_turn.take(call, request.deadline)
            event = self._call(request, call)
            self._tls_turn.release(call)
            return event
        except DeadlineExceeded:
            error = timeout_of(
                self.target.address,
                f"no reply to {request.name} in time"
                if call.sequence_id
                else "no connection was free in time",
            )
            self._abandon(call, error)
            raise set_call_state(error, call.state) from None
        except BaseException as fault:
            self._abandon(call, fault)
            if isinstance(fault, Error):
                set_call_state(fault, call.state)
            raise

    def _call(self, request: Request, call: PendingCall) -> Any:
        self._send(request, call)
        return None if request.oneway else self._wait(call, request.deadline)

    def _send(self, request: Request, call: PendingCall) -> None:
        with self._sending:
            data = self._start_call(request, call)
            sent = 0
            view = memoryview(data)
            while sent < len(view):
                self._set_timeout(request.deadline)
                call.state = "sent"
                try:
                    sent += self._socket.send(view[sent:])
                except OSError as error:
                    if not is_of_socket(error):
                        raise
                    if isinstance(error, Timeouts):
                        continue  # the deadline decides: another thread may have set the timeout
                    fault = self._fail(error)
                    raise (Unsent(fault) if sent == 0 else fault) from error
            self._sender = None

    def _start_call(self, request: Request, call: PendingCall) -> bytes:
        """Registers a call and returns its bytes."""
        with self._lock:
            if (
                self._sender is not None and self.fault is None
            ):  # an exception came before its handler was entered
                self._end(
                    closed_of(self.target.address, "a call was left in the middle of sending")
                )
            if self.fault is not None:
                raise Unsent(self.fault)
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
            return data  # type: ignore[no-any-return]

    def _wait(self, call: PendingCall, deadline: Optional[float]) -> Any:
        assert call.sequence_id is not None
        while True:
            with self._lock:
                while (
                    call.event is None and self.fault is None and self._reader not in (None, call)
                ):
                    self._arrived.wait(remaining(deadline))
                if call.event is not None:
                    self._waiting.pop(call.sequence_id, None)
                    return call.event
                if self.fault is not None:
                    raise copy.copy(self.fault)
                self._reader = call
            self._read(deadline)

    def _read(self, deadline: Optional[float]) -> None:
        """Reads once, for all calls in flight."""
        self._set_timeout(deadline)
        try:
            size = self._socket.recv_into(self._buffer)
        except OSError as error:
            if not is_of_socket(error):
                raise
            if not isinstance(error, Timeouts):
                self._fail(error)
            return
        with self._lock:
            if size:
                self._take(self._buffer[:size])
                self._buffer = next_buffer(self._buffer, size)
            else:
                self._finish()
            self._reader = None
            self._arrived.notify_all()

    def _set_timeout(self, deadline: Optional[float]) -> None:
        """Sets the timeout of the socket, a system call, unless the current one is at most one
        percent longer.
        """
        timeout, current = remaining(deadline), self._timeout
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
                if event.what == "message":
                    if event.sequence_id in self._waiting:
                        self._waiting[event.sequence_id].event = event
                elif event.what == "send":
                    self._socket.sendall(event.data)
                elif event.what == "ready":
                    self._is_ready = True
        except Error as error:
            self._end(error)
        except OSError as error:
            self._end(fault_of(error, self.target.address))

    def _finish(self) -> None:
        """The server has closed the connection. Called under the lock."""
        try:
            self._session.finish()
        except Error as error:
            self._end(
                closed_of(
                    self.target.address,
                    f"the server closed the connection inside a message ({error})",
                )
            )
        else:
            self._end(unanswered(self.target, self._session))

    def _fail(self, error: OSError) -> Error:
        fault = fault_of(error, self.target.address)
        with self._lock:
            self._end(fault)
        return fault

    def _end(self, error: Error) -> None:
        """Called under the lock."""
        if self.fault is None:
            self.fault = error
        self._reader = self._sender = None
        self._arrived.notify_all()
        try:
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes a thread that reads
        except OSError:
            pass
        self._socket.close()

    def _abandon(self, call: PendingCall, error: BaseException) -> None:
        """Removes a failed call.

        If others are in flight and no read was interrupted, its reply is ignored; else the
        connection is closed.
        """
        with self._lock:
            is_inside = self._sender is call or (
                self._reader is call and not isinstance(error, TransportError)
            )
            if self._reader is call:
                self._reader = None
            is_waiting = (
                call.sequence_id is not None
                and self._waiting.pop(call.sequence_id, None) is not None
            )
            if self.fault is None:
                if is_waiting:
                    self._session.cancel(call.sequence_id)
                if is_inside or (is_waiting and not self._waiting):
                    self._end(
                        error
                        if isinstance(error, TransportError)
                        else interrupted_of(self.target.address, error)
                    )
            self._arrived.notify_all()
        if self._tls_turn is not None:
            self._tls_turn.release(call)

    def _negotiate(self, deadline: Optional[float]) -> None:
        try:
            self._socket.settimeout(remaining(deadline))
            self._socket.sendall(self._session.start())
            while not self._is_ready and self.fault is None:
                self._socket.settimeout(remaining(deadline))
                data = self._socket.recv(PIECE)
                with self._lock:
                    self._take(data) if data else self._finish()
        except OSError as error:
            raise fault_of(error, self.target.address) from error
        if self.fault is not None:
            raise negotiation_fault(self.fault, self.target.address)
