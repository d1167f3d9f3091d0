"""A call of Small over loopback: thriftlens's clients beside thriftpy2's, against one server in
another process.

Answers are compared first. Microseconds of CPU time of the client a call, and of wall time, medians
of the rounds; the contestants take turns.
Run: python bench/python/calls.py [servers] [CALLS] [ROUNDS]; needs thriftlens and thriftpy2.
servers: CPU time of servers instead, called by thriftpy2's client; needs Linux.
"""

import asyncio
import contextlib
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import thriftlens as tl
import thriftpy2
from thriftpy2.contrib.aio.rpc import make_client as make_aio_client
from thriftpy2.rpc import client_context, make_server

IDL = """
struct Small { 1: i64 id, 2: string name, 3: bool flag, 4: double ratio, 5: list<i32> numbers }
service Echo { Small echo(1: Small value) }
"""
VALUE = {
    "id": 4711,
    "name": "a name of some length",
    "flag": True,
    "ratio": 0.5,
    "numbers": [1, 2, 3],
}
FLIGHT = 16


def serve(threads="0"):
    """threads: "thriftpy2" for its server, which has a thread for each connection."""
    if threads == "thriftpy2":
        handler = type("Handler", (), {"echo": lambda self, value: value})()
        server = make_server(parsed_idl().Echo, handler, "127.0.0.1", 1)
        server.trans.port = 0  # refused by make_server
        server.trans.listen()
        server.trans.listen = lambda: None  # serve() would listen again
        print(f"127.0.0.1:{server.trans.sock.getsockname()[1]}", flush=True)
        server.serve()
    else:
        tl.serve(
            tl.loads(IDL),
            "Echo",
            {"echo": lambda value: value},
            threads=int(threads),
            ready=lambda server_: print(server_.address, flush=True),
        )


def parsed_idl():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "echo.thrift"
        path.write_text(IDL)
        return thriftpy2.load(str(path), module_name="echo_thrift")


def cpu_of(process):
    """Microseconds of all its threads."""
    tasks = Path(f"/proc/{process.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e3


def servers(calls=2000, rounds=7):
    parsed = parsed_idl()
    small, clients, figures = parsed.Small(**VALUE), {}, {}
    with contextlib.ExitStack() as opened:
        for threads in ("8", "0", "thriftpy2"):
            server = subprocess.Popen(
                [sys.executable, __file__, "serve", threads], stdout=subprocess.PIPE, text=True
            )
            opened.callback(server.kill)
            port = int(server.stdout.readline().rpartition(":")[2])
            client = opened.enter_context(client_context(parsed.Echo, "127.0.0.1", port))
            assert client.echo(small) == small
            clients[threads], figures[threads] = (server, client), []
        for _ in range(rounds):
            for threads, (server, client) in clients.items():
                start = cpu_of(server)
                for _ in range(calls):
                    client.echo(small)
                figures[threads].append((cpu_of(server) - start) / calls)
    for threads, row in figures.items():
        name = threads if threads == "thriftpy2" else f"thriftlens, threads={threads}"
        print(f"{name:24} {statistics.median(row):8.1f} us of CPU a call")


def timed(work):
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.process_time() - cpu, time.perf_counter() - wall


def loops():
    """Their names, and the loops."""
    yield "", asyncio.new_event_loop()
    try:
        import uvloop
    except ImportError:
        return
    yield ", uvloop", uvloop.new_event_loop()


def in_a_loop(name, loop, peer, calls):
    """The contestants that run in an event loop, by name."""
    address, idl, service, small = peer

    async def start():
        ours = await tl.aio.connect(address, idl, transport="buffered", protocol="binary")
        theirs = await make_aio_client(service, "127.0.0.1", int(address.rpartition(":")[2]))
        assert await ours.echo(VALUE) == VALUE and await theirs.echo(small) == small
        return ours, theirs

    ours, theirs = loop.run_until_complete(start())

    async def one_by_one(client, value):
        for _ in range(calls):
            await client.echo(value)

    async def in_flight():
        for _ in range(calls // FLIGHT):
            await asyncio.gather(*(ours.echo(VALUE) for _ in range(FLIGHT)))

    return {
        f"thriftlens asyncio{name}": lambda: loop.run_until_complete(one_by_one(ours, VALUE)),
        f"thriftlens asyncio, {FLIGHT} in flight{name}": lambda: loop.run_until_complete(
            in_flight()
        ),
        f"thriftpy2 asyncio{name}": lambda: loop.run_until_complete(one_by_one(theirs, small)),
    }


def main(calls=2000, rounds=7):
    with subprocess.Popen(
        [sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            compare(server.stdout.readline().strip(), calls, rounds)
        finally:
            server.terminate()


def compare(address, calls, rounds):
    parsed = parsed_idl()
    port = int(address.rpartition(":")[2])
    idl = tl.loads(IDL)
    small = parsed.Small(**VALUE)

    with contextlib.ExitStack() as opened:
        ours = opened.enter_context(
            tl.connect(address, idl, transport="buffered", protocol="binary")
        )
        theirs = opened.enter_context(client_context(parsed.Echo, "127.0.0.1", port))
        assert ours.echo(VALUE) == VALUE and theirs.echo(small) == small
        works = {
            "thriftlens sync": lambda: [ours.echo(VALUE) for _ in range(calls)],
            "thriftpy2 sync": lambda: [theirs.echo(small) for _ in range(calls)],
        }
        for name, loop in loops():
            opened.callback(loop.close)
            works.update(in_a_loop(name, loop, (address, idl, parsed.Echo, small), calls))
        figures = {name: [] for name in works}
        for _ in range(rounds):
            for name, work in works.items():
                figures[name].append(timed(work))
    print(f"{'contestant':44} {'cpu us':>8} {'wall us':>8}")
    for name, row in figures.items():
        cpu, wall = (
            statistics.median(sample[index] for sample in row) / calls * 1e6 for index in (0, 1)
        )
        print(f"{name:44} {cpu:8.1f} {wall:8.1f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(*sys.argv[2:])
    elif sys.argv[1:2] == ["servers"]:
        servers(*map(int, sys.argv[2:4]))
    else:
        main(*map(int, sys.argv[1:3]))
