"""Files that commands and records are written to: private or with the mode of the file that they
replace, complete or unchanged, and constant memory on the way."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import thriftlens as tl
from memory import peak_of
from thriftlens._capture.proxy import run as run_proxy
from thriftlens._records.files import replacing

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
IDL = "struct User { 1: i64 id, 2: string mail }"
USER = tl.loads(IDL)["User"]


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


@pytest.fixture(autouse=True)
def open_umask():
    previous_umask = os.umask(0)
    yield
    os.umask(previous_umask)


@pytest.mark.parametrize("old_mode", [None, 0o600, 0o640, 0o444])
def test_a_temporary_file_has_the_final_mode_from_the_first_byte(tmp_path, old_mode):
    target = tmp_path / "out"
    if old_mode is not None:
        target.write_bytes(b"old")
        target.chmod(old_mode)
    expected = 0o600 if old_mode is None else old_mode
    with replacing(str(target)) as sink:
        (part,) = [path for path in tmp_path.iterdir() if path.name.endswith(".part")]
        assert mode(part) == expected
        sink.write(b"new")
        assert mode(part) == expected
    assert (mode(target), target.read_bytes()) == (expected, b"new")


def test_a_temporary_file_is_created_private(tmp_path, monkeypatch):
    """No other user can open it between its creation and the change of its mode."""
    target = tmp_path / "out"
    target.write_bytes(b"old")
    target.chmod(0o644)
    modes = []
    real = os.open

    def watched(path, flags, *more):
        number = real(path, flags, *more)
        if flags & os.O_CREAT:
            modes.append(stat.S_IMODE(os.fstat(number).st_mode))
        return number

    monkeypatch.setattr(os, "open", watched)
    with replacing(str(target)) as sink:
        sink.write(b"new")
    assert modes == [0o600] and mode(target) == 0o644


def test_output_and_rejected_records_of_commands(run, tmp_path):
    (tmp_path / "user.thrift").write_text(IDL)
    good = USER.encode({"id": 1, "mail": "a"})
    (tmp_path / "in").write_bytes(
        len(good).to_bytes(4, "big") + good + (3).to_bytes(4, "big") + b"\x0b\x00\x02"
    )
    command = (
        tmp_path / "user.thrift",
        "User",
        tmp_path / "in",
        "--framing",
        "u32",
        "--on-error",
        f"file={tmp_path / 'rejected'}",
    )
    result = run("to-json", *command, "-o", tmp_path / "out.json")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "rejected").stat().st_size and mode(tmp_path / "rejected") == 0o600
    assert mode(tmp_path / "out.json") == 0o600
    (tmp_path / "rejected").chmod(0o640)
    assert (
        run(
            "redact", *command, "--redact-path", "$.mail", "drop", "-o", tmp_path / "safe"
        ).returncode
        == 0
    )
    assert mode(tmp_path / "rejected") == 0o640 and mode(tmp_path / "safe") == 0o600
    pytest.importorskip("pyarrow")
    for name in ("t.parquet", "t.arrow", "t.csv", "t.jsonl"):
        assert run("table", *command, "-o", tmp_path / name).returncode == 0
        assert mode(tmp_path / name) == 0o600


def test_a_recording(tmp_path):
    file = tmp_path / "a.tlrec"
    listening = threading.Event()
    modes = []

    def say(line):
        modes.append(mode(file))
        listening.set()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_proxy(("127.0.0.1", 0), ("127.0.0.1", 1), str(file), None, None, say)
    assert modes == [0o600]


def test_a_parquet_file_that_is_saved_elsewhere(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"a": [1]}), tmp_path / "a.parquet")
    file = tl.parquet.open(tmp_path / "a.parquet")
    file.set_key_value("k", "v")
    file.save(tmp_path / "b.parquet")
    assert mode(tmp_path / "b.parquet") == 0o600


POINT_IDL = "struct Point { 1: i32 x, 2: string name }"
Point = tl.loads(POINT_IDL).Point
RECORDS = [Point.encode({"x": index, "name": "point " * (index % 5)}) for index in range(200)]
FRAMED = b"".join(struct.pack(">I", len(record)) + record for record in RECORDS)
COMMAND = [sys.executable, "-m", "thriftlens"]


@pytest.fixture
def idl(tmp_path: Path) -> str:
    file = tmp_path / "point.thrift"
    file.write_text(POINT_IDL)
    return str(file)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals of Unix")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_killed_output_is_either_the_old_or_the_new_file(
    idl: str, tmp_path: Path, jobs: str
) -> None:
    """Killed at some moment of its run, whichever that is, the command leaves nothing between."""
    data, out = tmp_path / "data", tmp_path / "out"
    data.write_bytes(FRAMED * 400)
    command = [
        *COMMAND,
        "to-json",
        idl,
        "Point",
        str(data),
        "--lines",
        "-o",
        str(out),
        "--jobs",
        jobs,
    ]
    subprocess.run(command, check=True)
    complete = out.read_bytes()
    assert complete.count(b"\n") == 400 * len(RECORDS)
    seen = set()
    for share in range(6):
        out.write_bytes(b"old")
        running = subprocess.Popen(command)
        while running.poll() is None and written_so_far(tmp_path, out) * 5 < len(complete) * share:
            time.sleep(0)
        running.kill()
        running.wait()
        content = out.read_bytes()
        seen.add(content == complete)
        assert content in (b"old", complete)
    assert False in seen, "none of them was killed before its end"


def written_so_far(folder: Path, out: Path) -> int:
    """Bytes of the output in progress."""
    sizes = [0]
    for path in folder.glob(out.name + ".*.part"):
        try:
            sizes.append(path.stat().st_size)
        except FileNotFoundError:
            pass
    return max(sizes)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals of Unix")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupted_output_is_the_old_one(idl: str, tmp_path: Path, jobs: str) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    data.write_bytes(FRAMED * 400)
    out.write_bytes(b"old")
    running = subprocess.Popen(
        [*COMMAND, "to-json", idl, "Point", str(data), "--lines", "-o", str(out), "--jobs", jobs],
        stderr=subprocess.PIPE,
    )
    while running.poll() is None and written_so_far(tmp_path, out) == 0:
        time.sleep(0)
    running.send_signal(signal.SIGINT)
    _, stderr = running.communicate()
    if running.returncode == 0:
        assert out.read_bytes().count(b"\n") == 400 * len(RECORDS)
    else:
        assert running.returncode in (130, -signal.SIGINT) and b"Traceback" not in stderr
        assert out.read_bytes() == b"old"
    assert not list(tmp_path.glob("out.*.part"))


def test_to_json_holds_one_piece_of_a_pipe(idl: str) -> None:
    code = f"""
