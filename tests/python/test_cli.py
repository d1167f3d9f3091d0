"""The command line as a user runs it: output, exit status, stderr, and files on disk."""

import base64
import json
import os
import subprocess
import sys

import pytest


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
        [
            "trim",
            "IDL",
            "Order",
            "{ id }",
            "BIN",
            "--framing",
            "u32",
            "--on-error",
            "null",
            "-o",
            "-",
        ],
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
def test_bad_usage(run, idl, idl_folder, arguments, failed):
    names = {"IDL": idl, "BIN": idl_folder / "order.bin"}
    failed(run(*[names.get(argument, os.fsdecode(argument)) for argument in arguments]), 2)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["describe", "IDL"],
        ["to-json", "IDL", "Order", "BIN"],
        ["get", "IDL", "Order", "$.id", "BIN"],
    ],
)
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
        failed(
            subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command], stderr=subprocess.PIPE),
            2,
            "<stdout>: ",
        )


def test_a_failure_leaves_no_files(run, idl, order_bytes, tmp_path, failed):
    out = tmp_path / "out.json"
    failed(
        run("to-json", idl, "Order", "-", "-o", out, input=order_bytes[:-9]),
        1,
        "<stdin>: ",
        "$.base",
    )
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
    assert (
        link.is_symlink()
        and out.stat().st_mode & 0o777 == 0o640
        and out.read_bytes().startswith(b"{")
    )
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


def test_help_names_the_commands(run):
    result = run("--help")
    assert result.returncode == 0
    for command in (b"describe", b"to-json", b"from-json", b"check"):
        assert command in result.stdout


def test_progress_only_on_a_terminal(run, idl, idl_folder, tmp_path):
    pty = pytest.importorskip("pty")
    frames = tmp_path / "frames"
    frames.write_bytes((idl_folder / "orders.frames").read_bytes() * 200)
    command = [
        sys.executable,
        "-m",
        "thriftlens",
        "to-json",
        str(idl),
        "Order",
        str(frames),
        "--lines",
    ]
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


def test_trim(run, idl, order, shop, failed):
    result = run("trim", idl, "Order", "{ id items { sku price } }", order)
    assert result.returncode == 0 and list(shop.Order.get(result.stdout, "$.items[0]")) == [
        "sku",
        "price",
    ]
    failed(run("trim", idl, "Order", "{ idd }", order), 2)


def test_inspect(run, idl, order, failed):
    text = run("inspect", order).stdout.decode()
    assert text.splitlines()[0] == "guess: Binary, one struct (100 %)"
    assert text.splitlines()[2].split() == ["00000000", "#1", "i64", "4711000000001"]
    assert "name string" in run("inspect", order, "--idl", idl, "--type", "Order").stdout.decode()
    failed(run("inspect", "-", input=order.read_bytes()[:-1]), 1, "<stdin>: the data ends")
    failed(run("inspect", order, "--idl", idl), 2)


def test_redact(run, idl, shop, order_bytes, tmp_path, failed):
    key = tmp_path / "key"
    key.write_bytes(b"secret")
    rules = [
        "--annotation",
        "pii",
        "--value",
        "card",
        "keep_last(4)",
        "--value",
        "email",
        "hash",
        "--path",
        "$.debug",
        "drop",
        "--key-file",
        key,
    ]
    result = run("redact", idl, "Order", "-", *rules, input=order_bytes)
    assert (result.returncode, result.stderr) == (0, b"")
    redaction = {
        "annotation": "pii",
        "values": {"card": "keep_last(4)", "email": "hash"},
        "paths": {"$.debug": "drop"},
        "key": b"secret",
    }
    assert result.stdout == shop.Order.redact(order_bytes, **redaction)
    assert shop.Order.decode(result.stdout)["user"]["name"] == ""
    explained = run("redact", idl, "Order", *rules, "--explain")
    assert (explained.returncode, explained.stderr) == (0, b"")
    assert [line.split("\t") for line in explained.stdout.decode().splitlines()] == [
        list(redaction) for redaction in shop.Order.redactions(**redaction)
    ]
    out = tmp_path / "out"
    failed(
        run("redact", idl, "Order", "-", "-o", out, "--path", "$.id", "drop", input=order_bytes),
        2,
        "required",
    )
    failed(
        run("redact", idl, "Order", "-", "-o", out, "--path", "$.nme", "drop", input=order_bytes),
        2,
        "nme",
    )
    failed(
        run("redact", idl, "Order", "-", "-o", out, "--annotation", "pii", input=order_bytes[:-1]),
        1,
        "<stdin>: ",
    )
    assert not out.exists()


