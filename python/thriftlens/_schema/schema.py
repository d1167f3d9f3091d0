"""Schemas, types, fields and services: the Python classes over the compiled module."""

from __future__ import annotations

import itertools
import os
import sys
import threading
from enum import IntEnum
from types import FrameType, MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Iterable,
    Iterator,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Union,
)
from weakref import WeakValueDictionary

from .. import _core
from .._errors import Diagnostic, Error, UnknownNameError, file_error
from .._records import columns as _columns
from .._records.columns import ArrowSchema, Columns, Records
from .._text import quoted_name
from . import enums as _enums
from . import html as _html
from .results import Difference, Differences

if TYPE_CHECKING:
    from .exceptions import ThriftException

Loader = Callable[[str, str], Union[str, bytes, None]]


class Field(NamedTuple):
    """A field of a struct, union or exception, an argument, or an exception that a function throws."""

    id: int
    name: str
    type: Type
    requiredness: Literal["required", "optional", "default"]
    has_default: bool
    default: Any
    """The default value, as decoded; None if has_default is False."""
    alias: str
    """The key in JSON with names="alias"; the field name if the IDL has no alias."""
    doc: str
    annotations: dict[str, str]
    type_annotations: dict[str, str]
    """Annotations of its type and of the typedefs that the type refers to."""


class Function(NamedTuple):
    """A function of a service.

    `arguments` and `result` are the struct types of its calls and replies.
    """

    name: str
    oneway: bool
    returns: Optional[Type]
    arguments: Type
    result: Type
    doc: str
    annotations: dict[str, str]
    streaming: Literal["none", "client", "server", "bidirectional"] = "none"
    """The side that streams messages, by Kitex's annotation `streaming.mode` ("bidirectional" for an unknown value)."""

    def __repr__(self) -> str:
        return f"<thriftlens.Function {self.name}({_html.cut(', '.join(self.arguments.fields))})>"


