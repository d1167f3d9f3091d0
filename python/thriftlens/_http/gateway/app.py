"""tl.gateway: the ASGI application."""

from __future__ import annotations

import asyncio
import json
import os
import time
from typing import Any, Iterable, Literal, Mapping, Optional, Union
from urllib.parse import parse_qsl, quote

from ... import http
from ..._errors import ApplicationError, Error, TransportError
from ..._rpc.calls import prefix_of
from ..._rpc.link import Request
from ..._rpc.log import logger
from ..._rpc.options import HEADER_TRANSPORTS
from ..._schema.loading import load
from ..._schema.schemas import Schema
from ..._schema.services import Service
from .. import openapi as _openapi
from .answers import Answer, Refusal, bad_request, location_of, missing_part
from .forms import URLENCODED, is_form, is_multipart, without_files
from .limits import Limits, limits_of
from .metrics import Metrics
from .pages import NAMES, page_of
from .policies import Policies, Policy, Roles
from .replies import answer_of
from .requests import Bodies, Disconnected, check_head, header_of, read_body
from .table import Endpoint, Table, TableOptions
from .trace import Carrier, is_logged, log
from .upstream import Upstream, target_of
from .watch import signature_of, watch

_LOG = logger("thriftlens.gateway")
_NO_BODY = frozenset((204, 304))
Source = Union[str, "os.PathLike[str]", Schema]


class _RequestInfo:
    """Data of a request for metrics and the access log."""

    __slots__ = ("route", "function", "role", "carried", "code", "body_size")

    def __init__(self) -> None:
        self.body_size = 0
        self.route = ""
        self.function: Optional[str] = None
        self.role: Optional[str] = None
        self.carried: Optional[dict[str, str]] = None
        self.code: Optional[str] = None