def test_redact_refuses_rules_without_effect(run, idl, order_bytes, tmp_path, failed):
    out = tmp_path / "out"
    key = tmp_path / "key"
    key.write_bytes(b"")

    def refused(message, *options):
        failed(run("redact", idl, "Order", "-", "-o", out, *options, input=order_bytes), 2, message)
        assert not out.exists()

    refused("no rule")
    refused("no rule", "--missing", "ignore")
    refused("the annotation 'pi'; did you mean 'pii'?", "--annotation", "pi")
    refused(
        "the value 'crad'; did you mean 'card'?", "--annotation", "pii", "--value", "crad", "drop"
    )
    refused("none is named", "--path", "$.debug", "drop", "--value", "card", "drop")
    refused("none is named", "--path", "$.debug", "drop", "--otherwise", "drop")
    refused("guesses of a value can be verified; --key-file\n", "--path", "$.debug", "hash")
    refused("expected 1 to 16 bytes", "--path", "$.debug", "hash", "--key-file", key)
    key.write_bytes(b"secret\n")
    refused("a line of text", "--path", "$.debug", "hash", "--key-file", key)
    key.write_bytes(b"secret")
    refused("nothing is hashed", "--path", "$.debug", "drop", "--key-file", key)
    # Which of two holds would go by the place of the first.
    refused(
        "duplicate --path",
        "--path",
        "$.notes{*}",
        "drop",
        "--path",
        "$.notes{1}",
        "keep",
        "--path",
        "$.notes{*}",
        "drop",
    )
    refused(
        "duplicate --value",
        "--annotation",
        "pii",
        "--value",
        "card",
        "drop",
        "--value",
        "card",
        "keep",
    )
    result = run(
        "redact",
        idl,
        "Item",
        "-",
        "--annotation",
        "pii",
        "--missing",
        "ignore",
        input=bytes.fromhex("0b00010000000178040002000000000000000000"),
    )
    assert result.returncode == 0


def test_redact_reports_the_number_of_dropped_fields(run, tmp_path, failed):
    idl = tmp_path / "a.thrift"
    idl.write_text('struct S { 1: required string name (pii = "x"), 2: S more }')
    data = bytes.fromhex(
        "0b000100000001410b004d00000001420c00020b000100000001430b006300000001440000"
    )
    result = run("redact", idl, "S", "-", "--annotation", "pii", input=data)
    assert (result.returncode, result.stderr) == (
        0,
        b"thriftlens: <stdin>: 2 unknown fields dropped\n",
    )
    assert result.stdout == bytes.fromhex("0b0001000000000c00020b0001000000000000")
    assert (
        run(
            "redact", idl, "S", "-", "--annotation", "pii", "--unknown", "keep", input=data
        ).stdout.count(b"\x0b\0\x4d")
        == 1
    )
    failed(
        run("redact", idl, "S", "-", "--annotation", "pii", "--unknown", "error", input=data),
        1,
        "#77",
    )
    # The field id of the name is damaged: the name is missing and the field with the wrong id is
    # dropped.
    damaged = bytes.fromhex("0b004d000000014100")
    failed(
        run("redact", idl, "S", "-", "--annotation", "pii", input=damaged),
        1,
        "a required field is missing at $.name",
    )
    result = run(
        "redact", idl, "S", "-", "--annotation", "pii", "--missing-required", "omit", input=damaged
    )
    assert (result.returncode, result.stdout, result.stderr) == (
        0,
        b"\0",
        b"thriftlens: <stdin>: 1 unknown field dropped\n",
    )


def test_diff(run, idl, shop, order_bytes, idl_folder, tmp_path, failed):
    same = run(
        "diff",
        idl,
        "Order",
        "-",
        idl_folder / "order.cmp",
        "--right-protocol",
        "compact",
        input=order_bytes,
    )
    assert (same.returncode, same.stdout, same.stderr) == (0, b"", b"")
    other = tmp_path / "other"
    other.write_bytes(
        shop.Order.edit(order_bytes)
        .set("$.id", 5)
        .set("$.user.name", "Zoë")
        .erase("$.tags")
        .append("$.items", {"sku": "n", "price": 1.5})
        .apply()
    )
    result = run("diff", idl, "Order", "-", other, input=order_bytes)
    assert (result.returncode, result.stderr) == (1, b"")
    lines = result.stdout.decode().splitlines()
    old = shop.Order.decode(order_bytes)
    assert lines[0] == f"~ $.id: {old['id']} -> 5"
    assert (
        lines[1] == f'~ $.user.name: {json.dumps(old["user"]["name"], ensure_ascii=False)} -> "Zoë"'
    )
    assert lines[2] == f'+ $.items[{len(old["items"])}]: {{"sku":"n","price":1.5}}'
    assert lines[3].startswith("- $.tags: [") and len(lines) == 4
    limited = run("diff", idl, "Order", "-", other, "--most", "1", input=order_bytes)
    assert (limited.returncode, len(limited.stdout.splitlines()), limited.stderr) == (
        1,
        1,
        b"thriftlens: more than 1 differences\n",
    )
    failed(run("diff", idl, "Order", "-", other, input=order_bytes[:-1]), 2, "<stdin>, ")
    failed(run("diff", idl, "Order", "-", "-", input=order_bytes), 2)


