"""`thriftlens routes`: verbs and paths of an IDL's functions, and where each field of a request comes from."""

from __future__ import annotations

import difflib
import json
import re
from typing import Any, Iterable, Iterator, Mapping, Optional

import click

from .. import options as opt
from ..input import load_schema
from ..report import print_text
from ... import http
from ..._errors import Error
from ..._schema.schema import Field, Function, Schema

_ON_FUNCTIONS = ("get", "post", "put", "delete", "patch", "head", "options", "connect", "trace", "any")
_ON_FIELDS = (
    "path", "query", "header", "cookie", "form", "body", "raw_body", "raw_uri", "no_body_struct", "key", "js_conv", "none", "http_code",
)  # fmt: skip


def _functions(schema: Schema) -> Iterator[tuple[str, Function]]:
    for service in schema.services.values():
        for function in {**service.inherited, **service.functions}.values():
            if any(key.lower().startswith("api.") for key in function.annotations):
                yield f"{service.name}.{function.name}", function


def warnings(schema: Schema) -> list[str]:
    """What is wrong with the routes of an IDL: clashes, annotations that contradict each other or can never be reached."""
    found: list[str] = []
    router = http.Router()
    taken: dict[str, Any] = {}
    for name, function in _functions(schema):
        plan = http.plan(function)
        found += [f"{name}: {each}" for each in [*plan.faults, *plan.warnings, *_path_warnings(plan), *_misspelt(function.annotations, _ON_FUNCTIONS)]]
        for method, path in plan.routes:
            try:
                router.add(method, path, name)
                taken[f"{method} {path}"] = name
            except Error as error:
                found.append(f"{name}: {_first_line(error)}{_owner(taken, error)}")
    return found + [f"{name}: {each}" for name, field in _all_fields(schema) for each in _misspelt(field.annotations, _ON_FIELDS)]


def _all_fields(schema: Schema) -> Iterator[tuple[str, Field]]:
    """Of arguments, structs and exceptions."""
    for name, function in _functions(schema):
        yield from ((f"{name}: {field.name}", field) for field in function.arguments.fields.values())
    for name in schema.types:
        if schema[name].name == name and schema[name].kind in ("struct", "exception"):  # no typedef
            yield from ((f"{name}.{field.name}", field) for field in schema[name].fields.values())


def _path_warnings(plan: http.Plan) -> Iterator[str]:
    """Parameters of a path that no field takes, and fields that are in no path."""
    taken = {key for source in plan.sources for part, key in source.places if part == "path"}
    given: set[str] = set()
    for method, path in plan.routes:
        names = re.findall(r"/[:*]([^/]+)", path)
        given.update(names)
        yield from (f"no field takes {each!r} of {method} {path}: (api.path = \"{each}\")" for each in names if each not in taken)
    for source in plan.sources:
        missing = [key for part, key in source.places if part == "path" and key not in given]
        if plan.routes and missing and len(source.places) == 1:
            yield f"{source.field}: api.path is never reached: no route has {missing[0]!r}"


def _misspelt(annotations: Mapping[str, str], known: Iterable[str]) -> Iterator[str]:
    """Of annotations api.* that nobody reads, those that look like one that is read. Others are other tools'."""
    for key in annotations:
        prefix, _, word = key.lower().partition(".")
        near = difflib.get_close_matches(word, known, n=1, cutoff=0.8) if prefix == "api" and word not in known else []
        if near:
            yield f"{key} is not read; did you mean 'api.{near[0]}'?"


def _first_line(error: Error) -> str:
    return str(error).splitlines()[0]


def _owner(taken: dict[str, Any], error: Error) -> str:
    other = next((owner for route, owner in taken.items() if str(error).endswith(route)), None)
    return f" (of {other})" if other else ""


def _fields(function: Function, plan: http.Plan) -> Iterator[tuple[str, bool, str]]:
    """Each field of the request with where it is looked for; what no annotation names is read from the JSON body."""
    told = {each.field: each for each in plan.sources}
    arguments = list(function.arguments.fields.values())
    root = arguments[0].type if len(arguments) == 1 and arguments[0].type.kind == "struct" else function.arguments
    for field in root.fields.values():
        if field.name not in told:
            yield field.name, field.requiredness == "required", f"body {field.alias}"
        yield from (_row(each) for each in told.values() if each.field == field.name or each.field.startswith(field.name + "."))


def _row(source: http.Source) -> tuple[str, bool, str]:
    return source.field, source.required, ", ".join(f"{part} {key}" if key else part for part, key in source.places)


def lines(schema: Schema, as_json: bool) -> Iterator[str]:
    """The table, or the same as one JSON document."""
    rows: list[dict[str, Any]] = []
    for name, function in _functions(schema):
        plan = http.plan(function)
        fields = list(_fields(function, plan))
        rows += [{"method": method, "path": path, "function": name, "fields": fields} for method, path in plan.routes]
    if as_json:
        told = [{**row, "fields": [{"field": field, "required": required, "from": place} for field, required, place in row["fields"]]} for row in rows]
        yield json.dumps(told, indent=2)
        return
    widths = [max((len(row[key]) for row in rows), default=0) for key in ("method", "path")]
    for row in rows:
        yield f"{row['method']:<{widths[0]}}  {row['path']:<{widths[1]}}  {row['function']}".rstrip()
        yield from _field_lines(row["fields"])


def _field_lines(fields: list[tuple[str, bool, str]]) -> Iterator[str]:
    width: Optional[int] = max((len(field) for field, _, _ in fields), default=0)
    for field, required, place in fields:
        yield f"    {field:<{width}}  {place}{'  (required)' if required else ''}"


@click.command()
@opt.idl_argument
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def routes(idl: str, as_json: bool, **options: Any) -> None:
    """List the HTTP routes of an IDL (api.get, api.post …) and the source of each request field."""
    print_text("".join(line + "\n" for line in lines(load_schema(idl, options), as_json)))
