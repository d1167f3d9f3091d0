"""Connections in an event loop."""

import asyncio

import pytest
import thriftlens as tl
from thriftlens._rpc.address import parse_address
from thriftlens._rpc.aio_link import StreamLink
from thriftlens._rpc.faults import Unsent
from thriftlens._rpc.target import Request, Target

IDL = tl.loads("service S { i32 add(1: i32 a) }")
ADD = IDL.service("S").function("add")


def request(number):
    return Request("add", ADD.arguments.encode({"a": number}), False, None, None, None)


def with_link(use):
    async def main():
        async with await tl.aio.serve(IDL, "S", {"add": lambda a: a + 1}) as server:
            link = await StreamLink.open(Target(parse_address(server.address), "framed"), None)
            await use(link)
            link.close()

    asyncio.run(main())


def test_calls_share_a_connection():
    async def use(link):
        events = await asyncio.gather(*(link.call(request(number)) for number in range(5)))
        results = [ADD.result.decode(event.data)["success"] for event in events]
        assert results == [1, 2, 3, 4, 5] and link.in_flight == 0 and link.was_answered

    with_link(use)


def test_after_the_deadline_no_connection_is_started(recwarn):
    target = Target(parse_address("127.0.0.1:1"), "framed")
    with pytest.raises(tl.TransportError, match="in time"):
        asyncio.run(StreamLink.open(target, 0.0))
    assert not recwarn.list  # a coroutine was never awaited


def test_a_cancelled_call_that_is_the_only_one_closes_the_connection():
    async def use(link):
        reply = link.send(request(1))
        link.abandon_call(reply)
        assert link.is_stale() and "add was cancelled" in str(link.fault)
        with pytest.raises(Unsent):
            link.send(request(2))

    with_link(use)


def test_a_cancelled_call_among_others_is_forgotten():
    async def use(link):
        first, second = link.send(request(1)), link.send(request(2))
        link.abandon_call(first)
        assert ADD.result.decode((await second).data) == {"success": 3} and not link.is_stale()

    with_link(use)


def test_a_refused_connection():
    async def main():
        target = Target(parse_address("127.0.0.1:1"), "framed")
        with pytest.raises(tl.TransportError, match="127.0.0.1:1") as caught:
            await StreamLink.open(target, None)
        assert caught.value.code == "connection_refused"

    asyncio.run(main())
