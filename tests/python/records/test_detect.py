"""Bytes of unknown origin: detect and inspect, in Python and on the command line."""

import gzip
import re
import struct

import pytest
import thriftlens as tl
from shape_records import IDL, LINE, line
from thriftlens._records import inspection as _inspection


@pytest.mark.parametrize(
    "data, description",
    [
        (line(), "Binary, one struct"),
        (line("compact"), "Compact, one struct"),
        (line("tjson"), "Apache's JSON protocol, one struct"),
        (line() * 3, "Binary, structs back to back"),
        (line("compact") * 3, "Compact, structs back to back"),
        (struct.pack(">I", len(line())) + line(), "Binary, one struct in a frame (u32)"),
        (
            b"".join(struct.pack("<I", len(line())) + line() for _ in range(3)),
            "Binary, structs in frames (u32le)",
        ),
        (
            tl.Message(
                "longest",
                "call",
                7,
                IDL.service("Shapes").function("longest").arguments.encode({"lines": [LINE]}),
            ).to_bytes(),
            "Binary, one message",
        ),
        (b"\0" + line(), "Binary, one struct after 1 byte"),
    ],
)
def test_the_best_guess_is_right(data, description):
    guesses = tl.detect(data)
    assert description in str(guesses[0]), [str(guess) for guess in guesses]
    assert guesses[0].probability == max(guess.probability for guess in guesses)
    assert sum(guess.probability for guess in guesses) <= 1.0


