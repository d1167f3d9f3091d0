"""Extracts Thrift messages from captured connection bytes and pairs calls with replies.

No sockets, no clock.
"""

from __future__ import annotations

import collections
import itertools
import re
from typing import Any, Callable, Iterator, NamedTuple, Optional, Union

from .. import _core
from .._errors import Error
from .._optional import package
from .._rpc.message import Message, message_of, read_message, reason_of

_MESSAGE_SIZE = 1 << 28  # maximum bytes of a message
_NEGOTIATION_SIZE = 1 << 16  # maximum bytes of a SASL negotiation message
_TAIL = 1 << 10  # unparsed bytes to keep: they may be the start of a message header
_LEADING_SIZE = 1 << 16  # leading bytes without a message after which a direction is abandoned
_LARGE = 1 << 16  # bytes of a partial message; from here it is retried after growth by a quarter
_PENDING = 1 << 16  # maximum calls without a reply
_NEAR = 16  # calls with one sequence id among which a reply is matched by name
_HEADS = re.compile(rb"\x80\x01\x00[\x01-\x04]|\x82[\x21\x41\x61\x81]")
_NAME = re.compile(rb"[A-Za-z_][\w.:]*")
_PRINTABLE = re.compile(rb"[\x20-\x7e]+")
_HTTP_BEGINS = (b"POST ", b"GET ", b"PUT ", b"HEAD ", b"OPTIONS ", b"DELETE ", b"HTTP/1.")
_HEADER_MAGICS = {b"\x0f\xff": "header", b"\x10\x00": "ttheader"}


class CapturedMessage(NamedTuple):
    """A captured message: offset in its direction, size with framing, and times of the first and
    the last byte.
    """

    offset: int
    size: int
    begin: float
    end: float
    message: Message
    transport: str
    headers: dict[str, str] = {}


class Lost(NamedTuple):
    """Bytes that are not a message, and the reason."""

    offset: int
    size: int
    time: float
    why: str


Part = Union[CapturedMessage, Lost]


