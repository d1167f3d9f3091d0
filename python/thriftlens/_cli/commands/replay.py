"""`thriftlens replay`: the calls of a recording, made again and their answers compared; or answered from it by a mock server."""

from __future__ import annotations

import re
import sys
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence

import click

from .diff import format_difference
from .. import io as _files, options as opt, report
from ..input import load_schema
from ... import _core
from ..._rpc import message as _message
from ..._rpc.client import Client, connect
from ..._errors import Error, TransportError
from ..._schema.exceptions import find_near
from ..._rpc.probe import is_probe
from ..._capture.recording import Recorded, RecordedCall, Recording
from ..._schema.schema import Schema, Service, Type
from ..._text import escaped

Differ = Callable[[Type, str, str, Optional[bytes], Optional[bytes], Any], bytes]
_MOST = 100  # differences of one call that are shown


class Outcome:
    """What became of the calls."""

    def __init__(self) -> None:
        self.calls = self.different = self.unanswered = self.skipped = 0

    @property
    def is_same(self) -> bool:
        return self.different == self.unanswered == self.skipped == 0


class Player:
    """Makes the calls of a recording again: those of one connection over one connection, all in the order in which they were made."""

    def __init__(self, address: str, idl: Schema, how: dict[str, Any], ignored: Sequence[str], shown: Differ):
        self._address = address
        self._idl = idl
        self._services = list(idl.services.values())
        self._how = how
        self._ignored = tuple(ignored)
        self._shown = shown
        self._clients: dict[tuple[int, str], Client] = {}
        self.outcome = Outcome()

    def play(self, recording: Recording, methods: Sequence[str] = ()) -> Iterator[bytes]:
        """A line for each difference, with the number of the call."""
        try:
            for number, each in enumerate(recording.calls):
                name = each.call.name
                if is_probe(name) or (methods and not _names_of(each).intersection(methods)):
                    continue
                for line in self._again(each):
                    yield f"call {number} {name}: ".encode() + line
        finally:
            for client in self._clients.values():
                client.close()

    def _again(self, each: RecordedCall) -> list[bytes]:
        service = self._service_of(each.call.name)
        if service is None:
            self.outcome.skipped += 1
            return [b"the IDL has no such function: not called"]
        client = self._client(each.call, service)
        protocol: Any = client.protocol
        function = service.function(each.call.name.rpartition(":")[2])
        recorded: Any = each.call.message.protocol
        try:
            function.arguments.validate(each.call.message.data, protocol=recorded)
        except Error as error:
            self.outcome.skipped += 1
            return [f"the recorded arguments do not fit the IDL: not called: {error}".encode()]
        sent = _in_protocol(each.call.message, protocol, function.arguments)
        self.outcome.calls += 1
        try:
            answer = client.call(function.name, sent, result="message", headers=each.call.headers or None)
        except TransportError as error:
            self.outcome.unanswered += 1
            return [f"no reply: {error}".encode()]
        if answer is None or each.reply is None:
            return []
        lines = self._compared(each.reply.message._replace(function=function), answer)
        self.outcome.different += bool(lines)
        return lines

    def _compared(self, recorded: _message.Message, answer: _message.Message) -> list[bytes]:
        if recorded.kind != answer.kind:
            return [f"{_said(recorded)} -> {_said(answer)}".encode()]
        of = recorded.type
        protocol: Any = answer.protocol
        before = _in_protocol(recorded, protocol, of)
        rows = of._difference_rows(before, answer.data, most=_MOST, protocol=protocol)
        return [self._shown(of, kind, path, left, right, protocol) for kind, path, left, right in rows if not self._is_ignored(path)]

    def _is_ignored(self, path: str) -> bool:
        any_index = re.sub(r"\[\d+\]", "[*]", path)
        return any(_leads_to(each, spelled) for each in self._ignored for spelled in (path, any_index))

    def _service_of(self, name: str) -> Optional[Service]:
        prefix, _, short = name.rpartition(":")
        named = [each for each in self._services if each.name.rpartition(".")[2] == prefix] or self._services
        for service in named:
            if short in service.functions or short in service.inherited:
                return service
        return None

    def _client(self, call: Recorded, service: Service) -> Client:
        prefix = call.name.rpartition(":")[0]
        key = call.connection, f"{prefix} {service.name}"
        if key not in self._clients:
            options = {**self._how, "multiplexed": prefix or False, "headers": call.headers or None}
            self._clients[key] = connect(self._address, self._idl, service.name, **options)
        return self._clients[key]


def _leads_to(ignored: str, path: str) -> bool:
    """Whether a path is the ignored one, or lies below it."""
    return path == ignored or (path.startswith(ignored) and path[len(ignored)] in ".[{")


def _said(message: _message.Message) -> str:
    if message.kind != "exception":
        return "a reply"
    told = message.decode(invalid_utf8="replace")
    return f"an application exception ({told.get('message')!r}, {told.get('type', 0)})"


def _in_protocol(message: _message.Message, protocol: Any, of: Type) -> bytes:
    data = bytes(message.data)
    return data if message.protocol == protocol else _core.convert(data, source=message.protocol, target=protocol, type=of)


