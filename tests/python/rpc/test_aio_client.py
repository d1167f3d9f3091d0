"""The asyncio client and its connections."""

import asyncio

import pytest
import thriftlens as tl
from safe_clients import IDL, STREAMS, HalfSocket, Interrupted, Shop


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
