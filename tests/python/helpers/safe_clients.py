"""Shared by the tests of safe clients."""

import asyncio
import contextlib
import http.server
import socket
import threading

import pytest
import thriftlens as tl
from thriftlens import _core

IDL = tl.loads("""
    struct Order { 1: required i64 id, 2: string note }
    service Shop { i64 twice(1: required i64 number), Order get(1: i64 id), void touch(1: i64 id),
      oneway void note(1: string text), binary size(1: i32 size) }
    """)
NEWER = tl.loads("""
    struct Order { 1: required i64 id, 2: string note }
    exception Gone { 1: string why }
    service Shop { i64 twice(1: required i64 number) throws (1: Gone gone), Order get(1: i64 id)
      throws (4: Gone gone), void touch(1: i64 id) throws (1: Gone gone) }
    """)
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
    data and headers of the reply."""
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


class Web(http.server.BaseHTTPRequestHandler):
    """Thrift in POSTs. `allow(headers)` decides whether a request is accepted; `cookie` is set by
    the first answer and required from then on."""

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


class Silent:
    """A server of framed Binary that reads calls and applies `act` to the connection."""

    def __init__(self, act, port=0):
        self.listening = socket.create_server(("127.0.0.1", port))
        self.address = "127.0.0.1:%d" % self.listening.getsockname()[1]
        self.act = act
        self.stopped = threading.Event()
        threading.Thread(target=self.work, daemon=True).start()

    def work(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listening.accept()
                with connection:
                    connection.recv(1 << 16)
                    self.act(connection)

    def wait(self, connection):
        self.stopped.wait(600)


async def entered(**options):
    async with tl.aio.connect(**options):
        pass
