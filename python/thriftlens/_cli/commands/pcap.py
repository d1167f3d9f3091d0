"""`thriftlens pcap`: the calls in captured traffic or a recording, a line each or as a table, and a summary for each method."""

from __future__ import annotations

import binascii
import collections
import json
import math
from typing import Any, Callable, Iterator, NamedTuple, Optional, Sequence

import click

from .. import io as _files, options as opt, report
from ..input import services_of, take_schemas
from ..._rpc import message as _message
from ..._rpc.address import host_port
from ..._capture import pcap as _pcap, recording as _recording, streams as _traffic
from ..._errors import Error
from ..._schema.schema import Service
from ..._text import escaped, quoted_name

Say = Callable[[str], None]
_TEXT = 60  # characters of a value in a table


class Seen(NamedTuple):
    """A call of the capture: when, between whom, and the two messages."""

    time: float
    connection: int
    client: str
    server: str
    call: _traffic.Call


class Traffic:
    """The calls of a capture; what could not be read is told to `say`."""

    def __init__(self, capture: _pcap.Capture, say: Say, ports: Sequence[int] = (), services: Sequence[Service] = ()):
        """services: say which functions are oneway."""
        self._capture = capture
        self._services = services
        self._say = say
        self._ports = frozenset(ports)
        self._datagrams: dict[tuple[_pcap.End, _pcap.End], int] = {}
        self._open: dict[int, _Conversation] = {}
        self._silent = 0
        self._count = 0

    def calls(self) -> Iterator[Seen]:
        """Each when it is complete. Raises what the capture raises, when all calls before that were given."""
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
        self._tell()
        if fault is not None:
            raise fault

    def _take(self, event: _pcap.Event) -> Iterator[Seen]:
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
            conversation = self._open[number] = _Conversation(event.flow, self._say, self._is_oneway)
        yield from conversation.take(event)

    def _is_oneway(self, name: str) -> bool:
        function = _message.function_in(self._services, name)
        return function is not None and function.oneway

    def _datagram(self, event: _pcap.Datagram) -> Iterator[Seen]:
        if self._ports and not self._ports.intersection(port for _, port in event.ends):
            return
        try:
            message = _message.read_message(event.data)
        except Error:
            return  # most of them are names that are looked up
        found = _traffic.Found(0, len(event.data), event.time, event.time, message, "datagram")
        source, target = event.ends
        is_call = message.kind in ("call", "oneway")
        call = _traffic.Call(found, None, message.kind == "oneway" or self._is_oneway(message.name)) if is_call else _traffic.Call(None, found)
        yield Seen(event.time, -1, host_port(*(source if is_call else target)), host_port(*(target if is_call else source)), call)

    def _tell(self) -> None:
        for count, what in (
            (self._silent, "without a Thrift message"),
            (self._capture.unread, "that cannot be read"),
            (self._capture.fragments, "that are parts of IP packets, which are not put together"),
        ):
            noun = "connection" if what.startswith("without") else "packet"
            if count:
                self._say(f"{count} {noun}{'' if count == 1 else 's'} {what}")


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

    def take(self, event: Any) -> Iterator[Seen]:
        other = self._sides[1 - event.side]
        yield from self._parts(1 - event.side, other.flush())
        side = self._sides[event.side]
        if isinstance(event, _pcap.Gap):
            yield from self._parts(event.side, side.gap(event.size, event.time))
        else:
            yield from self._parts(event.side, side.feed(event.data, event.time))

    def close(self) -> Iterator[Seen]:
        for side in (0, 1):
            yield from self._parts(side, self._sides[side].finish())
        for call in self._pairing.finish():
            yield self._seen(call)
        if self.spoke:  # of others it is no news
            for each in self._lost:
                self._say(each)

    def _parts(self, side: int, parts: list[_traffic.Part]) -> Iterator[Seen]:
        for part in parts:
            if isinstance(part, _traffic.Lost):
                at = f"connection {self._flow.number}, from {host_port(*self._flow.ends[side])}, byte {part.offset}"
                self._lost.append(f"{at}: {part.why} ({part.size} bytes)" if "missing" not in part.why else f"{at}: {part.why}")
                continue
            self.spoke = True
            for call in self._pairing.take(side, part):
                yield self._seen(call)

    def _seen(self, call: _traffic.Call) -> Seen:
        ends = self._flow.ends
        client = self._pairing.client or 0
        first = call.call or call.reply
        assert first is not None
        return Seen(first.begin, self._flow.number, host_port(*ends[client]), host_port(*ends[1 - client]), call)


