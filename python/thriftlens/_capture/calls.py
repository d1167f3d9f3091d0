"""Calls and their replies on a connection."""

from __future__ import annotations

import collections
import itertools
from typing import Any, Callable, Iterator, NamedTuple, Optional, Union

from .._rpc.message import Message

MESSAGE_SIZE = 1 << 28  # maximum bytes of a message
NEGOTIATION_SIZE = 1 << 16  # maximum bytes of a SASL negotiation message, and of an HTTP head


class CapturedMessage(NamedTuple):
    """A captured message: offset in its direction, size with framing, and times of the first and
    the last byte."""

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


_PENDING = 1 << 16  # maximum calls without a reply
_NEAR = 16  # calls with one sequence id among which a reply is matched by name


class Call(NamedTuple):
    """A call and its reply; None for one that was not captured. A oneway call has no reply."""

    call: Optional[CapturedMessage]
    reply: Optional[CapturedMessage]
    is_oneway: bool = False
    """By message kind or IDL: some clients send oneway functions as kind call."""

    @property
    def latency(self) -> Optional[float]:
        """Seconds from the first byte of the call to the last one of the reply."""
        if self.call is not None and self.reply is not None:
            return self.reply.end - self.call.begin
        return None


def _function(name: str) -> str:
    """The name without its service, which replies omit."""
    return name.rpartition(":")[2]


class Pairing:
    """Pairs the calls and replies of a connection by sequence id; calls with the same id in order.

    Entries are objects with an attribute `message`, from captures or recordings. is_oneway: whether
    the IDL declares the function of a message name as oneway."""

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
