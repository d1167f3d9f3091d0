"""Formats that are not Thrift: known by their magic numbers, or likely by their structure."""

from __future__ import annotations

import json
import re
import struct
from typing import Callable, Iterator

from .. import _core

_SIZE = 1 << 16  # bytes that are parsed
_MAX_RECORDS = 64
_MAX_DEPTH = 8
_MAGIC_BITS = 1000.0
_JSON_BITS = 30.0  # below those of Apache's JSON protocol
_MAX_TEXT_BITS = 40.0  # as in weigh.hpp, whose units these are
_COMPLETE_BITS = 8.0
_EMPTY_BITS = -4.0
_FRAME_BITS = 6.0  # of a frame that proves nothing, as in detect.ipp
_MAGICS = {
    "Hadoop SequenceFile": rb"SEQ[\x00-\x06]",
    "Hadoop RCFile": rb"RCF[\x00-\x01]",
    "Avro": rb"Obj\x01",
    "Parquet": rb"PAR[1E]",
    "ORC": rb"ORC",
    "Arrow IPC": rb"ARROW1|FEA1|\xff{4}[\x08-\xf8]..\x00[\x04-\x40]\x00{3}",
    "LZO": rb"\x89LZO\x00\r\n\x1a\n",
    "LZ4": rb"\x04\x22\x4d\x18|\x02\x21\x4c\x18|LZ4Block",
    "LZMA": rb"\x5d\x00\x00.{2}(\xff{8}|.{5}\x00{3})",
    "Snappy": rb"\xff\x06\x00\x00sNaPpY|\x82SNAPPY\x00",
    "ZIP": rb"PK\x03\x04",
    "7z": rb"7z\xbc\xaf\x27\x1c",
    "tar": rb".{257}ustar",
    "HDF5": rb"\x89HDF\r\n\x1a\n",
    "NumPy": rb"\x93NUMPY",
    "pickle": rb"\x80[\x02-\x05][\x95\]\}\(cX\x8c]",
    "Java serialization": rb"\xac\xed\x00\x05",
    "Java class": rb"\xca\xfe\xba\xbe",
    "SQLite": rb"SQLite format 3\x00",
    "pcap": rb"\xa1\xb2[\xc3<][\xd4M]|[\xd4M][\xc3<]\xb2\xa1|\n\r\r\n.{4}(\x1a\+|M<)",
    "ELF": rb"\x7fELF",
    "PNG": rb"\x89PNG\r\n\x1a\n",
    "JPEG": rb"\xff\xd8\xff",
    "PDF": rb"%PDF-",
    "HTTP": rb"HTTP/1\.|PRI \* HTTP/2|[A-Z]{3,7} [ -~]+ HTTP/1\.",
    "XML or HTML": rb"(\xef\xbb\xbf)?\s*<([?!]\w|\w+[\s>/])",
}
_PATTERNS = {name: re.compile(pattern, re.DOTALL) for name, pattern in _MAGICS.items()}
_MIN_NUMBERS = 8
_NUMBERS = {"d": 4.6, "f": 2.0, "q": 24.0, "i": 12.0, "h": 5.0}  # bits of a plausible number


def formats(data: memoryview, is_all: bool) -> Iterator[tuple[str, float]]:
    """(name, bits) of the formats that the bytes may have; bits as those of Thrift."""
    front = bytes(data[:_SIZE])
    is_all = is_all and len(data) <= _SIZE
    magic = next((name for name, pattern in _PATTERNS.items() if pattern.match(front)), None)
    if magic is not None:
        yield magic, _MAGIC_BITS
        return
    if _is_json(front, is_all):
        yield "JSON", _JSON_BITS
        return
    for name, parse in (("Protobuf", _protobuf), ("MessagePack", _messagepack)):
        yield name, max(_framed(front, framing, is_all, parse) for framing in _FRAMES)
    yield "numbers", max(_numbers(front, order + code) for order in "<>" for code in _NUMBERS)


def _is_json(front: bytes, is_all: bool) -> bool:
    text = front.decode("utf-8-sig", "replace").lstrip()
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        return not is_all and re.match(r'[\[{]\s*("([^"\\]|\\.)*"\s*[:,]|[\[{])', text) is not None
    return isinstance(value, (dict, list)) and (end == len(text) or text[end].isspace())


def _framed(data: bytes, framing: str, is_all: bool, parse: Callable[[bytes, int], float]) -> float:
    """Bits of all records; 0 if they cannot be read."""
    bits, position, count = 0.0, 0, 0
    try:
        while position < len(data) and count < _MAX_RECORDS:
            size, begin, frame_bits = _FRAMES[framing](data, position)
            if begin + size > len(data):
                return 0.0 if is_all or count == 0 else bits
            bits += (parse(data[begin : begin + size], 0) if size else _EMPTY_BITS) + frame_bits
            position, count = begin + size, count + 1
    except (IndexError, ValueError, struct.error):
        return 0.0
    return bits


def _frame_reader(framing: _core.Framing) -> Callable[[bytes, int], tuple[int, int, float]]:
    def read(data: bytes, at: int) -> tuple[int, int, float]:
        frame = _core.read_frame(data, framing=framing.name, start=at)
        if frame is None:
            raise ValueError("no frame")
        return frame.end - frame.begin, frame.begin, framing.bits - _FRAME_BITS

    return read


def _grpc_frame(data: bytes, at: int) -> tuple[int, int, float]:
    return struct.unpack_from(">?I", data, at)[1], at + 5, 14.0


