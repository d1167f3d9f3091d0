"""Error responses of the gateway."""

import pytest
import thriftlens as tl
from gateway_answers import JSON, problem


@pytest.mark.parametrize("method,target,body,code,location", [
    ("GET", "/orders/x", None, "json_type", {"path": "$.id"}),
    ("GET", "/orders/99999999999999999999", None, "integer_range", {"path": "$.id"}),
    ("GET", "/orders/1?status=OLD", None, "unknown_enum_name", {"path": "$.status"}),
    ("GET", "/orders/1?tags=%ff", None, "invalid_utf8", {"path": "$.tags[0]"}),
    ("POST", "/orders", '{"id":5,"user":{"id":"x"}}', "json_type",
        {"path": "$.user.id", "offset": 21, "line": 1, "column": 22, "in": "JSON text"}),
    ("POST", "/orders", '{"id":5,', "json_syntax", {"offset": 8}),
    ("POST", "/orders", '{"id":5,"nam":1}', "unknown_key", {"path": "$"}),
    ("POST", "/orders", "{}", "missing_required", {"path": "$.id"}),
    ("POST", "/orders", '{"id":5,"payment":{"card":"a","invoice":1}}', "union_members",
        {"path": "$.payment"}),
])  # fmt: skip
def test_bad_input_is_400_with_its_location(fetch, method, target, body, code, location):
    fields = problem(fetch(method, target, JSON, (body or "").encode()), 400, code)
    assert {name: fields.get(name) for name in location} == location


@pytest.mark.parametrize("target,headers,body,detail", [
    ("/a", JSON, b'{"j": 1}', '$.c: expected in cookie "tok" or header "X-Tok"'),
    ("/b", JSON, b'{"f": "x"}', '$.f: expected in form "f"'),
    ("/c", {"content-type": "application/x-www-form-urlencoded"}, b"f=1",
        "$.j: expected in a JSON body, but the body is a form"),
    ("/d", {}, b"", '$.q: expected in query "q"'),
    ("/e", {"content-type": "application/x-www-form-urlencoded"}, b"j=1",
        '$.k: expected in body "k", but the body is a form'),
])  # fmt: skip
def test_a_missing_field_is_named_by_the_part_that_may_have_it(
    fetch, target, headers, body, detail
):
    idl = tl.loads("""service S {
        void a(1: required string c (api.cookie="tok", api.header="X-Tok"), 2: i32 j)
          (api.post="/a")
        void b(1: required string f (api.form="f")) (api.post="/b")
        void c(1: required i32 j, 2: i32 f (api.form="f")) (api.post="/c")
        void d(1: required i32 q (api.query="q")) (api.post="/d")
        void e(1: required i32 k (api.body="k")) (api.post="/e") }""")
    fetched = fetch("POST", target, headers, body, idl=idl, transport="framed", protocol="binary")
    fields = problem(fetched, 400, "missing_required")
    assert fields["detail"] == f"a required field is missing at {detail}"
    assert fields["path"] == detail[:3] and "offset" not in fields


def test_a_missing_field_in_the_json_of_a_form(fetch):
    idl = tl.loads(
        'struct In { 1: required i32 a } service S { void a(1: In in (api.form="in"), 2: i32 j) '
        '(api.post="/a") }'
    )
    headers = {"content-type": "application/x-www-form-urlencoded"}
    fetched = fetch("POST", "/a", headers, b"in={}", idl=idl, transport="framed", protocol="binary")
    fields = problem(fetched, 400, "missing_required")
    assert fields["path"] == "$.in.a" and 'in form "in"' in fields["detail"]
