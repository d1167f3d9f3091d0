"""Replays of recordings."""

import io
import json
import re
import signal
import subprocess
import sys

import pytest
import thriftlens as tl
from function_servers import IDL, outcome
from thriftlens._capture.proxy import Recorder
from thriftlens._capture.recording_format import Writer
from thriftlens._capture.replay import Player

pytest.importorskip("thriftlens._rpc.client")


@pytest.fixture
def recorded(tmp_path, server):
    """A recording of what the server answered, and one thing that it did not."""
    schema = tl.loads(IDL)
    people = schema.service("People")
    out = io.BytesIO()
    recorder = Recorder(Writer(out, server=server.address))
    tap = recorder.connection(0)
    rows = [
        ("find", {"like": {"id": 7, "name": "Zoe"}},
            {"success": {"id": 7, "name": "Zoe", "at": 0}}),
        ("find", {"like": {"id": 8, "name": "Ann"}},
            {"success": {"id": 8, "name": "Amy", "at": 55}}),
        ("find", {"like": {"id": 404}}, {"refused": {"why": "nobody"}}),
        ("fail", {"how": 1}, {"success": 1}),
    ]  # fmt: skip
    for number, (name, arguments, answer) in enumerate(rows):
        function = people.functions[name]
        data = tl.Message(name, "call", number, function.arguments.encode(arguments)).to_bytes(
            framed=True
        )
        tap.feed(0, data, number)
        data = tl.Message(name, "reply", number, function.result.encode(answer)).to_bytes(
            framed=True
        )
        tap.feed(1, data, number + 0.5)
    tap.finish()
    path = tmp_path / "a.tlrec"
    path.write_bytes(out.getvalue())
    return path


def test_replay_compares_answers(here, server, people, recorded):
    command = ["replay", recorded, people, "--server", server.address]
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
    assert outcome(here("replay", recorded, people))[0] == 2
    status, _, message = outcome(here(*command, "--method", "find", "--method", "fial"))
    assert status == 2
    assert message == "thriftlens: no call of 'fial' was recorded; did you mean 'fail'?\n"


def test_calls_of_unknown_functions_fail_the_replay(here, server, recorded, tmp_path):
    other = tmp_path / "other.thrift"
    other.write_text("service Other { i32 fail(1: i32 how) }")
    result = here("replay", recorded, other, "--server", server.address, "--method", "find")
    status, printed, message = outcome(result)
    assert (status, message) == (1, f"thriftlens: {recorded}: 0 calls, 0 different, 3 not called\n")
    assert printed.splitlines()[0] == "call 0 find: not called: no such function in the IDL"


def test_probes_of_older_recordings_are_not_played(here, server, people, tmp_path):
    probe = tl.Recorded(
        0, "client", 1.0, 1.0, tl.Message("__thriftlens_probe__", "call", 1, b"\0"), "framed"
    )
    with open(tmp_path / "a.tlrec", "wb") as file:
        Writer(file).message(probe)
    result = outcome(here("replay", tmp_path / "a.tlrec", people, "--server", server.address))
    assert result == (0, "", f"thriftlens: {tmp_path / 'a.tlrec'}: 0 calls, 0 different\n")


@pytest.mark.parametrize(
    "options, expected",
    [
        (["--listen", ":0", "--tls"], "--tls needs --server"),
        (["--listen", ":0", "--ca", "x.pem"], "--ca needs --server"),
        (["--listen", ":0", "--method", "find"], "--method needs --server"),
        (["--listen", ":0", "--ignore", "$.x"], "--ignore needs --server"),
        (["--listen", ":0", "--timeout", "3"], "--timeout needs --server"),
        (["--listen", ":0", "--multiplexed"], "--multiplexed needs --server"),
        (["--server", "x:1", "--service", "People"], "--service needs --listen"),
        (["--server", "x:1", "--match", "name"], "--match needs --listen"),
    ],
)
def test_contradicting_options_of_replay(here, people, recorded, options, expected):
    status, _, message = outcome(here("replay", recorded, people, *options))
    assert status == 2 and expected in message


def test_replay_of_a_file_that_is_not_a_recording(here, people):
    message = "not a recording of `thriftlens record`: the header is missing (byte 0)"
    for options in (["--server", "127.0.0.1:1"], ["--listen", "127.0.0.1:0"]):
        assert outcome(here("replay", people, people, *options)) == (
            2,
            "",
            f"thriftlens: {people}: {message}\n",
        )


def test_replay_as_a_mock_server(here, people, recorded):
    command = [
        sys.executable, "-m", "thriftlens", "replay", str(recorded), str(people), "--listen",
        "127.0.0.1:0", "--service", "People",
    ]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as mock:
        try:
            first = mock.stderr.readline()
            address = re.search(r"serving 4 recorded calls on (127\.0\.0\.1:\d+)", first)[1]
            assert json.loads(
                here("call", address, people, "find", "--data {} like.id=8 like.name=Ann").stdout
            ) == {"id": 8, "name": "Amy", "at": 55}
            actual = here("call", address, people, "find", "--data", "{}", "like.id=404")
            assert actual.returncode == 3
            actual = here("call", address, people, "find", "--data", "{}", "like.id=9")
            assert actual.returncode == 4
            result = outcome(here("replay", recorded, people, "--server", address))
            assert result == (0, "", f"thriftlens: {recorded}: 4 calls, 0 different\n")
        finally:
            mock.send_signal(signal.SIGINT)
            mock.wait(timeout=600)


@pytest.mark.parametrize(
    "path, ignored",
    [("$.a[3].b", "$.a[*].b"), ("$.a[3].b", "$.a"), ("$.a", "$.a"), ('$.a{"k"}', "$.a")],
)
def test_ignored_paths(path, ignored):
    player = Player("x:1", tl.loads(IDL), {}, [ignored])
    assert player._is_ignored(path)
    assert not player._is_ignored("$.ab") and not player._is_ignored("$")
