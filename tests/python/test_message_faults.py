"""Messages that cannot be read, or are of functions that the IDL does not have: the rest is given all the same, and errors say what to do."""

import pytest

import thriftlens as tl

IDL = tl.loads("struct Item { 1: i64 id } service Base { void ping() } service Shop extends Base { Item get(1: i64 id) } service Other { i32 add(1: i32 a) }")
SHOP = IDL.service("Shop")
UNKNOWN_METHOD = tl.Message("nofn", "exception", 1, b"\x08\0\2\0\0\0\1\0").to_bytes()


def call(number, framed=False):
    return tl.Message("get", "call", number, SHOP.function("get").arguments.encode({"id": number})).to_bytes(framed=framed)


def test_an_unknown_function_is_one_record_that_cannot_be_read():
    data = call(1) + tl.Message("nofn", "call", 2, b"\0").to_bytes() + call(3)
    with pytest.raises(tl.UnknownNameError, match="no function 'nofn' in Shop") as raised:
        list(tl.scan(data, SHOP, framing="message"))
    assert raised.value.record == 1
    found = list(tl.scan(data, SHOP, framing="message", on_error="skip"))
    assert [each.sequence_id for each in found] == [1, 3]
    found = list(tl.scan(data, SHOP, framing="message", on_error="null"))
    assert [each and each.sequence_id for each in found] == [1, None, 3]
    rejected = []
    assert len(list(tl.scan(data, SHOP, framing="message", on_error=rejected.append))) == 2
    assert (rejected[0].number, rejected[0].error.code) == (1, "type_not_found")


def test_an_application_exception_needs_no_function():
    message = tl.read_message(UNKNOWN_METHOD, SHOP)
    assert (message.function, message.is_known, message.decode()) == (None, True, {"type": 1})
    assert [each.decode() for each in tl.scan(UNKNOWN_METHOD * 2, SHOP, framing="message")] == [{"type": 1}] * 2


def test_a_selection_that_makes_no_sense_still_ends_a_scan():
    Item = IDL.Item
    with pytest.raises(tl.UnknownNameError):
        list(tl.scan(Item.encode({"id": 1}), Item, select="{ nope }", on_error="skip"))


def test_a_schema_stands_for_its_services():
    for of in (SHOP, IDL, list(IDL.services.values())):
        assert tl.read_message(call(5), of).decode() == {"id": 5}
        assert [each.decode() for each in tl.scan(call(5), of, framing="message")] == [{"id": 5}]
    assert tl.read_message(tl.Message("ping", "call", 1, b"\0").to_bytes(), IDL).decode() == {}
    with pytest.raises(tl.UnknownNameError, match="no function 'nofn' in Base, Shop, Other"):
        tl.read_message(tl.Message("nofn", "call", 1, b"\0").to_bytes(), IDL)
    with pytest.raises(tl.UnknownNameError, match="the IDL has no service"):
        tl.read_message(call(5), tl.loads("struct A {}"))
    for wrong in ("Shop", IDL.Item, 5, []):
        with pytest.raises(TypeError, match="messages need a service"):
            tl.read_message(call(5), wrong)


def test_one_message_is_no_record():
    with pytest.raises(tl.DecodeError) as raised:
        tl.read_message(call(1)[:-4], SHOP)
    assert "record" not in str(raised.value) and raised.value.code == "truncated"
    for front in (b"POST /shop HTTP/1.1\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"):
        with pytest.raises(tl.DecodeError, match="this is HTTP"):
            tl.read_message(front + call(1), SHOP)
