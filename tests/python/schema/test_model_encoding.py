"""Conversions that the annotations of a class ask encode for."""

import dataclasses
import enum
from typing import Any, Dict, List, NamedTuple, Optional, Union

import pytest
import thriftlens as tl
from thriftlens._schema.model_encoding import encoding_of

idl = tl.loads("""
enum Color { RED = 1, BLUE = 5 }
struct Circle { 1: i32 radius, 2: Color color }
struct Square { 1: i32 side, 2: i32 turn }
union Shape { 1: Circle circle, 2: Square square }
struct Drawing { 1: list<Shape> shapes, 2: map<string, Shape> named }
""")


class Names(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Circle:
    radius: int
    color: Names


@dataclasses.dataclass
class Square:
    side: int
    turn: int


@dataclasses.dataclass
class Drawing:
    shapes: List[Union[Circle, Square]]
    named: Dict[str, Union[Circle, Square]]


def test_annotations_without_conversion():
    color = idl.Circle.fields["color"].type
    for type_, annotation in (
        (color, enum.IntEnum("Color", {"RED": 1, "BLUE": 5})),
        (color, Any), (color, str), (idl.Circle, Circle), (idl["i32"], Optional[int]),
    ):  # fmt: skip
        assert encoding_of(type_, annotation) is None


def test_classes_of_members_of_a_union_inside_containers():
    drawing = Drawing([Circle(1, Names.RED), Square(2, 90)], {"a": Square(3, 0)})
    data = idl.Drawing.encode(drawing)
    assert idl.Drawing.decode(data) == {
        "shapes": [{"circle": {"radius": 1, "color": 1}}, {"square": {"side": 2, "turn": 90}}],
        "named": {"a": {"square": {"side": 3, "turn": 0}}},
    }
    assert idl.Drawing.decode(data, into=Drawing) == drawing


class_makers = {
    "dataclass": lambda name, *fields: dataclasses.make_dataclass(name, fields),
    "NamedTuple": lambda name, *fields: NamedTuple(name, fields),
    "msgspec": lambda name, *fields: pytest.importorskip("msgspec").defstruct(name, fields),
    "pydantic": lambda name, *fields: pytest.importorskip("pydantic").create_model(
        name, **{field: (type_, ...) for field, type_ in fields}
    ),
    "attrs": lambda name, *fields: pytest.importorskip("attrs").make_class(
        name, {field: pytest.importorskip("attrs").field(type=type_) for field, type_ in fields}
    ),
}


@pytest.mark.parametrize("make", class_makers.values(), ids=class_makers)
def test_an_object_of_the_class_of_a_member_is_that_member_of_a_union(make):
    class_ = make("Square", ("side", int), ("turn", int))
    square = class_(side=2, turn=90)
    expected = {"square": {"side": 2, "turn": 90}}
    for _ in range(2):
        assert idl.Shape.decode(idl.Shape.encode(square)) == expected
    drawing = idl.Drawing.encode({"shapes": [square, {"square": square}]})
    assert idl.Drawing.decode(drawing) == {"shapes": [expected, expected]}
    for wrong in (make("Other", ("side", int), ("size", int)), make("Bad", ("side", str))):
        with pytest.raises(tl.EncodeError, match="no field 'side' in Shape"):
            idl.Shape.encode(wrong(**dict.fromkeys(wrong.__annotations__, "1")))
    two = tl.loads("struct A { 1: i32 x } union U { 1: A first, 2: A second }").U
    with pytest.raises(tl.EncodeError, match="no field 'x' in U"):
        two.encode(make("A", ("x", int))(x=1))


def test_an_enum_that_contradicts_the_idl_is_not_encoded():
    Off = enum.IntEnum("Off", {"RED": 5, "BLUE": 6})
    for annotation in (Off, Optional[Off], Union[Off, int]):
        class_ = dataclasses.make_dataclass("Circle", [("radius", int), ("color", annotation)])
        with pytest.raises(tl.EncodeError, match="but the attribute is Off: .* RED = 1") as caught:
            idl.Circle.encode(class_(1, Off.RED))
        assert (caught.value.code, caught.value.path) == ("value_type", "$.color")
        assert idl.Circle.decode(idl.Circle.encode(class_(1, 5))) == {"radius": 1, "color": 5}
    part = enum.IntEnum("Part", {"RED": 1})  # can be encoded, but not decoded
    class_ = dataclasses.make_dataclass("Circle", [("radius", int), ("color", part)])
    assert idl.Circle.encode(class_(1, part.RED)) == idl.Circle.encode({"radius": 1, "color": 1})
    either = dataclasses.make_dataclass("Circle", [("radius", int), ("color", Union[Names, int])])
    for value, number in ((Names.BLUE, 5), (7, 7)):
        assert idl.Circle.decode(idl.Circle.encode(either(1, value)))["color"] == number


def test_texts_that_are_no_member_of_an_enum_are_not_encoded():
    Text = tl.loads("struct Text { 1: string text }").Text
    level = enum.Enum("Level", {"LOW": "low"}, type=str)
    class_ = dataclasses.make_dataclass("Model", [("text", level)])
    for value in (level.LOW, "low"):
        assert Text.decode(Text.encode(class_(value))) == {"text": "low"}
    with pytest.raises(tl.EncodeError, match="'nope' is not a valid Level") as caught:
        Text.encode(class_("nope"))
    assert caught.value.path == "$.text"


def test_a_class_that_changes_keeps_its_conversions():
    drawing = Drawing([Circle(1, Names.BLUE)], {})
    encoded = idl.Drawing.encode(drawing)
    Drawing.extra = 1  # changes the version of the class
    assert idl.Drawing.encode(drawing) == encoded


def test_classes_with_their_own_attribute_access():
    class Slow:
        radius: int
        color: Names

        def __init__(self, radius, color):
            self.radius, self.color = radius, color

        def __getattribute__(self, name):
            return object.__getattribute__(self, name)

    expected = idl.Circle.encode({"radius": 2, "color": 5})
    for _ in range(3):
        assert idl.Circle.encode(Slow(2, Names.BLUE)) == expected


def test_members_with_equal_fields_have_the_class_of_their_name():
    idl = tl.loads("""
        struct A { 1: i32 x } struct B { 1: i32 x } union Either { 1: A a, 2: B b }
        struct Holder { 1: Either either }
    """)
    class_a, class_b, other = (dataclasses.make_dataclass(n, [("x", int)]) for n in ("A", "B", "C"))
    for choices in (Union[class_a, class_b], Union[class_b, class_a]):
        holder = dataclasses.make_dataclass("Holder", [("either", choices)])
        for value, class_ in (({"a": {"x": 1}}, class_a), ({"b": {"x": 1}}, class_b)):
            object_ = idl.Holder.decode(idl.Holder.encode({"either": value}), into=holder)
            assert type(object_.either) is class_
            assert idl.Holder.decode(idl.Holder.encode(object_)) == {"either": value}
            assert idl.Either.decode(idl.Either.encode(object_.either)) == value
    holder = dataclasses.make_dataclass("Holder", [("either", Union[other, int])])
    with pytest.raises(tl.EncodeError, match="several members of Either have this class"):
        idl.Holder.encode(holder(other(1)))
