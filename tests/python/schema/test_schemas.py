"""load, loads, Schema, Type, Field, Service: IDL as Python sees it."""

import copy
import gc
import json
import multiprocessing
import pickle
import subprocess
import sys
import weakref

import pytest
import thriftlens as tl


def test_types_by_name(shop):
    assert shop["Order"] is shop.Order is shop["Order"]
    assert (shop.Order.name, shop.Order.kind) == ("Order", "struct")
    assert shop["base.Base"].name == "base.Base"
    assert shop["OrderId"] is shop["i64"]  # typedefs are seen through
    assert "Order" in shop and "Ordr" not in shop and 5 not in shop
    assert list(shop.types)[:4] == ["User", "Item", "Payment", "Order"]
    assert list(shop) == list(shop.types) and shop.types["base.Base"] is shop["base.Base"]
    assert "Order" in dir(shop) and "MAX_ITEMS" in dir(shop)


def test_constants_equal_decoded_values():
    idl = tl.loads("""
        enum E { A = 3 }
        struct P { 1: i32 x, 2: optional string s = "d" }
        const i32 N = 5  const double D = 1.5  const string S = "zoë"  const bool B = true
        const list<i32> L = [1, 2]  const set<string> T = ["a"]  const map<string, list<i32>> M =
        {"k": [1]}
        const P Q = {"x": 4}  const E F = E.A
        """)
    expected = {
        "N": 5, "D": 1.5, "S": "zoë", "B": True, "L": [1, 2], "T": {"a"}, "M": {"k": [1]},
        "Q": {"x": 4}, "F": 3,
    }  # fmt: skip
    assert idl.constants == expected
    assert idl.N == 5 and idl.M == {"k": [1]}


def test_describe(shop):
    assert shop.describe("Status") == shop.Status.describe() == shop.describe(shop.Status)
    assert "enum Status {" in shop.describe() and "service Shop" in shop.describe()
    description = json.loads(shop.describe(json=True))
    assert description["schema"] == "thriftlens.describe/1" and description["program"] == "shop"
    assert json.loads(shop.User.describe(json=True)) in description["structs"]
    with pytest.raises(tl.UnknownNameError):
        shop.describe("Nobody")


def test_schemas_are_freed():
    """Also after use of its types, including one type as the selection of another."""

    def used():
        idl = tl.loads("struct P { 1: i32 x } struct Q { 1: i32 x, 2: i32 y }")
        data = idl.Q.encode({"x": 1, "y": 2})
        assert idl.Q.trim(data, idl.P) == idl.Q.trim(data, "{ x }") == idl.P.encode({"x": 1})
        (
            idl.Q.get_many(data, ["$.x"]),
            idl.Q.redact(data, paths={"$.x": "drop"}),
            idl.Q.validate(data),
            idl.Q.view(data).x,
        )
        return weakref.ref(idl)

    reference = used()
    gc.collect()
    assert reference() is None


def test_types_and_schemas_are_their_own_copies(shop):
    for object_ in (shop, shop.Order):
        assert copy.copy(object_) is object_ and copy.deepcopy([object_])[0] is object_


def test_schema_classes_cannot_be_constructed():
    with pytest.raises(TypeError, match="cannot create a Type"):
        tl.Type()
    with pytest.raises(TypeError, match="loads.. create a Schema"):
        tl.Schema("struct A {}")


INCLUDES = {
    "sub/mid.thrift": "include 'base.thrift' struct Mid { 1: base.B b }",
    "sub/base.thrift": "struct B { 1: string deep }",
    "base.thrift": "struct B { 1: i32 shallow }",
}

ROOT = """
include 'sub/mid.thrift' include 'base.thrift'
enum E { A = 1 } typedef i64 Id const i32 LIMIT = 5
struct R { 1: mid.Mid m, 2: base.B b, 3: list<map<string, E>> deep, 4: Id id, 5: E e = E.A }
service S { R get(1: Id id) }
"""


@pytest.fixture()
def idl():
    return tl.loads(ROOT, name="root.thrift", includes=INCLUDES)


def elsewhere(program, data):
    """What another process prints that is given a pickle."""
    result = subprocess.run(
        [sys.executable, "-c", program], input=data, capture_output=True, check=False
    )
    assert result.returncode == 0, result.stderr.decode()
    return result.stdout.decode().split()


