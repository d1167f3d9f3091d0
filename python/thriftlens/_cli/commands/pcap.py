"""`thriftlens pcap`: the calls in captured traffic or a recording as JSON or as a table, or a
summary per method.
"""

from __future__ import annotations

import binascii
import collections
import json
import math
from typing import Any, Callable, Iterator, NamedTuple, Optional, Sequence

import click

from ..._capture import pcap as _pcap
from ..._capture import recording as _recording
from ..._capture import streams as _traffic
from ..._errors import Error
from ..._rpc import message as _message
from ..._rpc.address import host_port
from ..._schema.services import Service
from ..._text import escaped, quoted_name
from .. import io as _files
from .. import options as opt
from .. import report
from ..input import services_of, take_schemas

Say = Callable[[str], None]
_TEXT = 60  # characters of a value in a table


class CapturedCall(NamedTuple):
    """A call of the capture: time, connection, client, server, and the messages."""

    time: float
    connection: int
    client: str
    server: str
    call: _traffic.Call


class Traffic:
    """The calls of a capture. Calls `say` with a line about data that cannot be read."""

    def __init__(
        self,
        capture: _pcap.Capture,
        say: Say,
        ports: Sequence[int] = (),
        services: Sequence[Service] = (),
    ):
        """services: used to recognize oneway functions."""
        self._capture = capture
        self._services = services
        self._say = say
        self._ports = frozenset(ports)
        self._datagrams: dict[tuple[_pcap.End, _pcap.End], int] = {}
        self._open: dict[int, _Conversation] = {}
        self._silent = 0
        self._count = 0

    def calls(self) -> Iterator[CapturedCall]:
        """The calls, as they complete.

        An error of the capture is raised after the calls before it.
        """
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

    def _take(self, event: _pcap.Event) -> Iterator[CapturedCall]:
        if isinstance(event, _pcap.Datagram):
            yield from self._datagram(event)
            return
        if self._ports and not self._ports.intersection(port for _, port in event.flow.ends):
            return
        number = event.flow.number
        if isinstance(event, _pcap.Closed):
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

    def _datagram(self, event: _pcap.Datagram) -> Iterator[CapturedCall]:
        if self._ports and not self._ports.intersection(port for _, port in event.ends):
            return
        try:
            message = _message.read_message(event.data)
        except Error:
            return  # most are DNS queries
        capture = _traffic.CapturedMessage(
            0, len(event.data), event.time, event.time, message, "datagram"
        )
        source, target = event.ends
        is_call = message.kind in ("call", "oneway")
        call = (
            _traffic.Call(capture, None, message.kind == "oneway" or self._is_oneway(message.name))
            if is_call
            else _traffic.Call(None, capture)
        )
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

    def __init__(self, flow: _pcap.Flow, say: Say, is_oneway: Callable[[str], bool]):
        self._flow = flow
        self._say = say
        is_begin = flow.client is not None
        self._sides = (_traffic.Messages(is_begin), _traffic.Messages(is_begin))
        self._pairing = _traffic.Pairing(is_oneway)
        self._lost: list[str] = []
        self.spoke = False

    def take(self, event: Any) -> Iterator[CapturedCall]:
        opposite = self._sides[1 - event.side]
        yield from self._parts(1 - event.side, opposite.flush())
        side = self._sides[event.side]
        if isinstance(event, _pcap.Gap):
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

    def _parts(self, side: int, parts: list[_traffic.Part]) -> Iterator[CapturedCall]:
        for part in parts:
            if isinstance(part, _traffic.Lost):
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

    def _captured(self, call: _traffic.Call) -> CapturedCall:
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


