"""The client against a thriftlens server: methods from the IDL, forms of results, selections,
exceptions, pools, threads, addresses.
"""

import asyncio
import inspect
import pickle
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass

import pytest
import thriftlens as tl
from raw_sockets import wait_until
from thriftlens import _core
from thriftlens._rpc.address import Address, parse_address
from thriftlens._rpc.link import LARGE_PIECE, PIECE, next_buffer

IDL = tl.loads(
    """
    enum Status { NEW = 1, PAID = 2 }
    exception NotFound { 1: i64 id, 2: string message, 3: i32 args = 7 }
    struct Order { 1: required i64 id, 2: Status status, 3: string note }
    service Base { string version() }
    /** A shop. */
    service Shop extends Base {
      /** An order by its id. */
      Order get(1: i64 id = 4, 2: Order like) throws (1: NotFound missing),
      list<Order> all(1: i32 count),
      i32 add(1: i32 a, 2: i32 b, 3: i32 c = 0),
      oneway void note(1: string text),
      void close(1: i64 id),
      i32 import(1: i32 from),
      i32 select(1: i32 timeout, 2: i32 result),
      string wait(1: string name)
    }
    """
)
NotFound = IDL.exceptions["NotFound"]


class Shop:
    def __init__(self):
        self.notes = []
        self.go_on = threading.Event()

    def version(self):
        return "1"

    def get(self, id, like):
        if id < 0:
            raise NotFound(id, "no such order")
        return {"id": id, "status": 2, "note": like["note"] if like else "x"}

    def all(self, count):
        return [{"id": index, "note": "n" * 100} for index in range(count)]

    def add(self, a, b, c):
        return a + b + (c or 0)

    def note(self, text):
        self.notes.append(text)

    def close(self, id):
        pass

    def select(self, timeout, result):
        return timeout - result

    def wait(self, name):
        assert self.go_on.wait(600)
        return name

    def __getattr__(self, name):
        if name == "import":
            return lambda number: number
        raise AttributeError(name)


@pytest.fixture
def shop():
    return Shop()


@pytest.fixture(params=["buffered", "framed"])
def server(shop, request):
    with tl.serve(IDL, "Shop", shop, transport=request.param, background=True) as server:
        server.transport = request.param
        yield server


@pytest.fixture
def client(server, protocol):
    with tl.connect(
        server.address, IDL, "Shop", transport=server.transport, protocol=protocol, timeout=600
    ) as client:
        yield client


def test_methods_are_the_functions_of_the_idl(client):
    assert (
        str(inspect.signature(client.add))
        == "(a: int, b: int, c: int = 0, *, select=None, result=None, timeout=Ellipsis, headers=None) -> int"
    )
    assert str(inspect.signature(client.get)).startswith(
        "(id: int = 4, like: dict = None, *, select=None"
    )
    assert (
        inspect.getdoc(client.get)
        == "Order get(1: i64 id, 2: Order like) throws (1: NotFound missing)\n\nAn order by its id."
    )
    assert {"get", "add", "version", "close_", "import_", "call", "close"} <= set(dir(client))
    assert client.get.__name__ == "get" and client.get is client.get
    assert client.version() == "1"
    assert client.close_(4) is None and client.import_(from_=4) == 4 and client.import_(5) == 5
    # Arguments of the function, not options of the call.
    assert client.select(timeout=7, result=2) == 5  # no limit


def test_arguments_are_bound_as_python_binds_them(client):
    assert client.add(1, 2) == client.add(1, b=2) == client.add(b=2, a=1) == 3
    assert client.add(1, 2, c=3) == 6
    assert client.get()["id"] == 4
    for wrong in (
        ("add() is missing 'b'", lambda: client.add(1)),
        ("got two values for 'a'", lambda: client.add(1, a=1)),
        ("3 arguments", lambda: client.add(*range(4))),
    ):
        with pytest.raises(TypeError, match=wrong[0].replace("(", r"\(").replace(")", r"\)")):
            wrong[1]()
    with pytest.raises(TypeError, match="no argument 'lik'; did you mean 'like'"):
        client.get(lik=None)
    with pytest.raises(tl.EncodeError) as error:
        client.get(like={"id": "seven"})
    assert error.value.path == "$.like.id"
    with pytest.raises(tl.UnknownNameError, match="did you mean 'get'"):
        client.gett()
    with pytest.raises(tl.UnknownNameError, match="did you mean 'all'"):
        client.call("al")


