"""`thriftlens to-json`, `from-json` and `convert`."""

import base64
import gzip
import json
import struct
import subprocess
import sys

import pytest

FRAMED = {
    "none": lambda records: b"".join(records),
    "u32le": lambda records: b"".join(
        struct.pack("<I", len(record)) + record for record in records
    ),
    "varint": lambda records: b"".join(
        (
            bytes([len(record) & 127 | 128, len(record) >> 7])
            if len(record) > 127
            else bytes([len(record)])
        )
        + record
        for record in records
    ),
    "kafka": lambda records: b"".join(
        struct.pack(">i", len(record)) + record for record in records
    ),
    "base64": lambda records: b"".join(base64.b64encode(record) + b"\n" for record in records),
    "hex": lambda records: b"".join(record.hex().encode() + b"\n" for record in records),
}


@pytest.fixture(scope="module")
def orders(idl_folder):
    """The records of orders.frames."""
    data, orders = (idl_folder / "orders.frames").read_bytes(), []
    while data:
        size = struct.unpack(">I", data[:4])[0]
        orders.append(data[4 : 4 + size])
        data = data[4 + size :]
    return orders


def test_to_json_and_back(run, idl, idl_folder, tmp_path):
    for name, protocol in (("order.bin", "binary"), ("order.cmp", "compact")):
        result = run("to-json", idl, "Order", idl_folder / name, "--protocol", protocol)
        assert (result.returncode, result.stderr) == (0, b"")
        assert result.stdout.rstrip() == (idl_folder / "order.json").read_bytes().rstrip()
        out = tmp_path / name
        result = run(
            "from-json", idl, "Order", "-", "-o", out, "--protocol", protocol, input=result.stdout
        )
        assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
        assert out.read_bytes() == (idl_folder / name).read_bytes()


def test_standard_input_and_output(run, idl, order_bytes):
    text = run("to-json", idl, "Order", "-", input=order_bytes).stdout
    assert run("from-json", idl, "Order", "-", input=text).stdout == order_bytes


def test_options_of_json(run, idl, order_bytes, failed):
    pretty = run(
        "to-json", idl, "Order", "-", "--pretty --enums name --int64 string", input=order_bytes
    ).stdout
    assert pretty.startswith(b'{\n  "id": "4711000000001",\n') and b'"status": "PAID"' in pretty
    back = run("from-json", idl, "Order", "-", "--quoted-numbers", "accept", input=pretty)
    assert back.stdout == order_bytes
    result = run("from-json", idl, "Order", "-", input=pretty)
    failed(result, 1, "<stdin>: ", "$.id", "line 2 column")


def test_lines(run, idl, idl_folder, tmp_path, failed):
    frames, lines = idl_folder / "orders.frames", idl_folder / "orders.jsonl"
    result = run("to-json", idl, "Order", frames, "--lines", "--framing", "u32")
    assert result.stdout == lines.read_bytes()
    result = run("from-json", idl, "Order", lines, "--lines", "--framing", "u32")
    assert result.stdout == frames.read_bytes()
    spaced = lines.read_bytes().replace(b"\n", b"\n\n") + b"  \n"
    result = run("from-json", idl, "Order", "-", "--lines", input=spaced)
    assert result.stdout == frames.read_bytes()
    assert run("to-json", idl, "Order", "-", "--lines").stdout == b""
    completed = run("from-json", idl, "Order", lines)
    failed(completed, 1, "line 2 column 1); --lines reads one value per line\n")
    assert "--lines" not in failed(
        run("from-json", idl, "Order", "-", input=lines.read_bytes().replace(b"\n", b"")),
        1,
        "text follows the end of the value",
    )


