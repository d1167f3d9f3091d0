"""The command line, as a user runs it: output, exit status, what stands on stderr, what is left on disk."""

import base64
import gzip
import json
import os
import struct
import subprocess
import sys

import pytest


@pytest.fixture
def idl(idl_folder):
    return idl_folder / "shop.thrift"


def failed(done, status, *words):
    stderr = done.stderr.decode()
    assert done.returncode == status, stderr
    assert "Traceback" not in stderr
    for word in words:
        assert word in stderr
    return stderr


def test_describe(run, idl, shop):
    assert run("describe", idl).stdout.decode() == shop.describe()
    assert run("describe", idl, "Order").stdout.decode() == shop.describe("Order")
    assert json.loads(run("describe", idl, "--json").stdout) == json.loads(shop.describe(json=True))
    assert json.loads(run("describe", "--json", "-I", idl.parent, idl, "User").stdout)["name"] == "User"


def test_to_json_and_back(run, idl, idl_folder, tmp_path):
    for name, protocol in (("order.bin", "binary"), ("order.cmp", "compact")):
        done = run("to-json", idl, "Order", idl_folder / name, "--protocol", protocol)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.rstrip() == (idl_folder / "order.json").read_bytes().rstrip()
        out = tmp_path / name
        done = run("from-json", idl, "Order", "-", "-o", out, "--protocol", protocol, input=done.stdout)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert out.read_bytes() == (idl_folder / name).read_bytes()


def test_standard_input_and_output(run, idl, order_bytes):
    text = run("to-json", idl, "Order", "-", input=order_bytes).stdout
    assert run("from-json", idl, "Order", "-", input=text).stdout == order_bytes


def test_options_of_json(run, idl, order_bytes):
    pretty = run("to-json", idl, "Order", "-", "--pretty", "--enums", "name", "--int64", "string", input=order_bytes).stdout
    assert pretty.startswith(b'{\n  "id": "4711000000001",\n') and b'"status": "PAID"' in pretty
    back = run("from-json", idl, "Order", "-", "--quoted-numbers", "accept", input=pretty)
    assert back.stdout == order_bytes
    failed(run("from-json", idl, "Order", "-", input=pretty), 1, "<stdin>: ", "$.id", "line 2 column")


def test_lines(run, idl, idl_folder, tmp_path):
    frames, lines = idl_folder / "orders.frames", idl_folder / "orders.jsonl"
    assert run("to-json", idl, "Order", frames, "--lines", "--framing", "u32").stdout == lines.read_bytes()
    assert run("from-json", idl, "Order", lines, "--lines", "--framing", "u32").stdout == frames.read_bytes()
    spaced = lines.read_bytes().replace(b"\n", b"\n\n") + b"  \n"
    assert run("from-json", idl, "Order", "-", "--lines", input=spaced).stdout == frames.read_bytes()
    assert run("to-json", idl, "Order", "-", "--lines").stdout == b""
    failed(run("from-json", idl, "Order", lines), 1, "line 2 column 1); --lines reads a value a line\n")
    assert "--lines" not in failed(run("from-json", idl, "Order", "-", input=lines.read_bytes().replace(b"\n", b"")), 1, "text follows the end of the value")


def test_lines_that_are_broken(run, idl, idl_folder, order_bytes):
    frames = (idl_folder / "orders.frames").read_bytes()
    for cut in (1, 3, 5, len(frames) - 1):
        failed(run("to-json", idl, "Order", "-", "--lines", input=frames[:cut]), 1, "the data ends in the middle of a value")
    bad = frames + struct.pack(">I", 3) + b"\x0b\0\0"
    failed(run("to-json", idl, "Order", "-", "--lines", input=bad), 1, "<stdin>: record 3: ")
    failed(run("to-json", idl, "Order", "-", "--lines", input=b"\xff\xff\xff\xff" + b"x"), 1, "record 0: a size is negative")
    failed(run("from-json", idl, "Order", "-", "--lines", input=b'{"id":1}\n'), 1, "record 0: ", "required")
    failed(run("to-json", idl, "Order", "-", "--lines", input=frames[:-1]), 1, "record 2: the data ends in the middle")
    failed(run("check", idl, "Order", "-", "--lines", input=b"\0"), 1, "record 0: the data ends in the middle")


FRAMED = {
    "none": lambda records: b"".join(records),
    "u32le": lambda records: b"".join(struct.pack("<I", len(each)) + each for each in records),
    "varint": lambda records: b"".join((bytes([len(each) & 127 | 128, len(each) >> 7]) if len(each) > 127 else bytes([len(each)])) + each for each in records),
    "kafka": lambda records: b"".join(struct.pack(">i", len(each)) + each for each in records),
    "base64": lambda records: b"".join(base64.b64encode(each) + b"\n" for each in records),
    "hex": lambda records: b"".join(each.hex().encode() + b"\n" for each in records),
}


@pytest.fixture(scope="module")
def orders(idl_folder):
    """The records of orders.frames."""
    data, found = (idl_folder / "orders.frames").read_bytes(), []
    while data:
        size = struct.unpack(">I", data[:4])[0]
        found.append(data[4 : 4 + size])
        data = data[4 + size :]
    return found


