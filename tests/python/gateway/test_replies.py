"""HTTP responses of replies."""

import json

import pytest
import thriftlens as tl
from gateway_answers import JSON, problem


@pytest.mark.parametrize(
    "method,target,body,status,expected",
    [
        ("POST", "/orders", {"id": 5, "tags": ["x"]}, 201, {"id": 5, "tags": ["x"], "status": 1}),
        ("GET", "/orders?size=1&fields={id}", None, 200, [{"id": 0}]),
        ("GET", "/orders?size=0", None, 200, []),
        ("DELETE", "/orders/1", None, 204, None),
        ("DELETE", "/orders/404", None, 404, {"id": 404, "why": "none"}),
        ("GET", "/orders/404", None, 404, {"id": 404, "why": "none"}),
        ("POST", "/notes", {"text": "hello"}, 202, None),
    ],
)
def test_answers(fetch, method, target, body, status, expected):
    answer = fetch(method, target, JSON if body else {}, json.dumps(body).encode() if body else b"")
    assert answer.status == status and (answer.json() if answer.body else None) == expected


def test_an_exception_without_status_is_500_with_its_fields(fetch):
    fields = problem(fetch("GET", "/orders/500"), 500, "exception")
    assert fields["exception"] == "Broken"
    assert fields["fields"] == {"why": "oh", "who": {"id": 1, "name": "Ann", "phone": "123"}}
    assert problem(fetch("GET", "/orders/600"), 502, "internal_error")["detail"] == "Ann's secret"


def test_headers_of_the_message_are_the_gateways(fetch):
    idl = tl.loads(
        'struct R { 1: string h (api.header="Content-Length"), 2: string x } service S { R r() '
        '(api.get="/r") }'
    )
    with tl.serve(idl, "S", {"r": lambda: {"h": "1", "x": "y"}}, background=True) as server:
        problem(fetch("GET", "/r", idl=idl, upstream=server.address), 502, "broken_rule")
