"""Thrift messages in the bytes of a connection that somebody else speaks, and calls made of the messages of both directions. No sockets, no clock."""

from __future__ import annotations

import collections
import itertools
import re
from typing import Any, Callable, Iterator, NamedTuple, Optional, Union

from .. import _core
from .._errors import Error
from .._rpc.message import Message, made_of, read_message, reason_of
from .._optional import package

_MESSAGE_SIZE = 1 << 28  # most bytes of a message
_NEGOTIATION_SIZE = 1 << 16  # most bytes of a message of SASL's negotiation
_TAIL = 1 << 10  # bytes kept where no message begins: a head of one may be cut there
_HOPELESS = 1 << 16  # bytes without any message, after which a direction is given up
_LARGE = 1 << 16  # bytes of a message that are not looked at again before they have grown by a quarter
_PENDING = 1 << 16  # calls that wait for their replies
_NEAR = 16  # of these under one sequence id that a reply may belong to
_HEADS = re.compile(rb"\x80\x01\x00[\x01-\x04]|\x82[\x21\x41\x61\x81]")
_NAME = re.compile(rb"[A-Za-z_][\w.:]*")
_PRINTABLE = re.compile(rb"[\x20-\x7e]+")
_HTTP_BEGINS = (b"POST ", b"GET ", b"PUT ", b"HEAD ", b"OPTIONS ", b"DELETE ", b"HTTP/1.")
_HEADER_MAGICS = {b"\x0f\xff": "header", b"\x10\x00": "ttheader"}


class Found(NamedTuple):
    """A message: where it begins in its direction and how many bytes it is, frame and all; when its first and its last byte came."""

    offset: int
    size: int
    begin: float
    end: float
    message: Message
    transport: str
    headers: dict[str, str] = {}


class Lost(NamedTuple):
    """Bytes that are no message, and why."""

    offset: int
    size: int
    time: float
    why: str


Part = Union[Found, Lost]


