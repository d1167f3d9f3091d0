"""TCP connections in a capture: their bytes in order."""

from __future__ import annotations

import heapq
from typing import Iterator, NamedTuple, Optional, Protocol, Union

End = tuple[str, int]

_BUFFERED_SIZE = 1 << 22  # maximum bytes buffered after a gap, per direction
_BUFFERED_COUNT = 64  # maximum segments buffered after acknowledged bytes that are missing
_FLOW_COUNT = 1 << 16  # maximum open connections
_FIN, _SYN, _RST, _ACK = 1, 2, 4, 16


class Flow:
    """A TCP connection: its number in the capture, its two ends and the side that opened it (None
    if not captured)."""

    def __init__(self, number: int, ends: tuple[End, End]):
        self.number = number
        self.ends = ends
        self.client: Optional[int] = None
        self.sides = (_Side(), _Side())
        self.pending: list[_Segment] = []

    def take(self, side: int, segment: TcpSegment, size: int, time: float) -> None:
        """Adds a segment sent by `side`, with `size` bytes of data on the wire."""
        flags, sender = segment.flags, self.sides[side]
        if flags & _SYN:
            if sender.next is None:
                sender.begin(segment.seq + 1)
            self.client = 1 - side if flags & _ACK else side
        if flags & _ACK:
            self.sides[1 - side].acknowledge(segment.ack)
        if size and not flags & _SYN:
            number = segment.ack if flags & _ACK else None
            data = bytes(segment.data)
            self.pending.append(_Segment(side, segment.seq, number, data, size, time))
        if flags & _FIN and sender.next is not None and sender.end is None:
            sender.end = sender.position + _distance(sender.next, segment.seq) + size


class TcpSegment(Protocol):
    """The part of dpkt's TCP segment that is used."""

    flags: int
    seq: int
    ack: int
    off: int
    sport: int
    dport: int
    data: bytes


class _Segment(NamedTuple):
    """A TCP segment with data.

    `acknowledged` is None without the ACK flag; `size` is the size on the wire."""

    side: int
    sequence: int
    acknowledged: Optional[int]
    data: bytes
    size: int
    time: float


class Data(NamedTuple):
    """Bytes sent by end `side` of a flow; `time` is seconds since the epoch."""

    flow: Flow
    side: int
    time: float
    data: bytes


class Gap(NamedTuple):
    """Bytes sent by end `side` that are missing in the capture."""

    flow: Flow
    side: int
    time: float
    size: int


class Closed(NamedTuple):
    """The end of a flow."""

    flow: Flow
    time: float


class Datagram(NamedTuple):
    """The payload of a UDP packet."""

    ends: tuple[End, End]
    time: float
    data: bytes


Event = Union[Data, Gap, Closed, Datagram]


_Pieces = Iterator[tuple[float, Union[bytes, int]]]
"""Times with bytes, or with the number of missing bytes."""


class _Side:
    """One direction of a connection: reorders segments.

    Positions count from the first captured byte."""

    def __init__(self) -> None:
        self.position = 0
        self.next: Optional[int] = None
        self.acknowledged = 0
        self.first: Optional[int] = None
        self.end: Optional[int] = None
        self._buffered: list[tuple[int, int, float, bytes, int]] = []
        self._buffered_size = 0
        self._count = 0

    @property
    def is_complete(self) -> bool:
        """Whether all bytes up to the FIN were captured."""
        return self.end is not None and self.position >= self.end

    def begin(self, sequence: int) -> None:
        """Sets the sequence number of the first byte."""
        self.next = self.first = sequence & 0xFFFFFFFF

    def acknowledge(self, number: int) -> None:
        """Records that the other end received the bytes before `number`."""
        if self.next is not None:
            self.acknowledged = max(self.acknowledged, self.position + _distance(self.next, number))

    def take(self, sequence: int, data: bytes, size: int, time: float) -> _Pieces:
        """Yields (time, bytes) or (time, number of missing bytes), in order."""
        if self.next is None:
            self.begin(sequence)
        assert self.next is not None
        start = self.position + _distance(self.next, sequence)
        if start + size <= self.position:
            return
        self._count += 1
        heapq.heappush(self._buffered, (start, self._count, time, data, size))
        self._buffered_size += len(data)
        yield from self._ready()
        while self._is_full():
            yield from self._skip_gap()

    def _is_full(self) -> bool:
        """Whether too much is buffered to wait for the missing bytes."""
        if self._buffered_size > _BUFFERED_SIZE:
            return True
        return len(self._buffered) > _BUFFERED_COUNT and self.acknowledged > self.position

    def has(self, number: Optional[int]) -> bool:
        """Whether all bytes before this sequence number were delivered."""
        if number is None or self.is_complete:
            return True
        return self.next is not None and _distance(self.next, number) <= 0

    def flush_until(self, number: int, time: float) -> _Pieces:
        """Delivers the bytes before this sequence number; reports the missing ones."""
        if self.next is None:
            return
        end = self.position + _distance(self.next, number)
        while self._buffered and self._buffered[0][0] < end:
            yield from self._skip_gap()
        if self.position < end and not self.is_complete:
            yield time, end - self.position
            self._move(end - self.position)

    def finish(self) -> _Pieces:
        """Delivers the buffered bytes with their gaps, and reports acknowledged bytes that are
        missing."""
        time = 0.0
        while self._buffered:
            time = self._buffered[0][2]
            yield from self._skip_gap()
        missing = self.acknowledged - self.position - 1  # minus the sequence number of the FIN
        if missing > 0 and self.next is not None:
            yield time, missing
            self._move(missing)

    def _skip_gap(self) -> _Pieces:
        missing = self._buffered[0][0] - self.position
        if missing > 0:
            yield self._buffered[0][2], missing
            self._move(missing)
        yield from self._ready()

    def _ready(self) -> _Pieces:
        while self._buffered and self._buffered[0][0] <= self.position:
            start, _, time, data, size = heapq.heappop(self._buffered)
            self._buffered_size -= len(data)
            overlap = self.position - start
            if data[overlap:]:
                yield time, data[overlap:]
                self._move(len(data) - overlap)
            if start + size > self.position:  # the capture truncated the packet
                yield time, start + size - self.position
                self._move(start + size - self.position)

    def _move(self, size: int) -> None:
        assert self.next is not None
        self.position += size
        self.next = self.next + size & 0xFFFFFFFF


