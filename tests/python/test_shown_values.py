"""str(view) shows the value, repr of messages and services is short, and errors of Parquet footers
say the byte.
"""

import struct

import pytest
import thriftlens as tl

IDL = tl.loads(
    "struct In { 1: i32 x } union U { 1: i32 a, 2: In b } struct S { 1: i64 id, 2: string text, 3: list<In> items, 4: map<string, list<i32>> names, 5: U u, 6: set<i32> t, 7: binary raw } "
    "service Svc { S get(1: i64 id, 2: S given) }"
)
S = IDL["S"]


def test_a_view_prints_its_value(protocol):
    value = {
        "id": 7,
        "text": "a'b\n",
        "items": [{"x": 1}, {"x": 2}],
        "names": {"k": [1, 2], "": []},
        "u": {"b": {"x": 3}},
        "t": {5},
        "raw": b"\xff",
    }
    view = S.view(S.encode(value, protocol=protocol), protocol=protocol)
    assert str(view) == repr(value) and str(view["items"]) == repr(value["items"])
    assert str(S.view(b"\0")) == "{}" and repr(view) == "<thriftlens.View S at $>"


def test_the_text_of_a_view_is_cut(protocol):
    data = S.encode(
        {"items": [{"x": number} for number in range(100_000)], "raw": bytes(100_000)},
        protocol=protocol,
    )
    text = str(S.view(data, protocol=protocol))
    assert (
        len(text) < 1100 and text.startswith("{'items': [{'x': 0}, {'x': 1}") and text.endswith("…")
    )
    assert (
        len(str(S.view(S.encode({"text": "x" * 100_000}, protocol=protocol), protocol=protocol)))
        < 200
    )


def test_invalid_bytes_end_the_text_of_a_view():
    text = str(S.view(S.encode({"id": 7, "text": "abc"})[:-3]))
    assert text.startswith("{'id': 7") and " ! the data ends in the middle of a value" in text


def test_messages_services_and_functions_are_short():
    service = IDL.service("Svc")
    function = service.function("get")
    message = tl.Message(
        "get" * 100,
        "call",
        7,
        function.arguments.encode({"id": 1, "given": {"raw": bytes(10_000)}}),
        function=function,
    )
    assert (
        repr(service) == "<thriftlens.Service Svc: get>"
        and repr(function) == "<thriftlens.Function get(id, given)>"
    )
    assert repr(message).startswith("<thriftlens.Message call 'getget") and len(repr(message)) < 400
    many = tl.loads(
        "service Many { " + " ".join(f"void function_{number}()" for number in range(1000)) + " }"
    )
    assert len(repr(many.service("Many"))) < 200


@pytest.mark.parametrize("data", [
    b"PAR1" + bytes(20), b"PAR1" + b"\x15" * 8 + struct.pack("<I", 8) + b"PAR1", b"PAR1" + struct.pack("<I", 99) + b"PAR1", b"PAR1" + bytes(8) + b"PARE",
])  # fmt: skip
def test_errors_of_parquet_footers_name_the_byte(data, tmp_path):
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(tl.DecodeError) as caught:
        tl.parquet.open(tmp_path / "file")
    assert str(caught.value).endswith(f"(byte {caught.value.offset})")