class Messages:
    """The messages of one direction. Bytes go in as they come, messages come out; what is no message is told, and the next one searched for.

    The framing is found out: buffered and framed (message by message), SASL after its negotiation, bodies of HTTP, THeader and TTHeader."""

    def __init__(self, is_begin: bool = True) -> None:
        """is_begin: the first bytes are those of the connection, as far as is known."""
        self.transport: Optional[str] = None
        self._is_begin = is_begin
        self._buffer = bytearray()
        self._base = 0
        self._times: collections.deque[tuple[int, float]] = collections.deque()
        self._wanted = 1
        self._tried = 0
        self._wasted = 0
        self._lost: Optional[Lost] = None
        self._passed = 0
        self._skip = 0
        self._any = False
        self._is_dead = False
        self._http: Optional[_HttpMessages] = None

    @property
    def offset(self) -> int:
        """Of the first byte that is not yet used."""
        return self._base

    def feed(self, data: bytes, time: float) -> list[Part]:
        """The next bytes of the direction, and when they came."""
        if self._http is not None:
            return self._http.feed(data, time)
        if self._is_dead:
            self._base += len(data)
            return []
        self._buffer += data
        self._times.append((self._base + len(self._buffer), time))
        return self._parts(False) if len(self._buffer) >= self._wanted else []

    def flush(self) -> list[Part]:
        """What is there now: a good moment is when the other direction begins to speak, or nothing comes for long."""
        is_small = len(self._buffer) <= max(_LARGE, self._tried + self._tried // 4)
        if not self._buffer or self._is_dead or (self._tried > _LARGE and is_small):
            return []
        return self._parts(False)

    def gap(self, size: int, time: float) -> list[Part]:
        """Bytes that are missing here."""
        if self._http is not None:
            return self._http.gap(size, time)
        parts = self._parts(False) if self._buffer and not self._is_dead else []
        begin, cut = self._base, len(self._buffer)
        rest = self._frame_left() - size
        self._drop(cut)
        self._base += size
        if self._lost is None:
            parts.append(Lost(begin, cut + size, time, f"{size} bytes are missing"))
            self._lost = Lost(self._base, 0, time, "after the missing bytes no message was found")
            self._passed = 0
        if rest >= 0 and cut:  # where the frame ends is known
            self._lost = None
            self._skip = rest
        self._wanted = 1
        return parts

    def finish(self) -> list[Part]:
        """The end of the direction."""
        if self._http is not None:
            return self._http.finish()
        parts = self._parts(True) if self._buffer and not self._is_dead else []
        if self._buffer and not self._is_dead and self._lost is None:
            parts.append(Lost(self._base, len(self._buffer), self._time(self._base), "the connection ends in the middle of a message"))
        parts += self._told()
        self._drop(len(self._buffer))
        return parts

    # Of what is here

    def _time(self, offset: int) -> float:
        for end, time in self._times:
            if offset < end:
                return time
        return self._times[-1][1] if self._times else 0.0

    def _drop(self, size: int) -> None:
        del self._buffer[:size]
        self._base += size
        while self._times and self._times[0][0] <= self._base and (len(self._times) > 1 or not self._buffer):
            self._times.popleft()

    def _frame_left(self) -> int:
        """Bytes that the message at the beginning still needs, where its frame says so; -1 where it does not."""
        if self._lost is not None or len(self._buffer) < 8 or _look(self._buffer) not in ("framed", "header", "ttheader"):
            return self._skip if self._skip else -1
        return int.from_bytes(self._buffer[:4], "big") + 4 - len(self._buffer)

    def _told(self) -> list[Part]:
        """What was lost, now that its end is known."""
        lost, self._lost = self._lost, None
        if lost is None or self._passed == 0:
            return []
        return [lost._replace(size=self._passed)]

    def _lose(self, size: int, why: str) -> None:
        """Passes over bytes that are no message."""
        if self._lost is None:
            self._lost = Lost(self._base, 0, self._time(self._base), why)
            self._passed = 0
        self._passed += size
        self._drop(size)

    def _parts(self, is_last: bool) -> list[Part]:
        parts: list[Part] = []
        while self._buffer and not self._is_dead:
            if self._skip:
                passed = min(self._skip, len(self._buffer))
                self._skip -= passed
                self._drop(passed)
                continue
            before = self._base
            made = self._step(is_last)
            if self._http is not None:
                self.transport = "http"
                data, time = bytes(self._buffer), self._time(self._base)
                self._drop(len(data))
                return parts + self._http.feed(data, time)
            if made is not None:
                parts += self._told()
                parts.append(made)
                self._any = True
            elif self._base == before:
                break
        if not self._any and self._lost is not None and self._passed > _HOPELESS:
            self._die("no Thrift: none of the framings that are known")
            parts += self._told()
        return parts

    def _die(self, why: str) -> None:
        self._lose(len(self._buffer), why)
        assert self._lost is not None
        self._lost = self._lost._replace(why=why)
        self._is_dead = True

    def _step(self, is_last: bool) -> Optional[Part]:
        """The next message; None where more is needed, or something was passed over."""
        self._wanted = 1
        if self._lost is not None and not self._search(is_last):
            return None
        look = _look(self._buffer, self._is_begin and (self._base == 0 or self.transport == "sasl"))
        if look == "more":
            self._wanted = len(self._buffer) + 1
        elif look == "sasl":
            self._negotiate()
        elif look == "http":
            self._http = _HttpMessages(self._buffer.startswith(b"HTTP/"))
        elif look == "tls":
            self._die("TLS, which cannot be read")
        elif look in ("header", "ttheader"):
            return self._header_frame(look)
        elif look == "none":
            self._lose(1, "no message begins here")
        else:
            return self._cut(look, is_last)
        return None

    def _negotiate(self) -> None:
        size = 5 + int.from_bytes(self._buffer[1:5], "big")
        if len(self._buffer) < size:
            self._wanted = size
            return
        self.transport = "sasl"
        self._drop(size)

    def _search(self, is_last: bool) -> bool:
        """Passes over bytes up to what seems to be a message's first."""
        start = 0
        while match := _HEADS.search(self._buffer, start):
            begin = match.start()
            named = _is_named(self._buffer, begin)
            if named is None and not is_last:
                self._lose(max(begin - 4, 0), "no message begins here")
                self._wanted = len(self._buffer) + 1
                return False
            if named:
                self._lose(begin - 4 if begin >= 4 and _is_frame(self._buffer, begin - 4) else begin, "no message begins here")
                return True
            start = begin + 1
        self._lose(max(len(self._buffer) - (0 if is_last else _TAIL), 0), "no message begins here")
        self._wanted = len(self._buffer) + 1
        return False

    def _cut(self, look: str, is_last: bool) -> Optional[Part]:
        rows, after, wanted, error, _ = _core.cut_records(self._buffer, framing="message", count=1, record_size=_MESSAGE_SIZE, last=int(is_last))
        if error is not None:
            self._wasted += error.offset or 0
            if self._wasted > 16 * (self._base + len(self._buffer)) + _HOPELESS:
                self._die("too much that begins as a message does and is none")
            else:
                self._lose(1, reason_of(error))
            return None
        if not rows:
            self._tried = len(self._buffer)
            self._wanted = max(wanted, len(self._buffer) + 1)
            return None
        self._tried = 0
        _, size, value, head = rows[0]
        assert isinstance(value, tuple) and head is not None
        return self._found(size, made_of(head, bytes(self._buffer[value[0] : value[1]]), None, self._buffer), look)

    def _found(self, size: int, message: Message, transport: str, headers: Optional[dict[str, str]] = None) -> Found:
        if self.transport != "sasl":
            self.transport = transport
        offset = self._base
        made = Found(offset, size, self._time(offset), self._time(offset + size - 1), message, self.transport, headers or {})
        self._drop(size)
        return made

    def _header_frame(self, look: str) -> Optional[Part]:
        size = 4 + int.from_bytes(self._buffer[:4], "big")
        if len(self._buffer) < size:
            self._wanted = size
            return None
        found = _unwrapped(bytes(self._buffer[:size]), look)
        if isinstance(found, str):
            self._lose(size, found)
            return None
        message, transport, headers = found
        return self._found(size, message, transport, headers)


_HEADERED = {"header": ("header",), "ttheader": ("ttheader", "ttheader_framed")}


def _unwrapped(frame: bytes, look: str) -> Union[tuple[Message, str, dict[str, str]], str]:
    """The message in a frame of THeader or TTHeader, the transport and the headers; or why there is none."""
    why = ""
    readers = (("server", "auto", 1), ("client", "binary", 0), ("client", "compact", 0))  # the first reads calls, the others replies
    for transport, (role, protocol, calls) in itertools.product(_HEADERED[look], readers):
        how: dict[str, Any] = {"transport": transport, "protocol": protocol, "calls": calls, "frame_size": _MESSAGE_SIZE}
        session = _core.Session(role, **how)  # type: ignore[arg-type]
        try:
            session.feed(frame)
            event = session.next()
        except Error as error:
            why = why or f"a frame of {look}: {error}"
            continue
        if event is None or event.what != "message":
            why = why or f"a frame of {look} without a message"
            continue
        spoken: Any = "compact" if event.protocol == "compact" else "binary"
        message = Message(event.name, event.kind, event.sequence_id, event.data, spoken, event.protocol != "binary_old")
        return message, event.transport, {str(name): value for name, value in event.headers.items() if str(name).lower() not in _SECRET_HEADERS}
    return why


class _HttpMessages:
    """The messages in the bodies of HTTP/1.1, of requests or of responses; bodies that do not say they are Thrift and are none are passed over."""

    _h11: Any = None  # the module

    def __init__(self, is_response: bool):
        try:
            self._h11 = package("h11", "HTTP needs", "'thriftlens[pcap]'")
        except ImportError as error:
            raise Error(str(error), code="io") from None
        self._is_response = is_response
        self._offset = 0
        self._time = 0.0
        self._is_dead = False
        self._renew(b"")

    def _renew(self, data: bytes) -> None:
        """Waits for the next request or response."""
        h11 = self._h11
        self._parser = h11.Connection(h11.CLIENT if self._is_response else h11.SERVER, max_incomplete_event_size=_NEGOTIATION_SIZE)
        if self._is_response:
            self._parser.send(h11.Request(method="POST", target="/", headers=[("Host", "-"), ("Content-Length", "0")]))
            self._parser.send(h11.EndOfMessage())
        self._body = bytearray()
        self._head: Any = None
        self._begin: Optional[tuple[int, float]] = None
        if data:
            self._parser.receive_data(data)

    def feed(self, data: bytes, time: float) -> list[Part]:
        """As Messages.feed."""
        begin = self._offset
        self._offset += len(data)
        self._time = time
        if self._is_dead or not data:
            return []
        self._begin = self._begin or (begin, time)
        return self._receive(data, begin, time)

    def _receive(self, data: bytes, begin: int, time: float) -> list[Part]:
        """The messages that these bytes complete; no bytes are the end of the connection."""
        try:
            self._parser.receive_data(data)
            return list(self._bodies(time))
        except self._h11.RemoteProtocolError:  # its words hold the header, which may be a secret
            self._is_dead = True
            return [Lost(begin, len(data), time, "HTTP that is broken; the rest of the direction is passed over")]

    def gap(self, size: int, time: float) -> list[Part]:
        """The next head is found where a piece begins with one: not tried."""
        lost = Lost(self._offset, size, time, f"{size} bytes of HTTP are missing; the rest of the direction is passed over")
        self._offset += size
        was_dead, self._is_dead = self._is_dead, True
        return [] if was_dead else [lost]

    def finish(self) -> list[Part]:
        """As Messages.finish. The end of the connection may be that of a body."""
        if self._begin is None or self._is_dead:
            return []
        if self._parser.their_state is self._h11.SEND_BODY and self._head.http_version == b"1.0":
            return self._receive(b"", self._begin[0], self._time)
        return [Lost(self._begin[0], self._offset - self._begin[0], self._begin[1], "the connection ends in the middle of HTTP")]

    def _bodies(self, time: float) -> Iterator[Part]:
        h11 = self._h11
        while True:
            event = self._parser.next_event()
            if event is h11.NEED_DATA or event is h11.PAUSED or isinstance(event, h11.ConnectionClosed):
                return
            if isinstance(event, (h11.Request, h11.Response)):
                self._head = event
            elif isinstance(event, h11.Data):
                if len(self._body) + len(event.data) > _MESSAGE_SIZE:
                    raise h11.RemoteProtocolError("a body exceeds the limit")
                self._body += event.data
            elif isinstance(event, h11.EndOfMessage):
                yield from self._message(time)
                rest = self._parser.trailing_data[0]
                self._renew(rest)
                if rest:
                    self._begin = (self._offset - len(rest), time)

    def _message(self, time: float) -> Iterator[Part]:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in self._head.headers}
        offset, begin = self._begin or (self._offset, time)
        body = self._body
        if not body:
            return  # servers answer oneway calls so
        try:
            if "gzip" in headers.get("content-encoding", ""):
                body = _unpacked(body)
            message = read_message(bytes(body))
        except Error as error:
            if "thrift" in headers.get("content-type", ""):
                yield Lost(offset, len(self._body), begin, f"a body of HTTP is no message ({error.code})")
            return
        kept = {name: value for name, value in headers.items() if name not in _SECRET_HEADERS}
        yield Found(offset, self._offset - offset, begin, time, message, "http", kept)


