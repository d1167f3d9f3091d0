"""Options of connections, and addresses."""

from __future__ import annotations

import dataclasses
from typing import Optional

import click

from .._rpc.client import ConnectOptions
from .._rpc.options import PROTOCOLS, SESSION, TRANSPORTS, Protocol, Transport, default_of
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


def listen_option(
    default: Optional[str], help: str = "Address to listen on; port 0: any free port."
) -> opt.Decorator:
    """The address of a server that a command runs."""
    return click.option(
        "--listen",
        callback=read_address,
        default=default,
        show_default=default is not None,
        metavar="HOST:PORT",
        help=help,
    )


@dataclasses.dataclass(frozen=True)
class ConnectionOptions:
    """Options of a connection to a server."""

    transport: Transport
    protocol: Protocol
    timeout: float
    tls: bool
    ca: Optional[str]
    multiplexed: bool
    max_size: Optional[int]
    max_header_size: Optional[int]
    depth: int

    def arguments(self) -> ConnectOptions:
        """The arguments of connect."""
        limits = {"frame_size": self.max_size, "header_size": self.max_header_size}
        return {
            "transport": self.transport,
            "protocol": self.protocol,
            "timeout": self.timeout,
            "multiplexed": self.multiplexed,
            "tls": self.ca or self.tls or None,
            "limits": {
                "depth": self.depth,
                **{name: size for name, size in limits.items() if size is not None},
            },
        }


def _size(option: str, limit: str, help: str) -> opt.Decorator:
    """An option with the bounds of a limit of connections."""

    def parse(text: str) -> int:
        size = opt.parse_size(text)
        SESSION[limit].check("SIZE", size)
        return size

    return click.option(option, callback=opt.parsed_by(parse), metavar="SIZE", help=help)


connection_options = opt.grouped(
    "connection",
    ConnectionOptions,
    opt.section(
        "Connection options",
        opt.keyword_option(
            "--transport", *TRANSPORTS, help="Transport; auto: detected with a probe call."
        ),
        opt.keyword_option("--protocol", *PROTOCOLS, help="Protocol of the messages."),
        click.option(
            "--timeout",
            type=click.FloatRange(0, min_open=True),
            default=default_of(ConnectOptions, "timeout"),
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
        _size("--max-size", "frame_size", "Maximum size of a reply. Default: 256M."),
        _size("--max-header-size", "header_size", "Maximum size of the headers. Default: 64K."),
        opt.depth_option,
    ),
)
