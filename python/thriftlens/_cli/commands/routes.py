"""`thriftlens routes`: HTTP methods and paths of the functions of an IDL, and the sources of
request fields."""

from __future__ import annotations

import difflib
import json
import re
from typing import Any, Iterable, Iterator, Mapping, Optional

import click

from ... import http
from ..._errors import Error
from ..._schema.schemas import Schema
from ..._schema.services import Function
from ..._schema.types import Field
from .. import options as opt
from ..input import load_schema
from ..report import print_text

_FUNCTION_ANNOTATIONS = tuple("get post put delete patch head options connect trace any".split())
_FIELD_ANNOTATIONS = (
    "path", "query", "header", "cookie", "form", "body", "raw_body", "raw_uri", "no_body_struct", "key", "js_conv", "none", "http_code",
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
    router = http.Router()
    owners: dict[str, Any] = {}
    for name, function in _functions(schema):
        plan = http.plan(function)
        messages += [
            f"{name}: {message}"
            for message in [
                *plan.faults,
                *plan.warnings,
                *_path_warnings(plan),
                *_misspelled_annotations(function.annotations, _FUNCTION_ANNOTATIONS),
            ]
        ]
        for method, path in plan.routes:
            try:
                router.add(method, path, name)
                owners[f"{method} {path}"] = name
            except Error as error:
                messages.append(f"{name}: {_first_line(error)}{_owner_of(owners, error)}")
    return messages + [
        f"{name}: {message}"
        for name, field in _all_fields(schema)
        for message in _misspelled_annotations(field.annotations, _FIELD_ANNOTATIONS)
    ]


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
        names = re.findall(r"/[:*]([^/]+)", path)
        path_keys.update(names)
        yield from (
            f'no field for {name!r} of {method} {path}; add (api.path = "{name}") to a field'
            for name in names
            if name not in field_keys
        )
    for source in plan.sources:
        missing = [key for part, key in source.places if part == "path" and key not in path_keys]
        if plan.routes and missing and len(source.places) == 1:
            yield f"{source.field}: api.path has no effect: no route has {missing[0]!r}"


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


def _first_line(error: Error) -> str:
    return str(error).splitlines()[0]


def _owner_of(owners: dict[str, Any], error: Error) -> str:
    other = next((owner for route, owner in owners.items() if str(error).endswith(route)), None)
    return f" (of {other})" if other else ""


def _fields(function: Function, plan: http.Plan) -> Iterator[tuple[str, bool, str]]:
    """(field, required, sources) of the request fields.

    Fields without an annotation are read from the JSON body."""
    sources = {source.field: source for source in plan.sources}
    arguments = list(function.arguments.fields.values())
    if len(arguments) == 1 and arguments[0].type.kind == "struct":
        root = arguments[0].type
    else:
        root = function.arguments
    for field in root.fields.values():
        if field.name not in sources:
            yield field.name, field.requiredness == "required", f"body {field.alias}"
        yield from (
            _row(source)
            for source in sources.values()
            if source.field == field.name or source.field.startswith(field.name + ".")
        )


def _row(source: http.Source) -> tuple[str, bool, str]:
    return (
        source.field,
        source.required,
        ", ".join(f"{part} {key}" if key else part for part, key in source.places),
    )


def lines(schema: Schema, as_json: bool) -> Iterator[str]:
    """The routes as a table or as one JSON document."""
    rows: list[dict[str, Any]] = []
    for name, function in _functions(schema):
        plan = http.plan(function)
        fields = list(_fields(function, plan))
        rows += [
            {"method": method, "path": path, "function": name, "fields": fields}
            for method, path in plan.routes
        ]
    if as_json:
        document = [
            {
                **row,
                "fields": [
                    {"field": field, "required": required, "from": sources}
                    for field, required, sources in row["fields"]
                ],
            }
            for row in rows
        ]
        yield json.dumps(document, indent=2)
        return
    widths = [max((len(row[key]) for row in rows), default=0) for key in ("method", "path")]
    for row in rows:
        yield f"{row['method']:<{widths[0]}}  {row['path']:<{widths[1]}}  {row['function']}".rstrip()
        yield from _field_lines(row["fields"])


def _field_lines(fields: list[tuple[str, bool, str]]) -> Iterator[str]:
    width: Optional[int] = max((len(field) for field, _, _ in fields), default=0)
    for field, required, sources in fields:
        yield f"    {field:<{width}}  {sources}{'  (required)' if required else ''}"


@click.command()
@opt.idl_argument
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def routes(idl: str, as_json: bool, **options: Any) -> None:
    """List the HTTP routes of an IDL (api.get, api.post …) and the sources of request fields."""
    print_text("".join(line + "\n" for line in lines(load_schema(idl, options), as_json)))
