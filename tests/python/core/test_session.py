"""thriftlens._core.Session: connections without sockets, as the client and the server use them."""

import gzip

import pytest
import thriftlens as tl
from thriftlens._core import Session

IDL = tl.loads("struct Args { 1: i32 a; 2: string b } struct Result { 0: list<string> success }")
PLAIN = [
    ("buffered", "binary"),
    ("buffered", "compact"),
    ("buffered", "binary_old"),
    ("framed", "binary"),
    ("framed", "compact"),
    ("http", "binary"),
]


def wire(protocol):
    return "compact" if protocol == "compact" else "binary"


@pytest.mark.parametrize("transport,protocol", PLAIN)
def test_a_call_and_its_answer(transport, protocol):
    client = Session("client", transport=transport, protocol=protocol)
    server = Session("server", transport=transport, protocol=protocol)
    assert client.start() == b""
    arguments = IDL.Args.encode({"a": 1, "b": "x"}, protocol=wire(protocol))
    sequence_id, data = client.call("ping", arguments)
    assert client.in_flight == 1
    for at in range(len(data)):
        assert server.next() is None
        server.feed(data[at : at + 1])
    event = server.next()
    assert event.type == "message" and event.kind == "call" and event.name == "ping"
    assert event.sequence_id == sequence_id
    assert (event.data, event.headers, event.offset) == (arguments, {}, 0)
    assert (event.transport, event.protocol) == (transport, protocol)
    assert server.next() is None and server.in_flight == 1
    answer = IDL.Result.encode({"success": ["a"] * 100}, protocol=wire(protocol))
    client.feed(memoryview(server.reply(event, "reply", answer)))
    reply = client.next()
    assert (reply.kind, reply.name, reply.data) == ("reply", "ping", answer)
    assert (client.in_flight, server.in_flight, client.held) == (0, 0, 0)
    client.finish()
    server.finish()


def test_deadlines_and_cancelled_calls():
    client = Session("client", transport="framed", calls=3)
    server = Session("server", transport="framed")
    first, data = client.call("a", b"\0", deadline=5)
    second, more = client.call(name="b", arguments=b"\0", sequence_id=-7)
    third, oneway = client.call("c", b"\0", oneway=True)
    assert (first, second, third) == (1, -7, 2)
    assert client.expired(4.9) == [] and client.expired(5) == [1]
    assert client.cancel(first) and not client.cancel(first) and not client.cancel(third)
    server.feed(data + more + oneway)
    events = [server.next() for _ in range(3)]
    assert [event.kind for event in events] == ["call", "call", "oneway"]
    for event in events:
        client.feed(server.reply(event, "exception", b"\0"))
    assert client.next().sequence_id == -7
    assert client.next() is None


def test_compressed_frames_of_grpc():
    body = IDL.Args.encode({"a": 1, "b": "x" * 1000})
    zipped = gzip.compress(body)
    frames = (
        b"\x01"
        + len(zipped).to_bytes(4, "big")
        + zipped
        + b"\x00"
        + len(body).to_bytes(4, "big")
        + body
    )
    reader = Session("client", transport="grpc")
    for at in range(len(frames)):
        reader.feed(frames[at : at + 1])
    assert [reader.next().data, reader.next().data, reader.next()] == [body, body, None]
    for wrong in (zipped[:-1], zipped + b"x", b"x" * 20):
        reader = Session("client", transport="grpc")
        reader.feed(b"\x01" + len(wrong).to_bytes(4, "big") + wrong)
        with pytest.raises(tl.DecodeError, match="invalid or expands"):
            reader.next()
    reader = Session("client", transport="grpc", frame_size=500)
    reader.feed(frames)
    with pytest.raises(tl.DecodeError, match="more than 500 bytes"):
        reader.next()


def test_pending_calls_of_a_server_are_bounded():
    client, server = Session("client"), Session("server", calls=2)
    server.feed(b"".join(client.call("a", b"\0")[1] for _ in range(3)))
    first = server.next()
    assert server.next() is not None and server.in_flight == 2
    server.reply(first, "reply", b"\0")
    assert server.next() is not None
    server.feed(client.call("a", b"\0")[1])
    with pytest.raises(tl.Error) as raised:
        server.next()
    assert raised.value.code == "calls_limit"


