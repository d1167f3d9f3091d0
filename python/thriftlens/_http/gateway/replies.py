"""Converts Thrift replies to HTTP responses without creating Python objects of their values."""

from __future__ import annotations

import json
from typing import Literal, Optional

from ..._core import SessionEvent
from ..._errors import ApplicationError, BusinessError, Error
from ..._rpc.options import WireProtocol
from ..._rpc.replies import business_error, read_application_error, result_field
from ..plan import Plan, Response
from .answers import JSON, Answer, Headers, Refusal, title_of
from .fields import ResultSelection
from .policies import Redaction
from .table import DeclaredException, Endpoint

_RAW = (b"content-type", b"application/octet-stream")
_OURS = frozenset(
    tuple(
        (
            "content-length transfer-encoding connection keep-alive upgrade te trailer date server"
        ).split()
    )
)
"""Headers of the transfer, which an IDL must not set."""


def answer_of(
    endpoint: Endpoint,
    event: Optional[SessionEvent],
    redaction: Redaction,
    selection: Optional[ResultSelection],
) -> Answer:
    """The HTTP response of a reply. Raises Error for an invalid reply, which is a 502."""
    if event is None:
        return Answer(202, [])
    # Apache's THeader servers reply in Binary to calls of any protocol.
    protocol: WireProtocol = "compact" if event.protocol == "compact" else "binary"
    if event.error is not None:  # a reply that could not be split
        raise event.error
    if event.kind == "exception":
        raise _application_refusal(read_application_error(event.data, protocol), redaction)
    if (business := business_error(event.name, event.headers, event.transport)) is not None:
        raise _business_refusal(business, redaction)
    field = result_field(endpoint.function, event.data, protocol)
    is_partial = selection is not None or redaction.options is not None
    data = event.data
    if is_partial:
        data = _trimmed(endpoint, data, protocol, redaction, selection)
    return _result_answer(endpoint, field, data, protocol, is_partial)


def _result_answer(
    endpoint: Endpoint, field: Optional[str], data: bytes, protocol: WireProtocol, is_partial: bool
) -> Answer:
    """The response of a result struct. field: the one that is set."""
    result, plan = endpoint.function.result, endpoint.plan(protocol, is_partial)
    missing: Literal["omit", "error"] = "omit" if is_partial else "error"
    view = result.view(data, protocol=protocol, missing_required=missing)
    for thrown in endpoint.throws:
        if thrown.name == field:
            return _exception_answer(endpoint, thrown, bytes(view[field]), plan)
    if endpoint.returns is None:
        return Answer(204, [])
    if endpoint.has_struct:
        return _plan_reply(plan.response(bytes(view["success"])), 200)
    text = result.to_json(data, protocol=protocol, missing_required=missing)
    return Answer(200, [JSON], text[len(b'{"success":') : -1])


def _trimmed(
    endpoint: Endpoint,
    data: bytes,
    protocol: WireProtocol,
    redaction: Redaction,
    selection: Optional[ResultSelection],
) -> bytes:
    """The reply without the fields outside of the selection or the redaction, in one pass."""
    rewrite = endpoint.function.result.rewrite(data, protocol=protocol)
    if selection is not None:
        rewrite.trim(selection)
    if redaction.options is not None:
        rewrite.redact(**redaction.options)
    return rewrite.apply()


def _plan_reply(response: Response, status: int) -> Answer:
    """The response of a plan with its default status."""
    status = response.status or status
    headers = _headers_of(response)
    if status < 200 or status in (204, 304):
        return Answer(max(status, 200) if status >= 200 else 502, headers)
    if all(name != b"content-type" for name, _ in headers):
        headers.append(_RAW if response.is_raw else JSON)
    return Answer(status, headers, response.body)


def _headers_of(response: Response) -> Headers:
    headers: Headers = []
    for name, value in response.headers:
        if name.lower() in _OURS:
            text = f"the reply sets the header {name}, which is reserved for the gateway"
            raise Error(text, code="broken_rule")
        headers.append((name.lower().encode("latin-1"), value.encode("utf-8", "surrogateescape")))
    for cookie in response.set_cookie:
        headers.append((b"set-cookie", cookie.encode("utf-8", "surrogateescape")))
    return headers


def _exception_answer(
    endpoint: Endpoint, thrown: DeclaredException, data: bytes, plan: Plan
) -> Answer:
    """The response of a declared exception: by its annotations, else 500 with its fields."""
    response = plan.response(data, thrown.type)
    if response.status or thrown.status:
        return _plan_reply(response, thrown.status or 500)
    name = thrown.type.name.rpartition(".")[2]
    members = {"exception": name, "fields": json.loads(response.body or b"{}")}
    detail = f"{endpoint.function.name} raised {name}"
    answer = Refusal(500, "exception", detail, members=members).answer()
    placed = _plan_reply(response, 500).headers
    return answer._replace(
        headers=[*answer.headers, *(header for header in placed if header[0] != b"content-type")]
    )


def _business_refusal(error: BusinessError, redaction: Redaction) -> Refusal:
    """500 for a business error.

    Its message may contain secrets, so callers with a redaction do not see it."""
    if redaction.options is not None:
        return Refusal(500, error.code, title_of(500))
    return Refusal(500, error.code, error.message, members={"business_status": error.status})


def _application_refusal(error: ApplicationError, redaction: Redaction) -> Refusal:
    """502 for an application error.

    Its message may contain secrets, so callers with a redaction do not see it."""
    detail = error.message if redaction.options is None else title_of(502)
    return Refusal(502, error.code, detail)
