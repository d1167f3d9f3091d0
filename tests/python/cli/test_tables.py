"""Tables of records."""

import io
import json

import click
import pytest
import thriftlens as tl
from thriftlens._cli.commands.table import TableOptions
from thriftlens._cli.input import Input
from thriftlens._cli.rejects import Rejects
from thriftlens._cli.sink import Sink
from thriftlens._cli.source import Source
from thriftlens._cli.tables import LineConverter, MessageConverter, Records, open_table
from thriftlens._records.cuts import Cut, cuts_of
from thriftlens._records.scan_state import NOTHING

TYPE = tl.loads("struct Row { 1: i32 x, 2: string name }").Row
ROWS = [{"x": 1, "name": "a"}, {"x": 2}]
DATA = b"".join(map(TYPE.encode, ROWS))


def options(**changes):
    defaults = {
        "select": None, "where": None, "enums": "number", "flat": False, "defaults": "omit",
        "field_ids": "none", "mismatch": "error", "invalid_utf8": "error",
        "missing_required": "error", "unknown": "drop", "record": None, "reason": None,
        "file_column": None, "unknown_fields": None, "threads": 1, "output_size": 0,
    }  # fmt: skip
    return TableOptions(**{**defaults, **changes}).columns("binary", 64, "raise")


def write(kind, column_options, limit=None, select=None):
    output = io.BytesIO()
    scan = {"framing": "none", "protocol": "binary", "depth": 64, "prefix_size": 0}
    records = Records(scan, "raise", 0, limit)
    sink = Sink(output, "out")
    spec = Input("x", "none", None)
    with (
        Rejects(spec, [], b"", sink) as rejects,
        open_table(kind, TYPE, records, select, column_options, sink) as table,
    ):
        source = Source(io.BufferedReader(io.BytesIO(DATA)), "x")
        table.read(source, rejects, lambda count, position=None: None)
    return table, output.getvalue()


def test_lines_of_json():
    table, text = write("jsonl", options())
    assert list(map(json.loads, text.splitlines())) == ROWS and table.rows == 2


def test_rows_are_filtered_and_limited():
    assert write("jsonl", options(where="x > 1"))[1] == b'{"x":2}\n'
    table, text = write("jsonl", options(), limit=1, select="{ x }")
    assert text == b'{"x":1}\n' and table.is_at_limit


@pytest.mark.parametrize("changes", [{"flat": True}, {"record": "n"}, {"file_column": "f"}])
def test_lines_have_no_further_columns(changes):
    with pytest.raises(click.UsageError, match="cannot be used with jsonl"):
        write("jsonl", options(**changes))


def test_columns():
    arrow = pytest.importorskip("pyarrow")
    table, data = write("arrow", options())
    assert arrow.ipc.open_file(io.BytesIO(data)).read_all().column("x").to_pylist() == [1, 2]
    assert table.rows == 2


def test_records_are_converted_to_the_protocol_of_the_table():
    compact = tl.Message("put", "call", 1, TYPE.encode(ROWS[0], protocol="compact"), "compact")
    (cut,) = cuts_of(compact.to_bytes(), "message", True)
    convert = MessageConverter(TYPE, lambda cut: True, "binary", 64)
    assert convert(cut, "compact") == TYPE.encode(ROWS[0])
    assert MessageConverter(TYPE, lambda cut: False, "binary", 64)(cut, "compact") is NOTHING
    line = tl.convert(TYPE.encode(ROWS[0]), source="binary", target="tjson", type=TYPE)
    cut = Cut(0, 0, len(line), line, 0, (0, len(line)))
    assert LineConverter(TYPE, 64)(cut, "binary") == TYPE.encode(ROWS[0])
