"""Connections of a server whose peers misbehave."""

import asyncio
import contextlib
import gzip
import logging
import os
import socket
import struct
import threading
import zlib

import pytest
import thriftlens as tl
from raw_sockets import connect_to, read_exactly, read_message, read_until_closed, wait_until
from server_peers import (
    HANDLER,
    IDL,
    MIB,
    SHOP,
    frame_with_persistent,
    message,
    server_context,
    serving,
    state_of,
)

RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close() sends a reset
JSON = b'[1,"get",1,1,{"1":{"i32":5}}]'
TEXT = b"hello there\n"
# fmt: off
FOREIGN = {
    "an HTTP request": [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"POST / HTTP/1.1\r\n",
        b"OPTIONS * HTTP/1.1\r\n"],
    "HTTP/2": [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    "a TLS handshake": [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(600)],
    "Apache's JSON protocol": [JSON, len(JSON).to_bytes(4, "big") + JSON],
    "zlib-compressed data": [zlib.compress(JSON, level) for level in (1, 6,
        9)] + [b"\0\0\0\x2b" + zlib.compress(bytes(300), level) for level in (1, 6, 9)],
    "gzip-compressed data": [gzip.compress(JSON)],
    "plain text": [TEXT, b"HELO example.org\r\n", b"ping\n", b"SSH-2.0-OpenSSH_9.2\r\n",
        b"<?xml version='1.0'?>"],
}
# fmt: on
STATED = ("buffered", "framed", "header", "ttheader", "ttheader_framed", "auto")


def foreign_cases():
    for name, samples in FOREIGN.items():
        for number, sample in enumerate(samples):
            for transport in STATED:
                framed = sample[0] == 0
                http_in_auto = transport == "auto" and name in ("an HTTP request", "HTTP/2")
                if http_in_auto or (framed and transport not in ("framed", "auto")):
                    continue
                yield pytest.param(transport, name, sample, id=f"{transport}-{name}-{number}")


@pytest.mark.parametrize("transport, name, sample", list(foreign_cases()))
def test_a_foreign_protocol_is_named_at_once(transport, name, sample, caplog):
    """With all of its first bytes, and without those after the first 16."""
    with tl.serve(IDL, "Shop", HANDLER, background=True, transport=transport) as server:
        for size in (len(sample), 16):
            with connect_to(server) as stream:
                stream.sendall(sample[:size])
                assert read_until_closed(stream) == b""
    warnings = [
        record.getMessage() for record in caplog.records if record.levelno == logging.WARNING
    ]
    assert sum(f"found {name}" in warning for warning in warnings) == 2, warnings


def test_an_empty_frame_is_named(caplog):
    with (
        tl.serve(IDL, "Shop", HANDLER, background=True, transport="framed") as server,
        connect_to(server) as stream,
    ):
        stream.sendall(bytes(4))
        assert read_until_closed(stream) == b""
    assert "expected a message, found an empty frame" in caplog.text


@pytest.mark.parametrize(
    "sample",
    [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", JSON, TEXT, zlib.compress(JSON)],
    ids=["TLS", "JSON", "text", "zlib"],
)
def test_an_http_server_names_a_foreign_protocol(sample, caplog):
    pytest.importorskip("h11")
    name = next(
        name
        for name, samples in FOREIGN.items()
        if any(line.startswith(sample[:9]) for line in samples)
    )
    with (
        tl.serve(IDL, "Shop", HANDLER, background=True, transport="http") as server,
        connect_to(server) as stream,
    ):
        stream.sendall(sample)
        assert read_until_closed(stream).startswith(b"HTTP/1.1 400")
    assert f"found {name}" in caplog.text


@pytest.mark.parametrize(
    "sample, name",
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP without TLS"),
        (message("get", {"id": 1}), "does not speak TLS"),
    ],
)
def test_a_tls_server_names_a_foreign_protocol(sample, name, caplog):
    with (
        tl.serve(IDL, "Shop", HANDLER, background=True, tls=server_context()) as server,
        connect_to(server) as stream,
    ):
        stream.sendall(sample)
        read_until_closed(stream)
        wait_until(lambda: server.connections == 0)
    assert name in caplog.text


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "GZIP", "identity, gzip"])
def test_an_encoded_body_is_415(encoding):
    pytest.importorskip("h11")
    body = gzip.compress(message("get", {"id": 1})[4:])
    with (
        tl.serve(IDL, "Shop", HANDLER, background=True, transport="http") as server,
        connect_to(server) as stream,
    ):
        stream.sendall(
            (
                f"POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: {encoding}\r\n"
                f"Content-Length: {len(body)}\r\n\r\n"
            ).encode()
            + body
        )
        assert read_until_closed(stream).startswith(b"HTTP/1.1 415")


