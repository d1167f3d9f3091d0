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
from . import fork as _fork
from .address import Address
from .cookies import Cookies
from .._errors import CallState, DecodeError, Error, TransportError

Timeouts = (TimeoutError, socket.timeout)  # one and the same from Python 3.10 on
PIECE = 65536  # below the size from which malloc asks the kernel for each block
ROOM = 262144  # of a connection that has filled a piece: large replies come in a quarter of the pieces


class Target(NamedTuple):
    """Where to, and what is spoken there."""

    address: Address
    transport: str = "buffered"
    protocol: str = "binary"
    tls: Optional[ssl.SSLContext] = None
    limits: tuple[tuple[str, int], ...] = ()
    """Those of the session: frame_size, header_size, calls, depth."""
    cookies: Optional[Cookies] = None
    """What the server has set; None where cookies are not kept."""

    def session(self) -> Any:
        """A session of a client."""
        words: dict[str, Any] = {"transport": self.transport, "protocol": self.protocol, **dict(self.limits)}
        if self.transport == "sasl":
            words.update(user=self.address.user or "anonymous", password=self.address.password or "")
        return _core.Session("client", **words)


class Request(NamedTuple):
    """One call, ready to be sent."""

    name: str
    data: bytes
    oneway: bool
    headers: Any
    select: Any
    deadline: Optional[float]


class Unsent(Exception):
    """Nothing of the call was sent: it may be sent again."""

    def __init__(self, error: Error):
        super().__init__(str(error))
        self.error = copy.copy(error)
        self.error.call_state = "not_sent"


def room_after(room: memoryview, size: int) -> memoryview:
    """What is read into next, where so many bytes came last."""
    return room if size < len(room) or size >= ROOM else memoryview(bytearray(ROOM))


