"""Peers that disconnect, send wrong data, are slow or silent: a clear error, no hang, no leaked
resources."""

import asyncio
import contextlib
import gc
import random
import socket
import ssl
import struct
import threading

import pytest
import thriftlens as tl
from raw_sockets import connect_to, read_exactly, read_message, read_until_closed, wait_until

try:
    import resource
except ImportError:  # Windows
    resource = None

IDL = tl.loads(
    "struct Order { 1: i64 id, 2: string note } service Shop { Order get(1: i64 id), oneway void "
    "note(1: string text) }"
)
GET = IDL.service("Shop").function("get")
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close() sends a reset
ANSWER = {"id": 7, "note": "a note"}


class Peer:
    """A server that runs `script` on its connections, one after another."""

    def __init__(self, script, wrap=lambda connection: connection):
        self.script, self.wrap = script, wrap
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listening.getsockname()[1]
        self.count = 0
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            self.count += 1
            with contextlib.suppress(OSError), contextlib.closing(connection):
                connection.settimeout(600)
                self.script(self.wrap(connection))

    def __enter__(self):
        return self

    def __exit__(self, *exception_info):
        with contextlib.suppress(OSError):
            self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        self.thread.join(600)
        assert not self.thread.is_alive()


def reply(protocol, transport, sequence_id=1, name="get", kind="reply", value=None):
    data = GET.result.encode({"success": ANSWER} if value is None else value, protocol=protocol)
    return tl.Message(name, kind, sequence_id, data, protocol).to_bytes(
        framed=transport == "framed"
    )


def read_call(connection):
    """As much as one call is here: it comes in one piece."""
    return connection.recv(65536)


@pytest.fixture(params=["buffered", "framed"])
def transport(request):
    return request.param


@pytest.fixture(params=["sync", "asyncio"])
def call(request, transport, protocol):
    """Calls get() `times` times through one client: values, or the exceptions."""

    def sync(address, times=1, **options):
        options = {"transport": transport, "protocol": protocol, "timeout": 20, **options}
        answers = []
        with tl.connect(address, IDL, **options) as client:
            for _ in range(times):
                try:
                    answers.append(client.get(1))
                except tl.Error as error:
                    answers.append(error)
        return answers

    def through_loop(address, times=1, **options):
        async def main():
            answers = []
            async with tl.aio.connect(
                address,
                IDL,
                **{"transport": transport, "protocol": protocol, "timeout": 20, **options},
            ) as client:
                for _ in range(times):
                    try:
                        answers.append(await client.get(1))
                    except tl.Error as error:
                        answers.append(error)
            return answers

        return asyncio.run(main())

    return sync if request.param == "sync" else through_loop


def test_a_reply_cut_at_every_byte(call, transport, protocol):
    message = reply(protocol, transport)
    for size in range(len(message)):

        def script(connection):
            read_call(connection)
            connection.sendall(message[:size])

        with Peer(script) as peer:
            (error,) = call(peer.address)
        assert isinstance(error, tl.TransportError) and error.code == "closed"
        assert ("inside a message" in str(error)) == (size > 0), size
        assert (f"check that it speaks {transport} {protocol}" in str(error)) == (size == 0), size


def test_a_reset_after_every_byte_of_a_call(call, transport, protocol):
    count = len(call_bytes(protocol, transport))
    sizes = iter(range(1, count + 1))

    def script(connection):
        size = next(sizes)
        while size > 0 and (data := connection.recv(size)):
            size -= len(data)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    with Peer(script) as peer:
        errors = call(peer.address, times=count)
    assert {error.code for error in errors} == {"closed"} and len(errors) == count
    assert peer.count == count, "every call opened its own connection"


def test_the_call_after_a_fault_reconnects(call, transport, protocol):
    def script(connection):
        read_call(connection)
        if peer.count > 1:
            connection.sendall(reply(protocol, transport))
            connection.recv(1)

    with Peer(script) as peer:
        error, answer = call(peer.address, times=2)
    assert error.code == "closed" and answer == ANSWER


def test_a_sent_call_is_not_retried(call):
    calls = []
    with Peer(lambda connection: calls.append(read_call(connection))) as peer:
        (error,) = call(peer.address)
    assert error.code == "closed" and len(calls) == 1


def test_a_giant_frame(call, transport):
    if transport == "buffered":
        pytest.skip("only frames say their size")

    def script(connection):
        read_call(connection)
        connection.sendall(b"\x7f\xff\xff\xff" + b"x" * 100)
        connection.recv(1)

    with Peer(script) as peer:
        (error,) = call(peer.address)
    assert isinstance(error, tl.DecodeError)


