"""Answers of HTTP servers."""

import pytest
import thriftlens as tl
from server_peers import IDL, serving


@pytest.mark.parametrize(
    "kind", ["text/html", "text/plain; charset=utf-8", "application/json", None]
)
def test_a_page_in_a_200_answer_is_named(kind):
    page = b"<!DOCTYPE html><html><body>Please sign in</body></html>"
    head = b"" if kind is None else f"Content-Type: {kind}\r\n".encode()
    answer = b"HTTP/1.1 200 OK\r\n" + head + b"Content-Length: %d\r\n\r\n" % len(page) + page
    with (
        serving(answer) as address,
        tl.connect(
            f"http://{address}/", IDL, transport="http", protocol="binary", timeout=600
        ) as client,
    ):
        with pytest.raises(tl.Error, match="an HTML page"):
            client.get(1)


@pytest.mark.parametrize("protocol", ["HTTP/1.1 500", "HTTQ"])
def test_status_lines_of_http_servers_are_short_and_escaped(protocol):
    answer = f"{protocol} \x1b[31m\x9b{'n' * 30_000}\r\nContent-Length: 0\r\n\r\n".encode("latin-1")
    with (
        serving(answer) as address,
        tl.connect(f"http://{address}/", IDL, transport="http", protocol="binary") as client,
    ):
        with pytest.raises(tl.TransportError, match=r"\\u001b\[31m\\u009bnnn") as caught:
            client.get(1)
    assert len(str(caught.value)) < 500
