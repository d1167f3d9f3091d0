// compare_docs: docstrings of diff, inspect, identify and infer.
#pragma once

namespace thriftlens::python {

inline constexpr char diff_doc[] =
    R"doc(The differences between two values, limited by `max_differences`; [] for equal values.

The order of fields, set elements and map entries is ignored, except with order="keep". Unknown fields are
compared. Raises DecodeError for malformed bytes on either side.

output_size: maximum memory of the comparison and its result in bytes; 0 means 16 MiB plus 64 bytes per byte
    of both values.

>>> import thriftlens as tl
>>> Order = tl.loads("struct Order { 1: i64 id, 2: list<string> tags }").Order
>>> left, right = Order.encode({"id": 1, "tags": ["a"]}), Order.encode({"id": 2, "tags": ["a", "b"]})
>>> for difference in Order.diff(left, right):
...     print(difference.kind, difference.path, difference.left, difference.right)
changed $.id 1 2
added $.tags[1] None b
)doc";
inline constexpr char inspect_doc[] =
    R"doc(The bytes of a struct as an indented tree of offset, field id, wire type and content, with names if
a type is passed.

Does not raise for malformed bytes: the tree ends with a line that starts with ! and describes the error.
text_size: maximum bytes shown of a string; elements: maximum elements shown of a container.
output_size: maximum size of the text in bytes, where the tree ends with such a line; 0 means 16 MiB plus 8
    bytes per byte of data.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: string name }").Point
>>> print(tl.inspect(Point.encode({"x": 3, "name": "home"})))
00000000  struct
00000000    #1 i32 3
00000007    #2 string "home"
<BLANKLINE>
)doc";
inline constexpr char identify_doc[] =
    R"doc(The types ranked by how well they fit the bytes of a struct: rows of (number in `types`, score,
known, unknown, contradictions, missing, path, reason), the likeliest first. See thriftlens.identify.
)doc";
inline constexpr char infer_doc[] =
    R"doc(A draft of the IDL of the samples, which are structs in the same protocol. See thriftlens.infer.
)doc";

}  // namespace thriftlens::python
