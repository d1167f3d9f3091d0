"""Escaping of untrusted text for terminals and logs."""

from __future__ import annotations

import re

_UNPRINTABLE = "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_ANY = re.compile(f"[{_UNPRINTABLE}]")
_IN_LINES = re.compile(f"(?![\n\t])[{_UNPRINTABLE}]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\u{ord(match[0]):04x}"


def escaped(text: object) -> str:
    """A single line without control characters (C0, DEL, C1), line and paragraph separators, bidirectional marks and lone surrogates: they are
    escaped as in JSON."""
    return _ANY.sub(_escape, str(text))


def escaped_lines(text: object) -> str:
    """Like `escaped`, but keeps line feeds and tabs."""
    return _IN_LINES.sub(_escape, str(text))
