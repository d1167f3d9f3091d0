"""Tables of records: columns by pyarrow, or lines of JSON."""

from __future__ import annotations

import contextlib
from typing import Callable, Iterator, Literal, NamedTuple, Optional, Union

import click

from .. import _core
from .._records.columns import Columns
from .._records.cuts import Cut, bytes_of
from .._records.pieces import Batch, Rejected
from .._records.scan_state import NOTHING, NULL
from .._records.scanner import Scan
from .._records.table_files import Arrow, Csv, Parquet, Stream, pyarrow
from .._schema.types import Type
from .._typing import ColumnOptions
from . import signals as _signals
from .rejects import Rejects
from .sink import Advance, Sink
from .source import ScanOptions, Source, StructProtocol

_BATCH = 1 << 16


Converter = Callable[[Cut, StructProtocol], object]
"""Makes the bytes of a record in the protocol of the column reader; NOTHING to skip it."""


class MessageConverter:
    """Converts the messages that `selects` accepts."""

    gives_bytes = True

    def __init__(
        self, type_: Type, selects: Callable[[Cut], bool], target: StructProtocol, depth: int
    ):
        self._type, self._selects, self._target, self._depth = type_, selects, target, depth

    def __call__(self, cut: Cut, protocol: StructProtocol) -> object:
        if not self._selects(cut):
            return NOTHING
        if protocol == self._target:
            return bytes(cut.bytes())
        return _core.convert(
            cut.bytes(), source=protocol, target=self._target, type=self._type, depth=self._depth
        )


class LineConverter:
    """Converts lines of Apache's JSON protocol to Binary."""

    gives_bytes = True

    def __init__(self, type_: Type, depth: int):
        self._type, self._depth = type_, depth

    def __call__(self, cut: Cut, protocol: StructProtocol) -> object:
        return _core.convert(
            cut.bytes(), source="tjson", target="binary", type=self._type, depth=self._depth
        )


class Records(NamedTuple):
    """How to find the records in files, and how to handle invalid ones (see Input)."""

    options: ScanOptions
    on_error: str
    start: int
    limit: Optional[int]
    truncated: str = "error"
    make: Converter = bytes_of

    @property
    def framing(self) -> str:
        return self.options["framing"] or "none"


class Table:
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

    def __enter__(self) -> Table:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], *_: object) -> None:
        if kind is not None:
            return self.abandon()
        try:
            self.close()
        except BaseException:
            self.abandon()
            raise

    def read(self, source: Source, rejects: Rejects, advance: Advance) -> None:
        """Writes the rows of a file."""
        raise NotImplementedError

    def close(self) -> None:
        """Writes the remaining rows."""

    def abandon(self) -> None:
        """Discards the remaining rows."""

    @contextlib.contextmanager
    def _scan(self, source: Source, rejects: Rejects) -> Iterator[Scan]:
        """The records of a file. `rejects` takes invalid records."""
        records = self._records

        def refuse(rejected: Rejected) -> object:
            rejects.report(rejected)
            return NULL if records.on_error == "null" else None

        scan = Scan(
            iter([(self.file, source.window(records.framing))]),
            records.make,
            {**records.options, "record_size": source.bound},
            "raise" if records.on_error == "raise" else refuse,
            records.start,
            0,
            None if records.limit is None else records.limit - self._count,
            records.truncated,
        )
        yield scan
        self.report(scan)
        self._count += scan.count


class _Columnar(Table):
    """Writes batches of columns."""

    def __init__(
        self,
        kind: str,
        type_: Type,
        records: Records,
        select: Optional[str],
        options: ColumnOptions,
        sink: Sink,
    ):
        super().__init__(records)
        arrow = pyarrow()
        if options["enums"] == "name":  # dictionaries of batches differ; a file holds only one
            options = {**options, "enums": "string"}
        self._reader = type_._column_reader(select, **options)
        self._threads = options["threads"]
        self._batch = arrow.record_batch
        self._to = Stream(sink)
        self._writer = _WRITERS[kind](arrow.schema(self), self._to)

    def __arrow_c_schema__(self) -> object:
        return self._reader.schema()

    def read(self, source: Source, rejects: Rejects, advance: Advance) -> None:
        """Writes the rows of a file."""
        with self._scan(source, rejects) as scan:
            columns = Columns(self._reader, scan, _BATCH, self._threads)
            columns._on_reject = rejects.report
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


_NESTED = ("struct", "union", "exception", "list", "set", "map")
_WRITERS: dict[str, type[Union[Parquet, Arrow, Csv]]] = {
    "parquet": Parquet,
    "arrow": Arrow,
    "csv": Csv,
}


def _row_filter(type_: Type, options: ColumnOptions) -> Callable[[bytes], bool]:
    """A function that returns whether a record matches --where.

    Reads a single column, which is fastest."""
    scalars = [name for name, field in type_.fields.items() if field.type.kind not in _NESTED]
    reader = type_._column_reader(
        f"{{ {scalars[0]} }}" if scalars else None,
        missing_required="omit",
        protocol=options["protocol"],
        depth=options["depth"],
        defaults=options["defaults"],
        where=options["where"],
    )
    return lambda record: any(_core.arrow_length(array) for array in reader.read((record,), 0)[0])


class _LineWriter:
    """Converts records to lines of JSON."""

    def __init__(self, type_: Type, make: Converter, select: Optional[str], options: ColumnOptions):
        self._type, self._make, self._select = type_, make, select
        self._options = options
        self._invalid_utf8: Literal["error", "replace", "surrogateescape"] = (
            "surrogateescape" if options["invalid_utf8"] == "keep" else options["invalid_utf8"]
        )
        self._matches = _row_filter(type_, options) if options["where"] else None

    def __call__(self, cut: Cut, protocol: StructProtocol) -> object:
        record = self._make(cut, protocol)
        if not isinstance(record, bytes) or (self._matches and not self._matches(record)):
            return NOTHING
        options = self._options
        text = self._type.to_json(
            record,
            select=self._select,
            nonfinite="string",
            protocol=options["protocol"],
            depth=options["depth"],
            output_size=options["output_size"],
            enums="name" if options["enums"] == "name" else "number",
            defaults=options["defaults"],
            mismatch=options["mismatch"],
            invalid_utf8=self._invalid_utf8,
            missing_required=options["missing_required"],
            unknown=options["unknown"],
        )
        return text + b"\n"


class _Lines(Table):
    """Writes records as lines of JSON, as to-json does."""

    def __init__(
        self,
        type_: Type,
        records: Records,
        select: Optional[str],
        options: ColumnOptions,
        sink: Sink,
    ):
        columns = (options[name] for name in ("record", "reason", "file", "unknown_fields"))
        if options["nesting"] == "flat" or any(columns):
            raise click.UsageError(
                "--flat, --record, --reason, --file and --unknown-fields cannot be used with jsonl"
            )
        super().__init__(records._replace(make=_LineWriter(type_, records.make, select, options)))
        self._sink = sink

    def read(self, source: Source, rejects: Rejects, advance: Advance) -> None:
        """Writes the rows of a file."""
        # A read from a pipe may block: write finished rows first.
        source.before_read = self._sink.flush
        with (
            self._scan(source, rejects) as scan,
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
    options: ColumnOptions,
    sink: Sink,
) -> Table:
    """A table that writes rows to the sink in the format `kind`."""
    if kind == "jsonl":
        return _Lines(type_, records, select, options, sink)
    return _Columnar(kind, type_, records, select, options, sink)
