"""Schemas, types, fields and services: the plain-Python face of the compiled part."""

from __future__ import annotations

import functools
import os
from typing import Any, Callable, Iterable, Iterator, Literal, Mapping, NamedTuple, Optional, TypeVar, Union

from . import _core
from ._errors import Diagnostic, Error, UnknownNameError
from ._lens import Difference, Redaction, RedactReport
from ._options import DEEPEST, MOST, number, protocol_and_depth, size, string, word

Loader = Callable[[str, str], Union[str, bytes, None]]
_Made = TypeVar("_Made")
_Method = TypeVar("_Method", bound=Callable[..., Any])


def _prepared(method: _Method) -> _Method:
    """A method of Type that is called once for the same options, and from then on is what it called with the data."""
    return functools.update_wrapper(_core.prepared(method), method)  # type: ignore[return-value]


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


class Service(NamedTuple):
    """A service: its own functions and the name of the service it extends."""

    name: str
    extends: Optional[str]
    functions: dict[str, Function]
    doc: str
    annotations: dict[str, str]


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
    _compiled: dict[Any, Any]
    _fields: Optional[dict[str, Field]] = None

    def __repr__(self) -> str:
        return f"<thriftlens.Type {self.kind} {self.name}>" if self.name != self.kind else f"<thriftlens.Type {self.name}>"

    def __reduce__(self) -> Any:
        raise TypeError("a thriftlens.Type cannot be pickled: load its IDL again")

    def __copy__(self) -> Type:
        return self

    def __deepcopy__(self, memo: Any) -> Type:
        return self

    @property
    def fields(self) -> dict[str, Field]:
        """Fields by name, in source order; members of a union. Empty for other types. The fields are made once."""
        if self._fields is None:
            self._fields = self._make_fields()
        return self._fields.copy()

    def _make_fields(self) -> dict[str, Field]:
        rows = self.schema._core.fields(self.index)
        return {row[1]: Field(row[0], row[1], self.schema._type(row[2]), row[3], *row[4:8], dict(row[8]), dict(row[9])) for row in rows}  # type: ignore[arg-type]

    @property
    def members(self) -> dict[str, int]:
        """Members of an enum: numbers by name, in source order. Empty for other types."""
        return dict(self.schema._core.members(self.index))

    @property
    def parameters(self) -> tuple[Type, ...]:
        """The element type of a list or set; the key and value types of a map."""
        return tuple(self.schema._type(index) for index in self.schema._core.parameters(self.index))

    def at(self, path: str) -> Type:
        """The type of the value that a path leads to."""
        return self.schema._type(self.index_at(path))

    @_prepared
    def redact(
        self,
        data: Any,
        *,
        annotation: str = "",
        values: Optional[Mapping[str, str]] = None,
        otherwise: str = "blank",
        paths: Optional[Mapping[str, str]] = None,
        key: bytes = b"",
        unknown: Literal["drop", "keep", "error"] = "drop",
        missing: Literal["error", "ignore"] = "error",
        missing_required: Literal["error", "omit"] = "error",
        report: Optional[Callable[[RedactReport], Any]] = None,
        protocol: Literal["binary", "compact"] = "binary",
        depth: int = 64,
    ) -> bytes:
        """The value without what must not be passed on; everything else stays as it is, byte by byte.

        annotation: key of the IDL annotation whose fields are redacted, such as "pii": of the field, of the typedefs it names
            (also inside list<...> and map<...>), or of the struct or enum that is its type.
        values: what the annotation's values mean; a value that is not listed may be an action itself, any other means `otherwise`.
        paths: actions by path, with [*], {*} and keys; they go before annotations, later ones before earlier ones. They mean
            elements and values; keys of a map go with the rule of the map.
        key: up to 16 secret bytes for hash, which needs them: whoever knows or guesses them can tell whether a value is it.
        unknown: fields that the IDL does not know. With "keep", what no rule leads into is copied unread.
        missing: a rule that reaches nothing of this type; "ignore" for one policy over many types.
        missing_required: required fields that the data lacks.
        report: called with a RedactReport, the numbers of what was replaced and dropped.

        Actions: "keep"; "drop" (not for required fields); "blank" ("", 0, an empty container); "hash" (a keyed 64-bit SipHash: 16
        hex digits in strings, a number >= 0 in numbers); "keep_last(4)" (characters, or digits of an integer); "constant(text)".
        hash and keep_last go into containers and structs. The rules are compiled once for the same options.

        Rules that are wrong, that reach nothing, or none at all, raise SchemaError or UnknownNameError, which are ValueErrors;
        broken data and fields that contradict the IDL raise DecodeError. What comes out is never half redacted.

        >>> import thriftlens as tl
        >>> User = tl.loads('''struct User { 1: required i64 id, 2: string name (pii = "blank"), 3: string card (pii = "card"),
        ...                        4: map<string, string> attrs }''').User
        >>> data = User.encode({"id": 7, "name": "Ann", "card": "4111111111111234", "attrs": {"mail": "a@b.c", "lang": "en"}})
        >>> User.decode(User.redact(data, annotation="pii", values={"card": "keep_last(4)"}, paths={'$.attrs{"mail"}': "drop"}))
        {'id': 7, 'name': '', 'card': '************1234', 'attrs': {'lang': 'en'}}
        >>> User.redact(data, annotation="pi")
        Traceback (most recent call last):
            ...
        thriftlens.SchemaError: no field or type that User reaches has the annotation 'pi'; did you mean 'pii'?
        """
        spoken, deepest = protocol_and_depth(protocol, depth)
        rules = self._redaction(annotation, values, otherwise, paths, key, unknown, missing, missing_required)
        if report is None:
            return rules.apply(data, spoken, deepest)
        out, *counts = rules.counted(data, spoken, deepest)
        report(RedactReport(*counts))
        return out

    def redactions(
        self,
        *,
        annotation: str = "",
        values: Optional[Mapping[str, str]] = None,
        otherwise: str = "blank",
        paths: Optional[Mapping[str, str]] = None,
        key: bytes = b"",
        unknown: Literal["drop", "keep", "error"] = "drop",
        missing: Literal["error", "ignore"] = "error",
        missing_required: Literal["error", "omit"] = "error",
    ) -> list[Redaction]:
        """What redact hides with the same options: path, action and reason of each place, and of what a rule keeps.

        In the order of field ids; what occurs again, such as a recursive type, is "as" its first path; the last entry is that of
        the unknown fields. Pin the list in a test: an annotation that gets lost in the IDL shows there.

        >>> import thriftlens as tl
        >>> User = tl.loads('''typedef string Mail (pii = "hash")
        ...                      struct User { 1: i64 id, 2: string name (pii = "name"), 3: list<Mail> mails, 4: User boss }''').User
        >>> for each in User.redactions(annotation="pii", key=b"any"):
        ...     print(*each, sep=" | ")
        $.name | blank | field User.name (pii = "name")
        $.mails[*] | hash | its type (pii = "hash")
        $.boss | as $ | User
        #* | drop | not in the IDL
        """
        rules = self._redaction(annotation, values, otherwise, paths, key, unknown, missing, missing_required)
        return [Redaction(*row) for row in rules.listing()]

    def _redaction(
        self,
        annotation: str,
        values: Optional[Mapping[str, str]],
        otherwise: str,
        paths: Optional[Mapping[str, str]],
        key: bytes,
        unknown: str,
        missing: str,
        missing_required: str,
    ) -> _core.Redaction:
        means, ways = dict(values or {}), dict(paths or {})
        secret = key if type(key) is bytes else bytes(memoryview(key))
        options = ("redact", annotation, *means.items(), otherwise, *ways.items(), secret, unknown, missing, missing_required)
        return self._once(
            options,
            lambda: _core.Redaction(
                self,
                string("annotation", annotation),
                means,
                string("otherwise", otherwise),
                ways,
                secret,
                word("unknown", unknown, "drop", "keep", "error"),
                word("missing", missing, "error", "ignore"),
                word("missing_required", missing_required, "error", "omit"),
            ),
        )

    @_prepared
    def findings(
        self,
        data: Any,
        *,
        most: int = 64,
        unknown: Literal["keep", "error"] = "keep",
        utf8: Literal["error", "keep"] = "error",
        enums: Literal["known", "any"] = "known",
        keys: Literal["any", "unique"] = "any",
        rules: Literal["error", "ignore"] = "error",
        missing_required: Literal["error", "omit"] = "error",
        protocol: Literal["binary", "compact"] = "binary",
        depth: int = 64,
    ) -> list[Error]:
        """Everything that is wrong with the bytes, at most `most` findings, as exceptions that are not raised; [] for sound data.

        Wire types, required fields, fields that stand twice, unions, trailing bytes; and by option
        unknown: fields that the IDL does not know; utf8: strings; enums: numbers without a name; keys: map keys and set
        elements that stand twice; rules: the vt.* annotations of the IDL (vt.gt, vt.max_size, vt.pattern …);
        missing_required: "omit" takes what trim leaves, which may lack required fields.
        """
        checks = self._validator(most, unknown, utf8, enums, keys, rules, missing_required, depth)
        return checks.findings(data, string("protocol", protocol))

    @_prepared
    def validate(
        self,
        data: Any,
        *,
        unknown: Literal["keep", "error"] = "keep",
        utf8: Literal["error", "keep"] = "error",
        enums: Literal["known", "any"] = "known",
        keys: Literal["any", "unique"] = "any",
        rules: Literal["error", "ignore"] = "error",
        missing_required: Literal["error", "omit"] = "error",
        protocol: Literal["binary", "compact"] = "binary",
        depth: int = 64,
    ) -> None:
        """Raises the first of the findings: DecodeError with code, path and offset. Nothing is decoded.

        >>> import thriftlens as tl
        >>> User = tl.loads('struct User { 1: required i64 id (vt.gt = "0"), 2: string name }').User
        >>> User.validate(User.encode({"id": 1}))
        >>> User.validate(User.encode({"id": -1}))
        Traceback (most recent call last):
            ...
        thriftlens.DecodeError: the value breaks vt.gt = "0" at $.id (byte 3)
        """
        checks = self._validator(1, unknown, utf8, enums, keys, rules, missing_required, depth)
        checks.check(data, string("protocol", protocol))

    def _validator(
        self, most: int, unknown: str, utf8: str, enums: str, keys: str, rules: str, missing_required: str, depth: int
    ) -> _core.Validator:
        return self._once(
            ("validate", unknown, utf8, enums, keys, rules, missing_required, most, depth),
            lambda: _core.Validator(
                self,
                word("unknown", unknown, "keep", "error") == 1,
                word("utf8", utf8, "error", "keep") == 0,
                word("enums", enums, "known", "any") == 0,
                word("keys", keys, "any", "unique") == 1,
                word("rules", rules, "error", "ignore") == 0,
                word("missing_required", missing_required, "error", "omit") == 0,
                number("most", most, 1, MOST),
                number("depth", depth, 0, DEEPEST),
            ),
        )

    @_prepared
    def diff(
        self,
        left: Any,
        right: Any,
        *,
        order: Literal["ignore", "keep"] = "ignore",
        most: int = 64,
        protocol: Literal["binary", "compact"] = "binary",
        right_protocol: Optional[Literal["binary", "compact"]] = None,
        depth: int = 64,
        output_size: int = 0,
    ) -> list[Difference]:
        """What must be done to the left bytes to get the right ones, at most `most` differences; [] for equal values.

        Fields in any order are equal, and so are sets and maps (order="keep": they are not); fields that the IDL does not
        know count. Raises DecodeError for broken bytes on either side.

        output_size: most bytes that the differences, and what finds them, may take; 0 is 16 MiB and 64 for each byte of both.

        >>> import thriftlens as tl
        >>> Order = tl.loads("struct Order { 1: i64 id, 2: list<string> tags }").Order
        >>> for each in Order.diff(Order.encode({"id": 1, "tags": ["a"]}), Order.encode({"id": 2, "tags": ["a", "b"]})):
        ...     print(each.kind, each.path, each.left, each.right)
        changed $.id 1 2
        added $.tags[1] None b
        """
        second = protocol if right_protocol is None else right_protocol
        protocol_and_depth(protocol, depth)
        word("right_protocol", second, "binary", "compact")
        kept = word("order", order, "ignore", "keep") == 1
        return _core.differences(self, left, right, protocol, second, kept, number("most", most, 1, MOST), depth, size(output_size))

    def _named(self, rows: list[Any], protocol: str, second: str, depth: int) -> list[Difference]:
        """What the compiled part calls with the differences."""
        return [
            Difference(kind, path, self._value_at(path, a, protocol, depth), self._value_at(path, b, second, depth)) for kind, path, a, b in rows
        ]

    def _value_at(self, path: str, data: Optional[bytes], protocol: Any, depth: int) -> Any:
        """A value as decode gives it; the bytes where path or type are not what the IDL says."""
        if data is None:
            return None
        try:
            return self.at(path).decode(data, protocol=protocol, depth=depth)
        except Error:
            return data

    def _once(self, options: Any, make: Callable[[], _Made]) -> _Made:
        """What was compiled for these options before, or is compiled now; a few are kept."""
        made = self._compiled.get(options)
        if made is None:
            made = make()
            if len(self._compiled) >= 16:
                self._compiled.clear()
            self._compiled[options] = made
        return made

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

    def __init__(self, core: _core.Schema):
        self._core = core
        self._by_index: dict[int, Type] = {}
        self._by_name: dict[str, Type] = {}

    def _type(self, index: int) -> Type:
        found = self._by_index.get(index)
        if found is None:
            found = self._core.make(Type, index)
            found.schema = self
            found.kind, found.name, found.doc, annotations = self._core.parts(index)
            found.annotations = dict(annotations)
            found._compiled = {}
            found = self._by_index.setdefault(index, found)
        return found

    def __getitem__(self, name: str) -> Type:
        """A struct, union, exception, enum or typedef, "base.User" for included ones, or a base type ("i32").

        UnknownNameError (also a KeyError) names the nearest ones."""
        found = self._by_name.get(name)
        if found is None:
            found = self._by_name[name] = self._type(self._core.find(_utf8(string("the name of a type", name))))
        return found

    def __getattr__(self, name: str) -> Any:
        """The type, else the service, else the value of the constant of that name."""
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
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
        raise TypeError("a thriftlens.Schema cannot be pickled: load its IDL again")

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
        full, extends, doc, annotations, rows = self._core.service(_utf8(string("the name of a service", name)))
        functions = {row[0]: self._function(*row) for row in rows}
        return Service(full, extends, functions, doc, dict(annotations))

    def _function(
        self, name: str, oneway: bool, returns: int, arguments: int, result: int, doc: str, annotations: list[tuple[str, str]]
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
        )

    def describe(self, type: Union[str, Type, None] = None, *, json: bool = False) -> str:
        """The root file, or one type, in IDL's spelling with typedefs seen through, ids and defaults written out.

        json=True: one line of JSON, schema `thriftlens.describe/1`."""
        if type is None:
            return self._core.describe(None, json)
        return (type if isinstance(type, Type) else self[type]).describe(json=json)


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
    word("implicit_ids", implicit_ids, "apache", "cloudwego")
    if isinstance(include_dirs, (str, bytes, os.PathLike)):
        raise TypeError("include_dirs must be a list of folders, not one path")
    folders = [os.fsencode(each) for each in include_dirs]
    sources = {_utf8(each): _utf8(source) for each, source in dict(includes or {}).items()}
    return Schema(_core.Schema.load(source, name, folders, sources, loader, bool(strict), implicit_ids == "cloudwego"))


def _utf8(text: Union[str, bytes]) -> bytes:
    """What the compiled part reads: the bytes of IDL and names may be anything."""
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    if isinstance(text, (bytes, bytearray)):
        return bytes(text)
    raise TypeError(f"IDL and its names are str or bytes, not {type(text).__name__}")
