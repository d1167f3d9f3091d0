"""`thriftlens table`: records of files as a table, in Parquet, Arrow, CSV or lines of JSON."""

from __future__ import annotations

import functools
import os
from typing import Any, Optional

import click

from .. import options as opt
from ..input import reading, take_input, typed
from ..records import Rejects, report_cut_ends
from ..report import display_name, plural, say
from ..sink import progress_bar, writing
from ..tables import Records, converter, open_table

FORMATS = ("parquet", "arrow", "csv", "jsonl")


def format_of(output: str, option: Optional[str]) -> str:
    """The output format: that of --to, else by the file extension; lines of JSON for standard
    output."""
    if option is not None:
        return option
    if output == "-":
        return "jsonl"
    extension = os.path.splitext(output)[1][1:].lower()
    format_ = {"pq": "parquet", "feather": "arrow", "ipc": "arrow", "ndjson": "jsonl"}.get(
        extension, extension
    )
    if format_ not in FORMATS:
        raise click.UsageError(
            f"unknown format of {output}; use the extension .parquet, .arrow, .csv or .jsonl, or "
            "--to"
        )
    return format_


@click.command()
@opt.idl_argument
@opt.type_argument
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(allow_dash=True))
@click.option(
    "--select",
    metavar="SELECTION",
    help="Columns: '{ id user { name } items { sku price } }'; default: all.",
)
@click.option(
    "--where",
    metavar="CONDITION",
    help="Condition that rows must match: 'user.id > 5 and status = PAID'.",
)
@opt.output_option
@click.option(
    "--to",
    "to",
    type=click.Choice(["parquet", "arrow", "csv", "jsonl"]),
    help="Output format; default: by the extension of OUT, jsonl on standard output.",
)
@opt.any_protocol_options
@opt.output_size_option
@opt.framing_options
@opt.choice("to_json", "enums", help="Enum values as numbers or names.")
@click.option("--flat", is_flag=True, help="Fields of nested structs as columns: outer.inner.")
@opt.choices("_column_reader", "defaults")
@opt.choice(
    "_column_reader",
    "field_ids",
    help="Field ids in Parquet, for Iceberg; unique: numbered consecutively.",
)
@opt.choices("_column_reader", "mismatch", "invalid_utf8")
@opt.missing_required_option
@opt.choices("_column_reader", "unknown")
@click.option(
    "--record", metavar="NAME", help="Add a column NAME with the record number in the file."
)
@click.option(
    "--reason",
    metavar="NAME",
    help="With --on-error null: add a column NAME with the error of a row of nulls.",
)
@click.option("--file", "file_column", metavar="NAME", help="Add a column NAME with the file name.")
@click.option(
    "--unknown-fields",
    metavar="NAME",
    help="Add a column NAME with the fields that are not in the IDL, as struct bytes.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Threads that read records; not for jsonl.",
)
def table(
    idl: str,
    type_name: str,
    files: tuple[str, ...],
    output: str,
    to: Optional[str],
    select: Optional[str],
    flat: bool,
    threads: int,
    **options: Any,
) -> None:
    """Write the records of FILEs as Parquet, Arrow, CSV (with pyarrow) or lines of JSON, by the
    extension of OUT.

    Records are not framed unless --framing is given. Memory use does not depend on the size of the
    files."""
    kind = format_of(output, to)
    options["file"] = options.pop("file_column")
    spec = take_input(files[0] if files else "-", options, options["protocol"])
    spec, type_ = typed(spec, idl, type_name, options)
    if spec.start and len(files) > 1:
        raise click.UsageError("--start needs a single FILE")
    decoding = {
        "protocol": "binary" if options["protocol"] == "tjson" else options["protocol"],
        "depth": options["depth"],
        "lead": spec.lead,
    }
    records = Records(
        spec.framing or "none", decoding, spec.on_error, spec.start, spec.limit, spec.scans_cut_end
    )
    if spec.framing in ("message", "lines"):
        records = records._replace(make=converter(type_, spec.selects, options))
    options["protocol"] = records.options["protocol"]
    with (
        writing(output, is_text=kind in ("csv", "jsonl")) as sink,
        Rejects(spec, [], b"", sink) as rejects,
    ):
        with open_table(
            kind,
            type_,
            records,
            select,
            {**options, "nesting": "flat" if flat else "structs"},
            threads,
            sink,
        ) as target:
            for file in files or ("-",):
                spec = spec._replace(file=file)
                rejects.of(spec)
                with reading(spec, None) as (_, source), progress_bar(source, sink) as advance:
                    source.texts = spec.framing not in ("base64", "hex", "lines")
                    target.file = display_name(file) if options["file"] else None
                    target.report = functools.partial(report_cut_ends, spec)
                    target.read(source, rejects.take, advance)
                if target.is_at_limit:
                    break
    if output != "-":
        say(f"{output}: {plural(target.rows, 'row')}")
