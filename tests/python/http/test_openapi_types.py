"""JSON Schemas of IDL types."""

import pytest
from openapi_documents import schema_of

validators = pytest.importorskip("openapi_schema_validator")


@pytest.mark.parametrize("type,expected", [
    ("bool", {"type": "boolean"}), ("i8", {"type": "integer", "minimum": -128, "maximum": 127}),
    ("i16", {"type": "integer", "minimum": -32768, "maximum": 32767}),
    ("i32", {"type": "integer", "format": "int32"}),
    ("i64", {"type": "integer", "format": "int64"}),
    ("double", {"type": "number", "format": "double"}),
    ("string", {"type": "string"}), ("binary", {"type": "string", "contentEncoding": "base64"}),
    ("uuid", {"type": "string", "format": "uuid"}),
    ("list<i32>", {"type": "array", "items": {"type": "integer", "format": "int32"}}),
    ("set<bool>", {"type": "array", "items": {"type": "boolean"}, "uniqueItems": True}),
    ("map<string, bool>", {"type": "object", "additionalProperties": {"type": "boolean"}}),
    ("map<i32, bool>",
    {"type": "object", "additionalProperties": {"type": "boolean"},
    "propertyNames": {"pattern": "^-?[0-9]+$"}, "examples": [{"1": True}]}),
    ("map<bool, i64>", {
        "type": "object", "additionalProperties": {"type": "integer", "format": "int64"},
        "propertyNames": {"pattern": "^(true|false)$"}, "examples": [{"true": 1}],
    }),
    ("K", {"$ref": "#/components/schemas/K"}), ("U", {"$ref": "#/components/schemas/U"}),
    ("list<R>", {"type": "array", "items": {"$ref": "#/components/schemas/R"}}),
])  # fmt: skip
def test_types(type, expected):
    schema, _ = schema_of(f"1: {type} a")
    assert schema == {"type": "object", "properties": {"a": expected}}


def test_enums_and_unions():
    _, schemas = schema_of("1: K k, 2: U u")
    assert schemas["K"]["enum"] == [1, -2] and schemas["K"]["x-enum-varnames"] == ["A", "B"]
    assert "1: A" in schemas["K"]["description"]
    assert [choice["required"] for choice in schemas["U"]["oneOf"]] == [["a"], ["b"]]
    assert [choice["title"] for choice in schemas["U"]["oneOf"]] == ["U_a", "U_b"]


@pytest.mark.parametrize("type,options,example", [
    ("map<K, string>", {}, {"1": "text"}), ("map<i64, R>", {}, {}),
    ("map<i64, i64>", {"int64": "string"}, {"1": "1"}), ("map<i8, list<bool>>", {}, {}),
])  # fmt: skip
def test_examples_of_maps_fit_the_schema(type, options, example):
    schema, schemas = schema_of(f"1: {type} a", **options)
    map_ = schema["properties"]["a"]
    assert map_["examples"] == [example]
    validators.OAS31Validator({**map_, "components": {"schemas": schemas}}).validate(example)


@pytest.mark.parametrize("field,expected", [
    ("i32 a = 5", 5), ("string a = 'x'", "x"), ("K a = K.B", -2), ("list<i32> a = [1]", [1]),
    ("map<i32, string> a = {1: 'x'}", {"1": "x"}),
    ("bool a = true", True), ("U a = {'a': 1}", {"a": 1}), ("binary a = 'hi'", "aGk="),
    ("set<i32> a = [1]", [1]),
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
    assert "gone" not in schema["properties"] and schema["properties"]["text"]["type"] == "string"
    assert schema["properties"]["old"]["deprecated"] is True
    assert schema_of("1: i64 a", int64="string")[0]["properties"]["a"]["type"] == "string"
