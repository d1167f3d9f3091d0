"""Files of tables: Parquet, Arrow IPC and CSV, written by pyarrow."""

from __future__ import annotations

import base64
import io
import uuid
from typing import Any, Optional

import click

from .._optional import package
from .._text import escaped

_GROUP_ROWS = 1 << 20  # maximum rows of a row group
_GROUP_BYTES = 1 << 26  # maximum size of its columns in memory


class UnwritableColumn(click.ClickException):
    """A column that a format cannot hold."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        click.echo(f"thriftlens: {escaped(self.format_message())}", err=True, file=file)


def pyarrow(module: str = "pyarrow") -> Any:
    """Imports pyarrow or one of its modules."""
    return package(module, "Parquet, Arrow and CSV (but not .jsonl) need", "'thriftlens[arrow]'")


class Stream(io.RawIOBase):
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


class Parquet:
    """Writes Parquet; combines batches into row groups."""

    def __init__(self, schema: Any, to: Stream):
        self._arrow = pyarrow()
        for field in schema:
            if (name := _empty_struct(self._arrow, field)) is not None:
                raise UnwritableColumn(
                    f"Parquet cannot hold column {name!r}, a struct without fields; exclude it "
                    "with --select, or write .arrow"
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


class Arrow:
    """Writes an Arrow IPC file."""

    def __init__(self, schema: Any, to: Stream):
        self._writer: Any = pyarrow().ipc.new_file(to, schema)

    def write(self, batch: Any) -> None:
        self._writer.write_batch(batch)

    def close(self) -> None:
        self._writer.close()


class Csv:
    """Writes CSV with a header line; binary as base64, uuids as text, null as an empty field."""

    def __init__(self, schema: Any, to: Stream):
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
                    f"CSV cannot hold column {field.name!r}, a {kind}: {advice}, or exclude it "
                    "with --select"
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
