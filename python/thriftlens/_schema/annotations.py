"""Annotations of users' classes: evaluated, without qualifiers, and with the arguments of generics
in place of type variables."""

from __future__ import annotations

import re
import typing
from typing import Mapping

from .._typing import Value


def hints_of(of: object, name: str) -> dict[str, object]:
    """The annotations, evaluated."""
    try:
        return typing.get_type_hints(of, include_extras=True)
    except Exception as error:
        raise TypeError(f"cannot evaluate the annotations of {name}: {error}") from error


def is_optional(annotation: object) -> bool:
    """Whether the annotation includes None."""
    if typing.get_origin(annotation) is typing.Annotated:
        return is_optional(typing.get_args(annotation)[0])
    return type(None) in typing.get_args(annotation) or annotation in (None, type(None))


def qualified(annotation: object) -> tuple[list[str], object]:
    """Required, NotRequired, ReadOnly and Final around an annotation, and the annotation."""
    qualifiers: list[str] = []
    while True:
        origin = typing.get_origin(annotation)
        name = getattr(origin, "__name__", getattr(origin, "_name", ""))
        if name not in ("Required", "NotRequired", "ReadOnly", "Final"):
            return qualifiers, annotation
        qualifiers.append(name)
        annotation = typing.get_args(annotation)[0]


def without_qualifiers(annotation: object) -> object:
    return qualified(annotation)[1]


def bindings_of(class_: object) -> dict[object, dict[object, object]]:
    """The arguments of a generic class and of its bases, by class and type variable."""
    origin = typing.get_origin(class_) or class_
    own = dict(zip(getattr(origin, "__parameters__", ()), typing.get_args(class_)))
    result = {origin: own}
    for base in _bases_of(origin):
        result.update(bindings_of(substituted(base, own)))
    return result


def _bases_of(class_: object) -> list[object]:
    """The bases, with arguments if they are generic."""
    declared: Mapping[str, Value] = getattr(class_, "__dict__", {})
    bases = declared.get("__orig_bases__", getattr(class_, "__bases__", ()))
    marks = (typing.Generic, typing.Protocol)
    return [base for base in bases if typing.get_origin(base) not in marks]


def substituted(annotation: Value, arguments: Mapping[object, object]) -> object:
    if isinstance(annotation, typing.TypeVar):
        return arguments.get(annotation, annotation)
    parameters = getattr(annotation, "__parameters__", ())
    if not parameters or isinstance(annotation, type):
        return annotation
    return annotation[tuple(arguments.get(variable, variable) for variable in parameters)]


def annotation_text(annotation: object) -> str:
    """An annotation as in source code, without modules."""
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return annotation.__qualname__.rpartition("<locals>.")[2]
    return _MODULES.sub("", str(annotation)).replace("NoneType", "None")


# Outside texts, such as those of Literal.
_MODULES = re.compile(r"(?<!['\"\w.])(?:[A-Za-z_<][\w<>]*\.)+(?=[A-Za-z_])")
