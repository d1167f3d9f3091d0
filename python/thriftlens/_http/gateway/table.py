"""Routes and endpoints of one load of the IDL: an immutable table that a reload replaces."""

from __future__ import annotations

import copy
import json
from typing import Iterator, Mapping, NamedTuple, Optional
from urllib.parse import quote

from ..._errors import Error
from ..._rpc.log import logger
from ..._rpc.services import functions_of, prefix_of
from ..._schema.schemas import Schema
from ..._schema.services import Function, Service
from ..._schema.types import Type
from ..._typing import JsonObject
from .. import openapi
from ..openapi_types import struct_of
from ..plan import Plan, PlanOptions, Route, plan_of
from ..router import Router
from .fields import Selector
from .policies import Policies, Redaction
from .upstream import Upstream

_LOG = logger("thriftlens.gateway")
_STRUCTS = ("struct", "union", "exception")


class TableOptions(NamedTuple):
    """Options of a gateway that a reload does not change."""

    upstreams: Mapping[str, Upstream]
    policies: Policies
    plan: PlanOptions
    fields: Optional[str]
    plain_routes: bool
    multiplexed: bool
    reserved: frozenset[str]


class DeclaredException(NamedTuple):
    """An exception that a function throws. status: None without annotation."""

    name: str
    type: Type
    status: Optional[int]


class Endpoint:
    """A function and the plans that its routes use."""

    def __init__(self, service: Service, function: Function, options: TableOptions):
        self.function = function
        self.name = f"{service.name}.{function.name}"
        self.wire_name = prefix_of(service, options.multiplexed) + function.name
        self.upstream = options.upstreams[service.name]
        self.returns = function.returns
        self.has_struct = function.returns is not None and function.returns.kind in _STRUCTS
        self.throws = _throws(function)
        self.redactions: Mapping[Optional[str], Redaction] = options.policies.redactions(function)
        self.selector = Selector(function, options.fields or "")
        self._plans = _plans(function, options.plan)
        self.locations = {source.field: source.places for source in self._plans["binary"].sources}
        self.files = file_fields(function, self._plans["binary"])
        own = {places for row in self.locations.values() for places in row}
        self._parts = {part for part, _ in own}
        self.fields = options.fields if ("query", options.fields) not in own else None

    def plan(self, protocol: str, is_partial: bool = False) -> Plan:
        """is_partial: for responses that a selection or a redaction has trimmed."""
        return self._plans[f"{protocol} partial" if is_partial else protocol]

    def reads_form(self, is_json: bool) -> bool:
        """Whether the plan reads a form. is_json: it looks like JSON."""
        fields = (struct_of(self.function.arguments) or self.function.arguments).fields
        if "body" in self._parts or not fields.keys() <= self.locations.keys():
            return not is_json and bool(self._parts & {"form", "body", "raw_body"})
        return True

    @property
    def routes(self) -> list[Route]:
        return self._plans["binary"].routes


def _throws(function: Function) -> list[DeclaredException]:
    return [
        DeclaredException(field.name, field.type, status_of(field.type))
        for field in function.result.fields.values()
        if field.id != 0
    ]


def _plans(function: Function, options: PlanOptions) -> dict[str, Plan]:
    """Plans for both protocols, for complete and partial responses.

    Raises Error for contradictory annotations."""
    plans: dict[str, Plan] = {}
    for suffix, more in (("", {}), (" partial", {"missing_required": "omit"})):
        plan = plans["binary" + suffix] = plan_of(function, {**options, **more})
        compact = plans["compact" + suffix] = copy.copy(plan)
        compact.protocol = "compact"
    if contradictions := plans["binary"]._core.faults():
        raise Error(f"{function.name}: {contradictions[0]}", code="bad_rule")
    return plans


def status_of(type: Type) -> Optional[int]:
    """The status in the annotations of an exception."""
    text = type.annotations.get("api.http_code", "")
    return int(text) if text.isdecimal() and 100 <= int(text) <= 599 else None


def file_fields(function: Function, plan: Plan) -> Mapping[str, str]:
    """Kinds ("binary", "string" …) of the fields that forms fill, by form key."""
    root = struct_of(function.arguments) or function.arguments
    return {
        key: root.fields[source.field].type.kind
        for source in plan.sources
        if source.field in root.fields
        for part, key in source.places
        if part in ("form", "body")
    }


class Table:
    """Routes of all services with their endpoints.

    Raises for routes that clash, services without upstream and policies without effect."""

    def __init__(self, schema: Schema, services: list[Service], options: TableOptions):
        self.schema = schema
        self.services = services
        self.upstreams = options.upstreams
        self._options = options
        self._document: Optional[bytes] = None  # created by its first request
        self.router = Router()
        self.routes: list[tuple[Route, Endpoint]] = []
        for service in services:
            self._add_service(service, options)
        if not self.routes:
            raise _no_routes()
        options.policies.check({endpoint.name: endpoint.function for _, endpoint in self.routes})
        for warning in options.policies.warnings(schema):
            _LOG.warning("policies: %s", warning)

    def _add_service(self, service: Service, options: TableOptions) -> None:
        for function in functions_of(service).values():
            if function.streaming == "none":
                endpoint = Endpoint(service, function, options)
                for route in _routes(service, endpoint, options):
                    self._add(route, endpoint, options.reserved)

    def openapi(self, root: str) -> bytes:
        """The OpenAPI document. root: the path at which the gateway is mounted."""
        if self._document is None:
            self._document = json.dumps(self._openapi(), ensure_ascii=False).encode()
        if not root:
            return self._document
        servers = json.dumps([{"url": quote(root)}]).encode()
        return b'{"servers": %s, %s' % (servers, self._document[1:])

    def _openapi(self) -> JsonObject:
        routes = [
            openapi.DocumentedRoute(*route, endpoint.function, endpoint.name)
            for route, endpoint in self.routes
        ]
        return openapi.document(self.services, routes, self._options.plan, self._options.fields)

    def _add(self, route: Route, endpoint: Endpoint, reserved: frozenset[str]) -> None:
        if route.path in reserved:
            raise Error(
                f"{endpoint.name}: {route.path} is a page of the gateway; "
                'move its pages with pages="/…"',
                code="already_there",
            )
        try:
            self.router.add(route.method, route.path, (endpoint, route.path))
        except Error as error:
            raise Error(f"{endpoint.name}: {error}", code=error.code) from None
        self.routes.append((route, endpoint))


def _no_routes() -> Error:
    error = Error("the IDL has no routes: no function is annotated with api.get, api.post …")
    error.code, error.option = "no_routes", ("routes", "all")
    return error


def _routes(service: Service, endpoint: Endpoint, options: TableOptions) -> Iterator[Route]:
    yield from endpoint.routes
    if not endpoint.routes and options.plain_routes:
        yield Route("POST", f"/{service.name.rpartition('.')[2]}/{endpoint.function.name}")
