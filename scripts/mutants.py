#!/usr/bin/env python3
"""Changes a header in small ways and checks whether its test fails: for releases, not for CI.

usage: mutants.py [--seed N] [--count N] [--jobs N] HEADER...    random changes, such as mutants.py
--count 5 core/varint.hpp view/view.hpp
       mutants.py --named [WORD...]                              the changes that once passed (those
       whose header holds a WORD) mutants.py --self-test                                    checks
       that changes are in code only and that the named ones still apply

A change is one comparison, constant, bound, `&&` or answer of one header, chosen by the seed. The
changed header is in a separate folder that is searched first; the tree is not touched. Only
tests/<module>/<header>_test.cpp is built, at -O0, and run. A change that does not compile counts
for nothing; one that the test passes is printed with its line. Some of those change nothing that
can be seen.
Exit 1 where a named change passes.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "thriftlens"
WARNINGS_OFF = ["-std=c++20", "-O0", "-w"]
LONGEST_RUN = 600  # seconds: a change may make a loop without end

# Changes that once passed every test, by header: text, what it becomes, which occurrence.
NAMED = [
    ("dom/follow.hpp", "index + in.count", "index + in.count - 1", 0),
    ("dom/follow.hpp", "at < std::int64_t{in.count}", "at <= std::int64_t{in.count}", 0),
    ("dom/follow.hpp", "at >= 0 &&", "at > 0 &&", 0),
    ("view/path_visitor.hpp", "many.last + size", "many.last + size + 1", 0, "view/view"),
    ("view/path_visitor.hpp", "many.first + size", "many.first + size + 1", 0, "view/view"),
    (
        "view/path_visitor.hpp",
        "inside.index() + 1 < last",
        "inside.index() + 1 <= last",
        0,
        "view/view",
    ),
    ("core/utf8.hpp", "code < 0x80 ?", "code <= 0x80 ?", 0),
    ("core/utf8.hpp", "code < 0x800 ?", "code <= 0x800 ?", 0),
    ("core/utf8.hpp", "code < 0x10000 ?", "code <= 0x10000 ?", 0),
    ("core/escape.hpp", "code >= first", "code > first", 0),
    ("core/escape.hpp", "code < first + 0x400", "code <= first + 0x400", 0),
    ("core/varint.hpp", "value >= 0x80", "value > 0x80", 0),
    ("core/varint.hpp", "end - from) < 10)", "end - from) < 9)", 0),
    ("core/varint.hpp", "end - from >= 8)", "end - from >= 7)", 0),
    ("core/varint.hpp", "end - from >= 10)", "end - from >= 9)", 0),
    ("core/varint.hpp", "byte > last_byte", "byte >= last_byte", 0),
    ("core/varint.hpp", "from[4] > 0x0f", "from[4] > 0x10", 0),
    ("protocol/binary_skip.hpp", "remaining(from) < 3)", "remaining(from) <= 3)", 0),
    ("protocol/binary_skip.hpp", "remaining(from) < 3)", "remaining(from) < 2)", 0),
    ("protocol/binary_skip.hpp", "remaining(from) < width ?", "remaining(from) <= width ?", 0),
    (
        "protocol/binary_skip.hpp",
        "remaining(from) < key_width + 4)",
        "remaining(from) <= key_width + 4)",
        0,
    ),
    ("protocol/binary_header.hpp", "remaining(from, end) < 5)", "remaining(from, end) <= 5)", 0),
    ("protocol/binary_header.hpp", "remaining(from, end) < 6)", "remaining(from, end) <= 6)", 0),
    ("protocol/binary_header.hpp", "size > limit) [[unlikely]]", "size >= limit) [[unlikely]]", 0),
    ("protocol/compact.hpp", "list.size < 15)", "list.size <= 15)", 0),
    ("protocol/compact_header.hpp", "size > limit) [[unlikely]]", "size >= limit) [[unlikely]]", 0),
    ("protocol/compact_header.hpp", "list.size > limit", "list.size >= limit", 0),
    ("protocol/compact_header.hpp", "map.size > limit", "map.size >= limit", 0),
    ("schema/encode_const.hpp", "i + 1 < from.items.size()", "i < from.items.size()", 0),
    ("schema/encode_const.hpp", "i + 1 < from.items.size()", "i < from.items.size()", 1),
    ("json/out_cursor.hpp", "offset() - start_ > max_size_", "offset() - start_ >= max_size_", 0),
    ("json/out_cursor.hpp", "size - start_ > max_size_", "size - start_ >= max_size_", 0),
    ("codec/read_container.hpp", "if (depth == 0)", "if (depth == 1)", 0, "codec/write_container"),
    ("rewrite/wire_copier.hpp", "inline_bool == 1", "inline_bool == 0", 0, "rewrite/wire_copier"),
    ("rewrite/fast/fast_rewrite.hpp", "inline_bool == 1", "inline_bool == 0", 0, "fast/fast_paths"),
    # Rows of structs on all levels share one learned layout, which once crashed on sound bytes.
    *(
        ("protocol/learned_layouts.hpp", "level_(of.level_++)", "level_(0 * of.level_++)", 0, test)
        for test in ("protocol/learned_layouts", "fast/layout_differential")
    ),
] + [
    ("dom/change.hpp", "code != errc::ok) return code;", "false) return code;", at)
    for at in range(6)
]


def code_positions(text):
    """For every character whether it is code: no comment, no literal, no directive, no
    static_assert.
    """
    is_code = [True] * len(text)
    skipped = (
        r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^[ '
        r"\t]*#(?:[^\n]*\\\n)*[^\n]*|static_assert\([^;]*;|\btemplate <[^\n]*"
    )
    for match in re.finditer(skipped, text, flags=re.S | re.M):
        is_code[match.start() : match.end()] = [False] * (match.end() - match.start())
    return is_code


def other_constant(match):
    number, suffix = re.fullmatch(r"(0x[0-9a-fA-F]+|\d+)(\w*)", match).groups()
    value = int(number, 0)
    return [
        f"{hex(value + step) if number.startswith('0x') else value + step}{suffix}"
        for step in (1, -1)
        if value + step >= 0
    ]


# What is looked for, and what it may become.
KINDS = [
    (
        r"(?<= )(?:<=|>=|<|>)(?= )",
        lambda m: {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"]}[m],
    ),
    (r"(?<= )(?:==|!=)(?= )", lambda m: ["!=" if m == "==" else "=="]),
    (r"(?<= )(?:&&|\|\|)(?= )", lambda m: ["||" if m == "&&" else "&&"]),
    (r"(?<= )[+-](?= )", lambda m: ["-" if m == "+" else "+"]),
    (
        r"\breturn (?:true|false)\b",
        lambda m: ["return false" if m.endswith("true") else "return true"],
    ),
    (r"\berrc::(?:truncated|absent|bad_index)\b", lambda m: ["errc::ok"]),
    (r"(?<![\w.])(?:0x[0-9a-fA-F]+|\d+)u?(?![\w.])", other_constant),
]


def changes(text):
    """Every change: (begin, end, what it becomes)."""
    is_code = code_positions(text)
    edits = []
    for pattern, becomes in KINDS:
        for match in re.finditer(pattern, text):
            if is_code[match.start()]:
                edits += [(match.start(), match.end(), new) for new in becomes(match[0])]
    return edits


class Mutant:
    def __init__(self, header, begin, end, new, test=None):
        self.header, self.begin, self.end, self.new = header, begin, end, new
        self.test = test or header.removesuffix(".hpp")
        self.text = (HEADERS / header).read_text(encoding="utf-8")

    def __str__(self):
        line = self.text.count("\n", 0, self.begin) + 1
        return (
            f"include/thriftlens/{self.header}:{line}: "
            f"{self.text[self.begin : self.end]} -> {self.new}"
        )

    def outcome(self):
        """ "killed", "survived" or "not compiled"."""
        with tempfile.TemporaryDirectory() as folder:
            changed = Path(folder) / "thriftlens" / self.header
            changed.parent.mkdir(parents=True)
            changed.write_text(
                self.text[: self.begin] + self.new + self.text[self.end :], encoding="utf-8"
            )
            program = str(Path(folder) / "test")
            build = [
                *os.environ.get("CXX", "g++").split(),
                *WARNINGS_OFF,
                "-I",
                folder,
                "-I",
                str(ROOT / "include"),
                "-I",
                str(ROOT / "tests"),
                f'-DTHRIFTLENS_TEST_DATA="{ROOT}/tests/data"',
                f'-DTHRIFTLENS_SOURCE_DIR="{ROOT}"',
                str(ROOT / "tests" / f"{self.test}_test.cpp"),
                "-o",
                program,
                "-lgmock_main",
                "-lgmock",
                "-lgtest",
                "-lpthread",
                "-lsimdjson",
                "-lthrift",
            ]
            if subprocess.run(build, capture_output=True, check=False).returncode != 0:
                return "not compiled"
            try:
                run = subprocess.run(
                    [program, "--gtest_brief=1", "--gtest_fail_fast"],
                    capture_output=True,
                    check=False,
                    timeout=LONGEST_RUN,
                )
            except subprocess.TimeoutExpired:
                return "killed"
            return "survived" if run.returncode == 0 else "killed"


def named(headers):
    """The named changes; exits if a header no longer contains the text of its change."""
    for header, old, new, occurrence, *test in NAMED:
        if headers and not any(part in header for part in headers):
            continue
        text = (HEADERS / header).read_text(encoding="utf-8")
        places = [match.start() for match in re.finditer(re.escape(old), text)]
        if occurrence >= len(places):
            sys.exit(f"include/thriftlens/{header}: no longer holds {old!r} (number {occurrence})")
        yield Mutant(header, places[occurrence], places[occurrence] + len(old), new, *test)


def chosen(headers, count, seed):
    dice = random.Random(seed)
    for header in headers:
        all_changes = changes((HEADERS / header).read_text(encoding="utf-8"))
        for begin, end, new in dice.sample(all_changes, min(count, len(all_changes))):
            yield Mutant(header, begin, end, new)


def self_test():
    text = (
        '// a < b\n#if A < 1\nstatic_assert(a < b, "");\nint f() { return a < b ? 1 '
        ': s == "x == y"; }\n'
    )
    edits = {(text[begin:end], new) for begin, end, new in changes(text)}
    assert edits == {("<", "<="), ("<", ">="), ("==", "!="), ("1", "2"), ("1", "0")}, edits
    assert changes(text) == changes(text)
    assert other_constant("0x7fu") == ["0x80u", "0x7eu"] and other_constant("0") == ["1"]
    for mutant in named([]):
        assert (ROOT / "tests" / f"{mutant.test}_test.cpp").exists(), mutant
    print("the changes are in order")


def main():
    arguments = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=3, help="changes a header")
    arguments.add_argument("--jobs", type=int, default=1)
    arguments.add_argument("--named", action="store_true")
    arguments.add_argument("--self-test", action="store_true")
    arguments.add_argument("headers", nargs="*")
    options = arguments.parse_args()
    if options.self_test:
        return self_test()
    mutants = list(
        named(options.headers)
        if options.named
        else chosen(options.headers, options.count, options.seed)
    )
    outcomes = {"killed": 0, "survived": 0, "not compiled": 0}
    with ThreadPoolExecutor(options.jobs) as pool:
        for mutant, outcome in zip(mutants, pool.map(Mutant.outcome, mutants)):
            outcomes[outcome] += 1
            print(f"{outcome}: {mutant}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in outcomes.items()))
    return 1 if options.named and outcomes["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
