// view_docs: docstrings of views and get.
#pragma once

namespace thriftlens::python {

inline constexpr char get_doc[] =
    R"doc(The value at a path such as "$.items[3].price", or default if it is absent. Bytes before the value
are skipped, and those after it are not read: decode untrusted input completely if that matters. If the field
is absent from data itself, all of data was read: trailing bytes and missing required fields are errors
(missing_required="omit": default).

A path consists of .name, .#id, [index], [*], [first:last], {"key"} and {*}; see help(thriftlens) for the
grammar. A path with a wildcard or slice, "$.items[*].sku" or "$.items[-2:].sku", returns the list of present
values.
defaults: "write" returns the IDL's default for an absent field. The other options are those of decode.

Raises DecodeError for malformed bytes, UnknownNameError for a field that is not in the IDL, Error for an
invalid path.

>>> import thriftlens as tl
>>> Order = tl.loads('''struct Item { 1: string sku }
...                       struct Order { 1: list<Item> items, 2: map<string, i32> notes }''').Order
>>> data = Order.encode({"items": [{"sku": "a"}, {"sku": "b"}], "notes": {"x": 7}})
>>> Order.get(data, "$.items[1].sku"), Order.get(data, '$.notes{"x"}')
('b', 7)
>>> Order.get(data, "$.items[5].sku", "none")
'none'
>>> Order.get(data, "$.items[*].sku")
['a', 'b']
)doc";
inline constexpr char get_many_doc[] =
    R"doc(The values at several paths, read in a single pass; see get.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y, 3: i32 z }").Point
>>> Point.get_many(Point.encode({"x": 1, "z": 3}), ["$.z", "$.y", "$.x"], 0)
[3, 0, 1]
)doc";
inline constexpr char view_doc[] =
    R"doc(A View of the value at the start of data, which decodes lazily. The options are those of decode.

>>> import thriftlens as tl
>>> Order = tl.loads("struct User { 1: string name } struct Order { 1: User user, 2: list<i32> ids }").Order
>>> order = Order.view(Order.encode({"user": {"name": "Zoe"}, "ids": [4, 5]}))
>>> order.user.name, order["ids"][-1], len(order.ids), "user" in order
('Zoe', 5, 2, True)
)doc";
inline constexpr char view_class_doc[] =
    R"doc(A lazily decoded value in bytes; see Type.view.

Structs, unions and exceptions are StructView and maps MapView, both collections.abc.Mapping; lists are
ListView, a collections.abc.Sequence; sets are SetView, a collections.abc.Set. They behave like the dict, list
or set that decode returns, and compare equal to it.

view.name and view["name"] are fields, view[3] an element, view[1:] a list of elements, view["key"] an entry.
Scalars are returned as Python values, structs and containers as views, which keep the bytes and the schema
alive. Use view["items"] for a field with the name of a method (get, items, keys, to_dict, values). A struct
is a mapping of its present known fields; bytes(view) and tl.inspect(bytes(view)) include unknown ones.

Elements are created on access. Iteration, reversed() and "in" hold a single element at a time, a slice those
it returns. Neighbours of the last accessed element are found in one step. Keys of a map are searched
linearly;
after several lookups the map gets an index, which takes a multiple of the size of the map.

Absent values raise AbsentError (a KeyError, IndexError and AttributeError), names that are not in the IDL
UnknownNameError, malformed bytes DecodeError. Access stops at the first field with an id: decode the message
to check it completely.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }").Point
>>> point = Point.view(Point.encode({"x": 1}))
>>> point.x, hasattr(point, "y"), dict(point), bytes(point).hex()
(1, False, {'x': 1}, '0800010000000100')
)doc";
inline constexpr char struct_view_doc[] =
    R"doc(The view of a struct, union or exception: a collections.abc.Mapping of its fields by name.

With names="alias", the keys are the JSON names of the fields; lookups accept the IDL's names too.

>>> import thriftlens as tl
>>> Order = tl.loads("struct Order { 1: i64 id, 2: list<string> items }").Order
>>> order = Order.view(Order.encode({"id": 7, "items": ["cup"]}))
>>> len(order), list(order.keys()), order["items"][0], order == {"id": 7, "items": ["cup"]}
(2, ['id', 'items'], 'cup', True)
)doc";
inline constexpr char map_view_doc[] =
    R"doc(The view of a map: a collections.abc.Mapping.

