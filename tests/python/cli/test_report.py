"""Messages and exit statuses."""

import pathlib

import pytest
import thriftlens as tl
from click.testing import CliRunner
from thriftlens._cli.main import main
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


@pytest.mark.parametrize("command, status, text", [
    ("check {shop} Order {orders}", 1, "bytes follow the end of the value at $ (byte 1); {hint}"),
    ("table {shop} Order {orders}", 1, "{scanned}; accepted with --framing u32"),
    ("to-json {shop} Order {orders} --framing u32le", 1, "{scanned}; accepted with --framing u32"),
    ("to-json {shop} Order {empty}", 1, "the input is empty"),
    ("inspect {empty}", 1, "the input is empty"),
    ("identify --idl {shop} {empty}", 1, "the input is empty"),
    ("to-json {shop} Order {order} --on-error skipp", 2, "did you mean 'skip'?"),
    ("to-json {shop} Order {order} --on-error bad", 2, "to copy records to a file: file=bad"),
    ("set {shop} Order $.gift True {order}", 2, "; a bool is true or false"),
    ("set {shop} Order $.debug True {order}", 2, "write a string with its own quotes: '\"True\"'"),
    ("call {shop} get id=7", 2, "as HOST:PORT"),
    ("validate", 2, "no command 'validate'; did you mean 'check'?"),
    ("serve {shop} --upstream localhost:1", 2, "accepted with --routes all"),
])  # fmt: skip
def test_advice(command, status, text, tmp_path):
    idl = pathlib.Path(__file__).parents[3] / "idl"
    (tmp_path / "empty").touch()
    names = {
        "shop": idl / "shop.thrift",
        "order": idl / "order.bin",
        "orders": idl / "orders.frames",
        "empty": tmp_path / "empty",
        "hint": "the data looks like a 32-bit frame length before Binary; "
        "--framing u32 reads records in frames",
        "scanned": "the data looks like Binary, structs in frames (u32)",
    }
    result = CliRunner().invoke(main, command.format(**names).split())
    assert result.exit_code == status
    assert result.output.rstrip("\n").endswith(text.format(**names))


def test_a_negative_number_is_an_argument(tmp_path):
    idl = pathlib.Path(__file__).parents[3] / "idl"
    out = tmp_path / "out"
    arguments = [idl / "shop.thrift", "Order", "$.id", "-5", idl / "order.bin", "-o", out]
    assert CliRunner().invoke(main, ["set", *map(str, arguments)]).exit_code == 0
    assert tl.load(idl / "shop.thrift").Order.get(out.read_bytes(), "$.id") == -5


def test_the_file_is_named_once(tmp_path):
    idl = pathlib.Path(__file__).parents[3] / "idl"
    arguments = [idl / "shop.thrift", "Order", idl / "orders.frames", "--file", "f", "-o"]
    result = CliRunner().invoke(main, ["table", *map(str, arguments), str(tmp_path / "o.parquet")])
    assert result.output.count("orders.frames: ") == 1
