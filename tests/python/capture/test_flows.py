"""Bytes of TCP connections in order."""

import io
import random

import pytest
from captured_packets import (
    ACK,
    CLIENT,
    RST,
    SERVER,
    SYN,
    Connection,
    Wire,
    call,
    calls,
    dpkt,
    outcomes,
    reply,
)


@pytest.mark.parametrize("framed", [False, True])
def test_segments_in_any_order_and_repeated(framed):
    random_ = random.Random(5)
    for round_ in range(20):
        wire = Wire()
        first = (
            2**32 - random_.randrange(300),
            2**32 - random_.randrange(300),
        )  # sequence numbers wrap
        connection = Connection(wire, first=first)
        joined = b"".join(call(n, "x" * n, framed=framed) for n in range(30))
        segments = connection.segments(0, joined, 50)
        joined = b"".join(reply(n, n, framed=framed) for n in range(30))
        answers = connection.segments(1, joined, 70)
        for part in (segments, answers):
            repeated = random_.sample(part, 10)
            shuffled = part + repeated
            random_.shuffle(shuffled)
            connection.put(shuffled[:60])
            connection.put(shuffled[60:])
        connection.close()
        lines, warnings = calls(wire.bytes())
        assert warnings == [], round_
        assert sorted(line["sequence_id"] for line in lines) == list(range(30))
        assert all(line["result"]["success"]["price"] == line["sequence_id"] for line in lines)


@pytest.mark.parametrize("is_sorted", [False, True])
@pytest.mark.parametrize("handshake", [False, True])
def test_packets_are_sorted_by_time_and_by_what_they_acknowledge(handshake, is_sorted):
    """Two queues of a network card: a reply is in the file before its call, with an earlier time or
    without."""
    wire = Wire()
    connection = Connection(wire, handshake=handshake)
    for number in range(30):
        connection.send(0, call(number, "x" * 100), 40)
        connection.send(1, reply(number), 30)
    connection.close()
    packets, random_ = list(dpkt.pcap.Reader(io.BytesIO(wire.bytes()))), random.Random(6)
    late = sorted(
        range(len(packets)),
        key=lambda index: index + random_.randrange(1 if index < 2 * handshake else 12),
    )
    out = io.BytesIO()
    writer = dpkt.pcap.Writer(out)
    for time, index in zip(range(len(late)), late):
        writer.writepkt(packets[index][1], ts=packets[index][0] if is_sorted else time)
    lines, warnings = calls(out.getvalue())
    assert sorted(outcomes(lines)) == [("get", number, "reply") for number in range(30)]
    assert warnings == []
    assert all(line["arguments"] == {"sku": "x" * 100} for line in lines)


def test_a_repeated_handshake_keeps_the_sequence_numbers():
    wire = Wire()
    connection = Connection(wire)
    connection.send(0, call(1))
    wire.tcp(CLIENT, SERVER, 100, 0, SYN)
    connection.send(0, call(2))
    connection.send(1, reply(1) + reply(2))
    assert calls(wire.bytes())[1] == []


def test_retransmitted_segments_overlap():
    wire = Wire()
    connection = Connection(wire)
    data = call(1, "p" * 100)
    (side, sequence, acknowledged, _), *_ = connection.segments(0, data)
    for begin, end in ((0, 40), (0, 40), (20, 90), (10, len(data)), (0, len(data))):
        wire.tcp(CLIENT, SERVER, sequence + begin, acknowledged, ACK, data[begin:end])
    connection.send(1, reply(1))
    (line,), warnings = calls(wire.bytes())
    assert (line["arguments"], warnings) == ({"sku": "p" * 100}, [])


@pytest.mark.parametrize("framed", [False, True])
@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_missing_segments_are_reported_and_reading_resumes(protocol, framed):
    options = {"protocol": protocol, "framed": framed}
    wire = Wire()
    connection = Connection(wire)
    sent = [call(n, "x" * 200, **options) for n in range(10)]
    segments = connection.segments(0, b"".join(sent), 100)
    del segments[5]  # in the third call
    connection.put(segments)
    connection.send(1, b"".join(reply(n, **options) for n in range(10)))
    connection.close()
    lines, warnings = calls(wire.bytes())
    complete = {line["sequence_id"] for line in lines if line["arguments"] is not None}
    assert complete == set(range(10)) - {2}
    (orphan,) = [line for line in lines if line["arguments"] is None]
    assert (orphan["sequence_id"], orphan["outcome"]) == (2, "reply")
    assert "100 bytes are missing" in warnings[0]
    assert "10.0.0.1:40000" in warnings[0]


def test_the_end_of_a_reply_known_only_from_the_acknowledgement():
    wire = Wire()
    connection = Connection(wire)
    connection.send(0, call(1))
    segments = connection.segments(1, reply(1), 20)
    connection.put(segments[:1])
    connection.acknowledge(0)
    connection.close()
    (line,), warnings = calls(wire.bytes())
    assert line["outcome"] == "none"
    assert "bytes are missing" in warnings[0]


def test_truncated_packets():
    wire = Wire(snap=100)
    connection = Connection(wire)
    connection.send(0, call(1, "x" * 300))
    connection.send(0, call(2))
    connection.send(1, reply(2))
    lines, warnings = calls(wire.bytes())
    assert [line["sequence_id"] for line in lines if line["outcome"] == "reply"] == [2]
    assert "missing" in warnings[0]


def test_a_capture_that_begins_in_the_middle():
    wire = Wire()
    connection = Connection(wire, handshake=False)
    connection.send(1, reply(1)[9:])
    connection.send(0, call(2))
    connection.send(1, reply(2))
    lines, warnings = calls(wire.bytes())
    assert outcomes(lines) == [("get", 2, "reply")]
    assert (lines[0]["client"], len(warnings)) == ("10.0.0.1:40000", 1)


def test_a_port_reused_after_a_reset():
    wire = Wire()
    first = Connection(wire)
    first.send(0, call(1))
    wire.tcp(SERVER, CLIENT, first.next[1], first.next[0], RST | ACK)
    second = Connection(wire, first=(5, 6))
    second.send(0, call(1))
    second.send(1, reply(1))
    lines, _ = calls(wire.bytes())
    assert [(line["connection"], line["outcome"]) for line in lines] == [(0, "none"), (1, "reply")]