def test_invalid_lines(run, idl, idl_folder, order_bytes, failed):
    frames = (idl_folder / "orders.frames").read_bytes()
    for cut in (1, 3, 5, len(frames) - 1):
        result = run("to-json", idl, "Order", "-", "--lines", input=frames[:cut])
        failed(result, 1, "the data ends in the middle of a value")
    bad = frames + struct.pack(">I", 3) + b"\x0b\0\0"
    failed(run("to-json", idl, "Order", "-", "--lines", input=bad), 1, "<stdin>: record 3: ")
    result = run("to-json", idl, "Order", "-", "--lines", input=b"\xff\xff\xff\xff" + b"x")
    failed(result, 1, "record 0: a size is negative")
    result = run("from-json", idl, "Order", "-", "--lines", input=b'{"id":1}\n')
    failed(result, 1, "record 0: ", "required")
    result = run("to-json", idl, "Order", "-", "--lines", input=frames[:-1])
    failed(result, 1, "record 2: the data ends in the middle")
    result = run("check", idl, "Order", "-", "--lines", input=b"\0")
    failed(result, 1, "record 0: the data ends in the middle")


@pytest.mark.parametrize("framing", FRAMED)
def test_every_framing(run, idl, idl_folder, orders, framing):
    framed, lines = FRAMED[framing](orders), (idl_folder / "orders.jsonl").read_bytes()
    assert run("to-json", idl, "Order", "-", "--framing", framing, input=framed).stdout == lines
    assert run("from-json", idl, "Order", "-", "--framing", framing, input=lines).stdout == framed
    trimmed = run("trim", idl, "Order", "{ id }", "-", "--framing", framing, input=framed).stdout
    assert run(
        "get", idl, "Order", "$.id", "-", "--framing", framing, input=trimmed
    ).stdout.split() == [str(json.loads(line)["id"]).encode() for line in lines.splitlines()]
    result = run("check", idl, "Order", "-", "--framing", framing, input=framed)
    assert b"fine, 3 values of Order" in result.stdout
    second = run(
        "to-json",
        idl,
        "Order",
        "-",
        "--framing",
        framing,
        "--limit 1 --start",
        str(len(FRAMED[framing](orders[:1]))),
        input=framed,
    )
    assert second.stdout == lines.splitlines(True)[1]


def test_lines_without_a_framing_are_frames_of_four_bytes_or_structs_without(
    run, idl, idl_folder, orders, tmp_path
):
    lines = (idl_folder / "orders.jsonl").read_bytes()
    file = tmp_path / "orders"
    compact = [
        run("convert", "-", "--from", "binary", "--to", "compact", "-o", "-", input=order).stdout
        for order in orders
    ]
    for protocol, records in (("binary", orders), ("compact", compact)):
        for data in (b"".join(records), gzip.compress(b"".join(records))):
            file.write_bytes(data)
            result = run("to-json", idl, "Order", file, "--lines", "--protocol", protocol)
            assert (result.returncode, result.stdout) == (0, lines)
            actual = result.stderr.decode()
            assert actual == f"thriftlens: {file}: structs back to back (--framing none)\n"
        framed = b"".join(len(record).to_bytes(4, "big") + record for record in records)
        for data in (framed, gzip.compress(framed)):
            file.write_bytes(data)
            result = run("to-json", idl, "Order", file, "--lines", "--protocol", protocol)
            assert (result.returncode, result.stdout, result.stderr) == (0, lines, b"")
    # A frame whose struct is broken stays a frame.
    file.write_bytes(framed[:4] + b"\xff" + framed[5:])
    result = run("to-json", idl, "Order", file, "--lines --protocol compact --on-error skip")
    assert result.stdout == b"".join(lines.splitlines(True)[1:])
    assert b"back to back" not in result.stderr


