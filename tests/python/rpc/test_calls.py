"""The same calls against other implementations:

Apache's Python library and thriftpy2, as servers and as clients."""

import asyncio
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import thriftlens as tl

IDL_FILE = Path(__file__).resolve().parents[2] / "data" / "calls.thrift"
IDL = tl.load(IDL_FILE)
Plain, Nested = IDL.exceptions["Plain"], IDL.exceptions["Nested"]
LEAF = {"text": "Zoë", "tiny": -128, "number": -(2**31), "big": 2**63 - 1}
TREE = {"users": {1: 7, 5: -9}, "leaves": [LEAF, {"text": "", "tiny": 0, "number": 0, "big": 0}]}
ECHOES = [
    ("echoString", "Zoë Müller \U0001f600 " * 100), ("echoString", ""), ("echoBool", True),
    ("echoBool", False), ("echoByte", -128), ("echoShort", 2**15 - 1), ("echoInt", -(2**31)),
    ("echoLong", 2**63 - 1), ("echoDouble", -852.234234234), ("echoBinary", bytes(range(256))),
    ("echoLeaf", LEAF), ("echoBranch", {"tiny": 1, "leaf": LEAF, "number": 5}),
    ("echoMap", {number: number - 10 for number in range(5)}),
    ("echoStringMap", {"a": "2", "b": "blah", "some": "thing"}), ("echoSet", {-2, -1, 0, 1, 2}),
    ("echoList", list(range(-2, 3))), ("echoEnum", 5), ("echoTypedef", 309858235082523),
]  # fmt: skip


class Handler:
    """The thriftlens handler: values are dicts.

    The handler for generated code below returns the same values as objects."""

    def __init__(self):
        self.later_calls = []
        self.was_called = threading.Event()

    def __getattr__(self, name):
        if name.startswith("echo"):
            return lambda thing: thing
        raise AttributeError(name)

    def nothing(self):
        pass

    def mapOfMaps(self, hello):
        return {-4: {key: key for key in range(-4, 0)}, 4: {key: key for key in range(1, 5)}}

    def trees(self, argument):
        return {1: {1: argument, 2: argument}, 2: {5: {}}}

    def many(self, tiny, number, big, texts, size, user):
        return {"text": "Hello2", "tiny": tiny, "number": number, "big": big}

    def fails(self, kind):
        if kind == "plain":
            raise Plain(number=1001, message=kind)
        if kind == "error":
            raise KeyError("a secret")

    def failsTwice(self, kind, text):
        if kind == "plain":
            raise Plain(1001, "This is Plain")
        if kind == "nested":
            raise Nested(2002, {"text": "This is Nested"})
        return {"text": text}

    def later(self, milliseconds):
        self.later_calls.append(milliseconds)
        self.was_called.set()

    def leaves(self, count):
        return [{"text": str(number), "number": number} for number in range(count)]


def apache_handler(ttypes, ours):
    """The handler for Apache's generated code."""

    class Theirs:
        def __getattr__(self, name):
            return getattr(ours, name)

        def trees(self, argument):
            return {1: {1: argument, 2: argument}, 2: {5: ttypes.Tree()}}

        def many(self, tiny, number, big, texts, size, user):
            return ttypes.Leaf(text="Hello2", tiny=tiny, number=number, big=big)

        def fails(self, kind):
            if kind == "plain":
                raise ttypes.Plain(number=1001, message=kind)
            if kind == "error":
                raise KeyError("a secret")

        def failsTwice(self, kind, text):
            if kind == "plain":
                raise ttypes.Plain(number=1001, message="This is Plain")
            if kind == "nested":
                raise ttypes.Nested(number=2002, leaf=ttypes.Leaf(text="This is Nested"))
            return ttypes.Leaf(text=text)

        def leaves(self, count):
            return [ttypes.Leaf(text=str(number), number=number) for number in range(count)]

    return Theirs()


def try_all_calls(client, ours):
    """Every call of the service through a thriftlens client."""
    assert client.nothing() is None
    for name, value in ECHOES:
        assert getattr(client, name)(value) == value, name
    result = client.mapOfMaps(1)
    assert result == {-4: {key: key for key in range(-4, 0)}, 4: {key: key for key in range(1, 5)}}
    assert client.trees(TREE) == {1: {1: TREE, 2: TREE}, 2: {5: {}}}
    result = client.many(1, 2, 3, {1: "a"}, 2, 6)
    assert result == {"text": "Hello2", "tiny": 1, "number": 2, "big": 3}
    assert client.fails("") is None
    for call in (
        lambda: client.fails("plain"),
        lambda: client.call("fails", {"what": "plain"}, result="json"),
    ):
        with pytest.raises(Plain) as plain:
            call()
        assert plain.value == Plain(1001, "plain")
    with pytest.raises(Nested) as nested:
        client.failsTwice("nested", "x")
    assert (nested.value.number, nested.value.leaf) == (2002, {"text": "This is Nested"})
    with pytest.raises(Plain):
        client.failsTwice("plain", "x", select="{ number }")
    assert client.failsTwice("", "x") == {"text": "x"}
    assert client.later(5) is None
    assert client.echoInt(7) == 7  # the connection is usable after a oneway call
    assert ours.was_called.wait(600) and ours.later_calls == [5]
    assert client.leaves(300, select="{ number }") == [{"number": number} for number in range(300)]


