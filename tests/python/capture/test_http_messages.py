"""Messages in HTTP."""

import pytest
from captured_packets import Connection, Wire, call, calls, message, outcomes, reply


def test_http():
    pytest.importorskip("h11", reason="h11 is not installed: HTTP is not read")
    wire = Wire()
    connection = Connection(wire)
    for number in (1, 2):
        body = call(number)
        head = (
            "POST /cliservice HTTP/1.1\r\nHost: x\r\nAuthorization: Basic c2VjcmV0\r\n"
            f"X-Trace: t{number}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        connection.send(0, head.encode() + body, 30)
        answer = reply(number)
        chunks = (
            b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (answer[:5], answer[5:]))
            + b"0\r\n\r\n"
        )
        connection.send(1, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, 30)
    lines, warnings = calls(wire.bytes())
    assert warnings == []
    result = [(line["transport"], line["outcome"], line["sequence_id"]) for line in lines]
    assert result == [("http", "reply", 1), ("http", "reply", 2)]
    assert lines[1]["call_headers"]["x-trace"] == "t2"
    assert "authorization" not in lines[0]["call_headers"]


@pytest.mark.parametrize("answer", [
    "HTTP/1.1 200 OK\r\nContent-Length: 0",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0", "HTTP/1.0 200 OK",
    "HTTP/1.1 204 No Content",
])  # fmt: skip
def test_an_empty_body_answers_a_oneway_call_over_http(answer):
    pytest.importorskip("h11", reason="h11 is not installed: HTTP is not read")
    wire = Wire()
    connection = Connection(wire)
    body = message("poke", "oneway", 3, {"n": 5})
    connection.send(
        0, f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    )
    data = (
        answer.replace("\r\n", "\r\nContent-Type: application/x-thrift\r\n", 1) + "\r\n\r\n"
    ).encode()
    connection.send(1, data)
    connection.close()
    lines, warnings = calls(wire.bytes())
    assert (outcomes(lines), warnings) == ([("poke", 3, "oneway")], [])
