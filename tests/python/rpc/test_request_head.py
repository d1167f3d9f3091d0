"""Which heads of HTTP/1.x requests are rejected."""

import pytest
from thriftlens._rpc.request_head import find_fault

HOST, CHUNKED, LENGTH = (
    (b"host", b"a"),
    (b"transfer-encoding", b"chunked"),
    (b"content-length", b"2"),
)


@pytest.mark.parametrize("version,headers", [
    ("1.1", [HOST, CHUNKED, LENGTH]), ("1.1", [LENGTH, HOST, CHUNKED]), ("1.0", [CHUNKED]),
    ("1.0", [HOST, CHUNKED]), ("1.1", [HOST, CHUNKED, CHUNKED]),
    *(("1.1", [HOST, (b"transfer-encoding", coding)]) for coding in (b"identity", b"gzip, chunked",
    b"chunked, chunked", b"xchunked", b"\x0bchunked", b"")),
    ("1.1", []), ("1.0", [HOST, HOST]),
    *(("1.1", [(b"host", host)]) for host in (b"", b"a, b", b"a/b", b"u@a", b"a b", b"a\n")),
])  # fmt: skip
def test_an_ambiguous_head_has_a_fault(version, headers):
    assert find_fault(headers, version)


@pytest.mark.parametrize("version,headers", [
    ("1.1", [HOST]), ("1.0", []), ("1.1", [HOST, LENGTH]),
    ("1.1", [HOST, (b"transfer-encoding", b"Chunked")]), ("1.1", [(b"host", b"[::1]:80")]),
    ("1.1", [(b"host", b"A-b.c:80")]),
])  # fmt: skip
def test_a_sound_head_has_none(version, headers):
    assert find_fault(headers, version) is None
