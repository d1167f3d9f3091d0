"""x"""

import asyncio
import socket

import pytest
import thriftlens as tl
from safe_clients import IDL, KINDS, SHOP, Shop, Silent, client_calls, entered, web


@KINDS
@pytest.mark.parametrize("transport", ["header", "ttheader", "ttheader_framed", "http"])
def test_headers_of_a_reply_can_be_read(kind, transport):
    with tl.serve(
        IDL,
        "Shop",
        Shop(),
        transport="auto" if transport != "ttheader_framed" else transport,
        background=True,
    ) as server:
        message, plain = client_calls(
            kind,
            server.address,
            [("touch", {"id": 7}, {"result": "message"}), ("touch", {"id": 7}, {})],
            transport=transport,
            protocol="binary",
        )
    assert message.headers["seen"] == "7" and plain is None


def test_a_message_that_was_read_has_no_headers():
    message = tl.Message("get", "call", 1, b"\0")
    assert dict(message.headers) == {} and tl.read_message(message.to_bytes()).headers == {}


def test_the_trace_of_the_shell_shows_the_headers_of_a_reply(tmp_path, run):
    idl = tmp_path / "shop.thrift"
    idl.write_text("service Shop { void touch(1: i64 id) }")
    with tl.serve(IDL, "Shop", Shop(), background=True) as server:
        result = run(
            "call",
            server.address,
            idl,
            "touch",
            "id=7",
            "--transport header --protocol binary --trace",
        )
    assert result.returncode == 0 and b"< seen: 7\n" in result.stderr.replace(b"\r", b"")


@KINDS
@pytest.mark.parametrize(
    "transport, protocol", [("buffered", "binary"), ("framed", "compact"), ("http", "binary")]
)
def test_encoded_arguments_are_checked(kind, transport, protocol):
    shop = Shop()
    arguments = SHOP.function("twice").arguments.encode({"number": 1}, protocol=protocol)
    second = tl.Message(
        "twice",
        "call",
        9,
        SHOP.function("twice").arguments.encode({"number": 666}, protocol=protocol),
        protocol,
    ).to_bytes()
    other = tl.loads("struct A { 1: string number }").A.encode({"number": "x"}, protocol=protocol)
    wrong = {
        "trailing_bytes": arguments + second,
        "truncated": b"",
        "missing_required": b"\0",
        "type_mismatch": other,
    }
    with tl.serve(IDL, "Shop", shop, transport=transport, background=True) as server:
        calls = [
            ("twice", data, {})
            for data in (*wrong.values(), bytearray(arguments), memoryview(arguments), arguments)
        ]
        *errors, first, middle, last = client_calls(
            kind, server.address, calls, transport=transport, protocol=protocol
        )
    assert [error.code for error in errors] == list(wrong)
    assert all(
        isinstance(error, tl.EncodeError) and "arguments of twice" in str(error) for error in errors
    )
    assert first == middle == last == 2 and shop.numbers == [1, 1, 1]


def test_mismatched_recorded_arguments_are_not_replayed(tmp_path, run):
    from thriftlens._capture.recording_format import Writer

    idl = tmp_path / "shop.thrift"
    idl.write_text("service Shop { i64 twice(1: required i64 number) }")
    recording = tmp_path / "r.tlrec"
    reply = SHOP.function("twice").result.encode({"success": 2})
    with open(recording, "wb") as out:
        writer = Writer(out)
        writer.message(
            tl.Recorded(0, "client", 1.0, 1.0, tl.Message("twice", "call", 1, b"\0"), "framed")
        )
        writer.message(
            tl.Recorded(0, "server", 1.0, 1.0, tl.Message("twice", "reply", 1, reply), "framed")
        )
    shop = Shop()
    with tl.serve(IDL, "Shop", shop, background=True) as server:
        result = run("replay", recording, idl, "--server", server.address)
    assert result.returncode == 1
    assert b"not called: the recorded arguments do not match the IDL" in result.stdout
    assert shop.numbers == []


@KINDS
@pytest.mark.parametrize("transport", ["buffered", "framed", "header", "http"])
@pytest.mark.parametrize("options", [{}, {"select": "{ success }"}])
def test_a_reply_above_the_limit_names_the_limit_and_the_option(kind, transport, options):
    with tl.serve(IDL, "Shop", Shop(), background=True) as server:
        client_options = {
            "transport": transport,
            "protocol": "binary",
            "limits": {"frame_size": 1000},
        }
        (error,) = client_calls(
            kind, server.address, [("size", {"size": 5000}, options)], **client_options
        )
    assert isinstance(error, tl.DecodeError) and error.code == "size_limit"
    assert "limit of 1000" in str(error) and "frame_size" in str(error)


