"""Classes of results and arguments of calls: the option `models`."""

import asyncio
import dataclasses
import typing
from typing import List, Optional

import pytest
import thriftlens as tl
from thriftlens._rpc.call_models import values_model

IDL = tl.loads("""
enum Status { NEW = 0, PAID = 1 }
struct Item { 1: string sku }
struct Order { 1: i64 id, 2: list<Item> items, 3: Status status }
exception NoOrder { 1: i64 id }
service Shop {
  Order get(1: i64 id) throws (1: NoOrder missing),
  list<Order> find(1: map<string, Item> items, 2: Status status = Status.PAID),
  i32 count(1: i32 x)
}
""")


@dataclasses.dataclass
class Item:
    sku: str


@dataclasses.dataclass
class Order:
    id: int
    items: Optional[List[Item]] = None
    status: int = 0


class Handler:
    def get(self, id):
        if id == 0:
            raise IDL.exceptions["NoOrder"](id=id)
        return Order(id, [Item("cup")])

    def find(self, items, status):
        assert all(type(item) is Item for item in items.values())
        return [Order(1, [*items.values()], status)]

    def count(self, x):
        return x


MODELS = {"Order": Order, "Item": Item}


@pytest.fixture
def server():
    with tl.serve(IDL, "Shop", Handler(), models=MODELS, background=True) as server:
        yield server


def test_results_and_arguments_are_objects(server):
    with tl.connect(server.address, IDL, models=MODELS) as client:
        assert client.get(7) == Order(7, [Item("cup")]) and client.count(3) == 3
        assert client.find({"a": Item("x")}) == [Order(1, [Item("x")], 1)]
        with pytest.raises(IDL.exceptions["NoOrder"]) as caught:
            client.get(0)
        assert caught.value.id == 0
        assert client.call("get", {"id": 7}, result="view").items is not None
        assert client.get(7, select="{ id }") == Order(7)
    with tl.connect(server.address, IDL) as client:
        assert client.get(7)["items"] == [{"sku": "cup"}]


def test_exceptions_are_raised_as_the_class_of_the_model():
    text = """
      struct Item { 1: string sku }
      exception Refused { 1: string reason, 2: list<Item> items, 3: optional list<Refused> causes }
      service Shop { void buy() throws (1: Refused refused) }
    """
    idl = tl.loads(text)

    @dataclasses.dataclass
    class Refused(Exception):
        reason: str
        items: List[Item]

    def serve_and_call(error, served, called):
        def buy():
            raise error

        with tl.serve(idl, "Shop", {"buy": buy}, models=served, background=True) as server:
            with tl.connect(server.address, idl, models=called) as client:
                with pytest.raises(Exception) as caught:
                    client.buy()
                return caught.value

    own, generated = Refused("sold", [Item("cup")]), idl.classes.Refused
    models = {"Refused": Refused, "Item": Item}
    assert serve_and_call(own, models, models) == own
    error = serve_and_call(own, models, idl.classes)
    assert type(error) is generated and error.items == [idl.classes.Item("cup")]
    assert serve_and_call(error, None, None).items == [{"sku": "cup"}]
    with pytest.raises(TypeError, match="Refused is an exception, but Item is not"):
        tl.connect("127.0.0.1:1", idl, models={"Refused": Item}, lazy=True)


def test_classes_of_the_idl_in_asyncio(server):
    async def run():
        async with tl.aio.connect(server.address, IDL, models=IDL.classes) as client:
            return await client.find({"a": {"sku": "x"}}, IDL.classes.Status.NEW)

    (order,) = asyncio.run(run())
    assert type(order) is IDL.classes.Order and order.status is IDL.classes.Status.NEW


def test_only_values_with_a_class_are_objects():
    function = IDL.service("Shop").function("find")
    assert values_model(function.arguments, {}) is None
    assert values_model(IDL.service("Shop").function("count").result, MODELS) is None
    hints = typing.get_type_hints(values_model(function.arguments, MODELS))
    assert hints["items"] == dict[typing.Any, Item] and hints["status"] is typing.Any


