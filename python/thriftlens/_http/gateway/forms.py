"""Multipart forms with files: a file is the value of the binary or string field of its name."""

from __future__ import annotations

import base64
from typing import Any, Mapping
from urllib.parse import quote_plus

from ..._optional import absence
from .answers import Refusal
from .requests import header_of

MULTIPART = b"multipart/form-data"
URLENCODED = b"application/x-www-form-urlencoded"
_PARTS = 1000


def is_multipart(content_type: bytes) -> bool:
    return content_type.partition(b";")[0].strip().lower() == MULTIPART


def is_form(scope: Any) -> bool:
    """Whether the Content-Type of a request is a form, urlencoded or multipart."""
    content_type = header_of(scope, b"content-type")
    return content_type is not None and content_type.partition(b";")[0].strip().lower() in (
        URLENCODED,
        MULTIPART,
    )


def without_files(
    content_type: bytes, body: bytes, kinds: Mapping[str, str], is_raw: bool
) -> bytes:
    """The form as urlencoded text: files as text, with their names as "<name>.filename" and types
    as "<name>.content_type".

    kinds: of the fields, by form key. is_raw: the plan reads binaries as they are, not as base64.
    Raises Refusal for an invalid form."""
    if b"filename" not in body.lower():
        return b""
    pairs: list[tuple[str, str]] = []
    for part in _parts(content_type, body):
        name, file, content = part["name"], part["filename"], part["content"]
        if file is None:
            pairs.append((quote_plus(name), quote_plus(content)))
            continue
        is_text = is_raw or kinds.get(name) != "binary"
        pairs.append(
            (quote_plus(name), quote_plus(content if is_text else base64.b64encode(content)))
        )
        pairs.append((quote_plus(f"{name}.filename"), quote_plus(file)))
        pairs.append((quote_plus(f"{name}.content_type"), quote_plus(part["type"])))
    return "&".join(f"{name}={value}" for name, value in pairs).encode("ascii")


def _parts(content_type: bytes, body: bytes) -> list[dict[str, Any]]:
    try:
        from python_multipart import MultipartParser
        from python_multipart.exceptions import FormParserError
        from python_multipart.multipart import parse_options_header
    except ImportError as error:
        raise Refusal(
            501,
            "missing_package",
            "files in forms need " + absence("python_multipart", error, "'thriftlens[gateway]'"),
        ) from None
    boundary = parse_options_header(content_type)[1].get(b"boundary", b"")
    if not boundary:
        raise Refusal(400, "json_syntax", "the Content-Type of the form has no boundary")
    parts: list[dict[str, Any]] = []
    collector = _Collector(parts, parse_options_header)
    try:
        parser = MultipartParser(boundary, collector.callbacks())  # type: ignore[arg-type]
        parser.write(body)
        parser.finalize()
    except FormParserError as error:
        raise Refusal(
            400,
            "json_syntax",
            f"invalid multipart form: {error}",
            offset=getattr(error, "offset", None),
        ) from None
    if not collector.is_complete:
        raise Refusal(400, "json_syntax", "the multipart form is truncated")
    return parts


class _Collector:
    """Collects the parts by callbacks of python-multipart."""

    def __init__(self, parts: list[dict[str, Any]], options_of: Any):
        self._form_parts = parts
        self._options_of = options_of
        self._field = b""
        self._value = b""
        self._pieces: list[bytes] = []
        self.is_complete = False

    def callbacks(self) -> dict[str, Any]:
        names = tuple(
            "part_begin part_data part_end header_field header_value header_end end".split()
        )
        return {f"on_{name}": getattr(self, f"_{name}") for name in names}

    def _part_begin(self) -> None:
        if len(self._form_parts) >= _PARTS:
            raise Refusal(413, "size_limit", f"the form has more than {_PARTS} parts")
        self._form_parts.append(
            {"name": "", "filename": None, "type": "application/octet-stream", "content": b""}
        )
        self._pieces = []

    def _part_data(self, data: bytes, start: int, end: int) -> None:
        self._pieces.append(data[start:end])

    def _part_end(self) -> None:
        self._form_parts[-1]["content"] = b"".join(self._pieces)

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        field, value = self._field.lower(), self._value
        self._field = self._value = b""
        if field == b"content-disposition":
            options = self._options_of(value)[1]
            self._form_parts[-1]["name"] = options.get(b"name", b"").decode("utf-8", "replace")
            if b"filename" in options:
                self._form_parts[-1]["filename"] = options[b"filename"].decode("utf-8", "replace")
        elif field == b"content-type":
            self._form_parts[-1]["type"] = value.decode("latin-1")

    def _end(self) -> None:
        self.is_complete = True
