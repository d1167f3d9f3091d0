"""The Python code of all pages under mypy --strict, page by page in one program each, and under
pyright where it is installed.

Functions of the pages may have no annotations, and modules no types (pyarrow, or those that the
import hook makes, whose stubs test_stubs.py checks)."""

import importlib.util
import re
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
# Lines that are wrong on purpose, or right for reasons that types do not show.
EXPECTED = {
    "docs/python-types.md": {'idl.Item.encode(Item("cup", price=1.5))'},
    "a mistake": {"import thriftlens as tl; tl.loads(3)"},
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
    (folder / "mistake.py").write_text("import thriftlens as tl; tl.loads(3)\n")
    return folder, {**files, "mistake.py": "a mistake"}


def check(pages, command, error):
    """Both checkers find errors in the expected lines, and in no others."""
    folder, files = pages
    output = subprocess.run(
        [sys.executable, "-m", *command, *files], capture_output=True, text=True, cwd=folder
    ).stdout
    lines = {}
    for file, line in re.findall(error, output, re.MULTILINE):
        text = (folder / file).read_text().splitlines()[int(line) - 1].strip()
        lines.setdefault(files[file], set()).add(text)
    assert lines == EXPECTED, output


def test_pages_are_typed(pages):
    pytest.importorskip("mypy")
    command = ["mypy", *OPTIONS, "--cache-dir", str(pages[0] / "cache")]
    check(pages, command, r"^(\w+\.py):(\d+): error: ")


def test_pages_are_typed_for_pyright(pages):
    pytest.importorskip("pyright")
    (pages[0] / "pyrightconfig.json").write_text('{"reportMissingImports": false}')
    command = ["pyright", "--pythonpath", sys.executable]
    check(pages, command, r"/(\w+\.py):(\d+):\d+ - error: ")
