"""Polars, and other engines that take Arrow data (pandas, DataFusion, DuckDB), on columns of
Thrift. scripts/engines.sh installs all of them; those that are missing are skipped."""

import os
import re
import struct
from pathlib import Path

import pytest
import thriftlens as tl

pa = pytest.importorskip("pyarrow")

IDL = """
enum Status { NEW = 1, PAID = 3 }
struct User { 1: i32 id, 2: string name }
struct Order { 1: i64 id, 2: User user, 3: Status status, 4: list<double> prices,
  5: optional string note, 6: bool done }
"""
Order = tl.loads(IDL)["Order"]


def values(count, begin=0):
    for i in range(begin, begin + count):
        yield {
            "id": i,
            "user": {"id": i % 7, "name": f"n{i}"},
            "status": 3 if i % 2 else 1,
            "prices": [i / 2],
            "done": i % 3 == 0,
            **({} if i % 5 else {"note": f"x{i}"}),
        }


def framed(record):
    return struct.pack(">I", len(record)) + record


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "shop.thrift").write_text(IDL)
    for index in range(2):
        joined = b"".join(framed(Order.encode(value)) for value in values(500, 500 * index))
        (tmp_path / f"{index}.bin").write_bytes(joined)
    return tmp_path


def scanned(folder, *more, **options):
    return tl.scan_columns(str(folder / "*.bin"), Order, *more, framing="u32", **options)


def page(topic):
    """The Python block of docs/engines.md that holds the word, run where its files are."""
    root = Path(__file__).resolve().parents[2]
    block = next(
        code
        for code in re.findall(
            r"```python\n(.*?)```", (root / "docs" / "engines.md").read_text(encoding="utf-8"), re.S
        )
        if topic in code
    )
    previous_folder = os.getcwd()
    os.chdir(root)
    try:
        exec(block, {})
    finally:
        os.chdir(previous_folder)


class TestPandas:
    def test_the_page(self):
        pandas = pytest.importorskip("pandas")
        if not hasattr(pandas.DataFrame, "from_arrow"):
            pytest.skip("pandas before 3")
        page("import pandas")

    def test_columns(self, folder):
        pandas = pytest.importorskip("pandas")
        columns = scanned(folder, "{ id user { name } note }", nesting="flat")
        frame = (
            pandas.DataFrame.from_arrow(columns)
            if hasattr(pandas.DataFrame, "from_arrow")
            else pa.table(columns).to_pandas()
        )
        assert len(frame) == 1000 and frame["id"].sum() == sum(range(1000))
        assert frame["user.name"].tolist()[7] == "n7" and frame["note"].isna().sum() == 800


class TestDataFusion:
    def test_the_page(self):
        pytest.importorskip("datafusion")
        page("import datafusion")

    def test_sql(self, folder):
        datafusion = pytest.importorskip("datafusion")
        context = datafusion.SessionContext()
        context.from_arrow(scanned(folder, "{ id user }"), name="orders")
        totals = context.sql(
            "select count(*) n, sum(id) s from orders where orders.\"user\"['id'] = 3"
        ).to_pydict()
        expected = [value["id"] for value in values(1000) if value["user"]["id"] == 3]
        assert totals == {"n": [len(expected)], "s": [sum(expected)]}