def test_results_in_every_form(client, protocol):
    expected = {"id": 3, "status": 2, "note": "x"}
    assert client.get(3) == expected
    view = client.get(3, result="view")
    assert view.id == 3 and view.to_dict() == expected
    assert client.get(3, result="json") == b'{"id":3,"status":2,"note":"x"}'
    assert IDL.Order.decode(client.get(3, result="bytes"), protocol=protocol) == expected
    message = client.get(3, result="message")
    assert (message.kind, message.name, message.decode()) == ("reply", "get", {"success": expected})
    assert client.call("get", {"id": -1}, result="message").decode()["missing"]["id"] == -1, (
        "nothing raised"
    )
    for form, value in (("dict", 3), ("view", 3), ("json", b"3")):
        assert client.add(1, 2, result=form) == value
    for form, value in (("dict", None), ("view", None), ("json", b"null"), ("bytes", b"")):
        assert client.close_(1, result=form) == value
    with pytest.raises(ValueError, match="did you mean 'json'"):
        client.get(3, result="jsn")


def test_options_of_the_client_hold_for_each_call(server, protocol):
    options = {"transport": server.transport, "protocol": protocol}
    with tl.connect(
        server.address, IDL, "Shop", result="json", decode={"enums": "name"}, **options
    ) as client:
        assert client.get(3) == b'{"id":3,"status":"PAID","note":"x"}'
        assert client.get(3, result="dict")["status"] == "PAID"


def test_arguments_as_dict_dataclass_view_and_bytes(client, protocol):
    @dataclass
    class Order:
        id: int
        note: str

    arguments = IDL.service("Shop").function("get").arguments
    raw = arguments.encode({"id": 5, "like": {"id": 1, "note": "y"}}, protocol=protocol)
    for request in ({"id": 5, "like": Order(1, "y")}, raw, arguments.view(raw, protocol=protocol)):
        assert client.call("get", request) == {"id": 5, "status": 2, "note": "y"}
    assert client.call("version") == "1"


def test_selections(client, protocol):
    assert client.get(3, select="{ note }") == {"note": "x"}, (
        "what the IDL requires may be left out"
    )
    assert client.call("get", {"id": 3}, select="{ success { note } }") == {"note": "x"}
    assert client.all(3, select="{ id }") == [{"id": index} for index in range(3)]
    assert client.get(3, select=["$.id", "status"]) == {"id": 3, "status": 2}
    assert client.get(3, select="{ id }", result="json") == b'{"id":3}'
    assert client.get(3, select="{ id }", result="view").id == 3
    assert len(client.all(100, select="{ id }", result="bytes")) < 1600
    assert client.get(3, select="{ * -note }") == {"id": 3, "status": 2}
    with pytest.raises(NotFound) as error:
        client.get(-1, select="{ id }")
    assert error.value.message == "no such order", "a declared exception is never cut away"
    with pytest.raises(NotFound):
        client.call("get", {"id": -1}, select="{ success { id } missing { id } }")
    for wrong, message in (
        ("{ nope }", "no field 'nope' in Order; did you mean 'note'? (byte 2 of the selection)"),
        ("note", "expected '{' (byte 0 of the selection)"),
    ):
        with pytest.raises(tl.Error) as error:
            client.get(3, select=wrong)
        assert str(error.value) == message, "in the bytes of what was given"
        with pytest.raises(tl.Error) as error:
            client.all(3, select=wrong)
        assert str(error.value) == message
    with pytest.raises(tl.Error, match="string has no fields"):
        client.version(select="{ nope }")
    with pytest.raises(TypeError, match="returns void"):
        client.close_(1, select="{ id }")
    assert client.get(3)["id"] == 3, "nothing was sent where the selection was wrong"


def test_declared_exceptions_are_classes_generated_from_the_idl(client):
    for form in ("dict", "view", "json", "bytes"):
        with pytest.raises(NotFound) as caught:
            client.get(-3, result=form)
        error = caught.value
        assert isinstance(error, tl.ThriftException) and not isinstance(error, tl.Error)
        assert (error.id, error.message, str(error), error.args_) == (
            -3,
            "no such order",
            "no such order",
            7,
        )
        assert error.to_dict() == {"id": -3, "message": "no such order", "args": 7}
    assert NotFound is IDL.exceptions["NotFound"] and list(IDL.exceptions) == ["NotFound"]
    reloaded = tl.loads(
        "exception NotFound { 1: i64 id, 2: string message, 3: i32 args = 7 }"
    ).exceptions["NotFound"]
    assert reloaded is NotFound
    assert (
        pickle.loads(pickle.dumps(error)) == error
        and type(pickle.loads(pickle.dumps(error))) is NotFound
    )
    assert repr(NotFound(1)) == "NotFound(id=1, args=7)" and NotFound(id=1, args=3).args_ == 3
    for wrong in (
        lambda: NotFound(1, id=1),
        lambda: NotFound(1, "a", 2, 3),
        lambda: NotFound(mesage="x"),
    ):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(tl.UnknownNameError, match="is not an exception"):
        IDL.exceptions["Order"]
    with pytest.raises(tl.UnknownNameError, match="did you mean"):
        IDL.exceptions["NotFund"]


