"""Language and structure: no figure rises above its recorded ceiling, and ceilings only fall."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import language  # noqa: E402
import measure  # noqa: E402
import structure  # noqa: E402

CEILINGS = measure.ceilings()


@pytest.fixture(scope="module")
def figures() -> dict[str, tuple[float, str]]:
    return measure.figures()


def test_every_figure_has_a_ceiling(figures):
    assert set(figures) == set(CEILINGS)


@pytest.mark.parametrize("name", CEILINGS)
def test_figure_is_below_its_ceiling(figures, name):
    value, note = figures[name]
    assert value <= CEILINGS[name], note


@pytest.mark.parametrize("name, vague", [
    ("made", True), ("made_name", True), ("madeName", True), ("each", True), ("each_field", False),
    ("after", True), ("after_end", False), ("record", False), ("maker", False), ("MADE", True),
])  # fmt: skip
def test_vague_identifiers(name, vague):
    assert language.is_vague(name) is vague


def test_odd_prose_ignores_code():
    rate, matches = language.odd_prose(["It stands there. `stands` is code.\n```\nstands\n```\n"])
    assert matches["stands"] == 1 and rate > 0


def test_import_cycles_are_detected():
    package = structure.PACKAGE
    modules = {
        package / "a.py": ast.parse("from .b import x"),
        package / "b.py": ast.parse("def f():\n    from . import a"),
        package / "c.py": ast.parse("from .a import y"),
    }
    assert structure.import_cycles(modules) == [["thriftlens.a", "thriftlens.b"]]


@pytest.mark.parametrize("command", [["format", "--check"], ["check"]], ids=["format", "check"])
def test_ruff(command):
    run = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "--no-cache", "."],
        cwd=structure.ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
