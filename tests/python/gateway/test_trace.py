"""Trace headers and the access log."""

import json
import logging

import pytest
from gateway_answers import POLICIES, problem, role

W3C = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def test_trace_ids_are_passed_to_the_call(fetch, shop):
    sent = {
        "traceparent": W3C,
        "tracestate": "a=b",
        "b3": "0",
        "x-b3-traceid": "463ac35c9f6413ad",
        "x-user": "7",
        "x-other": "no",
    }
    for transport in ("ttheader", "header"):
        fetch("GET", "/orders/7", sent, transport=transport, protocol="binary", carry=["X-User"])
        result = {name: value for name, value in shop.headers[-1].items() if name in sent}
        assert result == {name: value for name, value in sent.items() if name != "x-other"}
    assert fetch("GET", "/orders/7", sent, transport="framed", protocol="binary").status == 200
    assert not shop.headers[-1]


@pytest.mark.parametrize("name,value", [
    ("traceparent", W3C.upper()), ("traceparent", W3C + "-x\x01"),
    ("traceparent", W3C.replace("4bf92f3577b34da6a3ce929d0e0e4736", "0" * 32)), ("b3", "x"),
    ("x-b3-traceid", "a\x00b"), ("tracestate", "a=b"),
])  # fmt: skip
def test_invalid_trace_ids_are_dropped(fetch, shop, name, value):
    result = fetch("GET", "/orders/7", {name: value}, transport="ttheader", protocol="binary")
    assert result.status == 200
    assert name not in shop.headers[-1]


def test_line_breaks_in_headers_are_rejected(fetch):
    answer = fetch("GET", "/orders/700")
    problem(answer, 502, "broken_rule")
    assert not any("evil" in value or name == "set-cookie" for name, value in answer.pairs)


def test_the_access_log(fetch, caplog):
    with caplog.at_level(logging.INFO, "thriftlens.access"):
        fetch(
            "GET",
            "/orders/7?token=secret",
            {"traceparent": W3C, "x-role": "clerk"},
            roles=role,
            policies=POLICIES,
        )
        fetch("GET", '/nothing"\n{"a')
    first, second = [
        json.loads(record.message)
        for record in caplog.records
        if record.name == "thriftlens.access"
    ]
    assert first.pop("time")[10] == "T" and first.pop("ms") >= 0 and first.pop("bytes") > 0
    assert first == {
        "client": "127.0.0.1",
        "method": "GET",
        "path": "/orders/7",
        "status": 200,
        "function": "Shop.get",
        "role": "clerk",
        "trace": W3C[3:35],
    }
    assert second["status"] == 404 and second["code"] == "not_found"
