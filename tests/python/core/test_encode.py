"""Type.encode: accepted values, rejected values and error messages of every type."""

import array
import collections
import dataclasses
import decimal
import enum
import fractions
import pathlib
import sys
import types
import typing
import uuid

import pytest
import thriftlens as tl

IDL = """
enum Color { RED = 1, BLUE = 5 }
struct Point { 1: i32 x, 2: i32 y }
union Either { 1: i32 number, 2: string text }
struct Every {
  1: bool flag, 2: i8 tiny, 3: i16 small, 4: i32 middle, 5: i64 wide, 6: double real,
  7: string text, 8: binary raw,
  9: Color color, 10: uuid id, 11: list<i32> numbers, 12: set<string> words,
  13: map<string, Point> points,
  14: Either either, 15: Point point, 16: map<Point, i32> by_point, 17: list<list<i32>> lists
}
struct Strict { 1: required i32 a, 2: optional bool b = true, 3: optional i32 c = 7,
  4: list<i32> d = [1, 2] }
struct Sparse { 1: i32 a, 300: i32 b, 5: i32 c }
struct Tree { 1: list<Tree> kids }
"""


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


def refused(of, value, code, match, path):
    with pytest.raises(tl.EncodeError, match=match) as caught:
        of.encode(value)
    assert (caught.value.code, caught.value.path, caught.value.offset) == (code, path, None)


def same(of, value, expected):
    assert of.decode(of.encode(value)) == expected


def test_fields_are_written_in_the_order_of_ids(idl):
    expected = bytes.fromhex("080001 00000001 080005 00000003 08012c 00000002 00")
    for order in (["a", "b", "c"], ["c", "b", "a"], ["b", "a", "c"]):
        values = {"a": 1, "b": 2, "c": 3}
        assert idl.Sparse.encode({name: values[name] for name in order}) == expected
    assert idl.Sparse.encode({"".join(["", "b"]): 2}) == bytes.fromhex("08012c 00000002 00")


def test_none_is_absent(idl):
    assert idl.Point.encode({"x": None, "y": None}) == b"\0"
    refused(idl.Strict, {"a": None}, "missing_required", "a required field is missing", "$.a")
    refused(
        idl.Every, {"numbers": [1, None]}, "value_type", "expected i32, got None", "$.numbers[1]"
    )


def test_integers_are_checked_against_their_range(idl):
    for name, bits in (("tiny", 8), ("small", 16), ("middle", 32), ("wide", 64)):
        for value in (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1, 0, -1):
            same(idl.Every, {name: value}, {name: value})
        for value in (-(2 ** (bits - 1)) - 1, 2 ** (bits - 1), 2**64, -(2**200)):
            refused(
                idl.Every,
                {name: value},
                "value_range",
                rf"outside the range of i{bits}",
                f"$.{name}",
            )
    refused(idl.Every, {"color": 2**31}, "value_range", "outside the range of enum", "$.color")


def test_values_other_than_integers(idl):
    for value in (1.0, "1", True, b"1", [1], object()):
        refused(idl.Every, {"middle": value}, "value_type", "expected i32, got ", "$.middle")


def test_objects_with_index_are_integers(idl):
    class Index:
        def __index__(self):
            return 7

    class Sub(int):
        pass

    same(idl.Every, {"middle": Index(), "wide": Sub(5)}, {"middle": 7, "wide": 5})


def test_numbers_and_arrays_of_numpy(idl):
    numpy = pytest.importorskip("numpy")
    same(
        idl.Every,
        {"middle": numpy.int16(3), "real": numpy.float32(0.5)},
        {"middle": 3, "real": 0.5},
    )
    same(idl.Every, {"numbers": numpy.array([1, 2])}, {"numbers": [1, 2]})
    same(
        idl.Every,
        {"flag": numpy.bool_(True), "raw": numpy.array([1, 2], "u1")},
        {"flag": True, "raw": b"\1\2"},
    )
    for name in ("middle", "real"):
        refused(idl.Every, {name: numpy.bool_(True)}, "value_type", "got numpy.bool", f"$.{name}")


def test_bools_are_bools(idl):
    for value in (0, 1, "true", 1.0, b"\1"):
        refused(idl.Every, {"flag": value}, "value_type", "expected bool, got ", "$.flag")


