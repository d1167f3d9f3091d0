"""Sockets of clients."""

from __future__ import annotations

import asyncio
import select
import socket
import ssl
import sys
from typing import Optional

from .address import Address
from .faults import fault_of, remaining

PIECE = 65536  # bytes of a receive buffer; malloc maps larger blocks at every allocation
LARGE_PIECE = 262144  # for a connection that has filled its buffer


def next_buffer(buffer: memoryview, size: int) -> memoryview:
    """The buffer for the next read, after a read of `size` bytes: a larger one if the buffer was
    full."""
    return (
        buffer if size < len(buffer) or size >= LARGE_PIECE else memoryview(bytearray(LARGE_PIECE))
    )


def open_socket(
    address: Address, tls: Optional[ssl.SSLContext], deadline: Optional[float]
) -> socket.socket:
    """A connected socket. tls: None: without TLS. Raises TransportError."""
    stream = None
    try:
        if address.kind == "unix":
            stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            stream.settimeout(remaining(deadline))
            stream.connect(address.path)
        else:
            location = (address.host, address.port)
            stream = socket.create_connection(location, timeout=remaining(deadline))
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls is not None:
            stream.settimeout(remaining(deadline))
            stream = tls.wrap_socket(stream, server_hostname=address.host or None)
        return stream
    except OSError as error:
        if stream is not None:
            stream.close()
        raise fault_of(error, address) from error


def pending(stream: socket.socket) -> Optional[bytes]:
    """Bytes that can be read without waiting; b"": the peer has closed the connection; None: no
    bytes yet."""
    try:
        stream.settimeout(0)
        return stream.recv(PIECE)
    except (BlockingIOError, ssl.SSLWantReadError):
        return None
    except OSError:
        return b""


def poll_for(stream: socket.socket) -> Optional[select.poll]:
    """A poll object for reading from the stream; None if the system has no poll."""
    if not hasattr(select, "poll"):
        return None
    poll = select.poll()
    poll.register(stream, select.POLLIN)
    return poll


def descriptor_of(stream: asyncio.Transport) -> int:
    """The descriptor that threads may write to while the transport has no bytes to write; -1: there
    is none."""
    is_plain = type(stream).__module__ == "asyncio.selector_events" and sys.platform != "win32"
    return stream.get_extra_info("socket").fileno() if is_plain else -1