def test_oneway_returns_at_once(client, shop):
    assert client.note("a") is None and client.add(1, 1) == 2
    wait_until(lambda: shop.notes == ["a"])


def test_a_function_the_server_does_not_have(client):
    wider = tl.loads("service Shop { i32 later() }")
    with tl.connect(
        client.address, wider, transport=client.transport, protocol=client.protocol
    ) as other:
        with pytest.raises(tl.ApplicationError) as error:
            other.later()
        assert (error.value.code, error.value.number) == ("unknown_method", 1)


def test_threads_share_a_connection(client, server):
    answers = {}

    def work(number):
        for index in range(20):
            assert client.add(number, index) == number + index
        answers[number] = client.all(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)
    assert {number: len(values) for number, values in answers.items()} == {
        number: number for number in range(8)
    }
    assert server.connections == 1


def test_many_calls_in_flight_on_one_connection(server, protocol, shop):
    async def main():
        async with tl.aio.connect(
            server.address, IDL, "Shop", transport=server.transport, protocol=protocol
        ) as client:
            slow = asyncio.ensure_future(client.wait("slow"))
            calls = [asyncio.ensure_future(client.add(number, 1)) for number in range(200)]
            await asyncio.sleep(0)
            shop.go_on.set()
            assert await slow == "slow" and await asyncio.gather(*calls) == list(range(1, 201))
            assert server.connections == 1
            assert await client.get(3, select="{ id }") == {"id": 3}
            with pytest.raises(NotFound):
                await client.get(-1)
            assert await client.note("x") is None
            assert await client.call("add", {"a": 1, "b": 2}, result="json") == b"3"

    asyncio.run(main())


def test_pools_open_connections_while_others_are_busy(server, protocol, shop):
    options = {"transport": server.transport, "protocol": protocol, "pool": 3}
    with tl.connect(server.address, IDL, "Shop", **options) as client:
        threads = [threading.Thread(target=client.wait, args=(str(number),)) for number in range(5)]
        for thread in threads:
            thread.start()
        wait_until(lambda: server.connections == 3)
        shop.go_on.set()
        for thread in threads:
            thread.join(600)
        assert server.connections == 3 and client.add(1, 2) == 3

    async def main():
        shop.go_on.clear()
        async with tl.aio.connect(server.address, IDL, "Shop", **options) as client:
            calls = [asyncio.ensure_future(client.wait(str(number))) for number in range(5)]
            while len([link for link in client._links if link.in_flight]) < 3:
                await asyncio.sleep(0.001)
            shop.go_on.set()
            assert (
                await asyncio.gather(*calls) == ["0", "1", "2", "3", "4"]
                and len(client._links) == 3
            )

    wait_until(lambda: server.connections == 0)
    asyncio.run(main())


def test_a_closed_client_raises(server, protocol):
    client = tl.connect(server.address, IDL, "Shop", transport=server.transport, protocol=protocol)
    client.close()
    with pytest.raises(tl.TransportError, match="the client was closed") as error:
        client.add(1, 2)
    assert error.value.code == "closed"

    async def main():
        client = await tl.aio.connect(
            server.address, IDL, "Shop", transport=server.transport, protocol=protocol
        )
        await client.close()
        with pytest.raises(tl.TransportError, match="the client was closed"):
            await client.add(1, 2)

    asyncio.run(main())


def test_reconnects_where_the_server_has_gone_and_come_back(protocol, tmp_path):
    path = str(tmp_path / "socket")
    first = tl.serve(IDL, "Shop", Shop(), unix=path, background=True)
    client = tl.connect(f"unix:{path}", IDL, "Shop", protocol=protocol)
    stubborn = tl.connect(f"unix:{path}", IDL, "Shop", protocol=protocol, reconnect=False)
    assert client.add(1, 2) == stubborn.add(1, 2) == 3
    first.close()
    with pytest.raises(tl.TransportError) as error:
        client.add(1, 2)
    assert error.value.code == "not_found"
    with tl.serve(IDL, "Shop", Shop(), unix=path, background=True):
        assert client.add(1, 2) == 3
        with pytest.raises(tl.TransportError) as error:
            stubborn.add(1, 2)
        assert error.value.code == "closed"
        client.close()


