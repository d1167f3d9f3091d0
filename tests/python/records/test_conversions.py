"""Options of Type.columns and Type.from_columns."""

import json
import uuid

import pytest
import thriftlens as tl

IDL = """
struct In { 1: i32 v, 2: list<i32> l }
struct Row { 1: i64 id, 2: string s, 3: In i, 4: list<In> items, 5: map<string, i32> m,
  6: uuid key }
"""

Row = tl.loads(IDL)["Row"]
WRONG = tl.loads("""
struct In { 1: string v, 2: list<string> l }
struct Row { 1: i64 id, 2: binary s, 3: In i, 4: list<In> items, 5: map<string, string> m,
  7: i32 extra }
""")["Row"]


@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_columns_take_the_leniencies_of_decode(protocol):
    value = {"id": 1, "i": {"v": "x", "l": ["y"]}, "items": [{"v": "z"}, {}], "m": {"k": "v"}}
    data = WRONG.encode(value, protocol=protocol)
    good = Row.encode(
        {"id": 2, "i": {"v": 5, "l": [1]}, "items": [{"v": 6}], "m": {"k": 3}}, protocol=protocol
    )
    records = [good, data, good]
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(tl.DecodeError) as caught:
        Row.columns([data], protocol=protocol).num_rows
    assert caught.value.code == "type_mismatch"
    for options in ({}, {"unions": "dense"}):
        table = pa.table(Row.columns(records, protocol=protocol, mismatch="drop", **options))
        table.validate(full=True)
        assert [row["id"] for row in table.to_pylist()] == [2, 1, 2]
        for row, record in zip(table.to_pylist(), records):
            decoded = Row.decode(record, protocol=protocol, mismatch="drop")
            for name in ("i", "items", "m"):
                expected = decoded.get(name)
                actual = dict(row[name]) if name == "m" and row[name] is not None else row[name]
                assert strip(actual) == strip(expected), name


def strip(value):
    """Without nulls in structs, which decode leaves out."""
    if isinstance(value, dict):
        return {key: strip(part) for key, part in value.items() if part is not None}
    return [strip(part) for part in value] if isinstance(value, list) else value


def test_a_mismatch_in_a_dense_union_and_in_a_map_of_lists_is_undone():
    pa = pytest.importorskip("pyarrow")
    mine = tl.loads(
        "union U { 1: list<i32> a, 2: i32 b } struct T { 1: U u, 2: map<i32, map<i32, i32>> m, 3: "
        "i32 x }"
    )["T"]
    theirs = tl.loads(
        "union U { 1: list<string> a, 2: i32 b } struct T { 1: U u, 2: map<i32, map<i32, string>> "
        "m, 3: i32 x }"
    )["T"]
    bad = theirs.encode({"u": {"a": ["x"]}, "m": {2: {1: "x"}, 1: {5: "y"}}, "x": 1})
    good = mine.encode({"u": {"a": [3]}, "m": {1: {2: 3}}, "x": 2})
    table = pa.table(mine.columns([good, bad, good, bad], mismatch="drop", unions="dense"))
    table.validate(full=True)
    assert table["x"].to_pylist() == [2, 1, 2, 1]
    assert table["m"].to_pylist() == [[(1, [(2, 3)])], None] * 2
    assert table["u"].to_pylist() == [[3], None] * 2


def test_columns_replace_invalid_utf8():
    pa = pytest.importorskip("pyarrow")
    texts = [b"a\xffb", b"\xe2\x82", b"", b"ok", "é".encode() + b"\xc3"]
    records = [WRONG.encode({"id": 1, "s": text}) for text in texts]
    with pytest.raises(tl.DecodeError, match="UTF-8"):
        Row.columns(records).num_rows
    table = pa.table(Row.columns(records, "{ s }", invalid_utf8="replace"))
    table.validate(full=True)
    assert table["s"].to_pylist() == [text.decode("utf-8", "replace") for text in texts]
    result = table["s"].to_pylist()
    assert result == [Row.decode(record, invalid_utf8="replace").get("s") for record in records]


