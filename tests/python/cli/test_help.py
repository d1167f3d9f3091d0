"""Examples, the manual page and --version."""

import shlex
import shutil
from pathlib import Path

import pytest
import thriftlens as tl
from click.testing import CliRunner
from thriftlens._cli import examples as _examples
from thriftlens._cli import main as cli

ROOT = Path(__file__).resolve().parents[3]


def test_every_command_has_examples():
    assert sorted(_examples.EXAMPLES) == sorted(cli.main.commands)


LINES = [(name, line) for name, lines in _examples.EXAMPLES.items() for line in lines]


@pytest.mark.parametrize("name, line", LINES, ids=[line for _, line in LINES])
def test_examples_work(name, line, tmp_path, monkeypatch):
    help_ = CliRunner().invoke(cli.main, [name, "--help"]).output
    assert "Examples:" in help_ and line.split("\n")[0] in help_
    assert max(map(len, line.split("\n"))) <= 85
    shutil.copytree(ROOT / "idl", tmp_path / "idl", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(tmp_path)
    if name == "completion":
        return
    arguments = shlex.split(line.replace("\\\n", " "))
    source = None
    if "<" in arguments:
        source = Path(arguments[arguments.index("<") + 1]).read_bytes()
        del arguments[arguments.index("<") :]
    if name in _examples.NEEDS_MORE:
        assert cli.main.commands[name].make_context(name, arguments[2:]).params
        return
    result = CliRunner().invoke(cli.main, arguments[1:], input=source)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("line", _examples.FIRST)
def test_examples_in_the_help_work(line, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert f"\n  {line}\n" in CliRunner().invoke(cli.main, ["--help"]).output.partition(
        "Examples:"
    )[2].replace("\n    ", "\n  ")
    assert CliRunner().invoke(cli.main, shlex.split(line)[1:]).exit_code == 0


def test_version():
    result = CliRunner().invoke(cli.main, ["--version"])
    assert result.output == f"thriftlens, version {tl.__version__}\n"


def test_framings_are_explained():
    text = CliRunner().invoke(cli.main, ["help", "framings"]).output
    names = [line.split()[0] for line in text.splitlines()[1:]]
    assert {"none", "u32", "varint", "kafka", "base64", "list"} <= set(names)