def test_rewrite_is_trim_redact_and_set_in_one(run, idl, order_bytes, tmp_path):
    rules = ["--path", "$.user.name", "blank"]
    select = "{ id user { * } items }"
    trimmed = run("trim", idl, "Order", select, input=order_bytes).stdout
    redacted = run("redact", idl, "Order", *rules, input=trimmed).stdout
    expected = run("set", idl, "Order", "$.items[0].price", "1.5", input=redacted).stdout
    result = run(
        "rewrite",
        idl,
        "Order",
        "--select",
        select,
        *rules,
        "--set",
        "$.items[0].price",
        "1.5",
        input=order_bytes,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, expected, b"") and expected
    assert run("rewrite", idl, "Order", input=order_bytes).stdout == order_bytes
    wrong = run(
        "rewrite",
        idl,
        "Order",
        "--set",
        "$.debug",
        '"fine"',
        "--set",
        "$.user.name",
        "5",
        input=order_bytes,
    )
    assert (wrong.returncode, wrong.stdout) == (
        2,
        b"",
    ) and b"JSON for $.user.name: expected string" in wrong.stderr
    for forgotten in (
        ["--unknown", "drop"],
        ["--unknown", "error"],
        ["--otherwise", "drop"],
        ["--value", "email", "hash"],
        ["--missing", "error"],
    ):
        result = run(
            "rewrite", idl, "Order", *forgotten, "--select", "{ id }", input=order_bytes
        )  # an option of redaction, and no rule
        assert (result.returncode, result.stdout) == (2, b""), forgotten
    deleted = run("rewrite", idl, "Order", "--delete", "$.user", input=order_bytes).stdout
    assert deleted == run("delete", idl, "Order", "$.user", input=order_bytes).stdout
    for wrong in (["--select", "{ nope }"], ["--set", "$.nope", "1"], ["--delete", "nope"]):
        result = run("rewrite", idl, "Order", *wrong, input=order_bytes)
        assert (result.returncode, result.stdout) == (2, b"") and result.stderr.startswith(
            b"thriftlens: "
        )
    short = run("redact", idl, "Order", *rules, "--output-size", "5", input=order_bytes)
    assert (short.returncode, short.stdout) == (1, b"")


def test_every_command_reads_the_idl_in_the_same_ways():
    from thriftlens._cli.main import main

    with_idl = {
        name: {param.name for param in command.params} for name, command in main.commands.items()
    }
    with_idl = {name: options for name, options in with_idl.items() if "idl" in options}
    assert len(with_idl) >= 11
    for name, options in with_idl.items():
        assert {"include_dirs", "strict", "implicit_ids"} <= options, name


def test_messages(run, tmp_path, failed):
    """A capture as Apache's Python library writes it: calls, replies, exceptions, in frames and
    not, in both protocols."""
    from thrift.protocol import TBinaryProtocol, TCompactProtocol
    from thrift.Thrift import TApplicationException, TMessageType
    from thrift.transport import TTransport

    idl = tmp_path / "calls.thrift"
    idl.write_text(
        "exception Gone { 1: string why } enum E { ONE = 1 } service Base { void ping(1: E e) }"
        " service Calls extends Base { i32 add(1: i32 a) throws (1: Gone gone) } service Others { "
        "oneway void log(1: string text) }"
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
    write(
        TBinaryProtocol.TBinaryProtocol,
        False,
        "add",
        TMessageType.EXCEPTION,
        3,
        TApplicationException(1, "no add").write,
    )
    write(TBinaryProtocol.TBinaryProtocol, False, "nobody", TMessageType.REPLY, 4, integer)
    data = memory.getvalue()
    result = run("messages", idl, "-", input=data)
    assert result.returncode == 0, result.stderr
    first, second, third, fourth = map(json.loads, result.stdout.splitlines())
    assert first == {
        "record": 0,
        "offset": 0,
        "name": "add",
        "kind": "call",
        "sequence_id": 1,
        "protocol": "binary",
        "value": {"a": 1},
    }
    assert (second["protocol"], second["kind"], second["value"]) == (
        "compact",
        "oneway",
        {"e": "ONE"},
    )
    assert (
        third["value"] == {"message": "no add", "type": "UNKNOWN_METHOD"}
        and third["kind"] == "exception"
    )
    assert fourth["value"] is None and base64.b64decode(fourth["data"]) == bytes.fromhex(
        "080001 00000001 00"
    )
    assert [
        json.loads(line)["value"]
        for line in run("messages", idl, "--service", "Others", input=data).stdout.splitlines()
    ][:2] == [None, None]
    failed(run("messages", idl, "--service", "Other", input=data), 2, "did you mean")
    failed(
        run("messages", idl, input=data[:-1]),
        1,
        "<stdin>: record 3: the data ends in the middle of a value",
    )
    one_message = run("messages", idl, "--start", str(second["offset"]), "--limit", "1", input=data)
    assert json.loads(one_message.stdout)["name"] == "Calls:ping"
