"""Enums as IntEnum classes: created once, returned by decode and views, accepted by encode,
pickled."""

import copy
import enum
import pickle
import subprocess
import sys

import pytest
import thriftlens as tl

TEXT = """
enum Color { RED = 1, BLUE = 5, AZURE = 5, MINUS = -3 }
struct Paint { 1: Color color, 2: list<Color> colors, 3: map<Color, set<Color>> mixed,
  4: Color preset = Color.BLUE }
"""


@pytest.fixture(scope="module")
def idl():
    return tl.loads(TEXT)


def test_the_class_of_an_enum(idl):
    Color = idl.enum("Color")
    assert Color is idl.Color.enum_class is idl["Color"].enum_class is tl.loads(TEXT).enum("Color")
    assert issubclass(Color, enum.IntEnum)
    assert {name: int(member) for name, member in Color.__members__.items()} == idl.Color.members
    assert Color.AZURE is Color.BLUE is Color(5) is Color["BLUE"] and Color.RED == 1
    assert Color.__name__ == "Color"
    assert tl.loads("enum Color { RED = 1 }").enum("Color") is not Color
    with pytest.raises(ValueError):
        Color(4)
    for wrong in (lambda: idl.enum("Paint"), lambda: idl["i32"].enum_class):
        with pytest.raises(TypeError, match="is not an enum"):
            wrong()
    with pytest.raises(tl.UnknownNameError, match="did you mean 'Color'"):
        idl.enum("Colr")


def test_values_hold_enum_members_on_request(idl, protocol):
    Color = idl.enum("Color")
    value = {"color": 5, "colors": [1, 4, -3], "mixed": {1: {5, 9}, 8: set()}}
    data = idl.Paint.encode(value, protocol=protocol)
    decoded = idl.Paint.decode(data, protocol=protocol, enums="member")
    assert decoded == value and type(decoded["color"]) is Color
    assert [type(color) for color in decoded["colors"]] == [Color, int, Color]
    assert decoded["color"] is Color.BLUE
    assert {type(key) for key in decoded["mixed"]} == {Color, int}
    assert idl.Paint.encode(decoded, protocol=protocol) == data
    assert type(idl.Paint.decode(data, protocol=protocol)["color"]) is int
    assert (
        idl.Paint.decode(data, protocol=protocol, enums="member", defaults="write")["preset"]
        is Color.BLUE
    )
    assert idl.Paint.get(data, "$.color", protocol=protocol, enums="member") is Color.BLUE
    result = idl.Paint.get_many(data, ["$.colors[*]"], protocol=protocol, enums="member")
    assert result == [[Color.RED, 4, Color.MINUS]]
    view = idl.Paint.view(data, protocol=protocol, enums="member")
    assert view.color is Color.BLUE and view.colors[0] is Color.RED and Color.RED in view.mixed
    assert list(view.mixed)[0] is Color.RED
    assert view.to_dict() == view == decoded and view.mixed[Color.RED] == {5, 9}
    with pytest.raises(ValueError, match="enums must be 'number' or 'name'"):
        idl.Paint.to_json(data, protocol=protocol, enums="member")


def test_an_enum_of_another_file_keeps_its_short_name():
    idl = tl.loads(
        'include "base.thrift" struct Paint { 1: base.Color color }',
        includes={"base.thrift": "enum Color { RED = 1 }"},
    )
    decoded = idl.Paint.decode(idl.Paint.encode({"color": 1}), enums="member")["color"]
    assert decoded is idl.enum("base.Color").RED and repr(decoded) == "<Color.RED: 1>"


ODD = [
    "mro", "_x_", "__x__", "name", "value", "real", "_Odd__x", "__y", "_", "__", "_missing_",
    "__class__", "__init__", "to_bytes", "_ignore_", "mro_", "_idl_members",
]  # fmt: skip


def test_names_reserved_by_python(protocol):
    idl = tl.loads(
        "enum Odd { "
        + ", ".join(f"{name} = {i}" for i, name in enumerate(ODD))
        + " } struct S { 1: list<Odd> all }"
    )
    Odd = idl.enum("Odd")
    assert len(Odd) == len(ODD) and Odd.mro__ == 0 and Odd.mro_ == ODD.index("mro_")
    assert Odd.name.name == "name" and Odd.real == ODD.index("real")
    data = idl.S.encode({"all": ODD}, protocol=protocol)
    decoded = idl.S.decode(data, protocol=protocol, enums="member")["all"]
    assert decoded == list(range(len(ODD))) and all(
        type(member) is Odd and pickle.loads(pickle.dumps(member)) is member for member in decoded
    )


def test_members_are_pickled_and_copied(idl):
    decoded = idl.Paint.decode(idl.Paint.encode({"colors": [1, 5, -3]}), enums="member")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        unpickled = pickle.loads(pickle.dumps(decoded, protocol))
        assert all(
            unpickled_member is member
            for unpickled_member, member in zip(unpickled["colors"], decoded["colors"])
        )
    assert copy.deepcopy(decoded)["colors"][0] is decoded["colors"][0]


def test_a_pickle_makes_the_class_in_another_process(idl):
    program = (
        "import pickle, sys; m = pickle.load(sys.stdin.buffer); print(repr(m), "
        "type(m).__mro__[2].__name__)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps(idl.Color.enum_class.RED),
        capture_output=True,
    )
    assert result.stdout.decode().split() == ["<Color.RED:", "1>", "IntEnum"], result.stderr


def test_an_enum_without_members(protocol):
    idl = tl.loads("enum None_ {} struct S { 1: None_ n }")
    assert list(idl.enum("None_")) == [] and idl.S.decode(
        idl.S.encode({"n": 5}, protocol=protocol), protocol=protocol, enums="member"
    ) == {"n": 5}
