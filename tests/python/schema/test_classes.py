"""Classes of IDL: idl.classes."""

import copy
import inspect
import pickle

import pytest
import thriftlens as tl

IDL = tl.loads(
    """
include "base.thrift"
/** How far an order is. */
enum Status { NEW = 0, PAID = 2 }
const i32 LIMIT = 10
/** An order. */
struct Order {
  1: required i64 id,
  /** Words. */
  2: list<string> tags = ["new"],
  3: Status status = Status.NEW,
  4: base.User user,
  5: string from,
  6: list<Order> parts,
  7: string encode,
}
union Either { 1: i64 number, 2: string which }
/** Missing. */
exception NoOrder { 1: i64 id, 2: string message }
service Base { void ping() }
/** A shop. */
service Shop extends Base {
  /** Gets. */ Order get(1: i64 id, 2: string class) throws (1: NoOrder m)
}
""",
    includes={"base.thrift": "struct User { 1: string name }"},
)
classes = IDL.classes
Order, Either = classes.Order, classes.Either


def test_names():
    assert set(classes) == {
        "Order", "Either", "NoOrder", "Status", "base", "Base", "Shop", "LIMIT",
    }  # fmt: skip
    assert classes["Order"] is Order and classes.base.User is classes["base.User"]
    assert classes is IDL.classes and "Order" in dir(classes) and len(classes) == 8
    assert classes.LIMIT == 10 and classes.Status is IDL.Status.enum_class
    with pytest.raises(AttributeError, match="did you mean 'Order'"):
        classes.Ordr
    assert not hasattr(classes, "__path__")


def test_constructors_repr_and_equality():
    order = Order(7, status=classes.Status.PAID, user=classes.base.User("Ann"))
    result = repr(order)
    assert result == "Order(id=7, tags=['new'], status=<Status.PAID: 2>, user=User(name='Ann'))"
    assert order == Order(id=7, status=2, user=classes.base.User(name="Ann")) != Order(7)
    assert order != 7 and Order().id is None
    assert Order().tags == ["new"] and Order().tags is not Order().tags
    order.tags.append("x")
    assert Order().tags == ["new"]
    with pytest.raises(TypeError, match="no field 'tag'; did you mean 'tags'"):
        Order(tag=[])
    with pytest.raises(TypeError, match=r"Order\(\) got multiple values for 'id'"):
        Order(1, id=2)
    with pytest.raises(TypeError, match="takes 7 values, not 8"):
        Order(*range(8))
    with pytest.raises(AttributeError):
        order.usre = 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(order)


def test_bytes():
    order = Order(id=7, from_="here", parts=[Order(id=8)], encode_="x")
    data = order.encode(protocol="compact")
    assert Order.decode(data, protocol="compact") == order
    assert IDL.Order.decode(data, protocol="compact")["from"] == "here"
    absent = Order.decode(IDL.Order.encode({"id": 1}))
    assert absent == Order(id=1) and absent.tags == ["new"] and absent.status is classes.Status.NEW
    assert Order.decode(IDL.Order.encode({"id": 1, "status": 9})).status == 9
    for option in ("into", "enums"):
        with pytest.raises(TypeError, match=f"without {option}=: use idl.Order.decode"):
            Order.decode(data, **{option: None})
    with pytest.raises(tl.EncodeError):
        Order(id="x").encode()
    with pytest.raises(tl.EncodeError, match="required"):
        Order().encode()


def test_copies_pickles_and_subclasses():
    class Special(Order):
        __slots__ = ("note",)

        @property
        def double(self):
            return 2 * self.id

    order = Order(7, ["a"], user=classes.base.User("Ann"))
    assert copy.copy(order) == order == copy.deepcopy(order) == pickle.loads(pickle.dumps(order))
    assert copy.deepcopy(order).tags is not order.tags
    assert order.__replace__(id=8).id == 8 and order.id == 7
    special = Special.decode(order.encode())
    assert type(special) is Special and special.double == 14 and isinstance(special, Order)
    assert Special(id=7).encode() == Order(id=7).encode() and copy.copy(special) == special
    special.note = ["x"]
    assert copy.copy(special).note is special.note == copy.deepcopy(special).note


class Cached(Order):
    def __init__(self, *values):
        super().__init__(*values)
        self.cache = {"a": 1}


def test_attributes_of_subclasses_are_copied():
    order = Cached(7, ["a"])
    pickled = [pickle.loads(pickle.dumps(order, protocol)) for protocol in range(6)]
    for duplicate in (copy.copy(order), copy.deepcopy(order), *pickled):
        assert type(duplicate) is Cached and duplicate == order and duplicate.cache == {"a": 1}
    assert copy.copy(order).cache is order.cache is not copy.deepcopy(order).cache


def test_documentation_and_signatures():
    assert Order.__doc__ == "An order.\n\ntags: Words."
    assert str(inspect.signature(Order)).startswith("(id=None, tags=['new'], status=0, user=None")
    assert Order.__match_args__[:2] == ("id", "tags") and Order.__slots__[0] == "id"
    assert Order.__thrift_type__ is IDL.Order and classes.NoOrder.__match_args__ == (
        "id",
        "message",
    )
    assert (
        classes.Status.__doc__ == "How far an order is." and classes.NoOrder.__doc__ == "Missing."
    )


def test_unions_say_which_member_is_set():
    either = Either.decode(IDL.Either.encode({"which": "x"}))
    assert either == Either(which_="x") and either.which == "which_" and either.number is None
    assert Either().which is None
    either.number = 3
    with pytest.raises(ValueError, match="two members: number and which_"):
        either.which
    with pytest.raises(tl.EncodeError, match="more than one member"):
        either.encode()


def test_exceptions_and_services():
    with pytest.raises(classes.NoOrder) as caught:
        raise classes.NoOrder(id=5)
    assert caught.value.id == 5 and classes.NoOrder is IDL.exceptions["NoOrder"]
    assert issubclass(classes.Shop, tl._schema.classes.ServiceBase)
    assert classes.Shop.__doc__ == "A shop." and classes.Shop.get.__doc__ == "Gets."
    assert str(inspect.signature(classes.Shop.get)) == "(self, id, class_)"

    class Half(classes.Shop):
        def get(self, id, class_):
            return Order(id=id)

    with pytest.raises(TypeError, match="ping"):
        Half()

    class Whole(Half):
        def ping(self):
            pass

    server = tl.serve(IDL, "Shop", Whole(), background=True)
    with tl.connect(server.address, IDL, "Shop") as client:
        assert client.get(3, "x") == {"id": 3, "tags": ["new"], "status": 0}
    server.close()


def test_names_are_listed_once_for_all_classes(monkeypatch):
    lists = []
    names = tl._schema.classes.Classes._names
    monkeypatch.setattr(
        tl._schema.classes.Classes, "_names", lambda self: lists.append(1) or names(self)
    )
    all_classes = tl.loads("".join(f"struct S{i} {{ }}\n" for i in range(40))).classes
    assert [all_classes[f"S{i}"].__name__ for i in range(40)] == [f"S{i}" for i in range(40)]
    assert len(lists) == 1
