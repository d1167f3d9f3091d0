"""`thriftlens pcap`: captures written by dpkt, whose calls must be recovered however the network
delivered the packets.
"""

import gzip
import io
import json
import random
import zlib
from types import SimpleNamespace

import pytest
import thriftlens as tl

dpkt = pytest.importorskip("dpkt", reason="dpkt is not installed: captures are not read")

from thriftlens._capture import pcap as _pcap  # noqa: E402
from thriftlens._capture import streams as _traffic  # noqa: E402
from thriftlens._cli.commands import pcap as _pcap_command  # noqa: E402

IDL = """
struct Item { 1: string sku, 2: double price }
exception NotFound { 1: string what }
service Shop {
  Item get(1: string sku) throws (1: NotFound missing),
  list<Item> all(1: i32 count),
  oneway void poke(1: i32 n),
}
"""
SHOP = tl.loads(IDL).service("Shop")
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
CLIENT, SERVER = ("10.0.0.1", 40000), ("10.0.0.2", 9090)


def message(
    name, kind, sequence_id, value, protocol="binary", framed=False, prefix="", strict=True
):
    function = SHOP.function(name)
    of = (
        function.arguments
        if kind in ("call", "oneway")
        else function.result
        if kind == "reply"
        else tl.application_exception()
    )
    message = tl.Message(
        prefix + name, kind, sequence_id, of.encode(value, protocol=protocol), protocol, strict
    )
    return message.to_bytes(framed=framed)


def call(sequence_id, sku="pen", **options):
    return message("get", "call", sequence_id, {"sku": sku}, **options)


def reply(sequence_id, price=1.5, **options):
    return message(
        "get", "reply", sequence_id, {"success": {"sku": "pen", "price": price}}, **options
    )


class Wire:
    """A capture that grows by one packet per millisecond."""

    def __init__(self, link=1, writer=dpkt.pcap.Writer, snap=None):
        self.out = io.BytesIO()
        options = {"linktype": link} if writer is dpkt.pcap.Writer else {}
        self._writer = writer(self.out, **options)
        self._link = link
        self._snap = snap
        self.count = 0

    def packet(self, source, target, segment, protocol=6):
        packed = [bytes(map(int, host.split("."))) for host, _ in (source, target)]
        ip = dpkt.ip.IP(src=packed[0], dst=packed[1], p=protocol, data=segment)
        ip.len = len(ip)
        frame = bytes(ip)
        if self._link == 1:
            frame = bytes(
                dpkt.ethernet.Ethernet(src=b"\1" * 6, dst=b"\2" * 6, type=0x800, data=frame)
            )
        elif self._link == 113:
            frame = bytes(dpkt.sll.SLL(type=0, hrd=1, hlen=6, ethtype=0x800, data=frame))
        elif self._link == 0:
            frame = b"\2\0\0\0" + frame
        self.count += 1
        self._writer.writepkt(frame[: self._snap], ts=1000 + self.count / 1000)

    def tcp(self, source, target, sequence, acknowledged, flags, data=b""):
        ports = {"sport": source[1], "dport": target[1]}
        segment = dpkt.tcp.TCP(
            seq=sequence % 2**32, ack=acknowledged % 2**32, flags=flags, data=data, **ports
        )
        self.packet(source, target, segment)

    def udp(self, source, target, data):
        datagram = dpkt.udp.UDP(sport=source[1], dport=target[1], data=data)
        datagram.ulen = len(datagram)
        self.packet(source, target, datagram, 17)

    def bytes(self):
        return self.out.getvalue()


