"""The installed package: its version, its types, its command."""

import subprocess
import sys
from importlib import metadata, resources

import thriftlens


def test_one_version_everywhere():
    assert thriftlens.__version__ == metadata.version("thriftlens")
    said = subprocess.run([sys.executable, "-m", "thriftlens", "--version"], capture_output=True, text=True, check=True)
    assert thriftlens.__version__ in said.stdout


def test_carries_its_types():
    files = resources.files("thriftlens")
    assert (files / "py.typed").is_file()
    assert (files / "_core.pyi").is_file()
