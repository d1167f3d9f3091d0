"""Reads ASGI requests within the limits of a gateway."""

from __future__ import annotations

import asyncio
import sys
from typing import Awaitable, Optional

from ..._rpc.request_head import find_fault
from ..._typing import Receive, Scope
from .answers import CLOSE, Headers, Refusal
from .options import Limits

_SMALL = 4096  # bytes of a body that is read even if limits.in_flight is reached


class Bodies:
    """Total bytes of the bodies of concurrent requests."""

    def __init__(self) -> None:
        self.size = 0


class Disconnected(Exception):
    """The client closed the connection before its request was complete."""


def check_head(scope: Scope, url: str, limits: Limits) -> None:
    """Raises Refusal for a request head that is too long or ambiguous."""
    _check_sizes(scope["headers"], url, limits)
    version = scope.get("http_version", "2")
    if version < "2" and (fault := find_fault(scope["headers"], version)):
        raise Refusal(400, "bad_request", fault, [CLOSE])


def _check_sizes(headers: Headers, url: str, limits: Limits) -> None:
    if len(url) > limits.url:
        raise _exceeds(414, f"the URL of {len(url)} bytes exceeds the limit of {limits.url}")
    if len(headers) > limits.header_count:
        raise _exceeds(431, f"{len(headers)} headers exceed the limit of {limits.header_count}")
    size = sum(len(name) + len(value) for name, value in headers)
    if size > limits.headers:
        raise _exceeds(431, f"the headers of {size} bytes exceed the limit of {limits.headers}")


def header_of(scope: Scope, lower_name: bytes) -> Optional[bytes]:
    """Value of the first header of that name."""
    for name, value in scope["headers"]:
        if name == lower_name:
            return value  # type: ignore[no-any-return]
    return None


async def read_body(scope: Scope, receive: Receive, limits: Limits, bodies: Bodies) -> bytes:
    """The complete body; the caller subtracts its size from `bodies`.

    Raises Disconnected; Refusal for a body that is too large, too slow or compressed."""
    if not _has_body(scope):
        return b""
    _check_body_headers(scope, limits)
    try:
        return await _within(limits.body_seconds, _pieces(receive, limits, bodies))
    except (asyncio.TimeoutError, TimeoutError):
        detail = f"the body did not arrive within {limits.body_seconds:g} seconds"
        raise Refusal(408, "timeout", detail, [CLOSE]) from None


def _has_body(scope: Scope) -> bool:
    is_new = scope.get("http_version", "1.1") >= "2"
    names = (b"content-length", b"transfer-encoding")
    return is_new or any(header_of(scope, name) is not None for name in names)


def _check_body_headers(scope: Scope, limits: Limits) -> None:
    length = header_of(scope, b"content-length")
    if length is not None and length.isdigit() and int(length) > limits.body:
        raise _too_large(limits)
    coding = header_of(scope, b"content-encoding")
    if coding is not None and coding.strip().lower() not in (b"", b"identity"):
        headers = [(b"accept-encoding", b"identity"), CLOSE]
        raise Refusal(415, "content_encoding", "compressed bodies are not supported", headers)


async def _pieces(receive: Receive, limits: Limits, bodies: Bodies) -> bytes:
    body = bytearray()
    try:
        return await _read(receive, limits, bodies, body)
    except BaseException:
        bodies.size -= len(body)
        raise


async def _read(receive: Receive, limits: Limits, bodies: Bodies, body: bytearray) -> bytes:
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Disconnected
        piece = message.get("body", b"")
        if len(body) + len(piece) > limits.body:
            raise _too_large(limits)
        body += piece
        bodies.size += len(piece)
        if bodies.size > limits.in_flight and len(body) > _SMALL:
            detail = f"bodies of concurrent requests exceed the limit of {limits.in_flight} bytes"
            raise Refusal(503, "busy", detail, [(b"retry-after", b"1"), CLOSE])
        if not message.get("more_body", False):
            return bytes(body)


def _too_large(limits: Limits) -> Refusal:
    return _exceeds(413, f"the body exceeds the limit of {limits.body} bytes")


def _exceeds(status: int, detail: str) -> Refusal:
    return Refusal(status, "size_limit", detail, [CLOSE])


if sys.version_info >= (3, 11):

    async def _within(seconds: float, work: Awaitable[bytes]) -> bytes:
        async with asyncio.timeout(seconds):
            return await work

else:

    async def _within(seconds: float, work: Awaitable[bytes]) -> bytes:
        return await asyncio.wait_for(work, seconds)