def test_a_pickle_leads_to_the_living_schema(idl):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        text = pickle.dumps([idl, idl.R, idl.R.fields["deep"].type, idl.service("S")], protocol)
        unpickled = pickle.loads(text)
        assert unpickled[0] is idl and unpickled[1] is idl.R
        assert unpickled[2] is idl.R.fields["deep"].type
        assert unpickled[3] == idl.service("S")


def test_equal_texts_share_a_schema(idl, tmp_path):
    assert tl.loads(ROOT, name="root.thrift", includes=INCLUDES) is idl
    assert tl.loads(ROOT, name="other.thrift", includes=INCLUDES) is not idl
    assert (
        tl.loads(
            ROOT,
            name="root.thrift",
            includes={**INCLUDES, "base.thrift": "struct B { 1: i64 shallow }"},
        )
        is not idl
    )
    text = "struct A { 2: i32 x, i32 y }"
    assert tl.loads(text) is tl.loads(text) is not tl.loads(text, implicit_ids="cloudwego")
    assert tl.loads(text, strict=True) is not tl.loads(text)
    path = tmp_path / "a.thrift"
    path.write_text("struct A {}")
    first = tl.load(path)
    assert tl.load(path) is first
    path.write_text("struct A { 1: i32 x }")
    assert tl.load(path) is not first and list(tl.load(path).A.fields) == ["x"]


def test_unreferenced_schemas_are_freed():
    reference = weakref.ref(tl.loads("struct Freed { 1: i32 x }"))
    gc.collect()
    assert reference() is None


def test_another_process_needs_no_file(tmp_path):
    for name, text in (*INCLUDES.items(), ("root.thrift", ROOT)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    idl = tl.load(tmp_path / "root.thrift")
    types = [idl.R, idl["base.B"], idl.R.fields["deep"].type, idl.R.at("$.m.b"), idl.E, idl["i32"]]
    pickled = pickle.dumps((types, idl))
    for name in ("root.thrift", *INCLUDES):
        (tmp_path / name).unlink()
    program = """if True:
        import pickle, sys
        types, idl = pickle.load(sys.stdin.buffer)
        assert types[0] is idl.R and idl.LIMIT == 5 and all(type_.schema is idl for type_ in types)
        for type_ in types: print(type_.kind, type_.name.replace(" ", ""), ",".join(type_.fields))
        print(idl.R.encode({"m": {"b": {"deep": "x"}}, "b": {"shallow": 1}, "id": 2}).hex())
    """
    expected = [
        part
        for type_ in types
        for part in (type_.kind, type_.name.replace(" ", ""), ",".join(type_.fields))
        if part
    ]
    data = idl.R.encode({"m": {"b": {"deep": "x"}}, "b": {"shallow": 1}, "id": 2})
    assert elsewhere(program, pickled) == [*expected, data.hex()]


def test_options_of_the_load_are_pickled():
    idl = tl.loads("struct A { 5: i32 x, i32 y }", implicit_ids="cloudwego")
    pickled = pickle.dumps(idl.A)
    assert elsewhere(
        "import pickle, sys; print(pickle.load(sys.stdin.buffer).fields['y'].id)", pickled
    ) == [str(idl.A.fields["y"].id)]
    assert idl.A.fields["y"].id == 6


def _decoded(pair):
    of, data = pair
    return of.decode(data)


def test_workers_of_multiprocessing_take_types(idl):
    records = [idl.R.encode({"id": i}) for i in range(4)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        decoded = pool.map(_decoded, [(idl.R, record) for record in records], chunksize=1)
    assert [value["id"] for value in decoded] == [0, 1, 2, 3]


def test_invalid_pickles_are_errors(idl):
    function, (schema, name, _) = idl.R.__reduce__()
    with pytest.raises(tl.UnknownNameError, match="no type named 'Rr'"):
        function(schema, "Rr", None)
    for index in (0, 10**6):
        with pytest.raises(tl.UnknownNameError, match="expected type 'list<Rr>'"):
            function(schema, "list<Rr>", index)
    restore, (sources, *options) = idl.__reduce__()
    with pytest.raises(tl.SchemaError, match="has no file"):
        restore([], *options)
    with pytest.raises(tl.SchemaError, match="was not found"):
        restore([(*sources[0][:2], [17, 18])], *options)
    with pytest.raises(ValueError, match="implicit_ids"):
        restore(sources, False, "neither")
