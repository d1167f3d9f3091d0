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


def document_of(text, **options):
    document = json.loads(json.dumps(tl.http.openapi(tl.loads(text), **options)))
    validate(document)
    return document


def schema_of(fields, **options):
    """The schema of a struct in an answer."""
    text = f'enum K {{ A = 1, B = -2 }} union U {{ 1: i32 a, 2: string b }} struct R {{ {fields} }} service S {{ R r() (api.get = "/r") }}'
    document = document_of(text, **options)
    return document["components"]["schemas"]["R"], document["components"]["schemas"]


@pytest.mark.parametrize("type,expected", [
    ("bool", {"type": "boolean"}), ("i8", {"type": "integer", "minimum": -128, "maximum": 127}), ("i16", {"type": "integer", "minimum": -32768, "maximum": 32767}),
    ("i32", {"type": "integer", "format": "int32"}), ("i64", {"type": "integer", "format": "int64"}), ("double", {"type": "number", "format": "double"}),
    ("string", {"type": "string"}), ("binary", {"type": "string", "contentEncoding": "base64"}), ("uuid", {"type": "string", "format": "uuid"}),
    ("list<i32>", {"type": "array", "items": {"type": "integer", "format": "int32"}}), ("set<bool>", {"type": "array", "items": {"type": "boolean"}, "uniqueItems": True}),
    ("map<string, bool>", {"type": "object", "additionalProperties": {"type": "boolean"}}),
    ("map<i32, bool>", {"type": "object", "additionalProperties": {"type": "boolean"}, "propertyNames": {"pattern": "^-?[0-9]+$"}, "examples": [{"1": True}]}),
    ("map<bool, i64>", {
        "type": "object", "additionalProperties": {"type": "integer", "format": "int64"}, "propertyNames": {"pattern": "^(true|false)$"}, "examples": [{"true": 1}],
    }),
    ("K", {"$ref": "#/components/schemas/K"}), ("U", {"$ref": "#/components/schemas/U"}), ("list<R>", {"type": "array", "items": {"$ref": "#/components/schemas/R"}}),
])  # fmt: skip
def test_types(type, expected):
    schema, _ = schema_of(f"1: {type} a")
    assert schema == {"type": "object", "properties": {"a": expected}}


def test_enums_and_unions():
    _, schemas = schema_of("1: K k, 2: U u")
    assert (
        schemas["K"]["enum"] == [1, -2]
        and schemas["K"]["x-enum-varnames"] == ["A", "B"]
        and "1: A" in schemas["K"]["description"]
    )
    assert [choice["required"] for choice in schemas["U"]["oneOf"]] == [["a"], ["b"]]
    assert [choice["title"] for choice in schemas["U"]["oneOf"]] == ["U_a", "U_b"]


@pytest.mark.parametrize("type,options,example", [
    ("map<K, string>", {}, {"1": "text"}), ("map<i64, R>", {}, {}), ("map<i64, i64>", {"int64": "string"}, {"1": "1"}), ("map<i8, list<bool>>", {}, {}),
])  # fmt: skip
def test_examples_of_maps_fit_the_schema(type, options, example):
    schema, schemas = schema_of(f"1: {type} a", **options)
    map_ = schema["properties"]["a"]
    assert map_["examples"] == [example]
    OAS31Validator({**map_, "components": {"schemas": schemas}}).validate(example)


@pytest.mark.parametrize("field,expected", [
    ("i32 a = 5", 5), ("string a = 'x'", "x"), ("K a = K.B", -2), ("list<i32> a = [1]", [1]), ("map<i32, string> a = {1: 'x'}", {"1": "x"}),
    ("bool a = true", True), ("U a = {'a': 1}", {"a": 1}), ("binary a = 'hi'", "aGk="), ("set<i32> a = [1]", [1]),
])  # fmt: skip
def test_defaults(field, expected):
    schema, schemas = schema_of(f"1: {field}")
    assert schema["properties"]["a"]["default"] == expected and "required" not in schema


def test_required_names_docs_and_hidden_fields():
    schema, _ = schema_of(
        '/** What. */ 1: required i32 a (api.key="alias"), 2: i32 gone (api.none=""), 3: i64 text '
        '(api.js_conv=""), 4: i32 old (deprecated="yes")'
    )
    assert schema["required"] == ["alias"] and schema["properties"]["alias"] == {
        "type": "integer",
        "format": "int32",
        "description": "What.",
    }
    assert (
        "gone" not in schema["properties"]
        and schema["properties"]["text"]["type"] == "string"
        and schema["properties"]["old"]["deprecated"] is True
    )
    assert schema_of("1: i64 a", int64="string")[0]["properties"]["a"]["type"] == "string"


