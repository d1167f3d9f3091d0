"""The connections of a gateway to one server."""

from __future__ import annotations

import asyncio
import copy
import time
from operator import attrgetter
from typing import Any, Mapping, Optional

from ..._errors import Error
from ..._rpc import fork as _fork
from ..._rpc.address import parse_address
from ..._rpc.aio_client import StreamLink, ThreadLink
from ..._rpc.client import checked_target
from ..._rpc.link import Request, Target, Timeouts, Unsent, closed_of, fault_of, timeout_of
from ..._rpc.log import logger
from ..._rpc.probe import detect_wire_format

_LOG = logger("thriftlens.gateway")
_PAUSE = 0.05
"""Seconds before another attempt to connect to a server that was unreachable."""


class Upstream:
    """A pool of connections, empty at first: calls open new ones up to `pool`, then share them. A
    call that was sent is never retried. Belongs to one
    event loop.

    prefix: of function names in calls, "Service:" for a multiplexed server."""

    def __init__(self, target: Target, pool: int, connect_seconds: float, prefix: str = ""):
        self.address = str(target.address)
        self.faults = 0
        self._target = target
        self._resolved = target if "auto" not in (target.transport, target.protocol) else None
        self._pool = pool
        self._prefix = prefix
        self._seconds = connect_seconds
        self._links: list[Any] = []
        self._opening: Optional[asyncio.Future[Any]] = None
        self._refusal: Optional[Error] = None
        self._retry_time = 0.0
        self._logged = ""
        self._is_closed = False
        self._probe_headers: Optional[Mapping[str, str]] = None
        _fork.register(self)

    async def target(self, headers: Optional[Mapping[str, str]] = None) -> Target:
        """Address, transport and protocol; those that are "auto" are detected by probes with these
        headers. Raises TransportError.
        """
        if self._resolved is None:
            self._probe_headers = headers
            await self._link()
        assert self._resolved is not None
        return self._resolved

    async def call(self, request: Request) -> Any:
        """The event of the reply; None for a oneway call. Raises TransportError, DecodeError."""
        while True:
            link, is_new = self._idle(), False
            if link is None:
                link, is_new = await self._link(), True
            try:
                return await link.call(request)
            except Unsent as unsent:
                if is_new:
                    raise unsent.error from None
            except Error as error:
                self.faults += 1
                self._log(error)
                raise

    async def check(self) -> Optional[str]:
        """Error text of the server; None if a connection is open or can be opened."""
        try:
            if self._idle() is None:
                await self._link()
        except Error as error:
            return str(error)
        return None

    def close(self) -> None:
        """Closes all connections; calls in progress raise an error."""
        self._is_closed = True
        links, self._links = self._links, []
        for link in links:
            link.close()

    def abandon(self) -> None:
        """After a fork, in the child: connections and event loop belong to the parent."""
        self.forget()

    def forget(self) -> None:
        """Drops the connections of an event loop that was closed."""
        self._links = []
        self._opening = self._refusal = None

    def _idle(self) -> Any:
        for link in self._links:
            if not link.in_flight and link.fault is None and not link.is_stale():
                return link
        return None

    async def _link(self) -> Any:
        """A new connection, or the least busy one if the pool is full."""
        if self._is_closed:
            raise closed_of(self._target.address, "the gateway was closed")
        self._links = [link for link in self._links if link.fault is None]
        if len(self._links) >= self._pool:
            return min(self._links, key=attrgetter("in_flight"))
        if self._opening is not None and self._opening.done():
            self._opened(
                self._opening
            )  # its callback has not run yet: a call must not get the finished future again
        if self._opening is None:
            if self._refusal is not None and time.monotonic() < self._retry_time:
                raise copy.copy(self._refusal)
            self._opening = asyncio.ensure_future(self._open())
            self._opening.add_done_callback(self._opened)
        try:
            return await asyncio.shield(self._opening)
        except Error as error:
            raise copy.copy(error) from None  # many calls await the same future

    def _opened(self, opening: asyncio.Future[Any]) -> None:
        if self._opening is not opening:
            return
        self._opening = None
        error = None if opening.cancelled() else opening.exception()
        self._refusal = error if isinstance(error, Error) else None
        if error is not None:
            self.faults += 1
            self._retry_time = time.monotonic() + _PAUSE
        self._log(error)

    def _log(self, error: Optional[BaseException]) -> None:
        """Logs a fault once, not for every request, and the first success after it."""
        text = "" if error is None else str(error)
        if text and text != self._logged:
            _LOG.warning("%s", text)
        elif self._logged and not text:
            _LOG.info("%s: connected again", self.address)
        self._logged = text

    async def _open(self) -> Any:
        deadline = time.monotonic() + self._seconds
        target = self._resolved or await self._probe(deadline)
        kind: Any = ThreadLink if target.transport == "http" else StreamLink
        try:
            link = await kind.open(target, deadline)
        except Timeouts:
            raise timeout_of(target.address, "no connection in time") from None
        except OSError as error:
            raise fault_of(error, target.address) from None
        if self._is_closed:
            link.close()
            raise closed_of(target.address, "the gateway was closed")
        if is_own_end(link):
            link.close()
            raise fault_of(ConnectionRefusedError(), target.address)
        self._links.append(link)
        return link

    async def _probe(self, deadline: float) -> Target:
        wire_format = await asyncio.get_running_loop().run_in_executor(
            None, detect_wire_format, self._target, self._prefix, deadline, self._probe_headers
        )
        self._resolved = self._target._replace(
            transport=wire_format.transport, protocol=wire_format.protocol, is_confirmed=True
        )
        return self._resolved


def is_own_end(link: Any) -> bool:
    """Whether a connection is connected to itself:

    TCP permits it on an ephemeral port without a listener.
    """
    stream = getattr(link, "_stream", None)
    return stream is not None and stream.get_extra_info("sockname") == stream.get_extra_info(
        "peername"
    ) not in (None, "")


def target_of(address: str, transport: str, protocol: str, tls: Any, reply_size: int) -> Target:
    """Target of the caller's options. Raises as tl.connect does."""
    parse_address(address)
    target = checked_target(
        address, transport, protocol, tls, {"frame_size": reply_size, "calls": 1 << 16}
    )
    return target._replace(cookies=None)  # a user's cookies must not be sent in others' calls
