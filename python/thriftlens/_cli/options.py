"""Options that several commands share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Sequence, TypeVar

import click

from .. import _core
from . import completion as _complete
from . import window as _window

if TYPE_CHECKING:
    from .._rpc.client import ConnectOptions

_Command = TypeVar("_Command", bound=Callable[..., Any])


def group(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    def add(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

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


def keyword_option(option: str, *values: str, help: str) -> Callable[[_Command], _Command]:
    """An option with a fixed set of values; the first is the default."""
    return click.option(
        option, type=click.Choice(values), default=values[0], show_default=True, help=help
    )


def choices(method: str, *options: str) -> Callable[[_Command], _Command]:
    """Options of a Python method with their usual help.

    NAME=DEFAULT overrides the default of the method."""
    pairs = [option.partition("=") for option in options]
    return group(
        *(choice(method, name, _HELP[name], default or None) for name, _, default in pairs)
    )


def choice(
    method: str, name: str, help: str, default: Optional[str] = None
) -> Callable[[_Command], _Command]:
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


def integer(method: str, name: str, help: str) -> Callable[[_Command], _Command]:
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


SCHEMA_OPTIONS = ("include_dirs", "strict", "implicit_ids", "stubs", "missing_include")
idl_options = group(
    click.option(
        "-I",
        "--include-dir",
        "include_dirs",
        multiple=True,
        metavar="DIR",
        help="Directory to search for includes (repeatable).",
    ),
    click.option(
        "--strict", is_flag=True, help="Accept only IDL that the Apache compiler accepts."
    ),
    choice("load", "implicit_ids", help="Numbering of fields without an id."),
    click.option(
        "--stub",
        "stubs",
        multiple=True,
        metavar="NAME=TEXT",
        help="IDL text to use for the include NAME (repeatable).",
    ),
    keyword_option(
        "--missing-include", "error", "warn", help="Missing includes; warn: continue without them."
    ),
)
idl_argument = group(click.argument("idl", type=click.Path()), idl_options)
depth_option = integer("decode", "depth", help="Maximum nesting depth.")
DEFAULT_DEPTH = int(SIGNATURES["decode"]["depth"][1])
protocol_options = group(choice("view", "protocol", help="Protocol of the data."), depth_option)
any_protocol_options = group(
    choice("decode", "protocol", help="Protocol of the data; tjson is Apache's JSON protocol."),
    depth_option,
)


def _detected(protocols: Sequence[str]) -> Callable[[_Command], _Command]:
    return click.option(
        "--protocol",
        type=click.Choice(protocols),
        help="Protocol of the data; detected by default.",
    )


detected_protocol = _detected(SIGNATURES["decode"]["protocol"][0] or ())
detected_binary_protocol = _detected(SIGNATURES["identify"]["protocol"][0] or ())


_Result = TypeVar("_Result")
_Callback = Callable[[click.Context, click.Parameter, Optional[str]], Optional[_Result]]


def _parsed_by(parse: Callable[[str], _Result]) -> _Callback[_Result]:
    def convert(
        context: click.Context, option: click.Parameter, text: Optional[str]
    ) -> Optional[_Result]:
        try:
            return None if text is None else parse(text)
        except ValueError as error:
            raise click.BadParameter(str(error), context, option) from None

    return convert


def parse_size(text: str) -> int:
    """A number of bytes: 1000, 64k, 16M, 4G."""
    match = re.fullmatch(r"(\d{1,15})([kmgt]?)", text.lower())
    if match is None:
        raise ValueError(f"invalid size {text!r}; expected bytes such as 1000, 64k, 16M or 4G")
    return int(match[1]) << {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}[match[2]]


max_size_option = click.option(
    "--max-size",
    callback=_parsed_by(parse_size),
    metavar="SIZE",
    help="Maximum size of one value; 1G for input of unknown size (pipes, devices).",
)
record_options = group(
    click.option("--on-error", metavar="raise|skip|null|FILE", default="raise", show_default=True,
                 help="Invalid records: stop, skip, write null, or copy them to FILE unchanged."),
    keyword_option("--cut-end", "error", "drop", help="Input that ends inside a record or a compressed block; error: exit status 1."),
    click.option("--start", type=click.IntRange(0), default=0, metavar="BYTE", help="Start at the record at this offset."),
    click.option("--limit", type=click.IntRange(0), metavar="N", help="Maximum number of records."),
    max_size_option,
    _window.option,
)  # fmt: skip
FRAMINGS = ("none", "u32", "u32le", "varint", "kafka", "base64", "hex", "message", "list")
framing_options = group(
    click.option("--lines", is_flag=True, help="Many records as lines of JSON; Thrift bytes are framed (default: u32, or none if detected)."),
    click.option("--framing", type=click.Choice(FRAMINGS), help="Framing of many records: none, a size prefix (kafka: -1 is null), "
                 "one per line, RPC messages, or one list of structs (input only)."),
    click.option("--lead", type=click.IntRange(0, 64), default=0, metavar="BYTES", help="Bytes to skip before each value (Confluent: 5)."),
    record_options,
)  # fmt: skip
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
    help="Maximum output size in bytes; 0: 16 MiB + 8 bytes for each byte of input (diff: 64).",
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
    help="Output file, written atomically; - for standard output.",
)
bytes_output_option = click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="OUT",
    help="Output file, written atomically; default: standard output unless it is a terminal.",
)


def file_argument(
    name: str = "file", metavar: str = "[FILE]", left_out: Optional[str] = "-"
) -> Callable[[_Command], _Command]:
    return click.argument(
        name, metavar=metavar, type=click.Path(allow_dash=True), default=left_out, required=False
    )


type_argument = click.argument("type_name", metavar="TYPE", shell_complete=_complete.types)
path_argument = click.argument("path", shell_complete=_complete.paths)
value_options = group(idl_argument, protocol_options, framing_options, jobs_option, type_argument)
idl_list_options = group(
    click.option(
        "--idl",
        "idls",
        multiple=True,
        type=click.Path(),
        metavar="IDL",
        help="IDL file (repeatable).",
    ),
    idl_options,
)


def address_of(text: str, default_host: str = "127.0.0.1") -> tuple[str, int]:
    """host:port, [host]:port, :port or port. ValueError for anything else."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise ValueError(f"invalid address {text!r}; expected HOST:PORT")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        raise ValueError(f"invalid address {text!r}; expected HOST:PORT or [IPv6]:PORT")
    return host or default_host, int(port)


