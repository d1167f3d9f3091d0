"""tl.gateway: the ASGI application."""

from __future__ import annotations

import asyncio
import json
import os
import time
from typing import Any, Callable, Iterable, Literal, Mapping, Optional, Union
from urllib.parse import parse_qsl, quote

from .. import openapi as _openapi
from ... import http
from ..._rpc.calls import prefix_of
from ..._errors import ApplicationError, DecodeError, Error, JSONError, TransportError
from ..._rpc.link import Request
from ..._rpc.options import HEADER_TRANSPORTS
from ..._schema.schema import Schema, Service, load
from ..._rpc.log import logger
from .answers import CLOSE, Answer, Refusal, bad_request, missing_part, place_of
from .forms import URLENCODED, is_form, is_multipart, without_files
from .limits import Limits, limits_of
from .metrics import Metrics
from .pages import NAMES, page_of
from .policies import Policies, Policy, Roles
from .replies import answer_of
from .requests import Bodies, Gone, check_head, header_of, read_body
from .table import Endpoint, Table, Wishes
from .trace import Carrier, is_logged, log
from .upstream import Upstream, target_of
from .watch import signature_of, watch

_LOG = logger("thriftlens.gateway")
_NO_BODY = frozenset((204, 304))
Source = Union[str, "os.PathLike[str]", Schema]


class _Visit:
    """What is known of a request when it ends."""

    __slots__ = ("route", "function", "role", "carried", "code", "body_size")

    def __init__(self) -> None:
        self.body_size = 0
        self.route = ""
        self.function: Optional[str] = None
        self.role: Optional[str] = None
        self.carried: Optional[dict[str, str]] = None
        self.code: Optional[str] = None


