"""Parquet files for tests."""

from __future__ import annotations

import datetime
import decimal
import struct
import subprocess
import sys
from typing import Any

import pytest
from thriftlens import parquet

pa = pytest.importorskip("pyarrow")

ROWS = 1000

TABLE = pa.table(
    {
        "a": list(range(ROWS)),
        "s": [f"x{number}" for number in range(ROWS)],
        "n": [{"p": number, "q": [number, number]} for number in range(ROWS)],
        "d": [datetime.date(2020, 1, 1)] * ROWS,
        "t": [datetime.datetime(2020, 1, 1, 1, 2, 3)] * ROWS,
        "c": [decimal.Decimal("1.25")] * ROWS,
        "u": pa.array([2**32 - 1 - number for number in range(ROWS)], pa.uint32()),
        "f": [number / 3 for number in range(ROWS)],
        "b": [b"\xff%d" % number for number in range(ROWS)],
    }
)


def file_of(footer: bytes, data: bytes = b"", magic: bytes = b"PAR1") -> bytes:
    """A file that ends in this footer."""
    return b"PAR1" + data + footer + struct.pack("<I", len(footer)) + magic


def footer_of(**changes: Any) -> bytes:
    """A sound footer of two columns and two row groups, but for the changes."""
    meta = {
        "type": 1, "encodings": [0], "codec": 0, "num_values": 1, "total_uncompressed_size": 1,
        "total_compressed_size": 1, "data_page_offset": 4,
    }  # fmt: skip
    chunks = [
        {
            "file_offset": 0,
            "meta_data": {
                **meta,
                "path_in_schema": [name],
                "statistics": {"min_value": b"\1\0\0\0", "max_value": b"\2\0\0\0"},
            },
        }
        for name in "ab"
    ]
    group = {"columns": chunks, "total_byte_size": 1, "num_rows": 1}
    schema = [
        {"name": "root", "num_children": 2},
        {"name": "a", "type": 1},
        {"name": "b", "type": 1, "num_children": 0},
    ]
    metadata = {
        "version": 1,
        "schema": schema,
        "num_rows": 2,
        "row_groups": [group, group],
        **changes,
    }
    return parquet.schema.FileMetaData.encode(metadata, protocol="compact")


def run(*arguments: Any) -> tuple[int, str, str]:
    """Status, output and errors of `thriftlens parquet`."""
    command = [sys.executable, "-m", "thriftlens", "parquet", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True)
    return result.returncode, result.stdout.decode(), result.stderr.decode()
