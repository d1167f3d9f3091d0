"""Records as Arrow columns, read back by pyarrow, Polars and DuckDB."""

import math
import pickle

import pytest
import thriftlens as tl
from hypothesis import given, settings
from hypothesis import strategies as st

pa = pytest.importorskip("pyarrow")
IDL = """
enum E { A = 1, B = 3 }
union U { 1: i32 a, 2: string b, 3: list<i16> c }
struct In { 1: i32 x, 2: string y, 3: list<double> z }
struct Node { 1: i32 v, 2: optional Node next }
struct Row {
  1: bool b, 2: i8 c, 3: i16 s, 4: i32 i, 5: i64 l, 6: double d, 7: string t, 8: binary y,
  9: uuid u, 10: E e,
  11: list<i32> li, 12: set<string> ss, 13: map<string, i64> m, 14: In n, 15: U un, 16: list<In> ln,
  17: map<i32, list<In>> ml,
  18: list<list<bool>> lb, 19: map<In, i32> odd,
}
"""


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


def plain(value, kind):
    """A value of decode() in the form of Arrow's to_pylist."""
    if value is None:
        return None
    if kind.kind in ("struct", "union", "exception"):
        return {name: plain(value.get(name), field.type) for name, field in kind.fields.items()}
    if kind.kind == "map":
        return sorted(
            (
                (plain(key, kind.parameters[0]), plain(item, kind.parameters[1]))
                for key, item in value.items()
            ),
            key=repr,
        )
    if kind.kind == "set":
        return sorted((plain(item, kind.parameters[0]) for item in value), key=repr)
    if kind.kind == "list":
        return [plain(item, kind.parameters[0]) for item in value]
    return value.bytes if kind.kind == "uuid" else value


def from_arrow(value, kind):
    """The same with sets and maps in one order."""
    if value is None:
        return None
    if kind.kind in ("struct", "union", "exception"):
        return {
            name: from_arrow(value.get(name), field.type) for name, field in kind.fields.items()
        }
    if kind.kind == "map":
        return sorted(
            (
                (from_arrow(key, kind.parameters[0]), from_arrow(item, kind.parameters[1]))
                for key, item in value
            ),
            key=repr,
        )
    if kind.kind == "set":
        return sorted((from_arrow(item, kind.parameters[0]) for item in value), key=repr)
    if kind.kind == "list":
        return [from_arrow(item, kind.parameters[0]) for item in value]
    if kind.kind == "uuid" and not isinstance(value, bytes):
        return value.bytes
    return value


ints = lambda bits: st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)  # noqa: E731
texts = st.text(max_size=5)
numbers = st.floats(allow_nan=False)


def some(**fields):
    return st.fixed_dictionaries({}, optional=fields)


ins = some(x=ints(32), y=texts, z=st.lists(numbers, max_size=3))
unions = st.one_of(
    st.just({}),
    ints(32).map(lambda v: {"a": v}),
    texts.map(lambda v: {"b": v}),
    st.lists(ints(16), max_size=2).map(lambda v: {"c": v}),
)
rows = some(
    b=st.booleans(), c=ints(8), s=ints(16), i=ints(32), l=ints(64), d=numbers, t=texts,
    y=st.binary(max_size=5), u=st.uuids(), e=ints(32),
    li=st.lists(ints(32), max_size=4), ss=st.sets(texts, max_size=3),
    m=st.dictionaries(texts, ints(64), max_size=3), n=ins, un=unions,
    ln=st.lists(ins, max_size=3), ml=st.dictionaries(ints(32), st.lists(ins, max_size=2),
    max_size=2), lb=st.lists(st.lists(st.booleans(), max_size=3), max_size=3),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    values=st.lists(rows, max_size=5),
    protocol=st.sampled_from(["binary", "compact"]),
    threads=st.sampled_from([1, 2]),
)
def test_columns_equal_decoded_values(values, protocol, threads):
    Row = tl.loads(IDL)["Row"]
    records = [Row.encode(value, protocol=protocol) for value in values]
    table = pa.table(Row.columns(records, protocol=protocol, threads=threads))
    table.validate(full=True)
    assert table.num_rows == len(values)
    rows = [from_arrow(row, Row) for row in table.to_pylist()]
    assert rows == [plain(Row.decode(record, protocol=protocol), Row) for record in records]


forms = st.fixed_dictionaries(
    {
        "protocol": st.sampled_from(["binary", "compact"]),
        "enums": st.sampled_from(["number", "name"]),
        "unions": st.sampled_from(["struct", "dense"]),
        "nesting": st.sampled_from(["structs", "flat"]),
    }
)


