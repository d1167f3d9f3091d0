"""Apache's JSON protocol, compared with Apache's library: values, messages, the command line."""

import gzip
import io
import json
import math

import pytest
import thriftlens as tl
from thrift.protocol.TJSONProtocol import TJSONProtocol
from thrift.Thrift import TMessageType, TType
from thrift.transport.TTransport import TMemoryBuffer

IDL = """
enum Color { RED = 0, BLUE = 5 }
struct Point { 1: i32 x  2: double y }
struct Every {
  1: bool flag  2: i64 long  3: string text  4: binary data  5: list<Point> points  6: map<string,
  i64> counts  7: Color color
  8: set<i16> shorts  9: map<i32, string> names
}
service Shop { i32 add(1: i32 a, 2: string b) throws (1: Oops oops), oneway void go() }
exception Oops { 1: string why }
"""
VALUE = {
    "flag": True, "long": -(2**63), "text": 'é"\n😀', "data": b"\x00\xff",
    "points": [{"x": 1, "y": -0.5}, {}], "counts": {"a": 2**53 + 1},
    "color": 5, "shorts": {7}, "names": {-1: "minus"},
}  # fmt: skip


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


def apache_text(write):
    memory = TMemoryBuffer()
    write(TJSONProtocol(memory))
    return memory.getvalue()


def write_every(out):
    out.writeStructBegin("Every")
    out.writeFieldBegin("", TType.STRING, 3)
    out.writeString(VALUE["text"])
    out.writeFieldEnd()
    out.writeFieldBegin("", TType.STRING, 4)
    out.writeBinary(VALUE["data"])
    out.writeFieldEnd()
    out.writeFieldBegin("", TType.MAP, 9)
    out.writeMapBegin(TType.I32, TType.STRING, 1)
    out.writeI32(-1)
    out.writeString("minus")
    out.writeMapEnd()
    out.writeFieldEnd()
    out.writeFieldStop()
    out.writeStructEnd()


def test_reads_what_apache_writes(idl):
    decoded = idl.Every.decode(apache_text(write_every), protocol="tjson")
    assert decoded == {"text": VALUE["text"], "data": VALUE["data"], "names": VALUE["names"]}


def test_apache_reads_what_it_writes(idl):
    reader = TJSONProtocol(
        TMemoryBuffer(
            idl.Every.encode({"text": VALUE["text"], "data": VALUE["data"]}, protocol="tjson")
        )
    )
    reader.readStructBegin()
    assert reader.readFieldBegin()[1:] == (TType.STRING, 3)
    assert reader.readString() == VALUE["text"]
    reader.readFieldEnd()
    assert reader.readFieldBegin()[1:] == (TType.STRING, 4)
    assert reader.readBinary() == VALUE["data"]
    reader.readFieldEnd()
    assert reader.readFieldBegin()[1] == TType.STOP


def test_encode_decode_json_and_convert_agree(idl):
    of = idl.Every
    text = of.encode(VALUE, protocol="tjson")
    assert json.loads(text)["6"] == {"map": ["str", "i64", 1, {"a": 2**53 + 1}]}
    assert (
        of.decode(text, protocol="tjson") == VALUE == of.decode(memoryview(text), protocol="tjson")
    )
    for protocol in ("binary", "compact"):
        plain = of.encode(VALUE, protocol=protocol)
        assert tl.convert(text, source="tjson", target=protocol, type=of) == plain
        assert tl.convert(plain, source=protocol, target="tjson", type=of) == text
    assert tl.convert(text, source="tjson", target="tjson", type=of) == text
    assert of.to_json(text, protocol="tjson") == of.to_json(of.encode(VALUE))
    assert of.from_json(of.to_json(of.encode(VALUE)), protocol="tjson") == text
    assert "-9223372036854775808" in tl.inspect(text, type=of, protocol="tjson")


def test_without_a_type_text_is_text(idl):
    result = tl.convert(b'{"4":{"str":"AP8="}}', source="tjson", target="binary")
    assert result == b"\x0b\0\x04\0\0\0\x04AP8=\0"
    result = tl.convert(b"\x0b\0\x04\0\0\0\x02\0\xff\0", source="binary", target="tjson")
    assert result == b'{"4":{"str":"AP8="}}'


