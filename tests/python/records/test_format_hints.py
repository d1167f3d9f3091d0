"""Errors of inputs that are read in another framing or protocol name their format, and only
options that help."""

import io
import struct

import pytest
import thriftlens as tl

Row = tl.loads("struct Row { 1: required i64 id, 2: string name, 3: list<i32> counts }").Row
ROWS = [{"id": i, "name": f"name {i}", "counts": [i, 2 * i, 300 * i]} for i in range(20)]


def records(protocol="binary"):
    return [Row.encode(row, protocol=protocol) for row in ROWS]


def u32(protocol="binary"):
    return b"".join(struct.pack(">i", len(record)) + record for record in records(protocol))


U32 = "the data looks like Binary, structs in frames (u32)"


def sources(data, tmp_path):
    path = tmp_path / "data"
    path.write_bytes(data)
    return [data, path, io.BytesIO(data)]


@pytest.mark.parametrize("to", ["view", "dict", "bytes", "json"])
@pytest.mark.parametrize("framing", ["none", "u32le", "varint", "hex", "base64"])
def test_another_framing(framing, to, tmp_path):
    for source in sources(u32(), tmp_path):
        with pytest.raises(tl.DecodeError) as caught:
            list(tl.scan(source, Row, framing=framing, to=to))
        assert (caught.value.hint, caught.value.option) == (U32, ("framing", "u32"))
        assert str(caught.value).endswith(f'{U32}; accepted with framing="u32"')
        assert caught.value.resume is None


def test_columns(tmp_path):
    (tmp_path / "data").write_bytes(u32())
    for framing in ("none", "u32le", "varint"):
        with pytest.raises(tl.DecodeError) as caught:
            assert tl.scan_columns(tmp_path / "data", Row, framing=framing).num_rows
        assert (caught.value.hint, caught.value.option) == (U32, ("framing", "u32"))


def test_another_protocol():
    with pytest.raises(tl.DecodeError) as caught:
        list(tl.scan(u32("compact"), Row, framing="u32", to="dict"))
    assert caught.value.hint == "the data looks like Compact, structs in frames (u32)"
    assert caught.value.option == ("protocol", "compact")


def test_another_framing_and_protocol_have_no_single_option():
    with pytest.raises(tl.DecodeError) as caught:
        list(tl.scan(u32("compact"), Row, to="dict"))
    assert caught.value.hint == "the data looks like Compact, structs in frames (u32)"
    assert caught.value.option is None


def test_an_unframed_value_is_not_dropped_as_a_truncated_frame():
    record = Row.encode({"id": 7, "name": "some text " * 20, "counts": [1, 2, 3]})
    with pytest.raises(tl.DecodeError) as caught:
        list(tl.scan(record, Row, framing="u32", truncated="drop"))
    assert caught.value.hint == "the data looks like Binary, one struct"
    assert caught.value.option == ("framing", "none")


def test_the_right_format_has_no_hint():
    faulty = u32() + struct.pack(">i", 3) + b"\x08\x00\x09"
    with pytest.raises(tl.DecodeError) as caught:
        list(tl.scan(faulty, Row, framing="u32"))
    assert (caught.value.record, caught.value.option) == (20, ("on_error", "skip"))
    assert "looks like" not in str(caught.value)
    with pytest.raises(tl.DecodeError) as caught:
        list(tl.scan(faulty, Row, framing="kafka"))
    assert "looks like" not in str(caught.value)


def test_a_few_bytes_are_no_evidence():
    with pytest.raises(tl.DecodeError) as caught:
        list(tl.scan(struct.pack(">i", 2) + b"\x11\x00", Row, framing="u32"))
    assert "looks like" not in str(caught.value)


def test_no_position_is_suggested_at_the_end_of_the_input():
    good, bad = (struct.pack(">i", len(item)) + item for item in (records()[0], b"\x08\x00\x09"))
    for data, resume in ((good + bad, None), (good + bad + good, len(good + bad))):
        with pytest.raises(tl.DecodeError) as caught:
            list(tl.scan(data, Row, framing="u32"))
        assert (caught.value.record, caught.value.resume) == (1, resume)
