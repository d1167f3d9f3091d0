"""Matching of attributes with fields and of enums with enums."""

import enum
from typing import Annotated, NamedTuple

import pytest
import thriftlens as tl
from thriftlens._schema.class_fields import Attribute
from thriftlens._schema.model_parts import Location, Misfit, fields_of, members_of, misfit

idl = tl.loads("enum Color { RED = 1, BLUE = 5 } struct Paint { 1: Color color, 2: i32 amount }")


def test_places_name_elements_and_entries():
    location = Location("Order.items", "Model.items")
    assert location.element() == ("Order.items[*]", "Model.items")
    assert location.entry("{key *}").path == "Order.items{key *}"


def test_attributes_are_matched_by_wire_name_first():
    attribute = Attribute("color", "color", int, "error", None, "amount")
    assert [f.name for _, f in fields_of(idl.Paint, int, [attribute], False)] == ["amount"]
    with pytest.raises(Misfit, match="int.colour: no field 'colour' in Paint"):
        fields_of(idl.Paint, int, [Attribute("colour", "hue", int, "error", None, None)], False)


def test_two_attributes_of_a_field_are_an_error():
    class Twice(NamedTuple):
        amount: int
        price: Annotated[int, tl.Name("amount")]

    with pytest.raises(TypeError, match="Twice.amount and Twice.price are the field Paint.amount"):
        idl.Paint.decoder(into=Twice)
    with pytest.raises(tl.EncodeError, match="no field 'price'"):
        idl.Paint.encode(Twice(1, 2))


@pytest.mark.parametrize(
    "extras, error",
    [
        ([tl.Name("amount"), tl.Name("color")], "amount has two names: 'amount' and 'color'"),
        ([tl.Unix("s"), tl.Unix("ms")], "amount has two conversions: Unix.* and Unix"),
        ([tl.Adapter(int, int), tl.Unix("ms")], "amount has two conversions: Adapter"),
    ],
)
def test_contradicting_annotations_are_an_error(extras, error):
    annotation = int
    for extra in extras:
        annotation = Annotated[annotation, extra]
    model = NamedTuple("Model", [("amount", annotation)])
    with pytest.raises(TypeError, match=error):
        idl.Paint.decoder(into=model)


@pytest.mark.parametrize(
    "make", [lambda: tl.Name(""), lambda: tl.Name(5), lambda: tl.Adapter(1, int)]
)
def test_arguments_of_annotations_are_checked(make):
    with pytest.raises(TypeError, match=r"^tl\.(Name|Adapter) takes"):
        make()


def test_members_are_matched_by_number_then_by_name():
    numbers = enum.Enum("numbers", {"A": 1, "B": 5})
    names = enum.Enum("names", {"A": "BLUE", "B": "RED"})
    same = enum.Enum("same", {"RED": "r", "BLUE": "b"})
    location = Location("Paint.color", "Model.color")
    assert members_of(idl.Color, numbers, location) == {"RED": numbers.A, "BLUE": numbers.B}
    assert members_of(idl.Color, names, location) == {"RED": names.B, "BLUE": names.A}
    assert members_of(idl.Color, same, location) == {"RED": same.RED, "BLUE": same.BLUE}
    with pytest.raises(Misfit, match="lacks the member RED = 1"):
        members_of(idl.Color, enum.IntEnum("Swapped", {"RED": 2, "BLUE": 5}), location)


def test_errors_name_both_sides():
    error = misfit(idl.Paint, int, Location("Order.paint", "Model.paint"), "a hint")
    assert str(error) == "Order.paint is Paint (struct), but Model.paint is int: a hint"
