"""Machine code of a unit that only loads IDL: loader_size.py CXX INCLUDE; exit 1 above the ceiling.

The figure is the text column of `size` at -O2: code, unwind tables and constants.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

CEILING = 184_000
UNIT = """
#include <thriftlens/schema/schema.hpp>
thriftlens::schema from_text(std::string_view text) { return thriftlens::schema::parse(text); }
thriftlens::schema from_file(const std::string& file) { return thriftlens::schema::load(file); }
"""


def text_size(cxx, include):
    with tempfile.TemporaryDirectory() as folder:
        unit = Path(folder) / "unit.cpp"
        unit.write_text(UNIT, encoding="utf-8")
        result = unit.with_suffix(".o")
        flags = ["-std=c++20", "-O2", f"-I{include}"]
        subprocess.run([cxx, *flags, "-c", str(unit), "-o", str(result)], check=True)
        listing = subprocess.run(
            ["size", str(result)], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
    header, figures = (line.split() for line in listing.splitlines())
    return int(figures[header.index("text")])


def main(cxx, include):
    size = text_size(cxx, include)
    print(f"the loader: {size} bytes, at most {CEILING}")
    return 1 if size > CEILING else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
