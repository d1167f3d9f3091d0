"""Signals: cleanup, message and exit status."""

import os
import signal
import subprocess
import sys
import time

import pytest

COMMAND = [sys.executable, "-m", "thriftlens"]


@pytest.fixture
def frames(idl_folder):
    return idl_folder / "orders.frames"


def parts(folder):
    return [path for path in folder.iterdir() if path.name.endswith(".part")]


@pytest.mark.parametrize(
    "name, message", [("SIGINT", "interrupted"), ("SIGTERM", "terminated"), ("SIGHUP", "hung up")]
)
def test_a_signal_removes_temporary_files_and_prints_one_line(idl, frames, tmp_path, name, message):
    number = getattr(signal, name)
    out = tmp_path / "out"
    out.write_text("before")
    command = [*COMMAND, "to-json", idl, "Order", "--lines", "-o", out]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(frames.read_bytes())
        process.stdin.flush()
        for _ in range(60_000):  # until it has begun to write
            if parts(tmp_path) or process.poll() is not None:
                break
            time.sleep(0.01)
        assert parts(tmp_path)
        process.send_signal(number)
        stderr = process.stderr.read()
    assert process.returncode == 128 + number
    start, boundaries = 0, [0]
    while start < len(frames.read_bytes()):
        start += 4 + int.from_bytes(frames.read_bytes()[start : start + 4], "big")
        boundaries.append(start)
    # The temporary file appears before the first record is read.
    assert stderr.decode() in [
        f"thriftlens: {message}; <stdin>: continue with --start {start}\n" for start in boundaries
    ]
    assert out.read_text() == "before" and list(tmp_path.iterdir()) == [out]


def test_a_signal_that_the_caller_ignores_is_ignored(idl, frames, tmp_path):
    """As under nohup."""
    out = tmp_path / "out"
    command = [*COMMAND, "to-json", idl, "Order", "--lines", "-o", out]
    ignoring = {"preexec_fn": lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, **ignoring
    ) as process:
        process.stdin.write(frames.read_bytes())
        process.stdin.flush()
        for _ in range(60_000):
            if parts(tmp_path) or process.poll() is not None:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGHUP)
        _, stderr = process.communicate()
    assert (process.returncode, stderr) == (0, b"") and len(out.read_bytes().splitlines()) == 3


def test_ctrl_c_while_the_command_is_being_imported_says_one_line(tmp_path):
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    folders = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    result = subprocess.run(
        [*COMMAND, "--version"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": folders},
    )
    assert (result.returncode, result.stdout, result.stderr) == (
        130,
        "",
        "thriftlens: interrupted\n",
    )


def test_ctrl_c_while_the_package_is_being_imported_says_one_line(tmp_path):
    (tmp_path / "thriftlens").mkdir()
    (tmp_path / "thriftlens" / "__init__.py").write_text("raise KeyboardInterrupt\n")
    start = (
        "import sys, thriftlens_command; sys.path.insert(0, sys.argv[1]); thriftlens_command.main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", start, str(tmp_path)], capture_output=True, text=True
    )
    assert (result.returncode, result.stdout, result.stderr) == (
        130,
        "",
        "thriftlens: interrupted\n",
    )
