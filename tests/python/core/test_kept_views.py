"""Encoding a view never loses fields silently; unions with two members and struct defaults are
handled by every writer."""

import pytest
import thriftlens as tl

NEW = tl.loads("""struct Item { 1: i64 id, 2: string name, 3: bool sold, 4: list<i32> sizes }
    struct Cart { 1: list<Item> items, 2: map<string, Item> by_name, 3: set<i32> numbers,
      4: Item first, 9: i32 more }""")
OLD = tl.loads("""struct Item { 1: i64 id }
    struct Cart { 1: list<Item> items, 2: map<string, Item> by_name, 3: set<i32> numbers,
      4: Item first }""")
SAME = tl.loads("struct Item { 1: i64 id }")  # another schema with such a type
KEEP = {"unknown": "keep"}
CUP = {"id": 7, "name": "cup", "sold": True, "sizes": [1, 2]}


def cup(protocol):
    return NEW.Item.encode(CUP, protocol=protocol)


def cart(protocol):
    return NEW.Cart.encode(
        {"items": [CUP, CUP], "by_name": {"a": CUP}, "numbers": [3, 1, 2], "first": CUP, "more": 1},
        protocol=protocol,
    )


def test_a_view_with_unknown_keep_encodes_to_its_bytes(protocol):
    data = cup(protocol)
    view = OLD.Item.view(data, protocol=protocol, **KEEP)
    spoken = {"protocol": protocol}
    assert OLD.Item.encode(view, **spoken) == data
    assert OLD.Item.encode(view, **spoken, **KEEP) == data
    assert OLD.Item.encoder(**spoken, **KEEP).encode(view) == data
    assert OLD.Item.encode(OLD.Item.view(data, **spoken), **spoken, **KEEP) == data
    assert SAME.Item.encode(view, **spoken, **KEEP) == SAME.Item.encode(view, **spoken) == data
    cart_bytes = cart(protocol)
    view = OLD.Cart.view(cart_bytes, **spoken, **KEEP)
    assert OLD.Cart.encode(view, **spoken) == cart_bytes
    parts = {
        "items": view["items"],
        "by_name": view.by_name,
        "numbers": view.numbers,
        "first": view.first,
    }
    less = NEW.Cart.edit(cart_bytes, **spoken).erase("$.more").apply()
    assert OLD.Cart.encode(parts, **spoken) == OLD.Cart.encode(parts, **spoken, **KEEP) == less
    parts = {
        "items": list(view["items"]),
        "by_name": dict(view.by_name),
        "numbers": list(view.numbers),
        "first": view.first,
    }
    assert OLD.Cart.encode(parts, **spoken) == less


def test_non_canonical_bytes_are_preserved():
    data = b"\x0a\0\1" + b"\0" * 7 + b"\7" + b"\x02\0\3\5" + b"\0"  # a bool of 5
    view = OLD.Item.view(data, **KEEP)
    assert OLD.Item.encode(view, **KEEP) == OLD.Item.encode(view) == data
    assert OLD.Cart.encode({"items": [view]}) == b"\x0f\0\1\x0c\0\0\0\1" + data + b"\0"


def test_views_of_a_scan(protocol):
    data = cup(protocol)
    encoded = [
        OLD.Item.encode(view_, protocol=protocol)
        for view_ in tl.scan(data * 3, OLD.Item, protocol=protocol, **KEEP)
    ]
    assert encoded == [data] * 3


def test_a_view_is_encoded_in_another_protocol():
    view = OLD.Cart.view(cart("binary"), **KEEP)
    assert OLD.Cart.encode(view, protocol="compact") == cart("compact")


def test_explicit_options_override_those_of_a_view(protocol):
    data, spoken = cup(protocol), {"protocol": protocol}
    known = OLD.Item.encode({"id": 7}, **spoken)
    view = OLD.Item.view(data, **spoken, **KEEP)
    assert OLD.Item.encode(view, unknown="drop", **spoken) == known
    for of in (OLD.Item, SAME.Item):
        with pytest.raises(tl.Error) as raised:
            of.encode(view, unknown="error", **spoken)
        assert (raised.value.code, raised.value.path) == ("unknown_field", "$.#2")
    with pytest.raises(tl.Error) as raised:
        OLD.Cart.encode({"items": [{"id": 1}, view]}, unknown="error", **spoken)
    assert (raised.value.code, raised.value.path) == ("unknown_field", "$.items[1].#2")
    strict = OLD.Item.view(data, unknown="error", **spoken)
    with pytest.raises(tl.Error, match="is not in the IDL"):
        OLD.Item.encode(strict, **spoken)
    assert OLD.Item.encode(strict, **spoken, **KEEP) == data
    # What decode leaves out by default, its views do.
    assert OLD.Item.encode(OLD.Item.view(data, **spoken), **spoken) == known
    assert OLD.Item.encode(OLD.Item.decode(data, **spoken), **spoken) == known


