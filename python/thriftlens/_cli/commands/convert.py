"""`thriftlens to-json`, `from-json` and `convert`: values in other formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

import click

from ... import _core
from ..._typing import FromJsonOptions, ToJsonOptions
from .. import options as opt
from ..idl import LoadOptions, idl_argument, load_options, optional_type, type_option
from ..input import (
    AnyInput,
    RecordOptions,
    TypedInput,
    file_argument,
    framing_options,
    input_of,
    reading,
    type_argument,
)
from ..options import AnyProtocol, Decoding
from ..records import Processor, process_lines
from ..rewriting import bytes_target, refuse_list, rewrite_records
from ..sink import writing
from ..source import Data

if TYPE_CHECKING:
    from typing_extensions import Unpack


_data_options = opt.grouped(
    "data",
    TypedInput,
    idl_argument,
    type_argument,
    file_argument(),
    opt.any_protocol_options,
    framing_options,
)


@opt.command("to-json")
@_data_options
@opt.output_option
@opt.output_size_option
@click.option("--pretty", is_flag=True, help="Indent the output.")
@opt.jobs_option
@opt.all_choices(
    "to_json",
    nonfinite='Handling of NaN and infinities; string: write "NaN".',
    unknown='Fields that are not in the IDL; keep: "#5":{"i32":7}.',
    names="Keys: field names or aliases (api.key, go.tag).",
    duplicates="Handling of duplicate fields and keys.",
)
@click.option(
    "--select", metavar="SELECTION", help="Parts to write, as in trim: '{ id user { name } }'."
)
def to_json(data: AnyInput, output: str, **options: Unpack[ToJsonOptions]) -> None:
    """Convert the Thrift bytes of one value of TYPE to JSON; with --framing, many values, one
    per line."""
    spec, decoding = data.spec(), data.decoding
    if spec.lines and options["pretty"]:
        raise click.UsageError("--pretty cannot be used with --framing or --lines")
    spec, type_ = data.load()

    def text_of(record: Data) -> bytes:
        protocol, depth = decoding.protocol, decoding.depth
        return type_.to_json(record, protocol=protocol, depth=depth, **options)

    with reading(spec, decoding) as (spec, source), writing(output) as sink:
        if spec.lines:
            Processor(spec, source, sink, decoding).run(lambda data: text_of(data) + b"\n")
        else:
            sink.write(text_of(source.read_all()))
            sink.write(b"\n")


@opt.command("from-json")
@_data_options
@opt.bytes_output_option
@opt.output_size_option
@opt.all_choices(
    "from_json",
    unknown='Handling of keys that are not in the IDL; keep: read "#5" of to-json --unknown keep.',
    quoted_numbers='Handling of numbers in quotes, such as "5".',
    base64="Base64 of binary fields; lenient: optional padding, also the URL alphabet.",
    duplicates="Handling of duplicate keys.",
    nonfinite='Handling of "NaN" and infinities in quotes.',
    names="Keys: field names, aliases (api.key, go.tag) or either.",
    missing="Handling of missing required fields; zero: IDL default, else 0, false or empty.",
    invalid_utf8="Handling of escaped unpaired surrogates.",
)
def from_json(data: AnyInput, output: Optional[str], **options: Unpack[FromJsonOptions]) -> None:
    """Convert JSON of one value of TYPE to Thrift bytes; with --framing, one value per line."""
    spec = data.spec()
    if spec.framing == "message" or spec.prefix_size:
        raise click.UsageError(
            "from-json cannot write --framing message or --prefix-size: JSON has no message "
            "headers and no prefixes"
        )
    spec, type_ = data.load()
    protocol, depth = data.decoding.protocol, data.decoding.depth

    def convert_text(text: Data) -> bytes:
        return type_.from_json(text, protocol=protocol, depth=depth, **options)

    target = bytes_target(output)
    refuse_list(spec)
    with reading(spec, None) as (_, source), writing(target, is_text=False) as sink:
        if spec.lines:
            process_lines(spec, source, sink, convert_text)
        else:
            source.texts = False  # base64 and hex are not decoded
            sink.write(convert_text(source.read_all()))


@opt.command()
@file_argument()
@click.option(
    "--from",
    "source",
    type=click.Choice(opt.SIGNATURES["convert"]["source"][0] or ()),
    required=True,
    help="Protocol of FILE.",
)
@click.option(
    "--to",
    "target",
    type=click.Choice(opt.SIGNATURES["convert"]["source"][0] or ()),
    required=True,
    help="Protocol of OUT.",
)
@click.option(
    "--idl",
    type=click.Path(),
    metavar="IDL",
    help="IDL file that identifies binary fields in tjson.",
)
@type_option
@load_options
@opt.bytes_output_option
@framing_options
@opt.jobs_option
@opt.output_size_option
def convert(
    file: str,
    source: AnyProtocol,
    target: AnyProtocol,
    idl: Optional[str],
    type_name: Optional[str],
    loading: LoadOptions,
    records: RecordOptions,
    output: Optional[str],
    output_size: int,
) -> None:
    """Convert the bytes of a struct to another protocol.

    No IDL is needed. tjson is Apache's JSON protocol."""
    spec = input_of(file, records, source, target)
    if spec.framing == "message":
        raise click.UsageError("convert does not take --framing message")
    type_ = optional_type(idl, type_name, loading)

    def converted(data: Data) -> bytes:
        return _core.convert(
            data, source=source, target=target, type=type_, output_size=output_size
        )

    rewrite_records(spec, output, Decoding(source), converted)
