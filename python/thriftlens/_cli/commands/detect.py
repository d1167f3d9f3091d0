"""`thriftlens inspect`, `identify` and `infer`: bytes without known type."""

from __future__ import annotations

import binascii
import itertools
import json
import os
import re
import sys
from typing import Any, Callable, Iterator, Optional, Sequence

import click

from ... import _core
from ..._errors import Error
from ..._records import detect as _detect
from ..._records import identify as _identify
from ..._records import inspection as _inspection
from ..._records.scanner import Scan
from ..._rpc.message import without_record
from ..._schema.schemas import Schema
from ..._schema.types import Type
from ..._text import escaped, escaped_lines
from .. import completion as _complete
from .. import io as _files
from .. import options as opt
from ..input import Input, load_idl, optional_type, reading, take_input
from ..records import scan_records
from ..report import display_name, fail, plural, say

Say = Callable[[str], None]


_LINE = re.compile(
    r"""(?P<at>[0-9a-f]{8,})(?P<blank> +)(?P<id>#-?\d+|\[\d+\]|key|=)?(?P<word>[^"]*)(?P<text>".*)?""",
    re.S,
)
_COLOURS = {"at": "2", "id": "36", "text": "32"}


def formatted(text: str, depth: int, in_colour: bool) -> str:
    """The lines of a tree, in colours if `in_colour`.

    Lines deeper than `depth` are replaced by a count on their parent's line.
    """
    lines: list[str] = []
    hidden = 0
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match and len(match["blank"]) // 2 - 1 > depth:
            hidden += 1
            continue
        _append_hidden(lines, hidden)
        hidden = 0
        lines.append(_coloured(match, line) if in_colour else line)
    _append_hidden(lines, hidden)
    return "".join(line + "\n" for line in lines)


def _append_hidden(lines: list[str], hidden: int) -> None:
    if hidden and lines:
        lines[-1] += f"  … {hidden} more line{'' if hidden == 1 else 's'}"


def _coloured(match: Optional[re.Match[str]], line: str) -> str:
    if match is None:
        return f"\x1b[31m{line}\x1b[0m" if line.startswith("! ") else f"\x1b[1m{line}\x1b[0m"
    return "".join(
        f"\x1b[{_COLOURS[name]}m{part}\x1b[0m" if name in _COLOURS else part
        for name, part in match.groupdict().items()
        if part
    )


def write_detected(
    data: Any,
    sink: _files.Sink,
    options: dict[str, Any],
    style: Callable[[str], str],
    max_values: Optional[int],
    forced: Sequence[_detect.Guess] = (),
) -> Optional[str]:
    """Writes the guess and the trees; returns the error of the last tree."""
    guesses = list(forced) or _detect.detect(data, depth=options["depth"])
    line = _detect.guess_line(guesses) if not forced else str(forced[0])
    if forced or _detect.is_thrift(guesses):
        sink.write(style(f"{escaped(line)}\n").encode())
        trees = _inspection.trees(data, guesses[0], options, max_values)
    else:
        sink.write(style(f"{escaped(line)}; as Binary:\n").encode())
        trees = iter([_core.inspect(data, protocol="binary", **options)])
    for text in trees:
        if (fault := write_tree(text, sink, style)) is not None:
            return fault
    return None


def write_tree(text: str, sink: _files.Sink, style: Callable[[str], str]) -> Optional[str]:
    """Writes a tree. If its last line is an error, returns the error instead of writing it."""
    text = escaped_lines(text)
    body, mark, fault = ("\n" + text).rpartition("\n! ")
    sink.write(style((body[1:] + "\n" if body else "") if mark else text).encode())
    return fault.strip() if mark else None


def check_struct(data: Any, protocol: Any, depth: int) -> None:
    """Raises an error if the bytes are not exactly one struct."""
    _, end, _, error, _ = _core.cut_records(
        data, protocol=protocol, depth=depth, record_size=1 << 62
    )
    if error is not None:
        raise without_record(error)
    if end != len(data):
        raise Error(f"bytes follow the struct (byte {end})", code="trailing_bytes", offset=end)


def guess_of(protocol: Any, framing: Optional[str]) -> _detect.Guess:
    """The guess that --protocol and --framing stand for."""
    label = {"binary": "Binary", "compact": "Compact", "tjson": "Apache's JSON protocol"}[protocol]
    if framing is None:
        return _detect.Guess((), "struct", protocol, "none", 0, 1, 0.0, 1.0, label)
    if framing == "message":
        return _detect.Guess((), "messages", protocol, framing, 0, 1, 0.0, 1.0, "RPC messages")
    return _detect.Guess(
        (), "structs", protocol, framing, 0, 1, 0.0, 1.0, f"{label}, records ({framing})"
    )


