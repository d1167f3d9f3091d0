"""Annotations that are texts, generics and qualifiers."""

from __future__ import annotations

import dataclasses
import operator
import sys
import types
import typing
from decimal import Decimal
from typing import Generic, List, NamedTuple, Optional, TypeVar

import pytest
import thriftlens as tl
from thriftlens._schema.annotations import annotation_text, substituted

IDL = tl.loads("""
struct Item { 1: i32 n, 2: optional string price }
struct Box { 1: Item top, 2: list<Item> items, 3: string label }
""")
DATA = IDL.Box.encode({"top": {"n": 1}, "items": [{"n": 2}], "label": "1.50"})
T = TypeVar("T")
U = TypeVar("U")


class Item(NamedTuple):
    n: int


@dataclasses.dataclass
class Box(Generic[T, U]):
    top: T
    items: List[T]
    label: Optional[U] = None


class Labelled(Box[Item, T]):
    """One argument is left to its users."""


def test_type_variables_are_the_arguments_of_generics():
    for generic, class_ in ((Box[Item, Decimal], Box), (Labelled[Decimal], Labelled)):
        box = IDL.Box.decode(DATA, into=generic)
        assert box == class_(Item(1), [Item(2)], Decimal("1.50"))
    with pytest.raises(TypeError, match="Box.top is Item .struct., but Box.top is int"):
        IDL.Box.decoder(into=Box[int, str])
    assert substituted(Optional[List[T]], {T: int}) == Optional[List[int]]


def test_generics_of_libraries():
    attrs, msgspec = pytest.importorskip("attrs"), pytest.importorskip("msgspec")
    rows = [("top", T), ("items", List[T])]
    fill = operator.methodcaller("update", __annotations__=dict(rows))
    made = (
        types.new_class("Made", (*base, Generic[T]), {}, fill) for base in ((), (msgspec.Struct,))
    )
    for class_ in (attrs.define(next(made)), next(made)):
        decoded = IDL.Box.decode(DATA, into=class_[Item])
        assert (decoded.top, decoded.items) == (Item(1), [Item(2)])


@pytest.mark.skipif(sys.version_info < (3, 11), reason="newer qualifiers")
def test_qualifiers_in_annotations_that_are_texts():
    """A class whose annotations are texts does not know its required keys."""

    class Keys(typing.TypedDict):
        n: int
        price: typing.NotRequired[str]

    assert Keys.__required_keys__ == {"n", "price"}
    assert IDL.Item.decode(IDL.Item.encode({"n": 3}), into=Keys) == {"n": 3}


def test_annotations_are_named_as_in_source():
    assert annotation_text(int) == "int"
    assert annotation_text(Optional[List[int]]) == "Optional[List[int]]"
    text = annotation_text(typing.Union[Item, typing.Literal["a.b"]])
    assert text == "Union[Item, Literal['a.b']]"