def test_a_fault_is_raised_on_every_later_call():
    client = Session("client", transport="buffered")
    client.feed(b"HTTP/1.1 400 Bad Request\r\n")
    for call in (
        client.next,
        client.next,
        lambda: client.feed(b"x"),
        client.finish,
        lambda: client.call("a", b"\0"),
    ):
        with pytest.raises(tl.DecodeError, match="found an HTTP response") as raised:
            call()
        assert (raised.value.code, raised.value.offset) == ("bad_message", 0)
    client = Session("client", transport="framed", calls=1)
    client.call("a", b"\0")
    with pytest.raises(tl.Error) as raised:
        client.call("a", b"\0")
    assert raised.value.code == "calls_limit"
    client.feed(b"\0\0\0\1")
    with pytest.raises(tl.DecodeError) as raised:
        client.finish()
    assert raised.value.code == "truncated"


def test_misuse():
    with pytest.raises(ValueError, match="role must be 'client' or 'server'"):
        Session("peer")
    with pytest.raises(ValueError, match="framed"):
        Session("client", transport="frame")
    with pytest.raises(TypeError):
        Session("client", sockets=3)
    session = Session("client", transport="framed")
    for arguments in ((1, b""), ("a", "text"), ("a",)):
        with pytest.raises(TypeError):
            session.call(*arguments)
    with pytest.raises(TypeError):
        session.reply("event", "reply", b"")
    with pytest.raises(ValueError):
        session.call("a", b"", sequence_id=1 << 31)
    with pytest.raises(tl.Error, match="does not support headers"):
        session.call("a", b"", headers={"k": "v"})


HEADED = ["header", "ttheader", "ttheader_framed"]


@pytest.mark.parametrize("protocol", ["binary", "compact"])
@pytest.mark.parametrize("transport", HEADED)
def test_headers_go_both_ways(transport, protocol):
    client = Session("client", transport=transport, protocol=protocol)
    server = Session("server", transport="auto", protocol="auto")
    sent = {"trace": "1", "raw": b"\xff\xfe", "": "ü"}
    got = {"trace": "1", "raw": "\udcff\udcfe", "": "ü"}
    if transport != "header":
        sent[3] = got[3] = "caller"
        sent["RPC_TRANSIT_gdpr-token"] = got["RPC_TRANSIT_gdpr-token"] = "token"
    arguments = IDL.Args.encode({"a": 1}, protocol=protocol)
    server.feed(client.call("ping", arguments, headers=sent)[1])
    event = server.next()
    assert event.headers == got
    assert (event.transport, event.protocol, event.data) == (transport, protocol, arguments)
    client.feed(server.reply(event, "reply", b"\0", headers=event.headers))
    reply = client.next()
    assert reply.headers == got and reply.data == b"\0"
    with pytest.raises((TypeError, ValueError, tl.Error)):
        client.call("ping", b"", headers={"k": 1} if transport != "header" else {4: "v"})


def test_compressed_frames():
    client = Session("client", transport="header", compress=True)
    server = Session("server", transport="header", frame_size=10_000)
    arguments = IDL.Args.encode({"b": "x" * 5000})
    _, data = client.call("ping", arguments)
    assert len(data) < 200
    server.feed(data)
    event = server.next()
    assert event.data == arguments
    answer = server.reply(event, "reply", arguments)
    assert len(answer) < 200
    client.feed(answer)
    assert client.next().data == arguments
    server.feed(client.call("ping", IDL.Args.encode({"b": "x" * 20_000}))[1])
    with pytest.raises(tl.DecodeError, match="invalid or expands to more than 10000 bytes"):
        server.next()


