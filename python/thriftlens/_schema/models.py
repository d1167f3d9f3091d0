"""Models: how values of a type become objects of a user's class. A class is matched with a type
once; what does not fit is a TypeError that names both sides."""

from __future__ import annotations

import enum
import typing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Iterator, Literal, Optional

from .. import _core
from .._text import shown
from .._typing import Value
from .adapters import INTEGERS, UnixAdapter, adapter_of
from .annotations import annotation_text
from .class_fields import Attribute, ClassFields
from .model_parts import (
    MAPS,
    PLAIN,
    SCALARS,
    STRUCTS,
    FieldRow,
    Location,
    Misfit,
    Row,
    absent,
    by_keyword,
    by_position,
    check_members,
    checked_fields,
    fields_of,
    is_plain_dict,
    is_unclear,
    is_union,
    members_of,
    misfit,
    named_first,
    one_of,
    only_attribute,
    sequence_form,
    unwrapped,
)

if TYPE_CHECKING:
    from .types import Field, Type

_MAX_MODELS = 64


@dataclass(frozen=True)
class Partial:
    """An annotation for selected values: absent fields do not take the defaults of the IDL, which
    may differ from the values that were not selected."""

    annotation: object


def _form_of(annotation: object) -> object:
    return annotation.annotation if isinstance(annotation, Partial) else annotation


def model_of(type_: Type, annotation: object, by_alias: bool, option: str = "into") -> _core.Model:
    """The Model of a class or another annotation. Called by the compiled module. annotation: may be
    a Partial. option: the annotation in errors."""
    form = _form_of(annotation)
    if isinstance(form, str) or type(form).__hash__ is None:
        raise TypeError(f"{option} must be a class or an annotation, not {shown(form)}")
    models = type_._models if not by_alias else type_._alias_models
    model = models.get(annotation)
    if model is None:
        model = _compile(type_, annotation, by_alias, option)
        if len(models) >= _MAX_MODELS:
            models.clear()
        models[annotation] = model
    return model