class Messages:
    """An incremental parser of the messages of one direction. Reports bytes that are not a message
    as Lost and searches for the next message.

    Detects the framing: buffered and framed (per message), SASL after its negotiation, HTTP bodies,
    THeader and TTHeader.
    """

    def __init__(self, is_begin: bool = True) -> None:
        """is_begin: the input starts at the beginning of the connection."""
        self.transport: Optional[str] = None
        self._is_begin = is_begin
        self._buffer = bytearray()
        self._base = 0
        self._times: collections.deque[tuple[int, float]] = collections.deque()
        self._needed_size = 1
        self._tried_size = 0
        self._failed_size = 0
        self._lost: Optional[Lost] = None
        self._lost_size = 0
        self._skip = 0
        self._has_messages = False
        self._is_abandoned = False
        self._http: Optional[_HttpMessages] = None

    @property
    def offset(self) -> int:
        """Offset of the first byte that was not consumed."""
        return self._base

    def feed(self, data: bytes, time: float) -> list[Part]:
        """Parses the next bytes of the direction; `time` is their time of capture."""
        if self._http is not None:
            return self._http.feed(data, time)
        if self._is_abandoned:
            self._base += len(data)
            return []
        self._buffer += data
        self._times.append((self._base + len(self._buffer), time))
        return self._parts(False) if len(self._buffer) >= self._needed_size else []

    def flush(self) -> list[Part]:
        """Parses the buffered bytes; useful when the other direction starts to send, or after a
        pause.
        """
        is_small = len(self._buffer) <= max(_LARGE, self._tried_size + self._tried_size // 4)
        if not self._buffer or self._is_abandoned or (self._tried_size > _LARGE and is_small):
            return []
        return self._parts(False)

    def gap(self, size: int, time: float) -> list[Part]:
        """Records bytes that are missing in the capture."""
        if self._http is not None:
            return self._http.gap(size, time)
        parts = self._parts(False) if self._buffer and not self._is_abandoned else []
        begin, buffered = self._base, len(self._buffer)
        remaining = self._frame_remaining() - size
        self._drop(buffered)
        self._base += size
        if self._lost is None:
            parts.append(Lost(begin, buffered + size, time, f"{size} bytes are missing"))
            self._lost = Lost(self._base, 0, time, "no message after the missing bytes")
            self._lost_size = 0
        if remaining >= 0 and buffered:  # the end of the frame is known
            self._lost = None
            self._skip = remaining
        self._needed_size = 1
        return parts

    def finish(self) -> list[Part]:
        """Parses the rest at the end of the direction."""
        if self._http is not None:
            return self._http.finish()
        parts = self._parts(True) if self._buffer and not self._is_abandoned else []
        if self._buffer and not self._is_abandoned and self._lost is None:
            parts.append(
                Lost(
                    self._base,
                    len(self._buffer),
                    self._time(self._base),
                    "the connection ends in the middle of a message",
                )
            )
        parts += self._take_lost()
        self._drop(len(self._buffer))
        return parts

    # State

    def _time(self, offset: int) -> float:
        for end, time in self._times:
            if offset < end:
                return time
        return self._times[-1][1] if self._times else 0.0

    def _drop(self, size: int) -> None:
        del self._buffer[:size]
        self._base += size
        while (
            self._times
            and self._times[0][0] <= self._base
            and (len(self._times) > 1 or not self._buffer)
        ):
            self._times.popleft()

    def _frame_remaining(self) -> int:
        """Missing bytes of the buffered message by its frame size; -1 if unknown."""
        if (
            self._lost is not None
            or len(self._buffer) < 8
            or _detect(self._buffer) not in ("framed", "header", "ttheader")
        ):
            return self._skip if self._skip else -1
        return int.from_bytes(self._buffer[:4], "big") + 4 - len(self._buffer)

    def _take_lost(self) -> list[Part]:
        """The lost bytes, whose end is known now."""
        lost, self._lost = self._lost, None
        if lost is None or self._lost_size == 0:
            return []
        return [lost._replace(size=self._lost_size)]

    def _lose(self, size: int, reason: str) -> None:
        """Skips bytes that are not a message."""
        if self._lost is None:
            self._lost = Lost(self._base, 0, self._time(self._base), reason)
            self._lost_size = 0
        self._lost_size += size
        self._drop(size)

    def _parts(self, is_last: bool) -> list[Part]:
        parts: list[Part] = []
        while self._buffer and not self._is_abandoned:
            if self._skip:
                skipped = min(self._skip, len(self._buffer))
                self._skip -= skipped
                self._drop(skipped)
                continue
            start = self._base
            part = self._step(is_last)
            if self._http is not None:
                self.transport = "http"
                data, time = bytes(self._buffer), self._time(self._base)
                self._drop(len(data))
                return parts + self._http.feed(data, time)
            if part is not None:
                parts += self._take_lost()
                parts.append(part)
                self._has_messages = True
            elif self._base == start:
                break
        if not self._has_messages and self._lost is not None and self._lost_size > _LEADING_SIZE:
            self._abandon("not Thrift in any known framing")
            parts += self._take_lost()
        return parts

    def _abandon(self, reason: str) -> None:
        self._lose(len(self._buffer), reason)
        assert self._lost is not None
        self._lost = self._lost._replace(why=reason)
        self._is_abandoned = True

    def _step(self, is_last: bool) -> Optional[Part]:
        """The next message; None if more bytes are needed or bytes were skipped."""
        self._needed_size = 1
        if self._lost is not None and not self._search(is_last):
            return None
        framing = _detect(
            self._buffer, self._is_begin and (self._base == 0 or self.transport == "sasl")
        )
        if framing == "more":
            self._needed_size = len(self._buffer) + 1
        elif framing == "sasl":
            self._negotiate()
        elif framing == "http":
            self._http = _HttpMessages(self._buffer.startswith(b"HTTP/"))
        elif framing == "tls":
            self._abandon("TLS-encrypted")
        elif framing in ("header", "ttheader"):
            return self._header_frame(framing)
        elif framing == "none":
            self._lose(1, "no message begins here")
        else:
            return self._next_message(framing, is_last)
        return None

    def _negotiate(self) -> None:
        size = 5 + int.from_bytes(self._buffer[1:5], "big")
        if len(self._buffer) < size:
            self._needed_size = size
            return
        self.transport = "sasl"
        self._drop(size)

    def _search(self, is_last: bool) -> bool:
        """Skips bytes up to a probable start of a message."""
        start = 0
        while match := _HEADS.search(self._buffer, start):
            begin = match.start()
            named = _is_named(self._buffer, begin)
            if named is None and not is_last:
                self._lose(max(begin - 4, 0), "no message begins here")
                self._needed_size = len(self._buffer) + 1
                return False
            if named:
                self._lose(
                    begin - 4 if begin >= 4 and _is_frame(self._buffer, begin - 4) else begin,
                    "no message begins here",
                )
                return True
            start = begin + 1
        self._lose(max(len(self._buffer) - (0 if is_last else _TAIL), 0), "no message begins here")
        self._needed_size = len(self._buffer) + 1
        return False

    def _next_message(self, framing: str, is_last: bool) -> Optional[Part]:
        records, _end, needed, error, _ = _core.cut_records(
            self._buffer, framing="message", count=1, record_size=_MESSAGE_SIZE, last=int(is_last)
        )
        if error is not None:
            self._failed_size += error.offset or 0
            if self._failed_size > 16 * (self._base + len(self._buffer)) + _LEADING_SIZE:
                self._abandon("too many false message headers")
            else:
                self._lose(1, reason_of(error))
            return None
        if not records:
            self._tried_size = len(self._buffer)
            self._needed_size = max(needed, len(self._buffer) + 1)
            return None
        self._tried_size = 0
        _, size, value, head = records[0]
        assert isinstance(value, tuple) and head is not None
        return self._take_message(
            size,
            message_of(head, bytes(self._buffer[value[0] : value[1]]), None, self._buffer),
            framing,
        )

    def _take_message(
        self, size: int, message: Message, transport: str, headers: Optional[dict[str, str]] = None
    ) -> CapturedMessage:
        if self.transport != "sasl":
            self.transport = transport
        offset = self._base
        captured = CapturedMessage(
            offset,
            size,
            self._time(offset),
            self._time(offset + size - 1),
            message,
            self.transport,
            headers or {},
        )
        self._drop(size)
        return captured

    def _header_frame(self, framing: str) -> Optional[Part]:
        size = 4 + int.from_bytes(self._buffer[:4], "big")
        if len(self._buffer) < size:
            self._needed_size = size
            return None
        result = _read_header(bytes(self._buffer[:size]), framing)
        if isinstance(result, str):
            self._lose(size, result)
            return None
        message, transport, headers = result
        return self._take_message(size, message, transport, headers)


_TRANSPORTS = {"header": ("header",), "ttheader": ("ttheader", "ttheader_framed")}


def _read_header(frame: bytes, framing: str) -> Union[tuple[Message, str, dict[str, str]], str]:
    """Message, transport and headers of a THeader or TTHeader frame; or an error text."""
    reason = ""
    readers = (
        ("server", "auto", 1),
        ("client", "binary", 0),
        ("client", "compact", 0),
    )  # the first reads calls, the last two replies
    for transport, (role, protocol, calls) in itertools.product(_TRANSPORTS[framing], readers):
        options: dict[str, Any] = {
            "transport": transport,
            "protocol": protocol,
            "calls": calls,
            "frame_size": _MESSAGE_SIZE,
        }
        session = _core.Session(role, **options)  # type: ignore[arg-type]
        try:
            session.feed(frame)
            event = session.next()
        except Error as error:
            reason = reason or f"invalid {framing} frame: {error}"
            continue
        if event is None or event.what != "message":
            reason = reason or f"{framing} frame without a message"
            continue
        message_protocol: Any = "compact" if event.protocol == "compact" else "binary"
        message = Message(
            event.name,
            event.kind,
            event.sequence_id,
            event.data,
            message_protocol,
            event.protocol != "binary_old",
        )
        return (
            message,
            event.transport,
            {
                str(name): value
                for name, value in event.headers.items()
                if str(name).lower() not in _SECRET_HEADERS
            },
        )
    return reason


class _HttpMessages:
    """Messages in HTTP/1.1 request or response bodies.

    Skips invalid bodies whose Content-Type is not Thrift's.
    """

    _h11: Any = None  # the module

    def __init__(self, is_response: bool):
        try:
            self._h11 = package("h11", "HTTP needs", "'thriftlens[pcap]'")
        except ImportError as error:
            raise Error(str(error), code="io") from None
        self._is_response = is_response
        self._offset = 0
        self._time = 0.0
        self._is_abandoned = False
        self._renew(b"")

    def _renew(self, data: bytes) -> None:
        """Resets the parser for the next request or response."""
        h11 = self._h11
        self._parser = h11.Connection(
            h11.CLIENT if self._is_response else h11.SERVER,
            max_incomplete_event_size=_NEGOTIATION_SIZE,
        )
        if self._is_response:
            self._parser.send(
                h11.Request(
                    method="POST", target="/", headers=[("Host", "-"), ("Content-Length", "0")]
                )
            )
            self._parser.send(h11.EndOfMessage())
        self._body = bytearray()
        self._head: Any = None
        self._begin: Optional[tuple[int, float]] = None
        if data:
            self._parser.receive_data(data)

    def feed(self, data: bytes, time: float) -> list[Part]:
        """Like Messages.feed."""
        begin = self._offset
        self._offset += len(data)
        self._time = time
        if self._is_abandoned or not data:
            return []
        self._begin = self._begin or (begin, time)
        return self._receive(data, begin, time)

    def _receive(self, data: bytes, begin: int, time: float) -> list[Part]:
        """The messages that these bytes complete; empty data is the end of the connection."""
        try:
            self._parser.receive_data(data)
            return list(self._bodies(time))
        except self._h11.RemoteProtocolError:  # its text contains the header, which may be a secret
            self._is_abandoned = True
            return [
                Lost(begin, len(data), time, "invalid HTTP; the rest of the direction is skipped")
            ]

    def gap(self, size: int, time: float) -> list[Part]:
        """Abandons the direction: the next HTTP head is not searched for."""
        lost = Lost(
            self._offset,
            size,
            time,
            f"{size} bytes of HTTP are missing; the rest of the direction is skipped",
        )
        self._offset += size
        was_abandoned, self._is_abandoned = self._is_abandoned, True
        return [] if was_abandoned else [lost]

    def finish(self) -> list[Part]:
        """Like Messages.finish. The end of the connection may end a body."""
        if self._begin is None or self._is_abandoned:
            return []
        if self._parser.their_state is self._h11.SEND_BODY and self._head.http_version == b"1.0":
            return self._receive(b"", self._begin[0], self._time)
        return [
            Lost(
                self._begin[0],
                self._offset - self._begin[0],
                self._begin[1],
                "the connection ends in the middle of HTTP",
            )
        ]

    def _bodies(self, time: float) -> Iterator[Part]:
        h11 = self._h11
        while True:
            event = self._parser.next_event()
            if (
                event is h11.NEED_DATA
                or event is h11.PAUSED
                or isinstance(event, h11.ConnectionClosed)
            ):
                return
            if isinstance(event, (h11.Request, h11.Response)):
                self._head = event
            elif isinstance(event, h11.Data):
                if len(self._body) + len(event.data) > _MESSAGE_SIZE:
                    raise h11.RemoteProtocolError("the HTTP body exceeds the limit")
                self._body += event.data
            elif isinstance(event, h11.EndOfMessage):
                yield from self._message(time)
                rest = self._parser.trailing_data[0]
                self._renew(rest)
                if rest:
                    self._begin = (self._offset - len(rest), time)

    def _message(self, time: float) -> Iterator[Part]:
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in self._head.headers
        }
        offset, begin = self._begin or (self._offset, time)
        body = self._body
        if not body:
            return  # the HTTP response to a oneway call
        try:
            if "gzip" in headers.get("content-encoding", ""):
                body = _unpacked(body)
            message = read_message(bytes(body))
        except Error as error:
            if "thrift" in headers.get("content-type", ""):
                yield Lost(
                    offset, len(self._body), begin, f"the HTTP body is not a message ({error.code})"
                )
            return
        retained = {name: value for name, value in headers.items() if name not in _SECRET_HEADERS}
        yield CapturedMessage(offset, self._offset - offset, begin, time, message, "http", retained)


