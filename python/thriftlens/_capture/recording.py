"""Recordings of RPC messages: written by `thriftlens record`, read by Recording. The format is recording.thrift."""

from __future__ import annotations

import collections
import functools
import os
from typing import IO, Any, Literal, NamedTuple, Optional, Union

from .. import _core
from .._errors import DecodeError, Error
from .._rpc.message import Message
from .._records.scan import scan
from .._schema.schema import Function, Schema, load
from .streams import Pairing

_FORMAT = "thriftlens recording"
_VERSION = 1
_KINDS: dict[str, int] = {"call": 1, "reply": 2, "exception": 3, "oneway": 4}
_PROTOCOLS: dict[str, int] = {"binary": 1, "compact": 2, "tjson": 3}
_SENDERS: dict[str, int] = {"client": 1, "server": 2}


@functools.lru_cache(maxsize=None)
def schema() -> Schema:
    """The IDL of recordings."""
    return load(os.path.join(os.path.dirname(__file__), "recording.thrift"))


def is_recording(first: bytes) -> bool:
    """Whether a file that begins so is one."""
    return first[4:7] == b"\x0c\x00\x01" and first[14:].startswith(_FORMAT.encode())


class Recorded(NamedTuple):
    """A message of a recording, and when its first and its last byte came, in seconds since the epoch."""

    connection: int
    sender: Literal["client", "server"]
    begin: float
    end: float
    message: Message
    transport: str
    headers: dict[str, str] = {}

    @property
    def kind(self) -> str:
        """"call", "oneway", "reply" or "exception"."""
        return self.message.kind

    @property
    def name(self) -> str:
        """The function, as it was on the wire."""
        return self.message.name

    @property
    def data(self) -> bytes:
        """The struct behind the message's head."""
        return bytes(self.message.data)


class RecordedCall(NamedTuple):
    """A call and its reply, which is None where there is none. A reply whose call is not in the recording is not here."""

    call: Recorded
    reply: Optional[Recorded]

    @property
    def latency(self) -> Optional[float]:
        """Seconds from the first byte of the call to the last one of the reply."""
        return None if self.reply is None else self.reply.end - self.call.begin


class LostBytes(NamedTuple):
    """Bytes that were no message, or a message that could not be redacted: the recording does not hold them."""

    connection: int
    sender: Literal["client", "server"]
    time: float
    size: int
    why: str


class Recording:
    """The messages of a file that `thriftlens record` wrote; the answers of a mock server.

    messages: all, in the order they were recorded. lost: what is not among them, and why. server: "host:port" of the server that answered.
    is_redacted: whether rules took something out.

    match: which recorded reply answers a call: that to the same arguments ("arguments"), or the next one to the same function ("name")."""

    def __init__(self, source: Union[str, os.PathLike[str], bytes, IO[bytes]], *, match: Literal["arguments", "name"] = "arguments"):
        if match not in ("arguments", "name"):
            raise ValueError(f"Recording(): match is 'arguments' or 'name', not {match!r}")
        self.match = match
        self.messages: list[Recorded] = []
        self.lost: list[LostBytes] = []
        self.server: Optional[str] = None
        self.is_redacted = False
        self._calls: Optional[list[RecordedCall]] = None
        self._given: collections.Counter[int] = collections.Counter()
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
            raise DecodeError("there are no bytes (byte 0)", code="truncated", offset=0)
        head = entry.get("head")
        if head is None or head["format"] != _FORMAT:
            raise DecodeError("the first record is another", code="bad_magic", offset=0)
        if head["version"] != _VERSION:
            raise DecodeError(f"this one is of version {head['version']}, and this thriftlens reads version {_VERSION}", code="unsupported", offset=0)
        self.server = head.get("server")
        self.is_redacted = head.get("redacted", False)

    def _take(self, entry: dict[str, Any]) -> None:
        if "message" in entry:
            self.messages.append(_recorded(entry["message"]))
        elif "lost" in entry:
            each = entry["lost"]
            self.lost.append(LostBytes(each["connection"], _word(_SENDERS, each["sender"]), each["time"] / 1e6, each["size"], each["why"]))

    @property
    def calls(self) -> list[RecordedCall]:
        """The calls in the order they were made, each with its reply."""
        if self._calls is None:
            self._calls = self._paired()
            for each in self._calls:
                self._by_name[each.call.name].append(each)
        return self._calls

    def _paired(self) -> list[RecordedCall]:
        pairings: dict[int, Pairing] = collections.defaultdict(Pairing)
        replies: dict[int, Recorded] = {}
        for recorded in self.messages:
            for pair in pairings[recorded.connection].take(int(recorded.sender == "server"), recorded):
                if pair.call is not None and pair.reply is not None:
                    replies[id(pair.call)] = recorded
        return [RecordedCall(each, replies.get(id(each))) for each in self.messages if each.kind in ("call", "oneway")]

    def answer(
        self, name: str, data: bytes, protocol: Literal["binary", "compact"] = "binary", function: Optional[Function] = None
    ) -> Optional[Recorded]:
        """The recorded reply to that call, its data in that protocol; None where there is none.

        Arguments are equal by value where the function is given, else by bytes. A call that was recorded more than once gets its replies one after
        another, and the last one from then on."""
        found = [each for each in self.calls_of(name) if each.reply is not None and self._is_like(each.call, data, protocol, function)]
        if not found:
            return None
        chosen = next((each for each in found if not self._given[id(each.call)]), found[-1])
        self._given[id(chosen.call)] += 1
        reply = chosen.reply
        assert reply is not None
        message = reply.message
        of = function.result if function is not None and message.kind == "reply" else None
        return reply._replace(message=message._replace(data=_in_protocol(message, protocol, of), protocol=protocol))

    def has(self, name: str, data: bytes, protocol: Literal["binary", "compact"] = "binary", function: Optional[Function] = None) -> bool:
        """Whether that call was recorded, whatever became of it; the arguments are compared as in answer()."""
        return any(self._is_like(each.call, data, protocol, function) for each in self.calls_of(name))

    def calls_of(self, name: str) -> list[RecordedCall]:
        """The recorded calls of a function; "Shop:get" is also answered by those of "get", and the other way round."""
        assert self.calls is not None
        short = name.rpartition(":")[2]
        return self._by_name.get(name) or [each for other, calls in self._by_name.items() if other.rpartition(":")[2] == short for each in calls]

    def _is_like(self, call: Recorded, data: bytes, protocol: Any, function: Optional[Function]) -> bool:
        if self.match == "name":
            return True
        message = call.message
        if message.protocol == protocol and bytes(message.data) == bytes(data):
            return True
        of = None if function is None else function.arguments
        try:
            known = _in_protocol(message, protocol, of)
            return known == bytes(data) if of is None else not of.diff(known, data, most=1, protocol=protocol)
        except Error:
            return False