class Gateway:
    """An ASGI application in front of Thrift services; made by tl.gateway. It serves in one event loop, and after that in another."""

    def __init__(self, idl: Source, words: Mapping[str, Any]):
        self._words = words
        self._source = idl
        self._limits: Limits = limits_of(words["limits"])
        self._policies = Policies(words["roles"], words["policies"])
        self._carrier = Carrier(words["carry"])
        self._pages = {} if words["pages"] is None else {words["pages"] + name: name for name in NAMES}
        self._assets = None if words["pages"] is None else words["pages"] + "/docs/"
        self._pools: dict[tuple[str, str, str], Upstream] = {}
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._watching: Optional[asyncio.Task[None]] = None
        self._seen = None if words["watch"] is None else signature_of(self._folders())
        self._fields = None if words["fields"] is None else words["fields"].encode()
        self._is_raw = words["plan"].get("binary") == "raw"
        self._bodies = Bodies()
        self.metrics = Metrics()
        self.upstreams: dict[str, Upstream] = {}
        self._table = self._made(idl)

    def __repr__(self) -> str:
        return f"<thriftlens.Gateway of {', '.join(each.name for each in self._table.services)} with {len(self._table.routes)} routes>"

    @property
    def routes(self) -> list[tuple[str, str, str]]:
        """Verb, path and function of each route."""
        return [(route.method, route.path, endpoint.name) for route, endpoint in self._table.routes]

    def openapi(self, root: str = "") -> bytes:
        """The document of /openapi.json. root: the path that this application is mounted at, where its routes begin."""
        table = self._table
        if table.document is None:
            routes = [(route.method, route.path, endpoint.function, endpoint.name) for route, endpoint in table.routes]
            fields = self._words["fields"]
            table.document = json.dumps(_openapi.document(table.services, routes, self._words["plan"], fields), ensure_ascii=False).encode()
        return _served_at(root, table.document) if root else table.document

    def reload(self, idl: Optional[Source] = None) -> None:
        """Serves this IDL from now on, by default the same files as they are now. Requests under way end with the old one.

        Raises what tl.gateway raises; then nothing has changed. May be called by any thread."""
        try:
            self._table = self._made(self._source if idl is None else idl)
        except Exception:
            self.metrics.reloads["refused"] += 1
            raise
        self.metrics.reloads["done"] += 1
        self._source = self._source if idl is None else idl

    async def close(self) -> None:
        """Ends the connections; servers call it by the lifespan protocol."""
        self._seen = None
        if self._watching is not None:
            self._watching.cancel()
            self._watching = None
        for each in self._pools.values():
            each.close()
        self._pools.clear()
        await asyncio.sleep(0)

    # ---- the table

    def _made(self, idl: Source) -> Table:
        schema = self._loaded(idl)
        upstream, wanted = self._words["upstream"], self._words["service"]
        services = _services(schema, upstream, wanted)
        upstreams = {each.name: self._pool(upstream if isinstance(upstream, str) else upstream[_key(upstream, each.name)], each) for each in services}
        wishes = Wishes(
            upstreams=upstreams,
            policies=self._policies,
            plan=self._words["plan"],
            fields=self._words["fields"],
            plain_routes=self._words["routes"] == "all",
            multiplexed=self._words["multiplexed"],
            reserved=frozenset(self._pages),
        )
        table = Table(schema, services, wishes)
        self.upstreams = upstreams
        return table

    def _loaded(self, idl: Source) -> Schema:
        if isinstance(idl, Schema):
            return idl
        return idl() if callable(idl) else load(idl, include_dirs=self._words["include_dirs"])

    def _pool(self, told: Union[str, Mapping[str, str]], service: Service) -> Upstream:
        words = {"address": told} if isinstance(told, str) else dict(told)
        unknown = [name for name in words if name not in ("address", "transport", "protocol")]
        if unknown or "address" not in words:
            raise ValueError(f"an upstream is an address, or a mapping with address, transport and protocol, not {told!r}")
        key = (words["address"], words.get("transport", self._words["transport"]), words.get("protocol", self._words["protocol"]))
        found = self._pools.get(key)
        if found is None:
            target = target_of(*key, self._words["tls"], self._limits.reply)
            seconds = min(5.0, self._words["timeout"])
            found = self._pools[key] = Upstream(target, self._words["pool"], seconds, prefix_of(service, self._words["multiplexed"]))
        return found

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
            raise ValueError(f"an ASGI application of HTTP was asked for {kind!r}")

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
        """Serves in the running event loop from now on. The first request does it too: an application around often keeps the lifespan to itself."""
        loop = asyncio.get_running_loop()
        if loop is self._loop:
            return
        if self._loop is not None and not self._loop.is_closed():
            raise RuntimeError("a gateway serves in one event loop: make one for each")
        for each in self._pools.values():
            each.forget()
        self._loop, self._watching = loop, None
        self._watch()

    def _watch(self) -> None:
        """Begins to look at the files."""
        if self._seen is not None and self._watching is None:
            self._watching = asyncio.ensure_future(watch(self._folders(), self._seen, self._words["watch"], self.reload))

    def _folders(self) -> list[Any]:
        assert not isinstance(self._source, Schema)
        return [os.path.dirname(os.path.abspath(self._source)), *self._words["include_dirs"]]

    async def _http(self, scope: Any, receive: Any, send: Any) -> None:
        began = time.perf_counter()
        visit, metrics = _Visit(), self.metrics
        metrics.in_flight += 1
        try:
            answer = await self._answer(scope, receive, visit)
        except Refusal as refusal:
            visit.code = refusal.code
            answer = refusal.answer()
        except Gone:
            visit.code = "gone"
            return
        except Exception:
            _LOG.exception("a request ended with an error of the gateway")
            visit.code = "internal_error"
            answer = Refusal(500, "internal_error", "the gateway failed; its log says how").answer()
        finally:
            metrics.in_flight -= 1
            self._bodies.size -= visit.body_size
        headers = answer.headers
        if answer.status not in _NO_BODY:
            headers = [*headers, (b"content-length", b"%d" % len(answer.body))]
        body = b"" if scope["method"] == "HEAD" else answer.body
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        seconds = time.perf_counter() - began
        metrics.count(scope["method"] if visit.route else "", visit.route, answer.status, seconds)
        if is_logged():
            log(scope, visit, answer.status, len(body), seconds)

    async def _answer(self, scope: Any, receive: Any, visit: _Visit) -> Answer:
        self._enter()
        method, path = scope["method"], _path_of(scope)
        query = scope["query_string"]
        url = f"{path}?{query.decode('latin-1')}" if query else path
        check_head(scope, url, self._limits)
        if path in self._pages or (self._assets is not None and path.startswith(self._assets)):
            visit.route = path if path in self._pages else f"{self._assets}*"
            return await page_of(self, method, path[len(self._words["pages"]) :], scope.get("root_path") or "")
        if self.metrics.in_flight > self._limits.calls:
            raise Refusal(503, "busy", f"more than {self._limits.calls} requests are under way", [(b"retry-after", b"1")])
        match = _match(self._table.router, method, path)
        endpoint, visit.route = match.target
        visit.function = endpoint.name
        visit.role = await self._policies.role(scope)
        selection = self._selection(endpoint, query)
        headers = scope["headers"]
        body = await read_body(scope, receive, self._limits, self._bodies)
        visit.body_size = len(body)
        if body:
            headers, body = self._form(scope, endpoint, body)
        visit.carried = self._carrier.headers(scope)
        target = await _reached(endpoint.upstream.target(visit.carried))
        try:
            arguments = endpoint.plan(target.protocol).request(
                method=method, url=url, headers=headers, path_params=match.path_params, body=body
            )
        except Error as error:
            if error.code == "missing_required":
                raise missing_part(error, endpoint.places, is_form(scope)) from None
            raise bad_request(error) from None
        carried = visit.carried if target.transport in HEADER_TRANSPORTS else None
        deadline = time.monotonic() + self._words["timeout"]
        request = Request(endpoint.called, arguments, endpoint.function.oneway, carried, None, deadline)
        event = await _reached(endpoint.upstream.call(request))
        try:
            return answer_of(endpoint, event, endpoint.redactions[visit.role], selection)
        except Error as error:
            raise _bad_reply(error, visit.role is not None and endpoint.redactions[visit.role].options is not None) from None

    def _selection(self, endpoint: Endpoint, query: bytes) -> Any:
        if endpoint.fields is None or self._fields is None or self._fields not in query:
            return None
        try:
            pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True, max_num_fields=4096)
        except ValueError:
            raise Refusal(400, "size_limit", "the query has too many parameters") from None
        texts = [value for name, value in pairs if name == endpoint.fields]
        if len(texts) > 1:
            raise Refusal(400, "duplicate_key", f"{endpoint.fields} stands in the query more than once", parameter=endpoint.fields)
        return endpoint.selector.selection(texts[0]) if texts else None

    def _form(self, scope: Any, endpoint: Endpoint, body: bytes) -> tuple[Any, bytes]:
        """Headers and body as the plan takes them: a form with files as one without."""
        content_type = header_of(scope, b"content-type")
        if content_type is None or not is_multipart(content_type):
            return scope["headers"], body
        made = without_files(content_type, body, endpoint.files, self._is_raw)
        if not made:
            return scope["headers"], body
        return [*(each for each in scope["headers"] if each[0] != b"content-type"), (b"content-type", URLENCODED)], made