def test_invalid_numbers(idl):
    for number in (math.inf, -math.inf, 1e300, -0.0, 5e-324):
        text = idl.Point.encode({"y": number}, protocol="tjson")
        assert repr(idl.Point.decode(text, protocol="tjson")["y"]) == repr(number)
    assert idl.Point.encode({"y": math.nan}, protocol="tjson") == b'{"2":{"dbl":"NaN"}}'


def test_errors_have_a_location(idl):
    with pytest.raises(tl.JSONError) as caught:
        idl.Every.decode(b'{"5":{"lst":["rec",1,{"1":{"i32":"x"}}]}}', protocol="tjson")
    assert caught.value.path == "$.points[0].x" and caught.value.offset == 33
    assert caught.value.code == "json_syntax"
    with pytest.raises(tl.DecodeError, match="size is negative"):
        idl.Every.decode(b'{"5":{"lst":["rec",-1]}}', protocol="tjson")
    with pytest.raises(tl.Error, match="deeper"):
        tl.convert(b'{"1":{"rec":' * 2000, source="tjson", target="compact")
    message = idl.Every.encode(VALUE, protocol="tjson")
    for size in range(len(message)):
        with pytest.raises(tl.Error):
            idl.Every.decode(message[:size], protocol="tjson")


@pytest.mark.parametrize("call", ["view", "edit", "trim", "decoder"])
def test_in_place_readers_reject_the_json_protocol(idl, call):
    arguments = {"trim": (b"", "{ x }"), "decoder": ()}.get(call, (b"",))
    with pytest.raises(ValueError, match="protocol must be 'binary' or 'compact'"):
        getattr(idl.Point, call)(*arguments, protocol="tjson")


def test_messages(idl):
    def write(out):
        out.writeMessageBegin("add", TMessageType.CALL, 7)
        out.writeStructBegin("")
        out.writeFieldBegin("", TType.I32, 1)
        out.writeI32(3)
        out.writeFieldEnd()
        out.writeFieldStop()
        out.writeStructEnd()
        out.writeMessageEnd()

    text = apache_text(write)
    for data in (text, len(text).to_bytes(4, "big") + text):
        got = tl.read_message(data, idl.service("Shop"))
        assert got.name == "add" and got.kind == "call" and got.sequence_id == 7
        assert got.protocol == "tjson" and got.decode() == {"a": 3}
        assert got.view().a == 3
        assert json.loads(got.to_bytes()) == json.loads(text)
    with pytest.raises(tl.JSONError, match="a message of Apache's JSON protocol"):
        tl.read_message(b'[1,"add",1')
    raised = tl.Message(
        "add", "reply", 1, b'{"1":{"rec":{"1":{"str":"no"}}}}', "tjson", True,
        idl.service("Shop").functions["add"],
    )  # fmt: skip
    result = tl.read_message(raised.to_bytes(framed=True), idl.service("Shop")).decode()
    assert result == {"oops": {"why": "no"}}


def test_vectors(vectors):
    seen = 0
    for vector in vectors.manifest["valid"]:
        if "tjson" not in vector["encodings"]:
            continue
        of, text = vectors.type(vector), vectors.read(vector["encodings"]["tjson"])
        for protocol in ("binary", "compact"):
            assert tl.convert(text, source="tjson", target=protocol, type=of) == vectors.read(
                vector["encodings"][protocol]
            ), vector["id"]
        result = repr(of.decode(text, protocol="tjson"))
        assert result == repr(of.decode(vectors.read(vector["encodings"]["binary"])))
        seen += 1
    assert seen >= 200


def test_messages_of_the_vectors(vectors):
    for row in vectors.manifest["envelope"]:
        if row["protocol"] == "json":
            got = tl.read_message(vectors.read(row))
            expect = row["expect"]
            assert got.name == expect["method"] and got.kind == expect["type"]
            assert got.sequence_id == expect["seqid"]


