"""The tree of the schema, and columns by name."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
import thriftlens as tl
from parquet_files import file_of, footer_of, run
from thriftlens import parquet

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def test_unknown_column_names_are_errors(file: Path) -> None:
    of = parquet.open(file)
    footer = of.footer
    for wrong in (
        lambda: of.rename("aa", "x"),
        lambda: of.keep_columns("a", "zz"),
        lambda: of.drop_statistics("zz"),
        lambda: of.delete_key_value("zz"),
        lambda: of.column("n"),
        lambda: of.statistics("zz"),
        lambda: of.redact(paths={"$.creator": "drop"}),
    ):
        with pytest.raises(tl.UnknownNameError):
            wrong()
    with pytest.raises(tl.Error, match="already"):
        of.rename("a", "s")
    with pytest.raises(IndexError):
        of.keep_row_groups(4)
    assert of.footer == footer
    with pytest.raises(tl.UnknownNameError, match="did you mean 'n.p'"):
        of.column("n.pp")


def test_an_invalid_schema_tree() -> None:
    footer = parquet.schema.FileMetaData
    for counts, message in (((5,), "fewer nodes"), ((1, None, None), "more nodes"), ((), "empty")):
        elements = [
            {"name": "x", **({} if count is None else {"num_children": count})} for count in counts
        ]
        footer_bytes = footer.encode(
            {"version": 1, "schema": elements, "num_rows": 0, "row_groups": []}, protocol="compact"
        )
        of = parquet.open(b"PAR1" + footer_bytes + struct.pack("<I", len(footer_bytes)) + b"PAR1")
        with pytest.raises(tl.DecodeError, match=message):
            of.tree()


def test_columns_of_one_name(tmp_path: Path) -> None:
    where = tmp_path / "twice.parquet"
    pq.write_table(pa.table([[1, 2], [3, 4], [5, 6]], names=["x", "x", "y"]), where)
    of = tl.parquet.open(where)
    assert list(of.columns) == ["x", "x", "y"] and len(of.columns) == 3
    assert [statistics[0].min for statistics in of.statistics().values()] == [1, 3, 5]
    assert [chunk.statistics.max for chunk in of.row_groups[0].columns.values()] == [2, 4, 6]
    footer_before = of.footer
    for wrong in (
        lambda: of.columns["x"],
        lambda: of.column("x"),
        lambda: of.statistics("x"),
        lambda: of.statistics()["x"],
        lambda: of.drop_statistics("x"),
        lambda: of.keep_columns("y", "x"),
        lambda: of.rename("x", "z"),
    ):
        with pytest.raises(tl.Error, match="ambiguous name 'x' of 2 columns: number 0, number 1"):
            wrong()
    assert of.footer == footer_before
    of.drop_statistics(1)
    assert [statistics[0].min for statistics in of.statistics().values()] == [1, None, 5]
    of.keep_columns(1, "y")
    assert of.findings() == []
    assert pq.read_table(pa.BufferReader(of.to_bytes())).to_pydict() == {"x": [3, 4], "y": [5, 6]}
    assert run(where, "--keep-column", "x", "--in-place")[0] == 1
    assert pq.ParquetFile(where).read().column_names == ["x", "x", "y"]
    assert run(where, "--keep-column", "#0", "--in-place")[0] == 0
    assert pq.read_table(where).to_pydict() == {"x": [1, 2]}


def test_a_dot_in_a_name(tmp_path: Path) -> None:
    where = tmp_path / "dot.parquet"
    pq.write_table(pa.table({"a": [{"b": 1}, {"b": 2}], "a.b": [7, 8]}), where)
    of = tl.parquet.open(where)
    with pytest.raises(tl.UnknownNameError, match="'a' is a group; its columns are a.b$"):
        of.column("a")
    with pytest.raises(tl.Error, match="number 0, number 1"):
        of.keep_columns("a.b")
    of.keep_columns("a")
    assert pq.read_table(pa.BufferReader(of.to_bytes())).to_pydict() == {"a": [{"b": 1}, {"b": 2}]}
    assert of.findings() == []


def test_groups_of_one_name(tmp_path: Path) -> None:
    where = tmp_path / "groups.parquet"
    column = [{"b": 1, "c": 2}]
    pq.write_table(pa.table([column, column], names=["a", "a"]), where)
    of = tl.parquet.open(where)
    of.keep_columns(0, 3)
    assert of.findings() == []
    result = [node.element["num_children"] for node in of._footer.tree.nodes() if not node.is_leaf]
    assert result == [1, 1]
    assert pq.ParquetFile(pa.BufferReader(of.to_bytes())).metadata.num_columns == 2


def test_columns_of_writers_without_child_counts() -> None:
    of = parquet.open(file_of(footer_of(), b"x"))
    assert list(of.columns) == ["a", "b"] and of.findings() == []
    assert [statistics[:2] for statistics in of.statistics("b")["b"]] == [(1, 2), (1, 2)]