def summary(outcome: Outcome) -> str:
    """What became of them, in words."""
    words = [f"{outcome.calls} call{'' if outcome.calls == 1 else 's'}", f"{outcome.different} different"]
    words += [f"{count} {what}" for count, what in ((outcome.unanswered, "without a reply"), (outcome.skipped, "not called")) if count]
    return ", ".join(words)


def _names_of(each: RecordedCall) -> set[str]:
    """With and without the service in front."""
    name = each.call.name
    return {name, name.rpartition(":")[2]}


def check_methods(recording: Recording, methods: Sequence[str]) -> None:
    """Raises where no call of one was recorded."""
    known = set().union(*(_names_of(each) for each in recording.calls))
    for name in methods:
        if name not in known:
            near = find_near(name, known)
            raise Error(f"no call of {name!r} was recorded" + (f"; did you mean {near!r}?" if near else ""), code="unknown_name")


def check_ignored(services: Sequence[Service], paths: Sequence[str]) -> None:
    """Raises where a path leads nowhere in the result of any function."""
    for path in paths:
        fault: Optional[Error] = None
        for function in (each for service in services for each in (*service.functions.values(), *service.inherited.values())):
            try:
                function.result.at(path)
                break
            except Error as error:
                fault = fault or error
        else:
            raise fault or Error("the IDL has no functions", code="unknown_name")


def serve(recording: Recording, idl: Schema, service: Optional[str], how: Mapping[str, Any], say: Callable[[str], None]) -> None:
    """Answers calls from the recording until a signal ends it."""
    from ..._rpc.server import serve as serve_

    def ready(server: Any) -> None:
        say(f"{len(recording.calls)} recorded calls are answered at {server.address}")

    serve_(idl, service, recording, ready=ready, **how)

_ONLY_TO = ("ignored", "methods", "timeout", "tls", "ca", "multiplexed", "limits")

_ONLY_SERVE = ("service_name", "match")

_SPELLED = {"ignored": "ignore", "methods": "method", "service_name": "service", "limits": "limit"}


@click.command()
@click.argument("file", metavar="FILE", type=click.Path())
@opt.idl_argument
@click.option("--to", "address", metavar="HOST:PORT", help="Server to send the calls to; answers are compared.")
@click.option("--serve", "listen", callback=opt.read_address, metavar="HOST:PORT", help="Address to serve recorded answers on; port 0: any free port.")
@click.option("--service", "service_name", metavar="NAME", help="With --serve: the service, if the IDL has several.")
@click.option("--match", type=click.Choice(["arguments", "name"]), default="arguments", show_default=True, help="With --serve: what recorded calls are matched by.")
@click.option("--ignore", "ignored", multiple=True, metavar="PATH", help="With --to: path whose differences are ignored: $.success.time (repeatable).")
@click.option("--method", "methods", multiple=True, metavar="NAME", help="With --to: send only calls of this method (repeatable).")
@opt.connection_options
@opt.output_option
def replay(file: str, idl: str, address: Optional[str], listen: Optional[tuple[str, int]], service_name: Optional[str], match: Any, output: str, **options: Any) -> None:
    """Repeat the calls of a recording (--to), or answer calls from it (--serve) until Ctrl-C.

    --to prints the changes from the recorded to the new answers, as diff does. Exit status: 0 equal; 1 different, no reply, or a function that is not in
    the IDL; 2 error. With --serve, equal calls get their recorded replies in order, and then the last one again."""
    def say(line: str) -> None:
        report.say(f"{file}: {line}")

    if (address is None) == (listen is None):
        raise click.UsageError("give either --to or --serve")
    for option in _ONLY_TO if address is None else _ONLY_SERVE:
        if opt.is_given(option):
            raise click.UsageError(f"--{_SPELLED.get(option, option)} needs {'--to' if address is None else '--serve'}")
    ignored, methods = options.pop("ignored"), options.pop("methods")
    schema = load_schema(idl, options)
    how = opt.take_connection(options)
    try:
        recording = Recording(file, match=match)
    except Error as error:
        report.fail(error, status=2)
    if recording.is_redacted:
        say("the recording is redacted: redacted values differ")
    if listen is not None:
        return serve(
            recording, schema, service_name, {"host": listen[0], "port": listen[1], "transport": how["transport"], "protocol": how["protocol"]}, say
        )
    assert address is not None

    def shown(of: Type, kind: str, path: str, left: Optional[bytes], right: Optional[bytes], protocol: Any) -> bytes:
        return format_difference(of, kind, path, left, right, protocols=(protocol, protocol), depth=opt.DEFAULT_DEPTH)

    player = Player(address, schema, how, ignored, shown)
    try:
        check_ignored(list(schema.services.values()), ignored)
        check_methods(recording, methods)
        with _files.writing(output) as sink:
            for line in player.play(recording, methods):
                sink.write((escaped(line.decode("utf-8", "replace")) + "\n").encode())
    except Error as error:
        report.fail(error, status=2)
    say(summary(player.outcome))
    sys.exit(0 if player.outcome.is_same else 1)
