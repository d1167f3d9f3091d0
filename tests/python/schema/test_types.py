"""Types, fields and their annotations."""

import json

import pytest
import thriftlens as tl


def test_fields(shop):
    fields = shop.Order.fields
    assert list(fields)[:3] == ["id", "user", "items"]
    id, status, base = fields["id"], fields["status"], fields["base"]
    assert id.id == 1 and id.requiredness == "required" and id.type.name == "i64"
    assert id.has_default is False and id.default is None
    assert status.requiredness == "default" and status.type.kind == "enum"
    assert status.has_default is True and status.default == 1
    assert (base.id, base.type) == (255, shop["base.Base"])
    assert shop.User.fields["email"].annotations == {"pii": "email"}
    assert fields["items"].type.parameters == (shop.Item,)
    assert shop.Status.fields == {} and shop.Status.members == {"NEW": 1, "PAID": 2, "SHIPPED": 3}
    assert shop.Order.members == {}


def test_docs_and_aliases():
    idl = tl.loads(
        '/** A thing. */ struct T { /** Its a. */ 1: i32 a (api.key = "A"), 2: i32 b } (origin = '
        '"here")'
    )
    assert idl.T.doc == "A thing." and idl.T.annotations == {"origin": "here"}
    assert idl.T.fields["a"].doc == "Its a." and idl.T.fields["a"].alias == "A"
    assert idl.T.fields["b"].alias == "b"


def test_types_outlive_their_schema():
    def make():
        return tl.loads("struct P { 1: i32 x }").P

    of = make()
    assert of.decode(of.encode({"x": 1})) == {"x": 1} and of.schema.P is of


def test_fields_are_created_once():
    of = tl.loads("struct T { 1: i32 a = 5, 2: list<T> b }").T
    assert of.fields is of.fields and list(of.fields) == ["a", "b"]
    with pytest.raises(TypeError):
        of.fields["c"] = of.fields["a"]
    color = tl.loads("enum Color { RED = 1 } typedef list<Color> Colors")
    assert color.Color.members is color.Color.members
    assert color["Colors"].parameters is color["Colors"].parameters


ANNOTATED = """
typedef i32 (t = "1") Id (own = "2")
enum E { A = 1 (m = "x", n), B }
struct S { 1: Id (here = "3") id, 2: list<i32 (e = "4")> (l = "5") ids, 3: map<string (k = "6"),
  list<Id>> m, 4: E plain }
const list<i32 (c = "7")> L = [1]
service V { Id (r = "8") f(1: i32 (a = "9") x), oneway void g() }
"""


def test_annotations_of_members_and_of_types_are_described():
    idl = tl.loads(ANNOTATED)
    assert idl.E.member_annotations == {"A": {"m": "x", "n": "1"}, "B": {}}
    assert idl.S.member_annotations == {}
    assert dict(idl.E.members) == {"A": 1, "B": 2}
    assert idl.S.fields["id"].type_annotations == {"here": "3", "own": "2", "t": "1"}
    description = json.loads(idl.describe(json=True))
    id_annotations = [["own", "2"], ["t", "1"]]
    assert description["enums"][0]["member_annotations"] == [["A", [["m", "x"], ["n", "1"]]]]
    assert description["typedefs"][0]["type_annotations"] == [["t", "1"]]
    assert description["consts"][0]["type_parameters"] == [{"type_annotations": [["c", "7"]]}]
    fields = {field["name"]: field for field in description["structs"][0]["fields"]}
    assert fields["id"]["type_annotations"] == [["here", "3"], *id_annotations]
    assert fields["ids"]["type_annotations"] == [["l", "5"]]
    assert fields["ids"]["type_parameters"] == [{"type_annotations": [["e", "4"]]}]
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