_SECRET_HEADERS = ("authorization", "proxy-authorization", "cookie", "set-cookie")


def _unpacked(body: bytearray) -> bytearray:
    import zlib

    unpacker = zlib.decompressobj(31)
    try:
        unpacked = bytearray(unpacker.decompress(body, _MESSAGE_SIZE))
    except zlib.error as error:
        raise Error(f"invalid gzip data: {error}", code="bad_magic") from None
    if unpacker.unconsumed_tail:
        raise Error("the HTTP body exceeds the limit", code="size_limit")
    return unpacked


def _detect(data: bytearray, is_begin: bool = False) -> str:
    """Framing of the data: "buffered", "framed", "header", "ttheader", "http"; at the start of a
    connection also "sasl", "tls"; "more"; "none".
    """
    if len(data) < 5:
        return "more"
    if is_begin:
        if 1 <= data[0] <= 5 and int.from_bytes(data[1:5], "big") <= _NEGOTIATION_SIZE:
            return "sasl"
        if data[0] in (0x14, 0x15, 0x16, 0x17) and data[1] == 3 and data[2] <= 4:
            return "tls"
    if data.startswith(_HTTP_BEGINS):
        return "http"
    if _HEADS.match(data):
        return "buffered"
    size = int.from_bytes(data[:4], "big")
    if size > _MESSAGE_SIZE:
        return "none"
    if magic := _HEADER_MAGICS.get(bytes(data[4:6])):
        return magic
    if _HEADS.match(data, 4):
        return "framed"
    if len(data) < 8:
        return "more"
    for offset, framing in ((0, "buffered"), (4, "framed")):
        if (is_old := _is_old(data, offset)) is not False:
            return framing if is_old else "more"
    return "none"


