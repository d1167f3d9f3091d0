"""Ray Data in two worker processes: columns from a column of records, passed-through columns,
faults."""

import os
import pickle
import time
import uuid
from pathlib import Path

import pytest
import thriftlens as tl

pa = pytest.importorskip("pyarrow")

IDL = """
enum Status { NEW = 1, PAID = 2 }
struct Item { 1: required string sku, 2: double price, 3: i32 count = 1 }
struct Order { 1: required i64 id, 2: list<Item> items, 3: Status status, 4: map<string, i32> notes,
  5: uuid trace }
"""
TEXT = "{ id items { sku price } }"


def order(number):
    items = [{"sku": f"sku {i}", "price": i * 0.5} for i in range(number % 4)]
    return {
        "id": number,
        "items": items,
        "status": 1 + number % 3,
        "notes": {"a": number},
        "trace": uuid.UUID(int=number),
    }


def selected(number):
    return {name: order(number)[name] for name in ("id", "items")}


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


def table(idl, records, **columns):
    return pa.table(
        {
            "key": [f"key {i}" for i in range(len(records))],
            "value": pa.array(records, pa.binary()),
            **columns,
        }
    )


def test_rows_of_a_table(idl, protocol):
    records = [idl.Order.encode(order(i), protocol=protocol) for i in range(10)]
    read = tl.arrow.from_thrift("value", idl.Order, TEXT, protocol=protocol)
    decoded = read(table(idl, records))
    decoded.validate(full=True)
    assert decoded.to_pylist() == [selected(i) for i in range(10)] and decoded.schema == read.schema
    assert read(table(idl, records).to_batches()[0]).equals(decoded)
    assert read(table(idl, records).slice(3, 2)).to_pylist() == [selected(3), selected(4)]
    none = read(table(idl, []))
    assert none.num_rows == 0 and none.schema == read.schema
    halves = pa.concat_tables([table(idl, records[:4]), table(idl, records[4:])])
    assert read(halves).to_pylist() == decoded.to_pylist()


def test_other_columns_are_passed_through(idl):
    records = [
        None if i == 2 else b"broken" if i in (4, 5) else idl.Order.encode(order(i))
        for i in range(8)
    ]
    rows = table(idl, records, other=pa.array(range(8)))
    ids = lambda table_: table_.column("id").to_pylist()  # noqa: E731
    decoded = tl.arrow.from_thrift("value", idl.Order, "{ id }", keep="all", on_error="skip")(rows)
    assert decoded.column_names == ["key", "other", "id"]
    assert decoded.column("other").to_pylist() == [0, 1, 2, 3, 6, 7]
    assert ids(decoded) == [0, 1, None, 3, 6, 7]
    decoded = tl.arrow.from_thrift(
        "value", idl.Order, "{ id }", keep=["value"], on_error="null", reason="why"
    )(rows)
    assert decoded.column("value").to_pylist() == records
    assert ids(decoded) == [0, 1, None, 3, None, None, 6, 7]
    result = [reason is not None for reason in decoded.column("why").to_pylist()]
    assert result == [i in (4, 5) for i in range(8)]
    with pytest.raises(tl.DecodeError) as caught:
        tl.arrow.from_thrift("value", idl.Order, "{ id }")(rows)
    assert caught.value.record == 4 and caught.value.code == "bad_ttype"
    assert pickle.loads(pickle.dumps(caught.value)).record == 4


def test_a_list_of_structs_has_a_row_per_struct(idl):
    Orders = tl.loads(IDL + "typedef list<Order> Orders")["Orders"]
    rows = table(
        idl, [Orders.encode([order(1), order(2)]), Orders.encode([]), Orders.encode([order(3)])]
    )
    decoded = tl.arrow.from_thrift("value", Orders, "{ id }", keep=["key"])(rows)
    expected = [{"key": "key 0", "id": 1}, {"key": "key 0", "id": 2}, {"key": "key 2", "id": 3}]
    assert decoded.to_pylist() == expected


def test_columns_become_the_same_bytes(idl, protocol):
    records = [idl.Order.encode(order(i), protocol=protocol) for i in range(10)]
    rows = table(idl, records)
    read = tl.arrow.from_thrift("value", idl.Order, protocol=protocol, keep="all")
    text = pickle.dumps(tl.arrow.to_thrift(idl.Order, keep=["key"], protocol=protocol))
    write = pickle.loads(text)
    assert write(read(rows)).equals(rows) and write(read(rows).to_batches()[0]).equals(rows)
    assert write(read(rows).slice(0, 0)).num_rows == 0
    with pytest.raises(
        tl.EncodeError, match="row 1 of this batch: a required field is missing"
    ) as caught:
        tl.arrow.to_thrift(idl.Order)(pa.table({"id": pa.array([1, None], pa.int64())}))
    assert caught.value.record == 1
    with pytest.raises(tl.EncodeError, match="no field 'idd' in Order; did you mean 'id'"):
        tl.arrow.to_thrift(idl.Order)(pa.table({"idd": [1]}))
    with pytest.raises(ValueError, match="no column 'kei'; did you mean 'key'"):
        tl.arrow.to_thrift(idl.Order, keep=["kei"])(rows)


