"""`thriftlens inspect`, `identify` and `infer`: bytes without known type."""

from __future__ import annotations

import itertools
import os
import sys
from typing import Any, Callable, Iterator, Optional

import click

from ... import _core
from ..._errors import Error
from ..._records import identify as _identify
from ..._records.idl_files import functions_of, ranking, schemas_of, types_of
from ..._records.inspect_page import guess_of, page
from ..._records.scanner import Scan
from ..._rpc.message import without_record
from ..._text import escaped
from .. import completion as _complete
from .. import options as opt
from ..input import Input, load_idl, optional_type, reading, take_input
from ..records import scan_records
from ..report import display_name, fail, plural, say
from ..sink import writing
from ..source import open_source
from ..trees import formatted, write_detected, write_tree

Say = Callable[[str], None]


def check_struct(data: Any, protocol: Any, depth: int) -> None:
    """Raises an error if the bytes are not exactly one struct."""
    _, end, _, error, _ = _core.cut_records(
        data, protocol=protocol, depth=depth, record_size=1 << 62
    )
    if error is not None:
        raise without_record(error)
    if end != len(data):
        raise Error(f"bytes follow the struct (byte {end})", code="trailing_bytes", offset=end)


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
    the guess, its probability and the runner-up."""
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
        writing(output) as sink,
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
            f"{display_name(file)}: "
            f"{fault}{'; raise --output-size' if 'the output exceeds its limit' in fault else ''}"
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
    used. Exit status 1 if a FILE cannot be identified."""
    options["include_dirs"] = (*options["include_dirs"], idl)
    schemas = schemas_of(idl, lambda path: load_idl(path, dict(options)), say)
    identify_options = {"most": max_types, "protocol": protocol, "depth": depth}
    types, functions = types_of(schemas), functions_of(schemas)
    unknown = False
    with writing("-") as sink:
        for file in files:
            with open_source(file, max_size) as source:
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
    the results per function."""

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
    with writing(output) as sink:
        sink.write(draft.encode())
