"""The command line: thin commands over the package. What the exit statuses mean stands in _STATUSES."""

from __future__ import annotations

import binascii
import collections
import contextlib
import functools
import itertools
import json
import os
import re
import sys
from typing import Any, Callable, Iterator, Mapping, MutableMapping, NamedTuple, NoReturn, Optional, Sequence, TypeVar

from . import signals as _signals

with _signals.one_line_for_ctrl_c():  # what takes longest to begin
    import click

from .. import __version__
from . import completion as _complete, examples as _examples, io as _files, window as _window
from .. import _core, grammar
from .._rpc import message as _message
from .._core import Edit, Rewrite
from .._errors import (
    Error, JSONError, RelaxingOption, SchemaError, UnknownNameError, spelling_options,
)  # fmt: skip
from .._schema.results import RewriteReport
from .._records.pieces import Rejected
from .._records.scan import Cut, Scan, behind_the_end, is_framed
from .._schema.schema import Schema, Service, Type, load
from .._text import escaped, escaped_json, escaped_lines, quoted_name

_Command = TypeVar("_Command", bound=Callable[..., Any])
_CLOSED = 141  # 128 and the number of SIGPIPE, as of a program that died of it


_STATUSES = """\b
Exit status:
  0    fine
  1    bad data or bad IDL; get: nothing there; diff: different
  2    bad usage, a name that the IDL does not have, a file that cannot be
       read or written; diff: any trouble
  129  hung up (SIGHUP)
  130  interrupted (SIGINT, Ctrl-C)
  143  terminated (SIGTERM)
  141  the reader of standard output went away
"""


_CALL_STATUSES = """\b
Exit status:
  0    a result
  1    a reply that does not fit the IDL
  2    bad usage: a name or arguments that the IDL does not have
  3    a declared exception, printed as JSON
  4    an application exception, or neither result nor exception
  5    no reply: not reached, refused, closed, timed out
"""
_TRANSPORTS = ("auto", "buffered", "framed", "header", "ttheader", "ttheader_framed", "sasl", "http")


_STATUS = "thriftlens.status"  # of a command that wrote its output, and has something to say about the input


class _Commands(click.Group):
    """Turns what users can cause into one line on stderr and an exit status."""

    _params: Sequence[click.Parameter] = ()
    """Of the command that runs."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        run: Callable[..., Any] = super().main
        options.setdefault("complete_var", "_THRIFTLENS_COMPLETE")  # also where it is run as python -m thriftlens
        if not options.pop("standalone_mode", True):
            return run(*arguments, standalone_mode=False, **options)
        try:
            with _signals.stopping():
                sys.exit(self._status(lambda: run(*arguments, standalone_mode=False, **options)))
        except KeyboardInterrupt:
            _abandon_output()
            _signals.finish(_signals.Stopped.by_keyboard())
        except _signals.Stopped as stopped:
            _abandon_output()
            _signals.finish(stopped)

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with _closed_pipe():
            return super().make_context(*arguments, **options)

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[Optional[str], Optional[click.Command], list[str]]:
        found = super().resolve_command(context, arguments)
        self._params = found[1].params if found[1] is not None else []
        return found

    def _spell_option(self, option: RelaxingOption, argument: str) -> str:
        """The option as the command takes it; empty if it does not."""
        name, value = ("missing_include", "warn") if option[0] == "include_dirs" else option
        for parameter in self._params:
            if parameter.name == name and value in getattr(parameter.type, "choices", (value,)):
                flag = parameter.opts[0]
                return f"a larger {flag}" if value is None else f"{flag} {value}"
        return ""

    def invoke(self, context: click.Context) -> Any:
        with _closed_pipe():
            done = super().invoke(context)
        return context.meta.get(_STATUS, done)

    def _status(self, run: Callable[[], Any]) -> int:
        with spelling_options(self._spell_option):
            return self._exit_status(run)

    def _exit_status(self, run: Callable[[], object]) -> int:
        try:
            done = run()
            return done if isinstance(done, int) else 0
        except click.ClickException as error:
            error.__dict__["message"] = escaped_lines(error.message)
            error.show()
            return error.exit_code
        except click.Abort as error:
            raise KeyboardInterrupt from error
        except Error as error:
            _fail(error, status=2 if _is_usage(error) else 1)
        except _files.Closed:
            _abandon_output()
            return _CLOSED
        except OSError as error:
            _abandon_output()
            _fail(f"{os.fsdecode(error.filename)}: {error.strerror}" if error.filename else error.strerror or str(error), status=2)
        except MemoryError:
            _fail("out of memory", status=2)
        except ImportError as error:
            _fail(_one_line(error), status=2)
        except Exception as error:
            if not _is_of_library(error):
                raise
            _fail(f"{type(error).__name__}: {_one_line(error)}")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _is_of_library(error: Exception) -> bool:
    """Whether an exception is of a package that thriftlens uses: by its class, or by the function that raised it."""
    modules = [type(error).__module__]
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is not None:
        modules.append(str(trace.tb_frame.f_globals.get("__name__", "")))
    return any(module.partition(".")[0] not in ("", "builtins", "__main__", __package__) for module in modules)


@contextlib.contextmanager
def _closed_pipe() -> Iterator[None]:
    """Before click sees that the reader of standard output went away: it would end with 1."""
    try:
        yield
    except BrokenPipeError:
        raise _files.Closed() from None


def _say(message: str) -> None:
    """Writes one line to standard error."""
    click.echo(f"thriftlens: {escaped(message)}", err=True)


def _fail(message: object, status: int = 1) -> NoReturn:
    """Ends with a message; that of an error of IDL has several lines."""
    click.echo(f"thriftlens: {_error_text(message)}", err=True)
    sys.exit(status)


def _error_text(error: object) -> str:
    return escaped_lines(error) if isinstance(error, SchemaError) else escaped(error)


def _abandon_output() -> None:
    """What standard output did not take is not tried again when the interpreter ends, which would exit with 120."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (AttributeError, ValueError):
        pass  # it is closed


def _is_usage(error: Error) -> bool:
    """The fault lies in what was typed, not in a file."""
    return isinstance(error, UnknownNameError) or error.code == "path_syntax"


def _fail_of_rules(error: Error) -> NoReturn:
    """Ends with the error of rules or edits that do not fit the type."""
    if str(error).startswith("hash needs a key"):
        error.hint = "--key-file"
    _fail(error, status=2)


