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
from .. import io as _files, options as opt, signals as _signals
from ..input import reading, take_input, typed
from ..records import Rejects, report_cut_ends
from ..report import display_name, plural, say
from ..._records.columns import Columns
from ..._text import escaped
from ..._optional import package
from ..._records.pieces import Batch, Rejected
from ..._records.scan import NOTHING, NULL, Cut, Scan, bytes_of
from ..._schema.schema import Type

FORMATS = ("parquet", "arrow", "csv", "jsonl")
_GROUP_ROWS = 1 << 20  # of a row group at most, …
_GROUP_BYTES = 1 << 26  # … and of its columns in memory
_BATCH = 1 << 16


def format_of(output: str, said: Optional[str]) -> str:
    """What is written: as --to says, else by the ending of the file; lines of JSON to standard output."""
    if said is not None:
        return said
    if output == "-":
        return "jsonl"
    ending = os.path.splitext(output)[1][1:].lower()
    found = {"pq": "parquet", "feather": "arrow", "ipc": "arrow", "ndjson": "jsonl"}.get(ending, ending)
    if found not in FORMATS:
        raise click.UsageError(f"{output}: which format? The name ends in .parquet, .arrow, .csv or .jsonl, or --to says it")
    return found


class UnwritableColumn(click.ClickException):
    """A column that a format cannot hold."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        click.echo(f"thriftlens: {escaped(self.format_message())}", err=True, file=file)


def pyarrow(module: str = "pyarrow") -> Any:
    """The package, or a module of it."""
    return package(module, "Parquet, Arrow and CSV (but not .jsonl) need", "'thriftlens[arrow]'")


def maker(of: Type, means: Callable[[Cut], bool], options: dict[str, Any]) -> Callable[[Cut, Any], Any]:
    """What gives the records of messages, and of lines of Apache's JSON protocol, in the protocol that columns are read by."""
    depth = options["depth"]
    wanted: Any = options["protocol"]

    def of_message(cut: Cut, protocol: Any) -> Any:
        if not means(cut):
            return NOTHING
        if protocol == wanted:
            return bytes(cut.bytes())
        return _core.convert(cut.bytes(), source=protocol, target=wanted, type=of, depth=depth)

    def of_line(cut: Cut, protocol: Any) -> Any:
        return _core.convert(cut.bytes(), source="tjson", target="binary", type=of, depth=depth)

    chosen: Any = of_line if wanted == "tjson" else of_message
    chosen.gives_bytes = True
    return chosen  # type: ignore[no-any-return]


class Records(NamedTuple):
    """How the records of files are cut, and what becomes of those that cannot be read (see cli._Input)."""

    framing: str
    how: dict[str, Any]
    on_error: str
    start: int
    limit: Optional[int]
    cut_end: str = "error"
    make: Callable[[Cut, Any], Any] = bytes_of


class _Table:
    """Rows of files one after another. Records are numbered in their file."""

    def __init__(self, records: Records):
        self._records = records
        self._count = 0
        self.rows = 0
        self.file: Optional[str] = None
        """For the column of files."""
        self.report: Callable[[Scan], None] = lambda scan: None

    @property
    def is_done(self) -> bool:
        """Whether there are as many records as were asked for."""
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

    def read(self, source: _files.Source, reject: Callable[[Rejected], Any], moved: Callable[..., None]) -> None:
        """Writes the rows of a file."""
        raise NotImplementedError

    def close(self) -> None:
        """Writes what is left."""

    def abandon(self) -> None:
        """Writes no more, whatever is left: the file is not wanted."""

    @contextlib.contextmanager
    def _scan(self, source: _files.Source, reject: Callable[[Rejected], Any]) -> Iterator[Scan]:
        """The records of a file; reject is told of each that stands for none, or for null."""
        given = self._records

        def refuse(rejected: Rejected) -> Any:
            reject(rejected)
            return NULL if given.on_error == "null" else None

        on_error = "raise" if given.on_error == "raise" else refuse
        left = None if given.limit is None else given.limit - self._count
        how = {**given.how, "framing": given.framing, "record_size": source.bound}
        scan = Scan(iter([(self.file, source.window(given.framing))]), given.make, how, on_error, given.start, 0, left, given.cut_end)
        yield scan
        self.report(scan)
        self._count += scan.count


