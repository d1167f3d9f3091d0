"""Pools of connections."""

import asyncio
import threading

import pytest
import thriftlens as tl
from client_servers import IDL, NotFound, Shop
from raw_sockets import wait_until


def test_threads_share_a_connection(client, server):
    answers = {}

    def work(number):
        for index in range(20):
            assert client.add(number, index) == number + index
        answers[number] = client.all(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)
    result = {number: len(values) for number, values in answers.items()}
    assert result == {number: number for number in range(8)}
    assert server.connections == 1


def test_many_calls_in_flight_on_one_connection(server, protocol, shop):
    async def main():
        async with tl.aio.connect(
            server.address, IDL, "Shop", transport=server.transport, protocol=protocol
        ) as client:
            slow = asyncio.ensure_future(client.wait("slow"))
            calls = [asyncio.ensure_future(client.add(number, 1)) for number in range(200)]
            await asyncio.sleep(0)
            shop.go_on.set()
            assert await slow == "slow" and await asyncio.gather(*calls) == list(range(1, 201))
            assert server.connections == 1
            assert await client.get(3, select="{ id }") == {"id": 3}
            with pytest.raises(NotFound):
                await client.get(-1)
            assert await client.note("x") is None
            assert await client.call("add", {"a": 1, "b": 2}, result="json") == b"3"

    asyncio.run(main())


def test_pools_open_connections_while_others_are_busy(server, protocol, shop):
    options = {"transport": server.transport, "protocol": protocol, "pool": 3}
    with tl.connect(server.address, IDL, "Shop", **options) as client:
        threads = [threading.Thread(target=client.wait, args=(str(number),)) for number in range(5)]
        for thread in threads:
            thread.start()
        wait_until(lambda: server.connections == 3)
        shop.go_on.set()
        for thread in threads:
            thread.join(600)
        assert server.connections == 3 and client.add(1, 2) == 3

    async def main():
        shop.go_on.clear()
        async with tl.aio.connect(server.address, IDL, "Shop", **options) as client:
            calls = [asyncio.ensure_future(client.wait(str(number))) for number in range(5)]
            while len([link for link in client._pool.links if link.in_flight]) < 3:
                await asyncio.sleep(0.001)
            shop.go_on.set()
            assert (
                await asyncio.gather(*calls) == ["0", "1", "2", "3", "4"]
                and len(client._pool.links) == 3
            )

    wait_until(lambda: server.connections == 0)
    asyncio.run(main())


def test_a_closed_client_raises(server, protocol):
    client = tl.connect(server.address, IDL, "Shop", transport=server.transport, protocol=protocol)
    client.close()
    with pytest.raises(tl.TransportError, match="the client was closed") as error:
        client.add(1, 2)
    assert error.value.code == "closed"

    async def main():
        client = await tl.aio.connect(
            server.address, IDL, "Shop", transport=server.transport, protocol=protocol
        )
        await client.close()
        with pytest.raises(tl.TransportError, match="the client was closed"):
            await client.add(1, 2)

    asyncio.run(main())


def test_reconnects_where_the_server_has_gone_and_come_back(protocol, tmp_path):
    path = str(tmp_path / "socket")
    first = tl.serve(IDL, "Shop", Shop(), unix=path, background=True)
    client = tl.connect(f"unix:{path}", IDL, "Shop", protocol=protocol)
    stubborn = tl.connect(f"unix:{path}", IDL, "Shop", protocol=protocol, reconnect=False)
    assert client.add(1, 2) == stubborn.add(1, 2) == 3
    first.close()
    with pytest.raises(tl.TransportError) as error:
        client.add(1, 2)
    assert error.value.code == "not_found"
    with tl.serve(IDL, "Shop", Shop(), unix=path, background=True):
        assert client.add(1, 2) == 3
        with pytest.raises(tl.TransportError) as error:
            stubborn.add(1, 2)
        assert error.value.code == "closed"
        client.close()
