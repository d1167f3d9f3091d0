"""thriftlens servers: kinds of handlers, forms of answers, exceptions, context, threads, graceful
stop, several services, recordings."""

import asyncio
import contextlib
import gc
import inspect
import io
import logging
import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass

import pytest
import thriftlens as tl
from thriftlens._rpc import threads as _threads

IDL = tl.loads("""
    exception NotFound { 1: i64 id }
    exception Other { 1: i64 id }
    struct Order { 1: required i64 id, 2: string note, 3: list<i32> sizes }
    service Base { string version() }
    service Shop extends Base {
      Order get(1: i64 id, 2: string note = "none") throws (1: NotFound missing),
      void done(1: i64 id),
      oneway void note(1: string text)
    }
    service Stock { i32 count(1: i64 id), string version() }
    """)
NotFound, Other = IDL.exceptions["NotFound"], IDL.exceptions["Other"]
SHOP = IDL.service("Shop")


def answers(handler, *calls, service="Shop", protocol="binary", **options):
    """Results of get() for the arguments: values or exceptions."""
    with tl.serve(
        IDL, service, handler, background=True, transport="framed", protocol=protocol, **options
    ) as server:
        with tl.connect(
            server.address, IDL, service, transport="framed", protocol=protocol, timeout=600
        ) as client:
            return [outcome(lambda: client.get(*call)) for call in calls]


def outcome(call):
    try:
        return call()
    except (tl.Error, tl.ThriftException) as error:
        return error


class Methods:
    def get(self, id, note):
        return {"id": id, "note": note}


class Coroutines:
    async def get(self, id, note):
        await asyncio.sleep(0)
        return {"id": id, "note": note}


def for_all(name, arguments, context):
    assert context.function is not None and context.function.name == name
    return {"id": arguments["id"], "note": arguments["note"]}


async def for_all_later(name, arguments, context):
    return for_all(name, arguments, context)


def late(id, note):
    return Coroutines().get(id, note)


@pytest.mark.parametrize("threads", [0, 2])
@pytest.mark.parametrize(
    "handler",
    [Methods(), Coroutines(), {"get": Methods().get}, {"get": late}, for_all, for_all_later],
)
def test_kinds_of_handlers(handler, threads, protocol):
    if threads == 0 and isinstance(handler, dict) and handler["get"] is late:
        pytest.skip("a plain function in the loop returns values")
    result = answers(handler, (3,), (4, "x"), threads=threads, protocol=protocol)
    assert result == [{"id": 3, "note": "none"}, {"id": 4, "note": "x"}]


def test_arguments_as_views(protocol):
    seen = []

    def look(name, arguments, context):
        seen.append(type(arguments))
        return {"id": arguments.id, "note": arguments.note}

    assert answers(look, (3, "x"), arguments="view", protocol=protocol) == [{"id": 3, "note": "x"}]
    assert seen == [tl.StructView]


@dataclass
class Order:
    id: int
    note: str


def test_forms_of_answers(protocol):
    data = IDL.Order.encode({"id": 3, "note": "x"}, protocol=protocol)
    other = IDL.Order.encode(
        {"id": 3, "note": "x"}, protocol="compact" if protocol == "binary" else "binary"
    )
    other_view = IDL.Order.view(other, protocol="compact" if protocol == "binary" else "binary")
    for answer in (
        {"id": 3, "note": "x"}, Order(3, "x"), data, bytearray(data),
        IDL.Order.view(data, protocol=protocol), other_view,
    ):  # fmt: skip
        assert answers({"get": lambda id, note: answer}, (3,), protocol=protocol) == [
            {"id": 3, "note": "x"}
        ], type(answer)


def test_invalid_answers(caplog):
    for answer, code in (
        (None, "missing_result"),
        ({"note": "x"}, "internal_error"),
        ("text", "internal_error"),
        (b"\x08\x00", "internal_error"),
    ):
        (error,) = answers({"get": lambda id, note: answer}, (3,))
        assert isinstance(error, tl.ApplicationError) and error.code == code
        assert "text" not in str(error)
    assert "get failed" in caplog.text, "the log has the error"


