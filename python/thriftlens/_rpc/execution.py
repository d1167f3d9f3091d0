"""Execution of the calls of a server, in threads and in the event loop."""

from __future__ import annotations

import asyncio
import collections
import contextlib
from dataclasses import dataclass
from typing import Awaitable, Callable, Optional, Union

from .._errors import DecodeError
from .._typing import Value
from .budget import Account, Budget, Reservation
from .events import CallEvent
from .handlers import (
    LARGE_CALL,
    Answer,
    Context,
    FunctionHandler,
    Handler,
    invalid_arguments,
    protocol_of,
)
from .threads import Threads

_Outcome = Union[Answer, Awaitable[Value]]
_DECODERS = 2  # threads


@dataclass
class Call:
    event: CallEvent
    handler: Optional[Handler]
    """None for an unknown function."""
    context: Context
    account: Account
    """The account of the connection."""
    cost: int
    """Bytes that the call holds in the budget of the server until it is answered."""
    expects_reply: bool
    """False for oneway calls."""
    deadline: float
    """In the time of the event loop."""
    reply: Optional[bytes] = None
    is_cancelled: bool = False
    """By the server: its time is over or the connection is lost."""


class Job:
    """The call of a plain function in a thread."""

    def __init__(
        self,
        executor: Executor,
        call: Call,
        reservation: Reservation,
        on_end: Callable[[Job, _Outcome], None],
    ):
        self.call = call
        self._executor = executor
        self._reservation = reservation
        self._on_end = on_end

    def run(self) -> None:
        """Called in the thread."""
        event, reservation = self.call.event, self._reservation
        is_large = len(event.data) >= LARGE_CALL
        shrink = (lambda size: self._executor.soon(reservation.shrink, size),) if is_large else ()
        handler: FunctionHandler = self.call.handler  # type: ignore[assignment]
        self._executor.post(self, handler.run(event, self.call.context, *shrink))

    def end(self, outcome: _Outcome) -> None:
        self._reservation.shrink(0)
        if not self.call.is_cancelled:
            self._on_end(self, outcome)

    def cancel(self) -> None:
        """A thread that has begun still holds the arguments."""
        if self._executor.pool.discard(self):  # type: ignore[union-attr]
            self._reservation.shrink(0)


class Executor:
    """Decodes arguments (large ones in threads), calls handlers and encodes results."""

    def __init__(self, loop: asyncio.AbstractEventLoop, budget: Budget, threads: int):
        """threads: for plain functions; 0: they run in the event loop."""
        self.pool = Threads(threads, "thriftlens handler") if threads else None
        self.is_interrupted = False
        """After a second signal a KeyboardInterrupt is not an exception of the handler."""
        self._decoders = Threads(_DECODERS, "thriftlens decoder")
        self._loop = loop
        self._budget = budget
        self._ended: collections.deque[tuple[Job, _Outcome]] = collections.deque()
        self._is_woken = False

    def shutdown(self) -> None:
        for threads in (self.pool, self._decoders):
            if threads is not None:
                threads.shutdown()

    def is_immediate(self, handler: Handler) -> bool:
        """Whether calls run to completion in the event loop."""
        return not handler.is_async and (self.pool is None or handler.is_short)

    def start(self, call: Call, on_end: Callable[[Job, _Outcome], None]) -> Optional[Job]:
        """Calls a plain function in a thread. None: it is a coroutine, or must wait."""
        handler: FunctionHandler = call.handler  # type: ignore[assignment]
        if handler.is_async:
            return None
        size = handler.max_decoded_size(call.event)
        reservation = self._budget.try_reserve(call.account, size)
        return None if reservation is None else self._start(call, reservation, on_end)

    def _start(
        self, call: Call, reservation: Reservation, on_end: Callable[[Job, _Outcome], None]
    ) -> Job:
        job = Job(self, call, reservation, on_end)
        self.pool.start(job, job.run)  # type: ignore[union-attr]
        return job

    def post(self, job: Job, outcome: _Outcome) -> None:
        """Called by threads: wakes the event loop, once for several calls."""
        self._ended.append((job, outcome))
        if not self._is_woken:
            self._is_woken = True
            self.soon(self._end_jobs)

    def _end_jobs(self) -> None:
        self._is_woken = False
        while self._ended:
            job, outcome = self._ended.popleft()
            job.end(outcome)

    def soon(self, function: Callable[..., object], *arguments: object) -> None:
        """Called by threads."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(function, *arguments)

    async def run(self, call: Call) -> Answer:
        """Waits for the budget, or for a coroutine."""
        event = call.event
        handler: FunctionHandler = call.handler  # type: ignore[assignment]
        reservation = await self._budget.reserve(call.account, handler.max_decoded_size(event))
        if not handler.is_async:
            return await self._in_thread(call, reservation)
        decoding = None
        try:
            if len(event.data) >= LARGE_CALL:
                decoding = self._decoders.submit(handler.decode_arguments, event)
                arguments, size = await asyncio.wrap_future(decoding)
                reservation.shrink(size)
            else:
                arguments, _ = handler.decode_arguments(event)
            return await self.answer_of(call, lambda: handler.call(arguments, call.context))
        except DecodeError as error:
            return invalid_arguments(error, event.name, protocol_of(event))
        finally:
            if decoding is None or decoding.done() or decoding.cancel():
                reservation.shrink(0)
            else:  # a thread still holds the arguments
                decoding.add_done_callback(lambda _: self.soon(reservation.shrink, 0))

    async def _in_thread(self, call: Call, reservation: Reservation) -> Answer:
        ended: asyncio.Future[_Outcome] = self._loop.create_future()
        job = self._start(call, reservation, lambda job, outcome: ended.set_result(outcome))
        try:
            outcome = await ended
        except BaseException:
            call.is_cancelled = True
            job.cancel()
            raise
        if isinstance(outcome, Answer):
            return outcome
        return await self.answer_of(call, lambda: outcome)

    async def answer_of(self, call: Call, start: Callable[[], Awaitable[Value]]) -> Answer:
        """The answer of a coroutine.

        All its exceptions are answers, unless the server has cancelled it."""
        handler: FunctionHandler = call.handler  # type: ignore[assignment]
        protocol = protocol_of(call.event)
        try:
            return handler.encode_result(await start(), protocol)
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError):
                is_ours = call.is_cancelled
            else:
                is_ours = isinstance(error, KeyboardInterrupt) and self.is_interrupted
            if is_ours:
                raise
            return handler.encode_error(error, protocol)
