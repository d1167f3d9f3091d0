"""The framings of records, and records with their framing."""

from __future__ import annotations

from typing import Optional

from .. import _core

BY_NAME = {framing.name: framing for framing in _core.framings()}
"""The framings that C++ reads and writes."""
TEXT_FRAMINGS = tuple(framing.name for framing in BY_NAME.values() if framing.is_text)
SIZED_FRAMINGS = tuple(framing.name for framing in BY_NAME.values() if framing.is_sized)
FRAMINGS = {
    **{name: framing.description for name, framing in BY_NAME.items()},
    "framed": "RPC messages that all have a u32 frame; reading continues after an invalid one",
    "list": "one list of structs that is the complete input",
    "lines": "lines of text, each a value of Apache's JSON protocol",
}
"""The framings that scan takes, with their descriptions."""


def has_null(framing: str) -> bool:
    """Whether records in the framing may be null."""
    return framing in BY_NAME and BY_NAME[framing].has_null


def framed(record: Optional[bytes], framing: str) -> bytes:
    """The record with its framing; None is a null record."""
    if framing == "lines":
        return (record or b"").rstrip(b"\n") + b"\n"
    return _core.frame(record, framing=framing)


def null_record(framing: str) -> bytes:
    """A null record; nothing in framings without them."""
    return framed(None, framing) if has_null(framing) else b""


def content_of(data: bytes, framing: str) -> bytes:
    """The content of a frame or a line, without its framing; empty if that is malformed."""
    frame = _core.read_frame(data, framing=framing)
    if frame is None:
        return b""
    return data[frame.begin :] if frame.content is None else frame.content
