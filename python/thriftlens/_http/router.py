"""tl.http.Router: paths to targets by patterns."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from .. import _core


class Match(NamedTuple):
    """The target of a path, or None, and the path's parameters; `allowed` are the path's verbs if
    only the verb does not match."""

    target: Any
    path_params: list[tuple[str, str]]
    allowed: list[str]


class Router:
    """Maps paths to targets by patterns with :name and *rest.

    >>> import thriftlens as tl
    >>> router = tl.http.Router()
    >>> router.add("GET", "/users/:id", "user")
    >>> router.find("GET", "/users/a%2Fb")
    Match(target='user', path_params=[('id', 'a/b')], allowed=[])
    >>> router.find("GET", "/users/..").target is None
    True
    """

    def __init__(self) -> None:
        self._core = _core.HttpRouter()
        self._targets: list[object] = []
        self._adding = threading.Lock()

    def add(self, method: str, pattern: str, target: object) -> None:
        """Raises path_syntax for an invalid pattern, already_there for one that matches the same
        paths as another."""
        with self._adding:
            self._core.add(method, pattern, len(self._targets))
            self._targets.append(target)

    def find(self, method: str, path: str) -> Match:
        """The match of a percent-encoded path without query."""
        target, params, allowed = self._core.find(method, path)
        return Match(None if target is None else self._targets[target], params, allowed)


Match.__module__ = Router.__module__ = "thriftlens.http"
