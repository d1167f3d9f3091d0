"""`thriftlens serve`: runs a gateway with uvicorn."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from typing import Any, Callable, Iterable, Mapping, NoReturn, Optional

import click

from ..._errors import Error
from ..._http.gateway import Gateway, gateway
from ..._http.gateway.policies import PolicyError
from ..._optional import absence
from ..._schema.schemas import Schema
from .. import options as opt
from .. import report
from ..configuration import read_json, read_key
from ..input import load_schema

_HEADER_SECONDS = 10.0


def upstreams_of(options: Iterable[str]) -> Any:
    """Parses --upstream: one address, or one per service: "Shop=127.0.0.1:9090"."""
    texts = list(options)
    if len(texts) == 1 and "=" not in texts[0]:
        return texts[0]
    pairs = [text.partition("=") for text in texts]
    for name, equals, address in pairs:
        if not name or not equals or not address:
            raise ValueError(
                f"invalid --upstream {name + equals + address!r}; expected HOST:PORT, or SERVICE=HOST:PORT for several services"
            )
    if len(set(name for name, _, _ in pairs)) < len(pairs):
        raise ValueError("duplicate service in --upstream")
    return {name: address for name, _, address in pairs}


def pairs_of(option: str, options: Iterable[str], is_number: bool) -> dict[str, Any]:
    """Parses NAME=VALUE options."""
    pairs: dict[str, Any] = {}
    for text in options:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise ValueError(f"invalid {option} {text!r}; expected NAME=VALUE")
        if name in pairs:
            raise ValueError(f"duplicate {option} {name!r}")
        try:
            pairs[name] = (
                (float(value) if "." in value else int(value))
                if is_number
                else int(value)
                if value.isdecimal()
                else value
            )
        except ValueError:
            raise ValueError(f"invalid {option} {name}={value}; expected a number") from None
    return pairs


def policies_of(file: Optional[str], header: Optional[str]) -> dict[str, Any]:
    """The arguments `policies`, from a JSON file, and `roles`, by a header that only the proxy in
    front may set.
    """
    if (file is None) != (header is None):
        raise ValueError("--policies and --role-header need each other")
    if file is None or header is None:
        return {}
    policies = read_json(file)
    if not isinstance(policies, dict):
        raise ValueError(f"{file}: expected an object of policies by role")
    return {
        "policies": {role: _policy(policy, role, file) for role, policy in policies.items()},
        "roles": role_by(header),
    }


def _policy(policy: Any, role: str, file: str) -> Any:
    """A policy with the key from its `key_file`, whose path is relative to the policy file."""
    if not isinstance(policy, dict):
        return policy
    if "key" in policy:
        raise ValueError(
            f"{file}: the policy of {role!r} has a 'key'; use 'key_file', the name of a file with the key"
        )
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
    """A function that returns the value of a header; None if it is missing or repeated."""
    header_name = header.lower().encode("latin-1")

    def role(scope: Mapping[str, Any]) -> Optional[str]:
        values = [value for name, value in scope["headers"] if name == header_name]
        return values[0].decode("latin-1") if len(values) == 1 else None

    return role


class Source:
    """An IDL file and a function to load it."""

    def __init__(self, path: str, load: Callable[[], Schema]):
        self._path = path
        self._load = load

    def __fspath__(self) -> str:
        return self._path

    def __call__(self) -> Schema:
        return self._load()


def make(idl: Source, options: dict[str, Any]) -> Gateway:
    """Creates the gateway from the options of the command. Raises the errors of gateway()."""
    limits = pairs_of("--limit", options.pop("limits"), True)
    plan = pairs_of("--plan", options.pop("plan"), False)
    file = options.pop("policies")
    policies = policies_of(file, options.pop("role_header"))
    upstream = upstreams_of(options.pop("upstreams"))
    tls, authorities = options.pop("tls"), options.pop("ca")
    try:
        return gateway(
            idl,
            options.pop("services") or None,
            upstream=upstream,
            tls=authorities or tls or None,
            limits=limits,
            plan=plan,
            **policies,
            **options,
        )
    except PolicyError as error:
        raise ValueError(f"{file}: {error}") from None


def run(app: Gateway, host: str, port: int, log: bool, fail: Callable[[str], NoReturn]) -> None:
    """Serves until SIGINT or SIGTERM, then finishes the requests in progress."""
    try:
        import uvicorn
    except ImportError as error:
        fail("serve needs " + absence("uvicorn", error, "'thriftlens[gateway]'"))
    _log_to_stderr(log)

    options: Any = {
        "server_header": False,
        "access_log": False,
        "log_level": "warning",
        "timeout_graceful_shutdown": 30,
    }
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=bounded_protocol(app._limits.connections),
        lifespan="on",
        **options,
    )
    server: Any = type("Server", (_Telling, uvicorn.Server), {})(config)
    try:
        server.run()
    except SystemExit:  # uvicorn logged why it cannot listen
        if server.started:
            raise
    if not server.started:
        sys.exit(2)


def _log_to_stderr(log: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    for name, level in (
        ("thriftlens.gateway", logging.INFO),
        ("thriftlens.access", logging.INFO if log else logging.WARNING),
    ):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.setLevel(level)


class _Telling:
    """Mixin for uvicorn.Server: prints the address it listens on."""

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)  # type: ignore[misc]
        server: Any = self
        if server.started:
            address = server.servers[0].sockets[0].getsockname()
            print(f"serving on http://{server.config.host}:{address[1]}", flush=True)


class _Bounded:
    """Mixin for a protocol of uvicorn: a timeout for request heads and a limit of connections,
    which uvicorn lacks.

    Closes a connection if the head of a request does not arrive in time, counted from the start of
    the connection or the end of the previous response, and new connections above the limit.
    """

    _seconds = _HEADER_SECONDS
    _connections = 10_000
    _late: Optional[asyncio.TimerHandle] = None
    _last: Any = None  # last request with a complete head
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
        if cycle is None or cycle.response_complete:  # else the next request has already arrived
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
    """uvicorn's protocol with a limit of connections and a timeout for request heads."""
    seconds = float(os.environ.get("THRIFTLENS_HEADER_SECONDS") or _HEADER_SECONDS)
    return type(
        "Bounded", (_Bounded, _base_protocol()), {"_seconds": seconds, "_connections": connections}
    )


