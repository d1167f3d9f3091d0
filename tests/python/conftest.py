"""What the tests share: the sample IDL, and the shared folder with vectors and corpus where it is there."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import thriftlens as tl

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def shared():
    folder = Path(os.environ.get("THRIFTLENS_SHARED", ROOT.parent / "shared")).resolve()
    if not (folder / "vectors").is_dir():
        pytest.skip(f"no shared test data in {folder} (set THRIFTLENS_SHARED)")
    return folder


class Vectors:
    """The manifest of wire vectors, their schemas and their files."""

    def __init__(self, folder):
        self.folder = folder
        self.manifest = json.loads((folder / "manifest.json").read_text())
        self.schemas = {name: tl.load(folder / file) for name, file in self.manifest["schemas"].items()}

    def type(self, vector):
        return self.schemas[vector["schema"]][vector["struct"]]

    def read(self, entry):
        data = (self.folder / entry["file"]).read_bytes()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data

    def valid(self):
        """(vector, type, protocol, bytes) of each vector in both protocols."""
        for vector in self.manifest["valid"]:
            for protocol in ("binary", "compact"):
                yield vector, self.type(vector), protocol, self.read(vector["encodings"][protocol])


@pytest.fixture(scope="session")
def vectors(shared):
    return Vectors(shared / "vectors" / "open")


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
        command = [sys.executable, "-m", "thriftlens", *map(str, arguments)]
        return subprocess.run(command, input=input, capture_output=True, timeout=60, **options)

    return call


@pytest.fixture(params=["binary", "compact"])
def protocol(request):
    return request.param
