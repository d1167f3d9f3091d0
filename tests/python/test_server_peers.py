"""Memory that one peer can make a server hold, and peers of other protocols: they are named and
disconnected.
"""

import asyncio
import contextlib
import gzip
import logging
import os
import socket
import ssl
import struct
import threading
import zlib

import pytest
import thriftlens as tl
from raw_sockets import connect_to, read_exactly, read_message, read_until_closed, wait_until
from thriftlens._rpc import budget as _budget
from thriftlens._rpc import threads as _threads

IDL = tl.loads(
    """
    struct Empty {}
    service Shop { i32 get(1: i32 id), i32 put(1: binary data), i32 many(1: list<Empty> items), binary large(1: i32 size), oneway void note(1: binary text) }
    """
)
SHOP = IDL.service("Shop")
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close() sends a reset
MIB = 1 << 20
HANDLER = {"get": lambda id: id, "put": len, "many": len, "large": bytes, "note": lambda text: None}


def message(name, arguments, sequence_id=1, protocol="binary", kind="call"):
    data = SHOP.function(name).arguments.encode(arguments, protocol=protocol)
    return tl.Message(name, kind, sequence_id, data, protocol).to_bytes(framed=True)


# ---- peers that speak something else

JSON = b'[1,"get",1,1,{"1":{"i32":5}}]'
TEXT = b"hello there\n"
FOREIGN = {
    "an HTTP request": [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST / HTTP/1.1\r\n",
        b"OPTIONS * HTTP/1.1\r\n",
    ],
    "HTTP/2": [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    "a TLS handshake": [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(600)],
    "Apache's JSON protocol": [JSON, len(JSON).to_bytes(4, "big") + JSON],
    "zlib-compressed data": [zlib.compress(JSON, level) for level in (1, 6, 9)]
    + [b"\0\0\0\x2b" + zlib.compress(bytes(300), level) for level in (1, 6, 9)],
    "gzip-compressed data": [gzip.compress(JSON)],
    "plain text": [
        TEXT,
        b"HELO example.org\r\n",
        b"ping\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"<?xml version='1.0'?>",
    ],
}
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
            f"POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: {encoding}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
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


@pytest.mark.parametrize(
    "kind", ["text/html", "text/plain; charset=utf-8", "application/json", None]
)
def test_a_page_in_a_200_answer_is_named(kind):
    page = b"<!DOCTYPE html><html><body>Please sign in</body></html>"
    head = b"" if kind is None else f"Content-Type: {kind}\r\n".encode()
    answer = b"HTTP/1.1 200 OK\r\n" + head + b"Content-Length: %d\r\n\r\n" % len(page) + page
    with (
        serving(answer) as address,
        tl.connect(
            f"http://{address}/", IDL, transport="http", protocol="binary", timeout=600
        ) as client,
    ):
        with pytest.raises(tl.Error, match="an HTML page"):
            client.get(1)


@pytest.mark.parametrize("protocol", ["HTTP/1.1 500", "HTTQ"])
def test_status_lines_of_http_servers_are_short_and_escaped(protocol):
    answer = f"{protocol} \x1b[31m\x9b{'n' * 30_000}\r\nContent-Length: 0\r\n\r\n".encode("latin-1")
    with (
        serving(answer) as address,
        tl.connect(f"http://{address}/", IDL, transport="http", protocol="binary") as client,
    ):
        with pytest.raises(tl.TransportError, match=r"\\u001b\[31m\\u009bnnn") as caught:
            client.get(1)
    assert len(str(caught.value)) < 500


@contextlib.contextmanager
def serving(answer):
    """A server that answers whatever comes with these bytes."""
    listening = socket.create_server(("127.0.0.1", 0))

    def work():
        with contextlib.suppress(OSError):
            while True:
                stream, _ = listening.accept()
                with stream:
                    stream.recv(65536)
                    stream.sendall(answer)
                    stream.recv(65536)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    yield "127.0.0.1:%d" % listening.getsockname()[1]
    with contextlib.suppress(OSError):
        listening.shutdown(socket.SHUT_RDWR)
    listening.close()


# ---- echoed and logged text


@pytest.mark.parametrize("name", ["x" * 65_000, "\udcff" * 20_000, "\0" * 65_000, "a\x1b[2Jb"])
@pytest.mark.parametrize("kind", ["call", "oneway"])
def test_unknown_names_are_cut(name, kind, caplog):
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
            assert raw in answer and len(answer) < len(raw) + 1000, (
                "the client finds its call by the name"
            )
        assert read_message(stream, SHOP).decode() == {"success": 3}
    assert len(caplog.text) < 2000 and "\x1b" not in caplog.text


def test_errors_of_arguments_are_cut():
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
    assert (
        answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 501"))
        and b"c2VjcmV0" not in answer
        and "c2VjcmV0" not in caplog.text
    )
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


def test_a_second_server_does_not_take_over_the_path_of_a_living_one(tmp_path):
    path = str(tmp_path / "socket")
    with tl.serve(IDL, "Shop", HANDLER, unix=path, background=True) as server:
        with pytest.raises(OSError, match="another server listens"):
            tl.serve(IDL, "Shop", HANDLER, unix=path, background=True)
        with tl.connect(server.address, IDL) as client:
            assert client.get(5) == 5
    assert not os.path.exists(path)
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(path)
    stale.close()
    with tl.serve(IDL, "Shop", HANDLER, unix=path, background=True) as server:
        with tl.connect(server.address, IDL) as client:
            assert client.get(6) == 6
        os.unlink(path)  # by another process that listens there now
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as other:
            other.bind(path)
            other.listen()
            server.close()
            assert os.path.exists(path)
    os.unlink(path)
    (tmp_path / "socket").write_text("a file")
    with pytest.raises(OSError):
        tl.serve(IDL, "Shop", HANDLER, unix=path, background=True)
    assert (tmp_path / "socket").read_text() == "a file"


# ---- memory and time


def state_of(server):
    return server._server._state


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


def test_oneway_calls_of_a_client_that_closes_are_carried_out():
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
    delivered.
    """
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
    closed.
    """
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


def test_a_job_that_is_cancelled_leaves_the_queue_with_its_arguments():
    import weakref

    class Argument:
        pass

    threads, go_on, begun = _threads.Threads(1, "hands"), threading.Event(), threading.Event()
    busy = threads.submit(lambda: begun.set() or go_on.wait(600))
    assert begun.wait(600)
    argument = Argument()
    gone = weakref.ref(argument)
    future = threads.submit(print, argument)
    del argument
    assert future.cancel()
    assert gone() is None
    go_on.set()
    assert busy.result(600) and threads.submit(int).result(600) == 0


@pytest.mark.parametrize("handler", ["plain", "coroutine"])
def test_a_large_call_is_not_decoded_in_the_event_loop(handler, monkeypatch):
    """Nor in one go: other threads run meanwhile."""
    seen = []

    async def later(items):
        return len(items)

    with tl.serve(
        IDL, "Shop", {**HANDLER, "many": later if handler == "coroutine" else len}, background=True
    ) as server:
        handler = state_of(server).router.find("many")
        decode = handler.decode_arguments
        monkeypatch.setattr(
            handler,
            "decode_arguments",
            lambda event: seen.append(threading.current_thread().name) or decode(event),
        )
        with tl.connect(
            server.address, IDL, transport="framed", protocol="compact", timeout=600
        ) as client:
            assert client.many([{}] * 100_000) == 100_000
    assert len(seen) == 1 and seen[0].startswith("thriftlens ") and seen[0] != "thriftlens server"


def test_other_threads_run_while_a_large_value_is_decoded():
    decode = SHOP.function("many").arguments.decoder(protocol="compact")._decode_counted
    data = SHOP.function("many").arguments.encode({"items": [{}] * 2_000_000}, protocol="compact")
    turns, is_over = 0, threading.Event()

    def count():
        nonlocal turns
        while not is_over.is_set():
            turns += 1

    thread = threading.Thread(target=count)
    thread.start()
    wait_until(lambda: turns > 0)
    last_turn = turns
    value, size = decode(data)
    assert len(value["items"]) == 2_000_000 and 64 * 2_000_000 <= size <= 100 * 2_000_000
    next_turn = turns
    is_over.set()
    thread.join()
    assert next_turn > last_turn


def test_the_memory_of_decoded_arguments_is_bounded():
    with tl.serve(IDL, "Shop", HANDLER, background=True, limits={"arguments": 1 << 20}) as server:
        with tl.connect(
            server.address, IDL, transport="framed", protocol="compact", timeout=600
        ) as client:
            with pytest.raises(tl.ApplicationError, match=r"limits\['arguments'\]") as caught:
                client.many([{}] * 100_000)
            assert caught.value.code == "protocol_error"
            assert client.many([{}] * 1000) == 1000


class Load:
    """Connections of a budget."""

    def __init__(self, count, limit=1000):
        self.accounts = [_budget.Account() for _ in range(count)]
        self.budget = _budget.Budget(limit, lambda: count)


def test_a_budget_lets_small_ones_pass_large_ones():
    async def main():
        load = Load(4)
        large, small = load.accounts[:2]
        await load.budget.reserve(large, 900)
        waiting = asyncio.ensure_future(load.budget.reserve(large, 900))
        await asyncio.sleep(0)
        assert not waiting.done()
        within = 200  # its share is 250
        assert await asyncio.wait_for(load.budget.reserve(small, within), 600) == within
        load.budget.release_reserved(small, within)
        assert not waiting.done()
        load.budget.release_reserved(large, 900)
        assert await asyncio.wait_for(waiting, 600) == 900
        cancelled = asyncio.ensure_future(load.budget.reserve(large, 900))
        await asyncio.sleep(0)
        cancelled.cancel()
        await asyncio.wait({cancelled})
        waiting = [asyncio.ensure_future(load.budget.reserve(large, 900)) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        load.budget.hold(small, 10)
        load.budget.release(small, 10)  # wakes before the one that is cancelled runs
        await asyncio.wait({waiting[0]})
        waiting[1].cancel()
        await asyncio.wait({waiting[1]})
        load.budget.release_reserved(large, 900)
        assert load.budget.total == large.total == small.total == 0

    asyncio.run(main())


def test_a_budget_always_lets_one_start():
    async def main():
        load = Load(1, limit=100)
        load.budget.hold(load.accounts[0], 100)
        assert await asyncio.wait_for(load.budget.reserve(load.accounts[0], 5000), 600) == 100

    asyncio.run(main())


def test_a_budget_closes_connections_that_fill_half_of_it_with_partial_messages():
    load = Load(4)
    account, other = load.accounts[:2]
    assert load.budget.set_arriving(account, 400) and load.budget.set_arriving(other, 100)
    assert load.budget.set_arriving(other, 150), "half is full, and this is less than its share"
    assert not load.budget.set_arriving(account, 410)
    load.budget.forget(account)
    assert load.budget.set_arriving(other, 500) and load.budget.total == 500


def test_half_messages_of_many_connections_are_bounded(caplog):
    limits = {"frame_size": MIB, "in_flight": 4 * MIB}
    with tl.serve(IDL, "Shop", HANDLER, background=True, limits=limits) as server:
        with connect_to(server) as patient:
            patient.sendall(message("get", {"id": 1}))
            assert read_message(patient, SHOP).decode() == {"success": 1}
            streams = [connect_to(server) for _ in range(20)]
            for stream in streams:
                with contextlib.suppress(OSError):
                    stream.sendall(
                        MIB.to_bytes(4, "big")
                        + message("put", {"data": b""})[4:-5]
                        + bytes(900_000)
                    )
            wait_until(lambda: server.connections < 15)
            assert state_of(server).budget.total < 8 * MIB
            patient.sendall(message("get", {"id": 2}))
            assert read_message(patient, SHOP).decode() == {"success": 2}
            for stream in streams:
                stream.close()
            wait_until(lambda: state_of(server).budget.total == 0)
    assert "partial messages" in caplog.text


def test_unread_replies_are_bounded(caplog):
    limits = {"in_flight": 4 * MIB, "frame_size": MIB, "calls": 2}
    with tl.serve(IDL, "Shop", HANDLER, background=True, limits=limits) as server:
        with connect_to(server) as patient:
            streams = [connect_to(server) for _ in range(12)]
            for stream in streams:
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                with contextlib.suppress(OSError):
                    stream.sendall(message("large", {"size": 8 * MIB}))
            wait_until(lambda: "unread replies" in caplog.text)
            patient.sendall(message("get", {"id": 2}))
            assert read_message(patient, SHOP).decode() == {"success": 2}
            for stream in streams:
                stream.close()
            wait_until(lambda: state_of(server).budget.total == 0)


def test_calls_wait_while_the_server_holds_enough():
    """A client that sends more than its share is not read from; another one is served."""
    go_on = threading.Event()
    handler = {**HANDLER, "put": lambda data: go_on.wait() and len(data)}
    limits = {"frame_size": MIB, "in_flight": 4 * MIB, "calls": 1000}
    with tl.serve(
        IDL, "Shop", handler, background=True, threads=2, limits=limits, arguments="view"
    ) as server:
        with connect_to(server) as greedy, connect_to(server) as patient:

            def send():
                for number in range(50):
                    greedy.sendall(message("put", {"data": bytes(500_000)}, number))

            sender = threading.Thread(target=send)
            sender.start()
            wait_until(lambda: state_of(server).budget.total > 3 * MIB)
            session = state_of(server)
            patient.sendall(message("note", {"text": b""}) + message("put", {"data": b"xy"}))
            wait_until(lambda: len(session.executor.pool._queue._jobs) > 0)
            assert session.budget.total < 9 * MIB
            go_on.set()
            assert [read_message(greedy, SHOP).sequence_id for _ in range(50)] == list(range(50))
            assert read_message(patient, SHOP).decode() == {"success": 2}
            sender.join()
        wait_until(lambda: session.budget.total == 0)


def frame_with_persistent(pairs, payload):
    header = b"\0\0"
    if pairs:
        header += (
            b"\2"
            + varint(len(pairs))
            + b"".join(varint(len(text)) + text for pair in pairs for text in pair)
        )
    header += bytes(-len(header) % 4)
    data = b"\x0f\xff\0\0\0\0\0\1" + (len(header) // 4).to_bytes(2, "big") + header + payload
    return len(data).to_bytes(4, "big") + data


def varint(number):
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def test_persistent_headers_are_bounded_together():
    payload = message("get", {"id": 1})[4:]
    session = tl._core.Session("server", transport="header", header_size=10_000)
    for number in range(9):
        session.feed(frame_with_persistent([(b"key%d" % number, b"x" * 1000)], payload))
        event = session.next()
        assert len(event.headers) == number + 1
    session.feed(frame_with_persistent([(b"key8", b"y" * 1500)], payload))
    assert session.next().headers["key8"] == "y" * 1500
    session.feed(frame_with_persistent([(b"key9", b"x" * 1000)], payload))
    with pytest.raises(tl.DecodeError, match="persistent headers"):
        session.next()


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
    assert (
        session.next().headers == {"key": "z", "other": "y"}
        and events[0].headers["key"] == "x" * 5000
    )


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
                b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            stream.sendall(
                b"".join(b"%x\r\n" % len(piece) + piece + b"\r\n" for piece in pieces)
                + b"0\r\n\r\n"
            )
        assert read_until_closed(stream).startswith(b"HTTP/1.1 %d" % status)


def server_context():
    trustme = pytest.importorskip("trustme")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("localhost").configure_cert(context)
    return context


def test_tls_handshakes_count_as_connections():
    with tl.serve(
        IDL,
        "Shop",
        HANDLER,
        background=True,
        tls=server_context(),
        limits={"connections": 2, "idle": 600},
    ) as server:
        first = [connect_to(server) for _ in range(2)]
        wait_until(lambda: server.connections == 2)
        with connect_to(server) as third:
            assert read_until_closed(third) == b""
        for stream in first:
            stream.close()
        wait_until(lambda: server.connections == 0)
        untrusting = ssl.create_default_context()
        untrusting.check_hostname, untrusting.verify_mode = False, ssl.CERT_NONE
        with tl.connect(server.address, IDL, tls=untrusting, timeout=600) as client:
            assert client.put(bytes(3 * MIB)) == 3 * MIB
            assert client.get(3) == 3


def test_tls_handshakes_have_a_deadline():
    with (
        tl.serve(
            IDL, "Shop", HANDLER, background=True, tls=server_context(), limits={"idle": 0.2}
        ) as server,
        connect_to(server) as stream,
    ):
        assert read_until_closed(stream) == b""
        wait_until(lambda: server.connections == 0)


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
def test_closing_a_server_does_not_wait_for_half_a_call(half):
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
