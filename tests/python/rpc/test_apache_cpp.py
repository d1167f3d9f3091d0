"""Apache Thrift's C++ library as peer: every call of ThriftTest, all framings and protocols, as
client and server.

The program apache_cpp/peer.cpp is compiled once a session; where the Apache compiler, its C++
library or a C++ compiler is missing, the tests are skipped. The IDL is Apache's own
ThriftTest.thrift where it is there, on our side only."""

import asyncio
import contextlib
import fcntl
import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
import thriftlens as tl

HERE = Path(__file__).parent / "apache_cpp"
APACHE_IDL = Path("corpus/open/apache-thrift/test/v0.16/ThriftTest.thrift")
BOTH = [
    (transport, protocol)
    for transport in ("buffered", "framed", "http", "header")
    for protocol in ("binary", "compact")
]
HELLO = {"string_thing": "Zero", "byte_thing": 1, "i32_thing": -3, "i64_thing": -5_000_000_000}


@pytest.fixture(scope="session")
def peer(tmp_path_factory):
    """The program; workers of pytest-xdist share it."""
    for program in ("thrift", "g++"):
        if shutil.which(program) is None:
            pytest.skip(f"Apache's C++ library is not tried: there is no {program}")
    if not Path("/usr/include/thrift/Thrift.h").exists():
        pytest.skip("Apache's C++ library is not tried: there is no libthrift-dev")
    folder = tmp_path_factory.getbasetemp()
    folder = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "apache_cpp"
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "peer").exists():
            build(folder)
    return folder / "peer"


def build(folder):
    def run(*command):
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr[-3000:]

    run("thrift", "--gen", "cpp:no_skeleton", "-out", ".", str(HERE / "thrift_test.thrift"))
    sources = ["ThriftTest.cpp", "thrift_test_types.cpp", str(HERE / "peer.cpp")]
    run(
        "g++", "-std=c++17", "-O0", "-I.", *sources, "-o", "made", "-lthriftz", "-lthrift", "-lz",
        "-pthread",
    )  # fmt: skip
    os.rename(folder / "made", folder / "peer")


@pytest.fixture(scope="module")
def idl():
    shared = os.environ.get("THRIFTLENS_SHARED")
    if shared and (Path(shared) / APACHE_IDL).exists():
        return tl.load(Path(shared) / APACHE_IDL)
    return tl.load(HERE / "thrift_test.thrift")


