"""`thriftlens table`: records of files as a table, in Parquet, Arrow, CSV or lines of JSON."""

from __future__ import annotations

import base64
import contextlib
import functools
import io
import os
import uuid
from typing import Any, Callable, Iterator, NamedTuple, Optional, Union

import click

from ... import _core
from ..._optional import package
from ..._records.columns import Columns
from ..._records.cuts import Cut, bytes_of
from ..._records.pieces import Batch, Rejected
from ..._records.scanner import NOTHING, NULL, Scan
from ..._schema.types import Type
from ..._text import escaped
from .. import io as _files
from .. import options as opt
from .. import signals as _signals
from ..input import reading, take_input, typed
from ..records import Rejects, report_cut_ends
from ..report import display_name, plural, say

FORMATS = ("parquet", "arrow", "csv", "jsonl")
_GROUP_ROWS = 1 << 20  # maximum rows of a row group
_GROUP_BYTES = 1 << 26  # maximum size of its columns in memory
_BATCH = 1 << 16


def format_of(output: str, option: Optional[str]) -> str:
    """The output format: that of --to, else by the file extension; lines of JSON for standard
    output.
    """
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
            f"unknown format of {output}; use the extension .parquet, .arrow, .csv or .jsonl, or --to"
        )
    return format_


class UnwritableColumn(click.ClickException):
    """A column that a format cannot hold."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        click.echo(f"thriftlens: {escaped(self.format_message())}", err=True, file=file)


def pyarrow(module: str = "pyarrow") -> Any:
    """Imports pyarrow or one of its modules."""
    return package(module, "Parquet, Arrow and CSV (but not .jsonl) need", "'thriftlens[arrow]'")


def converter(
    type_: Type, selects: Callable[[Cut], bool], options: dict[str, Any]
) -> Callable[[Cut, Any], Any]:
    """A function that converts messages, and lines of Apache's JSON protocol, to the protocol of
    the column reader.
    """
    depth = options["depth"]
    target: Any = options["protocol"]

    def of_message(cut: Cut, protocol: Any) -> Any:
        if not selects(cut):
            return NOTHING
        if protocol == target:
            return bytes(cut.bytes())
        return _core.convert(cut.bytes(), source=protocol, target=target, type=type_, depth=depth)

    def of_line(cut: Cut, protocol: Any) -> Any:
        return _core.convert(cut.bytes(), source="tjson", target="binary", type=type_, depth=depth)

    convert: Any = of_line if target == "tjson" else of_message
    convert.gives_bytes = True
    return convert  # type: ignore[no-any-return]


class Records(NamedTuple):
    """How to find the records in files, and how to handle invalid ones (see Input)."""

    framing: str
    options: dict[str, Any]
    on_error: str
    start: int
    limit: Optional[int]
    cut_end: str = "error"
    make: Callable[[Cut, Any], Any] = bytes_of


class _Table:
    """Writes the rows of files. Records are numbered per file."""

    def __init__(self, records: Records):
        self._records = records
        self._count = 0
        self.rows = 0
        self.file: Optional[str] = None
        """The value of the column of file names."""
        self.report: Callable[[Scan], None] = lambda scan: None

    @property
    def is_at_limit(self) -> bool:
        """Whether the limit of records is reached."""
        return self._count == self._records.limit

    def __enter__(self) -> _Table:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None:
            return self.abandon()
        try:
            self.close()
        except BaseException:
            self.abandon()
            raise

    def read(
        self, source: _files.Source, reject: Callable[[Rejected], Any], advance: Callable[..., None]
    ) -> None:
        """Writes the rows of a file."""
        raise NotImplementedError

    def close(self) -> None:
        """Writes the remaining rows."""

    def abandon(self) -> None:
        """Discards the remaining rows."""

    @contextlib.contextmanager
    def _scan(self, source: _files.Source, reject: Callable[[Rejected], Any]) -> Iterator[Scan]:
        """The records of a file. Calls `reject` for invalid records."""
        records = self._records

        def refuse(rejected: Rejected) -> Any:
            reject(rejected)
            return NULL if records.on_error == "null" else None

        on_error = "raise" if records.on_error == "raise" else refuse
        remaining = None if records.limit is None else records.limit - self._count
        options = {**records.options, "framing": records.framing, "record_size": source.bound}
        scan = Scan(
            iter([(self.file, source.window(records.framing))]),
            records.make,
            options,
            on_error,
            records.start,
            0,
            remaining,
            records.cut_end,
        )
        yield scan
        self.report(scan)
        self._count += scan.count


class _Columnar(_Table):
    """Writes batches of columns."""

    def __init__(
        self,
        kind: str,
        type_: Type,
        records: Records,
        select: Optional[str],
        options: dict[str, Any],
        threads: int,
        sink: Any,
    ):
        super().__init__(records)
        arrow = pyarrow()
        on_error: Any = {"raise": "raise", "null": "null"}.get(records.on_error, "skip")
        if (
            options["enums"] == "name"
        ):  # dictionaries of batches would differ, and a file holds only one
            options = {**options, "enums": "string"}
        self._reader = type_._column_reader(select, on_error=on_error, threads=threads, **options)
        self._threads = threads
        self._batch = arrow.record_batch
        self._to = _Stream(sink)
        self._writer: Any = {"parquet": _Parquet, "arrow": _Arrow, "csv": _Csv}[kind](
            arrow.schema(self), self._to
        )

    def __arrow_c_schema__(self) -> Any:
        return self._reader.schema()

    def read(
        self, source: _files.Source, reject: Callable[[Rejected], Any], advance: Callable[..., None]
    ) -> None:
        """Writes the rows of a file."""
        with self._scan(source, reject) as scan:
            columns = Columns(self._reader, scan, _BATCH, self._threads)
            columns._on_reject = reject
            for array in columns.batches():
                batch = self._batch(Batch(self._reader.schema(), array))
                self.rows += batch.num_rows
                self._writer.write(batch)
                advance(self._count + scan.count)

    def close(self) -> None:
        self._writer.close()

    def abandon(self) -> None:
        self._to.is_dead = True
        with contextlib.suppress(Exception):  # its destructor would write to the closed stream
            self._writer.close()


def _row_filter(type_: Type, options: dict[str, Any]) -> Callable[[bytes], bool]:
    """A function that returns whether a record matches --where.

    Reads a single column, which is fastest.
    """
    scalars = [
        name
        for name, field in type_.fields.items()
        if field.type.kind not in ("struct", "union", "exception", "list", "set", "map")
    ]
    options = {name: options[name] for name in ("protocol", "depth", "defaults", "where")}
    reader = type_._column_reader(
        f"{{ {scalars[0]} }}" if scalars else None, missing_required="omit", **options
    )
    return lambda record: any(_core.arrow_length(array) for array in reader.read((record,), 0)[0])


class _Lines(_Table):
    """Writes records as lines of JSON, as to-json does."""

    def __init__(
        self,
        type_: Type,
        records: Records,
        select: Optional[str],
        options: dict[str, Any],
        sink: Any,
    ):
        if options["nesting"] == "flat" or any(
            options[name] for name in ("record", "reason", "file", "unknown_fields")
        ):
            raise click.UsageError(
                "--flat, --record, --reason, --file and --unknown-fields cannot be used with jsonl"
            )
        names = (
            "protocol",
            "depth",
            "output_size",
            "enums",
            "defaults",
            "mismatch",
            "invalid_utf8",
            "missing_required",
            "unknown",
        )
        json_options = {name: options[name] for name in names}
        if json_options["invalid_utf8"] == "keep":
            json_options["invalid_utf8"] = "surrogateescape"
        matches = _row_filter(type_, options) if options["where"] else None

        def line(cut: Cut, protocol: Any) -> Any:
            record = records.make(cut, protocol)
            if record is NOTHING or (matches is not None and not matches(record)):
                return NOTHING
            return type_.to_json(record, select=select, nonfinite="string", **json_options) + b"\n"

        super().__init__(records._replace(make=line))
        self._sink = sink

    def read(
        self, source: _files.Source, reject: Callable[[Rejected], Any], advance: Callable[..., None]
    ) -> None:
        """Writes the rows of a file."""
        source.before_read = (
            self._sink.flush
        )  # a read from a pipe may block: write finished rows first
        with (
            self._scan(source, reject) as scan,
            _signals.resuming(source.name, scan.offset) as progress,
        ):
            for line in scan:
                self._sink.write(b"null\n" if line is None else line)
                self.rows += 1
                progress.offset = scan.offset
                if scan.count % 512 == 0:
                    advance(self._count + scan.count)


def open_table(
    kind: str,
    type_: Type,
    records: Records,
    select: Optional[str],
    options: dict[str, Any],
    threads: int,
    sink: Any,
) -> Union[_Columnar, _Lines]:
    """A table that writes rows to the sink in the format `kind`."""
    return (
        _Lines(type_, records, select, options, sink)
        if kind == "jsonl"
        else _Columnar(kind, type_, records, select, options, threads, sink)
    )


class _Stream(io.RawIOBase):
    """A sink as a file that pyarrow writes to."""

    def __init__(self, sink: Any):
        self._sink = sink
        self._at = 0
        self.is_dead = False
        """Whether to discard writes, such as those of a writer's destructor."""

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def write(self, data: Any) -> int:
        chunk = bytes(data)
        if not self.is_dead:
            self._sink.write(chunk)
        self._at += len(chunk)
        return len(chunk)


