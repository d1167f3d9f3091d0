"""Edit.replace and Rewrite.replace keep what the IDL does not know, also where elements are sorted
or filtered."""

import pytest
import thriftlens as tl

NEW = tl.loads("""
struct Part { 1: i32 rank, 2: string name, 9: list<string> more }
struct Order { 1: i64 id, 2: list<Part> parts, 3: Part first, 4: map<string, Part> by_name,
  7: double extra }
""")
OLD = tl.loads("""
struct Part { 1: i32 rank, 2: string name }
struct Order { 1: i64 id, 2: list<Part> parts, 3: Part first, 4: map<string, Part> by_name }
""")
PARTS = [{"rank": rank, "name": f"n{rank}", "more": [str(rank), "x"]} for rank in (3, 1, 2)]
VALUE = {"id": 7, "parts": PARTS, "first": PARTS[0], "by_name": {"a": PARTS[1]}, "extra": 1.5}


@pytest.fixture(params=["edit", "rewrite"])
def changes(request, protocol):
    data = NEW["Order"].encode(VALUE, protocol=protocol)

    def apply(path, change):
        edited = (
            getattr(OLD["Order"], request.param)(data, protocol=protocol)
            .replace(path, change)
            .apply()
        )
        return data, edited, NEW["Order"].decode(edited, protocol=protocol)

    return apply


@pytest.mark.parametrize(
    "path", ["$", "$.parts", "$.parts[*]", "$.parts[1]", "$.first", "$.by_name", '$.by_name{"a"}']
)
def test_an_unchanged_value_has_the_same_bytes(changes, path):
    data, edited, _ = changes(path, lambda value: value)
    assert edited == data


def test_unknown_fields_stay_where_elements_are_sorted_filtered_or_changed(changes):
    ranked = sorted(PARTS, key=lambda part: part["rank"])
    result = changes("$.parts", lambda parts: sorted(parts, key=lambda part: part["rank"]))
    assert result[2] == {**VALUE, "parts": ranked}
    result = changes("$.parts", lambda parts: [part for part in parts if part["rank"] != 1])
    assert result[2] == {**VALUE, "parts": [PARTS[0], PARTS[2]]}
    result = changes("$.first", lambda part: {**part, "name": "new"})
    assert result[2] == {**VALUE, "first": {**PARTS[0], "name": "new"}}
    assert changes("$", lambda order: {**order, "id": 8})[2] == {**VALUE, "id": 8}


def test_a_mistyped_name_is_an_error(changes):
    with pytest.raises(tl.EncodeError, match="nmae"):
        changes("$.first", lambda part: {**part, "nmae": "x"})
