"""Schemas, types, fields and services: the plain-Python face of the compiled part."""

from __future__ import annotations

import itertools
import os
import sys
import threading
from enum import IntEnum
from types import FrameType, MappingProxyType
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Literal, Mapping, NamedTuple, Optional, Union
from weakref import WeakValueDictionary

from .._records import columns as _columns
from .. import _core
from . import enums as _enums, html as _html
from .._records.columns import ArrowSchema, Columns, Records
from .._errors import Diagnostic, Error, UnknownNameError, file_error
from .._text import quoted_name
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
    """The default value as decode would give it; None where has_default is False."""
    alias: str
    """What JSON calls the field with names="alias"; the name where the IDL has no alias."""
    doc: str
    annotations: dict[str, str]
    type_annotations: dict[str, str]
    """Those of its type as written and of the typedefs behind it."""


class Function(NamedTuple):
    """A function of a service. `arguments` and `result` are struct types that decode what a call and its reply carry."""

    name: str
    oneway: bool
    returns: Optional[Type]
    arguments: Type
    result: Type
    doc: str
    annotations: dict[str, str]
    streaming: Literal["none", "client", "server", "bidirectional"] = "none"
    """Who sends a stream of messages, by the annotation `streaming.mode` of Kitex's IDL ("bidirectional" where its value is unknown)."""

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
        """A function by name, its own or an inherited one. UnknownNameError names the nearest ones."""
        found = self.functions.get(name) or self.inherited.get(name)
        if found is not None:
            return found
        import difflib

        near = difflib.get_close_matches(name, [*self.functions, *self.inherited], n=1)
        help = f"; did you mean {near[0]!r}?" if near else ""
        raise UnknownNameError(f"no function {quoted_name(name)} in {self.name}{help}", code="unknown_name")