class Service(NamedTuple):
    """A service: its own functions, those it inherits, and the name of the service it extends."""

    name: str
    extends: Optional[str]
    functions: dict[str, Function]
    doc: str
    annotations: dict[str, str]
    inherited: dict[str, Function] = {}

    def __repr__(self) -> str:
        functions = ", ".join([*self.functions, *self.inherited])
        return f"<thriftlens.Service {self.name}: {_html.cut(functions)}>"

    def function(self, name: str) -> Function:
        """A function by name, own or inherited. UnknownNameError suggests a similar name."""
        declared = self.functions.get(name) or self.inherited.get(name)
        if declared is not None:
            return declared
        import difflib

        suggestions = difflib.get_close_matches(name, [*self.functions, *self.inherited], n=1)
        hint = f"; did you mean {suggestions[0]!r}?" if suggestions else ""
        raise UnknownNameError(
            f"no function {quoted_name(name)} in {self.name}{hint}", code="unknown_name"
        )


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

    schema: Schema
    kind: str
    """"bool", "i8" … "binary", "uuid", "enum", "list", "set", "map", "struct", "union", "exception" or "void"."""
    name: str
    """"Order", "base.User" for a type of an included file, "map<string, list<i32>>"."""
    doc: str
    annotations: dict[str, str]
    _fields: Optional[Mapping[str, Field]] = None
    _members: Optional[Mapping[str, int]] = None
    _parameters: Optional[tuple[Type, ...]] = None

    def __repr__(self) -> str:
        return (
            f"<thriftlens.Type {self.kind} {self.name}>"
            if self.name != self.kind
            else f"<thriftlens.Type {self.name}>"
        )

    def __reduce__(self) -> Any:
        """Its schema and name, and its index if the name is not enough, as for containers."""
        try:
            by_name = self.schema[self.name] is self
        except Error:
            by_name = False
        return restore_type, (self.schema, self.name, None if by_name else self.index)

    if not TYPE_CHECKING:  # type checkers would accept every attribute

        def __getattr__(self, name: str) -> Any:
            """Raises AttributeError with a hint how to access members and fields."""
            if name.startswith("_") or name in Type.__annotations__:  # not set yet
                raise AttributeError(name)
            if self.kind == "enum" and name in self.members:
                raise AttributeError(
                    f"{name!r} is a member of the enum {self.name}: write idl.{self.name}.enum_class.{name}, or {name!r} where a value is encoded"
                )
            if name in self.fields:
                raise AttributeError(
                    f"{name!r} is a field of {self.name}, and idl.{self.name} is the type: write view.{name}, or idl.{self.name}.fields[{name!r}]"
                )
            raise AttributeError(f"a thriftlens.Type has no attribute {name!r}")

    def __call__(self, *values: Any, **fields: Any) -> Any:
        """Raises TypeError: a type is not a class."""
        literal = "{" + ", ".join(f"{name!r}: …" for name in fields or self.fields) + "}"
        advice = {
            "exception": f"use idl.exceptions[{self.name!r}](…) to create an exception",
            "enum": f"use idl.{self.name}.enum_class(…) to get a member",
        }.get(
            self.kind,
            f"a value is a dict, {literal}, or an object with these attributes; idl.{self.name}.encode({literal}) returns its bytes",
        )
        raise TypeError(f"{self.name} is a type of the IDL, not a class: {advice}")

    def __copy__(self) -> Type:
        return self

    def __deepcopy__(self, memo: Any) -> Type:
        return self

    def _repr_html_(self) -> str:
        return _html.html_of_type(self)

    @property
    def fields(self) -> Mapping[str, Field]:
        """Fields by name, in source order; members of a union. Empty for other types. Read-only."""
        if self._fields is None:
            self._fields = MappingProxyType(self._make_fields())
        return self._fields

    def _make_fields(self) -> dict[str, Field]:
        rows = self.schema._core.fields(self.index)
        return {
            row[1]: Field(
                row[0],
                row[1],
                self.schema._type(row[2]),
                row[3],  # type: ignore[arg-type]
                *row[4:8],
                dict(row[8]),
                dict(row[9]),
            )
            for row in rows
        }

    @property
    def members(self) -> Mapping[str, int]:
        """Members of an enum: numbers by name, in source order.

        Empty for other types. Read-only.
        """
        if self._members is None:
            self._members = MappingProxyType(
                {name: number for name, number, _ in self.schema._core.members(self.index)}
            )
        return self._members

    @property
    def member_annotations(self) -> Mapping[str, dict[str, str]]:
        """Annotations of an enum's members by the member's name; members without annotations have
        an empty dict.
        """
        return {
            name: dict(annotations)
            for name, _, annotations in self.schema._core.members(self.index)
        }

    @property
    def enum_class(self) -> type[IntEnum]:
        """The IntEnum class of an enum, used by decode with enums="member". TypeError for other
        types.

        Equal enums have the same class, also after several loads of their IDL; members can be
        pickled. Names reserved by Python get an underscore: `mro_`.

        >>> import thriftlens as tl
        >>> idl = tl.loads("enum Color { RED = 1, BLUE = 5 } struct Paint { 1: list<Color> colors }")
        >>> Color = idl.enum("Color")
        >>> list(Color), Color is idl.Color.enum_class
        ([<Color.RED: 1>, <Color.BLUE: 5>], True)
        >>> idl.Paint.decode(idl.Paint.encode({"colors": [Color.BLUE, 7]}), enums="member")
        {'colors': [<Color.BLUE: 5>, 7]}
        """
        if self.kind != "enum":
            raise TypeError(f"{self.name} is not an enum")
        return _enums.enum_of(self.name, tuple(self.members.items()))

    @property
    def parameters(self) -> tuple[Type, ...]:
        """The element type of a list or set; the key and value types of a map."""
        if self._parameters is None:
            self._parameters = tuple(
                self.schema._type(index) for index in self.schema._core.parameters(self.index)
            )
        return self._parameters

    def columns(
        self,
        records: Any,
        select: Any = None,
        *,
        protocol: Literal["binary", "compact"] = "binary",
        on_error: Literal["raise", "null", "skip"] = "raise",
        enums: Literal["number", "name", "string"] = "number",
        unions: Literal["struct", "dense"] = "struct",
        nesting: Literal["structs", "flat"] = "structs",
        defaults: Literal["omit", "write"] = "omit",
        field_ids: Literal["none", "unique"] = "none",
        mismatch: Literal["error", "drop"] = "error",
        invalid_utf8: Literal["error", "replace", "keep"] = "error",
        missing_required: Literal["error", "omit"] = "error",
        unknown: Literal["drop", "error"] = "drop",
        record: Optional[str] = None,
        reason: Optional[str] = None,
        file: Optional[str] = None,
        unknown_fields: Optional[str] = None,
        where: Optional[str] = None,
        batch_size: int = 1 << 16,
        threads: int = 1,
        depth: int = 64,
        output_size: int = 0,
    ) -> Columns:
        """Converts records of this type to Arrow columns, in one pass over their bytes. Values that
        are not selected are not decoded.

        records: a list of bytes or views (None for a null row), an iterable of them such as
        tl.scan(…), or a column of binary of any library with
            Arrow's PyCapsule interface, which is read in place. This type is a struct, or a list of
            structs, with one row per element.
        select: a selection; the columns are in the order of the IDL. Required for recursive types.
        on_error: for invalid records: "raise", "null" (a row of nulls) or "skip"; Columns.rejected
        has the first of them.
        enums: "name" creates dictionaries of the names; they differ between batches if numbers have
        no name, and an Arrow IPC file can have only one
            per column. "string" creates strings of the names.
        unions: "dense" creates dense unions of Arrow.
        nesting: "flat" creates columns "outer.inner" for nested structs, at any depth; lists and
        maps are not flattened.
        defaults: "write" uses the default of the IDL for absent fields.
        field_ids: "unique" numbers all fields, elements, keys and values in their metadata, as
        PARQUET:field_id. Other selections have other numbers.
        mismatch: "drop" reads fields whose wire type contradicts the IDL as null.
        invalid_utf8: "replace" uses U+FFFD in strings that are not UTF-8; "keep" creates binary
        columns.
        missing_required: "omit" reads absent required fields as null.
        unknown: "error" rejects fields that are not in the IDL.
        record: name of an additional column with the record number.
        reason: name of an additional column with the error of a null row.
        file: name of an additional column with the file of the record, for records of tl.scan over
        files.
        unknown_fields: name of an additional column with the fields that are not in the IDL, as the
        bytes of a struct; null without any.
        where: a condition on rows, such as "user.id > 5 and status = PAID" (docs/columns.md); other
        rows are not decoded.
        batch_size: rows per batch and thread.
        threads: number of threads that read the records of a list or a column.
        depth: maximum nesting depth.
        output_size: maximum bytes that one record adds to the columns; 0: 16 MiB + 8 per byte of
        the record.

        Errors: DecodeError with the number of the record in `record`; Error for a type without
        columns, and for an invalid condition.

        >>> import thriftlens as tl
        >>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
        >>> Point.columns([Point.encode({"x": 1, "label": "a"}), None]).num_rows
        2
        """
        options = {
            "protocol": protocol,
            "on_error": on_error,
            "enums": enums,
            "unions": unions,
            "nesting": nesting,
            "defaults": defaults,
            "field_ids": field_ids,
            "mismatch": mismatch,
            "invalid_utf8": invalid_utf8,
            "missing_required": missing_required,
            "unknown": unknown,
            "record": record,
            "reason": reason,
            "file": file,
            "unknown_fields": unknown_fields,
            "where": where,
            "depth": depth,
            "output_size": output_size,
        }
        return _columns.columns(self, records, select, batch_size, threads, options)

    def arrow_schema(
        self,
        select: Any = None,
        *,
        enums: Literal["number", "name", "string"] = "number",
        unions: Literal["struct", "dense"] = "struct",
        nesting: Literal["structs", "flat"] = "structs",
        field_ids: Literal["none", "unique"] = "none",
        invalid_utf8: Literal["error", "replace", "keep"] = "error",
        record: Optional[str] = None,
        reason: Optional[str] = None,
        file: Optional[str] = None,
        unknown_fields: Optional[str] = None,
    ) -> ArrowSchema:
        """The schema of the columns of Type.columns with these options:
        `pyarrow.schema(Order.arrow_schema("{ id }"))`. Errors: those of columns.

        >>> import thriftlens as tl
        >>> tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"].arrow_schema("{ x }")
        <thriftlens.ArrowSchema of x: i>
        """
        reader = self._column_reader(
            select,
            enums=enums,
            unions=unions,
            nesting=nesting,
            field_ids=field_ids,
            invalid_utf8=invalid_utf8,
            record=record,
            reason=reason,
            file=file,
            unknown_fields=unknown_fields,
        )
        return ArrowSchema(reader)

    def from_columns(
        self,
        table: Any,
        *,
        protocol: Literal["binary", "compact"] = "binary",
        missing_required: Literal["error", "omit"] = "error",
        unknown: Literal["error", "drop"] = "error",
        invalid_utf8: Literal["error", "keep"] = "error",
        depth: int = 64,
        output_size: int = 0,
    ) -> Records:
        """Converts Arrow columns to records of this struct, one per row: a column of binary, and a
        sequence of bytes.

        table: any object with Arrow's PyCapsule interface: a pyarrow Table or RecordBatch, a Polars
        or pandas DataFrame, a DuckDB relation, tl.Columns.
            Columns are matched with fields by name ("outer.inner" for nested structs); nulls are
            absent fields. Accepts the columns of
            Type.columns, integers of any width (range-checked), and lists of structs of two fields
            as maps, but not dates and times: cast them.
        unknown: "error" or "drop" for columns that are not in the type.
        invalid_utf8: "keep" accepts any bytes in strings.

        Errors: EncodeError with the path, and the number of the row in `record`; no records are
        returned.

        >>> import thriftlens as tl
        >>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
        >>> data = [Point.encode({"x": 1, "label": "a"}), Point.encode({"x": 2})]
        >>> list(Point.from_columns(Point.columns(data))) == data
        True
        """
        options = {
            "protocol": protocol,
            "missing_required": missing_required,
            "unknown": unknown,
            "invalid_utf8": invalid_utf8,
            "depth": depth,
            "output_size": output_size,
        }
        return _columns.from_columns(self, table, options)

    def at(self, path: str) -> Type:
        """The type of the value at a path."""
        return self.schema._type(self.index_at(path))

    def _named(self, rows: list[Any], protocol: str, second: str, depth: int) -> Differences:
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

    def _value_at(self, path: str, data: Optional[bytes], protocol: Any, depth: int) -> Any:
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


