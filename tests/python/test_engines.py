"""Engines that take Arrow data, on columns of Thrift. scripts/engines.sh installs all of them; elsewhere those that are not there are skipped."""

import pytest

import thriftlens as tl

pa = pytest.importorskip("pyarrow")


def test_pandas_takes_columns():
    pandas = pytest.importorskip("pandas")
    Point = tl.loads("struct Point { 1: i32 x, 2: string label }")["Point"]
    columns = Point.columns([Point.encode({"x": 1}), Point.encode({"x": 2, "label": "b"})])
    frame = pandas.DataFrame.from_arrow(columns) if hasattr(pandas.DataFrame, "from_arrow") else pa.table(columns).to_pandas()
    assert frame["x"].tolist() == [1, 2] and frame["label"].tolist()[1] == "b"
