#!/usr/bin/env python3
"""Adds up gcov's counts of a build folder by module.

usage: coverage.py BUILD [--files] [--missed PART] [--write docs/proof.md]

A line counts as reached if one instance of its function reached it. Branches that only exceptions
take and lines without code are left out, as are functions that no test program instantiates. Of
several instances of a template the branches are merged where the compiler made equally many.
"""

import argparse
import datetime
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Iterator, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- coverage -->", "<!-- /coverage -->"


class Counts(NamedTuple):
    lines: int
    reached_lines: int
    branches: int
    taken_branches: int

    def plus(self, other: "Counts") -> "Counts":
        return Counts(*(lhs + rhs for lhs, rhs in zip(self, other)))

    @property
    def line_share(self) -> float:
        return 100 * self.reached_lines / self.lines if self.lines else 100.0

    @property
    def branch_share(self) -> float:
        return 100 * self.taken_branches / self.branches if self.branches else 100.0


class Coverage:
    """The lines and branches of each file, merged over object files and template instances."""

    def __init__(self) -> None:
        self.lines: dict[str, dict[int, bool]] = defaultdict(dict)
        self.branches: dict[tuple[str, int, int], list[bool]] = {}

    def add(self, report: dict) -> None:
        for file in report["files"]:
            name = relative(file["file"])
            if name is None:
                continue
            for line in file["lines"]:
                number = line["line_number"]
                reached = self.lines[name].get(number, False) or line["count"] > 0
                self.lines[name][number] = reached
                taken = [b["count"] > 0 for b in line.get("branches", []) if not b["throw"]]
                if len(taken) > 1:
                    known = self.branches.setdefault((name, number, len(taken)), taken)
                    known[:] = [old or new for old, new in zip(known, taken)]

    def files(self) -> dict[str, Counts]:
        totals = {
            name: Counts(len(lines), sum(lines.values()), 0, 0)
            for name, lines in self.lines.items()
        }
        for (name, _, _), taken in self.branches.items():
            totals[name] = totals[name].plus(Counts(0, 0, len(taken), sum(taken)))
        return totals

    def missed(self, part: str) -> Iterator[str]:
        """The lines of the files whose name contains `part` that were not reached, or in part."""
        for name in sorted(name for name in self.lines if part in name):
            text = (ROOT / name).read_text(encoding="utf-8").splitlines()
            in_part = {number for (file, number, _), taken in self.branches.items()
                       if file == name and not all(taken)}  # fmt: skip
            for number, reached in sorted(self.lines[name].items()):
                if not reached or number in in_part:
                    mark = "?" if reached else "!"
                    yield f"{name}:{number}: {mark} {text[number - 1].strip()}"


def relative(file: str) -> "str | None":
    path = Path(file)
    try:
        name = (path if path.is_absolute() else ROOT / path).resolve().relative_to(ROOT)
    except ValueError:
        return None
    return str(name) if name.parts[0] in ("include", "src") else None


def module_of(name: str) -> str:
    """include/thriftlens/<module> or src/<folder>."""
    parts = Path(name).parts
    depth = 2 if parts[0] == "include" else 1
    return "/".join(parts[depth - 1 : depth + 1] if len(parts) > depth + 1 else parts[:depth])


def read(build: Path) -> Coverage:
    coverage = Coverage()
    for counts in sorted(build.rglob("*.gcda")):
        command = ["gcov", "--json-format", "--stdout", "--branch-probabilities", str(counts)]
        run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=build)
        for line in run.stdout.splitlines():
            if line.startswith("{"):
                coverage.add(json.loads(line))
    return coverage


def table(groups: dict[str, Counts]) -> str:
    rows = [
        "| module | lines | reached | branches | taken |",
        "|---|--:|--:|--:|--:|",
    ]
    total = Counts(0, 0, 0, 0)
    for name, counts in sorted(groups.items()):
        total = total.plus(counts)
        rows.append(row(f"`{name}`", counts))
    rows.append(row("all", total))
    return "\n".join(rows)


def row(name: str, counts: Counts) -> str:
    return (
        f"| {name} | {counts.lines} | {counts.line_share:.1f} % "
        f"| {counts.branches} | {counts.branch_share:.1f} % |"
    )


def by_module(files: dict[str, Counts]) -> dict[str, Counts]:
    groups: dict[str, Counts] = {}
    for name, counts in files.items():
        module = module_of(name)
        groups[module] = groups.get(module, Counts(0, 0, 0, 0)).plus(counts)
    return groups


def write(page: Path, text: str) -> None:
    """Replaces what the page has between the marks."""
    today = datetime.date.today().isoformat()
    block = f"{BEGIN}\nMeasured on {today}.\n\n{text}\n{END}"
    old = page.read_text(encoding="utf-8")
    if BEGIN not in old:
        sys.exit(f"{page}: no line {BEGIN}")
    pattern = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.S)
    page.write_text(pattern.sub(lambda _: block, old), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("build", type=Path)
    parser.add_argument("--files", action="store_true", help="a row for each file")
    parser.add_argument("--missed", metavar="PART", help="list lines of files of that name")
    parser.add_argument("--write", type=Path, metavar="PAGE")
    options = parser.parse_args()
    coverage = read(options.build.resolve())
    if options.missed:
        print("\n".join(coverage.missed(options.missed)))
        return
    files = coverage.files()
    text = table(files if options.files else by_module(files))
    print(text)
    if options.write:
        write(options.write, text)


if __name__ == "__main__":
    main()
