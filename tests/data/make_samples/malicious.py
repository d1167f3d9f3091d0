"""Bytes that are or look invalid, with the expected result of a reader.

A row is (category, struct, protocol, bytes, expect, kinds, why). expect is error, ok, or either: an
implementation decides and says so. kinds are the classes of error that fit; the bytes are written
out explicitly."""

import struct

INT_MAX = 2**31 - 1


def row(head, data, why):
    """The row of a head of words: category, struct, protocol, expect and kinds."""
    category, of, protocol, expect, *kinds = head.split()
    return category, of, protocol, data, expect, kinds, why


def int_(value):
    return struct.pack(">I", value & 0xFFFFFFFF)


def field(code, number, rest=b""):
    """A field's header in Binary, then its value."""
    return bytes([code]) + struct.pack(">h", number) + rest


def varint(value):
    encoded = bytearray()
    while value >= 128:
        encoded.append(value & 127 | 128)
        value >>= 7
    return bytes(encoded + bytes([value]))


def far(code, rest=b""):
    """Field 999 in Compact, which no struct here has, with its id written out; then its value."""
    return bytes([code]) + varint(1998) + rest


BOOL, BYTE, DOUBLE, I16, I32, I64 = 2, 3, 4, 6, 8, 10
STRING, STRUCT, MAP, SET, LIST = range(11, 16)


def sizes():
    for size in (-1, -(2**31), -65536):
        for name, of, data in (
            ("string", "OptScalars", field(STRING, 7)),
            ("binary", "OptScalars", field(STRING, 8)),
            ("unknown string", "OptScalars", field(STRING, 999)),
            ("list", "Lists", field(LIST, 4, b"\x08")),
            ("unknown list", "Lists", field(LIST, 999, b"\x08")),
            ("set", "Sets", field(SET, 4, b"\x08")),
            ("map", "MapVals", field(MAP, 5, b"\x0b\x0a")),
            ("unknown map", "MapVals", field(MAP, 999, b"\x0b\x0a")),
        ):
            yield row(
                f"size_negative {of} binary error negative_size",
                data + int_(size) + b"\0",
                f"{name} of size {size}",
            )
    for size in (INT_MAX, INT_MAX - 15, 10**8):
        for name, of, data in (
            ("string", "OptScalars", field(STRING, 7, int_(size) + b"abcd")),
            ("list<i32>", "Lists", field(LIST, 4, b"\x08" + int_(size) + bytes(8))),
            ("list<Empty>", "Lists", field(LIST, 11, b"\x0c" + int_(size) + bytes(4))),
            ("set<string>", "Sets", field(SET, 7, b"\x0b" + int_(size) + bytes(4))),
            ("map<string,i64>", "MapVals", field(MAP, 5, b"\x0b\x0a" + int_(size) + bytes(12))),
            ("unknown list<i64>", "Lists", field(LIST, 999, b"\x0a" + int_(size) + bytes(16))),
        ):
            yield row(
                f"size_huge {of} binary error eof",
                data,
                f"{name} of {size}: memory follows what is there",
            )
        for name, of, data in (
            ("string", "OptScalars", b"\x78" + varint(size) + b"abcd"),
            ("list<i32>", "Lists", b"\x49\xf5" + varint(size) + bytes(4)),
            ("list<bool>", "Lists", b"\x19\xf1" + varint(size) + b"\1\1\1\1"),
            ("map<string,i64>", "MapVals", b"\x5b" + varint(size) + b"\x86\0\0\0"),
            ("unknown list<double>", "Lists", far(9, b"\xf7" + varint(size) + bytes(16))),
        ):
            yield row(f"size_huge {of} compact error eof", data, f"compact {name} of {size}")
    kinds = "negative_size size_limit varint_overflow eof"
    for size in (2**31, 2**32 - 1, 2**32, 2**64 - 1):
        data = b"\x78" + varint(size) + b"abcd"
        yield row(f"size_huge OptScalars compact error {kinds}", data, f"string of {size}")
        data = b"\x49\xf5" + varint(size) + bytes(4)
        yield row(f"size_huge Lists compact error {kinds}", data, f"list of {size}")
        data = b"\x5b" + varint(size) + b"\x86\0\0"
        yield row(f"size_huge MapVals compact error {kinds}", data, f"map of {size}")
    for of, protocol, data, reason in (
        ("OptScalars", "binary", field(STRING, 7, int_(5) + b"abcd"), "string one byte short"),
        ("OptScalars", "binary", field(STRING, 7, int_(4) + b"abcd"), "string whole, stop missing"),
        ("Lists", "binary", field(LIST, 4, b"\x08" + int_(2) + bytes(7)),
            "last element one byte short"),
        ("OptScalars", "compact", b"\x78\x05abcd", "string one byte short"),
        ("Lists", "compact", b"\x49\x35\x02\x04", "last element missing"),
        ("Scalars", "binary", b"", "no bytes at all"),
        ("Scalars", "compact", b"", "no bytes at all"),
        ("Scalars", "binary", b"\x08\x00", "header of a field cut"),
    ):  # fmt: skip
        yield row(f"size_offby1 {of} {protocol} error eof", data, reason)


