"""The gateway as an ASGI application: mounted, of several services, in event loops."""

import asyncio
import contextlib
import socket
import subprocess
import sys
import threading

import pytest
import thriftlens as tl
from gateway_answers import KNOWN, problem


def test_a_mounted_gateway(fetch):
    assert fetch("GET", "/api/orders/7?fields=id", scope={"root_path": "/api"}).json() == {"id": 7}
    result = fetch("GET", "/a b/openapi.json", scope={"root_path": "/a b"}).json()
    assert result["servers"] == [{"url": "/a%20b"}]
    assert "servers" not in fetch("GET", "/openapi.json").json()


@pytest.fixture
def two(idl):
    text = 'service A { string a() (api.get="/a") } service B { string b() (api.get="/b") }'
    idl = tl.loads(text)
    with (
        tl.serve(idl, "A", {"a": lambda: "from a"}, background=True) as a,
        tl.serve(idl, "B", {"b": lambda: "from b"}, transport="ttheader", background=True) as b,
    ):
        yield idl, a.address, b.address


def test_several_services_each_with_its_upstream(fetch, two):
    idl, a, b = two
    for path, expected in (("/a", "from a"), ("/b", "from b")):
        upstream = {"A": a, "B": {"address": b, "transport": "ttheader", "protocol": "binary"}}
        assert fetch("GET", path, idl=idl, upstream=upstream).json() == expected


def test_multiplexed_services(fetch):
    idl = tl.loads(
        'service A { string a() (api.get="/a") } service B { string b() (api.get="/b") }'
    )
    with tl.serve(
        idl, {"A": {"a": lambda: "from a"}, "B": {"b": lambda: "from b"}}, background=True
    ) as server:
        answers = [
            fetch("GET", path, idl=idl, upstream=server.address, multiplexed=True).json()
            for path in ("/a", "/b")
        ]
    assert answers == ["from a", "from b"]


def test_lifespan_and_other_protocols(ask, idl_file):
    async def main():
        app = tl.gateway(idl_file, upstream="127.0.0.1:1")
        for messages, scope, expected in (
            (
                [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}],
                {"type": "lifespan"},
                ["lifespan.startup.complete", "lifespan.shutdown.complete"],
            ),
            ([{"type": "websocket.connect"}], {"type": "websocket"}, ["websocket.close"]),
        ):
            sent = []
            await app(
                scope,
                lambda: asyncio.sleep(0, messages.pop(0)),
                lambda message: asyncio.sleep(0, sent.append(message["type"])),
            )
            assert sent == expected
        with pytest.raises(ValueError, match="ftp"):
            await app({"type": "ftp"}, None, None)
        assert "Shop" in repr(app) and ("GET", "/orders/:id", "Shop.get") in app.routes

    asyncio.run(main())


@pytest.mark.parametrize("raised", [SystemExit, KeyboardInterrupt, GeneratorExit, StopIteration])
def test_roles_that_raise_are_an_internal_error(fetch, raised):
    def plain(scope):
        raise raised("a secret")

    async def later(scope):
        raise raised("a secret")

    for roles in (plain, later):
        fetched = fetch("GET", "/orders/7", roles=roles, policies={"all": None})
        problem(fetched, 500, "internal_error")


def test_reloads_under_load_lose_no_request(ask, idl, idl_file, shop):
    """Requests that began under the old IDL finish with it; every answer follows one of the two."""
    text = idl_file.read_text()
    other = tl.loads(text.replace('name (pii = "name")', 'name (pii = "name", api.key = "called")'))
    reloads = 1000

    async def main():
        async with await tl.aio.serve(idl, "Shop", shop, threads=0) as server:
            app = tl.gateway(idl, upstream=server.address, **KNOWN)
            over, seen = False, {"name": 0, "called": 0}

            async def load(begin):
                number = begin
                while not over:
                    number += 8
                    answer = await ask(app, "GET", f"/orders/{number}")
                    assert answer.status == 200 and answer.json()["id"] == number
                    seen[next(name for name in seen if name in answer.json()["user"])] += 1

            workers = [asyncio.ensure_future(load(1000 + index)) for index in range(8)]
            for index in range(reloads):
                app.reload(other if index % 2 == 0 else idl)
                await asyncio.sleep(0)
            while min(seen.values()) < 20:
                app.reload(other if seen["called"] < seen["name"] else idl)
                await asyncio.sleep(0)
            over = True
            await asyncio.gather(*workers)
            assert set(shop.get_counts.values()) == {1}
            assert len(shop.get_counts) == sum(seen.values())
            assert app.metrics.reloads["ok"] >= reloads
            await app.close()

    asyncio.run(main())


