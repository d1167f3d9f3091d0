"""Owners of the memory of columns and its release, observed by counters of the module."""

import gc

import pytest
import thriftlens as tl
from thriftlens import _core

pa = pytest.importorskip("pyarrow")

Row = tl.loads(
    "enum E { A = 1 } struct Row { 1: i64 id, 2: string text, 3: list<i32> numbers, 4: map<string, "
    "i32> named, 5: E e }"
)["Row"]
RECORDS = [
    Row.encode({"id": n, "text": "text" * (n % 7), "numbers": [n, n], "named": {"k": n}, "e": 1})
    for n in range(2000)
]


def live():
    gc.collect()
    return _core.column_memory()[0]


@pytest.fixture
def baseline():
    return live()


def test_a_table_owns_its_memory_and_releases_it(baseline):
    table = pa.table(Row.columns(RECORDS, enums="name"))
    table.validate(full=True)
    assert (
        live() - baseline >= table.nbytes - 10_000
    )  # the dictionary is not of the columns' memory
    del table
    assert live() == baseline


def test_columns_and_slices_outlive_their_table(baseline):
    table = pa.table(Row.columns(RECORDS))
    ids = table.column("id")
    slices = [chunk.slice(10, 5) for chunk in table.column("numbers").chunks]
    del table
    held = live()  # pyarrow releases a batch as a unit
    assert held > baseline
    assert ids.to_pylist() == list(range(2000))
    assert slices[0].to_pylist() == [[n, n] for n in range(10, 15)]
    del ids
    assert baseline < live() <= held
    del slices
    assert live() == baseline


def test_batches_outlive_their_columns_and_can_be_dropped_early(baseline):
    columns = Row.columns(RECORDS, batch_size=500)
    reader = pa.RecordBatchReader.from_stream(columns)
    first = reader.read_next_batch()
    del columns
    held = live()
    second = reader.read_next_batch()
    assert live() > held
    del second
    assert live() <= held
    del reader
    assert live() > baseline and first.num_rows == 500
    del first
    assert live() == baseline


@pytest.mark.parametrize(
    "part", ["unimported capsules", "an unread stream", "a stream that is read in part"]
)
def test_unconsumed_batches_are_freed(baseline, part):
    columns = Row.columns(RECORDS, batch_size=500)
    if part.startswith("capsules"):
        batches = list(columns.batches())
        assert live() > baseline and len(batches) == 4
        del batches
    else:
        stream = columns.__arrow_c_stream__()
        if part.endswith("in part"):
            arrays = _core.arrow_arrays(stream)
            pair = next(arrays)
            assert live() > baseline
            del arrays, pair
        del stream
    del columns
    assert live() == baseline


def test_an_error_in_a_batch_releases_all_memory(baseline):
    with pytest.raises(Exception, match="wire type"):
        pa.table(Row.columns([*RECORDS, b"broken"], batch_size=500))
    assert live() == baseline


def test_released_memory_is_reused_by_the_next_columns(baseline):
    large = RECORDS * 20
    pa.table(Row.columns(large))
    gc.collect()
    idle = _core.column_memory()[1]
    assert 0 < idle <= 64 << 20
    table = pa.table(Row.columns(large))  # noqa: F841  (alive)
    assert live() > baseline and _core.column_memory()[1] < idle
