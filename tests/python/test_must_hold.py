"""Invariants of records: constant memory, atomic output, and the framing that kcat writes."""

from __future__ import annotations

import shutil
import signal
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import thriftlens as tl

IDL = "struct Point { 1: i32 x, 2: string name }"
Point = tl.loads(IDL).Point
RECORDS = [Point.encode({"x": index, "name": "point " * (index % 5)}) for index in range(200)]
FRAMED = b"".join(struct.pack(">I", len(record)) + record for record in RECORDS)
COMMAND = [sys.executable, "-m", "thriftlens"]


@pytest.fixture
def idl(tmp_path: Path) -> str:
    file = tmp_path / "point.thrift"
    file.write_text(IDL)
    return str(file)


def peak_of(code: str, *arguments: str) -> int:
    """Most memory of a process that runs the code, in bytes."""
    pytest.importorskip("resource")
    ending = "\nimport resource, sys; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    result = subprocess.run(
        [sys.executable, "-c", code + ending, *arguments], capture_output=True, check=True
    )
    return int(result.stderr.split()[-1]) * (1 if sys.platform == "darwin" else 1024)


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
    assert lines.pop() == b"" and all(
        line.startswith(b'{"x":') and line.endswith(b"}") for line in lines
    )
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
