"""The input of a command: file, framing and type."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from typing import Generic, Iterator, Literal, NamedTuple, Optional, Sequence, cast

import click

from .._errors import Error
from .._records.cuts import Cut
from .._records.framing import BY_NAME
from .._schema.schemas import Schema
from .._schema.services import Service
from .._schema.types import Type
from .._text import did_you_mean
from . import completion as _complete
from . import options as opt
from . import window as _window
from .idl import IdlFile, find_type, idl_argument
from .options import AnyOfProtocols, Decoding
from .report import display_name, reporting, say
from .source import Source, StructProtocol, open_source


@dataclasses.dataclass(frozen=True)
class RecordOptions:
    """Options of reading records from a file."""

    on_error: str
    truncated: Literal["error", "drop"]
    start: int
    limit: Optional[int]
    max_size: Optional[int]
    lines: bool = False
    framing: Optional[str] = None
    prefix_size: int = 0
    jobs: int = 1


class _OnError(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """raise, skip, null, or file=PATH."""

    name = "on_error"

    def convert(
        self, value: str, parameter: Optional[click.Parameter], context: Optional[click.Context]
    ) -> str:
        words = ("raise", "skip", "null")
        if value not in words and not (value.startswith("file=") and value != "file="):
            hint = did_you_mean(value, words) or f"; to copy records to a file: file={value}"
            self.fail(f"{value!r} is not one of {', '.join(words)}, file=PATH{hint}")
        return value


_RECORD_OPTIONS = (
    click.option(
        "--on-error",
        type=_OnError(),
        metavar="raise|skip|null|file=PATH",
        default="raise",
        show_default=True,
        help="Handling of invalid records: stop, skip, write null, or copy them to PATH unchanged.",
    ),
    opt.keyword_option(
        "--truncated",
        "error",
        "drop",
        help="Handling of input that ends inside a record or compressed block: fail, or ignore it.",
    ),
    click.option(
        "--start",
        type=click.IntRange(0),
        default=0,
        metavar="BYTE",
        help="Start at the record at this offset.",
    ),
    click.option("--limit", type=click.IntRange(0), metavar="N", help="Maximum number of records."),
    opt.max_size_option,
    _window.option,
)
record_options = opt.grouped("records", RecordOptions, opt.section(opt.INPUT, *_RECORD_OPTIONS))
framing_options = opt.grouped(
    "records",
    RecordOptions,
    opt.section(
        opt.INPUT,
        click.option(
            "--lines",
            is_flag=True,
            help="Read several records: JSON has one per line, Thrift bytes are framed (u32).",
        ),
        click.option(
            "--framing",
            type=click.Choice((*BY_NAME, "list")),
            help="Framing of the records; see `thriftlens help framings`.",
        ),
        click.option(
            "--prefix-size",
            type=click.IntRange(0, 64),
            default=0,
            metavar="BYTES",
            help="Bytes to skip before each value (Confluent: 5).",
        ),
        *_RECORD_OPTIONS,
    ),
)


class MessageTarget(NamedTuple):
    """The arguments or the result of a function, as TYPE names them: Shop.get.arguments."""

    service: Service
    function: str
    is_result: bool
    others: tuple[Service, ...]  # the other services of the IDL

    def matches(self, name: str, kind: str, is_strict: bool) -> bool:
        """Whether a message is of this function.

        A multiplexed prefix must name the service, or, unless `is_strict`, no other service of the
        IDL."""
        from .._records.redaction import is_named

        prefix, _, function = name.rpartition(":")
        if (
            prefix
            and not is_named(self.service, prefix)
            and (is_strict or any(is_named(service, prefix) for service in self.others))
        ):
            return False
        return function == self.function and kind in (
            ("reply",) if self.is_result else ("call", "oneway")
        )


class Input(NamedTuple):
    """The input of a command. framing: None for a single value. on_error: the handling of invalid
    records."""

    file: str
    framing: Optional[str]
    max_size: Optional[int]
    on_error: str = "raise"
    start: int = 0
    limit: Optional[int] = None
    jobs: int = 1
    truncated: str = "error"
    prefix_size: int = 0
    target: Optional[MessageTarget] = None  # the function whose messages are read
    framed: bool = False  # all messages are framed
    is_assumed: bool = False  # u32 is only the default of --lines; it may be replaced by detection
    copies: bool = False  # messages of other functions are copied, not dropped
    unredacted: Optional[str] = (
        None  # redactions: drop, error or keep for bytes that no rule applies to
    )

    @property
    def scan_truncated(self) -> str:
        """`truncated` for a scan.

        Unless errors stop the command, the scan drops the cut record and the command reports it."""
        return "error" if self.truncated == "error" and self.on_error == "raise" else "drop"

    @property
    def lines(self) -> bool:
        return self.framing is not None

    def selects(self, cut: Cut) -> bool:
        """Whether the message is of the target function, if there is one."""
        if self.target is None or cut.message is None:
            return True
        return self.target.matches(*cut.message[:2], is_strict=self.unredacted is not None)


def input_of(file: str, options: RecordOptions, *protocols: str) -> Input:
    """The input by the options of a command. protocols: of the input and the output."""
    framing = _framing_of(options, protocols)
    if options.prefix_size and framing == "message":
        raise click.UsageError("--prefix-size cannot be used with --framing message")
    spec = framed_input(file, framing, options)
    if framing is None and (spec.on_error != "raise" or spec.start or spec.limit is not None):
        raise click.UsageError(
            "--on-error, --start and --limit need --framing; `thriftlens inspect` detects the "
            "framing of a file"
        )
    return spec._replace(
        is_assumed=options.lines and not options.framing and not options.prefix_size
    )


def _framing_of(options: RecordOptions, protocols: Sequence[str]) -> Optional[str]:
    """The framing; None for a single value."""
    framing = options.framing or (
        "u32" if options.lines else "none" if options.prefix_size else None
    )
    if framing is None or "tjson" not in protocols:
        return framing
    if options.framing or not options.lines or set(protocols) != {"tjson"}:
        raise click.UsageError(
            "several tjson values need --lines, without --framing or another --protocol"
        )
    return "lines"


def framed_input(file: str, framing: Optional[str], options: RecordOptions) -> Input:
    """The input in this framing, with the other options."""
    return Input(
        file,
        framing,
        options.max_size,
        options.on_error,
        options.start,
        options.limit,
        options.jobs,
        options.truncated,
        options.prefix_size,
    )


class TypedInput(Generic[AnyOfProtocols]):
    """Values of a type: the IDL, TYPE, FILE and the options of reading."""

    def __init__(
        self,
        idl: IdlFile,
        type_name: str,
        records: RecordOptions,
        decoding: Decoding[AnyOfProtocols],
        file: str = "-",
    ):
        self.idl = idl
        self.type_name = type_name
        self.file = file
        self.records = records
        self.decoding = decoding

    def spec(self) -> Input:
        return input_of(self.file, self.records, self.decoding.protocol)

    def load(self) -> tuple[Input, Type]:
        """Loads the type."""
        spec = self.spec()
        return typed_in(self.idl.load(), spec, self.type_name)


StructInput = TypedInput[StructProtocol]
AnyInput = TypedInput[opt.AnyProtocol]


def file_argument(
    name: str = "file", metavar: str = "[FILE]", left_out: Optional[str] = "-"
) -> opt.Decorator:
    return click.argument(
        name, metavar=metavar, type=click.Path(allow_dash=True), default=left_out, required=False
    )


type_argument = click.argument("type_name", metavar="TYPE", shell_complete=_complete.types)


def value_options(*arguments: opt.Decorator) -> opt.Decorator:
    """The IDL, TYPE, further arguments, FILE and options of commands that read structs."""
    return opt.grouped(
        "data",
        TypedInput,
        idl_argument,
        opt.protocol_options,
        framing_options,
        opt.jobs_option,
        type_argument,
        *arguments,
        file_argument(),
    )


def _bare_structs(spec: Input, source: Source, decoding: Decoding[AnyOfProtocols]) -> Optional[str]:
    """If the input is structs without framing, although no option says so: a description of them
    for the message; else None."""
    if decoding.protocol == "tjson":
        return None
    protocol = cast("StructProtocol", decoding.protocol)
    if spec.framing is None:
        count = source.count_structs(protocol, decoding.depth)
        return f"{count} structs" if count > 1 else None
    has_struct = spec.is_assumed and source.has_bare_struct(protocol, decoding.depth)
    return "structs" if has_struct else None


def _announce_terminal(file: str) -> None:
    if file == "-" and sys.stdin is not None and sys.stdin.isatty():
        say("reading from the terminal; end the input with Ctrl-D")


@contextlib.contextmanager
def reading(
    spec: Input, decoding: Optional[Decoding[AnyOfProtocols]], earlier: Sequence[Error] = ()
) -> Iterator[tuple[Input, Source]]:
    """Opens the input; errors are reported with its name, after the `earlier` ones. With
    `decoding`, detects structs without framing and returns the input with framing none."""
    _announce_terminal(spec.file)
    with (
        open_source(spec.file, spec.max_size) as source,
        reporting(spec.file, earlier, source, spec.framing is None),
    ):
        if decoding is not None and (structs := _bare_structs(spec, source, decoding)) is not None:
            say(f"{display_name(spec.file)}: {structs} back to back (--framing none)")
            spec = spec._replace(framing="none")
        yield spec, source


def typed_in(schema: Schema, spec: Input, type_name: str) -> tuple[Input, Type]:
    """The TYPE of a command; also the arguments or the result of a function: Shop.get.arguments."""
    function_name, _, part = type_name.rpartition(".")
    service, _, name = function_name.rpartition(".")
    if part not in ("arguments", "result") or service not in schema.services:
        return spec, find_type(schema, type_name, True)
    is_result = part == "result"
    declaring = schema.service(service)
    function = declaring.function(name)
    others = tuple(other for other in schema.services.values() if other.name != declaring.name)
    target = MessageTarget(declaring, function.name, is_result, others)
    return spec._replace(target=target), function.result if is_result else function.arguments