@pytest.mark.parametrize("transport", ["buffered", "framed", "header", "http"])
def test_transport_and_protocol_are_detected(shop, transport, protocol):
    if transport == "http":
        pytest.importorskip("h11")
    expected_protocol = (
        "binary" if transport == "header" else protocol
    )  # THeader carries the protocol of every message
    with tl.serve(
        IDL, "Shop", shop, transport=transport, protocol=protocol, background=True
    ) as server:
        with tl.connect(server.address, IDL, "Shop") as client:
            assert (client.transport, client.protocol, client.add(1, 2)) == (
                transport,
                expected_protocol,
                3,
            )

        async def main():
            async with tl.aio.connect(server.address, IDL, "Shop") as client:
                assert (client.transport, client.protocol, await client.add(1, 2)) == (
                    transport,
                    expected_protocol,
                    3,
                )

        asyncio.run(main())


@pytest.mark.parametrize(
    "transport", ["buffered", "framed", "header", "ttheader", "ttheader_framed"]
)
def test_a_server_detects_the_protocol_by_the_first_bytes(shop, transport, protocol):
    """One port for all; selections are cut in whatever the reply is written in."""
    with tl.serve(IDL, "Shop", shop, background=True) as server:
        options = {"transport": transport, "protocol": protocol, "timeout": 20}
        with (
            tl.connect(server.address, IDL, "Shop", **options) as client,
            tl.connect(server.address, IDL, "Shop", transport="header", protocol="binary") as other,
        ):
            assert (
                client.get(3, select="{ id }") == {"id": 3}
                and other.add(1, 2) == 3
                and client.add(2, 3) == 5
            )
            with pytest.raises(NotFound):
                client.get(-1)


def test_a_reply_in_another_protocol_than_the_call():
    """As Apache's C++ server of THeader answers: in Binary, whatever the protocol of the call."""
    function = IDL.service("Shop").function("get")
    order = {"id": 3, "status": 2, "note": "x"}

    def answer(connection):
        reader = _core.Session("server", transport="header", protocol="auto")
        writer = _core.Session("client", transport="header", protocol="binary")
        while data := connection.recv(65536):
            reader.feed(data)
            while (event := reader.next()) is not None:
                assert event.protocol == "compact"
                value = (
                    {"missing": {"id": 8}}
                    if event.data != function.arguments.encode({"id": 3}, protocol="compact")
                    else {"success": order}
                )
                _, frame = writer.call(
                    "get", function.result.encode(value), sequence_id=event.sequence_id, oneway=True
                )
                kind = frame.index(b"\x80\x01\x00\x04") + 3
                connection.sendall(frame[:kind] + b"\x02" + frame[kind + 1 :])

    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=lambda: answer(listening.accept()[0]), daemon=True)
    thread.start()
    with (
        listening,
        tl.connect(
            "127.0.0.1:%d" % listening.getsockname()[1],
            IDL,
            "Shop",
            transport="header",
            protocol="compact",
            timeout=600,
        ) as client,
    ):
        assert client.get(3) == order and client.get(3, select="{ note }") == {"note": "x"}
        assert (
            client.get(3, result="json", select="{ id }") == b'{"id":3}'
            and client.get(3, result="view").note == "x"
        )
        assert IDL.Order.decode(client.get(3, result="bytes"), protocol="compact") == order, (
            "in the protocol of the connection"
        )
        assert client.get(3, result="message").decode() == {"success": order}
        for form in ("dict", "view"):
            with pytest.raises(NotFound):
                client.get(4, result=form)


def test_invalid_idl_and_services():
    for connect in (tl.connect, tl.aio.connect):
        with pytest.raises(
            TypeError,
            match=r"expected a Schema, such as tl.load\('shop.thrift'\), not 'some.thrift'",
        ):
            connect("localhost:1", "some.thrift")
        with pytest.raises(
            TypeError, match="expected the name of a service, one of Base, Shop, not a Service"
        ):
            connect("localhost:1", IDL, IDL.service("Shop"))
    with pytest.raises(TypeError, match="expected a Schema"):
        tl.serve("some.thrift", "Shop", Shop(), background=True)
    with pytest.raises(TypeError, match="expected a Schema"):
        tl.serve("some.thrift", {"Shop": Shop()}, background=True)
    with pytest.raises(TypeError, match="not a Shop"):
        tl.serve(IDL, Shop(), background=True)


