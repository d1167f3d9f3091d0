"""The calls in a network capture or a recording."""

from __future__ import annotations

from typing import Any, Callable, Iterator, NamedTuple, Optional, Sequence

from .._errors import Error
from .._rpc import message as _message
from .._rpc.address import host_port
from .._schema.services import Service
from .calls import Call, CapturedMessage, Lost, Pairing, Part
from .flows import Closed, Datagram, End, Event, Flow, Gap
from .pcap import Capture
from .recording import Recorded, Recording, is_recording
from .streams import Messages

Say = Callable[[str], None]


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
        self._datagrams: dict[tuple[End, End], int] = {}
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
        if isinstance(event, Datagram):
            yield from self._datagram(event)
            return
        if self._ports and not self._ports.intersection(port for _, port in event.flow.ends):
            return
        number = event.flow.number
        if isinstance(event, Closed):
            if conversation := self._open.pop(number, None):
                yield from conversation.close()
                self._silent += not conversation.spoke
            return
        conversation = self._open.get(number)
        if conversation is None:
            conversation = self._open[number] = _Conversation(
                event.flow, self._say, self._is_oneway
            )
        yield from conversation.take(event)

    def _is_oneway(self, name: str) -> bool:
        function = _message.function_in(self._services, name)
        return function is not None and function.oneway

    def _datagram(self, event: Datagram) -> Iterator[CapturedCall]:
        if self._ports and not self._ports.intersection(port for _, port in event.ends):
            return
        try:
            message = _message.read_message(event.data)
        except Error:
            return  # most are DNS queries
        capture = CapturedMessage(0, len(event.data), event.time, event.time, message, "datagram")
        source, target = event.ends
        is_call = message.kind in ("call", "oneway")
        if is_call:
            call = Call(capture, None, message.kind == "oneway" or self._is_oneway(message.name))
        else:
            call = Call(None, capture)
        yield CapturedCall(
            event.time,
            -1,
            host_port(*(source if is_call else target)),
            host_port(*(target if is_call else source)),
            call,
        )

    def _report_unread(self) -> None:
        for count, description in (
            (self._silent, "without a Thrift message"),
            (self._capture.unread, "that cannot be read"),
            (self._capture.fragments, "that are IP fragments, which are not reassembled"),
        ):
            noun = "connection" if description.startswith("without") else "packet"
            if count:
                self._say(f"{count} {noun}{'' if count == 1 else 's'} {description}")


class _Conversation:
    """Both directions of a connection."""

    def __init__(self, flow: Flow, say: Say, is_oneway: Callable[[str], bool]):
        self._flow = flow
        self._say = say
        is_begin = flow.client is not None
        self._sides = (Messages(is_begin), Messages(is_begin))
        self._pairing = Pairing(is_oneway)
        self._lost: list[str] = []
        self.spoke = False

    def take(self, event: Any) -> Iterator[CapturedCall]:
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
                location = f"connection {self._flow.number}, from {host_port(*self._flow.ends[side])}, byte {part.offset}"
                self._lost.append(
                    f"{location}: {part.why} ({part.size} bytes)"
                    if "missing" not in part.why
                    else f"{location}: {part.why}"
                )
                continue
            self.spoke = True
            for call in self._pairing.take(side, part):
                yield self._captured(call)

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


def captured_calls(
    source: Any, say: Say, ports: Sequence[int], services: Sequence[Service]
) -> Iterator[CapturedCall]:
    """The calls of a capture or a recording."""
    front = source.peek(64)
    if is_recording(front):
        recording = Recording(source)
        for lost in recording.lost:
            say(
                f"connection {lost.connection}, from the {lost.sender}: {lost.why} ({lost.size} "
                "bytes)"
            )
        return _recorded(recording)
    return Traffic(Capture(source), say, ports, services).calls()
