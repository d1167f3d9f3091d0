"""load, loads, Schema, Type, Field, Service: IDL as Python sees it."""

import copy
import errno
import gc
import json
import os
import pickle
import weakref

import pytest
import thriftlens as tl


def test_types_by_name(shop):
    assert shop["Order"] is shop.Order is shop["Order"]
    assert (shop.Order.name, shop.Order.kind) == ("Order", "struct")
    assert shop["base.Base"].name == "base.Base"
    assert shop["OrderId"] is shop["i64"]  # typedefs are seen through
    assert "Order" in shop and "Ordr" not in shop and 5 not in shop
    assert shop.types[:4] == ["User", "Item", "Payment", "Order"] and "base.Base" in shop.types
    assert list(shop) == shop.types
    assert "Order" in dir(shop) and "MAX_ITEMS" in dir(shop)


def test_unknown_names_are_key_and_attribute_errors_with_the_nearest(shop):
    with pytest.raises(
        tl.UnknownNameError, match="no type named 'Ordr'; did you mean 'Order'"
    ) as caught:
        shop["Ordr"]
    assert (
        isinstance(caught.value, (KeyError, AttributeError)) and caught.value.code == "unknown_name"
    )
    with pytest.raises(KeyError):
        shop["Ordr"]
    with pytest.raises(AttributeError):
        shop.Ordr
    assert not hasattr(shop, "Ordr") and getattr(shop, "Ordr", None) is None
    with pytest.raises(tl.UnknownNameError, match="no service named 'Shp'; did you mean 'Shop'"):
        shop.service("Shp")


def test_fields(shop):
    fields = shop.Order.fields
    assert list(fields)[:3] == ["id", "user", "items"]
    id, status, base = fields["id"], fields["status"], fields["base"]
    assert (id.id, id.requiredness, id.type.name, id.has_default, id.default) == (
        1,
        "required",
        "i64",
        False,
        None,
    )
    assert (status.requiredness, status.type.kind, status.has_default, status.default) == (
        "default",
        "enum",
        True,
        1,
    )
    assert (base.id, base.type) == (255, shop["base.Base"])
    assert shop.User.fields["email"].annotations == {"pii": "email"}
    assert fields["items"].type.parameters == (shop.Item,)
    assert (
        shop.Status.fields == {}
        and shop.Status.members == {"NEW": 1, "PAID": 2, "SHIPPED": 3}
        and shop.Order.members == {}
    )


def test_docs_and_aliases():
    idl = tl.loads(
        '/** A thing. */ struct T { /** Its a. */ 1: i32 a (api.key = "A"), 2: i32 b } (origin = "here")'
    )
    assert idl.T.doc == "A thing." and idl.T.annotations == {"origin": "here"}
    assert (idl.T.fields["a"].doc, idl.T.fields["a"].alias, idl.T.fields["b"].alias) == (
        "Its a.",
        "A",
        "b",
    )


def test_constants_equal_decoded_values():
    idl = tl.loads(
        """
        enum E { A = 3 }
        struct P { 1: i32 x, 2: optional string s = "d" }
        const i32 N = 5  const double D = 1.5  const string S = "zoë"  const bool B = true
        const list<i32> L = [1, 2]  const set<string> T = ["a"]  const map<string, list<i32>> M = {"k": [1]}
        const P Q = {"x": 4}  const E F = E.A
        """
    )
    expected = {
        "N": 5,
        "D": 1.5,
        "S": "zoë",
        "B": True,
        "L": [1, 2],
        "T": {"a"},
        "M": {"k": [1]},
        "Q": {"x": 4},
        "F": 3,
    }
    assert idl.constants == expected
    assert idl.N == 5 and idl.M == {"k": [1]}


def test_services_decode_their_calls(shop):
    service = shop.services["Shop"]
    assert (
        shop.Shop == service
        and service.extends is None
        and list(service.functions) == ["get", "place", "touch"]
    )
    get, touch = service.functions["get"], service.functions["touch"]
    assert get.returns is shop.Order and not get.oneway and touch.oneway and touch.returns is None
    assert list(get.arguments.fields) == ["id"] and list(get.result.fields) == [
        "success",
        "missing",
    ]
    assert get.arguments.decode(get.arguments.encode({"id": 5})) == {"id": 5}


