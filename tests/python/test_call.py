"""`thriftlens call` and `thriftlens replay`, as programs, against servers in this process."""

import io
import json
import re
import signal
import socket
import subprocess
import sys

import pytest
import thriftlens as tl

pytest.importorskip("thriftlens._rpc.client")
from thriftlens._capture import recording as _recording
from thriftlens._cli import main as cli
from thriftlens._cli.commands import (
    call as _call_command,
)  # noqa: E402
from thriftlens._cli.commands import (
    record as _record_command,
)
from thriftlens._cli.commands import (
    replay as _replay_command,
)

IDL = """
enum Kind { SMALL = 1, LARGE = 2 }
struct User { 1: required i64 id, 2: string name, 3: Kind kind, 4: binary key, 5: map<string, i32> counts, 6: i64 at }
exception Refused { 1: string why }
service People {
  User find(1: User like, 2: string token) throws (1: Refused refused),
  void nothing(),
  i32 fail(1: i32 how),
  oneway void touch(1: i64 id),
}
service More extends People { i32 one(), i32 extra(1: i32 a) }
service Other { i32 one() }
"""


@pytest.fixture(scope="module")
def idl(tmp_path_factory):
    path = tmp_path_factory.mktemp("idl") / "people.thrift"
    path.write_text(IDL)
    return path


@pytest.fixture(scope="module")
def server():
    schema = tl.loads(IDL)
    touched = []

    def answer(name, arguments, context):
        if name == "find":
            like = arguments.get("like", {})
            if like.get("id") == 404:
                raise schema.exceptions["Refused"]("nobody")
            return {**like, "name": like.get("name", "?") + arguments.get("token", ""), "at": 0}
        if name == "touch":
            touched.append(arguments["id"])
        if name == "fail":
            raise tl.ApplicationError("no such thing", code="protocol_error")
        return 1 if name == "one" else None

    with tl.serve(schema, "More", answer, background=True) as server:
        yield server


def outcome(result):
    return result.returncode, result.stdout.decode(), result.stderr.decode()


@pytest.fixture
def here(capsysbinary):
    """Runs a command in this process; what a program of its own would do differently is tested
    elsewhere.
    """

    def call(*arguments):
        with pytest.raises(SystemExit) as ended:
            cli.main(args=list(map(str, arguments)), prog_name="thriftlens")
        printed = capsysbinary.readouterr()
        return subprocess.CompletedProcess(
            arguments, ended.value.code or 0, printed.out, printed.err
        )

    return call


def test_a_result(run, server, idl):
    arguments = [
        "like.id=7",
        "like.name=Zoe",
        "like.kind=LARGE",
        "like.key=ab",
        'like.counts:={"x": 1}',
        "token=!",
    ]
    result = run("call", server.address, idl, "People.find", *arguments)
    assert outcome(result) == (
        0,
        '{"id":7,"name":"Zoe!","kind":"LARGE","key":"YWI=","counts":{"x":1},"at":0}\n',
        "",
    )
    like = json.dumps({"like": {"id": 7, "name": "Zoe"}, "token": "?"})
    result = run(
        "call", server.address, idl, "More.find", "--json", like, "token=!", "--select", "{ name }"
    )
    assert outcome(result) == (0, '{"name":"Zoe!"}\n', "")
    result = run(
        "call",
        server.address,
        idl,
        "find",
        "--json",
        "-",
        "--pretty",
        "--enums",
        "number",
        input=b'{"like": {"id": 1, "kind": 2}}',
    )
    assert outcome(result) == (0, '{\n  "id": 1,\n  "name": "?",\n  "kind": 2,\n  "at": 0\n}\n', "")


def test_arguments_of_a_file_and_output_to_one(here, server, idl, tmp_path):
    (tmp_path / "a.json").write_text('{"like": {"id": 1}}')
    result = here(
        "call",
        server.address,
        idl,
        "find",
        "--json",
        f"@{tmp_path / 'a.json'}",
        "-o",
        tmp_path / "out.json",
    )
    assert outcome(result) == (0, "", "")
    assert json.loads((tmp_path / "out.json").read_text()) == {"id": 1, "name": "?", "at": 0}


@pytest.mark.parametrize("function, printed", [("nothing", "null\n"), ("People.touch", "")])
def test_functions_without_a_result(here, server, idl, function, printed):
    arguments = ["id=0"] if function.endswith("touch") else []
    assert outcome(
        here(
            "call",
            server.address,
            idl,
            function,
            *arguments,
            "--transport",
            "framed",
            "--protocol",
            "compact",
        )
    ) == (0, printed, "")


def test_exceptions(here, server, idl):
    result = here("call", server.address, idl, "find", "--json", "{}", "like.id=404")
    assert outcome(result) == (
        3,
        '{"refused":{"why":"nobody"}}\n',
        "thriftlens: find raised Refused\n",
    )
    status, printed, message = outcome(here("call", server.address, idl, "fail", "how=1"))
    assert (status, json.loads(printed)) == (
        4,
        {"message": "no such thing", "type": "PROTOCOL_ERROR"},
    )
    assert message == "thriftlens: application exception: no such thing (PROTOCOL_ERROR)\n"
    assert outcome(here("call", server.address, idl, "Other.one"))[0] == 0


