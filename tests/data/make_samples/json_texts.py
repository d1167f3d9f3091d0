"""JSON texts for from_json: wrong ones and such as only look wrong, with what a reader has to say
of them.

A row is (category, struct, text, expect, kinds, why, options)."""

from .malicious import BAD_TEXTS

SCALARS = "Scalars"
RANGES = {"f_i8": 2**7, "f_i16": 2**15, "f_i32": 2**31, "f_i64": 2**63, "f_enum": 2**31}


def rows(category, struct, expect, kinds, texts):
    for text in texts:
        yield category, struct, text, expect, kinds, text[:60], {}


def integers():
    for name, end in RANGES.items():
        yield from rows(
            "json_int", SCALARS, "ok", ["-"], [f'{{"{name}":{end - 1}}}', f'{{"{name}":{-end}}}']
        )
        yield from rows(
            "json_int",
            SCALARS,
            "error",
            ["int_range", "json_type"],
            [f'{{"{name}":{end}}}', f'{{"{name}":{-end - 1}}}'],
        )
        yield from rows(
            "json_int",
            SCALARS,
            "error",
            ["int_range", "json_type", "json_syntax"],
            [f'{{"{name}":1.5}}'],
        )
    number = '{"f_i64":%s}'
    yield from rows(
        "json_int",
        SCALARS,
        "ok",
        ["-"],
        [
            number % number_text
            for number_text in ("0", "-0", "9007199254740993", "-9007199254740993")
        ],
    )
    too_big = ("18446744073709551615", "9" * 32, "-" + "9" * 32, "1e400")
    yield from rows(
        "json_int",
        SCALARS,
        "error",
        ["int_range", "json_type", "json_syntax"],
        [number % number_text for number_text in too_big],
    )
    yield from rows("json_int", SCALARS, "either", ["int_range", "json_type"], [number % "-0.0"])


def doubles():
    number = '{"f_double":%s}'
    fine = (
        "1.7976931348623157e308",
        "5e-324",
        "1",
        "0.1",
        "-0.0",
        "1E5",
        "1e+5",
        "123456789012345678901234567890",
        "2.2250738585072011e-308",
        "9007199254740993.0",
    )
    wrong = (
        "1e309",
        "-1e309",
        "NaN",
        "Infinity",
        "-Infinity",
        '"abc"',
        "1.",
        ".5",
        "+1",
        "01",
        "0x10",
        "-",
        "--1",
        "1_000",
        "1e",
        "1e+",
        "1.e5",
        "1e999999999999",
    )
    kinds = ["json_syntax", "double_range", "json_type"]
    yield from rows(
        "json_num", SCALARS, "ok", ["-"], [number % number_text for number_text in fine]
    )
    yield from rows(
        "json_num", SCALARS, "error", kinds, [number % number_text for number_text in wrong]
    )
    yield from rows("json_num", SCALARS, "either", kinds, [number % "1e-400"])
    yield (
        "json_num",
        SCALARS,
        number % '"NaN"',
        "ok",
        kinds,
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
            "json_type",
            SCALARS,
            "error",
            ["json_type"],
            [f'{{"{name}":{value}}}' for value in values],
        )
    yield from rows(
        "json_type",
        "Lists",
        "error",
        ["json_type"],
        ['{"l3":"a"}', '{"l3":1}', '{"l3":{}}', '{"l3":["a"]}', '{"l9":[1]}'],
    )
    yield from rows(
        "json_type",
        "MapVals",
        "error",
        ["json_type"],
        ['{"v3":"a"}', '{"v3":1}', '{"v3":{"a":"b"}}'],
    )
    yield from rows(
        "json_type", SCALARS, "error", ["json_type"], ["[]", '"a"', "1", "null", "true"]
    )
    yield from rows("json_type", "Lists", "either", ["json_type"], ['{"l3":null}'])


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
        r'"\ud800"',
        r'"\udc00"',
        r'"\udc00\ud800"',
        r'"\u00"',
        r'"\x41"',
        "'a'",
        '"a\nb"',
        '"a\tb"',
        '"\x01"',
        '"abc',
        '"abc\\',
        '"\\',
        r'"\ud83dx"',
        r'"\u12g4"',
    )
    yield from rows("json_string", SCALARS, "ok", ["-"], [text % content for content in fine])
    yield from rows(
        "json_string",
        SCALARS,
        "error",
        ["json_syntax", "utf8"],
        [text % content for content in wrong],
    )
    for reason, piece in BAD_TEXTS.items():
        yield (
            "json_string",
            SCALARS,
            b'{"f_string":"' + piece + b'"}',
            "error",
            ["json_syntax", "utf8"],
            reason,
            {},
        )
    binary = '{"f_binary":"%s"}'
    yield from rows(
        "json_base64",
        SCALARS,
        "ok",
        ["-"],
        [binary % encoded for encoded in ("", "AA==", "AAA=", "AAAA", "+/+/")],
    )
    wrong = ("A", "AAA==", "A===", "====", "AA=A", "A!AA", "AAAAA", "\u00e9\u00e9\u00e9\u00e9")
    yield from rows(
        "json_base64",
        SCALARS,
        "error",
        ["base64", "json_type"],
        [binary % encoded for encoded in wrong],
    )
    yield from rows(
        "json_base64",
        SCALARS,
        "either",
        ["base64", "json_type"],
        [binary % encoded for encoded in ("AA", "AA\\nAA", "-_-_")],
    )


