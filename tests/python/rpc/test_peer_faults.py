"""Faults of other implementations as they would show in Python; tests/json/peer_faults_test.cpp has
the rest."""

import pytest
import thriftlens as tl

IDL = tl.loads("""
    const list<i32> NUMBERS = [1, 2]
    struct Item { 1: string sku, 2: i32 count }
    struct S { 1: set<i32> marks, 2: list<i32> numbers = NUMBERS, 3: Item item = {"sku": "x"},
    4: map<string, i32> sizes, 5: set<Item> items }
    exception Wrong { 1: string why }
    service Calls { void none(), i32 many(1: i32 a, 2: S b) throws (1: Wrong w) }
    """)
PROTOCOLS = pytest.mark.parametrize("protocol", ["binary", "compact"])


@PROTOCOLS
def test_sets_decode_to_sets(protocol):
    data = IDL.S.encode({"marks": {1, 2}}, protocol=protocol)
    assert IDL.S.decode(data, protocol=protocol)["marks"] == {1, 2}
    assert IDL.S.get(data, "$.marks", protocol=protocol) == {1, 2}
    assert IDL.S.view(data, protocol=protocol).to_dict() == {"marks": {1, 2}}


@PROTOCOLS
def test_defaults_of_every_shape(protocol):
    empty = b"\0"
    result = IDL.S.decode(empty, defaults="write", protocol=protocol)
    assert result == {"numbers": [1, 2], "item": {"sku": "x"}}
    result = IDL.S.decode(IDL.S.encode({}, defaults="write", protocol=protocol), protocol=protocol)
    assert result == {"numbers": [1, 2], "item": {"sku": "x"}}


@PROTOCOLS
def test_functions_of_every_form(protocol):
    calls = IDL.services["Calls"].functions
    for of, value in (
        (calls["none"].arguments, {}),
        (calls["many"].arguments, {"a": 1, "b": {}}),
        (calls["many"].result, {"w": {"why": "no"}}),
    ):
        assert of.decode(of.encode(value, protocol=protocol), protocol=protocol) == value


@PROTOCOLS
def test_truncated_input(protocol):
    data = IDL.S.encode(
        {"marks": {1}, "numbers": [1, 2], "item": {"sku": "abc", "count": 1}, "sizes": {"a": 1}},
        protocol=protocol,
    )
    for size in range(len(data)):
        for call in (IDL.S.decode, IDL.S.to_json, IDL.S.validate):
            with pytest.raises(tl.DecodeError) as wrong:
                call(data[:size], protocol=protocol)
            assert wrong.value.code == "truncated"


@PROTOCOLS
def test_edits_of_absent_and_mistyped_values(protocol):
    data = IDL.S.encode({"numbers": [1], "sizes": {"a": 1, "b": 2}}, protocol=protocol)
    assert IDL.S.edit(data, protocol=protocol).erase('$.sizes{"c"}').apply() == data
    with pytest.raises(tl.AbsentError):
        IDL.S.edit(data, protocol=protocol).insert("$.numbers[5]", 1).apply()
    with pytest.raises(tl.EncodeError):
        IDL.S.edit(data, protocol=protocol).set("$.item", {"count": "1"}).apply()
    for path in ("$.#99", "$.nothing"):
        with pytest.raises(tl.UnknownNameError):
            IDL.S.get(data, path, protocol=protocol)
