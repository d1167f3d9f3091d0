"""JSON texts for from_json: wrong ones and such as only look wrong, with what a reader has to say
of them.

A row is (category, struct, text, expect, kinds, why, options)."""

from .malicious import BAD_TEXTS

RANGES = {"f_i8": 2**7, "f_i16": 2**15, "f_i32": 2**31, "f_i64": 2**63, "f_enum": 2**31}


def row(head, text, why, options=None):
    """The row of a head of words: category, struct, expect and kinds."""
    category, of, expect, *kinds = head.split()
    return category, of, text, expect, kinds, why, options or {}


def rows(head, values, form="%s"):
    for text in (form % value for value in values):
        yield row(head, text, text[:60])


def integers():
    for name, end in RANGES.items():
        yield from rows(
            "json_int Scalars ok -", [f'{{"{name}":{end - 1}}}', f'{{"{name}":{-end}}}']
        )
        yield from rows(
            "json_int Scalars error int_range json_type",
            [f'{{"{name}":{end}}}', f'{{"{name}":{-end - 1}}}'],
        )
        yield from rows(
            "json_int Scalars error int_range json_type json_syntax", [f'{{"{name}":1.5}}']
        )
    number = '{"f_i64":%s}'
    yield from rows(
        "json_int Scalars ok -", ("0", "-0", "9007199254740993", "-9007199254740993"), number
    )
    too_big = ("18446744073709551615", "9" * 32, "-" + "9" * 32, "1e400")
    yield from rows("json_int Scalars error int_range json_type json_syntax", too_big, number)
    yield from rows("json_int Scalars either int_range json_type", ["-0.0"], number)


def doubles():
    number = '{"f_double":%s}'
    fine = (
        "1.7976931348623157e308 5e-324 1 0.1 -0.0 1E5 1e+5 123456789012345678901234567890 "
        "2.2250738585072011e-308 9007199254740993.0"
    ).split()
    wrong = (
        '1e309 -1e309 NaN Infinity -Infinity "abc" 1. .5 +1 01 0x10 - --1 1_000 1e 1e+ '
        "1.e5 1e999999999999"
    ).split()
    kinds = "json_syntax double_range json_type"
    yield from rows("json_num Scalars ok -", fine, number)
    yield from rows(f"json_num Scalars error {kinds}", wrong, number)
    yield from rows(f"json_num Scalars either {kinds}", ["1e-400"], number)
    yield row(
        f"json_num Scalars ok {kinds}",
        number % '"NaN"',
        "NaN where strings may be numbers",
        {"nonfinite": "string"},
    )


def types():
    for name, values in {
        "f_i32": ('"5"', "true", "[]", "{}"),
        "f_string": ("5", "true", "[]", "{}", "1.5"),
        "f_bool": ("0", "1", '"true"', "[]"),
        "f_double": ("true", "[]", "{}"),
        "f_binary": ("1", "[]"),
        "f_enum": ("[]", "true"),
    }.items():
        yield from rows(
            "json_type Scalars error json_type", [f'{{"{name}":{value}}}' for value in values]
        )
    yield from rows(
        "json_type Lists error json_type",
        ['{"l3":"a"}', '{"l3":1}', '{"l3":{}}', '{"l3":["a"]}', '{"l9":[1]}'],
    )
    yield from rows(
        "json_type MapVals error json_type", ['{"v3":"a"}', '{"v3":1}', '{"v3":{"a":"b"}}']
    )
    yield from rows("json_type Scalars error json_type", ["[]", '"a"', "1", "null", "true"])
    yield from rows("json_type Lists either json_type", ['{"l3":null}'])