def test_exceptions_of_handlers(caplog):
    def fail(id, note):
        raise {
            1: NotFound(7),
            2: Other(7),
            3: KeyError("a secret"),
            4: tl.ApplicationError("later", code="internal_error"),
            5: tl.ApplicationError("no", code="unknown_method"),
        }[id]

    for threads in (0, 2):
        missing, other, internal, own, unknown = answers(
            {"get": fail}, *((number,) for number in range(1, 6)), threads=threads
        )
        assert missing == NotFound(7)
        assert other.code == internal.code == "internal_error"
        assert "secret" not in f"{other}{internal}"
        assert str(own) == "later" and own.code == "internal_error" and str(unknown) == "no"
        assert unknown.code == "unknown_method"
    assert "a secret" in caplog.text


def test_functions_without_a_handler():
    with tl.serve(IDL, "Shop", {"get": lambda id, note: {"id": 1}}, background=True) as server:
        with tl.connect(
            server.address, IDL, "Shop", transport="framed", protocol="binary"
        ) as client:
            error = outcome(client.version)
            assert (error.code, str(error)) == ("unknown_method", "no function 'version'")
            assert client.note("x") is None, "oneway: the client gets no error"
            assert client.get(1) == {"id": 1}
    with pytest.raises(tl.UnknownNameError, match="no function 'gett' in Shop; did you mean 'get'"):
        tl.serve(IDL, "Shop", {"gett": print}, background=True)
    with pytest.raises(TypeError, match="missing handler"):
        tl.serve(IDL, "Shop", background=True)
    with pytest.raises(ValueError, match="transport must be one of"):
        tl.serve(IDL, "Shop", Methods(), transport="udp", background=True)


def test_context(protocol):
    seen = []

    def get(id, note, context):
        seen.append(context)
        return {"id": id}

    assert answers({"get": get}, (3,), protocol=protocol) == [{"id": 3}]
    (context,) = seen
    assert context.name == "get" and context.protocol == protocol and context.transport == "framed"
    assert context.peer[0] == "127.0.0.1"
    assert context.function == SHOP.function("get") and context.headers == {}


@pytest.mark.parametrize("transport", ["header", "ttheader", "ttheader_framed", "framed"])
def test_headers_go_both_ways_where_the_transport_has_them(transport):
    seen = []

    def get(id, note, context):
        seen.append(dict(context.headers))
        context.reply_headers["answer"] = "yes"
        return {"id": id}

    with tl.serve(IDL, "Shop", {"get": get}, background=True) as server:
        with tl.connect(
            server.address, IDL, "Shop", transport=transport, protocol="binary"
        ) as client:
            if transport == "framed":
                with pytest.raises(tl.Error) as error:
                    client.get(3, headers={"trace": "abc"})
                assert error.value.code == "bad_option" and client.get(3) == {"id": 3}
            else:
                assert client.get(3, headers={"trace": "abc"}) == {"id": 3}
                assert seen[0]["trace"] == "abc"


@pytest.mark.parametrize("transport", ["header", "ttheader", "ttheader_framed", "sasl"])
def test_every_transport_with_our_own_client(transport, protocol):
    with tl.serve(
        IDL,
        "Shop",
        Methods(),
        users={"ann": "pw"} if transport == "sasl" else None,
        background=True,
    ) as server:
        address = f"ann:pw@{server.address}" if transport == "sasl" else server.address
        with tl.connect(address, IDL, "Shop", transport=transport, protocol=protocol) as client:
            assert [client.get(id)["id"] for id in range(5)] == list(range(5))

        async def main():
            async with tl.aio.connect(
                address, IDL, "Shop", transport=transport, protocol=protocol
            ) as client:
                return await asyncio.gather(*(client.get(id, select="{ id }") for id in range(5)))

        assert asyncio.run(main()) == [{"id": id} for id in range(5)]