def page(
    data: Any, options: dict[str, Any], forced: Sequence[_detect.Guess] = (), depth: int = 1024,
    max_values: Optional[int] = None
) -> tuple[str, Optional[str]]:  # fmt: skip
    """A self-contained HTML page with the trees, the bytes and a search; and the error of the last
    tree.
    """
    guesses = list(forced) or _detect.detect(data, depth=options["depth"])
    guess = guesses[0] if forced or _detect.is_thrift(guesses) else guess_of("binary", None)
    values, pieces, fault = [], [], None
    try:
        for value in itertools.islice(
            _inspection.values(data, guess, depth=options["depth"]), max_values
        ):
            heading = (
                _inspection.heading(value).rstrip("\n")
                if guess.shape != "struct" or guess.framing != "none"
                else ""
            )
            tree, value_bytes = _inspection.tree(value, options), value.data
            if value.protocol == "tjson":  # offsets count in Binary
                value_bytes = _core.convert(
                    value.data, source="tjson", target="binary", depth=options["depth"]
                )
            values.append({"heading": heading, "tree": tree, "size": len(value_bytes)})
            pieces.append(bytes(value_bytes))
            fault = _fault_of(tree)
    except Error as error:
        values.append({"heading": "", "tree": f"! {error}\n", "size": 0})
        fault = str(error)
    content = {
        "guess": _detect.guess_line(guesses) if not forced else str(guess),
        "values": values,
        "bytes": binascii.b2a_base64(b"".join(pieces), newline=False).decode(),
        "broken": fault is not None,
        "depth": depth,
    }
    template = _template()
    return template.replace("@DATA@", json.dumps(content).replace("<", "\\u003c")), fault


def _template() -> str:
    with open(
        os.path.join(os.path.dirname(__file__), "inspect_page.html"), encoding="utf-8"
    ) as file:
        return file.read()


def _fault_of(tree: str) -> Optional[str]:
    _, mark, fault = ("\n" + tree).rpartition("\n! ")
    return fault.strip() if mark else None


def schemas_of(folder: str, read: Callable[[str], Schema], say: Say) -> list[tuple[str, Schema]]:
    """(path, schema) of the IDL files in a folder, recursively, or of one file.

    Reports and skips files that cannot be loaded.
    """
    schemas = []
    for path in _idl_files(folder, say):
        try:
            schemas.append((os.path.relpath(path, folder) if path != folder else path, read(path)))
        except (Error, OSError) as error:
            text = str(error).partition("\n")[0]
            say(f"skipped: {text if path in text else f'{path}: {text}'}")
    if not schemas:
        raise FileNotFoundError(2, "no readable IDL file", folder)
    return schemas


def _idl_files(folder: str, say: Say) -> Iterator[str]:
    """The regular files named *.thrift in a folder, recursively; opening a pipe would block."""
    if not os.path.isdir(folder):
        yield folder
        return
    for parent, folders, names in os.walk(
        folder, onerror=lambda error: say(f"skipped: {error.filename}: {error.strerror}")
    ):
        folders.sort()
        for path in (
            os.path.join(parent, name) for name in sorted(names) if name.endswith(".thrift")
        ):
            if os.path.isfile(path):
                yield path
            else:
                say(f"skipped: {path}: not a regular file")


def types_of(schemas: Sequence[tuple[str, Schema]]) -> list[tuple[str, Type]]:
    """(location, type) of the structs in the files, without includes."""
    return [
        (f"{path} {name}", type_)
        for path, schema in schemas
        for name in schema.types
        if "." not in name and (type_ := schema[name]).kind in ("struct", "union", "exception")
    ]


def functions_of(schemas: Sequence[tuple[str, Schema]]) -> list[tuple[str, _identify.Payload]]:
    """(location, arguments or result) of the functions in the files, without includes."""
    return [
        (
            f"{path} {service.name}.{payload.function}.{'result' if payload.is_result else 'arguments'}",
            payload,
        )
        for path, schema in schemas
        for service in schema.services.values()
        if "." not in service.name
        for payload in _identify.service_payloads(service)
    ]