def strings():
    text = '{"f_string":%s}'
    fine = (
        r'"\ud83d\ude00"',
        r'"\u0000"',
        r'"\"\\\/\b\f\n\r\t"',
        '"\x7f"',
        '"' + "\u00e9" * 40 + '"',
    )
    wrong = (
        r'"\ud800"', r'"\udc00"', r'"\udc00\ud800"', r'"\u00"', r'"\x41"', "'a'", '"a\nb"',
        '"a\tb"', '"\x01"', '"abc', '"abc\\', '"\\', r'"\ud83dx"', r'"\u12g4"',
    )  # fmt: skip
    yield from rows("json_string Scalars ok -", fine, text)
    yield from rows("json_string Scalars error json_syntax utf8", wrong, text)
    for reason, piece in BAD_TEXTS.items():
        yield row(
            "json_string Scalars error json_syntax utf8", b'{"f_string":"' + piece + b'"}', reason
        )
    binary = '{"f_binary":"%s"}'
    yield from rows("json_base64 Scalars ok -", ("", "AA==", "AAA=", "AAAA", "+/+/"), binary)
    wrong = ("A", "AAA==", "A===", "====", "AA=A", "A!AA", "AAAAA", "\u00e9\u00e9\u00e9\u00e9")
    yield from rows("json_base64 Scalars error base64 json_type", wrong, binary)
    yield from rows(
        "json_base64 Scalars either base64 json_type", ("AA", "AA\\nAA", "-_-_"), binary
    )


def keys():
    key = '{"k3":{"%s":"v"}}'
    yield from rows("json_mapkey MapKeys ok -", ("1", "-1", "2147483647", "-2147483648"), key)
    wrong = ("2147483648", "-2147483649", "", "1.5", " 1", "1 ", "+1", "1e2", "9" * 20, "-", "a")
    yield from rows("json_mapkey MapKeys error map_key int_range", wrong, key)
    yield from rows("json_mapkey MapKeys either map_key int_range", ["01"], key)
    yield from rows("json_mapkey MapKeys ok -", ['{"k0":{"true":"v"}}', '{"k0":{"false":"v"}}'])
    yield from rows(
        "json_mapkey MapKeys error map_key",
        ['{"k0":{"yes":"v"}}', '{"k0":{"TRUE":"v"}}', '{"k0":{"":"v"}}'],
    )
    yield from rows("json_mapkey MapKeys either map_key", ['{"k0":{"1":"v"}}'])
    yield from rows(
        "json_mapkey MapKeys either duplicate_key",
        ['{"k3":{"1":"a","1":"b"}}', '{"k6":{"a":"a","\\u0061":"b"}}'],
    )
    yield from rows(
        "json_obj Scalars either duplicate_field",
        ['{"f_i32":1,"f_i32":2}', "{" + '"f_i32":1,' * 50 + '"f_i32":2}'],
    )
    yield from rows(
        "json_obj Scalars ok -", [r'{"f_i3\u0032":7}', "{}", ' \n\t{ "f_i32" : 1 }\r\n']
    )
    for text, expect, kinds in (
        ('{"zzz":{"a":[1,{"b":null}]},"f_i32":3}', "ok", "unknown_field"),
        ('{"zzz":[1,2,}', "error", "json_syntax"),
        ('{"zzz":tru}', "error", "json_syntax"),
        ('{"zzz":"\\x"}', "error", "json_syntax"),
        ('{"zzz":01}', "error", "json_syntax"),
    ):
        yield row(f"json_obj Scalars {expect} {kinds}", text, text, {"unknown": "skip"})


