#!/usr/bin/env python3
"""Compiles many changes of the headers into one program and tries them one by one, for releases.

usage: mutants_at_once.py [--module NAME...] [--changes N] [--headers N] [--seed N] [--build FOLDER]

A change is behind a switch that an environment variable turns on, so a test program is built
once for all changes. A change is tried on recorded answers of tests/prove/driver.cpp, if that
program runs its line, and then on tests/<module>/<header>_test.cpp. Changes: comparisons,
conditions that are always true or false, constants, error codes, answers, left out statements that
reset or advance state. In constant expressions they are off. The report has a row for each module,
and the changes that nothing noticed. EQUIVALENT lists changes without an effect, with the reason.
"""

import argparse
import os
import random
import re
import resource
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Iterator, NamedTuple, Optional

sys.path.insert(0, str(Path(__file__).parent))
from mutants import HEADERS, ROOT, code_positions  # noqa: E402
from mutants_equivalent import EQUIVALENT  # noqa: E402

LONGEST_RUN = 60  # seconds: a change may make a loop without end
MOST_MEMORY = 2 << 30
SWITCH = Path(__file__).with_name("mutants_switch.hpp")
COMPARISONS = {
    "<": ("less", ("<=", ">=")),
    "<=": ("less_equal", ("<", ">")),
    ">": ("greater", (">=", "<=")),
    ">=": ("greater_equal", (">", "<")),
}
STATEMENT = re.compile(
    r"(?<=[;{}]\n)( +)((?:\+\+|--)?[\w.\[\]>-]+(?:\.clear\(\)|\.reset\(\)|\.pop_back\(\)|\+\+|--"
    r"| (?:[+|-]|&)?= [^;{}]+)?;)(?=\n)"
)


ON = "::thriftlens_mutants::on"


class Edit(NamedTuple):
    """Replacements in one file, (begin, end, text), in which {} and {next} are the numbers of its
    changes."""

    file: str
    kind: str
    parts: tuple[tuple[int, int, str], ...]
    changes: tuple[str, ...]

    @property
    def begin(self) -> int:
        return self.parts[0][0]


class Mutant(NamedTuple):
    number: int
    file: str
    line: int
    change: str

    @property
    def module(self) -> str:
        return self.file.split("/")[0]

    def __str__(self) -> str:
        return f"include/thriftlens/{self.file}:{self.line}: {self.change}"


def edits_of(file: str, text: str) -> Iterator[Edit]:
    is_code = code_positions(text)
    for match in re.finditer(r"(?<= )(?:<=|>=|<|>)(?= )", text):
        name, changes = COMPARISONS[match[0]]
        changed = f"< ::thriftlens_mutants::{name}<{{}}>() >"
        yield Edit(file, "comparison", ((*match.span(), changed),),
                   tuple(f"{match[0]} becomes {change}" for change in changes))  # fmt: skip
    for match in re.finditer(r"\bif \(", text):
        end = closing(text, match.end() - 1)
        condition = text[match.end() : end]
        if ";" not in condition and not re.search(r"[^=!<>]=[^=]", condition):
            switched = f") || {ON}({{}})) && !{ON}({{next}})"
            parts = ((match.end(), match.end(), "(("), (end, end, switched))
            short = " ".join(condition.split())
            yield Edit(file, "condition", parts, (f"if ({short}): true", f"if ({short}): false"))
    for match in re.finditer(r"(?<![\w.'])(\d+|0x[0-9a-fA-F]+)u?(?=[,;)\]]| [&|<>=!+?:-])", text):
        preceding = text[max(0, match.start() - 2) : match.start()]
        if (
            not preceding.endswith(("<", "::", "case "))
            and text[match.end() : match.end() + 1] != ">"
        ):
            changed = f"({ON}({{}}) ? {match[0]} + 1 : {match[0]})"
            yield Edit(file, "constant", ((*match.span(), changed),), (f"{match[0]} becomes + 1",))
    for match in re.finditer(r"\berrc::(?!ok\b)\w+(?=[,;)])", text):
        changed = f"({ON}({{}}) ? errc::ok : {match[0]})"
        yield Edit(file, "code", ((*match.span(), changed),), (f"{match[0]} becomes ok",))
    for match in re.finditer(r"\breturn (true|false)(?=;)", text):
        changed = f"return {match[1]} != {ON}({{}})"
        yield Edit(file, "answer", ((*match.span(), changed),), (f"{match[0]} is negated",))
    for match in STATEMENT.finditer(text):
        if is_code[match.start(2)] and not match[2].startswith(("return", "break", "continue")):
            parts = ((match.start(2), match.start(2), f"if (!{ON}({{}})) "),)
            yield Edit(file, "statement", parts, (f"without {' '.join(match[2].split())}",))