class TestDuckDB:
    def test_variables_are_tables_that_are_read_anew(self, folder):
        duckdb = pytest.importorskip("duckdb")
        orders = tl.duckdb.scan_thrift(
            str(folder / "*.bin"),
            folder / "shop.thrift",
            "Order",
            "{ id user status }",
            framing="u32",
            batch_size=100,
        )
        query = (
            "select o.user.id as u, count(*), sum(id) from orders o where status = 3 "
            "group by 1 order by 1"
        )
        expected = {}
        for value in values(1000):
            if value["status"] == 3:
                expected.setdefault(value["user"]["id"], []).append(value["id"])
        for _ in range(2):
            result = duckdb.sql(query).fetchall()
            assert result == [(user, len(ids), sum(ids)) for user, ids in sorted(expected.items())]
        assert orders.num_rows == 1000

    def test_registered(self, folder):
        duckdb = pytest.importorskip("duckdb")
        connection = duckdb.connect()
        tl.duckdb.register_thrift(
            connection, "orders", [folder / "0.bin"], tl.loads(IDL), "Order", framing="u32"
        )
        for _ in range(2):
            assert connection.sql("select count(*), max(id) from orders").fetchall() == [(500, 499)]
        connection.unregister("orders")

    def test_errors_are_raised(self, folder):
        duckdb = pytest.importorskip("duckdb")
        (folder / "0.bin").write_bytes(framed(b"\x08\x00"))
        orders = scanned(folder)
        assert orders is not None
        with pytest.raises(Exception, match=r"record 0"):
            duckdb.sql("select count(*) from orders").fetchall()


