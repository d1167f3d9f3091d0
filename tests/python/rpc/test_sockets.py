"""Sockets of clients, and their receive buffers."""

import socket

import pytest
import thriftlens as tl
from thriftlens._rpc.address import Address
from thriftlens._rpc.sockets import LARGE_PIECE, PIECE, next_buffer, open_socket, pending, poll_for


def test_a_connection_reads_into_the_same_memory(client):
    [link] = client._pool.links
    buffer = link._buffer
    assert len(buffer) == PIECE and buffer.obj
    assert client.add(1, 2) == 3 and client.get(3)["id"] == 3
    assert link._buffer is buffer, "small replies take no more"
    assert len(client.all(1000, select="{ id }")) == 1000
    assert link._buffer is buffer or len(link._buffer) == LARGE_PIECE
    assert next_buffer(buffer, PIECE - 1) is buffer
    larger = next_buffer(buffer, PIECE)  # a full piece: more is likely to come
    assert len(larger) == LARGE_PIECE
    assert next_buffer(larger, LARGE_PIECE) is larger is next_buffer(larger, 1)


def test_pending_bytes_are_read_without_waiting():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = Address("tcp", *listener.getsockname())
        with open_socket(address, None, None) as stream, listener.accept()[0] as peer:
            assert pending(stream) is None
            peer.sendall(b"x")
            poll_for(stream).poll()
            assert pending(stream) == b"x"
            peer.close()
            poll_for(stream).poll()
            assert pending(stream) == b""


def test_a_refused_connection_names_the_address():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(tl.TransportError, match=f"127.0.0.1:{port}: connection refused") as caught:
        open_socket(Address("tcp", "127.0.0.1", port), None, None)
    assert caught.value.code == "connection_refused"
