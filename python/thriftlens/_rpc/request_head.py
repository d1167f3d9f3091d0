"""Checks of the head of an HTTP/1.x request, for the server and the gateway."""

from __future__ import annotations

import re
from typing import Iterable, Mapping, Optional

_is_host = re.compile(rb"[A-Za-z0-9\-._~%:\[\]!$&'()*+;=]+").fullmatch


def find_fault(headers: Iterable[tuple[bytes, bytes]], version: str) -> Optional[str]:
    """The reason to reject a request, or None. Where a rejected request ends is ambiguous: its
    connection must be closed.

    Names of headers are in lower case."""
    by_name: dict[bytes, list[bytes]] = {}
    for name, value in headers:
        by_name.setdefault(name, []).append(value)
    return _host_fault(by_name.get(b"host", []), version) or _encoding_fault(by_name, version)


def _host_fault(hosts: list[bytes], version: str) -> Optional[str]:
    if len(hosts) > 1 or (not hosts and version != "1.0"):
        return "expected one Host header"
    return None if all(map(_is_host, hosts)) else "invalid Host header"


def _encoding_fault(by_name: Mapping[bytes, list[bytes]], version: str) -> Optional[str]:
    if b"transfer-encoding" not in by_name:
        return None
    if version == "1.0":
        return "HTTP/1.0 does not allow Transfer-Encoding"
    if b"content-length" in by_name:
        return "expected Transfer-Encoding or Content-Length, found both"
    if [value.lower() for value in by_name[b"transfer-encoding"]] != [b"chunked"]:
        return "expected one Transfer-Encoding header with the value chunked"
    return None
