"""Views, paths and edits: parts of a message without the rest of it."""

import copy
import gc
import pickle
import struct
import sys
import uuid
import weakref

import pytest
import thriftlens as tl

IDL = """
enum Color { RED = 1, BLUE = 5 }
struct Point { 1: i32 x, 2: optional i32 y = 9 }
struct Every {
  1: bool flag, 2: i64 wide, 3: string text, 4: binary raw, 5: Color color, 6: list<Point> points,
  7: set<i32> numbers,
  8: map<string, Point> named, 9: map<i32, list<string>> deep, 10: map<Point, i32> by_point,
  11: Point point,
  12: map<Color, i32> by_color, 13: map<bool, i32> by_flag, 14: i32 items, 15: i32 type
}
"""
VALUE = {
    "flag": True, "wide": -(2**40), "text": "zoë", "raw": b"\x00\xff", "color": 5,
    "points": [{"x": 1}, {"x": 2, "y": 3}, {"x": 4}], "numbers": {7, 8},
    "named": {"p": {"x": 5}, "q": {"y": 6}}, "deep": {1: ["a", "b"], -2: []},
    "by_point": {(("x", 1),): 10}, "point": {"x": 11}, "by_color": {5: 50}, "by_flag": {True: 1},
    "items": 12, "type": 13,
}  # fmt: skip


@pytest.fixture(scope="module")
def every():
    return tl.loads(IDL).Every


@pytest.fixture
def view(every, protocol):
    return every.view(every.encode(VALUE, protocol=protocol), protocol=protocol)


def test_scalars_are_returned_as_values(view):
    assert view.flag is True and view.wide == -(2**40) and view.text == "zoë"
    assert view.raw == b"\x00\xff" and view.color == 5
    assert view["type"] == view.type == 13 and view["items"] == 12
    assert view.points[1]["y"] == 3 and view.points[-1].x == 4 and view.named["q"]["y"] == 6
    assert view.deep[1][1] == "b" and view.deep[-2] == []


def test_keys_of_every_type(view):
    assert view.by_color["BLUE"] == view.by_color[5] == 50
    assert view.by_flag[True] == 1
    assert view.by_point[(("x", 1),)] == 10
    with pytest.raises(tl.AbsentError):
        view.by_point[(("x", 2),)]


def test_views_are_sized_and_iterable(view):
    assert len(view) == len(VALUE) and list(view) == list(VALUE) == list(view.keys())
    assert len(view.points) == 3 and [point.x for point in view.points] == [1, 2, 4]
    assert sorted(view.numbers) == [7, 8] and len(view.text) == 3
    assert list(view.named) == ["p", "q"]
    assert [point.to_dict() for point in view.named.values()] == [{"x": 5}, {"y": 6}]
    assert dict(view.by_point.items()) == VALUE["by_point"]
    assert dict(view.point) == {"x": 11}


def test_containment(every, view):
    assert "flag" in view and "p" in view.named and "r" not in view.named and 1 in view.deep
    assert 2 not in view.deep
    assert "y" not in view.point and "nonsense" not in view
    assert 7 in view.numbers and 9 not in view.numbers and {"x": 1} in view.points


def test_full_values(every, view, protocol):
    assert view.to_dict() == VALUE and view.points.to_dict() == VALUE["points"] and view == VALUE
    assert view.point != {}
    assert (
        every.encode(view, protocol=protocol)
        == bytes(view)
        == every.encode(VALUE, protocol=protocol)
    )
    assert every.parameters == () and every.at("$.points[0]").decode(
        bytes(view.points[1]), protocol=protocol
    ) == {"x": 2, "y": 3}
    assert repr(view.points[1]) == "<thriftlens.StructView Point at $.points[1]>"
    with pytest.raises(TypeError):
        hash(view)


def test_absent_values_raise(view):
    for ask in (
        lambda: view.point.y,
        lambda: view["point"]["y"],
        lambda: view.points[3],
        lambda: view.points[-4],
        lambda: view.named["r"],
    ):
        with pytest.raises(tl.AbsentError) as caught:
            ask()
        assert caught.value.code in ("absent", "bad_index")
    with pytest.raises(KeyError):
        view["point"]["y"]
    with pytest.raises(IndexError):
        view.points[3]
    assert not hasattr(view.point, "y") and getattr(view.point, "y", 0) == 0


