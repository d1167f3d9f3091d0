"""Completion, examples, the manual page, --version and the window of bytes around an error."""

import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete, get_completion_class
from click.testing import CliRunner

import thriftlens as tl
from thriftlens._cli import examples as _examples, window as _window, main as cli

ROOT = Path(__file__).resolve().parents[2]
SHOP = str(ROOT / "idl" / "shop.thrift")


def completed(*arguments, begun=""):
    return [each.value for each in ShellComplete(cli.main, {}, "thriftlens", "_THRIFTLENS_COMPLETE").get_completions(list(arguments), begun)]


def test_commands_and_options_are_completed():
    assert completed(begun="to-") == ["to-json"]
    assert "--missing-required" in completed("to-json", begun="--mi")
    assert completed("to-json", "--enums", begun="n") == ["number", "name"]


def test_types_are_completed():
    assert completed("get", SHOP, begun="") == list(tl.load(SHOP).types)
    assert completed("get", SHOP, begun="Or") == ["Order", "OrderId"]
    assert completed("describe", SHOP, begun="Pay") == ["Payment"]
    assert completed("to-json", SHOP, begun="Shop.ge") == ["Shop.get.arguments", "Shop.get.result"]
    assert completed("get", str(ROOT / "no.thrift"), begun="") == []


def test_includes_are_found(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "b.thrift").write_text("struct Base { 1: i32 x }")
    (tmp_path / "a.thrift").write_text('include "b.thrift" struct Query { 1: b.Base base }')
    assert completed("get", str(tmp_path / "a.thrift"), begun="Q") == []
    assert completed("get", "-I", str(tmp_path / "far"), str(tmp_path / "a.thrift"), begun="Q") == ["Query"]
    assert completed("get", "-I", str(tmp_path / "far"), str(tmp_path / "a.thrift"), "Query", begun="$.base.") == ["$.base.x"]


@pytest.mark.parametrize("begun, found", [
    ("$.us", ["$.user"]),
    ("$.user.", ["$.user.id", "$.user.name", "$.user.email"]),
    ("us", ["user"]),
    ("user.na", ["user.name"]),
    ("$.items[0].", ["$.items[0].sku", "$.items[0].price", "$.items[0].count", "$.items[0].attributes"]),
    ("$.items[*].s", ["$.items[*].sku"]),
    ('$.notes{7}.', []),
    ("$.id.", []),
    ("$.nope.", []),
    ("$..", []),
])
def test_paths_are_completed(begun, found):
    assert completed("get", SHOP, "Order", begun=begun) == found


def test_root_fields_are_offered_at_once():
    assert completed("get", SHOP, "Order", begun="")[:2] == ["$.id", "$.user"]
    assert completed("get", SHOP, "Nope", begun="") == []


def test_types_and_paths_of_options_are_completed():
    assert completed("inspect", "x.bin", "--idl", SHOP, "--type", begun="Pay") == ["Payment"]
    assert completed("rewrite", SHOP, "Order", "--set", begun="$.us") == ["$.user"]
    assert completed("rewrite", SHOP, "Order", "--set", "$.gift", begun="") == []
    assert completed("rewrite", SHOP, "Order", "--delete", begun="user.na") == ["user.name"]
    assert completed("redact", SHOP, "Order", "--path", begun="$.user.e") == ["$.user.email"]


def test_topics_of_help_are_completed():
    assert completed("help", begun="se") == ["set", "serve", "selections"]


def test_functions_are_completed():
    assert completed("call", "h:1", SHOP, begun="Shop.") == ["Shop.get", "Shop.place", "Shop.touch"]
    assert completed("call", "h:1", SHOP, begun="pl") == ["place"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_of_shells(shell):
    said = CliRunner().invoke(cli.main, ["completion", shell])
    assert said.exit_code == 0 and f"_THRIFTLENS_COMPLETE={shell}_complete" in said.output
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=said.output, text=True, check=True)


IN_BASH = """eval "$(thriftlens completion bash)"
compopt() { :; }
COMP_WORDS=(thriftlens %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_thriftlens_completion thriftlens; printf '%%s\\n' "${COMPREPLY[@]}" """


