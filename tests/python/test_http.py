"""Plans between HTTP and Thrift.

Expected values follow the measured semantics (docs/http-mapping.md); dynamicgo's answers are
compared if the sample folder is present.
"""

import base64
import json
import math
import os
from pathlib import Path

import pytest
import thriftlens as tl
from click.testing import CliRunner
from thriftlens._cli.main import main

ROOT = Path(__file__).parents[2]

DYNAMICGO = {}
JSON = {"Content-Type": "application/json"}


def read(idl, options=DYNAMICGO, protocol="binary", **request):
    of = tl.loads(idl).Root
    plan = tl.http.plan(of, dynamicgo=options, protocol=protocol)
    return of.decode(plan.request(**request), protocol=protocol)


def root(fields):
    return (
        'enum Color { RED = 1, BLUE = 3 }\nstruct In { 1: i32 x, 2: string h (api.header="H") }\nstruct Root { '
        + fields
        + " }"
    )


REQUESTS = [
    ('1: i32 a (api.query="q")', {"url": "/?q=+5"}, "json_type"),
    ('1: i32 a (api.query="q")', {"url": "/?q=%2B5"}, {"a": 5}),
    ('1: i32 a (api.query="q")', {"url": "/?q=5&q=6"}, {"a": 5}),
    ('1: i32 a (api.query="q")', {"url": "/?q=&q=6"}, {}),
    ('1: i32 a (api.query="q")', {"url": "/?Q=5"}, {}),
    ('1: i32 a (api.query="q")', {"url": "/?q=4294967301"}, "integer_range"),
    ('1: i32 a (api.query="q")', {"url": "/?x=1;q=5"}, {}),
    ('1: string a (api.query="q")', {"url": "/?q=%zz"}, {}),
    ('1: bool a (api.query="q")', {"url": "/?q=True"}, {"a": True}),
    ('1: bool a (api.query="q")', {"url": "/?q=tRue"}, "json_type"),
    ('1: Color a (api.query="q")', {"url": "/?q=7"}, {"a": 7}),
    ('1: Color a (api.query="q")', {"url": "/?q=RED"}, "json_type"),
    ('1: double a (api.query="q")', {"url": "/?q=0x1p4"}, {"a": 16.0}),
    ('1: double a (api.query="q")', {"url": "/?q=-inf"}, {"a": -math.inf}),
    ('1: list<i32> a (api.query="q")', {"url": "/?q=1,2"}, {"a": [1, 2]}),
    ('1: list<i32> a (api.query="q")', {"url": "/?q=1,2,"}, "json_type"),
    ('1: list<i32> a (api.query="q")', {"url": "/?q=1&q=2"}, {"a": [1, 2]}),
    (
        '1: In a (api.query="q")',
        {"url": "/?q={%22x%22:1}", "headers": {"h": "hv"}},
        {"a": {"x": 1, "h": "hv"}},
    ),
    ('1: string a (api.header="X-A")', {"headers": {"x-a": "b"}}, {"a": "b"}),
    ('1: string a (api.header="Host")', {"headers": {"Host": "b"}}, {}),
    ('1: string a (api.cookie="c")', {"cookies": {"c": '"q r"'}}, {"a": "q r"}),
    ('1: string a (api.cookie="c")', {"headers": {"Cookie": "C=1; c=2; c=3"}}, {"a": "2"}),
    ('1: string a (api.path="p")', {"path_params": [("p", "a%2Fb")]}, {"a": "a%2Fb"}),
    ('1: binary a (api.query="q")', {"url": "/?q=aGk"}, "bad_base64"),
    (
        '1: string a (api.header="h", api.query="q")',
        {"url": "/?q=2", "headers": {"h": "1"}},
        {"a": "1"},
    ),
    (
        '1: i32 a (api.header="h", api.query="q")',
        {"url": "/?q=2", "headers": {"h": "x"}},
        "json_type",
    ),
    (
        '1: string a (api.body="k", api.query="q")',
        {"url": "/?q=2", "headers": JSON, "body": '{"k":"1"}'},
        {"a": "2"},
    ),
    ('1: string a (api.body="k")', {"headers": JSON, "body": '{"k":[1, 2]}'}, {"a": "[1, 2]"}),
    ('1: string a (api.body="k")', {"body": '{"k":"x"}'}, {}),
    (
        '1: string a (api.body="k")',
        {"headers": {"content-type": "application/json; charset=utf-8"}, "body": '{"k":"x"}'},
        {"a": "x"},
    ),
    ('1: string a (api.query="q"), 2: string b', {"body": '{"a":"x","b":"y","c":1}'}, {"b": "y"}),
    ('1: required string a (api.query="q")', {}, "missing_required"),
    ("1: required string a", {}, "missing_required"),
    ("1: i8 a", {"body": '{"a":300}'}, "integer_range"),
    ("1: i32 a", {"body": '{"a":2.9}'}, "json_type"),
    ("1: i32 a", {"body": '{"a":1e3}'}, {"a": 1000}),
    ("1: i32 a", {"body": '{"a":1,"a":2}'}, "duplicate_key"),
    ("1: i32 a", {"body": '{"a":null}'}, {}),
    ('1: set<i32> a (api.query="q")', {"url": "/?q=2,1"}, {"a": {1, 2}}),
    ('1: set<i32> a (api.query="q")', {"url": "/?q=1,2,1"}, "duplicate_key"),
    ("1: set<i32> a", {"body": '{"a":[1,1]}'}, "duplicate_key"),
    ("1: list<i32> a", {"body": '{"a":[1,null]}'}, "json_type"),
    ('1: i32 a (api.raw_uri="")', {"url": "/"}, "json_type"),
    ('1: string a (api.raw_uri="")', {"url": "http://h/p?q#f"}, {"a": "http://h/p?q#f"}),
    (
        '1: string a (api.raw_body="")',
        {"headers": {"Content-Type": "text/plain"}, "body": "hi"},
        {"a": "hi"},
    ),
    ('1: string a (api.key="k")', {"body": '{"k":"x"}'}, {"a": "x"}),
    ('1: string a (go.tag="json:\\"k,omitempty\\"")', {"body": '{"k":"x","a":"y"}'}, {"a": "x"}),
    ('1: In a (api.no_body_struct="")', {"headers": {"H": "v"}}, {"a": {"h": "v"}}),
    ('1: i32 a (api.http_code=""), 2: i32 b', {"body": '{"a":1,"b":2}'}, {"b": 2}),
]