def test_hasattr_and_getattr_ask_without_an_error_text(every, view, monkeypatch):
    def refuse(*reason):
        raise AssertionError("the text is not read")

    monkeypatch.setattr(tl._core, "reason", refuse)
    if sys.version_info < (3, 12):  # later ones make the exception at once
        assert not hasattr(view.point, "y") and not hasattr(view, "nonsense")
        assert getattr(view.point, "y", 7) == 7


def test_the_message_of_an_attribute_error_is_built_on_demand(every, view):
    with pytest.raises(tl.AbsentError) as caught:
        view.point.y
    with pytest.raises(tl.AbsentError) as same:
        view["point"]["y"]
    assert str(caught.value) == str(same.value) and caught.value.args == same.value.args
    assert vars(caught.value) == vars(same.value)
    with pytest.raises(tl.UnknownNameError) as caught:
        view.point.yy
    with pytest.raises(tl.UnknownNameError) as same:
        view["point"]["yy"]
    assert str(caught.value) == str(same.value) and caught.value.args == same.value.args
    assert vars(caught.value) == vars(same.value)
    unpickled = pickle.loads(pickle.dumps(caught.value))
    assert str(unpickled) == str(same.value) and unpickled.code == "no_such_field"
    assert unpickled.path == "$.point" and unpickled.offset is None
    with pytest.raises(TypeError):
        tl.UnknownNameError("text", "name")


def test_paths_are_cached_by_their_text(every, protocol):
    data = every.encode(VALUE, protocol=protocol)
    view = every.view(data, protocol=protocol)
    for turn in range(3):
        for i in range(400):
            path = "".join(["$.points[", str(i), "].x"])
            expected = VALUE["points"][i]["x"] if i < 3 else "none"
            assert every.get(data, path, "none", protocol=protocol) == expected
            assert view.get(path, "none") == expected
            assert every.get_many(
                data, [path, "".join(["$.", "wide"])], "none", protocol=protocol
            ) == [expected, VALUE["wide"]]
            assert view.point.get("".join(["$", ".x"])) == 11  # the same text from another type
            selection = "".join(["{ points { x } type", " " * (i % 50), "}"])
            result = every.trim(data, selection, protocol=protocol)
            assert result == every.trim(data, "{ points { x } type }", protocol=protocol)

    class Text(str):
        def __hash__(self):
            return 0

        def __eq__(self, other):
            return True

    assert every.get(data, Text("$.type"), protocol=protocol) == 13
    assert every.get(data, Text("$.items"), protocol=protocol) == 12


def test_undeclared_names_raise(view):
    with pytest.raises(tl.UnknownNameError) as caught:
        view.poit
    assert caught.value.code == "no_such_field" and isinstance(caught.value, AttributeError)
    with pytest.raises(KeyError):
        view["poit"]
    with pytest.raises(TypeError, match="takes an index"):
        view.points["x"]
    with pytest.raises(tl.AbsentError, match="Point takes a field name, not float"):
        view.point[1.5]
    with pytest.raises(AttributeError):
        view.points.x


def test_comparing_an_invalid_view_is_an_error(protocol):
    of = tl.loads("struct Known { 1: uuid id, 2: i32 n }").Known  # creating a uuid runs Python code
    value = {"id": uuid.UUID(int=7), "n": 1}
    data = of.encode(value, protocol=protocol)
    broken, sound = of.view(data[:-1], protocol=protocol), of.view(data, protocol=protocol)
    assert broken.id == sound.id == value["id"] and sound == value
    for compare in (
        lambda: broken == sound,
        lambda: sound == broken,
        lambda: broken != broken,
        lambda: broken == value,
        lambda: value == broken,
    ):
        with pytest.raises(tl.DecodeError):
            compare()


def test_listing_a_map_with_invalid_keys_is_an_error(protocol):
    of = tl.loads(
        "struct Names { 1: map<string, uuid> ids } struct Raw { 1: map<binary, uuid> ids }"
    )
    data = of.Raw.encode({"ids": {b"\xff": uuid.UUID(int=7)}}, protocol=protocol)
    view = of.Names.view(data, protocol=protocol)
    for ask in (view.ids.keys, view.ids.items, view.ids.__iter__):
        with pytest.raises(tl.DecodeError) as caught:
            list(ask())
        assert (caught.value.code, list(view.ids.values())) == ("invalid_utf8", [uuid.UUID(int=7)])


