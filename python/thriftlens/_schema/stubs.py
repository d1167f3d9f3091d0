"""Stubs (.pyi) of imported IDL for editors and type checkers."""

from __future__ import annotations

import itertools
import keyword
from types import MappingProxyType
from typing import TYPE_CHECKING, Iterable, Iterator, Mapping

from .classes import attribute_name
from .exceptions import exception_attribute
from .stub_views import HEAD as VIEWS_HEAD
from .stub_views import SCALARS, schema_stub, unshadowed

if TYPE_CHECKING:
    from .schemas import Schema
    from .services import Function, Service
    from .types import Field, Type

_HEAD = '''# pyright: reportIncompatibleMethodOverride=false
"""Types of {source}, written by `thriftlens stubs`."""

import abc as _abc
import builtins as _b
import enum as _enum
import typing as _t
import uuid as _uuid

import thriftlens as _tl
{imports}import typing_extensions as _te
from thriftlens._rpc.client import ConnectOptions as _Options

_Form: _te.TypeAlias = _t.Literal["dict", "view", "json", "bytes", "message"]
_T = _t.TypeVar("_T", covariant=True)

class _Connecting(_t.Protocol[_T]):
    def __await__(self) -> _t.Generator[_t.Any, None, _T]: ...
    async def __aenter__(self) -> _T: ...
    async def __aexit__(self, *error: _b.object) -> None: ...

class _Address:
    @_b.property
    def address(self) -> _b.str: ...
    @_b.property
    def transport(self) -> _b.str: ...
    @_b.property
    def protocol(self) -> _b.str: ...

class _Client(_Address):  # thriftlens.Client without other attributes
    def call(self, name: _b.str, arguments: _t.Any = ..., **options: _t.Any) -> _t.Any: ...
    def close(self) -> None: ...
    def __enter__(self) -> _te.Self: ...
    def __exit__(self, *error: _b.object) -> None: ...

class _AsyncClient(_Address):  # thriftlens.aio.AsyncClient without other attributes
    async def call(self, name: _b.str, arguments: _t.Any = ..., **options: _t.Any) -> _t.Any: ...
    async def close(self) -> None: ...
    async def __aenter__(self) -> _te.Self: ...
    async def __aexit__(self, *error: _b.object) -> None: ...
'''
_PYTHON_TYPES = {name: text for name, text in SCALARS.items() if name != "enum"}
_CONSTANTS = {
    "list": "_b.list[_t.Any]",
    "set": "_b.set[_t.Any]",
    "dict": "_b.dict[_t.Any, _t.Any]",
    "UUID": "_uuid.UUID",
}
_STRUCTS = ("struct", "union", "exception")
_INDENT = "    "
_NONE: Mapping[str, Schema] = MappingProxyType({})


def stub_of(
    schema: Schema, source: str, schemas: Mapping[str, Schema] = _NONE, is_packaged: bool = False
) -> str:
    """The text of the stub of a schema. source: the name of its file. schemas: those of the same
    folder by the names of their files, whose classes are used for included files. is_packaged:
    whether the folder is a package."""
    blocks: dict[str, list[str]] = {"": []}
    shared = _shared(schema, schemas)
    for name in (*schema.types, *schema.services, *schema.constants):
        prefix = name.rpartition(".")[0]
        is_alias = prefix in shared and name not in schema.constants
        short = name.rpartition(".")[2]  # the name in the stub of the included file
        alias = [f"{short}: _te.TypeAlias = {prefix}_thrift.{short}"]
        blocks.setdefault(prefix, []).extend(alias if is_alias else _declaration(schema, name))
    package = "from . " if is_packaged else ""
    imports = "".join(f"{package}import {name}_thrift\n" for name in shared)
    lines = [_HEAD.format(source=source, imports=imports), *blocks.pop("")]
    for prefix, block in blocks.items():
        lines += [f"class {prefix}:", *(_INDENT + line if line else "" for line in block)]
    lines += [VIEWS_HEAD, *schema_stub(schema, type(schema))]
    return unshadowed("\n".join(lines).rstrip() + "\n")