def _options(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    def add(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


_SIGNATURES = _core.signatures()


def _words(method: str, name: str, help: str, default: Optional[str] = None) -> Callable[[_Command], _Command]:
    """A command-line option with the choices of the same option of a Python method; its default unless `default` overrides it."""
    words, usual, _, _ = _SIGNATURES[method][name]
    option = "--" + name.replace("_", "-")
    return click.option(option, name, type=click.Choice(words or ()), default=default or usual.strip("'"), show_default=True, help=help)


def _number(method: str, name: str, help: str) -> Callable[[_Command], _Command]:
    """An option with the bounds and the default of the same option of a Python method."""
    _, default, lowest, highest = _SIGNATURES[method][name]
    option = "--" + name.replace("_", "-")
    return click.option(option, type=click.IntRange(lowest, highest), default=int(default), show_default=True, help=help)


_SCHEMA_OPTIONS = ("include_dirs", "strict", "implicit_ids", "stubs", "missing_include")
_idl_options = _options(
    click.option("-I", "--include-dir", "include_dirs", multiple=True, metavar="DIR", help="Search includes here too; may stand more than once."),
    click.option("--strict", is_flag=True, help="Accept only IDL that the Apache compiler accepts."),
    _words("load", "implicit_ids", help="How fields without an id are numbered."),
    click.option("--stub", "stubs", multiple=True, metavar="NAME=TEXT", help="IDL text for an include as the file names it; may stand more than once."),
    click.option(
        "--missing-include",
        type=click.Choice(["error", "warn"]),
        default="error",
        show_default=True,
        help="Includes that are not found: warn continues without their declarations.",
    ),
)
_idl = _options(click.argument("idl", type=click.Path()), _idl_options)
_depth = _number("decode", "depth", help="Most levels of nesting.")
_LEVELS = int(_SIGNATURES["decode"]["depth"][1])
_protocol = _options(_words("view", "protocol", help="Of the Thrift bytes."), _depth)
_any_protocol = _options(_words("decode", "protocol", help="Of the Thrift bytes; tjson is Apache's JSON protocol."), _depth)


def _guessed(words: Sequence[str]) -> Callable[[_Command], _Command]:
    return click.option("--protocol", type=click.Choice(words), help="Of the Thrift bytes; found out where it is left out.")


_protocol_guessed = _guessed(_SIGNATURES["decode"]["protocol"][0] or ())
_binary_protocol_guessed = _guessed(_SIGNATURES["identify"]["protocol"][0] or ())


def _size(context: click.Context, option: click.Parameter, given: Optional[str]) -> Optional[int]:
    try:
        return None if given is None else _bytes_of(given)
    except ValueError as error:
        raise click.BadParameter(str(error), context, option) from None


def _bytes_of(text: str) -> int:
    """A number of bytes: 1000, 64k, 16M, 4G."""
    match = re.fullmatch(r"(\d{1,15})([kmgt]?)", text.lower())
    if match is None:
        raise ValueError(f"{text!r} is not a number of bytes such as 1000, 64k, 16M or 4G")
    return int(match[1]) << {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}[match[2]]


_limit = click.option("--max-size", callback=_size, metavar="SIZE", help="Most bytes read as one value; 1G where FILE does not say its size (pipes, devices).")
_rejects = _options(
    click.option(
        "--on-error",
        metavar="raise|skip|null|FILE",
        default="raise",
        show_default=True,
        help="A record that cannot be read: end there, leave it out, write null for it, or put it into FILE as it stands.",
    ),
    click.option(
        "--cut-end",
        type=click.Choice(["error", "drop"]),
        default="error",
        show_default=True,
        help="An input that ends in the middle of a record or of its compression; error: status 1, after the other records with --on-error skip, null or FILE.",
    ),
    click.option("--start", type=click.IntRange(0), default=0, metavar="BYTE", help="Begin with the record at this byte."),
    click.option("--limit", type=click.IntRange(0), metavar="N", help="Read so many records at most."),
    _limit,
    _window.option,
)
_framing = _options(
    click.option("--lines", is_flag=True, help="Many records: Thrift bytes in frames (u32 unless --framing says more or structs stand there without; tjson: a line each), one line of JSON each."),
    click.option(
        "--framing",
        type=click.Choice(["none", "u32", "u32le", "varint", "kafka", "base64", "hex", "message", "list"]),
        help="Many records, and what stands around each: nothing, its size in front (kafka: -1 is null), a line each, the header of an RPC message, "
        "or one list of structs around all (read only).",
    ),
    click.option("--lead", type=click.IntRange(0, 64), default=0, metavar="BYTES", help="Bytes in front of each value that are none of it (Confluent's: 5)."),
    _rejects,
)
_jobs = click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, metavar="N", help="Processes for the records of one large file; the output is in its order."
)
_output_size = _number("to_json", "output_size", help="Most bytes of output; 0: 16 MiB and 8 for each byte of input (diff: 64, of memory).")
_missing = _words("decode", "missing_required", help="Required fields that are missing, as trim leaves values.")
_unknown = _words("redact", "unknown", default="keep", help="Fields that the IDL does not know.")
_output = click.option("-o", "--output", type=click.Path(), default="-", metavar="OUT", help="Written whole or not at all; - is standard output.")
_bytes_output = click.option(
    "-o", "--output", type=click.Path(), metavar="OUT", help="Written whole or not at all; standard output where it is no terminal, - where it is."
)


def _file_argument(name: str = "file", metavar: str = "[FILE]", left_out: Optional[str] = "-") -> Callable[[_Command], _Command]:
    return click.argument(name, metavar=metavar, type=click.Path(allow_dash=True), default=left_out, required=False)


class _MessageTarget(NamedTuple):
    """The arguments or the result of a function, as TYPE names them: Shop.get.arguments."""

    service: Service
    function: str
    is_result: bool
    others: tuple[Service, ...]  # the other services of the IDL

    def matches(self, name: str, kind: str, is_strict: bool) -> bool:
        """Whether a message carries it. A multiplexed prefix names the service; where not `is_strict`, one that names no service of the IDL counts too."""
        from .._records.redaction import is_named

        prefix, _, function = name.rpartition(":")
        if prefix and not is_named(self.service, prefix) and (is_strict or any(is_named(each, prefix) for each in self.others)):
            return False
        return function == self.function and kind in (("reply",) if self.is_result else ("call", "oneway"))


class _Input(NamedTuple):
    """Where values come from; how many are framed, None where it is one; and what becomes of those that cannot be read."""

    file: str
    framing: Optional[str]
    max_size: Optional[int]
    on_error: str
    start: int
    limit: Optional[int]
    jobs: int = 1
    cut_end: str = "error"
    lead: int = 0
    target: Optional[_MessageTarget] = None  # the function whose messages are read
    framed: bool = False  # all messages
    is_assumed: bool = False  # nobody said the framing: sizes, unless structs stand there without
    copies: bool = False  # other messages are copied; otherwise they are left out
    unredacted: Optional[str] = None  # of a redaction: what becomes of bytes that no rule is applied to: drop, error or keep

    @property
    def scans_cut_end(self) -> str:
        """What a scan does at a cut end: the records before it are written, unless any error is to end all."""
        return "error" if self.cut_end == "error" and self.on_error == "raise" else "drop"

    @property
    def lines(self) -> bool:
        return self.framing is not None

    def means(self, cut: Cut) -> bool:
        """Whether the message is of the function that TYPE names, if it names one."""
        if self.target is None or cut.message is None:
            return True
        return self.target.matches(*cut.message[:2], is_strict=self.unredacted is not None)


def _input(file: str, options: dict[str, Any]) -> _Input:
    """Takes what belongs to the input out of the options of a command."""
    lead = options.pop("lead")
    said, lines = options.pop("framing"), options.pop("lines")
    framing = said or ("u32" if lines else "none" if lead else None)
    options.setdefault("jobs", 1)
    made = _Input(file, framing, *(options.pop(each) for each in ("max_size", "on_error", "start", "limit", "jobs", "cut_end")))
    made = made._replace(lead=lead, is_assumed=lines and said is None and not lead)
    if lead and framing == "message":
        raise click.UsageError("--lead goes with values, not with messages")
    if framing is None and (made.on_error != "raise" or made.start or made.limit is not None):
        raise click.UsageError(
            "--on-error, --start and --limit go with many records: say what stands around each by --framing, none for structs back to back; `thriftlens inspect` finds it out"
        )
    return made


def _input_of(file: str, options: dict[str, Any], *protocols: Any) -> _Input:
    """The same; records of Apache's JSON protocol are lines of text, and nothing else is."""
    lines, framing = options["lines"], options["framing"]
    given = _input(file, options)
    if "tjson" not in protocols or not given.lines:
        return given
    if framing is not None or set(protocols) != {"tjson"}:
        raise click.UsageError("many values of tjson are lines of text: --lines without --framing, and no other protocol")
    assert lines
    return given._replace(framing="lines")


def _bare_structs(given: _Input, source: Any, how: dict[str, Any]) -> Optional[str]:
    """Words for the structs that stand there one after another with nothing around them, where nobody said so; None where there are none."""
    protocol, depth = how["protocol"], how.get("depth", 64)
    if protocol == "tjson":
        return None
    if given.framing is None:
        count = source.structs(protocol, depth)
        return f"{count} structs" if count > 1 else None
    return "structs" if given.is_assumed and source.lacks_sizes(protocol, depth) else None


@contextlib.contextmanager
def _reading(given: _Input, how: Optional[dict[str, Any]], earlier: Sequence[Error] = ()) -> Iterator[tuple[_Input, Any]]:
    """The input, whose faults are reported with its name, those found earlier before the last; and what it proved to be: bytes of protocol and
    depth `how` that are structs back to back are many records, whatever was said."""
    if given.file == "-" and sys.stdin is not None and sys.stdin.isatty():
        _say("reading from the terminal")
    with _files.reading(given.file, given.max_size) as source, _about(given.file, earlier, (source, given.framing is None)):
        if how is not None and (bare := _bare_structs(given, source, how)) is not None:
            _say(f"{_name(given.file)}: {bare} back to back (--framing none)")
            given = given._replace(framing="none")
        yield given, source


def _bytes_to(output: Optional[str]) -> str:
    """Where Thrift bytes go: not to a terminal unless asked."""
    if output is None and _files.stdout_is_terminal():
        raise click.UsageError("Thrift bytes are no text for a terminal: name a file with -o OUT, or insist with -o -")
    return "-" if output is None else output


def _schema(idl: str, options: dict[str, Any]) -> Schema:
    """Loads the IDL of a command; removes the options of loading from `options`. Exits where the file cannot be read."""
    try:
        return _load_idl(idl, options)
    except Error as error:
        if error.code == "io":
            _fail(str(error), status=2)
        raise


def _load_idl(idl: str, options: dict[str, Any]) -> Schema:
    """Like _schema, but raises every error."""
    how = {name: options.pop(name) for name in ("include_dirs", "strict", "implicit_ids")}
    includes = dict(_stub(each) for each in options.pop("stubs"))
    warns = options.pop("missing_include") == "warn"
    while True:
        try:
            return load(idl, includes=includes, **how)
        except Error as error:
            missing = _missing_includes(error) - set(includes) if warns else set()
            if not missing:
                raise
            for each in sorted(missing):
                _say(f"{idl}: warning: the include {each!r} was not found")
            includes.update(dict.fromkeys(missing, ""))


def _typed(given: _Input, idl: str, type_name: str, options: dict[str, Any]) -> tuple[_Input, Type]:
    """The TYPE of the command line, which may be what a function's messages carry: Shop.get.arguments, Shop.get.result."""
    return _typed_in(_schema(idl, options), given, type_name)


def _typed_in(schema: Schema, given: _Input, type_name: str) -> tuple[_Input, Type]:
    service, _, name = type_name.rpartition(".")[0].rpartition(".")
    part = type_name.rpartition(".")[2]
    if part not in ("arguments", "result") or service not in schema.services:
        return given, _type(schema, type_name, True)
    of = schema.service(service)
    function = of.function(name)
    others = tuple(each for each in schema.services.values() if each.name != of.name)
    target = _MessageTarget(of, function.name, part == "result", others)
    return given._replace(target=target), function.result if part == "result" else function.arguments


def _type(schema: Schema, name: str, takes_functions: bool = False) -> Type:
    """The type of that name. The error for a service or a function suggests its arguments and results if the command takes them."""
    try:
        return schema[name]
    except UnknownNameError as error:
        service, function = schema._service_and_function(name)
        prefix = f"{service}.{function or 'FUNCTION'}"
        error.hint = f"TYPE is {prefix}.arguments or {prefix}.result" if takes_functions and service else None
        raise


def _stub(given: str) -> tuple[str, str]:
    name, equals, text = given.partition("=")
    if not name or not equals:
        raise click.UsageError(f"--stub takes NAME=TEXT, not {given!r}")
    return name, text


def _missing_includes(error: Error) -> set[str]:
    """What stands between the quotes of the includes that were not found."""
    found = [each for each in getattr(error, "diagnostics", ()) if each.kind == "include-not-found"]
    return {match[2] for each in found if (match := re.search(r"""include\s+(["'])(.*?)\1""", each.source))}


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=_STATUSES)
@click.version_option(__version__, prog_name="thriftlens")
def main() -> None:
    """Apache Thrift data in place, under IDL that is parsed at run time.

    FILE may be - or left out for standard input. PATH and SELECTION: see `thriftlens help paths`, `thriftlens help selections`.
    """


@main.command("help")
@click.argument("topic", required=False, shell_complete=_complete.topics)
@click.pass_context
def help_(context: click.Context, topic: Optional[str]) -> None:
    """Explain a command, or a topic: paths, selections, status; `man` is all of it as a manual page."""
    topics = {"paths": grammar.PATHS, "selections": grammar.SELECTIONS}
    texts = {**topics, "status": _STATUSES.partition("\n")[2], "man": ""}
    above = context.parent or context
    if topic is None:
        text = above.get_help()
    elif topic == "man":
        from . import manual as _manual

        text = _manual.page(main, __version__, {**topics, "exit status": texts["status"].partition("\n")[2]})
    elif topic in texts:
        text = texts[topic]
    else:
        command = main.get_command(context, topic)
        if command is None:
            raise click.UsageError(f"no command or topic {topic!r}; topics are {', '.join(texts)}")
        text = command.get_help(click.Context(command, info_name=topic, parent=above))
    _print((text.rstrip("\n") + "\n").encode())


@main.command()
@_idl
@click.argument("type_name", metavar="[TYPE]", required=False, shell_complete=_complete.types)
@click.option("--json", is_flag=True, help="As one JSON object (thriftlens.describe/1).")
def describe(idl: str, type_name: Optional[str], json: bool, **options: Any) -> None:
    """Show what an IDL file declares, or one TYPE of it."""
    text = _schema(idl, options).describe(type_name, json=json)
    _print_text(text if text.endswith("\n") else text + "\n")


@main.command("to-json")
@_idl
@click.argument("type_name", metavar="TYPE", shell_complete=_complete.types)
@_file_argument()
@_output
@_any_protocol
@_output_size
@click.option("--pretty", is_flag=True, help="Indented by two blanks a level.")
@_framing
@_jobs
@_words("to_json", "enums", help="Enum values as numbers or names.")
@_words("to_json", "int64", help="i64 as a number or a string.")
@_words("to_json", "nonfinite", help='NaN and infinities: refuse, or write "NaN".')
@_words("to_json", "unknown", help='Fields that the IDL does not know; keep: as "#5":{"i32":7}.')
@_words("to_json", "defaults", help="Absent fields with a default in the IDL.")
@_words("to_json", "names", help="Keys: field names, or aliases (api.key, go.tag).")
@_words("to_json", "invalid_utf8", help="Strings that are not UTF-8.")
@_words("to_json", "mismatch", help="Fields whose wire type contradicts the IDL.")
@_words("to_json", "duplicates", help="A duplicate field or key.")
@_missing
@click.option("--select", metavar="SELECTION", help="Only these parts, as trim would cut them: '{ id user { name } }'.")
def to_json(
    idl: str,
    type_name: str,
    file: str,
    output: str,
    pretty: bool,
    **options: Any,
) -> None:
    """Turn the Thrift bytes of one value of TYPE into JSON; with --framing, many, a line each."""
    given = _input_of(file, options, options["protocol"])
    if given.lines and pretty:
        raise click.UsageError("--pretty goes with one value, not with --framing or --lines")
    given, of = _typed(given, idl, type_name, options)
    with _reading(given, options) as (given, source), _files.writing(output) as sink:
        if given.lines:
            _each(given, source, sink, options, lambda record: of.to_json(record, pretty=pretty, **options) + b"\n", b"null\n")
        else:
            sink.write(of.to_json(source.whole(), pretty=pretty, **options))
            sink.write(b"\n")


