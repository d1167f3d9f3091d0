"""Signals: cleanup, message and exit status."""

import os
import signal
import subprocess
import sys

import pytest
from thriftlens._records.cuts import cuts_of

COMMAND = [sys.executable, "-m", "thriftlens"]
COPIES = 20_000


@pytest.fixture(scope="module")
def data(idl_folder):
    """Records that fill pipe and buffers: a process that accepted all of them has read some."""
    return COPIES * (idl_folder / "orders.frames").read_bytes()


def parts(folder):
    return [path for path in folder.iterdir() if path.name.endswith(".part")]


@pytest.mark.parametrize(
    "name, message", [("SIGINT", "interrupted"), ("SIGTERM", "terminated"), ("SIGHUP", "hung up")]
)
def test_a_signal_removes_temporary_files_and_prints_one_line(idl, data, tmp_path, name, message):
    number = getattr(signal, name)
    out = tmp_path / "out"
    out.write_text("before")
    command = [*COMMAND, "to-json", idl, "Order", "--lines", "-o", out]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(data)
        process.stdin.flush()
        assert parts(tmp_path)
        process.send_signal(number)
        stderr = process.stderr.read()
    assert process.returncode == 128 + number
    assert stderr.decode() in {
        f"thriftlens: {message}; <stdin>: continue with --start {cut.begin}\n"
        for cut in cuts_of(data, "u32", True)
    }
    assert out.read_text() == "before" and list(tmp_path.iterdir()) == [out]


def test_a_signal_that_the_caller_ignores_is_ignored(idl, data, tmp_path):
    """As under nohup."""
    out = tmp_path / "out"
    command = [*COMMAND, "to-json", idl, "Order", "--lines", "-o", out]
    ignoring = {"preexec_fn": lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, **ignoring
    ) as process:
        process.stdin.write(data)
        process.stdin.flush()
        process.send_signal(signal.SIGHUP)
        _, stderr = process.communicate()
    assert (process.returncode, stderr) == (0, b"")
    assert len(out.read_bytes().splitlines()) == 3 * COPIES


def test_ctrl_c_while_the_command_is_being_imported_says_one_line(tmp_path):
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    folders = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    result = subprocess.run(
        [*COMMAND, "--version"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": folders},
    )
    assert result.returncode == 130 and result.stdout == ""
    assert result.stderr == "thriftlens: interrupted\n"


def test_ctrl_c_while_the_package_is_being_imported_says_one_line(tmp_path):
    (tmp_path / "thriftlens").mkdir()
    (tmp_path / "thriftlens" / "__init__.py").write_text("raise KeyboardInterrupt\n")
    start = (
        "import sys, thriftlens_command; sys.path.insert(0, sys.argv[1]); thriftlens_command.main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", start, str(tmp_path)], capture_output=True, text=True
    )
    assert result.returncode == 130 and result.stdout == ""
    assert result.stderr == "thriftlens: interrupted\n"