def test_lines_of_the_json_protocol_are_many_values():
    text = b"\n".join(line("tjson", kind=i) for i in range(3)) + b"\n"
    guess = tl.detect(text)[0]
    assert (str(guess), guess.value_count) == ("Apache's JSON protocol, structs in lines", 3)
    assert tl.inspect(text).count("record ") == 3 and tl.identify(text, IDL)[0].type.name == "Line"
    assert tl.infer(text).startswith("// A draft from 3 samples")
    calls = b'[1,"put",1,7,{}]\n[1,"put",2,7,{}]\n'
    assert str(
        tl.detect(calls)[0]
    ) == "Apache's JSON protocol, messages in lines" and "tjson reply 'put'" in tl.inspect(calls)
    assert str(tl.detect(text + b"{\n")[0]).endswith("structs in lines, truncated or invalid")
    broken = tl.inspect(text + b"broken\n" + text)
    assert (
        broken.startswith("guess: Apache's JSON protocol, structs in lines, truncated or invalid")
        and broken.count("\nrecord ") == 7
        and "\n! " in broken
    )
    many = line("tjson") + b"\n"
    assert tl.detect(many * ((1 << 20) // len(many) + 9))[0].framing == "lines"


def test_texts_may_begin_with_the_mark_of_utf8():
    mark, call = b"\xef\xbb\xbf", b'[1,"put",1,7,{}]'
    structs, calls = (line("tjson") + b"\r\n") * 2, call + b"\n" + call
    for text, description in (
        (line("tjson"), "one struct"),
        (structs, "structs in lines"),
        (call, "one message"),
        (calls, "messages in lines"),
    ):
        result = [str(guess) for guess in tl.detect(mark + text)]
        assert result == [f"Apache's JSON protocol, {description}"]
        report = tl.inspect(mark + text)
        assert "! " not in report and report.count("struct\n") == tl.inspect(text).count("struct\n")
    assert tl.read_message(mark + call).name == "put"
    assert tl.detect(mark + line()) == tl.detect(mark) == []


def test_a_file_that_is_cut_is_guessed_by_its_beginning():
    for stream, description in (
        (line() * 40, "back to back"),
        (b"".join(struct.pack(">I", len(line())) + line() for _ in range(40)), "in frames (u32)"),
    ):
        guess = tl.detect(stream[:-30])[0]
        assert description in str(guess) and str(guess).endswith(", truncated or invalid")
        text = tl.inspect(stream[:-30])
        assert text.count("\nrecord ") == 39 and text.splitlines()[-1].startswith("! ")
        assert tl.identify(stream[:-30], IDL)[0].type.name == "Line"


@pytest.mark.parametrize(
    "data",
    [b"", b"hello, world\n", b'{"a": 1}', bytes(range(256)), b"\x89PNG\r\n\x1a\n" + bytes(100)],
)
def test_foreign_bytes_are_not_detected(data):
    guesses = tl.detect(data)
    assert not guesses or guesses[0].probability < 0.9, str(guesses[0])


def test_large_data_is_judged_by_its_beginning():
    data = line() * 30000
    assert len(data) > 1 << 20
    guess = tl.detect(data)[0]
    assert "back to back" in str(guess) and guess.value_count < 30000
    assert sum(1 for _ in _inspection.values(data, guess)) == 30000


def test_inspect_begins_with_the_detected_format():
    text = tl.inspect(line("compact"), type=IDL.Line)
    first, rest = text.split("\n", 1)
    assert first.startswith("guess: Compact, one struct (")
    assert first.split("(")[1].split(" ")[1].startswith("%")
    assert rest == tl.inspect(line("compact"), type=IDL.Line, protocol="compact")


def test_inspect_shows_every_value():
    text = tl.inspect(line() * 3)
    result = [line for line in text.splitlines() if line.startswith("record")]
    assert result == [f"record {i}, byte {i * len(line())}, {len(line())} bytes" for i in range(3)]
    data = IDL.service("Shapes").function("longest").arguments.encode({"lines": [LINE]})
    call = tl.Message("longest", "call", 7, data)
    assert "binary call 'longest', sequence id 7\n" in tl.inspect(call.to_bytes())
    text = b'[1,"longest",1,7,{"1":{"lst":["rec",0]}}]'
    assert "tjson call 'longest', sequence id 7\n" in tl.inspect(text)


def test_inspect_of_broken_bytes_ends_with_the_error():
    assert tl.inspect(line()[:-9]).splitlines()[-1].startswith("! ")
    assert tl.inspect(b"").startswith("guess: unknown format")
    with pytest.raises(TypeError, match="expected a thriftlens.Type, not str"):
        tl.inspect(line(), type="Line")


def test_the_number_of_values_is_limited(run):
    assert run("inspect", "-", "--limit", "2", input=line() * 9).stdout.count(b"record ") == 2
    assert (
        run("inspect", "-", "--limit", "2", "--html", input=line() * 9).stdout.count(b'"heading"')
        == 2
    )


def test_the_command_inspects_what_it_finds(run, tmp_path):
    file = tmp_path / "lines.gz"
    file.write_bytes(gzip.compress(line("compact") * 4))
    result = run("inspect", file)
    assert result.returncode == 0 and result.stderr == b""
    shown = result.stdout.decode().splitlines()
    assert shown[0].startswith("guess: gzip: Compact, structs back to back (")
    assert sum(line.startswith("record ") for line in shown) == 4
    result = run("inspect", "-", input=line()[:-9])
    assert result.returncode == 1 and result.stdout.startswith(b"guess: ")
    assert b"<stdin>: the data ends" in result.stderr
    forced = run("inspect", "-", "--protocol", "binary", input=line()).stdout
    assert forced == tl.inspect(line(), protocol="binary").encode()


def test_deeper_levels_are_folded(run):
    shown = run("inspect", "-", "--levels", "1", input=line()).stdout.decode().splitlines()
    assert shown[1:3] == ["00000000  struct", "00000000    #1 struct  … 3 more lines"]
    assert not any("home" in line for line in shown)
    result = run("inspect", "-", "--levels", "0", input=line()).stdout.decode().splitlines()
    assert result[1:] == [f"00000000  struct  … {tl.inspect(line()).count(chr(10)) - 2} more lines"]
    full_output = run("inspect", "-", "--protocol", "binary", "--levels", "64", input=line()).stdout
    assert (
        full_output
        == run("inspect", "-", "--protocol", "binary", "--depth", "1000", input=line()).stdout
        == tl.inspect(line(), protocol="binary").encode()
    )
    actual = run("inspect", "-", "--framing", "none", "--levels", "1", input=line() * 2)
    assert b"2 more lines" in actual.stdout


def test_colours_keep_the_text():
    from thriftlens._cli.trees import formatted

    text = tl.inspect(line(), type=IDL.Line)[: -len("\n")] + "\n! the data ends\n"
    dressed = formatted(text, 64, True)
    assert re.sub(r"\x1b\[\d+m", "", dressed) == text == formatted(text, 64, False)
    assert '\x1b[32m"home"\x1b[0m' in dressed and "\x1b[36m#1\x1b[0m" in dressed
    assert "\x1b[31m! the data ends" in dressed


def test_values_that_are_nested_too_deeply_are_reported():
    for protocol in ("binary", "compact"):
        data = b"\0"
        for _ in range(100):
            data = (b"\x0c\0\1" if protocol == "binary" else b"\x1c") + data + b"\0"
        guesses = tl.detect(data)
        assert str(guesses[0]) == f"{protocol.title()}, one struct nested too deeply", [
            str(guess) for guess in guesses
        ]
        assert str(tl.detect(data, depth=200)[0]) == f"{protocol.title()}, one struct"
        assert "\n! " in tl.inspect(data)


@pytest.mark.parametrize("protocol", ["binary", "compact"])
@pytest.mark.parametrize("framing,frame", [
    ("u32", lambda data: len(data).to_bytes(4, "big") + data),
    ("u32le", lambda data: len(data).to_bytes(4, "little") + data),
    ("varint", lambda data: bytes([len(data)]) + data),
])  # fmt: skip
@pytest.mark.parametrize("broken", [(0,), (5,), (1, 2, 3, 70)])
def test_valid_frames_are_detected_among_broken_ones(framing, frame, protocol, broken):
    record = tl.loads("struct R { 1: i64 id, 2: string name, 3: list<i32> xs }")["R"]
    records = [
        record.encode({"id": number, "name": f"n{number}", "xs": [1, 2, 3]}, protocol=protocol)
        for number in range(100)
    ]
    data = b"".join(
        frame(b"\x7e" * len(data) if number in broken else data)
        for number, data in enumerate(records)
    )
    guess = tl.detect(data)[0]
    assert (guess.shape, guess.protocol, guess.framing) == (
        "structs",
        protocol,
        framing,
    ) and "some invalid" in guess.words
    lines = tl.inspect(data).splitlines() if 0 not in broken else []
    assert not lines or lines[0].startswith("guess: ") and "unknown format" not in lines[0]
