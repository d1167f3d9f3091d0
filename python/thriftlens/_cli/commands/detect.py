"""`thriftlens inspect`, `identify` and `infer`: bytes of unknown origin."""

from __future__ import annotations

import binascii
import itertools
import json
import os
import re
import sys
from typing import Any, Callable, Iterator, Optional, Sequence

import click

from .. import completion as _complete, io as _files, options as opt
from ..input import Input, load_idl, optional_type, reading, take_input
from ..records import scan_records
from ..report import display_name, fail, plural, say
from ... import _core
from ..._records import detect as _detect
from ..._records.scan import Scan
from ..._errors import Error
from ..._rpc.message import without_record
from ..._schema.schema import Schema, Type
from ..._text import escaped, escaped_lines

Say = Callable[[str], None]


_LINE = re.compile(r"""(?P<at>[0-9a-f]{8,})(?P<blank> +)(?P<id>#-?\d+|\[\d+\]|key|=)?(?P<word>[^"]*)(?P<text>".*)?""", re.S)
_COLOURS = {"at": "2", "id": "36", "text": "32"}


def dressed(text: str, depth: int, in_colour: bool) -> str:
    """The lines of a tree: those below `depth` folded into a count behind the line that holds them, and in colours."""
    kept: list[str] = []
    hidden = 0
    for line in text.splitlines():
        found = _LINE.fullmatch(line)
        if found and len(found["blank"]) // 2 - 1 > depth:
            hidden += 1
            continue
        _say_hidden(kept, hidden)
        hidden = 0
        kept.append(_coloured(found, line) if in_colour else line)
    _say_hidden(kept, hidden)
    return "".join(line + "\n" for line in kept)


def _say_hidden(kept: list[str], hidden: int) -> None:
    if hidden and kept:
        kept[-1] += f"  … {hidden} more line{'' if hidden == 1 else 's'}"


def _coloured(found: Optional[re.Match[str]], line: str) -> str:
    if found is None:
        return f"\x1b[31m{line}\x1b[0m" if line.startswith("! ") else f"\x1b[1m{line}\x1b[0m"
    return "".join(f"\x1b[{_COLOURS[name]}m{part}\x1b[0m" if name in _COLOURS else part for name, part in found.groupdict().items() if part)


def write_detected(data: Any, sink: _files.Sink, how: dict[str, Any], dress: Callable[[str], str], most: Optional[int], given: Sequence[_detect.Guess] = ()) -> Optional[str]:
    """Writes the guess and the trees; gives what is wrong with the last of them."""
    found = list(given) or _detect.detect(data, depth=how["depth"])
    line = _detect.guess_line(found) if not given else str(given[0])
    if given or _detect.is_thrift(found):
        sink.write(dress(f"{escaped(line)}\n").encode())
        trees = _detect.trees(data, found[0], how, most)
    else:
        sink.write(dress(f"{escaped(line)}; as Binary:\n").encode())
        trees = iter([_core.inspect(data, protocol="binary", **how)])
    for text in trees:
        if (fault := write_tree(text, sink, dress)) is not None:
            return fault
    return None


def write_tree(text: str, sink: _files.Sink, dress: Callable[[str], str]) -> Optional[str]:
    """Writes a tree but for its last line where that is a fault, which is given."""
    text = escaped_lines(text)
    body, mark, fault = ("\n" + text).rpartition("\n! ")
    sink.write(dress((body[1:] + "\n" if body else "") if mark else text).encode())
    return fault.strip() if mark else None


def check_struct(data: Any, protocol: Any, depth: int) -> None:
    """Raises what is wrong with the bytes of one struct."""
    _, after, _, error, _ = _core.cut_records(data, protocol=protocol, depth=depth, record_size=1 << 62)
    if error is not None:
        raise without_record(error)
    if after != len(data):
        raise Error(f"bytes follow the struct (byte {after})", code="trailing_bytes", offset=after)


def guess_of(protocol: Any, framing: Optional[str]) -> _detect.Guess:
    """What options say the bytes are."""
    words = {"binary": "Binary", "compact": "Compact", "tjson": "Apache's JSON protocol"}[protocol]
    if framing is None:
        return _detect.Guess((), "struct", protocol, "none", 0, 1, 0.0, 1.0, words)
    if framing == "message":
        return _detect.Guess((), "messages", protocol, framing, 0, 1, 0.0, 1.0, "RPC messages")
    return _detect.Guess((), "structs", protocol, framing, 0, 1, 0.0, 1.0, f"{words}, records ({framing})")


