"""Keys constructed to have equal hashes must not make decoding quadratic.

Comparisons are counted."""

import itertools
import struct
import uuid

import pytest
import thriftlens as tl

P = 2**61 - 1  # a number's hash is the number modulo this, whatever the process
IDL = """
struct One { 1: uuid id }
struct T {
  1: set<uuid> ids, 2: map<uuid, i32> by_id, 3: set<list<uuid>> lists, 4: set<set<uuid>> sets,
  5: map<One, i32> by_struct,
  6: map<map<uuid, i32>, i32> by_map, 7: set<list<i64>> numbers, 8: set<i64> wide,
  9: set<double> reals, 10: list<set<uuid>> many,
  11: set<string> words, 12: map<set<list<uuid>>, i32> deep
}
"""
BOUND = 64


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


def same_hash(count, to=0):
    """So many uuids with one hash."""
    return [uuid.UUID(int=to + P * i) for i in range(count)]


FLOODS = {
    "ids": lambda ids: ids,
    "by_id": lambda ids: {id_: 1 for id_ in ids},
    "lists": lambda ids: [(id_,) for id_ in ids],
    "sets": lambda ids: [frozenset([id_]) for id_ in ids],
    "by_struct": lambda ids: [({"id": id_}, 1) for id_ in ids],
    "by_map": lambda ids: [({id_: 1}, 1) for id_ in ids],
    "deep": lambda ids: [([[id_]], 1) for id_ in ids],
}


@pytest.fixture
def compared(monkeypatch):
    """Counts comparisons of uuids."""
    count = [0]
    equal = uuid.UUID.__eq__

    def counting(lhs, rhs):
        count[0] += 1
        return equal(lhs, rhs)

    yield count, lambda: monkeypatch.setattr(uuid.UUID, "__eq__", counting)


def encoded(of, field, value, protocol):
    """Lists of the same layout are not compared by encode as sets are in Python."""
    return of.encode({field: value}, protocol=protocol)


@pytest.mark.parametrize("field", FLOODS)
def test_equal_hashes_are_an_error_with_path_and_offset(idl, protocol, compared, field):
    data = encoded(idl.T, field, FLOODS[field](same_hash(4 * BOUND)), protocol)
    view = idl.T.view(data, protocol=protocol)
    count, start = compared
    start()
    for ask in (
        lambda: idl.T.decode(data, protocol=protocol),
        lambda: idl.T.decode(data, protocol=protocol, duplicates="last"),
        lambda: view.to_dict(),
        lambda: view[field].to_dict(),
        lambda: idl.T.get(data, f"$.{field}", protocol=protocol),
        lambda: idl.T.get_many(data, [f"$.{field}"], protocol=protocol),
        lambda: idl.T.edit(data, protocol=protocol).replace(f"$.{field}", lambda old: old).apply(),
    ):
        count[0] = 0
        with pytest.raises(tl.DecodeError) as caught:
            ask()
        assert caught.value.code == "hash_flood"
        assert caught.value.path.startswith(f"$.{field}")
        assert caught.value.path[len(field) + 2] in "[{"
        assert 0 < caught.value.offset < len(data) / 2
        assert count[0] <= 4 * (BOUND + 1) ** 2


def test_the_location_is_that_of_the_first_key_above_the_bound(idl):
    ids = sorted(same_hash(BOUND + 1))
    data = idl.T.encode({"ids": ids})
    with pytest.raises(
        tl.DecodeError, match="too many keys of a container have the same hash"
    ) as caught:
        idl.T.decode(data)
    assert (caught.value.path, caught.value.offset) == (f"$.ids[{BOUND}]", 8 + 16 * BOUND)
    assert data[caught.value.offset :][:16] == ids[BOUND].bytes
    by_id = idl.T.encode({"by_id": {id_: 1 for id_ in ids}})
    with pytest.raises(tl.DecodeError) as caught:
        idl.T.decode(by_id)
    assert caught.value.path == f'$.by_id{{"{ids[BOUND]}"}}'
    assert caught.value.offset == 9 + 20 * BOUND


@pytest.mark.parametrize("field", FLOODS)
def test_values_at_the_bound_are_decoded(idl, protocol, field):
    plain = FLOODS[field](same_hash(BOUND))
    data = encoded(idl.T, field, plain, protocol)
    assert len(idl.T.decode(data, protocol=protocol)[field]) == BOUND


@pytest.mark.parametrize("field", ["ids", "by_id", "lists", "sets"])
def test_comparisons_double_where_the_keys_double(idl, field, compared):
    """The maximum number of keys per hash: the worst accepted case."""
    count, start = compared

    def comparisons(hashes):
        ids = [number for to in range(hashes) for number in same_hash(BOUND, to)]
        data = encoded(idl.T, field, FLOODS[field](ids), "binary")
        count[0] = 0
        assert len(idl.T.decode(data)[field]) == len(ids)
        return count[0]

    start()
    small, large = comparisons(10), comparisons(20)
    assert 0 < large <= 2.5 * small


def test_equal_keys_are_not_hash_collisions(idl, protocol):
    """With duplicates="last" a key may be repeated without limit."""
    listed = tl.loads("struct T { 1: list<uuid> ids }").T
    data = bytearray(listed.encode({"ids": same_hash(3) * 100}))
    data[0] = 14  # a set
    assert idl.T.decode(data, duplicates="last")["ids"] == set(same_hash(3))


def test_numbers_cannot_have_many_equal_hashes(idl, protocol):
    wide = [to + P * k for to in range(50) for k in range(-4, 4)]
    reals = [2.0**k for k in range(-1022, 1024)] + [float("nan")]
    value = {"wide": set(wide), "reals": set(reals[:-1]), "words": {str(i) for i in range(500)}}
    assert idl.T.decode(idl.T.encode(value, protocol=protocol), protocol=protocol) == value


def test_numbers_inside_keys_can(idl, protocol):
    """Eight i64 have one hash, so 512 lists of three have."""
    lists = [list(numbers) for numbers in itertools.product(range(1, 1 + 4 * P, P), repeat=4)]
    with pytest.raises(tl.DecodeError) as caught:
        idl.T.decode(idl.T.encode({"numbers": lists}, protocol=protocol), protocol=protocol)
    assert (caught.value.code, caught.value.path) == ("hash_flood", f"$.numbers[{BOUND}]")


def test_nans_with_distinct_hashes_do_not_collide(idl):
    nans = [
        struct.unpack(">d", struct.pack(">Q", 0x7FF8000000000000 + bits))[0]
        for bits in range(3 * BOUND)
    ]
    data = bytearray(tl.loads("struct T { 9: list<double> reals }").T.encode({"reals": nans}))
    data[0] = 14
    if len({hash(nan) for nan in nans}) > 1:
        assert len(idl.T.decode(data)["reals"]) == len(nans)
    else:
        with pytest.raises(tl.DecodeError, match="same hash"):
            idl.T.decode(data)


def test_many_ordinary_keys_are_accepted(idl, protocol):
    ids = {uuid.UUID(int=i * 0x9E3779B97F4A7C15F39CC0605CEDC834 % 2**128) for i in range(3000)}
    value = {
        "ids": ids,
        "lists": {(id_,) for id_ in ids},
        "many": [set(list(ids)[:10]) for _ in range(20)],
    }
    assert idl.T.decode(idl.T.encode(value, protocol=protocol), protocol=protocol) == value
