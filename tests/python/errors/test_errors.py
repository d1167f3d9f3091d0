"""The classes of errors: families, attributes, pickles."""

import pickle

import pytest
import thriftlens as tl


def test_errors_can_be_pickled(shop):
    with pytest.raises(tl.DecodeError) as caught:
        shop.Order.decode(b"\x0b")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is tl.DecodeError and str(copy) == str(caught.value)
    assert copy.code == caught.value.code and copy.path == caught.value.path
    assert copy.offset == caught.value.offset
    with pytest.raises(tl.SchemaError) as caught:
        tl.loads("struct")
    assert pickle.loads(pickle.dumps(caught.value)).diagnostics == caught.value.diagnostics
    with pytest.raises(tl.FileError) as caught:
        tl.load("absent.thrift")
    for error in (
        caught.value,
        tl.BusinessError(7, ""),
        tl.hive.HiveError("failed", sql_state="08S01"),
    ):
        error.context, error.call_state = ("file",), "answered"
        copy = pickle.loads(pickle.dumps(error))
        assert vars(copy) == vars(error) and str(copy) == str(error)


def test_the_family_of_errors():
    for class_ in (
        tl.UsageError, tl.DecodeError, tl.EncodeError, tl.SchemaError, tl.JSONError,
        tl.UnknownNameError, tl.AbsentError,
    ):  # fmt: skip
        assert issubclass(class_, ValueError) and class_.__bases__[0] is tl.Error
    for class_ in (
        tl.Error, tl.TransportError, tl.FileError, tl.ApplicationError, tl.BusinessError,
    ):  # fmt: skip
        assert not issubclass(class_, ValueError) and issubclass(class_, tl.Error)
    assert type(tl.Error("x", code="bad_option")) is tl.UsageError


@pytest.mark.parametrize("class_,text,call", [
    (tl.UnknownNameError, "no member 'BLUE' in Size", lambda of: of.get(b"\0", "$.sizes{BLUE}")),
    (tl.UsageError, "a key of map<string, i32>", lambda of: of.get(b"\0", "$.names{a}")),
    (tl.UsageError, r'write \{"cup"\} or', lambda of: of.get(b"\0", "$.names.cup")),
    (tl.UnknownNameError, "no member", lambda of: of.columns([], where='size == "BLUE"')),
    (tl.UsageError, "an integer", lambda of: of.columns([], where='id == "x"')),
    (tl.MissingFileError, "no file matches", lambda of: list(tl.scan("no/*.such", of))),
    (tl.MissingFileError, "its folder does not exist$",
     lambda of: tl.Writer("no/such/x", of, framing="u32")),
    (TypeError, "to encode a value", lambda of: of.from_json({"id": 1})),
    (tl.DecodeError, "the input is empty$", lambda of: of.decode(b"")),
    (tl.DecodeError, "the input is empty$", lambda of: of.to_json(b"")),
    (tl.DecodeError, "the input is empty$", lambda of: tl.infer(b"")),
    (AttributeError, "did you mean 'SMALL'", lambda of: of.schema.Size.SMAL),
    (ValueError, "^scan.*: to must be one of .*, 'message', not 'jsn'; did you mean 'json'",
     lambda of: tl.scan(b"", of, to="jsn")),
])  # fmt: skip
def test_wrong_arguments(class_, text, call):
    members = "1: map<Size, i32> sizes, 2: map<string, i32> names, 3: Size size, 4: i32 id"
    of = tl.loads(f"enum Size {{ SMALL = 1 }} struct T {{ {members} }}").T
    with pytest.raises(class_, match=text):
        call(of)


