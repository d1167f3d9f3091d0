"""Locks with a deadline, and replies whose task is resumed immediately."""

import asyncio

import pytest
from thriftlens._rpc.faults import DeadlineExceeded
from thriftlens._rpc.turns import Reply, Turn


def test_only_the_holder_releases_a_turn():
    turn, first, second = Turn(), object(), object()
    turn.take(first, None)
    with pytest.raises(DeadlineExceeded):
        turn.take(second, 0.0)
    turn.release(second)
    assert turn.holder is first
    turn.release(first)
    turn.release(first)
    turn.take(second, 0.0)
    assert turn.holder is second


def test_a_reply_resumes_its_task_inside_set_event():
    order = []

    async def wait(reply):
        order.append(await reply)

    async def main():
        loop = asyncio.get_running_loop()
        reply = Reply(loop)
        task = asyncio.ensure_future(wait(reply))
        await asyncio.sleep(0)
        loop.call_soon(lambda: (reply.set_event("event"), order.append("after")))
        await task
        await asyncio.sleep(0)

    asyncio.run(main())
    assert order == ["event", "after"]


def test_a_reply_that_fails_or_is_cancelled():
    async def main():
        loop = asyncio.get_running_loop()
        failed, cancelled = Reply(loop), Reply(loop)
        failed.set_exception(ValueError("x"))
        with pytest.raises(ValueError):
            await failed
        assert cancelled.cancel("why") and cancelled.done() and not cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            cancelled.result()

    asyncio.run(main())
