"""The Python code of all pages under mypy --strict, page by page in one program each, and under
pyright where it is installed.

Functions of the pages may have no annotations, and modules no types (pyarrow, or those that the
import hook makes, whose stubs test_stubs.py checks)."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location(
    "readme_blocks", Path(__file__).with_name("readme_blocks.py")
)
readme_blocks = sys.modules.setdefault("readme_blocks", importlib.util.module_from_spec(spec))
spec.loader.exec_module(readme_blocks)

OPTIONS = [
    "--strict", "--allow-untyped-defs", "--allow-untyped-calls", "--allow-untyped-globals",
    "--allow-redefinition", "--allow-subclassing-any",
    "--disable-error-code=import-not-found", "--disable-error-code=import-untyped",
    "--disable-error-code=no-redef",
]  # fmt: skip
# Errors of code that is wrong on purpose, or right for reasons that types do not show.
EXPECTED = {
    "docs/python-types.md": {"arg-type"},  # a float for a Decimal, which encode refuses
    "docs/services-shell.md": {"union-attr", "operator"},  # calls of the recording have replies
    "docs/engines.md": {"union-attr"},  # duckdb.sql returns a relation for a select
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Files with the blocks of each page, at the lines of the page."""
    folder = tmp_path_factory.mktemp("pages")
    files = {}
    for page in readme_blocks.readmes():
        lines = []
        text = (readme_blocks.ROOT / page).read_text(encoding="utf-8")
        for block in readme_blocks.blocks_of(page, text):
            if block.language == "python" and not block.skip and not block.file:
                lines += [""] * (block.line - len(lines)) + block.text.splitlines()
        if lines:
            name = re.sub(r"\W", "_", str(page.with_suffix(""))) + ".py"
            (folder / name).write_text("\n".join(lines) + "\n")
            files[name] = page.as_posix()
    return folder, files


def test_pages_are_typed(pages):
    folder, files = pages
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", *OPTIONS, "--cache-dir", str(folder / "cache"), *files]
    output = subprocess.run(command, capture_output=True, text=True, cwd=folder).stdout
    errors = re.findall(r"^(\w+\.py):(\d+): error: (.*)\[([\w-]+)\]$", output, re.MULTILINE)
    messages = {}
    for file, line, text, code in errors:
        messages.setdefault(files[file], []).append((code, line, text))
    unexpected = {
        page: rows
        for page, rows in messages.items()
        if {code for code, *_ in rows} - EXPECTED.get(page, set())
    }
    assert unexpected == {} and set(EXPECTED) <= set(messages), output


def test_pages_are_typed_for_pyright(pages):
    folder, files = pages
    pyright = shutil.which("pyright")
    if pyright is None:
        pytest.skip("no pyright")
    (folder / "pyrightconfig.json").write_text('{"reportMissingImports": false}')
    command = [pyright, "--pythonpath", sys.executable, *files]
    output = subprocess.run(command, capture_output=True, text=True, cwd=folder).stdout
    errors = re.findall(r"/(\w+\.py):(\d+):\d+ - error: (.*)$", output, re.MULTILINE)
    assert "errors, " in output, output
    assert not [row for row in errors if files[row[0]] not in EXPECTED], output
