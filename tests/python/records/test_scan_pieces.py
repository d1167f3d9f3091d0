"""Pieces of a scan: lists, and arrays that are cut without a copy."""

import pytest
import thriftlens as tl
from point_records import FRAMED, PLAIN, RECORDS, VALUES, Point


@pytest.mark.parametrize("data, framing", [(PLAIN, "none"), (FRAMED, "u32")])
def test_arrays_have_the_place_of_every_record(data, framing):
    pieces = list(tl.scan(data, Point, framing=framing, to="bytes").pieces(20))
    result = [(piece.first, piece.size, piece.is_array) for piece in pieces]
    assert result == [(0, 20, True), (20, 20, True), (40, 10, True)]
    frame = 4 if framing == "u32" else 0
    offset = 0
    for number, record in enumerate(RECORDS):
        piece = pieces[number // 20]
        begin, value, content = piece.location(number - piece.first)
        assert (begin, value) == (offset, offset + frame)
        assert bytes(content)[frame:] == record
        offset += frame + len(record)


def test_lists_have_errors_in_place_of_invalid_records():
    lines = b"".join(record.hex().encode() + b"\n" for record in RECORDS[:3])
    lines += b"zz\n" + RECORDS[3].hex().encode() + b"\n"
    scan = tl.scan(lines, Point, framing="hex", to="bytes", on_error="null")
    pieces = list(scan.pieces(10))
    assert sum(piece.size for piece in pieces) == 5
    assert [number for piece in pieces for number in piece.reported] == [3]


def test_a_scan_that_has_begun_has_no_pieces():
    scan = tl.scan(PLAIN, Point, to="bytes")
    next(scan)
    assert scan.pieces(10) is None
    assert tl.scan(PLAIN, Point).pieces(10) is None  # views


def test_columns_read_the_pieces():
    columns = Point.columns(tl.scan(PLAIN, Point, to="bytes"), batch_size=20)
    pa = pytest.importorskip("pyarrow")
    assert pa.table(columns).to_pylist() == VALUES
