"""Files of records as tables of DuckDB."""

import struct

import pytest
import thriftlens as tl

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

IDL = "struct Point { 1: i32 x, 2: string label }"
Point = tl.loads(IDL)["Point"]
ROWS = [{"x": x, "label": f"p{x % 3}"} for x in range(1000)]
DATA = b"".join(Point.encode(row) for row in ROWS)


def test_a_query_reads_the_records_again():
    points = tl.duckdb.scan_thrift(DATA, Point)
    query = "select label, count(*), sum(x) from points group by label order by label"
    expected = [
        (label, len(rows), sum(rows))
        for label in ("p0", "p1", "p2")
        for rows in [[row["x"] for row in ROWS if row["label"] == label]]
    ]
    for _ in range(2):
        assert duckdb.sql(query).fetchall() == expected
    assert points.num_rows == len(ROWS)


def test_files_of_frames_by_the_name_of_a_type(tmp_path):
    (tmp_path / "point.thrift").write_text(IDL)
    for name, rows in (("a.bin", ROWS[:10]), ("b.bin", ROWS[10:30])):
        records = [Point.encode(row) for row in rows]
        framed = b"".join(struct.pack(">I", len(record)) + record for record in records)
        (tmp_path / name).write_bytes(framed)
    connection = duckdb.connect()
    tl.duckdb.register_thrift(
        connection, "points", tmp_path / "*.bin", tmp_path / "point.thrift", "Point", "{ x }",
        framing="u32",
    )  # fmt: skip
    assert connection.sql("select count(*), max(x) from points").fetchall() == [(30, 29)]
    assert connection.sql("describe points").fetchall()[0][0] == "x"
    connection.unregister("points")
    with pytest.raises(duckdb.CatalogException):
        connection.sql("select * from points")


def test_wrong_arguments_are_errors_of_the_call():
    with pytest.raises(TypeError, match="missing type name"):
        tl.duckdb.scan_thrift(DATA, tl.loads(IDL))
    with pytest.raises(TypeError, match="unexpected type name"):
        tl.duckdb.scan_thrift(DATA, Point, "Point")
    with pytest.raises(tl.UnknownNameError):
        tl.duckdb.scan_thrift(DATA, Point, select="{ y }")
