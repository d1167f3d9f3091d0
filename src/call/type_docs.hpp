// type_docs: docstrings of methods, without the signature line, which method_table generates.
#pragma once

namespace thriftlens::python {

inline constexpr char decode_doc[] =
    R"doc(Decode the bytes-like object data, which must be exactly one value.

A struct, union or exception becomes a dict of its present fields, an enum its number, a list a list, a set a
set, a map a dict, a string a str, binary bytes and a uuid a uuid.UUID. Map keys and set elements that are not
scalars are frozen: a struct or map becomes a tuple of pairs, a list a tuple, a set a frozenset. encode
accepts these forms.

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

The GIL is released for 4 KiB of data or more: other threads must not change data meanwhile. Raises
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

The GIL is released for 4 KiB of text or more: other threads must not change text meanwhile. Raises JSONError
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

inline constexpr char trim_doc[] =
    R"doc(The selected part of the bytes. Fields keep their order and their bytes.

selection: text such as "{ id user { name } items { sku } }" or "{ * -debug }", every field except debug (see
    help(thriftlens) for the grammar); another Type, which selects its fields; or a list of paths.
unknown: "keep", "drop" or "error" for fields that are not in the IDL, in structs of which the selection names
    fields: complete structs are copied unchanged (to drop unknown fields everywhere, and nothing else, use
    redact with paths={"$": "keep"}); "selected" keeps them in structs with "*".
defaults: "write" adds the IDL's defaults for absent selected fields.

The result may lack required fields: decode, to_json, view and validate accept it with
missing_required="omit". A union whose member is not selected has no member in the result, which some other
libraries refuse. to_json(data, select=...) trims and converts in one step.

Raises DecodeError for malformed bytes, UnknownNameError or Error for an invalid selection.

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

inline constexpr char edit_doc[] =
    R"doc(An Edit of the bytes in data: `Order.edit(data).set("$.user.name",
"x").erase("$.debug").apply()`.

output_size: maximum size of the result in bytes; 0 means 16 MiB plus 8 bytes per byte of data and new values.
    The sender of data controls how often a path with wildcards matches.)doc";

inline constexpr char edit_class_doc[] =
    R"doc(Changes to the bytes of a value, applied in one pass; see Type.edit.

Bytes that no change matches are copied unchanged, including unknown fields, order and number encodings. Paths
refer to the original value: earlier changes do not move indices. Paths may have wildcards and slices. The
data is not modified.

A new value is a Python value as for encode, json= (JSON text) or wire= (wire bytes of the type).

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
    "Replaces a value, or adds a missing field or entry. Its parent must exist; see create.";
inline constexpr char edit_create_doc[] = "Like set, but also creates missing parent structs and maps.";
inline constexpr char edit_insert_doc[] =
    "Inserts an element before that index, or adds a field or entry that must not exist.";
inline constexpr char edit_append_doc[] = "Adds an element to the end of the list or set at the path.";
inline constexpr char edit_erase_doc[] = "Removes a field, element or entry, if it exists.";
inline constexpr char edit_replace_doc[] =
    "Replaces the values at the path by change(old value). It may be called more than once for a value.\n"
    "Values are decoded and encoded with unknown=\"keep\".";
inline constexpr char edit_apply_doc[] =
    "apply($self, /)\n--\n\n"
    "The changed bytes. Raises AbsentError if the parent of a new value is absent, Error for contradictory\n"
    "changes, DecodeError for malformed bytes.";

inline constexpr char rewrite_doc[] =
    R"doc(A Rewrite of the bytes in data, which trims, redacts and edits in one pass. See thriftlens.rewrite.

output_size: maximum size of the result in bytes; 0 means 16 MiB plus 8 bytes per byte of data and new
    values.)doc";

inline constexpr char rewrite_view_doc[] =
    R"doc(A Rewrite of the value of a view:
`tl.rewrite(view).trim(selection).redact(annotation="pii").apply()`.

output_size: maximum size of the result in bytes, as in Type.rewrite.)doc";

inline constexpr char rewrite_class_doc[] =
    R"doc(Trims, redacts and edits a value in one pass over its bytes; see Type.rewrite and rewrite.

The result is that of trim, then redact, then edit, whatever the order of the calls. Rules apply to the
selected fields: an unselected required field is an error unless redact has missing_required="omit". Edits apply
to the redacted value: `replace` gets the redacted value, and trimmed or dropped values are absent. New values of
edits are not redacted.

Values that an edit replaces or erases are not read.

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
    R"doc(Keeps the selected parts, like Type.trim: text, a Type, or a list of paths. Callable once.)doc";
inline constexpr char rewrite_redact_doc[] =
    R"doc(Redacts values; the options are those of Type.redactions. Callable once.)doc";
inline constexpr char rewrite_apply_doc[] =
    R"doc(The changed bytes. report: called with a RewriteReport, the counts of trimmed, replaced and dropped
values.

Raises the errors of trim, redact and Edit.apply.)doc";

inline constexpr char redact_doc[] =
    R"doc(Redact sensitive values. Bytes that no rule matches are copied unchanged.

annotation: key of the IDL annotation of values to redact, such as "pii": on the field, on the typedefs it
    uses (also inside list<...> and map<...>), on the struct or enum that is its type, and on a function for
    its result. The strictest of these and those of enclosing values applies: drop, blank, constant, hash,
    keep_last, keep.
values: actions by value of the annotation; an unlisted value may be an action itself, any other value means
    `otherwise`.
paths: actions by path, with [*], {*} and keys; they override annotations, and later paths earlier ones. They
    apply to elements and values; the rule of a map also applies to its keys.
types: actions by field of a struct ("User.mail") or by struct or enum ("User"), wherever it occurs; they
    override annotations.
key: up to 16 secret bytes, required for hash: with the key, values can be guessed and checked.
unknown: fields that are not in the IDL. With "keep", bytes that no rule reaches are copied unread.
missing: rules that match nothing in this type; "ignore" for one policy over many types.
missing_required: missing required fields.
report: called with a RedactReport, the counts of replaced and dropped values.

Actions: "keep"; "drop" (not for required fields); "blank" ("", 0, an empty container); "hash" (a keyed
    64-bit SipHash: 16 hex digits in strings, a number >= 0 in numbers); "keep_last(4)" (characters, or
    digits of an integer); "constant(text)". hash and keep_last apply to the scalars in containers and
    structs. Compiled rules are cached by their options.

Invalid rules, rules that match nothing and a lack of rules raise SchemaError or UnknownNameError, which are
ValueErrors; malformed data and fields that contradict the IDL raise DecodeError. There is no partially
redacted result.

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
    R"doc(The values that redact matches with these options: path, action and reason, including action "keep".

Sorted by field id. Repeated types, such as recursive ones, are listed "as" their first path; the last entry
is that of unknown fields. Compare the list in a test to notice lost annotations.

>>> import thriftlens as tl
>>> User = tl.loads('''typedef string Mail (pii = "hash")
...                      struct User { 1: i64 id, 2: string name (pii = "name"), 3: list<Mail> mails,
...                                    4: User boss }''').User
>>> for row in User.redactions(annotation="pii", key=b"any"):
...     print(*row, sep=" | ")
$.name | blank | field User.name (pii = "name")
$.mails[*] | hash | its type (pii = "hash")
$.boss | as $ | User
#* | drop | not in the IDL
)doc";

inline constexpr char findings_doc[] =
    R"doc(The errors in the bytes as a list of exceptions that are not raised, limited by `most`; [] for valid
data.

Checks wire types, required fields, duplicate fields, unions and trailing bytes; and by option
unknown: fields that are not in the IDL; invalid_utf8: strings; enums: numbers without a name; keys: duplicate
    map keys and set elements; rules: the vt.* annotations of the IDL (vt.gt, vt.max_size, vt.pattern …);
missing_required: "omit" accepts missing required fields, as in the result of trim.
foreign: "error" reports structs at any depth that have only unknown fields and so probably another type. Code
    foreign_struct, path of the struct.
)doc";

inline constexpr char validate_doc[] =
    R"doc(Check the bytes without decoding them. Raises DecodeError with code, path and offset for the first
error. The options are those of findings.

>>> import thriftlens as tl
>>> User = tl.loads('struct User { 1: required i64 id (vt.gt = "0"), 2: string name }').User
>>> User.validate(User.encode({"id": 1}))
>>> User.validate(User.encode({"id": -1}))
Traceback (most recent call last):
    ...
thriftlens.DecodeError: the value breaks vt.gt = "0" at $.id (byte 3)
)doc";

inline constexpr char diff_doc[] =
    R"doc(The differences between two values, limited by `most`; [] for equal values.

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

inline constexpr char cut_records_doc[] =
    R"doc(The next records of a window of the input: (rows, next, wanted, error, can_continue). A row is
(offset, size, value, message). Used by thriftlens.scan.
)doc";

inline constexpr char parquet_nodes_doc[] =
    R"doc(The nodes of a Parquet footer's schema, or those with these dotted paths and their groups:
rows of (number in the list, name, row of its group or -1, level, is a leaf, first leaf, last leaf, begin,
end). See thriftlens.parquet.
)doc";

inline constexpr char detect_doc[] =
    R"doc(Guesses of the format of bytes: rows of (shape, protocol, framing, lead, count, bits, text), the
likeliest first. See thriftlens.detect, which also handles compression.
)doc";

inline constexpr char identify_doc[] =
    R"doc(The types ranked by how well they fit the bytes of a struct: rows of (number in `types`, score,
known, unknown, contradictions, missing, path, reason), the likeliest first. See thriftlens.identify.
)doc";

inline constexpr char infer_doc[] =
    R"doc(A draft of the IDL of the samples, which are structs in the same protocol. See thriftlens.infer.
)doc";

inline constexpr char text_message_doc[] =
    R"doc(The header of a message of Apache's JSON protocol and the position of its struct: (name, kind,
sequence id, begin, end). See thriftlens.read_message.
)doc";

inline constexpr char message_head_doc[] =
    R"doc(The header of an RPC message, which precedes the struct. See thriftlens.Message.
)doc";

inline constexpr char session_class_doc[] =
    R"doc(Session(role, *, transport='buffered', ...)
--

The protocol state of a connection, without I/O. Private: used by thriftlens.connect and thriftlens.serve.
)doc";
inline constexpr char session_start_doc[] =
    "start($self)\n--\n\nThe first bytes to send; empty if there is no negotiation.";
inline constexpr char session_feed_doc[] =
    "feed($self, data, /)\n--\n\nAdds received bytes. Raises the session's error if it has failed.";
inline constexpr char session_lend_doc[] =
    "lend($self, data, /)\n--\n\nLike feed, without a copy: the bytes must not change until next returns "
    "None.";
inline constexpr char session_next_doc[] =
    "next($self)\n--\n\nThe next event, or None if more bytes are needed. Raises DecodeError for invalid "
    "input\n"
    "from the peer, and so do later calls of all methods.";
inline constexpr char session_finish_doc[] =
    "finish($self)\n--\n\nEnds the input. Raises DecodeError inside a message.";
inline constexpr char session_cancel_doc[] =
    "cancel($self, sequence_id, /)\n--\n\nCancels a call: its reply is ignored. False if it is not in "
    "flight.";
inline constexpr char session_expired_doc[] =
    "expired($self, now, /)\n--\n\nThe sequence ids of calls in flight whose deadline has passed at `now`.";
inline constexpr char session_call_doc[] =
    R"doc(The sequence id of a call and the bytes to send. `arguments` is the struct in the session's
protocol.
)doc";
inline constexpr char session_reply_doc[] =
    R"doc(The bytes of the reply to a call, in the protocol and transport of the call: `kind` is 'reply' or
'exception'.
)doc";

}  // namespace thriftlens::python
