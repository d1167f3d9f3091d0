"""The recipe for Conan 2, by Conan itself in a separate home without a remote: packages with and
without JSON and their consumers."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("conan")
RECIPE = Path(__file__).resolve().parents[2] / "packaging" / "conan"


@pytest.fixture(scope="module")
def create(tmp_path_factory):
    """Runs `conan create` and the consumer, and returns their output."""
    folder = tmp_path_factory.mktemp("conan")
    consumer = shutil.copytree(
        RECIPE / "test_package", folder / "test_package", ignore=shutil.ignore_patterns("build")
    )

    def conan(*arguments):
        result = subprocess.run(
            [sys.executable, "-m", "conans.conan", *arguments],
            cwd=folder,
            text=True,
            capture_output=True,
            env={**os.environ, "CONAN_HOME": str(folder / "home")},
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout + result.stderr

    def create(*options):
        return conan(
            "create", str(RECIPE), "--test-folder", str(consumer), "-s", "compiler.cppstd=20", "-s",
            "build_type=Debug", *options,
        )  # fmt: skip

    conan("profile", "detect")
    conan("remote", "disable", "*")
    return create


@pytest.fixture(scope="module")
def output_without_json(create):
    return create("-o", "thriftlens/*:json=False")


def test_without_json(output_without_json):
    assert "1 fields" in output_without_json


def system_simdjson():
    """Its version, or None."""
    completed = shutil.which("pkg-config") and subprocess.run(
        ["pkg-config", "--modversion", "simdjson"], text=True, capture_output=True
    )
    return completed.stdout.strip() if completed and completed.returncode == 0 else None


@pytest.mark.skipif(not system_simdjson(), reason="no simdjson of the system")
def test_with_json_a_package_without_is_not_taken(create, output_without_json, tmp_path):
    profile = tmp_path / "profile"
    profile.write_text(
        f"include(default)\n[platform_requires]\nsimdjson/{system_simdjson()}\n", encoding="utf-8"
    )
    assert '{"id":42}' in create("-pr", str(profile), "--build", "missing")
