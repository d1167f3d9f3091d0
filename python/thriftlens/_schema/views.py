"""What views of structs and maps give for keys(), values() and items(): one child at a time, as the ABCs have it."""

from __future__ import annotations

import collections.abc
from typing import Any, Iterator, Union

from .._core import ListView, MapView, SetView, StructView, View
from .._errors import Error
from .html import cut, short

# isinstance, and the patterns of match, see them as what they are.
collections.abc.Mapping.register(StructView)
collections.abc.Mapping.register(MapView)
collections.abc.Sequence.register(ListView)
collections.abc.Set.register(SetView)


class Keys(collections.abc.KeysView):  # type: ignore[type-arg]
    """Names of fields, or keys of a map."""

    __slots__ = ()
    _mapping: Union[StructView, MapView]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._mapping)

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self._mapping)


class Values(collections.abc.ValuesView):  # type: ignore[type-arg]
    """Values of fields, or of a map."""

    __slots__ = ()
    _mapping: Union[StructView, MapView]

    def __iter__(self) -> Iterator[Any]:
        return self._mapping._values()

    def __contains__(self, value: object) -> bool:
        return any(each is value or each == value for each in self)


class Items(collections.abc.ItemsView):  # type: ignore[type-arg]
    """Pairs of names and values of fields, or of keys and values of a map."""

    __slots__ = ()
    _mapping: Union[StructView, MapView]

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return self._mapping._items()


def _to_numpy(self: ListView) -> Any:
    from .numpy import to_numpy

    return to_numpy(self)


def _as_array(self: ListView, dtype: Any = None, copy: Any = None) -> Any:
    """What numpy.asarray(view) calls."""
    from .numpy import as_array

    return as_array(self, dtype, copy)


_to_numpy.__doc__ = """The elements of a list of numbers as an array of NumPy, read-only.

Of Binary, and of doubles and i8 of Compact, it lies over the bytes of the view, which it keeps alive: big endian in Binary, nothing copied
(`.astype("i4")` makes it the machine's own). Varints of Compact, and bools, are decoded once.

Raises TypeError for lists of anything else; DecodeError where the bytes are broken.

>>> import thriftlens as tl
>>> Series = tl.loads("struct Series { 1: list<double> values }")["Series"]
>>> Series.view(Series.encode({"values": [1.5, 2.0]}))["values"].to_numpy().sum().item()
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