def without_what_columns_lose(value, options):
    """An empty union is as none in a dense union, an empty struct as none in flat columns."""
    lost = [
        name
        for name, lossy in (
            ("un", options["unions"] == "dense" or options["nesting"] == "flat"),
            ("n", options["nesting"] == "flat"),
        )
        if lossy
    ]
    return {name: item for name, item in value.items() if name not in lost or item != {}}


@settings(max_examples=150, deadline=None)
@given(values=st.lists(rows, max_size=5), options=forms)
def test_columns_and_back_are_the_same_bytes(values, options):
    Row = tl.loads(IDL)["Row"]
    values = [without_what_columns_lose(value, options) for value in values]
    records = [Row.encode(value, protocol=options["protocol"]) for value in values]
    table = pa.table(Row.columns(records, **options))
    back = Row.from_columns(table, protocol=options["protocol"])
    assert list(back) == records
    result = list(Row.from_columns(Row.columns(records, **options), protocol=options["protocol"]))
    assert result == records
    assert list(Row.from_columns(table.slice(1), protocol=options["protocol"])) == records[1:]


def test_many_batches_and_threads_keep_the_order(idl):
    records = [idl.In.encode({"x": i, "y": str(i)}) for i in range(3000)]
    for threads in (1, 2, 5):
        columns = idl.In.columns(records, "{ x y }", batch_size=700, threads=threads)
        table = pa.table(columns)
        assert table.column("x").to_pylist() == list(range(3000))
        assert columns.num_rows == 3000 and len(list(columns.batches())) > 1


def test_inputs(idl):
    records = [
        idl.In.encode({"x": 1}),
        None,
        idl.In.encode({"x": 3, "y": "long enough not to be inlined in a view"}),
    ]
    expected = [1, None, 3]

    def x(source):
        return pa.table(idl.In.columns(source, "{ x }")).column("x").to_pylist()

    assert x(records) == x(tuple(records)) == x(iter(records)) == expected
    assert x([None if record is None else bytearray(record) for record in records]) == expected
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view()):
        column = pa.array(records, kind)
        assert x(column) == expected
        assert x(column.slice(1)) == expected[1:]
        assert x(pa.chunked_array([column, column.slice(2)])) == [*expected, 3]
    with pytest.raises(
        ValueError, match="records must be a column of binary, not of Arrow's format i"
    ):
        x(pa.array([1], pa.int32()))
    with pytest.raises(TypeError, match="expected a list of bytes"):
        idl.In.columns(b"abc")
    once = idl.In.columns(iter(records))
    pa.table(once)
    with pytest.raises(ValueError, match="is exhausted"):
        pa.table(once)


def test_scan_yields_records(idl, tmp_path):
    path = tmp_path / "in.bin"
    path.write_bytes(b"".join(idl.In.encode({"x": i}) for i in range(100)))
    table = pa.table(idl.In.columns(tl.scan(path, idl.In, to="bytes"), "{ x }"))
    assert table.column("x").to_pylist() == list(range(100))


def test_on_error(idl):
    good, bad = idl.In.encode({"x": 1}), b"\x08\x00"
    with pytest.raises(tl.DecodeError, match="the data ends in the middle") as caught:
        list(idl.In.columns([good, good, bad]).batches())
    assert caught.value.record == 2
    with pytest.raises(tl.DecodeError):
        idl.In.columns([bad]).num_rows
    columns = idl.In.columns([good, bad, good], "{ x }", on_error="null", record="n", reason="why")
    table = pa.table(columns)
    assert table.column("x").to_pylist() == [1, None, 1]
    assert table.column("n").to_pylist() == [0, 1, 2]
    assert table.column("why").to_pylist()[0] is None
    assert "the data ends" in table.column("why").to_pylist()[1]
    result = [(rejected.record, rejected.error.code) for rejected in columns.rejected]
    assert result == [(1, "truncated")]
    skipped = idl.In.columns([good, bad, good], "{ x }", on_error="skip")
    assert pa.table(skipped).num_rows == 2 and skipped.rejected[0].record == 1


def test_the_error_of_a_stream_names_the_record():
    point = tl.loads("struct Point { 1: i32 x }")["Point"]
    good = point.encode({"x": 1})
    for records in (
        [good, good, b"broken", good],
        pa.array([good, good, b"broken", good], pa.binary()),
    ):
        with pytest.raises(
            pa.ArrowInvalid,
            match=r"^record 2: invalid wire type at \$ \(byte 0\)$",
        ):
            pa.table(point.columns(records))


