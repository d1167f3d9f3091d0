#!/usr/bin/env python3
"""Compiles many changes of the headers into one program and tries them one by one, for releases.

usage: mutants_at_once.py [--module NAME...] [--file PART...] [--changes N] [--headers N] [--seed N]

A change is behind a switch that an environment variable turns on, so a program is built once for
all changes. A change is tried on recorded answers of tests/prove/driver.cpp and then on the tests
of its module, in both cases if the program runs its line; the tests must pass without changes.
Changes: comparisons, conditions that are always true or false, constants, error codes, answers,
left out statements that reset or advance state. In constant expressions they are off. The report
has a row for each module: changes that do not compile, that no program runs, that the generated
cases or the tests notice, that have no effect (EQUIVALENT, with the reason) and that survive.
"""

import argparse
import os
import random
import re
import resource
import subprocess
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Iterator, NamedTuple, Optional

sys.path.insert(0, str(Path(__file__).parent))
from mutants import HEADERS, ROOT, code_positions  # noqa: E402
from mutants_equivalent import EQUIVALENT  # noqa: E402

JOBS = int(os.environ.get("JOBS", os.cpu_count() or 1))
LONGEST_RUN = 120  # seconds: a change may make a loop without end
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
        named = [file for file in files if is_named(file, options.file)]
        for file in dice.sample(named, min(options.headers, len(named))):
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


def is_named(file: Path, parts: list[str]) -> bool:
    return not parts or any(part in str(file) for part in parts)


class Changes:
    """The headers with all edits, in a folder that is searched first."""

    def __init__(self, edits: list[Edit], folder: Path):
        self.folder = folder
        self.mutants: dict[int, Mutant] = {}
        self.dropped: dict[int, Mutant] = {}  # do not compile
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
            changes = range(number, number + len(self.edits[number].changes))
            self.dropped.update((change, self.mutants[change]) for change in changes)
            del self.edits[number]
        self.write()
        return len(gone)

    def build(self, sources: list[Path], program: Path) -> bool:
        command = [
            *os.environ.get("CXX", "g++").split(), "-std=c++20", "-O0", "-w", "-fmax-errors=0",
            "-I", str(self.folder), "-I", str(ROOT / "include"), "-I", str(ROOT / "tests"),
            f'-DTHRIFTLENS_TEST_DATA="{ROOT}/tests/data"', f'-DTHRIFTLENS_SOURCE_DIR="{ROOT}"',
            "-DTHRIFTLENS_PROVE_ALLOCATOR", *map(str, sources), "-o", str(program),
            "-Wl,--wrap=malloc,--wrap=realloc,--wrap=free", "-lgmock_main", "-lgmock", "-lgtest",
            "-lpthread", "-lsimdjson", "-lthrift", "-lz",
        ]  # fmt: skip
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


class Run(NamedTuple):
    """How a program ended under a change."""

    code: Optional[int]  # None: it did not end
    output: bytes


def run_with(command: list[str], number: int, requests: bytes = b"", reached: str = "") -> Run:
    environment = {**os.environ, "THRIFTLENS_MUTANT": str(number)}
    if reached:
        environment["THRIFTLENS_REACHED"] = reached
    try:
        run = subprocess.run(command, input=requests, capture_output=True, check=False,
                             env=environment, timeout=LONGEST_RUN,
                             preexec_fn=limit_memory)  # fmt: skip
    except subprocess.TimeoutExpired:
        return Run(None, b"")
    return Run(run.returncode, run.stdout)


def noticed_by(command: list[str], changes: Changes, numbers: set[int], requests: bytes,
               reached: set[int]) -> set[int]:  # fmt: skip
    """The changes under which the program ends in another way or, with requests, answers something
    else. Adds those whose line it runs to `reached`."""
    names = changes.folder.parent / "reached"
    usual = run_with(command, 0, requests, str(names))
    if usual.code != 0:
        print(f"{command[0]} fails without a change", file=sys.stderr)
        return set()
    own = {int(line) for line in names.read_text().split()} & numbers
    reached |= own

    def differs(number: int) -> bool:
        run = run_with(command, number, requests)
        return run.code != 0 or (requests != b"" and run.output != usual.output)

    with ThreadPoolExecutor(JOBS) as pool:
        return {number for number, noticed in zip(own, pool.map(differs, own)) if noticed}


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
    reached: set[int] = set()
    by_driver, by_tests = set[int](), set[int]()
    driver = folder / "driver"
    sources = [ROOT / "tests" / "prove" / "driver.cpp", ROOT / "tests" / "memory" / "allocator.cpp"]
    if changes.build(sources, driver):
        by_driver = noticed_by([str(driver)], changes, {*changes.mutants}, requests, reached)
        print(f"generated cases: {len(by_driver)} of {len(reached)} reached", flush=True)
    for module in sorted({mutant.module for mutant in changes.mutants.values()}):
        program = folder / f"{module}_tests"
        if not changes.build([*test_units(module, folder), sources[1]], program):
            print(f"{module}: tests not built", flush=True)
            continue
        alive = {number for number, mutant in changes.mutants.items()
                 if mutant.module == module and number not in by_driver}  # fmt: skip
        command = [str(program), "--gtest_brief=1", "--gtest_fail_fast"]
        by_tests |= noticed_by(command, changes, alive, b"", reached)
        print(f"{module}: {len(alive & by_tests)} of {len(alive)} by its tests", flush=True)
    report(changes, reached, {"driver": by_driver, "tests": by_tests})
    return 0


def test_units(module: str, folder: Path) -> list[Path]:
    """Units of ten tests of a module: names of more collide."""
    tests = sorted((ROOT / "tests" / module).glob("*_test.cpp"))
    units = [folder / f"{module}_tests_{at}.cpp" for at in range(0, len(tests), 10)]
    for at, unit in enumerate(units):
        own = tests[10 * at : 10 * at + 10]
        unit.write_text("".join(f'#include "{test}"\n' for test in own))
    return units


def report(changes: Changes, reached: set[int], killed: dict[str, set[int]]) -> None:
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    survivors = []
    for mutant in changes.dropped.values():
        outcomes[mutant.module]["dropped"] += 1
    for number, mutant in changes.mutants.items():
        outcome = next((who for who in killed if number in killed[who]), "survived")
        if outcome == "survived" and (mutant.file, mutant.change) in EQUIVALENT:
            outcome = "equivalent"
        elif outcome == "survived" and number not in reached:
            outcome = "not run"
        outcomes[mutant.module][outcome] += 1
        if outcome in ("survived", "not run"):
            survivors.append(f"{outcome}: {mutant}")
    names = ("dropped", "not run", "driver", "tests", "equivalent", "survived")
    print("| module | changes | do not compile | not run | noticed by generated cases | by tests "
          "| without effect | survived |")  # fmt: skip
    print("|---" + "|--:" * 7 + "|")
    total: Counter[str] = sum(outcomes.values(), Counter())
    for module, counts in [*sorted(outcomes.items()), ("all", total)]:
        print(f"| {module} | {sum(counts.values())} | "
              + " | ".join(str(counts[name]) for name in names) + " |")  # fmt: skip
    print("\n".join(survivors))


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--module", nargs="*", default=[])
    parser.add_argument("--file", nargs="*", default=[], help="parts of the names of headers")
    parser.add_argument("--changes", type=int, default=30, help="changes a module")
    parser.add_argument("--headers", type=int, default=6, help="headers a module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=100, help="recorded cases of a target")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "mutants")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
