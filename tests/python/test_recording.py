"""Recordings: their file, their reader, the proxy that writes them, and redaction while recording."""

import io
import json
import re
import signal
import socket
import subprocess
import sys
import threading

import pytest
import thriftlens as tl
from thriftlens._capture import recording as _recording
from thriftlens._cli.commands import record as _record_command
from thriftlens._cli.options import address_of

IDL = """
struct User { 1: i64 id, 2: string name (pii = "blank"), 3: string city }
exception Refused { 1: string why (pii = "drop") }
service People {
  User find(1: i64 id, 2: string token) throws (1: Refused refused),
  oneway void touch(1: i64 id),
}
"""
PEOPLE = tl.loads(IDL).service("People")
FIND = PEOPLE.functions["find"]
RULES = {
    "annotation": "pii",
    "values": {},
    "otherwise": "blank",
    "key": b"",
    "unknown": "drop",
    "missing_required": "error",
}


def call(sequence_id, id=1, token="t", protocol="binary", name="find"):
    return tl.Message(
        name,
        "call",
        sequence_id,
        FIND.arguments.encode({"id": id, "token": token}, protocol=protocol),
        protocol,
    )


def reply(sequence_id, value, protocol="binary", name="find"):
    return tl.Message(
        name, "reply", sequence_id, FIND.result.encode(value, protocol=protocol), protocol
    )


def user(id, name="Zoe"):
    return {"success": {"id": id, "name": name, "city": "Ulm"}}


def recorded(*messages, redact=None, **head):
    """The bytes of a recording; the kind of a message determines its sender."""
    out = io.BytesIO()
    recorder = _record_command.Recorder(_recording.Writer(out, **head), redact)
    tap = recorder.connection(0)
    for number, message in enumerate(messages):
        data = message if isinstance(message, bytes) else message.to_bytes()
        tap.feed(
            int(not isinstance(message, bytes) and message.kind in ("reply", "exception")),
            data,
            1000 + number / 4,
        )
    tap.finish()
    return out.getvalue()


def test_a_recording_round_trips():
    data = recorded(
        call(1),
        reply(1, user(1)),
        call(2, protocol="compact"),
        reply(2, user(2), "compact"),
        server="db:9083",
    )
    recording = tl.Recording(data)
    assert (recording.server, recording.is_redacted, recording.lost, len(recording.messages)) == (
        "db:9083",
        False,
        [],
        4,
    )
    assert [
        (message.sender, message.kind, message.message.sequence_id, message.begin)
        for message in recording.messages
    ] == [
        ("client", "call", 1, 1000.0),
        ("server", "reply", 1, 1000.25),
        ("client", "call", 2, 1000.5),
        ("server", "reply", 2, 1000.75),
    ]
    first, second = recording.calls
    assert (first.call.data, first.latency, second.reply.message.protocol) == (
        call(1).data,
        0.25,
        "compact",
    )
    assert FIND.result.decode(second.reply.data, protocol="compact") == user(2)


def test_a_recording_is_a_file_of_records():
    data = recorded(call(1), reply(1, user(1)))
    entries = list(
        tl.scan(data, _recording.schema()["Entry"], framing="u32", to="dict", enums="name")
    )
    assert [next(iter(entry)) for entry in entries] == ["head", "message", "message"]
    assert entries[0]["head"]["format"] == "thriftlens recording"
    assert entries[1]["message"]["kind"] == "CALL"


@pytest.mark.parametrize("cut", [1, 7, 30])
def test_a_recording_that_is_cut_is_an_error(cut):
    with pytest.raises(tl.DecodeError) as caught:
        tl.Recording(recorded(call(1))[:-cut])
    assert caught.value.code == "truncated"


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", "the file is empty (byte 0)"),
        (b"\0\0\0\1\0", "the header is missing (byte 0)"),
        (b"no recording at all", "the header is missing (byte 0)"),
        (bytes(64), "record 0: the data ends in the middle of a value (byte 4)"),
        (b"\0\0\0\5abcde", "the header is missing (byte 0)"),
    ],
)
def test_invalid_recordings(data, message, tmp_path):
    path = tmp_path / "a.tlrec"
    path.write_bytes(data)
    for source, name in (
        (data, ""),
        (io.BytesIO(data), ""),
        (path, f"{path}: "),
        (str(path), f"{path}: "),
    ):
        with pytest.raises(tl.DecodeError) as caught:
            tl.Recording(source)
        assert str(caught.value) == f"{name}not a recording of `thriftlens record`: {message}"
        assert f"(byte {caught.value.offset})" in message and caught.value.code in (
            "bad_magic",
            "truncated",
        )


