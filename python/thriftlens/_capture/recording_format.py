"""The format of recordings (recording.thrift): its entries and the writer."""

from __future__ import annotations

import functools
import os
from typing import IO, Literal, NamedTuple, Optional, TypeVar

from .._errors import DecodeError
from .._rpc.message import Message
from .._schema.loading import load
from .._schema.schemas import Schema
from .._typing import Value, Values

Sender = Literal["client", "server"]
_Word = TypeVar("_Word", bound=str)
_KINDS: dict[str, int] = {"call": 1, "reply": 2, "exception": 3, "oneway": 4}
_PROTOCOLS: dict[Literal["binary", "compact", "tjson"], int] = {
    "binary": 1,
    "compact": 2,
    "tjson": 3,
}
_SENDERS: dict[Sender, int] = {"client": 1, "server": 2}
FORMAT = "thriftlens recording"
VERSION = 1


class Recorded(NamedTuple):
    """A recorded message, with the times of its first and last byte in seconds since the epoch."""

    connection: int
    sender: Sender
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
    """Bytes that are not recorded: not a message, or a message that could not be redacted."""

    connection: int
    sender: Sender
    time: float
    size: int
    reason: str


def _name_of(names: dict[_Word, int], number: int) -> _Word:
    for name, value in names.items():
        if value == number:
            return name
    raise DecodeError(f"unknown number {number} of {', '.join(names)}", code="bad_value")


def recorded_message(entry: Values) -> Recorded:
    """The entry `message` of a recording."""
    message = Message(
        entry["name"],
        _name_of(_KINDS, entry["kind"]),
        entry["sequence_id"],
        entry["data"],
        _name_of(_PROTOCOLS, entry["protocol"]),
    )
    return Recorded(
        entry["connection"],
        _name_of(_SENDERS, entry["sender"]),
        entry["begin"] / 1e6,
        entry["end"] / 1e6,
        message,
        entry["transport"],
        entry.get("headers", {}),
    )


def lost_bytes(entry: Values) -> LostBytes:
    """The entry `lost` of a recording."""
    sender = _name_of(_SENDERS, entry["sender"])
    return LostBytes(
        entry["connection"], sender, entry["time"] / 1e6, entry["size"], entry["reason"]
    )


@functools.lru_cache(maxsize=None)
def schema() -> Schema:
    """The IDL of recordings."""
    return load(os.path.join(os.path.dirname(__file__), "recording.thrift"))


def is_recording(first: bytes) -> bool:
    """Whether these first bytes of a file are those of a recording."""
    return first[4:7] == b"\x0c\x00\x01" and first[14:].startswith(FORMAT.encode())


class Writer:
    """Writes a recording and flushes after every entry, so that the file is valid at any time."""

    def __init__(self, stream: IO[bytes], *, server: Optional[str] = None, redacted: bool = False):
        self._stream = stream
        self._entry = schema()["Entry"]
        head = {"format": FORMAT, "version": VERSION, "server": server, "redacted": redacted}
        self._write("head", head)

    def message(self, recorded: Recorded) -> None:
        """Appends a message."""
        message = recorded.message
        entry = {
            "begin": round(recorded.begin * 1e6), "end": round(recorded.end * 1e6),
            "connection": recorded.connection, "sender": _SENDERS[recorded.sender],
            "kind": _KINDS[message.kind], "name": message.name, "sequence_id": message.sequence_id,
            "protocol": _PROTOCOLS[message.protocol], "transport": recorded.transport,
            "data": bytes(message.data),
        }  # fmt: skip
        if recorded.headers:
            entry["headers"] = recorded.headers
        self._write("message", entry)

    def lost(self, lost: LostBytes) -> None:
        """Appends an entry for lost bytes."""
        entry = {
            "time": round(lost.time * 1e6),
            "connection": lost.connection,
            "sender": _SENDERS[lost.sender],
            "size": lost.size,
            "reason": lost.reason,
        }
        self._write("lost", entry)

    def _write(self, kind: Literal["head", "message", "lost"], entry: dict[str, Value]) -> None:
        data = self._entry.encode({kind: entry})
        self._stream.write(len(data).to_bytes(4, "big") + data)
        self._stream.flush()


for _class in (Recorded, RecordedCall, LostBytes):
    _class.__module__ = "thriftlens"
