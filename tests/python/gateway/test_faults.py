"""Upstreams that are gone, slow, silent or send wrong data; clients that are slow or send too much;
reloads under load. No request is lost, answered or executed more than once.
"""

import asyncio
import contextlib
import json
import os
import socket
import struct
import subprocess
import sys
import threading

import pytest
import thriftlens as tl

KNOWN = {"transport": "framed", "protocol": "binary"}
RESET = struct.pack("ii", 1, 0)


def problem(answer, status, code=None):
    fields = answer.json()
    assert (answer.status, fields["status"]) == (status, status) and (
        code is None or fields["code"] == code
    ), fields
    return fields


class Peer:
    """An upstream that runs `script` on every connection."""

    def __init__(self, script):
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listening.getsockname()[1]
        self.script = script
        self.threads = [threading.Thread(target=self.work, daemon=True)]
        self.threads[0].start()

    def work(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listening.accept()
                with contextlib.suppress(OSError), connection:
                    connection.settimeout(600)
                    self.script(connection)

    def __enter__(self):
        return self

    def __exit__(self, *exception_info):
        with contextlib.suppress(OSError):
            self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        self.threads[0].join(600)
        assert not self.threads[0].is_alive()


def test_an_unreachable_upstream(fetch):
    for options in (KNOWN, {}):
        fields = problem(
            fetch("GET", "/orders/7", upstream="127.0.0.1:1", **options), 502, "connection_refused"
        )
        assert "127.0.0.1" not in json.dumps(fields)
    problem(fetch("GET", "/orders/7", upstream="no-such-host.invalid:9", **KNOWN), 502, "not_found")


def silent(connection):
    while connection.recv(65536):
        pass


def garbage(connection):
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def truncated(connection):
    connection.recv(65536)
    connection.sendall(b"\0\0\0\x40\x80\x01\0\x02\0\0\0\x03get")


def resetting(connection):
    connection.recv(65536)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)


def lying(connection):
    """A reply of another type than the IDL has."""
    call = connection.recv(65536)
    data = b"\x08\0\0\0\0\0\x07\0"
    connection.sendall(
        tl.Message("get", "reply", int.from_bytes(call[15:19], "big"), data).to_bytes(framed=True)
    )


def empty(connection):
    call = connection.recv(65536)
    connection.sendall(
        tl.Message("get", "reply", int.from_bytes(call[15:19], "big"), b"\0").to_bytes(framed=True)
    )


def multiplexed(connection):
    """As Apache's servers of several services: a name without a service ends the connection."""
    while call := connection.recv(65536):
        end = 12 + int.from_bytes(call[8:12], "big")
        name, number = call[12:end].decode(), int.from_bytes(call[end : end + 4], "big")
        if not name.startswith("Shop:"):
            return
        connection.sendall(
            tl.Message(name, "exception", number, b"\x08\0\2\0\0\0\1\0").to_bytes(framed=True)
        )


def test_probes_of_a_multiplexed_server_name_a_service(fetch):
    with Peer(multiplexed) as peer:
        problem(
            fetch("GET", "/orders/7", upstream=peer.address, transport="framed", multiplexed=True),
            502,
            "unknown_method",
        )


@pytest.mark.parametrize("script,status,code", [
    (silent, 504, "timeout"), (garbage, 502, None), (truncated, 502, "closed"), (resetting, 502, "closed"), (lying, 502, "type_mismatch"), (empty, 502, "missing_result"),
])  # fmt: skip
def test_upstreams_that_fail(fetch, script, status, code):
    with Peer(script) as peer:
        problem(
            fetch("GET", "/orders/7", upstream=peer.address, timeout=0.3, **KNOWN), status, code
        )


def test_a_reply_beyond_the_limit(fetch):
    problem(fetch("GET", "/orders?size=1000", limits={"reply": 1000}, **KNOWN), 502)


@pytest.mark.parametrize("options,status,limits", [
    ({"body": b"x" * 101}, 413, {"body": 100}), ({"headers": {"content-length": "999999999999"}, "chunks": [b""]}, 413, {"body": 100}),
    ({"chunks": [b"x" * 60, b"x" * 60]}, 413, {"body": 100}), ({"headers": {"x": "y" * 200}}, 431, {"headers": 100}),
    ({"headers": {f"x{n}": "y" for n in range(6)}}, 431, {"header_count": 5}), ({"target": "/orders?" + "x" * 100}, 414, {"url": 100}),
    ({"body": b"[" * 5000}, 400, {}), ({"body": b'{"id":5,"tags":' + b"[" * 5000}, 400, {}),
])  # fmt: skip
def test_giants(fetch, shop, options, status, limits):
    problem(fetch("POST", options.pop("target", "/orders"), **options, limits=limits), status)
    assert not shop.get_counts


def test_a_body_that_does_not_come(fetch):
    async def never():
        await asyncio.get_running_loop().create_future()

    answer = fetch("POST", "/orders", chunks=[b"{", never], limits={"body_seconds": 0.05})
    problem(answer, 408, "timeout")
    assert answer.headers["connection"] == "close"


def test_a_client_that_leaves_gets_no_answer(idl_file):
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


