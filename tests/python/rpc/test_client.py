"""Clients."""

import asyncio
import pickle
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass

import pytest
import thriftlens as tl
from client_servers import IDL, NotFound
from raw_sockets import wait_until
from thriftlens import _core


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
        assert error.id == -3 and error.message == "no such order" and str(error) == "no such order"
        assert error.args_ == 7
        assert error.to_dict() == {"id": -3, "message": "no such order", "args": 7}
    assert NotFound is IDL.exceptions["NotFound"] and list(IDL.exceptions) == ["NotFound"]
    reloaded = tl.loads(
        "exception NotFound { 1: i64 id, 2: string message, 3: i32 args = 7 }"
    ).exceptions["NotFound"]
    assert reloaded is NotFound
    assert pickle.loads(pickle.dumps(error)) == error
    assert type(pickle.loads(pickle.dumps(error))) is NotFound
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


def test_a_function_unknown_to_the_server(client):
    wider = tl.loads("service Shop { i32 later() }")
    with tl.connect(
        client.address, wider, transport=client.transport, protocol=client.protocol
    ) as other:
        with pytest.raises(tl.ApplicationError) as error:
            other.later()
        assert (error.value.code, error.value.number) == ("unknown_method", 1)


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
            assert client.transport == transport and client.protocol == expected_protocol
            assert client.add(1, 2) == 3

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
            assert client.get(3, select="{ id }") == {"id": 3} and other.add(1, 2) == 3
            assert client.add(2, 3) == 5
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
                encoded = function.result.encode(value)
                _, frame = writer.call("get", encoded, sequence_id=event.sequence_id, oneway=True)
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
        assert client.get(3, result="json", select="{ id }") == b'{"id":3}'
        assert client.get(3, result="view").note == "x"
        assert IDL.Order.decode(client.get(3, result="bytes"), protocol="compact") == order, (
            "in the protocol of the connection"
        )
        assert client.get(3, result="message").decode() == {"success": order}
        for form in ("dict", "view"):
            with pytest.raises(NotFound):
                client.get(4, result=form)


MEASURED = """
import re, sys
import thriftlens as tl

def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])

idl = tl.loads('''
struct Part { 1: i64 id, 2: string place, 3: list<string> columns }
service Parts { list<Part> all() }
''')
with tl.connect(sys.argv[1], idl, transport=sys.argv[2], protocol="binary") as client:
    start = peak()
    is_selected = sys.argv[3] == "select"
    parts = client.all(**({"select": "{ place }"} if is_selected else {"result": "view"}))
    print(len(parts), peak() - start)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("transport", ["buffered", "framed"])
def test_a_selected_reply_is_cut_while_it_arrives(transport):
    """Its peak memory is below a quarter of that of the full reply as a view, the smallest form."""
    idl = tl.loads(
        "struct Part { 1: i64 id, 2: string place, 3: list<string> columns } service Parts { "
        "list<Part> all() }"
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


def test_options_of_the_client_apply_to_each_call(server, protocol):
    options = {"transport": server.transport, "protocol": protocol}
    with tl.connect(
        server.address, IDL, "Shop", result="json", decode={"enums": "name"}, **options
    ) as client:
        assert client.get(3) == b'{"id":3,"status":"PAID","note":"x"}'
        assert client.get(3, result="dict")["status"] == "PAID"


def test_a_lazy_client_connects_with_its_first_call(server):
    client = tl.connect("127.0.0.1:1", IDL, "Shop", lazy=True)
    assert (client.transport, client.protocol) == ("auto", "auto")
    with pytest.raises(tl.TransportConnectionError) as caught:
        client.get(3)
    assert caught.value.call_state == "not_sent"
    with tl.connect(server.address, IDL, "Shop", lazy=True) as client:
        get = client.get  # before the protocol is known
        threads = [threading.Thread(target=get, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert get(3)["id"] == 3 and client.transport != "auto" and len(client._pool.links) == 1
    with pytest.raises(tl.TransportError, match="the client was closed"):
        client.get(3)

    async def main():
        async with tl.aio.connect(server.address, IDL, "Shop", lazy=True) as client:
            assert client.transport == "auto"
            replies = await asyncio.gather(client.get(1), client.get(2))
            return [reply["id"] for reply in replies], len(client._pool.links)

    assert asyncio.run(main()) == ([1, 2], 1)


@pytest.mark.parametrize("retries, tried", [(0, 1), (3, 4)])
def test_connections_that_cannot_be_opened_are_tried_again(monkeypatch, retries, tried):
    delays = []
    monkeypatch.setattr("thriftlens._rpc.pool.time.sleep", delays.append)
    client = tl.connect("127.0.0.1:1", IDL, "Shop", lazy=True, retries=retries)
    with pytest.raises(tl.TransportConnectionError):
        client.get(3)
    assert delays == [0.05, 0.1, 0.2][:retries] and len(delays) == tried - 1


def test_a_server_that_starts_late_is_reached(monkeypatch, tmp_path):
    path = str(tmp_path / "late.sock")
    servers = []

    def start(delay):
        servers.append(tl.serve(IDL, "Shop", {"version": lambda: "1"}, background=True, unix=path))

    monkeypatch.setattr("thriftlens._rpc.pool.time.sleep", start)
    with tl.connect(f"unix:{path}", IDL, "Shop", retries=2) as client:
        assert client.version() == "1"
    servers[0].close()


def test_a_call_that_was_sent_is_not_repeated():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        frames = []

        def drop():
            stream, _ = listener.accept()
            frames.append(stream.recv(1000))
            stream.close()

        thread = threading.Thread(target=drop)
        thread.start()
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        options = {"transport": "framed", "protocol": "binary", "retries": 5}
        client = tl.connect(address, IDL, "Shop", **options)
        with pytest.raises(tl.TransportError) as caught:
            client.get(3)
        thread.join()
    assert caught.value.call_state == "sent" and len(frames) == 1


def test_retries_end_with_the_timeout(monkeypatch):
    monkeypatch.setattr("thriftlens._rpc.pool.time.sleep", lambda seconds: None)
    client = tl.connect("127.0.0.1:1", IDL, "Shop", lazy=True, retries=1000)
    with pytest.raises(tl.TransportConnectionError):
        client.call("version", timeout=0.04)
