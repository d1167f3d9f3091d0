"""Execution of the calls of a server, in threads and in the event loop."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Optional

from .._errors import DecodeError
from .budget import Account, Budget, Reservation
from .handlers import LARGE_CALL, Answer, Context, invalid_arguments
from .threads import Threads

_DECODERS = 2  # threads


@dataclass
class Call:
    event: Any
    handler: Any
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

    def is_immediate(self, handler: Any) -> bool:
        """Whether calls run to completion in the event loop."""
        return not handler.is_async and (self.pool is None or handler.is_short)

    async def run(self, call: Call) -> Answer:
        event, handler = call.event, call.handler
        reservation = Reservation(
            self._budget,
            call.account,
            await self._budget.reserve(call.account, handler.max_decoded_size(event)),
        )
        is_large = len(event.data) >= LARGE_CALL
        job: Optional[concurrent.futures.Future[Any]] = None
        try:
            if not handler.is_async:
                assert self.pool is not None
                on_decoded = (
                    (lambda size: self._call_soon(reservation.shrink, size),) if is_large else ()
                )
                job = self.pool.submit(handler.run, event, call.context, *on_decoded)
                outcome = await asyncio.wrap_future(job)
                if isinstance(outcome, Answer):
                    return outcome
                return await self._await(call, lambda: outcome)
            if is_large:
                job = self._decoders.submit(handler.decode_arguments, event)
                arguments, size = await asyncio.wrap_future(job)
                reservation.shrink(size)
            else:
                arguments, _ = handler.decode_arguments(event)
            return await self._await(call, lambda: handler.call(arguments, call.context))
        except DecodeError as error:
            return invalid_arguments(error, event.name, call.context.protocol)
        finally:
            if job is None or job.done() or job.cancel():
                reservation.shrink(0)
            else:  # a thread still holds the arguments
                job.add_done_callback(lambda _: self._call_soon(reservation.shrink, 0))

    def _call_soon(self, function: Callable[..., None], *values: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(function, *values)

    async def _await(self, call: Call, start: Callable[[], Awaitable[Any]]) -> Answer:
        """The answer of a coroutine.

        All its exceptions are answers, unless the server has cancelled it."""
        try:
            return call.handler.encode_result(await start(), call.context.protocol)  # type: ignore[no-any-return]
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError):
                is_ours = call.is_cancelled
            else:
                is_ours = isinstance(error, KeyboardInterrupt) and self.is_interrupted
            if is_ours:
                raise
            return call.handler.encode_error(error, call.context.protocol)  # type: ignore[no-any-return]
