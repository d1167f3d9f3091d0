"""Pickling of views, decoders and encoders, and what consoles complete."""

import dataclasses
import pickle
import subprocess
import sys

import pytest
import thriftlens as tl

idl = tl.loads(
    "enum Color { RED = 1 } struct Item { 1: string sku, 2: Color color } "
    "struct Order { 1: i64 id, 2: list<Item> items, 3: map<string, i32> sizes, "
    "4: set<i32> numbers, 5: i32 n = 3 }"
)
VALUE = {"id": 7, "items": [{"sku": "a", "color": 1}], "sizes": {"x": 1}, "numbers": {3}}


@dataclasses.dataclass
class Item:
    sku: str
    color: str


def copied(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_views_are_pickled_with_their_options(protocol):
    data = idl.Order.encode(VALUE, protocol=protocol)
    view = idl.Order.view(data, protocol=protocol, enums="name", defaults="write")
    assert copied(view) == view and copied(view).n == 3
    assert bytes(copied(view)) == data and copied(view["items"])[0].color == "RED"
    for name in ("items", "sizes", "numbers"):
        assert copied(view[name]) == view[name] and type(copied(view[name])) is type(view[name])


def test_decoders_and_encoders_are_pickled_with_their_options():
    decoder = copied(tl.Decoder(idl.Item, enums="name", depth=7, missing_required="omit"))
    assert decoder.decode(idl.Item.encode({"color": 1})) == {"color": "RED"}
    typed = copied(tl.Decoder(idl.Item, into=Item))
    assert typed.decode(idl.Item.encode(VALUE["items"][0])) == Item("a", "RED")
    encoder = copied(tl.Encoder(idl.Item, unknown="drop", protocol="compact"))
    assert encoder.encode({"sku": "a", "x": 1}) == idl.Item.encode({"sku": "a"}, protocol="compact")
    function = idl.Item.decoder(invalid_utf8="replace").decode
    assert copied(function)(b"\x0b\0\1\0\0\0\1\xff\0") == {"sku": "\ufffd"}


def test_classes_of_the_idl_are_pickled():
    schema = tl.loads(
        "enum Color { RED } struct S { 1: Color c } exception E { 1: i32 x } service V {}"
    )
    classes = schema.classes
    for object_ in (classes.S, classes.E, classes.Color, tl.Struct, tl.ThriftException, classes.V):
        assert copied(object_) is object_
    assert copied(classes) is classes
    decoder = copied(tl.Decoder(schema.S, into=classes.S))
    assert decoder.decode(classes.S(c=0).encode()) == classes.S(c=0)
    assert copied(Derived(x=1)) == Derived(x=1) and type(copied(Derived(x=1))) is Derived


class Derived(tl.loads("exception E { 1: i32 x }").classes.E):
    pass


def test_another_process_unpickles_them(tmp_path):
    data = idl.Item.encode({"sku": "x"})
    text = pickle.dumps((idl.Item.view(data), tl.Decoder(idl.Item), data))
    (tmp_path / "pickled").write_bytes(text)
    script = (
        "import pickle; view, decoder, data = pickle.load(open('pickled', 'rb'));"
        "assert view.sku == 'x' and decoder.decode(data) == view"
    )
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True)


def test_fields_and_keys_are_completed():
    view = idl.Order.view(idl.Order.encode(VALUE))
    assert {"id", "sizes", "to_dict", "keys"} <= set(dir(view)) and "n" not in dir(view)
    assert view._ipython_key_completions_() == ["id", "items", "sizes", "numbers"]
    assert view.sizes._ipython_key_completions_() == ["x"]
    assert view["items"]._ipython_key_completions_() == [] and "count" in dir(view["items"])
