"""Records with another value in their framing."""

from __future__ import annotations

from .. import _core
from .cuts import Cut
from .framing import TEXT_FRAMINGS, framed


def prefix_of(cut: Cut, framing: str, prefix_size: int) -> bytes:
    """The bytes before a value other than framing and message header: text on the line, the
    prefix, Finagle's header."""
    if not isinstance(cut.value, tuple):  # text or compressed
        return _line_prefix(cut) if framing in TEXT_FRAMINGS else b""
    data = memoryview(cut.data)
    if framing == "message":
        header = cut.message.header if cut.message is not None else None
        return b"" if header is None else bytes(data[header[0] : header[1]])
    return bytes(data[cut.value[0] - prefix_size : cut.value[0]])


def reframed(cut: Cut, value: bytes, framing: str, prefix: bytes) -> bytes:
    """The record with another value and prefix."""
    if not isinstance(cut.value, tuple):
        return prefix + framed(value, framing)
    if framing != "message":
        return framed(prefix + value, framing)
    front = bytes(memoryview(cut.data)[cut.at : cut.value[0]])
    frame = _core.read_frame(front, framing="u32")
    is_framed = frame is not None and frame.end == cut.end - cut.begin
    head = front[4 * is_framed + len(prefix_of(cut, framing, 0)) :]
    record = prefix + head + value
    return framed(record, "u32") if is_framed else record


def _line_prefix(cut: Cut) -> bytes:
    """The part of a line before its last word, with the blanks."""
    line = bytes(cut.framed()).rstrip()
    return line[: max(line.rfind(b" "), line.rfind(b"\t")) + 1]
