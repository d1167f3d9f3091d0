"""The programs of examples/python, each run on a small input."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def printed(name, *arguments, **options):
    command = [sys.executable, str(ROOT / "examples" / "python" / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=ROOT, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_kafka_to_parquet(tmp_path):
    pytest.importorskip("confluent_kafka")
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "orders.parquet"
    lines = printed("kafka_to_parquet.py", "--demo", out).splitlines()
    assert lines[:2] == ["10000 records, 2 of them broken", "partition, offset, id, user, items, fault"]
    assert lines[2].startswith("partition 1, offset 8: the data ends in the middle of a value at $.items[1]")
    assert [each.name for each in tmp_path.iterdir()] == ["orders.parquet"]
    table = parquet.read_table(out)
    ids = sorted(each for each in table.column("id").to_pylist() if each is not None)
    assert ids == [i for i in range(10_000) if i not in (17, 4711)]
    rows = {row["id"]: row for row in table.to_pylist()}
    assert rows[5]["user"] == {"name": "Zoë"} and rows[5]["items"] == [{"sku": "socks", "price": 4.5}] * 2