def test_parameters_bodies_and_responses():
    document = document_of("""
        exception Gone { 1: string why } (api.http_code = "410")
        exception A { 1: string why } exception B { 1: i32 n }
        struct In { 1: required i64 id (api.path = "id"), 2: required string q (api.query = "q"), 3: list<i32> l (api.query = "l"), 4: string h (api.header = "X-H", api.cookie = "c"),
          5: string b (api.body = "b"), 6: string plain, 7: string f (api.form = "f"), 8: binary file (api.form = "file"), 9: string agent (api.header = "Accept") }
        struct Out { 1: i32 code = 201 (api.http_code = ""), 2: string e (api.header = "ETag"), 3: string x }
        /** The service. */
        service S { Out go(1: In req) throws (1: Gone gone, 2: A a, 3: B b) (api.post = "/x/:id/*rest", api.any = "/any/:id"), void v() (api.get = "/x/:other/*more") oneway void o() (api.put = "/o") }
    """, title="T", version="2", servers=["https://a"], fields="fields")  # fmt: skip
    assert document["info"] == {
        "title": "T",
        "version": "2",
        "description": "The service.",
    } and document["servers"] == [{"url": "https://a"}]
    assert set(document["paths"]) == {"/x/{id}/{rest}", "/any/{id}", "/o"} and set(
        document["paths"]["/x/{id}/{rest}"]
    ) == {"post", "get"}
    assert set(document["paths"]["/any/{id}"]) == {"get", "put", "post", "delete", "patch"}
    post = document["paths"]["/x/{id}/{rest}"]["post"]
    parameters = {
        (choice["in"], choice["name"]): choice.get("required", False)
        for choice in post["parameters"]
    }
    assert parameters == {
        ("path", "id"): True,
        ("query", "q"): True,
        ("query", "l"): False,
        ("header", "X-H"): False,
        ("cookie", "c"): False,
        ("path", "rest"): True,
        ("query", "fields"): False,
    }
    schemas, content = document["components"]["schemas"], post["requestBody"]["content"]
    assert set(content) == {"application/json", "multipart/form-data"}
    assert (
        set(schemas["S_go_body"]["properties"]) == {"b", "plain"}
        and schemas["S_go_form"]["properties"]["file"]["contentMediaType"]
        == "application/octet-stream"
    )
    assert (
        set(post["responses"]) == {"201", "410", "500", "400", "502", "504", "default"}
        and "ETag" in post["responses"]["201"]["headers"]
    )
    assert set(schemas["Out_answer"]["properties"]) == {"x"}
    assert [
        choice["$ref"][-9:]
        for choice in post["responses"]["500"]["content"]["application/problem+json"]["schema"][
            "anyOf"
        ]
    ] == ["A_problem", "B_problem"]
    assert (
        "204" in document["paths"]["/x/{id}/{rest}"]["get"]["responses"]
        and "202" in document["paths"]["/o"]["put"]["responses"]
    )
    assert post["summary"] == "go" and "description" not in post
    ids = [
        operation["operationId"]
        for path in document["paths"].values()
        for operation in path.values()
    ]
    assert len(set(ids)) == len(ids)


def test_the_first_sentence_of_a_comment_is_the_summary():
    document = document_of("""service S {
        /** One. */ void a() (api.get = "/a")
        /** Takes what
          * is there. Gives nothing. */ void b() (api.get = "/b")
    }""")
    assert (
        document["paths"]["/a"]["get"]["summary"] == "One"
        and "description" not in document["paths"]["/a"]["get"]
    )
    operation = document["paths"]["/b"]["get"]
    assert (operation["summary"], operation["description"]) == (
        "Takes what is there",
        "Takes what\nis there. Gives nothing.",
    )


def test_files_raw_bodies_and_cookies():
    document = document_of("""
        struct Up { 1: string title (api.form = "title"), /** An image. */ 2: required binary file (api.form = "file"), 3: string name (api.form = "file.filename"),
          4: string type (api.form = "file.content_type") }
        struct Raw { 1: binary data (api.raw_body = ""), 2: string kind (api.header = "Content-Type") }
        struct In { 1: string token (api.cookie = "tok"), 2: string id (api.cookie = "id"), 3: i32 n }
        service S { i32 up(1: Up up) (api.post = "/up"), Raw raw() (api.get = "/raw"), In in() (api.get = "/in") void log(1: string name (api.form = "name")) (api.post = "/log") }
    """, fields="fields")  # fmt: skip
    body, schemas = (
        document["paths"]["/up"]["post"]["requestBody"],
        document["components"]["schemas"],
    )
    assert body["required"] and list(body["content"]) == ["multipart/form-data"]
    file = {"type": "string", "format": "binary", "contentMediaType": "application/octet-stream"}
    assert schemas["S_up_form"]["properties"] == {
        "title": {"type": "string"},
        "file": {**file, "description": "An image."},
    }
    assert list(document["paths"]["/log"]["post"]["requestBody"]["content"]) == [
        "application/x-www-form-urlencoded"
    ]
    raw = document["paths"]["/raw"]["get"]
    assert (
        raw["responses"]["200"]["content"]
        == {"application/octet-stream": {"schema": file}, "*/*": {"schema": {}}}
        and "parameters" not in raw
    )
    assert (
        document["paths"]["/in"]["get"]["responses"]["200"]["headers"]["Set-Cookie"]["description"]
        == "Cookies: tok, id."
    )


def test_answers_of_a_gateway_are_what_the_document_says(ask, idl_file, upstream):
    """Every answer fits the schema that the document has for its status, and the schemas refuse
    what is changed."""
    requests = [
        ("GET", "/orders/7", None), ("GET", "/orders/404", None), ("GET", "/orders/500", None), ("GET", "/orders/x", None), ("GET", "/orders?size=3", None),
        ("POST", "/orders", {"id": 5, "payment": {"invoice": 3}, "prices": {"1": 2}}), ("DELETE", "/orders/404", None), ("GET", "/orders/600", None),
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
            {},
            {"id": "x"},
            {"id": 1, "status": 9},
            {"id": 1, "prices": {"a": 1}},
            {"id": 1, "payment": {"card": "a", "invoice": 1}},
            {"id": 1, "marks": [1, 1]},
        ):
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