def test_a_recording_of_a_later_version():
    head = {"head": {"format": "thriftlens recording", "version": 2}}
    head_bytes = _recording.schema()["Entry"].encode(head)
    with pytest.raises(tl.DecodeError, match="unsupported version 2; expected version 1"):
        tl.Recording(len(head_bytes).to_bytes(4, "big") + head_bytes)


def test_where_a_recording_is_broken(tmp_path):
    sound = recorded(call(1))
    path = tmp_path / "a.tlrec"
    path.write_bytes(sound + b"\0\0\0\4abcd")
    with pytest.raises(tl.DecodeError) as caught:
        tl.Recording(path)
    assert (
        str(caught.value)
        == f"{path}: invalid recording: record 2: a wire type that Thrift does not define (byte {len(sound) + 4})"
    )
    assert (caught.value.offset, caught.value.record, caught.value.record_offset) == (
        len(sound) + 4,
        2,
        len(sound),
    )


def test_probes_are_not_recorded():
    probes = [
        call(1, name="__thriftlens_probe__"),
        reply(1, user(1), name="__thriftlens_probe__"),
        call(2, name="People:__thriftlens_probe__"),
    ]
    recording = tl.Recording(recorded(*probes, call(3), reply(3, user(3))))
    assert [message.name for message in recording.messages] == [
        "find",
        "find",
    ] and recording.lost == []


def test_answers_by_arguments():
    data = recorded(
        call(1, 1),
        reply(1, user(1)),
        call(2, 2),
        reply(2, user(2)),
        call(3, 1),
        reply(3, user(1, "Ann")),
    )
    recording = tl.Recording(data)

    def ask(id, protocol="binary", function=FIND):
        arguments = FIND.arguments.encode({"id": id, "token": "t"}, protocol=protocol)
        answer = recording.answer("find", arguments, protocol, function)
        return (
            None
            if answer is None
            else (answer.kind, FIND.result.decode(answer.data, protocol=protocol))
        )

    assert ask(2) == ("reply", user(2))
    assert ask(2, "compact") == ("reply", user(2))
    assert [ask(1)[1]["success"]["name"] for _ in range(3)] == ["Zoe", "Ann", "Ann"]
    assert ask(3) is None
    assert ask(2, "compact", None) == ("reply", user(2))
    assert recording.answer("lose", b"\0") is None
    assert recording.answer("People:find", call(1, 2).data, "binary", FIND) is not None


def test_answers_by_name_and_in_another_order_of_fields():
    turned = tl.Message(
        "find", "call", 1, bytes.fromhex("0b0002 00000001 74 0a0001 0000000000000009 00")
    )
    recording = tl.Recording(recorded(turned, reply(1, user(9))))
    assert recording.answer("find", call(1, 9).data, "binary", FIND) is not None
    assert recording.answer("find", call(1, 9).data, "binary") is None
    by_name = tl.Recording(recorded(turned, reply(1, user(9))), match="name")
    assert by_name.answer("find", call(1, 12345).data) is not None
    with pytest.raises(ValueError, match="match: expected"):
        tl.Recording(recorded(), match="order")


def test_replies_that_are_exceptions_and_calls_without_reply():
    failed = tl.Message(
        "find", "exception", 1, tl.application_exception().encode({"message": "down", "type": 6})
    )
    recording = tl.Recording(recorded(call(1, 1), failed, call(2, 2)))
    answer = recording.answer("find", call(7, 1, protocol="compact").data, "compact", FIND)
    assert answer.kind == "exception"
    assert tl.application_exception().decode(answer.data, protocol="compact")["message"] == "down"
    assert recording.calls[1].reply is None and recording.calls[1].latency is None
    assert recording.answer("find", call(7, 2).data, "binary", FIND) is None


def test_bytes_that_are_no_message_are_reported():
    recording = tl.Recording(recorded(call(1), b"garbage that is no message", call(2)))
    assert [message.message.sequence_id for message in recording.messages] == [1, 2]
    (lost,) = recording.lost
    assert (lost.sender, lost.size, lost.why) == (
        "client",
        len(b"garbage that is no message"),
        "no message begins here",
    )


