"""Classes of the structs, unions, exceptions, enums and services of IDL: `idl.classes`."""

from __future__ import annotations

import abc
import functools
import inspect
import keyword
import threading
import typing
import weakref
from typing import TYPE_CHECKING, ClassVar, Iterator, Mapping, Optional, Sequence, Union

from .._errors import UnknownNameError
from .._text import did_you_mean
from .._typing import Buffer, Value
from .names import refuse_options
from .pickles import ClassOfType, restore_classes

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .._typing import ObjectEncodeOptions, ObjectReadOptions
    from .services import Function, Service
    from .types import Field, Type

    class _Schema(typing.Protocol):
        """The parts of a Schema that its classes need."""

        @property
        def types(self) -> Mapping[str, Type]: ...
        @property
        def constants(self) -> dict[str, Value]: ...
        @property
        def services(self) -> dict[str, Service]: ...
        def __getitem__(self, name: str) -> Type: ...
        def enum(self, name: str) -> type: ...
        @property
        def exceptions(self) -> Mapping[str, type]: ...
        @property
        def classes(self) -> Mapping[str, Value]: ...
        def _digest_of(self, program: str) -> bytes: ...


class Struct(metaclass=ClassOfType):
    """The base of the classes of structs and unions in `idl.classes` and of imported IDL.

    Fields are attributes, by their names in the IDL; Python keywords have an underscore. Absent
    fields are None, or the default of the IDL. The constructor takes fields by position or by name.
    Objects are equal if their fields are; they can be copied, pickled and matched.

    >>> import thriftlens as tl
    >>> idl = tl.loads("struct Order { 1: i64 id, 2: list<string> tags, 3: i32 count = 1 }")
    >>> Order = idl.classes.Order
    >>> order = Order(id=7, tags=["new"])
    >>> order
    Order(id=7, tags=['new'], count=1)
    >>> Order.decode(order.encode()) == order
    True
    >>> Order(7, tag=[])
    Traceback (most recent call last):
        ...
    TypeError: Order() has no field 'tag'; did you mean 'tags'?
    """

    __slots__ = ()
    __thrift_type__: ClassVar[Type]
    """The type in the IDL."""
    __thrift_attributes__: ClassVar[Mapping[str, Field]] = {}
    """Fields by the names of their attributes."""
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init__(self, /, *values: Value, **named: Value):
        fields = self.__thrift_attributes__
        positional = dict(zip(fields, values))
        if len(positional) < len(values) or named.keys() - fields.keys():
            raise self._refused(len(values), named)
        for name in positional.keys() & named.keys():
            raise TypeError(f"{_name_of(self)}() got multiple values for {name!r}")
        named.update(positional)
        for name, field in fields.items():
            setattr(self, name, named[name] if name in named else _default_of(field))

    def _refused(self, count: int, named: Mapping[str, Value]) -> TypeError:
        fields = self.__thrift_attributes__
        for name in named:
            if name not in fields:
                suggestion = did_you_mean(name, fields)
                return TypeError(f"{_name_of(self)}() has no field {name!r}{suggestion}")
        return TypeError(f"{_name_of(self)}() takes {len(fields)} values, not {count}")

    def encode(self, **options: Unpack[ObjectEncodeOptions]) -> bytes:
        """The bytes of the object; options as of Type.encode."""
        return self.__thrift_type__.encode(self, **options)

    @classmethod
    def decode(cls, data: Buffer, **options: Unpack[ObjectReadOptions]) -> Self:
        """An object from bytes; options as of Type.decode, but `into` and `enums`."""
        refuse_options(options, f"idl.{cls.__thrift_type__.name}.decode", "into", "enums")
        return cls.__thrift_type__.decode(data, into=cls, **options)

    def _values(self) -> dict[str, Value]:
        return {name: getattr(self, name, None) for name in self.__thrift_attributes__}

    def __repr__(self) -> str:
        pairs = ((name, value) for name, value in self._values().items() if value is not None)
        return f"{_name_of(self)}({', '.join(f'{name}={value!r}' for name, value in pairs)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Struct) or type(other) is not type(self):
            return NotImplemented
        return other._values() == self._values()

    __hash__ = None  # type: ignore[assignment]

    def __replace__(self, /, **changes: Value) -> Self:
        return type(self)(**{**self._values(), **changes})

    def __reduce_ex__(self, protocol: typing.SupportsIndex) -> Union[str, tuple[object, ...]]:
        return super().__reduce_ex__(max(protocol.__index__(), 2))  # the first with slots