@pytest.mark.parametrize("framing", FRAMED)
def test_every_framing(run, idl, idl_folder, orders, framing):
    framed, lines = FRAMED[framing](orders), (idl_folder / "orders.jsonl").read_bytes()
    assert run("to-json", idl, "Order", "-", "--framing", framing, input=framed).stdout == lines
    assert run("from-json", idl, "Order", "-", "--framing", framing, input=lines).stdout == framed
    trimmed = run("trim", idl, "Order", "{ id }", "-", "--framing", framing, input=framed).stdout
    assert run("get", idl, "Order", "$.id", "-", "--framing", framing, input=trimmed).stdout.split() == [str(json.loads(line)["id"]).encode() for line in lines.splitlines()]
    assert b"fine, 3 values of Order" in run("check", idl, "Order", "-", "--framing", framing, input=framed).stdout
    second = run("to-json", idl, "Order", "-", "--framing", framing, "--limit", "1", "--start", str(len(FRAMED[framing](orders[:1]))), input=framed)
    assert second.stdout == lines.splitlines(True)[1]


def test_lines_without_a_framing_are_frames_of_four_bytes_or_structs_without(run, idl, idl_folder, orders, tmp_path):
    lines = (idl_folder / "orders.jsonl").read_bytes()
    file = tmp_path / "orders"
    compact = [run("convert", "-", "--from", "binary", "--to", "compact", "-o", "-", input=each).stdout for each in orders]
    for protocol, records in (("binary", orders), ("compact", compact)):
        for data in (b"".join(records), gzip.compress(b"".join(records))):
            file.write_bytes(data)
            done = run("to-json", idl, "Order", file, "--lines", "--protocol", protocol)
            assert (done.returncode, done.stdout) == (0, lines)
            assert done.stderr.decode() == f"thriftlens: {file}: structs back to back (--framing none)\n"
        framed = b"".join(len(each).to_bytes(4, "big") + each for each in records)
        for data in (framed, gzip.compress(framed)):
            file.write_bytes(data)
            done = run("to-json", idl, "Order", file, "--lines", "--protocol", protocol)
            assert (done.returncode, done.stdout, done.stderr) == (0, lines, b"")
    # A frame whose struct is broken stays a frame.
    file.write_bytes(framed[:4] + b"\xff" + framed[5:])
    done = run("to-json", idl, "Order", file, "--lines", "--protocol", "compact", "--on-error", "skip")
    assert done.stdout == b"".join(lines.splitlines(True)[1:]) and b"back to back" not in done.stderr


def test_structs_back_to_back_open_by_themselves(run, idl, idl_folder, orders, tmp_path):
    lines = (idl_folder / "orders.jsonl").read_bytes()
    file = tmp_path / "orders"
    for data in (b"".join(orders), gzip.compress(b"".join(orders))):
        file.write_bytes(data)
        done = run("to-json", idl, "Order", file)
        assert (done.returncode, done.stdout) == (0, lines)
        assert done.stderr.decode() == f"thriftlens: {file}: 3 structs back to back (--framing none)\n"
        assert b"fine, 3 values of Order" in run("check", idl, "Order", file).stdout
        assert run("get", idl, "Order", "$.id", "-", input=data).stdout.count(b"\n") == 3
        assert run("trim", idl, "Order", "{ id }", "-", input=data).stdout == run("trim", idl, "Order", "{ id }", "-", "--framing", "none", input=data).stdout
        assert b"Binary, structs back to back (100 %)\nrecord 0, byte 0, 468 bytes\n" in run("inspect", file).stdout
    for cut in range(len(orders[0]) + len(orders[1]) + 1, len(b"".join(orders)), 79):
        done = run("to-json", idl, "Order", "-", input=b"".join(orders)[:cut])
        assert (done.returncode, done.stdout) == (1, b"".join(lines.splitlines(True)[:2]))
        assert b"record 2: the data ends in the middle of a value" in done.stderr
    failed(run("to-json", idl, "Order", "-", input=orders[0] + b"\0"), 1, "bytes follow the end of the value")
    failed(run("to-json", idl, "Order", "-", input=orders[0] + orders[1] + b"x"), 1, "bytes follow the end of the value")


