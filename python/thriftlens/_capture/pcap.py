"""Captures of network traffic (pcap, pcapng): packets in, the bytes of connections in their order and datagrams out. Knows nothing of Thrift."""

from __future__ import annotations

import heapq
import socket
from typing import Any, Callable, Iterator, NamedTuple, Optional, Union

from .._errors import Error
from .._optional import package
from .._records.compression import Unpacked

_BLOCK_SIZE = 1 << 26  # most bytes of one packet or block of a capture
_HELD_SIZE = 1 << 22  # bytes behind a gap that are held, of one direction
_HELD_COUNT = 64  # segments after acknowledged bytes that the capture lacks
_SORTED_PACKETS = 256  # packets that are sorted by time
_FLOW_COUNT = 1 << 16  # connections that are followed at a time
_FIN, _SYN, _RST, _ACK = 1, 2, 4, 16
_PCAPNG = b"\x0a\x0d\x0d\x0a"
_PCAPS = (b"\xa1\xb2\xc3\xd4", b"\xd4\xc3\xb2\xa1", b"\xa1\xb2\x3c\x4d", b"\x4d\x3c\xb2\xa1")

End = tuple[str, int]


class Flow:
    """A TCP connection: its number in the capture, its two ends, and which of them opened it, None where that was not captured."""

    def __init__(self, number: int, ends: tuple[End, End]):
        self.number = number
        self.ends = ends
        self.client: Optional[int] = None
        self.sides = (_Side(), _Side())
        self.pending: list[_Segment] = []


class _Segment(NamedTuple):
    """A TCP segment with data; `acknowledged` is None without the flag ACK, `size` as on the wire."""

    side: int
    sequence: int
    acknowledged: Optional[int]
    data: bytes
    size: int
    time: float


class Data(NamedTuple):
    """Bytes that the end `side` of a flow sent; seconds since the epoch when they were captured."""

    flow: Flow
    side: int
    time: float
    data: bytes


class Gap(NamedTuple):
    """Bytes that it sent and the capture does not have."""

    flow: Flow
    side: int
    time: float
    size: int


class Closed(NamedTuple):
    """Nothing more comes of the flow."""

    flow: Flow
    time: float


class Datagram(NamedTuple):
    """What one UDP packet held."""

    ends: tuple[End, End]
    time: float
    data: bytes


Event = Union[Data, Gap, Closed, Datagram]


class _Checked:
    """What dpkt reads from: refuses sizes that cannot be, and tells whether the file was cut."""

    def __init__(self, stream: Any, first: bytes):
        self._read: Callable[[int], bytes] = stream.read
        self._first = first
        self.name = "capture"
        self.is_cut = False

    def read(self, size: int) -> bytes:
        if not 0 <= size <= _BLOCK_SIZE:
            raise Error(f"a block of {size} bytes: the capture is broken", code="size_limit")
        parts = [self._first[:size]]
        self._first = self._first[size:]
        left = size - len(parts[0])
        while left > 0 and (piece := self._read(left)):
            parts.append(piece)
            left -= len(piece)
        self.is_cut = left > 0 and left < size
        return b"".join(parts)


