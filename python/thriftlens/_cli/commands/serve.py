"""`thriftlens serve`: runs a gateway with uvicorn."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any, Callable, Iterable, Mapping, NoReturn, Optional

import click

from ..._errors import Error
from ..._http.bounded_protocol import Telling, bounded_protocol
from ..._http.gateway import Gateway, gateway
from ..._http.gateway.policies import PolicyError
from ..._optional import absence
from ..._schema.schemas import Schema
from .. import options as opt
from .. import report
from ..configuration import read_json, read_key
from ..input import load_schema


def upstreams_of(options: Iterable[str]) -> Any:
    """Parses --upstream: one address, or one per service: "Shop=127.0.0.1:9090"."""
    texts = list(options)
    if len(texts) == 1 and "=" not in texts[0]:
        return texts[0]
    pairs = [text.partition("=") for text in texts]
    for name, equals, address in pairs:
        if not name or not equals or not address:
            raise ValueError(
                f"invalid --upstream {name + equals + address!r}; expected HOST:PORT, or "
                "SERVICE=HOST:PORT for several services"
            )
    if len(set(name for name, _, _ in pairs)) < len(pairs):
        raise ValueError("duplicate service in --upstream")
    return {name: address for name, _, address in pairs}


def _number(option: str, name: str, value: str) -> float:
    try:
        return float(value) if "." in value else int(value)
    except ValueError:
        raise ValueError(f"invalid {option} {name}={value}; expected a number") from None


def policies_of(file: Optional[str], header: Optional[str]) -> dict[str, Any]:
    """The arguments `policies`, from a JSON file, and `roles`, by a header that only the proxy in
    front may set."""
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
            f"{file}: the policy of {role!r} has a 'key'; use 'key_file', the name of a file with "
            "the key"
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
    limit_pairs = opt.pairs_of("--limit", options.pop("limits"))
    limits = {name: _number("--limit", name, value) for name, value in limit_pairs.items()}
    plan_pairs = opt.pairs_of("--plan", options.pop("plan"))
    plan = {name: int(value) if value.isdecimal() else value for name, value in plan_pairs.items()}
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
    server: Any = type("Server", (Telling, uvicorn.Server), {})(config)
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