def test_records_that_cannot_be_read(run, idl, idl_folder, orders, tmp_path):
    lines = (idl_folder / "orders.jsonl").read_bytes()
    broken = struct.pack(">i", 4) + b"\x63\0\1\0"
    data = FRAMED["kafka"](orders[:1]) + broken + FRAMED["kafka"](orders[1:])
    failed(run("to-json", idl, "Order", "-", "--framing", "kafka", input=data), 1, "<stdin>: record 1: a wire type that Thrift does not define (byte 476)")
    done = run("to-json", idl, "Order", "-", "--framing", "kafka", "--on-error", "skip", input=data)
    assert (done.returncode, done.stdout) == (0, lines)
    assert done.stderr.decode().splitlines() == [
        "thriftlens: <stdin>: record 1: a wire type that Thrift does not define (byte 476)",
        "thriftlens: <stdin>: 1 record rejected",
    ]
    done = run("to-json", idl, "Order", "-", "--framing", "kafka", "--on-error", "null", input=data)
    assert done.stdout.splitlines()[1] == b"null" and done.stdout.count(b"\n") == 4
    done = run("trim", idl, "Order", "{ id }", "-", "--framing", "kafka", "--on-error", "null", input=data)
    assert struct.pack(">i", -1) in done.stdout
    done = run("to-json", idl, "Order", "-", "--framing", "kafka", "--on-error", tmp_path / "rejected", input=data)
    assert done.stdout == lines and (tmp_path / "rejected").read_bytes() == broken
    failed(run("check", idl, "Order", "-", "--framing", "kafka", "--on-error", "skip", input=data), 1, "1 record rejected")
    failed(run("to-json", idl, "Order", "-", "--framing", "kafka", "--on-error", "skip", input=data[:-1]), 1, "record 3: the data ends in the middle", "2 records rejected")
    done = run("from-json", idl, "Order", "-", "--framing", "none", "--on-error", "skip", input=lines + b"{\n" + lines)
    assert done.stdout == b"".join(orders * 2) and b"record 3: " in done.stderr


def test_constant_memory(run, idl, idl_folder, tmp_path):
    """40 MB of records through a process that may have 40 MB more than one that does nothing."""
    pytest.importorskip("resource")
    record = (idl_folder / "orders.frames").read_bytes()
    big = tmp_path / "big.frames"
    with open(big, "wb") as stream:
        for _ in range(40_000_000 // len(record)):
            stream.write(record)

    def peak(file):
        code = (
            "import resource, sys; from thriftlens._cli.main import main\n"
            "try: main()\n"
            "except SystemExit as done: assert not done.code, done.code\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
        )
        arguments = ["to-json", idl, "Order", file, "--lines", "-o", tmp_path / "out"]
        done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, check=True)
        return int(done.stderr.split()[-1]) * (1 if sys.platform == "darwin" else 1024)

    least = peak(idl_folder / "orders.frames")
    assert peak(big) - least < 20_000_000
    assert (tmp_path / "out").stat().st_size > 40_000_000


def test_check(run, idl, idl_folder):
    done = run("check", idl)
    assert done.returncode == 0 and done.stdout.decode() == f"{idl}: fine, 9 types, 0 warnings\n"
    done = run("check", idl, "Order", idl_folder / "order.cmp", "--protocol", "compact")
    assert done.returncode == 0 and b"fine, 1 value of Order" in done.stdout
    done = run("check", idl, "Order", idl_folder / "orders.frames", "--lines")
    assert done.returncode == 0 and b"fine, 3 values of Order" in done.stdout
    failed(run("check", idl, "User", idl_folder / "order.bin"), 1, "order.bin: expected string, found struct at $.name (byte 11)")


def test_check_shows_warnings(run, tmp_path):
    file = tmp_path / "w.thrift"
    file.write_text("struct Q { i32 a }")
    done = run("check", file)
    assert done.returncode == 0 and b"1 type, 1 warning\n" in done.stdout and b"w.thrift:1:" in done.stderr


def test_errors_of_idl_show_line_and_caret(run, tmp_path):
    file = tmp_path / "bad.thrift"
    file.write_text("struct Q {\n  1: i23 a\n}")
    stderr = failed(run("describe", file), 1, f"{file}:2:6: error: ")
    assert stderr.split("\n")[1:3] == ["    1: i23 a", "       ^"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["describe"],
        ["frobnicate"],
        ["describe", "IDL", "Ordr"],
        ["describe", "none.thrift"],
        ["to-json", "IDL"],
        ["to-json", "IDL", "Ordr", "BIN"],
        ["to-json", "IDL", "Order", "none.bin"],
        ["to-json", "IDL", "Order", "."],
        ["to-json", "IDL", "Order", "BIN", "--protocol", "json"],
        ["to-json", "IDL", "Order", "BIN", "--depth", "2000"],
        ["to-json", "IDL", "Order", "BIN", "--lines", "--pretty"],
        ["to-json", "IDL", "Order", "BIN", "-o", "none/out.json"],
        ["from-json", "IDL", "Order", "BIN", "--lines", "--framing", "u16"],
        ["to-json", "IDL", "Order", "BIN", "--start", "4"],
        ["to-json", "IDL", "Order", "BIN", "--on-error", "skip"],
        ["trim", "IDL", "Order", "{ id }", "BIN", "--framing", "u32", "--on-error", "null", "-o", "-"],
        ["from-json", "IDL", "Order", "BIN", "--lines", "--limit", "1", "-o", "-"],
        ["redact", "IDL", "Order", "BIN"],
        ["redact", "IDL", "Order", "BIN", "--annotation", "pi"],
        ["redact", "IDL", "Order", "BIN", "--path", "$.debug", "hide"],
        ["diff", "BIN", "Order", "BIN", "BIN"],
        ["get", "IDL", "Order", b"$.\xff", "BIN"],
        ["get", "IDL", b"\xff", "$.id", "BIN"],
        ["get", "IDL", "Order", "$.id", b"none\xff"],
    ],
)
def test_bad_usage(run, idl, idl_folder, arguments):
    names = {"IDL": idl, "BIN": idl_folder / "order.bin"}
    failed(run(*[names.get(each, os.fsdecode(each)) for each in arguments]), 2)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["--help"], ["describe", "IDL"], ["to-json", "IDL", "Order", "BIN"], ["get", "IDL", "Order", "$.id", "BIN"]])
