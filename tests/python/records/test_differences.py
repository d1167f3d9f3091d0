"""Differences as lines of text."""

import pytest
import thriftlens as tl
from thriftlens._records.differences import difference_line, difference_lines

POINT = tl.loads("struct Point { 1: i32 x, 2: string name }").Point
OPTIONS = {
    "protocol": "binary",
    "right_protocol": "compact",
    "order": "ignore",
    "depth": 64,
    "output_size": 0,
}


@pytest.mark.parametrize("old, new, expected", [
    ({"x": 1}, {"x": 2}, [b"~ $.x: 1 -> 2"]), ({"x": 1}, {"x": 1, "name": "a"}, [b'+ $.name: "a"']),
    ({"x": 1, "name": "a"}, {"name": "a"}, [b"- $.x: 1"]), ({"x": 1}, {"x": 1}, []),
])  # fmt: skip
def test_lines(old, new, expected):
    sides = POINT.encode(old), POINT.encode(new, protocol="compact")
    assert difference_lines(POINT, *sides, 10, OPTIONS) == expected


def test_the_number_of_lines_is_limited():
    sides = POINT.encode({"x": 1, "name": "a"}), POINT.encode({"x": 2}, protocol="compact")
    assert len(difference_lines(POINT, *sides, 1, OPTIONS)) == 1


def test_a_field_that_is_not_in_the_idl_is_shown_in_hex():
    line = difference_line(POINT, "added", "$.#5", (None, b"\0\7"), ("binary", "binary"))
    assert line == b'+ $.#5: x"0007"'
