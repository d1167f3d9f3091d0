"""Key/value metadata that is deleted or replaced is gone: from the file's bytes, from ARROW:schema,
and from the schemas of Spark and pandas."""

from __future__ import annotations

import base64
import io
import json
from typing import Any

import pytest
import thriftlens as tl

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

SECRET = "alice@example.com"
SPARK = "org.apache.spark.sql.parquet.row.metadata"
ROW = {
    "type": "struct",
    "fields": [
        {
            "name": "a",
            "type": "long",
            "nullable": True,
            "metadata": {"comment": f"of {SECRET}", "x": 1},
        },
        {
            "name": "s",
            "type": {
                "type": "struct",
                "fields": [
                    {
                        "name": "in",
                        "type": "long",
                        "nullable": True,
                        "metadata": {"mail": "other", "who": SECRET},
                    }
                ],
            },
        },
    ],
}
FIELDS = [
    pa.field("a", pa.int64(), metadata={"owner": SECRET, "n": "x"}),
    pa.field("t", pa.timestamp("us", "UTC")),
    pa.field(
        "s", pa.struct([pa.field("in", pa.duration("s"), metadata={"k": "v", "o": f"by {SECRET}"})])
    ),
    pa.field("l", pa.list_(pa.field("item", pa.large_string(), metadata={"o": SECRET}))),
    pa.field("d", pa.dictionary(pa.int32(), pa.string())),
]
PLAIN = pa.schema(
    [
        pa.field("a", pa.int64()),
        *FIELDS[1:2],
        pa.field("s", pa.struct([pa.field("in", pa.duration("s"))])),
        pa.field("l", pa.list_(pa.large_string())),
        FIELDS[4],
    ]
)


def written(metadata: dict[str, str], fields: Any = FIELDS) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.schema(fields, metadata=metadata).empty_table(), out)
    return out.getvalue()


def hidden(data: bytes) -> bytes:
    """All metadata of a file, with base64 decoded."""
    metadata = pq.read_metadata(io.BytesIO(data)).metadata or {}
    return b"".join(
        [data, *metadata.values(), base64.b64decode(metadata.get(b"ARROW:schema", b""))]
    )


def sample() -> bytes:
    pandas = {"columns": [{"name": "a", "metadata": None}], "attributes": {"mail": SECRET, "b": 2}}
    return written({"mail": SECRET, "z": "1", "pandas": json.dumps(pandas), SPARK: json.dumps(ROW)})


@pytest.mark.parametrize("change", ["delete", "set", "set_longer", "set_none"])
def test_a_deleted_value_is_removed_everywhere(change: str) -> None:
    data = sample()
    assert hidden(data).count(SECRET.encode()) > 5
    file = tl.parquet.open(data)
    new = {"set": "x", "set_longer": "Zoë " * 500}.get(change)
    if change == "delete":
        file.delete_key_value("mail")
    else:
        file.set_key_value("mail", new)
    saved = file.to_bytes()
    assert SECRET.encode() not in hidden(saved)
    file.validate()
    schema = pq.read_schema(io.BytesIO(saved))
    assert schema.equals(PLAIN)  # types that only ARROW:schema has
    assert schema.metadata.get(b"mail", b"").decode() == (new or "")
    assert schema.metadata[b"z"] == b"1"
    assert schema.field("a").metadata == {b"n": b"x"}
    assert schema.field("s").type.field(0).metadata == {b"k": b"v"}
    assert json.loads(schema.metadata[b"pandas"])["attributes"] == {"b": 2}
    fields = json.loads(schema.metadata[SPARK.encode()])["fields"]
    assert fields[0]["metadata"] == {"x": 1} and fields[1]["type"]["fields"][0]["metadata"] == {}
    assert json.loads(file.key_value[SPARK]) == json.loads(schema.metadata[SPARK.encode()])


def test_redacted_values_are_removed_everywhere() -> None:
    for path in ("$.key_value_metadata[*].value", "$.key_value_metadata"):
        file = tl.parquet.open(sample())
        file.redact(paths={path: "drop"})
        assert SECRET.encode() not in hidden(file.to_bytes())


def test_a_short_value_is_removed_under_its_own_key_alone() -> None:
    fields = [pa.field("a", pa.int64(), metadata={"PARQUET:field_id": "1", "k": "1", "other": "1"})]
    file = tl.parquet.open(written({"k": "1", "z": "1"}, fields))
    file.delete_key_value("k")
    schema = pq.read_schema(io.BytesIO(file.to_bytes()))
    assert schema.metadata == {b"z": b"1"}
    assert schema.field("a").metadata == {b"PARQUET:field_id": b"1", b"other": b"1"}


