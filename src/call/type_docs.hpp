// type_docs: what help() says below the signature, which method_table makes of the options. Never in the
// way of reading what the methods do.
#pragma once

namespace thriftlens::python {

inline constexpr char decode_doc[] =
    R"doc(The Python value of the Thrift bytes in data, which may be any bytes-like object. All of
data must be one value.

A struct, union or exception is a dict of its fields that are there; an enum its number; a list a list;
a set a set; a map a dict; string a str; binary bytes; uuid a uuid.UUID. Map keys and set elements that
are no scalars are frozen: a struct or map is a tuple of pairs, a list a tuple, a set a frozenset.
encode takes all of that back.

enums: "name" gives members by name, "member" members of enum_class, an IntEnum; numbers without a name
    stay numbers.
unknown: "error" refuses fields that the IDL does not know; "keep" gives them as "#5": {"i32": 7}, by id
    and wire type: a "string" is bytes, a "list" or "set" [element type, [elements]], a "map" [key type,
    value type, [[key, value]]], a "struct" a dict of such fields. encode(unknown="keep") takes them back.
defaults: "write" fills in absent fields that have a default in the IDL.
names: "alias" gives fields the keys that JSON has for them (api.key, go.tag).
invalid_utf8: strings that are not UTF-8: "replace" puts U+FFFD there, "surrogateescape" a lone surrogate for
    each byte, which encode takes back with the same option.
mismatch: "drop" treats fields whose wire type contradicts the IDL as unknown.
duplicates: "last" lets the last of equal fields, keys or elements win.
missing_required: "omit" leaves out required fields that are missing, as trim makes such values.
depth: most levels of nesting, 1024 at most.
output_size: most bytes that the objects made may take, by a rough count; 0 is 16 MiB and 64 for each
    byte of data. A list of empty structs takes 72 bytes for each byte, a list of empty sets 240: more
    of them is an error, output_limit.

Raises DecodeError with code, path and offset; hash_flood where more than 64 keys of one set or map have
the same hash, as only made-up keys do.

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
    R"doc(The Thrift bytes of a Python value: what decode gives, and more.

A struct may be a mapping, a dataclass, a named tuple, an object of attrs, pydantic or msgspec, or any
object with one of its fields as attributes; None and msgspec.UNSET count as absent. An enum may be a number, a name or a member of an Enum class; a list or set any
iterable; a map a mapping or pairs; binary any bytes-like object. The elements of a Python set are
written in the order of their bytes; a duplicate in a set or in pairs is an error. Integers are
checked against their range; a bool is no integer, and text no bytes.

unknown: "drop" leaves out keys and declared fields of objects that the IDL does not know;
    "keep" writes what decode(unknown="keep") gives, all fields of a mapping in its order: the same bytes
    come back, but for sets, which have no order in Python.
defaults: "write" writes absent fields that have a default in the IDL.
names: "alias" looks for fields by the keys that JSON has for them.
invalid_utf8: a str with lone surrogates: "replace" writes U+FFFD for each, "surrogateescape" the bytes that
    decode(invalid_utf8="surrogateescape") read.
missing: "zero" writes missing required fields: the default in the IDL, else 0, False, "" or nothing; of a
    struct its own required fields.

Raises EncodeError with code and path. Exceptions of the value's own code come through.

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
    R"doc(A Decoder of this type, with the options of decode read once.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }").Point
>>> decoder = Point.decoder(protocol="compact")
>>> [decoder.decode(Point.encode({"x": x}, protocol="compact")) for x in (1, 2)]
[{'x': 1}, {'x': 2}]
)doc";
inline constexpr char encoder_doc[] =
    R"doc(An Encoder of this type, with the options of encode read once.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }").Point
>>> Point.encoder(protocol="compact").encode({"x": 1}).hex()
'150200'
)doc";
inline constexpr char decoder_class_doc[] =
    R"doc(A type and the options of decode, read once: what many values are decoded by. Shared by threads.

