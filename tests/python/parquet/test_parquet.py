"""Parquet footers: what pyarrow, DuckDB and Polars write is read, and what is changed is read by
them; errors are located."""

from __future__ import annotations

import datetime
import decimal
import io
import json
import struct
from pathlib import Path
from typing import Any

import pytest
import thriftlens as tl
from thriftlens import parquet

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ROWS = 1000
TABLE = pa.table(
    {
        "a": list(range(ROWS)),
        "s": [f"x{number}" for number in range(ROWS)],
        "n": [{"p": number, "q": [number, number]} for number in range(ROWS)],
        "d": [datetime.date(2020, 1, 1)] * ROWS,
        "t": [datetime.datetime(2020, 1, 1, 1, 2, 3)] * ROWS,
        "c": [decimal.Decimal("1.25")] * ROWS,
        "u": pa.array([2**32 - 1 - number for number in range(ROWS)], pa.uint32()),
        "f": [number / 3 for number in range(ROWS)],
        "b": [b"\xff%d" % number for number in range(ROWS)],
    }
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "t.parquet"
    pq.write_table(TABLE, path, row_group_size=300, write_page_index=True)
    return path


def test_metadata_of_a_file(file: Path) -> None:
    of, expected = parquet.open(file), pq.read_metadata(file)
    assert (of.num_rows, len(of.row_groups), of.created_by) == (ROWS, 4, expected.created_by)
    assert list(of.columns) == [
        expected.schema.column(index).path for index in range(expected.num_columns)
    ]
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
            assert (ours.min, ours.max, ours.null_count) == (
                theirs.min,
                theirs.max,
                theirs.null_count,
            ), name
            assert of.row_groups[group].columns[name].statistics[:4] == ours[:4]
    assert of.column("u").statistics()[0].max == 2**32 - 1
    assert list(of.statistics("a", "n.p")) == ["a", "n.p"]


def test_pages_and_indexes(file: Path) -> None:
    of = parquet.open(file)
    chunk = of.row_groups[1].columns["a"]
    pages = list(chunk.pages())
    assert [page.header["type"] for page in pages] == [2, 0] and sum(
        page.header.get("data_page_header.num_values") or 0 for page in pages
    ) == 300
    places = chunk.offset_index()
    assert places is not None and [location["offset"] for location in places["page_locations"]] == [
        pages[1].offset
    ]
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
    assert read["id"].to_pylist() == TABLE["a"].to_pylist() and read["n"][3].as_py() == {
        "pp": 3,
        "q": [3, 3],
    }
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
    assert (
        read.num_rows == 400
        and read.schema.names == ["a", "n"]
        and read["n"][399].as_py() == {"q": [999, 999]}
    )
    expected = sum([*range(300), *range(900, 1000)])
    assert duckdb.sql(
        f"select count(*), sum(a) from '{tmp_path / 'small.parquet'}'"
    ).fetchall() == [(400, expected)]
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
            assert [names[entry["column_idx"]] for entry in sorting] == [
                name for name in ("c", "a") if name in retained
            ]


def test_statistics_are_dropped(file: Path) -> None:
    of = parquet.open(file)
    of.drop_statistics("a")
    of.save()
    meta = pq.read_metadata(file)
    assert (
        meta.row_group(0).column(0).statistics is None
        and meta.row_group(0).column(1).statistics is not None
    )
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
        assert duckdb.sql(f"select text from '{tmp_path / name}' where a = 7").fetchall() == [
            ("x7",)
        ]


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


def test_files_that_are_broken(file: Path, tmp_path: Path) -> None:
    data = file.read_bytes()
    for size in (0, 3, 11, 12, len(data) - 1, len(data) - 8, len(data) // 2):
        with pytest.raises(tl.DecodeError) as caught:
            parquet.open(data[:size])
        assert caught.value.offset is not None and caught.value.offset <= size
    with pytest.raises(tl.DecodeError, match="encrypted"):
        parquet.open(data[:-4] + b"PARE")
    with pytest.raises(tl.DecodeError, match="the footer has 4294967295 bytes"):
        parquet.open(data[:-8] + b"\xff\xff\xff\xff" + data[-4:])
    with pytest.raises(FileNotFoundError):
        parquet.open(tmp_path / "none")
    footer = parquet.open(file).footer
    for cut in range(1, len(footer), 7):
        with pytest.raises(tl.DecodeError):
            parquet.open(b"PAR1" + footer[:cut] + struct.pack("<I", cut) + b"PAR1")
    seen = set()
    for at in range(0, len(footer), 5):
        changed = bytearray(footer)
        changed[at] ^= 0x55
        try:
            of = parquet.open(data[: len(data) - 8 - len(footer)] + bytes(changed) + data[-8:])
            seen.update(finding.code for finding in of.findings())
            (
                of.tree(),
                of.statistics(),
                [
                    page
                    for column in of.columns.values()
                    for chunk in column.chunks
                    for page in chunk.pages()
                ],
            )
        except tl.Error as error:
            assert str(error)
            seen.add(error.code)
    assert len(seen) > 3, "many kinds of damage are distinguished"


def test_a_schema_that_is_no_tree() -> None:
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
    assert [
        node.element["num_children"] for node in of._footer.tree.nodes() if not node.is_leaf
    ] == [1, 1]
    assert pq.ParquetFile(pa.BufferReader(of.to_bytes())).metadata.num_columns == 2


def test_a_file_of_no_rows_is_sound(tmp_path: Path) -> None:
    where = tmp_path / "empty.parquet"
    pq.write_table(pa.table({"id": pa.array([], pa.int64()), "b": pa.array([], pa.bool_())}), where)
    assert tl.parquet.open(where).findings() == []


def test_times_of_day(tmp_path: Path) -> None:
    where = tmp_path / "times.parquet"
    times = {
        unit: pa.array([1_000, 61_000], pa.int64()).cast(pa.time64(unit)) for unit in ("us", "ns")
    }
    pq.write_table(
        pa.table(
            {
                **times,
                "ms": pa.array([1_000, 61_000], pa.time32("ms")),
                "odd": pa.array([1, 2], pa.time64("ns")),
            }
        ),
        where,
        version="2.6",
    )
    statistics = tl.parquet.open(where).statistics()
    assert statistics["ms"][0].max == datetime.time(0, 1, 1)
    assert statistics["us"][0].max == datetime.time(0, 0, 0, 61_000)
    assert statistics["ns"][0].max == datetime.time(0, 0, 0, 61)
    assert statistics["odd"][0].max == 2


def test_offsets_count_in_the_file() -> None:
    of = tl.parquet.open(file_of(b"\0", b"data"))
    text = r"^footer from byte 8: a? ?required field is missing at \$.num_rows \(byte 0\)$"
    with pytest.raises(tl.DecodeError, match=text) as caught:
        of.num_rows
    assert caught.value.offset == 8
    with pytest.raises(tl.DecodeError, match="^invalid footer: [^;]*$"):
        tl.parquet.open(file_of(b"\xff\xff"))


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


def file_of(footer: bytes, data: bytes = b"", magic: bytes = b"PAR1") -> bytes:
    """A file that ends in this footer."""
    return b"PAR1" + data + footer + struct.pack("<I", len(footer)) + magic


def footer_of(**changes: Any) -> bytes:
    """A sound footer of two columns and two row groups, but for the changes."""
    meta = {
        "type": 1,
        "encodings": [0],
        "codec": 0,
        "num_values": 1,
        "total_uncompressed_size": 1,
        "total_compressed_size": 1,
        "data_page_offset": 4,
    }
    chunks = [
        {
            "file_offset": 0,
            "meta_data": {
                **meta,
                "path_in_schema": [name],
                "statistics": {"min_value": b"\1\0\0\0", "max_value": b"\2\0\0\0"},
            },
        }
        for name in "ab"
    ]
    group = {"columns": chunks, "total_byte_size": 1, "num_rows": 1}
    schema = [
        {"name": "root", "num_children": 2},
        {"name": "a", "type": 1},
        {"name": "b", "type": 1, "num_children": 0},
    ]
    metadata = {
        "version": 1,
        "schema": schema,
        "num_rows": 2,
        "row_groups": [group, group],
        **changes,
    }
    return parquet.schema.FileMetaData.encode(metadata, protocol="compact")


def test_columns_of_writers_that_count_no_children() -> None:
    of = parquet.open(file_of(footer_of(), b"x"))
    assert list(of.columns) == ["a", "b"] and of.findings() == []
    assert [statistics[:2] for statistics in of.statistics("b")["b"]] == [(1, 2), (1, 2)]


def test_row_groups_of_different_column_counts() -> None:
    groups = parquet.schema.FileMetaData.decode(footer_of(), protocol="compact")["row_groups"]
    short = {**groups[1], "columns": groups[1]["columns"][:1]}
    of = parquet.open(file_of(footer_of(row_groups=[groups[0], short]), b"x"))
    assert of.statistics("a")["a"][1][:2] == (1, 2)
    with pytest.raises(tl.DecodeError, match="row group 1 has no column 'b'"):
        of.statistics("b")
    with pytest.raises(tl.DecodeError, match="row group 1 has 1 columns, the schema 2"):
        of.validate()


def test_contradictions_are_findings() -> None:
    metadata = parquet.schema.FileMetaData.decode(footer_of(), protocol="compact")
    first, second = metadata["row_groups"]
    a, b = first["columns"]

    def findings(**changes: Any) -> list[str]:
        return [
            f"{finding} at {finding.path}"
            for finding in parquet.open(file_of(footer_of(**changes), b"x")).findings()
        ]

    def of_chunk(chunk: Any) -> list[str]:
        return findings(row_groups=[{**first, "columns": [chunk, b]}, second])

    assert findings() == []
    texts = findings(row_groups=[{**first, "num_rows": -3}, second])
    assert (
        "row group 0 has -3 rows at $.row_groups[0].num_rows" in texts[0]
        and "the row groups have -2 rows, the file 2" in texts[1]
    )
    assert "the row groups have 2 rows, the file 7" in findings(num_rows=7)[0]
    assert (
        "column 'a' has -3 values at $.row_groups[0].columns[0]"
        in of_chunk({**a, "meta_data": {**a["meta_data"], "num_values": -3}})[0]
    )
    assert (
        "column 'a' has the path 'x.a'"
        in of_chunk({**a, "meta_data": {**a["meta_data"], "path_in_schema": ["x", "a"]}})[0]
    )
    assert "column 'a' has no metadata" in of_chunk({"file_offset": 0})[0]
    assert of_chunk({"file_offset": 0, "crypto_metadata": {"ENCRYPTION_WITH_FOOTER_KEY": {}}}) == []
    assert of_chunk({"file_offset": 0, "file_path": "other.parquet"}) == []
    no_text = footer_of().replace(b"\x38\x01a", b"\x38\x01\xff")
    of = parquet.open(file_of(no_text, b"x"))
    begin, byte = 4 + len("x"), no_text.index(b"\xff") - 1  # of its size, where the value begins
    finding = of.findings()[0]
    assert finding.path == "$.schema[1].name" and finding.offset == begin + byte
    assert str(finding) == (
        f"footer from byte {begin}: a string is not valid UTF-8 at $.schema[1].name (byte {byte})"
    )


def test_missing_and_mistyped_fields_are_named() -> None:
    footer = parquet.schema.FileMetaData
    metadata = footer.decode(footer_of(), protocol="compact")
    for field in ("schema", "num_rows", "row_groups"):
        cut = footer.trim(footer_of(), f"{{ * -{field} }}", protocol="compact")
        of = parquet.open(file_of(cut))
        assert [finding.code for finding in of.findings()] == ["missing_required"]
        with pytest.raises(tl.Error):
            getattr(of, {"schema": "columns"}.get(field, field)), of.statistics("a")
    no_root = parquet.open(file_of(footer_of(schema=[])))
    with pytest.raises(tl.DecodeError, match="the schema is empty"):
        no_root.tree()
    deep = [{"name": "r", "num_children": 1}] * 70 + [{"name": "x", "type": 1}]
    with pytest.raises(tl.DecodeError, match="64 levels"):
        parquet.open(file_of(footer_of(schema=deep))).tree()
    mistyped = tl.loads(
        "struct E { 4: i32 name } struct F { 1: i32 version, 2: list<E> schema, 3: i64 num_rows, "
        "4: list<E> row_groups }"
    ).F
    of = parquet.open(
        file_of(
            mistyped.encode(
                {"version": 1, "schema": [{"name": 1}], "num_rows": 0, "row_groups": []},
                protocol="compact",
            )
        )
    )
    with pytest.raises(tl.DecodeError) as caught:
        of.tree()
    assert caught.value.code == "type_mismatch" and metadata["num_rows"] == 2


def test_footers_that_claim_too_much() -> None:
    for footer in (
        b"\x19\xfc\xff\xff\xff\xff\x07",
        b"\x29\xfc\xff\xff\x7f",
        b"\x48\xff\xff\xff\xff\x07",
        b"\x1c" * 200,
        b"\x0f",
        b"\x15",
        b"\xff" * 64,
    ):
        with pytest.raises(tl.DecodeError, match="invalid footer") as caught:
            parquet.open(file_of(footer))
        assert caught.value.offset is not None and 4 <= caught.value.offset <= 4 + len(footer)
    with pytest.raises(tl.DecodeError, match="bytes follow the metadata") as caught:
        parquet.open(file_of(footer_of() + b"\0"))
    assert caught.value.code == "trailing_bytes" and caught.value.offset == 4 + len(footer_of())
    with pytest.raises(tl.DecodeError, match="bytes follow the metadata"):
        parquet.open(file_of(footer_of() + bytes(28)))


def test_numbers_that_newer_formats_may_use(tmp_path: Path) -> None:
    footer = parquet.schema.FileMetaData
    path = tmp_path / "new.parquet"
    metadata = footer.decode(footer_of(), protocol="compact")
    for group in metadata["row_groups"]:
        for chunk in group["columns"]:
            chunk["meta_data"].update(codec=99, encodings=[0, 77])
    metadata["schema"][1].update(converted_type=88)
    path.write_bytes(file_of(footer.encode(metadata, protocol="compact"), b"x"))
    assert {finding.code for finding in parquet.open(path).findings()} == {"unknown_enum_value"}, (
        "named, but nothing else is hindered"
    )
    status, text, errors = run(path, "--row-groups")
    assert (status, json.loads(text.splitlines()[0])["codec"], errors) == (0, 99, "")
    for options in ([], ["--json"], ["--statistics", "a"]):
        status, text, errors = run(path, *options)
        assert (status, errors) == (0, "") and text


def test_values_of_every_kind() -> None:
    half = {"type": "FIXED_LEN_BYTE_ARRAY", "type_length": 2, "logicalType": {"FLOAT16": {}}}
    assert parquet.value_of(half, b"\0\x3c") == 1.0
    for element, raw, value in (
        ({"type": "INT96"}, bytes(12), bytes(12)),
        ({"type": "INT32", "converted_type": "UINT_32"}, b"\xff" * 4, 2**32 - 1),
        ({"type": "INT32", "logicalType": {"DATE": {}}}, struct.pack("<i", 2**31 - 1), 2**31 - 1),
        (
            {"type": "INT64", "converted_type": "TIMESTAMP_MILLIS"},
            struct.pack("<q", 1),
            datetime.datetime(1970, 1, 1, 0, 0, 0, 1000, datetime.timezone.utc),
        ),
        (
            {"type": "BYTE_ARRAY", "converted_type": "DECIMAL", "scale": 2},
            b"\xff\x38",
            decimal.Decimal("-2.00"),
        ),
        ({"type": "DOUBLE"}, b"short", b"short"),
        ({"type": "BYTE_ARRAY", "logicalType": {}}, b"\xff", b"\xff"),
    ):
        assert parquet.value_of(element, raw) == value, element


def encrypted(path: Path, plaintext_footer: bool) -> None:
    """A file of the columns a, encrypted with a separate key, and b."""
    encryption = pytest.importorskip("pyarrow.parquet.encryption")

    class Keys(encryption.KmsClient):  # type: ignore[misc, name-defined]
        def wrap_key(self, key: bytes, master: str) -> bytes:
            return key

        def unwrap_key(self, wrapped: bytes, master: str) -> bytes:
            return wrapped

    configuration = encryption.EncryptionConfiguration(
        footer_key="f" * 16, column_keys={"c" * 16: ["a"]}, plaintext_footer=plaintext_footer
    )
    properties = encryption.CryptoFactory(lambda _: Keys()).file_encryption_properties(
        encryption.KmsConnectionConfig(), configuration
    )
    table = pa.table({"a": [1, 2], "b": [3, 4]})
    with pq.ParquetWriter(path, table.schema, encryption_properties=properties) as writer:
        writer.write_table(table)


def test_encrypted_files(tmp_path: Path) -> None:
    path = tmp_path / "e.parquet"
    encrypted(path, plaintext_footer=False)
    with pytest.raises(tl.DecodeError, match="encrypted: the file ends in PARE"):
        parquet.open(path)
    encrypted(path, plaintext_footer=True)
    of, original = parquet.open(path), path.read_bytes()
    assert of.num_rows == 2 and list(of.columns) == ["a", "b"] and of.findings() == []
    chunk = of.row_groups[0].columns["a"]
    assert chunk.is_encrypted and chunk.statistics.min is None
    with pytest.raises(tl.DecodeError, match="'a' is encrypted"):
        list(chunk.pages())
    for change in (
        lambda: of.set_key_value("k", "v"),
        lambda: of.drop_statistics(),
        lambda: of.redact(paths={"$.created_by": "drop"}),
    ):
        with pytest.raises(tl.Error, match="signed"):
            change()
    of.save(tmp_path / "copy.parquet")
    assert (tmp_path / "copy.parquet").read_bytes() == original and of.to_bytes() == original
    status, text, _ = run(path)
    assert status == 0 and text.startswith("2 rows, 2 columns, 1 row groups")


def run(*arguments: Any) -> tuple[int, str, str]:
    import subprocess
    import sys

    result = subprocess.run(
        [sys.executable, "-m", "thriftlens", "parquet", *map(str, arguments)], capture_output=True
    )
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def test_the_command(file: Path, tmp_path: Path) -> None:
    status, text, _ = run(file)
    assert (
        status == 0
        and text.startswith("1000 rows, 10 columns, 4 row groups, written by parquet-cpp-arrow")
        and "optional int64 a\n" in text
    )
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
        "--set",
        "k=v=w",
        "--delete",
        "ARROW:schema",
        "--rename",
        "a=id",
        "--drop-statistics",
        "--keep-column",
        "a",
        "--keep-row-group",
        "1",
    ]
    assert run(file, *changed, "-o", tmp_path / "out") == (0, "", "")
    read = pq.read_table(tmp_path / "out")
    assert (
        read.column_names == ["id"]
        and read["id"].to_pylist() == list(range(300, 600))
        and read.schema.metadata == {b"k": b"v=w"}
    )
    assert (
        run(file, "--scrub", "$.created_by", "--in-place", "--atomic")[0] == 0
        and parquet.open(file).created_by is None
    )
    for wrong, status, message in (
        (["--set", "k=v"], 2, "changes need"),
        (["--in-place"], 2, "no changes to save"),
        (["--set", "k", "--in-place"], 2, "NAME=VALUE"),
        (["--rename", "zz=y", "--in-place"], 2, "no column 'zz'"),
        (["--keep-row-group", "9", "--in-place"], 1, "no row group 9"),
        (["--get", "$.encryption_algorithm"], 1, "no value at"),
    ):
        got = run(file, *wrong)
        assert got[0] == status and message in got[2], got
    file.write_bytes(file.read_bytes()[:-3])
    assert run(file)[0] == 1


@pytest.mark.parametrize("data", [
    b"PAR1" + bytes(20), b"PAR1" + b"\x15" * 8 + struct.pack("<I", 8) + b"PAR1", b"PAR1" + struct.pack("<I", 99) + b"PAR1", b"PAR1" + bytes(8) + b"PARE",
])  # fmt: skip
def test_errors_of_parquet_footers_name_the_byte(data, tmp_path):
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(tl.DecodeError) as caught:
        tl.parquet.open(tmp_path / "file")
    assert str(caught.value).endswith(f"(byte {caught.value.offset})")
