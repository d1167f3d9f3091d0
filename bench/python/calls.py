"""A call of Small over loopback: thriftlens's clients beside thriftpy2's, against one server in another process.

Answers are compared first. Microseconds of CPU time of the client a call, and of wall time, medians of the rounds; the contestants take turns.
Run: python bench/python/calls.py [CALLS] [ROUNDS]; needs thriftlens and thriftpy2.
"""
import asyncio
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
VALUE = {"id": 4711, "name": "a name of some length", "flag": True, "ratio": 0.5, "numbers": [1, 2, 3]}
FLIGHT = 16


def serve():
    server = tl.serve(tl.loads(IDL), "Echo", {"echo": lambda value: value}, threads=0, ready=lambda each: print(each.address, flush=True))
    return server


def timed(work):
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.process_time() - cpu, time.perf_counter() - wall


async def timed_later(work):
    wall, cpu = time.perf_counter(), time.process_time()
    await work()
    return time.process_time() - cpu, time.perf_counter() - wall


def main(calls=2000, rounds=7):
    with subprocess.Popen([sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True) as server:
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

    async def asyncio_contestants():
        loops = {}
        async with tl.aio.connect(address, idl, transport="buffered", protocol="binary") as ours:
            theirs = await make_aio_client(parsed.Echo, "127.0.0.1", port)
            assert await ours.echo(VALUE) == VALUE and await theirs.echo(small) == small

            async def one_by_one(client, value):
                for _ in range(calls):
                    await client.echo(value)

            async def in_flight(client, value):
                for _ in range(calls // FLIGHT):
                    await asyncio.gather(*(client.echo(value) for _ in range(FLIGHT)))

            for _ in range(rounds):
                for name, work in (
                    ("thriftlens asyncio", lambda: one_by_one(ours, VALUE)),
                    (f"thriftlens asyncio, {FLIGHT} in flight", lambda: in_flight(ours, VALUE)),
                    ("thriftpy2 asyncio", lambda: one_by_one(theirs, small)),
                ):
                    loops.setdefault(name, []).append(await timed_later(work))
            theirs.close()
        return loops

    figures = {}
    with tl.connect(address, idl, transport="buffered", protocol="binary") as ours, client_context(parsed.Echo, "127.0.0.1", port) as theirs:
        assert ours.echo(VALUE) == VALUE and theirs.echo(small) == small
        for _ in range(rounds):
            for name, client, value in (("thriftlens sync", ours, VALUE), ("thriftpy2 sync", theirs, small)):
                figures.setdefault(name, []).append(timed(lambda: [client.echo(value) for _ in range(calls)]))
    figures.update(asyncio.run(asyncio_contestants()))
    try:
        import uvloop

        loop = uvloop.new_event_loop()
        figures.update((f"{name}, uvloop", row) for name, row in loop.run_until_complete(asyncio_contestants()).items())
        loop.close()
    except ImportError:
        pass
    print(f"{'contestant':44} {'cpu us':>8} {'wall us':>8}")
    for name, row in figures.items():
        cpu, wall = (statistics.median(each[index] for each in row) / calls * 1e6 for index in (0, 1))
        print(f"{name:44} {cpu:8.1f} {wall:8.1f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve()
    else:
        main(*map(int, sys.argv[1:3]))
