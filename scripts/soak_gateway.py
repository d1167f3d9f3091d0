"""A soak of a gateway under uvicorn: load with reloads, clients that break off, an upstream that is
killed and comes back; memory must stay flat.

Run: python scripts/soak_gateway.py [SECONDS] [CLIENTS]; defaults 600, 16. Exit status 1 where an
answer was wrong, a request got none, one failed while the upstream was there, or memory grew by
more than 10 % (and 8 MiB) from the first tenth of the time to the end. Gateway and upstream are
processes.
"""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import thriftlens as tl

TEXT = """
struct User { 1: required i64 id, 2: string NAME (pii = "name") }
struct Order { 1: required i64 id, 2: User user, 3: list<string> tags }
exception No { 1: i64 id } (api.http_code = "404")
service Shop { Order get(1: i64 id (api.path = "id")) throws (1: No no) (api.get = "/orders/:id"),
  Order put(1: Order order) (api.post = "/orders") }
"""
IDLS = [TEXT.replace("NAME", name) for name in ("name", "called")]
RELOAD_SECONDS = 0.2


def upstream(port):
    """Answers from bytes, so that the gateway bears the load."""
    idl = tl.loads(IDLS[0])
    No = idl.exceptions["No"]

    async def get(id):
        if id % 10 == 9:
            raise No(id)
        return {"id": id, "user": {"id": 1, "name": "n" * (id % 300)}, "tags": ["a"] * (id % 20)}

    async def put(order):
        return order

    tl.serve(
        idl,
        "Shop",
        {"get": get, "put": put},
        port=port,
        threads=0,
        ready=lambda server: print(server.address, flush=True),
    )


def gateway(address):
    """Under uvicorn, with a reload every RELOAD_SECONDS by another thread."""
    import uvicorn

    app = tl.gateway(tl.loads(IDLS[0]), upstream=address, transport="framed", protocol="binary")

    def reload():
        number = 0
        while True:
            time.sleep(RELOAD_SECONDS)
            number += 1
            app.reload(tl.loads(IDLS[number % 2]))

    class Server(uvicorn.Server):
        async def startup(self, sockets=None):
            await super().startup(sockets)
            print(self.servers[0].sockets[0].getsockname()[1], flush=True)

    threading.Thread(target=reload, daemon=True).start()
    Server(uvicorn.Config(app, port=0, log_level="error", lifespan="on")).run()


def resident(process):
    """MiB of memory that a process holds."""
    return (
        int(Path(f"/proc/{process}/statm").read_text().split()[1])
        * os.sysconf("SC_PAGE_SIZE")
        / (1 << 20)
    )


async def exchange(reader, writer, request):
    """Status and body of one answer."""
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    size = next(
        int(line[15:])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length:")
    )
    return int(head[9:12]), await reader.readexactly(size)


def check(number, status, body, kind):
    problem = json.loads(body)
    if status in (502, 504):
        return "unreached"
    if kind == 3:
        assert status == 400 and problem["path"] == "$.user.id", body
    elif kind == 1:
        assert status == 200 and problem == {"id": number}, body
    elif number % 10 == 9:
        assert (status, problem) == (404, {"id": number}), body
    else:
        user = problem["user"]
        assert status == 200 and problem["id"] == number, body
        assert len(user.get("name", user.get("called"))) == number % 300, body
    return "fine"


async def busy(port, over, counts, begin):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    number = begin
    while not over.is_set():
        number += 1
        kind = number % 4
        target = f"/orders/{number}" + ("?fields={id}" if kind == 1 and number % 10 != 9 else "")
        kind = 0 if kind == 1 and number % 10 == 9 else kind
        if kind == 3:
            body = b'{"id":1,"user":{"id":"x"}}'
            request = (
                b"POST /orders HTTP/1.1\r\nHost: a\r\nContent-Type: "
                b"application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
            )
        else:
            request = f"GET {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
        counts[check(number, *await exchange(reader, writer, request), kind)] += 1
    writer.close()


async def faulty(port, over, counts):
    """Clients that break off in the midst of a request."""
    request = b"POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n" + b"{" * 20
    while not over.is_set():
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request[: counts["broken off"] % len(request)])
        await writer.drain()
        writer.transport.abort()
        counts["broken off"] += 1
        await asyncio.sleep(0.02)


def start(*arguments):
    process = subprocess.Popen(
        [sys.executable, __file__, *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )
    return process, process.stdout.readline().strip()


async def soak(seconds, clients):
    server, address = start("upstream", 0)
    front, port = start("gateway", address)
    over, counts = asyncio.Event(), {"fine": 0, "unreached": 0, "broken off": 0}
    tasks = [
        asyncio.ensure_future(busy(int(port), over, counts, 1_000_000 * index))
        for index in range(clients)
    ]
    tasks.append(asyncio.ensure_future(faulty(int(port), over, counts)))
    begin, first, is_sound, previous = time.monotonic(), None, True, 0
    for step in range(1, 21):
        await asyncio.sleep(max(0.0, begin + seconds * step / 20 - time.monotonic()))
        if step in (5, 10):  # the upstream is killed, and comes back
            previous = counts["unreached"]
            server.kill()
            server.wait()
            await asyncio.sleep(0.5)
            server, _ = start("upstream", address.rpartition(":")[2])
            back = (
                counts["fine"] + 8 * clients
            )  # requests that were under way when it came back have ended then
            while counts["fine"] < back and not any(task.done() for task in tasks):
                await asyncio.sleep(0.05)
            settled = counts["unreached"]
            print(
                f"the upstream was killed: {settled - previous} requests were answered with an "
                "error",
                flush=True,
            )
            previous = settled
        size = resident(front.pid)
        first = size if step == 2 else first
        print(
            f"{time.monotonic() - begin:6.0f} s  {counts}; gateway {size:.1f} MiB, "
            f"{len(os.listdir(f'/proc/{front.pid}/fd'))} files",
            flush=True,
        )
        if counts["unreached"] != previous:
            print(f"{counts['unreached'] - previous} requests failed while the upstream was there")
            is_sound = False
        if any(task.done() for task in tasks):
            break
    over.set()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, BaseException):
            print(f"failed: {outcome!r}")
            is_sound = False
    if first is None or size > first * 1.1 + 8:
        print(f"the memory of the gateway grew from {first or 0:.1f} to {size:.1f} MiB")
        is_sound = False
    for process in (front, server):
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
    return is_sound


def main(seconds=600, clients=16):
    is_sound = asyncio.run(soak(seconds, clients))
    print("sound" if is_sound else "not sound")
    return 0 if is_sound else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["upstream"]:
        upstream(int(sys.argv[2]))
    elif sys.argv[1:2] == ["gateway"]:
        gateway(sys.argv[2])
    else:
        sys.exit(main(*map(int, sys.argv[1:3])))
