"""Extracts Thrift messages from captured connection bytes and pairs calls with replies.

No sockets, no clock."""

from __future__ import annotations

import collections
from typing import Optional

from .. import _core
from .._errors import Error
from .._rpc.message import Message, message_of
from .calls import MESSAGE_SIZE, CapturedMessage, Lost, Part
from .header_frames import read_header_frame
from .http_messages import HttpMessages
from .transport_detection import HEADS, detect, is_frame, is_named

_TAIL = 1 << 10  # unparsed bytes to keep: they may be the start of a message header
_LEADING_SIZE = 1 << 16  # leading bytes without a message after which a direction is abandoned
_LARGE = 1 << 16  # bytes of a partial message; from here it is retried after growth by a quarter


class Messages:
    """An incremental parser of the messages of one direction. Reports bytes that are not a message
    as Lost and searches for the next message.

    Detects the framing: buffered and framed (per message), SASL after its negotiation, HTTP bodies,
    THeader and TTHeader."""

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
        self._http: Optional[HttpMessages] = None

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
        pause."""
        is_small = len(self._buffer) <= max(_LARGE, self._tried_size + self._tried_size // 4)
        if not self._buffer or self._is_abandoned or (self._tried_size > _LARGE and is_small):
            return []
        return self._parts(False)

    def gap(self, size: int, time: float) -> list[Part]:
        """Records bytes that are missing in the capture."""
        if self._http is not None:
            return self._http.gap(size, time)
        parts = self._remaining_parts(False)
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
        parts = self._remaining_parts(True)
        if self._buffer and not self._is_abandoned and self._lost is None:
            reason = "the connection ends in the middle of a message"
            parts.append(Lost(self._base, len(self._buffer), self._time(self._base), reason))
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
            or detect(self._buffer) not in ("framed", "header", "ttheader")
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

    def _remaining_parts(self, is_last: bool) -> list[Part]:
        return self._parts(is_last) if self._buffer and not self._is_abandoned else []

    def _parts(self, is_last: bool) -> list[Part]:
        parts: list[Part] = []
        while self._buffer and not self._is_abandoned:
            if self._skip:
                self._skip_bytes()
                continue
            start = self._base
            part = self._step(is_last)
            if self._http is not None:
                return parts + self._feed_http(self._http)
            if part is not None:
                parts += self._take_lost()
                parts.append(part)
                self._has_messages = True
            elif self._base == start:
                break
        return parts + self._take_leading()

    def _take_leading(self) -> list[Part]:
        """Abandons the direction after many bytes without a message."""
        if self._has_messages or self._lost is None or self._lost_size <= _LEADING_SIZE:
            return []
        self._abandon("expected Thrift in a known framing")
        return self._take_lost()

    def _skip_bytes(self) -> None:
        """Skips buffered bytes of a frame whose begin is missing."""
        size = min(self._skip, len(self._buffer))
        self._skip -= size
        self._drop(size)

    def _feed_http(self, http: HttpMessages) -> list[Part]:
        """Passes the buffered bytes to the parser of HTTP, which takes over the direction."""
        self.transport = "http"
        data, time = bytes(self._buffer), self._time(self._base)
        self._drop(len(data))
        return http.feed(data, time)

    def _abandon(self, reason: str) -> None:
        self._lose(len(self._buffer), reason)
        assert self._lost is not None
        self._lost = self._lost._replace(reason=reason)
        self._is_abandoned = True

    def _step(self, is_last: bool) -> Optional[Part]:
        """The next message; None if more bytes are needed or bytes were skipped."""
        self._needed_size = 1
        if self._lost is not None and not self._search(is_last):
            return None
        framing = detect(
            self._buffer, self._is_begin and (self._base == 0 or self.transport == "sasl")
        )
        if framing == "more":
            self._needed_size = len(self._buffer) + 1
        elif framing == "sasl":
            self._negotiate()
        elif framing == "http":
            self._http = HttpMessages(self._buffer.startswith(b"HTTP/"))
        elif framing == "tls":
            self._abandon("TLS-encrypted")
        elif framing in ("header", "ttheader"):
            return self._header_frame(framing)
        elif framing == "none":
            self._lose(1, "expected a message header")
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
        """Skips bytes up to a probable start of a message; false if more bytes are needed."""
        start, end = 0, len(self._buffer) - (0 if is_last else _TAIL)
        while match := HEADS.search(self._buffer, start):
            begin = match.start()
            named = is_named(self._buffer, begin)
            if named:
                has_frame = begin >= 4 and is_frame(self._buffer, begin - 4)
                self._lose(begin - 4 if has_frame else begin, "expected a message header")
                return True
            if named is None and not is_last:
                end = begin - 4
                break
            start = begin + 1
        self._lose(max(end, 0), "expected a message header")
        self._needed_size = len(self._buffer) + 1
        return False

    def _next_message(self, framing: str, is_last: bool) -> Optional[Part]:
        cut = _core.cut_records(
            self._buffer, framing="message", count=1, record_size=MESSAGE_SIZE, last=int(is_last)
        )
        if cut.error is not None:
            self._lose_false_head(cut.error)
            return None
        if not cut.rows:
            self._tried_size = len(self._buffer)
            self._needed_size = max(cut.needed, len(self._buffer) + 1)
            return None
        self._tried_size = 0
        _, size, value, head = cut.rows[0]
        assert isinstance(value, tuple)
        data = bytes(self._buffer[value[0] : value[1]])
        message = message_of(head, data, None, self._buffer)
        return self._take_message(size, message, framing)

    def _lose_false_head(self, error: Error) -> None:
        """Skips a byte after a failed read of a message; abandons the direction after many."""
        self._failed_size += error.offset or 0
        if self._failed_size > 16 * (self._base + len(self._buffer)) + _LEADING_SIZE:
            self._abandon("too many false message headers")
        else:
            self._lose(1, error.detail)

    def _take_message(
        self, size: int, message: Message, transport: str, headers: Optional[dict[str, str]] = None
    ) -> CapturedMessage:
        if self.transport != "sasl":
            self.transport = transport
        begin, end = self._time(self._base), self._time(self._base + size - 1)
        captured = CapturedMessage(
            self._base, size, begin, end, message, self.transport, headers or {}
        )
        self._drop(size)
        return captured

    def _header_frame(self, framing: str) -> Optional[Part]:
        size = 4 + int.from_bytes(self._buffer[:4], "big")
        if len(self._buffer) < size:
            self._needed_size = size
            return None
        try:
            message, transport, headers = read_header_frame(bytes(self._buffer[:size]), framing)
        except Error as error:
            self._lose(size, error.args[0])
            return None
        return self._take_message(size, message, transport, headers)
