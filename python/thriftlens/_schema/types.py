"""Types, their fields and names: `idl["Order"]`, and the table of the types of a schema."""

from __future__ import annotations

import functools
import weakref
from types import MappingProxyType
from typing import TYPE_CHECKING, Iterator, Literal, Mapping, NamedTuple, NoReturn, Optional

from .. import _core
from .._errors import Error, UnknownNameError
from .._records import conversions
from .._text import did_you_mean
from .._typing import Value, WireProtocol
from . import enums as _enums
from . import html as _html
from .adapters import Convert
from .names import Named, encoded_name, with_service_hint
from .presets import presets_of_methods
from .results import Difference, Differences

Encodings = tuple[tuple[Optional[str], Optional[Convert]], ...]
"""Names of attributes and conversions of their values, by the position of the field."""


class Field(NamedTuple):
    """A field of a struct, union or exception, an argument, or an exception that a function
    throws."""

    id: int
    name: str
    type: Type
    requiredness: Literal["required", "optional", "default"]
    has_default: bool
    default: Value
    """The default value, as decoded; None if has_default is False."""
    alias: str
    """The key in JSON with names="alias"; the field name if the IDL has no alias."""
    doc: str
    annotations: dict[str, str]
    type_annotations: dict[str, str]
    """Annotations of its type and of the typedefs that the type refers to."""


