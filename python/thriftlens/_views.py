"""What views of structs and maps give for keys(), values() and items(): one child at a time, as the ABCs have it."""

from __future__ import annotations

import collections.abc
from typing import Any, Iterator, Union

from ._core import ListView, MapView, SetView, StructView

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
