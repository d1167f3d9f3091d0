"""Checks that sources fail to compile with the expected first error.

    check_wrong.py COMPILER INCLUDE_DIRECTORY SOURCE_DIRECTORY

The sources are compiled without function bodies (-DTHRIFTLENS_COMPILED).
A source has one or more cases. Each begins with `// first error: TEXT`, where TEXT is a part of the
error that every compiler prints. It is compiled alone, after the lines before the first case, which
are precompiled. More lines may follow:
  // errors: N            at most N errors
  // clang: FLAG          compile with clang only, with this flag"""

import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def flags_of(include, folder):
    return ["-std=c++20", "-DTHRIFTLENS_COMPILED", f"-I{include}", f"-I{folder}"]


def precompile(compiler, flags, header, text):
    """Writes the header and its precompiled form, which `-include HEADER` takes."""
    header.write_text(text, encoding="utf-8")
    command = [compiler, *flags, "-xc++-header", str(header), "-o", f"{header}.gch"]
    subprocess.run(command, check=True)


def compile_errors(compiler, flags, header, case):
    command = [compiler, *flags, "-fsyntax-only", "-include", str(header), "-xc++", "-"]
    process = subprocess.run(command, input=case, capture_output=True, text=True, check=False)
    errors = re.findall(r"error: (.*)", process.stderr)
    return errors or ([""] if process.returncode else ["the source compiles"])


def is_clang(compiler):
    return (
        "clang"
        in subprocess.run(
            [compiler, "--version"], capture_output=True, text=True, check=True
        ).stdout
    )


def split(source):
    """The text before the first case; "file:line" and text of each case."""
    text = source.read_text(encoding="utf-8")
    starts = [match.start() for match in re.finditer(r"^// first error: ", text, re.M)]
    cases = [
        (f"{source.name}:{text.count(chr(10), 0, start) + 1}", text[start:end] + "\n")
        for start, end in zip(starts, [*starts[1:], len(text)])
    ]
    return text[: starts[0]], cases


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
    flags = flags_of(include, directory)
    clang = is_clang(compiler)
    mismatches, count = [], 0
    for source in sorted(Path(directory).glob("*.cpp")):
        before, cases = split(source)
        count += len(cases)
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
            header = Path(folder) / "before.hpp"
            precompile(compiler, flags, header, before)

            def check(case, header=header):
                name, text = case
                expected = expectations(text)
                if "clang" in expected and not clang:
                    return None
                extra = expected.get("clang", "").split()
                errors = compile_errors(compiler, [*flags, *extra], header, text)
                error = mismatch(expected, errors)
                return error and f"{name}: {error}"

            mismatches += [error for error in pool.map(check, cases) if error]
    for error in mismatches:
        print(error)
    print(f"{count} cases, {len(mismatches)} mismatches")
    return 1 if mismatches or not count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
