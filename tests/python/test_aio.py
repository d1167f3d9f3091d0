"""The public names of tl.aio."""

import asyncio

import thriftlens as tl


def test_public_names():
    result = set(tl.aio.__all__)
    assert result == {"AsyncClient", "Connecting", "Listening", "Server", "connect", "serve"}
    assert tl.aio.connect.__module__ == tl.aio.serve.__module__ == "thriftlens.aio"


def test_a_client_and_a_server_in_one_loop():
    idl = tl.loads("service S { i32 twice(1: i32 a) }")

    async def twice(a):
        return 2 * a

    async def main():
        async with await tl.aio.serve(idl, "S", {"twice": twice}) as server:
            async with tl.aio.connect(server.address, idl) as client:
                return await asyncio.gather(*(client.twice(number) for number in range(3)))

    assert asyncio.run(main()) == [0, 2, 4]
