"""Stubs of the types and views of a schema; test_stubs.py has type checkers read them."""

import thriftlens as tl
from thriftlens._schema.stub_views import schema_stub

IDL = tl.loads("""
enum Color { RED }
struct Leaf { 1: Color color, 2: map<list<i32>, set<string>> groups, 3: i32 class }
struct Node { 1: i64 id, 2: Node left, 3: Leaf leaf, 4: list<Leaf> leaves }
struct types { 1: bool get }
""")
TEXT = "\n".join(schema_stub(IDL, tl.Schema))


def signatures(name):
    body = TEXT.partition(f"class {name}(")[2].partition("\nclass ")[0]
    return [line.strip() for line in body.splitlines() if "def " in line]


def test_views_have_the_fields_as_attributes():
    assert signatures("_NodeView") == [
        "def id(self) -> _b.int: ...",
        "def left(self) -> _NodeView: ...",
        "def leaf(self) -> _LeafView: ...",
        "def leaves(self) -> _List[_LeafView]: ...",
    ]
    assert signatures("_LeafView") == [
        "def color(self) -> _b.int: ...",
        "def groups(self) -> _Map[_t.Any, _Set[_b.str]]: ...",
    ]
    assert signatures("_typesView") == []  # `get` is the method


def test_paths_without_recursion_are_literals():
    paths = [text for line in signatures("_NodeType") for text in line.split('"') if "$" in text]
    assert sorted(paths) == [
        "$.id", "$.leaf", "$.leaf.class", "$.leaf.color", "$.leaf.groups", "$.leaves", "$.left",
    ]  # fmt: skip
    assert 'Literal["$.leaf.groups"], default: None = None, /, **options: _t.Any) -> ' in TEXT
    assert "_t.Optional[_b.dict[_t.Any, _b.set[_b.str]]]" in TEXT


def test_the_schema_knows_its_names():
    assert "    Node: _NodeType\n" in TEXT and "    types: " not in TEXT
    assert 'def __getitem__(self, name: _t.Literal["types"]) -> _typesType: ...' in TEXT
    assert 'def enum(self, name: _t.Literal["Color"]) -> _b.type[Color]: ...' in TEXT
    for name in ("types", "Node"):
        assert IDL[name].name == name


def test_a_wide_type_has_a_limited_number_of_paths():
    fields = ", ".join(f"{number}: i32 f{number}" for number in range(1, 400))
    text = "\n".join(schema_stub(tl.loads(f"struct Wide {{ {fields} }}"), tl.Schema))
    assert text.count('"$.') == 200 and text.count("@_b.property") == 399
