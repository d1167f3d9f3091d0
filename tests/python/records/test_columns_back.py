"""Arrow columns back to records: the same bytes and checks as encode."""

import datetime
import uuid

import pytest
import thriftlens as tl

pa = pytest.importorskip("pyarrow")
IDL = """
enum E { A = 1, B = 3 }
union U { 1: i32 a, 2: string b, 3: list<i16> c }
struct In { 1: i32 x, 2: string y, 3: list<double> z }
struct Row {
  1: bool b, 2: i8 c, 3: i16 s, 4: i32 i, 5: i64 l, 6: double d, 7: string t, 8: binary y,
  9: uuid u, 10: E e,
  11: list<i32> li, 12: set<string> ss, 13: map<string, i64> m, 14: In n, 15: U un, 16: list<In> ln,
}
"""


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


def test_records_are_a_sequence_of_bytes(idl):
    table = pa.table({"x": [1, 2, 3]})
    records = idl.In.from_columns(table)
    assert len(records) == 3 and records[-1] == records[2] == idl.In.encode({"x": 3})
    with pytest.raises(IndexError):
        records[3]
    column = pa.array(records)
    assert column.type == pa.binary() and column.to_pylist() == list(records)
    column.validate(full=True)
    assert pa.array(records).to_pylist() == list(records)  # again: it is not used up
    many = idl.In.from_columns(pa.concat_tables([table, table]))
    assert pa.chunked_array(many).num_chunks == 2 and list(many) == 2 * list(records)
    assert not hasattr(many, "__arrow_c_array__") and pa.array(many).to_pylist() == list(many)
    result = list(idl.In.from_columns(pa.RecordBatch.from_pydict({"y": ["a", None]})))
    assert result == [idl.In.encode({"y": "a"}), idl.In.encode({})]
    struct = pa.array([{"x": 1}, None])
    assert list(idl.In.from_columns(struct)) == [idl.In.encode({"x": 1}), None]
    assert pa.array(idl.In.from_columns(struct)).null_count == 1
    assert len(idl.In.from_columns(table.slice(0, 0))) == 0
    with pytest.raises(TypeError, match="a table of a library"):
        idl.In.from_columns([{"x": 1}])


@pytest.mark.parametrize("kind", [
    pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(),
    pa.uint64(),
])  # fmt: skip
def test_integers_of_any_width(idl, kind):
    values = [0, 1, 127, None]
    for name in ("c", "s", "i", "l", "e"):
        encoded = idl.Row.from_columns(pa.table({name: pa.array(values, kind)}))
        expected = [idl.Row.encode({} if value is None else {name: value}) for value in values]
        assert list(encoded) == expected
    encoded = idl.Row.from_columns(pa.table({"d": pa.array(values, kind)}))
    result = list(encoded)
    assert result == [idl.Row.encode({} if value is None else {"d": value}) for value in values]


def test_other_forms_of_arrow(idl):
    texts = ["a", None, "long enough not to be inlined in a view"]
    expected = [idl.In.encode({} if text is None else {"y": text}) for text in texts]
    for kind in (
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int8(), pa.string()),
        pa.dictionary(pa.uint32(), pa.large_string()),
    ):
        result = list(idl.In.from_columns(pa.table({"y": pa.array(texts, pa.string()).cast(kind)})))
        assert result == expected
    raw = [b"\xff", None]
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(1)):
        result = list(idl.Row.from_columns(pa.table({"y": pa.array(raw, kind)})))
        assert result == [idl.Row.encode({"y": b"\xff"}), idl.Row.encode({})]
    lists = [[1.0, 2.0], None, [3.0, 4.0]]
    expected = [idl.In.encode({} if numbers is None else {"z": numbers}) for numbers in lists]
    for kind in (
        pa.list_(pa.float64()),
        pa.large_list(pa.float64()),
        pa.list_(pa.float64(), 2),
        pa.list_(pa.float32()),
        pa.list_(pa.int64()),
    ):
        assert list(idl.In.from_columns(pa.table({"z": pa.array(lists, kind)}))) == expected
    pairs = pa.array(
        [[{"k": "a", "v": 1}], []], pa.list_(pa.struct([("k", pa.string()), ("v", pa.int8())]))
    )
    result = list(idl.Row.from_columns(pa.table({"m": pairs})))
    assert result == [idl.Row.encode({"m": {"a": 1}}), idl.Row.encode({"m": {}})]
    ids = pa.array([uuid.UUID(int=5).bytes], pa.binary(16))
    result = list(idl.Row.from_columns(pa.table({"u": ids})))
    assert result == [idl.Row.encode({"u": uuid.UUID(int=5)})]
    array = pa.array([0, 1], pa.int8())
    sparse = pa.UnionArray.from_sparse(
        array, [pa.array([5, 6], pa.int32()), pa.array(["x", "y"])], ["a", "b"]
    )
    result = list(idl.Row.from_columns(pa.table({"un": sparse})))
    assert result == [idl.Row.encode({"un": {"a": 5}}), idl.Row.encode({"un": {"b": "y"}})]
    result = list(idl.In.from_columns(pa.table({"x": pa.nulls(1), "y": ["a"]})))
    assert result == [idl.In.encode({"y": "a"})]
    result = list(idl.Row.from_columns(pa.table({"e": ["B", "17", None]})))
    assert result == [idl.Row.encode({"e": 3}), idl.Row.encode({"e": 17}), idl.Row.encode({})]


