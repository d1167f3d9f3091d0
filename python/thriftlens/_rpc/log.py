"""Loggers for text that peers control."""

from __future__ import annotations

import logging
import traceback

from .._text import escaped, escaped_lines


class _Escaper(logging.Filter):
    """Escapes the arguments and the traceback of log records."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.args:
            record.msg = escaped(record.msg)
        elif isinstance(record.args, tuple):
            record.args = tuple(_escaped_argument(argument) for argument in record.args)
        if record.exc_info and not record.exc_text:
            record.exc_text = escaped_lines(
                "".join(traceback.format_exception(*record.exc_info))
            ).rstrip("\n")
        return True


def _escaped_argument(value: object) -> object:
    return value if isinstance(value, (int, float)) else escaped(value)


_ESCAPER = _Escaper()


def logger(name: str) -> logging.Logger:
    """The logger of that name; its records contain no control characters."""
    result = logging.getLogger(name)
    result.addFilter(_ESCAPER)
    return result
