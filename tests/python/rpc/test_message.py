"""Unreadable messages and messages of unknown functions: the others are still read, and errors
suggest a fix."""

import copy
import pickle

import pytest
import thriftlens as tl

IDL = tl.loads(
    "struct Item { 1: i64 id } service Base { void ping() } service Shop extends Base { Item "
    "get(1: i64 id) } service Other { i32 add(1: i32 a) }"
)
SHOP = IDL.service("Shop")
UNKNOWN_METHOD = tl.Message("nofn", "exception", 1, b"\x08\0\2\0\0\0\1\0").to_bytes()


def call(number, framed=False):
    return tl.Message(
        "get", "call", number, SHOP.function("get").arguments.encode({"id": number})
    ).to_bytes(framed=framed)


def test_an_unknown_function_is_one_record_that_cannot_be_read():
    data = call(1) + tl.Message("nofn", "call", 2, b"\0").to_bytes() + call(3)
    with pytest.raises(tl.UnknownNameError, match="no function 'nofn' in Shop") as raised:
        list(tl.scan(data, SHOP, framing="message"))
    assert raised.value.record == 1
    messages = list(tl.scan(data, SHOP, framing="message", on_error="skip"))
    assert [message.sequence_id for message in messages] == [1, 3]
    messages = list(tl.scan(data, SHOP, framing="message", on_error="null"))
    assert [message and message.sequence_id for message in messages] == [1, None, 3]
    rejected = []
    assert len(list(tl.scan(data, SHOP, framing="message", on_error=rejected.append))) == 2
    assert (rejected[0].number, rejected[0].error.code) == (1, "unknown_name")


def test_an_application_exception_needs_no_function():
    message = tl.read_message(UNKNOWN_METHOD, SHOP)
    assert (message.function, message.is_known, message.decode()) == (None, True, {"type": 1})
    result = [message.decode() for message in tl.scan(UNKNOWN_METHOD * 2, SHOP, framing="message")]
    assert result == [{"type": 1}] * 2


def test_an_invalid_selection_ends_a_scan():
    Item = IDL.Item
    with pytest.raises(tl.UnknownNameError):
        list(tl.scan(Item.encode({"id": 1}), Item, select="{ nope }", on_error="skip"))


def test_a_schema_is_accepted_in_place_of_its_services():
    for of in (SHOP, IDL, list(IDL.services.values())):
        assert tl.read_message(call(5), of).decode() == {"id": 5}
        result = [message.decode() for message in tl.scan(call(5), of, framing="message")]
        assert result == [{"id": 5}]
    assert tl.read_message(tl.Message("ping", "call", 1, b"\0").to_bytes(), IDL).decode() == {}
    with pytest.raises(tl.UnknownNameError, match="no function 'nofn' in Base, Shop, Other"):
        tl.read_message(tl.Message("nofn", "call", 1, b"\0").to_bytes(), IDL)
    with pytest.raises(tl.UnknownNameError, match="the IDL has no service"):
        tl.read_message(call(5), tl.loads("struct A {}"))
    for wrong in ("Shop", IDL.Item, 5, []):
        with pytest.raises(TypeError, match="expected a service"):
            tl.read_message(call(5), wrong)


def test_a_single_message_is_not_a_record():
    with pytest.raises(tl.DecodeError) as raised:
        tl.read_message(call(1)[:-4], SHOP)
    assert "record" not in str(raised.value) and raised.value.code == "truncated"
    for front in (
        b"POST /shop HTTP/1.1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
    ):
        with pytest.raises(tl.DecodeError, match="expected a message, found HTTP"):
            tl.read_message(front + call(1), SHOP)


GARBAGE = b"\0\0\0\x08garbage!"


def run(*arguments, data=b""):
    from click.testing import CliRunner
    from thriftlens._cli.main import main

    return CliRunner().invoke(main, list(map(str, arguments)), input=data)


@pytest.fixture
def idl(tmp_path):
    (tmp_path / "a.thrift").write_text(
        "struct Item { 1: i64 id } service Shop { Item get(1: i64 id) }"
    )
    return tmp_path / "a.thrift"


def test_scanning_resumes_after_a_frame_of_garbage(idl, tmp_path):
    import io
    import json

    data = call(1, True) + GARBAGE + call(3, True)
    for source in (data, io.BytesIO(data), iter([data[i : i + 1] for i in range(len(data))])):
        scan = tl.scan(source, SHOP, framing="message", on_error="skip")
        assert [message.sequence_id for message in scan] == [1, 3] and scan.rejected == 1
    with pytest.raises(tl.Error) as raised:
        list(tl.scan(data, SHOP, framing="message"))
    assert raised.value.record == 1 and raised.value.record_offset == len(call(1, True))
    assert "start of the next" not in str(raised.value)
    (tmp_path / "f.bin").write_bytes(data)
    result = run("messages", idl, tmp_path / "f.bin", "--on-error", "skip")
    assert [json.loads(line)["sequence_id"] for line in result.stdout.splitlines()] == [1, 3]
    assert "1 record rejected" in result.stderr
    (tmp_path / "first.bin").write_bytes(GARBAGE + call(3, True))
    for more, expected in ((["--framed"], [3]), ([], [])):
        result = run("messages", idl, tmp_path / "first.bin", "--on-error", "skip", *more)
        assert [json.loads(line)["sequence_id"] for line in result.stdout.splitlines()] == expected
    assert [
        message.sequence_id
        for message in tl.scan(GARBAGE + data, SHOP, framing="framed", on_error="skip")
    ] == [1, 3]
    unframed = call(1) + GARBAGE + call(3)
    with pytest.raises(tl.Error, match="the start of the next record is unknown"):
        list(tl.scan(unframed, SHOP, framing="message", on_error="skip"))