import os, subprocess, sys, threading
from thriftlens._cli.main import main
piece = {FRAMED!r}
reading, writing = os.pipe()
count = int(sys.argv[1])  # before the command's own arguments take its place
def feed():
    with os.fdopen(writing, "wb") as to:
        for _ in range(count):
            to.write(piece)
times = threading.Thread(target=feed, daemon=True)
times.start()
os.dup2(reading, 0)
sys.argv = ["thriftlens", "to-json", {idl!r}, "Point", "-", "--lines", "-o", os.devnull]
try: main()
except SystemExit as done: assert not done.code, done.code
"""
    assert peak_of(code, "6000") - peak_of(code, "300") < 12_000_000


def test_a_pipe_gets_complete_lines_on_interrupt(idl: str, tmp_path: Path) -> None:
    """The output written to a pipe up to Ctrl-C ends with a complete line."""
    # Without buffers here: communicate() passes by what they hold.
    running = subprocess.Popen(
        [*COMMAND, "to-json", idl, "Point", "-", "--lines"],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert running.stdin is not None and running.stdout is not None
    running.stdin.write(FRAMED * 5)
    first = running.stdout.read(1000)  # comes while the pipe is open: nothing is held back
    running.send_signal(signal.SIGINT)
    rest, stderr = running.communicate()
    lines = (first + rest).split(b"\n")
    assert lines.pop() == b""
    assert all(line.startswith(b'{"x":') and line.endswith(b"}") for line in lines)
    assert b"Traceback" not in stderr


def test_kcat_framing(tmp_path: Path, idl: str) -> None:
    """What `kcat -f '%R%s'` prints of a topic: sizes of 32 bits, -1 for a null record."""
    kcat = shutil.which("kcat") or shutil.which("kafkacat")
    if kcat is None:
        pytest.skip("kcat is not installed")
    kafka = pytest.importorskip(
        "confluent_kafka", reason="needs confluent-kafka, whose library has a cluster for tests"
    )
    producer = kafka.Producer(
        {"test.mock.num.brokers": 1, "bootstrap.servers": "mock", "log_level": 0}
    )
    brokers = ",".join(
        str(broker).rpartition("/")[0] or str(broker)
        for broker in producer.list_topics(timeout=600).brokers.values()
    )
    for number, record in enumerate(RECORDS[:20]):
        producer.produce("points", value=None if number == 7 else record, key=b"k", partition=0)
    assert producer.flush(60) == 0
    result = subprocess.run(
        [kcat, "-b", brokers, "-C", "-t", "points", "-e", "-q", "-f", "%R%s"], capture_output=True
    )
    assert result.returncode == 0, result.stderr
    file = tmp_path / "points"
    file.write_bytes(result.stdout)
    values: list[Any] = [Point.decode(record) for record in RECORDS[:20]]
    values[7] = None
    assert list(tl.scan(file, Point, framing="kafka", to="dict")) == values
    assert str(tl.detect(result.stdout)[0]) == "Binary, structs in frames (kafka)"
    shown = subprocess.run(
        [*COMMAND, "to-json", idl, "Point", str(file), "--framing", "kafka"],
        capture_output=True,
        check=True,
    ).stdout
    assert shown.splitlines()[6:8] == [Point.to_json(RECORDS[6]), b"null"]
    same = subprocess.run(
        [*COMMAND, "trim", idl, "Point", "{ x name }", str(file), "--framing", "kafka", "-o", "-"],
        capture_output=True,
        check=True,
    ).stdout
    assert same == result.stdout