def keys():
    key = '{"k3":{"%s":"v"}}'
    yield from rows(
        "json_mapkey",
        "MapKeys",
        "ok",
        ["-"],
        [key % key_text for key_text in ("1", "-1", "2147483647", "-2147483648")],
    )
    wrong = ("2147483648", "-2147483649", "", "1.5", " 1", "1 ", "+1", "1e2", "9" * 20, "-", "a")
    yield from rows(
        "json_mapkey",
        "MapKeys",
        "error",
        ["map_key", "int_range"],
        [key % key_text for key_text in wrong],
    )
    yield from rows("json_mapkey", "MapKeys", "either", ["map_key", "int_range"], [key % "01"])
    yield from rows(
        "json_mapkey", "MapKeys", "ok", ["-"], ['{"k0":{"true":"v"}}', '{"k0":{"false":"v"}}']
    )
    yield from rows(
        "json_mapkey",
        "MapKeys",
        "error",
        ["map_key"],
        ['{"k0":{"yes":"v"}}', '{"k0":{"TRUE":"v"}}', '{"k0":{"":"v"}}'],
    )
    yield from rows("json_mapkey", "MapKeys", "either", ["map_key"], ['{"k0":{"1":"v"}}'])
    yield from rows(
        "json_mapkey",
        "MapKeys",
        "either",
        ["duplicate_key"],
        ['{"k3":{"1":"a","1":"b"}}', '{"k6":{"a":"a","\\u0061":"b"}}'],
    )
    yield from rows(
        "json_obj",
        SCALARS,
        "either",
        ["duplicate_field"],
        ['{"f_i32":1,"f_i32":2}', "{" + '"f_i32":1,' * 50 + '"f_i32":2}'],
    )
    yield from rows(
        "json_obj", SCALARS, "ok", ["-"], [r'{"f_i3\u0032":7}', "{}", ' \n\t{ "f_i32" : 1 }\r\n']
    )
    for text, expect, kinds in (
        ('{"zzz":{"a":[1,{"b":null}]},"f_i32":3}', "ok", ["unknown_field"]),
        ('{"zzz":[1,2,}', "error", ["json_syntax"]),
        ('{"zzz":tru}', "error", ["json_syntax"]),
        ('{"zzz":"\\x"}', "error", ["json_syntax"]),
        ('{"zzz":01}', "error", ["json_syntax"]),
    ):
        yield "json_obj", SCALARS, text, expect, kinds, text, {"unknown": "skip"}


def syntax():
    wrong = (
        '{"f_i32":1,}',
        "{f_i32:1}",
        '{"f_i32":1',
        '{"f_i32":1}}',
        '{"f_i32":1} x',
        '{"f_i32":1}{"f_i32":2}',
        '/*c*/{"f_i32":1}',
        ",{}",
        "",
        "   ",
        "{",
        "}",
        '{"',
        '{"f_i32":}',
        '{"f_i32":nul}',
        '{"f_bool":TRUE}',
        "{1:2}",
        '{"a":1]',
        '{"f_i32" 1}',
        '{"f_i32":1 "f_i8":1}',
        '{,"f_i32":1}',
        '{"f_i32"}',
        '{"f_i32":1;}',
    )
    yield from rows("json_syntax", SCALARS, "error", ["json_syntax", "json_type"], wrong)
    yield from rows(
        "json_syntax", SCALARS, "either", ["json_syntax", "json_type"], ['\ufeff{"f_i32":1}']
    )
    for deep in (16, 29):
        yield (
            "json_depth",
            "Tree",
            '{"v":1,"kids":[' * deep + '{"v":1}' + "]}" * deep,
            "ok",
            ["-"],
            f"a tree of {deep} levels",
            {},
        )
    for deep in (100, 500):
        kinds = ["depth", "json_syntax", "json_type"]
        yield (
            "json_depth",
            "Tree",
            '{"v":1,"kids":[' * deep + '{"v":1}' + "]}" * deep,
            "error",
            ["depth"],
            f"a tree of {deep} levels",
            {},
        )
        yield "json_depth", SCALARS, "[" * deep, "error", kinds, f"{deep} open arrays", {}
        yield (
            "json_depth",
            SCALARS,
            '{"zzz":' * deep + "1" + "}" * deep,
            "error",
            ["depth"],
            f"{deep} unknown objects",
            {},
        )
    members = (
        '"r_bool":true,"r_i8":1,"r_i16":1,"r_i32":1,"r_i64":1,"r_double":1,"r_string":"",'
        '"r_binary":"","r_enum":0,"r_point":{"x":1,"y":2}'
    )
    yield from rows("json_required", "ReqScalars", "ok", ["-"], ["{" + members + "}"])
    yield from rows(
        "json_required",
        "ReqScalars",
        "error",
        ["missing_required", "json_type"],
        [
            "{" + members.replace('"r_i32":1', '"r_i32":null') + "}",
            "{" + members.replace('"r_i32":1,', "") + "}",
            "{}",
        ],
    )
    yield from rows("json_required", "Mixed", "either", ["missing_required"], ['{"req":1}'])
    yield from rows("json_union", "Uni", "either", ["union"], ["{}", '{"i":1,"s":"a"}'])
    yield from rows(
        "json_enum", SCALARS, "either", ["json_type", "enum"], ['{"f_enum":"RED"}', '{"f_enum":77}']
    )
    yield from rows(
        "json_enum", SCALARS, "error", ["json_type", "enum"], ['{"f_enum":"NOPE"}', '{"f_enum":""}']
    )
    yield from rows(
        "json_size",
        SCALARS,
        "ok",
        ["-"],
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
