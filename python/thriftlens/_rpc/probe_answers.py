"""Answers to probes, by their first bytes."""

from __future__ import annotations

from typing import NamedTuple, Optional, Union

from .. import _core
from .target import Target

TLS = "a TLS alert"


class WireFormat(NamedTuple):
    """Transport and protocol of a server."""

    transport: str
    protocol: str


def foreign(seen: bytes) -> str:
    """What answers instead of Thrift; empty if unknown."""
    name = _core.Session.foreign_protocol(seen[:64]) if seen else None
    return f"found {name}" if name else ""


def transport_of(seen: bytes) -> Optional[WireFormat]:
    """The transport of an answer to _framed_or_buffered_probe(), by its first nine bytes."""
    replies = (2, 3)
    if seen[:2] == b"\x80\x01" and seen[3] in replies:
        return WireFormat("buffered", "binary")
    if seen[0] == 0 and seen[4:6] == b"\x80\x01":
        return WireFormat(
            "framed" if seen[7] in replies else "buffered", "binary"
        )  # buffered: a reply in the old form, named like our frame
    return WireFormat("framed", "binary") if seen[0] == 0 and seen[4:6] == b"\0\0" else None


def unmistakable(seen: bytes, target: Target) -> Union[WireFormat, str, None]:
    """SASL, HTTP, THeader and TLS, recognized in the answer to any probe."""
    if seen[:2] == b"\x15\x03":
        return TLS
    if seen[:5] == b"HTTP/":
        return WireFormat("http", target.protocol)
    if seen[0] in (3, 4) and len(seen) >= 5 and seen[1] == 0:
        return WireFormat("sasl", target.protocol)
    if seen[4:6] == b"\x0f\xff" and target.transport != "header":
        return WireFormat("header", target.protocol)
    return None