class Type(_core.Type):
    """A type of a schema: `idl["Order"]`. Shared by threads; made once for each type of a schema.

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
    """"Order", "base.User" where another file declares it, "map<string, list<i32>>"."""
    doc: str
    annotations: dict[str, str]
    _fields: Optional[Mapping[str, Field]] = None
    _members: Optional[Mapping[str, int]] = None
    _parameters: Optional[tuple[Type, ...]] = None

    def __repr__(self) -> str:
        return f"<thriftlens.Type {self.kind} {self.name}>" if self.name != self.kind else f"<thriftlens.Type {self.name}>"

    def __reduce__(self) -> Any:
        """Its schema and its name; an index too where a name alone does not lead to it, as of containers."""
        try:
            by_name = self.schema[self.name] is self
        except Error:
            by_name = False
        return restore_type, (self.schema, self.name, None if by_name else self.index)

    if not TYPE_CHECKING:  # type checkers would accept every attribute

        def __getattr__(self, name: str) -> Any:
            """Raises AttributeError that says where members and fields are."""
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
        """Raises TypeError: a type makes no objects."""
        shown = "{" + ", ".join(f"{name!r}: …" for name in fields or self.fields) + "}"
        made = {
            "exception": f"idl.exceptions[{self.name!r}](…) makes an exception",
            "enum": f"idl.{self.name}.enum_class(…) makes a member",
        }.get(self.kind, f"a value is a dict, {shown}, or an object with these attributes; idl.{self.name}.encode({shown}) gives its bytes")
        raise TypeError(f"{self.name} is a type of the IDL, not a class: {made}")

    def __copy__(self) -> Type:
        return self

    def __deepcopy__(self, memo: Any) -> Type:
        return self

    def _repr_html_(self) -> str:
        return _html.html_of_type(self)

    @property
    def fields(self) -> Mapping[str, Field]:
        """Fields by name, in source order; members of a union. Empty for other types. Made once, and read-only."""
        if self._fields is None:
            self._fields = MappingProxyType(self._make_fields())
        return self._fields

    def _make_fields(self) -> dict[str, Field]:
        rows = self.schema._core.fields(self.index)
        return {row[1]: Field(row[0], row[1], self.schema._type(row[2]), row[3], *row[4:8], dict(row[8]), dict(row[9])) for row in rows}  # type: ignore[arg-type]

    @property
    def members(self) -> Mapping[str, int]:
        """Members of an enum: numbers by name, in source order. Empty for other types. Made once, and read-only."""
        if self._members is None:
            self._members = MappingProxyType({name: number for name, number, _ in self.schema._core.members(self.index)})
        return self._members

    @property
    def member_annotations(self) -> Mapping[str, dict[str, str]]:
        """Annotations of an enum's members by the member's name; members without annotations have an empty dict."""
        return {name: dict(annotations) for name, _, annotations in self.schema._core.members(self.index)}

    @property
    def enum_class(self) -> type[IntEnum]:
        """The IntEnum class of an enum, whose members decode gives with enums="member". TypeError for other types.

        Equal enums have one class, in two loads of their IDL too; members can be pickled. Behind a name that Python
        keeps for itself stands an underscore: `mro_`.

        >>> import thriftlens as tl
        >>> idl = tl.loads("enum Color { RED = 1, BLUE = 5 } struct Paint { 1: list<Color> colors }")
        >>> Color = idl.enum("Color")
        >>> list(Color), Color is idl.Color.enum_class
        ([<Color.RED: 1>, <Color.BLUE: 5>], True)
        >>> idl.Paint.decode(idl.Paint.encode({"colors": [Color.BLUE, 7]}), enums="member")
        {'colors': [<Color.BLUE: 5>, 7]}
        """
        if self.kind != "enum":
            raise TypeError(f"{self.name} is no enum")
        return _enums.enum_of(self.name, tuple(self.members.items()))

    @property
    def parameters(self) -> tuple[Type, ...]:
        """The element type of a list or set; the key and value types of a map."""
        if self._parameters is None:
            self._parameters = tuple(self.schema._type(index) for index in self.schema._core.parameters(self.index))
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
        """Records of this type as Arrow columns, in one pass over their bytes; no value is built that is not selected.

        records: a list of bytes or views (None for a null row), an iterable of them such as tl.scan(…), or a column of binary of any library that
            knows Arrow's interface, whose bytes are read in place. This type is a struct, or a list of structs, whose elements are a row each.
        select: a selection; the columns stand in the order of the IDL. A type that holds itself needs one.
        on_error: what a record does that cannot be read: "raise", "null" (a row of nulls), "skip"; Columns.rejected has the first of those.
        enums: "name" makes dictionaries of the names, which differ between batches where numbers have no name: Arrow's IPC files hold only one of a
            column. "string" makes strings of the names.
        unions: "dense" makes Arrow's dense unions.
        nesting: "flat" makes columns "outer.inner" of structs in structs, at any depth; lists and maps stay whole.
        defaults: "write" puts the default of the IDL where a field is absent.
        field_ids: "unique" numbers all fields, elements, keys and values in their metadata, as PARQUET:field_id. Other columns have other numbers.
        mismatch: "drop" makes null of a field whose wire type contradicts the IDL.
        invalid_utf8: "replace" puts U+FFFD where a string is not UTF-8; "keep" makes binary columns.
        missing_required: "omit" makes null of a required field that is absent.
        unknown: "error" refuses fields that the IDL does not know.
        record: name of a further column: the record's number.
        reason: name of a further column: why a row is null.
        file: name of a further column: the file of the record, where records are those of tl.scan over files.
        unknown_fields: name of a further column: the fields of a row that the IDL does not know, as the bytes of a struct; null where there are none.
        where: a condition on rows, such as "user.id > 5 and status = PAID" (docs/columns.md): of the others nothing is built.
        batch_size: rows of a batch, of each of the threads.
        threads: how many share the records of a list or of a column.
        depth: how deeply values may be nested.
        output_size: bytes that one record may add to the columns; 0: 16 MiB and 8 for each of its bytes.

        Errors: DecodeError of a record, whose number is `record` of the error; Error for a type without columns, and for a condition that is none.

        >>> import thriftlens as tl
        >>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
        >>> Point.columns([Point.encode({"x": 1, "label": "a"}), None]).num_rows
        2
        """
        options = {
            "protocol": protocol, "on_error": on_error, "enums": enums, "unions": unions, "nesting": nesting, "defaults": defaults,
            "field_ids": field_ids, "mismatch": mismatch, "invalid_utf8": invalid_utf8, "missing_required": missing_required, "unknown": unknown,
            "record": record, "reason": reason, "file": file, "unknown_fields": unknown_fields, "where": where, "depth": depth,
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
        """The schema of the columns that Type.columns makes with these options: `pyarrow.schema(Order.arrow_schema("{ id }"))`. Errors: those of columns.

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
        """Arrow columns as records of this struct, one a row: a column of binary, and a sequence of bytes.

        table: whatever knows Arrow's interface: a pyarrow Table or RecordBatch, a Polars or pandas DataFrame, a DuckDB relation, tl's own columns.
            Columns go to the fields of their names ("outer.inner" to those of structs), nulls are absent fields. What Type.columns writes is
            read back; integers of any width are checked, lists of structs of two fields are maps. Dates and times are refused: cast them.
        unknown: columns that the type does not know: "error" or "drop".
        invalid_utf8: "keep" takes any bytes for strings.

        Errors: EncodeError, with the path, and in `record` the number of the row; nothing is given then.

        >>> import thriftlens as tl
        >>> Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
        >>> data = [Point.encode({"x": 1, "label": "a"}), Point.encode({"x": 2})]
        >>> list(Point.from_columns(Point.columns(data))) == data
        True
        """
        options = {
            "protocol": protocol, "missing_required": missing_required, "unknown": unknown,
            "invalid_utf8": invalid_utf8, "depth": depth, "output_size": output_size,
        }
        return _columns.from_columns(self, table, options)

    def at(self, path: str) -> Type:
        """The type of the value that a path leads to."""
        return self.schema._type(self.index_at(path))

    def _named(self, rows: list[Any], protocol: str, second: str, depth: int) -> Differences:
        """What the compiled part calls with the differences."""
        return Differences(
            Difference(kind, path, self._value_at(path, left, protocol, depth), self._value_at(path, right, second, depth))
            for kind, path, left, right in rows
        )

    def _value_at(self, path: str, data: Optional[bytes], protocol: Any, depth: int) -> Any:
        """A value as decode gives it; the bytes where path or type are not what the IDL says."""
        if data is None:
            return None
        try:
            return self.at(path).decode(data, protocol=protocol, depth=depth)
        except Error:
            return data

    def describe(self, *, json: bool = False) -> str:
        """The declaration in IDL's spelling, or the object it has in `thriftlens.describe/1`."""
        return self.schema._core.describe(self.index, json)


