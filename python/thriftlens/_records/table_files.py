"""Files of tables: Parquet, Arrow IPC and CSV, written by pyarrow."""

from __future__ import annotations

import base64
import io
import uuid
from types import ModuleType
from typing import IO, TYPE_CHECKING, Optional

import click

from .._optional import package
from .._text import escaped
from .._typing import BinaryWriter, Buffer

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, import-not-found, unused-ignore]

_GROUP_ROWS = 1 << 20  # maximum rows of a row group
_GROUP_BYTES = 1 << 26  # maximum size of its columns in memory


class UnwritableColumn(click.ClickException):
    """A column that a format cannot hold."""

    exit_code = 2

    def show(self, file: Optional[IO[str]] = None) -> None:
        click.echo(f"thriftlens: {escaped(self.format_message())}", err=True, file=file)


def pyarrow(module: str = "pyarrow") -> ModuleType:
    """Imports pyarrow or one of its modules."""
    return package(module, "Parquet, Arrow and CSV (but not .jsonl) need", "'thriftlens[arrow]'")


class Stream(io.RawIOBase):
    """A sink as a file that pyarrow writes to."""

    def __init__(self, sink: BinaryWriter):
        self._sink = sink
        self._at = 0
        self.is_dead = False
        """Whether to discard writes, such as those of a writer's destructor."""

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def write(self, data: Buffer) -> int:
        chunk = bytes(data)
        if not self.is_dead:
            self._sink.write(chunk)
        self._at += len(chunk)
        return len(chunk)


def _empty_struct(arrow: ModuleType, field: pa.Field) -> Optional[str]:
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

    def __init__(self, schema: pa.Schema, to: Stream):
        self._arrow = pyarrow()
        for field in schema:
            if (name := _empty_struct(self._arrow, field)) is not None:
                raise UnwritableColumn(
                    f"Parquet cannot hold column {name!r}, a struct without fields; exclude it "
                    "with --select, or write .arrow"
                )
        self._writer = pyarrow("pyarrow.parquet").ParquetWriter(to, schema)
        self._held: list[pa.RecordBatch] = []
        self._rows = self._bytes = 0

    def write(self, batch: pa.RecordBatch) -> None:
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

    def __init__(self, schema: pa.Schema, to: Stream):
        self._writer = pyarrow().ipc.new_file(to, schema)

    def write(self, batch: pa.RecordBatch) -> None:
        self._writer.write_batch(batch)

    def close(self) -> None:
        self._writer.close()


class Csv:
    """Writes CSV with a header line; binary as base64, uuids as text, null as an empty field."""

    def __init__(self, schema: pa.Schema, to: Stream):
        self._arrow = arrow = pyarrow()
        self._plain = []
        for field in schema:
            if arrow.types.is_nested(field.type):
                raise self._unwritable(field)
            is_text = self._is_text(field.type)
            self._plain.append(field.with_type(arrow.string()) if is_text else field)
        self._schema = arrow.schema(self._plain)
        self._writer = pyarrow("pyarrow.csv").CSVWriter(to, self._schema)

    def _unwritable(self, field: pa.Field) -> UnwritableColumn:
        is_struct = self._arrow.types.is_struct(field.type)
        advice = "--flat makes columns of its fields" if is_struct else "write another format"
        return UnwritableColumn(
            f"CSV cannot hold column {field.name!r}, a {field.type}: {advice}, or exclude it "
            "with --select"
        )

    def write(self, batch: pa.RecordBatch) -> None:
        columns = [
            self._text(column) if self._is_text(column.type) else column for column in batch.columns
        ]
        self._writer.write_batch(self._arrow.record_batch(columns, schema=self._schema))

    def close(self) -> None:
        self._writer.close()

    def _is_text(self, kind: pa.DataType) -> bool:
        types = self._arrow.types
        return bool(types.is_binary(kind) or types.is_fixed_size_binary(kind))

    def _text(self, column: pa.Array) -> pa.Array:
        is_uuid = self._arrow.types.is_fixed_size_binary(column.type)
        text_of = _uuid_text if is_uuid else _base64_text
        texts = [None if value is None else text_of(value) for value in column.to_pylist()]
        return self._arrow.array(texts, self._arrow.string())


def _uuid_text(value: bytes) -> str:
    return str(uuid.UUID(bytes=value))


def _base64_text(value: bytes) -> str:
    return base64.b64encode(value).decode()
