"""Captures of pcap and pcapng."""

import gzip
import random

import pytest
import thriftlens as tl
from captured_packets import IDL, Connection, Wire, call, calls, dpkt, reply


@pytest.mark.parametrize("link", [0, 1, 101, 113])
@pytest.mark.parametrize("framed", [False, True])
@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_a_call_and_its_reply(protocol, framed, link):
    wire = Wire(link)
    connection = Connection(wire)
    sent, answer = (
        call(7, protocol=protocol, framed=framed),
        reply(7, protocol=protocol, framed=framed),
    )
    connection.send(0, sent)
    connection.send(1, answer)
    connection.close()
    (line,), warnings = calls(wire.bytes())
    assert warnings == []
    assert line == {
        "time": 1000.003,
        "connection": 0,
        "client": "10.0.0.1:40000",
        "server": "10.0.0.2:9090",
        "transport": "framed" if framed else "buffered",
        "protocol": protocol,
        "method": "get",
        "sequence_id": 7,
        "outcome": "reply",
        "latency_ms": 1.0,
        "call_bytes": len(sent),
        "reply_bytes": len(answer),
        "arguments": {"sku": "pen"},
        "result": {"success": {"sku": "pen", "price": 1.5}},
    }


def test_pcapng_and_packed_captures():
    wire = Wire(writer=dpkt.pcapng.Writer)
    connection = Connection(wire)
    connection.send(0, call(1))
    connection.send(1, reply(1))
    for data in (wire.bytes(), gzip.compress(wire.bytes())):
        (line,), warnings = calls(data)
        assert (line["outcome"], line["latency_ms"], warnings) == ("reply", 1.0, [])


@pytest.mark.parametrize("pack, cut", [(bytes, 20), (gzip.compress, 9)])
def test_the_calls_of_a_truncated_capture_are_in_the_output_file(run, tmp_path, pack, cut):
    wire = Wire()
    connection = Connection(wire)
    for number in range(5):
        connection.send(0, call(number))
        connection.send(1, reply(number))
    (tmp_path / "shop.thrift").write_text(IDL)
    result = run(
        "pcap", "-", "--idl", tmp_path / "shop.thrift", "-o", tmp_path / "calls",
        input=pack(wire.bytes())[:-cut],
    )  # fmt: skip
    assert result.returncode == 1 and result.stderr.startswith(
        (b"thriftlens: <stdin>: the ", b"thriftlens: <stdin>: invalid gzip")
    )
    assert len((tmp_path / "calls").read_text().splitlines()) == 5


ENDLESS = b"\x0a\x0d\x0d\x0a\xff\xff\xff\xffMM\x2b\x1a" * 4


@pytest.mark.parametrize("data", [
    b"", b"\xd4\xc3", b"PK\3\4 and more", b"\x0a\x0d\x0d\x0a", b"\xd4\xc3\xb2\xa1\2\0\4\0", ENDLESS,
])  # fmt: skip
def test_invalid_captures(data):
    with pytest.raises(tl.Error):
        calls(data)


@pytest.mark.parametrize("writer", [dpkt.pcap.Writer, dpkt.pcapng.Writer])
def test_corrupted_captures_end_with_an_error_or_the_readable_calls(writer):
    wire = Wire(writer=writer)
    connection = Connection(wire)
    for number in range(5):
        connection.send(0, call(number, framed=number % 2 == 0))
        connection.send(1, reply(number, framed=number % 2 == 0))
    connection.close()
    random_ = random.Random(9)
    for _ in range(400):
        data = bytearray(wire.bytes())
        for _ in range(random_.randrange(1, 6)):
            data[random_.randrange(len(data))] = random_.randrange(256)
        try:
            calls(bytes(data))
        except tl.Error:
            pass
