"""The classes that results and arguments of calls become: the option `models` of clients and
servers."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Mapping, Optional, Union

from .._schema.annotations import annotation_text
from .._schema.classes import ServiceBase
from .._schema.exceptions import ThriftException, exception_of
from .._schema.models import model_of
from .._typing import Value

if TYPE_CHECKING:
    from .._schema.schemas import Schema
    from .._schema.types import Type

Models = Mapping[str, Value]
"""Classes by the names of their types in the IDL, such as Schema.classes."""


def check_models(idl: Schema, models: Optional[Models]) -> None:
    """Raises for a name that is not a type of the IDL, and for a class that does not fit."""
    if models is None or models is getattr(idl, "_classes", None):
        return
    for name, class_ in models.items():
        if name in idl.services:
            if not _derives(class_, ServiceBase):
                raise TypeError(f"models[{name!r}]: {name} is a service, not a type")
            continue
        type_ = idl[name]
        try:
            _check_model(type_, class_)
        except TypeError as error:
            raise TypeError(f"models[{name!r}]: {error}") from None


def _check_model(type_: Type, class_: Value) -> None:
    if type_.kind == "exception" and not _derives(class_, BaseException):
        raise TypeError(f"{type_.name} is an exception, but {annotation_text(class_)} is not")
    if not _derives(class_, ThriftException):
        model_of(type_, class_, False, "the value")


def _derives(class_: Value, base: type) -> bool:
    return isinstance(class_, type) and issubclass(class_, base)


def values_model(struct: Type, models: Optional[Models]) -> Optional[type]:
    """A TypedDict of the arguments or results of a function, whose values are of these classes;
    None if no class applies."""
    if not models:
        return None
    annotations = {name: _outer(field.type, models) for name, field in struct.fields.items()}
    return _typed_dict(struct, annotations)


def _typed_dict(struct: Type, annotations: dict[str, Value]) -> Optional[type]:
    if all(annotation is typing.Any for annotation in annotations.values()):
        return None
    # Type checkers accept only literals.
    make: Value = getattr(typing, "TypedDict")
    return make(struct.name, annotations, total=False)  # type: ignore[no-any-return]


def _outer(type_: Type, models: Models) -> Value:
    """The annotation of an argument or result. Exceptions of the IDL are called with their
    fields."""
    if type_.kind != "exception":
        return _annotation(type_, models)
    class_ = exception_class(type_, models)
    if not _derives(class_, ThriftException):
        return class_
    annotations = {name: _annotation(field.type, models) for name, field in type_.fields.items()}
    return _typed_dict(type_, annotations) or typing.Any


def exception_class(type_: Type, models: Optional[Models]) -> type[BaseException]:
    """The class of an exception that is raised in calls."""
    class_ = (models or {}).get(type_.name)
    return exception_of(type_) if class_ is None else class_


_KINDS = ("enum", "struct", "union")


def _annotation(type_: Type, models: Models) -> Value:
    if type_.kind in _KINDS and type_.name in models:
        class_ = models[type_.name]
        return Union[class_, int] if type_.kind == "enum" else class_
    parts = [_annotation(part, models) for part in type_.parameters]
    if type_.kind == "list" and parts != [typing.Any]:
        return list.__class_getitem__(parts[0])
    if type_.kind == "map" and parts[1] is not typing.Any:
        return dict.__class_getitem__((typing.Any, parts[1]))
    return typing.Any