def test_output_that_goes_nowhere(idl, idl_folder, arguments):
    names = {"IDL": idl, "BIN": idl_folder / "order.bin"}
    command = [sys.executable, "-m", "thriftlens", *(str(names.get(each, each)) for each in arguments)]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE)
    failed(done, 2, "No space left")
    assert b"Exception ignored" not in done.stderr
    if arguments != ["--help"]:
        failed(subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command], stderr=subprocess.PIPE), 2, "<stdout>: ")


def test_nothing_is_left_after_a_failure(run, idl, order_bytes, tmp_path):
    out = tmp_path / "out.json"
    failed(run("to-json", idl, "Order", "-", "-o", out, input=order_bytes[:-9]), 1, "<stdin>: ", "$.base")
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
    assert link.is_symlink() and out.stat().st_mode & 0o777 == 0o640 and out.read_bytes().startswith(b"{")
    assert run("to-json", idl, "Order", "-", "-o", os.devnull, input=order_bytes).returncode == 0


def test_a_reader_that_goes_away(idl, idl_folder):
    """`thriftlens … | head -1` ends quietly."""
    record = (idl_folder / "orders.frames").read_bytes()
    command = [sys.executable, "-m", "thriftlens", "to-json", str(idl), "Order", "-", "--lines"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
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


def test_help_names_the_commands(run):
    done = run("--help")
    assert done.returncode == 0
    for command in (b"describe", b"to-json", b"from-json", b"check"):
        assert command in done.stdout


def test_progress_only_on_a_terminal(run, idl, idl_folder, tmp_path):
    pty = pytest.importorskip("pty")
    frames = tmp_path / "frames"
    frames.write_bytes((idl_folder / "orders.frames").read_bytes() * 200)
    command = [sys.executable, "-m", "thriftlens", "to-json", str(idl), "Order", str(frames), "--lines"]
    try:
        ours, theirs = pty.openpty()  # a terminal that does not know its size
    except OSError as error:
        pytest.skip(f"no terminal to be had: {error}")
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, "TQDM_MININTERVAL": "0"})
    os.set_blocking(ours, False)
    shown = os.read(ours, 1 << 16)
    os.close(theirs), os.close(ours)
    assert done.returncode == 0 and b"%|" in shown and b" records/s" in shown
    assert run("to-json", idl, "Order", frames, "--lines").stderr == b""


@pytest.fixture
def order(idl_folder):
    return idl_folder / "order.bin"


def test_get(run, idl, order, idl_folder):
    assert run("get", idl, "Order", "$.items[2].price", order).stdout == b"39.9\n"
    assert run("get", idl, "Order", "$.user", order).stdout.startswith(b'{"id":42,"name":"Zo')
    assert run("get", idl, "Order", "$.items[*].sku", order).stdout.splitlines()[:2] == [b'"TEA-GREEN-100"', b'"CUP-01"']
    assert run("get", idl, "Order", "$.status", order, "--enums", "name").stdout == b'"PAID"\n'
    assert run("get", idl, "Order", "$.status", idl_folder / "order.cmp", "--protocol", "compact").stdout == b"2\n"
    failed(run("get", idl, "Order", "$.items[9].sku", order), 1, "nothing at $.items[9].sku")
    failed(run("get", idl, "Order", "$.item", order), 2)
    failed(run("get", idl, "Order", "$.items[", order), 2)
    failed(run("get", idl, "Order", "$.base.caller", "-", input=order.read_bytes()[:-50]), 1, "<stdin>: ")


def test_set_and_delete(run, idl, order, shop, tmp_path):
    out = tmp_path / "out.bin"
    assert run("set", idl, "Order", "$.user.name", '"Ann"', order, "-o", out).returncode == 0
    expected = shop.Order.decode(order.read_bytes())
    expected["user"]["name"] = "Ann"
    assert out.read_bytes() == shop.Order.encode(expected)
    assert run("delete", idl, "Order", "$.debug", out, "-o", out).returncode == 0
    del expected["debug"]
    assert shop.Order.decode(out.read_bytes()) == expected
    failed(run("set", idl, "Order", "$.user.name", "5", order, "-o", out), 2, "JSON for $.user.name: expected string")
    failed(run("set", idl, "Order", "$.user.name", "Zoë M", order, "-o", out), 2, """; a text has its own quotes: '"Zoë M"'""")
    assert "quotes" not in failed(run("set", idl, "Order", "$.user.name", '{"a"', order, "-o", out), 2, "JSON for $.user.name: ")
    failed(run("delete", idl, "Order", "$.user.nme", order, "-o", out), 2)
    assert shop.Order.decode(out.read_bytes()) == expected


