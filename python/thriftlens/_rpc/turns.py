"""Calls in flight, and the lock that lets one of them use a connection."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from typing import Callable, Generator, Optional

from .. import _core
from .._errors import CallState
from .faults import remaining


class PendingCall:
    """A call in flight."""

    sequence_id: Optional[int] = None
    event: Optional[_core.SessionEvent] = None
    state: CallState = "not_sent"
    """"sent" as soon as a byte may have been sent."""
    is_cancelled = False


class Turn:
    """A lock with a deadline that knows its holder: a repeated release has no effect."""

    def __init__(self) -> None:
        self.holder: object = None
        self._lock = threading.Lock()
        self._released = threading.Condition(self._lock)

    def take(self, holder: object, deadline: Optional[float]) -> None:
        """Raises DeadlineExceeded."""
        with self._lock:
            while self.holder is not None:
                self._released.wait(remaining(deadline))
            self.holder = holder

    def release(self, holder: object) -> None:
        """Does nothing if `holder` does not hold the lock."""
        with self._lock:
            if self.holder is holder:
                self.holder = None
                self._released.notify()

    def run_if_held(self, holder: object, action: Callable[[], object]) -> None:
        """Runs the action if `holder` holds the lock (None: if nobody does), which does not change
        meanwhile."""
        with self._lock:
            if self.holder is holder:
                action()


_Callback = tuple[Callable[["Reply"], object], contextvars.Context]


class Reply:
    """A future whose waiting task is resumed inside set_event, not in the next iteration of the
    loop.

    The iteration would be a large part of the time of a call. Exceptions and cancellation use it.
    """

    __slots__ = ("_asyncio_future_blocking", "_loop", "_event", "_error", "_is_over", "_callback")

    def __init__(self, loop: asyncio.AbstractEventLoop):
        self._asyncio_future_blocking = False  # required by asyncio.Task
        self._loop = loop
        self._event: Optional[_core.SessionEvent] = None
        self._error: Optional[BaseException] = None
        self._is_over = False
        self._callback: Optional[_Callback] = None  # of the waiting task

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def done(self) -> bool:
        return self._is_over

    def result(self) -> _core.SessionEvent:
        """The event. Raises the error of the call."""
        if self._error is not None:
            raise self._error
        return self._event  # type: ignore[return-value]

    def set_event(self, event: _core.SessionEvent) -> None:
        """Resumes the task immediately unless another one is running: a loop runs one task at a
        time."""
        self._event = event
        self._is_over = True
        if self._callback is not None and asyncio.current_task(self._loop) is None:
            (call, context), self._callback = self._callback, None
            context.run(call, self)
        else:
            self._call_soon()

    def set_exception(self, error: BaseException) -> None:
        self._error = error
        self._is_over = True
        self._call_soon()

    def cancel(self, msg: Optional[str] = None) -> bool:
        if self._is_over:
            return False
        self.set_exception(asyncio.CancelledError() if msg is None else asyncio.CancelledError(msg))
        return True

    def add_done_callback(
        self, call: Callable[[Reply], object], *, context: Optional[contextvars.Context] = None
    ) -> None:
        self._callback = (call, context or contextvars.copy_context())
        if self._is_over:
            self._call_soon()

    def remove_done_callback(self, call: Callable[[Reply], object]) -> int:
        if self._callback is None or self._callback[0] != call:
            return 0
        self._callback = None
        return 1

    def __await__(self) -> Generator[Reply, None, _core.SessionEvent]:
        if not self._is_over:
            self._asyncio_future_blocking = True
            yield self
        return self.result()

    def _call_soon(self) -> None:
        if self._callback is not None:
            (call, context), self._callback = self._callback, None
            self._loop.call_soon(call, self, context=context)
