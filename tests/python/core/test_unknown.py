"""Unknown fields round-trip to the same bytes with unknown="keep"; missing fields become zero on
request; foreign structs are reported."""

import json
import math
import re
import struct

import pytest
import thriftlens as tl

KEEP = {"unknown": "keep"}
NONE = tl.loads("struct None {}")["None"]
IDL = tl.loads(
    "struct Known { 1: i32 x, 5: string name } union Pick { 1: i32 i, 2: string s } struct Keyed { "
    "1: map<Known, i8> by_known, 2: list<Known> all }"
)
Known, Pick, Keyed = IDL.Known, IDL.Pick, IDL.Keyed
NEED = tl.loads("""struct In { 1: required i32 x, 2: optional i32 y }
    struct Need { 1: required i32 i, 2: required list<In> l, 3: required string s = "d",
      4: required In k, 5: optional i32 o, 6: required bool b }
    struct Left { 1: required Right right } struct Right { 1: required Left left }""")


def by_dict(of, data, protocol):
    return of.encode(of.decode(data, protocol=protocol, **KEEP), protocol=protocol, **KEEP)


def by_json(of, data, protocol):
    text = of.to_json(data, protocol=protocol, nonfinite="string", **KEEP)
    return of.from_json(text, protocol=protocol, nonfinite="string", **KEEP)


def halves(folder, file):
    """The schema without the fields of odd ids, and without those of even ones.

    Sets are taken out: in Python they have no order."""
    text = (folder / file).read_text()
    for odd in (True, False):
        yield tl.loads(
            re.sub(
                r"(?m)^\s+(-?\d+): (.*)$",
                lambda field: (
                    "" if (int(field[1]) % 2 == 1) == odd or "set<" in field[2] else field[0]
                ),
                text,
            )
        )


@pytest.mark.parametrize("back", [by_dict, by_json])
def test_every_vector_comes_back_as_the_same_bytes(vectors, back):
    half = {
        name: list(halves(vectors.folder, file))
        for name, file in vectors.manifest["schemas"].items()
    }
    for vector, of, protocol, data in vectors.valid():
        for less in (NONE, *(schema[vector["struct"]] for schema in half[vector["schema"]])):
            assert back(less, data, protocol) == data, (
                vector["id"],
                protocol,
                str(less),
                back.__name__,
            )


def test_unknown_fields_in_every_representation(protocol):
    value = {
        "#-7": {"bool": True},
        "x": 1,
        "#2": {"list": ["i8", [1, 2]]},
        "#3": {"map": ["i32", "string", [[1, b"a"]]]},
        "#9": {"struct": {"#1": {"double": 1.5}}},
    }
    data = Known.encode(value, protocol=protocol, **KEEP)
    decoded = Known.decode(data, protocol=protocol, **KEEP)
    assert decoded == value and list(decoded) == list(value)
    result = json.loads(Known.to_json(data, protocol=protocol, **KEEP))
    assert result["#3"] == {"map": ["i32", "string", [[1, "YQ=="]]]}
    assert Known.decode(data, protocol=protocol) == {"x": 1}
    assert Known.view(data, protocol=protocol, **KEEP).to_dict() == value
    assert Known.decoder(protocol=protocol, **KEEP).decode(data) == value
    assert Known.encoder(protocol=protocol, **KEEP).encode(value) == data


def test_structs_as_keys_are_hashable_and_convertible(protocol):
    inner = {
        "x": 1,
        "#7": {"list": ["struct", [{"#1": {"i8": 1}}]]},
        "#8": {"map": ["i8", "i8", [[1, 2]]]},
    }
    data = Known.encode(inner, protocol=protocol, **KEEP)
    key = tuple(Known.decode(data, protocol=protocol, **KEEP).items())
    data = Keyed.encode({"all": [inner], "by_known": [(inner, 3)]}, protocol=protocol, **KEEP)
    decoded = Keyed.decode(data, protocol=protocol, **KEEP)
    assert decoded["all"] == [inner]
    assert [dict(key_)["x"] for key_ in decoded["by_known"]] == [dict(key)["x"]]
    assert by_dict(Keyed, data, protocol) == by_json(Keyed, data, protocol) == data