def _base_protocol() -> Any:
    try:
        import httptools  # noqa: F401
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as base
    except ImportError:
        from uvicorn.protocols.http.h11_impl import H11Protocol as base  # type: ignore[assignment]
    return base


@click.command()
@opt.idl_argument
@click.option(
    "--upstream",
    "upstreams",
    multiple=True,
    required=True,
    metavar="HOST:PORT",
    help="Thrift server; for several services SERVICE=HOST:PORT (repeatable).",
)
@click.option(
    "--service",
    "services",
    multiple=True,
    metavar="NAME",
    help="Serve only this service (repeatable).",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0: any free port.",
)
@click.option(
    "--transport",
    type=click.Choice([name for name in opt.TRANSPORTS if name != "sasl"]),
    default="auto",
    show_default=True,
    help="Transport of the upstream.",
)
@click.option(
    "--protocol",
    type=click.Choice(("auto", "binary", "compact")),
    default="auto",
    show_default=True,
    help="Protocol of the upstream.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="Timeout of a call.",
)
@click.option(
    "--routes",
    type=click.Choice(("annotated", "all")),
    default="annotated",
    show_default=True,
    help="Routes to serve; all: also POST /Service/function.",
)
@click.option(
    "--fields",
    default="fields",
    show_default=True,
    metavar="NAME",
    help="Query parameter that selects parts of the response.",
)
@click.option(
    "--policies",
    type=click.Path(),
    metavar="FILE",
    help="JSON file with the options of `redact` per role; null: unrestricted.",
)
@click.option(
    "--role-header", metavar="NAME", help="Header with the caller's role, which a proxy must set."
)
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=NUMBER",
    help="Limit: body, headers, header_count, url, calls, body_seconds or reply (repeatable).",
)
@click.option(
    "--plan", multiple=True, metavar="NAME=VALUE", help="Option of tl.http.plan (repeatable)."
)
@click.option(
    "--carry",
    multiple=True,
    metavar="HEADER",
    help="Header to forward to the upstream (repeatable).",
)
@click.option(
    "--pages",
    default="",
    metavar="PREFIX",
    help="Path prefix of /healthz, /readyz, /metrics, /openapi.json and /docs.",
)
@click.option(
    "--watch",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Interval for checking whether the IDL has changed, to reload it.",
)
@click.option(
    "--pool",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    help="Maximum number of connections per upstream.",
)
@click.option("--multiplexed", is_flag=True, help="Send names as Service:function.")
@click.option(
    "--tls", is_flag=True, help="Use TLS to the upstream with the system's certificate authorities."
)
@click.option(
    "--ca",
    type=click.Path(),
    metavar="FILE",
    help="Use TLS to the upstream with the certificate authorities in FILE.",
)
@click.option(
    "--log/--no-log",
    default=True,
    show_default=True,
    help="Log requests as lines of JSON on stderr.",
)
def serve(idl: str, host: str, port: int, log: bool, **options: Any) -> None:
    """Serve HTTP in front of a Thrift server by the annotations of the IDL (api.get, api.query …)
    until Ctrl-C. Needs thriftlens[gateway].

    /docs is an interactive page, /openapi.json the OpenAPI description; see docs/gateway.md."""

    def fail(message: str) -> NoReturn:
        report.fail(message, status=2)

    load_options = {name: options.pop(name) for name in opt.SCHEMA_OPTIONS}
    source = Source(idl, lambda: load_schema(idl, dict(load_options)))
    try:
        app = make(source, {**options, "include_dirs": load_options["include_dirs"]})
    except Error:
        raise
    except (TypeError, ValueError, OSError) as error:
        fail(str(error))
    run(app, host, port, log, fail)
