"""Formats that are not Thrift are named, and never taken for Thrift."""

import gzip
import io
import json
import lzma
import os
import pickle
import random
import sqlite3
import struct
import zipfile

import pytest
import thriftlens as tl

POINT = tl.loads("struct Point { 1: i32 x, 2: string name }").Point
ROWS = [{"id": number, "name": f"user{number}"} for number in range(40)]
SEQUENCE_FILE = (
    b"SEQ\6\x21org.apache.hadoop.io.NullWritable\x22org.apache.hadoop.io.BytesWritable\0\0\0\0\0\0"
    + bytes(range(16))
)


def sequence_file(count):
    records = (bytes([number]) * 30 for number in range(count))
    return SEQUENCE_FILE + b"".join(struct.pack(">III", 34, 0, 30) + record for record in records)


def varint(value):
    return bytes([value & 127 | 128]) + varint(value >> 7) if value > 127 else bytes([value])


def protobuf(row):
    return (
        b"\x08"
        + varint(row["id"])
        + b"\x12"
        + varint(len(row["name"]))
        + row["name"].encode()
        + b"\x19"
        + struct.pack("<d", row["id"] / 2)
    )


def messagepack(row):
    return (
        b"\x82\xa2id"
        + bytes([row["id"]])
        + b"\xa4name"
        + bytes([0xA0 + len(row["name"])])
        + row["name"].encode()
    )


def framed(layout, parts):
    return b"".join(struct.pack(layout, len(part)) + part for part in parts)


def sqlite():
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE users (id)")
    return (
        connection.serialize()
        if hasattr(connection, "serialize")
        else b"SQLite format 3\0" + bytes(84)
    )


def archive():
    with zipfile.ZipFile(out := io.BytesIO(), "w") as file:
        file.writestr("a", "hello")
    return out.getvalue()


PROTOBUF, MESSAGEPACK = [*map(protobuf, ROWS)], [*map(messagepack, ROWS)]
FORMATS = [
    ("Hadoop SequenceFile", sequence_file(0)), ("Hadoop SequenceFile", sequence_file(50)),
    ("Hadoop RCFile", b"RCF\1\0" + bytes(range(64))), ("LZO", b"\x89LZO\0\r\n\x1a\n" + bytes(64)),
    ("LZ4", b"\x04\x22\x4d\x18\x64\x40\xa7" + bytes(64)),
    ("Snappy", b"\xff\x06\0\0sNaPpY" + bytes(64)),
    ("LZMA", lzma.compress(b"hello" * 20, format=lzma.FORMAT_ALONE)), ("ZIP", archive()),
    ("pickle", pickle.dumps(ROWS)), ("SQLite", sqlite()),
    ("XML or HTML", b'<?xml version="1.0"?><a><b>1</b></a>'), ("JSON", json.dumps(ROWS).encode()),
    ("JSON", json.dumps(ROWS, indent=1).encode()),
    ("JSON", b"\n".join(json.dumps(row).encode() for row in ROWS)),
    ("gzip: JSON", gzip.compress(json.dumps(ROWS).encode())),
    ("Protobuf", b"".join(b"\x0a" + varint(len(part)) + part for part in PROTOBUF)),
    ("Protobuf", b"".join(varint(len(part)) + part for part in PROTOBUF)),
    ("Protobuf", framed(">I", PROTOBUF)), ("Protobuf", framed("<I", PROTOBUF)),
    ("Protobuf", framed(">xI", PROTOBUF)), ("MessagePack", b"\xdc\0\x28" + b"".join(MESSAGEPACK)),
    ("MessagePack", b"".join(MESSAGEPACK)), ("MessagePack", framed(">I", MESSAGEPACK)),
    *[("numbers", struct.pack(f"{order}100{code}",
    *range(100))) for order in "<>" for code in "dfqih"],
    *[("numbers", struct.pack(f"{order}999d", *map(random.Random(5).gauss, [0] * 999,
    [1] * 999))) for order in "<>"],
]  # fmt: skip


@pytest.mark.parametrize("name, data", FORMATS)
def test_another_format_is_named(name, data):
    guesses = tl.detect(data)
    assert (str(guesses[0]), guesses[0].shape, guesses[0].protocol) == (name, "foreign", "none")
    assert max(guess.probability for guess in guesses) < 0.01
    assert tl.inspect(data).startswith(f"guess: {name}, which is not Thrift; as Binary:\n")
    with pytest.raises(tl.DecodeError, match=f"no Thrift data: .*; it looks like {name}$"):
        tl.identify(data, POINT)


def test_files_of_arrow_are_named():
    pa = pytest.importorskip("pyarrow")
    orc, ipc, pq = (pytest.importorskip(f"pyarrow.{name}") for name in ("orc", "ipc", "parquet"))
    table = pa.table({"id": [1, 2], "name": ["a", "b"]})
    files = {name: io.BytesIO() for name in ("Parquet", "ORC", "Arrow IPC", "Arrow IPC stream")}
    pq.write_table(table, files["Parquet"])
    orc.write_table(table, files["ORC"])
    for name, open_ in (("Arrow IPC", ipc.new_file), ("Arrow IPC stream", ipc.new_stream)):
        with open_(files[name], table.schema) as writer:
            writer.write_table(table)
    for name, file in files.items():
        assert name.startswith(str(tl.detect(file.getvalue())[0]))


def test_random_bytes_are_not_detected():
    random_ = random.Random(8)
    samples = [
        random_.randbytes(size) for size in (20, 50, 100, 300, 1000, 4000) for _ in range(50)
    ]
    assert (
        sum(
            bool(guesses := tl.detect(sample)) and guesses[0].probability > 0.5
            for sample in samples
        )
        <= 2
    )


@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_thrift_data_is_not_mistaken_for_other_formats(protocol):
    idl = tl.loads(
        "struct T { 1: i64 a, 2: string b, 3: list<double> c, 4: map<string, i32> d, 5: T e }"
    )
    random_ = random.Random(3)
    for size in range(1, 200):
        texts = [os.fsdecode(bytes(random_.choices(range(97, 123), k=size % 40))) for _ in range(3)]
        value = {
            "a": size**4,
            "b": texts[0],
            "c": [size / 2] * (size % 7),
            "d": {texts[1]: size},
            "e": {"b": texts[2]},
        }
        guess = tl.detect(idl.T.encode(value, protocol=protocol) * (1 + size % 4))[0]
        assert guess.protocol == protocol and guess.probability > 0.99


def test_the_json_protocol_without_line_ends():
    structs = [POINT.encode({"x": x, "name": "}{"}, protocol="tjson") for x in range(3)]
    assert str(tl.detect(b"".join(structs))[0]) == "Apache's JSON protocol, structs back to back"
    assert tl.identify(b"".join(structs), POINT)[0].known == 2
    shown = [
        line
        for line in tl.inspect(gzip.compress(b"".join(structs))).splitlines()
        if line.startswith("record")
    ]
    assert shown == [
        f"record {number}, byte {number * len(structs[0])}, {len(structs[0])} bytes"
        for number in range(3)
    ]
    calls = b'[1,"put",1,7,{}][1,"get",2,7,{}]'
    assert str(tl.detect(calls)[0]) == "Apache's JSON protocol, messages back to back"
    assert "tjson reply 'get'" in tl.inspect(calls)
