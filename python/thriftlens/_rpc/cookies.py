"""Cookies of an HTTP server, kept for the connections of one client."""

from __future__ import annotations

import http.client
from typing import Any, Mapping

from . import fork as _fork
from .address import Address


class Cookies:
    """The cookies that one address has set. Threads may share it."""

    def __init__(self, address: Address):
        place = "localhost" if address.kind == "unix" else f"[{address.host}]:{address.port}" if ":" in address.host else f"{address.host}:{address.port}"
        self._url = f"{address.kind if address.is_http else 'http'}://{place}{address.path if address.is_http else '/'}"
        self._jar: Any = None  # made by the first cookie
        _fork.register(self)

    def store(self, reply: http.client.HTTPResponse) -> None:
        """Takes over what a response sets."""
        if reply.headers.get("Set-Cookie") is None:
            return
        from http.cookiejar import CookieJar

        if self._jar is None:
            self._jar = CookieJar()
        self._jar.extract_cookies(reply, self._request())

    def add_to(self, headers: dict[str, str]) -> None:
        """Adds the cookies to the headers of a request, after those that the caller gives."""
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
        """In a child process: a copy, since another thread may have held the lock of the old jar."""
        if self._jar is None:
            return
        from http.cookiejar import CookieJar

        copy = CookieJar()
        for cookie in self._jar:
            copy.set_cookie(cookie)
        self._jar = copy

    def _request(self) -> Any:
        from urllib.request import Request

        return Request(self._url)


def reply_headers(reply: http.client.HTTPResponse) -> Mapping[str, str]:
    """The headers of a response by their names in lower case; equal names are joined by commas."""
    headers: dict[str, str] = {}
    for name, value in reply.headers.items():
        name = name.lower()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


