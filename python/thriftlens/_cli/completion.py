"""What the shell may complete: types, functions and field paths, out of the IDL that the command line names already."""

from __future__ import annotations

import os
import re
from typing import Any, Optional

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, ZshComplete, add_completion_class, get_completion_class, split_arg_string

from .commands import COMMANDS
from .._errors import Error
from .._schema.schema import Schema, Type, load
from .._text import escaped

SHELLS = ("bash", "zsh", "fish")
TOPICS = ("paths", "selections", "status", "man")
_STEP = re.compile(r"\.(\w+)|\[[^\]]*\]|\{[^}]*\}")


def _given(context: click.Context, name: str) -> Any:
    """What the command line says so far. Where an option waits for its value, click has not come to the arguments, and leaves them in `args`."""
    arguments = [each.name for each in context.command.params if isinstance(each, click.Argument)]
    return context.params.get(name) or dict(zip(arguments, context.args)).get(name)


def _schema(context: click.Context) -> Optional[Schema]:
    """The IDL of the command line so far; None where there is none, or it does not load: then nothing is completed."""
    idl = _given(context, "idl")
    if not isinstance(idl, str):
        return None
    try:
        return load(idl, include_dirs=list(context.params.get("include_dirs") or ()))
    except (Error, OSError):
        return None


def commands(incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name, help=summary) for name, summary in COMMANDS.items() if name.startswith(incomplete)]


def topics(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What `thriftlens help` explains: commands and topics."""
    return [CompletionItem(name) for name in (*COMMANDS, *TOPICS) if name.startswith(incomplete)]


def types(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of types; what a function's messages carry once a service is named."""
    schema = _schema(context)
    if schema is None:
        return []
    found = [CompletionItem(name, help=schema[name].kind) for name in schema.types]
    for service in schema.services.values():
        if incomplete.startswith(service.name):
            names = {**service.inherited, **service.functions}
            found += [CompletionItem(f"{service.name}.{name}.{part}", help="message") for name in names for part in ("arguments", "result")]
    return [each for each in found if each.value.startswith(incomplete)]


def functions(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """SERVICE.FUNCTION, and FUNCTION alone."""
    schema = _schema(context)
    services = schema.services.values() if schema is not None else ()
    found = [
        CompletionItem(written, help=escaped(function.doc.partition("\n")[0]) or None)
        for service in services
        for name, function in {**service.inherited, **service.functions}.items()
        for written in (f"{service.name}.{name}", name)
    ]
    return [each for each in found if each.value.startswith(incomplete)]


def paths(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Field names behind the last dot, of the struct that the path before it leads to."""
    schema = _schema(context)
    name = _given(context, "type_name")
    if schema is None or not isinstance(name, str):
        return []
    try:
        root: Optional[Type] = schema[name]
    except Error:
        return []
    front, dot, begun = incomplete.rpartition(".")
    if not dot:
        front, dot = ("$", ".") if incomplete in ("", "$") else ("", "")
        begun = "" if front else incomplete
    of = _led_to(root, front)
    return [
        CompletionItem(f"{front}{dot}{field.name}", help=_shown(field.type))
        for field in (of.fields.values() if of is not None and of.kind in ("struct", "union", "exception") else ())
        if field.name.startswith(begun)
    ]


def paths_of_pairs(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The same for options of a path and more: what is more begins otherwise."""
    return paths(context, parameter, incomplete) if incomplete.startswith("$") else []


def _led_to(of: Optional[Type], front: str) -> Optional[Type]:
    """The type at the end of `$.items[0]`; None where it leads nowhere."""
    text = front[1:] if front.startswith("$") else f".{front}" if front else ""
    at = 0
    while of is not None and at < len(text):
        step = _STEP.match(text, at)
        if step is None:
            return None
        of = _stepped(of, step[1])
        at = step.end()
    return of


def _stepped(of: Type, field: Optional[str]) -> Optional[Type]:
    if field is not None:
        found = of.fields.get(field) if of.kind in ("struct", "union", "exception") else None
        return found.type if found is not None else None
    return of.parameters[-1] if of.kind in ("list", "set", "map") else None


def _shown(of: Type) -> str:
    return of.name or of.kind


@add_completion_class
class _Bash(BashComplete):
    """bash takes HOST:PORT and --option=value for three words, click for one. Its version is not asked for, which would start another bash."""

    def get_completion_args(self) -> tuple[list[str], str]:
        current = int(os.environ["COMP_CWORD"])
        words = split_arg_string(os.environ["COMP_WORDS"])[: current + 1]
        *before, incomplete = _rejoined([*words, ""][: current + 1])
        return before[1:], incomplete

    def source(self) -> str:
        return str(self.source_template % self.source_vars())


def _rejoined(words: list[str]) -> list[str]:
    made: list[str] = []
    joins = False
    for word in words:
        is_break = word in (":", "=")
        if made and (is_break or joins):
            made[-1] += word
        else:
            made.append(word)
        joins = is_break
    return made


def _behind_option(begun: str, found: list[CompletionItem]) -> list[CompletionItem]:
    """zsh and fish put what is found in the place of all of `--option=beginning`."""
    option, equals, _ = begun.partition("=")
    if equals and option.startswith("--"):
        for each in found:
            each.value = f"{option}={each.value}" if each.type == "plain" else each.value
    return found


@add_completion_class
class _Zsh(ZshComplete):
    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        return _behind_option(incomplete, super().get_completions(args, incomplete))


@add_completion_class
class _Fish(FishComplete):
    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        return _behind_option(incomplete, super().get_completions(args, incomplete))


def script(shell: str) -> str:
    """What the shell evaluates."""
    made: Any = get_completion_class(shell)
    return str(made(None, {}, "thriftlens", "_THRIFTLENS_COMPLETE").source())
