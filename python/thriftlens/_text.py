"""Escaping of untrusted text for terminals and logs."""

from __future__ import annotations

import re
from typing import Iterable, Optional

_UNPRINTABLE = "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_ANY = re.compile(f"[{_UNPRINTABLE}]")
_IN_LINES = re.compile(f"(?![\n\t])[{_UNPRINTABLE}]")
_IN_JSON = re.compile(
    rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
)  # the same in UTF-8
_NAME_LENGTH = 100
MESSAGE_LENGTH = 1000  # maximum length of a message from outside
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\u{ord(match[0]):04x}"


def escaped(text: object) -> str:
    """A single line without control characters (C0, DEL, C1), line and paragraph separators,
    bidirectional marks and lone surrogates: they are escaped as in JSON."""
    return _ANY.sub(_escape, str(text))


def escaped_lines(text: object) -> str:
    """Like `escaped`, but keeps line feeds and tabs."""
    return _IN_LINES.sub(_escape, str(text))


def shortened(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}…"


def shown(value: object) -> str:
    """A wrong argument for an error: its repr, but of data or a long text only the type."""
    text = repr(value) if value is None or isinstance(value, (str, int, float)) else ""
    return text if 0 < len(text) <= 60 else type(value).__name__


def in_one_line(text: object) -> str:
    """A text with single blanks instead of line ends and other white space."""
    return " ".join(str(text).split())


def quoted_name(name: str) -> str:
    """An untrusted name, such as a function name from a peer, for errors and logs: shortened,
    escaped and quoted."""
    return f"'{escaped(shortened(name, _NAME_LENGTH))}'"


def escaped_json(data: bytes) -> bytes:
    """JSON in UTF-8 with characters escaped that terminals interpret. C0 is already escaped in
    JSON."""
    return _IN_JSON.sub(lambda match: f"\\u{ord(match[0].decode()):04x}".encode(), data)


def with_article(noun: str) -> str:
    """The noun with its article: an i64, a list<i32>."""
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def find_near(name: str, names: Iterable[str]) -> Optional[str]:
    """The most similar name, if there is one."""
    import difflib  # only errors need it

    matches = difflib.get_close_matches(name, list(names), n=1)
    return matches[0] if matches else None


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The end of an error text: "; did you mean 'x'?" for the most similar name, or ""."""
    suggestion = find_near(name, names)
    return "" if suggestion is None else f"; did you mean {suggestion!r}?"


def not_one_of(value: object, choices: Iterable[object]) -> str:
    """The end of an error text: "must be one of 'a', 'b', not 'c'; did you mean …?"."""
    quoted = [repr(choice) for choice in choices]
    near = find_near(repr(value), quoted) if isinstance(value, str) else None
    hint = f"; did you mean {near}?" if near else ""
    return f"must be one of {', '.join(quoted)}, not {shown(value)}{hint}"


def text_of_exception(error: Exception) -> str:
    """The class and text of an exception of Python code in one line; shortened."""
    try:
        text = str(error)
    except Exception:
        text = ""
    name = type(error).__name__
    return escaped(shortened(in_one_line(f"{name}: {text}" if text else name), MESSAGE_LENGTH))
