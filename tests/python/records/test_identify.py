"""identify and infer."""

import gzip
import re

import pytest
import thriftlens as tl
from shape_records import IDL, line


def test_identify_puts_the_right_type_first():
    matches = tl.identify(line(), IDL)
    assert matches[0].type.name == "Line"
    assert {match.type.name for match in matches} == {"Line", "Lost", "Point"}
    assert matches[0].known == 5 + 3 + 3 and matches[0].path == "" and matches[0].reason == ""
    assert matches[0].probability > 0.9
    worst = next(match for match in matches if match.type.name == "Point")
    assert worst.path.startswith("$.") and "contradicts" in worst.reason
    assert worst.contradictions > 0
    assert 0.99 < sum(match.probability for match in matches) <= 1


def test_identify_can_have_low_probabilities():
    data = tl.loads(
        "struct A { 1: bool a, 2: list<double> b, 3: double c, 4: i16 d, 5: byte e }"
    ).A.encode({"a": True, "b": [1.0], "c": 2.0, "d": 3, "e": 4})
    assert all(match.probability < 0.01 for match in tl.identify(data, [IDL.Point, IDL.Lost]))


def test_identify_takes_any_protocol_and_wrapping():
    for data in (line("compact"), line("tjson"), gzip.compress(line()), line() * 4):
        assert tl.identify(data, [IDL.Point, IDL.Line, IDL])[0].type.name == "Line"
    assert tl.identify(line("compact"), IDL, protocol="compact", max_types=1)[0].type.name == "Line"
    assert len(tl.identify(line("compact"), IDL, protocol="compact", max_types=1)) == 1
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
        result = draft.encode(draft.decode(data, unknown="error", protocol=spoken), protocol=spoken)
        assert result == data
    assert "1: optional i32 f1" in text and "struct LineF1 {" in text
    assert "optional list<double>" in text


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
    assert result.returncode == 1 and b"<stdin>: sample 0: no Thrift data" in result.stderr
    assert not (tmp_path / "none").exists()


SHOP = tl.loads(
    """
    struct Item { 1: string sku, 2: i32 count }
    struct Order { 1: i64 id, 2: list<Item> items }
    exception NoSuch { 1: string why }
    service Shop { Order get(1: i64 id) throws (1: NoSuch missing)  void put(1: Order order,
      2: bool again)  oneway void ping(1: string who) }
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
        assert matches[0].type is type and matches[0].probability > 0.99
        assert matches[0].contradictions == 0
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
    assert "1: list<i64> f1" in draft and "2: map<string, i32> f2" in draft
    assert "3: set<string> f3" in draft
    inferred = tl.loads(draft).E
    data = wide.encode({"a": [], "b": {}, "c": set()})
    assert inferred.encode(inferred.decode(data, unknown="error")) == data
    later = tl.infer([data, wide.encode({"a": [7]})], name="E")
    assert "1: list<i64> f1" in later
    number, text = tl.loads("struct T { 1: i64 a }").T, tl.loads("struct T { 1: string a }").T
    mixed = [number.encode({"a": 1}), text.encode({"a": "x"}), text.encode({"a": "y"})]
    assert "1: string f1  // also as i64 (1 of 3)" in tl.infer(mixed)
