"""Entries of recordings, and their writer."""

import io

import pytest
import thriftlens as tl
from thriftlens._capture.recording_format import (
    LostBytes,
    Recorded,
    Writer,
    is_recording,
    lost_bytes,
    recorded_message,
    schema,
)

MESSAGE = tl.Message("get", "oneway", 7, b"\0", "compact")


def entries(data):
    return list(tl.scan(io.BytesIO(data), schema()["Entry"], framing="u32", to="dict"))


@pytest.mark.parametrize("headers", [{}, {"trace": "t1"}])
def test_entries_are_read_as_they_were_written(headers):
    stream = io.BytesIO()
    writer = Writer(stream, server="shop:9090", redacted=True)
    recorded = Recorded(3, "server", 1.5, 2.25, MESSAGE, "framed", headers)
    lost = LostBytes(4, "client", 0.5, 12, "not a message")
    writer.message(recorded)
    writer.lost(lost)
    head, message, rest = entries(stream.getvalue())
    assert is_recording(stream.getvalue()[:64])
    assert head["head"] == {
        "format": "thriftlens recording",
        "version": 1,
        "server": "shop:9090",
        "redacted": True,
    }
    assert recorded_message(message["message"]) == recorded
    assert lost_bytes(rest["lost"]) == lost


def test_every_entry_is_flushed():
    class Stream(io.BytesIO):
        flushed = 0

        def flush(self):
            self.flushed = len(self.getvalue())

    stream = Stream()
    writer = Writer(stream)
    for _ in range(2):
        writer.message(Recorded(0, "client", 0.0, 0.0, MESSAGE, "buffered"))
        assert stream.flushed == len(stream.getvalue())


def test_an_unknown_number_is_an_error():
    entry = {"time": 0, "connection": 0, "sender": 3, "size": 1, "reason": ""}
    with pytest.raises(tl.DecodeError, match="unknown number 3 of client, server"):
        lost_bytes(entry)


@pytest.mark.parametrize("first", [b"", b"thriftlens recording", bytes(64)])
def test_other_files_are_not_recordings(first):
    assert not is_recording(first)
