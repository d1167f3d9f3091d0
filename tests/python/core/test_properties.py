"""decode(encode(x)) == x, and JSON between, for generated values of every shape."""

import uuid

import pytest

hypothesis = pytest.importorskip("hypothesis")
import thriftlens as tl  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

IDL = tl.loads("""
    enum Color { RED = 1, BLUE = 5 }
    struct Point { 1: i32 x, 2: required i32 y }
    union Either { 1: i64 number, 2: string text, 3: Point point }
    struct Every {
      1: bool flag, 2: i8 tiny, 3: i16 small, 4: i32 middle, 5: i64 wide, 6: double real,
      7: string text, 8: binary raw,
      9: Color color, 10: uuid id, 11: list<i32> numbers, 12: set<string> words,
      13: map<string, Point> points,
      14: Either either, 15: list<bool> flags, 16: map<Point, i32> by_point,
      17: set<list<i32>> lists,
      40: map<i32, list<string>> deep, 300: list<Every> more, 18: map<bool, i8> by_flag,
      19: map<double, i64> by_real
    }
    """)


OTHER = IDL.Every.encode({"text": "other"})
# fmt: off
CALLS = [
    IDL.Every.decode,
    IDL.Every.to_json,
    IDL.Every.validate,
    lambda data, protocol: IDL.Every.view(data, protocol=protocol).to_dict(),
    lambda data, protocol: IDL.Every.get_many(data, ["$.more[*].text", "$.deep{1}[0]", "$.points"],
        protocol=protocol),
    lambda data, protocol: IDL.Every.trim(data, "{ -more either { text } }", protocol=protocol),
    lambda data, protocol: (IDL.Every.edit(data, protocol=protocol).set("$.text",
        "x").erase("$.more[*].text").apply()),
    lambda data, protocol: IDL.Every.redact(data, protocol=protocol, paths={"$.more": "hash",
        "$.points": "keep_last(2)", "$.text": "drop"}, key=b"key"),
    lambda data, protocol: IDL.Every.diff(data, OTHER, protocol=protocol, right_protocol="binary"),
    lambda data, protocol: tl.convert(data, source=protocol, target="binary"),
    lambda data, protocol: tl.inspect(data, protocol=protocol, type=IDL.Every),
]
# fmt: on


def integers(bits):
    return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


reals = st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(st.characters(codec="utf-8"), max_size=40)
points = st.fixed_dictionaries({"y": integers(32)}, optional={"x": integers(32)})
either = st.one_of(
    st.fixed_dictionaries({"number": integers(64)}),
    st.fixed_dictionaries({"text": texts}),
    st.fixed_dictionaries({"point": points}),
)


def frozen(point):
    return tuple((name, point[name]) for name in ("x", "y") if name in point)


SCALARS = {
    "flag": st.booleans(), "tiny": integers(8), "small": integers(16), "middle": integers(32),
    "wide": integers(64), "real": reals, "text": texts, "raw": st.binary(max_size=40),
    "color": integers(32), "id": st.uuids().map(lambda id_: uuid.UUID(int=id_.int)),
    "numbers": st.lists(integers(32), max_size=30), "words": st.sets(texts, max_size=5),
    "points": st.dictionaries(texts, points, max_size=4), "either": either,
    "flags": st.lists(st.booleans(), max_size=20),
    "by_point": st.dictionaries(points.map(frozen), integers(32), max_size=3),
    "lists": st.sets(st.lists(integers(32), max_size=3).map(tuple), max_size=3),
    "deep": st.dictionaries(integers(32), st.lists(texts, max_size=3), max_size=3),
    "by_flag": st.dictionaries(st.booleans(), integers(8)),
    "by_real": st.dictionaries(reals, integers(64), max_size=3),
}  # fmt: skip
flat = st.fixed_dictionaries({}, optional=SCALARS)
values = st.fixed_dictionaries({}, optional={**SCALARS, "more": st.lists(flat, max_size=2)})
fast = hypothesis.settings(
    max_examples=150, deadline=None, suppress_health_check=list(hypothesis.HealthCheck)
)


@pytest.mark.parametrize("protocol", ["binary", "compact"])
@fast
@hypothesis.given(value=values)
def test_decode_after_encode_round_trips(protocol, value):
    data = IDL.Every.encode(value, protocol=protocol)
    assert IDL.Every.decode(data, protocol=protocol) == value


@pytest.mark.parametrize("protocol", ["binary", "compact"])
@fast
@hypothesis.given(value=values, pretty=st.integers(0, 3), enums=st.sampled_from(["number", "name"]))
def test_json_round_trips_to_the_same_bytes(protocol, value, pretty, enums):
    data = IDL.Every.encode(value, protocol=protocol)
    text = IDL.Every.to_json(data, protocol=protocol, pretty=pretty, enums=enums)
    assert IDL.Every.from_json(text, protocol=protocol) == data


@fast
@hypothesis.given(value=values)
def test_protocols_are_equivalent(value):
    result = IDL.Every.decode(IDL.Every.encode(value, protocol="compact"), protocol="compact")
    assert result == IDL.Every.decode(IDL.Every.encode(value))


@fast
@hypothesis.given(value=values)
def test_redacted_bytes_are_valid(value):
    for protocol in ("binary", "compact"):
        data = IDL.Every.encode(value, protocol=protocol)
        for action in ("hash", "keep_last(2)", "blank"):
            hidden = IDL.Every.redact(
                data,
                paths={"$": action},
                key=b"key" if action == "hash" else b"",
                protocol=protocol,
            )
            IDL.Every.validate(hidden, keys="unique", enum_numbers="any", protocol=protocol)
            result = IDL.Every.decode(hidden, protocol=protocol).keys()
            assert result == ({} if action == "blank" else value).keys()


@fast
@hypothesis.given(value=values, other=values)
def test_diff_is_empty_exactly_for_equal_values(value, other):
    lhs, right = IDL.Every.encode(value), IDL.Every.encode(other, protocol="compact")
    assert (IDL.Every.diff(lhs, right, right_protocol="compact") == []) == (value == other)
    assert (
        IDL.Every.diff(lhs, IDL.Every.encode(value, protocol="compact"), right_protocol="compact")
        == []
    )


@fast
@hypothesis.given(value=values, where=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255))
def test_a_changed_byte_is_a_value_or_a_typed_error(value, where, byte):
    for protocol in ("binary", "compact"):
        data = bytearray(IDL.Every.encode(value, protocol=protocol))
        data[int(where * len(data))] = byte
        for call in CALLS:
            try:
                call(data, protocol=protocol)
            except tl.DecodeError as error:
                assert error.offset is None or 0 <= error.offset <= len(data)


@fast
@hypothesis.given(data=st.binary(max_size=200))
def test_any_bytes_are_a_value_or_a_typed_error(data):
    for protocol in ("binary", "compact"):
        for call in CALLS:
            try:
                call(data, protocol=protocol)
            except tl.DecodeError:
                pass
        try:
            IDL.Every.from_json(data, protocol=protocol)
        except tl.JSONError:
            pass