@contextlib.contextmanager
def apache_server(peer, transport, protocol):
    """Its address."""
    with subprocess.Popen(
        [peer, "server", transport, protocol],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            address = f"127.0.0.1:{int(process.stdout.readline())}"
            yield f"http://{address}/thrift" if transport == "http" else address
        finally:
            process.stdin.close()
            process.wait()


INSANE = {"userMap": {5: 5, 8: 8}, "xtructs": [HELLO, {}]}
ECHOED = [
    ("testString", "x" * 70_000 + "é"), ("testString", ""), ("testBool", True), ("testBool", False),
    ("testByte", -128), ("testI32", -(2**31)), ("testI64", -34359738368),
    ("testDouble", -5.2098523), ("testBinary", bytes(range(256))), ("testStruct", HELLO),
    ("testNest", {"byte_thing": 1, "struct_thing": HELLO, "i32_thing": 5}),
    ("testMap", {0: -10, 1: -9, -2: 8}), ("testStringMap", {"a": "2", "b": "blah", "": ""}),
    ("testSet", {-2, 0, 2}), ("testList", []), ("testList", [-1] * 1000), ("testEnum", 8),
    ("testTypedef", 309858235082523),
]  # fmt: skip
# fmt: off
CALLS = [
    ("testVoid", (), None),
    ("testMapMap", (1,), {4: {i: i for i in range(1, 5)}, -4: {-i: -i for i in range(1, 5)}}),
    ("testInsanity", (INSANE,), {1: {2: INSANE, 3: INSANE}, 2: {6: {}}}),
    ("testMulti", (42, 4242, 424242, {1: "blah", 2: "thing"}, 5, 5_000_000_000),
        {"string_thing": "Hello2", "byte_thing": 42, "i32_thing": 4242, "i64_thing": 424242}),
    ("testException", ("success",), None),
]
# fmt: on


def with_absent(expected):
    """Apache's C++ writes fields of default requiredness whether they were set or not."""
    zeros = {"string_thing": "", "byte_thing": 0, "i32_thing": 0, "i64_thing": 0}
    if isinstance(expected, dict):
        if expected == {}:
            return [{}, zeros, {"userMap": {}, "xtructs": []}]
        return [{key: value for key, value in expected.items()}]
    return [expected]


def is_answer(got, expected):
    if isinstance(expected, dict) and isinstance(got, dict):
        if any(got == candidate for candidate in with_absent(expected)):
            return True
        return got.keys() == expected.keys() and all(
            is_answer(got[key], expected[key]) for key in expected
        )
    if isinstance(expected, list) and isinstance(got, list):
        return len(got) == len(expected) and all(map(is_answer, got, expected))
    return got == expected


async def every_call(call, idl):
    """`call(name, arguments)` is awaited; what is wrong is asserted."""
    for name, thing in ECHOED:
        assert await call(name, (thing,)) == thing, name
    for name, arguments, expected in CALLS:
        got = await call(name, arguments)
        assert is_answer(got, expected), (name, got)
    xception, xception2 = idl.exceptions["Xception"], idl.exceptions["Xception2"]
    for name, arguments, of, code in (
        ("testException", ("Xception",), xception, 1001),
        ("testMultiException", ("Xception", "x"), xception, 1001),
        ("testMultiException", ("Xception2", "x"), xception2, 2002),
    ):
        with pytest.raises(of) as raised:
            await call(name, arguments)
        assert raised.value.errorCode == code
    assert raised.value.struct_thing["string_thing"] == "This is an Xception2"
    with pytest.raises(tl.ApplicationError):
        await call("testException", ("TException",))
    assert (await call("testMultiException", ("success", "fine")))["string_thing"] == "fine"
    assert await call("testOneway", (0,)) is None
    assert await call("testI32", (7,)) == 7


@pytest.mark.parametrize("transport, protocol", BOTH)
def test_our_clients_call_an_apache_server(peer, idl, transport, protocol):
    with apache_server(peer, transport, protocol) as address:
        with tl.connect(
            address, idl, "ThriftTest", transport=transport, protocol=protocol, timeout=600
        ) as client:

            async def call(name, arguments):
                return getattr(client, name)(*arguments)

            asyncio.run(every_call(call, idl))

        async def through_loop():
            async with tl.aio.connect(
                address, idl, "ThriftTest", transport=transport, protocol=protocol, timeout=600
            ) as client:
                await every_call(lambda name, arguments: getattr(client, name)(*arguments), idl)

        asyncio.run(through_loop())


@pytest.mark.parametrize("transport, protocol", BOTH)
def test_our_clients_detect_the_protocol_of_an_apache_server(peer, idl, transport, protocol):
    with apache_server(peer, transport, protocol) as address:
        host_and_port = address.replace("http://", "").replace("/thrift", "")
        with tl.connect(host_and_port, idl, "ThriftTest", timeout=600) as client:
            assert client.testNest({"struct_thing": HELLO})["struct_thing"] == HELLO
            # A THeader server also answers calls without a header, always in Binary.
            detected = ("header", "binary") if transport == "header" else (transport, protocol)
            assert (client.transport, client.protocol) == detected


class Handler:
    """The service of thriftlens servers."""

    def __init__(self, idl):
        self.exceptions = idl.exceptions
        self.had_oneway = threading.Event()

    def __getattr__(self, name):
        if name in {name for name, _ in ECHOED}:
            return lambda thing: thing
        raise AttributeError(name)

    def testVoid(self):
        pass

    def testMapMap(self, hello):
        return CALLS[1][2]

    def testInsanity(self, argument):
        return {1: {2: argument, 3: argument}, 2: {6: {}}}

    def testMulti(self, arg0, arg1, arg2, arg3, arg4, arg5):
        return {"string_thing": "Hello2", "byte_thing": arg0, "i32_thing": arg1, "i64_thing": arg2}

    def testException(self, arg):
        if arg == "Xception":
            raise self.exceptions["Xception"](1001, arg)
        if arg == "TException":
            raise RuntimeError("not declared")

    def testMultiException(self, arg0, arg1):
        if arg0 == "Xception":
            raise self.exceptions["Xception"](1001, "This is an Xception")
        if arg0 == "Xception2":
            raise self.exceptions["Xception2"](2002, {"string_thing": "This is an Xception2"})
        return {"string_thing": arg1}

    def testOneway(self, secondsToSleep):
        self.had_oneway.set()


@pytest.mark.parametrize("is_configured", [False, True], ids=["auto", "told"])
@pytest.mark.parametrize("transport, protocol", BOTH)
def test_an_apache_client_calls_our_server(peer, idl, transport, protocol, is_configured):
    if transport == "http":
        pytest.importorskip("h11")
    handler = Handler(idl)
    options = {"transport": transport, "protocol": protocol} if is_configured else {}
    with tl.serve(idl, "ThriftTest", handler, background=True, **options) as server:
        port = server.address.rstrip("/").rpartition(":")[2]
        result = subprocess.run(
            [peer, "client", transport, protocol, port], capture_output=True, text=True
        )
        assert result.returncode == 0, result.stdout + result.stderr
        handler.had_oneway.wait()
