"""`thriftlens table`: records of files as a table, in Parquet, Arrow, CSV or lines of JSON."""

from __future__ import annotations

import dataclasses
import functools
import os
from typing import Literal, Optional, Sequence

import click

from ..._records.framing import TEXT_FRAMINGS
from ..._schema.types import Type
from ..._typing import ColumnOptions
from .. import options as opt
from ..idl import idl_argument
from ..input import AnyInput, Input, TypedInput, framing_options, reading, type_argument
from ..rejects import Rejects, report_truncations
from ..report import display_name, plural, say
from ..sink import Sink, progress_bar, writing
from ..source import ScanOptions, StructProtocol
from ..tables import LineConverter, MessageConverter, Records, Table, open_table

FORMATS = ("parquet", "arrow", "csv", "jsonl")


def format_of(output: str, option: Optional[str]) -> str:
    """The output format: that of --format, else by the file extension; lines of JSON for standard
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
            "--format"
        )
    return format_


_MODES: dict[str, Literal["raise", "null"]] = {"raise": "raise", "null": "null"}


@dataclasses.dataclass(frozen=True)
class TableOptions:
    """Columns and rows of a table."""

    select: Optional[str]
    where: Optional[str]
    enums: Literal["number", "name"]
    flat: bool
    defaults: Literal["omit", "write"]
    field_ids: Literal["none", "unique"]
    mismatch: Literal["error", "drop"]
    invalid_utf8: Literal["error", "replace", "keep"]
    missing_required: Literal["error", "omit"]
    unknown: Literal["drop", "error"]
    record: Optional[str]
    reason: Optional[str]
    file_column: Optional[str]
    unknown_fields: Optional[str]
    threads: int
    output_size: int

    def columns(self, protocol: StructProtocol, depth: int, on_error: str) -> ColumnOptions:
        """The options of Type.columns."""
        return {
            "protocol": protocol,
            "depth": depth,
            "on_error": _MODES.get(on_error, "skip"),
            "where": self.where,
            "enums": self.enums,
            "nesting": "flat" if self.flat else "structs",
            "defaults": self.defaults,
            "field_ids": self.field_ids,
            "mismatch": self.mismatch,
            "invalid_utf8": self.invalid_utf8,
            "missing_required": self.missing_required,
            "unknown": self.unknown,
            "record": self.record,
            "reason": self.reason,
            "file": self.file_column,
            "unknown_fields": self.unknown_fields,
            "threads": self.threads,
            "output_size": self.output_size,
        }


@opt.command()
@opt.grouped(
    "options",
    TableOptions,
    idl_argument,
    type_argument,
    click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(allow_dash=True)),
    click.option(
        "--select",
        metavar="SELECTION",
        help="Fields to write: '{ id user { name } items { sku price } }'; default: all.",
    ),
    click.option(
        "--where",
        metavar="CONDITION",
        help="Condition that rows must match: 'user.id > 5 and status = PAID'.",
    ),
    click.option(
        "--format",
        "form",
        type=click.Choice(["parquet", "arrow", "csv", "jsonl"]),
        help="Output format; default: by the extension of OUT, jsonl on standard output.",
    ),
    opt.any_protocol_options,
    opt.output_size_option,
    framing_options,
    opt.choice("to_json", "enums", help="Enum values as numbers or names."),
    click.option("--flat", is_flag=True, help="Fields of nested structs as columns: outer.inner."),
    opt.choices("_column_reader", "defaults"),
    opt.choice(
        "_column_reader",
        "field_ids",
        help="Field ids in Parquet, for Iceberg; unique: numbered consecutively.",
    ),
    opt.choices("_column_reader", "mismatch", "invalid_utf8"),
    opt.missing_required_option,
    opt.choices("_column_reader", "unknown"),
    click.option(
        "--record", metavar="NAME", help="Add a column NAME with the record number in the file."
    ),
    click.option(
        "--reason",
        metavar="NAME",
        help="With --on-error null: add a column NAME with the error of a row of nulls.",
    ),
    click.option(
        "--file", "file_column", metavar="NAME", help="Add a column NAME with the file name."
    ),
    click.option(
        "--unknown-fields",
        metavar="NAME",
        help="Add a column NAME with the fields that are not in the IDL, as struct bytes.",
    ),
    opt.count("--threads", 1, 256, 1, "Threads that read records; not for jsonl."),
)
@opt.output_option
@opt.grouped("data", TypedInput)
def table(
    data: AnyInput, files: tuple[str, ...], output: str, form: Optional[str], options: TableOptions
) -> None:
    """Write the records of FILEs as Parquet, Arrow, CSV (with pyarrow) or lines of JSON, by the
    extension of OUT.

    Records are not framed unless --framing is given. Memory use does not depend on the size of the
    files."""
    kind = format_of(output, form)
    if not (data.records.framing or data.records.lines or data.decoding.protocol == "tjson"):
        data.records = dataclasses.replace(data.records, framing="none")
    spec, type_ = data.load()
    if spec.start and len(files) > 1:
        raise click.UsageError("--start needs a single FILE")
    depth = data.decoding.depth
    protocol: StructProtocol = "compact" if data.decoding.protocol == "compact" else "binary"
    records = _records(spec, type_, protocol, depth)
    columns = options.columns(protocol, depth, spec.on_error)
    with (
        writing(output, is_text=kind in ("csv", "jsonl")) as sink,
        open_table(kind, type_, records, options.select, columns, sink) as target,
    ):
        _write_files(target, spec, files or ("-",), sink, options.file_column is not None)
    if output != "-":
        say(f"{output}: {plural(target.rows, 'row')}")


def _records(spec: Input, type_: Type, protocol: StructProtocol, depth: int) -> Records:
    """How to read the records of a file."""
    options: ScanOptions = {
        "framing": spec.framing or "none",
        "protocol": protocol,
        "depth": depth,
        "prefix_size": spec.prefix_size,
    }
    records = Records(options, spec.on_error, spec.start, spec.limit, spec.scan_truncated)
    if spec.framing == "lines":
        return records._replace(make=LineConverter(type_, depth))
    if spec.framing == "message":
        return records._replace(make=MessageConverter(type_, spec.selects, protocol, depth))
    return records


def _write_files(
    target: Table, spec: Input, files: Sequence[str], sink: Sink, has_file_column: bool
) -> None:
    """Writes the rows of the files, up to the limit."""
    with Rejects(spec._replace(file=files[0]), [], b"", sink) as rejects:
        for file in files:
            spec = spec._replace(file=file)
            rejects.of(spec)
            with reading(spec, None) as (_, source), progress_bar(source, sink) as advance:
                source.texts = spec.framing not in (*TEXT_FRAMINGS, "lines")
                target.file = display_name(file) if has_file_column else None
                target.report = functools.partial(report_truncations, spec)
                target.read(source, rejects, advance)
            if target.is_at_limit:
                return