_SECRET_HEADERS = ("authorization", "proxy-authorization", "cookie", "set-cookie")


def _unpacked(body: bytearray) -> bytearray:
    import zlib

    unpacker = zlib.decompressobj(31)
    try:
        made = bytearray(unpacker.decompress(body, _MESSAGE_SIZE))
    except zlib.error as error:
        raise Error(f"gzip that is broken: {error}", code="bad_magic") from None
    if unpacker.unconsumed_tail:
        raise Error("a body exceeds the limit", code="size_limit")
    return made


def _look(data: bytearray, is_begin: bool = False) -> str:
    """What begins here: "buffered", "framed", "header", "ttheader", "http"; at the beginning of a connection also "sasl" and "tls"; "more", "none"."""
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
    for place, look in ((0, "buffered"), (4, "framed")):
        if (old := _is_old(data, place)) is not False:
            return look if old else "more"
    return "none"


def _is_old(data: bytearray, place: int) -> Optional[bool]:
    """Whether a head of Binary without its version stands there: a name behind its size, and a kind. None where more is needed."""
    size = int.from_bytes(data[place : place + 4], "big")
    if not 1 <= size <= 255:
        return False
    name = data[place + 4 : place + 4 + size]
    if name and not _PRINTABLE.fullmatch(name):
        return False
    if len(data) <= place + 4 + size:
        return None
    return 1 <= data[place + 4 + size] <= 4


