"""Matching of attributes with fields and of enums with enums."""

import enum

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
