"""Records of a small struct in all framings."""

from __future__ import annotations

import struct

import thriftlens as tl

IDL = tl.loads("""
    struct Point { 1: i32 x, 2: string name }
    exception NoSuch { 1: string why }
    service Base { void ping() }
    service Shop extends Base { i32 add(1: i32 a, 2: i32 b) throws (1: NoSuch missing) }
    """)

Point = IDL.Point

VALUES = [{"x": number, "name": "n" * (number % 7)} for number in range(50)]

RECORDS = [Point.encode(value) for value in VALUES]

PLAIN = b"".join(RECORDS)

FRAMED = b"".join(struct.pack(">I", len(record)) + record for record in RECORDS)


def varint(size: int) -> bytes:
    out = bytearray()
    while size > 0x7F:
        out.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes([*out, size])


FRAMINGS = {
    "none": PLAIN,
    "u32": FRAMED,
    "u32le": b"".join(struct.pack("<I", len(record)) + record for record in RECORDS),
    "varint": b"".join(varint(len(record)) + record for record in RECORDS),
    "kafka": FRAMED,
    "hex": b"".join(record.hex().encode() + b"\n" for record in RECORDS),
    "base64": b"".join(__import__("base64").b64encode(record) + b"\r\n" for record in RECORDS),
}
