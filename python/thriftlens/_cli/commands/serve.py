"""`thriftlens serve`: a gateway under uvicorn."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from typing import Any, Callable, Iterable, Mapping, NoReturn, Optional

import click

from .. import options as opt, report
from ..input import load_schema
from ..._http.gateway import Gateway, gateway
from ..._http.gateway.policies import PolicyError
from ..._errors import Error
from ..._optional import absence
from ..._schema.schema import Schema
from ..configuration import read_json, read_key

_HEADER_SECONDS = 10.0


def upstreams_of(given: Iterable[str]) -> Any:
    """One address, or one for each service: "Shop=127.0.0.1:9090"."""
    told = list(given)
    if len(told) == 1 and "=" not in told[0]:
        return told[0]
    pairs = [each.partition("=") for each in told]
    for name, equals, address in pairs:
        if not name or not equals or not address:
            raise ValueError(f"--upstream is HOST:PORT, or SERVICE=HOST:PORT for each of several, not {name + equals + address!r}")
    if len(set(name for name, _, _ in pairs)) < len(pairs):
        raise ValueError("--upstream names a service twice")
    return {name: address for name, _, address in pairs}


def pairs_of(option: str, given: Iterable[str], number: bool) -> dict[str, Any]:
    """NAME=VALUE."""
    made: dict[str, Any] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not name or not equals:
            raise ValueError(f"{option} takes NAME=VALUE, not {each!r}")
        if name in made:
            raise ValueError(f"{option} {name!r} is there twice")
        try:
            made[name] = (float(value) if "." in value else int(value)) if number else int(value) if value.isdecimal() else value
        except ValueError:
            raise ValueError(f"{option} {name} takes a number, not {value!r}") from None
    return made


def policies_of(file: Optional[str], header: Optional[str]) -> dict[str, Any]:
    """Roles by a header, which a proxy in front must set and nobody else may; policies from a file of JSON."""
    if (file is None) != (header is None):
        raise ValueError("--policies and --role-header go together")
    if file is None or header is None:
        return {}
    policies = read_json(file)
    if not isinstance(policies, dict):
        raise ValueError(f"{file}: not an object of policies by role")
    return {"policies": {role: _policy(policy, role, file) for role, policy in policies.items()}, "roles": role_by(header)}


def _policy(policy: Any, role: str, file: str) -> Any:
    """A policy of the file, with the key that its `key_file` names, relative to the file."""
    if not isinstance(policy, dict):
        return policy
    if "key" in policy:
        raise ValueError(f"{file}: the policy of {role!r} has a 'key'; use 'key_file', the name of a file with the key")
    options = dict(policy)
    if (key_file := options.pop("key_file", None)) is not None:
        if not isinstance(key_file, str):
            raise ValueError(f"{file}: the policy of {role!r}: 'key_file' is the name of a file")
        try:
            options["key"] = read_key(os.path.join(os.path.dirname(file), key_file))
        except (OSError, ValueError) as error:
            raise ValueError(f"{file}: the policy of {role!r}: key_file: {error}") from None
    return options


def role_by(header: str) -> Callable[[Mapping[str, Any]], Optional[str]]:
    """The value of a header that stands there once."""
    wanted = header.lower().encode("latin-1")

    def role(scope: Mapping[str, Any]) -> Optional[str]:
        found = [value for name, value in scope["headers"] if name == wanted]
        return found[0].decode("latin-1") if len(found) == 1 else None

    return role


class Source:
    """A file of IDL, and how it is loaded."""

    def __init__(self, path: str, load: Callable[[], Schema]):
        self._path = path
        self._load = load

    def __fspath__(self) -> str:
        return self._path

    def __call__(self) -> Schema:
        return self._load()


def make(idl: Source, words: dict[str, Any]) -> Gateway:
    """The gateway that the options of the command describe. Raises what gateway raises."""
    limits = pairs_of("--limit", words.pop("limits"), True)
    plan = pairs_of("--plan", words.pop("plan"), False)
    file = words.pop("policies")
    policies = policies_of(file, words.pop("role_header"))
    upstream = upstreams_of(words.pop("upstreams"))
    tls, authorities = words.pop("tls"), words.pop("ca")
    try:
        return gateway(idl, words.pop("services") or None, upstream=upstream, tls=authorities or tls or None, limits=limits, plan=plan, **policies, **words)
    except PolicyError as error:
        raise ValueError(f"{file}: {error}") from None


def run(app: Gateway, host: str, port: int, log: bool, fail: Callable[[str], NoReturn]) -> None:
    """Serves until SIGINT or SIGTERM; requests under way are answered first."""
    try:
        import uvicorn
    except ImportError as error:
        fail("serve needs " + absence("uvicorn", error, "'thriftlens[gateway]'"))
    _log_to_stderr(log)

    options: Any = {"server_header": False, "access_log": False, "log_level": "warning", "timeout_graceful_shutdown": 30}
    config = uvicorn.Config(app, host=host, port=port, http=bounded_protocol(app._limits.connections), lifespan="on", **options)
    server: Any = type("Server", (_Telling, uvicorn.Server), {})(config)
    try:
        server.run()
    except SystemExit:  # uvicorn's, once it has said why it cannot listen
        if server.started:
            raise
    if not server.started:
        sys.exit(2)


def _log_to_stderr(log: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    for name, level in (("thriftlens.gateway", logging.INFO), ("thriftlens.access", logging.INFO if log else logging.WARNING)):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.setLevel(level)


class _Telling:
    """Of a uvicorn.Server: says where it listens."""

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)  # type: ignore[misc]
        server: Any = self
        if server.started:
            place = server.servers[0].sockets[0].getsockname()
            print(f"serving on http://{server.config.host}:{place[1]}", flush=True)


class _Bounded:
    """Of a protocol of uvicorn, which waits for heads of requests without end, and has no bound of connections.

    A client that does not send the head of a request in time is closed: from the connection's beginning, and from the end of the answer
    before it. So are connections that come when there are as many as there may be."""

    _seconds = _HEADER_SECONDS
    _connections = 10_000
    _late: Optional[asyncio.TimerHandle] = None
    _last: Any = None  # request whose head has come
    _is_refused = False

    def connection_made(self, transport: Any) -> None:
        state: Any = self.server_state  # type: ignore[attr-defined]
        self._is_refused = len(state.connections) >= self._connections
        if self._is_refused:
            transport.abort()
            return
        super().connection_made(transport)  # type: ignore[misc]
        self._await_head(transport)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self._stop_waiting()
        if not self._is_refused:
            super().connection_lost(exc)  # type: ignore[misc]

    def data_received(self, data: bytes) -> None:
        super().data_received(data)  # type: ignore[misc]
        cycle: Any = self.cycle  # type: ignore[attr-defined]
        if cycle is not self._last:
            self._last = cycle
            if not cycle.response_complete:
                self._stop_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()  # type: ignore[misc]
        cycle: Any = self.cycle  # type: ignore[attr-defined]
        if cycle is None or cycle.response_complete:  # else the next request was there already
            self._await_head(self.transport)  # type: ignore[attr-defined]

    def _await_head(self, transport: Any) -> None:
        self._stop_waiting()
        loop: asyncio.AbstractEventLoop = self.loop  # type: ignore[attr-defined]
        self._late = loop.call_later(self._seconds, transport.abort)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def bounded_protocol(connections: int) -> Any:
    """uvicorn's protocol with bounds of connections and of the time for a head."""
    seconds = float(os.environ.get("THRIFTLENS_HEADER_SECONDS") or _HEADER_SECONDS)
    return type("Bounded", (_Bounded, _base_protocol()), {"_seconds": seconds, "_connections": connections})


