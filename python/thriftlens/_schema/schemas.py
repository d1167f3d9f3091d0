"""Schemas: the types, services, constants and exceptions of IDL."""

from __future__ import annotations

import itertools
import os
import re
import sys
import threading
from types import FrameType
from typing import Mapping, Optional, Union
from weakref import WeakValueDictionary

from .. import _core
from .._errors import Diagnostic, UnknownNameError
from .._typing import Value
from .classes import Classes
from .enums import EnumClass
from .exceptions import Exceptions, ThriftException
from .names import Named, encoded_name
from .services import Function, Service
from .types import Type, TypeTable


class Schema(TypeTable):
    """Types, services and constants of an IDL file and its includes; returned by load and loads.

    >>> import thriftlens as tl
    >>> idl = tl.loads(
    ...     'include "base.thrift"  struct Order { 1: base.User user }  const i32 LIMIT = 10',
    ...     includes={"base.thrift": "struct User { 1: string name }"},
    ... )
    >>> idl["Order"], idl.Order is idl["Order"], idl["base.User"]
    (<thriftlens.Type struct Order>, True, <thriftlens.Type struct base.User>)
    >>> list(idl.types)
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
        if not isinstance(core, _core.Schema):
            raise TypeError("load() and loads() create a Schema")
        super().__init__(core)
        self._options = (strict, implicit_ids)
        self._digests: dict[str, bytes] = {}
        self._program = os.path.splitext(os.path.basename(os.fsdecode(core.sources()[0][0])))[0]
        self._classes: Optional[Classes] = None

    def __getattr__(self, name: str) -> Value:
        """The type, service, or value of the constant of that name, in this order."""
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            type = self[name]
            if type.kind == "exception" and _is_except_class(sys.exc_info()[1], sys._getframe(1)):
                raise TypeError(
                    f"{name} is a type of the IDL, not a class; "
                    f"write except idl.exceptions[{name!r}]"
                )
            return type
        except UnknownNameError:
            if name in self._core.service_names():
                return self.service(name)
            if name in self._core.constant_names():
                return self._core.constant(name)
            raise

    def __dir__(self) -> list[str]:
        names = [*self.types, *self._core.service_names(), *self._core.constant_names()]
        return [*super().__dir__(), *(name for name in names if "." not in name)]

    def __repr__(self) -> str:
        count = len(self._core.type_names())
        return f"<thriftlens.Schema with {count} type{'s' * (count != 1)}>"

    def __reduce__(self) -> tuple[object, ...]:
        """The IDL texts of all its files; unpickling needs no files."""
        return restore_schema, (self._core.sources(), *self._options)

    def __copy__(self) -> Schema:
        return self

    def __deepcopy__(self, memo: object) -> Schema:
        return self

    @property
    def services(self) -> dict[str, Service]:
        """Services by name, in source order."""
        names = self._core.service_names()
        return Named("service", {name: self.service(name) for name in names})

    @property
    def constants(self) -> dict[str, Value]:
        """Values of the constants by name, in source order, as decoded."""
        names = self._core.constant_names()
        return Named("constant", {name: self._core.constant(name) for name in names})

    @property
    def warnings(self) -> list[Diagnostic]:
        """Warnings of the load."""
        return self._core.warnings()

    def service(self, name: str) -> Service:
        """A service by name. UnknownNameError suggests similar names."""
        row = self._core.service(encoded_name("service", name))
        functions = Named("function", {own.name: self._function(own) for own in row.functions})
        inherited: dict[str, Function] = {}
        for base in row.inherited:
            if base.name not in functions and base.name not in inherited:
                inherited[base.name] = self._function(base)
        return Service(row.name, row.extends, functions, row.doc, dict(row.annotations), inherited)

    @property
    def exceptions(self) -> Mapping[str, type[ThriftException]]:
        """Exceptions of the IDL as classes, by name, to catch from clients and raise in handlers.
        UnknownNameError suggests similar names."""
        return Exceptions(self)

    @property
    def classes(self) -> Classes:
        """Classes of the structs, unions, exceptions, enums and services, by name.

        >>> import thriftlens as tl
        >>> idl = tl.loads("enum Status { NEW, PAID } struct Order { 1: i64 id, 2: Status status }")
        >>> Order, Status = idl.classes.Order, idl.classes.Status
        >>> Order.decode(Order(id=7, status=Status.PAID).encode())
        Order(id=7, status=<Status.PAID: 1>)
        """
        if self._classes is None:
            self._classes = Classes(self)
        return self._classes

    def enum(self, name: str) -> type[EnumClass]:
        """The IntEnum class of an enum by its name; see Type.enum_class."""
        return self[name].enum_class

    def _digest_of(self, program: str) -> bytes:
        """Digest of the files of this name, "" for the root, and their includes."""
        if program not in self._digests:
            sources = self._core.sources()
            matches = re.compile(rb"(.*[/\\])?%s\.[^/\\]*" % re.escape(program.encode())).fullmatch
            files = [i for i, row in enumerate(sources) if i and program and matches(row[0])] or [0]
            self._digests[program] = _digest(_included(sources, files), *self._options)
        return self._digests[program]

    def _function(self, row: _core.FunctionRow) -> Function:
        returned = self._type(row.returns)
        return Function(
            row.name,
            row.oneway,
            None if returned.kind == "void" else returned,
            self._type(row.arguments),
            self._type(row.result),
            row.doc,
            dict(row.annotations),
            row.streaming,
        )

    def describe(self, type: Union[str, Type, None] = None, *, json: bool = False) -> str:
        """The root file, or one type, as IDL with resolved typedefs and explicit ids and defaults.

        json=True: one line of JSON in the format `thriftlens.describe/1`."""
        if type is None:
            return self._core.describe(None, bool(json))
        return (type if isinstance(type, Type) else self[type]).describe(json=json)


def _is_except_class(error: Optional[BaseException], frame: FrameType) -> bool:
    """Whether a frame evaluates the class of an `except` clause; the interpreter's own error would
    not be helpful."""
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


_Sources = list[tuple[bytes, bytes, list[int]]]
# Schemas by the digest of their sources: several loads of the same IDL return the same objects.
_living: WeakValueDictionary[bytes, Schema] = WeakValueDictionary()
_living_lock = threading.Lock()


def shared_schema(core: _core.Schema, strict: bool, implicit_ids: str) -> Schema:
    """The living schema of the same IDL and options, or a new one."""
    key = _digest(core.sources(), strict, implicit_ids)
    with _living_lock:
        return _living.setdefault(key, Schema(core, strict, implicit_ids))


def _included(sources: _Sources, files: list[int]) -> _Sources:
    """The texts of files and their includes."""
    for file in files:
        files += [include for include in sources[file][2] if include not in files]
    return [(b"", sources[file][1], []) for file in files]


def _digest(sources: _Sources, strict: bool, implicit_ids: str) -> bytes:
    import hashlib

    digest = hashlib.sha256(f"{strict} {implicit_ids}".encode())
    for file, text, includes in sources:
        digest.update(f" {len(file)} {len(text)} {includes} ".encode() + file)
        digest.update(text)
    return digest.digest()


def restore_schema(sources: _Sources, strict: bool, implicit_ids: str) -> Schema:
    """Unpickles a Schema: returns a living one of the same IDL, or loads its texts. SchemaError if
    they are invalid."""
    schema = _living.get(_digest(sources, strict, implicit_ids))
    if schema is not None:
        return schema
    core = _core.Schema.load_sources(sources, strict, implicit_ids)
    return shared_schema(core, strict, implicit_ids)
