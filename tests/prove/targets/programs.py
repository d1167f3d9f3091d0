"""Several operations of one value: fused rewrites, many paths and many lookups."""

from __future__ import annotations

from typing import Any

import thriftlens as tl
from proving import wire
from proving.case import Case, expect, expect_payload, expect_true
from proving.paths import PathMaker, matches, text_of
from proving.plain import decoded
from proving.registry import target
from proving.schemas import Kind

from .edits import add_to, draw_change, roots
from .selections import draw_selection


@target("Rewrite.trim", "Rewrite.redact", "Rewrite.apply", "Type.rewrite")
def fused(seed: int) -> None:
    """Trim, redaction and edits in one pass equal one after another."""
    case = Case(seed, unknown_rate=0.2)
    options: Any = {"protocol": case.protocol}
    _, selection = draw_selection(case.choices, case.root)
    field = case.choices.choice(case.root.fields)
    action = "blank" if field.requiredness == "required" else case.choices.choice(("drop", "blank"))
    rules: Any = {"paths": {f"$.{field.name}": action}, "missing_required": "omit"}
    changes = []
    for _ in range(2):
        change = draw_change(case)
        if case.root.kind != "union" and roots(change) not in map(roots, changes):
            changes.append(change)
    about = (selection, rules, [(change.verb, text_of(change.steps)) for change in changes])
    steps = case.choices.sample(("trim", "redact", "edit"), k=case.choices.randint(1, 3))
    rewrite = case.type.rewrite(case.data, **options)
    try:
        data = case.data
        if "trim" in steps:
            data = case.type.trim(data, selection, **options)
        if "redact" in steps:
            data = case.type.redact(data, **rules, **options)
        if "edit" in steps:
            edit = case.type.edit(data, **options)
            for change in changes:
                add_to(edit, change, case.protocol, "wire")
            data = edit.apply()
        code = None
    except tl.Error as error:
        code = error.code
    try:
        if "trim" in steps:
            rewrite.trim(selection)
        if "redact" in steps:
            rewrite.redact(**rules)
        if "edit" in steps:
            for change in changes:
                add_to(rewrite, change, case.protocol, "wire")
        out = rewrite.apply()
    except tl.Error as error:
        expect_true(code is not None, (about, error))  # maybe another one
        return
    expect(code, None, about)
    expect_payload(case.root, out, wire.read(case.protocol, data), case.protocol, about)


@target("Type.get_many", "Type.get")
def many_paths(seed: int) -> None:
    """Repeated paths, paths of one prefix, and paths to a value and to a part of it."""
    case = Case(seed)
    maker = PathMaker(case.choices, case.protocol, many_rate=0)
    paths: list[Any] = []
    for _ in range(case.choices.randint(2, 30)):
        if paths and case.choices.random() < 0.4:
            prefix = case.choices.choice(paths)
            paths.append(prefix[: case.choices.randint(1, len(prefix))])
        else:
            paths.append(maker.make(case.root, case.payload, 6))
    texts = [text_of(steps) for steps in paths]
    expected = []
    for steps in paths:
        values = matches(steps, case.root, case.payload)
        expected.append(decoded(steps[-1].kind, values[0]) if values else None)
    if has_two_forms(paths):
        return
    expect(case.type.get_many(case.data, texts, protocol=case.protocol), expected, texts)
    view = case.type.view(case.data, protocol=case.protocol)
    actual = [view.get(text) for text in texts]
    expect([plain(item) for item in actual], expected, texts)


def has_two_forms(paths: list[Any]) -> bool:
    """Whether an entry is named in two forms, of which get_many answers one only."""
    names: dict[Any, str] = {}
    for steps in paths:
        for at, step in enumerate(steps):
            if step.form == "key":
                entry = (text_of(steps[:at]), repr(step.key))
                if names.setdefault(entry, step.text) != step.text:
                    return True
    return False


def plain(value: Any) -> Any:
    return value.to_dict() if isinstance(value, tl.View) else value


@target("MapView.__getitem__", "MapView.get", "ListView.__getitem__", "StructView.__getitem__")
def many_lookups(seed: int) -> None:
    """Lookups in any order, often enough that views build their indices."""
    case = Case(seed)
    root = case.type.view(case.data, protocol=case.protocol)
    look_up(case, case.root, root, case.payload)


def look_up(case: Case, kind: Kind, view: Any, payload: Any) -> None:
    if kind.is_record:
        for _ in range(3):
            for number, _, item in case.choices.sample(payload.fields, k=len(payload.fields)):
                field = kind.by_id(number)
                if field is not None:
                    compare(case, field.type, view[field.name], item)
    elif kind.kind == "map":
        for _ in range(3):
            for key, item in case.choices.sample(payload.entries, k=min(len(payload.entries), 6)):
                name = decoded(kind.keys, key, is_key=True)
                expect_true(name in view, (kind.text, name))
                compare(case, kind.inner, view[name], item)
    elif kind.kind == "list":
        for _ in range(min(12, 3 * len(payload.items))):
            index = case.choices.randrange(-len(payload.items), len(payload.items))
            compare(case, kind.inner, view[index], payload.items[index])


def compare(case: Case, kind: Kind, actual: Any, payload: Any) -> None:
    if isinstance(actual, tl.View):
        if case.choices.random() < 0.3:
            look_up(case, kind, actual, payload)
    else:
        expect(actual, decoded(kind, payload))