class Gateway:
    """An ASGI application that calls Thrift services; created by tl.gateway.

    It runs in one event loop at a time.
    """

    def __init__(self, idl: Source, options: Mapping[str, Any]):
        self._options = options
        self._source = idl
        self._limits: Limits = limits_of(options["limits"])
        self._policies = Policies(options["roles"], options["policies"])
        self._carrier = Carrier(options["carry"])
        self._pages = (
            {} if options["pages"] is None else {options["pages"] + name: name for name in NAMES}
        )
        self._assets = None if options["pages"] is None else options["pages"] + "/docs/"
        self._pools: dict[tuple[str, str, str], Upstream] = {}
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._watching: Optional[asyncio.Task[None]] = None
        self._seen = None if options["watch"] is None else signature_of(self._folders())
        self._fields = None if options["fields"] is None else options["fields"].encode()
        self._is_raw = options["plan"].get("binary") == "raw"
        self._bodies = Bodies()
        self.metrics = Metrics()
        self.upstreams: dict[str, Upstream] = {}
        self._table = self._table_of(idl)

    def __repr__(self) -> str:
        return f"<thriftlens.Gateway of {', '.join(service.name for service in self._table.services)} with {len(self._table.routes)} routes>"

    @property
    def routes(self) -> list[tuple[str, str, str]]:
        """(verb, path, function) of the routes."""
        return [(route.method, route.path, endpoint.name) for route, endpoint in self._table.routes]

    def openapi(self, root: str = "") -> bytes:
        """The document of /openapi.json. root: the path at which this application is mounted."""
        table = self._table
        if table.document is None:
            routes = [
                (route.method, route.path, endpoint.function, endpoint.name)
                for route, endpoint in table.routes
            ]
            fields = self._options["fields"]
            table.document = json.dumps(
                _openapi.document(table.services, routes, self._options["plan"], fields),
                ensure_ascii=False,
            ).encode()
        return _served_at(root, table.document) if root else table.document

    def reload(self, idl: Optional[Source] = None) -> None:
        """Loads and serves this IDL; by default, the same files again. Requests in progress use the
        old one.

        Raises as tl.gateway does, and then keeps the old IDL. Thread-safe."""
        try:
            self._table = self._table_of(self._source if idl is None else idl)
        except Exception:
            self.metrics.reloads["refused"] += 1
            raise
        self.metrics.reloads["done"] += 1
        self._source = self._source if idl is None else idl

    async def close(self) -> None:
        """Closes the upstream connections; ASGI servers call it through the lifespan protocol."""
        self._seen = None
        if self._watching is not None:
            self._watching.cancel()
            self._watching = None
        for upstream in self._pools.values():
            upstream.close()
        self._pools.clear()
        await asyncio.sleep(0)

    # ---- the table

    def _table_of(self, idl: Source) -> Table:
        schema = self._load(idl)
        upstream = self._options["upstream"]
        services = _services(schema, upstream, self._options["service"])
        upstreams = {
            service.name: self._pool(
                upstream if isinstance(upstream, str) else upstream[_key(upstream, service.name)],
                service,
            )
            for service in services
        }
        options = TableOptions(
            upstreams=upstreams,
            policies=self._policies,
            plan=self._options["plan"],
            fields=self._options["fields"],
            plain_routes=self._options["routes"] == "all",
            multiplexed=self._options["multiplexed"],
            reserved=frozenset(self._pages),
        )
        table = Table(schema, services, options)
        self.upstreams = upstreams
        return table

    def _load(self, idl: Source) -> Schema:
        if isinstance(idl, Schema):
            return idl
        return idl() if callable(idl) else load(idl, include_dirs=self._options["include_dirs"])

    def _pool(self, address: Union[str, Mapping[str, str]], service: Service) -> Upstream:
        parts = {"address": address} if isinstance(address, str) else dict(address)
        unknown = [name for name in parts if name not in ("address", "transport", "protocol")]
        if unknown or "address" not in parts:
            raise ValueError(
                f"upstream: expected an address, or a mapping with address, transport and protocol, not {address!r}"
            )
        key = (
            parts["address"],
            parts.get("transport", self._options["transport"]),
            parts.get("protocol", self._options["protocol"]),
        )
        pool = self._pools.get(key)
        if pool is None:
            target = target_of(*key, self._options["tls"], self._limits.reply)
            seconds = min(5.0, self._options["timeout"])
            pool = self._pools[key] = Upstream(
                target,
                self._options["pool"],
                seconds,
                prefix_of(service, self._options["multiplexed"]),
            )
        return pool

    # ---- ASGI

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        kind = scope["type"]
        if kind == "http":
            await self._http(scope, receive, send)
        elif kind == "lifespan":
            await self._lifespan(receive, send)
        elif kind == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1000})
        else:
            raise ValueError(f"unsupported ASGI scope type {kind!r}")

    async def _lifespan(self, receive: Any, send: Any) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._enter()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _enter(self) -> None:
        """Attaches to the running event loop.

        Requests call it too: an outer application may not forward lifespan events.
        """
        loop = asyncio.get_running_loop()
        if loop is self._loop:
            return
        if self._loop is not None and not self._loop.is_closed():
            raise RuntimeError("a gateway runs in one event loop; create one per loop")
        for upstream in self._pools.values():
            upstream.forget()
        self._loop, self._watching = loop, None
        self._watch()

    def _watch(self) -> None:
        """Starts the task that watches the IDL files."""
        if self._seen is not None and self._watching is None:
            self._watching = asyncio.ensure_future(
                watch(self._folders(), self._seen, self._options["watch"], self.reload)
            )

    def _folders(self) -> list[Any]:
        assert not isinstance(self._source, Schema)
        return [os.path.dirname(os.path.abspath(self._source)), *self._options["include_dirs"]]

    async def _http(self, scope: Any, receive: Any, send: Any) -> None:
        began = time.perf_counter()
        info, metrics = _RequestInfo(), self.metrics
        metrics.in_flight += 1
        try:
            answer = await self._answer(scope, receive, info)
        except Refusal as refusal:
            info.code = refusal.code
            answer = refusal.answer()
        except Disconnected:
            info.code = "gone"
            return
        except Exception:
            _LOG.exception("a request ended with an error of the gateway")
            info.code = "internal_error"
            answer = Refusal(500, "internal_error", "error of the gateway; see its log").answer()
        finally:
            metrics.in_flight -= 1
            self._bodies.size -= info.body_size
        headers = answer.headers
        if answer.status not in _NO_BODY:
            headers = [*headers, (b"content-length", b"%d" % len(answer.body))]
        body = b"" if scope["method"] == "HEAD" else answer.body
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        seconds = time.perf_counter() - began
        metrics.count(scope["method"] if info.route else "", info.route, answer.status, seconds)
        if is_logged():
            log(scope, info, answer.status, len(body), seconds)

    async def _answer(self, scope: Any, receive: Any, info: _RequestInfo) -> Answer:
        self._enter()
        method, path = scope["method"], _path_of(scope)
        query = scope["query_string"]
        url = f"{path}?{query.decode('latin-1')}" if query else path
        check_head(scope, url, self._limits)
        if path in self._pages or (self._assets is not None and path.startswith(self._assets)):
            info.route = path if path in self._pages else f"{self._assets}*"
            return await page_of(
                self, method, path[len(self._options["pages"]) :], scope.get("root_path") or ""
            )
        if self.metrics.in_flight > self._limits.calls:
            raise Refusal(
                503,
                "busy",
                f"more than {self._limits.calls} concurrent requests",
                [(b"retry-after", b"1")],
            )
        match = _match(self._table.router, method, path)
        endpoint, info.route = match.target
        info.function = endpoint.name
        info.role = await self._policies.role(scope)
        selection = self._selection(endpoint, query)
        headers = scope["headers"]
        body = await read_body(scope, receive, self._limits, self._bodies)
        info.body_size = len(body)
        if body:
            headers, body = self._form(scope, endpoint, body)
        info.carried = self._carrier.headers(scope)
        target = await _upstream_result(endpoint.upstream.target(info.carried))
        try:
            arguments = endpoint.plan(target.protocol).request(
                method=method, url=url, headers=headers, path_params=match.path_params, body=body
            )
        except Error as error:
            if error.code == "missing_required":
                raise missing_part(error, endpoint.locations, is_form(scope)) from None
            raise bad_request(error) from None
        carried = info.carried if target.transport in HEADER_TRANSPORTS else None
        deadline = time.monotonic() + self._options["timeout"]
        request = Request(
            endpoint.wire_name, arguments, endpoint.function.oneway, carried, None, deadline
        )
        event = await _upstream_result(endpoint.upstream.call(request))
        try:
            return answer_of(endpoint, event, endpoint.redactions[info.role], selection)
        except Error as error:
            raise _bad_reply(
                error, info.role is not None and endpoint.redactions[info.role].options is not None
            ) from None

    def _selection(self, endpoint: Endpoint, query: bytes) -> Any:
        if endpoint.fields is None or self._fields is None or self._fields not in query:
            return None
        try:
            pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True, max_num_fields=4096)
        except ValueError:
            raise Refusal(400, "size_limit", "the query has too many parameters") from None
        texts = [value for name, value in pairs if name == endpoint.fields]
        if len(texts) > 1:
            raise Refusal(
                400,
                "duplicate_key",
                f"duplicate query parameter {endpoint.fields}",
                parameter=endpoint.fields,
            )
        return endpoint.selector.selection(texts[0]) if texts else None

    def _form(self, scope: Any, endpoint: Endpoint, body: bytes) -> tuple[Any, bytes]:
        """Headers and body for the plan: a multipart form becomes an urlencoded one."""
        content_type = header_of(scope, b"content-type")
        if content_type is None or not is_multipart(content_type):
            return scope["headers"], body
        urlencoded = without_files(content_type, body, endpoint.files, self._is_raw)
        if not urlencoded:
            return scope["headers"], body
        return [
            *(header for header in scope["headers"] if header[0] != b"content-type"),
            (b"content-type", URLENCODED),
        ], urlencoded


