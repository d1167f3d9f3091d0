"""scan: records of every framing, from every kind of source, in any pieces; broken records are
reported and lose no earlier record."""

from __future__ import annotations

import inspect
import struct
from typing import Any

import pytest
import thriftlens as tl
from point_records import FRAMED, FRAMINGS, IDL, PLAIN, RECORDS, VALUES, Point
from thriftlens import _core
from thriftlens._records.scan import ScanOptions


def test_values_on_request() -> None:
    assert [view.x for view in tl.scan(PLAIN, Point)] == list(range(50))
    assert list(tl.scan(PLAIN, Point, to="bytes")) == RECORDS
    assert next(tl.scan(PLAIN, Point, to="json")) == b'{"x":0,"name":""}'
    assert next(tl.scan(PLAIN, Point, to="json", select="{ name }")) == b'{"name":""}'
    assert next(tl.scan(PLAIN, Point, to="dict", select="{ x }")) == {"x": 0}
    assert dict(next(tl.scan(PLAIN, Point, select="{ x }"))) == {"x": 0}
    assert next(tl.scan(PLAIN, Point, to="bytes", select="{ x }")) == Point.encode({"x": 0})
    assert next(tl.scan(PLAIN, to="bytes")) == RECORDS[0]
    compact = b"".join(Point.encode(value, protocol="compact") for value in VALUES)
    assert list(tl.scan(compact, Point, protocol="compact", to="dict")) == VALUES


def test_views_outlive_the_scan() -> None:
    views = list(tl.scan(iter([PLAIN]), Point))
    assert [view.name for view in views] == [value["name"] for value in VALUES]


@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize("as_chunks", [False, True])
def test_a_later_scan_resumes_at_the_offset(framing: str, as_chunks: bool) -> None:
    data = FRAMINGS[framing]
    first = tl.scan(data, Point, framing=framing, limit=20)
    assert len(list(first)) == 20
    source: Any = iter([data[:30], data[30:]]) if as_chunks else data
    later = tl.scan(
        source, Point, framing=framing, to="dict", start=first.offset, number=first.number
    )
    assert next(later) == VALUES[20]
    assert (later.record, later.record_offset) == (20, first.offset)
    assert list(later) == VALUES[21:]
    assert list(tl.scan(data, Point, framing=framing, limit=0)) == []
    assert list(tl.scan(data, Point, framing=framing, start=len(data))) == []
    for far in (data, iter([data])):
        with pytest.raises(ValueError, match="past the end"):
            list(tl.scan(far, Point, framing=framing, start=len(data) + 1))


BROKEN = struct.pack(">I", 4) + b"\x63\0\1\0"


def test_bad_records_in_frames() -> None:
    data = FRAMED[: 4 + len(RECORDS[0])] + BROKEN + FRAMED[4 + len(RECORDS[0]) :]
    scan = tl.scan(data, Point, framing="u32", to="dict")
    assert next(scan) == VALUES[0]
    with pytest.raises(tl.DecodeError, match="record 1: invalid wire type") as caught:
        next(scan)
    assert caught.value.record == 1
    assert caught.value.record_offset == 4 + len(RECORDS[0])
    assert caught.value.offset == 8 + len(RECORDS[0])
    skipping = tl.scan(data, Point, framing="u32", to="dict", on_error="skip")
    assert list(skipping) == VALUES
    assert (skipping.count, skipping.rejected) == (50, 1)
    result = list(tl.scan(data, Point, framing="u32", to="dict", on_error="null"))
    assert result[:3] == [VALUES[0], None, VALUES[1]]
    rejected: list[tl.Rejected] = []
    assert list(tl.scan(data, Point, framing="u32", to="dict", on_error=rejected.append)) == VALUES
    result = [(reject.number, reject.offset, reject.data) for reject in rejected]
    assert result == [(1, 4 + len(RECORDS[0]), BROKEN)]


def test_values_that_contradict_the_idl() -> None:
    other = tl.loads("struct Other { 1: string x }").Other.encode({"x": "text"})
    data = RECORDS[0] + other + RECORDS[1]
    scan = tl.scan(data, Point, to="dict")
    next(scan)
    begin = len(RECORDS[0])
    with pytest.raises(
        tl.DecodeError, match=rf"record 1 \(value from byte {begin}\): .*\$\.x"
    ) as caught:
        next(scan)
    assert (caught.value.record, caught.value.offset, caught.value.path) == (1, begin, "$.x")
    rejected: list[tl.Rejected] = []
    assert list(tl.scan(data, Point, to="dict", on_error=rejected.append)) == VALUES[:2]
    assert rejected[0].data == other


