"""Peers that close or reset the connection at every byte of a conversation."""

import contextlib
import itertools
import socket
import struct
import threading

import pytest
import thriftlens as tl
from safe_clients import IDL, KINDS, SHOP, STREAMS, Shop, client_calls
from thriftlens import _core

CONVERSATIONS = pytest.mark.parametrize("transport, protocol", STREAMS)
ENDINGS = pytest.mark.parametrize("is_reset", [False, True], ids=["close", "reset"])
CALLS = 140  # of a client: two for each byte of a request, or of a reply, and some more
TWICE = SHOP.function("twice")


def end(connection, is_reset):
    if is_reset:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class Peer:
    """A server in threads that answers calls of `twice`, without the server's code. `cut(number)`:
    how many bytes of that reply are sent before the end; None: all. `read(number)`: how many bytes
    are read from that connection before its end; None: one call, which is answered."""

    def __init__(self, transport, protocol, is_reset, cut=lambda number: None, read=None):
        self.options = {"transport": transport, "protocol": protocol}
        self.is_reset, self.cut, self.read = is_reset, cut, read
        self.numbers = []
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listening.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            for number in itertools.count():
                connection, _ = self.listening.accept()
                threading.Thread(target=self.serve, args=(connection, number), daemon=True).start()

    def serve(self, connection, number):
        size = None if self.read is None else self.read(number)
        with contextlib.suppress(OSError):
            if size is not None:
                while size > 0 and (data := connection.recv(size)):
                    size -= len(data)
                return end(connection, self.is_reset)
            if self.options["transport"] == "http":
                return self.serve_http(connection)
            session = _core.Session("server", **self.options)
            while data := connection.recv(1 << 16):
                session.feed(data)
                while (event := session.next()) is not None:
                    if not self.answer(connection, session, event):
                        return None
        return connection.close()

    def serve_http(self, connection):
        data = b""
        while piece := connection.recv(1 << 16):
            data += piece
            head, _, body = data.partition(b"\r\n\r\n")
            size = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0] or 1 << 20)
            if len(body) == size:
                session = _core.Session("server", **self.options)
                session.feed(body)
                if not self.answer(connection, session, session.next()):
                    return
                data = b""

    def answer(self, connection, session, event):
        protocol = self.options["protocol"]
        argument = TWICE.arguments.decode(event.data, protocol=protocol)["number"]
        data = TWICE.result.encode({"success": 2 * argument}, protocol=protocol)
        reply = session.reply(event, "reply", data)
        if self.options["transport"] == "http":
            reply = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(reply), reply)
        size = self.cut(len(self.numbers))
        self.numbers.append(argument)
        connection.sendall(reply[:size])
        if size is not None and size < len(reply):
            end(connection, self.is_reset)
            return False
        if self.read is not None:
            connection.close()
        return self.read is None

    def __enter__(self):
        return self

    def __exit__(self, *exception_info):
        with contextlib.suppress(OSError):
            self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()


def every_second(number):
    """0 bytes for the first, all for the second, 1 for the third …"""
    return None if number % 2 else number // 2


def request_of(transport, protocol):
    session = _core.Session("client", transport=transport, protocol=protocol)
    return session.call("twice", TWICE.arguments.encode({"number": 7}, protocol=protocol))[1]


def outcomes_of(kind, peer):
    calls = [("twice", {"number": number}, {}) for number in range(CALLS)]
    return client_calls(kind, peer.address, calls, **peer.options)


def check(outcomes, numbers):
    """Results belong to their calls; the others are errors of the connection or of a reply."""
    for number in range(len(outcomes)):
        if not isinstance(outcomes[number], (tl.TransportError, tl.DecodeError)):
            assert outcomes[number] == 2 * number
    assert sorted(set(numbers)) == numbers, "no call is sent twice"


@pytest.mark.parametrize("transport, protocol", [*STREAMS, ("http", "binary")])
@ENDINGS
@KINDS
def test_a_reply_that_ends_at_any_byte_is_an_error(kind, transport, protocol, is_reset):
    with Peer(transport, protocol, is_reset, cut=every_second) as peer:
        outcomes = outcomes_of(kind, peer)
    check(outcomes, peer.numbers)
    assert peer.numbers == [*range(CALLS)]
    assert outcomes[1::2] == [2 * number for number in range(1, CALLS, 2)]
    complete = [number for number in range(0, CALLS, 2) if outcomes[number] == 2 * number]
    assert 0 not in complete and complete == [*range(CALLS - 2 * len(complete), CALLS, 2)]
    assert complete, "the last replies are complete"


@CONVERSATIONS
@ENDINGS
@KINDS
def test_a_server_that_leaves_at_any_byte_of_a_call(kind, transport, protocol, is_reset):
    size = len(request_of(transport, protocol))
    assert 2 * size < CALLS

    def read(number):
        return number // 2 % size if number % 2 else None

    with Peer(transport, protocol, is_reset, read=read) as peer:
        outcomes = outcomes_of(kind, peer)
    check(outcomes, peer.numbers)
    answered = [number for number in range(CALLS) if outcomes[number] == 2 * number]
    assert answered == peer.numbers and len(answered) > CALLS // 4


@CONVERSATIONS
@ENDINGS
def test_a_client_that_leaves_at_any_byte_of_a_call(transport, protocol, is_reset):
    shop = Shop()
    request = request_of(transport, protocol)
    with tl.serve(
        IDL, "Shop", shop, transport=transport, protocol=protocol, background=True
    ) as server:
        host, _, port = server.address.rpartition(":")
        for size in range(len(request)):
            connection = socket.create_connection((host, int(port)))
            connection.sendall(request[:size])
            end(connection, is_reset)
        with tl.connect(
            server.address, IDL, transport=transport, protocol=protocol, timeout=600
        ) as client:
            assert client.twice(8) == 16
    assert shop.numbers == [8] and len(request) > 10
