"""`thriftlens to-json`, `from-json` and `convert`: values in other formats."""

from typing import Any, Optional

import click

from ... import _core
from .. import completion as _complete
from .. import options as opt
from ..input import optional_type, reading, take_input, typed
from ..records import bytes_target, process_lines, process_records, refuse_list, rewrite_records
from ..sink import writing


@click.command("to-json")
@opt.idl_argument
@opt.type_argument
@opt.file_argument()
@opt.output_option
@opt.any_protocol_options
@opt.output_size_option
@click.option("--pretty", is_flag=True, help="Indent the output.")
@opt.framing_options
@opt.jobs_option
@opt.choices("to_json", "enums", "int64")
@opt.choice("to_json", "nonfinite", help='NaN and infinities; string: "NaN".')
@opt.choice("to_json", "unknown", help='Fields that are not in the IDL; keep: "#5":{"i32":7}.')
@opt.choices("to_json", "defaults")
@opt.choice("to_json", "names", help="Keys: field names or aliases (api.key, go.tag).")
@opt.choices("to_json", "invalid_utf8", "mismatch")
@opt.choice("to_json", "duplicates", help="Duplicate fields and keys.")
@opt.missing_required_option
@click.option(
    "--select", metavar="SELECTION", help="Parts to write, as for trim: '{ id user { name } }'."
)
def to_json(idl: str, type_name: str, file: str, output: str, pretty: bool, **options: Any) -> None:
    """Convert the Thrift bytes of one value of TYPE to JSON; with --framing, many values, one a
    line."""
    spec = take_input(file, options, options["protocol"])
    if spec.lines and pretty:
        raise click.UsageError("--pretty cannot be used with --framing or --lines")
    spec, type_ = typed(spec, idl, type_name, options)
    with reading(spec, options) as (spec, source), writing(output) as sink:
        if spec.lines:
            process_records(
                spec,
                source,
                sink,
                options,
                lambda record: type_.to_json(record, pretty=pretty, **options) + b"\n",
                b"null\n",
            )
        else:
            sink.write(type_.to_json(source.read_all(), pretty=pretty, **options))
            sink.write(b"\n")


@click.command("from-json")
@opt.idl_argument
@opt.type_argument
@opt.file_argument()
@opt.bytes_output_option
@opt.any_protocol_options
@opt.output_size_option
@opt.framing_options
@opt.choice(
    "from_json",
    "unknown",
    help='Keys that are not in the IDL; keep: read "#5" as to-json --unknown keep writes it.',
)
@opt.choice("from_json", "quoted_numbers", help='Numbers in quotes, such as "5".')
@opt.choice(
    "from_json",
    "base64",
    help="Base64 of binary fields; lenient: padding is optional, URL alphabet is accepted.",
)
@opt.choice("from_json", "duplicates", help="Duplicate keys.")
@opt.choice("from_json", "nonfinite", help='"NaN", "Infinity" and "-Infinity" for doubles.')
@opt.choices("from_json", "defaults")
@opt.choice("from_json", "names", help="Keys: field names, aliases (api.key, go.tag) or either.")
@opt.choice(
    "from_json",
    "missing",
    help="Missing required fields; zero: use the default in the IDL, else 0, false or empty.",
)
@opt.choice("from_json", "invalid_utf8", help="Escapes of unpaired surrogates in strings.")
def from_json(idl: str, type_name: str, file: str, output: Optional[str], **options: Any) -> None:
    """Convert JSON of one value of TYPE to Thrift bytes; with --framing, one value a line."""
    spec = take_input(file, options, options["protocol"])
    if spec.framing == "message" or spec.lead:
        raise click.UsageError(
            "from-json cannot write --framing message or --lead: JSON has no message headers and "
            "no leading bytes"
        )
    spec, type_ = typed(spec, idl, type_name, options)
    if not spec.lines:
        return rewrite_records(spec, output, None, lambda text: type_.from_json(text, **options))
    refuse_list(spec)
    with (
        reading(spec, None) as (_, source),
        writing(bytes_target(output), is_text=False) as sink,
    ):
        process_lines(spec, source, sink, lambda text: type_.from_json(text, **options))


@click.command()
@opt.file_argument()
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
@click.option("--idl", type=click.Path(), help="IDL file, to read binaries in tjson.")
@click.option(
    "--type",
    "type_name",
    metavar="TYPE",
    help="Type in the IDL file.",
    shell_complete=_complete.types,
)
@opt.idl_options
@opt.bytes_output_option
@opt.framing_options
@opt.jobs_option
@opt.output_size_option
def convert(
    file: str, source: Any, target: Any, idl: Optional[str], type_name: Optional[str],
    output: Optional[str], output_size: int, **options: Any
) -> None:  # fmt: skip
    """Convert the bytes of a struct to another protocol.

    No IDL is needed. tjson is Apache's JSON protocol."""
    spec = take_input(file, options, source, target)
    if spec.framing == "message":
        raise click.UsageError("convert does not take --framing message")
    type_ = optional_type(idl, type_name, options)
    decoding = {"protocol": source}
    rewrite_records(
        spec,
        output,
        decoding,
        lambda data: _core.convert(
            data, source=source, target=target, type=type_, output_size=output_size
        ),
    )
