"""Options that commands share."""

import collections

import click
import pytest
from thriftlens._cli.main import main
from thriftlens._cli.options import parse_size


@pytest.mark.parametrize(
    "text, size",
    [("1000", 1000), ("10b", 10), ("64k", 64 << 10), ("16MB", 16 << 20), ("4GiB", 4 << 30)],
)
def test_sizes(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "k", "10ib", "10i", "10ki", "1.5G", "-1", "10x"])
def test_other_texts_are_no_sizes(text):
    with pytest.raises(ValueError, match="invalid size"):
        parse_size(text)


def kind_of(option):
    """What the value of an option is."""
    if option.is_flag:
        return "flag"
    is_choice = isinstance(option.type, click.Choice) or "|" in (option.metavar or "")
    return "choice" if is_choice else option.metavar or option.type.name


def options():
    """(name, option) of all commands."""
    for command in main.commands.values():
        for option in command.params:
            if isinstance(option, click.Option):
                yield option.opts[-1], option


def test_an_option_means_the_same_in_every_command():
    kinds = collections.defaultdict(set)
    for name, option in options():
        kinds[name].add(kind_of(option))
    differing = {name: values for name, values in kinds.items() if len(values) > 1}
    assert differing == {"--output": {"OUT", "DIR"}}


def test_what_an_option_does_has_one_name():
    names = collections.defaultdict(set)
    for name, option in options():
        names[kind_of(option), option.help].add(name)
    assert not [same for same in names.values() if len(same) > 1]
