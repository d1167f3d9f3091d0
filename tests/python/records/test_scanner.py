"""Inputs that end in the middle, errors with the offset to resume at, long lines, and leniencies of
columns."""

import base64
import bz2
import gzip
import json
import lzma
import struct
import subprocess
import sys
import zlib

import pytest
import thriftlens as tl

IDL = """
struct In { 1: i32 v, 2: list<i32> l }
struct Row { 1: i64 id, 2: string s, 3: In i, 4: list<In> items, 5: map<string, i32> m,
  6: uuid key }
"""

Row = tl.loads(IDL)["Row"]


def framed(record):
    return struct.pack(">I", len(record)) + record


ROWS = [{"id": number, "s": f"n{number}"} for number in range(50)]
RECORDS = [Row.encode(row) for row in ROWS]
FRAMES = b"".join(map(framed, RECORDS))
BACK_TO_BACK = b"".join(RECORDS)
# fmt: off
CUT = {
    "u32": (FRAMES[:-3], ["--framing", "u32"], {"framing": "u32"}),
    "none": (BACK_TO_BACK[:-3], ["--framing", "none"], {}),
    "gzip": (gzip.compress(FRAMES)[:-5], ["--framing", "u32"], {"framing": "u32"}),
    "base64": (b"\n".join(map(base64.b64encode, RECORDS))[:-4], ["--framing", "base64"],
        {"framing": "base64"}),
    "hex": ("\n".join(record.hex() for record in RECORDS)[:-2].encode(), ["--framing", "hex"],
        {"framing": "hex"}),
}
# fmt: on


@pytest.fixture
def files(tmp_path):
    (tmp_path / "a.thrift").write_text(IDL)
    for name, (data, _, _) in CUT.items():
        (tmp_path / f"{name}.bin").write_bytes(data)
    return tmp_path


@pytest.mark.parametrize("kind", CUT)
def test_scan_drops_a_truncated_record(kind):
    data, _, options = CUT[kind]
    with pytest.raises(tl.DecodeError) as caught:
        list(tl.scan(data, Row, to="dict", **options))
    assert caught.value.code == "truncated"
    count = 50 if kind == "gzip" else 49
    scan = tl.scan(data, Row, to="dict", truncated="drop", **options)
    assert list(scan) == ROWS[:count]
    assert [error.code for error in scan.truncations] == ["truncated"]
    columns = tl.scan_columns(data, Row, "{ id }", truncated="drop", **options)
    assert columns.to_numpy("id").tolist() == list(range(count))


def test_an_error_in_the_middle_is_not_a_truncation():
    wrong = framed(b"\x0f\xff") + FRAMES
    with pytest.raises(tl.DecodeError):
        list(tl.scan(wrong, Row, framing="u32", truncated="drop"))
    broken = bytearray(gzip.compress(FRAMES))
    broken[-6] ^= 1  # of the checksum
    with pytest.raises(tl.DecodeError):
        list(tl.scan(bytes(broken), Row, framing="u32", truncated="drop"))


@pytest.mark.parametrize("kind", CUT)
@pytest.mark.parametrize("options, status", [
    (["--on-error", "skip"], 1), (["--on-error", "null"], 1), (["--truncated", "drop"], 0),
    (["--on-error", "skip", "--truncated", "drop"], 0),
])  # fmt: skip
def test_the_records_up_to_a_cut_are_written_with_a_failing_status(
    files, run, kind, options, status
):
    out = files / "out.jsonl"
    result = run(
        "to-json",
        files / "a.thrift",
        "Row",
        files / f"{kind}.bin",
        *CUT[kind][1],
        *options,
        "-o",
        out,
    )
    assert result.returncode == status, result.stderr
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row for row in rows if row is not None] == ROWS[: 50 if kind == "gzip" else 49]
    assert b"truncated" in result.stderr or b"ended" in result.stderr or b"ends" in result.stderr


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_a_table_has_the_records_before_a_truncated_one(files, run, ending):
    pq = pytest.importorskip("pyarrow.parquet")
    (files / "whole.bin").write_bytes(FRAMES)
    out = files / f"out.{ending}"
    sources = [files / "u32.bin", files / "whole.bin"]
    result = run(
        "table", files / "a.thrift", "Row", *sources, "--framing u32 --on-error skip -o", out
    )
    assert result.returncode == 1, result.stderr
    ids = (
        pq.read_table(out)["id"].to_pylist()
        if ending == "parquet"
        else [json.loads(line)["id"] for line in out.read_text().splitlines()]
    )
    assert ids == [*range(49), *range(50)]
    result = run(
        "table", files / "a.thrift", "Row", *sources, "--framing u32 -o", files / "none.parquet"
    )
    assert result.returncode == 1 and not (files / "none.parquet").exists()