def test_a_recording_answers_as_a_mock_server(protocol):
    from thriftlens._capture.recording_format import Writer

    stream, get = io.BytesIO(), SHOP.function("get")
    writer = Writer(stream)
    for number, (sender, kind, type, value) in enumerate(
        [
            ("client", "call", get.arguments, {"id": 7}),
            ("server", "reply", get.result, {"success": {"id": 7, "note": "recorded"}}),
            ("client", "call", get.arguments, {"id": 8}),
            ("server", "reply", get.result, {"missing": {"id": 8}}),
        ]
    ):
        message = tl.Message("get", kind, number // 2, type.encode(value))
        writer.message(tl.Recorded(0, sender, 1.0, 1.0, message, "framed"))
    with tl.serve(IDL, "Shop", tl.Recording(stream.getvalue()), background=True) as server:
        with tl.connect(
            server.address, IDL, "Shop", transport="framed", protocol=protocol
        ) as client:
            argument = {"id": 7}
            assert client.call("get", argument) == {"id": 7, "note": "recorded"}
            assert outcome(lambda: client.call("get", {"id": 8})) == NotFound(8)
            assert outcome(lambda: client.call("get", {"id": 9})).code == "internal_error"
            assert outcome(client.version).code == "unknown_method"


def test_a_mock_server_accepts_recorded_oneway_calls_silently(protocol, caplog):
    from thriftlens._capture.recording_format import Writer

    stream, note = io.BytesIO(), SHOP.function("note")
    Writer(stream).message(
        tl.Recorded(
            0,
            "client",
            1.0,
            1.0,
            tl.Message("note", "oneway", 1, note.arguments.encode({"text": "known"})),
            "framed",
        )
    )
    recording = tl.Recording(stream.getvalue())
    with tl.serve(IDL, "Shop", recording, background=True) as server:
        failed = "the oneway call 'note' failed: no recorded call of note has these arguments"
        for text, logged in (("known", []), ("other", [failed])):
            with tl.connect(
                server.address, IDL, "Shop", transport="framed", protocol=protocol
            ) as client:
                assert client.note(text) is None
                assert outcome(client.version).code == "unknown_method", (
                    "a call whose answer shows that the previous one was read"
                )
            assert [record.getMessage() for record in caplog.records] == logged
    assert recording.has("note", note.arguments.encode({"text": "known"}))
    assert not recording.has("note", b"\0") and not recording.has("lose", b"\0")


def test_several_services_are_distinguished_by_name(protocol):
    handlers = {
        "Shop": {"version": lambda: "shop", "get": lambda id, note: {"id": id}},
        "Stock": {"version": lambda: "stock", "count": lambda id: 5},
    }
    options = {"transport": "framed", "protocol": protocol}
    with tl.serve(IDL, handlers, background=True, **options) as server:
        with (
            tl.connect(server.address, IDL, "Stock", multiplexed=True, **options) as stock,
            tl.connect(server.address, IDL, "Shop", multiplexed=True, **options) as shop,
        ):
            assert stock.version() == "stock" and stock.count(1) == 5 and shop.version() == "shop"
            assert shop.get(4) == {"id": 4}
        with tl.connect(server.address, IDL, "Stock", **options) as plain:
            assert (plain.version(), plain.count(1)) == ("shop", 5), (
                "without a service in front the first that has the function"
            )


def test_calls_of_one_connection_run_at_the_same_time_and_are_answered_in_order():
    is_second = asyncio.Event
    order = []

    async def main():
        second = asyncio.Event()

        async def get(id, note):
            if id == 1:
                await second.wait()
            else:
                second.set()
            order.append(id)
            return {"id": id}

        async with await tl.aio.serve(
            IDL, "Shop", {"get": get}, transport="framed", protocol="binary"
        ) as server:
            reader, writer = await asyncio.open_connection(*server.address.split(":"))
            for id in (1, 2):
                data = SHOP.function("get").arguments.encode({"id": id})
                writer.write(tl.Message("get", "call", id, data).to_bytes(framed=True))
            frames = [
                await reader.readexactly(int.from_bytes(await reader.readexactly(4), "big"))
                for _ in range(2)
            ]
            writer.close()
            return [tl.read_message(frame).sequence_id for frame in frames]

    assert is_second and asyncio.run(main()) == [1, 2] and order == [2, 1]


def test_a_call_that_takes_too_long(caplog):
    async def get(id, note):
        await asyncio.sleep(3600)

    (error,) = answers({"get": get}, (1,), limits={"request_time": 0.1})
    assert error.code == "internal_error" and "timed out" in str(error)


def test_a_graceful_stop_answers_what_runs():
    go_on, is_running = threading.Event(), threading.Event()

    def get(id, note):
        is_running.set()
        assert go_on.wait(600)
        return {"id": id}

    server = tl.serve(
        IDL, "Shop", {"get": get}, background=True, transport="framed", protocol="binary"
    )
    client = tl.connect(
        server.address, IDL, "Shop", transport="framed", protocol="binary", timeout=600
    )
    got = []
    calling = threading.Thread(target=lambda: got.append(client.get(5)))
    calling.start()
    assert is_running.wait(600)
    closing = threading.Thread(target=server.close)
    closing.start()
    go_on.set()
    calling.join(600)
    closing.join(600)
    assert got == [{"id": 5}]
    with pytest.raises(tl.TransportError):
        client.get(6)
    client.close()


def test_a_stop_is_bounded():
    async def main():
        async def get(id, note):
            await asyncio.sleep(3600)

        server = await tl.aio.serve(
            IDL, "Shop", {"get": get}, transport="framed", protocol="binary"
        )
        async with tl.aio.connect(
            server.address, IDL, "Shop", transport="framed", protocol="binary"
        ) as client:
            calling = asyncio.ensure_future(client.get(1))
            while not server.connections:
                await asyncio.sleep(0.001)
            await asyncio.sleep(0.01)
            await server.close(drain=0.05)
            with pytest.raises(tl.TransportError) as error:
                await calling
            assert error.value.code == "closed"

    asyncio.run(main())


def test_a_stop_is_bounded_by_default():
    assert inspect.signature(tl.serve).parameters["drain"].default == 10.0
    assert inspect.signature(tl.aio.Server.close).parameters["drain"].default == 10.0


PROGRAM = """
import thriftlens as tl
idl = tl.loads("service Sums { i64 total(1: list<i32> numbers) }")
tl.serve(idl, "Sums", {"total": sum}, ready=lambda server: print(server.address, flush=True))
import signal
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("over")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_blocks_until_a_signal(number):
    idl = tl.loads("service Sums { i64 total(1: list<i32> numbers) }")
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True
    ) as process:
        address = process.stdout.readline().strip()
        with tl.connect(address, idl) as client:
            assert client.total([1, 2]) == 3
            os.kill(process.pid, number)
            assert process.stdout.read() == "over\n" and process.wait(600) == 0


STUCK = """
import threading
import thriftlens as tl
idl = tl.loads("service Sums { oneway void total(1: list<i32> numbers) }")
def total(numbers):
    print("begun", flush=True)
    threading.Event().wait()
async def later(numbers):
    total(numbers)
tl.serve(idl, "Sums", {"total": HANDLER}, ready=lambda server: print(server.address, flush=True),
OPTIONS)
print("over", flush=True)
"""


@contextlib.contextmanager
def stuck(handler, options):
    """A program whose handler is stuck in a call."""
    idl = tl.loads("service Sums { oneway void total(1: list<i32> numbers) }")
    program = STUCK.replace("HANDLER", handler).replace("OPTIONS", options)
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as process:
        with tl.connect(process.stdout.readline().strip(), idl) as client:
            client.total([1])
            assert process.stdout.readline() == "begun\n"
            yield process


@pytest.mark.parametrize("handler, options", [("total", ""), ("total", "threads=0"), ("later", "")])
def test_a_second_signal_ends_a_server_whose_handler_is_stuck(handler, options):
    with stuck(handler, options) as process:
        for _ in range(6000):
            if process.poll() is not None:
                break
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
        assert process.poll() == -signal.SIGTERM


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_handler_that_is_stuck_does_not_hold_the_process(number):
    with stuck("total", "drain=0.05") as process:
        process.send_signal(number)
        assert process.stdout.read() == "over\n" and process.wait(600) == 0


def test_threads_of_handlers():
    threads = _threads.Threads(2, "hands")
    both, names = threading.Barrier(2), set()

    def meet():
        names.add(threading.current_thread().name)
        return both.wait(600) >= 0

    futures = [threads.submit(meet) for _ in range(6)]
    assert all(future.result(600) for future in futures) and names == {"hands 1", "hands 2"}
    assert isinstance(threads.submit(int, "x").exception(30), ValueError)
    assert threads.submit(int, "10", base=2).result(600) == 2
    hold, held = threading.Event(), threading.Event()
    stuck = [threads.submit(lambda: held.set() or hold.wait(600)) for _ in range(2)]
    assert held.wait(600)
    unstarted = threads.submit(print)
    assert unstarted.cancel()
    last = threads.submit(str)
    threads.shutdown()
    with pytest.raises(RuntimeError, match="shut down"):
        threads.submit(print)
    hold.set()
    assert all(future.result(600) for future in stuck) and last.result(600) == ""
    assert unstarted.cancelled()
    eventually_gone(names)


def test_threads_of_a_dropped_pool_end():
    threads = _threads.Threads(1, "forgotten")
    assert threads.submit(int).result(600) == 0
    del threads
    gc.collect()
    eventually_gone({"forgotten 1"})


def eventually_gone(names):
    for thread in threading.enumerate():
        if thread.name in names:
            thread.join(600)
            assert not thread.is_alive()


def test_unix_sockets(tmp_path, protocol):
    path = tmp_path / "socket"
    with tl.serve(IDL, "Shop", Methods(), unix=str(path), background=True) as server:
        assert server.address == f"unix:{path}"
        with tl.connect(server.address, IDL, "Shop", protocol=protocol) as client:
            assert client.get(3)["id"] == 3
    assert not path.exists()


def test_functions_named_like_python_keywords():
    idl = tl.loads("service Words { string import(1: string from) }")

    class Keywords:
        def import_(self, origin):
            return origin * 2

    as_it_is = type("Words", (), {"import": lambda self, origin: origin * 2})()
    for handler in (Keywords(), {"import": lambda origin: origin * 2}, as_it_is):
        with (
            tl.serve(idl, "Words", handler, background=True) as server,
            tl.connect(server.address, idl) as client,
        ):
            assert client.import_("x") == client.call("import", {"from": "x"}) == "xx"


@pytest.mark.parametrize("transport", ["buffered", "framed", "header", "ttheader"])
def test_a_user_is_refused_where_the_transport_cannot_send_one(transport):
    for connect in (tl.connect, tl.aio.connect):
        with pytest.raises(tl.Error, match="cannot send the user") as caught:
            connect("ann:s3cret@localhost:9083", IDL, "Shop", transport=transport)
        assert caught.value.code == "bad_address" and "s3cret" not in str(caught.value)


@pytest.mark.parametrize("port", [-1, 65536, 99999])
def test_impossible_ports_are_errors(port):
    with pytest.raises(tl.Error, match=f"port must be from 0 to 65535, not {port}") as caught:
        tl.serve(IDL, "Shop", Methods(), port=port, background=True)
    assert caught.value.code == "bad_address"


def test_a_background_server_honours_its_drain_time():
    begun, over, was_over = threading.Event(), threading.Event(), []

    def total(numbers):
        begun.set()
        was_over.append(over.wait(600))

    idl = tl.loads("service Sums { i64 total(1: list<i32> numbers) }")
    with (
        tl.serve(idl, "Sums", {"total": total}, background=True, drain=0) as server,
        tl.connect(server.address, idl) as client,
    ):
        asking = threading.Thread(target=lambda: pytest.raises(tl.Error, client.total, [1]))
        asking.start()
        assert begun.wait(600)
        server.close()
        over.set()
        asking.join()
    for _ in range(60_000):
        if was_over:
            break
        threading.Event().wait(0.01)
    assert was_over == [True]


def test_the_port_is_taken():
    with tl.serve(IDL, "Shop", Methods(), background=True) as server:
        with pytest.raises(OSError):
            tl.serve(
                IDL, "Shop", Methods(), port=int(server.address.rpartition(":")[2]), background=True
            )


def test_importing_the_package_brings_no_sockets():
    command = (
        "import sys, thriftlens; "
        "print(*{'asyncio', 'ssl', 'http.client', 'uvloop'} & set(sys.modules))"
    )
    result = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == ""


class AllMethods(Methods):
    def version(self):
        return "1"

    def done(self, id):
        pass

    def note(self, text):
        pass


def test_a_healthy_server_logs_no_warning(caplog):
    caplog.set_level(logging.DEBUG)
    assert answers(AllMethods(), (3,)) == [{"id": 3, "note": "none"}]
    messages = [
        record.getMessage() for record in caplog.records if record.name.startswith("thriftlens")
    ]
    assert [message for message in messages if not message.startswith("listening at ")] == []