def test_all_entries_of_a_key_are_replaced() -> None:
    data = written({"a": "1"}, [pa.field("x", pa.int64())])
    file = tl.parquet.open(data)
    footer = tl.parquet.schema.FileMetaData.edit(file.footer, protocol="compact")
    footer.append("$.key_value_metadata", {"key": "k", "value": SECRET}).append(
        "$.key_value_metadata", {"key": "k", "value": "last"}
    )
    file._footer.replace(footer.apply())
    file.set_key_value("k", "new")
    saved = file.to_bytes()
    assert SECRET.encode() not in hidden(saved) and file.key_value["k"] == "new"
    assert [row["key"] for row in file._footer.decoded("key_value_metadata")].count("k") == 1


def test_an_unreadable_copy_is_removed() -> None:
    for broken in (
        "not base64!",
        base64.b64encode(b"\xff\xff\xff\xff\x10\0\0\0" + b"\xff" * 16).decode(),
        base64.b64encode(SECRET.encode()).decode(),
    ):
        file = tl.parquet.open(written({"mail": SECRET}))
        file.set_key_value("ARROW:schema", broken)
        file.set_key_value("mail", SECRET)
        file.delete_key_value("mail")
        assert "ARROW:schema" not in file.key_value
        assert SECRET.encode() not in hidden(file.to_bytes())


def test_a_corrupted_arrow_schema_is_handled() -> None:
    from thriftlens._parquet.arrow_metadata import BrokenSchema, changed_metadata

    (text,) = [
        value for key, value in tl.parquet.open(sample()).key_value.items() if key == "ARROW:schema"
    ]
    message = base64.b64decode(str(text))
    for at in range(len(message)):
        for value in (0, 1, 0x7F, 0xFF):
            damaged = base64.b64encode(message[:at] + bytes([value]) + message[at + 1 :]).decode()
            try:
                changed_metadata(
                    damaged, lambda key, value, is_field: "other" if key == "mail" else not is_field
                )
            except BrokenSchema:
                pass


def test_other_entries_keep_their_bytes() -> None:
    file = tl.parquet.open(sample())
    original = dict(file.key_value)
    file.set_key_value("more", "x")
    assert {key: value for key, value in file.key_value.items() if key != "more"} == original
    file.set_key_value("more", "y")
    assert {key: value for key, value in file.key_value.items() if key != "more"} == original


def test_entries_of_column_chunks_go_too() -> None:
    out = io.BytesIO()
    table = pa.table(
        {"a": [1]}, schema=pa.schema([pa.field("a", pa.int64())], metadata={"mail": SECRET})
    )
    pq.write_table(table, out)
    file = tl.parquet.open(out.getvalue())
    footer = tl.parquet.schema.FileMetaData.edit(file.footer, protocol="compact")
    footer.set(
        "$.row_groups[0].columns[0].meta_data.key_value_metadata",
        [{"key": "o", "value": f"<{SECRET}>"}, {"key": "p", "value": "q"}],
    )
    file._footer.replace(footer.apply())
    file.delete_key_value("mail")
    assert SECRET.encode() not in hidden(file.to_bytes())
    result = bytes(
        file.view["row_groups"][0]["columns"][0]["meta_data"]["key_value_metadata"][0]["key"],
        "utf-8",
    )
    assert result == b"p"


@pytest.mark.parametrize("options", [["--delete-metadata", "mail"], ["--set-metadata", "mail=x"]])
@pytest.mark.parametrize(
    "where", [["--in-place"], ["--in-place", "--atomic"], ["-o", "out.parquet"]]
)
def test_the_command_leaves_no_copy(
    run: Any, tmp_path: Any, options: list[str], where: list[str]
) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(sample())
    where = [
        str(tmp_path / argument) if argument.endswith(".parquet") else argument
        for argument in where
    ]
    completed = run("parquet", path, *options, *where)
    assert completed.returncode == 0, completed.stderr
    result = (tmp_path / "out.parquet") if where[0] == "-o" else path
    assert SECRET.encode() not in hidden(result.read_bytes())


