"""Options of clients and servers that make no sense, and handlers that do not fit: errors before
anything is opened, which name what is wrong.
"""

import asyncio
import logging
import pickle
import ssl
import unittest.mock

import pytest
import thriftlens as tl

IDL = tl.loads(
    """
    service Base { string version() }
    service Shop extends Base { i32 get(1: i64 id, 2: string note), oneway void note(1: string text), i32 from(1: i32 context) }
    service Other { void other() }
    service Nothing {}
    """
)
NOWHERE = "127.0.0.1:1"  # nothing listens there, and no connection is attempted
RANGE = "is an integer from 1 to"


def is_wrong(kind, message, call, *arguments, **options):
    """The call raises an error of this kind with this message."""
    with pytest.raises(kind) as caught:
        call(*arguments, **options)
    assert message in str(caught.value), str(caught.value)
    assert not isinstance(caught.value, tl.TransportError)


async def aio_serve(*arguments, **options):
    return await tl.aio.serve(*arguments, **options)


CLIENTS = [
    ({"limits": {"calls": 0}}, tl.Error, "limits['calls'] " + RANGE),
    ({"limits": {"calls": -1}}, tl.Error, "limits['calls'] " + RANGE),
    ({"limits": {"frame_size": 0}}, tl.Error, "limits['frame_size'] " + RANGE),
    ({"limits": {"frame_size": 1 << 41}}, tl.Error, "limits['frame_size'] " + RANGE),
    ({"limits": {"header_size": 0}}, tl.Error, "limits['header_size'] " + RANGE),
    (
        {"limits": {"depth": 1025}},
        tl.Error,
        "limits['depth'] is an integer from 1 to 1024, not 1025",
    ),
    (
        {"limits": {"depth": "64"}},
        TypeError,
        "limits['depth'] is an integer from 1 to 1024, not '64'",
    ),
    ({"limits": {"depth": 6.5}}, TypeError, "limits['depth']"),
    ({"limits": {"depth": True}}, TypeError, "limits['depth']"),
    ({"limits": {"frame_sise": 1}}, ValueError, "did you mean 'frame_size'?"),
    ({"limits": {1: 1}}, ValueError, "a limit must be one of 'frame_size'"),
    ({"limits": 8}, TypeError, "limits is a dict of frame_size, header_size, calls, depth, not 8"),
    ({"limits": []}, TypeError, "limits is a dict"),
    ({"pool": 0}, tl.Error, "pool " + RANGE),
    ({"pool": -2}, tl.Error, "pool " + RANGE),
    ({"pool": "2"}, TypeError, "pool " + RANGE),
    ({"pool": None}, TypeError, "pool " + RANGE),
    (
        {"timeout": "x"},
        TypeError,
        "timeout is a number of seconds, above 0 and at most 2000000 (None: no limit), not 'x'",
    ),
    ({"timeout": 0}, tl.Error, "timeout is a number of seconds, above 0"),
    ({"timeout": -1}, tl.Error, "timeout"),
    ({"timeout": float("nan")}, tl.Error, "timeout"),
    ({"timeout": float("inf")}, tl.Error, "None: no limit"),
    ({"timeout": True}, TypeError, "timeout"),
    ({"tls": 3}, TypeError, "tls is True, a file of authorities (PEM) or an ssl.SSLContext, not 3"),
    ({"tls": b"ca.pem"}, TypeError, "tls is True"),
    ({"tls": "nofile.pem"}, tl.Error, "tls='nofile.pem', a file of authorities: No such file"),
    ({"tls": __file__}, tl.Error, "the file contains no PEM certificates"),
    ({"tls": ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)}, tl.Error, "tls is a server context"),
    ({"headers": "a=b"}, TypeError, "headers is a dict"),
    ({"decode": "name"}, TypeError, "decode is a dict"),
    ({"decode": {"enum": "name"}}, TypeError, "enum"),
    ({"result": "dicts"}, ValueError, "did you mean 'dict'?"),
    ({"transport": "frame"}, ValueError, "did you mean 'framed'?"),
    ({"protocol": "json"}, ValueError, "protocol must be one of"),
]


