"""`thriftlens inspect`, `identify` and `infer`: bytes without known type."""

from __future__ import annotations

import dataclasses
import itertools
import os
import sys
from typing import Iterator, Literal, Optional, cast

import click

from ... import _core
from ..._errors import Error, without_record
from ..._records import identify as _identify
from ..._records.idl_files import functions_of, ranking, schemas_of, types_of
from ..._records.inspect_page import guess_of, page
from ..._records.scanner import Scan
from ..._text import escaped
from .. import options as opt
from ..idl import LoadOptions, load_idl, load_options, optional_type, type_option
from ..input import Input, RecordOptions, file_argument, framing_options, input_of, reading
from ..options import AnyProtocol, Decoding
from ..records import scan_records
from ..report import display_name, fail, plural, say
from ..sink import Sink, writing
from ..source import Data, Source, StructProtocol, open_source
from ..trees import InspectOptions, formatted, write_detected, write_tree


def check_struct(data: Data, protocol: StructProtocol, depth: int) -> None:
    """Raises an error if the bytes are not exactly one struct."""
    cut = _core.cut_records(data, protocol=protocol, depth=depth, record_size=1 << 62)
    if cut.error is not None:
        raise without_record(cut.error)
    if cut.next != len(data):
        raise Error(
            f"bytes follow the struct (byte {cut.next})", code="trailing_bytes", offset=cut.next
        )


@dataclasses.dataclass(frozen=True)
class InspectRequest:
    """The input of inspect, and what is known of it."""

    file: str
    idl: Optional[str]
    type_name: Optional[str]
    loading: LoadOptions
    protocol: Optional[AnyProtocol]
    depth: int
    levels: Optional[int]
    output_size: int
    records: RecordOptions

    @property
    def is_of_messages(self) -> bool:
        return self.records.framing == "message"

    @property
    def is_open(self) -> bool:
        """Whether no option tells the format, except that the input is messages."""
        records = self.records
        is_framed = records.lines or records.prefix_size or records.framing not in (None, "message")
        return self.protocol is None and not is_framed

    def spec(self) -> Input:
        """The input. The number of values of an unknown format is limited by Inspection."""
        records = dataclasses.replace(
            self.records,
            framing=None if self.is_of_messages else self.records.framing,
            limit=None if self.is_open else self.records.limit,
        )
        return input_of(self.file, records, self.protocol or "binary")


class Inspection:
    """Writes the trees of inspect."""

    def __init__(self, request: InspectRequest):
        type_ = optional_type(request.idl, request.type_name, request.loading)
        self.levels = request.depth if request.levels is None else request.levels
        self.decoding = Decoding[AnyProtocol](request.protocol or "binary", request.depth)
        self.options: InspectOptions = {
            "type": type_,
            "depth": request.depth,
            "output_size": request.output_size,
            "text_size": 60,
            "elements": 4294967295,
        }
        self.forced = [guess_of("binary", "message")] if request.is_of_messages else []
        is_struct = type_ is None or type_.kind in ("struct", "union", "exception")
        self.is_guessed = request.is_open and is_struct
        self.max_values = request.records.limit
        self.in_colour = False

    def write(self, spec: Input, source: Source, sink: Sink) -> Optional[str]:
        """Writes the trees; returns the error of the last one."""
        self.in_colour = sink.is_terminal() and not os.environ.get("NO_COLOR")
        options = self.options
        if self.is_guessed:
            data = source.read_raw()
            return write_detected(data, sink, options, self.style, self.max_values, self.forced)
        if spec.lines:
            return self._write_records(scan_records(spec, source, self.decoding), sink)
        return write_tree(self._tree(source.read_all()), sink, self.style)

    def write_page(self, spec: Input, source: Source, sink: Sink) -> Optional[str]:
        """Writes an HTML page; returns the error of the last tree."""
        forced = self.forced
        if not forced and not self.is_guessed:
            forced = [guess_of(self.decoding.protocol, spec.framing)]
        data = source.read_raw() if self.is_guessed else source.read_all()
        text, fault = page(data, {**self.options}, forced, self.levels, self.max_values)
        sink.write(text.encode())
        return fault

    def style(self, text: str) -> str:
        is_folded = self.levels < self.decoding.depth
        return formatted(text, self.levels, self.in_colour) if self.in_colour or is_folded else text

    def _tree(self, data: Data) -> str:
        return _core.inspect(data, protocol=self.decoding.protocol, **self.options)

    def _write_records(self, scan: Scan, sink: Sink) -> Optional[str]:
        """Writes the trees of the records up to the first invalid one; returns its error."""
        for record in scan:
            if record is None:
                sink.write(f"record {scan.record}, null\n".encode())
                continue
            size = plural(len(record), "byte")
            heading = f"record {scan.record}, byte {scan.record_offset}, {size}\n"
            sink.write(self.style(heading).encode())
            if (fault := write_tree(self._tree(record), sink, self.style)) is not None:
                return f"record {scan.record}: {fault}"
        return None