class Connection:
    """One connection of a capture: the bytes of both sides are split into segments, which may be
    omitted, repeated or reordered.
    """

    def __init__(self, wire, client=CLIENT, server=SERVER, first=(100, 7000), handshake=True):
        self.wire, self.ends = wire, (client, server)
        self.next = [first[0] + 1, first[1] + 1]
        if handshake:
            wire.tcp(client, server, first[0], 0, SYN)
            wire.tcp(server, client, first[1], first[0] + 1, SYN | ACK)

    def segments(self, side, data, size=1448):
        segments = []
        for begin in range(0, len(data), size):
            part = data[begin : begin + size]
            segments.append((side, self.next[side], self.next[1 - side], part))
            self.next[side] += len(part)
        return segments

    def put(self, segments):
        for side, sequence, acknowledged, part in segments:
            self.wire.tcp(
                self.ends[side], self.ends[1 - side], sequence, acknowledged, ACK | PSH, part
            )

    def send(self, side, data, size=1448):
        self.put(self.segments(side, data, size))

    def acknowledge(self, side):
        self.wire.tcp(
            self.ends[side], self.ends[1 - side], self.next[side], self.next[1 - side], ACK
        )

    def close(self):
        for side in (0, 1):
            self.wire.tcp(
                self.ends[side],
                self.ends[1 - side],
                self.next[side],
                self.next[1 - side],
                FIN | ACK,
            )
            self.next[side] += 1


def calls(data, ports=()):
    """The lines and warnings of a capture."""
    warnings = []
    lines = []
    for seen in _pcap_command.Traffic(
        _pcap.Capture(io.BytesIO(data)), warnings.append, ports, [SHOP]
    ).calls():
        shown = _pcap_command.DecodedCall(seen.call, [SHOP], {"enums": "name"})
        lines.append(json.loads(shown.line(seen)))
    return lines, warnings


def outcomes(lines):
    return [(line["method"], line["sequence_id"], line["outcome"]) for line in lines]


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


def test_outcomes():
    wire = Wire()
    connection = Connection(wire)
    connection.send(0, call(1))
    connection.send(1, message("get", "reply", 1, {"missing": {"what": "pen"}}))
    connection.send(0, call(2))
    connection.send(1, message("get", "exception", 2, {"message": "down", "type": 6}))
    connection.send(0, message("poke", "oneway", 3, {"n": 5}))
    connection.send(0, call(4))
    connection.send(1, reply(9))
    lines, warnings = calls(wire.bytes())
    assert warnings == []
    assert outcomes(lines) == [
        ("get", 1, "declared"),
        ("get", 2, "exception"),
        ("poke", 3, "oneway"),
        ("get", 9, "reply"),
        ("get", 4, "none"),
    ]
    assert lines[0]["result"] == {"missing": {"what": "pen"}}
    assert lines[1]["result"] == {"message": "down", "type": "INTERNAL_ERROR"}
    assert lines[3]["arguments"] is None and lines[4]["result"] is None


def test_a_oneway_call_with_a_reply():
    wire = Wire()
    connection = Connection(wire)
    connection.send(0, message("poke", "oneway", 3, {"n": 5}))
    connection.send(1, tl.Message("poke", "reply", 3, b"\0").to_bytes())
    lines, _ = calls(wire.bytes())
    assert outcomes(lines) == [("poke", 3, "oneway")]


def test_oneway_calls_that_are_sent_as_calls():
    """As Go's client does: the IDL marks them oneway, also if all share a sequence id."""
    wire = Wire()
    connection = Connection(wire)
    connection.send(
        0,
        message("poke", "call", 0, {"n": 5})
        + call(0)
        + message("poke", "call", 0, {"n": 6}, prefix="Shop:"),
    )
    connection.send(1, reply(0))
    wire.udp(CLIENT, ("10.0.0.2", 6831), message("poke", "call", 3, {"n": 5}, protocol="compact"))
    lines, _ = calls(wire.bytes())
    assert sorted(outcomes(lines)) == [
        ("Shop:poke", 0, "oneway"),
        ("get", 0, "reply"),
        ("poke", 0, "oneway"),
        ("poke", 3, "oneway"),
    ]


