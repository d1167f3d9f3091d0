"""Commands on RPC messages, values after a prefix, log lines, and messages of Apache's JSON
protocol."""

from __future__ import annotations

import base64
import json
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
import thriftlens as tl
from command_options import split_options

IDL = """
struct Item { 1: string sku, 2: i32 count }
struct Order { 1: i64 id, 2: list<Item> items }
exception NoSuch { 1: string why }
service Base { void ping() }
service Shop extends Base { Order get(1: i64 id) throws (1: NoSuch missing)
  void put(1: Order order, 2: bool again) }
"""
SCHEMA = tl.loads(IDL)
SHOP = SCHEMA.service("Shop")
ORDER = {"id": 7, "items": [{"sku": "cup", "count": 2}]}
GET, PUT = SHOP.function("get"), SHOP.function("put")


def message(
    function: Any, kind: str, value: dict[str, Any], protocol: Any = "binary", **more: Any
) -> tl.Message:
    type = function.result if kind == "reply" else function.arguments
    data = type.encode(value, protocol=protocol)
    return tl.Message(function.name, kind, 5, data, protocol, **more)


MESSAGES = [
    message(GET, "call", {"id": 7}).to_bytes(framed=True),
    message(GET, "reply", {"success": ORDER}).to_bytes(framed=True),
    message(PUT, "call", {"order": ORDER, "again": True}, "compact").to_bytes(framed=True),
    message(PUT, "call", {"order": ORDER}, "binary", strict=False).to_bytes(),
    message(GET, "call", {"id": 8}, "compact").to_bytes(),
]
CAPTURE = b"".join(MESSAGES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.thrift").write_text(IDL)
    (tmp_path / "capture").write_bytes(CAPTURE)
    return tmp_path


def run(folder: Path, line: str, *arguments: str, status: int = 0, input: bytes = b"") -> Any:
    command = [sys.executable, "-m", "thriftlens", *line.split(), *split_options(arguments)]
    result = subprocess.run(command, cwd=folder, input=input, capture_output=True)
    assert result.returncode == status, result.stderr.decode()
    return result


def test_commands_read_the_structs_in_messages(folder: Path) -> None:
    result = run(folder, "to-json shop.thrift Shop.get.arguments capture --framing message")
    assert result.stdout == b'{"id":7}\n{"id":8}\n'
    result = run(
        folder, "get shop.thrift Shop.put.arguments $.order.items[0].sku capture --framing message"
    )
    assert result.stdout == b'"cup"\n"cup"\n'
    result = run(
        folder,
        "to-json shop.thrift Shop.get.result capture --framing message --select",
        "{ success { id } }",
    )
    assert result.stdout == b'{"success":{"id":7}}\n'
    actual = run(folder, "check shop.thrift Shop.put.arguments capture --framing message")
    assert b"fine" in actual.stdout
    near = run(
        folder, "to-json shop.thrift Shop.gett.arguments capture --framing message", status=2
    )
    assert b"did you mean 'get'" in near.stderr
    alone = folder / "alone"
    alone.write_bytes(GET.arguments.encode({"id": 9}))
    assert run(folder, "to-json shop.thrift Shop.get.arguments alone").stdout == b'{"id":9}\n', (
        "without a message around it"
    )


def test_a_struct_is_read_after_every_header(folder: Path) -> None:
    joined = b"".join(
        tl.Message("f", "call", 1, SCHEMA.Order.encode(ORDER)).to_bytes() for _ in range(2)
    )
    (folder / "orders").write_bytes(joined)
    result = run(folder, "to-json shop.thrift Order orders --framing message --select", "{ id }")
    assert result.stdout == b'{"id":7}\n{"id":7}\n'


def test_rewriting_keeps_headers_and_other_messages(folder: Path) -> None:
    trace = bytes.fromhex("0a0001000000000000002a0a0002000000000000000700")
    traced = message(PUT, "call", {"order": ORDER, "again": True}, header=trace).to_bytes(
        framed=True
    )
    (folder / "capture").write_bytes(CAPTURE + traced)
    run(
        folder,
        "set shop.thrift Shop.put.arguments $.order.items[0].sku",
        '"a longer name"',
        "capture",
        "--framing message -o out",
    )
    messages = list(tl.scan(folder / "out", SHOP, framing="message"))
    assert [
        message.to_bytes(framed=framed) for message, framed in zip(messages[:2], (True, True))
    ] == MESSAGES[:2]
    assert messages[4].to_bytes() == MESSAGES[4]
    for framed_message in (messages[2], messages[3], messages[5]):
        assert framed_message.decode()["order"]["items"] == [{"sku": "a longer name", "count": 2}]
    assert messages[2].protocol == "compact" and messages[3].strict is False
    assert messages[3].sequence_id == 5
    assert messages[5].trace is not None and messages[5].trace.trace_id == 42
    run(
        folder,
        "trim shop.thrift Shop.put.arguments",
        "{ order again }",
        "capture",
        "--framing message -o same",
    )
    assert (folder / "same").read_bytes() == CAPTURE + traced


def test_commands_without_headers_refuse_message_framing(folder: Path) -> None:
    for command in (
        ("from-json", "shop.thrift", "Order", "capture", "-o", "out", "--framing", "message"),
        ("convert", "capture", "--from", "binary", "--to", "compact", "-o", "out", "--framing",
            "message"),
        ("diff", "shop.thrift", "Order", "capture", "capture", "--framing", "message"),
        ("to-json", "shop.thrift", "Order", "capture", "--framing", "message", "--prefix-size",
            "5"),
    ):  # fmt: skip
        assert b"message" in run(folder, *command, status=2).stderr
    assert run(folder, "inspect capture --framing message").stdout.startswith(
        b"RPC messages\nrecord 0, byte 0, "
    )


def test_a_prefix_is_skipped_and_preserved(folder: Path) -> None:
    led = b"\0\0\0\1\xa1" + SCHEMA.Order.encode(ORDER)
    (folder / "one").write_bytes(led)
    (folder / "many").write_bytes((struct.pack(">I", len(led)) + led) * 2)
    to_json, prefix = ("to-json", "shop.thrift", "Order"), ("--prefix-size", "5")
    result = run(folder, *to_json, "one", *prefix, "--select", "{ id }")
    assert result.stdout == b'{"id":7}\n'
    kafka = ("many", "--framing", "kafka", *prefix)
    result = run(folder, *to_json, *kafka, "--select", "{ id }")
    assert result.stdout == b'{"id":7}\n' * 2
    run(folder, "trim shop.thrift Order", "{ id }", *kafka, "-o", "out")
    short = b"\0\0\0\1\xa1" + SCHEMA.Order.encode({"id": 7})
    assert (folder / "out").read_bytes() == (struct.pack(">I", len(short)) + short) * 2


def test_the_prefix_of_a_line_is_preserved(folder: Path) -> None:
    line = base64.b64encode(SCHEMA.Order.encode(ORDER))
    (folder / "log").write_bytes(b"12:00 INFO " + line + b"\n" + line + b"\n")
    run(folder, "trim shop.thrift Order", "{ id }", "log", "--framing", "base64", "-o", "out")
    short = base64.b64encode(SCHEMA.Order.encode({"id": 7}))
    assert (folder / "out").read_bytes() == b"12:00 INFO " + short + b"\n" + short + b"\n"


@pytest.mark.parametrize(
    "wrap",
    [
        zlib.compress,
        base64.b64encode,
        base64.encodebytes,
        lambda data: base64.b64encode(zlib.compress(data)),
        lambda data: data.hex().encode(),
    ],
)
def test_commands_decompress_like_inspect(folder: Path, wrap: Any) -> None:
    (folder / "file").write_bytes(wrap(SCHEMA.Order.encode(ORDER)))
    result = run(folder, "to-json shop.thrift Order file --select", "{ id }")
    assert result.stdout == b'{"id":7}\n'
    result = run(folder, "get shop.thrift Order $.id -", input=(folder / "file").read_bytes())
    assert result.stdout == b"7\n"
    (folder / "many").write_bytes(wrap(SCHEMA.Order.encode(ORDER) * 50))
    result = run(folder, "to-json shop.thrift Order many --framing none --select", "{ id }")
    assert result.stdout == b'{"id":7}\n' * 50
    (folder / "calls").write_bytes(wrap(CAPTURE))
    assert run(folder, "messages shop.thrift calls").stdout.count(b"\n") == 5


def test_json_input_is_not_detected_as_another_format(folder: Path) -> None:
    (folder / "number.thrift").write_text("typedef i64 Number\nstruct N { 1: i64 n }")
    result = run(folder, "from-json number.thrift Number - -o -", input=b"12345678")
    assert result.stdout == struct.pack(">q", 12345678)


def test_lines_of_messages_in_the_json_protocol(folder: Path) -> None:
    texts = [
        tl.Message(
            "get", "call", 1, GET.arguments.encode({"id": id_}, protocol="tjson"), "tjson"
        ).to_bytes()
        for id_ in (7, 8)
    ]
    (folder / "log").write_bytes(b"\n".join(texts) + b"\n")
    rows = [
        json.loads(line) for line in run(folder, "messages shop.thrift log").stdout.splitlines()
    ]
    result = [(row["record"], row["name"], row["protocol"], row["value"]) for row in rows]
    assert result == [(0, "get", "tjson", {"id": 7}), (1, "get", "tjson", {"id": 8})]
    description = str(tl.detect((folder / "log").read_bytes())[0])
    assert description == "Apache's JSON protocol, messages in lines"


def test_the_header_of_finagle_on_the_shell(folder: Path) -> None:
    trace = bytes.fromhex(
        "0a0001000000000000002a0a00020000000000000007020005010f00080c00000001"
        "0b0001000000016b0b000200000001ff0000"
    )
    ask = tl.Message("__can__finagle__trace__v3__", "call", 0, b"\0").to_bytes(framed=True)
    (folder / "file").write_bytes(
        ask + message(GET, "call", {"id": 7}, header=trace).to_bytes(framed=True)
    )
    first, second = (
        json.loads(line) for line in run(folder, "messages shop.thrift file").stdout.splitlines()
    )
    assert first["value"] == {} and "trace" not in first
    assert second["trace"] == {
        "trace_id": 42,
        "span_id": 7,
        "sampled": True,
        "contexts": [{"key": "aw==", "value": "/w=="}],
    } and second["value"] == {"id": 7}
