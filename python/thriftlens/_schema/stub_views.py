"""Stubs of the schema of imported IDL: its types, their views, and paths to their fields."""

from __future__ import annotations

import ast
import itertools
import keyword
from typing import TYPE_CHECKING, Iterator

from .. import _core

if TYPE_CHECKING:
    from .schemas import Schema
    from .types import Type

HEAD = """
_E = _t.TypeVar("_E")
_E_co = _t.TypeVar("_E_co", covariant=True)
_V_co = _t.TypeVar("_V_co", covariant=True)

class _View:  # thriftlens.View without other attributes
    def to_dict(self) -> _t.Any: ...
    def __bytes__(self) -> _b.bytes: ...
    def __len__(self) -> _b.int: ...
    def __contains__(self, key: _b.object, /) -> _b.bool: ...

class _Struct(_View):
    def get(self, path: _b.str, default: _b.object = None, /) -> _t.Any: ...
    def __getitem__(self, name: _b.str, /) -> _t.Any: ...
    def __iter__(self) -> _t.Iterator[_b.str]: ...

class _List(_View, _t.Sequence[_E_co]):
    @_t.overload
    def __getitem__(self, index: _b.int, /) -> _E_co: ...
    @_t.overload
    def __getitem__(self, index: _b.slice, /) -> _t.Sequence[_E_co]: ...
    def to_numpy(self) -> _t.Any: ...

class _Set(_View, _t.AbstractSet[_E_co]):
    def __iter__(self) -> _t.Iterator[_E_co]: ...

class _Map(_View, _t.Mapping[_E, _V_co]):
    def __getitem__(self, key: _E, /) -> _V_co: ...
    def __iter__(self) -> _t.Iterator[_E]: ...
"""
_STRUCTS = ("struct", "union", "exception")
_MAX_PATHS = 200
_INDENT = "    "
SCALARS = {
    "bool": "_b.bool",
    "double": "_b.float",
    "string": "_b.str",
    "binary": "_b.bytes",
    "uuid": "_uuid.UUID",
    **dict.fromkeys(("i8", "i16", "i32", "i64", "enum"), "_b.int"),
}


def schema_stub(schema: Schema, base: type) -> Iterator[str]:
    """The classes of the views and types, and of `__schema__`, whose base has the names of
    `base`."""
    types = {name: type_ for name, type_ in schema.types.items() if type_.name == name}
    structs = {name: type_ for name, type_ in types.items() if type_.kind in _STRUCTS}
    enums = [name for name, type_ in types.items() if type_.kind == "enum"]
    for type_ in structs.values():
        yield from _view(type_)
        yield from _type(type_)
    yield "class _Schema(_tl.Schema):"
    yield from (
        f"{_INDENT}{name}: {_class(name, 'Type')}" for name in structs if _is_free(name, base)
    )
    yield from _by_name("__getitem__", {name: _class(name, "Type") for name in structs},
                        "_tl.Type")  # fmt: skip
    yield from _by_name("enum", {name: f"_b.type[{name}]" for name in enums}, "_b.type[_t.Any]")
    yield f"{_INDENT}pass"
    yield ""
    yield "__schema__: _Schema"
    yield ""


def _by_name(method: str, results: dict[str, str], default: str) -> Iterator[str]:
    """Overloads by the literal name; of any other name with the default."""
    for name, result in results.items():
        yield f"{_INDENT}@_t.overload"
        yield f'{_INDENT}def {method}(self, name: _t.Literal["{name}"]) -> {result}: ...'
    if results:
        yield f"{_INDENT}@_t.overload"
        yield f"{_INDENT}def {method}(self, name: _b.str) -> {default}: ..."


def _is_free(name: str, base: type) -> bool:
    """Whether it can be an attribute, and the base has no such attribute."""
    return name.isidentifier() and not keyword.iskeyword(name) and not hasattr(base, name)


def _class(name: str, suffix: str) -> str:
    return f"_{name.replace('.', '_')}{suffix}"


def _view(type_: Type) -> Iterator[str]:
    yield f"class {_class(type_.name, 'View')}(_Struct):"
    for name, field in type_.fields.items():
        if _is_free(name, _core.StructView):
            yield f"{_INDENT}@_b.property"
            yield f"{_INDENT}def {name}(self) -> {_viewed(field.type)}: ..."
    yield f"{_INDENT}pass"
    yield ""


def _type(type_: Type) -> Iterator[str]:
    yield f"class {_class(type_.name, 'Type')}(_tl.Type):"
    yield f"{_INDENT}def view(  # type: ignore[override]"
    yield f"{_INDENT}    self, data: _te.Buffer, /, **options: _t.Any"
    yield f"{_INDENT}) -> {_class(type_.name, 'View')}: ..."
    yield from _getters(type_)
    yield ""