AVRO = {
    "type": "record", "name": "r", "owner": "x", "doc": f"by {SECRET}", "aliases": ["r1", SECRET],
    "fields": [{"name": "a", "type": ["null", {"type": "long", "owner": SECRET, "unit": "s"}],
    "owner": "y", "default": SECRET}],
}  # fmt: skip
PANDAS = {
    "a": SECRET,
    "creator": {"library": SECRET, "version": "1"},
    "owner": "1",
    "index_columns": ["a"],
    "columns": [{"name": "a", "field_name": "a", "metadata": {"owner": 1}}],
}


@pytest.mark.parametrize("key,tree,expected", [
    ("parquet.avro.schema", AVRO, {"type": "record", "name": "r", "aliases": ["r1"],
    "fields": [{"name": "a", "type": ["null", {"type": "long", "unit": "s"}]}]}),
    ("avro.schema", AVRO["fields"][0], {"name": "a", "type": ["null", {"type": "long",
    "unit": "s"}]}),
    ("pandas", PANDAS, {"creator": {"version": "1"}, "index_columns": ["a"],
    "columns": [{"name": "a", "field_name": "a", "metadata": {}}]}),
    (SPARK, {"type": "struct", "owner": "z", "fields": [{"name": SECRET, "type": "long",
    "n": [{"owner": 1}]}]}, {"type": "struct", "fields": [{"name": SECRET, "type": "long",
    "n": [{}]}]}),
    ("custom", [{"owner": "other", "who": f"{SECRET}!", SECRET: 1, "type": "t"}, SECRET,
    {"x": {"owner": SECRET}}], [{"owner": "other", "type": "t"}, {"x": {}}]),
])  # fmt: skip
def test_copies_in_json_are_removed(key: str, tree: Any, expected: Any) -> None:
    file = tl.parquet.open(
        written(
            {"owner": SECRET, key: json.dumps(tree), "note": f"by {SECRET}"},
            [pa.field("a", pa.int64())],
        )
    )
    file.delete_key_value("owner")
    schema = pq.read_schema(io.BytesIO(file.to_bytes()))  # its metadata is that of ARROW:schema
    assert json.loads(file.key_value[key]) == json.loads(schema.metadata[key.encode()]) == expected
    assert file.key_value["note"] == f"by {SECRET}"  # text of another entry


def test_escaped_copies_are_removed() -> None:
    value = 'Zoë "Z" Ünal'
    nested = json.dumps({"attributes": {"raw": json.dumps({"who": value}), "b": 1}})
    file = tl.parquet.open(
        written(
            {"owner": value, "pandas": nested},
            [pa.field("a", pa.int64(), metadata={"raw": json.dumps([value]), "n": "x"})],
        )
    )
    file.delete_key_value("owner")
    assert json.loads(file.key_value["pandas"]) == {"attributes": {"b": 1}}
    assert pq.read_schema(io.BytesIO(file.to_bytes())).field("a").metadata == {b"n": b"x"}


def test_statistics_are_dropped_next_to_a_field_of_another_type() -> None:
    """A writer has bloom_filter_length as i64."""
    import re
    from pathlib import Path

    text = (Path(tl.parquet.__file__).parent / "parquet.thrift").read_text()
    foreign = tl.loads(re.sub("i32 bloom_filter_length", "i64 bloom_filter_length", text))[
        "FileMetaData"
    ]
    file = tl.parquet.open(written({}, [pa.field("a", pa.int64()), pa.field("b", pa.int64())]))
    footer = foreign.decode(file.footer, protocol="compact")
    column = {
        "type": 2, "encodings": [0], "codec": 0, "num_values": 0, "total_uncompressed_size": 0,
        "total_compressed_size": 0, "data_page_offset": 4,
    }  # fmt: skip
    statistics = {"null_count": 0, "min_value": b"\1" * 8, "max_value": b"\2" * 8}
    chunks = [
        {
            "file_offset": 4,
            "meta_data": {
                **column,
                "path_in_schema": [name],
                "statistics": statistics,
                "bloom_filter_offset": 4,
                "bloom_filter_length": 7,
            },
        }
        for name in "ab"
    ]
    footer["row_groups"] = [{"columns": chunks, "total_byte_size": 0, "num_rows": 0}]
    for names in ((), ("a",), ("a", "b")):
        file._footer.replace(foreign.encode(footer, protocol="compact"))
        file.drop_statistics(*names)
        metadata = pq.read_metadata(io.BytesIO(file.to_bytes())).row_group(0)
        present = [metadata.column(at).statistics is not None for at in range(2)]
        assert present == [bool(names) and name not in names for name in "ab"]
        assert not any(
            "bloom_filter_length" in str(error)
            for error in file.findings()
            if not names or "columns[1]" not in str(error.path)
        )