def _is_old(data: bytearray, offset: int) -> Optional[bool]:
    """Whether a Binary message header without version is at `offset`: size, name, kind.

    None if more bytes are needed.
    """
    size = int.from_bytes(data[offset : offset + 4], "big")
    if not 1 <= size <= 255:
        return False
    name = data[offset + 4 : offset + 4 + size]
    if name and not _PRINTABLE.fullmatch(name):
        return False
    if len(data) <= offset + 4 + size:
        return None
    return 1 <= data[offset + 4 + size] <= 4


def _is_named(data: bytearray, offset: int) -> Optional[bool]:
    """Whether the probable header at `offset` contains a function name.

    None if more bytes are needed.
    """
    if data[offset] == 0x80:
        size, begin = int.from_bytes(data[offset + 4 : offset + 8], "big"), offset + 8
        if len(data) < begin:
            return None
    else:
        begin = offset + 2
        while begin < len(data) and data[begin] >= 0x80:  # the sequence id
            begin += 1
        begin += 1
        if begin >= len(data):
            return None
        if begin - offset > 7:
            return False
        size, begin = data[begin], begin + 1
    if not 1 <= size <= 127:
        return False
    name = data[begin : begin + size]
    if name and not _NAME.fullmatch(name):
        return False
    return True if len(name) == size else None