@main.command("from-json")
@_idl
@click.argument("type_name", metavar="TYPE", shell_complete=_complete.types)
@_file_argument()
@_bytes_output
@_any_protocol
@_output_size
@_framing
@_words("from_json", "unknown", help='Keys that the IDL does not know; keep: "#5", as to-json --unknown keep writes them.')
@_words("from_json", "quoted_numbers", help='"5" where the IDL has a number.')
@_words("from_json", "base64", help="Lenient: also unpadded, also the URL alphabet.")
@_words("from_json", "duplicates", help="A duplicate key.")
@_words("from_json", "nonfinite", help='"NaN", "Infinity" and "-Infinity" for doubles.')
@_words("from_json", "defaults", help="Absent fields with a default in the IDL.")
@_words("from_json", "names", help="Keys: field names, aliases (api.key, go.tag), or either.")
@_words("from_json", "missing", help="Required fields without a key; zero: their default in the IDL, else 0, false or nothing.")
@_words("from_json", "invalid_utf8", help="Escapes of unpaired surrogates in strings.")
def from_json(
    idl: str,
    type_name: str,
    file: str,
    output: Optional[str],
    **options: Any,
) -> None:
    """Turn JSON of one value of TYPE into Thrift bytes; with --framing, one value a line, framed so."""
    given = _input_of(file, options, options["protocol"])
    if given.framing == "message" or given.lead:
        raise click.UsageError("JSON does not hold the headers of messages, nor what --lead leaves out")
    given, of = _typed(given, idl, type_name, options)
    if not given.lines:
        return _rewrite(given, output, None, lambda text: of.from_json(text, **options))
    _refuse_list(given)
    with _reading(given, None) as (_, source), _files.writing(_bytes_to(output), is_text=False) as sink:
        _each_line(given, source, sink, lambda text: of.from_json(text, **options))


@main.command()
@_idl
@click.argument("type_name", metavar="[TYPE", required=False, shell_complete=_complete.types)
@_file_argument(metavar="[FILE]]")
@_protocol
@_framing
@_jobs
@_words("findings", "unknown", help="Fields that the IDL does not know.")
@_words("findings", "invalid_utf8", help="Strings that are not UTF-8.")
@_words("findings", "enums", help="Enum values without a name.")
@_words("findings", "keys", help="Map keys and set elements that are duplicate.")
@_words("findings", "rules", help="The vt.* annotations of the IDL.")
@_missing
@click.option("--annotation", default="", metavar="KEY", help="Annotation that redactions follow; without it all that have an action as a value.")
@click.option("--value", "values", type=(str, str), multiple=True, metavar="VALUE ACTION", help="What a value of the annotation means.")
@click.option("--otherwise", default="blank", metavar="ACTION", show_default=True, help="What any other value means.")
def check(
    idl: str,
    type_name: Optional[str],
    file: str,
    annotation: str,
    values: tuple[tuple[str, str], ...],
    otherwise: str,
    **options: Any,
) -> None:
    """Check an IDL file, and whether FILE holds a sound value of TYPE, down to the vt.* rules. Findings and warnings go to stderr.

    Of an IDL file: contradictory routes, and annotations of redactions that contradict each other or have no effect."""
    given = _input(file, options)
    if type_name is None:
        from .commands import routes as _routes_command

        schema = _schema(idl, options)
        found = [*_routes_command.warnings(schema), *schema._core.check_annotations(annotation, list(values), otherwise)]
        routes = [f"{idl}: warning: {each}" for each in found]
        for warning in [*schema.warnings, *routes]:
            click.echo(escaped(warning) if isinstance(warning, str) else escaped_lines(warning), err=True)
        count = len(schema.warnings) + len(routes)
        return _print_text(f"{idl}: fine, {_count(len(schema.types), 'type')}, {_count(count, 'warning')}\n")
    given, of = _typed(given, idl, type_name, options)
    earlier: list[Error] = []

    warned = [0]

    def accept(record: Any) -> bytes:
        foreign, found = _foreign_and_findings(of, record, options)
        if foreign and warned[0] < _MAX_WARNINGS:
            warned[0] += 1
            more = f", and {len(foreign) - 1} more" if len(foreign) > 1 else ""
            _say(f"{_name(file)}: warning: {foreign[0]}{more}")
            if warned[0] == _MAX_WARNINGS:
                _say(f"{_name(file)}: no more warnings of that kind are shown")
        if found:
            earlier.extend(found[:-1])
            raise found[-1]
        return b""

    checked = 1
    with _reading(given, options, earlier) as (given, source):
        if given.lines:
            checked, rejected = _each(given, source, None, options, accept, b"", earlier)
            if rejected:
                sys.exit(1)
        else:
            accept(source.whole())
    _print_text(f"{_name(file)}: fine, {_count(checked, 'value')} of {of.name}\n")


_MAX_WARNINGS = 10  # of values whose structs are foreign, in each process


def _foreign_and_findings(of: Type, record: Any, options: dict[str, Any]) -> tuple[list[Error], list[Error]]:
    """The structs of which the IDL knows no field, and what is wrong, which may be all there is."""
    found = of.findings(record, foreign="error", **options)
    foreign = [each for each in found if each.code == "foreign_struct"]
    if len(found) == int(_SIGNATURES["findings"]["most"][1]):  # they may have left no room for what is worse
        return foreign, of.findings(record, **options)
    return foreign, [each for each in found if each.code != "foreign_struct"]


_one = _options(_idl, _protocol, _framing)


Tally = collections.Counter[str]  # what was done to records, by name


def _count_in(tally: Optional[Tally], what: str, count: int = 1) -> None:
    if tally is not None:
        tally[what] += count


def _refuse_list(given: _Input) -> None:
    if given.framing == "list":
        raise click.UsageError("--framing list is read, not written: it goes with to-json, get, check, inspect and diff")


def _rewrite(
    given: _Input,
    output: Optional[str],
    how: Optional[dict[str, Any]],
    change: Callable[[Any], bytes],
    tally: Optional[Tally] = None,
    change_message: Optional[Callable[[Cut], Optional[bytes]]] = None,
) -> None:
    """Writes what change makes of the input's bytes, or of each of its records, framed as they were; `how` has protocol and depth. `tally`: see _each_cut.
    change_message takes the place of change for messages; None: the message is left out."""
    target = _bytes_to(output)
    _refuse_list(given)
    if given.on_error == "null" and given.framing != "kafka":
        raise click.UsageError("--on-error null: of the framings only kafka has a null record")
    with _reading(given, how) as (given, source), _files.writing(target, is_text=False) as sink:
        if change_message is not None and re.match(rb"[A-Za-z0-9+/]{4}", source.peek(4)):
            raise click.UsageError("FILE is text, not messages: decode lines of base64 or hex first, as by base64 -d")
        source.texts = how is not None  # of from-json a text is what it is
        if given.framing is None:
            sink.write(change(source.whole()))
            return
        framing, lead = given.framing, given.lead
        null = b"" if framing == "message" else _files.framed(None, framing)
        given = given._replace(copies=True)

        def changed(cut: Cut) -> bytes:
            prefix = _files.prefix_of(cut, framing, lead)
            if prefix and given.unredacted == "error":
                raise Error("bytes in front of the record would not be redacted; --unredacted drop leaves them out", code="not_redacted", offset=cut.begin)
            value = change(cut.bytes()) if change_message is None else change_message(cut)
            if value is None:
                return b""
            if prefix and given.unredacted is not None:
                prefix = prefix if given.unredacted == "keep" else b""
                _count_in(tally, "prefix")
            if framing == "message":
                _count_in(tally, "message")
            return _files.reframed(cut, value, framing, prefix)

        _each_cut(given, source, sink, {} if how is None else how, changed, null, [], tally)


def _edit(
    idl: str,
    type_name: str,
    path: str,
    file: str,
    output: Optional[str],
    change: Callable[[Edit], Edit],
    unknown: Any,
    output_size: int,
    **options: Any,
) -> None:
    given, of = _typed(_input(file, options), idl, type_name, options)
    of.at(path)

    def changed(data: Any) -> bytes:
        edited = change(of.edit(data, output_size=output_size, **options)).apply()
        if unknown == "keep":
            return edited
        return of.redact(edited, paths={"$": "keep"}, unknown=unknown, missing_required="omit", **options)

    _rewrite(given, output, options, changed)


@main.command()
@_one
@_jobs
@click.argument("type_name", metavar="TYPE", shell_complete=_complete.types)
@click.argument("path", shell_complete=_complete.paths)
@_file_argument()
@_words("to_json", "enums", help="Enum values as numbers or names.")
@_words("decode", "unknown", help="Fields that the IDL does not know.")
@_missing
def get(
    idl: str,
    type_name: str,
    path: str,
    file: str,
    enums: Any,
    unknown: Any,
    **options: Any,
) -> None:
    """Print the value at PATH ($.items[3].price) as JSON; with a wildcard, one value a line. Exit status 1 where nothing is there.

    With --lines, one line for each record: its value, null where nothing is there, or with a wildcard the array of the values.
    """
    given, of = _typed(_input(file, options), idl, type_name, options)
    to = of.at(path)
    def texts(data: Any) -> tuple[list[bytes], bool]:
        """The values as JSON, and whether the path may lead to many."""
        found = of.view(data, **options).get(path)
        many = isinstance(found, list)
        values = found if many else [] if found is None else [found]
        return [text(value) for value in values], many

    def text(value: Any) -> bytes:
        part = bytes(value) if isinstance(value, _core.View) else to.encode(value, protocol=options["protocol"])
        return to.to_json(part, enums=enums, unknown=unknown, nonfinite="string", **options)

    def line(record: Any) -> bytes:
        found, many = texts(record)
        if many:
            return b"[" + b",".join(found) + b"]\n"
        return (found[0] if found else b"null") + b"\n"

    with _reading(given, options) as (given, source), _files.writing("-") as sink:
        if given.lines:
            _each(given, source, sink, options, line, b"null\n")
            return
        found, _ = texts(source.whole())
        if not found:
            _fail(f"{_name(file)}: nothing at {path}")
        for each in found:
            sink.write(each + b"\n")


@main.command("set")
@_one
@_jobs
@click.argument("type_name", metavar="TYPE", shell_complete=_complete.types)
@click.argument("path", shell_complete=_complete.paths)
@click.argument("json")
@_file_argument()
@_bytes_output
@click.option("--create", is_flag=True, help="Make the structs and maps on the way where they are missing.")
@_unknown
@_output_size
def set_(path: str, json: str, create: bool, **options: Any) -> None:
    """Set the value at PATH to JSON; everything else stays as it is."""

    keeps = _is_given("unknown") and options["unknown"] == "keep"
    _edit(path=path, change=lambda edit: _with_json(edit.create if create else edit.set, path, json, "keep" if keeps else "error"), **options)


def _with_json(change: Callable[..., Any], path: str, json: str, unknown: str = "error") -> Any:
    """JSON of the command line: what is wrong with it is bad usage, and says for which path."""
    try:
        return change(path, json=json, unknown=unknown)
    except JSONError as error:
        is_bare = error.code == "json_syntax" and re.fullmatch(r"""[^\W\d][^"'\\]*""", json)
        _fail(f"JSON for {path}: {error}" + (f"; a text has its own quotes: '\"{json}\"'" if is_bare else ""), status=2)


@main.command()
@_one
@_jobs
@click.argument("type_name", metavar="TYPE", shell_complete=_complete.types)
@click.argument("path", shell_complete=_complete.paths)
@_file_argument()
@_bytes_output
@_unknown
@_output_size
def delete(path: str, **options: Any) -> None:
    """Remove the field, element or entry at PATH; everything else stays as it is."""
    _edit(path=path, change=lambda edit: edit.erase(path), **options)


@main.command()
@_one
@_jobs
@click.argument("type_name", metavar="TYPE", shell_complete=_complete.types)
@click.argument("selection")
@_file_argument()
@_bytes_output
@_words("trim", "unknown", help="Fields that the IDL does not know, in structs that SELECTION opens.")
@_words("trim", "defaults", help="Selected fields that are absent and have a default.")
@_output_size
def trim(idl: str, type_name: str, selection: str, file: str, output: Optional[str], **options: Any) -> None:
    """Keep what SELECTION names: '{ id user { name } }', '{ * -debug }'."""
    given, of = _typed(_input(file, options), idl, type_name, options)
    _rewrite(given, output, options, lambda data: of.trim(data, selection, **options))


