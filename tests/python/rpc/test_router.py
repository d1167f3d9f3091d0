"""Names in messages: of multiplexed services, with the service in a header."""

import pytest
import thriftlens as tl
from raw_sockets import connect_to
from thriftlens._rpc.handlers import HandlerOptions
from thriftlens._rpc.router import Router

IDL = tl.loads("""
    service Shop { i64 get(1: string cause) }
    service Stock { i64 get(1: string cause) }
    """)
SHOP, STOCK = IDL.service("Shop"), IDL.service("Stock")


@pytest.mark.parametrize("name, kind", [("get", "reply"), ("gone", "exception")])
@pytest.mark.parametrize("transport", ["framed", "buffered", "header", "ttheader", "http"])
def test_multiplexed_calls_are_answered_under_the_name_of_the_function(
    transport, name, kind, protocol
):
    """As Apache's servers do it."""
    if transport == "http":
        pytest.importorskip("h11")
    handlers = {"Shop": {"get": lambda cause: 1}, "Stock": {"get": lambda cause: 2}}
    session = tl._core.Session("client", transport=transport, protocol=protocol)
    encoded = SHOP.function("get").arguments.encode({"cause": ""}, protocol=protocol)
    _, data = session.call(f"Stock:{name}", encoded)
    with (
        tl.serve(IDL, handlers, background=True, transport=transport) as server,
        connect_to(server) as stream,
    ):
        if transport == "http":
            data = (
                b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
                % len(data)
                + data
            )
        stream.sendall(data)
        if transport == "http":
            answer = b""
            while piece := stream.recv(65536):
                answer += piece
            answer = answer.partition(b"\r\n\r\n")[2]
            message = tl.read_message(answer)
            assert (message.name, message.kind) == (name, kind)
            return
        while True:
            session.feed(stream.recv(65536))
            if (event := session.next()) is not None:
                break
    assert (event.name, event.kind) == (name, kind)
    if kind == "reply":
        assert STOCK.function("get").result.decode(event.data, protocol=protocol) == {"success": 2}


@pytest.mark.parametrize(
    "named, expected", [("Stock", 2), ("Shop", 1), ("Elsewhere", 1), (None, 1)]
)
@pytest.mark.parametrize("transport", ["ttheader", "ttheader_framed"])
def test_the_service_of_ttheader_selects_the_service(transport, named, expected):
    """Clients of Kitex send the service in "isn". An unknown one is ignored."""
    handlers = {"Shop": {"get": lambda cause: 1}, "Stock": {"get": lambda cause: 2}}
    session = tl._core.Session("client", transport=transport, protocol="binary")
    encoded = SHOP.function("get").arguments.encode({"cause": ""})
    _, data = session.call("get", encoded, headers={} if named is None else {"isn": named})
    with tl.serve(IDL, handlers, background=True) as server, connect_to(server) as stream:
        stream.sendall(data)
        while True:
            session.feed(stream.recv(65536))
            if (event := session.next()) is not None:
                break
    assert STOCK.function("get").result.decode(event.data) == {"success": expected}


def test_a_name_without_a_service_is_one_of_the_first_service():
    handlers = {
        "Shop": (SHOP, {"get": lambda cause: 1}),
        "Stock": (STOCK, {"get": lambda cause: 2}),
    }
    router = Router(handlers, HandlerOptions(False, 1 << 20))
    assert router.find("get") is router.find("Shop:get") is not router.find("Stock:get")
    assert router.find("Elsewhere:get") is None
    assert router.is_oneway("unknown", "oneway") and not router.is_oneway("get", "oneway")
