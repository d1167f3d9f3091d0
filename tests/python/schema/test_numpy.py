"""Columns and views of lists of numbers as NumPy's arrays."""

import gc
import subprocess
import sys
import typing
import uuid

import pytest
import thriftlens as tl
from thriftlens._typing import ErrorCode

np = pytest.importorskip("numpy")
IDL = """
enum E { A = 1, B = 3 }
struct In { 1: i32 x, 2: optional double z }
struct Row {
  1: list<bool> b, 2: list<i8> c, 3: list<i16> s, 4: list<i32> i, 5: list<i64> l, 6: list<double> d,
  7: list<E> e, 8: list<string> t,
  9: optional i64 n, 10: string name, 11: In inner, 12: list<In> items, 13: E one, 14: uuid u,
  15: bool flag, 16: binary raw, 17: set<i32> si,
}
"""
Row = tl.loads(IDL)["Row"]
NUMBERS = {
    "b": ([True, False, True], "bool"), "c": ([-128, 0, 127], "int8"),
    "s": ([-32768, 0, 32767], "int16"), "i": ([-(2**31), 7, 2**31 - 1], "int32"),
    "l": ([-(2**63), 7, 2**63 - 1], "int64"), "d": ([1.5, -0.0, float("inf")], "float64"),
    "e": ([1, 3, 17], "int32"),
}  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_views_of_lists(name, protocol):
    values, dtype = NUMBERS[name]
    data = Row.encode({name: values}, protocol=protocol)
    array = Row.view(data, protocol=protocol)[name].to_numpy()
    assert array.tolist() == values and array.dtype.newbyteorder("=") == dtype
    assert not array.flags.writeable or name == "b"
    assert np.asarray(Row.view(data, protocol=protocol)[name]).tolist() == values
    assert (
        Row.view(Row.encode({name: []}, protocol=protocol), protocol=protocol)[name]
        .to_numpy()
        .tolist()
        == []
    )


def test_fixed_width_bytes_are_not_copied_and_stay_alive():
    data = Row.encode({"l": list(range(1000)), "d": [0.5] * 1000})
    buffer = np.frombuffer(data, "u1")
    view = Row.view(data)
    long, double = view["l"].to_numpy(), view["d"].to_numpy()
    assert np.shares_memory(buffer, long) and np.shares_memory(buffer, double)
    mutable = bytearray(data)
    array = Row.view(mutable)["l"].to_numpy()
    del view, mutable, data, buffer
    gc.collect()
    assert array.sum() == long.sum() == sum(range(1000)) and double.sum() == 500
    compact = Row.encode({"d": [0.5] * 10, "i": [1]}, protocol="compact")
    inside = Row.view(compact, protocol="compact")
    assert np.shares_memory(np.frombuffer(compact, "u1"), inside["d"].to_numpy())
    assert not np.shares_memory(np.frombuffer(compact, "u1"), inside["i"].to_numpy())


def test_lists_of_other_things():
    view = Row.view(Row.encode({"t": ["a", "b"], "items": [{"x": 1}]}))
    with pytest.raises(TypeError, match="expected a list of numbers"):
        view["t"].to_numpy()
    assert np.asarray(view["t"]).tolist() == ["a", "b"]
    with pytest.raises(TypeError, match="View"):
        tl._core.number_buffer(b"")
    numbers = Row.view(Row.encode({"i": [1, 2]}))["i"]
    assert np.asarray(numbers, dtype="f4").dtype == "f4"
    with pytest.raises(ValueError):
        np.array(numbers, dtype="f4", copy=False)


def test_invalid_lists(protocol):
    data = Row.encode({"l": [1, 2**40, 3]}, protocol=protocol)
    for end in range(len(data)):
        try:
            array = Row.view(data[:end], protocol=protocol)["l"].to_numpy()
        except tl.Error:
            continue
        assert array.tolist() == [1, 2**40, 3]
        assert end == len(data) - 1  # all but the stop of the struct