class Schema:
    """Types, services and constants of an IDL file and its includes; returned by load and loads.

    >>> import thriftlens as tl
    >>> idl = tl.loads('include "base.thrift"  struct Order { 1: base.User user }  const i32 LIMIT = 10',
    ...                includes={"base.thrift": "struct User { 1: string name }"})
    >>> idl["Order"], idl.Order is idl["Order"], idl["base.User"]
    (<thriftlens.Type struct Order>, True, <thriftlens.Type struct base.User>)
    >>> idl.types
    ['Order', 'base.User']
    >>> idl.constants
    {'LIMIT': 10}
    >>> hasattr(idl, "Ordr")
    False
    >>> idl["Ordr"]
    Traceback (most recent call last):
        ...
    thriftlens.UnknownNameError: no type named 'Ordr'; did you mean 'Order'?
    """

    def __init__(self, core: _core.Schema, strict: bool = False, implicit_ids: str = "apache"):
        self._core = core
        self._options = (strict, implicit_ids)
        self._by_index: dict[int, Type] = {}
        self._by_name: dict[str, Type] = {}

    def _type(self, index: int) -> Type:
        type_ = self._by_index.get(index)
        if type_ is None:
            type_ = self._core.make(Type, index)
            type_.schema = self
            type_.kind, type_.name, type_.doc, annotations = self._core.parts(index)
            type_.annotations = dict(annotations)
            type_ = self._by_index.setdefault(index, type_)
        return type_

    def __getitem__(self, name: str) -> Type:
        """A struct, union, exception, enum or typedef, "base.User" for included ones, or a base
        type ("i32").

        UnknownNameError (also a KeyError) suggests similar names."""
        type_ = self._by_name.get(name)
        if type_ is None:
            try:
                type_ = self._by_name[name] = self._type(self._core.find(_name("type", name)))
            except UnknownNameError as error:
                raise self._explained(name, error) from None
        return type_

    def _explained(self, name: str, error: UnknownNameError) -> UnknownNameError:
        """The error for a name that is not of a type, with a hint if it is of a service or a
        function.
        """
        service, function = self._service_and_function(name)
        if service is None:
            return error
        text = f"it is a function of {service}" if function else "it is a service"
        error = UnknownNameError(f"no type named {name!r}: {text}", code=error.code)
        error.hint = f"idl.service({service!r})" + (f".function({function!r})" if function else "")
        return error

    def _service_and_function(self, name: str) -> tuple[Optional[str], Optional[str]]:
        """The service of that name, or service and function for a function name with or without its
        service.
        """
        qualifier, _, function = name.rpartition(".")
        for service in self._core.service_names():
            if service == name:
                return service, None
            if qualifier in ("", service) and function in {
                row[0] for row in self._core.service(_name("service", service))[4]
            }:
                return service, function
        return None, None

    def __getattr__(self, name: str) -> Any:
        """The type, service, or value of the constant of that name, in this order."""
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            type = self[name]
            if type.kind == "exception" and _is_except_class(sys.exc_info()[1], sys._getframe(1)):
                raise TypeError(
                    f"{name} is a type of the IDL, not a class; write except idl.exceptions[{name!r}]"
                )
            return type
        except UnknownNameError:
            if name in self._core.service_names():
                return self.service(name)
            if name in self._core.constant_names():
                return self._core.constant(name)
            raise

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and self[name] is not None
        except UnknownNameError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(self.types)

    def __dir__(self) -> list[str]:
        names = [*self.types, *self._core.service_names(), *self._core.constant_names()]
        return [*super().__dir__(), *(name for name in names if "." not in name)]

    def __repr__(self) -> str:
        return f"<thriftlens.Schema with {len(self.types)} types>"

    def __reduce__(self) -> Any:
        """The IDL texts of all its files; unpickling needs no files."""
        return restore_schema, (self._core.sources(), *self._options)

    def __copy__(self) -> Schema:
        return self

    def __deepcopy__(self, memo: Any) -> Schema:
        return self

    @property
    def types(self) -> list[str]:
        """Names of all structs, unions, exceptions, enums and typedefs: of the root file, then of
        the included ones.
        """
        return self._core.type_names()

    @property
    def services(self) -> dict[str, Service]:
        """Services by name, in source order."""
        return {name: self.service(name) for name in self._core.service_names()}

    @property
    def constants(self) -> dict[str, Any]:
        """Values of the constants by name, in source order, as decoded."""
        return {name: self._core.constant(name) for name in self._core.constant_names()}

    @property
    def warnings(self) -> list[Diagnostic]:
        """Warnings of the load."""
        return [Diagnostic(*row) for row in self._core.warnings()]

    def service(self, name: str) -> Service:
        """A service by name. UnknownNameError suggests similar names."""
        full, extends, doc, annotations, own_rows, inherited_rows = self._core.service(
            _name("service", name)
        )
        functions = {row[0]: self._function(*row) for row in own_rows}
        inherited: dict[str, Function] = {}
        for row in inherited_rows:
            if row[0] not in functions and row[0] not in inherited:
                inherited[row[0]] = self._function(*row)
        return Service(full, extends, functions, doc, dict(annotations), inherited)

    @property
    def exceptions(self) -> Mapping[str, type[ThriftException]]:
        """Exceptions of the IDL as classes, by name, to catch from clients and raise in handlers.

        UnknownNameError suggests similar names.
        """
        from .exceptions import Exceptions

        return Exceptions(self)

    def enum(self, name: str) -> type[IntEnum]:
        """The IntEnum class of an enum by its name; see Type.enum_class."""
        return self[name].enum_class

    def _function(
        self,
        name: str,
        oneway: bool,
        returns: int,
        arguments: int,
        result: int,
        doc: str,
        annotations: list[tuple[str, str]],
        streaming: Literal["none", "client", "server", "bidirectional"] = "none",
    ) -> Function:
        returned = self._type(returns)
        return Function(
            name,
            oneway,
            None if returned.kind == "void" else returned,
            self._type(arguments),
            self._type(result),
            doc,
            dict(annotations),
            streaming,
        )

    def describe(self, type: Union[str, Type, None] = None, *, json: bool = False) -> str:
        """The root file, or one type, as IDL with resolved typedefs and explicit ids and defaults.

        json=True: one line of JSON in the format `thriftlens.describe/1`."""
        if type is None:
            return self._core.describe(None, json)
        return (type if isinstance(type, Type) else self[type]).describe(json=json)


