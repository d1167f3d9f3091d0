"""Type.using: types whose methods have other defaults."""

import copy
import pickle

import pytest
import thriftlens as tl
from thriftlens._schema.presets import presets_of_methods

idl = tl.loads("enum Color { RED = 1 } struct Paint { 1: i32 size, 2: Color color, 3: set<i8> s }")
Paint = idl.Paint
VALUE = {"size": 3, "color": "RED"}
DATA = Paint.encode(VALUE, protocol="compact")
Compact = Paint.using(protocol="compact", enums="name", unknown="error")


def test_methods_have_the_presets():
    assert Compact.encode(VALUE) == DATA == Compact.encoder().encode(VALUE)
    assert Compact.decode(DATA) == VALUE == Compact.decoder().decode(DATA)
    assert Compact.to_json(DATA) == b'{"size":3,"color":"RED"}'
    result = Compact.from_json('{"color": "RED"}')
    assert result == Paint.from_json('{"color": 1}', protocol="compact")
    assert Compact.to_jsonable(DATA) == VALUE and Compact.get(DATA, "$.color") == "RED"
    assert Compact.view(DATA).color == "RED" and Compact.get_many(DATA, ["$.size"]) == [3]
    assert Compact.trim(DATA, "{ size }") == Paint.encode({"size": 3}, protocol="compact")
    assert Compact.edit(DATA).set("size", 4).apply() == Compact.encode({**VALUE, "size": 4})
    assert Compact.validate(DATA) is None and Compact.diff(DATA, DATA) == []


def test_an_argument_has_priority():
    binary = Paint.encode(VALUE)
    assert Compact.decode(binary, protocol="binary", enums="number") == {"size": 3, "color": 1}
    assert Compact.using(protocol="binary").decode(binary) == VALUE


def test_the_type_itself_is_unchanged():
    assert Paint.decode(Paint.encode(VALUE))["color"] == 1 and idl.Paint is Paint
    assert Compact.name == "Paint" and Compact.fields == Paint.fields
    assert [*tl.scan(DATA, Compact, protocol="compact", to="dict")] == [VALUE]


def test_a_method_keeps_its_default_for_a_value_that_it_does_not_take():
    members = Paint.using(enums="member")
    data = Paint.encode(VALUE)
    assert members.decode(data)["color"] is Paint.at("color").enum_class.RED
    assert members.to_json(data) == b'{"size":3,"color":1}'
    text = Paint.using(protocol="tjson")
    assert text.decode(text.encode(VALUE))["size"] == 3
    with pytest.raises(ValueError, match="protocol"):  # never read as Binary
        text.view(data)


def test_options_of_other_meaning_are_not_passed_on():
    methods = dict(presets_of_methods({"unknown": "keep", "depth": 9}))
    assert methods["decode"] == {"unknown": "keep", "depth": 9}
    assert methods["redact"] == methods["trim"] == {"depth": 9}


@pytest.mark.parametrize(
    "options, error, text",
    [
        ({"protocl": "compact"}, TypeError, "unknown option 'protocl'; did you mean 'protocol'?"),
        ({"order": "keep"}, TypeError, "unknown option 'order'"),
        ({"enums": "names"}, ValueError, "enums must be one of 'number', 'name', 'member', not"),
    ],
)
def test_misspelt_options(options, error, text):
    with pytest.raises(error) as caught:
        Paint.using(**options)
    assert str(caught.value).startswith(f"using(): {text}")


def test_pickles_copies_and_shows_its_options():
    for restored in (pickle.loads(pickle.dumps(Compact)), copy.copy(Compact)):
        assert restored.decode(DATA) == VALUE
    text = "<thriftlens.Type struct Paint, protocol='compact', enums='name', unknown='error'>"
    assert repr(Compact) == text
