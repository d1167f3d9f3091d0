"""An error that an option relaxes names the option in the syntax of its caller; with the option
there is no error."""

import json
import struct

import pytest
import thriftlens as tl

IDL = """
enum E { A = 1 }
struct In { 1: required i32 r, 2: string s }
struct S {
  1: string s, 2: i64 n, 3: double d, 4: binary b, 5: E e, 6: In i, 7: list<i32> l, 8: set<i32> t,
  9: map<i32, i32> m, 10: i32 ruled (vt.gt = "0"),
  11: list<list<list<i32>>> deep, 12: string mail (pii = "blank")
}
struct Other { 1: i32 s, 20: i32 x }
service Svc { S get(1: S given) }
"""
LOADED = tl.loads(IDL)
S, In = LOADED.S, LOADED.In
RAW = tl.loads("struct S { 1: binary s, 6: Raw i, 20: i32 x } struct Raw { 2: binary s }")["S"]
NOT_UTF8 = RAW.encode({"s": b"\xff"})
MISSING = RAW.encode({"i": {"s": b"a"}})
UNKNOWN = RAW.encode({"x": 1})
MISTYPED = LOADED.Other.encode({"s": 1})
NAN = S.encode({"d": float("nan")})
UNDECLARED = S.encode({"e": 7})
FOREIGN = LOADED.Other.encode({"x": 1})
UNRULED = S.encode({"ruled": -1})
DEEP = S.encode({"deep": [[[1]]]})
TWICE = b"\x0a\x00\x02" + bytes(8) + b"\x0a\x00\x02" + bytes(8) + b"\0"
SAME_KEY = b"\x0d\x00\x09\x08\x08\x00\x00\x00\x02" + struct.pack(">4i", 1, 1, 1, 2) + b"\0"
SAME_ELEMENT = b"\x0e\x00\x08\x08\x00\x00\x00\x02" + struct.pack(">2i", 1, 1) + b"\0"

READING = [
    (NOT_UTF8, "invalid_utf8", "replace"), (MISSING, "missing_required", "omit"),
    (UNKNOWN, "unknown", "drop"), (MISTYPED, "mismatch", "drop"),
    (TWICE, "duplicates", "last"), (SAME_KEY, "duplicates", "last"),
    (SAME_ELEMENT, "duplicates", "last"), (DEEP, "depth", 1024),
]  # fmt: skip
READERS = {
    "decode": lambda data, **options: S.decode(data, **options),
    "decoder": lambda data, **options: S.decoder(**options).decode(data),
    "view": lambda data, **options: S.view(data, **options).to_dict(),
    "to_json": lambda data, **options: S.to_json(data, **options),
    "get": lambda data, **options: S.get(data, "$", **options),
    "columns": lambda data, **options: (
        S.columns([data], "{ s n i { r } deep }", **options).num_rows
    ),
}
DEFAULTS = {"unknown": {"unknown": "error"}, "depth": {"depth": 2}}
NOT_IN_COLUMNS = ("duplicates",)
CASES = [
    (
        f"{name}-{option}-{index}",
        lambda read=read, data=data, **options: read(data, **options),
        option,
        value,
        DEFAULTS.get(option, {}),
    )
    for name, read in READERS.items()
    for index, (data, option, value) in enumerate(READING)
    if name != "columns" or option not in NOT_IN_COLUMNS
    if name != "to_json" or data != SAME_ELEMENT
]
RULES = {"annotation": "pii"}
CASES += [
    ("to_json-nonfinite", lambda **options: S.to_json(NAN, **options), "nonfinite", "string", {}),
    *(
        (f"from_json-{option}-{index}", lambda text=text, **options: S.from_json(text, **options),
        option, value, {})
        for index, (text, option, value) in enumerate([
            ('{"n": "5"}', "quoted_numbers", "accept"), ('{"d": "5"}', "quoted_numbers", "accept"),
            ('{"e": "1"}', "quoted_numbers", "accept"),
            ('{"d": "NaN"}', "nonfinite", "string"), ('{"d": "-Infinity"}', "nonfinite", "string"),
            ('{"b": "/w"}', "base64", "lenient"),
            ('{"b": "_w=="}', "base64", "lenient"), ('{"q": 1}', "unknown", "drop"),
            ('{"n": 1, "n": 2}', "duplicates", "last"), ('{"i": {}}', "missing", "zero"),
            ('{"s": "\\ud800"}', "invalid_utf8", "replace"),
            ('{"m": {"1": 1, "1": 2}}', "duplicates", "last"),
        ])
    ),
    ("encode-unknown", lambda **options: S.encode({"q": 1}, **options), "unknown", "drop", {}),
    ("encode-missing", lambda **options: S.encode({"i": {}}, **options), "missing", "zero", {}),
    ("encode-invalid_utf8", lambda **options: S.encode({"s": "\ud800"}, **options), "invalid_utf8",
    "replace", {}),
    ("encoder-missing", lambda **options: S.encoder(**options).encode({"i": {}}), "missing", "zero",
    {}),
    ("validate-invalid_utf8", lambda **options: S.validate(NOT_UTF8, **options), "invalid_utf8",
    "keep", {}),
    ("validate-missing", lambda **options: S.validate(MISSING, **options), "missing_required",
    "omit", {}),
    ("validate-enums", lambda **options: S.validate(UNDECLARED, **options), "enum_numbers", "any",
    {}),
    ("validate-rules", lambda **options: S.validate(UNRULED, **options), "rules", "ignore", {}),
    ("validate-unknown", lambda **options: S.validate(UNKNOWN, **options), "unknown", "keep",
    {"unknown": "error"}),
    ("validate-foreign", lambda **options: S.validate(FOREIGN, **options), "foreign", "any",
    {"foreign": "error"}),
    ("validate-keys", lambda **options: S.validate(SAME_KEY, **options), "keys", "any",
    {"keys": "unique"}),
    ("trim-unknown", lambda **options: S.trim(UNKNOWN, "{ s }", **options), "unknown", "drop",
    {"unknown": "error"}),
    ("redact-unknown", lambda **options: S.redact(UNKNOWN, **RULES, **options), "unknown", "drop",
    {"unknown": "error"}),
    ("redact-missing_required", lambda **options: S.redact(MISSING, **RULES, **options),
    "missing_required", "omit", {}),
    ("redact-unmatched", lambda **options: S.redact(NAN, annotation="secret", **options),
    "unmatched", "ignore", {}),
    ("redact-path", lambda **options: S.redact(NAN, paths={"$.nope": "drop"}, **options),
    "unmatched", "ignore", {}),
    ("scan-mismatch", lambda **options: list(tl.scan(MISTYPED, S, to="dict", **options)),
    "mismatch", "drop", {}),
    ("scan-on_error", lambda **options: list(tl.scan(struct.pack(">i", 2) + b"\x11\x00", S,
    framing="u32", **options)), "on_error", "skip", {}),
    ("scan-truncated", lambda **options: list(tl.scan(NAN[:-3], S, **options)), "truncated", "drop",
    {}),
]  # fmt: skip


