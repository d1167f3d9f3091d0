"""get, get_many, and relative paths of views."""

from __future__ import annotations

from typing import Any

import thriftlens as tl
from proving.case import Case, error_of, expect, expect_true
from proving.paths import PathMaker, Step, matches, text_of
from proving.plain import decoded
from proving.registry import target


def selected(case: Case, steps: list[Step], default: Any) -> Any:
    """What get returns for a path."""
    values = [decoded(steps[-1].kind, item) for item in matches(steps, case.root, case.payload)]
    if any(step.is_many for step in steps):
        return values
    return values[0] if values else default


@target("Type.get", "Type.get_many", "Type.at", "Type.index_at")
def get(seed: int) -> None:
    case = Case(seed)
    maker = PathMaker(case.choices, case.protocol)
    paths = [maker.make(case.root, case.payload) for _ in range(case.choices.randint(1, 6))]
    for steps in paths:
        text = text_of(steps)
        expected = selected(case, steps, 17)
        actual = case.type.get(case.data, text, 17, protocol=case.protocol)
        expect(actual, expected, text)
        expect(case.type.at(text).kind, steps[-1].kind.kind, text)
        expect(case.type.at(text).index, case.type.index_at(text))
    paths = [steps for steps in paths if not any(step.is_many for step in steps)]
    paths += [maker.respelled(case.root, steps) for steps in paths if case.choices.random() < 0.5]
    case.choices.shuffle(paths)
    paths = case.program(paths)
    texts = [text_of(steps) for steps in paths]
    expected = [selected(case, steps, None) for steps in paths]
    expect(case.type.get_many(case.data, texts, protocol=case.protocol), expected, texts)


@target("StructView.get", "MapView.at", "ListView.at", "SetView.at", "ListView.get", "SetView.get")
def relative_path(seed: int) -> None:
    """A path from a view inside a value leads to what the path from the root leads to."""
    case = Case(seed)
    maker = PathMaker(case.choices, case.protocol, many_rate=0)
    steps = maker.make(case.root, case.payload)
    view: Any = case.type.view(case.data, protocol=case.protocol)
    kind = case.root
    for at, step in enumerate(steps):
        rest = PathMaker(case.choices, case.protocol).make(
            kind, matches(steps[:at], case.root, case.payload)[0] if at else case.payload
        )
        values = [
            decoded(rest[-1].kind, item)
            for start in (matches(steps[:at], case.root, case.payload) if at else [case.payload])
            for item in matches(rest, kind, start)
        ]
        many = any(item.is_many for item in rest)
        expected: Any = values if many else values[0] if values else None
        text = text_of(rest)
        actual = view.get(text) if kind.is_record else view.at(text)
        actual = [plain_value(item) for item in actual] if many else plain_value(actual)
        expect(actual, expected, (text_of(steps[:at]), text))
        following = matches(steps[: at + 1], case.root, case.payload)
        if not following or not (step.kind.is_record or step.kind.kind in ("list", "set", "map")):
            break
        name = text_of([step])
        view = view.get(name) if kind.is_record else view.at(name)
        kind = step.kind


def plain_value(value: Any) -> Any:
    return value.to_dict() if isinstance(value, tl.View) else value


@target("Type.get", "UnknownNameError")
def wrong_path(seed: int) -> None:
    """A path with one wrong character is an error or another path, never anything else."""
    case = Case(seed)
    steps = PathMaker(case.choices, case.protocol).make(case.root, case.payload)
    text = text_of(steps)
    at = case.choices.randrange(len(text))
    character = case.choices.choice('.[]{}*#"x0-:9\\$ é')
    wrong = text[:at] + character + text[at + case.choices.randint(0, 1) :]
    code = error_of(lambda: case.type.get(case.data, wrong, protocol=case.protocol))
    many = error_of(lambda: case.type.get_many(case.data, [wrong], protocol=case.protocol))
    at_code = error_of(lambda: case.type.at(wrong))
    expect_true(code == at_code or at_code is None, (wrong, code, at_code))
    expect_true(code == many or code is None, (wrong, code, many))
