"""Trees of inspect as text."""

import io
import re

import pytest
import thriftlens as tl
from thriftlens._cli.sink import Sink
from thriftlens._cli.trees import formatted, write_detected, write_tree

TYPE = tl.loads("struct In { 1: i32 x, 2: i32 y } struct S { 1: In a, 2: string name }").S
TREE = tl.inspect(TYPE.encode({"a": {"x": 1, "y": 2}, "name": "n"}), protocol="binary")
OPTIONS = {"type": None, "depth": 64, "output_size": 0, "text_size": 60, "elements": 100}


def test_deep_lines_are_counted():
    assert formatted(TREE, 64, False) == TREE
    assert "2 more lines" in formatted(TREE, 1, False)


def test_colours_keep_the_text():
    coloured = formatted(TREE + "! the data ends\n", 64, True)
    assert re.sub(r"\x1b\[\d+m", "", coloured) == TREE + "! the data ends\n"
    assert '\x1b[32m"n"\x1b[0m' in coloured and "\x1b[31m! the data ends" in coloured


@pytest.mark.parametrize(
    "text, written, fault",
    [("a\nb\n", b"a\nb\n", None), ("a\n! bad\n", b"a\n", "bad"), ("! bad\n", b"", "bad")],
)
def test_the_error_of_a_tree_is_returned(text, written, fault):
    output = io.BytesIO()
    assert write_tree(text, Sink(output, "x"), str) == fault
    assert output.getvalue() == written


@pytest.mark.parametrize(
    "data, line, is_valid",
    [
        (TYPE.encode({"name": "n"}), b"guess: Binary", True),
        (b"no Thrift data", b"; as Binary:", False),
    ],
)
def test_the_guess_comes_first(data, line, is_valid):
    output = io.BytesIO()
    fault = write_detected(data, Sink(output, "x"), OPTIONS, str, None)
    assert line in output.getvalue().splitlines()[0] and (fault is None) == is_valid
