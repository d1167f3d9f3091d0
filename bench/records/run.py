"""Structs back to back: walked and trimmed in C++ beside Apache's templates, and `--jobs 2` beside
one process. python3 bench/records/run.py [--jobs-only]

Needs the `thrift` compiler and libthrift's headers for the first, the package thriftlens for the
second; what is not there is named and left out.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OPTIMIZATION = ["-O0"] if "THRIFTLENS_BENCH_ONCE" in os.environ else ["-O3", "-DNDEBUG"]


def cpp(folder):
    compiler = os.environ.get("CXX", "g++")
    for tool in ("thrift", compiler):
        if shutil.which(tool) is None:
            return print(f"skipped: no {tool}")
    subprocess.run(
        ["thrift", "--gen", "cpp:templates", "-out", folder, HERE / "span.thrift"], check=True
    )
    program = Path(folder) / "records"
    sources = [HERE / "records.cpp", Path(folder) / "span_types.cpp"]
    flags = [
        "-std=c++20",
        *OPTIMIZATION,
        f"-I{ROOT / 'include'}",
        f"-I{ROOT / 'bench' / 'support'}",
        f"-I{folder}",
    ]
    built = subprocess.run([compiler, *flags, *sources, "-lthrift", "-o", program])
    if built.returncode != 0:
        return print("skipped: it does not compile here (Debian: libthrift-dev libboost-dev)")
    subprocess.run([program, HERE / "span.thrift"], check=True)


def jobs(folder):
    """Wall time of the same command with one process and with two; only with two free processors
    does it say something.
    """
    try:
        import thriftlens as tl
    except ImportError:
        return print("skipped: --jobs needs the package thriftlens")
    idl = HERE / "span.thrift"
    Span = tl.load(idl).Span
    span = Span.encode(
        {
            "trace_id": 1,
            "id": 2,
            "name": "get",
            "timestamp": 3,
            "duration": 4,
            "annotations": [{"timestamp": 5, "value": "cs"}] * 3,
            "tags": [{"key": "k", "value": b"v" * 20}] * 6,
        }
    )
    file = Path(folder) / "spans"
    with file.open("wb") as out:
        for _ in range(1 if "THRIFTLENS_BENCH_ONCE" in os.environ else 100):
            out.write(span * 4000)
    taken, outputs = {}, {}
    for count in (1, 2):
        begin = time.perf_counter()
        command = [
            sys.executable,
            "-m",
            "thriftlens",
            "to-json",
            idl,
            "Span",
            file,
            "--lines",
            "--framing",
            "none",
            "--jobs",
            str(count),
            "-o",
            Path(folder) / f"out{count}",
        ]
        subprocess.run(command, check=True)
        taken[count] = time.perf_counter() - begin
        outputs[count] = (Path(folder) / f"out{count}").read_bytes()
    if outputs[1] != outputs[2]:
        return print("to-json --lines: the answers differ, so no figure")
    print(
        f"to-json --lines, {file.stat().st_size / 1e6:.0f} MB: {taken[1]:.2f} s, with --jobs 2 "
        f"{taken[2]:.2f} s: {taken[1] / taken[2]:.2f}x (load {os.getloadavg()[0]:.1f})"
    )


with tempfile.TemporaryDirectory() as build_folder:
    if "--jobs-only" not in sys.argv:
        cpp(build_folder)
    jobs(build_folder)
