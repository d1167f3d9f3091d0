"""The operation of a function in an OpenAPI document."""

from __future__ import annotations

import re
from typing import Any, Iterable, Mapping, Optional

from .._schema.services import Function
from .._schema.types import Field, Type
from .openapi_types import Components, has_raw_body, is_hidden, key_of, reference, struct_of
from .plan import Plan

_PROBLEM = "application/problem+json"
PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "An error (RFC 9457).",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "description": "Stable error code."},
        "path": {"type": "string", "description": "Path of the fault in the request or the reply."},
        "offset": {"type": "integer", "description": "Offset of the first byte at fault."},
        "exception": {"type": "string", "description": "Name of a declared exception."},
        "fields": {"type": "object", "description": "Fields of a declared exception."},
    },
    "required": ["title", "status", "code"],
}
RESPONSES: dict[str, Any] = {
    "Problem": {"description": "An error.", "content": {_PROBLEM: {"schema": reference("Problem")}}}
}

_WITHOUT_BODY = ("get", "head", "trace")
_PARAMETERS = {"path": "path", "query": "query", "header": "header", "cookie": "cookie"}
_IGNORED = ("accept", "content-type", "authorization")
_COMPOSITE = ("list", "set", "map", "struct", "union")
_NOT_IN_BODY = ("api.header", "api.cookie", "api.http_code", "api.raw_body")
_LIST_STYLES: dict[str, tuple[str, bool]] = {
    "query": ("form", True),
    "header": ("simple", False),
    "path": ("simple", False),
    "cookie": ("form", False),
}
"""OpenAPI's style and explode of a list of scalars in the form that Plan.request reads."""
_JSON = "application/json"
_FORM = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"
_BYTES: dict[str, Any] = {
    "type": "string",
    "format": "binary",
    "contentMediaType": "application/octet-stream",
}
"""`format` is OpenAPI 3.0's mark of a file; many tools still expect it."""


