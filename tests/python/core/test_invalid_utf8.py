"""Strings that are not UTF-8 without loss: surrogateescape in str and JSON, bytes in columns."""

import json

import pytest
import thriftlens as tl

IDL = (
    "struct Inner { 1: string s } union U { 1: string s, 2: i32 n } exception X { 1: string s } "
    "struct S { 1: string s, 2: list<string> l, 3: map<string, string> m, 4: set<string> t, 5: "
    "Inner i, 6: binary b, 7: map<Inner, i32> k, 8: U u, 9: X x }"
)
S = tl.loads(IDL)["S"]
AS_BINARY = tl.loads(IDL.replace("string", "binary"))["S"]
RAW = b"a\xff\xc3(\xed\xa0\x80\xf0\x9f\x98\x80\xc3\xa9\x80"
TEXT = RAW.decode("utf-8", "surrogateescape")
BROKEN = [bytes([byte]) for byte in range(256)] + [
    RAW, b"\xe2\x82", b"\xe2\x82A", b"\xf0\x9f\x98", b"\xc0\xaf", b"\xe0\x80\xaf",
    b"\xf8\x88\x80\x80\x80", b"\xf4\x90\x80\x80", b"\xed\xb3\xbf", b"\xef\xbf",
    b"x" * 5000 + b"\xff", b"\x80" * 300, b'"\\\n\xff', b"\xff\xfe\xfd", b"",
]  # fmt: skip


def value_of(text, raw):
    return {
        "s": text,
        "l": [text, "b"],
        "m": {text: text},
        "t": {text},
        "i": {"s": text},
        "b": raw,
        "k": {(("s", text),): 1},
        "u": {"s": text},
        "x": {"s": text},
    }


def raw_value_of(raw):
    return {**value_of(raw, raw), "l": [raw, b"b"]}


@pytest.fixture
def data(protocol):
    return AS_BINARY.encode(raw_value_of(RAW), protocol=protocol)


@pytest.mark.parametrize("raw", BROKEN, ids=range(len(BROKEN)))
def test_decode_and_encode_are_inverse(raw, protocol):
    options = {"protocol": protocol, "invalid_utf8": "surrogateescape"}
    text = raw.decode("utf-8", "surrogateescape")
    data = AS_BINARY.encode(raw_value_of(raw), protocol=protocol)
    assert S.decode(data, **options) == value_of(text, raw)
    assert S.encode(S.decode(data, **options), **options) == data
    assert S.encoder(**options).encode(S.decoder(**options).decode(data)) == data


def test_views_give_the_same_text(data, protocol):
    view = S.view(data, protocol=protocol, invalid_utf8="surrogateescape")
    assert view.s == TEXT and view["i"].s == TEXT and view["l"][0] == TEXT
    assert view.to_dict() == value_of(TEXT, RAW)
    assert list(view["m"]) == [TEXT] and view["m"][TEXT] == TEXT and TEXT in view["m"]
    assert TEXT in view["t"]
    assert "\ud800" not in view["m"]
    assert S.get(data, "$.l[0]", protocol=protocol, invalid_utf8="surrogateescape") == TEXT
    assert bytes(view) == data
    assert S.encode(view, protocol=protocol, invalid_utf8="surrogateescape") == data


def test_it_is_an_error_by_default(data, protocol):
    for read in (
        lambda: S.decode(data, protocol=protocol),
        lambda: S.view(data, protocol=protocol).s,
        lambda: S.to_json(data, protocol=protocol),
    ):
        with pytest.raises(tl.DecodeError) as caught:
            read()
        assert caught.value.code == "invalid_utf8"
    for value in (TEXT, "\ud800"):
        with pytest.raises(tl.EncodeError, match="unpaired surrogate") as caught:
            S.encode({"i": {"s": value}}, protocol=protocol)
        assert (caught.value.code, caught.value.path) == ("invalid_utf8", "$.i.s")