def test_unknown_fields_do_not_count(protocol):
    of = tl.loads(
        "struct Old { 1: i32 a, 3: i32 c } struct New { 1: i32 a, 2: string b, 3: i32 c }"
    )
    data = of.New.encode({"a": 1, "b": "x", "c": 3}, protocol=protocol)
    view = of.Old.view(data, protocol=protocol)
    assert len(view) == 2 and len(list(view)) == 2 and len(view.keys()) == 2
    assert len(view.values()) == 2 and len(view.items()) == 2 and len(view.to_dict()) == 2
    assert len(of.Old.view(of.New.encode({"b": "x"}, protocol=protocol), protocol=protocol)) == 0


class Unwilling:
    def __index__(self):
        raise RuntimeError("its own")


def test_keys_of_another_type_are_not_in_a_map(view):
    cases = {
        "named": (5, None, 1.5, b"p", (), ["p"], {"x": 1}, "\ud800", VALUE),
        "deep": ("1", None, 1.5, True, 2**40, 2**70, [1], "\ud800"),
        "by_point": (5, "x", None, (("z", 1),), (("x", "text"),), {"x": 2**40}),
        "by_color": ("GREN", 2**40, 1.5, None, b"BLUE"),
        "by_flag": (1, "true", None, 0),
    }
    for name, keys in cases.items():
        for key in keys:
            assert key not in view[name], (name, key)
            with pytest.raises(KeyError) as caught:
                view[name][key]
            assert type(caught.value) is tl.AbsentError, (name, key)
            assert caught.value.code == "absent" and caught.value.path == f"$.{name}", (name, key)
    with pytest.raises(tl.AbsentError, match="no entry can have that key: expected i32, got float"):
        view.deep[1.5]
    for ask in (lambda: view.deep[Unwilling()], lambda: Unwilling() in view.deep):
        with pytest.raises(RuntimeError, match="its own"):
            ask()


def test_keys_other_than_names_are_not_in_a_struct(view):
    assert not any(key in view for key in (5, None, b"flag", ("flag",), "\ud800"))


def test_options_of_views(every):
    data = every.encode({"color": 5, "point": {"x": 1}})
    view = every.view(data, enums="name", defaults="write")
    assert view.color == "BLUE" and view.point.y == 9 and view.get("$.point.y") == 9


def test_slices_of_views(every):
    view = every.view(every.encode(VALUE))
    assert view.points[1:] == [{"x": 2, "y": 3}, {"x": 4}] and view.points[::-1][0].x == 4
    assert view.deep[1][:1] == ["a"]
    for value in (view, view.named):
        with pytest.raises(TypeError, match="only lists and sets have slices"):
            value[1:2]


def test_a_view_is_its_own_copy(every):
    view = every.view(every.encode(VALUE))
    assert copy.copy(view) is view and copy.deepcopy({"a": view})["a"] is view


def test_views_name_the_nearest_field(every):
    view = every.view(every.encode(VALUE))
    for ask in (lambda: view.point.nested.z, lambda: view["txet"], lambda: view.points[0].xx):
        with pytest.raises(tl.UnknownNameError) as caught:
            ask()
        assert caught.value.code == "no_such_field"
    with pytest.raises(
        tl.UnknownNameError, match="no field 'wied' in Every; did you mean 'wide'[?] at \\$"
    ):
        view.wied


def test_views_hold_their_bytes(every):
    def make():
        data = bytearray(every.encode(VALUE))
        return data, every.view(data).points[1]

    data, point = make()
    with pytest.raises(BufferError):
        data.append(0)
    assert point.y == 3
    del point
    data.append(0)


