"""Objects of users' classes that the annotations of the class say how to encode: attributes with
other names, and conversions of their values. Other objects need neither."""

from __future__ import annotations

import enum
import operator
import typing
import weakref
from typing import TYPE_CHECKING, Optional

from .._typing import Value
from .adapters import INTEGERS, Convert, adapter_of, checked
from .class_fields import class_fields
from .model_parts import (
    SCALARS,
    STRUCTS,
    Location,
    Misfit,
    by_position,
    fields_of,
    is_union,
    members_of,
    named_first,
    only_attribute,
    unwrapped,
)
from .models import fits

if TYPE_CHECKING:
    from .types import Encodings, Type, TypeTable

_MAX_CLASSES = 256
# A method of every object, and the object of the method.
_ITSELF = ("__reduce_ex__", operator.attrgetter("__self__"))


def attributes_of(
    table: weakref.ref[TypeTable], index: int, class_: type, by_alias: bool
) -> Optional[Encodings]:
    """The attribute and conversion of every field of a struct; None if the attributes have the
    names of the fields and need no conversion. Called by the compiled module."""
    schema = table()
    if schema is None:
        return None
    type_ = schema._type(index)
    key = class_, by_alias
    if key not in type_._encodings:
        if len(type_._encodings) >= _MAX_CLASSES:
            type_._encodings.clear()
        type_._encodings[key] = _attributes(type_, class_, by_alias)
    return type_._encodings[key]


def _attributes(type_: Type, class_: type, by_alias: bool) -> Optional[Encodings]:
    try:
        declared = class_fields(class_)
        if declared is None:
            return None
        pairs = fields_of(type_, class_, declared.attributes, by_alias)
    except Misfit:  # an unknown field, which encode reports
        return _as_member(type_, class_)
    except TypeError:  # no annotations
        return None
    rows: dict[str, tuple[Optional[str], Optional[Convert]]] = {
        field.name: (attribute.name, encoding_of(field.type, attribute.annotation))
        for attribute, field in pairs
    }
    # Those of a dataclass include InitVars and class variables.
    names = getattr(class_, "__dataclass_fields__", declared.attributes)
    is_special = len(names) != len(pairs) or any(
        convert is not None or name != (field.alias if by_alias else field.name)
        for (name, convert), (_, field) in zip(rows.values(), pairs)
    )
    if not is_special:
        return None
    return tuple(rows.get(field.name, (None, None)) for field in by_position(type_))


def _as_member(type_: Type, class_: type) -> Optional[Encodings]:
    """For objects of a class that only one member of a union can have: they are that member."""
    if type_.kind != "union":
        return None
    members = by_position(type_)
    fitting = [
        field for field in members if field.type.kind in STRUCTS and fits(field.type, class_)
    ]
    fitting = [field for field in fitting if field.type.name == class_.__name__] or fitting
    if len(fitting) != 1:
        return None
    return tuple(_ITSELF if field is fitting[0] else (None, None) for field in members)


def encoding_of(type_: Type, annotation: object) -> Optional[Convert]:
    """The conversion of an object to a value that encode takes; None if it needs none."""
    try:
        annotation, adapter = unwrapped(annotation, Location("", ""))
    except Misfit:
        return None
    if adapter is not None:
        return adapter.encode
    arguments = typing.get_args(annotation)
    if is_union(typing.get_origin(annotation)):
        return _of_union(type_, [item for item in arguments if item is not type(None)])
    if type_.kind in ("enum", "uuid", *SCALARS):
        return _of_scalar(type_, annotation)
    if type_.kind in ("list", "set") and arguments:
        return _of_elements(type_, arguments[0])
    if type_.kind == "map" and len(arguments) == 2:
        return _of_entries(type_, *arguments)
    return None


def _of_union(type_: Type, choices: list[object]) -> Optional[Convert]:
    if len(choices) == 1:
        return encoding_of(type_, choices[0])
    if type_.kind == "enum":
        return _of_enum_or_other(type_, choices)
    return _member_of(type_, choices) if type_.kind == "union" else None


def _of_enum_or_other(type_: Type, choices: list[object]) -> Optional[Convert]:
    classes = [item for item in choices if isinstance(item, type) and issubclass(item, enum.Enum)]
    convert = _of_enum(type_, classes[0]) if classes else None

    def convert_member(value: Value) -> Value:
        return convert(value) if convert and isinstance(value, classes[0]) else value

    return convert_member if convert else None


def _of_scalar(type_: Type, annotation: object) -> Optional[Convert]:
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        if type_.kind == "enum":
            return _of_enum(type_, annotation)
        if issubclass(annotation, int) and type_.kind in INTEGERS:
            return None
        if issubclass(annotation, str) and type_.kind == "string":
            return lambda value: annotation(value).value  # equal texts are members too
    adapter = adapter_of(type_.kind, annotation)
    return None if adapter is None else adapter.encode


def _of_enum(type_: Type, class_: type[enum.Enum]) -> Optional[Convert]:
    try:
        members = members_of(type_, class_, Location("the field", "the attribute"))
    except Misfit as error:
        return _refusal(type_, class_, str(error))
    numbers = {member: type_.members[name] for name, member in members.items()}
    if all(member.value == number for member, number in numbers.items()):
        return None

    def number_of(member: enum.Enum) -> int:
        return numbers[member]

    return checked(class_, number_of)


def _refusal(type_: Type, class_: type[enum.Enum], reason: str) -> Optional[Convert]:
    """Refuses the members of a class in which a name of the IDL has another number: it would be
    encoded as another member. Numbers are accepted."""
    numbers = type_.members
    if all(numbers.get(m.name, m.value) == m.value for m in class_ if isinstance(m.value, int)):
        return None

    def number(value: Value) -> Value:
        if isinstance(value, class_):
            raise TypeError(reason)
        return value

    return number


def _of_elements(type_: Type, annotation: object) -> Optional[Convert]:
    convert = encoding_of(type_.parameters[0], annotation)
    if convert is None:
        return None
    element = convert

    def elements(items: Value) -> Value:
        if isinstance(items, (set, frozenset)):
            return {element(item) for item in items}
        return [element(item) for item in items]

    return elements


def _of_entries(type_: Type, key: object, value: object) -> Optional[Convert]:
    keys = encoding_of(type_.parameters[0], key)
    values = encoding_of(type_.parameters[1], value)
    if keys is None and values is None:
        return None

    def entries(items: Value) -> Value:
        pairs = ((k, v) for k, v in items.items())
        return {keys(k) if keys else k: values(v) if values else v for k, v in pairs}

    return entries


def _member_of(type_: Type, choices: list[object]) -> Optional[Convert]:
    """For a union of which a class is the type of a member: {"circle": Circle(…)}."""
    members = []
    for field in type_.fields.values():
        for choice in named_first(field.type, choices):
            attribute = only_attribute(choice)
            if attribute is not None and attribute.name == field.name:
                break
            if fits(field.type, choice):
                class_ = typing.get_origin(choice) or choice
                members.append((class_, field.name, encoding_of(field.type, choice)))
                break

    classes = [class_ for class_, _, _ in members]
    ambiguous = [class_ for class_ in classes if classes.count(class_) > 1]

    def member(value: Value) -> Value:
        if type(value) in ambiguous:
            raise TypeError(f"several members of {type_.name} have this class; write a dict")
        for class_, name, convert in members:
            if type(value) is class_ or (isinstance(class_, type) and isinstance(value, class_)):
                return {name: convert(value) if convert else value}
        return value

    return member if members else None