def types():
    for code in (1, 5, 7, 18, 64, 127, 128, 255):
        data = field(code, 999, bytes(24))
        yield row("bad_type Scalars binary error bad_type", data, f"unknown field of type {code}")
    for code in (5, 7, 17, 255):
        data = field(LIST, 999, bytes([code]) + int_(1) + bytes(16))
        yield row("bad_type Lists binary error bad_type", data, f"elements of type {code}")
        data = field(MAP, 999, b"\x0b" + bytes([code]) + int_(1) + bytes(16))
        yield row("bad_type Lists binary error bad_type", data, f"map values of type {code}")
    for code in (14, 15):
        data = bytes([0x10 | code]) + bytes(20)
        yield row("bad_type Scalars compact error bad_type", data, f"field of type {code}")
        data = far(9, bytes([0x10 | code]) + bytes(20))
        yield row("bad_type Scalars compact error bad_type", data, f"elements of type {code}")
        data = far(11, b"\1" + bytes([0x80 | code]) + bytes(20))
        yield row("bad_type Scalars compact error bad_type", data, f"map values of type {code}")
    for code, size in ((0, INT_MAX), (1, 16777216), (0, 1)):
        end = bytes([code]) + int_(size) + b"\0"
        yield row(
            "zero_elem Lists binary error bad_type type_mismatch",
            field(LIST, 4, end),
            f"{size} elements of type {code}",
        )
        yield row(
            "zero_elem Lists binary error bad_type",
            field(LIST, 999, end),
            f"{size} elements of type {code}, unknown list",
        )
    data = b"\x49\xf0" + varint(INT_MAX) + b"\0"
    yield row("zero_elem Lists compact error bad_type type_mismatch", data, "elements of type 0")
    yield row(
        "empty_type0 MapVals binary ok -",
        field(MAP, 5, bytes(6)) + b"\0",
        "empty map of types 0, as some writers have it",
    )
    yield row("empty_type0 MapVals compact ok -", b"\x5b\0\0", "empty map: one byte")
    yield row("empty_type0 Lists compact ok -", b"\x49\0\0", "empty list of type 0")
    yield row("empty_type0 Lists compact ok -", b"\x49\xf5\0\0", "size 0 in the long form")
    data = field(LIST, 4, b"\x0b" + int_(0)) + b"\0"
    yield row("empty_type0 Lists binary either type_mismatch", data, "empty list of another type")
    tail = field(I32, 4, int_(42)) + b"\0"
    for name, data in (
        ("i32 as string", field(STRING, 4, int_(3) + b"abc")),
        ("i32 as i64", field(I64, 4, bytes(8))),
        ("i64 as i32", field(I32, 5, int_(-1))),
        ("bool as i32", field(I32, 1, int_(1))),
        ("i8 as bool", field(BOOL, 2, b"\1")),
        ("double as i64", field(I64, 6, bytes(8))),
        ("string as list", field(LIST, 7, b"\3" + int_(2) + b"ab")),
        ("enum as i64", field(I64, 9, bytes(8))),
        ("string as struct", field(STRUCT, 7, b"\0")),
        ("i16 as map", field(MAP, 3, b"\x08\x08" + int_(1) + bytes(8))),
    ):
        yield row("wire_mismatch Scalars binary either type_mismatch", data + tail, name)
    data = b"\x48\x03abc\x05\x08\x54\0"
    yield row("wire_mismatch Scalars compact either type_mismatch", data, "i32 as string")
    for of, protocol, data, reason in (
        ("Lists", "binary", field(LIST, 4, b"\x0a" + int_(2) + bytes(16)), "list<i32> of i64"),
        ("Lists", "binary", field(LIST, 4, b"\x0b" + int_(2) + int_(1) + b"a" + int_(1) + b"b"),
            "list<i32> of strings"),
        ("Lists", "binary", field(LIST, 7, b"\x08" + int_(1) + int_(0)), "list<string> of i32"),
        ("Sets", "binary", field(SET, 4, b"\x06" + int_(1) + bytes(2)), "set<i32> of i16"),
        ("MapVals", "binary", field(MAP, 5, b"\x0b\x08" + int_(1) + int_(1) + b"k" + int_(5)),
            "map<string,i64> of i32"),
        ("MapKeys", "binary", field(MAP, 4, b"\x0a\x0b" + int_(1) + bytes(8) + int_(0)),
            "map<i32,string> with i64 keys"),
        ("Lists", "compact", b"\x69\x15\x02", "list<double> of i32"),
    ):  # fmt: skip
        yield row(f"wire_mismatch {of} {protocol} error type_mismatch eof", data + b"\0", reason)


