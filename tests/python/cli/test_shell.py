"""The command line as a Unix program: files, streams, terminals, signals, exit statuses, memory."""

import os
import resource
import struct
import subprocess
import sys
import threading

import pytest

COMMAND = [sys.executable, "-m", "thriftlens"]


@pytest.fixture
def frames(idl_folder):
    return idl_folder / "orders.frames"


def framed(records):
    return b"".join(struct.pack(">I", len(record)) + record for record in records)


def unframed(data):
    records = []
    while data:
        (length,) = struct.unpack(">I", data[:4])
        records.append(data[4 : 4 + length])
        data = data[4 + length :]
    return records


def one_line(result, status, *messages):
    stderr = result.stderr.decode()
    assert (result.returncode, stderr.count("\n")) == (status, 1), stderr
    assert stderr.startswith("thriftlens: ")
    for message in messages:
        assert message in stderr


# Arguments before and after FILE, for every command that reads a value.
REWRITING = [
    (["set", "IDL", "Order", "$.user.name", '"Ann"'], []),
    (["delete", "IDL", "Order", "$.debug"], []),
    (["trim", "IDL", "Order", "{ id user { name } }"], []),
    (["redact", "IDL", "Order"], ["--annotation", "pii"]),
    (["convert"], ["--from", "binary", "--to", "compact"]),
]
SHOWING = [
    (["to-json", "IDL", "Order"], []),
    (["get", "IDL", "Order", "$.user.id"], []),
    (["get", "IDL", "Order", "$.items[*].sku"], []),
    (["check", "IDL", "Order"], []),
    (["inspect"], []),
]


def arguments(leading, trailing, idl):
    return [str(idl) if argument == "IDL" else argument for argument in leading], trailing


@pytest.mark.parametrize("leading, trailing", REWRITING + SHOWING)
def test_file_may_be_left_out_for_standard_input(
    run, idl, idl_folder, order_bytes, leading, trailing
):
    leading, trailing = arguments(leading, trailing, idl)
    from_file = run(*leading, idl_folder / "order.bin", *trailing)
    left_out = run(*leading, *trailing, input=order_bytes)
    assert (left_out.returncode, left_out.stderr) == (0, b"")
    assert (
        left_out.stdout.replace(b"<stdin>", os.fsencode(idl_folder / "order.bin"))
        == from_file.stdout
        != b""
    )


def test_file_may_be_left_out_with_json_or_a_second_value(run, idl, idl_folder, order_bytes):
    result = run("from-json", idl, "Order", input=(idl_folder / "order.json").read_bytes())
    assert result.stdout == order_bytes
    assert run("diff", idl, "Order", idl_folder / "order.bin", input=order_bytes).returncode == 0


@pytest.mark.parametrize("leading, trailing", REWRITING)
def test_lines_rewrite_every_record(run, idl, frames, leading, trailing):
    leading, trailing = arguments(leading, trailing, idl)
    result = run(*leading, frames, *trailing, "--lines", "--framing", "u32")
    assert (result.returncode, result.stderr) == (0, b"")
    alone = [
        run(*leading, *trailing, input=record).stdout for record in unframed(frames.read_bytes())
    ]
    assert unframed(result.stdout) == alone and len(alone) == 3
    broken = run(
        *leading, *trailing, "--lines", input=framed([frames.read_bytes()[4:][:468], b"\x0b"])
    )
    one_line(broken, 1, "<stdin>: record 1: ")


def test_lines_rewrite_in_one_pass(run, idl, frames):
    chosen = ["--select", "{ id debug }", "--set", "$.debug", '"gone"']
    result = run("rewrite", idl, "Order", frames, *chosen, "--lines", "--framing", "u32")
    assert (result.returncode, result.stderr) == (0, b"")
    alone = [
        run("rewrite", idl, "Order", *chosen, input=record).stdout
        for record in unframed(frames.read_bytes())
    ]
    assert unframed(result.stdout) == alone and len(alone) == 3
    completed = run("rewrite", idl, "Order", *chosen, "--lines", input=framed([alone[0], b"\x0b"]))
    one_line(completed, 1, "<stdin>: record 1: ")


@pytest.mark.parametrize("command", [
    "to-json", "from-json", "convert", "trim", "redact", "set", "delete", "rewrite", "inspect",
    "diff",
])  # fmt: skip
def test_writing_commands_have_an_output_limit(run, command):
    assert b"--output-size" in run(command, "--help").stdout


