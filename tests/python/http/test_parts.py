"""Plans: reading queries, forms and raw bodies, writing api.js_conv, and agreement with the OpenAPI
document."""

import json
import urllib.parse

import pytest
import thriftlens as tl

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
STRUCT = tl.loads(
    'struct One { 1: string q (api.query="q"), 2: string note (api.form="note"), 3: list<string> '
    'tags (api.query="tags", api.form="tags") }'
).One


def read(of, query="", body=b"", headers=None, **options):
    data = tl.http.plan(of, **options).request(
        method="POST", url=f"/?{query}", headers=headers, body=body
    )
    return of.decode(data)


@pytest.mark.parametrize("text, value", [
    ("100%", "100%"), ("a;b", "a;b"), ("%zz", "%zz"), ("%", "%"), ("%4", "%4"), ("a%;%41", "a%;A"),
    ("%%41", "%A"), ("%C3%A4%", "ä%"), ("a+b;c%3Bd", "a b;c;d"),
])  # fmt: skip
def test_malformed_queries_and_forms_are_read_as_browsers_read_them(text, value):
    assert read(STRUCT, f"q={text}") == {"q": value}
    assert read(STRUCT, body=f"note={text}".encode(), headers=FORM) == {"note": value}
    assert read(STRUCT, f"x=1&q={text}&y={text}") == {"q": value}
    assert urllib.parse.parse_qs(f"q={text}") == {"q": [value]}, "so does Python"


def test_malformed_names_are_literal_too():
    of = tl.loads('struct A { 1: string a (api.query="100%"), 2: string b (api.query="a;b") }').A
    assert read(of, "100%=1&a;b=2") == {"a": "1", "b": "2"}


def test_go_drops_malformed_pairs():
    assert (
        read(STRUCT, "q=100%&tags=a", url_syntax="go")
        == read(STRUCT, "q=a;b&tags=a", url_syntax="go")
        == {"tags": ["a"]}
    )
    assert read(STRUCT, "q=100%", dynamicgo={}) == {}


@pytest.mark.parametrize("query, tags", [
    ("tags=a,b", ["a", "b"]), ("tags=a%2Cb", ["a,b"]), ("tags=a%2cb,c", ["a,b", "c"]),
    ("tags=a&tags=b", ["a", "b"]), ("tags=a%2Cb&tags=c", ["a,b", "c"]), ("tags=%2C", [","]),
    ("tags=a%2Cb,%2C,", ["a,b", ",", ""]), ("tags=%5B%22a%22%2C%22b%22%5D", ["a", "b"]),
    ("tags=a%;b%2Cc,d+e", ["a%;b,c", "d e"]),
])  # fmt: skip
def test_commas_of_elements_are_encoded(query, tags):
    assert read(STRUCT, query) == {"tags": tags}
    assert read(STRUCT, body=query.encode(), headers=FORM) == {"tags": tags}


@pytest.mark.parametrize("body, headers", [
    (b"", {}), (b"", {"Content-Type": "application/json"}), (b"x=1", FORM),
    (b"hello", {"Content-Type": "text/plain"}),
])  # fmt: skip
def test_a_missing_field_has_no_location_without_a_body(body, headers):
    of = tl.loads(
        'struct A { 1: required i64 id (api.query="id"), 2: required string name, 3: string raw '
        '(api.raw_body="") }'
    ).A
    plain = tl.loads("struct A { 1: required i64 id }").A
    for struct in (of, plain) if headers.get("Content-Type") != "text/plain" else (of,):
        with pytest.raises(tl.Error) as caught:
            tl.http.plan(struct).request(method="POST", body=body, headers=headers)
        assert caught.value.code == "missing_required" and caught.value.offset is None
        assert "byte" not in str(caught.value)


RAW = [
    b'{"a":1}', b"[1]", b"hello", b"5", b'"text"', b"null", b"{", b"{broken", b"\x00\xff" * 3,
    b" [1, 2] ", b'{"a":1}{', b"<xml/>",
]  # fmt: skip


@pytest.mark.parametrize("body", RAW)
@pytest.mark.parametrize(
    "content_type",
    [None, "application/json", "text/plain", "application/octet-stream", "image/png"],
)
def test_a_raw_body_is_passed_unchanged(body, content_type):
    headers = {} if content_type is None else {"Content-Type": content_type}
    of = tl.loads('struct A { 1: binary raw (api.raw_body=""), 2: string q (api.query="q") }').A
    assert read(of, "q=x", body, headers) == {"raw": body, "q": "x"}
    if body.isascii():
        text = tl.loads('struct A { 1: string raw (api.raw_body="") }').A
        assert read(text, "", body, headers) == {"raw": body.decode()}


