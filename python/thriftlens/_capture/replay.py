"""Replays of a recording: its calls are sent to a server, replies are compared."""

from __future__ import annotations

import re
from typing import Iterator, Optional, Sequence

from .._errors import Error, TransportError
from .._records.differences import difference_line
from .._rpc import message as _message
from .._rpc.client import Client, ConnectOptions, connect
from .._rpc.probe import is_probe
from .._schema.schemas import Schema
from .._schema.services import Function, Service
from .._text import did_you_mean
from .recording import Recording, WireProtocol, data_in
from .recording_format import Recorded, RecordedCall

_MAX_ROWS = 100  # differences shown per call


class Outcome:
    """Counts of the calls by result."""

    def __init__(self) -> None:
        self.calls = self.different = self.unanswered = self.skipped = 0

    @property
    def is_same(self) -> bool:
        return self.different == self.unanswered == self.skipped == 0


class Player:
    """Repeats the calls of a recording in their order.

    Calls of one recorded connection use one connection."""

    def __init__(self, address: str, idl: Schema, options: ConnectOptions, ignored: Sequence[str]):
        self._address = address
        self._idl = idl
        self._services = list(idl.services.values())
        self._options = options
        self._ignored = tuple(ignored)
        self._clients: dict[tuple[int, str], Client] = {}
        self.outcome = Outcome()

    def play(self, recording: Recording, methods: Sequence[str] = ()) -> Iterator[bytes]:
        """One line per difference, with the number of the call."""
        try:
            for number, recorded in enumerate(recording.calls):
                name = recorded.call.name
                if is_probe(name) or (methods and not _names_of(recorded).intersection(methods)):
                    continue
                for line in self._replay(recorded):
                    yield f"call {number} {name}: ".encode() + line
        finally:
            for client in self._clients.values():
                client.close()

    def _replay(self, recorded_call: RecordedCall) -> list[bytes]:
        """Sends a call. Returns the differences of the reply, or the reason for no comparison."""
        call = recorded_call.call
        service = self._service_of(call.name)
        if service is None:
            self.outcome.skipped += 1
            return [b"not called: no such function in the IDL"]
        function = service.function(call.name.rpartition(":")[2])
        if (fault := _fault_of_arguments(call.message, function)) is not None:
            self.outcome.skipped += 1
            return [f"not called: the recorded arguments do not match the IDL: {fault}".encode()]
        self.outcome.calls += 1
        try:
            reply = self._send(call, service, function)
        except TransportError as error:
            self.outcome.unanswered += 1
            return [f"no reply: {error}".encode()]
        if reply is None or recorded_call.reply is None:
            return []
        lines = self._differences(recorded_call.reply.message._replace(function=function), reply)
        self.outcome.different += bool(lines)
        return lines

    def _send(
        self, call: Recorded, service: Service, function: Function
    ) -> Optional[_message.Message]:
        client = self._client(call, service)
        arguments = data_in(call.message, _wire_protocol(client.protocol), function.arguments)
        reply: Optional[_message.Message] = client.call(
            function.name, arguments, result="message", headers=call.headers or None
        )
        return reply

    def _differences(self, recorded: _message.Message, reply: _message.Message) -> list[bytes]:
        if recorded.kind != reply.kind:
            return [f"{_reply_text(recorded)} -> {_reply_text(reply)}".encode()]
        type_ = recorded.type
        protocol = _wire_protocol(reply.protocol)
        old_data = data_in(recorded, protocol, type_)
        rows = type_._difference_rows(
            old_data, reply.data, max_differences=_MAX_ROWS, protocol=protocol
        )
        return [
            difference_line(type_, kind, path, sides, (protocol, protocol))
            for kind, path, *sides in rows
            if not self._is_ignored(path)
        ]

    def _is_ignored(self, path: str) -> bool:
        any_index = re.sub(r"\[\d+\]", "[*]", path)
        return any(
            _is_at_or_below(ignored, candidate)
            for ignored in self._ignored
            for candidate in (path, any_index)
        )

    def _service_of(self, name: str) -> Optional[Service]:
        prefix, _, short = name.rpartition(":")
        candidates = [
            service for service in self._services if service.name.rpartition(".")[2] == prefix
        ] or self._services
        for service in candidates:
            if short in service.functions or short in service.inherited:
                return service
        return None

    def _client(self, call: Recorded, service: Service) -> Client:
        prefix = call.name.rpartition(":")[0]
        key = call.connection, f"{prefix} {service.name}"
        if key not in self._clients:
            options: ConnectOptions = {
                **self._options,
                "multiplexed": prefix or False,
                "headers": call.headers or None,
            }
            self._clients[key] = connect(self._address, self._idl, service.name, **options)
        return self._clients[key]


def _wire_protocol(name: str) -> WireProtocol:
    return "compact" if name == "compact" else "binary"


def _fault_of_arguments(call: _message.Message, function: Function) -> Optional[Error]:
    """The error of arguments that do not match the IDL."""
    try:
        function.arguments.validate(call.data, protocol=_wire_protocol(call.protocol))
    except Error as error:
        return error
    return None


def _is_at_or_below(ignored: str, path: str) -> bool:
    """Whether a path is the ignored path or below it."""
    return path == ignored or (path.startswith(ignored) and path[len(ignored)] in ".[{")


def _reply_text(message: _message.Message) -> str:
    if message.kind != "exception":
        return "a reply"
    fields = message.decode(invalid_utf8="replace")
    return f"an application exception ({fields.get('message')!r}, {fields.get('type', 0)})"


def summary(outcome: Outcome) -> str:
    """The counts as text."""
    parts = [
        f"{outcome.calls} call{'' if outcome.calls == 1 else 's'}",
        f"{outcome.different} different",
    ]
    parts += [
        f"{count} {label}"
        for count, label in (
            (outcome.unanswered, "without a reply"),
            (outcome.skipped, "not called"),
        )
        if count
    ]
    return ", ".join(parts)


def _names_of(recorded_call: RecordedCall) -> set[str]:
    """The method name with and without the service."""
    name = recorded_call.call.name
    return {name, name.rpartition(":")[2]}


def check_methods(recording: Recording, methods: Sequence[str]) -> None:
    """Raises an Error if the recording has no call of one of the methods."""
    known = set().union(*(_names_of(recorded) for recorded in recording.calls))
    for name in methods:
        if name not in known:
            raise Error(
                f"no call of {name!r} was recorded{did_you_mean(name, known)}", code="unknown_name"
            )


def check_ignored(services: Sequence[Service], paths: Sequence[str]) -> None:
    """Raises an Error if a path is not valid in the result of any function."""
    for path in paths:
        fault: Optional[Error] = None
        for function in (
            function
            for service in services
            for function in (*service.functions.values(), *service.inherited.values())
        ):
            try:
                function.result.at(path)
                break
            except Error as error:
                fault = fault or error
        else:
            raise fault or Error("the IDL has no functions", code="unknown_name")
