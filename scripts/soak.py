"""A soak of clients and a server over loopback: idle and busy connections, faults among them;
memory must stay flat.

Run: python scripts/soak.py [SECONDS] [IDLE] [BUSY]; defaults 600, 1000, 64. Exit status 1 where a
call failed or memory grew by more than 10 % (and 8 MiB) from the first tenth of the time to the
end. The server is a process of its own.
"""

import asyncio
import os
import resource
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

import thriftlens as tl

IDL = tl.loads(
    "exception No { 1: i64 id } struct Order { 1: i64 id, 2: string note } service Shop { Order "
    "get(1: i64 id) throws (1: No no), oneway void note(1: string text) }"
)
No = IDL.exceptions["No"]
RESET = struct.pack("ii", 1, 0)


class Shop:
    async def get(self, id):
        if id % 10 == 9:
            raise No(id)
        return {"id": id, "note": "n" * (id % 2000)}

    async def note(self, text):
        pass


def resident(process):
    """MiB of memory that a process holds."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def files(process):
    return len(os.listdir(f"/proc/{process}/fd"))


async def busy(client, over, counts):
    number = 0
    while not over.is_set():
        number += 1
        try:
            order = await client.get(number, select="{ id }" if number % 3 == 0 else None)
            assert order["id"] == number
        except No as error:
            assert error.id == number
        if number % 50 == 0:
            await client.note("x")
        counts["calls"] += 1


async def faulty(address, over, counts):
    """Peers that break off in the midst of a call."""
    host, _, port = address.rpartition(":")
    call = tl.Message(
        "get", "call", 1, IDL.service("Shop").function("get").arguments.encode({"id": 1})
    ).to_bytes(framed=True)
    while not over.is_set():
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(call[: counts["faults"] % len(call)])
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        writer.transport.abort()
        counts["faults"] += 1
        await asyncio.sleep(0.01)


async def soak(address, server, seconds, idle, busy_clients):
    over, counts = asyncio.Event(), {"calls": 0, "faults": 0}
    options = {"transport": "framed", "protocol": "binary", "timeout": 120}
    waiting = [await tl.aio.connect(address, IDL, **options) for _ in range(idle)]
    working = [await tl.aio.connect(address, IDL, **options) for _ in range(busy_clients)]
    tasks = [asyncio.ensure_future(busy(client, over, counts)) for client in working]
    tasks.append(asyncio.ensure_future(faulty(address, over, counts)))
    begin, fraction, first, is_sound = time.monotonic(), 0.1, None, True
    while time.monotonic() < begin + seconds and not any(task.done() for task in tasks):
        await asyncio.sleep(max(0.1, seconds / 20))
        figures = {
            name: (resident(process), files(process))
            for name, process in (("server", server), ("client", os.getpid()))
        }
        summary = "; ".join(
            f"{name} {size:.1f} MiB, {count} files" for name, (size, count) in figures.items()
        )
        print(
            f"{time.monotonic() - begin:6.0f} s  {counts['calls']} calls, {counts['faults']} "
            f"faults; {summary}",
            flush=True,
        )
        if first is None and time.monotonic() > begin + fraction * seconds:
            first = figures
    over.set()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, BaseException):
            print(f"failed: {outcome!r}")
            is_sound = False
    for client in waiting[: idle // 10]:  # idle ones still work
        assert (await client.get(1))["id"] == 1
    for client in waiting + working:
        await client.close()
    for name, (size, _) in (first or {}).items():
        if figures[name][0] > size * 1.1 + 8:
            print(f"the memory of the {name} grew from {size:.1f} to {figures[name][0]:.1f} MiB")
            is_sound = False
    return is_sound


def main(seconds=600, idle=1000, busy_clients=64):
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (min(65536, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2
    )
    with subprocess.Popen(
        [sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            address = server.stdout.readline().strip()
            is_sound = asyncio.run(soak(address, server.pid, seconds, idle, busy_clients))
        finally:
            server.terminate()
    print("sound" if is_sound else "not sound")
    return 0 if is_sound else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        tl.serve(IDL, "Shop", Shop(), ready=lambda server: print(server.address, flush=True))
    else:
        sys.exit(main(*map(int, sys.argv[1:4])))
