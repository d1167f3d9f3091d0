"""The calls in a network capture or a recording."""

from __future__ import annotations

from typing import IO, Callable, Iterator, NamedTuple, Optional, Protocol, Sequence, Union, cast

from .._errors import Error
from .._rpc import message as _message
from .._rpc.address import host_port
from .._schema.services import Service
from .._typing import BinaryReader, Say
from .calls import Call, CapturedMessage, Lost, Pairing, Part
from .flows import Closed, Data, Datagram, Event, Flow, Gap
from .pcap import Capture
from .recording import Recording
from .recording_format import Recorded, is_recording
from .streams import Messages


class CapturedCall(NamedTuple):
    """A call of the capture: time, connection, client, server, and the messages."""

    time: float
    connection: int
    client: str
    server: str
    call: Call


class Traffic:
    """The calls of a capture. Calls `say` with a line about data that cannot be read."""

    def __init__(
        self,
        capture: Capture,
        say: Say,
        ports: Sequence[int] = (),
        services: Sequence[Service] = (),
    ):
        """services: used to recognize oneway functions."""
        self._capture = capture
        self._services = services
        self._say = say
        self._ports = frozenset(ports)
        self._open: dict[int, _Conversation] = {}
        self._silent = 0
        self._count = 0

    def calls(self) -> Iterator[CapturedCall]:
        """The calls, as they complete.

        An error of the capture is raised after the calls before it."""
        fault: Optional[Error] = None
        events = self._capture.events()
        while True:
            try:
                event = next(events, None)
            except Error as error:
                event, fault = None, error
            if event is None:
                break
            yield from self._take(event)
        for conversation in list(self._open.values()):
            yield from conversation.close()
        self._report_unread()
        if fault is not None:
            raise fault

    def _take(self, event: Event) -> Iterator[CapturedCall]:
        if not self._is_selected(event):
            return
        if isinstance(event, Datagram):
            yield from self._datagram(event)
            return
        number = event.flow.number
        if isinstance(event, Closed):
            if conversation := self._open.pop(number, None):
                yield from conversation.close()
                self._silent += not conversation.spoke
            return
        if number not in self._open:
            self._open[number] = _Conversation(event.flow, self._say, self._is_oneway)
        yield from self._open[number].take(event)

    def _is_selected(self, event: Event) -> bool:
        """Whether one end has a selected port."""
        ends = event.ends if isinstance(event, Datagram) else event.flow.ends
        return not self._ports or not self._ports.isdisjoint(port for _, port in ends)

    def _is_oneway(self, name: str) -> bool:
        """Whether the IDL declares the function as oneway."""
        function = _message.function_in(self._services, name)
        return function is not None and function.oneway

    def _datagram(self, event: Datagram) -> Iterator[CapturedCall]:
        try:
            message = _message.read_message(event.data)
        except Error:
            return  # most are DNS queries
        time = event.time
        capture = CapturedMessage(0, len(event.data), time, time, message, "datagram")
        client, server = (host_port(*end) for end in event.ends)
        call = Call(None, capture)
        if message.kind in ("call", "oneway"):
            call = Call(capture, None, message.kind == "oneway" or self._is_oneway(message.name))
        else:
            client, server = server, client
        yield CapturedCall(time, -1, client, server, call)

    def _report_unread(self) -> None:
        for count, noun, description in (
            (self._silent, "connection", " without a Thrift message"),
            (self._capture.unread, "invalid packet", ""),
            (self._capture.fragments, "IP fragment", ", not reassembled"),
        ):
            if count:
                self._say(f"{count} {noun}{'' if count == 1 else 's'}{description}")


class _Conversation:
    """Both directions of a connection."""

    def __init__(self, flow: Flow, say: Say, is_oneway: Callable[[str], bool]):
        self._flow = flow
        self._say = say
        is_begin = flow.client is not None
        self._sides = (Messages(is_begin), Messages(is_begin))
        self._pairing: Pairing[CapturedMessage] = Pairing(is_oneway)
        self._lost: list[str] = []
        self.spoke = False

    def take(self, event: Union[Data, Gap]) -> Iterator[CapturedCall]:
        opposite = self._sides[1 - event.side]
        yield from self._parts(1 - event.side, opposite.flush())
        side = self._sides[event.side]
        if isinstance(event, Gap):
            yield from self._parts(event.side, side.gap(event.size, event.time))
        else:
            yield from self._parts(event.side, side.feed(event.data, event.time))

    def close(self) -> Iterator[CapturedCall]:
        for side in (0, 1):
            yield from self._parts(side, self._sides[side].finish())
        for call in self._pairing.finish():
            yield self._captured(call)
        if self.spoke:  # connections without Thrift messages are only counted
            for message in self._lost:
                self._say(message)

    def _parts(self, side: int, parts: list[Part]) -> Iterator[CapturedCall]:
        for part in parts:
            if isinstance(part, Lost):
                self._lost.append(self._description(side, part))
                continue
            self.spoke = True
            for call in self._pairing.take(side, part):
                yield self._captured(call)

    def _description(self, side: int, lost: Lost) -> str:
        sender = host_port(*self._flow.ends[side])
        size = f" ({lost.size} bytes)" if "missing" not in lost.reason else ""
        origin = f"connection {self._flow.number}, from {sender}, byte {lost.offset}"
        return f"{origin}: {lost.reason}{size}"

    def _captured(self, call: Call) -> CapturedCall:
        ends = self._flow.ends
        client = self._pairing.client or 0
        capture = call.call or call.reply
        assert capture is not None
        return CapturedCall(
            capture.begin,
            self._flow.number,
            host_port(*ends[client]),
            host_port(*ends[1 - client]),
            call,
        )


def _recorded(recording: Recording) -> Iterator[CapturedCall]:
    """The calls of a recording."""
    server = recording.server or "server"
    for recorded in recording.calls:
        captures = [
            None if part is None else _capture_of(part) for part in (recorded.call, recorded.reply)
        ]
        yield CapturedCall(
            recorded.call.begin,
            recorded.call.connection,
            "client",
            server,
            Call(captures[0], captures[1], recorded.call.kind == "oneway"),
        )


def _capture_of(recorded: Recorded) -> CapturedMessage:
    size = len(recorded.message.to_bytes())
    return CapturedMessage(
        0,
        size,
        recorded.begin,
        recorded.end,
        recorded.message,
        recorded.transport,
        recorded.headers,
    )


class CaptureSource(BinaryReader, Protocol):
    """The part of a file that captured_calls uses."""

    def peek(self, size: int, /) -> bytes: ...


def captured_calls(
    source: CaptureSource, say: Say, ports: Sequence[int], services: Sequence[Service]
) -> Iterator[CapturedCall]:
    """The calls of a capture or a recording."""
    front = source.peek(64)
    if is_recording(front):
        recording = Recording(cast("IO[bytes]", source))
        for lost in recording.lost:
            say(
                f"connection {lost.connection}, from the {lost.sender}: {lost.reason} ({lost.size} "
                "bytes)"
            )
        return _recorded(recording)
    return Traffic(Capture(source), say, ports, services).calls()
