"""Records to columns and back in C++, beside decode into structs of C++ and a copy of the bytes.
python3 bench/columns/run.py [--count]

CPU time, medians; with --count the instructions a record under valgrind's callgrind, which every
machine counts the same.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OPTIMIZATION = ["-O0"] if "THRIFTLENS_BENCH_ONCE" in os.environ else ["-O3", "-DNDEBUG"]
TASKS = {
    "Small": 2000,
    "Small Compact": 2000,
    "Medium": 100,
    "Medium Compact": 100,
}  # name -> records that are counted


def built(folder):
    program = Path(folder) / "columns"
    flags = [
        "-std=c++20",
        *OPTIMIZATION,
        f"-I{ROOT / 'include'}",
        f"-I{ROOT / 'bench' / 'support'}",
    ]
    subprocess.run(
        [os.environ.get("CXX", "g++"), *flags, HERE / "columns.cpp", "-o", program], check=True
    )
    return program


def counted(program, idl, folder):
    """Instructions of one round, the second of two."""
    for name, records in TASKS.items():
        for task in ("all", "one", "decode", "from_columns", "encode"):
            command = [
                "valgrind",
                "--tool=callgrind",
                "--collect-atstart=no",
                f"--callgrind-out-file={folder}/out",
                program,
                idl,
                f"{name} {task}",
            ]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stderr
            count = int(re.search(r"Collected : (\d+)", output)[1])
            print(f"| {name} {task} | {count // records} |")


with tempfile.TemporaryDirectory() as build_folder:
    program, schema = built(build_folder), ROOT / "idl" / "bench.thrift"
    if "--count" not in sys.argv:
        subprocess.run([program, schema], check=True)
    elif shutil.which("valgrind") is None:
        print("skipped: no valgrind")
    else:
        counted(program, schema, build_folder)
