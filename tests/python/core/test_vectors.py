"""Every valid vector through every call, both protocols; every malicious one to its error."""

import json
import tracemalloc

import pytest
import thriftlens as tl

SETS = (
    "Sets",
    "StructKeys",
    "Lists",
    "Nested",
    "Uuids",
)  # structs that hold sets: Python keeps no order for those


def pairs_as_object(value):
    return {json.dumps(key, separators=(",", ":")): item for key, item in value}


def same_json(text, expected, struct):
    parsed = json.loads(text)
    if struct == "StructKeys":
        for name in ("ps", "ls"):
            if name in parsed:
                parsed[name] = pairs_as_object(parsed[name])
    return json.dumps(parsed, sort_keys=True) == json.dumps(expected, sort_keys=True)


def test_the_vectors_match_the_counts_of_the_manifest(vectors):
    for section in ("valid", "malicious", "envelope"):
        assert len(vectors.manifest[section]) == vectors.manifest["counts"][section]
    assert len(vectors.manifest["valid"]) >= 200


def test_encode_after_decode_round_trips(vectors):
    for vector, of, protocol, data in vectors.valid():
        value = of.decode(data, protocol=protocol)
        rewritten = of.encode(value, protocol=protocol)
        assert repr_of(of.decode(rewritten, protocol=protocol)) == repr_of(value), (
            vector["id"],
            protocol,
        )
        if vector["struct"] not in SETS and "out_of_order" not in vector["tags"]:
            assert rewritten == data, (vector["id"], protocol)


