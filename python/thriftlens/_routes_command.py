"""`thriftlens routes`: verbs and paths of an IDL's functions, and where each field of a request comes from."""

from __future__ import annotations

import json
from typing import Any, Iterator, Optional

from . import http
from ._errors import Error
from ._schema import Function, Schema


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
        found += [f"{name}: {each}" for each in [*plan.faults, *plan.warnings]]
        for method, path in plan.routes:
            try:
                router.add(method, path, name)
                taken[f"{method} {path}"] = name
            except Error as error:
                found.append(f"{name}: {_first_line(error)}{_owner(taken, error)}")
    return found


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
