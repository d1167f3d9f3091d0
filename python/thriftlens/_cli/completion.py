"""Shell completion of types, functions and field paths from the IDL on the command line."""

from __future__ import annotations

import os
import re
from typing import Iterable, Optional

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

from .._errors import Error
from .._schema.loading import load
from .._schema.schemas import Schema
from .._schema.services import Service
from .._schema.types import Field, Type
from .._text import escaped
from .commands import COMMANDS

SHELLS = ("bash", "zsh", "fish")
TOPICS = ("paths", "selections", "framing", "status", "man")
_STEP = re.compile(r"\.(\w+)|\[[^\]]*\]|\{[^}]*\}")


def _parsed_value(context: click.Context, name: str) -> Optional[str]:
    """The text of a parameter that is already typed.

    If the last option has no value yet, click leaves the arguments unparsed in `args`."""
    arguments = [item.name for item in context.command.params if isinstance(item, click.Argument)]
    value = context.params.get(name) or dict(zip(arguments, context.args)).get(name)
    return value if isinstance(value, str) else None


def _schema(context: click.Context) -> Optional[Schema]:
    """The IDL on the command line; None if it is missing or does not load."""
    idl = _parsed_value(context, "idl")
    if idl is None:
        return None
    try:
        return load(idl, include_dirs=list(context.params.get("include_dirs") or ()))
    except (Error, OSError):
        return None


def commands(incomplete: str) -> list[CompletionItem]:
    return [
        CompletionItem(name, help=summary)
        for name, summary in COMMANDS.items()
        if name.startswith(incomplete)
    ]


def topics(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Commands and topics of `thriftlens help`."""
    return [CompletionItem(name) for name in (*COMMANDS, *TOPICS) if name.startswith(incomplete)]


def types(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of types; after the name of a service, the arguments and results of its functions."""
    schema = _schema(context)
    if schema is None:
        return []
    items = [CompletionItem(name, help=schema[name].kind) for name in schema.types]
    for service in schema.services.values():
        if incomplete.startswith(service.name):
            items += _messages(service)
    return [item for item in items if item.value.startswith(incomplete)]


def _messages(service: Service) -> list[CompletionItem]:
    return [
        CompletionItem(f"{service.name}.{name}.{part}", help="message")
        for name in {**service.inherited, **service.functions}
        for part in ("arguments", "result")
    ]


def functions(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Each function as SERVICE.FUNCTION and as FUNCTION."""
    schema = _schema(context)
    services = schema.services.values() if schema is not None else ()
    items = [
        CompletionItem(spelling, help=escaped(function.doc.partition("\n")[0]) or None)
        for service in services
        for name, function in {**service.inherited, **service.functions}.items()
        for spelling in (f"{service.name}.{name}", name)
    ]
    return [item for item in items if item.value.startswith(incomplete)]


def paths(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Field names after the last dot, from the struct at the path before it."""
    schema = _schema(context)
    name = _parsed_value(context, "type_name")
    if schema is None or name is None:
        return []
    try:
        root: Optional[Type] = schema[name]
    except Error:
        return []
    front, dot, prefix = incomplete.rpartition(".")
    if not dot:
        front, dot = ("$", ".") if incomplete in ("", "$") else ("", "")
        prefix = "" if front else incomplete
    return [
        CompletionItem(f"{front}{dot}{field.name}", help=_type_label(field.type))
        for field in _fields_of(_type_at(root, front))
        if field.name.startswith(prefix)
    ]


def _fields_of(type_: Optional[Type]) -> Iterable[Field]:
    """The fields of a struct; nothing for other types."""
    is_struct = type_ is not None and type_.kind in ("struct", "union", "exception")
    return type_.fields.values() if type_ is not None and is_struct else ()


def paths_of_pairs(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Like `paths`, for options whose first value is a path; other values do not start with '$'."""
    return paths(context, parameter, incomplete) if incomplete.startswith("$") else []


def _type_at(type_: Optional[Type], path: str) -> Optional[Type]:
    """The type at a path such as `$.items[0]`; None if there is none."""
    steps = path[1:] if path.startswith("$") else f".{path}" if path else ""
    position = 0
    while type_ is not None and position < len(steps):
        step = _STEP.match(steps, position)
        if step is None:
            return None
        type_ = _child_type(type_, step[1])
        position = step.end()
    return type_


def _child_type(type_: Type, name: Optional[str]) -> Optional[Type]:
    if name is not None:
        member = type_.fields.get(name) if type_.kind in ("struct", "union", "exception") else None
        return member.type if member is not None else None
    return type_.parameters[-1] if type_.kind in ("list", "set", "map") else None


def _type_label(type_: Type) -> str:
    return type_.name or type_.kind


@add_completion_class
class _Bash(BashComplete):
    """bash splits HOST:PORT and --option=value into three words; click expects one.

    Skips click's version check, which starts another bash."""

    def get_completion_args(self) -> tuple[list[str], str]:
        current = int(os.environ["COMP_CWORD"])
        tokens = split_arg_string(os.environ["COMP_WORDS"])[: current + 1]
        *arguments, incomplete = _rejoined([*tokens, ""][: current + 1])
        return arguments[1:], incomplete

    def source(self) -> str:
        return str(self.source_template % self.source_vars())


def _rejoined(tokens: list[str]) -> list[str]:
    arguments: list[str] = []
    joins = False
    for token in tokens:
        is_break = token in (":", "=")
        if arguments and (is_break or joins):
            arguments[-1] += token
        else:
            arguments.append(token)
        joins = is_break
    return arguments


def _with_option(incomplete: str, items: list[CompletionItem]) -> list[CompletionItem]:
    """Adds `--option=` to the values: zsh and fish replace the whole word `--option=prefix`."""
    option, equals, _ = incomplete.partition("=")
    if equals and option.startswith("--"):
        for item in items:
            item.value = f"{option}={item.value}" if item.type == "plain" else item.value
    return items


@add_completion_class
class _Zsh(ZshComplete):
    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        return _with_option(incomplete, super().get_completions(args, incomplete))


@add_completion_class
class _Fish(FishComplete):
    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        return _with_option(incomplete, super().get_completions(args, incomplete))


def script(shell: str) -> str:
    """The completion script for a shell to evaluate."""
    completion_class = get_completion_class(shell)
    assert completion_class is not None
    group = click.Group()  # not used for the script
    return completion_class(group, {}, "thriftlens", "_THRIFTLENS_COMPLETE").source()