Decoder(type, **options) is type.decoder(**options). Wrong options raise TypeError or ValueError when it
is made. decode(data) is type.decode(data, **options), without the time that reading options takes.

>>> import thriftlens as tl
>>> idl = tl.loads("enum Color { RED = 1 } struct Paint { 1: Color color }")
>>> decoder = tl.Decoder(idl.Paint, enums="name")
>>> decoder, decoder.decode(idl.Paint.encode({"color": 1}))
(<thriftlens.Decoder Paint>, {'color': 'RED'})
)doc";
inline constexpr char decoder_decode_doc[] =
    "decode($self, data, /)\n--\n\nThe Python value of the Thrift bytes in data, as Type.decode gives it.";
inline constexpr char encoder_class_doc[] =
    R"doc(A type and the options of encode, read once: what many values are encoded by. Shared by threads.

Encoder(type, **options) is type.encoder(**options). Wrong options raise TypeError or ValueError when it
is made. encode(value) is type.encode(value, **options).

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }").Point
>>> encoder = tl.Encoder(Point, protocol="compact")
>>> encoder, encoder.encode({"x": 1}).hex()
(<thriftlens.Encoder Point>, '150200')
)doc";
inline constexpr char encoder_encode_doc[] =
    "encode($self, value, /)\n--\n\nThe Thrift bytes of a Python value, as Type.encode gives them.";

inline constexpr char to_json_doc[] =
    R"doc(JSON text, as UTF-8 bytes, of the Thrift bytes in data, with no Python value in between.

binary is padded base64; map keys are strings, and maps whose keys are no scalars arrays of pairs.

int64: "string" writes i64 as a string, for readers that keep numbers as double.
nonfinite: "string" writes "NaN", "Infinity" and "-Infinity", for which JSON has no number.
unknown: "keep" writes fields that the IDL does not know as "#5":{"i32":7}, by id and wire type, with
    strings as base64: from_json(unknown="keep") makes the same bytes of it.
pretty: True (two blanks) or the number of blanks a level.
select: only these parts, as trim would cut them, in the same pass: text such as "{ id user { name } }"
    (compiled once for the same str), another Type, or a list of paths. Required fields that it leaves
    out are not missing. What is not selected is skipped, checked as trim does: structure, and
    duplicate ids.
output_size: most bytes of text; 0 is 16 MiB and 8 for each byte of data. More is an error,
    output_limit. The other options are those of decode.

The GIL is given up for 4 KiB of data and more: data must not be changed by other threads meanwhile.
Raises DecodeError with code, path and offset.

>>> import thriftlens as tl
>>> Item = tl.loads("struct Item { 1: required string sku, 2: set<i32> sizes }").Item
>>> Item.to_json(bytes.fromhex("0b0001 00000003 435550 0e0002 08 00000001 00000007 00"))
b'{"sku":"CUP","sizes":[7]}'
>>> Item.to_json(bytes.fromhex("0b0001 00000003 435550 0e0002 08 00000001 00000007 00"), select="{ sizes }")
b'{"sizes":[7]}'
)doc";

inline constexpr char from_json_doc[] =
    R"doc(The Thrift bytes of JSON text, a str or bytes-like object, with no Python value in between.

Enums may be names or numbers; null means absent.

unknown: "drop" passes over keys that the IDL does not know; "keep" takes what to_json(unknown="keep")
    writes, and refuses others.
quoted_numbers: "accept" takes "5" where the IDL has a number.
base64: "lenient" takes unpadded text and the URL alphabet too.
duplicates: "last" lets the last of equal keys win.
nonfinite: "string" takes "NaN", "Infinity" and "-Infinity" for doubles.
defaults: "write" writes absent fields that have a default in the IDL.
names: "alias" expects aliases as keys, "both" takes either.
invalid_utf8: escapes of lone surrogates: "replace" writes U+FFFD for each, "surrogateescape" the bytes that
    to_json(invalid_utf8="surrogateescape") read.
missing: "zero" writes missing required fields: the default in the IDL, else 0, false, "" or nothing; of a
    struct its own required fields.
