"""HTML tables of views, types and differences for notebooks. All text from data and IDL is escaped
and shortened."""

from __future__ import annotations

import itertools
from typing import Iterable, Mapping, Sequence

from .. import _core
from .._errors import Error

MAX_ROWS = 24
MAX_TEXT = 100
NESTED_ROWS = 16


class _Html(str):
    """Text with tags."""


def html_of_view(view: _core.View) -> str:
    """Fields, entries or elements with their shortened values; structs and containers are tables of
    their first rows. Invalid bytes end a table."""
    return _table_of_view(view, repr(view), MAX_ROWS, [NESTED_ROWS])


def _table_of_view(view: _core.View, title: str, max_rows: int, remaining: list[int]) -> str:
    """remaining: the number of rows that nested tables may still have."""
    rows: list[Sequence[str]] = []
    note = ""
    try:
        for key, value in itertools.islice(_view_rows(view), max_rows):
            remaining[0] -= not title
            rows.append((key, _cell_of_value(value, remaining)))
            if not title and remaining[0] <= 0:
                break
        hidden = len(view) - len(rows)
    except Error as error:
        note, hidden = f"! {error}", 0
    return table(title, _heads(view), rows, hidden, note)


def _cell_of_value(value: object, remaining: list[int]) -> str:
    if not isinstance(value, _core.View) or remaining[0] <= 0:
        return short(value)
    return _Html(_table_of_view(value, "", 4, remaining))


def html_of_members(title: str, members: Mapping[str, int], doc: str) -> str:
    """The members of an enum."""
    rows = [(name, str(number)) for name, number in itertools.islice(members.items(), MAX_ROWS)]
    return table(title, ("member", "number"), rows, len(members) - len(rows), doc)


FieldRow = tuple[int, str, str, str, tuple[bool, object]]
"""Id, name, type, requiredness, and whether the field has a default and its value."""


def html_of_fields(title: str, count: int, fields: Iterable[FieldRow], doc: str) -> str:
    """The fields of a struct, of which there are `count`."""
    rows = [
        (str(number), name, type_, requiredness, short(default) if has_default else "")
        for number, name, type_, requiredness, (has_default, default) in itertools.islice(
            fields, MAX_ROWS
        )
    ]
    heads = ("id", "field", "type", "", "default") if rows else ()
    return table(title, heads, rows, count - len(rows), doc)


DifferenceRow = tuple[str, str, object, object]
"""The members of a Difference: kind, path, left and right."""


def html_of_differences(differences: Sequence[DifferenceRow]) -> str:
    """One row per difference."""
    rows = [
        (
            kind,
            path,
            "" if kind == "added" else short(left),
            "" if kind == "removed" else short(right),
        )
        for kind, path, left, right in differences[:MAX_ROWS]
    ]
    count = f"{len(differences)} difference{'' if len(differences) == 1 else 's'}"
    return table(
        count, ("", "path", "left", "right") if rows else (), rows, len(differences) - len(rows), ""
    )


def table(
    title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], hidden: int, note: str
) -> str:
    """A table of texts. hidden: number of rows that are not shown."""
    parts = ["<table>", f"<caption>{_cell(title)}</caption>" if title else ""]
    if heads:
        parts.append(_row("th", heads))
    parts += [_row("td", row) for row in rows]
    parts.append("</table>")
    if hidden > 0:
        parts.append(f"<p>and {hidden} more</p>")
    if note:
        parts.append(f"<p>{_cell(note)}</p>")
    return "".join(parts)


def _row(tag: str, texts: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_cell(text)}</{tag}>' for text in texts)}</tr>"


def short(value: object) -> str:
    """A value in at most MAX_TEXT characters; the content of a view is not read."""
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
    """The text escaped, in one line, without control and format characters."""
    if isinstance(text, _Html):
        return text
    printable = "".join(
        character if character.isprintable() else ascii(character)[1:-1]
        for character in cut(text, MAX_TEXT + 20)
    )
    import html  # slow, and only notebooks need it

    return html.escape(printable)


def _heads(view: _core.View) -> Sequence[str]:
    if isinstance(view, _core.StructView):
        return ("field", "value")
    return ("key", "value") if isinstance(view, _core.MapView) else ("", "value")


def _view_rows(view: _core.View) -> Iterable[tuple[str, object]]:
    if isinstance(view, _core.StructView):
        return view.items()
    if isinstance(view, _core.MapView):
        return ((short(key), value) for key, value in view.items())
    return ((str(index), value) for index, value in enumerate(view))
