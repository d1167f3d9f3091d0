"""Columns, and views of lists of numbers, as NumPy arrays; NumPy is imported on first use."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Iterable, Optional

from .. import _core
from .._core import ListView
from .._errors import Error
from .._optional import package

if TYPE_CHECKING:
    import numpy

    from .._core import ArrowNode

_DTYPES = {"c": "i1", "s": "<i2", "i": "<i4", "l": "<i8", "g": "<f8"}


def numpy_module() -> Any:
    """Imports NumPy. Raises ImportError if it is missing."""
    return package("numpy", "arrays need", "numpy")


def column_of(schema: Any, arrays: Iterable[Any], path: str, fill: Any) -> numpy.ndarray[Any, Any]:
    """The values at a path in all batches."""
    np = numpy_module()
    batches = [
        _at(np, _core.arrow_buffers(schema, array), path.removeprefix("$."), None, path)
        for array in arrays
    ]
    parts = [column for column, _ in batches]
    values = parts[0] if len(parts) == 1 else np.concatenate(parts)
    masks = [np.zeros(len(column), bool) if mask is None else mask for column, mask in batches]
    if all(mask is None for _, mask in batches) or values.dtype == object:
        return values  # type: ignore[no-any-return]
    absent = np.concatenate(masks)
    if not absent.any():
        return values  # type: ignore[no-any-return]
    if fill is None:
        return np.ma.MaskedArray(values, absent)  # type: ignore[no-any-return]
    return np.where(absent, np.asarray(fill), values)  # type: ignore[no-any-return]


def _at(np: Any, node: ArrowNode, path: str, absent: Any, full_path: str) -> tuple[Any, Any]:
    """The values at a path below a node, and the mask of nulls. absent: the mask from enclosing
    nodes."""
    mask = _mask(np, node)
    absent = mask if absent is None else absent if mask is None else absent | mask
    if path == "":
        return _values(np, node, absent, full_path), absent
    if path.startswith("[*]"):
        return _elements_at(np, node, path[3:].removeprefix("."), full_path)
    if node.format != "+s":
        raise _fault(full_path, f"{node.name or 'the row'} has no fields", "bad_path")
    for child in node.children:
        name = child[0]
        if path == name or path.startswith((name + ".", name + "[")):
            return _at(np, child, path[len(name) :].removeprefix("."), absent, full_path)
    names = ", ".join(child[0] for child in node.children)
    raise _fault(full_path, f"no column of that name; there are {names}", "no_such_field")


def _elements_at(np: Any, node: ArrowNode, path: str, full_path: str) -> tuple[Any, Any]:
    """The values at a path below the elements of a list."""
    if node.format not in ("+l", "+m"):
        raise _fault(full_path, f"{node.name or 'the row'} is not a list", "bad_path")
    begin, end = _bounds(np, node)
    elements = node.children[0]
    values, mask = _at(np, elements, path, None, full_path)
    if len(end) and (end[-1] != elements.length or begin[0] != 0):
        raise _fault(full_path, "the elements are not contiguous", "unsupported")
    return values, mask


def _fault(path: str, text: str, code: str) -> Error:
    return Error(f"{path}: {text}", code=code, path=path)


def _mask(np: Any, node: ArrowNode) -> Optional[Any]:
    if node.nulls == 0 or not node.buffers or node.buffers[0] is None:
        return None
    bits = np.unpackbits(np.frombuffer(node.buffers[0], "u1"), count=node.length, bitorder="little")
    return bits == 0


def _bounds(np: Any, node: ArrowNode) -> tuple[Any, Any]:
    offsets = np.frombuffer(node.buffers[1], "<i4", count=node.length + 1 if node.length else 0)
    return offsets[:-1], offsets[1:]


def _values(np: Any, node: ArrowNode, absent: Any, full_path: str) -> Any:
    """The values of a leaf; numbers without a copy, others as objects with None for null."""
    if node.dictionary is not None:
        names = _values(np, node.dictionary, None, full_path)
        index = np.frombuffer(node.buffers[1], _DTYPES[node.format], count=node.length)
        if absent is None:
            return names[index]
        values = np.empty(node.length, object)
        values[~absent] = names[index[~absent]]
        return values
    if node.format in _DTYPES:
        return np.frombuffer(node.buffers[1], _DTYPES[node.format], count=node.length)
    if node.format == "b":
        return np.unpackbits(
            np.frombuffer(node.buffers[1], "u1"), count=node.length, bitorder="little"
        ).astype(bool)
    if node.format in ("+s", "+m") or node.format.startswith("+u"):
        text = "structs, maps and unions are not arrays; add a field to the path"
        raise _fault(full_path, text, "unsupported")
    values = np.empty(node.length, object)
    for index, value in enumerate(_objects(np, node, full_path)):
        if absent is None or not absent[index]:
            values[index] = value
    return values


def _objects(np: Any, node: ArrowNode, full_path: str) -> Iterable[Any]:
    if node.format == "w:16":
        data = bytes(node.buffers[1])
        return (
            uuid.UUID(bytes=data[offset : offset + 16]) for offset in range(0, 16 * node.length, 16)
        )
    begin, end = _bounds(np, node)
    if node.format == "+l":
        inner = node.children[0]
        values = _values(np, inner, _mask(np, inner), full_path)
        return (values[start:stop] for start, stop in zip(begin.tolist(), end.tolist()))
    texts = memoryview(node.buffers[2])
    if node.format == "u":
        return (
            str(texts[start:stop], "utf-8") for start, stop in zip(begin.tolist(), end.tolist())
        )
    return (bytes(texts[start:stop]) for start, stop in zip(begin.tolist(), end.tolist()))


def to_numpy(view: ListView) -> numpy.ndarray[Any, Any]:
    """ListView.to_numpy."""
    np = numpy_module()
    buffer_and_dtype = _core.number_buffer(view)
    if buffer_and_dtype is None:
        raise TypeError(f"expected a list of numbers, found {view!r}")
    buffer, dtype = buffer_and_dtype
    return np.frombuffer(buffer, dtype)  # type: ignore[no-any-return]


def as_array(
    view: ListView, dtype: Any = None, copy: Optional[bool] = None
) -> numpy.ndarray[Any, Any]:
    """Implements numpy.asarray(view)."""
    np = numpy_module()
    try:
        array = to_numpy(view)
    except TypeError:
        array = np.empty(len(view), object)
        array[:] = list(view)
    if copy or (dtype is not None and array.dtype != dtype):
        if copy is False:
            raise ValueError("cannot convert these elements without a copy")
        array = array.astype(dtype or array.dtype)
    return array