@pytest.mark.parametrize("protocol", ["binary", "compact"])
@pytest.mark.parametrize("fields, request_, expected", REQUESTS)
def test_requests(fields, request_, expected, protocol):
    request_ = {"method": "POST", **request_}
    if isinstance(expected, dict):
        assert read(root(fields), protocol=protocol, **request_) == expected
        return
    with pytest.raises(tl.Error) as caught:
        read(root(fields), protocol=protocol, **request_)
    assert caught.value.code == expected


OPTIONS = [
    ("EnableValueMapping", '1: i64 a (api.js_conv="")', {"body": '{"a":"5"}'}, {"a": 5}),
    ("String2Int64", "1: i32 a, 2: double b", {"body": '{"a":"","b":"1.5"}'}, {"a": 0, "b": 1.5}),
    (
        "NoBase64Binary",
        '1: binary a (api.query="q"), 2: binary b',
        {"url": "/?q=hi", "body": '{"b":"yo"}'},
        {"a": b"hi", "b": b"yo"},
    ),
    (
        "WriteRequireField",
        '1: required i32 a (api.query="q"), 2: required string b',
        {},
        {"a": 0, "b": ""},
    ),
    ("WriteDefaultField", "1: i32 a, 2: optional i32 b, 3: list<i32> c", {}, {"a": 0, "c": []}),
    ("WriteOptionalField", '1: optional i32 a (api.query="q"), 2: optional i32 b', {}, {"a": 0}),
    ("ReadHttpValueFallback", '1: i32 a (api.query="q")', {"body": '{"a":3}'}, {"a": 3}),
    ("TracebackRequredOrRootFields", "1: i32 a", {"url": "/?a=4", "body": "{}"}, {"a": 4}),
    ("ApiBodyFastPath", '1: i32 a (api.body="k")', {"body": '{"k":4}'}, {"a": 4}),
    (
        "InitAGWAnnos",
        '1: i32 fooBar (agw.source="query", agw.to_snake="")',
        {"url": "/?foo_bar=4"},
        {"fooBar": 4},
    ),
    ("NoHttpMapping", '1: i32 a (api.query="q")', {"url": "/?q=4", "body": '{"a":5}'}, {"a": 5}),
]


