"""uvicorn with bounds on connections and on the time of a request's head."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from uvicorn import Server as _Server
    from uvicorn.protocols.http.h11_impl import H11Protocol as _Protocol
    from uvicorn.protocols.http.h11_impl import RequestResponseCycle
else:  # mixins, so that uvicorn is not imported here
    _Server = _Protocol = object

_HEADER_SECONDS = 10.0


class Telling(_Server):
    """Mixin for uvicorn.Server: prints the address it listens on."""

    async def startup(self, sockets: Optional[list[socket.socket]] = None) -> None:
        await super().startup(sockets)
        if self.started:
            address = self.servers[0].sockets[0].getsockname()
            print(f"serving on http://{self.config.host}:{address[1]}", flush=True)


class _Bounded(_Protocol):
    """Mixin for a protocol of uvicorn: a timeout for request heads and a limit of connections,
    which uvicorn lacks.

    Closes a connection if the head of a request does not arrive in time, counted from the start of
    the connection or the end of the previous response, and new connections above the limit."""

    _seconds = _HEADER_SECONDS
    _connections = 10_000
    _late: Optional[asyncio.TimerHandle] = None
    _last: Optional[RequestResponseCycle] = None  # last request with a complete head
    _is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._is_refused = len(self.server_state.connections) >= self._connections
        if self._is_refused:
            transport.abort()
            return
        super().connection_made(transport)
        self._await_head(transport)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self._stop_waiting()
        if not self._is_refused:
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        cycle = self.cycle
        if cycle is not self._last:
            self._last = cycle
            if not cycle.response_complete:
                self._stop_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        cycle = self.cycle
        if cycle is None or cycle.response_complete:  # else the next request has already arrived
            self._await_head(self.transport)

    def _await_head(self, transport: asyncio.Transport) -> None:
        self._stop_waiting()
        self._late = self.loop.call_later(self._seconds, transport.abort)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def bounded_protocol(connections: int) -> type[asyncio.Protocol]:
    """uvicorn's protocol with a limit of connections and a timeout for request heads."""
    seconds = float(os.environ.get("THRIFTLENS_HEADER_SECONDS") or _HEADER_SECONDS)
    return type(
        "Bounded", (_Bounded, _base_protocol()), {"_seconds": seconds, "_connections": connections}
    )


def _base_protocol() -> type[asyncio.Protocol]:
    try:
        import httptools  # noqa: F401
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as base
    except ImportError:
        from uvicorn.protocols.http.h11_impl import H11Protocol as base  # type: ignore[assignment]
    return base