def test_without_frames_an_error_ends_every_scan() -> None:
    for on_error in ("skip", "null"):
        scan = tl.scan(RECORDS[0] + b"\x63" + RECORDS[1], Point, to="dict", on_error=on_error)
        assert next(scan) == VALUES[0]
        with pytest.raises(tl.DecodeError, match="the start of the next record is unknown"):
            next(scan)


def test_wrong_calls() -> None:
    for wrong in (
        {"framing": "u64"}, {"to": "xml"}, {"on_error": "ignore"}, {"compression": "lz4"},
        {"protocol": "json"}, {"start": -1}, {"limit": -1},
    ):  # fmt: skip
        with pytest.raises(ValueError):
            tl.scan(b"", Point, **wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="needs a type"):
        tl.scan(b"")
    with pytest.raises(TypeError, match="enums"):
        tl.scan(b"", to="bytes", enums="name")
    with pytest.raises(TypeError, match="enmus"):
        next(tl.scan(PLAIN, Point, enmus="name"))
    with pytest.raises(tl.UnknownNameError, match="nmae"):
        next(tl.scan(PLAIN, Point, select="{ nmae }", to="json", on_error="skip"))
    for on_error in ("raise", "skip", "null"):
        with pytest.raises(tl.Error, match=r"^expected '\{' \(byte 0 of the selection\)$"):
            next(tl.scan(PLAIN, Point, select="name", to="json", on_error=on_error))
    with pytest.raises(
        ValueError, match="framing must be one of 'none', .* 'list', 'lines', not 'u16'"
    ):
        tl.scan(b"", Point, framing="u16")


def test_messages_of_apache() -> None:
    """Calls, replies and exceptions written by Apache's Python library, framed and not, in both
    protocols."""
    from thrift.protocol import TBinaryProtocol, TCompactProtocol
    from thrift.Thrift import TApplicationException, TMessageType
    from thrift.transport import TTransport

    def written(factory: Any, framed: bool) -> bytes:
        memory = TTransport.TMemoryBuffer()
        transport = TTransport.TFramedTransport(memory) if framed else memory
        out = factory(transport)
        out.writeMessageBegin("add", TMessageType.CALL, 7)
        out.writeStructBegin("args")
        for number, value in ((1, 40), (2, 2)):
            out.writeFieldBegin("", 8, number)
            out.writeI32(value)
            out.writeFieldEnd()
        out.writeFieldStop()
        out.writeStructEnd()
        out.writeMessageEnd()
        transport.flush()
        out.writeMessageBegin("add", TMessageType.EXCEPTION, 8)
        TApplicationException(TApplicationException.UNKNOWN_METHOD, "no add").write(out)
        out.writeMessageEnd()
        transport.flush()
        return bytes(memory.getvalue())

    shop = IDL.service("Shop")
    for factory, protocol in (
        (lambda t: TBinaryProtocol.TBinaryProtocol(t, strictWrite=True), "binary"),
        (lambda t: TBinaryProtocol.TBinaryProtocol(t, strictWrite=False), "binary"),
        (TCompactProtocol.TCompactProtocol, "compact"),
    ):
        for framed in (False, True):
            data = written(factory, framed)
            call, failed = tl.scan(data, shop, framing="message")
            assert call.name == "add" and call.kind == "call" and call.sequence_id == 7
            assert call.protocol == protocol
            assert call.decode() == {"a": 40, "b": 2} and call.view().b == 2
            assert call.to_json() == b'{"a":40,"b":2}'
            assert failed.kind == "exception"
            assert failed.decode(enums="name") == {"message": "no add", "type": "UNKNOWN_METHOD"}
            assert call.to_bytes(framed=framed) + failed.to_bytes(framed=framed) == data
            assert [
                value["b"]
                for value in tl.scan(
                    data, shop.functions["add"].arguments, framing="message", to="dict", limit=1
                )
            ] == [2]


def test_one_message() -> None:
    shop = IDL.service("Shop")
    add = shop.function("add")
    data = add.result.encode({"missing": {"why": "gone"}})
    reply = tl.Message("add", "reply", -1, data, function=add)
    read = tl.read_message(reply.to_bytes(), shop)
    assert read == reply
    assert read.decode() == {"missing": {"why": "gone"}}
    result = tl.read_message(tl.Message("ping", "call", 0, b"\0").to_bytes(), shop)
    assert result.function == shop.inherited["ping"]
    result = tl.read_message(tl.Message("Shop:add", "call", 0, b"\0").to_bytes(), shop)
    assert result.function == add
    with pytest.raises(tl.UnknownNameError, match="no function 'addd' in Shop; did you mean 'add'"):
        tl.read_message(tl.Message("addd", "call", 0, b"\0").to_bytes(), shop)
    with pytest.raises(tl.UnknownNameError, match="pass its service"):
        tl.read_message(reply.to_bytes()).decode()
    with pytest.raises(tl.DecodeError, match="bytes follow the message"):
        tl.read_message(reply.to_bytes() * 2)
    with pytest.raises(tl.DecodeError, match="no bytes"):
        tl.read_message(b"")
    with pytest.raises(tl.DecodeError):
        tl.read_message(reply.to_bytes()[:-1])
    for wrong in ({"kind": "cal"}, {"protocol": "json"}, {"sequence_id": 1 << 31}):
        with pytest.raises(ValueError):
            reply._replace(**wrong).to_bytes()


