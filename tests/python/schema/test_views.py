"""Views against the dict, list or set of decode: the contracts of collections.abc hold for both."""

import collections
import collections.abc
import itertools
import random
import sys
import types
import uuid

import pytest
import thriftlens as tl

IDL = tl.loads("""
    enum Color { RED = 1, BLUE = 5 }
    struct Point { 1: i32 x, 2: i32 y = 9 }
    union Either { 1: i64 number, 2: Point point }
    struct Every {
      1: bool flag, 2: i64 wide, 3: double real, 4: string text, 5: binary raw, 6: Color color,
      7: uuid id (api.key = "uid"),
      8: list<i32> numbers, 9: list<Point> points, 10: list<list<string>> table,
      11: set<string> words, 12: set<list<i32>> rows,
      13: map<string, Point> named, 14: map<i32, list<string>> deep, 15: map<Point, i32> by_point,
      16: map<Color, i32> by_color,
      17: Either either, 18: i32 items, 19: Every inner, 20: set<Point> corners,
      21: map<bool, set<i64>> flags
    }
    """)
# What a newer sender adds: fields that the IDL above does not know.
NEWER = tl.loads(
    "struct Every { 1: bool flag, 2: i64 wide, 100: string more, 101: list<i32> extra } struct "
    "Point { 1: i32 x, 7: i32 z }"
)


def text(rng):
    return "".join(rng.choice("aäzΩ$.{[ \0'\"") for _ in range(rng.randrange(6)))


def random_value(of, rng, depth):
    """A value of a type."""
    plain = {
        "bool": lambda: rng.random() < 0.5,
        "i32": lambda: rng.randrange(-(2**31), 2**31),
        "i64": lambda: rng.randrange(-(2**63), 2**63),
        "double": lambda: rng.uniform(-1e9, 1e9),
        "string": lambda: text(rng),
        "binary": lambda: rng.randbytes(rng.randrange(5)),
        "enum": lambda: rng.choice([1, 5, 7]),
        "uuid": lambda: uuid.UUID(int=rng.getrandbits(128)),
    }
    if of.kind in plain:
        return plain[of.kind]()
    count = rng.randrange(5 if depth else 1)
    parts = of.parameters
    if of.kind == "list":
        return [random_value(parts[0], rng, depth - 1) for _ in range(count)]
    if of.kind == "set":
        return {frozen(random_value(parts[0], rng, depth - 1)) for _ in range(count)}
    if of.kind == "map":
        return {
            frozen(random_value(parts[0], rng, depth - 1)): random_value(parts[1], rng, depth - 1)
            for _ in range(count)
        }
    names = [
        name for name in of.fields if rng.random() < (0.6 if depth > 0 else 0) or of.kind == "union"
    ]
    if of.kind == "union":
        names = [rng.choice(names)]
    return {name: random_value(of.fields[name].type, rng, depth - 1) for name in names}


def frozen(value):
    if isinstance(value, dict):
        return tuple((key, frozen(item)) for key, item in value.items())
    if isinstance(value, (set, frozenset)):
        return frozenset(value)
    return tuple(map(frozen, value)) if isinstance(value, list) else value


ABSENT = [
    None, 0.5, "no such key", "\ud800", ("no", "such"), -(2**70), b"no", frozenset({"no"}),
    object(),
]  # fmt: skip


def held_beside(view, value):
    """All contracts of the ABCs for a view, compared with the decoded value."""
    assert bool(view) == bool(value) and len(view) == len(value) and view == value and value == view
    assert not view != value and view == view
    with pytest.raises(TypeError):
        hash(view)
    if isinstance(value, dict):
        mapping(view, value)
    elif isinstance(value, list):
        sequence(view, value)
    elif isinstance(value, (set, frozenset)):
        a_set(view, value)


def beside(view, value):
    """A child of a view: a value, or a view of one."""
    if isinstance(view, tl.View):
        held_beside(view, value)
    else:
        assert type(view) is type(value) and view == value


