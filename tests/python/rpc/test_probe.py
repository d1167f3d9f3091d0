"""Probes of servers."""

import asyncio
import contextlib
import socket
import threading

import pytest
import thriftlens as tl
from safe_clients import IDL, KINDS, Silent, client_calls, entered, session_server, web


class ModelOfNode:
    """How Apache's Node server reads: the process ends at what it cannot read (0.24,
    lib/nodejs/lib/thrift/server.js). Binary only."""

    def __init__(self, transport):
        self.transport = transport
        self.is_dead = False
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listening.getsockname()[1]
        threading.Thread(target=self.work, daemon=True).start()

    def work(self):
        with contextlib.suppress(OSError):
            while not self.is_dead:
                connection, _ = self.listening.accept()
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()
        self.listening.close()

    def serve(self, connection):
        data = b""
        with connection:
            try:
                while piece := connection.recv(1 << 16):
                    data = self.read(connection, data + piece)
            except (
                ConnectionError,
                ValueError,
            ):  # the stream's "error" event, or an exception of the reader
                self.is_dead = True
                with contextlib.suppress(OSError):
                    self.listening.shutdown(socket.SHUT_RDWR)

    def read(self, connection, data):
        if self.transport == "buffered":
            return self.messages(connection, data, framed=False)
        while len(data) >= 4:
            size = int.from_bytes(data[:4], "big", signed=True)
            if not 0 <= size <= 16384000:
                raise ValueError(f"frame size {size}")
            if len(data) < 4 + size:
                break
            self.messages(connection, data[4 : 4 + size], framed=True)
            data = data[4 + size :]
        return data

    def messages(self, connection, data, framed):
        """Answers complete messages and waits for the rest."""
        while len(data) >= 4:
            size = int.from_bytes(data[:4], "big", signed=True)
            if size < 0:
                if data[:2] != b"\x80\x01":
                    raise ValueError(f"bad version {size}")
                size, at = int.from_bytes(data[4:8], "big", signed=True), 8
            else:
                at = 4
            is_old = at == 4
            frame_end = at + size + (1 if is_old else 0) + 4
            if len(data) <= frame_end:
                return data
            name, sequence_id = data[at : at + size], data[frame_end - 4 : frame_end]
            end = self.end_of_struct(data, frame_end)
            if end is None:
                return data
            text = name.decode(errors="replace").encode()
            body = (
                b"\x80\x01\x00\x03"
                + len(text).to_bytes(4, "big")
                + text
                + sequence_id
                + b"\x08\0\x02\0\0\0\x01\0"
            )
            connection.sendall((len(body).to_bytes(4, "big") if framed else b"") + body)
            data = data[end:]
        return data

    @staticmethod
    def end_of_struct(data, at):
        if data[at : at + 1] == b"\0":
            return at + 1
        raise ValueError("only empty structs here")


@pytest.mark.parametrize("transport", ["buffered", "framed"])
@pytest.mark.parametrize("multiplexed", [False, True])
def test_probes_do_not_end_apaches_node_servers(transport, multiplexed):
    node = ModelOfNode(transport)
    with tl.connect(node.address, IDL, timeout=600, multiplexed=multiplexed) as client:
        assert (client.transport, client.protocol) == (transport, "binary")
        with pytest.raises(tl.ApplicationError):
            client.call("touch", {})
    assert not node.is_dead
    node.listening.close()


def test_a_probe_that_ended_the_server_is_named():
    def serve():
        connection, _ = listening.accept()
        listening.close()
        connection.recv(1)
        connection.close()

    listening = socket.create_server(("127.0.0.1", 0))
    address = "127.0.0.1:%d" % listening.getsockname()[1]
    threading.Thread(target=serve, daemon=True).start()
    with pytest.raises(
        tl.TransportError,
        match=r"connection refused.*framed or buffered binary: closed.*"
        r"transport= and protocol= skip probing",
    ) as error:
        tl.connect(address, IDL, timeout=600)
    assert error.value.code == "connection_refused"


def has_token(headers):
    return headers["Authorization"] == "Bearer t0"


@KINDS
def test_probes_carry_the_headers_of_calls_over_http(kind):
    with web(allow=staticmethod(has_token)) as (address, handler):
        assert client_calls(
            kind, address, [("twice", {"number": 1}, {})], headers={"Authorization": "Bearer t0"}
        ) == [2]
        assert len(handler.seen) == 2, "a probe and a call"
        with pytest.raises(tl.TransportError) as error:
            client_calls(kind, address, [])
        assert error.value.status == 401


def test_probes_of_the_shell_and_of_hive_carry_headers(tmp_path, run):
    idl = tmp_path / "shop.thrift"
    idl.write_text("service Shop { i64 twice(1: required i64 number) }")
    with web(allow=staticmethod(has_token)) as (address, handler):
        result = run(
            "call", address, idl, "Shop.twice", "number=1", "--header", "Authorization=Bearer t0"
        )
        assert (result.returncode, result.stdout) == (0, b"2\n")
        with pytest.raises(tl.ApplicationError):  # it is let in, and has no such function
            tl.hive.connect(address, headers={"Authorization": "Bearer t0"})
        with pytest.raises(tl.TransportError):
            tl.hive.connect(address)


@pytest.mark.parametrize("transport", ["header", "ttheader", "ttheader_framed"])
@KINDS
def test_probes_carry_the_headers_of_calls_in_frames(kind, transport):
    seen = []

    def answer(event):
        seen.append(event.headers)
        return "exception", tl.application_exception().encode({"type": 1}), None

    with session_server(answer, transport) as address:
        client_calls(
            kind, address, [("touch", {}, {})], transport=transport, headers={"token": "t0"}
        )
    assert len(seen) == 2 and all(headers.get("token") == "t0" for headers in seen)


@KINDS
@pytest.mark.parametrize("answer,name", [
    (b"<!DOCTYPE html><html></html>", "an HTML page"), (b"-ERR unknown command\r\n", "plain text"),
    (b"+OK\r\n", "plain text"),
    (b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    "an HTTP response"),
])  # fmt: skip
def test_probes_name_a_foreign_protocol(kind, answer, name):
    server = Silent(lambda connection: connection.sendall(answer))
    with pytest.raises(tl.TransportError) as raised:
        tl.connect(server.address, IDL) if kind == "sync" else asyncio.run(
            entered(address=server.address, idl=IDL)
        )
    assert str(raised.value).startswith(
        f"{server.address}: expected a Thrift message, found {name}; no probe was answered ("
    ), raised.value
    assert "http_status" not in str(raised.value)
    (error,) = client_calls(
        kind, server.address, [("twice", {"number": 1}, {})], transport="framed", protocol="binary"
    )
    assert (
        str(error).startswith(f"{server.address}: expected a Thrift message") or len(answer) < 9
    ), error
