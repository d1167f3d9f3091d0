"""Errors in replies."""

import asyncio
import json
import pickle

import pytest
import thriftlens as tl
from safe_clients import KINDS, SHOP, client_calls, session_server


@KINDS
@pytest.mark.parametrize("protocol", ["binary", "compact"])
@pytest.mark.parametrize("result", ["dict", "view", "json", "bytes"])
def test_an_exception_that_the_idl_does_not_declare_is_an_error_that_names_the_field(
    kind, protocol, result, newer_server
):
    calls = [
        ("touch", {}, {}),
        ("twice", {"number": 1}, {}),
        ("get", {}, {"select": "{ success { id } }"}),
        ("get", {}, {"select": ["$.success.id"]}),
    ]
    outcomes = client_calls(
        kind, newer_server, calls, transport="framed", protocol=protocol, result=result
    )
    for (name, _, _), error, number in zip(calls, outcomes, (1, 1, 4, 4)):
        assert isinstance(error, tl.DecodeError) and error.code == "unknown_field", (name, error)
        assert error.path == f"$.#{number}", (name, error)
        assert f"the reply to {name} has field {number} (struct), which is not in the IDL" in str(
            error
        )


def test_an_undeclared_field_next_to_a_result_is_an_error():
    data = tl.loads("struct R { 0: i64 success, 9: string more }").R.encode({"more": "x"})
    result = SHOP.function("twice").result.encode({"success": 2})
    with session_server(lambda event: ("reply", result[:-1] + data, None), "framed") as address:
        (error,) = client_calls(
            "sync", address, [("twice", {"number": 1}, {})], transport="framed", protocol="binary"
        )
    assert error.code == "unknown_field" and "field 9 (string)" in str(error)


def test_the_shell_reports_an_undeclared_exception(newer_server, tmp_path, run):
    idl = tmp_path / "shop.thrift"
    idl.write_text(
        "struct Order { 1: required i64 id } service Shop { i64 twice(1: i64 number), Order get(1: "
        "i64 id), void touch(1: i64 id) }"
    )
    for arguments in (
        ("touch", "id=1"),
        ("twice", "number=1"),
        ("get", "id=1", "--select", "{ id }"),
    ):
        result = run("call", newer_server, idl, *arguments)
        assert result.returncode == 1 and result.stdout == b""
        assert b"which is not in the IDL" in result.stderr


def test_a_gateway_reports_an_undeclared_exception(newer_server):
    idl = tl.loads(
        'service Shop { i64 twice(1: i64 number (api.query="n")) (api.get="/twice"), void touch(1: '
        'i64 id (api.query="id")) (api.get="/touch") }'
    )

    async def get(app, path, query):
        sent = []
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": query,
            "headers": [],
        }
        await app(scope, None, lambda message: asyncio.sleep(0, sent.append(message)))
        return sent[0]["status"], sent[1]["body"]

    async def main():
        app = tl.gateway(idl, upstream=newer_server)
        answers = [await get(app, "/twice", b"n=1"), await get(app, "/touch", b"id=1")]
        await app.close()
        return answers

    for status, body in asyncio.run(main()):
        assert status == 502 and b"which is not in the IDL" in body


def kitex(headers):
    """A Kitex server whose handler answers with a business error: an empty result, and headers."""
    return lambda event: ("reply", b"\0", headers)


BUSINESS = {"biz-status": "4001", "biz-message": "sold out", "biz-extra": '{"sku": "pen"}'}


@KINDS
@pytest.mark.parametrize("transport", ["ttheader", "ttheader_framed"])
@pytest.mark.parametrize("result", ["dict", "json"])
def test_a_business_error_of_kitex_is_raised(kind, transport, result):
    calls = [
        ("touch", {}, {}),
        ("twice", {"number": 1}, {}),
        ("get", {}, {"select": "{ success { id } }"}),
    ]
    with session_server(kitex(BUSINESS), transport) as address:
        errors = client_calls(
            kind, address, calls, transport=transport, protocol="binary", result=result
        )
    for error in errors:
        assert isinstance(error, tl.BusinessError) and isinstance(error, tl.Error)
        assert error.status == 4001 and error.message == "sold out"
        assert error.extra == {"sku": "pen"} and error.code == "business_error"
        assert str(error) == "sold out"
        unpickled = pickle.loads(pickle.dumps(error))
        assert type(unpickled) is tl.BusinessError and unpickled.status == 4001
        assert unpickled.extra == {"sku": "pen"} and unpickled.call_state == "answered"


def test_a_business_status_of_zero_is_none_and_a_malformed_one_an_error():
    for status, expected in (("0", None), ("x", "bad_message")):
        with session_server(kitex({"biz-status": status}), "ttheader") as address:
            (outcome,) = client_calls(
                "sync", address, [("touch", {}, {})], transport="ttheader", protocol="binary"
            )
        assert (outcome if outcome is None else outcome.code) == expected


def test_the_shell_reports_a_business_error(tmp_path, run):
    idl = tmp_path / "shop.thrift"
    idl.write_text("service Shop { void touch(1: i64 id) }")
    with session_server(
        kitex({**BUSINESS, "biz-message": "sold \x1b[2Jout"}), "ttheader"
    ) as address:
        result = run(
            "call", address, idl, "touch", "id=1", "--transport ttheader --protocol binary"
        )
    assert result.returncode == 4 and json.loads(result.stdout)["status"] == 4001
    assert b"business error 4001: sold" in result.stderr and b"\x1b" not in result.stderr
