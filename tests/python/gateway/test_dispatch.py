"""Routes and calls of the gateway."""

import pytest
import thriftlens as tl
from gateway_answers import problem

FULL = {
    "id": 7, "tags": ["a", "b"], "status": 1, "user": {"id": 1, "name": "Ann", "phone": "123"},
    "prices": {"1": 2.5}, "payment": {"card": "4"}, "blob": "YWI=",
    "marks": [1],
}  # fmt: skip


@pytest.mark.parametrize("transport,protocol", [
    ("auto", "auto"), ("framed", "binary"), ("framed", "compact"), ("buffered", "binary"),
    ("header", "compact"), ("ttheader", "binary"),
])  # fmt: skip
def test_a_call(fetch, transport, protocol):
    answer = fetch("GET", "/orders/7?tags=a,b&status=NEW", transport=transport, protocol=protocol)
    assert answer.status == 200 and answer.headers["etag"] == "e1"
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == FULL


def test_functions_without_annotation(fetch):
    assert problem(fetch("POST", "/Shop/hello"), 404, "not_found")
    assert fetch("POST", "/Shop/hello", routes="all").json() == "hi"


def test_unknown_routes_and_verbs(fetch):
    problem(fetch("GET", "/nothing"), 404, "not_found")
    answer = fetch("PATCH", "/orders/7")
    problem(answer, 405, "method_not_allowed")
    assert sorted(answer.headers["allow"].split(", ")) == ["DELETE", "GET", "HEAD"]
    assert fetch("POST", "/healthz").status == 405


def test_head_is_get_without_the_body(fetch, shop):
    get, head = fetch("GET", "/orders/7"), fetch("HEAD", "/orders/7")
    assert head.status == 200 and head.headers == get.headers and head.body == b""
    assert shop.get_counts == {7: 2}
    assert fetch("HEAD", "/orders/404").status == 404 and fetch("HEAD", "/files").status == 405
    idl = tl.loads('service S { string a() (api.get="/a") void b() (api.head="/a") }')
    with tl.serve(idl, "S", {"a": lambda: "a", "b": lambda: None}, background=True) as server:
        assert fetch("HEAD", "/a", idl=idl, upstream=server.address).status == 204


@pytest.mark.parametrize("path", [
    "/orders/..", "/orders/%2e%2e", "/a/../orders/7", "//orders/7", "/orders//7", "/orders/7/",
    "/orders/%00", "/ORDERS/7", "/orders/7%2f..", "*",
])  # fmt: skip
def test_path_tricks_are_rejected(fetch, shop, path):
    answer = fetch("GET", path)
    assert answer.status in (400, 404) and not shop.get_counts