def test_lines_show_every_record(run, idl, frames):
    lines = run("get", idl, "Order", "$.debug", frames, "--lines").stdout.splitlines()
    assert lines == [b'"trace=8f3a"', b"null", b"null"]
    lines = run("get", idl, "Order", "$.items[*].count", frames, "--lines").stdout.splitlines()
    assert lines[1] == b"[]" and lines[0].startswith(b"[") and len(lines) == 3
    shown = run("inspect", frames, "--lines").stdout.decode()
    assert [line for line in shown.splitlines() if line.startswith("record")] == [
        "record 0, byte 0, 468 bytes",
        "record 1, byte 472, 63 bytes",
        "record 2, byte 539, 136 bytes",
    ]
    one_line(run("inspect", "--lines", input=framed([b"\0", b"\x0b"])), 1, "<stdin>: record 1: ")


def test_lines_compare_record_by_record(run, idl, frames, tmp_path):
    records = unframed(frames.read_bytes())
    other = tmp_path / "other"
    other.write_bytes(framed([records[0], records[2]]))
    result = run("diff", idl, "Order", frames, other, "--lines")
    lines = result.stdout.decode().splitlines()
    assert result.returncode == 1 and lines[0].startswith("record 1: ~ $.id: ")
    assert lines[-1] == "record 2: - the whole record"
    assert run("diff", idl, "Order", frames, frames, "--lines").returncode == 0
    completed = run("diff", idl, "Order", frames, "--lines", input=frames.read_bytes()[:-1])
    one_line(completed, 2, "record 2: the data ends in the middle of a value")


@pytest.mark.parametrize("command", ["describe", "help"])
def test_commands_without_records_reject_lines(run, idl, command):
    assert run(command, idl, "--lines").returncode == 2


class Terminal:
    """A pseudo terminal whose other side is read here, by a thread, since it holds little."""

    def __init__(self):
        pty = pytest.importorskip("pty")
        try:
            self.ours, self.theirs = pty.openpty()
        except OSError as error:
            pytest.skip(f"no terminal to be had: {error}")
        self._pieces = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        try:
            while piece := os.read(self.ours, 1 << 16):
                self._pieces.append(piece)
        except OSError:
            pass  # the last writer closed it

    def shown(self):
        """All bytes written to it, after the writers have closed it."""
        self.close()
        return b"".join(self._pieces)

    def close(self):
        if self.theirs >= 0:
            os.close(self.theirs)
            self.theirs = -1
            self._reader.join()
            os.close(self.ours)


@pytest.fixture
def terminal():
    terminal = Terminal()
    yield terminal
    terminal.close()


@pytest.mark.parametrize("leading, trailing", REWRITING + [(["from-json", "IDL", "Order"], [])])
def test_bytes_are_not_written_to_a_terminal_unasked(terminal, idl, idl_folder, leading, trailing):
    leading, trailing = arguments(leading, trailing, idl)
    file = idl_folder / ("order.json" if leading[0] == "from-json" else "order.bin")
    result = subprocess.run(
        [*COMMAND, *leading, file, *trailing], stdout=terminal.theirs, stderr=subprocess.PIPE
    )
    assert result.returncode == 2 and b"-o OUT" in result.stderr and terminal.shown() == b""


def test_bytes_are_written_to_a_terminal_on_request(terminal, idl, idl_folder):
    command = [*COMMAND, "trim", idl, "Order", "{ id }", idl_folder / "order.bin", "-o", "-"]
    assert subprocess.run(command, stdout=terminal.theirs, stderr=subprocess.PIPE).returncode == 0
    assert terminal.shown().replace(b"\r\n", b"\n").startswith(b"\x0a\0\x01")  # i64, field 1