def test_invalid_views_are_rejected():
    Need = tl.loads("struct Need { 1: required i32 a, 2: i32 b }").Need
    view = Need.view(b"\x08\0\2\0\0\0\1\0", **KEEP)
    with pytest.raises(tl.Error) as raised:
        Need.encode(view)
    assert raised.value.code == "missing_required"
    lenient = Need.view(b"\x08\0\2\0\0\0\1\0", missing_required="omit", **KEEP)
    assert Need.decode(Need.encode(lenient, missing="zero")) == {"a": 0, "b": 1}


def test_an_edit_keeps_the_unknown_fields_of_a_view(protocol):
    data, spoken = cup(protocol), {"protocol": protocol}
    cart_bytes = OLD.Cart.encode({"items": [{"id": 1}]}, **spoken)
    expected = NEW.Cart.encode({"items": [CUP]}, **spoken)
    for options in ({}, KEEP):
        view = OLD.Item.view(data, **spoken, **options)
        assert OLD.Cart.edit(cart_bytes, **spoken).set("$.items[0]", view).apply() == expected
        result = OLD.Cart.edit(cart_bytes, **spoken).replace("$.items[0]", lambda old: view).apply()
        assert result == expected
        assert (
            OLD.Cart.edit(cart_bytes, **spoken).append("$.items", view).erase("$.items[0]").apply()
            == expected
        )
        less = OLD.Cart.edit(cart_bytes, **spoken).set("$.items[0]", view, unknown="drop").apply()
        assert OLD.Cart.decode(less, **spoken, **KEEP) == {"items": [{"id": 7}]}


def test_an_edit_takes_unknown_fields(protocol):
    spoken = {"protocol": protocol}
    data = OLD.Cart.encode({"items": [{"id": 1}]}, **spoken)
    edits = [
        OLD.Cart.edit(data, **spoken).set(
            "$.items[0]", json='{"id":7,"#2":{"string":"Y3Vw"}}', **KEEP
        ),
        OLD.Cart.edit(data, **spoken).set(
            "$.items[0]", {"id": 7, "#2": {"string": b"cup"}}, **KEEP
        ),
        OLD.Cart.edit(data, **spoken)
        .append("$.items", {"id": 7, "#2": {"string": b"cup"}}, **KEEP)
        .erase("$.items[0]"),
        OLD.Cart.edit(data, **spoken)
        .insert("$.items[1]", {"id": 7, "#2": {"string": b"cup"}}, **KEEP)
        .erase("$.items[0]"),
    ]
    for edit in edits:
        assert NEW.Cart.decode(edit.apply(), **spoken) == {"items": [{"id": 7, "name": "cup"}]}
    for item in ({"json": '{"id":7,"#2":{"i32":1}}'}, {"value": {"id": 7, "#2": {"i32": 1}}}):
        with pytest.raises(tl.Error, match="no field '#2'"):
            OLD.Cart.edit(data, **spoken).set("$.items[0]", **item)


PICK = tl.loads("union Pick { 1: i32 a, 4: string d } struct Box { 1: Pick pick }")


@pytest.mark.parametrize(
    "value, names",
    [
        ({"a": 1, "#2": {"i32": 1}}, "'a' and '#2'"),
        ({"#2": {"i32": 1}, "a": 1}, "'#2' and 'a'"),
        ({"#2": {"i32": 1}, "#3": {"i32": 1}}, "'#2' and '#3'"),
        ({"a": 1, "d": "x"}, "'a' and 'd'"),
    ],
)
def test_a_union_has_one_member_known_or_not(value, names, protocol):
    import json

    text = json.dumps({"pick": value})
    with pytest.raises(tl.Error, match=f"more than one member set: {names}") as raised:
        PICK.Box.encode({"pick": value}, protocol=protocol, **KEEP)
    assert (raised.value.code, raised.value.path) == ("union_members", "$.pick")
    for more in ({}, {"duplicates": "last"}):
        with pytest.raises(
            tl.Error, match="more than one member set: '[#ad2]+' and '[#ad23]+'"
        ) as raised:
            PICK.Box.from_json(text, protocol=protocol, **KEEP, **more)
        assert raised.value.code == "union_members"
    wide = tl.loads(
        "struct Pick { 1: i32 a, 2: i32 b, 3: i32 c, 4: string d } struct Box { 1: Pick pick }"
    ).Box
    plain = {
        {"#2": "b", "#3": "c"}.get(key, key): item["i32"] if isinstance(item, dict) else item
        for key, item in value.items()
    }
    data = wide.encode({"pick": plain}, protocol=protocol)
    for read in (PICK.Box.decode, PICK.Box.to_json):
        with pytest.raises(tl.Error) as raised:
            read(data, protocol=protocol, **KEEP)
        assert raised.value.code == "union_members"


