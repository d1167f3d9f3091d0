"""Addresses of servers."""

import pytest
import thriftlens as tl
from thriftlens._rpc.address import Address, parse_address


@pytest.mark.parametrize("text, parts", [
    ("hive:9083", Address("tcp", "hive", 9083)),
    ("[::1]:9083", Address("tcp", "::1", 9083)),
    ("ann:s%40crät@hive:10000", Address("tcp", "hive", 10000, "", "ann", "s@crät")),
    ("ann@hive:10000", Address("tcp", "hive", 10000, "", "ann", None)),
    ("unix:/run/x.sock", Address("unix", "", 0, "/run/x.sock")),
    ("unix:///run/x.sock", Address("unix", "", 0, "/run/x.sock")),
    ("http://hive:10001/cliservice", Address("http", "hive", 10001, "/cliservice")),
    ("https://hive", Address("https", "hive", 443, "/")),
    ("http://hive/a?b=c", Address("http", "hive", 80, "/a?b=c")),
    ("ann:pw@hive:10001/cliservice", Address("http", "hive", 10001, "/cliservice", "ann", "pw")),
])  # fmt: skip
def test_addresses(text, parts):
    assert parse_address(text) == parts
    assert "pw" not in str(parts) and "s@cr" not in str(parts)


@pytest.mark.parametrize("text", [
    "", "hive", "hive:", ":9083", "hive:port", "hive:99999999", "::1:9083", "unix:",
    "ftp://hive:21", "ann:secret@hive",
])  # fmt: skip
def test_invalid_addresses(text):
    with pytest.raises(tl.Error) as error:
        parse_address(text)
    assert error.value.code == "bad_address" and "secret" not in str(error.value)
