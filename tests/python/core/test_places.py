"""Errors of the Python readers name the same path and byte as those of the library, for every fault
below every kind of step."""

import struct
import uuid

import pytest
import thriftlens as tl

LEAF = (
    "struct Leaf { 1: required i32 n, 2: string text, 3: list<i32> numbers, 4: "
    "set<i32> some, 5: bool flag, 6: Choice choice, 7: i64 wide }"
)
CHOICE = "union Choice { 1: i32 a, 2: string b }"
STEPS = {
    "field": "1: Leaf field",
    "element": "1: list<Leaf> field",
    "of a set": "1: set<Leaf> field",
    "by bool": "1: map<bool, Leaf> field",
    "by number": "1: map<i16, Leaf> field",
    "by double": "1: map<double, Leaf> field",
    "by text": "1: map<string, Leaf> field",
    "by bytes": "1: map<binary, Leaf> field",
    "by uuid": "1: map<uuid, Leaf> field",
    "by list": "1: map<list<i32>, Leaf> field",
    "by struct": "1: map<Key, Leaf> field",
    "key": "1: map<Leaf, i32> field",
    "deep": "1: list<map<string, list<Leaf>>> field",
}
UUID = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
INSIDE = {
    "field": lambda leaf: leaf,
    "element": lambda leaf: [GOOD, leaf],
    "of a set": lambda leaf: [leaf],
    "by bool": lambda leaf: {True: leaf},
    "by number": lambda leaf: {-7: leaf},
    "by double": lambda leaf: {1.5: leaf},
    "by text": lambda leaf: {"a" * 100: leaf},
    "by bytes": lambda leaf: {b"\xff\x00": leaf},
    "by uuid": lambda leaf: {UUID: leaf},
    "by list": lambda leaf: [([1, 2], leaf)],
    "by struct": lambda leaf: [({"k": 5}, leaf)],
    "key": lambda leaf: [(leaf, 1)],
    "deep": lambda leaf: [{}, {"x": [GOOD, leaf]}],
}
GOOD = {"n": 1}
# A leaf of the sender's IDL, and the error code of reading it under the receiver's.
FAULTS = {
    "missing": ("struct Leaf { 2: string text }", {"text": "x"}, "missing_required"),
    "another type": ("struct Leaf { 1: string n }", {"n": "x"}, "type_mismatch"),
    "elements of another type": (
        "struct Leaf { 1: i32 n, 3: list<string> numbers }",
        {"n": 1, "numbers": ["x"]},
        "type_mismatch",
    ),
    "members of another type": (
        "struct Leaf { 1: i32 n, 4: set<i64> some }",
        {"n": 1, "some": [1]},
        "type_mismatch",
    ),
    "no text": (
        "struct Leaf { 1: i32 n, 2: binary text }",
        {"n": 1, "text": b"a\xff"},
        "invalid_utf8",
    ),
    "unknown": ("struct Leaf { 1: i32 n, 99: i32 more }", {"n": 1, "more": 2}, "unknown_field"),
    "two members": (
        "struct Leaf { 1: i32 n, 6: Both choice } struct Both { 1: i32 a, 2: string b }",
        {"n": 1, "choice": {"a": 1, "b": "x"}},
        "union_members",
    ),
    "member of another type": (
        "struct Leaf { 1: i32 n, 6: Both choice } struct Both { 1: i64 a }",
        {"n": 1, "choice": {"a": 1}},
        "type_mismatch",
    ),
}


def schema(leaf, step, choice=CHOICE):
    return tl.loads(f"{choice} {leaf} struct Key {{ 1: i32 k }} struct T {{ {STEPS[step]} }}").T


def location_of(call):
    try:
        call()
    except tl.DecodeError as error:
        return error.code, error.path, error.offset
    return None


def readers(of, data, protocol, **options):
    """The error location that every reader reports for the bytes."""
    unknown = options.get("unknown", "error")
    yield (
        "to_json",
        location_of(lambda: of.to_json(data, protocol=protocol, nonfinite="string", **options)),
    )
    yield "decode", location_of(lambda: of.decode(data, protocol=protocol, **options))
    yield "view.to_dict", location_of(lambda: of.view(data, protocol=protocol, **options).to_dict())
    yield "get", location_of(lambda: of.get(data, "$", protocol=protocol, **options))
    yield (
        "validate",
        location_of(
            lambda: of.validate(
                data,
                protocol=protocol,
                unknown="keep" if unknown == "drop" else unknown,
                enum_numbers="any",
            )
        ),
    )