_FRAMES: dict[str, Callable[[bytes, int], tuple[int, int, float]]] = {
    "none": lambda data, at: (len(data) - at, at, 0.0),
    "gRPC": _grpc_frame,
    **{framing.name: _frame_reader(framing) for framing in _core.framings() if framing.is_sized},
}


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 70:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
    raise ValueError("a varint of more than ten bytes")


def _text_bits(text: bytes) -> float:
    """As text_bits in weigh.hpp."""
    front = text[:64]
    printable = sum(0x20 <= byte < 0x7F for byte in front)
    return max(min(1.4 * printable - 4 * sum(byte < 0x20 for byte in front), _MAX_TEXT_BITS), -4.0)


def _protobuf(data: bytes, depth: int) -> float:
    """Bits of a message. Raises IndexError or ValueError if the bytes are not a message."""
    at, last, bits = 0, 0, _COMPLETE_BITS
    while at < len(data):
        tag, at = _varint(data, at)
        number, wire = tag >> 3, tag & 7
        if number == 0 or wire not in _WIRE_SIZES:
            raise ValueError("no tag")
        bits += 0.7 + _id_bits(number - last)
        at, own = _protobuf_value(data, at, wire, depth)
        last, bits = number, bits + own
    if at > len(data):
        raise IndexError("the message is truncated")
    return bits


def _id_bits(step: int) -> float:
    """Bits of the distance from the id of a field to the next."""
    return 1.5 if 0 <= step <= 4 else 0.5 if 0 <= step <= 16 else -1.0


def _protobuf_value(data: bytes, at: int, wire: int, depth: int) -> tuple[int, float]:
    """The end of a value, and its bits."""
    if wire == 0:
        return _varint(data, at)[1], 0.0
    if wire != 2:
        return at + _WIRE_SIZES[wire], 0.0
    size, at = _varint(data, at)
    content = data[at : at + size]
    return at + size, 0.5 + max(_text_bits(content), _inner_bits(content, depth))


_WIRE_SIZES = {0: 0, 1: 8, 2: 0, 5: 4}


def _inner_bits(data: bytes, depth: int) -> float:
    try:
        return _protobuf(data, depth + 1) if data and depth < _MAX_DEPTH else 0.0
    except (IndexError, ValueError):
        return 0.0


def _messagepack(data: bytes, depth: int) -> float:
    """Bits of maps and arrays. Raises IndexError or ValueError for other bytes."""
    at, bits = 0, _COMPLETE_BITS
    while at < len(data):
        if not (0x80 <= data[at] <= 0x9F or 0xDC <= data[at] <= 0xDF):
            raise ValueError("no map or array")
        at, own = _messagepack_value(data, at, depth)
        bits += own
    if at > len(data):
        raise IndexError("the value is truncated")
    return bits


_PACKED_SIZES = dict(
    zip(
        b"\xc0\xc2\xc3\xca\xcb\xcc\xcd\xce\xcf\xd0\xd1\xd2\xd3", b"\0\0\0\4\x08\1\2\4\x08\1\2\4\x08"
    )
)
_SIZES_OF_SIZES = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}


def _messagepack_value(data: bytes, at: int, depth: int) -> tuple[int, float]:
    """The end of a value, and its bits."""
    code = data[at]
    if code < 0x80 or code >= 0xE0:
        return at + 1, 0.0
    if code in _PACKED_SIZES:
        return at + 1 + _PACKED_SIZES[code], 4.0
    if code < 0xA0 or 0xDC <= code:
        return _messagepack_container(data, at, depth)
    return _messagepack_text(data, at)


def _messagepack_container(data: bytes, at: int, depth: int) -> tuple[int, float]:
    """The end of a map or an array, and its bits."""
    if depth > _MAX_DEPTH:
        raise ValueError("nested too deeply")
    code = data[at]
    size_size = 0 if code < 0xA0 else 2 + 2 * (code & 1)
    count, at = _messagepack_size(data, at, size_size, 15)
    is_map = code < 0x90 or code >= 0xDE
    bits = 0.7
    for _ in range(count * 2 if is_map else count):
        at, own = _messagepack_value(data, at, depth + 1)
        bits += own
    return at, bits


def _messagepack_text(data: bytes, at: int) -> tuple[int, float]:
    """The end of a string or of bytes, and its bits."""
    code = data[at]
    if code >= 0xC0 and code not in _SIZES_OF_SIZES:
        raise ValueError("an extension")
    size, at = _messagepack_size(data, at, _SIZES_OF_SIZES.get(code, 0), 31)
    if at + size > len(data):
        raise IndexError("the value is truncated")
    return at + size, 0.7 + _text_bits(data[at : at + size])


def _messagepack_size(data: bytes, at: int, size: int, mask: int) -> tuple[int, int]:
    """The number in the `size` bytes after the code at a position, or in the code if `size` is 0;
    and the position after it."""
    start, end = at + 1, at + 1 + size
    return int.from_bytes(data[start:end], "big") if size else data[at] & mask, end


def _numbers(data: bytes, layout: str) -> float:
    """Bits of an array of numbers; 0 if one is not plausible."""
    size = struct.calcsize(layout)
    count = min(len(data) // size, _MAX_RECORDS)
    if count < _MIN_NUMBERS or len(data) % size:
        return 0.0
    order, code = layout[0], layout[1]
    values = struct.unpack(f"{order}{count}{code}", data[: count * size])
    largest = 1e15 if code in "df" else 1 << 5 * size
    smallest = 1e-9 if code in "df" else 0
    is_plausible = all(value == 0 or smallest < abs(value) < largest for value in values)
    return count * _NUMBERS[code] if is_plausible else 0.0