class Type(_core.Type):
    """A type of a schema: `idl["Order"]`. Thread-safe; a schema has one object per type.

    >>> import thriftlens as tl
    >>> idl = tl.loads('''
    ... enum Status { NEW = 1, PAID = 2 }
    ... struct Order { 1: required i64 id, 2: list<string> tags, 3: Status status = Status.NEW }
    ... ''')
    >>> Order = idl.Order
    >>> data = Order.encode({"id": 7, "tags": ["a"], "status": "PAID"})
    >>> Order.decode(data)
    {'id': 7, 'tags': ['a'], 'status': 2}
    >>> Order.decode(data, enums="name")["status"]
    'PAID'
    >>> Order.to_json(data)
    b'{"id":7,"tags":["a"],"status":2}'
    >>> Order.from_json('{"id": 7, "tags": ["a"], "status": "PAID"}') == data
    True
    >>> Order.encode({"id": "seven"})
    Traceback (most recent call last):
        ...
    thriftlens.EncodeError: expected i64, got str at $.id
    """

    schema: TypeTable
    """The Schema of the type."""
    kind: str
    """"bool", "i8" … "binary", "uuid", "enum", "list", "set", "map", "struct", "union", "exception"
    or "void"."""
    name: str
    """"Order", "base.User" for a type of an included file, "map<string, list<i32>>"."""
    doc: str
    annotations: dict[str, str]
    _fields: Optional[Mapping[str, Field]] = None
    _members: Optional[Mapping[str, int]] = None
    _parameters: Optional[tuple[Type, ...]] = None
    _models: dict[object, _core.Model]
    _alias_models: dict[object, _core.Model]
    _encodings: dict[object, Optional[Encodings]]
    _class: Optional[type] = None
    _presets: Mapping[str, Value] = MappingProxyType({})

    def __repr__(self) -> str:
        name = self.name if self.name == self.kind else f"{self.kind} {self.name}"
        presets = "".join(f", {option}={value!r}" for option, value in self._presets.items())
        return f"<thriftlens.Type {name}{presets}>"

    def __reduce__(self) -> tuple[object, ...]:
        """Its schema and name, and its index if the name is not enough, as for containers."""
        if self._presets:
            return _restore_using, (self.schema._type(self.index), self._presets)
        try:
            by_name = self.schema[self.name] is self
        except Error:
            by_name = False
        return restore_type, (self.schema, self.name, None if by_name else self.index)

    if not TYPE_CHECKING:  # type checkers would accept every attribute

        def __getattr__(self, name: str) -> NoReturn:
            """Raises AttributeError with a hint how to access members and fields."""
            if name.startswith("_") or name in Type.__annotations__:  # not set yet
                raise AttributeError(name)
            if self.kind == "enum" and name in self.members:
                raise AttributeError(
                    f"{name!r} is a member of the enum {self.name}: write "
                    f"idl.{self.name}.enum_class.{name}, or {name!r} where a value is encoded"
                )
            if name in self.fields:
                raise AttributeError(
                    f"{name!r} is a field of {self.name}, and idl.{self.name} is the type: "
                    f"write view.{name}, or idl.{self.name}.fields[{name!r}]"
                )
            near = did_you_mean(name, self.members)
            raise AttributeError(f"a thriftlens.Type has no attribute {name!r}{near}")

    def __call__(self, *values: object, **fields: object) -> NoReturn:
        """Raises TypeError: a type is not a class."""
        literal = "{" + ", ".join(f"{name!r}: …" for name in fields or self.fields) + "}"
        advice = {
            "exception": f"use idl.exceptions[{self.name!r}](…) to create an exception",
            "enum": f"use idl.{self.name}.enum_class(…) to get a member",
        }.get(
            self.kind,
            f"idl.classes.{self.name}(…) creates an object; idl.{self.name}.encode({literal}) "
            "returns the bytes of a dict or of any object with these attributes",
        )
        raise TypeError(f"{self.name} is a type of the IDL, not a class: {advice}")

    def __copy__(self) -> Type:
        return self

    def __deepcopy__(self, memo: object) -> Type:
        return self

    def _repr_html_(self) -> str:
        title = f"{self.kind} {self.name}" if self.name != self.kind else self.name
        if self.kind == "enum":
            return _html.html_of_members(title, self.members, self.doc)
        rows = (
            (field.id, field.name, field.type.name, field.requiredness, field[4:6])
            for field in self.fields.values()
        )
        return _html.html_of_fields(title, len(self.fields), rows, self.doc)

    @property
    def fields(self) -> Mapping[str, Field]:
        """Fields by name, in source order; members of a union. Empty for other types. Read-only."""
        if self._fields is None:
            self._fields = MappingProxyType(Named("field", self._make_fields()))
        return self._fields

    def _make_fields(self) -> dict[str, Field]:
        fields = {}
        for row in self.schema._core.fields(self.index):
            own, inherited = dict(row.annotations), dict(row.type_annotations)
            type_ = self.schema._type(row.type)
            fields[row.name] = Field(row.id, row.name, type_, *row[3:8], own, inherited)
        return fields

    @property
    def members(self) -> Mapping[str, int]:
        """Members of an enum: numbers by name, in source order. Empty for other types.
        Read-only."""
        if self._members is None:
            members = {name: number for name, number, _ in self.schema._core.members(self.index)}
            self._members = MappingProxyType(Named("member", members))
        return self._members

    @property
    def member_annotations(self) -> Mapping[str, dict[str, str]]:
        """Annotations of an enum's members by name; empty dicts for members without annotations."""
        rows = self.schema._core.members(self.index)
        return {name: dict(annotations) for name, _, annotations in rows}

    @property
    def enum_class(self) -> type[_enums.EnumClass]:
        """The IntEnum class of an enum, used by decode with enums="member". TypeError for other
        types.

        Equal enums have the same class, also after several loads of their IDL; members can be
        pickled. Names reserved by Python get an underscore: `mro_`.

        >>> import thriftlens as tl
        >>> paint = "struct Paint { 1: list<Color> colors }"
        >>> idl = tl.loads("enum Color { RED = 1, BLUE = 5 }" + paint)
        >>> Color = idl.enum("Color")
        >>> list(Color), Color is idl.Color.enum_class
        ([<Color.RED: 1>, <Color.BLUE: 5>], True)
        >>> idl.Paint.decode(idl.Paint.encode({"colors": [Color.BLUE, 7]}), enums="member")
        {'colors': [<Color.BLUE: 5>, 7]}
        """
        if self.kind != "enum":
            raise TypeError(f"{self.name} is not an enum")
        class_ = _enums.enum_of(self.name, tuple(self.members.items()))
        class_.__doc__ = self.doc or class_.__doc__
        return class_

    @property
    def parameters(self) -> tuple[Type, ...]:
        """The element type of a list or set; the key and value types of a map."""
        if self._parameters is None:
            self._parameters = tuple(
                self.schema._type(index) for index in self.schema._core.parameters(self.index)
            )
        return self._parameters

    def using(self, **options: Value) -> Type:
        """This type with other defaults for options: of decode, encode, view, to_json, from_json,
        get and get_many; `protocol`, `depth` and `output_size` also of trim, edit, diff, redact and
        validate.

        TypeError for an unknown option, ValueError for a value that no method takes. A method that
        does not take a value, such as to_json enums="member", keeps its own default.

        >>> import thriftlens as tl
        >>> Point = tl.loads("struct Point { 1: i32 x }").Point.using(protocol="compact")
        >>> Point.decode(Point.encode({"x": 3})), Point
        ({'x': 3}, <thriftlens.Type struct Point, protocol='compact'>)
        """
        copy = self.schema._core.make(Type, self.index)
        copy.__dict__.update(self.__dict__, _presets={**self._presets, **options})
        for method, presets in presets_of_methods(copy._presets):
            copy.__dict__[method] = functools.partial(getattr(self, method), **presets)
        return copy

    columns = conversions.columns
    arrow_schema = conversions.arrow_schema
    from_columns = conversions.from_columns
    to_jsonable = conversions.to_jsonable

    def at(self, path: str) -> Type:
        """The type of the value at a path."""
        return self.schema._type(self.index_at(path))

    def _named(
        self,
        rows: list[
            tuple[Literal["added", "removed", "changed"], str, Optional[bytes], Optional[bytes]]
        ],
        protocol: WireProtocol,
        second: WireProtocol,
        depth: int,
    ) -> Differences:
        """Converts differences. Called by the compiled module."""
        return Differences(
            Difference(
                kind,
                path,
                self._value_at(path, left, protocol, depth),
                self._value_at(path, right, second, depth),
            )
            for kind, path, left, right in rows
        )

    def _value_at(
        self, path: str, data: Optional[bytes], protocol: WireProtocol, depth: int
    ) -> Value:
        """A decoded value; its bytes if they do not match the IDL."""
        if data is None:
            return None
        try:
            return self.at(path).decode(data, protocol=protocol, depth=depth)
        except Error:
            return data

    def describe(self, *, json: bool = False) -> str:
        """The declaration as IDL, or as a JSON object of `thriftlens.describe/1`."""
        return self.schema._core.describe(self.index, json)


