"""Common kinds of files, written by Apache's Python library: inspect and scan read all of them."""

from __future__ import annotations

import base64
import gzip
import lzma
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any, Callable

import pytest
import thriftlens as tl

pytest.importorskip("thrift", reason="needs Apache's Python library")
from thrift.protocol import TBinaryProtocol, TCompactProtocol  # noqa: E402
from thrift.Thrift import TMessageType, TType  # noqa: E402
from thrift.transport import TTransport  # noqa: E402

Fields = list[tuple[int, int, Any]]
PROTOCOLS: dict[str, Callable[[Any], Any]] = {
    "binary": TBinaryProtocol.TBinaryProtocol,
    "compact": TCompactProtocol.TCompactProtocol,
}


def put(out: Any, kind: int, value: Any) -> None:
    if kind == TType.STRUCT:
        put_struct(out, value)
    elif kind == TType.LIST:
        element, items = value
        out.writeListBegin(element, len(items))
        for item in items:
            put(out, element, item)
        out.writeListEnd()
    else:
        names = {
            TType.BOOL: "Bool",
            TType.BYTE: "Byte",
            TType.I16: "I16",
            TType.I32: "I32",
            TType.I64: "I64",
            TType.DOUBLE: "Double",
        }
        getattr(out, f"write{names[kind]}" if kind in names else "writeBinary")(
            value if kind in names or isinstance(value, bytes) else value.encode()
        )


def put_struct(out: Any, fields: Fields) -> None:
    out.writeStructBegin("s")
    for id, kind, value in fields:
        out.writeFieldBegin("f", kind, id)
        put(out, kind, value)
        out.writeFieldEnd()
    out.writeFieldStop()
    out.writeStructEnd()


def written(protocol: str, write: Callable[[Any], None]) -> bytes:
    memory = TTransport.TMemoryBuffer()
    write(PROTOCOLS[protocol](memory))
    return bytes(memory.getvalue())


def struct_of(protocol: str, fields: Fields) -> bytes:
    return written(protocol, lambda out: put_struct(out, fields))


def message_of(protocol: str, name: str, kind: int, fields: Fields, sequence_id: int = 0) -> bytes:
    def write(out: Any) -> None:
        out.writeMessageBegin(name, kind, sequence_id)
        put_struct(out, fields)
        out.writeMessageEnd()

    return written(protocol, write)


IDL = tl.loads("""
    struct Counter { 1: string name, 2: i32 unit, 3: i64 value }
    struct Node { 1: string name, 2: i32 num_children, 3: list<Counter> counters, 4: i64 metadata,
      5: bool indent }
    struct Profile { 1: list<Node> nodes }
    struct Endpoint { 1: i32 ipv4, 2: i16 port, 3: string service_name }
    struct Annotation { 1: i64 timestamp, 2: string value, 3: optional Endpoint host }
    struct Span { 1: i64 trace_id, 3: string name, 4: i64 id, 5: optional i64 parent_id,
      6: list<Annotation> annotations }
    struct Tag { 1: string key, 2: i32 vType, 3: optional string vStr }
    struct Process { 1: string serviceName, 2: optional list<Tag> tags }
    struct JaegerSpan { 1: i64 traceIdLow, 2: i64 traceIdHigh, 3: i64 spanId, 4: i64 parentSpanId,
      5: string operationName, 7: i32 flags, 8: i64 startTime, 9: i64 duration }
    struct Batch { 1: Process process, 2: list<JaegerSpan> spans }
    struct Body { 1: string clean_visible, 2: string language }
    struct StreamItem { 1: i64 version, 2: string doc_id, 3: binary abs_url, 6: Body body }
    struct LogEntry { 1: string category, 2: binary message }
    service Agent { oneway void emitBatch(1: Batch batch) }
    service Scribe { i32 Log(1: list<LogEntry> messages) }
    """)


def profile(number: int) -> Fields:
    counters = [
        [
            (1, TType.STRING, f"BytesRead{i}"),
            (2, TType.I32, i % 4),
            (3, TType.I64, number * i * 977),
        ]
        for i in range(9)
    ]
    nodes = [
        [
            (1, TType.STRING, f"HDFS_SCAN_NODE (id={i})"),
            (2, TType.I32, i),
            (3, TType.LIST, (TType.STRUCT, counters)),
            (4, TType.I64, -1),
            (5, TType.BOOL, True),
        ]
        for i in range(5)
    ]
    return [(1, TType.LIST, (TType.STRUCT, nodes))]


def span(number: int) -> Fields:
    host = [(1, TType.I32, 0x7F000001), (2, TType.I16, 8080), (3, TType.STRING, "frontend")]
    noted = [
        [
            (1, TType.I64, 1700000000000000 + number),
            (2, TType.STRING, text),
            (3, TType.STRUCT, host),
        ]
        for text in ("sr", "ss")
    ]
    return [
        (1, TType.I64, 77 + number),
        (3, TType.STRING, "get"),
        (4, TType.I64, number),
        (6, TType.LIST, (TType.STRUCT, noted)),
    ]


