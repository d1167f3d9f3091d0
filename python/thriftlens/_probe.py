"""Finds out which transport and protocol a server speaks, by a call of a method that no service has."""

from __future__ import annotations

import ssl
import time
from typing import Any, Iterator, NamedTuple, Optional, Union

from ._address import Address
from ._errors import Error, TransportError
from ._link import PIECE, Link, Request, Target, Timeouts, Unsent, fault_of, left, open_socket

PROBE = "__thriftlens_probe__"
_SILENCE = "no answer"
_PATIENCE = 2.0  # seconds for one probe: some servers neither answer nor close
_ORDER = (
    ("buffered", "binary"),
    ("framed", "binary"),
    ("framed", "compact"),
    ("buffered", "compact"),
    ("header", "binary"),
    ("header", "compact"),
    ("ttheader", "binary"),
    ("sasl", "binary"),
    ("http", "binary"),
    ("http", "compact"),
)


class Found(NamedTuple):
    """What a server speaks."""

    transport: str
    protocol: str


def find_out(target: Target, prefix: str, deadline: Optional[float]) -> Found:
    """The transport and protocol of a server; what the target names is not tried otherwise.

    Each probe is a connection of its own. No function of the service is called. Raises TransportError (code no_transport, with what
    each probe saw, or what kept the first one from connecting)."""
    if target.transport != "auto" and target.protocol != "auto":
        return Found(target.transport, target.protocol)
    tried = []
    candidates = list(_candidates(target))
    while candidates:
        each = candidates.pop(0)
        until = time.monotonic() + _PATIENCE
        limit = until if deadline is None else min(until, deadline)
        answer = _try(target._replace(transport=each.transport, protocol=each.protocol), prefix, limit)
        if isinstance(answer, Found):
            if answer.transport == each.transport or (target.transport == "auto" and answer.transport != "http"):
                return answer
            if target.transport == "auto":
                candidates = [other for other in candidates if other.transport == "http"]  # in which protocol?
            answer = f"this is {answer.transport}"
        tried.append(f"{each.transport} {each.protocol}: {answer}")
        if answer == _SILENCE:  # Apache's C++ server of HTTP waits for the end of a line
            candidates.sort(key=lambda other: other.transport != "http")
        try:
            left(deadline)
        except Timeouts:
            break
    raise TransportError(f"{target.address}: no transport was answered ({'; '.join(tried)}){_hint(target, deadline)}", code="no_transport")


def _hint(target: Target, deadline: Optional[float]) -> str:
    """What may have been meant."""
    if target.tls is None and _speaks_tls(target, deadline):
        return ": the server speaks TLS: tls=True, or a file of authorities (--tls, --ca FILE)"
    if target.transport == "auto" and target.address.user is not None and not target.address.is_http:
        return ": a user in the address asks for SASL; http://user:password@host:port/path is HTTP"
    return "" if target.transport == "auto" or target.address.is_http else ": transport='auto' asks for the others too"


def _speaks_tls(target: Target, deadline: Optional[float]) -> bool:
    """By a handshake with nothing behind it: whoever the server is, it is told nothing."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    until = time.monotonic() + _PATIENCE
    try:
        open_socket(target.address, context, until if deadline is None else min(until, deadline)).close()
    except (TransportError, *Timeouts):
        return False
    return True


def _candidates(target: Target) -> Iterator[Found]:
    """Those that the target leaves open, the likely ones first."""
    if target.address.is_http or target.transport == "http":
        pairs: Any = (("http", "binary"), ("http", "compact"))
    elif target.transport == "sasl" or (target.transport == "auto" and target.address.user is not None):
        pairs = (("sasl", "binary"), ("sasl", "compact"))
    elif target.transport == "auto":
        pairs = _ORDER
    else:
        pairs = ((target.transport, "binary"), (target.transport, "compact"))
    for transport, protocol in pairs:
        if target.protocol in ("auto", protocol):
            yield Found(transport, protocol)


def _try(target: Target, prefix: str, deadline: float) -> Union[Found, str]:
    """What it is, or why it is not this."""
    name = f"{prefix}{PROBE}"
    if target.transport in ("http", "sasl"):
        return _try_link(target, name, deadline)
    stream = open_socket(target.address, target.tls, deadline)
    session = target.session()
    try:
        _, data = session.call(name, b"\0")
        stream.settimeout(left(deadline))
        stream.sendall(session.start() + data)
        seen = b""
        while True:
            stream.settimeout(left(deadline))
            data = stream.recv(PIECE)
            if not data:
                return "closed"
            seen += data
            if other := _other(seen, target):
                return other
            session.feed(data)
            if session.next() is not None:
                return Found(target.transport, target.protocol)
    except Timeouts:
        return _SILENCE
    except ssl.SSLError as error:
        raise fault_of(error, target.address) from error
    except OSError:
        return "closed"
    except Error as error:
        return f"not understood ({error.code})"
    finally:
        stream.close()


def _other(seen: bytes, target: Target) -> Optional[Found]:
    """Servers of SASL, HTTP and THeader give themselves away whatever they are sent."""
    if seen[:5] == b"HTTP/":
        return Found("http", target.protocol)
    if seen[0] in (3, 4) and len(seen) >= 5 and seen[1] == 0:
        return Found("sasl", target.protocol)
    if seen[4:6] == b"\x0f\xff" and target.transport != "header":
        return Found("header", target.protocol)
    return None


def _try_link(target: Target, name: str, deadline: float) -> Union[Found, str]:
    """Where each call goes through a negotiation or a POST."""
    from ._http import HttpLink

    link: Any = None
    try:
        link = HttpLink(target, deadline) if target.transport == "http" else Link(target, deadline)
        link.call(Request(name, b"\0", False, None, None, deadline))
        return Found(target.transport, target.protocol)
    except TransportError as error:
        if error.code not in ("closed", "timeout", "http_status"):
            raise
        return f"HTTP {error.status}" if error.code == "http_status" and error.status else str(error.code)
    except Unsent:
        return "closed"
    except Error as error:
        return f"not understood ({error.code})"
    finally:
        if link is not None:
            link.close()
