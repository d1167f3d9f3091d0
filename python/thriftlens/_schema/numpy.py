"""Columns, and views of lists of numbers, as NumPy arrays; NumPy is imported on first use."""

from __future__ import annotations

import uuid
from types import ModuleType
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Optional, cast

from .. import _core
from .._core import ListView
from .._errors import Error
from .._optional import package
from .._text import shown
from .._typing import ErrorCode

if TYPE_CHECKING:
    import numpy
    from numpy.typing import DTypeLike

    from .._core import ArrowNode

    Array = numpy.ndarray[Any, Any]

_DTYPES = {"c": "i1", "s": "<i2", "i": "<i4", "l": "<i8", "g": "<f8"}


def numpy_module() -> ModuleType:
    """Imports NumPy. Raises ImportError if it is missing."""
    return package("numpy", "arrays need", "numpy")


def column_of(schema: object, arrays: Iterable[object], path: str, fill: object) -> Array:
    """The values at a path in all batches."""
    np = numpy_module()
    reader = _ColumnReader(np, path)
    batches = [reader.read(_core.arrow_buffers(schema, array)) for array in arrays]
    parts = [values for values, _ in batches]
    values: Array = parts[0] if len(parts) == 1 else np.concatenate(parts)
    if values.dtype == object or all(mask is None for _, mask in batches):
        return values
    absent = np.concatenate(
        [np.zeros(len(part), bool) if mask is None else mask for part, mask in batches]
    )
    if not absent.any():
        return values
    result = (
        np.ma.MaskedArray(values, absent)
        if fill is None
        else np.where(absent, np.asarray(fill), values)
    )
    return cast("Array", result)


class _ColumnReader:
    """Reads the values at a path in a batch, and the mask of nulls."""

    def __init__(self, np: ModuleType, path: str):
        self._np = np
        self._path = path

    def read(self, node: ArrowNode) -> tuple[Array, Optional[Array]]:
        return self._at(node, self._path.removeprefix("$."), None)

    def _at(
        self, node: ArrowNode, path: str, absent: Optional[Array]
    ) -> tuple[Array, Optional[Array]]:
        """The values at a path below a node. absent: the mask from enclosing nodes."""
        mask = self._mask(node)
        absent = mask if absent is None else absent if mask is None else absent | mask
        if path == "":
            return self._values(node, absent), absent
        if path.startswith("[*]"):
            return self._elements_at(node, path[3:].removeprefix("."))
        if node.format != "+s":
            is_list = node.format in ("+l", "+L", "+m")
            text = f"{node.name or 'the row'} has no fields"
            raise self._fault(text + f"; write {node.name}[*].{path}" * is_list, "wrong_type")
        for child in node.children:
            if path == child.name or path.startswith((child.name + ".", child.name + "[")):
                return self._at(child, path[len(child.name) :].removeprefix("."), absent)
        names = ", ".join(child.name for child in node.children)
        raise self._fault(f"no such column; expected one of {names}", "no_such_field")

    def _elements_at(self, node: ArrowNode, path: str) -> tuple[Array, Optional[Array]]:
        """The values at a path below the elements of a list."""
        if node.format not in ("+l", "+m"):
            raise self._fault(f"{node.name or 'the row'} is not a list", "wrong_type")
        begin, end = self._bounds(node)
        elements = node.children[0]
        values, mask = self._at(elements, path, None)
        if len(end) and (end[-1] != elements.length or begin[0] != 0):
            raise self._fault("the elements are not contiguous", "unsupported")
        return values, mask

    def _fault(self, text: str, code: ErrorCode) -> Error:
        return Error(f"{self._path}: {text}", code=code, path=self._path)

    def _mask(self, node: ArrowNode) -> Optional[Array]:
        if node.nulls == 0 or not node.buffers or node.buffers[0] is None:
            return None
        return cast("Array", self._bits(node, 0) == 0)

    def _bits(self, node: ArrowNode, index: int) -> Array:
        """The bits of a buffer, as 0 and 1."""
        data = self._np.frombuffer(node.buffers[index], "u1")
        return cast("Array", self._np.unpackbits(data, count=node.length, bitorder="little"))

    def _bounds(self, node: ArrowNode) -> tuple[Array, Array]:
        count = node.length + 1 if node.length else 0
        offsets = self._np.frombuffer(node.buffers[1], "<i4", count=count)
        return offsets[:-1], offsets[1:]

    def _values(self, node: ArrowNode, absent: Optional[Array]) -> Array:
        """The values of a leaf; numbers without a copy, others as objects with None for null."""
        if node.dictionary is not None:
            return self._names(node, node.dictionary, absent)
        if node.format in _DTYPES:
            return self._numbers(node)
        if node.format == "b":
            return self._bits(node, 1).astype(bool)
        if node.format in ("+s", "+m") or node.format.startswith("+u"):
            text = "structs, maps and unions are not arrays; add a field to the path"
            raise self._fault(text, "unsupported")
        values: Array = self._np.empty(node.length, object)
        for index, value in enumerate(self._objects(node)):
            if absent is None or not absent[index]:
                values[index] = value
        return values

    def _numbers(self, node: ArrowNode) -> Array:
        dtype = _DTYPES[node.format]
        return cast("Array", self._np.frombuffer(node.buffers[1], dtype, count=node.length))

    def _names(self, node: ArrowNode, dictionary: ArrowNode, absent: Optional[Array]) -> Array:
        """Names from a dictionary."""
        names, index = self._values(dictionary, None), self._numbers(node)
        if absent is None:
            return cast("Array", names[index])
        values: Array = self._np.empty(node.length, object)
        values[~absent] = names[index[~absent]]
        return values

    def _objects(self, node: ArrowNode) -> Iterator[object]:
        if node.format == "w:16":
            data = bytes(node.buffers[1])
            ends = range(16, 16 * node.length + 1, 16)
            return (uuid.UUID(bytes=data[end - 16 : end]) for end in ends)
        begin, end = self._bounds(node)
        slices = map(slice, begin.tolist(), end.tolist())
        if node.format == "+l":
            inner = node.children[0]
            values = self._values(inner, self._mask(inner))
            return (values[part] for part in slices)
        texts = memoryview(node.buffers[2])
        if node.format == "u":
            return (str(texts[part], "utf-8") for part in slices)
        return (bytes(texts[part]) for part in slices)


def to_numpy(view: ListView) -> Array:
    """ListView.to_numpy."""
    np = numpy_module()
    buffer_and_dtype = _core.number_buffer(view)
    if buffer_and_dtype is None:
        raise TypeError(f"expected a list of numbers, found {shown(view)}")
    buffer, dtype = buffer_and_dtype
    return cast("Array", np.frombuffer(buffer, dtype))


def as_array(
    view: ListView, dtype: Optional[DTypeLike] = None, copy: Optional[bool] = None
) -> Array:
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