def test_too_many_at_once(ask, idl, idl_file):
    async def main():
        reached, go = asyncio.Event(), asyncio.Event()

        async def get(req):
            reached.set()
            await go.wait()
            return {"id": req["id"]}

        async with await tl.aio.serve(idl, "Shop", {"get": get}) as server:
            app = tl.gateway(idl_file, upstream=server.address, limits={"calls": 1}, **KNOWN)
            first = asyncio.ensure_future(ask(app, "GET", "/orders/1"))
            await reached.wait()
            refused = await ask(app, "GET", "/orders/2")
            problem(refused, 503, "busy")
            assert (
                refused.headers["retry-after"] == "1"
                and (await ask(app, "GET", "/healthz")).status == 200
            )
            go.set()
            assert (await first).status == 200 and (
                await ask(app, "GET", "/orders/3")
            ).status == 200
            await app.close()

    asyncio.run(main())


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
            assert (
                set(shop.get_counts.values()) == {1}
                and len(shop.get_counts) == sum(seen.values())
                and app.metrics.reloads["done"] >= reloads
            )
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
        assert app.metrics.reloads == {"done": 0, "refused": 4}
        file.write_text(idl_file.read_text().replace("/orders/:id", "/order/:id"))
        app.reload()
        assert [(await ask(app, "GET", target)).status for target in ("/orders/7", "/order/7")] == [
            404,
            200,
        ]
        await app.close()

    asyncio.run(main())


def test_watching_the_files(tmp_path, monkeypatch):
    from thriftlens._http.gateway import watch as _watch

    (tmp_path / "a.thrift").write_text("struct A {}")
    first = _watch.signature_of([tmp_path])
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "b.thrift").write_text("struct B {}")
    assert _watch.signature_of([tmp_path]) != first and {
        os.path.basename(entry[0]) for entry in first
    } == {"a.thrift"}

    async def main():
        looks, outcomes, loads, all_reloaded = (
            iter([1, 1, 2, 2, 3, 4]),
            iter([None, ValueError("bad"), None]),
            [],
            asyncio.Event(),
        )

        def reload():
            loads.append(1)
            outcome = next(outcomes)
            if len(loads) == 3:
                loop.call_soon_threadsafe(all_reloaded.set)
            if outcome:
                raise outcome

        loop = asyncio.get_running_loop()
        task = asyncio.ensure_future(
            _watch.watch([], 1, 0.001, reload, lambda folders: next(looks, 4))
        )
        await asyncio.wait_for(all_reloaded.wait(), 600)
        task.cancel()

    asyncio.run(main())


def test_a_mounted_gateway_watches_from_its_first_request_on(ask, tmp_path):
    """Applications around do not pass the lifespan on; what has changed before is seen too."""
    file = tmp_path / "a.thrift"
    file.write_text('service S { void a() (api.get="/a") }')

    async def main():
        app = tl.gateway(file, upstream="127.0.0.1:1", watch=0.001, **KNOWN)
        file.write_text('service S { void a() (api.get="/other") }')
        while (await ask(app, "GET", "/other")).status == 404:
            await asyncio.sleep(0.001)
        await app.close()
        assert (await ask(app, "GET", "/other")).status == 502 and app._watching is None

    asyncio.run(asyncio.wait_for(main(), 600))


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


SERVER = """
import sys
import thriftlens as tl
idl = tl.load(sys.argv[1])
async def get(req):
    print(req["id"], flush=True)
    return {"id": req["id"]}
tl.serve(idl, "Shop", {"get": get}, port=int(sys.argv[2]), ready=lambda server: print(server.address, flush=True))
"""


def start(idl_file, port):
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(idl_file), str(port)], stdout=subprocess.PIPE, text=True
    )
    return process, process.stdout.readline().strip()


def test_an_upstream_that_is_killed_under_load(ask, idl_file):
    """Every request is answered once: 200 with its own value, or 502.

    No call is repeated, and all requests succeed once the server is back.
    """

    async def main():
        process, address = start(idl_file, 0)
        app = tl.gateway(idl_file, upstream=address, **KNOWN)
        answers, over = {}, False

        async def load(begin):
            number = begin
            while not over:
                number += 8
                answer = await ask(app, "GET", f"/orders/{number}")
                answers[number] = answer.status
                await asyncio.sleep(0)  # a server has a socket to wait for
                assert answer.status == 502 or (
                    answer.status == 200 and answer.json()["id"] == number
                ), answer.body

        async def until(condition):
            while not condition():
                assert len(answers) < 200_000 and not any(worker.done() for worker in workers)
                await asyncio.sleep(0)

        workers = [asyncio.ensure_future(load(1000 + index)) for index in range(8)]
        await until(lambda: len(answers) > 100)
        process.kill()
        first = process.communicate()[0].split()
        await until(lambda: list(answers.values())[-1] == 502)
        restarted, _ = start(idl_file, address.rpartition(":")[2])
        count = len(answers)
        await until(lambda: len(answers) > count + 100 and list(answers.values())[-1] == 200)
        over = True
        await asyncio.gather(*workers)
        await app.close()
        restarted.terminate()
        called = [*map(int, first), *map(int, restarted.communicate()[0].split())]
        assert len(called) == len(set(called))
        assert {number for number, status in answers.items() if status == 200} <= set(called)

    asyncio.run(main())


def test_a_self_connected_socket_is_rejected():
    from thriftlens._http.gateway import upstream as _upstream

    class Stream:
        def __init__(self, peer):
            self.names = {"sockname": ("127.0.0.1", 5), "peername": peer}
            self.get_extra_info = self.names.get

    class Link:
        def __init__(self, peer):
            self._stream = Stream(peer)

    assert _upstream.is_own_end(Link(("127.0.0.1", 5))) and not _upstream.is_own_end(
        Link(("127.0.0.1", 6))
    )
    assert not _upstream.is_own_end(object())


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
        two = b"GET /orders/7?fields=id HTTP/1.1\r\nHost: a\r\n\r\nGET /orders/404 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        received = exchange(address, two)
        assert (
            received.count(b"HTTP/1.1 ") == 2
            and b'{"id":7}' in received
            and b"HTTP/1.1 404" in received
        )
        body = b'POST /orders HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"id":5}\r\n0\r\n\r\n'
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
        sys.executable,
        "-m",
        "granian",
        "--interface",
        "asgi",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--no-ws",
        "app:app",
    ]
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