# A field that stands behind a higher id and is broken there.
@pytest.mark.parametrize(("protocol", "data"), [("binary", "08000300000000080002000000"), ("compact", "35000502"), ("compact", "35000504")])
@pytest.mark.parametrize("arguments", [["set", "$.n", "7"], ["set", "--create", "$.in.c", "7"], ["set", "--create", "$.n", "7"]])
def test_an_edit_of_broken_bytes_leaves_the_file(run, tmp_path, protocol, data, arguments):
    schema, file = tmp_path / "t.thrift", tmp_path / "f.bin"
    schema.write_text("struct In {1: optional i32 c} struct T {1: optional In in, 2: optional i32 n}")
    file.write_bytes(bytes.fromhex(data))
    *command, path, value = arguments
    done = run(*command, schema, "T", path, value, file, "-o", file, "--protocol", protocol)
    failed(done, 1, "f.bin: ", "byte")
    assert file.read_bytes() == bytes.fromhex(data)


def test_unknown_fields(run, tmp_path):
    old, new = tmp_path / "old.thrift", tmp_path / "new.thrift"
    old.write_text("struct In { 1: i32 a } struct S { 1: i32 x, 2: In in_ }")
    new.write_text("struct In { 1: i32 a, 2: i32 b } struct S { 1: i32 x, 2: In in_, 3: i32 z }")
    data = run("from-json", new, "S", "-", input=b'{"x":1,"in_":{"a":2,"b":3},"z":4}').stdout
    for arguments, kept in ((["set", old, "S", "$.x", "5", "-"], b'"x":5,'), (["delete", old, "S", "$.x", "-"], b"")):
        for options, wanted in (([], b'"in_":{"a":2,"b":3},"z":4'), (["--unknown", "drop"], b'"in_":{"a":2}')):
            done = run(*arguments, *options, input=data)
            assert run("to-json", new, "S", "-", input=done.stdout).stdout == b"{" + kept + wanted + b"}\n"
        failed(run(*arguments, "--unknown", "error", input=data), 1, "<stdin>: ")
    failed(run("get", old, "S", "$.in_", "-", "--unknown", "error", input=data), 1)


def test_set_creates_on_request(run, idl, shop):
    data = shop.Order.encode({"id": 1, "user": {"id": 1, "name": "a"}, "items": []})
    failed(run("set", idl, "Order", "$.base.caller", '"me"', "-", input=data), 1)
    done = run("set", "--create", idl, "Order", "$.base.caller", '"me"', "-", input=data)
    assert shop.Order.decode(done.stdout)["base"] == {"caller": "me"}


def test_trim(run, idl, order, shop):
    done = run("trim", idl, "Order", "{ id items { sku price } }", order)
    assert done.returncode == 0 and list(shop.Order.get(done.stdout, "$.items[0]")) == ["sku", "price"]
    failed(run("trim", idl, "Order", "{ idd }", order), 2)


def test_inspect(run, idl, order):
    text = run("inspect", order).stdout.decode()
    assert text.splitlines()[0] == "guess: Binary, one struct (100 %)"
    assert text.splitlines()[2].split() == ["00000000", "#1", "i64", "4711000000001"]
    assert "name string" in run("inspect", order, "--idl", idl, "--type", "Order").stdout.decode()
    failed(run("inspect", "-", input=order.read_bytes()[:-1]), 1, "<stdin>: the data ends")
    failed(run("inspect", order, "--idl", idl), 2)


def test_convert(run, order, idl_folder, tmp_path):
    out = tmp_path / "order.cmp"
    assert run("convert", order, "--from", "binary", "--to", "compact", "-o", out).returncode == 0
    assert out.read_bytes() == (idl_folder / "order.cmp").read_bytes()
    failed(run("convert", order, "--from", "compact", "--to", "binary"), 1, "order.bin: ")


def test_check_prints_every_finding(run, tmp_path):
    idl = tmp_path / "a.thrift"
    idl.write_text('enum E { A = 1 } struct S { 1: i32 n (vt.lt = "5"), 2: string s (vt.min_size = "2"), 3: E e }')
    data = bytes.fromhex("0800010000000a" "0b00020000000141" "08000300000009" "00")
    stderr = failed(run("check", idl, "S", "-", input=data), 1, '<stdin>: the value breaks vt.lt = "5" at $.n (byte 3)', "vt.min_size", "9 is not a member of E")
    assert len(stderr.splitlines()) == 3
    failed(run("check", idl, "S", "-", "--rules", "ignore", input=data), 1, "9 is not a member of E")
    assert run("check", idl, "S", "-", "--rules", "ignore", "--enums", "any", input=data).stdout == b"<stdin>: fine, 1 value of S\n"
    framed = struct.pack(">I", 1) + b"\0" + struct.pack(">I", len(data)) + data
    failed(run("check", idl, "S", "-", "--lines", input=framed), 1, "record 1 ")