@pytest.mark.parametrize("options, kind, message", CLIENTS)
def test_options_of_clients(options, kind, message):
    for connect in (tl.connect, tl.aio.connect):
        is_wrong(kind, message, connect, NOWHERE, IDL, "Shop", **options)


SERVERS = [
    ({"limits": {"calls": 0}}, tl.Error, "limits['calls'] " + RANGE),
    ({"limits": {"connections": 0}}, tl.Error, "limits['connections'] " + RANGE),
    ({"limits": {"connections": 1.0}}, TypeError, "limits['connections'] " + RANGE),
    ({"limits": {"frame_size": -1}}, tl.Error, "limits['frame_size'] " + RANGE),
    ({"limits": {"idle": 0}}, tl.Error, "limits['idle'] is a number of seconds, above 0"),
    ({"limits": {"request_time": None}}, TypeError, "limits['request_time']"),
    ({"limits": {"call": 3}}, ValueError, "did you mean 'calls'?"),
    ({"limits": "calls"}, TypeError, "limits is a dict of connections, frame_size"),
    ({"threads": -1}, tl.Error, "threads is an integer from 0 to"),
    ({"threads": None}, TypeError, "threads"),
    (
        {"tls": True},
        TypeError,
        "tls of a server is an ssl.SSLContext with a certificate, not True: context = ssl.create_default_context(",
    ),
    ({"tls": "cert.pem"}, TypeError, "tls of a server is an ssl.SSLContext"),
    ({"tls": ssl.create_default_context()}, tl.Error, "tls is a client context"),
    ({"port": "9090"}, TypeError, "port is an int, not '9090'"),
    ({"port": True}, TypeError, "port is an int"),
    ({"host": None}, TypeError, "host is a str"),
    ({"unix": "socket", "port": 9090}, tl.Error, "unix='socket' and port=9090"),
    ({"arguments": "dicts"}, ValueError, "did you mean 'dict'?"),
    ({"users": "ann"}, TypeError, "users: expected a dict of passwords"),
    (
        {"users": {"ann": 3}},
        TypeError,
        "users: expected a dict of passwords by user, both of type str",
    ),
    ({"users": {b"ann": "s"}}, TypeError, "both of type str"),
]


@pytest.mark.parametrize("options, kind, message", SERVERS)
def test_options_of_servers(options, kind, message):
    def answer(name, arguments, context):
        pass

    for serve in (
        lambda *arguments, **options: asyncio.run(aio_serve(*arguments, **options)),
        tl.serve,
        lambda *arguments, **options: tl.serve(*arguments, background=True, **options),
    ):
        is_wrong(kind, message, serve, IDL, "Shop", answer, **options)


@pytest.mark.parametrize("drain, kind", [(-1, tl.Error), ("10", TypeError), (None, TypeError)])
def test_the_time_of_a_stop(drain, kind):
    for options in ({}, {"background": True}):
        is_wrong(
            kind,
            "drain is a number of seconds, 0 or more",
            tl.serve,
            IDL,
            "Other",
            {"other": print},
            drain=drain,
            **options,
        )


def test_misuse_of_asyncio_is_an_error():
    async def main():
        with pytest.raises(RuntimeError, match="await tl.aio.serve"):
            tl.serve(IDL, "Other", {"other": print})
        async with await tl.aio.serve(IDL, "Other", {"other": lambda: None}) as server:
            connecting = tl.aio.connect(server.address, IDL, "Other")
            with pytest.raises(
                AttributeError,
                match="no attribute 'other' before the connection is awaited: `client = await tl.aio.connect",
            ):
                connecting.other()
            client = await connecting
            assert await client.other() is None
            await client.close()

    asyncio.run(main())


def test_a_server_needs_a_service():
    for options in ({}, {"background": True}):
        is_wrong(
            tl.Error, "no services: the dict of handlers is empty", tl.serve, IDL, {}, **options
        )


