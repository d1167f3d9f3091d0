"""Reads and writes recordings of RPC messages; `thriftlens record` creates them.

The format is recording.thrift."""

from __future__ import annotations

import collections
import functools
import os
from typing import IO, Any, Literal, NamedTuple, Optional, Union

from .. import _core
from .._errors import DecodeError, Error
from .._records.scan import scan
from .._rpc.message import Message
from .._schema.loading import load
from .._schema.schemas import Schema
from .._schema.services import Function
from .calls import Pairing

KINDS: dict[str, int] = {"call": 1, "reply": 2, "exception": 3, "oneway": 4}
PROTOCOLS: dict[str, int] = {"binary": 1, "compact": 2, "tjson": 3}
SENDERS: dict[str, int] = {"client": 1, "server": 2}


class Recorded(NamedTuple):
    """A recorded message, with the times of its first and last byte in seconds since the epoch."""

    connection: int
    sender: Literal["client", "server"]
    begin: float
    end: float
    message: Message
    transport: str
    headers: dict[str, str] = {}

    @property
    def kind(self) -> str:
        """ "call", "oneway", "reply" or "exception"."""
        return self.message.kind

    @property
    def name(self) -> str:
        """The function name on the wire."""
        return self.message.name

    @property
    def data(self) -> bytes:
        """The struct after the message header."""
        return bytes(self.message.data)


class RecordedCall(NamedTuple):
    """A call and its reply, None without one. Replies without a recorded call are omitted."""

    call: Recorded
    reply: Optional[Recorded]

    @property
    def latency(self) -> Optional[float]:
        """Seconds from the first byte of the call to the last one of the reply."""
        return None if self.reply is None else self.reply.end - self.call.begin


class LostBytes(NamedTuple):
    """Bytes that are not in the recording: not a message, or a message that could not be redacted."""

    connection: int
    sender: Literal["client", "server"]
    time: float
    size: int
    why: str


def name_of(names: dict[str, int], number: int) -> Any:
    for name, value in names.items():
        if value == number:
            return name
    raise DecodeError(f"unknown number {number} of {', '.join(names)}", code="bad_value")


def recorded_message(entry: dict[str, Any]) -> Recorded:
    message = Message(
        entry["name"],
        name_of(KINDS, entry["kind"]),
        entry["sequence_id"],
        entry["data"],
        name_of(PROTOCOLS, entry["protocol"]),
    )
    times = entry["begin"] / 1e6, entry["end"] / 1e6
    return Recorded(
        entry["connection"],
        name_of(SENDERS, entry["sender"]),
        *times,
        message,
        entry["transport"],
        entry.get("headers", {}),
    )


_FORMAT = "thriftlens recording"
_VERSION = 1


@functools.lru_cache(maxsize=None)
def schema() -> Schema:
    """The IDL of recordings."""
    return load(os.path.join(os.path.dirname(__file__), "recording.thrift"))


def is_recording(first: bytes) -> bool:
    """Whether these first bytes of a file are those of a recording."""
    return first[4:7] == b"\x0c\x00\x01" and first[14:].startswith(_FORMAT.encode())