def test_a_failed_reload_keeps_the_old_schema(ask, idl, idl_file, upstream, tmp_path):
    async def main():
        file = tmp_path / "shop.thrift"
        file.write_text(idl_file.read_text())
        app = tl.gateway(
            file,
            upstream=upstream,
            roles=lambda scope: "a",
            policies={"a": {"annotation": "pii", "exempt": ["get", "upload", "drop_"]}},
        )
        for text in (
            "struct {",
            "service Shop { void a() }",
            idl_file.read_text().replace("pii", "pi"),
            idl_file.read_text().replace("/orders/:id", "/docs"),
        ):
            file.write_text(text)
            with pytest.raises(ValueError):
                app.reload()
            assert (await ask(app, "GET", "/orders/7")).json()["user"] == {
                "id": 1,
                "name": "",
                "phone": "",
            }
        assert app.metrics.reloads == {"ok": 0, "error": 4}
        file.write_text(idl_file.read_text().replace("/orders/:id", "/order/:id"))
        app.reload()
        assert [(await ask(app, "GET", target)).status for target in ("/orders/7", "/order/7")] == [
            404,
            200,
        ]
        await app.close()

    asyncio.run(main())


def test_one_event_loop_after_another(ask, idl_file, upstream):
    """One event loop per request, as test clients create them."""
    app = tl.gateway(idl_file, upstream=upstream)
    for _ in range(3):
        assert asyncio.run(ask(app, "GET", "/orders/7?fields=id")).json() == {"id": 7}


def test_two_event_loops_at_once_are_refused(ask, idl_file, upstream, caplog):
    app = tl.gateway(idl_file, upstream=upstream)

    async def main():
        await ask(app, "GET", "/healthz")
        problem(
            await asyncio.to_thread(asyncio.run, ask(app, "GET", "/orders/7")),
            500,
            "internal_error",
        )
        await app.close()

    asyncio.run(main())
    assert "a gateway runs in one event loop" in caplog.text


def test_a_client_that_disconnects_gets_no_response(idl_file):
    async def main():
        app = tl.gateway(idl_file, upstream="127.0.0.1:1", **KNOWN)
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/orders",
            "query_string": b"",
            "headers": [(b"content-length", b"9")],
        }
        sent = []
        await app(
            scope,
            lambda: asyncio.sleep(0, {"type": "http.disconnect"}),
            lambda message: asyncio.sleep(0, sent.append(message)),
        )
        assert sent == [] and app.metrics.in_flight == 0

    asyncio.run(main())


def exchange(address, data, size=65536):
    with socket.create_connection(address) as client:
        client.sendall(data)
        received = b""
        while piece := client.recv(size):
            received += piece
        return received


@pytest.mark.parametrize("server", ["uvicorn", "granian"])
def test_under_real_servers(serving, idl_file, shop, upstream, server, tmp_path):
    """Keep-alive, pipelining of two requests, and a head that is cut."""
    with contextlib.ExitStack() as stack:
        if server == "uvicorn":
            address = serving(tl.gateway(idl_file, upstream=upstream))
        else:
            address = stack.enter_context(granian(idl_file, upstream, tmp_path))
        two = (
            b"GET /orders/7?fields=id HTTP/1.1\r\nHost: a\r\n\r\n"
            b"GET /orders/404 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        )
        received = exchange(address, two)
        assert received.count(b"HTTP/1.1 ") == 2 and b'{"id":7}' in received
        assert b"HTTP/1.1 404" in received
        body = (
            b"POST /orders HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
            b'Transfer-Encoding: chunked\r\n\r\n8\r\n{"id":5}\r\n0\r\n\r\n'
        )
        assert b"HTTP/1.1 201" in exchange(address, body)
        assert b"HTTP/1.1 404" in exchange(
            address, b"GET /orders/%2e%2e/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        )
        smuggled = (
            b"GET /orders/7 HTTP/1.1\r\nHost: a\r\nX: a\r\n b\x00\r\nConnection: close\r\n\r\n"
        )
        assert b"HTTP/1.1 400" in exchange(address, smuggled) or not exchange(address, smuggled)


@contextlib.contextmanager
def granian(idl_file, upstream, folder):
    pytest.importorskip("granian")
    (folder / "app.py").write_text(
        f"import thriftlens as tl\napp = tl.gateway({str(idl_file)!r}, upstream={upstream!r})\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        sys.executable, "-m", "granian", "--interface", "asgi", "--host", "127.0.0.1", "--port",
        str(port), "--no-ws", "app:app",
    ]  # fmt: skip
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            for _ in range(12_000):
                with (
                    contextlib.suppress(OSError),
                    socket.create_connection(("127.0.0.1", port), timeout=1),
                ):
                    break
                assert process.poll() is None
                threading.Event().wait(0.05)
            yield "127.0.0.1", port
        finally:
            process.terminate()