def closing(text: str, opening: int) -> int:
    """The position of the parenthesis that closes the one at `opening`."""
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
    return len(text)


def modules_of(names: list[str]) -> dict[str, list[Path]]:
    folders = sorted(path for path in HEADERS.iterdir() if path.is_dir())
    return {
        folder.name: sorted([*folder.rglob("*.hpp"), *folder.rglob("*.ipp")])
        for folder in folders
        if not names or folder.name in names
    }


def chosen(options: argparse.Namespace) -> list[Edit]:
    """`changes` changes a module from at most `headers` headers, the kinds in turn."""
    dice = random.Random(options.seed)
    edits: list[Edit] = []
    for files in modules_of(options.module).values():
        by_kind: dict[str, list[Edit]] = defaultdict(list)
        tested = [file for file in files if test_of(str(file.relative_to(HEADERS)))]
        for file in dice.sample(tested, min(options.headers, len(tested))):
            text = file.read_text(encoding="utf-8")
            is_code = code_positions(text)
            for edit in edits_of(str(file.relative_to(HEADERS)), text):
                if is_code[min(edit.begin, len(text) - 1)]:
                    by_kind[edit.kind].append(edit)
        for kind in by_kind.values():
            dice.shuffle(kind)
        rows = [kind for kind in by_kind.values()]
        count = 0
        while count < options.changes and any(rows):
            for kind in rows:
                if kind and count < options.changes:
                    edits.append(kind.pop())
                    count += len(edits[-1].changes)
    return edits


def test_of(file: str) -> Optional[Path]:
    """The test of a header, whose name or stem it has."""
    path = Path(file)
    for folder in (path.parent, path.parent.parent):
        test = ROOT / "tests" / folder / f"{path.stem}_test.cpp"
        if folder != Path(".") and test.exists():
            return test
    return None


class Changes:
    """The headers with all edits, in a folder that is searched first."""

    def __init__(self, edits: list[Edit], folder: Path):
        self.folder = folder
        self.mutants: dict[int, Mutant] = {}
        self.edits: dict[int, Edit] = {}
        number = 1
        for edit in edits:
            self.edits[number] = edit
            number += len(edit.changes)
        self.write()

    def write(self) -> None:
        by_file: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        self.mutants.clear()
        for number, edit in self.edits.items():
            text = (HEADERS / edit.file).read_text(encoding="utf-8")
            line = text.count("\n", 0, edit.begin) + 1
            for at, change in enumerate(edit.changes):
                self.mutants[number + at] = Mutant(number + at, edit.file, line, change)
            for begin, end, new in edit.parts:
                new = new.replace("{next}", str(number + 1)).replace("{}", str(number), 1)
                by_file[edit.file].append((begin, end, new))
        include = self.folder / "thriftlens"
        include.mkdir(parents=True, exist_ok=True)
        (self.folder / "thriftlens_mutants.hpp").write_text(SWITCH.read_text())
        for file, parts in by_file.items():
            text = (HEADERS / file).read_text(encoding="utf-8")
            for begin, end, new in sorted(parts, reverse=True):
                text = text[:begin] + new + text[end:]
            path = include / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                text.replace("#pragma once", '#pragma once\n#include "thriftlens_mutants.hpp"', 1)
            )

    def drop(self, errors: str) -> int:
        """Takes back the edits of lines that the compiler names; returns their number."""
        pattern = rf"{re.escape(str(self.folder))}/thriftlens/([\w/.]+):(\d+)"
        named = {(match[1], int(match[2]) - 1) for match in re.finditer(pattern, errors)}
        gone = [number for number, edit in self.edits.items()
                if (edit.file, self.mutants[number].line) in named]  # fmt: skip
        for number in gone:
            del self.edits[number]
        self.write()
        return len(gone)

    def build(self, source: Path, program: Path) -> bool:
        command = [
            *os.environ.get("CXX", "g++").split(), "-std=c++20", "-O0", "-w", "-fmax-errors=0",
            "-I", str(self.folder), "-I", str(ROOT / "include"), "-I", str(ROOT / "tests"),
            f'-DTHRIFTLENS_TEST_DATA="{ROOT}/tests/data"', f'-DTHRIFTLENS_SOURCE_DIR="{ROOT}"',
            str(source), "-o", str(program), "-lgmock", "-lgtest", "-lpthread", "-lsimdjson",
            "-lthrift", "-lz",
        ]  # fmt: skip
        if source.name.endswith("_test.cpp"):
            command.insert(-6, "-lgmock_main")
        for _ in range(6):
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            if run.returncode == 0:
                return True
            if not self.drop(run.stderr):
                print(run.stderr[:2000], file=sys.stderr)
                return False
        return False


