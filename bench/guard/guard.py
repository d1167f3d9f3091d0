#!/usr/bin/env python3
"""Instruction counts of the core tasks (guard.cpp) against counts.json; fails where one is more
than a tenth above.

usage: guard.py [--record | --profile]   --record rewrites counts.json; --profile prints the files
with the instructions of every task

valgrind shows every machine the same processor (AVX2, no AVX-512), so the counts repeat on all that
have AVX2. They depend on the compiler: with another one than that of counts.json nothing is
compared.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RECORDED = Path(__file__).with_name("counts.json")
FLAGS = ["-std=c++20", "-O2", "-DNDEBUG"]
TIMES = 16
MAX_RATIO = 1.10


def build(compiler, program, *more):
    subprocess.run(
        [
            compiler,
            *FLAGS,
            *more,
            f"-I{ROOT}/include",
            f"-I{ROOT}/bench/support",
            str(Path(__file__).with_name("guard.cpp")),
            "-lsimdjson",
            "-o",
            program,
        ],
        check=True,
    )


def dumps(program):
    """{task: callgrind's text}"""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                "--collect-atstart=no",
                f"--callgrind-out-file={folder}/out",
                program,
                str(ROOT / "idl/bench.thrift"),
            ],
            check=True,
            stderr=subprocess.DEVNULL,
        )
        texts = [
            file.read_text()
            for file in sorted(Path(folder).glob("out.*"), key=lambda file: int(file.suffix[1:]))
        ]
    named = [
        (re.search(r"^desc: Trigger: Client Request: (\w+)$", text, re.M), text) for text in texts
    ]
    return {name.group(1): text for name, text in named if name}


def count(program):
    """{task: instructions of one run}"""
    return {
        task: int(re.search(r"^(?:totals|summary): (\d+)", text, re.M).group(1)) // TIMES
        for task, text in dumps(program).items()
    }


def by_file(text):
    """{source file: instructions} of one dump, inlined code counted where it is written."""
    names, sums, file, skip = {}, {}, "", False
    for line in text.split("\n"):
        if match := re.match(r"(?:fl|fi|fe)=\((\d+)\)(?: (.*))?", line):
            names.setdefault(match.group(1), match.group(2) or "?")
            file = names[match.group(1)]
        elif match := re.match(r"cfi?l?=\((\d+)\)(?: (.+))?$", line):
            if line.startswith(("cfi", "cfl")):
                names.setdefault(match.group(1), match.group(2) or "?")
        elif line.startswith("calls="):
            skip = True  # the next line is what the call costs inside
        elif re.match(r"[+*-]?\d* \d+$", line):
            if not skip:
                sums[file] = sums.get(file, 0) + int(line.split()[1])
            skip = False
    return sums


def profile(program):
    for task, text in dumps(program).items():
        sums = by_file(text)
        total = sum(sums.values())
        parts = sorted(sums.items(), key=lambda part: -part[1])[:6]
        print(
            f"{task:16} {total // TIMES:7}  "
            + ", ".join(
                f"{'/'.join(Path(file).parts[-2:])} {share / total:.0%}" for file, share in parts
            )
        )


def compare(old, new):
    worse = []
    for task, old_count in old.items():
        new_count = new.get(task, 0)
        verdict = (
            ""
            if old_count / MAX_RATIO <= new_count <= old_count * MAX_RATIO
            else "  much better: use --record"
            if 0 < new_count < old_count
            else "  TOO MANY"
        )
        print(f"{task:16} {old_count:9} {new_count:9} {new_count / old_count - 1:+7.1%}{verdict}")
        if "TOO MANY" in verdict:
            worse.append(task)
    return worse


def main():
    if not shutil.which("valgrind"):
        return print("guard: skipped, valgrind is not installed")
    compiler = os.environ.get("CXX", "g++")
    version = subprocess.run(
        [compiler, "--version"], capture_output=True, text=True, check=True
    ).stdout.split("\n")[0]
    record = "--record" in sys.argv[1:]
    recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    if not record and "--profile" not in sys.argv and recorded.get("compiler") != version:
        return print(f"guard: skipped, recorded with {recorded.get('compiler')}, this is {version}")
    with tempfile.TemporaryDirectory() as folder:
        if "--profile" in sys.argv[1:]:
            build(compiler, f"{folder}/guard", "-g1")
            return profile(f"{folder}/guard")
        build(compiler, f"{folder}/guard")
        counts = count(f"{folder}/guard")
    if record:
        RECORDED.write_text(
            json.dumps({"compiler": version, "flags": " ".join(FLAGS), "counts": counts}, indent=1)
            + "\n"
        )
        return print(f"guard: {len(counts)} counts recorded in {RECORDED.relative_to(ROOT)}")
    worse = compare(recorded["counts"], counts)
    if worse:
        sys.exit(
            f"guard: more than {MAX_RATIO - 1:.0%} above the record: {', '.join(worse)}\nIf that "
            "is intended: bash scripts/bench.sh --guard --record"
        )
    print("guard: passed")


main()
