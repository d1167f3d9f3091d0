"""Messages and exit statuses."""

import pytest
import thriftlens as tl
from thriftlens._cli.report import display_name, fail, is_usage_error, plural, reporting, say

TYPE = tl.loads("struct S { 1: i32 x }").S


def test_messages_have_no_control_characters(capsys):
    say("a\x1b[31m\nb")
    assert capsys.readouterr().err == "thriftlens: a\\u001b[31m\\nb\n"
    with pytest.raises(SystemExit) as caught:
        fail("x", status=2)
    assert (caught.value.code, capsys.readouterr().err) == (2, "thriftlens: x\n")


def test_texts():
    assert [plural(number, "type") for number in (0, 1, 2)] == ["0 types", "1 type", "2 types"]
    assert (display_name("-"), display_name("a")) == ("<stdin>", "a")


@pytest.mark.parametrize(
    "use, is_usage",
    [
        (lambda: TYPE.at("$.y"), True),
        (lambda: TYPE.at("$["), True),
        (lambda: TYPE.trim(b"\0", "{ y }"), True),
        (lambda: TYPE.decode(b"\x08"), False),
    ],
)
def test_usage_errors_concern_arguments(use, is_usage):
    with pytest.raises(tl.Error) as caught:
        use()
    assert is_usage_error(caught.value) == is_usage


def test_an_error_of_data_names_the_file(capsys):
    with pytest.raises(SystemExit) as caught, reporting("-", [tl.DecodeError("earlier")]):
        TYPE.decode(b"\x08")
    lines = capsys.readouterr().err.splitlines()
    assert caught.value.code == 1 and lines[0] == "thriftlens: <stdin>: earlier"
    assert lines[1].startswith("thriftlens: <stdin>: the data ends")


def test_an_error_of_an_argument_is_raised_again():
    with pytest.raises(tl.UnknownNameError), reporting("-"):
        TYPE.at("$.y")