def test_invalid_bytes_are_reported_on_access(every, protocol):
    data = every.encode(VALUE, protocol=protocol)
    view = every.view(data[: len(data) // 2], protocol=protocol)
    assert view.flag is True
    with pytest.raises(tl.DecodeError) as caught:
        view.type
    assert caught.value.code == "truncated" and caught.value.path.startswith("$")
    with pytest.raises(tl.DecodeError):
        view.to_dict()


def test_get(every, protocol):
    data = every.encode(VALUE, protocol=protocol)

    def get(path, *default, **options):
        return every.get(data, path, *default, protocol=protocol, **options)

    assert get("$.points[1].y") == 3 and get("points[-1].x") == 4 and get("$.#3") == "zoë"
    assert get('$.named{"q"}') == {"y": 6} and get("$.deep{1}[0]") == "a"
    assert get("$.by_color{BLUE}") == 50
    assert get("$") == VALUE
    assert get("$.point.y") is None and get("$.point.y", 5) == 5
    assert get("$.points[9].x", "none") == "none"
    assert get("$.point.y", defaults="write") == 9 and get("$.color", enums="name") == "BLUE"
    assert get("$.points[*].x") == [1, 2, 4] and get("$.points[1:].y") == [3]
    assert get("$.named{*}.x") == [5]


def test_invalid_paths(every):
    data = every.encode(VALUE)
    for path, code in (
        ("$.points[", "path_syntax"),
        ("$.poit", "no_such_field"),
        ("$.flag.x", "wrong_type"),
        ("$.by_color{GREN}", "unknown_enum_name"),
    ):
        with pytest.raises(tl.Error) as caught:
            every.get(data, path)
        assert caught.value.code == code
    with pytest.raises(TypeError, match="a path must be a str"):
        every.get(data, 5)
    with pytest.raises(TypeError, match="get_many takes a list of paths"):
        every.get_many(data, "$.flag")
    with pytest.raises(TypeError, match="2 to 3 positional"):
        every.get(data)


def test_get_many(every, protocol):
    data = every.encode(VALUE, protocol=protocol)
    paths = ["$.type", "$.points[*].x", "$.point.y", "$.text", '$.named{"q"}.y']
    expected = [13, [1, 2, 4], None, "zoë", 6]
    for _ in range(3):
        assert every.get_many(data, paths, protocol=protocol) == expected
    result = every.get_many(data, tuple(paths), "none", protocol=protocol)
    assert result == [13, [1, 2, 4], "none", "zoë", 6]
    paths[0] = "$.items"
    assert every.get_many(data, paths, protocol=protocol)[0] == 12
    assert every.get_many(data, [], protocol=protocol) == []


def test_many_paths_do_not_pile_up(every):
    data = every.encode(VALUE)
    for number in range(200):
        result = every.get(data, f"$.points[{number}].x", -1)
        assert result == ([1, 2, 4][number] if number < 3 else -1)
        every.get_many(data, [f"$.points[{number}].x"])


def test_edit(every, protocol):
    data = every.encode(VALUE, protocol=protocol)
    changed = (
        every.edit(data, protocol=protocol)
        .set("$.text", "new")
        .set("$.color", "RED")
        .set("$.points[0]", {"x": 100})
        .set("$.point", json='{"y": 1}')
        .append("$.points", {"x": 5})
        .insert("$.points[0]", {"x": 0})
        .erase('$.named{"p"}')
        .erase("$.raw")
        .replace("$.points[1:].x", lambda x: -x)
        .apply()
    )
    value = every.decode(changed, protocol=protocol)
    assert value == {
        **{name: item for name, item in VALUE.items() if name != "raw"},
        "text": "new",
        "color": 1,
        "points": [{"x": 0}, {"x": 100}, {"x": -2, "y": 3}, {"x": -4}, {"x": 5}],
        "point": {"y": 1},
        "named": {"q": {"y": 6}},
    }
    assert every.decode(data, protocol=protocol) == VALUE


def test_edits_keep_unknown_fields(every):
    unknown = struct.pack(">bhi", 8, 99, 5)
    data = unknown + every.encode({"text": "a"})
    assert every.edit(data).set("$.text", "bc").apply() == unknown + every.encode({"text": "bc"})


def test_values_of_edits_are_checked(every):
    edit = every.edit(every.encode(VALUE))
    with pytest.raises(tl.EncodeError, match="expected i32, got str"):
        edit.set("$.points[0].x", "one")
    with pytest.raises(tl.JSONError):
        edit.set("$.point", json='{"x": "one"}')
    with pytest.raises(tl.UnknownNameError):
        edit.erase("$.nonsense")
    with pytest.raises(TypeError, match="exactly one of"):
        edit.set("$.point")
    with pytest.raises(TypeError, match="exactly one of"):
        edit.set("$.point", {}, json="{}")
    with pytest.raises(tl.Error):
        every.edit(every.encode(VALUE)).set("$.point", wire=b"\x0b").apply()
    with pytest.raises(ValueError, match="protocol must be"):
        every.edit(b"", protocol="json")


def test_arguments_of_edits(every):
    data = every.encode({"wide": 1})
    edit = every.edit(data=data, depth=8)
    assert type(edit) is tl.Edit and edit.set(value=2, path="$.wide") is edit
    assert edit.create(path="$.point.x", json="3", wire=None) is edit
    assert edit.replace(change=lambda old: old + 1, path="$.wide") is edit
    assert edit.erase(path="$.text") is edit
    assert every.decode(edit.apply()) == {"wide": 2, "point": {"x": 3}}
    wrong = [
        ("takes at most 2", lambda: edit.set("$.wide", 1, "1")),
        ("got multiple values for argument 'path'", lambda: edit.set("$.wide", path="$.wide")),
        ("unexpected keyword argument 'yaml'", lambda: edit.insert("$.wide", yaml="1")),
        ("missing required argument 'path'", lambda: edit.append(value=1)),
        ("missing required argument 'change'", lambda: edit.replace("$.wide")),
        ("missing required argument 'path'", lambda: edit.erase()),
        ("exactly one of", lambda: edit.set("$.wide", wire=None)),
        ("exactly one of", lambda: edit.set("$.wide", 1, wire=b"")),
        ("exactly one of", lambda: edit.set("$.wide", json="1", wire=b"")),
        ("a path must be a str", lambda: edit.set(5, 1)),
        ("edit[(][)] missing required argument 'data'", lambda: every.edit()),
        ("edit[(][)] got multiple values for argument 'data'", lambda: every.edit(data, data=data)),
        ("bytes-like", lambda: every.edit("text")),
        ("cannot create", tl.Edit),
    ]
    for message, call in wrong:
        with pytest.raises(TypeError, match=message):
            call()


def test_edits_of_absent_values(every):
    with pytest.raises(tl.AbsentError):
        every.edit(every.encode({})).set("$.point.x", 1).apply()
    result = every.decode(every.edit(every.encode({})).create("$.point.x", 1).apply())
    assert result == {"point": {"x": 1}}
    with pytest.raises(tl.DecodeError):
        every.edit(every.encode(VALUE)[:-1]).set("$.text", "x").apply()


def test_functions_of_replace_may_fail(every):
    def fails(value):
        raise LookupError("not now")

    with pytest.raises(LookupError, match="not now"):
        every.edit(every.encode(VALUE)).replace("$.text", fails).apply()
    with pytest.raises(tl.EncodeError):
        every.edit(every.encode(VALUE)).replace("$.text", lambda old: 5).apply()


def test_trim(every, protocol):
    data = every.encode(VALUE, protocol=protocol)

    def trim(selection, **options):
        return every.decode(
            every.trim(data, selection, protocol=protocol, **options), protocol=protocol
        )

    for _ in range(2):
        result = trim("{ text points { x } }")
        assert result == {"text": "zoë", "points": [{"x": 1}, {"x": 2}, {"x": 4}]}
    result = trim("{ * -points -named }")
    assert result == {name: item for name, item in VALUE.items() if name not in ("points", "named")}
    assert trim(["$.wide", "$.points[*].y"]) == {"wide": -(2**40), "points": [{}, {"y": 3}, {}]}
    assert trim("{ point { y } }", defaults="write") == {"point": {"y": 9}}
    other = tl.loads("struct Less { 3: string text, 11: P point } struct P { 1: i32 x }").Less
    assert trim(other) == {"text": "zoë", "point": {"x": 11}}
    for selection, kind in (
        ("{ poit }", tl.UnknownNameError),
        ("{ text", tl.Error),
        (5, TypeError),
        ([5], TypeError),
    ):
        with pytest.raises(kind):
            trim(selection)
    with pytest.raises(tl.DecodeError):
        every.trim(data[:-1], "{ text }", protocol=protocol)


def test_an_edit_cannot_be_changed_while_it_is_applied(every):
    data = every.encode({"wide": 1})
    edit = every.edit(data)
    for ask in (
        lambda: edit.set("$.text", "x"),
        lambda: edit.erase("$.wide"),
        lambda: edit.replace("$.wide", abs),
        lambda: edit.apply(),
    ):
        edit = every.edit(data).set("$.text", "y").replace("$.wide", lambda old: ask() and 5)
        with pytest.raises(RuntimeError, match="while it is being applied"):
            edit.apply()
    edit = every.edit(data).replace("$.wide", lambda old: edit and old + 1)
    assert every.decode(edit.apply()) == every.decode(edit.apply()) == {"wide": 2}


def test_an_edit_in_a_reference_cycle_is_freed(every):
    class Marker(bytearray):
        pass

    data = Marker(every.encode({"wide": 1}))
    edit = every.edit(data)
    edit.replace("$.wide", lambda old: edit and data and 2)  # noqa: F821
    assert every.decode(edit.apply()) == {"wide": 2}
    gone = weakref.ref(data)
    del edit, data
    gc.collect()
    assert gone() is None


def test_trim_and_unknown_fields(every):
    data = struct.pack(">bhi", 8, 99, 5) + every.encode({"text": "a"})
    assert every.trim(data, "{ text }") == every.encode({"text": "a"})
    assert every.trim(data, "{ text }", unknown="keep") == data == every.trim(data, "{ * }")
    with pytest.raises(tl.DecodeError) as caught:
        every.trim(data, "{ text }", unknown="error")
    assert caught.value.code == "unknown_field"


def test_inspect(every):
    data = every.encode({"text": "a", "point": {"x": 1}})
    plain, named = tl.inspect(data), tl.inspect(bytearray(data), type=every)
    assert '#3 string "a"' in plain and "text" not in plain
    assert '#3 text string "a"' in named and "#11 point struct Point" in named
    assert (
        tl.inspect(every.encode({"text": "a"}, protocol="compact"), protocol="compact").count("\n")
        == 2
    )
    assert tl.inspect(data[:-1]).splitlines()[-1].startswith("! the data ends")
    with pytest.raises(ValueError, match="protocol must be"):
        tl.inspect(data, protocol="json")
    with pytest.raises(TypeError):
        tl.inspect("text")


def test_convert(every):
    binary, compact = every.encode(VALUE), every.encode(VALUE, protocol="compact")
    assert tl.convert(binary, source="binary", target="compact") == compact
    assert tl.convert(compact, source="compact", target="binary") == binary
    assert tl.convert(binary, source="binary", target="binary") == binary
    with pytest.raises(tl.DecodeError):
        tl.convert(binary[:-1], source="binary", target="compact")


@pytest.mark.parametrize(
    ("protocol", "data", "path", "code"),
    [
        ("binary", "08000300000000080002000000", "$.n", "truncated"),
        ("compact", "35000502", "$.inner.c", "type_mismatch"),
        ("compact", "35000504", "$.n", "truncated"),
    ],
)
def test_an_edit_of_invalid_bytes_is_an_error(protocol, data, path, code):
    """The field comes after one with a higher id."""
    broken = tl.loads(
        "struct In {1: optional i32 c} struct T {1: optional In inner, 2: optional i32 n}"
    ).T
    with pytest.raises(tl.Error) as caught:
        broken.edit(bytes.fromhex(data), protocol=protocol).create(path, 7).apply()
    assert caught.value.code == code and caught.value.offset is not None


@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_a_wrong_type_does_not_replace_or_erase_fields(protocol):
    idl = tl.loads(
        "struct In { 1: required i64 id, 2: string s } "
        "struct Right { 1: i64 id, 3: list<string> items, 4: optional In in_ } "
        "struct Wrong { 1: i64 id, 3: string email, 4: optional In in_ }"
    )
    data = idl.Right.encode({"id": 1, "items": ["a"]}, protocol=protocol)
    edit = idl.Wrong.edit
    for change in (
        lambda: edit(data, protocol=protocol).erase("$.email").apply(),
        lambda: edit(data, protocol=protocol).set("$.email", "x").apply(),
        lambda: edit(data, protocol=protocol).set("$.id", 2).create("$.email", "x").apply(),
        lambda: idl.Wrong.rewrite(data, protocol=protocol).set("$.email", "x").apply(),
    ):
        with pytest.raises(tl.DecodeError, match="expected string, found list") as caught:
            change()
        assert (caught.value.code, caught.value.path) == ("type_mismatch", "$.email")
        with pytest.raises(tl.DecodeError) as read:
            idl.Wrong.get(data, "$.email", protocol=protocol)
        assert caught.value.offset == read.value.offset
    with pytest.raises(tl.Error, match="In.id is required in the created struct"):
        idl.Right.edit(data, protocol=protocol).create("$.in_.s", "x").apply()
    with pytest.raises(tl.AbsentError, match=r"create\(\) adds missing structs"):
        idl.Right.edit(data, protocol=protocol).set("$.in_.s", "x").apply()


def test_errors_of_edits_concern_the_edit():
    idl = tl.loads("struct S { 1: required i64 id }")
    with pytest.raises(tl.UsageError, match="id is required and cannot be erased"):
        idl.S.edit(idl.S.encode({"id": 1})).erase("$.id").apply()
    with pytest.raises(tl.UsageError, match="the root value can only be set or replaced"):
        idl.S.edit(idl.S.encode({"id": 1})).erase("$").apply()