def test_mismatched_classes_are_errors_before_a_call(server):
    @dataclasses.dataclass
    class Wrong:
        id: str

    for name, class_, text in (
        ("Order", Wrong, "Order.id is i64, but Wrong.id is str"),
        ("Order", int, r"Order is Order \(struct\), but the value is int"),
        ("Order", "Order", "the value must be a class or an annotation, not 'Order'"),
        ("Shop", Order, "Shop is a service, not a type"),
    ):
        with pytest.raises(TypeError, match=rf"models\['{name}'\]: {text}"):
            tl.connect(server.address, IDL, models={name: class_}, lazy=True)
    tl.connect(server.address, IDL, models=dict(IDL.classes), lazy=True).close()
    with pytest.raises(TypeError, match="Order.id is i64, but Wrong.id is str"):
        tl.connect(server.address, IDL, models={"Order": Wrong})
    with pytest.raises(TypeError, match="models"):
        tl.connect(server.address, IDL, models=[Order])
    with pytest.raises(TypeError, match="Wrong.id"):
        tl.serve(IDL, "Shop", Handler(), models={"Order": Wrong, "Item": Wrong}, background=True)


def test_a_union_of_classes_is_an_argument_and_a_result():
    idl = tl.loads("""
      struct Card { 1: string number }
      union Payment { 1: Card card, 2: string voucher }
      service Shop { Payment pay(1: Payment payment), list<Payment> list() }
    """)
    Card = dataclasses.make_dataclass("Card", [("number", str)])
    Voucher = typing.NamedTuple("Voucher", [("voucher", str)])
    payments = [Card("4"), Voucher("x")]
    models = {"Payment": typing.Union[Card, Voucher]}
    handler = {"pay": lambda payment: payment, "list": lambda: payments}
    with tl.serve(idl, "Shop", handler, models=models, background=True) as server:
        with tl.connect(server.address, idl, models=models) as client:
            assert [client.pay(payment) for payment in payments] == payments == client.list()


def test_fields_that_are_not_selected_do_not_take_defaults_of_the_idl():
    idl = tl.loads("""
      enum State { NEW, PAID }
      struct Order { 1: i64 id, 2: State state = State.NEW }
      exception Lost { 1: i64 id, 2: string reason = "gone" }
      service Shop { Order get(1: i64 id) throws (1: Lost lost) }
    """)
    Own = dataclasses.make_dataclass("Own", [("id", int), ("state", int)])
    Lost = dataclasses.make_dataclass("Lost", [("id", int), ("reason", str)], bases=(Exception,))
    Optional_ = dataclasses.make_dataclass("Own", [("id", int), ("state", Optional[int])])

    def get(id):
        if id == 0:
            raise idl.exceptions["Lost"](id=0, reason=None)
        return {"id": id, "state": "PAID"} if id == 7 else {"id": id}

    with tl.serve(idl, "Shop", {"get": get}, background=True) as server:

        def client(models):
            return tl.connect(server.address, idl, models=models)

        with client(idl.classes) as generated:
            assert generated.get(7, select="{ id }").state is None
            assert generated.get(7, select="{ id state }").state is idl.classes.State.PAID
            assert generated.get(8).state is idl.classes.State.NEW
        with client({"Order": Optional_}) as optional:
            assert optional.get(7, select="{ id }") == Optional_(7, None)
        with client({"Order": Own, "Lost": Lost}) as own:
            assert own.get(8) == Own(8, 0) and own.get(7, select="{ id state }") == Own(7, 1)
            with pytest.raises(tl.DecodeError, match="Own.state has no default") as caught:
                own.get(7, select="{ id }")
            assert caught.value.path.endswith(".state")
            with pytest.raises(Lost) as lost:
                own.get(0, select="{ id }")
            assert lost.value.reason == "gone"
    data = idl.Order.encode({"id": 7, "state": 1})

    def scan(into):
        return list(tl.scan(data, idl.Order, to="dict", into=into, select="{ id }"))

    assert [order.state for order in scan(idl.classes.Order)] == [None]
    with pytest.raises(tl.DecodeError, match="Own.state has no default"):
        scan(Own)