@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_redaction(protocol):
    redact = _record_command.Redactor(
        [PEOPLE], RULES, [("find", "$.token", "constant(***)"), ("find", "$.success.city", "drop")]
    )
    unknown = tl.Message("find", "call", 4, bytes.fromhex("0b0063 00000006 736563726574 00"))
    strange = tl.Message("lose", "call", 5, FIND.arguments.encode({"token": "secret"}))
    wrong = tl.Message("find", "call", 6, bytes.fromhex("0b0001 00000006 736563726574 00"))
    failed = tl.Message(
        "find",
        "exception",
        3,
        tl.application_exception().encode({"message": "no secret", "type": 6}),
    )
    sent = [
        call(1, 1, "secret", protocol),
        reply(1, user(1, "secret"), protocol),
        call(2, 2, "secret", protocol),
        reply(2, {"refused": {"why": "secret"}}, protocol),
        call(3, 3, "secret", protocol),
        failed,
        unknown,
        strange,
        wrong,
    ]
    data = recorded(*sent, b"secret secret secret", redact=redact, redacted=True)
    assert b"secret" not in data
    recording = tl.Recording(data)
    assert recording.is_redacted
    assert FIND.arguments.decode(recording.messages[0].data, protocol=protocol) == {
        "id": 1,
        "token": "***",
    }
    assert FIND.result.decode(recording.messages[1].data, protocol=protocol) == {
        "success": {"id": 1, "name": ""}
    }
    assert FIND.result.decode(recording.messages[3].data, protocol=protocol) == {"refused": {}}
    assert tl.application_exception().decode(recording.messages[5].data) == {
        "message": "redacted",
        "type": 6,
    }
    assert FIND.arguments.decode(recording.messages[6].data) == {}
    assert [lost.why for lost in recording.lost[:2]] == [
        "not recorded, because redaction failed: unknown_name",
        "not recorded, because redaction failed: type_mismatch",
    ]


def test_messages_lost_under_redaction_reveal_no_secrets():
    pytest.importorskip("h11", reason="h11 is not installed: HTTP is not read")
    redact = _record_command.Redactor([PEOPLE], RULES, [])
    data = recorded(
        b"POST / HTTP/1.1\r\nHost: x\r\nAuthorization Basic c2VjcmV0\r\n\r\n", redact=redact
    )
    assert b"c2VjcmV0" not in data and len(tl.Recording(data).lost) == 1
    assert b"c2VjcmV0" not in recorded(
        b"POST / HTTP/1.1\r\nHost: x\r\nAuthorization Basic c2VjcmV0\r\n\r\n"
    )


@pytest.mark.parametrize(
    "rules, paths, message",
    [
        ({"annotation": ""}, [], "no redaction rule"),
        ({"annotation": "pi"}, [], "no function has a field with the annotation 'pi'"),
        ({"annotation": ""}, [("fnd", "$.token", "drop")], "did you mean 'find'"),
        ({"annotation": ""}, [("find", "$.tokn", "drop")], "find: $.tokn"),
        ({"annotation": ""}, [("find", "$.token", "hide")], "hide"),
        ({"annotation": ""}, [("find", "$.token", "hash")], "key"),
        ({"otherwise": "hash"}, [], "key"),
    ],
)
def test_redactions_that_make_no_sense(rules, paths, message):
    with pytest.raises(tl.Error, match=re.escape(message)):
        _record_command.Redactor([PEOPLE], {**RULES, **rules}, paths)


@pytest.mark.parametrize(
    "text, address",
    [("a:1", ("a", 1)), (":1", ("127.0.0.1", 1)), ("1", ("127.0.0.1", 1)), ("[::1]:2", ("::1", 2))],
)
def test_addresses(text, address):
    assert address_of(text) == address


@pytest.mark.parametrize("text", ["", "a", "a:", "a:b", "a:70000", "::1:2"])
def test_invalid_addresses(text):
    with pytest.raises(ValueError, match="expected HOST:PORT"):
        address_of(text)