@opt.command()
@opt.grouped(
    "request",
    InspectRequest,
    file_argument(),
    click.option(
        "--idl", type=click.Path(), metavar="IDL", help="IDL file with the names of fields."
    ),
    type_option,
    load_options,
    opt.detected_protocol,
    opt.depth_option,
    click.option(
        "--levels",
        type=click.IntRange(0),
        metavar="N",
        help="Nesting levels to show; deeper levels are folded. Default: all.",
    ),
    opt.output_size_option,
    framing_options,
)
@opt.output_option
@click.option(
    "--html", is_flag=True, help="Write a self-contained HTML page: folding tree, bytes, search."
)
def inspect(request: InspectRequest, output: str, html: bool) -> None:
    """Print bytes as a tree of offsets, field ids, wire types and values. No IDL is needed.

    Protocol and framing are detected unless --protocol or --framing is given. The first line shows
    the guess, its probability and the runner-up."""
    spec, name = request.spec(), display_name(request.file)
    inspection = Inspection(request)
    decoding = None if inspection.is_guessed else inspection.decoding
    with reading(spec, decoding) as (spec, source), writing(output) as sink:
        if source.peek(4) in (b"PAR1", b"PARE"):
            say(f"{name}: this is a Parquet file; see `thriftlens parquet`")
        write = inspection.write_page if html else inspection.write
        fault = write(spec, source, sink)
        sink.flush()
    if fault is not None:
        hint = "; accepted with a larger --output-size" if "the output exceeds" in fault else ""
        fail(f"{name}: {fault}{hint}")


@opt.command()
@click.option(
    "--idl",
    required=True,
    type=click.Path(exists=True),
    metavar="IDL",
    help="Directory of IDL files, or one file.",
)
@load_options
@opt.count("--max-types", 1, 1_000_000, 10, "Maximum number of types shown per file.")
@opt.detected_binary_protocol
@opt.depth_option
@opt.max_size_option
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True)
)
def identify(
    idl: str,
    loading: LoadOptions,
    files: tuple[str, ...],
    max_types: int,
    protocol: Optional[StructProtocol],
    depth: int,
    max_size: Optional[int],
) -> None:
    """Rank the types of IDL files by how well they match the bytes of a struct, best first, each
    with its first mismatch.

    A message is compared with the functions of services. In a file of many values, the first is
    used. Exit status 1 if a FILE cannot be identified."""
    loading = dataclasses.replace(loading, include_dirs=(*loading.include_dirs, idl))
    schemas = schemas_of(idl, lambda path: load_idl(path, loading), say)
    types, functions = types_of(schemas), functions_of(schemas)
    is_unknown = False
    with writing("-") as sink:
        for file in files:
            name = f"{display_name(file)}: "
            prefix = name if len(files) > 1 else ""
            try:
                with open_source(file, max_size) as source:
                    content = source.read_raw()
                    if not len(content):
                        raise Error("the input is empty", code="truncated")
                    lines = ranking(
                        content,
                        types,
                        functions,
                        protocol=protocol,
                        depth=depth,
                        max_types=max_types,
                    )
                    for line in lines:
                        sink.write(f"{escaped(prefix + line)}\n".encode())
            except Error as error:
                is_unknown = True
                say(f"{name}{error}")
    sys.exit(1 if is_unknown else 0)


@opt.command()
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
    help="Handling of invalid FILEs, and invalid data after valid values.",
)
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Maximum number of values to read."
)
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True)
)
def infer(
    output: str,
    name: str,
    files: tuple[str, ...],
    protocol: Optional[StructProtocol],
    depth: int,
    max_size: Optional[int],
    on_error: Literal["raise", "skip"],
    limit: Optional[int],
) -> None:
    """Draft the IDL of sample values, using all values of all FILEs.

    The wire format has no names: fields are called f1, f2. A field that some values lack is
    optional. The draft reads its samples without loss, except fields with two types: the more
    frequent one is used, with a comment. For messages, the draft has one struct for the arguments
    and one for the result of each function."""
    reader = _SampleReader(protocol, depth, max_size, on_error)
    samples = itertools.islice(reader.samples(files), limit)
    try:
        _identify.check_name(name)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--name") from None
    if protocol:
        structs = (data for _, data in samples)
        draft = _identify.infer(structs, name=name, protocol=protocol, depth=depth)
    else:
        structs_in_binary = cast("Iterator[tuple[Optional[str], bytes]]", samples)
        draft = _identify.draft_of(structs_in_binary, name, depth)
    with writing(output) as sink:
        sink.write(draft.encode())


class _SampleReader:
    """Reads the structs of files, with a name for structs in messages."""

    def __init__(
        self,
        protocol: Optional[StructProtocol],
        depth: int,
        max_size: Optional[int],
        on_error: Literal["raise", "skip"],
    ):
        self._protocol, self._depth = protocol, depth
        self._max_size = max_size
        self._on_error = on_error
        self._file = ""

    def samples(self, files: tuple[str, ...]) -> Iterator[tuple[Optional[str], Data]]:
        for file in files:
            with reading(Input(file, None, self._max_size), None) as (_, source):
                self._file = file
                try:
                    yield from self._structs(source.read_raw())
                except Error as error:
                    self._reject(error)

    def _structs(self, data: Data) -> Iterator[tuple[Optional[str], Data]]:
        samples: Iterator[tuple[Optional[str], Data]] = (
            iter([(None, data)])
            if self._protocol
            else _identify.named_structs_of([data], self._depth)
        )
        for name, struct in samples:
            try:
                check_struct(struct, self._protocol or "binary", self._depth)
            except Error as error:
                self._reject(error)
                continue
            yield name, struct

    def _reject(self, error: Error) -> None:
        if self._on_error == "raise":
            raise error
        say(f"{display_name(self._file)}: {error}")