# The words as bash cuts them: at `:` and `=` too.
@pytest.mark.parametrize("words, found", [
    ("get idl/shop.thrift Order '$.user.'", ["$.user.id", "$.user.name", "$.user.email"]),
    ("get idl/shop.thrift Order \"'\\$.user.na\"", ["$.user.name"]),
    ("get idl/shop.thrift Pay", ["Payment"]),
    ("call shop : 9090 idl/shop.thrift pl", ["place"]),
    ("call http : //shop : 9090/x idl/shop.thrift pl", ["place"]),
    ("inspect x.bin --idl = idl/shop.thrift --type = Pay", ["Payment"]),
    ("to-json --enums = ''", ["number", "name"]),
])
def test_bash_completes(words, found, tmp_path):
    if not shutil.which("bash"):
        pytest.skip("no bash")
    command = tmp_path / "thriftlens"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m thriftlens "$@"\n')
    command.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    said = subprocess.run(["bash", "-c", IN_BASH % words], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert said.stdout.split() == found, said.stderr


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_zsh_and_fish_are_given_the_option_before_its_value(shell):
    made = get_completion_class(shell)(cli.main, {}, "thriftlens", "_THRIFTLENS_COMPLETE")
    assert [each.value for each in made.get_completions(["inspect", "x.bin", "--idl", SHOP], "--type=Pay")] == ["--type=Payment"]
    assert [each.value for each in made.get_completions(["inspect", "x.bin", "--idl", SHOP, "--type"], "Pay")] == ["Payment"]


def test_every_command_has_examples():
    assert sorted(_examples.EXAMPLES) == sorted(cli.main.commands)


LINES = [(name, line) for name, lines in _examples.EXAMPLES.items() for line in lines]


@pytest.mark.parametrize("name, line", LINES, ids=[line for _, line in LINES])
def test_examples_work(name, line, tmp_path, monkeypatch):
    help_ = CliRunner().invoke(cli.main, [name, "--help"]).output
    assert "Examples:" in help_ and line.split("\n")[0] in help_ and max(map(len, line.split("\n"))) <= 85
    shutil.copytree(ROOT / "idl", tmp_path / "idl", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(tmp_path)
    if name == "completion":
        return
    words = shlex.split(line.replace("\\\n", " "))
    source = None
    if "<" in words:
        source = Path(words[words.index("<") + 1]).read_bytes()
        del words[words.index("<"):]
    if name in _examples.NEEDS_MORE:
        assert cli.main.commands[name].make_context(name, words[2:]).params
        return
    done = CliRunner().invoke(cli.main, words[1:], input=source)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("line", _examples.FIRST)
def test_examples_of_all_of_it_work(line, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert f"\n  {line}\n" in CliRunner().invoke(cli.main, ["--help"]).output.partition("Examples:")[2].replace("\n    ", "\n  ")
    assert CliRunner().invoke(cli.main, shlex.split(line)[1:]).exit_code == 0


def test_version():
    assert CliRunner().invoke(cli.main, ["--version"]).output == f"thriftlens, version {tl.__version__}\n"


def test_manual_page():
    page = CliRunner().invoke(cli.main, ["help", "man"]).output
    assert page.startswith(".TH THRIFTLENS 1")
    for name in cli.main.commands:
        assert f".SS thriftlens {name}".replace("-", "\\-") in page
    assert "\n.SH PATHS\n" in page and not re.search(r"^'", page, re.M)
    assert "\n.SH EXIT STATUS\n.nf\n  0    fine\n" in page
    assert page.count(r"\n.B \-h, \-\-help\n".replace(r"\n", "\n")) == len(cli.main.commands) + 1
    assert {line[3:].lstrip("\\")[:1] for line in page.splitlines() if line.startswith(".B ")} == {"-", "t"}, "options alone stand in bold, and the name"
    if shutil.which("groff"):
        said = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-Kutf8"], input=page, capture_output=True, text=True)
        assert said.returncode == 0 and "redact" in said.stdout and said.stderr == ""


def checked(data, *options, tmp_path, name="broken.bin", **how):
    (tmp_path / name).write_bytes(data)
    return CliRunner().invoke(cli.main, ["check", SHOP, "Order", str(tmp_path / name), *options], **how)


def test_window_shows_the_byte(tmp_path):
    data = (ROOT / "idl" / "order.bin").read_bytes()[:100]
    said = checked(data, "--window", "8", tmp_path=tmp_path)
    assert said.exit_code == 1
    first, *rows, caret = said.output.rstrip("\n").split("\n")
    assert "(byte 98)" in first and caret == " " * 18 + "^^ byte 98"
    assert rows == [f"  00000050  {data[80:88].hex(' ')}  {data[88:96].hex(' ')}  ..TEA-GREEN-100.", f"  00000060  {data[96:].hex(' '):47}   ..@."]
    assert checked(data, tmp_path=tmp_path).output == first + "\n"


def test_window_of_packed_and_framed_input(tmp_path):
    data = (ROOT / "idl" / "order.bin").read_bytes()[:100]
    assert "^^ byte 98" in checked(gzip.compress(data), "--window", "8", tmp_path=tmp_path).output
    frames = (ROOT / "idl" / "orders.frames").read_bytes()
    bad = bytearray(frames)
    second = 4 + int.from_bytes(frames[:4], "big")
    bad[second + 4] = 0x7f  # no wire type
    said = checked(bytes(bad), "--framing", "u32", "--window", "16", tmp_path=tmp_path).output
    at = int(re.search(r"\^\^ byte (\d+)", said)[1])
    assert at == second + 4 and f"{at // 16 * 16:08x}" in said and " 7f" in said


def test_window_of_a_pipe_that_is_gone():
    frames = (ROOT / "idl" / "orders.frames").read_bytes()[:-5]
    said = CliRunner().invoke(cli.main, ["check", SHOP, "Order", "-", "--framing", "u32", "--window", "16"], input=frames)
    assert said.exit_code == 1 and "came through a pipe" in said.output


def test_window_at_the_end_and_of_json(tmp_path):
    rows = list(_window.rows(b"\x00" * 16, 16, 4))
    assert rows[-1].endswith("^^ byte 16") and "__" in rows[-2]
    (tmp_path / "bad.json").write_text('{"id": 1, "user": 7}')
    said = CliRunner().invoke(cli.main, ["from-json", SHOP, "Order", str(tmp_path / "bad.json"), "-o", str(tmp_path / "o"), "--window", "8"])
    assert said.exit_code == 1 and "^^ byte 18" in said.output and not (tmp_path / "o").exists()


def test_colours_on_a_terminal_only(tmp_path, monkeypatch):
    data = (ROOT / "idl" / "order.bin").read_bytes()[:100]
    assert "\x1b" not in checked(data, "--window", "8", tmp_path=tmp_path).output
    assert "\x1b[31m" in checked(data, "--window", "8", tmp_path=tmp_path, color=True).output
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in checked(data, "--window", "8", tmp_path=tmp_path, color=True).output
    for command in (["--help"], ["describe", SHOP], ["check", SHOP, "Order", str(ROOT / "idl" / "order.bin")]):
        assert "\x1b" not in CliRunner().invoke(cli.main, command, color=True).output
