"""Requests of a gateway: routing, the call of the upstream, the response."""

from __future__ import annotations

import time
from typing import Awaitable, NamedTuple, Optional, TypeVar
from urllib.parse import parse_qsl, quote

from ..._errors import ApplicationError, Error, TransportError
from ..._rpc.log import logger
from ..._rpc.options import HEADER_TRANSPORTS
from ..._rpc.target import Request
from ..._typing import Receive, Scope
from ..router import Match, Router
from .answers import Answer, Headers, Refusal, bad_request, location_of, missing_part
from .fields import ResultSelection
from .forms import URLENCODED, is_form, is_multipart, without_files
from .metrics import Metrics
from .options import GatewayOptions, Limits
from .pages import Pages
from .policies import Policies
from .replies import answer_of
from .requests import Bodies, check_head, header_of, read_body
from .table import Endpoint, Table
from .trace import Carrier

_LOG = logger("thriftlens.gateway")
_T = TypeVar("_T")


class RequestInfo:
    """Data of a request for metrics and the access log."""

    __slots__ = ("route", "function", "role", "carried", "code", "body_size")

    def __init__(self) -> None:
        self.body_size = 0
        self.route = ""
        self.function: Optional[str] = None
        self.role: Optional[str] = None
        self.carried: Optional[dict[str, str]] = None
        self.code: Optional[str] = None


class HttpRequest(NamedTuple):
    """What a plan reads of a request."""

    method: str
    url: str
    headers: Headers
    path_params: list[tuple[str, str]]
    body: bytes
    is_form: bool


class Dispatcher:
    """Answers requests by the routes of a table."""

    def __init__(
        self, options: GatewayOptions, policies: Policies, limits: Limits, metrics: Metrics
    ):
        self.pages = Pages(options["pages"], metrics)
        self.limits = limits
        self._policies = policies
        self._metrics = metrics
        self._carrier = Carrier(options["carry"])
        self._fields = None if options["fields"] is None else options["fields"].encode()
        self._is_raw = (options["plan"] or {}).get("binary") == "raw"
        self._timeout = options["timeout"]
        self._bodies = Bodies()

    def release(self, info: RequestInfo) -> None:
        """Called after every request."""
        self._bodies.size -= info.body_size

    async def answer(
        self, table: Table, scope: Scope, receive: Receive, info: RequestInfo
    ) -> Answer:
        """The response to a request. Raises Refusal, Disconnected."""
        method, path = scope["method"], _path_of(scope)
        query = scope["query_string"]
        url = f"{path}?{query.decode('latin-1')}" if query else path
        check_head(scope, url, self.limits)
        info.route = self.pages.route_of(path)
        if info.route:
            return await self.pages.answer(method, path, table, scope.get("root_path") or "")
        if self._metrics.in_flight > self.limits.calls:
            raise _busy(self.limits)
        match = _match(table.router, method, path)
        endpoint: Endpoint
        endpoint, info.route = match.target
        info.function = endpoint.name
        info.role = await self._policies.role(scope)
        selection = self._selection(endpoint, query)
        headers, body = await self._body(scope, receive, endpoint, info)
        has_form = is_form(header_of(scope, b"content-type"))
        request = HttpRequest(method, url, headers, match.path_params, body, has_form)
        info.carried = self._carrier.headers(scope)
        return await self._call(endpoint, request, info, selection)

    async def _call(
        self,
        endpoint: Endpoint,
        http_request: HttpRequest,
        info: RequestInfo,
        selection: Optional[ResultSelection],
    ) -> Answer:
        """Calls the upstream and converts its reply."""
        upstream, redaction = endpoint.upstream, endpoint.redactions[info.role]
        target = await _upstream_result(upstream.resolved(info.carried))
        arguments = _arguments(endpoint, http_request, target.protocol)
        headers = info.carried if target.transport in HEADER_TRANSPORTS else None
        deadline = time.monotonic() + self._timeout
        oneway = endpoint.function.oneway
        request = Request(endpoint.wire_name, arguments, oneway, headers, None, deadline)
        event = await _upstream_result(upstream.exchange(request))
        try:
            return answer_of(endpoint, event, redaction, selection)
        except Error as error:
            is_redacted = info.role is not None and redaction.options is not None
            raise _bad_reply(error, is_redacted) from None

    def _selection(self, endpoint: Endpoint, query: bytes) -> Optional[ResultSelection]:
        if endpoint.fields is None or self._fields is None or self._fields not in query:
            return None
        texts = _values_in(query, endpoint.fields)
        if len(texts) > 1:
            detail = f"duplicate query parameter {endpoint.fields}"
            raise Refusal(400, "duplicate_key", detail, members={"parameter": endpoint.fields})
        return endpoint.selector.selection(texts[0]) if texts else None

    async def _body(
        self, scope: Scope, receive: Receive, endpoint: Endpoint, info: RequestInfo
    ) -> tuple[Headers, bytes]:
        """Headers and body for the plan: a multipart form becomes an urlencoded one."""
        headers: Headers = scope["headers"]
        body = await read_body(scope, receive, self.limits, self._bodies)
        info.body_size = len(body)
        content_type = header_of(scope, b"content-type")
        if not body or content_type is None or not _is_multipart(endpoint, content_type, body):
            return headers, body
        form = without_files(content_type, body, endpoint.files, self._is_raw)
        return (_with_type(headers, URLENCODED), form) if form else (headers, body)


