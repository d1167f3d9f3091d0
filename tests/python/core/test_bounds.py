"""Memory that small inputs can make a call allocate: 64 bytes of objects or 8 of text per input
byte, plus 16 MiB."""

from __future__ import annotations

import tracemalloc
from typing import Any, Callable

import pytest
import thriftlens as tl

FIELDS = " ".join(f"{i}: optional i32 field{i}" for i in range(1, 33))
SCHEMA = tl.loads(
    f"""
    struct Wide {{ {FIELDS} }}
    struct Filled {{ 1: optional string filling = "{"x" * 100}" }}
    struct Every {{
      1: list<Wide> wides  2: list<set<i32>> sets  3: list<list<i32>> lists  4: list<map<i32,
      i32>> maps  5: list<Filled> filled
      6: list<string> texts  7: set<list<i32>> keys
    }}
    """
)
Every = SCHEMA.Every
CONSTANT = 16 << 20


def many(field: int, element: int, count: int, entry: bytes, container: int = 15) -> bytes:
    """The field of a struct: a list of so many equal elements."""
    return bytes([container, 0, field, element]) + count.to_bytes(4, "big") + entry * count + b"\0"


def peak_of(run: Callable[[], Any]) -> int:
    tracemalloc.start()
    try:
        run()
    except tl.Error as error:
        assert error.code == "output_limit"
        assert error.path.startswith("$.")
        assert error.offset is not None
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak


ONE_FIELD = bytes.fromhex("08 0001 00000001 00")
# fmt: off
HOSTILE = {
    "empty structs": many(1, 12, 400_000, b"\0"),
    "structs of one field": many(1, 12, 60_000, ONE_FIELD),
    "empty sets": many(2, 14, 100_000, bytes.fromhex("08 00000000")),
    "sets of five": many(2, 14, 30_000, bytes.fromhex("08 00000005") + b"".join(i.to_bytes(4,
        "big") for i in range(5))),
    "empty lists": many(3, 15, 100_000, bytes.fromhex("08 00000000")),
    "empty maps": many(4, 13, 100_000, bytes.fromhex("08 08 00000000")),
    "lists of numbers": many(3, 15, 30_000,
        bytes.fromhex("08 00000003 10000000 20000000 30000000")),
}
# fmt: on


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_objects_are_bounded_by_the_bytes_they_come_from(data: bytes, protocol: Any) -> None:
    if protocol == "compact":
        data = tl.convert(data, source="binary", target="compact")
    assert peak_of(lambda: Every.decode(data, protocol=protocol)) <= CONSTANT + 64 * len(data) + (
        1 << 20
    )


def test_defaults_count_as_objects() -> None:
    data = many(5, 12, 300_000, b"\0")
    assert peak_of(lambda: Every.decode(data, defaults="write")) <= CONSTANT + 64 * len(data) + (
        1 << 20
    )


def test_small_input_is_never_refused() -> None:
    data = many(1, 12, 20_000, b"\0")
    assert Every.decode(data) == {"wides": [{}] * 20_000}
    data = many(1, 12, 20_000, ONE_FIELD)
    assert Every.decode(data) == {"wides": [{"field1": 1}] * 20_000}


def test_the_bound_of_decode_can_be_set() -> None:
    data = many(1, 12, 1000, b"\0")
    low, size = 1, 1 << 20
    while low < size:
        middle = (low + size) // 2
        low, size = (low, middle) if fits(data, middle) else (middle + 1, size)
    assert 64 * 1000 < size < 100_000
    assert Every.decode(data, output_size=size) == {"wides": [{}] * 1000}
    assert not fits(data, size - 1)
    for call in (Every.decode, lambda *rest, **options: Every.get(rest[0], "$.wides", **options)):
        with pytest.raises(tl.DecodeError) as caught:
            call(data, output_size=size // 2)
        assert (caught.value.code, caught.value.path[:7]) == ("output_limit", "$.wides")


def fits(data: bytes, size: int) -> bool:
    try:
        Every.decode(data, output_size=size)
    except tl.DecodeError:
        return False
    return True


def test_the_size_of_text_and_bytes_can_be_limited() -> None:
    data = Every.encode({"texts": ["a", "b"]})
    text = Every.to_json(data)
    assert Every.to_json(data, output_size=len(text)) == text
    assert Every.from_json(text, output_size=len(data)) == data
    compact = tl.convert(data, source="binary", target="compact")
    assert tl.convert(compact, source="compact", target="binary", output_size=len(data)) == data
    refused: list[Callable[[int], Any]] = [
        lambda less: Every.to_json(data, output_size=len(text) - less),
        lambda less: Every.from_json(text, output_size=len(data) - less),
        lambda less: tl.convert(
            compact, source="compact", target="binary", output_size=len(data) - less
        ),
        lambda less: Every.trim(data, "{ texts }", output_size=len(data) - less),
        lambda less: Every.edit(data, output_size=len(data) - less).set("$.texts[*]", "c").apply(),
    ]
    for call in refused:
        call(0)
        with pytest.raises(tl.Error) as caught:
            call(1)
        assert caught.value.code == "output_limit"
    with pytest.raises(ValueError, match="output_size must be from 0 to"):
        Every.to_json(data, output_size=-1)
    with pytest.raises(ValueError, match="output_size must be from 0 to"):
        Every.edit(data, output_size=-1)


def test_a_tree_ends_at_the_output_limit() -> None:
    data = Every.encode({"texts": ["a"] * 10})
    full_text = tl.inspect(data, protocol="binary")
    assert tl.inspect(data, protocol="binary", output_size=len(full_text)) == full_text
    cut = tl.inspect(data, protocol="binary", output_size=len(full_text) - 1)
    assert full_text.startswith(cut[: cut.index("! ")])
    assert "! the output exceeds the limit (byte" in cut


def test_differences_are_bounded() -> None:
    lhs, rhs = (Every.encode({"texts": [text] * 1000}) for text in "ab")
    assert len(Every.diff(lhs, rhs, max_differences=1000)) == 1000
    with pytest.raises(tl.DecodeError) as caught:
        Every.diff(lhs, rhs, max_differences=1000, output_size=10_000)
    assert caught.value.code == "output_limit"
