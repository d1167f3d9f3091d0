"""Client connections over HTTP: calls are POST requests on persistent connections."""

from __future__ import annotations

import asyncio
import base64
import copy
import http.client
import socket
import ssl
from typing import Mapping, Optional

from .. import _core
from .._errors import Error
from .._text import shortened
from .._typing import ErrorCode
from . import faults
from . import fork as _fork
from .address import Address
from .faults import DeadlineExceeded, Timeouts, Unsent
from .sockets import PIECE, open_socket, pending
from .target import Request, Target
from .turns import PendingCall, Turn

MEDIA_TYPE = "application/x-thrift"
_ONEWAY = 1.0  # seconds to wait for the response to a oneway call; Apache's C++ servers send none


class _Connection(http.client.HTTPConnection):
    """A connection with a socket of open_socket."""

    def __init__(self, address: Address, tls: Optional[ssl.SSLContext], deadline: Optional[float]):
        super().__init__(address.host or "localhost", address.port or None)
        self.sock: socket.socket = open_socket(address, tls, deadline)
        self.auto_open = 0  # the caller reconnects


class HttpLink:
    """A connection to an HTTP server, shared by threads: one call at a time."""

    def __init__(self, target: Target, deadline: Optional[float]):
        self.target = target
        self.fault: Optional[Error] = None
        tls = target.tls or (
            ssl.create_default_context() if target.address.kind == "https" else None
        )
        self._turn = Turn()
        self._http = _Connection(target.address, tls, deadline)
        self._stream: socket.socket = (
            self._http.sock
        )  # http.client drops it before the last response is read
        _fork.register(self)

    is_free = was_answered = False

    @property
    def in_flight(self) -> int:
        return int(self._turn.holder is not None)

    def close(self, reason: str = "the client was closed") -> None:
        self._end(faults.closed_of(self.target.address, reason))

    def abandon(self) -> None:
        """In a child process: closes the socket without a shutdown."""
        self._turn = Turn()
        self.fault = self.fault or faults.abandoned_of(self.target.address)
        self._stream.close()
        self._http.close()

    def is_stale(self) -> bool:
        """Whether the connection is closed. Unexpected bytes close it, unless they are those of a
        call."""
        self._turn.run_if_held(None, self._read_pending)
        return self.fault is not None

    def _read_pending(self) -> None:
        if self.fault is None and pending(self._stream) is not None:
            self._end(faults.closed_of(self.target.address))

    def cancel(self, call: PendingCall, reason: str) -> None:
        """Ends a call of another thread: closes the connection if the call uses it."""
        call.is_cancelled = True
        self._turn.run_if_held(call, lambda: self.close(reason))

    def call(
        self, request: Request, call: Optional[PendingCall] = None
    ) -> Optional[_core.SessionEvent]:
        """The event of the reply; None for a oneway call.

        Raises Unsent, TransportError, DecodeError."""
        call = call or PendingCall()
        try:
            self._turn.take(call, request.deadline)
            event = self._call(request, call)
            self._turn.release(call)
            return event
        except (Error, Unsent) as error:
            self._turn.release(call)
            if isinstance(error, Error):
                faults.set_call_state(error, call.state)
            raise
        except BaseException as error:
            fault = self._fault_of(call, error, request)
            if self._turn.holder is call:
                self._end(fault or faults.interrupted_of(self.target.address, error))
            self._turn.release(call)
            if fault is None:
                raise
            raise faults.set_call_state(copy.copy(fault), call.state) from error

    def _fault_of(
        self, call: PendingCall, error: BaseException, request: Request
    ) -> Optional[Error]:
        """The error that a call raises instead; None for an exception of a signal handler."""
        address = self.target.address
        is_of_socket = faults.is_of_socket(error)
        if self._turn.holder is not call and isinstance(error, DeadlineExceeded):
            return faults.timeout_of(address, "no connection was free in time")
        if isinstance(error, DeadlineExceeded) or (isinstance(error, Timeouts) and is_of_socket):
            return faults.timeout_of(address, f"no reply to {request.name} in time")
        is_of_http = isinstance(error, http.client.HTTPException)
        if is_of_http or (is_of_socket and isinstance(error, OSError)):
            return self.fault or _http_fault(error, address)
        return None

    def _call(self, request: Request, call: PendingCall) -> Optional[_core.SessionEvent]:
        if self.fault is not None:
            raise Unsent(self.fault)
        if call.is_cancelled:
            raise Unsent(faults.closed_of(self.target.address, "the call was cancelled"))
        session = self.target.session()
        _, body = session.call(
            request.name, request.data, oneway=request.oneway, select=request.select
        )
        self._stream.settimeout(faults.remaining(request.deadline))
        call.state = "sent"
        path = self.target.address.path or "/"
        self._http.request("POST", path, body, self._headers(request.headers))
        reply = self._oneway_response(request) if request.oneway else self._http.getresponse()
        if reply is None:
            return None
        if self.target.cookies is not None:
            self.target.cookies.store(reply)
        if reply.status != 200:
            raise self._refused(reply)
        event = None if request.oneway else self._read(reply, session, request)
        if event is not None:
            event.headers = _headers_of(reply)  # type: ignore[assignment]
        self._drain(reply, request)
        return event

    def _drain(self, reply: http.client.HTTPResponse, request: Request) -> None:
        """Reads the rest of a response, after which the connection is reusable."""
        while reply.read(PIECE):
            self._stream.settimeout(faults.remaining(request.deadline))
        if reply.will_close:
            self._end(faults.closed_of(self.target.address))

    def _oneway_response(self, request: Request) -> Optional[http.client.HTTPResponse]:
        """The response to a oneway call; None if the server sends none."""
        self._stream.settimeout(min(_ONEWAY, faults.remaining(request.deadline) or _ONEWAY))
        try:
            return self._http.getresponse()
        except Timeouts:  # a late response must not be taken for the next one
            self._end(faults.closed_of(self.target.address, "no HTTP response to a oneway call"))
            return None

    def _read(
        self, reply: http.client.HTTPResponse, session: _core.Session, request: Request
    ) -> _core.SessionEvent:
        """Reads the reply in pieces: a selection is applied while it arrives."""
        try:
            while data := reply.read1(PIECE):
                session.lend(data)
                while (event := session.next()) is not None:
                    if event.type == "message":
                        return event
                self._stream.settimeout(faults.remaining(request.deadline))
            session.finish()
        except Error as error:
            self._end(error)
            raise
        raise self._end(
            faults.closed_of(self.target.address, f"the reply to {request.name} is empty")
        )

    def _headers(self, call_headers: Optional[Mapping[str, str]]) -> dict[str, str]:
        address = self.target.address
        headers = {"Content-Type": MEDIA_TYPE, "Accept": MEDIA_TYPE}
        if address.user is not None:
            credentials = f"{address.user}:{address.password or ''}".encode()
            headers["Authorization"] = f"Basic {base64.b64encode(credentials).decode()}"
        headers.update(call_headers or {})
        if self.target.cookies is not None:
            self.target.cookies.add_to(headers)
        return headers

    def _refused(self, reply: http.client.HTTPResponse) -> Error:
        text = reply.read(2000).decode(errors="replace").strip()
        reason = shortened(reply.reason, 100)
        detail = f": {shortened(text, 200)}" if text and text.isprintable() else ""
        code: ErrorCode = "unauthorized" if reply.status in (401, 403) else "http_status"
        error = faults.transport_error(
            self.target.address, f"HTTP {reply.status} {reason}{detail}", code
        )
        error.status = reply.status
        self._end(error)
        return error

    def _end(self, error: Error) -> Error:
        if self.fault is None:
            self.fault = error
        try:
            self._stream.shutdown(socket.SHUT_RDWR)  # wakes a thread that reads
        except OSError:
            pass
        self._http.close()
        return error


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

    async def call(self, request: Request) -> Optional[_core.SessionEvent]:
        """The event of the reply. Raises Unsent, TransportError, DecodeError."""
        self._waits += 1
        call, loop = PendingCall(), asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(None, self._link.call, request, call)
        except asyncio.CancelledError:
            self._link.cancel(call, f"{request.name} was cancelled")
            raise
        finally:
            self._waits -= 1


def _headers_of(reply: http.client.HTTPResponse) -> dict[str, str]:
    """The headers of a response by their names in lower case; values of equal names are joined by
    commas."""
    headers: dict[str, str] = {}
    for name, value in reply.headers.items():
        name = name.lower()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def _http_fault(error: BaseException, address: Address) -> Error:
    ended = (http.client.RemoteDisconnected, http.client.IncompleteRead, http.client.NotConnected)
    if isinstance(error, ended):
        return faults.closed_of(address)
    if isinstance(error, http.client.HTTPException):
        return faults.transport_error(
            address,
            f"invalid HTTP response: {type(error).__name__} {shortened(str(error), 100)}",
            "http_status",
        )
    return faults.fault_of(error, address)
