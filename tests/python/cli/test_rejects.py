"""Reports of rejected records."""

import click
import pytest
import thriftlens as tl
from thriftlens._cli.input import Input
from thriftlens._cli.rejects import Rejects
from thriftlens._records.pieces import Rejected

REJECTED = Rejected(5, 40, b"bytes", tl.DecodeError("record 5: invalid", code="bad_ttype"))


@pytest.mark.parametrize("on_error, expected", [("skip", None), ("null", b"null\n")])
def test_a_record_and_the_count_are_reported(on_error, expected, capsys):
    earlier = [tl.DecodeError("earlier", code="bad_ttype")]
    with Rejects(Input("a", "u32", None, on_error), earlier, b"null\n", None) as rejects:
        assert rejects.take(REJECTED) == expected
        rejects.report(REJECTED)
    assert capsys.readouterr().err.splitlines() == [
        "thriftlens: a: earlier",
        "thriftlens: a: record 5: invalid",
        "thriftlens: a: record 5: invalid",
        "thriftlens: a: 2 records rejected",
    ]


def test_nothing_is_reported_without_a_rejected_record(capsys):
    with Rejects(Input("a", "u32", None, "skip"), [], b"", None):
        pass
    assert capsys.readouterr().err == ""


def test_the_bytes_are_copied_to_a_file(tmp_path):
    target = tmp_path / "rejects"
    with Rejects(Input("a", "u32", None, f"file={target}"), [], b"", None) as rejects:
        rejects.take(REJECTED)
        rejects.take(REJECTED)
    assert target.read_bytes() == b"bytesbytes"


def test_the_file_is_not_the_input(tmp_path):
    file = str(tmp_path / "a")
    with pytest.raises(click.UsageError, match="is the input or output file"):
        with Rejects(Input(file, "u32", None, f"file={file}"), [], b"", None):
            pass