def spelled(option, value):
    return f'{option}="{value}"' if isinstance(value, str) else f"{option}={value}"


@pytest.mark.parametrize(
    "run, option, value, options", [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_the_error_names_the_option_that_accepts_the_input(run, option, value, options):
    with pytest.raises(tl.Error) as caught:
        run(**options)
    assert str(caught.value).endswith(f"; accepted with {spelled(option, value)}")
    assert caught.value.option == (option, value)
    run(**{**options, option: value})


def test_an_option_that_is_set_is_not_suggested():
    nested = b"\x0f\x00\x63" + b"\x0f\x00\x00\x00\x01" * 1100
    with pytest.raises(tl.DecodeError, match="nested deeper") as caught:
        S.decode(nested, depth=1024)
    assert caught.value.option is None and "accepted with" not in str(caught.value)


@pytest.mark.parametrize("text", [
    '{"n": "x"}', '{"b": "!"}', '{"n": {}}', '{"d": "x"}', '{"s": 5}', '{"n": 1.5}', '{"s": "\\x"}',
])  # fmt: skip
def test_input_that_no_option_accepts_names_none(text):
    with pytest.raises(tl.JSONError) as caught:
        S.from_json(text)
    assert caught.value.option is None and "accepted with" not in str(caught.value)


def test_a_larger_limit_is_named():
    big = S.encode({"l": [1] * 1000})
    with pytest.raises(tl.DecodeError, match="accepted with a larger output_size$"):
        S.to_json(big, output_size=10)
    with pytest.raises(tl.Error, match="accepted with a larger record_size"):
        list(tl.scan(struct.pack(">i", 1000) + bytes(1000), S, framing="u32", record_size=100))


def test_a_missing_include_lists_the_searched_folders(tmp_path):
    (tmp_path / "a.thrift").write_text('include "nope.thrift"\n')
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises(tl.SchemaError) as caught:
        tl.load(tmp_path / "a.thrift", include_dirs=[other])
    assert f"'nope.thrift' was not found; searched: {tmp_path}, {other}" in str(caught.value)
    assert str(caught.value).endswith('\naccepted with include_dirs=["DIR"]')
    with pytest.raises(tl.SchemaError, match="was not found; no directory is searched"):
        tl.loads('include "nope.thrift"')
    with pytest.raises(tl.SchemaError) as caught:
        tl.loads('include "nope.thrift" struct S { 1: Foo x }')
    assert caught.value.option is None


class TestClients:
    @pytest.fixture
    def address(self):
        other = tl.loads(IDL.replace("1: string s, 2: i64 n", "1: i32 s, 2: i64 n"))
        with tl.serve(other, "Svc", {"get": lambda arguments: {"s": 1}}, background=True) as server:
            yield server.address

    @pytest.mark.parametrize("result", ["dict", "json"])
    def test_an_error_of_a_reply_names_the_option_of_the_client(self, address, result):
        with tl.connect(address, LOADED, "Svc", result=result) as client:
            with pytest.raises(tl.DecodeError) as caught:
                client.get({})
            assert str(caught.value).endswith('; accepted with decode={"mismatch": "drop"}')
        with tl.connect(
            address, LOADED, "Svc", result=result, decode={"mismatch": "drop"}
        ) as client:
            assert client.get({}) in ({}, b"{}")

    def test_an_error_of_arguments_names_none(self, address):
        with tl.connect(address, LOADED, "Svc") as client:
            with pytest.raises(tl.EncodeError) as caught:
                client.get({"i": {}})
            assert "accepted with" not in str(caught.value)

    def test_errors_of_a_server_suggest_no_option(self):
        with tl.serve(LOADED, "Svc", {"get": lambda arguments: {}}, background=True) as server:
            other = tl.loads(IDL.replace("1: required i32 r", "1: i32 r"))
            with tl.connect(server.address, other, "Svc") as client:
                with pytest.raises(tl.ApplicationError) as caught:
                    client.get({"i": {}})
                assert "accepted with" not in str(caught.value)


class TestShell:
    @pytest.fixture
    def idl(self, tmp_path):
        (tmp_path / "s.thrift").write_text(IDL)
        return tmp_path / "s.thrift"

    @pytest.mark.parametrize("command, data, hint", [
        ("to-json", NOT_UTF8, "--invalid-utf8 replace"), ("to-json", MISTYPED, "--mismatch drop"),
        ("to-json", MISSING, "--missing-required omit"),
        ("to-json", TWICE, "--duplicates last"), ("to-json", DEEP, ""),
        ("from-json", b'{"n":"5"}', "--quoted-numbers accept"),
        ("from-json", b'{"b":"/w"}', "--base64 lenient"), ("from-json", b'{"q":1}',
        "--unknown drop"), ("from-json", b'{"i":{}}', "--missing zero"),
    ])  # fmt: skip
    def test_options_are_written_as_on_the_command_line(self, run, idl, command, data, hint):
        result = run(command, idl, "S", "-", input=data)
        assert result.returncode == (0 if not hint else 1)
        assert result.stderr.decode().rstrip("\n").partition("; accepted with ")[2] == hint
        if hint:
            assert run(command, idl, "S", "-", *hint.split(), input=data).returncode == 0

    def test_a_missing_include(self, run, tmp_path):
        (tmp_path / "a.thrift").write_text('include "nope.thrift"\nstruct S { 1: i32 x }\n')
        result = run("to-json", tmp_path / "a.thrift", "S", "-", input=b"\0")
        assert "accepted with --missing-include warn" in result.stderr.decode()
        actual = run(
            "to-json", tmp_path / "a.thrift", "S", "-", "--missing-include warn", input=b"\0"
        )
        assert actual.returncode == 0


def test_framed_bytes_that_are_scanned_as_structs_get_a_hint():
    framed = b"".join(struct.pack(">i", len(record)) + record for record in (NAN, UNDECLARED, NAN))
    for data in (framed, framed * 3):
        with pytest.raises(tl.DecodeError, match="the data looks like .*u32"):
            list(tl.scan(data, S))
    assert len(list(tl.scan(framed, S, framing="u32"))) == 3


def test_errors_keep_the_option_when_pickled():
    import pickle

    with pytest.raises(tl.DecodeError) as caught:
        S.decode(NOT_UTF8)
    unpickled = pickle.loads(pickle.dumps(caught.value))
    assert (str(unpickled), unpickled.option) == (str(caught.value), ("invalid_utf8", "replace"))
    json.dumps(unpickled.option)
