"""Responses of a gateway, and the exception that ends a request with an error response."""

from __future__ import annotations

import http
import json
import re
from typing import Mapping, NamedTuple, Optional

from ..._errors import Error
from ..._typing import JsonObject

Headers = list[tuple[bytes, bytes]]
JSON = (b"content-type", b"application/json")
PROBLEM = (b"content-type", b"application/problem+json")
CLOSE = (b"connection", b"close")


class Answer(NamedTuple):
    """An HTTP response without its Content-Length."""

    status: int
    headers: Headers
    body: bytes = b""


class Refusal(Exception):
    """Ends a request with an error response in application/problem+json (RFC 9457)."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        headers: Optional[Headers] = None,
        members: Optional[JsonObject] = None,
    ):
        super().__init__(detail)
        self.status = status
        self.code = code
        self.headers = headers or []
        self.members = members or {}

    def answer(self) -> Answer:
        members = {
            "type": "about:blank",
            "title": title_of(self.status),
            "status": self.status,
            "detail": str(self),
            "code": self.code,
            **self.members,
        }
        body = json.dumps(members, ensure_ascii=False).encode("utf-8", "replace")
        return Answer(self.status, [PROBLEM, *self.headers], body)


def title_of(status: int) -> str:
    """HTTP's phrase for a status."""
    try:
        return http.HTTPStatus(status).phrase
    except ValueError:
        return "Error"


def location_of(error: Error) -> JsonObject:
    """Known location of an error: path, offset and its source, line and column."""
    members = {
        "path": error.path,
        "offset": error.offset,
        "line": getattr(error, "line", None),
        "column": getattr(error, "column", None),
    }
    known: JsonObject = {name: value for name, value in members.items() if value is not None}
    return {**known, "in": error.source} if error.offset is not None else known


def bad_request(error: Error) -> Refusal:
    """400 for an invalid request; 413 if it exceeds a limit."""
    return Refusal(
        413 if error.code in ("size_limit", "output_limit") else 400,
        error.code,
        str(error),
        members=location_of(error),
    )


Locations = Mapping[str, "list[tuple[str, str]]"]
"""http.Source.places of a request's annotated fields, by path."""


def missing_part(error: Error, locations: Locations, is_form: bool) -> Refusal:
    """400 for a missing required field; the text names the parts of the request that may contain
    it. The offset is dropped: it counts in the body."""
    path = error.path or "$"
    name = path[2:]
    places = locations.get(name)
    if places is None:
        is_elsewhere = is_form and re.split(r"[.[{]", name)[0] not in locations
        sources = "expected in a JSON body, but the body is a form"
    else:
        is_elsewhere = is_form or all(part != "body" for part, _ in places)
        sources = _sources(places, is_form)
    if not is_elsewhere:
        return bad_request(error)
    return Refusal(
        400, error.code, f"a required field is missing at {path}: {sources}", members={"path": path}
    )


def _sources(places: list[tuple[str, str]], is_form: bool) -> str:
    sources = " or ".join(f'{part} "{key}"' if key else part for part, key in places)
    is_in_body = any(part == "body" for part, _ in places)
    return f"expected in {sources}" + (", but the body is a form" if is_in_body and is_form else "")
