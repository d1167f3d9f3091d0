"""Watches IDL files for changes by their times and sizes."""

from __future__ import annotations

import os
import pathlib
from typing import Callable, Iterable, Iterator, Union

Path = Union[str, os.PathLike[str]]
Signature = frozenset[tuple[str, int, int]]
WATCH_INTERVAL = 0.5
"""Seconds between two looks of the command line at files."""


def with_siblings(files: Iterable[Path]) -> set[pathlib.Path]:
    """The files and the IDL files of their folders, which they may include."""
    paths = {pathlib.Path(file) for file in files}
    return paths.union(*(folder.glob("*.thrift") for folder in {path.parent for path in paths}))


def signature_of(files: Iterable[Path]) -> Signature:
    """Names, times and sizes of the files that exist."""
    entries = set()
    for file in files:
        try:
            status = os.stat(file)
        except OSError:  # it is being replaced
            continue
        entries.add((os.fspath(file), status.st_mtime_ns, status.st_size))
    return frozenset(entries)


class ChangeDetector:
    """Detects changed files. A change counts when two looks in a row see the same: until then a
    file may be half written."""

    def __init__(self, seen: Signature):
        self._seen = self._previous = seen

    def is_changed(self, current: Signature) -> bool:
        """Whether the files have settled in a state that was not reported before."""
        is_changed = current != self._seen and current == self._previous
        self._previous = current
        if is_changed:
            self._seen = current
        return is_changed


def changes(files: Callable[[], Iterable[Path]], wait: Callable[[], object]) -> Iterator[None]:
    """Yields at once, and after each change of the files. Ends when `wait` returns a true value."""
    detector = ChangeDetector(signature_of(files()))
    yield
    while not wait():
        if detector.is_changed(signature_of(files())):
            yield
