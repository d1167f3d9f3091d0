"""A reply of Thrift to an answer of HTTP: no value of it becomes an object."""

from __future__ import annotations

import json
from typing import Any, Optional

from ... import http
from ..._rpc.calls import business_error, read_application_error, result_field
from ..._errors import ApplicationError, BusinessError, Error
from ..._schema.schema import Type
from .answers import JSON, Answer, Headers, Refusal, title_of
from .policies import Redaction
from .table import Endpoint

_RAW = (b"content-type", b"application/octet-stream")
_OURS = frozenset(("content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer", "date", "server"))
"""Headers that say how the message is sent: no IDL sets them."""


def answer_of(endpoint: Endpoint, event: Any, redaction: Redaction, selection: Any) -> Answer:
    """Raises Error where the reply is no good: that is 502."""
    if event is None:
        return Answer(202, [])
    protocol: Any = "compact" if event.protocol == "compact" else "binary"  # Apache's THeader answers in Binary, whatever the call was
    if event.error is not None:  # a reply that could not be cut
        raise event.error
    if event.kind == "exception":
        raise _refused(read_application_error(event.data, protocol), redaction)
    if (business := business_error(event.name, event.headers, event.transport)) is not None:
        raise _business(business, redaction)
    field = result_field(endpoint.function, event.data, protocol)
    data = event.data
    is_partial = selection is not None or redaction.options is not None
    if is_partial:
        data = _cut(endpoint, data, protocol, redaction, selection)
    view = endpoint.function.result.view(data, protocol=protocol, missing_required="omit" if is_partial else "error")
    for name, type, status in endpoint.throws:
        if name == field:
            return _thrown(endpoint, type, status, bytes(view[name]), endpoint.plan(protocol, is_partial))
    if endpoint.returns is None:
        return Answer(204, [])
    if endpoint.has_struct:
        return _shaped(endpoint.plan(protocol, is_partial).response(bytes(view["success"])), 200)
    text = endpoint.function.result.to_json(data, protocol=protocol, missing_required="omit" if is_partial else "error")
    return Answer(200, [JSON], text[len(b'{"success":') : -1])


def _cut(endpoint: Endpoint, data: bytes, protocol: Any, redaction: Redaction, selection: Any) -> bytes:
    """In one pass: what was not asked for, and what may not be seen."""
    rewrite = endpoint.function.result.rewrite(data, protocol=protocol)
    if selection is not None:
        rewrite.trim(selection)
    if redaction.options is not None:
        rewrite.redact(**redaction.options)
    return rewrite.apply()


def _shaped(made: http.Response, status: int) -> Answer:
    """Of what a plan gives."""
    status = made.status or status
    headers: Headers = []
    has_type = False
    for name, value in made.headers:
        lower = name.lower()
        if lower in _OURS:
            raise Error(f"the reply sets the header {name}, which is the gateway's", code="broken_rule")
        has_type = has_type or lower == "content-type"
        headers.append((lower.encode("latin-1"), value.encode("utf-8", "surrogateescape")))
    headers += [(b"set-cookie", each.encode("utf-8", "surrogateescape")) for each in made.set_cookie]
    if status < 200 or status in (204, 304):
        return Answer(max(status, 200) if status >= 200 else 502, headers)
    if not has_type:
        headers.append(_RAW if made.is_raw else JSON)
    return Answer(status, headers, made.body)


def _thrown(endpoint: Endpoint, type: Type, status: Optional[int], data: bytes, plan: http.Plan) -> Answer:
    """A declared exception: as its annotations say, else 500 with its fields."""
    made = plan.response(data, type)
    if made.status or status:
        return _shaped(made, status or 500)
    name = type.name.rpartition(".")[2]
    members = {"exception": name, "fields": json.loads(made.body or b"{}")}
    answer = Refusal(500, "exception", f"{endpoint.function.name} ended with {name}", **members).answer()
    placed = _shaped(made, 500).headers
    return answer._replace(headers=[*answer.headers, *(each for each in placed if each[0] != b"content-type")])


def _business(error: BusinessError, redaction: Redaction) -> Refusal:
    """A business error is the service's answer, as a declared exception is; its words may hold anything, so they are not for all."""
    if redaction.options is not None:
        return Refusal(500, error.code, title_of(500))
    return Refusal(500, error.code, error.message, business_status=error.status)


def _refused(error: ApplicationError, redaction: Redaction) -> Refusal:
    """What the server says about a call that it could not carry out; its words may hold anything, so they are not for all."""
    told = error.message if redaction.options is None else title_of(502)
    return Refusal(502, error.code, told)