>>> import thriftlens as tl
>>> Stock = tl.loads("struct Item { 1: i32 n } struct Stock { 1: map<string, Item> items }").Stock
>>> stock = Stock.view(Stock.encode({"items": {"cup": {"n": 5}}}))
>>> {sku: item.n for sku, item in stock["items"].items()}, stock["items"].get("pot")
({'cup': 5}, None)
)doc";
inline constexpr char list_view_doc[] =
    R"doc(The view of a list: a collections.abc.Sequence.

>>> import thriftlens as tl
>>> Tags = tl.loads("struct Tags { 1: list<string> tags }").Tags
>>> tags = Tags.view(Tags.encode({"tags": ["a", "b", "a"]})).tags
>>> tags[-1], tags[1:], tags.index("b"), tags.count("a"), list(reversed(tags))
('a', ['b', 'a'], 1, 2, ['a', 'b', 'a'])
)doc";
inline constexpr char set_view_doc[] =
    R"doc(The view of a set: a collections.abc.Set.

Iteration returns decoded elements, which are hashable. An index or slice refers to the order in the bytes and
returns views of elements that are not scalars.

>>> import thriftlens as tl
>>> Tags = tl.loads("struct Tags { 1: set<i32> tags }").Tags
>>> tags = Tags.view(Tags.encode({"tags": [3, 1]})).tags
>>> 3 in tags, tags | {2}, tags <= {1, 2, 3}, tags[0]
(True, {1, 2, 3}, True, 3)
)doc";
inline constexpr char view_get_field_doc[] =
    R"doc(The field of that name, or the value at a path such as "$.items[3].price" from here, or default if
it is absent. A name that is not in the IDL counts as absent; in a path it raises UnknownNameError. See
help(thriftlens) for the grammar of paths.)doc";
inline constexpr char view_get_key_doc[] =
    R"doc(The value of the key, or default if it is absent. For paths see at.)doc";
inline constexpr char view_get_path_doc[] = R"doc(Same as at.)doc";
inline constexpr char view_at_doc[] =
    R"doc(The value at a path such as "$[3].price" or '$["key"].price' from here, or default if it is absent.
For structs, use get. See help(thriftlens) for the grammar.)doc";
inline constexpr char view_index_doc[] =
    R"doc(The index of the first element equal to value. Raises ValueError if there is none.)doc";
inline constexpr char view_count_doc[] =
    "count($self, value, /)\n--\n\nThe number of elements equal to value.";
inline constexpr char view_isdisjoint_doc[] =
    "isdisjoint($self, other, /)\n--\n\nWhether the two have no element in common.";
inline constexpr char view_to_dict_doc[] =
    "to_dict($self, /)\n--\n\n"
    R"doc(The decoded value: a dict for a struct or map, a list or a set.)doc";
inline constexpr char view_keys_doc[] =
    "keys($self, /)\n--\n\n"
    "Names of present fields, or keys of the map: a collections.abc.KeysView.";
inline constexpr char view_values_doc[] =
    "values($self, /)\n--\n\n"
    "Values of present fields, or of the map: a collections.abc.ValuesView.";
inline constexpr char view_items_doc[] =
    "items($self, /)\n--\n\n"
    "Names and values of present fields, or keys and values of the map: a collections.abc.ItemsView.";
inline constexpr char view_iterate_doc[] = "_values($self, /)\n--\n\nAn iterator over the values.";
inline constexpr char view_iterate_items_doc[] = "_items($self, /)\n--\n\nAn iterator over the pairs.";
inline constexpr char view_html_doc[] =
    "_repr_html_($self, /)\n--\n\nA table for notebooks, bounded in size; it includes errors.";
inline constexpr char view_copy_doc[] = "__copy__($self, /)\n--\n\nThe view itself.";
inline constexpr char view_deepcopy_doc[] = "__deepcopy__($self, memo, /)\n--\n\nThe view itself.";
inline constexpr char view_reversed_doc[] =
    "__reversed__($self, /)\n--\n\nElements, names or keys from the end.";
inline constexpr char view_bytes_doc[] = "__bytes__($self, /)\n--\n\nThe wire bytes of the value.";

}  // namespace thriftlens::python