def test_the_error_of_a_stream_of_scanned_records_names_the_record_once(tmp_path):
    point, other = (
        tl.loads(f"struct Point {{ 1: {kind} x }}")["Point"] for kind in ("i32", "string")
    )
    records = point.encode({"x": 1}), other.encode({"x": "text"})
    data = b"".join(len(record).to_bytes(4, "big") + record for record in records)
    (tmp_path / "points").write_bytes(data)
    with pytest.raises(
        pa.ArrowInvalid,
        match=r"^record 1 \(value from byte 16\): expected i32, found string at \$\.x",
    ):
        pa.table(point.columns(tl.scan(data, framing="u32", to="bytes")))
    with pytest.raises(
        pa.ArrowInvalid, match=r"^[^:]+points: record 1 \(value from byte 16\): expected i32"
    ):
        pa.table(tl.scan_columns(tmp_path / "points", point, framing="u32"))


def test_a_bad_record_is_reported_by_its_number(idl):
    records = [idl.In.encode({"x": i}) for i in range(20000)]
    records[12345] = records[12345][:-1]
    for threads in (1, 2):
        with pytest.raises(tl.DecodeError) as caught:
            idl.In.columns(records, threads=threads).num_rows
        assert caught.value.record == 12345
        columns = idl.In.columns(records, "{ x }", threads=threads, on_error="null")
        assert pa.table(columns).column("x").null_count == 1


def test_enums_unions_and_nesting(idl):
    records = [
        idl.Row.encode({"e": 3, "un": {"b": "q"}, "n": {"x": 1}}),
        idl.Row.encode({"e": 17}),
        idl.Row.encode({"un": {"a": 5}}),
    ]
    table = pa.table(
        idl.Row.columns(records, "{ e un n { x } }", enums="name", unions="dense", nesting="flat")
    )
    table.validate(full=True)
    assert table.column("e").to_pylist() == ["B", "17", None]
    assert table.column("un").to_pylist() == ["q", None, 5]
    assert table.column("n.x").to_pylist() == [1, None, None]
    assert pa.types.is_dictionary(table.schema.field("e").type)
    assert pa.types.is_union(table.schema.field("un").type)
    assert table.schema.field("e").metadata is None


def test_types_without_columns(idl):
    with pytest.raises(tl.Error, match="Node is recursive; select its fields") as caught:
        idl.Node.columns([])
    assert caught.value.path == "$.next"
    assert pa.table(
        idl.Node.columns([idl.Node.encode({"v": 1, "next": {"v": 2}})], "{ v next { v } }")
    ).to_pylist() == [{"v": 1, "next": {"v": 2}}]
    with pytest.raises(tl.Error, match="columns need a struct"):
        idl["E"].columns([])
    with pytest.raises(ValueError, match="on_error"):
        idl.In.columns([], on_error="ignore")
    with pytest.raises(tl.Error, match="duplicate column name x"):
        idl.In.columns([], record="x")


def test_empty_input_has_a_schema(idl):
    table = pa.table(idl.In.columns([]))
    assert table.num_rows == 0 and table.column_names == ["x", "y", "z"]
    assert pa.schema(idl.In.columns([])).names == ["x", "y", "z"]


def test_the_schema_alone(idl):
    options = {"enums": "name", "nesting": "flat", "record": "number"}
    schema = pa.schema(idl.Row.arrow_schema("{ e n li }", **options))
    assert schema == pa.table(idl.Row.columns([], "{ e n li }", **options)).schema
    assert schema.names == ["e", "li", "n.x", "n.y", "n.z", "number"]
    with pytest.raises(tl.Error, match="recursive"):
        idl.Node.arrow_schema()


def test_malicious_values_fail_as_decode_does(idl):
    """At every cut of a record the columns report the same error as decode."""
    record = idl.Row.encode(
        {
            "i": 5,
            "t": "text",
            "li": [1, 2],
            "m": {"a": 1},
            "n": {"x": 1, "y": "z"},
            "un": {"c": [1]},
            "ln": [{"x": 2}, {}],
        }
    )
    for protocol in ("binary", "compact"):
        data = (
            record
            if protocol == "binary"
            else tl.convert(record, source="binary", target="compact")
        )
        for end in range(len(data)):
            with pytest.raises(tl.DecodeError) as by_decode:
                idl.Row.decode(data[:end], protocol=protocol)
            with pytest.raises(tl.DecodeError) as by_columns:
                idl.Row.columns([data[:end]], protocol=protocol).num_rows
            assert by_columns.value.code == by_decode.value.code, end
            assert by_columns.value.path == by_decode.value.path, end
            assert by_columns.value.offset == by_decode.value.offset, end