@pytest.mark.parametrize("name, fields, request_, expected", OPTIONS)
def test_options_of_dynamicgo(name, fields, request_, expected):
    assert read(root(fields), {name: True}, **{"method": "POST", **request_}) == expected


def test_disallow_unknown_field():
    with pytest.raises(tl.JSONError, match="no field 'z' in Root"):
        read(root("1: i32 a"), {"DisallowUnknownField": True}, body='{"z":1}')


def test_unknown_options_name_the_nearest():
    of = tl.loads("struct Root {}").Root
    with pytest.raises(
        ValueError,
        match="dynamicgo has no option 'ReadHttpValueFallbak'; did you mean 'ReadHttpValueFallback'",
    ):
        tl.http.plan(of, dynamicgo={"ReadHttpValueFallbak": True})
    with pytest.raises(TypeError, match="expected True or False"):
        tl.http.plan(of, dynamicgo={"String2Int64": "yes"})
    with pytest.raises(ValueError, match="MapFieldWay: expected one of"):
        tl.http.plan(of, dynamicgo={"MapFieldWay": "names"})
    with pytest.raises(ValueError, match="it writes i64 for an enum"):
        tl.http.plan(of, dynamicgo={"ParseEnumAsInt64": True})
    with pytest.raises(TypeError, match="fallback"):
        tl.http.plan(of, fallbak="on")
    with pytest.raises(ValueError, match="on"):
        tl.http.plan(of, fallback="yes")
    with pytest.raises(ValueError, match="protocol: expected"):
        tl.http.plan(of, protocol="json")
    with pytest.raises(TypeError, match="Type or Function"):
        tl.http.plan("Root")


def answer(fields, value, **options):
    of = tl.loads(root(fields)).Root
    response = tl.http.plan(of, **options).response(of.encode(value))
    return response.status, response.headers, response.cookies, response.body


def test_answers():
    assert answer(
        '1: i32 st (api.http_code=""), 2: string h (api.header="X-H"), 3: i64 n (api.cookie="n"), 4: In in, 5: list<In> l',
        {"st": 404, "h": "té", "n": 5, "in": {"x": 1, "h": "v"}, "l": [{"x": 2, "h": "w"}]},
    ) == (404, [("X-H", "té"), ("H", "v")], [("n", "5")], b'{"in":{"x":1},"l":[{"x":2,"h":"w"}]}')
    assert answer(
        '1: i64 a (api.js_conv=""), 2: string k (api.body="kk"), 3: string n (api.none="")',
        {"a": 5, "k": "x", "n": "y"},
    ) == (0, [], [], b'{"a":"5","kk":"x"}')
    assert answer(
        '1: map<string, i32> m (api.header="M")',
        {"m": {"k": 1}},
        dynamicgo={"UseKitexHttpEncoding": True},
    )[1] == [("M", "map[k:1]")]


