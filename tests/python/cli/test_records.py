"""Records and the results for them."""

import io

import pytest
import thriftlens as tl
from thriftlens._cli.input import Input
from thriftlens._cli.options import Decoding
from thriftlens._cli.records import Counts, Processor, process_lines, scan_records
from thriftlens._cli.sink import Sink
from thriftlens._cli.source import Source
from thriftlens._records.framing import framed

STRUCTS = [b"\x08\0\1\0\0\0" + bytes([number, 0]) for number in range(3)]
INVALID = framed(b"\x08\0\1\0", "u32")


def source_of(data):
    return Source(io.BufferedReader(io.BytesIO(data)), "x")


def process(data, change, **options):
    output = io.BytesIO()
    spec = Input("x", "u32", None, **options)
    processor = Processor(spec, source_of(data), Sink(output, "y"), Decoding("binary"))
    return processor.run(change), output.getvalue()


FRAMES = b"".join(framed(record, "u32") for record in STRUCTS)


def test_results_are_written_in_order():
    assert process(FRAMES, bytes) == (Counts(3, 0), b"".join(STRUCTS))
    assert process(FRAMES, bytes, start=12, limit=1) == (Counts(1, 0), STRUCTS[1])


@pytest.mark.parametrize(
    "on_error, expected", [("skip", STRUCTS[0]), ("null", b"null\n" + STRUCTS[0])]
)
def test_invalid_records(on_error, expected, capsys):
    counts, output = process(INVALID + framed(STRUCTS[0], "u32"), bytes, on_error=on_error)
    assert (counts.rejected, output) == (1, expected)
    assert "x: 1 record rejected" in capsys.readouterr().err


def test_the_first_invalid_record_raises():
    with pytest.raises(tl.DecodeError) as caught:
        process(FRAMES + INVALID, bytes)
    assert caught.value.record == 3


def test_the_protocol_is_that_of_the_message():
    messages = [
        tl.Message("get", "call", 1, b"\0", protocol).to_bytes()
        for protocol in ("compact", "binary")
    ]
    decoding = Decoding("binary")
    spec = Input("x", "message", None)
    output = io.BytesIO()
    processor = Processor(spec, source_of(b"".join(messages)), Sink(output, "y"), decoding)
    processor.run(lambda data: decoding.protocol.encode() + b" ")
    assert output.getvalue() == b"compact binary "


def test_scanned_records_are_bytes():
    scan = scan_records(Input("x", "u32", None), source_of(FRAMES), Decoding("binary"))
    assert list(scan) == STRUCTS


def test_lines_become_records():
    output = io.BytesIO()
    spec = Input("x", "kafka", None)
    process_lines(spec, source_of(b"a\n\nnull\nb"), Sink(output, "y"), lambda line: line.strip())
    assert output.getvalue() == b"\0\0\0\1a\xff\xff\xff\xff\0\0\0\1b"


def test_an_error_names_the_line():
    def fail(line):
        raise tl.JSONError("invalid", code="json_syntax", offset=4)

    with pytest.raises(tl.JSONError, match="^line 2, record 0: invalid$") as caught:
        process_lines(Input("x", "u32", None), source_of(b"\n{"), Sink(io.BytesIO(), "y"), fail)
    assert (caught.value.code, caught.value.offset) == ("json_syntax", 4)
