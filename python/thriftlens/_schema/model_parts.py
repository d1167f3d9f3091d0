"""Parts of models: the rows that the compiled module reads, the match of a class's attributes with
fields and of its enums with enums of the IDL, and errors that name both sides."""

from __future__ import annotations

import collections.abc
import enum
import inspect
import typing
from typing import TYPE_CHECKING, Callable, Literal, Mapping, NamedTuple, Optional, Union

from .._text import did_you_mean
from .._typing import Value
from .adapters import CONVERTED, INTEGERS, Adapter, Unix, adapter_of
from .annotations import annotation_text, is_optional
from .class_fields import Attribute, ClassFields, class_fields, init_variables

if TYPE_CHECKING:
    from .types import Field, Type

PLAIN = -1
"""The number of the node of values that stay as decoded."""

FieldRow = tuple[int, int, str, str, bool, Value]
LISTS = (list, collections.abc.Sequence, collections.abc.MutableSequence, collections.abc.Iterable,
          collections.abc.Collection)  # fmt: skip
SETS = (set, collections.abc.Set, collections.abc.MutableSet)
MAPS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_FORMS: dict[str, dict[object, str]] = {
    "list": {**dict.fromkeys(LISTS, "list"), tuple: "tuple"},
    "set": {**dict.fromkeys(SETS, "set"), frozenset: "frozenset"},
}
SCALARS = {
    "bool": bool,
    "double": float,
    "string": str,
    "binary": bytes,
    **dict.fromkeys(INTEGERS, int),
}
STRUCTS = ("struct", "union", "exception")


class Row(NamedTuple):
    """A node as the compiled module reads it. type: an index. key and value: numbers of nodes.
    field_count: number of fields of the struct."""

    form: str
    type: int
    target: Value = None
    after: Optional[str] = None
    key: int = PLAIN
    value: int = PLAIN
    accepts_numbers: bool = False
    field_count: int = 0
    fields: tuple[FieldRow, ...] = ()
    members: tuple[object, ...] = ()
    is_untracked: bool = False


class Location(NamedTuple):
    """A value in a schema, and the attribute of a class that it becomes."""

    path: str
    attribute: str

    def element(self) -> Location:
        return Location(f"{self.path}[*]", self.attribute)

    def entry(self, part: Literal["{*}", "{key *}"]) -> Location:
        return Location(f"{self.path}{part}", self.attribute)


class Misfit(TypeError):
    """A class or annotation that does not fit its type."""


def by_position(type_: Type) -> list[Field]:
    """The fields in the order of the compiled schema, which is that of their ids."""
    return sorted(type_.fields.values(), key=lambda field: field.id)


def fields_of(
    type_: Type, class_: type, attributes: list[Attribute], by_alias: bool
) -> list[tuple[Attribute, Field]]:
    """The attributes with their fields. Misfit for an attribute without a field, unless it is
    internal to its class."""
    names = {field.alias: field for field in type_.fields.values()} if by_alias else type_.fields
    declared: dict[str, str] = getattr(class_, "__thrift_names__", {})
    pairs, taken = [], dict[str, Attribute]()
    for attribute in attributes:
        field = _field_of(attribute, declared.get(attribute.name), names)
        if field is None and attribute.is_internal:
            continue
        if field is None:
            raise _no_field(type_, class_, attribute, names)
        if (other := taken.setdefault(field.name, attribute)) is not attribute:
            both = f"{class_.__name__}.{other.name} and {class_.__name__}.{attribute.name}"
            raise Misfit(f"{both} are the field {type_.name}.{field.name}")
        pairs.append((attribute, field))
    return pairs


def _no_field(
    type_: Type, class_: type, attribute: Attribute, names: Mapping[str, Field]
) -> Misfit:
    name = attribute.wire_name or attribute.name
    hint = did_you_mean(name, names)
    return Misfit(f"{class_.__name__}.{attribute.name}: no field {name!r} in {type_.name}{hint}")


def _field_of(
    attribute: Attribute, declared: Optional[str], fields: Mapping[str, Field]
) -> Optional[Field]:
    """The field of an attribute: by the name that its class declares, or its own."""
    name = attribute.name
    for candidate in (declared, attribute.wire_name, name, name.rstrip("_"), attribute.keyword):
        if candidate is not None and candidate in fields:
            return fields[candidate]
    return None