def assert_one_place(of, data, protocol, code=None, only=None, **options):
    locations = {
        name: location
        for name, location in readers(of, data, protocol, **options)
        if only is None or name in only
    }
    assert len(set(locations.values())) == 1, locations
    (location,) = set(locations.values())
    if code is not None:
        assert location is not None and location[0] == code, location
    return location


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("step", STEPS)
def test_all_readers_report_the_same_location(protocol, step, fault):
    leaf, value, code = FAULTS[fault]
    data = schema(leaf, step).encode(
        {"field": without_good(INSIDE[step](value))}, protocol=protocol
    )
    location = assert_one_place(schema(LEAF, step), data, protocol, code, unknown="error")
    assert location[1].startswith("$.field") and 0 < location[2] < len(data)


def without_good(value):
    """The sender's leaf may not know the field of a sound one."""
    if isinstance(value, list):
        return [without_good(item) for item in value if item is not GOOD]
    if isinstance(value, dict):
        return {key: without_good(item) for key, item in value.items()}
    return value


SAMPLE = {
    "field": [
        {
            "n": 5,
            "text": "Zoë",
            "numbers": [1, 2**30],
            "some": [3],
            "flag": True,
            "choice": {"b": "x"},
            "wide": -(2**40),
        },
        {"n": 6, "flag": False, "choice": {"a": 1}},
    ]
}


@pytest.fixture(scope="module")
def listed():
    return schema(LEAF, "element")


def test_truncation_at_every_byte(listed, protocol):
    data = listed.encode(SAMPLE, protocol=protocol)
    for size in range(len(data)):
        assert assert_one_place(listed, data[:size], protocol) is not None
    result = assert_one_place(listed, data + b"\0", protocol, "trailing_bytes")
    assert result[1:] == ("$", len(data))


@pytest.mark.parametrize("byte", [0x00, 0x01, 0x0F, 0x7F, 0x80, 0xFF])
def test_corruption_of_every_byte(listed, protocol, byte):
    data = listed.encode(SAMPLE, protocol=protocol)
    wrong = 0
    for at in range(len(data)):
        changed = data[:at] + bytes([byte]) + data[at + 1 :]
        wrong += assert_one_place(listed, changed, protocol, unknown="drop") is not None
    assert wrong > len(data) / 5


def test_depth(protocol):
    of = tl.loads("struct N { 1: list<N> next, 2: map<i32, list<N>> by }").N
    value = {}
    for i in range(6):
        value = {"next": [value]} if i % 2 else {"by": {i: [value]}}
    data = of.encode(value, protocol=protocol)
    for depth in range(14):
        locations = {
            location_of(lambda: of.decode(data, protocol=protocol, depth=depth)),
            location_of(lambda: of.to_json(data, protocol=protocol, depth=depth)),
        }
        locations.add(location_of(lambda: of.validate(data, protocol=protocol, depth=depth)))
        assert len(locations) == 1 and locations.pop()[0] == "depth_limit", depth


def test_duplicates(protocol):
    """Duplicate set elements and fields: decode and to_json agree on the location of the second
    one."""
    of = tl.loads("struct T { 1: set<i32> some, 2: map<string, i32> by, 3: i32 n }").T
    schema_ = tl.loads(
        "struct T { 1: list<i32> some, 2: list<E> by, 3: i32 n } struct E { 1: i32 x }"
    ).T
    data = bytearray(schema_.encode({"some": [4, 5, 4]}, protocol=protocol))
    data[0] = 14 if protocol == "binary" else data[0] + 1  # a set
    location = location_of(lambda: of.decode(bytes(data), protocol=protocol))
    assert location[:2] == ("duplicate_key", "$.some[2]")
    assert location[2] == (16 if protocol == "binary" else 4)
    entry = b"\0\0\0\1a\0\0\0\7" if protocol == "binary" else b"\1a\16"
    header = b"\x0d\0\2\x0b\x08\0\0\0\2" if protocol == "binary" else b"\x2b\2\x85"
    location = assert_one_place(
        of,
        header + entry + entry + b"\0",
        protocol,
        "duplicate_key",
        only=("decode", "to_json", "view.to_dict"),
    )
    assert location[2] == len(header + entry)
    field = b"\x08\0\3\0\0\0\1" if protocol == "binary" else None
    if field is not None:
        location = assert_one_place(of, field + field + b"\0", protocol, "duplicate_field")
        assert location[1:] == ("$.n", len(field))