class _Columnar(_Table):
    """By batches of columns."""

    def __init__(self, kind: str, of: Type, records: Records, select: Optional[str], options: dict[str, Any], threads: int, sink: Any):
        super().__init__(records)
        arrow = pyarrow()
        on_error: Any = {"raise": "raise", "null": "null"}.get(records.on_error, "skip")
        if options["enums"] == "name":  # dictionaries of batches would differ, and a file holds only one
            options = {**options, "enums": "string"}
        self._reader = of._column_reader(select, on_error=on_error, threads=threads, **options)
        self._threads = threads
        self._batch = arrow.record_batch
        self._to = _Stream(sink)
        self._writer: Any = {"parquet": _Parquet, "arrow": _Arrow, "csv": _Csv}[kind](arrow.schema(self), self._to)

    def __arrow_c_schema__(self) -> Any:
        return self._reader.schema()

    def read(self, source: _files.Source, reject: Callable[[Rejected], Any], moved: Callable[..., None]) -> None:
        """Writes the rows of a file."""
        with self._scan(source, reject) as scan:
            columns = Columns(self._reader, scan, _BATCH, self._threads)
            columns._on_reject = reject
            for array in columns.batches():
                batch = self._batch(Batch(self._reader.schema(), array))
                self.rows += batch.num_rows
                self._writer.write(batch)
                moved(self._count + scan.count)

    def close(self) -> None:
        self._writer.close()

    def abandon(self) -> None:
        self._to.is_dead = True
        with contextlib.suppress(Exception):  # a writer that nobody closes would write to the closed stream
            self._writer.close()


def _keeper(of: Type, options: dict[str, Any]) -> Callable[[bytes], bool]:
    """Whether a record meets the condition, as columns have it: of one column, which costs least."""
    scalars = [name for name, field in of.fields.items() if field.type.kind not in ("struct", "union", "exception", "list", "set", "map")]
    how = {name: options[name] for name in ("protocol", "depth", "defaults", "where")}
    reader = of._column_reader(f"{{ {scalars[0]} }}" if scalars else None, missing_required="omit", **how)
    return lambda record: any(_core.arrow_length(each) for each in reader.read((record,), 0)[0])


class _Lines(_Table):
    """A line of JSON for each record, as to-json writes it."""

    def __init__(self, of: Type, records: Records, select: Optional[str], options: dict[str, Any], sink: Any):
        if options["nesting"] == "flat" or any(options[name] for name in ("record", "reason", "file", "unknown_fields")):
            raise click.UsageError("--flat, --record, --reason, --file and --unknown-fields are for columns; lines of JSON are what to-json writes")
        names = ("protocol", "depth", "output_size", "enums", "defaults", "mismatch", "invalid_utf8", "missing_required", "unknown")
        how = {name: options[name] for name in names}
        if how["invalid_utf8"] == "keep":
            how["invalid_utf8"] = "surrogateescape"
        keeps = _keeper(of, options) if options["where"] else None

        def line(cut: Cut, protocol: Any) -> Any:
            record = records.make(cut, protocol)
            if record is NOTHING or (keeps is not None and not keeps(record)):
                return NOTHING
            return of.to_json(record, select=select, nonfinite="string", **how) + b"\n"

        super().__init__(records._replace(make=line))
        self._sink = sink

    def read(self, source: _files.Source, reject: Callable[[Rejected], Any], moved: Callable[..., None]) -> None:
        """Writes the rows of a file."""
        source.before_read = self._sink.flush  # a pipe may wait for more: what is done is not held back
        with self._scan(source, reject) as scan, _signals.resuming(source.name, scan.offset) as done:
            for line in scan:
                self._sink.write(b"null\n" if line is None else line)
                self.rows += 1
                done.offset = scan.offset
                if scan.count % 512 == 0:
                    moved(self._count + scan.count)



def open_table(kind: str, of: Type, records: Records, select: Optional[str], options: dict[str, Any], threads: int, sink: Any) -> Union[_Columnar, _Lines]:
    """What reads files and writes their rows to the sink, whose format is `kind`."""
    return _Lines(of, records, select, options, sink) if kind == "jsonl" else _Columnar(kind, of, records, select, options, threads, sink)


class _Stream(io.RawIOBase):
    """A sink as a file that pyarrow writes to."""

    def __init__(self, sink: Any):
        self._sink = sink
        self._at = 0
        self.is_dead = False
        """Whether what is still written, as by the end of a writer that nobody closes, goes nowhere."""

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def write(self, data: Any) -> int:
        held = bytes(data)
        if not self.is_dead:
            self._sink.write(held)
        self._at += len(held)
        return len(held)


def _empty_struct(arrow: Any, field: Any) -> Optional[str]:
    """The dotted name of the first struct without fields in a column, which is in a list or map perhaps."""
    kind = field.type
    if arrow.types.is_struct(kind) and kind.num_fields == 0:
        return str(field.name)
    for index in range(kind.num_fields):
        if (name := _empty_struct(arrow, kind.field(index))) is not None:
            return f"{field.name}.{name}"
    return None


class _Parquet:
    """Row groups of some size, each of several batches."""

    def __init__(self, schema: Any, to: _Stream):
        self._arrow = pyarrow()
        for field in schema:
            if (name := _empty_struct(self._arrow, field)) is not None:
                raise UnwritableColumn(f"Parquet cannot hold column {name!r}, a struct without fields: leave it out with --select, or write .arrow")
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
        self._writer.write_table(self._arrow.Table.from_batches(self._held), row_group_size=_GROUP_ROWS)
        self._held = []
        self._rows = self._bytes = 0


class _Arrow:
    """Arrow's IPC file."""

    def __init__(self, schema: Any, to: _Stream):
        self._writer: Any = pyarrow().ipc.new_file(to, schema)

    def write(self, batch: Any) -> None:
        self._writer.write_batch(batch)

    def close(self) -> None:
        self._writer.close()


