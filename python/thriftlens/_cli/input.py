"""The input of a command: IDL, type, file and framing."""

import contextlib
import re
import sys
from typing import Any, Iterator, Mapping, NamedTuple, Optional, Sequence

import click

from .._errors import Error, UnknownNameError
from .._records.cuts import Cut
from .._schema.loading import load
from .._schema.schemas import Schema
from .._schema.services import Service
from .._schema.types import Type, service_and_function
from .options import SCHEMA_OPTIONS
from .report import display_name, fail, reporting, say
from .source import open_source


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
    """The input options of a command. framing:

    None for a single value. on_error: the handling of invalid records."""

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
    framed: bool = False  # all messages are framed
    is_assumed: bool = False  # u32 is only the default of --lines; it may be replaced by detection
    copies: bool = False  # messages of other functions are copied, not dropped
    unredacted: Optional[str] = (
        None  # redactions: drop, error or keep for bytes that no rule applies to
    )

    @property
    def scans_cut_end(self) -> str:
        """`cut_end` for a scan.

        Unless errors stop the command, the scan drops the cut record and the command reports it."""
        return "error" if self.cut_end == "error" and self.on_error == "raise" else "drop"

    @property
    def lines(self) -> bool:
        return self.framing is not None

    def selects(self, cut: Cut) -> bool:
        """Whether the message is of the target function, if there is one."""
        if self.target is None or cut.message is None:
            return True
        return self.target.matches(*cut.message[:2], is_strict=self.unredacted is not None)


def take_input(file: str, options: dict[str, Any], *protocols: Any) -> Input:
    """Removes the input options from the options of a command. protocols: of the input and the
    output."""
    lead = options.pop("lead")
    framing_option, lines = options.pop("framing"), options.pop("lines")
    framing = framing_option or ("u32" if lines else "none" if lead else None)
    is_text = "tjson" in protocols and framing is not None
    if is_text and (framing_option or not lines or set(protocols) != {"tjson"}):
        raise click.UsageError(
            "many values of tjson need --lines, without --framing and without another protocol"
        )
    options.setdefault("jobs", 1)
    spec = Input(
        file,
        "lines" if is_text else framing,
        *(
            options.pop(name)
            for name in ("max_size", "on_error", "start", "limit", "jobs", "cut_end")
        ),
    )
    spec = spec._replace(lead=lead, is_assumed=lines and framing_option is None and not lead)
    if lead and framing == "message":
        raise click.UsageError("--lead cannot be used with --framing message")
    if framing is None and (spec.on_error != "raise" or spec.start or spec.limit is not None):
        raise click.UsageError(
            "--on-error, --start and --limit need --framing; `thriftlens inspect` detects the "
            "framing of a file"
        )
    return spec


def _bare_structs(spec: Input, source: Any, decoding: dict[str, Any]) -> Optional[str]:
    """If the input is structs without framing, although no option says so: a description of them
    for the message; else None."""
    protocol, depth = decoding["protocol"], decoding.get("depth", 64)
    if protocol == "tjson":
        return None
    if spec.framing is None:
        count = source.count_structs(protocol, depth)
        return f"{count} structs" if count > 1 else None
    return "structs" if spec.is_assumed and source.has_bare_struct(protocol, depth) else None


@contextlib.contextmanager
def reading(
    spec: Input, decoding: Optional[dict[str, Any]], earlier: Sequence[Error] = ()
) -> Iterator[tuple[Input, Any]]:
    """Opens the input; errors are reported with its name, after the `earlier` ones. With `decoding`
    (protocol, depth), detects structs without
    framing and returns the input with framing none."""
    if spec.file == "-" and sys.stdin is not None and sys.stdin.isatty():
        say("reading from the terminal")
    with (
        open_source(spec.file, spec.max_size) as source,
        reporting(spec.file, earlier, source, spec.framing is None),
    ):
        if decoding is not None and (structs := _bare_structs(spec, source, decoding)) is not None:
            say(f"{display_name(spec.file)}: {structs} back to back (--framing none)")
            spec = spec._replace(framing="none")
        yield spec, source


