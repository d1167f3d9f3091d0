"""Reports of records that cannot be read."""

from __future__ import annotations

import os
from typing import Callable, Optional, Union

import click

from .._errors import Error
from .._records.files import create
from .._records.pieces import Rejected
from .._records.scanner import Scan
from .input import Input
from .report import STATUS, advise, display_name, plural, say, text_in
from .sink import Sink


def report_truncations(spec: Input, scan: Scan) -> None:
    """Reports where truncated input ends, and sets the exit status."""
    for error in scan.truncations:
        if spec.on_error == "raise" or error.record is None:  # not reported as a rejected record
            if spec.truncated == "drop":
                error.option = None
            else:
                start = error.resume if error.resume is not None else scan.offset
                advise(error, f"continue with --start {start}")
            say(text_in(display_name(spec.file), error))
        if spec.truncated == "error":
            click.get_current_context().meta[STATUS] = 1


class Rejects:
    """Reports rejected records on stderr, and their count on exit."""

    def __init__(self, spec: Input, earlier: list[Error], null: bytes, sink: Optional[Sink]):
        self._spec = spec
        self._sink = sink
        self._earlier = earlier
        self._null = null if spec.on_error == "null" else None
        self._file: Optional[Sink] = None
        self._count = 0
        self.on_error: Union[str, Callable[[Rejected], Optional[bytes]]] = (
            "raise" if spec.on_error == "raise" else self.take
        )

    def __enter__(self) -> Rejects:
        form, _, target = self._spec.on_error.partition("=")
        if form == "file":
            for path in (self._spec.file, "-" if self._sink is None else self._sink.name):
                if path != "-" and os.path.realpath(path) == os.path.realpath(target):
                    raise click.UsageError(f"--on-error file={target} is the input or output file")
            self._file = Sink(create(target), target)
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._file is not None:
                self._file.close()
        finally:
            self._say_count()

    def _say_count(self) -> None:
        if self._count:
            say(f"{display_name(self._spec.file)}: {plural(self._count, 'record')} rejected")

    def of(self, spec: Input) -> None:
        """Sets the file of the records that follow."""
        self._spec = spec

    def take(self, rejected: Rejected) -> Optional[bytes]:
        """Reports the record; returns the replacement to write, or None."""
        self.report(rejected)
        return self._null

    def report(self, rejected: Rejected) -> None:
        """Reports the record, and copies it to the file of rejected records."""
        self._count += 1
        for error in (*self._earlier, rejected.error):
            say(text_in(display_name(self._spec.file), error))
        self._earlier.clear()
        if self._file is not None:
            self._file.write(rejected.data)