def _is_except_class(error: Optional[BaseException], frame: FrameType) -> bool:
    """Whether a frame evaluates the class of an `except` clause; the interpreter's own error would
    not be helpful.
    """
    if error is None:
        return False
    import dis  # slow and rarely needed

    following = itertools.dropwhile(
        lambda step: step.offset <= frame.f_lasti, dis.get_instructions(frame.f_code)
    )
    operations = (step.opname for step in following)
    passed = ("LOAD_", "BUILD_TUPLE", "CACHE", "COPY")
    return next((name for name in operations if not name.startswith(passed)), "").endswith(
        "EXC_MATCH"
    )


def load(
    path: Union[str, os.PathLike[str]],
    *,
    include_dirs: Iterable[Union[str, os.PathLike[str]]] = (),
    includes: Optional[Mapping[str, Union[str, bytes]]] = None,
    loader: Optional[Loader] = None,
    strict: bool = False,
    implicit_ids: Literal["apache", "cloudwego"] = "apache",
) -> Schema:
    """Loads an IDL file and its includes. SchemaError contains all findings of all files.

    Returns an existing schema if one with the same texts and names is alive.

    include_dirs: folders to search in order, after the folder of the including file.
    includes: IDL texts by include path; searched first.
    loader: called with the path as written and the name of the including file; returns the text, or
    None to search on disk.
    strict: accept only IDL that the Apache compiler accepts.
    implicit_ids: numbering of fields without an id: -1, -2 … ("apache") or previous + 1
    ("cloudwego").
    """
    return _load(os.fsencode(path), None, include_dirs, includes, loader, strict, implicit_ids)


