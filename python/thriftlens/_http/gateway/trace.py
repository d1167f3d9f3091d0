"""Trace ids of W3C and B3, and other headers, that go on into the call."""

from __future__ import annotations

import json
import logging
import re
import time
from typing import Any, Iterable, Optional

from ..._rpc.log import logger

TRACES = ("traceparent", "tracestate", "b3", "x-b3-traceid", "x-b3-spanid", "x-b3-parentspanid", "x-b3-sampled", "x-b3-flags")
_TRACEPARENT = re.compile(rb"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
_SINGLE = re.compile(rb"(?:0|([0-9a-f]{16}(?:[0-9a-f]{16})?)-[0-9a-f]{16}(?:-[01d](?:-[0-9a-f]{16})?)?|[01d])")
_LOG = logger("thriftlens.access")
_VALUE = 4096


class Carrier:
    """Takes the headers that go on. What is no trace id by its standard stays behind, and what could break out of a header."""

    def __init__(self, more: Iterable[str]):
        self._names = {each.lower().encode("latin-1"): each.lower() for each in (*TRACES, *more)}

    def headers(self, scope: Any) -> Optional[dict[str, str]]:
        found: dict[str, str] = {}
        for name, value in scope["headers"]:
            told = self._names.get(name)
            if told is not None and told not in found and is_sound(told, value):
                found[told] = value.decode("latin-1")
        if "tracestate" in found and "traceparent" not in found:
            del found["tracestate"]
        return found or None


def is_sound(name: str, value: bytes) -> bool:
    if name == "traceparent":
        return _TRACEPARENT.fullmatch(value) is not None
    if name == "b3":
        return _SINGLE.fullmatch(value) is not None
    return len(value) <= _VALUE and all(byte >= 0x20 and byte != 0x7F for byte in value)


def trace_id_of(carried: Optional[dict[str, str]]) -> Optional[str]:
    """What the access log names."""
    if not carried:
        return None
    if "traceparent" in carried:
        return carried["traceparent"].split("-")[1]
    return carried.get("x-b3-traceid") or (carried["b3"].split("-")[0] if "b3" in carried else None)


def is_logged() -> bool:
    return _LOG.isEnabledFor(logging.INFO)


def log(scope: Any, visit: Any, status: int, size: int, seconds: float) -> None:
    """A line of JSON, without query, headers and body: those may hold secrets."""
    client = scope.get("client")
    told = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "client": client[0] if client else None,
        "method": scope["method"],
        "path": scope["path"],
        "status": status,
        "bytes": size,
        "ms": round(seconds * 1000, 3),
        "function": visit.function,
        "role": visit.role,
        "trace": trace_id_of(visit.carried),
        "code": visit.code,
    }
    _LOG.info(json.dumps({name: value for name, value in told.items() if value is not None}))
