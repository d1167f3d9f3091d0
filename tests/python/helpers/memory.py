"""Memory of programs under test."""

import subprocess
import sys

import pytest


def peak_of(code: str, *arguments: str) -> int:
    """Most memory of a process that runs the code, in bytes."""
    pytest.importorskip("resource")
    ending = (
        "\nimport resource, sys; "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code + ending, *arguments], capture_output=True, check=True
    )
    return int(result.stderr.split()[-1]) * (1 if sys.platform == "darwin" else 1024)