def _empty_struct(arrow: Any, field: Any) -> Optional[str]:
    """The dotted name of the first struct without fields in a column, also in lists and maps."""
    type_ = field.type
    if arrow.types.is_struct(type_) and type_.num_fields == 0:
        return str(field.name)
    for index in range(type_.num_fields):
        if (name := _empty_struct(arrow, type_.field(index))) is not None:
            return f"{field.name}.{name}"
    return None


class _Parquet:
    """Writes Parquet; combines batches into row groups."""

    def __init__(self, schema: Any, to: _Stream):
        self._arrow = pyarrow()
        for field in schema:
            if (name := _empty_struct(self._arrow, field)) is not None:
                raise UnwritableColumn(
                    f"Parquet cannot hold column {name!r}, a struct without fields; exclude it with --select, or write .arrow"
                )
        self._writer: Any = pyarrow("pyarrow.parquet").ParquetWriter(to, schema)
        self._held: list[Any] = []
        self._rows = self._bytes = 0

    def write(self, batch: Any) -> None:
        self._held.append(batch)
        self._rows += batch.num_rows
        self._bytes += batch.nbytes
        if self._rows >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self._flush()

    def close(self) -> None:
        if self._rows:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        self._writer.write_table(
            self._arrow.Table.from_batches(self._held), row_group_size=_GROUP_ROWS
        )
        self._held = []
        self._rows = self._bytes = 0