def test_several_processes_find_the_same(idl, tmp_path):
    data = call(1, True) * 40_000 + GARBAGE + call(3, True) * 3
    (tmp_path / "f.bin").write_bytes(data)
    sequential, many = (
        run("messages", idl, tmp_path / "f.bin", "--on-error", "skip", *more)
        for more in ([], ["--jobs", "2"])
    )
    assert sequential.stdout == many.stdout and sequential.stderr == many.stderr
    assert sequential.stdout.count("\n") == 40_003


@pytest.mark.parametrize("arguments", [["messages"], ["to-json", "--framing", "u32"]])
def test_an_impossible_size_is_bad_data(arguments, idl, tmp_path):
    import base64

    of = ["Item"] if arguments[0] == "to-json" else []
    for data in (
        base64.b64encode(IDL.Item.encode({"id": 7}) * 5),
        b"\x7f\xff\xff\xf0\x80" + bytes(50),
    ):
        (tmp_path / "f.bin").write_bytes(data)
        result = run(arguments[0], idl, *of, tmp_path / "f.bin", *arguments[1:])
        assert result.exit_code == 1 and "--max-size" not in result.stderr, result.stderr
        assert "exceeds the limit" not in result.stderr or "check --framing" in result.stderr
    (tmp_path / "f.bin").write_bytes(
        call(1, True) if not of else b"\0\0\0\x0c" + IDL.Item.encode({"id": 7})
    )
    result = run(arguments[0], idl, *of, tmp_path / "f.bin", *arguments[1:], "--max-size", "11")
    assert result.exit_code == 2 and "accepted with a larger --max-size" in result.stderr


def test_errors_of_the_shell_suggest_a_fix(idl, tmp_path):
    (tmp_path / "http").write_bytes(b"POST /shop HTTP/1.1\r\n\r\n" + call(1))
    assert "expected a message, found HTTP" in run("messages", idl, tmp_path / "http").stderr
    result = run("to-json", idl, "Shop", tmp_path / "http")
    assert result.exit_code == 2 and "TYPE is Shop.FUNCTION.arguments" in result.stderr
    assert "idl.service" not in result.stderr
    actual = run("to-json", idl, "Item", tmp_path / "http", "--limit", 1)
    assert "need --framing; `thriftlens inspect`" in actual.stderr
    result = run(
        "from-json", idl, "Item", "-", "--lines", "-o", "-", data=b'{"id":1}\n\n{"id":"x"}\n'
    )
    assert "line 3, record 1: " in result.stderr
    (tmp_path / "none.thrift").write_text("struct Item { 1: i64 id }")
    (tmp_path / "f.bin").write_bytes(call(1))
    actual = run("messages", tmp_path / "none.thrift", tmp_path / "f.bin")
    assert "warning: no service declared" in actual.stderr
    (tmp_path / "p").write_bytes(b"PAR1" + bytes(20) + b"PAR1")
    assert "`thriftlens parquet`" in run("inspect", tmp_path / "p").stderr
    (tmp_path / "bad").write_bytes(call(1, True) + GARBAGE)
    actual = run("messages", idl, tmp_path / "bad", "--on-error", "file=/dev/full")
    assert "/dev/full: " in actual.stderr


def test_infer_continues_after_an_unreadable_file(tmp_path):
    good, cut = tmp_path / "good", tmp_path / "cut"
    good.write_bytes(IDL.Item.encode({"id": 70000}))
    cut.write_bytes(good.read_bytes()[:-3])
    for more in ([], ["--protocol", "binary"]):
        result = run("infer", cut, good, *more)
        assert result.exit_code == 1 and str(cut) in result.stderr
        result = run("infer", cut, good, "--on-error", "skip", *more)
        assert result.exit_code == 0 and str(cut) in result.stderr and "1: i64 f1" in result.stdout
    good.write_bytes(good.read_bytes() * 5)
    assert "from 2 samples" in run("infer", good, "--limit", 2).stdout


def test_a_list_is_read_by_the_shell(idl, tmp_path):
    data = b"\x0c\0\0\0\3" + b"".join(IDL.Item.encode({"id": number}) for number in range(3))
    (tmp_path / "f.bin").write_bytes(data)
    for more in ([], ["--jobs", "2"]):
        result = run("to-json", idl, "Item", tmp_path / "f.bin", "--framing", "list", *more)
        assert result.stdout == '{"id":0}\n{"id":1}\n{"id":2}\n'
    actual = run("get", idl, "Item", "$.id", tmp_path / "f.bin", "--framing", "list")
    assert actual.stdout == "0\n1\n2\n"
    assert run("check", idl, "Item", tmp_path / "f.bin", "--framing", "list").exit_code == 0
    assert run("inspect", tmp_path / "f.bin", "--framing", "list").stdout.count("record") == 3
    result = run(
        "set", idl, "Item", "$.id", "1", tmp_path / "f.bin", "--framing", "list", "-o",
        tmp_path / "out",
    )  # fmt: skip
    assert result.exit_code == 2 and "for input only" in result.stderr


def test_messages_are_pickled_and_copied():
    message = tl.Message("f", "call", 1, b"\0", headers={"a": "b"})
    assert pickle.loads(pickle.dumps(message)) == message == copy.deepcopy(message)