def test_the_typed_options_are_those_of_scan_and_of_the_conversions() -> None:
    signatures = _core.signatures()
    keywords = {name for name in inspect.signature(tl.scan).parameters if name != "options"}
    explicit = {"source", "type", "framing", "to", "on_error"}
    assert {*ScanOptions.__annotations__} == (keywords - explicit) | {
        *signatures["view"],
        *signatures["to_json"],
        "record_size",
        "prefix_size",
    }


def test_a_view_knows_its_record() -> None:
    idl = tl.loads(
        "struct Line { 1: i32 x } struct Order { 1: i32 id, 2: list<Line> lines, 3: string name } "
        "struct Odd { 1: i32 record, 2: i32 x }"
    )
    orders = [idl.Order.encode({"id": index, "lines": [{"x": 1}, {"x": 2}]}) for index in range(3)]
    views = list(tl.scan(b"".join(orders), idl.Order))
    places = [(view.record, view.record_offset) for view in views]
    assert places == [(0, 0), (1, len(orders[0])), (2, 2 * len(orders[0]))]
    assert views[2].lines.record == 2 and views[2].lines[1].record == 2
    assert views[2].lines[1].record_offset == 2 * len(orders[0])
    assert "record" not in views[0] and views[0].get("record") is None
    assert set(views[0]) == {"id", "lines"}, "no field"
    alone = idl.Order.view(orders[0])
    assert alone.record is None and alone.record_offset is None and alone.lines.record is None
    odd = next(tl.scan(idl.Odd.encode({"record": 77, "x": 1}), idl.Odd))
    assert (odd.record, odd.record_offset) == (77, 0), "a field of the IDL comes first"
    bare = next(tl.scan(idl.Odd.encode({"x": 1}), idl.Odd))
    with pytest.raises(tl.AbsentError):
        bare.record
    lines = list(tl.scan(FRAMINGS["base64"], Point, framing="base64"))
    assert [line.record for line in lines] == list(range(50))
    assert lines[1].record_offset == FRAMINGS["base64"].index(b"\n") + 1
    with pytest.raises(AttributeError):
        views[0].lines.recrod


def test_errors_of_views_name_the_record() -> None:
    idl = tl.loads("struct Order { 1: i32 id, 2: required i32 x, 3: string name }")
    other = tl.loads("struct Order { 1: string id, 2: i32 x }").Order.encode({"id": "text", "x": 1})
    data = framed(idl.Order.encode({"id": 1, "x": 2})) + framed(other)
    _, wrong = tl.scan(data, idl.Order, framing="u32")
    begin = len(data) - len(other) - 4
    for ask in (
        lambda: wrong.id,
        lambda: wrong["id"],
        lambda: wrong.to_dict(),
        lambda: wrong.get("id"),
        lambda: wrong.get("$.id"),
    ):
        with pytest.raises(
            tl.DecodeError, match=rf"^record 1 \(value from byte {begin + 4}\): .*\$\.id"
        ) as caught:
            ask()
        assert caught.value.record == 1 and caught.value.record_offset == begin
        assert caught.value.offset == begin + 4
    for missing in (lambda: wrong.name, lambda: wrong["name"]):
        with pytest.raises(tl.AbsentError, match=r"^record 1 .*\$\.name") as absent:
            missing()
        assert absent.value.record == 1
    with pytest.raises(tl.UnknownNameError, match="^record 1 .*nmae") as unknown:
        wrong.nmae
    assert unknown.value.record == 1 and not hasattr(wrong, "nmae")
    with pytest.raises(tl.DecodeError) as plain:
        idl.Order.view(other).id
    assert plain.value.record is None and plain.value.offset == 0


def framed(record: bytes) -> bytes:
    return struct.pack(">I", len(record)) + record


# The relevant part of Finagle's tracing.thrift.
REQUEST = (
    bytes.fromhex("0a0001000000000000002a0a0002000000000000000702000501")
    + bytes.fromhex("0c00060b000100000004")
    + b"shop"
    + b"\0\0"
)