def _shared(schema: Schema, schemas: Mapping[str, Schema]) -> list[str]:
    """The names of included files that are those of other schemas."""
    own = schema._digest_of("")
    digests = {name: schema._digest_of(name) for name in schemas}
    return [
        name for name, digest in digests.items() if own != digest == schemas[name]._digest_of("")
    ]


def _declaration(schema: Schema, name: str) -> Iterable[str]:
    short = name.rpartition(".")[2]
    if keyword.iskeyword(short):
        return []
    if name in schema.services:
        service = schema.services[name]
        return itertools.chain(_service(schema, service), *_clients(schema, service))
    if name in schema.constants:
        class_ = type(schema.constants[name]).__name__
        return [f"{short}: {_CONSTANTS.get(class_, f'_b.{class_}')}"]
    type_ = schema[name]
    if type_.kind in ("enum", *_STRUCTS) and type_.name == name:  # not a typedef
        return _enum(type_) if type_.kind == "enum" else _struct(type_)
    return [f"{short} = {annotation(type_)}"]


def _clients(schema: Schema, service: Service) -> Iterator[Iterable[str]]:
    """Those of the module, whose names are not those of types."""
    for is_async, prefix in ((False, ""), (True, "Async")):
        if "." not in service.name and f"{prefix}{service.name}Client" not in schema.types:
            yield _client(service, is_async)


def annotation(type_: Type, is_key: bool = False) -> str:
    """The annotation of a value of a type in the classes."""
    if type_.kind == "enum" or (type_.kind in _STRUCTS and not is_key):
        return type_.name
    if is_key and type_.kind not in _PYTHON_TYPES:
        return "_t.Any"
    parts = [annotation(part, type_.kind == "set") for part in type_.parameters]
    if type_.kind == "map":
        return f"_b.dict[{annotation(type_.parameters[0], True)}, {parts[1]}]"
    return f"_b.{type_.kind}[{parts[0]}]" if parts else _PYTHON_TYPES.get(type_.kind, "None")


def _enum(type_: Type) -> Iterator[str]:
    yield f"class {_short(type_)}(_enum.IntEnum):"
    yield from _doc(type_.doc)
    for member in type_.enum_class:
        if not keyword.iskeyword(member.name):  # Status["None"]
            is_attribute = member.name in ("name", "value") or hasattr(int, member.name)
            comment = "  # type: ignore[assignment, unused-ignore]" if is_attribute else ""
            yield f"{_INDENT}{member.name} = {int(member)}{comment}"
    yield f"{_INDENT}pass"
    yield ""


def _struct(type_: Type) -> Iterator[str]:
    base = {"union": "UnionStruct", "exception": "ThriftException"}.get(type_.kind, "Struct")
    yield f"class {_short(type_)}(_tl.{base}):"
    yield from _doc(type_.doc)
    fields = {_attribute_name(type_, name): field for name, field in type_.fields.items()}
    for name, field in fields.items():
        yield f"{_INDENT}{name}: {_attribute(field)}"
        yield from _doc(field.doc)
    yield f"{_INDENT}__match_args__ = {tuple(fields)!r}"
    parameters = [
        f"{name}: {_attribute(field)} = ..." for name, field in fields.items() if name != "self"
    ]
    yield f"{_INDENT}def __init__({', '.join(['self', *parameters])}) -> None: ..."
    if parameters and type_.kind != "exception":
        changes = ", ".join(["self", "/", "*", *parameters])
        yield f"{_INDENT}def __replace__({changes}) -> _te.Self: ...  # type: ignore[override]"
    yield ""


def _attribute_name(type_: Type, name: str) -> str:
    is_exception = type_.kind == "exception"
    return exception_attribute(name) if is_exception else attribute_name(name, type_.kind)


def _attribute(field: Field) -> str:
    """Required fields, and those with a default, are never None in valid values; generated code
    cannot promise it for others."""
    text = annotation(field.type)
    always = field.requiredness == "required" or field.has_default
    return text if always else f"_t.Optional[{text}]"


def _service(schema: Schema, service: Service) -> Iterator[str]:
    extends = service.extends if service.extends in schema.services else None
    yield f"class {service.name.rpartition('.')[2]}({extends or '_abc.ABC'}):"
    yield from _doc(service.doc)
    functions = dict(service.functions)
    if extends is None:
        functions.update(service.inherited)
    for function in functions.values():
        yield f"{_INDENT}@_abc.abstractmethod"
        yield from _handler(function)
    if not functions:
        yield f"{_INDENT}pass"
    yield ""


