"""Options of dynamicgo, and its answers if the sample folder is present."""

import base64
import json
import os
from pathlib import Path

import pytest
import thriftlens as tl
from http_plans import read, root

ROOT = Path(__file__).parents[3]
# fmt: off
OPTIONS = [
    ("EnableValueMapping", '1: i64 a (api.js_conv="")', {"body": '{"a":"5"}'}, {"a": 5}),
    ("String2Int64", "1: i32 a, 2: double b", {"body": '{"a":"","b":"1.5"}'}, {"a": 0, "b": 1.5}),
    ("NoBase64Binary", '1: binary a (api.query="q"), 2: binary b', {"url": "/?q=hi",
        "body": '{"b":"yo"}'}, {"a": b"hi", "b": b"yo"}),
    ("WriteRequireField", '1: required i32 a (api.query="q"), 2: required string b', {}, {"a": 0,
        "b": ""}),
    ("WriteDefaultField", "1: i32 a, 2: optional i32 b, 3: list<i32> c", {}, {"a": 0, "c": []}),
    ("WriteOptionalField", '1: optional i32 a (api.query="q"), 2: optional i32 b', {}, {"a": 0}),
    ("ReadHttpValueFallback", '1: i32 a (api.query="q")', {"body": '{"a":3}'}, {"a": 3}),
    ("TracebackRequredOrRootFields", "1: i32 a", {"url": "/?a=4", "body": "{}"}, {"a": 4}),
    ("ApiBodyFastPath", '1: i32 a (api.body="k")', {"body": '{"k":4}'}, {"a": 4}),
    ("InitAGWAnnos", '1: i32 fooBar (agw.source="query", agw.to_snake="")', {"url": "/?foo_bar=4"},
        {"fooBar": 4}),
    ("NoHttpMapping", '1: i32 a (api.query="q")', {"url": "/?q=4", "body": '{"a":5}'}, {"a": 5}),
]
# fmt: on


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
        match="unknown option 'ReadHttpValueFallbak'; did you mean 'ReadHttpValueFallback'",
    ):
        tl.http.plan(of, dynamicgo={"ReadHttpValueFallbak": True})
    with pytest.raises(TypeError, match="must be True or False"):
        tl.http.plan(of, dynamicgo={"String2Int64": "yes"})
    with pytest.raises(ValueError, match="MapFieldWay must be one of"):
        tl.http.plan(of, dynamicgo={"MapFieldWay": "names"})
    with pytest.raises(ValueError, match="it writes i64 for an enum"):
        tl.http.plan(of, dynamicgo={"ParseEnumAsInt64": True})
    with pytest.raises(TypeError, match="fallback"):
        tl.http.plan(of, fallbak="on")
    with pytest.raises(ValueError, match="on"):
        tl.http.plan(of, fallback="yes")
    with pytest.raises(ValueError, match="protocol must be"):
        tl.http.plan(of, protocol="json")
    with pytest.raises(TypeError, match="Type or Function"):
        tl.http.plan("Root")


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
def test_an_unrequested_base_resp():
    case = json.loads((SHARED / "rs-base-noctx.json").read_text(encoding="utf-8"))
    of = tl.loads(case["idl"], includes=case["includes"])[case["struct"]]
    assert same_answer(case, tl.http.plan(of, base="off"))
