"""The cross test with Apache Thrift's libraries: cross.py CACHE [LANGUAGE...].

Our clients (of Python: blocking, asyncio, and one that detects transport and protocol; of C++:
Asio) call a server of every library, and a client of every library calls our servers (Python and
Asio), over all transports in Binary and Compact. Everything listens on 127.0.0.1. Libraries come
from the registries of their languages and are cached in CACHE; unavailable ones are skipped with
the reason. Prints a matrix per direction; exits with 1 where a cell failed.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import shutil
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple

import thriftlens as tl
from echo import IDL, VALUE

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "include"
TRANSPORTS = ("buffered", "framed", "header", "http", "ssl", "multiplexed")
PROTOCOLS = ("binary", "compact")
WAIT = 60  # seconds for one exchange of a dozen calls, or for a server to listen
BUILD = 1200  # seconds for one build with its downloads


class Missing(Exception):
    """A peer is unavailable; the text has the reason."""


class Peer(NamedTuple):
    """A library: how its program is built, what it cannot do, and the headers that it includes."""

    build: Callable[[Path], list[str]]
    sources: str
    lacks: frozenset[str] = frozenset()
    headers: tuple[Path, ...] = ()


# ---- builds


class Broken(Exception):
    """The program of a peer does not build."""


def run(folder: Path, *command: str, failure: type[Exception] = Broken) -> None:
    """Raises `failure` where the command fails, Missing where there is no such command."""
    if shutil.which(command[0]) is None:
        raise Missing(f"no {command[0]}")
    try:
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=BUILD)
    except subprocess.TimeoutExpired:
        raise failure(f"{command[0]} took more than {BUILD} s") from None
    if result.returncode:
        (folder / "log").write_text(result.stdout + result.stderr)
        lines = (
            result.stderr.strip() or result.stdout.strip() or f"exit {result.returncode}"
        ).splitlines()
        raise failure(
            f"{' '.join(command[:2])}: "
            f"{next((line for line in lines if 'error' in line.lower()), lines[-1])}; "
            f"{folder / 'log'}"
        )


def download(folder: Path, *command: str) -> None:
    run(folder, *command, failure=Missing)


def generate(folder: Path, generator: str, out: str = ".") -> None:
    (folder / out).mkdir(exist_ok=True)
    run(folder, "thrift", "--gen", generator, "-out", out, "peers.thrift")


def build_python(folder: Path) -> list[str]:
    generate(folder, "py")
    try:
        import thrift.server.THttpServer  # noqa: F401
    except ImportError:
        download(
            folder,
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--target",
            "library",
            "thrift",
        )
    return [sys.executable, str(folder / "peer.py")]


def build_cpp(folder: Path) -> list[str]:
    if not Path("/usr/include/thrift/Thrift.h").exists():
        raise Missing("no libthrift-dev")
    generate(folder, "cpp:no_skeleton")
    run(
        folder,
        "g++",
        "-std=c++17",
        "-O0",
        "-I.",
        "Full.cpp",
        "Single.cpp",
        "peers_types.cpp",
        "peer.cpp",
        "-o",
        "peer",
        "-lthriftz",
        "-lthrift",
        "-lz",
        "-pthread",
    )
    return [str(folder / "peer")]


def build_go(folder: Path) -> list[str]:
    generate(folder, "go:package_prefix=apachego/gen-go/", "gen-go")
    download(folder, "go", "mod", "tidy")
    run(folder, "go", "build", "-o", "peer", ".")
    return [str(folder / "peer")]


def build_node(folder: Path) -> list[str]:
    generate(folder, "js:node", "gen-nodejs")
    download(folder, "npm", "install", "--silent", "--no-audit", "--no-fund")
    return ["node", str(folder / "peer.js")]


def build_java(folder: Path) -> list[str]:
    generate(folder, "java:generated_annotations=suppress")
    download(folder, "mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=jars")
    run(
        folder,
        "javac",
        "-encoding",
        "UTF-8",
        "-cp",
        "jars/*",
        "-d",
        "classes",
        *sorted(path.name for path in folder.glob("*.java")),
    )
    return [
        "java",
        "-Xmx256m",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        f"{folder}/classes:{folder}/jars/*",
        "Peer",
    ]


def build_rust(folder: Path) -> list[str]:
    generate(folder, "rs", "src")
    download(folder, "cargo", "fetch", "--quiet")
    run(folder, "cargo", "build", "--quiet")
    return [str(folder / "target/debug/peer")]


def build_asio(folder: Path) -> list[str]:
    if not Path("/usr/include/asio.hpp").exists():
        raise Missing("no libasio-dev")
    run(
        folder, "g++", "-std=c++20", "-O0", "-I", str(INCLUDE), "peer.cpp", "-o", "peer", "-pthread"
    )
    return [str(folder / "peer")]


ASIO = Peer(build_asio, "cross/asio", frozenset({"http", "ssl"}), (INCLUDE,))
PEERS = {
    "python": Peer(build_python, "cross/python"),
    "cpp": Peer(build_cpp, "cross/cpp"),
    "go": Peer(build_go, "apache-go"),
    "node": Peer(build_node, "cross/node"),
    "java": Peer(build_java, "cross/java", frozenset({"header"})),
    "rust": Peer(build_rust, "cross/rust", frozenset({"header", "http", "ssl"})),
}


def built(folder: Path, peer: Peer) -> list[str]:
    """The command of a peer; builds it in `folder` where its sources have changed."""
    sources = [
        IDL,
        *sorted(
            path
            for root in (HERE / peer.sources, *peer.headers)
            for path in root.rglob("*")
            if path.is_file()
        ),
    ]
    stamp = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    command = folder / "command"
    if (folder / "stamp").exists() and (folder / "stamp").read_text() == stamp:
        return command.read_text().splitlines()
    (folder / "stamp").unlink(missing_ok=True)
    shutil.copytree(HERE / peer.sources, folder, dirs_exist_ok=True)
    shutil.copy(IDL, folder)
    arguments = peer.build(folder)
    command.write_text("\n".join(arguments))
    (folder / "stamp").write_text(stamp)
    return arguments


def make_certificates(folder: Path) -> None:
    """ca.pem, server.pem, server.key, and the same for Java: server.p12, ca.p12."""
    if (folder / "ca.p12").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    days = ("-days", "3650")
    run(
        folder,
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        *days,
        "-subj",
        "/CN=peers",
        "-keyout",
        "ca.key",
        "-out",
        "ca.pem",
    )
    run(
        folder,
        "openssl",
        "req",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=localhost",
        "-keyout",
        "server.key",
        "-out",
        "server.csr",
    )
    run(
        folder,
        "openssl",
        "x509",
        "-req",
        *days,
        "-in",
        "server.csr",
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-extfile",
        "names",
        "-out",
        "server.pem",
    )
    run(
        folder,
        "openssl",
        "pkcs12",
        "-export",
        "-in",
        "server.pem",
        "-inkey",
        "server.key",
        "-passout",
        "pass:thrift",
        "-out",
        "server.p12",
    )
    if shutil.which("keytool"):
        run(
            folder,
            "keytool",
            "-importcert",
            "-noprompt",
            "-alias",
            "ca",
            "-file",
            "ca.pem",
            "-storetype",
            "PKCS12",
            "-storepass",
            "thrift",
            "-keystore",
            "ca.p12",
        )


# ---- our side


class Handler:
    def __init__(self, idl: tl.Schema):
        self.refused = idl.exceptions["Refused"]

    def echo(self, value: Any) -> Any:
        return value

    def hello(self, name: str) -> str:
        return "hello " + name

    def crash(self, reason: str) -> str:
        raise tl.ApplicationError(reason)

    def note(self, text: str) -> None: ...

    def nothing(self) -> None: ...

    def add(self, a: int, b: int) -> int:
        return a + b

    def refuse(self, reason: str, code: int) -> None:
        raise self.refused(reason, code)


async def check(call: Callable[..., Any], refused: type[Exception]) -> None:
    """Makes every call through call(name, arguments...), which is awaited."""
    assert await call("echo", VALUE) == VALUE, "echo"
    assert await call("hello", "Zoe") == "hello Zoe", "hello"
    try:
        await call("crash", "why")
        raise AssertionError("crash answered")
    except tl.ApplicationError as error:
        assert "why" in str(error), error
    await call("note", "a")
    assert await call("hello", "again") == "hello again", "hello after oneway"
    assert await call("nothing") is None, "nothing"
    assert await call("add", 2, 40) == 42, "add"
    try:
        await call("refuse", "no", 7)
        raise AssertionError("refuse answered")
    except refused as error:
        assert (error.reason, error.code) == ("no", 7), error  # type: ignore[attr-defined]


def call_their_server(
    idl: tl.Schema, port: int, transport: str, protocol: str, certificates: Path
) -> None:
    address = f"http://127.0.0.1:{port}/" if transport == "http" else f"127.0.0.1:{port}"
    options: dict[str, Any] = {"timeout": WAIT, "multiplexed": transport == "multiplexed"}
    if transport == "ssl":
        options["tls"] = str(certificates / "ca.pem")
    stated = {
        "transport": "buffered" if transport in ("ssl", "multiplexed") else transport,
        "protocol": protocol,
    }
    refused = idl.exceptions["Refused"]

    def blocking(client_options: dict[str, Any]) -> None:
        with tl.connect(address, idl, "Full", **options, **client_options) as client:

            async def call(name: str, *arguments: Any) -> Any:
                return getattr(client, name)(*arguments)

            asyncio.run(check(call, refused))

    async def through_loop() -> None:
        async with tl.aio.connect(address, idl, "Full", **options, **stated) as client:
            await check(lambda name, *arguments: getattr(client, name)(*arguments), refused)

    for name, step in (
        ("blocking", lambda: blocking(stated)),
        ("asyncio", lambda: asyncio.run(through_loop())),
        ("detected", lambda: blocking({})),
    ):
        try:
            step()
        except Exception as error:
            raise AssertionError(f"{name}: {type(error).__name__}: {error}") from error


@contextlib.contextmanager
def our_server(idl: tl.Schema, transport: str, protocol: str, certificates: Path) -> Iterator[int]:
    options: dict[str, Any] = {"background": True, "drain": 0}
    if transport == "ssl":
        options["tls"] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        options["tls"].load_cert_chain(certificates / "server.pem", certificates / "server.key")
    if transport not in ("ssl", "multiplexed"):
        options["transport"] = transport
    service: Any = (
        ({"Full": Handler(idl)},) if transport == "multiplexed" else ("Full", Handler(idl))
    )
    with contextlib.closing(tl.serve(idl, *service, protocol=protocol, **options)) as server:
        yield int(server.address.rstrip("/").rpartition(":")[2])


# ---- their side


@contextlib.contextmanager
def their_server(command: list[str], log: Path, environment: dict[str, str]) -> Iterator[None]:
    """Runs a server until left; waits until it listens."""
    with (
        log.open("wb") as sink,
        subprocess.Popen(
            command, stdout=sink, stderr=sink, stdin=subprocess.DEVNULL, env=environment
        ) as process,
    ):
        try:
            until = time.monotonic() + WAIT
            while True:
                with (
                    contextlib.suppress(OSError),
                    socket.create_connection(("127.0.0.1", int(command[-4])), timeout=5),
                ):
                    break
                if process.poll() is not None:
                    raise AssertionError(f"the server ended: {last_line(log)}")
                if time.monotonic() > until:
                    raise AssertionError(f"the server does not listen after {WAIT} s")
                time.sleep(0.05)
            yield
        finally:
            process.kill()


def run_client(command: list[str], log: Path, environment: dict[str, str]) -> None:
    result = subprocess.run(command, capture_output=True, text=True, timeout=WAIT, env=environment)
    if result.returncode:
        log.write_text(result.stdout + result.stderr)
        raise AssertionError(last_line(log))


def last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return next((line for line in lines if "rror" in line), lines[-1] if lines else "no output")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


class Run:
    """Both directions of every peer. cells: outcomes by direction, language and transport."""

    def __init__(self, cache: Path):
        self.cache = cache
        self.certificates = cache / "certificates"
        self.idl = tl.load(IDL)
        self.asio: list[str] = []
        self.cells: dict[tuple[str, str, str], str] = {}
        self.faults: list[str] = []
        self.directions: dict[str, Callable[..., None]] = {
            "our Python clients -> servers of Apache Thrift": self.call_server,
            "clients of Apache Thrift -> our Python server": self.serve_client,
            "our C++ client -> servers of Apache Thrift": self.call_server_by_asio,
            "clients of Apache Thrift -> our C++ server": self.serve_client_by_asio,
        }

    def build(self, name: str, peer: Peer) -> list[str]:
        """The command of a peer; empty where it is not available."""
        try:
            return built(self.cache / name, peer)
        except Missing as error:
            print(f"{name}: skipped: {error}", flush=True)
        except Broken as error:
            self.faults.append(f"{name} does not build: {error}")
            print(f"{name}: {error}", flush=True)
        return []

    def peer(self, language: str) -> None:
        command = self.build(language, PEERS[language])
        if not command:
            return
        paths = [
            str(self.cache / language),
            str(self.cache / language / "library"),
            os.environ.get("PYTHONPATH", ""),
        ]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        for transport in TRANSPORTS:
            for number, (direction, exchange) in enumerate(self.directions.items()):
                if self.missing(direction, language, transport):
                    continue
                outcomes = []
                for protocol in PROTOCOLS:
                    log = self.cache / f"{language}-{number}-{transport}-{protocol}.log"
                    try:
                        exchange(command, transport, protocol, log, environment)
                        outcomes.append("ok")
                    except Exception as error:
                        outcomes.append("FAILED")
                        self.faults.append(
                            f"{direction}, {language}, {transport}, {protocol}: "
                            f"{str(error).splitlines()[0] if str(error) else type(error).__name__}"
                        )
                        print(f"  {self.faults[-1]}", flush=True)
                self.cells[direction, language, transport] = (
                    outcomes[0] if len(set(outcomes)) == 1 else "/".join(outcomes)
                )
        print(f"{language}: done", flush=True)

    def missing(self, direction: str, language: str, transport: str) -> str:
        """Why a cell is not tried; empty where it is."""
        is_asio = "C++" in direction
        if transport in PEERS[language].lacks or (is_asio and transport in ASIO.lacks):
            return "-"
        return "skipped" if is_asio and not self.asio else ""

    def call_server(
        self,
        command: list[str],
        transport: str,
        protocol: str,
        log: Path,
        environment: dict[str, str],
    ) -> None:
        port = free_port()
        with their_server(
            [*command, "server", str(port), transport, protocol, str(self.certificates)],
            log,
            environment,
        ):
            call_their_server(self.idl, port, transport, protocol, self.certificates)

    def serve_client(
        self,
        command: list[str],
        transport: str,
        protocol: str,
        log: Path,
        environment: dict[str, str],
    ) -> None:
        with our_server(self.idl, transport, protocol, self.certificates) as port:
            run_client(
                [*command, "client", str(port), transport, protocol, str(self.certificates)],
                log,
                environment,
            )

    def call_server_by_asio(
        self,
        command: list[str],
        transport: str,
        protocol: str,
        log: Path,
        environment: dict[str, str],
    ) -> None:
        port = str(free_port())
        with their_server(
            [*command, "server", port, transport, protocol, str(self.certificates)],
            log,
            environment,
        ):
            run_client(
                [*self.asio, "client", port, transport, protocol, str(IDL)],
                log.with_suffix(".client.log"),
                environment,
            )

    def serve_client_by_asio(
        self,
        command: list[str],
        transport: str,
        protocol: str,
        log: Path,
        environment: dict[str, str],
    ) -> None:
        port = str(free_port())
        with their_server(
            [*self.asio, "server", port, transport, protocol, str(IDL)], log, environment
        ):
            run_client(
                [*command, "client", port, transport, protocol, str(self.certificates)],
                log.with_suffix(".client.log"),
                environment,
            )

    def matrix(self, direction: str) -> str:
        rows: list[tuple[str, ...]] = [("", *TRANSPORTS)]
        for language in PEERS:
            rows.append(
                (
                    language,
                    *(
                        self.cells.get((direction, language, transport))
                        or self.missing(direction, language, transport)
                        or "skipped"
                        for transport in TRANSPORTS
                    ),
                )
            )
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
            for row in rows
        )


def main(cache: Path, languages: list[str]) -> int:
    cross = Run(cache)
    if wrong := [language for language in languages if language not in PEERS]:
        raise SystemExit(f"error: no peer is called {wrong[0]}; expected one of {', '.join(PEERS)}")
    cache.mkdir(parents=True, exist_ok=True)
    try:
        make_certificates(cross.certificates)
    except (Missing, Broken) as error:
        raise SystemExit(f"error: {error}") from None
    cross.asio = cross.build("asio", ASIO)
    for language in languages or PEERS:
        cross.peer(language)
    for direction in cross.directions:
        print(
            f"\n{direction} (Binary and Compact; -: one side does not have the "
            f"transport)\n{cross.matrix(direction)}"
        )
    for fault in cross.faults:
        print(f"FAILED {fault}")
    return 1 if cross.faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
