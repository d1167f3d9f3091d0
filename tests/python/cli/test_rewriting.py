"""Rewrites of values and of records with their framing."""

import collections

import click
import pytest
import thriftlens as tl
from thriftlens._cli.input import Input
from thriftlens._cli.options import Decoding
from thriftlens._cli.rewriting import rewrite_messages, rewrite_records

VALUE = b"\x08\0\1\0\0\0\7\0"


def rewrite(tmp_path, data, function=rewrite_records, framing=None, **options):
    source, target = tmp_path / "in", tmp_path / "out"
    source.write_bytes(data)
    spec = Input(str(source), framing, None)._replace(**options.pop("spec", {}))
    function(spec, str(target), Decoding("binary"), **options)
    return target.read_bytes()


@pytest.mark.parametrize("framing, data, expected", [
    (None, VALUE, b"\0"), ("u32", b"\0\0\0\x08" + VALUE, b"\0\0\0\1\0"),
    ("hex", b"key  0800010000000700\n", b"key  00\n"),
])  # fmt: skip
def test_values_and_framing(tmp_path, framing, data, expected):
    change = {"change": lambda record: b"\0" if record == VALUE else b"?"}
    assert rewrite(tmp_path, data, framing=framing, **change) == expected


@pytest.mark.parametrize(
    "unredacted, expected", [(None, b"key 00\n"), ("keep", b"key 00\n"), ("drop", b"00\n")]
)
def test_the_bytes_before_a_record(tmp_path, unredacted, expected):
    tally = collections.Counter()
    options = {"spec": {"unredacted": unredacted}, "tally": tally, "change": lambda record: b"\0"}
    assert rewrite(tmp_path, b"key 0800010000000700\n", framing="hex", **options) == expected
    assert tally["prefix"] == (unredacted is not None)


def test_bytes_that_cannot_be_redacted_are_an_error(tmp_path):
    options = {"spec": {"unredacted": "error"}, "change": lambda record: b"\0"}
    with pytest.raises(SystemExit):
        rewrite(tmp_path, b"key 0800010000000700\n", framing="hex", **options)
    assert not (tmp_path / "out").exists()


def test_messages_are_changed_or_dropped(tmp_path):
    messages = [tl.Message(name, "call", 1, VALUE) for name in ("get", "put")]
    data = b"".join(message.to_bytes(framed=True) for message in messages)
    tally = collections.Counter()
    options = {
        "framing": "message",
        "change": lambda cut: b"\0" if cut.message[0] == "get" else None,
        "tally": tally,
    }
    result = rewrite(tmp_path, data, rewrite_messages, **options)
    assert result == messages[0]._replace(data=b"\0").to_bytes(framed=True)
    assert tally["message"] == 1


def test_a_list_cannot_be_written(tmp_path):
    with pytest.raises(click.UsageError, match="--framing list is for input only"):
        rewrite(tmp_path, b"", framing="list", change=bytes)
