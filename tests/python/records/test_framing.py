"""Records with their framing."""

import re
from pathlib import Path

import pytest
import thriftlens as tl
from thriftlens._records.cuts import cuts_of
from thriftlens._records.framing import (
    BY_NAME,
    FRAMINGS,
    SIZED_FRAMINGS,
    TEXT_FRAMINGS,
    content_of,
    framed,
    has_null,
    null_record,
)

ROOT = Path(__file__).resolve().parents[3]
STRUCT = b"\x08\0\1\0\0\0\7\0"


@pytest.mark.parametrize("framing, expected", [
    ("none", STRUCT), ("u32", b"\0\0\0\x08" + STRUCT), ("u32le", b"\x08\0\0\0" + STRUCT),
    ("varint", b"\x08" + STRUCT), ("kafka", b"\0\0\0\x08" + STRUCT), ("base64", b"CAABAAAABwA=\n"),
    ("hex", b"0800010000000700\n"),
])  # fmt: skip
def test_a_record_is_read_back(framing, expected):
    assert framed(STRUCT, framing) == expected
    (cut,) = cuts_of(expected, framing, True)
    assert bytes(cut.bytes()) == STRUCT
    assert content_of(expected, framing) == STRUCT


def test_framings_by_kind():
    assert TEXT_FRAMINGS == ("base64", "hex")
    assert SIZED_FRAMINGS == ("u32", "u32le", "varint", "kafka")
    assert [name for name in BY_NAME if has_null(name)] == ["kafka"]
    assert not has_null("list")
    for name, description in FRAMINGS.items():
        assert f"- {name}: {description}" in tl.scan.__doc__


def test_the_guide_lists_every_framing():
    table = (ROOT / "docs" / "records.md").read_text(encoding="utf-8").partition("## Python")[0]
    names = {
        name
        for line in table.splitlines()
        for name in re.findall("`([a-z0-9]+)`", line.split("|")[1] if "|" in line else "")
    }
    assert names == set(FRAMINGS)


def test_sizes_of_several_bytes_and_the_null_record():
    assert framed(bytes(300), "varint")[:2] == b"\xac\x02"
    assert framed(None, "kafka") == null_record("kafka") == b"\xff\xff\xff\xff"
    assert null_record("u32") == b""
    assert framed(b"a\n\n", "lines") == b"a\n"
    with pytest.raises(tl.Error, match="framing u32 has no null record"):
        framed(None, "u32")


@pytest.mark.parametrize("framing", ["u32", "varint", "base64", "hex"])
def test_malformed_frames_have_no_content(framing):
    assert content_of(b"\xff", framing) == b""
