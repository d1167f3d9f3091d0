"""Recordings of RPC messages, as `thriftlens record` writes them."""

from __future__ import annotations

import collections
import os
from typing import IO, Iterator, Literal, Optional, Union

from .. import _core
from .._errors import DecodeError, Error
from .._records.scan import scan
from .._rpc.message import Message
from .._schema.services import Function
from .._schema.types import Type
from .._typing import ErrorCode, Values
from .calls import Pairing
from .recording_format import (
    FORMAT,
    VERSION,
    LostBytes,
    Recorded,
    RecordedCall,
    lost_bytes,
    recorded_message,
    schema,
)

WireProtocol = Literal["binary", "compact"]


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
            raise ValueError(f"Recording(): match must be 'arguments' or 'name', not {match!r}")
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

    def _read(self, source: Union[str, os.PathLike[str], bytes, IO[bytes]]) -> None:
        if isinstance(source, (str, os.PathLike)):
            with open(source, "rb") as stream:
                self._read_entries(stream, f"{os.fspath(source)}: ")
        else:
            self._read_entries(source, "")

    def _read_entries(self, source: Union[bytes, IO[bytes]], file: str) -> None:
        entries = iter(scan(source, schema()["Entry"], framing="u32", to="dict"))
        has_head = False
        try:
            self._take_head(next(entries, None))
            has_head = True
            for entry in entries:
                self._take(entry)
        except DecodeError as error:
            raise _recording_error(error, file, has_head) from None

    def _take_head(self, entry: Optional[Values]) -> None:
        if entry is None:
            raise DecodeError("the file is empty (byte 0)", code="truncated", offset=0)
        head = entry.get("head")
        if head is None or head["format"] != FORMAT:
            raise DecodeError("the first record is not a header", code="bad_magic", offset=0)
        if head["version"] != VERSION:
            raise DecodeError(
                f"unsupported version {head['version']}; expected version {VERSION}",
                code="unsupported",
                offset=0,
            )
        self.server = head.get("server")
        self.is_redacted = head.get("redacted", False)

    def _take(self, entry: Values) -> None:
        if "message" in entry:
            self.messages.append(recorded_message(entry["message"]))
        elif "lost" in entry:
            self.lost.append(lost_bytes(entry["lost"]))

    @property
    def calls(self) -> list[RecordedCall]:
        """The calls in the order they were sent, with their replies."""
        if self._calls is None:
            self._calls = self._paired()
            for call in self._calls:
                self._by_name[call.call.name].append(call)
        return self._calls

    def _paired(self) -> list[RecordedCall]:
        pairings: dict[int, Pairing[Recorded]] = collections.defaultdict(Pairing)
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
        protocol: WireProtocol = "binary",
        function: Optional[Function] = None,
    ) -> Optional[Recorded]:
        """The recorded reply to a call, with its data in `protocol`; None if there is no match.

        Arguments are compared by value with `function`, else by bytes. If a call was recorded
        several times, its replies are returned in order; after the last one, that one again."""
        matches = [
            call for call in self._matches(name, data, protocol, function) if call.reply is not None
        ]
        if not matches:
            return None
        match = next((call for call in matches if not self._answered[id(call.call)]), matches[-1])
        self._answered[id(match.call)] += 1
        assert match.reply is not None
        message = match.reply.message
        type_ = function.result if function is not None and message.kind == "reply" else None
        data = data_in(message, protocol, type_)
        return match.reply._replace(message=message._replace(data=data, protocol=protocol))

    def has(
        self,
        name: str,
        data: bytes,
        protocol: WireProtocol = "binary",
        function: Optional[Function] = None,
    ) -> bool:
        """Whether a call was recorded, with or without reply; arguments are compared as in
        answer()."""
        return any(self._matches(name, data, protocol, function))

    def calls_of(self, name: str) -> list[RecordedCall]:
        """The recorded calls of a function; "Shop:get" matches "get", and vice versa."""
        assert self.calls is not None
        short = name.rpartition(":")[2]
        return self._by_name.get(name) or [
            call
            for full_name, calls in self._by_name.items()
            if full_name.rpartition(":")[2] == short
            for call in calls
        ]

    def _matches(
        self, name: str, data: bytes, protocol: WireProtocol, function: Optional[Function]
    ) -> Iterator[RecordedCall]:
        """The recorded calls of a function with these arguments; with any if `match` is "name"."""
        type_ = None if function is None else function.arguments
        for call in self.calls_of(name):
            if self.match == "name" or _is_equal(call.call.message, data, protocol, type_):
                yield call


def _is_equal(message: Message, data: bytes, protocol: WireProtocol, type_: Optional[Type]) -> bool:
    """Whether a message has this data: equal values of the type, or equal bytes without a type."""
    if message.protocol == protocol and bytes(message.data) == bytes(data):
        return True
    try:
        recorded = data_in(message, protocol, type_)
        if type_ is None:
            return recorded == bytes(data)
        return not type_.diff(recorded, data, max_differences=1, protocol=protocol)
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
    reason, offset = "the header is missing (byte 0)", error.offset
    code: ErrorCode = "bad_magic"
    if error.code in ("truncated", "unsupported"):
        reason, code = str(error), error.code
    else:
        offset = 0
    return DecodeError(
        f"{file}not a recording of `thriftlens record`: {reason}", code=code, offset=offset
    )


def data_in(message: Message, protocol: WireProtocol, type_: Optional[Type]) -> bytes:
    """The data of a message, converted to the protocol."""
    data = bytes(message.data)
    if message.protocol == protocol:
        return data
    return _core.convert(data, source=message.protocol, target=protocol, type=type_)


Recording.__module__ = "thriftlens"
