"""A rewrite is a trim, a redaction and an edit in one pass: its bytes are those of the three one
after the other."""

import gc
import itertools
import weakref

import pytest
import thriftlens as tl

IDL = """
struct Item { 1: string sku, 2: i32 count, 3: string note (pii = "blank") }
struct User { 1: string name (pii = "keep_last(1)"), 2: i32 age, 3: bool adult }
struct Order { 1: i32 id, 2: User user, 3: list<Item> items, 4: map<string, Item> named,
  5: string debug, 6: optional i32 hops, 9: bool paid }
"""
VALUE = {
    "id": 7,
    "user": {"name": "Zoe", "age": 30, "adult": True},
    "items": [{"sku": f"s{i}", "count": i, "note": f"note {i}"} for i in range(5)],
    "named": {"a": {"sku": "x", "note": "y"}, "b": {"count": 3}},
    "debug": "x",
    "hops": 1,
    "paid": False,
}
SELECTIONS = [
    None,
    "{ * -debug }",
    "{ id user { name adult } items { count note } hops }",
    ["$.items", "$.named", "$.user"],
]
RULES = [
    None,
    {"annotation": "pii"},
    {"annotation": "pii", "paths": {"$.items[*].sku": "constant(s)", "$.user.age": "drop"}},
]
EDITS = [
    [],
    [("set", "$.hops", 2)],
    [("set", "$.user.name", "new"), ("erase", "$.items[1]"), ("append", "$.items", {"sku": "z"})],
    [("replace", "$.items[*].note", lambda note: note + "!"), ("create", '$.named{"c"}.count', 9)],
]


@pytest.fixture(scope="module")
def order():
    return tl.loads(IDL).Order


def changed(of, steps):
    for name, *rest in steps:
        of = getattr(of, name)(*rest)
    return of


@pytest.mark.parametrize(
    "selection, rules, edits", list(itertools.product(SELECTIONS, RULES, EDITS))
)
def test_equals_trim_redact_and_edit_in_sequence(order, protocol, selection, rules, edits):
    data = order.encode(VALUE, protocol=protocol)
    expected = data
    if selection is not None:
        expected = order.trim(expected, selection, protocol=protocol)
    if rules is not None:
        expected = order.redact(expected, protocol=protocol, **rules)
    expected = changed(order.edit(expected, protocol=protocol), edits).apply()
    for start in (
        lambda: order.rewrite(data, protocol=protocol),
        lambda: tl.rewrite(order.view(data, protocol=protocol)),
    ):
        for turn in (1, -1):  # in any order of the options
            rewrite = start()
            parts = [
                lambda: rewrite if selection is None else rewrite.trim(selection),
                lambda: rewrite if rules is None else rewrite.redact(**rules),
                lambda: changed(rewrite, edits),
            ]
            assert all(part() is rewrite for part in parts[::turn])
            assert rewrite.apply() == expected == rewrite.apply()


def test_of_a_value_inside(order, protocol):
    data = order.encode(VALUE, protocol=protocol)
    view = order.view(data, protocol=protocol)
    user = tl.rewrite(view.user).trim("{ name age }").redact(annotation="pii").set("$.age", 31)
    of = order.at("$.user")
    del view
    gc.collect()
    assert of.decode(user.apply(), protocol=protocol) == {"name": "**e", "age": 31}
    with pytest.raises(tl.Error):
        tl.rewrite(order.view(data, protocol=protocol).user).trim("{ id }")
    with pytest.raises(TypeError, match="expected a thriftlens.View, not bytes"):
        tl.rewrite(data)


