"""The HTTP routes of an IDL as text, and warnings about them."""

from __future__ import annotations

import difflib
import json
import re
from typing import Iterable, Iterator, Mapping, NamedTuple

from .. import http
from .._errors import Error
from .._schema.schemas import Schema
from .._schema.services import Function
from .._schema.types import Field, Type

_FieldRow = tuple[str, bool, str]
"""Name of a request field, whether it is required, and its sources."""
_FUNCTION_ANNOTATIONS = tuple("get post put delete patch head options connect trace any".split())
_FIELD_ANNOTATIONS = (
    "path", "query", "header", "cookie", "form", "body", "raw_body", "raw_uri",
    "no_body_struct", "key", "js_conv", "none", "http_code",
)  # fmt: skip


def _functions(schema: Schema) -> Iterator[tuple[str, Function]]:
    for service in schema.services.values():
        for function in {**service.inherited, **service.functions}.values():
            if any(key.lower().startswith("api.") for key in function.annotations):
                yield f"{service.name}.{function.name}", function


def warnings(schema: Schema) -> list[str]:
    """Warnings about the routes of an IDL: conflicting routes, and annotations that conflict or
    have no effect."""
    messages: list[str] = []
    routes = _RouteTable()
    for name, function in _functions(schema):
        plan = http.plan(function)
        faults = [
            *plan.faults,
            *plan.warnings,
            *_path_warnings(plan),
            *_misspelled_annotations(function.annotations, _FUNCTION_ANNOTATIONS),
            *(fault for route in plan.routes for fault in routes.add(*route, name)),
        ]
        messages += [f"{name}: {fault}" for fault in faults]
    return messages + [
        f"{name}: {fault}"
        for name, field in _all_fields(schema)
        for fault in _misspelled_annotations(field.annotations, _FIELD_ANNOTATIONS)
    ]


class _RouteTable:
    """Routes with the functions that own them."""

    def __init__(self) -> None:
        self._router = http.Router()
        self._owners: dict[str, str] = {}

    def add(self, method: str, path: str, owner: str) -> Iterator[str]:
        """Adds a route. Yields the description of a conflict."""
        same_paths = f"{method} " + re.sub(r"/([:*])[^/]*", r"/\1", path)
        try:
            self._router.add(method, path, owner)
            self._owners[same_paths] = owner
        except Error as error:
            is_taken = error.code == "already_there"
            yield error.detail + (f" (of {self._owners[same_paths]})" if is_taken else "")


def _all_fields(schema: Schema) -> Iterator[tuple[str, Field]]:
    """The fields of arguments, structs and exceptions."""
    for name, function in _functions(schema):
        yield from (
            (f"{name}: {field.name}", field) for field in function.arguments.fields.values()
        )
    for name in schema.types:
        if schema[name].name == name and schema[name].kind in ("struct", "exception"):  # no typedef
            yield from ((f"{name}.{field.name}", field) for field in schema[name].fields.values())


def _path_warnings(plan: http.Plan) -> Iterator[str]:
    """Warnings about path parameters without a field, and fields whose parameter is in no path."""
    field_keys = {key for source in plan.sources for part, key in source.places if part == "path"}
    path_keys: set[str] = set()
    for method, path in plan.routes:
        for name in re.findall(r"/[:*]([^/]+)", path):
            path_keys.add(name)
            if name not in field_keys:
                yield (
                    f"no field for {name!r} of {method} {path}; "
                    f'add (api.path = "{name}") to a field'
                )
    for source in plan.sources if plan.routes else ():
        keys = [key for part, key in source.places if part == "path" and key not in path_keys]
        if keys and len(source.places) == 1:
            yield f"{source.field}: api.path has no effect: no route has {keys[0]!r}"


def _misspelled_annotations(annotations: Mapping[str, str], known: Iterable[str]) -> Iterator[str]:
    """Warnings about api.* annotations that look like misspelled ones.

    Other unknown annotations may belong to other tools."""
    for key in annotations:
        prefix, _, name = key.lower().partition(".")
        if prefix == "api" and name not in known:
            matches = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
        else:
            matches = []
        if matches:
            yield f"unknown annotation {key}; did you mean 'api.{matches[0]}'?"


def _fields(function: Function, plan: http.Plan) -> Iterator[_FieldRow]:
    """(field, required, sources) of the request fields.

    Fields without an annotation are read from the JSON body."""
    sources = {source.field: source for source in plan.sources}
    for field in _root(function).fields.values():
        if field.name not in sources:
            yield field.name, field.requiredness == "required", f"body {field.alias}"
        for name, source in sources.items():
            if name == field.name or name.startswith(field.name + "."):
                yield _row(source)


def _root(function: Function) -> Type:
    """The struct whose fields are the request fields: a single argument, or all arguments."""
    arguments = list(function.arguments.fields.values())
    is_single = len(arguments) == 1 and arguments[0].type.kind == "struct"
    return arguments[0].type if is_single else function.arguments


def _row(source: http.Source) -> _FieldRow:
    return (
        source.field,
        source.required,
        ", ".join(f"{part} {key}" if key else part for part, key in source.places),
    )


class Route(NamedTuple):
    """A route with its function and the sources of the request fields."""

    method: str
    path: str
    function: str
    fields: list[_FieldRow]


def _routes(schema: Schema) -> Iterator[Route]:
    for name, function in _functions(schema):
        plan = http.plan(function)
        fields = list(_fields(function, plan))
        for method, path in plan.routes:
            yield Route(method, path, name, fields)


def route_lines(schema: Schema, as_json: bool) -> Iterator[str]:
    """The routes as a table or as one JSON document."""
    routes = list(_routes(schema))
    if as_json:
        yield json.dumps([_members(route) for route in routes], indent=2)
        return
    method_width = max((len(route.method) for route in routes), default=0)
    path_width = max((len(route.path) for route in routes), default=0)
    for method, path, function, fields in routes:
        yield f"{method:<{method_width}}  {path:<{path_width}}  {function}".rstrip()
        yield from _field_lines(fields)


def _members(route: Route) -> dict[str, object]:
    fields = [
        {"field": field, "required": required, "from": sources}
        for field, required, sources in route.fields
    ]
    return {**route._asdict(), "fields": fields}


def _field_lines(fields: list[_FieldRow]) -> Iterator[str]:
    width = max((len(field) for field, _, _ in fields), default=0)
    for field, required, sources in fields:
        yield f"    {field:<{width}}  {sources}{'  (required)' if required else ''}"
