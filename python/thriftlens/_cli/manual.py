"""The manual page, generated from the help texts: `thriftlens help man | man -l -`."""

from __future__ import annotations

import inspect
import re
from typing import Iterator

import click


def _roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def _paragraphs(text: str) -> Iterator[str]:
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        if block.startswith("\b"):
            title, _, rest = block[1:].strip("\n").partition("\n")
            yield f".PP\n{_roff(title)}\n.nf\n{_roff(rest)}\n.fi"
        else:
            yield f".PP\n{_roff(' '.join(block.split()))}"


def _options_of(command: click.Command, context: click.Context) -> Iterator[str]:
    for option in command.get_params(context):
        record = option.get_help_record(context)
        if (
            isinstance(option, click.Option) and record is not None
        ):  # click 8.2 and later also has records of arguments, without text
            yield f".TP\n.B {_roff(record[0])}\n{_roff(' '.join(record[1].split()))}"


def _section(name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    context = click.Context(
        command, info_name=name, parent=parent
    )  # inherits the names of the help option
    usage = [parent.info_name or "", name, *command.collect_usage_pieces(context)]
    yield f".SS {_roff(' '.join(usage))}"
    for text in (command.help, command.epilog):
        yield from _paragraphs(inspect.cleandoc(text)) if text else ()
    yield from _options_of(command, context)


def page(group: click.Group, version: str, topics: dict[str, str]) -> str:
    """The manual page of all commands. topics: title and text of additional sections."""
    context = click.Context(group, info_name="thriftlens", **group.context_settings)
    lines = [
        f'.TH THRIFTLENS 1 "" "thriftlens {version}" "User Commands"\n.ad l',
        ".SH NAME\nthriftlens \\- Apache Thrift data in place, under IDL that is parsed at run "
        "time",
        ".SH SYNOPSIS\n.B thriftlens\nCOMMAND [OPTIONS] ...",
        ".SH DESCRIPTION",
        *_paragraphs(inspect.cleandoc(group.help or "")),
        *_options_of(group, context),
        ".SH COMMANDS",
    ]
    for name in group.list_commands(context):
        lines += _section(name, group.commands[name], context)
    for title, text in topics.items():
        body = _roff(text.strip("\n"))
        lines.append(f".SH {title.upper()}\n.nf\n{body}\n.fi")
    return "\n".join(lines) + "\n"