def _distance(begin: int, end: int) -> int:
    """Signed distance of two sequence numbers, modulo 2**32."""
    return (end - begin + 0x80000000 & 0xFFFFFFFF) - 0x80000000


class Flows:
    """The open connections, and the number of connections so far."""

    def __init__(self) -> None:
        self._open: dict[tuple[End, End], Flow] = {}
        self._count = 0

    def take(
        self, time: float, ends: tuple[End, End], segment: TcpSegment, size: int
    ) -> Iterator[Event]:
        """The events of a TCP segment with `size` bytes of data on the wire."""
        source, target = ends
        key = (source, target) if source <= target else (target, source)
        flow = self._open.get(key)
        if flow is not None and segment.flags & _SYN and self._is_new(flow, ends, segment):
            yield from self._close(key, time)
            flow = None
        if flow is None:
            if segment.flags & _RST or (size == 0 and not segment.flags & _SYN):
                return
            if len(self._open) >= _FLOW_COUNT:
                yield from self._close(next(iter(self._open)), time)
            flow = self._add(key, ends)
        flow.take(0 if flow.ends[0] == source else 1, segment, size, time)
        yield from self._deliver(flow, _BUFFERED_COUNT)
        if segment.flags & _RST or all(side.is_complete for side in flow.sides):
            yield from self._close(key, time)

    def _add(self, key: tuple[End, End], ends: tuple[End, End]) -> Flow:
        flow = self._open[key] = Flow(self._count, ends)
        self._count += 1
        return flow

    def _deliver(self, flow: Flow, max_pending: int) -> Iterator[Event]:
        """Delivers segments after the bytes that they acknowledge; at most `max_pending` wait."""
        while flow.pending:
            segment = next((item for item in flow.pending if self._is_ready(flow, item)), None)
            if segment is None:
                if len(flow.pending) <= max_pending:
                    return
                segment = self._oldest(flow)
                yield from self._deliver_acknowledged(flow, segment)
            yield from self._pass_on(flow, segment)

    def _deliver_acknowledged(self, flow: Flow, segment: _Segment) -> Iterator[Event]:
        """Delivers the bytes that a segment acknowledges; the missing ones as gaps."""
        number, side = segment.acknowledged or 0, 1 - segment.side
        rest = [item for item in flow.pending if item.side == side]
        for earlier in sorted(rest, key=lambda item: _distance(number, item.sequence)):
            if _distance(earlier.sequence, number) > 0:
                yield from self._pass_on(flow, earlier)
        yield from _events(flow, side, flow.sides[side].flush_until(number, segment.time))

    def _is_ready(self, flow: Flow, segment: _Segment) -> bool:
        sender, receiver = flow.sides[segment.side], flow.sides[1 - segment.side]
        return sender.next is not None and receiver.has(segment.acknowledged)

    def _oldest(self, flow: Flow) -> _Segment:
        """The first pending segment; without a handshake, that of the lowest sequence number."""
        oldest = flow.pending[0]
        if flow.sides[oldest.side].next is not None:
            return oldest
        candidates = [item for item in flow.pending if item.side == oldest.side]
        return min(candidates, key=lambda item: _distance(oldest.sequence, item.sequence))

    def _pass_on(self, flow: Flow, segment: _Segment) -> Iterator[Event]:
        flow.pending.remove(segment)
        side, sequence, _, data, size, time = segment
        yield from _events(flow, side, flow.sides[side].take(sequence, data, size, time))

    def _is_new(self, flow: Flow, ends: tuple[End, End], segment: TcpSegment) -> bool:
        """Whether a SYN opens a new flow, that is, is not a retransmission."""
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


def _events(flow: Flow, side: int, pieces: _Pieces, last: float = 0.0) -> Iterator[Event]:
    for time, piece in pieces:
        yield (
            Gap(flow, side, time or last, piece)
            if isinstance(piece, int)
            else Data(flow, side, time, piece)
        )