@pytest.mark.parametrize("bits", [
    0x7FF8000000000000, 0x7FF8000000000001, 0xFFF8000000000000, 0x7FF0000000000000,
    0xFFF0000000000000, 1 << 63, 1,
])  # fmt: skip
def test_doubles_keep_their_bits(bits):
    data = b"\x04\0\x09" + struct.pack(">Q", bits) + b"\0"
    assert by_dict(Known, data, "binary") == by_json(Known, data, "binary") == data
    result = math.isnan(Known.decode(data, **KEEP)["#9"]["double"])
    assert result == ((bits & 0x7FFFFFFFFFFFFFFF) > 0x7FF0000000000000)


@pytest.mark.parametrize(
    "value, code, path",
    [
        ({"#5": {"i8": 1}}, "unknown_key", "$"),
        ({"#05": {"i8": 1}}, "unknown_key", "$"),
        ({"#40000": {"i8": 1}}, "unknown_key", "$"),
        ({"other": 1}, "unknown_key", "$"),
        ({"#7": 1}, "value_type", "$.#7"),
        ({"#7": {}}, "value_type", "$.#7"),
        ({"#7": {"i8": 1, "i16": 2}}, "value_type", "$.#7"),
        ({"#7": {"i33": 1}}, "value_type", "$.#7"),
        ({"#7": {"stop": 1}}, "value_type", "$.#7"),
        ({"#7": {8: 1}}, "value_type", "$.#7"),
        ({"#7": {"i8": 128}}, "value_range", "$.#7"),
        ({"#7": {"i64": 1 << 63}}, "value_range", "$.#7"),
        ({"#7": {"bool": 1}}, "value_type", "$.#7"),
        ({"#7": {"i8": None}}, "value_type", "$.#7"),
        ({"#7": {"string": "text"}}, "value_type", "$.#7"),
        ({"#7": {"list": [1, 2]}}, "value_type", "$.#7"),
        ({"#7": {"list": ["i8"]}}, "value_type", "$.#7"),
        ({"#7": {"list": ["i8", 1]}}, "value_type", "$.#7"),
        ({"#7": {"list": ["i8", [1, "x"]]}}, "value_type", "$.#7[1]"),
        ({"#7": {"set": ["stop", [1]]}}, "value_type", "$.#7[0]"),
        ({"#7": {"map": ["i8", "i8", {1: 2}]}}, "value_type", "$.#7"),
        ({"#7": {"map": ["i8", "i8", [1]]}}, "value_type", "$.#7{key 0}"),
        ({"#7": {"map": ["i8", "i8", [[1, 200]]]}}, "value_range", "$.#7{1}"),
        ({"#7": {"struct": {"x": {"i8": 1}}}}, "unknown_key", "$.#7"),
        ({"#7": {"struct": {"#1": {"i8": 200}}}}, "value_range", "$.#7.#1"),
        ((("#7", {"i8": 1}), ("#7", {"i8": 1})), "duplicate_field", "$.#7"),
    ],
)
def test_faults_name_their_location(value, code, path, protocol):
    with pytest.raises(tl.EncodeError) as raised:
        Known.encode(value, protocol=protocol, **KEEP)
    assert (raised.value.code, raised.value.path) == (code, path)


def test_depth_is_bounded(protocol):
    deep = {"i8": 1}
    for _ in range(100):
        deep = {"struct": {"#1": deep}}
    with pytest.raises(tl.EncodeError, match="nested deeper"):
        Known.encode({"#7": deep}, protocol=protocol, **KEEP)
    data = Known.encode({"#7": deep}, protocol=protocol, depth=200, **KEEP)
    for call in (Known.decode, Known.to_json):
        with pytest.raises(tl.DecodeError, match="nested deeper"):
            call(data, protocol=protocol, **KEEP)
    assert by_dict_at(200, data, protocol) == data


def by_dict_at(depth, data, protocol):
    options = {"protocol": protocol, "depth": depth, **KEEP}
    return Known.encode(Known.decode(data, **options), **options)


def test_memory_is_bounded():
    many = b"\x0f\0\x09\x0c" + struct.pack(">I", 3_000_000) + b"\0" * 3_000_000 + b"\0"
    with pytest.raises(tl.DecodeError) as raised:
        Known.decode(many, output_size=1 << 20, **KEEP)
    assert raised.value.code == "output_limit"


def test_a_duplicate_is_an_error_or_the_last_counts():
    twice = bytes.fromhex("030007 01 030007 02 00")
    for call in (Known.decode, Known.to_json):
        with pytest.raises(tl.DecodeError) as raised:
            call(twice, **KEEP)
        assert raised.value.code == "duplicate_field" and raised.value.path == "$.#7"
        assert raised.value.offset == 4
    assert Known.decode(twice, duplicates="last", **KEEP) == {"#7": {"i8": 2}}