def test_a_truncated_record_is_written_to_the_reject_file(files, run):
    result = run(
        "to-json",
        files / "a.thrift",
        "Row",
        files / "u32.bin",
        "--framing u32 --on-error",
        f"file={files / 'bad'}",
    )
    assert result.returncode == 1 and len(result.stdout.splitlines()) == 49
    assert (files / "bad").read_bytes() == framed(RECORDS[-1])[:-3]


def test_an_error_names_the_byte_to_continue_from(files, run):
    bad = framed(b"\x08\x00")
    (files / "bad.bin").write_bytes(framed(RECORDS[0]) + bad + framed(RECORDS[1]))
    arguments = ["to-json", files / "a.thrift", "Row", files / "bad.bin", "--framing", "u32"]
    result = run(*arguments)
    start = len(framed(RECORDS[0]) + bad)
    assert result.returncode == 1 and f"; continue with --start {start}; ".encode() in result.stderr
    result = run(*arguments, "--start", start)
    assert result.returncode == 0
    assert [json.loads(line) for line in result.stdout.splitlines()] == [ROWS[1]]
    scan = tl.scan(files / "bad.bin", Row, framing="u32")
    with pytest.raises(tl.DecodeError) as caught:
        list(scan)
    assert (caught.value.resume, scan.offset, scan.number) == (start, start, 2)
    assert [
        row.id
        for row in tl.scan(
            files / "bad.bin", Row, framing="u32", start=scan.offset, number=scan.number
        )
    ] == [1]