def sequence_form(
    type_: Type, annotation: object, location: Location, is_key: bool
) -> tuple[str, object]:
    """What a list or set becomes, and the annotation of its elements."""
    origin = typing.get_origin(annotation) or annotation
    form = _FORMS[type_.kind].get(origin, "")
    arguments = typing.get_args(annotation)
    if form == "tuple" and arguments and arguments[1:] != (Ellipsis,):
        raise misfit(type_, annotation, location, "write tuple[X, ...]")
    if not form or (is_key and form not in ("tuple", "frozenset")):
        raise misfit(type_, annotation, location, hashable_hint(type_) if is_key else "")
    return form, arguments[0] if arguments else typing.Any


def is_plain_dict(annotation: object) -> bool:
    """Whether it is a dict of any values."""
    if (typing.get_origin(annotation) or annotation) not in MAPS:
        return False
    return typing.get_args(annotation)[1:] in ((), (typing.Any,), (object,))


def checked_fields(type_: Type, annotation: Value, location: Location, is_key: bool) -> ClassFields:
    """The attributes of the class of a struct. Misfit if instances cannot be created."""
    declared = class_fields(annotation)
    if declared is None:
        hint = "the class declares no fields by annotations, of itself or of __init__"
        raise misfit(type_, annotation, location, hint if isinstance(annotation, type) else "")
    if hint := _creation_hint(annotation):
        raise misfit(type_, annotation, location, hint)
    if is_key and (annotation.__hash__ is None or declared.form == "entries"):
        raise misfit(type_, annotation, location, "the class is not hashable")
    return declared


def _creation_hint(class_: type) -> str:
    """Why instances of a class cannot be created."""
    if inspect.isabstract(class_):
        return "the class is abstract"
    variables = init_variables(class_).items()
    missing = [name for name, has_default in variables if not has_default]
    return f"the InitVar {missing[0]!r} has no default" if missing else ""


def check_members(
    type_: Type, class_: type, pairs: list[tuple[Attribute, Field]], location: Location
) -> None:
    """Misfit if a class lacks a member of a union."""
    names = {field.name for _, field in pairs}
    missing = next((name for name in type_.fields if name not in names), None)
    if missing is not None:
        raise misfit(type_, class_, location, f"the class lacks the member {missing!r}")


def only_attribute(class_: object) -> Optional[Attribute]:
    """The attribute of a class that has only one."""
    declared = class_fields(class_)
    is_single = declared is not None and len(declared.attributes) == 1
    return declared.attributes[0] if declared is not None and is_single else None


def named_first(type_: Type, choices: list[object]) -> list[object]:
    """Classes with the name of the type first: several types of a union may have their fields."""
    return sorted(choices, key=lambda choice: getattr(choice, "__name__", "") != type_.name)


def members_of(
    type_: Type, class_: type[enum.Enum], location: Location, written: object = None
) -> dict[str, enum.Enum]:
    """The members of a Python enum by the names in the IDL: those of equal numbers, or with the
    name as their value, or of the same name if the values are texts.

    written: the annotation in errors, if it is not the class."""
    by_value = {member.value: member for member in class_}
    has_numbers = any(isinstance(value, int) for value in by_value)
    by_name: Mapping[str, enum.Enum] = {} if has_numbers else class_.__members__
    result = {}
    for name, number in type_.members.items():
        member = by_value.get(number, by_value.get(name, by_name.get(name)))
        if member is None:
            hint = f"the enum lacks the member {name} = {number}: add it, or write int"
            raise misfit(type_, written or class_, location, hint)
        result[name] = member
    return result


def misfit(type_: Type, annotation: object, location: Location, hint: str = "") -> Misfit:
    """The error for an annotation that does not fit its type."""
    kind = type_.name if type_.name == type_.kind else f"{type_.name} ({type_.kind})"
    hint = hint or _adapter_hint(type_, annotation)
    return Misfit(
        f"{location.path} is {kind}, but {location.attribute} is {annotation_text(annotation)}"
        + (f": {hint}" if hint else "")
    )


def _adapter_hint(type_: Type, annotation: object) -> str:
    name = annotation_text(annotation)
    if type_.kind in INTEGERS and name in ("datetime", "timedelta", "date"):
        unit = "days" if name == "date" else "ms"
        return f'write Annotated[{name}, tl.Unix("{unit}")] to specify the unit'
    return ""