def fault_of(error: BaseException, address: Address) -> TransportError:
    """What the operating system or TLS says, as our exception."""
    if isinstance(error, TransportError):
        return error
    if isinstance(error, ssl.SSLCertVerificationError):
        return TransportError(f"{address}: the certificate is not trusted: {error.verify_message or error}", code="certificate")
    if isinstance(error, ssl.SSLError):
        known = {"WRONG_VERSION_NUMBER", "UNEXPECTED_EOF_WHILE_READING", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG"}
        doubt = ": does the server speak TLS?" if error.reason in known else ""
        return TransportError(f"{address}: TLS failed: {error.reason or error}{doubt}", code="tls")
    if isinstance(error, Timeouts):
        return timeout_of(address, "no answer in time")
    if isinstance(error, ConnectionRefusedError):
        return TransportError(f"{address}: connection refused: nothing listens there", code="connection_refused")
    if isinstance(error, (ConnectionError, EOFError)):
        return closed_of(address)
    if isinstance(error, (socket.gaierror, FileNotFoundError)):
        return TransportError(f"{address}: not found: {_reason(error)}", code="not_found")
    return TransportError(f"{address}: {_reason(error)}", code="connection_failed")


def _reason(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


@contextlib.contextmanager
def naming(place: str) -> Iterator[None]:
    """Errors of the operating system say where."""
    try:
        yield
    except OSError as error:
        if error.filename is None and place not in str(error):
            error.filename = place
        raise


def timeout_of(address: Address, what: str) -> TransportError:
    return TransportError(f"{address}: {what}", code="timeout")


def closed_of(address: Address, what: str = "the server closed the connection") -> TransportError:
    return TransportError(f"{address}: {what}", code="closed")


def abandoned_of(address: Address) -> TransportError:
    """The connection of a parent process."""
    return closed_of(address, "the connection belongs to the process that was forked")


def interrupted_of(address: Address, error: BaseException) -> TransportError:
    """An exception came in the middle of a call."""
    return closed_of(address, f"the call was interrupted by {type(error).__name__}")


def set_call_state(error: Error, state: CallState) -> Error:
    """Sets the state of the call in its error, unless it is set. A reply that cannot be decoded and an HTTP status are answers."""
    if error.call_state is None:
        is_answer = state == "sent" and (isinstance(error, DecodeError) or error.code in _STATUS_CODES)
        error.call_state = "answered" if is_answer else state
    return error


_STATUS_CODES = ("http_status", "unauthorized")  # an HTTP server has answered


def unanswered(target: Target, session: Any) -> TransportError:
    """The server has closed; where it has never said a word it may speak something else."""
    doubt = "" if session.fed else f" without an answer: does it speak {target.transport} {target.protocol}?"
    return closed_of(target.address, f"the server closed the connection{doubt}")


def negotiation_fault(error: Error, address: Address) -> Error:
    """Of a server that lets the user not in."""
    return TransportError(f"{address}: {error}", code="unauthorized") if error.code == "refused" else error


def left(deadline: Optional[float]) -> Optional[float]:
    """Seconds until then. Raises Overdue where it is past."""
    if deadline is None:
        return None
    rest = deadline - time.monotonic()
    if rest <= 0:
        raise Overdue
    return rest


class Overdue(TimeoutError):
    """The deadline of a call is past. Any other TimeoutError may be a signal handler's."""


def is_of_socket(error: BaseException) -> bool:
    """Whether an OSError was raised by the socket rather than by a signal handler that ran meanwhile."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    module = "" if trace is None else str(trace.tb_frame.f_globals.get("__name__"))
    return module in (__name__, "ssl", "socket", "http.client") or module.startswith(("gevent.", "eventlet."))


def open_socket(address: Address, tls: Optional[ssl.SSLContext], deadline: Optional[float]) -> socket.socket:
    """A connected socket, through TLS where a context is given. Raises TransportError."""
    made = None
    try:
        if address.kind == "unix":
            made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            made.settimeout(left(deadline))
            made.connect(address.path)
        else:
            made = socket.create_connection((address.host, address.port), timeout=left(deadline))
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls is not None:
            made.settimeout(left(deadline))
            made = tls.wrap_socket(made, server_hostname=address.host or None)
        return made
    except OSError as error:
        if made is not None:
            made.close()
        raise fault_of(error, address) from error


def pending(stream: socket.socket) -> Optional[bytes]:
    """What can be read at once: b"" where the peer has closed, None where there is nothing. Never waits."""
    stream.settimeout(0)
    try:
        return stream.recv(PIECE)
    except (BlockingIOError, ssl.SSLWantReadError):
        return None
    except OSError:
        return b""


def _poll_of(stream: socket.socket) -> Any:
    """Tells whether something can be read, in one call of the kernel; None where the system has no poll."""
    if not hasattr(select, "poll"):
        return None
    made = select.poll()
    made.register(stream, select.POLLIN)
    return made


class PendingCall:
    """A call from the moment it is sent until its reply is taken."""

    __slots__ = ("sequence_id", "event", "state")

    def __init__(self) -> None:
        self.sequence_id: Optional[int] = None
        self.event: Any = None
        self.state: CallState = "not_sent"
        """"sent" as soon as a byte may have been sent."""


class Turn:
    """A lock with a deadline that knows its holder, so that a call that an exception ended can release it twice."""

    def __init__(self) -> None:
        self.holder: Any = None
        self._lock = threading.Lock()
        self._released = threading.Condition(self._lock)

    def take(self, holder: Any, deadline: Optional[float]) -> None:
        """Raises Overdue."""
        with self._lock:
            while self.holder is not None:
                self._released.wait(left(deadline))
            self.holder = holder

    def release(self, holder: Any) -> None:
        """Does nothing where another holds it."""
        with self._lock:
            if self.holder is holder:
                self.holder = None
                self._released.notify()


class Link:
    """One stream to a server. Threads share it: each sends its call; one of those that wait reads for all of them.

    A fault ends it: all who wait get the error, and whoever calls next is told that nothing was sent. So does an exception, such as
    KeyboardInterrupt, that comes while a call is sent or read: the stream may then be in the middle of a message.

    What an exception at any line could leave behind is recorded by the call that did it (`_sender`, `_reader`), released on the normal path, and
    released again by the handler of exceptions. Locks are entered by `with` on the lock itself: `with` on a Condition runs Python code
    in which an exception would leave it locked."""

    def __init__(self, target: Target, deadline: Optional[float]):
        self.target = target
        self.fault: Optional[Error] = None
        self._session = target.session()
        self._init_locks()
        self._waiting: dict[int, PendingCall] = {}
        self._sender: Optional[PendingCall] = None
        self._reader: Optional[PendingCall] = None
        self._room = memoryview(bytearray(PIECE))  # read into again and again
        self._is_ready = target.transport != "sasl"
        self._socket = open_socket(target.address, target.tls, deadline)
        self._timeout: Optional[float] = -1.0  # the socket's, as set last
        self._news = _poll_of(self._socket) if target.tls is None else None
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
        self._alone = Turn() if self.target.tls else None  # OpenSSL's objects serve one thread at a time

    @property
    def in_flight(self) -> int:
        return len(self._waiting)

    def close(self) -> None:
        """Ends it; those who wait get an error."""
        with self._lock:
            self._end(closed_of(self.target.address, "the client was closed"))

    def abandon(self) -> None:
        """In a child process: the connection is the parent's. It is not shut down, which would end the parent's too."""
        self._init_locks()
        self._waiting.clear()
        self._sender = self._reader = None
        self.fault = self.fault or abandoned_of(self.target.address)
        self._socket.close()

    def is_stale(self) -> bool:
        """Whether the peer has closed meanwhile, as it may while nothing is asked."""
        if self.fault is not None:
            return True
        if self._waiting or self._lock.locked():
            return False
        with self._lock:
            if self._reader is not None or self._waiting or (self._news is not None and not self._news.poll(0)):
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
        """The event of the reply; None of a oneway call. Raises Unsent, TransportError, DecodeError."""
        call = PendingCall()
        try:
            if self._alone is None:
                return self._call(request, call)
            self._alone.take(call, request.deadline)
            event = self._call(request, call)
            self._alone.release(call)
            return event
        except Overdue:
            error = timeout_of(self.target.address, f"no reply to {request.name} in time" if call.sequence_id else "no connection was free in time")
            self._leave(call, error)
            raise set_call_state(error, call.state) from None
        except BaseException as fault:
            self._leave(call, fault)
            if isinstance(fault, Error):
                set_call_state(fault, call.state)
            raise

    def _call(self, request: Request, call: PendingCall) -> Any:
        self._send(request, call)
        return None if request.oneway else self._wait(call, request.deadline)

    def _send(self, request: Request, call: PendingCall) -> None:
        with self._sending:
            data = self._begin(request, call)
            sent = 0
            view = memoryview(data)
            while sent < len(view):
                self._limit(request.deadline)
                call.state = "sent"
                try:
                    sent += self._socket.send(view[sent:])
                except OSError as error:
                    if not is_of_socket(error):
                        raise
                    if isinstance(error, Timeouts):
                        continue  # whether the time is up says the deadline: another thread may have set the timeout
                    fault = self._fail(error)
                    raise (Unsent(fault) if sent == 0 else fault) from error
            self._sender = None

    def _begin(self, request: Request, call: PendingCall) -> bytes:
        """The bytes of a call that is in flight from now on."""
        with self._lock:
            if self._sender is not None and self.fault is None:  # an exception came between it and its handler
                self._end(closed_of(self.target.address, "a call was left in the middle of sending"))
            if self.fault is not None:
                raise Unsent(self.fault)
            self._sender = call
            try:
                call.sequence_id, data = self._session.call(
                    request.name, request.data, oneway=request.oneway, headers=request.headers, deadline=request.deadline, select=request.select
                )
            except (Error, TypeError):  # refused: nothing is in flight
                self._sender = None
                raise
            if not request.oneway:
                self._waiting[call.sequence_id] = call
            made: bytes = data
            return made

    def _wait(self, call: PendingCall, deadline: Optional[float]) -> Any:
        assert call.sequence_id is not None
        while True:
            with self._lock:
                while call.event is None and self.fault is None and self._reader not in (None, call):
                    self._arrived.wait(left(deadline))
                if call.event is not None:
                    self._waiting.pop(call.sequence_id, None)
                    return call.event
                if self.fault is not None:
                    raise copy.copy(self.fault)
                self._reader = call  # until something has come
            self._read(deadline)

    def _read(self, deadline: Optional[float]) -> None:
        """One piece, for all who wait."""
        self._limit(deadline)
        try:
            size = self._socket.recv_into(self._room)
        except OSError as error:
            if not is_of_socket(error):
                raise
            if not isinstance(error, Timeouts):
                self._fail(error)
            return
        with self._lock:
            if size:
                self._take(self._room[:size])
                self._room = room_after(self._room, size)
            else:
                self._finish()
            self._reader = None
            self._arrived.notify_all()

    def _limit(self, deadline: Optional[float]) -> None:
        """Sets the socket's timeout where it is another by more than a hundredth: each time asks the kernel."""
        rest, now = left(deadline), self._timeout
        if rest == now or (rest is not None and now is not None and rest <= now <= rest * 1.01):
            return
        self._timeout = rest
        self._socket.settimeout(rest)

    def _take(self, data: Union[bytes, memoryview]) -> None:
        """Under the lock."""
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
        """The peer has closed; under the lock."""
        try:
            self._session.finish()
        except Error as error:
            self._end(closed_of(self.target.address, f"the server closed the connection inside a message ({error})"))
        else:
            self._end(unanswered(self.target, self._session))

    def _fail(self, error: OSError) -> Error:
        fault = fault_of(error, self.target.address)
        with self._lock:
            self._end(fault)
        return fault

    def _end(self, error: Error) -> None:
        """Under the lock."""
        if self.fault is None:
            self.fault = error
        self._reader = self._sender = None
        self._arrived.notify_all()
        try:
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes a thread that reads
        except OSError:
            pass
        self._socket.close()

    def _leave(self, call: PendingCall, error: BaseException) -> None:
        """Ends a call that nobody waits for any more. Where others wait and the stream is between two reads its reply is passed over, else the
        connection ends."""
        with self._lock:
            is_inside = self._sender is call or (self._reader is call and not isinstance(error, TransportError))
            if self._reader is call:
                self._reader = None
            is_waiting = call.sequence_id is not None and self._waiting.pop(call.sequence_id, None) is not None
            if self.fault is None:
                if is_waiting:
                    self._session.cancel(call.sequence_id)
                if is_inside or (is_waiting and not self._waiting):
                    self._end(error if isinstance(error, TransportError) else interrupted_of(self.target.address, error))
            self._arrived.notify_all()
        if self._alone is not None:
            self._alone.release(call)

    def _negotiate(self, deadline: Optional[float]) -> None:
        try:
            self._socket.settimeout(left(deadline))
            self._socket.sendall(self._session.start())
            while not self._is_ready and self.fault is None:
                self._socket.settimeout(left(deadline))
                data = self._socket.recv(PIECE)
                with self._lock:
                    self._take(data) if data else self._finish()
        except OSError as error:
            raise fault_of(error, self.target.address) from error
        if self.fault is not None:
            raise negotiation_fault(self.fault, self.target.address)

