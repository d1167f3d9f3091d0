"""Detects the transport and protocol of a server by calling a method that no service has.

Servers must survive this. Apache's Node servers exit on bytes that they cannot read; so servers of
both the buffered and the framed transport in Binary can read the first probe, see
_framed_or_buffered_probe(). Servers of other protocols cannot be probed safely; transport= and
protocol= avoid all probes."""

from __future__ import annotations

import contextlib
import copy
import socket
import ssl
import time
from typing import Iterator, Mapping, Optional, Union

from .. import _core
from .._errors import Error, TransportError
from .faults import Timeouts, Unsent, fault_of, remaining, transport_error
from .http_transport import HttpLink
from .link import Link
from .options import HEADER_TRANSPORTS
from .probe_answers import TLS, WireFormat, foreign, transport_of, unmistakable
from .sockets import PIECE, open_socket
from .target import Request, Target

PROBE = "__thriftlens_probe__"
_SILENCE = "no answer"
_PROBE_TIME = 2.0  # seconds; some servers neither answer nor close
_SHORT_PROBE_TIME = 0.5  # of a probe that servers of the buffered transport do not answer
_CLOSE_TIME = 0.2  # seconds for the server to close its side
_FRAMED_OR_BUFFERED = "framed or buffered"
_PROBES = (
    (_FRAMED_OR_BUFFERED, "binary"), ("buffered", "binary"), ("framed", "compact"),
    ("buffered", "compact"), ("header", "binary"), ("header", "compact"), ("ttheader", "binary"),
    ("sasl", "binary"), ("http", "binary"), ("http", "compact"),
)  # fmt: skip


def is_probe(name: str) -> bool:
    """Whether a call or reply of that name belongs to a probe."""
    return PROBE in name


def detect_target(
    target: Target,
    prefix: str,
    deadline: Optional[float],
    headers: Optional[Mapping[str, str]] = None,
) -> Target:
    """The target with the transport and protocol of the server. Those that it specifies are not
    varied.

    Every probe uses a new connection, and sends the headers if its transport supports them. No
    function of the service is called. Raises TransportError: that of a failed connection, or
    no_transport with the results of all probes."""
    if "auto" not in (target.transport, target.protocol):
        return target
    transport, protocol = _Detection(target, prefix, deadline, headers).run()
    return target._replace(transport=transport, protocol=protocol, is_confirmed=True)


class _Detection:
    """The probes of one server."""

    def __init__(
        self,
        target: Target,
        prefix: str,
        deadline: Optional[float],
        headers: Optional[Mapping[str, str]],
    ):
        self._target = target
        self._prefix = prefix
        self._deadline = deadline
        self._headers = headers
        self._candidates = list(_candidates(target))
        self._results: list[str] = []
        self._foreign = ""  # what answers instead of Thrift

    def run(self) -> WireFormat:
        while self._candidates:
            candidate = self._candidates.pop(0)
            is_short = bool(self._prefix) and candidate.transport == _FRAMED_OR_BUFFERED
            outcome = self._try(candidate, _SHORT_PROBE_TIME if is_short else _PROBE_TIME)
            if isinstance(outcome, WireFormat):
                if self._accepts(outcome, candidate):
                    return outcome
                outcome = self._rejected(outcome)
            elif outcome.startswith("found "):
                self._foreign = self._foreign or outcome
            elif outcome == _SILENCE and not is_short:
                # Apache's C++ HTTP server waits for a line feed.
                self._candidates.sort(key=lambda other: other.transport != "http")
            self._results.append(f"{candidate.transport} {candidate.protocol}: {outcome}")
            try:
                remaining(self._deadline)
            except Timeouts:
                break
        raise self._fault()

    def _try(self, candidate: WireFormat, seconds: float) -> Union[WireFormat, str]:
        target = self._target._replace(transport=candidate.transport, protocol=candidate.protocol)
        try:
            return _probe(target, self._prefix, _within(seconds, self._deadline), self._headers)
        except TransportError as error:
            raise _with_previous(error, self._results) from error.__cause__

    def _accepts(self, answer: WireFormat, candidate: WireFormat) -> bool:
        return answer.transport == candidate.transport or (
            self._target.transport == "auto" and answer.transport != "http"
        )

    def _rejected(self, answer: WireFormat) -> str:
        if answer.transport == "http":
            self._foreign = "found an HTTP response"
        if self._target.transport == "auto":  # HTTP, whose protocol is not known yet
            self._candidates = [other for other in self._candidates if other.transport == "http"]
        return f"this is {answer.transport}"

    def _fault(self) -> TransportError:
        expected = f"expected a Thrift message, {self._foreign}; " if self._foreign else ""
        hint = _hint(self._target, self._results, self._deadline)
        return transport_error(
            self._target.address,
            f"{expected}no probe was answered ({'; '.join(self._results)}){hint}",
            "no_transport",
        )


