"""`thriftlens help` and `thriftlens completion`."""

from typing import Optional, cast

import click

from ... import __version__, grammar
from .. import completion as _complete
from .. import manual as _manual
from ..report import STATUSES, print_bytes


@click.command("help")
@click.argument("topic", required=False, shell_complete=_complete.topics)
@click.pass_context
def help_(context: click.Context, topic: Optional[str]) -> None:
    """Explain a command or a topic: paths, selections, status; man: the manual page."""
    topics = {"paths": grammar.PATHS, "selections": grammar.SELECTIONS}
    texts = {**topics, "status": STATUSES.partition("\n")[2], "man": ""}
    root = context.find_root()
    group = cast(click.Group, root.command)
    if topic is None:
        text = root.get_help()
    elif topic == "man":
        text = _manual.page(
            group, __version__, {**topics, "exit status": texts["status"].partition("\n")[2]}
        )
    elif topic in texts:
        text = texts[topic]
    else:
        command = group.get_command(context, topic)
        if command is None:
            raise click.UsageError(f"no command or topic {topic!r}; topics: {', '.join(texts)}")
        text = command.get_help(click.Context(command, info_name=topic, parent=root))
    print_bytes((text.rstrip("\n") + "\n").encode())


@click.command()
@click.argument("shell", type=click.Choice(_complete.SHELLS))
def completion(shell: str) -> None:
    """Print the completion script of SHELL: commands, options and, from the IDL, types, functions
    and field paths."""
    print_bytes(_complete.script(shell).encode())
