"""Execution of the calls of a server, in threads and in the event loop."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Awaitable, Callable, Optional

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

if TYPE_CHECKING:
    _Job = Optional[concurrent.futures.Future[Value]]

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
    reply: Optional[bytes] = None
    is_cancelled: bool = False
    """By the server: its time is over or the connection is lost."""


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

    def shutdown(self) -> None:
        for threads in (self.pool, self._decoders):
            if threads is not None:
                threads.shutdown()

    def is_immediate(self, handler: Handler) -> bool:
        """Whether calls run to completion in the event loop."""
        return not handler.is_async and (self.pool is None or handler.is_short)

    async def run(self, call: Call) -> Answer:
        event = call.event
        handler: FunctionHandler = call.handler  # type: ignore[assignment]
        reservation = await self._budget.reserve(call.account, handler.max_decoded_size(event))
        is_large = len(event.data) >= LARGE_CALL
        job: _Job = None
        try:
            if not handler.is_async:
                shrink = (lambda size: self._shrink_soon(reservation, size),) if is_large else ()
                job = self.pool.submit(  # type: ignore[union-attr]
                    handler.run, event, call.context, *shrink
                )
                outcome = await asyncio.wrap_future(job)
                if isinstance(outcome, Answer):
                    return outcome
                return await self._await(call, handler, lambda: outcome)
            if is_large:
                job = decoding = self._decoders.submit(handler.decode_arguments, event)
                arguments, size = await asyncio.wrap_future(decoding)
                reservation.shrink(size)
            else:
                arguments, _ = handler.decode_arguments(event)
            return await self._await(call, handler, lambda: handler.call(arguments, call.context))
        except DecodeError as error:
            return invalid_arguments(error, event.name, protocol_of(event))
        finally:
            if job is None or job.done() or job.cancel():
                reservation.shrink(0)
            else:  # a thread still holds the arguments
                job.add_done_callback(lambda _: self._shrink_soon(reservation, 0))

    def _shrink_soon(self, reservation: Reservation, size: int) -> None:
        """Called by threads."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(reservation.shrink, size)

    async def _await(
        self, call: Call, handler: FunctionHandler, start: Callable[[], Awaitable[Value]]
    ) -> Answer:
        """The answer of a coroutine.

        All its exceptions are answers, unless the server has cancelled it."""
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
