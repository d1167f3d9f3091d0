"""Messages on standard error, text on standard output, and exit statuses."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Iterator, NoReturn, Optional, Sequence

import click

from .._errors import Error, FileError, JSONError, UnknownNameError
from .._records.format_hints import is_of_other_format
from .._text import escaped, escaped_lines
from . import window as _window
from .sink import writing
from .source import Source, may_hold

STATUSES = """\b
Exit status:
  0    success
  1    invalid data or IDL; get: no value; diff: different
  2    invalid usage, a name that is not in the IDL, a file that cannot be
       read or written; diff: any error
  129  SIGHUP
  130  SIGINT (Ctrl-C)
  141  standard output was closed
  143  SIGTERM
"""


STATUS = "thriftlens.status"  # key in context.meta: exit status of a command that wrote its output


def say(message: str) -> None:
    """Writes one line to standard error."""
    click.echo(f"thriftlens: {escaped(message)}", err=True)


def fail(message: object, status: int = 1) -> NoReturn:
    """Exits with a message, which may have several lines."""
    click.echo(f"thriftlens: {error_text(message)}", err=True)
    sys.exit(status)


def error_text(error: object) -> str:
    return str(error) if isinstance(error, Error) else escaped(error)


def abandon_output() -> None:
    """Discards unwritten output. The interpreter would exit with 120 if it could not write it."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (AttributeError, ValueError):
        pass  # it is closed


def is_usage_error(error: Error) -> bool:
    """Whether an argument is wrong, not a file."""
    is_of_argument = error.code in (
        "path_syntax",
        "no_routes",
        "bad_address",
        "bad_option",
    ) or error.source in ("path", "selection", "condition")
    return is_of_argument or isinstance(error, UnknownNameError)


def display_name(file: str) -> str:
    return "<stdin>" if file == "-" else file


def plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def print_bytes(data: bytes) -> None:
    with writing("-") as sink:
        sink.write(data)


def print_text(text: str) -> None:
    """Prints text without control characters."""
    print_bytes(escaped_lines(text).encode())


@contextlib.contextmanager
def reporting(
    file: str,
    earlier: Sequence[Error] = (),
    source: Optional[Source] = None,
    is_single: bool = False,
) -> Iterator[None]:
    """Reports an error with the name of the file, after `earlier` errors, and exits. is_single: the
    open file `source` holds one value."""
    try:
        yield
    except Error as error:
        is_of_other_file = isinstance(error, FileError) and error.filename != file
        if is_of_other_file or (is_usage_error(error) and error.code != "bad_option"):
            raise
        if (
            is_single
            and source is not None
            and source.cached is not None
            and not len(source.cached)
        ):
            error.hint = "the input is empty"
        _report(error, display_name(file), earlier)
        if source is not None:
            _window.show(error, file, source, is_single)
        sys.exit(2 if error.code == "bad_option" else 1)


def _report(error: Error, name: str, earlier: Sequence[Error]) -> None:
    """Prints the errors of a file with advice. Exits with 2 if the input is only too large."""
    for finding in () if is_of_other_format(error) else earlier:
        record = f"record {error.record}: " if error.record is not None else ""
        say(f"{name}: {record}{finding}")
    if error.code == "size_limit" and not is_of_other_format(error):
        if error.claimed is not None and not may_hold(
            name, error.record_offset or 0, error.claimed
        ):
            advise(error, "check --framing")
        elif error.record is not None:
            advise(error, "accepted with a larger --max-size")
            fail(f"{name}: {error}", status=2)
    advise(error, _advice(error))
    say(text_in(name, error))


def text_in(source: str, error: Error) -> str:
    """The text of an error, which begins with the file or the address that it concerns."""
    return str(error) if error.context[:1] == (source,) else f"{source}: {error}"


def advise(error: Error, advice: str) -> None:
    """Appends what to do to the hint of an error, before the options that accept the input."""
    error.hint = "; ".join(filter(None, (error.hint, advice))) or None


def _advice(error: Error) -> str:
    """The option to continue after the error, or to read the input as many values."""
    context = click.get_current_context(silent=True)
    names = {parameter.name for parameter in (context.command.params if context else ())}
    if context and error.resume is not None and "start" in names:
        is_new = context.params.get("start") != error.resume
        return f"continue with --start {error.resume}" if is_new else ""
    if error.record is not None:
        return ""
    if error.option_name == "framing" and "framing" in names:
        return "--framing u32 reads records in frames"
    if error.option_name == "lines" and isinstance(error, JSONError) and error.column == 1:
        return "--lines reads one value per line"
    return ""