def load_schema(idl: str, options: dict[str, Any]) -> Schema:
    """Loads the IDL of a command; removes the load options from `options`.

    Exits if the file cannot be read."""
    try:
        return load_idl(idl, options)
    except Error as error:
        if error.code == "io":
            fail(str(error), status=2)
        raise


def load_idl(idl: str, options: dict[str, Any]) -> Schema:
    """Like load_schema, but raises every error."""
    load_options = {name: options.pop(name) for name in ("include_dirs", "strict", "implicit_ids")}
    includes = dict(_stub(name) for name in options.pop("stubs"))
    warns = options.pop("missing_include") == "warn"
    while True:
        try:
            return load(idl, includes=includes, **load_options)
        except Error as error:
            missing = _missing_includes(error) - set(includes) if warns else set()
            if not missing:
                raise
            for name in sorted(missing):
                say(f"{idl}: warning: include {name!r} not found")
            includes.update(dict.fromkeys(missing, ""))


def _missing_includes(error: Error) -> set[str]:
    """The paths of the includes that were not found, as written in the IDL."""
    items = [item for item in getattr(error, "diagnostics", ()) if item.kind == "include-not-found"]
    return {
        match[2]
        for item in items
        if (match := re.search(r"""include\s+(["'])(.*?)\1""", item.source))
    }


def _stub(option: str) -> tuple[str, str]:
    name, equals, text = option.partition("=")
    if not name or not equals:
        raise click.UsageError(f"invalid --stub {option!r}; expected NAME=TEXT")
    return name, text


def typed(spec: Input, idl: str, type_name: str, options: dict[str, Any]) -> tuple[Input, Type]:
    """The TYPE of a command; also the arguments or result of a function:

    Shop.get.arguments, Shop.get.result."""
    return typed_in(load_schema(idl, options), spec, type_name)


def typed_in(schema: Schema, spec: Input, type_name: str) -> tuple[Input, Type]:
    service, _, name = type_name.rpartition(".")[0].rpartition(".")
    part = type_name.rpartition(".")[2]
    if part not in ("arguments", "result") or service not in schema.services:
        return spec, find_type(schema, type_name, True)
    declaring = schema.service(service)
    function = declaring.function(name)
    others = tuple(other for other in schema.services.values() if other.name != declaring.name)
    target = MessageTarget(declaring, function.name, part == "result", others)
    return spec._replace(target=target), function.result if part == "result" else function.arguments


def find_type(schema: Schema, name: str, takes_functions: bool = False) -> Type:
    """The type of that name.

    The error for a service or a function suggests its arguments and results if the command takes
    them."""
    try:
        return schema[name]
    except UnknownNameError as error:
        service, function = service_and_function(schema._core, name)
        prefix = f"{service}.{function or 'FUNCTION'}"
        if takes_functions and service:
            error.hint = f"TYPE is {prefix}.arguments or {prefix}.result"
        else:
            error.hint = None
        raise


def optional_type(
    idl: Optional[str], type_name: Optional[str], options: dict[str, Any]
) -> Optional[Type]:
    """The type of --idl and --type."""
    if (idl is None) != (type_name is None):
        raise click.UsageError("--idl and --type need each other")
    if idl is not None and type_name is not None:
        return find_type(load_schema(idl, options), type_name)
    return None


def take_schemas(options: dict[str, Any]) -> dict[str, Schema]:
    """Removes the IDL files from the options of a command and loads them."""
    schema_options = {name: options.pop(name) for name in SCHEMA_OPTIONS}
    return {idl: load_schema(idl, dict(schema_options)) for idl in options.pop("idls")}


def services_of(schemas: Mapping[str, Schema]) -> list[Service]:
    return [service for schema in schemas.values() for service in schema.services.values()]