_annotated = _options(
    click.option("--annotation", default="", metavar="KEY", help="Redact the fields that have this annotation; its value may be the action."),
    click.option("--value", "values", type=(str, str), multiple=True, metavar="VALUE ACTION", help="What a value of the annotation means."),
    click.option("--otherwise", default="blank", metavar="ACTION", show_default=True, help="What any other value means."),
    click.option("--type", "types", type=(str, str), multiple=True, metavar="TYPE[.FIELD] ACTION", help="Redact the field, or all values of the type, wherever it occurs."),
    click.option("--key-file", type=click.Path(), help="Up to 16 secret bytes for hash."),
    _words("redact", "unknown", help="Fields that the IDL does not know."),
    _words("redact", "missing_required", help="Required fields that are not there."),
)
_redaction = _options(
    _annotated,
    click.option("--path", "paths", type=(str, str), multiple=True, metavar="PATH ACTION", help="Redact what is at PATH.", shell_complete=_complete.paths_of_pairs),
    click.option(
        "--unredacted",
        type=click.Choice(["drop", "error", "keep"]),
        default="drop",
        show_default=True,
        help="Messages that TYPE does not name, and bytes in front of records (text, --lead, Finagle's header).",
    ),
    _words("redact", "missing", help="Rules that reach nothing of TYPE."),
)
_exempt = click.option("--exempt", multiple=True, metavar="FUNCTION", help="Function that needs no rule; '*' for all (repeatable).")
_RULES = ("annotation", "values", "otherwise", "paths", "types", "key_file", "unknown", "missing", "missing_required")


def _rules(options: dict[str, Any]) -> dict[str, Any]:
    """Takes the options of a redaction out of those of a command, as Type.redactions wants them."""
    rules = {name: options.pop(name) for name in _RULES}
    pairs = {name: _pairs(option, rules[name]) for name, option in (("values", "--value"), ("paths", "--path"), ("types", "--type"))}
    rules.update(pairs, key=_key(rules.pop("key_file")))
    return rules


def _warn_of_annotations(idl: str, schema: Schema, rules: Mapping[str, Any]) -> None:
    """Reports annotations of a redaction that contradict each other or have no effect, as check does."""
    if rules["annotation"]:
        for warning in schema._core.check_annotations(rules["annotation"], list(rules["values"].items()), rules["otherwise"]):
            _say(f"{idl}: warning: {warning}")


def _is_given(option: str) -> bool:
    """Whether the command line holds it, be it with its default."""
    return click.get_current_context().get_parameter_source(option) is not click.core.ParameterSource.DEFAULT


def _rewritten(given: _Input, output: Optional[str], how: dict[str, Any], change: Callable[[Any], Rewrite]) -> None:
    """Applies a rewrite to the input's bytes, or to each of its records, and reports what was dropped."""
    tally: Tally = collections.Counter()

    def changed(data: Any) -> bytes:
        reports: list[RewriteReport] = []
        done = change(data).apply(report=reports.append)
        _count_in(tally, "unknown field", reports[0].unknown)
        return done

    _rewrite(given, output, how, changed, tally)
    _say_tally(given, tally)


_DROPPED = {
    "other": ("message of another function or kind", "messages of other functions or kinds"),
    "unknown": ("message of an unknown function", "messages of unknown functions"),
}
_UNCOVERED = ("message of a function without a rule", "messages of functions without a rule")


def _say_tally(given: _Input, tally: Tally) -> None:
    """Reports what a redaction did to the records, beside the values in them."""
    file = _name(given.file)
    if given.framing == "message" and given.unredacted is not None:
        verb = "kept unredacted" if given.unredacted == "keep" else "dropped"
        others = [(tally["uncovered"], _UNCOVERED, "copied"), *((tally[name], words, verb) for name, words in _DROPPED.items())]
        parts = [f"{count} {words[count != 1]} {verb}" for count, words, verb in others if count]
        redacted = tally["message"] - tally["uncovered"] - tally["kept"]
        _say(f"{file}: {'; '.join([_count(redacted, 'message') + ' redacted', *parts])}")
    if tally["prefix"]:
        done = "kept unredacted" if given.unredacted == "keep" else "dropped; --unredacted keep leaves them"
        _say(f"{file}: bytes in front of {_count(tally['prefix'], 'record')} {done}")
    if tally["unknown field"]:
        _say(f"{file}: {_count(tally['unknown field'], 'unknown field')} dropped")


@main.command()
@_one
@_jobs
@click.argument("type_name", metavar="TYPE", shell_complete=_complete.types)
@_file_argument()
@_bytes_output
@_redaction
@_exempt
@_output_size
@click.option("--explain", is_flag=True, help="Print what will be hidden: path, action and reason. FILE is not read.")
def redact(idl: str, type_name: str, file: str, output: Optional[str], explain: bool, **options: Any) -> None:
    """Take out what must not be passed on. ACTION: keep, drop, blank, hash, keep_last(4) or constant(text).

    TYPE may be a service: then FILE holds RPC messages, and the arguments, results and exceptions of all its functions are redacted; PATH is
    FUNCTION.arguments.FIELD or FUNCTION.result.FIELD, and FUNCTION may be SERVICE.FUNCTION or '*'. Messages of functions without a rule are copied
    and counted; if all rules are paths, such a function is an error unless --exempt names it. A rule that reaches nothing is an error. What no rule is applied to is dropped and counted on
    stderr: fields that the IDL does not know, other messages, bytes in front of records."""
    schema = _schema(idl, options)
    is_service = type_name in schema.services
    if is_service:
        _expect_messages(options)
    given = _input(file, options)._replace(unredacted=options.pop("unredacted"))
    exempt = options.pop("exempt")
    if is_service:
        warn = functools.partial(_warn_of_annotations, idl, schema)
        return _redact_service(given, schema.service(type_name), output, explain, options, exempt, warn)
    if exempt:
        raise click.UsageError("--exempt goes with a service as TYPE")
    given, of = _typed_in(schema, given, type_name)
    rules = _rules(options)
    try:
        listing = of.redactions(**rules)
    except Error as error:  # rules that make no sense for TYPE
        _fail_of_rules(error)
    if not any(row.action != "keep" and row.path != "#*" for row in listing) and rules["missing"] == "error":
        _fail("all rules keep: nothing would be redacted", status=2)
    _warn_of_annotations(idl, schema, rules)
    if explain:
        return _print_text("".join("\t".join(map(escaped, each)) + "\n" for each in listing))
    _rewritten(given, output, options, lambda data: of.rewrite(data, **options).redact(**rules))


def _expect_messages(options: MutableMapping[str, Any]) -> None:
    """Options of a command on all messages of a service."""
    if options["framing"] not in (None, "message") or options["lead"] or options["lines"]:
        raise click.UsageError(
            "TYPE is a service: FILE holds messages (--framing message); decode messages in base64 or hex lines first, as by base64 -d"
        )
    if _is_given("protocol"):
        raise click.UsageError("TYPE is a service: each message names its protocol; leave out --protocol")
    options["framing"] = "message"


def _redact_service(
    given: _Input,
    service: Service,
    output: Optional[str],
    explain: bool,
    options: dict[str, Any],
    exempt: tuple[str, ...],
    warn: Callable[[Mapping[str, Any]], None],
) -> None:
    """Redacts messages of all functions of a service."""
    from .._records import redaction as _redaction

    rules = _rules(options)
    paths, missing = rules.pop("paths"), rules.pop("missing")
    try:
        redact = _redaction.Redactor([service], rules, [_redaction.PathRule.parse(path, action) for path, action in paths.items()], missing, exempt)
    except Error as error:
        _fail_of_rules(error)
    warn(rules)
    if explain:
        return _print_text("".join("\t".join(map(escaped, row)) + "\n" for row in redact.listing()))
    tally: Tally = collections.Counter()

    def redacted(cut: Cut) -> Optional[bytes]:
        message = _message.made_of(cut.message, cut.bytes(), None, cut.data)
        try:
            data = bytes(redact(message, report=lambda done: _count_in(tally, "unknown field", done.unknown)).data)
            if not redact.has_rule(message):
                _count_in(tally, "uncovered")
            return data
        except UnknownNameError as error:
            if given.unredacted == "error":
                raise Error(f"{error}; --unredacted drop leaves the message out", code="not_redacted", offset=cut.begin) from None
            _count_in(tally, "unknown")
            if given.unredacted == "drop":
                return None
            _count_in(tally, "kept")
            return bytes(message.data)

    _rewrite(given, output, options, lambda data: bytes(data), tally, redacted)
    _say_tally(given, tally)


@main.command()
@_one
@_jobs
@click.argument("type_name", metavar="TYPE", shell_complete=_complete.types)
@_file_argument()
@_bytes_output
@click.option("--select", metavar="SELECTION", help="Keep these parts, as trim does.")
@_redaction
@click.option("--set", "sets", type=(str, str), multiple=True, metavar="PATH JSON", help="Set the value at PATH.", shell_complete=_complete.paths_of_pairs)
@click.option("--delete", "deleted", multiple=True, metavar="PATH", help="Remove what is at PATH.", shell_complete=_complete.paths)
@_output_size
def rewrite(
    idl: str,
    type_name: str,
    file: str,
    output: Optional[str],
    select: Optional[str],
    sets: tuple[tuple[str, str], ...],
    deleted: tuple[str, ...],
    **options: Any,
) -> None:
    """Trim, redact and edit in one pass over the bytes, in that order; what is not asked for is not done.

    Without an option of redaction nothing is redacted, and fields that the IDL does not know stay."""
    given, schema = _input(file, options), _schema(idl, options)
    given, of = _typed_in(schema, given, type_name)
    # Any of them, so that one without a rule is the error that redact makes of it, and lets nothing through.
    redacts = any(_is_given(name) for name in _RULES)
    unredacted = options.pop("unredacted")
    if redacts:
        given = given._replace(unredacted=unredacted)
    rules = _rules(options)

    def change(data: Any) -> Rewrite:
        made = of.rewrite(data, **options)
        if select is not None:
            made.trim(select)
        if redacts:
            made.redact(**rules)
        for path, json in sets:
            _with_json(made.set, path, json)
        for path in deleted:
            made.erase(path)
        return made

    try:
        change(b"")
    except Error as error:  # what makes no sense for TYPE
        _fail_of_rules(error)
    _warn_of_annotations(idl, schema, rules)
    _rewritten(given, output, options, change)


