"""tl.scan_columns, and scans as input of columns: framed bytes become arrays without an object per
record."""

import gzip
import io
import signal
import struct

import pytest
import thriftlens as tl

pa = pytest.importorskip("pyarrow")
Point = tl.loads("struct Point { 1: required i32 x, 2: optional string text }")["Point"]
LONG = "a text that does not fit into twelve bytes"


def points(count, **more):
    return [Point.encode({"x": x, **more}) for x in range(count)]


def framed(record, framing="u32"):
    if record is None:
        return b"\xff\xff\xff\xff"
    return {
        "none": record,
        "u32": struct.pack(">I", len(record)) + record,
        "u32le": struct.pack("<I", len(record)) + record,
        "kafka": struct.pack(">I", len(record)) + record,
        "hex": record.hex().encode() + b"\n",
    }[framing]


def x_of(columns):
    table = pa.table(columns)
    table.validate(full=True)
    return table.column("x").to_pylist()


@pytest.mark.parametrize("framing", ["none", "u32", "u32le", "kafka", "hex"])
@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_framings_and_sizes_of_batches(framing, size):
    data = b"".join(framed(point, framing) for point in points(20, text=LONG))
    columns = tl.scan_columns(data, Point, framing=framing, batch_size=size)
    assert x_of(columns) == list(range(20)) == x_of(columns)
    assert columns.num_rows == 20 and len(list(columns.batches())) >= 20 // size
    assert pa.table(columns).column("text").unique().to_pylist() == [LONG]


def test_sources(tmp_path):
    data = b"".join(points(30))
    for name in ("a.bin", "b.bin"):
        (tmp_path / name).write_bytes(data)
    (tmp_path / "c.gz").write_bytes(gzip.compress(data))
    once = list(range(30))
    assert x_of(tl.scan_columns(str(tmp_path / "*.bin"), Point)) == once + once
    result = x_of(tl.scan_columns([tmp_path / "c.gz", tmp_path / "a.bin"], Point, limit=40))
    assert result == once + once[:10]
    assert x_of(tl.scan_columns(memoryview(data), Point)) == once
    stream = tl.scan_columns(io.BytesIO(data), Point)
    assert x_of(stream) == once
    with pytest.raises(ValueError, match="is exhausted"):
        pa.table(stream)
    chunks = (data[at : at + 5] for at in range(0, len(data), 5))
    assert x_of(tl.scan_columns(chunks, Point)) == once
    assert x_of(tl.scan_columns(data, Point, limit=0)) == []


def test_null_records_are_null_rows():
    data = b"".join(framed(point, "kafka") for point in (points(1)[0], None, points(3)[2]))
    assert x_of(tl.scan_columns(data, Point, framing="kafka")) == [0, None, 2]


