"""thriftlens servers over HTTP:

Apache's THttpClient, curl, thriftlens clients; invalid requests; authentication over HTTP and SASL.
"""

import asyncio
import base64
import contextlib
import shutil
import socket
import subprocess
import sys

import pytest
import thriftlens as tl
from raw_sockets import read_until_closed

pytest.importorskip("h11")

IDL = tl.loads("""
    exception NotFound { 1: i64 id }
    struct Order { 1: required i64 id, 2: string note }
    service Shop { Order get(1: i64 id) throws (1: NotFound missing),
    oneway void note(1: string text), string whoami() }
    """)
OTHER_IDL = tl.loads(
    "struct Order {} service Shop { Order get(1: string id) }"
)  # the argument has another type
NotFound = IDL.exceptions["NotFound"]
GET = IDL.service("Shop").function("get")


class Shop:
    def __init__(self):
        self.notes = []
        self.headers = {}

    def get(self, id, context):
        self.headers = dict(context.headers)
        context.reply_headers["X-Answer"] = str(id)
        if id < 0:
            raise NotFound(id)
        return {"id": id, "note": "x" * 10}

    def note(self, text):
        self.notes.append(text)

    def whoami(self, context):
        return context.user or "nobody"


@pytest.fixture
def shop():
    return Shop()


@pytest.fixture(params=["auto", "http"])
def server(shop, request):
    with tl.serve(
        IDL,
        "Shop",
        shop,
        transport=request.param,
        background=True,
        limits={"frame_size": 1000, "header_size": 4000, "idle": 20},
    ) as server:
        yield server


def place_of(server):
    return server.address.replace("http://", "").rstrip("/")


def call_body(id=1, protocol="binary", kind="call", name="get", data=None):
    return tl.Message(
        name,
        kind,
        1,
        GET.arguments.encode({"id": id}, protocol=protocol) if data is None else data,
        protocol,
    ).to_bytes()


def post(body, *headers, path="/any/path", verb="POST", length=True):
    rows = [
        f"{verb} {path} HTTP/1.1",
        "Host: shop",
        *headers,
        *([f"Content-Length: {len(body)}"] if length else []),
    ]
    return "\r\n".join(rows).encode() + b"\r\n\r\n" + body


def exchange(server, data, pieces=None):
    """The bytes received until the server closes; the client shuts down its side after `data`."""
    host, _, port = place_of(server).rpartition(":")
    with socket.create_connection((host, int(port))) as stream:
        with contextlib.suppress(OSError):
            for piece in pieces or [data]:
                stream.sendall(piece)
            stream.shutdown(socket.SHUT_WR)
        return read_until_closed(stream)


def status_of(answer):
    return int(answer.split(b" ", 2)[1])


def test_our_clients(server, shop, protocol):
    for address in (place_of(server), f"http://{place_of(server)}/some/path"):
        transport = (
            "http"
            if server.address.startswith("http") or address.startswith("http")
            else "buffered"
        )
        with tl.connect(
            address, IDL, transport=transport, protocol=protocol, timeout=600
        ) as client:
            assert client.transport == transport
            assert [client.get(id)["id"] for id in range(5)] == list(range(5))
            assert client.get(3, select="{ id }") == {"id": 3}
            with pytest.raises(NotFound):
                client.get(-1)
            with tl.connect(
                address, OTHER_IDL, transport=transport, protocol=protocol, timeout=600
            ) as other:
                with pytest.raises(tl.ApplicationError) as error:
                    other.get("")
            assert error.value.code == "protocol_error"
            assert client.note("a") is None and client.get(1)["id"] == 1
            if transport == "http":
                client.get(2, headers={"X-Trace": "abc"})
                assert shop.headers["x-trace"] == "abc"

        async def main():
            async with tl.aio.connect(
                address, IDL, transport=transport, protocol=protocol, pool=3
            ) as client:
                return await asyncio.gather(*(client.get(id) for id in range(20)))

        assert [order["id"] for order in asyncio.run(main())] == list(range(20))


def test_the_protocol_over_http_is_detected(protocol):
    with tl.serve(
        IDL, "Shop", Shop(), transport="http", protocol=protocol, background=True
    ) as server:
        for address in (place_of(server), server.address):
            with tl.connect(address, IDL, timeout=600) as client:
                assert client.transport == "http" and client.protocol == protocol
                assert client.get(4)["id"] == 4