output_size: most bytes written; 0 is 16 MiB and 8 for each byte of text. More is an error,
    output_limit.

The GIL is given up for 4 KiB of text and more: text must not be changed by other threads meanwhile.
Raises JSONError with code, path, offset, line and column.

>>> import thriftlens as tl
>>> Item = tl.loads("struct Item { 1: required string sku, 2: set<i32> sizes }").Item
>>> Item.from_json('{"sku": "CUP", "sizes": [7]}') == Item.encode({"sku": "CUP", "sizes": [7]})
True
>>> Item.from_json('{"sku": 5}')
Traceback (most recent call last):
    ...
thriftlens.JSONError: expected string at $.sku (byte 8, line 1 column 9)
)doc";

inline constexpr char get_doc[] =
    R"doc(The value at a path such as "$.items[3].price"; default where there is none. What stands
before it is skipped, what stands behind it is not looked at: for untrusted input where that matters,
decode all of it. Where data itself lacks the field, all of it was read: bytes behind the value are an
error, and so is a required field that is missing (missing_required="omit": default).

A path is made of .name, .#id, [index], [*], [first:last], {"key"}, {*}; help(thriftlens) has its
grammar. A path with a wildcard or slice, "$.items[*].sku" or "$.items[-2:].sku", gives the list of the
values that are there.
defaults: "write" gives the IDL's default for an absent field. The other options are those of decode.

Raises DecodeError for broken bytes, UnknownNameError for a field that the IDL does not have, Error for
a path that makes no sense.

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
    R"doc(The values at several paths, found in one pass; see get.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y, 3: i32 z }").Point
>>> Point.get_many(Point.encode({"x": 1, "z": 3}), ["$.z", "$.y", "$.x"], 0)
[3, 0, 1]
)doc";

inline constexpr char trim_doc[] =
    R"doc(The part of the bytes that a selection keeps: fields keep their order and their bytes.

selection: text such as "{ id user { name } items { sku } }", where "{ * -debug }" is all but debug
    (help(thriftlens) has its grammar); another Type, whose fields are kept; or a list of paths.
unknown: "keep", "drop" or "error" for fields that the IDL does not know, in the structs that the
    selection opens: what it keeps whole is copied as it is (redact drops them everywhere, and nothing
    else with paths={"$": "keep"}); "selected" keeps them where all fields are.
defaults: "write" adds the IDL's defaults for selected fields that are absent.

What is left may lack required fields: read it with missing_required="omit", which decode, to_json, view
and validate take, or cut and write in one step: to_json(data, select=...).

Raises DecodeError for broken bytes, UnknownNameError or Error for a selection that does not fit.

>>> import thriftlens as tl
>>> Order = tl.loads('''struct Item { 1: string sku, 2: i32 n }
...                       struct Order { 1: i32 id, 2: list<Item> items, 3: string debug }''').Order
>>> data = Order.encode({"id": 1, "items": [{"sku": "a", "n": 5}], "debug": "x"})
>>> Order.decode(Order.trim(data, "{ id items { sku } }"))
{'id': 1, 'items': [{'sku': 'a'}]}
>>> Order.decode(Order.trim(data, "{ * -debug }"))
{'id': 1, 'items': [{'sku': 'a', 'n': 5}]}
)doc";

inline constexpr char view_doc[] =
    R"doc(A View of the value that begins data. Nothing is decoded before it is asked for; the
options are those of decode.

>>> import thriftlens as tl
>>> Order = tl.loads("struct User { 1: string name } struct Order { 1: User user, 2: list<i32> ids }").Order
>>> order = Order.view(Order.encode({"user": {"name": "Zoe"}, "ids": [4, 5]}))
>>> order.user.name, order["ids"][-1], len(order.ids), "user" in order
('Zoe', 5, 2, True)
)doc";

inline constexpr char view_class_doc[] =
    R"doc(A value inside bytes that is not decoded before it is asked for; made by Type.view.

