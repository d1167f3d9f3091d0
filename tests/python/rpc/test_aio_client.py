"""The asyncio client and its connections."""

import asyncio
import contextlib
import gc
import socket

import pytest
import thriftlens as tl
from safe_clients import IDL, STREAMS, HalfSocket, Interrupted, Shop
from thriftlens._rpc.aio_link import StreamLink


@pytest.mark.parametrize("transport, protocol", STREAMS)
def test_an_interrupted_send_closes_the_connection_of_an_asyncio_client(transport, protocol):
    shop = Shop()

    async def main(address):
        async with tl.aio.connect(
            address, IDL, transport=transport, protocol=protocol, timeout=600
        ) as client:
            link = client._pool.links[0]
            link._stream = HalfSocket(link._stream, 3)
            with pytest.raises(Interrupted):
                await client.twice(1)
            assert link.fault is not None and link.in_flight == 0
            assert await client.twice(2) == 4

    with tl.serve(IDL, "Shop", shop, transport=transport, background=True) as server:
        asyncio.run(main(server.address))
    assert shop.numbers == [2]


def test_an_asyncio_client_in_a_second_loop_raises():
    with tl.serve(IDL, "Shop", Shop(), transport="framed", background=True) as server:

        async def connect():
            return await tl.aio.connect(server.address, IDL, transport="framed", protocol="binary")

        loop = asyncio.new_event_loop()
        client = loop.run_until_complete(connect())

        async def call():
            return await client.twice(1)

        with pytest.raises(tl.Error, match="was connected in another event loop"):
            asyncio.run(call())
        assert loop.run_until_complete(call()) == 2
        loop.run_until_complete(client.close())
        loop.close()


async def cancelled_after(steps, work):
    """The result; None if it is cancelled after so many iterations of the loop."""
    task = asyncio.ensure_future(work)
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        return await task


@pytest.mark.parametrize("transport", ["framed", "header", "sasl"])
def test_a_task_cancelled_at_any_step_of_connecting_leaves_no_connection(transport):
    """The server accepts connections and does not answer."""

    async def main(address):
        for steps in (*range(40), 1000):
            connecting = tl.aio.connect(
                address, IDL, transport=transport, protocol="binary", timeout=600
            )
            client = await cancelled_after(steps, connecting)
            assert client is None or transport != "sasl"
            if client is not None:
                await client.close()
            open_links = [
                link
                for link in gc.get_objects()
                if isinstance(link, StreamLink) and link._stream and not link._stream.is_closing()
            ]
            assert open_links == []

    with socket.create_server(("127.0.0.1", 0), backlog=100) as listening:
        user = "a:b@" if transport == "sasl" else ""
        asyncio.run(main(f"{user}127.0.0.1:{listening.getsockname()[1]}"))


@pytest.mark.parametrize("transport", ["framed", "header", "http"])
@pytest.mark.parametrize("others", [False, True], ids=["alone", "beside another"])
def test_a_task_cancelled_at_any_step_of_a_call_leaves_a_client_that_works(transport, others):
    shop = Shop()
    outcomes = []

    async def main():
        options = {"transport": transport, "protocol": "binary", "timeout": 600}
        async with tl.aio.connect(server.address, IDL, "Shop", **options) as client:
            for steps in (*range(30), *(1 << power for power in range(5, 60))):
                beside = [client.twice(1000 + steps)] if others else []
                outcome, *results = await asyncio.gather(
                    cancelled_after(steps, client.twice(steps)), *beside, return_exceptions=True
                )
                outcomes.append(outcome)
                assert outcome in (None, 2 * steps)
                assert results == [2000 + 2 * steps for _ in beside]
                assert await client.twice(-steps) == -2 * steps
                if outcome is not None and steps > 0:
                    break

    with tl.serve(IDL, "Shop", shop, background=True) as server:
        asyncio.run(main())
    assert None in outcomes and outcomes[-1]
    assert all(shop.numbers.count(number) <= 1 for number in range(1, 30))


def without_waiting(monkeypatch, after=lambda seconds: None):
    """The pool waits for one turn of the loop instead of seconds, which it passes to `after`."""
    wait = asyncio.sleep

    async def sleep(seconds, *result):
        after(seconds)
        await wait(0, *result)

    monkeypatch.setattr("thriftlens._rpc.pool.asyncio.sleep", sleep)


@pytest.mark.parametrize("retries", [0, 3])
def test_connections_that_cannot_be_opened_are_tried_again(monkeypatch, retries):
    delays = []
    without_waiting(monkeypatch, delays.append)

    async def main():
        options = {"lazy": True, "retries": retries}
        async with tl.aio.connect("127.0.0.1:1", IDL, "Shop", **options) as client:
            with pytest.raises(tl.TransportConnectionError) as raised:
                await client.twice(1)
            return raised.value.call_state

    assert asyncio.run(main()) == "not_sent"
    assert [delay for delay in delays if delay] == [0.05, 0.1, 0.2][:retries]


def test_a_server_that_starts_late_is_reached(monkeypatch, tmp_path):
    path, servers = str(tmp_path / "late.sock"), []

    def start(seconds):
        if seconds and not servers:
            servers.append(tl.serve(IDL, "Shop", Shop(), background=True, unix=path))

    without_waiting(monkeypatch, start)

    async def main():
        async with tl.aio.connect(f"unix:{path}", IDL, "Shop", retries=2) as client:
            return await client.twice(2)

    assert asyncio.run(main()) == 4 and len(servers) == 1
    servers[0].close()


def test_a_call_that_was_sent_is_not_repeated():
    frames = []

    async def drop(reader, writer):
        frames.append(await reader.read(1000))
        writer.close()

    async def main():
        server = await asyncio.start_server(drop, "127.0.0.1", 0)
        address = "127.0.0.1:{1}".format(*server.sockets[0].getsockname())
        options = {"transport": "framed", "protocol": "binary", "retries": 5}
        async with server, tl.aio.connect(address, IDL, "Shop", **options) as client:
            with pytest.raises(tl.TransportError) as raised:
                await client.twice(1)
            return raised.value.call_state

    assert asyncio.run(main()) == "sent" and len(frames) == 1
