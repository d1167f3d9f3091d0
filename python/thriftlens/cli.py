"""The command line: thin commands over the package. Exit status 0: fine, 1: bad data or IDL, 2: bad usage; diff has its own."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, NoReturn, Optional, TypeVar

import click

from . import __version__, _core
from ._edit import Edit
from ._errors import Error, JSONError, UnknownNameError
from ._lens import RedactReport
from ._schema import Schema, Type, load

_Command = TypeVar("_Command", bound=Callable[..., Any])


class _Commands(click.Group):
    """Turns what users can cause into one line on stderr and an exit status."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        try:
            return super().main(*arguments, **options)
        except Error as error:
            _fail(str(error), status=2 if _is_usage(error) else 1)
        except OSError as error:
            _abandon_output()
            _fail(f"{os.fsdecode(error.filename)}: {error.strerror}" if error.filename else error.strerror or str(error), status=2)
        except MemoryError:
            _fail("out of memory")


def _fail(message: str, status: int = 1) -> NoReturn:
    click.echo(f"thriftlens: {message}", err=True)
    sys.exit(status)


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


def _options(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    def add(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def _words(name: str, *words: str, help: str) -> Callable[[_Command], _Command]:
    """An option with the words of the same option in Python; the first is the default."""
    return click.option(name, type=click.Choice(words), default=words[0], show_default=True, help=help)


_idl = _options(
    click.argument("idl", type=click.Path()),
    click.option("-I", "--include-dir", "include_dirs", multiple=True, metavar="DIR", help="Search includes here too; may stand more than once."),
    click.option("--strict", is_flag=True, help="Accept only IDL that the Apache compiler accepts."),
    _words("--implicit-ids", "apache", "cloudwego", help="How fields without an id are numbered."),
)
_protocol = _options(
    _words("--protocol", "binary", "compact", help="Of the Thrift bytes."),
    click.option("--depth", type=click.IntRange(0, 1024), default=64, show_default=True, help="Most levels of nesting."),
)
_framing = _options(
    click.option("--lines", is_flag=True, help="Many records: one line of JSON each, framed Thrift bytes."),
    click.option("--framing", type=click.Choice(["u32"]), help="With --lines: a big-endian length before each record, u32 where nothing is said."),
)
_output_size = click.option(
    "--output-size",
    type=click.IntRange(0, 2**32 - 1),
    default=0,
    help="Most bytes of output; 0: 16 MiB and 8 for each byte of input (diff: 64, of memory).",
)
_missing = _words("--missing-required", "error", "omit", help="Required fields that are missing, as trim leaves values.")
_unknown = _words("--unknown", "keep", "drop", "error", help="Fields that the IDL does not know.")
_output = click.option("-o", "--output", type=click.Path(), default="-", metavar="OUT", help="Written whole or not at all; - is standard output.")


def _load(idl: str, include_dirs: tuple[str, ...], strict: bool, implicit_ids: Any) -> Schema:
    try:
        return load(idl, include_dirs=include_dirs, strict=strict, implicit_ids=implicit_ids)
    except Error as error:
        if error.code == "io":
            _fail(str(error), status=2)
        raise


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="thriftlens")
def main() -> None:
    """Apache Thrift data in place, under IDL that is parsed at run time.

    FILE may be - for standard input. Exit status: 0 fine, 1 bad data or IDL, 2 bad usage.
    """


@main.command()
@_idl
@click.argument("type_name", metavar="[TYPE]", required=False)
@click.option("--json", is_flag=True, help="As one JSON object (thriftlens.describe/1).")
def describe(idl: str, include_dirs: tuple[str, ...], strict: bool, implicit_ids: str, type_name: Optional[str], json: bool) -> None:
    """Show what an IDL file declares, or one TYPE of it."""
    text = _load(idl, include_dirs, strict, implicit_ids).describe(type_name, json=json)
    _print((text if text.endswith("\n") else text + "\n").encode("utf-8", "surrogateescape"))


@main.command("to-json")
@_idl
@click.argument("type_name", metavar="TYPE")
@click.argument("file", type=click.Path(allow_dash=True))
@_output
@_protocol
@_output_size
@click.option("--pretty", is_flag=True, help="Indented by two blanks a level.")
@_framing
@_words("--enums", "number", "name", help="Enum values as numbers or names.")
@_words("--int64", "number", "string", help="i64 as a number or a string.")
@_words("--nonfinite", "error", "string", help='NaN and infinities: refuse, or write "NaN".')
@_words("--unknown", "skip", "error", help="Fields that the IDL does not know.")
@_words("--defaults", "omit", "write", help="Absent fields with a default in the IDL.")
@_words("--names", "field", "alias", help="Keys: field names, or aliases (api.key, go.tag).")
@_words("--invalid-utf8", "error", "replace", help="Strings that are not UTF-8.")
@_words("--mismatch", "error", "skip", help="Fields whose wire type contradicts the IDL.")
@_words("--duplicates", "error", "last", help="A field or key that stands twice.")
@_missing
@click.option("--select", metavar="SELECTION", help="Only these parts, as trim would cut them: '{ id user { name } }'.")
def to_json(
    idl: str,
    include_dirs: tuple[str, ...],
    strict: bool,
    implicit_ids: str,
    type_name: str,
    file: str,
    output: str,
    lines: bool,
    framing: Optional[str],
    pretty: bool,
    **options: Any,
) -> None:
    """Turn the Thrift bytes of one value of TYPE into JSON; with --lines, many."""
    _check_lines(lines, framing)
    if lines and pretty:
        raise click.UsageError("--pretty and --lines exclude each other")
    of = _load(idl, include_dirs, strict, implicit_ids)[type_name]
    from . import _files

    with _files.reading(file) as source, _files.writing(output) as sink, _about(file):
        if lines:
            _each(source, sink, _files.frames(source), lambda record: of.to_json(record, **options) + b"\n")
        else:
            sink.write(of.to_json(source.read(), pretty=pretty, **options) + b"\n")


@main.command("from-json")
@_idl
@click.argument("type_name", metavar="TYPE")
@click.argument("file", type=click.Path(allow_dash=True))
@_output
@_protocol
@_output_size
@_framing
@_words("--unknown", "error", "skip", help="Keys that the IDL does not know.")
@_words("--quoted-numbers", "error", "accept", help='"5" where the IDL has a number.')
@_words("--base64", "strict", "lenient", help="Lenient: also unpadded, also the URL alphabet.")
@_words("--duplicates", "error", "last", help="A key that stands twice.")
@_words("--nonfinite", "error", "string", help='"NaN", "Infinity" and "-Infinity" for doubles.')
@_words("--defaults", "omit", "write", help="Absent fields with a default in the IDL.")
@_words("--names", "field", "alias", "both", help="Keys: field names, aliases (api.key, go.tag), or either.")
def from_json(
    idl: str,
    include_dirs: tuple[str, ...],
    strict: bool,
    implicit_ids: str,
    type_name: str,
    file: str,
    output: str,
    lines: bool,
    framing: Optional[str],
    **options: Any,
) -> None:
    """Turn JSON of one value of TYPE into Thrift bytes; with --lines, one value a line."""
    _check_lines(lines, framing)
    of = _load(idl, include_dirs, strict, implicit_ids)[type_name]
    from . import _files

    with _files.reading(file) as source, _files.writing(output) as sink, _about(file):
        if lines:
            texts = (line for line in source if not line.isspace())
            _each(source, sink, texts, lambda line: _files.framed(of.from_json(line, **options)))
        else:
            sink.write(of.from_json(source.read(), **options))


@main.command()
@_idl
@click.argument("type_name", metavar="[TYPE", required=False)
@click.argument("file", metavar="FILE]", type=click.Path(allow_dash=True), required=False)
@_protocol
@_framing
@_words("--unknown", "keep", "error", help="Fields that the IDL does not know.")
@_words("--utf8", "error", "keep", help="Strings that are not UTF-8.")
@_words("--enums", "known", "any", help="Enum values without a name.")
@_words("--keys", "any", "unique", help="Map keys and set elements that stand twice.")
@_words("--rules", "error", "ignore", help="The vt.* annotations of the IDL.")
@_missing
def check(
    idl: str,
    include_dirs: tuple[str, ...],
    strict: bool,
    implicit_ids: str,
    type_name: Optional[str],
    file: Optional[str],
    lines: bool,
    framing: Optional[str],
    **options: Any,
) -> None:
    """Check an IDL file, and whether FILE holds a sound value of TYPE, down to the vt.* rules. Findings and warnings go to stderr."""
    _check_lines(lines, framing)
    if type_name is not None and file is None:
        raise click.UsageError("TYPE and FILE go together")
    schema = _load(idl, include_dirs, strict, implicit_ids)
    if type_name is None or file is None:
        for warning in schema.warnings:
            click.echo(str(warning), err=True)
        return _print(f"{idl}: fine, {_count(len(schema.types), 'type')}, {_count(len(schema.warnings), 'warning')}\n".encode())
    of = schema[type_name]
    from . import _files

    def accept(record: Any) -> bytes:
        found = of.findings(record, **options)
        for each in found[:-1]:
            click.echo(f"thriftlens: {_name(file)}: {each}", err=True)
        if found:
            raise found[-1]
        return b""

    checked = 1
    with _files.reading(file) as source, _about(file):
        if lines:
            checked = _each(source, None, _files.frames(source), accept)
        else:
            accept(source.read())
    _print(f"{_name(file)}: fine, {_count(checked, 'value')} of {of.name}\n".encode())


_one = _options(
    click.argument("idl", type=click.Path()),
    click.option("-I", "--include-dir", "include_dirs", multiple=True, metavar="DIR", help="Search includes here too; may stand more than once."),
    _protocol,
)


def _type(idl: str, include_dirs: tuple[str, ...], name: str) -> Type:
    return _load(idl, include_dirs, False, "apache")[name]


def _rewrite(file: str, output: str, change: Callable[[bytes], bytes]) -> None:
    from . import _files

    with _files.reading(file) as source, _files.writing(output) as sink, _about(file):
        sink.write(change(source.read()))


def _edit(
    idl: str, include_dirs: tuple[str, ...], type_name: str, path: str, file: str, output: str, change: Callable[[Edit], Edit], unknown: Any, **options: Any
) -> None:
    of = _type(idl, include_dirs, type_name)
    of.at(path)

    def changed(data: bytes) -> bytes:
        data = change(of.edit(data, **options)).apply()
        if unknown == "keep":
            return data
        return of.redact(data, paths={"$": "keep"}, unknown=unknown, missing_required="omit", **options)

    _rewrite(file, output, changed)


@main.command()
@_one
@click.argument("type_name", metavar="TYPE")
@click.argument("path")
@click.argument("file", type=click.Path(allow_dash=True))
@_words("--enums", "number", "name", help="Enum values as numbers or names.")
@_words("--unknown", "skip", "error", help="Fields that the IDL does not know.")
@_missing
def get(
    idl: str,
    include_dirs: tuple[str, ...],
    type_name: str,
    path: str,
    file: str,
    enums: Any,
    unknown: Any,
    **options: Any,
) -> None:
    """Print the value at PATH ($.items[3].price) as JSON; with a wildcard, one value a line. Exit status 1 where nothing is there."""
    of = _type(idl, include_dirs, type_name)
    to = of.at(path)
    from . import _files

    with _files.reading(file) as source, _about(file):
        found = of.view(source.read(), **options).get(path, [])
        values = found if isinstance(found, list) else [found]
        if not values:
            _fail(f"{_name(file)}: nothing at {path}")
        for value in values:
            part = bytes(value) if isinstance(value, _core.View) else to.encode(value, protocol=options["protocol"])
            _print(to.to_json(part, enums=enums, unknown=unknown, nonfinite="string", **options) + b"\n")


@main.command("set")
@_one
@click.argument("type_name", metavar="TYPE")
@click.argument("path")
@click.argument("json")
@click.argument("file", type=click.Path(allow_dash=True))
@_output
@click.option("--create", is_flag=True, help="Make the structs and maps on the way where they are missing.")
@_unknown
def set_(path: str, json: str, create: bool, **options: Any) -> None:
    """Set the value at PATH to JSON; everything else stays as it is."""

    def change(edit: Edit) -> Edit:
        try:
            return edit.create(path, json=json) if create else edit.set(path, json=json)
        except JSONError as error:
            _fail(f"JSON: {error}")

    _edit(path=path, change=change, **options)


@main.command()
@_one
@click.argument("type_name", metavar="TYPE")
@click.argument("path")
@click.argument("file", type=click.Path(allow_dash=True))
@_output
@_unknown
def delete(path: str, **options: Any) -> None:
    """Remove the field, element or entry at PATH; everything else stays as it is."""
    _edit(path=path, change=lambda edit: edit.erase(path), **options)


@main.command()
@_one
@click.argument("type_name", metavar="TYPE")
@click.argument("selection")
@click.argument("file", type=click.Path(allow_dash=True))
@_output
@_words("--unknown", "selected", "keep", "drop", "error", help="Fields that the IDL does not know, in structs that SELECTION opens.")
@_words("--defaults", "omit", "write", help="Selected fields that are absent and have a default.")
@_output_size
def trim(
    idl: str, include_dirs: tuple[str, ...], type_name: str, selection: str, file: str, output: str, **options: Any
) -> None:
    """Keep what SELECTION names: '{ id user { name } }', '{ * -debug }'."""
    of = _type(idl, include_dirs, type_name)
    _rewrite(file, output, lambda data: of.trim(data, selection, **options))


@main.command()
@_one
@click.argument("type_name", metavar="TYPE")
@click.argument("file", type=click.Path(allow_dash=True), default="-")
@_output
@click.option("--annotation", default="", metavar="KEY", help="Redact the fields that have this annotation; its value may be the action.")
@click.option("--value", "values", type=(str, str), multiple=True, metavar="VALUE ACTION", help="What a value of the annotation means.")
@click.option("--otherwise", default="blank", metavar="ACTION", show_default=True, help="What any other value means.")
@click.option("--path", "paths", type=(str, str), multiple=True, metavar="PATH ACTION", help="Redact what is at PATH.")
@click.option("--key-file", type=click.Path(), help="Up to 16 secret bytes for hash.")
@_words("--unknown", "drop", "keep", "error", help="Fields that the IDL does not know.")
@_words("--missing", "error", "ignore", help="Rules that reach nothing of TYPE.")
@_words("--missing-required", "error", "omit", help="Required fields that are not there.")
@click.option("--explain", is_flag=True, help="Print what will be hidden: path, action and reason. FILE is not read.")
def redact(
    idl: str,
    include_dirs: tuple[str, ...],
    type_name: str,
    file: str,
    output: str,
    values: tuple[tuple[str, str], ...],
    paths: tuple[tuple[str, str], ...],
    key_file: Optional[str],
    protocol: Any,
    depth: int,
    explain: bool,
    **rules: Any,
) -> None:
    """Take out what must not be passed on. ACTION: keep, drop, blank, hash, keep_last(4) or constant(text).

    A rule that reaches nothing is an error; fields that the IDL does not know are dropped, and their number is told."""
    of = _type(idl, include_dirs, type_name)
    rules.update(values=_pairs("--value", values), paths=_pairs("--path", paths), key=_key(key_file))
    try:
        listing = of.redactions(**rules)
    except Error as error:  # rules that make no sense for TYPE
        _fail(str(error), status=2)
    if explain:
        return _print("".join("\t".join(each) + "\n" for each in listing).encode())
    dropped = 0

    def change(data: bytes) -> bytes:
        nonlocal dropped
        reports: list[RedactReport] = []
        data = of.redact(data, report=reports.append, protocol=protocol, depth=depth, **rules)
        dropped += reports[0].unknown
        return data

    _rewrite(file, output, change)
    if dropped:
        click.echo(f"thriftlens: {_name(file)}: {_count(dropped, 'unknown field')} dropped", err=True)


def _pairs(option: str, given: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """A second one of the same name would change the order, and with it which rule holds."""
    pairs: dict[str, str] = {}
    for name, action in given:
        if name in pairs:
            raise click.UsageError(f"{option} {name!r} is there twice")
        pairs[name] = action
    return pairs


def _key(file: Optional[str]) -> bytes:
    if file is None:
        return b""
    from . import _files

    with _files.reading(file) as source:
        key: bytes = source.read(17)
    if not 1 <= len(key) <= 16:
        raise click.UsageError("--key-file holds 1 to 16 bytes")
    return key


@main.command()
@_one
@click.argument("type_name", metavar="TYPE")
@click.argument("left", metavar="A", type=click.Path(allow_dash=True))
@click.argument("right", metavar="B", type=click.Path(allow_dash=True))
@click.option("--right-protocol", type=click.Choice(["binary", "compact"]), help="Of B, where it is not that of A.")
@click.option("--most", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="Most differences shown.")
@_words("--order", "ignore", "keep", help="Whether the order of sets and maps counts.")
@_output_size
def diff(
    idl: str,
    include_dirs: tuple[str, ...],
    type_name: str,
    left: str,
    right: str,
    protocol: Any,
    depth: int,
    right_protocol: Any,
    most: int,
    order: Any,
    output_size: int,
) -> None:
    """Print what must be done to the value in A to get the one in B, one line each: - removed, + added, ~ changed.

    Exit status as diff has it: 0 equal, 1 different, 2 trouble, bad data among it.
    """
    if left == right == "-":
        raise click.UsageError("only one of A and B can be standard input")
    try:
        of = _type(idl, include_dirs, type_name)
    except Error as error:
        _fail(str(error), status=2)
    from . import _files

    with _files.reading(left) as source, _files.reading(right) as other:
        try:
            second = right_protocol or protocol
            found = _core.differences(of, source.read(), other.read(), protocol, second, order == "keep", most + 1, depth, output_size)
        except Error as error:
            _fail(f"{_name(left)}, {_name(right)}: {error}", status=2)
    for kind, path, *sides in found[:most]:
        mark = {"added": "+", "removed": "-", "changed": "~"}[kind]
        shown = [_shown(of, path, side, spoken, depth) for side, spoken in zip(sides, (protocol, second)) if side is not None]
        _print(f"{mark} {path}: ".encode() + b" -> ".join(shown) + b"\n")
    if len(found) > most:
        click.echo(f"thriftlens: more than {most} differences", err=True)
    sys.exit(1 if found else 0)


def _shown(of: Type, path: str, data: bytes, protocol: Any, depth: int) -> bytes:
    """Wire bytes as JSON; those of what the IDL does not know as x"hex"."""
    try:
        return of.at(path).to_json(data, protocol=protocol, depth=depth, nonfinite="string", invalid_utf8="replace")
    except Error:
        return b'x"' + data.hex().encode() + b'"'


@main.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--idl", type=click.Path(), help="Show names too: the IDL …")
@click.option("--type", "type_name", metavar="TYPE", help="… and the type in it.")
@click.option("-I", "--include-dir", "include_dirs", multiple=True, metavar="DIR", help="Search includes here too; may stand more than once.")
@_protocol
@_output_size
def inspect(file: str, idl: Optional[str], type_name: Optional[str], include_dirs: tuple[str, ...], **options: Any) -> None:
    """Print the bytes of a struct as a tree of offsets, field ids, wire types and values; no IDL is needed."""
    if (idl is None) != (type_name is None):
        raise click.UsageError("--idl and --type go together")
    of = _type(idl, include_dirs, type_name) if idl is not None and type_name is not None else None
    from . import _files
    from ._lens import inspect as tree

    with _files.reading(file) as source:
        text = tree(source.read(), type=of, **options)
    body, mark, fault = text.rpartition("\n! ")
    _print((body + "\n" if mark else text).encode())
    if mark:
        _fail(f"{_name(file)}: {fault.strip()}")


@main.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--from", "source", type=click.Choice(["binary", "compact"]), required=True, help="Protocol of FILE.")
@click.option("--to", "target", type=click.Choice(["binary", "compact"]), required=True, help="Protocol of OUT.")
@_output
def convert(file: str, source: Any, target: Any, output: str) -> None:
    """Turn the bytes of a struct into the other protocol; no IDL is needed."""
    from ._lens import convert as turn

    _rewrite(file, output, lambda data: turn(data, source=source, target=target))


def _check_lines(lines: bool, framing: Optional[str]) -> None:
    if framing is not None and not lines:
        raise click.UsageError("--framing goes with --lines")


def _name(file: str) -> str:
    return "<stdin>" if file == "-" else file


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _print(data: bytes) -> None:
    from . import _files

    with _files.writing("-") as sink:
        sink.write(data)


class _about:
    """Puts the name of the file, and with many records the number of the record, before what is wrong with it."""

    def __init__(self, file: str):
        self._file = _name(file)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, Error) and not _is_usage(error):
            record = f"record {error.record}: " if hasattr(error, "record") else ""
            _fail(f"{self._file}: {record}{error}")


def _each(source: Any, sink: Any, records: Any, change: Callable[[Any], bytes]) -> int:
    """Writes change(record) for each record, holding one record at a time; gives their number."""
    from . import _files

    done = 0
    with _files.progress(source) as moved:
        try:
            for record in records:
                changed = change(record)
                if sink is not None:
                    sink.write(changed)
                done += 1
                if done % 512 == 0:
                    moved()
        except Error as error:
            error.record = done + 1  # type: ignore[attr-defined]
            raise
    return done