def test_one_member_that_is_not_known_is_fine(protocol):
    value = {"pick": {"#2": {"i32": 1}}}
    data = PICK.Box.encode(value, protocol=protocol, **KEEP)
    assert PICK.Box.decode(data, protocol=protocol, **KEEP) == value
    assert PICK.Box.findings(data, protocol=protocol) == []
    text = PICK.Box.to_json(data, protocol=protocol, **KEEP)
    result = PICK.Box.from_json(text, protocol=protocol, **KEEP)
    assert result == data
    result = PICK.Box.from_json('{"pick":{"a":null,"#2":{"i32":1}}}', protocol=protocol, **KEEP)
    assert result == data
    result = PICK.Box.from_json(
        '{"pick":{"#3":null,"#2":{"i32":2},"#2":{"i32":1}}}',
        protocol=protocol,
        duplicates="last",
        **KEEP,
    )
    assert result == data


DEFAULTS = tl.loads("""
    struct S2 { 1: required i32 x, 2: required string y = "why", 3: optional i16 z = 3,
      4: optional i32 none }
    struct S { 1: required S2 s3 = {"x": 9}, 2: optional S2 s4 = {"x": 4},
      3: list<S2> all = [{"x": 1}, {"x": 2, "y": "b", "z": 0}] }
    struct Bare { 1: required S2 in = {"z": 1} }
    struct Own { 1: optional Own next = {}, 2: required i32 v = 5 }
    union U { 1: i32 a = 1, 2: S2 s } struct HasUnion { 1: required U u = {"a": 2} }""")
FILLED = {"x": 9, "y": "why"}


def test_defaults_of_structs_have_their_required_fields(protocol):
    S, spoken = DEFAULTS.S, {"protocol": protocol}
    for data in (
        S.from_json("{}", missing="zero", **spoken),
        S.encode({}, missing="zero", **spoken),
    ):
        assert S.decode(data, **spoken) == {"s3": FILLED} and S.findings(data, **spoken) == []
    expected = {
        "s3": FILLED,
        "s4": {"x": 4, "y": "why"},
        "all": [{"x": 1, "y": "why"}, {"x": 2, "y": "b", "z": 0}],
    }
    for data in (
        S.from_json("{}", missing="zero", defaults="write", **spoken),
        S.encode({}, missing="zero", defaults="write", **spoken),
    ):
        assert S.decode(data, **spoken) == expected and S.findings(data, **spoken) == []
    actual = S.decode(S.encode({"s3": {"x": 1, "y": "a"}}, **spoken), defaults="write", **spoken)
    assert actual["s4"] == expected["s4"]
    Bare = DEFAULTS.Bare
    result = Bare.decode(Bare.encode({}, missing="zero", **spoken), **spoken)
    assert result == {"in": {"x": 0, "y": "why", "z": 1}}
    HasUnion = DEFAULTS.HasUnion
    result = HasUnion.decode(HasUnion.encode({}, missing="zero", **spoken), **spoken)
    assert result == {"u": {"a": 2}}


def test_a_recursive_default_terminates():
    Own = DEFAULTS.Own
    decoded = Own.decode(Own.encode({"v": 5}, defaults="write"))
    assert decoded["v"] == 5 and decoded["next"]["v"] == 5
    deep = "".join(
        f"struct A{n} {{ 1: required A{n - 1} l = {{}}, 2: required A{n - 1} r = {{}} }}\n"
        for n in range(1, 60)
    )
    doubling = tl.loads('struct A0 { 1: required string s = "some text" }\n' + deep)
    assert len(doubling["A59"].encode({}, missing="zero")) < 1 << 24


def test_the_default_is_shown_as_it_is_written():
    assert "why" not in DEFAULTS.describe("S") and "9" in DEFAULTS.describe("S")


def test_equals_apaches_defaults(tmp_path):
    import shutil
    import subprocess
    import sys

    if shutil.which("thrift") is None:
        pytest.skip("no Apache Thrift compiler")
    pytest.importorskip("thrift")
    (tmp_path / "d.thrift").write_text(
        'struct S2 { 1: required i32 x, 2: required string y = "why" }\nstruct S { 1: required S2 '
        's3 = {"x": 9}, 2: optional S2 s4 = {"x": 4} }'
    )
    subprocess.run(
        ["thrift", "--gen", "py", "-out", str(tmp_path), str(tmp_path / "d.thrift")], check=True
    )
    code = (
        "from d.ttypes import S\nfrom thrift.TSerialization import serialize\nimport "
        "sys\nsys.stdout.buffer.write(serialize(S()))"
    )
    theirs = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, check=True, stdout=subprocess.PIPE
    ).stdout
    S = tl.load(str(tmp_path / "d.thrift")).S
    assert S.decode(theirs) == S.decode(S.encode({}, missing="zero", defaults="write"))
