// json_docs: docstrings of to_json and from_json.
#pragma once

namespace thriftlens::python {

inline constexpr char to_json_doc[] =
    R"doc(Convert Thrift bytes to JSON text as UTF-8 bytes, without creating Python values.

binary is padded base64; map keys are strings; maps whose keys are not scalars are arrays of pairs.

int64: "string" writes i64 as a string, for consumers that store numbers as double.
nonfinite: "string" writes "NaN", "Infinity" and "-Infinity", which JSON numbers cannot express.
unknown: "keep" writes fields that are not in the IDL as "#5":{"i32":7}, by id and wire type, with strings as
    base64; from_json(unknown="keep") restores the same bytes.
pretty: True (two spaces) or the number of spaces per level.
select: writes only these parts, like trim, in the same pass: text such as "{ id user { name } }" (compiled
    selections are cached), another Type, or a list of paths. Unselected required fields are not missing.
    Unselected parts are skipped and checked as in trim: their structure and duplicate ids.
output_size: maximum size of the text in bytes; 0 means 16 MiB plus 8 bytes per byte of data. Code
    output_limit. The other options are those of decode.

The GIL is released for 4 KiB of data or more: other threads must not change data during the call. Raises
DecodeError with code, path and offset.

>>> import thriftlens as tl
>>> Item = tl.loads("struct Item { 1: required string sku, 2: set<i32> sizes }").Item
>>> Item.to_json(bytes.fromhex("0b0001 00000003 435550 0e0002 08 00000001 00000007 00"))
b'{"sku":"CUP","sizes":[7]}'
>>> Item.to_json(bytes.fromhex("0b0001 00000003 435550 0e0002 08 00000001 00000007 00"), select="{ sizes }")
b'{"sizes":[7]}'
)doc";
inline constexpr char from_json_doc[] =
    R"doc(Convert JSON text, a str or bytes-like object, to Thrift bytes, without creating Python values.

Enums may be names or numbers; null means absent.

unknown: "drop" ignores keys that are not in the IDL; "keep" accepts those of to_json(unknown="keep") and
    rejects others.
quoted_numbers: "accept" accepts "5" for a number.
base64: "lenient" also accepts unpadded text and the URL alphabet.
duplicates: "last" keeps the last of equal keys.
nonfinite: "string" accepts "NaN", "Infinity" and "-Infinity" for doubles.
defaults: "write" writes absent fields that have a default in the IDL.
names: "alias" expects aliases as keys, "both" accepts either.
invalid_utf8: escapes of unpaired surrogates: "replace" writes U+FFFD, "surrogateescape" the original bytes
    that to_json(invalid_utf8="surrogateescape") escaped.
missing: "zero" writes missing required fields with their default in the IDL, or else as 0, false, "" or
    empty; a struct with its own required fields.
output_size: maximum size of the result in bytes; 0 means 16 MiB plus 8 bytes per byte of text. Code
    output_limit.

The GIL is released for 4 KiB of text or more: other threads must not change text during the call. Raises JSONError
with code, path, offset, line and column.

>>> import thriftlens as tl
>>> Item = tl.loads("struct Item { 1: required string sku, 2: set<i32> sizes }").Item
>>> Item.from_json('{"sku": "CUP", "sizes": [7]}') == Item.encode({"sku": "CUP", "sizes": [7]})
True
>>> Item.from_json('{"sku": 5}')
Traceback (most recent call last):
    ...
thriftlens.JSONError: expected string at $.sku (byte 8, line 1 column 9)
)doc";

}  // namespace thriftlens::python