class Server(threading.Thread):
    """Answers framed calls with the user of their id; closes a connection after a broken frame."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.start()

    def run(self):
        while True:
            try:
                peer, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(peer,), daemon=True).start()

    def serve(self, peer):
        with peer, peer.makefile("rb") as stream:
            while head := stream.read(4):
                sent = tl.read_message(stream.read(int.from_bytes(head, "big")), PEOPLE)
                peer.sendall(
                    reply(sent.sequence_id, user(sent.decode()["id"])).to_bytes(framed=True)
                )


@pytest.fixture
def server():
    server = Server()
    yield server
    server.socket.close()


class Proxy:
    """`thriftlens record` as a program."""

    def __init__(self, *arguments):
        command = [sys.executable, "-m", "thriftlens", "record", *map(str, arguments)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        first = self.process.stderr.readline()
        self.port = int(re.search(r"listening on 127\.0\.0\.1:(\d+)", first)[1])

    def ask(self, ids):
        with (
            socket.create_connection(("127.0.0.1", self.port)) as peer,
            peer.makefile("rb") as stream,
        ):
            for id in ids:
                peer.sendall(call(id, id).to_bytes(framed=True))
                answer = stream.read(int.from_bytes(stream.read(4), "big"))
                assert tl.read_message(answer, PEOPLE).decode() == user(id)

    def end(self, sent=None):
        if sent is not None:
            self.process.send_signal(sent)
        stderr = self.process.communicate()[1]
        return self.process.returncode, stderr


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
    proxy = Proxy(*arguments, "--annotation", "pii", "--path", "find.arguments.token", "drop")
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
        ["--path", "find.arguments.tokn", "drop"],
        ["--otherwise", "drop"],
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
    assert (status, stderr.splitlines()[-1]) == (
        0,
        f"thriftlens: {tmp_path / 'a.tlrec'}: 6 messages, 3 calls",
    )
    assert [message.name for message in tl.Recording(tmp_path / "a.tlrec").messages] == ["find"] * 6


def test_a_recording_is_as_it_was_where_the_proxy_cannot_listen(run, tmp_path):
    path = tmp_path / "a.tlrec"
    path.write_bytes(b"of yesterday")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = run(
            "record", "127.0.0.1:1", path, "--listen", f"127.0.0.1:{taken.getsockname()[1]}"
        )
    assert (result.returncode, b"in use" in result.stderr, path.read_bytes()) == (
        2,
        True,
        b"of yesterday",
    )
    result = run("record", "127.0.0.1:1", path, "--listen", "nowhere.invalid:1")
    assert (result.returncode, b"nowhere.invalid" in result.stderr, path.read_bytes()) == (
        2,
        True,
        b"of yesterday",
    )
    result = run("record", "127.0.0.1:1", tmp_path / "no folder" / "a.tlrec")
    assert (result.returncode, b"no folder" in result.stderr, b"listening" in result.stderr) == (
        2,
        True,
        False,
    )


def test_an_unreachable_server(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    proxy = Proxy(f"127.0.0.1:{port}", tmp_path / "a.tlrec")
    with socket.create_connection(("127.0.0.1", proxy.port)) as peer:
        assert peer.recv(1) == b""
    status, stderr = proxy.end(signal.SIGINT)
    assert status == 0 and f"connection 0: 127.0.0.1:{port}: " in stderr


def test_messages_of_functions_without_a_rule_are_counted(server, tmp_path):
    (tmp_path / "people.thrift").write_text(IDL)
    proxy = Proxy(
        f"127.0.0.1:{server.port}",
        tmp_path / "a.tlrec",
        "--limit",
        1,
        "--idl",
        tmp_path / "people.thrift",
        "--annotation",
        "pii",
    )
    proxy.ask(range(1))
    assert (
        proxy.end()[1]
        == f"thriftlens: {tmp_path / 'a.tlrec'}: 2 messages, 1 call; 1 message of a function without a rule recorded unchanged\n"
    )


def test_paths_of_a_recording_reach_every_function(tmp_path, run):
    (tmp_path / "people.thrift").write_text(IDL)
    arguments = [
        "record",
        "127.0.0.1:1",
        tmp_path / "a.tlrec",
        "--idl",
        tmp_path / "people.thrift",
        "--path",
    ]
    for path, expected in (
        ("find.result.success.city", b"no rule for People.touch"),
        ("", b"empty"),
        ("find.token", b"FUNCTION.arguments.FIELD"),
    ):
        completed = run(*arguments, path, "drop")
        assert completed.returncode == 2 and expected in completed.stderr, completed.stderr
