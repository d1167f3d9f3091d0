"""Parquet footers: what pyarrow, DuckDB and Polars write is read, and what is changed is read by
them; errors are located."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path

import pytest
import thriftlens as tl
from parquet_files import ROWS, TABLE, run
from thriftlens import parquet

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def test_metadata_of_a_file(file: Path) -> None:
    of, expected = parquet.open(file), pq.read_metadata(file)
    assert (of.num_rows, len(of.row_groups), of.created_by) == (ROWS, 4, expected.created_by)
    result = list(of.columns)
    assert result == [expected.schema.column(index).path for index in range(expected.num_columns)]
    assert list(of.key_value) == ["ARROW:schema"] and of.findings() == [] and of.validate() is None
    assert (
        "optional group n\n  optional int64 p\n  optional group q (LIST)\n    repeated group "
        "list\n      optional int64 element\n" in of.tree()
    )
    assert of.view["row_groups"][1]["num_rows"] == of.row_groups[1].num_rows == 300
    for source in (file.read_bytes(), io.BytesIO(file.read_bytes()), memoryview(file.read_bytes())):
        assert parquet.open(source).footer == of.footer


def test_statistics_are_those_of_pyarrow(file: Path) -> None:
    of, expected = parquet.open(file), pq.read_metadata(file)
    everything = of.statistics()
    for index, name in enumerate(of.columns):
        for group in range(4):
            theirs, ours = (
                expected.row_group(group).column(index).statistics,
                everything[name][group],
            )
            assert ours.min == theirs.min and ours.max == theirs.max, name
            assert ours.null_count == theirs.null_count, name
            assert of.row_groups[group].columns[name].statistics[:4] == ours[:4]
    assert of.column("u").statistics()[0].max == 2**32 - 1
    assert list(of.statistics("a", "n.p")) == ["a", "n.p"]


def test_pages_and_indexes(file: Path) -> None:
    of = parquet.open(file)
    chunk = of.row_groups[1].columns["a"]
    pages = list(chunk.pages())
    assert [page.header["type"] for page in pages] == [2, 0]
    assert sum(page.header.get("data_page_header.num_values") or 0 for page in pages) == 300
    places = chunk.offset_index()
    assert places is not None
    assert [location["offset"] for location in places["page_locations"]] == [pages[1].offset]
    index = chunk.column_index()
    assert index is not None and struct.unpack("<q", bytes(index["min_values"][0]))[0] == 300
    assert chunk.bloom_filter() is None


def test_changes_are_read_by_engines(file: Path) -> None:
    of = parquet.open(file)
    data = file.read_bytes()[: of.footer_offset]
    of.set_key_value("owner", "Zoë")
    of.set_key_value("owner", "Ann")
    of.set_key_value("none", None)
    of.rename("a", "id")
    of.rename("n.p", "pp")
    of.save()
    assert file.read_bytes()[: of.footer_offset] == data, "data is not touched"
    read = pq.read_table(file)
    assert read.schema.metadata[b"owner"] == b"Ann" and read.column_names[0] == "id"
    assert read["id"].to_pylist() == TABLE["a"].to_pylist()
    assert read["n"][3].as_py() == {"pp": 3, "q": [3, 3]}
    assert parquet.open(file).key_value["none"] is None and parquet.open(file).validate() is None
    of.delete_key_value("owner")
    of.save(atomic=True)
    assert b"owner" not in (pq.read_table(file).schema.metadata or {})


def test_columns_and_row_groups_are_pruned(file: Path, tmp_path: Path) -> None:
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    of = parquet.open(file)
    original = file.read_bytes()
    of.keep_columns("n.q", "a")
    of.keep_row_groups(0, -1)
    of.save(tmp_path / "small.parquet")
    assert file.read_bytes() == original
    read = pq.read_table(tmp_path / "small.parquet")
    assert read.num_rows == 400 and read.schema.names == ["a", "n"]
    assert read["n"][399].as_py() == {"q": [999, 999]}
    expected = sum([*range(300), *range(900, 1000)])
    result = duckdb.sql(f"select count(*), sum(a) from '{tmp_path / 'small.parquet'}'").fetchall()
    assert result == [(400, expected)]
    assert polars.read_parquet(tmp_path / "small.parquet")["a"].sum() == expected
    assert parquet.open(tmp_path / "small.parquet").findings() == []


def test_keys_and_values_of_a_map_stay_together(tmp_path: Path) -> None:
    path = tmp_path / "map.parquet"
    values = pa.array(
        [[("k", {"x": 1, "y": 2})]],
        pa.map_(pa.string(), pa.struct([("x", pa.int64()), ("y", pa.int64())])),
    )
    pq.write_table(pa.table({"id": [1], "m": values}), path)
    of = parquet.open(path)
    footer = of.footer
    for names, lost in (
        (("id", "m.key_value.value"), "m.key_value.key"),
        (("m.key_value.key",), "m.key_value.value"),
    ):
        with pytest.raises(tl.Error, match=f"cannot remove '{lost}': keys and values"):
            of.keep_columns(*names)
    assert of.footer == footer
    of.keep_columns("m.key_value.key", "m.key_value.value.y")
    of.save(path)
    assert pq.read_table(path)["m"].to_pylist() == [[("k", {"y": 2})]]
    of.keep_columns("m")
    assert list(of.columns) == ["m.key_value.key", "m.key_value.value.y"]


def test_sorting_columns_follow(tmp_path: Path) -> None:
    path = tmp_path / "sorted.parquet"
    pq.write_table(
        TABLE, path, sorting_columns=[pq.SortingColumn(6), pq.SortingColumn(0, descending=True)]
    )
    for retained, order in ((("c", "a"), [1, 0]), (("c",), [0]), (("a",), None)):
        of = parquet.open(path)
        of.keep_columns(*retained)
        sorting = of.row_groups[0].view.get("sorting_columns")
        if order is None:
            assert sorting is None
        else:
            names = list(of.columns)
            result = [names[entry["column_idx"]] for entry in sorting]
            assert result == [name for name in ("c", "a") if name in retained]


def test_statistics_are_dropped(file: Path) -> None:
    of = parquet.open(file)
    of.drop_statistics("a")
    of.save()
    meta = pq.read_metadata(file)
    assert meta.row_group(0).column(0).statistics is None
    assert meta.row_group(0).column(1).statistics is not None
    assert not meta.row_group(0).column(0).has_column_index
    of.drop_statistics()
    assert all(pair[:2] == (None, None) for column in of.statistics().values() for pair in column)
    assert b"x299" not in of.footer
    of.redact(paths={"$.created_by": "drop", "$.key_value_metadata": "drop"})
    assert of.created_by is None and of.key_value == {}


def test_unknown_footer_fields_are_preserved(file: Path) -> None:
    of = parquet.open(file)
    footer = of.footer[:-1] + b"\x08" + b"\xc8\x01" + b"\x03new" + b"\0"  # field 100: "new"
    path = file.with_name("newer.parquet")
    path.write_bytes(
        file.read_bytes()[: of.footer_offset] + footer + struct.pack("<I", len(footer)) + b"PAR1"
    )
    newer = parquet.open(path)
    newer.set_key_value("k", "v")
    newer.rename("a", "id")
    newer.keep_columns("id")
    newer.drop_statistics()
    assert b"\x08\xc8\x01\x03new\0" in newer.footer
    newer.save()
    assert pq.read_table(path).column_names == ["id"]


def test_duckdb_and_polars_write(tmp_path: Path) -> None:
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    duckdb.sql(
        "copy (select range as a, 'x' || range as s from range(100)) to "
        f"'{tmp_path / 'd.parquet'}' (format parquet)"
    )
    polars.DataFrame(
        {"a": list(range(100)), "s": [f"x{number}" for number in range(100)]}
    ).write_parquet(tmp_path / "p.parquet")
    for name in ("d.parquet", "p.parquet"):
        of = parquet.open(tmp_path / name)
        assert (of.num_rows, list(of.columns), of.findings()) == (100, ["a", "s"], [])
        statistics = of.column("a").statistics()[0]
        assert (statistics.min, statistics.max) == (0, 99)
        of.set_key_value("k", "v")
        of.rename("s", "text")
        of.save()
        assert polars.read_parquet(tmp_path / name)["text"][7] == "x7"
        result = duckdb.sql(f"select text from '{tmp_path / name}' where a = 7").fetchall()
        assert result == [("x7",)]


def test_impossible_edits_are_errors(file: Path, tmp_path: Path) -> None:
    of = tl.parquet.open(file)
    with pytest.raises(tl.Error, match="cannot remove all row groups"):
        of.keep_row_groups()
    with pytest.raises(tl.Error, match="cannot be empty"):
        of.rename("a", "")
    with open(file) as text, pytest.raises(TypeError, match="mode 'rb'"):
        tl.parquet.open(text)  # type: ignore[arg-type]
    code, _, stderr = run(file, "--rename", "a=b2", "--in-place", "-o", tmp_path / "o.parquet")
    assert code == 2 and "mutually exclusive" in stderr
    code, stderr, _ = run(file, "--get", "$.num_rows", "--get", "$.version")
    assert code == 0 and stderr.split() == ["1000", "2"]


def test_the_command(file: Path, tmp_path: Path) -> None:
    status, text, _ = run(file)
    assert status == 0
    assert text.startswith("1000 rows, 10 columns, 4 row groups, written by parquet-cpp-arrow")
    assert "optional int64 a\n" in text
    status, text, _ = run(file, "--statistics", "a", "--check", "--get", "$.row_groups[*].num_rows")
    lines = text.splitlines()
    assert lines[0].endswith("fine") and lines[1:5] == ["300", "300", "300", "100"]
    assert json.loads(lines[5]) == {
        "column": "a",
        "row_group": 0,
        "min": 0,
        "max": 299,
        "null_count": 0,
        "distinct_count": None,
    }
    assert json.loads(run(file, "--json")[1])["num_rows"] == ROWS
    assert json.loads(run(file, "--pages", "a")[1].splitlines()[1])["header"]["type"] == "DATA_PAGE"
    assert json.loads(run(file, "--row-groups")[1].splitlines()[0])["codec"] == "SNAPPY"
    changed = [
        "--set-metadata", "k=v=w", "--delete-metadata", "ARROW:schema", "--rename", "a=id",
        "--drop-statistics", "--keep-column", "a", "--keep-row-group", "1",
    ]  # fmt: skip
    assert run(file, *changed, "-o", tmp_path / "out") == (0, "", "")
    read = pq.read_table(tmp_path / "out")
    assert read.column_names == ["id"] and read["id"].to_pylist() == list(range(300, 600))
    assert read.schema.metadata == {b"k": b"v=w"}
    assert run(file, "--scrub", "$.created_by", "--in-place", "--atomic")[0] == 0
    assert parquet.open(file).created_by is None
    for wrong, status, message in (
        (["--set-metadata", "k=v"], 2, "changes need"),
        (["--in-place"], 2, "no changes to save"),
        (["--set-metadata", "k", "--in-place"], 2, "NAME=VALUE"),
        (["--rename", "zz=y", "--in-place"], 2, "no column 'zz'"),
        (["--keep-row-group", "9", "--in-place"], 1, "no row group 9"),
        (["--get", "$.encryption_algorithm"], 1, "no value at"),
    ):
        got = run(file, *wrong)
        assert got[0] == status and message in got[2], got
    file.write_bytes(file.read_bytes()[:-3])
    assert run(file)[0] == 1