class TestPolars:
    @pytest.fixture
    def frame(self, folder):
        pytest.importorskip("polars")
        return lambda **options: tl.polars.scan_thrift(
            str(folder / "*.bin"), folder / "shop.thrift", "Order", framing="u32", **options
        )

    def test_schema_without_reading(self):
        polars = pytest.importorskip("polars")
        schema = tl.polars.scan_thrift("no/such/file", Order).collect_schema()
        assert schema["id"] == polars.Int64 and schema["prices"] == polars.List(polars.Float64)
        assert schema["user"] == polars.Struct({"id": polars.Int32, "name": polars.String})

    def test_full_table(self, frame):
        assert frame().collect().height == 1000
        assert frame().collect().equals(frame().collect(engine="streaming"))

    def test_only_the_projected_columns_are_read(self, frame, monkeypatch):
        seen = []
        real = tl.polars.scan_columns
        monkeypatch.setattr(
            tl.polars,
            "scan_columns",
            lambda source, of, select=None, **options: (
                seen.append(select),
                real(source, of, select, **options),
            )[1],
        )
        polars = pytest.importorskip("polars")
        frame(select="{ id user { name } done prices }").filter(polars.col("done")).select(
            "user"
        ).collect()
        assert seen[-1] == "{ user { name } done }"

    def test_pushed_down_queries_equal_queries_of_the_full_table(self, frame):
        import polars as pl

        full_table = frame().collect()
        for query in (
            lambda of: of.filter((pl.col("id") > 100) & (pl.col("status") == 3)).select(
                "id", "note"
            ),
            lambda of: of.filter(pl.col("user").struct.field("id").is_in([1, 2])).select(
                pl.col("prices").list.sum()
            ),
            lambda of: of.filter(pl.col("note").is_null() | ~pl.col("done")).tail(5),
            lambda of: of.filter(pl.col("note") != "x5").select(pl.len()),
            lambda of: of.filter(~(pl.col("note") > "x6")).select("id"),
            lambda of: of.filter(pl.col("note").is_not_null() & (pl.col("id") * 2 > 50)).select(
                "id"
            ),
            lambda of: of.select(pl.len()),
            lambda of: of.head(3),
            lambda of: of.slice(990, 20).select("note"),
            lambda of: of.filter(pl.col("done")).head(3),
            lambda of: of.group_by("status").agg(pl.col("id").sum()).sort("status"),
            lambda of: of.select(pl.col("id") + 1, pl.lit(1).alias("one")),
        ):
            for engine in ("auto", "streaming"):
                assert (
                    query(frame(batch_size=64))
                    .collect(engine=engine)
                    .equals(query(full_table.lazy()).collect())
                )

    def test_polars_filters_become_where_conditions(self):
        pl = pytest.importorskip("polars")
        c = pl.col
        for expression, where in (
            (c("id") > 5, "$.id > 5"),
            ((c("id") > 5) & (c("note") == "x"), '($.id > 5) and ($.note = "x")'),
            (~((c("id") > 5) & c("done")), "($.id <= 5) or ($.done = false)"),
            (
                c("user").struct.field("id").is_null() | c("done"),
                "($.user.id is null) or ($.done = true)",
            ),
            ((c("id") * 2 > 5) & (c("status") != 3), None),
            ((c("id") * 2 > 5) & c("done"), "($.done = true)"),
            ((c("id") * 2 > 5) | c("done"), None),
            (c("note") == 'a"b', None),
            (c("prices").list.len() > 1, None),
        ):
            assert tl.polars.where_of(Order, expression) == where

    def test_invalid_numbers(self):
        """To Polars NaN equals itself and is the greatest: such comparisons are its own."""
        pl = pytest.importorskip("polars")
        Price = tl.loads("struct Price { 1: double p, 2: optional i32 n }")["Price"]
        rows = [{"p": price} for price in (1.0, 5.0, float("nan"), float("inf"), -0.0)] + [
            {"n": 1},
            {"p": 2.5, "n": 2},
        ]
        data = b"".join(Price.encode(row) for row in rows)
        full_table = tl.polars.scan_thrift(data, Price).collect()
        p, n = pl.col("p"), pl.col("n")
        for condition in (
            p > 2,
            p >= 5,
            p < 2,
            p <= 5,
            p == 5,
            p != 5,
            ~(p < 5),
            ~(p > 2),
            p == float("nan"),
            (p > 2) | (n == 2),
            ~((p > 2) & (n == 2)),
            n > 2**40,
            n < 1.5,
        ):
            assert (
                tl.polars.scan_thrift(data, Price)
                .filter(condition)
                .collect()
                .equals(full_table.filter(condition))
            )

    def test_filtered_records_are_not_decoded(self, frame, folder):
        pl = pytest.importorskip("polars")
        (folder / "1.bin").write_bytes(
            framed(Order.encode({"id": 7, "note": "x"}).replace(b"x", b"\xff"))
        )
        assert frame().filter(pl.col("id") == 8).collect().height == 1
        with pytest.raises(Exception, match="UTF-8"):
            frame().filter(pl.col("id") == 7).collect()

    def test_the_scan_stops_at_the_row_limit(self, frame, folder):
        (folder / "1.bin").write_bytes(b"\0\0\0\1\x08")
        assert frame(batch_size=10).head(5).collect()["id"].to_list() == [0, 1, 2, 3, 4]
        with pytest.raises(Exception, match="1.bin: record 0"):
            frame().collect()

    def test_names_of_enums(self, frame):
        assert frame(enums="name", batch_size=7).select("status").collect()["status"].cast(
            str
        ).to_list()[:3] == ["NEW", "PAID", "NEW"]

    def test_invalid_records_are_handled(self, frame, folder):
        (folder / "1.bin").write_bytes(framed(b"\x08") + framed(Order.encode({"id": 7})))
        tail = frame(on_error="null", reason="why", record="n").tail(2).collect()
        assert tail["n"].to_list() == [0, 1] and tail["id"].to_list() == [None, 7]
        assert "the data ends" in tail["why"].to_list()[0] and tail["why"].to_list()[1] is None
        assert frame(on_error="skip").collect().height == 501


def test_narrowed_selections():
    pytest.importorskip("polars")
    narrowed = lambda select, *names: tl.polars.narrowed(Order, select, names)  # noqa: E731
    assert narrowed(None, "note", "id") == "{ id note }"
    assert narrowed("{ id user { name } }", "user") == "{ user { name } }"
    assert narrowed("{ * -prices }", "id", "done") == "{ id done }"
    assert narrowed("{ #2 { #1 } id }", "user") == "{ #2 { #1 } }"
    assert narrowed("{user{id,name},id}", "user", "id") == "{ id user { id name } }"
    assert narrowed("{ id }") is None