def test_a_rewrite_reports_its_steps(order):
    reports = []
    unknown = order.encode(VALUE)[:-1] + b"\x08\x00\x63\0\0\0\x01\0"
    rewrite = (
        order.rewrite(unknown)
        .trim("{ * -debug }")
        .redact(annotation="pii", paths={"$.user.age": "drop"})
    )
    rewrite.apply(report=reports.append)
    assert rewrite.apply(report=None)
    (report,) = reports
    assert type(report) is tl.RewriteReport
    assert report == (1, 7, 2, 1) and report.trimmed == 1 and report.replaced == 7
    assert report.dropped == 2 and report.unknown == 1


def test_errors(order):
    data = order.encode(VALUE)
    for kind, message, call in [
        (tl.Error, "one selection",
            lambda: order.rewrite(data).trim("{ id }").trim("{ id }").apply()),
        (tl.Error, "one redaction",
            lambda: order.rewrite(data).redact(annotation="pii").redact(annotation="pii").apply()),
        (tl.SchemaError, "did you mean 'pii'", lambda: order.rewrite(data).redact(annotation="pi")),
        (tl.UnknownNameError, "no field 'ids'", lambda: order.rewrite(data).trim("{ ids }")),
        (tl.AbsentError, "user",
            lambda: order.rewrite(data).trim("{ id }").set("$.user.name", "x").apply()),
        (tl.DecodeError, "cut|end", lambda: order.rewrite(data[:-3]).trim("{ * -debug }").apply()),
        (tl.Error, "limit|more than",
            lambda: order.rewrite(data, output_size=10).set("$.hops", 2).apply()),
        (tl.EncodeError, "expected i32", lambda: order.rewrite(data).set("$.hops", "x")),
        (TypeError, "unexpected keyword argument 'anotation'; did you mean 'annotation'",
            lambda: order.rewrite(data).redact(anotation="pii")),
        (TypeError, "missing required argument 'data'", lambda: order.rewrite()),
        (TypeError, "cannot create", tl.Rewrite),
        (ZeroDivisionError, "division",
            lambda: order.rewrite(data).replace("$.hops", lambda old: 1 // 0).apply()),
    ]:  # fmt: skip
        with pytest.raises(kind, match=message):
            call()


def test_a_replacement_receives_the_redacted_value(order, protocol):
    seen = []

    def change(user):
        seen.append(user)
        return {**user, "name": "new"}

    data = order.encode(VALUE, protocol=protocol)
    out = (
        order.rewrite(data, protocol=protocol)
        .trim("{ user { name } }")
        .redact(annotation="pii")
        .replace("$.user", change)
        .apply()
    )
    assert order.decode(out, protocol=protocol) == {"user": {"name": "new"}}
    assert seen and all(value == {"name": "**e"} for value in seen)


def test_a_replacement_in_a_set_of_lists_beside_a_redaction(protocol):
    of = tl.loads("struct T { 1: i32 hidden, 2: set<list<i32>> s }").T
    data = of.encode({"hidden": 5, "s": [[1, 2, 3], [4]]}, protocol=protocol)
    rewrite = of.rewrite(data, protocol=protocol).redact(paths={"$.hidden": "drop"})
    out = rewrite.replace("$.s[0][1]", lambda old: old + 5).apply()
    assert of.decode(out, protocol=protocol) == {"s": {(1, 7, 3), (4,)}}


def test_an_edit_refuses_changes_while_it_is_applied(order):
    data = order.encode(VALUE)
    for step in (
        lambda: rewrite.trim("{ id }"),
        lambda: rewrite.redact(annotation="pii"),
        lambda: rewrite.set("$.id", 1),
        lambda: rewrite.apply(),
    ):
        rewrite = order.rewrite(data).replace("$.hops", lambda old: step() and 1)
        with pytest.raises(RuntimeError, match="while it is being applied"):
            rewrite.apply()


def test_a_rewrite_that_its_function_holds_is_collected(order):
    class Change:
        def __call__(self, old):
            return old

    change = Change()
    change.own = order.rewrite(order.encode(VALUE)).replace("$.hops", change)
    gone = weakref.ref(change)
    del change
    gc.collect()
    assert gone() is None
