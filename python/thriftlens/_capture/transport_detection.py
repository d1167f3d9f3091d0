"""The transport of a captured stream, by its first bytes."""

from __future__ import annotations

import re
from typing import Optional

from .calls import MESSAGE_SIZE, NEGOTIATION_SIZE

HEADS = re.compile(rb"\x80\x01\x00[\x01-\x04]|\x82[\x21\x41\x61\x81]")

_NAME = re.compile(rb"[A-Za-z_][\w.:]*")
_PRINTABLE = re.compile(rb"[\x20-\x7e]+")
_HTTP_BEGINS = (b"POST ", b"GET ", b"PUT ", b"HEAD ", b"OPTIONS ", b"DELETE ", b"HTTP/1.")
_HEADER_MAGICS = {b"\x0f\xff": "header", b"\x10\x00": "ttheader"}


def detect(data: bytearray, is_begin: bool = False) -> str:
    """Framing of the data: "buffered", "framed", "header", "ttheader", "http"; at the start of a
    connection also "sasl", "tls"; "more"; "none"."""
    if len(data) < 5:
        return "more"
    if is_begin and (negotiation := _negotiation(data)):
        return negotiation
    if data.startswith(_HTTP_BEGINS):
        return "http"
    if HEADS.match(data):
        return "buffered"
    return _framed(data)


def _negotiation(data: bytearray) -> str:
    """ "sasl" or "tls" if a connection begins with its negotiation; else empty."""
    if 1 <= data[0] <= 5 and int.from_bytes(data[1:5], "big") <= NEGOTIATION_SIZE:
        return "sasl"
    if data[0] in (0x14, 0x15, 0x16, 0x17) and data[1] == 3 and data[2] <= 4:
        return "tls"
    return ""


def _framed(data: bytearray) -> str:
    """Like detect, for data that begins with a frame or with a message header without version."""
    if int.from_bytes(data[:4], "big") > MESSAGE_SIZE:
        return "none"
    if magic := _HEADER_MAGICS.get(bytes(data[4:6])):
        return magic
    if HEADS.match(data, 4):
        return "framed"
    if len(data) < 8:
        return "more"
    for offset, framing in ((0, "buffered"), (4, "framed")):
        if (is_old := _is_old(data, offset)) is not False:
            return framing if is_old else "more"
    return "none"


def _is_old(data: bytearray, offset: int) -> Optional[bool]:
    """Whether a Binary message header without version is at `offset`: size, name, kind.

    None if more bytes are needed."""
    size = int.from_bytes(data[offset : offset + 4], "big")
    if not 1 <= size <= 255:
        return False
    name = data[offset + 4 : offset + 4 + size]
    if name and not _PRINTABLE.fullmatch(name):
        return False
    if len(data) <= offset + 4 + size:
        return None
    return 1 <= data[offset + 4 + size] <= 4


def is_named(data: bytearray, offset: int) -> Optional[bool]:
    """Whether the probable header at `offset` contains a function name.

    None if more bytes are needed."""
    position = offset + 4 if data[offset] == 0x80 else _end_of_varint(data, offset + 2)
    width = 4 if data[offset] == 0x80 else 1
    if len(data) < position + width:
        return None
    if position - offset > 7:
        return False
    size, begin = int.from_bytes(data[position : position + width], "big"), position + width
    return _is_name(data[begin : begin + size], size)


def _is_name(name: bytearray, size: int) -> Optional[bool]:
    """Whether the bytes are a function name of that size; None if more bytes are needed."""
    if not 1 <= size <= 127 or (name and not _NAME.fullmatch(name)):
        return False
    return True if len(name) == size else None


def _end_of_varint(data: bytearray, position: int) -> int:
    while position < len(data) and data[position] >= 0x80:
        position += 1
    return position + 1


def is_frame(data: bytearray, offset: int) -> bool:
    return 12 <= int.from_bytes(data[offset : offset + 4], "big") <= MESSAGE_SIZE
