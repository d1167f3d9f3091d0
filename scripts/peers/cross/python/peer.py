"""Apache Thrift's Python library: peer.py server|client PORT TRANSPORT PROTOCOL CERTIFICATES."""

import ssl
import sys

from peers import Full
from peers.ttypes import Colour, Point, Refused, Value
from thrift.protocol import TBinaryProtocol, TCompactProtocol, THeaderProtocol, TMultiplexedProtocol
from thrift.server import THttpServer, TServer
from thrift.Thrift import TApplicationException
from thrift.TMultiplexedProcessor import TMultiplexedProcessor
from thrift.transport import THttpClient, TSocket, TSSLSocket, TTransport

ROLE, PORT, TRANSPORT, PROTOCOL, CERTIFICATES = sys.argv[1], int(sys.argv[2]), *sys.argv[3:6]
ID = {"binary": 0, "compact": 2}[PROTOCOL]


class Handler:
    def echo(self, value):
        return value

    def hello(self, name):
        return "hello " + name

    def crash(self, reason):
        raise TApplicationException(TApplicationException.INTERNAL_ERROR, reason)

    def note(self, text):
        pass

    def nothing(self):
        pass

    def add(self, a, b):
        return a + b

    def refuse(self, reason, code):
        raise Refused(reason, code)


def protocol_factory():
    if TRANSPORT == "header":
        return THeaderProtocol.THeaderProtocolFactory(default_protocol=ID)
    return (
        TCompactProtocol.TCompactProtocolFactory
        if PROTOCOL == "compact"
        else TBinaryProtocol.TBinaryProtocolFactory
    )()


def serve():
    processor = Full.Processor(Handler())
    if TRANSPORT == "http":
        THttpServer.THttpServer(processor, ("127.0.0.1", PORT), protocol_factory()).serve()
        return
    if TRANSPORT == "multiplexed":
        several = TMultiplexedProcessor()
        several.registerProcessor("Full", processor)
        processor = several
    if TRANSPORT == "ssl":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{CERTIFICATES}/server.pem", f"{CERTIFICATES}/server.key")
        socket = TSSLSocket.TSSLServerSocket("127.0.0.1", PORT, ssl_context=context)
    else:
        socket = TSocket.TServerSocket("127.0.0.1", PORT)
    wrap = (
        TTransport.TFramedTransportFactory()
        if TRANSPORT == "framed"
        else TTransport.TBufferedTransportFactory()
    )
    if TRANSPORT == "header":
        wrap = TTransport.TTransportFactoryBase()
    TServer.TThreadedServer(processor, socket, wrap, protocol_factory(), daemon=True).serve()


def open_client():
    if TRANSPORT == "http":
        wire = THttpClient.THttpClient(f"http://127.0.0.1:{PORT}/")
    elif TRANSPORT == "ssl":
        context = ssl.create_default_context(cafile=f"{CERTIFICATES}/ca.pem")
        wire = TTransport.TBufferedTransport(
            TSSLSocket.TSSLSocket(
                "127.0.0.1", PORT, ssl_context=context, server_hostname="localhost"
            )
        )
    else:
        socket = TSocket.TSocket("127.0.0.1", PORT)
        wire = {"framed": TTransport.TFramedTransport, "header": lambda it: it}.get(
            TRANSPORT, TTransport.TBufferedTransport
        )(socket)
    protocol = protocol_factory().getProtocol(wire)
    wire.open()
    return Full.Client(
        TMultiplexedProtocol.TMultiplexedProtocol(protocol, "Full")
        if TRANSPORT == "multiplexed"
        else protocol
    )


def call():
    client = open_client()
    value = Value(
        True,
        -3,
        300,
        -70000,
        1 << 40,
        1.5,
        "größer",
        b"\0\xff",
        Colour.BLUE,
        [Point(1, 2), Point(3, 4, "p")],
        {1, 2, 3},
        {"a": Point(0, 0)},
    )
    assert client.echo(value) == value
    assert client.hello("Zoe") == "hello Zoe"
    try:
        client.crash("why")
        raise AssertionError("crash answered")
    except TApplicationException as error:
        assert "why" in error.message, error
    client.note("a")
    assert client.hello("again") == "hello again"
    client.nothing()
    assert client.add(2, 40) == 42
    try:
        client.refuse("no", 7)
        raise AssertionError("refuse answered")
    except Refused as refused:
        assert (refused.reason, refused.code) == ("no", 7)


serve() if ROLE == "server" else call()