class UnionStruct(Struct):
    """The base of the classes of unions: at most one member is set, all others are None."""

    __slots__ = ()

    @property
    def which(self) -> Optional[str]:
        """The name of the member that is set; None if no member is set.

        >>> import thriftlens as tl
        >>> Either = tl.loads("union Either { 1: i64 number, 2: string word }").classes.Either
        >>> Either(word="x").which
        'word'
        """
        members = [name for name, value in self._values().items() if value is not None]
        if len(members) > 1:
            raise ValueError(f"{_name_of(self)} has two members: {members[0]} and {members[1]}")
        return members[0] if members else None


def _name_of(self: Struct) -> str:
    return type(self).__qualname__


def _default_of(field: Field) -> Value:
    """A new object for every call, if it can be changed."""
    if not field.has_default:
        return None
    if field.type.kind in ("list", "set", "map", "struct", "union", "exception"):
        data = field.type.encode(field.default)
        return field.type.decode(data, into=annotation_of(field.type))
    members = field.type.enum_class if field.type.kind == "enum" else ()
    return next((member for member in members if member == field.default), field.default)


def attribute_name(name: str, kind: str) -> str:
    """The attribute of a field: keywords, and names that would hide a part of the class, get an
    underscore; private names two, as Python would change them."""
    if name.startswith("__"):
        return name + "__"
    taken = ("encode", "decode", "_values", *(["which"] if kind == "union" else []))
    return name + "_" if keyword.iskeyword(name) or name in taken else name


# Types and services of equal files share a class, as those of a file that two others include.
_Key = tuple[str, bytes]
_classes: weakref.WeakValueDictionary[_Key, type[Struct]] = weakref.WeakValueDictionary()
_services: weakref.WeakValueDictionary[_Key, type[ServiceBase]] = weakref.WeakValueDictionary()
_lock = threading.Lock()


def class_of(type_: Type) -> type[Struct]:
    """The class of a struct or union."""
    if type_._class is None:
        prefix, _, name = type_.name.rpartition(".")
        key = name, type_.schema._digest_of(prefix)
        with _lock:
            type_._class = _classes.setdefault(key, _create(type_))
    return type_._class


def _create(type_: Type) -> type[Struct]:
    fields = {attribute_name(name, type_.kind): field for name, field in type_.fields.items()}
    body = {
        "__slots__": tuple(fields),
        "__match_args__": tuple(fields),
        "__thrift_type__": type_,
        "__thrift_attributes__": fields,
        "__doc__": _doc_of(type_, fields),
        "__module__": "thriftlens",
        "__signature__": _signature(fields),
        "_creation": (class_of, (type_,)),
    }
    base = UnionStruct if type_.kind == "union" else Struct
    return type(type_.name.rpartition(".")[2], (base,), body)


def _doc_of(type_: Type, fields: Mapping[str, Field]) -> Optional[str]:
    documented = (field for field in fields.values() if field.doc)
    lines = [f"{field.name}: {' '.join(field.doc.split())}" for field in documented]
    return "\n\n".join(part for part in (type_.doc, "\n".join(lines)) if part) or None


def _signature(fields: Mapping[str, Field]) -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature(
        [
            inspect.Parameter(name, kind, default=field.default)
            for name, field in fields.items()
            if name.isidentifier()
        ]
    )