@pytest.mark.parametrize("transport", ["buffered", "framed"])
def test_the_shell_takes_a_limit(transport, tmp_path, run):
    idl = tmp_path / "shop.thrift"
    idl.write_text("service Shop { binary size(1: i32 size) }")
    with tl.serve(IDL, "Shop", Shop(), transport=transport, background=True) as server:
        options = ["--transport", transport, "--protocol", "binary"]
        refused = run(
            "call", server.address, idl, "size", "size=5000", *options, "--max-size", "4k"
        )
        assert (
            refused.returncode == 1
            and b"limit of 4096" in refused.stderr
            and b"--max-size" in refused.stderr
        )
        accepted = run("call", server.address, idl, "size", "size=5000", *options, "--max-size 1M")
        assert accepted.returncode == 0
        wrong = run("call", server.address, idl, "size", *options, "--max-size", "0")
        assert wrong.returncode == 2 and b"SIZE must be an integer from 1" in wrong.stderr


@KINDS
def test_an_error_reports_the_state_of_the_call(kind, newer_server):
    framed = {"transport": "framed", "protocol": "binary"}

    def state(address, name="twice", arguments={"number": 1}, call_options={}, **options):
        (error,) = client_calls(
            kind, address, [(name, arguments, call_options)], **{**framed, **options}
        )
        assert isinstance(error, tl.Error), error
        return type(error).__name__, error.code, error.call_state

    with tl.serve(
        IDL, "Shop", {"twice": lambda number: 1 // 0}, transport="auto", background=True
    ) as server:
        address = server.address
        result = state(address, arguments={"number": "x"})
        assert result == ("EncodeError", "value_type", "not_sent")
        assert state(address, arguments=b"") == ("EncodeError", "truncated", "not_sent")
        assert state(address, "get", {}, {"select": "{ nope }"})[2] == "not_sent"
        assert state(address, call_options={"headers": {"a": "b"}}) == (
            "UsageError",
            "bad_option",
            "not_sent",
        ), "framed has no headers"
        assert state(address) == ("ApplicationError", "internal_error", "answered")
        assert state(address, "get", {}) == ("ApplicationError", "unknown_method", "answered")
        result = state(address, transport="http", arguments=b"")
        assert result == ("EncodeError", "truncated", "not_sent")
    assert state(newer_server) == ("DecodeError", "unknown_field", "answered")
    closing = Silent(lambda connection: None)
    assert state(closing.address) == ("TransportConnectionError", "closed", "sent")
    assert state(closing.address, transport="http")[1:] == ("closed", "sent")
    waiting = Silent(lambda connection: waiting.wait(connection))
    assert state(waiting.address, timeout=0.2) == ("TransportTimeoutError", "timeout", "sent")
    waiting.stopped.set()
    broken = Silent(lambda connection: connection.sendall(b"\0\0\0\x04what"))
    assert state(broken.address)[::2] == ("DecodeError", "answered")
    with web(allow=staticmethod(lambda headers: False)) as (address, _):
        assert state(address, transport="http") == ("TransportError", "unauthorized", "answered")


@KINDS
def test_a_call_after_its_connection_was_lost_was_not_sent(kind):
    server = tl.serve(IDL, "Shop", Shop(), transport="framed", background=True)
    framed = {"transport": "framed", "protocol": "binary", "timeout": 20}
    errors = []

    def check(error):
        errors.append((error.code, error.call_state))

    if kind == "sync":
        with tl.connect(server.address, IDL, **framed) as client:
            assert client.twice(1) == 2
            server.close()
            with pytest.raises(ConnectionError) as error:
                client.twice(1)
            check(error.value)
    else:

        async def main():
            async with tl.aio.connect(server.address, IDL, **framed) as client:
                assert await client.twice(1) == 2
                await asyncio.get_running_loop().run_in_executor(None, server.close)
                with pytest.raises(ConnectionError) as error:
                    await client.twice(1)
                check(error.value)

        asyncio.run(main())
    assert errors == [("connection_refused", "not_sent")]


@KINDS
@pytest.mark.parametrize("transport", ["framed", "http"])
@pytest.mark.parametrize("pool", [1, 2])
@pytest.mark.parametrize(
    "fault,reason",
    [("closed", "the server closed the connection"), ("timeout", "no reply to twice in time")],
)
def test_without_reconnect_no_call_after_a_fault_is_sent(kind, transport, pool, fault, reason):
    connections = []

    def act(connection):
        connections.append(connection)
        if fault == "timeout":
            server.wait(connection)

    server = Silent(act)
    calls = [("twice", {"number": 1}, {"timeout": 0.2 if fault == "timeout" else 600})] + [
        ("twice", {"number": 2}, {})
    ] * 3
    first, *later = client_calls(
        kind, server.address, calls, transport=transport, protocol="binary", pool=pool,
        reconnect=False,
    )  # fmt: skip
    server.stopped.set()
    assert (first.code, first.call_state) == (fault, "sent"), first
    assert (fault == "timeout") == str(first).endswith("in time; the timeout is 0.2 s")
    for error in later:
        assert type(error) is tl.TransportConnectionError and error.code == "closed"
        assert error.call_state == "not_sent"
        assert str(error).startswith(
            f"{server.address}: the connection is closed, and reconnect=False: {reason}"
        ), error
    assert len(connections) == 1


@KINDS
def test_a_connect_that_fails_has_sent_no_call(kind):
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = "127.0.0.1:%d" % free.getsockname()[1]
    closing = Silent(lambda connection: None)
    for options in (
        {"address": address}, {"address": closing.address}, {"address": "unix:/no/such"},
        {"address": "x:y"}, {"timeout": 0}, {"service": "Nope"},
        {"transport": "framed", "headers": 1},
    ):  # fmt: skip
        with pytest.raises((tl.Error, TypeError)) as raised:
            options = {"address": address, "idl": IDL, **options}
            tl.connect(**options) if kind == "sync" else asyncio.run(entered(**options))
        assert isinstance(raised.value, TypeError) or raised.value.call_state == "not_sent", options


def test_the_shell_reports_the_state_of_the_call(tmp_path, run):
    idl = tmp_path / "shop.thrift"
    idl.write_text("service Shop { i64 twice(1: required i64 number) }")
    options = ("--transport", "framed", "--protocol", "binary")
    closing = Silent(lambda connection: None)
    result = run("call", closing.address, idl, "twice", "number=1", *options)
    assert result.returncode == 5
    assert b"the call was sent and may have been executed" in result.stderr
    free = socket.create_server(("127.0.0.1", 0))
    address = "127.0.0.1:%d" % free.getsockname()[1]
    free.close()
    result = run("call", address, idl, "twice", "number=1", *options)
    assert result.returncode == 5 and b"the call was not sent" in result.stderr
    result = run("call", closing.address, idl, "twice", *options)
    assert result.returncode == 2 and b"number" in result.stderr
    assert b"the call was not sent" in result.stderr


@KINDS
@pytest.mark.parametrize("arguments_kind", ["dict", "view", "partial view", "bytes", "dataclass"])
def test_required_arguments_are_checked_in_every_form(kind, arguments_kind):
    import dataclasses

    of = SHOP.function("twice").arguments
    empty = dataclasses.make_dataclass("Arguments", [("other", int, 0)])
    arguments = {
        "dict": {},
        "view": of.view(b"\0"),
        "partial view": of.view(b"\0", missing_required="omit"),
        "bytes": b"\0",
        "dataclass": empty(),
    }[arguments_kind]
    shop = Shop()
    with tl.serve(IDL, "Shop", shop, transport="framed", background=True) as server:
        (error,) = client_calls(
            kind, server.address, [("twice", arguments, {})], transport="framed", protocol="binary"
        )
    assert isinstance(error, tl.Error) and error.call_state == "not_sent", error
    assert shop.numbers == [], error


def test_mistakes_of_callers_are_named():
    with pytest.raises(TypeError, match="address must be a str such as 'host:9090'"):
        tl.connect(("host", 9090), IDL)
    with pytest.raises(TypeError, match="address must be a str such as 'host:9090'"):
        tl.aio.connect(("host", 9090), IDL)
    with tl.serve(IDL, "Shop", Shop(), transport="framed", background=True) as server:
        with tl.connect(server.address, IDL, transport="framed", protocol="binary") as client:
            for arguments in ([1], (1,), 1, "1"):
                with pytest.raises(
                    TypeError,
                    match=r"the arguments of twice by name, \{'number': …\}.*"
                    r"use client.twice\(…\) for arguments by position",
                ):
                    client.call("twice", arguments)
            assert client.call("twice", {"number": 2}) == 4