def test_describe(shop):
    assert shop.describe("Status") == shop.Status.describe() == shop.describe(shop.Status)
    assert "enum Status {" in shop.describe() and "service Shop" in shop.describe()
    description = json.loads(shop.describe(json=True))
    assert description["schema"] == "thriftlens.describe/1" and description["program"] == "shop"
    assert json.loads(shop.User.describe(json=True)) in description["structs"]
    with pytest.raises(tl.UnknownNameError):
        shop.describe("Nobody")


def test_errors_of_idl_carry_all_findings():
    with pytest.raises(tl.SchemaError) as caught:
        tl.loads("struct Q {\n  1: i23 a\n  2: foo b\n}", name="q.thrift")
    error = caught.value
    assert error.code == "schema_invalid" and len(error.diagnostics) == 2
    first = error.diagnostics[0]
    assert (first.severity, first.file, first.line, first.column, first.kind) == (
        "error",
        "q.thrift",
        2,
        6,
        "undefined-type",
    )
    assert str(first).split("\n") == [
        f"q.thrift:2:6: error: {first.message} [undefined-type]",
        "    1: i23 a",
        "       ^",
    ]
    assert str(error) == "\n".join(map(str, error.diagnostics))


def test_warnings():
    warnings = tl.loads("struct Q { i32 a }").warnings
    assert [warning.severity for warning in warnings] == ["warning"]


def test_strict_and_implicit_ids():
    text = "struct Q { i32 a, i32 b }"
    assert [field.id for field in tl.loads(text).Q.fields.values()] == [-1, -2]
    assert [field.id for field in tl.loads(text, implicit_ids="cloudwego").Q.fields.values()] == [
        1,
        2,
    ]
    with pytest.raises(ValueError, match="implicit_ids must be"):
        tl.loads(text, implicit_ids="other")
    lenient = 'const string S = "a\nb"'
    assert tl.loads(lenient).S == "a\nb"
    with pytest.raises(tl.SchemaError):
        tl.loads(lenient, strict=True)


def test_includes_from_folders_memory_and_a_loader(tmp_path):
    root = 'include "a.thrift"\nstruct R { 1: a.A a }'
    body = "struct A { 1: i32 x }"
    (tmp_path / "dir").mkdir()
    (tmp_path / "dir" / "a.thrift").write_text(body)
    (tmp_path / "root.thrift").write_text(root)
    requests = []

    def loader(path, from_file):
        requests.append((path, from_file))
        return body

    schemas = [
        tl.load(tmp_path / "root.thrift", include_dirs=[tmp_path / "dir"]),
        tl.load(str(tmp_path / "root.thrift"), include_dirs=[str(tmp_path / "dir")]),
        tl.loads(root, include_dirs=[tmp_path / "dir"]),
        tl.loads(root, includes={"a.thrift": body}),
        tl.loads(root.encode(), includes={"a.thrift": body.encode()}),
        tl.loads(root, loader=loader, name="mem.thrift"),
        tl.loads(root, loader=lambda path, from_file: body.encode()),
    ]
    for schema in schemas:
        assert schema["a.A"].encode({"x": 1}) == bytes.fromhex("080001 00000001 00")
    assert requests == [("a.thrift", "mem.thrift")]


def test_a_loader_that_fails():
    root = 'include "a.thrift"\nstruct R { 1: i32 a }'

    def fails(path, from_file):
        raise ConnectionError("no network")

    with pytest.raises(ConnectionError, match="no network"):
        tl.loads(root, loader=fails)
    with pytest.raises(TypeError, match="loader must return"):
        tl.loads(root, loader=lambda path, from_file: 5)
    with pytest.raises(tl.SchemaError, match="a.thrift"):
        tl.loads(root, loader=lambda path, from_file: None)


