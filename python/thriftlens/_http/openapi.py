"""OpenAPI 3.1 documents of IDL; tl.http.openapi."""

from __future__ import annotations

import re
from typing import Any, Iterable, Mapping, Optional, Union

from .. import http
from .._rpc.calls import functions_of
from .openapi_types import Components, has_raw_body, is_hidden, key_of, reference, struct_of
from .._schema.schema import Field, Function, Schema, Service, Type

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_ANY = ("get", "put", "post", "delete", "patch")
_WITHOUT_BODY = ("get", "head", "trace")
_PARAMETERS = {"path": "path", "query": "query", "header": "header", "cookie": "cookie"}
_IGNORED = ("accept", "content-type", "authorization")
_COMPOSITE = ("list", "set", "map", "struct", "union")
_NOT_IN_BODY = ("api.header", "api.cookie", "api.http_code", "api.raw_body")
_JSON = "application/json"
_PROBLEM = "application/problem+json"
_FORM = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"
_BYTES: dict[str, Any] = {"type": "string", "format": "binary", "contentMediaType": "application/octet-stream"}
"""`format` is for the many tools that know files by it, as OpenAPI 3.0 had them."""
_PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "What went wrong (RFC 9457).",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "description": "A short stable name."},
        "path": {"type": "string", "description": "Where in the request or the reply."},
        "offset": {"type": "integer", "description": "The first byte at fault."},
        "exception": {"type": "string", "description": "Of a declared exception: its name."},
        "fields": {"type": "object", "description": "Of a declared exception: its fields."},
    },
    "required": ["title", "status", "code"],
}


def openapi(
    idl: Schema,
    service: Union[str, Iterable[str], None] = None,
    *,
    title: Optional[str] = None,
    version: str = "1",
    servers: Iterable[str] = (),
    fields: Optional[str] = None,
    **options: Any,
) -> dict[str, Any]:
    """As tl.http.openapi says."""
    names = [service] if isinstance(service, str) else list(service) if service is not None else [each for each in idl.services if "." not in each]
    services = [idl.service(each) for each in names]
    routes = [(route.method, route.path, function, f"{each.name}.{function.name}") for each in services for function in functions_of(each).values()
              for route in http.plan(function, **options).routes]
    return document(services, routes, options, fields, title=title, version=version, servers=servers)


def document(
    services: list[Service],
    routes: list[tuple[str, str, Function, str]],
    options: Mapping[str, Any],
    fields: Optional[str],
    *,
    title: Optional[str] = None,
    version: str = "1",
    servers: Iterable[str] = (),
) -> dict[str, Any]:
    """Of routes: verb, path, function, and its name with the service's."""
    components = Components(options)
    components.made["Problem"] = _PROBLEM_SCHEMA
    paths: dict[str, dict[str, Any]] = {}
    shapes: dict[str, list[str]] = {}
    operations: set[str] = set()
    for method, path, function, name in routes:
        place, renamed = _path_of(path, shapes)
        maker = _Operation(components, function, http.plan(function, **options), renamed)
        for verb in _ANY if method == "*" else [method.lower()]:
            if verb in _METHODS:
                paths.setdefault(place, {})[verb] = {"operationId": _unique(name.replace(".", "_"), operations), **maker.make(verb, name, fields)}
    docs = "\n\n".join(each.doc for each in services if each.doc)
    info = {"title": title or ", ".join(each.name for each in services), "version": version, **({"description": docs} if docs else {})}
    tags = [{"name": each.name, **({"description": each.doc} if each.doc else {})} for each in services]
    made: dict[str, Any] = {"openapi": "3.1.0", "info": info}
    if servers:
        made["servers"] = [{"url": each} for each in servers]
    return {**made, "tags": tags, "paths": paths, "components": {"schemas": components.made, "responses": _RESPONSES}}


_RESPONSES: dict[str, Any] = {"Problem": {"description": "A problem.", "content": {_PROBLEM: {"schema": reference("Problem")}}}}


def _path_of(path: str, shapes: dict[str, list[str]]) -> tuple[str, dict[str, str]]:
    """A path as OpenAPI spells it. Two of one shape have the same names of parameters there: by new names where they differ."""
    names = re.findall(r"/[:*]([^/]+)", path)
    shape = re.sub(r"/[:*][^/]+", "/{}", path)
    chosen = shapes.setdefault(shape, names)
    parts = iter(chosen)
    return re.sub(r"\{\}", lambda _: f"{{{next(parts)}}}", shape), dict(zip(names, chosen))


def _unique(name: str, taken: set[str]) -> str:
    chosen, number = name, 2
    while chosen in taken:
        chosen, number = f"{name}_{number}", number + 1
    taken.add(chosen)
    return chosen


