"""Forwards trace ids (W3C, B3) and other headers to upstream calls; writes the access log."""

from __future__ import annotations

import json
import logging
import re
import time
from typing import Iterable, Optional, Protocol

from ..._rpc.log import logger
from ..._typing import Scope

TRACES = tuple(
    (
        "traceparent tracestate b3 x-b3-traceid x-b3-spanid x-b3-parentspanid x-b3-sampled "
        "x-b3-flags"
    ).split()
)
_TRACEPARENT = re.compile(
    rb"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
)
_SINGLE = re.compile(
    rb"(?:0|([0-9a-f]{16}(?:[0-9a-f]{16})?)-[0-9a-f]{16}(?:-[01d](?:-[0-9a-f]{16})?)?|[01d])"
)
_LOG = logger("thriftlens.access")
_VALUE = 4096


class Carrier:
    """Selects the headers to forward.

    Drops invalid trace ids and values with control characters."""

    def __init__(self, more: Iterable[str]):
        self._names = {name.lower().encode("latin-1"): name.lower() for name in (*TRACES, *more)}

    def headers(self, scope: Scope) -> Optional[dict[str, str]]:
        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            target = self._names.get(name)
            if target is not None and target not in headers and is_sound(target, value):
                headers[target] = value.decode("latin-1")
        if "tracestate" in headers and "traceparent" not in headers:
            del headers["tracestate"]
        return headers or None


def is_sound(name: str, value: bytes) -> bool:
    if name == "traceparent":
        return _TRACEPARENT.fullmatch(value) is not None
    if name == "b3":
        return _SINGLE.fullmatch(value) is not None
    return len(value) <= _VALUE and all(byte >= 0x20 and byte != 0x7F for byte in value)


def trace_id_of(carried: Optional[dict[str, str]]) -> Optional[str]:
    """The trace id for the access log."""
    if not carried:
        return None
    if "traceparent" in carried:
        return carried["traceparent"].split("-")[1]
    return carried.get("x-b3-traceid") or (carried["b3"].split("-")[0] if "b3" in carried else None)


def is_logged() -> bool:
    return _LOG.isEnabledFor(logging.INFO)


class LoggedRequest(Protocol):
    """The members of the access log that are not in the head or the response."""

    function: Optional[str]
    role: Optional[str]
    carried: Optional[dict[str, str]]
    code: Optional[str]


def log(scope: Scope, request: LoggedRequest, status: int, size: int, seconds: float) -> None:
    """Logs a line of JSON without query, headers and body, which may contain secrets."""
    client = scope.get("client")
    entry = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "client": client[0] if client else None,
        "method": scope["method"],
        "path": scope["path"],
        "status": status,
        "bytes": size,
        "ms": round(seconds * 1000, 3),
        "function": request.function,
        "role": request.role,
        "trace": trace_id_of(request.carried),
        "code": request.code,
    }
    _LOG.info(json.dumps({name: value for name, value in entry.items() if value is not None}))
