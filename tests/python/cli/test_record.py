"""Options of the command record."""

import pytest
from thriftlens._cli.connection import address_of


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
