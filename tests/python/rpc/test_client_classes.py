"""Typed clients of a service."""

import asyncio

import pytest
import thriftlens as tl
from thriftlens._rpc.client_classes import client_classes

IDL = tl.loads("struct Toy { 1: i64 id } service Toys { Toy get(1: i64 id) }")


@pytest.mark.parametrize("class_,how", [
    (tl.Client, "connect()"), (tl.aio.AsyncClient, "connect()"),
    (client_classes(IDL, "Toys", IDL.classes)[0], "ToysClient.connect(address)"),
])  # fmt: skip
def test_the_error_of_a_constructor_names_connect(class_, how):
    with pytest.raises(TypeError) as caught:
        class_("localhost:9090")
    assert str(caught.value) == f"{class_.__name__} cannot be called; use {how}"


def test_clients_connect_with_the_classes_of_the_idl():
    client_class, async_class = client_classes(IDL, "Toys", IDL.classes)
    assert (client_class.__name__, async_class.__name__) == ("ToysClient", "AsyncToysClient")
    Toy = IDL.classes.Toy
    with tl.serve(IDL, "Toys", {"get": lambda id: Toy(id=id)}, background=True) as server:
        with client_class.connect(server.address, timeout=5.0) as client:
            assert type(client) is client_class and client.get(7) == Toy(id=7)
        with client_class.connect(server.address, models=None) as client:
            assert client.get(7) == {"id": 7}

        async def run():
            async with async_class.connect(server.address) as client:
                assert type(client) is async_class
                return await client.get(8)

        assert asyncio.run(run()) == Toy(id=8)