def test_a_union_may_have_a_member_that_is_not_known(protocol):
    value = {"#9": {"i8": 1}}
    data = Pick.encode(value, protocol=protocol, **KEEP)
    assert Pick.decode(data, protocol=protocol, **KEEP) == value
    assert Pick.decode(data, protocol=protocol) == {}
    with pytest.raises(tl.EncodeError, match="more than one member"):
        Pick.encode({"i": 1, "s": "x"}, protocol=protocol, **KEEP)


def test_unknown_keys_need_the_option_keep():
    with pytest.raises(tl.EncodeError, match="no field '#7' in Known; unknown=\"keep\" accepts it"):
        Known.encode({"#7": {"i8": 1}})
    with pytest.raises(
        tl.JSONError, match="no field '#7' in Known; such a key needs the option unknown=keep"
    ):
        Known.from_json('{"#7": {"i8": 1}}')


def test_unknown_error_applies_to_decode():
    with pytest.raises(tl.DecodeError) as raised:
        Known.decode(bytes.fromhex("030007 01 00"), unknown="error")
    assert (raised.value.code, raised.value.path) == ("unknown_field", "$.#7")


def test_missing_fields_become_zero(protocol):
    options = {"protocol": protocol, "missing": "zero"}
    zero = {"i": 0, "l": [], "s": "d", "k": {"x": 0}, "b": False}
    data = NEED.Need.encode({}, **options)
    assert NEED.Need.decode(data, protocol=protocol) == zero
    assert NEED.Need.from_json("{}", **options) == data
    assert NEED.Need.encoder(**options).encode({}) == data
    some = NEED.Need.encode({"k": {"y": 3}, "i": None, "l": [{}], "o": 1}, **options)
    result = NEED.Need.decode(some, protocol=protocol)
    assert result == {**zero, "k": {"x": 0, "y": 3}, "l": [{"x": 0}], "o": 1}
    encoded = NEED.Need.encode({"#99": {"i8": 1}, "b": True}, unknown="keep", **options)
    result = NEED.Need.decode(encoded, protocol=protocol, **KEEP)
    assert result == {**zero, "#99": {"i8": 1}, "b": True}
    for call, empty in ((NEED.Need.encode, {}), (NEED.Need.from_json, "{}")):
        with pytest.raises(tl.Error, match="required field is missing"):
            call(empty, protocol=protocol)


def test_a_struct_that_requires_itself_has_no_zero_value(protocol):
    for call, empty in ((NEED.Left.encode, {}), (NEED.Left.from_json, "{}")):
        with pytest.raises(tl.Error, match="Right requires itself and has no zero value") as raised:
            call(empty, protocol=protocol, missing="zero", depth=1024)
        assert (raised.value.code, raised.value.path) == ("missing_required", "$.right.left.right")


NEST = tl.loads(
    "struct In { 1: i32 x } union U { 1: In i } struct Out { 1: In one, 2: list<In> many, 3: "
    "map<string, In> named, 4: U u }"
).Out
FOREIGN = tl.loads(
    "struct In { 8: i32 x } union U { 9: In i } struct Out { 1: In one, 2: list<In> many, 3: "
    "map<string, In> named, 4: U u }"
).Out


def test_foreign_structs_are_reported(protocol):
    data = FOREIGN.encode(
        {"one": {"x": 1}, "many": [{}, {"x": 2}], "named": {"k": {"x": 3}}, "u": {"i": {}}},
        protocol=protocol,
    )
    findings = NEST.findings(data, protocol=protocol, foreign="error")
    expected = [("foreign_struct", path) for path in ("$.one", "$.many[1]", '$.named{"k"}', "$.u")]
    assert [(finding.code, finding.path) for finding in findings] == expected
    assert "none of the fields is in In: this is probably a different type" in str(findings[0])
    assert "the member is not in U: the IDL is older" in str(findings[3])
    assert NEST.findings(data, protocol=protocol) == []
    assert FOREIGN.findings(data, protocol=protocol, foreign="error") == []


