"""The command call."""

import json
import re
import socket

import pytest
from function_servers import outcome

pytest.importorskip("thriftlens._rpc.client")


def test_a_result(run, server, people):
    arguments = [
        "like.id=7",
        "like.name=Zoe",
        "like.kind=LARGE",
        "like.key=ab",
        'like.counts:={"x": 1}',
        "token=!",
    ]
    result = run("call", server.address, people, "People.find", *arguments)
    assert outcome(result) == (
        0,
        '{"id":7,"name":"Zoe!","kind":"LARGE","key":"YWI=","counts":{"x":1},"at":0}\n',
        "",
    )
    like = json.dumps({"like": {"id": 7, "name": "Zoe"}, "token": "?"})
    result = run(
        "call", server.address, people, "More.find", "--data", like, "token=!", "--select",
        "{ name }",
    )  # fmt: skip
    assert outcome(result) == (0, '{"name":"Zoe!"}\n', "")
    result = run(
        "call",
        server.address,
        people,
        "find",
        "--data - --pretty --enums number",
        input=b'{"like": {"id": 1, "kind": 2}}',
    )
    assert outcome(result) == (0, '{\n  "id": 1,\n  "name": "?",\n  "kind": 2,\n  "at": 0\n}\n', "")


def test_arguments_of_a_file_and_output_to_one(here, server, people, tmp_path):
    (tmp_path / "a.json").write_text('{"like": {"id": 1}}')
    result = here(
        "call", server.address, people, "find", "--data", f"@{tmp_path / 'a.json'}", "-o",
        tmp_path / "out.json",
    )  # fmt: skip
    assert outcome(result) == (0, "", "")
    assert json.loads((tmp_path / "out.json").read_text()) == {"id": 1, "name": "?", "at": 0}


@pytest.mark.parametrize("function, printed", [("nothing", "null\n"), ("People.touch", "")])
def test_functions_without_a_result(here, server, people, function, printed):
    arguments = ["id=0"] if function.endswith("touch") else []
    assert outcome(
        here(
            "call",
            server.address,
            people,
            function,
            *arguments,
            "--transport framed --protocol compact",
        )
    ) == (0, printed, "")


def test_exceptions(here, server, people):
    result = here("call", server.address, people, "find", "--data", "{}", "like.id=404")
    actual = outcome(result)
    assert actual == (3, '{"refused":{"why":"nobody"}}\n', "thriftlens: find raised Refused\n")
    status, printed, message = outcome(here("call", server.address, people, "fail", "how=1"))
    assert status == 4
    assert json.loads(printed) == {"message": "no such thing", "type": "PROTOCOL_ERROR"}
    assert message == "thriftlens: application exception: no such thing (PROTOCOL_ERROR)\n"
    assert outcome(here("call", server.address, people, "Other.one"))[0] == 0


def test_no_reply(here, people):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        closed = taken.getsockname()[1]
    status, printed, message = outcome(here("call", f"127.0.0.1:{closed}", people, "nothing"))
    assert (status, printed, message.count("\n")) == (5, "", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        result = here(
            "call", address, people, "nothing", "--transport framed --protocol binary --timeout 0.2"
        )
        status, _, message = outcome(result)
    assert status == 5 and message.startswith(f"thriftlens: {address}: ")


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ([], "with --list"),
        (["fnd"], "no function 'fnd' in"),
        (["Peple.find"], "did you mean 'People'"),
        (["one"], "ambiguous function"),
        (["find", "lik.id=1"], "did you mean 'like'"),
        (["find", "token"], "NAME=VALUE or NAME:=JSON"),
        (["find", "like.id=1", "$.like.id:=2"], "duplicate argument"),
        (["nothing", "--header", "a=b", "--header", "a=c"], "duplicate --header 'a'"),
        (["find", "like.id=x"], "$.like.id"),
        (["find", "like.kind=HUGE"], "HUGE"),
        (["find", "--data", "{"], "--data: the text ends where a key"),
        (["find", "--data", '{"like": {}}'], "required"),
        (
            ["find", "like.name=Ann", "token=x"],
            "invalid arguments of find: User.id is required in the created struct at "
            "$.like.id; the call was not sent",
        ),
        (["find", "token=x"], "find() is missing 'like'; the call was not sent"),
        (["touch"], "touch() is missing 'id'"),
        (
            ["find", "--data", "{}", "--select", "{ nam }"],
            "did you mean 'name'? (byte 2 of the selection)",
        ),
        (["find", "--data", "{}", "--select", "name"], "expected '{' (byte 0 of the selection)"),
        (["nothing", "--select", "{ name }"], "--select: nothing returns void"),
        (["nothing", "--header", "a=b", "--transport", "buffered"], "does not support headers"),
        (["nothing", "--ca", "nowhere.pem"], "nowhere.pem"),
        (["nothing", "--header", "x"], "expected NAME=VALUE"),
        (["find", "--transport", "fast"], "fast"),
        (["find", "--data", "@nowhere.json"], "nowhere.json"),
    ],
)
def test_bad_usage(here, server, people, arguments, expected):
    status, printed, message = outcome(here("call", server.address, people, *arguments))
    assert (status, printed) == (2, ""), message
    assert expected in message


def test_list(here, people):
    status, printed, _ = outcome(here("call", "nowhere:1", people, "--list"))
    lines = printed.splitlines()
    assert status == 0
    expected = "People.find\tUser find(1: User like, 2: string token) throws (1: Refused refused)"
    assert lines[0] == expected
    assert "More.touch\toneway void touch(1: i64 id)" in lines
    assert lines[-1] == "Other.one\ti32 one()"


def test_trace(here, server, people):
    result = here(
        "call",
        server.address,
        people,
        "find",
        "--data {} like.id=7 --trace --transport framed --protocol binary",
    )
    status, printed, trace = outcome(result)
    assert (status, json.loads(printed)["id"]) == (0, 7)
    lines = trace.splitlines()
    assert "sequence id" not in lines[0]
    assert lines[0].startswith("> find (call, ")
    assert any(line.startswith("> ") and "#1 id i64 7" in line for line in lines)
    assert any(
        re.fullmatch(rf"# {server.address}, framed binary, [\d.]+ ms", line) for line in lines
    )
    assert any(line.startswith("< ") and "#0 success struct User" in line for line in lines)
