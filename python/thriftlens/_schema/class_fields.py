"""What the classes of users declare: their attributes, defaults and how instances are created."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import typing
from typing import Callable, Iterable, Literal, Mapping, NamedTuple, Optional

from .._typing import Value
from .adapters import Name
from .classes import annotation_of

Absence = Literal["error", "value", "factory", "idl_default", "omitted"]
"""What an absent field becomes: an error, the fallback, the result of the fallback, the default of
the IDL, or nothing."""


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


def class_fields(class_: type) -> Optional[ClassFields]:
    """The attributes of a class; None if it declares none. TypeError if its annotations cannot be
    evaluated."""
    if hasattr(class_, "__thrift_type__"):
        return _generated_class(class_)
    if is_typed_dict(class_):
        return _typed_dict(class_)
    if issubclass(class_, tuple):
        return _named_tuple(class_) if hasattr(class_, "_fields") else None
    if hasattr(class_, "__struct_fields__"):
        return _msgspec_struct(class_)
    if hasattr(class_, "__pydantic_fields__"):
        return _pydantic_model(class_)
    if dataclasses.is_dataclass(class_):
        return _dataclass(class_)
    if hasattr(class_, "__attrs_attrs__"):
        return _attrs_class(class_)
    if class_.__module__ == "builtins" or issubclass(
        class_, (int, float, str, bytes, dict, list, set)
    ):
        return None
    return _plain_class(class_)


def _generated_class(class_: type) -> ClassFields:
    """A class of idl.classes, or derived from one: with the defaults of the IDL."""
    fields: Mapping[str, Value] = getattr(class_, "__thrift_attributes__")
    attributes = []
    for name, field in fields.items():
        absence: Absence = "error" if field.has_default else "value"
        annotation = annotation_of(field.type)
        attributes.append(Attribute(name, name, annotation, absence, None, field.name))
    return ClassFields("instance", attributes)


def is_typed_dict(class_: object) -> bool:
    return isinstance(class_, type) and issubclass(class_, dict) and hasattr(class_, "__total__")


def _hints(of: object, name: str) -> dict[str, object]:
    """The annotations, evaluated."""
    try:
        return typing.get_type_hints(of, include_extras=True)
    except Exception as error:
        raise TypeError(f"cannot evaluate the annotations of {name}: {error}") from error


def _absence_of(annotation: object, default: Value, none: object) -> tuple[Absence, Value]:
    """Of an attribute with that default; `none` if it has no default."""
    if default is not none:
        return "value", default
    return ("value", None) if is_optional(annotation) else ("error", None)


def is_optional(annotation: object) -> bool:
    """Whether the annotation includes None."""
    if typing.get_origin(annotation) is typing.Annotated:
        return is_optional(typing.get_args(annotation)[0])
    return type(None) in typing.get_args(annotation) or annotation in (None, type(None))


def wire_name_of(annotation: object) -> Optional[str]:
    """The name in Annotated[..., Name(name)]."""
    if typing.get_origin(annotation) is not typing.Annotated:
        return None
    names = [item.name for item in typing.get_args(annotation)[1:] if isinstance(item, Name)]
    return names[0] if names else None


def _typed_dict(class_: type) -> ClassFields:
    required: frozenset[str] = getattr(class_, "__required_keys__", frozenset())
    attributes = []
    for name, annotation in _hints(class_, class_.__name__).items():
        plain = without_qualifiers(annotation)
        absence, fallback = _absence_of(plain, None, None)
        if name not in required:
            absence, fallback = "omitted", None
        attributes.append(Attribute(name, name, plain, absence, fallback, wire_name_of(plain)))
    return ClassFields("entries", attributes)


def without_qualifiers(annotation: object) -> object:
    """The annotation in Required[…], NotRequired[…], ReadOnly[…] and Final[…]."""
    origin = typing.get_origin(annotation)
    name = getattr(origin, "__name__", getattr(origin, "_name", ""))
    if name in ("Required", "NotRequired", "ReadOnly", "Final"):
        return without_qualifiers(typing.get_args(annotation)[0])
    return annotation


def _named_tuple(class_: type) -> ClassFields:
    hints = _hints(class_, class_.__name__)
    defaults: Mapping[str, Value] = getattr(class_, "_field_defaults", {})
    names: tuple[str, ...] = getattr(class_, "_fields")
    attributes = []
    for name in names:
        annotation = hints.get(name, typing.Any)
        absence = _absence_of(annotation, defaults.get(name, inspect.Parameter), inspect.Parameter)
        attributes.append(Attribute(name, name, annotation, *absence, wire_name_of(annotation)))
    has_own_new = "__new__" in vars(class_) and "_fields" not in vars(class_)
    return ClassFields("call" if has_own_new else "items", attributes)


def _msgspec_struct(class_: type) -> ClassFields:
    msgspec: Value = sys.modules["msgspec"]
    attributes = []
    for field in msgspec.structs.fields(class_):
        absence, fallback = _absence_of(field.type, field.default, msgspec.NODEFAULT)
        if field.default_factory is not msgspec.NODEFAULT:
            absence, fallback = "factory", field.default_factory
        renamed = field.encode_name if field.encode_name != field.name else None
        wire_name = wire_name_of(field.type) or renamed
        row = Attribute(field.name, field.name, field.type, absence, fallback, wire_name)
        attributes.append(row)
    return ClassFields("instance", attributes, _method(class_, "__post_init__"), is_untracked=True)


def _attribute_of(class_: type, name: str) -> Value:
    return getattr(class_, name)


def _method(class_: type, name: str) -> Optional[str]:
    return name if hasattr(class_, name) else None


def _pydantic_model(class_: type) -> ClassFields:
    hints = _hints(class_, class_.__name__)
    fields: Mapping[str, Value] = getattr(class_, "__pydantic_fields__")
    by_name = bool(getattr(class_, "model_config", {}).get("populate_by_name"))
    attributes = []
    for name, field in fields.items():
        alias = field.validation_alias or field.alias
        alias = alias if isinstance(alias, str) and not by_name else None
        annotation = hints.get(name, field.annotation)
        absence: tuple[Absence, Value] = "omitted", None
        if field.is_required():
            absence = _absence_of(annotation, None, None)
        wire_name = wire_name_of(annotation) or field.serialization_alias or field.alias
        attributes.append(Attribute(name, alias or name, annotation, *absence, wire_name))
    return ClassFields("call", attributes, validates=True)


def _dataclass(class_: type) -> ClassFields:
    hints = _hints(class_, class_.__name__)
    is_plain = _attribute_of(class_, "__new__") is object.__new__ and _has_generated_init(class_)
    attributes = []
    for field in dataclasses.fields(class_):
        annotation = without_qualifiers(hints.get(field.name, typing.Any))
        absence, fallback = _absence_of(annotation, field.default, dataclasses.MISSING)
        if field.default_factory is not dataclasses.MISSING:
            absence, fallback = "factory", field.default_factory
        if not is_plain and absence != "error" and fallback is not None:
            absence = "omitted"
        wire_name = wire_name_of(annotation)
        row = Attribute(field.name, field.name, annotation, absence, fallback, wire_name)
        attributes.append(row)
    if not is_plain:
        return ClassFields("call", attributes, validates=hasattr(class_, "__pydantic_validator__"))
    return ClassFields("instance", attributes, _method(class_, "__post_init__"))


def _has_generated_init(class_: type) -> bool:
    """Whether __init__ is the one that the decorator dataclass made."""
    if hasattr(class_, "__pydantic_validator__"):
        return False
    owner = next(base for base in class_.__mro__ if "__init__" in vars(base))
    parameters = vars(owner).get("__dataclass_params__")
    init_only = any(  # InitVar: only a call can pass it
        getattr(field, "_field_type", None) is getattr(dataclasses, "_FIELD_INITVAR")
        for field in getattr(class_, "__dataclass_fields__").values()
    )
    return parameters is not None and bool(parameters.init) and not init_only


def _attrs_class(class_: type) -> ClassFields:
    attr: Value = sys.modules["attr"]
    hints = _hints(class_, class_.__name__)
    rows: Iterable[Value] = getattr(class_, "__attrs_attrs__")
    is_plain = (
        _attribute_of(class_, "__new__") is object.__new__
        and _file_of(_attribute_of(class_, "__init__")).startswith("<attrs generated")
        and not hasattr(class_, "__attrs_pre_init__")
    )
    attributes = []
    for row in rows:
        annotation = hints.get(row.name, typing.Any if row.type is None else row.type)
        absence, fallback = _absence_of(annotation, row.default, attr.NOTHING)
        if isinstance(row.default, attr.Factory):
            absence, fallback = "factory", row.default.factory
            is_plain = is_plain and not row.default.takes_self
        is_plain = is_plain and row.validator is None and row.converter is None
        keyword = getattr(row, "alias", None) or row.name.lstrip("_")
        wire_name = wire_name_of(annotation)
        attributes.append(Attribute(row.name, keyword, annotation, absence, fallback, wire_name))
    if is_plain:
        return ClassFields("instance", attributes, _method(class_, "__attrs_post_init__"))
    called = [a._replace(absence="omitted") if _has_default(a) else a for a in attributes]
    return ClassFields("call", called, validates=True)


def _has_default(attribute: Attribute) -> bool:
    return attribute.absence != "error" and attribute.fallback is not None


def _file_of(function: Value) -> str:
    code = getattr(function, "__code__", None)
    return "" if code is None else str(code.co_filename)


def _plain_class(class_: type) -> Optional[ClassFields]:
    if (
        _attribute_of(class_, "__init__") is not object.__init__
        or _attribute_of(class_, "__new__") is not object.__new__
    ):
        return _class_with_init(class_)
    attributes = []
    for name, annotation in _hints(class_, class_.__name__).items():
        annotation = without_qualifiers(annotation)
        if typing.get_origin(annotation) is typing.ClassVar or annotation is typing.ClassVar:
            continue
        default = getattr(class_, name, inspect.Parameter.empty)
        if inspect.ismemberdescriptor(default):  # of __slots__
            default = inspect.Parameter.empty
        absence = _absence_of(annotation, default, inspect.Parameter.empty)
        attributes.append(Attribute(name, name, annotation, *absence, wire_name_of(annotation)))
    return ClassFields("instance", attributes) if attributes else None


def _class_with_init(class_: type) -> Optional[ClassFields]:
    """The parameters of __init__ are the attributes."""
    init: Callable[..., object] = _attribute_of(class_, "__init__")
    try:
        parameters = list(inspect.signature(init).parameters.values())[1:]
    except (TypeError, ValueError):
        return None
    hints = _hints(init, class_.__name__)
    own = {**_class_hints(class_), **hints}
    attributes = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        annotation = own.get(parameter.name, typing.Any)
        absence, fallback = _absence_of(annotation, parameter.default, parameter.empty)
        if parameter.default is not parameter.empty:
            absence = "omitted"
        wire_name = wire_name_of(annotation)
        name = parameter.name
        attributes.append(Attribute(name, name, annotation, absence, fallback, wire_name))
    is_annotated = any(attribute.name in own for attribute in attributes)
    return ClassFields("call", attributes) if is_annotated else None


def _class_hints(class_: type) -> dict[str, object]:
    """The annotations of the class, if they can be evaluated: those of __init__ are enough."""
    try:
        return typing.get_type_hints(class_, include_extras=True)
    except Exception:
        return {}


def annotation_text(annotation: object) -> str:
    """An annotation as in source code, without modules."""
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return annotation.__qualname__.rpartition("<locals>.")[2]
    text = str(annotation).replace("typing.", "")
    return text.replace("NoneType", "None")
