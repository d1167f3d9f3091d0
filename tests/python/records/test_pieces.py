"""Consecutive records of a scan, for columns."""

import pytest
import thriftlens as tl
from thriftlens._records.pieces import Batch, Piece

Point = tl.loads("struct Point { 1: i32 x }")["Point"]


def location(index):
    return 100 + 10 * index, 104 + 10 * index, b"0123456789"


def test_the_first_records_of_a_list_and_of_an_array():
    assert Piece(["a", "b", "c"], 3, 7).up_to(2) == ["a", "b"]
    array = Piece(("schema", "array"), 3, 7, True, cut=lambda count: ("schema", f"first {count}"))
    assert array.up_to(2) == ("schema", "first 2")


def test_a_rejected_record_has_its_place_and_bytes():
    piece = Piece([None, None], 2, 7, location=location, file="a.bin")
    error = tl.DecodeError("it broke", code="truncated", offset=3)
    rejected = piece.rejected(8, error)
    assert rejected[:3] == (8, 110, b"0123456789") and rejected.file == "a.bin"
    assert (error.record, error.record_offset, error.offset, error.resume) == (8, 110, 117, 120)
    assert str(error) == "a.bin: record 8 (value from byte 114): it broke"


def test_without_a_location_only_the_number_is_known():
    error = tl.DecodeError("it broke")
    assert Piece([None], 1, 7).rejected(7, error) == (7, -1, b"", error, None)


def test_a_batch_is_read_by_arrow():
    pa = pytest.importorskip("pyarrow")
    columns = Point.columns([Point.encode({"x": 1}), Point.encode({"x": 2})])
    (array,) = columns.batches()
    result = pa.record_batch(Batch(columns.__arrow_c_schema__(), array)).to_pylist()
    assert result == [{"x": 1}, {"x": 2}]