def mapping(view, value):
    assert isinstance(view, collections.abc.Mapping)
    assert isinstance(view, (tl.StructView, tl.MapView))
    assert not isinstance(view, (collections.abc.Sequence, collections.abc.Set))
    assert list(view) == list(value) and list(reversed(view)) == list(reversed(list(value)))
    assert dict(view) == value == {**view}
    keys, values, items = view.keys(), view.values(), view.items()
    assert isinstance(keys, collections.abc.KeysView)
    assert isinstance(values, collections.abc.ValuesView)
    assert isinstance(items, collections.abc.ItemsView)
    assert len(keys) == len(values) == len(items) == len(value)
    assert list(keys) == list(value) and keys == value.keys()
    assert list(values) == list(value.values()) and list(items) == list(value.items())
    assert list(reversed(keys)) == list(reversed(list(value)))
    assert keys & {"x", "text"} == value.keys() & {"x", "text"}
    assert keys - set(value) == set() and keys | {1} == value.keys() | {1}
    assert keys.isdisjoint({object()})
    for key, item in value.items():
        assert key in view and key in keys and item in values and (key, item) in items
        assert (key, object()) not in items
        beside(view[key], item)
        assert type(view.get(key)) is type(view[key]) and view.get(key) == item
    for key in ABSENT:
        if key in value:
            continue
        assert key not in view and key not in keys and view.get(key) is None
        assert view.get(key, view) is view and (key, 1) not in items
        with pytest.raises(KeyError):
            view[key]
    for other in (
        types.MappingProxyType(value),
        collections.OrderedDict(value),
        collections.UserDict(value),
        collections.ChainMap(value),
    ):
        assert view == other and other == view
    assert view != {**value, "one more": 1} and view != list(value.items())
    assert view != None  # noqa: E711
    assert [type(value) for value in values] == [type(view[key]) for key in view]


def sequence(view, value):
    assert isinstance(view, collections.abc.Sequence) and isinstance(view, tl.ListView)
    assert not isinstance(view, (collections.abc.Mapping, collections.abc.Set))
    assert not hasattr(view, "keys")
    assert list(view) == value and list(reversed(view)) == value[::-1] and [*view] == value
    for index, item in enumerate(value):
        beside(view[index], item)
        assert view[index - len(value)] == item
        assert type(view[index - len(value)]) is type(view[index])
    for bounds in itertools.product((None, 0, 1, -1, 9), (None, 2, -2), (None, 1, 2, -1)):
        assert view[slice(*bounds)] == value[slice(*bounds)]
    for sample in (*value, "no such", 0.5):
        assert (sample in view) == (sample in value) and view.count(sample) == value.count(sample)
        for bounds in ((), (1,), (-2,), (0, 2), (1, -1), (-9, 9)):
            try:
                expected = value.index(sample, *bounds)
            except ValueError:
                with pytest.raises(ValueError, match="is not in the list"):
                    view.index(sample, *bounds)
            else:
                assert view.index(sample, *bounds) == expected
    for index in (len(value), -len(value) - 1):
        with pytest.raises(IndexError):
            view[index]
    assert view != tuple(value) and view != value + [1]
    assert [type(item) for item in view] == [type(item) for item in view[:]]


def a_set(view, value):
    assert isinstance(view, collections.abc.Set) and isinstance(view, tl.SetView)
    assert not isinstance(view, (collections.abc.Mapping, collections.abc.Sequence))
    assert not hasattr(view, "keys")
    assert set(view) == value == frozenset(view) and set(reversed(view)) == value
    assert len(view[:]) == len(value)
    for key in (*value, 0.5, "no such"):
        assert (key in view) == (key in value)
    some = set(list(value)[:2]) | {"other"}
    for other in (some, frozenset(some), set(), value, dict.fromkeys(some).keys(), view):
        plain = value if other is view else other
        assert view & other == value & plain and view | other == value | plain
        assert view - other == value - plain and view ^ other == value ^ plain
        assert other & view == plain & value and other | view == plain | value
        assert other - view == plain - value and other ^ view == plain ^ value
        assert (view <= other) == (value <= plain) and (view < other) == (value < plain)
        assert (view >= other) == (value >= plain) and (view > other) == (value > plain)
        assert (other <= view) == (plain <= value) and (other < view) == (plain < value)
        assert view.isdisjoint(other) == value.isdisjoint(plain)
    for wrong in (lambda: view | [1], lambda: view < [1], lambda: view & 5):
        with pytest.raises(TypeError):
            wrong()
    assert view != list(value)


