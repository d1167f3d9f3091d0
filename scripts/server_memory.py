#!/usr/bin/env python3
"""Memory and time that hostile or idle clients take from a server, on loopback; Linux only.

    python scripts/server_memory.py            # a table of all attacks on the Python server
    python scripts/server_memory.py idle       # one of them
    python scripts/server_memory.py --asio     # the Asio server, compiled by g++ in every run

Runs the installed package; PYTHONPATH=python runs the work tree. Every attack is bounded: at most
900 MiB are sent.
"""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Callable, ClassVar, Iterator

import thriftlens as tl

IDL = tl.loads("""
struct Empty {}
service Load {
  i32 put(1: binary data),
  i32 many(1: list<Empty> items),
  i32 ping(),
  binary get(1: i32 size),
  i32 hold(1: binary data),
  oneway void tell(1: binary data)
}
""")
LOAD = IDL.service("Load")
MIB = 1 << 20
RESET = struct.pack("ii", 1, 0)


def serve(options: str) -> None:
    """In a separate process: prints its address, and ends with its standard input."""
    gate = threading.Event()

    def hold(data: bytes) -> int:
        gate.wait(300)
        return 0

    async def many(items: Any) -> int:
        return len(items)

    handler = {
        "put": len,
        "many": many if "async" in options else len,
        "ping": lambda: 1,
        "get": bytes,
        "hold": hold,
        "tell": lambda data: None,
    }
    server_options: dict[str, Any] = {"limits": {"connections": 4}} if "few" in options else {}
    if "tls" in options:
        import trustme

        server_options["tls"] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        trustme.CA().issue_cert("localhost").configure_cert(server_options["tls"])
    if "http" in options:
        server_options["transport"] = "http"
    with tl.serve(IDL, "Load", handler, background=True, **server_options) as server:
        print(server.address, flush=True)
        sys.stdin.read()


