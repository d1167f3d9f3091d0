// codec_docs: docstrings of decode, encode and convert.
#pragma once

namespace thriftlens::python {

inline constexpr char decode_doc[] =
    R"doc(Decode the bytes-like object data, which must be exactly one value.

A struct, union or exception becomes a dict of its present fields, an enum its number, a list a list, a set a
set, a map a dict, a string a str, binary bytes and a uuid a uuid.UUID. Map keys and set elements that are not
scalars are frozen: a struct or map becomes a tuple of pairs, a list a tuple, a set a frozenset. encode
accepts these forms.

into: a class that values become instances of, or another annotation (list[Order]): of msgspec, dataclasses,
    attrs, pydantic, a NamedTuple, a TypedDict or a class with annotations; nested ones by its annotations.
    TypeError if it does not fit the IDL. A value that the class refuses is a DecodeError of code unfit_value.
enums: "name" returns the names of enum members, "member" members of enum_class, an IntEnum; numbers without a
    name stay numbers.
unknown: "error" rejects fields that are not in the IDL; "keep" returns them as "#5": {"i32": 7}, by id and
    wire type: a "string" is bytes, a "list" or "set" [element type, [elements]], a "map" [key type, value
    type, [[key, value]]], a "struct" a dict of such fields. encode(unknown="keep") accepts this form.
defaults: "write" adds absent fields that have a default in the IDL.
names: "alias" uses the JSON names of fields as keys (api.key, go.tag).
invalid_utf8: strings that are not UTF-8: "replace" substitutes U+FFFD, "surrogateescape" an unpaired
    surrogate per byte, which encode accepts with the same option.
mismatch: "drop" treats fields with a wrong wire type as unknown.
duplicates: "last" keeps the last of equal fields, keys or elements.
missing_required: "omit" accepts missing required fields, as in values from trim.
depth: maximum nesting depth, at most 1024.
output_size: maximum memory of the result in bytes, estimated; 0 means 16 MiB plus 64 bytes per byte of data.
    A list of empty structs takes 72 bytes per byte of data, a list of empty sets 240. Code output_limit.

Raises DecodeError with code, path and offset; code hash_flood for more than 64 keys of a set or map with the
same hash, which only malicious input has.

>>> import thriftlens as tl
>>> Item = tl.loads("struct Item { 1: required string sku, 2: set<i32> sizes }").Item
>>> Item.decode(bytes.fromhex("0b0001 00000003 435550 0e0002 08 00000001 00000007 00"))
{'sku': 'CUP', 'sizes': {7}}
>>> Item.decode(b"\0")
Traceback (most recent call last):
    ...
thriftlens.DecodeError: a required field is missing at $.sku (byte 0)
)doc";
inline constexpr char encode_doc[] =
    R"doc(Encode a Python value: the result of decode, or other objects.

A struct may be a mapping, a dataclass, a named tuple, an attrs, pydantic or msgspec object, or any object
with a field of the struct as an attribute; None and msgspec.UNSET count as absent. An enum may be a number, a
name or a member of an Enum class; a list or set any iterable; a map a mapping or pairs; binary any bytes-like
object. The elements of a Python set are written in the order of their bytes; a duplicate in a set or in pairs
is an error. Integers are range-checked; a bool is not an integer, and text is not bytes.

unknown: "drop" ignores keys and declared fields of objects that are not in the IDL; "keep" writes the result
    of decode(unknown="keep") with the fields of a mapping in its order, which restores the original bytes
    except for the order of sets.
defaults: "write" writes absent fields that have a default in the IDL.
names: "alias" expects the JSON names of fields as keys.
invalid_utf8: str with unpaired surrogates: "replace" writes U+FFFD, "surrogateescape" the original bytes that
    decode(invalid_utf8="surrogateescape") escaped.
missing: "zero" writes missing required fields with their default in the IDL, or else as 0, False, "" or
    empty; a struct with its own required fields.

Raises EncodeError with code and path. Exceptions raised by the value's methods are passed on.

>>> import thriftlens as tl
>>> Item = tl.loads("struct Item { 1: required string sku, 2: set<i32> sizes }").Item
>>> Item.encode({"sku": "CUP", "sizes": [7]}).hex(" ", 1)
'0b 00 01 00 00 00 03 43 55 50 0e 00 02 08 00 00 00 01 00 00 00 07 00'
>>> Item.encode({"sku": "CUP", "sizes": [7, 2**40]})
Traceback (most recent call last):
    ...
thriftlens.EncodeError: 1099511627776 is outside the range of i32 at $.sizes[1]
)doc";
inline constexpr char decoder_doc[] =
    R"doc(A Decoder of this type with these options of decode.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }").Point
>>> decoder = Point.decoder(protocol="compact")
>>> [decoder.decode(Point.encode({"x": x}, protocol="compact")) for x in (1, 2)]
[{'x': 1}, {'x': 2}]
>>> from typing import NamedTuple, Optional
>>> class Pair(NamedTuple):
...     x: int
...     y: Optional[int] = None
>>> Point.decoder(into=Pair).decode(Point.encode({"x": 1}))
Pair(x=1, y=None)
)doc";
inline constexpr char encoder_doc[] =
    R"doc(An Encoder of this type with these options of encode.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }").Point
>>> Point.encoder(protocol="compact").encode({"x": 1}).hex()
'150200'
)doc";
inline constexpr char decoder_class_doc[] =
    R"doc(Decodes many values of a type with the same options. Thread-safe.

Decoder(type, **options) is type.decoder(**options). The constructor raises TypeError or ValueError for
invalid options. decode(data) is type.decode(data, **options) without parsing the options for every call.

>>> import thriftlens as tl
>>> idl = tl.loads("enum Color { RED = 1 } struct Paint { 1: Color color }")
>>> decoder = tl.Decoder(idl.Paint, enums="name")
>>> decoder, decoder.decode(idl.Paint.encode({"color": 1}))
(<thriftlens.Decoder Paint>, {'color': 'RED'})
)doc";
inline constexpr char decoder_decode_doc[] = "decode($self, data, /)\n--\n\nDecode data, like Type.decode.";
inline constexpr char encoder_class_doc[] =
    R"doc(Encodes many values of a type with the same options. Thread-safe.

Encoder(type, **options) is type.encoder(**options). The constructor raises TypeError or ValueError for
invalid options. encode(value) is type.encode(value, **options).

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }").Point
>>> encoder = tl.Encoder(Point, protocol="compact")
>>> encoder, encoder.encode({"x": 1}).hex()
(<thriftlens.Encoder Point>, '150200')
)doc";
inline constexpr char encoder_encode_doc[] =
    "encode($self, value, /)\n--\n\nEncode a Python value, like Type.encode.";
inline constexpr char convert_doc[] =
    R"doc(Convert a struct, or a value of `type`, to another protocol; no IDL is required. "tjson" is Apache's
JSON protocol, which does not distinguish strings from binary. Without a type, bytes in UTF-8 become text and
other bytes base64. Raises DecodeError (JSONError for text) with path and offset.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x }").Point
>>> tl.convert(Point.encode({"x": 3}), source="binary", target="compact").hex()
'150600'
>>> tl.convert(Point.encode({"x": 3}), source="binary", target="tjson")
b'{"1":{"i32":3}}'
)doc";

}  // namespace thriftlens::python