def page(
    data: Any, how: dict[str, Any], given: Sequence[_detect.Guess] = (), depth: int = 1024,
    most: Optional[int] = None
) -> tuple[str, Optional[str]]:  # fmt: skip
    """One page that needs nothing else: the trees, the bytes beside them, search; and what is wrong with the last of them."""
    found = list(given) or _detect.detect(data, depth=how["depth"])
    guess = found[0] if given or _detect.is_thrift(found) else guess_of("binary", None)
    values, pieces, fault = [], [], None
    try:
        for each in itertools.islice(_detect.values(data, guess, depth=how["depth"]), most):
            heading = _detect.heading(each).rstrip("\n") if guess.shape != "struct" or guess.framing != "none" else ""
            tree, shown = _detect.tree(each, how), each.data
            if each.protocol == "tjson":  # offsets count in Binary
                shown = _core.convert(each.data, source="tjson", target="binary", depth=how["depth"])
            values.append({"heading": heading, "tree": tree, "size": len(shown)})
            pieces.append(bytes(shown))
            fault = _fault_of(tree)
    except Error as error:
        values.append({"heading": "", "tree": f"! {error}\n", "size": 0})
        fault = str(error)
    content = {
        "guess": _detect.guess_line(found) if not given else str(guess),
        "values": values,
        "bytes": binascii.b2a_base64(b"".join(pieces), newline=False).decode(),
        "broken": fault is not None,
        "depth": depth,
    }
    template = _template()
    return template.replace("@DATA@", json.dumps(content).replace("<", "\\u003c")), fault


def _template() -> str:
    with open(os.path.join(os.path.dirname(__file__), "inspect_page.html"), encoding="utf-8") as file:
        return file.read()


def _fault_of(tree: str) -> Optional[str]:
    _, mark, fault = ("\n" + tree).rpartition("\n! ")
    return fault.strip() if mark else None


def schemas_of(folder: str, read: Callable[[str], Schema], say: Say) -> list[tuple[str, Schema]]:
    """(path, schema) of each IDL file below a folder, or of one file. Reports files that cannot be loaded and leaves them out."""
    found = []
    for path in _idl_files(folder, say):
        try:
            found.append((os.path.relpath(path, folder) if path != folder else path, read(path)))
        except (Error, OSError) as error:
            text = str(error).partition("\n")[0]
            say(f"left out: {text if path in text else f'{path}: {text}'}")
    if not found:
        raise FileNotFoundError(2, "no IDL file that can be read", folder)
    return found


def _idl_files(folder: str, say: Say) -> Iterator[str]:
    """The regular files below the folder named *.thrift: a pipe of that name would block."""
    if not os.path.isdir(folder):
        yield folder
        return
    for parent, folders, names in os.walk(folder, onerror=lambda error: say(f"left out: {error.filename}: {error.strerror}")):
        folders.sort()
        for path in (os.path.join(parent, name) for name in sorted(names) if name.endswith(".thrift")):
            if os.path.isfile(path):
                yield path
            else:
                say(f"left out: {path}: not a regular file")


def types_of(schemas: Sequence[tuple[str, Schema]]) -> list[tuple[str, Type]]:
    """(where, type) of the structs that each file itself declares."""
    return [
        (f"{path} {name}", made)
        for path, schema in schemas
        for name in schema.types
        if "." not in name and (made := schema[name]).kind in ("struct", "union", "exception")
    ]


def functions_of(schemas: Sequence[tuple[str, Schema]]) -> list[tuple[str, _detect.Carried]]:
    """(where, what messages carry) of the functions that each file itself declares."""
    return [
        (f"{path} {service.name}.{each.function}.{'result' if each.is_result else 'arguments'}", each)
        for path, schema in schemas
        for service in schema.services.values()
        if "." not in service.name
        for each in _detect.carried_by_service(service)
    ]


def ranking(data: Any, types: Sequence[tuple[str, Type]], functions: Sequence[tuple[str, _detect.Carried]], options: dict[str, Any]) -> Iterator[str]:
    """A line for each candidate, the best first: how sure, where it is declared, what fits, and where it first disagrees."""
    where = {id(made): name for name, made in types}
    where.update((id(made.type), name) for name, made in functions)
    for each in _detect.ranked(data, [made for _, made in types], [made for _, made in functions], **options):
        yield f"{_detect.percent(each.sure):>5}  {where.get(id(each.type), each.type.name)}  {_fit(each)}"


def _fit(found: _detect.Candidate) -> str:
    counts = [f"{found.known} known"]
    counts += [f"{number} {word}" for number, word in ((found.unknown, "unknown"), (found.contradictions, "of another type"), (found.missing, "missing")) if number]
    return ", ".join(counts) + (f": {found.path}: {found.why}" if found.why else "")


