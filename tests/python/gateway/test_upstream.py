"""Upstreams that fail, are killed or are not reachable."""

import asyncio
import contextlib
import json
import socket
import struct
import subprocess
import sys
import threading

import pytest
import thriftlens as tl
from gateway_answers import KNOWN, problem

RESET = struct.pack("ii", 1, 0)


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
        fetched = fetch("GET", "/orders/7", upstream="127.0.0.1:1", **options)
        fields = problem(fetched, 502, "connection_refused")
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
        data = tl.Message(name, "exception", number, b"\x08\0\2\0\0\0\1\0").to_bytes(framed=True)
        connection.sendall(data)


def test_probes_of_a_multiplexed_server_name_a_service(fetch):
    with Peer(multiplexed) as peer:
        fetched = fetch(
            "GET", "/orders/7", upstream=peer.address, transport="framed", multiplexed=True
        )
        problem(fetched, 502, "unknown_method")


@pytest.mark.parametrize("script,status,code", [
    (silent, 504, "timeout"), (garbage, 502, None), (truncated, 502, "closed"),
    (resetting, 502, "closed"), (lying, 502, "type_mismatch"), (empty, 502, "missing_result"),
])  # fmt: skip
def test_failing_upstreams(fetch, script, status, code):
    with Peer(script) as peer:
        fetched = fetch("GET", "/orders/7", upstream=peer.address, timeout=0.3, **KNOWN)
        problem(fetched, status, code)


SERVER = """
import sys
import thriftlens as tl
idl = tl.load(sys.argv[1])
async def get(req):
    print(req["id"], flush=True)
    return {"id": req["id"]}
tl.serve(idl, "Shop", {"get": get}, port=int(sys.argv[2]),
ready=lambda server: print(server.address, flush=True))
"""


def start(idl_file, port):
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(idl_file), str(port)], stdout=subprocess.PIPE, text=True
    )
    return process, process.stdout.readline().strip()


def test_an_upstream_that_is_killed_under_load(ask, idl_file):
    """Every request is answered once: 200 with its own value, or 502.

    No call is repeated, and all requests succeed once the server is back."""

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
    from thriftlens._rpc.pool import is_own_end

    class Link:
        def __init__(self, peer):
            self.name_of = {"sockname": ("127.0.0.1", 5), "peername": peer}.get

    assert is_own_end(Link(("127.0.0.1", 5))) and not is_own_end(Link(("127.0.0.1", 6)))