def tree(depth, protocol):
    if protocol == "binary":
        return (
            (field(LIST, 2, b"\x0c" + int_(1))) * depth
            + field(I32, 1, int_(1))
            + b"\0" * (depth + 1)
        )
    return b"\x29\x1c" * depth + bytes(depth + 1)


def depths():
    for deep in (16, 60):
        data = field(STRUCT, 999) * deep + bytes(deep + 1)
        yield row("depth Scalars binary ok -", data, f"{deep} unknown structs in each other")
        data = far(STRUCT) * deep + bytes(deep + 1)
        yield row("depth Scalars compact ok -", data, f"{deep} unknown structs in each other")
    for deep in (100, 400):
        data = field(STRUCT, 999) * deep
        yield row("depth Scalars binary error depth eof", data, f"{deep} unknown structs")
        data = far(STRUCT) * deep
        yield row("depth Scalars compact error depth eof", data, f"{deep} unknown structs")
        data = field(LIST, 999) + (b"\x0f" + int_(1)) * deep
        yield row("depth Scalars binary error depth eof", data, f"{deep} lists")
        yield row("depth Scalars compact error depth eof", far(9) + b"\x19" * deep, f"{deep} lists")
        yield row("depth Tree binary error depth", tree(deep, "binary"), f"a tree of {deep} levels")
        data = tree(deep, "compact")
        yield row("depth Tree compact error depth", data, f"a tree of {deep} levels")
        data = tree(deep, "binary")[: 8 * deep]
        yield row("depth Tree binary error depth eof", data, f"{deep} levels and no end")


def numbers():
    for byte in (2, 127, 255):
        data = field(BOOL, 1, bytes([byte])) + b"\0"
        yield row("bool Scalars binary either bad_bool", data, f"bool byte {byte}")
    data = field(LIST, 1, b"\x02" + int_(3) + b"\0\1\2") + b"\0"
    yield row("bool Lists binary either bad_bool", data, "an element 2")
    for element, byte, expect in (
        (1, 0, "either"), (1, 2, "ok"), (1, 3, "either"), (2, 0, "either"), (2, 1, "ok"),
        (2, 2, "ok"),
    ):  # fmt: skip
        data = b"\x19" + bytes([0x10 | element, byte, 0])
        yield row(
            f"bool Lists compact {expect} bad_bool",
            data,
            f"element {byte} in a list of type {element}",
        )
    for data, expect, kinds, reason in (
        (b"\x45\x80\0\0", "ok", "-", "zero in two bytes"),
        (b"\x45\xff\xff\xff\xff\x7f\0", "error", "varint_overflow", "i32 with bits above 32"),
        (b"\x45" + b"\xff" * 9 + b"\x01\0", "error", "varint_overflow", "i32 of 64 bits"),
        (b"\x56" + b"\xff" * 9 + b"\x7f\0", "error", "varint_overflow", "i64 with bits above 64"),
        (b"\x56" + b"\x80" * 300 + b"\0", "error", "varint_overflow",
            "300 bytes that say there is more"),
        (b"\x34" + varint(79999) + b"\0", "error", "int_range varint_overflow", "i16 of -40000"),
        (b"\x45\x80", "error", "eof", "cut"),
    ):  # fmt: skip
        yield row(f"varint Scalars compact {expect} {kinds}", data, reason)
    same = field(I32, 4, int_(1))
    data = b"\x05" + varint(65534) + b"\x02\xf5\x04\0"
    yield row("field_id Scalars compact error field_id", data, "a step past 32767")
    yield row("field_id Scalars compact ok -", b"\x05\x09\x02\0", "unknown id -5")
    yield row("field_id Scalars binary ok -", field(I32, 0, int_(1)) + b"\0", "unknown id 0")
    data = field(I32, -32768, int_(1)) + b"\0"
    yield row("field_id Scalars binary ok -", data, "unknown id -32768")
    data = same + same + b"\0"
    yield row("field_id Scalars binary either duplicate_field", data, "a field twice")
    data = same * 200 + b"\0"
    yield row("field_id Scalars binary either duplicate_field", data, "a field 200 times")
    unknown = b"".join(field(I32, 1000 + i, int_(i)) for i in range(300)) + b"\0"
    yield row("field_id Scalars binary ok -", unknown, "300 unknown fields")
    for name, bits in (
        ("NaN", 0x7FF8 << 48),
        ("Infinity", 0x7FF0 << 48),
        ("a signalling NaN", (0x7FF0 << 48) + 1),
    ):
        data = field(DOUBLE, 6, struct.pack(">Q", bits)) + b"\0"
        yield row("nonfinite Scalars binary either nonfinite", data, name)
    for number in (4, -(2**31), 2**31 - 2):
        data = field(I32, 9, int_(number)) + b"\0"
        yield row("enum Scalars binary ok -", data, f"enum number {number} that the IDL lacks")


