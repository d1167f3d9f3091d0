"""The grammar of paths and selections: what its tables list is accepted."""

import re

import pytest
import thriftlens as tl
from thriftlens import grammar

IDL = tl.loads("""
    enum Color { RED = 1 }
    struct Item { 1: string sku, 2: double price }
    struct User { 1: string name, 2: i32 debug }
    struct Order { 1: i64 id, 2: User user, 3: list<Item> items, 4: map<string, Item> by_sku,
                   5: string name, 6: bool debug }
    """)


def examples(text):
    """The left column of the table."""
    lines = [line for line in text.split("\n") if line.startswith("  {")]
    return [re.split(r"\s{2,}", line.strip())[0] for line in lines]


def test_the_example_paths_are_valid():
    (line,) = (line for line in grammar.PATHS.split("\n") if "$.user.name " in line)
    for path in line.split():
        assert IDL.Order.at(path).kind in ("string", "double")


@pytest.mark.parametrize(
    "path, kind",
    [
        ("$", "struct"), (".name", "string"), (".#5", "string"), ("#5", "string"),
        ("items[3]", "struct"), ("items[-1]", "struct"), ("items[1:3]", "struct"),
        ("items[*].sku", "string"), ('by_sku{"key"}', "struct"), ("by_sku{*}", "struct"),
        ("by_sku{key 3}", "string"),
    ],
)  # fmt: skip
def test_every_step_of_a_path(path, kind):
    assert IDL.Order.at(path).kind == kind


@pytest.mark.parametrize("selection", examples(grammar.SELECTIONS))
def test_every_form_of_a_selection(selection):
    data = IDL.Order.encode({"id": 1, "user": {"name": "a"}, "name": "b", "debug": True})
    assert len(IDL.Order.trim(data, selection)) <= len(data)


def test_the_package_shows_both():
    assert grammar.PATHS in tl.__doc__ and grammar.SELECTIONS in tl.__doc__
