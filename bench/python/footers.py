"""Parquet footers: tl.parquet beside pyarrow, on files that pyarrow wrote. python3
bench/python/footers.py [--quick]

Answers are compared first; what differs is not timed. CPU time of this process, median of the
repetitions.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import pyarrow
import pyarrow.parquet
import thriftlens as tl

REPEATS = 5 if "--quick" in sys.argv else 15
SHAPES = [(1000, 10)] if "--quick" in sys.argv else [(1000, 10), (10_000, 4)]


def written(folder, columns, groups):
    """A file of so many columns and row groups; a row group has ten rows."""
    path = Path(folder) / f"{columns}x{groups}.parquet"
    table = pyarrow.table(
        {f"column_{i}": pyarrow.array(range(i, i + groups * 10)) for i in range(columns)}
    )
    pyarrow.parquet.write_table(table, path, row_group_size=10)
    return path


def ours_statistics(path, names):
    statistics = tl.parquet.open(path).statistics(*names)
    return [
        [(entry.min, entry.max, entry.null_count) for entry in statistics[name]] for name in names
    ]


def theirs_statistics(path, names):
    footer = pyarrow.parquet.read_metadata(path)
    places = [footer.schema.names.index(name) for name in names]
    groups = [footer.row_group(group) for group in range(footer.num_row_groups)]
    columns = [[group.column(index).statistics for group in groups] for index in places]
    return [
        [(statistics.min, statistics.max, statistics.null_count) for statistics in column]
        for column in columns
    ]


def ours_rows(path):
    return tl.parquet.open(path).num_rows


def theirs_rows(path):
    return pyarrow.parquet.read_metadata(path).num_rows


def cpu_of(call):
    """Median milliseconds of CPU."""
    call()
    times = []
    for _ in range(REPEATS):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return statistics.median(times) * 1000


def row(task, shape, ours, theirs):
    if ours() != theirs():
        print(f"{task} {shape}: the answers differ, so it is not timed")
        return
    own, other = cpu_of(ours), cpu_of(theirs)
    print(f"| {task} | {shape} | {own:.2f} ms | {other:.2f} ms | {other / own:.1f}x |")


def set_key_value(folder):
    """One entry of the key/value metadata of a file of 1 GB, in place: what pyarrow cannot do."""
    path = written(folder, 1000, 10)
    footer = tl.parquet.open(path)
    data, tail = (
        path.read_bytes()[: footer.footer_offset],
        path.read_bytes()[footer.footer_offset :],
    )
    with path.open("wb") as file:  # a gigabyte of nothing between the data and the footer
        file.write(data)
        file.seek(1 << 30)
        file.write(tail)

    def change():
        file = tl.parquet.open(path)
        file.set_key_value("reviewed", "yes")
        file.save()

    own = cpu_of(change)
    assert tl.parquet.open(path).key_value["reviewed"] == "yes"
    print(f"| set one key/value, in place | 1 GB, 1000 x 10 | {own:.2f} ms | | |")


def main():
    print("| task | columns x row groups | thriftlens | pyarrow | |\n|---|---|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for columns, groups in SHAPES:
            path, shape = written(folder, columns, groups), f"{columns} x {groups}"
            names = ["column_1", f"column_{columns // 2}", f"column_{columns - 1}"]
            row(
                "statistics of three columns",
                shape,
                lambda: ours_statistics(path, names),
                lambda: theirs_statistics(path, names),
            )
            row("number of rows", shape, lambda: ours_rows(path), lambda: theirs_rows(path))
        set_key_value(folder)


main()