class TypeTable:
    """The types of a schema by name and by index; the base of Schema."""

    _program: str  # the name of the root file, without folder and extension

    def __init__(self, core: _core.Schema):
        self._core = core
        self._by_index: dict[int, Type] = {}
        self._by_name: dict[str, Type] = {}
        self._types: Optional[Mapping[str, Type]] = None
        core.set_table(weakref.ref(self))

    @property
    def types(self) -> Mapping[str, Type]:
        """Structs, unions, exceptions, enums and typedefs by name: of the root file, then of the
        included ones."""
        if self._types is None:
            self._types = MappingProxyType({name: self[name] for name in self._core.type_names()})
        return self._types

    def _type(self, index: int) -> Type:
        type_ = self._by_index.get(index)
        if type_ is None:
            type_ = self._core.make(Type, index)
            type_.schema = self
            type_.kind, type_.name, type_.doc, annotations = self._core.parts(index)
            type_.annotations = dict(annotations)
            type_._models, type_._alias_models, type_._encodings = {}, {}, {}
            type_ = self._by_index.setdefault(index, type_)
        return type_

    def _digest_of(self, program: str) -> bytes:
        raise NotImplementedError

    def __getitem__(self, name: str) -> Type:
        """A struct, union, exception, enum or typedef, "base.User" for included ones, or a base
        type ("i32").

        UnknownNameError (also a KeyError) suggests similar names."""
        type_ = self._by_name.get(name)
        if type_ is None:
            try:
                type_ = self._type(self._core.find(encoded_name("type", name)))
            except UnknownNameError as error:
                raise with_service_hint(error, self._core, name) from None
            self._by_name[name] = type_
        return type_

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and self[name] is not None
        except UnknownNameError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(self.types)


def _restore_using(type_: Type, options: Mapping[str, Value]) -> Type:
    return type_.using(**options)


def restore_type(schema: TypeTable, name: str, index: Optional[int]) -> Type:
    """Unpickles a Type. UnknownNameError if the schema has no such type."""
    if index is None:
        return schema[name]
    try:
        type_ = schema._type(index)
    except IndexError:
        type_ = None
    if type_ is None or type_.name != name:
        raise UnknownNameError(f"the pickle does not match the schema: expected type {name!r}")
    return type_