def _compile(type_: Type, annotation: object, by_alias: bool, option: str) -> _core.Model:
    compiler = _Compiler(by_alias, isinstance(annotation, Partial))
    try:
        root = compiler.node(type_, _form_of(annotation), Location(type_.name, option))
    except Misfit as error:  # without the frames of the compiler
        raise TypeError(str(error)) from None
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

    def __init__(self, by_alias: bool, is_partial: bool = False):
        self.rows: list[Row] = []
        self._by_alias = by_alias
        self._is_partial = is_partial
        self._numbers: dict[tuple[int, object], int] = {}

    def node(
        self, type_: Type, annotation: object, location: Location, is_key: bool = False
    ) -> int:
        """The number of the node of a value. is_key: its object must be hashable."""
        annotation, adapter = unwrapped(annotation, location)
        if isinstance(adapter, UnixAdapter) and type_.kind not in INTEGERS:
            raise misfit(type_, annotation, location, "tl.Unix converts integers")
        if adapter is not None:
            return self._add(Row("converted", type_.index, adapter.decode))
        if annotation in (typing.Any, object):
            return PLAIN
        origin = typing.get_origin(annotation)
        if is_union(origin):
            return self._any_of(type_, annotation, location, is_key)
        if origin is Literal:
            return self._literal(type_, annotation, location)
        compile_kind = _BY_KIND.get(type_.kind, _Compiler._scalar)
        return compile_kind(self, type_, annotation, location, is_key)

    def _add(self, row: Row) -> int:
        self.rows.append(row)
        return len(self.rows) - 1

    def _scalar(self, type_: Type, annotation: object, location: Location, is_key: bool) -> int:
        if annotation is SCALARS.get(type_.kind):
            return PLAIN
        if type_.kind == "uuid" and annotation_text(annotation) == "UUID":
            return PLAIN
        adapter = adapter_of(type_.kind, annotation)
        if adapter is None:
            raise misfit(type_, annotation, location)
        return self._add(Row("converted", type_.index, adapter.decode))

    def _enum(
        self,
        type_: Type,
        annotation: object,
        location: Location,
        is_key: bool,
        written: object = None,
    ) -> int:
        """written: a Union of the annotation and int, which accepts unknown numbers."""
        if annotation is int:
            return PLAIN
        if annotation is str:
            return self._add(Row("enum_name", type_.index))
        if not (isinstance(annotation, type) and issubclass(annotation, enum.Enum)):
            raise misfit(type_, annotation, location)
        members = tuple(members_of(type_, annotation, location, written).values())
        accepts = written is not None
        return self._add(Row("enum_member", type_.index, accepts_numbers=accepts, members=members))

    def _literal(self, type_: Type, annotation: object, location: Location) -> int:
        values = typing.get_args(annotation)
        class_ = int if type_.kind == "enum" else SCALARS.get(type_.kind)
        classes = {type(value) for value in values}
        if type_.kind == "enum" and classes == {str}:
            return self._names(type_, annotation, location, values)
        if classes != {class_}:
            raise misfit(type_, annotation, location)
        return self._add(Row("converted", type_.index, one_of(values)))

    def _names(
        self, type_: Type, annotation: object, location: Location, names: tuple[str, ...]
    ) -> int:
        missing = next((name for name in type_.members if name not in names), None)
        if missing is not None:
            raise misfit(type_, annotation, location, f"the enum lacks the member {missing}")
        return self._add(Row("enum_name", type_.index))

    def _any_of(self, type_: Type, annotation: object, location: Location, is_key: bool) -> int:
        """Union and Optional: a class per member of a union of IDL, or the first that fits."""
        choices = [item for item in typing.get_args(annotation) if item is not type(None)]
        if type_.kind == "union" and len(choices) > 1:
            return self._alternative(type_, choices, annotation, location)
        if type_.kind == "enum" and int in choices[1:]:
            return self._enum(type_, choices[0], location, is_key, written=annotation)
        number = self._first_of(type_, choices, location, is_key) if choices[1:] else None
        return self.node(type_, choices[0], location, is_key) if number is None else number

    def _first_of(
        self, type_: Type, choices: list[object], location: Location, is_key: bool = False
    ) -> Optional[int]:
        """The node of the first annotation that fits."""
        numbers = (self._attempt(type_, choice, location, is_key) for choice in choices)
        return next((number for number in numbers if number is not None), None)

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
            inner = Location(f"{location.path}.{field.name}", location.attribute)
            node = self._member(field, choices, inner)
            if node is None:
                hint = f"no class matches the member {field.name!r}"
                raise misfit(type_, annotation, location, hint)
            fields.append((position, node, field.name, "omitted", False, None))
        self._fill(number, type_, fields=tuple(fields))
        return number

    def _fill(self, number: int, type_: Type, fields: tuple[FieldRow, ...]) -> None:
        """Completes the row of a struct."""
        count = max(len(type_.fields), *(row[0] + 1 for row in fields), 0)
        self.rows[number] = self.rows[number]._replace(field_count=count, fields=fields)

    def _member(self, field: Field, choices: list[object], location: Location) -> Optional[int]:
        """The node of a member of a union: of the class with only this field, or of its type."""
        for choice in choices:
            attribute = only_attribute(choice)
            if attribute is not None and attribute.name == field.name:
                inner = self._attempt(field.type, attribute.annotation, location, False)
                if inner is not None:
                    make = by_keyword(choice, attribute.keyword)
                    return self._add(Row("converted", field.type.index, make, value=inner))
        return self._first_of(field.type, named_first(field.type, choices), location)

    def _sequence(self, type_: Type, annotation: object, location: Location, is_key: bool) -> int:
        form, element = sequence_form(type_, annotation, location, is_key)
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
        arguments = typing.get_args(annotation) or (typing.Any, typing.Any)
        number = self._add(Row("map", type_.index))
        key, value = type_.parameters
        keys = self.node(key, arguments[0], location.entry("{key *}"), True)
        values = self.node(value, arguments[1], location.entry("{*}"))
        if keys == values == PLAIN:
            self.rows.pop()
            return PLAIN
        self.rows[number] = Row("map", type_.index, key=keys, value=values)
        return number

    def _struct(self, type_: Type, annotation: object, location: Location, is_key: bool) -> int:
        if not is_key and is_plain_dict(annotation):
            return PLAIN
        key = type_.index, annotation
        if key not in self._numbers:
            declared = checked_fields(type_, annotation, location, is_key)
            class_ = typing.get_origin(annotation) or annotation
            row = Row(declared.form, type_.index, class_, declared.after)
            row = row._replace(is_untracked=declared.is_untracked)
            number = self._numbers[key] = self._add(row)
            fields = self._fields(type_, class_, declared, location)
            self._fill(number, type_, fields=fields)
        return self._numbers[key]

    def _fields(
        self, type_: Type, class_: Value, declared: ClassFields, location: Location
    ) -> tuple[FieldRow, ...]:
        pairs = fields_of(type_, class_, declared.attributes, self._by_alias)
        if type_.kind == "union":
            check_members(type_, class_, pairs, location)
        positions = {field.name: at for at, field in enumerate(by_position(type_))}
        rows = [
            (
                positions[field.name],
                *self._field_row(type_.name, attribute, field, class_, declared),
            )
            for attribute, field in pairs
            if declared.form != "call" or not attribute.is_internal
        ]
        return (*rows, *_unmatched_rows(declared, pairs, len(positions)))

    def _field_row(
        self,
        type_name: str,
        attribute: Attribute,
        field: Field,
        class_: Value,
        declared: ClassFields,
    ) -> tuple[int, str, str, bool, Value]:
        path = f"{type_name}.{field.name}"
        location = Location(path, f"{class_.__name__}.{attribute.name}")
        node = self._field(attribute, field, location, declared)
        absence, fallback = absent(attribute, field, node, location, self._is_partial)
        name = attribute.keyword if declared.form == "call" else attribute.name
        return node, name, absence, field.has_default, fallback

    def _is_same_key(self, attribute: Attribute, field: Field, node: int) -> bool:
        """Whether encode can write the entry of a dict, of which it knows no annotation."""
        name = field.alias if self._by_alias else field.name
        is_converted = node != PLAIN and self.rows[node].form == "converted"
        return attribute.name == name and not is_converted

    def _field(
        self, attribute: Attribute, field: Field, location: Location, declared: ClassFields
    ) -> int:
        if declared.validates and is_unclear(field.type, attribute):
            return PLAIN
        node = self.node(field.type, attribute.annotation, location)
        if declared.form == "entries" and not self._is_same_key(attribute, field, node):
            raise Misfit(
                f"{location.attribute}: a TypedDict has no names or conversions: "
                "use a dataclass or msgspec.Struct"
            )
        return node


def _unmatched_rows(
    declared: ClassFields, pairs: list[tuple[Attribute, Field]], count: int
) -> Iterator[FieldRow]:
    """Attributes without a field, of a struct with that many fields: they take their defaults."""
    matched = {attribute.name for attribute, _ in pairs}
    for row in declared.attributes if declared.form == "instance" else ():
        if row.name not in matched and row.absence != "error":
            yield count, PLAIN, row.name, row.absence, False, row.fallback
            count += 1


_Compile = Callable[[_Compiler, "Type", object, Location, bool], int]
_BY_KIND: dict[str, _Compile] = {
    "enum": _Compiler._enum,
    "list": _Compiler._sequence,
    "set": _Compiler._sequence,
    "map": _Compiler._map,
    **dict.fromkeys(STRUCTS, _Compiler._struct),
}