def test_texts_of_plain_mistakes(tmp_path):
    path = str(tmp_path / ("x" * 200))
    with pytest.raises(OSError) as raised:
        tl.serve(IDL, "Other", {"other": print}, unix=path, background=True)
    assert path in str(raised.value) and "None" not in str(raised.value)
    with (
        tl.serve(IDL, "Other", {"other": print}, background=True) as server,
        tl.connect(server.address, IDL, "Other") as client,
    ):
        is_wrong(
            TypeError, "cannot pickle a client; connect in every process", pickle.dumps, client
        )
        is_wrong(TypeError, "cannot pickle a server; pass its address", pickle.dumps, server)
        is_wrong(
            TypeError,
            "a scan cannot be pickled: open the file in each process",
            pickle.dumps,
            tl.scan(b"", to="bytes"),
        )


def test_ready_is_called_with_the_address():
    for options in ({}, {"background": True}):
        is_wrong(
            TypeError,
            "ready is a function of the server, not 3",
            tl.serve,
            IDL,
            "Other",
            {"other": print},
            ready=3,
            **options,
        )
    addresses = []
    with tl.serve(
        IDL, "Other", {"other": lambda: None}, background=True, ready=addresses.append
    ) as server:
        assert (
            addresses == [server]
            and repr(server) == f"<thriftlens.BackgroundServer at {server.address}, 0 connections>"
        )


@pytest.mark.parametrize(
    "address", [{"host": "nowhere.invalid"}, {"unix": "/no such folder/socket"}]
)
def test_where_a_server_cannot_listen(address):
    (name,) = address.values()
    with pytest.raises(OSError, match=name):
        tl.serve(IDL, "Other", {"other": print}, background=True, **address)


def test_limits_at_their_bounds_hold():
    with tl.serve(
        IDL,
        "Other",
        {"other": lambda: None},
        limits={"connections": 1, "calls": 1, "depth": 1, "idle": 1000},
        threads=1,
        background=True,
    ) as server:
        limits = {"frame_size": 1000, "header_size": 1000, "calls": 1, "depth": 1}
        with tl.connect(
            server.address,
            IDL,
            "Other",
            transport="framed",
            protocol="binary",
            timeout=20.5,
            limits=limits,
            pool=1,
            tls=False,
            headers={},
            decode={},
        ) as client:
            assert client.other() is None


def test_the_timeout_of_a_call_is_checked():
    with (
        tl.serve(IDL, "Other", {"other": lambda: None}, background=True) as server,
        tl.connect(server.address, IDL, "Other") as client,
    ):
        is_wrong(TypeError, "timeout is a number of seconds", client.other, timeout="x")
        is_wrong(tl.Error, "timeout is a number of seconds", client.call, "other", timeout=-1)
        is_wrong(TypeError, "headers is a dict", client.call, "other", headers="a=b")
        assert client.other(timeout=20) is client.other(timeout=None) is None  # no limit: arguments


class Shop:
    def version(self):
        return "1"

    def get(self, id, note):
        return id

    def note(self, text):
        pass

    def from_(self, context):
        return context


class Partly:
    """Has one function of four, one under another name, and private attributes."""

    orders = {}

    def get(self, number, text, context):
        return number

    def versions(self):
        return []

    def open_the_doors(self):
        pass


def start(handler, service="Shop"):
    with tl.serve(
        IDL, service, handler, background=True, transport="framed", protocol="binary"
    ) as server:
        with tl.connect(
            server.address,
            IDL,
            service if isinstance(service, str) else "Shop",
            transport="framed",
            protocol="binary",
            timeout=600,
        ) as client:
            return client.get(3, "x")


def warnings(caplog):
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def without(name):
    return type("Shop", (Shop,), {name: None})()


def with_get(function):
    return type("Shop", (Shop,), {"get": function})()


