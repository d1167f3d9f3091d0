"""Results of redact, redactions, diff and rewrites."""

from __future__ import annotations

from typing import Callable, Literal, NamedTuple, Optional

from .._typing import RedactRules, Value
from . import html as _html


class Difference(NamedTuple):
    """A difference between two values, returned by Type.diff. A missing side is None. left and
    right are decoded values, or wire bytes of fields that are not in the IDL."""

    kind: Literal["added", "removed", "changed"]
    path: str
    left: Value
    right: Value

    def _repr_html_(self) -> str:
        return _html.html_of_differences([self])


class Differences(list[Difference]):
    """The result of Type.diff: a list, which notebooks show as a table."""

    def _repr_html_(self) -> str:
        return _html.html_of_differences(self)


class Redaction(NamedTuple):
    """An action of Type.redact on a path, returned by Type.redactions."""

    path: str
    """`$.user.name`; `{key *}` are the keys of a map, `#*` the fields that are not in the IDL."""
    action: str
    """"drop", "hash" …, or "as $.user" if the same actions are already listed for that path."""
    reason: str
    """The rule: `path $.user`, `field User.name (pii = "name")`, `its type (…)`, `struct User (…)`.
    """


class RedactReport(NamedTuple):
    """Counts of one Type.redact, passed to its `report`."""

    replaced: int
    """Values that were blanked, hashed, shortened or replaced by a constant."""
    dropped: int
    """Fields, elements and entries, including unknown fields, and elements and entries merged
    because their keys became equal."""
    unknown: int
    """The dropped fields that are not in the IDL; included in `dropped`."""


class RedactOptions(RedactRules, total=False):
    """Options of Type.redact, without those of the wire format."""

    report: Optional[Callable[[RedactReport], object]]


class RewriteReport(NamedTuple):
    """Counts of one rewrite, passed to the `report` of Rewrite.apply."""

    trimmed: int
    """Fields removed by the selection; nested fields are not counted."""
    replaced: int
    dropped: int
    unknown: int
    """As in RedactReport."""
