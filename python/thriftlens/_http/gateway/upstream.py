"""The connections of a gateway to one server."""

from __future__ import annotations

import asyncio
import copy
import time
from operator import attrgetter
from typing import Any, Mapping, Optional

from ..._rpc import fork as _fork
from ..._rpc.address import parse_address
from ..._rpc.aio_client import StreamLink, ThreadLink
from ..._rpc.client import checked_target
from ..._errors import Error
from ..._rpc.link import Request, Target, Timeouts, Unsent, closed_of, fault_of, timeout_of
from ..._rpc.probe import find_out
from ..._rpc.log import logger

_LOG = logger("thriftlens.gateway")
_PAUSE = 0.05
"""Seconds in which a server that could not be reached is not tried again."""


class Upstream:
    """Made without a connection: the first call opens one, later ones more, up to `pool`; beyond that calls share them. What was sent is never
    sent again. Lives in one event loop.

    prefix: of the names in calls, "Service:" where the server is multiplexed."""

    def __init__(self, target: Target, pool: int, connect_seconds: float, prefix: str = ""):
        self.address = str(target.address)
        self.faults = 0
        self._target = target
        self._found = target if "auto" not in (target.transport, target.protocol) else None
        self._pool = pool
        self._prefix = prefix
        self._seconds = connect_seconds
        self._links: list[Any] = []
        self._opening: Optional[asyncio.Future[Any]] = None
        self._refusal: Optional[Error] = None
        self._again = 0.0
        self._told = ""
        self._is_closed = False
        self._probe_headers: Optional[Mapping[str, str]] = None
        _fork.register(self)

    async def target(self, headers: Optional[Mapping[str, str]] = None) -> Target:
        """Where to and what is spoken there, found out by probes with these headers where it is not stated. Raises TransportError."""
        if self._found is None:
            self._probe_headers = headers
            await self._link()
        assert self._found is not None
        return self._found

    async def call(self, request: Request) -> Any:
        """The event of the reply; None of a oneway call. Raises TransportError, DecodeError."""
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
        """What is wrong with the server; None where a connection to it is open or can be made."""
        try:
            if self._idle() is None:
                await self._link()
        except Error as error:
            return str(error)
        return None

    def close(self) -> None:
        """Ends all connections; calls that wait end with an error."""
        self._is_closed = True
        links, self._links = self._links, []
        for each in links:
            each.close()

    def abandon(self) -> None:
        """In a child process: the connections and the event loop are the parent's."""
        self.forget()

    def forget(self) -> None:
        """Of an event loop that was closed: its connections are gone with it."""
        self._links = []
        self._opening = self._refusal = None

    def _idle(self) -> Any:
        for each in self._links:
            if not each.in_flight and each.fault is None and not each.is_stale():
                return each
        return None

    async def _link(self) -> Any:
        """A new connection, or where there are as many as there may be the one that has least to do."""
        if self._is_closed:
            raise closed_of(self._target.address, "the gateway was closed")
        self._links = [each for each in self._links if each.fault is None]
        if len(self._links) >= self._pool:
            return min(self._links, key=attrgetter("in_flight"))
        if self._opening is not None and self._opening.done():
            self._opened(self._opening)  # its callback waits for its turn: who asks before must not meet it again and again
        if self._opening is None:
            if self._refusal is not None and time.monotonic() < self._again:
                raise copy.copy(self._refusal)
            self._opening = asyncio.ensure_future(self._open())
            self._opening.add_done_callback(self._opened)
        try:
            return await asyncio.shield(self._opening)
        except Error as error:
            raise copy.copy(error) from None  # many wait for the same one

    def _opened(self, opening: asyncio.Future[Any]) -> None:
        if self._opening is not opening:
            return
        self._opening = None
        error = None if opening.cancelled() else opening.exception()
        self._refusal = error if isinstance(error, Error) else None
        if error is not None:
            self.faults += 1
            self._again = time.monotonic() + _PAUSE
        self._log(error)

    def _log(self, error: Optional[BaseException]) -> None:
        """Once for many requests that meet the same fault, and when it is over."""
        told = "" if error is None else str(error)
        if told and told != self._told:
            _LOG.warning("%s", told)
        elif self._told and not told:
            _LOG.info("%s: connected again", self.address)
        self._told = told

    async def _open(self) -> Any:
        deadline = time.monotonic() + self._seconds
        target = self._found or await self._probe(deadline)
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
        found = await asyncio.get_running_loop().run_in_executor(None, find_out, self._target, self._prefix, deadline, self._probe_headers)
        self._found = self._target._replace(transport=found.transport, protocol=found.protocol, is_confirmed=True)
        return self._found


def is_own_end(link: Any) -> bool:
    """Whether a connection leads to itself, as TCP can make it where nothing listens on a port that the system gives away."""
    stream = getattr(link, "_stream", None)
    return stream is not None and stream.get_extra_info("sockname") == stream.get_extra_info("peername") not in (None, "")


def target_of(address: str, transport: str, protocol: str, tls: Any, reply_size: int) -> Target:
    """Of the words of a caller. Errors: those of tl.connect."""
    parse_address(address)
    target = checked_target(address, transport, protocol, tls, {"frame_size": reply_size, "calls": 1 << 16})
    return target._replace(cookies=None)  # one user's cookies must not go into the calls of others