def test_redact(run, idl, shop, order_bytes, tmp_path):
    key = tmp_path / "key"
    key.write_bytes(b"secret")
    rules = ["--annotation", "pii", "--value", "card", "keep_last(4)", "--value", "email", "hash", "--path", "$.debug", "drop", "--key-file", key]
    done = run("redact", idl, "Order", "-", *rules, input=order_bytes)
    assert (done.returncode, done.stderr) == (0, b"")
    wanted = {"annotation": "pii", "values": {"card": "keep_last(4)", "email": "hash"}, "paths": {"$.debug": "drop"}, "key": b"secret"}
    assert done.stdout == shop.Order.redact(order_bytes, **wanted)
    assert shop.Order.decode(done.stdout)["user"]["name"] == ""
    explained = run("redact", idl, "Order", *rules, "--explain")
    assert (explained.returncode, explained.stderr) == (0, b"")
    assert [line.split("\t") for line in explained.stdout.decode().splitlines()] == [list(each) for each in shop.Order.redactions(**wanted)]
    out = tmp_path / "out"
    failed(run("redact", idl, "Order", "-", "-o", out, "--path", "$.id", "drop", input=order_bytes), 2, "required")
    failed(run("redact", idl, "Order", "-", "-o", out, "--path", "$.nme", "drop", input=order_bytes), 2, "nme")
    failed(run("redact", idl, "Order", "-", "-o", out, "--annotation", "pii", input=order_bytes[:-1]), 1, "<stdin>: ")
    assert not out.exists()


def test_redact_refuses_rules_that_hide_nothing(run, idl, order_bytes, tmp_path):
    out = tmp_path / "out"
    key = tmp_path / "key"
    key.write_bytes(b"")

    def refused(words, *options):
        failed(run("redact", idl, "Order", "-", "-o", out, *options, input=order_bytes), 2, words)
        assert not out.exists()

    refused("no rule")
    refused("no rule", "--missing", "ignore")
    refused("the annotation 'pi'; did you mean 'pii'?", "--annotation", "pi")
    refused("the value 'crad'; did you mean 'card'?", "--annotation", "pii", "--value", "crad", "drop")
    refused("none is named", "--path", "$.debug", "drop", "--value", "card", "drop")
    refused("none is named", "--path", "$.debug", "drop", "--otherwise", "drop")
    refused("guesses of a value can be verified; --key-file\n", "--path", "$.debug", "hash")
    refused("not 1 to 16", "--path", "$.debug", "hash", "--key-file", key)
    key.write_bytes(b"secret\n")
    refused("a line of text", "--path", "$.debug", "hash", "--key-file", key)
    key.write_bytes(b"secret")
    refused("nothing is hashed", "--path", "$.debug", "drop", "--key-file", key)
    # Which of two holds would go by the place of the first.
    refused("is there twice", "--path", "$.notes{*}", "drop", "--path", "$.notes{1}", "keep", "--path", "$.notes{*}", "drop")
    refused("is there twice", "--annotation", "pii", "--value", "card", "drop", "--value", "card", "keep")
    done = run("redact", idl, "Item", "-", "--annotation", "pii", "--missing", "ignore", input=bytes.fromhex("0b000100000001780400020000000000000000" "00"))
    assert done.returncode == 0


def test_redact_tells_how_many_unknown_fields_went(run, tmp_path):
    idl = tmp_path / "a.thrift"
    idl.write_text('struct S { 1: required string name (pii = "x"), 2: S more }')
    data = bytes.fromhex("0b00010000000141" "0b004d0000000142" "0c0002" "0b00010000000143" "0b00630000000144" "00" "00")
    done = run("redact", idl, "S", "-", "--annotation", "pii", input=data)
    assert (done.returncode, done.stderr) == (0, b"thriftlens: <stdin>: 2 unknown fields dropped\n")
    assert done.stdout == bytes.fromhex("0b000100000000" "0c0002" "0b000100000000" "00" "00")
    assert run("redact", idl, "S", "-", "--annotation", "pii", "--unknown", "keep", input=data).stdout.count(b"\x0b\0\x4d") == 1
    failed(run("redact", idl, "S", "-", "--annotation", "pii", "--unknown", "error", input=data), 1, "#77")
    # The id of the name was damaged: it is missed, and what carries it goes.
    damaged = bytes.fromhex("0b004d0000000141" "00")
    failed(run("redact", idl, "S", "-", "--annotation", "pii", input=damaged), 1, "a required field is missing at $.name")
    done = run("redact", idl, "S", "-", "--annotation", "pii", "--missing-required", "omit", input=damaged)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"\0", b"thriftlens: <stdin>: 1 unknown field dropped\n")