def test_a_scan_can_be_read_in_pieces(tmp_path):
    data = b"".join(framed(point) for point in points(10))
    scan = tl.scan(data, Point, framing="u32", to="bytes", limit=4)
    assert x_of(Point.columns(scan)) == [0, 1, 2, 3]
    assert (scan.count, scan.number, scan.record, scan.offset) == (4, 4, 3, len(data) * 4 // 10)
    rest = tl.scan(data, Point, framing="u32", to="bytes", start=scan.offset, number=scan.number)
    next(rest)
    assert x_of(Point.columns(rest)) == list(range(5, 10))
    with pytest.raises(StopIteration):
        next(rest)


@pytest.mark.parametrize("fault", [
    b"\x08\x00", b"\x08\x00\x01\x00",
    Point.encode({"x": 1})[:-1] + b"\x0b\x00\x02\x00\x00\x00\x01\xff\x00",
])  # fmt: skip
@pytest.mark.parametrize("threads", [1, 2])
def test_invalid_records_are_handled(fault, threads):
    """The framing rejects a truncated value, the columns reject text that is not UTF-8; both are
    reported in the same way."""
    good = points(2000, text=LONG)
    data = b"".join(
        framed(record) for record in (*good[:700], fault, *good[700:1900], fault, *good[1900:])
    )
    fault_offset = len(framed(good[0])) * 700

    def read(**options):
        return tl.scan_columns(data, Point, framing="u32", threads=threads, **options)

    with pytest.raises(tl.DecodeError) as caught:
        read(batch_size=900).num_rows
    assert caught.value.record == 700 and caught.value.record_offset == fault_offset
    assert caught.value.offset >= fault_offset
    row_count = 0
    with pytest.raises(tl.DecodeError):
        for batch in read(batch_size=900).batches():
            row_count += tl._core.arrow_length(batch)
    assert row_count == 700
    skipped = read(on_error="skip")
    assert x_of(skipped) == list(range(2000))
    assert [rejected.record for rejected in skipped.rejected] == [700, 1901]
    null = read(on_error="null", reason="why", record="n")
    table = pa.table(null)
    assert table.column("n").to_pylist() == list(range(2002))
    result = [at for at, reason in enumerate(table.column("why").to_pylist()) if reason]
    assert result == [700, 1901]
    assert table.column("x").null_count == 2
    assert [rejected.record for rejected in null.rejected] == [700, 1901]


@pytest.mark.parametrize("framing", ["u32", "hex"])
def test_offsets_of_reasons_count_from_the_value(framing):
    wrong_type = b"\x0b\0\1\0\0\0\1a\0"
    records = [Point.encode({"x": 1}), wrong_type, b"\x08\0\1", wrong_type]
    data = b"".join(framed(record, framing) for record in records)
    columns = tl.scan_columns(data, Point, framing=framing, on_error="null", reason="why")
    mismatch = "expected i32, found string at $.x (byte 0)"
    cut = "the data ends in the middle of a value"
    assert pa.table(columns).column("why").to_pylist() == [None, mismatch, cut, mismatch]
    assert columns.rejected[2].error.offset > columns.rejected[1].error.offset > 0


def test_every_cut_reports_the_same_as_a_scan():
    data = b"".join(framed(point) for point in points(3, text=LONG))
    for end in range(len(data)):
        by_columns = by_scan = None
        try:
            count = tl.scan_columns(data[:end], Point, framing="u32").num_rows
        except tl.DecodeError as error:
            by_columns, count = (
                (error.code, error.record, error.record_offset, error.offset, str(error)),
                error.record,
            )
        try:
            record_count = len(list(tl.scan(data[:end], Point, framing="u32", to="bytes")))
        except tl.DecodeError as error:
            by_scan, record_count = (
                (error.code, error.record, error.record_offset, error.offset, str(error)),
                error.record,
            )
        assert by_columns == by_scan and count == record_count


def interrupt(number, frame):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "handler", [signal.default_int_handler, interrupt], ids=["usual", "function"]
)
def test_ctrl_c_is_not_lost_in_a_stream(handler):
    """With an exception that has a value, as the usual handler raises it from CPython 3.12 on, and
    without."""

    def records():
        yield from points(10)
        signal.raise_signal(signal.SIGINT)
        yield from points(10)

    taken = other = None
    usual = signal.signal(signal.SIGINT, handler)
    try:
        try:
            pa.table(Point.columns(records(), batch_size=5))
        except (
            pa.ArrowException
        ) as error:  # pyarrow's wrapping of it; Ctrl-C is raised again afterwards
            other = error
        for _ in range(1000):
            pass
    except KeyboardInterrupt as error:
        taken = error
    finally:
        signal.signal(signal.SIGINT, usual)
    assert taken is not None, other
    assert x_of(Point.columns(points(3), batch_size=2)) == [0, 1, 2]


def test_options():
    with pytest.raises(ValueError, match="framing"):
        tl.scan_columns(b"", Point, framing="no")
    with pytest.raises(TypeError):
        tl.scan_columns(b"", Point, colour=1)
    with pytest.raises(tl.UnknownNameError):
        tl.scan_columns(b"", Point, "{ y }")
    with pytest.raises(FileNotFoundError):
        tl.scan_columns("no/such/file", Point).num_rows