def _with_type(headers: Headers, content_type: bytes) -> Headers:
    others = (header for header in headers if header[0] != b"content-type")
    return [*others, (b"content-type", content_type)]


def _values_in(query: bytes, name: str) -> list[str]:
    """The values of a query parameter."""
    try:
        pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True, max_num_fields=4096)
    except ValueError:
        raise Refusal(400, "size_limit", "the query has too many parameters") from None
    return [value for key, value in pairs if key == name]


def _is_multipart(endpoint: Endpoint, content_type: bytes, body: bytes) -> bool:
    """Raises Refusal for a form that the function does not read."""
    if is_form(content_type) and not endpoint.reads_form(body.lstrip()[:1] == b"{"):
        name = content_type.partition(b";")[0].decode()
        detail = f"{endpoint.name} reads JSON, but the Content-Type is {name}"
        raise Refusal(415, "content_type", f"{detail}; send application/json")
    return is_multipart(content_type)


def _busy(limits: Limits) -> Refusal:
    detail = f"concurrent requests exceed the limit of {limits.calls}"
    return Refusal(503, "busy", detail, [(b"retry-after", b"1")])


def _arguments(endpoint: Endpoint, request: HttpRequest, protocol: str) -> bytes:
    """The arguments of a call. Raises Refusal for a request that does not fit them."""
    try:
        return endpoint.plan(protocol).request(
            method=request.method,
            url=request.url,
            headers=request.headers,
            path_params=request.path_params,
            body=request.body,
        )
    except Error as error:
        if error.code == "missing_required":
            raise missing_part(error, endpoint.locations, request.is_form) from None
        raise bad_request(error) from None


async def _upstream_result(work: Awaitable[_T]) -> _T:
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
        "; accepted with a larger limits={'reply': …}" if error.code == "size_limit" else "",
    )
    if is_redacted:
        detail = "invalid reply from the upstream"
    else:
        detail = f"invalid reply from the upstream: {error}"
    return Refusal(502, error.code, detail, members=None if is_redacted else location_of(error))


def _match(router: Router, method: str, path: str) -> Match:
    """The route of a request.

    HEAD without a route of its own uses that of GET; the body is dropped."""
    match = router.find(method, path)
    if match.target is None and method == "HEAD" and "GET" in match.allowed:
        match = router.find("GET", path)
    if match.target is not None:
        return match
    if not match.allowed:
        raise Refusal(404, "not_found", "no route matches the path")
    raise _method_refusal(method, match.allowed)


def _method_refusal(method: str, allowed: list[str]) -> Refusal:
    if "GET" in allowed and "HEAD" not in allowed:
        allowed = [*allowed, "HEAD"]
    header = (b"allow", ", ".join(allowed).encode("latin-1"))
    return Refusal(405, "method_not_allowed", f"the path does not support {method}", [header])


def _path_of(scope: Scope) -> str:
    """The path as sent, still percent-encoded, without the mount path of an outer application."""
    raw = scope.get("raw_path")
    path: str = raw.decode("latin-1") if raw else quote(scope["path"], safe="/~!$&'()*+,;=:@")
    path = path.partition("?")[0]
    root = scope.get("root_path") or ""
    return path[len(root) :] or "/" if root and path.startswith(root) else path
