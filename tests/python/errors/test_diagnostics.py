"""Findings in IDL as text."""

from thriftlens._errors import Diagnostic, heading_of

FINDING = Diagnostic("error", "type", "a.thrift", 3, 9, "no type 'x\x1b'", "\t1: ü x", 6)


def test_the_caret_is_below_the_error():
    assert str(FINDING) == ("a.thrift:3:9: error: no type 'x\\u001b' [type]\n  \t1: ü x\n  \t    ^")


def test_the_heading_is_one_line():
    result = heading_of(FINDING._replace(file="a\nb"))
    assert result == "a\\nb:3:9: error: no type 'x\\u001b' [type]"