def test_engines_take_columns(idl):
    columns = idl.In.columns([idl.In.encode({"x": i, "y": str(i)}) for i in range(10)], "{ x y }")
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(columns)["x"].sum() == 45
    many = idl.In.columns([idl.In.encode({"x": i}) for i in range(10)], "{ x y }", batch_size=3)
    assert polars.DataFrame(many).shape == (10, 2) and pa.table(many).num_rows == 10
    pandas = pytest.importorskip("pandas", minversion="3")
    assert pandas.DataFrame.from_arrow(many).shape == (10, 2)
    duckdb = pytest.importorskip("duckdb")
    assert duckdb.sql("select sum(x) from columns").fetchall() == [(45,)]


def test_memory_outlives_its_columns(idl):
    table = pa.table(idl.In.columns([idl.In.encode({"x": 1, "z": [math.pi]})]))
    column = table.column("z").chunk(0)
    del table
    assert column.to_pylist() == [[math.pi]]
    assert pickle.loads(pickle.dumps(column)).to_pylist() == [[math.pi]]


def test_unknown_fields_are_a_column(idl):

    newer = tl.loads(
        "struct P { 1: i32 x, 2: bool f, 3: bool g, 4: list<In> l, 5: string t, 90: string z, 20: "
        "i64 back } struct In { 1: i32 x }"
    )["P"]
    older = tl.loads("struct P { 1: i32 x, 5: string t }")["P"]
    value = {"x": 1, "f": True, "g": False, "l": [{"x": 2}], "t": "t", "z": "zz", "back": 7}
    for protocol in ("binary", "compact"):
        records = [
            newer.encode(value, protocol=protocol),
            older.encode({"x": 2}, protocol=protocol),
            None,
            b"\xff",
        ]
        columns = older.columns(
            records,
            "{ x }",
            protocol=protocol,
            unknown_fields="rest",
            on_error="null",
            reason="why",
        )
        table = pa.table(columns)
        table.validate(full=True)
        assert table.column_names == ["x", "why", "rest"] and table.schema == pa.schema(
            older.arrow_schema("{ x }", reason="why", unknown_fields="rest")
        )
        rest = table["rest"].to_pylist()
        assert rest[1:] == [None, None, None]
        result = newer.decode(rest[0], protocol=protocol)
        assert result == {name: value[name] for name in ("f", "g", "l", "z", "back")}
        blobs = pa.array(records[:2], pa.binary())
        result = pa.table(older.columns(blobs, protocol=protocol, unknown_fields="rest"))[
            "rest"
        ].to_pylist()
        assert result == rest[:2]
        frame = pa.table(
            older.columns(records[:2], protocol=protocol, unknown_fields="rest", where="x = 1")
        )
        assert frame["rest"].to_pylist() == rest[:1]
    with pytest.raises(tl.Error, match="duplicate column name x"):
        older.columns([], unknown_fields="x")


def test_parallel_columns_equal_sequential_columns():
    of = tl.loads("struct P { 1: i32 x, 2: string y, 3: list<string> l }")["P"]
    values = [{"x": n, "y": "y" * (n % 300), "l": ["a"] * (n % 7)} for n in range(3000)]
    records = [of.encode(value) for value in values]
    for source in (records, pa.array(records, pa.binary()), pa.array(records, pa.large_binary())):
        for options in ({}, {"threads": 2}):
            assert pa.table(of.columns(source, **options)).to_pylist() == values
    rows = pa.table(of.columns(records, where="x >= 2990")).to_pylist()
    assert rows == values[2990:]


def test_tables_and_columns_are_distinguished(idl):
    of = tl.loads("struct P { 1: i32 x }")["P"]
    table = pa.table({"value": pa.array([of.encode({"x": 1})], pa.binary())})
    with pytest.raises(TypeError, match="select the column"):
        of.columns(table)
    assert of.columns(table["value"]).num_rows == 1


def test_rejected_rows_are_counted_and_the_first_retained():
    row = tl.loads("struct Row { 1: i64 id }").Row
    columns = row.columns([b"\xff"] * 2500, on_error="skip")
    assert columns.num_rows == 0
    assert (columns.rejected.total, len(columns.rejected)) == (2500, 1000)
    assert [row.record for row in columns.rejected] == list(range(1000))


@pytest.mark.parametrize("function", ["columns", "arrow_schema", "scan_columns"])
def test_errors_name_the_function(idl, function):
    def call(type_, **options):
        if function == "scan_columns":
            return tl.scan_columns(b"", type_, "{ x }", **options)
        return getattr(type_, function)(*[[]] * (function == "columns"), "{ x }", **options)

    with pytest.raises(TypeError, match=rf"^{function}\(\) got .* 'enum'; did you mean 'enums'"):
        call(idl.In, enum="name")
    with pytest.raises(TypeError, match="type must be a Type"):
        tl.scan_columns(b"", "In", "{ x }")
