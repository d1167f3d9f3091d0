"""Context managers around calls."""

import asyncio
import contextlib

import pytest
import thriftlens as tl

IDL = tl.loads("""
exception Missing { 1: i64 id }
service S { i64 add(1: i64 a, 2: i64 b) throws (1: Missing missing), oneway void note(1: string t) }
""")
Missing = IDL.exceptions["Missing"]


def add(a, b):
    if a < 0:
        raise Missing(id=a)
    return a + b


async def add_later(a, b):
    await asyncio.sleep(0)
    return add(a, b)


def recorder(log, label="", **headers):
    @contextlib.contextmanager
    def record(call):
        call.headers.update(headers) if headers else None
        log.append((label + "begin", call.name, call.headers.get("trace")))
        try:
            yield
        except Exception as error:
            log.append((label + "failed", type(error).__name__))
            raise
        log.append((label + "end", getattr(call, "result", None)))

    return record


@pytest.fixture(params=[add, add_later], ids=["function", "coroutine"])
def log_and_server(request):
    log = []
    handler = {"add": request.param, "note": lambda t: None}
    with tl.serve(IDL, "S", handler, background=True, intercept=recorder(log, "S ")) as server:
        yield log, server


def test_they_surround_calls_of_client_and_server(log_and_server):
    log, server = log_and_server
    options = {"transport": "header", "intercept": recorder(log, "C ", trace="t1")}
    with tl.connect(server.address, IDL, **options) as client:
        assert client.add(1, 2) == 3 == client.call("add", {"a": 1, "b": 2})
    one = [("C begin", "add", "t1"), ("S begin", "add", "t1"), ("S end", 3), ("C end", 3)]
    assert log == one * 2


def test_they_see_errors(log_and_server):
    log, server = log_and_server
    with tl.connect(server.address, IDL, intercept=recorder(log, "C ")) as client:
        with pytest.raises(Missing):
            client.add(-1, 2)
    assert log[2:] == [("S failed", "Missing"), ("C failed", "Missing")]


def test_asyncio(log_and_server):
    log, server = log_and_server

    async def main():
        options = {"transport": "header", "intercept": recorder(log, "C ", trace="t2")}
        async with tl.aio.connect(server.address, IDL, **options) as client:
            return await client.add(1, 2), await client.note("x")

    assert asyncio.run(main()) == (3, None)
    assert log[:4] == [
        ("C begin", "add", "t2"), ("S begin", "add", "t2"), ("S end", 3), ("C end", 3),
    ]  # fmt: skip


def test_order_and_replacements(log_and_server):
    log, server = log_and_server

    @contextlib.contextmanager
    def doubling(call):
        call.arguments = {**call.arguments, "a": 2 * call.arguments["a"]}
        yield
        call.result *= 10

    handler = {"add": add_later}
    with tl.serve(IDL, "S", handler, background=True, intercept=doubling) as doubled:
        with tl.connect(doubled.address, IDL) as client:
            assert client.add(1, 2) == 40
    interceptors = [recorder(log, "1 "), doubling, recorder(log, "2 ")]
    with tl.connect(server.address, IDL, intercept=interceptors) as client:
        assert client.add(1, 2) == 40
    assert [entry[0] for entry in log if entry[0][0] != "S"] == [
        "1 begin", "2 begin", "2 end", "1 end",
    ]  # fmt: skip
    assert log[-1] == ("1 end", 40)


def test_one_that_raises_refuses_the_call():
    def authorize(context):
        if context.headers.get("token") != "secret":
            raise tl.ApplicationError("no token", code="protocol_error")
        return contextlib.nullcontext()

    with tl.serve(IDL, "S", {"add": add}, background=True, intercept=authorize) as server:
        for headers in (None, {"token": "secret"}):
            with tl.connect(server.address, IDL, transport="header", headers=headers) as client:
                if headers:
                    assert client.add(1, 2) == 3
                else:
                    with pytest.raises(tl.ApplicationError, match="no token"):
                        client.add(1, 2)


def test_headers_are_not_lost_silently(log_and_server):
    log, server = log_and_server
    options = {"transport": "framed", "intercept": recorder(log, trace="t")}
    with tl.connect(server.address, IDL, **options) as client:
        with pytest.raises(tl.UsageError, match="does not support headers"):
            client.add(1, 2)


@pytest.mark.parametrize("intercept", ["text", [1], 5])
def test_objects_that_cannot_be_called(intercept):
    with pytest.raises(TypeError, match="intercept must be a function"):
        tl.connect("localhost:1", IDL, intercept=intercept)
    with pytest.raises(TypeError, match="intercept must be a function"):
        tl.serve(IDL, "S", {"add": add}, background=True, intercept=intercept)


async def plain(call):
    yield


@pytest.mark.parametrize(
    ("intercept", "text"),
    [
        (lambda call: None, "<lambda> must return a context manager, .* not None"),
        (plain, "plain must return .* not async_generator"),
        (contextlib.asynccontextmanager(plain), "plain must return .* not an asynchronous one"),
    ],
)
def test_results_that_are_no_context_managers(log_and_server, intercept, text):
    with tl.connect(log_and_server[1].address, IDL, intercept=intercept) as client:
        with pytest.raises(TypeError, match=text):
            client.add(1, 2)
