"""What a scan does with a record: its position, its value, or its error."""

from __future__ import annotations

import json
from typing import Callable, Optional, Union

from .. import _core
from .._errors import Error, RelaxingOption, UnknownNameError, in_file, in_record
from .._typing import Value
from .cuts import Converter, Cut, Options
from .format_hints import add_format_hint
from .framing import TEXT_FRAMINGS
from .pieces import Rejected
from .sources import Window

NOTHING = object()
NULL = object()  # returned by on_error= for a null record
OnError = Union[str, Callable[[Rejected], Value]]


class ScanState(_core.RecordLoop):
    """The position of a scan, and the handling of its records. Base of Scan, which documents the
    attributes."""

    def __init__(
        self,
        convert: Converter,
        options: Options,
        on_error: OnError,
        start: int,
        number: int,
        drops_truncated: bool,
    ):
        self.record = self.record_offset = -1
        self.number = number
        self.offset = start
        self.rejected = 0
        self.file: Optional[str] = None
        self.truncations: list[Error] = []
        self._drops_truncated = drops_truncated
        self._truncation: Optional[Error] = None
        self._convert = convert
        self._options = options
        self._protocol = options["protocol"]
        self._is_typed = options["framing"] != "message" and options["framing"] != "lines"
        self._on_error = on_error
        self._error: Optional[Error] = None
        self._window = Window(b"")

    def _add_format_hint(self, error: Error) -> bool:
        """Names the format of the current input in an error, unless it is the expected one."""
        return add_format_hint(error, self._window.front, self._options)

    def _taken(self, cut: Cut) -> Value:
        """The value of a record, which is counted unless it is NOTHING."""
        value = self._value_of(cut)
        self.number, self.offset = cut.number + 1, cut.end
        if value is not NOTHING:
            self.record, self.record_offset = cut.number, cut.begin
            self.count += 1
        return value

    def _value_of(self, cut: Cut) -> Value:
        self._error = None
        if cut.error is not None:
            return self._refuse(cut, cut.error)
        if cut.value is None:
            return None
        try:
            value = self._convert(cut, cut.message.protocol if cut.message else self._protocol)
        except Error as error:
            if self._is_of_selection(cut, error):
                raise
            return self._refuse(cut, in_record(error, cut.location()))
        return _core.set_place(value, *cut.location()) if isinstance(value, _core.View) else value

    def _is_of_selection(self, cut: Cut, error: Error) -> bool:
        """Whether an error is one of the selection, not of the record."""
        is_unknown_name = isinstance(error, UnknownNameError)
        is_typed = cut.message is None and self._is_typed
        return error.code == "path_syntax" or (is_unknown_name and is_typed)

    def _refuse(self, cut: Cut, error: Error) -> Value:
        """The value in place of an invalid record."""
        error.record, error.record_offset = cut.number, cut.begin
        self._error = in_file(error, self.file)
        is_open = _is_open_line(cut, self._options["framing"], error)
        if cut.is_lost or (is_open and self._drops_truncated):
            self._refuse_end(cut, error)
        if self._on_error != "raise":
            return self._reject(cut, error)
        self.number, self.offset = cut.number + 1, cut.end
        is_end = self._window.is_last and cut.at + cut.end - cut.begin == len(cut.data)
        error.resume = cut.begin if is_open else None if is_end else cut.end
        option: RelaxingOption = ("truncated", "drop") if is_open else ("on_error", "skip")
        error.option = error.option or option
        self._add_format_hint(error)
        raise error

    def _refuse_end(self, cut: Cut, error: Error) -> None:
        """Raises the error of a record after which no record can be located."""
        if self._add_format_hint(error):
            raise error
        error.resume = cut.begin if error.code == "truncated" else None
        if error.code == "size_limit":
            error.option = ("record_size", None)
        elif error.code == "truncated":
            error.option = ("truncated", "drop")
        if self._drops_truncated and (error.code == "truncated" or not cut.is_lost):
            self._truncation = error
            self._reject(cut._replace(end=cut.begin + len(cut.data) - cut.at), error)
        raise error

    def _reject(self, cut: Cut, error: Error) -> Value:
        self.rejected += 1
        if callable(self._on_error):
            rejected = Rejected(cut.number, cut.begin, bytes(cut.framed()), error, self.file)
            replacement = self._on_error(rejected)
            return NOTHING if replacement is None else None if replacement is NULL else replacement
        return None if self._on_error == "null" else NOTHING


def _is_open_line(cut: Cut, framing: str, error: Error) -> bool:
    """Whether an invalid line is the truncated last line of its input."""
    if framing not in (*TEXT_FRAMINGS, "lines") or cut.at + cut.end - cut.begin != len(cut.data):
        return False
    line = bytes(cut.data[cut.at :])
    if line.endswith(b"\n"):
        return False
    if framing in TEXT_FRAMINGS:
        return error.code in ("truncated", "bad_frame")
    try:
        json.loads(line)
    except ValueError:
        return True
    return False