def test_lines_are_records(idl, run, tmp_path):
    points = [idl.Point.encode({"x": i, "y": i / 2}, protocol="tjson") for i in range(3)]
    text = points[0] + b"\n\n" + points[1] + b"\r\n" + points[2]
    scan = tl.scan(text, idl.Point, framing="lines", protocol="tjson")
    actual = [(point.x, scan.record, scan.record_offset) for point in scan]
    assert actual == [(0, 0, 0), (1, 1, len(points[0]) + 2), (2, 2, len(text) - len(points[2]))]
    for source in (
        text,
        io.BytesIO(text),
        iter([text[:5], text[5:40], text[40:]]),
        gzip.compress(text),
    ):
        assert list(
            tl.scan(source, idl.Point, framing="lines", protocol="tjson", to="dict", select="{ x }")
        ) == [{"x": i} for i in range(3)]
    result = b"".join(tl.scan(text, framing="lines", protocol="tjson", to="bytes"))
    assert result == text.replace(b"\n\n", b"\n")
    first = tl.scan(text, idl.Point, framing="lines", protocol="tjson", limit=1)
    assert [point.x for point in first] == [0]
    assert [
        point.x
        for point in tl.scan(
            text, idl.Point, framing="lines", protocol="tjson", start=first.offset, number=1
        )
    ] == [1, 2]


def test_lines_that_cannot_be_read(idl):
    good = idl.Point.encode({"x": 1}, protocol="tjson") + b"\n"
    text = good + b'{"1":{"i32":"x"}}\n' + good + b"{"
    with pytest.raises(tl.JSONError, match="record 1 ") as caught:
        list(tl.scan(text, idl.Point, framing="lines", protocol="tjson"))
    assert caught.value.record == 1 and caught.value.record_offset == len(good)
    assert caught.value.offset > len(good)
    rejected = []
    result = len(
        list(tl.scan(text, idl.Point, framing="lines", protocol="tjson", on_error=rejected.append))
    )
    assert result == 2
    actual = [(reject.number, reject.data) for reject in rejected]
    assert actual == [(1, b'{"1":{"i32":"x"}}\n'), (3, b"{")]
    for source in (text, io.BytesIO(text)):
        with pytest.raises(tl.DecodeError, match="a line exceeds the limit of 5 bytes"):
            list(
                tl.scan(
                    source,
                    idl.Point,
                    framing="lines",
                    protocol="tjson",
                    record_size=5,
                    on_error="skip",
                )
            )
    for options in (
        {"framing": "lines"},
        {"protocol": "tjson"},
        {"framing": "u32", "protocol": "tjson"},
    ):
        with pytest.raises(ValueError, match="must be used together"):
            tl.scan(text, idl.Point, **options)


def test_lines_of_messages(idl):
    text = b'[1,"add",1,7,{"1":{"i32":3}}]\n[1,"add",2,7,{"0":{"i32":4}}]\n'
    messages = list(
        tl.scan(text, idl.service("Shop"), framing="lines", protocol="tjson", to="message")
    )
    result = [(message.kind, message.sequence_id, message.protocol) for message in messages]
    assert result == [("call", 7, "tjson"), ("reply", 7, "tjson")]
    assert messages[0].decode() == {"a": 3}


def test_lines_on_the_command_line(idl, run, tmp_path):
    (tmp_path / "p.thrift").write_text("struct Point { 1: i32 x, 2: double y }")
    text = b"".join(idl.Point.encode({"x": i}, protocol="tjson") + b"\n" for i in range(3))
    lines = run(
        "to-json", tmp_path / "p.thrift", "Point", "-", "--protocol tjson --lines", input=text
    ).stdout
    assert lines == b'{"x":0}\n{"x":1}\n{"x":2}\n'
    actual = run(
        "from-json", tmp_path / "p.thrift", "Point", "-", "--protocol tjson --lines", input=lines
    )
    assert actual.stdout == text
    actual = run("convert", "-", "--from", "tjson", "--to", "tjson", "--lines", input=text)
    assert actual.stdout == text
    assert (
        run("inspect", "-", "--protocol", "tjson", "--lines", input=text).stdout.count(b"record ")
        == 3
    )
    for call in (
        ["convert", "-", "--from", "tjson", "--to", "binary", "--lines"],
        ["inspect", "-", "--protocol", "tjson", "--framing", "u32"],
    ):
        result = run(*call, input=text)
        assert result.returncode == 2 and b"need --lines, without --framing" in result.stderr
    result = run(
        "to-json",
        tmp_path / "p.thrift",
        "Point",
        "-",
        "--protocol tjson --lines --on-error skip",
        input=text + b"{\n" + text,
    )
    assert (result.returncode, result.stdout) == (0, lines * 2) and b"record 3" in result.stderr