def batch(number: int) -> Fields:
    tags = [[(1, TType.STRING, "jaeger.version"), (2, TType.I32, 0), (3, TType.STRING, "Go-2.9")]]
    spans = [
        [
            (1, TType.I64, -7731 * number),
            (2, TType.I64, 0),
            (3, TType.I64, number),
            (4, TType.I64, 0),
            (5, TType.STRING, "GET /"),
            (7, TType.I32, 1),
            (8, TType.I64, 17),
            (9, TType.I64, 9),
        ]
    ]
    process = [(1, TType.STRING, "shop"), (2, TType.LIST, (TType.STRUCT, tags))]
    return [(1, TType.STRUCT, [(1, TType.STRUCT, process), (2, TType.LIST, (TType.STRUCT, spans))])]


def item(number: int) -> Fields:
    body = [(1, TType.STRING, "Some text of a page. " * 20), (2, TType.STRING, "en")]
    return [
        (1, TType.I64, 3),
        (2, TType.STRING, f"{number:032x}"),
        (3, TType.STRING, "http://example.org/"),
        (6, TType.STRUCT, body),
    ]


PROFILES = [struct_of("compact", profile(index)) for index in range(1, 4)]
SPANS = [struct_of("binary", span(index)) for index in range(1, 30)]
BATCHES = [
    message_of("compact", "emitBatch", TMessageType.ONEWAY, batch(index)) for index in range(1, 6)
]
ITEMS = [struct_of("binary", item(index)) for index in range(1, 20)]
ENTRIES = [
    [(1, TType.STRING, "spans"), (2, TType.STRING, base64.b64encode(span_))] for span_ in SPANS
]
LOGGED = message_of("binary", "Log", TMessageType.CALL, [(1, TType.LIST, (TType.STRUCT, ENTRIES))])


def list_of(protocol: str) -> bytes:
    field = struct_of(
        protocol, [(1, TType.LIST, (TType.STRUCT, [span(index) for index in range(1, 30)]))]
    )
    return field[3 if protocol == "binary" else 1 : -1]


