"""Arrays of numbers are encoded through the buffer protocol: the bytes of the list, without Python
objects."""

import array
import tracemalloc

import pytest
import thriftlens as tl

np = pytest.importorskip("numpy")

IDL = tl.loads(
    "enum E { A = 1, B = 2 } struct L { 1: list<bool> bool, 2: list<i8> i8, 3: list<i16> i16, 4: "
    "list<i32> i32, 5: list<i64> i64, 6: list<double> double, "
    "7: list<E> enum, 8: list<list<i32>> nested, 9: set<i64> ids }"
)
L = IDL["L"]
INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
FIELDS = {
    "i8": INTEGERS,
    "i16": INTEGERS,
    "i32": INTEGERS,
    "i64": INTEGERS,
    "enum": INTEGERS,
    "double": [*INTEGERS, "f4", "f8"],
    "bool": ["?"],
}
CASES = [
    (field, order + code) for field, codes in FIELDS.items() for code in codes for order in "<>"
]


@pytest.mark.parametrize("field, code", CASES)
@pytest.mark.parametrize("size", [0, 1, 2, 511, 512, 513, 1500])
def test_an_array_is_the_bytes_of_its_list(field, code, size, protocol):
    numbers = np.array([index % 3 for index in range(size)], dtype=code)
    padded = np.zeros(2 * size, dtype=code)
    padded[::2] = numbers
    expected = L.encode({field: numbers.tolist()}, protocol=protocol)
    assert L.encode({field: numbers}, protocol=protocol) == expected
    assert L.encode({field: padded[::2]}, protocol=protocol) == expected
    result = L.encode({field: numbers[::-1]}, protocol=protocol)
    assert result == L.encode({field: numbers[::-1].tolist()}, protocol=protocol)


@pytest.mark.parametrize(
    "field, bits", [("i8", 8), ("i16", 16), ("i32", 32), ("i64", 64), ("enum", 32)]
)
def test_the_range_of_the_type_counts(field, bits, protocol):
    least, largest = -(1 << bits - 1), (1 << bits - 1) - 1
    numbers = np.array([least, -1, 0, largest])
    result = L.decode(L.encode({field: numbers}, protocol=protocol), protocol=protocol)
    assert result[field] == numbers.tolist()
    for wrong in (least - 1, largest + 1):
        if -(1 << 63) <= wrong < 1 << 64:
            with pytest.raises(tl.EncodeError, match=f"{wrong} is outside the range") as caught:
                L.encode(
                    {
                        field: np.array(
                            [0] * 700 + [wrong], dtype="u8" if wrong >= 1 << 63 else "i8"
                        )
                    },
                    protocol=protocol,
                )
            assert (caught.value.code, caught.value.path) == ("value_range", f"$.{field}[700]")


def test_doubles_keep_their_bits(protocol):
    numbers = np.array([0.0, -0.0, 5e-324, 1.5, np.inf, -np.inf, np.nan])
    for values in (numbers, numbers.astype(">f8"), array.array("d", numbers.tolist())):
        result = L.encode({"double": values}, protocol=protocol)
        assert result == L.encode({"double": numbers.tolist()}, protocol=protocol)


def test_other_buffers_and_shapes(protocol):
    for numbers in (
        array.array("q", [1, -2, 3]),
        memoryview(array.array("h", [1, -2, 3])),
        array.array("b", [1, -2, 3]),
    ):
        result = L.encode({"i64": numbers}, protocol=protocol)
        assert result == L.encode({"i64": list(numbers)}, protocol=protocol)
    square = np.arange(6, dtype="i4").reshape(2, 3)
    result = L.encode({"nested": square}, protocol=protocol)
    assert result == L.encode({"nested": square.tolist()}, protocol=protocol)
    result = L.encode({"ids": np.array([3, 1, 2])}, protocol=protocol)
    assert result == L.encode({"ids": [3, 1, 2]}, protocol=protocol)
    with pytest.raises(tl.EncodeError):
        L.encode({"ids": np.array([3, 3])}, protocol=protocol)


@pytest.mark.parametrize("field, numbers", [
    ("i64", np.array([1.0])), ("i64", np.array([True])), ("bool", np.array([1])),
    ("double", np.array([True])), ("i64", np.array(["1"])),
    ("i64", np.array([1], dtype="M8[s]")), ("i64", np.ma.array([1, 2], mask=[False, True])),
    ("i64", np.array([[1]])), ("i64", np.array([1 + 0j])),
])  # fmt: skip
def test_arrays_of_other_types_are_refused(field, numbers, protocol):
    with pytest.raises((tl.EncodeError, TypeError)):
        L.encode({field: numbers}, protocol=protocol)


@pytest.mark.parametrize("field, code", [
    ("i64", "i8"), ("i64", ">i8"), ("i32", "i4"), ("i16", "i2"), ("i8", "i1"), ("double", "f8"),
    ("double", "f4"), ("bool", "?"),
])  # fmt: skip
def test_numbers_are_decoded_without_objects(field, code, protocol):
    numbers = np.ones(100_000, dtype=code)
    L.encode({field: numbers}, protocol=protocol)
    tracemalloc.start()
    try:
        data = L.encode({field: numbers}, protocol=protocol)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < len(data) + 100_000
