"""aio.serve is awaited, or used in `async with`."""

import asyncio

import pytest
import thriftlens as tl

IDL = tl.loads("service Sums { i64 total(1: list<i32> numbers) }")


def test_a_server_listens_within_async_with():
    async def main():
        async with tl.aio.serve(IDL, "Sums", {"total": sum}) as server:
            async with tl.aio.connect(server.address, IDL) as client:
                assert await client.total([1, 2]) == 3
        with pytest.raises(tl.TransportError):
            await tl.aio.connect(server.address, IDL)

    asyncio.run(main())


def test_a_server_can_be_awaited():
    async def main():
        async with await tl.aio.serve(IDL, "Sums", {"total": sum}) as server:
            async with tl.aio.connect(server.address, IDL) as client:
                assert await client.total([1, 2]) == 3

    asyncio.run(main())


def test_its_attributes_exist_once_it_listens():
    with pytest.raises(AttributeError, match="no attribute 'address' before the server listens"):
        _ = tl.aio.serve(IDL, "Sums", {"total": sum}).address
