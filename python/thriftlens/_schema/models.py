"""Models: how values of a type become objects of a user's class. A class is matched with a type
once; what does not fit is a TypeError that names both sides."""

from __future__ import annotations

import enum
import inspect
import typing
from typing import TYPE_CHECKING, Literal, Optional

from .. import _core
from .adapters import adapter_of
from .class_fields import (
    Attribute,
    ClassFields,
    annotation_text,
    class_fields,
    is_typed_dict,
)
from .model_parts import (
    LISTS,
    MAPS,
    PLAIN,
    SCALARS,
    SETS,
    STRUCTS,
    FieldRow,
    Location,
    Misfit,
    Row,
    absent,
    by_keyword,
    by_position,
    fields_of,
    hashable_hint,
    is_unclear,
    is_union,
    members_of,
    misfit,
    one_of,
    only_attribute,
    unwrapped,
)

if TYPE_CHECKING:
    from .types import Field, Type

_MAX_MODELS = 64


def model_of(type_: Type, annotation: object, by_alias: bool) -> _core.Model:
    """The Model of a class or another annotation. Called by the compiled module."""
    models = type_._models if not by_alias else type_._alias_models
    model = models.get(annotation)
    if model is None:
        model = _compile(type_, annotation, by_alias)
        if len(models) >= _MAX_MODELS:
            models.clear()
        models[annotation] = model
    return model


def _compile(type_: Type, annotation: object, by_alias: bool) -> _core.Model:
    compiler = _Compiler(by_alias)
    root = compiler.node(type_, annotation, Location(type_.name, "into"))
    rows = compiler.rows
    if root == PLAIN:
        return _core.Model([])
    if root != 0:
        raise AssertionError("the root is the first node")
    return _core.Model([tuple(row) for row in rows])


def fits(type_: Type, annotation: object) -> bool:
    """Whether values of a type can become objects of a class or another annotation."""
    try:
        _Compiler(False).node(type_, annotation, Location("", ""))
    except Misfit:
        return False
    return True