def test_answers_fail_closed():
    for fields, value in [
        ('1: string a (api.header="H")', "x\r\nSet-Cookie: a=b"),
        ('1: string a (api.cookie="c")', "a;b"),
        ('1: i32 a (api.http_code="")', 20000),
        ('1: string a (api.cookie="b d")', "x"),
    ]:
        with pytest.raises(tl.DecodeError) as caught:
            answer(fields, {"a": value})
        assert caught.value.code == "broken_rule" and caught.value.path == "$.a"
    with pytest.raises(tl.Error, match="api.query has no place in an answer"):
        answer('1: i32 a (api.query="q")', {"a": 1}, dynamicgo={})
    assert answer('1: i32 a (api.query="q")', {"a": 1})[3] == b'{"a":1}'


SHOP = """
struct Find { 1: required i64 id (api.path="id"), 2: list<string> tags (api.query="tags", api.header="X-Tags"), 3: string note }
struct Found { 1: i32 status (api.http_code=""), 2: string name }
exception Gone { 1: i32 code (api.http_code=""), 2: string why }
service Shop {
  Found find(1: Find req) throws (1: Gone gone) (api.get="/items/:id", api.post="/items/:id")
  Found other(1: Find req) (api.get="/items/:key")
  Found bad(1: Bad req) (api.put="/bad")
}
struct Bad { 1: string a (api.raw_uri="", api.query="q") }
"""


def test_functions():
    idl = tl.loads(SHOP)
    find = idl.services["Shop"].functions["find"]
    plan = tl.http.plan(find)
    assert plan.routes == [("GET", "/items/:id"), ("POST", "/items/:id")]
    assert plan.sources[1] == ("tags", False, [("query", "tags"), ("header", "X-Tags")])
    data = plan.request(
        url="/items/7?tags=a", path_params={"id": "7"}, body=memoryview(b'{"note":"n"}')
    )
    assert find.arguments.decode(data) == {"req": {"id": 7, "tags": ["a"], "note": "n"}}
    assert plan.response(idl.Found.encode({"status": 201, "name": "x"})).status == 201
    gone = plan.response(idl.Gone.encode({"code": 410, "why": "w"}), idl.Gone)
    assert (gone.status, gone.body) == (410, b'{"why":"w"}')


def test_base():
    idl = tl.loads(
        "include 'base.thrift'\nstruct Root { 1: string a, 255: base.Base b }",
        includes={"base.thrift": "struct Base { 1: string LogID, 6: map<string, string> Extra }"},
    )
    plan = tl.http.plan(idl.Root, base="merge")
    data = plan.request(
        base={"LogID": "L", "Extra": {"c": "1"}},
        body='{"a":"x","b":{"LogID":"J","Extra":{"c":"2","k":"v"}}}',
    )
    assert idl.Root.decode(data) == {"a": "x", "b": {"LogID": "L", "Extra": {"c": "1", "k": "v"}}}


def test_faulty_annotations_are_reported_when_the_plan_is_used():
    of = tl.loads('struct Root { 1: i32 a (api.body="x", api.body="y") }').Root
    plan = tl.http.plan(of)
    assert plan.faults == ["Root.a: api.body is declared more than once"]
    with pytest.raises(tl.Error, match="declared more than once") as caught:
        plan.request()
    assert caught.value.code == "bad_rule"


def test_bad_arguments():
    plan = tl.http.plan(tl.loads("struct Root { 1: i32 a }").Root)
    for wrong in [
        {"headers": [("a",)]},
        {"headers": {"a": 1}},
        {"headers": 5},
        {"url": None},
        {"body": 5},
        {"base": 5},
    ]:
        with pytest.raises((TypeError, ValueError, AttributeError)):
            plan.request(**wrong)
    with pytest.raises(TypeError):
        plan.response("text")
    assert plan.request(headers=[(b"a", b"\xff")], cookies=None) == b"\0"


