"""Watches IDL files for changes by their times and sizes."""

from __future__ import annotations

import os
import pathlib
from typing import Callable, Iterable, Iterator, Union

Path = Union[str, os.PathLike[str]]
Signature = frozenset[tuple[str, int, int]]


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


def changes(files: Callable[[], Iterable[Path]], wait: Callable[[], object]) -> Iterator[None]:
    """Yields at once, and after each change of the files. Ends when `wait` returns a true value."""
    seen = None
    while True:
        current = signature_of(files())
        if current != seen:
            seen = current
            yield
        if wait():
            return
