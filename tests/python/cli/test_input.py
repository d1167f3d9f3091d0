"""Truncated inputs: compressed files that are cut short, and a start past the end.

No record up to the fault is lost."""

import bz2
import gzip
import io
import lzma
import random
import zlib

import pytest
import thriftlens as tl
from click.testing import CliRunner
from thriftlens._cli.main import main

IDL = "struct Line { 1: i64 id, 2: binary noise }"
Line = tl.loads(IDL).Line
random.seed(7)
RECORDS = [
    Line.encode({"id": number, "noise": random.randbytes(20 + number % 90)})
    for number in range(4_000)
]
PLAIN = b"".join(RECORDS)
PACKERS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zlib": zlib.compress}


def unpacked_of(packer, data):
    """The data that the standard library decompresses from a truncated stream."""
    decompressor = {
        "gzip": lambda: zlib.decompressobj(31),
        "bzip2": bz2.BZ2Decompressor,
        "xz": lzma.LZMADecompressor,
        "zlib": zlib.decompressobj,
    }[packer]()
    return decompressor.decompress(data)


def complete_records_in(data):
    count = size = 0
    for record in RECORDS:
        size += len(record)
        if size > len(data):
            break
        count += 1
    return count


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("remaining", [0.97, 0.6, 0.01])
def test_the_records_before_a_truncation_are_followed_by_one_error(packer, remaining, tmp_path):
    packed = PACKERS[packer](PLAIN)
    cut = packed[: int(len(packed) * remaining)]
    expected = complete_records_in(unpacked_of(packer, cut))
    assert expected > 30 or packer == "bzip2" or remaining < 0.1
    path = tmp_path / "cut"
    path.write_bytes(cut)
    for source in (str(path), io.BytesIO(cut), cut, iter([cut[:10], cut[10:]])):
        scan = tl.scan(source, Line, to="dict", on_error="skip")
        with pytest.raises(tl.DecodeError) as raised:
            for number, value in enumerate(scan):
                assert value["id"] == number
        assert (scan.count, raised.value.code) == (expected, "truncated")


def test_a_truncated_nested_compressed_stream():
    packed = gzip.compress(PLAIN[:3000])
    cut = packed[: len(packed) // 2]
    scan = tl.scan(gzip.compress(cut), Line, to="dict")
    with pytest.raises(tl.DecodeError):
        list(scan)
    assert scan.count == complete_records_in(unpacked_of("gzip", cut)) > 5


def test_invalid_base64_keeps_the_records_up_to_it():
    import base64

    text = base64.b64encode(PLAIN[:200_000])
    scan = tl.scan(text[:150_000] + b"!" + text[150_001:], Line, to="dict")
    with pytest.raises(tl.DecodeError):
        list(scan)
    assert scan.count == complete_records_in(base64.b64decode(text[:150_000]))


def test_the_command_line_writes_the_records_and_reports_the_truncation(tmp_path):
    (tmp_path / "a.thrift").write_text(IDL)
    packed = gzip.compress(PLAIN)
    cut = packed[: len(packed) // 2]
    (tmp_path / "cut.gz").write_bytes(cut)
    for more in ([], ["--on-error", "skip"], ["--jobs", "2"]):
        result = CliRunner().invoke(
            main,
            [
                "to-json",
                str(tmp_path / "a.thrift"),
                "Line",
                str(tmp_path / "cut.gz"),
                "--framing",
                "none",
                *more,
            ],
        )
        assert result.exit_code == 1
        assert len(result.stdout.splitlines()) == complete_records_in(unpacked_of("gzip", cut))
        assert result.stderr.count("\n") == 1 and "invalid gzip data" in result.stderr


@pytest.mark.parametrize("more", [[], ["--jobs", "3"]])
@pytest.mark.parametrize("command", ["to-json", "set", "messages"])
def test_a_start_past_the_end_is_one_clear_error(command, more, tmp_path):
    (tmp_path / "a.thrift").write_text(IDL + "service Shop { void ping() }")
    data = (
        PLAIN * 5
        if command != "messages"
        else tl.Message("ping", "call", 1, b"\0").to_bytes() * 100_000
    )
    (tmp_path / "f.bin").write_bytes(data)
    arguments_of = {
        "to-json": ["Line", "FILE", "--framing", "none"],
        "set": ["Line", "$.id", "1", "FILE", "--framing", "none", "-o", str(tmp_path / "out")],
        "messages": ["FILE"],
    }
    arguments = [
        str(tmp_path / "f.bin") if argument == "FILE" else argument
        for argument in arguments_of[command]
    ]
    result = CliRunner().invoke(
        main, [command, str(tmp_path / "a.thrift"), *arguments, "--start", "999999999", *more]
    )
    assert (result.exit_code, result.stdout) == (2, "")
    assert (
        result.stderr == f"thriftlens: {tmp_path / 'f.bin'}: start 999999999 is past the end of "
        f"the input (byte {len(data)})\n"
    )


def test_a_start_past_the_end_in_python():
    for source in (PLAIN, io.BytesIO(PLAIN)):
        with pytest.raises(
            tl.Error, match=f"start 999999999 is past the end of the input \\(byte {len(PLAIN)}\\)"
        ) as raised:
            list(tl.scan(source, Line, start=999999999))
        assert raised.value.code == "bad_option"
    assert list(tl.scan(PLAIN, Line, start=len(PLAIN))) == []
