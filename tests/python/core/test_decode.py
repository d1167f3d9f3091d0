"""Type.decode: every type, every option, every kind of invalid bytes."""

import json
import struct
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
  14: Either either, 15: Point point, 16: map<Point, i32> by_point, 17: set<list<i32>> lists,
  18: map<i32, list<string>> deep
}
struct Strict { 1: required i32 a, 2: required string b, 3: optional i32 c = 7, 4: list<i32> d = [1,
  2] }
struct Named { 1: i32 field (api.key = "Alias") }
struct Tree { 1: list<Tree> kids }
"""


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


def field(kind, number, payload):
    return struct.pack(">bh", kind, number) + payload


def i32(number, value):
    return field(8, number, struct.pack(">i", value))


def text(number, value):
    return field(11, number, struct.pack(">i", len(value)) + value)


EVERY = {
    "flag": True, "tiny": -8, "small": -300, "middle": 70000, "wide": -(2**63), "real": 0.1,
    "text": "zoë", "raw": b"\x00\xff", "color": 5,
    "id": uuid.UUID("12345678-1234-5678-1234-567812345678"), "numbers": [1, 2, 3],
    "words": {"a", "b"}, "points": {"p": {"x": 1, "y": 2}}, "either": {"text": "t"},
    "point": {"x": 3}, "by_point": {(("x", 1), ("y", 2)): 9}, "lists": {(1, 2), ()},
    "deep": {1: ["a"], 2: []},
}  # fmt: skip


@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_every_type_round_trips(idl, protocol):
    data = idl.Every.encode(EVERY, protocol=protocol)
    value = idl.Every.decode(data, protocol=protocol)
    assert value == EVERY
    result = {name: type(value[name]) for name in EVERY}
    assert result == {name: type(EVERY[name]) for name in EVERY}
    assert list(value) == list(EVERY)


def test_the_shortest_and_the_widest_strings(idl):
    for text in ("", "a", "é", "ab", "日本語", "😀" * 100, "x" * 5000, "\x00"):
        assert idl.Every.decode(idl.Every.encode({"text": text})) == {"text": text}


def test_enum_names_with_numbers_for_the_unnamed(idl):
    assert idl.Every.decode(i32(9, 5) + b"\0", enums="name") == {"color": "BLUE"}
    assert idl.Every.decode(i32(9, 4) + b"\0", enums="name") == {"color": 4}


def test_unknown_fields_are_skipped_or_an_error(idl):
    data = i32(1, 1) + i32(99, 5) + i32(2, 2) + b"\0"
    assert idl.Point.decode(data) == {"x": 1, "y": 2}
    with pytest.raises(tl.DecodeError) as caught:
        idl.Point.decode(data, unknown="error")
    assert caught.value.code == "unknown_field" and caught.value.offset == 7
    assert caught.value.path == "$.#99"


def test_defaults_are_written_on_request(idl):
    data = i32(1, 1) + text(2, b"x") + b"\0"
    assert idl.Strict.decode(data) == {"a": 1, "b": "x"}
    assert idl.Strict.decode(data, defaults="write") == {"a": 1, "b": "x", "c": 7, "d": [1, 2]}


def test_a_default_is_decoded_as_declared():
    text = (
        "struct P {1: i32 x = 1, 2: i32 y = 2} struct A {1: P p = {'x': 5}, 2: "
        "list<P> l = [{}], 3: optional A a = {}}"
    )
    of = tl.loads(text).A
    expected = {"p": {"x": 5}, "l": [{}], "a": {}}
    assert of.decode(b"\0", defaults="write") == expected
    assert of.view(b"\0", defaults="write").to_dict() == expected
    assert of.decode(of.encode({}, defaults="write")) == expected
    assert of.decode(of.from_json("{}", defaults="write")) == expected
    assert json.loads(of.to_json(b"\0", defaults="write")) == expected


def test_aliases_as_keys(idl):
    assert idl.Named.decode(i32(1, 4) + b"\0", names="alias") == {"Alias": 4}
    assert idl.Named.encode({"Alias": 4}, names="alias") == i32(1, 4) + b"\0"


def test_invalid_utf8_is_an_error_or_replaced(idl):
    data = text(7, b"a\xffb") + b"\0"
    with pytest.raises(tl.DecodeError, match=r"not valid UTF-8 at \$\.text \(byte 3\)") as caught:
        idl.Every.decode(data)
    assert caught.value.code == "invalid_utf8"
    assert idl.Every.decode(data, invalid_utf8="replace") == {"text": "a\ufffdb"}


def test_a_mismatch_is_an_error_or_skipped(idl):
    data = text(1, b"one") + i32(2, 2) + b"\0"
    with pytest.raises(
        tl.DecodeError, match=r"expected i32, found string at \$\.x \(byte 0\)"
    ) as caught:
        idl.Point.decode(data)
    assert caught.value.code == "type_mismatch"
    assert idl.Point.decode(data, mismatch="drop") == {"y": 2}
    inside = field(15, 11, b"\x0b" + struct.pack(">i", 1) + struct.pack(">i", 1) + b"x") + b"\0"
    with pytest.raises(tl.DecodeError) as caught:
        idl.Every.decode(inside)
    assert caught.value.code == "type_mismatch"
    assert idl.Every.decode(inside, mismatch="drop") == {}


def test_a_skipped_required_field_counts_as_missing(idl):
    data = text(1, b"one") + text(2, b"x") + b"\0"
    with pytest.raises(tl.DecodeError) as caught:
        idl.Strict.decode(data, mismatch="drop")
    assert caught.value.code == "missing_required"


def test_duplicates_are_an_error_or_the_last_wins(idl):
    data = i32(1, 1) + i32(1, 2) + b"\0"
    with pytest.raises(tl.DecodeError, match="duplicate field in a struct") as caught:
        idl.Point.decode(data)
    assert caught.value.code == "duplicate_field" and caught.value.path == "$.x"
    assert caught.value.offset == 7
    assert idl.Point.decode(data, duplicates="last") == {"x": 2}
    required = i32(1, 1) + i32(1, 2) + b"\0"
    with pytest.raises(tl.DecodeError) as caught:
        idl.Strict.decode(required, duplicates="last")
    assert caught.value.code == "missing_required"


def test_duplicate_keys_and_elements(idl):
    entry = struct.pack(">i", 7) + b"\x0f"[:0] + b"\x0b" + struct.pack(">i", 0)
    twice = field(13, 18, b"\x08\x0f" + struct.pack(">i", 2) + entry + entry) + b"\0"
    for read in idl.Every.decode, idl.Every.to_json:
        with pytest.raises(tl.DecodeError) as caught:
            read(twice)
        assert (caught.value.code, caught.value.path) == ("duplicate_key", "$.deep{7}")
    assert idl.Every.decode(twice, duplicates="last") == {"deep": {7: []}}
    item = struct.pack(">i", 1) + b"w"
    data = field(14, 12, b"\x0b" + struct.pack(">i", 2) + item + item) + b"\0"
    with pytest.raises(tl.DecodeError) as caught:
        idl.Every.decode(data)
    assert caught.value.code == "duplicate_key"
    assert idl.Every.decode(data, duplicates="last") == {"words": {"w"}}


def test_missing_required_fields_are_named(idl):
    data = i32(1, 1) + b"\0"
    for read in idl.Strict.decode, idl.Strict.to_json, idl.Strict.validate:
        with pytest.raises(tl.DecodeError) as caught:
            read(data)
        assert caught.value.code == "missing_required" and caught.value.path == "$.b"
        assert caught.value.offset == 7


def test_unions_have_at_most_one_member(idl):
    assert idl.Either.decode(b"\0") == {}
    with pytest.raises(tl.DecodeError) as caught:
        idl.Either.decode(i32(1, 1) + text(2, b"x") + b"\0")
    assert caught.value.code == "union_members"


def test_trailing_bytes_are_an_error(idl):
    with pytest.raises(tl.DecodeError) as caught:
        idl.Point.decode(b"\0\0")
    assert (caught.value.code, caught.value.offset) == ("trailing_bytes", 1)


def test_depth_is_bounded(idl):
    def nested(levels):
        return (b"\x0f\x00\x01\x0c\x00\x00\x00\x01" * levels) + b"\0" * (levels + 1)

    assert idl.Tree.decode(nested(31)) != {}
    with pytest.raises(tl.DecodeError) as caught:
        idl.Tree.decode(nested(32))
    assert caught.value.code == "depth_limit"
    assert idl.Tree.decode(nested(400), depth=1000) != {}
    with pytest.raises(tl.DecodeError):
        idl.Tree.decode(nested(100000), depth=1024)
    with pytest.raises(ValueError, match="depth must be from 0 to 1024"):
        idl.Tree.decode(nested(1), depth=1025)


def test_error_paths_cross_containers(idl):
    data = idl.Every.encode({"points": {"p": {"x": 1}, "q": {"x": 2}}})
    with pytest.raises(tl.DecodeError) as caught:
        idl.Every.decode(data[:-4])
    assert caught.value.path == '$.points{"q"}.x'
    assert caught.value.code == "truncated"


def test_options_are_checked(idl):
    with pytest.raises(TypeError, match=r"decode\(\) takes 1 positional argument, 0 given"):
        idl.Point.decode()
    with pytest.raises(TypeError, match=r"decode\(\) takes 1 positional argument, 2 given"):
        idl.Point.decode(b"\0", "binary")
    with pytest.raises(TypeError, match="unexpected keyword argument 'proto'"):
        idl.Point.decode(b"\0", proto="binary")
    with pytest.raises(
        ValueError, match="protocol must be 'binary', 'compact' or 'tjson', not 'json'"
    ):
        idl.Point.decode(b"\0", protocol="json")
    with pytest.raises(ValueError, match="enums must be 'number', 'name' or 'member', not 1"):
        idl.Point.decode(b"\0", enums=1)
    assert idl.Point.decode(b"\0", **{"".join(["proto", "col"]): "".join(["bin", "ary"])}) == {}


def test_types_other_than_structs(idl):
    assert idl["i32"].decode(b"\0\0\0\x05") == 5
    assert idl["string"].decode(b"\0\0\0\x01a") == "a"
    assert idl.Color.decode(b"\0\0\0\x05", enums="name") == "BLUE"
    numbers = idl.Every.fields["numbers"].type
    assert numbers.name == "list<i32>"
    assert numbers.decode(numbers.encode([1, 2])) == [1, 2]


def test_empty_containers_may_have_any_element_type(idl):
    for element in (0, 8, 11):
        data = field(15, 11, bytes([element]) + struct.pack(">i", 0)) + b"\0"
        assert idl.Every.decode(data) == {"numbers": []}
