"""Options of the gateway that `thriftlens serve` runs."""

from __future__ import annotations

import dataclasses
import os
from typing import Callable, Iterable, Literal, Mapping, Optional, Union

import click

from .._http.gateway.options import GatewayOptions
from .._http.gateway.policies import Policy
from .._rpc.options import PROTOCOLS, TRANSPORTS, default_of
from .._schema.watching import WATCH_INTERVAL
from .._typing import JsonValue, Value
from . import options as opt
from .configuration import read_json, read_key
from .idl import idl_argument


@dataclasses.dataclass(frozen=True)
class ServeOptions:
    """The upstream, and options of gateway."""

    upstreams: tuple[str, ...]
    services: tuple[str, ...]
    transport: str
    protocol: str
    timeout: float
    routes: Literal["annotated", "all"]
    fields: str
    policies: Optional[str]
    role_header: Optional[str]
    limits: tuple[str, ...]
    plan: tuple[str, ...]
    carry: tuple[str, ...]
    pages: str
    watch: bool
    pool: int
    multiplexed: bool
    tls: bool
    ca: Optional[str]

    def arguments(self) -> GatewayOptions:
        """The options of gateway. Raises ValueError and OSError for invalid ones."""
        options: GatewayOptions = {
            "transport": self.transport,
            "protocol": self.protocol,
            "timeout": self.timeout,
            "routes": self.routes,
            "fields": self.fields,
            "limits": _numbers("--request-limit", self.limits),
            "plan": _plan(self.plan),
            "carry": self.carry,
            "pages": self.pages,
            "watch": WATCH_INTERVAL if self.watch else None,
            "pool": self.pool,
            "multiplexed": self.multiplexed,
            "tls": self.ca or self.tls or None,
        }
        if (self.policies is None) != (self.role_header is None):
            raise ValueError("--policies and --role-header must be used together")
        if self.policies is not None and self.role_header is not None:
            options["policies"] = read_policies(self.policies)
            options["roles"] = role_by(self.role_header)
        return options


def upstreams_of(options: Iterable[str]) -> Union[str, dict[str, str]]:
    """Parses --upstream: one address, or one per service: "Shop=127.0.0.1:9090"."""
    texts = list(options)
    if len(texts) == 1 and "=" not in texts[0]:
        return texts[0]
    pairs = [text.partition("=") for text in texts]
    for text, pair in zip(texts, pairs):
        if not all(pair):
            raise ValueError(
                f"invalid --upstream {text!r}; expected HOST:PORT, or "
                "SERVICE=HOST:PORT for several services"
            )
    upstreams = {name: address for name, _, address in pairs}
    if len(upstreams) < len(pairs):
        raise ValueError("duplicate service in --upstream")
    return upstreams


def _numbers(option: str, texts: Iterable[str]) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for name, value in opt.pairs_of(option, texts).items():
        try:
            numbers[name] = float(value) if "." in value else int(value)
        except ValueError:
            raise ValueError(f"invalid {option} {name}={value}; expected a number") from None
    return numbers


def _plan(texts: Iterable[str]) -> dict[str, Union[int, str]]:
    pairs = opt.pairs_of("--plan", texts)
    return {name: int(value) if value.isdecimal() else value for name, value in pairs.items()}


def read_policies(file: str) -> dict[str, Policy]:
    """The policies by role in a JSON file."""
    policies = read_json(file)
    if not isinstance(policies, dict):
        raise ValueError(f"{file}: expected an object of policies by role")
    return {role: _policy(policy, role, file) for role, policy in policies.items()}


def _policy(policy: JsonValue, role: str, file: str) -> Policy:
    """A policy with the key from its `key_file`, whose path is relative to the policy file."""
    if not isinstance(policy, dict):
        return policy  # type: ignore[return-value]  # gateway() reports it
    name = f"{file}: the policy of {role!r}"
    if "key" in policy:
        raise ValueError(f"{name} has a 'key'; use 'key_file', the name of a file with the key")
    options: dict[str, object] = {**policy}
    if (key_file := options.pop("key_file", None)) is not None:
        options["key"] = _key(key_file, file, name)
    return options


def _key(key_file: object, file: str, name: str) -> bytes:
    if not isinstance(key_file, str):
        raise ValueError(f"{name}: 'key_file' must be the name of a file")
    try:
        return read_key(os.path.join(os.path.dirname(file), key_file))
    except (OSError, ValueError) as error:
        raise ValueError(f"{name}: key_file: {error}") from None


def role_by(header: str) -> Callable[[Mapping[str, Value]], Optional[str]]:
    """A function that returns the value of a header; None if it is missing or repeated."""
    header_name = header.lower().encode("latin-1")

    def role(scope: Mapping[str, Value]) -> Optional[str]:
        values = [value for name, value in scope["headers"] if name == header_name]
        return values[0].decode("latin-1") if len(values) == 1 else None

    return role


serve_options = opt.grouped(
    "options",
    ServeOptions,
    idl_argument,
    click.option(
        "--upstream",
        "upstreams",
        multiple=True,
        required=True,
        metavar="HOST:PORT",
        help="Thrift server; for several services SERVICE=HOST:PORT (repeatable).",
    ),
    opt.repeatable("--service", "NAME", "Serve only this service.", name="services"),
    click.option(
        "--transport",
        type=click.Choice([name for name in TRANSPORTS if name != "sasl"]),
        default="auto",
        show_default=True,
        help="Transport of the upstream.",
    ),
    click.option(
        "--protocol",
        type=click.Choice(PROTOCOLS),
        default="auto",
        show_default=True,
        help="Protocol of the upstream.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(0, min_open=True),
        default=default_of(GatewayOptions, "timeout"),
        show_default=True,
        metavar="SECONDS",
        help="Timeout of a call.",
    ),
    click.option(
        "--routes",
        type=click.Choice(("annotated", "all")),
        default="annotated",
        show_default=True,
        help="Routes to serve; all: also POST /Service/function.",
    ),
    click.option(
        "--fields-parameter",
        "fields",
        default=default_of(GatewayOptions, "fields"),
        show_default=True,
        metavar="NAME",
        help="Query parameter that selects parts of the response.",
    ),
    click.option(
        "--policies",
        type=click.Path(),
        metavar="FILE",
        help="JSON file with the options of `redact` per role; null: unrestricted.",
    ),
    click.option(
        "--role-header",
        metavar="NAME",
        help="Header with the caller's role, which a proxy must set.",
    ),
    opt.repeatable(
        "--request-limit",
        "NAME=NUMBER",
        "Value of a limit: body, headers, header_count, url, calls, body_seconds, reply.",
        name="limits",
    ),
    opt.repeatable("--plan", "NAME=VALUE", "Option of tl.http.plan."),
    opt.repeatable("--carry", "HEADER", "Header to forward to the upstream."),
    click.option(
        "--pages-prefix",
        "pages",
        default="",
        metavar="PREFIX",
        help="Path prefix of /healthz, /readyz, /metrics, /openapi.json and /docs.",
    ),
    click.option("--watch", is_flag=True, help="Reload the IDL when its files change."),
    opt.count(
        "--pool",
        1,
        None,
        default_of(GatewayOptions, "pool"),
        "Maximum number of connections per upstream.",
    ),
    click.option("--multiplexed", is_flag=True, help="Send names as Service:function."),
    click.option(
        "--tls",
        is_flag=True,
        help="Use TLS to the upstream with the system's certificate authorities.",
    ),
    click.option(
        "--ca",
        type=click.Path(),
        metavar="FILE",
        help="Use TLS to the upstream with the certificate authorities in FILE.",
    ),
)
