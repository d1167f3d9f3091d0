"""Invalid IDL: small texts for the wire vectors' manifest, and files with kind and place of their
one error.

`@@` marks the location of the error in the text: its first byte. It is set manually, by the grammar
and by the notes in ../README.md on where parsers disagree; no parser of thriftlens is used."""

# (text, expect, kinds)
# fmt: off
TEXTS = [
    ("struct A { 1: i32 a, 1: i32 b }", "error", ["idl_duplicate_id"]),
    ("struct A { 1: i32 a, 2: i32 a }", "error", ["idl_duplicate_name"]),
    ("struct A { 1: i32 a } struct A { 1: i32 b }", "error", ["idl_duplicate_name"]),
    ("struct A { 1: Nope a }", "error", ["idl_unknown_type"]),
    ("struct A { 40000: i32 a }", "error", ["idl_field_id"]),
    ("enum E { A = 2147483648 }", "error", ["idl_enum"]),
    ("enum E { A = 1, A = 2 }", "error", ["idl_duplicate_name"]),
    ("typedef A B\ntypedef B A\nstruct S { 1: A x }", "error", ["idl_cycle"]),
    ("struct A { 1: " + "list<" * 500 + "i32" + ">" * 500 + " a }", "error", ["idl_depth"]),
    ("const list<i32> X = " + "[" * 500 + "]" * 500, "error", ["idl_depth", "idl_type",
        "idl_syntax"]),
    ("struct A { 1: required A a }", "either", ["idl_cycle"]),
    ("service S extends S { void f() }", "error", ["idl_cycle"]),
    ("service A extends B {} service B extends A {}", "error", ["idl_cycle"]),
    ("service S { void f() void f() }", "error", ["idl_duplicate_name"]),
    ("/* open", "error", ["idl_syntax"]),
    ('struct A { 1: string s = "open }', "error", ["idl_syntax"]),
    ("struct A { 1: i32 a", "error", ["idl_syntax"]),
    ("struct", "error", ["idl_syntax"]),
    ("", "ok", ["-"]),
    ("// only a comment", "ok", ["-"]),
    ("\n\n# and this\n", "ok", ["-"]),
    ("struct A { " + " ".join(f"{i}: optional i32 a{i}" for i in range(1, 200)) + " }", "ok",
        ["-"]),
    ('struct A { 1: i32 a = "text" }', "error", ["idl_type"]),
    ("struct A { 1: i8 a = 300 }", "error", ["idl_type", "int_range"]),
    ("const i32 X = Y\nconst i32 Y = X", "error", ["idl_cycle"]),
    ("struct A\0 { 1: i32 a }", "error", ["idl_syntax"]),
    (b"struct \xff\xfe { 1: i32 a }", "error", ["idl_syntax"]),
    ('include "../../../../../../etc/passwd"\nstruct A { 1: i32 a }', "error", ["idl_include"]),
    ('include "nope.thrift"', "error", ["idl_include"]),
]
# fmt: on

HELPERS = {
    "_broken.thrift": "struct Broken { 1: i32 }\n",
    "_fine.thrift": "struct Point { 1: i32 x }\nservice Base { void f() }\n",
    "_cycle_b.thrift": 'include "cyc_include.thrift"\nstruct B { 1: i32 b }\n',
}