def test_json_on_a_terminal_is_escaped_and_bytes_are_not(terminal, idl, tmp_path):
    (tmp_path / "s.thrift").write_text("struct S { 1: string a }")
    (tmp_path / "s").write_bytes(b"\x0b\0\1\0\0\0\2\xc2\x9b\0")
    for command in (["to-json"], ["get", "$.a"], ["rewrite", "-o", "-"]):
        arguments = (
            [*COMMAND, command[0], tmp_path / "s.thrift", "S", *command[1:2], tmp_path / "s"]
            if command[0] != "rewrite"
            else [*COMMAND, command[0], tmp_path / "s.thrift", "S", tmp_path / "s", *command[1:]]
        )
        result = subprocess.run(arguments, stdout=terminal.theirs, stderr=subprocess.PIPE)
        assert result.returncode == 0
    assert terminal.shown() == b'{"a":"\\u009b"}\r\n"\\u009b"\r\n' + b"\x0b\0\1\0\0\0\2\xc2\x9b\0"


def test_bar_and_output_do_not_share_a_terminal(terminal, idl, frames, tmp_path):
    big = tmp_path / "big"
    big.write_bytes(frames.read_bytes() * 200)
    command = [*COMMAND, "to-json", idl, "Order", big, "--lines"]
    assert subprocess.run(command, stdout=terminal.theirs, stderr=terminal.theirs).returncode == 0
    shown = terminal.shown()
    assert b"%|" not in shown and shown.startswith(b'{"id"')


def test_a_terminal_as_input_is_announced(terminal, idl):
    command = [*COMMAND, "check", idl, "Order"]
    with subprocess.Popen(
        command, stdin=terminal.theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        os.write(terminal.ours, b"\x04")
        stdout, stderr = process.communicate()
    assert b"reading from the terminal; end" in stderr and process.returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")
@pytest.mark.parametrize("call", [
    ["to-json", "IDL", "Order", "/dev/zero"], ["trim", "IDL", "Order", "{ id }", "/dev/zero"],
    ["inspect", "/dev/zero"], ["from-json", "IDL", "Order", "/dev/zero"],
    ["from-json", "IDL", "Order", "/dev/zero", "--lines"],
])  # fmt: skip
def test_an_endless_file_is_bounded(run, idl, call):
    call, _ = arguments(call, [], idl)
    one_line(
        run(*call, "--max-size", "1M"), 2, "/dev/zero: ", "limit of 1048576 bytes", "--max-size"
    )


def test_an_endless_file_is_bounded_by_default():
    """By 1 GiB: too much for a test, so that is looked up."""
    from thriftlens._cli.source import ENDLESS, Source

    assert Source(None, "x")._bound == ENDLESS == 1 << 30


def test_max_size_bounds_files_and_records(run, idl, idl_folder, frames):
    order = idl_folder / "order.bin"
    assert run("check", idl, "Order", order, "--max-size", "468").returncode == 0
    one_line(
        run("check", idl, "Order", order, "--max-size", "467"),
        2,
        "order.bin: the input of 468 bytes exceeds the limit of 467 bytes; accepted with",
    )
    assert run("check", idl, "Order", frames, "--lines", "--max-size", "468").returncode == 0
    result = run("check", idl, "Order", frames, "--lines", "--max-size", "467")
    one_line(
        result,
        2,
        "orders.frames: record 0: a size exceeds the limit",
        "accepted with a larger --max-size",
    )
    assert run("check", idl, "Order", "--max-size", "467", input=order.read_bytes()).returncode == 2
    assert run("check", idl, "Order", order, "--max-size", "1k").returncode == 0
    assert run("check", idl, "Order", order, "--max-size", "some").returncode == 2


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """48 MB: a list of 3,000 structs of 16 KB."""
    folder = tmp_path_factory.mktemp("large")
    (folder / "large.thrift").write_text(
        "struct R { 1: string s } struct S { 1: list<R> l, 2: optional i32 x }"
    )
    record = b"\x0b\0\x01" + struct.pack(">I", 16000) + b"x" * 16000 + b"\0"
    (folder / "large.bin").write_bytes(
        b"\x0f\0\x01\x0c" + struct.pack(">I", 3000) + record * 3000 + b"\0"
    )
    return folder


def peak(*arguments, **options):
    code = (
        "import resource, sys; from thriftlens._cli.main import main\n"
        "try: main()\n"
        "except SystemExit as done: assert not done.code, done.code\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        check=True,
        **options,
    )
    return int(result.stderr.split()[-1]) * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="memory is given back piece by piece on Linux alone",
)
@pytest.mark.parametrize(
    "call, copies",
    [
        (["to-json", "IDL", "S", "FILE", "-o", "OUT"], 2),
        (["trim", "IDL", "S", "{ l { s } }", "FILE", "-o", "OUT"], 2),
        (["set", "IDL", "S", "$.x", "5", "FILE", "-o", "OUT", "--create"], 2),
        (["convert", "FILE", "--from", "binary", "--to", "compact", "-o", "OUT"], 2),
        (["check", "IDL", "S", "FILE"], 1),
        (["get", "IDL", "S", "$.l[7].s", "FILE"], 1),
    ],
)
def test_one_message_is_held_once_and_its_output_once(large, call, copies):
    names = {"IDL": large / "large.thrift", "FILE": large / "large.bin", "OUT": large / "out"}
    size = names["FILE"].stat().st_size
    least = peak("describe", names["IDL"])
    assert (
        peak(*(names.get(argument, argument) for argument in call)) - least < (copies + 0.35) * size
    )


