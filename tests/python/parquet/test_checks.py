"""Errors in footers."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest
import thriftlens as tl
from parquet_files import file_of, footer_of
from thriftlens import parquet

pa = pytest.importorskip("pyarrow")


pq = pytest.importorskip("pyarrow.parquet")


def test_a_file_without_rows_is_valid(tmp_path: Path) -> None:
    where = tmp_path / "empty.parquet"
    pq.write_table(pa.table({"id": pa.array([], pa.int64()), "b": pa.array([], pa.bool_())}), where)
    assert tl.parquet.open(where).findings() == []


def test_offsets_count_in_the_file() -> None:
    of = tl.parquet.open(file_of(b"\0", b"data"))
    text = r"^footer from byte 8: a? ?required field is missing at \$.num_rows \(byte 0\)$"
    with pytest.raises(tl.DecodeError, match=text) as caught:
        of.num_rows
    assert caught.value.offset == 8
    with pytest.raises(tl.DecodeError, match="^invalid footer: [^;]*$"):
        tl.parquet.open(file_of(b"\xff\xff"))


def test_row_groups_of_different_column_counts() -> None:
    groups = parquet.schema.FileMetaData.decode(footer_of(), protocol="compact")["row_groups"]
    short = {**groups[1], "columns": groups[1]["columns"][:1]}
    of = parquet.open(file_of(footer_of(row_groups=[groups[0], short]), b"x"))
    assert of.statistics("a")["a"][1][:2] == (1, 2)
    with pytest.raises(tl.DecodeError, match="row group 1 has no column 'b'"):
        of.statistics("b")
    with pytest.raises(tl.DecodeError, match="row group 1 has 1 columns, but the schema has 2"):
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
    assert "row group 0 has a negative number of rows: -3 at $.row_groups[0].num_rows" in texts[0]
    assert "the row groups have -2 rows, but the file has 2" in texts[1]
    assert "the row groups have 2 rows, but the file has 7" in findings(num_rows=7)[0]
    result = of_chunk({**a, "meta_data": {**a["meta_data"], "num_values": -3}})
    assert (
        "column 'a' has a negative number of values: -3 at $.row_groups[0].columns[0]" in result[0]
    )
    result = of_chunk({**a, "meta_data": {**a["meta_data"], "path_in_schema": ["x", "a"]}})
    assert "expected column 'a', found the path 'x.a'" in result[0]
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


@pytest.mark.parametrize("data", [
    b"PAR1" + bytes(20), b"PAR1" + b"\x15" * 8 + struct.pack("<I", 8) + b"PAR1",
    b"PAR1" + struct.pack("<I", 99) + b"PAR1", b"PAR1" + bytes(8) + b"PARE",
])  # fmt: skip
def test_errors_of_parquet_footers_name_the_byte(data, tmp_path):
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(tl.DecodeError) as caught:
        tl.parquet.open(tmp_path / "file")
    assert str(caught.value).endswith(f"(byte {caught.value.offset})")
