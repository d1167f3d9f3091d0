"""What redact, redactions, diff and rewrites answer with."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from . import html as _html


class Difference(NamedTuple):
    """One place where two values differ; made by Type.diff. A side where nothing stands is None.

    left and right are values as decode gives them, or wire bytes where the IDL does not know what stands there."""

    kind: Literal["added", "removed", "changed"]
    path: str
    left: Any
    right: Any

    def _repr_html_(self) -> str:
        return _html.html_of_differences([self])


class Differences(list[Difference]):
    """What Type.diff answers with: a list, which notebooks show as a table."""

    def _repr_html_(self) -> str:
        return _html.html_of_differences(self)


class Redaction(NamedTuple):
    """What Type.redact does at one place; made by Type.redactions."""

    path: str
    """`$.user.name`; `{key *}` are the keys of a map, `#*` the fields that the IDL does not know."""
    action: str
    """"drop", "hash" …, or "as $.user" where the same is listed there already."""
    why: str
    """The rule: `path $.user`, `field User.name (pii = "name")`, `its type (…)`, `struct User (…)`."""


class RedactReport(NamedTuple):
    """What one Type.redact did; given to its `report`."""

    replaced: int
    """Values made blank, constant, hashed or cut."""
    dropped: int
    """Fields, elements and entries, unknown fields too; also elements and entries merged because their keys became equal."""
    unknown: int
    """Of these the fields that the IDL does not know."""


class RewriteReport(NamedTuple):
    """What one rewrite did; given to the `report` of Rewrite.apply."""

    trimmed: int
    """Fields that the selection left out, each counted once with all it held."""
    replaced: int
    dropped: int
    unknown: int
    """These as in RedactReport."""
