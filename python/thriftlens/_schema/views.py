"""The results of keys(), values() and items() of views of structs and maps, as the ABCs define
them."""

from __future__ import annotations

import collections.abc
from types import ModuleType
from typing import TYPE_CHECKING, Iterator, Optional, Union, cast

from .._core import ListView, MapView, SetView, StructView, View
from .._errors import Error
from .._typing import Value
from .html import cut, short

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from .numpy import Array

# For isinstance and match patterns.
collections.abc.Mapping.register(StructView)
collections.abc.Mapping.register(MapView)
collections.abc.Sequence.register(ListView)
collections.abc.Set.register(SetView)


class Keys(collections.abc.KeysView):  # type: ignore[type-arg]
    """Names of fields, or keys of a map."""

    __slots__ = ()
    _mapping: Union[StructView, MapView]

    def __iter__(self) -> Iterator[Value]:
        return iter(self._mapping)

    def __reversed__(self) -> Iterator[Value]:
        return reversed(self._mapping)


class Values(collections.abc.ValuesView):  # type: ignore[type-arg]
    """Values of fields, or of a map."""

    __slots__ = ()
    _mapping: Union[StructView, MapView]

    def __iter__(self) -> Iterator[Value]:
        return self._mapping._values()

    def __contains__(self, value: object) -> bool:
        return any(item is value or item == value for item in self)


class Items(collections.abc.ItemsView):  # type: ignore[type-arg]
    """Pairs of names and values of fields, or of keys and values of a map."""

    __slots__ = ()
    _mapping: Union[StructView, MapView]

    def __iter__(self) -> Iterator[tuple[Value, Value]]:
        return self._mapping._items()


def _numpy() -> ModuleType:
    from . import numpy  # slow

    return numpy


def _to_numpy(self: ListView) -> Array:
    return cast("Array", _numpy().to_numpy(self))


def _as_array(
    self: ListView, dtype: Optional[DTypeLike] = None, copy: Optional[bool] = None
) -> Array:
    """Implements numpy.asarray(view)."""
    return cast("Array", _numpy().as_array(self, dtype, copy))


_to_numpy.__doc__ = """The elements of a list of numbers as a read-only NumPy array.

For Binary, and for doubles and i8 in Compact, the array is a view of the bytes, without a copy, and
keeps them alive; it is big endian in Binary (`.astype("i4")` converts to native order). Varints of
Compact, and bools, are decoded into a new array.

Raises TypeError for other lists; DecodeError for invalid bytes.

>>> import thriftlens as tl
>>> Series = tl.loads("struct Series { 1: list<double> values }")["Series"]
>>> values = Series.view(Series.encode({"values": [1.5, 2.0]}))["values"]
>>> values.to_numpy().sum().item()
3.5
"""
ListView.to_numpy = _to_numpy  # type: ignore[method-assign]
ListView.__array__ = _as_array  # type: ignore[method-assign]


_MAX_TEXT = 1000


def text_of_view(view: View) -> str:
    """The text of str(view), at most _MAX_TEXT characters; invalid bytes end it."""
    text = ""
    try:
        for piece in _pieces(view):
            text += piece
            if len(text) > _MAX_TEXT:
                break
    except Error as error:
        text = f"{text} ! {error}"
    return cut(text, _MAX_TEXT)


def _pieces(value: object) -> Iterator[str]:
    if isinstance(value, (StructView, MapView)):
        separator = "{"
        for key, child in value.items():
            yield f"{separator}{short(key)}: "
            yield from _pieces(child)
            separator = ", "
        yield "}" if separator == ", " else "{}"
    elif isinstance(value, (ListView, SetView)):
        opening, closing = "[]" if isinstance(value, ListView) else "{}"
        yield opening
        for index, child in enumerate(value):
            yield ", " if index else ""
            yield from _pieces(child)
        yield closing
    else:
        yield short(value)