def test_doubles_take_integers(idl):
    same(idl.Every, {"real": 3}, {"real": 3.0})
    refused(idl.Every, {"real": 10**400}, "value_range", "outside the range of double", "$.real")
    refused(idl.Every, {"real": "1.5"}, "value_type", "expected double, got str", "$.real")
    refused(idl.Every, {"real": True}, "value_type", "expected double, got bool", "$.real")


def test_text_and_bytes_are_distinguished(idl):
    refused(idl.Every, {"text": b"x"}, "value_type", "expected string, got bytes", "$.text")
    refused(idl.Every, {"raw": "x"}, "value_type", "expected binary, got str", "$.raw")
    refused(idl.Every, {"text": "\ud800"}, "invalid_utf8", "unpaired surrogate", "$.text")
    for value in (bytearray(b"ab"), memoryview(b"ab"), array.array("B", b"ab")):
        same(idl.Every, {"raw": value}, {"raw": b"ab"})
    refused(
        idl.Every,
        {"raw": memoryview(b"abcd")[::2]},
        "value_type",
        "bytes must be contiguous; this memoryview has gaps",
        "$.raw",
    )


def test_enums_by_number_name_and_member(idl):
    class Python(enum.Enum):
        BLUE = 5

    class Integer(enum.IntEnum):
        BLUE = 5

    for value in (5, "BLUE", Python.BLUE, Integer.BLUE):
        same(idl.Every, {"color": value}, {"color": 5})
    same(idl.Every, {"color": 4}, {"color": 4})
    refused(
        idl.Every,
        {"color": "BLU"},
        "unknown_enum_name",
        "no member 'BLU' in Color; did you mean 'BLUE'",
        "$.color",
    )
    refused(idl.Every, {"color": 5.0}, "value_type", "expected Color, got float", "$.color")
    refused(idl.Every, {"color": True}, "value_type", "expected Color, got bool", "$.color")


def test_uuids(idl):
    id = uuid.uuid4()
    same(idl.Every, {"id": id}, {"id": id})
    refused(idl.Every, {"id": str(id)}, "value_type", "expected uuid, got str", "$.id")


def test_lists_and_sets_take_iterables(idl):
    for value in (
        [1, 2],
        (1, 2),
        (n for n in (1, 2)),
        range(1, 3),
        collections.deque([1, 2]),
        array.array("i", [1, 2]),
        {1: 0, 2: 0}.keys(),
    ):
        same(idl.Every, {"numbers": value}, {"numbers": [1, 2]})
    for value in ({"a"}, frozenset("a"), ["a"], ("a",)):
        same(idl.Every, {"words": value}, {"words": {"a"}})
    for value in ("ab", b"ab", 5, {"a": 1}):
        refused(idl.Every, {"words": value}, "value_type", "expected set<string>, got ", "$.words")


@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_equal_sets_are_equal_bytes(protocol):
    of = tl.loads(
        "struct S { 1: set<string> words, 2: set<set<i32>> nested, 3: set<list<string>> lists }"
    ).S
    texts = ["b", "aa", "", "c" * 20, "é"]
    nested = [frozenset([3, 1, 2]), frozenset(), frozenset([-1, 200])]
    expected = of.encode(
        {"words": sorted(texts, key=lambda text: (len(text.encode()), text.encode()))},
        protocol=protocol,
    )
    for number in range(len(texts)):
        result = of.encode({"words": set(texts[number:] + texts[:number])}, protocol=protocol)
        assert result == expected
    once = of.encode({"nested": set(nested), "lists": {("a", "b"), ()}}, protocol=protocol)
    assert (
        of.encode({"nested": set(reversed(nested)), "lists": {(), ("a", "b")}}, protocol=protocol)
        == once
    )
    assert of.decode(once, protocol=protocol) == {"nested": set(nested), "lists": {("a", "b"), ()}}


def test_maps_take_mappings_and_pairs(idl):
    point = {"x": 1}
    mappings = [
        {"p": point},
        collections.OrderedDict(p=point),
        types.MappingProxyType({"p": point}),
        collections.ChainMap({"p": point}),
        [("p", point)],
        (("p", point),),
    ]
    for value in mappings:
        same(idl.Every, {"points": value}, {"points": {"p": point}})
    for value in (5, "ab", [1], [("a", 1, 2)]):
        refused(
            idl.Every,
            {"points": value},
            "value_type",
            "expected map<string, Point>, got ",
            "$.points",
        )


