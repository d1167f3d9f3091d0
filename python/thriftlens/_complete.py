"""What the shell may complete: types, functions and field paths, out of the IDL that the command line names already."""

from __future__ import annotations

import re
from typing import Any, Optional

import click
from click.shell_completion import CompletionItem

from ._errors import Error
from ._schema import Schema, Type, load

SHELLS = ("bash", "zsh", "fish")
_STEP = re.compile(r"\.(\w+)|\[[^\]]*\]|\{[^}]*\}")


def _schema(context: click.Context) -> Optional[Schema]:
    """The IDL of the command line so far; None where there is none, or it does not load: then nothing is completed."""
    idl = context.params.get("idl")
    if not isinstance(idl, str):
        return None
    try:
        return load(idl, include_dirs=list(context.params.get("include_dirs") or ()))
    except (Error, OSError):
        return None


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
        CompletionItem(written, help=function.doc.partition("\n")[0] or None)
        for service in services
        for name, function in {**service.inherited, **service.functions}.items()
        for written in (f"{service.name}.{name}", name)
    ]
    return [each for each in found if each.value.startswith(incomplete)]


def paths(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Field names behind the last dot, of the struct that the path before it leads to."""
    schema = _schema(context)
    name = context.params.get("type_name")
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


def script(shell: str) -> str:
    """What the shell evaluates."""
    from click.shell_completion import get_completion_class

    found: Any = get_completion_class(shell)
    return str(found(None, {}, "thriftlens", "_THRIFTLENS_COMPLETE").source()) if shell != "bash" else _bash(found)


def _bash(found: Any) -> str:
    """click's script without the question for bash's version, which starts another bash."""
    made = found(None, {}, "thriftlens", "_THRIFTLENS_COMPLETE")
    return str(made.source_template % made.source_vars())