class Recording:
    """A file written by `thriftlens record`; also a handler for a mock server.

    messages: in the order they were recorded. lost: bytes that were not recorded, with the reason.
    server: "host:port" of the recorded server.
    is_redacted: whether redaction rules were applied.

    match: how calls are matched with recorded ones: by function and arguments ("arguments"), or the
    next call of the function ("name")."""

    def __init__(
        self,
        source: Union[str, os.PathLike[str], bytes, IO[bytes]],
        *,
        match: Literal["arguments", "name"] = "arguments",
    ):
        if match not in ("arguments", "name"):
            raise ValueError(f"Recording(): match: expected 'arguments' or 'name', not {match!r}")
        self.match = match
        self.messages: list[Recorded] = []
        self.lost: list[LostBytes] = []
        self.server: Optional[str] = None
        self.is_redacted = False
        self._calls: Optional[list[RecordedCall]] = None
        self._answered: collections.Counter[int] = collections.Counter()
        self._by_name: dict[str, list[RecordedCall]] = collections.defaultdict(list)
        self._read(source)

    def __repr__(self) -> str:
        return f"<thriftlens.Recording: {len(self.messages)} messages>"

    def _read(self, source: Any) -> None:
        if isinstance(source, (str, os.PathLike)):
            with open(source, "rb") as stream:
                self._read_entries(stream, f"{os.fspath(source)}: ")
        else:
            self._read_entries(source, "")

    def _read_entries(self, source: Any, file: str) -> None:
        entries = iter(scan(source, schema()["Entry"], framing="u32", to="dict"))
        has_head = False
        try:
            self._take_head(next(entries, None))
            has_head = True
            for entry in entries:
                self._take(entry)
        except DecodeError as error:
            raise _recording_error(error, file, has_head) from None

    def _take_head(self, entry: Optional[dict[str, Any]]) -> None:
        if entry is None:
            raise DecodeError("the file is empty (byte 0)", code="truncated", offset=0)
        head = entry.get("head")
        if head is None or head["format"] != _FORMAT:
            raise DecodeError("the first record is not a header", code="bad_magic", offset=0)
        if head["version"] != _VERSION:
            raise DecodeError(
                f"unsupported version {head['version']}; expected version {_VERSION}",
                code="unsupported",
                offset=0,
            )
        self.server = head.get("server")
        self.is_redacted = head.get("redacted", False)

    def _take(self, entry: dict[str, Any]) -> None:
        if "message" in entry:
            self.messages.append(recorded_message(entry["message"]))
        elif "lost" in entry:
            lost = entry["lost"]
            self.lost.append(
                LostBytes(
                    lost["connection"],
                    name_of(SENDERS, lost["sender"]),
                    lost["time"] / 1e6,
                    lost["size"],
                    lost["why"],
                )
            )

    @property
    def calls(self) -> list[RecordedCall]:
        """The calls in the order they were sent, with their replies."""
        if self._calls is None:
            self._calls = self._paired()
            for call in self._calls:
                self._by_name[call.call.name].append(call)
        return self._calls

    def _paired(self) -> list[RecordedCall]:
        pairings: dict[int, Pairing] = collections.defaultdict(Pairing)
        replies: dict[int, Recorded] = {}
        for recorded in self.messages:
            for pair in pairings[recorded.connection].take(
                int(recorded.sender == "server"), recorded
            ):
                if pair.call is not None and pair.reply is not None:
                    replies[id(pair.call)] = recorded
        return [
            RecordedCall(message, replies.get(id(message)))
            for message in self.messages
            if message.kind in ("call", "oneway")
        ]

    def answer(
        self,
        name: str,
        data: bytes,
        protocol: Literal["binary", "compact"] = "binary",
        function: Optional[Function] = None,
    ) -> Optional[Recorded]:
        """The recorded reply to a call, with its data in `protocol`; None if there is no match.

        Arguments are compared by value with `function`, else by bytes. If a call was recorded
        several times, its replies are returned in order; after the last one, that one again."""
        matches = [
            call
            for call in self.calls_of(name)
            if call.reply is not None and self._matches(call.call, data, protocol, function)
        ]
        if not matches:
            return None
        match = next((call for call in matches if not self._answered[id(call.call)]), matches[-1])
        self._answered[id(match.call)] += 1
        reply = match.reply
        assert reply is not None
        message = reply.message
        type = function.result if function is not None and message.kind == "reply" else None
        return reply._replace(
            message=message._replace(data=data_in(message, protocol, type), protocol=protocol)
        )

    def has(
        self,
        name: str,
        data: bytes,
        protocol: Literal["binary", "compact"] = "binary",
        function: Optional[Function] = None,
    ) -> bool:
        """Whether a call was recorded, with or without reply; arguments are compared as in
        answer()."""
        return any(
            self._matches(call.call, data, protocol, function) for call in self.calls_of(name)
        )

    def calls_of(self, name: str) -> list[RecordedCall]:
        """The recorded calls of a function; "Shop:get" also matches calls of "get", and vice versa."""
        assert self.calls is not None
        short = name.rpartition(":")[2]
        return self._by_name.get(name) or [
            call
            for full_name, calls in self._by_name.items()
            if full_name.rpartition(":")[2] == short
            for call in calls
        ]

    def _matches(
        self, call: Recorded, data: bytes, protocol: Any, function: Optional[Function]
    ) -> bool:
        if self.match == "name":
            return True
        message = call.message
        if message.protocol == protocol and bytes(message.data) == bytes(data):
            return True
        type = None if function is None else function.arguments
        try:
            recorded_data = data_in(message, protocol, type)
            if type is None:
                return recorded_data == bytes(data)
            return not type.diff(recorded_data, data, most=1, protocol=protocol)
        except Error:
            return False


