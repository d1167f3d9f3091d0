"""`python -m thriftlens` is the command."""

import subprocess
import sys

import thriftlens as tl


def test_the_package_runs_as_a_command():
    command = [sys.executable, "-m", "thriftlens", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert tl.__version__ in result.stdout
