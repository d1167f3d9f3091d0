"""Log records about peers."""

import logging
import subprocess
import sys

import thriftlens as tl
from raw_sockets import connect_to, read_message

IDL = tl.loads("service Shop { string get(1: string id), oneway void note(1: string text) }")
SHOP = IDL.service("Shop")
CONTROL = "\x1b]0;title\x07\x9b\u202e\r\n"


def test_control_characters_of_names_and_of_exceptions_are_escaped(caplog):
    def fail(text):
        raise ValueError(text)

    def framed(name, kind, sequence_id, arguments):
        return tl.Message(name, kind, sequence_id, arguments).to_bytes(framed=True)

    note, get = SHOP.functions["note"].arguments, SHOP.functions["get"].arguments
    with (
        tl.serve(
            IDL, "Shop", {"get": fail, "note": fail}, transport="framed", background=True
        ) as server,
        caplog.at_level(logging.INFO, "thriftlens"),
    ):
        with connect_to(server) as stream:
            stream.sendall(framed(CONTROL, "oneway", 1, b"\0"))
            stream.sendall(framed("get", "call", 2, get.encode({"id": CONTROL})))
            assert read_message(stream, SHOP).kind == "exception"
            stream.sendall(framed("note", "oneway", 3, note.encode({"text": CONTROL})))
            stream.sendall(framed("get", "call", 4, get.encode({"id": ""})))
            assert read_message(stream, SHOP).kind == "exception"
    assert caplog.text.count("\\u001b]0;title\\u0007\\u009b\\u202e") >= 3
    assert set(caplog.text).isdisjoint("\x1b\x07\x9b\u202e\r")
    assert all("\n" not in record.getMessage() for record in caplog.records)


def test_the_address_of_a_server_is_logged(caplog):
    with (
        caplog.at_level(logging.INFO, "thriftlens"),
        tl.serve(IDL, "Shop", {"get": str, "note": print}, background=True) as server,
    ):
        assert f"listening at {server.address}" in caplog.messages


def test_a_declared_exception_of_another_function_is_named(caplog):
    idl = tl.loads(
        "exception Refused { 1: string why } service Shop { string get(1: string id), string "
        "put(1: string id) throws (1: Refused refused) }"
    )

    def refuse(id):
        raise idl.exceptions["Refused"]("no")

    with (
        tl.serve(idl, "Shop", {"get": refuse, "put": refuse}, background=True) as server,
        tl.connect(server.address, idl) as client,
    ):
        for call in (client.get, client.put):
            try:
                call("a")
            except (tl.ApplicationError, idl.exceptions["Refused"]):
                pass
    assert caplog.messages == ["get failed: Refused is not declared in the throws of get"]


def test_importing_the_package_does_not_import_logging():
    code = "import sys, thriftlens; sys.exit('logging' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