def _base_protocol() -> Any:
    try:
        import httptools  # noqa: F401
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as found
    except ImportError:
        from uvicorn.protocols.http.h11_impl import H11Protocol as found  # type: ignore[assignment]
    return found


@click.command()
@opt.idl_argument
@click.option("--upstream", "upstreams", multiple=True, required=True, metavar="HOST:PORT", help="Thrift server; for several services SERVICE=HOST:PORT (repeatable).")
@click.option("--service", "services", multiple=True, metavar="NAME", help="Serve only this service (repeatable).")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port to listen on; 0: any free port.")
@click.option("--transport", type=click.Choice([each for each in opt.TRANSPORTS if each != "sasl"]), default="auto", show_default=True, help="Transport of the upstream.")
@click.option("--protocol", type=click.Choice(("auto", "binary", "compact")), default="auto", show_default=True, help="Protocol of the upstream.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=30.0, show_default=True, metavar="SECONDS", help="Timeout of a call.")
@click.option("--routes", type=click.Choice(("annotated", "all")), default="annotated", show_default=True, help="Routes to serve; all: also POST /Service/function.")
@click.option("--fields", default="fields", show_default=True, metavar="NAME", help="Query parameter that selects parts of the response.")
@click.option("--policies", type=click.Path(), metavar="FILE", help="JSON file with the options of `redact` for each role; null: unrestricted.")
@click.option("--role-header", metavar="NAME", help="Header with the caller's role, which a proxy must set.")
@click.option("--limit", "limits", multiple=True, metavar="NAME=NUMBER", help="Limit: body, headers, header_count, url, calls, body_seconds or reply (repeatable).")
@click.option("--plan", multiple=True, metavar="NAME=WORD", help="Option of tl.http.plan (repeatable).")
@click.option("--carry", multiple=True, metavar="HEADER", help="Header to forward to the upstream (repeatable).")
@click.option("--pages", default="", metavar="PREFIX", help="Path prefix of /healthz, /readyz, /metrics, /openapi.json and /docs.")
@click.option("--watch", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Interval for checking whether the IDL has changed, to reload it.")
@click.option("--pool", type=click.IntRange(1), default=8, show_default=True, help="Maximum connections to each upstream.")
@click.option("--multiplexed", is_flag=True, help="Send names as Service:function.")
@click.option("--tls", is_flag=True, help="Use TLS to the upstream with the system's certificate authorities.")
@click.option("--ca", type=click.Path(), metavar="FILE", help="Use TLS to the upstream with the certificate authorities in FILE.")
@click.option("--log/--no-log", default=True, show_default=True, help="Log each request as a line of JSON on stderr.")
def serve(idl: str, host: str, port: int, log: bool, **options: Any) -> None:
    """Serve HTTP in front of a Thrift server by the annotations of the IDL (api.get, api.query …) until Ctrl-C. Needs thriftlens[gateway].

    /docs is an interactive page, /openapi.json the OpenAPI description; see docs/gateway.md."""
    def fail(message: str) -> NoReturn:
        report.fail(message, status=2)

    reading = {name: options.pop(name) for name in opt.SCHEMA_OPTIONS}
    source = Source(idl, lambda: load_schema(idl, dict(reading)))
    try:
        app = make(source, {**options, "include_dirs": reading["include_dirs"]})
    except Error:
        raise
    except (TypeError, ValueError, OSError) as error:
        fail(str(error))
    run(app, host, port, log, fail)
