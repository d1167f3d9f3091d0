"""Files of recorded messages."""

import io

import pytest
import thriftlens as tl
from recordings import FIND, call, recorded, reply, user
from thriftlens._capture.recording_format import schema


@pytest.mark.parametrize("cut", [1, 7, 30])
def test_a_truncated_recording_is_an_error(cut):
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
        assert f"(byte {caught.value.offset})" in message
        assert caught.value.code in ("bad_magic", "truncated")


def test_a_recording_of_a_later_version():
    head = {"head": {"format": "thriftlens recording", "version": 2}}
    head_bytes = schema()["Entry"].encode(head)
    with pytest.raises(tl.DecodeError, match="unsupported version 2; expected version 1"):
        tl.Recording(len(head_bytes).to_bytes(4, "big") + head_bytes)


def test_errors_of_a_recording_have_a_location(tmp_path):
    sound = recorded(call(1))
    path = tmp_path / "a.tlrec"
    path.write_bytes(sound + b"\0\0\0\4abcd")
    with pytest.raises(tl.DecodeError) as caught:
        tl.Recording(path)
    assert (
        str(caught.value) == f"{path}: invalid recording: record 2: invalid wire type "
        f"(byte {len(sound) + 4})"
    )
    assert caught.value.offset == len(sound) + 4 and caught.value.record == 2
    assert caught.value.record_offset == len(sound)


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
    with pytest.raises(ValueError, match="match must be"):
        tl.Recording(recorded(), match="order")


def test_replies_that_are_exceptions_and_calls_without_reply():
    data = tl.application_exception().encode({"message": "down", "type": 6})
    failed = tl.Message("find", "exception", 1, data)
    recording = tl.Recording(recorded(call(1, 1), failed, call(2, 2)))
    answer = recording.answer("find", call(7, 1, protocol="compact").data, "compact", FIND)
    assert answer.kind == "exception"
    assert tl.application_exception().decode(answer.data, protocol="compact")["message"] == "down"
    assert recording.calls[1].reply is None and recording.calls[1].latency is None
    assert recording.answer("find", call(7, 2).data, "binary", FIND) is None


def test_a_recording_round_trips():
    answer = reply(1, user(1))
    data = recorded(
        call(1), answer, call(2, protocol="compact"), reply(2, user(2), "compact"), server="db:9083"
    )
    recording = tl.Recording(data)
    assert recording.server == "db:9083" and recording.is_redacted is False and recording.lost == []
    assert len(recording.messages) == 4
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
    assert first.call.data == call(1).data and first.latency == 0.25
    assert second.reply.message.protocol == "compact"
    assert FIND.result.decode(second.reply.data, protocol="compact") == user(2)


def test_a_recording_is_a_file_of_records():
    data = recorded(call(1), reply(1, user(1)))
    entries = list(tl.scan(data, schema()["Entry"], framing="u32", to="dict", enums="name"))
    assert [next(iter(entry)) for entry in entries] == ["head", "message", "message"]
    assert entries[0]["head"]["format"] == "thriftlens recording"
    assert entries[1]["message"]["kind"] == "CALL"
