"""The position of a scan: the same for records that are read in blocks as for single ones."""

import random
import struct

import pytest
import thriftlens as tl
from thriftlens._records.scan_state import NULL, ScanState
from thriftlens._records.scanner import Scan

Point = tl.loads("struct Point { 1: required i32 x, 2: list<string> names }").Point


def records(seed):
    """Valid, invalid and, in the framing of Kafka, null records."""
    choices = random.Random(seed)
    for number in range(choices.randrange(40)):
        kind = choices.randrange(10)
        record = Point.encode({"x": number, "names": ["n" * choices.randrange(9)]})
        yield b"" if kind == 0 else record[:-1] if kind == 1 else None if kind == 2 else record


def framed(record, framing):
    if framing == "hex":
        return (record or b"\0").hex().encode() + b"\n"
    size = -1 if record is None and framing == "kafka" else len(record or b"")
    return struct.pack(">i", size) + (record or b"")


def steps(data, **options):
    """The records of a scan, and its position after each of them."""
    scan = tl.scan(data, Point, **options)
    assert isinstance(scan, ScanState)
    outcomes = []
    while True:
        try:
            value = next(scan)
            outcomes.append(value.to_dict() if isinstance(value, tl.View) else value)
            if isinstance(value, tl.View):
                outcomes.append((value.record, value.record_offset))
        except StopIteration:
            break
        except tl.Error as error:
            outcomes.append((str(error), error.record, error.record_offset, error.resume))
        outcomes.append((scan.record, scan.record_offset, scan.number, scan.offset, scan.count))
        if isinstance(outcomes[-2], tuple) and len(outcomes[-2]) == 4:
            break
    return outcomes, scan.rejected, scan.number, scan.offset, scan.count


@pytest.mark.parametrize("framing", ["u32", "kafka", "hex"])
@pytest.mark.parametrize("to", ["dict", "json", "view", "bytes"])
def test_blocks_are_read_like_single_records(monkeypatch, framing, to):
    for seed in range(30):
        data = b"".join(framed(record, framing) for record in records(seed))
        pieces = [data[at : at + 50] for at in range(0, len(data), 50)]
        for source, on_error, limit in (
            (data, "raise", None),
            (data, "skip", 7),
            (pieces, "null", None),
            (pieces, lambda rejected: rejected.number if rejected.number % 2 else None, 9),
            (data, lambda rejected: NULL, None),
        ):
            options = {"framing": framing, "to": to, "on_error": on_error, "limit": limit}
            fast = steps(source, **options)
            with monkeypatch.context() as patch:
                patch.setattr(Scan, "_reader", lambda scan: None)
                assert steps(source, **options) == fast


def test_messages_are_read_in_their_own_protocol():
    call = tl.Message("get", "call", 1, Point.encode({"x": 1}, protocol="compact"), "compact")
    data = call.to_bytes() + tl.Message("get", "call", 2, Point.encode({"x": 2})).to_bytes()
    assert [*tl.scan(data, Point, framing="message", to="dict")] == [{"x": 1}, {"x": 2}]
