"""Calls and their replies on a connection."""

from __future__ import annotations

import collections
import dataclasses
import itertools
from typing import Callable, Generic, Iterator, NamedTuple, Optional, Protocol, TypeVar, Union

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
    reason: str


Part = Union[CapturedMessage, Lost]


_PENDING = 1 << 16  # maximum calls without a reply
_NEAR = 16  # calls with one sequence id among which a reply is matched by name


class Entry(Protocol):
    """A message with the times of its first and last byte, from a capture or a recording."""

    @property
    def message(self) -> Message: ...
    @property
    def begin(self) -> float: ...
    @property
    def end(self) -> float: ...


AnyEntry = TypeVar("AnyEntry", bound=Entry)


@dataclasses.dataclass(frozen=True)
class Pair(Generic[AnyEntry]):
    """A call and its reply; None for one that was not captured. A oneway call has no reply."""

    call: Optional[AnyEntry]
    reply: Optional[AnyEntry]
    is_oneway: bool = False
    """By message kind or IDL: some clients send oneway functions as kind call."""

    @property
    def latency(self) -> Optional[float]:
        """Seconds from the first byte of the call to the last one of the reply."""
        if self.call is not None and self.reply is not None:
            return self.reply.end - self.call.begin
        return None


Call = Pair[CapturedMessage]


def _function(name: str) -> str:
    """The name without its service, which replies omit."""
    return name.rpartition(":")[2]


class Pairing(Generic[AnyEntry]):
    """Pairs the calls and replies of a connection by sequence id; calls with the same id in order.

    is_oneway: whether the IDL declares the function of a message name as oneway."""

    def __init__(self, is_oneway: Callable[[str], bool] = lambda name: False) -> None:
        self._is_oneway = is_oneway
        self._waiting: collections.OrderedDict[tuple[int, int], collections.deque[AnyEntry]] = (
            collections.OrderedDict()
        )
        self._oneway: dict[tuple[int, int], str] = {}
        self._count = 0
        self.client: Optional[int] = None
        """The side of the client; None before the first message."""

    def take(self, side: int, entry: AnyEntry) -> Iterator[Pair[AnyEntry]]:
        """The calls completed by a message that side 0 or 1 sent."""
        is_call = entry.message.kind in ("call", "oneway")
        if self.client is None:
            self.client = side if is_call else 1 - side
        return self._take_call(side, entry) if is_call else self._take_reply(side, entry)

    def _take_call(self, side: int, entry: AnyEntry) -> Iterator[Pair[AnyEntry]]:
        message = entry.message
        key = side, message.sequence_id
        if message.kind == "oneway" or self._is_oneway(message.name):
            if len(self._oneway) < _PENDING:
                self._oneway[key] = _function(message.name)
            yield Pair(entry, None, True)
            return
        self._waiting.setdefault(key, collections.deque()).append(entry)
        self._count += 1
        if self._count > _PENDING:
            yield self._oldest()

    def _take_reply(self, side: int, entry: AnyEntry) -> Iterator[Pair[AnyEntry]]:
        name = entry.message.name
        key = 1 - side, entry.message.sequence_id
        if key in self._waiting:
            yield Pair(self._waiting_call(key, name), entry)
        elif self._oneway.pop(key, None) != _function(name):  # some servers reply to oneway calls
            yield Pair(None, entry)

    def _oldest(self) -> Pair[AnyEntry]:
        return Pair(self._waiting_call(next(iter(self._waiting))), None)

    def _waiting_call(self, key: tuple[int, int], name: str = "") -> AnyEntry:
        """The first call of that name, else the first call."""
        waiting = self._waiting[key]
        match = waiting[0]
        for entry in itertools.islice(waiting, _NEAR):
            if name and _function(entry.message.name) == _function(name):
                match = entry
                break
        waiting.remove(match)
        self._count -= 1
        if not waiting:
            del self._waiting[key]
        return match

    def finish(self) -> Iterator[Pair[AnyEntry]]:
        """The calls without a reply."""
        while self._waiting:
            yield self._oldest()