@pytest.mark.parametrize(
    "change",
    [{"sequence_id": 99}, {"sequence_id": -1}, {"name": "got"}, {"kind": "call"}, {"name": ""}],
    ids=["another id", "below", "another name", "a call", "no name"],
)
def test_replies_to_another_call(call, transport, protocol, change):
    def script(connection):
        read_call(connection)
        connection.sendall(reply(protocol, transport, **change))
        connection.recv(1)

    with Peer(script) as peer:
        (error,) = call(peer.address)
    assert isinstance(error, (tl.DecodeError, tl.ApplicationError)), error
    assert (
        error.code and "get" in str(error) or "99" in str(error) or "-1" in str(error) or error.code
    )


def test_a_reply_before_the_call(call, transport, protocol):
    def script(connection):
        connection.sendall(reply(protocol, transport, sequence_id=5))
        read_call(connection)
        connection.recv(1)

    with Peer(script) as peer:
        (error,) = call(peer.address)
    assert isinstance(error, tl.Error) and error.code in ("bad_sequence_id", "closed")


def test_garbage(call):
    random_ = random.Random(7)
    for _ in range(20):
        garbage = random_.randbytes(random_.randrange(4, 200))

        def script(connection):
            read_call(connection)
            connection.sendall(garbage)

        with Peer(script) as peer:
            (error,) = call(peer.address)
        assert isinstance(error, tl.Error) and error.code, garbage


def test_a_reply_that_does_not_fit_the_idl(call, transport, protocol):
    other = tl.loads("struct R { 0: string success }").R.encode(
        {"success": "text"}, protocol=protocol
    )
    message = tl.Message("get", "reply", 1, other, protocol).to_bytes(framed=transport == "framed")

    def script(connection):
        read_call(connection)
        connection.sendall(message)
        read_call(connection)
        connection.sendall(reply(protocol, transport, sequence_id=2))
        connection.recv(1)

    with Peer(script) as peer:
        error, answer = call(peer.address, times=2)
    assert isinstance(error, tl.DecodeError) and error.path == "$.success"
    assert answer == ANSWER and peer.count == 1, "the connection is sound"


def test_an_empty_reply(call, transport, protocol):
    def script(connection):
        read_call(connection)
        connection.sendall(reply(protocol, transport, value={}))
        connection.recv(1)

    with Peer(script) as peer:
        (error,) = call(peer.address)
    assert isinstance(error, tl.ApplicationError) and error.code == "missing_result"


def test_a_silent_server(call):
    with Peer(lambda connection: connection.recv(65536) and connection.recv(1)) as peer:
        (error,) = call(peer.address, timeout=0.2)
    assert isinstance(error, tl.TransportError) and error.code == "timeout" and "get" in str(error)


def test_a_server_that_drips(call, transport, protocol):
    """One byte now and then does not keep a call alive."""
    over = threading.Event()

    def script(connection):
        read_call(connection)
        for byte in reply(protocol, transport, value={"success": {"note": "x" * 10_000}}):
            connection.sendall(bytes([byte]))
            if over.wait(0.02):
                return

    with Peer(script) as peer:
        (error,) = call(peer.address, timeout=0.3)
        over.set()
    assert isinstance(error, tl.TransportError) and error.code == "timeout"


def test_a_server_that_does_not_read(call):
    """A call larger than the buffers of the kernel."""
    over = threading.Event()
    wide = tl.loads("service Shop { i32 put(1: binary data) }")

    async def through_loop(address):
        async with tl.aio.connect(
            address, wide, transport="buffered", protocol="binary", timeout=0.3
        ) as client:
            await client.put(b"x" * (32 << 20))

    with Peer(lambda connection: over.wait(600)) as peer:
        with pytest.raises(tl.TransportError) as error:
            with tl.connect(
                peer.address, wide, transport="buffered", protocol="binary", timeout=0.3
            ) as client:
                client.put(b"x" * (32 << 20))
        over.set()
        assert error.value.code == "timeout"
    over.clear()
    with Peer(lambda connection: over.wait(600)) as peer:
        with pytest.raises(tl.TransportError) as error:
            asyncio.run(through_loop(peer.address))
        over.set()
        assert error.value.code == "timeout"