Structs, unions and exceptions are StructView and maps MapView, both collections.abc.Mapping; lists are
ListView, a collections.abc.Sequence; sets SetView, a collections.abc.Set. They behave as the dict, list
or set that decode gives, and are equal to it.

view.name and view["name"] are fields, view[3] an element, view[1:] a list of them, view["key"] an
entry. Scalars come as Python values, structs and containers as views, which hold the bytes and the
schema as long as they live. A field whose name is that of a method (get, items, keys, to_dict, values)
is asked for by view["items"]. A struct is a mapping of those of its fields that are there and that the
IDL knows: the others are in bytes(view) and tl.inspect(bytes(view)).

Elements are made when they are asked for: iterating, reversed() and "in" hold one at a time, a slice
those it gives, and an element after its neighbour is found in one step. A key of a map is looked for
from its start; a map that is asked for more than a few keys gets an index, a multiple of its bytes.

What is not there raises AbsentError (a KeyError, IndexError and AttributeError), a name that the IDL
does not have UnknownNameError, broken bytes DecodeError. A step stops at the first field of an id: to
be sure that all of the message is sound, decode it.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }").Point
>>> point = Point.view(Point.encode({"x": 1}))
>>> point.x, hasattr(point, "y"), dict(point), bytes(point).hex()
(1, False, {'x': 1}, '0800010000000100')
)doc";
inline constexpr char struct_view_doc[] =
    R"doc(The view of a struct, union or exception: a collections.abc.Mapping of its fields by name.

With names="alias" its keys are what JSON calls the fields; the names of the IDL are found too.

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

Iterating gives the elements as decode does, so that a set can hold them; an index or a slice counts
them as they stand in the bytes, and gives views of those that are no scalars.

>>> import thriftlens as tl
>>> Tags = tl.loads("struct Tags { 1: set<i32> tags }").Tags
>>> tags = Tags.view(Tags.encode({"tags": [3, 1]})).tags
>>> 3 in tags, tags | {2}, tags <= {1, 2, 3}, tags[0]
(True, {1, 2, 3}, True, 3)
)doc";

inline constexpr char view_get_field_doc[] =
    R"doc(The field of that name, or the value at a path such as "$.items[3].price" from here; default
where there is none. A name that the IDL does not have is none, as Mapping.get has it; in a path it
raises UnknownNameError. help(thriftlens) has the grammar of paths.)doc";
inline constexpr char view_get_key_doc[] =
    R"doc(The value of the key; default where there is none. For a path from here see at.)doc";
inline constexpr char view_get_path_doc[] = R"doc(As at: the name that it had first.)doc";
inline constexpr char view_at_doc[] =
    R"doc(The value at a path such as "$[3].price" or '$["key"].price' from here; default where there is
none. Of a struct get takes paths. help(thriftlens) has the grammar.)doc";
inline constexpr char view_index_doc[] =
    R"doc(The place of the first element that is equal to value; ValueError where there is none.)doc";
inline constexpr char view_count_doc[] =
    "count($self, value, /)\n--\n\nHow many elements are equal to value.";
inline constexpr char view_isdisjoint_doc[] =
    "isdisjoint($self, other, /)\n--\n\nWhether the two have no element in common.";

inline constexpr char view_to_dict_doc[] =
    "to_dict($self, /)\n--\n\n"
    R"doc(The whole value as decode gives it: a dict for a struct or map, a list, a set.)doc";

inline constexpr char view_keys_doc[] =
    "keys($self, /)\n--\n\n"
    "Names of the fields that are there, or keys of the map: a collections.abc.KeysView.";
inline constexpr char view_values_doc[] =
    "values($self, /)\n--\n\n"
    "Values of the fields that are there, or of the map: a collections.abc.ValuesView.";
inline constexpr char view_items_doc[] =
    "items($self, /)\n--\n\n"
    "Pairs of names and values of the fields that are there, or of keys and values of the map: a\n"
    "collections.abc.ItemsView.";
