"""Responses: results, declared exceptions, errors of the gateway."""

from openapi_documents import document_of


def responses_of(function, types=""):
    document = document_of(f"{types} service S {{ {function} (api.get = '/f') }}")
    return document["paths"]["/f"]["get"]["responses"], document["components"]["schemas"]


def test_every_function_can_fail():
    responses, _ = responses_of("void f()")
    assert list(responses) == ["204", "400", "502", "504", "default"]
    assert responses["default"] == {"$ref": "#/components/responses/Problem"}
    assert "application/problem+json" in responses["502"]["content"]


def test_a_status_without_a_default_can_be_any():
    responses, _ = responses_of("A f()", "struct A { 1: i32 code (api.http_code = '') }")
    assert {"200", "2XX"} <= set(responses) and responses["200"] == responses["2XX"]


def test_exceptions_of_one_status_are_alternatives():
    types = """
        exception A { 1: string why } (api.http_code = "409")
        exception B { 1: i32 n (api.header = "X-N"), 2: string text } (api.http_code = "409")
    """
    responses, schemas = responses_of("i32 f() throws (1: A a, 2: B b)", types)
    references = responses["409"]["content"]["application/json"]["schema"]["anyOf"]
    assert [reference["$ref"].rpartition("/")[2] for reference in references] == ["A", "B_answer"]
    assert set(schemas["B_answer"]["properties"]) == {"text"}
    assert responses["409"]["description"] == "A, B."


def test_an_exception_without_a_status_is_a_problem():
    responses, schemas = responses_of("i32 f() throws (1: A a)", "exception A { 1: string why }")
    assert list(responses["500"]["content"]) == ["application/problem+json"]
    assert schemas["A_problem"]["properties"]["exception"] == {"const": "A"}
    assert schemas["A_problem"]["required"] == ["title", "status", "code"]
