"""Columns, and views of lists of numbers, as NumPy's arrays; NumPy is imported when one is asked for."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Iterable, NamedTuple, Optional

from .. import _core
from .._core import ListView
from .._errors import Error
from .._optional import package

if TYPE_CHECKING:
    import numpy

_DTYPES = {"c": "i1", "s": "<i2", "i": "<i4", "l": "<i8", "g": "<f8"}


class _Node(NamedTuple):
    """An Arrow array, as _core.arrow_buffers has it."""

    name: str
    format: str
    length: int
    nulls: int
    buffers: list[Any]
    children: list[Any]
    dictionary: Any


def numpy_module() -> Any:
    """The package. Raises ImportError where it cannot be imported."""
    return package("numpy", "arrays need", "numpy")


def column_of(schema: Any, arrays: Iterable[Any], path: str, fill: Any) -> numpy.ndarray[Any, Any]:
    """The values at a path in all batches."""
    np = numpy_module()
    found = [_at(np, _Node(*_core.arrow_buffers(schema, each)), path.removeprefix("$."), None, path) for each in arrays]
    parts = [values for values, _ in found]
    whole = parts[0] if len(parts) == 1 else np.concatenate(parts)
    masks = [np.zeros(len(values), bool) if mask is None else mask for values, mask in found]
    if all(mask is None for _, mask in found) or whole.dtype == object:
        return whole  # type: ignore[no-any-return]
    absent = np.concatenate(masks)
    if not absent.any():
        return whole  # type: ignore[no-any-return]
    if fill is None:
        return np.ma.MaskedArray(whole, absent)  # type: ignore[no-any-return]
    return np.where(absent, np.asarray(fill), whole)  # type: ignore[no-any-return]


def _at(np: Any, node: _Node, path: str, absent: Any, whole: str) -> tuple[Any, Any]:
    """The values below a node, and which of them are null; absent: which of the node's are, by those around them."""
    mask = _mask(np, node)
    absent = mask if absent is None else absent if mask is None else absent | mask
    if path == "":
        return _values(np, node, absent, whole), absent
    if path.startswith("[*]"):
        if node.format not in ("+l", "+m"):
            raise Error(f"{whole}: {node.name or 'the row'} is no list", code="bad_path", path=whole)
        begin, end = _bounds(np, node)
        elements = _Node(*node.children[0])
        values, below = _at(np, elements, path[3:].removeprefix("."), None, whole)
        if len(end) and (end[-1] != elements.length or begin[0] != 0):
            raise Error(f"{whole}: the elements do not lie side by side", code="unsupported", path=whole)
        return values, below
    if node.format != "+s":
        raise Error(f"{whole}: {node.name or 'the row'} has no fields", code="bad_path", path=whole)
    for child in node.children:
        name = child[0]
        if path == name or path.startswith((name + ".", name + "[")):
            return _at(np, _Node(*child), path[len(name) :].removeprefix("."), absent, whole)
    raise Error(f"{whole}: no column of that name; there are {', '.join(each[0] for each in node.children)}", code="no_such_field", path=whole)


def _mask(np: Any, node: _Node) -> Optional[Any]:
    if node.nulls == 0 or not node.buffers or node.buffers[0] is None:
        return None
    bits = np.unpackbits(np.frombuffer(node.buffers[0], "u1"), count=node.length, bitorder="little")
    return bits == 0


def _bounds(np: Any, node: _Node) -> tuple[Any, Any]:
    offsets = np.frombuffer(node.buffers[1], "<i4", count=node.length + 1 if node.length else 0)
    return offsets[:-1], offsets[1:]


def _values(np: Any, node: _Node, absent: Any, whole: str) -> Any:
    """The values of a leaf; numbers where they lie, the rest as objects, None being null."""
    if node.dictionary is not None:
        names = _values(np, _Node(*node.dictionary), None, whole)
        index = np.frombuffer(node.buffers[1], _DTYPES[node.format], count=node.length)
        if absent is None:
            return names[index]
        found = np.empty(node.length, object)
        found[~absent] = names[index[~absent]]
        return found
    if node.format in _DTYPES:
        return np.frombuffer(node.buffers[1], _DTYPES[node.format], count=node.length)
    if node.format == "b":
        return np.unpackbits(np.frombuffer(node.buffers[1], "u1"), count=node.length, bitorder="little").astype(bool)
    if node.format in ("+s", "+m") or node.format.startswith("+u"):
        raise Error(f"{whole}: name a field of it: structs, maps and unions are no arrays", code="unsupported", path=whole)
    found = np.empty(node.length, object)
    for index, value in enumerate(_objects(np, node, whole)):
        if absent is None or not absent[index]:
            found[index] = value
    return found


def _objects(np: Any, node: _Node, whole: str) -> Iterable[Any]:
    if node.format == "w:16":
        data = bytes(node.buffers[1])
        return (uuid.UUID(bytes=data[at : at + 16]) for at in range(0, 16 * node.length, 16))
    begin, end = _bounds(np, node)
    if node.format == "+l":
        inner = _Node(*node.children[0])
        values = _values(np, inner, _mask(np, inner), whole)
        return (values[first:last] for first, last in zip(begin.tolist(), end.tolist()))
    texts = memoryview(node.buffers[2])
    if node.format == "u":
        return (str(texts[first:last], "utf-8") for first, last in zip(begin.tolist(), end.tolist()))
    return (bytes(texts[first:last]) for first, last in zip(begin.tolist(), end.tolist()))


def to_numpy(view: ListView) -> numpy.ndarray[Any, Any]:
    """ListView.to_numpy."""
    np = numpy_module()
    found = _core.number_buffer(view)
    if found is None:
        raise TypeError(f"no list of numbers: {view!r}")
    buffer, dtype = found
    return np.frombuffer(buffer, dtype)  # type: ignore[no-any-return]


def as_array(view: ListView, dtype: Any = None, copy: Optional[bool] = None) -> numpy.ndarray[Any, Any]:
    """What numpy.asarray(view) calls."""
    np = numpy_module()
    try:
        found = to_numpy(view)
    except TypeError:
        found = np.empty(len(view), object)
        found[:] = list(view)
    if copy or (dtype is not None and found.dtype != dtype):
        if copy is False:
            raise ValueError("these elements cannot be had without a copy")
        found = found.astype(dtype or found.dtype)
    return found
