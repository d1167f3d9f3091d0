"""Servers of clients, and their cookies."""

import pytest
import thriftlens as tl
from safe_clients import IDL, KINDS, Shop, Silent, client_calls, web


@pytest.mark.parametrize("transport", ["framed", "auto"])
def test_a_server_that_has_answered_is_not_probed(transport):
    server = tl.serve(IDL, "Shop", Shop(), transport="framed", background=True)
    with tl.connect(server.address, IDL, transport=transport, protocol="binary") as client:
        assert client.twice(1) == 2
        server.close()
        Silent(lambda connection: None, port=int(server.address.rpartition(":")[2]))
        with pytest.raises(tl.TransportError) as raised:
            client.twice(1)
    assert str(raised.value) == f"{server.address}: the server closed the connection"


@KINDS
def test_cookies_go_back_to_the_address_that_set_them(kind):
    with web(cookie="backend=b7") as (address, handler):
        calls = [
            ("twice", {"number": 1}, {"headers": {"Cookie": "own=1"}}),
            ("twice", {"number": 1}, {"headers": {"Connection": "close"}}),
            ("twice", {"number": 1}, {}),
        ]
        assert client_calls(kind, address, calls) == [2, 2, 2]
        first, *later = [headers.get("Cookie") for headers in handler.seen]
        assert first is None, "none of another path"
        assert later == ["own=1; backend=b7", "backend=b7", "backend=b7"], "none of another path"
        with pytest.raises(tl.TransportError) as error:
            client_calls(kind, address, [])
        assert error.value.status == 401, "another client has none"
        assert handler.seen[-1].get("Cookie") is None, "another client has none"


def test_a_gateway_keeps_no_cookies():
    from thriftlens._http.gateway.upstream import target_of

    assert target_of("http://127.0.0.1:1/", "http", "binary", None, 1000).cookies is None
