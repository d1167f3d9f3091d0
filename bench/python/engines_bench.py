"""Engines end to end: a column of Thrift records to columns, with thriftlens and with thriftpy2's
objects, in one run. engines_bench.py [--quick] [--chart FILE.svg] [spark] [ray] [polars] [duckdb]
[datafusion] [kafka]

Every job reads the same records (PySpark from Parquet files, Ray Data from its object store, the
others from a column of blobs in this process, Kafka's consumer value by value), creates the same
columns and adds some of them up; the sums are compared with those of the values before anything is
timed. Contestants take turns. Shown is the median, a record, of the CPU time of all processes of
the engine (Java, raylet, workers) and of the time on the clock.

  thriftlens          tl.spark.from_thrift, tl.arrow.from_thrift, Order.columns,
  tl.kafka.ThriftDeserializer thriftpy2_udf       PySpark only: a UDF that returns a row
  thriftpy2_arrow     mapInArrow, map_batches or in this process: objects, dicts of the fields,
  RecordBatch.from_pylist thriftpy2_dicts     Kafka only: objects, dicts of the fields

Needs pyspark and Java, ray, thriftpy2, pyarrow; scripts/engines.sh has them in its environment.
Charts need matplotlib.
"""

import io
import logging
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import thriftlens as tl

QUICK = "--quick" in sys.argv
COUNT = 20_000 if QUICK else 100_000
ROUNDS = 3
PARTS = 4
SELECTION = "{ id user { name } items { sku price } }"
IDL = """
struct User { 1: i64 id, 2: string name, 3: optional string email }
struct Item { 1: string sku, 2: double price, 3: i32 count,
  4: optional map<string, string> attributes }
struct Order { 1: i64 id, 2: User user, 3: list<Item> items, 4: i32 status, 6: list<string> tags,
  10: optional string debug }
"""
SCHEMA = pa.schema(
    [
        ("id", pa.int64()),
        ("user", pa.struct([("name", pa.string())])),
        ("items", pa.list_(pa.struct([("sku", pa.string()), ("price", pa.float64())]))),
    ]
)
TYPES = "id bigint, user struct<name: string>, items array<struct<sku: string, price: double>>"


def order(number):
    items = [
        {"sku": f"sku {i}", "price": number % 100 * 0.5, "count": i, "attributes": {"size": "42"}}
        for i in range(number % 5)
    ]
    return {
        "id": number, "user": {"id": number % 1000, "name": f"Zoë Müller {number % 1000}",
        "email": "zoe@example.org"}, "items": items, "status": 2,
        "tags": ["winter", "gift"], "debug": "x" * 40,
    }  # fmt: skip


def expected():
    """Number of records, sum of ids, length of all names, number of items, sum of prices."""
    ids = range(COUNT)
    return (
        COUNT, sum(ids), sum(len(f"Zoë Müller {n % 1000}") for n in ids), sum(n % 5 for n in ids),
        sum(n % 5 * (n % 100) * 0.5 for n in ids),
    )  # fmt: skip


# ---- the peer


def peer():
    """A function from bytes to dict: thriftpy2 with its compiled protocol.

    Loads the IDL once per process.
    """
    import thriftpy2
    from thriftpy2.protocol import TCyBinaryProtocolFactory
    from thriftpy2.utils import deserialize

    module = sys.modules.get("peer_thrift") or thriftpy2.load_fp(
        io.StringIO(IDL), module_name="peer_thrift"
    )
    factory = TCyBinaryProtocolFactory()

    def call(data):
        order = deserialize(module.Order(), data, factory)
        return {
            "id": order.id,
            "user": {"name": order.user.name},
            "items": [{"sku": item.sku, "price": item.price} for item in order.items],
        }

    return call


def peer_batch(rows):
    read = peer()
    return pa.RecordBatch.from_pylist(
        [read(data) for data in rows.column("value").to_pylist()], schema=SCHEMA
    )


def peer_batches(batches):
    for batch in batches:
        yield peer_batch(batch)


def peer_row(data):
    return peer()(bytes(data))


# ---- what a job takes


def descendants(root):
    """Process ids of a process and all below it."""
    children = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                children.setdefault(
                    int((folder / "stat").read_text().rpartition(")")[2].split()[1]), []
                ).append(int(folder.name))
            except OSError:
                pass
    processes, todo = [], [root]
    while todo:
        processes.append(todo.pop())
        todo += children.get(processes[-1], [])
    return processes