APACHE = """
import sys
from thrift.transport import THttpClient
from thrift.protocol import TBinaryProtocol, TCompactProtocol
sys.path.insert(0, sys.argv[1])
from shop import Shop, ttypes
wire = THttpClient.THttpClient(sys.argv[2])
is_compact = sys.argv[3] == "compact"
of = TCompactProtocol.TCompactProtocol if is_compact else TBinaryProtocol.TBinaryProtocol
client = Shop.Client(of(wire))
wire.open()
for id in range(3):
    assert client.get(id).id == id
    assert wire.headers["X-Answer"] == str(id)
try:
    client.get(-1)
except ttypes.NotFound as error:
    assert error.id == -1
client.note("x")
assert client.get(7).id == 7
print("fine")
"""


def test_apaches_python_client(server, shop, protocol, tmp_path):
    pytest.importorskip("thrift")
    if shutil.which("thrift") is None:
        pytest.skip("no thrift compiler")
    (tmp_path / "shop.thrift").write_text(
        "exception NotFound { 1: i64 id } struct Order { 1: required i64 id, 2: string note }"
        " service Shop { Order get(1: i64 id) throws (1: NotFound missing), oneway void note(1: "
        "string text) }"
    )
    subprocess.run(
        ["thrift", "--gen", "py", "-out", str(tmp_path), str(tmp_path / "shop.thrift")], check=True
    )
    command = [
        sys.executable,
        "-c",
        APACHE,
        str(tmp_path),
        f"http://{place_of(server)}/thrift",
        protocol,
    ]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.stdout == "fine\n", result.stderr
    assert shop.notes == ["x"]


@pytest.mark.parametrize("chunked", [False, True])
def test_curl(server, protocol, tmp_path, chunked):
    if shutil.which("curl") is None:
        pytest.skip("no curl")
    (tmp_path / "call").write_bytes(call_body(9, protocol))
    curl_options = (
        ["-H", "Transfer-Encoding: chunked"] if chunked else ["-H", "Expect: 100-continue"]
    )
    command = [
        "curl",
        "-s",
        "-i",
        *curl_options,
        "--data-binary",
        f"@{tmp_path / 'call'}",
        f"http://{place_of(server)}/",
    ]
    result = subprocess.run(command, capture_output=True, check=True)
    head, _, body = result.stdout.rpartition(b"\r\n\r\n")
    assert b"HTTP/1.1 200 OK" in head and b"application/x-thrift" in head
    assert (b"100 Continue" in head) == (not chunked)
    assert GET.result.decode(tl.read_message(body).data, protocol=protocol)["success"]["id"] == 9


def test_pipelined_requests_in_any_pieces(server):
    chunked = (
        post(b"", "Transfer-Encoding: chunked", length=False)
        + b"5\r\n"
        + call_body(2)[:5]
        + b"\r\n%x\r\n" % (len(call_body(2)) - 5)
        + call_body(2)[5:]
        + b"\r\n0\r\n\r\n"
    )
    data = (
        post(call_body(1)) + chunked + post(call_body(3), "Connection: close") + post(call_body(4))
    )
    received = exchange(server, data)
    assert received.count(b"HTTP/1.1 200 OK") == 3, "after `close` nothing is read"
    result = [received.index(b"X-Answer: %d" % id) for id in (1, 2, 3)]
    assert result == sorted(received.index(b"X-Answer: %d" % id) for id in (1, 2, 3))
    assert exchange(server, data, pieces=[data[at : at + 1] for at in range(len(data))]) == received
    many = exchange(server, post(call_body(5)) * 500)
    assert many.count(b"HTTP/1.1 200 OK") == 500


@pytest.mark.parametrize(
    "data, status",
    [
        (post(b"", verb="GET"), 405),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 405),
        (post(b"not a call"), 400),
        (post(b""), 400),
        (post(call_body()[:-1]), 400),
        (post(call_body() + b"x"), 400),
        (post(call_body() * 2), 400),
        (post(call_body(kind="reply")), 400),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n", 413),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        (
            post(b"", "Transfer-Encoding: chunked", length=False)
            + b"7d0\r\n"
            + call_body(data=b"\x0b\x00\x01\x00\x00\x20\x00" + b"x" * 3000)[:2000]
            + b"\r\n0\r\n\r\n",
            413,
        ),
        (post(b"", "Transfer-Encoding: chunked", length=False) + b"nothing\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 5000 + b"\r\n\r\n", 431),
        (b"POST / HTTP/1.1\r\nX: " + b"y" * 50_000, 431),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        (b"GARBAGE\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\n\r\n", 400),
    ],
)
def test_invalid_requests_get_an_http_error(server, data, status):
    if data.startswith(b"GARBAGE") and not server.address.startswith("http"):
        assert exchange(server, data) == b"", "plain text, and no HTTP at all"
        return
    answer = exchange(server, data)
    assert status_of(answer) == status and b"Connection: close" in answer, answer
    assert status_of(exchange(server, post(call_body()))) == 200, "others are served"