async def _upstream_result(work: Any) -> Any:
    """Result of a call; upstream errors become Refusal."""
    try:
        return await work
    except TransportError as error:
        is_slow = error.code == "timeout"
        raise Refusal(
            504 if is_slow else 502,
            error.code,
            "the upstream did not answer in time" if is_slow else _unreachable_text(error),
        ) from None
    except Error as error:
        raise _bad_reply(error, False) from None


def _unreachable_text(error: TransportError) -> str:
    """Omits the upstream's address, which clients must not see; the log has it."""
    return {
        "connection_refused": "the upstream refused the connection",
        "closed": "the upstream closed the connection",
    }.get(error.code, "the upstream cannot be reached")


def _bad_reply(error: Error, is_redacted: bool) -> Refusal:
    if isinstance(error, ApplicationError):
        return Refusal(502, error.code, str(error))
    _LOG.warning(
        "invalid reply: %s%s",
        error,
        "; limits={'reply': …} allows more" if error.code == "size_limit" else "",
    )
    detail = (
        "invalid reply from the upstream"
        if is_redacted
        else f"invalid reply from the upstream: {error}"
    )
    return Refusal(502, error.code, detail, **({} if is_redacted else location_of(error)))


def _match(router: http.Router, method: str, path: str) -> http.Match:
    """The route of a request.

    HEAD without a route of its own uses that of GET; the body is dropped.
    """
    match = router.find(method, path)
    if match.target is None and method == "HEAD" and "GET" in match.allowed:
        match = router.find("GET", path)
    if match.target is not None:
        return match
    if not match.allowed:
        raise Refusal(404, "not_found", "no route matches the path")
    allowed = [
        *match.allowed,
        *(["HEAD"] if "GET" in match.allowed and "HEAD" not in match.allowed else []),
    ]
    raise Refusal(
        405,
        "method_not_allowed",
        f"the path does not accept {method}",
        [(b"allow", ", ".join(allowed).encode("latin-1"))],
    )