@pytest.mark.parametrize("seed", range(60))
def test_views_equal_the_decoded_values(protocol, seed):
    value = random_value(IDL.Every, random.Random(seed), 4)
    data = IDL.Every.encode(value, protocol=protocol)
    for options in (
        {}, {"enums": "name"}, {"enums": "member"}, {"names": "alias"}, {"defaults": "write"},
    ):  # fmt: skip
        decoded = IDL.Every.decode(data, protocol=protocol, **options)
        held_beside(IDL.Every.view(data, protocol=protocol, **options), decoded)


def test_unknown_fields_are_in_the_bytes_of_a_view(protocol):
    data = NEWER.Every.encode(
        {"flag": True, "wide": 7, "more": "x", "extra": [1]}, protocol=protocol
    )
    view = IDL.Every.view(data, protocol=protocol)
    assert len(view) == 2 and len(list(view)) == 2 and len(view.keys()) == 2
    assert len(view.items()) == 2 and "more" not in view
    held_beside(view, {"flag": True, "wide": 7})
    assert bytes(view) == data and "#100" in tl.inspect(bytes(view), protocol=protocol)


def test_names_of_the_idl_are_accepted_besides_aliases(protocol):
    value = {"id": uuid.UUID(int=5)}
    data = IDL.Every.encode(value, protocol=protocol)
    view = IDL.Every.view(data, protocol=protocol, names="alias")
    assert list(view) == ["uid"] and view["uid"] == view["id"] == view.uid == view.id == value["id"]
    assert view == {"uid": value["id"]}


def test_a_struct_takes_names_and_paths(protocol):
    value = {"points": [{"x": 1}], "items": 5, "inner": {"text": "t"}}
    view = IDL.Every.view(IDL.Every.encode(value, protocol=protocol), protocol=protocol)
    assert view.get("items") == view.get("$.items") == view.get("#18") == 5
    assert view.get("inner.text") == "t" and view.get("$.inner.text") == "t"
    assert view.get("points[0].x") == 1 and view.get("$.points[*].x") == [1]
    assert view.get("wide", "none") == view.get("itmes", "none") == "none"
    with pytest.raises(tl.UnknownNameError, match="did you mean 'items'"):
        view.get("$.itmes")
    assert view.points.at("$[0].x") == view.points.at("[0]").x == view.points.get("[0].x") == 1
    assert view.points.at("[4]", "none") == "none"


def test_a_map_takes_keys_and_paths(protocol):
    value = {"named": {"a": {"x": 1}, '$.named{"a"}': {"x": 2}}}
    named = IDL.Every.view(IDL.Every.encode(value, protocol=protocol), protocol=protocol).named
    assert named.get('$.named{"a"}').x == 2 and named.at('{"a"}.x') == 1
    assert named.get('{"a"}.x') is None and named.at('{"b"}', 0) == 0


RESERVED = ["get", "items", "keys", "to_dict", "values"]


def test_a_field_that_is_called_as_a_method_is_read_by_its_name_in_brackets(protocol):
    of = tl.loads(
        "struct Odd { "
        + ", ".join(
            f"{i}: i32 {name}" for i, name in enumerate([*RESERVED, "at", "index", "count"], 1)
        )
        + " }"
    ).Odd
    value = {name: i for i, name in enumerate(of.fields)}
    view = of.view(of.encode(value, protocol=protocol), protocol=protocol)
    held_beside(view, value)
    for name in of.fields:
        assert view[name] == view.get(name) == view.get(f"$.{name}") == value[name]
    assert all(callable(getattr(view, name)) for name in RESERVED) and view.at == value["at"]
    assert view.index == value["index"] and view.count == value["count"]
    public = [name for name in dir(tl.StructView) if not name.startswith("_")]
    assert public == RESERVED and all(name in tl.View.__doc__ for name in RESERVED)


MATCHES = """
def kind(value):
    match value:
        case {"no such": _} | {5: _}:
            return "wrong"
        case {"either": {"number": number}}:
            return ("number", number)
        case {"either": {"point": {"x": x, **rest}}}:
            return ("point", x, rest)
        case {"points": [{"x": first}, *others]}:
            return ("points", first, len(others))
        case {"named": {"$": point}}:
            return ("named", point["x"])
        case {"words": [*_]}:
            return "a set is no sequence"
        case {"words": words}:
            return ("words", set(words))
        case {**fields}:
            return ("other", fields)
"""


