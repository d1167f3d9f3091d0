"""Values of statistics as Python values."""

from __future__ import annotations

import datetime
import decimal
import json
import struct
from pathlib import Path

import pytest
import thriftlens as tl
from parquet_files import file_of, footer_of, run
from thriftlens import parquet

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def test_times_of_day(tmp_path: Path) -> None:
    where = tmp_path / "times.parquet"
    times = {
        unit: pa.array([1_000, 61_000], pa.int64()).cast(pa.time64(unit)) for unit in ("us", "ns")
    }
    table = pa.table(
        {
            **times,
            "ms": pa.array([1_000, 61_000], pa.time32("ms")),
            "odd": pa.array([1, 2], pa.time64("ns")),
        }
    )
    pq.write_table(table, where, version="2.6")
    statistics = tl.parquet.open(where).statistics()
    assert statistics["ms"][0].max == datetime.time(0, 1, 1)
    assert statistics["us"][0].max == datetime.time(0, 0, 0, 61_000)
    assert statistics["ns"][0].max == datetime.time(0, 0, 0, 61)
    assert statistics["odd"][0].max == 2


def test_numbers_that_newer_formats_may_use(tmp_path: Path) -> None:
    footer = parquet.schema.FileMetaData
    path = tmp_path / "new.parquet"
    metadata = footer.decode(footer_of(), protocol="compact")
    for group in metadata["row_groups"]:
        for chunk in group["columns"]:
            chunk["meta_data"].update(codec=99, encodings=[0, 77])
    metadata["schema"][1].update(converted_type=88)
    path.write_bytes(file_of(footer.encode(metadata, protocol="compact"), b"x"))
    assert {finding.code for finding in parquet.open(path).findings()} == {"unknown_enum_value"}, (
        "named, but nothing else is hindered"
    )
    status, text, errors = run(path, "--row-groups")
    assert (status, json.loads(text.splitlines()[0])["codec"], errors) == (0, 99, "")
    for options in ([], ["--json"], ["--statistics", "a"]):
        status, text, errors = run(path, *options)
        assert (status, errors) == (0, "") and text


def test_values_of_every_kind() -> None:
    half = {"type": "FIXED_LEN_BYTE_ARRAY", "type_length": 2, "logicalType": {"FLOAT16": {}}}
    assert parquet.value_of(half, b"\0\x3c") == 1.0
    for element, raw, value in (
        ({"type": "INT96"}, bytes(12), bytes(12)),
        ({"type": "INT32", "converted_type": "UINT_32"}, b"\xff" * 4, 2**32 - 1),
        ({"type": "INT32", "logicalType": {"DATE": {}}}, struct.pack("<i", 2**31 - 1), 2**31 - 1),
        ({"type": "INT64", "converted_type": "TIMESTAMP_MILLIS"}, struct.pack("<q", 1),
            datetime.datetime(1970, 1, 1, 0, 0, 0, 1000, datetime.timezone.utc)),
        ({"type": "BYTE_ARRAY", "converted_type": "DECIMAL", "scale": 2}, b"\xff\x38",
            decimal.Decimal("-2.00")),
        ({"type": "DOUBLE"}, b"short", b"short"),
        ({"type": "BYTE_ARRAY", "logicalType": {}}, b"\xff", b"\xff"),
    ):  # fmt: skip
        assert parquet.value_of(element, raw) == value, element