def test_late_replies_are_ignored(transport, protocol):
    """A call times out while another one waits: the connection stays open and the late reply is
    dropped."""

    size = len(call_bytes(protocol, transport))

    def script(connection):
        read_exactly(connection, 2 * size)
        for sequence_id in (1, 2):
            go_on[sequence_id - 1].wait(600)
            connection.sendall(reply(protocol, transport, sequence_id=sequence_id))
        read_exactly(connection, size)
        connection.sendall(reply(protocol, transport, sequence_id=3))
        connection.recv(1)

    go_on = [threading.Event(), threading.Event()]

    async def main(address):
        async with tl.aio.connect(
            address, IDL, transport=transport, protocol=protocol, timeout=600
        ) as client:
            short = asyncio.ensure_future(client.get(1, timeout=0.1))
            long = asyncio.ensure_future(client.get(1))
            with pytest.raises(tl.TransportError):
                await short
            for event in go_on:
                event.set()
            assert await long == ANSWER and await client.get(1) == ANSWER

    with Peer(script) as peer:
        asyncio.run(main(peer.address))
    assert peer.count == 1


def test_cancelled_calls_release_their_resources(transport, protocol):
    async def main(address):
        async with tl.aio.connect(
            address, IDL, transport=transport, protocol=protocol, timeout=600
        ) as client:
            calls = [asyncio.ensure_future(client.get(1)) for _ in range(10)]
            await asyncio.sleep(0)
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
            assert all(call.cancelled() for call in calls)
            assert not any(link.in_flight for link in client._pool.links)

    with Peer(lambda connection: connection.recv(65536) and connection.recv(1)) as peer:
        asyncio.run(main(peer.address))


def test_refused_connections_are_reported(call):
    free = socket.create_server(("127.0.0.1", 0))
    address = "127.0.0.1:%d" % free.getsockname()[1]
    free.close()
    with pytest.raises(tl.TransportError) as error:
        call(address)
    assert error.value.code == "connection_refused" and address in str(error.value)


def test_no_such_host_and_no_such_socket(call, tmp_path):
    for address in ("no-such-host.invalid:1", f"unix:{tmp_path}/none"):
        with pytest.raises(tl.TransportError) as error:
            call(address)
        assert error.value.code == "not_found"


def test_a_server_that_answers_no_probe():
    with Peer(lambda connection: connection.recv(65536)) as peer:
        with pytest.raises(tl.TransportError) as error:
            tl.connect(peer.address, IDL)
    assert error.value.code == "no_transport" and "framed compact: closed" in str(error.value)


@pytest.mark.parametrize("greeting, name", [
    (b"\x04\0\0\0\x07Invalid", "sasl"), (b"HTTP/1.1 400 Bad Request\r\n\r\n", "http"),
    (b"\0\0\0\x20\x0f\xff\0\0", "header"),
])  # fmt: skip
def test_explicit_options_override_detection(greeting, name, protocol):
    """With an explicit transport the probes only detect the protocol; with both explicit there are
    no probes."""
    with Peer(lambda connection: connection.recv(65536) and connection.sendall(greeting)) as peer:
        with pytest.raises(tl.TransportError) as error:
            tl.connect(peer.address, IDL, transport="framed", timeout=600)
        assert error.value.code == "no_transport" and f"framed compact: this is {name}" in str(
            error.value
        )
        assert "transport='auto' also tries the others" in str(error.value)
        previous_count = peer.count
        with tl.connect(
            peer.address, IDL, transport="framed", protocol=protocol, timeout=600
        ) as client:
            assert client.transport == "framed"
            with pytest.raises(tl.Error):
                client.get(1)
        assert peer.count == previous_count + 1


@pytest.fixture(scope="module")
def authority():
    trustme = pytest.importorskip("trustme")
    return trustme.CA()


def server_context(authority, *names):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    return context


def test_tls(authority, call, protocol, transport):
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    handler = {"get": lambda id: ANSWER}
    with tl.serve(
        IDL, "Shop", handler, tls=server_context(authority, "localhost"), background=True
    ) as server:
        address = server.address.replace("127.0.0.1", "localhost")
        assert call(address, tls=trusting, times=3) == [ANSWER] * 3
        for wrong, tls in (
            (address, True),
            (server.address, trusting),
        ):  # not trusted; another name
            with pytest.raises(tl.TransportError) as error:
                call(wrong, tls=tls)
            assert error.value.code == "certificate" and "not trusted" in str(error.value)
        with pytest.raises(tl.TransportError, match="server speaks TLS: pass tls=True") as error:
            call(address, transport="auto", protocol="auto")
        assert error.value.code == "no_transport"
    with Peer(
        lambda connection: read_call(connection) and connection.sendall(b"no TLS here")
    ) as peer:
        with pytest.raises(tl.TransportError) as error:
            call(peer.address, tls=True)
        assert error.value.code == "closed" or "check that the server" in str(error.value)


