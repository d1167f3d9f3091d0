"""Shared fixtures: the sample IDL, the sample vectors and, if present, the corpus of third-party
IDL."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import thriftlens as tl
from command_options import split_options

ROOT = Path(__file__).resolve().parents[2]

# Tests that interrupt programs start them from here: what the caller ignores (nohup, a shell's
# background) they would ignore too.
for signal_number, action in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
):
    if signal.getsignal(signal_number) == signal.SIG_IGN:
        signal.signal(signal_number, action)

SHARED = Path(os.environ.get("THRIFTLENS_SHARED") or ROOT.parent / "shared").resolve()

LONGEST_FILES = {
    "test_readme_blocks.py",
    "test_conan.py",
    "test_annotations.py",
    "test_compilers.py",
}


def pytest_collection_modifyitems(items):
    """These begin first: at the end, one process would run them while the others wait."""
    items.sort(key=lambda item: item.path.name not in LONGEST_FILES)


@pytest.fixture(scope="session")
def samples():
    """Wire vectors and invalid IDL: the larger external set if present, otherwise
    tests/data/samples."""
    return (
        SHARED
        if (SHARED / "vectors" / "open" / "manifest.json").exists()
        else ROOT / "tests" / "data" / "samples"
    )


@pytest.fixture(scope="session")
def shared():
    """The folder that holds the corpus of third-party IDL."""
    if not (SHARED / "corpus" / "open" / "MANIFEST.tsv").exists():
        pytest.skip(f"the corpus of third-party IDL is not in {SHARED} (see tests/data/README.md)")
    return SHARED


class Vectors:
    """The manifest of wire vectors, their schemas and their files."""

    def __init__(self, folder):
        self.folder = folder
        self.manifest = json.loads((folder / "manifest.json").read_text())
        self.schemas = {
            name: tl.load(folder / file) for name, file in self.manifest["schemas"].items()
        }

    def type(self, vector):
        return self.schemas[vector["schema"]][vector["struct"]]

    def read(self, entry):
        data = (self.folder / entry["file"]).read_bytes()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data

    def valid(self):
        """(vector, type, protocol, bytes) for every vector in both protocols."""
        for vector in self.manifest["valid"]:
            for protocol in ("binary", "compact"):
                yield vector, self.type(vector), protocol, self.read(vector["encodings"][protocol])


@pytest.fixture(scope="session")
def vectors(samples):
    return Vectors(samples / "vectors" / "open")


@pytest.fixture(scope="session")
def idl_folder():
    return ROOT / "idl"


@pytest.fixture(scope="session")
def shop(idl_folder):
    return tl.load(idl_folder / "shop.thrift")


@pytest.fixture(scope="session")
def order_bytes(idl_folder):
    return (idl_folder / "order.bin").read_bytes()


@pytest.fixture(scope="session")
def run():
    """Runs `python -m thriftlens`: bytes in, a CompletedProcess with bytes out."""

    def call(*arguments, input=b"", **options):
        command = [sys.executable, "-m", "thriftlens", *split_options(arguments)]
        return subprocess.run(command, input=input, capture_output=True, **options)

    return call


@pytest.fixture(scope="session")
def failed():
    """Checks the status of a command that failed and what it wrote to stderr."""

    def check(result, status, *messages):
        stderr = result.stderr.decode()
        assert result.returncode == status, stderr
        assert "Traceback" not in stderr
        for message in messages:
            assert message in stderr
        return stderr

    return check


@pytest.fixture
def idl(idl_folder):
    return idl_folder / "shop.thrift"


@pytest.fixture
def order(idl_folder):
    return idl_folder / "order.bin"


@pytest.fixture(params=["binary", "compact"])
def protocol(request):
    return request.param


@pytest.fixture
def run_page(monkeypatch):
    """Runs the Python of one heading of docs/engines.md, with the names that the test passes."""

    def call(heading, **names):
        text = (
            (ROOT / "docs" / "engines.md")
            .read_text(encoding="utf-8")
            .split(f"\n## {heading}\n")[1]
            .split("\n## ")[0]
        )
        monkeypatch.chdir(ROOT)
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        assert blocks
        for block in blocks:
            exec(block, names)

    return call
