"""Completion of commands, options, types and paths in shells."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import thriftlens as tl
from click.shell_completion import ShellComplete, get_completion_class
from click.testing import CliRunner
from thriftlens._cli import main as cli

ROOT = Path(__file__).resolve().parents[3]
SHOP = str(ROOT / "idl" / "shop.thrift")


def completed(*arguments, begun=""):
    return [
        completion.value
        for completion in ShellComplete(
            cli.main, {}, "thriftlens", "_THRIFTLENS_COMPLETE"
        ).get_completions(list(arguments), begun)
    ]


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


def test_includes_are_completed(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "b.thrift").write_text("struct Base { 1: i32 x }")
    (tmp_path / "a.thrift").write_text('include "b.thrift" struct Query { 1: b.Base base }')
    assert completed("get", str(tmp_path / "a.thrift"), begun="Q") == []
    result = completed("get", "-I", str(tmp_path / "far"), str(tmp_path / "a.thrift"), begun="Q")
    assert result == ["Query"]
    assert completed(
        "get", "-I", str(tmp_path / "far"), str(tmp_path / "a.thrift"), "Query", begun="$.base."
    ) == ["$.base.x"]


@pytest.mark.parametrize("begun, expected", [
    ("$.us", ["$.user"]),
    ("$.user.", ["$.user.id", "$.user.name", "$.user.email"]),
    ("us", ["user"]),
    ("user.na", ["user.name"]),
    ("$.items[0].",
        ["$.items[0].sku", "$.items[0].price", "$.items[0].count", "$.items[0].attributes"]),
    ("$.items[*].s", ["$.items[*].sku"]),
    ("$.notes{7}.", []),
    ("$.id.", []),
    ("$.nope.", []),
    ("$..", []),
])  # fmt: skip
def test_paths_are_completed(begun, expected):
    assert completed("get", SHOP, "Order", begun=begun) == expected


def test_root_fields_are_offered_at_once():
    assert completed("get", SHOP, "Order", begun="")[:2] == ["$.id", "$.user"]
    assert completed("get", SHOP, "Nope", begun="") == []


def test_types_and_paths_of_options_are_completed():
    assert completed("inspect", "x.bin", "--idl", SHOP, "--type", begun="Pay") == ["Payment"]
    assert completed("rewrite", SHOP, "Order", "--set", begun="$.us") == ["$.user"]
    assert completed("rewrite", SHOP, "Order", "--set", "$.gift", begun="") == []
    assert completed("rewrite", SHOP, "Order", "--delete", begun="user.na") == ["user.name"]
    assert completed("redact", SHOP, "Order", "--redact-path", begun="$.user.e") == ["$.user.email"]


def test_topics_of_help_are_completed():
    assert completed("help", begun="se") == ["serve", "set", "selections"]


def test_functions_are_completed():
    assert completed("call", "h:1", SHOP, begun="Shop.") == ["Shop.get", "Shop.place", "Shop.touch"]
    assert completed("call", "h:1", SHOP, begun="pl") == ["place"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_of_shells(shell):
    result = CliRunner().invoke(cli.main, ["completion", shell])
    assert result.exit_code == 0 and f"_THRIFTLENS_COMPLETE={shell}_complete" in result.output
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=result.output, text=True, check=True)


IN_BASH = """eval "$(thriftlens completion bash)"
compopt() { :; }
COMP_WORDS=(thriftlens %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_thriftlens_completion thriftlens; printf '%%s\\n' "${COMPREPLY[@]}" """


# The words as bash cuts them: at `:` and `=` too.
@pytest.mark.parametrize(
    "command_line, expected",
    [
        ("get idl/shop.thrift Order '$.user.'", ["$.user.id", "$.user.name", "$.user.email"]),
        ('get idl/shop.thrift Order "\'\\$.user.na"', ["$.user.name"]),
        ("get idl/shop.thrift Pay", ["Payment"]),
        ("call shop : 9090 idl/shop.thrift pl", ["place"]),
        ("call http : //shop : 9090/x idl/shop.thrift pl", ["place"]),
        ("inspect x.bin --idl = idl/shop.thrift --type = Pay", ["Payment"]),
        ("to-json --enums = ''", ["number", "name"]),
    ],
)
def test_bash_completes(command_line, expected, tmp_path):
    if not shutil.which("bash"):
        pytest.skip("no bash")
    command = tmp_path / "thriftlens"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m thriftlens "$@"\n')
    command.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    result = subprocess.run(
        ["bash", "-c", IN_BASH % command_line],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert result.stdout.split() == expected, result.stderr


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_zsh_and_fish_get_the_option_before_its_value(shell):
    completer = get_completion_class(shell)(cli.main, {}, "thriftlens", "_THRIFTLENS_COMPLETE")
    assert [
        completion.value
        for completion in completer.get_completions(
            ["inspect", "x.bin", "--idl", SHOP], "--type=Pay"
        )
    ] == ["--type=Payment"]
    assert [
        completion.value
        for completion in completer.get_completions(
            ["inspect", "x.bin", "--idl", SHOP, "--type"], "Pay"
        )
    ] == ["Payment"]
