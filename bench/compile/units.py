"""What the compiler takes for small programs, beside those of other libraries.

    units.py [PATTERN...]     prints a table: processor seconds / peak MB / KB of machine code;
                           only units whose name contains one of the patterns

Each unit is one source of units/, compiled alone; `first` is the first C++ program of the README.
Other libraries are measured where their headers are installed.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UNITS = Path(__file__).resolve().parent / "units"

# In a separate process, so that its peak memory can be measured.
_COMPILE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:]).returncode
use = resource.getrusage(resource.RUSAGE_CHILDREN)
print(use.ru_utime + use.ru_stime, use.ru_maxrss // 1024)
sys.exit(done)
"""


@dataclass(frozen=True)
class Cost:
    seconds: float
    peak_mb: int
    text_bytes: int

    def __str__(self):
        return f"{self.seconds:.1f} / {self.peak_mb} / {self.text_bytes // 1000}"


def text_size(target):
    """Bytes of code, unwind tables and constants of an object file, 0 if there is none."""
    if not target.exists():
        return 0
    listing = subprocess.run(["size", str(target)], check=True, stdout=subprocess.PIPE, text=True)
    return int(listing.stdout.split("\n")[1].split()[0])


def cost(source, compiler, *flags, include=ROOT / "include"):
    """Compiles one unit. None if it does not compile."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "unit.o"
        command = [compiler, "-std=c++20", "-w", f"-I{include}", *flags]
        result = subprocess.run(
            [sys.executable, "-c", _COMPILE, *command, "-c", str(source), "-o", str(target)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if result.returncode:
            return None
        seconds, peak = result.stdout.split()
        return Cost(float(seconds), int(peak), text_size(target))


def source_of(name, folder):
    """The source of a unit. The first C++ program of the README is written to the folder."""
    if name != "first":
        return UNITS / f"{name}.cpp"
    block = re.search(
        r"^```cpp\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.S | re.M
    )
    source = Path(folder) / "first.cpp"
    source.write_text(block[1], encoding="utf-8")
    return source


def generated_code(folder):
    """Generates Apache Thrift's code for user.thrift. None without its compiler."""
    if shutil.which("thrift") is None:
        return None
    command = ["thrift", "--gen", "cpp", "-out", str(folder), str(UNITS / "user.thrift")]
    subprocess.run(command, check=True)
    return [f"-I{folder}"]


SETTINGS = [
    ("g++ -O0", "g++", ["-O0"]),
    ("g++ -O2", "g++", ["-O2"]),
    ("clang 16 -O2", "clang++-16", ["-O2"]),
    ("g++ -O1 address,undefined", "g++", ["-O1", "-fsanitize=address,undefined"]),
    ("clang 16 -O1 address,undefined", "clang++-16", ["-O1", "-fsanitize=address,undefined"]),
]
OWN = {
    "first": "README's first program",
    "load": "load IDL",
    "to_json": "write JSON",
    "from_json": "read JSON",
    "view": "read fields",
    "edit": "load IDL, edit, redact",
    "bound": "12 bound structs",
    "client": "Asio client and HTTP",
    "umbrella": "all headers, nothing used",
}
PEERS = {
    "simdjson": "simdjson On-Demand",
    "nlohmann": "nlohmann::json",
    "apache": "Apache's generated code and RapidJSON",
}


def coroutines(name, compiler):
    """What clang needs for the coroutines of Debian's Asio."""
    if name != "client" or "clang" not in compiler:
        return []
    return ["-DASIO_HAS_CO_AWAIT=1", "-DASIO_HAS_STD_COROUTINE=1"]


def main(patterns):
    chosen = [setting for setting in SETTINGS if shutil.which(setting[1]) is not None]
    print("| unit | " + " | ".join(name for name, _, _ in chosen) + " |")
    print("|---|" + "--:|" * len(chosen))
    with tempfile.TemporaryDirectory() as folder:
        apache = generated_code(folder)
        rows = []
        for name, label in OWN.items():
            source = source_of(name, folder)
            rows.append((name, label, source, []))
            rows.append((name, f"{label}, compiled", source, ["-DTHRIFTLENS_COMPILED"]))
        for name, label in PEERS.items():
            flags = apache if name == "apache" else []
            if flags is not None:
                rows.append((name, label, UNITS / f"{name}.cpp", flags))
        for name, label, source, flags in rows:
            if patterns and not any(pattern in name for pattern in patterns):
                continue
            cells = [
                cost(source, compiler, *options, *flags, *coroutines(name, compiler))
                for _, compiler, options in chosen
            ]
            print(
                "| " + " | ".join([label, *(str(c) if c else "–" for c in cells)]) + " |",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
