"""Views create items on access only: bytes that must not be read are overwritten, and memory is
counted."""

import operator
import tracemalloc

import pytest
import thriftlens as tl

IDL = """
struct Item { 1: i32 n, 2: string text }
struct Holder { 1: list<Item> items, 2: list<string> words, 3: list<i64> numbers,
  4: set<string> tags, 5: map<string, Item> named,
                6: set<list<i32>> rows, 7: list<list<string>> tables }
"""
COUNT = 3000


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


@pytest.fixture(scope="module")
def values():
    items = [{"n": i, "text": str(i) * (i % 7)} for i in range(COUNT)]
    texts = [str(i) * (1 + i % 5) for i in range(COUNT)]
    return {
        "items": items,
        "words": texts,
        "numbers": [i**5 for i in range(COUNT)],
        "tags": set(texts),
        "named": dict(zip(texts, items)),
        "tables": [texts[i : i + 40] for i in range(0, 400, 40)],
    }


@pytest.fixture
def data(idl, values, protocol):
    """The bytes of a single field, in memory that a test can overwrite under a view."""
    return lambda name: bytearray(idl.Holder.encode({name: values[name]}, protocol=protocol))


def destroy(data, first, last):
    data[first:last] = b"\xff" * (last - first)


def test_iterating_stops_where_the_caller_stops(idl, data, protocol):
    held = data("items")
    destroy(held, len(held) // 2, len(held))
    items = idl.Holder.view(held, protocol=protocol)["items"]
    numbers = [item.n for _, item in zip(range(COUNT // 3), items)]
    assert numbers == list(range(COUNT // 3))
    rest = iter(items)
    with pytest.raises(tl.DecodeError):
        for _ in rest:
            pass
    assert list(rest) == []  # it has ended


@pytest.mark.parametrize("name", ["items", "words", "tags", "named"])
def test_iterating_holds_one_child(idl, data, protocol, name):
    view = idl.Holder.view(bytes(data(name)), protocol=protocol)[name]
    for walk in (iter, reversed) if name in ("items", "words") else (iter,):
        children = walk(view)
        next(children)
        tracemalloc.start()
        try:
            count = 1 + sum(1 for _ in children)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert count == COUNT and peak < 8192


def test_iterators_have_a_length_hint(idl, data, protocol):
    view = idl.Holder.view(data("words"), protocol=protocol).words
    for walk in (iter, reversed):
        children = walk(view)
        assert operator.length_hint(children) == COUNT
        next(children)
        assert operator.length_hint(children) == COUNT - 1 and len(list(children)) == COUNT - 1
        assert operator.length_hint(children) == 0


@pytest.mark.parametrize("name", ["items", "words", "numbers", "named", "tags"])
def test_iterating_and_reversed_agree(idl, data, values, protocol, name):
    holder = idl.Holder.view(data(name), protocol=protocol)
    view = holder[name]
    forward = [item.to_dict() if isinstance(item, tl.View) else item for item in view]
    assert forward == list(values[name]) or set(forward) == values[name]
    result = [item.to_dict() if isinstance(item, tl.View) else item for item in reversed(view)]
    assert result == forward[::-1]
    assert list(reversed(holder)) == [name]
    for empty in (idl.Holder.view(b"\0"), idl.Holder.view(idl.Holder.encode({"words": []})).words):
        assert list(empty) == list(reversed(empty)) == []


SLICES = [
    (None, 3), (5, 9), (1, 50, 7), (9, 2, -1), (40, None, -13), (0, 0), (7, 3), (None, 60, 59),
]  # fmt: skip


@pytest.mark.parametrize("name", ["items", "words", "numbers"])
def test_slices_stop_at_their_end(idl, data, values, protocol, name):
    held = data(name)
    destroy(held, len(held) // 3, len(held))
    view = idl.Holder.view(held, protocol=protocol)[name]
    for bounds in SLICES:
        assert view[slice(*bounds)] == values[name][slice(*bounds)], bounds
    if (
        protocol == "binary" and name == "numbers"
    ):  # all bytes are a number: nothing can be seen to be broken
        return
    with pytest.raises(tl.DecodeError):
        view[-3:]


@pytest.mark.parametrize("name", ["items", "words", "numbers"])
def test_slices_are_those_of_a_list(idl, data, values, protocol, name):
    view, plain = idl.Holder.view(data(name), protocol=protocol)[name], values[name]
    bounds = (None, 0, 1, 5, -1, -4, COUNT, COUNT + 5, -COUNT - 5, 2 * COUNT // 3)
    for first in bounds:
        for last in bounds[::3]:
            for step in (None, 1, 600, -1, -700):
                assert view[first:last:step] == plain[first:last:step], (first, last, step)
    with pytest.raises(ValueError):
        view[::0]


def test_a_slice_creates_only_its_own_items(idl, data, protocol):
    view = idl.Holder.view(bytes(data("items")), protocol=protocol)["items"]
    tracemalloc.start()
    try:
        two = view[COUNT // 2 : COUNT // 2 + 2]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [item.n for item in two] == [COUNT // 2, COUNT // 2 + 1] and peak < 4096


@pytest.mark.parametrize("name", ["items", "words", "numbers", "tags"])
def test_in_stops_at_the_first_that_is_equal(idl, data, values, protocol, name):
    held = data(name)
    destroy(held, len(held) // 2, len(held))
    view = idl.Holder.view(held, protocol=protocol)[name]
    tenth = next(item for i, item in enumerate(view) if i == 10)
    assert tenth in view and (name != "items" or {"n": 10, "text": "101010"} in view)
    if name != "numbers" or protocol == "compact":
        with pytest.raises(tl.DecodeError):
            "no such" in view


def test_containment_of_views(idl, protocol):
    data = idl.Holder.encode({"rows": [[1, 2], [3]], "numbers": [5]}, protocol=protocol)
    view = idl.Holder.view(data, protocol=protocol)
    assert (1, 2) in view.rows and (2, 1) not in view.rows and 5 in view.numbers
    assert "5" not in view.numbers
    with pytest.raises(TypeError, match="unhashable"):
        [1, 2] in view.rows


@pytest.mark.parametrize("step", [1, -1])
@pytest.mark.parametrize("name", ["items", "words"])
def test_an_element_after_its_neighbour_is_one_step(idl, data, values, protocol, name, step):
    """Elements more than a block of 55 before the accessed one are overwritten: they must not be
    read again."""
    held = data(name)
    starts = {}
    view = idl.Holder.view(bytes(held), protocol=protocol)[name]
    if name == "items":
        encoded = bytes(view)
        at = bytes(held).index(encoded)
        position = at + len(encoded) - sum(len(bytes(item)) for item in view)
        for i, item in enumerate(view):
            starts[i] = position
            position += len(bytes(item))
    else:
        position = held.index(b"0", 3) - 1 - 3 * (protocol == "binary")
        for i, item in enumerate(values[name]):
            starts[i] = position
            position += len(item) + (4 if protocol == "binary" else 1)
    holder = idl.Holder.view(held, protocol=protocol)
    order = range(COUNT) if step == 1 else range(COUNT - 1, -1, -1)
    container = holder[name]
    if step == -1:
        assert container[-1] is not None  # iterates over all of it once
    for i in order:
        if i % 3 == 0:
            container = holder[name]  # another view of the same list
        assert container[i if i % 2 else i - COUNT] == values[name][i]
        if step == 1 and i > 60:
            destroy(held, starts[0], starts[i - 58])
        if step == -1 and i < COUNT - 60:
            destroy(held, starts[i + 58], len(held))


def test_nested_lists_keep_their_positions(idl, data, values, protocol):
    view = idl.Holder.view(data("tables"), protocol=protocol)
    for i in reversed(range(10)):
        for k in (39, 0, 20, 19, 38, -1, -40):
            assert view.tables[i][k] == values["tables"][i][k]
    for k in (40, -41):
        with pytest.raises(IndexError):
            view.tables[3][k]


def test_indices_in_any_order(idl, data, values, protocol):
    view = idl.Holder.view(data("items"), protocol=protocol)
    for i in range(0, 10 * COUNT, 997):
        assert view["items"][i % COUNT] == values["items"][i % COUNT]
    truncated = idl.Holder.view(data("items")[: -COUNT // 2], protocol=protocol)["items"]
    for i in (COUNT - 1, 0, 1700, COUNT - 1, COUNT):
        if i < 2000:
            assert truncated[i].n == i
        else:
            with pytest.raises(tl.Error) as caught:
                truncated[i].to_dict()
            assert caught.value.code == ("bad_index" if i == COUNT else "truncated")


def test_repeated_map_lookups_build_an_index(idl, values, data, protocol):
    """Once its entries are known, the values before one are not read again: one of them is
    destroyed."""
    held = data("named")
    named = idl.Holder.view(held, protocol=protocol)["named"]
    names = list(values["named"])
    for name in names[:20]:
        assert named[name].n == values["named"][name]["n"]
    last = names[-1]
    value = held.index(names[50].encode()) + len(names[50])
    destroy(held, value, value + 3)
    with pytest.raises(tl.DecodeError):
        idl.Holder.view(held, protocol=protocol)["named"][last]
    assert named[last].n == values["named"][last]["n"] and last in named


def test_maps_answer_alike_before_and_after_they_have_an_index(idl, values, protocol):
    IDL_OF_MAPS = """enum E { A = 1, B = 2 }
    struct M { 1: map<i32, i32> numbers, 2: map<E, i32> enums, 3: map<binary, i32> bytes,
      4: map<double, i32> reals, 5: map<bool, i32> flags }"""
    of = tl.loads(IDL_OF_MAPS).M
    value = {
        "numbers": {i * 7 - 100: i for i in range(60)},
        "enums": {1: 10, 2: 20},
        "bytes": {bytes([i]) * (i % 5): i for i in range(60)},
        "reals": {i / 4: i for i in range(40)},
        "flags": {True: 1, False: 0},
    }
    view = of.view(of.encode(value, protocol=protocol), protocol=protocol)
    for field, entries in value.items():
        part = view[field]
        for _ in range(3):
            assert dict(part) == entries and all(key in part for key in entries)
            for absent in (10**6, "no", b"no such", 9.125):
                assert absent not in part
            with pytest.raises(tl.AbsentError):
                part[10**6]
    assert (view.enums["B"], view.enums["A"]) == (20, 10)


def test_invalid_maps_raise_on_every_lookup(idl, values, data, protocol):
    held = data("named")
    destroy(held, len(held) // 2, len(held))
    named = idl.Holder.view(held, protocol=protocol)["named"]
    first, last = list(values["named"])[0], list(values["named"])[-1]
    for _ in range(30):
        assert named[first].n == 0
        with pytest.raises(tl.DecodeError):
            named[last]
