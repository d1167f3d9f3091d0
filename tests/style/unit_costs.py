"""Checks what small programs cost the compiler: unit_costs.py CXX; exit 1 above a ceiling.

The units are those of bench/compile. Peak memory and machine code repeat from run to run, unlike
time; the ceilings are for g++ 12 on x86-64.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench" / "compile"))
import units

# Unit, flags, peak memory in MB, machine code in KB. Memory has a margin of 5 %.
CEILINGS = [
    ("load", ["-O2"], 348, 142),
    ("load", ["-O2", "-DTHRIFTLENS_COMPILED"], 160, 6),
    ("first", ["-O0"], 620, 836),
    ("first", ["-O2", "-DTHRIFTLENS_COMPILED"], 256, 60),
    ("view", ["-O2"], 301, 132),
    ("umbrella", ["-O0"], 757, 5),
    ("umbrella", ["-O0", "-DTHRIFTLENS_COMPILED"], 390, 1),
]


def main(cxx):
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, flags, most_mb, most_kb in CEILINGS:
            source = units.source_of(name, folder)
            taken = units.cost(source, cxx, *flags)
            label = f"{name} {' '.join(flags)}"
            if taken is None:
                print(f"{label}: does not compile")
                failed = True
                continue
            size = taken.text_bytes / 1000
            print(
                f"{label}: {taken.peak_mb} MB, at most {most_mb}; {size:.0f} KB, at most {most_kb}"
            )
            failed |= taken.peak_mb > most_mb or size > most_kb
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
