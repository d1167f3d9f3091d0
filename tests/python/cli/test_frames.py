"""Records with their framing."""

import pytest
from thriftlens._cli.frames import framed, prefix_of, reframed
from thriftlens._records.cuts import cuts_of
from thriftlens._rpc.message import Message

STRUCT = b"\x08\0\1\0\0\0\7\0"


@pytest.mark.parametrize(
    "framing, expected",
    [
        ("none", STRUCT),
        ("u32", b"\0\0\0\x08" + STRUCT),
        ("u32le", b"\x08\0\0\0" + STRUCT),
        ("varint", b"\x08" + STRUCT),
        ("kafka", b"\0\0\0\x08" + STRUCT),
        ("base64", b"CAABAAAABwA=\n"),
        ("hex", b"0800010000000700\n"),
    ],
)
def test_a_record_is_read_back(framing, expected):
    assert framed(STRUCT, framing) == expected
    (cut,) = cuts_of(expected, framing, True)
    assert bytes(cut.bytes()) == STRUCT and prefix_of(cut, framing, 0) == b""
    assert reframed(cut, b"\0", framing, b"") == framed(b"\0", framing)


def test_sizes_of_several_bytes_and_the_null_record():
    assert framed(bytes(300), "varint")[:2] == b"\xac\x02"
    assert framed(None, "kafka") == b"\xff\xff\xff\xff"
    assert framed(b"a\n\n", "lines") == b"a\n"


def test_text_before_the_record_is_its_prefix():
    (cut,) = cuts_of(b"key \tCAABAAAABwA=\n", "base64", True)
    assert prefix_of(cut, "base64", 0) == b"key \t"
    assert reframed(cut, b"\0", "base64", b"key \t") == b"key \tAA==\n"


@pytest.mark.parametrize("is_framed", [False, True])
def test_the_header_of_a_message_is_kept(is_framed):
    message = Message("get", "call", 7, STRUCT)
    (cut,) = cuts_of(message.to_bytes(framed=is_framed), "message", True)
    changed = message._replace(data=b"\0").to_bytes(framed=is_framed)
    assert reframed(cut, b"\0", "message", b"") == changed
