"""Multipart forms with files: a file is the value of the binary or string field of its name."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Iterator, Mapping, Optional, Union
from urllib.parse import quote_plus

from ..._optional import absence
from ..._typing import JsonObject
from .answers import Refusal

if TYPE_CHECKING:
    _ParseOptions = Callable[[bytes], tuple[bytes, dict[bytes, bytes]]]

MULTIPART = b"multipart/form-data"
URLENCODED = b"application/x-www-form-urlencoded"
_PARTS = 1000


def is_multipart(content_type: bytes) -> bool:
    return content_type.partition(b";")[0].strip().lower() == MULTIPART


def is_form(content_type: Optional[bytes]) -> bool:
    """Whether the Content-Type of a request is a form, urlencoded or multipart."""
    kinds = (URLENCODED, MULTIPART)
    return content_type is not None and content_type.partition(b";")[0].strip().lower() in kinds


@dataclass
class Part:
    """A part of a multipart form. filename: None for a part that is not a file."""

    name: str = ""
    filename: Optional[str] = None
    type: str = "application/octet-stream"
    content: bytes = b""


def without_files(
    content_type: bytes, body: bytes, kinds: Mapping[str, str], is_raw: bool
) -> bytes:
    """The form as urlencoded text: files as text, with their names as "<name>.filename" and types
    as "<name>.content_type".

    kinds: of the fields, by form key. is_raw: the plan reads binaries as they are, not as base64.
    Raises Refusal for an invalid form."""
    if b"filename" not in body.lower():
        return b""
    pairs = (
        f"{quote_plus(name)}={quote_plus(value)}"
        for part in _parts(content_type, body)
        for name, value in _pairs(part, is_raw or kinds.get(part.name) != "binary")
    )
    return "&".join(pairs).encode("ascii")


def _pairs(part: Part, is_text: bool) -> Iterator[tuple[str, Union[str, bytes]]]:
    """Names and values of a part in the urlencoded form."""
    is_encoded = part.filename is not None and not is_text
    yield part.name, base64.b64encode(part.content) if is_encoded else part.content
    if part.filename is not None:
        yield f"{part.name}.filename", part.filename
        yield f"{part.name}.content_type", part.type


def _parts(content_type: bytes, body: bytes) -> list[Part]:
    try:
        from python_multipart import MultipartParser
        from python_multipart.exceptions import FormParserError
        from python_multipart.multipart import parse_options_header
    except ImportError as error:
        package = absence("python_multipart", error, "'thriftlens[gateway]'")
        raise Refusal(501, "missing_package", f"files in forms need {package}") from None
    boundary = parse_options_header(content_type)[1].get(b"boundary", b"")
    if not boundary:
        raise _invalid("the Content-Type of the form has no boundary")
    collector = _Collector(parse_options_header)
    try:
        parser = MultipartParser(boundary, collector.callbacks())  # type: ignore[arg-type]
        parser.write(body)
        parser.finalize()
    except FormParserError as error:
        offset = getattr(error, "offset", None)
        raise _invalid(f"invalid multipart form: {error}", {"offset": offset}) from None
    if not collector.is_complete:
        raise _invalid("the multipart form is truncated")
    return collector.parts


def _invalid(detail: str, members: Optional[JsonObject] = None) -> Refusal:
    return Refusal(400, "json_syntax", detail, members=members)


class _Collector:
    """Collects the parts by callbacks of python-multipart."""

    def __init__(self, options_of: _ParseOptions):
        self.parts: list[Part] = []
        self._options_of = options_of
        self._field = b""
        self._value = b""
        self._pieces: list[bytes] = []
        self.is_complete = False

    def callbacks(self) -> dict[str, Callable[..., None]]:
        names = tuple(
            "part_begin part_data part_end header_field header_value header_end end".split()
        )
        return {f"on_{name}": getattr(self, f"_{name}") for name in names}

    def _part_begin(self) -> None:
        if len(self.parts) >= _PARTS:
            raise Refusal(413, "size_limit", f"the form exceeds the limit of {_PARTS} parts")
        self.parts.append(Part())
        self._pieces = []

    def _part_data(self, data: bytes, start: int, end: int) -> None:
        self._pieces.append(data[start:end])

    def _part_end(self) -> None:
        self.parts[-1].content = b"".join(self._pieces)

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        field, value = self._field.lower(), self._value
        self._field = self._value = b""
        if field == b"content-disposition":
            options = self._options_of(value)[1]
            self.parts[-1].name = options.get(b"name", b"").decode("utf-8", "replace")
            if b"filename" in options:
                self.parts[-1].filename = options[b"filename"].decode("utf-8", "replace")
        elif field == b"content-type":
            self.parts[-1].type = value.decode("latin-1")

    def _end(self) -> None:
        self.is_complete = True
