"""Options of servers."""

import asyncio
import ssl

import pytest
import thriftlens as tl
from service_options import IDL, RANGE, is_wrong


async def aio_serve(*arguments, **options):
    return await tl.aio.serve(*arguments, **options)


SERVERS = [
    ({"limits": {"calls": 0}}, tl.Error, "limits['calls'] " + RANGE),
    ({"limits": {"connections": 0}}, tl.Error, "limits['connections'] " + RANGE),
    ({"limits": {"connections": 1.0}}, TypeError, "limits['connections'] " + RANGE),
    ({"limits": {"frame_size": -1}}, tl.Error, "limits['frame_size'] " + RANGE),
    ({"limits": {"idle": 0}}, tl.Error, "limits['idle'] must be a number of seconds, above 0"),
    ({"limits": {"request_time": None}}, TypeError, "limits['request_time']"),
    ({"limits": {"call": 3}}, ValueError, "did you mean 'calls'?"),
    ({"limits": "calls"}, TypeError, "limits must be a dict of connections, frame_size"),
    ({"threads": -1}, tl.Error, "threads must be an integer from 0 to"),
    ({"threads": None}, TypeError, "threads"),
    (
        {"tls": True},
        TypeError,
        "tls of a server must be an ssl.SSLContext with a certificate, not True: context = "
        "ssl.create_default_context(",
    ),
    ({"tls": "cert.pem"}, TypeError, "tls of a server must be an ssl.SSLContext"),
    ({"tls": ssl.create_default_context()}, tl.Error, "tls is a client context"),
    ({"port": "9090"}, TypeError, "port must be an int, not '9090'"),
    ({"port": True}, TypeError, "port must be an int"),
    ({"host": None}, TypeError, "host must be a str"),
    ({"unix": "socket", "port": 9090}, tl.Error, "unix='socket' and port=9090"),
    ({"arguments": "dicts"}, ValueError, "did you mean 'dict'?"),
    ({"users": "ann"}, TypeError, "users must be a dict of passwords"),
    (
        {"users": {"ann": 3}},
        TypeError,
        "users must be a dict of passwords by user, both of type str",
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
            kind, "drain must be a number of seconds, 0 or more", tl.serve, IDL, "Other",
            {"other": print}, drain=drain, **options,
        )  # fmt: skip


def test_a_server_needs_a_service():
    for options in ({}, {"background": True}):
        is_wrong(
            tl.Error, "no services: the dict of handlers is empty", tl.serve, IDL, {}, **options
        )


def test_ready_is_called_with_the_address():
    for options in ({}, {"background": True}):
        is_wrong(
            TypeError, "ready must be a function that takes the server, not 3", tl.serve, IDL,
            "Other", {"other": print}, ready=3, **options,
        )  # fmt: skip
    addresses = []
    with tl.serve(
        IDL, "Other", {"other": lambda: None}, background=True, ready=addresses.append
    ) as server:
        assert addresses == [server]
        assert repr(server) == f"<thriftlens.BackgroundServer at {server.address}, 0 connections>"


@pytest.mark.parametrize(
    "address", [{"host": "nowhere.invalid"}, {"unix": "/no such folder/socket"}]
)
def test_where_a_server_cannot_listen(address):
    (name,) = address.values()
    with pytest.raises(OSError, match=name):
        tl.serve(IDL, "Other", {"other": print}, background=True, **address)
