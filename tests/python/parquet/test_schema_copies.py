"""Copies of the schema in a Parquet footer follow renamed and removed columns:

Arrow's, Spark's and pandas'."""

import base64
import io
import json

import pytest
import thriftlens as tl

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
SPARK = "org.apache.spark.sql.parquet.row.metadata"


def spark_fields(**types):
    return {
        "type": "struct",
        "fields": [
            {"name": name, "type": type, "nullable": True, "metadata": {"comment": name}}
            for name, type in types.items()
        ],
    }


def spark_array(type):
    return {"type": "array", "elementType": type, "containsNull": True}


def spark_map(value):
    return {"type": "map", "keyType": "string", "valueType": value, "valueContainsNull": True}


def footer(table, **entries):
    out = io.BytesIO()
    pq.write_table(
        table.replace_schema_metadata(
            {
                **(table.schema.metadata or {}),
                **{key: json.dumps(value) for key, value in entries.items()},
            }
        ),
        out,
    )
    return tl.parquet.open(out.getvalue())


def arrow_schema(file):
    """The copy as pyarrow reads it."""
    return pa.ipc.read_schema(pa.py_buffer(base64.b64decode(file.key_value["ARROW:schema"])))


STRUCT = pa.struct([("p", pa.int32()), ("q", pa.large_string())])
TABLE = pa.table({
    "s": pa.array([{"p": 1, "q": "a"}], STRUCT),
    "l": pa.array([[[{"p": 1, "q": "a"}]]], pa.large_list(pa.list_(STRUCT))),
    "m": pa.array([[("k", {"p": 1, "q": "a"})]], pa.map_(pa.string(), STRUCT)),
    "d": pa.array(["x"]).dictionary_encode(),
    "z": pa.array([0], pa.timestamp("ms", "Asia/Tokyo")),
})  # fmt: skip
ROW = spark_fields(p="integer", q="string")
SPARK_ROW = spark_fields(
    s=ROW, l=spark_array(spark_array(ROW)), m=spark_map(ROW), d="string", z="timestamp"
)
PLACES = {"s": "s", "l": "l.list.element.list.element", "m": "m.key_value.value"}


def test_renamed_columns_have_the_new_name_in_all_copies():
    file = footer(TABLE, **{SPARK: SPARK_ROW})
    file.set_key_value("owner", "Ann")
    for column in PLACES.values():
        file.rename(f"{column}.p", "first")
    file.rename("l", "L")
    file.rename("z", "Z")
    text = (
        json.dumps(SPARK_ROW)
        .replace('"name": "p"', '"name": "first"')
        .replace('"name": "l"', '"name": "L"')
        .replace('"name": "z"', '"name": "Z"')
    )
    assert json.loads(file.key_value[SPARK]) == json.loads(text)
    struct = pa.struct([("first", pa.int32()), ("q", pa.large_string())])
    types = [
        struct,
        pa.large_list(pa.list_(struct)),
        pa.map_(pa.string(), struct),
        pa.dictionary(pa.int32(), pa.string()),
        TABLE["z"].type,
    ]
    read = pq.read_table(io.BytesIO(file.to_bytes()))
    for schema in (arrow_schema(file), read.schema):
        assert schema.names == ["s", "L", "m", "d", "Z"] and schema.types == types
        assert schema.metadata[b"owner"] == b"Ann"
    assert read["Z"].to_pylist() == TABLE["z"].to_pylist()
    assert read["m"].to_pylist() == [[("k", {"first": 1, "q": "a"})]]


def test_removed_columns_are_in_no_copy():
    file = footer(TABLE, **{SPARK: SPARK_ROW})
    file.keep_columns(
        "s.q", "l.list.element.list.element.q", "m.key_value.key", "m.key_value.value.q", "z"
    )
    row = {"type": "struct", "fields": ROW["fields"][1:]}
    copies = {"s": row, "l": spark_array(spark_array(row)), "m": spark_map(row), "z": "timestamp"}
    assert json.loads(file.key_value[SPARK]) == spark_fields(**copies)
    struct = pa.struct([("q", pa.large_string())])
    types = [struct, pa.large_list(pa.list_(struct)), pa.map_(pa.string(), struct), TABLE["z"].type]
    assert arrow_schema(file).types == pq.read_schema(io.BytesIO(file.to_bytes())).types == types
    assert arrow_schema(file).names == ["s", "l", "m", "z"]
    assert arrow_schema(file).metadata[SPARK.encode()].decode() == file.key_value[SPARK]