def test_missing_and_unreadable_files(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        tl.load(tmp_path / "none.thrift")
    error = caught.value
    assert isinstance(error, tl.Error) and not isinstance(error, ValueError)
    assert (error.code, error.filename, error.errno) == (
        "io",
        str(tmp_path / "none.thrift"),
        errno.ENOENT,
    ) and "none.thrift" in str(error)
    with pytest.raises(tl.FileError) as caught:
        tl.load(tmp_path)
    assert isinstance(caught.value, OSError) and not isinstance(
        caught.value, (FileNotFoundError, ValueError)
    )
    unpickled = pickle.loads(pickle.dumps(error))
    assert (
        type(unpickled) is type(error)
        and str(unpickled) == str(error)
        and unpickled.filename == error.filename
    )
    with pytest.raises(TypeError):
        tl.load(5)
    with pytest.raises(TypeError, match="include_dirs"):
        tl.load(tmp_path / "none.thrift", include_dirs="idl")


def test_types_outlive_their_schema():
    def make():
        return tl.loads("struct P { 1: i32 x }").P

    of = make()
    assert of.decode(of.encode({"x": 1})) == {"x": 1} and of.schema.P is of


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


def test_file_names_may_be_any_bytes(tmp_path):
    folder = os.fsencode(tmp_path) + b"/\xff"
    os.mkdir(folder)
    for name, text in (
        (b"a\xfe.thrift", b'include "b.thrift" struct A { 1: b.B b }'),
        (b"b.thrift", b"struct B { 1: i32 x }"),
    ):
        with open(folder + b"/" + name, "wb") as file:
            file.write(text)
    for path in (folder + b"/a\xfe.thrift", os.fsdecode(folder + b"/a\xfe.thrift")):
        assert tl.load(path).types == ["A", "b.B"]
    assert tl.loads('include "b.thrift"', include_dirs=[os.fsdecode(folder)]).types == ["b.B"]


def test_schema_classes_cannot_be_constructed():
    with pytest.raises(TypeError, match="comes from a schema"):
        tl.Type()


def test_errors_can_be_pickled(shop):
    with pytest.raises(tl.DecodeError) as caught:
        shop.Order.decode(b"\x0b")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is tl.DecodeError and str(copy) == str(caught.value)
    assert (copy.code, copy.path, copy.offset) == (
        caught.value.code,
        caught.value.path,
        caught.value.offset,
    )
    with pytest.raises(tl.SchemaError) as caught:
        tl.loads("struct")
    assert pickle.loads(pickle.dumps(caught.value)).diagnostics == caught.value.diagnostics
    with pytest.raises(tl.FileError) as caught:
        tl.load("absent.thrift")
    for error in (
        caught.value,
        tl.BusinessError(7, ""),
        tl.hive.HiveError("failed", sql_state="08S01"),
    ):
        error.context, error.call_state = ("file",), "answered"
        copy = pickle.loads(pickle.dumps(error))
        assert vars(copy) == vars(error) and str(copy) == str(error)


def test_the_family_of_errors():
    for class_ in (
        tl.UsageError,
        tl.DecodeError,
        tl.EncodeError,
        tl.SchemaError,
        tl.JSONError,
        tl.UnknownNameError,
        tl.AbsentError,
    ):
        assert issubclass(class_, ValueError) and class_.__bases__[0] is tl.Error
    for class_ in (
        tl.Error,
        tl.TransportError,
        tl.FileError,
        tl.ApplicationError,
        tl.BusinessError,
    ):
        assert not issubclass(class_, ValueError) and issubclass(class_, tl.Error)
    assert type(tl.Error("x", code="bad_option")) is tl.UsageError


@pytest.mark.parametrize(
    "code, family",
    [
        ("timeout", TimeoutError),
        ("closed", ConnectionError),
        ("connection_refused", ConnectionError),
        ("http_status", tl.Error),
    ],
)
def test_errors_of_connections_are_caught_as_pythons_own(code, family):
    error = tl.TransportError("host:1: it broke", code=code)
    assert (
        isinstance(error, (tl.TransportError, family))
        and isinstance(error, family)
        and str(error) == "host:1: it broke"
        and error.code == code
    )
    assert isinstance(error, OSError) == (family is not tl.Error) and not isinstance(
        error, ValueError
    )
    for duplicate in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert type(duplicate) is type(error) and (str(duplicate), duplicate.code) == (
            str(error),
            code,
        )


def test_names_of_the_idl_that_are_no_classes_suggest_the_class():
    idl = tl.loads(
        "enum Status { NEW = 1, PAID = 2 } struct Order { 1: i64 id } exception NotFound { 1: i64 id } service S { void f() throws (1: NotFound n) }"
    )
    for ask, message in (
        (lambda: idl.Status.PAID, "idl.Status.enum_class.PAID"),
        (lambda: idl.Order.id, r"idl.Order.fields\['id'\]"),
        (lambda: idl.Order.nope, "has no attribute 'nope'"),
        (lambda: idl.Order(id=7), r"idl.Order.encode\(\{'id': …\}\)"),
        (lambda: idl.NotFound(id=7), r"idl.exceptions\['NotFound'\]"),
        (lambda: idl.Status(2), "idl.Status.enum_class"),
    ):
        with pytest.raises((AttributeError, TypeError), match=message):
            ask()
    assert not hasattr(idl.Order, "nope") and idl.Status.enum_class.PAID == 2
    NotFound = idl.exceptions["NotFound"]
    with pytest.raises(TypeError, match=r"write except idl.exceptions\['NotFound'\]"):
        try:
            raise NotFound(7)
        except idl.NotFound:
            pass
    with pytest.raises(TypeError, match=r"write except idl.exceptions\['NotFound'\]"):
        try:
            raise NotFound(7)
        except (ValueError, idl.NotFound):
            pass
    try:
        raise NotFound(7)
    except NotFound:
        assert idl.NotFound.kind == "exception", "inside a handler it is the type"


def test_a_typo_is_no_error_of_the_idl(shop, order_bytes):
    """It has the near name in its text, and is caught as what Python raises for names that are not
    there.
    """
    for ask in (
        lambda: shop["Ordr"],
        lambda: shop.Ordr,
        lambda: shop.service("Shp"),
        lambda: shop.Order.at("$.usr"),
        lambda: shop.Order.get(order_bytes, "$.usr.name"),
        lambda: shop.Order.get_many(order_bytes, ["$.usr"]),
        lambda: shop.Order.trim(order_bytes, "{ usr }"),
        lambda: shop.Order.to_json(order_bytes, select="{ usr }"),
        lambda: shop.Order.edit(order_bytes).set("$.usr", {}),
        lambda: shop.Order.rewrite(order_bytes).trim("{ usr }"),
        lambda: shop.Order.redact(order_bytes, paths={"$.usr": "drop"}),
        lambda: shop.Order.view(order_bytes).usr,
        lambda: shop.Order.view(order_bytes)["usr"],
        lambda: shop.Order.view(order_bytes).get("$.usr"),
    ):
        with pytest.raises(tl.UnknownNameError, match="did you mean '(user|Order|Shop)'") as caught:
            ask()
        assert isinstance(
            caught.value, (KeyError, AttributeError, ValueError, LookupError)
        ) and not isinstance(caught.value, tl.SchemaError)


def test_fields_are_created_once():
    of = tl.loads("struct T { 1: i32 a = 5, 2: list<T> b }").T
    assert of.fields is of.fields and list(of.fields) == ["a", "b"]
    with pytest.raises(TypeError):
        of.fields["c"] = of.fields["a"]
    color = tl.loads("enum Color { RED = 1 } typedef list<Color> Colors")
    assert (
        color.Color.members is color.Color.members
        and color["Colors"].parameters is color["Colors"].parameters
    )


def test_names_of_services_and_functions():
    idl = tl.loads(
        "struct P { 1: i32 a } service Calculator { i32 add(1: i32 a) } service More extends Calculator { void clear() }"
    )
    with pytest.raises(
        tl.UnknownNameError,
        match=r"no type named 'Calculator': it is a service; idl.service\('Calculator'\)",
    ):
        idl["Calculator"]
    for name in ("add", "Calculator.add"):
        with pytest.raises(
            tl.UnknownNameError,
            match=r"it is a function of Calculator; idl.service\('Calculator'\).function\('add'\)",
        ):
            idl[name]
    more = idl.service("More")
    assert more.function("add") is more.inherited["add"] and list(more.functions) == ["clear"]
    with pytest.raises(tl.UnknownNameError, match="no function 'ad' in More; did you mean 'add'"):
        more.function("ad")


def test_functions_have_a_streaming_mode():
    idl = tl.loads(
        'struct M {1: string t} service E { M a(1: M m) (streaming.mode = "client") M b(1: M m) M c(1: M m) (streaming.mode = "x") }'
    )
    assert {name: function.streaming for name, function in idl.service("E").functions.items()} == {
        "a": "client",
        "b": "none",
        "c": "bidirectional",
    }
    assert [warning.kind for warning in idl.warnings] == ["streaming-mode"]


@pytest.fixture
def same_base_names(tmp_path):
    """A root that includes two files named base.thrift; the service of one extends that of the
    other.
    """
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "base.thrift").write_text(
        "struct R { 1: i32 x } service S { R far(1: i32 a), R both() } service Deep extends S {}"
    )
    (tmp_path / "a" / "base.thrift").write_text(
        'include "../b/base.thrift"\nservice S extends base.S { i32 near(1: i32 a), i32 both() }'
    )
    root = tmp_path / "root.thrift"
    root.write_text('include "a/base.thrift"\nservice Top extends base.S { i32 own() }')
    return root