class Shown:
    """A call under the IDL: what it carries as JSON, and how it ended."""

    def __init__(self, call: _traffic.Call, services: Sequence[Service], how: dict[str, Any]):
        self._how = how
        self._services = services
        first = call.call or call.reply
        assert first is not None
        self.call = call
        self.message = first.message
        self.transport = first.transport
        self._function = _message.function_in(services, self.message.name)
        self.faults: list[str] = []
        self.arguments = self._json("arguments", call.call)
        self.result = self._json("result", call.reply)
        self.outcome = self._outcome()

    def _outcome(self) -> str:
        """"oneway", "none" (no reply), "reply", "declared" (a declared exception) or "exception" (an application exception)."""
        reply = self.call.reply
        if reply is None:
            return "oneway" if self.call.is_oneway or (self._function is not None and self._function.oneway) else "none"
        if reply.message.kind == "exception":
            return "exception"
        declared = self._function is not None and self._function.result.fields
        if declared and self.result is not None and not self.result.startswith((b'{"success":', b"{}")):
            return "declared"
        return "reply"

    @property
    def is_error(self) -> bool:
        return self.outcome in ("none", "declared", "exception")

    def _json(self, what: str, found: Optional[_traffic.Found]) -> Optional[bytes]:
        if found is None:
            return None
        message = found.message._replace(function=self._function)
        if not message.is_known:
            why = f"the IDL has no function {quoted_name(message.name)}" if self._services else "no IDL was given (--idl)"
            self.faults.append(f"{what}: {why}")
            return None
        try:
            return message.to_json(nonfinite="string", **self._how)
        except Error as error:
            self.faults.append(f"{what}: {error}")
            return None

    def line(self, seen: Seen) -> bytes:
        """One line of JSON."""
        call, reply = self.call.call, self.call.reply
        latency = self.call.latency
        head: dict[str, Any] = {"time": round(seen.time, 6), "connection": seen.connection, "client": seen.client, "server": seen.server}
        head.update(transport=self.transport, protocol=self.message.protocol, method=self.message.name, sequence_id=self.message.sequence_id)
        head.update(outcome=self.outcome, latency_ms=None if latency is None else round(latency * 1000, 3))
        head.update(call_bytes=call.size if call else None, reply_bytes=reply.size if reply else None)
        for found, name in ((call, "call_headers"), (reply, "reply_headers")):
            if found is not None and found.headers:
                head[name] = found.headers
        if self.faults:
            head["faults"] = self.faults
        for found, name, text in ((call, "call_data", self.arguments), (reply, "reply_data", self.result)):
            if found is not None and text is None:
                head[name] = binascii.b2a_base64(bytes(found.message.data), newline=False).decode()
        text = json.dumps(head, ensure_ascii=False)[:-1].encode("utf-8", "surrogateescape")
        return b"%s, \"arguments\": %s, \"result\": %s}\n" % (text, self.arguments or b"null", self.result or b"null")

    def row(self, seen: Seen, begin: float) -> str:
        """One line of a table."""
        latency = self.call.latency
        took = "-" if latency is None else f"{latency * 1000:.3f}"
        shown = (_cut(self.arguments), "" if self.call.reply is None else "-> " + _cut(self.result))
        where = "udp" if seen.connection < 0 else str(seen.connection)
        return f"{seen.time - begin:10.6f} {where:>4} {self.outcome:<9} {took:>10}  {self.message.name} {' '.join(shown)}".rstrip()


def _cut(text: Optional[bytes]) -> str:
    shown = "?" if text is None else text.decode("utf-8", "replace")
    return shown if len(shown) <= _TEXT else shown[: _TEXT - 1] + "…"


HEADING = f"{'seconds':>10} {'conn':>4} {'outcome':<9} {'ms':>10}  call"


class _Method:
    def __init__(self) -> None:
        self.count = self.errors = self.call_bytes = self.reply_bytes = 0
        self.latencies: list[float] = []