def _recording_error(error: DecodeError, file: str, has_head: bool) -> DecodeError:
    """Converts an error of the scan to one of the recording. `file` prefixes the message."""
    error.option = None
    if has_head:
        recording_error = DecodeError(
            f"{file}invalid recording: {error}",
            code=error.code,
            path=error.path,
            offset=error.offset,
        )
        recording_error.record, recording_error.record_offset = error.record, error.record_offset
        return recording_error
    is_plain = error.code in ("truncated", "unsupported")
    reason, code = (
        (str(error), error.code) if is_plain else ("the header is missing (byte 0)", "bad_magic")
    )
    return DecodeError(
        f"{file}not a recording of `thriftlens record`: {reason}",
        code=code,
        offset=error.offset if is_plain else 0,
    )


def data_in(message: Message, protocol: Any, type: Any) -> bytes:
    """The data of a message, converted to the protocol."""
    data = bytes(message.data)
    if message.protocol == protocol:
        return data
    return _core.convert(data, source=message.protocol, target=protocol, type=type)


class Writer:
    """Writes a recording and flushes after every entry, so that the file is valid at any time."""

    def __init__(self, stream: Any, *, server: Optional[str] = None, redacted: bool = False):
        self._stream = stream
        self._entry = schema()["Entry"]
        self._write(
            {
                "head": {
                    "format": _FORMAT,
                    "version": _VERSION,
                    "server": server,
                    "redacted": redacted,
                }
            }
        )

    def message(self, recorded: Recorded) -> None:
        """Appends a message."""
        message = recorded.message
        entry = {
            "begin": round(recorded.begin * 1e6),
            "end": round(recorded.end * 1e6),
            "connection": recorded.connection,
            "sender": SENDERS[recorded.sender],
            "kind": KINDS[message.kind],
            "name": message.name,
            "sequence_id": message.sequence_id,
            "protocol": PROTOCOLS[message.protocol],
            "transport": recorded.transport,
            "data": bytes(message.data),
        }
        if recorded.headers:
            entry["headers"] = recorded.headers
        self._write({"message": entry})

    def lost(self, lost: LostBytes) -> None:
        """Appends an entry for lost bytes."""
        time, sender = round(lost.time * 1e6), SENDERS[lost.sender]
        self._write(
            {
                "lost": {
                    "time": time,
                    "connection": lost.connection,
                    "sender": sender,
                    "size": lost.size,
                    "why": lost.why,
                }
            }
        )

    def _write(self, entry: dict[str, Any]) -> None:
        data = self._entry.encode(entry)
        self._stream.write(len(data).to_bytes(4, "big") + data)
        self._stream.flush()


for _class in (Recorded, RecordedCall, LostBytes, Recording):
    _class.__module__ = "thriftlens"