def test_a_reply_belongs_to_the_call_of_its_name():
    """Without the IDL too."""
    pairing = _traffic.Pairing()

    def message_of(name, kind):
        return SimpleNamespace(message=tl.Message(name, kind, 0, b""))

    poke, get, reply = (
        message_of("poke", "call"),
        message_of("Shop:get", "call"),
        message_of("get", "reply"),
    )
    assert not [*pairing.take(0, poke), *pairing.take(0, get)]
    assert list(pairing.take(1, reply)) == [_traffic.Call(get, reply)]
    assert list(pairing.finish()) == [_traffic.Call(poke, None)]


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
        segments = connection.segments(
            0, b"".join(call(n, "x" * n, framed=framed) for n in range(30)), 50
        )
        answers = connection.segments(
            1, b"".join(reply(n, n, framed=framed) for n in range(30)), 70
        )
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
    without.
    """
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
    assert (sorted(outcomes(lines)), warnings) == (
        [("get", number, "reply") for number in range(30)],
        [],
    )
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


def test_the_end_of_a_reply_that_only_its_receiver_saw():
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
    assert sorted((line["connection"], line["sequence_id"]) for line in lines) == [
        (n, n) for n in range(20)
    ] + [(20, 77)]
    assert {line["client"] for line in lines if line["connection"] == 20} == {"10.0.0.1:40000"}
    assert len(calls(wire.bytes(), [9090])[0]) == 21 and calls(wire.bytes(), [9091])[0] == []


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


def test_pipelined_calls_answered_in_another_order_and_equal_sequence_ids():
    wire = Wire()
    connection = Connection(wire)
    connection.send(0, call(1) + call(2) + call(3))
    connection.send(1, reply(3, 3) + reply(1, 1) + reply(2, 2))
    connection.send(0, call(0, "first") + call(0, "second"))
    connection.send(1, reply(0, 10) + reply(0, 20))
    lines, _ = calls(wire.bytes())
    assert [line["result"]["success"]["price"] for line in lines] == [3, 1, 2, 10, 20]
    assert [line["sequence_id"] for line in lines[:3]] == [3, 1, 2]
    assert [line["arguments"]["sku"] for line in lines[3:]] == ["first", "second"]


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


@pytest.mark.parametrize(
    "transport, wrap, protocol",
    [
        ("header", header_frame, "binary"),
        ("header", lambda payload: header_frame(payload, 2), "compact"),
        ("header", lambda payload: header_frame(zlib.compress(payload), transform=1), "binary"),
        ("ttheader", ttheader_frame, "binary"),
        (
            "ttheader_framed",
            lambda payload: ttheader_frame(len(payload).to_bytes(4, "big") + payload),
            "binary",
        ),
    ],
)
def test_frames_with_headers(transport, wrap, protocol):
    wire = Wire()
    connection = Connection(wire)
    for number in range(2):
        connection.send(0, wrap(call(number, protocol=protocol)), 20)
        connection.send(1, wrap(reply(number, protocol=protocol)), 20)
    lines, warnings = calls(wire.bytes())
    assert warnings == []
    assert [(line["transport"], line["protocol"], line["outcome"]) for line in lines] == [
        (transport, protocol, "reply")
    ] * 2
    assert lines[0]["call_headers"]["k"] == "v"
    assert lines[1]["arguments"] == {"sku": "pen"}


def test_http():
    pytest.importorskip("h11", reason="h11 is not installed: HTTP is not read")
    wire = Wire()
    connection = Connection(wire)
    for number in (1, 2):
        body = call(number)
        head = f"POST /cliservice HTTP/1.1\r\nHost: x\r\nAuthorization: Basic c2VjcmV0\r\nX-Trace: t{number}\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.send(0, head.encode() + body, 30)
        answer = reply(number)
        chunks = (
            b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (answer[:5], answer[5:]))
            + b"0\r\n\r\n"
        )
        connection.send(1, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, 30)
    lines, warnings = calls(wire.bytes())
    assert warnings == []
    assert [(line["transport"], line["outcome"], line["sequence_id"]) for line in lines] == [
        ("http", "reply", 1),
        ("http", "reply", 2),
    ]
    assert lines[1]["call_headers"]["x-trace"] == "t2"
    assert "authorization" not in lines[0]["call_headers"]


def test_datagrams():
    wire = Wire()
    wire.udp(CLIENT, ("10.0.0.2", 6831), message("poke", "oneway", 3, {"n": 5}, protocol="compact"))
    wire.udp(CLIENT, ("10.0.0.2", 53), b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x03www")
    (line,), warnings = calls(wire.bytes())
    assert (line["transport"], line["method"], line["arguments"], line["connection"], warnings) == (
        "datagram",
        "poke",
        {"n": 5},
        -1,
        [],
    )


def test_connections_without_thrift():
    wire = Wire()
    Connection(wire, ("10.0.0.1", 1)).send(
        0, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256))
    )
    Connection(wire, ("10.0.0.1", 2)).send(0, random.Random(1).randbytes(200_000))
    Connection(wire, ("10.0.0.1", 3)).send(0, b"SSH-2.0-OpenSSH_9.6\r\n")
    lines, warnings = calls(wire.bytes())
    assert (lines, warnings) == ([], ["3 connections without a Thrift message"])


def test_functions_and_values_that_the_idl_does_not_have():
    wire = Wire()
    connection = Connection(wire)
    connection.send(0, tl.Message("sell", "call", 1, b"\0").to_bytes())
    connection.send(0, tl.Message("get", "call", 2, bytes.fromhex("080001 00000005 00")).to_bytes())
    first, two = calls(wire.bytes())[0]
    assert (first["arguments"], first["call_data"], first["faults"]) == (
        None,
        "AA==",
        ["arguments: the IDL has no function 'sell'"],
    )
    assert two["arguments"] is None and "expected string" in two["faults"][0] and two["call_data"]


def test_a_large_reply_is_read_in_linear_time():
    items = [{"sku": "x" * 50, "price": n} for n in range(20_000)]
    wire = Wire()
    connection = Connection(wire)
    connection.send(0, message("all", "call", 1, {"count": 20_000}))
    answer = message("all", "reply", 1, {"success": items})
    connection.send(1, answer)
    (line,), _ = calls(wire.bytes())
    assert (line["reply_bytes"], len(line["result"]["success"])) == (len(answer), 20_000)
    assert line["latency_ms"] == pytest.approx(-(-len(answer) // 1448))


@pytest.mark.parametrize(
    "answer",
    [
        "HTTP/1.1 200 OK\r\nContent-Length: 0",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0",
        "HTTP/1.0 200 OK",
        "HTTP/1.1 204 No Content",
    ],
)
def test_an_empty_body_answers_a_oneway_call_over_http(answer):
    pytest.importorskip("h11", reason="h11 is not installed: HTTP is not read")
    wire = Wire()
    connection = Connection(wire)
    body = message("poke", "oneway", 3, {"n": 5})
    connection.send(
        0, f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    )
    connection.send(
        1,
        (
            answer.replace("\r\n", "\r\nContent-Type: application/x-thrift\r\n", 1) + "\r\n\r\n"
        ).encode(),
    )
    connection.close()
    lines, warnings = calls(wire.bytes())
    assert (outcomes(lines), warnings) == ([("poke", 3, "oneway")], [])


@pytest.mark.parametrize("pack, cut", [(bytes, 20), (gzip.compress, 9)])
def test_the_calls_of_a_cut_capture_are_in_the_output_file(run, tmp_path, pack, cut):
    wire = Wire()
    connection = Connection(wire)
    for number in range(5):
        connection.send(0, call(number))
        connection.send(1, reply(number))
    (tmp_path / "shop.thrift").write_text(IDL)
    result = run(
        "pcap",
        "-",
        "--idl",
        tmp_path / "shop.thrift",
        "-o",
        tmp_path / "calls",
        input=pack(wire.bytes())[:-cut],
    )
    assert result.returncode == 1 and result.stderr.startswith(
        (b"thriftlens: <stdin>: the ", b"thriftlens: <stdin>: invalid gzip")
    )
    assert len((tmp_path / "calls").read_text().splitlines()) == 5


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
        traffic = _pcap_command.Traffic(_pcap.Capture(io.BytesIO(capture[:size])), str)
        try:
            for seen in traffic.calls():
                lines.append(seen)
        except tl.Error as error:
            assert error.code == "truncated"
        assert len(lines) <= 5


ENDLESS = b"\x0a\x0d\x0d\x0a\xff\xff\xff\xffMM\x2b\x1a" * 4


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xd4\xc3",
        b"PK\3\4 and more",
        b"\x0a\x0d\x0d\x0a",
        b"\xd4\xc3\xb2\xa1\2\0\4\0",
        ENDLESS,
    ],
)
def test_invalid_captures(data):
    with pytest.raises(tl.Error):
        calls(data)


@pytest.mark.parametrize("writer", [dpkt.pcap.Writer, dpkt.pcapng.Writer])
def test_broken_captures_end_with_an_error_or_what_can_be_read(writer):
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


def test_streams_of_garbage_between_messages():
    random_ = random.Random(3)
    for _ in range(300):
        side = _traffic.Messages()
        pieces = [
            call(1),
            random_.randbytes(random_.randrange(60)),
            call(2, protocol="compact"),
            random_.randbytes(5),
            reply(3, framed=True),
        ]
        data = b"".join(pieces)
        parts = []
        while data:
            size = random_.randrange(1, 40)
            parts += side.feed(data[:size], 0.0)
            data = data[size:]
        parts += side.finish()
        assert sum(part.size for part in parts) == sum(map(len, pieces))
        offsets = [part.offset for part in parts]
        assert offsets == sorted(offsets)
        assert isinstance(parts[0], _traffic.CapturedMessage) and parts[0].message.sequence_id == 1


def test_summary_and_table(run, tmp_path):
    wire = Wire()
    connection = Connection(wire)
    for number in range(4):
        connection.send(0, call(number))
        connection.send(1, reply(number) if number else message("get", "reply", 0, {"missing": {}}))
    connection.send(0, message("poke", "oneway", 9, {"n": 1}))
    (tmp_path / "shop.thrift").write_text(IDL)
    (tmp_path / "c.pcap").write_bytes(wire.bytes())
    command = ["pcap", tmp_path / "c.pcap", "--idl", tmp_path / "shop.thrift"]
    result = run(*command, "--format", "summary")
    assert (result.returncode, result.stderr) == (0, b"")
    assert [line.split() for line in result.stdout.decode().splitlines()] == [
        ["count", "errors", "p50_ms", "p99_ms", "max_ms", "call_bytes", "reply_bytes", "method"],
        [
            "4",
            "1",
            "1.0",
            "1.0",
            "1.0",
            str(4 * len(call(0))),
            str(3 * len(reply(0)) + len(message("get", "reply", 0, {"missing": {}}))),
            "get",
        ],
        ["1", "0", "-", "-", "-", str(len(message("poke", "oneway", 9, {"n": 1}))), "0", "poke"],
    ]
    result = run(*command, "--format", "table", "--method", "poke")
    assert [line.split() for line in result.stdout.decode().splitlines()] == [
        ["seconds", "conn", "outcome", "ms", "call"],
        ["0.000000", "0", "oneway", "-", "poke", '{"n":1}'],
    ]
    result = run(*command, "--method", "pke", "--method", "poke")
    assert (result.returncode, len(result.stdout.splitlines()), result.stderr) == (
        0,
        1,
        f"thriftlens: {tmp_path / 'c.pcap'}: no call of method 'pke'\n".encode(),
    )
    first = json.loads(run(*command[:2]).stdout.splitlines()[0])
    assert (
        first["faults"]
        == ["arguments: no IDL was given (--idl)", "result: no IDL was given (--idl)"]
        and first["call_data"]
    )
    assert len(run(*command).stdout.splitlines()) == 5
    (tmp_path / "c.pcap").write_bytes(wire.bytes()[:-1])
    result = run(*command)
    assert (result.returncode, len(result.stdout.splitlines())) == (1, 4)
    assert b"c.pcap: the capture ends in the middle of a packet" in result.stderr
