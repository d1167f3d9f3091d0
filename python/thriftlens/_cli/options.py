"""Options that several commands share."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
from typing import Callable, Generic, Iterable, Literal, Optional, Sequence, TypedDict, TypeVar

import click

from .. import _core
from .source import StructProtocol

_Result = TypeVar("_Result")
_Command = Callable[..., object]
Decorator = Callable[[_Command], _Command]


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


SIGNATURES = _core.signatures()


_HELP = {
    "defaults": "Absent fields with a default in the IDL.",
    "enums": "Enum values as numbers or names.",
    "int64": "i64 as a number or a string.",
    "invalid_utf8": "Strings that are not UTF-8.",
    "mismatch": "Fields whose wire type contradicts the IDL.",
    "unknown": "Fields that are not in the IDL.",
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
    return click.option(
        option,
        type=click.IntRange(lowest, highest),
        default=int(default),
        show_default=True,
        help=help,
    )


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
    "decoding", Decoding, choice("view", "protocol", help="Protocol of the data."), depth_option
)
any_protocol_options = grouped(
    "decoding",
    Decoding,
    choice("decode", "protocol", help="Protocol of the data; tjson is Apache's JSON protocol."),
    depth_option,
)


def _detected(protocols: Sequence[str]) -> Decorator:
    return click.option(
        "--protocol",
        type=click.Choice(protocols),
        help="Protocol of the data; detected by default.",
    )


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
    match = re.fullmatch(r"(\d{1,15})([kmgt]?)(?:i?b)?", text.lower())
    if match is None:
        raise ValueError(f"invalid size {text!r}; expected bytes such as 1000, 64k, 16M or 4G")
    return int(match[1]) << {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}[match[2]]


max_size_option = click.option(
    "--max-size",
    callback=parsed_by(parse_size),
    metavar="SIZE",
    help="Maximum size of one value, such as 64M; default: the size of the file, or 1G for a pipe.",
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="Worker processes; output stays in order.",
)
output_size_option = integer(
    "to_json",
    "output_size",
    help="Maximum output size in bytes; 0: 16 MiB and 8 bytes (diff: 64) per byte of input.",
)
missing_required_option = choice(
    "decode", "missing_required", help="Missing required fields, as in output of trim."
)
unknown_option = choice("redact", "unknown", default="keep", help="Fields that are not in the IDL.")
output_option = click.option(
    "-o",
    "--output",
    type=click.Path(),
    default="-",
    metavar="OUT",
    help="Output file, written atomically; a new one is readable by its owner only. - for standard "
    "output.",
)
bytes_output_option = click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="OUT",
    help="Output file, written atomically; a new one is readable by its owner only. Default: "
    "standard output unless it is a terminal.",
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


class JsonOptions(TypedDict, total=False):
    """Options of Type.to_json for messages."""

    depth: int
    enums: Literal["number", "name"]
    int64: Literal["number", "string"]
    unknown: Literal["drop", "error", "keep"]
    invalid_utf8: Literal["error", "replace", "surrogateescape"]


def annotation_options(help: str) -> Decorator:
    """The annotation of redactions, with this help, and the actions for its values."""
    return group(
        click.option("--annotation", default="", metavar="KEY", help=help),
        click.option(
            "--value",
            "values",
            type=(str, str),
            multiple=True,
            metavar="VALUE ACTION",
            help="Action for a value of the annotation.",
        ),
        click.option(
            "--otherwise",
            default="blank",
            metavar="ACTION",
            show_default=True,
            help="Action for other values of the annotation.",
        ),
    )
