"""What the classes of users declare: their attributes, defaults and how instances are created."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import typing
from typing import Callable, Literal, Mapping, NamedTuple, Optional

from .._typing import Value
from .adapters import Name
from .annotations import (
    bindings_of,
    hints_of,
    is_optional,
    qualified,
    substituted,
    without_qualifiers,
)
from .classes import annotation_of

Absence = Literal["error", "value", "factory", "idl_default", "omitted"]
"""What an absent field becomes: an error, the fallback, the result of the fallback, the default of
the IDL, or nothing."""


_Absent = tuple[Absence, Value]
_OMITTED: _Absent = ("omitted", None)
_NOTHING = inspect.Parameter.empty


class Attribute(NamedTuple):
    """An attribute of a class, an item of a named tuple or a key of a TypedDict."""

    name: str
    keyword: str
    """Its name in a call of the class."""
    annotation: object
    absence: Absence
    fallback: Value
    wire_name: Optional[str]
    """Another name that the class declares for the data, such as an alias of pydantic."""
    is_internal: bool = False
    """No parameter of the constructor: a type may lack it."""
    has_converter: bool = False
    """The class declares a function that converts decoded values."""


class ClassFields(NamedTuple):
    """The attributes of a class and how instances are created."""

    form: Literal["instance", "items", "entries", "call"]
    """As attributes, items of a tuple, entries of a dict, or by calling the class."""
    attributes: list[Attribute]
    after: Optional[str] = None
    """The name of a method to call on a new instance."""
    is_untracked: bool = False
    validates: bool = False
    """The class converts and checks values itself, as pydantic does."""


def class_fields(class_: Value) -> Optional[ClassFields]:
    """The attributes of a class, which may be a generic with arguments; None if it declares none.
    TypeError if its annotations cannot be evaluated."""
    origin: Value = typing.get_origin(class_) or class_
    if hasattr(origin, "__struct_fields__"):
        return _msgspec_struct(origin, class_)
    declared = _declared(origin) if isinstance(origin, type) else None
    bindings = bindings_of(class_)
    if declared is None or not any(bindings.values()):
        return declared
    return declared._replace(
        attributes=[_bound(row, origin, bindings) for row in declared.attributes]
    )


def _bound(
    attribute: Attribute, class_: type, bindings: Mapping[object, Mapping[object, object]]
) -> Attribute:
    """Without the type variables of the class that declares the attribute."""
    bases = (
        base for base in class_.__mro__ if attribute.name in getattr(base, "__annotations__", ())
    )
    arguments = bindings.get(next(bases, class_), {})
    return attribute._replace(annotation=substituted(attribute.annotation, arguments))


def _declared(class_: type) -> Optional[ClassFields]:
    if is_typed_dict(class_):
        return _typed_dict(class_)
    if issubclass(class_, tuple):
        return _named_tuple(class_) if hasattr(class_, "_fields") else None
    for mark, read in _READERS.items():
        if hasattr(class_, mark):
            return read(class_)
    is_value = class_.__module__ == "builtins" or issubclass(class_, _VALUES)
    return None if is_value else _plain_class(class_)


def _generated_class(class_: type) -> ClassFields:
    """A class of idl.classes, or derived from one: with the defaults of the IDL."""
    fields: Mapping[str, Value] = getattr(class_, "__thrift_attributes__")
    attributes = []
    for name, field in fields.items():
        absence: Absence = "idl_default" if field.has_default else "value"
        annotation = annotation_of(field.type)
        attributes.append(Attribute(name, name, annotation, absence, None, field.name))
    return ClassFields("instance", attributes)


def is_typed_dict(class_: object) -> bool:
    return isinstance(class_, type) and issubclass(class_, dict) and hasattr(class_, "__total__")


def _absence_of(annotation: object, default: Value, none: object) -> _Absent:
    """Of an attribute with that default; `none` if it has no default."""
    if default is not none:
        return "value", default
    return ("value", None) if is_optional(annotation) else ("error", None)


def _attribute(
    name: str, annotation: object, absence: _Absent, wire_name: Optional[str] = None
) -> Attribute:
    """An attribute; an annotation with Name takes precedence over its wire_name."""
    is_annotated = typing.get_origin(annotation) is typing.Annotated
    extras = typing.get_args(annotation)[1:] if is_annotated else ()
    names = [extra.name for extra in extras if isinstance(extra, Name)]
    if len(names) > 1:
        raise TypeError(f"the attribute {name} has two names: {names[0]!r} and {names[1]!r}")
    return Attribute(name, name, annotation, *absence, names[0] if names else wire_name)


def _typed_dict(class_: type) -> ClassFields:
    required: frozenset[str] = getattr(class_, "__required_keys__", frozenset())
    attributes = []
    for name, annotation in hints_of(class_, class_.__name__).items():
        qualifiers, plain = qualified(annotation)
        # The annotations of the class may have been text when it found the required keys.
        is_required = name in required or "Required" in qualifiers
        is_required = is_required and "NotRequired" not in qualifiers
        absence = _absence_of(plain, None, None) if is_required else _OMITTED
        attributes.append(_attribute(name, plain, absence))
    return ClassFields("entries", attributes)


def _named_tuple(class_: type) -> ClassFields:
    hints = hints_of(class_, class_.__name__)
    defaults: Mapping[str, Value] = getattr(class_, "_field_defaults", {})
    names: tuple[str, ...] = getattr(class_, "_fields")
    attributes = []
    for name in names:
        annotation = hints.get(name, typing.Any)
        absence = _absence_of(annotation, defaults.get(name, _NOTHING), _NOTHING)
        attributes.append(_attribute(name, annotation, absence))
    has_own_new = "__new__" in vars(class_) and "_fields" not in vars(class_)
    return ClassFields("call" if has_own_new else "items", attributes)


def _msgspec_struct(class_: type, generic: object) -> ClassFields:
    msgspec: Value = sys.modules["msgspec"]
    attributes = []
    for field in msgspec.structs.fields(generic):
        absence = _absence_of(field.type, field.default, msgspec.NODEFAULT)
        if field.default_factory is not msgspec.NODEFAULT:
            absence = "factory", field.default_factory
        attributes.append(_attribute(field.name, field.type, absence, field.encode_name))
    return ClassFields("instance", attributes, _method(class_, "__post_init__"), is_untracked=True)


def _attribute_of(class_: type, name: str) -> Value:
    return getattr(class_, name)


def _method(class_: type, name: str) -> Optional[str]:
    return name if hasattr(class_, name) else None


def _pydantic_model(class_: type) -> ClassFields:
    hints = hints_of(class_, class_.__name__)
    fields: Mapping[str, Value] = getattr(class_, "__pydantic_fields__")
    config: Mapping[str, object] = getattr(class_, "model_config", {})
    by_name = bool(config.get("populate_by_name") or config.get("validate_by_name"))
    attributes = [
        _pydantic_attribute(name, field, hints.get(name, field.annotation), by_name)
        for name, field in fields.items()
    ]
    return ClassFields("call", attributes, validates=True)


def _pydantic_attribute(name: str, field: Value, annotation: object, by_name: bool) -> Attribute:
    alias = field.validation_alias or field.alias
    alias = getattr(alias, "choices", [alias])[0]  # of AliasChoices
    absence = _absence_of(annotation, None, None) if field.is_required() else _OMITTED
    result = _attribute(name, annotation, absence, field.serialization_alias or field.alias)
    return result._replace(keyword=alias if isinstance(alias, str) and not by_name else name)


def _dataclass(class_: type) -> ClassFields:
    hints = hints_of(class_, class_.__name__)
    attributes = []
    for field in dataclasses.fields(class_):
        annotation = without_qualifiers(hints.get(field.name, typing.Any))
        absence = _absence_of(annotation, field.default, dataclasses.MISSING)
        if field.default_factory is not dataclasses.MISSING:
            absence = "factory", field.default_factory
        attribute = _attribute(field.name, annotation, absence)
        attributes.append(attribute._replace(is_internal=not field.init))
    if _attribute_of(class_, "__new__") is object.__new__ and _has_generated_init(class_):
        return ClassFields("instance", attributes, _method(class_, "__post_init__"))
    return _called(attributes, hasattr(class_, "__pydantic_validator__"))


def _called(attributes: list[Attribute], validates: bool) -> ClassFields:
    """A class that is called, and knows its own defaults."""
    omitted = [
        attribute._replace(absence="omitted")
        if attribute.absence != "error" and attribute.fallback is not None
        else attribute
        for attribute in attributes
    ]
    return ClassFields("call", omitted, validates=validates)


def _has_generated_init(class_: type) -> bool:
    """Whether __init__ is that of the decorator dataclass."""
    if hasattr(class_, "__pydantic_validator__"):
        return False
    owner = next(base for base in class_.__mro__ if "__init__" in vars(base))
    parameters = vars(owner).get("__dataclass_params__")
    return parameters is not None and bool(parameters.init) and not init_variables(class_)


def init_variables(class_: type) -> dict[str, bool]:
    """The InitVars of a dataclass, which only a call can pass; whether they have a default."""
    fields: Mapping[str, Value] = getattr(class_, "__dataclass_fields__", {})
    mark = getattr(dataclasses, "_FIELD_INITVAR")
    return {
        name: field.default is not dataclasses.MISSING
        for name, field in fields.items()
        if getattr(field, "_field_type", None) is mark
    }


def _attrs_class(class_: type) -> ClassFields:
    hints = hints_of(class_, class_.__name__)
    rows = _attribute_of(class_, "__attrs_attrs__")
    attributes = [_attrs_attribute(row, hints.get(row.name, row.type)) for row in rows]
    is_plain = (
        _attribute_of(class_, "__new__") is object.__new__
        and _file_of(_attribute_of(class_, "__init__")).startswith("<attrs generated")
        and not hasattr(class_, "__attrs_pre_init__")
        and all(map(_is_stored_as_passed, rows))
    )
    if is_plain:
        return ClassFields("instance", attributes, _method(class_, "__attrs_post_init__"))
    return _called(attributes, True)


def _attrs_attribute(row: Value, annotation: object) -> Attribute:
    attr: Value = sys.modules["attr"]
    annotation = typing.Any if annotation is None else annotation
    absence = _absence_of(annotation, row.default, attr.NOTHING)
    if isinstance(row.default, attr.Factory):
        absence = "factory", row.default.factory
    keyword = getattr(row, "alias", None) or row.name.lstrip("_")
    attribute = _attribute(row.name, annotation, absence)
    has_converter = row.converter is not None
    return attribute._replace(
        keyword=keyword, is_internal=not row.init, has_converter=has_converter
    )


def _is_stored_as_passed(row: Value) -> bool:
    """Whether the constructor neither checks nor converts the attribute."""
    return (
        row.validator is None
        and row.converter is None
        and not getattr(row.default, "takes_self", False)
    )


def _file_of(function: Value) -> str:
    code = getattr(function, "__code__", None)
    return "" if code is None else str(code.co_filename)


def _plain_class(class_: type) -> Optional[ClassFields]:
    own = [_attribute_of(class_, name) for name in ("__init__", "__new__")]
    if own[0] is not object.__init__ or own[1] is not object.__new__:
        return _class_with_init(class_)
    hints = hints_of(class_, class_.__name__)
    plain = {name: without_qualifiers(annotation) for name, annotation in hints.items()}
    attributes = [
        _attribute(name, annotation, _absence_of(annotation, _default_in(class_, name), _NOTHING))
        for name, annotation in plain.items()
        if typing.ClassVar not in (annotation, typing.get_origin(annotation))
    ]
    return ClassFields("instance", attributes) if attributes else None


def _default_in(class_: type, name: str) -> Value:
    default = getattr(class_, name, _NOTHING)
    return _NOTHING if inspect.ismemberdescriptor(default) else default  # of __slots__


def _class_with_init(class_: type) -> Optional[ClassFields]:
    """The parameters of __init__ are the attributes."""
    init = _attribute_of(class_, "__init__")
    own = {**_class_hints(class_), **hints_of(init, class_.__name__)}
    attributes = []
    for parameter in _parameters_of(init):
        annotation = own.get(parameter.name, typing.Any)
        is_needed = parameter.default is _NOTHING
        absence = _absence_of(annotation, _NOTHING, _NOTHING) if is_needed else _OMITTED
        attributes.append(_attribute(parameter.name, annotation, absence))
    is_annotated = any(attribute.name in own for attribute in attributes)
    return ClassFields("call", attributes) if is_annotated else None


def _parameters_of(init: Callable[..., object]) -> list[inspect.Parameter]:
    """The named parameters, without self."""
    try:
        parameters = list(inspect.signature(init).parameters.values())[1:]
    except (TypeError, ValueError):
        return []
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [parameter for parameter in parameters if parameter.kind not in variadic]


def _class_hints(class_: type) -> dict[str, object]:
    """The annotations of the class, if they can be evaluated: those of __init__ are enough."""
    try:
        return typing.get_type_hints(class_, include_extras=True)
    except Exception:
        return {}


_VALUES = (int, float, str, bytes, dict, list, set)
_READERS: dict[str, Callable[[type], ClassFields]] = {
    "__thrift_type__": _generated_class,
    "__pydantic_fields__": _pydantic_model,
    "__dataclass_fields__": _dataclass,
    "__attrs_attrs__": _attrs_class,
}
"""By an attribute that the classes have."""
