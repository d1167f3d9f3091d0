// policy_docs: docstrings of redact and validate.
#pragma once

namespace thriftlens::python {

inline constexpr char redact_doc[] =
    R"doc(Redact sensitive values. Bytes that no rule matches are copied unchanged.

annotation: key of the IDL annotation of values to redact, such as "pii": on the field, on the typedefs it
    uses (also inside list<...> and map<...>), on the struct or enum that is its type, and on a function for
    its result. The strictest of these and those of enclosing values applies: drop, blank, constant, hash,
    keep_last, keep.
values: actions by value of the annotation; an unlisted value may be an action itself, any other value means
    `default_action`.
paths: actions by path, with [*], {*} and keys; they override annotations, and later paths earlier ones. They
    apply to elements and values; the rule of a map also applies to its keys.
types: actions by field of a struct ("User.mail") or by struct or enum ("User"), wherever it occurs; they
    override annotations.
key: up to 16 secret bytes, required for hash. Keep it secret: whoever has it can test guesses of hashed values.
unknown: fields that are not in the IDL. With "keep", bytes that no rule reaches are copied unread.
unmatched: rules that match nothing in this type; "ignore" for one policy over many types.
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
    R"doc(The errors in the bytes as a list of exceptions that are not raised, limited by `max_findings`; [] for valid
data.

Checks wire types, required fields, duplicate fields, unions and trailing bytes; and by option
unknown: fields that are not in the IDL; invalid_utf8: strings; enum_numbers: those without a name; keys: duplicate
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

}  // namespace thriftlens::python