def test_wrong_names_and_options(idl):
    rows = table(idl, [idl.Order.encode(order(1))], id=pa.array([1]))
    for make, message in [
        (lambda: tl.arrow.from_thrift("valu", idl.Order)(rows),
            "no column 'valu'; did you mean 'value'"),
        (lambda: tl.arrow.from_thrift("value", idl.Order, keep=["kei"])(rows),
            "no column 'kei'; did you mean 'key'"),
        (lambda: tl.arrow.from_thrift("value", idl.Order, keep=["id"])(rows),
            "duplicate column 'id'"),
        (lambda: tl.arrow.from_thrift("value", idl.Order, "{ idd }"), "did you mean 'id'"),
        (lambda: tl.arrow.from_thrift("value", idl.Order, on_error="skp"), "on_error must be"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=message):
            make()
    for options in ({"record": "number"}, {"on_err": "skip"}, {"keep": "key"}):
        with pytest.raises(TypeError):
            tl.arrow.from_thrift("value", idl.Order, **options)


@pytest.fixture(scope="module")
def ray(tmp_path_factory):
    ray = pytest.importorskip("ray", reason="needs ray (scripts/engines.sh installs it)")
    pytest.importorskip("ray.data")
    path = os.pathsep.join([str(Path(tl.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("PYTHONPATH", path)
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            logging_level="ERROR",
            log_to_driver=False,
            object_store_memory=200 << 20,
            _temp_dir=str(tmp_path_factory.mktemp("r")),
        )
        ray.data.DataContext.get_current().enable_progress_bars = False
        yield ray
        ray.shutdown()


def test_map_batches_in_two_processes(ray, idl, protocol):
    records = [idl.Order.encode(order(i), protocol=protocol) for i in range(1000)]
    dataset = ray.data.from_arrow(table(idl, records)).repartition(4)
    read = tl.arrow.from_thrift("value", idl.Order, TEXT, protocol=protocol, keep=["key"])
    decoded = dataset.map_batches(read, batch_format="pyarrow", batch_size=100)
    rows = sorted(decoded.take_all(), key=lambda row: row["id"])
    assert rows == [{"key": f"key {i}", **selected(i)} for i in range(1000)]


def test_columns_become_records_in_workers(ray, idl):
    rows = pa.table({"key": range(100), "id": pa.array(range(100), pa.int64())})
    encoded = (
        ray.data.from_arrow(rows)
        .map_batches(tl.arrow.to_thrift(idl.Order, keep=["key"]), batch_format="pyarrow")
        .take_all()
    )
    result = [(row["key"], row["value"]) for row in encoded]
    assert result == [(i, idl.Order.encode({"id": i})) for i in range(100)]


def test_two_actors_read(ray, idl, tmp_path):
    """The function in a pool of two actors, which load it once."""
    read = tl.arrow.from_thrift("value", idl.Order, "{ id }")

    class Reader:
        def __init__(self, folder):
            (folder / str(os.getpid())).touch()
            for _ in range(60_000):  # until the other one is there too
                if len(os.listdir(folder)) == 2:
                    return
                time.sleep(0.01)
            raise TimeoutError

        def __call__(self, batch):
            return read(batch)

    dataset = ray.data.from_arrow(
        [
            table(idl, [idl.Order.encode(order(i)) for i in range(part * 100, part * 100 + 100)])
            for part in range(8)
        ]
    )
    rows = dataset.map_batches(
        Reader,
        fn_constructor_args=[tmp_path],
        batch_format="pyarrow",
        batch_size=100,
        concurrency=2,
    ).take_all()
    assert sorted(row["id"] for row in rows) == list(range(800))
    assert str(os.getpid()) not in os.listdir(tmp_path) and len(os.listdir(tmp_path)) == 2


def test_invalid_records_in_a_worker(ray, idl):
    records = [idl.Order.encode(order(1)), b"broken", idl.Order.encode(order(2))]
    dataset = ray.data.from_arrow(table(idl, records))
    rows = dataset.map_batches(
        tl.arrow.from_thrift("value", idl.Order, "{ id }", keep=["key"], on_error="skip"),
        batch_format="pyarrow",
    ).take_all()
    assert rows == [{"key": "key 0", "id": 1}, {"key": "key 2", "id": 2}]
    with pytest.raises(Exception, match="invalid wire type"):
        dataset.map_batches(
            tl.arrow.from_thrift("value", idl.Order, "{ id }"), batch_format="pyarrow"
        ).take_all()


def test_the_page(ray, run_page):
    run_page("Ray")
