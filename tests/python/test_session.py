"""thriftlens._core.Session: connections without sockets, as the client and the server use them."""
import pytest

import thriftlens as tl
from thriftlens._core import Session

IDL = tl.loads("struct Args { 1: i32 a; 2: string b } struct Result { 0: list<string> success }")
PLAIN = [("buffered", "binary"), ("buffered", "compact"), ("buffered", "binary_old"), ("framed", "binary"), ("framed", "compact"),
         ("http", "binary")]


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
        server.feed(data[at:at + 1])
    event = server.next()
    assert (event.what, event.kind, event.name, event.sequence_id) == ("message", "call", "ping", sequence_id)
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
    assert [each.kind for each in events] == ["call", "call", "oneway"]
    for each in events:
        client.feed(server.reply(each, "exception", b"\0"))
    assert client.next().sequence_id == -7
    assert client.next() is None


def test_a_fault_is_raised_and_raised_again():
    client = Session("client", transport="buffered")
    client.feed(b"HTTP/1.1 400 Bad Request\r\n")
    for call in (client.next, client.next, lambda: client.feed(b"x"), client.finish, lambda: client.call("a", b"\0")):
        with pytest.raises(tl.DecodeError, match="a message header that Thrift does not define") as raised:
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
    with pytest.raises(tl.Error, match="has no place for headers"):
        session.call("a", b"", headers={"k": "v"})
