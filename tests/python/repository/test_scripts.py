"""Scripts that CI has no time or network for: they start, reject unknown arguments, and run in
their smallest configuration where that is cheap."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SHELL = sorted([*ROOT.glob("scripts/**/*.sh"), *ROOT.glob("bench/**/*.sh"), ROOT / ".ci" / "run"])
PYTHON = sorted(
    path for folder in ("scripts", "bench", "docs/site") for path in ROOT.glob(f"{folder}/**/*.py")
)


def run(*command, **options):
    return subprocess.run(
        [str(argument) for argument in command],
        capture_output=True,
        text=True,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        **options,
    )


def passes(*command, **options):
    result = run(*command, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.parametrize("path", SHELL, ids=lambda path: str(path.relative_to(ROOT)))
def test_shell_scripts_parse(path):
    passes("bash", "-n", path)


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_scripts_parse(path):
    ast.parse(path.read_text(encoding="utf-8"), str(path))


@pytest.mark.parametrize("name", ["bench.sh", "engines.sh", "everywhere.sh", "peers.sh"])
def test_unknown_arguments_are_refused_at_the_start(name):
    result = run(
        "bash",
        f"scripts/{name}",
        "--nothing-of-that-name",
        env={**os.environ, "PYTHON": sys.executable},
    )
    assert result.returncode == 1 and "nothing-of-that-name" in result.stderr
    assert "===" not in result.stdout


def test_soak_of_clients_and_server():
    assert passes(sys.executable, "scripts/soak.py", 1, 10, 4).endswith("sound\n")


def test_soak_of_typed_objects():
    assert passes(sys.executable, "scripts/soak_objects.py", 1000).endswith("sound\n")


def test_soak_of_a_gateway():
    pytest.importorskip("uvicorn")
    assert passes(sys.executable, "scripts/soak_gateway.py", 1, 4).endswith("sound\n")


def test_cross_test_with_a_library_of_apache(tmp_path):
    pytest.importorskip("thrift")
    pytest.importorskip("h11")
    for program in ("thrift", "openssl"):
        if shutil.which(program) is None:
            pytest.skip(f"no {program}")
    result = run(sys.executable, "scripts/peers/cross.py", tmp_path, "python")
    assert result.returncode == 0, result.stdout + result.stderr
    rows = [line.split() for line in result.stdout.splitlines() if line.startswith("python ")]
    asio = "skipped" if "asio: skipped" in result.stdout else "ok"
    assert (
        rows == [["python", *["ok"] * 6]] * 2 + [["python", asio, asio, asio, "-", "-", asio]] * 2
    )


SMALL = {
    "calls.py": [20, 1], "columns.py": [500], "footers.py": ["--quick"], "partitions.py": [1],
    "tables.py": [0.2], "unknown.py": [], "wrappers.py": ["--one"],
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_benchmarks_of_python_run(name):
    for package in ("thriftpy2", "pyarrow", "polars"):
        pytest.importorskip(package)
    passes(
        sys.executable,
        f"bench/python/{name}",
        *SMALL[name],
        env={**os.environ, "THRIFTLENS_BENCH_ONCE": "1"},
    )
