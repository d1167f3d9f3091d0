"""Events of server sessions, and the interface of the sessions themselves."""

from __future__ import annotations

from typing import Any, Literal, Mapping, NamedTuple, Optional, Protocol, Union

from .. import _core

AnswerKind = Union[Literal["reply"], Literal["exception"]]


class HttpEvent(NamedTuple):
    """Like an event of a session. type: "message", "ready" (credentials to check, in `headers`) or
    "send"."""

    type: Literal["message", "ready", "send"]
    name: str = ""
    kind: Literal["call", "reply", "exception", "oneway"] = "call"
    sequence_id: int = 0
    data: bytes = b""
    headers: Mapping[str, str] = {}
    protocol: Literal["binary", "compact", "binary_old"] = "binary"
    transport: str = "http"
    offset: int = 0
    inner: Optional[_core.SessionEvent] = None


CallEvent = Union[_core.SessionEvent, HttpEvent]


class ServerSession(Protocol):
    """The methods that the sessions of all transports have. Their events are those of next()."""

    @property
    def held(self) -> int: ...

    def feed(self, data: memoryview, /) -> None: ...

    def next(self) -> Optional[CallEvent]: ...

    def reply(
        self,
        event: Any,
        kind: AnswerKind,
        data: bytes,
        *,
        headers: Optional[Mapping[str, str]] = None,
    ) -> bytes: ...

    def skip_reply(self, event: Any, /) -> None: ...
