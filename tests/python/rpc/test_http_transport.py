"""Answers of HTTP servers."""

import sys
import threading

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


def test_threads_share_a_connection():
    """A check for unexpected bytes must not read those of another thread's reply."""
    idl = tl.loads("service Sums { i64 twice(1: i64 number) }")
    handlers = {"twice": lambda number: 2 * number}
    outcomes = []

    def work(first):
        for number in range(first, first + 200):
            try:
                outcomes.append(client.twice(number) - 2 * number)
            except Exception as error:
                outcomes.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with tl.serve(idl, "Sums", handlers, transport="http", background=True) as server:
            with tl.connect(server.address, idl, transport="http", protocol="binary") as client:
                threads = [threading.Thread(target=work, args=(1000 * at,)) for at in range(6)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join(600)
    finally:
        sys.setswitchinterval(interval)
    assert outcomes == [0] * 1200
