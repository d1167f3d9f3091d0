"""Plain sockets to servers under test, and waiting for their threads."""

import contextlib
import socket
import threading

import thriftlens as tl


def connect_to(server):
    host, _, port = server.address.replace("http://", "").rstrip("/").rpartition(":")
    return socket.create_connection((host, int(port)))


def read_exactly(stream, size):
    data = b""
    while len(data) < size:
        piece = stream.recv(size - len(data))
        assert piece, data
        data += piece
    return data


def read_message(stream, service=None):
    return tl.read_message(
        read_exactly(stream, int.from_bytes(read_exactly(stream, 4), "big")), service
    )


def read_until_closed(stream):
    data = b""
    with contextlib.suppress(ConnectionError):
        while piece := stream.recv(65536):
            data += piece
    return data


def wait_until(condition):
    """Waits for the effect of another thread."""
    pause = threading.Event()
    for _ in range(120_000):
        if condition():
            return
        pause.wait(0.005)
    assert condition()