def test_sasl():
    client = Session("client", transport="sasl", user="me", password="pw")
    server = Session("server", transport="sasl", user="me", password="pw")
    with pytest.raises(tl.Error, match="calls come after the negotiation"):
        client.call("a", b"\0")
    assert server.start() == b""
    first = client.start()
    assert first == b"\1\0\0\0\5PLAIN\2\0\0\0\6\0me\0pw"
    server.feed(first)
    event = server.next()
    assert (event.type, event.data) == ("send", b"\5\0\0\0\0")
    ready = server.next()
    assert (ready.type, ready.headers) == ("ready", {"user": "me", "password": "pw"})
    client.feed(event.data)
    assert client.next().type == "ready"
    server.feed(client.call("a", b"\0")[1])
    assert server.next().name == "a"

    wrong = Session("server", transport="sasl", user="me", password="other")
    wrong.start()
    wrong.feed(first)
    refusal = wrong.next()
    with pytest.raises(tl.DecodeError) as raised:
        wrong.next()
    assert raised.value.code == "refused"
    client = Session("client", transport="sasl")
    client.feed(refusal.data)
    with pytest.raises(tl.DecodeError, match="the server refuses: wrong user or password"):
        client.next()


@pytest.mark.parametrize(
    "transport,protocol", [("framed", "compact"), ("buffered", "binary"), ("header", "binary")]
)
def test_replies_are_trimmed_while_they_arrive(transport, protocol):
    schema = tl.loads(
        "struct Row { 1: i32 a; 2: string b } exception E { 1: string why } struct R { 0: "
        "list<Row> success; 1: E e }"
    )
    client = Session("client", transport=transport, protocol=protocol)
    server = Session("server", transport=transport, protocol=protocol)
    message = schema.R.encode(
        {"success": [{"a": i, "b": "x" * 100} for i in range(1000)]}, protocol=protocol
    )
    selection = "{ success { a } e }"
    expected = schema.R.trim(message, selection, protocol=protocol)

    def answer(kind, data, select=(schema.R, selection)):
        server.feed(client.call("get", b"\0", select=select)[1])
        reply = server.reply(server.next(), kind, data)
        events, largest = [], 0
        for at in range(0, len(reply), 1000):
            client.feed(reply[at : at + 1000])
            while (event := client.next()) is not None:
                events.append(event)
            largest = max(largest, client.held)
        assert client.in_flight == 0 and largest <= 1000
        [event] = events
        return event

    event = answer("reply", message)
    assert (event.type, event.name, event.data, event.error) == ("message", "get", expected, None)
    assert answer("exception", b"\0").kind == "exception"
    broken = answer(
        "reply",
        schema.R.encode({"success": []}, protocol=protocol)
        .replace(b"\x0f\0\0", b"\x0f\0\1")
        .replace(b"\x09", b"\x19")
        if transport == "header"
        else message,
    )
    assert broken.kind == "reply"
    if transport == "header":
        assert isinstance(broken.error, tl.DecodeError) and broken.error.code == "type_mismatch"
        assert broken.data == b""
    assert answer("reply", message).data == expected
    with pytest.raises(TypeError, match="select must be a tuple"):
        client.call("get", b"\0", select="{ success }")


ROWS = (
    "struct Row { 1: i32 a; 2: string b; 3: optional list<string> c } struct R { 0: "
    "list<Row> success }"
)
OTHER = ROWS.replace("string b", "i64 b")  # what a server of another version sends


def trimmed(transport, protocol, cut, feed="feed"):
    """The client's events for two replies in one stream, both trimmed by a selection; the first is
    that of `cut`."""
    schema = tl.loads(ROWS)
    client = Session("client", transport=transport, protocol=protocol)
    server = Session("server", transport=transport, protocol=protocol)
    good = schema.R.encode({"success": [{"a": 1, "b": "x"}]}, protocol=wire(protocol))
    stream = b""
    for data in (cut, good):
        server.feed(client.call("get", b"\0", select=(schema.R, "{ success { b } }"))[1])
        stream += server.reply(server.next(), "reply", data)
    for size in (1, 3, len(stream)):
        heard = Session("client", transport=transport, protocol=protocol)
        for _ in range(2):
            heard.call("get", b"\0", select=(schema.R, "{ success { b } }"))
        events = []
        for at in range(0, len(stream), size):
            getattr(heard, feed)(stream[at : at + size])
            while (event := heard.next()) is not None:
                events.append(
                    (
                        event.sequence_id,
                        event.data,
                        event.error and (event.error.code, event.error.path, event.error.offset),
                    )
                )
        assert heard.in_flight == 0 and heard.held == 0
        yield events


