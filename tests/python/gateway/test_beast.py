"""examples/beast_gateway, the gateway in C++: the same answers as tl.gateway's, its limits, faults
of the upstream, the end by a signal.

The program is built with the presets of CMake; THRIFTLENS_BEAST_GATEWAY names another one."""

import asyncio
import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import threading
from pathlib import Path

import pytest
import thriftlens as tl

ROOT = Path(__file__).resolve().parents[3]
BUILT = [
    ROOT / "build" / preset / "examples" / "beast_gateway" / "beast_gateway"
    for preset in ("dev", "release", "clang")
]
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="session")
def program():
    named = os.environ.get("THRIFTLENS_BEAST_GATEWAY")
    programs = [path for path in ([Path(named)] if named else BUILT) if path.exists()]
    if not programs:
        pytest.skip(
            "examples/beast_gateway is not built: cmake --preset dev && cmake --build --preset dev "
            "--target beast_gateway (needs libboost-dev)"
        )
    return programs[0]


class Gateway:
    def __init__(self, process):
        self.process = process
        line = process.stdout.readline()
        assert line.startswith("serving "), process.communicate()
        self.routes = int(line.split()[1])
        self.port = int(line.rpartition(":")[2])

    def open(self):
        """A persistent connection."""
        return contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port))

    def raw(self, *pieces):
        """The response to these bytes until the gateway closes."""
        with socket.create_connection(("127.0.0.1", self.port)) as stream:
            for piece in pieces:
                stream.sendall(piece)
            return b"".join(iter(lambda: stream.recv(65536), b""))

    def ask(self, method, target, headers=(), body=None):
        with self.open() as connection:
            return fetch(connection, method, target, headers, body)


def fetch(connection, method, target, headers=(), body=None):
    connection.request(method, target, body, dict(headers))
    answer = connection.getresponse()
    answer.content = answer.read()
    return answer


def problem(answer, status, code):
    fields = json.loads(answer.content)
    assert answer.status == status, fields
    assert answer.getheader("content-type") == "application/problem+json", fields
    assert fields["status"] == status and fields["code"] == code, fields
    return fields


