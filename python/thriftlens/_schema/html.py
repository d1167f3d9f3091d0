"""What notebooks show of views, types and differences: tables. Data and IDL may hold anything: all of it is escaped and cut."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Iterable, Sequence

from .. import _core
from .._errors import Error

if TYPE_CHECKING:
    from .results import Difference
    from .schema import Type

MAX_ROWS = 24
MAX_TEXT = 100


def html_of_view(view: _core.View) -> str:
    """Fields, entries or elements, each with its value in short. Bytes that are broken end the table."""
    rows: list[Sequence[str]] = []
    note = ""
    try:
        rows.extend(itertools.islice(_view_rows(view), MAX_ROWS))
        hidden = len(view) - len(rows)
    except Error as error:
        note, hidden = f"! {error}", 0
    return table(repr(view), _heads(view), rows, hidden, note)


def html_of_type(of: Type) -> str:
    """The fields of a struct, the members of an enum."""
    title = f"{of.kind} {of.name}" if of.name != of.kind else of.name
    if of.kind == "enum":
        members = [(name, str(number)) for name, number in itertools.islice(of.members.items(), MAX_ROWS)]
        return table(title, ("member", "number"), members, len(of.members) - len(members), of.doc)
    fields = [
        (str(each.id), each.name, each.type.name, each.requiredness, short(each.default) if each.has_default else "")
        for each in itertools.islice(of.fields.values(), MAX_ROWS)
    ]
    heads = ("id", "field", "type", "", "default") if fields else ()
    return table(title, heads, fields, len(of.fields) - len(fields), of.doc)


def html_of_differences(differences: Sequence[Difference]) -> str:
    """One row for each."""
    rows = [(each.kind, each.path, *_sides(each)) for each in differences[:MAX_ROWS]]
    count = f"{len(differences)} difference{'' if len(differences) == 1 else 's'}"
    return table(count, ("", "path", "left", "right") if rows else (), rows, len(differences) - len(rows), "")


def table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], hidden: int, note: str) -> str:
    """A table of texts. `hidden`: rows that are not shown."""
    parts = ["<table><caption>", _cell(title), "</caption>"]
    if heads:
        parts += ["<tr>", *(f"<th>{_cell(each)}</th>" for each in heads), "</tr>"]
    for row in rows:
        parts += ["<tr>", *(f"<td>{_cell(each)}</td>" for each in row), "</tr>"]
    parts.append("</table>")
    if hidden > 0:
        parts.append(f"<p>and {hidden} more</p>")
    if note:
        parts.append(f"<p>{_cell(note)}</p>")
    return "".join(parts)


def short(value: Any) -> str:
    """A value in at most MAX_TEXT characters; what is inside a view is not looked at."""
    if isinstance(value, _core.View):
        return repr(value)
    if isinstance(value, (str, bytes)):
        return cut(repr(value[:MAX_TEXT])) + (f" … {len(value)}" if len(value) > MAX_TEXT else "")
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        return f"{type(value).__name__} of {len(value)}"
    return cut(repr(value))


def cut(text: str, size: int = MAX_TEXT) -> str:
    return text if len(text) <= size else text[:size] + "…"


def _cell(text: str) -> str:
    """Escaped, in one line, without characters that change how others are shown."""
    shown = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in cut(text, MAX_TEXT + 20))
    import html

    return html.escape(shown)


def _heads(view: _core.View) -> Sequence[str]:
    if isinstance(view, _core.StructView):
        return ("field", "value")
    return ("key", "value") if isinstance(view, _core.MapView) else ("", "value")


def _view_rows(view: _core.View) -> Iterable[Sequence[str]]:
    if isinstance(view, _core.StructView):
        return ((name, short(value)) for name, value in view.items())
    if isinstance(view, _core.MapView):
        return ((short(key), short(value)) for key, value in view.items())
    return ((str(index), short(value)) for index, value in enumerate(view))


def _sides(of: Difference) -> tuple[str, str]:
    left = "" if of.kind == "added" else short(of.left)
    return left, "" if of.kind == "removed" else short(of.right)
