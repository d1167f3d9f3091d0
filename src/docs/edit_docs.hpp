// edit_docs: docstrings of trim, edits and rewrites.
#pragma once

namespace thriftlens::python {

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

}  // namespace thriftlens::python
