"""Options of tl.gateway: their defaults and checks."""

from __future__ import annotations

import os
from typing import Annotated, Iterable, Literal, Mapping, NamedTuple, Optional, TypedDict, Union

from ..._errors.bounds import IntegerRange, Seconds
from ..._rpc.options import POOL, TLSLike, check_limits
from ..._schema.schemas import Schema
from ..._text import shown
from ..plan import PlanOptions
from .policies import Policy, Roles


class Limits(NamedTuple):
    """Sizes in bytes. Status if exceeded: body 413; headers (all names and values) and header_count
    431; url 414; calls (concurrent requests) 503;
    in_flight (bodies of all concurrent requests) 503; body_seconds (until the last byte of a body)
    408; reply (one message of the upstream) 502.
    connections: `thriftlens serve` closes further connections at once; other ASGI servers have
    their own limit."""

    body: int = 8 << 20
    headers: int = 32 << 10
    header_count: int = 100
    url: int = 8 << 10
    calls: int = 1000
    body_seconds: float = 30.0
    reply: int = 64 << 20
    in_flight: int = 256 << 20
    connections: int = 10_000


_BOUNDS = {
    name: Seconds() if name == "body_seconds" else IntegerRange(1, 1 << 50)
    for name in Limits._fields
}


def limits_of(options: Optional[Mapping[str, float]]) -> Limits:
    """The defaults with changes. Raises for one that is unknown or out of its bounds."""
    check_limits(options or {}, _BOUNDS)
    return Limits(**dict(options or {}))  # type: ignore[arg-type]


Source = Union[str, "os.PathLike[str]", Schema]
Address = Union[str, Mapping[str, str]]


class GatewayOptions(TypedDict, total=False):
    """Options of gateway, and their defaults."""

    transport: Annotated[str, "auto"]
    protocol: Annotated[str, "auto"]
    timeout: Annotated[float, 30.0]
    routes: Annotated[Literal["annotated", "all"], "annotated"]
    fields: Annotated[Optional[str], "fields"]
    roles: Annotated[Optional[Roles], None]
    policies: Annotated[Optional[Mapping[str, Policy]], None]
    limits: Annotated[Optional[Mapping[str, float]], None]
    plan: Annotated[Optional[PlanOptions], None]
    carry: Annotated[Iterable[str], ()]
    pages: Annotated[Optional[str], ""]
    watch: Annotated[Optional[float], None]
    pool: Annotated[int, 8]
    tls: Annotated[TLSLike, None]
    multiplexed: Annotated[bool, False]
    include_dirs: Annotated[Iterable[Union[str, os.PathLike[str]]], ()]


def check_options(
    idl: Source, upstream: Union[str, Mapping[str, Address]], options: GatewayOptions
) -> None:
    """Raises TypeError or ValueError for an invalid option."""
    if not isinstance(upstream, (str, Mapping)):
        raise TypeError(
            "upstream must be an address or a mapping of service names to addresses, "
            f"not {shown(upstream)}"
        )
    if options["routes"] not in ("annotated", "all"):
        raise ValueError(f"routes must be 'annotated' or 'all', not {options['routes']!r}")
    if options["watch"] is not None and isinstance(idl, Schema):
        raise ValueError("watch requires the path of an IDL file, not a Schema")
    _check_pages(options["pages"])
    if isinstance(options["carry"], str):
        raise TypeError(f"carry must be a list of header names, not {options['carry']!r}")
    Seconds().check("timeout", options["timeout"])
    Seconds(none="no reload").check("watch", options["watch"])
    POOL.check("pool", options["pool"])


def _check_pages(prefix: Optional[str]) -> None:
    if prefix and (prefix[0] != "/" or prefix[-1] == "/"):
        raise ValueError(
            f"pages must be a path with a leading and without a trailing slash, not {prefix!r}"
        )