def _is_named(data: bytearray, place: int) -> Optional[bool]:
    """Whether the head that seems to stand there goes on with a name as functions have. None where more is needed."""
    if data[place] == 0x80:
        size, begin = int.from_bytes(data[place + 4 : place + 8], "big"), place + 8
        if len(data) < begin:
            return None
    else:
        begin = place + 2
        while begin < len(data) and data[begin] >= 0x80:  # the sequence id
            begin += 1
        begin += 1
        if begin >= len(data):
            return None
        if begin - place > 7:
            return False
        size, begin = data[begin], begin + 1
    if not 1 <= size <= 127:
        return False
    name = data[begin : begin + size]
    if name and not _NAME.fullmatch(name):
        return False
    return True if len(name) == size else None


def _is_frame(data: bytearray, place: int) -> bool:
    return 12 <= int.from_bytes(data[place : place + 4], "big") <= _MESSAGE_SIZE


class Call(NamedTuple):
    """A call and what came back; either is None where it was not seen. A oneway call has no reply."""

    call: Optional[Found]
    reply: Optional[Found]
    is_oneway: bool = False
    """By the kind of its message, or by the IDL: some clients send oneway calls as calls."""

    @property
    def latency(self) -> Optional[float]:
        """Seconds from the first byte of the call to the last one of the reply."""
        return self.reply.end - self.call.begin if self.call is not None and self.reply is not None else None


