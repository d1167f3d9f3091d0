"""Services and functions by name."""

from __future__ import annotations

import inspect
import keyword
from typing import TYPE_CHECKING, Iterable, Optional, Sequence, Union

from .._errors import Error
from .._text import shown
from .._typing import Value

if TYPE_CHECKING:
    from .._schema.schemas import Schema
    from .._schema.services import Function, Service
    from .._schema.types import Field, Type


def find_service(idl: Schema, name: Optional[str]) -> Service:
    """The service of that name; default: the only one of the root file."""
    check_idl(idl)
    if name is not None:
        return named_service(idl, name)
    names = list(idl.services)
    own = [name for name in names if "." not in name] or names
    if len(own) != 1:
        has = f"several services ({', '.join(own)}); specify service=" if own else "no service"
        raise Error(f"the IDL has {has}", code="no_service")
    return idl.service(own[0])


def check_idl(idl: object) -> None:
    """Raises TypeError for a path or text instead of a schema."""
    if not hasattr(idl, "services"):
        raise TypeError(f"expected a Schema, such as tl.load('shop.thrift'), not {shown(idl)}")


def named_service(idl: Schema, name: object) -> Service:
    """The service of that name."""
    if not isinstance(name, str):
        names = " or ".join(map(repr, idl.services))
        raise TypeError(
            f"service must be a name, {names}, not an object of the class {type(name).__name__}; "
            "a server without a name takes handler="
        )
    return idl.service(name)


def functions_of(service: Service) -> dict[str, Function]:
    """The functions of the service, including inherited ones."""
    return {**service.inherited, **service.functions}


def prefix_of(service: Service, multiplexed: Union[bool, str]) -> str:
    """The prefix of function names in messages."""
    name = multiplexed if isinstance(multiplexed, str) else service.name.rpartition(".")[2]
    return f"{name}:" if multiplexed else ""


_PYTHON_TYPES = {
    "bool": bool, "i8": int, "i16": int, "i32": int, "i64": int, "double": float, "string": str,
    "binary": bytes, "enum": int, "list": list, "set": set, "map": dict, "struct": dict,
    "union": dict, "exception": dict,
}  # fmt: skip


def parameters_of(function: Function) -> Iterable[inspect.Parameter]:
    """The parameters of a method. In Python, arguments after one with a default need a default too:
    None, which means absent."""
    default: object = inspect.Parameter.empty
    for field in function.arguments.fields.values():
        if field.has_default:
            default = field.default
        elif field.requiredness == "optional" or default is not inspect.Parameter.empty:
            default = None
        kind = _PYTHON_TYPES.get(field.type.kind, Value)
        name = field.name + "_" if keyword.iskeyword(field.name) else field.name
        yield inspect.Parameter(
            name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind
        )


def signature_of(
    parameters: Sequence[inspect.Parameter], returns: Optional[Type]
) -> inspect.Signature:
    """The signature of a method: the arguments, then the options of a call."""
    names = {parameter.name for parameter in parameters}
    defaults = {"select": None, "result": None, "timeout": ..., "headers": None}
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in defaults.items()
        if name not in names
    ]
    return inspect.Signature(
        [*parameters, *options],
        return_annotation=None if returns is None else _PYTHON_TYPES.get(returns.kind, Value),
    )


def doc_of(function: Function) -> str:
    """The declaration and the documentation of the IDL."""
    arguments = _declarations(function.arguments.fields.values())
    throws = _declarations(field for field in function.result.fields.values() if field.id != 0)
    returns = (
        "oneway void"
        if function.oneway
        else "void"
        if function.returns is None
        else function.returns.name
    )
    line = f"{returns} {function.name}({arguments})" + (f" throws ({throws})" if throws else "")
    return f"{line}\n\n{function.doc}" if function.doc else line


def _declarations(fields: Iterable[Field]) -> str:
    return ", ".join(
        f"{field.id}: {field.type.name} {field.name}{_default_text(field)}" for field in fields
    )


def _default_text(field: Field) -> str:
    if not field.has_default:
        return ""
    text = field.type.to_json(field.type.encode(field.default), enums="name").decode()
    return f" = {text.strip(chr(34)) if field.type.kind == 'enum' else text}"
