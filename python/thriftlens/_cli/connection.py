"""Options of connections, and addresses."""

from __future__ import annotations

import dataclasses
from typing import Optional, Sequence

import click

from .._rpc.client import ConnectOptions
from .._rpc.options import SESSION, TRANSPORTS, Protocol, Transport, check_limits
from . import options as opt


def address_of(text: str, default_host: str = "127.0.0.1") -> tuple[str, int]:
    """host:port, [host]:port, :port or port. ValueError for anything else."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise ValueError(f"invalid address {text!r}; expected HOST:PORT")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        raise ValueError(f"invalid address {text!r}; expected HOST:PORT or [IPv6]:PORT")
    return host or default_host, int(port)


read_address = opt.parsed_by(address_of)


@dataclasses.dataclass(frozen=True)
class ConnectionOptions:
    """Options of a connection to a server."""

    transport: Transport
    protocol: Protocol
    timeout: float
    tls: bool
    ca: Optional[str]
    multiplexed: bool
    limits: tuple[str, ...]

    def arguments(self) -> ConnectOptions:
        """The arguments of connect. Raises for invalid limits."""
        return {
            "transport": self.transport,
            "protocol": self.protocol,
            "timeout": self.timeout,
            "multiplexed": self.multiplexed,
            "tls": self.ca or self.tls or None,
            "limits": _client_limits(self.limits),
        }


connection_options = opt.grouped(
    "connection",
    ConnectionOptions,
    opt.section(
        "Connection options",
        opt.keyword_option(
            "--transport", *TRANSPORTS, help="Transport; auto: detected with a probe call."
        ),
        opt.keyword_option(
            "--protocol", "auto", "binary", "compact", help="Protocol of the messages."
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(0, min_open=True),
            default=60.0,
            show_default=True,
            metavar="SECONDS",
            help="Timeout of a call.",
        ),
        click.option(
            "--tls", is_flag=True, help="Use TLS with the system's certificate authorities."
        ),
        click.option(
            "--ca",
            type=click.Path(),
            metavar="FILE",
            help="Use TLS with the certificate authorities in FILE.",
        ),
        click.option("--multiplexed", is_flag=True, help="Send names as Service:function."),
        opt.repeatable(
            "--limit",
            "SIZE|NAME=SIZE",
            "Maximum size of a reply (256M), or a limit: frame_size, header_size, depth.",
            name="limits",
        ),
    ),
)


def _client_limits(options: Sequence[str]) -> dict[str, int]:
    """Parses SIZE, which is frame_size, and NAME=SIZE."""
    limits = {}
    try:
        for text in options:
            name, equals, size = text.rpartition("=")
            limits[name if equals else "frame_size"] = opt.parse_size(size)
        check_limits(limits, SESSION)
    except ValueError as error:
        raise click.UsageError(f"--limit: {error}") from None
    return limits