def test_a_closed_output_pipe_exits_with_141(idl, frames):
    with subprocess.Popen(
        [*COMMAND, "to-json", idl, "Order", "--lines"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        try:
            process.stdin.write(frames.read_bytes() * 300)
            process.stdin.close()
        except BrokenPipeError:
            pass
        stderr = process.stderr.read()
        process.stdin = None
    assert (process.returncode, stderr) == (141, b"")


@pytest.mark.parametrize("arguments", [["--help"], ["trim", "--help"], ["help", "paths"]])
def test_help_to_a_closed_pipe(arguments):
    ours, theirs = os.pipe()
    os.close(ours)
    result = subprocess.run([*COMMAND, *arguments], stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    assert (result.returncode, result.stderr) == (141, b"")


def test_a_full_disk_names_the_file(idl, idl_folder, tmp_path):
    """A limit on the size of files simulates a full disk."""
    out = tmp_path / "out"
    command = [*COMMAND, "to-json", idl, "Order", idl_folder / "order.bin", "-o", out]
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))}
    one_line(subprocess.run(command, capture_output=True, **limit), 2, f"{out}: File too large")
    assert list(tmp_path.iterdir()) == []
    if os.path.exists("/dev/full"):
        command[-1] = "/dev/full"
        result = subprocess.run(command, capture_output=True)
        one_line(result, 2, "/dev/full: No space left on device")


@pytest.mark.parametrize("file", ["/proc/self/mem", "/", "none"])
def test_an_unreadable_file_is_a_one_line_error(run, idl, file):
    if file == "none" or os.path.exists(file):
        one_line(run("to-json", idl, "Order", file), 2, f"{file}: ")
        one_line(run("check", file), 2, file)


def test_help_explains_the_exit_statuses(run):
    text = run("--help").stdout.decode()
    for status in (0, 1, 2, 129, 130, 141, 143):
        assert any(line.split()[:1] == [str(status)] for line in text.splitlines()), status
    result = run("help", "status").stdout.decode().split()
    assert result == text[text.index("Exit status:") :].split()


def test_help_explains_paths_and_selections(run):
    from thriftlens import grammar

    assert run("help", "paths").stdout.decode() == grammar.PATHS
    assert run("help", "selections").stdout.decode() == grammar.SELECTIONS
    assert b"SELECTION [FILE]" in run("help", "trim").stdout
    assert run("help").stdout.startswith(b"Usage: ")
    assert run("help", "nonsense").returncode == 2


def test_the_shell_command_begins_outside_the_package():
    from importlib.metadata import distribution

    (command,) = [
        entry_point
        for entry_point in distribution("thriftlens").entry_points
        if entry_point.group == "console_scripts"
    ]
    assert (command.name, command.value) == ("thriftlens", "thriftlens_command:main")
    result = subprocess.run(
        [
            sys.executable,
            "-c",
            "import thriftlens_command, sys; print('thriftlens' in sys.modules)",
        ],
        capture_output=True,
        text=True,
    )
    assert result.stdout == "False\n"


def test_set_limits_its_output(run, idl, idl_folder):
    order = idl_folder / "order.bin"
    result = run("set", idl, "Order", "$.user.name", '"Zed"', order, "--output-size", "8")
    assert (result.returncode, result.stdout) == (1, b"") and b"limit" in result.stderr
    fine = run("set", idl, "Order", "$.user.name", '"Zed"', order, "--output-size", "100000")
    assert fine.returncode == 0
    assert fine.stdout == run("set", idl, "Order", "$.user.name", '"Zed"', order).stdout