def test_diff(run, idl, shop, order_bytes, idl_folder, tmp_path):
    same = run("diff", idl, "Order", "-", idl_folder / "order.cmp", "--right-protocol", "compact", input=order_bytes)
    assert (same.returncode, same.stdout, same.stderr) == (0, b"", b"")
    other = tmp_path / "other"
    other.write_bytes(shop.Order.edit(order_bytes).set("$.id", 5).set("$.user.name", "Zoë").erase("$.tags").append("$.items", {"sku": "n", "price": 1.5}).apply())
    done = run("diff", idl, "Order", "-", other, input=order_bytes)
    assert (done.returncode, done.stderr) == (1, b"")
    lines = done.stdout.decode().splitlines()
    old = shop.Order.decode(order_bytes)
    assert lines[0] == f"~ $.id: {old['id']} -> 5"
    assert lines[1] == f'~ $.user.name: {json.dumps(old["user"]["name"], ensure_ascii=False)} -> "Zoë"'
    assert lines[2] == f'+ $.items[{len(old["items"])}]: {{"sku":"n","price":1.5}}'
    assert lines[3].startswith("- $.tags: [") and len(lines) == 4
    few = run("diff", idl, "Order", "-", other, "--most", "1", input=order_bytes)
    assert (few.returncode, len(few.stdout.splitlines()), few.stderr) == (1, 1, b"thriftlens: more than 1 differences\n")
    failed(run("diff", idl, "Order", "-", other, input=order_bytes[:-1]), 2, "<stdin>, ")
    failed(run("diff", idl, "Order", "-", "-", input=order_bytes), 2)


def test_rewrite_is_trim_redact_and_set_in_one(run, idl, order_bytes, tmp_path):
    rules = ["--path", "$.user.name", "blank"]
    select = "{ id user { * } items }"
    trimmed = run("trim", idl, "Order", select, input=order_bytes).stdout
    redacted = run("redact", idl, "Order", *rules, input=trimmed).stdout
    expected = run("set", idl, "Order", "$.items[0].price", "1.5", input=redacted).stdout
    done = run("rewrite", idl, "Order", "--select", select, *rules, "--set", "$.items[0].price", "1.5", input=order_bytes)
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, b"") and expected
    assert run("rewrite", idl, "Order", input=order_bytes).stdout == order_bytes
    wrong = run("rewrite", idl, "Order", "--set", "$.debug", '"fine"', "--set", "$.user.name", "5", input=order_bytes)
    assert (wrong.returncode, wrong.stdout) == (2, b"") and b"JSON for $.user.name: expected string" in wrong.stderr
    for forgotten in (["--unknown", "drop"], ["--unknown", "error"], ["--otherwise", "drop"], ["--value", "email", "hash"], ["--missing", "error"]):
        done = run("rewrite", idl, "Order", *forgotten, "--select", "{ id }", input=order_bytes)  # an option of redaction, and no rule
        assert (done.returncode, done.stdout) == (2, b""), forgotten
    deleted = run("rewrite", idl, "Order", "--delete", "$.user", input=order_bytes).stdout
    assert deleted == run("delete", idl, "Order", "$.user", input=order_bytes).stdout
    for wrong in (["--select", "{ nope }"], ["--set", "$.nope", "1"], ["--delete", "nope"]):
        done = run("rewrite", idl, "Order", *wrong, input=order_bytes)
        assert (done.returncode, done.stdout) == (2, b"") and done.stderr.startswith(b"thriftlens: ")
    short = run("redact", idl, "Order", *rules, "--output-size", "5", input=order_bytes)
    assert (short.returncode, short.stdout) == (1, b"")


def test_every_command_reads_the_idl_in_the_same_ways():
    from thriftlens._cli.main import main

    with_idl = {name: {each.name for each in command.params} for name, command in main.commands.items()}
    with_idl = {name: options for name, options in with_idl.items() if "idl" in options}
    assert len(with_idl) >= 11
    for name, options in with_idl.items():
        assert {"include_dirs", "strict", "implicit_ids"} <= options, name


def test_ids_that_the_idl_leaves_out(run, tmp_path):
    path = tmp_path / "implicit.thrift"
    path.write_text("struct T { 1: i32 a, i32 b }")
    how = ["--implicit-ids", "cloudwego"]  # b has the id 2
    data = run("from-json", path, "T", "-", "-o", "-", *how, input=b'{"a":1,"b":5}').stdout
    assert data == b"\x08\0\1\0\0\0\1\x08\0\2\0\0\0\5\0"
    assert run("get", path, "T", "$.b", "-", *how, input=data).stdout == b"5\n"
    changed = run("set", path, "T", "$.b", "7", "-", "-o", "-", *how, input=data).stdout
    assert run("trim", path, "T", "{ b }", "-", "-o", "-", *how, input=changed).stdout == b"\x08\0\2\0\0\0\7\0"
    assert run("redact", path, "T", "-", "-o", "-", "--path", "$.b", "blank", *how, input=data).stdout == b"\x08\0\1\0\0\0\1\x08\0\2\0\0\0\0\0"
    assert run("rewrite", path, "T", "-", "-o", "-", "--delete", "$.b", *how, input=data).stdout == b"\x08\0\1\0\0\0\1\0"


