"""Gateways side by side: ours on uvicorn and granian, examples/beast_gateway, FastAPI with
thriftpy2, Hertz with dynamicgo (where there is Go), and a bare ASGI application.

usage: run.py [SECONDS] [CONNECTIONS]; needs wrk, and thriftlens, fastapi, thriftpy2, uvicorn
(httptools, uvloop), granian in this interpreter.
The example on Boost.Beast is that of the preset `release`, THRIFTLENS_BEAST_GATEWAY names another;
it is left out where it is not built.
All use one upstream that answers from bytes; answers are compared before anything is timed. All
have one worker. Printed: requests a second, p50 and p99 by wrk, and the CPU time of the gateway for
one request, which other work on the machine does not change: the ratios below are of that.
"""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import thriftlens as tl

HERE = Path(__file__).resolve().parent
IDL = tl.load(HERE / "shop.thrift")


def order_of(size):
    items = [
        {"sku": f"sku-{n:04}", "count": n, "price": n * 1.25, "tags": ["red", "new", f"t{n}"]}
        for n in range(size)
    ]
    return {
        "id": 7,
        "customer": "Zoë Müller",
        "items": items,
        "notes": {"gift": "yes", "door": "left"},
        "paid": True,
    }


SIZES = (1, 20)
BODIES = {size: json.dumps(order_of(size), ensure_ascii=False).encode() for size in SIZES}
CASES = {
    f"GET, {size} items": ("GET", f"/orders/7?lang=de&size={size}", None) for size in SIZES
} | {"POST, 20 items": ("POST", "/orders", BODIES[20])}


def upstream():
    """Answers from bytes that are there already."""
    replies = {size: IDL.Order.encode(order_of(size)) for size in SIZES}

    async def find(find):
        return replies[int(find["size"])]

    async def place(order):
        return replies[20]

    tl.serve(
        IDL,
        "Shop",
        {"find": find, "place": place},
        transport="framed",
        protocol="binary",
        arguments="view",
        ready=lambda server: print(server.address, flush=True),
    )


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def hertz(work):
    go = shutil.which("go") or shutil.which("go", path="/usr/local/go/bin")
    if go is None:
        return None
    shutil.copytree(HERE / "hertz", work / "hertz")
    for command in (["mod", "tidy"], ["build", "-o", str(work / "gateway"), "."]):
        result = subprocess.run([go, *command], cwd=work / "hertz", capture_output=True, text=True)
        if result.returncode:
            print(f"Hertz does not build here: {result.stderr.strip().splitlines()[-1:]}")
            return None
    return work / "gateway"


def beast():
    program = Path(
        os.environ.get("THRIFTLENS_BEAST_GATEWAY")
        or HERE.parents[1] / "build/release/examples/beast_gateway/beast_gateway"
    )
    if program.exists():
        return program
    print(
        "examples/beast_gateway is not built: cmake --preset release && cmake --build --preset "
        "release --target beast_gateway"
    )
    return None