class Summary:
    """Counts and latencies of each method."""

    def __init__(self) -> None:
        self._methods: dict[str, _Method] = collections.defaultdict(_Method)

    def add(self, shown: Shown) -> None:
        method = self._methods[shown.message.name]
        method.count += 1
        method.errors += shown.is_error
        method.call_bytes += shown.call.call.size if shown.call.call else 0
        method.reply_bytes += shown.call.reply.size if shown.call.reply else 0
        if shown.call.latency is not None:
            method.latencies.append(shown.call.latency)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Of each method: how often, how many errors, percentiles of the latency in milliseconds, bytes. Most called first."""
        for name, each in sorted(self._methods.items(), key=lambda item: (-item[1].count, item[0])):
            times = sorted(each.latencies)
            yield {
                "method": name,
                "count": each.count,
                "errors": each.errors,
                "p50_ms": _percentile(times, 50),
                "p99_ms": _percentile(times, 99),
                "max_ms": _percentile(times, 100),
                "call_bytes": each.call_bytes,
                "reply_bytes": each.reply_bytes,
            }

    def table(self) -> Iterator[str]:
        """The same as text."""
        columns = ("count", "errors", "p50_ms", "p99_ms", "max_ms", "call_bytes", "reply_bytes")
        yield " ".join(f"{name:>11}" for name in columns) + "  method"
        for row in self.rows():
            yield " ".join(f"{'-' if row[name] is None else row[name]:>11}" for name in columns) + f"  {row['method']}"


def _percentile(times: list[float], percent: int) -> Optional[float]:
    """The smallest time that so many percent do not exceed, in milliseconds."""
    return round(times[max(math.ceil(len(times) * percent / 100) - 1, 0)] * 1000, 3) if times else None


def _recorded(recording: _recording.Recording) -> Iterator[Seen]:
    """The calls of a recording."""
    server = recording.server or "server"
    for each in recording.calls:
        found = [None if part is None else _found(part) for part in (each.call, each.reply)]
        yield Seen(each.call.begin, each.call.connection, "client", server, _traffic.Call(found[0], found[1], each.call.kind == "oneway"))


def _found(recorded: _recording.Recorded) -> _traffic.Found:
    size = len(recorded.message.to_bytes())
    return _traffic.Found(0, size, recorded.begin, recorded.end, recorded.message, recorded.transport, recorded.headers)


def _calls(source: Any, say: Say, ports: Sequence[int], services: Sequence[Service]) -> Iterator[Seen]:
    """Of a capture, or of a recording."""
    first = source.peek(64)
    if _recording.is_recording(first):
        recording = _recording.Recording(source)
        for each in recording.lost:
            say(f"connection {each.connection}, from the {each.sender}: {each.why} ({each.size} bytes)")
        return _recorded(recording)
    return Traffic(_pcap.Capture(source), say, ports, services).calls()


def run(source: Any, sink: _files.Sink, services: Sequence[Service], how: dict[str, Any], chosen: dict[str, Any], say: Say) -> Optional[Error]:
    """Writes the calls as `chosen` says. Returns the error at which the capture ends."""
    form, methods = chosen["form"], frozenset(chosen["methods"])
    summary = Summary()
    begin: Optional[float] = None
    unseen = set(methods)
    fault: Optional[Error] = None
    calls = _calls(source, say, chosen["ports"], services)
    try:
        for seen in calls:
            shown = Shown(seen.call, services, how)
            names = {shown.message.name, shown.message.name.rpartition(":")[2]}
            if methods and methods.isdisjoint(names):
                continue
            unseen -= names
            if begin is None:
                begin = seen.time
                if form == "table":
                    sink.write(f"{HEADING}\n".encode())
            summary.add(shown)
            if form == "json":
                sink.write(shown.line(seen))
            elif form == "table":
                sink.write(f"{escaped(shown.row(seen, begin))}\n".encode())
    except Error as error:
        fault = error
    finally:
        if form == "summary":
            for line in summary.table():
                sink.write(f"{escaped(line)}\n".encode())
    for name in sorted(unseen):
        say(f"no call of {name!r}")
    return fault


@click.command()
@opt.file_argument()
@opt.idl_list_options
@opt.output_option
@click.option("--format", "form", type=click.Choice(["json", "table", "summary"]), default="json", show_default=True, help="Output: calls as JSON, calls as a table, or one line a method.")
@click.option("--method", "methods", multiple=True, metavar="NAME", help="Print only calls of this method (repeatable).")
@click.option("--port", "ports", multiple=True, type=click.IntRange(1, 65535), metavar="PORT", help="Print only connections with this port (repeatable).")
@opt.integer("decode", "depth", help="Maximum nesting depth.")
@opt.choices("to_json", "enums=name", "unknown", "invalid_utf8=replace")
def pcap(file: str, output: str, form: str, methods: tuple[str, ...], ports: tuple[int, ...], **options: Any) -> None:
    """Print the Thrift calls in a network capture (pcap, pcapng) as lines of JSON: time, peers, arguments, result, latency.

    TCP streams are reassembled; framing and protocol are detected for each connection: buffered, framed, SASL, HTTP, Binary, Compact; UDP datagrams too.
    Missing and invalid data is reported on stderr. Latency: from the first byte of the call to the last byte of the reply. Needs thriftlens[pcap]."""
    services = services_of(take_schemas(options))
    chosen = {"form": form, "methods": methods, "ports": ports}
    name = report.display_name(file)
    with _files.reading(file) as source, report.reporting(file):
        with _files.writing(output) as sink:
            fault = run(source, sink, services, options, chosen, lambda line: report.say(f"{name}: {line}"))
        if fault is not None:
            raise fault
