"""The connections of a client to one server."""

from __future__ import annotations

import asyncio
import threading
import time
from operator import attrgetter
from typing import Awaitable, Callable, Generic, Mapping, Optional, TypeVar, Union

from .. import _core
from .._errors import Error, TransportError
from . import faults
from . import fork as _fork
from .aio_link import StreamLink
from .faults import DeadlineExceeded, Unsent
from .http_transport import HttpLink, ThreadLink
from .link import Link
from .probe import detect_target
from .target import Request, Target

SyncLink = Union[Link, HttpLink]
AsyncLink = Union[StreamLink, ThreadLink]
_Link = TypeVar("_Link", bound=Union[SyncLink, AsyncLink])
_T = TypeVar("_T")
_RETRIED = ("connection_refused", "connection_failed", "not_found", "closed")
_FIRST_DELAY, _MAX_DELAY = 0.05, 1.0  # seconds


class Connections(Generic[_Link]):
    """Open connections, which calls share when there are `size` of them.

    reconnects: whether a connection replaces one that has ended. owner: for errors after close().
    """

    def __init__(
        self,
        target: Target,
        size: int,
        reconnects: bool = True,
        retries: int = 0,
        owner: str = "client",
    ):
        self.target = target
        self.links: list[_Link] = []
        self.size = size
        self._reconnects = reconnects
        self._retries = retries
        self._closed_text = f"the {owner} was closed"
        self._is_closed = False
        _fork.register(self)

    def least_busy(self, opening: int = 0) -> Optional[_Link]:
        """A connection to use; None: open another one. opening: connections that are being opened.

        Raises if the pool is closed, or if a connection is and must not be replaced."""
        self._check_open()
        closed = [
            link
            for link in self.links
            if link.fault is not None or (not link.in_flight and link.is_stale())
        ]
        if closed:
            self._remove(closed)
        link = min(self.links, key=attrgetter("in_flight"), default=None)
        is_full = len(self.links) + opening >= self.size
        return link if link is not None and (not link.in_flight or is_full) else None

    def free_link(self) -> Optional[_Link]:
        """The only connection, if it can send a call immediately and no other should be opened."""
        links = self.links
        if len(links) == 1 and links[0].is_free and (self.size == 1 or not links[0].in_flight):
            return links[0]
        return None

    def _remove(self, closed: list[_Link]) -> None:
        fault = closed[0].fault
        if not self._reconnects and fault is not None:
            raise faults.not_reconnected_of(self.target.address, fault)
        self.links = [link for link in self.links if link not in closed]
        if any(link.was_answered for link in closed):
            self.target = self.target._replace(is_confirmed=True)

    def abandon(self) -> None:
        """Forgets the connections, which belong to another process or event loop."""
        self.links = []

    def close(self) -> None:
        """Closes all connections: calls in flight and later ones raise TransportError."""
        self._is_closed = True
        links, self.links = self.links, []
        for link in links:
            link.close()

    def _delay(self, error: TransportError, attempt: int, deadline: Optional[float]) -> float:
        """Seconds to wait before a connection is tried again. Raises the error if it should not
        be."""
        delay = min(_FIRST_DELAY * (1 << min(attempt, 9)), _MAX_DELAY)
        is_late = deadline is not None and time.monotonic() + delay >= deadline
        if attempt == self._retries or error.code not in _RETRIED or is_late or self._is_closed:
            raise error
        return delay

    def _check_open(self) -> None:
        if self._is_closed:
            raise faults.closed_of(self.target.address, self._closed_text)