def contestants(address, port, program, example):
    uvicorn = [
        sys.executable,
        "-m",
        "uvicorn",
        "--port",
        str(port),
        "--log-level",
        "error",
        "--no-access-log",
        "--loop",
        "uvloop",
        "--http",
        "httptools",
    ]
    granian = [
        sys.executable,
        "-m",
        "granian",
        "--interface",
        "asgi",
        "--no-ws",
        "--log-level",
        "error",
        "--workers",
        "1",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    yield "thriftlens on uvicorn", [*uvicorn, "ours:app"], {}
    yield "thriftlens on granian", [*granian, "ours:app"], {}
    if example is not None:
        yield (
            "thriftlens on Boost.Beast",
            [str(example), str(HERE / "shop.thrift"), address, f"127.0.0.1:{port}"],
            {},
        )
    yield "FastAPI + thriftpy2 (threads)", [*uvicorn, "fastapi_gateway:app"], {"PEER": "threads"}
    yield "FastAPI + thriftpy2 (asyncio)", [*uvicorn, "fastapi_gateway:app"], {"PEER": "aio"}
    if program is not None:
        yield (
            "Hertz + dynamicgo",
            [str(program), str(HERE / "shop.thrift"), address, f"127.0.0.1:{port}"],
            {"GOMAXPROCS": "1"},
        )
    yield "bare ASGI on uvicorn", [*uvicorn, "hello:app"], {}
    yield "bare ASGI on granian", [*granian, "hello:app"], {}


@contextlib.contextmanager
def running(command, port, environment):
    with subprocess.Popen(
        command,
        cwd=HERE,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            while True:
                with (
                    contextlib.suppress(OSError),
                    socket.create_connection(("127.0.0.1", port), timeout=1),
                ):
                    break
                assert process.poll() is None, command
                time.sleep(0.05)
            yield process
        finally:
            os.killpg(process.pid, 15)


def family(process):
    """The process and those below it."""
    processes = [process]
    for process_id in processes:
        with contextlib.suppress(OSError):
            processes += [
                int(child)
                for task in Path(f"/proc/{process_id}/task").iterdir()
                for child in (task / "children").read_text().split()
            ]
    return processes


def cpu_seconds(process):
    total = 0
    for process_id in family(process):
        fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def answer(port, method, target, body):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{target}",
        body,
        {"Content-Type": "application/json"},
        method=method,
    )
    with urllib.request.urlopen(request, timeout=30) as got:
        return json.load(got)


def wrk(port, method, target, body, seconds, connections, work):
    script = work / "request.lua"
    script.write_text(
        f"wrk.method = {method!r}\n"
        + (
            ""
            if body is None
            else f"wrk.headers['Content-Type'] = 'application/json'\nwrk.body = "
            f"[==[{body.decode()}]==]\n"
        )
    )
    command = [
        "wrk",
        "-t1",
        f"-c{connections}",
        f"-d{seconds}s",
        "--latency",
        "-s",
        str(script),
        f"http://127.0.0.1:{port}{target}",
    ]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Non-2xx" not in text, text
    times = {
        name: float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]
        for name, number, unit in re.findall(r"(50|99)%\s+([\d.]+)(us|ms|s)", text)
    }
    return (
        float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),
        times,
        int(re.search(r"(\d+) requests in", text)[1]),
    )


def main(seconds=4, connections=16):
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    results = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, __file__, "upstream"], stdout=subprocess.PIPE, text=True
        ) as server,
    ):
        work, address = Path(folder), server.stdout.readline().strip()
        try:
            programs = hertz(work), beast()
            names = [name for name, _, _ in contestants(address, 1, *programs)]
            for number, name in enumerate(names):
                port = free_port()
                _, command, environment = list(contestants(address, port, *programs))[number]
                with running(command, port, {"UPSTREAM": address, **environment}) as process:
                    for case, (method, target, body) in CASES.items():
                        if "bare" in name and case != next(iter(CASES)):
                            continue
                        if "bare" not in name:
                            expected = json.loads(BODIES[1 if "1 items" in case else 20])
                            assert answer(port, method, target, body) == expected, (name, case)
                        wrk(port, method, target, body, 1, connections, work)
                        start_cpu = cpu_seconds(process.pid)
                        rate, times, count = wrk(
                            port, method, target, body, seconds, connections, work
                        )
                        used = (cpu_seconds(process.pid) - start_cpu) / count * 1e6
                        results[case, name] = (rate, used, times)
                        print(
                            f"{case:16} {name:30} {rate:8.0f} requests/s  {used:7.1f} us CPU  p50 "
                            f"{times['50']:6.2f} ms  p99 {times['99']:6.2f} ms",
                            flush=True,
                        )
        finally:
            server.terminate()
    report(results)


def report(results):
    ours = "thriftlens on uvicorn"
    for case in CASES:
        for (where, name), (rate, used, times) in results.items():
            if where == case and name != ours:
                mine = results[case, ours]
                print(
                    f"{case:16} {ours} against {name}: {used / mine[1]:.2f}x by CPU time, "
                    f"{mine[0] / rate:.2f}x requests/s, p99 {mine[2]['99'] / times['99']:.2f}x"
                )


if __name__ == "__main__":
    if sys.argv[1:] == ["upstream"]:
        upstream()
    else:
        main(*map(int, sys.argv[1:3]))
