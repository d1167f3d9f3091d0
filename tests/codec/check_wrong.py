"""Sources that must not compile: the first error has to be the sentence that the source's first line announces.

    check_wrong.py COMPILER INCLUDE_DIRECTORY SOURCE_DIRECTORY
"""
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def first_error(compiler, include, source):
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", f"-I{include}", str(source)], capture_output=True, text=True, check=False)
    found = re.search(r"error: (.*)", done.stderr)
    return found[1] if found else "" if done.returncode else "it compiles"


def main(compiler, include, directory):
    sources = sorted(Path(directory).glob("*.cpp"))
    with ThreadPoolExecutor(2) as pool:
        errors = list(pool.map(lambda source: first_error(compiler, include, source), sources))
    faults = 0
    for source, error in zip(sources, errors):
        wanted = source.read_text(encoding="utf-8").split("\n")[0].removeprefix("// first error: ")
        if wanted not in error:
            faults += 1
            print(f"{source.name}: expected `{wanted}`\n  found `{error}`")
    print(f"{len(sources)} sources, {faults} faults")
    return 1 if faults or not sources else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