class _Arrow:
    """Writes an Arrow IPC file."""

    def __init__(self, schema: Any, to: _Stream):
        self._writer: Any = pyarrow().ipc.new_file(to, schema)

    def write(self, batch: Any) -> None:
        self._writer.write_batch(batch)

    def close(self) -> None:
        self._writer.close()


class _Csv:
    """Writes CSV with a header line; binary as base64, uuids as text, null as an empty field."""

    def __init__(self, schema: Any, to: _Stream):
        self._arrow = arrow = pyarrow()
        self._plain = []
        for field in schema:
            kind = field.type
            if arrow.types.is_nested(kind):
                advice = (
                    "--flat makes columns of its fields"
                    if arrow.types.is_struct(kind)
                    else "write another format"
                )
                raise UnwritableColumn(
                    f"CSV cannot hold column {field.name!r}, a {kind}: {advice}, or exclude it with --select"
                )
            self._plain.append(field.with_type(arrow.string()) if self._is_text(kind) else field)
        self._schema = arrow.schema(self._plain)
        self._writer: Any = pyarrow("pyarrow.csv").CSVWriter(to, self._schema)

    def write(self, batch: Any) -> None:
        columns = [
            self._text(column) if self._is_text(column.type) else column for column in batch.columns
        ]
        self._writer.write_batch(self._arrow.record_batch(columns, schema=self._schema))

    def close(self) -> None:
        self._writer.close()

    def _is_text(self, kind: Any) -> bool:
        types = self._arrow.types
        return bool(types.is_binary(kind) or types.is_fixed_size_binary(kind))

    def _text(self, column: Any) -> Any:
        if self._arrow.types.is_fixed_size_binary(column.type):
            texts = [
                None if value is None else str(uuid.UUID(bytes=value))
                for value in column.to_pylist()
            ]
        else:
            texts = [
                None if value is None else base64.b64encode(value).decode()
                for value in column.to_pylist()
            ]
        return self._arrow.array(texts, self._arrow.string())


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
    files.
    """
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
        _files.writing(output, is_text=kind in ("csv", "jsonl")) as sink,
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
                with reading(spec, None) as (_, source), _files.progress(source, sink) as advance:
                    source.texts = spec.framing not in ("base64", "hex", "lines")
                    target.file = display_name(file) if options["file"] else None
                    target.report = functools.partial(report_cut_ends, spec)
                    target.read(source, rejects.take, advance)
                if target.is_at_limit:
                    break
    if output != "-":
        say(f"{output}: {plural(target.rows, 'row')}")
