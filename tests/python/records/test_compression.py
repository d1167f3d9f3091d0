"""Compressed input, in layers and cut short."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from pathlib import Path
from typing import Any

import pytest
import thriftlens as tl

Point = tl.loads("struct Point { 1: i32 x, 2: string name }").Point
VALUES = [{"x": number, "name": "n" * (number % 7)} for number in range(50)]
RECORDS = [Point.encode(value) for value in VALUES]
PLAIN = b"".join(RECORDS)


@pytest.mark.parametrize(
    "pack, name", [(gzip.compress, "gzip"), (bz2.compress, "bzip2"), (lzma.compress, "xz")]
)
def test_compressed_input(tmp_path: Path, pack: Any, name: str) -> None:
    packed = pack(PLAIN[:500]) + pack(PLAIN[500:])
    file = tmp_path / "records"
    file.write_bytes(packed)
    for source in (file, packed, io.BytesIO(packed), iter([packed[:5], packed[5:]])):
        assert list(tl.scan(source, Point, to="dict")) == VALUES
    with pytest.raises(tl.DecodeError):
        list(tl.scan(packed, Point, compression="none"))
    with pytest.raises(tl.DecodeError, match=f"invalid {name} data"):
        list(tl.scan(PLAIN, Point, compression=name))


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_input_that_is_cut(pack: Any) -> None:
    packed = pack(PLAIN)
    for size in range(12, len(packed) - 1, 7):
        scan = tl.scan(packed[:size], Point, to="dict")
        with pytest.raises(tl.DecodeError) as caught:
            list(scan)
        assert caught.value.code in ("truncated", "bad_frame")


def test_zstd(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    packed = zstandard.compress(PLAIN[:500]) + zstandard.compress(PLAIN[500:])
    (tmp_path / "a.zst").write_bytes(packed)
    assert list(tl.scan(tmp_path / "a.zst", Point, to="dict")) == VALUES
    with pytest.raises(tl.DecodeError, match="invalid zstd data"):
        list(tl.scan(packed[:40] + b"\0" * 40 + packed[80:], Point))
    first = len(zstandard.compress(PLAIN[:500]))
    for size in range(5, len(packed)):
        if size != first:
            with pytest.raises(tl.DecodeError) as caught:
                list(tl.scan(packed[:size], Point))
            assert caught.value.code == "truncated"


def test_compact_that_begins_as_zlib_does_is_not_taken_for_it() -> None:
    """Field 7, a string: 0x78 and its length."""
    idl = tl.loads("struct Odd { 7: string text }")
    taken = 0
    for size in (1, 94, 218 - 90):
        for letter in range(256):
            data = idl.Odd.encode({"text": "?" * size}, protocol="compact").replace(
                b"?", bytes([letter])
            )
            assert data[0] == 0x78
            records = list(tl.scan(data, to="bytes", protocol="compact"))
            assert records == [data]
            taken += 1
    assert taken == 768