async def _reached(work: Any) -> Any:
    """What comes of a call; faults of the upstream as refusals."""
    try:
        return await work
    except TransportError as error:
        is_slow = error.code == "timeout"
        raise Refusal(504 if is_slow else 502, error.code, "the upstream did not answer in time" if is_slow else _unreached(error)) from None
    except Error as error:
        raise _bad_reply(error, False) from None


def _unreached(error: TransportError) -> str:
    """Without the upstream's address, which is nobody's business; the log has it."""
    return {"connection_refused": "the upstream is not there", "closed": "the upstream closed the connection"}.get(error.code, "the upstream cannot be reached")


def _bad_reply(error: Error, is_redacted: bool) -> Refusal:
    if isinstance(error, ApplicationError):
        return Refusal(502, error.code, str(error))
    _LOG.warning("a reply is no good: %s%s", error, "; limits={'reply': …} allows more" if error.code == "size_limit" else "")
    told = "the upstream's reply is no good" if is_redacted else f"the upstream's reply is no good: {error}"
    return Refusal(502, error.code, told, **({} if is_redacted else place_of(error)))


def _match(router: http.Router, method: str, path: str) -> http.Match:
    """Where a request leads. HEAD is answered as GET, without the body, where it has no route of its own."""
    match = router.find(method, path)
    if match.target is None and method == "HEAD" and "GET" in match.allowed:
        match = router.find("GET", path)
    if match.target is not None:
        return match
    if not match.allowed:
        raise Refusal(404, "not_found", "no route has that path")
    allowed = [*match.allowed, *(["HEAD"] if "GET" in match.allowed and "HEAD" not in match.allowed else [])]
    raise Refusal(405, "method_not_allowed", f"that path does not answer {method}", [(b"allow", ", ".join(allowed).encode("latin-1"))])


