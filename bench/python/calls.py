"""A call of Small over loopback: thriftlens's clients beside thriftpy2's, against one server in
another process.

Answers are compared first. Microseconds of CPU time of the client a call, and of wall time, medians
of the rounds; the contestants take turns.
Run: python bench/python/calls.py [CALLS] [ROUNDS]; needs thriftlens and thriftpy2.
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
from thriftpy2.rpc import client_context

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


def serve():
    server = tl.serve(
        tl.loads(IDL),
        "Echo",
        {"echo": lambda value: value},
        threads=0,
        ready=lambda server_: print(server_.address, flush=True),
    )
    return server


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
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "echo.thrift"
        path.write_text(IDL)
        parsed = thriftpy2.load(str(path), module_name="echo_thrift")
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
        serve()
    else:
        main(*map(int, sys.argv[1:3]))
