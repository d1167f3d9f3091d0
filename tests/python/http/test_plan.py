"""Plans between HTTP and Thrift. Expected values follow the measured semantics
(docs/http-mapping.md)."""

import json
import math

import pytest
import thriftlens as tl
from http_plans import SHOP, read, root

JSON = {"Content-Type": "application/json"}
# fmt: off
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
    ('1: In a (api.query="q")', {"url": "/?q={%22x%22:1}", "headers": {"h": "hv"}}, {"a": {"x": 1,
        "h": "hv"}}),
    ('1: string a (api.header="X-A")', {"headers": {"x-a": "b"}}, {"a": "b"}),
    ('1: string a (api.header="Host")', {"headers": {"Host": "b"}}, {}),
    ('1: string a (api.cookie="c")', {"cookies": {"c": '"q r"'}}, {"a": "q r"}),
    ('1: string a (api.cookie="c")', {"headers": {"Cookie": "C=1; c=2; c=3"}}, {"a": "2"}),
    ('1: string a (api.path="p")', {"path_params": [("p", "a%2Fb")]}, {"a": "a%2Fb"}),
    ('1: binary a (api.query="q")', {"url": "/?q=aGk"}, "bad_base64"),
    ('1: string a (api.header="h", api.query="q")', {"url": "/?q=2", "headers": {"h": "1"}},
        {"a": "1"}),
    ('1: i32 a (api.header="h", api.query="q")', {"url": "/?q=2", "headers": {"h": "x"}},
        "json_type"),
    ('1: string a (api.body="k", api.query="q")', {"url": "/?q=2", "headers": JSON,
        "body": '{"k":"1"}'}, {"a": "2"}),
    ('1: string a (api.body="k")', {"headers": JSON, "body": '{"k":[1, 2]}'}, {"a": "[1, 2]"}),
    ('1: string a (api.body="k")', {"body": '{"k":"x"}'}, {}),
    ('1: string a (api.body="k")', {"headers": {"content-type": "application/json; charset=utf-8"},
        "body": '{"k":"x"}'}, {"a": "x"}),
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
    ('1: string a (api.raw_body="")', {"headers": {"Content-Type": "text/plain"}, "body": "hi"},
        {"a": "hi"}),
    ('1: string a (api.key="k")', {"body": '{"k":"x"}'}, {"a": "x"}),
    ('1: string a (go.tag="json:\\"k,omitempty\\"")', {"body": '{"k":"x","a":"y"}'}, {"a": "x"}),
    ('1: In a (api.no_body_struct="")', {"headers": {"H": "v"}}, {"a": {"h": "v"}}),
    ('1: i32 a (api.http_code=""), 2: i32 b', {"body": '{"a":1,"b":2}'}, {"b": 2}),
]
# fmt: on


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


def answer(fields, value, **options):
    of = tl.loads(root(fields)).Root
    response = tl.http.plan(of, **options).response(of.encode(value))
    return response.status, response.headers, response.cookies, response.body


def test_answers():
    assert answer(
        '1: i32 st (api.http_code=""), 2: string h (api.header="X-H"), 3: i64 n (api.cookie="n"), '
        "4: In in, 5: list<In> l",
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
    with pytest.raises(tl.Error, match="api.query is not supported in a response"):
        answer('1: i32 a (api.query="q")', {"a": 1}, dynamicgo={})
    assert answer('1: i32 a (api.query="q")', {"a": 1})[3] == b'{"a":1}'


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
        {"headers": [("a",)]}, {"headers": {"a": 1}}, {"headers": 5}, {"url": None}, {"body": 5},
        {"base": 5},
    ]:  # fmt: skip
        with pytest.raises((TypeError, ValueError, AttributeError)):
            plan.request(**wrong)
    with pytest.raises(TypeError):
        plan.response("text")
    assert plan.request(headers=[(b"a", b"\xff")], cookies=None) == b"\0"


def test_a_large_body_is_read_without_the_lock():
    of = tl.loads("struct Root { 1: list<i64> l }").Root
    result = of.decode(tl.http.plan(of).request(body=json.dumps({"l": list(range(50000))})))
    assert result["l"][-1] == 49999


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
        "/users/..", "/users/%2e%2e", "/users//", "/users/", "/files/../users/1", "/files/a%2Fb",
        "/files/%00",
    ]:  # fmt: skip
        assert router.find("GET", path).target is None
    with pytest.raises(tl.Error) as caught:
        router.add("GET", "/users/:other", "again")
    assert caught.value.code == "already_there"
