"""`thriftlens help` and `thriftlens completion`."""

from typing import Optional, cast

import click

from ... import __version__, grammar
from ..._records.framing import FRAMINGS
from .. import completion as _complete
from .. import manual as _manual
from ..input import FRAMING_WORDS
from ..report import STATUSES, print_bytes

_FRAMING = "Framings of many records (--framing):\n\n" + "".join(
    f"  {name:<{max(map(len, FRAMING_WORDS))}}  {FRAMINGS[name]}\n" for name in FRAMING_WORDS
)
_TEXTS = {"paths": grammar.PATHS, "selections": grammar.SELECTIONS, "framing": _FRAMING}
_STATUS_LINES = STATUSES.split("\n", 2)[2]


@click.command("help")
@click.argument("topic", required=False, shell_complete=_complete.topics)
@click.pass_context
def help_(context: click.Context, topic: Optional[str]) -> None:
    """Explain a command or a topic: paths, selections, framing, status; man: the manual page."""
    root = context.find_root()
    group = cast(click.Group, root.command)
    if topic is None:
        text = root.get_help()
    elif topic == "man":
        text = _manual.page(group, __version__, {**_TEXTS, "exit status": _STATUS_LINES})
    elif topic == "status":
        text = STATUSES.partition("\n")[2]
    else:
        text = _TEXTS.get(topic) or _command_help(group, root, topic)
    print_bytes((text.rstrip("\n") + "\n").encode())


def _command_help(group: click.Group, root: click.Context, name: str) -> str:
    command = group.get_command(root, name)
    if command is None:
        expected = ", ".join(_complete.TOPICS)
        raise click.UsageError(f"no command or topic {name!r}; topics: {expected}")
    return command.get_help(click.Context(command, info_name=name, parent=root))


@click.command()
@click.argument("shell", type=click.Choice(_complete.SHELLS))
def completion(shell: str) -> None:
    """Print the completion script of SHELL: commands, options and, from the IDL, types, functions
    and field paths."""
    print_bytes(_complete.script(shell).encode())