def _served_at(root: str, document: bytes) -> bytes:
    """A document of OpenAPI with the place where its paths begin."""
    return b'{"servers": %s, %s' % (json.dumps([{"url": quote(root)}]).encode(), document[1:])


def _path_of(scope: Any) -> str:
    """As it was sent, percent signs and all, without what an application around has taken."""
    raw = scope.get("raw_path")
    path = raw.decode("latin-1") if raw else quote(scope["path"], safe="/~!$&'()*+,;=:@")
    path = path.partition("?")[0]
    root = scope.get("root_path") or ""
    return path[len(root) :] or "/" if root and path.startswith(root) else path


def _services(schema: Schema, upstream: Any, wanted: Any) -> list[Service]:
    """Those that are served: named ones, those that have an upstream, or all that the root file has."""
    if wanted is not None:
        names = [wanted] if isinstance(wanted, str) else list(wanted)
    elif not isinstance(upstream, str):
        names = list(upstream)
    else:
        names = [each for each in schema.services if "." not in each] or list(schema.services)
    if not names:
        raise Error("the IDL has no service", code="no_service")
    found = [schema.service(each) for each in names]
    if not isinstance(upstream, str):
        for each in found:
            _key(upstream, each.name)
    return found


def _key(upstream: Mapping[str, Any], name: str) -> str:
    for each in (name, name.rpartition(".")[2]):
        if each in upstream:
            return each
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
    """An ASGI application that answers HTTP by calls to Thrift services, as the annotations of their IDL say. docs/gateway.md has all of it.

    idl: a file, or a Schema.
    service: which ones, by name; by default those of `upstream`, or all of the root file.
    upstream: an address as tl.connect takes it, or one for each service by name, each an address or {"address", "transport", "protocol"}.
    transport, protocol: of upstreams that do not say their own; "auto" asks the server.
    timeout: seconds for a call.
    routes: "all" gives functions without annotation POST /Service/function.
    fields: the query parameter that selects parts of the answer; None: none does.
    roles: gives the role of a caller by the ASGI scope; may be awaitable.
    policies: of each role the options of Type.redact, or None where it may see all. Other roles are refused.
    limits: on sizes, numbers and seconds, by name; a wrong name lists them.
    plan: options of tl.http.plan.
    carry: further headers that go on into the call.
    pages: what stands in front of /healthz, /readyz, /metrics, /openapi.json and /docs; None: none of them.
    watch: seconds between looks at the IDL's files, which are loaded again when they change.
    pool: connections to each upstream.
    tls: what tl.connect takes as its tls, for all upstreams.
    multiplexed: the upstreams are one server that tells services apart by name.
    include_dirs: as tl.load has them.

    Raises SchemaError, Error and ValueError for what cannot be served; a server that is not there is none of them: requests get 502 until it is.

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
        raise TypeError(f"upstream is an address or a mapping of them by service, not {upstream!r}")
    if routes not in ("annotated", "all"):
        raise ValueError(f"routes is 'annotated' or 'all', not {routes!r}")
    if watch is not None and isinstance(idl, Schema):
        raise ValueError("watch needs the file of the IDL, not a Schema")
    if pages and (pages[0] != "/" or pages[-1] == "/"):
        raise ValueError(f"pages begins with a slash, and does not end with one: {pages!r}")
    if isinstance(carry, str):
        raise TypeError(f"carry is a list of headers, not {carry!r}")
    for name, number in (("timeout", timeout), ("watch", 1 if watch is None else watch), ("pool", pool)):
        if not isinstance(number, (int, float)) or not number > 0:
            raise ValueError(f"{name} is a number above 0, not {number!r}")
    words = {
        "service": service, "upstream": upstream, "transport": transport, "protocol": protocol, "timeout": timeout, "routes": routes, "fields": fields,
        "roles": roles, "policies": policies, "limits": limits, "plan": dict(plan or {}), "carry": tuple(carry), "pages": pages, "watch": watch,
        "pool": pool, "tls": tls, "multiplexed": multiplexed, "include_dirs": tuple(include_dirs),
    }
    return Gateway(idl, words)


Gateway.__module__ = gateway.__module__ = "thriftlens"