def test_a_raw_body_and_fields_of_its_json():
    of = tl.loads('struct A { 1: string raw (api.raw_body=""), 2: i32 n }').A
    assert read(of, "", b'{"n":5,"other":1}') == {"raw": '{"n":5,"other":1}', "n": 5}
    assert read(of, "", b"[1]") == {"raw": "[1]"}
    assert read(of, "", b"hello", {"Content-Type": "application/json"}) == {"raw": "hello"}
    with pytest.raises(tl.Error, match="n"):
        read(of, "", b'{"n":"x"}')


CONVERTED = [
    ("i64", 1 << 60, '"1152921504606846976"'), ("map<string, i64>", {"a": 1}, {"a": "1"}),
    ("map<i64, i64>", {1: 2}, {"1": "2"}), ("map<i32, double>", {1: 2.5}, {"1": "2.5"}),
    ("set<i64>", {7}, ["7"]), ("list<i64>", [1, 2], ["1", "2"]),
    ("list<list<i64>>", [[1], [2, 3]], [["1"], ["2", "3"]]),
    ("map<string, list<i32>>", {"a": [1]}, {"a": ["1"]}),
    ("list<map<string, i8>>", [{"a": 1}], [{"a": "1"}]), ("list<double>", [1.5], ["1.5"]),
    ("bool", True, "true"), ("list<bool>", [True], [True]), ("list<string>", ["a"], ["a"]),
    ("map<string, string>", {"a": "b"}, {"a": "b"}), ("list<S>", [{"n": 1}], [{"n": 1}]),
    ("S", {"n": 1}, {"n": 1}), ("map<string, S>", {"a": {"n": 1}}, {"a": {"n": 1}}),
    ("binary", b"ab", "YWI="), ("string", "x", "x"),
]  # fmt: skip


@pytest.mark.parametrize("kind, value, written", CONVERTED, ids=[row[0] for row in CONVERTED])
def test_js_conv_round_trips(kind, value, written):
    of = tl.loads(
        f'struct S {{ 1: i64 n }} struct A {{ 1: {kind} v (api.js_conv=""), 2: i64 plain }}'
    ).A
    plan = tl.http.plan(of)
    assert plan.faults == [] == plan.warnings
    body = plan.response(of.encode({"v": value, "plain": 3})).body
    expected = (
        json.loads(written) if isinstance(written, str) and kind in ("i64", "bool") else written
    )
    assert json.loads(body) == {"v": expected, "plain": 3}
    assert of.decode(plan.request(method="POST", body=body)) == {"v": value, "plain": 3}


def test_fields_that_a_get_cannot_fill_are_faults():
    idl = tl.loads("""
        struct Find { 1: i64 id (api.path="id"), 2: string note, 3: string form (api.form="f"),
        4: string both (api.query="b", api.body="b"), 5: string raw (api.raw_body="") }
        service Shop { void find(1: Find f) (api.get="/items/:id"),
        void put(1: Find f) (api.get="/items/:id", api.post="/items/:id"),
        void plain(1: i64 id) (api.get="/plain") }
        """)
    functions = idl.service("Shop").functions
    plan = tl.http.plan(functions["find"])
    result = [fault.partition(":")[0] for fault in plan.faults]
    assert result == ["Find.note", "Find.form", "Find.raw"]
    assert idl.service("Shop").function("find").arguments.decode(
        plan.request(path_params={"id": "7"})
    ) == {"f": {"id": 7}}, "the plan is of use all the same"
    assert tl.http.plan(functions["put"]).faults == []
    assert len(tl.http.plan(functions["plain"]).faults) == 1
    assert tl.http.plan(functions["find"], fallback="on").faults == []


@pytest.mark.parametrize(
    "kind, is_fault",
    [("i32", False), ("string", False), ("bool", True), ("double", True), ("list<i32>", True)],
)
def test_an_invalid_http_status_is_a_fault(kind, is_fault):
    idl = tl.loads(
        f'struct A {{ 1: {kind} status (api.http_code="") }} service S {{ A f() (api.post="/f") }}'
    )
    assert bool(tl.http.plan(idl.A).faults) == is_fault
    assert bool(tl.http.plan(idl.service("S").functions["f"]).faults) == is_fault


@pytest.mark.parametrize(
    "outer, inner, name",
    [
        ('agw.to_lower_camel_case=""', 'agw.to_snake="false"', "someName"),
        ('agw.to_snake=""', 'agw.to_lower_camel_case="false"', "some_name"),
        ('agw.to_snake=""', 'agw.to_snake="false"', "Some_Name"),
        ('agw.to_lower_camel_case=""', 'agw.to_lower_camel_case="false"', "Some_Name"),
        ('agw.to_lower_camel_case=""', 'agw.to_snake=""', "some_name"),
    ],
)
def test_a_disabled_case_has_no_effect_on_others(outer, inner, name):
    of = tl.loads(f"struct A {{ 1: i32 Some_Name ({inner}) }} ({outer})").A
    assert json.loads(tl.http.plan(of).response(of.encode({"Some_Name": 1})).body) == {name: 1}