def test_a_large_body_is_read_without_the_lock():
    of = tl.loads("struct Root { 1: list<i64> l }").Root
    assert (
        of.decode(tl.http.plan(of).request(body=json.dumps({"l": list(range(50000))})))["l"][-1]
        == 49999
    )


def test_limits():
    of = tl.loads('struct Root { 1: string a (api.query="a"), 2: Root r }').Root
    with pytest.raises(tl.Error) as caught:
        tl.http.plan(of, body_size=10).request(body='{"a":"' + "x" * 20 + '"}')
    assert caught.value.code == "size_limit"
    with pytest.raises(tl.Error) as caught:
        tl.http.plan(of, depth=3).request(body='{"r":{"r":{"r":{}}}}')
    assert caught.value.code == "depth_limit"
    with pytest.raises(tl.Error) as caught:
        tl.http.plan(of, output_size=10).request(url="/?a=" + "x" * 50)
    assert caught.value.code == "output_limit"


def test_router():
    router = tl.http.Router()
    router.add("GET", "/users/:id", "user")
    router.add("GET", "/files/*rest", "files")
    assert router.find("GET", "/users/a%2Fb") == ("user", [("id", "a/b")], [])
    assert router.find("POST", "/users/1") == (None, [], ["GET"])
    for path in [
        "/users/..",
        "/users/%2e%2e",
        "/users//",
        "/users/",
        "/files/../users/1",
        "/files/a%2Fb",
        "/files/%00",
    ]:
        assert router.find("GET", path).target is None
    with pytest.raises(tl.Error) as caught:
        router.add("GET", "/users/:other", "again")
    assert caught.value.code == "already_there"


def test_routes_on_the_command_line(tmp_path):
    file = tmp_path / "shop.thrift"
    file.write_text(SHOP)
    shown = CliRunner().invoke(main, ["routes", str(file)])
    assert shown.exit_code == 0
    assert shown.output.splitlines()[:4] == [
        "GET   /items/:id   Shop.find",
        "    id    path id  (required)",
        "    tags  query tags, header X-Tags",
        "    note  body note",
    ]
    routes = json.loads(CliRunner().invoke(main, ["routes", str(file), "--json"]).output)
    assert routes[1]["method"] == "POST" and routes[1]["fields"][0] == {
        "field": "id",
        "required": True,
        "from": "path id",
    }


def test_check_warns_of_routes(tmp_path):
    file = tmp_path / "shop.thrift"
    file.write_text(SHOP)
    shown = CliRunner().invoke(main, ["check", str(file)])
    assert shown.exit_code == 0
    assert (
        "Shop.other: GET /items/:key takes the paths of GET /items/:id (of Shop.find)"
        in shown.output
    )
    assert (
        "Shop.bad: Bad.a: api.query is never reached: api.raw_uri always has a value"
        in shown.output
    )
    assert (
        "Shop.other: no field for 'key' of GET /items/:key; add (api.path = \"key\") to a field"
        in shown.output
    )
    assert "Shop.other: id: api.path has no effect: no route has 'id'" in shown.output
    assert "Shop.other: Find.note: only a body could fill it" in shown.output
    assert "5 warnings" in shown.output


def test_check_warns_of_misspelt_annotations(tmp_path):
    file = tmp_path / "a.thrift"
    file.write_text("""
        typedef In Same
        struct In { 1: i32 a (api.qeury = "a"), 2: i32 b (api.vd = "$>0", pii = "x"), 3: i32 c (api.path = "c", api.query = "c") }
        service S { void a(1: In in) (api.gett = "/a") void b(1: Same in) (api.get = "/b", api.handler_path = "x") void c(1: i32 n (api.querry = "n")) (api.put = "/c") }
    """)
    shown = CliRunner().invoke(main, ["check", str(file)])
    assert "S.a: unknown annotation api.gett; did you mean 'api.get'?" in shown.output
    assert "S.c: n: unknown annotation api.querry; did you mean 'api.query'?" in shown.output
    assert "In.a: unknown annotation api.qeury; did you mean 'api.query'?" in shown.output
    assert "5 warnings" in shown.output, "two of a function of GET with fields that it cannot fill"