@pytest.mark.skipif(sys.version_info < (3, 10), reason="match statements")
def test_patterns_match_views_as_they_match_dicts(protocol):
    names = {}
    exec(MATCHES, names)
    for value in (
        {"either": {"number": 5}}, {"either": {"point": {"x": 1, "y": 2}}},
        {"points": [{"x": 1}, {"x": 2}, {}]}, {"points": [], "text": "t"},
        {"named": {"$": {"x": 3}}}, {"words": {"a"}}, {},
    ):  # fmt: skip
        view = IDL.Every.view(IDL.Every.encode(value, protocol=protocol), protocol=protocol)
        assert names["kind"](view) == names["kind"](value)


def test_lookup_accepts_non_canonical_keys(protocol):
    """On every lookup: the keys of iteration are in the map, although their bytes differ from those
    that encode writes."""
    text = "struct Key {{ 1: i32 x {} }} struct Holder {{ 1: map<Key, i32> m }}"
    older, newer = (
        tl.loads(text.format(", 2: i32 y = 9")).Holder,
        tl.loads(text.format(", 7: i32 z")).Holder,
    )
    data = newer.encode({"m": {(("x", i), ("z", -i)): i for i in range(40)}}, protocol=protocol)
    for options in ({}, {"defaults": "write"}):
        m = older.view(data, protocol=protocol, **options).m
        plain = {(("x", i), *((("y", 9),) if options else ())): i for i in range(40)}
        for _ in range(3):
            held_beside(m, plain)
            assert all(m[key] == number for key, number in plain.items()) and {"x": 50} not in m
            assert (("x", -1),) not in m
            with pytest.raises(tl.AbsentError, match="no entry can have that key"):
                m["x"]
    cut = older.view(data[:-9], protocol=protocol).m
    for _ in range(12):
        with pytest.raises(tl.DecodeError):
            cut[(("x", 39),)]


def test_children_are_created_lazily(protocol):
    encoded = IDL.Every.encode({"named": {str(i): {"x": i} for i in range(100)}}, protocol=protocol)
    data = bytearray(encoded)
    view = IDL.Every.view(data, protocol=protocol).named
    data[len(data) // 2 :] = b"\xff" * (len(data) - len(data) // 2)
    for children in (view.items(), view.values(), view.keys()):
        assert len(list(itertools.islice(children, 20))) == 20
        with pytest.raises(tl.DecodeError):
            list(children)


def test_views_cannot_be_constructed():
    for of in (
        tl.View, tl.StructView, tl.MapView, tl.ListView, tl.SetView, type("Own", (tl.View,), {}),
    ):  # fmt: skip
        for make in (of, lambda of=of: object.__new__(of)):
            with pytest.raises(TypeError):
                make()


SHOWN_IDL = tl.loads(
    "struct In { 1: i32 x } union U { 1: i32 a, 2: In b } struct S { 1: i64 id, 2: string text, 3: "
    "list<In> items, 4: map<string, list<i32>> names, 5: U u, 6: set<i32> t, 7: binary raw } "
    "service Svc { S get(1: i64 id, 2: S given) }"
)

S = SHOWN_IDL["S"]


def test_a_view_prints_its_value(protocol):
    value = {
        "id": 7, "text": "a'b\n", "items": [{"x": 1}, {"x": 2}], "names": {"k": [1, 2], "": []},
        "u": {"b": {"x": 3}}, "t": {5}, "raw": b"\xff",
    }  # fmt: skip
    view = S.view(S.encode(value, protocol=protocol), protocol=protocol)
    assert str(view) == repr(value) and str(view["items"]) == repr(value["items"])
    assert str(S.view(b"\0")) == "{}" and repr(view) == "<thriftlens.StructView S at $>"


def test_the_text_of_a_view_is_truncated(protocol):
    data = S.encode(
        {"items": [{"x": number} for number in range(100_000)], "raw": bytes(100_000)},
        protocol=protocol,
    )
    text = str(S.view(data, protocol=protocol))
    assert len(text) < 1100 and text.startswith("{'items': [{'x': 0}, {'x': 1}")
    assert text.endswith("…")
    assert (
        len(str(S.view(S.encode({"text": "x" * 100_000}, protocol=protocol), protocol=protocol)))
        < 200
    )


def test_invalid_bytes_end_the_text_of_a_view():
    text = str(S.view(S.encode({"id": 7, "text": "abc"})[:-3]))
    assert text.startswith("{'id': 7") and " ! the data ends in the middle of a value" in text
