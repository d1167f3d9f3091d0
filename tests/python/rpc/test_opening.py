"""What opens when it is awaited, and closes at the end of `async with`."""

import asyncio

import pytest
from thriftlens._rpc.opening import Opening


class Door:
    is_open = True

    async def close(self):
        self.is_open = False


class OpeningDoor(Opening):
    _advice = "the door is awaited"

    def __init__(self):
        super().__init__(self._open)

    async def _open(self):
        return Door()


def test_async_with_closes():
    async def main():
        async with OpeningDoor() as door:
            assert door.is_open
        return door

    assert not asyncio.run(main()).is_open


def test_await_leaves_it_open():
    async def main():
        return await OpeningDoor()

    assert asyncio.run(main()).is_open


def test_attributes_name_what_to_do():
    with pytest.raises(AttributeError, match="no attribute 'is_open' before the door is awaited"):
        _ = OpeningDoor().is_open
