"""Streams that decompress or decode text."""

import base64
import bz2
import gzip
import io
import lzma
import zlib

import pytest
import thriftlens as tl
from thriftlens._records.decompressors import FAULTS, Checked, decompressor

CONTENT = bytes(range(256)) * 40
PACKED = {
    "gzip": gzip.compress(CONTENT),
    "bzip2": bz2.compress(CONTENT),
    "xz": lzma.compress(CONTENT),
    "zlib": zlib.compress(CONTENT),
    "base64": base64.encodebytes(CONTENT),
    "hex": CONTENT.hex().encode(),
}


def content_of(stream, size):
    pieces = []
    while piece := stream.read(size):
        pieces.append(piece)
    return b"".join(pieces)


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
@pytest.mark.parametrize("name", PACKED)
def test_the_content_in_pieces(name, size):
    assert content_of(decompressor(name, io.BytesIO(PACKED[name])), size) == CONTENT


@pytest.mark.parametrize("name", PACKED)
def test_invalid_data_is_a_fault(name):
    if name == "bzip2":  # raises OSError without errno
        faults = OSError
    else:
        faults = FAULTS
    with pytest.raises(faults):
        content_of(decompressor(name, io.BytesIO(b"!" + PACKED[name][1:])), 1 << 20)


@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz", "zlib"])
def test_truncated_data_is_a_decode_error(name):
    stream = io.BytesIO(PACKED[name][:-6])
    with pytest.raises(tl.DecodeError, match=f"invalid {name} data") as caught:
        content_of(Checked(decompressor(name, stream), name), 1 << 20)
    assert caught.value.code == "truncated"


def test_bytes_after_zlib_are_a_fault():
    with pytest.raises(zlib.error, match="bytes follow the end"):
        content_of(decompressor("zlib", io.BytesIO(PACKED["zlib"] + b"\0")), 1 << 20)


@pytest.mark.parametrize("text", [b"-_-_", b"+/+/", b"+_-/"])
def test_both_alphabets_of_base64(text):
    assert content_of(decompressor("base64", io.BytesIO(text)), 9) == b"\xfb\xff\xbf"


@pytest.mark.parametrize("text, content", [(b"QUI", b"AB"), (b"QUI=", b"AB"), (b"Q U\nI", b"AB")])
def test_padding_and_blanks_of_base64(text, content):
    assert content_of(decompressor("base64", io.BytesIO(text)), 9) == content


def test_text_before_an_invalid_letter_is_decoded():
    stream = decompressor("hex", io.BytesIO(b"414243!!"))
    assert stream.read(9) == b"ABC"
    with pytest.raises(FAULTS):
        stream.read(9)
