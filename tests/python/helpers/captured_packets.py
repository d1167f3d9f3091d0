"""Shared by the tests of captured packets."""

import io
import json

import pytest
import thriftlens as tl
from thriftlens._capture.decoded import DecodedCall  # noqa: E402
from thriftlens._capture.pcap import Capture
from thriftlens._capture.traffic import Traffic  # noqa: E402

dpkt = pytest.importorskip("dpkt", reason="dpkt is not installed: captures are not read")
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
    data = of.encode(value, protocol=protocol)
    message = tl.Message(prefix + name, kind, sequence_id, data, protocol, strict)
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
    omitted, repeated or reordered."""

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
    for seen in Traffic(Capture(io.BytesIO(data)), warnings.append, ports, [SHOP]).calls():
        shown = DecodedCall(seen.call, [SHOP], {"enums": "name"})
        lines.append(json.loads(shown.line(seen)))
    return lines, warnings


def outcomes(lines):
    return [(line["method"], line["sequence_id"], line["outcome"]) for line in lines]
