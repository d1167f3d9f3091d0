"""Handlers that raise anything, declared exceptions and their subclasses, oneway functions by the
IDL."""

import asyncio
import threading

import pytest
import thriftlens as tl
from raw_sockets import connect_to, read_message, wait_until

IDL = tl.loads("""
    exception NotFound { 1: i64 id, 2: string self }
    exception Other { 1: i64 id }
    service Shop {
      i64 get(1: string cause) throws (1: NotFound missing),
      string self(1: string self, 2: i32 cls)
      oneway void note(1: string text)
    }
    service Stock { i64 get(1: string cause) }
    """)
SHOP, STOCK = IDL.service("Shop"), IDL.service("Stock")
NotFound = IDL.exceptions["NotFound"]


class Own(BaseException):
    """None of Exception."""


class Missing(NotFound):
    """A subclass with additional state."""

    def __init__(self, id):
        super().__init__(id=id, self="me")
        self.extra = object()


RAISED = {
    exception.__name__: exception
    for exception in (
        StopIteration,
        StopAsyncIteration,
        asyncio.CancelledError,
        GeneratorExit,
        SystemExit,
        KeyboardInterrupt,
        Own,
        TimeoutError,
        asyncio.TimeoutError,
        RecursionError,
    )
}


def fail(cause):
    if cause in RAISED:
        raise RAISED[cause]("a secret")
    return 7


async def fail_later(cause):
    return fail(cause)


async def fail_after_a_pause(cause):
    await asyncio.sleep(0)
    return fail(cause)


def awaitable_of(cause):
    return fail_after_a_pause(cause)


class Result:
    """A value that fails when it is encoded."""

    def __init__(self, cause):
        self.cause = cause

    def __index__(self):
        return fail(self.cause)

    __int__ = __index__


@pytest.mark.parametrize("transport", ["framed", "http"])
@pytest.mark.parametrize("threads", [0, 2])
@pytest.mark.parametrize(
    "handler",
    [
        fail,
        fail_later,
        fail_after_a_pause,
        awaitable_of,
        lambda name, arguments, context: fail(arguments["cause"]),
    ],
)
def test_every_exception_of_a_handler_is_answered(handler, threads, transport, caplog):
    """Later calls on the same connection, and on other connections, are answered."""
    if transport == "http":
        pytest.importorskip("h11")
    if handler is awaitable_of and threads == 0:
        pytest.skip("a plain function in the loop returns values")
    handlers = handler if handler.__code__.co_argcount == 3 else {"get": handler}
    with tl.serve(
        IDL, "Shop", handlers, background=True, threads=threads, transport=transport
    ) as server:
        with tl.connect(
            server.address, IDL, "Shop", transport=transport, protocol="binary", timeout=600
        ) as client:
            for name in RAISED:
                caplog.clear()
                with pytest.raises(tl.ApplicationError) as caught:
                    client.get(name)
                assert caught.value.code == "internal_error" and "secret" not in str(caught.value)
                logged = "".join(
                    record.exc_text or str(record.exc_info) for record in caplog.records
                )
                assert RAISED[name].__name__ in logged, (name, caplog.text)
                assert client.get("all is well") == 7
            with tl.connect(
                server.address, IDL, "Shop", transport=transport, protocol="binary", timeout=600
            ) as other:
                assert other.get("all is well") == 7


@pytest.mark.parametrize("threads", [0, 2])
def test_pipelined_calls_around_one_that_raises(threads):
    with tl.serve(IDL, "Shop", {"get": fail}, background=True, threads=threads) as server:
        messages = [
            tl.Message(
                "get", "call", number, SHOP.function("get").arguments.encode({"cause": cause})
            )
            for number, cause in enumerate(("", "SystemExit", "", "StopIteration", ""))
        ]
        with connect_to(server) as stream:
            stream.sendall(b"".join(message.to_bytes(framed=True) for message in messages))
            answers = [read_message(stream) for _ in messages]
    result = [(answer.sequence_id, answer.kind) for answer in answers]
    assert result == [(0, "reply"), (1, "exception"), (2, "reply"), (3, "exception"), (4, "reply")]