@pytest.mark.parametrize(
    "text", ["\ud800", "\udbff", "\udc00", "\udc7f", "\udd00", "\udfff", "a\udcff\ud800"]
)
def test_surrogates_without_a_byte_are_refused_or_replaced(text, protocol):
    with pytest.raises(tl.EncodeError, match="unpaired surrogate"):
        S.encode({"s": text}, protocol=protocol, invalid_utf8="surrogateescape")
    written = S.encode(
        {"s": "\xed" + text + "\u00ed\u0800"}, protocol=protocol, invalid_utf8="replace"
    )
    expected = (
        "\xed"
        + "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
        + "\u00ed\u0800"
    )
    assert S.decode(written, protocol=protocol) == {"s": expected}


@pytest.mark.parametrize("raw", BROKEN, ids=range(len(BROKEN)))
def test_json_has_the_escape_of_a_surrogate_for_each_byte(raw, protocol):
    options = {"protocol": protocol, "invalid_utf8": "surrogateescape"}
    data = AS_BINARY.encode({"s": raw, "m": {raw: b""}}, protocol=protocol)
    text = S.to_json(data, **options)
    expected = raw.decode("utf-8", "surrogateescape")
    assert json.loads(text) == {"s": expected, "m": {expected: ""}}
    assert S.from_json(text, **options) == data
    assert S.encode(json.loads(text), **options) == data


@pytest.mark.parametrize("text", [
    rb'{"s":"\udcff"}', rb'{"s":"\ud800"}', rb'{"s":"\ud800A"}', rb'{"m":{"\udfff":"x"}}',
    rb'{"n":"\udc80"}',
])  # fmt: skip
def test_json_text_with_unpaired_surrogates(text):
    with pytest.raises(tl.JSONError, match="unpaired surrogate"):
        S.from_json(text, unknown="drop")
    read = S.decode(S.from_json(text, unknown="drop", invalid_utf8="replace"))
    assert read == {"s": "\ufffd"} if text[2:3] == b"s" and b"A" not in text else True
    if b"dcff" in text:
        assert AS_BINARY.decode(S.from_json(text, invalid_utf8="surrogateescape")) == {"s": b"\xff"}
    elif b'"n"' not in text:
        with pytest.raises(tl.JSONError, match="unpaired surrogate"):
            S.from_json(text, invalid_utf8="surrogateescape")


def test_columns_of_strings_are_binary_and_are_read_back(data, protocol):
    pyarrow = pytest.importorskip("pyarrow")
    select = "{ s l i { s } }"
    with pytest.raises(tl.DecodeError):
        S.columns([data], select, protocol=protocol).batches().__next__()
    columns = S.columns([data] * 3, select, protocol=protocol, invalid_utf8="keep", reason="why")
    table = pyarrow.table(columns)
    assert table.schema.field("s").type == pyarrow.binary()
    assert table.schema.field("why").type == pyarrow.string()
    result = table.select(["s", "l", "i"]).to_pylist()
    assert result == [{"s": RAW, "l": [RAW, b"b"], "i": {"s": RAW}}] * 3
    result = pyarrow.schema(S.arrow_schema(select, invalid_utf8="keep"))
    assert result == table.drop_columns(["why"]).schema
    back = table.drop_columns(["why"])
    with pytest.raises(tl.EncodeError, match="expected string, found binary"):
        S.from_columns(back, protocol=protocol)
    trimmed = S.trim(data, select, protocol=protocol)
    assert list(S.from_columns(back, protocol=protocol, invalid_utf8="keep")) == [trimmed] * 3


def test_the_command_line(run, tmp_path):
    (tmp_path / "s.thrift").write_text(IDL)
    (tmp_path / "in").write_bytes(AS_BINARY.encode({"s": RAW}))
    result = run(
        "to-json", tmp_path / "s.thrift", "S", tmp_path / "in", "--invalid-utf8 surrogateescape"
    )
    assert json.loads(result.stdout) == {"s": TEXT}
    result = run(
        "from-json",
        tmp_path / "s.thrift",
        "S",
        "-",
        "--invalid-utf8 surrogateescape",
        input=result.stdout,
    )
    assert result.stdout == AS_BINARY.encode({"s": RAW})