def syntax():
    wrong = (
        '{"f_i32":1,}', "{f_i32:1}", '{"f_i32":1', '{"f_i32":1}}', '{"f_i32":1} x',
        '{"f_i32":1}{"f_i32":2}', '/*c*/{"f_i32":1}', ",{}", "", "   ", "{", "}", '{"',
        '{"f_i32":}', '{"f_i32":nul}', '{"f_bool":TRUE}', "{1:2}", '{"a":1]', '{"f_i32" 1}',
        '{"f_i32":1 "f_i8":1}', '{,"f_i32":1}', '{"f_i32"}', '{"f_i32":1;}',
    )  # fmt: skip
    yield from rows("json_syntax Scalars error json_syntax json_type", wrong)
    yield from rows("json_syntax Scalars either json_syntax json_type", ['\ufeff{"f_i32":1}'])
    for deep in (16, 29):
        yield row(
            "json_depth Tree ok -",
            '{"v":1,"kids":[' * deep + '{"v":1}' + "]}" * deep,
            f"a tree of {deep} levels",
        )
    for deep in (100, 500):
        yield row(
            "json_depth Tree error depth",
            '{"v":1,"kids":[' * deep + '{"v":1}' + "]}" * deep,
            f"a tree of {deep} levels",
        )
        yield row(
            "json_depth Scalars error depth json_syntax json_type",
            "[" * deep,
            f"{deep} open arrays",
        )
        yield row(
            "json_depth Scalars error depth",
            '{"zzz":' * deep + "1" + "}" * deep,
            f"{deep} unknown objects",
        )
    members = (
        '"r_bool":true,"r_i8":1,"r_i16":1,"r_i32":1,"r_i64":1,"r_double":1,"r_string":"",'
        '"r_binary":"","r_enum":0,"r_point":{"x":1,"y":2}'
    )
    yield from rows("json_required ReqScalars ok -", ["{" + members + "}"])
    yield from rows(
        "json_required ReqScalars error missing_required json_type",
        [
            "{" + members.replace('"r_i32":1', '"r_i32":null') + "}",
            "{" + members.replace('"r_i32":1,', "") + "}",
            "{}",
        ],
    )
    yield from rows("json_required Mixed either missing_required", ['{"req":1}'])
    yield from rows("json_union Uni either union", ["{}", '{"i":1,"s":"a"}'])
    yield from rows(
        "json_enum Scalars either json_type enum", ['{"f_enum":"RED"}', '{"f_enum":77}']
    )
    yield from rows(
        "json_enum Scalars error json_type enum", ['{"f_enum":"NOPE"}', '{"f_enum":""}']
    )
    yield from rows(
        "json_size Scalars ok -",
        ['{"f_string":"' + r"\u0041" * 1000 + '"}', " " * 3000 + '{"f_i32":1}'],
    )


def all_texts():
    for part in (integers, doubles, types, strings, keys, syntax):
        yield from part()


# Apache's JSON protocol: (struct, text, expect, why).
APACHE_TEXTS = [
    ("Lists", '{"4":{"lst":["i32",1000000000,1]}}', "error", "a size of 10^9, one element"),
    ("Lists", '{"4":{"lst":["i32",-1]}}', "error", "a negative size"),
    ("Lists", '{"4":{"lst":["i32",99999999999999999999,1]}}', "error", "a size beyond i64"),
    ("Lists", '{"4":{"lst":["i32",1,1,2]}}', "error", "more elements than the size"),
    ("Lists", '{"4":{"lst":["i31",1,1]}}', "error", "no such type of elements"),
    ("Scalars", '{"4":{"int":1}}', "error", "no such type"),
    ("Scalars", '{"four":{"i32":1}}', "error", "an id that is no number"),
    ("Scalars", '{"4":{"i32":1}', "error", "cut"),
    ("Scalars", '{"4":{"i32":2147483648}}', "error", "beyond i32"),
    ("Scalars", '{"4":{"i32":"1"}}', "error", "a number in quotes"),
    ("Scalars", '{"7":{"str":"\\udc00"}}', "error", "half a surrogate"),
    ("Scalars", '{"8":{"str":"!"}}', "error", "no base64"),
    ("Scalars", '{"6":{"dbl":"-Infinity"}}', "ok", "as Apache writes it"),
    ("Scalars", '{"6":{"dbl":"one"}}', "error", "no number"),
    ("Tree", '{"2":{"lst":["rec",1,' * 5000, "error", "deep"),
]
