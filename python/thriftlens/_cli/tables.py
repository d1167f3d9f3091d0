"""Tables of records: columns by pyarrow, or lines of JSON."""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Iterator, NamedTuple, Optional, Union

import click

from .. import _core
from .._records.columns import Columns
from .._records.cuts import Cut, bytes_of
from .._records.pieces import Batch, Rejected
from .._records.scanner import NOTHING, NULL, Scan
from .._records.table_files import Arrow, Csv, Parquet, Stream, pyarrow
from .._schema.types import Type
from . import signals as _signals
from .source import Source

_BATCH = 1 << 16


def converter(
    type_: Type, selects: Callable[[Cut], bool], options: dict[str, Any]
) -> Callable[[Cut, Any], Any]:
    """A function that converts messages, and lines of Apache's JSON protocol, to the protocol of
    the column reader."""
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
        self, source: Source, reject: Callable[[Rejected], Any], advance: Callable[..., None]
    ) -> None:
        """Writes the rows of a file."""
        raise NotImplementedError

    def close(self) -> None:
        """Writes the remaining rows."""

    def abandon(self) -> None:
        """Discards the remaining rows."""

    @contextlib.contextmanager
    def _scan(self, source: Source, reject: Callable[[Rejected], Any]) -> Iterator[Scan]:
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
        self._to = Stream(sink)
        self._writer: Any = {"parquet": Parquet, "arrow": Arrow, "csv": Csv}[kind](
            arrow.schema(self), self._to
        )

    def __arrow_c_schema__(self) -> Any:
        return self._reader.schema()

    def read(
        self, source: Source, reject: Callable[[Rejected], Any], advance: Callable[..., None]
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

    Reads a single column, which is fastest."""
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
        names = tuple(
            (
                "protocol depth output_size enums defaults mismatch invalid_utf8 missing_required "
                "unknown"
            ).split()
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
        self, source: Source, reject: Callable[[Rejected], Any], advance: Callable[..., None]
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
    if kind == "jsonl":
        return _Lines(type_, records, select, options, sink)
    return _Columnar(kind, type_, records, select, options, threads, sink)
