"""Answers to probes, by their first bytes."""

import pytest
from thriftlens._rpc.address import parse_address
from thriftlens._rpc.probe_answers import TLS, WireFormat, foreign, transport_of, unmistakable
from thriftlens._rpc.target import Target

TARGET = Target(parse_address("a:1"), "framed", "binary")


@pytest.mark.parametrize(
    "seen, expected",
    [
        (b"\x80\x01\0\x02\0\0\0\1a", WireFormat("buffered", "binary")),
        (b"\0\0\0\x20\x80\x01\0\x03\0", WireFormat("framed", "binary")),
        (b"\0\0\0\x20\x80\x01\0\x01\0", WireFormat("buffered", "binary")),
        (b"\0\0\0\x20\0\0\0\4a", WireFormat("framed", "binary")),
        (b"+OK hello", None),
    ],
)
def test_the_transport_of_a_reply_to_the_first_probe(seen, expected):
    assert transport_of(seen) == expected


@pytest.mark.parametrize("seen, expected", [
    (b"\x15\x03\x01\0\2", TLS), (b"HTTP/1.1 400 Bad", WireFormat("http", "binary")),
    (b"\x04\0\0\0\3", WireFormat("sasl", "binary")),
    (b"\0\0\0\x20\x0f\xff", WireFormat("header", "binary")), (b"\0\0\0\x20\x80\x01", None),
])  # fmt: skip
def test_protocols_that_are_recognized_in_any_answer(seen, expected):
    assert unmistakable(seen, TARGET) == expected


def test_other_servers_have_names():
    assert foreign(b"SSH-2.0-OpenSSH_9.6\r\n").startswith("found ")
    assert foreign(b"") == ""
