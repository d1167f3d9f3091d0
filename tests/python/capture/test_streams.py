"""Messages in captured streams."""

import random

import pytest
from captured_packets import Connection, Wire, call, calls, message, reply
from thriftlens._capture.calls import CapturedMessage
from thriftlens._capture.streams import Messages


def test_a_large_reply_is_read_in_linear_time():
    items = [{"sku": "x" * 50, "price": n} for n in range(20_000)]
    wire = Wire()
    connection = Connection(wire)
    connection.send(0, message("all", "call", 1, {"count": 20_000}))
    answer = message("all", "reply", 1, {"success": items})
    connection.send(1, answer)
    (line,), _ = calls(wire.bytes())
    assert (line["reply_bytes"], len(line["result"]["success"])) == (len(answer), 20_000)
    assert line["latency_ms"] == pytest.approx(-(-len(answer) // 1448))


def test_streams_of_garbage_between_messages():
    random_ = random.Random(3)
    for _ in range(300):
        side = Messages()
        pieces = [
            call(1),
            random_.randbytes(random_.randrange(60)),
            call(2, protocol="compact"),
            random_.randbytes(5),
            reply(3, framed=True),
        ]
        data = b"".join(pieces)
        parts = []
        while data:
            size = random_.randrange(1, 40)
            parts += side.feed(data[:size], 0.0)
            data = data[size:]
        parts += side.finish()
        assert sum(part.size for part in parts) == sum(map(len, pieces))
        offsets = [part.offset for part in parts]
        assert offsets == sorted(offsets)
        assert isinstance(parts[0], CapturedMessage) and parts[0].message.sequence_id == 1