def cpu():
    """Seconds of CPU of this process and all below it, ended ones included."""
    total = 0
    for process_id in descendants(os.getpid()):
        try:
            total += sum(
                map(
                    int,
                    Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[11:15],
                )
            )
        except OSError:
            pass
    return total / os.sysconf("SC_CLK_TCK")


def measured(engine, jobs):
    """{contestant: (ns of CPU a record, ns of the clock a record)}; those whose answer is another
    are left out.
    """
    right = []
    for name, job in jobs.items():
        result = job()  # warms workers up, too
        if result != expected():
            print(f"{engine} {name}: {result} is not {expected()}: NOT TIMED", file=sys.stderr)
        else:
            right.append(name)
    times = {name: [] for name in right}
    for _ in range(ROUNDS):
        for name in right:
            cpu_begin, begin = cpu(), time.perf_counter()
            jobs[name]()
            end, cpu_end = time.perf_counter(), cpu()
            times[name].append((cpu_end - cpu_begin, end - begin))
    return {
        name: tuple(
            statistics.median(sample[k] for sample in samples) / COUNT * 1e9 for k in range(2)
        )
        for name, samples in times.items()
    }


# ---- engines


def tables():
    Order = tl.loads(IDL)["Order"]
    encode = Order.encoder().encode
    for part in range(PARTS):
        numbers = range(COUNT * part // PARTS, COUNT * (part + 1) // PARTS)
        yield pa.table({"value": pa.array([encode(order(n)) for n in numbers], pa.binary())})


def spark(folder):
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as f

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.local.dir", folder)
        .getOrCreate()
    )
    for part, table in enumerate(tables()):
        pyarrow.parquet.write_table(
            table, Path(folder) / f"part-{part}.parquet", compression="none"
        )
    source = session.read.parquet(f"{folder}/part-*.parquet")
    read = tl.spark.from_thrift("value", tl.loads(IDL)["Order"], SELECTION)
    udf = f.udf(peer_row, TYPES)

    def added_up(frame):
        prices = "cast(sum(aggregate(items, 0D, (sum, item) -> sum + item.price)) as double)"
        return tuple(
            frame.selectExpr(
                "count(*)", "sum(id)", "sum(length(user.name))", "sum(size(items))", prices
            ).collect()[0]
        )

    yield (
        "PySpark",
        {
            "thriftlens": lambda: added_up(source.mapInArrow(read, read.schema)),
            "thriftpy2_arrow": lambda: added_up(source.mapInArrow(peer_batches, TYPES)),
            "thriftpy2_udf": lambda: added_up(
                source.select(udf("value").alias("row")).select("row.*")
            ),
        },
    )
    session.stop()


def ray(folder):
    import pyarrow.compute as pc
    import ray as engine

    engine.init(
        num_cpus=2,
        include_dashboard=False,
        logging_level="ERROR",
        log_to_driver=False,
        object_store_memory=1 << 30,
        _temp_dir=folder,
    )
    engine.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    source = engine.data.from_arrow(list(tables())).materialize()
    read = tl.arrow.from_thrift("value", tl.loads(IDL)["Order"], SELECTION)

    def added_up(rows):
        items = rows.column("items")
        prices = pc.struct_field(pc.list_flatten(items), "price")
        names = pc.utf8_length(pc.struct_field(rows.column("user"), "name"))
        sums = [
            rows.num_rows,
            pc.sum(rows.column("id")).as_py(),
            pc.sum(names).as_py(),
            pc.sum(pc.list_value_length(items)).as_py(),
            pc.sum(prices).as_py(),
        ]
        return pa.table({str(k): [sum_] for k, sum_ in enumerate(sums)})

    def job(function):
        sums = source.map_batches(function, batch_format="pyarrow", batch_size=None).map_batches(
            added_up, batch_format="pyarrow", batch_size=None
        )
        rows = sums.take_all()
        return tuple(sum(row[str(k)] for row in rows) for k in range(5))

    yield (
        "Ray Data",
        {
            "thriftlens": lambda: job(read),
            "thriftpy2_arrow": lambda: job(lambda rows: pa.Table.from_batches([peer_batch(rows)])),
        },
    )
    engine.shutdown()