class _Operation:
    """One function: its parameters, bodies and responses."""

    def __init__(self, components: Components, function: Function, plan: http.Plan, renamed: Mapping[str, str]):
        self._components = components
        self._function = function
        self._renamed = renamed
        self._root: Type = struct_of(function.arguments) or function.arguments
        self._sources = plan.sources
        self._places = {source.field: source.places for source in plan.sources}

    def make(self, verb: str, name: str, fields: Optional[str]) -> dict[str, Any]:
        function = self._function
        parameters = self._parameters(fields)
        summary = _first_sentence(function.doc)
        made: dict[str, Any] = {"tags": [name.rpartition(".")[0]], "summary": summary.rstrip(".") or function.name}
        if summary != function.doc:
            made["description"] = function.doc
        if "deprecated" in function.annotations:
            made["deprecated"] = True
        if parameters:
            made["parameters"] = parameters
        body = self._body(verb, name)
        if body:
            made["requestBody"] = body
        return {**made, "responses": self._responses(name)}

    # ---- requests

    def _field_at(self, path: str) -> Optional[Field]:
        of, field = self._root, None
        for step in path.split("."):
            field = of.fields.get(step)
            if field is None:
                return None
            of = field.type
        return field

    def _parameters(self, fields: Optional[str]) -> list[dict[str, Any]]:
        made: list[dict[str, Any]] = []
        seen: set[tuple[str, str]] = set()
        for source in self._sources:
            field = self._field_at(source.field)
            for part, key in source.places:
                place = _PARAMETERS.get(part)
                if place is None or field is None or (place == "header" and key.lower() in _IGNORED):
                    continue
                chosen = self._renamed.get(key) if place == "path" else key
                if chosen is None or (place, chosen.lower()) in seen:
                    continue
                seen.add((place, chosen.lower()))
                made.append(self._parameter(place, chosen, field, len(source.places) == 1))
        for chosen in self._renamed.values():
            if ("path", chosen.lower()) not in seen:
                made.append({"name": chosen, "in": "path", "required": True, "schema": {"type": "string"}})
        if fields and self._function.returns is not None and ("query", fields) not in seen and _has_fields(self._function.returns):
            about = "Which fields of the answer are wanted: `{id user{name}}`, or paths: `id,user.name`."
            made.append({"name": fields, "in": "query", "schema": {"type": "string"}, "description": about})
        return made

    def _parameter(self, place: str, key: str, field: Field, is_only: bool) -> dict[str, Any]:
        schema = self._components.field(field)
        made: dict[str, Any] = {"name": key, "in": place}
        if "description" in schema:
            made["description"] = schema.pop("description")
        if place == "path" or (field.requiredness == "required" and is_only):
            made["required"] = True
        is_list = field.type.kind in ("list", "set")
        if is_list and field.type.parameters[-1].kind not in _COMPOSITE:
            style, explode = http.LIST_STYLES[place]
            made.update(style=style, explode=explode)
        elif field.type.kind in _COMPOSITE:
            return {**made, "content": {_JSON: {"schema": schema}}}
        return {**made, "schema": schema}

    def _body(self, verb: str, name: str) -> Optional[dict[str, Any]]:
        rows = [(key, field) for field in self._root.fields.values() for key in self._body_keys(field)]
        forms = [(key, field) for field in self._root.fields.values() for part, key in self._places.get(field.name, []) if part == "form"]
        raw = any(part == "raw_body" for places in self._places.values() for part, _ in places)
        is_needed = any(field.requiredness == "required" for _, field in rows) or any(self._is_needed_in_form(field) for _, field in forms)
        if verb in _WITHOUT_BODY and not is_needed:
            return None
        content: dict[str, Any] = {}
        stem = name.replace(".", "_")
        if rows:
            content[_JSON] = {"schema": self._components.add(f"{stem}_body", self._components.object(rows))}
        if forms:
            content.update(self._forms(stem, forms))
        if raw:
            content["application/octet-stream"] = {"schema": _BYTES}
        if not content:
            return None
        return {"content": content, **({"required": True} if is_needed else {})}

    def _is_needed_in_form(self, field: Field) -> bool:
        return field.requiredness == "required" and all(part in ("form", "body") for part, _ in self._places[field.name])

    def _forms(self, stem: str, given: list[tuple[str, Field]]) -> dict[str, Any]:
        """One of the two spellings: generators of clients make a type of each. Files are none in the other, which has them in base64."""
        files = [key for key, field in given if field.type.kind == "binary"]
        derived = [f"{key}.{what}" for key, _ in given for what in ("filename", "content_type")]
        rows = [(key, field) for key, field in given if key not in derived]
        text = self._components.object(rows)
        made = {**text, "properties": {key: _file(each) if key in files else each for key, each in text["properties"].items()}}
        return {_MULTIPART if files else _FORM: {"schema": self._components.add(f"{stem}_form", made)}}

    def _body_keys(self, field: Field) -> Iterable[str]:
        """The keys of JSON that a field of the root is read from."""
        if "dynamicgo.deprecated" in field.annotations or "api.no_body_struct" in field.annotations:
            return []
        places = self._places.get(field.name)
        if places is None:
            return [field.alias]
        return [key for part, key in places if part == "body"]

    # ---- answers

    def _responses(self, name: str) -> dict[str, Any]:
        function = self._function
        made: dict[str, Any] = {}
        if function.oneway:
            made["202"] = {"description": "The call was sent; nobody answers it."}
        elif function.returns is None:
            made["204"] = {"description": "Done."}
        else:
            made.update(dict.fromkeys(self._statuses(function.returns), self._response(function.returns, "The result.")))
        thrown: dict[str, list[Type]] = {}
        for field in function.result.fields.values():
            if field.id != 0:
                thrown.setdefault(_thrown_status(field.type), []).append(field.type)
        for status, types in thrown.items():
            made[status] = self._thrown(status, types)
        for status, what in (("400", "The request does not fit."), ("502", "The upstream failed."), ("504", "The upstream was too slow.")):
            made.setdefault(status, {"description": what, "content": _RESPONSES["Problem"]["content"]})
        made.setdefault("default", {"$ref": "#/components/responses/Problem"})
        return made

    def _statuses(self, of: Type) -> list[str]:
        """Of a result: 200, what the field that gives it has for a default, or any."""
        field = _status_field(of)
        if field is None:
            return ["200"]
        return [str(field.default)] if field.has_default else ["200", "2XX"]

    def _thrown(self, status: str, types: list[Type]) -> dict[str, Any]:
        names = ", ".join(each.name for each in types)
        docs = " ".join(each.doc for each in types if each.doc)
        about = f"{names}. {docs}".strip()
        if status == "500" and not any("api.http_code" in each.annotations for each in types):
            return {"description": about, "content": {_PROBLEM: {"schema": self._problems(types)}}}
        schemas = [self._answer_schema(each) for each in types]
        content = {_JSON: {"schema": schemas[0] if len(schemas) == 1 else {"anyOf": schemas}}}
        if status in ("400", "502", "504", "default"):
            content[_PROBLEM] = {"schema": reference("Problem")}
        headers = self._headers(types[0])
        return {"description": about, **({"headers": headers} if headers else {}), "content": content}

    def _problems(self, types: list[Type]) -> dict[str, Any]:
        made = []
        for each in types:
            own = {"exception": {"const": each.name.rpartition(".")[2]}, "fields": self._answer_schema(each)}
            schema = {**_PROBLEM_SCHEMA, "properties": {**_PROBLEM_SCHEMA["properties"], **own}}
            made.append(self._components.add(f"{each.name.rpartition('.')[2]}_problem", schema))
        return made[0] if len(made) == 1 else {"anyOf": made}

    def _response(self, of: Type, about: str) -> dict[str, Any]:
        made: dict[str, Any] = {"description": of.doc or about}
        headers = self._headers(of)
        if headers:
            made["headers"] = headers
        if has_raw_body(of):
            return {**made, "content": {"application/octet-stream": {"schema": _BYTES}, "*/*": {"schema": {}}}}
        return {**made, "content": {_JSON: {"schema": self._answer_schema(of)}}}

    def _headers(self, of: Type) -> dict[str, Any]:
        if of.kind not in ("struct", "exception"):
            return {}
        found = {field.annotations["api.header"]: field for field in of.fields.values() if "api.header" in field.annotations}
        made: dict[str, Any] = {name: {"schema": self._components.field(field)} for name, field in found.items() if name.lower() != "content-type"}
        cookies = [field.annotations["api.cookie"] for field in of.fields.values() if "api.cookie" in field.annotations]
        if cookies:
            made["Set-Cookie"] = {"schema": {"type": "string"}, "description": f"Cookies: {', '.join(cookies)}."}
        return made

    def _answer_schema(self, of: Type) -> dict[str, Any]:
        """Of a body: without the fields that stand in status, headers and cookies."""
        if of.kind not in ("struct", "exception"):
            return self._components.of(of)
        fields = [field for field in of.fields.values() if not is_hidden(field)]
        rows = [(key_of(field), field) for field in fields if not any(each in field.annotations for each in _NOT_IN_BODY) and not _is_base(field)]
        if len(rows) == len(fields):
            return self._components.of(of)
        return self._components.add(f"{of.name}_answer", self._components.object(rows, of.doc))


def _status_field(of: Type) -> Optional[Field]:
    if of.kind not in ("struct", "exception"):
        return None
    return next((field for field in of.fields.values() if "api.http_code" in field.annotations), None)


def _thrown_status(of: Type) -> str:
    """By the declaration, or the default of the field that gives it; "default" where any may come."""
    text = of.annotations.get("api.http_code", "")
    if text.isdecimal():
        return text
    field = _status_field(of)
    if field is None:
        return "500"
    return str(field.default) if field.has_default else "default"


def _first_sentence(doc: str) -> str:
    text = " ".join(doc.partition("\n\n")[0].split())
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]


def _file(text: Mapping[str, Any]) -> dict[str, Any]:
    """Of a binary field that a file fills, by its schema as text."""
    return {**_BYTES, **({"description": text["description"]} if "description" in text else {})}


def _is_base(field: Field) -> bool:
    return field.type.name == "base.BaseResp"


def _has_fields(of: Type) -> bool:
    """Whether a selection can choose among them."""
    if has_raw_body(of):
        return False
    while of.kind in ("list", "set", "map"):
        of = of.parameters[-1]
    return of.kind in ("struct", "union")