BAD_TEXTS = {
    "lone continuation": b"\x80", "overlong slash": b"\xc0\xaf", "overlong nul": b"\xc0\x80",
    "overlong of 3 bytes": b"\xe0\x80\xaf", "surrogates": b"\xed\xa0\xbd\xed\xb8\x80",
    "above 10FFFF": b"\xf4\x90\x80\x80", "5 bytes": b"\xf8\x88\x80\x80\x80",
    "cut in 2 bytes": b"ab\xc3", "cut in 3 bytes": b"ab\xe6\x97", "cut in 4 bytes": b"\xf0\x9f\x98",
    "in the middle": b"a" * 31 + b"\xff" + b"b" * 31, "at 64": b"a" * 64 + b"\xc0",
}  # fmt: skip


def texts():
    for number, (reason, text) in enumerate(BAD_TEXTS.items()):
        data = field(STRING, 7, int_(len(text)) + text) + b"\0"
        yield row("utf8 Scalars binary either utf8", data, reason)
        if number % 3 == 0:
            data = b"\x78" + varint(len(text)) + text + b"\0"
            yield row("utf8 Scalars compact either utf8", data, reason)
            data = field(MAP, 7, b"\x0b\x0b" + int_(1) + int_(len(text)) + text + int_(0)) + b"\0"
            yield row("utf8 MapKeys binary either utf8", data, reason + ", map key")
    data = field(STRING, 8, int_(2) + b"\xfe\xff") + b"\0"
    yield row("utf8 Scalars binary ok -", data, "no UTF-8 in binary is fine")


REQUIRED = {
    1: field(BOOL, 1, b"\1"), 2: field(BYTE, 2, b"\1"), 3: field(I16, 3, b"\0\1"),
    4: field(I32, 4, int_(1)), 5: field(I64, 5, bytes(8)), 6: field(DOUBLE, 6, bytes(8)),
    7: field(STRING, 7, int_(0)), 8: field(STRING, 8, int_(0)), 9: field(I32, 9, int_(0)),
    10: field(STRUCT, 10, field(I32, 1, int_(1)) + field(I32, 2, int_(2)) + b"\0"),
}  # fmt: skip


def schemas():
    record = b"".join(REQUIRED.values()) + b"\0"
    yield row("required ReqScalars binary ok -", record, "all there")
    for lacking in (1, 4, 7, 10):
        data = (
            b"".join(encoded for number, encoded in REQUIRED.items() if number != lacking) + b"\0"
        )
        yield row(
            "required ReqScalars binary error missing_required", data, f"field {lacking} missing"
        )
    yield row("required ReqScalars binary error missing_required", b"\0", "all missing")
    yield row("required ReqScalars compact error missing_required", b"\0", "all missing")
    yield row("required Mixed compact error missing_required", b"\x15\x02\0", "field 4 missing")
    swapped = record.replace(REQUIRED[4], field(I64, 4, bytes(8)))
    yield row(
        "required ReqScalars binary error missing_required type_mismatch",
        swapped,
        "field 4 of another type",
    )
    yield row("union Uni binary either union", b"\0", "no member")
    yield row("trailing Scalars binary either trailing", b"\0junk", "bytes behind the struct")
    yield row("trailing Scalars compact either trailing", b"\0\0\0", "more stops")
    pair = int_(1) + b"k" + bytes(7)
    data = field(MAP, 5, b"\x0b\x0a" + int_(2) + pair + b"\1" + pair + b"\2") + b"\0"
    yield row("dup MapVals binary either duplicate_key", data, "a map key twice")
    data = field(SET, 4, b"\x08" + int_(3) + int_(1) * 3) + b"\0"
    yield row("dup Sets binary either duplicate_key", data, "a set element three times")
    empty = field(LIST, 11, b"\x0c" + int_(2000) + bytes(2000)) + b"\0"
    yield row("amplify Lists binary ok -", empty, "2000 empty structs of a byte each")
    data = b"\x19\xf1" + varint(3000) + b"\1\2" * 1500 + b"\0"
    yield row("amplify Lists compact ok -", data, "3000 bools")


def all_bytes():
    for part in (sizes, types, depths, numbers, texts, schemas):
        yield from part()