def _getters(type_: Type) -> Iterator[str]:
    """Overloads of `get` by path."""
    rows = list(itertools.islice(_paths(type_), _MAX_PATHS + 1))
    is_complete = len(rows) <= _MAX_PATHS and _is_finite(type_)
    comment = "  # type: ignore[override]" if is_complete else ""
    paths: dict[str, list[str]] = {}
    for path, value in rows[:_MAX_PATHS]:
        paths.setdefault(value, []).append(f'"{path}"')
    for value, names in paths.items():
        literal = _generic("_t.Literal", *names)
        yield from _get(literal, "None = None", _generic("_t.Optional", value), comment)
        comment = ""
    if rows:
        literals = itertools.chain.from_iterable(paths.values())
        path = _generic("_t.Literal", *literals) if is_complete else "_b.str"
        yield from _get(path, "_b.object = None", "_t.Any", "")


def _get(path: str, default: str, result: str, comment: str) -> Iterator[str]:
    parameters = f"self, data: _te.Buffer, path: {path}, default: {default}, /, **options: _t.Any"
    yield f"{_INDENT}@_t.overload{comment}"
    yield f"{_INDENT}def get({parameters}) -> {result}: ..."


def _is_finite(type_: Type, above: frozenset[str] = frozenset()) -> bool:
    """Whether there are no paths through containers or recursive structs."""
    is_repeated = type_.kind in ("list", "set", "map") or type_.name in above
    inner = above | {type_.name}
    return not is_repeated and all(_is_finite(field.type, inner) for field in type_.fields.values())


def _paths(type_: Type) -> Iterator[tuple[str, str]]:
    """Paths through structs without recursion, level by level, and what `get` returns."""
    level = [("$", type_, frozenset([type_.name]))]
    while level:
        following = []
        for prefix, parent, above in level:
            for name, field in parent.fields.items():
                path, inner = f"{prefix}.{name}", field.type
                yield path, _decoded(inner)
                if inner.kind in _STRUCTS and inner.name not in above:
                    following.append((path, inner, above | {inner.name}))
        level = following


def _decoded(type_: Type, is_key: bool = False) -> str:
    """The annotation of a decoded value."""
    if type_.kind in SCALARS:
        return SCALARS[type_.kind]
    if is_key:
        return "_t.Any"
    if type_.kind in _STRUCTS:
        return _generic("_b.dict", "_b.str", "_t.Any")
    keyed = [type_.kind in ("set", "map"), False]
    name = "dict" if type_.kind == "map" else type_.kind
    return _generic(f"_b.{name}", *map(_decoded, type_.parameters, keyed))


def _generic(name: str, *parameters: str) -> str:
    return f"{name}[{', '.join(parameters)}]"


def _viewed(type_: Type) -> str:
    """The annotation of the value of a view's attribute."""
    if type_.kind in SCALARS:
        return SCALARS[type_.kind]
    if type_.kind in _STRUCTS:
        return _class(type_.name, "View")
    if type_.kind == "list":
        return _generic("_List", _viewed(type_.parameters[0]))
    key = _decoded(type_.parameters[0], True)
    if type_.kind == "set":
        return _generic("_Set", key)
    return _generic("_Map", key, _viewed(type_.parameters[1]))


def unshadowed(text: str) -> str:
    """The text of a stub in which classes use other names for types that their attributes hide, as
    the field in `struct Order { 1: Status Status }` does."""
    classes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))
    hidden = [name for class_ in classes for name in _hidden(class_)]
    aliases = sorted({f"_Type_{name.id}: _te.TypeAlias = {name.id}\n" for name in hidden})
    return "".join([_renamed(text, hidden), *aliases])


def _renamed(text: str, names: list[ast.Name]) -> str:
    lines = text.encode().splitlines(keepends=True)
    for name in sorted(names, key=lambda name: name.col_offset, reverse=True):
        line, at = lines[name.lineno - 1], name.col_offset
        lines[name.lineno - 1] = line[:at] + b"_Type_" + line[at:]
    return b"".join(lines).decode()


def _hidden(class_: ast.ClassDef) -> Iterator[ast.Name]:
    """The names in the scope of a class that its own attributes hide."""
    own = set(map(_declared, class_.body))
    for statement in class_.body:
        for part in statement.bases if isinstance(statement, ast.ClassDef) else [statement]:
            names = (node for node in ast.walk(part) if isinstance(node, ast.Name))
            yield from (name for name in names if isinstance(name.ctx, ast.Load) & (name.id in own))


def _declared(statement: ast.stmt) -> str:
    """The name of a class, function or attribute."""
    target = getattr(statement, "target", None)
    return target.id if isinstance(target, ast.Name) else getattr(statement, "name", "")