def repr_of(value):
    """Comparable where NaN is in it, and where sets have no order."""
    if isinstance(value, dict):
        return {repr(key): repr_of(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [repr_of(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(repr(repr_of(item)) for item in value)
    return repr(value)


def test_both_protocols_decode_to_the_same(vectors):
    for vector in vectors.manifest["valid"]:
        of = vectors.type(vector)
        binary = of.decode(vectors.read(vector["encodings"]["binary"]))
        compact = of.decode(vectors.read(vector["encodings"]["compact"]), protocol="compact")
        assert repr_of(binary) == repr_of(compact), vector["id"]


def test_json_equals_the_plain_json_and_leads_back(vectors):
    for vector, of, protocol, data in vectors.valid():
        options = renamed(vector.get("options", {}))
        expected = json.loads(vectors.read(vector["plain"]))
        text = of.to_json(data, protocol=protocol, **options)
        assert same_json(text, expected, vector["struct"]), (vector["id"], protocol)
        back = of.from_json(text, protocol=protocol, **options)
        assert of.to_json(back, protocol=protocol, **options) == text, (vector["id"], protocol)
        if "out_of_order" not in vector["tags"]:
            assert back == data, (vector["id"], protocol)


def test_decode_and_json_agree(vectors):
    """decode equals the parsed output of to_json, where JSON can represent the value."""
    for vector in vectors.manifest["valid"]:
        if vector["struct"] not in ("Scalars", "OptScalars", "Mixed", "Tree", "Sparse"):
            continue
        data = vectors.read(vector["encodings"]["binary"])
        of = vectors.type(vector)
        value = of.decode(data)
        expected = json.loads(of.to_json(data, nonfinite="string"))
        for name in set(value) & {"f_binary", "o_binary"}:
            del value[name], expected[name]
        for name in set(value) & {"f_double", "o_double"}:
            if isinstance(expected[name], str):
                del value[name], expected[name]
        assert value == expected, vector["id"]


def test_truncated_vectors_are_errors(vectors):
    """Every prefix of the short vectors; more of them are cut in the tests of the library."""
    for _, of, protocol, data in vectors.valid():
        if len(data) > 256:
            continue
        for length in range(len(data)):
            with pytest.raises(tl.DecodeError):
                of.decode(data[:length], protocol=protocol)


# What the vectors call a kind of error, and our code for it.
CODES = {
    "eof": "truncated", "negative_size": "negative_size", "size_limit": "size_limit",
    "bad_type": "bad_ttype", "type_mismatch": "type_mismatch", "depth": "depth_limit",
    "missing_required": "missing_required", "varint_overflow": "bad_varint", "utf8": "invalid_utf8",
    "duplicate_field": "duplicate_field duplicate_key", "trailing": "trailing_bytes",
    "duplicate_key": "duplicate_key", "union": "union_members", "nonfinite": "nonfinite",
    "int_range": "integer_range bad_varint", "field_id": "bad_field_id", "json_type": "json_type",
    "json_syntax": "json_syntax", "double_range": "double_range", "map_key": "bad_map_key",
    "base64": "bad_base64", "unknown_field": "unknown_key", "enum": "unknown_enum_name",
}  # fmt: skip


def judge(vector, size, call, kind):
    """None, or what is wrong with the outcome of reading `size` bytes.

    That time is bounded too, tests/steps counts."""
    tracemalloc.start()
    try:
        call()
        outcome = "ok"
    except kind as error:
        outcome = error.code
        assert error.path is None or error.path.startswith("$")
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    if peak > (16 << 20) + 64 * size:
        return f"{vector['id']}: {peak} bytes of objects for {size} bytes of input"
    allowed = {code for kind in vector["kinds"] for code in CODES.get(kind, "").split()}
    if (
        vector["expect"] == "ok"
        and outcome == "ok"
        or vector["expect"] == "either"
        and outcome in {"ok", *allowed}
    ):
        return None
    if vector["expect"] == "error" and outcome in allowed:
        return None
    return (
        f"{vector['id']}: {outcome}, expected {vector['expect']} {vector['kinds']} "
        f"({vector['why']})"
    )


def malicious(vectors, surface):
    return [row for row in vectors.manifest["malicious"] if row["surface"] == surface]


def renamed(options):
    """Options as vectors name them: "drop" was called "skip"."""
    return {name: "drop" if choice == "skip" else choice for name, choice in options.items()}


def test_malicious_bytes(vectors):
    wrong = []
    for vector in malicious(vectors, "thrift"):
        of, data, protocol = vectors.type(vector), vectors.read(vector), vector["protocol"]
        options = renamed(vector.get("options", {}))
        wrong.append(
            judge(vector, len(data), lambda: of.decode(data, protocol=protocol), tl.DecodeError)
        )
        wrong.append(
            judge(
                vector,
                len(data),
                lambda: of.to_json(data, protocol=protocol, **options),
                tl.DecodeError,
            )
        )
    assert not list(filter(None, wrong))
    assert len(wrong) > 300


def test_malicious_json(vectors):
    wrong = []
    for vector in malicious(vectors, "json"):
        of, data = vectors.type(vector), vectors.read(vector)
        options = renamed(vector.get("options", {}))
        if "unknown_field" not in vector["kinds"]:
            options = {"unknown": "drop", **options}
        for protocol in ("binary", "compact"):
            wrong.append(
                judge(
                    vector,
                    len(data),
                    lambda: of.from_json(data, protocol=protocol, **options),
                    tl.JSONError,
                )
            )
    assert not list(filter(None, wrong))
    assert len(wrong) > 300


def peak_of(call):
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    except tl.DecodeError:
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_depends_on_the_bytes_not_on_declared_sizes(vectors):
    for vector in malicious(vectors, "thrift"):
        if vector["expect"] == "error":
            of, data, protocol = vectors.type(vector), vectors.read(vector), vector["protocol"]
            assert peak_of(lambda: of.decode(data, protocol=protocol)) < (16 << 20) + 8 * len(
                data
            ), vector["id"]


@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_nested_lists_that_declare_all_remaining_bytes(protocol):
    levels, size = 40, 1 << 20
    of = tl.loads(f"struct S {{ 1: {'list<' * levels}bool{'>' * levels} l }}").S
    if protocol == "binary":
        inner = b"\x0f" + (size // 8).to_bytes(4, "big")
        data = b"\x0f\x00\x01" + inner * (levels - 1) + b"\x02" + inner[1:]
    else:
        inner = b"\xf9\x80\x80\x38"
        data = b"\x19" + inner * (levels - 1) + b"\xf1" + inner[1:]
    data += bytes(size)
    assert peak_of(lambda: of.decode(data, protocol=protocol)) < (16 << 20) + 8 * len(data)
    with pytest.raises(tl.DecodeError):
        of.decode(data, protocol=protocol)
