"""The samples in tests/data are what their script makes, byte for byte."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
WRITTEN_BY_HAND = {"vectors/open/open.thrift", "vectors/open/uuids.thrift"}


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_samples_match_their_script(tmp_path):
    protocol = pytest.importorskip("thrift.protocol.TProtocol")
    if not hasattr(protocol.TProtocolBase, "writeUuid") or shutil.which("thrift") is None:
        pytest.skip("needs Apache's compiler and a library with uuid")
    subprocess.run(
        [sys.executable, "-B", DATA / "make_samples", tmp_path], check=True, capture_output=True
    )
    generated, committed = files(tmp_path), files(DATA / "samples")
    assert generated.keys() | WRITTEN_BY_HAND == committed.keys()
    assert [name for name in generated if generated[name] != committed[name]] == []