class Pool(Connections[SyncLink]):
    """Connections shared by threads."""

    def __init__(self, target: Target, size: int, reconnects: bool, retries: int = 0):
        super().__init__(target, size, reconnects, retries)
        self._is_connected = False
        self._opening: set[object] = set()
        self._init_locks()

    def _init_locks(self) -> None:
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._starting = threading.Lock()

    def connect(
        self, prefix: str, headers: Optional[Mapping[str, str]], deadline: Optional[float]
    ) -> None:
        """Detects the transport and protocol and opens the first connection, unless it has."""
        if self._is_connected:
            return
        with self._starting:
            if not self._is_connected:
                self._check_open()
                self._retrying(lambda: self._connect(prefix, headers, deadline), deadline)
                self._is_connected = True

    def _connect(
        self, prefix: str, headers: Optional[Mapping[str, str]], deadline: Optional[float]
    ) -> None:
        self.target = detect_target(self.target, prefix, deadline, headers)
        self.links.append(self._open(deadline))

    def _retrying(self, connect: Callable[[], _T], deadline: Optional[float]) -> _T:
        """Tries again to connect, if the client has retries."""
        attempt = 0
        while True:
            try:
                return connect()
            except TransportError as error:
                delay = self._delay(error, attempt, deadline)
            attempt += 1
            time.sleep(delay)

    def exchange(self, request: Request) -> Optional[_core.SessionEvent]:
        """The event of the reply; None for a oneway call."""
        while True:
            link, is_new = self.free_link(), False
            if link is None:
                link, is_new = self._link(request.deadline)
            try:
                return link.call(request)
            except Unsent as unsent:
                if is_new:
                    raise unsent.error from None

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            self._changed.notify_all()
        super().close()

    def abandon(self) -> None:
        """In a child process: forgets the connections of the parent."""
        self._init_locks()
        super().abandon()
        self._opening.clear()

    def _link(self, deadline: Optional[float]) -> tuple[SyncLink, bool]:
        """A connection for a call, and whether it is new."""
        opening = object()
        try:
            with self._lock:
                while (available := self.least_busy(len(self._opening))) is None and len(
                    self._opening
                ) >= self.size:
                    self._changed.wait(faults.remaining(deadline))
                if available is not None:
                    return available, False
                self._opening.add(opening)
            link = self._retrying(lambda: self._open(deadline), deadline)
            self._end_opening(opening, link)
            if self._is_closed:
                link.close()
            return link, True
        except BaseException as error:
            self._end_opening(opening)
            if isinstance(error, DeadlineExceeded):
                raise faults.timeout_of(self.target.address, "no connection in time") from None
            raise

    def _end_opening(self, opening: object, link: Optional[SyncLink] = None) -> None:
        with self._lock:
            self._opening.discard(opening)
            self._changed.notify_all()
            if link is not None and not self._is_closed:
                self.links.append(link)

    def _open(self, deadline: Optional[float]) -> SyncLink:
        kind = HttpLink if self.target.transport == "http" else Link
        return kind(self.target, deadline)


class AsyncPool(Connections[AsyncLink]):
    """Connections of one event loop. They are opened one after another."""

    _opening: Optional[asyncio.Lock] = None  # created in the event loop

    async def detect(
        self, prefix: str, headers: Optional[Mapping[str, str]], deadline: Optional[float]
    ) -> None:
        """Detects the transport and protocol of the server."""
        loop = asyncio.get_running_loop()
        self.target = await self._retrying(
            lambda: loop.run_in_executor(
                None, detect_target, self.target, prefix, deadline, headers
            ),
            deadline,
        )

    async def _retrying(
        self, connect: Callable[[], Awaitable[_T]], deadline: Optional[float]
    ) -> _T:
        """Tries again to connect, if the client has retries."""
        attempt = 0
        while True:
            try:
                return await connect()
            except TransportError as error:
                delay = self._delay(error, attempt, deadline)
            attempt += 1
            await asyncio.sleep(delay)

    async def exchange(self, request: Request) -> Optional[_core.SessionEvent]:
        """The event of the reply; None for a oneway call."""
        while True:
            link, is_new = self.least_busy(), False
            if link is None:
                link, is_new = await self.new_link(request.deadline)
            try:
                return await link.call(request)
            except Unsent as unsent:
                if is_new:
                    raise unsent.error from None
            except Error as error:
                self.call_failed(error)
                raise

    def call_failed(self, error: Error) -> None:
        """Called with the error of a call on an open connection."""

    def abandon(self) -> None:
        """Forgets the connections, in a child process, or of an event loop that was closed."""
        super().abandon()
        self._opening = None

    async def new_link(self, deadline: Optional[float]) -> tuple[AsyncLink, bool]:
        """A new connection; one that another call has just opened is not new."""
        if self._opening is None:
            self._opening = asyncio.Lock()
        async with self._opening:
            link = self.least_busy()
            if link is not None:
                return link, False
            link = await self._retrying(lambda: self._open(deadline), deadline)
            if self._is_closed:
                link.close()
            self._check_open()
            self.links.append(link)
            return link, True

    async def _open(self, deadline: Optional[float]) -> AsyncLink:
        if self.target.transport == "http":
            return await ThreadLink.open(self.target, deadline)
        link = await StreamLink.open(self.target, deadline)
        if is_own_end(link):
            link.close()
            raise faults.fault_of(ConnectionRefusedError(), self.target.address)
        return link


def is_own_end(link: StreamLink) -> bool:
    """Whether a connection is connected to itself: TCP permits it on an ephemeral port without a
    listener."""
    own_name = link.name_of("sockname")
    return own_name == link.name_of("peername") and own_name not in (None, "")