def try_all_calls_of_theirs(client, ttypes, ours):
    """The same through generated code against a thriftlens server."""
    leaf = ttypes.Leaf(**LEAF)
    tree = ttypes.Tree(users={1: 7, 5: -9}, leaves=[leaf])
    arguments = {"echoLeaf": leaf, "echoBranch": ttypes.Branch(tiny=1, leaf=leaf, number=5)}
    assert client.nothing() is None
    for name, value in ECHOES:
        answer = getattr(client, name)(arguments.get(name, value))
        assert (set(answer) if name == "echoSet" else answer) == arguments.get(name, value), (
            name
        )  # thriftpy2's sets are lists
    assert client.mapOfMaps(1)[4] == {1: 1, 2: 2, 3: 3, 4: 4}
    assert client.trees(tree)[1][2] == tree
    assert client.many(1, 2, 3, {1: "a"}, 2, 6).big == 3
    assert client.fails("") is None
    with pytest.raises(ttypes.Plain) as plain:
        client.fails("plain")
    assert (plain.value.number, plain.value.message) == (1001, "plain")
    with pytest.raises(ttypes.Nested) as nested:
        client.failsTwice("nested", "x")
    assert nested.value.leaf.text == "This is Nested"
    assert client.failsTwice("", "x").text == "x"
    client.later(5)
    assert client.echoInt(7) == 7
    assert ours.was_called.wait(600) and ours.later_calls == [5]
    assert [leaf.number for leaf in client.leaves(300)] == list(range(300))


@pytest.fixture(scope="module")
def calls_py(tmp_path_factory):
    """Modules generated by the Apache compiler."""
    pytest.importorskip("thrift")
    compiler = shutil.which("thrift")
    if compiler is None:
        pytest.skip("no thrift compiler")
    folder = tmp_path_factory.mktemp("calls")
    subprocess.run(
        [compiler, "--gen", "py", "-out", str(folder), str(IDL_FILE)],
        check=True,
        capture_output=True,
    )
    sys.path.insert(0, str(folder))
    try:
        from calls_py import Calls, ttypes
    finally:
        sys.path.remove(str(folder))
    return Calls, ttypes


def apache_protocol(name):
    from thrift.protocol.TBinaryProtocol import TBinaryProtocolFactory
    from thrift.protocol.TCompactProtocol import TCompactProtocolFactory

    return {"binary": TBinaryProtocolFactory, "compact": TCompactProtocolFactory}[name]()


def apache_factories(transport, protocol):
    """Their transport and protocol factories."""
    from thrift.transport import TTransport

    if transport == "header":
        from thrift.protocol.THeaderProtocol import THeaderProtocolFactory
        from thrift.transport.THeaderTransport import THeaderSubprotocolID

        spoken = {"binary": THeaderSubprotocolID.BINARY, "compact": THeaderSubprotocolID.COMPACT}[
            protocol
        ]
        return TTransport.TTransportFactoryBase(), THeaderProtocolFactory(default_protocol=spoken)
    factory = (
        TTransport.TFramedTransportFactory()
        if transport == "framed"
        else TTransport.TBufferedTransportFactory()
    )
    return factory, apache_protocol(protocol)


class Served:
    """A server of another library in a thread.

    Its listening socket is created here, so that the system chooses the port."""

    def __init__(self, listening, stream, make):
        listening.listen()
        self.listening, self.stream = listening, lambda: stream(listening)
        self.port = self.stream().getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        self.accept = listening.accept
        listening.listen, listening.accept = lambda: None, self.accept_or_end
        self.thread = threading.Thread(target=self.work, args=(make(listening),), daemon=True)
        self.thread.start()

    def accept_or_end(self):
        try:
            return self.accept()
        except (OSError, AssertionError):
            raise KeyboardInterrupt from None  # after anything else their loops go round

    @staticmethod
    def work(server):
        try:
            server.serve()
        except KeyboardInterrupt:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *exception_info):
        self.stream().shutdown(socket.SHUT_RDWR)
        self.thread.join(600)
        self.listening.close()


