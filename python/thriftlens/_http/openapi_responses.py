"""The responses of a function in an OpenAPI document."""

from __future__ import annotations

from typing import Optional

from .._schema.services import Function
from .._schema.types import Field, Type
from .._typing import JsonObject, JsonValue
from .openapi_types import STRUCTS, Components, has_raw_body, is_hidden, key_of, reference

_PROBLEM = "application/problem+json"
_PROBLEM_PROPERTIES: JsonObject = {
    "type": {"type": "string"},
    "title": {"type": "string"},
    "status": {"type": "integer"},
    "detail": {"type": "string"},
    "code": {"type": "string", "description": "Stable error code."},
    "path": {"type": "string", "description": "Path of the fault in the request or the reply."},
    "offset": {"type": "integer", "description": "Offset of the first byte at fault."},
    "exception": {"type": "string", "description": "Name of a declared exception."},
    "fields": {"type": "object", "description": "Fields of a declared exception."},
}


def _problem_schema(properties: JsonObject) -> JsonObject:
    return {
        "type": "object",
        "description": "An error (RFC 9457).",
        "properties": {**_PROBLEM_PROPERTIES, **properties},
        "required": ["title", "status", "code"],
    }


PROBLEM_SCHEMA = _problem_schema({})
_PROBLEM_CONTENT: JsonObject = {_PROBLEM: {"schema": reference("Problem")}}
RESPONSES: JsonObject = {"Problem": {"description": "An error.", "content": _PROBLEM_CONTENT}}

_JSON = "application/json"
BYTES_SCHEMA: JsonObject = {
    "type": "string",
    "format": "binary",
    "contentMediaType": "application/octet-stream",
}
"""`format` is OpenAPI 3.0's mark of a file; many tools still expect it."""
_NOT_IN_BODY = ("api.header", "api.cookie", "api.http_code", "api.raw_body")
_ERRORS = {
    "400": "The request is invalid.",
    "502": "The upstream failed.",
    "504": "The upstream timed out.",
}


class Responses:
    """The results and exceptions of one function, and the errors of the gateway."""

    def __init__(self, components: Components, function: Function):
        self._components = components
        self._function = function

    def build(self) -> JsonObject:
        """The responses by status."""
        responses = {**self._results(), **self._exceptions()}
        for status, description in _ERRORS.items():
            responses.setdefault(status, {"description": description, "content": _PROBLEM_CONTENT})
        responses.setdefault("default", {"$ref": "#/components/responses/Problem"})
        return responses

    def _results(self) -> JsonObject:
        function = self._function
        if function.oneway:
            return {"202": {"description": "The call was sent; oneway calls have no result."}}
        if function.returns is None:
            return {"204": {"description": "The call succeeded."}}
        response = self._result(function.returns)
        return {status: response for status in _statuses(function.returns)}

    def _result(self, type: Type) -> JsonObject:
        response = {"description": type.doc or "The result.", **self._headers(type)}
        if has_raw_body(type):
            content: JsonObject = {
                "application/octet-stream": {"schema": BYTES_SCHEMA},
                "*/*": {"schema": {}},
            }
        else:
            content = {_JSON: {"schema": self._body_schema(type)}}
        return {**response, "content": content}

    def _exceptions(self) -> JsonObject:
        thrown: dict[str, list[Type]] = {}
        for field in self._function.result.fields.values():
            if field.id != 0:
                thrown.setdefault(_thrown_status(field.type), []).append(field.type)
        return {status: self._thrown(status, types) for status, types in thrown.items()}

    def _thrown(self, status: str, types: list[Type]) -> JsonObject:
        names = ", ".join(type.name for type in types)
        docs = " ".join(type.doc for type in types if type.doc)
        content: JsonObject = {}
        headers: JsonObject = {}
        if status == "500" and not any("api.http_code" in type.annotations for type in types):
            content[_PROBLEM] = {"schema": _any_of([self._problem(type) for type in types])}
        else:
            content[_JSON] = {"schema": _any_of([self._body_schema(type) for type in types])}
            headers = self._headers(types[0])
            if status in _ERRORS or status == "default":
                content.update(_PROBLEM_CONTENT)
        return {"description": f"{names}. {docs}".strip(), **headers, "content": content}

    def _problem(self, type: Type) -> JsonObject:
        name = type.name.rpartition(".")[2]
        schema = _problem_schema({"exception": {"const": name}, "fields": self._body_schema(type)})
        return self._components.add(f"{name}_problem", schema)

    def _headers(self, type: Type) -> JsonObject:
        """The member `headers` of a response; empty without headers."""
        if type.kind not in STRUCTS:
            return {}
        headers: JsonObject = {
            name: {"schema": self._components.field(field)}
            for name, field in _annotated(type, "api.header").items()
            if name.lower() != "content-type"
        }
        cookies = _annotated(type, "api.cookie")
        if cookies:
            headers["Set-Cookie"] = {
                "schema": {"type": "string"},
                "description": f"Cookies: {', '.join(cookies)}.",
            }
        return {"headers": headers} if headers else {}

    def _body_schema(self, type: Type) -> JsonObject:
        """Schema of a response body, which omits the fields of status, headers and cookies."""
        if type.kind not in STRUCTS:
            return self._components.schema_of(type)
        fields = [field for field in type.fields.values() if not is_hidden(field)]
        rows = [(key_of(field), field) for field in fields if _is_in_body(field)]
        if len(rows) == len(fields):
            return self._components.schema_of(type)
        return self._components.add(f"{type.name}_answer", self._components.object(rows, type.doc))


def _any_of(schemas: list[JsonValue]) -> JsonValue:
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def _annotated(type: Type, annotation: str) -> dict[str, Field]:
    """The fields with an annotation, by its value."""
    return {
        field.annotations[annotation]: field
        for field in type.fields.values()
        if annotation in field.annotations
    }


def _status_field(type: Type) -> Optional[Field]:
    if type.kind not in STRUCTS:
        return None
    return next(iter(_annotated(type, "api.http_code").values()), None)


def _statuses(type: Type) -> list[str]:
    """200, or the default of the status field; any status if that has no default."""
    field = _status_field(type)
    if field is None:
        return ["200"]
    return [str(field.default)] if field.has_default else ["200", "2XX"]


def _thrown_status(type: Type) -> str:
    """Status of the declaration, or the default of the status field; "default" if that field has
    none."""
    text = type.annotations.get("api.http_code", "")
    if text.isdecimal():
        return text
    field = _status_field(type)
    if field is None:
        return "500"
    return str(field.default) if field.has_default else "default"


def _is_in_body(field: Field) -> bool:
    is_elsewhere = any(annotation in field.annotations for annotation in _NOT_IN_BODY)
    return not is_elsewhere and field.type.name != "base.BaseResp"