def test_no_reply(here, idl):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        closed = taken.getsockname()[1]
    status, printed, message = outcome(here("call", f"127.0.0.1:{closed}", idl, "nothing"))
    assert (status, printed, message.count("\n")) == (5, "", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        status, _, message = outcome(
            here(
                "call",
                address,
                idl,
                "nothing",
                "--transport",
                "framed",
                "--protocol",
                "binary",
                "--timeout",
                "0.2",
            )
        )
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
        (["find", "--json", "{"], "--json: expected a key"),
        (["find", "--json", '{"like": {}}'], "required"),
        (
            ["find", "like.name=Ann", "token=x"],
            "invalid arguments of find: a required field is missing at $.like.id; the call was not sent",
        ),
        (["find", "token=x"], "find() is missing 'like'; the call was not sent"),
        (["touch"], "touch() is missing 'id'"),
        (
            ["find", "--json", "{}", "--select", "{ nam }"],
            "did you mean 'name'? (byte 2 of the selection)",
        ),
        (["find", "--json", "{}", "--select", "name"], "expected '{' (byte 0 of the selection)"),
        (["nothing", "--select", "{ name }"], "--select: nothing returns void"),
        (["nothing", "--header", "a=b", "--transport", "buffered"], "has no place for headers"),
        (["nothing", "--ca", "nowhere.pem"], "nowhere.pem"),
        (["nothing", "--header", "x"], "expected NAME=VALUE"),
        (["find", "--transport", "fast"], "fast"),
        (["find", "--json", "@nowhere.json"], "nowhere.json"),
    ],
)
def test_bad_usage(here, server, idl, arguments, expected):
    status, printed, message = outcome(here("call", server.address, idl, *arguments))
    assert (status, printed) == (2, ""), message
    assert expected in message


def test_list(here, idl):
    status, printed, _ = outcome(here("call", "nowhere:1", idl, "--list"))
    lines = printed.splitlines()
    assert status == 0
    assert (
        lines[0]
        == "People.find\tUser find(1: User like, 2: string token) throws (1: Refused refused)"
    )
    assert (
        "More.touch\toneway void touch(1: i64 id)" in lines and lines[-1] == "Other.one\ti32 one()"
    )


def test_trace(here, server, idl):
    status, printed, trace = outcome(
        here(
            "call",
            server.address,
            idl,
            "find",
            "--json",
            "{}",
            "like.id=7",
            "--trace",
            "--transport",
            "framed",
            "--protocol",
            "binary",
        )
    )
    assert (status, json.loads(printed)["id"]) == (0, 7)
    lines = trace.splitlines()
    assert "sequence id" not in lines[0]
    assert lines[0].startswith("> find (call, ") and any(
        line.startswith("> ") and "#1 id i64 7" in line for line in lines
    )
    assert any(
        re.fullmatch(rf"# {server.address}, framed binary, [\d.]+ ms", line) for line in lines
    )
    assert any(line.startswith("< ") and "#0 success struct User" in line for line in lines)


@pytest.fixture
def recorded(tmp_path, server):
    """A recording of what the server answered, and one thing that it did not."""
    schema = tl.loads(IDL)
    people = schema.service("People")
    out = io.BytesIO()
    recorder = _record_command.Recorder(_recording.Writer(out, server=server.address))
    tap = recorder.connection(0)
    rows = [
        (
            "find",
            {"like": {"id": 7, "name": "Zoe"}},
            {"success": {"id": 7, "name": "Zoe", "at": 0}},
        ),
        (
            "find",
            {"like": {"id": 8, "name": "Ann"}},
            {"success": {"id": 8, "name": "Amy", "at": 55}},
        ),
        ("find", {"like": {"id": 404}}, {"refused": {"why": "nobody"}}),
        ("fail", {"how": 1}, {"success": 1}),
    ]
    for number, (name, arguments, answer) in enumerate(rows):
        function = people.functions[name]
        tap.feed(
            0,
            tl.Message(name, "call", number, function.arguments.encode(arguments)).to_bytes(
                framed=True
            ),
            number,
        )
        tap.feed(
            1,
            tl.Message(name, "reply", number, function.result.encode(answer)).to_bytes(framed=True),
            number + 0.5,
        )
    tap.finish()
    path = tmp_path / "a.tlrec"
    path.write_bytes(out.getvalue())
    return path


