"""tl.gateway: the ASGI application."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, Iterable, Mapping, Optional, Union

from ..._errors import Error
from ..._rpc.log import logger
from ..._rpc.options import show_options, with_defaults
from ..._schema.loading import load
from ..._schema.schemas import Schema
from ..._schema.services import Service
from ..._typing import Receive, Scope, Send
from .answers import Answer, Refusal
from .dispatch import Dispatcher, RequestInfo
from .metrics import Metrics
from .options import Address, GatewayOptions, Source, check_options, limits_of
from .policies import Policies
from .requests import Disconnected
from .table import Table, TableOptions
from .trace import is_logged, log
from .upstream import Upstreams
from .watch import Folder, signature_of, watch

if TYPE_CHECKING:
    from typing_extensions import Unpack

_LOG = logger("thriftlens.gateway")
_NO_BODY = frozenset((204, 304))
Services = Union[str, Iterable[str], None]


class Gateway:
    """An ASGI application that calls Thrift services; created by tl.gateway.

    It runs in one event loop at a time."""

    def __init__(
        self,
        idl: Source,
        service: Services,
        upstream: Union[str, Mapping[str, Address]],
        options: GatewayOptions,
    ):
        self._limits = limits_of(options["limits"])
        self.metrics = Metrics()
        self._source = idl
        self._service = service
        self._options = options
        self._policies = Policies(options["roles"], options["policies"])
        self._dispatcher = Dispatcher(options, self._policies, self._limits, self.metrics)
        self._upstreams = Upstreams(upstream, options, self._limits.reply)
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._watching: Optional[asyncio.Task[None]] = None
        self._seen = None if options["watch"] is None else signature_of(self._folders())
        self._table = self._table_of(idl)

    def __repr__(self) -> str:
        names = ", ".join(service.name for service in self._table.services)
        return f"<thriftlens.Gateway of {names} with {len(self._table.routes)} routes>"

    @property
    def routes(self) -> list[tuple[str, str, str]]:
        """(verb, path, function) of the routes."""
        return [(route.method, route.path, endpoint.name) for route, endpoint in self._table.routes]

    def openapi(self, root: str = "") -> bytes:
        """The document of /openapi.json. root: the path at which this application is mounted."""
        return self._table.openapi(root)

    def reload(self, idl: Optional[Source] = None) -> None:
        """Loads and serves this IDL; by default, the same files again. Requests in progress use the
        old one.

        Raises as tl.gateway does, and then keeps the old IDL. Thread-safe."""
        try:
            self._table = self._table_of(self._source if idl is None else idl)
        except Exception:
            self.metrics.reloads["error"] += 1
            raise
        self.metrics.reloads["ok"] += 1
        self._source = self._source if idl is None else idl

    async def close(self) -> None:
        """Closes the upstream connections; ASGI servers call it through the lifespan protocol."""
        self._seen = None
        if self._watching is not None:
            self._watching.cancel()
            self._watching = None
        self._upstreams.close()
        await asyncio.sleep(0)

    def _table_of(self, idl: Source) -> Table:
        schema = self._load(idl)
        services = self._services(schema)
        options = TableOptions(
            upstreams={service.name: self._upstreams.of(service) for service in services},
            policies=self._policies,
            plan=self._options["plan"] or {},
            fields=self._options["fields"],
            plain_routes=self._options["routes"] == "all",
            multiplexed=self._options["multiplexed"],
            reserved=self._dispatcher.pages.paths,
        )
        return Table(schema, services, options)

    def _load(self, idl: Source) -> Schema:
        if isinstance(idl, Schema):
            return idl
        return idl() if callable(idl) else load(idl, include_dirs=self._options["include_dirs"])

    def _services(self, schema: Schema) -> list[Service]:
        """Services to serve: by name, else those with an upstream, else all of the root file."""
        if self._service is not None:
            names = [self._service] if isinstance(self._service, str) else list(self._service)
        else:
            root = [name for name in schema.services if "." not in name]
            names = self._upstreams.service_names or root or list(schema.services)
        if not names:
            raise Error("the IDL has no service", code="no_service")
        return [schema.service(name) for name in names]

    def _folders(self) -> list[Folder]:
        assert not isinstance(self._source, Schema)
        return [os.path.dirname(os.path.abspath(self._source)), *self._options["include_dirs"]]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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

    async def _lifespan(self, receive: Receive, send: Send) -> None:
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

        Requests call it too: an outer application may not forward lifespan events."""
        loop = asyncio.get_running_loop()
        if loop is self._loop:
            return
        if self._loop is not None and not self._loop.is_closed():
            raise RuntimeError("a gateway runs in one event loop; create one per loop")
        self._upstreams.forget()
        self._loop, self._watching = loop, None
        self._watch()

    def _watch(self) -> None:
        """Starts the task that watches the IDL files."""
        interval = self._options["watch"]
        if interval is not None and self._seen is not None and self._watching is None:
            self._watching = asyncio.ensure_future(
                watch(self._folders(), self._seen, interval, self.reload)
            )

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        info, metrics = RequestInfo(), self.metrics
        metrics.in_flight += 1
        try:
            answer = await self._answer(scope, receive, info)
        except Disconnected:
            info.code = "gone"
            return
        finally:
            metrics.in_flight -= 1
            self._dispatcher.release(info)
        size = await _send(answer, scope["method"], send)
        seconds = time.perf_counter() - began
        metrics.count(scope["method"] if info.route else "", info.route, answer.status, seconds)
        if is_logged():
            log(scope, info, answer.status, size, seconds)

    async def _answer(self, scope: Scope, receive: Receive, info: RequestInfo) -> Answer:
        """The response; that of an error for errors other than Disconnected."""
        try:
            self._enter()
            return await self._dispatcher.answer(self._table, scope, receive, info)
        except Refusal as refusal:
            info.code = refusal.code
            return refusal.answer()
        except Disconnected:
            raise
        except Exception:
            _LOG.exception("a request ended with an error of the gateway")
            info.code = "internal_error"
            return Refusal(500, "internal_error", "error of the gateway; see its log").answer()


