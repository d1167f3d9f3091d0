"""A client must never take another process's reply, send a partial call, send unchecked bytes or
lose the content of a reply.
"""

import asyncio
import contextlib
import http.server
import itertools
import json
import os
import pickle
import socket
import sys
import threading

import pytest
import thriftlens as tl
from thriftlens import _core

IDL = tl.loads(
    """
    struct Order { 1: required i64 id, 2: string note }
    service Shop { i64 twice(1: required i64 number), Order get(1: i64 id), void touch(1: i64 id), oneway void note(1: string text), binary size(1: i32 size) }
    """
)
NEWER = tl.loads(
    """
    struct Order { 1: required i64 id, 2: string note }
    exception Gone { 1: string why }
    service Shop { i64 twice(1: required i64 number) throws (1: Gone gone), Order get(1: i64 id) throws (4: Gone gone), void touch(1: i64 id) throws (1: Gone gone) }
    """
)
SHOP = IDL.service("Shop")
STREAMS = [
    (transport, protocol)
    for transport in ("buffered", "framed", "header", "ttheader")
    for protocol in ("binary", "compact")
]


class Shop:
    def __init__(self):
        self.numbers = []

    def twice(self, number):
        self.numbers.append(number)
        return 2 * number

    def get(self, id):
        return {"id": id, "note": "n"}

    def touch(self, id, context):
        context.reply_headers["seen"] = str(id)

    def note(self, text):
        pass

    def size(self, size):
        return bytes(size)


@contextlib.contextmanager
def session_server(answer, transport, protocol="binary", connections=None):
    """A server of one thread per connection, without the server's code: answer(event) returns kind,
    data and headers of the reply.
    """
    listening = socket.create_server(("127.0.0.1", 0))
    threads = []

    def serve(connection):
        session = _core.Session("server", transport=transport, protocol=protocol)
        with contextlib.suppress(OSError), connection:
            while data := connection.recv(1 << 16):
                session.feed(data)
                while (event := session.next()) is not None:
                    kind, data, headers = answer(event)
                    connection.sendall(session.reply(event, kind, data, headers=headers))

    def accept():
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            if connections is not None:
                connections.append(connection)
            threads.append(threading.Thread(target=serve, args=(connection,), daemon=True))
            threads[-1].start()

    threads.append(threading.Thread(target=accept, daemon=True))
    threads[0].start()
    try:
        yield "127.0.0.1:%d" % listening.getsockname()[1]
    finally:
        with contextlib.suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()


def client_calls(kind, address, calls, idl=IDL, **options):
    """Results and errors of the (name, arguments, options) through one client."""
    options = {"timeout": 20, **options}
    outcomes = []
    if kind == "sync":
        with tl.connect(address, idl, "Shop", **options) as client:
            for name, arguments, call_options in calls:
                try:
                    outcomes.append(client.call(name, arguments, **call_options))
                except Exception as error:
                    outcomes.append(error)
        return outcomes

    async def main():
        async with tl.aio.connect(address, idl, "Shop", **options) as client:
            for name, arguments, call_options in calls:
                try:
                    outcomes.append(await client.call(name, arguments, **call_options))
                except Exception as error:
                    outcomes.append(error)

    asyncio.run(main())
    return outcomes


KINDS = pytest.mark.parametrize("kind", ["sync", "asyncio"])


# ---- fork

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")


