"""Records cut from bytes by their framing."""

from __future__ import annotations

import struct
from typing import Any, Iterator

import pytest
import thriftlens as tl
from point_records import FRAMED, FRAMINGS, PLAIN, RECORDS, VALUES, Point


@pytest.mark.parametrize("framing", FRAMINGS)
def test_every_framing(framing: str) -> None:
    scan = tl.scan(FRAMINGS[framing], Point, framing=framing, to="dict")
    assert list(scan) == VALUES
    assert (scan.count, scan.rejected, scan.number) == (50, 0, 50)
    assert scan.record == 49


@pytest.mark.parametrize("framing, frame", [("none", 0), ("u32", 4)])
def test_cut_at_every_byte(framing: str, frame: int) -> None:
    ends = [0]
    for record in RECORDS[:8]:
        ends.append(ends[-1] + frame + len(record))
    for size in range(ends[-1] + 1):
        scan = tl.scan(FRAMINGS[framing][:size], Point, framing=framing, to="dict")
        got, failure = [], None
        try:
            got.extend(scan)
        except tl.DecodeError as error:
            failure = error
        complete = sum(end <= size for end in ends) - 1
        assert got == VALUES[:complete], size
        assert (failure is None) == (size in ends)
        assert scan.offset == ends[complete], "where a later scan resumes"


def test_null_records() -> None:
    data = struct.pack(">i", -1) + FRAMED[: 4 + len(RECORDS[0])]
    assert list(tl.scan(data, Point, framing="kafka", to="dict")) == [None, VALUES[0]]


def test_records_are_bounded() -> None:
    with pytest.raises(tl.DecodeError, match="a size exceeds the limit"):
        list(tl.scan(PLAIN, Point, record_size=10))

    def endless() -> Iterator[bytes]:
        yield b"\x0b\0\2\x7f\0\0\0"
        while True:
            yield b"x" * 65536

    with pytest.raises(tl.DecodeError, match="a size exceeds the limit"):
        list(tl.scan(endless(), Point, record_size=1 << 20))
    assert "50 records" in repr(scanned(tl.scan(PLAIN, Point)))


def scanned(scan: tl.Scan) -> tl.Scan:
    list(scan)
    return scan


@pytest.mark.parametrize("framing", [*FRAMINGS, "message", "framed message", "tjson", "list"])
def test_a_cut_at_any_byte_keeps_the_complete_records(framing: str) -> None:
    """Complete records up to the cut are read; at most one error follows."""
    records, values = RECORDS[:5], VALUES[:5]
    options: dict[str, Any] = {"framing": framing, "to": "dict"}
    if "message" in framing:
        parts = [
            tl.Message("f", "call", 1, record).to_bytes(framed="framed" in framing)
            for record in records
        ]
        options["framing"] = "message"
    elif framing == "tjson":
        parts = [Point.encode(value, protocol="tjson") + b"\n" for value in values]
        options.update(framing="lines", protocol="tjson")
    elif framing == "list":
        parts = [b"\x0c" + struct.pack(">I", 5) + records[0], *records[1:]]
    else:
        stream = FRAMINGS[framing]
        bounds = [
            *(view.record_offset for view in placed(tl.scan(stream, Point, framing=framing))),
            len(stream),
        ][:6]
        parts = [stream[begin:end] for begin, end in zip(bounds, bounds[1:])]
    data = b"".join(parts)
    ends = [sum(map(len, parts[:count])) for count in range(6)]
    for size in range(len(data) + 1):
        scan, got, errors = tl.scan(data[:size], Point, **options), [], 0
        while True:
            try:
                got.append(next(scan))
            except StopIteration:
                break
            except tl.Error as error:
                errors += 1
                assert error.record == len(got)
                break
        complete = sum(end <= size for end in ends) - 1
        assert got in (values[:complete], values[: complete + 1]), size  # a line may lack its end
        assert errors == (0 if size in ends or len(got) > complete else 1) or framing in (
            "list",
            "hex",
            "base64",
            "tjson",
        ), size
        skipped = tl.scan(data[:size], Point, **options, on_error="skip")
        try:
            assert list(skipped) == got and skipped.rejected <= 1
        except tl.Error:
            assert errors == 1 and skipped.count == len(got)


def placed(scan: tl.Scan) -> list[Any]:
    return list(scan)
