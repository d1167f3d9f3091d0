"""Writer: what it writes is read by scan, and nothing is lost after an error."""

import bz2
import gzip
import io
import lzma
import os
import pickle
import sys

import pytest
import thriftlens as tl

Point = tl.loads("struct Point { 1: required i32 x, 2: string text }").Point
POINTS = [{"x": x, "text": "é" * x} for x in range(5)]


def written(values, type=Point, **options):
    file = io.BytesIO()
    with tl.Writer(file, type, **options) as writer:
        writer.write_all(values)
    assert (writer.count, file.closed) == (len(values), False)
    return file.getvalue()


@pytest.mark.parametrize("framing", ["none", "u32", "u32le", "varint", "kafka", "base64", "hex"])
@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_records_are_read_back(framing, protocol):
    options = {"framing": framing, "protocol": protocol}
    assert [*tl.scan(written(POINTS, **options), Point, to="dict", **options)] == POINTS


def test_lines_of_json_are_read_back():
    options = {"framing": "lines", "protocol": "tjson"}
    assert [*tl.scan(written(POINTS, **options), Point, to="dict", **options)] == POINTS


def test_null_records_and_bytes():
    records = [Point.encode(POINTS[1]), None, Point.encode(POINTS[2])]
    data = written(records, None, framing="kafka")
    assert [*tl.scan(data, framing="kafka", to="bytes")] == records
    with tl.Writer(io.BytesIO(), framing="u32") as writer:
        with pytest.raises(tl.UsageError, match="no null record"):
            writer.write(None)
        with pytest.raises(tl.UsageError, match="records must be bytes, not dict"):
            writer.write({})
        assert (writer.count, writer.offset) == (0, 0)


@pytest.mark.parametrize("framing", ["message", "framed"])
def test_messages_are_read_back(framing):
    calls = [tl.Message("get", "call", number, b"\0") for number in range(3)]
    (first, *_) = messages = [*tl.scan(written(calls, None, framing=framing), framing=framing)]
    assert [message.sequence_id for message in messages] == [0, 1, 2]
    assert (first.name, first.kind, first.data) == ("get", "call", b"\0")


@pytest.mark.parametrize(
    "suffix, open_file",
    [(".gz", gzip.open), (".bz2", bz2.open), (".xz", lzma.open), (".zst", None), ("", open)],
)
def test_the_path_decides_on_the_compression(tmp_path, suffix, open_file):
    path = tmp_path / f"points{suffix}"
    with tl.Writer(path, Point, framing="u32") as writer:
        writer.write_all(POINTS)
        assert not path.exists()
    if open_file is not None:
        with open_file(path, "rb") as file:
            assert len(file.read()) == writer.offset
    assert [*tl.scan(path, Point, framing="u32", to="dict")] == POINTS


def test_zstd_without_its_package(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "compression", None)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(ImportError, match=r"thriftlens\[zstd\]"):
        tl.Writer(tmp_path / "points.zst", Point, framing="u32")
    assert os.listdir(tmp_path) == []


def test_an_encoder_has_its_options():
    data = written([{"x": 1, "y": 2}], Point.encoder(unknown="drop"), framing="none")
    assert Point.decode(data) == {"x": 1}


def test_a_value_that_cannot_be_encoded_leaves_no_trace():
    file = io.BytesIO()
    with tl.Writer(file, Point, framing="u32") as writer:
        writer.write(POINTS[0])
        with pytest.raises(tl.EncodeError, match="missing"):
            writer.write({})
        writer.write(POINTS[1])
    assert [*tl.scan(file.getvalue(), Point, framing="u32", to="dict")] == POINTS[:2]


def fill(target, **options):
    with tl.Writer(target, Point, framing="u32", **options) as writer:
        writer.write_all(POINTS)
        raise RuntimeError("stop")


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_an_exception_leaves_the_old_file(tmp_path, suffix):
    path = tmp_path / f"points{suffix}"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError, match="stop"):
        fill(path)
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"old", [path.name])


@pytest.mark.parametrize("compression", ["none", "gzip", "zstd"])
def test_a_file_object_has_all_records_before_an_exception(compression):
    file = io.BytesIO()
    with pytest.raises(RuntimeError, match="stop"):
        fill(file, compression=compression)
    assert [*tl.scan(file.getvalue(), Point, framing="u32", to="dict")] == POINTS


class Full(io.RawIOBase):
    """Accepts `capacity` bytes, one to three at a time; then nothing, or an error."""

    def __init__(self, capacity, error=None):
        self.data, self.capacity, self.error = b"", capacity, error

    def writable(self):
        return True

    def write(self, data):
        if self.capacity == 0 and self.error is not None:
            raise self.error
        accepted = bytes(data[: min(3, self.capacity)])
        self.data += accepted
        self.capacity -= len(accepted)
        return len(accepted) or None


@pytest.mark.parametrize("error", [None, OSError(28, "full")])
def test_records_that_a_file_object_refuses_are_written_later(error):
    file = Full(40, error)
    with tl.Writer(file, Point, framing="u32") as writer:
        writer.write_all(POINTS)
        with pytest.raises(OSError, match="full" if error else "would block"):
            writer.flush()
        file.capacity = 1000
        writer.flush()
    assert [*tl.scan(file.data, Point, framing="u32", to="dict")] == POINTS


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "points"
    path.write_bytes(b"old")
    writer = tl.Writer(path, Point, framing="u32")
    writer.write_all(POINTS)
    monkeypatch.setattr(writer, "_stream", Full(10, OSError(28, "full")))
    with pytest.raises(OSError, match="full"):
        writer.close()
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"old", ["points"])


def test_memory_is_bounded_and_a_closed_writer_refuses(tmp_path):
    file = io.BytesIO()
    writer = tl.Writer(file, framing="u32")
    writer.write_all(bytes(1000) for _ in range(200))
    assert len(writer._pending) < 70_000 and len(file.getvalue()) > 130_000
    writer.close()
    writer.close()
    assert len(file.getvalue()) == writer.offset == 200_800
    with pytest.raises(ValueError, match="closed"):
        writer.write(b"")
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(writer)
    assert repr(writer) == "<thriftlens.Writer: 200 records, 200800 bytes>"


@pytest.mark.parametrize("options", [
    {"framing": "list"}, {"framing": "lines"}, {"framing": "u32", "protocol": "tjson"},
    {"framing": "u32", "compression": "zip"},
])  # fmt: skip
def test_options_that_do_not_exist_or_fit_create_no_file(tmp_path, options):
    with pytest.raises(ValueError, match="Writer()"):
        tl.Writer(tmp_path / "points", Point, **options)
    assert os.listdir(tmp_path) == []
