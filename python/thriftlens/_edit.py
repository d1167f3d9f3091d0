"""Edits of Thrift bytes: the plain-Python face of the compiled part."""

from __future__ import annotations

from typing import Any, Callable, Optional, Union

from . import _core

_NOTHING: Any = object()


class Edit:
    """Changes to the bytes of one value, collected and applied in one pass; made by Type.edit.

    Everything that no change names stays as it is, byte by byte: unknown fields, order, number forms. All paths mean the value as
    it was before: indices do not move by earlier changes. Paths may hold wildcards and slices. The data is never written to.

    A new value is a Python value as encode takes it, or one of json= (JSON text) and wire= (wire bytes of the type).

    >>> import thriftlens as tl
    >>> Order = tl.loads("struct Item { 1: string sku } struct Order { 1: list<Item> items, 2: optional string debug, 3: i32 n }").Order
    >>> data = Order.encode({"items": [{"sku": "a"}], "debug": "x", "n": 1})
    >>> data = Order.edit(data).set("$.items[0].sku", "b").erase("$.debug").append("$.items", {"sku": "c"}).apply()
    >>> Order.decode(data)
    {'items': [{'sku': 'b'}, {'sku': 'c'}], 'n': 1}
    >>> Order.decode(Order.edit(data).replace("$.n", lambda n: n + 1).apply())["n"]
    2
    """

    __slots__ = ("_core", "_changes")

    def __init__(self, core: _core.Edit):
        self._core = core
        self._changes: list[Callable[[Any], Any]] = []

    def set(self, path: str, value: Any = _NOTHING, *, json: Optional[Union[str, bytes]] = None, wire: Any = None) -> Edit:
        """Replaces a value; a missing field or entry is added. What it stands in must be there: see create."""
        return self._put("set", path, value, json, wire)

    def create(self, path: str, value: Any = _NOTHING, *, json: Optional[Union[str, bytes]] = None, wire: Any = None) -> Edit:
        """As set, and makes the structs and maps on the way where they are missing."""
        return self._put("create", path, value, json, wire)

    def insert(self, path: str, value: Any = _NOTHING, *, json: Optional[Union[str, bytes]] = None, wire: Any = None) -> Edit:
        """Adds an element before that index, or a field or entry that must not be there yet."""
        return self._put("insert", path, value, json, wire)

    def append(self, path: str, value: Any = _NOTHING, *, json: Optional[Union[str, bytes]] = None, wire: Any = None) -> Edit:
        """Adds an element at the end of the list or set that the path leads to."""
        return self._put("append", path, value, json, wire)

    def erase(self, path: str) -> Edit:
        """Removes a field, element or entry; nothing happens where it is not there."""
        self._core.erase(path)
        return self

    def replace(self, path: str, change: Callable[[Any], Any]) -> Edit:
        """Replaces each value that the path leads to by change(old value). It may be called more than once for a value."""
        self._core.replace(path)
        self._changes.append(change)
        return self

    def apply(self) -> bytes:
        """The changed bytes. Raises AbsentError where set, insert or append have nowhere to go; Error for changes that contradict
        each other; DecodeError for broken bytes."""
        return self._core.apply(self._changes)

    def _put(self, action: str, path: str, value: Any, json: Optional[Union[str, bytes]], wire: Any) -> Edit:
        given = [(each, form) for each, form in ((json, "json"), (wire, "wire")) if each is not None]
        if value is not _NOTHING:
            given.append((value, "value"))
        if len(given) != 1:
            raise TypeError(f"{action}() takes a value, json= or wire=, and one of them only")
        self._core.put(action, path, *given[0])
        return self
