"""Records cut by Python: lines, and elements of a list."""

import contextlib

import pytest
import thriftlens as tl

IDL = """
struct In { 1: i32 v, 2: list<i32> l }
struct Row { 1: i64 id, 2: string s, 3: In i, 4: list<In> items, 5: map<string, i32> m,
  6: uuid key }
"""


Row = tl.loads(IDL)["Row"]


def test_long_lines_are_read_in_linear_time():
    copied = []

    class Pieces:
        def __init__(self):
            self.pieces = [b'{"1":{"i64":7}}', *[b" " * 1000] * 3000, b"\n"]

        def read(self, size):
            return self.pieces.pop(0) if self.pieces else b""

    from thriftlens._records.sources import Window

    class Counted(Window):
        def grow(self, used, size):
            copied.append(len(self.data))
            super().grow(used, size)

        def grow_to(self, end, used, limit):
            copied.append(len(self.data))
            super().grow_to(end, used, limit)

    import thriftlens._records.sources as module

    original, module.Window = module.Window, Counted
    try:
        scan = tl.scan(Pieces(), Row, framing="lines", protocol="tjson", to="dict")
        assert list(scan) == [{"id": 7}]
    finally:
        module.Window = original
    assert sum(copied) < 10_000_000 and len(copied) < 10


@pytest.mark.parametrize("end", ["", "garbage", "}"])
def test_the_last_line_of_text_is_cut_without_a_line_end(end):
    line = Row.encode({"id": 1}, protocol="tjson")
    data = line + b"\n" + line[:-1] + end.encode()
    scan = tl.scan(data, Row, framing="lines", protocol="tjson", to="dict", truncated="drop")
    assert (list(scan), len(scan.truncations)) == ([{"id": 1}] * (1 + (end == "}")), end != "}")
    with pytest.raises(tl.Error) if end != "}" else contextlib.nullcontext() as caught:
        list(tl.scan(data, Row, framing="lines", protocol="tjson"))
    assert caught is None or caught.value.resume == len(line) + 1
    with pytest.raises(tl.Error):
        list(tl.scan(line[:-1] + b"\n", Row, framing="lines", protocol="tjson", truncated="drop"))


@pytest.mark.parametrize("size", [0, 1, 14, 15, 200])
@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_elements_of_a_list(size, protocol):
    rows = tl.loads("struct In { 1: i32 v } struct L { 1: list<In> l }")
    values = [{"v": number} for number in range(size)]
    data = rows.L.fields["l"].type.encode(values, protocol=protocol)
    for source in (data, iter([data[:1], data[1:]])):
        scan = tl.scan(source, rows.In, framing="list", protocol=protocol, to="dict")
        assert list(scan) == values
    for wrong, code in ((data + b"\0", "trailing_bytes"), (data[:-1], "truncated")):
        if wrong:
            with pytest.raises(tl.DecodeError) as caught:
                list(tl.scan(wrong, rows.In, framing="list", protocol=protocol))
            assert caught.value.code in (code, "bad_ttype")


def test_lines_are_bounded_and_blank_ones_skipped():
    of = tl.loads("struct In { 1: i32 v }").In
    line = of.encode({"v": 1}, protocol="tjson")
    data = line + b"\n\n  \n" + line
    options = {"framing": "lines", "protocol": "tjson", "to": "dict"}
    assert list(tl.scan(data, of, **options)) == [{"v": 1}, {"v": 1}]
    with pytest.raises(tl.DecodeError, match="a line exceeds the limit of 5 bytes") as caught:
        list(tl.scan(data, of, record_size=5, **options))
    assert caught.value.code == "size_limit"
