"""Sources that must not compile: the first error has to be the sentence that the source's first line announces.

    check_wrong.py COMPILER INCLUDE_DIRECTORY SOURCE_DIRECTORY

The first line of a source is `// first error: SENTENCE`. A second line `// errors: N` bounds how many errors there are at most.
"""
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def errors_of(compiler, include, source):
    command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{include}", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.findall(r"error: (.*)", done.stderr)
    return found or ([""] if done.returncode else ["it compiles"])


def announced(source):
    """The sentence, and how many errors there may be."""
    lines = source.read_text(encoding="utf-8").split("\n")
    bound = re.fullmatch(r"// errors: (\d+)", lines[1])
    return lines[0].removeprefix("// first error: "), int(bound[1]) if bound else None


def fault(source, errors):
    sentence, bound = announced(source)
    if sentence not in errors[0]:
        return f"expected `{sentence}`\n  found `{errors[0]}`"
    if bound is not None and len(errors) > bound:
        return f"{len(errors)} errors, at most {bound}:\n  " + "\n  ".join(errors)
    return None


def main(compiler, include, directory):
    sources = sorted(Path(directory).glob("*.cpp"))
    with ThreadPoolExecutor(2) as pool:
        errors = list(pool.map(lambda source: errors_of(compiler, include, source), sources))
    faults = 0
    for source, found in zip(sources, errors):
        if (why := fault(source, found)) is not None:
            faults += 1
            print(f"{source.name}: {why}")
    print(f"{len(sources)} sources, {faults} faults")
    return 1 if faults or not sources else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