# name: (kind, text). A name with `!` in front is refused in strict mode only.
FILES = {
    "lex_annotation_sign": ("unexpected-char", "struct A { 1: i32 a @@$ }\n"),
    "lex_nul": ("unexpected-char", "struct A@@\0 { 1: i32 a }\n"),
    "lex_slash": ("unexpected-char", "struct A { 1: i32 a }\n\n  @@/ struct B {}\n"),
    "lex_string_open": ("unterminated-string", 'const string s = @@"abc'),
    "lex_string_open_apostrophe": ("unterminated-string", "struct A {\n  1: string s = @@'abc\" }"),
    "lex_comment_open": ("unterminated-comment", "struct A { 1: i32 a }\n  @@/* and * / on\n"),
    "lex_int_too_big": ("number-range", "const i64 x = @@9223372036854775808\n"),
    "lex_hex_too_big": ("number-range", "const i64 x = @@0x10000000000000000\n"),
    "lex_digit_first": ("unexpected-token", "struct A { 1: i32 @@2x }\n"),
    "syn_brace_open": ("unexpected-eof", "struct A {\n  1: i32 a\n@@"),
    "syn_no_struct_name": ("unexpected-token", "struct @@{ 1: i32 a }\n"),
    "syn_no_field_name": ("unexpected-token", "struct A { 1: i32 @@}\n"),
    "syn_no_field_type": ("unexpected-token", "struct A {\n  1: optional @@}\n"),
    "syn_no_colon": ("unexpected-token", "struct A { 1 @@i32 a }\n"),
    "syn_two_commas": ("unexpected-token", "struct A { 1: i32 a,@@, 2: i32 b }\n"),
    "!syn_semicolon": ("unexpected-token", "struct A { 1: i32 a }@@;\nstruct B { 1: i32 b }\n"),
    "syn_include_late": ("unexpected-token", 'struct A { 1: i32 a }\n@@include "_fine.thrift"\n'),
    "syn_include_bare": ("unexpected-token", "include @@fine\n"),
    "syn_namespace_bare": ("unexpected-token", "namespace cpp\n@@enum E { A }\n"),
    "syn_map_of_one": ("unexpected-token", "struct A { 1: map<i32@@> a }\n"),
    "syn_map_of_three": ("unexpected-token", "struct A { 1: map<i32, i32@@, i32> a }\n"),
    "syn_list_open": ("unexpected-token", "struct A { 1: list<string @@a }\n"),
    "syn_set_alone": ("unexpected-token", "struct A { 1: set @@a }\n"),
    "syn_void_field": ("unexpected-token", "struct A { 1: @@void a }\n"),
    "syn_void_value": ("unexpected-token", "typedef map<string, @@void> M\n"),
    "syn_enum_text": ("unexpected-token", "enum E {\n  A = 1,\n  B = @@'x'\n}\n"),
    "syn_const_no_value": ("unexpected-token", "const i32 x =\n@@const i32 y = 1\n"),
    "syn_const_no_type": ("unexpected-token", "const x @@= 1\n"),
    "syn_list_value_open": ("unexpected-eof", "const list<i32> x = [1, 2\n@@"),
    "syn_map_value_no_colon": ("unexpected-token", 'const map<string, i32> x = {"a" @@1}\n'),
    "syn_extends_nothing": ("unexpected-token", "service S extends @@{ }\n"),
    "syn_oneway_alone": ("unexpected-token", "service S { oneway @@(1: i32 a) }\n"),
    "syn_no_arguments": ("unexpected-token", "service S { void f @@}\n"),
    "syn_annotations_open": ("unexpected-eof", "struct A { 1: i32 a } (x = '1'\n@@"),
    "syn_brace_more": ("unexpected-token", "struct A { 1: i32 a }\n @@}\n"),
    "syn_word": ("unexpected-token", "@@record A { 1: i32 a }\n"),
    "dup_struct": ("duplicate-name", "struct A { 1: i32 a }\nstruct @@A { 1: i32 a }\n"),
    "dup_enum_union": ("duplicate-name", "enum A { X }\nunion @@A { 1: i32 a }\n"),
    "dup_field_id": ("duplicate-field-id", "struct A {\n  1: i32 a\n  @@1: i32 b\n}\n"),
    "dup_field_name": ("duplicate-field-name", "exception A {\n  1: i32 a\n  2: string @@a\n}\n"),
    "dup_argument_id": ("duplicate-field-id", "service S { i32 f(7: i32 a, @@7: i32 b) }\n"),
    "dup_function": ("duplicate-function", "service S {\n  void f()\n  i32 @@f()\n}\n"),
    "!dup_function_inherited": (
        "duplicate-function",
        'include "_fine.thrift"\nservice S extends _fine.Base { void @@f() }\n',
    ),
    "dotted_field": ("dotted-name", "struct A { 1: i32 @@a.b }\n"),
    "range_enum": ("enum-range", "enum E { A = @@-2147483649 }\n"),
    "range_field_id": ("field-id-range", "struct A { 1: i32 a, @@32768: i32 b }\n"),
    "range_i8": ("const-range", "const i8 x = @@-129\n"),
    "range_i32_default": ("const-range", "struct A { 1: i32 a = @@2147483648 }\n"),
    "undef_field": ("undefined-type", "struct A {\n  1: i32 a\n  2: @@Missing b\n}\n"),
    "undef_element": ("undefined-type", "struct A { 1: map<string, list<@@Missing>> a }\n"),
    "undef_type_typedef": ("undefined-type", "typedef @@Missing M\n"),
    "undef_result": ("undefined-type", "service S { @@Missing f() }\n"),
    "undef_argument": ("undefined-type", "service S { void f(1: i32 a, 2: @@Missing b) }\n"),
    "undef_program": ("undefined-type", "struct A { 1: @@_fine.Point a }\n"),
    "undef_in_program": (
        "undefined-type",
        'include "_fine.thrift"\nstruct A { 1: @@_fine.Pont a }\n',
    ),
    "undef_const": ("undefined-const", "const i32 x = @@MISSING\n"),
    "undef_default": ("undefined-const", "struct A { 1: i32 a = @@MISSING }\n"),
    "undef_service": ("undefined-service", "service S extends @@Missing { void f() }\n"),
    "extends_struct": (
        "undefined-service",
        "struct A { 1: i32 a }\nservice S extends @@A { void f() }\n",
    ),
    "type_is_const": ("not-a-type", "const i32 X = 1\nstruct A { 1: @@X a }\n"),
    "throws_union": (
        "not-an-exception",
        "union A { 1: i32 a }\nservice S { void f() throws (1: @@A a) }\n",
    ),
    "value_string": ("const-type", "const string x = @@5\n"),
    "value_int": ("const-type", "const i32 x = @@'5'\n"),
    "value_fraction": ("const-type", "const i64 x = @@0.5\n"),
    "value_element": ("const-type", "const list<string> x = ['1', @@2]\n"),
    "value_map": ("const-type", "const map<string,i32> x = {'a': 1, 'b': @@'2'}\n"),
    "value_struct_field": ("const-field", "struct A { 1: i32 a }\nconst A x = {@@'b': 5}\n"),
    "value_other_enum": ("const-type", "enum E { A = 1 }\nenum F { B = 1 }\nconst E x = @@F.B\n"),
    "value_default": ("const-type", "struct A { 1: bool a = @@'x' }\n"),
    "cyc_typedef": ("typedef-cycle", "typedef @@B A\ntypedef A B\n"),
    "cyc_service": ("service-cycle", "service S extends @@S { void f() }\n"),
    "inc_missing": ("include-not-found", 'namespace cpp x\ninclude @@"_missing.thrift"\n'),
    "!oneway_result": ("oneway-result", "service S { oneway @@i32 f() }\n"),
    "!oneway_throws": (
        "oneway-throws",
        "exception X { 1: i32 a }\nservice S { oneway void f() @@throws (1: X x) }\n",
    ),
    # What Apache's compiler refuses as well: seen with its version 0.17, `uuid` with 0.25.
    "!annotated_const": ("unexpected-token", 'const i32 A = 1 @@(a = "b")\n'),
    "!annotated_element": ("unexpected-token", 'const list<i32> A = [1 @@(a = "b")]\n'),
    "!early_const": ("used-before-declaration", "const i32 A = @@B\nconst i32 B = 1\n"),
    "!early_default": ("used-before-declaration", "struct S { 1: i32 a = @@B }\nconst i32 B = 1\n"),
    "!early_argument": (
        "used-before-declaration",
        "service S { void f(1: i32 a = @@B) }\nconst i32 B = 1\n",
    ),
    "!early_type_of_const": ("used-before-declaration", "const @@E A = 1\nenum E { X = 1 }\n"),
    "!early_type_of_default": (
        "used-before-declaration",
        "struct S { 1: @@T a = 1 }\ntypedef i32 T\n",
    ),
    "!early_base": ("used-before-declaration", "service A extends @@B {}\nservice B {}\n"),
    "!early_exception": (
        "used-before-declaration",
        "service A { void f() throws (1: @@X x) }\nexception X {}\n",
    ),
    "!named_struct_default": (
        "const-type",
        "struct P { 1: i32 x }\nconst P p = {'x': 1}\nstruct S { 1: P p = @@p }\n",
    ),
    "!named_struct_const": (
        "const-type",
        "struct P { 1: i32 x }\nconst P p = {'x': 1}\nconst list<P> q = [@@p]\n",
    ),
    "!named_field": (
        "const-type",
        "const string K = 'x'\nstruct P { 1: i32 x }\nconst P p = {@@K: 1}\n",
    ),
    "!word_as_field": (
        "unexpected-token",
        "struct S { 1: i32 list, 2: uuid uuid, 3: i32 @@cpp_type }\n",
    ),
    "!word_as_function": ("unexpected-token", "service S { void @@required() }\n"),
    "!word_as_member": ("unexpected-token", "enum E { @@async }\n"),
    "!uuid_as_name": ("unexpected-token", "service S { void @@uuid() }\n"),
    "!uuid_as_type_name": ("unexpected-token", "struct @@uuid { 1: i32 x }\n"),
    "!extended_escape": ("bad-escape", "const string S = 'a@@\\x41'\n"),
    "member_of_const": ("unexpected-token", "const i32 A = 5\nenum E { X = @@A }\n"),
}
# The error is in a file that the named one includes: kind, that file, text of the named one, place.
ELSEWHERE = {
    "inc_broken": (
        "unexpected-token",
        "_broken.thrift",
        'include "_broken.thrift"\nstruct A { 1: i32 a }\n',
        (1, 24),
    ),
    "cyc_include": (
        "include-cycle",
        "_cycle_b.thrift",
        'include "_cycle_b.thrift"\nstruct A { 1: i32 a }\n',
        (1, 9),
    ),
}


def line_and_column(text):
    """Line and column, in bytes from 1, of `@@`."""
    prefix = text.encode()[: text.encode().index(b"@@")]
    return prefix.count(b"\n") + 1, len(prefix) - (prefix.rfind(b"\n") + 1) + 1


def write_files(folder):
    rows = []
    for name, (kind, text) in FILES.items():
        mode, file = ("strict" if name[0] == "!" else "always"), name.lstrip("!") + ".thrift"
        (folder / file).write_bytes(text.replace("@@", "").encode())
        rows.append((file, kind, file, *line_and_column(text), mode))
    for name, (kind, where, text, at) in ELSEWHERE.items():
        (folder / f"{name}.thrift").write_bytes(text.encode())
        rows.append((f"{name}.thrift", kind, where, *at, "always"))
    for name, text in HELPERS.items():
        (folder / name).write_bytes(text.encode())
    table = [("file", "kind", "error_file", "line", "col", "mode")] + sorted(rows)
    joined = "".join("\t".join(map(str, row)) + "\n" for row in table)
    (folder / "expected.tsv").write_text(joined, encoding="ascii")
    return len(rows)
