"""Layers of compression and encodings."""

import base64
import bz2
import gzip
import io
import lzma
import zlib

import pytest
import thriftlens as tl
from shape_records import line
from thriftlens._records import inspection as _inspection
from thriftlens._records import layers as _layers

PACKED = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zlib": zlib.compress}


@pytest.mark.parametrize("layer, pack", PACKED.items())
def test_compression_is_seen_through(layer, pack):
    guess = tl.detect(pack(line("compact")))[0]
    assert (guess.layers, guess.protocol, guess.shape) == ((layer,), "compact", "struct")
    result = [value.data for value in _inspection.values(pack(line("compact")), guess)]
    assert result == [line("compact")]
    many = pack(line() * 5)
    guess = tl.detect(many)[0]
    assert [value.data for value in _inspection.values(many, guess)] == [line()] * 5


def test_the_number_of_layers_is_limited():
    data = line()
    for _ in range(3):
        data = gzip.compress(data)
    assert tl.detect(data)[0].layers == ("gzip",) * 3
    assert tl.detect(gzip.compress(data)) == []


@pytest.mark.parametrize("text", [
    base64.b64encode(line()) + b"\n", line().hex().encode(), line().hex(" ").encode(),
    line().hex("\n", 16).encode(),
])  # fmt: skip
def test_text_that_holds_bytes(text):
    guess = tl.detect(text)[0]
    assert guess.protocol == "binary"
    assert [value.data for value in _inspection.values(text, guess)] == [line()]


def test_broken_compression_is_reported():
    packed = gzip.compress(bytes(range(256)) * 40 + line())
    guess = tl.detect(gzip.compress(line()))[0]
    with pytest.raises(tl.DecodeError, match="invalid gzip data"):
        list(_inspection.values(packed[:200], guess))
    guess = tl.detect(zlib.compress(line()))[0]
    with pytest.raises(tl.DecodeError, match="invalid zlib data: truncated"):
        list(_inspection.values(zlib.compress(line())[:-3], guess))
    with pytest.raises(tl.DecodeError, match="bytes follow the end"):
        list(_inspection.values(zlib.compress(line()) + b"x", guess))


@pytest.mark.parametrize("layer, pack", PACKED.items())
def test_a_truncated_stream_is_detected_by_its_beginning(layer, pack):
    data = pack(line() * 50)
    for size in (len(data) - 1, len(data) - 9):
        if layer in ("bzip2", "xz") and not (guess := tl.detect(data[:size])):
            continue  # their blocks decompress completely or not at all
        guess = tl.detect(data[:size])[0]
        assert guess.layers == (layer,) and "Binary" in str(guess)
        assert tl.inspect(data[:size]).splitlines()[-1].startswith(f"! invalid {layer} data")


def test_a_stream_over_bytes_in_memory_copies_only_the_bytes_read():
    held = _layers.MemoryStream(memoryview(b"abcdef"))
    assert (held.read(2), held.read(9), held.read(1)) == (b"ab", b"cdef", b"")
    assert isinstance(held, io.RawIOBase)