class DecodedCall:
    """A call decoded with the IDL: arguments and result as JSON, and the outcome."""

    def __init__(
        self, call: _traffic.Call, services: Sequence[Service], json_options: dict[str, Any]
    ):
        self._json_options = json_options
        self._services = services
        capture = call.call or call.reply
        assert capture is not None
        self.call = call
        self.message = capture.message
        self.transport = capture.transport
        self._function = _message.function_in(services, self.message.name)
        self.faults: list[str] = []
        self.arguments = self._json("arguments", call.call)
        self.result = self._json("result", call.reply)
        self.outcome = self._outcome()

    def _outcome(self) -> str:
        """ "oneway", "none" (no reply), "reply", "declared" (a declared exception) or "exception"
        (an application exception).
        """
        reply = self.call.reply
        if reply is None:
            return (
                "oneway"
                if self.call.is_oneway or (self._function is not None and self._function.oneway)
                else "none"
            )
        if reply.message.kind == "exception":
            return "exception"
        declared = self._function is not None and self._function.result.fields
        if (
            declared
            and self.result is not None
            and not self.result.startswith((b'{"success":', b"{}"))
        ):
            return "declared"
        return "reply"

    @property
    def is_error(self) -> bool:
        return self.outcome in ("none", "declared", "exception")

    def _json(self, part: str, capture: Optional[_traffic.CapturedMessage]) -> Optional[bytes]:
        if capture is None:
            return None
        message = capture.message._replace(function=self._function)
        if not message.is_known:
            reason = (
                f"the IDL has no function {quoted_name(message.name)}"
                if self._services
                else "no IDL was given (--idl)"
            )
            self.faults.append(f"{part}: {reason}")
            return None
        try:
            return message.to_json(nonfinite="string", **self._json_options)
        except Error as error:
            self.faults.append(f"{part}: {error}")
            return None

    def line(self, captured: CapturedCall) -> bytes:
        """One line of JSON."""
        call, reply = self.call.call, self.call.reply
        latency = self.call.latency
        head: dict[str, Any] = {
            "time": round(captured.time, 6),
            "connection": captured.connection,
            "client": captured.client,
            "server": captured.server,
        }
        head.update(
            transport=self.transport,
            protocol=self.message.protocol,
            method=self.message.name,
            sequence_id=self.message.sequence_id,
        )
        head.update(
            outcome=self.outcome, latency_ms=None if latency is None else round(latency * 1000, 3)
        )
        head.update(
            call_bytes=call.size if call else None, reply_bytes=reply.size if reply else None
        )
        for capture, name in ((call, "call_headers"), (reply, "reply_headers")):
            if capture is not None and capture.headers:
                head[name] = capture.headers
        if self.faults:
            head["faults"] = self.faults
        for capture, name, text in (
            (call, "call_data", self.arguments),
            (reply, "reply_data", self.result),
        ):
            if capture is not None and text is None:
                head[name] = binascii.b2a_base64(
                    bytes(capture.message.data), newline=False
                ).decode()
        text = json.dumps(head, ensure_ascii=False)[:-1].encode("utf-8", "surrogateescape")
        return b'%s, "arguments": %s, "result": %s}\n' % (
            text,
            self.arguments or b"null",
            self.result or b"null",
        )

    def row(self, captured: CapturedCall, begin: float) -> str:
        """One line of a table."""
        latency = self.call.latency
        latency_text = "-" if latency is None else f"{latency * 1000:.3f}"
        texts = (_cut(self.arguments), "" if self.call.reply is None else "-> " + _cut(self.result))
        connection = "udp" if captured.connection < 0 else str(captured.connection)
        return f"{captured.time - begin:10.6f} {connection:>4} {self.outcome:<9} {latency_text:>10}  {self.message.name} {' '.join(texts)}".rstrip()


def _cut(text: Optional[bytes]) -> str:
    shown = "?" if text is None else text.decode("utf-8", "replace")
    return shown if len(shown) <= _TEXT else shown[: _TEXT - 1] + "…"


HEADING = f"{'seconds':>10} {'conn':>4} {'outcome':<9} {'ms':>10}  call"


class _Method:
    def __init__(self) -> None:
        self.count = self.errors = self.call_bytes = self.reply_bytes = 0
        self.latencies: list[float] = []