read_address = _parsed_by(address_of)
TRANSPORTS = ("auto", "buffered", "framed", "header", "ttheader", "ttheader_framed", "sasl", "http")
connection_options = group(
    keyword_option("--transport", *TRANSPORTS, help="Transport; auto: detected with a probe call."),
    keyword_option("--protocol", "auto", "binary", "compact", help="Protocol of the messages."),
    click.option(
        "--timeout",
        type=click.FloatRange(0, min_open=True),
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="Timeout of a call.",
    ),
    click.option("--tls", is_flag=True, help="Use TLS with the system's certificate authorities."),
    click.option(
        "--ca",
        type=click.Path(),
        metavar="FILE",
        help="Use TLS with the certificate authorities in FILE.",
    ),
    click.option("--multiplexed", is_flag=True, help="Send names as Service:function."),
    click.option(
        "--limit",
        "limits",
        multiple=True,
        metavar="SIZE|NAME=SIZE",
        help="Maximum size of a reply (256M), or of frame_size, header_size, depth.",
    ),
)


def take_connection(options: dict[str, Any]) -> ConnectOptions:
    """Removes connection_options from the options of a command; returns the arguments of connect."""
    tls, authorities = options.pop("tls"), options.pop("ca")
    return {
        "transport": options.pop("transport"),
        "protocol": options.pop("protocol"),
        "timeout": options.pop("timeout"),
        "multiplexed": options.pop("multiplexed"),
        "tls": authorities or tls or None,
        "limits": _client_limits(options.pop("limits")),
    }


def _client_limits(options: Sequence[str]) -> dict[str, int]:
    """Parses SIZE, which is frame_size, and NAME=SIZE."""
    from .._rpc.options import SESSION, check_limits

    limits = {}
    try:
        for text in options:
            name, equals, size = text.rpartition("=")
            limits[name if equals else "frame_size"] = parse_size(size)
        check_limits(limits, SESSION)
    except ValueError as error:
        raise click.UsageError(f"--limit: {error}") from None
    return limits


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