CHUNKED = b"%x\r\n" % len(call_body()) + call_body() + b"\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    "head, status",
    [
        (b"1.1\r\nHost: x\r\nContent-Length: 7\r\nTransfer-Encoding: chunked", 400),
        (b"1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\nContent-Length: 0", 400),
        (b"1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked", 400),
        (b"1.0\r\nTransfer-Encoding: chunked", 400),
        *(
            (b"1.1\r\nHost: x\r\nTransfer-Encoding: " + coding, 501)
            for coding in (
                b"identity",
                b"gzip, chunked",
                b"chunked, chunked",
                b"chunked\r\nTransfer-Encoding: chunked",
                b"xchunked",
                b"",
            )
        ),
        (b"1.1\r\nTransfer-Encoding: chunked", 400),
        *(
            (b"1.1\r\n" + hosts + b"\r\nTransfer-Encoding: chunked", 400)
            for hosts in (
                b"Host: x\r\nHost: x",
                b"Host: x\r\nhost: y",
                b"Host: x, y",
                b"Host: u@x",
                b"Host:",
            )
        ),
        (b"1.1\r\nHost: x\r\nContent-Length: 7\r\nContent-Length: 8", 400),
    ],
)
def test_a_head_whose_body_is_ambiguous_is_rejected_and_ends_the_connection(
    server, shop, head, status
):
    answer = exchange(server, b"POST / HTTP/" + head + b"\r\n\r\n" + CHUNKED + post(call_body()))
    assert status_of(answer) == status and answer.count(b"HTTP/1.1 ") == 1, answer
    assert b"Connection: close" in answer, answer
    assert not shop.headers, "no call was executed"


def test_a_request_cut_at_every_byte(server):
    data = post(call_body())
    for size in range(len(data)):
        assert b"200 OK" not in exchange(server, data[:size])
    assert status_of(exchange(server, data)) == 200


def test_later_requests_are_not_read_while_a_request_is_running():
    async def main():
        go_on, running = asyncio.Event(), []

        async def get(id):
            running.append(id)
            await go_on.wait()
            return {"id": id}

        async with await tl.aio.serve(IDL, "Shop", {"get": get}) as server:
            reader, writer = await asyncio.open_connection(*server.address.split(":"))
            writer.write(post(call_body(1)) + post(call_body(2)))
            while not running:
                await asyncio.sleep(0.001)
            writer.write(post(call_body(3)) * 200_000)
            await asyncio.sleep(0.05)
            assert running == [1], "the rest waits with the client"
            assert writer.transport.get_write_buffer_size() > 0, "the rest waits with the client"
            go_on.set()
            for id in (1, 2, 3):
                head = await reader.readuntil(b"\r\n\r\n")
                size = next(
                    int(row.split(b":")[1])
                    for row in head.lower().split(b"\r\n")
                    if row.startswith(b"content-length")
                )
                assert GET.result.decode(tl.read_message(await reader.readexactly(size)).data)[
                    "success"
                ] == {"id": id}
            writer.transport.abort()

    asyncio.run(main())


def test_invalid_headers_end_the_connection():
    def get(id, context):
        context.reply_headers["X-Bad"] = "a\r\nInjected: yes"
        return {"id": id}

    with tl.serve(IDL, "Shop", {"get": get}, background=True) as server:
        assert b"Injected" not in exchange(server, post(call_body()))


async def ask(user, password):
    await asyncio.sleep(0)
    return (user, password) == ("ann", "s:crét")


def fail(user, password):
    raise KeyError(user)


USERS = {
    "dict": {"ann": "s:crét"},
    "function": lambda user, password: (user, password) == ("ann", "s:crét"),
    "coroutine": ask,
}
WRONG = [("ann", "wrong"), ("ann", ""), ("bob", "s:crét"), ("", ""), None]