class Summary:
    """Counts and latencies per method."""

    def __init__(self) -> None:
        self._methods: dict[str, _Method] = collections.defaultdict(_Method)

    def add(self, decoded: DecodedCall) -> None:
        method = self._methods[decoded.message.name]
        method.count += 1
        method.errors += decoded.is_error
        method.call_bytes += decoded.call.call.size if decoded.call.call else 0
        method.reply_bytes += decoded.call.reply.size if decoded.call.reply else 0
        if decoded.call.latency is not None:
            method.latencies.append(decoded.call.latency)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Calls, errors, latency percentiles in milliseconds and bytes per method, most frequent
        methods first.
        """
        for name, method in sorted(self._methods.items(), key=lambda row: (-row[1].count, row[0])):
            latencies = sorted(method.latencies)
            yield {
                "method": name,
                "count": method.count,
                "errors": method.errors,
                "p50_ms": _percentile(latencies, 50),
                "p99_ms": _percentile(latencies, 99),
                "max_ms": _percentile(latencies, 100),
                "call_bytes": method.call_bytes,
                "reply_bytes": method.reply_bytes,
            }

    def table(self) -> Iterator[str]:
        """The rows as text, with a heading."""
        columns = ("count", "errors", "p50_ms", "p99_ms", "max_ms", "call_bytes", "reply_bytes")
        yield " ".join(f"{name:>11}" for name in columns) + "  method"
        for row in self.rows():
            yield (
                " ".join(f"{'-' if row[name] is None else row[name]:>11}" for name in columns)
                + f"  {row['method']}"
            )


def _percentile(latencies: list[float], percent: int) -> Optional[float]:
    """The latency, in milliseconds, that `percent` of the calls do not exceed."""
    return (
        round(latencies[max(math.ceil(len(latencies) * percent / 100) - 1, 0)] * 1000, 3)
        if latencies
        else None
    )


def _recorded(recording: _recording.Recording) -> Iterator[CapturedCall]:
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
            _traffic.Call(captures[0], captures[1], recorded.call.kind == "oneway"),
        )


def _capture_of(recorded: _recording.Recorded) -> _traffic.CapturedMessage:
    size = len(recorded.message.to_bytes())
    return _traffic.CapturedMessage(
        0,
        size,
        recorded.begin,
        recorded.end,
        recorded.message,
        recorded.transport,
        recorded.headers,
    )


def _calls(
    source: Any, say: Say, ports: Sequence[int], services: Sequence[Service]
) -> Iterator[CapturedCall]:
    """The calls of a capture or a recording."""
    front = source.peek(64)
    if _recording.is_recording(front):
        recording = _recording.Recording(source)
        for lost in recording.lost:
            say(
                f"connection {lost.connection}, from the {lost.sender}: {lost.why} ({lost.size} bytes)"
            )
        return _recorded(recording)
    return Traffic(_pcap.Capture(source), say, ports, services).calls()


def run(
    source: Any,
    sink: _files.Sink,
    services: Sequence[Service],
    json_options: dict[str, Any],
    selection: dict[str, Any],
    say: Say,
) -> Optional[Error]:
    """Writes the selected calls. Returns the error that ended the capture."""
    form, methods = selection["form"], frozenset(selection["methods"])
    summary = Summary()
    begin: Optional[float] = None
    unmatched = set(methods)
    fault: Optional[Error] = None
    calls = _calls(source, say, selection["ports"], services)
    try:
        for captured in calls:
            decoded = DecodedCall(captured.call, services, json_options)
            names = {decoded.message.name, decoded.message.name.rpartition(":")[2]}
            if methods and methods.isdisjoint(names):
                continue
            unmatched -= names
            if begin is None:
                begin = captured.time
                if form == "table":
                    sink.write(f"{HEADING}\n".encode())
            summary.add(decoded)
            if form == "json":
                sink.write(decoded.line(captured))
            elif form == "table":
                sink.write(f"{escaped(decoded.row(captured, begin))}\n".encode())
    except Error as error:
        fault = error
    finally:
        if form == "summary":
            for line in summary.table():
                sink.write(f"{escaped(line)}\n".encode())
    for name in sorted(unmatched):
        say(f"no call of method {name!r}")
    return fault


@click.command()
@opt.file_argument()
@opt.idl_list_options
@opt.output_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "table", "summary"]),
    default="json",
    show_default=True,
    help="Output: calls as JSON, calls as a table, or a summary per method.",
)
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="Print only calls of this method (repeatable).",
)
@click.option(
    "--port",
    "ports",
    multiple=True,
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="Print only connections with this port (repeatable).",
)
@opt.integer("decode", "depth", help="Maximum nesting depth.")
@opt.choices("to_json", "enums=name", "unknown", "invalid_utf8=replace")
def pcap(
    file: str,
    output: str,
    form: str,
    methods: tuple[str, ...],
    ports: tuple[int, ...],
    **options: Any,
) -> None:
    """Print the Thrift calls in a network capture (pcap, pcapng) as lines of JSON: time, peers,
    arguments, result, latency.

    TCP streams are reassembled; framing and protocol are detected per connection: buffered, framed,
    SASL, HTTP, Binary, Compact; UDP datagrams too.
    Missing and invalid data is reported on stderr. Latency: from the first byte of the call to the
    last byte of the reply. Needs thriftlens[pcap].
    """
    services = services_of(take_schemas(options))
    selection = {"form": form, "methods": methods, "ports": ports}
    name = report.display_name(file)
    with _files.reading(file) as source, report.reporting(file):
        with _files.writing(output) as sink:
            fault = run(
                source,
                sink,
                services,
                options,
                selection,
                lambda line: report.say(f"{name}: {line}"),
            )
        if fault is not None:
            raise fault