class Schema:
    """Types, services and constants of one IDL file and everything it includes; made by load and loads.

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
        found = self._by_index.get(index)
        if found is None:
            found = self._core.make(Type, index)
            found.schema = self
            found.kind, found.name, found.doc, annotations = self._core.parts(index)
            found.annotations = dict(annotations)
            found = self._by_index.setdefault(index, found)
        return found

    def __getitem__(self, name: str) -> Type:
        """A struct, union, exception, enum or typedef, "base.User" for included ones, or a base type ("i32").

        UnknownNameError (also a KeyError) names the nearest ones."""
        found = self._by_name.get(name)
        if found is None:
            try:
                found = self._by_name[name] = self._type(self._core.find(_name("type", name)))
            except UnknownNameError as error:
                raise self._explained(name, error) from None
        return found

    def _explained(self, name: str, error: UnknownNameError) -> UnknownNameError:
        """The error for a name that is not of a type, with a hint if it is of a service or a function."""
        service, function = self._service_and_function(name)
        if service is None:
            return error
        text = f"it is a function of {service}" if function else "it is a service"
        error = UnknownNameError(f"no type named {name!r}: {text}", code=error.code)
        error.hint = f"idl.service({service!r})" + (f".function({function!r})" if function else "")
        return error

    def _service_and_function(self, name: str) -> tuple[Optional[str], Optional[str]]:
        """The service of that name, or the function, whose service may be left out."""
        qualifier, _, function = name.rpartition(".")
        for service in self._core.service_names():
            if service == name:
                return service, None
            if qualifier in ("", service) and function in {row[0] for row in self._core.service(_name("service", service))[4]}:
                return service, function
        return None, None

    def __getattr__(self, name: str) -> Any:
        """The type, else the service, else the value of the constant of that name."""
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            type = self[name]
            if type.kind == "exception" and _is_matched(sys.exc_info()[1], sys._getframe(1)):
                raise TypeError(f"{name} is a type of the IDL, not a class: write except idl.exceptions[{name!r}]")
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
        """The IDL of all its files: who reads the pickle needs none of them."""
        return restore_schema, (self._core.sources(), *self._options)

    def __copy__(self) -> Schema:
        return self

    def __deepcopy__(self, memo: Any) -> Schema:
        return self

    @property
    def types(self) -> list[str]:
        """Names of all structs, unions, exceptions, enums and typedefs: of the root file, then of the included ones."""
        return self._core.type_names()

    @property
    def services(self) -> dict[str, Service]:
        """Services by name, in source order."""
        return {name: self.service(name) for name in self._core.service_names()}

    @property
    def constants(self) -> dict[str, Any]:
        """Values of the constants by name, in source order, as decode would give them."""
        return {name: self._core.constant(name) for name in self._core.constant_names()}

    @property
    def warnings(self) -> list[Diagnostic]:
        """What the load found odd but accepted."""
        return [Diagnostic(*row) for row in self._core.warnings()]

    def service(self, name: str) -> Service:
        """A service by name. UnknownNameError names the nearest ones."""
        full, extends, doc, annotations, own_rows, inherited_rows = self._core.service(_name("service", name))
        functions = {row[0]: self._function(*row) for row in own_rows}
        inherited: dict[str, Function] = {}
        for row in inherited_rows:
            if row[0] not in functions and row[0] not in inherited:
                inherited[row[0]] = self._function(*row)
        return Service(full, extends, functions, doc, dict(annotations), inherited)

    @property
    def exceptions(self) -> Mapping[str, type[ThriftException]]:
        """Exceptions of the IDL as classes, by name: what clients raise, and handlers of a server. UnknownNameError names the nearest ones."""
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
        """The root file, or one type, in IDL's spelling with typedefs seen through, ids and defaults written out.

        json=True: one line of JSON, schema `thriftlens.describe/1`."""
        if type is None:
            return self._core.describe(None, json)
        return (type if isinstance(type, Type) else self[type]).describe(json=json)


def _is_matched(error: Optional[BaseException], frame: FrameType) -> bool:
    """Whether a frame evaluates the class of an `except` clause, where the interpreter's own error does not say what to write."""
    if error is None:
        return False
    import dis  # slow, and seldom needed

    following = itertools.dropwhile(lambda step: step.offset <= frame.f_lasti, dis.get_instructions(frame.f_code))
    operations = (step.opname for step in following)
    passed = ("LOAD_", "BUILD_TUPLE", "CACHE", "COPY")
    return next((name for name in operations if not name.startswith(passed)), "").endswith("EXC_MATCH")


