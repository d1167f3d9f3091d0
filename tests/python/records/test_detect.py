"""Bytes of unknown origin: detect, inspect, identify and infer, in Python and on the command line."""

import base64
import bz2
import gzip
import io
import lzma
import os
import re
import struct
import zlib

import pytest
import thriftlens as tl
from thriftlens._records import inspection as _inspection
from thriftlens._records import layers as _layers

IDL = tl.loads(
    """
    enum Kind { SMALL = 1, LARGE = 2 }
    struct Point { 1: i32 x, 2: i32 y, 3: string name }
    struct Line { 1: required Point from, 2: required Point to, 3: list<double> weights, 4: Kind kind, 5: map<string, i64> marks }
    exception Lost { 1: string why }
    service Shapes { Line longest(1: list<Line> lines) throws (1: Lost lost) }
    """
)
LINE = {
    "from": {"x": 70000, "y": -3, "name": "home"},
    "to": {"x": 12, "y": 99, "name": "harbour"},
    "weights": [0.5, 0.25],
    "kind": 2,
    "marks": {"red": 1, "green": 2},
}


def line(protocol="binary", **changes):
    return IDL.Line.encode({**LINE, **changes}, protocol=protocol)


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
    assert (
        guesses[0].sure == max(guess.sure for guess in guesses)
        and sum(guess.sure for guess in guesses) <= 1.0
    )


PACKED = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zlib": zlib.compress}


@pytest.mark.parametrize("layer, pack", PACKED.items())
def test_compression_is_seen_through(layer, pack):
    guess = tl.detect(pack(line("compact")))[0]
    assert (guess.layers, guess.protocol, guess.shape) == ((layer,), "compact", "struct")
    assert [value.data for value in _inspection.values(pack(line("compact")), guess)] == [
        line("compact")
    ]
    many = pack(line() * 5)
    guess = tl.detect(many)[0]
    assert [value.data for value in _inspection.values(many, guess)] == [line()] * 5


def test_layers_may_be_many_but_not_without_end():
    data = line()
    for _ in range(3):
        data = gzip.compress(data)
    assert tl.detect(data)[0].layers == ("gzip",) * 3
    assert tl.detect(gzip.compress(data)) == []


@pytest.mark.parametrize(
    "text",
    [
        base64.b64encode(line()) + b"\n",
        line().hex().encode(),
        line().hex(" ").encode(),
        line().hex("\n", 16).encode(),
    ],
)
def test_text_that_holds_bytes(text):
    guess = tl.detect(text)[0]
    assert guess.protocol == "binary" and [
        value.data for value in _inspection.values(text, guess)
    ] == [line()]