def test_doubles_in_headers_are_written_as_go_writes_them():
    of = tl.loads('struct A { 1: double a (api.header="A"), 2: list<double> b }').A
    for value, text in (
        (0.0, "0"), (-0.0, "-0"), (3.0, "3"), (2.5, "2.5"), (-1000000.0, "-1000000"),
    ):  # fmt: skip
        answer = tl.http.plan(of).response(of.encode({"a": value, "b": [value]}))
        assert answer.headers == [("A", text)]


SCALARS = {
    "bool": [True, False], "i8": [1, -2], "i32": [1, 2], "i64": [1 << 60, 0], "double": [1.5, -2.0],
    "string": ["a,b", "c d;%"], "binary": [b"a,b", b"\0\xff"], "Colour": [1, 2],
    "uuid": ["12345678-1234-1234-1234-1234567890ab"],
}  # fmt: skip


def text_of(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        import base64

        return base64.b64encode(value).decode()
    return str(value)


def expanded(name, style, explode, texts):
    """As RFC 6570 has it: all that is not unreserved is encoded."""
    parts = [urllib.parse.quote(text, safe="") for text in texts]
    if style == "form" and explode:
        return "&".join(f"{name}={part}" for part in parts)
    return f"{name}={','.join(parts)}"


@pytest.mark.parametrize("container", ["list", "set"])
@pytest.mark.parametrize("kind", SCALARS)
@pytest.mark.parametrize("location", ["query", "header", "cookie", "path"])
def test_lists_are_read_as_the_document_says(location, kind, container):
    if container == "set" and kind == "double":
        pytest.skip("the order of a set")
    idl = tl.loads(
        f"enum Colour {{ RED = 1, GREEN = 2 }} struct A {{ 1: {container}<{kind}> v "
        f'(api.{location}="v") }} service S {{ void f(1: A a) '
        f'(api.post="/f{"/:v" if location == "path" else ""}") }}'
    )
    document = tl.http.openapi(idl)
    (parameter,) = [
        parameter_
        for parameter_ in next(iter(document["paths"].values()))["post"]["parameters"]
        if parameter_["name"] == "v"
    ]
    assert parameter["in"] == location and parameter["schema"]["type"] == "array"
    values = SCALARS[kind]
    texts = [text_of(value) for value in values]
    function = idl.service("S").functions["f"]
    plan = tl.http.plan(function)
    if location == "query":
        for some in (values[:1], values):
            query = expanded(
                "v", parameter["style"], parameter["explode"], [text_of(value) for value in some]
            )
            check(function, plan.request(method="POST", url=f"/f?{query}"), some, container)
        return
    expected = ("form", False) if location == "cookie" else ("simple", False)
    assert (parameter["style"], parameter["explode"]) == expected
    if any("," in text or ";" in text for text in texts):
        return  # these parts have no way to say them
    line = ",".join(texts)
    request = {
        "header": {"headers": {"v": line}},
        "cookie": {"cookies": {"v": line}},
        "path": {"path_params": {"v": line}},
    }[location]
    check(function, plan.request(method="POST", url="/f", **request), values, container)


def check(function, data, values, container):
    decoded = function.arguments.decode(data)["a"]["v"]
    import uuid

    expected = [
        uuid.UUID(value) if isinstance(value, str) and len(value) == 36 else value
        for value in values
    ]
    assert (set(expected) if container == "set" else expected) == decoded


@pytest.mark.parametrize("kind", ["list<list<i32>>", "list<S>", "map<string, i32>", "S"])
@pytest.mark.parametrize("location", ["query", "header"])
def test_other_values_are_json_in_the_document_and_in_the_plan(location, kind):
    idl = tl.loads(
        f'struct S {{ 1: i32 n }} struct A {{ 1: {kind} v (api.{location}="v") }} service S_ {{ '
        f'void f(1: A a) (api.post="/f") }}'
    )
    (parameter,) = next(iter(tl.http.openapi(idl)["paths"].values()))["post"]["parameters"]
    assert list(parameter["content"]) == ["application/json"]
    value = {
        "list<list<i32>>": [[1], [2, 3]],
        "list<S>": [{"n": 1}],
        "map<string, i32>": {"a": 1},
        "S": {"n": 1},
    }[kind]
    text = json.dumps(value)
    request = (
        {"url": f"/f?v={urllib.parse.quote(text)}"}
        if location == "query"
        else {"headers": {"v": text}}
    )
    function = idl.service("S_").functions["f"]
    result = function.arguments.decode(tl.http.plan(function).request(method="POST", **request))
    assert result == {"a": {"v": value}}
