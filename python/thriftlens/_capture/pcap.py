"""Reads network captures (pcap, pcapng): reassembles TCP connections and returns UDP datagrams.

Independent of Thrift."""

from __future__ import annotations

import heapq
import socket
from types import ModuleType
from typing import Callable, Iterator, Optional, Protocol

from .._errors import Error
from .._optional import package
from .._records.compression import Unpacked
from .._typing import BinaryReader
from .flows import Datagram, End, Event, Flows, TcpSegment

_BLOCK_SIZE = 1 << 26  # maximum bytes of a packet or block
_SORTED_PACKETS = 256  # packets to sort by time
_PCAPNG = b"\x0a\x0d\x0d\x0a"
_PCAPS = (b"\xa1\xb2\xc3\xd4", b"\xd4\xc3\xb2\xa1", b"\xa1\xb2\x3c\x4d", b"\x4d\x3c\xb2\xa1")


class _Reader(Protocol):
    def datalink(self) -> int: ...
    def __iter__(self) -> Iterator[tuple[float, bytes]]: ...


class _Ports(Protocol):
    sport: int
    dport: int


class IpPacket(Protocol):
    """The part of dpkt's IP packets that is used."""

    len: int
    hl: int
    plen: int
    extension_hdrs: dict[int, object]
    src: bytes
    dst: bytes
    data: object


class _Checked:
    """Input stream for dpkt: rejects invalid sizes and detects truncation."""

    def __init__(self, stream: Unpacked, prefix: bytes):
        self._read = stream.read
        self._prefix = prefix
        self.name = "capture"
        self.is_cut = False

    def read(self, size: int) -> bytes:
        if not 0 <= size <= _BLOCK_SIZE:
            raise Error(f"invalid capture: a block of {size} bytes", code="size_limit")
        parts = [self._prefix[:size]]
        self._prefix = self._prefix[size:]
        remaining = size - len(parts[0])
        while remaining > 0 and (piece := self._read(remaining)):
            parts.append(piece)
            remaining -= len(piece)
        self.is_cut = remaining > 0 and remaining < size
        return b"".join(parts)


class Capture:
    """The packets of a capture, with counts of those that cannot be used."""

    def __init__(self, stream: BinaryReader):
        try:
            self._dpkt: ModuleType = package("dpkt", "captures need", "'thriftlens[pcap]'")
        except ImportError as error:
            raise Error(str(error), code="io") from None
        unpacked = Unpacked(stream)
        first = b""
        while len(first) < 4 and (piece := unpacked.read(4 - len(first))):
            first += piece
        if first != _PCAPNG and first not in _PCAPS:
            raise Error("not a capture: expected a pcap or pcapng header", code="bad_magic")
        self._file = _Checked(unpacked, first)
        self._packets = self._reader(self._dpkt.pcapng if first == _PCAPNG else self._dpkt.pcap)
        self._open = self._opener(self._packets.datalink())
        self.unread = 0
        """Number of invalid packets."""
        self.fragments = 0
        """Number of IP fragments, which are not reassembled."""

    def _reader(self, module: ModuleType) -> _Reader:
        try:
            reader: _Reader = module.Reader(self._file)
        except Error:
            raise
        except (self._dpkt.Error, ValueError) as error:
            raise Error(f"invalid capture header: {error}", code="truncated") from None
        return reader

    def _opener(self, link: int) -> Callable[[bytes], object]:
        """The function that removes the frame of a link type."""
        dpkt = self._dpkt
        openers: dict[int, Callable[[bytes], object]] = {
            0: lambda data: dpkt.loopback.Loopback(data).data,
            1: lambda data: dpkt.ethernet.Ethernet(data).data,
            108: lambda data: self._ip(data[4:]),
            113: lambda data: dpkt.sll.SLL(data).data,
            276: lambda data: dpkt.sll2.SLL2(data).data,
            **dict.fromkeys((12, 14, 101, 228, 229), self._ip),
        }
        if link not in openers:
            expected = "Ethernet, Linux cooked, loopback or raw IP"
            raise Error(f"unsupported link type {link}; expected {expected}", code="unsupported")
        return openers[link]

    def _ip(self, data: bytes) -> object:
        return self._dpkt.ip6.IP6(data) if data[:1] >= b"\x60" else self._dpkt.ip.IP(data)

    def packets(self) -> Iterator[tuple[float, IpPacket]]:
        """Yields (time, IP packet). Raises an Error at the end if the capture is truncated."""
        dpkt = self._dpkt
        for time, frame in self._frames():
            try:
                packet = self._open(frame)
            except self._broken:
                self.unread += 1
                continue
            if isinstance(packet, (dpkt.ip.IP, dpkt.ip6.IP6)):
                yield float(time), packet
        if self._file.is_cut or self._file.read(1):
            raise Error("the capture ends in the middle of a packet", code="truncated")

    def _frames(self) -> Iterator[tuple[float, bytes]]:
        """The complete frames up to the first invalid one, with their times."""
        frames = iter(self._packets)
        while True:
            try:
                frame = next(frames, None)
            except Error:
                raise
            except self._broken:
                return
            if frame is None or self._file.is_cut:
                return
            yield frame

    @property
    def _broken(self) -> tuple[type[Exception], ...]:
        """The exceptions of dpkt for invalid packets."""
        return self._dpkt.Error, ValueError, IndexError, KeyError, TypeError, AttributeError

    def _sorted_packets(self) -> Iterator[tuple[float, IpPacket]]:
        """Packets sorted by time, which captures of several interfaces or queues need."""
        heap: list[tuple[float, int, IpPacket]] = []
        fault: Optional[Error] = None
        try:
            for number, (time, packet) in enumerate(self.packets()):
                heapq.heappush(heap, (time, number, packet))
                if len(heap) > _SORTED_PACKETS:
                    yield heap[0][0], heapq.heappop(heap)[2]
        except Error as error:
            fault = error
        while heap:
            yield heap[0][0], heapq.heappop(heap)[2]
        if fault is not None:
            raise fault

    def events(self) -> Iterator[Event]:
        """Connection bytes in the order they were sent, gaps and datagrams."""
        flows = Flows()
        time = 0.0
        try:
            for time, packet in self._sorted_packets():
                yield from self._events_of(packet, time, flows)
        except Error:
            yield from flows.finish(time)
            raise
        yield from flows.finish(time)

    def _events_of(self, packet: IpPacket, time: float, flows: Flows) -> Iterator[Event]:
        segment = packet.data
        if getattr(packet, "mf", 0) or getattr(packet, "offset", 0):
            self.fragments += 1
        elif isinstance(segment, self._dpkt.tcp.TCP):
            ends = self._ends(packet, segment)
            yield from flows.take(time, ends, segment, _size_of(packet, segment))
        elif isinstance(segment, self._dpkt.udp.UDP):
            yield Datagram(self._ends(packet, segment), time, bytes(segment.data))

    def _ends(self, packet: IpPacket, segment: _Ports) -> tuple[End, End]:
        family = socket.AF_INET if isinstance(packet, self._dpkt.ip.IP) else socket.AF_INET6
        return (socket.inet_ntop(family, packet.src), segment.sport), (
            socket.inet_ntop(family, packet.dst),
            segment.dport,
        )


def _size_of(packet: IpPacket, segment: TcpSegment) -> int:
    """Size of a segment's data on the wire; larger than the data of a truncated packet."""
    if hasattr(packet, "hl"):  # IPv4
        size = packet.len - packet.hl * 4
    else:
        size = 0 if packet.extension_hdrs else packet.plen
    return max(int(size) - int(segment.off) * 4, len(segment.data))