def test_replay_compares_answers(here, server, idl, recorded):
    command = ["replay", recorded, idl, "--to", server.address]
    status, printed, message = outcome(here(*command))
    assert (status, message) == (1, f"thriftlens: {recorded}: 4 calls, 2 different\n")
    lines = printed.splitlines()
    assert lines[:2] == [
        'call 1 find: ~ $.success.name: "Amy" -> "Ann"',
        "call 1 find: ~ $.success.at: 55 -> 0",
    ]
    assert lines[2] == "call 3 fail: a reply -> an application exception ('no such thing', 7)"
    ignored = ["--ignore", "$.success.name", "--ignore", "$.success.at", "--method", "find"]
    assert outcome(here(*command, *ignored)) == (
        0,
        "",
        f"thriftlens: {recorded}: 3 calls, 0 different\n",
    )
    status, _, message = outcome(here(*command, "--ignore", "$.success.nme"))
    assert status == 2 and "did you mean 'name'" in message
    assert outcome(here("replay", recorded, idl))[0] == 2
    status, _, message = outcome(here(*command, "--method", "find", "--method", "fial"))
    assert (status, message) == (
        2,
        "thriftlens: no call of 'fial' was recorded; did you mean 'fail'?\n",
    )


def test_calls_that_the_idl_does_not_have_are_no_success(here, server, recorded, tmp_path):
    other = tmp_path / "other.thrift"
    other.write_text("service Other { i32 fail(1: i32 how) }")
    status, printed, message = outcome(
        here("replay", recorded, other, "--to", server.address, "--method", "find")
    )
    assert (status, message) == (1, f"thriftlens: {recorded}: 0 calls, 0 different, 3 not called\n")
    assert printed.splitlines()[0] == "call 0 find: not called: no such function in the IDL"


def test_probes_of_older_recordings_are_not_played(here, server, idl, tmp_path):
    probe = tl.Recorded(
        0, "client", 1.0, 1.0, tl.Message("__thriftlens_probe__", "call", 1, b"\0"), "framed"
    )
    with open(tmp_path / "a.tlrec", "wb") as file:
        _recording.Writer(file).message(probe)
    assert outcome(here("replay", tmp_path / "a.tlrec", idl, "--to", server.address)) == (
        0,
        "",
        f"thriftlens: {tmp_path / 'a.tlrec'}: 0 calls, 0 different\n",
    )


@pytest.mark.parametrize(
    "options, expected",
    [
        (["--serve", ":0", "--tls"], "--tls needs --to"),
        (["--serve", ":0", "--ca", "x.pem"], "--ca needs --to"),
        (["--serve", ":0", "--method", "find"], "--method needs --to"),
        (["--serve", ":0", "--ignore", "$.x"], "--ignore needs --to"),
        (["--serve", ":0", "--timeout", "3"], "--timeout needs --to"),
        (["--serve", ":0", "--multiplexed"], "--multiplexed needs --to"),
        (["--to", "x:1", "--service", "People"], "--service needs --serve"),
        (["--to", "x:1", "--match", "name"], "--match needs --serve"),
    ],
)
def test_options_of_replay_that_do_not_go_together(here, idl, recorded, options, expected):
    status, _, message = outcome(here("replay", recorded, idl, *options))
    assert status == 2 and expected in message


def test_replay_of_a_file_that_is_no_recording(here, idl):
    message = "not a recording of `thriftlens record`: the header is missing (byte 0)"
    for options in (["--to", "127.0.0.1:1"], ["--serve", "127.0.0.1:0"]):
        assert outcome(here("replay", idl, idl, *options)) == (
            2,
            "",
            f"thriftlens: {idl}: {message}\n",
        )


def test_replay_as_a_mock_server(here, idl, recorded):
    command = [
        sys.executable,
        "-m",
        "thriftlens",
        "replay",
        str(recorded),
        str(idl),
        "--serve",
        "127.0.0.1:0",
        "--service",
        "People",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as mock:
        try:
            first = mock.stderr.readline()
            address = re.search(r"serving 4 recorded calls on (127\.0\.0\.1:\d+)", first)[1]
            assert json.loads(
                here(
                    "call", address, idl, "find", "--json", "{}", "like.id=8", "like.name=Ann"
                ).stdout
            ) == {"id": 8, "name": "Amy", "at": 55}
            assert here("call", address, idl, "find", "--json", "{}", "like.id=404").returncode == 3
            assert here("call", address, idl, "find", "--json", "{}", "like.id=9").returncode == 4
            assert outcome(here("replay", recorded, idl, "--to", address)) == (
                0,
                "",
                f"thriftlens: {recorded}: 4 calls, 0 different\n",
            )
        finally:
            mock.send_signal(signal.SIGINT)
            mock.wait(timeout=600)


@pytest.mark.parametrize(
    "path, ignored",
    [("$.a[3].b", "$.a[*].b"), ("$.a[3].b", "$.a"), ("$.a", "$.a"), ('$.a{"k"}', "$.a")],
)
def test_paths_that_are_ignored(path, ignored):
    player = _replay_command.Player("x:1", tl.loads(IDL), {}, [ignored], None)
    assert player._is_ignored(path)
    assert not player._is_ignored("$.ab") and not player._is_ignored("$")


def test_names_of_functions():
    schema = tl.loads(IDL)
    assert _call_command.find_function(schema, "find")[0].name == "People"
    assert _call_command.find_function(schema, "More.find")[0].name == "More"
    assert _call_command.find_function(schema, "extra")[1].name == "extra"
