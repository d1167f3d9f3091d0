"""The same gateway in FastAPI: pydantic models, and thriftpy2's clients; PEER=threads (Cython, one
client a thread) or PEER=aio.
"""

import os
import threading
from pathlib import Path

import thriftpy2
from fastapi import FastAPI
from pydantic import BaseModel
from thriftpy2.protocol import TBinaryProtocolFactory
from thriftpy2.rpc import make_client
from thriftpy2.transport import TFramedTransportFactory

shop = thriftpy2.load(str(Path(__file__).with_name("shop.thrift")), module_name="shop_thrift")
host, _, port = os.environ["UPSTREAM"].rpartition(":")
app = FastAPI()


class Item(BaseModel):
    sku: str
    count: int = 0
    price: float = 0.0
    tags: list[str] = []


class Order(BaseModel):
    id: int
    customer: str = ""
    items: list[Item] = []
    notes: dict[str, str] = {}
    paid: bool = False


def to_model(order):
    items = [
        Item.model_construct(sku=item.sku, count=item.count, price=item.price, tags=item.tags)
        for item in order.items
    ]
    return Order.model_construct(
        id=order.id, customer=order.customer, items=items, notes=order.notes, paid=order.paid
    )


def to_thrift(order):
    items = [
        shop.Item(sku=item.sku, count=item.count, price=item.price, tags=item.tags)
        for item in order.items
    ]
    return shop.Order(
        id=order.id, customer=order.customer, items=items, notes=order.notes, paid=order.paid
    )


if os.environ.get("PEER") == "aio":
    from thriftpy2.contrib.aio.protocol.binary import TAsyncBinaryProtocolFactory
    from thriftpy2.contrib.aio.rpc import make_client as make_async_client
    from thriftpy2.contrib.aio.transport.framed import TAsyncFramedTransportFactory

    idle = []

    async def call(name, argument):
        client = (
            idle.pop()
            if idle
            else await make_async_client(
                shop.Shop,
                host,
                int(port),
                proto_factory=TAsyncBinaryProtocolFactory(),
                trans_factory=TAsyncFramedTransportFactory(),
            )
        )
        reply = await getattr(client, name)(argument)
        idle.append(client)
        return reply

    @app.get("/orders/{id}")
    async def find(id: int, lang: str = "", size: int = 0) -> Order:
        return to_model(await call("find", shop.Find(id=id, lang=lang, size=size)))

    @app.post("/orders")
    async def place(order: Order) -> Order:
        return to_model(await call("place", to_thrift(order)))

else:
    local = threading.local()

    def client():
        if not hasattr(local, "client"):
            local.client = make_client(
                shop.Shop,
                host,
                int(port),
                proto_factory=TBinaryProtocolFactory(),
                trans_factory=TFramedTransportFactory(),
            )
        return local.client

    @app.get("/orders/{id}")
    def find(id: int, lang: str = "", size: int = 0) -> Order:
        return to_model(client().find(shop.Find(id=id, lang=lang, size=size)))

    @app.post("/orders")
    def place(order: Order) -> Order:
        return to_model(client().place(to_thrift(order)))
