"""The proxy that records, and its redaction."""

import json
import re
import signal
import socket
import threading

import pytest
import thriftlens as tl
from recordings import FIND, IDL, PEOPLE, Proxy, call, recorded, reply, user
from thriftlens._records.redaction import Redactor


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_proxy(server, tmp_path, sent):
    proxy = Proxy(f"127.0.0.1:{server.port}", tmp_path / "a.tlrec")
    threads = [threading.Thread(target=proxy.ask, args=(range(n, n + 5),)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    status, stderr = proxy.end(sent)
    assert (status, stderr) == (0, f"thriftlens: {tmp_path / 'a.tlrec'}: 40 messages, 20 calls\n")
    recording = tl.Recording(tmp_path / "a.tlrec")
    assert recording.server == f"127.0.0.1:{server.port}"
    assert {message.connection for message in recording.messages} == {0, 1, 2, 3}
    assert all(call_.latency > 0 and call_.call.transport == "framed" for call_ in recording.calls)


def test_the_proxy_ends_by_itself_and_redacts(server, tmp_path, run):
    (tmp_path / "people.thrift").write_text(IDL)
    arguments = [
        f"127.0.0.1:{server.port}",
        tmp_path / "a.tlrec",
        "--limit",
        3,
        "--idl",
        tmp_path / "people.thrift",
    ]
    proxy = Proxy(
        *arguments, "--annotation", "pii", "--redact-path", "find.arguments.token", "drop"
    )
    proxy.ask(range(3))
    assert proxy.end()[0] == 0
    recording = tl.Recording(tmp_path / "a.tlrec")
    assert recording.is_redacted and len(recording.calls) == 3
    assert FIND.arguments.decode(recording.calls[2].call.data) == {"id": 2}
    result = run("pcap", tmp_path / "a.tlrec", "--idl", tmp_path / "people.thrift")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["arguments"] for line in lines] == [{"id": 0}, {"id": 1}, {"id": 2}]
    for options in (
        ["--annotation", "pi"],
        ["--redact-path", "find.arguments.tokn", "drop"],
        ["--default-action", "drop"],
    ):
        result = run("record", *arguments, *options)
        assert result.returncode == 2, result.stderr
    result = run("record", *arguments[:2], "--annotation", "pii")
    assert (result.returncode, b"needs --idl" in result.stderr) == (2, True)


def test_probes_do_not_count_towards_the_limit(tmp_path):
    """The client's probe calls detect the protocol and do not count towards the limit."""
    schema = tl.loads(IDL)
    handler = {"find": lambda id, token: user(id)["success"], "touch": lambda id: None}
    with tl.serve(schema, "People", handler, transport="framed", background=True) as server:
        proxy = Proxy(server.address, tmp_path / "a.tlrec", "--limit", 3)
        for number in range(3):
            with tl.connect(f"127.0.0.1:{proxy.port}", schema, timeout=600) as client:
                assert client.find(number, "t")["id"] == number
        status, stderr = proxy.end()
    assert status == 0
    assert stderr.splitlines()[-1] == f"thriftlens: {tmp_path / 'a.tlrec'}: 6 messages, 3 calls"
    assert [message.name for message in tl.Recording(tmp_path / "a.tlrec").messages] == ["find"] * 6


def test_a_recording_is_unchanged_if_the_proxy_cannot_listen(run, tmp_path):
    path = tmp_path / "a.tlrec"
    path.write_bytes(b"of yesterday")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = run(
            "record", "127.0.0.1:1", path, "--listen", f"127.0.0.1:{taken.getsockname()[1]}"
        )
    assert result.returncode == 2 and (b"in use" in result.stderr) is True
    assert path.read_bytes() == b"of yesterday"
    result = run("record", "127.0.0.1:1", path, "--listen", "nowhere.invalid:1")
    assert result.returncode == 2 and (b"nowhere.invalid" in result.stderr) is True
    assert path.read_bytes() == b"of yesterday"
    result = run("record", "127.0.0.1:1", tmp_path / "no folder" / "a.tlrec")
    assert result.returncode == 2 and (b"no folder" in result.stderr) is True
    assert (b"listening" in result.stderr) is False


def test_an_unreachable_server(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    proxy = Proxy(f"127.0.0.1:{port}", tmp_path / "a.tlrec")
    with socket.create_connection(("127.0.0.1", proxy.port)) as peer:
        assert peer.recv(1) == b""
    status, stderr = proxy.end(signal.SIGINT)
    assert status == 0 and f"connection 0: 127.0.0.1:{port}: " in stderr


RULES = {
    "annotation": "pii",
    "values": {},
    "default_action": "blank",
    "key": b"",
    "unknown": "drop",
    "missing_required": "error",
}


def test_probes_are_not_recorded():
    probes = [
        call(1, name="__thriftlens_probe__"),
        reply(1, user(1), name="__thriftlens_probe__"),
        call(2, name="People:__thriftlens_probe__"),
    ]
    recording = tl.Recording(recorded(*probes, call(3), reply(3, user(3))))
    assert [message.name for message in recording.messages] == ["find", "find"]
    assert recording.lost == []


def test_bytes_outside_messages_are_reported():
    recording = tl.Recording(recorded(call(1), b"garbage that is no message", call(2)))
    assert [message.message.sequence_id for message in recording.messages] == [1, 2]
    (lost,) = recording.lost
    assert (lost.sender, lost.size, lost.reason) == (
        "client",
        len(b"garbage that is no message"),
        "expected a message header",
    )


@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_redaction(protocol):
    redact = Redactor(
        [PEOPLE], RULES, [("find", "$.token", "constant(***)"), ("find", "$.success.city", "drop")]
    )
    unknown = tl.Message("find", "call", 4, bytes.fromhex("0b0063 00000006 736563726574 00"))
    strange = tl.Message("lose", "call", 5, FIND.arguments.encode({"token": "secret"}))
    wrong = tl.Message("find", "call", 6, bytes.fromhex("0b0001 00000006 736563726574 00"))
    encoded = tl.application_exception().encode({"message": "no secret", "type": 6})
    failed = tl.Message("find", "exception", 3, encoded)
    sent = [
        call(1, 1, "secret", protocol), reply(1, user(1, "secret"), protocol),
        call(2, 2, "secret", protocol), reply(2, {"refused": {"why": "secret"}}, protocol),
        call(3, 3, "secret", protocol), failed, unknown, strange, wrong,
    ]  # fmt: skip
    data = recorded(*sent, b"secret secret secret", redact=redact, redacted=True)
    assert b"secret" not in data
    recording = tl.Recording(data)
    assert recording.is_redacted
    result = FIND.arguments.decode(recording.messages[0].data, protocol=protocol)
    assert result == {"id": 1, "token": "***"}
    result = FIND.result.decode(recording.messages[1].data, protocol=protocol)
    assert result == {"success": {"id": 1, "name": ""}}
    assert FIND.result.decode(recording.messages[3].data, protocol=protocol) == {"refused": {}}
    result = tl.application_exception().decode(recording.messages[5].data)
    assert result == {"message": "redacted", "type": 6}
    assert FIND.arguments.decode(recording.messages[6].data) == {}
    assert [lost.reason for lost in recording.lost[:2]] == [
        "not recorded, because redaction failed: unknown_name",
        "not recorded, because redaction failed: type_mismatch",
    ]


def test_messages_lost_under_redaction_reveal_no_secrets():
    pytest.importorskip("h11", reason="h11 is not installed: HTTP is not read")
    redact = Redactor([PEOPLE], RULES, [])
    data = recorded(
        b"POST / HTTP/1.1\r\nHost: x\r\nAuthorization Basic c2VjcmV0\r\n\r\n", redact=redact
    )
    assert b"c2VjcmV0" not in data and len(tl.Recording(data).lost) == 1
    result = recorded(b"POST / HTTP/1.1\r\nHost: x\r\nAuthorization Basic c2VjcmV0\r\n\r\n")
    assert b"c2VjcmV0" not in result


@pytest.mark.parametrize(
    "rules, paths, message",
    [
        ({"annotation": ""}, [], "no redaction rule"),
        ({"annotation": "pi"}, [], "no field has the annotation 'pi'; did you mean 'pii'"),
        ({"annotation": ""}, [("fnd", "$.token", "drop")], "did you mean 'find'"),
        ({"annotation": ""}, [("find", "$.tokn", "drop")], "find: $.tokn"),
        ({"annotation": ""}, [("find", "$.token", "hide")], "hide"),
        ({"annotation": ""}, [("find", "$.token", "hash")], "key"),
        ({"default_action": "hash"}, [], "key"),
    ],
)
def test_invalid_redactions(rules, paths, message):
    with pytest.raises(tl.Error, match=re.escape(message)):
        Redactor([PEOPLE], {**RULES, **rules}, paths)


def test_messages_of_functions_without_a_rule_are_counted(server, tmp_path):
    (tmp_path / "people.thrift").write_text(IDL)
    proxy = Proxy(
        f"127.0.0.1:{server.port}", tmp_path / "a.tlrec", "--limit", 1, "--idl",
        tmp_path / "people.thrift", "--annotation", "pii",
    )  # fmt: skip
    proxy.ask(range(1))
    assert (
        proxy.end()[1] == f"thriftlens: {tmp_path / 'a.tlrec'}: 2 messages, 1 call; "
        "1 message of a function without a rule recorded unchanged\n"
    )


def test_paths_of_a_recording_reach_every_function(tmp_path, run):
    (tmp_path / "people.thrift").write_text(IDL)
    arguments = [
        "record",
        "127.0.0.1:1",
        tmp_path / "a.tlrec",
        "--idl",
        tmp_path / "people.thrift",
        "--redact-path",
    ]
    for path, expected in (
        ("find.result.success.city", b"no rule for People.touch"),
        ("", b"empty"),
        ("find.token", b"FUNCTION.arguments.FIELD"),
    ):
        completed = run(*arguments, path, "drop")
        assert completed.returncode == 2 and expected in completed.stderr, completed.stderr
