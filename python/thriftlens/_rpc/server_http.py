"""Server sessions over HTTP: a POST request is a call. HTTP is parsed by h11."""

from __future__ import annotations

import http.client
from typing import Any, Iterable, Mapping, Optional

from .. import _core
from .._errors import Error
from .._optional import package
from .events import AnswerKind, HttpEvent
from .http_transport import MEDIA_TYPE
from .options import Limits, Protocol
from .request_head import find_fault
from .users import basic_credentials

h11: Any = package("h11", "HTTP needs", "'thriftlens[http]'")


_Part = Any  # an event of h11
Rows = Iterable[tuple[str, str]]
_MALFORMED = "the request is malformed"
_CHUNKS = 1024  # maximum small chunks of a body; they take as much time as large ones
_CHUNK_SIZE = 64  # minimum average bytes of further chunks


class Refused(Error):
    """An invalid request. `data` is the response, after which the connection is closed."""

    data: bytes = b""


class HttpSession:
    """The session of an HTTP/1.1 connection. The next request is read after the response to the
    last one.

    Headers are bounded by header_size, bodies by frame_size."""

    def __init__(self, limits: Limits, protocol: Protocol, requires_user: bool):
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=limits.header_size)
        self._frame_size = limits.frame_size
        self._header_size = limits.header_size
        self._inner = _core.Session(
            "server",
            transport="http",
            protocol=protocol,
            frame_size=limits.frame_size,
            header_size=limits.header_size,
            depth=limits.depth,
            calls=2,
        )
        self._requires_user = requires_user
        self._accepted: Optional[str] = None
        self._credentials: Optional[str] = None
        self._headers: dict[str, str] = {}
        self._message: Optional[_core.SessionEvent] = None
        self._size = 0
        self._chunks = 0
        self._has_begun = False

    @property
    def is_over(self) -> bool:
        """Whether the connection ends after the last response."""
        return self._http.our_state in (h11.MUST_CLOSE, h11.CLOSED, h11.ERROR)

    @property
    def held(self) -> int:
        """Bytes of the partial body."""
        return self._inner.held

    def feed(self, data: memoryview) -> None:
        """Raises Refused if the connection does not begin with an HTTP method; h11 would wait for a
        line feed."""
        if not self._has_begun and not ord("A") <= data[0] <= ord("Z"):
            raise self._refused(
                400,
                "expected an HTTP request, found "
                f"{_core.Session.foreign_protocol(bytes(data[:64])) or 'other bytes'}",
            )
        self._has_begun = True
        self._http.receive_data(data)

    def next(self) -> Optional[HttpEvent]:
        """The next event, or None. Raises Refused."""
        while True:
            event = self._next_part()
            if event is h11.NEED_DATA and self._http.they_are_waiting_for_100_continue:
                response = h11.InformationalResponse(
                    status_code=100, reason=b"Continue", headers=[]
                )
                return HttpEvent("send", data=self._sent(response))
            if event in (h11.NEED_DATA, h11.PAUSED) or isinstance(event, h11.ConnectionClosed):
                return None
            if isinstance(event, h11.Request):
                self._begin(event)
                if self._requires_user and not self._is_accepted():
                    return self._user()
            elif isinstance(event, h11.Data):
                self._chunks += event.chunk_start
                self._take(event.data)
            else:
                return self._message_event()

    def _next_part(self) -> _Part:
        try:
            return self._http.next_event()
        except h11.RemoteProtocolError as error:  # its text may contain credentials
            status = error.error_status_hint or 400
            reason = _MALFORMED if status == 400 else http.client.responses[status].lower()
            raise self._refused(status, reason) from None

    def _is_accepted(self) -> bool:
        return self._credentials is not None and self._credentials == self._accepted

    def admit(self) -> None:
        """Accepts the credentials of the current request, and of further requests with the same
        ones."""
        self._accepted = self._credentials

    def unauthorized(self, reason: str = "wrong user or password") -> Refused:
        """The error for rejected credentials."""
        return self._refused(401, reason, [("WWW-Authenticate", 'Basic realm="thriftlens"')])

    def reply(
        self,
        event: HttpEvent,
        kind: AnswerKind,
        data: bytes,
        *,
        headers: Optional[Mapping[str, str]] = None,
    ) -> bytes:
        """The response with the reply to a call. headers: of the response."""
        body = self._inner.reply(event.inner, kind, data)  # type: ignore[arg-type]
        return self._response(body, headers or {})

    def skip_reply(self, event: HttpEvent) -> None:
        """Has no effect: every request has a response."""

    def accepted(self) -> bytes:
        """The empty response to a oneway call."""
        return self._response(b"", {})

    def _begin(self, request: _Part) -> None:
        self._headers = {name.decode(): value.decode("latin-1") for name, value in request.headers}
        self._message, self._size, self._chunks = None, 0, 0
        self._check_head(request)
        if sum(name == b"authorization" for name, _ in request.headers) > 1:
            raise self._refused(400, "more than one Authorization header")
        if self._headers.get("content-encoding", "identity").strip().lower() != "identity":
            raise self._refused(
                415, "Content-Encoding is not supported", [("Accept-Encoding", "identity")]
            )
        if int(self._headers.get("content-length", 0)) > self._frame_size:
            raise self._too_large()
        self._credentials = self._headers.get("authorization")

    def _check_head(self, request: _Part) -> None:
        if sum(len(name) + len(value) for name, value in request.headers) > self._header_size:
            raise self._refused(431, f"the headers exceed the limit of {self._header_size} bytes")
        if not request.http_version.startswith(b"1."):
            raise self._refused(505, "the server supports HTTP/1.1 only")
        if fault := find_fault(request.headers, request.http_version.decode()):
            raise self._refused(400, fault)
        if request.method != b"POST":
            raise self._refused(405, "calls require the method POST", [("Allow", "POST")])

    def _user(self) -> HttpEvent:
        credentials = basic_credentials(self._credentials or "")
        if credentials is None:
            raise self.unauthorized("user and password are required: Authorization: Basic")
        return HttpEvent("ready", headers={"user": credentials[0], "password": credentials[1]})

    def _take(self, data: bytes) -> None:
        self._size += len(data)
        if self._size > self._frame_size:
            raise self._too_large()
        if self._chunks > _CHUNKS + self._size // _CHUNK_SIZE:
            raise self._refused(400, "the chunks of the body are too small")
        try:
            self._inner.feed(data)
            if self._message is None:
                self._message = self._inner.next()
        except Error as error:
            raise self._refused(400, f"the body is not a valid call: {error}") from None
        if self._message is not None and self._inner.held:
            raise self._refused(400, "bytes follow the call")

    def _message_event(self) -> HttpEvent:
        event = self._message
        if event is None:
            raise self._refused(
                400, "the body ends inside the call" if self._size else "the body is empty"
            )
        return HttpEvent(
            "message",
            event.name,
            event.kind,
            event.sequence_id,
            event.data,
            self._headers,
            event.protocol,
            inner=event,
        )

    def _too_large(self) -> Refused:
        return self._refused(413, f"the body exceeds the limit of {self._frame_size} bytes")

    def _refused(self, status: int, reason: str, headers: Rows = ()) -> Refused:
        error = Refused(f"HTTP {status}: {reason}", code="http_status")
        if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = f"{reason}\n".encode()
            rows = [
                ("Content-Type", "text/plain; charset=utf-8"),
                ("Content-Length", str(len(body))),
                ("Connection", "close"),
                *headers,
            ]
            error.data = self._sent(_head(status, rows), h11.Data(data=body), h11.EndOfMessage())
        return error

    def _response(self, body: bytes, headers: Mapping[str, str]) -> bytes:
        rows = [("Content-Type", MEDIA_TYPE), ("Content-Length", str(len(body))), *headers.items()]
        try:
            data = self._sent(_head(200, rows), h11.Data(data=body), h11.EndOfMessage())
        except h11.LocalProtocolError as error:
            raise Error(
                f"the reply headers are not valid in HTTP: {error}", code="bad_option"
            ) from None
        if not self.is_over:
            self._http.start_next_cycle()
        return data

    def _sent(self, *parts: _Part) -> bytes:
        return b"".join(self._http.send(part) or b"" for part in parts)


def _head(status: int, headers: Rows) -> _Part:
    return h11.Response(
        status_code=status, reason=http.client.responses[status].encode(), headers=headers
    )
