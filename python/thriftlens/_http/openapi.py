"""OpenAPI 3.1 documents of IDL; tl.http.openapi."""

from __future__ import annotations

import re
from typing import Any, Iterable, Mapping, Optional, Union

from .._rpc.services import functions_of
from .._schema.schemas import Schema
from .._schema.services import Function, Service
from .openapi_operation import PROBLEM_SCHEMA, RESPONSES, Operation
from .openapi_types import Components
from .plan import plan as plan_of

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
    **options: Any,
) -> dict[str, Any]:
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
    names = (
        [service]
        if isinstance(service, str)
        else list(service)
        if service is not None
        else [name for name in idl.services if "." not in name]
    )
    services = [idl.service(name) for name in names]
    routes = [
        (route.method, route.path, function, f"{owner.name}.{function.name}")
        for owner in services
        for function in functions_of(owner).values()
        for route in plan_of(function, **options).routes
    ]
    return document(
        services, routes, options, fields, title=title, version=version, servers=servers
    )


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
    """The document of these routes: (verb, path, function, full name of the function)."""
    components = Components(options)
    components.schemas["Problem"] = PROBLEM_SCHEMA
    paths: dict[str, dict[str, Any]] = {}
    parameter_names: dict[str, list[str]] = {}
    operations: set[str] = set()
    for method, path, function, name in routes:
        template, renamed = _template_of(path, parameter_names)
        operation = Operation(components, function, plan_of(function, **options), renamed)
        for verb in _ANY if method == "*" else [method.lower()]:
            if verb in _METHODS:
                paths.setdefault(template, {})[verb] = {
                    "operationId": _unique(name.replace(".", "_"), operations),
                    **operation.build(verb, name, fields),
                }
    docs = "\n\n".join(owner.doc for owner in services if owner.doc)
    info = {
        "title": title or ", ".join(owner.name for owner in services),
        "version": version,
        **({"description": docs} if docs else {}),
    }
    tags = [
        {"name": owner.name, **({"description": owner.doc} if owner.doc else {})}
        for owner in services
    ]
    head: dict[str, Any] = {"openapi": "3.1.0", "info": info}
    if servers:
        head["servers"] = [{"url": url} for url in servers]
    return {
        **head,
        "tags": tags,
        "paths": paths,
        "components": {"schemas": components.schemas, "responses": RESPONSES},
    }


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
