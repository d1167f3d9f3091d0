"""Several processes over one large file: the output is byte for byte that of one process."""

import json
import os
import signal
import struct
import subprocess
import sys
import time

import pytest
import thriftlens as tl
from thriftlens._cli import source as _source
from thriftlens._records import jobs as _jobs

pytestmark = pytest.mark.skipif(not _jobs.can_fork(), reason="needs fork")
IDL_TEXT = (
    "struct Log { 1: i64 id, 2: string text (pii = 'drop'), 3: list<i32> codes }  "
    "service Logs { i32 put(1: Log log) }"
)
IDL = tl.loads(IDL_TEXT)


def frame(data):
    return struct.pack(">I", len(data)) + data


@pytest.fixture(scope="module")
def records():
    return [
        IDL.Log.encode({"id": i, "text": f"line {i} " * (i % 40), "codes": list(range(i % 7))})
        for i in range(14000)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, records):
    folder = tmp_path_factory.mktemp("jobs")
    (folder / "logs.thrift").write_text(IDL_TEXT)
    (folder / "u32").write_bytes(b"".join(map(frame, records)))
    (folder / "none").write_bytes(b"".join(records))
    joined = b"".join(
        b"\xff\xff\xff\xff" if i % 9 == 3 else frame(record) for i, record in enumerate(records)
    )
    (folder / "kafka").write_bytes(joined)
    put = IDL.service("Logs").function("put").arguments
    calls = (
        tl.Message("put", "call", i, put.encode({"log": IDL.Log.decode(record)}))
        for i, record in enumerate(records[:9000])
    )
    (folder / "calls").write_bytes(b"".join(call.to_bytes() for call in calls))
    broken = [
        frame(b"\x0b\xff") if i in (0, 1, 5000, 5001, 13999) else frame(record)
        for i, record in enumerate(records)
    ]
    (folder / "broken").write_bytes(b"".join(broken))
    (folder / "cut").write_bytes(b"".join(map(frame, records))[:-5])
    assert (
        min(path.stat().st_size for path in folder.iterdir() if path.name != "logs.thrift")
        > _source._MAPPED
    )
    return folder


def both(run, *call):
    """Results of one and of three processes, which must be equal."""
    alone, many = run(*call), run(*call, "--jobs", "3")
    assert (many.returncode, many.stderr) == (alone.returncode, alone.stderr)
    assert many.stdout == alone.stdout
    return many


@pytest.mark.parametrize("framing", ["u32", "none", "kafka"])
def test_the_same_lines_in_the_same_order(run, folder, framing, records):
    result = both(
        run, "to-json", folder / "logs.thrift", "Log", folder / framing, "--framing", framing
    )
    lines = result.stdout.splitlines()
    assert result.returncode == 0 and len(lines) == len(records)
    actual = [json.loads(line)["id"] for line in lines if line != b"null"]
    assert actual == [i for i in range(len(records)) if framing != "kafka" or i % 9 != 3]


@pytest.mark.parametrize(
    "call",
    [
        ["get", "IDL", "Log", "$.codes[*]", "FILE"],
        ["trim", "IDL", "Log", "{ id codes }", "FILE"],
        ["set", "IDL", "Log", "$.id", "7", "FILE"],
        ["delete", "IDL", "Log", "$.text", "FILE"],
        ["redact", "IDL", "Log", "FILE", "--annotation", "pii"],
        ["rewrite", "IDL", "Log", "FILE", "--delete", "$.codes"],
        ["check", "IDL", "Log", "FILE"],
        ["convert", "FILE", "--from", "binary", "--to", "compact"],
    ],
)
def test_every_command_does_the_same(run, folder, call):
    call = [
        {"IDL": folder / "logs.thrift", "FILE": folder / "u32"}.get(argument, argument)
        for argument in call
    ]
    result = both(run, *call, "--framing", "u32")
    assert result.returncode == 0 and result.stdout


def test_unknown_fields_are_counted_in_all_processes(run, folder, tmp_path):
    other = tmp_path / "other.thrift"
    other.write_text("struct Log { 1: i64 id (pii = 'drop'), 3: list<i32> codes }")
    result = both(
        run, "redact", other, "Log", folder / "u32", "--framing", "u32", "--annotation", "pii"
    )
    assert result.stderr == f"thriftlens: {folder / 'u32'}: 14000 unknown fields dropped\n".encode()


def test_messages(run, folder):
    result = both(run, "messages", folder / "logs.thrift", folder / "calls")
    assert [json.loads(line)["record"] for line in result.stdout.splitlines()] == list(range(9000))