class _Compiler:
    """Makes the rows of a Model."""

    def __init__(self, by_alias: bool):
        self.rows: list[Row] = []
        self._by_alias = by_alias
        self._numbers: dict[tuple[int, object], int] = {}

    def node(
        self, type_: Type, annotation: object, location: Location, is_key: bool = False
    ) -> int:
        """The number of the node of a value. is_key: its object must be hashable."""
        annotation, adapter = unwrapped(annotation, location)
        if adapter is not None:
            return self._add(Row("converted", type_.index, adapter.decode))
        if annotation in (typing.Any, object):
            return PLAIN
        origin = typing.get_origin(annotation)
        if is_union(origin):
            return self._any_of(type_, annotation, location, is_key)
        if origin is Literal:
            return self._literal(type_, annotation, location)
        if type_.kind == "enum":
            return self._enum(type_, annotation, location, False)
        if type_.kind in ("list", "set"):
            return self._sequence(type_, annotation, location, is_key)
        if type_.kind == "map":
            return self._map(type_, annotation, location, is_key)
        if type_.kind in STRUCTS:
            return self._struct(type_, annotation, location, is_key)
        return self._scalar(type_, annotation, location)

    def _add(self, row: Row) -> int:
        self.rows.append(row)
        return len(self.rows) - 1

    def _scalar(self, type_: Type, annotation: object, location: Location) -> int:
        if annotation is SCALARS.get(type_.kind):
            return PLAIN
        if type_.kind == "uuid" and annotation_text(annotation) == "UUID":
            return PLAIN
        adapter = adapter_of(type_.kind, annotation)
        if adapter is None:
            raise misfit(type_, annotation, location)
        return self._add(Row("converted", type_.index, adapter.decode))

    def _enum(
        self, type_: Type, annotation: object, location: Location, accepts_numbers: bool
    ) -> int:
        if annotation is int:
            return PLAIN
        if annotation is str:
            return self._add(Row("enum_name", type_.index))
        if not (isinstance(annotation, type) and issubclass(annotation, enum.Enum)):
            raise misfit(type_, annotation, location)
        members = tuple(members_of(type_, annotation, location).values())
        row = Row("enum_member", type_.index, accepts_numbers=accepts_numbers, members=members)
        return self._add(row)

    def _literal(self, type_: Type, annotation: object, location: Location) -> int:
        values = typing.get_args(annotation)
        if type_.kind == "enum" and all(isinstance(value, str) for value in values):
            missing = [name for name in type_.members if name not in values]
            if missing:
                raise misfit(type_, annotation, location, f"it lacks the member {missing[0]}")
            return self._add(Row("enum_name", type_.index))
        class_ = int if type_.kind == "enum" else SCALARS.get(type_.kind)
        if class_ is None or not all(type(value) is class_ for value in values):
            raise misfit(type_, annotation, location)
        return self._add(Row("converted", type_.index, one_of(values)))

    def _any_of(self, type_: Type, annotation: object, location: Location, is_key: bool) -> int:
        """Union and Optional: a class per member of a union of IDL, or the first that fits."""
        choices = [item for item in typing.get_args(annotation) if item is not type(None)]
        if len(choices) == 1:
            return self.node(type_, choices[0], location, is_key)
        if type_.kind == "union":
            return self._alternative(type_, choices, annotation, location)
        if type_.kind == "enum" and int in choices and len(choices) == 2:
            choices.remove(int)
            return self._enum(type_, choices[0], location, True)
        for choice in choices:
            number = self._attempt(type_, choice, location, is_key)
            if number is not None:
                return number
        raise misfit(type_, annotation, location)

    def _attempt(
        self, type_: Type, annotation: object, location: Location, is_key: bool
    ) -> Optional[int]:
        count, numbers = len(self.rows), dict(self._numbers)
        try:
            return self.node(type_, annotation, location, is_key)
        except Misfit:
            del self.rows[count:]
            self._numbers = numbers
            return None

    def _alternative(
        self, type_: Type, choices: list[object], annotation: object, location: Location
    ) -> int:
        number = self._add(Row("alternative", type_.index))
        fields: list[FieldRow] = []
        for position, field in enumerate(by_position(type_)):
            node = self._member(
                field, choices, Location(f"{location.path}.{field.name}", location.attribute)
            )
            if node is None:
                hint = f"no class is for the member {field.name!r}"
                raise misfit(type_, annotation, location, hint)
            fields.append((position, node, field.name, "omitted", False, None))
        self.rows[number] = Row(
            "alternative", type_.index, field_count=len(type_.fields), fields=tuple(fields)
        )
        return number

    def _member(self, field: Field, choices: list[object], location: Location) -> Optional[int]:
        """The node of a member of a union: of the class with only this field, or of its type."""
        for choice in choices:
            attribute = only_attribute(choice)
            if isinstance(choice, type) and attribute is not None and attribute.name == field.name:
                row = len(self.rows)
                inner = self._attempt(field.type, attribute.annotation, location, False)
                if inner is not None:
                    make = by_keyword(choice, attribute.keyword)
                    index = field.type.index
                    return self._add(Row("converted", index, make, value=inner))
                del self.rows[row:]
        for choice in choices:
            number = self._attempt(field.type, choice, location, False)
            if number is not None:
                return number
        return None

    def _sequence(self, type_: Type, annotation: object, location: Location, is_key: bool) -> int:
        origin = typing.get_origin(annotation) or annotation
        form = "list" if type_.kind == "list" and origin in LISTS else ""
        if type_.kind == "list" and origin is tuple:
            form = "tuple"
        if type_.kind == "set" and origin in (*SETS, frozenset):
            form = "frozenset" if origin is frozenset else "set"
        arguments = typing.get_args(annotation)
        if form == "tuple" and (len(arguments) != 2 or arguments[1] is not Ellipsis) and arguments:
            raise misfit(type_, annotation, location, "write tuple[X, ...]")
        if not form or (is_key and form not in ("tuple", "frozenset")):
            raise misfit(type_, annotation, location, hashable_hint(type_) if is_key else "")
        element = arguments[0] if arguments else typing.Any
        number = self._add(Row(form, type_.index))
        needs_hash = is_key or type_.kind == "set"
        value = self.node(type_.parameters[0], element, location.element(), needs_hash)
        if value == PLAIN and form == type_.kind:
            self.rows.pop()
            return PLAIN
        self.rows[number] = Row(form, type_.index, value=value)
        return number

    def _map(self, type_: Type, annotation: object, location: Location, is_key: bool) -> int:
        origin = typing.get_origin(annotation) or annotation
        if origin not in MAPS or is_key:
            raise misfit(type_, annotation, location)
        key, value = typing.get_args(annotation) or (typing.Any, typing.Any)
        number = self._add(Row("map", type_.index))
        keys = self.node(type_.parameters[0], key, location.entry("{key *}"), True)
        values = self.node(type_.parameters[1], value, location.entry("{*}"))
        if keys == values == PLAIN:
            self.rows.pop()
            return PLAIN
        self.rows[number] = Row("map", type_.index, key=keys, value=values)
        return number

    def _struct(self, type_: Type, annotation: object, location: Location, is_key: bool) -> int:
        origin = typing.get_origin(annotation) or annotation
        if origin in MAPS and not is_key:
            arguments = typing.get_args(annotation)
            if not arguments or arguments[1] in (typing.Any, object):
                return PLAIN
        known = self._numbers.get((type_.index, annotation))
        if known is not None:
            return known
        declared = class_fields(annotation) if isinstance(annotation, type) else None
        if declared is None or not isinstance(annotation, type):
            hint = "it declares no fields" if isinstance(annotation, type) else ""
            raise misfit(type_, annotation, location, hint)
        if inspect.isabstract(annotation):
            raise misfit(type_, annotation, location, "it is abstract")
        if is_key and (annotation.__hash__ is None or is_typed_dict(annotation)):
            raise misfit(type_, annotation, location, "it is not hashable")
        number = self._numbers[type_.index, annotation] = self._add(Row("call", type_.index))
        fields = self._fields(type_, annotation, declared)
        self.rows[number] = Row(
            declared.form,
            type_.index,
            annotation,
            declared.after,
            field_count=len(type_.fields),
            fields=fields,
            is_untracked=declared.is_untracked,
        )
        return number

    def _fields(self, type_: Type, class_: type, declared: ClassFields) -> tuple[FieldRow, ...]:
        found = fields_of(type_, class_, declared.attributes, self._by_alias)
        missing = [name for name in type_.fields if name not in {f.name for _, f in found}]
        if type_.kind == "union" and missing:
            raise misfit(type_, class_, Location(type_.name, class_.__name__),
                         f"it lacks the member {missing[0]!r}")  # fmt: skip
        positions = {field.name: at for at, field in enumerate(by_position(type_))}
        rows: list[FieldRow] = []
        for attribute, field in found:
            location = Location(f"{type_.name}.{field.name}", f"{class_.__name__}.{attribute.name}")
            node = self._field(attribute, field, location, declared.validates)
            absence, fallback = absent(attribute, field, node, location)
            name = attribute.keyword if declared.form == "call" else attribute.name
            if declared.form == "entries" and not self._is_same_key(attribute, field, node):
                raise Misfit(
                    f"{location.attribute}: names and conversions need a class, no TypedDict"
                )
            position = positions[field.name]
            rows.append((position, node, name, absence, field.has_default, fallback))
        return tuple(rows)

    def _is_same_key(self, attribute: Attribute, field: Field, node: int) -> bool:
        """Whether encode can write the entry of a dict, of which it knows no annotation."""
        name = field.alias if self._by_alias else field.name
        is_converted = node != PLAIN and self.rows[node].form == "converted"
        return attribute.name == name and not is_converted

    def _field(
        self, attribute: Attribute, field: Field, location: Location, validates: bool
    ) -> int:
        if not validates:
            return self.node(field.type, attribute.annotation, location)
        if is_unclear(field.type, attribute.annotation):
            return PLAIN
        return self.node(field.type, attribute.annotation, location)