@pytest.mark.parametrize(
    "name, own, inherited",
    [
        ("Top", ["own"], ["near", "both", "far"]),
        ("base.S", ["near", "both"], ["far"]),
    ],
)
def test_bases_of_services_are_followed_by_identity(same_base_names, name, own, inherited):
    service = tl.load(same_base_names).services[name]
    assert (
        service.extends == "base.S"
        and list(service.functions) == own
        and list(service.inherited) == inherited
    )
    assert list(service.function("far").returns.fields) == ["x"]
    assert service.function("both").returns.kind == "i32", "the nearest declaration wins"


def test_a_service_that_extends_one_of_another_file_of_the_same_name_is_loaded_as_a_root(
    same_base_names,
):
    service = tl.load(same_base_names.parent / "a" / "base.thrift").services["S"]
    assert list(service.functions) == ["near", "both"] and list(service.inherited) == ["far"]


ANNOTATED = """
typedef i32 (t = "1") Id (own = "2")
enum E { A = 1 (m = "x", n), B }
struct S { 1: Id (here = "3") id, 2: list<i32 (e = "4")> (l = "5") ids, 3: map<string (k = "6"), list<Id>> m, 4: E plain }
const list<i32 (c = "7")> L = [1]
service V { Id (r = "8") f(1: i32 (a = "9") x), oneway void g() }
"""