def in_child(work):
    """Starts work() in a forked child; returns a function that waits for its result."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            result = pickle.dumps(work())
            with os.fdopen(writing, "wb") as out:
                out.write(result)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)

    def result():
        with os.fdopen(reading, "rb") as data:
            outcome = data.read()
        assert os.waitpid(child, 0)[1] == 0
        return pickle.loads(outcome)

    return result


@needs_fork
@pytest.mark.parametrize("transport, protocol", [*STREAMS, ("http", "binary")])
def test_processes_that_share_a_client_get_their_own_replies(transport, protocol):
    def calls(client, first):
        return [client.twice(number) for number in range(first, first + 300)]

    with tl.serve(IDL, "Shop", Shop(), transport=transport, background=True) as server:
        with tl.connect(
            server.address, IDL, transport=transport, protocol=protocol, timeout=600, pool=2
        ) as client:
            assert client.twice(1) == 2
            children = [
                in_child(lambda first=first: calls(client, first)) for first in (1000, 2000)
            ]
            assert calls(client, 0) == [2 * number for number in range(300)]
            assert [child() for child in children] == [
                [2 * number for number in range(first, first + 300)] for first in (1000, 2000)
            ]
            assert client.twice(7) == 14, "the connection of the parent is still open"
            assert server.connections == 1


@needs_fork
def test_a_child_does_not_wait_for_locks_of_threads_that_it_does_not_have():
    with tl.serve(IDL, "Shop", Shop(), transport="framed", background=True) as server:
        with tl.connect(
            server.address, IDL, transport="framed", protocol="binary", timeout=600
        ) as client:
            link = client._links[0]
            with link._lock, link._sending, client._lock:
                child = in_child(lambda: client.twice(4))
            assert child() == 8


@needs_fork
@pytest.mark.parametrize("is_new_loop", [False, True])
def test_an_asyncio_client_in_a_forked_child_opens_a_connection_of_its_own(is_new_loop):
    async def calls(client, first):
        return await asyncio.gather(*(client.twice(number) for number in range(first, first + 200)))

    with tl.serve(IDL, "Shop", Shop(), transport="framed", background=True) as server:
        loop = asyncio.new_event_loop()

        async def connect():
            return await tl.aio.connect(
                server.address, IDL, transport="framed", protocol="binary", timeout=600
            )

        client = loop.run_until_complete(connect())

        def work():
            return (asyncio.new_event_loop() if is_new_loop else loop).run_until_complete(
                calls(client, 1000)
            )

        child = in_child(work)
        assert loop.run_until_complete(calls(client, 0)) == [2 * number for number in range(200)]
        assert child() == [2 * number for number in range(1000, 1200)]
        assert loop.run_until_complete(client.twice(7)) == 14 and server.connections == 1
        loop.run_until_complete(client.close())
        loop.close()


@needs_fork
def test_a_fork_that_runs_no_hooks_is_seen_at_the_next_call(monkeypatch):
    from thriftlens._rpc import fork as _fork

    with tl.serve(IDL, "Shop", Shop(), transport="framed", background=True) as server:
        with tl.connect(
            server.address, IDL, transport="framed", protocol="binary", timeout=600
        ) as client:
            first_link = client._links[0]
            monkeypatch.setattr(_fork, "_process", 1)  # as it looks in a child
            assert client.twice(4) == 8 and client._links[0] is not first_link


# ---- exceptions in the middle of a call


class Interrupted(BaseException):
    pass


class HalfSocket:
    """A socket that sends a few bytes and then is interrupted."""

    def __init__(self, stream, size):
        self._stream, self._size = stream, size

    def __getattr__(self, name):
        return getattr(self._stream, name)

    def send(self, data):
        if self._size is None:
            return self._stream.send(data)
        size, self._size = self._size, None
        self._stream.sendall(bytes(data[:size]))
        raise Interrupted

    def write(self, data):
        if self._size is None:
            return self._stream.write(data)
        size, self._size = self._size, None
        self._stream.write(bytes(data[:size]))
        raise Interrupted


@pytest.mark.parametrize("transport, protocol", STREAMS)
@pytest.mark.parametrize("size", [0, 3, 10])
def test_an_interrupted_send_closes_the_connection(transport, protocol, size):
    shop = Shop()
    with tl.serve(IDL, "Shop", shop, transport=transport, background=True) as server:
        with tl.connect(
            server.address, IDL, transport=transport, protocol=protocol, timeout=600
        ) as client:
            link = client._links[0]
            link._socket = HalfSocket(link._socket, size)
            with pytest.raises(Interrupted):
                client.twice(1)
            assert link.fault is not None and link.in_flight == 0
            assert (
                client.twice(2) == 4
                and client._links == [client._links[0]]
                and client._links[0] is not link
            )
        assert shop.numbers == [2]


@pytest.mark.parametrize("transport, protocol", STREAMS)
def test_an_interrupted_send_closes_the_connection_of_an_asyncio_client(transport, protocol):
    shop = Shop()

    async def main(address):
        async with tl.aio.connect(
            address, IDL, transport=transport, protocol=protocol, timeout=600
        ) as client:
            link = client._links[0]
            link._stream = HalfSocket(link._stream, 3)
            with pytest.raises(Interrupted):
                await client.twice(1)
            assert link.fault is not None and link.in_flight == 0
            assert await client.twice(2) == 4

    with tl.serve(IDL, "Shop", shop, transport=transport, background=True) as server:
        asyncio.run(main(server.address))
    assert shop.numbers == [2]


def interrupt_at(number, files):
    """A trace function that raises at the nth line of the given files.

    At `with` and `try` it does not: no signal handler runs there.
    """
    lines = itertools.count(1)

    def trace(frame, event, argument):
        if not frame.f_code.co_filename.endswith(files):
            return None
        if (
            event == "line"
            and not source_line(frame).startswith(("with ", "try:"))
            and next(lines) == number
        ):
            sys.settrace(None)
            raise Interrupted
        return trace

    return trace


def source_line(frame):
    import linecache

    return linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()


@pytest.mark.skipif(sys.gettrace() is not None, reason="lines are traced already")
@pytest.mark.parametrize("transport", ["framed", "http"])
def test_an_exception_at_any_line_of_a_call_leaves_a_client_that_works(transport):
    shop = Shop()
    files = ("_rpc/client.py", "_rpc/link.py", "_rpc/http_transport.py")
    with tl.serve(IDL, "Shop", shop, transport=transport, background=True) as server:
        with tl.connect(
            server.address, IDL, transport=transport, protocol="binary", timeout=600
        ) as client:
            for number in itertools.count(1):
                del shop.numbers[:]
                outcomes = []

                def traced_call(number=number, outcomes=outcomes):
                    sys.settrace(interrupt_at(number, files))
                    try:
                        outcomes.append(client.twice(number))
                    except Interrupted:
                        outcomes.append(None)
                    finally:
                        sys.settrace(None)

                # In a thread of its own: CPython leaves the exception that was being handled in the
                # thread's state.
                thread = threading.Thread(target=traced_call)
                thread.start()
                thread.join(600)
                [outcome] = outcomes
                from_thread = []
                thread = threading.Thread(target=lambda: from_thread.append(client.twice(-number)))
                thread.start()
                thread.join(600)
                assert from_thread == [-2 * number], number
                assert shop.numbers in ([number, -number], [-number]), (
                    "every call is executed at most once"
                )
                assert not any(link.in_flight for link in client._links) and len(client._links) == 1
                if outcome is not None:
                    break
            assert number > 30 and outcome == 2 * number


# ---- probes


class ModelOfNode:
    """How Apache's Node server reads: the process ends at what it cannot read (0.24,
    lib/nodejs/lib/thrift/server.js). Binary only.
    """

    def __init__(self, transport):
        self.transport = transport
        self.is_dead = False
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listening.getsockname()[1]
        threading.Thread(target=self.work, daemon=True).start()

    def work(self):
        with contextlib.suppress(OSError):
            while not self.is_dead:
                connection, _ = self.listening.accept()
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()
        self.listening.close()

    def serve(self, connection):
        data = b""
        with connection:
            try:
                while piece := connection.recv(1 << 16):
                    data = self.read(connection, data + piece)
            except (
                ConnectionError,
                ValueError,
            ):  # the stream's "error" event, or an exception of the reader
                self.is_dead = True
                with contextlib.suppress(OSError):
                    self.listening.shutdown(socket.SHUT_RDWR)

    def read(self, connection, data):
        if self.transport == "buffered":
            return self.messages(connection, data, framed=False)
        while len(data) >= 4:
            size = int.from_bytes(data[:4], "big", signed=True)
            if not 0 <= size <= 16384000:
                raise ValueError(f"frame size {size}")
            if len(data) < 4 + size:
                break
            self.messages(connection, data[4 : 4 + size], framed=True)
            data = data[4 + size :]
        return data

    def messages(self, connection, data, framed):
        """Answers complete messages and waits for the rest."""
        while len(data) >= 4:
            size = int.from_bytes(data[:4], "big", signed=True)
            if size < 0:
                if data[:2] != b"\x80\x01":
                    raise ValueError(f"bad version {size}")
                size, at = int.from_bytes(data[4:8], "big", signed=True), 8
            else:
                at = 4
            is_old = at == 4
            frame_end = at + size + (1 if is_old else 0) + 4
            if len(data) <= frame_end:
                return data
            name, sequence_id = data[at : at + size], data[frame_end - 4 : frame_end]
            end = self.end_of_struct(data, frame_end)
            if end is None:
                return data
            text = name.decode(errors="replace").encode()
            body = (
                b"\x80\x01\x00\x03"
                + len(text).to_bytes(4, "big")
                + text
                + sequence_id
                + b"\x08\0\x02\0\0\0\x01\0"
            )
            connection.sendall((len(body).to_bytes(4, "big") if framed else b"") + body)
            data = data[end:]
        return data

    @staticmethod
    def end_of_struct(data, at):
        if data[at : at + 1] == b"\0":
            return at + 1
        raise ValueError("only empty structs here")


@pytest.mark.parametrize("transport", ["buffered", "framed"])
@pytest.mark.parametrize("multiplexed", [False, True])
def test_probes_do_not_end_apaches_node_servers(transport, multiplexed):
    node = ModelOfNode(transport)
    with tl.connect(node.address, IDL, timeout=600, multiplexed=multiplexed) as client:
        assert (client.transport, client.protocol) == (transport, "binary")
        with pytest.raises(tl.ApplicationError):
            client.call("touch", {})
    assert not node.is_dead
    node.listening.close()


def test_a_probe_that_ended_the_server_is_named():
    def serve():
        connection, _ = listening.accept()
        listening.close()
        connection.recv(1)
        connection.close()

    listening = socket.create_server(("127.0.0.1", 0))
    address = "127.0.0.1:%d" % listening.getsockname()[1]
    threading.Thread(target=serve, daemon=True).start()
    with pytest.raises(
        tl.TransportError,
        match=r"connection refused.*framed or buffered binary: closed.*transport= and protocol= avoid probes",
    ) as error:
        tl.connect(address, IDL, timeout=600)
    assert error.value.code == "connection_refused"


class Web(http.server.BaseHTTPRequestHandler):
    """Thrift in POSTs. `allow(headers)` decides whether a request is accepted; `cookie` is set by
    the first answer and required from then on.
    """

    protocol_version = "HTTP/1.1"
    allow = staticmethod(lambda headers: True)
    cookie = None
    seen = None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.seen.append(dict(self.headers))
        wants_cookie = self.cookie and any("Cookie" in headers for headers in self.seen[:-1])
        if not self.allow(self.headers) or (
            wants_cookie and self.cookie not in (self.headers["Cookie"] or "")
        ):
            self.send_response(401)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        session = _core.Session("server", transport="http", protocol="binary")
        session.feed(body)
        event = session.next()
        known = event.name == "twice"
        data = (
            SHOP.function("twice").result.encode({"success": 2})
            if known
            else tl.application_exception().encode({"type": 1})
        )
        answer = session.reply(event, "reply" if known else "exception", data)
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.send_header("X-Trace", "t1")
        if self.cookie and "Cookie" not in self.headers:
            self.send_header("Set-Cookie", f"{self.cookie}; Path=/; HttpOnly")
            self.send_header("Set-Cookie", "other=2; Path=/elsewhere")
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def web(**members):
    handler = type("Handler", (Web,), {"seen": [], **members})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield "http://127.0.0.1:%d/thrift" % server.server_address[1], handler
    finally:
        server.shutdown()
        server.server_close()


def has_token(headers):
    return headers["Authorization"] == "Bearer t0"


@KINDS
def test_probes_carry_the_headers_of_calls_over_http(kind):
    with web(allow=staticmethod(has_token)) as (address, handler):
        assert client_calls(
            kind, address, [("twice", {"number": 1}, {})], headers={"Authorization": "Bearer t0"}
        ) == [2]
        assert len(handler.seen) == 2, "a probe and a call"
        with pytest.raises(tl.TransportError) as error:
            client_calls(kind, address, [])
        assert error.value.status == 401


def test_probes_of_the_shell_and_of_hive_carry_headers(tmp_path, run):
    idl = tmp_path / "shop.thrift"
    idl.write_text("service Shop { i64 twice(1: required i64 number) }")
    with web(allow=staticmethod(has_token)) as (address, handler):
        result = run(
            "call", address, idl, "Shop.twice", "number=1", "--header", "Authorization=Bearer t0"
        )
        assert (result.returncode, result.stdout) == (0, b"2\n")
        with pytest.raises(tl.ApplicationError):  # it is let in, and has no such function
            tl.hive.connect(address, headers={"Authorization": "Bearer t0"})
        with pytest.raises(tl.TransportError):
            tl.hive.connect(address)


@pytest.mark.parametrize("transport", ["header", "ttheader", "ttheader_framed"])
@KINDS
def test_probes_carry_the_headers_of_calls_in_frames(kind, transport):
    seen = []

    def answer(event):
        seen.append(event.headers)
        return "exception", tl.application_exception().encode({"type": 1}), None

    with session_server(answer, transport) as address:
        client_calls(
            kind, address, [("touch", {}, {})], transport=transport, headers={"token": "t0"}
        )
    assert len(seen) == 2 and all(headers.get("token") == "t0" for headers in seen)


# ---- replies that the IDL does not know


def gone(context):
    raise NEWER.exceptions["Gone"]("sold")


@pytest.fixture(scope="module")
def newer_server():
    handler = {
        "twice": lambda number: gone(None),
        "get": lambda id: gone(None),
        "touch": lambda id: gone(None),
    }
    with tl.serve(NEWER, "Shop", handler, background=True) as server:
        yield server.address


@KINDS
@pytest.mark.parametrize("protocol", ["binary", "compact"])
@pytest.mark.parametrize("result", ["dict", "view", "json", "bytes"])
def test_an_exception_that_the_idl_does_not_declare_is_an_error_that_names_the_field(
    kind, protocol, result, newer_server
):
    calls = [
        ("touch", {}, {}),
        ("twice", {"number": 1}, {}),
        ("get", {}, {"select": "{ success { id } }"}),
        ("get", {}, {"select": ["$.success.id"]}),
    ]
    outcomes = client_calls(
        kind, newer_server, calls, transport="framed", protocol=protocol, result=result
    )
    for (name, _, _), error, number in zip(calls, outcomes, (1, 1, 4, 4)):
        assert (
            isinstance(error, tl.DecodeError)
            and error.code == "unknown_field"
            and error.path == f"$.#{number}"
        ), (name, error)
        assert (
            f"the reply to {name} has field {number} (struct), which the IDL does not declare"
            in str(error)
        )


def test_an_undeclared_field_next_to_a_result_is_an_error():
    data = tl.loads("struct R { 0: i64 success, 9: string more }").R.encode({"more": "x"})
    result = SHOP.function("twice").result.encode({"success": 2})
    with session_server(lambda event: ("reply", result[:-1] + data, None), "framed") as address:
        (error,) = client_calls(
            "sync", address, [("twice", {"number": 1}, {})], transport="framed", protocol="binary"
        )
    assert error.code == "unknown_field" and "field 9 (string)" in str(error)


def test_the_shell_reports_an_undeclared_exception(newer_server, tmp_path, run):
    idl = tmp_path / "shop.thrift"
    idl.write_text(
        "struct Order { 1: required i64 id } service Shop { i64 twice(1: i64 number), Order get(1: i64 id), void touch(1: i64 id) }"
    )
    for arguments in (
        ("touch", "id=1"),
        ("twice", "number=1"),
        ("get", "id=1", "--select", "{ id }"),
    ):
        result = run("call", newer_server, idl, *arguments)
        assert (result.returncode, result.stdout) == (
            1,
            b"",
        ) and b"which the IDL does not declare" in result.stderr


def test_a_gateway_reports_an_undeclared_exception(newer_server):
    idl = tl.loads(
        'service Shop { i64 twice(1: i64 number (api.query="n")) (api.get="/twice"), void touch(1: i64 id (api.query="id")) (api.get="/touch") }'
    )

    async def get(app, path, query):
        sent = []
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": query,
            "headers": [],
        }
        await app(scope, None, lambda message: asyncio.sleep(0, sent.append(message)))
        return sent[0]["status"], sent[1]["body"]

    async def main():
        app = tl.gateway(idl, upstream=newer_server)
        answers = [await get(app, "/twice", b"n=1"), await get(app, "/touch", b"id=1")]
        await app.close()
        return answers

    for status, body in asyncio.run(main()):
        assert status == 502 and b"which the IDL does not declare" in body


# ---- headers of replies


@KINDS
@pytest.mark.parametrize("transport", ["header", "ttheader", "ttheader_framed", "http"])
def test_headers_of_a_reply_can_be_read(kind, transport):
    with tl.serve(
        IDL,
        "Shop",
        Shop(),
        transport="auto" if transport != "ttheader_framed" else transport,
        background=True,
    ) as server:
        message, plain = client_calls(
            kind,
            server.address,
            [("touch", {"id": 7}, {"result": "message"}), ("touch", {"id": 7}, {})],
            transport=transport,
            protocol="binary",
        )
    assert message.headers["seen"] == "7" and plain is None


def test_a_message_that_was_read_has_no_headers():
    message = tl.Message("get", "call", 1, b"\0")
    assert dict(message.headers) == {} and tl.read_message(message.to_bytes()).headers == {}


def test_the_trace_of_the_shell_shows_the_headers_of_a_reply(tmp_path, run):
    idl = tmp_path / "shop.thrift"
    idl.write_text("service Shop { void touch(1: i64 id) }")
    with tl.serve(IDL, "Shop", Shop(), background=True) as server:
        result = run(
            "call",
            server.address,
            idl,
            "touch",
            "id=7",
            "--transport",
            "header",
            "--protocol",
            "binary",
            "--trace",
        )
    assert result.returncode == 0 and b"< seen: 7\n" in result.stderr.replace(b"\r", b"")


def kitex(headers):
    """A Kitex server whose handler answers with a business error: an empty result, and headers."""
    return lambda event: ("reply", b"\0", headers)


BUSINESS = {"biz-status": "4001", "biz-message": "sold out", "biz-extra": '{"sku": "pen"}'}


@KINDS
@pytest.mark.parametrize("transport", ["ttheader", "ttheader_framed"])
@pytest.mark.parametrize("result", ["dict", "json"])
def test_a_business_error_of_kitex_is_raised(kind, transport, result):
    calls = [
        ("touch", {}, {}),
        ("twice", {"number": 1}, {}),
        ("get", {}, {"select": "{ success { id } }"}),
    ]
    with session_server(kitex(BUSINESS), transport) as address:
        errors = client_calls(
            kind, address, calls, transport=transport, protocol="binary", result=result
        )
    for error in errors:
        assert isinstance(error, tl.BusinessError) and isinstance(error, tl.Error)
        assert (error.status, error.message, error.extra, error.code, str(error)) == (
            4001,
            "sold out",
            {"sku": "pen"},
            "business_error",
            "sold out",
        )
        unpickled = pickle.loads(pickle.dumps(error))
        assert (type(unpickled), unpickled.status, unpickled.extra, unpickled.call_state) == (
            tl.BusinessError,
            4001,
            {"sku": "pen"},
            "answered",
        )


def test_a_business_status_of_zero_is_none_and_a_malformed_one_an_error():
    for status, expected in (("0", None), ("x", "bad_message")):
        with session_server(kitex({"biz-status": status}), "ttheader") as address:
            (outcome,) = client_calls(
                "sync", address, [("touch", {}, {})], transport="ttheader", protocol="binary"
            )
        assert (outcome if outcome is None else outcome.code) == expected


def test_the_shell_reports_a_business_error(tmp_path, run):
    idl = tmp_path / "shop.thrift"
    idl.write_text("service Shop { void touch(1: i64 id) }")
    with session_server(
        kitex({**BUSINESS, "biz-message": "sold \x1b[2Jout"}), "ttheader"
    ) as address:
        result = run(
            "call", address, idl, "touch", "id=1", "--transport", "ttheader", "--protocol", "binary"
        )
    assert result.returncode == 4 and json.loads(result.stdout)["status"] == 4001
    assert b"business error 4001: sold" in result.stderr and b"\x1b" not in result.stderr


@KINDS
def test_cookies_go_back_to_the_address_that_set_them(kind):
    with web(cookie="backend=b7") as (address, handler):
        calls = [
            ("twice", {"number": 1}, {"headers": {"Cookie": "own=1"}}),
            ("twice", {"number": 1}, {"headers": {"Connection": "close"}}),
            ("twice", {"number": 1}, {}),
        ]
        assert client_calls(kind, address, calls) == [2, 2, 2]
        first, *later = [headers.get("Cookie") for headers in handler.seen]
        assert first is None and later == ["own=1; backend=b7", "backend=b7", "backend=b7"], (
            "none of another path"
        )
        with pytest.raises(tl.TransportError) as error:
            client_calls(kind, address, [])
        assert error.value.status == 401 and handler.seen[-1].get("Cookie") is None, (
            "another client has none"
        )


def test_a_gateway_keeps_no_cookies():
    from thriftlens._http.gateway.upstream import target_of

    assert target_of("http://127.0.0.1:1/", "http", "binary", None, 1000).cookies is None


# ---- arguments as bytes


@KINDS
@pytest.mark.parametrize(
    "transport, protocol", [("buffered", "binary"), ("framed", "compact"), ("http", "binary")]
)
def test_encoded_arguments_are_checked(kind, transport, protocol):
    shop = Shop()
    arguments = SHOP.function("twice").arguments.encode({"number": 1}, protocol=protocol)
    second = tl.Message(
        "twice",
        "call",
        9,
        SHOP.function("twice").arguments.encode({"number": 666}, protocol=protocol),
        protocol,
    ).to_bytes()
    other = tl.loads("struct A { 1: string number }").A.encode({"number": "x"}, protocol=protocol)
    wrong = {
        "trailing_bytes": arguments + second,
        "truncated": b"",
        "missing_required": b"\0",
        "type_mismatch": other,
    }
    with tl.serve(IDL, "Shop", shop, transport=transport, background=True) as server:
        calls = [
            ("twice", data, {})
            for data in (*wrong.values(), bytearray(arguments), memoryview(arguments), arguments)
        ]
        *errors, first, middle, last = client_calls(
            kind, server.address, calls, transport=transport, protocol=protocol
        )
    assert [error.code for error in errors] == list(wrong)
    assert all(
        isinstance(error, tl.EncodeError) and "arguments of twice" in str(error) for error in errors
    )
    assert first == middle == last == 2 and shop.numbers == [1, 1, 1]


def test_recorded_arguments_that_do_not_fit_are_not_replayed(tmp_path, run):
    from thriftlens._capture.recording import Writer

    idl = tmp_path / "shop.thrift"
    idl.write_text("service Shop { i64 twice(1: required i64 number) }")
    recording = tmp_path / "r.tlrec"
    reply = SHOP.function("twice").result.encode({"success": 2})
    with open(recording, "wb") as out:
        writer = Writer(out)
        writer.message(
            tl.Recorded(0, "client", 1.0, 1.0, tl.Message("twice", "call", 1, b"\0"), "framed")
        )
        writer.message(
            tl.Recorded(0, "server", 1.0, 1.0, tl.Message("twice", "reply", 1, reply), "framed")
        )
    shop = Shop()
    with tl.serve(IDL, "Shop", shop, background=True) as server:
        result = run("replay", recording, idl, "--to", server.address)
    assert (
        result.returncode == 1
        and b"not called: the recorded arguments do not match the IDL" in result.stdout
        and shop.numbers == []
    )


# ---- limits


@KINDS
@pytest.mark.parametrize("transport", ["buffered", "framed", "header", "http"])
@pytest.mark.parametrize("options", [{}, {"select": "{ success }"}])
def test_a_reply_above_the_limit_names_the_limit_and_the_option(kind, transport, options):
    with tl.serve(IDL, "Shop", Shop(), background=True) as server:
        client_options = {
            "transport": transport,
            "protocol": "binary",
            "limits": {"frame_size": 1000},
        }
        (error,) = client_calls(
            kind, server.address, [("size", {"size": 5000}, options)], **client_options
        )
    assert isinstance(error, tl.DecodeError) and error.code == "size_limit"
    assert "limit of 1000" in str(error) and "frame_size" in str(error)


@pytest.mark.parametrize("transport", ["buffered", "framed"])
def test_the_shell_takes_a_limit(transport, tmp_path, run):
    idl = tmp_path / "shop.thrift"
    idl.write_text("service Shop { binary size(1: i32 size) }")
    with tl.serve(IDL, "Shop", Shop(), transport=transport, background=True) as server:
        options = ["--transport", transport, "--protocol", "binary"]
        refused = run("call", server.address, idl, "size", "size=5000", *options, "--limit", "4k")
        assert (
            refused.returncode == 1
            and b"limit of 4096" in refused.stderr
            and b"--limit" in refused.stderr
        )
        for limit in ("1M", "frame_size=1M"):
            assert (
                run(
                    "call", server.address, idl, "size", "size=5000", *options, "--limit", limit
                ).returncode
                == 0
            )
        wrong = run("call", server.address, idl, "size", *options, "--limit", "frame=1M")
        assert wrong.returncode == 2 and b"did you mean 'frame_size'?" in wrong.stderr


# ---- state of a call


class Silent:
    """A server of framed Binary that reads calls and applies `act` to the connection."""

    def __init__(self, act, port=0):
        self.listening = socket.create_server(("127.0.0.1", port))
        self.address = "127.0.0.1:%d" % self.listening.getsockname()[1]
        self.act = act
        self.done = threading.Event()
        threading.Thread(target=self.work, daemon=True).start()

    def work(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listening.accept()
                with connection:
                    connection.recv(1 << 16)
                    self.act(connection)

    def wait(self, connection):
        self.done.wait(600)


@KINDS
def test_an_error_reports_the_state_of_the_call(kind, newer_server):
    framed = {"transport": "framed", "protocol": "binary"}

    def state(address, name="twice", arguments={"number": 1}, call_options={}, **options):
        (error,) = client_calls(
            kind, address, [(name, arguments, call_options)], **{**framed, **options}
        )
        assert isinstance(error, tl.Error), error
        return type(error).__name__, error.code, error.call_state

    with tl.serve(
        IDL, "Shop", {"twice": lambda number: 1 // 0}, transport="auto", background=True
    ) as server:
        address = server.address
        assert state(address, arguments={"number": "x"}) == (
            "EncodeError",
            "value_type",
            "not_sent",
        )
        assert state(address, arguments=b"") == ("EncodeError", "truncated", "not_sent")
        assert state(address, "get", {}, {"select": "{ nope }"})[2] == "not_sent"
        assert state(address, call_options={"headers": {"a": "b"}}) == (
            "UsageError",
            "bad_option",
            "not_sent",
        ), "framed has no headers"
        assert state(address) == ("ApplicationError", "internal_error", "answered")
        assert state(address, "get", {}) == ("ApplicationError", "unknown_method", "answered")
        assert state(address, transport="http", arguments=b"") == (
            "EncodeError",
            "truncated",
            "not_sent",
        )
    assert state(newer_server) == ("DecodeError", "unknown_field", "answered")
    closing = Silent(lambda connection: None)
    assert state(closing.address) == ("TransportConnectionError", "closed", "sent")
    assert state(closing.address, transport="http")[1:] == ("closed", "sent")
    waiting = Silent(lambda connection: waiting.wait(connection))
    assert state(waiting.address, timeout=0.2) == ("TransportTimeoutError", "timeout", "sent")
    waiting.done.set()
    broken = Silent(lambda connection: connection.sendall(b"\0\0\0\x04what"))
    assert state(broken.address)[::2] == ("DecodeError", "answered")
    with web(allow=staticmethod(lambda headers: False)) as (address, _):
        assert state(address, transport="http") == ("TransportError", "unauthorized", "answered")


@KINDS
def test_a_call_after_its_connection_was_lost_was_not_sent(kind):
    server = tl.serve(IDL, "Shop", Shop(), transport="framed", background=True)
    framed = {"transport": "framed", "protocol": "binary", "timeout": 20}
    errors = []

    def check(error):
        errors.append((error.code, error.call_state))

    if kind == "sync":
        with tl.connect(server.address, IDL, **framed) as client:
            assert client.twice(1) == 2
            server.close()
            with pytest.raises(ConnectionError) as error:
                client.twice(1)
            check(error.value)
    else:

        async def main():
            async with tl.aio.connect(server.address, IDL, **framed) as client:
                assert await client.twice(1) == 2
                await asyncio.get_running_loop().run_in_executor(None, server.close)
                with pytest.raises(ConnectionError) as error:
                    await client.twice(1)
                check(error.value)

        asyncio.run(main())
    assert errors == [("connection_refused", "not_sent")]


@KINDS
@pytest.mark.parametrize("transport", ["framed", "http"])
@pytest.mark.parametrize("pool", [1, 2])
@pytest.mark.parametrize(
    "fault,reason",
    [("closed", "the server closed the connection"), ("timeout", "no reply to twice in time")],
)
def test_without_reconnect_no_call_after_a_fault_is_sent(kind, transport, pool, fault, reason):
    connections = []

    def act(connection):
        connections.append(connection)
        if fault == "timeout":
            server.wait(connection)

    server = Silent(act)
    calls = [("twice", {"number": 1}, {"timeout": 0.2 if fault == "timeout" else 600})] + [
        ("twice", {"number": 2}, {})
    ] * 3
    first, *later = client_calls(
        kind,
        server.address,
        calls,
        transport=transport,
        protocol="binary",
        pool=pool,
        reconnect=False,
    )
    server.done.set()
    assert (first.code, first.call_state) == (fault, "sent"), first
    for error in later:
        assert (type(error), error.code, error.call_state) == (
            tl.TransportConnectionError,
            "closed",
            "not_sent",
        )
        assert str(error).startswith(
            f"{server.address}: the connection is closed, and reconnect=False: {reason}"
        ), error
    assert len(connections) == 1


@KINDS
@pytest.mark.parametrize("answer,name", [
    (b"<!DOCTYPE html><html></html>", "an HTML page"), (b"-ERR unknown command\r\n", "plain text"), (b"+OK\r\n", "plain text"),
    (b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "an HTTP response"),
])  # fmt: skip
def test_probes_name_a_foreign_protocol(kind, answer, name):
    server = Silent(lambda connection: connection.sendall(answer))
    with pytest.raises(tl.TransportError) as raised:
        tl.connect(server.address, IDL) if kind == "sync" else asyncio.run(
            entered(address=server.address, idl=IDL)
        )
    assert str(raised.value).startswith(
        f"{server.address}: expected a Thrift message, found {name}; no probe was answered ("
    ), raised.value
    assert "http_status" not in str(raised.value)
    (error,) = client_calls(
        kind, server.address, [("twice", {"number": 1}, {})], transport="framed", protocol="binary"
    )
    assert (
        str(error).startswith(f"{server.address}: expected a Thrift message") or len(answer) < 9
    ), error


@pytest.mark.parametrize("transport", ["framed", "auto"])
def test_a_server_that_has_answered_is_not_probed(transport):
    server = tl.serve(IDL, "Shop", Shop(), transport="framed", background=True)
    with tl.connect(server.address, IDL, transport=transport, protocol="binary") as client:
        assert client.twice(1) == 2
        server.close()
        Silent(lambda connection: None, port=int(server.address.rpartition(":")[2]))
        with pytest.raises(tl.TransportError) as raised:
            client.twice(1)
    assert str(raised.value) == f"{server.address}: the server closed the connection"


@KINDS
def test_a_connect_that_fails_has_sent_no_call(kind):
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = "127.0.0.1:%d" % free.getsockname()[1]
    closing = Silent(lambda connection: None)
    for options in (
        {"address": address},
        {"address": closing.address},
        {"address": "unix:/no/such"},
        {"address": "x:y"},
        {"timeout": 0},
        {"service": "Nope"},
        {"transport": "framed", "headers": 1},
    ):
        with pytest.raises((tl.Error, TypeError)) as raised:
            options = {"address": address, "idl": IDL, **options}
            tl.connect(**options) if kind == "sync" else asyncio.run(entered(**options))
        assert isinstance(raised.value, TypeError) or raised.value.call_state == "not_sent", options


async def entered(**options):
    async with tl.aio.connect(**options):
        pass


def test_the_shell_reports_the_state_of_the_call(tmp_path, run):
    idl = tmp_path / "shop.thrift"
    idl.write_text("service Shop { i64 twice(1: required i64 number) }")
    options = ("--transport", "framed", "--protocol", "binary")
    closing = Silent(lambda connection: None)
    result = run("call", closing.address, idl, "twice", "number=1", *options)
    assert (
        result.returncode == 5 and b"the call was sent and may have been executed" in result.stderr
    )
    free = socket.create_server(("127.0.0.1", 0))
    address = "127.0.0.1:%d" % free.getsockname()[1]
    free.close()
    result = run("call", address, idl, "twice", "number=1", *options)
    assert result.returncode == 5 and b"the call was not sent" in result.stderr
    result = run("call", closing.address, idl, "twice", *options)
    assert (
        result.returncode == 2
        and b"number" in result.stderr
        and b"the call was not sent" in result.stderr
    )


@KINDS
@pytest.mark.parametrize("arguments_kind", ["dict", "view", "partial view", "bytes", "dataclass"])
def test_required_arguments_are_checked_in_every_form(kind, arguments_kind):
    import dataclasses

    of = SHOP.function("twice").arguments
    empty = dataclasses.make_dataclass("Arguments", [("other", int, 0)])
    arguments = {
        "dict": {},
        "view": of.view(b"\0"),
        "partial view": of.view(b"\0", missing_required="omit"),
        "bytes": b"\0",
        "dataclass": empty(),
    }[arguments_kind]
    shop = Shop()
    with tl.serve(IDL, "Shop", shop, transport="framed", background=True) as server:
        (error,) = client_calls(
            kind, server.address, [("twice", arguments, {})], transport="framed", protocol="binary"
        )
    assert isinstance(error, tl.Error) and error.call_state == "not_sent" and shop.numbers == [], (
        error
    )


# ---- mistakes


def test_mistakes_of_callers_are_named():
    with pytest.raises(TypeError, match="an address is a str such as 'host:9090'"):
        tl.connect(("host", 9090), IDL)
    with pytest.raises(TypeError, match="an address is a str such as 'host:9090'"):
        tl.aio.connect(("host", 9090), IDL)
    with tl.serve(IDL, "Shop", Shop(), transport="framed", background=True) as server:
        with tl.connect(server.address, IDL, transport="framed", protocol="binary") as client:
            for arguments in ([1], (1,), 1, "1"):
                with pytest.raises(
                    TypeError,
                    match=r"the arguments of twice by name, \{'number': …\}.*use client.twice\(…\) for arguments by position",
                ):
                    client.call("twice", arguments)
            assert client.call("twice", {"number": 2}) == 4


def test_an_asyncio_client_in_a_second_loop_raises():
    with tl.serve(IDL, "Shop", Shop(), transport="framed", background=True) as server:

        async def connect():
            return await tl.aio.connect(server.address, IDL, transport="framed", protocol="binary")

        loop = asyncio.new_event_loop()
        client = loop.run_until_complete(connect())

        async def call():
            return await client.twice(1)

        with pytest.raises(tl.Error, match="was connected in another event loop"):
            asyncio.run(call())
        assert loop.run_until_complete(call()) == 2
        loop.run_until_complete(client.close())
        loop.close()