def test_columns_refuse_unknown_fields_on_request():
    record = WRONG.encode({"id": 1, "extra": 5})
    assert Row.columns([record]).num_rows == 1
    with pytest.raises(tl.DecodeError) as caught:
        Row.columns([record], unknown="error").num_rows
    assert caught.value.code == "unknown_field" and "#7" in str(caught.value)
    result = Row.columns([record], unknown="drop").schema_text().count(":")
    assert result == Row.columns([]).schema_text().count(":")


@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_columns_take_views(protocol, tmp_path):
    records = [
        Row.encode({"id": number, "i": {"v": number}}, protocol=protocol) for number in range(5)
    ]
    (tmp_path / "rows").write_bytes(b"".join(records))
    for target in ("binary", "compact"):
        scan = tl.scan(tmp_path / "rows", Row, protocol=protocol)
        result = Row.columns(scan, "{ id }", protocol=target).to_numpy("id").tolist()
        assert result == list(range(5))
        views = [Row.view(record, protocol=protocol).i for record in records]
        assert tl.loads(IDL)["In"].columns([], "{ v }").num_rows == 0
        assert Row.fields["i"].type.columns(views, "{ v }", protocol=target).to_numpy(
            "v"
        ).tolist() == list(range(5))
    with pytest.raises(tl.Error, match="expected a view of Row, found one of In"):
        Row.columns(views).num_rows


def test_field_ids_are_opt_in_and_unique():
    pa = pytest.importorskip("pyarrow")

    def ids(field):
        own_ids = (
            [int(field.metadata[b"PARQUET:field_id"])]
            if field.metadata and b"PARQUET:field_id" in field.metadata
            else []
        )
        return own_ids + [
            number
            for index in range(field.type.num_fields)
            for number in ids(field.type.field(index))
        ]

    plain = pa.schema(Row.arrow_schema())
    assert [number for field in plain for number in ids(field)] == []
    numbered = pa.schema(Row.arrow_schema(field_ids="unique"))
    field_ids = [number for field in numbered for number in ids(field)]
    assert field_ids == list(range(1, len(field_ids) + 1)) and len(field_ids) == 15


@pytest.mark.parametrize(
    "form",
    ["binary", "large_binary", "binary_view", "string", "large_string", "string_view", "fixed"],
)
def test_a_uuid_comes_back_in_every_form_of_bytes_and_text(form):
    pa = pytest.importorskip("pyarrow")
    key = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
    kind = pa.binary(16) if form == "fixed" else getattr(pa, form)()
    values = [str(key) if "string" in form else key.bytes, None]
    column = (
        pa.array(values, kind)
        if "view" not in form
        else pa.array(values, pa.string() if "string" in form else pa.binary()).cast(kind)
    )
    records = list(Row.from_columns(pa.table({"key": column})))
    assert Row.decode(records[0]) == {"key": key} and Row.decode(records[1]) == {}
    for wrong in ["x" * 16 if "string" in form else b"x" * 15]:
        if form != "fixed":
            with pytest.raises(tl.EncodeError, match="uuid"):
                table = pa.table(
                    {"key": pa.array([wrong], pa.string() if "string" in form else pa.binary())}
                )
                Row.from_columns(table)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_uuid_comes_back_from_an_engine(engine):
    module = pytest.importorskip(engine)
    key = uuid.uuid5(uuid.NAMESPACE_DNS, "example.org")
    columns = Row.columns([Row.encode({"id": 1, "key": key})], "{ id key }")
    back = (
        module.DataFrame(columns)
        if engine == "polars"
        else module.sql("select * from columns").arrow()
    )
    assert [Row.decode(record) for record in Row.from_columns(back)] == [{"id": 1, "key": key}]


def test_jsonable_values_can_be_dumped():
    value = {
        "id": 2**60,
        "i": {"v": 5},
        "items": [{"l": [1]}],
        "m": {"k": 3},
        "key": uuid.UUID(int=1),
    }
    data = Row.encode(value)
    plain = {**value, "key": str(value["key"])}
    assert json.loads(json.dumps(Row.to_jsonable(data))) == Row.to_jsonable(data) == plain
    assert Row.to_jsonable(data, select="{ m }", int64="string") == {"m": {"k": 3}}
    with pytest.raises(tl.DecodeError):
        Row.to_jsonable(data[:-1])
