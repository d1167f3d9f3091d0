"""Options that several commands share."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
import weakref
from typing import Callable, Generic, Iterable, Literal, Optional, Sequence, TypeVar

import click
from click.shell_completion import CompletionItem

from .. import _core
from .source import StructProtocol

_Result = TypeVar("_Result")
_Command = Callable[..., object]
Decorator = Callable[[_Command], _Command]
_Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def group(*options: Decorator) -> Decorator:
    """A decorator that adds several options to a command."""

    def add(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def grouped(name: str, build: Callable[..., object], *options: Decorator) -> Decorator:
    """Like group, for options that the command receives as one argument `name`, the result of
    build(**values). The parameters of `build` are the options; some may be added separately."""
    members = tuple(inspect.signature(build).parameters)

    def add(command: _Command) -> _Command:
        @functools.wraps(command)
        def run(**values: object) -> object:
            group_values = {member: values.pop(member) for member in members if member in values}
            return command(**values, **{name: build(**group_values)})

        return group(*options)(run)

    return add


_SECTIONS: weakref.WeakKeyDictionary[click.Parameter, str] = weakref.WeakKeyDictionary()


def section(title: str, *options: Decorator) -> Decorator:
    """Like group, for options that the help lists under a title, after those of the command."""

    def add(command: _Command) -> _Command:
        count = len(getattr(command, "__click_params__", ()))
        result = group(*options)(command)
        for parameter in getattr(result, "__click_params__")[count:]:
            if isinstance(parameter, click.Option):
                _SECTIONS[parameter] = title
        return result

    return add


class Command(click.Command):
    """A command whose help lists its own options before those that it shares with others."""

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(context):
            record = parameter.get_help_record(context)
            if isinstance(parameter, click.Option) and record is not None:
                sections.setdefault(_SECTIONS.get(parameter, "Options"), []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


def command(
    name: Optional[str] = None, epilog: str = "", cls: type[Command] = Command
) -> Callable[[_Command], Command]:
    """Like click.command, with the shared options after those of the command."""

    def decorate(function: _Command) -> Command:
        result = click.command(name, cls=cls, epilog=epilog)(function)
        result.params.sort(key=lambda parameter: parameter in _SECTIONS)
        return result

    return decorate


INPUT = "Input options"


def count(
    option: str,
    lowest: int,
    highest: Optional[int],
    default: int,
    help: str,
    metavar: Optional[str] = None,
) -> Decorator:
    """An option with a number within bounds."""
    bounds = click.IntRange(lowest, highest)
    return click.option(
        option, type=bounds, default=default, show_default=True, metavar=metavar, help=help
    )


def repeatable(
    option: str,
    metavar: str,
    help: str,
    name: Optional[str] = None,
    complete: Optional[_Complete] = None,
) -> Decorator:
    """A repeatable option; `help` ends with a full stop."""
    names = (option,) if name is None else (option, name)
    text = f"{help[:-1]} (repeatable)."
    return click.option(*names, multiple=True, metavar=metavar, help=text, shell_complete=complete)


def pair_option(
    option: str, name: str, metavar: str, help: str, complete: Optional[_Complete] = None
) -> Decorator:
    """A repeatable option with two values."""
    return click.option(
        option,
        name,
        type=(str, str),
        multiple=True,
        metavar=metavar,
        help=help,
        shell_complete=complete,
    )


SIGNATURES = _core.signatures()


_HELP = {
    "defaults": "Whether to write absent fields that have a default in the IDL.",
    "enums": "Enum values as numbers or names.",
    "int64": "i64 values as numbers or strings.",
    "invalid_utf8": "Handling of strings that are not UTF-8.",
    "mismatch": "Handling of fields whose wire type contradicts the IDL.",
    "missing_required": "Handling of missing required fields (output of trim).",
    "unknown": "Handling of fields that are not in the IDL.",
}


def keyword_option(option: str, *values: str, help: str) -> Decorator:
    """An option with a fixed set of values; the first is the default."""
    return click.option(
        option, type=click.Choice(values), default=values[0], show_default=True, help=help
    )


def choices(method: str, *options: str) -> Decorator:
    """Options of a Python method with their usual help.

    NAME=DEFAULT overrides the default of the method."""
    pairs = [option.partition("=") for option in options]
    return group(
        *(choice(method, name, _HELP[name], default or None) for name, _, default in pairs)
    )


def all_choices(method: str, **help: str) -> Decorator:
    """All options of a method of Type that have choices, but its protocol. Help by name; default:
    the usual help, or the paragraph about the option in the docstring of the method."""
    names = [name for name, row in SIGNATURES[method].items() if row[0] and name != "protocol"]
    doc = str(getattr(_core.Type, method).__doc__)
    texts = (help.get(name) or _HELP.get(name) or _doc_of(doc, name) for name in names)
    return group(*(choice(method, name, text) for name, text in zip(names, texts)))


def _doc_of(doc: str, option: str) -> str:
    """The paragraph about an option in the docstring of its method."""
    match = re.search(rf"^{option}: (.*(?:\n +.*)*)", doc, re.MULTILINE)
    return "" if match is None else " ".join(match[1].split())


def choice(method: str, name: str, help: str, default: Optional[str] = None) -> Decorator:
    """An option with the choices of the same option of a Python method, and its default unless
    `default` overrides it."""
    choices, method_default, _, _ = SIGNATURES[method][name]
    option = "--" + name.replace("_", "-")
    return click.option(
        option,
        name,
        type=click.Choice(choices or ()),
        default=default or method_default.strip("'"),
        show_default=True,
        help=help,
    )


def integer(method: str, name: str, help: str) -> Decorator:
    """An option with the bounds and the default of the same option of a Python method."""
    _, default, lowest, highest = SIGNATURES[method][name]
    option = "--" + name.replace("_", "-")
    return count(option, lowest, highest, int(default), help)


depth_option = integer("decode", "depth", help="Maximum nesting depth.")
DEFAULT_DEPTH = int(SIGNATURES["decode"]["depth"][1])
AnyProtocol = Literal["binary", "compact", "tjson"]
AnyOfProtocols = TypeVar("AnyOfProtocols", bound=str)


@dataclasses.dataclass
class Decoding(Generic[AnyOfProtocols]):
    """How values are read. `protocol` is set to that of the current message."""

    protocol: AnyOfProtocols
    depth: int = DEFAULT_DEPTH


StructDecoding = Decoding[StructProtocol]
AnyDecoding = Decoding[AnyProtocol]
protocol_options = grouped(
    "decoding",
    Decoding,
    section(INPUT, choice("view", "protocol", help="Protocol of the data."), depth_option),
)
any_protocol_options = grouped(
    "decoding",
    Decoding,
    section(
        INPUT,
        choice("decode", "protocol", help="Protocol of the data; tjson is Apache's JSON protocol."),
        depth_option,
    ),
)


def _detected(protocols: Sequence[str]) -> Decorator:
    option = click.option(
        "--protocol",
        type=click.Choice(protocols),
        help="Protocol of the data; detected by default.",
    )
    return section(INPUT, option)


detected_protocol = _detected(SIGNATURES["decode"]["protocol"][0] or ())
detected_binary_protocol = _detected(SIGNATURES["identify"]["protocol"][0] or ())


_Callback = Callable[[click.Context, click.Parameter, Optional[str]], Optional[_Result]]


def parsed_by(parse: Callable[[str], _Result]) -> _Callback[_Result]:
    def convert(
        context: click.Context, option: click.Parameter, text: Optional[str]
    ) -> Optional[_Result]:
        try:
            return None if text is None else parse(text)
        except ValueError as error:
            raise click.BadParameter(str(error), context, option) from None

    return convert


def parse_size(text: str) -> int:
    """A number of bytes: 1000, 64k, 16M, 4G; also 4GB, 4GiB."""
    match = re.fullmatch(r"(\d{1,15})(?:([kmgt])(?:i?b)?|b)?", text.lower())
    if match is None:
        raise ValueError(f"invalid size {text!r}; expected bytes such as 1000, 64k, 16M or 4G")
    return int(match[1]) << {None: 0, "k": 10, "m": 20, "g": 30, "t": 40}[match[2]]


max_size_option = section(
    INPUT,
    click.option(
        "--max-size",
        callback=parsed_by(parse_size),
        metavar="SIZE",
        help="Maximum size of one value; default: 1G, or no limit if the file is one value.",
    ),
)
jobs_option = section(
    INPUT,
    count(
        "--jobs",
        1,
        64,
        1,
        "Number of worker processes. The order of the output does not change.",
        metavar="N",
    ),
)
output_size_option = integer(
    "to_json",
    "output_size",
    help="Maximum output size in bytes; 0: 16 MiB plus 8 times the input size.",
)
missing_required_option = choices("decode", "missing_required")
unknown_option = choice("redact", "unknown", default="keep", help="Handling of unknown fields.")
_output = functools.partial(click.option, "-o", "--output", type=click.Path(), metavar="OUT")
output_option = _output(default="-", help="Output file, written atomically; - for standard output.")
bytes_output_option = _output(
    help="Output file, written atomically; default: standard output unless it is a terminal."
)


def is_explicit(option: str) -> bool:
    """Whether the option is on the command line, even with its default value."""
    return (
        click.get_current_context().get_parameter_source(option)
        is not click.core.ParameterSource.DEFAULT
    )


def pairs_of(option: str, texts: Iterable[str]) -> dict[str, str]:
    """Parses the values NAME=VALUE of an option. Raises ValueError, also for a repeated name."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise ValueError(f"invalid {option} {text!r}; expected NAME=VALUE")
        if name in pairs:
            raise ValueError(f"duplicate {option} {name!r}")
        pairs[name] = value
    return pairs


def annotation_options(help: str) -> Decorator:
    """The annotation of redactions, with this help, and the actions for its values."""
    return group(
        click.option("--annotation", default="", metavar="KEY", help=help),
        pair_option("--value", "values", "VALUE ACTION", "Action for a value of the annotation."),
        click.option(
            "--default-action",
            default="blank",
            metavar="ACTION",
            show_default=True,
            help="Action for other values of the annotation.",
        ),
    )