def ranking(
    data: Any,
    types: Sequence[tuple[str, Type]],
    functions: Sequence[tuple[str, _identify.Payload]],
    options: dict[str, Any],
) -> Iterator[str]:
    """One line per candidate, best first: probability, location, matching fields and first
    mismatch.
    """
    locations = {id(type_): name for name, type_ in types}
    locations.update((id(type_.type), name) for name, type_ in functions)
    for candidate in _identify.rank(
        data, [type_ for _, type_ in types], [type_ for _, type_ in functions], **options
    ):
        yield f"{_detect.percent(candidate.sure):>5}  {locations.get(id(candidate.type), candidate.type.name)}  {_fit(candidate)}"


def _fit(candidate: _identify.Candidate) -> str:
    counts = [f"{candidate.known} known"]
    counts += [
        f"{number} {label}"
        for number, label in (
            (candidate.unknown, "unknown"),
            (candidate.contradictions, "of another type"),
            (candidate.missing, "missing"),
        )
        if number
    ]
    return ", ".join(counts) + (f": {candidate.path}: {candidate.why}" if candidate.why else "")


@click.command()
@opt.file_argument()
@click.option("--idl", type=click.Path(), help="IDL file, to show names.")
@click.option(
    "--type",
    "type_name",
    metavar="TYPE",
    help="Type in the IDL file.",
    shell_complete=_complete.types,
)
@opt.idl_options
@opt.detected_protocol
@opt.integer("decode", "depth", help="Nesting levels to show; deeper ones are folded.")
@opt.output_size_option
@opt.output_option
@click.option(
    "--html", is_flag=True, help="Write a self-contained HTML page: folding tree, bytes, search."
)
@opt.framing_options
def inspect(
    file: str, idl: Optional[str], type_name: Optional[str], protocol: Any, depth: int,
    output_size: int, output: str, html: bool, **options: Any
) -> None:  # fmt: skip
    """Print bytes as a tree of offsets, field ids, wire types and values. No IDL is needed.

    Protocol and framing are detected unless --protocol or --framing is given. The first line shows
    the guess, its probability and the runner-up.
    """
    is_guessed = (
        protocol is None
        and not options["lines"]
        and not options["lead"]
        and options["framing"] in (None, "message")
    )
    forced = [guess_of("binary", "message")] if options["framing"] == "message" else []
    if forced:
        options["framing"] = None
    protocol = protocol or "binary"
    max_values = options["limit"]
    if is_guessed:
        options["limit"] = None
    spec = take_input(file, options, protocol)
    type_ = optional_type(idl, type_name, options)
    is_guessed = is_guessed and (type_ is None or type_.kind in ("struct", "union", "exception"))
    levels = max(depth, opt.DEFAULT_DEPTH)
    inspect_options: dict[str, Any] = {
        "type": type_,
        "depth": levels,
        "output_size": output_size,
        "text_size": 60,
        "elements": 4294967295,
    }
    fault = None
    with (
        reading(spec, None if is_guessed else {"protocol": protocol, "depth": levels}) as (
            spec,
            source,
        ),
        _files.writing(output) as sink,
    ):
        if source.peek(4) in (b"PAR1", b"PARE"):
            say(f"{display_name(file)}: this is a Parquet file; see `thriftlens parquet`")
        in_colour = sink.is_terminal() and not os.environ.get("NO_COLOR")

        def style(text: str) -> str:
            return formatted(text, depth, in_colour) if in_colour or depth < levels else text

        if html:
            forced = forced or ([] if is_guessed else [guess_of(protocol, spec.framing)])
            text, fault = page(
                source.read_raw() if is_guessed else source.read_all(),
                inspect_options,
                forced,
                depth,
                max_values,
            )
            sink.write(text.encode())
        elif is_guessed:
            fault = write_detected(
                source.read_raw(), sink, inspect_options, style, max_values, forced
            )
        elif spec.lines:
            fault = _inspect_records(
                scan_records(spec, source, {"protocol": protocol, "depth": levels}),
                sink,
                {**inspect_options, "protocol": protocol},
                style,
            )
        else:
            fault = write_tree(
                _core.inspect(source.read_all(), protocol=protocol, **inspect_options), sink, style
            )
        sink.flush()
    if fault is not None:
        fail(
            f"{display_name(file)}: {fault}{'; raise --output-size' if 'the output exceeds its limit' in fault else ''}"
        )