def apache_server(processor, transport, protocol):
    """Apache's Python server in threads."""
    from thrift.server.TServer import TThreadedServer
    from thrift.transport.TSocket import TServerSocket

    factories = apache_factories(transport, protocol)
    make = lambda listening: TThreadedServer(processor, listening, *factories, daemon=True)  # noqa: E731
    return Served(TServerSocket("127.0.0.1", 0), lambda listening: listening.handle, make)


SPOKEN = [
    (transport, protocol)
    for transport in ("buffered", "framed", "header")
    for protocol in ("binary", "compact")
]


@pytest.mark.parametrize("transport, protocol", SPOKEN)
def test_our_client_calls_apaches_python_server(calls_py, transport, protocol):
    calls, ttypes = calls_py
    ours = Handler()
    with apache_server(
        calls.Processor(apache_handler(ttypes, ours)), transport, protocol
    ) as server:
        with tl.connect(
            server.address, IDL, "Calls", transport=transport, protocol=protocol, timeout=600
        ) as client:
            try_all_calls(client, ours)
            with pytest.raises(tl.ApplicationError):
                client.fails("error")


@pytest.mark.parametrize("transport, protocol", SPOKEN)
def test_our_asyncio_client_calls_apaches_python_server(calls_py, transport, protocol):
    calls, ttypes = calls_py

    async def main(address):
        async with tl.aio.connect(
            address, IDL, "Calls", transport=transport, protocol=protocol, timeout=600
        ) as client:
            for name, value in ECHOES:
                assert await getattr(client, name)(value) == value, name
            assert await asyncio.gather(*(client.echoInt(number) for number in range(100))) == list(
                range(100)
            )
            with pytest.raises(Plain):
                await client.fails("plain")
            assert await client.later(1) is None
            assert await client.leaves(3, select="{ text }") == [
                {"text": "0"},
                {"text": "1"},
                {"text": "2"},
            ]

    with apache_server(
        calls.Processor(apache_handler(ttypes, Handler())), transport, protocol
    ) as server:
        asyncio.run(main(server.address))


@pytest.mark.parametrize("transport, protocol", [row for row in SPOKEN if row[0] != "header"])
def test_the_protocol_of_apaches_python_server_is_detected(calls_py, transport, protocol):
    calls, ttypes = calls_py
    with apache_server(
        calls.Processor(apache_handler(ttypes, Handler())), transport, protocol
    ) as server:
        with tl.connect(server.address, IDL, "Calls", timeout=600) as client:
            assert (client.transport, client.protocol) == (transport, protocol)
            assert client.echoInt(7) == 7


def test_our_client_calls_one_of_several_services_of_apaches_server(calls_py):
    from thrift.TMultiplexedProcessor import TMultiplexedProcessor

    calls, ttypes = calls_py
    processor = TMultiplexedProcessor()
    processor.registerProcessor("Calls", calls.Processor(apache_handler(ttypes, Handler())))
    with apache_server(processor, "framed", "compact") as server:
        with tl.connect(
            server.address, IDL, "Calls", transport="framed", protocol="compact", multiplexed=True
        ) as client:
            assert client.echoInt(7) == 7 and client.echoString("x") == "x"


def test_our_client_calls_apaches_http_server(calls_py):
    from thrift.protocol.TBinaryProtocol import TBinaryProtocolFactory
    from thrift.server.THttpServer import THttpServer

    calls, ttypes = calls_py
    ours = Handler()
    server = THttpServer(
        calls.Processor(apache_handler(ttypes, ours)), ("127.0.0.1", 0), TBinaryProtocolFactory()
    )
    thread = threading.Thread(target=server.httpd.serve_forever, daemon=True)
    thread.start()
    address = "http://127.0.0.1:%d/" % server.httpd.server_address[1]

    async def main():
        async with tl.aio.connect(
            address, IDL, "Calls", protocol="binary", timeout=600, pool=4
        ) as client:
            assert await asyncio.gather(*(client.echoInt(number) for number in range(8))) == list(
                range(8)
            )

    try:
        with tl.connect(address, IDL, "Calls", protocol="binary", timeout=600) as client:
            try_all_calls(client, ours)
        asyncio.run(main())
    finally:
        server.httpd.shutdown()
        server.httpd.server_close()


def apache_client(calls, address, transport, protocol, prefix=""):
    from thrift.protocol.TMultiplexedProtocol import TMultiplexedProtocol
    from thrift.transport.TSocket import TSocket

    stream = TSocket("127.0.0.1", int(address.rpartition(":")[2]))
    stream.setTimeout(600_000)
    wrap, speak = apache_factories(transport, protocol)
    opened = wrap.getTransport(stream)
    opened.open()
    spoken = speak.getProtocol(opened)
    return opened, calls.Client(TMultiplexedProtocol(spoken, prefix) if prefix else spoken)


