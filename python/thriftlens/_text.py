"""Text from outside as terminals and logs show it."""

from __future__ import annotations

import logging
import re
import traceback
from typing import Any

_UNPRINTABLE = "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_ANY = re.compile(f"[{_UNPRINTABLE}]")
_IN_LINES = re.compile(f"(?![\n\t])[{_UNPRINTABLE}]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\u{ord(match[0]):04x}"


def escaped(text: object) -> str:
    """One line without anything that a terminal or a log acts on: control characters (C0, ESC, BEL, DEL, C1), line and paragraph separators,
    bidirectional marks and lone surrogates are escaped as in JSON."""
    return _ANY.sub(_escape, str(text))


def escaped_lines(text: object) -> str:
    """The same for text of several lines: line feeds and tabs stay."""
    return _IN_LINES.sub(_escape, str(text))


class _Escaper(logging.Filter):
    """Escapes what log records are formatted from."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.args:
            record.msg = escaped(record.msg)
        elif isinstance(record.args, tuple):
            record.args = tuple(_argument(each) for each in record.args)
        if record.exc_info and not record.exc_text:
            record.exc_text = escaped_lines("".join(traceback.format_exception(*record.exc_info))).rstrip("\n")
        return True


def _argument(value: Any) -> Any:
    return value if isinstance(value, (int, float)) else escaped(value)


_ESCAPER = _Escaper()


def logger(name: str) -> logging.Logger:
    """The logger of that name, whose records hold no control characters of peers."""
    made = logging.getLogger(name)
    made.addFilter(_ESCAPER)
    return made
