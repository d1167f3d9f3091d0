"""Captured calls as JSON, and their summaries."""

import json

import thriftlens as tl
from captured_packets import IDL, Connection, Wire, call, calls, message, outcomes, reply


def test_outcomes():
    wire = Wire()
    connection = Connection(wire)
    connection.send(0, call(1))
    connection.send(1, message("get", "reply", 1, {"missing": {"what": "pen"}}))
    connection.send(0, call(2))
    connection.send(1, message("get", "exception", 2, {"message": "down", "type": 6}))
    connection.send(0, message("poke", "oneway", 3, {"n": 5}))
    connection.send(0, call(4))
    connection.send(1, reply(9))
    lines, warnings = calls(wire.bytes())
    assert warnings == []
    assert outcomes(lines) == [
        ("get", 1, "declared"),
        ("get", 2, "exception"),
        ("poke", 3, "oneway"),
        ("get", 9, "reply"),
        ("get", 4, "none"),
    ]
    assert lines[0]["result"] == {"missing": {"what": "pen"}}
    assert lines[1]["result"] == {"message": "down", "type": "INTERNAL_ERROR"}
    assert lines[3]["arguments"] is None and lines[4]["result"] is None


def test_unknown_functions_and_values():
    wire = Wire()
    connection = Connection(wire)
    connection.send(0, tl.Message("sell", "call", 1, b"\0").to_bytes())
    connection.send(0, tl.Message("get", "call", 2, bytes.fromhex("080001 00000005 00")).to_bytes())
    first, two = calls(wire.bytes())[0]
    assert first["arguments"] is None and first["call_data"] == "AA=="
    assert first["faults"] == ["arguments: the IDL has no function 'sell'"]
    assert two["arguments"] is None and "expected string" in two["faults"][0] and two["call_data"]


def test_summary_and_table(run, tmp_path):
    wire = Wire()
    connection = Connection(wire)
    for number in range(4):
        connection.send(0, call(number))
        connection.send(1, reply(number) if number else message("get", "reply", 0, {"missing": {}}))
    connection.send(0, message("poke", "oneway", 9, {"n": 1}))
    (tmp_path / "shop.thrift").write_text(IDL)
    (tmp_path / "c.pcap").write_bytes(wire.bytes())
    command = ["pcap", tmp_path / "c.pcap", "--idl", tmp_path / "shop.thrift"]
    result = run(*command, "--format", "summary")
    assert (result.returncode, result.stderr) == (0, b"")
    assert [line.split() for line in result.stdout.decode().splitlines()] == [
        ["count", "errors", "p50_ms", "p99_ms", "max_ms", "call_bytes", "reply_bytes", "method"],
        [
            "4",
            "1",
            "1.0",
            "1.0",
            "1.0",
            str(4 * len(call(0))),
            str(3 * len(reply(0)) + len(message("get", "reply", 0, {"missing": {}}))),
            "get",
        ],
        ["1", "0", "-", "-", "-", str(len(message("poke", "oneway", 9, {"n": 1}))), "0", "poke"],
    ]
    result = run(*command, "--format", "table", "--method", "poke")
    assert [line.split() for line in result.stdout.decode().splitlines()] == [
        ["seconds", "conn", "outcome", "ms", "call"],
        ["0.000000", "0", "oneway", "-", "poke", '{"n":1}'],
    ]
    result = run(*command, "--method", "pke", "--method", "poke")
    assert result.returncode == 0 and len(result.stdout.splitlines()) == 1
    assert result.stderr == f"thriftlens: {tmp_path / 'c.pcap'}: no call of method 'pke'\n".encode()
    first = json.loads(run(*command[:2]).stdout.splitlines()[0])
    assert (
        first["faults"]
        == ["arguments: no IDL was given (--idl)", "result: no IDL was given (--idl)"]
        and first["call_data"]
    )
    assert len(run(*command).stdout.splitlines()) == 5
    (tmp_path / "c.pcap").write_bytes(wire.bytes()[:-1])
    result = run(*command)
    assert (result.returncode, len(result.stdout.splitlines())) == (1, 4)
    assert b"c.pcap: the capture ends in the middle of a packet" in result.stderr
