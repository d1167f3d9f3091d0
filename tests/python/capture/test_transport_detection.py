"""Transports of captured streams."""

import json
import zlib

import pytest
from captured_packets import Connection, Wire, call, calls, reply


def test_multiplexed_names_and_heads_without_a_version():
    wire = Wire()
    connection = Connection(wire)
    for number, options in enumerate(
        ({"prefix": "Shop:"}, {"strict": False}, {"strict": False, "framed": True})
    ):
        connection.send(0, call(number, **options))
        connection.send(1, reply(number, **options))
    lines, warnings = calls(wire.bytes())
    assert [line["method"] for line in lines] == ["Shop:get", "get", "get"]
    assert [line["arguments"] for line in lines] == [{"sku": "pen"}] * 3
    assert warnings == []


def negotiation(status, text):
    return bytes([status]) + len(text).to_bytes(4, "big") + text


def test_sasl():
    wire = Wire()
    connection = Connection(wire)
    connection.send(0, negotiation(1, b"PLAIN"))
    connection.send(0, negotiation(5, b"\0me\0secret"))
    connection.send(1, negotiation(5, b""))
    connection.send(0, call(1, framed=True))
    connection.send(1, reply(1, framed=True))
    (line,), warnings = calls(wire.bytes())
    assert (line["transport"], line["outcome"], warnings) == ("sasl", "reply", [])
    assert "secret" not in json.dumps(line)


def header_frame(payload, protocol=0, transform=None):
    """A frame of Apache's THeader, with one header k: v."""
    transforms = b"\0" if transform is None else bytes([1, transform])
    head = bytes([protocol]) + transforms + b"\1\1" + b"\1k" + b"\1v"
    head += b"\0" * (-len(head) % 4)
    body = (
        b"\x0f\xff"
        + b"\0\0"
        + (9).to_bytes(4, "big")
        + (len(head) // 4).to_bytes(2, "big")
        + head
        + payload
    )
    return len(body).to_bytes(4, "big") + body


def ttheader_frame(payload):
    """A frame of Kitex's TTHeader, with the int header 9: "m" and the string header k: v."""
    head = b"\0\0" + b"\x10\0\1\0\x09\0\1m" + b"\1\0\1\0\1k\0\1v"
    head += b"\0" * (-len(head) % 4)
    body = (
        b"\x10\0"
        + b"\0\0"
        + (9).to_bytes(4, "big")
        + (len(head) // 4).to_bytes(2, "big")
        + head
        + payload
    )
    return len(body).to_bytes(4, "big") + body


@pytest.mark.parametrize("transport, wrap, protocol", [
    ("header", header_frame, "binary"),
    ("header", lambda payload: header_frame(payload, 2), "compact"),
    ("header", lambda payload: header_frame(zlib.compress(payload), transform=1), "binary"),
    ("ttheader", ttheader_frame, "binary"),
    ("ttheader_framed", lambda payload: ttheader_frame(len(payload).to_bytes(4, "big") + payload),
        "binary"),
])  # fmt: skip
def test_frames_with_headers(transport, wrap, protocol):
    wire = Wire()
    connection = Connection(wire)
    for number in range(2):
        connection.send(0, wrap(call(number, protocol=protocol)), 20)
        connection.send(1, wrap(reply(number, protocol=protocol)), 20)
    lines, warnings = calls(wire.bytes())
    assert warnings == []
    result = [(line["transport"], line["protocol"], line["outcome"]) for line in lines]
    assert result == [(transport, protocol, "reply")] * 2
    assert lines[0]["call_headers"]["k"] == "v"
    assert lines[1]["arguments"] == {"sku": "pen"}
