"""What `pip install .` compiles: processor seconds, peak memory and machine code of each unit.

    module.py            builds a wheel in a temporary folder, prints the table and the sums
    module.py --unit LOG COMPILER ARGUMENT...     compiles one unit and adds its line to LOG

The sum is compared with simdjson.cpp, which is one of the units.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from units import ROOT, text_size


def compile_unit(log, command):
    status = subprocess.run(command).returncode
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    if "-c" in command and status == 0:
        target = Path(command[command.index("-o") + 1])
        seconds = use.ru_utime + use.ru_stime
        with open(log, "a", encoding="utf-8") as lines:
            lines.write(f"{target}\t{seconds}\t{use.ru_maxrss // 1024}\t{text_size(target)}\n")
    return status


def name_of(target):
    return Path(target).name.removeprefix("unity_").split(".")[0].removesuffix("_cxx")


def main():
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "units"
        launcher = [sys.executable, str(Path(__file__).resolve()), "--unit", str(log)]
        environment = {**os.environ, "CMAKE_CXX_COMPILER_LAUNCHER": ";".join(launcher)}
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", folder, str(ROOT)]
        start = time.monotonic()
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
        wall = time.monotonic() - start
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            (module,) = [
                item for item in archive.infolist() if item.filename.endswith((".so", ".pyd"))
            ]
        rows = [line.split("\t") for line in log.read_text(encoding="utf-8").splitlines()]
        size = wheel.stat().st_size
    print("| unit | CPU s | peak MB | machine code KB |\n|---|--:|--:|--:|")
    taken = {}
    for target, seconds, memory, code in sorted(rows, key=lambda row: -float(row[1])):
        taken[name_of(target)] = float(seconds)
        print(f"| {name_of(target)} | {float(seconds):.1f} | {memory} | {int(code) // 1000} |")
    total = sum(taken.values())
    print(
        f"\n{total:.0f} s of processor time, {total / taken['simdjson']:.1f} times simdjson.cpp; "
        f"{wall:.0f} s on {os.cpu_count()} cores; module {module.file_size / 1e6:.1f} MB, "
        f"wheel {size / 1e6:.1f} MB"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--unit"]:
        sys.exit(compile_unit(sys.argv[2], sys.argv[3:]))
    main()