def limit_memory() -> None:
    """A change may ask for all memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def answers(program: Path, requests: bytes, number: int, reached: str = "") -> Optional[bytes]:
    """What the driver answers under a change; None if it crashes or does not end."""
    environment = {**os.environ, "THRIFTLENS_MUTANT": str(number), "THRIFTLENS_REACHED": reached}
    if not reached:
        del environment["THRIFTLENS_REACHED"]
    try:
        run = subprocess.run([str(program)], input=requests, capture_output=True, check=False,
                              env=environment, timeout=LONGEST_RUN,
                              preexec_fn=limit_memory)  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    return run.stdout if run.returncode == 0 else None


def passes(program: Path, number: int) -> bool:
    environment = {**os.environ, "THRIFTLENS_MUTANT": str(number)}
    try:
        run = subprocess.run([str(program), "--gtest_brief=1", "--gtest_fail_fast"],
                              capture_output=True, check=False, env=environment,
                              timeout=LONGEST_RUN, preexec_fn=limit_memory)  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def recorded(cases: int) -> bytes:
    """Requests of the C++ targets of tests/prove for the first seeds."""
    sys.path.insert(0, str(ROOT / "tests" / "prove"))
    from proving import driver
    from proving.registry import TARGETS, load_targets

    load_targets()
    messages: list[bytes] = []
    driver.DRIVER.record = messages.append
    for name, target in sorted(TARGETS.items()):
        if name.startswith("cpp_"):
            for seed in range(max(1, cases // target.cost)):
                target.check(seed)
    return b"".join(messages)


def run(options: argparse.Namespace) -> int:
    folder = options.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    corpus = folder / "requests.bin"
    if not corpus.exists():
        corpus.write_bytes(recorded(options.cases))
    requests = corpus.read_bytes()
    changes = Changes(chosen(options), folder / "include")
    killed: dict[int, str] = {}
    driver = folder / "driver"
    if changes.build(ROOT / "tests" / "prove" / "driver.cpp", driver):
        reached_file = folder / "reached"
        expected = answers(driver, requests, 0, str(reached_file))
        reached = {int(line) for line in reached_file.read_text().split()}
        for number in sorted(reached & changes.mutants.keys()):
            if answers(driver, requests, number) != expected:
                killed[number] = "driver"
        print(f"driver: {len(killed)} of {len(reached & changes.mutants.keys())}", flush=True)
    for file in sorted({mutant.file for mutant in changes.mutants.values()}):
        test = test_of(file)
        program = folder / "test"
        alive = [m for m in changes.mutants.values() if m.file == file and m.number not in killed]
        if not alive or test is None or not changes.build(test, program):
            continue
        for number in [m.number for m in alive if m.number in changes.mutants]:
            if not passes(program, number):
                killed[number] = "test"
        survivors = [mutant for mutant in alive if mutant.number not in killed]
        print(f"{file}: {len(alive) - len(survivors)} of {len(alive)} by its test", flush=True)
        for mutant in survivors:
            print(" ", mutant, flush=True)
    report(changes, killed)
    return 0


def report(changes: Changes, killed: dict[int, str]) -> None:
    known = Counter(m.module for m in changes.mutants.values())
    equivalent = [m for m in changes.mutants.values() if m.number not in killed
                  and (m.file, m.change) in EQUIVALENT]  # fmt: skip
    same = Counter(m.module for m in equivalent)
    by = {who: Counter(changes.mutants[n].module for n, by_whom in killed.items()
                       if n in changes.mutants and by_whom == who)
          for who in ("driver", "test")}  # fmt: skip
    print("| module | changes | by generated cases | by its test | equivalent | survived |")
    print("|---|--:|--:|--:|--:|--:|")
    rows = [(name, known[name], by["driver"][name], by["test"][name], same[name])
            for name in sorted(known)]  # fmt: skip
    rows.append(("all", *(sum(row[at] for row in rows) for at in range(1, 5))))
    for name, count, driver, test, without in rows:
        survivors = count - driver - test - without
        print(f"| {name} | {count} | {driver} | {test} | {without} | {survivors} |")
    for mutant in changes.mutants.values():
        if mutant.number not in killed and mutant not in equivalent:
            print("survived:", mutant)


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--module", nargs="*", default=[])
    parser.add_argument("--changes", type=int, default=30, help="changes a module")
    parser.add_argument("--headers", type=int, default=6, help="headers a module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=100, help="recorded cases of a target")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "mutants")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
