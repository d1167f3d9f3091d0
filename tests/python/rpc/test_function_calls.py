"""Calls by name, with arguments as text."""

import json

import pytest
import thriftlens as tl
from function_servers import IDL
from thriftlens._rpc.function_calls import (
    APPLICATION,
    DECLARED,
    Caller,
    arguments_of,
    check_selection,
    find_function,
    listing,
)
from thriftlens._rpc.function_calls import Answer as Result

SCHEMA = tl.loads(IDL)
FIND = SCHEMA.service("People").function("find")


def test_names_of_functions():
    assert find_function(SCHEMA, "find")[0].name == "People"
    assert find_function(SCHEMA, "More.find")[0].name == "More"
    assert find_function(SCHEMA, "extra")[1].name == "extra"
    with pytest.raises(tl.UnknownNameError, match="no function 'fnd' in .*did you mean 'find'"):
        find_function(SCHEMA, "fnd")
    with pytest.raises(tl.UnknownNameError, match="ambiguous function 'one': declared by More, O"):
        find_function(SCHEMA, "one")


def test_the_list_of_functions_has_inherited_ones():
    lines = list(listing(SCHEMA))
    assert "More.nothing\tvoid nothing()" in lines and "Other.one\ti32 one()" in lines


def test_arguments_change_json():
    pairs = ["like.name=Zoe", "like.kind=LARGE", 'like.counts:={"x": 1}', "$.like.key=ab"]
    data = arguments_of(FIND, b'{"like": {"id": 7, "name": "Ann"}, "token": "t"}', pairs)
    assert FIND.arguments.decode(data) == {
        "like": {"id": 7, "name": "Zoe", "kind": 2, "key": b"ab", "counts": {"x": 1}},
        "token": "t",
    }


@pytest.mark.parametrize(
    "pairs, message",
    [
        (["token"], "expected NAME=VALUE"),
        (["token=a", "$.token=b"], "duplicate argument 'token'"),
        (["like.id=x"], "'like.id=x' is not an i64 in JSON"),
        (["token=a"], "invalid arguments of find"),
    ],
)
def test_invalid_arguments(pairs, message):
    with pytest.raises(tl.Error, match=message):
        arguments_of(FIND, None, pairs)


def test_replies_of_every_kind():
    client = type("Client", (), {"protocol": "binary"})()
    caller = Caller(client, FIND, {})
    reply = tl.Message("find", "reply", 1, FIND.result.encode({"success": {"id": 7}}), "binary")
    reply = reply._replace(function=FIND)
    assert json.loads(caller.read(reply, False).text) == {"id": 7}
    refused = reply._replace(data=FIND.result.encode({"refused": {"why": "no"}}))
    answer = caller.read(refused, False)
    assert (answer.status, answer.note) == (DECLARED, "find raised Refused")
    error = tl.application_exception().encode({"message": "no such function", "type": 1})
    answer = caller.read(reply._replace(kind="exception", data=error), False)
    assert answer.status == APPLICATION
    assert answer.note == "application exception: no such function (UNKNOWN_METHOD)"
    assert caller.read(reply._replace(data=b"\0"), False).status == APPLICATION


def test_a_pretty_result_loses_the_indentation_of_its_reply():
    caller = Caller(type("Client", (), {"protocol": "binary"})(), FIND, {"pretty": True})
    data = FIND.result.encode({"success": {"id": 7}})
    reply = tl.Message("find", "reply", 1, data, "binary", True, FIND)
    assert caller.read(reply, False) == Result(b'{\n  "id": 7\n}', 0)


def test_selections_are_checked():
    check_selection(FIND, "{ id }")
    with pytest.raises(tl.Error, match="no field 'idd'"):
        check_selection(FIND, "{ idd }")
    with pytest.raises(tl.Error, match="--select: nothing returns void"):
        check_selection(SCHEMA.service("People").function("nothing"), "{ id }")
