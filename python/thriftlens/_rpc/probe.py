"""Finds out which transport and protocol a server speaks, by a call of a method that no service has.

Servers must survive it. Apache's Node servers end the process at bytes that they cannot read, so the first probe can be read by servers of the
buffered and of the framed transport in Binary: see _either(). A server of another protocol than Binary cannot be asked safely; transport= and protocol=
avoid all probes."""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from typing import Any, Iterator, Mapping, NamedTuple, Optional, Union

from .. import _core
from .address import Address
from .._errors import Error, TransportError
from .options import HEADER_TRANSPORTS
from .link import PIECE, Link, Request, Target, Timeouts, Unsent, fault_of, left, open_socket

PROBE = "__thriftlens_probe__"
_SILENCE = "no answer"
_PATIENCE = 2.0  # seconds for one probe: some servers neither answer nor close
_HALF_PATIENCE = 0.5  # for a probe that servers of the buffered transport do not answer
_FAREWELL = 0.2  # seconds for the server to close its side
_EITHER = "framed or buffered"
_ORDER = (
    (_EITHER, "binary"),
    ("buffered", "binary"),
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


def is_probe(name: str) -> bool:
    """Whether a message of that name belongs to a probe, as a call or as a reply."""
    return PROBE in name


def find_out(target: Target, prefix: str, deadline: Optional[float], headers: Optional[Mapping[str, str]] = None) -> Found:
    """The transport and protocol of a server; what the target names is not tried otherwise.

    Each probe is a connection of its own, and carries the headers where its transport has them. No function of the service is called.
    Raises TransportError: no_transport with what each probe saw, or what kept one from connecting."""
    if target.transport != "auto" and target.protocol != "auto":
        return Found(target.transport, target.protocol)
    tried: list[str] = []
    candidates = list(_candidates(target))
    while candidates:
        candidate = candidates.pop(0)
        patience = _HALF_PATIENCE if prefix and candidate.transport == _EITHER else _PATIENCE
        until = time.monotonic() + patience
        limit = until if deadline is None else min(until, deadline)
        try:
            answer = _try(target._replace(transport=candidate.transport, protocol=candidate.protocol), prefix, limit, headers)
        except TransportError as error:
            raise _after(error, tried) from error.__cause__
        if isinstance(answer, Found):
            if answer.transport == candidate.transport or (target.transport == "auto" and answer.transport != "http"):
                return answer
            if target.transport == "auto":
                candidates = [other for other in candidates if other.transport == "http"]  # in which protocol?
            answer = f"this is {answer.transport}"
        tried.append(f"{candidate.transport} {candidate.protocol}: {answer}")
        if answer == _SILENCE and patience == _PATIENCE:  # Apache's C++ server of HTTP waits for the end of a line
            candidates.sort(key=lambda other: other.transport != "http")
        try:
            left(deadline)
        except Timeouts:
            break
    raise TransportError(f"{target.address}: no transport was answered ({'; '.join(tried)}){_hint(target, tried, deadline)}", code="no_transport")


def _after(error: TransportError, tried: list[str]) -> TransportError:
    """The error of a probe, with what the probes before it saw."""
    if not tried:
        return error
    again = TransportError(f"{error}; probes before: {'; '.join(tried)}; transport= and protocol= avoid probes", code=error.code)
    again.status = error.status
    return again


def _hint(target: Target, tried: list[str], deadline: Optional[float]) -> str:
    """What may have been meant."""
    if target.tls is None and (any(answer.endswith(_TLS) for answer in tried) or _speaks_tls(target, deadline)):
        return ": the server speaks TLS: tls=True, or a file of authorities (--tls, --ca FILE)"
    if target.transport == "auto" and target.address.user is not None and not target.address.is_http:
        return ": a user in the address asks for SASL; http://user:password@host:port/path is HTTP"
    return "" if target.transport == "auto" or target.address.is_http else ": transport='auto' asks for the others too"


_TLS = "a TLS alert"


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


def _try(target: Target, prefix: str, deadline: float, headers: Optional[Mapping[str, str]]) -> Union[Found, str]:
    """What it is, or why it is not this."""
    name = f"{prefix}{PROBE}"
    if target.transport in ("http", "sasl"):
        return _try_link(target, name, deadline, headers)
    if target.transport == _EITHER:
        return _exchange(target, _either(name, with_old=not prefix), None, deadline)
    session = target.session()
    _, call = session.call(name, b"\0", headers=headers if headers and target.transport in HEADER_TRANSPORTS else None)
    return _exchange(target, session.start() + call, session, deadline)


def _either(name: str, with_old: bool) -> bytes:
    """Bytes that are a call to servers of the framed and of the buffered transport.

    They are two frames, a call in today's Binary and one in the old form, whose header has no version. To a server of the buffered transport the size of the
    first frame is the length of a name in the old form, its contents are the name, and the second frame's size, which begins with a zero byte, is
    the kind of the message; most servers do not look at that, and answer. Then the length of another name comes, for whose end the server waits until
    the connection ends. Of a multiplexed service the name must begin with the service's, so there the first frame goes alone."""
    strict = _core.message_head(name, kind="call", sequence_id=1) + b"\0"
    old = _core.message_head(name, kind="call", sequence_id=2, strict=0) + b"\0"
    frames = (strict, old) if with_old else (strict,)
    return b"".join(len(frame).to_bytes(4, "big") + frame for frame in frames)


def _exchange(target: Target, data: bytes, session: Any, deadline: float) -> Union[Found, str]:
    """Sends a probe on a connection of its own. session: reads the answer; None: it is of _either()."""
    stream = open_socket(target.address, target.tls, deadline)
    try:
        stream.settimeout(left(deadline))
        stream.sendall(data)
        seen = b""
        while True:
            stream.settimeout(left(deadline))
            piece = stream.recv(PIECE)
            if not piece:
                return "closed"
            seen += piece
            if other := _other(seen, target):
                return other
            if session is not None:
                session.feed(piece)
                if session.next() is not None:
                    return Found(target.transport, target.protocol)
            elif len(seen) >= 9:
                return _transport_of(seen) or "not understood"
    except Timeouts:
        return _SILENCE
    except ssl.SSLError as error:
        raise fault_of(error, target.address) from error
    except OSError:
        return "closed"
    except Error as error:
        return f"not understood ({error.code})"
    finally:
        _part(stream)


def _transport_of(seen: bytes) -> Optional[Found]:
    """Of the first nine bytes of an answer to _either()."""
    replies = (2, 3)
    if seen[:2] == b"\x80\x01" and seen[3] in replies:
        return Found("buffered", "binary")
    if seen[0] == 0 and seen[4:6] == b"\x80\x01":
        return Found("framed" if seen[7] in replies else "buffered", "binary")  # buffered: in the old form, the name is our frame
    return Found("framed", "binary") if seen[0] == 0 and seen[4:6] == b"\0\0" else None


def _part(stream: socket.socket) -> None:
    """Closes a connection so that no reset follows: Apache's Node servers end at one."""
    with contextlib.suppress(OSError):
        stream.shutdown(socket.SHUT_WR)
        until = time.monotonic() + _FAREWELL
        while (rest := until - time.monotonic()) > 0:
            stream.settimeout(rest)
            if not stream.recv(PIECE):
                break
    stream.close()


def _other(seen: bytes, target: Target) -> Union[Found, str, None]:
    """Servers of SASL, HTTP, THeader and TLS give themselves away whatever they are sent."""
    if seen[:2] == b"\x15\x03":
        return _TLS
    if seen[:5] == b"HTTP/":
        return Found("http", target.protocol)
    if seen[0] in (3, 4) and len(seen) >= 5 and seen[1] == 0:
        return Found("sasl", target.protocol)
    if seen[4:6] == b"\x0f\xff" and target.transport != "header":
        return Found("header", target.protocol)
    return None


def _try_link(target: Target, name: str, deadline: float, headers: Optional[Mapping[str, str]]) -> Union[Found, str]:
    """Where each call goes through a negotiation or a POST."""
    from .http_transport import HttpLink

    link: Any = None
    try:
        link = HttpLink(target, deadline) if target.transport == "http" else Link(target, deadline)
        link.call(Request(name, b"\0", False, headers if target.transport in HEADER_TRANSPORTS else None, None, deadline))
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