class Capture:
    """The packets of a capture, and how many of them could not be used."""

    def __init__(self, stream: Any):
        try:
            dpkt = package("dpkt", "captures need", "'thriftlens[pcap]'")
        except ImportError as error:
            raise Error(str(error), code="io") from None
        self._dpkt = dpkt
        unpacked = Unpacked(stream)
        first = b""
        while len(first) < 4 and (piece := unpacked.read(4 - len(first))):
            first += piece
        self._file = _Checked(unpacked, first)
        if first != _PCAPNG and first not in _PCAPS:
            raise Error("no capture: it begins as neither pcap nor pcapng does", code="bad_magic")
        try:
            self._packets = dpkt.pcapng.Reader(self._file) if first == _PCAPNG else dpkt.pcap.Reader(self._file)
        except (dpkt.Error, ValueError) as error:
            raise error if isinstance(error, Error) else Error(f"the capture's head is broken: {error}", code="truncated") from None
        self._open = self._opener(self._packets.datalink())
        self.unread = 0
        """Packets that are broken."""
        self.fragments = 0
        """Packets that are parts of IP packets; they are not put together."""

    def _opener(self, link: int) -> Callable[[bytes], Any]:
        """What takes the frame of the link off."""
        dpkt = self._dpkt
        known: dict[int, Callable[[bytes], Any]] = {
            0: lambda data: dpkt.loopback.Loopback(data).data,
            1: lambda data: dpkt.ethernet.Ethernet(data).data,
            108: lambda data: self._ip(data[4:]),
            113: lambda data: dpkt.sll.SLL(data).data,
            276: lambda data: dpkt.sll2.SLL2(data).data,
            **dict.fromkeys((12, 14, 101, 228, 229), self._ip),
        }
        if link not in known:
            raise Error(f"link type {link} is none of Ethernet, Linux cooked, loopback and raw IP", code="unsupported")
        return known[link]

    def _ip(self, data: bytes) -> Any:
        return self._dpkt.ip6.IP6(data) if data[:1] >= b"\x60" else self._dpkt.ip.IP(data)

    def packets(self) -> Iterator[tuple[float, Any]]:
        """(time, IP packet). Raises an Error at the end of a capture that is cut."""
        dpkt = self._dpkt
        broken = (dpkt.Error, ValueError, IndexError, KeyError, TypeError, AttributeError)
        packets = iter(self._packets)
        while True:
            try:
                time, frame = next(packets)
            except StopIteration:
                break
            except broken as error:
                if isinstance(error, Error):
                    raise
                break
            if self._file.is_cut:
                break
            try:
                packet = self._open(frame)
            except broken:
                self.unread += 1
                continue
            if isinstance(packet, (dpkt.ip.IP, dpkt.ip6.IP6)):
                yield float(time), packet
        if self._file.is_cut or self._file.read(1):
            raise Error("the capture ends in the middle of a packet", code="truncated")

    def _sorted_packets(self) -> Iterator[tuple[float, Any]]:
        """Packets sorted by time: captures of several interfaces or queues are not."""
        heap: list[tuple[float, int, Any]] = []
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
        """Bytes of connections in the order they were sent, gaps, and datagrams."""
        dpkt = self._dpkt
        flows = _Flows()
        time = 0.0
        try:
            for time, packet in self._sorted_packets():
                segment = packet.data
                if getattr(packet, "mf", 0) or getattr(packet, "offset", 0):
                    self.fragments += 1
                elif isinstance(segment, dpkt.tcp.TCP):
                    ends = self._ends(packet, segment)
                    yield from flows.take(time, ends, segment, _size_of(packet, segment))
                elif isinstance(segment, dpkt.udp.UDP):
                    yield Datagram(self._ends(packet, segment), time, bytes(segment.data))
        except Error:
            yield from flows.finish(time)
            raise
        yield from flows.finish(time)

    def _ends(self, packet: Any, segment: Any) -> tuple[End, End]:
        family = socket.AF_INET if isinstance(packet, self._dpkt.ip.IP) else socket.AF_INET6
        return (socket.inet_ntop(family, packet.src), segment.sport), (socket.inet_ntop(family, packet.dst), segment.dport)


def _size_of(packet: Any, segment: Any) -> int:
    """Bytes that the segment had on the wire; more than there are where the capture keeps the first bytes of each packet only."""
    if hasattr(packet, "hl"):
        told = packet.len - packet.hl * 4
    else:
        told = 0 if packet.extension_hdrs else packet.plen
    return max(int(told) - int(segment.off) * 4, len(segment.data))