def test_a_handler_that_does_not_let_itself_be_cancelled(caplog):
    """Its call is answered when its time is over, and close() does not wait for it."""

    async def stubborn(cause):
        while cause == "stay":
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                pass
        return 1

    with tl.serve(
        IDL, "Shop", {"get": stubborn}, background=True, limits={"request_time": 0.1}
    ) as server:
        with tl.connect(server.address, IDL, "Shop", timeout=600) as client:
            with pytest.raises(tl.ApplicationError, match="timed out"):
                client.get("stay")
            assert client.get("go") == 1
        server.close(0)
    assert "took longer than" in caplog.text


def test_a_timeout_in_the_handler_is_not_a_server_timeout(caplog):
    async def slow(cause):
        await asyncio.wait_for(asyncio.sleep(3600), 0.01)

    with (
        tl.serve(IDL, "Shop", {"get": slow}, background=True) as server,
        tl.connect(server.address, IDL, "Shop", timeout=600) as client,
    ):
        with pytest.raises(tl.ApplicationError, match="internal error in get"):
            client.get("x")
    assert "took longer" not in caplog.text and "Timeout" in caplog.text
    assert "get failed" in caplog.text


def test_the_log_names_no_option_of_encode(caplog):
    idl = tl.loads("struct R { 1: required i32 a } service S { R get() }")
    with (
        tl.serve(idl, "S", {"get": dict}, background=True) as server,
        tl.connect(server.address, idl) as client,
        pytest.raises(tl.ApplicationError, match="internal error in get"),
    ):
        client.get()
    assert "missing at $.success.a" in caplog.text and "accepted with" not in caplog.text


@pytest.mark.parametrize("threads", [0, 2])
def test_a_subclass_of_a_declared_exception_is_sent_as_the_declared_one(threads):
    def get(cause):
        raise Missing(5)

    with (
        tl.serve(IDL, "Shop", {"get": get}, background=True, threads=threads) as server,
        tl.connect(server.address, IDL, "Shop", timeout=600) as client,
    ):
        with pytest.raises(NotFound) as caught:
            client.get("x")
    assert type(caught.value) is NotFound and caught.value.to_dict() == {"id": 5, "self": "me"}


@pytest.mark.parametrize("values", [{"id": "text"}, {"id": 1 << 70}])
def test_a_declared_exception_that_does_not_fit_is_an_internal_error(values, caplog):
    def get(cause):
        raise NotFound(**values)

    with (
        tl.serve(IDL, "Shop", {"get": get}, background=True) as server,
        tl.connect(server.address, IDL, "Shop", timeout=600) as client,
    ):
        with pytest.raises(tl.ApplicationError, match="internal error"):
            client.get("x")


def test_fields_and_arguments_named_self():
    assert NotFound(self="x", id=3).to_dict() == {"id": 3, "self": "x"}
    handler = {"self": lambda me, cls: f"{me}{cls}"}
    with tl.serve(IDL, "Shop", handler, background=True) as server:
        with tl.connect(server.address, IDL, "Shop", timeout=600) as client:
            assert client.self(self="a", cls=1) == "a1" and client.self("a", 1) == "a1"
            assert client.call("self", {"self": "a", "cls": 1}) == "a1"

        async def main():
            async with tl.aio.connect(server.address, IDL, "Shop", timeout=600) as client:
                return await client.self(self="a", cls=1)

        assert asyncio.run(main()) == "a1"


@pytest.mark.parametrize("wrong", [{"X": 5}, {5: "x"}, {"X": None}, "text", 7, ["x"]])
def test_reply_headers_that_are_none_are_an_internal_error(wrong, caplog):
    def get(cause, context):
        if cause:
            context.reply_headers = wrong
        return 1

    with tl.serve(IDL, "Shop", {"get": get}, background=True) as server:
        with tl.connect(
            server.address, IDL, "Shop", transport="header", protocol="binary", timeout=600
        ) as client:
            with pytest.raises(tl.ApplicationError, match="internal error"):
                client.get("x")
            assert client.get("") == 1