def annotation_of(type_: Type, is_key: bool = False) -> Value:
    """What a value of a type is in the classes. Unknown numbers of enums stay numbers; structs and
    containers that are keys are tuples, as decoded."""
    if type_.kind == "enum":
        return Union[type_.enum_class, int]
    if is_key:
        return typing.Any
    if type_.kind in ("struct", "union"):
        return class_of(type_)
    container = {"list": list, "set": set, "map": dict}.get(type_.kind)
    if container is None:
        return typing.Any
    is_keyed = [type_.kind in ("set", "map"), False]
    arguments = tuple(map(annotation_of, type_.parameters, is_keyed))
    return container.__class_getitem__(arguments)  # type: ignore[attr-defined]


class ServiceBase(metaclass=ClassOfType):
    """The base of the classes of services: handlers derive from them and implement the functions,
    which are abstract methods. Servers decode the arguments to the classes of their schema."""

    __slots__ = ()


def service_class(schema: _Schema, service: Service) -> type[ServiceBase]:
    """The class of a service; it derives from that of the service that it extends."""
    base: type[ServiceBase] = ServiceBase
    functions = dict(service.functions)
    if service.extends in schema.services:
        base = service_class(schema, schema.services[service.extends])
    else:
        functions.update(service.inherited)
    prefix, _, short = service.name.rpartition(".")
    body: dict[str, object] = {
        name + "_" if keyword.iskeyword(name) else name: _method(short, function)
        for name, function in functions.items()
    }
    body.update(__doc__=service.doc or None, __module__="thriftlens")
    body.update(_creation=(restore_classes, (schema, service.name)))
    with _lock:
        return _services.setdefault((short, schema._digest_of(prefix)), type(short, (base,), body))


def _method(service: str, function: Function) -> object:
    def method(self: object, *values: object, **named: object) -> Value:
        raise NotImplementedError(f"{service}.{function.name}")

    method.__name__ = function.name
    method.__qualname__ = f"{service}.{function.name}"
    method.__doc__ = function.doc or None
    arguments = [attribute_name(name, "") for name in function.arguments.fields]
    names = ["_self" if "self" in arguments else "self", *arguments]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature([inspect.Parameter(name, kind) for name in names])
    setattr(method, "__signature__", signature)
    return abc.abstractmethod(method)


class Classes(Mapping[str, Value]):
    """Classes by name, as attributes and items: of structs, unions and exceptions; enums as
    IntEnum, services as abstract classes, and the values of constants.

    `classes.base` has those of the included file base.thrift; `classes["base.User"]` is one of
    them."""

    def __init__(self, schema: _Schema, prefix: str = ""):
        self._schema = schema
        self._prefix = prefix
        self._cache: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        if name not in self._cache:
            self._cache[name] = self._make(self._prefix + name)
        return self._cache[name]

    def _make(self, name: str) -> Value:
        schema = self._schema
        if name in schema.services:
            return service_class(schema, schema.services[name])
        if name in schema.constants:
            return schema.constants[name]
        if name in self._files:
            return Classes(schema, name + ".")
        type_ = schema[name]
        if type_.kind in ("enum", "exception"):
            return type_.enum_class if type_.kind == "enum" else schema.exceptions[name]
        return annotation_of(type_)

    def __getattr__(self, name: str) -> Value:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except UnknownNameError as error:
            raise AttributeError(str(error)) from None

    @functools.cached_property
    def _files(self) -> set[str]:
        """The names before the dots: of included files."""
        names = self._names()
        return {name[:at] for name in names for at, letter in enumerate(name) if letter == "."}

    def _names(self) -> Sequence[str]:
        schema = self._schema
        return [*schema.types, *schema.services, *schema.constants]

    def __iter__(self) -> Iterator[str]:
        size = len(self._prefix)
        own = (name[size:] for name in self._names() if name.startswith(self._prefix))
        return iter(dict.fromkeys(name.partition(".")[0] for name in own))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __reduce__(self) -> tuple[object, ...]:
        return restore_classes, (self._schema, self._prefix[:-1])

    def __repr__(self) -> str:
        return f"<classes {', '.join(self)}>"


Struct.__module__ = UnionStruct.__module__ = "thriftlens"
