"""Methods of clients: names, signatures, options."""

import pickle

import pytest
import thriftlens as tl

IDL = tl.loads("service S { i32 close(1: i32 a), i32 import(), i32 choose(1: i32 select) }")


@pytest.fixture
def client():
    handler = {"close": lambda a: a, "import": lambda: 7, "choose": lambda select: select}
    with tl.serve(IDL, "S", handler, background=True) as server:
        with tl.connect(server.address, IDL, transport="framed", protocol="binary") as client:
            yield client


def test_functions_named_like_methods_and_keywords(client):
    assert client.close_(3) == 3 and client.import_() == 7
    names = dir(client)
    assert {"close_", "import_", "choose"} <= set(names) and len(names) == len(set(names))
    with pytest.raises(tl.UnknownNameError, match="did you mean 'import_'"):
        getattr(client, "import")
    with pytest.raises(AttributeError):
        client.__unknown__


def test_an_argument_hides_an_option_of_its_name(client):
    assert client.choose(select=5) == 5
    assert client.choose(5, result="json") == b"5"


def test_methods_are_created_once_and_describe_themselves(client):
    assert client.close_ is client.close_
    assert client.close_.__doc__ == "i32 close(1: i32 a)"
    assert repr(client.close_).startswith("<function S.close(a: int) -> ")


def test_a_client_cannot_be_pickled(client):
    with pytest.raises(TypeError, match="connect in every process"):
        pickle.dumps(client)