@pytest.mark.parametrize("service", ["", "Shop:"])
@pytest.mark.parametrize("kind", ["call", "oneway"])
def test_the_idl_decides_which_calls_are_oneway(kind, service, protocol):
    """Go's client sends oneway functions as calls, more of them than may be in flight."""
    texts, count = [], 200
    with (
        tl.serve(
            IDL, "Shop", {"note": texts.append, "get": lambda cause: 7}, background=True
        ) as server,
        connect_to(server) as stream,
    ):
        for number in range(count):
            data = SHOP.function("note").arguments.encode({"text": str(number)}, protocol=protocol)
            stream.sendall(
                tl.Message(f"{service}note", kind, number, data, protocol).to_bytes(framed=True)
            )
        data = SHOP.function("get").arguments.encode({"cause": ""}, protocol=protocol)
        stream.sendall(
            tl.Message(f"{service}get", "call", 500, data, protocol).to_bytes(framed=True)
        )
        answer = read_message(stream)
        assert (answer.name, answer.sequence_id, answer.kind) == ("get", 500, "reply")
        wait_until(lambda: len(texts) == count)


@pytest.mark.parametrize("kind", ["call", "oneway"])
def test_a_oneway_function_without_a_handler_gets_no_reply(kind):
    with (
        tl.serve(IDL, "Shop", {"get": fail}, background=True) as server,
        connect_to(server) as stream,
    ):
        data = tl.Message(
            "note", kind, 1, SHOP.function("note").arguments.encode({"text": ""})
        ).to_bytes(framed=True)
        stream.sendall(data)
        data = tl.Message(
            "get", "call", 2, SHOP.function("get").arguments.encode({"cause": ""})
        ).to_bytes(framed=True)
        stream.sendall(data)
        assert read_message(stream).sequence_id == 2


@pytest.mark.parametrize("name, kind", [("get", "reply"), ("self", "exception")])
def test_a_two_way_function_replies_to_any_message_kind(name, kind):
    """As Apache's servers answer it; `self` has no handler."""
    with (
        tl.serve(IDL, "Shop", {"get": fail}, background=True, limits={"calls": 1}) as server,
        connect_to(server) as stream,
    ):
        for number in range(5):
            data = SHOP.function(name).arguments.encode(
                {"cause": ""} if name == "get" else {"self": "", "cls": 1}
            )
            stream.sendall(tl.Message(name, "oneway", number, data).to_bytes(framed=True))
            answer = read_message(stream)
            assert (answer.sequence_id, answer.kind, answer.name) == (number, kind, name)


@pytest.mark.parametrize("kind", ["call", "oneway"])
@pytest.mark.parametrize("threads", [0, 2])
def test_oneway_over_http_is_answered_before_its_handler_returns(kind, threads):
    """So is the next call of the connection."""
    pytest.importorskip("h11")
    begun, go_on = threading.Event(), threading.Event()

    async def note(text):
        begun.set()
        await asyncio.get_running_loop().run_in_executor(None, go_on.wait, 600)

    def note_in_thread(text):
        begun.set()
        go_on.wait(600)

    handler = {"note": note if threads == 0 else note_in_thread, "get": fail}
    with (
        tl.serve(
            IDL, "Shop", handler, background=True, transport="http", threads=threads
        ) as server,
        connect_to(server) as stream,
    ):
        body = tl.Message(
            "note", kind, 1, SHOP.function("note").arguments.encode({"text": ""})
        ).to_bytes()
        stream.sendall(
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        )
        assert begun.wait(600)
        head = b""
        while b"\r\n\r\n" not in head:
            head += stream.recv(1)
        assert head.startswith(b"HTTP/1.1 200") and b"content-length: 0" in head.lower()
        body = tl.Message(
            "get", "call", 2, SHOP.function("get").arguments.encode({"cause": ""})
        ).to_bytes()
        stream.sendall(
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        )
        assert stream.recv(65536).startswith(b"HTTP/1.1 200")
        go_on.set()