def test_lines_of_the_json_protocol_are_many_values():
    text = b"\n".join(line("tjson", kind=i) for i in range(3)) + b"\n"
    guess = tl.detect(text)[0]
    assert (str(guess), guess.looked_at) == ("Apache's JSON protocol, structs in lines", 3)
    assert tl.inspect(text).count("record ") == 3 and tl.identify(text, IDL)[0].type.name == "Line"
    assert tl.infer(text).startswith("// A draft from 3 samples")
    calls = b'[1,"put",1,7,{}]\n[1,"put",2,7,{}]\n'
    assert str(
        tl.detect(calls)[0]
    ) == "Apache's JSON protocol, messages in lines" and "tjson reply 'put'" in tl.inspect(calls)
    assert str(tl.detect(text + b"{\n")[0]).endswith("structs in lines, cut or broken")
    broken = tl.inspect(text + b"broken\n" + text)
    assert (
        broken.startswith("guess: Apache's JSON protocol, structs in lines, cut or broken")
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
        assert [str(guess) for guess in tl.detect(mark + text)] == [
            f"Apache's JSON protocol, {description}"
        ]
        report = tl.inspect(mark + text)
        assert "! " not in report and report.count("struct\n") == tl.inspect(text).count("struct\n")
    assert (
        tl.read_message(mark + call).name == "put"
        and tl.detect(mark + line()) == tl.detect(mark) == []
    )


def test_a_file_that_is_cut_is_guessed_by_its_beginning():
    for stream, description in (
        (line() * 40, "back to back"),
        (b"".join(struct.pack(">I", len(line())) + line() for _ in range(40)), "in frames (u32)"),
    ):
        guess = tl.detect(stream[:-30])[0]
        assert description in str(guess) and str(guess).endswith(", cut or broken")
        text = tl.inspect(stream[:-30])
        assert text.count("\nrecord ") == 39 and text.splitlines()[-1].startswith("! ")
        assert tl.identify(stream[:-30], IDL)[0].type.name == "Line"


def test_broken_compression_is_reported():
    packed = gzip.compress(bytes(range(256)) * 40 + line())
    guess = tl.detect(gzip.compress(line()))[0]
    with pytest.raises(tl.DecodeError, match="invalid gzip data"):
        list(_inspection.values(packed[:200], guess))
    guess = tl.detect(zlib.compress(line()))[0]
    with pytest.raises(tl.DecodeError, match="invalid zlib data: it is truncated"):
        list(_inspection.values(zlib.compress(line())[:-3], guess))
    with pytest.raises(tl.DecodeError, match="bytes follow its end"):
        list(_inspection.values(zlib.compress(line()) + b"x", guess))


@pytest.mark.parametrize("layer, pack", PACKED.items())
def test_a_truncated_stream_is_detected_by_its_beginning(layer, pack):
    data = pack(line() * 50)
    for size in (len(data) - 1, len(data) - 9):
        if layer in ("bzip2", "xz") and not (guess := tl.detect(data[:size])):
            continue  # their blocks decompress completely or not at all
        guess = tl.detect(data[:size])[0]
        assert guess.layers == (layer,) and "Binary" in str(guess)
        assert tl.inspect(data[:size]).splitlines()[-1].startswith(f"! invalid {layer} data")


@pytest.mark.parametrize(
    "data",
    [b"", b"hello, world\n", b'{"a": 1}', bytes(range(256)), b"\x89PNG\r\n\x1a\n" + bytes(100)],
)
def test_foreign_bytes_are_not_detected(data):
    guesses = tl.detect(data)
    assert not guesses or guesses[0].sure < 0.9, str(guesses[0])


def test_large_data_is_judged_by_its_beginning():
    data = line() * 30000
    assert len(data) > 1 << 20
    guess = tl.detect(data)[0]
    assert "back to back" in str(guess) and guess.looked_at < 30000
    assert sum(1 for _ in _inspection.values(data, guess)) == 30000


def test_inspect_begins_with_the_detected_format():
    text = tl.inspect(line("compact"), type=IDL.Line)
    first, rest = text.split("\n", 1)
    assert first.startswith("guess: Compact, one struct (") and first.split("(")[1].split(" ")[
        1
    ].startswith("%")
    assert rest == tl.inspect(line("compact"), type=IDL.Line, protocol="compact")


def test_inspect_shows_every_value():
    text = tl.inspect(line() * 3)
    assert [line for line in text.splitlines() if line.startswith("record")] == [
        f"record {i}, byte {i * len(line())}, {len(line())} bytes" for i in range(3)
    ]
    call = tl.Message(
        "longest",
        "call",
        7,
        IDL.service("Shapes").function("longest").arguments.encode({"lines": [LINE]}),
    )
    assert "binary call 'longest', sequence id 7\n" in tl.inspect(call.to_bytes())
    text = b'[1,"longest",1,7,{"1":{"lst":["rec",0]}}]'
    assert "tjson call 'longest', sequence id 7\n" in tl.inspect(text)


def test_inspect_of_broken_bytes_ends_with_the_error():
    assert tl.inspect(line()[:-9]).splitlines()[-1].startswith("! ")
    assert tl.inspect(b"").startswith("guess: nothing known")
    with pytest.raises(TypeError, match="expected a thriftlens.Type, not str"):
        tl.inspect(line(), type="Line")


def test_identify_puts_the_right_type_first():
    matches = tl.identify(line(), IDL)
    assert matches[0].type.name == "Line" and {match.type.name for match in matches} == {
        "Line",
        "Lost",
        "Point",
    }
    assert (
        matches[0].known == 5 + 3 + 3
        and matches[0].path == matches[0].why == ""
        and matches[0].sure > 0.9
    )
    worst = next(match for match in matches if match.type.name == "Point")
    assert worst.path.startswith("$.") and "contradicts" in worst.why and worst.contradictions > 0
    assert 0.99 < sum(match.sure for match in matches) <= 1


def test_identify_may_be_sure_of_none():
    data = tl.loads(
        "struct A { 1: bool a, 2: list<double> b, 3: double c, 4: i16 d, 5: byte e }"
    ).A.encode({"a": True, "b": [1.0], "c": 2.0, "d": 3, "e": 4})
    assert all(match.sure < 0.01 for match in tl.identify(data, [IDL.Point, IDL.Lost]))


def test_identify_takes_any_protocol_and_wrapping():
    for data in (line("compact"), line("tjson"), gzip.compress(line()), line() * 4):
        assert tl.identify(data, [IDL.Point, IDL.Line, IDL])[0].type.name == "Line"
    assert tl.identify(line("compact"), IDL, protocol="compact", most=1)[0].type.name == "Line"
    assert len(tl.identify(line("compact"), IDL, protocol="compact", most=1)) == 1
    with pytest.raises(tl.DecodeError):
        tl.identify(b"hello, world", IDL)
    with pytest.raises(tl.DecodeError):
        tl.identify(line("compact"), IDL, protocol="binary")
    with pytest.raises(TypeError):
        tl.identify(line(), "IDL")


def test_identify_reports_missing_fields():
    matches = tl.identify(line(), tl.loads("struct L { 1: required i32 a, 9: required i32 b }"))
    assert matches[0].missing == 1 and matches[0].contradictions == 1 and matches[0].unknown >= 3


SAMPLES = [line(), line(weights=[]), IDL.Line.encode({"from": {"x": 1}, "to": {}, "kind": 1})]


@pytest.mark.parametrize("protocol", ["binary", "compact", "tjson"])
def test_a_draft_reads_its_samples_back(protocol):
    samples = [
        tl.convert(sample, source="binary", target=protocol, type=IDL.Line) for sample in SAMPLES
    ]
    text = tl.infer(samples, name="Line")
    draft = tl.loads(text).Line
    for binary, sample in zip(SAMPLES, samples):
        data = (
            binary if protocol == "tjson" else sample
        )  # tjson does not distinguish strings from binaries
        spoken = "binary" if protocol == "tjson" else protocol
        assert (
            draft.encode(draft.decode(data, unknown="error", protocol=spoken), protocol=spoken)
            == data
        )
    assert (
        "1: optional i32 f1" in text
        and "struct LineF1 {" in text
        and "optional list<double>" in text
    )


def test_a_draft_of_many_values_in_one_file():
    assert tl.infer(b"".join(SAMPLES[:2]) * 20, name="Line").startswith(
        "// A draft from 40 samples"
    )
    with pytest.raises(tl.DecodeError, match="sample 1: no Thrift data"):
        tl.infer([line(), b"hello, world"])


def test_a_draft_needs_samples_and_a_name():
    with pytest.raises(tl.DecodeError, match="no samples"):
        tl.infer([])
    for name in ("foo bar", "struct", "", "1a", "a.b"):
        with pytest.raises(ValueError, match="invalid struct name"):
            tl.infer(line(), name=name)
    with pytest.raises(TypeError, match="not str"):
        tl.detect("path")


def test_so_many_values_are_shown(run):
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
    assert (
        shown[0].startswith("guess: gzip: Compact, structs back to back (")
        and sum(line.startswith("record ") for line in shown) == 4
    )
    result = run("inspect", "-", input=line()[:-9])
    assert (
        result.returncode == 1
        and result.stdout.startswith(b"guess: ")
        and b"<stdin>: the data ends" in result.stderr
    )
    forced = run("inspect", "-", "--protocol", "binary", input=line()).stdout
    assert forced == tl.inspect(line(), protocol="binary").encode()


def test_deeper_levels_are_folded(run):
    shown = run("inspect", "-", "--depth", "1", input=line()).stdout.decode().splitlines()
    assert shown[1:3] == ["00000000  struct", "00000000    #1 struct  … 3 more lines"] and not any(
        "home" in line for line in shown
    )
    assert run("inspect", "-", "--depth", "0", input=line()).stdout.decode().splitlines()[1:] == [
        f"00000000  struct  … {tl.inspect(line()).count(chr(10)) - 2} more lines"
    ]
    full_output = run("inspect", "-", "--protocol", "binary", "--depth", "64", input=line()).stdout
    assert (
        full_output
        == run("inspect", "-", "--protocol", "binary", "--depth", "1000", input=line()).stdout
        == tl.inspect(line(), protocol="binary").encode()
    )
    assert (
        b"2 more lines"
        in run("inspect", "-", "--framing", "none", "--depth", "1", input=line() * 2).stdout
    )


def test_colours_change_no_letter():
    from thriftlens._cli.trees import formatted

    text = tl.inspect(line(), type=IDL.Line)[: -len("\n")] + "\n! the data ends\n"
    dressed = formatted(text, 64, True)
    assert re.sub(r"\x1b\[\d+m", "", dressed) == text == formatted(text, 64, False)
    assert (
        '\x1b[32m"home"\x1b[0m' in dressed
        and "\x1b[36m#1\x1b[0m" in dressed
        and "\x1b[31m! the data ends" in dressed
    )


def test_the_command_ranks_the_types_of_a_folder(run, tmp_path):
    folder = tmp_path / "idl"
    (folder / "deep").mkdir(parents=True)
    (folder / "shapes.thrift").write_text("struct Point { 1: i32 x, 2: i32 y }")
    (folder / "deep" / "line.thrift").write_text(
        'include "shapes.thrift"\nstruct Line { 1: required shapes.Point from, 2: required '
        "shapes.Point to, 3: list<double> weights }"
    )
    (folder / "broken.thrift").write_text("struct {")
    file = tmp_path / "value"
    file.write_bytes(line())
    result = run("identify", "--idl", folder, file)
    assert result.returncode == 0 and b"broken.thrift" in result.stderr
    first, second = result.stdout.decode().splitlines()
    assert first.split()[2:4] == ["deep/line.thrift", "Line"] and second.split()[2:4] == [
        "shapes.thrift",
        "Point",
    ]
    assert "$.x: " in second
    two = (
        run("identify", "--idl", folder, file, "-", "--most", "1", input=line("compact"))
        .stdout.decode()
        .splitlines()
    )
    assert [line.split(": ")[0] for line in two] == [str(file), "<stdin>"]
    result = run("identify", "--idl", folder, "-", file, "--most", "1", input=b"hello, world")
    assert (
        result.stdout.startswith(str(file).encode())
        and result.returncode == 1
        and b"<stdin>: no Thrift data: neither" in result.stderr
    )
    (tmp_path / "empty").mkdir()
    result = run("identify", "--idl", tmp_path / "empty", file)
    assert result.returncode == 2 and b"no readable IDL file" in result.stderr


def test_the_command_writes_a_draft(run, tmp_path):
    draft = tmp_path / "draft.thrift"
    files = []
    for number, sample in enumerate(SAMPLES):
        files.append(tmp_path / f"{number}")
        files[-1].write_bytes(sample)
    result = run("infer", *files, "-o", draft, "--name", "Line")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    of = tl.load(draft).Line
    assert all(of.encode(of.decode(sample, unknown="error")) == sample for sample in SAMPLES)
    assert run("infer", files[0], "--name", "foo bar", "-o", tmp_path / "none").returncode == 2
    result = run("infer", "-", "-o", tmp_path / "none", input=b"hello, world")
    assert (
        result.returncode == 1
        and b"<stdin>: sample 0: no Thrift data" in result.stderr
        and not (tmp_path / "none").exists()
    )


def test_a_stream_over_bytes_in_memory_copies_only_the_bytes_read():
    held = _layers.MemoryStream(memoryview(b"abcdef"))
    assert (held.read(2), held.read(9), held.read(1)) == (b"ab", b"cdef", b"")
    assert isinstance(held, io.RawIOBase)


SHOP = tl.loads(
    """
    struct Item { 1: string sku, 2: i32 count }
    struct Order { 1: i64 id, 2: list<Item> items }
    exception NoSuch { 1: string why }
    service Shop { Order get(1: i64 id) throws (1: NoSuch missing)  void put(1: Order order, 2: bool again)  oneway void ping(1: string who) }
    """,
    name="shop.thrift",
)


def calls():
    shop = SHOP.service("Shop")
    order = {"id": 7, "items": [{"sku": "cup", "count": 2}]}
    return [
        tl.Message("get", "call", 1, shop.function("get").arguments.encode({"id": 7})),
        tl.Message("get", "reply", 1, shop.function("get").result.encode({"success": order})),
        tl.Message(
            "put", "call", 2, shop.function("put").arguments.encode({"order": order, "again": True})
        ),
        tl.Message(
            "put",
            "exception",
            2,
            tl.loads("struct X { 1: string m, 2: i32 t }").X.encode({"m": "no", "t": 6}),
        ),
    ]


def test_identify_compares_a_message_with_functions():
    shop = SHOP.service("Shop")
    for message, type in zip(
        calls(),
        [
            shop.function("get").arguments,
            shop.function("get").result,
            shop.function("put").arguments,
        ],
    ):
        matches = tl.identify(message.to_bytes(framed=True), SHOP)
        assert matches[0].type is type and matches[0].sure > 0.99 and matches[0].contradictions == 0
        renamed = message._replace(name="Shop:" + message.name)
        assert tl.identify(renamed.to_bytes(), SHOP)[0].type is type
    assert tl.identify(calls()[3].to_bytes(), SHOP)[0].type.name == "TApplicationException"
    unknown = tl.identify(calls()[2]._replace(name="store").to_bytes(), SHOP)
    assert unknown[0].type is shop.function("put").arguments, "by its fields"
    only_structs = tl.identify(calls()[2].to_bytes(), [SHOP.Order, SHOP.Item])
    assert {match.type.name for match in only_structs} == {"Order", "Item"}


def test_the_command_identifies_a_message(tmp_path, run):
    (tmp_path / "idl").mkdir()
    (tmp_path / "idl" / "shop.thrift").write_text(
        "struct Order { 1: i64 id } service Shop { Order get(1: i64 id)  void put(1: Order order) }"
    )
    (tmp_path / "call").write_bytes(calls()[0].to_bytes())
    result = run("identify", "--idl", str(tmp_path / "idl"), str(tmp_path / "call"))
    assert b"100 %  shop.thrift Shop.get.arguments  1 known" in result.stdout.splitlines()[0]


def test_infer_of_messages_makes_a_struct_for_each_function():
    stream = b"".join(message.to_bytes(framed=True) for message in calls() * 3)
    draft = tl.infer(stream)
    for name in ("get_arguments", "get_result", "put_arguments", "TApplicationException"):
        assert re.search(rf"\nstruct {name} {{", draft), draft
    schema = tl.loads(draft)
    for message in calls():
        if message.kind != "exception":
            type = schema[f"{message.name}_{'result' if message.kind == 'reply' else 'arguments'}"]
            assert type.encode(type.decode(message.data, unknown="error")) == message.data


def test_infer_of_empty_containers_and_of_two_types():
    wide = tl.loads("struct E { 1: list<i64> a, 2: map<string, i32> b, 3: set<binary> c }").E
    draft = tl.infer([wide.encode({"a": [], "b": {}, "c": set()})], name="E")
    assert (
        "1: list<i64> f1" in draft
        and "2: map<string, i32> f2" in draft
        and "3: set<string> f3" in draft
    )
    inferred = tl.loads(draft).E
    data = wide.encode({"a": [], "b": {}, "c": set()})
    assert inferred.encode(inferred.decode(data, unknown="error")) == data
    later = tl.infer([data, wide.encode({"a": [7]})], name="E")
    assert "1: list<i64> f1" in later
    number, text = tl.loads("struct T { 1: i64 a }").T, tl.loads("struct T { 1: string a }").T
    mixed = [number.encode({"a": 1}), text.encode({"a": "x"}), text.encode({"a": "y"})]
    assert "1: string f1  // also as i64 (1 of 3)" in tl.infer(mixed)


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


def test_identify_skips_unreadable_files_of_a_folder(run, tmp_path):
    folder = tmp_path / "idl"
    for name in ("a", "b", "hidden", "directory.thrift"):
        (folder / name).mkdir(parents=True)
    (folder / "shapes.thrift").write_text("struct Point { 1: i32 x, 2: i32 y }")
    (folder / "b" / "base.thrift").write_text("service S { i32 far(1: i32 a) }")
    (folder / "a" / "base.thrift").write_text(
        'include "../b/base.thrift"\nservice S extends base.S {}'
    )
    (folder / "both.thrift").write_text(
        'include "a/base.thrift"\ninclude "gone.thrift"\nservice Top extends base.S {}'
    )
    (folder / "cycle.thrift").write_text(
        "service A extends B {} service B extends A {} typedef X Y typedef Y X"
    )
    (folder / "self.thrift").write_text('include "self.thrift"\nstruct T { 1: self.T t }')
    (folder / "bytes.thrift").write_bytes(bytes(range(256)) * 4)
    (folder / "utf16.thrift").write_bytes("struct T {}".encode("utf-16"))
    (folder / "empty.thrift").write_bytes(b"")
    (folder / "deep.thrift").write_text(
        "struct T { 1: " + "list<" * 5000 + "i32" + ">" * 5000 + " x }"
    )
    (folder / "dangling.thrift").symlink_to("nowhere")
    (folder / "loop.thrift").symlink_to("loop.thrift")
    os.mkfifo(folder / "pipe.thrift")
    with open(os.fsencode(folder) + b"/\xff.thrift", "w") as odd:
        odd.write("struct Odd { 1: i32 x, 2: i32 y }")
    file = tmp_path / "value"
    file.write_bytes(tl.loads("struct Point { 1: i32 x, 2: i32 y }").Point.encode({"x": 1, "y": 2}))
    result = run("identify", "--idl", folder, file)
    assert result.returncode == 0, result.stderr
    rows = [tuple(line.split()[2:4]) for line in result.stdout.splitlines()]
    assert {(b"shapes.thrift", b"Point"), (b"\\udcff.thrift", b"Odd")} <= set(rows)
    assert b"Traceback" not in result.stderr
    for name in (
        b"cycle.thrift",
        b"pipe.thrift",
        b"dangling.thrift",
        b"loop.thrift",
        b"bytes.thrift",
    ):
        assert name in result.stderr


@pytest.mark.parametrize("protocol", ["binary", "compact"])
@pytest.mark.parametrize("framing,frame", [
    ("u32", lambda data: len(data).to_bytes(4, "big") + data), ("u32le", lambda data: len(data).to_bytes(4, "little") + data), ("varint", lambda data: bytes([len(data)]) + data),
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
    ) and "some broken" in guess.words
    lines = tl.inspect(data).splitlines() if 0 not in broken else []
    assert not lines or lines[0].startswith("guess: ") and "nothing known" not in lines[0]