def framed(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def confluent(data: bytes) -> bytes:
    return b"\0" + struct.pack(">I", 417) + data


def lines(parts: list[bytes]) -> bytes:
    return b"".join(base64.b64encode(part) + b"\n" for part in parts)


COMPACT_SPANS = [struct_of("compact", span(index)) for index in range(1, 30)]
# name: (bytes, description by inspect, type, options of scan, records)
FILES: dict[str, tuple[bytes, str, str, dict[str, Any], int]] = {
    "profile of the web page": (
        base64.b64encode(zlib.compress(PROFILES[0])),
        "base64: zlib: Compact, one struct",
        "Profile",
        {"protocol": "compact"},
        1,
    ),
    "profile in wrapped lines": (
        base64.encodebytes(zlib.compress(PROFILES[0])),
        "base64: zlib: Compact, one struct",
        "Profile",
        {"protocol": "compact"},
        1,
    ),
    "profile log": (
        b"".join(
            b"17000000%d 8e4b:%d %s\n" % (index, index, base64.b64encode(zlib.compress(data)))
            for index, data in enumerate(PROFILES)
        ),
        "Compact, compressed structs in lines of base64",
        "Profile",
        {"framing": "base64", "protocol": "compact"},
        3,
    ),
    "log of base64": (
        lines(SPANS),
        "Binary, structs in lines of base64",
        "Span",
        {"framing": "base64"},
        29,
    ),
    "log with times": (
        b"".join(
            b"2026-01-01 12:00:%02d INFO %s\n" % (index, base64.b64encode(data))
            for index, data in enumerate(SPANS)
        ),
        "Binary, structs in lines of base64",
        "Span",
        {"framing": "base64"},
        29,
    ),
    "gzip in base64": (
        base64.b64encode(gzip.compress(b"".join(SPANS))),
        "base64: gzip: Binary, structs back to back",
        "Span",
        {},
        29,
    ),
    "list of spans": (
        list_of("binary"),
        "Binary, a list of structs",
        "Span",
        {"framing": "list"},
        29,
    ),
    "list of spans, Compact": (
        list_of("compact"),
        "Compact, a list of structs",
        "Span",
        {"framing": "list", "protocol": "compact"},
        29,
    ),
    "corpus": (b"".join(ITEMS), "Binary, structs back to back", "StreamItem", {}, 19),
    "packed corpus": (
        lzma.compress(b"".join(ITEMS)),
        "xz: Binary, structs back to back",
        "StreamItem",
        {},
        19,
    ),
    "zlib": (
        zlib.compress(b"".join(ITEMS)),
        "zlib: Binary, structs back to back",
        "StreamItem",
        {},
        19,
    ),
    "hex dump": (
        b" ".join(b"%02x" % byte for byte in SPANS[0]),
        "hex: Binary, one struct",
        "Span",
        {},
        1,
    ),
    "topic": (
        b"".join(map(framed, COMPACT_SPANS)),
        "Compact, structs in frames (u32)",
        "Span",
        {"framing": "kafka", "protocol": "compact"},
        29,
    ),
    "topic of Confluent": (
        b"".join(framed(confluent(span_)) for span_ in COMPACT_SPANS),
        "Compact, structs in frames (u32) after 5 bytes",
        "Span",
        {"framing": "kafka", "protocol": "compact", "prefix_size": 5},
        29,
    ),
    "record of Confluent": (
        confluent(COMPACT_SPANS[0]),
        "Compact, one struct after 5 bytes",
        "Span",
        {"protocol": "compact", "prefix_size": 5},
        1,
    ),
    "topic of packed records": (
        b"".join(framed(gzip.compress(span_)) for span_ in SPANS),
        "Binary, compressed structs in frames (u32)",
        "Span",
        {"framing": "u32"},
        29,
    ),
    "Compact back to back": (
        b"".join(COMPACT_SPANS),
        "Compact, structs back to back",
        "Span",
        {"protocol": "compact"},
        29,
    ),
}
MESSAGES = {
    "datagram of Jaeger": (BATCHES[0], "Compact, one message", "Agent", 1),
    "datagrams of Jaeger": (b"".join(BATCHES), "Compact, messages back to back", "Agent", 5),
    "Scribe": (framed(LOGGED), "Binary, one message in a frame (u32)", "Scribe", 1),
    "Scribe, more": (framed(LOGGED) * 3, "Binary, messages in frames (u32)", "Scribe", 3),
}


@pytest.mark.parametrize("name", FILES)
def test_structs(name: str) -> None:
    data, description, type_name, options, count = FILES[name]
    guesses = tl.detect(data)
    assert str(guesses[0]) == description, [(str(guess), guess.bits) for guess in guesses]
    assert guesses[0].probability > 0.9
    shown = tl.inspect(data)
    assert "\n! " not in shown and shown.count("\n00000000  struct") == count
    Type = IDL[type_name]
    values = list(tl.scan(data, Type, to="dict", **options))
    assert len(values) == count and all(value for value in values)
    assert [record.record for record in tl.scan(data, Type, **options)] == list(range(count))
    assert list(tl.scan(data, Type, to="dict", **guesses[0].options)) == values


def test_a_large_profile_in_a_log() -> None:
    nodes = [
        [(1, TType.STRING, f"EXCHANGE_NODE (id={index}) " * 9), (2, TType.I32, index)]
        for index in range(6000)
    ]
    data = struct_of("compact", [(1, TType.LIST, (TType.STRUCT, nodes))])
    assert len(data) > 1 << 20
    log = b"17000000 a:b " + base64.b64encode(zlib.compress(data)) + b"\n"
    assert str(tl.detect(log)[0]) == "Compact, compressed structs in lines of base64"
    assert len(next(tl.scan(log, IDL.Profile, framing="base64", protocol="compact")).nodes) == 6000


@pytest.mark.parametrize("name", MESSAGES)
def test_messages(name: str) -> None:
    data, description, service, count = MESSAGES[name]
    assert str(tl.detect(data)[0]) == description
    shown = tl.inspect(data)
    assert "\n! " not in shown and shown.count("\n00000000  struct") == count
    messages = list(tl.scan(data, IDL.service(service), framing="message"))
    assert len(messages) == count
    assert all(message.is_known and message.decode() for message in messages)
    assert list(tl.scan(data, IDL.service(service), **tl.detect(data)[0].options)) == messages


@pytest.mark.parametrize("name", [*FILES, *MESSAGES])
def test_the_beginning_of_a_file(name: str) -> None:
    data, description = (FILES.get(name) or MESSAGES[name])[:2]
    cut = tl.detect(data[: len(data) * 2 // 3])
    assert cut and str(cut[0]).split(",")[0].split(": ")[-1] in ("Binary", "Compact"), description


def test_the_command_line_sees_through_the_same(tmp_path: Path) -> None:
    idl = tmp_path / "all.thrift"
    idl.write_text(
        "struct Counter { 1: string name, 2: i32 unit, 3: i64 value } struct Node { 1: string "
        "name, 3: list<Counter> counters } struct Profile { 1: list<Node> nodes }"
    )
    for name in ("profile of the web page", "profile in wrapped lines"):
        file = tmp_path / "file"
        file.write_bytes(FILES[name][0])
        result = run(
            "to-json", str(idl), "Profile", str(file), "--protocol", "compact", "--select",
            "{ nodes { name } }",
        )  # fmt: skip
        assert result.startswith(b'{"nodes":[{"name":"HDFS_SCAN_NODE (id=0)"}')
    file.write_bytes(FILES["profile log"][0])
    result = run(
        "to-json", str(idl), "Profile", str(file), "--protocol", "compact", "--framing", "base64",
        "--select", "{ nodes { name } }",
    )  # fmt: skip
    assert result.count(b"\n") == 3
    assert run("inspect", str(file)).startswith(
        b"guess: Compact, compressed structs in lines of base64"
    )


def run(*arguments: str) -> bytes:
    return subprocess.run(
        [sys.executable, "-m", "thriftlens", *arguments], check=True, capture_output=True
    ).stdout