class Client:
    """Raw bytes to a thriftlens server."""

    def __init__(self, server):
        self.socket = connect_to(server)

    def send(self, data):
        self.socket.sendall(data)
        return self

    def rest(self):
        data = read_until_closed(self.socket)
        self.socket.close()
        return data

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.socket.close()


def call_bytes(protocol, transport, name="get", kind="call", sequence_id=1, data=None):
    data = GET.arguments.encode({"id": 1}, protocol=protocol) if data is None else data
    return tl.Message(name, kind, sequence_id, data, protocol).to_bytes(
        framed=transport == "framed"
    )


@pytest.fixture
def server():
    with tl.serve(
        IDL, "Shop", {"get": lambda id: ANSWER, "note": lambda text: None}, background=True
    ) as server:
        yield server
        wait_until(lambda: server.connections == 0)


def test_calls_cut_and_reset_at_every_byte(server, transport, protocol):
    message = call_bytes(protocol, transport)
    for size in range(len(message) + 1):
        Client(server).send(message[:size]).reset()
        client = Client(server).send(message[:size])
        client.socket.shutdown(socket.SHUT_WR)
        assert bool(client.rest()) == (size == len(message)), size
    with tl.connect(server.address, IDL, transport=transport, protocol=protocol) as client:
        assert client.get(1) == ANSWER


def test_garbage_to_a_server(server):
    random_ = random.Random(7)
    for _ in range(100):
        client = Client(server).send(random_.randbytes(random_.randrange(1, 300)))
        client.socket.shutdown(socket.SHUT_WR)
        client.rest()
    with tl.connect(server.address, IDL) as client:
        assert client.get(1) == ANSWER


def test_malformed_calls_close_the_connection(server, transport, protocol):
    for wrong in (
        b"\x7f\xff\xff\xff\x80\x01",
        call_bytes(protocol, transport, kind="reply"),
        b"\x16\x03\x01\x02\x00\x01" * 2,
    ):
        assert Client(server).send(wrong).rest() == b""


def test_a_call_that_is_too_large(transport, protocol):
    with tl.serve(
        IDL,
        "Shop",
        {"note": lambda text: None},
        transport=transport,
        protocol=protocol,
        limits={"frame_size": 1000},
        background=True,
    ) as server:
        large = tl.loads("struct A { 1: string text }").A.encode(
            {"text": "x" * 2000}, protocol=protocol
        )
        assert (
            Client(server)
            .send(call_bytes(protocol, transport, "note", "oneway", data=large))
            .rest()
            == b""
        )


def test_unknown_functions_and_arguments_that_do_not_fit(server, transport, protocol):
    other = tl.loads("struct A { 1: string id }").A.encode({"id": "x"}, protocol=protocol)
    for name, data, code in (("gone", None, "unknown_method"), ("get", other, "protocol_error")):
        client = Client(server).send(call_bytes(protocol, transport, name, data=data))
        client.socket.shutdown(socket.SHUT_WR)
        message = tl.read_message(client.rest())
        assert message.kind == "exception" and message.name == name and message.sequence_id == 1
        assert message.decode()["type"] == {"unknown_method": 1, "protocol_error": 7}[code]


@pytest.mark.parametrize("framed", [False, True])
def test_messages_of_old_binary_writers(server, framed):
    """Without a version in front, as the first Thrift libraries wrote them; the reply is of the
    same form."""
    data = b"\x00\x00\x00\x03get\x01\x00\x00\x00\x07" + GET.arguments.encode({"id": 1})
    client = Client(server).send((struct.pack(">I", len(data)) if framed else b"") + data)
    client.socket.shutdown(socket.SHUT_WR)
    answer = client.rest()[4 if framed else 0 :]
    head = b"\x00\x00\x00\x03get\x02\x00\x00\x00\x07"
    assert answer[: len(head)] == head
    assert GET.result.decode(answer[len(head) :]) == {"success": ANSWER}


def test_idle_and_slow_connections_are_closed(transport, protocol):
    with tl.serve(
        IDL, "Shop", {"get": lambda id: ANSWER}, limits={"idle": 0.2}, background=True
    ) as server:
        assert Client(server).rest() == b""
        assert Client(server).send(call_bytes(protocol, transport)[:7]).rest() == b""