@pytest.mark.parametrize(("table", "code", "path", "row", "message"), [
    ({"c": pa.array([1, 128])}, "value_range", "$.c", 1, "128 is outside the range of i8"),
    ({"l": pa.array([2**63], pa.uint64())}, "value_range", "$.l", 0, "9223372036854775808"),
    ({"e": ["A", "C"]}, "unknown_enum_name", "$.e", 1, "no member 'C' in E"),
    ({"li": [[1], [1, None]]}, "value_type", "$.li[1]", 1, "expected i32, got null"),
    ({"ss": [["a", "a"]]}, "duplicate_key", "$.ss[1]", 0, None),
    ({"m": pa.array([[("a", 1), ("a", 2)]], pa.map_(pa.string(), pa.int64()))}, "duplicate_key",
        "$.m{key 1}", 0, None),
    ({"m": pa.array([[("a", None)]], pa.map_(pa.string(), pa.int64()))}, "value_type", '$.m{"a"}',
        0, "expected i64, got null"),
    ({"un": [{"a": 1, "b": None}, {"a": 1, "b": "x"}]}, "union_members", "$.un.b", 1, None),
    ({"ln": [[{"x": 2**31}]]}, "value_range", "$.ln[0].x", 0, None),
    ({"t": pa.array([b"\xff"]).view(pa.string())}, "invalid_utf8", "$.t", 0, None),
])  # fmt: skip
def test_the_checks_of_encode(idl, table, code, path, row, message):
    with pytest.raises(tl.EncodeError, match=message) as caught:
        idl.Row.from_columns(pa.table(table))
    assert (caught.value.code, caught.value.path, caught.value.record) == (code, path, row)


@pytest.mark.parametrize(
    ("table", "code", "path", "message"),
    [
        ({"i": [1.5]}, "value_type", "$.i", "expected i32, found float64; cast the column first"),
        ({"l": [datetime.datetime(2026, 1, 1)]}, "value_type", "$.l", "found timestamp"),
        ({"i": [datetime.date(2026, 1, 1)]}, "value_type", "$.i", "found date"),
        ({"t": [b"x"]}, "value_type", "$.t", "expected string, found binary"),
        ({"y": ["x"]}, "value_type", "$.y", "expected binary, found string"),
        ({"b": [1]}, "value_type", "$.b", "expected bool, found int64"),
        ({"n": [{"xx": 1}]}, "unknown_field", "$.n", "no field 'xx' in In"),
        ({"lj": [1]}, "unknown_field", "$", "no field 'lj' in Row; did you mean"),
        ({"li": [["a"]]}, "value_type", "$.li[0]", "expected i32, found string"),
        ({"n": [1]}, "value_type", "$.n", "expected In, found int64"),
        ({"m": [[1]]}, "value_type", "$.m", "expected map<string, i64>, found list"),
        ({"u": [1]}, "value_type", "$.u", "expected uuid, found int64"),
    ],
)
def test_columns_that_cannot_become_fields(idl, table, code, path, message):
    with pytest.raises(ValueError, match=message) as caught:
        idl.Row.from_columns(pa.table(table))
    assert (caught.value.code, caught.value.path) == (code, path)


def test_required_fields_and_unknown_columns():
    Must = tl.loads("struct Must { 1: required i32 x, 2: i32 y }")["Must"]
    with pytest.raises(tl.EncodeError) as caught:
        Must.from_columns(pa.table({"x": [1, None], "y": [1, 2]}))
    assert caught.value.code == "missing_required" and caught.value.path == "$.x"
    assert caught.value.record == 1
    with pytest.raises(tl.EncodeError):
        Must.from_columns(pa.table({"y": [1]}))
    result = list(Must.from_columns(pa.table({"y": [1]}), missing_required="omit"))
    assert result == [tl.loads("struct May { 2: i32 y }")["May"].encode({"y": 1})]
    result = list(Must.from_columns(pa.table({"x": [1], "z": [5]}), unknown="drop"))
    assert result == [Must.encode({"x": 1})]
    with pytest.raises(ValueError, match="duplicate column 'x'"):
        Must.from_columns(pa.table([pa.array([1]), pa.array([2])], names=["x", "x"]))


def test_a_row_number_counts_over_all_batches(idl):
    table = pa.concat_tables([pa.table({"x": [1, 2]}), pa.table({"x": [3, 2**40]})])
    with pytest.raises(tl.EncodeError) as caught:
        idl.In.from_columns(table)
    assert caught.value.record == 3


def test_tables_of_polars(idl):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(
        {"x": [1, None], "y": ["a", "long enough not to be inlined in a view"], "z": [[1.5], None]}
    )
    records = idl.In.from_columns(frame)
    assert list(records) == [
        idl.In.encode({"x": 1, "y": "a", "z": [1.5]}),
        idl.In.encode({"y": "long enough not to be inlined in a view"}),
    ]
    assert polars.Series(records).to_list() == list(records)
    assert polars.Series(
        idl.In.from_columns(polars.concat([frame, frame], rechunk=False))
    ).to_list() == 2 * list(records)
