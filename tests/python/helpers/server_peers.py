"""Shared by the tests of server peers."""

import contextlib
import socket
import ssl
import threading

import pytest
import thriftlens as tl

IDL = tl.loads("""
    struct Empty {}
    service Shop { i32 get(1: i32 id), i32 put(1: binary data), i32 many(1: list<Empty> items),
      binary large(1: i32 size), oneway void note(1: binary text) }
    """)
SHOP = IDL.service("Shop")
MIB = 1 << 20
HANDLER = {"get": lambda id: id, "put": len, "many": len, "large": bytes, "note": lambda text: None}


def message(name, arguments, sequence_id=1, protocol="binary", kind="call"):
    data = SHOP.function(name).arguments.encode(arguments, protocol=protocol)
    return tl.Message(name, kind, sequence_id, data, protocol).to_bytes(framed=True)


@contextlib.contextmanager
def serving(answer):
    """A server that answers whatever comes with these bytes."""
    listening = socket.create_server(("127.0.0.1", 0))

    def work():
        with contextlib.suppress(OSError):
            while True:
                stream, _ = listening.accept()
                with stream:
                    stream.recv(65536)
                    stream.sendall(answer)
                    stream.recv(65536)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    yield "127.0.0.1:%d" % listening.getsockname()[1]
    with contextlib.suppress(OSError):
        listening.shutdown(socket.SHUT_RDWR)
    listening.close()


def state_of(server):
    return server._server._state


def frame_with_persistent(pairs, payload):
    header = b"\0\0"
    if pairs:
        header += (
            b"\2"
            + varint(len(pairs))
            + b"".join(varint(len(text)) + text for pair in pairs for text in pair)
        )
    header += bytes(-len(header) % 4)
    data = b"\x0f\xff\0\0\0\0\0\1" + (len(header) // 4).to_bytes(2, "big") + header + payload
    return len(data).to_bytes(4, "big") + data


def varint(number):
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def server_context():
    trustme = pytest.importorskip("trustme")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("localhost").configure_cert(context)
    return context