@pytest.mark.skipif(resource is None, reason="limits of open files are Unix's")
def test_a_thousand_idle_connections_and_sixty_four_that_are_busy(transport, protocol):
    """All in one loop: the idle ones cost nothing, every call of the busy ones is answered, and all
    live on."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = 4096
    if hard != resource.RLIM_INFINITY and hard < limit:
        pytest.skip(f"only {hard} open files are allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, limit), hard))

    async def main():
        options = {"transport": transport, "protocol": protocol, "timeout": 60}
        async with await tl.aio.serve(
            IDL, "Shop", {"get": lambda id: {"id": id}}, threads=0
        ) as server:
            host, _, port = server.address.rpartition(":")
            idle = [(await asyncio.open_connection(host, int(port)))[1] for _ in range(1000)]
            busy = [await tl.aio.connect(server.address, IDL, **options) for _ in range(64)]

            async def work(client, number):
                return [(await client.get(number * 100 + index))["id"] for index in range(10)]

            answers = await asyncio.gather(
                *(work(client, number) for number, client in enumerate(busy))
            )
            assert answers == [
                [number * 100 + index for index in range(10)] for number in range(64)
            ]
            assert server.connections == 1064
            late = tl.aio.connect(server.address, IDL, **options)
            async with late as client:
                assert (await client.get(5))["id"] == 5
            for idle_link in idle:
                idle_link.transport.abort()
            await asyncio.gather(*(client.close() for client in busy))

    try:
        asyncio.run(main())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_client_with_a_certificate_that_the_server_does_not_trust(
    authority, call, protocol, transport
):
    """Mutual TLS: one of another authority, and none at all."""
    import trustme

    context = server_context(authority, "localhost")
    context.verify_mode = ssl.CERT_REQUIRED
    authority.configure_trust(context)
    with tl.serve(IDL, "Shop", {"get": lambda id: ANSWER}, tls=context, background=True) as server:
        address = server.address.replace("127.0.0.1", "localhost")
        for issuer, is_right in ((authority, True), (trustme.CA(), False), (None, False)):
            mine = ssl.create_default_context()
            authority.configure_trust(mine)
            if issuer is not None:
                issuer.issue_cert("client@example.org").configure_cert(mine)
            if is_right:
                assert call(address, tls=mine) == [ANSWER]
                continue
            # TLS 1.3 reports a rejected client after the handshake, on the first read.
            try:
                (error,) = call(address, tls=mine)
            except tl.TransportError as raised:
                error = raised
            assert isinstance(error, tl.TransportError) and error.code in ("tls", "closed"), error


def test_connections_above_the_limit(transport, protocol):
    with tl.serve(
        IDL, "Shop", {"get": lambda id: ANSWER}, limits={"connections": 2}, background=True
    ) as server:
        options = {"transport": transport, "protocol": protocol}
        clients = [tl.connect(server.address, IDL, **options) for _ in range(2)]
        assert [client.get(1) for client in clients] == [ANSWER] * 2
        assert Client(server).rest() == b""
        clients.pop().close()
        wait_until(lambda: server.connections == 1)
        with tl.connect(server.address, IDL, **options) as second:
            assert second.get(1) == ANSWER
        clients.pop().close()


def test_a_client_that_does_not_read_replies(protocol):
    """The server stops reading its calls, and others are served."""
    big = {"note": "x" * (1 << 20)}
    with tl.serve(
        IDL, "Shop", {"get": lambda id: big}, limits={"calls": 4}, background=True
    ) as server:
        greedy = Client(server)
        for number in range(200):
            greedy.send(call_bytes(protocol, "framed", sequence_id=number))
        with tl.connect(server.address, IDL, transport="framed", protocol=protocol) as client:
            assert client.get(1) == big
        for number in range(200):
            assert read_message(greedy.socket).sequence_id == number, (
                "replies in the order of the calls"
            )
        greedy.socket.close()


def test_faults_leave_no_sockets(call, transport, protocol):
    def count():
        gc.collect()
        return sum(
            1
            for object_ in gc.get_objects()
            if isinstance(object_, socket.socket) and object_.fileno() >= 0
        )

    def script(connection):
        read_call(connection)
        connection.sendall(reply(protocol, transport)[:-3])

    socket_count = count()
    with Peer(script) as peer:
        assert {error.code for error in call(peer.address, times=20)} == {"closed"}
    assert count() <= socket_count