RESPONSE = bytes.fromhex("0f00010c0000000000")
UPGRADE = "__can__finagle__trace__v3__"


@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_messages_of_finagle(protocol: Any) -> None:
    shop = IDL.service("Shop")
    add = shop.function("add")
    call = tl.Message(
        "add", "call", 1, add.arguments.encode({"a": 1, "b": 2}, protocol=protocol), protocol
    ).to_bytes()
    reply = tl.Message(
        "add", "reply", 1, add.result.encode({"success": 3}, protocol=protocol), protocol
    ).to_bytes()
    ask = tl.Message(UPGRADE, "call", 0, b"\0", protocol).to_bytes()
    agreed = tl.Message(UPGRADE, "reply", 0, b"\0", protocol).to_bytes()
    stream = [
        framed(ask),
        framed(agreed),
        framed(REQUEST + call),
        framed(RESPONSE + reply),
        framed(b"\0" + reply),
        framed(call),
    ]
    if protocol == "compact":
        request = tl.convert(REQUEST, source="binary", target="compact")
        stream += [
            framed(request + call),
            framed(tl.convert(RESPONSE, source="binary", target="compact") + reply),
        ]
    messages = list(tl.scan(b"".join(stream), shop, framing="message"))
    assert [message.to_bytes(framed=True) for message in messages] == stream
    assert [message.name for message in messages[:2]] == [UPGRADE] * 2
    assert [message.decode() for message in messages[:2]] == [{}, {}]
    assert [message.type.name for message in messages[:2]] == ["ConnectionOptions", "UpgradeReply"]
    for message in messages[2::4]:
        assert message.trace is not None and message.decode() == {"a": 1, "b": 2}
        assert message.trace.trace_id == 42 and message.trace.span_id == 7
        assert message.trace.sampled is True and message.trace.client_id.name == "shop"
    assert messages[3].trace is not None and messages[3].trace.to_dict() == {"spans": []}
    assert messages[4].trace is not None and messages[4].trace.to_dict() == {}
    assert messages[4].decode() == {"success": 3}
    assert messages[5].trace is None and messages[5].header == b""
    assert tl.read_message(stream[2], shop) == messages[2]
    description = str(tl.detect(b"".join(stream))[0])
    assert description == f"{protocol.title()}, messages in frames (u32)"
    for size in range(1, len(stream[2])):
        with pytest.raises(tl.DecodeError):
            tl.read_message(stream[2][:size], shop)


def test_a_prefix_of_values_is_skipped() -> None:
    confluent = [b"\0\0\0\1\xa1" + record for record in RECORDS]
    for framing, data in (
        ("kafka", b"".join(map(framed, confluent))),
        ("none", b"".join(confluent)),
    ):
        assert list(tl.scan(data, Point, framing=framing, prefix_size=5, to="dict")) == VALUES
        pieces = [data[at : at + 7] for at in range(0, len(data), 7)]
        assert list(tl.scan(pieces, Point, framing=framing, prefix_size=5, to="dict")) == VALUES
    with pytest.raises(tl.DecodeError) as caught:
        list(tl.scan(framed(b"\0\0\0\0\1\x63"), Point, framing="u32", prefix_size=5))
    assert caught.value.offset == 9
    with pytest.raises(tl.DecodeError):
        list(tl.scan(framed(b"\0\0"), Point, framing="u32", prefix_size=5))


def test_unknown_options_and_missing_files_are_errors_of_the_scan() -> None:
    for options, text in (
        (
            {"protcol": "compact"},
            "unknown option 'protcol' with to=\"view\"; did you mean 'protocol'",
        ),
        ({"to": "json", "prety": True}, "'prety' with to=\"json\"; did you mean 'pretty'"),
        ({"to": "dict", "where": "x > 1"}, "unknown option 'where' with to=\"dict\"$"),
    ):
        with pytest.raises(TypeError, match=text):
            tl.scan(PLAIN, Point, **options)  # type: ignore[call-overload]
    with pytest.raises(tl.MissingFileError, match="cannot read 'no/such.file'") as raised:
        next(tl.scan("no/such.file", Point))
    assert isinstance(raised.value, FileNotFoundError) and raised.value.filename == "no/such.file"


@pytest.mark.parametrize("option", ["start", "number", "limit"])
@pytest.mark.parametrize("value", [-1, "x", 1.5])
def test_positions_are_checked(option: str, value: Any) -> None:
    with pytest.raises((tl.UsageError, TypeError), match=f"{option} must be an integer from 0"):
        tl.scan(b"", Point, **{option: value})
    with pytest.raises((tl.UsageError, TypeError), match="batch_size must be an integer from 1"):
        tl.scan_columns(b"", Point, batch_size=value)
