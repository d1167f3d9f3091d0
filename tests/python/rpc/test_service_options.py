"""x"""

import asyncio
import pickle
import ssl

import pytest
import thriftlens as tl
from service_options import IDL, RANGE, is_wrong

NOWHERE = "127.0.0.1:1"  # nothing listens there, and no connection is attempted
# fmt: off
CLIENTS = [
    ({"limits": {"calls": 0}}, tl.Error, "limits['calls'] " + RANGE),
    ({"limits": {"calls": -1}}, tl.Error, "limits['calls'] " + RANGE),
    ({"limits": {"frame_size": 0}}, tl.Error, "limits['frame_size'] " + RANGE),
    ({"limits": {"frame_size": 1 << 41}}, tl.Error, "limits['frame_size'] " + RANGE),
    ({"limits": {"header_size": 0}}, tl.Error, "limits['header_size'] " + RANGE),
    ({"limits": {"depth": 1025}}, tl.Error,
        "limits['depth'] must be an integer from 1 to 1024, not 1025"),
    ({"limits": {"depth": "64"}}, TypeError,
        "limits['depth'] must be an integer from 1 to 1024, not '64'"),
    ({"limits": {"depth": 6.5}}, TypeError, "limits['depth']"),
    ({"limits": {"depth": True}}, TypeError, "limits['depth']"),
    ({"timout": 5}, TypeError, "keyword argument 'timout'; did you mean 'timeout'?"),
    ({"limits": {"frame_sise": 1}}, ValueError, "did you mean 'frame_size'?"),
    ({"limits": {1: 1}}, ValueError, "a key of limits must be one of 'frame_size'"),
    ({"limits": 8}, TypeError, "limits must be a dict of frame_size, header_size, calls, depth"),
    ({"limits": []}, TypeError, "limits must be a dict"),
    ({"pool": 0}, tl.Error, "pool " + RANGE),
    ({"pool": -2}, tl.Error, "pool " + RANGE),
    ({"pool": "2"}, TypeError, "pool " + RANGE),
    ({"pool": None}, TypeError, "pool " + RANGE),
    ({"timeout": "x"}, TypeError,
        "must be a number of seconds, above 0 and at most 2000000 (None: no limit), not 'x'"),
    ({"timeout": 0}, tl.Error, "timeout must be a number of seconds, above 0"),
    ({"timeout": -1}, tl.Error, "timeout"),
    ({"timeout": float("nan")}, tl.Error, "timeout"),
    ({"timeout": float("inf")}, tl.Error, "None: no limit"),
    ({"timeout": True}, TypeError, "timeout"),
    ({"tls": 3}, TypeError, "True, a file of authorities (PEM) or an ssl.SSLContext, not 3"),
    ({"tls": b"ca.pem"}, TypeError, "tls must be True"),
    ({"tls": "nofile.pem"}, tl.Error, "tls='nofile.pem': cannot read the file: No such file"),
    ({"tls": __file__}, tl.Error, "the file contains no PEM certificates"),
    ({"tls": ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)}, tl.Error, "tls is a server context"),
    ({"headers": "a=b"}, TypeError, "headers must be a dict"),
    ({"decode": "name"}, TypeError, "decode must be a dict"),
    ({"decode": {"enum": "name"}}, TypeError, "decode() got an unexpected keyword argument 'enum'"),
    ({"result": "dicts"}, ValueError, "did you mean 'dict'?"),
    ({"transport": "frame"}, ValueError, "did you mean 'framed'?"),
    ({"protocol": "json"}, ValueError, "protocol must be one of"),
]
# fmt: on


@pytest.mark.parametrize("options, kind, message", CLIENTS)
def test_options_of_clients(options, kind, message):
    for connect in (tl.connect, tl.aio.connect):
        is_wrong(kind, message, connect, NOWHERE, IDL, "Shop", **options)


def test_misuse_of_asyncio_is_an_error():
    async def main():
        with pytest.raises(RuntimeError, match="await tl.aio.serve"):
            tl.serve(IDL, "Other", {"other": print})
        async with await tl.aio.serve(IDL, "Other", {"other": lambda: None}) as server:
            connecting = tl.aio.connect(server.address, IDL, "Other")
            with pytest.raises(
                AttributeError,
                match="no attribute 'other' before the connection is awaited: "
                "`client = await tl.aio.connect",
            ):
                connecting.other()
            client = await connecting
            assert await client.other() is None
            await client.close()

    asyncio.run(main())


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
        is_wrong(TypeError, "timeout must be a number of seconds", client.other, timeout="x")
        is_wrong(tl.Error, "timeout must be a number of seconds", client.call, "other", timeout=-1)
        is_wrong(TypeError, "headers must be a dict", client.call, "other", headers="a=b")
        assert client.other(timeout=20) is client.other(timeout=None) is None  # no limit: arguments
