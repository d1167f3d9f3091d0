"""Checks that sources fail to compile with the expected first error.

    check_wrong.py COMPILER INCLUDE_DIRECTORY SOURCE_DIRECTORY

The sources are compiled without function bodies (-DTHRIFTLENS_COMPILED).
A source has one or more cases. Each begins with `// first error: TEXT`, where TEXT is a part of the
error that every compiler prints, and is compiled alone, after the lines before the first case. More
lines may follow:
  // errors: N            at most N errors
  // clang: FLAG          compile with clang only, with this flag"""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def compile_errors(compiler, include, folder, case, flags):
    command = [
        compiler,
        "-std=c++20",
        "-fsyntax-only",
        "-DTHRIFTLENS_COMPILED",
        *flags,
        f"-I{include}",
        f"-I{folder}",
    ]
    process = subprocess.run(
        [*command, "-xc++", "-"], input=case, capture_output=True, text=True, check=False
    )
    errors = re.findall(r"error: (.*)", process.stderr)
    return errors or ([""] if process.returncode else ["the source compiles"])


def is_clang(compiler):
    return (
        "clang"
        in subprocess.run(
            [compiler, "--version"], capture_output=True, text=True, check=True
        ).stdout
    )


def cases_of(source):
    """ "file:line" and text of each case."""
    text = source.read_text(encoding="utf-8")
    starts = [match.start() for match in re.finditer(r"^// first error: ", text, re.M)]
    for start, end in zip(starts, [*starts[1:], len(text)]):
        yield (
            f"{source.name}:{text.count(chr(10), 0, start) + 1}",
            text[start:end] + "\n",
            text[: starts[0]],
        )


def expectations(case):
    """The keys "first error", "errors" and "clang" of the comment lines at the top."""
    head = re.match(r"(// .*\n)*", case)[0]
    return dict(re.findall(r"// (first error|errors|clang): (.*)", head))


def mismatch(expected, errors):
    if expected["first error"] not in errors[0]:
        return f"expected `{expected['first error']}`\n  found `{errors[0]}`"
    if len(errors) > int(expected.get("errors", len(errors))):
        return f"{len(errors)} errors, at most {expected['errors']}:\n  " + "\n  ".join(errors)
    return None


def main(compiler, include, directory):
    cases = [case for source in sorted(Path(directory).glob("*.cpp")) for case in cases_of(source)]
    clang = is_clang(compiler)

    def check(case):
        name, text, before = case
        expected = expectations(text)
        if "clang" in expected and not clang:
            return None
        flags = expected.get("clang", "").split()
        error = mismatch(
            expected, compile_errors(compiler, include, directory, before + text, flags)
        )
        return error and f"{name}: {error}"

    with ThreadPoolExecutor(2) as pool:
        mismatches = [error for error in pool.map(check, cases) if error]
    for error in mismatches:
        print(error)
    print(f"{len(cases)} cases, {len(mismatches)} mismatches")
    return 1 if mismatches or not cases else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