class Operation:
    """One function: its parameters, bodies and responses."""

    def __init__(
        self,
        components: Components,
        function: Function,
        plan: Plan,
        renamed: Mapping[str, str],
    ):
        self._components = components
        self._function = function
        self._renamed = renamed
        self._root: Type = struct_of(function.arguments) or function.arguments
        self._sources = plan.sources
        self._locations = {source.field: source.places for source in plan.sources}

    def build(self, verb: str, name: str, fields: Optional[str]) -> dict[str, Any]:
        function = self._function
        parameters = self._parameters(fields)
        summary = _first_sentence(function.doc)
        operation: dict[str, Any] = {
            "tags": [name.rpartition(".")[0]],
            "summary": summary.rstrip(".") or function.name,
        }
        if summary != function.doc:
            operation["description"] = function.doc
        if "deprecated" in function.annotations:
            operation["deprecated"] = True
        if parameters:
            operation["parameters"] = parameters
        body = self._body(verb, name)
        if body:
            operation["requestBody"] = body
        return {**operation, "responses": self._responses(name)}

    # ---- requests

    def _field_at(self, path: str) -> Optional[Field]:
        type, field = self._root, None
        for step in path.split("."):
            field = type.fields.get(step)
            if field is None:
                return None
            type = field.type
        return field

    def _parameters(self, fields: Optional[str]) -> list[dict[str, Any]]:
        parameters: list[dict[str, Any]] = []
        seen: set[tuple[str, str]] = set()
        for source in self._sources:
            field = self._field_at(source.field)
            for part, key in source.places:
                location = _PARAMETERS.get(part)
                if (
                    location is None
                    or field is None
                    or (location == "header" and key.lower() in _IGNORED)
                ):
                    continue
                name = self._renamed.get(key) if location == "path" else key
                if name is None or (location, name.lower()) in seen:
                    continue
                seen.add((location, name.lower()))
                parameters.append(self._parameter(location, name, field, len(source.places) == 1))
        for name in self._renamed.values():
            if ("path", name.lower()) not in seen:
                parameters.append(
                    {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                )
        if (
            fields
            and self._function.returns is not None
            and ("query", fields) not in seen
            and _has_fields(self._function.returns)
        ):
            description = "Fields to include in the response: a selection `{id user{name}}` or paths `id,user.name`."
            parameters.append(
                {
                    "name": fields,
                    "in": "query",
                    "schema": {"type": "string"},
                    "description": description,
                }
            )
        return parameters

    def _parameter(self, location: str, name: str, field: Field, is_only: bool) -> dict[str, Any]:
        schema = self._components.field(field)
        parameter: dict[str, Any] = {"name": name, "in": location}
        if "description" in schema:
            parameter["description"] = schema.pop("description")
        if location == "path" or (field.requiredness == "required" and is_only):
            parameter["required"] = True
        is_list = field.type.kind in ("list", "set")
        if is_list and field.type.parameters[-1].kind not in _COMPOSITE:
            style, explode = _LIST_STYLES[location]
            parameter.update(style=style, explode=explode)
        elif field.type.kind in _COMPOSITE:
            return {**parameter, "content": {_JSON: {"schema": schema}}}
        return {**parameter, "schema": schema}

    def _body(self, verb: str, name: str) -> Optional[dict[str, Any]]:
        rows = [
            (key, field) for field in self._root.fields.values() for key in self._body_keys(field)
        ]
        forms = [
            (key, field)
            for field in self._root.fields.values()
            for part, key in self._locations.get(field.name, [])
            if part == "form"
        ]
        raw = any(part == "raw_body" for sources in self._locations.values() for part, _ in sources)
        is_needed = any(field.requiredness == "required" for _, field in rows) or any(
            self._is_needed_in_form(field) for _, field in forms
        )
        if verb in _WITHOUT_BODY and not is_needed:
            return None
        content: dict[str, Any] = {}
        stem = name.replace(".", "_")
        if rows:
            content[_JSON] = {
                "schema": self._components.add(f"{stem}_body", self._components.object(rows))
            }
        if forms:
            content.update(self._forms(stem, forms))
        if raw:
            content["application/octet-stream"] = {"schema": _BYTES}
        if not content:
            return None
        return {"content": content, **({"required": True} if is_needed else {})}

    def _is_needed_in_form(self, field: Field) -> bool:
        return field.requiredness == "required" and all(
            part in ("form", "body") for part, _ in self._locations[field.name]
        )

    def _forms(self, stem: str, fields: list[tuple[str, Field]]) -> dict[str, Any]:
        """Multipart if a field is a file, else urlencoded.

        Never both: client generators would create a type for each."""
        files = [key for key, field in fields if field.type.kind == "binary"]
        derived = [
            f"{key}.{suffix}" for key, _ in fields for suffix in ("filename", "content_type")
        ]
        rows = [(key, field) for key, field in fields if key not in derived]
        encoded = self._components.object(rows)
        schema = {
            **encoded,
            "properties": {
                key: _file(property) if key in files else property
                for key, property in encoded["properties"].items()
            },
        }
        return {
            _MULTIPART if files else _FORM: {"schema": self._components.add(f"{stem}_form", schema)}
        }

    def _body_keys(self, field: Field) -> Iterable[str]:
        """The JSON keys of a field of the root."""
        if "dynamicgo.deprecated" in field.annotations or "api.no_body_struct" in field.annotations:
            return []
        locations = self._locations.get(field.name)
        if locations is None:
            return [field.alias]
        return [key for part, key in locations if part == "body"]

    # ---- answers

    def _responses(self, name: str) -> dict[str, Any]:
        function = self._function
        responses: dict[str, Any] = {}
        if function.oneway:
            responses["202"] = {"description": "The call was sent; oneway calls have no result."}
        elif function.returns is None:
            responses["204"] = {"description": "The call succeeded."}
        else:
            responses.update(
                dict.fromkeys(
                    self._statuses(function.returns),
                    self._response(function.returns, "The result."),
                )
            )
        thrown: dict[str, list[Type]] = {}
        for field in function.result.fields.values():
            if field.id != 0:
                thrown.setdefault(_thrown_status(field.type), []).append(field.type)
        for status, types in thrown.items():
            responses[status] = self._thrown(status, types)
        for status, description in (
            ("400", "The request is invalid."),
            ("502", "The upstream failed."),
            ("504", "The upstream timed out."),
        ):
            responses.setdefault(
                status, {"description": description, "content": RESPONSES["Problem"]["content"]}
            )
        responses.setdefault("default", {"$ref": "#/components/responses/Problem"})
        return responses

    def _statuses(self, type: Type) -> list[str]:
        """200, or the default of the status field; any status if that has no default."""
        field = _status_field(type)
        if field is None:
            return ["200"]
        return [str(field.default)] if field.has_default else ["200", "2XX"]

    def _thrown(self, status: str, types: list[Type]) -> dict[str, Any]:
        names = ", ".join(type.name for type in types)
        docs = " ".join(type.doc for type in types if type.doc)
        description = f"{names}. {docs}".strip()
        if status == "500" and not any("api.http_code" in type.annotations for type in types):
            return {
                "description": description,
                "content": {_PROBLEM: {"schema": self._problems(types)}},
            }
        schemas = [self._answer_schema(type) for type in types]
        content = {_JSON: {"schema": schemas[0] if len(schemas) == 1 else {"anyOf": schemas}}}
        if status in ("400", "502", "504", "default"):
            content[_PROBLEM] = {"schema": reference("Problem")}
        headers = self._headers(types[0])
        return {
            "description": description,
            **({"headers": headers} if headers else {}),
            "content": content,
        }

    def _problems(self, types: list[Type]) -> dict[str, Any]:
        schemas = []
        for type in types:
            extra = {
                "exception": {"const": type.name.rpartition(".")[2]},
                "fields": self._answer_schema(type),
            }
            schema = {**PROBLEM_SCHEMA, "properties": {**PROBLEM_SCHEMA["properties"], **extra}}
            schemas.append(self._components.add(f"{type.name.rpartition('.')[2]}_problem", schema))
        return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}

    def _response(self, type: Type, description: str) -> dict[str, Any]:
        response: dict[str, Any] = {"description": type.doc or description}
        headers = self._headers(type)
        if headers:
            response["headers"] = headers
        if has_raw_body(type):
            return {
                **response,
                "content": {"application/octet-stream": {"schema": _BYTES}, "*/*": {"schema": {}}},
            }
        return {**response, "content": {_JSON: {"schema": self._answer_schema(type)}}}

    def _headers(self, type: Type) -> dict[str, Any]:
        if type.kind not in ("struct", "exception"):
            return {}
        header_fields = {
            field.annotations["api.header"]: field
            for field in type.fields.values()
            if "api.header" in field.annotations
        }
        headers: dict[str, Any] = {
            name: {"schema": self._components.field(field)}
            for name, field in header_fields.items()
            if name.lower() != "content-type"
        }
        cookies = [
            field.annotations["api.cookie"]
            for field in type.fields.values()
            if "api.cookie" in field.annotations
        ]
        if cookies:
            headers["Set-Cookie"] = {
                "schema": {"type": "string"},
                "description": f"Cookies: {', '.join(cookies)}.",
            }
        return headers

    def _answer_schema(self, type: Type) -> dict[str, Any]:
        """Schema of a response body, which omits the fields of status, headers and cookies."""
        if type.kind not in ("struct", "exception"):
            return self._components.schema_of(type)
        fields = [field for field in type.fields.values() if not is_hidden(field)]
        rows = [
            (key_of(field), field)
            for field in fields
            if not any(annotation in field.annotations for annotation in _NOT_IN_BODY)
            and not _is_base(field)
        ]
        if len(rows) == len(fields):
            return self._components.schema_of(type)
        return self._components.add(f"{type.name}_answer", self._components.object(rows, type.doc))


def _status_field(type: Type) -> Optional[Field]:
    if type.kind not in ("struct", "exception"):
        return None
    return next(
        (field for field in type.fields.values() if "api.http_code" in field.annotations), None
    )


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


def _first_sentence(doc: str) -> str:
    text = " ".join(doc.partition("\n\n")[0].split())
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]


def _file(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Schema of a binary field that is sent as a file, from its base64 schema."""
    return {**_BYTES, **({"description": schema["description"]} if "description" in schema else {})}


def _is_base(field: Field) -> bool:
    return field.type.name == "base.BaseResp"


def _has_fields(type: Type) -> bool:
    """Whether a selection can select fields of the type."""
    if has_raw_body(type):
        return False
    while type.kind in ("list", "set", "map"):
        type = type.parameters[-1]
    return type.kind in ("struct", "union")
