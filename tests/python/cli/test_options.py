"""Options that commands share."""

import pytest
from thriftlens._cli.options import parse_size


@pytest.mark.parametrize(
    "text, size",
    [("1000", 1000), ("10b", 10), ("64k", 64 << 10), ("16MB", 16 << 20), ("4GiB", 4 << 30)],
)
def test_sizes(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "k", "10ib", "10i", "10ki", "1.5G", "-1", "10x"])
def test_other_texts_are_no_sizes(text):
    with pytest.raises(ValueError, match="invalid size"):
        parse_size(text)
