"""Sources of a scan."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import thriftlens as tl
from memory import peak_of
from point_records import FRAMINGS, PLAIN, VALUES, Point


@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize("piece", [1, 3, 64])
def test_chunks_of_any_size(framing: str, piece: int) -> None:
    data = FRAMINGS[framing]
    chunks = (data[at : at + piece] for at in range(0, len(data), piece))
    assert list(tl.scan(chunks, Point, framing=framing, to="dict")) == VALUES


def test_files_patterns_and_lists(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(PLAIN)
    (tmp_path / "b.bin").write_bytes(gzip.compress(PLAIN))
    (tmp_path / "empty.bin").write_bytes(b"")
    scan = tl.scan(str(tmp_path / "*.bin"), Point, to="dict")
    assert list(scan) == VALUES * 2
    assert scan.count == 2 * len(VALUES) and scan.number == 0 and scan.file is not None
    assert scan.file.endswith("empty.bin")
    assert list(tl.scan([tmp_path / "a.bin", tmp_path / "b.bin"], Point, to="dict")) == VALUES * 2
    with open(tmp_path / "a.bin", "rb") as stream:
        assert list(tl.scan(stream, Point, to="dict")) == VALUES
    with pytest.raises(FileNotFoundError):
        tl.scan(str(tmp_path / "*.none"), Point)
    with pytest.raises(FileNotFoundError):
        next(tl.scan(tmp_path / "none", Point))
    assert list(tl.scan([], Point)) == []
    with pytest.raises(TypeError, match="not int"):
        tl.scan(7, Point)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="found int"):
        list(tl.scan([1, 2], Point))  # type: ignore[list-item]


SCAN = """
import sys, itertools
import thriftlens as tl
Point = tl.loads("struct Point { 1: i32 x, 2: string name }").Point
piece = b"".join(Point.encode({"x": each, "name": "p" * 500}) for each in range(2000))
pieces = itertools.repeat(piece, int(sys.argv[1]))
total = sum(point.x for point in tl.scan(pieces, Point))
assert total == sum(range(2000)) * int(sys.argv[1])
"""


def test_scan_holds_one_piece_of_a_stream() -> None:
    """60 MB with less than 12 MB more than 6 MB take."""
    assert peak_of(SCAN, "60") - peak_of(SCAN, "6") < 12_000_000


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(tl.FileError, match="it is a folder") as caught:
        list(tl.scan(str(tmp_path), Point))
    assert caught.value.filename == str(tmp_path)
