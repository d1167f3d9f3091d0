"""The query parameter that selects response fields."""

import pytest
import thriftlens as tl
from gateway_answers import JSON, problem


@pytest.mark.parametrize("fields,expected", [
    ("{id user{name}}", {"id": 7, "user": {"name": "Ann"}}),
    ("{id%20user{name}}", {"id": 7, "user": {"name": "Ann"}}),
    ("id,user.name", {"id": 7, "user": {"name": "Ann"}}),
    ("$.id,$.tags", {"id": 7, "tags": []}),
    ("user.name,user,%20user.id", {"user": {"id": 1, "name": "Ann", "phone": "123"}}),
    ("{%20}", {}),
    ("{-user%20-prices%20-tags%20-payment}", {"id": 7, "status": 2, "blob": "YWI=", "marks": [1]}),
])  # fmt: skip
def test_fields(fetch, fields, expected):
    answer = fetch("GET", f"/orders/7?fields={fields.replace(' ', '%20')}")
    assert (answer.status, answer.json()) == (200, expected)
    assert answer.headers.get("etag") == "e1"


NAMED = """
    struct In { 1: i32 in_a (api.key="inA"), 2: i32 b (go.tag='json:"bB,omitempty"'), 3: i32 c }
    struct Out { 1: map<string, list<In>> all_in (api.body="allIn"), 2: In b,
    3: i32 c (api.key="b-c"), 4: i32 d (api.key="e") }
    service S { Out a() (api.get="/a") }
"""


@pytest.mark.parametrize(
    "fields,expected",
    [
        ("{allIn{inA} e}", {"allIn": {"b": [{"inA": 1}]}, "e": 6}),
        ("allIn.bB,e", {"allIn": {"b": [{"bB": 2}]}, "e": 6}),
        ("all_in.in_a", {"allIn": {"b": [{"inA": 1}]}}),
        ("{#1{inA} b-c}", {"allIn": {"b": [{"inA": 1}]}, "b-c": 5}),
        ("$.allIn{*}[*].inA,$.b-c", {"allIn": {"b": [{"inA": 1}]}, "b-c": 5}),
        ("{* -allIn b{-inA -c} -e}", {"b": {"bB": 2}, "b-c": 5}),
    ],
)
def test_fields_by_their_names_in_json(fetch, fields, expected):
    idl = tl.loads(NAMED)
    value = {"in_a": 1, "b": 2, "c": 3}
    with tl.serve(
        idl,
        "S",
        {"a": lambda: {"all_in": {"b": [value]}, "b": value, "c": 5, "d": 6}},
        background=True,
    ) as server:
        answer = fetch(
            "GET", f"/a?fields={fields.replace(' ', '%20')}", idl=idl, upstream=server.address
        )
        assert answer.json() == expected
        fetched = fetch("GET", "/a?fields={allIn{inB}}", idl=idl, upstream=server.address)
        answer_fields = problem(fetched, 400, "no_such_field")
        assert answer_fields["selection"] == "{all_in{inB}}"


@pytest.mark.parametrize("target,code,offset", [
    ("/orders/7?fields={idd}", "no_such_field", 1), ("/orders/7?fields={id", "path_syntax", 3),
    ("/orders/7?fields=", "path_syntax", None),
    ("/orders?fields={id%20user{nam}}", "no_such_field", 9),
    ("/orders/7?fields={id}&fields={id}", "duplicate_key", None),
    ("/orders/7?fields=" + "a." * 3000, "depth_limit", None),
])  # fmt: skip
def test_bad_fields_are_400_with_their_offset(fetch, shop, target, code, offset):
    fields = fetch("GET", target).json()
    assert fields["status"] == 400 and fields["parameter"] == "fields" and not shop.get_counts
    assert fields["code"] == code and (offset is None or fields["offset"] == offset)


def test_fields_never_cut_exceptions_and_parts(fetch):
    assert fetch("GET", "/orders/404?fields={id}").json() == {"id": 404, "why": "none"}
    assert fetch("POST", "/orders?fields={tags}", JSON, b'{"id":5,"tags":["x"]}').status == 201
    problem(fetch("DELETE", "/orders/1?fields={id}"), 400, "no_fields")
    raw = tl.loads(
        'struct Raw { 1: binary data (api.raw_body=""), 2: string kind (api.header="Content-Type") '
        '} service S { Raw a() (api.get="/a") }'
    )
    problem(fetch("GET", "/a?fields=kind", idl=raw), 400, "no_fields")
    assert fetch("GET", "/orders/7?only=id", fields="only").json() == {"id": 7}
    assert len(fetch("GET", "/orders/7?fields=id", fields=None).json()) == 8


@pytest.mark.parametrize("fields", [
    "a." * 1000 + "a", "{" * 2000, "user." * 300 + "name", ",".join(["a." * 100 + "a"] * 5),
    "{a{" * 700,
])  # fmt: skip
def test_fields_nested_too_deeply_are_400(fetch, fields, caplog):
    answer = fetch("GET", f"/orders/7?fields={fields}")
    assert answer.status == 400 and len(caplog.text) < 1000, answer.body
