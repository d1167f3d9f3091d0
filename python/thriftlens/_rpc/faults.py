"""Errors of connections and their call_state."""

from __future__ import annotations

import contextlib
import copy
import socket
import ssl
import time
from typing import Iterator, Optional

from .. import _core
from .._errors import CallState, DecodeError, Error, TransportError
from .._text import MESSAGE_LENGTH, shortened
from .._typing import ErrorCode
from .address import Address
from .target import Target

Timeouts = (TimeoutError, socket.timeout)  # the same type since Python 3.10
_STATUS_CODES = ("http_status", "unauthorized")  # an HTTP server has answered


class DeadlineExceeded(TimeoutError):
    """The deadline of a call has passed. Other TimeoutErrors may come from signal handlers."""


class Unsent(Exception):
    """No byte of the call was sent: it may be retried."""

    def __init__(self, error: Error):
        super().__init__(str(error))
        self.error = copy.copy(error)
        self.error.call_state = "not_sent"


def fault_of(error: BaseException, address: Address) -> TransportError:
    """Converts an exception of the operating system or of TLS."""
    if isinstance(error, TransportError):
        return error
    if isinstance(error, ssl.SSLError):
        return _tls_fault(error, address)
    if isinstance(error, Timeouts):
        return timeout_of(address, "no answer in time")
    if isinstance(error, ConnectionRefusedError):
        return transport_error(
            address, "connection refused: no server listens at this address", "connection_refused"
        )
    if isinstance(error, (ConnectionError, EOFError)):
        return closed_of(address)
    if isinstance(error, (socket.gaierror, FileNotFoundError)):
        return transport_error(address, f"not found: {_reason(error)}", "not_found")
    return transport_error(address, _reason(error), "connection_failed")


_REASONS_WITHOUT_TLS = (
    "WRONG_VERSION_NUMBER",
    "UNEXPECTED_EOF_WHILE_READING",
    "RECORD_LAYER_FAILURE",
    "PACKET_LENGTH_TOO_LONG",
)


def _tls_fault(error: ssl.SSLError, address: Address) -> TransportError:
    if isinstance(error, ssl.SSLCertVerificationError):
        text = f"the certificate is not trusted: {error.verify_message or error}"
        return transport_error(address, text, "certificate")
    doubt = "; check that the server speaks TLS" if error.reason in _REASONS_WITHOUT_TLS else ""
    return transport_error(address, f"TLS failed: {error.reason or error}{doubt}", "tls")


def _reason(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


@contextlib.contextmanager
def errors_naming(address: str) -> Iterator[None]:
    """Adds the address to errors of the operating system."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise type(error)(f"{address}: {error}") from None
        if error.filename is None and address not in str(error):
            error.filename = address
        raise


def transport_error(address: Address, message: str, code: ErrorCode) -> TransportError:
    error = TransportError(message, code=code)
    error.context = (str(address),)
    return error


def timeout_of(address: Address, message: str) -> TransportError:
    return transport_error(address, message, "timeout")


def closed_of(address: Address, text: str = "the server closed the connection") -> TransportError:
    return transport_error(address, text, "closed")


def cut_off_of(address: Address, error: Error) -> TransportError:
    return closed_of(address, f"the server closed the connection inside a message ({error})")


def not_reconnected_of(address: Address, fault: Error) -> TransportError:
    """Of a client with reconnect=False whose connection has ended."""
    return closed_of(address, f"the connection is closed, and reconnect=False: {fault.args[0]}")


def abandoned_of(address: Address) -> TransportError:
    """The error of a connection inherited by a child process."""
    return closed_of(address, "the connection belongs to the parent process; connect again")


def interrupted_of(address: Address, error: BaseException) -> TransportError:
    """The error of a connection whose call was interrupted by an exception."""
    return closed_of(address, f"the call was interrupted by {type(error).__name__}")


def set_call_state(error: Error, state: CallState) -> Error:
    """Sets the state of the call in its error, unless it is set.

    A reply that cannot be decoded and an HTTP status are answers."""
    if error.call_state is None:
        is_answer = state == "sent" and (
            isinstance(error, DecodeError) or error.code in _STATUS_CODES
        )
        error.call_state = "answered" if is_answer else state
    return error


@contextlib.contextmanager
def not_sent() -> Iterator[None]:
    """Errors that come before anything of a call is sent have this call_state."""
    try:
        yield
    except Error as error:
        set_call_state(error, "not_sent")
        raise


def unanswered(target: Target, session: _core.Session) -> TransportError:
    """The server closed the connection; if it never sent anything, it may use another transport."""
    if session.fed or target.is_confirmed:
        doubt = ""
    else:
        doubt = f" without an answer; check that it speaks {target.transport} {target.protocol}"
    return closed_of(target.address, f"the server closed the connection{doubt}")


def negotiation_fault(error: Error, address: Address) -> Error:
    """The error of a rejected user, or the error itself."""
    if error.code == "refused":
        return transport_error(address, shortened(str(error), MESSAGE_LENGTH), "unauthorized")
    return error


def remaining(deadline: Optional[float]) -> Optional[float]:
    """Seconds until the deadline. Raises DeadlineExceeded."""
    if deadline is None:
        return None
    rest = deadline - time.monotonic()
    if rest <= 0:
        raise DeadlineExceeded
    return rest


_SOCKET_MODULES = (
    *(f"{__package__}.{name}" for name in ("faults", "link", "sockets")),
    "ssl",
    "socket",
    "http.client",
)


def is_of_socket(error: BaseException) -> bool:
    """Whether an OSError was raised by the socket, not by a signal handler."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    module = "" if trace is None else str(trace.tb_frame.f_globals.get("__name__"))
    return module in _SOCKET_MODULES or module.startswith(("gevent.", "eventlet."))