def hashable_hint(type_: Type) -> str:
    return "keys and elements of sets must be hashable: write " + (
        "tuple[X, ...]" if type_.kind == "list" else "frozenset[X]"
    )


def is_union(origin: object) -> bool:
    return origin is Union or getattr(origin, "__name__", "") == "UnionType"


def unwrapped(annotation: object, location: Location) -> tuple[object, Optional[Adapter]]:
    """The annotation without Annotated, NewType, type aliases and TypeVars; its adapter."""
    while True:
        if typing.get_origin(annotation) is typing.Annotated:
            annotation, *extras = typing.get_args(annotation)
            adapter = _adapter_in(annotation, extras, location)
            if adapter is not None:
                return annotation, adapter
        elif hasattr(annotation, "__supertype__"):
            annotation = getattr(annotation, "__supertype__")
        elif type(annotation).__name__ == "TypeAliasType":
            annotation = getattr(annotation, "__value__")
        elif isinstance(annotation, typing.TypeVar):
            annotation = annotation.__bound__ or typing.Any
        else:
            return annotation, None


def _adapter_in(annotation: object, extras: list[object], location: Location) -> Optional[Adapter]:
    conversions = [extra for extra in extras if isinstance(extra, (Adapter, Unix))]
    if len(conversions) > 1:
        both = f"{conversions[0]} and {conversions[1]}"
        raise Misfit(f"{location.attribute} has two conversions: {both}")
    for extra in conversions:
        return extra if isinstance(extra, Adapter) else _unix_adapter(annotation, extra, location)
    return None


def _unix_adapter(annotation: object, unit: Unix, location: Location) -> Adapter:
    choices = (*typing.get_args(annotation), annotation)
    class_ = next(item for item in choices if item not in (None, type(None)))
    adapter = unit.adapter(class_ if is_optional(annotation) else annotation)
    if adapter is None:
        needed = "a date" if unit.unit == "days" else "a datetime or timedelta"
        raise Misfit(f"{location.attribute}: {unit} needs {needed}")
    return adapter


def _innermost(annotation: object) -> tuple[object, Optional[Adapter]]:
    """The annotation without Annotated and Optional; its adapter."""
    annotation, adapter = unwrapped(annotation, Location("", ""))
    choices = [item for item in typing.get_args(annotation) if item is not type(None)]
    is_nested = adapter is None and is_union(typing.get_origin(annotation)) and len(choices) == 1
    return unwrapped(choices[0], Location("", "")) if is_nested else (annotation, adapter)


def is_unclear(type_: Type, attribute: Attribute) -> bool:
    """Whether only the class can tell if it takes a scalar of that type, as pydantic does for
    AnyUrl. It would have to guess the unit of a datetime."""
    annotation, adapter = _innermost(attribute.annotation)
    adapter = adapter or adapter_of(type_.kind, annotation)
    if type_.kind not in SCALARS or annotation in SCALARS.values() or adapter is not None:
        return False
    return annotation not in CONVERTED or attribute.has_converter


def absent(
    attribute: Attribute, field: Field, node: int, location: Location, is_partial: bool
) -> tuple[str, Value]:
    """What the attribute becomes if the field is absent. is_partial: see Partial."""
    if is_partial and field.has_default and attribute.absence in ("error", "idl_default"):
        return "value" if attribute.absence == "idl_default" else "error", None
    if attribute.absence not in ("error", "idl_default") or field.requiredness == "required":
        return attribute.absence, attribute.fallback
    if field.has_default:
        is_constant = node == PLAIN and field.type.kind in (*SCALARS, "enum", "uuid")
        return ("value", field.default) if is_constant else ("idl_default", None)
    if field.requiredness == "optional":
        raise Misfit(
            f"{location.path} is optional, but {location.attribute} has no default: add one, or "
            f"write Optional[{annotation_text(attribute.annotation)}]"
        )
    return "error", None


def one_of(values: tuple[object, ...]) -> Callable[[object], object]:
    """Checks values of a Literal."""

    def check(value: object) -> object:
        if value not in values:
            raise ValueError(f"{value!r} is not one of {', '.join(map(repr, values))}")
        return value

    return check


def by_keyword(class_: Value, keyword: str) -> Callable[[object], object]:
    def make(value: object) -> object:
        return class_(**{keyword: value})

    return make