SHARED = (
    Path(os.environ.get("THRIFTLENS_SHARED") or ROOT.parent / "shared").resolve()
    / "http-mapping"
    / "cases"
)
# Cases whose answers cannot be distinguished or compared by value; docs/http-mapping.md has the
# reasons.
NOT_BY_VALUE = {
    "q-enum-as-i64": "ParseEnumAsInt64 is refused",
    "l-set-dup": "equal elements of a set are duplicate_key",
    "rs-base-noctx": "there is no context: BaseResp is always given beside the body",
    "r-raw-body-binary-base64": "a raw body is whatever came",
    "rs-js-bool": "api.js_conv writes other types than numbers as without it",
    "rs-js-map": "api.js_conv writes the numbers in a map",
    "rs-js-set": "api.js_conv writes the numbers in a set",
}


def pairs(rows):
    return [tuple(row) for row in rows or []]


def request_of(case):
    r = case["request"]
    return {
        "method": r["method"],
        "url": r["url"],
        "headers": pairs(r.get("headers")),
        "cookies": pairs(r.get("cookies")),
        "path_params": pairs(r.get("path_params")),
        "body": base64.b64decode(r.get("body") or ""),
        "base": case.get("context_base"),
    }


def in_order(value):
    if isinstance(value, dict):
        return sorted((repr(key), in_order(item)) for key, item in value.items())
    return [in_order(item) for item in value] if isinstance(value, list) else value


def same_request(case, of, plan):
    encoded, expected = (
        plan.request(**request_of(case)),
        bytes.fromhex(case["expect"]["thrift_hex"]),
    )
    lenient = {"invalid_utf8": "replace", "missing_required": "omit", "duplicates": "last"}
    return encoded == expected or repr(in_order(of.decode(encoded, **lenient))) == repr(
        in_order(of.decode(expected, **lenient))
    )


def same_answer(case, plan):
    response, expect = plan.response(bytes.fromhex(case["thrift_hex"])), case["expect"]
    headers = sorted(
        (name.lower(), value)
        for name, value in pairs(expect["headers"])
        if name.lower() != "content-type"
    )
    body = base64.b64decode(expect["body"] or "")
    return (
        response.status == expect["status"]
        and sorted((name.lower(), value) for name, value in response.headers) == headers
        and sorted(response.cookies) == sorted(pairs(expect["cookies"]))
        and json.loads(response.body) == json.loads(body)
    )


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the sample folder THRIFTLENS_SHARED")
def test_answers_of_dynamicgo():
    differ, compared = [], 0
    for file in sorted(SHARED.glob("*.json")):
        case = json.loads(file.read_text(encoding="utf-8"))
        if (
            case.get("peer_fault")
            or case.get("entry") == "json_arg"
            or case.get("message_type")
            or case["name"] in NOT_BY_VALUE
        ):
            continue
        of = tl.loads(case["idl"], includes=case.get("includes") or {})[case["struct"]]
        plan = tl.http.plan(of, dynamicgo=case.get("options") or {})
        compared += 1
        try:
            same = (
                same_request(case, of, plan)
                if case["direction"] == "request"
                else same_answer(case, plan)
            )
        except tl.Error as error:
            same = case["expect"]["error"] or differ.append(f"{case['name']}: {error}")
        else:
            same = same and not case["expect"]["error"]
        if not same:
            differ.append(case["name"])
    assert differ == []
    assert compared > 300


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the sample folder THRIFTLENS_SHARED")
def test_a_base_resp_that_no_context_asks_for():
    case = json.loads((SHARED / "rs-base-noctx.json").read_text(encoding="utf-8"))
    of = tl.loads(case["idl"], includes=case["includes"])[case["struct"]]
    assert same_answer(case, tl.http.plan(of, base="off"))
