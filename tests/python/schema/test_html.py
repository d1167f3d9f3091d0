"""Output in notebooks and consoles: tables of views, types and differences, escaped and bounded;
edits in one line."""

import pytest
import thriftlens as tl
from notebook_tables import IDL, shown

HOSTILE = '</td><script>alert(\'1\')</script>"&<img src=x onerror="y">\u202e\0\n\x1b[31m'


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


def test_views_are_tables(idl, protocol):
    data = idl.Order.encode(
        {"id": 7, "text": "home", "items": [{"sku": "a"}, {"sku": "b"}], "notes": {"k": "v"}},
        protocol=protocol,
    )
    view = idl.Order.view(data, protocol=protocol)
    assert shown(view) == (
        "<thriftlens.StructView Order at $>fieldvalueid7text'home'itemsvalue0fieldvaluesku'a'"
        "1fieldvaluesku'b'noteskeyvalue'k''v'"
    )
    assert shown(view["items"]).endswith("value0fieldvaluesku'a'1fieldvaluesku'b'")
    assert shown(view.notes).endswith("keyvalue'k''v'") and "<th>field</th>" in view._repr_html_()


@pytest.mark.parametrize("field", ["text", "items", "notes", "tags", "raw"])
def test_hostile_values_are_escaped(idl, protocol, field):
    value = {
        "text": HOSTILE,
        "items": [{"sku": HOSTILE}],
        "notes": {HOSTILE: HOSTILE},
        "tags": {HOSTILE},
        "raw": HOSTILE.encode(),
    }[field]
    data = idl.Order.encode({"id": 1, field: value}, protocol=protocol)
    view = idl.Order.view(data, protocol=protocol)
    parts = [view, *(child for child in view.values() if isinstance(child, tl.View))]
    parts += [child for part in parts[1:] for child in part if isinstance(child, tl.View)]
    assert any("script" in shown(part) for part in parts)
    other = idl.Order.encode({"id": 1}, protocol=protocol)
    for differences in (
        idl.Order.diff(other, data, protocol=protocol),
        idl.Order.diff(data, other, protocol=protocol),
    ):
        shown(differences)
        for difference in differences:
            shown(difference)
    encoded = idl.Order.encode({"id": 1, "notes": {HOSTILE: "x"}})
    keyed = idl.Order.diff(encoded, idl.Order.encode({"id": 1, "notes": {HOSTILE: "y"}}))
    assert len(keyed) == 1 and "script" in shown(keyed)


def test_hostile_idl_is_escaped():
    of = tl.loads(
        "/** "
        + HOSTILE.replace("\0", "").replace("*/", "")
        + ' */ struct S { 1: string a = "<script>", 2: list<S> b = [], 3: S c }'
    ).S
    assert "'<script>'" in shown(of) and "list of 0" in shown(of)


def test_the_output_is_bounded(idl, protocol):
    long = "<&\"'" * 100_000
    value = {
        "id": 1,
        "text": long,
        "items": [{"sku": long}] * 50,
        "notes": {long + str(i): long for i in range(40)},
        "tags": {long + str(i) for i in range(40)},
        "raw": b"\xff" * 10**6,
    }
    data = idl.Order.encode(value, protocol=protocol)
    view = idl.Order.view(data, protocol=protocol)
    for item in (view, view["items"], view.notes, view.tags):
        shown(item)
    assert "and 26 more" in shown(view["items"]) and "400000" in shown(view)
    assert "1000000" in shown(view)
    encoded = idl.Order.encode({"id": 2}, protocol=protocol)
    differences = idl.Order.diff(encoded, data, protocol=protocol)
    shown(differences)
    wide = tl.loads(
        "struct W { "
        + ", ".join(f"{i}: i32 {'f' * 200}{i} = {i}" for i in range(1, 2000))
        + " } enum E { "
        + ", ".join(f"M{i}" for i in range(3000))
        + " }"
    )
    assert "and 1975 more" in shown(wide.W) and "and 2976 more" in shown(wide.E)
    result = shown(tl.Differences(tl.Difference("changed", "$", 1, 2) for _ in range(64)))
    assert "and 40 more" in result


def test_nested_tables_are_bounded(protocol):
    deep = tl.loads("struct N { 1: i32 x, 2: list<N> below }").N
    value = {"x": 0}
    for number in range(1, 30):
        value = (
            {"x": number, "below": [value] * 3} if number < 3 else {"x": number, "below": [value]}
        )
    view = deep.view(deep.encode(value, protocol=protocol), protocol=protocol)
    text = shown(view)
    assert "x29" in text and "x25" in text and "x10" not in text
    assert "and 96 more" in shown(
        tl.loads("struct W { 1: list<i32> l }").W.view(
            tl.loads("struct W { 1: list<i32> l }").W.encode({"l": [5] * 100})
        )
    )


def test_invalid_bytes_end_the_table(idl, protocol):
    data = idl.Order.encode({"id": 7, "text": "home", "tags": {"a"}}, protocol=protocol)
    for end in range(len(data)):
        assert "! " in shown(idl.Order.view(data[:end], protocol=protocol))
    assert "id7text'home'" in shown(idl.Order.view(data[:-2], protocol=protocol))


def test_types_are_tables(idl):
    assert shown(idl.Order).startswith(
        "struct Orderidfieldtypedefault1idi64required2textstringoptional3itemslist<Item>default"
    )
    assert shown(idl.Color) == "enum ColormembernumberRED1BLUE5" and shown(idl["i32"]) == "i32"
    assert "'<b>" in shown(idl.Item)


def test_repr_of_an_edit(idl, protocol):
    data = idl.Order.encode({"id": 1}, protocol=protocol)
    edit = idl.Order.edit(data, protocol=protocol)
    assert repr(edit) == "<thriftlens.Edit Order, 0 edits>"
    edit.set("$.id", 5)
    assert repr(edit) == "<thriftlens.Edit Order, 1 edit: set $.id>"
    edit.erase("text").append("$.tags", "x").replace("$.color", int).create(
        '$.notes{"a"}', "b"
    ).insert("$.raw", b"")
    assert (
        repr(edit) == "<thriftlens.Edit Order, 6 edits: set $.id, erase text, append $.tags, "
        "replace $.color and 2 more>"
    )
    assert edit.apply() and repr(edit).startswith("<thriftlens.Edit Order, 6 edits")
    long = repr(idl.Order.edit(data, protocol=protocol).set('$.notes{"' + "ä" * 10_000 + '"}', "x"))
    assert len(long) < 120 and long.endswith("…>") and "�" not in long


def test_repr_of_a_rewrite(idl, protocol):
    data = idl.Order.encode({"id": 1}, protocol=protocol)
    rewrite = idl.Order.rewrite(data, protocol=protocol)
    assert repr(rewrite) == "<thriftlens.Rewrite Order, 0 edits>"
    rewrite.trim("{ id }").set("$.id", 5).redact(paths={"$.text": "drop"})
    assert repr(rewrite) == "<thriftlens.Rewrite Order, trim, redact, 1 edit: set $.id>"
    result = repr(tl.rewrite(idl.Order.view(data, protocol=protocol)).erase("$.text"))
    assert result == "<thriftlens.Rewrite Order, 1 edit: erase $.text>"
