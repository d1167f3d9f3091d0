"""Input files: size limits, compression, lines."""

import gzip
import io
import os

import pytest
from thriftlens._cli.source import ENDLESS, Source, may_hold, open_source

STRUCT = b"\x08\0\1\0\0\0\7\0"


def source_of(data, max_size=None):
    return Source(io.BufferedReader(io.BytesIO(data)), "x", max_size)


def test_the_default_limit_is_1_gib():
    assert Source(None, "x").bound == ENDLESS == 1 << 30


@pytest.mark.parametrize("size", [0, 9, 10])
def test_content_up_to_the_limit(size):
    assert source_of(bytes(size), 10).read_all() == bytes(size)
    assert source_of(gzip.compress(bytes(size)), 100).read_all() == bytes(size)


@pytest.mark.parametrize("data", [bytes(11), gzip.compress(bytes(1000))], ids=["plain", "gzip"])
def test_content_above_the_limit(data):
    with pytest.raises(OSError, match="exceeds the limit of .* bytes; accepted with a larger"):
        source_of(data, 10 if len(data) == 11 else 100).read_all()


def test_lines():
    source = source_of(b"a\n\n \nb")
    assert list(source.lines()) == [b"a\n", b"b"] and source.line == 4
    with pytest.raises(OSError, match="a line exceeds the limit of 3 bytes"):
        list(source_of(b"abcd\n", 3).lines())


@pytest.mark.parametrize(
    "data, count",
    [(b"", 1), (STRUCT, 1), (STRUCT * 3, 3), (STRUCT * 2 + STRUCT[:3], 3), (b"\0\0", 1)],
)
def test_structs_back_to_back_are_counted(data, count):
    assert source_of(data).count_structs("binary", 64) == count


def test_a_struct_is_distinguished_from_a_frame():
    assert source_of(STRUCT).has_bare_struct("binary", 64)
    assert not source_of(b"\0\0\0\x08" + STRUCT).has_bare_struct("binary", 64)


def test_messages_of_json_begin_with_a_bracket():
    assert source_of(b'\xef\xbb\xbf [1,"get"').begins_with_text()
    assert not source_of(STRUCT).begins_with_text()


def test_a_size_larger_than_the_file(tmp_path):
    file = tmp_path / "a"
    file.write_bytes(STRUCT)
    assert may_hold(str(file), 0, 8) and not may_hold(str(file), 1, 8)
    assert not may_hold(str(file), 0, int.from_bytes(b"text", "big"))
    assert may_hold(os.devnull, 0, 1 << 24)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, open_source(str(tmp_path / "none")):
        pass
    assert caught.value.filename == str(tmp_path / "none")