def test_ctrl_c_names_the_byte_to_continue_from(files):
    """The process is interrupted while it waits for more of its input."""
    import os
    import signal

    code = "import os, sys; os.set_blocking(0, True); from thriftlens._cli.main import main; main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen(
        [sys.executable, "-c", code, "to-json", str(files / "a.thrift"), "Row", "--framing", "u32"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(FRAMES)
    process.stdin.flush()
    lines = [process.stdout.readline() for _ in ROWS]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert [json.loads(line) for line in lines] == ROWS and process.returncode == 130
    result = errors.decode()
    assert result == f"thriftlens: interrupted; <stdin>: continue with --start {len(FRAMES)}\n"


def test_start_seeks_in_files():
    class File:
        """A file that counts the bytes read."""

        def __init__(self, size, tail):
            self.size, self.tail, self.position, self.bytes_read = size, tail, 0, 0

        def seekable(self):
            return True

        def tell(self):
            return self.position

        def seek(self, offset, whence=0):
            self.position = offset + (
                self.size if whence == 2 else self.position if whence == 1 else 0
            )
            return self.position

        def read(self, size):
            data = bytes(max(0, min(size, self.size - len(self.tail) - self.position)))
            data += self.tail[max(0, self.position + len(data) - self.size + len(self.tail)) :][
                : size - len(data)
            ]
            self.position += len(data)
            self.bytes_read += len(data)
            return data

    file = File(1 << 40, RECORDS[7])
    start = (1 << 40) - len(RECORDS[7])
    assert [row.id for row in tl.scan(file, Row, start=start)] == [7]
    assert file.bytes_read < 1 << 16
    with pytest.raises(tl.Error, match=f"start {(1 << 40) + 1}"):
        list(tl.scan(File(1 << 40, b""), Row, start=(1 << 40) + 1))


def test_errors_over_many_files_name_the_file(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / name).write_bytes(
            framed(RECORDS[0]) + (framed(b"\x08\x00") if name == "b" else b"") + framed(RECORDS[1])
        )
    paths = [tmp_path / name for name in "abc"]
    with pytest.raises(tl.DecodeError, match="b: record 1") as caught:
        list(tl.scan(paths, Row, framing="u32"))
    assert caught.value.file == str(tmp_path / "b")
    rejected = []
    list(tl.scan(paths, Row, framing="u32", on_error=lambda record: rejected.append(record)))
    assert [record.file for record in rejected] == [str(tmp_path / "b")]
    columns = tl.scan_columns(paths, Row, "{ id }", framing="u32", on_error="skip", file="from")
    pa = pytest.importorskip("pyarrow")
    table = pa.table(columns)
    assert table["from"].to_pylist() == [str(path) for path in paths for _ in range(2)]
    assert [(row.record, row.file) for row in columns.rejected] == [(1, str(tmp_path / "b"))]
    with pytest.raises(tl.DecodeError, match="b: record 1"):
        tl.scan_columns(paths, Row, framing="u32").num_rows


def test_the_shell_has_a_column_of_files(files, run):
    pytest.importorskip("pyarrow")
    for name in ("a.bin", "b.bin"):
        (files / name).write_bytes(FRAMES[: 3 * len(framed(RECORDS[0]))])
    result = run(
        "table", files / "a.thrift", "Row", files / "a.bin", files / "b.bin",
        "--framing u32 --select", "{ id }", "--file from --format csv",
    )  # fmt: skip
    lines = result.stdout.decode().splitlines()
    assert lines[0] == '"id","from"' and lines[1] == f'0,"{files / "a.bin"}"'
    assert lines[-1] == f'2,"{files / "b.bin"}"'


def test_infer_continues_after_an_unreadable_value(tmp_path, run):
    (tmp_path / "bad.bin").write_bytes(RECORDS[0] + b"\x0f\xff\xff")
    (tmp_path / "good.bin").write_bytes(Row.encode({"id": 1, "s": "x", "m": {"k": 1}}))
    result = run(
        "infer", "--protocol binary --on-error skip", tmp_path / "bad.bin", tmp_path / "good.bin"
    )
    assert result.returncode == 0 and b"map<string, i32>" in result.stdout
    assert b"bad.bin" in result.stderr


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zlib.compress])
def test_infer_and_inspect_read_a_truncated_stream_to_its_end(run, pack):
    data = pack(FRAMES)[:-4]
    result = run("infer", "--on-error", "skip", "-", input=data)
    assert result.returncode == 0 and b"// A draft from 50 samples" in result.stdout
    assert b"data: " in result.stderr
    assert run("inspect", "-", input=data).stdout.count(b"\nrecord ") == 50


def test_a_scan_closes_its_file(tmp_path):
    path = tmp_path / "rows"
    path.write_bytes(b"".join(framed(Row.encode(row)) for row in ROWS))
    for end in (lambda scan: scan.close(), lambda scan: scan.__exit__(None, None, None)):
        scan = tl.scan(path, Row, framing="u32")
        assert next(scan) == ROWS[0] and not scan._inputs.gi_frame.f_locals["stream"].closed
        stream = scan._inputs.gi_frame.f_locals["stream"]
        end(scan)
        assert stream.closed and next(scan, None) is None
    with tl.scan(path, Row, framing="u32") as scan:
        assert next(scan) == ROWS[0]
    assert list(scan) == []
    with tl.scan(framed(Row.encode(ROWS[0])), Row, framing="u32") as scan:
        assert list(scan) == ROWS[:1]


def test_a_scan_of_pieces_can_be_closed(tmp_path):
    path = tmp_path / "rows"
    path.write_bytes(b"".join(framed(Row.encode(row)) for row in ROWS))
    scan = tl.scan(path, Row, framing="u32", to="bytes")
    assert next(scan.pieces(10)) is not None
    scan.close()
    assert next(scan, None) is None