def loads(
    text: Union[str, bytes],
    *,
    name: str = "<text>",
    include_dirs: Iterable[Union[str, os.PathLike[str]]] = (),
    includes: Optional[Mapping[str, Union[str, bytes]]] = None,
    loader: Optional[Loader] = None,
    strict: bool = False,
    implicit_ids: Literal["apache", "cloudwego"] = "apache",
) -> Schema:
    """Like load, for IDL in memory. name: the file name in messages.

    >>> import thriftlens as tl
    >>> tl.loads("struct Q { 1: i23 a }", name="q.thrift")
    Traceback (most recent call last):
        ...
    thriftlens.SchemaError: q.thrift:1:15: error: ...
    """
    return _load(_utf8(text), _utf8(name), include_dirs, includes, loader, strict, implicit_ids)


def _load(
    source: bytes,
    name: Optional[bytes],
    include_dirs: Iterable[Union[str, os.PathLike[str]]],
    includes: Optional[Mapping[str, Union[str, bytes]]],
    loader: Optional[Loader],
    strict: bool,
    implicit_ids: str,
) -> Schema:
    if isinstance(include_dirs, (str, bytes, os.PathLike)):
        raise TypeError("include_dirs must be a list of folders, not one path")
    try:
        core = _core.Schema.load(
            source=source,
            name=name,
            include_dirs=[os.fsencode(item) for item in include_dirs],
            includes={_utf8(item): _utf8(text) for item, text in dict(includes or {}).items()},
            loader=loader,
            strict=bool(strict),
            implicit_ids=implicit_ids,
        )
    except Error as error:
        if error.code == "io":
            raise file_error(os.fsdecode(source), str(error)) from None
        kinds = [item.kind for item in getattr(error, "diagnostics", ())]
        if "include-not-found" in kinds:
            error.option = ("include_dirs", ["DIR"])
        raise
    options = (bool(strict), implicit_ids)
    return _shared(_digest(core.sources(), *options), Schema(core, *options))


