"""Messages in frames of THeader and TTHeader."""

from __future__ import annotations

import itertools
from typing import Literal, Optional

from .. import _core
from .._errors import DecodeError, Error
from .._rpc.message import Message
from .calls import MESSAGE_SIZE
from .http_messages import SECRET_HEADERS

Transport = Literal["header", "ttheader", "ttheader_framed"]
_TRANSPORTS: dict[str, tuple[Transport, ...]] = {
    "header": ("header",),
    "ttheader": ("ttheader", "ttheader_framed"),
}
_READERS: tuple[
    tuple[Literal["server", "client"], Literal["auto", "binary", "compact"], int], ...
] = (
    ("server", "auto", 1),  # reads calls
    ("client", "binary", 0),  # these read replies
    ("client", "compact", 0),
)


def read_header_frame(frame: bytes, framing: str) -> tuple[Message, str, dict[str, str]]:
    """Message, transport and headers of a THeader or TTHeader frame.

    DecodeError if the frame is invalid or has no message."""
    fault: Optional[DecodeError] = None
    for transport, (role, protocol, calls) in itertools.product(_TRANSPORTS[framing], _READERS):
        session = _core.Session(
            role, transport=transport, protocol=protocol, calls=calls, frame_size=MESSAGE_SIZE
        )
        try:
            session.feed(frame)
            event = session.next()
        except Error as error:
            reason = f"invalid {framing} frame: {error}"
            fault = fault or DecodeError(reason, code=error.code, offset=error.offset)
            continue
        if event is not None and event.type == "message":
            return _message_of(event), event.transport, _public_headers(event)
        fault = fault or DecodeError(f"{framing} frame without a message", code="truncated")
    assert fault is not None
    raise fault


def _message_of(event: _core.SessionEvent) -> Message:
    return Message(
        event.name,
        event.kind,
        event.sequence_id,
        event.data,
        "compact" if event.protocol == "compact" else "binary",
        event.protocol != "binary_old",
    )


def _public_headers(event: _core.SessionEvent) -> dict[str, str]:
    return {
        str(name): value
        for name, value in event.headers.items()
        if str(name).lower() not in SECRET_HEADERS
    }
