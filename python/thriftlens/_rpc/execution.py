"""Execution of the calls of a server, in threads and in the event loop."""

from __future__ import annotations

import asyncio
import collections
import contextlib
from dataclasses import dataclass
from typing import Awaitable, Callable, Optional, Protocol, Union

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

Outcome = Union[Answer, Awaitable[Value]]
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
    is_answered: bool = False
    """By a thread."""

    @property
    def max_decoded_size(self) -> int:
        handler: FunctionHandler = self.handler  # type: ignore[assignment]
        return handler.max_decoded_size(self.event)


class JobOwner(Protocol):
    """What a job does with its outcome."""

    def reply(self, call: Call, answer: Answer) -> bool:
        """Called in the thread. False: the event loop sends the reply."""

    def needs_loop(self) -> bool:
        """Called in the thread: whether the event loop must know at once that a job has ended."""

    def end_job(self, job: Job, outcome: Outcome) -> None: ...


class Job:
    """The call of a plain function in a thread."""

    def __init__(self, executor: Executor, call: Call, reservation: Reservation, owner: JobOwner):
        self.call = call
        self._executor = executor
        self._reservation = reservation
        self._owner = owner

    def run(self) -> None:
        """Called in the thread."""
        event, reservation = self.call.event, self._reservation
        is_large = len(event.data) >= LARGE_CALL
        shrink = (lambda size: self._executor.soon(reservation.shrink, size),) if is_large else ()
        handler: FunctionHandler = self.call.handler  # type: ignore[assignment]
        outcome = handler.run(event, self.call.context, *shrink)
        is_sent = isinstance(outcome, Answer) and self._owner.reply(self.call, outcome)
        self._executor.ended.append((self, outcome))
        if not is_sent or self._owner.needs_loop():
            self._executor.wake()

    def end(self, outcome: Outcome) -> None:
        self._reservation.shrink(0)
        if not self.call.is_cancelled:
            self._owner.end_job(self, outcome)

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
        self.ended: collections.deque[tuple[Job, Outcome]] = collections.deque()
        """Filled by threads, emptied by end_jobs."""
        self._is_woken = self._is_in_end = False

    def shutdown(self) -> None:
        for threads in (self.pool, self._decoders):
            if threads is not None:
                threads.shutdown()

    def is_immediate(self, handler: Handler) -> bool:
        """Whether calls run to completion in the event loop."""
        return not handler.is_async and (self.pool is None or handler.is_short)

    def start(
        self, call: Call, owner: JobOwner, reservation: Optional[Reservation] = None
    ) -> Optional[Job]:
        """Calls a plain function in a thread. None: the call must wait for the budget."""
        if reservation is None:
            reservation = self._budget.try_reserve(call.account, call.max_decoded_size)
        if reservation is None:
            self.end_jobs_soon()
            return None
        job = Job(self, call, reservation, owner)
        self.pool.start(job, job.run)  # type: ignore[union-attr]
        return job

    async def reserve(self, call: Call) -> Reservation:
        return await self._budget.reserve(call.account, call.max_decoded_size)

    def wake(self) -> None:
        """Called by threads: wakes the event loop, once for several jobs."""
        if not self._is_woken:
            self._is_woken = True
            self.soon(self.end_jobs)

    def end_jobs_soon(self) -> None:
        if self.ended:
            self._loop.call_soon(self.end_jobs)

    def end_jobs(self) -> None:
        """Ends the jobs of which threads have sent the replies, too: threads do not wake the event
        loop for them."""
        self._is_woken = False
        if self._is_in_end:
            return
        self._is_in_end = True
        try:
            while self.ended:
                job, outcome = self.ended.popleft()
                job.end(outcome)
        finally:
            self._is_in_end = False

    def soon(self, function: Callable[..., object], *arguments: object) -> None:
        """Called by threads."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(function, *arguments)

    async def run(self, call: Call) -> Answer:
        """Calls a coroutine."""
        event = call.event
        handler: FunctionHandler = call.handler  # type: ignore[assignment]
        reservation = await self.reserve(call)
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
