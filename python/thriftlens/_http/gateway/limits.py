"""Bounds on what a client of a gateway may cost."""

from __future__ import annotations

from typing import Mapping, NamedTuple, Optional

from ..._schema.exceptions import find_near


class Limits(NamedTuple):
    """Sizes in bytes. More of each is: body 413, headers (all names and values) and header_count 431, url 414, calls (requests under way) 503,
    in_flight (of the bodies of all requests under way) 503, body_seconds (until the last byte of a body is there) 408; reply (of one message of the
    upstream) 502. connections: more are closed as they come, by `thriftlens serve`; other servers of ASGI have their own limit."""

    body: int = 8 << 20
    headers: int = 32 << 10
    header_count: int = 100
    url: int = 8 << 10
    calls: int = 1000
    body_seconds: float = 30.0
    reply: int = 64 << 20
    in_flight: int = 256 << 20
    connections: int = 10_000


def limits_of(given: Optional[Mapping[str, float]]) -> Limits:
    """The defaults with what is given. ValueError names the nearest."""
    for name, value in (given or {}).items():
        if name not in Limits._fields:
            near = find_near(name, Limits._fields)
            raise ValueError(f"limits has no {name!r}" + (f"; did you mean {near!r}?" if near else f": it has {', '.join(Limits._fields)}"))
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
            raise ValueError(f"limits[{name!r}] is a number above 0, not {value!r}")
    return Limits(**dict(given or {}))  # type: ignore[arg-type]
