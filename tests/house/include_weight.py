"""What headers cost a unit that includes them, in multiples of <vector>, <string> and <memory>.

    include_weight.py CXX INCLUDE             checks the gates: memory that g++ takes for
    -fsyntax-only, the same in every run; exit 1 if one is exceeded include_weight.py --figures CXX
    INCLUDE   prints a table, with user CPU seconds of the compiler (least of three)

Memory substitutes for time, which no test reads: both grow with declarations and instantiations."""

import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

BASE = ("vector", "string", "memory")
ROOMS = (
    "protocol",
    "idl",
    "schema",
    "path",
    "view",
    "edit",
    "compare",
    "policy",
    "dom",
    "codec",
    "records",
    "transport",
    "rpc",
    "columns",
    "json",
    "http",
)
# Multiples that may not be passed: header-only, with thriftlens::compiled.
GATES = {
    "view/view.hpp": (2.55, 2.3),
    "codec/decode.hpp": (2.42, 2.42),
    "json.hpp": (6.45, 2.27),
    "thriftlens.hpp": (15.29, 6.16),
}


def run(cxx, include, headers, *flags):
    """Standard error and CPU seconds of the compiler for an empty program with these headers."""
    with tempfile.TemporaryDirectory() as folder:
        unit = Path(folder) / "unit.cpp"
        unit.write_text(
            "".join(f"#include <{header}>\n" for header in headers) + "int main() {}\n",
            encoding="utf-8",
        )
        start_usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = subprocess.run(
            [cxx, "-std=c++20", f"-I{include}", "-fsyntax-only", *flags, str(unit)],
            stderr=subprocess.PIPE,
            text=True,
            check=True,
            env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"},
        )
        return result.stderr, resource.getrusage(
            resource.RUSAGE_CHILDREN
        ).ru_utime - start_usage.ru_utime


def memory(*program):
    """Bytes that the compiler takes."""
    total = re.search(
        r"^ TOTAL .*?([\d.]+)([kMG])\s*$", run(*program, "-ftime-report")[0], flags=re.M
    )
    return float(total[1]) * {"k": 1e3, "M": 1e6, "G": 1e9}[total[2]]


def seconds(*program):
    """The least of three runs."""
    return min(run(*program)[1] for _ in range(3))


def own(header):
    return (f"thriftlens/{header}",)


def check(cxx, include):
    base = memory(cxx, include, BASE)
    failed = False
    for header, limits in GATES.items():
        for limit, flags in zip(limits, ((), ("-DTHRIFTLENS_COMPILED",))):
            size = memory(cxx, include, own(header), *flags)
            failed |= size / base > limit
            print(
                f"{header} {' '.join(flags) or 'header-only'}: {size / base:.2f}, at most {limit}"
            )
    return failed


def figures(cxx, include):
    base_size, base_time = memory(cxx, include, BASE), seconds(cxx, include, BASE)
    print(f"`<vector>`, `<string>` and `<memory>`: {base_time:.2f} s, {base_size / 1e6:.0f} MB\n")
    print(
        "| `thriftlens/…` | header-only: time | memory | compiled: time | memory "
        "|\n|---|---|---|---|---|"
    )
    for header in (*GATES, *(f"{module}.hpp" for module in ROOMS if module != "json")):
        cells = [header]
        for flags in ((), ("-DTHRIFTLENS_COMPILED",)):
            program = (cxx, include, own(header), *flags)
            cells += [f"{seconds(*program) / base_time:.1f}", f"{memory(*program) / base_size:.1f}"]
        print("| " + " | ".join(cells) + " |", flush=True)


def main(arguments):
    if arguments[:1] == ["--figures"]:
        return figures(*arguments[1:])
    return check(*arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
