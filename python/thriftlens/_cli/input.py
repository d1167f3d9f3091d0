"""The input of a command: IDL, type, file and framing."""

import contextlib
import re
import sys
from typing import Any, Iterator, Mapping, NamedTuple, Optional, Sequence

import click

from . import io as _files
from .options import SCHEMA_OPTIONS
from .report import display_name, fail, reporting, say
from .._errors import Error, UnknownNameError
from .._records.scan import Cut
from .._schema.schema import Schema, Service, Type, load


class MessageTarget(NamedTuple):
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


class Input(NamedTuple):
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
    target: Optional[MessageTarget] = None  # the function whose messages are read
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


def take_input(file: str, options: dict[str, Any], *protocols: Any) -> Input:
    """Removes the options of the input from those of a command. protocols: of the input and the output."""
    lead = options.pop("lead")
    said, lines = options.pop("framing"), options.pop("lines")
    framing = said or ("u32" if lines else "none" if lead else None)
    is_text = "tjson" in protocols and framing is not None
    if is_text and (said or not lines or set(protocols) != {"tjson"}):
        raise click.UsageError("for many values of tjson use --lines without --framing and without another protocol")
    options.setdefault("jobs", 1)
    made = Input(file, "lines" if is_text else framing, *(options.pop(each) for each in ("max_size", "on_error", "start", "limit", "jobs", "cut_end")))
    made = made._replace(lead=lead, is_assumed=lines and said is None and not lead)
    if lead and framing == "message":
        raise click.UsageError("--lead cannot be used with --framing message")
    if framing is None and (made.on_error != "raise" or made.start or made.limit is not None):
        raise click.UsageError("--on-error, --start and --limit need --framing; `thriftlens inspect` detects the framing of a file")
    return made


def _bare_structs(given: Input, source: Any, how: dict[str, Any]) -> Optional[str]:
    """Words for the structs that stand there one after another with nothing around them, where nobody said so; None where there are none."""
    protocol, depth = how["protocol"], how.get("depth", 64)
    if protocol == "tjson":
        return None
    if given.framing is None:
        count = source.structs(protocol, depth)
        return f"{count} structs" if count > 1 else None
    return "structs" if given.is_assumed and source.lacks_sizes(protocol, depth) else None


@contextlib.contextmanager
def reading(given: Input, how: Optional[dict[str, Any]], earlier: Sequence[Error] = ()) -> Iterator[tuple[Input, Any]]:
    """The input, whose faults are reported with its name, those found earlier before the last; and what it proved to be: bytes of protocol and
    depth `how` that are structs back to back are many records, whatever was said."""
    if given.file == "-" and sys.stdin is not None and sys.stdin.isatty():
        say("reading from the terminal")
    with _files.reading(given.file, given.max_size) as source, reporting(given.file, earlier, source, given.framing is None):
        if how is not None and (bare := _bare_structs(given, source, how)) is not None:
            say(f"{display_name(given.file)}: {bare} back to back (--framing none)")
            given = given._replace(framing="none")
        yield given, source


def load_schema(idl: str, options: dict[str, Any]) -> Schema:
    """Loads the IDL of a command; removes the options of loading from `options`. Exits where the file cannot be read."""
    try:
        return load_idl(idl, options)
    except Error as error:
        if error.code == "io":
            fail(str(error), status=2)
        raise


def load_idl(idl: str, options: dict[str, Any]) -> Schema:
    """Like load_schema, but raises every error."""
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
                say(f"{idl}: warning: the include {each!r} was not found")
            includes.update(dict.fromkeys(missing, ""))


def _missing_includes(error: Error) -> set[str]:
    """What stands between the quotes of the includes that were not found."""
    found = [each for each in getattr(error, "diagnostics", ()) if each.kind == "include-not-found"]
    return {match[2] for each in found if (match := re.search(r"""include\s+(["'])(.*?)\1""", each.source))}


def _stub(given: str) -> tuple[str, str]:
    name, equals, text = given.partition("=")
    if not name or not equals:
        raise click.UsageError(f"--stub must be NAME=TEXT, not {given!r}")
    return name, text


def typed(given: Input, idl: str, type_name: str, options: dict[str, Any]) -> tuple[Input, Type]:
    """The TYPE of the command line, which may be what a function's messages carry: Shop.get.arguments, Shop.get.result."""
    return typed_in(load_schema(idl, options), given, type_name)


def typed_in(schema: Schema, given: Input, type_name: str) -> tuple[Input, Type]:
    service, _, name = type_name.rpartition(".")[0].rpartition(".")
    part = type_name.rpartition(".")[2]
    if part not in ("arguments", "result") or service not in schema.services:
        return given, find_type(schema, type_name, True)
    of = schema.service(service)
    function = of.function(name)
    others = tuple(each for each in schema.services.values() if each.name != of.name)
    target = MessageTarget(of, function.name, part == "result", others)
    return given._replace(target=target), function.result if part == "result" else function.arguments


def find_type(schema: Schema, name: str, takes_functions: bool = False) -> Type:
    """The type of that name. The error for a service or a function suggests its arguments and results if the command takes them."""
    try:
        return schema[name]
    except UnknownNameError as error:
        service, function = schema._service_and_function(name)
        prefix = f"{service}.{function or 'FUNCTION'}"
        error.hint = f"TYPE is {prefix}.arguments or {prefix}.result" if takes_functions and service else None
        raise


def optional_type(idl: Optional[str], type_name: Optional[str], options: dict[str, Any]) -> Optional[Type]:
    """The type of --idl and --type."""
    if (idl is None) != (type_name is None):
        raise click.UsageError("--idl and --type must be given together")
    return find_type(load_schema(idl, options), type_name) if idl is not None and type_name is not None else None


def take_schemas(options: dict[str, Any]) -> dict[str, Schema]:
    """Removes the IDL files from the options of a command and loads them."""
    read = {name: options.pop(name) for name in SCHEMA_OPTIONS}
    return {idl: load_schema(idl, dict(read)) for idl in options.pop("idls")}


def services_of(schemas: Mapping[str, Schema]) -> list[Service]:
    return [service for schema in schemas.values() for service in schema.services.values()]
