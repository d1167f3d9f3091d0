"""OpenAPI 3.1 documents of IDL; tl.http.openapi."""

from __future__ import annotations

import re
from typing import Iterable, NamedTuple, Optional, Union

from .._rpc.services import functions_of
from .._schema.schemas import Schema
from .._schema.services import Function, Service
from .._typing import JsonObject
from .openapi_operation import Operation
from .openapi_responses import PROBLEM_SCHEMA, RESPONSES
from .openapi_types import Components
from .plan import PlanOptions, plan_of

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_ANY = ("get", "put", "post", "delete", "patch")


def openapi(
    idl: Schema,
    service: Union[str, Iterable[str], None] = None,
    *,
    title: Optional[str] = None,
    version: str = "1",
    servers: Iterable[str] = (),
    fields: Optional[str] = None,
    **options: object,
) -> JsonObject:
    """The OpenAPI 3.1 document of the services' routes (default: all services of the root file), as
    a dict for json.dumps.

    title: default: the names of the services.
    servers: URLs.
    fields: a gateway's query parameter that selects response fields.
    options: those of plan().

    >>> import thriftlens as tl
    >>> idl = tl.loads('''
    ... struct User { 1: required i64 id }
    ... service Users { User get(1: i64 id (api.path="id")) (api.get="/users/:id") }
    ... ''')
    >>> document = tl.http.openapi(idl)
    >>> list(document["paths"]), document["components"]["schemas"]["User"]["required"]
    (['/users/{id}'], ['id'])
    """
    if service is None:
        service = [name for name in idl.services if "." not in name]
    names = [service] if isinstance(service, str) else list(service)
    services = [idl.service(name) for name in names]
    routes = [
        DocumentedRoute(*route, function, f"{owner.name}.{function.name}")
        for owner in services
        for function in functions_of(owner).values()
        for route in plan_of(function, options).routes
    ]
    return document(
        services, routes, options, fields, title=title, version=version, servers=servers
    )


class DocumentedRoute(NamedTuple):
    """A route, its function, and the full name of that."""

    method: str
    path: str
    function: Function
    name: str


def document(
    services: list[Service],
    routes: list[DocumentedRoute],
    options: PlanOptions,
    fields: Optional[str],
    *,
    title: Optional[str] = None,
    version: str = "1",
    servers: Iterable[str] = (),
) -> JsonObject:
    """The document of these routes."""
    components = Components(options)
    components.schemas["Problem"] = PROBLEM_SCHEMA
    paths = _paths(components, routes, options, fields)
    head: JsonObject = {"openapi": "3.1.0", "info": _info(services, title, version)}
    if servers:
        head["servers"] = [{"url": url} for url in servers]
    return {
        **head,
        "tags": [{"name": owner.name, **_description(owner.doc)} for owner in services],
        "paths": paths,
        "components": {"schemas": components.schemas, "responses": RESPONSES},
    }


def _info(services: list[Service], title: Optional[str], version: str) -> JsonObject:
    docs = "\n\n".join(owner.doc for owner in services if owner.doc)
    names = ", ".join(owner.name for owner in services)
    return {"title": title or names, "version": version, **_description(docs)}


def _description(text: str) -> JsonObject:
    return {"description": text} if text else {}


def _paths(
    components: Components,
    routes: list[DocumentedRoute],
    options: PlanOptions,
    fields: Optional[str],
) -> JsonObject:
    """The operations by path and verb."""
    paths: dict[str, JsonObject] = {}
    parameter_names: dict[str, list[str]] = {}
    operations: set[str] = set()
    for method, path, function, name in routes:
        template, renamed = _template_of(path, parameter_names)
        operation = Operation(components, function, plan_of(function, options), renamed)
        for verb in _ANY if method == "*" else [method.lower()]:
            if verb in _METHODS:
                paths.setdefault(template, {})[verb] = {
                    "operationId": _unique(name.replace(".", "_"), operations),
                    **operation.build(verb, name, fields),
                }
    return {**paths}


def _template_of(path: str, parameter_names: dict[str, list[str]]) -> tuple[str, dict[str, str]]:
    """OpenAPI's path template, and the new names of its parameters.

    Paths that differ in parameter names only share the first path's template."""
    names = re.findall(r"/[:*]([^/]+)", path)
    pattern = re.sub(r"/[:*][^/]+", "/{}", path)
    new_names = parameter_names.setdefault(pattern, names)
    parts = iter(new_names)
    return re.sub(r"\{\}", lambda _: f"{{{next(parts)}}}", pattern), dict(zip(names, new_names))


def _unique(name: str, taken: set[str]) -> str:
    candidate, number = name, 2
    while candidate in taken:
        candidate, number = f"{name}_{number}", number + 1
    taken.add(candidate)
    return candidate


openapi.__module__ = "thriftlens.http"