def in_process():
    """A chunked column of the records, and every contestant's columns of it as a pyarrow table."""
    values = pa.concat_tables(tables()).column("value")
    Order = tl.loads(IDL)["Order"]
    by_peer = lambda: pa.Table.from_batches([peer_batch(pa.table({"value": values}))])  # noqa: E731
    return values, {
        "thriftlens": lambda: Order.columns(values, SELECTION),
        "thriftpy2_arrow": by_peer,
    }


def polars(folder):
    import polars as pl

    _, jobs = in_process()

    def added_up(columns):
        frame = pl.DataFrame(columns)
        price = pl.col("items").list.eval(pl.element().struct.field("price")).list.sum().sum()
        name = pl.col("user").struct.field("name").str.len_chars().sum()
        return frame.select(
            n=pl.len(),
            ids=pl.col("id").sum(),
            names=name,
            items=pl.col("items").list.len().sum(),
            prices=price,
        ).row(0)

    yield "Polars", {name: lambda make=make: added_up(make()) for name, make in jobs.items()}


def duckdb(folder):
    import duckdb as engine

    _, jobs = in_process()

    def added_up(columns):
        prices = "sum(coalesce(list_sum(list_transform(items, lambda each: each.price)), 0))"
        return tuple(
            engine.sql(
                f'select count(*), sum(id), sum(length("user".name)), sum(len(items)), {prices} '
                "from columns"
            ).fetchall()[0]
        )

    yield "DuckDB", {name: lambda make=make: added_up(make()) for name, make in jobs.items()}


def datafusion(folder):
    import datafusion as engine

    _, jobs = in_process()

    def added_up(columns):
        context = engine.SessionContext()
        context.from_arrow(columns, name="orders")
        flat = "select sum(item['price']) as total from (select unnest(items) as item from orders)"
        sums = (
            "select count(*) as n, sum(id) as ids, "
            "sum(char_length(\"user\"['name'])) as names, "
            "sum(coalesce(array_length(items), 0)) as items from orders"
        )
        totals = context.sql(sums).to_pydict()
        return (
            *(column[0] for column in totals.values()),
            context.sql(flat).to_pydict()["total"][0],
        )

    yield "DataFusion", {name: lambda make=make: added_up(make()) for name, make in jobs.items()}


def kafka(folder):
    """Values one by one, as a consumer has them: no broker, whose work is the same for all."""
    values = [scalar.as_py() for scalar in in_process()[0]]
    read, read_by_peer = tl.kafka.ThriftDeserializer(tl.loads(IDL)["Order"], SELECTION), peer()

    def added_up(call):
        n = ids = names = items = prices = 0
        for value in values:
            row = call(value)
            n, ids, names, items = (
                n + 1,
                ids + row["id"],
                names + len(row["user"]["name"]),
                items + len(row["items"]),
            )
            for item in row["items"]:
                prices += item["price"]
        return n, ids, names, items, prices

    yield (
        "Kafka values",
        {"thriftlens": lambda: added_up(read), "thriftpy2_dicts": lambda: added_up(read_by_peer)},
    )


ENGINES = {engine.__name__: engine for engine in (spark, ray, polars, duckdb, datafusion, kafka)}


def main():
    chosen = [name for name in ENGINES if name in sys.argv] or list(ENGINES)
    tasks = {}
    print("| engine | contestant | CPU a record | | clock a record | |\n|---|---|--:|--:|--:|--:|")
    for name in chosen:
        with tempfile.TemporaryDirectory(prefix="e") as folder:
            for engine, jobs in ENGINES[name](folder):
                medians = measured(engine, jobs)
                tasks[engine] = {
                    f"{COUNT} records": {name: {"ns": times[0]} for name, times in medians.items()}
                }
                for contestant, times in medians.items():
                    ratios = [
                        f"{times[k] / medians['thriftlens'][k]:.1f}x"
                        if "thriftlens" in medians
                        else ""
                        for k in range(2)
                    ]
                    print(
                        f"| {engine} | {contestant} | {times[0] / 1000:.2f} µs | {ratios[0]} | "
                        f"{times[1] / 1000:.2f} µs | {ratios[1]} |",
                        flush=True,
                    )
    if "--chart" in sys.argv:
        chart(tasks, Path(sys.argv[sys.argv.index("--chart") + 1]))


def chart(tasks, file):
    """Drawn as those of bench/report.py."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    import matplotlib
    import report

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    report.style(plt)
    report.bars(
        plt, tasks, list(tasks), "CPU time of all processes for one record, end to end", file
    )


if __name__ == "__main__":
    main()