def _function(name: str) -> str:
    """Without the service in front: replies have none."""
    return name.rpartition(":")[2]


class Pairing:
    """The calls of one connection: which reply belongs to which call, by sequence id and, where that is used again, in order.

    Takes whatever has a `message`: what is found in traffic, what is read from recordings. is_oneway: tells by the name in a message
    whether the IDL has the function as oneway."""

    def __init__(self, is_oneway: Callable[[str], bool] = lambda name: False) -> None:
        self._is_oneway = is_oneway
        self._waiting: collections.OrderedDict[tuple[int, int], collections.deque[Any]] = collections.OrderedDict()
        self._oneway: dict[tuple[int, int], str] = {}
        self._count = 0
        self.client: Optional[int] = None
        """The side that calls; None before the first message."""

    def take(self, side: int, found: Any) -> Iterator[Call]:
        """What a message that the side 0 or 1 sent completes."""
        message = found.message
        is_call = message.kind in ("call", "oneway")
        if self.client is None:
            self.client = side if is_call else 1 - side
        if is_call and (message.kind == "oneway" or self._is_oneway(message.name)):
            if len(self._oneway) < _PENDING:
                self._oneway[side, message.sequence_id] = _function(message.name)
            yield Call(found, None, True)
        elif is_call:
            self._waiting.setdefault((side, message.sequence_id), collections.deque()).append(found)
            self._count += 1
            if self._count > _PENDING:
                yield Call(self._take(next(iter(self._waiting))), None)
        elif (1 - side, message.sequence_id) in self._waiting:
            yield Call(self._take((1 - side, message.sequence_id), message.name), found)
        elif self._oneway.pop((1 - side, message.sequence_id), None) != _function(message.name):  # some servers answer oneway calls
            yield Call(None, found)

    def _take(self, key: tuple[int, int], name: str = "") -> Any:
        """The first call of that name; the first of all where none has it."""
        waiting = self._waiting[key]
        near = itertools.islice(waiting, _NEAR)
        chosen = next((each for each in near if name and _function(each.message.name) == _function(name)), waiting[0])
        waiting.remove(chosen)
        self._count -= 1
        if not waiting:
            del self._waiting[key]
        return chosen

    def finish(self) -> Iterator[Call]:
        """Calls that got no reply."""
        while self._waiting:
            yield Call(self._take(next(iter(self._waiting))), None)