class _Side:
    """One direction of a connection: puts segments in order. Positions count from the first byte that was seen."""

    def __init__(self) -> None:
        self.position = 0
        self.next: Optional[int] = None
        self.acknowledged = 0
        self.first: Optional[int] = None
        self.end: Optional[int] = None
        self._held: list[tuple[int, int, float, bytes, int]] = []
        self._held_size = 0
        self._count = 0

    @property
    def is_done(self) -> bool:
        """The end said that it was its last byte, and all before it was seen."""
        return self.end is not None and self.position >= self.end

    def begin(self, sequence: int) -> None:
        """The first byte has this number."""
        self.next = self.first = sequence & 0xFFFFFFFF

    def acknowledge(self, number: int) -> None:
        """The other end has all before it."""
        if self.next is not None:
            self.acknowledged = max(self.acknowledged, self.position + _distance(self.next, number))

    def take(self, sequence: int, data: bytes, size: int, time: float) -> Iterator[tuple[float, Union[bytes, int]]]:
        """Gives (time, bytes), or the number of bytes that are missing, in order."""
        if self.next is None:
            self.begin(sequence)
        assert self.next is not None
        place = self.position + _distance(self.next, sequence)
        if place + size <= self.position:
            return
        self._count += 1
        heapq.heappush(self._held, (place, self._count, time, data, size))
        self._held_size += len(data)
        yield from self._ready()
        while self._held and (self._held_size > _HELD_SIZE or (len(self._held) > _HELD_COUNT and self.acknowledged > self.position)):
            yield from self._give_up()

    def has(self, number: Optional[int]) -> bool:
        """Whether all bytes before this sequence number were passed on."""
        if number is None or self.is_done:
            return True
        return self.next is not None and _distance(self.next, number) <= 0

    def give_up(self, number: int, time: float) -> Iterator[tuple[float, Union[bytes, int]]]:
        """Passes on what there is before this sequence number; the rest is missing."""
        if self.next is None:
            return
        end = self.position + _distance(self.next, number)
        while self._held and self._held[0][0] < end:
            yield from self._give_up()
        if self.position < end and not self.is_done:
            yield time, end - self.position
            self._move(end - self.position)

    def finish(self) -> Iterator[tuple[float, Union[bytes, int]]]:
        """What is held, with the gaps before it, and what the other end has and the capture has not."""
        time = 0.0
        while self._held:
            time = self._held[0][2]
            yield from self._give_up()
        left = self.acknowledged - self.position - 1  # one for the end of the connection
        if left > 0 and self.next is not None:
            yield time, left
            self._move(left)

    def _give_up(self) -> Iterator[tuple[float, Union[bytes, int]]]:
        missing = self._held[0][0] - self.position
        if missing > 0:
            yield self._held[0][2], missing
            self._move(missing)
        yield from self._ready()

    def _ready(self) -> Iterator[tuple[float, Union[bytes, int]]]:
        while self._held and self._held[0][0] <= self.position:
            place, _, time, data, size = heapq.heappop(self._held)
            self._held_size -= len(data)
            before = self.position - place
            if data[before:]:
                yield time, data[before:]
                self._move(len(data) - before)
            if place + size > self.position:  # the capture has not the whole packet
                yield time, place + size - self.position
                self._move(place + size - self.position)

    def _move(self, size: int) -> None:
        assert self.next is not None
        self.position += size
        self.next = self.next + size & 0xFFFFFFFF


def _distance(begin: int, end: int) -> int:
    """From one sequence number to another, which may be before it; they wrap around."""
    return (end - begin + 0x80000000 & 0xFFFFFFFF) - 0x80000000


