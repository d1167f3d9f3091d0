"""Records with their framing."""

from __future__ import annotations

import binascii
import struct
from typing import Callable, Optional

from .._records.cuts import Cut

_LENGTH = struct.Struct(">I")


def _varint(size: int) -> bytes:
    out = bytearray()
    while size > 0x7F:
        out.append(size & 0x7F | 0x80)
        size >>= 7
    out.append(size)
    return bytes(out)


_NULL = struct.pack(">i", -1)
_FRAMES: dict[str, Callable[[bytes], bytes]] = {
    "none": lambda record: record,
    "u32": lambda record: _LENGTH.pack(len(record)) + record,
    "u32le": lambda record: struct.pack("<I", len(record)) + record,
    "varint": lambda record: _varint(len(record)) + record,
    "kafka": lambda record: _LENGTH.pack(len(record)) + record,
    "base64": lambda record: binascii.b2a_base64(record),
    "hex": lambda record: record.hex().encode() + b"\n",
    "lines": lambda record: record.rstrip(b"\n") + b"\n",
}
FRAMINGS = tuple(_FRAMES)


def framed(record: Optional[bytes], framing: str) -> bytes:
    """The record with its framing; None is Kafka's null record."""
    return _NULL if record is None else _FRAMES[framing](record)


def prefix_of(cut: Cut, framing: str, lead: int) -> bytes:
    """The bytes before a value other than framing and message header: text on the line, `lead`
    bytes, Finagle's header."""
    if not isinstance(cut.value, tuple):  # base64, hex or compressed
        return _line_prefix(cut) if framing in ("base64", "hex") else b""
    data = memoryview(cut.data)
    if framing == "message":
        header = cut.message.header if cut.message is not None else None
        return b"" if header is None else bytes(data[header[0] : header[1]])
    return bytes(data[cut.value[0] - lead : cut.value[0]])


def reframed(cut: Cut, value: bytes, framing: str, prefix: bytes) -> bytes:
    """The record with another value and prefix."""
    if not isinstance(cut.value, tuple):
        return prefix + framed(value, framing)
    if framing != "message":
        return framed(prefix + value, framing)
    front = bytes(memoryview(cut.data)[cut.at : cut.value[0]])
    size = cut.end - cut.begin
    is_framed = size > 4 and front[0] < 0x80 and _LENGTH.unpack(front[:4])[0] == size - 4
    head = front[4 * is_framed + len(prefix_of(cut, framing, 0)) :]
    record = prefix + head + value
    return framed(record, "u32") if is_framed else record


def _line_prefix(cut: Cut) -> bytes:
    """The part of a line before its last word, with the blanks."""
    line = bytes(memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin]).rstrip()
    return line[: max(line.rfind(b" "), line.rfind(b"\t")) + 1]