def pandas_copy(index_columns, labels="unicode", **names):
    """As pyarrow writes it; `names` are labels by column."""
    columns = [
        {
            "name": label,
            "field_name": name,
            "pandas_type": "int64",
            "numpy_type": "int64",
            "metadata": None,
        }
        for name, label in names.items()
    ]
    label = {
        "name": None,
        "field_name": None,
        "pandas_type": labels,
        "numpy_type": "object",
        "metadata": None,
    }
    return {
        "index_columns": index_columns,
        "column_indexes": [label],
        "columns": columns,
        "pandas_version": "2.2.0",
    }


@pytest.mark.parametrize("change, index_columns, names", [
    (lambda file: file.rename("a", "A"), ["i", "__index_level_1__"],
        {"A": "A", "b": "b", "i": "i", "__index_level_1__": None}),
    (lambda file: file.rename("i", "I"), ["I", "__index_level_1__"],
        {"a": "a", "b": "b", "I": "I", "__index_level_1__": None}),
    (lambda file: file.rename("__index_level_1__", "J"), ["i", "J"],
        {"a": "a", "b": "b", "i": "i", "J": None}),
    (lambda file: file.keep_columns("b", "i"), ["i"], {"b": "b", "i": "i"}),
    (lambda file: file.keep_columns("b"), [], {"b": "b"}),
])  # fmt: skip
def test_pandas_reads_the_columns_and_the_index(change, index_columns, names):
    pandas_metadata = pandas_copy(
        ["i", "__index_level_1__"], a="a", b="b", i="i", __index_level_1__=None
    )
    table = pa.table({name: [1] for name in ("a", "b", "i", "__index_level_1__")})
    file = footer(table, pandas=pandas_metadata)
    change(file)
    assert json.loads(file.key_value["pandas"]) == pandas_copy(index_columns, **names)
    read = pq.read_table(io.BytesIO(file.to_bytes()))
    assert read.schema.metadata[b"pandas"].decode() == file.key_value["pandas"]
    pytest.importorskip("pandas")
    frame = read.to_pandas()
    assert [*frame.columns] == [name for name in names if name not in index_columns]
    assert frame.index.names == ([names[name] for name in index_columns] or [None])


@pytest.mark.parametrize("key, original, rewritten", [
    ("parquet.avro.schema", {"type": "record", "name": "R", "fields": [{"name": "s", "type": "S"}]},
        None),
    ("iceberg.schema", spark_fields(s=spark_fields(p="int")), None),
    ("thrift.descriptor", {"id": "STRUCT"}, None),
    (SPARK, spark_fields(s="string"), None),
    (SPARK, spark_fields(other="string"), None),
    ("pandas", {"columns": "broken"}, None),
    ("other", {"s": {"p": 1}}, {"s": {"p": 1}}),
])  # fmt: skip
def test_copies_are_rewritten_or_removed(key, original, rewritten):
    file = footer(pa.table({"s": [{"p": 1, "q": 2}], "t": [1]}), **{key: original})
    file.rename("s.p", "x")
    assert json.loads(file.key_value.get(key, "null")) == rewritten
    read = pq.read_schema(io.BytesIO(file.to_bytes())).metadata or {}
    assert json.loads(read.get(key.encode(), b"null")) == rewritten


def test_labels_other_than_text_are_not_renamed():
    table = pa.table({"0": [1], "1": [2]})
    file = footer(table, pandas=pandas_copy([], "int64", **{"0": "0", "1": "1"}))
    file.keep_columns("1")
    assert [column["name"] for column in json.loads(file.key_value["pandas"])["columns"]] == ["1"]
    file.rename("1", "x")
    assert "pandas" not in file.key_value and "pandas" not in (arrow_schema(file).metadata or {})


def test_an_extension_type_whose_fields_change_is_removed():
    class Pair(pa.ExtensionType):
        def __init__(self):
            super().__init__(STRUCT, "test.pair")

        def __arrow_ext_serialize__(self):
            return b""

        @classmethod
        def __arrow_ext_deserialize__(cls, storage, data):
            return cls()

    table = pa.table({"e": pa.ExtensionArray.from_storage(Pair(), TABLE["s"].combine_chunks())})
    file = footer(table)
    file.rename("e", "E")
    assert arrow_schema(file).names == ["E"]
    file.rename("E.p", "x")
    assert "ARROW:schema" not in file.key_value
