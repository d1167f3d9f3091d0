"""A Parquet footer into a program's own structs beside Arrow's own reading, with what pyarrow's
wheel ships. python3 bench/footer/run.py

Skipped with a message where pyarrow, its headers or a compiler are missing.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OPTIMIZATION = ["-O0"] if "THRIFTLENS_BENCH_ONCE" in os.environ else ["-O3", "-DNDEBUG"]


def footer_of(folder, columns, groups):
    """The footer of a file of so many columns and row groups, as a file of its own."""
    import pyarrow
    import pyarrow.parquet

    path = Path(folder) / "whole"
    table = pyarrow.table(
        {f"column_{i}": pyarrow.array(range(i, i + groups * 10)) for i in range(columns)}
    )
    pyarrow.parquet.write_table(table, path, row_group_size=10)
    data = path.read_bytes()
    size = int.from_bytes(data[-8:-4], "little")
    footer_path = Path(folder) / f"{columns}x{groups}"
    footer_path.write_bytes(data[-8 - size : -8])
    return footer_path.name


def main():
    try:
        import pyarrow
    except ImportError:
        return print("skipped: no pyarrow")
    include = Path(pyarrow.get_include())
    library = next(
        (sorted(Path(folder).glob("libparquet.so*")) for folder in pyarrow.get_library_dirs()), []
    )
    compiler = os.environ.get("CXX", "g++")
    if (
        not (include / "parquet/metadata.h").exists()
        or not library
        or shutil.which(compiler) is None
    ):
        return print("skipped: no headers or library of Parquet in pyarrow, or no compiler")
    arrow = sorted(library[0].parent.glob("libarrow.so*"))
    with tempfile.TemporaryDirectory() as folder:
        flags = [
            "-std=c++20",
            *OPTIMIZATION,
            f"-I{ROOT / 'include'}",
            f"-I{ROOT / 'bench' / 'support'}",
            "-isystem",
            include,
            f"-Wl,-rpath,{library[0].parent}",
        ]
        subprocess.run(
            [compiler, *flags, HERE / "footer.cpp", library[0], arrow[0], "-o", f"{folder}/footer"],
            check=True,
        )
        names = [footer_of(folder, 1000, 10), footer_of(folder, 10_000, 4)]
        print(
            "| columns x row groups | Arrow | std::string | | std::string_view | | over the last "
            "object | |\n|---|--:|--:|--:|--:|--:|--:|--:|",
            flush=True,
        )
        sys.exit(subprocess.run(["./footer", *names], cwd=folder).returncode)


main()
