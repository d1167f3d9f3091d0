"""Calls of captures."""

import io
import random

import thriftlens as tl
from captured_packets import CLIENT, Connection, Wire, call, calls, message, reply
from thriftlens._capture.pcap import Capture
from thriftlens._capture.traffic import Traffic  # noqa: E402


def test_concurrent_and_sequential_connections():
    wire = Wire()
    many = [Connection(wire, ("10.0.0.1", 40000 + n)) for n in range(20)]
    for n, connection in enumerate(many):
        connection.send(0, call(n)[:13])
    for n, connection in enumerate(many):
        connection.send(0, call(n)[13:])
    for n, connection in reversed(list(enumerate(many))):
        connection.send(1, reply(n))
        connection.close()
    reused = Connection(wire, ("10.0.0.1", 40000), first=(90000, 90000))
    reused.send(0, call(77))
    reused.send(1, reply(77))
    lines, warnings = calls(wire.bytes())
    assert warnings == []
    result = sorted((line["connection"], line["sequence_id"]) for line in lines)
    assert result == [(n, n) for n in range(20)] + [(20, 77)]
    assert {line["client"] for line in lines if line["connection"] == 20} == {"10.0.0.1:40000"}
    assert len(calls(wire.bytes(), [9090])[0]) == 21 and calls(wire.bytes(), [9091])[0] == []


def test_datagrams():
    wire = Wire()
    wire.udp(CLIENT, ("10.0.0.2", 6831), message("poke", "oneway", 3, {"n": 5}, protocol="compact"))
    wire.udp(CLIENT, ("10.0.0.2", 53), b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x03www")
    (line,), warnings = calls(wire.bytes())
    assert line["transport"] == "datagram" and line["method"] == "poke"
    assert line["arguments"] == {"n": 5} and line["connection"] == -1 and warnings == []


def test_connections_without_thrift():
    wire = Wire()
    Connection(wire, ("10.0.0.1", 1)).send(
        0, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256))
    )
    Connection(wire, ("10.0.0.1", 2)).send(0, random.Random(1).randbytes(200_000))
    Connection(wire, ("10.0.0.1", 3)).send(0, b"SSH-2.0-OpenSSH_9.6\r\n")
    lines, warnings = calls(wire.bytes())
    assert (lines, warnings) == ([], ["3 connections without a Thrift message"])


def test_a_truncated_capture_yields_its_complete_calls():
    wire = Wire()
    connection = Connection(wire)
    for number in range(5):
        connection.send(0, call(number))
        connection.send(1, reply(number))
    capture = wire.bytes()
    assert len(calls(capture)[0]) == 5
    for size in range(24, len(capture)):
        lines = []
        traffic = Traffic(Capture(io.BytesIO(capture[:size])), str)
        try:
            for seen in traffic.calls():
                lines.append(seen)
        except tl.Error as error:
            assert error.code == "truncated"
        assert len(lines) <= 5
