"""Services and functions: inheritance, streaming, calls."""

import pytest
import thriftlens as tl


def test_services_decode_their_calls(shop):
    service = shop.services["Shop"]
    assert shop.Shop == service and service.extends is None
    assert list(service.functions) == ["get", "place", "touch"]
    get, touch = service.functions["get"], service.functions["touch"]
    with pytest.raises(tl.UnknownNameError, match="no function 'gett'; did you mean 'get'"):
        service.functions["gett"]
    assert get.returns is shop.Order and not get.oneway and touch.oneway and touch.returns is None
    assert list(get.arguments.fields) == ["id"]
    assert list(get.result.fields) == ["success", "missing"]
    assert get.arguments.decode(get.arguments.encode({"id": 5})) == {"id": 5}


def test_functions_have_a_streaming_mode():
    idl = tl.loads(
        'struct M {1: string t} service E { M a(1: M m) (streaming.mode = "client") M b(1: M m) M '
        'c(1: M m) (streaming.mode = "x") }'
    )
    result = {name: function.streaming for name, function in idl.service("E").functions.items()}
    assert result == {"a": "client", "b": "none", "c": "bidirectional"}
    assert [warning.kind for warning in idl.warnings] == ["streaming-mode"]


@pytest.fixture
def same_base_names(tmp_path):
    """A root that includes two files named base.thrift; the service of one extends that of the
    other."""
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
    [("Top", ["own"], ["near", "both", "far"]), ("base.S", ["near", "both"], ["far"])],
)
def test_bases_of_services_are_followed_by_identity(same_base_names, name, own, inherited):
    service = tl.load(same_base_names).services[name]
    assert service.extends == "base.S" and list(service.functions) == own
    assert list(service.inherited) == inherited
    assert list(service.function("far").returns.fields) == ["x"]
    assert service.function("both").returns.kind == "i32", "the nearest declaration wins"


def test_a_service_that_extends_one_of_another_file_of_the_same_name_is_loaded_as_a_root(
    same_base_names,
):
    service = tl.load(same_base_names.parent / "a" / "base.thrift").services["S"]
    assert list(service.functions) == ["near", "both"] and list(service.inherited) == ["far"]


IDL = tl.loads(
    "struct In { 1: i32 x } union U { 1: i32 a, 2: In b } struct S { 1: i64 id, 2: string text, 3: "
    "list<In> items, 4: map<string, list<i32>> names, 5: U u, 6: set<i32> t, 7: binary raw } "
    "service Svc { S get(1: i64 id, 2: S given) }"
)


def test_messages_services_and_functions_are_short():
    service = IDL.service("Svc")
    function = service.function("get")
    data = function.arguments.encode({"id": 1, "given": {"raw": bytes(10_000)}})
    message = tl.Message("get" * 100, "call", 7, data, function=function)
    assert repr(service) == "<thriftlens.Service Svc: get>"
    assert repr(function) == "<thriftlens.Function get(id, given)>"
    assert repr(message).startswith("<thriftlens.Message call 'getget") and len(repr(message)) < 400
    many = tl.loads(
        "service Many { " + " ".join(f"void function_{number}()" for number in range(1000)) + " }"
    )
    assert len(repr(many.service("Many"))) < 200
