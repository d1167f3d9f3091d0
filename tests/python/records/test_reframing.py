"""Records with another value in their framing."""

import pytest
from thriftlens._records.cuts import cuts_of
from thriftlens._records.framing import framed
from thriftlens._records.reframing import prefix_of, reframed
from thriftlens._rpc.message import Message

STRUCT = b"\x08\0\1\0\0\0\7\0"


@pytest.mark.parametrize("framing", ["none", "u32", "u32le", "varint", "kafka", "base64", "hex"])
def test_the_framing_is_kept(framing):
    (cut,) = cuts_of(framed(STRUCT, framing), framing, True)
    assert prefix_of(cut, framing, 0) == b""
    assert reframed(cut, b"\0", framing, b"") == framed(b"\0", framing)


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