def test_structs_as_keys_in_every_form(idl):
    key = (("x", 1), ("y", 2))
    same(idl.Every, {"by_point": {key: 5}}, {"by_point": {key: 5}})

    @dataclasses.dataclass(frozen=True)
    class Point:
        x: int
        y: int

    same(idl.Every, {"by_point": {Point(1, 2): 5}}, {"by_point": {key: 5}})
    same(idl.Every, {"by_point": [({"x": 1, "y": 2}, 5)]}, {"by_point": {key: 5}})


class Attributes:
    def __init__(self, **values):
        self.__dict__.update(values)


class Slots:
    __slots__ = ("x", "y")

    def __init__(self, x):
        self.x = x


class Tuple(typing.NamedTuple):
    x: int
    y: typing.Optional[int] = None


@dataclasses.dataclass
class Data:
    x: int
    y: typing.Optional[int] = None


@pytest.mark.parametrize("value", [
    Attributes(x=1, other=2), Slots(1), Tuple(1), Data(1), types.SimpleNamespace(x=1),
    types.MappingProxyType({"x": 1}),
])  # fmt: skip
def test_structs_from_objects(idl, value):
    same(idl.Every, {"point": value}, {"point": {"x": 1}})


@pytest.mark.parametrize("value", [
    pathlib.Path("x"), fractions.Fraction(1, 2), decimal.Decimal(1), Attributes(z=1), types,
    test_fields_are_written_in_the_order_of_ids,
])  # fmt: skip
def test_objects_without_fields_of_the_struct(idl, value):
    refused(idl.Every, {"point": value}, "value_type", "expected Point, got ", "$.point")


def test_a_named_tuple_must_not_have_extra_fields(idl):
    More = collections.namedtuple("More", "x z")
    refused(idl.Point, More(1, 2), "unknown_key", "no field 'z' in Point", "$")
    assert idl.Point.encode(More(1, 2), unknown="drop") == idl.Point.encode({"x": 1})


def test_duplicate_fields_and_keys(idl):
    class Text(str):
        __hash__ = str.__hash__

        def __eq__(self, other):
            return False

    refused(
        idl.Every,
        {"point": (("x", 1), ("x", 2))},
        "duplicate_field",
        "duplicate field in a struct",
        "$.point.x",
    )
    refused(
        idl.Point, {Text("x"): 1, "x": 2}, "duplicate_field", "duplicate field in a struct", "$.x"
    )
    refused(
        idl.Every,
        {"words": ["a", "b", "a"]},
        "duplicate_key",
        "duplicate element in a set",
        "$.words[2]",
    )
    refused(
        idl.Every,
        {"points": [("a", {"x": 1}), ("a", {"x": 2})]},
        "duplicate_key",
        "duplicate key in a map",
        "$.points{key 1}",
    )
    refused(
        idl.Every,
        {"by_point": [({"x": 1, "y": 2}, 5), ({"y": 2, "x": 1}, 6)]},
        "duplicate_key",
        "duplicate key in a map",
        "$.by_point{key 1}",
    )
    same(
        idl.Every,
        {"points": [("a", {"x": 1}), ("b", {"x": 1})]},
        {"points": {"a": {"x": 1}, "b": {"x": 1}}},
    )


def test_a_dataclass_must_not_have_extra_fields(idl):
    @dataclasses.dataclass
    class More:
        x: int
        z: int

    refused(idl.Point, More(1, 2), "unknown_key", "no field 'z' in Point", "$")
    assert idl.Point.encode(More(1, 2), unknown="drop") == idl.Point.encode({"x": 1})


@pytest.mark.parametrize("value", [5, 1.5, "text", b"bytes", [1], {1}, None, True, int, (1, 2)])
def test_values_other_than_structs(idl, value):
    refused(idl.Point, value, "value_type", "expected Point, got ", "$")