@pytest.mark.parametrize("transport", ["framed", "buffered", "header", "ttheader"])
@pytest.mark.parametrize(
    "answer, name",
    [
        (b"\x15\x03\x01\x00\x02\x02\x46", "a TLS alert"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "an HTTP response"),
        (b"<html><body>no</body></html>", "an HTML page"),
        (b"go away\r\n", "plain text"),
    ],
)
def test_a_client_names_a_foreign_protocol(answer, name, transport):
    with (
        serving(answer) as address,
        tl.connect(address, IDL, transport=transport, protocol="binary", timeout=600) as client,
    ):
        with pytest.raises(tl.Error, match=f"found {name}"):
            client.get(1)


@pytest.mark.parametrize("name", ["x" * 65_000, "\udcff" * 20_000, "\0" * 65_000, "a\x1b[2Jb"])
@pytest.mark.parametrize("kind", ["call", "oneway"])
def test_unknown_names_are_truncated(name, kind, caplog):
    raw = name.encode("utf-8", "surrogateescape")
    body = (
        b"\x80\1\0"
        + (b"\1" if kind == "call" else b"\4")
        + len(raw).to_bytes(4, "big")
        + raw
        + b"\0\0\0\7\0"
    )
    with tl.serve(IDL, "Shop", HANDLER, background=True) as server, connect_to(server) as stream:
        stream.sendall(len(body).to_bytes(4, "big") + body + message("get", {"id": 3}))
        if kind == "call":
            answer = read_exactly(stream, int.from_bytes(read_exactly(stream, 4), "big"))
            assert raw in answer, "the client finds its call by the name"
            assert len(answer) < len(raw) + 1000, "the client finds its call by the name"
        assert read_message(stream, SHOP).decode() == {"success": 3}
    assert len(caplog.text) < 2000 and "\x1b" not in caplog.text


def test_errors_of_arguments_are_truncated():
    idl = tl.loads("struct Deep { 1: map<string, i32> entries } service S { void f(1: Deep deep) }")
    key = b"k" * 60_000
    body = (
        b"\x80\1\0\1\0\0\0\1f\0\0\0\7"
        + b"\x0c\0\1\x0d\0\1\x0b\x08\0\0\0\1"
        + len(key).to_bytes(4, "big")
        + key
        + b"\0\0"
    )
    with tl.serve(idl, "S", {"f": print}, background=True) as server, connect_to(server) as stream:
        stream.sendall(len(body).to_bytes(4, "big") + body)
        assert len(read_exactly(stream, int.from_bytes(read_exactly(stream, 4), "big"))) < 2000


MALFORMED = [
    b"Authorization Basic c2VjcmV0OnNlY3JldA==\r\n",
    b" Authorization: Basic c2VjcmV0OnNlY3JldA==\r\n",
    b"Authorization : Basic c2VjcmV0OnNlY3JldA==\r\n",
    b"Authorization: Basic c2VjcmV0OnNlY3JldA==\0\r\n",
    b"Content-Length: c2VjcmV0OnNlY3JldA==\r\n",
    b"Transfer-Encoding: c2VjcmV0OnNlY3JldA==\r\n",
]


@pytest.mark.parametrize("line", MALFORMED)
def test_malformed_headers_are_neither_echoed_nor_logged(line, caplog):
    pytest.importorskip("h11")
    caplog.set_level(logging.DEBUG)
    with (
        tl.serve(IDL, "Shop", HANDLER, background=True, transport="http") as server,
        connect_to(server) as stream,
    ):
        stream.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n" + line + b"\r\n")
        answer = read_until_closed(stream)
    assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 501")) and b"c2VjcmV0" not in answer
    assert "c2VjcmV0" not in caplog.text
    assert "the connection of" in caplog.text