_CLIENT_MEMBERS = ("address", "call", "close", "connect", "protocol", "service", "transport")
_CALL_OPTIONS = {
    "select": "_t.Optional[_b.str]",
    "timeout": "_t.Optional[_b.float]",
    "headers": "_t.Optional[_b.dict[_b.str, _b.str]]",
}


def _client(service: Service, is_async: bool) -> Iterator[str]:
    prefix = "Async" if is_async else ""
    yield f"class {prefix}{service.name.rpartition('.')[2]}Client(_{prefix}Client):"
    result = "_Connecting[_te.Self]" if is_async else "_te.Self"
    yield f"{_INDENT}@_b.classmethod"
    parameters = "cls, address: _b.str, **options: _te.Unpack[_Options]"
    yield f"{_INDENT}def connect({parameters}) -> {result}: ..."
    for function in (*service.functions.values(), *service.inherited.values()):
        yield from _overloads(function, is_async)
    yield ""


def _overloads(function: Function, is_async: bool) -> Iterator[str]:
    if "result" in function.arguments.fields:
        yield from _method(function, is_async, False)
        return
    for is_raw in (False, True):
        yield f"{_INDENT}@_t.overload"
        yield from _method(function, is_async, is_raw)


def _options(function: Function, is_raw: bool) -> list[str]:
    """The options of a call. is_raw: the caller chooses the form of the result."""
    own = [
        f"{name}: {text} = ..."
        for name, text in _CALL_OPTIONS.items()
        if name not in function.arguments.fields
    ]
    return ["*", *(["result: _Form"] if is_raw else []), *own]


def _handler(function: Function) -> Iterator[str]:
    """A function that may be a coroutine, and may have a parameter `context`."""
    parameters = [
        f"{attribute_name(field.name, 'struct')}: {annotation(field.type)}"
        for field in function.arguments.fields.values()
    ]
    returns = _returned(function)
    yield from _function(
        "def",
        function.name + "_" if keyword.iskeyword(function.name) else function.name,
        [*parameters, "*args: _t.Any", "**kwargs: _t.Any"],
        f"_t.Union[{returns}, _t.Awaitable[{returns}]]",
        function.doc,
    )


def _parameters(function: Function) -> Iterator[str]:
    """As rpc.services.parameters_of has them."""
    has_default = False
    for field in function.arguments.fields.values():
        has_default = has_default or field.has_default or field.requiredness == "optional"
        text = annotation(field.type)
        if has_default and not field.has_default:
            text = f"_t.Optional[{text}]"
        name = field.name + "_" if keyword.iskeyword(field.name) else field.name
        yield f"{name}: {text}{' = ...' if has_default else ''}"


def _method(function: Function, is_async: bool, is_raw: bool) -> Iterator[str]:
    is_taken = function.name in _CLIENT_MEMBERS or keyword.iskeyword(function.name)
    return _function(
        "async def" if is_async else "def",
        function.name + "_" if is_taken else function.name,
        [*_parameters(function), *_options(function, is_raw)],
        "_t.Any" if is_raw else _returned(function),
        function.doc,
    )


def _returned(function: Function) -> str:
    return "None" if function.returns is None else annotation(function.returns)


def _function(head: str, name: str, parameters: list[str], returns: str, doc: str) -> Iterator[str]:
    body = [_INDENT + line for line in _doc(doc)]
    receiver = "_self" if any(text.startswith("self:") for text in parameters) else "self"
    yield f"{_INDENT}{head} {name}({', '.join([receiver, *parameters])}) -> {returns}:" + (
        "" if body else " ..."
    )
    yield from body


def _short(type_: Type) -> str:
    return type_.name.rpartition(".")[2]


def _doc(text: str) -> Iterable[str]:
    """A docstring, in one line."""
    shown = " ".join(text.split()).replace("\\", "\\\\").replace('"', "'")
    return [f'{_INDENT}"""{shown}"""'] if shown else []
