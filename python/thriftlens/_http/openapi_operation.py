"""The operation of a function in an OpenAPI document."""

from __future__ import annotations

import re
from typing import Iterable, Iterator, Mapping, Optional

from .._schema.services import Function
from .._schema.types import Field, Type
from .._typing import JsonObject, JsonValue
from .openapi_responses import BYTES_SCHEMA, Responses
from .openapi_types import Components, has_raw_body, struct_of
from .plan import Plan, Source

_WITHOUT_BODY = ("get", "head", "trace")
_IGNORED = ("accept", "content-type", "authorization")
_COMPOSITE = ("list", "set", "map", "struct", "union")
_LIST_STYLES: dict[str, tuple[str, bool]] = {
    "query": ("form", True),
    "header": ("simple", False),
    "path": ("simple", False),
    "cookie": ("form", False),
}
"""OpenAPI's style and explode of a list of scalars in the form that Plan.request reads, by the
location of a parameter."""
_JSON = "application/json"
_FORM = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"
Rows = list[tuple[str, Field]]


class Operation:
    """One function: its parameters, bodies and responses."""

    def __init__(
        self, components: Components, function: Function, plan: Plan, renamed: Mapping[str, str]
    ):
        self._components = components
        self._function = function
        self._renamed = renamed
        self._root: Type = struct_of(function.arguments) or function.arguments
        self._sources = plan.sources
        self._locations = {source.field: source.places for source in plan.sources}

    def build(self, verb: str, name: str, fields: Optional[str]) -> JsonObject:
        """The operation of a verb. name: of the function, with its service. fields: the query
        parameter that selects response fields."""
        function = self._function
        parameters = self._parameters(fields)
        summary = _first_sentence(function.doc)
        operation: JsonObject = {
            "tags": [name.rpartition(".")[0]],
            "summary": summary.rstrip(".") or function.name,
        }
        if summary != function.doc:
            operation["description"] = function.doc
        if "deprecated" in function.annotations:
            operation["deprecated"] = True
        if parameters:
            operation["parameters"] = parameters
        operation.update(self._body(verb, name))
        return {**operation, "responses": Responses(self._components, function).build()}

    def _field_at(self, path: str) -> Optional[Field]:
        type, field = self._root, None
        for step in path.split("."):
            field = type.fields.get(step)
            if field is None:
                return None
            type = field.type
        return field

    def _parameters(self, fields: Optional[str]) -> list[JsonValue]:
        parameters: dict[tuple[str, str], JsonValue] = {}
        for source in self._sources:
            field = self._field_at(source.field)
            if field is None:
                continue
            for part, name in self._parameter_places(source):
                if (part, name.lower()) not in parameters:
                    is_only = len(source.places) == 1
                    parameter = self._parameter(part, name, field, is_only)
                    parameters[part, name.lower()] = parameter
        for name in self._renamed.values():
            parameters.setdefault(
                ("path", name.lower()),
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}},
            )
        if fields and _has_fields(self._function.returns):
            parameters.setdefault(("query", fields), _fields_parameter(fields))
        return list(parameters.values())

    def _parameter_places(self, source: Source) -> Iterator[tuple[str, str]]:
        """Locations and names of the parameters that may contain a field."""
        for part, key in source.places:
            name = self._renamed.get(key) if part == "path" else key
            is_ignored = part == "header" and key.lower() in _IGNORED
            if part in _LIST_STYLES and name is not None and not is_ignored:
                yield part, name

    def _parameter(self, location: str, name: str, field: Field, is_only: bool) -> JsonObject:
        schema = self._components.field(field)
        parameter: JsonObject = {"name": name, "in": location}
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

    def _body(self, verb: str, name: str) -> JsonObject:
        """The member `requestBody` of the operation; empty without a body."""
        fields = self._root.fields.values()
        rows = [(key, field) for field in fields for key in self._body_keys(field)]
        forms = [(key, field) for field in fields for key in self._form_keys(field)]
        is_needed = any(field.requiredness == "required" for _, field in rows) or any(
            self._is_needed_in_form(field) for _, field in forms
        )
        if verb in _WITHOUT_BODY and not is_needed:
            return {}
        content = self._contents(name.replace(".", "_"), rows, forms)
        if not content:
            return {}
        required: JsonObject = {"required": True} if is_needed else {}
        return {"requestBody": {"content": content, **required}}

    def _contents(self, stem: str, rows: Rows, forms: Rows) -> JsonObject:
        """The schemas of a body by media type. stem: of the names of components."""
        content: JsonObject = {}
        if rows:
            schema = self._components.add(f"{stem}_body", self._components.object(rows))
            content[_JSON] = {"schema": schema}
        if forms:
            content.update(self._form(stem, forms))
        if any(part == "raw_body" for places in self._locations.values() for part, _ in places):
            content["application/octet-stream"] = {"schema": BYTES_SCHEMA}
        return content

    def _is_needed_in_form(self, field: Field) -> bool:
        return field.requiredness == "required" and all(
            part in ("form", "body") for part, _ in self._locations[field.name]
        )

    def _form(self, stem: str, fields: Rows) -> JsonObject:
        """Multipart if a field is a file, else urlencoded.

        Never both: client generators would create two types."""
        files = [key for key, field in fields if field.type.kind == "binary"]
        derived = [
            f"{key}.{suffix}" for key, _ in fields for suffix in ("filename", "content_type")
        ]
        rows = [(key, field) for key, field in fields if key not in derived]
        schema = self._components.object(rows)
        properties: JsonObject = {
            key: _file_schema(field) if key in files else self._components.field(field)
            for key, field in rows
        }
        form = self._components.add(f"{stem}_form", {**schema, "properties": properties})
        return {_MULTIPART if files else _FORM: {"schema": form}}

    def _form_keys(self, field: Field) -> list[str]:
        return [key for part, key in self._locations.get(field.name, []) if part == "form"]

    def _body_keys(self, field: Field) -> Iterable[str]:
        """The JSON keys of a field of the root."""
        if "dynamicgo.deprecated" in field.annotations or "api.no_body_struct" in field.annotations:
            return []
        locations = self._locations.get(field.name)
        if locations is None:
            return [field.alias]
        return [key for part, key in locations if part == "body"]


def _first_sentence(doc: str) -> str:
    text = " ".join(doc.partition("\n\n")[0].split())
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]


def _file_schema(field: Field) -> JsonObject:
    """Schema of a binary field that is sent as a file."""
    return {**BYTES_SCHEMA, **({"description": field.doc} if field.doc else {})}


def _fields_parameter(name: str) -> JsonObject:
    return {
        "name": name,
        "in": "query",
        "schema": {"type": "string"},
        "description": "Fields to include in the response: a selection `{id user{name}}` or paths "
        "`id,user.name`.",
    }


def _has_fields(type: Optional[Type]) -> bool:
    """Whether a selection can select fields of the result."""
    if type is None or has_raw_body(type):
        return False
    while type.kind in ("list", "set", "map"):
        type = type.parameters[-1]
    return type.kind in ("struct", "union")
