"""Output: standard output, files, and progress."""

import os
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "thriftlens"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [
    ["--help"], ["describe", "IDL"], ["to-json", "IDL", "Order", "BIN"],
    ["get", "IDL", "Order", "$.id", "BIN"],
])  # fmt: skip
def test_a_full_output_device_is_an_error(idl, idl_folder, arguments, failed):
    names = {"IDL": idl, "BIN": idl_folder / "order.bin"}
    command = [
        sys.executable,
        "-m",
        "thriftlens",
        *(str(names.get(argument, argument)) for argument in arguments),
    ]
    with open("/dev/full", "wb") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE)
    failed(result, 2, "No space left")
    assert b"Exception ignored" not in result.stderr
    if arguments != ["--help"]:
        completed = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command], stderr=subprocess.PIPE)
        failed(completed, 2, "<stdout>: ")


def test_a_failure_leaves_no_files(run, idl, order_bytes, tmp_path, failed):
    out = tmp_path / "out.json"
    result = run("to-json", idl, "Order", "-", "-o", out, input=order_bytes[:-9])
    failed(result, 1, "<stdin>: ", "$.base")
    assert list(tmp_path.iterdir()) == []
    out.write_text("before")
    failed(run("to-json", idl, "Order", "-", "-o", out, input=order_bytes[:-9]), 1)
    assert out.read_text() == "before" and list(tmp_path.iterdir()) == [out]


def test_output_keeps_mode_and_links(run, idl, order_bytes, tmp_path):
    out, link = tmp_path / "out.json", tmp_path / "link.json"
    out.write_text("before")
    out.chmod(0o640)
    link.symlink_to(out)
    assert run("to-json", idl, "Order", "-", "-o", link, input=order_bytes).returncode == 0
    assert link.is_symlink() and out.stat().st_mode & 0o777 == 0o640
    assert out.read_bytes().startswith(b"{")
    assert run("to-json", idl, "Order", "-", "-o", os.devnull, input=order_bytes).returncode == 0


def test_a_closed_output_pipe_ends_the_command_quietly(idl, idl_folder):
    """`thriftlens … | head -1` ends quietly."""
    record = (idl_folder / "orders.frames").read_bytes()
    command = [sys.executable, "-m", "thriftlens", "to-json", str(idl), "Order", "-", "--lines"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        try:
            for _ in range(2000):
                process.stdin.write(record)
            process.stdin.close()
        except BrokenPipeError:
            pass
        stderr = process.stderr.read()
        process.stdin = None
    assert b"Traceback" not in stderr and b"Exception" not in stderr


def test_progress_only_on_a_terminal(run, idl, idl_folder, tmp_path):
    pty = pytest.importorskip("pty")
    frames = tmp_path / "frames"
    frames.write_bytes((idl_folder / "orders.frames").read_bytes() * 200)
    command = [
        sys.executable, "-m", "thriftlens", "to-json", str(idl), "Order", str(frames), "--lines",
    ]  # fmt: skip
    try:
        ours, theirs = pty.openpty()  # a terminal that does not know its size
    except OSError as error:
        pytest.skip(f"no terminal to be had: {error}")
    result = subprocess.run(
        command,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "TQDM_MININTERVAL": "0"},
    )
    os.set_blocking(ours, False)
    shown = os.read(ours, 1 << 16)
    os.close(theirs), os.close(ours)
    assert result.returncode == 0 and b"%|" in shown and b" records/s" in shown
    assert run("to-json", idl, "Order", frames, "--lines").stderr == b""