def test_field_errors_precede_value_errors(protocol):
    of = tl.loads(
        "struct T { 1: i32 n, 2: T next, 3: Choice choice } union Choice { 1: i32 a, 2: i32 b }"
    ).T
    binary = protocol == "binary"
    number = b"\x08\0\1\0\0\0\1" if binary else b"\x15\2"
    twice = number + (b"\x08\0\1\0\0" if binary else b"\5\2\x80")
    location = assert_one_place(of, twice, protocol, "duplicate_field")
    assert location[1:] == ("$.n", len(number))
    into = b"\x0c\0\2" if binary else b"\x2c"
    location = assert_one_place(of, into + twice, protocol, "duplicate_field")
    assert location[1:] == ("$.next.n", len(into + number))
    choice = (b"\x0c\0\3" if binary else b"\x3c") + number
    second = b"\x08\0\2\0\0" if binary else b"\x15\x80"
    location = assert_one_place(of, choice + second, protocol, "union_members")
    assert location[1:] == ("$.choice.b", len(choice))


def test_a_fault_inside_an_unknown_field(protocol):
    sent = tl.loads("struct T { 9: map<string, list<string>> more }").T.encode(
        {"more": {"k": ["first", "second"]}}, protocol=protocol
    )
    of = tl.loads("struct T { 1: i32 n }").T
    location = assert_one_place(of, sent[:-2], protocol, "truncated", unknown="drop")
    assert location[1] == '$.#9{"k"}[1]'


def encode_path(of, value, **options):
    with pytest.raises(tl.EncodeError) as caught:
        of.encode(value, **options)
    return caught.value.path


@pytest.mark.parametrize("step, path", [
    ("field", "$.field.n"),
    ("element", "$.field[1].n"),
    ("by bool", "$.field{true}.n"),
    ("by number", "$.field{-7}.n"),
    ("by double", "$.field{1.5}.n"),
    ("by text", '$.field{"' + "a" * 64 + '"…}.n'),
    ("by bytes", '$.field{x"00000002ff00"}.n'),
    ("by uuid", f'$.field{{"{UUID}"}}.n'),
    ("by list", '$.field{x"08000000020000000100000002"}.n'),
    ("by struct", '$.field{x"0800010000000500"}.n'),
    ("key", "$.field{key 0}.n"),
    ("deep", '$.field[1]{"x"}[1].n'),
])  # fmt: skip
def test_encode_reports_the_same_paths(step, path):
    of = schema(LEAF, step)
    assert encode_path(of, {"field": INSIDE[step]({"n": "x"})}) == path
    data = of.encode({"field": INSIDE[step]({"n": 5})})
    at = data.rindex(struct.pack(">hi", 1, 5)) - 1
    with pytest.raises(tl.DecodeError) as caught:
        of.decode(data[:at] + b"\x0b" + data[at + 1 :])
    assert caught.value.path == path and caught.value.offset == at


def test_errors_name_the_base_of_their_offset(listed):
    data = listed.encode(SAMPLE)
    for source, call in [
        ("data", lambda: listed.decode(data[:-1])),
        ("JSON text", lambda: listed.from_json("{")),
        ("path", lambda: listed.get(data, "$.nope")),
        ("selection", lambda: listed.trim(data, "{ nope }")),
    ]:
        with pytest.raises(tl.Error) as caught:
            call()
        assert caught.value.source == source and isinstance(caught.value.offset, int)
    with pytest.raises(tl.Error, match="of the path"):
        listed.get(data, "$.nope")
