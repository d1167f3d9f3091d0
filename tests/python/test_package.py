"""The installed package: its version, its types, its command."""

import subprocess
import sys
import sysconfig
import tarfile
from importlib import metadata, resources
from pathlib import Path

import pytest
import thriftlens
from scikit_build_core.build import build_sdist

ROOT = Path(__file__).resolve().parents[2]


def test_one_version_everywhere():
    assert thriftlens.__version__ == metadata.version("thriftlens")
    said = subprocess.run([sys.executable, "-m", "thriftlens", "--version"], capture_output=True, text=True, check=True)
    assert thriftlens.__version__ in said.stdout


def test_carries_its_types():
    files = resources.files("thriftlens")
    assert (files / "py.typed").is_file()
    assert (files / "_core.pyi").is_file()


def test_source_archive_holds_what_a_build_needs_and_no_more(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    with tarfile.open(tmp_path / build_sdist(str(tmp_path))) as archive:
        held = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    sources = {path.relative_to(ROOT).as_posix() for folder in ("cmake", "include", "python", "src") for path in (ROOT / folder).rglob("*")
               if path.is_file() and path.suffix not in (".pyc", ".so")}
    needed = sources | {"CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml", "PKG-INFO"}
    assert needed <= held
    assert {name.split("/")[0] for name in held - needed} <= {"CHANGELOG.md", "examples", "idl"}


def imported(before, *options):
    command = [sys.executable, *options, "-c", f"{before}\nimport thriftlens"]
    return subprocess.run(command, capture_output=True, text=True).stderr


def test_is_not_imported_without_the_gil():
    assert imported("import sys; sys._is_gil_enabled = lambda: True") == ""
    assert "ImportError: thriftlens needs the GIL" in imported("import sys; sys._is_gil_enabled = lambda: False")
    assert "ZeroDivisionError" in imported("import sys; sys._is_gil_enabled = lambda: 1 / 0")


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="needs a free-threaded Python")
def test_turns_the_gil_on_or_is_not_imported():
    assert sys._is_gil_enabled()
    assert "ImportError: thriftlens needs the GIL" in imported("", "-X", "gil=0")
