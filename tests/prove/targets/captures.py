"""Captured packets of generated conversations."""

from __future__ import annotations

import json
import struct
from tempfile import TemporaryDirectory
from typing import Any

from proving.case import Case, expect, expect_true
from proving.plain import json_tree, parsed_json, same_json
from proving.registry import target

from targets.records import message_bytes
from targets.services import draw_calls
from targets.shell import Shell

CLIENT, SERVER = (b"\x0a\0\0\1", 40000), (b"\x0a\0\0\2", 9090)
SYN, FIN, ACK = 2, 1, 16
Segment = tuple[bool, int, int, bytes]  # from the server, sequence number, flags, data


def packet(segment: Segment) -> bytes:
    """An IPv4 packet; its checksums are zero, as captures of sending machines have them."""
    is_answer, sequence, flags, data = segment
    source, goal = (SERVER, CLIENT) if is_answer else (CLIENT, SERVER)
    tcp = struct.pack(
        ">HHIIBBHHH", source[1], goal[1], sequence % 2**32, 0, 0x50, flags, 65535, 0, 0
    )
    size = 20 + len(tcp) + len(data)
    head = struct.pack(">BBHHHBBH", 0x45, 0, size, 0, 0, 64, 6, 0)
    return head + source[0] + goal[0] + tcp + data


def segments(case: Case, number: int, is_answer: bool, data: bytes) -> list[Segment]:
    """The data in pieces, some of them sent twice, or before the piece they follow."""
    size = case.choices.choice((1, 7, 100, 1400)) if len(data) < 200 else 1400
    out: list[Segment] = []
    for begin in range(0, len(data), size):
        out.append((is_answer, number + begin, ACK, data[begin : begin + size]))
        if case.choices.random() < 0.1:
            out.append(case.choices.choice(out))
    if len(out) > 1 and case.choices.random() < 0.4:
        at = case.choices.randrange(len(out) - 1)
        out[at], out[at + 1] = out[at + 1], out[at]
    return out


def capture(case: Case, sent: list[tuple[bool, bytes]]) -> bytes:
    """A file of pcap, of raw IP packets."""
    numbers = [case.choices.choice((100, 2**32 - 3)), 7000]
    stream: list[Segment] = [(False, numbers[0], SYN, b""), (True, numbers[1], SYN | ACK, b"")]
    numbers = [number + 1 for number in numbers]
    for is_answer, data in sent:
        stream += segments(case, numbers[is_answer], is_answer, data)
        numbers[is_answer] += len(data)
    stream += [(answer, numbers[answer], FIN | ACK, b"") for answer in (False, True)]
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 1 << 18, 101)
    for at, segment in enumerate(stream):
        data = packet(segment)
        out += struct.pack("<IIII", 1000, at, len(data), len(data)) + data
    return out


@target("thriftlens pcap", cost=20)
def captured_calls(seed: int) -> None:
    """Every call with its reply, however the bytes were cut into packets."""
    case = Case(seed, unknown_rate=0, shuffle_rate=0)
    calls = draw_calls(case)
    if not calls:
        return
    is_framed = case.choices.random() < 0.5
    sent: list[tuple[bool, bytes]] = []
    for number, call in enumerate(calls, 1):
        name, kind = call.function.name, "oneway" if call.function.oneway else "call"
        parts = [(False, kind, call.arguments)]
        parts += [(True, "reply", call.result)] * (kind == "call")
        for is_answer, kind, payload in parts:
            data = message_bytes(case.protocol, name, kind, number, case.canonical(payload))
            sent.append((is_answer, struct.pack(">I", len(data)) * is_framed + data))
    with TemporaryDirectory() as folder:
        run = Shell(folder, case)
        file = run.file("calls.pcap", capture(case, sent))
        code, out = run.run("pcap", file, "--idl", run.idl, "--enums", "number")
    expect(code, 0)
    lines = out.splitlines()
    expect(len(lines), len(calls))
    for number, (line, call) in enumerate(zip(lines, calls), 1):
        members: dict[str, Any] = json.loads(line)
        oneway = call.function.oneway
        expect((members["method"], members["sequence_id"]), (call.function.name, number))
        expect(members["protocol"], case.protocol)
        expect_true("faults" not in members, members)
        tree = dict(parsed_json(line))
        arguments = json_tree(call.function.arguments, call.arguments)
        expect_true(same_json(tree["arguments"], arguments), (line, arguments))
        result = None if oneway else json_tree(call.function.result, call.result)
        expect_true(same_json(tree["result"], result), (line, result))
