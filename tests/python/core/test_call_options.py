"""The table of call options in docs/services.md, held against the headers of C++, the signatures of
Python and the options of the shell."""

import inspect
import re
from pathlib import Path

import pytest
import thriftlens as tl

ROOT = Path(__file__).resolve().parents[3]
HEADING = "### Call options in C++, Python and the shell"


def columns():
    """The names outside and inside of parentheses, by column."""
    text = (
        (ROOT / "docs" / "services.md")
        .read_text(encoding="utf-8")
        .split(HEADING)[1]
        .split("\n#")[0]
    )
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("| ") and "---" not in line
    ][1:]
    assert len(rows) > 8
    inside = [
        {
            name
            for row in rows
            for part in re.findall(r"\(([^)]*)\)", row[at])
            for name in re.findall(r"`([^`]+)`", part)
        }
        for at in range(1, 4)
    ]
    outside = [
        {
            name
            for row in rows
            for name in re.findall(r"`([^`]+)`", re.sub(r"\([^)]*\)", "", row[at]))
        }
        for at in range(1, 4)
    ]
    return outside, inside


def members(struct):
    text = (ROOT / "include" / "thriftlens" / "asio" / "client_options.hpp").read_text(
        encoding="utf-8"
    )
    body = re.search(rf"struct {struct} {{\n(.*?)\n}};", text, re.DOTALL)[1]
    return set(re.findall(r"^  [^/\s].*?(\w+) =\s[^;]*;", body, re.MULTILINE))


def test_the_table_has_all_options_of_cpp():
    outside, inside = columns()
    bounds = {f"bounds.{name}" for name in members("client_limits")}
    assert outside[0] - {"tl::trim"} == members("client_options") - {"bounds"} | bounds
    assert inside[0] == members("call_options")


def test_the_table_has_all_options_of_python():
    outside, inside = columns()
    for connect in (tl.connect, tl.aio.connect):
        expected = set(inspect.signature(connect).parameters) - {"address", "idl", "service"}
        assert outside[1] == expected
    for client in (tl.Client, tl.aio.AsyncClient):
        expected = set(inspect.signature(client.call).parameters) - {"self", "name", "arguments"}
        assert inside[1] == expected


def test_the_table_has_all_options_of_the_shell():
    cli = pytest.importorskip("thriftlens._cli.main")
    outside, _ = columns()
    options = {
        name
        for param in cli.main.commands["call"].params
        for name in param.opts
        if name.startswith("--")
    }
    others = {
        "--include-dir", "--strict", "--implicit-ids", "--stub", "--missing-include", "--data",
        "--list", "--trace", "--output", "--depth", "--max-header-size",
    }  # fmt: skip
    assert outside[2] <= options and options - outside[2] <= others, options ^ outside[2]