def test_the_service_is_inferred_or_required():
    with pytest.raises(tl.Error, match="has Base, Shop; specify service=") as error:
        tl.connect("localhost:1", IDL)
    assert error.value.code == "no_service"
    with pytest.raises(tl.UnknownNameError, match="did you mean 'Shop'"):
        tl.connect("localhost:1", IDL, "Shopp")
    with pytest.raises(ValueError, match="transport must be one of"):
        tl.connect("localhost:1", IDL, "Shop", transport="udp")


@pytest.mark.parametrize(
    "text, parts",
    [
        ("hive:9083", Address("tcp", "hive", 9083)),
        ("[::1]:9083", Address("tcp", "::1", 9083)),
        ("ann:s%40crät@hive:10000", Address("tcp", "hive", 10000, "", "ann", "s@crät")),
        ("ann@hive:10000", Address("tcp", "hive", 10000, "", "ann", None)),
        ("unix:/run/x.sock", Address("unix", "", 0, "/run/x.sock")),
        ("unix:///run/x.sock", Address("unix", "", 0, "/run/x.sock")),
        ("http://hive:10001/cliservice", Address("http", "hive", 10001, "/cliservice")),
        ("https://hive", Address("https", "hive", 443, "/")),
        ("http://hive/a?b=c", Address("http", "hive", 80, "/a?b=c")),
        (
            "ann:pw@hive:10001/cliservice",
            Address("http", "hive", 10001, "/cliservice", "ann", "pw"),
        ),
    ],
)
def test_addresses(text, parts):
    assert parse_address(text) == parts
    assert "pw" not in str(parts) and "s@cr" not in str(parts)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hive",
        "hive:",
        ":9083",
        "hive:port",
        "hive:99999999",
        "::1:9083",
        "unix:",
        "ftp://hive:21",
        "ann:secret@hive",
    ],
)
def test_addresses_that_are_none(text):
    with pytest.raises(tl.Error) as error:
        parse_address(text)
    assert error.value.code == "bad_address" and "secret" not in str(error.value)


def test_a_connection_reads_into_the_same_memory(client):
    [link] = client._links
    buffer = link._buffer
    assert len(buffer) == PIECE and buffer.obj
    assert client.add(1, 2) == 3 and client.get(3)["id"] == 3
    assert link._buffer is buffer, "small replies take no more"
    assert len(client.all(1000, select="{ id }")) == 1000
    assert link._buffer is buffer or len(link._buffer) == LARGE_PIECE
    assert next_buffer(buffer, PIECE - 1) is buffer
    larger = next_buffer(buffer, PIECE)  # a full piece: more is likely to come
    assert len(larger) == LARGE_PIECE and next_buffer(larger, LARGE_PIECE) is larger is next_buffer(
        larger, 1
    )


MEASURED = """
import re, sys
import thriftlens as tl

def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])

idl = tl.loads("struct Part { 1: i64 id, 2: string place, 3: list<string> columns } service Parts { list<Part> all() }")
with tl.connect(sys.argv[1], idl, transport=sys.argv[2], protocol="binary") as client:
    before = peak()
    parts = client.all(**({"select": "{ place }"} if sys.argv[3] == "select" else {"result": "view"}))
    print(len(parts), peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("transport", ["buffered", "framed"])
def test_a_selected_reply_is_cut_while_it_arrives(transport):
    """Its peak memory is below a quarter of that of the full reply as a view, the smallest form."""
    idl = tl.loads(
        "struct Part { 1: i64 id, 2: string place, 3: list<string> columns } service Parts { list<Part> all() }"
    )
    parts = [
        {"id": number, "place": "x", "columns": ["a column of some length"] * 400}
        for number in range(1000)
    ]

    def peak(mode, address):
        result = subprocess.run(
            [sys.executable, "-c", MEASURED, address, transport, mode],
            capture_output=True,
            text=True,
            check=True,
        )
        count, grown = map(int, result.stdout.split())
        assert count == 1000
        return grown

    with tl.serve(idl, "Parts", {"all": lambda: parts}, background=True) as server:
        assert peak("select", server.address) * 4 < peak("view", server.address)