def _served_at(root: str, document: bytes) -> bytes:
    """An OpenAPI document with a server URL for its paths."""
    return b'{"servers": %s, %s' % (json.dumps([{"url": quote(root)}]).encode(), document[1:])


def _path_of(scope: Any) -> str:
    """The path as sent, still percent-encoded, without the mount path of an outer application."""
    raw = scope.get("raw_path")
    path = raw.decode("latin-1") if raw else quote(scope["path"], safe="/~!$&'()*+,;=:@")
    path = path.partition("?")[0]
    root = scope.get("root_path") or ""
    return path[len(root) :] or "/" if root and path.startswith(root) else path


def _services(schema: Schema, upstream: Any, requested: Any) -> list[Service]:
    """Services to serve: by name, else those with an upstream, else all of the root file."""
    if requested is not None:
        names = [requested] if isinstance(requested, str) else list(requested)
    elif not isinstance(upstream, str):
        names = list(upstream)
    else:
        names = [name for name in schema.services if "." not in name] or list(schema.services)
    if not names:
        raise Error("the IDL has no service", code="no_service")
    services = [schema.service(name) for name in names]
    if not isinstance(upstream, str):
        for service in services:
            _key(upstream, service.name)
    return services


def _key(upstream: Mapping[str, Any], name: str) -> str:
    for key in (name, name.rpartition(".")[2]):
        if key in upstream:
            return key
    raise ValueError(f"the service {name} has no upstream")


