"""Store: the current version of a schema, replaced while others use it."""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Iterable, Iterator, NoReturn, Optional, Union

from .._errors import SchemaError
from .._errors.bounds import Seconds
from .loading import LoadOptions, load
from .schemas import Schema
from .watching import changes, with_siblings

if TYPE_CHECKING:
    from typing_extensions import Unpack

Listener = Callable[[Schema], Callable[[], object]]


class Store:
    """Holds the current schema of an IDL file, and its version, starting from 1. Thread-safe.

    options: those of tl.load.

    Example: docs/hot-reload.md.
    """

    def __init__(self, path: Union[str, os.PathLike[str]], **options: Unpack[LoadOptions]):
        self._path = path
        self._options = options
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []
        self._state = (load(path, **options), 1)

    @property
    def current(self) -> Schema:
        """The current schema. A reader may keep it as long as it likes."""
        return self._state[0]

    @property
    def version(self) -> int:
        """Number of the current schema. To cache what depends on it, read the version first."""
        return self._state[1]

    def reload(self) -> bool:
        """Loads the file; returns whether the schema has changed. After an error, of the IDL or of
        a server that cannot use it, the current schema stays. A file without definitions, such as
        an empty one that is being written, is an error."""
        with self._lock:
            schema = load(self._path, **self._options)
            if schema is self.current:
                return False
            if not (schema.types or schema.services or schema.constants):
                path = os.fspath(self._path)
                raise SchemaError(f"{path}: the IDL has no definitions", code="schema_invalid")
            commits = [listener(schema) for listener in self._listeners]
            self._state = (schema, self.version + 1)
            for commit in commits:
                commit()
            return True

    @contextlib.contextmanager
    def watch(
        self,
        seconds: float = 1.0,
        *,
        on_reload: Optional[Callable[[Schema], object]] = None,
        on_error: Optional[Callable[[Exception], object]] = None,
    ) -> Iterator[Store]:
        """Reloads in a thread during a `with` statement, when one of the IDL files of the schema or
        of their folders has changed and stays the same for `seconds`, the time between two looks at
        them. on_reload, on_error: called in that thread."""
        Seconds().check("seconds", seconds)
        stop = threading.Event()

        def run() -> None:
            for _ in changes(self._files, lambda: stop.wait(seconds)):
                try:
                    if self.reload() and on_reload is not None:
                        on_reload(self.current)
                except Exception as error:
                    if on_error is not None:
                        on_error(error)

        thread = threading.Thread(target=run, name="thriftlens store", daemon=True)
        thread.start()
        try:
            yield self
        finally:
            stop.set()
            thread.join()

    @contextlib.contextmanager
    def subscribed(self, listener: Listener) -> Iterator[None]:
        """Calls the listener with a schema before it becomes the current one: it raises, or returns
        a function to be called afterwards."""
        with self._lock:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Store cannot be pickled: create one in each process")

    def __repr__(self) -> str:
        return f"<thriftlens.Store of {os.fspath(self._path)}, version {self.version}>"

    def _files(self) -> Iterable[Path]:
        return with_siblings(os.fsdecode(name) for name, _, _ in self.current._core.sources())
