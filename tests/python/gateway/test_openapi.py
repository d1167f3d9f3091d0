"""OpenAPI documents: valid, true of what the gateway answers, and good for a generated client."""

import asyncio
import json
import os
from pathlib import Path

import pytest
import thriftlens as tl

pytest.importorskip("openapi_spec_validator")
from openapi_schema_validator import OAS31Validator  # noqa: E402
from openapi_spec_validator import validate  # noqa: E402

SHARED = Path(os.environ.get("THRIFTLENS_SHARED") or Path(__file__).resolve().parents[4] / "shared")
CASES = sorted((SHARED / "http-mapping" / "cases").glob("*.json"))


def test_responses_of_a_gateway_match_the_document(ask, idl_file, upstream):
    """Every answer fits the schema that the document has for its status, and the schemas refuse
    what is changed."""
    requests = [
        ("GET", "/orders/7", None), ("GET", "/orders/404", None), ("GET", "/orders/500", None),
        ("GET", "/orders/x", None), ("GET", "/orders?size=3", None),
        ("POST", "/orders", {"id": 5, "payment": {"invoice": 3}, "prices": {"1": 2}}),
        ("DELETE", "/orders/404", None), ("GET", "/orders/600", None),
    ]  # fmt: skip

    async def main():
        app = tl.gateway(idl_file, upstream=upstream)
        document = (await ask(app, "GET", "/openapi.json")).json()
        validate(document)
        for method, target, body in requests:
            answer = await ask(
                app,
                method,
                target,
                {"content-type": "application/json"},
                b"" if body is None else json.dumps(body).encode(),
            )
            path = "/orders/{id}" if target.startswith("/orders/") else "/orders"
            responses = document["paths"][path][method.lower()]["responses"]
            description = (
                responses.get(str(answer.status))
                or responses.get(f"{answer.status // 100}XX")
                or document["components"]["responses"]["Problem"]
            )
            schema = {
                **description["content"][answer.headers["content-type"]]["schema"],
                "components": document["components"],
            }
            OAS31Validator(schema).validate(answer.json())
        order = {"$ref": "#/components/schemas/Order_answer", "components": document["components"]}
        for wrong in (
            {}, {"id": "x"}, {"id": 1, "status": 9}, {"id": 1, "prices": {"a": 1}},
            {"id": 1, "payment": {"card": "a", "invoice": 1}}, {"id": 1, "marks": [1, 1]},
        ):  # fmt: skip
            assert not OAS31Validator(order).is_valid(wrong), wrong
        await app.close()

    asyncio.run(main())


@pytest.mark.skipif(not CASES, reason="needs THRIFTLENS_SHARED with http-mapping")
def test_documents_of_all_cases_are_valid():
    count = 0
    for file in CASES[::4]:
        case = json.loads(file.read_text())
        try:
            idl = tl.loads(case["idl"], includes=case.get("includes") or {})
        except tl.SchemaError:
            continue
        if idl.services:
            validate(tl.http.openapi(idl))
            count += 1
    assert count > 50