@pytest.mark.parametrize("feed", ["feed", "lend"])
@pytest.mark.parametrize(
    "transport,protocol", [("buffered", "binary"), ("buffered", "compact"), ("framed", "binary")]
)
def test_a_reply_that_does_not_match_the_selection_is_read_to_its_end(transport, protocol, feed):
    rows = [{"a": i, "b": i, "c": ["x"] * i} for i in range(20)]
    wrong = tl.loads(OTHER).R.encode({"success": rows}, protocol=wire(protocol))
    expected, *cut = trimmed(transport, protocol, wrong, feed)
    assert all(outcome == expected for outcome in cut), "however the bytes come"
    (first, nothing, error), (second, data, none) = expected
    assert (first, second, nothing, none) == (1, 2, b"", None)
    assert error[:2] == ("type_mismatch", "$.success[0].b")
    result = tl.loads(ROWS).R.decode(data, protocol=wire(protocol), missing_required="omit")
    assert result == {"success": [{"b": "x"}]}


def begun(data, **limits):
    """A client of which the reply to a trimmed call has begun with these bytes; and what the
    reply's header takes."""
    schema = tl.loads(ROWS)
    client = Session("client", transport="buffered", **limits)
    server = Session("server", transport="buffered")
    server.feed(client.call("get", b"\0", select=(schema.R, "{ success { b } }"))[1])
    head = server.reply(server.next(), "reply", b"")
    client.feed(head + data)
    return client, len(head)


def test_a_fault_of_the_bytes_ends_the_session_where_they_are_trimmed():
    client, head = begun(b"\x0f\0\0\x0c\0\0\0\2\x08\0\1\0\0\0\1")
    assert client.next() is None
    client.feed(b"\x77\0\2")
    for _ in range(2):
        with pytest.raises(tl.DecodeError) as raised:
            client.next()
        assert (raised.value.code, raised.value.offset) == ("bad_ttype", head + 15)
    giant, head = begun(b"\x0b\0\x07\x7f\xff\xff\xff")
    with pytest.raises(tl.DecodeError) as raised:
        giant.next()
    assert raised.value.code == "size_limit", "detected by the size, before the bytes arrive"
    assert raised.value.offset == head + 7, "detected by the size, before the bytes arrive"
    deep, head = begun(b"\x0f\0\0\x0c\0\0\0\1\x0f\0\3\x0b", depth=3)
    deep.feed(b"\0\0\0\0\x0c\0\4\x0c\0\1")
    with pytest.raises(tl.DecodeError) as raised:
        deep.next()
    assert raised.value.code == "depth_limit"


def test_a_trimmed_call_is_cancelled_while_its_reply_arrives():
    client, _ = begun(b"\x0f\0\0\x0c\0\0\0\2\x08\0\1\0\0")
    assert client.next() is None
    assert client.cancel(1) and not client.cancel(1) and client.in_flight == 0
    with pytest.raises(tl.Error, match="in flight"):
        client.call("get", b"\0", sequence_id=1)
    client.feed(b"\0\1\0\0\0")
    assert client.next() is None
    sequence_id, call = client.call("ping", b"\0", sequence_id=1)
    server = Session("server", transport="buffered")
    server.feed(call)
    client.feed(server.reply(server.next(), "reply", b"\0"))
    assert client.next().sequence_id == sequence_id


def test_borrowed_bytes():
    client = Session("client", transport="buffered")
    server = Session("server", transport="buffered")
    buffer = bytearray(client.call("a", b"\0")[1] * 2)
    server.lend(memoryview(buffer)[:-3])
    assert server.next().name == "a"
    with pytest.raises(BufferError):
        buffer.clear()
    assert server.next() is None and server.held
    rest = bytes(buffer[-3:])
    buffer.clear()
    server.lend(rest)
    assert server.next().name == "a" and server.next() is None and server.held == 0
    with pytest.raises(TypeError, match="bytes-like"):
        server.lend("text")