@contextlib.contextmanager
def running(program, idl_file, upstream, *options):
    process = subprocess.Popen(
        [program, idl_file, upstream, "0", *map(str, options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield Gateway(process)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def gateway(program, idl_file, upstream):
    with running(program, idl_file, upstream) as gateway:
        yield gateway


# fmt: off
REQUESTS = [
    ("GET", "/orders/7?tags=a,b&status=NEW", {}, None),
    ("GET", "/orders/7", {"Cookie": "tok=abc; other=1"}, None),
    ("GET", "/orders/404", {}, None),
    ("GET", "/orders/500", {}, None),
    ("GET", "/orders/600", {}, None),
    ("GET", "/orders/700", {}, None),
    ("GET", "/orders?size=2", {}, None),
    ("DELETE", "/orders/1", {}, None),
    ("DELETE", "/orders/404", {}, None),
    ("POST", "/orders", JSON, b'{"id":5,"tags":["x"]}'),
    ("POST", "/notes", JSON, b'{"text":"hello"}'),
    ("POST", "/files", {"Content-Type": "application/x-www-form-urlencoded"},
        b"title=a&file=YWJj&text=%C3%A9"),
    ("GET", "/orders/x", {}, None),
    ("GET", "/orders/99999999999999999999", {}, None),
    ("GET", "/orders/1?status=OLD", {}, None),
    ("GET", "/orders/1?tags=%ff", {}, None),
    ("POST", "/orders", JSON, b'{"id":5,"user":{"id":"x"}}'),
    ("POST", "/orders", JSON, b'{"id":5,'),
    ("POST", "/orders", JSON, b'{"id":5,"nam":1}'),
    ("POST", "/orders", JSON, b"{}"),
    ("POST", "/orders", JSON, b'{"id":5,"payment":{"card":"a","invoice":1}}'),
    ("POST", "/orders", JSON, b'{"id":5,"\xff":1}'),
    ("GET", "/nothing", {}, None),
    ("PATCH", "/orders/7", {}, None),
    ("HEAD", "/orders/7", {}, None),
    ("HEAD", "/files", {}, None),
    ("POST", "/orders", {**JSON, "Content-Encoding": "gzip"}, b"\x1f\x8b"),
    ("POST", "/orders", {**JSON, "Content-Encoding": "identity"}, b'{"id":5}'),
    ("GET", "/orders/%2e%2e", {}, None),
    ("GET", "/orders/7%2f..", {}, None),
    ("GET", "//orders/7", {}, None),
]
# fmt: on
OURS = ("detail", "in")
"""Members of a problem that may differ: the words, and what the example leaves out."""


@pytest.mark.parametrize(
    "method,target,headers,body",
    REQUESTS,
    ids=[f"{method} {target} {body or ''}" for method, target, _, body in REQUESTS],
)
def test_it_answers_as_the_gateway_in_python(
    gateway, ask, idl, upstream, method, target, headers, body
):
    async def main():
        app = tl.gateway(
            idl, upstream=upstream, transport="framed", protocol="binary", fields=None, pages=None
        )
        try:
            return await ask(app, method, target, headers, body or b"")
        finally:
            await app.close()

    expected, answer = asyncio.run(main()), gateway.ask(method, target, headers, body)
    assert answer.status == expected.status
    for name in ("content-type", "etag", "set-cookie"):
        assert answer.getheader(name) == expected.headers.get(name)
    result = sorted((answer.getheader("allow") or "").split(", "))
    assert result == sorted(expected.headers.get("allow", "").split(", "))
    if method == "HEAD":
        assert answer.content == b"" == expected.body
        assert int(answer.getheader("content-length")) > 0
        return
    if expected.headers.get("content-type") != "application/problem+json":
        assert answer.content == expected.body
        return
    actual, expected_body = json.loads(answer.content), expected.json()
    assert actual.keys() - expected_body.keys() <= {
        "line",
        "column",
    }  # of C++ also where the JSON itself is right
    outcome = {name: actual.get(name) for name in expected_body if name not in OURS}
    assert outcome == {name: expected_body[name] for name in expected_body if name not in OURS}
    if answer.status in (400, 500) and actual.keys() <= expected_body.keys():
        assert actual["detail"] == expected_body["detail"]


def test_a_connection_takes_request_after_request(gateway, shop):
    with gateway.open() as connection:
        for id in range(1, 20):
            assert json.loads(fetch(connection, "GET", f"/orders/{id}").content)["id"] == id
            problem(fetch(connection, "GET", "/orders/x"), 400, "json_type")
    assert shop.get_counts == {id: 1 for id in range(1, 20)}


def test_requests_in_one_piece_are_answered_in_turn(gateway):
    got = gateway.raw(
        b"GET /orders/1 HTTP/1.1\r\nHost: a\r\n\r\n" * 3
        + b"GET /orders/2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    )
    assert got.count(b"HTTP/1.1 200 OK") == 4 and got.rstrip().endswith(b"}")
    assert b'{"id":2,' in got.rpartition(b"\r\n\r\n")[2]


def test_expect_continue_is_answered(gateway):
    with socket.create_connection(("127.0.0.1", gateway.port)) as stream:
        stream.sendall(
            b"POST /orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            b"Expect: 100-continue\r\nContent-Length: 8\r\nConnection: close\r\n\r\n"
        )
        assert stream.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        stream.sendall(b'{"id":5}')
        assert b"".join(iter(lambda: stream.recv(65536), b"")).startswith(
            b"HTTP/1.1 201 Created\r\n"
        )


def test_limits(program, idl_file, upstream, shop):
    with running(
        program, idl_file, upstream, "--header-size", 1000, "--body-size", 2000
    ) as gateway:
        fields = problem(
            gateway.ask("POST", "/orders", JSON, b'{"id":5,"etag":"' + b"x" * 3_000_000 + b'"}'),
            413,
            "bad_request",
        )
        assert fields["title"] == "Content Too Large"
        problem(gateway.ask("GET", "/orders/1?tags=" + "x" * 2000), 431, "bad_request")
        problem(gateway.ask("GET", "/orders/1", {"X-Token": "x" * 2000}), 431, "bad_request")
        chunked = (
            b"POST /orders HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + b"3e8\r\n"
            + b" " * 1000
            + b"\r\n"
        )
        assert gateway.raw(
            chunked + b"3e8\r\n" + b" " * 1000 + b"\r\n3e8\r\n" + b" " * 1000 + b"\r\n"
        ).startswith(b"HTTP/1.1 413 ")
        assert not shop.get_counts
        assert gateway.ask("GET", "/orders/1", {"X-Token": "x" * 500}).status == 200


GET, POST, NEXT = (
    b"GET /orders/1 HTTP/1.1\r\n",
    b"POST /notes HTTP/1.1\r\nContent-Type: application/json\r\n",
    b"GET /orders/99 HTTP/1.1\r\nHost: a\r\n\r\n",
)
FOLDED = [
    b"X: a\r\n b",
    b"X: a\r\n\tb",
    b"X:\r\n b",
    b"X: a\r\n ",
    b"Transfer-Encoding:\r\n chunked",
    b"Cookie: tok=a\r\n bc",
]
CONTROLS = [
    b"X:" + front + bytes([byte]) + end
    for byte in (*range(0x20), 0x7F)
    if byte != 0x09
    for front, end in ((b"a", b"b"), (b"a", b""), (b"", b"a"))
]
CHUNKED = b"%x\r\n" % len(NEXT) + NEXT + b"\r\n0\r\n\r\n"


@pytest.mark.parametrize("request_head", [
    b"\0\1\2\3\r\n\r\n", b"GET / HTTP/3.0\r\n\r\n", b"GET /orders/1 HTTP/1.1\r\nHost : a\r\n\r\n",
    GET + b"Host: a\nX: b\r\n\r\n",
    b"POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n{}",
    GET + b"\r\n", GET + b"Host: a\r\nHost: a\r\n\r\n", GET + b"Host: a\r\nhost: b\r\n\r\n",
    GET + b"Host: a, b\r\n\r\n", GET + b"Host: a,b\r\n\r\n",
    GET + b"Host:\r\n\r\n", GET + b"Host: a/b\r\n\r\n", GET + b"Host: u@a\r\n\r\n",
    b"GET /orders/1 HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n",
    *(POST + b"Host: a\r\n" + header_line + b"\r\n\r\n" for header_line in [
        b"Content-Length: 2\r\nContent-Length: 3", b"Content-Length: 2\r\nContent-Length: 2",
        b"Content-Length: 2, 2", b"Content-Length: +2", b"Content-Length: 0x2",
        b"Content-Length: ", b"Content-Length: 2\r\nTransfer-Encoding: chunked",
        b"Transfer-Encoding: chunked\r\nContent-Length: 2",
        b"Content-Length: 2\r\nTransfer-Encoding: identity",
        *(b"Transfer-Encoding: " + coding for coding in [
            b"identity", b"gzip", b"chunked, identity", b"identity, chunked", b"gzip, chunked",
            b"chunked, chunked", b"chunked\r\nTransfer-Encoding: chunked",
            b"chunked\r\nTransfer-Encoding: identity", b"identity\r\nTransfer-Encoding: chunked",
            b"xchunked", b"chunked;q=1", b'"chunked"', b"chunked,", b"", b"\x0bchunked",
        ]),
    ]),
    *(GET + b"Host: a\r\n" + line + b"\r\n\r\n" for line in FOLDED + CONTROLS),
    *(GET + line + b"\r\nHost: a\r\n\r\n" for line in FOLDED + CONTROLS),
    b"POST /notes HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n",
    b"POST /notes HTTP/1.0\r\nTransfer-Encoding: gzip\r\n\r\n",
])  # fmt: skip
def test_an_ambiguous_or_invalid_head_is_400_and_ends_the_connection(gateway, shop, request_head):
    got = gateway.raw(request_head + (CHUNKED if b"Transfer" in request_head else NEXT))
    assert got.startswith(b"HTTP/1.1 400 ") and b"application/problem+json" in got
    assert b"Connection: close" in got
    assert got.count(b"HTTP/1.1 ") == 1 and not shop.get_counts and not shop.notes


@pytest.mark.parametrize("trailer", [
    b"X-Token: t", b"Host: b", b"Content-Length: 2", b"Transfer-Encoding: chunked",
    b"Cookie: tok=abc",
])  # fmt: skip
def test_trailers_are_not_taken_for_headers(gateway, shop, trailer):
    got = gateway.raw(
        POST
        + b'Host: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"tex\r\n8\r\nt":"hi"}\r\n0\r\n'
        + trailer
        + b"\r\n\r\n"
        + NEXT
    )
    assert got.startswith(b"HTTP/1.1 400 ") and got.count(b"HTTP/1.1 ") == 1 and not shop.get_counts
    assert not shop.notes


@pytest.mark.parametrize("head", [
    GET + b"Host: a\r\n", GET + b"Host: A-b.c:80\r\n", GET + b"Host: [::1]:80\r\n",
    b"GET /orders/1 HTTP/1.0\r\nConnection: keep-alive\r\n",
    b"POST /orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: Chunked \r\n\r\n8;ext=1\r\n{\"id\":5}\r\n0\r\n",
])  # fmt: skip
def test_a_sound_head_keeps_the_connection(gateway, head):
    got = gateway.raw(head + b"\r\n" + NEXT.replace(b"Host", b"Connection: close\r\nHost"))
    assert got.count(b"HTTP/1.1 20") == 2 and b'{"id":99,' in got


def test_a_client_of_http_1_0_gets_no_100_continue(gateway):
    got = gateway.raw(
        b"POST /orders HTTP/1.0\r\nContent-Type: application/json\r\n"
        b"Expect: 100-continue\r\nContent-Length: 8\r\n\r\n",
        b'{"id":5}',
    )
    assert got.startswith(b"HTTP/1.1 201 ")


def test_a_slow_client_is_disconnected(program, idl_file, upstream):
    with running(program, idl_file, upstream, "--client-timeout", 0.2) as gateway:
        assert gateway.raw(b"") == b"" == gateway.raw(b"GET /orders/1 HTTP/1.1\r\nHo")
        result = gateway.raw(b"POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{")
        assert result == b""


@contextlib.contextmanager
def speaking(answer):
    """A server that answers every message with these bytes, or not at all."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        held = []

        def run():
            with contextlib.suppress(OSError):
                while True:
                    held.append(listener.accept()[0])
                    with (
                        held[-1].makefile("rb") as request
                    ):  # read completely: unread bytes would reset the connection on close
                        request.read(int.from_bytes(request.read(4), "big"))
                    if answer is None:
                        continue
                    held[-1].sendall(
                        answer, getattr(socket, "MSG_MORE", 0)
                    )  # the end comes with the answer, not after it
                    held[-1].close()

        threading.Thread(target=run, daemon=True).start()
        yield "127.0.0.1:%d" % listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        for connection in held:
            connection.close()


def reply(kind, name, sequence_id, body):
    message = (
        b"\x80\x01\0"
        + bytes([kind])
        + len(name).to_bytes(4, "big")
        + name
        + sequence_id.to_bytes(4, "big")
        + body
    )
    return len(message).to_bytes(4, "big") + message


@pytest.mark.parametrize(
    "answer,status,code",
    [
        (None, 504, "timeout"),
        (b"", 502, "connection_failed"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", 502, "bad_frame"),
        (reply(2, b"get", 1, b"\0"), 502, "missing_required"),
        (reply(2, b"get", 1, b"\x0c\0\0\x0b\0\1\0\0\0\1x\0\0"), 502, "type_mismatch"),
        (
            reply(2, b"get", 1, b"\x0c\0\0\x0a\0\1\0\0\0\0\0\0\0\1\x08\0\x08\0\0\0\x65\0\0"),
            502,
            "broken_rule",
        ),
        (reply(2, b"put", 1, b"\0"), 502, "wrong_method_name"),
        (reply(3, b"get", 1, b"\x0b\0\1\0\0\0\2no\x08\0\2\0\0\0\6\0"), 502, "internal_error"),
    ],
    ids=[
        "silent",
        "gone",
        "not Thrift",
        "neither result nor exception",
        "wrong type",
        "status 101",
        "another function",
        "refused",
    ],
)
def test_faults_of_the_upstream(program, idl_file, answer, status, code):
    with (
        speaking(answer) as upstream,
        running(program, idl_file, upstream, "--timeout", 0.3) as gateway,
    ):
        with gateway.open() as connection:  # which lives on
            for _ in range(2):
                fields = problem(fetch(connection, "GET", "/orders/1"), status, code)
            assert fields["detail"]


@pytest.mark.parametrize(
    "extra",
    [reply(2, b"get", 2, b"\0"), reply(2, b"get", 1, b"\0"), b"\0\0"],
    ids=["next id", "same id", "cut"],
)
def test_a_connection_with_an_unexpected_reply_is_closed(program, idl_file, extra):
    """Every upstream connection answers its first call with excess bytes, and records whether a
    second call arrives."""
    order = b"\x0c\0\0\x0a\0\1\0\0\0\0\0\0\0\7\x0c\0\4\x0a\0\1\0\0\0\0\0\0\0\1\0\0\0"
    reused = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve(stream):
            with stream, stream.makefile("rb") as calls:
                calls.read(int.from_bytes(calls.read(4), "big"))
                stream.sendall(reply(2, b"get", 1, order) + extra)
                reused.append(calls.read(1))

        def accept():
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=serve, args=listener.accept()[:1], daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        with running(program, idl_file, "127.0.0.1:%d" % listener.getsockname()[1]) as gateway:
            for _ in range(3):
                answer = gateway.ask("GET", "/orders/7")
                assert (answer.status, json.loads(answer.content)["id"]) == (200, 7)
        listener.shutdown(socket.SHUT_RDWR)
    assert not any(reused)


def test_an_upstream_that_becomes_reachable(program, idl, idl_file, shop):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with running(program, idl_file, f"localhost:{port}") as gateway:
        problem(gateway.ask("GET", "/orders/1"), 502, "connection_refused")
        for _ in range(3):  # what was open to the server that is gone is not used again
            with tl.serve(idl, "Shop", shop, port=port, transport="framed", background=True):
                assert (
                    gateway.ask("GET", "/orders/2").status
                    == 200
                    == gateway.ask("GET", "/orders/2").status
                )
        problem(gateway.ask("GET", "/orders/1"), 502, "connection_refused")
    assert shop.get_counts == {2: 6}


EXCEPTIONS = """
exception Coded { 1: i32 code (api.http_code = ""), 2: string why }
exception Plain { 1: string why, 2: string tag (api.header = "X-Tag") }
service Base {
  void fail(1: i32 id (api.path = "id")) throws (1: Coded coded, 2: Plain plain)
    (api.get = "/fail/:id")
}
service Shop extends Base { i32 count() (api.get = "/count") }
"""


def test_inherited_functions_and_parts_of_exceptions(program, tmp_path):
    (tmp_path / "some.thrift").write_text(EXCEPTIONS)
    idl = tl.load(tmp_path / "some.thrift")

    class Handler:
        def fail(self, id):
            raise idl.exceptions["Coded"](id, "so") if id else idl.exceptions["Plain"]("so", "t")

        def count(self):
            return 3

    with (
        tl.serve(idl, "Shop", Handler(), transport="framed", background=True) as server,
        running(program, tmp_path / "some.thrift", server.address) as gateway,
    ):
        assert gateway.routes == 2 and gateway.ask("GET", "/count").content == b"3"
        answer = gateway.ask("GET", "/fail/418")
        assert answer.status == 418 and answer.getheader("content-type") == "application/json"
        assert json.loads(answer.content) == {"why": "so"}
        answer = gateway.ask("GET", "/fail/0")
        fields = problem(answer, 500, "exception")
        assert fields["exception"] == "Plain" and fields["fields"] == {"why": "so"}
        assert answer.getheader("x-tag") == "t"


@pytest.mark.parametrize("transport", ["framed", "buffered"])
def test_transports(program, idl, idl_file, shop, transport):
    with (
        tl.serve(idl, "Shop", shop, transport=transport, background=True) as server,
        running(program, idl_file, server.address, "--transport", transport) as gateway,
    ):
        assert gateway.ask("GET", "/orders/7").getheader("etag") == "e1"


def test_a_signal_ends_it_after_the_running_calls(program, idl, idl_file, shop):
    is_called, let_go = threading.Event(), threading.Event()

    class Slow:
        def get(self, req, context):
            is_called.set()
            assert let_go.wait(600)
            return shop.get(req, context)

    with (
        tl.serve(idl, "Shop", Slow(), transport="framed", background=True) as server,
        running(program, idl_file, server.address) as gateway,
    ):
        with gateway.open() as idle, gateway.open() as busy:
            problem(fetch(idle, "GET", "/nothing"), 404, "not_found")
            busy.request("GET", "/orders/7")
            assert is_called.wait(600)
            gateway.process.send_signal(signal.SIGTERM)
            assert idle.sock.recv(1) == b""
            with pytest.raises(ConnectionError):
                gateway.ask("GET", "/orders/8")
            let_go.set()
            answer = busy.getresponse()
            assert answer.status == 200 and answer.getheader("connection") == "close"
            assert json.loads(answer.read())["id"] == 7
        assert gateway.process.wait(600) == 0


@pytest.mark.parametrize("arguments,message", [
    ([], "usage: beast_gateway IDL UPSTREAM LISTEN"),
    (["{idl}", "1", "0", "--wrong", "1"], "usage"), (["{idl}", "1", "0", "--timeout", "x"], "stod"),
    (["none.thrift", "1", "0"], "none.thrift"), (["{plain}", "1", "0"], "has no routes"),
    (["{clash}", "1", "0"], "matches the same paths as GET /a/:id"),
])  # fmt: skip
def test_invalid_gateway_options_are_reported(program, idl_file, tmp_path, arguments, message):
    (tmp_path / "plain.thrift").write_text("service S { void f() }")
    (tmp_path / "clash.thrift").write_text(
        'service S { void f(1: i32 id (api.path = "id")) (api.get = "/a/:id") void g() (api.get = '
        '"/a/:x") }'
    )
    names = {
        "idl": idl_file,
        "plain": tmp_path / "plain.thrift",
        "clash": tmp_path / "clash.thrift",
    }
    result = subprocess.run(
        [program, *(argument.format(**names) for argument in arguments)],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 2 and message in result.stderr
