#!/usr/bin/env python3
"""Adds up gcov's counts of a build folder by module.

usage: coverage.py BUILD [--files] [--missed PART] [--write docs/proof.md]

A line counts as reached if one instance of its function reached it. Branches that only exceptions
take and lines without code are left out. Headers without counts, and the lines that were not
reached by reason, are listed. Of several instances of a template the branches are merged where the
compiler made equally many; of others, as of folds over packs of different sizes, the instance with
the largest share counts.
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
# Why a line is not reached, by its text; the first that matches. Lines for AVX-512 have the name of
# their target in front.
AVX_512 = "THRIFTLENS_TARGET_VBMI2"
REASONS = (
    ("kernels for AVX-512, if the processor has none", AVX_512),
    ("assertions and results that no input gives (`errc::internal`)",
     r"errc::internal|assertion_failed|THRIFTLENS_ASSERT|unreachable"),
    ("failures of the operating system or of allocation", r"bad_alloc|errc::io|errno|system_error"),
    ("error returns", r"\berror\(|\breject\(|errc::|return false;|fail\w*\("),
    ("other", ""),
)  # fmt: skip


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
            name = relative(Path(report["current_working_directory"], file["file"]))
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
        best: dict[tuple[str, int], list[bool]] = {}
        for (name, number, _), taken in self.branches.items():
            best[name, number] = max(best.get((name, number), []), taken, key=share_of)
        for (name, _), taken in best.items():
            totals[name] = totals[name].plus(Counts(0, 0, len(taken), sum(taken)))
        return totals

    def reasons(self) -> dict[str, int]:
        """The number of lines that were not reached, by reason."""
        counts = {reason: 0 for reason, _ in REASONS}
        for name, lines in self.lines.items():
            text = with_target((ROOT / name).read_text(encoding="utf-8").splitlines())
            for number in (number for number, reached in lines.items() if not reached):
                own = text[number - 1]
                counts[next(reason for reason, of in REASONS if re.search(of, own))] += 1
        return counts

    def without_counts(self) -> list[str]:
        """Headers of which no program has code: of the modules that were measured."""
        measured = {module_of(name) for name in self.lines}
        headers = [*ROOT.glob("include/**/*.hpp"), *ROOT.glob("include/**/*.ipp")]
        names = (str(path.relative_to(ROOT)) for path in headers)
        return sorted(name for name in names
                      if name not in self.lines and module_of(name) in measured)  # fmt: skip

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


def share_of(taken: list[bool]) -> tuple[float, int]:
    return (sum(taken) / len(taken) if taken else -1, len(taken))


def with_target(lines: list[str]) -> list[str]:
    """The lines, those of functions for AVX-512 after the name of their target."""
    is_inside = False
    marked = []
    for line in lines:
        is_inside = is_inside or AVX_512 in line
        marked.append(f"{AVX_512} {line}" if is_inside else line)
        is_inside = is_inside and line.strip() != "}"
    return marked


def relative(path: Path) -> "str | None":
    try:
        name = path.resolve().relative_to(ROOT)
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
        command = ["gcov", "--json-format", "--stdout", "--branch-probabilities",
                   "--relative-only", str(counts)]  # fmt: skip
        run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=build)
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


def write_block(page: Path, mark: str, text: str) -> None:
    """Replaces what the page has between <!-- mark --> and <!-- /mark -->."""
    begin, end = f"<!-- {mark} -->", f"<!-- /{mark} -->"
    block = f"{begin}\nMeasured on {datetime.date.today().isoformat()}.\n\n{text}\n{end}"
    old = page.read_text(encoding="utf-8")
    if begin not in old:
        sys.exit(f"{page}: no line {begin}")
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.S)
    page.write_text(pattern.sub(lambda _: block, old), encoding="utf-8")


def programs(build: Path) -> str:
    """The programs that have run."""
    found = build.glob("*/CMakeFiles/*.dir/**/*.gcda")
    names = {path.relative_to(build).parts[2].removesuffix(".dir") for path in found}
    return ", ".join(f"`{name}`" for name in sorted(names))


def summary(coverage: Coverage) -> str:
    """What was not reached: lines by reason, and headers without code in any program."""
    lines = ["| lines not reached | number |", "|---|--:|"]
    lines += [f"| {reason} | {count} |" for reason, count in coverage.reasons().items()]
    names = ", ".join(f"`{name.split('thriftlens/')[1]}`" for name in coverage.without_counts())
    return "\n".join([*lines, "", f"Headers without code of their own: {names or 'none'}."])


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
        build = f"Programs that have run: {programs(options.build)}."
        write_block(options.write, "coverage", f"{build}\n\n{text}\n\n{summary(coverage)}")


if __name__ == "__main__":
    main()