def test_a_malformed_request_line_is_neither_echoed_nor_logged(caplog):
    pytest.importorskip("h11")
    caplog.set_level(logging.DEBUG)
    with (
        tl.serve(IDL, "Shop", HANDLER, background=True, transport="http") as server,
        connect_to(server) as stream,
    ):
        stream.sendall(b"POST /c2VjcmV0 is here HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"c2VjcmV0" not in read_until_closed(stream)
    assert "c2VjcmV0" not in caplog.text


@pytest.mark.parametrize("second", [b"Basic YW5uOnMzY3JldA==", b"Basic YW5uOndyb25n", b"Bearer x"])
def test_two_authorization_headers_are_400(second):
    pytest.importorskip("h11")
    body = message("get", {"id": 1})[4:]
    with (
        tl.serve(
            IDL, "Shop", HANDLER, background=True, transport="http", users={"ann": "s3cret"}
        ) as server,
        connect_to(server) as stream,
    ):
        lines = (b"Authorization: Basic YW5uOnMzY3JldA==", b"authorization: " + second)
        stream.sendall(
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n" % len(body)
            + b"\r\n".join(lines)
            + b"\r\n\r\n"
            + body
        )
        assert read_until_closed(stream).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("leftover", [b"", b"\0", b"\0\0\0\x20\x80\1\0\1"])
@pytest.mark.parametrize("transport", ["framed", "buffered", "header", "ttheader"])
def test_a_session_that_waits_does_not_keep_its_largest_message(transport, leftover):
    """Also when followed by the beginning of another one."""
    psutil = pytest.importorskip("psutil")
    client = tl._core.Session("client", transport=transport, protocol="binary")
    data = SHOP.function("put").arguments.encode({"data": bytes(8 * MIB)})
    sessions = [
        tl._core.Session("server", transport=transport, protocol="binary") for _ in range(8)
    ]
    start_size = psutil.Process().memory_info().rss
    for session in sessions:
        session.feed(
            client.call("put", data, oneway=True)[1] + (leftover if transport == "framed" else b"")
        )
        assert session.next().name == "put"
        assert session.next() is None
    assert psutil.Process().memory_info().rss - start_size < 8 * 4 * MIB


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_thread_sends_its_reply_and_leaves_the_rest_to_the_event_loop(part, monkeypatch):
    """part: halves that the system takes."""
    sizes = []

    def write(descriptor, data):
        if not part:
            raise BlockingIOError
        sizes.append(os.write(descriptor, data[: len(data) * part // 2]))
        return sizes[-1]

    monkeypatch.setattr("thriftlens._rpc.in_flight.write", write)
    with tl.serve(IDL, "Shop", HANDLER, background=True, threads=2) as server:
        with tl.connect(server.address, IDL, transport="framed", timeout=None) as client:
            assert [client.put(bytes(size)) for size in (1, 1000, 3)] == [1, 1000, 3]
            wait_until(lambda: len(sizes) == (3 if part else 0))  # appended after the reply is sent
        wait_until(lambda: server.connections == 0 and state_of(server).budget.total == 0)


def test_queued_calls_of_connections_that_were_reset_are_dropped():
    go_on, begun, sizes = threading.Event(), threading.Event(), []
    handler = {
        **HANDLER,
        "put": lambda data: sizes.append(len(data)) or begun.set() or int(go_on.wait()),
    }
    with tl.serve(IDL, "Shop", handler, background=True, threads=1, limits={"calls": 8}) as server:
        streams = [connect_to(server) for _ in range(3)]
        for stream in streams:
            stream.sendall(message("put", {"data": bytes(100_000)}) * 8)
        begun.wait()
        wait_until(lambda: state_of(server).budget.total > 20 * 100_000)
        for stream in streams:
            reset(stream)
        wait_until(lambda: server.connections == 0)
        wait_until(
            lambda: (
                state_of(server).budget.total < 100 * 100_000
                and len(state_of(server).executor.pool._queue._jobs) == 0
            )
        )
        go_on.set()
        with tl.connect(server.address, IDL, timeout=600) as client:
            assert client.get(1) == 1
        assert len(sizes) == 1, "the one that had begun"
        wait_until(lambda: state_of(server).budget.total == 0)


def test_oneway_calls_of_a_closing_client_are_executed():
    texts = []
    with tl.serve(
        IDL, "Shop", {**HANDLER, "note": texts.append}, background=True, limits={"calls": 4}
    ) as server:
        with connect_to(server) as stream:
            for number in range(300):
                stream.sendall(message("note", {"text": b"%d" % number}, kind="oneway"))
        wait_until(lambda: len(texts) == 300)


def reset(stream):
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    stream.close()


@pytest.mark.parametrize("http_header", [None, b"", b"Connection: close\r\n"])
def test_received_oneway_calls_are_executed_after_their_connection_was_reset(http_header):
    """Calls between them that need a reply are dropped, started or not, since the reply cannot be
    delivered."""
    go_on, begun, executed = threading.Event(), threading.Event(), []
    data = b"".join(
        message("note", {"text": b"%d" % number}, kind="oneway") + message("get", {"id": 7})
        for number in range(5)
    )
    if http_header is not None:
        pytest.importorskip("h11")
        body = message("note", {"text": b"0"}, kind="oneway")[4:]
        data = (
            b"POST / HTTP/1.1\r\nHost: x\r\n%bContent-Length: %d\r\n\r\n" % (http_header, len(body))
            + body
        )
    handler = {
        "put": lambda data: begun.set() or int(go_on.wait()),
        "get": executed.append,
        "note": executed.append,
    }
    with tl.serve(IDL, "Shop", handler, background=True, threads=1, limits={"calls": 3}) as server:
        with connect_to(server) as blocking, connect_to(server) as stream:
            blocking.sendall(message("put", {"data": b""}))
            begun.wait()
            held = state_of(server).budget.total
            stream.sendall(data)
            wait_until(lambda: state_of(server).budget.total > held)
            assert http_header is None or stream.recv(65536).startswith(b"HTTP/1.1 200 ")
            reset(stream)
            wait_until(lambda: server.connections == 1)
            go_on.set()
            wait_until(lambda: state_of(server).budget.total == 0)
    assert executed == ([b"0", b"1", b"2", b"3", b"4"] if http_header is None else [b"0"])


@pytest.mark.parametrize("end", ["raise", "request_time", "close"])
def test_a_coroutine_of_a_oneway_call_after_its_connection_was_reset(end, caplog):
    """It may raise CancelledError itself, and is cancelled when its time is over or the server is
    closed."""
    go_on, begun, ends = threading.Event(), threading.Event(), []

    async def note(text):
        begun.set()
        try:
            while not go_on.is_set():
                await asyncio.sleep(0.001)
            raise asyncio.CancelledError
        finally:
            ends.append("raise" if go_on.is_set() else "cancelled")

    options = {
        "limits": {"request_time": 0.5 if end == "request_time" else 3600},
        "drain": 0 if end == "close" else 600,
    }
    with tl.serve(IDL, "Shop", {**HANDLER, "note": note}, background=True, **options) as server:
        stream = connect_to(server)
        stream.sendall(message("note", {"text": b""}, kind="oneway"))
        begun.wait()
        reset(stream)
        wait_until(lambda: server.connections == 0)
        assert ends == [] or end == "request_time"
        if end == "raise":
            go_on.set()
    assert ends == ["raise" if end == "raise" else "cancelled"]
    assert {"raise": "note failed", "request_time": "note took longer", "close": ""}[
        end
    ] in caplog.text


def test_persistent_headers_are_shared_by_the_calls():
    payload = message("get", {"id": 1})[4:]
    session = tl._core.Session("server", transport="header")
    session.feed(
        frame_with_persistent([(b"key", b"x" * 5000), (b"other", b"y")], payload)
        + frame_with_persistent([], payload) * 2
    )
    events = [session.next() for _ in range(3)]
    assert all(event.headers == {"key": "x" * 5000, "other": "y"} for event in events)
    assert len({id(event.headers["key"]) for event in events}) == 1
    session.feed(frame_with_persistent([(b"key", b"z")], payload))
    assert session.next().headers == {"key": "z", "other": "y"}
    assert events[0].headers["key"] == "x" * 5000


@pytest.mark.parametrize("size, status", [(1, 400), (500, 200)])
def test_tiny_chunks_are_refused(size, status):
    pytest.importorskip("h11")
    body = message("put", {"data": bytes(20_000)})[4:]
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    with (
        tl.serve(IDL, "Shop", HANDLER, background=True, transport="http") as server,
        connect_to(server) as stream,
    ):
        with contextlib.suppress(OSError):
            stream.sendall(
                b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                b"Transfer-Encoding: chunked\r\n\r\n"
            )
            stream.sendall(
                b"".join(b"%x\r\n" % len(piece) + piece + b"\r\n" for piece in pieces)
                + b"0\r\n\r\n"
            )
        assert read_until_closed(stream).startswith(b"HTTP/1.1 %d" % status)


@pytest.mark.parametrize(
    "first", [b"", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n"]
)
def test_the_head_of_a_second_request_has_the_deadline_of_the_first(first):
    pytest.importorskip("h11")
    body = message("get", {"id": 1})[4:]
    with (
        tl.serve(
            IDL, "Shop", HANDLER, background=True, transport="http", limits={"idle": 0.3}
        ) as server,
        connect_to(server) as stream,
    ):
        stream.sendall(
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        )
        assert stream.recv(65536).startswith(b"HTTP/1.1 200")
        stream.sendall(b"POST / HTTP/1.1\r\nX: ")
        assert read_until_closed(stream) == b""


@pytest.mark.parametrize("half", [b"", b"\0", message("get", {"id": 1})[:-1]])
def test_closing_a_server_does_not_wait_for_a_partial_call(half):
    """Whatever was sent before; drain= is for calls in flight."""
    with tl.serve(IDL, "Shop", HANDLER, background=True) as server, connect_to(server) as stream:
        stream.sendall(message("get", {"id": 1}))
        read_message(stream, SHOP)
        stream.sendall(half)
        closing = threading.Thread(target=server.close, args=(3600,))
        closing.start()
        assert read_until_closed(stream) == b""
        closing.join(600)
        assert not closing.is_alive()