@pytest.mark.parametrize("call", [
    lambda of, data: tl.scan(data, data), lambda of, data: of.decode(data, depth=data),
    lambda of, data: of.decode(data, protocol=data), lambda of, data: of.redact(data, paths=data),
    lambda of, data: of.decode(data, into=bytearray(data)), lambda of, data: of.schema[data],
    lambda of, data: tl.http.plan(of).request(method=7, body=data),
    lambda of, data: tl.http.Router().find(data, 5), lambda of, data: tl.serve(data, data),
    lambda of, data: tl.scan(data, of, framing=data), lambda of, data: of.schema.describe(data),
    lambda of, data: tl.Writer("x", of, framing=data), lambda of, data: of.view(data)[data],
    lambda of, data: tl.scan_columns(data, data), lambda of, data: tl.connect(data, of.schema),
    lambda of, data: tl._rpc.users.Users([("user", data)]),
])  # fmt: skip
def test_data_in_a_wrong_place_are_not_quoted(call):
    with pytest.raises((TypeError, ValueError, LookupError)) as caught:
        call(tl.loads("struct T { 1: string s }").T, b"\x0b\0\1\0\0\0\6secret\0")
    assert "secret" not in str(caught.value) and "incompatible" not in str(caught.value)


@pytest.mark.parametrize(("line", "under"), [
    ("struct S { 1: Nope n }", " " * 14), ("\tstruct S { 1: Nope n }", "\t" + " " * 14),
    ("/* äö中😀 */ struct S { 1: Nope n }", " " * 25),
])  # fmt: skip
def test_the_caret_is_below_the_column(line, under):
    with pytest.raises(tl.SchemaError) as caught:
        tl.loads("\n" + line)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.kind == "undefined-type" and diagnostic.line == 2
    assert diagnostic.column == len(line[: line.index("Nope")].encode()) + 1
    assert str(diagnostic).split("\n")[1:] == ["  " + line, "  " + under + "^"]
    assert str(caught.value).endswith("\n  " + under + "^")


@pytest.mark.parametrize("text,suggestion", [
    ("service S extends Service {}", "base.Service"), ("service S extends bas.Service {}",
    "base.Service"), ("struct S { 1: list<Item> a }", "base.Item"),
    ("service S { void f() throws (1: Fault fault) }", "base.Fault"),
    ("typedef Item I struct S { 1: I a }", "base.Item"), ("const i32 X = LIMIT", "base.LIMIT"),
    ("struct S { 1: i32 a = Kind.A }", "base.Kind"), ("struct S { 1: Service a }", None),
    ("service S extends Item {}", None), ("struct S { 1: Nothing a }", None),
])  # fmt: skip
def test_names_of_includes_without_their_prefix_are_suggested(text, suggestion):
    base = (
        "service Service {} struct Item {} exception Fault {} enum Kind { A } const i32 LIMIT = 4"
    )
    with pytest.raises(tl.SchemaError) as caught:
        tl.loads(f'include "base.thrift"\n{text}', includes={"base.thrift": base})
    message = caught.value.diagnostics[0].message
    assert (
        message.endswith(f"; did you mean '{suggestion}'?")
        if suggestion
        else "did you mean" not in message
    )


def test_unknown_names_share_an_error_code():
    idl = tl.loads("struct A {} service S { void f() }")
    for look_up in (
        lambda: idl["B"],
        lambda: idl.service("T"),
        lambda: idl.service("S").function("g"),
        lambda: idl.exceptions["E"],
    ):
        with pytest.raises(tl.UnknownNameError) as caught:
            look_up()
        assert caught.value.code == "unknown_name"


def test_an_error_of_a_record_has_its_number_its_detail_and_a_hint():
    with pytest.raises(tl.DecodeError) as caught:
        list(tl.scan(b"\0c", tl.loads("struct S {}").S))
    error = caught.value
    assert (error.record, error.detail) == (1, "invalid wire type")
    assert error.hint == "the start of the next record is unknown"
    assert str(error) == f"record 1: {error.detail} (byte 1); {error.hint}"
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.detail, copy.hint, copy.record) == (error.detail, error.hint, 1)


def test_a_message_alone_has_no_record():
    with pytest.raises(tl.DecodeError) as caught:
        tl.read_message(b"\x80\1\0\1\0\0\0\1f")
    assert caught.value.record is None and str(caught.value) == (
        "the data ends in the middle of a value (byte 9)"
    )
    with pytest.raises(tl.DecodeError, match="found HTTP; pass the message in its body$"):
        tl.read_message(b"POST / HTTP/1.1\r\n\r\n")
