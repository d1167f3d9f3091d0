"""What goes back to the client of a gateway, and what makes it go back early."""

from __future__ import annotations

import http
import json
import re
from typing import Any, Mapping, NamedTuple, Optional

from ..._errors import Error

Headers = list[tuple[bytes, bytes]]
JSON = (b"content-type", b"application/json")
PROBLEM = (b"content-type", b"application/problem+json")
CLOSE = (b"connection", b"close")


class Answer(NamedTuple):
    """One response of HTTP, but for its Content-Length."""

    status: int
    headers: Headers
    body: bytes = b""


class Refusal(Exception):
    """Ends a request: its answer says why, as application/problem+json (RFC 9457)."""

    def __init__(self, status: int, code: str, detail: str, headers: Optional[Headers] = None, **members: Any):
        super().__init__(detail)
        self.status = status
        self.code = code
        self.headers = headers or []
        self.members = members

    def answer(self) -> Answer:
        told = {"type": "about:blank", "title": title_of(self.status), "status": self.status, "detail": str(self), "code": self.code, **self.members}
        body = json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")
        return Answer(self.status, [PROBLEM, *self.headers], body)


def title_of(status: int) -> str:
    """The phrase that HTTP has for it."""
    try:
        return http.HTTPStatus(status).phrase
    except ValueError:
        return "Error"


def place_of(error: Error) -> dict[str, Any]:
    """Where the fault is, as far as it is known: path, offset and what it counts in, line and column."""
    found = {"path": error.path, "offset": error.offset, "line": getattr(error, "line", None), "column": getattr(error, "column", None)}
    told = {name: value for name, value in found.items() if value is not None}
    return {**told, "in": error.source} if error.offset is not None else told


def bad_request(error: Error) -> Refusal:
    """Of input that is no request: too much of it is 413."""
    return Refusal(413 if error.code in ("size_limit", "output_limit") else 400, error.code, str(error), **place_of(error))


Places = Mapping[str, "list[tuple[str, str]]"]
"""Of annotated fields of a request, by their paths, where they are looked for: http.Source.places."""


def missing_part(error: Error, places: Places, is_form: bool) -> Refusal:
    """Of a required field that is not there: named by the parts of the request that may have it. An offset would count in a body that need not."""
    path = error.path or "$"
    name = path[2:]
    if name in places:
        wanted = " or ".join(f'{part} "{key}"' if key else part for part, key in places[name])
        is_of_body = any(part == "body" for part, _ in places[name])
        wanted += "; the body is a form" if is_of_body and is_form else ""
        is_elsewhere = is_form or not is_of_body
    else:
        wanted = "it is read from JSON, and the body is a form"
        is_elsewhere = is_form and re.split(r"[.[{]", name)[0] not in places
    if not is_elsewhere:
        return bad_request(error)
    return Refusal(400, error.code, f"a required field is missing at {path}: {wanted}", path=path)
