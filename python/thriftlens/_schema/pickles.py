"""Pickling of views, decoders and encoders: as the call of a Type's method that creates them; of
classes of IDL: as the call of the function that creates them."""

from __future__ import annotations

import abc
import copyreg
import weakref
from typing import Mapping, Sequence

from .._core import StructView, View
from .._typing import Value
from .types import Type, TypeTable


def type_in(table: weakref.ref[TypeTable], index: int) -> Type:
    """The type of an index. Called by the compiled module."""
    schema = table()
    if schema is None:
        raise ReferenceError("the schema no longer exists")
    return schema._type(index)


class ClassOfType(abc.ABCMeta):
    """The class of classes of IDL. Those with an attribute `_creation`, a function and its
    arguments, are pickled as its call; classes derived from them by name.

    An ABCMeta, so that classes can also derive from abstract ones."""


def _reduce_class(class_: type) -> object:
    return vars(class_).get("_creation", class_.__qualname__)


copyreg.pickle(ClassOfType, _reduce_class)  # type: ignore[arg-type]


def restore(
    type_: Type, method: str, arguments: Sequence[Value], options: Mapping[str, Value]
) -> Value:
    """Unpickles an object."""
    return getattr(type_, method)(*arguments, **options)


def restore_classes(schema: Value, name: str) -> Value:
    """Unpickles the class of a service, or the classes of a file."""
    return schema.classes[name] if name else schema.classes


def names_of_view(view: View) -> list[str]:
    """dir(view): methods and, of a struct, its fields."""
    names = object.__dir__(view)
    return sorted({*names, *view}) if isinstance(view, StructView) else sorted(names)
