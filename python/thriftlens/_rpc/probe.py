"""Detects the transport and protocol of a server by calling a method that no service has.

Servers must survive this. Apache's Node servers exit on bytes that they cannot read; so servers of
both the buffered and the framed transport in Binary can read the first probe, see
_framed_or_buffered_probe(). Servers of other protocols cannot be probed safely; transport= and
protocol= avoid all probes.
"""

from __future__ import annotations

import contextlib
import copy
import socket
import ssl
import time
from typing import Any, Iterator, Mapping, NamedTuple, Optional, Union

from .. import _core
from .._errors import Error, TransportError
from .link import (
    PIECE,
    Link,
    Request,
    Target,
    Timeouts,
    Unsent,
    fault_of,
    open_socket,
    remaining,
    transport_error,
)
from .options import HEADER_TRANSPORTS

PROBE = "__thriftlens_probe__"
_SILENCE = "no answer"
_PROBE_TIME = 2.0  # seconds; some servers neither answer nor close
_SHORT_PROBE_TIME = 0.5  # of a probe that servers of the buffered transport do not answer
_CLOSE_TIME = 0.2  # seconds for the server to close its side
_FRAMED_OR_BUFFERED = "framed or buffered"
_PROBES = (
    (_FRAMED_OR_BUFFERED, "binary"),
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


class WireFormat(NamedTuple):
    """Transport and protocol of a server."""

    transport: str
    protocol: str


def is_probe(name: str) -> bool:
    """Whether a call or reply of that name belongs to a probe."""
    return PROBE in name


def detect_wire_format(
    target: Target,
    prefix: str,
    deadline: Optional[float],
    headers: Optional[Mapping[str, str]] = None,
) -> WireFormat:
    """The transport and protocol of a server. Those that the target specifies are not varied.

    Every probe uses a new connection, and sends the headers if its transport supports them. No
    function of the service is called.
    Raises TransportError: that of a failed connection, or no_transport with the results of all
    probes.
    """
    if target.transport != "auto" and target.protocol != "auto":
        return WireFormat(target.transport, target.protocol)
    results: list[str] = []
    foreign = ""
    candidates = list(_candidates(target))
    while candidates:
        candidate = candidates.pop(0)
        seconds = (
            _SHORT_PROBE_TIME
            if prefix and candidate.transport == _FRAMED_OR_BUFFERED
            else _PROBE_TIME
        )
        probe_deadline = time.monotonic() + seconds
        limit = probe_deadline if deadline is None else min(probe_deadline, deadline)
        try:
            outcome = _probe(
                target._replace(transport=candidate.transport, protocol=candidate.protocol),
                prefix,
                limit,
                headers,
            )
        except TransportError as error:
            raise _with_previous(error, results) from error.__cause__
        if isinstance(outcome, WireFormat):
            if outcome.transport == candidate.transport or (
                target.transport == "auto" and outcome.transport != "http"
            ):
                return outcome
            if target.transport == "auto":
                candidates = [
                    other for other in candidates if other.transport == "http"
                ]  # the protocol is not known yet
            foreign = "found an HTTP response" if outcome.transport == "http" else foreign
            outcome = f"this is {outcome.transport}"
        elif outcome.startswith("found "):
            foreign = foreign or outcome
        results.append(f"{candidate.transport} {candidate.protocol}: {outcome}")
        if (
            outcome == _SILENCE and seconds == _PROBE_TIME
        ):  # Apache's C++ HTTP server waits for a line feed
            candidates.sort(key=lambda other: other.transport != "http")
        try:
            remaining(deadline)
        except Timeouts:
            break
    expected = f"expected a Thrift message, {foreign}; " if foreign else ""
    raise transport_error(
        target.address,
        f"{expected}no probe was answered ({'; '.join(results)}){_hint(target, results, deadline)}",
        "no_transport",
    )


def _with_previous(error: TransportError, results: list[str]) -> TransportError:
    """The error of a probe, with the results of the probes before."""
    if not results:
        return error
    result = copy.copy(error)
    result.hint = f"probes before: {'; '.join(results)}; transport= and protocol= avoid probes"
    return result


def _hint(target: Target, results: list[str], deadline: Optional[float]) -> str:
    """A suggestion for the error no_transport."""
    if target.tls is None and (
        any(result.endswith(_TLS) for result in results) or _speaks_tls(target, deadline)
    ):
        return ": the server speaks TLS: tls=True, or a file of authorities (--tls, --ca FILE)"
    if (
        target.transport == "auto"
        and target.address.user is not None
        and not target.address.is_http
    ):
        return (
            ": a user in the address selects SASL; for HTTP use http://user:password@host:port/path"
        )
    return (
        ""
        if target.transport == "auto" or target.address.is_http
        else ": transport='auto' tries the others too"
    )


_TLS = "a TLS alert"


def _speaks_tls(target: Target, deadline: Optional[float]) -> bool:
    """Tries a handshake only: nothing is sent to an untrusted server."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    probe_deadline = time.monotonic() + _PROBE_TIME
    try:
        open_socket(
            target.address,
            context,
            probe_deadline if deadline is None else min(probe_deadline, deadline),
        ).close()
    except (TransportError, *Timeouts):
        return False
    return True


def _candidates(target: Target) -> Iterator[WireFormat]:
    """The transports and protocols to try, likely ones first."""
    if target.address.is_http or target.transport == "http":
        pairs: Any = (("http", "binary"), ("http", "compact"))
    elif target.transport == "sasl" or (
        target.transport == "auto" and target.address.user is not None
    ):
        pairs = (("sasl", "binary"), ("sasl", "compact"))
    elif target.transport == "auto":
        pairs = _PROBES
    else:
        pairs = ((target.transport, "binary"), (target.transport, "compact"))
    for transport, protocol in pairs:
        if target.protocol in ("auto", protocol):
            yield WireFormat(transport, protocol)


def _probe(
    target: Target, prefix: str, deadline: float, headers: Optional[Mapping[str, str]]
) -> Union[WireFormat, str]:
    """The transport and protocol of the answer, or an error text."""
    name = f"{prefix}{PROBE}"
    if target.transport in ("http", "sasl"):
        return _probe_with_link(target, name, deadline, headers)
    if target.transport == _FRAMED_OR_BUFFERED:
        return _exchange(
            target, _framed_or_buffered_probe(name, with_old=not prefix), None, deadline
        )
    session = target.session()
    _, call = session.call(
        name, b"\0", headers=headers if headers and target.transport in HEADER_TRANSPORTS else None
    )
    return _exchange(target, session.start() + call, session, deadline)


def _framed_or_buffered_probe(name: str, with_old: bool) -> bytes:
    """Bytes that are a call for servers of the framed and of the buffered transport.

    They are two frames: a call in strict Binary and one in the old form, whose header has no
    version. A server of the buffered transport reads the size of the first frame as the length of a
    name in the old form, its contents as the name, and the first byte of the second frame's size,
    zero, as the kind of the message, which most servers ignore: they answer. The rest is the
    beginning of another name.
    Names of a multiplexed service must begin with that of the service: the second frame is omitted.
    """
    strict = _core.message_head(name, kind="call", sequence_id=1) + b"\0"
    old = _core.message_head(name, kind="call", sequence_id=2, strict=0) + b"\0"
    frames = (strict, old) if with_old else (strict,)
    return b"".join(len(frame).to_bytes(4, "big") + frame for frame in frames)


def _exchange(target: Target, data: bytes, session: Any, deadline: float) -> Union[WireFormat, str]:
    """Sends a probe on its own connection. session: decodes the answer; None: one to
    _framed_or_buffered_probe().
    """
    stream = open_socket(target.address, target.tls, deadline)
    seen = b""
    try:
        stream.settimeout(remaining(deadline))
        stream.sendall(data)
        while True:
            stream.settimeout(remaining(deadline))
            piece = stream.recv(PIECE)
            if not piece:
                return _foreign(seen) or "closed"
            seen += piece
            if other := _unmistakable(seen, target):
                return other
            if session is not None:
                session.feed(piece)
                if session.next() is not None:
                    return WireFormat(target.transport, target.protocol)
            elif len(seen) >= 9:
                return _transport_of(seen) or _foreign(seen) or "not understood"
    except Timeouts:
        return _foreign(seen) or _SILENCE
    except ssl.SSLError as error:
        raise fault_of(error, target.address) from error
    except OSError:
        return _foreign(seen) or "closed"
    except Error as error:
        return _foreign(seen) or f"not understood ({error.code})"
    finally:
        _close_without_reset(stream)


def _foreign(seen: bytes) -> str:
    """What answers instead of Thrift; empty if unknown."""
    name = _core.Session.foreign_protocol(seen[:64]) if seen else None
    return f"found {name}" if name else ""


def _transport_of(seen: bytes) -> Optional[WireFormat]:
    """The transport of an answer to _framed_or_buffered_probe(), by its first nine bytes."""
    replies = (2, 3)
    if seen[:2] == b"\x80\x01" and seen[3] in replies:
        return WireFormat("buffered", "binary")
    if seen[0] == 0 and seen[4:6] == b"\x80\x01":
        return WireFormat(
            "framed" if seen[7] in replies else "buffered", "binary"
        )  # buffered: a reply in the old form, named like our frame
    return WireFormat("framed", "binary") if seen[0] == 0 and seen[4:6] == b"\0\0" else None


def _close_without_reset(stream: socket.socket) -> None:
    """Apache's Node servers exit on a reset."""
    with contextlib.suppress(OSError):
        stream.shutdown(socket.SHUT_WR)
        probe_deadline = time.monotonic() + _CLOSE_TIME
        while (rest := probe_deadline - time.monotonic()) > 0:
            stream.settimeout(rest)
            if not stream.recv(PIECE):
                break
    stream.close()


def _unmistakable(seen: bytes, target: Target) -> Union[WireFormat, str, None]:
    """SASL, HTTP, THeader and TLS, recognized in the answer to any probe."""
    if seen[:2] == b"\x15\x03":
        return _TLS
    if seen[:5] == b"HTTP/":
        return WireFormat("http", target.protocol)
    if seen[0] in (3, 4) and len(seen) >= 5 and seen[1] == 0:
        return WireFormat("sasl", target.protocol)
    if seen[4:6] == b"\x0f\xff" and target.transport != "header":
        return WireFormat("header", target.protocol)
    return None


def _probe_with_link(
    target: Target, name: str, deadline: float, headers: Optional[Mapping[str, str]]
) -> Union[WireFormat, str]:
    """For transports with a negotiation, and for HTTP."""
    from .http_transport import HttpLink

    link: Any = None
    try:
        link = HttpLink(target, deadline) if target.transport == "http" else Link(target, deadline)
        link.call(
            Request(
                name,
                b"\0",
                False,
                headers if target.transport in HEADER_TRANSPORTS else None,
                None,
                deadline,
            )
        )
        return WireFormat(target.transport, target.protocol)
    except TransportError as error:
        if error.code not in ("closed", "timeout", "http_status"):
            raise
        if error.code == "http_status":
            return f"HTTP {error.status}" if error.status else "no HTTP answer"
        return error.code
    except Unsent:
        return "closed"
    except Error as error:
        return f"not understood ({error.code})"
    finally:
        if link is not None:
            link.close()