@click.command()
@opt.file_argument()
@click.option("--idl", type=click.Path(), help="IDL file, to show names.")
@click.option("--type", "type_name", metavar="TYPE", help="Type in the IDL file.", shell_complete=_complete.types)
@opt.idl_options
@opt.detected_protocol
@opt.integer("decode", "depth", help="Nesting levels to show; deeper ones are folded.")
@opt.output_size_option
@opt.output_option
@click.option("--html", is_flag=True, help="Write a self-contained HTML page: folding tree, bytes, search.")
@opt.framing_options
def inspect(
    file: str, idl: Optional[str], type_name: Optional[str], protocol: Any, depth: int,
    output_size: int, output: str, html: bool, **options: Any
) -> None:  # fmt: skip
    """Print bytes as a tree of offsets, field ids, wire types and values. No IDL is needed.

    Protocol and framing are detected unless --protocol or --framing is given. The first line shows the guess, its probability and the runner-up."""
    is_guessed = protocol is None and not options["lines"] and not options["lead"] and options["framing"] in (None, "message")
    forced = [guess_of("binary", "message")] if options["framing"] == "message" else []
    if forced:
        options["framing"] = None
    protocol = protocol or "binary"
    most = options["limit"]
    if is_guessed:
        options["limit"] = None
    given = take_input(file, options, protocol)
    of = optional_type(idl, type_name, options)
    is_guessed = is_guessed and (of is None or of.kind in ("struct", "union", "exception"))
    levels = max(depth, opt.DEFAULT_DEPTH)
    how: dict[str, Any] = {"type": of, "depth": levels, "output_size": output_size, "text_size": 60, "elements": 4294967295}
    fault = None
    with reading(given, None if is_guessed else {"protocol": protocol, "depth": levels}) as (given, source), _files.writing(output) as sink:
        if source.peek(4) in (b"PAR1", b"PARE"):
            say(f"{display_name(file)}: this is a Parquet file; see `thriftlens parquet`")
        in_colour = sink.is_terminal() and not os.environ.get("NO_COLOR")

        def dress(text: str) -> str:
            return dressed(text, depth, in_colour) if in_colour or depth < levels else text

        if html:
            forced = forced or ([] if is_guessed else [guess_of(protocol, given.framing)])
            text, fault = page(source.raw() if is_guessed else source.whole(), how, forced, depth, most)
            sink.write(text.encode())
        elif is_guessed:
            fault = write_detected(source.raw(), sink, how, dress, most, forced)
        elif given.lines:
            fault = _inspect_records(scan_records(given, source, {"protocol": protocol, "depth": levels}), sink, {**how, "protocol": protocol}, dress)
        else:
            fault = write_tree(_core.inspect(source.whole(), protocol=protocol, **how), sink, dress)
        sink.flush()
    if fault is not None:
        fail(f"{display_name(file)}: {fault}{'; raise --output-size' if 'the output exceeds its limit' in fault else ''}")


def _inspect_records(scan: Scan, sink: Any, how: dict[str, Any], dress: Callable[[str], str]) -> Optional[str]:
    """Writes the tree of each; gives what is wrong with the first that is broken."""
    for record in scan:
        if record is None:
            sink.write(f"record {scan.record}, null\n".encode())
            continue
        sink.write(dress(f"record {scan.record}, byte {scan.record_offset}, {plural(len(record), 'byte')}\n").encode())
        fault = write_tree(_core.inspect(record, **how), sink, dress)
        if fault is not None:
            return f"record {scan.record}: {fault}"
    return None


@click.command()
@click.option("--idl", required=True, type=click.Path(exists=True), metavar="FOLDER", help="Directory of IDL files, or one file.")
@opt.idl_options
@click.option("--most", type=click.IntRange(1, 1_000_000), default=10, show_default=True, help="Maximum number of types shown for each file.")
@opt.detected_binary_protocol
@opt.depth_option
@opt.max_size_option
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
def identify(idl: str, files: tuple[str, ...], most: int, protocol: Any, depth: int, max_size: Optional[int], **options: Any) -> None:
    """Rank the types of IDL files by how well they match the bytes of a struct, best first, each with its first mismatch.

    A message is compared with the functions of services. In a file of many values, the first is used. Exit status 1 if a FILE cannot be identified."""
    options["include_dirs"] = (*options["include_dirs"], idl)
    schemas = schemas_of(idl, lambda path: load_idl(path, dict(options)), say)
    how = {"most": most, "protocol": protocol, "depth": depth}
    types, functions = types_of(schemas), functions_of(schemas)
    unknown = False
    with _files.writing("-") as sink:
        for file in files:
            with _files.reading(file, max_size) as source:
                try:
                    for line in ranking(source.raw(), types, functions, how):
                        sink.write((escaped(f"{f'{display_name(file)}: ' if len(files) > 1 else ''}{line}") + "\n").encode())
                except Error as error:
                    unknown = True
                    say(f"{display_name(file)}: {error}")
    sys.exit(1 if unknown else 0)


@click.command()
@opt.output_option
@click.option("--name", default="Record", show_default=True, metavar="NAME", help="Name of the root struct.")
@opt.detected_binary_protocol
@opt.depth_option
@opt.max_size_option
@click.option("--on-error", type=click.Choice(["raise", "skip"]), default="raise", show_default=True, help="Invalid FILEs, and invalid data after valid values.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Maximum number of values to read.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
def infer(output: str, files: tuple[str, ...], max_size: Optional[int], on_error: str, limit: Optional[int], **options: Any) -> None:
    """Draft the IDL of sample values, using all values of all FILEs.

    The wire format has no names: fields are called f1, f2. A field that some values lack is optional. The draft reads its samples without loss, except
    fields with two types: the more frequent one is used, with a comment. Messages give one struct for the arguments and one for the results of each function."""
    def structs_in(data: Any) -> Iterator[Any]:
        protocol, depth = options["protocol"], options["depth"]
        for called, each in [(None, data)] if protocol else _detect.named_structs_of([data], depth):
            try:
                check_struct(each, protocol or "binary", depth)
            except Error as error:
                refuse(error)
                continue
            yield called, each

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