class Process:
    """A server, its memory and its time."""

    command: ClassVar[list[str]] = [sys.executable, __file__, "--serve"]

    def __init__(self, options: str):
        self._process = subprocess.Popen(
            [*self.command, options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip().removeprefix("http://").rstrip("/")
        host, _, port = self.address.rpartition(":")
        self.place = host, int(port)

    def connect(self) -> socket.socket:
        return socket.create_connection(self.place, timeout=400)

    def memory(self, wait: float = 0.5) -> float:
        """MiB that are resident when nothing more changes, or after 20 s."""
        last, until = -1.0, time.monotonic() + 20
        while time.monotonic() < until:
            status = Path(f"/proc/{self._process.pid}/status").read_text()
            size = (
                int(
                    next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[
                        1
                    ]
                )
                / 1024
            )
            if abs(size - last) < 0.5:
                return size
            last = size
            time.sleep(wait)
        return last

    def seconds(self) -> float:
        """Of the processor."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


@contextlib.contextmanager
def process(options: str = "") -> Iterator[Process]:
    process = Process(options)
    try:
        yield process
    finally:
        process.close()


def message(name: str, arguments: dict[str, Any], protocol: str = "binary") -> bytes:
    data = LOAD.function(name).arguments.encode(arguments, protocol=protocol)
    return tl.Message(name, "call", 1, data, protocol).to_bytes(framed=True)


def read_reply(stream: socket.socket) -> bytes:
    head = b""
    while len(head) < 4:
        piece = stream.recv(4 - len(head))
        if not piece:
            return b""
        head += piece
    size, data = int.from_bytes(head, "big"), b""
    while len(data) < size:
        piece = stream.recv(min(MIB, size - len(data)))
        if not piece:
            return data
        data += piece
    return data


def idle() -> str:
    """20 idle connections after one call of 8 MiB."""
    with process() as server:
        streams = [server.connect() for _ in range(20)]
        for stream in streams:
            stream.sendall(message("ping", {}))
            read_reply(stream)
        start = server.memory()
        for stream in streams:
            stream.sendall(message("put", {"data": bytes(8 * MIB)}))
            read_reply(stream)
        time.sleep(2)
        return f"{(server.memory() - start) / 20:.2f} MiB a connection"


def reset() -> str:
    """4 connections with 64 queued calls of 1 MiB, all handlers busy; then the connections are
    reset.
    """
    with process("few") as server:
        streams = [server.connect() for _ in range(4)]
        start = server.memory()
        call = message("hold", {"data": bytes(MIB)})
        for stream in streams:
            stream.settimeout(3)
            with contextlib.suppress(OSError):
                for _ in range(64):
                    stream.sendall(call)
        held = server.memory()
        for stream in streams:
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            stream.close()
        time.sleep(4)
        return (
            f"{held - start:.0f} MiB while they are open, "
            f"{server.memory() - start:.0f} MiB after the reset"
        )


def longest_wait(server: Process, begin: Callable[[], None]) -> float:
    """The longest of another client's calls while `begin` runs, and until 5 s later."""
    longest = 0.0
    with tl.connect(
        server.address, IDL, "Load", transport="framed", protocol="binary", timeout=400
    ) as client:
        client.ping()
        work = threading.Thread(target=begin)
        work.start()
        until = time.monotonic() + 5
        while work.is_alive() or time.monotonic() < until:
            start = time.monotonic()
            client.ping()
            longest = max(longest, time.monotonic() - start)
        work.join()
    return longest


def decode(options: str = "") -> str:
    """3 frames of 15 MiB (a list of 15 million empty structs), one after another and together."""
    with process(options) as server:
        call = message("many", {"items": []}, "compact")
        count = 15 * MIB
        size = bytearray()
        number = count
        while number >= 0x80:
            size.append(number & 0x7F | 0x80)
            number >>= 7
        size.append(number)
        body = call[4:-3] + b"\x19\xfc" + bytes(size) + bytes(count) + b"\0"
        assert call[-3:] == b"\x19\x0c\x00", call[-3:]
        frame = len(body).to_bytes(4, "big") + body
        start, peak, is_over = server.memory(), 0.0, threading.Event()

        def watch() -> None:
            nonlocal peak
            while not is_over.wait(0.02):
                peak = max(peak, server.memory(0))

        def send(times: int) -> None:
            streams = [server.connect() for _ in range(times)]
            for stream in streams:
                stream.sendall(frame)
            for stream in streams:
                with contextlib.suppress(OSError):
                    read_reply(stream)
                stream.close()

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            one_wait = longest_wait(server, lambda: send(1))
            three = longest_wait(server, lambda: send(3))
        finally:
            is_over.set()
            watcher.join()
        return (
            f"others wait {one_wait:.2f} s for one, {three:.2f} s for three; peak "
            f"{peak - start:.0f} MiB"
        )


def decode_async() -> str:
    """The same, with a handler that is a coroutine."""
    return decode("async")


def persistent() -> str:
    """One connection with 60 persistent headers of 60 KB in all of its 64 frames, then 64 queued
    calls of 40 bytes.
    """
    with process() as server:
        stream = server.connect()
        start = server.memory()
        session = tl._core.Session("client", transport="header", protocol="binary")
        _, plain = session.call("hold", LOAD.function("hold").arguments.encode({"data": b""}))
        payload = plain[14 + int.from_bytes(plain[12:14], "big") * 4 :]

        def frame(pairs: list[tuple[bytes, bytes]]) -> bytes:
            header = b"\0\0"
            if pairs:
                header += (
                    b"\2"
                    + varint(len(pairs))
                    + b"".join(varint(len(text)) + text for pair in pairs for text in pair)
                )
            header += bytes(-len(header) % 4)
            data = (
                b"\x0f\xff\0\0\0\0\0\1" + (len(header) // 4).to_bytes(2, "big") + header + payload
            )
            return len(data).to_bytes(4, "big") + data

        stream.settimeout(3)
        with contextlib.suppress(OSError):
            for number in range(60):
                stream.sendall(frame([(b"key%d" % number, b"x" * 60_000)]))
        time.sleep(1)
        with contextlib.suppress(OSError):
            for _ in range(64):
                stream.sendall(frame([]))
        return f"{server.memory() - start:.1f} MiB"


def varint(number: int) -> bytes:
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def handshakes() -> str:
    """50 connections to a TLS server of at most 4 that never begin their handshake."""
    with process("few tls") as server:
        start = server.memory()
        streams = [server.connect() for _ in range(50)]
        time.sleep(1)
        alive = 0
        for stream in streams:
            stream.settimeout(0.02)
            try:
                stream.recv(1)
            except TimeoutError:
                alive += 1
            except OSError:
                pass
        return f"{alive} stay open; {server.memory() - start:.1f} MiB"


def halves() -> str:
    """60 connections with 15 of the 16 MiB of a frame."""
    with process() as server:
        start = server.memory()
        streams = [server.connect() for _ in range(60)]
        for stream in streams:
            with contextlib.suppress(OSError):
                stream.sendall(
                    (16 * MIB - 8).to_bytes(4, "big")
                    + message("put", {"data": b""})[4:-5]
                    + bytes(15 * MIB)
                )
        return f"{server.memory() - start:.0f} MiB"


def unread() -> str:
    """20 connections that request 16 replies of 4 MiB and read none."""
    with process() as server:
        start = server.memory()
        streams = [server.connect() for _ in range(20)]
        for stream in streams:
            stream.sendall(message("get", {"size": 4 * MIB}) * 16)
        time.sleep(1)
        return f"{server.memory() - start:.0f} MiB"


def chunks() -> str:
    """A body of 100,000 one-byte chunks over HTTP."""
    with process("http") as server:
        stream = server.connect()
        body = tl.Message(
            "tell", "call", 1, LOAD.function("tell").arguments.encode({"data": bytes(100_000)})
        ).to_bytes()
        start = server.seconds()
        data = (
            b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            + b"".join(b"1\r\n" + bytes([byte]) + b"\r\n" for byte in body)
            + b"0\r\n\r\n"
        )
        with contextlib.suppress(OSError):
            stream.sendall(data)
            stream.recv(100)
        time.sleep(0.5)
        return f"{(server.seconds() - start) / len(data) * MIB:.2f} s of the processor a MiB"


def names() -> str:
    """A call of an unknown function with a name of 65,000 bytes that are no UTF-8."""
    with process() as server:
        stream = server.connect()
        body = b"\x80\1\0\1" + (65_000).to_bytes(4, "big") + b"\xff" * 65_000 + b"\0\0\0\1\0"
        stream.sendall(len(body).to_bytes(4, "big") + body)
        return f"answered with {len(read_reply(stream))} bytes"


ATTACKS = (idle, reset, decode, decode_async, persistent, handshakes, halves, unread, chunks, names)
ASIO_ATTACKS = (idle, reset, decode, persistent, halves, unread, names)


def main() -> None:
    arguments, attacks = sys.argv[1:], ATTACKS
    if arguments[:1] == ["--serve"]:
        serve(arguments[1])
        return
    with tempfile.TemporaryDirectory() as folder:
        if arguments[:1] == ["--asio"]:
            arguments, attacks, Process.command = arguments[1:], ASIO_ATTACKS, [f"{folder}/server"]
            source = Path(__file__).with_suffix(".cpp")
            subprocess.run(
                [
                    "g++",
                    "-std=c++20",
                    "-O1",
                    "-I",
                    source.parents[1] / "include",
                    source,
                    "-o",
                    f"{folder}/server",
                    "-pthread",
                ],
                check=True,
            )
        for attack in attacks:
            if not arguments or attack.__name__ in arguments:
                print(f"| {attack.__name__} | {attack.__doc__} | {attack()} |", flush=True)


if __name__ == "__main__":
    main()