def test_unknown_fields_are_errors_or_skipped(idl):
    refused(
        idl.Every,
        {"lists": [], "textt": "x"},
        "unknown_key",
        "no field 'textt' in Every; did you mean 'text'",
        "$",
    )
    refused(idl.Every, {"point": {"X": 1}}, "unknown_key", "no field 'X' in Point", "$.point")
    refused(idl.Point, {1: 2}, "value_type", "the keys of a struct are field names, got int", "$")
    assert idl.Point.encode({"x": 1, "z": 2}, unknown="drop") == idl.Point.encode({"x": 1})


def test_unions_take_one_member(idl):
    refused(
        idl.Every,
        {"either": {"number": 1, "text": "x"}},
        "union_members",
        "more than one member",
        "$.either",
    )
    same(idl.Every, {"either": {"number": 1, "text": None}}, {"either": {"number": 1}})
    same(idl.Every, {"either": {}}, {"either": {}})


@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_defaults_are_written_on_request(idl, protocol):
    result = idl.Strict.decode(idl.Strict.encode({"a": 1}, protocol=protocol), protocol=protocol)
    assert result == {"a": 1}
    written = idl.Strict.encode({"a": 1, "c": 8}, protocol=protocol, defaults="write")
    assert idl.Strict.decode(written, protocol=protocol) == {"a": 1, "b": True, "c": 8, "d": [1, 2]}


def test_depth_is_bounded(idl):
    endless = {}
    endless["kids"] = [endless]
    refused(idl.Tree, endless, "depth_limit", "nested deeper", "$" + ".kids[0]" * 32)
    with pytest.raises(tl.EncodeError):
        idl.Tree.encode(endless, depth=1024)


def test_paths_lead_through_maps(idl):
    refused(
        idl.Every,
        {"points": {"p": {"x": "1"}}},
        "value_type",
        "expected i32, got str",
        '$.points{"p"}.x',
    )
    refused(
        idl.Every,
        {"lists": [[1], [2, "3"]]},
        "value_type",
        "expected i32, got str",
        "$.lists[1][1]",
    )


def test_exceptions_of_the_callers_objects_propagate(idl):
    class Broken:
        @property
        def x(self):
            raise LookupError("not now")

    with pytest.raises(LookupError, match="not now"):
        idl.Every.encode({"lists": [], "point": Broken()})

    def stops():
        yield 1
        raise KeyError("stop")

    with pytest.raises(KeyError):
        idl.Every.encode({"numbers": stops()})


def refused_or_as_it_began(of, value, began):
    """Without a GIL a container that is encoded is copied first, for another thread may change it
    at any time."""
    if getattr(sys, "_is_gil_enabled", lambda: True)():
        with pytest.raises(RuntimeError, match="was changed"):
            of.encode(value)
    else:
        assert of.decode(of.encode(value)) == began


def test_objects_that_change_what_is_encoded(idl):
    numbers = [1, 2, 3]

    class Shrinks:
        def __index__(self):
            numbers.clear()
            return 1

    numbers[0] = Shrinks()
    refused_or_as_it_began(idl.Every, {"numbers": numbers}, {"numbers": [1, 2, 3]})

    points = {}

    class Grows:
        @property
        def x(self):
            points["more"] = {"x": 1}
            return 1

    points["first"] = Grows()
    refused_or_as_it_began(idl.Every, {"points": points}, {"points": {"first": {"x": 1}}})

    counts = {str(n): 1 for n in range(6)}

    class Swaps:
        def __index__(self):
            del counts["0"]
            counts["new"] = 5
            return 1

    counts["3"] = Swaps()
    counted = tl.loads("struct C { 1: map<string, i32> counts }").C
    refused_or_as_it_began(counted, {"counts": counts}, {"counts": {str(n): 1 for n in range(6)}})

    value = {"middle": 1, "point": None}

    class Replaces:
        def __index__(self):
            value.clear()
            return 1

    value["middle"] = Replaces()
    value["point"] = {"x": 3}
    same_bytes = idl.Every.encode(value)
    assert idl.Every.decode(same_bytes) == {"middle": 1, "point": {"x": 3}}


def test_encode_may_be_called_while_encoding(idl):
    class Nested:
        @property
        def x(self):
            assert idl.Point.encode({"x": 9}) == bytes.fromhex("080001 00000009 00")
            return 4

    result = idl.Every.decode(idl.Every.encode({"tiny": 1, "point": Nested()}))
    assert result == {"tiny": 1, "point": {"x": 4}}
