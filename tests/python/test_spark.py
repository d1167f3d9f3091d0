"""PySpark on a cluster of worker processes: columns from a column of records, passed-through
columns, faults, and killed workers."""

import os
import pickle
import shutil
import signal
import sys
import uuid
from pathlib import Path

import pytest
import thriftlens as tl

pa = pytest.importorskip("pyarrow")

IDL = """
enum Status { NEW = 1, PAID = 2 }
struct Item { 1: required string sku, 2: double price, 3: i32 count = 1 }
union Payment { 1: string card, 2: i64 voucher }
/** An order's head. */
struct Order {
  1: required i64 id, 2: list<Item> items, 3: Status status, 4: Payment payment,
  5: map<string, list<i32>> notes, 6: set<i16> marks,
  /** who's asking */ 7: uuid trace, 8: binary signature, 9: bool gift, 10: i8 small,
    11: map<Status, uuid> odd,
}
"""
TEXT = "{ id items { sku price } status notes }"


def order(number):
    return {
        "id": number, "items": [{"sku": f"sku {i}", "price": i * 0.5} for i in range(number % 4)],
        "status": 1 + number % 3, "payment": {"card": "x"},
        "notes": {"a": [number], "b": []}, "marks": {1, 2}, "trace": uuid.UUID(int=number),
        "signature": b"\xff", "gift": number % 2 == 0, "small": -1,
        "odd": {1: uuid.UUID(int=1)},
    }  # fmt: skip


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """A cluster of a master and two workers, with separate Java and Python processes."""
    sql = pytest.importorskip(
        "pyspark.sql", reason="needs pyspark (scripts/engines.sh installs it)"
    )
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("pyspark needs Java")
    folder = tmp_path_factory.mktemp("spark")
    path = os.pathsep.join([str(Path(tl.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    settings = {
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(folder),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        build = sql.SparkSession.builder.master("local-cluster[2,1,1024]").appName("thriftlens")
        for name, value in {
            "spark.ui.enabled": "false",
            "spark.executorEnv.PYTHONPATH": path,
            "spark.sql.shuffle.partitions": "4",
            "spark.local.dir": str(folder),
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
            "spark.log.level": "OFF",
            "spark.task.maxFailures": "2",
        }.items():
            build = build.config(name, value)
        spark = build.getOrCreate()
        yield spark
        spark.stop()


def frame(session, records, partitions=4):
    rows = [
        (f"key {number}", number, None if record is None else bytearray(record))
        for number, record in enumerate(records)
    ]
    return session.createDataFrame(rows, "key string, position bigint, value binary").repartition(
        partitions
    )


def plain(value):
    """Rows as dicts."""
    if hasattr(value, "asDict"):
        return {name: plain(item) for name, item in value.asDict().items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return bytes(value) if isinstance(value, bytearray) else value


def test_columns_on_a_cluster(session, idl, protocol):
    records = [idl.Order.encode(order(i), protocol=protocol) for i in range(500)]
    read = tl.spark.from_thrift("value", idl.Order, TEXT, protocol=protocol)
    rows = frame(session, records).mapInArrow(read, read.schema).orderBy("id").collect()
    assert [plain(row) for row in rows] == [
        {
            **{name: order(i)[name] for name in ("id", "status", "notes")},
            "items": [{"sku": f"sku {n}", "price": n * 0.5} for n in range(i % 4)],
        }
        for i in range(500)
    ]


def test_all_types(session, idl):
    read = tl.spark.from_thrift("value", idl.Order, enums="name")
    decoded = (
        frame(session, [idl.Order.encode(order(i)) for i in range(7)])
        .mapInArrow(read, read.schema)
        .orderBy("id")
    )
    assert decoded.schema == tl.spark.struct_type(idl.Order, enums="name")
    record = plain(decoded.collect()[4])
    assert record["status"] == "PAID" and record["payment"] == {"card": "x", "voucher": None}
    assert sorted(record["marks"]) == [1, 2]
    assert record["trace"] == uuid.UUID(int=4).bytes
    assert record["odd"] == {"NEW": uuid.UUID(int=1).bytes}
    assert record["signature"] == b"\xff" and record["gift"] is True and record["small"] == -1
    assert len(record) == 11


@pytest.mark.parametrize("enums", ["number", "name"])
def test_columns_become_the_same_bytes(session, idl, protocol, enums):
    records = [idl.Order.encode(order(i), protocol=protocol) for i in range(50)]
    df = frame(session, records)
    read = tl.spark.from_thrift("value", idl.Order, protocol=protocol, enums=enums, keep=df)
    write = tl.spark.to_thrift(idl.Order, keep=df.select("key", "position"), protocol=protocol)
    encoded = df.mapInArrow(read, read.schema).mapInArrow(write, write.schema)
    assert encoded.columns == ["key", "position", "value"]
    rows = encoded.orderBy("position").collect()
    assert [row.key for row in rows] == [f"key {i}" for i in range(50)]
    result = [idl.Order.decode(bytes(row.value), protocol=protocol) for row in rows]
    assert result == [order(i) for i in range(50)]
    write = tl.spark.to_thrift(idl.Order, "record")
    with pytest.raises(Exception, match=r"row \d+ of this batch: .*required.*\$\.id"):
        session.createDataFrame([(None,)], "id bigint").mapInArrow(write, write.schema).collect()


def test_ddl_is_what_spark_reads(session, idl):
    from pyspark.sql.types import StructType

    text = tl.spark.ddl(idl.Order)
    assert "`trace` BINARY COMMENT 'who\\'s asking'" in text
    read = session.createDataFrame([], text).schema
    struct_type = tl.spark.struct_type(idl.Order)
    assert struct_type.jsonValue()["fields"][1]["metadata"] == {"parquet.field.id": 2}
    without = lambda kind: pickle.loads(pickle.dumps(kind)).simpleString()  # noqa: E731
    assert without(read) == without(struct_type) and isinstance(struct_type, StructType)
    assert read["trace"].metadata == {"comment": "who's asking"}


def test_other_columns_are_passed_through(session, idl):
    good = [idl.Order.encode(order(i)) for i in range(40)]
    records = [
        b"broken" if i % 10 == 3 else None if i % 10 == 7 else record
        for i, record in enumerate(good)
    ]
    df = frame(session, records)
    readable = [i for i in range(40) if i % 10 != 3]
    read = tl.spark.from_thrift("value", idl.Order, "{ id }", keep=df, on_error="skip")
    assert read.schema.names == ["key", "position", "id"]
    rows = [tuple(row) for row in df.mapInArrow(read, read.schema).orderBy("position").collect()]
    assert rows == [(f"key {i}", i, None if i % 10 == 7 else i) for i in readable]
    read = tl.spark.from_thrift(
        "value",
        idl.Order,
        "{ id }",
        keep=df.select("position", "value").schema,
        on_error="null",
        reason="why",
    )
    rows = [tuple(row) for row in df.mapInArrow(read, read.schema).orderBy("position").collect()]
    assert [row[:2] for row in rows] == [(i, None if i % 10 in (3, 7) else i) for i in range(40)]
    assert all(
        ("wire type" in row[2]) if i % 10 == 3 else row[2] is None for i, row in enumerate(rows)
    )
    with pytest.raises(ValueError, match="duplicate column 'position'"):
        tl.spark.from_thrift("value", tl.loads("struct S { 1: i32 position }")["S"], keep=df)


def test_an_invalid_record_ends_the_job_with_its_location(session, idl):
    df = frame(session, [idl.Order.encode(order(1)), b"\x0a\0\1\0"])
    read = tl.spark.from_thrift("value", idl.Order, "{ id }")
    with pytest.raises(
        Exception,
        match=r"record \d of this batch: the data ends in the middle of a value .*at "
        r"\$\.id \(byte 3\)",
    ):
        df.mapInArrow(read, read.schema).collect()
    wrong = tl.spark.from_thrift("valu", idl.Order, "{ id }")
    with pytest.raises(Exception, match="no column 'valu'; did you mean 'value'"):
        df.mapInArrow(wrong, wrong.schema).collect()


def dies_once(read, flag):
    """A worker is killed in the middle of its first job: none of its output is lost or counted more
    than once."""

    def call(batches):
        for number, batch in enumerate(read(batches)):
            if number == 1:
                try:
                    os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
                    os.kill(os.getpid(), signal.SIGKILL)
                except FileExistsError:
                    pass
            yield batch

    return call


def test_a_killed_worker_loses_nothing(session, idl, tmp_path):
    records = [idl.Order.encode(order(i)) for i in range(3000)]
    read = tl.spark.from_thrift("value", idl.Order, "{ id items { sku } }")
    flag = tmp_path / "killed"
    session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 100)
    try:
        df = frame(session, records)
        rows = df.mapInArrow(dies_once(read, str(flag)), read.schema).collect()
        assert flag.exists()
        expected = df.mapInArrow(read, read.schema).collect()
    finally:
        session.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    assert sorted(row.id for row in rows) == list(range(3000))
    assert sorted(rows) == sorted(expected)


def test_wrong_options_are_errors_of_the_driver(idl):
    for make, message in [
        (lambda: tl.spark.from_thrift("value", idl.Order, "{ idd }"), "did you mean 'id'"),
        (lambda: tl.spark.from_thrift("value", idl.Order, unions="dense"), "Spark has no unions"),
        (lambda: tl.spark.ddl(idl.Order, on_error="skp"), "on_error must be"),
    ]:
        with pytest.raises(ValueError, match=message):
            make()
    with pytest.raises(TypeError, match="unsupported option 'record'"):
        tl.spark.from_thrift("value", idl.Order, record="number")


def test_the_page(session, run_page):
    run_page("Spark", spark=session)