@pytest.mark.parametrize("on_error", ["raise", "skip", "null"])
def test_invalid_records_are_handled(run, folder, on_error):
    call = ["to-json", folder / "logs.thrift", "Log", folder / "broken", "--framing", "u32"]
    result = both(run, *call, "--on-error", on_error)
    assert result.returncode == (1 if on_error == "raise" else 0)
    assert (b"record 13999" in result.stderr) == (on_error != "raise")
    assert result.stderr.count(b"\n") == (1 if on_error == "raise" else 6)


def test_rejected_records_go_into_their_file(run, folder, tmp_path):
    call = [
        "trim", folder / "logs.thrift", "Log", "{ id }", folder / "broken", "--framing", "u32",
        "--on-error",
    ]  # fmt: skip
    alone, many = (
        run(*call, f"file={tmp_path / 'alone'}"),
        run(*call, f"file={tmp_path / 'many'}", "--jobs", "2"),
    )
    assert (
        many.stdout == alone.stdout
        and (tmp_path / "many").read_bytes()
        == (tmp_path / "alone").read_bytes()
        == frame(b"\x0b\xff") * 5
    )


def test_rejects_never_go_into_the_file_that_is_read_or_written(run, folder, tmp_path):
    data = tmp_path / "data"
    data.write_bytes(frame(b"\x0b\xff"))
    (tmp_path / "link").symlink_to(data)
    out = tmp_path / "out"
    for call in (
        ["check", "IDL", "Log", data, "--on-error", f"file={data}"],
        ["to-json", "IDL", "Log", data, "--on-error", f"file={tmp_path / 'link'}"],
        ["to-json", "IDL", "Log", data, "-o", out, "--on-error", f"file={out}"],
    ):
        result = run(
            *[folder / "logs.thrift" if argument == "IDL" else argument for argument in call],
            "--framing u32",
        )
        assert result.returncode == 2 and b"is the input or output file" in result.stderr
        assert data.read_bytes() == frame(b"\x0b\xff") and not out.exists()


def test_a_truncated_file_keeps_all_records_up_to_the_cut(run, folder):
    result = both(
        run, "to-json", folder / "logs.thrift", "Log", folder / "cut", "--framing", "u32",
        "--on-error", "skip",
    )  # fmt: skip
    assert result.returncode == 1 and result.stdout.count(b"\n") == 13999
    assert b"record 13999" in result.stderr


def test_start_is_a_byte_of_the_file(run, folder, records):
    start = sum(len(record) + 4 for record in records[:100])
    result = both(
        run, "to-json", folder / "logs.thrift", "Log", folder / "u32", "--framing", "u32",
        "--start", str(start),
    )  # fmt: skip
    assert result.stdout.count(b"\n") == 13900


def test_small_and_packed_files_and_pipes_are_read_by_a_single_process(run, folder, records):
    data = (folder / "u32").read_bytes()
    result = run("check", folder / "logs.thrift", "Log", "-", "--framing u32 --jobs 2", input=data)
    assert result.returncode == 0
    result = run(
        "check",
        folder / "logs.thrift",
        "Log",
        "-",
        "--framing u32 --jobs 2",
        input=frame(records[0]),
    )
    assert result.returncode == 0


def test_oversized_records_are_not_sent_to_a_worker():
    part = _jobs.Range(0, 5 * _jobs._MAX_SIZE, 0)
    assert _jobs._result_of(part, None)[1].stopped == part and _jobs._is_for_parent(part)
    assert not _jobs._is_for_parent(_jobs.Range(0, _jobs._MAX_SIZE, 0))


def test_workers_end_with_a_parent_that_is_killed(folder, tmp_path):
    """The previous file is intact."""
    big, out = tmp_path / "big", tmp_path / "out"
    big.write_bytes((folder / "u32").read_bytes() * 40)
    out.write_bytes(b"old")
    call = [
        sys.executable, "-m", "thriftlens", "to-json", folder / "logs.thrift", "Log", big,
        "--framing", "u32", "--jobs", "2", "-o", out,
    ]  # fmt: skip
    with subprocess.Popen(call) as process:
        while not (children := children_of(process.pid)) and process.poll() is None:
            time.sleep(0.01)
        assert len(children) >= 1 and out.read_bytes() == b"old"
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert out.read_bytes() == b"old"
    for _ in range(60_000):
        if not any(os.path.exists(f"/proc/{child}") for child in children):
            return
        time.sleep(0.01)
    pytest.fail("a worker outlives its parent")


def children_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return file.read().split()
    except OSError:
        return []
