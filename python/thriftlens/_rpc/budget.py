"""A bound of the bytes that all connections of a server hold."""

from __future__ import annotations

import asyncio
import ctypes
import sys
from typing import Callable, Optional

_TRIM_THRESHOLD = 16 << 20  # bytes


def _malloc_trim_of_glibc() -> Optional[Callable[[int], object]]:
    if not sys.platform.startswith("linux"):
        return None
    try:
        return getattr(ctypes.CDLL(None), "malloc_trim", None)
    except OSError:
        return None


_malloc_trim = _malloc_trim_of_glibc()


class Account:
    """The bytes that one connection holds.

    arriving: of incomplete messages. unsent: of replies that the client has not read. active: of
    calls in flight, of their decoded arguments, and of replies that wait for an earlier one."""

    __slots__ = ("active", "arriving", "unsent")

    def __init__(self) -> None:
        self.arriving = self.unsent = self.active = 0

    @property
    def total(self) -> int:
        return self.arriving + self.unsent + self.active


class Budget:
    """A bound of the bytes that all connections hold together.

    Below the limit no connection waits. Above it every connection still gets an equal share; one
    that holds more is not read, and its calls do not start, until others have finished. Bytes that
    only the client can release (of partial messages and unread replies) may fill half of the limit;
    above that, connections with more than their share of them are closed. The total stays below
    double the limit, and a client that holds much delays itself, not the others."""

    def __init__(self, limit: int, connections: Callable[[], int]):
        self._limit = limit
        self._connections = connections
        self._passive = self._reserved = 0
        self._waiting: dict[asyncio.Future[None], tuple[Account, int]] = {}
        self._paused: dict[Account, Callable[[], None]] = {}
        self._peak = 0
        self.total = 0

    @property
    def share(self) -> int:
        return self._limit // max(1, self._connections())

    @property
    def is_busy(self) -> bool:
        """Whether a connection waits for others."""
        return bool(self._waiting or self._paused)

    def fits(self, account: Account, size: int) -> bool:
        """Whether the connection may hold `size` bytes more."""
        return self.total + size <= self._limit or account.total + size <= self.share

    def set_arriving(self, account: Account, size: int) -> bool:
        """False: the connection must be closed."""
        more, account.arriving = size - account.arriving, size
        return self._add_passive(account, more, size)

    def set_unsent(self, account: Account, size: int) -> bool:
        """False: the connection must be closed."""
        more, account.unsent = size - account.unsent, size
        return self._add_passive(account, more, size)

    def trim(self) -> None:
        """Returns memory to the system after a large release: malloc would keep it."""
        self._peak = max(self._peak, self.total)
        if self._peak - self.total >= _TRIM_THRESHOLD and _malloc_trim is not None:
            _malloc_trim(0)
            self._peak = self.total

    def _add_passive(self, account: Account, more: int, size: int) -> bool:
        self._passive += more
        self.total += more
        if more < 0 and (self._waiting or self._paused):
            self._wake(account)
        return self._passive <= self._limit // 2 or size <= self.share

    def hold(self, account: Account, size: int) -> None:
        account.active += size
        self.total += size
        self._peak = max(self._peak, self.total)

    def release(self, account: Account, size: int) -> None:
        account.active -= size
        self.total -= size
        if self._waiting or self._paused:
            self._wake(account)

    def try_reserve(self, account: Account, size: int) -> Optional[Reservation]:
        """Holds `size` bytes more, if the connection may."""
        size = min(size, self._limit)
        if not self._may_start(account, size):
            return None
        self._start(account, size)
        return Reservation(self, account, size)

    async def reserve(self, account: Account, size: int) -> Reservation:
        """Waits until the connection may hold `size` bytes more, and holds them. Large calls run
        one after another."""
        if (reservation := self.try_reserve(account, size)) is not None:
            return reservation
        size = min(size, self._limit)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[turn] = account, size
        try:
            await turn
        except BaseException:
            self._waiting.pop(turn, None)
            if turn.done() and not turn.cancelled():  # the bytes are held already
                self.release_reserved(account, size)
            raise
        return Reservation(self, account, size)

    def release_reserved(self, account: Account, size: int) -> None:
        self._reserved -= size
        self.release(account, size)

    def _may_start(self, account: Account, size: int) -> bool:
        return self._reserved == 0 or self.fits(account, size)

    def _start(self, account: Account, size: int) -> None:
        self._reserved += size
        self.hold(account, size)

    def pause(self, account: Account, resume: Callable[[], None]) -> None:
        """Calls `resume` when the connection may hold more."""
        self._paused[account] = resume

    def forget(self, account: Account) -> None:
        """Releases what a closed connection holds apart from its calls."""
        self._paused.pop(account, None)
        self.set_arriving(account, 0)
        self.set_unsent(account, 0)

    def _wake(self, released: Account) -> None:
        """Resumes waiting calls, and paused connections: all of them below the limit, else only the
        one that has released bytes."""
        for turn, (account, size) in list(self._waiting.items()):
            if self._may_start(account, size):
                del self._waiting[turn]
                if not turn.done():
                    self._start(account, size)
                    turn.set_result(None)
        for account in list(self._paused) if self.total < self._limit else [released]:
            if account in self._paused and self.fits(account, 1):
                asyncio.get_running_loop().call_soon(self._paused.pop(account))


class Reservation:
    """Bytes for decoded arguments: at first the maximum, then the actual size."""

    def __init__(self, budget: Budget, account: Account, size: int):
        self._budget = budget
        self._account = account
        self.size = size

    def shrink(self, size: int) -> None:
        if size < self.size:
            self._budget.release_reserved(self._account, self.size - size)
            self.size = size
