"""thriftlens._core.Session against other implementations: Apache's THeader in Python, a Kitex
server where one is named by
THRIFTLENS_KITEX=host:port (it has to serve tests' Single: echo, hello, note)."""

import os
import socket

import pytest
import thriftlens as tl
from thriftlens._core import Session

IDL = tl.loads("""
struct Point { 1: required i32 x; 2: required i32 y; 3: optional string label }
struct Everything { 1: bool yes; 4: i32 number; 7: string text; 12: list<Point> points }
struct EchoArgs { 1: Everything value } struct EchoResult { 0: Everything success }
struct TextArgs { 1: string text } struct TextResult { 0: string success }
""")


@pytest.mark.parametrize("protocol", ["binary", "compact"])
@pytest.mark.parametrize("compress", [False, True])
def test_apaches_theader_in_python(protocol, compress):
    theader = pytest.importorskip("thrift.protocol.THeaderProtocol")
    from thrift.Thrift import TMessageType, TType
    from thrift.transport import THeaderTransport, TTransport

    kind = {
        "binary": THeaderTransport.THeaderSubprotocolID.BINARY,
        "compact": THeaderTransport.THeaderSubprotocolID.COMPACT,
    }[protocol]
    client = Session("client", transport="header", protocol=protocol, compress=compress)
    arguments = IDL.TextArgs.encode({"text": "x" * 3000}, protocol=protocol)
    sequence_id, data = client.call("hello", arguments, headers={"k": "v"})
    assert (len(data) < 500) == compress

    wire = TTransport.TMemoryBuffer(data)
    peer = theader.THeaderProtocolFactory(default_protocol=kind).getProtocol(wire)
    assert peer.readMessageBegin() == ("hello", TMessageType.CALL, sequence_id)
    peer.readStructBegin()
    assert peer.readFieldBegin()[1:] == (TType.STRING, 1)
    assert peer.readString() == "x" * 3000
    peer.readFieldEnd()
    assert peer.readFieldBegin()[1] == TType.STOP
    peer.readStructEnd()
    peer.readMessageEnd()
    assert peer.trans.get_headers() == {b"k": b"v"}

    wire._buffer.seek(0)
    wire._buffer.truncate()
    peer.trans.set_header(b"load", b"0.5")
    if compress:
        peer.trans.add_transform(THeaderTransport.THeaderTransformID.ZLIB)
    peer.writeMessageBegin("hello", TMessageType.REPLY, sequence_id)
    peer.writeStructBegin("r")
    peer.writeFieldBegin("success", TType.STRING, 0)
    peer.writeString("y" * 3000)
    peer.writeFieldEnd()
    peer.writeFieldStop()
    peer.writeStructEnd()
    peer.writeMessageEnd()
    peer.trans.flush()
    client.feed(wire.getvalue())
    event = client.next()
    assert event.headers == {"load": "0.5"} and event.kind == "reply"
    assert IDL.TextResult.decode(event.data, protocol=protocol) == {"success": "y" * 3000}


@pytest.mark.parametrize("transport", ["buffered", "framed", "ttheader", "ttheader_framed"])
def test_kitex(transport):
    address = os.environ.get("THRIFTLENS_KITEX")
    if not address:
        pytest.skip("no Kitex server: THRIFTLENS_KITEX is not set")
    host, _, port = address.rpartition(":")
    client = Session("client", transport=transport)
    headers = {"trace": "1", 3: "caller"} if transport.startswith("ttheader") else None

    with socket.create_connection((host, int(port))) as connection:

        def answer():
            while (event := client.next()) is None:
                received = connection.recv(3)  # messages are cut everywhere
                assert received, "the server has closed the connection"
                client.feed(received)
            return event

        for n in range(3):
            value = {
                "yes": True,
                "number": n,
                "text": "ü" * 100,
                "points": [{"x": 1, "y": n, "label": "a"}] * 20,
            }
            encoded = IDL.EchoArgs.encode({"value": value})
            sequence_id, data = client.call("echo", encoded, headers=headers)
            connection.sendall(data)
            event = answer()
            assert (event.kind, event.name, event.sequence_id) == ("reply", "echo", sequence_id)
            assert event.transport == transport
            got = IDL.EchoResult.decode(event.data, unknown="drop")["success"]
            assert {key: got[key] for key in value} == value
            # Kitex answers a oneway call: that is passed over.
            connection.sendall(
                client.call(
                    "note", IDL.TextArgs.encode({"text": "x"}), oneway=True, headers=headers
                )[1]
            )
        _, data = client.call("nobody", b"\0", headers=headers)
        connection.sendall(data)
        assert answer().kind == "exception"
    client.finish()