def _inspect_records(
    scan: Scan, sink: Any, options: dict[str, Any], style: Callable[[str], str]
) -> Optional[str]:
    """Writes the trees of the records up to the first invalid one; returns its error."""
    for record in scan:
        if record is None:
            sink.write(f"record {scan.record}, null\n".encode())
            continue
        sink.write(
            style(
                f"record {scan.record}, byte {scan.record_offset}, {plural(len(record), 'byte')}\n"
            ).encode()
        )
        fault = write_tree(_core.inspect(record, **options), sink, style)
        if fault is not None:
            return f"record {scan.record}: {fault}"
    return None


@click.command()
@click.option(
    "--idl",
    required=True,
    type=click.Path(exists=True),
    metavar="FOLDER",
    help="Directory of IDL files, or one file.",
)
@opt.idl_options
@click.option(
    "--most",
    "max_types",
    type=click.IntRange(1, 1_000_000),
    default=10,
    show_default=True,
    help="Maximum number of types shown per file.",
)
@opt.detected_binary_protocol
@opt.depth_option
@opt.max_size_option
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True)
)
def identify(
    idl: str,
    files: tuple[str, ...],
    max_types: int,
    protocol: Any,
    depth: int,
    max_size: Optional[int],
    **options: Any,
) -> None:
    """Rank the types of IDL files by how well they match the bytes of a struct, best first, each
    with its first mismatch.

    A message is compared with the functions of services. In a file of many values, the first is
    used. Exit status 1 if a FILE cannot be identified.
    """
    options["include_dirs"] = (*options["include_dirs"], idl)
    schemas = schemas_of(idl, lambda path: load_idl(path, dict(options)), say)
    identify_options = {"most": max_types, "protocol": protocol, "depth": depth}
    types, functions = types_of(schemas), functions_of(schemas)
    unknown = False
    with _files.writing("-") as sink:
        for file in files:
            with _files.reading(file, max_size) as source:
                try:
                    for line in ranking(source.read_raw(), types, functions, identify_options):
                        sink.write(
                            (
                                escaped(
                                    f"{f'{display_name(file)}: ' if len(files) > 1 else ''}{line}"
                                )
                                + "\n"
                            ).encode()
                        )
                except Error as error:
                    unknown = True
                    say(f"{display_name(file)}: {error}")
    sys.exit(1 if unknown else 0)


@click.command()
@opt.output_option
@click.option(
    "--name", default="Record", show_default=True, metavar="NAME", help="Name of the root struct."
)
@opt.detected_binary_protocol
@opt.depth_option
@opt.max_size_option
@click.option(
    "--on-error",
    type=click.Choice(["raise", "skip"]),
    default="raise",
    show_default=True,
    help="Invalid FILEs, and invalid data after valid values.",
)
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Maximum number of values to read."
)
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True)
)
def infer(
    output: str,
    files: tuple[str, ...],
    max_size: Optional[int],
    on_error: str,
    limit: Optional[int],
    **options: Any,
) -> None:
    """Draft the IDL of sample values, using all values of all FILEs.

    The wire format has no names: fields are called f1, f2. A field that some values lack is
    optional. The draft reads its samples without loss, except fields with two types: the more
    frequent one is used, with a comment. Messages result in a struct for the arguments and one for
    the results per function.
    """

    def structs_in(data: Any) -> Iterator[Any]:
        protocol, depth = options["protocol"], options["depth"]
        for name, struct in (
            [(None, data)] if protocol else _identify.named_structs_of([data], depth)
        ):
            try:
                check_struct(struct, protocol or "binary", depth)
            except Error as error:
                refuse(error)
                continue
            yield name, struct

    def refuse(error: Error) -> None:
        if on_error == "raise":
            raise error
        say(f"{display_name(current[0])}: {error}")

    current = [""]

    def all_samples() -> Iterator[Any]:
        for file in files:
            with reading(Input(file, None, max_size, "raise", 0, None), None) as (_, source):
                current[0] = file
                try:
                    yield from structs_in(source.read_raw())
                except Error as error:
                    refuse(error)

    def samples() -> Iterator[Any]:
        return itertools.islice(all_samples(), limit)

    try:
        _identify.check_name(options["name"])
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--name") from None
    if options["protocol"]:
        draft = _identify.infer((data for _, data in samples()), **options)
    else:
        draft = _identify.draft_of(samples(), options["name"], options["depth"])
    with _files.writing(output) as sink:
        sink.write(draft.encode())
