"""Services by name."""

import inspect

import pytest
import thriftlens as tl
from client_servers import IDL, Shop
from thriftlens._rpc.services import doc_of


def test_invalid_idl_and_services():
    for connect in (tl.connect, tl.aio.connect):
        with pytest.raises(
            TypeError,
            match=r"expected a Schema, such as tl.load\('shop.thrift'\), not 'some.thrift'",
        ):
            connect("localhost:1", "some.thrift")
        with pytest.raises(
            TypeError,
            match="service must be a name, 'Base' or 'Shop', not an object of the class Service",
        ):
            connect("localhost:1", IDL, IDL.service("Shop"))
    with pytest.raises(TypeError, match="expected a Schema"):
        tl.serve("some.thrift", "Shop", Shop(), background=True)
    with pytest.raises(TypeError, match="expected a Schema"):
        tl.serve("some.thrift", {"Shop": Shop()}, background=True)
    with pytest.raises(TypeError, match="the class Shop"):
        tl.serve(IDL, Shop(), background=True)


def test_the_service_is_inferred_or_required():
    with pytest.raises(tl.Error, match="several services .Base, Shop.; specify service=") as error:
        tl.connect("localhost:1", IDL)
    assert error.value.code == "no_service"
    with pytest.raises(tl.UnknownNameError, match="did you mean 'Shop'"):
        tl.connect("localhost:1", IDL, "Shopp")
    with pytest.raises(ValueError, match="transport must be one of"):
        tl.connect("localhost:1", IDL, "Shop", transport="udp")


def test_methods_are_the_functions_of_the_idl(client):
    assert (
        str(inspect.signature(client.add))
        == "(a: int, b: int, c: int = 0, *, select=None, result=None, timeout=Ellipsis, "
        "headers=None) -> int"
    )
    assert str(inspect.signature(client.get)).startswith(
        "(id: int = 4, like: dict = None, *, select=None"
    )
    declaration = "Order get(1: i64 id = 4, 2: Order like) throws (1: NotFound missing)"
    assert inspect.getdoc(client.get) == f"{declaration}\n\nAn order by its id."
    assert {"get", "add", "version", "close_", "import_", "call", "close"} <= set(dir(client))
    assert client.get.__name__ == "get" and client.get is client.get
    assert client.version() == "1"
    assert client.close_(4) is None and client.import_(from_=4) == 4 and client.import_(5) == 5
    # Arguments of the function, not options of the call.
    assert client.select(timeout=7, result=2) == 5  # no limit


def test_declarations_contain_defaults():
    text = "void f(1: bool b = false, 2: E e = A, 3: list<i32> l = [1])"
    idl = tl.loads(f"enum E {{ A = 1 }} service S {{ {text} }}")
    assert doc_of(idl.service("S").function("f")) == text


def test_arguments_are_bound_as_python_binds_them(client):
    assert client.add(1, 2) == client.add(1, b=2) == client.add(b=2, a=1) == 3
    assert client.add(1, 2, c=3) == 6
    assert client.get()["id"] == 4
    for wrong in (
        ("add() is missing 'b'", lambda: client.add(1)),
        ("got two values for 'a'", lambda: client.add(1, a=1)),
        ("3 arguments", lambda: client.add(*range(4))),
    ):
        with pytest.raises(TypeError, match=wrong[0].replace("(", r"\(").replace(")", r"\)")):
            wrong[1]()
    with pytest.raises(TypeError, match="no argument 'lik'; did you mean 'like'"):
        client.get(lik=None)
    with pytest.raises(tl.EncodeError) as error:
        client.get(like={"id": "seven"})
    assert error.value.path == "$.like.id"
    with pytest.raises(tl.UnknownNameError, match="did you mean 'get'"):
        client.gett()
    with pytest.raises(tl.UnknownNameError, match="did you mean 'all'"):
        client.call("al")
