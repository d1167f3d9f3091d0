"""What the tests of the gateway share: an IDL with all kinds of annotations, its server, and a
client that is a plain ASGI call."""

import asyncio
import json
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
import thriftlens as tl

IDL = Path(__file__).with_name("shop.thrift")
ORDER = {
    "tags": [], "status": 2, "user": {"id": 1, "name": "Ann", "phone": "123"}, "prices": {1: 2.5},
    "payment": {"card": "4"}, "etag": "e1", "blob": b"ab",
    "marks": {1},
}  # fmt: skip


class Shop:
    """The handlers; `get_counts` counts the calls of get by id."""

    def __init__(self, idl):
        self.exceptions = idl.exceptions
        self.get_counts = {}
        self.notes = []
        self.uploads = []
        self.headers = []

    def get(self, req, context):
        id = req["id"]
        self.get_counts[id] = self.get_counts.get(id, 0) + 1
        self.headers.append(dict(context.headers))
        if id == 404:
            raise self.exceptions["NotFound"](404, "none")
        if id == 500:
            raise self.exceptions["Broken"]("oh", {"id": 1, "name": "Ann", "phone": "123"})
        if id == 600:
            raise tl.ApplicationError("Ann's secret", code="internal_error")
        if id == 700:
            return {**ORDER, "id": id, "etag": "a\r\nSet-Cookie: evil=1"}
        return {**ORDER, "id": id, "tags": req.get("tags", []), "status": req.get("status", 2)}

    def put(self, order):
        return {**order, "code": 201}

    def all(self, page):
        return [{**ORDER, "id": number} for number in range(page["size"])]

    def upload(self, form):
        self.uploads.append(form)
        return len(form["file"])

    def drop_(self, id):
        if id == 404:
            raise self.exceptions["NotFound"](404, "none")

    def note(self, text):
        self.notes.append(text)

    def hello(self):
        return "hi"


@pytest.fixture(scope="session")
def idl():
    return tl.load(IDL)


@pytest.fixture(scope="session")
def idl_file():
    return IDL


@pytest.fixture
def shop(idl):
    return Shop(idl)


@pytest.fixture
def upstream(idl, shop):
    """A server of the shop in a thread; its address."""
    with tl.serve(idl, "Shop", shop, transport="auto", background=True) as server:
        yield server.address


async def call(app, method, target, headers=(), body=b"", chunks=None, scope=None):
    """Sends one ASGI request and returns status, headers and body.

    Fails unless there is exactly one complete answer."""
    path, _, query = target.partition("?")
    pairs = [
        (name.lower().encode(), value.encode("latin-1"))
        for name, value in {"host": "a", **dict(headers)}.items()
    ]
    if chunks is None and body and not any(name == b"content-length" for name, _ in pairs):
        pairs.append((b"content-length", b"%d" % len(body)))
    if chunks is not None and "content-length" not in headers:
        pairs.append((b"transfer-encoding", b"chunked"))
    pieces = list(chunks) if chunks is not None else [body]
    http_scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
        "path": path, "raw_path": path.encode("latin-1"), "query_string": query.encode("latin-1"),
        "headers": pairs, "root_path": "", "client": ("127.0.0.1", 1), **(scope or {}),
    }  # fmt: skip
    sent = []

    async def receive():
        if not pieces:
            return {"type": "http.disconnect"}
        piece = pieces.pop(0)
        if callable(piece):
            return await piece()
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message):
        sent.append(message)

    await app(http_scope, receive, send)
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"], (
        sent
    )
    received = [
        (name.decode("latin-1"), value.decode("latin-1")) for name, value in sent[0]["headers"]
    ]
    length = dict(received).get("content-length")
    assert (
        length is None
        or int(length) == len(sent[1]["body"])
        or (method, sent[1]["body"]) == ("HEAD", b"")
    )
    return SimpleNamespace(
        status=sent[0]["status"],
        headers=dict(received),
        pairs=received,
        body=sent[1]["body"],
        json=lambda: json.loads(sent[1]["body"]),
    )


@pytest.fixture(scope="session")
def ask():
    """Calls an application, directly or in a coroutine."""
    return call


@pytest.fixture
def fetch(upstream, idl_file):
    """Sends a request to a gateway with these options; gateway and event loop last for this one
    request."""

    def run(method, target, headers=(), body=b"", chunks=None, scope=None, **options):
        async def main():
            app = tl.gateway(options.pop("idl", idl_file), **{"upstream": upstream, **options})
            try:
                return await call(app, method, target, headers, body, chunks, scope)
            finally:
                await app.close()

        return asyncio.run(main())

    return run


@pytest.fixture
def serving():
    """Runs an application under uvicorn in a thread; returns its host and port."""
    uvicorn = pytest.importorskip("uvicorn")
    running = []

    class Server(uvicorn.Server):
        def __init__(self, config):
            super().__init__(config)
            self.is_up = threading.Event()

        async def startup(self, sockets=None):
            await super().startup(sockets)
            self.is_up.set()

    def start(app, **options):
        server = Server(uvicorn.Config(app, port=0, log_level="error", lifespan="on", **options))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        running.append((server, thread))
        assert server.is_up.wait(600)
        return server.servers[0].sockets[0].getsockname()[:2]

    yield start
    for server, thread in running:
        server.should_exit = True
        thread.join(600)
        assert not thread.is_alive()
