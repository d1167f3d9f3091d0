"""The base class Error, the errors about data, JSON, IDL, names and files, and their creation from
C++."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Callable, Literal, Optional, Union, cast

from .. import _core
from .._text import escaped, escaped_lines, shortened
from .._typing import ErrorCode
from .diagnostics import Diagnostic

CallState = Literal["not_sent", "sent", "answered"]
RelaxingOption = tuple[str, Union[str, int, list[str], None]]


def _spell_in_python(option: RelaxingOption, argument: str) -> str:
    """`mismatch="drop"`, or `decode={"mismatch": "drop"}` for an argument that holds options."""
    name, value = option
    if value is None:
        return f"a larger {name}"
    text = f'"{value}"' if isinstance(value, str) else str(value).replace("'", '"')
    return f'{argument}={{"{name}": {text}}}' if argument else f"{name}={text}"


_Spell = Callable[[RelaxingOption, str], str]
_spell: ContextVar[_Spell] = ContextVar("thriftlens option", default=_spell_in_python)


@contextlib.contextmanager
def spelling_options(spell: _Spell) -> Iterator[None]:
    """Error texts name options as `spell` writes them; "" leaves one out."""
    token = _spell.set(spell)
    try:
        yield
    finally:
        _spell.reset(token)


def _relaxation(error: Error) -> str:
    text = "" if error.option is None else _spell.get()(error.option, error.option_of)
    return text and ("\n" if error.code == "schema_invalid" else "; ") + f"accepted with {text}"


def without_option(error: Error) -> Error:
    """The error of an operation whose options its caller does not pass."""
    error.option = None
    return error


class Error(Exception):
    """Base of the exceptions about data, JSON, IDL, paths and connections. Those that do not
    concern a file or a connection are ValueErrors too: an Error without a class of its own is a
    UsageError.

    code: short stable name, such as "truncated" or "type_mismatch".
    detail: the message without path, offset, context and hint.
    path: position in the value, such as "$.items[3].price"; None if no value is concerned.
    offset: offset in `source` of the first byte of the erroneous part; None if unknown.
    source: input that the offset refers to: "data", "JSON text", "IDL", "path", "selection" or
        "condition".
    record, record_offset: number and first byte of the record of a scan; None elsewhere.
    context: containers of the value, outermost first: a file, a record. str(error) begins with it.
    hint: a suggestion, appended to str(error), or None.
    option: name and value of an option with which the operation accepts the input, such as
        ("mismatch", "drop"); str(error) ends with it. The value None is any larger number.
    call_state: of a client's call "not_sent" (also of a failed connect), "sent" (it may have been
        executed) or "answered"; None elsewhere."""

    code: ErrorCode
    detail: str
    path: Optional[str]
    offset: Optional[int]
    source: str = "data"
    record: Optional[int] = None
    record_offset: Optional[int] = None
    context: tuple[str, ...] = ()
    hint: Optional[str] = None
    option: Optional[RelaxingOption] = None
    call_state: Optional[CallState] = None
    claimed: Optional[int] = None  # size in the header of an unreadable record
    file: Optional[str] = None  # the file, in a scan over files
    option_of: str = ""  # the argument that `option` is passed in, such as decode= of a client
    option_name: Optional[str] = None  # of an option that accepts the input, named by the C++ code
    resume: Optional[int] = (
        None  # where a scan can continue: after the record, or at it if its end is unknown
    )
    _escape: Callable[[object], str] = staticmethod(escaped)
    _max_length: Optional[int] = None  # of the message in str(error)

    if not TYPE_CHECKING:  # type checkers would use its return type for all errors

        def __new__(cls, *args: object, **members: object) -> Error:
            return super().__new__(UsageError if cls is Error else cls, *args)

    def __init__(
        self,
        message: str,
        *,
        code: ErrorCode = "error",
        path: Optional[str] = None,
        offset: Optional[int] = None,
    ):
        super().__init__(message)
        self.code = code
        self.detail = message
        self.path = path
        self.offset = offset

    def __str__(self) -> str:
        message = Exception.__str__(self)
        if self._max_length is not None:
            message = shortened(message, self._max_length)
        text = ": ".join((*self.context, message))
        if self.hint is not None:
            text += ("\n" if self.code == "schema_invalid" else "; ") + self.hint
        return self._escape(text + _relaxation(self))

    def __reduce__(self) -> tuple[object, ...]:
        return restored, (type(self), self.args, self.__dict__)


class UsageError(Error, ValueError):
    """An invalid argument: an option, a path, an address."""


class DecodeError(Error, ValueError):
    """Thrift bytes that are invalid or do not match the IDL."""


class EncodeError(Error, ValueError):
    """A Python value that does not match the IDL."""


class JSONError(Error, ValueError):
    """JSON text that is invalid or does not match the IDL. line and column count from 1; None if
    unknown."""

    line: Optional[int] = None
    column: Optional[int] = None


class SchemaError(Error, ValueError):
    """Errors in IDL or in rules for it: `diagnostics` contains all of them, and the message shows
    their lines with a caret."""

    diagnostics: Sequence[Diagnostic] = ()
    _escape: Callable[[object], str] = staticmethod(escaped_lines)


class FileError(Error, OSError):
    """An IDL file that cannot be read; one that does not exist is a FileNotFoundError too."""

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_file, (type(self), *self.args, self.filename, self.errno), self.__dict__


class MissingFileError(FileError, FileNotFoundError):
    """An IDL file, or a file of records, that does not exist."""


def file_error(path: str, message: str) -> FileError:
    """The error for a file that cannot be read, with the attributes of an OSError."""
    number = errno.EIO
    try:
        with open(path, "rb"):
            pass
    except OSError as error:
        number = error.errno or number
    return _restore_file(
        FileError if os.path.exists(path) else MissingFileError, message, path, number
    )


def _restore_file(kind: type[FileError], message: str, path: str, number: int) -> FileError:
    error = kind(message, code="io")
    error.filename, error.errno, error.strerror = path, number, os.strerror(number)
    return error


class UnknownNameError(Error, KeyError, AttributeError, ValueError):
    """A type, service, constant or field that is not in the IDL; the message suggests similar
    names. Not a SchemaError: the IDL is valid. Also a KeyError, AttributeError and ValueError."""

    def __init__(
        self,
        message: Union[str, _core.View],
        *name: str,
        code: ErrorCode = "unknown_name",
        path: Optional[str] = None,
        offset: Optional[int] = None,
    ):
        if name:  # a view and a name: raised by an attribute of a view
            _init_from_view(self, cast(_core.View, message), *name)
        else:
            super().__init__(cast(str, message), code=code, path=path, offset=offset)


class AbsentError(Error, KeyError, IndexError, AttributeError, ValueError):
    """A field, element or entry that is not in the data."""

    def __init__(
        self,
        message: Union[str, _core.View],
        *,
        code: ErrorCode = "error",
        path: Optional[str] = None,
        offset: Optional[int] = None,
    ):
        if isinstance(message, _core.View):  # raised by an attribute of a view
            _init_from_view(self, message)
        else:
            super().__init__(message, code=code, path=path, offset=offset)


def _init_from_view(error: Error, view: _core.View, *name: str) -> None:
    """Initializes an error of a view with the message, path and record of the view."""
    message, detail, code, path, offset, hint = _core.reason(view, *name)
    Error.__init__(error, message, code=code, path=path, offset=offset)
    error.detail, error.hint = detail, hint
    if location := _core.place_of(view):
        in_record(error, location)


def in_record(error: Error, location: tuple[int, int, int]) -> Error:
    """Adds the record of a scan to an error that has none.

    location: number of the record, and offsets of it and its value in the input; -1: no value.
        Offsets in the text count from the value."""
    if error.record is not None:
        return error
    number, begin, value = location
    start = f"from byte {begin}" if value < 0 else f"value from byte {value}"
    error.context = (f"record {number} ({start})", *error.context)
    error.offset = begin if error.offset is None or value < 0 else value + error.offset
    error.record, error.record_offset = number, begin
    return error


def in_file(error: Error, file: Optional[str]) -> Error:
    """Adds the file of a scan over files to an error that has none."""
    if file is not None and error.file is None:
        error.file = file
        error.context = (file, *error.context)
    return error


def reworded(error: Error, text: str) -> Error:
    """A copy of an error with another text."""
    return restored(type(error), (text,), {**error.__dict__, "detail": text})


def of_record(error: Error, number: int) -> Error:
    """Adds the number of a record to an error."""
    error.record = number
    error.context = (f"record {number}", *error.context)
    return error


def without_record(error: Error) -> Error:
    """The error of data that are not a record of a sequence."""
    error.record, error.context, error.hint = None, (), None
    return error


def restored(
    kind: Callable[..., Error], args: tuple[object, ...], state: Mapping[str, object]
) -> Error:
    """An error with these attributes, such as one from a pickle."""
    error = kind(*args)
    error.__dict__.update(state)
    return error


_FAMILIES: dict[str, Callable[..., Error]] = {
    "name": UnknownNameError,
    "plain": UsageError,
    "decode": DecodeError,
    "encode": EncodeError,
    "json": JSONError,
    "schema": SchemaError,
}
_CLASSES_BY_CODE: dict[str, Callable[..., Error]] = {
    "unknown_name": UnknownNameError,
    "no_such_field": UnknownNameError,
    "absent": AbsentError,
    "bad_index": AbsentError,
}


def _class_of(code: ErrorCode, source: str, family: str) -> Callable[..., Error]:
    if source in ("path", "selection", "condition"):  # an argument, not data of the family
        family = "name" if code == "unknown_enum_name" else "plain"
    return _CLASSES_BY_CODE.get(code, _FAMILIES[family])


def _make(
    family: str,
    message: str,
    detail: str,
    code: ErrorCode,
    path: Optional[str],
    offset: Optional[int],
    source: str,
    position: tuple[int, int],
    findings: Sequence[Diagnostic],
    option: Optional[str] = None,
    record: Optional[int] = None,
    hint: Optional[str] = None,
) -> Error:
    """Creates the exceptions that the C++ code raises."""
    class_ = _class_of(code, source, family)
    error = class_(message, code=code, path=path, offset=offset)
    error.detail, error.hint = detail, hint
    if record is not None:
        of_record(error, record)
    if source != "data":
        error.source = source
    if isinstance(error, JSONError) and position[0]:
        error.line, error.column = position
    if option is not None:
        error.option_name = option
    if findings and isinstance(error, SchemaError):
        error.diagnostics = tuple(findings)
    return error
