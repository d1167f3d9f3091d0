"""Errors of connections."""

import socket
import ssl

import pytest
import thriftlens as tl
from thriftlens._rpc import faults
from thriftlens._rpc.address import parse_address

ADDRESS = parse_address("db:9083")


def tls_error(reason):
    error = ssl.SSLError(1, f"[SSL: {reason}] text")
    error.reason = reason
    return error


def certificate_error(text):
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = text
    return error


@pytest.mark.parametrize(
    "error, code, text",
    [
        (ConnectionRefusedError(), "connection_refused", "no server listens"),
        (ConnectionResetError(), "closed", "the server closed the connection"),
        (EOFError(), "closed", "the server closed the connection"),
        (socket.gaierror(-2, "Name unknown"), "not_found", "not found: Name unknown"),
        (FileNotFoundError(2, "No such file"), "not_found", "not found: No such file"),
        (TimeoutError(), "timeout", "no answer in time"),
        (OSError(113, "No route to host"), "connection_failed", "No route to host"),
        (OSError(), "connection_failed", "OSError"),
        (tls_error("WRONG_VERSION_NUMBER"), "tls", "check that the server speaks TLS"),
        (tls_error("OTHER"), "tls", "TLS failed: OTHER"),
        (certificate_error("self-signed"), "certificate", "is not trusted: self-signed"),
    ],
)
def test_exceptions_of_the_system_become_transport_errors(error, code, text):
    fault = faults.fault_of(error, ADDRESS)
    assert fault.code == code and str(fault).startswith("db:9083: ") and text in str(fault)
    assert faults.fault_of(fault, ADDRESS) is fault


@pytest.mark.parametrize(
    "error, expected",
    [
        (tl.DecodeError("x"), "answered"),
        (tl.TransportError("x", code="http_status"), "answered"),
        (tl.TransportError("x", code="closed"), "sent"),
    ],
)
def test_an_answer_that_cannot_be_read_is_an_answer(error, expected):
    assert faults.set_call_state(error, "sent").call_state == expected
    assert faults.set_call_state(error, "not_sent").call_state == expected, "it is set once"


def test_errors_before_a_call_is_sent():
    with pytest.raises(tl.Error) as caught, faults.not_sent():
        raise tl.Error("x")
    assert caught.value.call_state == "not_sent"


def test_a_retry_gets_a_copy_of_the_error():
    error = tl.TransportError("x", code="closed")
    unsent = faults.Unsent(error)
    assert unsent.error is not error and unsent.error.call_state == "not_sent"
    assert error.call_state is None


def test_the_address_is_added_to_errors_of_the_system():
    with pytest.raises(OSError) as caught, faults.errors_naming("h:1"):
        raise OSError(98, "Address already in use")
    assert caught.value.filename == "h:1"
    with pytest.raises(OSError, match="h:1: no host"), faults.errors_naming("h:1"):
        raise OSError("no host")


def test_the_deadline():
    assert faults.remaining(None) is None
    with pytest.raises(faults.DeadlineExceeded):
        faults.remaining(0.0)


def test_exceptions_of_signal_handlers_are_not_of_sockets():
    with pytest.raises(OSError) as caught:
        raise TimeoutError
    assert not faults.is_of_socket(caught.value)
    with pytest.raises(OSError) as caught:
        socket.create_connection(("127.0.0.1", 1))
    assert faults.is_of_socket(caught.value)