def _recording_error(error: DecodeError, file: str, has_head: bool) -> DecodeError:
    """An error of the scan as an error of the recording. `file` is the prefix of the message."""
    error.option = None
    if has_head:
        made = DecodeError(f"{file}the recording is broken: {error}", code=error.code, path=error.path, offset=error.offset)
        made.record, made.record_offset = error.record, error.record_offset
        return made
    is_plain = error.code in ("truncated", "unsupported")
    why, code = (str(error), error.code) if is_plain else ("there is something else (byte 0)", "bad_magic")
    return DecodeError(f"{file}no recording: a file of `thriftlens record` begins with a head: {why}", code=code, offset=error.offset if is_plain else 0)


def _in_protocol(message: Message, protocol: Any, of: Any) -> bytes:
    data = bytes(message.data)
    return data if message.protocol == protocol else _core.convert(data, source=message.protocol, target=protocol, type=of)


def _word(words: dict[str, int], number: int) -> Any:
    for word, value in words.items():
        if value == number:
            return word
    raise DecodeError(f"{number} is none of {', '.join(words)}", code="bad_value")


def _recorded(each: dict[str, Any]) -> Recorded:
    message = Message(each["name"], _word(_KINDS, each["kind"]), each["sequence_id"], each["data"], _word(_PROTOCOLS, each["protocol"]))
    times = each["begin"] / 1e6, each["end"] / 1e6
    return Recorded(each["connection"], _word(_SENDERS, each["sender"]), *times, message, each["transport"], each.get("headers", {}))


class Writer:
    """Writes a recording, entry by entry: what is written is whole whenever the program ends."""

    def __init__(self, stream: Any, *, server: Optional[str] = None, redacted: bool = False):
        self._stream = stream
        self._entry = schema()["Entry"]
        self._write({"head": {"format": _FORMAT, "version": _VERSION, "server": server, "redacted": redacted}})

    def message(self, recorded: Recorded) -> None:
        """Appends a message."""
        message = recorded.message
        entry = {
            "begin": round(recorded.begin * 1e6),
            "end": round(recorded.end * 1e6),
            "connection": recorded.connection,
            "sender": _SENDERS[recorded.sender],
            "kind": _KINDS[message.kind],
            "name": message.name,
            "sequence_id": message.sequence_id,
            "protocol": _PROTOCOLS[message.protocol],
            "transport": recorded.transport,
            "data": bytes(message.data),
        }
        if recorded.headers:
            entry["headers"] = recorded.headers
        self._write({"message": entry})

    def lost(self, lost: LostBytes) -> None:
        """Appends the word that something is not here."""
        time, sender = round(lost.time * 1e6), _SENDERS[lost.sender]
        self._write({"lost": {"time": time, "connection": lost.connection, "sender": sender, "size": lost.size, "why": lost.why}})

    def _write(self, entry: dict[str, Any]) -> None:
        data = self._entry.encode(entry)
        self._stream.write(len(data).to_bytes(4, "big") + data)
        self._stream.flush()


for _each in (Recorded, RecordedCall, LostBytes, Recording):
    _each.__module__ = "thriftlens"