@pytest.mark.parametrize(
    "handler",
    [
        Shop(),
        {"version": str, "get": lambda id, note: id, "note": print, "from": abs},
        with_get(lambda self, *arguments: arguments[0]),
        with_get(lambda self, id, note=None, more=None, *, context: id),
        with_get(staticmethod(lambda id, text: id)),
        lambda name, arguments, context: arguments["id"],
        lambda *arguments: arguments[1]["id"],
        unittest.mock.Mock(**{"get.return_value": 3}),
        type(
            "Shop",
            (),
            {
                name: staticmethod(call)
                for name, call in (
                    ("get", lambda id, note: id),
                    ("note", print),
                    ("version", str),
                    ("from_", abs),
                )
            },
        ),
    ],
)
def test_handlers_that_fit(handler, caplog):
    assert start(handler) == 3 and warnings(caplog) == []


def test_missing_handler_functions_are_logged_at_startup(caplog):
    assert start(Partly()) == 3
    assert warnings(caplog) == [
        "Shop: the handler has no 'version' (it has 'versions'), 'note', 'from': calls are answered with unknown_method"
    ]
    caplog.clear()
    assert start({"get": lambda id, note: id, "note": print, "from": abs}) == 3
    assert warnings(caplog) == [
        "Shop: the handler has no 'version': calls are answered with unknown_method"
    ]
    caplog.clear()
    assert start(without("from_")) == 3
    assert warnings(caplog) == [
        "Shop: the handler has no 'from': calls are answered with unknown_method"
    ]


def test_many_missing_functions_are_one_line(caplog):
    idl = tl.loads(
        "service Many { i32 get(1: i64 id, 2: string note), %s }"
        % ", ".join(f"void f{number}()" for number in range(100))
    )
    with tl.serve(idl, "Many", {"get": lambda id, note: id}, background=True):
        (line,) = warnings(caplog)
    assert "'f0', 'f1'" in line and "'f9' and 90 more: calls" in line and "'f10'" not in line


@pytest.mark.parametrize(
    "handler, message",
    [
        (
            object(),
            "the handler (object) has none of the functions of Shop (version, get, note, from); expected an object with methods, a dict of functions",
        ),
        ({}, "the handler (dict) has none of the functions of Shop"),
        ("shop.tlrec", "one function for all, or a Recording"),
        (type("Wrong", (), {"gets": print})(), "the handler (Wrong) has none"),
        (Shop, "the handler is the class Shop; pass an instance, Shop()"),
        ({"get": 3}, "the handler of Shop.get: expected a function, not 3"),
        ({"get": None}, "the handler of Shop.get: expected a function, not None"),
        (
            {"get": lambda id: id},
            "the handler of Shop.get takes (id), and is called with (id, note)",
        ),
        (
            {"get": lambda id, note, more: id},
            "the handler of Shop.get takes (id, note, more), and is called with (id, note)",
        ),
        (
            {"get": lambda id, *, note: id},
            "the handler of Shop.get takes (id, *, note), and is called with (id, note)",
        ),
        ({"get": lambda context, id: id}, "is called with (id, note, context=…)"),
        (
            with_get(lambda self, id: id),
            "the handler of Shop.get takes (id), and is called with (id, note)",
        ),
        (
            lambda name, arguments: None,
            "the handler of all functions of Shop takes (name, arguments), and is called with (name, arguments, context)",
        ),
        (type("Empty", (), {}), "the handler of all functions of Shop takes"),
    ],
)
def test_handlers_that_cannot_serve(handler, message):
    is_wrong(TypeError, message, tl.serve, IDL, "Shop", handler, background=True)
    is_wrong(
        TypeError,
        message,
        tl.serve,
        IDL,
        {"Other": {"other": lambda: None}, "Shop": handler},
        background=True,
    )


def test_parameters_in_another_order_are_logged(caplog):
    assert (
        start(
            {
                **{name: lambda *arguments: None for name in ("version", "note", "from")},
                "get": lambda note, id: note,
            }
        )
        == 3
    )
    assert warnings(caplog) == [
        "the handler of Shop.get takes (note, id), and is called with (id, note) by position"
    ]


def test_a_service_without_functions_asks_for_none(caplog):
    with tl.serve(IDL, {"Nothing": object(), "Other": {"other": lambda: None}}, background=True):
        assert warnings(caplog) == []
