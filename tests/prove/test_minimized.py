"""Failures are reduced to the part of the case that they need."""

from proving.campaign import failure, message_of, minimized
from proving.case import Case
from proving.registry import TARGETS, Target


def has_map(case):
    return any(
        field.type.kind == "map" for record in case.schema.records for field in record.fields
    )


def check(seed):
    case = Case(seed)
    steps = case.program(list(range(9)))
    if 4 in steps and has_map(case):
        raise AssertionError("a map and step 4")


def test_program_idl_and_value_are_minimized(monkeypatch):
    monkeypatch.setitem(TARGETS, "fake", Target("fake", check, (), 1))
    seed = next(seed for seed in range(50) if failure("fake", seed))
    removed, text = minimized("fake", seed)
    assert removed["steps"] == [0, 1, 2, 3, 5, 6, 7, 8]
    assert text.count(": ") < 12 and "map<" in text
    assert message_of(text) == "AssertionError: a map and step 4"
    assert Case.removed == Case.removed.__class__()