async def _send(answer: Answer, method: str, send: Send) -> int:
    """Sends a response. Returns the size of its body."""
    headers = answer.headers
    if answer.status not in _NO_BODY:
        headers = [*headers, (b"content-length", b"%d" % len(answer.body))]
    body = b"" if method == "HEAD" else answer.body
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
    return len(body)


def gateway(
    idl: Source,
    service: Services = None,
    *,
    upstream: Union[str, Mapping[str, Address]],
    **options: Unpack[GatewayOptions],
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
    >>> idl = tl.loads('''service Sums {
    ...   i64 total(1: list<i32> numbers (api.query="n")) (api.get="/total")
    ... }''')
    >>> async def get(app, path, query):
    ...     sent = []
    ...     head = {"method": "GET", "path": path, "query_string": query, "headers": []}
    ...     scope = {"type": "http", **head}
    ...     await app(scope, None, lambda message: asyncio.sleep(0, sent.append(message)))
    ...     await app.close()
    ...     return sent[0]["status"], sent[1]["body"]
    >>> async def main():
    ...     async with await tl.aio.serve(idl, "Sums", {"total": sum}) as server:
    ...         return await get(tl.gateway(idl, upstream=server.address), "/total", b"n=1,2,3")
    >>> asyncio.run(main())
    (200, b'6')
    """
    checked = with_defaults("gateway", options, GatewayOptions)
    check_options(idl, upstream, checked)
    checked["carry"] = tuple(checked["carry"])
    checked["include_dirs"] = tuple(checked["include_dirs"])
    return Gateway(idl, service, upstream, checked)


show_options(gateway, GatewayOptions)
Gateway.__module__ = gateway.__module__ = "thriftlens"