def _is_frame(data: bytearray, offset: int) -> bool:
    return 12 <= int.from_bytes(data[offset : offset + 4], "big") <= _MESSAGE_SIZE


class Call(NamedTuple):
    """A call and its reply; None for one that was not captured. A oneway call has no reply."""

    call: Optional[CapturedMessage]
    reply: Optional[CapturedMessage]
    is_oneway: bool = False
    """By message kind or IDL: some clients send oneway functions as kind call."""

    @property
    def latency(self) -> Optional[float]:
        """Seconds from the first byte of the call to the last one of the reply."""
        return (
            self.reply.end - self.call.begin
            if self.call is not None and self.reply is not None
            else None
        )


def _function(name: str) -> str:
    """The name without its service, which replies omit."""
    return name.rpartition(":")[2]


class Pairing:
    """Pairs the calls and replies of a connection by sequence id; calls with the same id in order.

    Entries are objects with an attribute `message`, from captures or recordings. is_oneway: whether
    the IDL declares the function of a message name as oneway.
    """

    def __init__(self, is_oneway: Callable[[str], bool] = lambda name: False) -> None:
        self._is_oneway = is_oneway
        self._waiting: collections.OrderedDict[tuple[int, int], collections.deque[Any]] = (
            collections.OrderedDict()
        )
        self._oneway: dict[tuple[int, int], str] = {}
        self._count = 0
        self.client: Optional[int] = None
        """The side of the client; None before the first message."""

    def take(self, side: int, entry: Any) -> Iterator[Call]:
        """The calls completed by a message that side 0 or 1 sent."""
        message = entry.message
        is_call = message.kind in ("call", "oneway")
        if self.client is None:
            self.client = side if is_call else 1 - side
        if is_call and (message.kind == "oneway" or self._is_oneway(message.name)):
            if len(self._oneway) < _PENDING:
                self._oneway[side, message.sequence_id] = _function(message.name)
            yield Call(entry, None, True)
        elif is_call:
            self._waiting.setdefault((side, message.sequence_id), collections.deque()).append(entry)
            self._count += 1
            if self._count > _PENDING:
                yield Call(self._take(next(iter(self._waiting))), None)
        elif (1 - side, message.sequence_id) in self._waiting:
            yield Call(self._take((1 - side, message.sequence_id), message.name), entry)
        elif self._oneway.pop((1 - side, message.sequence_id), None) != _function(
            message.name
        ):  # some servers reply to oneway calls
            yield Call(None, entry)

    def _take(self, key: tuple[int, int], name: str = "") -> Any:
        """The first call of that name, else the first call."""
        waiting = self._waiting[key]
        candidates = itertools.islice(waiting, _NEAR)
        match = next(
            (
                entry
                for entry in candidates
                if name and _function(entry.message.name) == _function(name)
            ),
            waiting[0],
        )
        waiting.remove(match)
        self._count -= 1
        if not waiting:
            del self._waiting[key]
        return match

    def finish(self) -> Iterator[Call]:
        """The calls without a reply."""
        while self._waiting:
            yield Call(self._take(next(iter(self._waiting))), None)