_Sources = list[tuple[bytes, bytes, list[int]]]
# Schemas by the digest of their sources: several loads of the same IDL return the same objects.
_living: WeakValueDictionary[bytes, Schema] = WeakValueDictionary()
_living_lock = threading.Lock()


def _shared(key: bytes, schema: Schema) -> Schema:
    with _living_lock:
        return _living.setdefault(key, schema)


def _digest(sources: _Sources, strict: bool, implicit_ids: str) -> bytes:
    import hashlib

    digest = hashlib.sha256(f"{strict} {implicit_ids}".encode())
    for file, text, includes in sources:
        digest.update(f" {len(file)} {len(text)} {includes} ".encode() + file)
        digest.update(text)
    return digest.digest()


def restore_schema(sources: _Sources, strict: bool, implicit_ids: str) -> Schema:
    """Unpickles a Schema: returns a living one of the same IDL, or loads its texts.

    SchemaError if they are invalid.
    """
    key = _digest(sources, strict, implicit_ids)
    schema = _living.get(key)
    if schema is not None:
        return schema
    return _shared(
        key, Schema(_core.Schema.load_sources(sources, strict, implicit_ids), strict, implicit_ids)
    )


def restore_type(schema: Schema, name: str, index: Optional[int]) -> Type:
    """Unpickles a Type. UnknownNameError if the schema has no such type."""
    if index is None:
        return schema[name]
    try:
        type_ = schema._type(index)
    except IndexError:
        type_ = None
    if type_ is None or type_.name != name:
        raise UnknownNameError(
            f"no type named {name!r} at the index in the pickle", code="unknown_name"
        )
    return type_


def _name(kind: str, name: str) -> bytes:
    """The name of a type or service."""
    if isinstance(name, str):
        return _utf8(name)
    raise TypeError(f"the name of a {kind} must be a str, not {name!r}")


def _utf8(text: Union[str, bytes]) -> bytes:
    """Bytes for the compiled module; IDL texts and names may be arbitrary bytes."""
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    if isinstance(text, (bytes, bytearray)):
        return bytes(text)
    raise TypeError(f"IDL texts and names must be str or bytes, not {type(text).__name__}")
