"""TLS of servers."""

import ssl

import thriftlens as tl
from raw_sockets import connect_to, read_until_closed, wait_until
from server_peers import HANDLER, IDL, MIB, server_context


def test_tls_handshakes_count_as_connections():
    with tl.serve(
        IDL,
        "Shop",
        HANDLER,
        background=True,
        tls=server_context(),
        limits={"connections": 2, "idle": 600},
    ) as server:
        first = [connect_to(server) for _ in range(2)]
        wait_until(lambda: server.connections == 2)
        with connect_to(server) as third:
            assert read_until_closed(third) == b""
        for stream in first:
            stream.close()
        wait_until(lambda: server.connections == 0)
        untrusting = ssl.create_default_context()
        untrusting.check_hostname, untrusting.verify_mode = False, ssl.CERT_NONE
        with tl.connect(server.address, IDL, tls=untrusting, timeout=600) as client:
            assert client.put(bytes(3 * MIB)) == 3 * MIB
            assert client.get(3) == 3


def test_tls_handshakes_have_a_deadline():
    with (
        tl.serve(
            IDL, "Shop", HANDLER, background=True, tls=server_context(), limits={"idle": 0.2}
        ) as server,
        connect_to(server) as stream,
    ):
        assert read_until_closed(stream) == b""
        wait_until(lambda: server.connections == 0)