inline constexpr char view_iterate_doc[] = "_values($self, /)\n--\n\nAn iterator over the values.";
inline constexpr char view_iterate_items_doc[] = "_items($self, /)\n--\n\nAn iterator over the pairs.";
inline constexpr char view_html_doc[] =
    "_repr_html_($self, /)\n--\n\nA table for notebooks, bounded in size; what is broken is said in it.";
inline constexpr char view_copy_doc[] = "__copy__($self, /)\n--\n\nThe view itself.";
inline constexpr char view_deepcopy_doc[] = "__deepcopy__($self, memo, /)\n--\n\nThe view itself.";
inline constexpr char view_reversed_doc[] =
    "__reversed__($self, /)\n--\n\nElements, names or keys from the end.";
inline constexpr char view_bytes_doc[] = "__bytes__($self, /)\n--\n\nThe wire bytes of the value.";

inline constexpr char edit_doc[] =
    R"doc(An Edit of the bytes in data: `Order.edit(data).set("$.user.name",
"x").erase("$.debug").apply()`.

output_size: most bytes of the result; 0 is 16 MiB and 8 for each byte of data and of new values. A path
    with wildcards puts its value as often as the sender of data likes.)doc";

inline constexpr char edit_class_doc[] =
    R"doc(Changes to the bytes of one value, collected and applied in one pass; made by Type.edit.

Everything that no change names stays as it is, byte by byte: unknown fields, order, number forms. All
paths mean the value as it was before: indices do not move by earlier changes. Paths may hold wildcards
and slices. The data is never written to.

A new value is a Python value as encode takes it, or one of json= (JSON text) and wire= (wire bytes of
the type).

>>> import thriftlens as tl
>>> Order = tl.loads('''struct Item { 1: string sku }
...                       struct Order { 1: list<Item> items, 2: optional string debug, 3: i32 n }''').Order
>>> data = Order.encode({"items": [{"sku": "a"}], "debug": "x", "n": 1})
>>> edit = Order.edit(data).set("$.items[0].sku", "b").erase("$.debug").append("$.items", {"sku": "c"})
>>> data = edit.apply()
>>> Order.decode(data)
{'items': [{'sku': 'b'}, {'sku': 'c'}], 'n': 1}
>>> Order.decode(Order.edit(data).replace("$.n", lambda n: n + 1).apply())["n"]
2
)doc";

inline constexpr char edit_set_doc[] =
    "Replaces a value; a missing field or entry is added. What it stands in must be there: see create.";
inline constexpr char edit_create_doc[] =
    "As set, and makes the structs and maps on the way where they are missing.";
inline constexpr char edit_insert_doc[] =
    "Adds an element before that index, or a field or entry that must not be there yet.";
inline constexpr char edit_append_doc[] =
    "Adds an element at the end of the list or set that the path leads to.";
inline constexpr char edit_erase_doc[] =
    "Removes a field, element or entry; nothing happens where it is not there.";
inline constexpr char edit_replace_doc[] =
    "Replaces each value that the path leads to by change(old value). It may be called more than once for a "
    "value.\nUnknown fields are in the old value as decode(unknown=\"keep\") gives them, and are written "
    "back "
    "from the new one.";
inline constexpr char edit_apply_doc[] =
    "apply($self, /)\n--\n\n"
    "The changed bytes. Raises AbsentError where set, insert or append have nowhere to go; Error for changes "
    "that contradict\n"
    "each other; DecodeError for broken bytes.";

inline constexpr char rewrite_doc[] =
    R"doc(A Rewrite of the bytes in data: a selection, a redaction and edits in one pass. See thriftlens.rewrite.

output_size: most bytes of the result; 0 is 16 MiB and 8 for each byte of data and of new values.)doc";

inline constexpr char rewrite_view_doc[] =
    R"doc(A Rewrite of the value of a view: `tl.rewrite(view).trim(selection).redact(annotation="pii").apply()`.

output_size: most bytes of the result, as Type.rewrite has it.)doc";

inline constexpr char rewrite_class_doc[] =
    R"doc(A selection, a redaction and edits of one value in one pass over its bytes; made by Type.rewrite or rewrite.

The result is that of trim, then redact, then edit, each on what the one before left, whatever the order of
the calls. Rules see what the selection keeps: a required field that it drops is an error unless redact is
told missing_required="omit". Edits see what the rules leave: `replace` is given the redacted value, and what
was trimmed away or dropped is absent. A value that an edit puts in is written as given.

What an edit replaces or erases as a whole is skipped unread.

>>> import thriftlens as tl
>>> Order = tl.loads('''struct User { 1: string name (pii = "blank"), 2: i32 age }
...                       struct Order { 1: i32 id, 2: User user, 3: string debug, 4: optional i32 hops }''').Order
>>> data = Order.encode({"id": 7, "user": {"name": "Ann", "age": 30}, "debug": "x", "hops": 1})
>>> rewrite = Order.rewrite(data).trim("{ * -debug }").redact(annotation="pii").set("$.hops", 2)
>>> Order.decode(rewrite.apply())
{'id': 7, 'user': {'name': '', 'age': 30}, 'hops': 2}
>>> user = Order.view(data).user
>>> user.to_dict(), tl.rewrite(user).trim("{ age }").apply().hex()
({'name': 'Ann', 'age': 30}, '0800020000001e00')
)doc";

inline constexpr char rewrite_trim_doc[] =
    R"doc(Keeps what a selection keeps, as Type.trim has it: text, a Type, or a list of paths. Once.)doc";
inline constexpr char rewrite_redact_doc[] =
    R"doc(Takes out what must not be passed on; the options are those of Type.redactions. Once.)doc";
inline constexpr char rewrite_apply_doc[] =
    R"doc(The changed bytes. report: called with a RewriteReport, the numbers of what was trimmed, replaced and dropped.

Raises what trim, redact and Edit.apply raise.)doc";

inline constexpr char redact_doc[] =
    R"doc(The value without what must not be passed on; everything else stays as it is, byte by byte.

annotation: key of the IDL annotation whose fields are redacted, such as "pii": of the field, of the
    typedefs it names (also inside list<...> and map<...>), of the struct or enum that is its type, and
    of a function for its result. Of several, and of those of the values around it, the strictest holds:
    drop, blank, constant, hash, keep_last, keep.
values: what the annotation's values mean; a value that is not listed may be an action itself, any other
    means `otherwise`.
paths: actions by path, with [*], {*} and keys; they go before annotations, later ones before earlier
    ones. They mean elements and values; keys of a map go with the rule of the map.
types: actions by field of a struct ("User.mail") or by struct or enum ("User"), which hold wherever
    that occurs; they go before annotations.
key: up to 16 secret bytes for hash, which needs them: whoever knows or guesses them can tell whether a
    value is it.
unknown: fields that the IDL does not know. With "keep", what no rule leads into is copied unread.
missing: a rule that reaches nothing of this type; "ignore" for one policy over many types.
missing_required: required fields that the data lacks.
report: called with a RedactReport, the numbers of what was replaced and dropped.

Actions: "keep"; "drop" (not for required fields); "blank" ("", 0, an empty container); "hash" (a keyed
    64-bit SipHash: 16 hex digits in strings, a number >= 0 in numbers); "keep_last(4)" (characters, or
    digits of an integer); "constant(text)". hash and keep_last go into containers and structs. The
    rules are compiled once for the same options.

Rules that are wrong, that reach nothing, or none at all, raise SchemaError or UnknownNameError, which
are ValueErrors; broken data and fields that contradict the IDL raise DecodeError. What comes out is
never half redacted.

>>> import thriftlens as tl
>>> User = tl.loads('''struct User { 1: required i64 id, 2: string name (pii = "blank"),
...                        3: string card (pii = "card"), 4: map<string, string> attrs }''').User
>>> attrs = {"mail": "a@b.c", "lang": "en"}
>>> data = User.encode({"id": 7, "name": "Ann", "card": "4111111111111234", "attrs": attrs})
>>> rules = {"values": {"card": "keep_last(4)"}, "paths": {'$.attrs{"mail"}': "drop"}}
>>> User.decode(User.redact(data, annotation="pii", **rules))
{'id': 7, 'name': '', 'card': '************1234', 'attrs': {'lang': 'en'}}
>>> User.redact(data, annotation="pi")
Traceback (most recent call last):
    ...
thriftlens.SchemaError: no field or type that User reaches has the annotation 'pi'; did you mean 'pii'?
)doc";

inline constexpr char redactions_doc[] =
    R"doc(What redact hides with the same options: path, action and reason of each place, and of what
a rule keeps.

In the order of field ids; what occurs again, such as a recursive type, is "as" its first path; the last
entry is that of the unknown fields. Pin the list in a test: an annotation that gets lost in the IDL
shows there.

>>> import thriftlens as tl
>>> User = tl.loads('''typedef string Mail (pii = "hash")
...                      struct User { 1: i64 id, 2: string name (pii = "name"), 3: list<Mail> mails,
...                                    4: User boss }''').User
>>> for each in User.redactions(annotation="pii", key=b"any"):
...     print(*each, sep=" | ")
$.name | blank | field User.name (pii = "name")
$.mails[*] | hash | its type (pii = "hash")
$.boss | as $ | User
#* | drop | not in the IDL
)doc";

inline constexpr char findings_doc[] =
    R"doc(Everything that is wrong with the bytes, at most `most` findings, as exceptions that are
not raised; [] for sound data.

Wire types, required fields, duplicate fields, unions, trailing bytes; and by option
unknown: fields that the IDL does not know; invalid_utf8: strings; enums: numbers without a name; keys: map keys
    and set elements that are duplicate; rules: the vt.* annotations of the IDL (vt.gt, vt.max_size,
    vt.pattern …);
missing_required: "omit" takes what trim leaves, which may lack required fields.
foreign: "error" finds structs at any depth that have fields, none of which the IDL knows: most likely
    they are of another type. Code foreign_struct, path of the struct.
)doc";

inline constexpr char validate_doc[] =
    R"doc(Raises the first of the findings: DecodeError with code, path and offset. Nothing is
decoded. The options are those of findings.

>>> import thriftlens as tl
>>> User = tl.loads('struct User { 1: required i64 id (vt.gt = "0"), 2: string name }').User
>>> User.validate(User.encode({"id": 1}))
>>> User.validate(User.encode({"id": -1}))
Traceback (most recent call last):
    ...
thriftlens.DecodeError: the value breaks vt.gt = "0" at $.id (byte 3)
)doc";

inline constexpr char diff_doc[] =
    R"doc(What must be done to the left bytes to get the right ones, at most `most` differences; []
for equal values.

Fields in any order are equal, and so are sets and maps (order="keep": they are not); fields that the
IDL does not know count. Raises DecodeError for broken bytes on either side.

output_size: most bytes that the differences, and what finds them, may take; 0 is 16 MiB and 64 for each
    byte of both.

>>> import thriftlens as tl
>>> Order = tl.loads("struct Order { 1: i64 id, 2: list<string> tags }").Order
>>> left, right = Order.encode({"id": 1, "tags": ["a"]}), Order.encode({"id": 2, "tags": ["a", "b"]})
>>> for each in Order.diff(left, right):
...     print(each.kind, each.path, each.left, each.right)
changed $.id 1 2
added $.tags[1] None b
)doc";

inline constexpr char inspect_doc[] =
    R"doc(The bytes of a struct as an indented tree: offset, field id, wire type, content. With a
type also names.

Never raises for broken bytes: the tree ends in a line that begins with ! and says what is wrong.
text_size: bytes of a string that are shown; elements: elements of a container that are shown.
output_size: bytes of text; 0 is 16 MiB and 8 for each byte of data. There the tree ends in the same
    way.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x, 2: string name }").Point
>>> print(tl.inspect(Point.encode({"x": 3, "name": "home"})))
00000000  struct
00000000    #1 i32 3
00000007    #2 string "home"
<BLANKLINE>
)doc";

inline constexpr char convert_doc[] =
    R"doc(The bytes of a struct, or of a value of `type`, in another protocol; no IDL is needed. "tjson" is
Apache's JSON protocol, whose text does not tell strings from binaries: the type does. Without one, bytes
that are UTF-8 become text and others base64. Raises DecodeError (JSONError for text) with path and offset.

>>> import thriftlens as tl
>>> Point = tl.loads("struct Point { 1: i32 x }").Point
>>> tl.convert(Point.encode({"x": 3}), source="binary", target="compact").hex()
'150600'
>>> tl.convert(Point.encode({"x": 3}), source="binary", target="tjson")
b'{"1":{"i32":3}}'
)doc";

inline constexpr char cut_records_doc[] =
    R"doc(The next records of a window of the input: (rows, next, wanted, error, can_continue). A row is
(offset, size, value, message); see thriftlens.scan, which steps with this.
)doc";

inline constexpr char parquet_nodes_doc[] =
    R"doc(The nodes of a Parquet footer's schema, or those with these dotted paths and the groups they are in:
rows of (number in the list, name, row of its group or -1, level, is a leaf, first leaf, last leaf, begin,
end). See thriftlens.parquet.
)doc";

inline constexpr char detect_doc[] =
    R"doc(What the bytes may be: rows of (shape, protocol, framing, lead, count, bits, words), the likeliest
first. See thriftlens.detect, which looks below compression too.
)doc";

inline constexpr char identify_doc[] =
    R"doc(The types by how the bytes of one struct fit them: rows of (number in `types`, score, known, unknown,
contradictions, missing, path, why), the likeliest first. See thriftlens.identify.
)doc";

inline constexpr char infer_doc[] =
    R"doc(A draft of the IDL that the samples, structs in one protocol, were written by. See thriftlens.infer.
)doc";

inline constexpr char text_message_doc[] =
    R"doc(The header of a message of Apache's JSON protocol and where its struct lies: (name, kind, sequence
id, begin, end). See thriftlens.read_message.
)doc";

inline constexpr char message_head_doc[] =
    R"doc(The header of an RPC message; the struct comes behind it. See thriftlens.Message.
)doc";

inline constexpr char session_class_doc[] =
    R"doc(Session(role, *, transport='buffered', ...)
--

One connection that carries Thrift messages, without its socket. Private: thriftlens.connect and
thriftlens.serve are made with it.
)doc";
inline constexpr char session_start_doc[] =
    "start($self)\n--\n\nBytes to be sent before all others; empty where there is no negotiation.";
inline constexpr char session_feed_doc[] =
    "feed($self, data, /)\n--\n\nTakes bytes as they arrive. Of a dead session it raises the session's "
    "error.";
inline constexpr char session_lend_doc[] =
    "lend($self, data, /)\n--\n\nAs feed, without a copy: the bytes must stay as they are until next has "
    "given "
    "None.";
inline constexpr char session_next_doc[] =
    "next($self)\n--\n\nThe next event; None where more bytes are needed. Raises DecodeError for a fault of "
    "the\n"
    "peer, and the same again whatever is called afterwards.";
inline constexpr char session_finish_doc[] =
    "finish($self)\n--\n\nNo bytes come any more. Raises DecodeError inside a message.";
inline constexpr char session_cancel_doc[] =
    "cancel($self, sequence_id, /)\n--\n\nGives up a call: its reply is passed over. False where none is in "
    "flight.";
inline constexpr char session_expired_doc[] =
    "expired($self, now, /)\n--\n\nThe sequence ids of calls in flight whose deadline is not after `now`.";
inline constexpr char session_call_doc[] =
    R"doc(A call's sequence id and the bytes to be sent. `arguments` is the struct, in the session's protocol.
)doc";
inline constexpr char session_reply_doc[] =
    R"doc(The bytes of the answer to a call, in the form in which it came: `kind` is 'reply' or 'exception'.
)doc";

}  // namespace thriftlens::python