def test_strict_wherever_the_idl_is_read(run, tmp_path):
    path = tmp_path / "lenient.thrift"
    path.write_text("typedef Nope N\nstruct T { 1: i32 a }")
    data = b"\x08\0\1\0\0\0\1\0"
    assert run("get", path, "T", "$.a", "-", input=data).stdout == b"1\n"
    failed(run("get", path, "T", "$.a", "-", "--strict", input=data), 1, f"{path}:1:9: error: ", "Nope")
    failed(run("redact", path, "T", "-", "-o", "-", "--path", "$.a", "drop", "--strict", input=data), 1, "Nope")


def test_messages(run, tmp_path):
    """A capture as Apache's Python library writes it: calls, replies, exceptions, in frames and not, in both protocols."""
    from thrift.protocol import TBinaryProtocol, TCompactProtocol
    from thrift.Thrift import TApplicationException, TMessageType
    from thrift.transport import TTransport

    idl = tmp_path / "calls.thrift"
    idl.write_text(
        "exception Gone { 1: string why } enum E { ONE = 1 } service Base { void ping(1: E e) }"
        " service Calls extends Base { i32 add(1: i32 a) throws (1: Gone gone) } service Others { oneway void log(1: string text) }"
    )
    memory = TTransport.TMemoryBuffer()

    def write(factory, framed, name, kind, number, body):
        transport = TTransport.TFramedTransport(memory) if framed else memory
        out = factory(transport)
        out.writeMessageBegin(name, kind, number)
        body(out)
        out.writeMessageEnd()
        transport.flush()

    def integer(out):
        out.writeStructBegin("")
        out.writeFieldBegin("", 8, 1)
        out.writeI32(1)
        out.writeFieldEnd()
        out.writeFieldStop()
        out.writeStructEnd()

    write(TBinaryProtocol.TBinaryProtocol, True, "add", TMessageType.CALL, 1, integer)
    write(TCompactProtocol.TCompactProtocol, False, "Calls:ping", TMessageType.ONEWAY, 2, integer)
    write(TBinaryProtocol.TBinaryProtocol, False, "add", TMessageType.EXCEPTION, 3, TApplicationException(1, "no add").write)
    write(TBinaryProtocol.TBinaryProtocol, False, "nobody", TMessageType.REPLY, 4, integer)
    data = memory.getvalue()
    done = run("messages", idl, "-", input=data)
    assert done.returncode == 0, done.stderr
    first, second, third, fourth = map(json.loads, done.stdout.splitlines())
    assert first == {"record": 0, "offset": 0, "name": "add", "kind": "call", "sequence_id": 1, "protocol": "binary", "value": {"a": 1}}
    assert (second["protocol"], second["kind"], second["value"]) == ("compact", "oneway", {"e": "ONE"})
    assert third["value"] == {"message": "no add", "type": "UNKNOWN_METHOD"} and third["kind"] == "exception"
    assert fourth["value"] is None and base64.b64decode(fourth["data"]) == bytes.fromhex("080001 00000001 00")
    assert [json.loads(line)["value"] for line in run("messages", idl, "--service", "Others", input=data).stdout.splitlines()][:2] == [None, None]
    failed(run("messages", idl, "--service", "Other", input=data), 2, "did you mean")
    failed(run("messages", idl, input=data[:-1]), 1, "<stdin>: record 3: the data ends in the middle of a value")
    one = run("messages", idl, "--start", str(second["offset"]), "--limit", "1", input=data)
    assert json.loads(one.stdout)["name"] == "Calls:ping"


def test_includes_that_are_not_to_be_had(run, tmp_path):
    idl = tmp_path / "a.thrift"
    idl.write_text('include "far/shared.thrift"\ninclude "other.thrift"\nstruct P { 1: i32 a, 2: shared.X x }\n')
    failed(run("check", idl), 1, "far/shared.thrift", "other.thrift")
    stub = ["--stub", "far/shared.thrift=struct X { 1: i32 y }", "--stub", "other.thrift="]
    assert run("check", idl, *stub).returncode == 0
    done = run("describe", idl, "P", *stub[:2], "--missing-include", "warn")
    assert done.returncode == 0 and b"shared.X" in done.stdout
    assert done.stderr.decode() == f"thriftlens: {idl}: warning: the include 'other.thrift' was not found\n"
    failed(run("check", idl, "--missing-include", "warn"), 1, "shared.X")
    failed(run("check", idl, "--stub", "far/shared.thrift"), 2, "NAME=TEXT")


def test_check_warns_of_another_type(run, tmp_path):
    idl = tmp_path / "a.thrift"
    idl.write_text("struct P { 1: i32 a } struct Q { 7: i32 z }")
    other = bytes.fromhex("080007 00000001 00")
    done = run("check", idl, "P", input=other)
    assert done.returncode == 0
    assert done.stderr.decode() == "thriftlens: <stdin>: warning: none of its fields is known to P: this is probably another type at $ (byte 0)\n"
    assert run("check", idl, "Q", input=other).stderr == run("check", idl, "P", input=b"\0").stderr == b""
