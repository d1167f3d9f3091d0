"""What decode costs grows as the bytes do: counted are allocations, comparisons and hashes of keys,
and runs of the collector."""

import gc
import uuid

import pytest
import thriftlens as tl

IDL = """
struct Item { 1: i64 id, 2: string text, 3: optional list<i32> marks }
struct T {
  1: list<Item> items, 2: map<string, Item> named, 3: set<uuid> ids, 4: map<uuid, i64> by_id,
  5: set<list<uuid>> rows, 6: list<list<i64>> table,
  7: map<Item, i32> by_item, 8: set<string> words
}
struct Old { 99: i32 only }
"""
SMALL = 400


def item(i):
    return {
        "id": 1000 + i,
        "text": f"text {i}",
        "marks": [1000 + i] * 2,
    }  # Python has small numbers once


def unlike(i):
    return uuid.UUID(int=i * 0x9E3779B97F4A7C15F39CC0605CEDC834 % 2**128)


def alike(i):
    """Sixty-four of one hash, the most that pass."""
    return uuid.UUID(int=i // 64 + (2**61 - 1) * (i % 64))


SHAPES = {
    "items": lambda n: {"items": [item(i) for i in range(n)]},
    "named": lambda n: {"named": {f"name {i}": item(i) for i in range(n)}},
    "ids": lambda n: {"ids": [unlike(i) for i in range(n)]},
    "ids alike": lambda n: {"ids": [alike(i) for i in range(n)]},
    "by_id": lambda n: {"by_id": {unlike(i): i for i in range(n)}},
    "by_id alike": lambda n: {"by_id": {alike(i): i for i in range(n)}},
    "rows": lambda n: {"rows": [[unlike(i)] for i in range(n)]},
    "rows alike": lambda n: {"rows": [[alike(i)] for i in range(n)]},
    "table": lambda n: {"table": [[i, i << 40] for i in range(n)]},
    "by_item": lambda n: {"by_item": [(item(i), i) for i in range(n)]},
    "words": lambda n: {"words": [f"word {i}" for i in range(n)]},
}


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


@pytest.fixture
def calls(monkeypatch):
    """Counts hashes and comparisons of uuids."""
    count = {"__eq__": 0, "__hash__": 0}

    def counting(name):
        plain = getattr(uuid.UUID, name)

        def call(*arguments):
            count[name] += 1
            return plain(*arguments)

        monkeypatch.setattr(uuid.UUID, name, call)

    for name in count:
        counting(name)
    return count


@pytest.mark.parametrize("shape", SHAPES)
def test_key_comparisons_grow_linearly(idl, protocol, calls, shape):
    def cost(n):
        data = idl.T.encode(SHAPES[shape](n), protocol=protocol)
        calls.update(__eq__=0, __hash__=0)
        idl.T.decode(data, protocol=protocol)
        return dict(calls)

    small, large = cost(SMALL), cost(4 * SMALL)
    assert all(large[name] <= 5 * small[name] for name in small)
    assert small["__hash__"] <= 4 * SMALL  # once, and again where its container grows


def allocations(call):
    """How many allocations Python makes in a call: with one less it fails."""
    testcapi = pytest.importorskip("_testcapi")

    def passes(count):
        testcapi.set_nomemory(count, 0)
        try:
            call()
        except MemoryError:
            return False
        finally:
            testcapi.remove_mem_hooks()
        return True

    call()
    least, largest = 0, 64
    while not passes(largest):
        least, largest = largest, 2 * largest
    while largest - least > 1:
        middle = (least + largest) // 2
        least, largest = (least, middle) if passes(middle) else (middle, largest)
    return largest


@pytest.mark.parametrize("shape", SHAPES)
def test_allocations_are_in_proportion(idl, protocol, shape):
    """Every allocation may fail with a MemoryError."""

    def cost(n):
        data = idl.T.encode(SHAPES[shape](n), protocol=protocol)
        return allocations(lambda: idl.T.decode(data, protocol=protocol))

    small, large = cost(SMALL), cost(4 * SMALL)
    assert (
        SMALL / 2 < small and large <= 8 * small
    )  # CPython hands out up to 2,000 tuples again that were freed


def test_unknown_fields_allocate_no_objects(idl, protocol):
    for shape in SHAPES:
        data = idl.T.encode(SHAPES[shape](SMALL), protocol=protocol)
        assert allocations(lambda data=data: idl.Old.decode(data, protocol=protocol)) < 20


@pytest.mark.parametrize("shape", ["items", "named", "table", "by_item"])
def test_the_collector_does_not_run_inside(idl, protocol, shape):
    data = idl.T.encode(SHAPES[shape](20 * SMALL), protocol=protocol)
    runs = []
    gc.collect()
    gc.callbacks.append(lambda phase, info: runs.append(phase))
    try:
        value = idl.T.decode(data, protocol=protocol)
        inside = len(runs)
    finally:
        gc.callbacks.pop()
    assert value and inside <= 2  # from Python 3.12 on once, when the call has ended