@pytest.mark.parametrize("transport, protocol", SPOKEN)
@pytest.mark.parametrize("is_configured", [True, False])
def test_apaches_python_client_calls_our_server(calls_py, transport, protocol, is_configured):
    """Also where the server detects the protocol."""
    calls, ttypes = calls_py
    ours = Handler()
    options = {"transport": transport, "protocol": protocol} if is_configured else {}
    with tl.serve(IDL, "Calls", ours, background=True, **options) as server:
        opened, client = apache_client(calls, server.address, transport, protocol)
        try_all_calls_of_theirs(client, ttypes, ours)
        from thrift.Thrift import TApplicationException

        with pytest.raises(TApplicationException) as wrong:
            client.fails("error")
        assert wrong.value.type == TApplicationException.INTERNAL_ERROR
        assert "secret" not in str(wrong.value)
        opened.close()


def test_apaches_python_client_calls_one_of_several_services_of_ours(calls_py):
    calls, ttypes = calls_py
    with tl.serve(
        IDL,
        {"Calls": Handler(), "Base": {"echoString": lambda thing: thing.upper()}},
        background=True,
    ) as server:
        for prefix, answer in (("Calls", "x"), ("Base", "X")):
            opened, client = apache_client(calls, server.address, "framed", "binary", prefix)
            assert client.echoString("x") == answer
            opened.close()


@pytest.fixture(scope="module")
def calls_thrift():
    thriftpy2 = pytest.importorskip("thriftpy2")
    return thriftpy2.load(str(IDL_FILE), module_name="calls_thrift")


def thriftpy2_factories(transport, protocol):
    from thriftpy2.protocol import TBinaryProtocolFactory, TCompactProtocolFactory
    from thriftpy2.transport import TBufferedTransportFactory, TFramedTransportFactory

    spoken = {"binary": TBinaryProtocolFactory, "compact": TCompactProtocolFactory}[protocol]()
    return {
        "proto_factory": spoken,
        "trans_factory": {"buffered": TBufferedTransportFactory, "framed": TFramedTransportFactory}[
            transport
        ](),
    }


@pytest.mark.parametrize("transport, protocol", [row for row in SPOKEN if row[0] != "header"])
def test_our_client_calls_thriftpy2s_server(calls_thrift, transport, protocol):
    from thriftpy2.rpc import make_server
    from thriftpy2.transport import TServerSocket

    ours = Handler()
    theirs = apache_handler(calls_thrift, ours)

    def make(listening):
        server = make_server(
            calls_thrift.Calls, theirs, "127.0.0.1", 1, **thriftpy2_factories(transport, protocol)
        )
        server.trans, server.daemon = listening, True
        return server

    with Served(
        TServerSocket(host="127.0.0.1", port=0), lambda listening: listening.sock, make
    ) as server:
        with tl.connect(
            server.address, IDL, "Calls", transport=transport, protocol=protocol, timeout=600
        ) as client:
            try_all_calls(client, ours)


@pytest.mark.parametrize("transport, protocol", [row for row in SPOKEN if row[0] != "header"])
def test_thriftpy2s_client_calls_our_server(calls_thrift, transport, protocol):
    from thriftpy2.rpc import client_context

    ours = Handler()
    with tl.serve(IDL, "Calls", ours, background=True) as server:
        port = int(server.address.rpartition(":")[2])
        with client_context(
            calls_thrift.Calls,
            "127.0.0.1",
            port,
            socket_timeout=600_000,
            **thriftpy2_factories(transport, protocol),
        ) as client:
            try_all_calls_of_theirs(client, calls_thrift, ours)


@pytest.mark.parametrize("transport, protocol", [row for row in SPOKEN if row[0] != "header"])
def test_thriftpy2s_asyncio_client_calls_our_server(calls_thrift, transport, protocol):
    from thriftpy2.contrib.aio.protocol import (
        TAsyncBinaryProtocolFactory,
        TAsyncCompactProtocolFactory,
    )
    from thriftpy2.contrib.aio.rpc import make_client
    from thriftpy2.contrib.aio.transport import (
        TAsyncBufferedTransportFactory,
        TAsyncFramedTransportFactory,
    )

    spoken = {"binary": TAsyncBinaryProtocolFactory, "compact": TAsyncCompactProtocolFactory}[
        protocol
    ]()
    wrap = {"buffered": TAsyncBufferedTransportFactory, "framed": TAsyncFramedTransportFactory}[
        transport
    ]()

    async def main(port):
        client = await make_client(
            calls_thrift.Calls, "127.0.0.1", port, proto_factory=spoken, trans_factory=wrap
        )
        assert await client.echoInt(7) == 7
        assert (await client.many(1, 2, 3, {1: "a"}, 2, 6)).big == 3
        client.close()

    with tl.serve(IDL, "Calls", Handler(), background=True) as server:
        asyncio.run(main(int(server.address.rpartition(":")[2])))