class _Csv:
    """A line of names, then a line for each row; binary as base64, uuids as their text, null as nothing."""

    def __init__(self, schema: Any, to: _Stream):
        self._arrow = arrow = pyarrow()
        self._plain = []
        for each in schema:
            kind = each.type
            if arrow.types.is_nested(kind):
                remedy = "--flat makes columns of its fields" if arrow.types.is_struct(kind) else "write another format"
                raise UnwritableColumn(f"CSV cannot hold column {each.name!r}, a {kind}: {remedy}, or leave it out with --select")
            self._plain.append(each.with_type(arrow.string()) if self._is_text(kind) else each)
        self._schema = arrow.schema(self._plain)
        self._writer: Any = pyarrow("pyarrow.csv").CSVWriter(to, self._schema)

    def write(self, batch: Any) -> None:
        columns = [self._text(each) if self._is_text(each.type) else each for each in batch.columns]
        self._writer.write_batch(self._arrow.record_batch(columns, schema=self._schema))

    def close(self) -> None:
        self._writer.close()

    def _is_text(self, kind: Any) -> bool:
        types = self._arrow.types
        return bool(types.is_binary(kind) or types.is_fixed_size_binary(kind))

    def _text(self, column: Any) -> Any:
        if self._arrow.types.is_fixed_size_binary(column.type):
            texts = [None if each is None else str(uuid.UUID(bytes=each)) for each in column.to_pylist()]
        else:
            texts = [None if each is None else base64.b64encode(each).decode() for each in column.to_pylist()]
        return self._arrow.array(texts, self._arrow.string())


@click.command()
@opt.idl_argument
@opt.type_argument
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(allow_dash=True))
@click.option("--select", metavar="SELECTION", help="Columns: '{ id user { name } items { sku price } }'; default: all.")
@click.option("--where", metavar="CONDITION", help="Condition that rows must match: 'user.id > 5 and status = PAID'.")
@opt.output_option
@click.option("--to", "to", type=click.Choice(["parquet", "arrow", "csv", "jsonl"]), help="Output format; default: by the extension of OUT, jsonl on standard output.")
@opt.any_protocol_options
@opt.output_size_option
@opt.framing_options
@opt.choice("to_json", "enums", help="Enum values as numbers or names.")
@click.option("--flat", is_flag=True, help="Fields of nested structs as columns: outer.inner.")
@opt.choices("_column_reader", "defaults")
@opt.choice("_column_reader", "field_ids", help="Field ids in Parquet, for Iceberg; unique: numbered consecutively.")
@opt.choices("_column_reader", "mismatch", "invalid_utf8")
@opt.missing_required_option
@opt.choices("_column_reader", "unknown")
@click.option("--record", metavar="NAME", help="Add a column NAME with the number of each record in its file.")
@click.option("--reason", metavar="NAME", help="With --on-error null: add a column NAME with the error of a row of nulls.")
@click.option("--file", "file_column", metavar="NAME", help="Add a column NAME with the file of each record.")
@click.option("--unknown-fields", metavar="NAME", help="Add a column NAME with the fields that are not in the IDL, as struct bytes.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="Threads that read records; not for jsonl.")
def table(idl: str, type_name: str, files: tuple[str, ...], output: str, to: Optional[str], select: Optional[str], flat: bool, threads: int, **options: Any) -> None:
    """Write the records of FILEs as Parquet, Arrow, CSV (with pyarrow) or lines of JSON, by the extension of OUT.

    Records are not framed unless --framing is given. Memory use does not depend on the size of the files."""
    kind = format_of(output, to)
    options["file"] = options.pop("file_column")
    given = take_input(files[0] if files else "-", options, options["protocol"])
    given, of = typed(given, idl, type_name, options)
    if given.start and len(files) > 1:
        raise click.UsageError("--start goes with one FILE")
    how = {"protocol": "binary" if options["protocol"] == "tjson" else options["protocol"], "depth": options["depth"], "lead": given.lead}
    records = Records(given.framing or "none", how, given.on_error, given.start, given.limit, given.scans_cut_end)
    if given.framing in ("message", "lines"):
        records = records._replace(make=maker(of, given.means, options))
    options["protocol"] = records.how["protocol"]
    with _files.writing(output, is_text=kind in ("csv", "jsonl")) as sink, Rejects(given, [], b"", sink) as rejects:
        with open_table(kind, of, records, select, {**options, "nesting": "flat" if flat else "structs"}, threads, sink) as made:
            for file in files or ("-",):
                given = given._replace(file=file)
                rejects.of(given)
                with reading(given, None) as (_, source), _files.progress(source, sink) as moved:
                    source.texts = given.framing not in ("base64", "hex", "lines")
                    made.file = display_name(file) if options["file"] else None
                    made.report = functools.partial(report_cut_ends, given)
                    made.read(source, rejects.take, moved)
                if made.is_done:
                    break
    if output != "-":
        say(f"{output}: {plural(made.rows, 'row')}")
