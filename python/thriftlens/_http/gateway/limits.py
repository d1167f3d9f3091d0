"""Limits on the requests of a gateway's clients."""

from __future__ import annotations

from typing import Mapping, NamedTuple, Optional

from ..._text import find_near


class Limits(NamedTuple):
    """Sizes in bytes. Status if exceeded: body 413; headers (all names and values) and header_count
    431; url 414; calls (concurrent requests) 503;
    in_flight (bodies of all concurrent requests) 503; body_seconds (until the last byte of a body)
    408; reply (one message of the upstream) 502.
    connections: `thriftlens serve` closes further connections at once; other ASGI servers have
    their own limit.
    """

    body: int = 8 << 20
    headers: int = 32 << 10
    header_count: int = 100
    url: int = 8 << 10
    calls: int = 1000
    body_seconds: float = 30.0
    reply: int = 64 << 20
    in_flight: int = 256 << 20
    connections: int = 10_000


def limits_of(options: Optional[Mapping[str, float]]) -> Limits:
    """The defaults with changes. The ValueError for an unknown name suggests the nearest."""
    for name, value in (options or {}).items():
        if name not in Limits._fields:
            near = find_near(name, Limits._fields)
            raise ValueError(
                f"unknown limit {name!r}"
                + (
                    f"; did you mean {near!r}?"
                    if near
                    else f"; expected one of {', '.join(Limits._fields)}"
                )
            )
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
            raise ValueError(f"limits[{name!r}]: expected a number above 0, not {value!r}")
    return Limits(**dict(options or {}))  # type: ignore[arg-type]