def test_structs_back_to_back_are_detected(run, idl, idl_folder, orders, tmp_path, failed):
    lines = (idl_folder / "orders.jsonl").read_bytes()
    file = tmp_path / "orders"
    for data in (b"".join(orders), gzip.compress(b"".join(orders))):
        file.write_bytes(data)
        result = run("to-json", idl, "Order", file)
        assert (result.returncode, result.stdout) == (0, lines)
        actual = result.stderr.decode()
        assert actual == f"thriftlens: {file}: 3 structs back to back (--framing none)\n"
        assert b"fine, 3 values of Order" in run("check", idl, "Order", file).stdout
        assert run("get", idl, "Order", "$.id", "-", input=data).stdout.count(b"\n") == 3
        assert (
            run("trim", idl, "Order", "{ id }", "-", input=data).stdout
            == run("trim", idl, "Order", "{ id }", "-", "--framing", "none", input=data).stdout
        )
        assert (
            b"Binary, structs back to back (100 %)\nrecord 0, byte 0, 468 bytes\n"
            in run("inspect", file).stdout
        )
    for cut in range(len(orders[0]) + len(orders[1]) + 1, len(b"".join(orders)), 79):
        result = run("to-json", idl, "Order", "-", input=b"".join(orders)[:cut])
        assert (result.returncode, result.stdout) == (1, b"".join(lines.splitlines(True)[:2]))
        assert b"record 2: the data ends in the middle of a value" in result.stderr
    completed = run("to-json", idl, "Order", "-", input=orders[0] + b"\0")
    failed(completed, 1, "bytes follow the end of the value")
    completed = run("to-json", idl, "Order", "-", input=orders[0] + orders[1] + b"x")
    failed(completed, 1, "bytes follow the end of the value")


def test_invalid_records_are_handled(run, idl, idl_folder, orders, tmp_path, failed):
    lines = (idl_folder / "orders.jsonl").read_bytes()
    broken = struct.pack(">i", 4) + b"\x63\0\1\0"
    data = FRAMED["kafka"](orders[:1]) + broken + FRAMED["kafka"](orders[1:])
    completed = run("to-json", idl, "Order", "-", "--framing", "kafka", input=data)
    failed(completed, 1, "<stdin>: record 1: invalid wire type (byte 476)")
    result = run("to-json", idl, "Order", "-", "--framing kafka --on-error skip", input=data)
    assert (result.returncode, result.stdout) == (0, lines)
    assert result.stderr.decode().splitlines() == [
        "thriftlens: <stdin>: record 1: invalid wire type (byte 476)",
        "thriftlens: <stdin>: 1 record rejected",
    ]
    result = run("to-json", idl, "Order", "-", "--framing kafka --on-error null", input=data)
    assert result.stdout.splitlines()[1] == b"null" and result.stdout.count(b"\n") == 4
    result = run("trim", idl, "Order", "{ id }", "-", "--framing kafka --on-error null", input=data)
    assert struct.pack(">i", -1) in result.stdout
    result = run(
        "to-json", idl, "Order", "-", "--framing kafka --on-error", f"file={tmp_path / 'rejected'}",
        input=data,
    )  # fmt: skip
    assert result.stdout == lines and (tmp_path / "rejected").read_bytes() == broken
    completed = run(
        "check", idl, "Order", "-", "--framing", "kafka", "--on-error", "skip", input=data
    )
    failed(completed, 1, "1 record rejected")
    completed = run(
        "to-json", idl, "Order", "-", "--framing kafka --on-error skip", input=data[:-1]
    )
    failed(completed, 1, "record 3: the data ends in the middle", "2 records rejected")
    result = run(
        "from-json",
        idl,
        "Order",
        "-",
        "--framing none --on-error skip",
        input=lines + b"{\n" + lines,
    )
    assert result.stdout == b"".join(orders * 2) and b"record 3: " in result.stderr


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
        result = subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, check=True
        )
        return int(result.stderr.split()[-1]) * (1 if sys.platform == "darwin" else 1024)

    least = peak(idl_folder / "orders.frames")
    assert peak(big) - least < 20_000_000
    assert (tmp_path / "out").stat().st_size > 40_000_000


def test_convert(run, order, idl_folder, tmp_path, failed):
    out = tmp_path / "order.cmp"
    assert run("convert", order, "--from", "binary", "--to", "compact", "-o", out).returncode == 0
    assert out.read_bytes() == (idl_folder / "order.cmp").read_bytes()
    failed(run("convert", order, "--from", "compact", "--to", "binary"), 1, "order.bin: ")
