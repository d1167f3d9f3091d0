"""Files of tables, written batch by batch."""

import io
import uuid

import pytest
from thriftlens._records.table_files import Arrow, Csv, Parquet, Stream, UnwritableColumn

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

KEY = uuid.UUID(int=7)
SCHEMA = pa.schema([("x", pa.int32()), ("blob", pa.binary()), ("key", pa.binary(16))])
BATCHES = [
    pa.record_batch([[1, 2], [b"a", None], [KEY.bytes, None]], schema=SCHEMA),
    pa.record_batch([[3], [b"\xff"], [KEY.bytes]], schema=SCHEMA),
]
TABLE = pa.Table.from_batches(BATCHES)


def written(writer_class):
    sink = io.BytesIO()
    writer = writer_class(SCHEMA, Stream(sink))
    for batch in BATCHES:
        writer.write(batch)
    writer.close()
    return sink.getvalue()


def test_parquet_combines_batches_into_row_groups():
    file = parquet.ParquetFile(pa.BufferReader(written(Parquet)))
    assert file.read().equals(TABLE) and file.num_row_groups == 1


def test_arrow():
    with pa.ipc.open_file(pa.BufferReader(written(Arrow))) as reader:
        assert reader.read_all().equals(TABLE) and reader.num_record_batches == 2


def test_csv_writes_bytes_as_text():
    lines = written(Csv).decode().split("\n")
    assert lines == ['"x","blob","key"', f'1,"YQ==","{KEY}"', "2,,", f'3,"/w==","{KEY}"', ""]


@pytest.mark.parametrize(
    "type_, advice",
    [
        (pa.struct([("a", pa.int32())]), "--flat makes columns of its fields"),
        (pa.list_(pa.int32()), "write another format"),
    ],
)
def test_csv_refuses_nested_columns(type_, advice):
    with pytest.raises(UnwritableColumn, match=advice):
        Csv(pa.schema([("n", type_)]), Stream(io.BytesIO()))


@pytest.mark.parametrize(
    "type_, name", [(pa.struct([]), "n"), (pa.list_(pa.field("e", pa.struct([]))), "n.e")]
)
def test_parquet_refuses_structs_without_fields(type_, name):
    with pytest.raises(UnwritableColumn, match=f"'{name}', a struct without fields"):
        Parquet(pa.schema([("n", type_)]), Stream(io.BytesIO()))


def test_a_dead_stream_discards_writes():
    sink = io.BytesIO()
    stream = Stream(sink)
    stream.write(b"ab")
    stream.is_dead = True
    assert stream.write(b"cd") == 2
    assert sink.getvalue() == b"ab" and stream.tell() == 4
