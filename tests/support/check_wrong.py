"""Checks that sources fail to compile with the expected first error.

    check_wrong.py COMPILER INCLUDE_DIRECTORY SOURCE_DIRECTORY

The sources are compiled without function bodies (-DTHRIFTLENS_COMPILED).
The first line of a source is `// first error: TEXT`, where TEXT is a part of the error that every compiler prints.
More lines may follow:
  // errors: N            at most N errors
  // clang: FLAG          compile with clang only, with this flag
"""
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def compile_errors(compiler, include, source, flags):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-DTHRIFTLENS_COMPILED", *flags, f"-I{include}", str(source)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    errors = re.findall(r"error: (.*)", process.stderr)
    return errors or ([""] if process.returncode else ["the source compiles"])


def is_clang(compiler):
    return "clang" in subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout


def expectations(source):
    """The keys "first error", "errors" and "clang" of the comment lines at the top."""
    head = re.match(r"(// .*\n)*", source.read_text(encoding="utf-8"))[0]
    return dict(re.findall(r"// (first error|errors|clang): (.*)", head))


def mismatch(expected, errors):
    if expected["first error"] not in errors[0]:
        return f"expected `{expected['first error']}`\n  found `{errors[0]}`"
    if len(errors) > int(expected.get("errors", len(errors))):
        return f"{len(errors)} errors, at most {expected['errors']}:\n  " + "\n  ".join(errors)
    return None


def main(compiler, include, directory):
    expected = {source: expectations(source) for source in sorted(Path(directory).glob("*.cpp"))}
    clang = is_clang(compiler)
    sources = [source for source in expected if clang or "clang" not in expected[source]]

    def check(source):
        errors = compile_errors(compiler, include, source, expected[source].get("clang", "").split())
        return mismatch(expected[source], errors)

    with ThreadPoolExecutor(2) as pool:
        mismatches = [(source, text) for source, text in zip(sources, pool.map(check, sources)) if text]
    for source, text in mismatches:
        print(f"{source.name}: {text}")
    print(f"{len(sources)} sources, {len(expected) - len(sources)} for another compiler, {len(mismatches)} mismatches")
    return 1 if mismatches or not expected else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