def load(
    path: Union[str, os.PathLike[str]],
    *,
    include_dirs: Iterable[Union[str, os.PathLike[str]]] = (),
    includes: Optional[Mapping[str, Union[str, bytes]]] = None,
    loader: Optional[Loader] = None,
    strict: bool = False,
    implicit_ids: Literal["apache", "cloudwego"] = "apache",
) -> Schema:
    """Loads an IDL file and everything it includes. SchemaError carries all findings of all files.

    While a schema of the same texts and names lives, it is given again.

    include_dirs: searched in order, after the including file's folder.
    includes: sources in memory by the path an include names; looked up first.
    loader: called with the path as written and the including file's name; gives the text, or None to look on disk.
    strict: accept only what the Apache compiler accepts.
    implicit_ids: how fields without an id are numbered: -1, -2 … ("apache") or previous + 1 ("cloudwego").
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
    """As load, for IDL in memory. `name` is what messages call it.

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
            include_dirs=[os.fsencode(each) for each in include_dirs],
            includes={_utf8(each): _utf8(text) for each, text in dict(includes or {}).items()},
            loader=loader,
            strict=bool(strict),
            implicit_ids=implicit_ids,
        )
    except Error as error:
        if error.code == "io":
            raise file_error(os.fsdecode(source), str(error)) from None
        kinds = [each.kind for each in getattr(error, "diagnostics", ())]
        if "include-not-found" in kinds:
            error.option = ("include_dirs", ["DIR"])
        raise
    options = (bool(strict), implicit_ids)
    return _one_of(_digest(core.sources(), *options), Schema(core, *options))


_Sources = list[tuple[bytes, bytes, list[int]]]
# Schemas by what they were loaded from, so that each is there once: types of two loads are the same objects.
_living: WeakValueDictionary[bytes, Schema] = WeakValueDictionary()
_living_lock = threading.Lock()


def _one_of(key: bytes, made: Schema) -> Schema:
    with _living_lock:
        return _living.setdefault(key, made)


def _digest(sources: _Sources, strict: bool, implicit_ids: str) -> bytes:
    import hashlib

    made = hashlib.sha256(f"{strict} {implicit_ids}".encode())
    for file, text, includes in sources:
        made.update(f" {len(file)} {len(text)} {includes} ".encode() + file)
        made.update(text)
    return made.digest()


def restore_schema(sources: _Sources, strict: bool, implicit_ids: str) -> Schema:
    """What a pickled Schema becomes: the living one of the same IDL, else it is loaded from its texts. SchemaError where they are no IDL."""
    key = _digest(sources, strict, implicit_ids)
    found = _living.get(key)
    if found is not None:
        return found
    return _one_of(key, Schema(_core.Schema.load_sources(sources, strict, implicit_ids), strict, implicit_ids))


def restore_type(schema: Schema, name: str, index: Optional[int]) -> Type:
    """What a pickled Type becomes. UnknownNameError where the schema has no such type."""
    if index is None:
        return schema[name]
    try:
        found = schema._type(index)
    except IndexError:
        found = None
    if found is None or found.name != name:
        raise UnknownNameError(f"no type named {name!r} stands where the pickle has it", code="unknown_name")
    return found


def _name(of: str, given: str) -> bytes:
    """The name of a type or service."""
    if isinstance(given, str):
        return _utf8(given)
    raise TypeError(f"the name of a {of} must be a str, not {given!r}")


def _utf8(text: Union[str, bytes]) -> bytes:
    """What the compiled part reads: the bytes of IDL and names may be anything."""
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    if isinstance(text, (bytes, bytearray)):
        return bytes(text)
    raise TypeError(f"IDL and its names are str or bytes, not {type(text).__name__}")
