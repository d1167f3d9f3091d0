"""The server of a client, and calls with encoded arguments."""

from __future__ import annotations

import http.client
import ssl
from typing import TYPE_CHECKING, Mapping, NamedTuple, Optional, Sequence, Union

from .. import _core
from .._schema.types import Type
from . import fork as _fork
from .address import Address

if TYPE_CHECKING:
    from http.cookiejar import CookieJar
    from urllib.request import Request as HTTPRequest


ResultSelection = tuple[Type, Union[str, Sequence[str]]]


class Cookies:
    """The cookies that one address has set. May be shared by threads."""

    def __init__(self, address: Address):
        self._url = (
            str(address)
            if address.is_http
            else "http://localhost/"
            if address.kind == "unix"
            else f"http://{address}/"
        )
        self._jar: Optional[CookieJar] = None  # created by the first cookie
        _fork.register(self)

    def store(self, response: http.client.HTTPResponse) -> None:
        """Stores the cookies that a response sets."""
        if response.headers.get("Set-Cookie") is None:
            return
        from http.cookiejar import CookieJar

        if self._jar is None:
            self._jar = CookieJar()
        self._jar.extract_cookies(response, self._request())

    def add_to(self, headers: dict[str, str]) -> None:
        """Adds the cookies to the headers of a request, after cookies that the caller has set."""
        if self._jar is None:
            return
        request = self._request()
        self._jar.add_cookie_header(request)
        cookies = request.get_header("Cookie")
        if cookies is None:
            return
        name = next((name for name in headers if name.lower() == "cookie"), "Cookie")
        headers[name] = f"{headers[name]}; {cookies}" if name in headers else cookies

    def abandon(self) -> None:
        """In a child process: copies the jar, since another thread may have held the lock of the
        old one."""
        if self._jar is None:
            return
        jar = type(self._jar)()
        for cookie in self._jar:
            jar.set_cookie(cookie)
        self._jar = jar

    def _request(self) -> HTTPRequest:
        from urllib.request import Request

        return Request(self._url)


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

    def session(self) -> _core.Session:
        """A new client session."""
        has_user = self.transport == "sasl"
        return _core.Session(
            "client",
            transport=self.transport,  # type: ignore[arg-type]
            protocol=self.protocol,  # type: ignore[arg-type]
            user=(self.address.user or "anonymous") if has_user else None,
            password=(self.address.password or "") if has_user else None,
            **dict(self.limits),  # type: ignore[arg-type]
        )


class Request(NamedTuple):
    """A call with encoded arguments."""

    name: str
    data: bytes
    oneway: bool
    headers: Optional[Mapping[str, str]]
    select: Optional[ResultSelection]
    deadline: Optional[float]