def test_the_command_line(run, tmp_path):
    idl, other = tmp_path / "a.thrift", tmp_path / "b.thrift"
    idl.write_text("struct In { 1: i32 x } struct Out { 1: In one, 2: required i32 n }")
    other.write_text(
        "struct In { 8: i32 x } struct Out { 1: In one, 2: required i32 n, 3: string s }"
    )
    data = tl.load(other).Out.encode({"one": {"x": 7}, "n": 1, "s": "é"})
    result = run("check", idl, "Out", input=data)
    assert result.returncode == 0
    assert (
        result.stderr.decode() == "thriftlens: <stdin>: warning: none of the fields is in In: this "
        "is probably a different type at $.one (byte 3)\n"
    )
    text = run("to-json", idl, "Out", "--unknown", "keep", input=data).stdout
    assert json.loads(text) == {"one": {"#8": {"i32": 7}}, "n": 1, "#3": {"string": "w6k="}}
    assert run("from-json", idl, "Out", "--unknown", "keep", "-o", "-", input=text).stdout == data
    actual = json.loads(run("get", idl, "Out", "$.one", "--unknown", "keep", input=data).stdout)
    assert actual == {"#8": {"i32": 7}}
    assert run("from-json", idl, "Out", "-o", "-", input=b"{}").returncode == 1
    zero = run("from-json", idl, "Out", "--missing", "zero", "-o", "-", input=b"{}")
    assert zero.stdout == tl.load(idl).Out.encode({"n": 0})


def test_check_limits_its_warnings(run, tmp_path):
    idl = tmp_path / "a.thrift"
    idl.write_text("struct P { 1: i32 x, 2: list<P> all } struct Q { 8: i32 x, 2: list<Q> all }")
    of = tl.load(idl)
    many = run("check", idl, "P", "--framing", "none", input=of.Q.encode({"x": 1}) * 50)
    assert many.returncode == 0 and many.stderr.count(b"probably a different type") == 10
    assert b"further warnings" in many.stderr
    wrong = (
        of.Q.encode({"all": [{"x": 1}] * 70})[:-1]
        + of.P.encode({"x": 1})[:-1]
        + of.P.encode({"x": 1})
    )
    result = run("check", idl, "P", input=wrong)
    assert result.returncode == 1 and b"duplicate field" in result.stderr


hypothesis = pytest.importorskip("hypothesis")
from hypothesis import strategies as st  # noqa: E402


def integers(bits):
    return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


SCALARS = {
    "bool": st.booleans(), "i8": integers(8), "i16": integers(16), "i32": integers(32),
    "i64": integers(64), "double": st.floats(allow_nan=False), "string": st.binary(max_size=20),
    "uuid": st.uuids(),
}  # fmt: skip
IDS = st.integers(-32768, 32767).filter(lambda id: id not in (1, 5)).map(lambda id: f"#{id}")


@st.composite
def typed(draw, depth=3):
    """A wire type, and a strategy of its values."""
    kind = draw(st.sampled_from([*SCALARS, *(["list", "set", "map", "struct"] if depth else [])]))
    if kind in SCALARS:
        return kind, SCALARS[kind]
    if kind == "struct":
        return kind, st.dictionaries(IDS, field(depth - 1), max_size=3)
    inner, values = draw(typed(depth - 1))
    if kind != "map":
        return kind, st.lists(values, max_size=3).map(lambda items: [inner, items])
    item, items = draw(typed(depth - 1))
    return kind, st.lists(st.tuples(values, items).map(list), min_size=1, max_size=3).map(
        lambda pairs: [inner, item, pairs]
    )


def field(depth=3):
    return typed(depth).flatmap(lambda pair: pair[1].map(lambda value: {pair[0]: value}))


fields = st.dictionaries(IDS, field(), max_size=4)
known = st.fixed_dictionaries(
    {}, optional={"x": integers(32), "name": st.text(st.characters(codec="utf-8"), max_size=9)}
)


@pytest.mark.parametrize("protocol", ["binary", "compact"])
@hypothesis.settings(
    max_examples=120, deadline=None, suppress_health_check=list(hypothesis.HealthCheck)
)
@hypothesis.given(some=known, others=fields, data=st.data())
def test_any_unknown_fields_round_trip(protocol, some, others, data):
    value = dict(data.draw(st.permutations([*some.items(), *others.items()])))
    raw = Known.encode(value, protocol=protocol, **KEEP)
    decoded = Known.decode(raw, protocol=protocol, **KEEP)
    assert decoded == value and list(decoded) == list(value)
    assert by_json(Known, raw, protocol) == raw and by_dict(NONE, raw, protocol) == raw
    assert by_json(NONE, raw, protocol) == raw
    assert Known.decode(raw, protocol=protocol) == some