def test_annotations_of_members_and_of_types_are_described():
    idl = tl.loads(ANNOTATED)
    assert (
        idl.E.member_annotations == {"A": {"m": "x", "n": "1"}, "B": {}}
        and idl.S.member_annotations == {}
    )
    assert dict(idl.E.members) == {"A": 1, "B": 2}
    assert idl.S.fields["id"].type_annotations == {"here": "3", "own": "2", "t": "1"}
    description = json.loads(idl.describe(json=True))
    id_annotations = [["own", "2"], ["t", "1"]]
    assert description["enums"][0]["member_annotations"] == [["A", [["m", "x"], ["n", "1"]]]]
    assert description["typedefs"][0]["type_annotations"] == [["t", "1"]]
    assert description["consts"][0]["type_parameters"] == [{"type_annotations": [["c", "7"]]}]
    fields = {field["name"]: field for field in description["structs"][0]["fields"]}
    assert fields["id"]["type_annotations"] == [["here", "3"], *id_annotations]
    assert (fields["ids"]["type_annotations"], fields["ids"]["type_parameters"]) == (
        [["l", "5"]],
        [{"type_annotations": [["e", "4"]]}],
    )
    assert fields["m"]["type_parameters"] == [
        {"type_annotations": [["k", "6"]]},
        {"type_parameters": [{"type_annotations": id_annotations}]},
    ]
    assert not {"type_annotations", "type_parameters"} & set(fields["plain"])
    function = description["services"][0]["functions"][0]
    assert function["type_annotations"] == [["r", "8"], *id_annotations] and function["args"][0][
        "type_annotations"
    ] == [["a", "9"]]
    assert tl.loads(idl.describe()).describe() == idl.describe(), (
        "the text is IDL with the same annotations"
    )


@pytest.mark.parametrize("strict", [False, True])
def test_an_empty_list_is_an_empty_map(strict):
    idl = tl.loads(
        "struct S { 1: map<string, i32> m = [], 2: map<i32, map<i32, i32>> n = {1: []} } const map<i32, i32> C = []",
        strict=strict,
    )
    assert (idl.S.fields["m"].default, idl.S.fields["n"].default, idl.constants["C"]) == (
        {},
        {1: {}},
        {},
    )
    with pytest.raises(tl.SchemaError):
        tl.loads("const map<i32, i32> C = [1]", strict=strict)


def test_a_oneway_function_with_a_result_sends_none():
    idl = tl.loads("exception X {} service S { oneway i32 f() throws (1: X x) }")
    assert sorted(warning.kind for warning in idl.warnings) == ["oneway-result", "oneway-throws"]
    assert idl.service("S").function("f").oneway