def address_of(server, transport, user):
    from urllib.parse import quote

    credentials = "" if user is None else f"{quote(user[0])}:{quote(user[1])}@"
    return (
        f"http://{credentials}{place_of(server)}/"
        if transport == "http"
        else f"{credentials}{place_of(server)}"
    )


@pytest.mark.parametrize("threads", [0, 2])
@pytest.mark.parametrize("transport", ["http", "sasl"])
@pytest.mark.parametrize("kind", USERS)
def test_only_known_users_are_accepted(kind, transport, threads):
    for expected_transport in ("auto", transport):
        with tl.serve(
            IDL,
            "Shop",
            Shop(),
            transport=expected_transport,
            users=USERS[kind],
            threads=threads,
            background=True,
        ) as server:
            with tl.connect(
                address_of(server, transport, ("ann", "s:crét")),
                IDL,
                transport=transport,
                protocol="binary",
                timeout=600,
            ) as client:
                assert [client.whoami() for _ in range(3)] == ["ann"] * 3
            for wrong in WRONG:
                with pytest.raises(tl.TransportError) as error:
                    with tl.connect(
                        address_of(server, transport, wrong),
                        IDL,
                        transport=transport,
                        protocol="binary",
                        timeout=600,
                    ) as client:
                        client.whoami()
                assert error.value.code == "unauthorized", wrong


@pytest.mark.parametrize("transport", ["http", "sasl"])
@pytest.mark.parametrize(
    "users", [fail, lambda user, password: "yes", lambda user, password: None, {}]
)
def test_malformed_credentials_are_rejected(transport, users):
    with tl.serve(IDL, "Shop", Shop(), users=users, background=True) as server:
        with pytest.raises(tl.TransportError) as error:
            with tl.connect(
                address_of(server, transport, ("ann", "x")),
                IDL,
                transport=transport,
                protocol="binary",
                timeout=600,
            ) as client:
                client.whoami()
        assert error.value.code == "unauthorized"


def test_another_user_on_the_same_connection_is_authenticated():
    with tl.serve(IDL, "Shop", Shop(), users={"ann": "1", "bob": "2"}, background=True) as server:

        def basic(user):
            return "Authorization: Basic " + base64.b64encode(user.encode()).decode()

        body = tl.Message("whoami", "call", 1, b"\0").to_bytes()
        joined = b"".join(
            post(body, basic(user)) for user in ("ann:1", "bob:2", "ann:1", "bob:1", "ann:1")
        )
        answer = exchange(server, joined)
        carried_out = [piece for piece in (b"ann", b"bob") for _ in range(answer.count(piece))]
        assert carried_out == [b"ann", b"ann", b"bob"] and answer.count(b"401 Unauthorized") == 1
        assert b"WWW-Authenticate: Basic" in answer
        for wrong in (
            "Authorization: Bearer x",
            "Authorization: Basic ???",
            "Authorization: Basic eA==",
            "X: y",
        ):
            assert status_of(exchange(server, post(body, wrong))) == 401


@pytest.mark.parametrize("transport", ["buffered", "framed", "header", "ttheader"])
def test_connections_without_users_are_closed_where_users_are_required(transport):
    with tl.serve(IDL, "Shop", Shop(), users={"ann": "1"}, background=True) as server:
        with tl.connect(
            server.address, IDL, transport=transport, protocol="binary", timeout=600
        ) as client:
            with pytest.raises(tl.TransportError) as error:
                client.whoami()
            assert error.value.code == "closed"
    with pytest.raises(tl.Error, match="not authenticate users") as error:
        tl.serve(IDL, "Shop", Shop(), transport=transport, users={"ann": "1"}, background=True)
    assert error.value.code == "bad_option"


def test_sasl_without_users_is_refused():
    with pytest.raises(tl.Error, match="needs users=") as error:
        tl.serve(IDL, "Shop", Shop(), transport="sasl", background=True)
    assert error.value.code == "bad_option"
    with tl.serve(IDL, "Shop", Shop(), background=True) as server:
        with pytest.raises(tl.TransportError, match="has no users") as error:
            tl.connect(f"ann:1@{server.address}", IDL, timeout=600)
        assert error.value.code == "unauthorized"
    with pytest.raises(TypeError, match="users must be a dict"):
        tl.serve(IDL, "Shop", Shop(), users="ann", background=True)
    with pytest.raises(ValueError, match="did you mean 'idle'"):
        tl.serve(IDL, "Shop", Shop(), limits={"idel": 3}, background=True)