def _pairs(option: str, given: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """A second one of the same name would change the order, and with it which rule holds."""
    pairs: dict[str, str] = {}
    for name, action in given:
        if name in pairs:
            raise click.UsageError(f"{option} {name!r} is there twice")
        if not name and option == "--path":
            raise click.UsageError("--path: the path is empty; '$' is the whole value")
        pairs[name] = action
    return pairs


def _key(file: Optional[str]) -> bytes:
    if file is None:
        return b""
    from .configuration import read_key

    try:
        return read_key(file)
    except ValueError as error:
        raise click.UsageError(f"--key-file {error}") from None


@main.command()
@_one
@click.argument("type_name", metavar="TYPE", shell_complete=_complete.types)
@click.argument("left", metavar="A", type=click.Path(allow_dash=True))
@_file_argument("right", metavar="[B]")
@click.option("--right-protocol", type=click.Choice(_SIGNATURES["diff"]["right_protocol"][0] or ()), help="Of B, where it is not that of A.")
@click.option("--most", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="Most differences shown, of each record.")
@_words("diff", "order", help="Whether the order of sets and maps counts.")
@_output_size
def diff(
    idl: str,
    type_name: str,
    left: str,
    right: str,
    protocol: Any,
    depth: int,
    right_protocol: Any,
    most: int,
    order: Any,
    output_size: int,
    **options: Any,
) -> None:
    """Print what must be done to the value in A to get the one in B, one line each: - removed, + added, ~ changed.

    With --lines, the first record of A is compared with the first of B, and so on.
    Exit status as diff has it: 0 equal, 1 different, 2 trouble, bad data among it.
    """
    one, other = _input(left, dict(options)), _input(right, options)
    if one.framing == "message":
        raise click.UsageError("diff compares values: --framing message is for other commands")
    if left == right == "-":
        raise click.UsageError("only one of A and B can be standard input")
    try:
        of = _type(_schema(idl, options), type_name)
    except Error as error:
        _fail(error, status=2)
    second = right_protocol or protocol

    def differences(first: Any, last: Any) -> list[bytes]:
        options = {"protocol": protocol, "right_protocol": second, "order": order, "depth": depth, "output_size": output_size}
        found = of._difference_rows(first, last, most=most + 1, **options)
        if len(found) > most:
            _say(f"more than {most} differences")
        return [_difference(of, *each, protocols=(protocol, second), depth=depth) for each in found[:most]]

    different = False
    with _compared(one, other, {"protocol": protocol, "depth": depth}, second) as pairs:
        for record, (first, last) in enumerate(pairs):
            about = f"record {record}: " if one.lines else ""
            try:
                if first is None or last is None:
                    lines = [f"{'+' if first is None else '-'} the whole record".encode()]
                else:
                    lines = differences(first, last)
            except Error as error:
                _fail(f"{_name(left)}, {_name(right)}: {about}{error}", status=2)
            for line in lines:
                _print_text(about + escaped(line.decode("utf-8", "replace")) + "\n")
            different = different or bool(lines)
    sys.exit(1 if different else 0)


@contextlib.contextmanager
def _compared(one: _Input, other: _Input, how: dict[str, Any], right_protocol: Any) -> Iterator[Iterator[tuple[Any, Any]]]:
    """What is to be compared: two values, or records side by side, None where one file has no more."""
    with _files.reading(one.file, one.max_size) as left, _files.reading(other.file, other.max_size) as right:
        try:
            if one.lines:
                yield itertools.zip_longest(_bytes_of_records(one, left, how), _bytes_of_records(other, right, {**how, "protocol": right_protocol}))
            else:
                yield iter([(left.whole(), right.whole())])
        except Error as error:  # a file that ends in the middle of a record
            _fail(f"{_name(one.file)}, {_name(other.file)}: {error}", status=2)


def _difference(of: Type, kind: str, path: str, *sides: Optional[bytes], protocols: tuple[Any, Any], depth: int) -> bytes:
    mark = {"added": "+", "removed": "-", "changed": "~"}[kind]
    shown = [_shown(of, path, side, spoken, depth) for side, spoken in zip(sides, protocols) if side is not None]
    return f"{mark} {path}: ".encode() + b" -> ".join(shown)


def _shown(of: Type, path: str, data: bytes, protocol: Any, depth: int) -> bytes:
    """Wire bytes as JSON; those of what the IDL does not know as x"hex"."""
    try:
        return of.at(path).to_json(data, protocol=protocol, depth=depth, nonfinite="string", invalid_utf8="replace")
    except Error:
        return b'x"' + data.hex().encode() + b'"'


@main.command()
@_file_argument()
@click.option("--idl", type=click.Path(), help="Show names too: the IDL …")
@click.option("--type", "type_name", metavar="TYPE", help="… and the type in it.", shell_complete=_complete.types)
@_idl_options
@_protocol_guessed
@_number("decode", "depth", help="Levels of nesting that are shown; deeper ones are folded.")
@_output_size
@_output
@click.option("--html", is_flag=True, help="One page for a browser: a tree that folds, the bytes beside it, search. Nothing is loaded from elsewhere.")
@_framing
def inspect(
    file: str, idl: Optional[str], type_name: Optional[str], protocol: Any, depth: int, output_size: int, output: str, html: bool, **options: Any
) -> None:
    """Print the bytes as a tree of offsets, field ids, wire types and values; no IDL is needed.

    Where neither --protocol nor --framing says what FILE is, that is found out: the first line has the guess, how sure it is, and the runner-up."""
    from .commands import detect as _detect_command

    is_guessed = protocol is None and not options["lines"] and not options["lead"] and options["framing"] in (None, "message")
    forced = [_detect_command.forced("binary", "message")] if options["framing"] == "message" else []
    if forced:
        options["framing"] = None
    protocol = protocol or "binary"
    most = options["limit"]
    if is_guessed:
        options["limit"] = None
    given = _input_of(file, options, protocol)
    of = _optional_type(idl, type_name, options)
    is_guessed = is_guessed and (of is None or of.kind in ("struct", "union", "exception"))
    levels = max(depth, _LEVELS)
    how: dict[str, Any] = {"type": of, "depth": levels, "output_size": output_size, "text_size": 60, "elements": 4294967295}
    fault = None
    with _reading(given, None if is_guessed else {"protocol": protocol, "depth": levels}) as (given, source), _files.writing(output) as sink:
        if source.peek(4) in (b"PAR1", b"PARE"):
            _say(f"{_name(file)}: this is a Parquet file: `thriftlens parquet` shows its footer")
        in_colour = sink.is_terminal() and not os.environ.get("NO_COLOR")

        def dress(text: str) -> str:
            return _detect_command.dressed(text, depth, in_colour) if in_colour or depth < levels else text

        if html:
            forced = forced or ([] if is_guessed else [_detect_command.forced(protocol, given.framing)])
            text, fault = _detect_command.page(source.raw() if is_guessed else source.whole(), how, forced, depth, most)
            sink.write(text.encode())
        elif is_guessed:
            fault = _detect_command.inspect(source.raw(), sink, how, dress, most, forced)
        elif given.lines:
            fault = _inspect_records(_bytes_of_records(given, source, {"protocol": protocol, "depth": levels}), sink, {**how, "protocol": protocol}, dress)
        else:
            fault = _detect_command.write_tree(_core.inspect(source.whole(), protocol=protocol, **how), sink, dress)
        sink.flush()
    if fault is not None:
        _fail(f"{_name(file)}: {fault}{'; --output-size allows more' if 'the output exceeds its limit' in fault else ''}")


def _inspect_records(scan: Scan, sink: Any, how: dict[str, Any], dress: Callable[[str], str]) -> Optional[str]:
    """Writes the tree of each; gives what is wrong with the first that is broken."""
    from .commands import detect as _detect_command

    for record in scan:
        if record is None:
            sink.write(f"record {scan.record}, null\n".encode())
            continue
        sink.write(dress(f"record {scan.record}, byte {scan.record_offset}, {_count(len(record), 'byte')}\n").encode())
        fault = _detect_command.write_tree(_core.inspect(record, **how), sink, dress)
        if fault is not None:
            return f"record {scan.record}: {fault}"
    return None


@main.command()
@click.option("--idl", required=True, type=click.Path(exists=True), metavar="FOLDER", help="A folder of IDL files, or one file.")
@_idl_options
@click.option("--most", type=click.IntRange(1, 1_000_000), default=10, show_default=True, help="Most types shown for each file.")
@_binary_protocol_guessed
@_depth
@_limit
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
def identify(idl: str, files: tuple[str, ...], most: int, protocol: Any, depth: int, max_size: Optional[int], **options: Any) -> None:
    """Rank the types of all IDL files by how well they fit the bytes of a struct: the best first, each with where it first disagrees.

    A message is compared with the functions of the services. Of a file of many values the first is looked at. Exit status 1 where nothing is known of the bytes of a FILE."""
    from .commands import detect as _detect_command

    options["include_dirs"] = (*options["include_dirs"], idl)
    schemas = _detect_command.schemas_of(idl, lambda path: _load_idl(path, dict(options)), _say)
    how = {"most": most, "protocol": protocol, "depth": depth}
    types, functions = _detect_command.types_of(schemas), _detect_command.functions_of(schemas)
    unknown = False
    with _files.writing("-") as sink:
        for file in files:
            with _files.reading(file, max_size) as source:
                try:
                    for line in _detect_command.ranking(source.raw(), types, functions, how):
                        sink.write((escaped(f"{f'{_name(file)}: ' if len(files) > 1 else ''}{line}") + "\n").encode())
                except Error as error:
                    unknown = True
                    _say(f"{_name(file)}: {error}")
    sys.exit(1 if unknown else 0)


@main.command()
@_output
@click.option("--name", default="Record", show_default=True, metavar="NAME", help="Of the root struct.")
@_binary_protocol_guessed
@_depth
@_limit
@click.option("--on-error", type=click.Choice(["raise", "skip"]), default="raise", show_default=True, help="A FILE, or what follows in it, that cannot be read.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Learn from so many values at most.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
def infer(output: str, files: tuple[str, ...], max_size: Optional[int], on_error: str, limit: Optional[int], **options: Any) -> None:
    """Write a draft of the IDL that samples were written by; all values of all files count.

    Names are not on the wire: fields are called f1, f2. A field that was not always there is optional. The draft reads its samples back without loss, but for fields
    that had two types (the one seen more often, and a comment). Messages make a struct for the arguments of each function and one for its results."""
    from .._records import detect as _detect
    from .commands import detect as _detect_command

    def structs_in(data: Any) -> Iterator[Any]:
        protocol, depth = options["protocol"], options["depth"]
        for called, each in [(None, data)] if protocol else _detect.named_structs_of([data], depth):
            try:
                _detect_command.check_struct(each, protocol or "binary", depth)
            except Error as error:
                refuse(error)
                continue
            yield called, each

    def refuse(error: Error) -> None:
        if on_error == "raise":
            raise error
        _say(f"{_name(current[0])}: {error}")

    current = [""]

    def all_samples() -> Iterator[Any]:
        for file in files:
            with _reading(_Input(file, None, max_size, "raise", 0, None), None) as (_, source):
                current[0] = file
                try:
                    yield from structs_in(source.raw())
                except Error as error:
                    refuse(error)

    def samples() -> Iterator[Any]:
        return itertools.islice(all_samples(), limit)

    try:
        _detect.check_name(options["name"])
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--name") from None
    if options["protocol"]:
        draft = _detect.infer((data for _, data in samples()), **options)
    else:
        draft = _detect.draft_of(samples(), options["name"], options["depth"])
    with _files.writing(output) as sink:
        sink.write(draft.encode())


@main.command()
@_idl
@_file_argument()
@_output
@click.option("--service", "service_name", metavar="NAME", help="Whose functions they are; all services of IDL where nothing is said.")
@_number("decode", "depth", help="Most levels of nesting.")
@click.option("--framed", is_flag=True, help="All have a frame around them: behind what is no message the next one is found. So it is once one of them had a frame.")
@_rejects
@_jobs
@_words("to_json", "enums", default="name", help="Enum values as numbers or names.")
@_words("to_json", "unknown", help="Fields that the IDL does not know.")
@_words("to_json", "invalid_utf8", default="replace", help="Strings that are not UTF-8.")
def messages(idl: str, file: str, output: str, service_name: Optional[str], depth: int, framed: bool, **options: Any) -> None:
    """Print the RPC messages in FILE, framed or not, or a line of Apache's JSON protocol each, as one line of JSON each: name, kind, sequence id, protocol, and what they carry.

    The value is the arguments of a call, the result of a reply (success, or a declared exception), or an application exception. Of a function
    that the IDL does not have it is null, and `data` are its bytes in base64."""
    given = _Input(file, "message", *(options.pop(each) for each in ("max_size", "on_error", "start", "limit", "jobs", "cut_end")))
    given = given._replace(framed=framed)
    schema = _schema(idl, options)
    if not schema.services:
        _say(f"{idl}: warning: it declares no service, so that what messages carry is not known")
    services = list(schema.services.values()) if service_name is None else [schema.service(service_name)]
    def line(cut: Cut) -> bytes:
        if cut.message is None:
            message = _message.read_message(bytes(cut.bytes()))  # a line of text
        else:
            message = _message.made_of(cut.message, bytes(cut.bytes()), None, cut.data)
        message = message._replace(function=_message.function_in(services, message.name))
        head: dict[str, Any] = {"record": cut.number, "offset": cut.begin, "name": message.name, "kind": message.kind}
        head.update(sequence_id=message.sequence_id, protocol=message.protocol)
        if message.trace is not None:
            head["trace"] = message.trace.to_dict()
        value = b"null"
        if message.is_known:
            value = message.to_json(depth=depth, nonfinite="string", **options)
        else:
            head["data"] = binascii.b2a_base64(message.data, newline=False).decode()
        return json.dumps(head, ensure_ascii=False, default=_text_of)[:-1].encode() + b', "value": ' + value + b"}\n"

    with _reading(given, None) as (given, source), _files.writing(output) as sink:
        if source.begins_with_text():
            given = given._replace(framing="lines")
        _each_cut(given, source, sink, {"depth": depth}, line, b"null\n", [])


class _Address(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """HOST:PORT."""

    name = "address"

    def convert(self, value: Any, param: Optional[click.Parameter], ctx: Optional[click.Context]) -> tuple[str, int]:
        from .commands.record import address_of

        try:
            return address_of(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(str(error), param, ctx)


_idls = _options(
    click.option("--idl", "idls", multiple=True, type=click.Path(), metavar="IDL", help="Of the services; may stand more than once."), _idl_options
)


def _schemas(options: dict[str, Any]) -> dict[str, Schema]:
    """Takes the files of IDL out of the options of a command."""
    read = {name: options.pop(name) for name in _SCHEMA_OPTIONS}
    return {idl: _schema(idl, dict(read)) for idl in options.pop("idls")}


def _services(schemas: Mapping[str, Schema]) -> list[Service]:
    return [service for schema in schemas.values() for service in schema.services.values()]


@main.command()
@click.argument("server", metavar="HOST:PORT", type=_Address())
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--listen", type=_Address(), default="127.0.0.1:0", show_default=True, metavar="HOST:PORT", help="Where clients connect; port 0: any that is free.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="End when so many calls are answered.")
@_idls
@_annotated
@click.option("--path", "paths", type=(str, str), multiple=True, metavar="PATH ACTION", help="Redact what is at PATH, such as find.result.success.mail.")
@_exempt
def record(server: tuple[str, int], file: str, listen: tuple[str, int], limit: Optional[int], **options: Any) -> None:
    """Forward connections to the server at HOST:PORT, and write the messages of both directions to FILE until Ctrl-C.

    Bytes are forwarded as they are. No IDL is needed but for redaction: --annotation, --type and --path say what is not written, as those of redact
    for a service. A message that cannot be read then is not written at all, and what the IDL does not know is dropped; one that may be of
    functions of several services is redacted as each of them. Passwords of SASL and HTTP are never written."""
    from .commands import record as _record_command
    from .._records import redaction as _redaction

    def say(line: str) -> None:
        _say(f"{line}")

    rules = {name: options.pop(name) for name in ("annotation", "values", "otherwise", "types", "unknown", "missing_required")}
    paths, key_file, exempt = options.pop("paths"), options.pop("key_file"), options.pop("exempt")
    schemas = _schemas(options)
    services = _services(schemas)
    redact = None
    if paths or exempt or any(_is_given(name) for name in ("key_file", *rules)):
        if not services:
            raise click.UsageError("a redaction needs the IDL: --idl")
        rules.update(values=_pairs("--value", rules["values"]), types=_pairs("--type", rules["types"]), key=_key(key_file))
        try:
            path_rules = [_redaction.PathRule.parse(*each) for each in _pairs("--path", paths).items()]
            redact = _redaction.Redactor(services, rules, path_rules, exempt=exempt)
        except Error as error:
            _fail_of_rules(error)
        for idl, schema in schemas.items():
            _warn_of_annotations(idl, schema, rules)
    done = _record_command.run(listen, server, file, redact, limit, say)
    lost = f"; {_count(done.lost, 'piece')} left out" if done.lost else ""
    uncovered = f"; {done.uncovered} {_UNCOVERED[done.uncovered != 1]} recorded unchanged" if done.uncovered else ""
    say(f"{file}: {_count(done.messages, 'message')}, {_count(done.calls, 'call')}{lost}{uncovered}")


@main.command()
@_file_argument()
@_idls
@_output
@click.option("--format", "form", type=click.Choice(["json", "table", "summary"]), default="json", show_default=True, help="A line a call, or a line a method.")
@click.option("--method", "methods", multiple=True, metavar="NAME", help="Only calls of it; may stand more than once.")
@click.option("--port", "ports", multiple=True, type=click.IntRange(1, 65535), metavar="PORT", help="Only connections with it; may stand more than once.")
@_number("decode", "depth", help="Most levels of nesting.")
@_words("to_json", "enums", default="name", help="Enum values as numbers or names.")
@_words("to_json", "unknown", help="Fields that the IDL does not know.")
@_words("to_json", "invalid_utf8", default="replace", help="Strings that are not UTF-8.")
def pcap(file: str, output: str, form: str, methods: tuple[str, ...], ports: tuple[int, ...], **options: Any) -> None:
    """Print the Thrift calls in a capture (pcap, pcapng), one line of JSON each: when, between whom, arguments, result, latency.

    Streams are put together; framing and protocol are found out for each connection: buffered, framed, SASL, HTTP, Binary, Compact; UDP datagrams too.
    What is missing or cannot be read goes to stderr. The latency runs from the first byte of the call to the last one of the reply. Needs thriftlens[pcap]."""
    from .commands import pcap as _pcap_command

    services = _services(_schemas(options))
    chosen = {"form": form, "methods": methods, "ports": ports}

    def say(line: str) -> None:
        _say(f"{_name(file)}: {line}")

    with _files.reading(file) as source, _about(file):
        with _files.writing(output) as sink:
            fault = _pcap_command.run(source, sink, services, options, chosen, say)
        if fault is not None:
            raise fault


_connection = _options(
    click.option("--transport", type=click.Choice(_TRANSPORTS), default="auto", show_default=True, help="auto finds out, by a call of no function."),
    click.option("--protocol", type=click.Choice(("auto", "binary", "compact")), default="auto", show_default=True, help="Of the messages."),
    click.option("--timeout", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True, metavar="SECONDS", help="For the whole call."),
    click.option("--tls", is_flag=True, help="Speak TLS; the system's authorities are trusted."),
    click.option("--ca", type=click.Path(), metavar="FILE", help="Speak TLS; the authorities in FILE are trusted."),
    click.option("--multiplexed", is_flag=True, help="Send names as Service:function."),
    click.option("--limit", "limits", multiple=True, metavar="SIZE|NAME=SIZE", help="Maximum size of a reply (256M), or of frame_size, header_size, depth."),
)


def _connecting(options: dict[str, Any]) -> dict[str, Any]:
    """Takes the options of _connection out of those of a command, as connect wants them."""
    how = {name: options.pop(name) for name in ("transport", "protocol", "timeout", "multiplexed")}
    tls, authorities = options.pop("tls"), options.pop("ca")
    return {**how, "tls": authorities or tls or None, "limits": _client_limits(options.pop("limits"))}


def _client_limits(given: Sequence[str]) -> dict[str, int]:
    """SIZE, which is frame_size, or NAME=SIZE."""
    from .._rpc.options import SESSION, check_limits

    limits = {}
    try:
        for text in given:
            name, equals, size = text.rpartition("=")
            limits[name if equals else "frame_size"] = _bytes_of(size)
        check_limits(limits, SESSION)
    except ValueError as error:
        raise click.UsageError(f"--limit: {error}") from None
    return limits


@main.command(epilog=_CALL_STATUSES)
@click.argument("address", metavar="HOST:PORT")
@_idl
@click.argument("function", metavar="[SERVICE.FUNCTION]", required=False, shell_complete=_complete.functions)
@click.argument("pairs", metavar="[NAME=VALUE]...", nargs=-1)
@click.option("--json", "json", metavar="JSON|@FILE|-", help="The arguments as a JSON object, from a file, or from standard input.")
@click.option("--list", "lists", is_flag=True, help="Print the functions of the IDL; nothing is called.")
@click.option("--select", metavar="SELECTION", help="Only these parts of the result, cut out while it arrives: '{ id user { name } }'.")
@click.option("--trace", is_flag=True, help="Show both messages on stderr.")
@click.option("--header", "headers", multiple=True, metavar="NAME=VALUE", help="For THeader, TTHeader and HTTP; may stand more than once.")
@_connection
@_output
@click.option("--pretty", is_flag=True, help="Indented by two blanks a level.")
@_words("to_json", "enums", default="name", help="Enum values as numbers or names.")
@_words("to_json", "int64", help="i64 as a number or a string.")
@_words("to_json", "unknown", help="Fields that the IDL does not know.")
@_words("to_json", "invalid_utf8", default="replace", help="Strings that are not UTF-8.")
def call(
    address: str,
    idl: str,
    function: Optional[str],
    pairs: tuple[str, ...],
    json: Optional[str],
    lists: bool,
    select: Optional[str],
    trace: bool,
    headers: tuple[str, ...],
    output: str,
    **options: Any,
) -> None:
    """Call a function of the server at HOST:PORT and print its result as JSON.

    Arguments: --json, and NAME=VALUE (text for strings and enums, else JSON) or NAME:=JSON, where NAME may be a path: req.user.name=Zoe. HOST:PORT may be
    user:password@host:port (SASL PLAIN), http://user:password@host:port/path or unix:/path."""
    from .commands import call as _call_command

    schema = _schema(idl, options)
    if lists:
        return _print_text("".join(f"{line}\n" for line in _call_command.listing(schema)))
    if function is None:
        raise click.UsageError("which function? --list shows those of the IDL")
    how = _connecting(options)
    try:
        service, found = _call_command.find_function(schema, function)
        arguments = _call_command.arguments_of(found, None if json is None else _given_json(json), pairs)
        sent = _call_command.pairs_of("--header", headers)
        if select is not None:
            _call_command.check_selection(found, select)
        client = _call_command.open_client(address, schema, service, {**how, "headers": sent or None})
    except Error as error:
        _fail(f"{error}; the call was not sent", status=max(_call_command.status_of(error), 2))
    with _files.writing(output) as sink, client:
        caller = _call_command.Caller(client, found, options, (lambda line: click.echo(escaped(line), err=True)) if trace else None)
        try:
            answer = caller.call(arguments, select, sent or None)
        except Error as error:
            told = str(error)
            hint = ("; --limit SIZE allows more" if error.code == "size_limit" else "") + _call_command.state_of(error)
            _fail(f"{told if told.startswith(client.address) else f'{client.address}: {told}'}{hint}", status=_call_command.status_of(error))
        sink.write(escaped_json(answer.text) + (b"\n" if answer.text else b""))
    if answer.note:
        _say(f"{answer.note}")
    sys.exit(answer.status)


_ONLY_TO = ("ignored", "methods", "timeout", "tls", "ca", "multiplexed", "limits")
_ONLY_SERVE = ("service_name", "match")
_SPELLED = {"ignored": "ignore", "methods": "method", "service_name": "service", "limits": "limit"}


@main.command()
@click.argument("file", metavar="FILE", type=click.Path())
@_idl
@click.option("--to", "address", metavar="HOST:PORT", help="Make the calls again there, and compare the answers.")
@click.option("--serve", type=_Address(), metavar="HOST:PORT", help="Answer calls from the recording there; port 0: any that is free.")
@click.option("--service", "service_name", metavar="NAME", help="With --serve: whose functions are served, where the IDL has more than one.")
@click.option("--match", type=click.Choice(["arguments", "name"]), default="arguments", show_default=True, help="With --serve: which recorded call answers one.")
@click.option("--ignore", "ignored", multiple=True, metavar="PATH", help="With --to: differences there do not count: $.success.time; may stand more than once.")
@click.option("--method", "methods", multiple=True, metavar="NAME", help="With --to: only calls of it; may stand more than once.")
@_connection
@_output
def replay(file: str, idl: str, address: Optional[str], serve: Optional[tuple[str, int]], service_name: Optional[str], match: Any, output: str, **options: Any) -> None:
    """Make the calls of a recording again (--to), or answer calls from it (--serve), until Ctrl-C.

    --to prints what must be done to the recorded answers to get the new ones, as diff does, a line each. Exit status: 0 equal, 1 different, no reply, or
    a function that the IDL does not have, 2 trouble. With --serve, equal calls get the recorded replies one after another, and the last one from then on."""
    from .._capture import recording as _recording
    from .commands import replay as _replay_command

    def say(line: str) -> None:
        _say(f"{file}: {line}")

    if (address is None) == (serve is None):
        raise click.UsageError("either --to or --serve")
    for option in _ONLY_TO if address is None else _ONLY_SERVE:
        if _is_given(option):
            raise click.UsageError(f"--{_SPELLED.get(option, option)} goes with {'--to' if address is None else '--serve'}")
    ignored, methods = options.pop("ignored"), options.pop("methods")
    schema = _schema(idl, options)
    how = _connecting(options)
    try:
        recording = _recording.Recording(file, match=match)
    except Error as error:
        _fail(error, status=2)
    if recording.is_redacted:
        say("it is redacted: what was taken out differs")
    if serve is not None:
        return _replay_command.serve(
            recording, schema, service_name, {"host": serve[0], "port": serve[1], "transport": how["transport"], "protocol": how["protocol"]}, say
        )
    assert address is not None

    def shown(of: Type, kind: str, path: str, left: Optional[bytes], right: Optional[bytes], protocol: Any) -> bytes:
        return _difference(of, kind, path, left, right, protocols=(protocol, protocol), depth=_LEVELS)

    player = _replay_command.Player(address, schema, how, ignored, shown)
    try:
        _replay_command.check_ignored(list(schema.services.values()), ignored)
        _replay_command.check_methods(recording, methods)
        with _files.writing(output) as sink:
            for line in player.play(recording, methods):
                sink.write((escaped(line.decode("utf-8", "replace")) + "\n").encode())
    except Error as error:
        _fail(error, status=2)
    say(_replay_command.summary(player.outcome))
    sys.exit(0 if player.outcome.is_same else 1)


def _given_json(given: str) -> bytes:
    """JSON as it stands, of @FILE, or of standard input."""
    if given != "-" and not given.startswith("@"):
        return given.encode("utf-8", "surrogateescape")
    with _files.reading(given[1:] if given != "-" else "-") as source:
        return bytes(source.whole())


def _text_of(data: bytes) -> str:
    """Bytes of a header as JSON has them."""
    return binascii.b2a_base64(data, newline=False).decode()


@main.command()
@_file_argument()
@click.option("--from", "source", type=click.Choice(_SIGNATURES["convert"]["source"][0] or ()), required=True, help="Protocol of FILE.")
@click.option("--to", "target", type=click.Choice(_SIGNATURES["convert"]["source"][0] or ()), required=True, help="Protocol of OUT.")
@click.option("--idl", type=click.Path(), help="tjson does not tell strings from binaries; this does: the IDL …")
@click.option("--type", "type_name", metavar="TYPE", help="… and the type in it.", shell_complete=_complete.types)
@_idl_options
@_bytes_output
@_framing
@_jobs
@_output_size
def convert(
    file: str, source: Any, target: Any, idl: Optional[str], type_name: Optional[str], output: Optional[str], output_size: int, **options: Any
) -> None:
    """Turn the bytes of a struct into another protocol; no IDL is needed. tjson is Apache's JSON protocol."""
    given = _input_of(file, options, source, target)
    if given.framing == "message":
        raise click.UsageError("convert leaves headers as they are: --framing message is for other commands")
    of = _optional_type(idl, type_name, options)
    how = {"protocol": source}
    _rewrite(given, output, how, lambda data: _core.convert(data, source=source, target=target, type=of, output_size=output_size))


@main.command()
@click.argument("file", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="The whole footer as JSON.")
@click.option("--row-groups", is_flag=True, help="Each column chunk: where it lies, and how it is packed.")
@click.option("--statistics", multiple=True, metavar="COLUMN", help="Of each row group; may stand more than once.")
@click.option("--pages", metavar="COLUMN", help="The headers of its pages.")
@click.option("--get", multiple=True, metavar="PATH", help="What stands at PATH in the FileMetaData: $.row_groups[*].num_rows.")
@click.option("--check", is_flag=True, help="Whether the footer is sound, and what it speaks of lies inside the file.")
@click.option("--set", "set_", multiple=True, metavar="KEY=VALUE", help="Set an entry of the key/value metadata.")
@click.option("--delete", multiple=True, metavar="KEY", help="Take an entry of the key/value metadata out.")
@click.option("--rename", multiple=True, metavar="COLUMN=NAME", help="Give a column or group another last name.")
@click.option("--drop-statistics", is_flag=True, help="Take statistics, and the places of page indexes and bloom filters, out of the footer.")
@click.option("--scrub", multiple=True, metavar="PATH", help="Drop what stands at PATH in the FileMetaData, as redact does.")
@click.option("--keep-column", "keep_columns", multiple=True, metavar="COLUMN", help="Keep these columns in the footer, and no others.")
@click.option("--keep-row-group", "keep_row_groups", multiple=True, type=int, metavar="N", help="Keep these row groups in the footer, and no others.")
@click.option("-o", "--output", type=click.Path(), metavar="OUT", help="Write the changed file here, whole or not at all.")
@click.option("--in-place", is_flag=True, help="Write the changed footer over the old one.")
@click.option("--atomic", is_flag=True, help="With --in-place: write a whole new file, which takes the place of the old one.")
def parquet(file: str, output: Optional[str], in_place: bool, atomic: bool, **options: Any) -> None:
    """Show or change the footer of a Parquet file. Data is never read or touched; what the footer no longer names stays in the file.

    COLUMN is a dotted path, or #N for column number N where several have one name."""
    from .commands import parquet as _parquet_command

    shown = {name: options.pop(name) for name in ("as_json", "row_groups", "statistics", "pages", "get", "check")}
    with _about(file), _files.writing("-") as sink:
        _parquet_command.run(file, output, in_place, atomic, shown, options, sink.write)


@main.command()
@_idl
@click.argument("type_name", metavar="TYPE", shell_complete=_complete.types)
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(allow_dash=True))
@click.option("--select", metavar="SELECTION", help="These columns: '{ id user { name } items { sku price } }'; all where nothing is said.")
@click.option("--where", metavar="CONDITION", help="Only rows that meet it: 'user.id > 5 and status = PAID'; of the others nothing is built.")
@_output
@click.option("--to", "to", type=click.Choice(["parquet", "arrow", "csv", "jsonl"]), help="What OUT is, where its ending does not say; jsonl on standard output.")
@_any_protocol
@_output_size
@_framing
@_words("to_json", "enums", help="Enum values as numbers or as names.")
@click.option("--flat", is_flag=True, help="Structs in structs as columns of their own: outer.inner.")
@_words("_column_reader", "defaults", help="Absent fields with a default in the IDL.")
@_words("_column_reader", "field_ids", help="Field ids in Parquet, as Iceberg reads them; unique: numbered through.")
@_words("_column_reader", "mismatch", help="Fields whose wire type contradicts the IDL.")
@_words("_column_reader", "invalid_utf8", help="Strings that are not UTF-8.")
@_missing
@_words("_column_reader", "unknown", help="Fields that the IDL does not know.")
@click.option("--record", metavar="NAME", help="Add a column NAME with the number of each record.")
@click.option("--reason", metavar="NAME", help="With --on-error null: add a column NAME with the error of a row of nulls.")
@click.option("--file", "file_column", metavar="NAME", help="Add a column NAME with the file of each record.")
@click.option("--unknown-fields", metavar="NAME", help="Add a column NAME with the fields that the IDL does not know, as the bytes of a struct.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="That read records; not for .jsonl.")
def table(idl: str, type_name: str, files: tuple[str, ...], output: str, to: Optional[str], select: Optional[str], flat: bool, threads: int, **options: Any) -> None:
    """Write the records of FILEs as a table: Parquet, Arrow, CSV (all by pyarrow) or lines of JSON, as OUT ends.

    Records stand back to back, unless --framing says more. Memory holds a few batches, however long the files are."""
    from .commands import table as _table_command

    kind = _table_command.format_of(output, to)
    options["file"] = options.pop("file_column")
    given = _input_of(files[0] if files else "-", options, options["protocol"])
    given, of = _typed(given, idl, type_name, options)
    if given.start and len(files) > 1:
        raise click.UsageError("--start goes with one FILE")
    records = _table_command.Records(
        given.framing or "none",
        {"protocol": "binary" if options["protocol"] == "tjson" else options["protocol"], "depth": options["depth"], "lead": given.lead},
        given.on_error,
        given.start,
        given.limit,
        given.scans_cut_end,
    )
    if given.framing in ("message", "lines"):
        records = records._replace(make=_table_command.maker(of, given.means, options))
    options["protocol"] = records.how["protocol"]
    with _files.writing(output, is_text=kind in ("csv", "jsonl")) as sink, _Rejects(given, [], b"", sink) as rejects:
        with _table_command.open_table(kind, of, records, select, {**options, "nesting": "flat" if flat else "structs"}, threads, sink) as made:
            for file in files or ("-",):
                given = given._replace(file=file)
                rejects.of(given)
                with _reading(given, None) as (_, source), _files.progress(source, sink) as moved:
                    source.texts = given.framing not in ("base64", "hex", "lines")
                    made.file = _name(file) if options["file"] else None
                    made.report = functools.partial(_report_cut_ends, given)
                    made.read(source, rejects.take, moved)
                if made.is_done:
                    break
    if output != "-":
        _say(f"{output}: {_count(made.rows, 'row')}")


@main.command()
@_idl
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def routes(idl: str, as_json: bool, **options: Any) -> None:
    """List the HTTP routes of an IDL (api.get, api.post …) with where each field of a request comes from."""
    from .commands import routes as _routes_command

    _print_text("".join(line + "\n" for line in _routes_command.lines(_schema(idl, options), as_json)))


@main.command()
@_idl
@click.option("--upstream", "upstreams", multiple=True, required=True, metavar="HOST:PORT", help="The Thrift server; of several services SERVICE=HOST:PORT each.")
@click.option("--service", "services", multiple=True, metavar="NAME", help="Only this one; may stand more than once.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any that is free.")
@click.option("--transport", type=click.Choice([each for each in _TRANSPORTS if each != "sasl"]), default="auto", show_default=True, help="Of the upstream.")
@click.option("--protocol", type=click.Choice(("auto", "binary", "compact")), default="auto", show_default=True, help="Of the upstream.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=30.0, show_default=True, metavar="SECONDS", help="For a call.")
@click.option("--routes", type=click.Choice(("annotated", "all")), default="annotated", show_default=True, help="all: POST /Service/function too.")
@click.option("--fields", default="fields", show_default=True, metavar="NAME", help="The query parameter that selects parts of answers.")
@click.option("--policies", type=click.Path(), metavar="FILE", help="JSON: what each role may see; options of `redact` by role, null for all.")
@click.option("--role-header", metavar="NAME", help="The header with the caller's role, which a proxy in front must set.")
@click.option("--limit", "limits", multiple=True, metavar="NAME=NUMBER", help="body, headers, header_count, url, calls, body_seconds, reply.")
@click.option("--plan", multiple=True, metavar="NAME=WORD", help="An option of tl.http.plan; may stand more than once.")
@click.option("--carry", multiple=True, metavar="HEADER", help="Goes on into the call; may stand more than once.")
@click.option("--pages", default="", metavar="PREFIX", help="What stands in front of /healthz, /readyz, /metrics, /openapi.json and /docs.")
@click.option("--watch", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Look so often whether the IDL has changed, and load it again.")
@click.option("--pool", type=click.IntRange(1), default=8, show_default=True, help="Connections to each upstream.")
@click.option("--multiplexed", is_flag=True, help="Send names as Service:function.")
@click.option("--tls", is_flag=True, help="Speak TLS with the upstream; the system's authorities are trusted.")
@click.option("--ca", type=click.Path(), metavar="FILE", help="Speak TLS with the upstream; the authorities in FILE are trusted.")
@click.option("--log/--no-log", default=True, show_default=True, help="A line of JSON a request, on stderr.")
def serve(idl: str, host: str, port: int, log: bool, **options: Any) -> None:
    """Serve HTTP in front of a Thrift server, as the annotations of IDL say (api.get, api.query …), until Ctrl-C. Needs thriftlens[gateway].

    /docs is a page to try it, /openapi.json its description; docs/gateway.md tells the rest."""
    from .commands import serve as _serve_command

    def fail(message: str) -> NoReturn:
        _fail(message, status=2)

    reading = {name: options.pop(name) for name in _SCHEMA_OPTIONS}
    source = _serve_command.Source(idl, lambda: _schema(idl, dict(reading)))
    try:
        app = _serve_command.make(source, {**options, "include_dirs": reading["include_dirs"]})
    except Error:
        raise
    except (TypeError, ValueError, OSError) as error:
        fail(str(error))
    _serve_command.run(app, host, port, log, fail)


@main.command()
@click.argument("shell", type=click.Choice(_complete.SHELLS))
def completion(shell: str) -> None:
    """Print what makes SHELL complete commands, options and, from the IDL, types, functions and field paths."""
    _print(_complete.script(shell).encode())


def _optional_type(idl: Optional[str], type_name: Optional[str], options: dict[str, Any]) -> Optional[Type]:
    """The type of --idl and --type."""
    if (idl is None) != (type_name is None):
        raise click.UsageError("--idl and --type go together")
    return _type(_schema(idl, options), type_name) if idl is not None and type_name is not None else None


def _name(file: str) -> str:
    return "<stdin>" if file == "-" else file


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _print(data: bytes) -> None:
    with _files.writing("-") as sink:
        sink.write(data)


def _print_text(text: str) -> None:
    """Text for people: nothing in it acts on a terminal."""
    _print(escaped_lines(text).encode())


def _takes_start() -> bool:
    """Whether the command has the option --start."""
    context = click.get_current_context(silent=True)
    return context is not None and "start" in {each.name for each in context.command.params}


def _report_cut_ends(given: _Input, scan: Scan) -> None:
    """Says where an input is cut that was read up to there, and takes care of the exit status."""
    for error in scan.cut_ends:
        if given.on_error == "raise" or error.record is None:  # it was not reported as a rejected record
            _say(f"{_name(given.file)}: {error}; go on with --start {error.resume if error.resume is not None else scan.offset}")
        if given.cut_end == "error":
            click.get_current_context().meta[_STATUS] = 1


class _about:
    """Puts the name of the file, and with many records the number of the record, before what is wrong with it."""

    def __init__(self, file: str, earlier: Sequence[Error] = (), source: Optional[tuple[Any, bool]] = None):
        self._path = file
        self._file = _name(file)
        self._earlier = earlier
        self._source = source

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, Error) and not _is_usage(error):
            record = f"record {error.record}: " if error.record is not None else ""
            for each in self._earlier:
                _say(f"{self._file}: {record}{each}")
            is_true = error.claimed is None or _files.may_hold(self._file, error.record_offset or 0, error.claimed)
            if error.record is not None and error.code == "size_limit" and is_true:
                _fail(f"{self._file}: {error}; --max-size allows more", status=2)
            _say(f"{self._file}: {error}{self._advice(error)}")
            if self._source is not None:
                _window.show(error, self._path, *self._source)
            sys.exit(2 if error.code == "bad_option" else 1)

    @staticmethod
    def _advice(error: Error) -> str:
        """The option that reads what was read as one value and is many, or that goes on."""
        if error.resume is not None and _takes_start():
            return f"; go on with --start {error.resume}"
        words = "" if error.record is not None else str(error)
        if re.search(r"looks like a 32-bit frame length before (Binary|Compact)\)", words):
            return "; --framing u32 reads records in frames"
        return "; --lines reads a value a line" if re.search(r"text follows the end .*column 1\)$", words) else ""


class _Rejects:
    """Takes the records that cannot be read: says each on stderr, and at the end how many they were."""

    def __init__(self, given: _Input, earlier: list[Error], null: bytes, sink: Any):
        self._given = given
        self._sink = sink
        self._earlier = earlier
        self._null = null if given.on_error == "null" else None
        self._file: Any = None
        self._count = 0
        self.on_error: Any = "raise" if given.on_error == "raise" else self.take

    def __enter__(self) -> _Rejects:
        if self._given.on_error not in ("raise", "skip", "null"):
            for other in (self._given.file, "-" if self._sink is None else self._sink.name):
                if other != "-" and os.path.realpath(other) == os.path.realpath(self._given.on_error):
                    raise click.UsageError(f"--on-error {self._given.on_error} is the file that is read or written")
            self._file = _files.Sink(_files.create(self._given.on_error), self._given.on_error)
        return self

    def __exit__(self, *_: Any) -> None:
        try:
            if self._file is not None:
                self._file.close()
        finally:
            self._say_count()

    def _say_count(self) -> None:
        if self._count:
            _say(f"{_name(self._given.file)}: {_count(self._count, 'record')} rejected")

    def of(self, given: _Input) -> None:
        """From now on records are of another file."""
        self._given = given

    def take(self, rejected: Rejected) -> Optional[bytes]:
        """What is written for the record; None: nothing."""
        self._count += 1
        for each in (*self._earlier, rejected.error):
            _say(f"{_name(self._given.file)}: {each}")
        self._earlier.clear()
        if self._file is not None:
            self._file.write(rejected.data)
        return self._null


def _bytes_of_records(given: _Input, source: Any, how: dict[str, Any]) -> Scan:
    """The bytes of each record; one that cannot be read ends them."""
    assert given.framing is not None
    scan: Scan = source.records(lambda cut: bytes(cut.bytes()), {**how, "framing": given.framing, "lead": given.lead}, "raise", given.start, given.limit)
    return scan


def _each(
    given: _Input,
    source: Any,
    sink: Any,
    how: dict[str, Any],
    change: Callable[[Any], bytes],
    null: bytes,
    earlier: Optional[list[Error]] = None,
    tally: Optional[Tally] = None,
) -> tuple[int, int]:
    """Writes change(record) for each record, holding one record at a time; gives how many there were and how many could not be read."""
    return _each_cut(given, source, sink, how, lambda cut: change(cut.bytes()), null, [] if earlier is None else earlier, tally)


def _each_cut(
    given: _Input,
    source: Any,
    sink: Any,
    how: dict[str, Any],
    change: Callable[[Cut], bytes],
    null: bytes,
    earlier: list[Error],
    tally: Optional[Tally] = None,
) -> tuple[int, int]:
    """The same by what change makes of a record and its place. tally: counts that change adds to, in whichever process it runs."""
    if given.framing == "message":
        change = _for_messages(given, change, how, tally)
    how = {"framing": given.framing, "protocol": how.get("protocol", "binary"), "depth": how.get("depth", 64), "lead": given.lead}
    if given.framed:
        how["framed"] = True
    source.texts = source.texts and given.framing not in ("base64", "hex", "lines")
    data = source.in_parts() if given.jobs > 1 and given.limit is None and given.framing not in ("lines", "list") else None
    with _files.progress(source, sink) as moved, _Rejects(given, earlier, null, sink) as rejects:
        write = (lambda made: None) if sink is None else lambda made: sink.write(null if made is None else made)
        if data is not None:
            return _each_in_jobs(given, data, {**how, "record_size": source.bound}, change, null, rejects, collections.Counter() if tally is None else tally, write, moved)
        if sink is not None:
            source.before_read = sink.flush  # a pipe may wait for more: what is done is not held back
        scan = source.records(change, how, rejects.on_error, given.start, given.limit, given.scans_cut_end)
        with _signals.resuming(given.file, given.start) as done:
            for made in scan:
                write(made)
                done.offset = scan.offset
                if scan.count % 512 == 0:
                    moved(scan.count)
    _report_cut_ends(given, scan)
    return scan.count, scan.rejected


def _for_messages(given: _Input, change: Callable[[Cut], bytes], how: dict[str, Any], tally: Optional[Tally]) -> Callable[[Cut], bytes]:
    """The same for messages, each of which says its protocol: `how` has it for `change`. Messages that TYPE does not name are copied or left out."""

    def changed(cut: Cut) -> bytes:
        assert cut.message is not None
        if not given.means(cut):
            if given.unredacted == "error":
                raise Error(f"a {cut.message[1]} of {quoted_name(cut.message[0])} would not be redacted; --unredacted drop leaves it out", code="not_redacted", offset=cut.begin)
            _count_in(tally, "other")
            is_copied = given.copies and given.unredacted in (None, "keep")
            return bytes(memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin]) if is_copied else b""
        how["protocol"] = cut.message[4]
        return change(cut)

    return changed


def _each_in_jobs(
    given: _Input,
    data: Any,
    how: dict[str, Any],
    change: Callable[[Cut], bytes],
    null: bytes,
    rejects: _Rejects,
    tally: Tally,
    write: Callable[[Any], None],
    moved: Callable[..., None],
) -> tuple[int, int]:
    """The same by several processes."""
    from .._records import jobs as _jobs

    count = rejected = 0
    if given.start > len(data):
        raise behind_the_end(given.start, len(data))
    if given.framing == "message":  # as one process would have seen at the first message
        how = {**how, "framed": given.framed or is_framed(data, given.start)}
    for part, done in _jobs.each(data, change, how, given.start, given.jobs, tally, null):
        write(done.output)
        count += done.records
        tally.update(done.tally)
        if done.stopped is not None:
            scan = _jobs.scan_of(data, done.stopped, change, how, rejects.on_error, given.scans_cut_end)
            for made in scan:
                write(made)
            _report_cut_ends(given, scan)
            count += scan.count
            rejected += scan.rejected
        moved(count, part.end)
    return count, rejected


def _each_line(given: _Input, source: Any, sink: Any, change: Callable[[bytes], bytes]) -> None:
    """Writes change(line) for each line as a record."""
    if given.start or given.limit is not None:
        raise click.UsageError("--start and --limit are for records of Thrift bytes")
    if given.on_error == "null" and given.framing != "kafka":
        raise click.UsageError("--on-error null: of the framings only kafka has a null record")
    framing = given.framing or "u32"
    with _files.progress(source, sink) as moved, _Rejects(given, [], _files.framed(None, framing), sink) as rejects:
        for number, line in enumerate(source.lines()):
            try:
                is_null = framing == "kafka" and line.strip() == b"null"
                made: Optional[bytes] = _files.framed(None if is_null else change(line), framing)
            except Error as error:
                placed = type(error)(f"line {source.line}, record {number}: {error}", code=error.code, path=error.path, offset=error.offset)
                if given.on_error == "raise":
                    raise placed from None
                made = rejects.take(Rejected(number, 0, line, placed))
            sink.write(made or b"")
            if number % 512 == 0:
                moved(number)


_examples.attach(main)
