"""Sources that must not compile: the first error has to be the sentence that the source's first line announces.

    check_wrong.py COMPILER INCLUDE_DIRECTORY SOURCE_DIRECTORY

Bodies are left out (-DTHRIFTLENS_COMPILED): no sentence comes from one, and they take most of the time.
The first line of a source is `// first error: SENTENCE`. Lines below it may say more:
  // errors: N            there are N errors at most
  // clang: FLAG          compiled by clang alone, with this flag
"""
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def errors_of(compiler, include, source, flags):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-DTHRIFTLENS_COMPILED", *flags, f"-I{include}", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.findall(r"error: (.*)", done.stderr)
    return found or ([""] if done.returncode else ["it compiles"])


def is_clang(compiler):
    return "clang" in subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout


def announced(source):
    """What the lines at the top say: "first error", "errors" and "clang"."""
    head = re.match(r"(// .*\n)*", source.read_text(encoding="utf-8"))[0]
    return dict(re.findall(r"// (first error|errors|clang): (.*)", head))


def fault(said, errors):
    if said["first error"] not in errors[0]:
        return f"expected `{said['first error']}`\n  found `{errors[0]}`"
    if len(errors) > int(said.get("errors", len(errors))):
        return f"{len(errors)} errors, at most {said['errors']}:\n  " + "\n  ".join(errors)
    return None


def main(compiler, include, directory):
    said = {source: announced(source) for source in sorted(Path(directory).glob("*.cpp"))}
    tried = [source for source in said if "clang" not in said[source] or is_clang(compiler)]
    with ThreadPoolExecutor(2) as pool:
        errors = list(pool.map(lambda source: errors_of(compiler, include, source, said[source].get("clang", "").split()), tried))
    faults = 0
    for source, found in zip(tried, errors):
        if (why := fault(said[source], found)) is not None:
            faults += 1
            print(f"{source.name}: {why}")
    print(f"{len(tried)} sources, {len(said) - len(tried)} for another compiler, {faults} faults")
    return 1 if faults or not said else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