class _Flows:
    """The connections that are open, and how many there were."""

    def __init__(self) -> None:
        self._open: dict[tuple[End, End], Flow] = {}
        self._count = 0

    def take(self, time: float, ends: tuple[End, End], segment: Any, size: int) -> Iterator[Event]:
        source, target = ends
        key = (source, target) if source <= target else (target, source)
        flow = self._open.get(key)
        flags = segment.flags
        if flow is not None and flags & _SYN and self._is_new(flow, ends, segment):
            yield from self._close(key, time)
            flow = None
        if flow is None:
            if flags & _RST or (size == 0 and not flags & _SYN):
                return
            if len(self._open) >= _FLOW_COUNT:
                yield from self._close(next(iter(self._open)), time)
            flow = self._open[key] = Flow(self._count, ends)
            self._count += 1
        side = 0 if flow.ends[0] == source else 1
        mine, other = flow.sides[side], flow.sides[1 - side]
        if flags & _SYN:
            if mine.next is None:
                mine.begin(segment.seq + 1)
            flow.client = 1 - side if flags & _ACK else side
        if flags & _ACK:
            other.acknowledge(segment.ack)
        if size and not flags & _SYN:
            number = segment.ack if flags & _ACK else None
            flow.pending.append(_Segment(side, segment.seq, number, bytes(segment.data), size, time))
        if flags & _FIN and mine.next is not None and mine.end is None:
            mine.end = mine.position + _distance(mine.next, segment.seq) + size
        yield from self._deliver(flow, _HELD_COUNT)
        if flags & _RST or (mine.is_done and other.is_done):
            yield from self._close(key, time)

    def _deliver(self, flow: Flow, max_pending: int) -> Iterator[Event]:
        """Passes on segments after all that they acknowledge; at most `max_pending` wait."""
        while flow.pending:
            segment = next((each for each in flow.pending if self._is_ready(flow, each)), None)
            if segment is None and len(flow.pending) <= max_pending:
                return
            if segment is None:
                segment = self._oldest(flow)
                number, other = segment.acknowledged or 0, 1 - segment.side
                rest = [each for each in flow.pending if each.side == other]
                for earlier in sorted(rest, key=lambda each: _distance(number, each.sequence)):
                    if _distance(earlier.sequence, number) > 0:
                        yield from self._pass_on(flow, earlier)
                yield from _events(flow, other, flow.sides[other].give_up(number, segment.time))
            yield from self._pass_on(flow, segment)

    def _is_ready(self, flow: Flow, segment: _Segment) -> bool:
        sender, receiver = flow.sides[segment.side], flow.sides[1 - segment.side]
        return sender.next is not None and receiver.has(segment.acknowledged)

    def _oldest(self, flow: Flow) -> _Segment:
        """The first pending segment; of a side without a handshake that of the lowest number."""
        oldest = flow.pending[0]
        if flow.sides[oldest.side].next is not None:
            return oldest
        rest = [each for each in flow.pending if each.side == oldest.side]
        return min(rest, key=lambda each: _distance(oldest.sequence, each.sequence))

    def _pass_on(self, flow: Flow, segment: _Segment) -> Iterator[Event]:
        flow.pending.remove(segment)
        side, sequence, _, data, size, time = segment
        yield from _events(flow, side, flow.sides[side].take(sequence, data, size, time))

    def _is_new(self, flow: Flow, ends: tuple[End, End], segment: Any) -> bool:
        """A SYN that is no repetition of the one that opened the flow."""
        first = flow.sides[0 if flow.ends[0] == ends[0] else 1].first
        return first is not None and first != (segment.seq + 1) & 0xFFFFFFFF

    def _close(self, key: tuple[End, End], time: float) -> Iterator[Event]:
        flow = self._open.pop(key)
        yield from self._deliver(flow, 0)
        for side in (0, 1):
            yield from _events(flow, side, flow.sides[side].finish(), time)
        yield Closed(flow, time)

    def finish(self, time: float) -> Iterator[Event]:
        for key in list(self._open):
            yield from self._close(key, time)


def _events(flow: Flow, side: int, pieces: Iterator[tuple[float, Union[bytes, int]]], last: float = 0.0) -> Iterator[Event]:
    for time, piece in pieces:
        yield Gap(flow, side, time or last, piece) if isinstance(piece, int) else Data(flow, side, time, piece)