def _within(seconds: float, deadline: Optional[float]) -> float:
    """The end of a probe."""
    end = time.monotonic() + seconds
    return end if deadline is None else min(end, deadline)


def _with_previous(error: TransportError, results: list[str]) -> TransportError:
    """The error of a probe, with the results of the probes before."""
    if not results:
        return error
    result = copy.copy(error)
    result.hint = f"previous probes: {'; '.join(results)}; transport= and protocol= skip probing"
    return result


def _hint(target: Target, results: list[str], deadline: Optional[float]) -> str:
    """A suggestion for the error no_transport."""
    if target.tls is None and (
        any(result.endswith(TLS) for result in results) or _speaks_tls(target, deadline)
    ):
        return "; the server speaks TLS: pass tls=True or a file of authorities (--tls, --ca FILE)"
    if (
        target.transport == "auto"
        and target.address.user is not None
        and not target.address.is_http
    ):
        return (
            "; a user in the address selects SASL; for HTTP use http://user:password@host:port/path"
        )
    if target.transport == "auto" or target.address.is_http:
        return ""
    return "; transport='auto' also tries the others"


def _speaks_tls(target: Target, deadline: Optional[float]) -> bool:
    """Tries a handshake only: nothing is sent to an untrusted server."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        open_socket(target.address, context, _within(_PROBE_TIME, deadline)).close()
    except (TransportError, *Timeouts):
        return False
    return True


def _candidates(target: Target) -> Iterator[WireFormat]:
    """The transports and protocols to try, likely ones first."""
    transport = target.transport
    if target.address.is_http:
        transport = "http"
    elif transport == "auto" and target.address.user is not None:
        transport = "sasl"
    is_known = transport != "auto"
    pairs = ((transport, "binary"), (transport, "compact")) if is_known else _PROBES
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
    _, call = session.call(name, b"\0", headers=_headers_for(target, headers))
    return _exchange(target, session.start() + call, session, deadline)


def _headers_for(
    target: Target, headers: Optional[Mapping[str, str]]
) -> Optional[Mapping[str, str]]:
    return headers if headers and target.transport in HEADER_TRANSPORTS else None


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


def _exchange(
    target: Target, data: bytes, session: Optional[_core.Session], deadline: float
) -> Union[WireFormat, str]:
    """Sends a probe on its own connection. session: decodes the answer; None: one to
    _framed_or_buffered_probe()."""
    stream = open_socket(target.address, target.tls, deadline)
    seen = b""
    try:
        stream.settimeout(remaining(deadline))
        stream.sendall(data)
        while True:
            stream.settimeout(remaining(deadline))
            piece = stream.recv(PIECE)
            if not piece:
                return foreign(seen) or "closed"
            seen += piece
            if outcome := unmistakable(seen, target) or _answer_in(seen, piece, target, session):
                return outcome
    except Timeouts:
        return foreign(seen) or _SILENCE
    except ssl.SSLError as error:
        raise fault_of(error, target.address) from error
    except OSError:
        return foreign(seen) or "closed"
    except Error as error:
        return foreign(seen) or f"invalid reply ({error.code})"
    finally:
        _close_without_reset(stream)


def _answer_in(
    seen: bytes, piece: bytes, target: Target, session: Optional[_core.Session]
) -> Union[WireFormat, str, None]:
    """The outcome of an answer of which `piece` has arrived last; None: more is needed."""
    if session is not None:
        session.feed(piece)
        is_complete = session.next() is not None
        return WireFormat(target.transport, target.protocol) if is_complete else None
    if len(seen) < _FRONT_SIZE:
        return None
    return transport_of(seen) or foreign(seen) or "invalid reply"


_FRONT_SIZE = 9


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


def _outcome_of(error: TransportError) -> str:
    """The text of an error that answers a probe. Raises other errors."""
    if error.code not in ("closed", "timeout", "http_status"):
        raise error
    if error.code == "http_status":
        return f"HTTP {error.status}" if error.status else "invalid HTTP response"
    return error.code


def _probe_with_link(
    target: Target, name: str, deadline: float, headers: Optional[Mapping[str, str]]
) -> Union[WireFormat, str]:
    """For transports with a negotiation, and for HTTP."""
    link: Union[Link, HttpLink, None] = None
    try:
        link = HttpLink(target, deadline) if target.transport == "http" else Link(target, deadline)
        link.call(Request(name, b"\0", False, _headers_for(target, headers), None, deadline))
        return WireFormat(target.transport, target.protocol)
    except TransportError as error:
        return _outcome_of(error)
    except Unsent:
        return "closed"
    except Error as error:
        return f"invalid reply ({error.code})"
    finally:
        if link is not None:
            link.close()