# fmt: off
RECORDS = [
    Row.encode({"n": 5, "name": "a", "inner": {"x": 1, "z": 2.5}, "items": [{"x": 1, "z": 0.5},
        {"x": 2}], "one": 3, "u": uuid.UUID(int=7), "flag": True, "raw": b"\xff", "i": [1, 2]}),
    Row.encode({"name": "", "items": [], "one": 1, "i": []}),
    None,
    Row.encode({"n": -1, "inner": {"x": 4}, "items": [{"x": 3}], "flag": False}),
]
# fmt: on


@pytest.fixture(params=[1, 1 << 16])
def columns(request):
    return Row.columns(RECORDS, "{ n name inner items one u flag raw i }", batch_size=request.param)


def test_columns(columns):
    n = columns.to_numpy("n")
    assert n.dtype == "int64" and n.tolist() == [5, None, None, -1]
    assert columns.to_numpy("n", fill=0).tolist() == [5, 0, 0, -1]
    assert columns.to_numpy("n", fill=0).dtype == "int64"
    assert columns.to_numpy("name").tolist() == ["a", "", None, None]
    assert columns.to_numpy("$.inner.x").tolist() == [1, None, None, 4]
    assert columns.to_numpy("inner.z", fill=np.nan).tolist()[:1] == [2.5]
    assert columns.to_numpy("flag", fill=False).tolist() == [True, False, False, False]
    assert columns.to_numpy("u").tolist() == [uuid.UUID(int=7), None, None, None]
    assert columns.to_numpy("raw").tolist() == [b"\xff", None, None, None]
    result = [None if array is None else array.tolist() for array in columns.to_numpy("i")]
    assert result == [[1, 2], [], None, None]
    assert columns.to_numpy("items[*].x").tolist() == [1, 2, 3]
    assert columns.to_numpy("items[*].z").tolist() == [0.5, None, None]
    assert columns.to_numpy("i[*]").tolist() == [1, 2]


def test_flat_columns_and_names():
    columns = Row.columns(RECORDS, "{ inner one }", nesting="flat", enums="name")
    assert columns.to_numpy("inner.x").tolist() == [1, None, None, 4]
    assert columns.to_numpy("one").tolist() == ["B", "A", None, None]


def test_one_batch_without_nulls_is_not_copied():
    columns = Row.columns([Row.encode({"n": i}) for i in range(100)], "{ n }")
    array = columns.to_numpy("n")
    del columns
    gc.collect()
    assert array.base is not None and array.sum() == sum(range(100)) and type(array) is np.ndarray


def test_absent_paths(columns):
    for path, message in (
        ("m", "no such column"),
        ("inner", "add a field"),
        ("name.x", "has no fields"),
        ("n[*]", "is not a list"),
        ("items", "add a field"),
    ):
        with pytest.raises(tl.Error, match=message) as caught:
            columns.to_numpy(path)
        assert caught.value.code in typing.get_args(ErrorCode)
    assert Row.columns([], "{ n }").to_numpy("n").tolist() == []


def test_without_numpy():
    code = (
        "import sys; sys.modules['numpy'] = None; import thriftlens as tl\n"
        "T = tl.loads('struct T { 1: list<i32> a }')['T']\n"
        "T.view(T.encode({'a': [1]}))['a'].to_numpy()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert (
        b"ModuleNotFoundError: arrays need numpy, which is not installed: pip install numpy"
        in result.stderr
    )


def test_nested_lists_to_numpy():
    pytest.importorskip("numpy")
    nested = tl.loads(
        """
        struct In { 1: i32 v, 2: list<i32> l }
        struct Row { 1: In i, 2: list<In> items }
        """
    ).Row
    rows = [
        {"items": [{"v": 1, "l": [1, 2]}, {"v": 2, "l": []}]},
        {"items": []},
        {},
        {"items": [{"v": 3, "l": [3]}, {"v": 4}]},
    ]
    columns = nested.columns([nested.encode(row) for row in rows])
    assert columns.to_numpy("$.items[*].l[*]").tolist() == [1, 2, 3]
    assert columns.to_numpy("items[*].v").tolist() == [1, 2, 3, 4]
    assert columns.to_numpy("i.l[*]").tolist() == []
