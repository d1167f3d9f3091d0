"""Arrow data that contradicts its schema is refused."""

import itertools
import uuid

import pytest
import thriftlens as tl
from thriftlens import _core

pa = pytest.importorskip("pyarrow")

IDL = tl.loads("""
enum E { A = 1, B = 2 }
union U { 1: i32 number, 2: string text }
struct Bool { 1: bool x } struct I8 { 1: i8 x } struct I16 { 1: i16 x } struct I32 { 1: i32 x }
  struct I64 { 1: i64 x } struct Double { 1: double x }
struct String { 1: string x } struct Binary { 1: binary x } struct Uuid { 1: uuid x } struct Enum {
  1: E x } struct Union { 1: U x }
struct List { 1: list<i64> x } struct Bytes { 1: list<i8> x } struct Map { 1: map<string,
  i64> x } struct Other { 1: map<string, i8> x }
struct Inner { 1: I64 x } struct Wide { 1: i64 x, 2: i64 y }
""")
VALUES = {
    "Bool": True, "I8": 1, "I16": 1, "I32": 1, "I64": 1, "Double": 1.5, "String": "x",
    "Binary": b"\xff", "Uuid": uuid.UUID(int=1),
    "Enum": 1, "Union": {"number": 1}, "List": [1], "Bytes": [1], "Map": {"k": 1},
    "Other": {"k": 1}, "Inner": {"x": 1}, "Wide": 1,
}  # fmt: skip
OPTIONS = [{}, {"enums": "name", "unions": "dense"}]


class Stream:
    """The schema of one table, and the arrays of another."""

    def __init__(self, schema, arrays):
        self.schema, self.arrays = schema, arrays

    def __arrow_c_stream__(self, requested_schema=None):
        return _core.arrow_stream(self.schema.__arrow_c_schema__, self.arrays)


class Pair:
    """The same as one array."""

    def __init__(self, schema, array):
        self.schema, self.array = schema, array

    def __arrow_c_array__(self, requested_schema=None):
        return self.schema.__arrow_c_schema__(), self.array


def columns(name, count=100, **options):
    record = IDL[name].encode({"x": VALUES[name]})
    return IDL[name].columns([record] * count, **options)


def shape(name, options):
    return str(pa.schema(columns(name, 0, **options)).remove_metadata())


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("described", VALUES)
def test_a_stream_rejects_an_array_of_another_schema(described, options):
    for sent in VALUES:
        stream = Stream(columns(described, 0, **options), columns(sent, **options).batches())
        if shape(described, options) == shape(sent, options):
            pa.table(stream).validate(full=True)
            continue
        with pytest.raises(pa.ArrowInvalid, match=r"expected .*, found .*|dictionary"):
            pa.table(stream)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("described", VALUES)
def test_arrays_of_another_schema_are_rejected(described, options):
    for sent in VALUES:
        pair = Pair(
            columns(described, 0, **options), next(iter(columns(sent, **options).batches()))
        )
        if shape(described, options) == shape(sent, options):
            assert len(IDL[described].from_columns(pair)) == 100
            continue
        with pytest.raises(tl.Error):
            IDL[described].from_columns(pair)


def test_columns_read_no_records_from_an_array_of_another_schema():
    records = IDL["I64"].from_columns(columns("I64"))
    fixed = next(iter(columns("I64").batches()))
    for array in (fixed, next(iter(columns("Binary").batches()))):
        with pytest.raises(tl.Error):
            IDL["I64"].columns(Pair(records, array)).num_rows


def test_a_stream_rejects_an_array_with_unknown_buffers():
    foreign = pa.record_batch({"x": pa.array([1], pa.int8())}).__arrow_c_array__()[1]
    with pytest.raises(pa.ArrowInvalid, match="another library"):
        pa.table(Stream(columns("I64", 0), iter([foreign])))


def test_the_error_of_a_stream_names_the_column():
    with pytest.raises(pa.ArrowInvalid, match=r"expected int64 .*found int8 at \$\.x"):
        pa.table(Stream(columns("I64", 0), columns("I8").batches()))
    with pytest.raises(pa.ArrowInvalid, match=r"at \$\.x\.item"):
        pa.table(Stream(columns("List", 0), columns("Bytes").batches()))


def test_arrays_of_one_schema_with_nulls_of_every_kind_pass():
    names = [name for name in VALUES if name != "Wide"]
    for name, options in itertools.product(names, OPTIONS):
        record = IDL[name].encode({"x": VALUES[name]})
        table = pa.table(IDL[name].columns([record, b"\0", None, record] * 5, **options))
        table.validate(full=True)
        assert table.num_rows == 20


def test_dictionaries_with_many_numbers_without_a_name():
    numbers = list(range(100, 5100))
    table = pa.table(
        IDL["Enum"].columns([IDL["Enum"].encode({"x": number}) for number in numbers], enums="name")
    )
    assert table.to_pydict() == {"x": [str(number) for number in numbers]}


def test_enums_as_strings_have_one_type_and_no_dictionary():
    records = [IDL["Enum"].encode({"x": number}) for number in (1, 7, -2147483648, 2)]
    table = pa.table(IDL["Enum"].columns([*records, None, b"\0"], enums="string", batch_size=2))
    assert table.schema.field("x").type == pa.string()
    assert table.to_pydict() == {"x": ["A", "7", "-2147483648", "B", None, None]}