def gateway(
    idl: Source,
    service: Union[str, Iterable[str], None] = None,
    *,
    upstream: Union[str, Mapping[str, Union[str, Mapping[str, str]]]],
    transport: str = "auto",
    protocol: str = "auto",
    timeout: float = 30.0,
    routes: Literal["annotated", "all"] = "annotated",
    fields: Optional[str] = "fields",
    roles: Optional[Roles] = None,
    policies: Optional[Mapping[str, Policy]] = None,
    limits: Optional[Mapping[str, float]] = None,
    plan: Optional[Mapping[str, Any]] = None,
    carry: Iterable[str] = (),
    pages: Optional[str] = "",
    watch: Optional[float] = None,
    pool: int = 8,
    tls: Any = None,
    multiplexed: bool = False,
    include_dirs: Iterable[Any] = (),
) -> Gateway:
    """An ASGI application that serves Thrift services over HTTP, by the annotations of their IDL.
    User guide: docs/gateway.md.

    idl: a file, or a Schema.
    service: names of the services to serve; default: those of `upstream`, or all of the root file.
    upstream: an address as for tl.connect, or a mapping of service names to an address or
    {"address", "transport", "protocol"}.
    transport, protocol: defaults for the upstreams; "auto" detects them.
    timeout: seconds for a call.
    routes: "all" adds POST /Service/function for functions without annotations.
    fields: the query parameter that selects response fields; None: no such parameter.
    roles: a function that returns the caller's role from the ASGI scope; may be async.
    policies: options of Type.redact by role; None for a role without restrictions. Other roles get
    403.
    limits: sizes, counts and seconds by name; the error for an unknown name lists them.
    plan: options of tl.http.plan.
    carry: further request headers to forward to the upstream.
    pages: path prefix of /healthz, /readyz, /metrics, /openapi.json and /docs; None: no such pages.
    watch: seconds between checks of the IDL's files, which are reloaded when they change.
    pool: maximum number of connections per upstream.
    tls: as for tl.connect, for all upstreams.
    multiplexed: the upstream serves several services and expects "Service:function" names.
    include_dirs: as for tl.load.

    Raises SchemaError, Error and ValueError for an invalid IDL or option. An unreachable upstream
    is no error: requests get 502 until it is up.

    >>> import asyncio
    >>> import thriftlens as tl
    >>> idl = tl.loads('service Sums { i64 total(1: list<i32> numbers (api.query="n")) (api.get="/total") }')
    >>> async def get(app, path, query):
    ...     sent = []
    ...     scope = {"type": "http", "method": "GET", "path": path, "query_string": query, "headers": []}
    ...     await app(scope, None, lambda message: asyncio.sleep(0, sent.append(message)))
    ...     await app.close()
    ...     return sent[0]["status"], sent[1]["body"]
    >>> async def main():
    ...     async with await tl.aio.serve(idl, "Sums", {"total": sum}) as server:
    ...         return await get(tl.gateway(idl, upstream=server.address), "/total", b"n=1,2,3")
    >>> asyncio.run(main())
    (200, b'6')
    """
    if not isinstance(upstream, (str, Mapping)):
        raise TypeError(
            f"upstream: expected an address or a mapping of service names to addresses, not {upstream!r}"
        )
    if routes not in ("annotated", "all"):
        raise ValueError(f"routes: expected 'annotated' or 'all', not {routes!r}")
    if watch is not None and isinstance(idl, Schema):
        raise ValueError("watch requires the path of an IDL file, not a Schema")
    if pages and (pages[0] != "/" or pages[-1] == "/"):
        raise ValueError(
            f"pages: expected a path with a leading and without a trailing slash, not {pages!r}"
        )
    if isinstance(carry, str):
        raise TypeError(f"carry: expected a list of header names, not {carry!r}")
    for name, number in (
        ("timeout", timeout),
        ("watch", 1 if watch is None else watch),
        ("pool", pool),
    ):
        if not isinstance(number, (int, float)) or not number > 0:
            raise ValueError(f"{name}: expected a number above 0, not {number!r}")
    options = {
        "service": service,
        "upstream": upstream,
        "transport": transport,
        "protocol": protocol,
        "timeout": timeout,
        "routes": routes,
        "fields": fields,
        "roles": roles,
        "policies": policies,
        "limits": limits,
        "plan": dict(plan or {}),
        "carry": tuple(carry),
        "pages": pages,
        "watch": watch,
        "pool": pool,
        "tls": tls,
        "multiplexed": multiplexed,
        "include_dirs": tuple(include_dirs),
    }
    return Gateway(idl, options)


Gateway.__module__ = gateway.__module__ = "thriftlens"
