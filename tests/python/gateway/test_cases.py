"""The measured cases of dynamicgo, as requests to a running gateway: the server behind it gets what the plan alone gives, and what the plan refuses is 400."""

import asyncio
import base64
import json
import os
import re
from pathlib import Path

import pytest

import thriftlens as tl

SHARED = Path(os.environ.get("THRIFTLENS_SHARED") or Path(__file__).resolve().parents[4] / "shared")
CASES = sorted((SHARED / "http-mapping" / "cases").glob("*.json"))
pytestmark = pytest.mark.skipif(not CASES, reason="needs THRIFTLENS_SHARED with http-mapping")


def loaded(case):
    """The function of a case, with a route for all where it has none; None where its IDL is meant to be refused."""
    call = re.compile(rf"(\b{case['function']}\s*\([^)]*\))(?!\s*(\(|throws))")
    try:
        idl = tl.loads(call.sub(r'\1 (api.any = "/*rest")', case["idl"]), includes=case.get("includes") or {})
    except tl.SchemaError:
        return None
    for service in idl.services.values():
        if case.get("function") in service.functions:
            return idl, service, service.functions[case["function"]]
    return None


async def compare(ask, case, idl, service, function):
    """Whether the case could be compared: its path must be one of a route."""
    request = case["request"]
    options = {"dynamicgo": case.get("options") or {}}
    try:
        plan = tl.http.plan(function, **options)
    except (TypeError, ValueError):
        return False
    if plan.faults or case.get("context_base"):
        return False
    got = []

    def handler(name, arguments, context):
        got.append(bytes(arguments))
        raise tl.ApplicationError("enough")

    async with await tl.aio.serve(idl, service.name, handler, threads=0, arguments="view") as server:
        try:
            app = tl.gateway(idl, service.name, upstream=server.address, transport="framed", protocol="binary", plan=options, fields=None, pages=None)
        except tl.Error:
            return False  # routes that clash, or contradictions in another function
        try:
            return await sent(ask, app, case["function"], request, plan, got)
        finally:
            await app.close()


async def sent(ask, app, name, request, plan, got):
    url = request["url"] if "://" not in request["url"] else "/" + request["url"].split("://", 1)[1].partition("/")[2]
    path = url.partition("?")[0]
    match = app._table.router.find(request["method"], path)
    if match.target is None or match.target[0].function.name != name:
        return False
    pairs = [tuple(each) for each in request.get("headers") or []]
    if request.get("cookies"):
        pairs.append(("Cookie", "; ".join(f"{key}={value}" for key, value in request["cookies"])))
    body = base64.b64decode(request.get("body") or "")
    headers = [(key.encode(), value.encode()) for key, value in pairs]
    try:
        expected = plan.request(method=request["method"], url=url, headers=headers, path_params=match.path_params, body=body)
    except tl.Error as error:
        expected = error
    lower = [(key.lower(), value) for key, value in headers]
    answer = await ask(app, request["method"], url, (), body, scope={"headers": [*lower, *([(b"content-length", b"%d" % len(body))] if body else [])]})
    if isinstance(expected, Exception):
        assert (answer.status, answer.json()["code"], got) == (400, expected.code, [])
    else:
        assert (answer.status, answer.json()["detail"], got) == (502, "enough", [expected])
    return True


def test_all_cases(ask):
    async def main():
        compared = 0
        for file in CASES:
            case = json.loads(file.read_text())
            if case["direction"] != "request" or (found := loaded(case)) is None:
                continue
            try:
                compared += await compare(ask, case, *found)
            except AssertionError as error:
                raise AssertionError(f"{case.get('case', file.stem)}: {error}") from error
        return compared

    assert asyncio.run(main()) > 250
